/* A problem book: each moment is a problem, put as the seat that is asked sees it; then the book's answer and why. */

import { html, replace } from "./dom.js";
import { hasText, text } from "./language.js";
import { moveName, optionName } from "./words.js";

const themeName = ({ theme }) => (hasText(`theme.${theme}`) ? text(`theme.${theme}`) : theme);

/** Controls that say the same of a book as others, or nothing. */
const WITHOUT = ["seats", "hide", "previous-round", "next-round", "previous-decision", "next-decision"];

/** Texts of the page, and those that a book has instead. */
const TEXTS = { "page.round": "problem.pick", "help.keys.text": "problem.keys", "help.ask": "problem.ask" };

/** Make a page that of a book: its controls have other names, and there are fewer. */
export function makeBook(root) {
  for (const id of WITHOUT) (root.getElementById(id).closest("label") ?? root.getElementById(id)).hidden = true;
  for (const [name, own] of Object.entries(TEXTS)) root.querySelector(`[data-text='${name}']`).dataset.text = own;
  for (const part of root.querySelectorAll("[data-label]")) {
    const label = `problem.${part.id}`;
    if (hasText(label)) part.dataset.label = label;
  }
}

/** Fill the head of the page. */
export function showBookHeader(model, holder) {
  const values = { n: model.problems.length, agent: model.agent };
  replace(holder, html("p", { class: "note" }, text("problem.head", values)));
}

const isRight = (decision, problem) => problem.accepted.includes(decision.answer);

/** The name of a problem, and how it was answered: "12. Calls ✓". */
export function problemLabel(model, at) {
  const problem = model.problems[at];
  const decision = model.decisionAt[problem.seat].get(at);
  const name = `${at + 1}. ${themeName(problem)}`;
  if (decision.answer === undefined) return name;
  return `${name} ${isRight(decision, problem) ? "\u2713" : "\u2717"}`;
}

/** How many of some decisions were answered as the book does; 0 if no book asks. */
export function countRight(model, answered) {
  return answered.filter((decision) => model.problems && isRight(decision, model.problems[decision.at])).length;
}

/** See a problem from the seat that is asked: return it, and name the players from there. */
export function seatAsked(model, at) {
  const { seat } = model.problems[at];
  for (let steps = 0; steps < 4; steps += 1) model.names[(seat + steps) % 4] = text(`seat.${steps}`);
  return seat;
}

/** A text of the book in the language of the page, or else in its own. */
const inLanguage = (words, language) => words[language] ?? words.en;

/** What is asked. */
export function questionOf(problem, language) {
  return inLanguage(problem.question, language);
}

/** The answers that the book accepts; a call with whatever discard is one. */
function acceptedNames(decision, problem) {
  const options = problem.accepted.map((number) => decision.options[number]);
  const names = options.map((option) => (option.kind === "riichi" ? optionName(option) : moveName(option)));
  return [...new Set(names)].join(text("list.choices"));
}

/** What the book says of a problem, and of the reader's answer if there is one. */
export function bookWords(decision, problem, language) {
  const right = isRight(decision, problem);
  const accepted = acceptedNames(decision, problem);
  return [
    html("p", { class: "verdict" }, text(right ? "problem.right" : "problem.accepted", { accepted })),
    html("p", {}, inLanguage(problem.why, language)),
  ];
}
