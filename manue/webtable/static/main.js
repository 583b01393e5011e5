/* The page of the table: draws what the table says, and answers what it asks. */

import { byId, html, radioLabel, replace } from "../review/dom.js";
import { text } from "../review/language.js";
import { seatsByPlace } from "../review/model.js";
import { resultOf } from "../review/result.js";
import { ARROWS, makeTable } from "../review/table.js";
import { sprite } from "../review/tiles.js";
import { apart, eventText, shortName, whole } from "../review/words.js";
import { pressKey, showActions } from "./actions.js";
import { captionOf, showHint, showJudged } from "./advice.js";
import { connect } from "./connection.js";
import { makeHand } from "./hand.js";
import { makePlayback, shownFor, SPEEDS } from "./playback.js";
import { speakToReader } from "./reader.js";
import { keep, settings } from "./settings.js";
import { sound } from "./sounds.js";

const LEVELS = ["none", "tiles", "danger", "all", "coach"];
const BLIND = new Set(["none", "coach"]);
const CALLS = new Set(["chi", "pon", "daiminkan"]);
const LEAVE_SECONDS = 4;

/** What the table says, `riichi` while its discard is being chosen, and `refused` until there is another choice. */
const game = {
  names: [],
  seat: 0,
  level: "none",
  event: null,
  results: [],
  judged: [],
  ask: null,
  hint: null,
  over: null,
  riichi: false,
  refused: false,
  line: "connecting",
};
let table = null;

speakToReader();

// ---- drawing

/** Change a text, unless it stays the same: screen readers would say it again. */
function say(id, words) {
  const part = byId(id);
  if (part.textContent !== words) part.textContent = words;
}

/** Of several wins off one tile the table shows the last alone: then all that they changed, else what the event did. */
function changesShown({ frame, facts }) {
  if (facts.type !== "win" || game.results.some(({ deltas }) => !deltas)) return frame.deltas;
  return frame.scores.map((_, seat) => game.results.reduce((sum, { deltas }) => sum + deltas[seat], 0));
}

/** Without help the player has to see for himself what the hand waits for. */
function frameShown() {
  const frame = { ...game.event.frame, deltas: changesShown(game.event) };
  if (!BLIND.has(game.level)) return frame;
  const players = frame.players.map((player, seat) => (seat === game.seat ? { ...player, waits: [] } : player));
  return { ...frame, players };
}

function drawTable() {
  if (!game.event) return;
  if (!table) {
    table = { model: { names: game.names, rounds: [] } };
    table.drawing = makeTable(table.model);
    byId("table").append(table.drawing.drawing);
  }
  table.model.names = game.names;
  table.model.rounds = [game.event.round];
  const tenpai = game.hint?.danger?.tenpai ?? null;
  table.drawing.update(frameShown(), { seat: game.seat, hide: false, tenpai });
  const { facts } = game.event;
  say("side", facts.actor === undefined ? "" : ARROWS[(facts.actor - game.seat + 4) % 4]);
  const named = [game.names.map(shortName), game.names];
  const [words, inFull] = named.map((names) => eventText(facts, names, facts.tile === "?"));
  say("event", words);
  byId("event").title = words === inFull ? "" : inFull;
}

function standings({ scores, places, log, game: number }) {
  const lines = seatsByPlace(places).map((seat) =>
    html(
      "li",
      { class: seat === game.seat ? "own" : null },
      html("span", {}, text("result.place.of", { n: places[seat], name: game.names[seat] })),
      html("b", {}, whole(scores[seat])),
    ),
  );
  return [
    html("h2", {}, text("result.standings")),
    html("ol", { class: "final" }, lines),
    html(
      "p",
      {},
      html(
        "a",
        {
          id: "review",
          href: `/review${location.search}&game=${number}`,
          target: "_blank",
          rel: "noopener",
        },
        text("sit.review"),
      ),
    ),
    html("p", {}, anotherGame()),
    html("p", { class: "note" }, text("sit.log", { log })),
  ];
}

function anotherGame() {
  const button = html("button", { type: "button", id: "again" }, text("sit.again"));
  button.addEventListener("click", () => {
    button.disabled = true;
    connection.send({ type: "again" });
  });
  return button;
}

let drawnResult = "";

function drawResult() {
  const paused = game.ask?.kind === "proceed";
  const fresh = JSON.stringify([Boolean(game.event), paused, game.over, game.results]);
  if (fresh === drawnResult) return; // what has the focus keeps it
  drawnResult = fresh;
  const shown =
    game.event && (paused || game.over)
      ? game.results.map((facts) => resultOf(table.model, facts, game.event.frame))
      : [];
  replace(byId("result"), game.over ? standings(game.over) : [], shown);
  byId("result").hidden = byId("result").childElementCount === 0;
  byId("hand").hidden = !byId("result").hidden || !game.event;
}

function noticeOf() {
  if (game.line !== "open") return text(`sit.line.${game.line}`);
  if (game.over) return "";
  if (game.refused) return text("sit.refused");
  if (game.ask === null) return text("sit.waiting");
  if (game.ask.kind === "proceed") return text("sit.round.over");
  if (game.riichi) return text("sit.riichi.which");
  return text(game.ask.options.some(({ kind }) => kind === "discard") ? "sit.turn" : "sit.call");
}

const isSelfDraw = () => game.event?.facts.type === "draw" && game.event.facts.actor === game.seat;

function drawChoice() {
  const open = game.line === "open";
  const ask = open ? game.ask : null;
  if (game.event)
    hand.show(game.event.frame.players[game.seat], ask, game.riichi, (tile) => captionOf(game.hint, tile, game.riichi));
  showActions(byId("actions"), ask, game.riichi, isSelfDraw(), { choose, proceed, riichi: setRiichi });
  if (game.line === "elsewhere") {
    const back = html("button", { type: "button" }, text("sit.elsewhere.back"));
    back.addEventListener("click", () => connection.open());
    replace(byId("actions"), back);
  }
  byId("levels").disabled = !open;
  byId("leave").disabled = game.line === "gone";
  if (!open && byId("again")) byId("again").disabled = true; // back on the line, the table's word draws a new one
  say("notice", noticeOf());
  byId("notice").classList.toggle("asked", ask !== null);
  document.documentElement.dataset.state = open ? (game.over ? "over" : (game.ask?.kind ?? "waiting")) : game.line;
}

function drawAdvice() {
  showHint(byId("hint"), game.hint, game);
  showJudged(byId("judged"), game.judged, game);
  for (const level of LEVELS) byId(`level-${level}`).checked = level === game.level;
}

function draw() {
  drawTable();
  drawResult();
  drawChoice();
  drawAdvice();
}

// ---- what the table says

function begin(message) {
  drawnResult = ""; // a button pressed while the line was lost can be pressed again
  Object.assign(game, { riichi: false, refused: false });
  const { names, seat, level, event, results, judged, ask, hint, over } = message;
  Object.assign(game, { names: names.map(apart), seat, level, event: event ?? null, results, judged });
  Object.assign(game, { ask: ask ?? null, hint: hint ?? null, over: over ?? null });
}

const PERFORM = {
  table: begin,
  event(message) {
    const { type } = message.facts;
    if (type === "start") Object.assign(game, { results: [], judged: [] });
    if (type === "win" || type === "exhausted") game.results.push(message.facts);
    Object.assign(game, { event: message, ask: null, hint: null, riichi: false, refused: false });
    if (settings.sound) sound(type);
  },
  ask(message) {
    Object.assign(game, { ask: message, riichi: false });
    if (settings.sound && !isPassedOn(message)) sound("choice");
  },
  hint(message) {
    // help takes its time: the choice may be made by now, or another kind of help wanted
    if (message.id === game.ask?.id && message.level === game.level) game.hint = message;
  },
  judged(message) {
    game.judged.push(message);
  },
  over(message) {
    Object.assign(game, { ask: null, hint: null, over: message });
  },
  refused() {
    game.refused = true;
  },
};

function perform(message) {
  PERFORM[message.type](message);
  draw();
  if (message.type === "ask" || message.type === "table") passOnCalls();
}

/** Whether a request is answered by a pass: with calls switched off, all but those of a win or a discard. */
function isPassedOn(ask) {
  return settings.noCalls && Boolean(ask?.options?.every(({ kind }) => kind === "pass" || CALLS.has(kind)));
}

function passOnCalls() {
  if (isPassedOn(game.ask)) choose({ option: game.ask.options.findIndex(({ kind }) => kind === "pass") });
}

const playback = makePlayback(perform, (message) => shownFor(message, game.seat, settings.speed));

function heard(message) {
  if (message.type === "table") playback.clear();
  playback.add(message);
}

function lineChanged(line) {
  game.line = line;
  drawChoice();
}

const connection = connect(heard, lineChanged);

// ---- what the player does

function choose(answer) {
  if (game.ask?.kind !== "choice" || answer === null) return;
  connection.send({ type: "choose", request: game.ask.id, ...answer });
  Object.assign(game, { ask: null, hint: null, riichi: false, refused: false });
  draw();
}

function proceed() {
  if (game.ask?.kind !== "proceed") return;
  connection.send({ type: "proceed", request: game.ask.id });
  game.ask = null;
  draw();
}

function setRiichi(riichi) {
  const fromButton = byId("actions").contains(document.activeElement);
  game.riichi = riichi;
  drawChoice();
  if (!fromButton) return;
  if (riichi) hand.move(1);
  else byId("actions").querySelector("[data-kind=riichi]")?.focus();
}

function setLevel(level) {
  if (game.line !== "open") return;
  game.level = level;
  game.hint = null;
  connection.send({ type: "help", level });
  draw();
}

const hand = makeHand(byId("hand"), choose, () => settings.twice);

function leave() {
  const button = byId("leave");
  if (button.dataset.sure) {
    connection.end({ type: "leave" });
    lineChanged("left");
    return;
  }
  button.dataset.sure = "yes";
  button.textContent = text("sit.leave.sure");
  setTimeout(() => {
    delete button.dataset.sure;
    button.textContent = text("sit.leave");
  }, LEAVE_SECONDS * 1000);
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
  if (event.target.matches("input[type=radio]") && event.key.startsWith("Arrow")) return;
  const key = event.key.toLowerCase();
  if (event.repeat && !key.startsWith("arrow")) {
    event.preventDefault(); // a key held down a moment too long must not answer the next question, too
    return;
  }
  const level = LEVELS[Number.parseInt(key, 10)];
  if (key === "escape" && closeSettings()) byId("settings").querySelector("summary").focus();
  else if (key === "arrowleft" || key === "arrowright") hand.move(key === "arrowright" ? 1 : -1);
  else if (key === "d") byId("hand").querySelector(".drawn:enabled")?.click();
  else if (key === "escape") pressKey(byId("actions"), "x");
  else if (level !== undefined) setLevel(level);
  else if (key === "enter" && event.target.closest("button, summary, a")) return;
  else if (!pressKey(byId("actions"), key)) return;
  event.preventDefault();
}

/** Close the settings; return whether they were open. */
function closeSettings() {
  const wasOpen = byId("settings").open;
  byId("settings").open = false;
  return wasOpen;
}

// ---- the static page

function makeLevels() {
  LEVELS.forEach((level, number) => {
    const radio = html("input", { type: "radio", name: "level", id: `level-${level}`, value: level });
    radio.addEventListener("change", () => setLevel(level));
    const label = radioLabel(radio, { title: String(number) }, text(`sit.level.${level}`), () => setLevel(level));
    byId("levels").append(radio, label);
  });
}

function makeSettings() {
  const speed = byId("speed");
  replace(
    speed,
    SPEEDS.map((name) => html("option", { value: name }, text(`sit.speed.${name}`))),
  );
  speed.value = settings.speed;
  speed.addEventListener("change", () => keep("speed", speed.value));
  for (const [id, name] of [
    ["no-calls", "noCalls"],
    ["twice", "twice"],
    ["sound", "sound"],
  ]) {
    byId(id).checked = settings[name];
    byId(id).addEventListener("change", (event) => keep(name, event.target.checked));
  }
  byId("no-calls").addEventListener("change", () => game.line === "open" && passOnCalls());
  byId("leave").textContent = text("sit.leave");
  byId("leave").addEventListener("click", leave);
}

document.body.prepend(sprite());
document.title = text("sit.title");
makeLevels();
makeSettings();
document.addEventListener("pointerdown", (event) => {
  if (!byId("settings").contains(event.target)) closeSettings();
});
document.addEventListener("keydown", pressed);
draw();
