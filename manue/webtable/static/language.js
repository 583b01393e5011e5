/* The language of the page: the one the server names, else the first of the browser's that we have. */

import { MESSAGES } from "./messages.js";

function chosen() {
  const asked = [document.documentElement.dataset.lang, ...navigator.languages];
  return asked.map((name) => name.slice(0, 2).toLowerCase()).find((name) => name in MESSAGES) ?? "en";
}

const LANGUAGE = chosen();
document.documentElement.lang = LANGUAGE === "zh" ? "zh-Hans" : LANGUAGE;

/** The message of a key, its {places} filled in. */
export function text(key, values = {}) {
  return MESSAGES[LANGUAGE][key].replaceAll(/\{(\w+)\}/g, (_, place) => String(values[place]));
}

/** Put messages where the static page names them: data-text for the content, data-label for the name. */
export function translatePage() {
  for (const part of document.querySelectorAll("[data-text]")) part.textContent = text(part.dataset.text);
  for (const part of document.querySelectorAll("[data-label]"))
    part.setAttribute("aria-label", text(part.dataset.label));
}
