/* The summary of a review: agreement, points lost by kind of decision, luck and skill. */

import { html, replace } from "./dom.js";
import { text } from "./language.js";
import { makeMistakes } from "./mistakes.js";
import { besideMortal, skillCurve, verdict } from "./verdict.js";
import { percent, roundLabel, signed, whole } from "./words.js";

function grid(caption, titles, rows) {
  return html(
    "div",
    { class: "scroll" },
    html(
      "table",
      { class: "summary" },
      html("caption", {}, caption),
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          titles.map((title) => html("th", { scope: "col" }, text(`head.${title}`))),
        ),
      ),
      html(
        "tbody",
        {},
        rows.map((cells) =>
          html(
            "tr",
            {},
            cells.map((cell, at) => html(at ? "td" : "th", at ? {} : { scope: "row" }, cell)),
          ),
        ),
      ),
    ),
  );
}

const share = (agreement) => (agreement === null ? "\u2013" : percent(agreement));
const lost = (points) => (points === null ? "\u2013" : whole(points));
const change = (points) => (points === null ? "\u2013" : signed(points));

function kinds(seat) {
  return grid(
    text("review.kinds"),
    ["kind", "decisions", "agreement", "lost"],
    seat.kinds.map((kind) => [
      text(`kind.${kind.kind}`),
      String(kind.decisions),
      share(kind.agreement),
      lost(kind.lost),
    ]),
  );
}

function rounds(model, seat) {
  return grid(
    text("review.rounds"),
    ["round", "result", "expected", "skill", "luck"],
    seat.rounds.map((round, number) => [
      html("a", { href: `#at=${round.at}&seat=${seat.seat}` }, roundLabel(model.rounds[number])),
      change(round.result),
      change(round.expected),
      change(round.skill),
      change(round.luck),
    ]),
  );
}

function seatSection(model, seat, open) {
  const head = text("review.seat", {
    name: model.names[seat.seat],
    agreement: share(seat.agreement),
    n: seat.decisions,
    lost: lost(seat.lost),
  });
  return html(
    "details",
    { open },
    html("summary", {}, head),
    html(
      "div",
      { class: "summary-grid" },
      verdict(model, seat),
      besideMortal(seat),
      skillCurve(model, seat),
      kinds(seat),
      rounds(model, seat),
    ),
  );
}

/** Fill the section of the review, or leave it hidden; returns how to step from mistake to mistake. */
export function showReview(model, holder, go) {
  if (!model.review) return { next: () => null, update: () => null };
  holder.hidden = false;
  const { open } = model.review;
  const mistakes = makeMistakes(model, open, go);
  const measured = model.review.seats.some((seat) => seat.perDecision !== null);
  replace(
    holder,
    html("h2", {}, text("review.by", { agent: model.review.agent })),
    measured ? mistakes.list : [],
    model.review.seats.map((seat) => seatSection(model, seat, seat.seat === open)),
    measured ? html("p", { class: "note" }, text("review.note")) : [],
  );
  return mistakes;
}
