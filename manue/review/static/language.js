/* The texts of the page: one table per language, with equal keys, and the language that the reader wants. */

let known = {};

/** The best of some languages for a reader who prefers, in this order, those of a list like navigator.languages. */
export function bestLanguage(available, preferred) {
  for (const wanted of preferred) {
    const spoken = wanted.toLowerCase().split("-")[0];
    const found = available.find((name) => name.toLowerCase().split("-")[0] === spoken);
    if (found) return found;
  }
  return available[0];
}

/** Speak with the texts of a table from now on: every page calls this before anything is drawn. */
export function useTexts(texts) {
  known = texts;
}

/** A text with the values put in: {n}, or a word for 1 and one for other numbers: {n:tile|tiles}. */
export function text(key, values = {}) {
  if (!Object.hasOwn(known, key)) throw new Error(`no text ${key}`);
  const words = known[key];
  if (!words.includes("{")) return words;
  return words.replaceAll(/\{(\w+)(?::([^|{}]*)\|([^{}]*))?\}/g, (_all, name, one, many) => {
    if (one === undefined) return String(values[name]);
    return String(values[name]) === "1" ? one : many;
  });
}

/** Whether there is such a text; only for names that come from outside. */
export function hasText(key) {
  return Object.hasOwn(known, key);
}

/** Several words as one list. */
export function listed(words) {
  return words.join(text("list.comma"));
}

/** Fill in the texts of static elements: data-text for content, data-label for label and title, data-key their key. */
export function fillTexts(root) {
  for (const part of root.querySelectorAll("[data-text]")) part.textContent = text(part.dataset.text);
  for (const part of root.querySelectorAll("[data-label]")) {
    const label = text(part.dataset.label);
    part.setAttribute("aria-label", label);
    if (part.dataset.key) part.title = text("page.key", { label, key: part.dataset.key });
  }
}
