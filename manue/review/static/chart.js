/* Win probability, deal-in probability and expected placement over one round; a click goes to that moment. */

import { html, pathOf, replace, svg } from "./dom.js";
import { listed, text } from "./language.js";
import { chancesOf, roundAt, valueOf } from "./model.js";
import { percent, placeWords, roundLabel } from "./words.js";

export const CHART_WIDTH = 480;
export const CHART_HEIGHT = 130;
const PAD = { left: 56, right: 24, top: 12, bottom: 14 };
const endingIn = (kind) => (model, option) => chancesOf(model, option)?.find(([name]) => name === kind)?.[1] ?? null;
const riskOf = (model, option) => valueOf(model, option, "unsafeProb");
const rankOf = (model, option) => valueOf(model, option, "avgRank");
/** What is drawn: its number as the panel of the decision has it, class, texts of legend and dot, height, writing. */
const LINES = [
  [endingIn("win"), "win", "chart.win", "chance.win", (value) => value, percent],
  [riskOf, "risk", "chart.risk", "chance.now", (value) => value, percent],
  [rankOf, "rank", "chart.rank", "column.place.title", (value) => (4 - value) / 3, placeWords],
];

function shownOption(decision) {
  const played = decision.options[decision.played];
  return played?.row ? played : decision.options[decision.chosen];
}

function pointsOf(model, seat, round, read, height) {
  return model.decisions[seat]
    .filter((decision) => decision.at >= round.start && decision.at <= round.end)
    .flatMap((decision) => {
      const value = read(model, shownOption(decision));
      return value === null ? [] : [{ at: decision.at, value, share: height(value) }];
    });
}

function axes(place, ranked) {
  const lines = [0, 0.25, 0.5, 0.75, 1].map((share) =>
    svg("line", { x1: PAD.left, x2: CHART_WIDTH - PAD.right, y1: place.y(share), y2: place.y(share), class: "grid" }),
  );
  const left = [0, 0.5, 1].map((share) =>
    svg("text", { x: PAD.left - 6, y: place.y(share) + 4, "text-anchor": "end" }, `${100 * share} %`),
  );
  const right = [1, 2, 3, 4].map((rank) =>
    svg("text", { x: CHART_WIDTH - PAD.right + 6, y: place.y((4 - rank) / 3) + 4 }, String(rank)),
  );
  return [lines, left, ranked ? right : []];
}

function curve([read, kind, , words, height, write], model, seat, round, place) {
  const points = pointsOf(model, seat, round, read, height);
  if (points.length < 2) return null;
  const path = pathOf(points.map((point) => [place.x(point.at), place.y(point.share)]));
  const dots = points.map((point) =>
    svg(
      "circle",
      { cx: place.x(point.at), cy: place.y(point.share), r: 2.6 },
      svg("title", {}, `${text(words)} ${write(point.value)}`),
    ),
  );
  return svg("g", { class: `curve ${kind}` }, svg("path", { d: path }), dots);
}

/** Make the chart; `go(frame)` is called on a click, `update(at, seat)` redraws. */
export function makeChart(model, holder, go) {
  const drawing = svg("svg", { viewBox: `0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`, class: "chart", role: "img" });
  const cursor = svg("line", { y1: PAD.top, y2: CHART_HEIGHT - PAD.bottom, class: "cursor" });
  const legend = html("p", { class: "legend" });
  replace(holder, html("h2", {}, text("page.chart")), drawing, legend);
  let drawn = null;
  let round = model.rounds[0];
  const place = {
    x: (at) =>
      PAD.left + ((CHART_WIDTH - PAD.left - PAD.right) * (at - round.start)) / Math.max(1, round.end - round.start),
    y: (share) => CHART_HEIGHT - PAD.bottom - share * (CHART_HEIGHT - PAD.top - PAD.bottom),
  };
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const x = ((event.clientX - box.left) * CHART_WIDTH) / box.width;
    const share = (x - PAD.left) / (CHART_WIDTH - PAD.left - PAD.right);
    go(round.start + Math.round(Math.min(Math.max(share, 0), 1) * (round.end - round.start)));
  });

  return (at, seat) => {
    const number = roundAt(model, at);
    round = model.rounds[number];
    if (drawn !== `${number} ${seat}`) {
      drawn = `${number} ${seat}`;
      const lines = LINES.map((line) => ({ line, curve: curve(line, model, seat, round, place) }));
      const present = lines.filter((entry) => entry.curve);
      const words = present.map(({ line }) => text(line[2]));
      holder.hidden = present.length === 0;
      const label = { lines: listed(words), name: model.names[seat], round: roundLabel(round) };
      drawing.setAttribute("aria-label", text("chart.label", label));
      replace(
        drawing,
        axes(
          place,
          present.some(({ line }) => line[1] === "rank"),
        ),
        present.map((entry) => entry.curve),
        cursor,
      );
      replace(
        legend,
        present.map(({ line }) => html("span", { class: line[1] }, text(line[2]))),
      );
    }
    cursor.setAttribute("x1", place.x(at));
    cursor.setAttribute("x2", place.x(at));
  };
}
