/* The page of a review that is still being computed: says how far it is, and gives way to the review. */

import { byId } from "../review/dom.js";
import { text } from "../review/language.js";
import { speakToReader } from "./reader.js";

const EVERY_MS = 500;

/** Say why there will be no review. */
function giveUp(words) {
  byId("state").textContent = words;
  byId("judged").hidden = true;
  document.documentElement.dataset.state = "failed";
}

function showShare(share) {
  byId("bar").value = share;
  byId("share").textContent = text("percent", { n: Math.floor(100 * share) });
}

/** Ask the table how far it is. */
async function progress() {
  const answer = await fetch(`/review/progress${location.search}`);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

async function follow() {
  let found;
  try {
    found = await progress();
  } catch {
    giveUp(text("sit.line.gone"));
    return;
  }
  if (found.ready) location.reload();
  else if (found.failure !== null) giveUp(text(`sit.review.failed.${found.failure}`));
  else {
    showShare(found.share);
    setTimeout(follow, EVERY_MS);
  }
}

speakToReader();
document.title = text("sit.review.title");
follow();
