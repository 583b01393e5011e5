/* The language of who reads a page of the table. */

import { byId } from "../review/dom.js";
import { bestLanguage, fillTexts, useTexts } from "../review/language.js";

/** Speak the reader's language, of those that the page has, and fill in the static texts. */
export function speakToReader() {
  const texts = JSON.parse(byId("texts").textContent);
  const language = bestLanguage(Object.keys(texts), navigator.languages);
  document.documentElement.lang = language;
  useTexts(texts[language]);
  fillTexts(document);
}
