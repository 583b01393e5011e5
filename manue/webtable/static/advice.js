/* Help with a choice, and judgements after it. */

import { html, replace } from "../review/dom.js";
import { valueOf } from "../review/model.js";
import { makeOptions } from "../review/options.js";
import { ARROWS } from "../review/table.js";
import { tileIcon } from "../review/tiles.js";
import { optionName, percent, signed, tileName } from "../review/words.js";
import { text } from "./language.js";

const kindOf = (tile) => tile.slice(0, 2);
const total = (useful) => useful.reduce((sum, [, copies]) => sum + copies, 0);

function shantenWords(number) {
  if (number < 0) return text("complete");
  return number === 0 ? text("tenpai") : text("shanten", { n: number });
}

function usefulWords(useful) {
  return useful.length ? text("usefulOf", { kinds: useful.length, copies: total(useful) }) : text("usefulNone");
}

function icons(kinds) {
  return html(
    "span",
    { class: "tiles" },
    kinds.map((kind) => tileIcon(kind, tileName(kind))),
  );
}

// ---- what stands below each tile of the hand

function tilesCaption(tiles, kind) {
  const found = tiles.discards?.[kind];
  if (!found) return null;
  const least = Math.min(...Object.values(tiles.discards).map(({ shanten }) => shanten));
  const words = `${shantenWords(found.shanten)}, ${usefulWords(found.useful)}`;
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
    words: `${text("headDanger")} ${percent(found.total)}`,
    kind: level,
  };
}

/** What an option is worth in points: what decided where that is known, else the points expected. */
function worth(opinion, option) {
  return option.value ?? valueOf(opinion, option, "expPt");
}

/** Points in the room below a tile: "\u2212310", "\u22121.3k". */
function shortPoints(points) {
  if (Math.abs(points) < 1000) return signed(points);
  return `${points < 0 ? "\u2212" : "+"}${(Math.abs(points) / 1000).toFixed(1)}k`;
}

function opinionCaption(opinion, kind, tile) {
  const { options, chosen } = opinion.decision;
  const best = options[chosen];
  const isThis = (option) => option.kind === "discard" && option.tiles[0] === tile;
  if (best.kind === "riichi" ? best.then === tile : isThis(best))
    return { short: "\u2605", words: "\u2605", kind: "best" };
  const option = options.find(isThis);
  const value = option ? worth(opinion, option) : null;
  if (value === null || worth(opinion, best) === null) return null;
  const gap = value - worth(opinion, best);
  return { short: shortPoints(gap), words: text("figurePoints", { change: signed(gap) }), kind: "" };
}

/** The line below a tile of the hand: short for the eye, in words for those who listen; or null. */
export function captionOf(hint, tile) {
  if (!hint) return null;
  const kind = kindOf(tile);
  if (hint.opinion) return opinionCaption(hint.opinion, kind, tile);
  if (hint.tiles) return tilesCaption(hint.tiles, kind);
  return hint.danger ? dangerCaption(hint.danger, kind) : null;
}

// ---- the panel of help

function table(heads, rows) {
  const cells = heads.map((head) => html("th", { scope: "col" }, head));
  return html(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": heads.join(", ") },
    html("table", { class: "advice" }, html("thead", {}, html("tr", {}, cells)), html("tbody", {}, rows)),
  );
}

function row(kind, ...cells) {
  return html(
    "tr",
    {},
    html("th", { scope: "row" }, icons([kind])),
    cells.map((cell) => html("td", {}, cell)),
  );
}

function tilesPanel(tiles) {
  if (!tiles.discards) {
    const words = `${shantenWords(tiles.shanten)}: ${usefulWords(tiles.useful)}`;
    return [html("p", {}, words), icons(tiles.useful.map(([kind]) => kind))];
  }
  const found = Object.entries(tiles.discards).sort(
    ([, one], [, two]) => one.shanten - two.shanten || total(two.useful) - total(one.useful),
  );
  const rows = found.map(([kind, { shanten, useful }]) =>
    row(kind, shantenWords(shanten), [
      html("span", { class: "copies" }, usefulWords(useful)),
      " ",
      icons(useful.map(([one]) => one)),
    ]),
  );
  return table([text("headDiscard"), text("headShanten"), text("headUseful")], rows);
}

function opponents(seat) {
  return [1, 2, 3].map((step) => [(seat + step) % 4, ARROWS[step]]);
}

function dangerPanel(danger, seat) {
  const chances = opponents(seat).map(([other, arrow]) => `${arrow} ${percent(danger.tenpai[other])}`);
  const found = Object.entries(danger.kinds).sort(([, one], [, two]) => one.total - two.total);
  const rows = found.map(([kind, { total: chance, seats }]) =>
    row(kind, percent(chance), ...opponents(seat).map(([other]) => percent(seats[other]))),
  );
  return [
    html("p", {}, text("tenpaiOf", { chances: chances.join(" \u00B7 ") })),
    table([text("headDiscard"), text("headDanger"), ...opponents(seat).map(([, arrow]) => arrow)], rows),
  ];
}

function opinionPanel(opinion, game) {
  const panel = html("div", { class: "opinion" });
  const model = { names: game.names, columns: opinion.columns, texts: opinion.texts, decisions: [[], [], [], []] };
  makeOptions(model, panel, () => {})(opinion.decision, game.seat, 0);
  return panel;
}

/** Show the help with the choice that is asked for. */
export function showHint(panel, hint, game) {
  const parts = [];
  if (hint?.opinion) parts.push(opinionPanel(hint.opinion, game));
  else if (hint?.tiles) parts.push(tilesPanel(hint.tiles));
  else if (hint?.danger) parts.push(dangerPanel(hint.danger, game.seat));
  replace(panel, parts);
  panel.hidden = parts.length === 0;
}

// ---- the coach

const changed = (value, write) => (value > 0 ? `+${write(value)}` : `\u2212${write(-value)}`);
const FIGURES = [
  ["horaProb", "figureWin", 0.005, percent],
  ["unsafeProb", "figureDeal", 0.005, percent],
  ["avgRank", "figurePlace", 0.005, (value) => value.toFixed(2)],
];

/** What the best option has more, or less, than the one that was played: at most three figures. */
function figures(opinion, best, played) {
  const found = [];
  const [more, less] = [worth(opinion, best), worth(opinion, played)];
  if (more !== null && less !== null && Math.abs(more - less) >= 1)
    found.push(text("figurePoints", { change: signed(more - less) }));
  for (const [column, key, least, write] of FIGURES) {
    const [one, two] = [valueOf(opinion, best, column), valueOf(opinion, played, column)];
    if (one !== null && two !== null && Math.abs(one - two) >= least)
      found.push(text(key, { change: changed(one - two, write) }));
  }
  return found.slice(0, 3);
}

function judgement({ opinion, agrees }) {
  const { options, chosen, played } = opinion.decision;
  const choice = optionName(options[played]);
  if (agrees) return html("p", { class: "judgement same" }, text("agrees", { choice }));
  const found = figures(opinion, options[chosen], options[played]);
  const words = { choice, best: optionName(options[chosen]), figures: found.join(", ") };
  return html("p", { class: "judgement other" }, text(found.length ? "differs" : "differsOnly", words));
}

/** Show the judgements of the round, the latest first, with all options of the latest below. */
export function showJudged(panel, judged, game) {
  panel.hidden = game.level !== "coach";
  if (panel.hidden) {
    replace(panel);
    return;
  }
  const open = panel.querySelector("details")?.open ?? false;
  const latest = judged.at(-1);
  const more = latest
    ? html("details", { open }, html("summary", {}, text("allOptions")), opinionPanel(latest.opinion, game))
    : null;
  const heading = html("h2", {}, text("coach"));
  const lines = judged.length
    ? html("div", { class: "judgements", role: "log" }, judged.toReversed().map(judgement))
    : html("p", { class: "note" }, text("nothingJudged"));
  replace(panel, heading, lines, more);
}
