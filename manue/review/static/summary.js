/* The summary of a review: agreement, points lost by kind of decision, luck and skill. */

import { html, replace } from "./dom.js";
import { text } from "./language.js";
import { makeMistakes } from "./mistakes.js";
import { roundAt } from "./model.js";
import { moveTiles } from "./options.js";
import { besideMortal, skillCurve, verdict } from "./verdict.js";
import { optionVerb, percent, roundLabel, shortName, signed, whole } from "./words.js";

const UNKNOWN = "\u2013";

/** A table, without the columns of which nothing is known. */
function grid(caption, titles, rows) {
  const known = titles.map((_, at) => rows.some((cells) => cells[at] !== UNKNOWN));
  const shown = (cells) => cells.filter((_, at) => known[at]);
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
          shown(titles).map((title) => html("th", { scope: "col" }, text(`head.${title}`))),
        ),
      ),
      html(
        "tbody",
        {},
        rows.map((cells) =>
          html(
            "tr",
            {},
            shown(cells).map((cell, at) => html(at ? "td" : "th", at ? {} : { scope: "row" }, cell)),
          ),
        ),
      ),
    ),
  );
}

const share = (agreement) => (agreement === null ? UNKNOWN : percent(agreement));
const lost = (points) => (points === null ? UNKNOWN : whole(points));
const change = (points) => (points === null ? UNKNOWN : signed(points));

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
  const explained = seat.rounds.some((round) => round.skill !== null);
  return grid(
    text(explained ? "review.rounds" : "review.rounds.results"),
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

/** What playing close decisions on said, with links to those in which another option was better. */
function rollouts(model, seat) {
  if (!seat.rollouts) return [];
  const { decisions, ...numbers } = seat.rollouts;
  const said = text("review.rollouts", { ...numbers, n: decisions.length, worlds: whole(numbers.worlds) });
  const move = (option) => [option.kind === "discard" ? [] : `${optionVerb(option)} `, moveTiles(option)];
  const better = decisions.filter(({ says }) => says === "better");
  if (!better.length) return [html("p", {}, said)];
  return grid(
    said,
    ["rollouts", "best", "other", "gain"],
    better.map(({ at, option, gain, error }) => {
      const { turn, chosen, options } = model.decisionAt[seat.seat].get(at);
      const round = roundLabel(model.rounds[roundAt(model, at)]);
      return [
        html("a", { href: `#at=${at}&seat=${seat.seat}` }, text("round.turn", { round, n: turn })),
        move(options[chosen]),
        move(options[option]),
        `${signed(gain)} \u00B1 ${whole(error)}`,
      ];
    }),
  );
}

/** How often a seat chose what is best, and what its choices lost if that is known. */
function headOf(model, seat) {
  const values = { name: shortName(model.names[seat.seat]), agreement: share(seat.agreement), n: seat.decisions };
  if (seat.lost === null) return text("review.seat.agreement", values);
  return text("review.seat", { ...values, lost: whole(seat.lost) });
}

function seatSection(model, seat, open) {
  return html(
    "details",
    { open },
    html("summary", { title: model.names[seat.seat] }, headOf(model, seat)),
    html(
      "div",
      { class: "summary-grid" },
      verdict(model, seat),
      besideMortal(seat),
      skillCurve(model, seat),
      rollouts(model, seat),
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
  const sections = new Map(model.review.seats.map((seat) => [seat.seat, seatSection(model, seat, seat.seat === open)]));
  let opened = sections.get(open);
  replace(
    holder,
    html("h2", {}, text("review.by", { agent: model.review.agent })),
    measured ? mistakes.list : [],
    [...sections.values()],
    measured ? html("p", { class: "note" }, text("review.note")) : [],
  );

  /** Open the section of a seat in place of the one opened before. */
  function openSection(section) {
    opened.open = false;
    section.open = true;
    opened = section;
  }

  return {
    next: mistakes.next,
    update(seat, at) {
      const section = sections.get(seat);
      if (section && section !== opened) openSection(section);
      mistakes.update(seat, at);
    },
  };
}
