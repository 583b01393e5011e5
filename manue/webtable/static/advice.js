/* Help with a choice, and judgements after it. */

import { html, replace } from "../review/dom.js";
import { gapByValue } from "../review/model.js";
import { makeOptions } from "../review/options.js";
import { ARROWS } from "../review/table.js";
import { kindOf, tileRow } from "../review/tiles.js";
import { noteWords, optionName, percent, percentPoints, placeWords, signed, whole } from "../review/words.js";
import { listed, text } from "../review/language.js";
import { isDeclined, isHabit, placeOf, shareOf, TINY } from "../review/why.js";

const total = (useful) => useful.reduce((sum, [, copies]) => sum + copies, 0);

function shantenWords(number) {
  if (number < 0) return text("sit.complete");
  return number === 0 ? text("sit.tenpai") : text("sit.shanten", { n: number });
}

function usefulWords(useful) {
  return useful.length ? text("sit.useful", { kinds: useful.length, copies: total(useful) }) : text("sit.useful.none");
}

/** How far a hand is, now or after a discard. */
function handWords(key, { shanten, useful }) {
  return text(key, { shanten: shantenWords(shanten), useful: usefulWords(useful) });
}

// ---- what stands below each tile of the hand

function tilesCaption(tiles, kind) {
  const found = tiles.discards?.[kind];
  if (!found) return null;
  const least = Math.min(...Object.values(tiles.discards).map(({ shanten }) => shanten));
  const words = handWords("sit.hand.after", found);
  if (found.shanten > least) return { short: "\u2013", words, kind: "behind" };
  const most = Math.max(
    ...Object.values(tiles.discards).map(({ shanten, useful }) => (shanten === least ? total(useful) : 0)),
  );
  const copies = total(found.useful);
  return { short: String(copies), words, kind: copies === most ? "best" : "" };
}

function dangerCaption(danger, kind) {
  const found = danger.kinds[kind];
  if (!found) return null;
  const level = found.total < 0.01 ? "safe" : found.total < 0.05 ? "" : "risky";
  return {
    short: `${Math.round(100 * found.total)}%`,
    words: `${text("sit.head.danger")} ${percent(found.total)}`,
    kind: level,
  };
}

/** Points in the room below a tile: "\u2212310", "\u22122k". */
function shortPoints(points) {
  return Math.abs(points) < 1000 ? signed(points) : `${signed(points / 1000)}k`;
}

function opinionCaption(opinion, tile, riichi) {
  const { options, chosen } = opinion.decision;
  const isThis = ({ kind, tiles, then }) =>
    riichi ? kind === "riichi" && then === tile : kind === "discard" && tiles[0] === tile;
  if (isThis(options[chosen])) return { short: "\u2605", words: "\u2605", kind: "best" };
  const option = options.find(isThis);
  const gap = option ? gapByValue(opinion, option) : null;
  if (gap === null) return null;
  const words = text("sit.figure.points", { change: signed(gap), n: whole(Math.abs(gap)) });
  return { short: shortPoints(gap), words, kind: "" };
}

/** The line below a tile, to be discarded with riichi or not: short for the eye, in words for those who listen; or null. */
export function captionOf(hint, tile, riichi) {
  if (!hint) return null;
  const kind = kindOf(tile);
  if (hint.opinion) return opinionCaption(hint.opinion, tile, riichi);
  if (hint.tiles) return tilesCaption(hint.tiles, kind);
  return hint.danger ? dangerCaption(hint.danger, kind) : null;
}

// ---- the panel of help

/** A table; a heading is a text, or a sign and the name to be read for it. */
function table(heads, rows) {
  const pairs = heads.map((head) => (Array.isArray(head) ? head : [head, null]));
  const cells = pairs.map(([shown, name]) => html("th", { scope: "col", title: name, "aria-label": name }, shown));
  return html(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": listed(pairs.map(([shown, name]) => name ?? shown)) },
    html("table", { class: "advice" }, html("thead", {}, html("tr", {}, cells)), html("tbody", {}, rows)),
  );
}

function row(kind, ...cells) {
  return html(
    "tr",
    {},
    html("th", { scope: "row" }, tileRow([kind])),
    cells.map((cell) => html("td", {}, cell)),
  );
}

function tilesPanel(tiles) {
  if (!tiles.discards) {
    return [html("p", {}, handWords("sit.hand.now", tiles)), tileRow(tiles.useful.map(([kind]) => kind))];
  }
  const found = Object.entries(tiles.discards).sort(
    ([, one], [, two]) => one.shanten - two.shanten || total(two.useful) - total(one.useful),
  );
  const rows = found.map(([kind, { shanten, useful }]) =>
    row(kind, shantenWords(shanten), [
      html("span", { class: "copies" }, usefulWords(useful)),
      " ",
      tileRow(useful.map(([one]) => one)),
    ]),
  );
  return table([text("sit.head.discard"), text("sit.head.shanten"), text("sit.head.useful")], rows);
}

function opponents(seat) {
  return [1, 2, 3].map((step) => [(seat + step) % 4, ARROWS[step]]);
}

function dangerPanel(danger, { seat, names }) {
  const chances = opponents(seat).map(([other, arrow]) => `${arrow} ${names[other]} ${percent(danger.tenpai[other])}`);
  const found = Object.entries(danger.kinds).sort(([, one], [, two]) => one.total - two.total);
  const rows = found.map(([kind, { total: chance, seats }]) =>
    row(kind, percent(chance), ...opponents(seat).map(([other]) => percent(seats[other]))),
  );
  return [
    html("p", {}, text("sit.tenpai.of", { chances: chances.join(" \u00B7 ") })),
    table(
      [
        text("sit.head.discard"),
        text("sit.head.danger"),
        ...opponents(seat).map(([other, arrow]) => [arrow, names[other]]),
      ],
      rows,
    ),
  ];
}

function opinionPanel(opinion, game) {
  const panel = html("div", { class: "opinion" });
  const model = { names: game.names, columns: opinion.columns, texts: opinion.texts, decisions: [[], [], [], []] };
  makeOptions(model, panel, () => {})(opinion.decision, game.seat, 0);
  return panel;
}

let shownHint = null;

/** Show the help with the choice that is asked for; what is shown already stays as it was left. */
export function showHint(panel, hint, game) {
  if (hint && hint === shownHint) return;
  shownHint = hint;
  const parts = [];
  if (hint?.opinion) parts.push(opinionPanel(hint.opinion, game));
  else if (hint?.tiles) parts.push(tilesPanel(hint.tiles));
  else if (hint?.danger) parts.push(dangerPanel(hint.danger, game));
  replace(panel, parts);
  panel.hidden = parts.length === 0;
}

// ---- the coach

const changed = (value, write) => (value > 0 ? `+${write(value)}` : `\u2212${write(-value)}`);
const share = (kind) => (opinion, option) => shareOf(opinion, option, kind);
/** What options differ in: the key of its text, its number, how it is written, and what is worth a word. */
const FIGURES = [
  ["sit.figure.points", gapByValue, whole, 1],
  ["sit.figure.win", share("win"), percentPoints, 0.005],
  ["sit.figure.deal", share("now"), percentPoints, 0.005],
  ["sit.figure.place", placeOf, placeWords, 0.01],
];

/** What the best option has more, or less, than the one that was played: at most three figures. */
function figures(opinion, best, played) {
  return FIGURES.flatMap(([key, number, write, least]) => {
    const [one, two] = [number(opinion, best), number(opinion, played)];
    if (one === null || two === null || Math.abs(one - two) < least - TINY) return [];
    return [text(key, { change: changed(one - two, write), n: write(Math.abs(one - two)) })];
  }).slice(0, 3);
}

/** The name of what was chosen; the discard after a call is a choice that is still to come. */
function choiceName(option) {
  return optionName(option.kind === "riichi" ? option : { ...option, then: null });
}

/** Why the best option is not the one that was played. */
function difference(opinion) {
  const { options, chosen, played } = opinion.decision;
  const best = options[chosen];
  const found = figures(opinion, best, options[played]);
  const words = { choice: choiceName(options[played]), best: optionName(best), figures: listed(found) };
  if (isDeclined(best)) return text("sit.coach.note", { ...words, note: noteWords(best.note) });
  const why = isHabit(opinion, options[played]) ? "habit" : "differs";
  return text(`sit.coach.${why}${found.length ? "" : ".only"}`, words);
}

function judgement({ opinion, agrees }) {
  const { options, played } = opinion.decision;
  if (!agrees) return html("p", { class: "judgement other" }, difference(opinion));
  return html("p", { class: "judgement same" }, text("sit.coach.agrees", { choice: choiceName(options[played]) }));
}

let shownJudged = null;

/** The list of judgements, and where all options of the latest stand; a list made anew would not be read out. */
function partsOf(panel) {
  if (!panel.childElementCount) {
    const list = { class: "judgements", role: "log", tabindex: 0, "aria-label": text("sit.coach") };
    replace(panel, html("h2", {}, text("sit.coach")), html("div", list), html("div"));
  }
  return [...panel.children].slice(1);
}

/** Show the judgements of the round, the latest first, with all options of the latest below. */
export function showJudged(panel, judged, game) {
  panel.hidden = game.level !== "coach";
  const before = shownJudged ?? [];
  const goesOn = before.every((one, at) => one === judged[at]);
  if (panel.hidden || (shownJudged && goesOn && before.length === judged.length)) return;
  const [list, more] = partsOf(panel);
  const added = judged
    .slice(goesOn ? before.length : 0)
    .toReversed()
    .map(judgement);
  if (before.length && goesOn) list.prepend(...added);
  else replace(list, added.length ? added : html("p", { class: "note" }, text("sit.coach.nothing")));
  const open = more.querySelector("details")?.open ?? false;
  const latest = judged.at(-1);
  replace(
    more,
    latest
      ? html("details", { open }, html("summary", {}, text("sit.coach.options")), opinionPanel(latest.opinion, game))
      : [],
  );
  shownJudged = [...judged];
}
