/* One sentence that a player would say: why the best option is better than another. */

import { listed, text } from "./language.js";
import { chancesOf, gapByValue, valueOf } from "./model.js";
import { asWritten, noteWords, optionName, optionVerb, percent, placeWords, whole } from "./words.js";

const CLOSE = 30;
/** The notes of what is done instead of a win. */
const DECLINED = new Set(["the win would seal the last place", "it is worth more than the win"]);
/** A deal-in with a later tile costs about this many points. */
const LATER_COST = 5500;
/** Roughly the points that an exchange nearer to tenpai is worth. */
const EXCHANGE = 1500;

/** How often the round ends so after an option, as the table has it; null if unknown. */
export function shareOf(model, option, kind) {
  const found = chancesOf(model, option)?.find(([name]) => name === kind);
  return found ? asWritten(found[1]) : null;
}

/** The place that an option leads to, as the table has it; null if unknown. */
export function placeOf(model, option) {
  const rank = valueOf(model, option, "avgRank");
  return rank === null ? null : Number(placeWords(rank));
}

/** What differences of figures as written may be off by. */
export const TINY = 1e-9;
/** Roughly the points that a useful tile is worth. */
const USEFUL_TILE = 30;
/** What is worth nothing by itself, but for what it leads to. */
const MEANS = ["tenpai", "shanten", "useful"];
/** An option of the best value that is worth fewer points by more than this is said to be. */
const FEWER = 50;
/** Of what decides, the differences named explain at least this part, or places and points are named first. */
const EXPLAINED = 0.25;

/** Differences that speak for (above 0) or against the first option: [weight in points, key, values]. */
function differences(model, best, rival) {
  const found = [];
  const pair = (read) => [read(best), read(rival)];
  const note = (weight, name, values) => {
    if (weight) found.push([weight, `why.${weight > 0 ? "gain" : "cost"}.${name}`, values]);
  };
  const compare = ([one, two], least, worth, name, said) => {
    if (one === null || two === null || Math.abs(one - two) < least - TINY) return;
    note(worth(one - two), name, said(one, two));
  };
  const points = (one, two) => ({ n: whole(Math.abs(one - two)) });
  const chances = (one, two) => ({ n: percent(one), other: percent(two) });
  const read = (column) => (option) => valueOf(model, option, column);
  const share = (kind) => (option) => shareOf(model, option, kind);
  const [near, far] = pair(read("shanten"));
  if (near !== null && far !== null && near !== far) {
    if (near === 0) note(EXCHANGE, "tenpai", {});
    else note(EXCHANGE * (far - near), "shanten", { n: Math.abs(far - near) });
  } else {
    const [many, few] = pair(read("ukeireCount"));
    if (many !== null && few !== null && Math.abs(many - few) > 1) {
      const values = many > few ? { n: many, other: few } : { n: few - many, m: many, other: few };
      note(USEFUL_TILE * (many - few), "useful", values);
    }
  }
  const size = valueOf(model, rival, "avgHoraPt") ?? 0;
  const wins = pair(share("win"));
  compare(wins, 0.01, (more) => more * size, "win", chances);
  compare(pair(read("avgHoraPt")), 300, (more) => more * (wins[0] ?? 0), "size", points);
  const loss = Math.abs(valueOf(model, rival, "avgHojuPt") || valueOf(model, best, "avgHojuPt") || 0);
  compare(pair(share("now")), 0.005, (more) => -more * loss, "now", chances);
  compare(pair(share("later")), 0.005, (more) => -more * LATER_COST, "later", chances);
  compare(pair(read("ryukyokuAvgPt")), 300, (more) => more * (shareOf(model, best, "draw") ?? 0), "drawn", points);
  return found.toSorted((one, two) => Math.abs(two[0]) - Math.abs(one[0]));
}

/** By how much the first option leads to a better place, as the table has it, and to more points; 0 if unknown. */
function ahead(model, best, rival) {
  const [place, other] = [best, rival].map((option) => placeOf(model, option));
  const [points, fewer] = [best, rival].map((option) => valueOf(model, option, "expPt"));
  return [place !== null && other !== null ? other - place : 0, points !== null && fewer !== null ? points - fewer : 0];
}

/** Places and points: what is said where the parts of the game hardly differ, or do not explain the value. */
function totals(model, best, rival) {
  const [places, points] = ahead(model, best, rival);
  const found = [];
  if (places > TINY) found.push([1, "why.gain.place", { n: placeWords(places) }]);
  if (points >= 1) found.push([1, "why.gain.points", { n: whole(points) }]);
  return found;
}

/** The points or the place that the best option gives up for the other one; before any other cost. */
function givenUp(model, best, rival) {
  const [places, points] = ahead(model, best, rival);
  const found = [];
  if (points < -FEWER) found.push([-1, "why.cost.points", { n: whole(-points) }]);
  if (places < -TINY) found.push([-1, "why.cost.place", { n: placeWords(-places) }]);
  return found;
}

/** What speaks for the best option, in two parts: if the differences do not explain it, the place or points first. */
function gainsOf(model, best, rival, found, gap) {
  const gains = found.filter(([weight]) => weight > 0);
  const explained = found
    .filter(([, key]) => !MEANS.some((name) => key.endsWith(`.${name}`)))
    .reduce((sum, [weight]) => sum + weight, 0);
  const most = !gains.length ? 2 : explained < EXPLAINED * gap ? 1 : 0;
  return [...totals(model, best, rival).slice(0, most), ...gains].slice(0, 2);
}

/** What the best option is compared with: what the reader chose or was played if it has a value, else the next best. */
function rivalOf(model, decision) {
  const { options, chosen, played, answer } = decision;
  const others = options.filter((option, number) => number !== chosen && valueOf(model, option, "gap") !== null);
  const named = [answer, played].map((number) => options[number]).find((option) => others.includes(option));
  if (named) return named;
  return others.toSorted((one, two) => valueOf(model, two, "gap") - valueOf(model, one, "gap"))[0] ?? null;
}

/** The option that would be best by value alone, if habit decided against it and not by a hair. */
function passedOver(model, decision) {
  const better = decision.options.filter((option) => (gapByValue(model, option) ?? 0) >= CLOSE);
  return better.toSorted((one, two) => gapByValue(model, two) - gapByValue(model, one))[0] ?? null;
}

function habit(model, best, other) {
  const [share, othershare] = [best, other].map((option) => valueOf(model, option, "playedProb"));
  const values = { option: optionName(best), other: optionName(other), gap: whole(gapByValue(model, other)) };
  if (best.kind === "discard" && other.kind === "discard" && share !== null && othershare !== null)
    return text("why.habit", { ...values, share: percent(share), othershare: percent(othershare) });
  const declared = [best, other].find((option) => !["discard", "pass"].includes(option.kind)) ?? best;
  const declares = valueOf(model, declared, "playedProb");
  if (best.kind === other.kind || declares === null) return text("why.habit.same", values);
  const said = { ...values, declared: optionVerb(declared), share: percent(declares) };
  if (declared !== best || declares >= 0.5) return text("why.habit.call", said);
  // what fewer than half declare is their habit beyond its threshold, unless the discards differ, too
  const alone = other.kind === "pass" || (other.kind === "discard" && best.then === other.tiles[0]);
  return alone ? text("why.habit.declared", said) : text("why.habit.same", values);
}

/** Whether an option is ahead of the best by value, or hardly behind it, and passed over by habit. */
export function isHabit(model, option) {
  const gap = gapByValue(model, option);
  return gap !== null && (gap > 0 || (gap > -CLOSE && -(valueOf(model, option, "habit") ?? 0) >= CLOSE));
}

/** Whether an option is done instead of a win. */
export const isDeclined = (option) => DECLINED.has(option.note);

/** Two options of nearly the same value; habit, not value, may still set them far apart. */
function close(model, option, rival) {
  const habitual = -(valueOf(model, rival, "habit") ?? 0);
  const values = { option, other: optionName(rival), n: CLOSE, gap: whole(habitual) };
  return text(habitual < CLOSE ? "why.close" : "why.close.habit", values);
}

function reason(model, decision) {
  const best = decision.options[decision.chosen];
  const option = optionName(best);
  if (decision.options.length === 1) return text("why.only", { option });
  if (best.kind === "win") return text("why.win", { option });
  if (isDeclined(best)) return text("why.note", { option, note: noteWords(best.note) });
  const over = passedOver(model, decision);
  if (over) return habit(model, best, over);
  const rival = rivalOf(model, decision);
  if (!rival) return text("why.best", { option });
  const gap = -(gapByValue(model, rival) ?? 0);
  if (gap < CLOSE) return close(model, option, rival);
  const found = differences(model, best, rival);
  const gains = gainsOf(model, best, rival, found, gap);
  const costs = givenUp(model, best, rival);
  if (gains.length) costs.push(...found.filter(([weight]) => weight < 0));
  else gains.push([gap, "why.gain.value", { n: whole(gap) }]);
  const said = (parts) => listed(parts.map(([, key, values]) => text(key, values)));
  const values = { option, other: optionName(rival), gains: said(gains) };
  return costs.length
    ? text("why.sentence.costs", { ...values, costs: said(costs.slice(0, 1)) })
    : text("why.sentence", values);
}

/** What was chosen, by the reader ("yours") or in the game ("played"), and what it is worth; "" if nothing was. */
function choicePart(model, decision, number, who) {
  if (number === null || number === undefined) return "";
  if (number === decision.chosen) return text(`why.${who}.same`);
  const choice = decision.options[number];
  const best = decision.options[decision.chosen];
  const option = text(`why.${who}`, { option: optionName(choice) });
  const gap = gapByValue(model, choice);
  const same = choice.kind === "discard" && best.kind === "discard" && choice.tiles[0] === best.tiles[0];
  if (gap === null) return text("why.choice", { option });
  if (!same && gap >= 1) return text("why.choice.better", { option, n: whole(gap) });
  if (same || gap > -1) return text("why.choice.free", { option });
  const values = { option, lost: whole(-gap), left: whole(-valueOf(model, choice, "gap")) };
  return text(Math.abs(valueOf(model, choice, "habit") ?? 0) < CLOSE ? "why.choice.lost" : "why.choice.habit", values);
}

/** The sentences about a decision: why the best option is best, what the reader chose and what was played; null without numbers. */
export function whyBest(model, decision) {
  const best = decision.options[decision.chosen];
  if (!best || (valueOf(model, best, "expPt") === null && best.kind !== "win")) return null;
  const { answer, played, chosen } = decision;
  const choices = [
    choicePart(model, decision, answer, "yours"),
    answer === played ? "" : choicePart(model, decision, played, "played"),
  ];
  // "it was played" stands right behind the best option, which it means
  if (played === chosen) choices.reverse();
  return [`\u2605 ${reason(model, decision)}`, ...choices].filter(Boolean).join(text("list.sentences"));
}
