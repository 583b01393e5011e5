/* The data of the page: frames are unpacked once, then looked up by number. */

/** Apply one step: arrays and plain values replace, {"+": tail} appends, {"@": {i: step}} changes elements. */
export function applied(old, step) {
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
    frames: unpacked(data.frames),
    decisionAt: data.decisions.map((list) => new Map(list.map((decision) => [decision.at, decision]))),
  };
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
