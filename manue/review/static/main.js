/* The page: the URL's fragment holds what is shown, every control changes it, and every change draws once. */

import { forgetAnswers, restoreAnswers } from "./answers.js";
import { makeChart } from "./chart.js";
import { byId, html, radioLabel, replace } from "./dom.js";
import { showHeader, showLanguages } from "./header.js";
import { bestLanguage, fillTexts, text, useTexts } from "./language.js";
import { nextDecision, nextRound, readModel, roundAt, unzipped } from "./model.js";
import { makeOptions } from "./options.js";
import { makeOverlay } from "./overlay.js";
import { bookWords, makeBook, problemLabel, questionOf, seatAsked, showBookHeader } from "./problems.js";
import { isOpen, makeQuestions, showTally } from "./question.js";
import { showReview } from "./summary.js";
import { resultOf } from "./result.js";
import { ARROWS, makeTable } from "./table.js";
import { sprite } from "./tiles.js";
import { eventText, roundLabel, shortName } from "./words.js";

const model = readModel(await unzipped(byId("data").textContent));
const last = model.frames.length - 1;
const view = { at: 0, seat: model.seat, hide: false, ask: Boolean(model.problems), tenpai: null, danger: null };
const spoken = new URLSearchParams(location.hash.slice(1)).get("lang");
const preferred = [spoken, ...navigator.languages].filter(Boolean);
const language = bestLanguage(Object.keys(model.languages), preferred);
document.documentElement.lang = language;
useTexts(model.languages[language]);
if (model.problems) makeBook(document);
else nameSeats();
fillTexts(document);

/** Name the seats that the record does not name: where one hand alone is seen, as it sees them. */
function nameSeats() {
  const alone = model.open.filter(Boolean).length === 1;
  for (const seat of model.nameless) {
    const from = (seat - model.seat + 4) % 4;
    model.names[seat] = alone ? text(`seat.${from}`) : text("seat.unnamed", { n: seat });
  }
}

/** What the address holds if it is on; links to mistakes and rounds, which lack it, leave it as it is. */
const SWITCHES = ["hide", "ask"];

function readFragment() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const number = (name, most, otherwise) => {
    const value = Number.parseInt(asked.get(name) ?? "", 10);
    return Number.isNaN(value) ? otherwise : Math.min(Math.max(value, 0), most);
  };
  view.at = number("at", last, model.at);
  view.seat = number("seat", 3, model.seat);
  for (const name of SWITCHES) if (asked.has(name)) view[name] = asked.get(name) === "1";
  view.ask &&= asks;
}

function fragment(chosen = spoken && language) {
  const switches = SWITCHES.map((name) => (view[name] ? `&${name}=1` : "")).join("");
  return `#at=${view.at}&seat=${view.seat}${switches}${chosen ? `&lang=${chosen}` : ""}`;
}

/** What a round is called where one is chosen; of a book each is a problem. */
function roundTitle(number) {
  return model.problems ? problemLabel(model, number) : roundLabel(model.rounds[number]);
}

document.body.prepend(sprite());
const table = makeTable(model);
byId("table").append(table.drawing);
const overlay = makeOverlay(model, byId("overlay"), () => draw());
const showOptions = makeOptions(model, byId("options"), goToDecision);
const asks = model.decisions.some((list) => list.some(isOpen));
restoreAnswers(model);
showTally(model);
const questions = makeQuestions(model, byId("options"), () => draw());
const updateChart = makeChart(model, byId("chart"), (at) => go({ at }));
byId("ask").closest("label").hidden = !asks;
const slider = byId("slider");
slider.max = String(last);
const roundChoice = byId("round");
replace(
  roundChoice,
  model.rounds.map((_, number) => html("option", { value: number }, roundTitle(number))),
);
const seatButtons = model.names.map((name, seat) => {
  const button = html("input", { type: "radio", name: "seat", id: `seat-${seat}`, value: seat });
  button.addEventListener("change", () => go({ seat }));
  const title = text("page.seat.key", { name, n: seat, key: seat + 1 });
  byId("seats").append(
    button,
    radioLabel(button, { title, dir: "auto" }, name, () => go({ seat })),
  );
  return button;
});

function draw() {
  if (model.problems) view.seat = seatAsked(model, view.at);
  const problem = model.problems?.[view.at];
  const frame = model.frames[view.at];
  const event = model.events[view.at];
  const decision = model.decisionAt[view.seat].get(view.at) ?? null;
  const open = view.ask && isOpen(decision);
  const dangers = overlay.update(decision, frame, view.seat);
  Object.assign(view, { tenpai: open ? null : (decision?.tenpai ?? null), danger: open ? null : dangers });
  table.update(frame, view);
  if (open) questions.ask(decision, problem ? questionOf(problem, language) : text("question.title"));
  else showOptions(decision, view.seat, view.at);
  replace(byId("book"), problem && !open ? bookWords(decision, problem, language) : []);
  updateChart(view.at, view.seat);
  const unseen = (view.hide && event.actor !== view.seat) || !event.tile || event.tile === "?";
  byId("side").textContent = event.actor === undefined ? "" : ARROWS[(event.actor - view.seat + 4) % 4];
  const [words, inFull] = [model.names.map(shortName), model.names].map((names) => eventText(event, names, unseen));
  byId("event").textContent = words;
  byId("event").title = words === inFull ? "" : inFull;
  byId("place").textContent = `${view.at + 1} / ${last + 1}`;
  replace(byId("result"), resultOf(model, event, frame));
  slider.value = String(view.at);
  const moment = { round: roundTitle(frame.round), n: view.at + 1, total: last + 1 };
  slider.setAttribute("aria-valuetext", problem ? moment.round : text("page.moment.text", moment));
  roundChoice.value = String(roundAt(model, view.at));
  if (problem) roundChoice.options[view.at].textContent = problemLabel(model, view.at);
  seatButtons[view.seat].checked = true;
  for (const name of SWITCHES) byId(name).checked = view[name];
  document.body.classList.toggle("asking", view.ask);
  document.body.classList.toggle("unanswered", open);
  byId("link").href = fragment();
  mistakes.update(view.seat, view.at);
}

/** The address follows once the reader rests: browsers limit how often it may change, and it takes time. */
const RESTED_MS = 150;
let resting = 0;

function go(change) {
  Object.assign(view, change);
  view.at = Math.min(Math.max(view.at, 0), last);
  clearTimeout(resting);
  resting = setTimeout(() => history.replaceState(null, "", fragment()), RESTED_MS);
  draw();
}

function reload(chosen) {
  location.hash = fragment(chosen);
  location.reload();
}

/** Go to a decision and focus its first option, for the button that was pressed is gone. */
function goToDecision(at) {
  go({ at });
  byId("options").querySelector(".answer, .option-button")?.focus();
}

/** The decision before (-1) or after (+1); of a book each moment is one. */
function decisionBeside(way) {
  return model.problems ? view.at + way : nextDecision(model, view.seat, view.at, way);
}

const STEPS = {
  "previous-round": () => nextRound(model, view.at, -1),
  "previous-decision": () => decisionBeside(-1),
  "previous-event": () => view.at - 1,
  "next-event": () => view.at + 1,
  "next-decision": () => decisionBeside(1),
  "next-round": () => nextRound(model, view.at, 1),
};
const KEYS = {
  ArrowLeft: "previous-event",
  ArrowRight: "next-event",
  ArrowUp: "previous-decision",
  ArrowDown: "next-decision",
  PageUp: "previous-round",
  PageDown: "next-round",
};

const OVERLAYS = { d: "danger", u: "useful", w: "waits" };

/** Bring table and decision back into view for a reader who comes from further down, as from the list of mistakes. */
function reveal() {
  if (byId("options").getBoundingClientRect().top < 0) document.querySelector("main").scrollIntoView();
}

function goToMistake(way) {
  const found = mistakes.next(view.at, way);
  if (!found) return;
  go({ at: found.at, seat: found.seat });
  reveal();
}

/** Whoever is asked does not see the others' hands, unless they are shown again. */
function switchAsking(on) {
  if (asks) go({ ask: on, hide: on });
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
  if (event.target.matches("input[type=radio]") && event.key.startsWith("Arrow")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key; // Caps Lock may be on
  if (KEYS[key]) go({ at: STEPS[KEYS[key]]() });
  else if (key === "Home") go({ at: 0 });
  else if (key === "End") go({ at: last });
  else if (["1", "2", "3", "4"].includes(key)) go({ seat: Number(key) - 1 });
  else if (key === "h" && !model.problems) go({ hide: !view.hide });
  else if (key === "a") switchAsking(!view.ask);
  else if (key === "n" || key === "p") goToMistake(key === "n" ? 1 : -1);
  else if (OVERLAYS[key]) overlay.toggle(OVERLAYS[key]);
  else return;
  event.preventDefault();
}

for (const [id, step] of Object.entries(STEPS)) byId(id).addEventListener("click", () => go({ at: step() }));
slider.addEventListener("input", () => go({ at: Number(slider.value) }));
roundChoice.addEventListener("change", () => go({ at: model.rounds[Number(roundChoice.value)].start }));
byId("hide").addEventListener("change", (event) => go({ hide: event.target.checked }));
byId("ask").addEventListener("change", (event) => switchAsking(event.target.checked));
byId("restart").addEventListener("click", () => {
  forgetAnswers();
  reload();
});
byId("table").addEventListener("click", ({ target }) => {
  const tile = target.closest(".unanswered .own [data-part=hand] use");
  if (tile) questions.discard(tile.getAttribute("href").slice("#tile-".length));
});
document.addEventListener("keydown", pressed);
addEventListener("hashchange", () => {
  readFragment();
  draw();
  const lacks = (name) => !location.hash.includes(`${name}=`);
  const lost = SWITCHES.some((name) => view[name] && lacks(name)) || (spoken && lacks("lang"));
  if (lost) history.replaceState(null, "", fragment());
  reveal();
});
const untitled = () => (model.problems ? text("problem.title") : text("page.game", { n: model.number }));
const title = model.title ?? untitled();
byId("title").textContent = title;
document.title = `${title} - manue`;
if (model.problems) showBookHeader(model, byId("game"));
else showHeader(model, byId("game"));
showLanguages(model.languages, language, byId("languages"), reload);
const mistakes = showReview(model, byId("review"), goToMistake);
readFragment();
draw();
document.documentElement.dataset.ready = "yes";
