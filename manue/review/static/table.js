/* The table as a drawing of 1000 x 1000 units, the viewer's seat at the bottom; only parts that change are redrawn. */

import { renew, svg } from "./dom.js";
import { listed, text } from "./language.js";
import { kindOf, tileAt } from "./tiles.js";
import { meldName, percent, roundLabel, roundName, signed, tileName, tileNames, whole } from "./words.js";

const RIVER_TILE = 44;
/** More letters than ever fit on a plate. */
const MOST_LETTERS = 60;
const MELD_TILE = 42;
const EDGE = 988;
const DANGER_HEIGHT = 44;
/** How far a kan with its added tile reaches from the edge of the table. */
const KAN_DEPTH = 98;
/** Where a player sits, by steps after the viewer's seat. */
export const ARROWS = ["\u25BC", "\u25B6", "\u25B2", "\u25C0"];
const PLATE = 250;
/** What the margins of a plate and the wind leave to a name. */
const NAME_ROOM = PLATE - 66;
const PLATES = [
  [KAN_DEPTH, 746],
  [1000 - KAN_DEPTH - PLATE, 746],
  [1000 - KAN_DEPTH - PLATE, 108],
  [KAN_DEPTH, 108],
];

const heightOf = (width) => (width * 4) / 3;

function outline(x, y, width, height, kind) {
  return svg("rect", {
    x: x + 1,
    y: y + 1,
    width: width - 2,
    height: height - 3,
    rx: width / 11,
    class: `mark ${kind}`,
  });
}

/** A tile lying on its side, with its lower edge level with upright tiles. */
function lying(name, x, y, width, lift = 0) {
  const height = heightOf(width);
  return svg(
    "g",
    { transform: `translate(${x + height} ${y + height - width - lift}) rotate(90)` },
    tileAt(name, 0, 0, width),
  );
}

/** The danger of a tile: one bar for each opponent, from left to right as they sit, and that of all above. */
function dangerAt(danger, x, y, width) {
  if (!danger) return [];
  const { chances, total } = danger;
  const wide = (width - 10) / 3;
  const bars = chances.map((chance, at) => {
    const tall = Math.min(1, chance / 0.2) * (DANGER_HEIGHT - 4) + (chance > 0.001 ? 4 : 0);
    return svg("rect", {
      x: x + 5 + at * wide,
      y: y + heightOf(width) - 7 - tall,
      width: wide - 2,
      height: tall,
      class: "danger",
    });
  });
  const words = svg("text", { x: x + width / 2, y: y - 5, class: "danger-sum" }, (100 * total).toFixed(1));
  return [bars, words];
}

function handOf(player, place) {
  const width = place.own ? 58 : 40;
  const height = heightOf(width);
  const y = EDGE - height;
  let x = place.own ? KAN_DEPTH : 140;
  const parts = [];
  const put = (tile, drawn) => {
    const name = place.hidden ? "?" : tile;
    parts.push(tileAt(name, x, y, width));
    if (place.dora.includes(name)) parts.push(outline(x, y, width, height, "dora"));
    if (place.danger) parts.push(dangerAt(place.danger.get(kindOf(name)), x, y, width));
    if (drawn)
      parts.push(svg("rect", { x: x + 8, y: EDGE + 2, width: width - 16, height: 5, rx: 2.5, class: "drawn-mark" }));
    x += width;
  };
  for (const tile of player.hand) put(tile, false);
  if (player.drawn) {
    x += 14;
    put(player.drawn, true);
  }
  const unseen = place.hidden || player.hand.every((tile) => tile === "?");
  const tiles = unseen ? text("tile.hiddens", { n: player.hand.length }) : tileNames(player.hand);
  const values = { name: place.name, tiles };
  if (player.drawn) values.drawn = tileName(place.hidden ? "?" : player.drawn);
  const label = player.drawn ? text("table.hand.drawn", values) : text("table.hand", values);
  return svg("g", { role: "img", "aria-label": label, "data-part": "hand" }, parts);
}

function riverWords(entry) {
  const [tile, flags] = entry;
  const notes = [
    flags.includes("t") ? text("table.drawn") : "",
    flags.includes("r") ? text("table.riichi") : "",
    /\d/.test(flags) ? text("table.called") : "",
  ];
  const present = notes.filter(Boolean);
  if (!present.length) return tileName(tile);
  return text("table.river.note", { tile: tileName(tile), notes: listed(present) });
}

function riverOf(player, place) {
  const width = RIVER_TILE;
  const height = heightOf(width);
  const parts = [];
  let x = 0;
  player.river.forEach(([tile, flags], at) => {
    if (at % 6 === 0 && at < 24) x = 368;
    const y = 645 + Math.min(Math.floor(at / 6), 3) * (height + 1.5);
    const turned = flags.includes("r");
    const span = turned ? height : width;
    const called = /\d/.test(flags);
    const shape = turned ? lying(tile, x, y, width) : tileAt(tile, x, y, width);
    const top = turned ? y + height - width : y;
    const tall = turned ? width : height;
    const last = at === player.river.length - 1 && place.latest;
    parts.push(svg("g", { class: called ? "called" : null }, shape));
    if (flags.includes("t")) parts.push(outline(x, top, span, tall, "tsumogiri"));
    if (called)
      parts.push(svg("path", { d: `M${x + 7} ${top + tall - 9} L${x + span - 7} ${top + 8}`, class: "called-line" }));
    if (place.dora.includes(tile)) parts.push(outline(x, top, span, tall, "dora"));
    if (last) parts.push(outline(x, top, span, tall, "latest"));
    x += span;
  });
  const tiles = player.river.length ? listed(player.river.map(riverWords)) : text("table.river.empty");
  const label = text("table.river", { name: place.name, tiles });
  return svg("g", { role: "img", "aria-label": label, "data-part": "river" }, parts);
}

/** The tiles of a meld from left to right; the called one lies on the side of the player it came from. */
function meldLayout(meld, seat) {
  if (meld.kind === "ankan") {
    const redFirst = meld.tiles.toSorted((one, two) => two.endsWith("r") - one.endsWith("r"));
    return [["?"], [redFirst[0]], [redFirst[1]], ["?"]];
  }
  const rest = [...meld.tiles];
  const added = meld.kind === "kakan" ? rest.pop() : null;
  rest.splice(rest.indexOf(meld.called), 1);
  const upright = rest.map((tile) => [tile]);
  const from = (meld.source - seat + 4) % 4;
  const where = from === 3 ? 0 : from === 2 ? 1 : upright.length;
  upright.splice(where, 0, [meld.called, added]);
  return upright;
}

/** A tile of a meld; the called one lies, with the one added to it above. */
function pieceAt(piece, x, y, dora) {
  const width = MELD_TILE;
  const height = heightOf(width);
  const outlined = (tile, ...box) => (dora.includes(tile) ? outline(...box, "dora") : null);
  if (piece.length === 1) return [tileAt(piece[0], x, y, width), outlined(piece[0], x, y, width, height)];
  return piece
    .filter(Boolean)
    .map((tile, at) => [
      lying(tile, x, y, width, at * width),
      outlined(tile, x, y + height - width * (at + 1), height, width),
    ]);
}

function meldsOf(player, place, seat) {
  const height = heightOf(MELD_TILE);
  const parts = [];
  let right = 985;
  for (const meld of player.melds) {
    for (const piece of meldLayout(meld, seat).toReversed()) {
      right -= piece.length === 2 ? height : MELD_TILE;
      parts.push(pieceAt(piece, right, EDGE - height, place.dora));
    }
    right -= 7;
  }
  if (!player.melds.length) return null;
  const label = text("table.melds", { name: place.name, melds: listed(player.melds.map(meldName)) });
  return svg("g", { role: "img", "aria-label": label, "data-part": "melds" }, parts);
}

function riichiStick() {
  return svg(
    "g",
    { class: "stick" },
    svg("rect", { x: 425, y: 631, width: 150, height: 11, rx: 5, fill: "#f7f3e8", stroke: "#b9ae95" }),
    svg("circle", { cx: 500, cy: 636.5, r: 3.6, fill: "#c4161c" }),
  );
}

/** The values that each part of a seat depends on; a part is redrawn when one of them changes. */
const PARTS = [
  [(player, place) => [player.river, place.latest, place.dora, place.name], riverOf],
  [
    (player, place) => [player.hand, player.drawn, place.hidden, place.own, place.dora, place.name, place.danger],
    handOf,
  ],
  [(player, place) => [player.melds, place.dora, place.name], meldsOf],
  [(player) => [player.riichi === 2], (player) => (player.riichi === 2 ? riichiStick() : null)],
];

function makeSeat(side) {
  const holders = PARTS.map(() => svg("g"));
  const group = svg("g", { transform: `rotate(${-90 * side} 500 500)`, class: side ? null : "own" }, holders);
  const shown = PARTS.map(() => [NaN]);
  const update = (player, place, seat) => {
    PARTS.forEach(([depends, draw], number) => {
      const now = depends(player, place);
      if (now.every((value, at) => value === shown[number][at])) return;
      shown[number] = now;
      renew(holders[number], draw(player, place, seat));
    });
    group.setAttribute("data-seat", String(seat));
  };
  return { group, update };
}

function counter(words, y) {
  return svg("text", { x: 500, y, class: "counter", "text-anchor": "middle" }, words);
}

function centre(frame, view, model) {
  const round = model.rounds[frame.round];
  const parts = [svg("rect", { x: 362, y: 362, width: 276, height: 276, rx: 16, class: "centre" })];
  for (let side = 0; side < 4; side += 1) {
    const seat = (view.seat + side) % 4;
    const active = frame.actor === seat;
    parts.push(
      svg(
        "g",
        { transform: `rotate(${-90 * side} 500 500)`, class: active ? "side active" : "side" },
        svg("rect", { x: 401, y: 598, width: 198, height: 35, rx: 8, class: "side-band" }),
        svg("text", { x: 409, y: 625, class: "wind" }, text(`wind.short.${frame.players[seat].wind}`)),
        svg("text", { x: 591, y: 625, class: "score", "text-anchor": "end" }, whole(frame.scores[seat])),
      ),
    );
  }
  frame.dora.forEach((tile, at) => parts.push(tileAt(tile, 416 + at * 34, 455, 32)));
  for (let at = frame.dora.length; at < 5; at += 1) parts.push(tileAt("?", 416 + at * 34, 455, 32));
  parts.push(
    svg("text", { x: 500, y: 443, class: "round", "text-anchor": "middle" }, roundName(round)),
    counter(text("table.wall", { n: frame.left }), 526),
    counter(text("table.honba", { n: frame.honba }), 550),
    counter(text("table.sticks", { n: frame.deposits }), 574),
  );
  const label = text("table.centre", {
    round: roundLabel(round),
    left: frame.left,
    honba: frame.honba,
    sticks: frame.deposits,
    dora: tileNames(frame.dora),
  });
  return svg("g", { role: "img", "aria-label": label, "data-part": "centre" }, parts);
}

/** Return what shortens words to the room on a plate, by their length as this browser draws them. */
function makeFitting(ruler) {
  const known = new Map();
  const fits = (words) => {
    ruler.textContent = words;
    return ruler.getComputedTextLength() <= NAME_ROOM;
  };
  const shortened = (words) => {
    const letters = [...words].slice(0, MOST_LETTERS);
    while (letters.length && !fits(`${letters.join("")}\u2026`)) letters.pop();
    return `${letters.join("")}\u2026`;
  };
  return (words) => {
    if (!known.has(words)) known.set(words, fits(words) ? words : shortened(words));
    return known.get(words);
  };
}

function plateNote(player, waits, tenpai) {
  if (player.riichi) return player.riichi === 2 ? text("table.riichi") : text("table.riichi.declared");
  if (tenpai !== null) return text("table.tenpai.chance", { chance: percent(tenpai) });
  return waits.length ? text("table.tenpai") : "";
}

function plateTexts(frame, seat, name, side, fitted) {
  const player = frame.players[seat];
  const [x, y] = PLATES[side];
  const delta = frame.deltas ? frame.deltas[seat] : 0;
  const right = { x: x + PLATE - 14, "text-anchor": "end" };
  const change = delta > 0 ? "gain" : "loss";
  return [
    svg(
      "text",
      { x: x + 14, y: y + 36, class: "plate-name" },
      svg("title", {}, name),
      fitted(`${ARROWS[side]} ${name}`),
    ),
    svg("text", { ...right, y: y + 36, class: "wind" }, text(`wind.short.${player.wind}`)),
    svg("text", { x: x + 14, y: y + 77, class: "plate-score" }, whole(frame.scores[seat])),
    delta ? svg("text", { ...right, y: y + 117, class: change }, signed(delta)) : null,
  ];
}

/** The tiles a ready hand waits for, on a strip next to the plate; if there are many, they are smaller. */
function waitsOf(waits, furiten, x, y) {
  const width = Math.min(30, 134 / waits.length);
  return [
    svg("rect", { x, y, width: PLATE, height: 48, rx: 12, class: "plate" }),
    svg("text", { x: x + 14, y: y + 32, class: "wait-note" }, furiten ? text("table.furiten") : text("table.waits")),
    waits.map((tile, at) => tileAt(tile, x + 106 + at * width, y + 24 - heightOf(width) / 2, width - 1)),
  ];
}

function plate(frame, view, model, side, fitted) {
  const seat = (view.seat + side) % 4;
  const player = frame.players[seat];
  const [x, y] = PLATES[side];
  const waits = view.hide && side !== 0 ? [] : player.waits;
  const name = model.names[seat];
  const note = plateNote(player, waits, view.tenpai?.[seat] ?? null);
  const words = [
    text("table.plate", { name, wind: text(`wind.${player.wind}`), score: whole(frame.scores[seat]) }),
    note,
  ];
  if (waits.length && player.furiten) words.push(text("table.furiten"));
  if (waits.length) words.push(text("table.plate.waiting", { tiles: tileNames(waits) }));
  const label = listed(words.filter(Boolean));
  return svg(
    "g",
    { role: "img", "aria-label": label, "data-part": "plate", "data-seat": seat },
    svg("rect", { x, y, width: PLATE, height: 140, rx: 12, class: frame.actor === seat ? "plate active" : "plate" }),
    waits.length ? waitsOf(waits, player.furiten, x, side < 2 ? y - 52 : y + 144) : null,
    plateTexts(frame, seat, name, side, fitted),
    svg("text", { x: x + 14, y: y + 117, class: player.riichi ? "plate-riichi" : "plate-note" }, note),
  );
}

/** Dangers against the players on the left, across and on the right, from those by seat. */
function bySide(dangers, own) {
  const sides = [3, 2, 1].map((side) => (own + side) % 4);
  const turned = ({ chances, total }) => ({ chances: sides.map((seat) => chances[seat]), total });
  return new Map([...dangers].map(([tile, danger]) => [tile, turned(danger)]));
}

/** Make the drawing; the returned function updates it to a frame, once it is in the page. */
export function makeTable(model) {
  const seats = [0, 1, 2, 3].map(makeSeat);
  const middle = svg("g");
  const ruler = svg("text", { class: "ruler", visibility: "hidden" });
  const fitted = makeFitting(ruler);
  const drawing = svg(
    "svg",
    { viewBox: "0 0 1000 1000", class: "table", role: "group", "aria-label": text("table.name") },
    svg(
      "defs",
      {},
      svg(
        "radialGradient",
        { id: "felt" },
        svg("stop", { offset: "0", class: "felt-inner" }),
        svg("stop", { offset: "1", class: "felt-outer" }),
      ),
    ),
    svg("rect", { x: 5, y: 5, width: 990, height: 990, rx: 26, class: "felt" }),
    middle,
    seats.map((seat) => seat.group),
    ruler,
  );

  function update(frame, view) {
    seats.forEach((part, side) => {
      const seat = (view.seat + side) % 4;
      const own = side === 0;
      part.update(
        frame.players[seat],
        {
          own,
          hidden: view.hide && !own,
          latest: frame.latest === seat,
          dora: frame.doraTiles,
          name: model.names[seat],
          danger: own && view.danger ? bySide(view.danger, view.seat) : null,
        },
        seat,
      );
    });
    renew(
      middle,
      centre(frame, view, model),
      [0, 1, 2, 3].map((side) => plate(frame, view, model, side, fitted)),
    );
  }
  return { drawing, update };
}
