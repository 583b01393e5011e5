/* The list of mistakes: filters, small pictures, and the way from one to the next. */

import { html, replace, svg } from "./dom.js";
import { text } from "./language.js";
import { moveTiles } from "./options.js";
import { tileAt } from "./tiles.js";
import { optionVerb, roundLabel, shortName, whole } from "./words.js";

const TURNS = { all: [0, 99], early: [1, 6], middle: [7, 12], late: [13, 99] };
const FILTERS = ["all", "inaccuracy", "mistake", "blunder"];
const SMALL_WIDTH = 28;
const SMALL_HEIGHT = (SMALL_WIDTH * 4) / 3;
/** Pictures drawn at once; the rest follow on request by narrower filters. */
const MOST = 40;

/** Hand and discards of a seat at a moment, small. */
function picture(model, mistake) {
  const player = model.frames[mistake.at].players[mistake.seat];
  const hand = player.drawn ? [...player.hand, player.drawn] : player.hand;
  const put = (tiles, y, width) => tiles.map((tile, at) => tileAt(tile, at * width, y, width - 1));
  const river = player.river.map(([tile]) => tile);
  return svg(
    "svg",
    { viewBox: `0 0 ${14 * SMALL_WIDTH} ${SMALL_HEIGHT + 28}`, class: "small-hand", "aria-hidden": "true" },
    put(hand, 0, SMALL_WIDTH),
    put(river, SMALL_HEIGHT + 2, 18),
  );
}

function item(model, mistake) {
  const decision = model.decisionAt[mistake.seat].get(mistake.at);
  const [played, best] = [decision.options[mistake.played], decision.options[mistake.best]];
  const where = text("round.turn", { round: roundLabel(model.rounds[mistake.round]), n: mistake.turn });
  const move = (option, mark) =>
    html(
      "span",
      { class: "said" },
      [text(mark), option.kind === "discard" ? "" : optionVerb(option)].join(" "),
      moveTiles(option),
    );
  return html(
    "li",
    { "data-at": mistake.at, "data-seat": mistake.seat },
    html(
      "a",
      { href: `#at=${mistake.at}&seat=${mistake.seat}` },
      html(
        "span",
        { class: "mistake-head" },
        html("b", { class: `weight ${mistake.weight}` }, text(`weight.${mistake.weight}`)),
        html("span", {}, where),
        html("b", { class: "loss" }, text("mistakes.lost", { n: whole(mistake.lost) })),
      ),
      picture(model, mistake),
      html("span", { class: "mistake-moves" }, move(played, "mark.played"), move(best, "mark.best")),
    ),
  );
}

function choice(label, id, values, chosen) {
  const select = html(
    "select",
    { id },
    values.map(([value, words]) => html("option", { value, selected: value === chosen }, words)),
  );
  return [html("label", { class: "pick" }, `${label} `, select), select];
}

function fits(mistake, filter) {
  const [first, last] = TURNS[filter.turn];
  return (
    (!filter.mine || mistake.seat === filter.seat) &&
    (filter.weight === "all" || mistake.weight === filter.weight) &&
    (filter.kind === "all" || mistake.kind === filter.kind) &&
    (filter.round === "all" || String(mistake.round) === filter.round) &&
    (!filter.riichi || mistake.riichi) &&
    mistake.turn >= first &&
    mistake.turn <= last
  );
}

/** Make the list; `next(at, direction)` gives the mistake after or before a moment, `update` follows the view. */
export function makeMistakes(model, seat, go) {
  const all = model.review.seats.flatMap((one) => one.mistakes.map((mistake) => ({ ...mistake, seat: one.seat })));
  const filter = { seat, mine: true, weight: "all", kind: "all", round: "all", riichi: false, turn: "all" };
  const every = ["all", text("mistakes.all")];
  const kinds = [...new Set(all.map((mistake) => mistake.kind))];
  const selects = {
    weight: choice(
      text("mistakes.weight"),
      "by-weight",
      FILTERS.map((name) => (name === "all" ? every : [name, text(`weight.${name}`)])),
      "all",
    ),
    kind: choice(
      text("mistakes.kind"),
      "by-kind",
      [every, ...kinds.map((kind) => [kind, text(`kind.${kind}`)])],
      "all",
    ),
    round: choice(
      text("mistakes.round"),
      "by-round",
      [every, ...model.rounds.map((round, number) => [String(number), roundLabel(round)])],
      "all",
    ),
    turn: choice(
      text("mistakes.turn"),
      "by-turn",
      Object.keys(TURNS).map((name) => [name, text(`mistakes.${name}`)]),
      "all",
    ),
  };
  const riichi = html("input", { type: "checkbox", id: "by-riichi" });
  const mine = html("input", { type: "checkbox", id: "by-mine", checked: true });
  const mineName = html("span", {});
  const count = html("p", { class: "note", role: "status" });
  const items = html("ol", { class: "mistakes" });
  const ways = [-1, 1];
  const steps = ways.map((way) => {
    const words = way < 0 ? text("mistakes.previous") : text("mistakes.next");
    const button = html("button", { type: "button" }, words);
    button.addEventListener("click", () => go(way));
    return button;
  });
  const list = html(
    "section",
    { "aria-labelledby": "mistakes-title", id: "mistakes" },
    html("h3", { id: "mistakes-title" }, text("mistakes.title")),
    html(
      "div",
      { class: "filters" },
      Object.values(selects).map(([label]) => label),
      html("label", { class: "pick" }, riichi, ` ${text("mistakes.riichi")}`),
      html("label", { class: "pick" }, mine, " ", mineName),
    ),
    html("p", { class: "mistake-steps" }, steps),
    count,
    items,
  );
  let shown = [];
  let moment = 0;

  function next(at, way) {
    const order = (one) => 4 * one.at + one.seat;
    const here = order({ at, seat: filter.seat });
    const places = shown.toSorted((one, two) => order(one) - order(two));
    return (way > 0 ? places.find((one) => order(one) > here) : places.findLast((one) => order(one) < here)) ?? null;
  }

  function updateSteps() {
    steps.forEach((button, number) => {
      button.setAttribute("aria-disabled", !next(moment, ways[number])); // disabled, it would lose the focus
    });
  }

  function nameSeat() {
    const name = model.names[filter.seat];
    mineName.textContent = text("mistakes.mine", { name: shortName(name) });
    mineName.title = name;
  }

  function draw() {
    for (const [name, [, select]] of Object.entries(selects)) filter[name] = select.value;
    Object.assign(filter, { riichi: riichi.checked, mine: mine.checked });
    nameSeat();
    shown = all.filter((mistake) => fits(mistake, filter));
    const worst = shown.toSorted((one, two) => two.lost - one.lost).slice(0, MOST);
    count.textContent = shown.length
      ? text("mistakes.count", { n: worst.length, total: all.length })
      : text("mistakes.none");
    replace(
      items,
      worst.map((mistake) => item(model, mistake)),
    );
    updateSteps();
  }
  for (const [, select] of Object.values(selects)) select.addEventListener("change", draw);
  riichi.addEventListener("change", draw);
  mine.addEventListener("change", draw);
  draw();

  return {
    list,
    next,
    update(chosen, at) {
      moment = at;
      if (chosen !== filter.seat && model.review.seats.some((one) => one.seat === chosen)) {
        filter.seat = chosen;
        if (filter.mine) draw();
        else nameSeat();
      }
      updateSteps();
    },
  };
}
