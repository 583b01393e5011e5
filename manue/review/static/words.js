/* Words for tiles, events and options. */

const SUITS = { m: "man", p: "pin", s: "sou" };
const HONORS = { E: "East", S: "South", W: "West", N: "North", P: "White", F: "Green", C: "Red dragon" };
const MELDS = { chi: "chi", pon: "pon", daiminkan: "open kan", kakan: "added kan", ankan: "closed kan" };
const OPTIONS = {
  pass: "Pass",
  discard: "Discard",
  riichi: "Riichi",
  win: "Win",
  nine_terminals: "Abort: nine terminals",
};

/** Name one tile: "red 5 pin", "East". */
export function tileName(tile) {
  if (tile === "?") return "hidden tile";
  if (tile.length === 1) return HONORS[tile];
  return `${tile.length === 3 ? "red " : ""}${tile[0]} ${SUITS[tile[1]]}`;
}

/** Name several tiles, or "none". */
export function tileNames(tiles) {
  return tiles.length === 0 ? "none" : tiles.map(tileName).join(", ");
}

/** Name a meld: "pon of East, East, East". */
export function meldName(meld) {
  return `${MELDS[meld.kind]} of ${tileNames(meld.tiles)}`;
}

/** Write points with a sign: "+3,900". */
export function signed(points) {
  const rounded = Math.round(points);
  return `${rounded > 0 ? "+" : rounded < 0 ? "\u2212" : ""}${Math.abs(rounded).toLocaleString("en-US")}`;
}

/** Write a probability: "12.3 %". */
export function percent(probability) {
  return `${(100 * probability).toFixed(1)} %`;
}

/** The verb of an option, without its tiles. */
export function optionVerb(option) {
  return OPTIONS[option.kind] ?? MELDS[option.kind] ?? option.kind;
}

/** An option in full: "Discard 5 pin". */
export function optionName(option) {
  const verb = optionVerb(option);
  const tiles = option.tiles.length ? ` ${tileNames(option.tiles)}` : "";
  const then = option.then ? `, discarding ${tileName(option.then)}` : "";
  const drawn = option.drawn ? " (the tile just drawn)" : "";
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)}${tiles}${then}${drawn}`;
}

const EVENTS = {
  start: () => "The hands are dealt",
  draw: (event, name, hidden) => `${name} draws ${hidden ? "a tile" : tileName(event.tile)}`,
  discard: (event, name) => `${name} discards ${tileName(event.tile)}${event.drawn ? ", just drawn" : ""}`,
  call: (event, name) => `${name} calls ${meldName(event)}`,
  riichi: (_event, name) => `${name} declares riichi`,
  accepted: (_event, name) => `${name}'s riichi is accepted: 1,000 points on the table`,
  dora: (event) => `New dora indicator: ${tileName(event.tile)}`,
  exhausted: (event) => `The round is drawn${event.reason ? ` (${event.reason})` : ""}`,
  end: () => "The game is over",
};

/** Describe an event; `hidden` keeps an unseen draw hidden. */
export function eventText(event, names, hidden) {
  const name = event.actor === undefined ? "" : names[event.actor];
  if (event.type === "win") {
    const tile = event.tile ? ` on ${tileName(event.tile)}` : "";
    return event.source === event.actor
      ? `${name} wins by self-draw${tile}`
      : `${name} wins${tile} from ${names[event.source]}`;
  }
  return EVENTS[event.type](event, name, hidden);
}
