/* The player's habits: kept by this browser if it lets us. */

const DEFAULTS = { speed: "normal", noCalls: false, twice: matchMedia("(pointer: coarse)").matches, sound: false };
const KEY = "manue-table";

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

export const settings = { ...DEFAULTS, ...stored() };

/** Change a setting and keep it. */
export function keep(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // a browser that keeps nothing asks again next time
  }
}
