/* The panel of a decision: the options, what each was worth, and which were chosen and played. */

import { html, replace } from "./dom.js";
import { nextDecision, valueOf } from "./model.js";
import { ARROWS } from "./table.js";
import { tileIcon } from "./tiles.js";
import { optionName, optionVerb, percent, signed, tileName } from "./words.js";

const SORTS = [
  ["expPt", "Points", "Expected score change until the end of the round"],
  ["horaProb", "Win", "Chance of winning this round"],
  ["unsafeProb", "Deal-in", "Chance that this discard deals in"],
  ["avgRank", "Place", "Expected placement at the end of the game"],
];
const LOW_IS_GOOD = new Set(["unsafeProb", "avgRank"]);
const whole = (points) => Math.round(points).toLocaleString("en-US");
const WHOLE_ROW = {
  expPt: ["Expected points", signed],
  avgRank: ["Expected placement", (value) => value.toFixed(3)],
  horaProb: ["Win probability", percent],
  avgHoraPt: ["Mean points of a win", whole],
  unsafeProb: ["Deal-in probability", percent],
  avgHojuPt: ["Mean points of a deal-in", whole],
  ryukyokuProb: ["Exhaustive draw probability", percent],
  ryukyokuAvgPt: ["Mean points at such a draw", signed],
  otherHoraProb: ["Others' win probability", percent],
  playedProb: ["Strong players who do it here", percent],
  shanten: ["Shanten (exchanges to tenpai)", String],
  ukeireKinds: ["Kinds of useful tiles", String],
  ukeireCount: ["Unseen useful tiles", String],
};

function tileRow(tiles) {
  return html(
    "span",
    { class: "tiles" },
    tiles.map((tile) => tileIcon(tile, tileName(tile))),
  );
}

/** The tiles of an option on one line, with the discard that follows after an arrow. */
function moveTiles(option) {
  const then = option.then ? ["\u2192", tileRow([option.then])] : [];
  return html("span", { class: "move" }, option.tiles.length ? tileRow(option.tiles) : [], then);
}

const named = (tiles) => tiles.split(" ").filter(Boolean);

function bar(share, kind, text) {
  const filled = html("span", { class: `bar-fill ${kind}` });
  filled.style.setProperty("--share", String(Math.min(Math.max(share, 0), 1)));
  return html(
    "span",
    { class: "bar" },
    html("span", { class: "bar-track", "aria-hidden": "true" }, filled),
    html("span", { class: "bar-text" }, text),
  );
}

function pointsBar(value, scale) {
  return bar(Math.abs(value) / scale, value < 0 ? "minus" : "plus", signed(value));
}

function cells(model, option, scale) {
  const points = valueOf(model, option, "expPt");
  const win = valueOf(model, option, "horaProb");
  const risk = valueOf(model, option, "unsafeProb");
  const rank = valueOf(model, option, "avgRank");
  return [
    html("td", {}, points === null ? "\u2013" : pointsBar(points, scale)),
    html("td", {}, win === null ? "\u2013" : bar(win, "win", percent(win))),
    html("td", {}, risk === null ? "\u2013" : bar(risk, "risk", percent(risk))),
    html("td", { class: "number" }, rank === null ? "\u2013" : rank.toFixed(2)),
  ];
}

function fullRow(model, option) {
  if (!option.row) return [];
  const pairs = Object.entries(WHOLE_ROW).flatMap(([column, [words, write]]) => {
    const value = valueOf(model, option, column);
    return value === null ? [] : [html("div", {}, html("dt", {}, words), html("dd", {}, write(value)))];
  });
  return html("dl", { class: "whole-row" }, pairs);
}

function explained(entry, rated, name) {
  const sample = entry.samples ? ` of ${entry.samples.toLocaleString("en-US")}` : "";
  const chance = entry.prob === null || entry.prob === undefined ? "" : ` \u2192 ${percent(entry.prob)}${sample}`;
  const judged = rated === null ? "" : `, estimated here ${percent(rated / 1000)}`;
  const path = entry.path.join("; ").replaceAll("<=", "\u2264").replaceAll(">=", "\u2265");
  return html("li", {}, html("b", {}, `${name}: `), `${path}${chance}${judged}`);
}

function explainList(model, option, own) {
  const entries = (option.explain ?? []).flatMap((entry, seat) =>
    entry === null
      ? []
      : [explained(model.texts[entry[0]], entry[1], `${ARROWS[(seat - own + 4) % 4]} ${model.names[seat]}`)],
  );
  return entries.length
    ? [
        html("h3", {}, "Danger, opponent by opponent (cases in game records \u2192 share of deal-ins)"),
        html("ul", { class: "reasons" }, entries),
      ]
    : [];
}

function goalItem(goal, share) {
  const notes = [
    share === null ? "" : percent(share / 10000),
    goal.points === null ? "" : `${signed(goal.points)} points`,
    goal.yaku,
  ];
  return html("li", {}, tileRow(named(goal.tiles)), html("span", {}, notes.filter(Boolean).join(" \u00B7 ")));
}

function goalList(model, option) {
  const goals = (option.goals ?? []).map(([number, share]) => goalItem(model.texts[number], share));
  return goals.length
    ? [html("h3", {}, "Most frequent winning hands (chance, mean points, yaku)"), html("ul", { class: "goals" }, goals)]
    : [];
}

function outcomeBars(model, option) {
  if (!option.outcome) return [];
  const [axis, ...chances] = option.outcome;
  const possible = (chance) => chance > 0;
  const outcome = model.texts[axis]
    .map((points, at) => [points, chances[at] / 1000])
    .slice(chances.findIndex(possible), chances.findLastIndex(possible) + 1);
  const most = Math.max(...outcome.map(([, chance]) => chance));
  const lines = outcome.map(([points, chance]) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, signed(points)),
      html("td", {}, bar(chance / most, points < 0 ? "minus" : points > 0 ? "plus" : "even", percent(chance))),
    ),
  );
  return [
    html("h3", {}, "Score change of this player in the round, to the nearest value"),
    html("table", { class: "outcome" }, html("tbody", {}, lines)),
  ];
}

function usefulTiles(model, option) {
  if (option.useful === undefined) return [];
  const tiles = named(model.texts[option.useful]);
  return [
    html("h3", {}, "Useful tiles: they bring the hand closer to a win"),
    tiles.length ? tileRow(tiles) : html("p", {}, "none"),
  ];
}

function details(model, option, own) {
  const note = option.note ? [html("p", { class: "note" }, option.note)] : [];
  return [
    note,
    fullRow(model, option),
    usefulTiles(model, option),
    explainList(model, option, own),
    goalList(model, option),
    outcomeBars(model, option),
  ].flat();
}

/** Describe in a sentence or two what was best, by how much, and what was played. */
function verdict(model, decision) {
  const points = decision.options.map((option) => valueOf(model, option, "expPt"));
  const best = points[decision.chosen] ?? null;
  if (best === null) return null;
  const others = points.filter((value, number) => value !== null && number !== decision.chosen);
  const ahead = others.length ? best - Math.max(...others) : 0;
  const lead = ahead >= 1 ? `, ${whole(ahead)} more than the next best` : "";
  const words = [`\u2605 ${optionName(decision.options[decision.chosen])}: ${signed(best)} expected points${lead}.`];
  if (decision.played === decision.chosen) words.push("\u2713 It was played.");
  else if (decision.played !== null) {
    const value = points[decision.played];
    const less = value !== null && best - value >= 1 ? `, ${whole(best - value)} less` : "";
    words.push(`\u2713 Played: ${optionName(decision.options[decision.played])}${less}.`);
  }
  return html("p", { class: "verdict" }, words.join(" "));
}

function marks(decision, number) {
  const found = [];
  if (decision.chosen === number) found.push(html("span", { class: "badge chosen" }, "\u2605 best"));
  if (decision.played === number) found.push(html("span", { class: "badge played" }, "\u2713 played"));
  return found;
}

function optionRows(model, decision, number, open, scale, own, toggle) {
  const option = decision.options[number];
  const hasMore = option.row !== null || option.useful !== undefined;
  const id = `whole-row-${number}`;
  const button = html(
    "button",
    {
      type: "button",
      class: "option-button",
      "aria-expanded": hasMore ? String(open) : null,
      "aria-controls": open ? id : null,
      disabled: !hasMore,
      "aria-label": `${optionName(option)}${hasMore ? ", all numbers" : ""}`,
    },
    html("span", { class: option.kind === "discard" ? "verb usual" : "verb" }, optionVerb(option)),
    option.tiles.length || option.then ? moveTiles(option) : [],
  );
  button.addEventListener("click", () => toggle(number));
  const classes = [decision.chosen === number ? "is-chosen" : "", decision.played === number ? "is-played" : ""]
    .join(" ")
    .trim();
  const row = html(
    "tr",
    { class: classes || null, "data-option": number },
    html("th", { scope: "row" }, button, marks(decision, number)),
    cells(model, option, scale),
  );
  if (!open) return [row];
  return [row, html("tr", { class: "more", id }, html("td", { colspan: 5 }, details(model, option, own)))];
}

function sortedNumbers(model, decision, column) {
  const numbers = decision.options.map((_, number) => number);
  if (!decision.options.some((option) => valueOf(model, option, column) !== null)) return numbers;
  const sign = LOW_IS_GOOD.has(column) ? 1 : -1;
  const worth = (number) => valueOf(model, decision.options[number], column) ?? -sign * Infinity;
  return numbers.toSorted((a, b) => (worth(a) === worth(b) ? a - b : sign * (worth(a) - worth(b))));
}

/** Make the panel; the returned function shows a decision of a seat, or that there is none. */
export function makeOptions(model, panel, go) {
  let column = null;
  let open = new Set();
  let shown = null;
  let own = 0;
  let at = 0;

  function head() {
    const titles = SORTS.map(([name, words, meaning]) => {
      const sorted = column === name ? (LOW_IS_GOOD.has(name) ? "ascending" : "descending") : null;
      const button = html("button", { type: "button", class: "sort", title: `${meaning}; sorts` }, words);
      button.addEventListener("click", () => {
        column = column === name ? null : name;
        draw();
      });
      return html("th", { scope: "col", "aria-sort": sorted }, button);
    });
    return html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "Option"), titles));
  }

  function toggle(number) {
    if (open.has(number)) open.delete(number);
    else open.add(number);
    draw();
    panel.querySelector(`[data-option="${number}"] button`)?.focus();
  }

  function footer() {
    const facts = [];
    if (shown.trials) facts.push(`${shown.trials.toLocaleString("en-US")} Monte Carlo draws`);
    if (shown.ms !== null) facts.push(`${shown.ms.toFixed(1)} ms`);
    if (shown.seed !== null) facts.push(`seed ${shown.seed}`);
    if (shown.fold !== null) {
      const [chance, loss] = shown.fold;
      facts.push(
        `folding (only the safest tiles from here on) deals in with ${percent(chance)} and costs ${whole(chance * loss)} points`,
      );
    }
    const log = shown.log
      ? html("details", {}, html("summary", {}, "Text in the log"), html("pre", { tabindex: 0 }, shown.log))
      : null;
    return [facts.length ? html("p", { class: "note" }, facts.join(" \u00B7 ")) : null, log].filter(Boolean);
  }

  function nothingHere() {
    const next = nextDecision(model, own, at, 1);
    const words = `${model.names[own]} has nothing to decide here. At a decision, all options are listed with their chances.`;
    const button = html("button", { type: "button" }, `Next decision of ${model.names[own]}`);
    button.addEventListener("click", () => go(next));
    return [html("p", { class: "note" }, words), next > at ? html("p", {}, button) : null];
  }

  function draw() {
    if (!shown) {
      replace(panel, nothingHere());
      return;
    }
    const points = shown.options.map((option) => Math.abs(valueOf(model, option, "expPt") ?? 0));
    const scale = Math.max(1, ...points);
    const numbers = column === null ? shown.options.map((_, number) => number) : sortedNumbers(model, shown, column);
    const rows = numbers.flatMap((number) => optionRows(model, shown, number, open.has(number), scale, own, toggle));
    const estimated = shown.options.some((option) => option.row !== null);
    const hint = estimated
      ? null
      : html(
          "p",
          { class: "note" },
          "The log has no numbers for this decision. The command \u201Cmanue review\u201D adds them.",
        );
    replace(
      panel,
      verdict(model, shown),
      html(
        "div",
        { class: "scroll" },
        html(
          "table",
          { class: "options" },
          html("caption", { class: "unseen" }, "Options of this decision"),
          head(),
          html("tbody", {}, rows),
        ),
      ),
      hint,
      footer(),
    );
  }

  return (decision, seat, frame) => {
    if (decision !== shown) open = new Set();
    shown = decision;
    own = seat;
    at = frame;
    draw();
  };
}
