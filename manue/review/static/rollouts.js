/* What playing close options on to the end of the round said of them. */

import { html } from "./dom.js";
import { text } from "./language.js";
import { optionName, signed, whole } from "./words.js";

function sentence(option, best) {
  const [worlds, gain, error] = option.rollout;
  const values = { worlds: whole(worlds), option: optionName(option), best: optionName(best) };
  const found = text("rollout.gain", { ...values, gain: signed(gain), error: whole(error) });
  return Math.abs(gain) <= error ? text("rollout.unclear", { gain: found }) : found;
}

/** One sentence for each option that was played on beside the best. */
export function rolloutNotes(decision) {
  const best = decision.options[decision.chosen];
  return decision.options
    .filter((option) => option.rollout && option !== best)
    .map((option) => html("p", { class: "note rollout" }, sentence(option, best)));
}
