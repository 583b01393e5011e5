/* What is shown on request under the table: useful tiles, and the tiles that the others may wait for. */

import { html, replace } from "./dom.js";
import { text } from "./language.js";
import { valueOf } from "./model.js";
import { ARROWS } from "./table.js";
import { kindOf, tileIcon, tileRow, tilesIn } from "./tiles.js";
import { optionName, percent, tileName } from "./words.js";

const NAMES = ["danger", "useful", "waits"];
/** Winning tiles listed for an opponent. */
const LIKELIEST = 8;

/** P(each seat wins on it) and P(any does) by tile name at a decision; null if the log does not say. */
function dangersOf(model, decision) {
  if (!decision?.danger) return null;
  const found = new Map();
  decision.danger.forEach((tiles, seat) => {
    for (const [tile, chance] of Object.entries(tiles ?? {})) {
      if (!found.has(tile)) found.set(tile, [0, 0, 0, 0]);
      found.get(tile)[seat] = chance / 1000;
    }
  });
  const discards = decision.options.filter(({ kind }) => kind === "discard");
  const known = discards.map((option) => [kindOf(option.tiles[0]), valueOf(model, option, "unsafeProb")]);
  const totals = new Map(known.filter(([, chance]) => chance !== null));
  const together = (chances) => 1 - chances.reduce((passed, chance) => passed * (1 - chance), 1);
  return new Map(
    [...found].map(([tile, chances]) => [tile, { chances, total: totals.get(tile) ?? together(chances) }]),
  );
}

function tileChances(entries) {
  return html(
    "span",
    { class: "tile-chances" },
    entries.map(([tile, chance]) => html("span", {}, tileIcon(tile, tileName(tile)), percent(chance / 1000))),
  );
}

/** Whether the log says of a decision that nobody may win on anything, or hardly. */
const isSafe = (decision) => decision.danger.every((tiles) => !tiles);

/** The line in place of dangers where there are none: as none are known, or as nobody threatens. */
function nothingLine(decision) {
  return html("p", { class: "note" }, text(decision?.danger ? "map.safe" : "map.none"));
}

function waitLines(model, decision, own) {
  if (!decision?.danger || isSafe(decision)) return [nothingLine(decision)];
  return decision.danger.flatMap((tiles, seat) => {
    if (seat === own || !tiles) return [];
    const likeliest = Object.entries(tiles)
      .toSorted((one, two) => two[1] - one[1])
      .slice(0, LIKELIEST);
    const name = `${ARROWS[(seat - own + 4) % 4]} ${model.names[seat]}`;
    return [html("p", {}, text("map.waits", { name, tiles: "" }), tileChances(likeliest))];
  });
}

function usefulLine(model, decision) {
  const option = decision?.options[decision.chosen ?? decision.played ?? 0];
  if (option?.useful === undefined) return [];
  const tiles = tilesIn(model.texts[option.useful]);
  const words = text("map.useful", { option: optionName(option), tiles: tiles.length ? "" : text("tile.none") });
  return [html("p", {}, words, tileRow(tiles))];
}

function dangerLines(model, decision, dangers, frame, own) {
  if (!dangers?.size) return [nothingLine(decision)];
  const hand = [...frame.players[own].hand, frame.players[own].drawn].filter(Boolean);
  const kinds = [...new Set(hand.map(kindOf))];
  const lines = kinds.flatMap((tile) =>
    (dangers.get(tile)?.chances ?? []).flatMap((chance, seat) =>
      chance > 0 ? [text("map.tile", { tile: tileName(tile), chance: percent(chance), name: model.names[seat] })] : [],
    ),
  );
  return [
    html("p", { class: "note" }, text("map.danger")),
    html(
      "ul",
      { class: "unseen" },
      lines.map((line) => html("li", {}, line)),
    ),
  ];
}

/** Make the switches and what they show; `toggle(name)` presses one, `update` shows a moment. */
export function makeOverlay(model, holder, changed) {
  const on = Object.fromEntries(NAMES.map((name) => [name, false]));
  const lines = html("div", { class: "overlay" });
  const buttons = NAMES.map((name) => {
    const button = html("button", { type: "button", "aria-pressed": "false" }, text(`show.${name}`));
    button.addEventListener("click", () => toggle(name));
    return button;
  });
  replace(holder, html("p", { class: "switches" }, buttons), lines);

  function toggle(name) {
    on[name] = !on[name];
    buttons[NAMES.indexOf(name)].setAttribute("aria-pressed", String(on[name]));
    changed();
  }

  function update(decision, frame, seat) {
    const parts = [];
    const dangers = dangersOf(model, decision);
    if (on.danger) parts.push(...dangerLines(model, decision, dangers, frame, seat));
    if (on.useful) parts.push(...usefulLine(model, decision));
    const said = on.danger && !dangers?.size;
    if (on.waits && !said) parts.push(...waitLines(model, decision, seat));
    replace(lines, parts);
    return on.danger ? dangers : null;
  }
  return { toggle, update };
}
