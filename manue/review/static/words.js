/* Words for tiles, events and options. */

import { hasText, listed, text } from "./language.js";

/** Name one tile: "red 5 pin", "East". */
export function tileName(tile) {
  if (tile === "?") return text("tile.hidden");
  if (tile.length === 1) return text(`tile.${tile}`);
  const plain = text(`tile.suit.${tile[1]}`, { n: tile[0] });
  return tile.length === 3 ? text("tile.red", { tile: plain }) : plain;
}

/** Name several tiles, or "none". */
export function tileNames(tiles) {
  return tiles.length === 0 ? text("tile.none") : listed(tiles.map(tileName));
}

/** Name the tiles of one set: "East" if all are that, else "1 man, 2 man"; by spaces where a language writes no commas. */
function setName(tiles) {
  const names = tiles.every((tile) => tile === tiles[0]) ? tiles.slice(0, 1) : tiles;
  return names.map(tileName).join(text("list.tiles"));
}

/** Name a meld: "pon of East". */
export function meldName(meld) {
  return text("meld.of", { meld: text(`meld.${meld.kind}`), tiles: setName(meld.tiles) });
}

/** Name a round from its wind and number, without its honba: "East 1". */
export function roundName(round) {
  return text(`round.name.${round.wind}`, { n: round.number });
}

/** Name a round in full: "East 1, honba 2". */
export function roundLabel(round) {
  const name = roundName(round);
  return round.honba ? text("round.honba", { round: name, n: round.honba }) : name;
}

const WHOLE = new Intl.NumberFormat("en-US");

/** Write a whole number: "3,900". */
export function whole(number) {
  const rounded = Math.round(number);
  return `${rounded < 0 ? "\u2212" : ""}${WHOLE.format(Math.abs(rounded))}`;
}

/** Write points with a sign: "+3,900". */
export function signed(points) {
  const rounded = Math.round(points);
  return `${rounded > 0 ? "+" : ""}${whole(rounded)}`;
}

/** Write a probability: "12.3 %". */
export function percent(probability) {
  return text("percent", { n: (100 * probability).toFixed(1) });
}

/** Write how far two probabilities are apart: "13.8 percentage points". */
export function percentPoints(difference) {
  return text("percent.points", { n: (100 * difference).toFixed(1) });
}

/** A probability as it is written, so that differences are those of the figures that stand beside one another. */
export function asWritten(probability) {
  return Number((100 * probability).toFixed(1)) / 100;
}

/** Write a place: "2.45". */
export function placeWords(rank) {
  return rank.toFixed(2);
}

/** The verb of an option, without its tiles. */
export function optionVerb(option) {
  return text(`option.${option.kind}`);
}

/** An option without what follows it: "Discard 5 pin", "Pon East", "Win on 5 pin". */
export function moveName(option) {
  const verb = optionVerb(option);
  if (option.tiles.length === 0) return verb;
  const tiles = setName(option.tiles);
  if (option.kind === "win") return text("option.full.win", { tiles });
  return text(option.tiles.length > 1 ? "option.full.set" : "option.full", { verb, tiles });
}

/** An option in full: "Discard 5 pin". */
export function optionName(option) {
  let name = moveName(option);
  if (option.then) name = text("option.full.then", { option: name, tile: tileName(option.then) });
  return option.drawn ? text("option.full.drawn", { option: name }) : name;
}

/** The han of a yakuman, which players do not count. */
export const YAKUMAN = 13;

/** Name a yaku by our name for it; names that we do not know stay as they are. */
export function yakuName(name, han) {
  const known = hasText(`yaku.${name}`) ? text(`yaku.${name}`) : name;
  const counted = han !== null && han !== undefined && han < YAKUMAN;
  return counted ? text("yaku.counted", { yaku: known, n: han }) : known;
}

const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/g;
const FROM_THE_RIGHT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** A player's name as it may stand in a sentence: letters that run from right to left turn nothing around them. */
export function apart(name) {
  const plain = name.replaceAll(DIRECTIONS, "");
  return FROM_THE_RIGHT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** The most letters of a name where it may take no more room; wide ones count twice. */
const SHORT = 20;
const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFF00-\uFF60]|\p{Extended_Pictographic}/u;

/** A name, cut off if it is long: what shows it has the whole one as its title. */
export function shortName(name) {
  const letters = [...name.replaceAll(DIRECTIONS, "")];
  let room = SHORT;
  const end = letters.findIndex((letter) => (room -= WIDE.test(letter) ? 2 : 1) < 0);
  return end < 0 ? name : apart(`${letters.slice(0, end).join("")}\u2026`);
}

/** Say why a round was drawn; reasons that we do not know stay as they are. */
export function drawReason(reason) {
  const key = `draw.${reason}`;
  return hasText(key) ? text(key) : reason;
}

const EVENTS = {
  start: () => text("event.start"),
  draw: (event, name, hidden) =>
    hidden ? text("event.draw.hidden", { name }) : text("event.draw", { name, tile: tileName(event.tile) }),
  discard: (event, name) =>
    event.drawn
      ? text("event.discard.drawn", { name, tile: tileName(event.tile) })
      : text("event.discard", { name, tile: tileName(event.tile) }),
  call: (event, name) => text("event.call", { name, meld: meldName(event) }),
  riichi: (_event, name) => text("event.riichi", { name }),
  accepted: (_event, name) => text("event.accepted", { name }),
  dora: (event) => text("event.dora", { tile: tileName(event.tile) }),
  exhausted: (event) =>
    event.reason ? text("event.exhausted.reason", { reason: drawReason(event.reason) }) : text("event.exhausted"),
  end: () => text("event.end"),
};

function winText(event, names) {
  const values = { name: names[event.actor], source: names[event.source] };
  if (event.tile) values.tile = tileName(event.tile);
  if (event.source === event.actor) return event.tile ? text("event.tsumo.tile", values) : text("event.tsumo", values);
  return event.tile ? text("event.ron.tile", values) : text("event.ron", values);
}

/** Describe an event; `hidden` keeps an unseen draw hidden. */
export function eventText(event, names, hidden) {
  if (event.type === "win") return winText(event, names);
  return EVENTS[event.type](event, event.actor === undefined ? "" : names[event.actor], hidden);
}

/** A note of the reviewing player; those that we do not know stay as they are. */
export function noteWords(note) {
  return hasText(`note.${note}`) ? text(`note.${note}`) : note;
}
