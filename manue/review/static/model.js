/* The data of the page: frames are unpacked once, then looked up by number. */

import { apart } from "./words.js";

/** Apply one step: arrays and plain values replace, {"+": tail} appends, {"@": {i: step}} changes elements. */
function applied(old, step) {
  if (step === null || typeof step !== "object" || Array.isArray(step)) return step;
  if ("+" in step) return [...old, ...step["+"]];
  const [copy, changes] = "@" in step ? [[...old], step["@"]] : [{ ...old }, step];
  for (const [key, change] of Object.entries(changes)) copy[key] = applied(copy[key], change);
  return copy;
}

function unpacked(steps) {
  const frames = [];
  let frame = {};
  for (const step of steps) {
    frame = applied(frame, step);
    frames.push(frame);
  }
  return frames;
}

/** Decode the characters of the page's data block to JSON text. */
export async function unzipped(letters) {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Read the page's data: frames, and for each seat the decision made at a frame. */
export function readModel(text) {
  const data = JSON.parse(text);
  return {
    ...data,
    names: data.names.map(apart),
    frames: unpacked(data.frames),
    decisionAt: data.decisions.map((list) => new Map(list.map((decision) => [decision.at, decision]))),
  };
}

/** The seats in the order of their places at the end of the game. */
export function seatsByPlace(places) {
  return [0, 1, 2, 3].toSorted((one, two) => places[one] - places[two]);
}

/** The number of the round a frame belongs to. */
export function roundAt(model, at) {
  return model.rounds.findLastIndex((round) => round.start <= at);
}

/** The nearest decision of a seat before (-1) or after (+1) a frame, or the frame itself if there is none. */
export function nextDecision(model, seat, at, direction) {
  const places = model.decisions[seat].map((decision) => decision.at);
  const found = direction > 0 ? places.find((place) => place > at) : places.findLast((place) => place < at);
  return found ?? at;
}

/** The start of the round before or after. */
export function nextRound(model, at, direction) {
  const round = roundAt(model, at);
  if (direction < 0 && at > model.rounds[round].start) return model.rounds[round].start;
  const other = Math.min(Math.max(round + direction, 0), model.rounds.length - 1);
  return direction > 0 && other === round ? model.frames.length - 1 : model.rounds[other].start;
}

/** One number of an option, or null if the log has none. */
export function valueOf(model, option, column) {
  return option?.row?.[model.columns.indexOf(column)] ?? null;
}

/**
 * How the round ends after an option, as parts that add up to 1: [kind, share] of win, now (deal-in with the
 * discard), later (deal-in with another tile), others, draw. The annotation's chances hold once the discard has
 * passed; these do not depend on that. Null if the log has too few numbers.
 */
export function chancesOf(model, option) {
  const [win, now, draw, others, later] = [
    "horaProb",
    "unsafeProb",
    "ryukyokuProb",
    "otherHoraProb",
    "hojuLaterProb",
  ].map((column) => valueOf(model, option, column));
  if (win === null) return null;
  const risk = now ?? 0;
  const passed = 1 - risk;
  const parts = [
    ["win", passed * win],
    ["now", risk],
  ];
  if (later !== null) parts.push(["later", passed * later]);
  if (others !== null && later !== null) parts.push(["others", passed * Math.max(0, others - later)]);
  else if (others !== null) parts.push(["others.all", passed * others]);
  if (draw !== null) parts.push(["draw", passed * draw]);
  const known = parts.reduce((sum, [, share]) => sum + share, 0);
  if (known > 1) return parts.map(([kind, share]) => [kind, share / known]);
  if (others === null || draw === null) return [...parts, ["rest", 1 - known]];
  return parts.map(([kind, share]) => [kind, share + (kind.startsWith("others") ? 1 - known : 0)]);
}

/** What is left of an option's gap to the best without the part of habit; null if unknown. */
export function gapByValue(model, option) {
  const gap = valueOf(model, option, "gap");
  return gap === null ? null : gap - (valueOf(model, option, "habit") ?? 0);
}

/** The number of the option that Mortal valued most; -1 if the log does not have its values. */
export function mortalChoice({ mortal = [] }) {
  const known = mortal.filter((value) => value !== null);
  return known.length ? mortal.indexOf(Math.max(...known)) : -1;
}
