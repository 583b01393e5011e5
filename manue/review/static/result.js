/* The end of a round: who won with what, and what everybody paid. */

import { html } from "./dom.js";
import { tileIcon } from "./tiles.js";
import { signed, tileName } from "./words.js";

function payments(model, deltas) {
  if (!deltas) return null;
  return html(
    "ul",
    { class: "payments" },
    deltas.map((points, seat) =>
      html(
        "li",
        {},
        html("span", {}, model.names[seat]),
        html("b", { class: points < 0 ? "loss" : points > 0 ? "gain" : null }, signed(points)),
      ),
    ),
  );
}

function icons(tiles) {
  return html(
    "span",
    { class: "tiles" },
    tiles.map((tile) => tileIcon(tile, tileName(tile))),
  );
}

function value(event) {
  const parts = [];
  if (event.han) parts.push(`${event.han} han`);
  if (event.fu) parts.push(`${event.fu} fu`);
  if (event.points) parts.push(`${event.points.toLocaleString("en-US")} points`);
  return parts.length ? html("p", {}, parts.join(" \u00B7 ")) : null;
}

/** The card shown for a win or a drawn round, otherwise null. */
export function resultOf(model, event) {
  if (event.type !== "win" && event.type !== "exhausted") return null;
  const how = event.source === event.actor ? "by self-draw" : `from ${model.names[event.source]}`;
  const title = event.type === "win" ? `${model.names[event.actor]} wins ${how}` : "Drawn round";
  return html(
    "div",
    { class: "result" },
    html("h3", {}, title),
    event.hand?.length ? html("p", {}, icons(event.hand), event.tile ? [" + ", icons([event.tile])] : []) : null,
    value(event),
    event.yaku?.length ? html("p", {}, event.yaku.join(", ")) : null,
    event.ura?.length ? html("p", {}, "Ura indicators: ", icons(event.ura)) : null,
    event.type === "exhausted" && event.reason ? html("p", {}, event.reason) : null,
    event.tenpai
      ? html(
          "p",
          {},
          `Tenpai: ${event.tenpai.flatMap((ready, seat) => (ready ? [model.names[seat]] : [])).join(", ") || "nobody"}`,
        )
      : null,
    payments(model, event.deltas),
  );
}
