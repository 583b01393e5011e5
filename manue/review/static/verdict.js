/* The verdict of a game: how it compares with strong players' games, mistakes by weight, luck and skill. */

import { CHART_HEIGHT, CHART_WIDTH } from "./chart.js";
import { html, pathOf, svg } from "./dom.js";
import { listed, text } from "./language.js";
import { percent, signed, whole } from "./words.js";

const CURVE_PAD = { left: 68, right: 12, top: 10, bottom: 14 };
const LABEL_HEIGHT = 15;
const CURVES = ["result", "skill", "luck"];
/** A result and what it is the sum of. */
const SUM = ["result", "expected", "skill", "luck"];

function weights(seat) {
  const counted = Object.entries({ inaccuracies: "inaccuracy", mistakes: "mistake", blunders: "blunder" });
  const words = counted.map(([many, one]) => [
    many,
    text("review.weight", { name: text(`weight.${many}`), n: seat.weights[one] }),
  ]);
  return text("review.weights", Object.fromEntries(words));
}

/** From which loss on a decision is a mistake; how rare such a loss is, is known of values like those measured. */
function thresholds({ agent, rated, strong }) {
  return text(rated ? "review.thresholds" : "review.thresholds.other", { ...strong.weights, agent });
}

function rating(seat, strong) {
  if (seat.better === null) return null;
  const values = { lost: seat.perDecision.toFixed(1), percent: percent(seat.better), seats: whole(strong.seats) };
  return html("p", { class: "rating" }, text("review.rating", values));
}

/** How often Mortal's choice is the best one here; null where the log does not have its values. */
export function besideMortal({ mortal }) {
  if (!mortal) return null;
  return html("p", {}, text("review.mortal", { share: percent(mortal.agreement), n: mortal.decisions }));
}

/** Rating, unless there is too little to rate, and mistakes of a seat; nothing if the agent values no options. */
export function verdict(model, seat) {
  if (seat.perDecision === null) return [];
  return [
    rating(seat, model.review.strong),
    html("p", { class: "weights" }, weights(seat)),
    html("p", { class: "note" }, thresholds(model.review)),
  ];
}

function summed(rounds, name) {
  let total = 0;
  return [0, ...rounds.map((round) => (total += round[name] ?? 0))];
}

/** Result, skill and luck added up over the rounds; null if skill and luck are unknown. */
export function skillCurve(model, seat) {
  if (seat.perDecision === null) return null;
  const lines = CURVES.map((name) => [name, summed(seat.rounds, name)]);
  const values = lines.flatMap(([, points]) => points);
  const low = Math.min(0, ...values);
  const high = Math.max(1, ...values);
  const x = (at) =>
    CURVE_PAD.left + ((CHART_WIDTH - CURVE_PAD.left - CURVE_PAD.right) * at) / Math.max(1, seat.rounds.length);
  const y = (value) =>
    CHART_HEIGHT -
    CURVE_PAD.bottom -
    ((CHART_HEIGHT - CURVE_PAD.top - CURVE_PAD.bottom) * (value - low)) / (high - low);
  const axis = [0, ...[low, high].filter((value) => Math.abs(y(value) - y(0)) > LABEL_HEIGHT)];
  const totals = SUM.map((name) => [name, `${text(`head.${name}`)} ${signed(summed(seat.rounds, name).at(-1))}`]);
  const label = text("review.curve.totals", {
    title: text("review.curve"),
    totals: listed(totals.map(([, words]) => words)),
  });
  return html(
    "figure",
    { class: "skill" },
    html("figcaption", {}, text("review.curve")),
    svg(
      "svg",
      { viewBox: `0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`, class: "chart still", role: "img", "aria-label": label },
      axis.map((value) => [
        svg("line", {
          x1: CURVE_PAD.left,
          x2: CHART_WIDTH - CURVE_PAD.right,
          y1: y(value),
          y2: y(value),
          class: "grid",
        }),
        svg("text", { x: CURVE_PAD.left - 6, y: y(value) + 4, "text-anchor": "end" }, signed(value)),
      ]),
      lines.map(([name, points]) =>
        svg("g", { class: `curve ${name}` }, svg("path", { d: pathOf(points.map((value, at) => [x(at), y(value)])) })),
      ),
    ),
    html(
      "p",
      { class: "legend" },
      totals.map(([name, words]) => html("span", { class: name }, words)),
    ),
  );
}
