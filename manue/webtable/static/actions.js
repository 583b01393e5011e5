/* Everything that may be chosen beside a discard, as buttons with their keys. */

import { html, replace } from "../review/dom.js";
import { tileIcon } from "../review/tiles.js";
import { optionVerb, tileName, tileNames } from "../review/words.js";
import { listed, text } from "../review/language.js";

const KEYS = {
  win: "w",
  riichi: "r",
  chi: "c",
  pon: "p",
  daiminkan: "k",
  kakan: "k",
  ankan: "k",
  nine_terminals: "a",
  pass: "x",
};
const WITH_TILES = new Set(["chi", "pon", "daiminkan", "kakan", "ankan"]);

function verbOf(option, selfDraw) {
  if (option.kind === "win") return text(selfDraw ? "sit.tsumo" : "sit.ron");
  return optionVerb(option);
}

/** A button; `key` is the letter that presses it too. */
function button(words, key, tiles, press) {
  const name = tiles.length ? listed([words, tileNames(tiles)]) : words;
  const made = html(
    "button",
    { type: "button", "data-key": key, "aria-keyshortcuts": key, "aria-label": name },
    html("span", {}, words),
    tiles.length
      ? html(
          "span",
          { class: "tiles", "aria-hidden": "true" },
          tiles.map((tile) => tileIcon(tile, tileName(tile))),
        )
      : null,
  );
  made.addEventListener("click", press);
  return made;
}

/** Show the buttons of a request; `act` has the functions choose, proceed and riichi. */
export function showActions(panel, ask, riichi, selfDraw, act) {
  const focused = panel.dataset.request === String(ask?.id) ? [...panel.children].indexOf(document.activeElement) : -1;
  delete panel.dataset.request;
  if (ask === null) {
    replace(panel);
    return;
  }
  if (ask.kind === "proceed") {
    replace(panel, button(text("sit.proceed"), "Enter", [], act.proceed));
    return;
  }
  if (riichi) {
    replace(
      panel,
      button(text("sit.riichi.back"), "x", [], () => act.riichi(false)),
    );
    return;
  }
  const buttons = ask.options.map((option, number) => {
    if (option.kind === "discard") return null;
    const press = option.kind === "riichi" ? () => act.riichi(true) : () => act.choose({ option: number });
    const made = button(verbOf(option, selfDraw), KEYS[option.kind], tilesOf(option, selfDraw), press);
    made.dataset.kind = option.kind;
    return made;
  });
  replace(panel, buttons);
  panel.dataset.request = ask.id;
  panel.children[focused]?.focus(); // kept where help for the same request arrives
}

/** The tiles on a button; the one to win on may be a kan's that an indicator has followed. */
function tilesOf(option, selfDraw) {
  const shown = WITH_TILES.has(option.kind) || (option.kind === "win" && !selfDraw);
  return shown ? option.tiles : [];
}

/** Press the button of a key; of several, as different chi, focus the next. Return whether there is one. */
export function pressKey(panel, key) {
  const found = [...panel.querySelectorAll("button")].filter((one) => one.dataset.key?.toLowerCase() === key);
  if (found.length > 1) found[(found.indexOf(document.activeElement) + 1) % found.length].focus();
  else found[0]?.click();
  return found.length > 0;
}
