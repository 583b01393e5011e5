/* Why a discard is as dangerous as it is, opponent by opponent. */

import { html } from "./dom.js";
import { hasText, listed, text } from "./language.js";
import { ARROWS } from "./table.js";
import { percent, whole } from "./words.js";

/** A fact and whether it makes the tile more or less dangerous than the average one. */
function fact([key, number, weight]) {
  const words = hasText(`reason.${key}`) ? text(`reason.${key}`, { n: number }) : key;
  return weight > 0 ? text("reason.more", { reason: words }) : text("reason.less", { reason: words });
}

/** The reasons in the words of logs of earlier versions: a path, and how often such tiles dealt in. */
function formerPath(entry) {
  const path = entry.path.join("; ").replaceAll("<=", "\u2264").replaceAll(">=", "\u2265");
  if (!entry.samples) return path;
  const cases = text("detail.cases", { share: percent(entry.prob ?? 0), n: whole(entry.samples) });
  return `${path} \u00B7 ${cases}`;
}

function explained(entry, rated, name) {
  const chance = rated === null ? null : percent(rated / 1000);
  const why = entry.words ? listed(entry.words.map(fact)) : formerPath(entry);
  return html(
    "li",
    {},
    html("b", {}, text("detail.danger.of", { name, reasons: "" })),
    [chance, why].filter(Boolean).join(" \u00B7 "),
  );
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
