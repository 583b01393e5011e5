/* A decision as a question: its options without a number, until the reader has chosen one. */

import { keepAnswers } from "./answers.js";
import { byId, html, replace } from "./dom.js";
import { text } from "./language.js";
import { gapByValue } from "./model.js";
import { moveTiles } from "./options.js";
import { countRight } from "./problems.js";
import { optionName, optionVerb, whole } from "./words.js";

/** The order of the kinds of options; the game's own gives the best away. */
const ORDER = ["discard", "riichi", "win", "pon", "chi", "daiminkan", "ankan", "kakan", "nine_terminals", "pass"];
const SUITS = "mps";
const HONORS = "ESWNPFC";

function tileOrder(tile) {
  return tile.length > 1 ? 10 * SUITS.indexOf(tile[1]) + Number(tile[0]) : 30 + HONORS.indexOf(tile);
}

/** The numbers of the options of each kind, in the order of their tiles. */
function byKind(options) {
  const numbers = options.map((_, number) => number);
  const order = (number) => [...options[number].tiles, options[number].then].filter(Boolean).map(tileOrder);
  const before = (one, two) => {
    const [first, second] = [order(one), order(two)];
    const at = first.findIndex((tile, place) => tile !== second[place]);
    return at < 0 ? 0 : first[at] - (second[at] ?? 0);
  };
  return ORDER.map((kind) => numbers.filter((number) => options[number].kind === kind).toSorted(before)).filter(
    (group) => group.length,
  );
}

function answerButton(option, choose) {
  const shown = option.tiles.length || option.then ? moveTiles(option) : optionVerb(option);
  const button = html("button", { type: "button", class: "answer", "aria-label": optionName(option) }, shown);
  button.addEventListener("click", choose);
  return button;
}

/** Whether a decision is asked: it has a best option, and others, and no riichi or call just before named its discard. */
function isAsked({ chosen, options, named }) {
  return chosen !== null && options.length > 1 && !named;
}

/** Whether a decision is still to be asked: the reader has chosen nothing yet. */
export function isOpen(decision) {
  return Boolean(decision) && isAsked(decision) && decision.answer === undefined;
}

/** Points lost by an answer; null if its value is unknown and it is not the best. */
function lostBy(model, { options, chosen, answer }) {
  if (answer === chosen) return 0;
  const gap = gapByValue(model, options[answer]);
  return gap === null ? null : Math.max(-gap, 0);
}

/** How the answers so far did: by the book that asks, if there is one, and by what they lose. */
function tally(model, answered) {
  const losses = answered.map((decision) => lostBy(model, decision)).filter((lost) => lost !== null);
  const free = losses.filter((lost) => lost < 1).length;
  const lost = whole(losses.reduce((sum, one) => sum + one, 0));
  const found = [];
  if (model.problems)
    found.push(text("problem.tally", { n: answered.length, free, lost, right: countRight(model, answered) }));
  else if (losses.length) found.push(text("question.tally", { n: losses.length, free, lost }));
  const unknown = answered.length - losses.length;
  if (unknown) found.push(text("question.unknown", { n: unknown }));
  return found.join(" \u00b7 ");
}

/** Show how all answers so far did, and that they can be forgotten. */
export function showTally(model) {
  const answered = model.decisions.flat().filter(({ answer }) => answer !== undefined);
  byId("answers").textContent = answered.length ? tally(model, answered) : "";
  byId("restart").hidden = !answered.length;
}

/** Make the questions; `ask` asks one, `discard` answers it by a tile, `shown` is called once it is answered. */
export function makeQuestions(model, panel, shown) {
  let asked = null;

  function choose(decision, number) {
    decision.answer = number;
    keepAnswers(model);
    showTally(model);
    shown();
    panel.querySelector(`[data-option="${number}"] button`)?.focus();
  }

  function answersOf(decision, numbers) {
    const first = decision.options[numbers[0]];
    const verb = optionVerb(first);
    return html(
      "p",
      { class: "answers", role: "group", "aria-label": verb },
      first.tiles.length || first.then ? html("span", { class: "verb" }, verb) : null,
      html(
        "span",
        {},
        numbers.map((number) => answerButton(decision.options[number], () => choose(decision, number))),
      ),
    );
  }

  function ask(decision, question) {
    asked = decision;
    replace(
      panel,
      html("p", { class: "verdict" }, question),
      byKind(decision.options).map((numbers) => answersOf(decision, numbers)),
    );
  }

  function discard(tile) {
    const number = asked.options.findIndex(({ kind, tiles }) => kind === "discard" && tiles[0] === tile);
    if (number >= 0) choose(asked, number);
  }
  return { ask, discard };
}
