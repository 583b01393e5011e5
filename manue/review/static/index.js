/* The index over several reviews holds its text in one language or in all: the reader's is shown. */

import { bestLanguage } from "./language.js";

const parts = [...document.querySelectorAll("main")];
const reader = bestLanguage(
  parts.map((part) => part.lang),
  navigator.languages,
);
for (const part of parts) part.hidden = part.lang !== reader;
document.documentElement.lang = reader;
document.title = parts.find((part) => !part.hidden).dataset.title;
