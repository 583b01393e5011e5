/* What the reader has answered: the tab keeps it while the page is loaded anew, as in another language. */

import { byId } from "./dom.js";

/** Pages differ by their addresses, and by the checksum at the end of their data. */
const answersKey = () => `manue-answers ${location.pathname} ${byId("data").textContent.trim().slice(-12)}`;

/** Keep all answers, each as seat, moment and number of the option. */
export function keepAnswers(model) {
  const found = model.decisions.flatMap((list, seat) =>
    list.filter(({ answer }) => answer !== undefined).map(({ at, answer }) => [seat, at, answer]),
  );
  try {
    sessionStorage.setItem(answersKey(), JSON.stringify(found));
  } catch {
    // a browser that keeps nothing asks again
  }
}

/** Give the decisions the answers that were kept. */
export function restoreAnswers(model) {
  try {
    for (const [seat, at, answer] of JSON.parse(sessionStorage.getItem(answersKey())) ?? [])
      model.decisionAt[seat].get(at).answer = answer;
  } catch {
    // as above
  }
}

/** Forget all answers: loaded anew, the page asks again. */
export function forgetAnswers() {
  try {
    sessionStorage.removeItem(answersKey());
  } catch {
    // nothing was kept
  }
}
