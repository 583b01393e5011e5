/* The panel of a decision: the options, what each was worth, and which were chosen and played. */

import { html, replace } from "./dom.js";
import { listed, text } from "./language.js";
import { chancesOf, mortalChoice, nextDecision, valueOf } from "./model.js";
import { dangerList } from "./reasons.js";
import { rolloutNotes } from "./rollouts.js";
import { tileRow, tilesIn } from "./tiles.js";
import { whyBest } from "./why.js";
import { noteWords, optionName, optionVerb, percent, placeWords, shortName, signed, whole, yakuName } from "./words.js";

const winOf = (model, option) => chancesOf(model, option)?.[0][1] ?? null;
const numberOf = (column) => (model, option) => valueOf(model, option, column);
/** Columns in which the panel can be sorted: heading, title, its number, and whether low is good. */
const SORTS = {
  value: ["column.value", "column.value.title", numberOf("gap"), false],
  win: ["chance.win", "column.chances.title", winOf, false],
  risk: ["chance.now", "row.unsafeProb", numberOf("unsafeProb"), true],
  points: ["column.points", "column.points.title", numberOf("expPt"), false],
  place: ["column.place", "column.place.title", numberOf("avgRank"), true],
};
const COLUMNS = [["value"], ["win", "risk"], ["points"], ["place"]];
/** What stands in place of these where an agent estimates neither values nor chances. */
const COUNTED = ["shanten", "ukeireKinds", "ukeireCount", "unsafeProb"];
const WHOLE_ROW = {
  gap: signed,
  habit: signed,
  expPt: signed,
  avgRank: (value) => value.toFixed(3),
  horaProb: percent,
  avgHoraPt: whole,
  unsafeProb: percent,
  avgHojuPt: whole,
  ryukyokuProb: percent,
  ryukyokuAvgPt: signed,
  otherHoraProb: percent,
  hojuLaterProb: percent,
  playedProb: percent,
  shanten: String,
  ukeireKinds: String,
  ukeireCount: String,
};
const CHANCES = ["win", "now", "later", "others", "draw"];

/** The tiles of an option on one line, with the discard that follows after an arrow. */
export function moveTiles(option) {
  const then = option.then ? ["\u2192", tileRow([option.then])] : [];
  return html("span", { class: "move" }, option.tiles.length ? tileRow(option.tiles) : [], then);
}

const isKnown = (model, decision, read) => decision.options.some((option) => read(model, option) !== null);
const ESTIMATES = [chancesOf, numberOf("gap"), numberOf("expPt"), numberOf("avgRank")];
const isEstimated = (model, decision) => ESTIMATES.some((read) => isKnown(model, decision, read));

/** The columns of a decision: the usual ones, else what is counted and known. */
function columnsOf(model, decision) {
  if (isEstimated(model, decision)) return COLUMNS;
  return COUNTED.filter((column) => isKnown(model, decision, numberOf(column)));
}

function filled(share, kind) {
  const part = html("span", { class: `bar-fill ${kind}` });
  part.style.setProperty("--share", String(Math.min(Math.max(share, 0), 1)));
  return part;
}

function bar(share, kind, words) {
  return html(
    "span",
    { class: "bar" },
    html("span", { class: "bar-track", "aria-hidden": "true" }, filled(share, kind)),
    html("span", { class: "bar-text" }, words),
  );
}

/** How far an option is behind the best: solid by value, hatched by habit. */
function gapBar(model, option, scale) {
  const gap = valueOf(model, option, "gap");
  if (gap === null) return "\u2013";
  const habit = Math.min(Math.max(-(valueOf(model, option, "habit") ?? 0), 0), Math.max(-gap, 0));
  return html(
    "span",
    { class: "bar" },
    html(
      "span",
      { class: "bar-track", "aria-hidden": "true" },
      -gap > habit ? filled((-gap - habit) / scale, "minus") : null,
      habit > 0 ? filled(habit / scale, "habit") : null,
    ),
    html("span", { class: "bar-text" }, signed(gap)),
  );
}

/** The parts of a bar as one background: an element for each part of every option would slow each step down. */
function stripes(chances) {
  let end = 0;
  const stops = chances.map(([kind, part]) => {
    const start = end;
    end += 100 * part;
    return `var(--${kind.split(".")[0]}-part) ${start}% ${end}%`;
  });
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/** How the round ends, as one bar of parts that add up to 100 %. */
function chanceBar(model, option) {
  const chances = chancesOf(model, option);
  if (!chances) return "\u2013";
  const share = (kind) => chances.find(([name]) => name === kind)?.[1] ?? 0;
  const words = chances.map(([kind, part]) => `${text(`chance.${kind}`)} ${percent(part)}`);
  const track = html("span", {
    class: "bar-track",
    role: "img",
    "aria-label": listed(words),
    title: words.join("\n"),
  });
  track.style.background = stripes(chances);
  return html(
    "span",
    { class: "chances" },
    track,
    html(
      "span",
      { class: "bar-text" },
      html("span", { class: "of-win" }, percent(share("win"))),
      html("span", { class: "of-now" }, percent(share("now"))),
    ),
  );
}

/** Why an option has no numbers where others have. */
function unweighed(option, width) {
  const words = option.tiles[0]?.length === 3 ? text("unweighed.red") : text("unweighed.other");
  return [html("td", { colspan: width, class: "note" }, words)];
}

/** The cells of an option of which nothing is estimated. */
function countedCells(model, option, columns) {
  return columns.map((column) => {
    const value = valueOf(model, option, column);
    return html("td", { class: "number" }, value === null ? "\u2013" : WHOLE_ROW[column](value));
  });
}

function estimatedCells(model, option, scale) {
  const points = valueOf(model, option, "expPt");
  const rank = valueOf(model, option, "avgRank");
  return [
    html("td", { class: "gap" }, gapBar(model, option, scale)),
    html("td", { class: "ends" }, chanceBar(model, option)),
    html("td", { class: "number points" }, points === null ? "\u2013" : signed(points)),
    html("td", { class: "number" }, rank === null ? "\u2013" : placeWords(rank)),
  ];
}

/** Every number of an option, beside those of another: what if it had been chosen instead. */
function wholeRows(model, option, other) {
  const lines = Object.entries(WHOLE_ROW).flatMap(([column, write]) => {
    const values = [option, other].map((one) => (one ? valueOf(model, one, column) : null));
    if (values[0] === null) return [];
    const cell = (value) => html("td", { class: "number" }, value === null ? "\u2013" : write(value));
    const row = [html("th", { scope: "row" }, text(`row.${column}`)), cell(values[0])];
    return [html("tr", {}, row, other ? cell(values[1]) : [])];
  });
  const heads = other ? [optionName(option), optionName(other)] : [];
  return html(
    "table",
    { class: "whole-row" },
    html("caption", { class: "unseen" }, text("detail.all", { option: optionName(option) })),
    heads.length
      ? html(
          "thead",
          {},
          html(
            "tr",
            {},
            html("td", {}, text("whatif.title")),
            heads.map((head) => html("th", { scope: "col" }, head)),
          ),
        )
      : null,
    html("tbody", {}, lines),
  );
}

function goalItem(goal, share) {
  const notes = [
    share === null ? "" : percent(share / 10000),
    goal.points === null ? "" : text("detail.points", { n: signed(goal.points) }),
    listed(goal.yaku.map(([name, han]) => yakuName(name, han))),
  ];
  return html("li", {}, tileRow(tilesIn(goal.tiles)), html("span", {}, notes.filter(Boolean).join(" \u00B7 ")));
}

function hands(model, option) {
  return (option?.goals ?? []).map(([goal, share]) => goalItem(model.texts[goal], share));
}

/** The hands that an option most often wins with, above those of the other one. */
function goalList(model, option, other) {
  const own = hands(model, option);
  const others = hands(model, other);
  if (!own.length) return [];
  const list = (items) => html("ul", { class: "goals" }, items);
  const beside = others.length ? [html("h4", {}, optionName(other)), list(others)] : [];
  return [html("h3", {}, text("detail.hands")), list(own), beside];
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
  return [html("h3", {}, text("detail.outcome")), html("table", { class: "outcome" }, html("tbody", {}, lines))];
}

function usefulTiles(model, option) {
  if (option.useful === undefined) return [];
  const tiles = tilesIn(model.texts[option.useful]);
  return [html("h3", {}, text("detail.useful")), tiles.length ? tileRow(tiles) : html("p", {}, text("tile.none"))];
}

function noteText(option) {
  if (!option.note) return [];
  return [html("p", { class: "note" }, noteWords(option.note))];
}

/** The option that an opened one stands beside: the one played, or the best if that is opened itself. */
function besideOf(decision, at) {
  const other = decision.played !== null && decision.played !== at ? decision.played : decision.chosen;
  return other === at || other === null ? null : decision.options[other];
}

/** What Mortal would have done, where the log has its values. */
function mortalNote(decision) {
  const option = decision.options[mortalChoice(decision)];
  return option ? html("p", { class: "note mortal" }, text("mortal.choice", { option: optionName(option) })) : null;
}

function mortalValue({ mortal }, at) {
  const value = mortal?.[at] ?? null;
  return value === null ? [] : [html("p", { class: "note" }, text("mortal.value", { n: value }))];
}

function details(model, decision, at, own) {
  const option = decision.options[at];
  const other = besideOf(decision, at);
  return [
    noteText(option),
    mortalValue(decision, at),
    option.row ? wholeRows(model, option, other) : [],
    usefulTiles(model, option),
    dangerList(model, option, own),
    goalList(model, option, other),
    outcomeBars(model, option),
  ].flat(2);
}

function marks(decision, at) {
  const found = [];
  if (decision.chosen === at) found.push(html("span", { class: "badge chosen" }, text("mark.best")));
  if (decision.played === at) found.push(html("span", { class: "badge played" }, text("mark.played")));
  if (decision.answer === at) found.push(html("span", { class: "badge yours" }, text("mark.yours")));
  if (mortalChoice(decision) === at) found.push(html("span", { class: "badge" }, text("mark.mortal")));
  return found;
}

function cells(model, decision, option, scale) {
  const columns = columnsOf(model, decision);
  if (option.row === null && columns.length) return unweighed(option, columns.length);
  return columns === COLUMNS ? estimatedCells(model, option, scale) : countedCells(model, option, columns);
}

function optionRows(model, decision, at, open, scale, own, toggle) {
  const option = decision.options[at];
  const hasMore = option.row !== null || option.useful !== undefined;
  const id = `whole-row-${at}`;
  const name = optionName(option);
  const button = html(
    "button",
    {
      type: "button",
      class: "option-button",
      "aria-expanded": hasMore ? String(open) : null,
      "aria-controls": open ? id : null,
      disabled: !hasMore,
      "aria-label": hasMore ? text("detail.all", { option: name }) : name,
    },
    html("span", { class: option.kind === "discard" ? "verb usual" : "verb" }, optionVerb(option)),
    option.tiles.length || option.then ? moveTiles(option) : [],
  );
  button.addEventListener("click", () => toggle(at));
  const classes = [decision.chosen === at && "is-chosen", decision.played === at && "is-played"].filter(Boolean);
  const row = html(
    "tr",
    { class: classes.join(" ") || null, "data-option": at },
    html("th", { scope: "row" }, button, marks(decision, at)),
    cells(model, decision, option, scale),
  );
  if (!open) return [row];
  return [
    row,
    html(
      "tr",
      { class: "more", id },
      html("td", { colspan: 1 + columnsOf(model, decision).length }, details(model, decision, at, own)),
    ),
  ];
}

/** Whether a column has numbers to sort by, and is shown. */
function sorts(model, decision, column) {
  return isEstimated(model, decision) && isKnown(model, decision, SORTS[column][2]);
}

function sortedNumbers(model, decision, column) {
  const numbers = decision.options.map((_, at) => at);
  if (column === null || !sorts(model, decision, column)) return numbers;
  const [, , read, low] = SORTS[column];
  const sign = low ? 1 : -1;
  // what is unknown comes last either way
  const worth = (at) => read(model, decision.options[at]) ?? Infinity * sign;
  return numbers.toSorted((a, b) => (worth(a) === worth(b) ? a - b : sign * (worth(a) - worth(b))));
}

function chanceLegend() {
  return html(
    "p",
    { class: "legend chance-legend" },
    CHANCES.map((kind) => html("span", { class: kind }, text(`chance.${kind}`))),
  );
}

/** Why there are no numbers: the agent that judged has none, or nobody judged. */
function noNumbers({ chosen }) {
  return text(chosen === null ? "column.none" : "column.none.agent");
}

/** Make the panel; the returned function shows a decision of a seat, or that there is none. */
export function makeOptions(model, panel, go) {
  let column = null;
  let open = new Set();
  let shown = null;
  let own = 0;
  let at = 0;

  function sortButton(name) {
    const [heading, title] = SORTS[name];
    const label = text("column.sorts", { title: text(title) });
    const button = html("button", { type: "button", class: "sort", title: label, "data-sort": name }, text(heading));
    button.addEventListener("click", () => {
      column = column === name ? null : name;
      draw();
      panel.querySelector(`[data-sort="${name}"]`)?.focus();
    });
    return button;
  }

  function sortHeads() {
    return COLUMNS.map((names) => {
      const active = names.includes(column) && sorts(model, shown, column);
      const sorted = active ? (SORTS[column][3] ? "ascending" : "descending") : null;
      return html("th", { scope: "col", "aria-sort": sorted }, names.map(sortButton));
    });
  }

  function head() {
    const columns = columnsOf(model, shown);
    const counted = () => columns.map((name) => html("th", { scope: "col" }, text(`row.${name}`)));
    const titles = columns === COLUMNS ? sortHeads() : counted();
    return html("thead", {}, html("tr", {}, html("th", { scope: "col" }, text("column.option")), titles));
  }

  function toggle(place) {
    if (open.has(place)) open.delete(place);
    else open.add(place);
    draw();
    panel.querySelector(`[data-option="${place}"] button`)?.focus();
  }

  function footer() {
    const facts = [];
    if (shown.trials) facts.push(text("foot.draws", { n: whole(shown.trials) }));
    if (shown.ms >= 0.05) facts.push(text("foot.ms", { n: shown.ms.toFixed(1) }));
    if (shown.seed !== null) facts.push(text("foot.seed", { n: shown.seed }));
    if (shown.fold !== null) {
      const [chance, loss] = shown.fold;
      facts.push(text("foot.fold", { chance: percent(chance), points: whole(chance * loss) }));
    }
    const log = shown.log
      ? html("details", {}, html("summary", {}, text("foot.log")), html("pre", { tabindex: 0 }, shown.log))
      : null;
    return [facts.length ? html("p", { class: "note" }, facts.join(" \u00B7 ")) : null, log].filter(Boolean);
  }

  function nothingHere() {
    const next = nextDecision(model, own, at, 1);
    const name = model.names[own];
    const button = html("button", { type: "button", title: name }, text("nothing.next", { name: shortName(name) }));
    button.addEventListener("click", () => go(next));
    return [
      html("p", { class: "note", title: name }, text("nothing.here", { name: shortName(name) })),
      next > at ? html("p", {}, button) : null,
    ];
  }

  function draw() {
    if (!shown) {
      replace(panel, nothingHere());
      return;
    }
    const gaps = shown.options.map((option) => -(valueOf(model, option, "gap") ?? 0));
    const scale = Math.max(1, ...gaps);
    const numbers = sortedNumbers(model, shown, column);
    const rows = numbers.flatMap((number) => optionRows(model, shown, number, open.has(number), scale, own, toggle));
    const why = whyBest(model, shown);
    replace(
      panel,
      why ? html("p", { class: "verdict" }, why) : null,
      rolloutNotes(shown),
      mortalNote(shown),
      html(
        "div",
        { class: "scroll" },
        html(
          "table",
          { class: columnsOf(model, shown) === COLUMNS ? "options" : "options counted" },
          html("caption", { class: "unseen" }, text("caption.options")),
          head(),
          html("tbody", {}, rows),
        ),
      ),
      isKnown(model, shown, chancesOf) ? chanceLegend() : null,
      columnsOf(model, shown).length ? null : html("p", { class: "note" }, noNumbers(shown)),
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
