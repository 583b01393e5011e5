/* Why a discard is as dangerous as it is, opponent by opponent. */

import { html } from "./dom.js";
import { text } from "./language.js";
import { ARROWS } from "./table.js";
import { percent, whole } from "./words.js";

function explained(entry, rated, name) {
  const path = entry.path.join("; ").replaceAll("<=", "\u2264").replaceAll(">=", "\u2265");
  const cases = entry.samples
    ? text("detail.cases", { share: percent(entry.prob ?? 0), n: whole(entry.samples) })
    : null;
  const chance = rated === null ? null : percent(rated / 1000);
  const notes = [chance, path, cases].filter(Boolean).join(" \u00B7 ");
  return html("li", {}, html("b", {}, `${name}: `), notes);
}

/** The dangers of an option's discard, with the reasons. */
export function dangerList(model, option, own) {
  const entries = (option.explain ?? []).flatMap((entry, seat) =>
    entry === null
      ? []
      : [explained(model.texts[entry[0]], entry[1], `${ARROWS[(seat - own + 4) % 4]} ${model.names[seat]}`)],
  );
  return entries.length ? [html("h3", {}, text("detail.danger")), html("ul", { class: "reasons" }, entries)] : [];
}
