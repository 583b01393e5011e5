/* The summary of a review: agreement, points lost by kind of decision, costliest choices, luck and skill. */

import { html, replace } from "./dom.js";
import { percent, signed } from "./words.js";

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
          titles.map((title) => html("th", { scope: "col" }, title)),
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
const lost = (points) => (points === null ? "\u2013" : Math.round(points).toLocaleString("en-US"));
const change = (points) => (points === null ? "\u2013" : signed(points));

function kinds(seat) {
  return grid(
    "By kind of decision",
    ["Kind", "Decisions", "Agreement", "Points lost"],
    seat.kinds.map((kind) => [kind.kind, String(kind.decisions), share(kind.agreement), lost(kind.lost)]),
  );
}

function costliest(seat) {
  const rows = seat.costliest.map((choice) => [
    html("a", { href: `#at=${choice.at}&seat=${seat.seat}` }, choice.where),
    choice.played,
    choice.best,
    lost(choice.lost),
  ]);
  return rows.length ? grid("Costliest choices", ["Moment", "Played", "Best", "Points lost"], rows) : null;
}

function rounds(seat) {
  return grid(
    "Luck and skill, by round",
    ["Round", "Result", "Expected", "Skill", "Luck"],
    seat.rounds.map((round) => [
      html("a", { href: `#at=${round.at}&seat=${seat.seat}` }, round.label),
      change(round.result),
      change(round.expected),
      change(round.skill),
      change(round.luck),
    ]),
  );
}

function seatSection(model, seat) {
  const head =
    `${model.names[seat.seat]}: ${share(seat.agreement)} agreement over ${seat.decisions} decisions, ` +
    `${lost(seat.lost)} expected points lost`;
  return html(
    "details",
    { open: model.review.seats.length === 1 },
    html("summary", {}, head),
    html("div", { class: "summary-grid" }, kinds(seat), costliest(seat), rounds(seat)),
  );
}

/** Fill the section of the review, or leave it hidden if the page has none. */
export function showReview(model, holder) {
  if (!model.review) return;
  holder.hidden = false;
  replace(
    holder,
    html("h2", {}, `Review by ${model.review.agent}`),
    model.review.seats.map((seat) => seatSection(model, seat)),
    html("p", { class: "note" }, model.review.note),
  );
}
