/* The player's hand as buttons: a tile is discarded by its own button, the drawn one stands apart. */

import { html, replace } from "../review/dom.js";
import { tileIcon } from "../review/tiles.js";
import { tileName } from "../review/words.js";
import { listed, text } from "../review/language.js";

/** What discarding a tile means as an answer to a request, or null if it may not be discarded. */
function discardOf(ask, tile, drawn, riichi) {
  if (ask?.kind !== "choice") return null;
  const same = (found) => found.tile === tile && Boolean(found.drawn) === drawn;
  if (riichi) {
    const then = ask.then.findIndex(same);
    return then < 0 ? null : { option: ask.options.findIndex((option) => option.kind === "riichi"), then };
  }
  const option = ask.options.findIndex(
    ({ kind, tiles, drawn: just }) => kind === "discard" && same({ tile: tiles[0], drawn: just }),
  );
  return option < 0 ? null : { option };
}

function tileButton(tile, drawn, answer, caption, press) {
  const name = drawn ? text("sit.drawn", { tile: tileName(tile) }) : tileName(tile);
  const does = answer === null ? name : text("sit.discard", { tile: name });
  const words = caption ? new Set([caption.short, caption.words]) : [];
  const button = html(
    "button",
    {
      type: "button",
      class: drawn ? "hand-tile drawn" : "hand-tile",
      disabled: answer === null,
      "data-tile": tile,
      "data-drawn": drawn,
      "aria-label": listed([does, ...words]),
    },
    tileIcon(tile, ""),
    caption ? html("span", { class: `caption ${caption.kind}`, "aria-hidden": "true" }, caption.short) : null,
  );
  button.querySelector("svg").setAttribute("aria-hidden", "true");
  button.addEventListener("click", () => press(button, answer));
  return button;
}

/** Make the hand; `choose` gets an answer to the request, `twice` says whether a tile is pressed twice for it. */
export function makeHand(panel, choose, twice) {
  let raised = null;
  let shown = "";
  let request = null; // whose tiles are shown
  let hadFocus = false; // when no tile could be pressed

  function raise(button) {
    raised?.classList.remove("raised");
    raised = button;
    button?.classList.add("raised");
  }

  function press(button, answer) {
    if (twice() && raised !== button) raise(button);
    else choose(answer);
  }

  function move(step) {
    const buttons = [...panel.querySelectorAll("button:enabled")];
    if (!buttons.length) return;
    const at = buttons.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : buttons.length - 1) : (at + step + buttons.length) % buttons.length;
    buttons[next].focus();
  }

  /** The button that stands where another stood, if it has the same tile and may be pressed. */
  function sameButton(before, at) {
    const now = panel.children[at];
    return before && now?.dataset.tile === before.dataset.tile && !now.disabled ? now : null;
  }

  /** Focus the button at the place of the one that had the focus, if there was one; else the last one. */
  function focusAgain(before, at) {
    (sameButton(before, at) ?? [...panel.querySelectorAll("button:enabled")].at(-1))?.focus();
    hadFocus = !panel.contains(document.activeElement);
  }

  function show(player, ask, riichi, captionOf) {
    const tiles = [...player.hand.map((tile) => [tile, false]), ...(player.drawn ? [[player.drawn, true]] : [])];
    const buttons = tiles.map(([tile, drawn]) => [tile, drawn, discardOf(ask, tile, drawn, riichi), captionOf(tile)]);
    const fresh = JSON.stringify(buttons);
    if (fresh === shown) return;
    shown = fresh;
    const focused = panel.contains(document.activeElement) ? document.activeElement : null;
    const [at, raisedAt] = [focused, raised].map((button) => [...panel.children].indexOf(button));
    const stays = ask !== null && request === ask.id ? raised : null;
    request = ask?.id ?? null;
    replace(
      panel,
      buttons.map((values) => tileButton(...values, press)),
    );
    raise(sameButton(stays, raisedAt));
    if (focused || (hadFocus && document.activeElement === document.body)) focusAgain(focused, at);
  }

  return { show, move };
}
