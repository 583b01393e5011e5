/* The end of a round and of the game: who won with what, what everybody paid, the final standings. */

import { html } from "./dom.js";
import { listed, text } from "./language.js";
import { seatsByPlace } from "./model.js";
import { tileRow } from "./tiles.js";
import { drawReason, eventText, signed, whole, YAKUMAN, yakuName } from "./words.js";

const HONBA = 300;
const STICK = 1000;

const inOneLine = (parts) => (parts.length ? html("p", {}, parts.join(" \u00B7 ")) : null);

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

/** How a hand at a limit that is no yakuman is called, by what a non-dealer pays for the self-draw of one. */
const LIMITS = { 2000: "mangan", 3000: "haneman", 4000: "baiman", 6000: "sanbaiman", 8000: "yakuman" };

/** The name of the limit that a win is paid by; "" without one. */
function limitName({ han, points, yaku }, dealer) {
  const limit = LIMITS[points / (dealer ? 6 : 4)];
  if (!han || !limit) return "";
  const counted = (yaku ?? []).reduce((sum, [, each]) => sum + (each ?? 0), 0);
  return limit === "yakuman" && counted < YAKUMAN ? "" : text(`result.limit.${limit}`);
}

/** What a win costs: one payer all of it, or each what a self-draw takes from them. */
function cost({ actor, source, pao, points }, dealer) {
  const alone = text("result.points", { n: whole(points) });
  if (source !== actor || pao !== undefined) return alone;
  if (dealer) return points % 300 ? alone : text("result.all", { points: whole(points / 3) });
  const other = 100 * Math.ceil(points / 400); // the dealer pays twice as much before both are rounded up
  return text("result.each", { other: whole(other), dealer: whole(points - 2 * other) });
}

function value(event, dealer) {
  const parts = [];
  const limits = (event.yaku ?? []).reduce((sum, [, han]) => sum + Math.floor((han ?? 0) / YAKUMAN), 0);
  if (limits) parts.push(limits > 1 ? text("result.yakuman.many", { n: limits }) : text("result.yakuman"));
  else if (event.han) parts.push(text("result.han", { n: event.han }));
  if (event.fu && !limits) parts.push(text("result.fu", { n: event.fu }));
  if (!limits) parts.push(limitName(event, dealer));
  if (event.points) parts.push(cost(event, dealer));
  return inOneLine(parts.filter(Boolean));
}

/** What the winner gets beside the points of the hand; of several winners only one gets it. */
function extras({ type, actor, points, deltas }, honba) {
  if (type !== "win" || !points || !deltas) return null;
  const gained = deltas[actor] - points;
  const repeated = HONBA * honba;
  const sticks = (gained - repeated) / STICK;
  if (!Number.isInteger(sticks) || sticks < 0) return null;
  const parts = [];
  if (honba) parts.push(text("result.honba", { n: honba, points: whole(repeated) }));
  if (sticks) parts.push(text("result.sticks", { n: sticks, points: whole(STICK * sticks) }));
  return inOneLine(parts);
}

function tenpai(model, event) {
  if (!event.tenpai) return null;
  const ready = model.names.filter((_, seat) => event.tenpai[seat]);
  return html("p", {}, text("result.tenpai", { names: ready.length ? listed(ready) : text("result.nobody") }));
}

/** Why a round was drawn, and whose the nagashi mangan is. */
function drawWords(model, event) {
  if (event.type !== "exhausted" || !event.reason) return null;
  const words = drawReason(event.reason);
  const gains = event.reason === "nagashimangan" ? (event.deltas ?? []) : [];
  const names = model.names.filter((_, seat) => gains[seat] > 0);
  return html("p", {}, names.length ? text("result.drawn.for", { reason: words, names: listed(names) }) : words);
}

/** The hands that are shown at a draw, each with its player. */
function shownHands(model, event) {
  if (!event.hands) return null;
  return event.hands.map((hand, seat) => (hand ? html("p", {}, model.names[seat], " ", tileRow(hand)) : null));
}

/** Write thousands of points with a sign: "+53.0". */
function thousands(result) {
  return `${result < 0 ? "\u2212" : "+"}${Math.abs(result).toFixed(1)}`;
}

/** The players by place, with final scores and ranking points. */
function standings(model) {
  const { places, scores, results } = model.game;
  return html(
    "div",
    { class: "result" },
    html("h2", {}, text("result.standings")),
    html(
      "table",
      { class: "standings" },
      html(
        "tbody",
        {},
        seatsByPlace(places).map((seat) =>
          html(
            "tr",
            {},
            html("th", { scope: "row" }, text("result.place", { n: places[seat] })),
            html("td", {}, model.names[seat]),
            html("td", { class: "number" }, whole(scores[seat])),
            html("td", { class: "number" }, thousands(results[seat])),
          ),
        ),
      ),
    ),
    html("p", { class: "note" }, text("result.uma.column")),
  );
}

/** The hand that won: what was concealed, the winning tile, and the called sets. */
function winningHand(event, frame) {
  if (!event.hand?.length) return null;
  const melds = frame.players[event.actor].melds.map((meld) => [" ", tileRow(meld.tiles)]);
  return html("p", {}, tileRow(event.hand), event.tile ? [" + ", tileRow([event.tile])] : [], melds);
}

/** The card shown for a win, a drawn round or the end of the game at a frame, otherwise null. */
export function resultOf(model, event, frame) {
  if (event.type === "end") return standings(model);
  if (event.type !== "win" && event.type !== "exhausted") return null;
  const dealer = event.type === "win" && frame.players[event.actor].wind === "E";
  return html(
    "div",
    { class: "result" },
    html("h2", {}, event.type === "win" ? eventText(event, model.names, false) : text("result.drawn")),
    winningHand(event, frame),
    value(event, dealer),
    extras(event, frame.honba),
    event.yaku?.length ? html("p", {}, listed(event.yaku.map(([name, han]) => yakuName(name, han)))) : null,
    event.ura?.length ? html("p", {}, text("result.ura"), " ", tileRow(event.ura)) : null,
    event.pao === undefined ? null : html("p", {}, text("result.pao", { name: model.names[event.pao] })),
    drawWords(model, event),
    tenpai(model, event),
    shownHands(model, event),
    payments(model, event.deltas),
  );
}
