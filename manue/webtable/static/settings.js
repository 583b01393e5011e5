/* The player's habits, kept by this browser if it lets us: in a cookie, since every table has a port of its own, and
   other storage belongs to a port. */

const DEFAULTS = { speed: "normal", noCalls: false, twice: matchMedia("(pointer: coarse)").matches, sound: false };
const NAME = "manue-table=";
const SECONDS = 365 * 24 * 3600;

function stored() {
  try {
    const found = document.cookie.split("; ").find((one) => one.startsWith(NAME));
    return JSON.parse(decodeURIComponent(found.slice(NAME.length))) ?? {};
  } catch {
    return {};
  }
}

export const settings = { ...DEFAULTS, ...stored() };

/** Change a setting and keep it. */
export function keep(name, value) {
  settings[name] = value;
  const words = encodeURIComponent(JSON.stringify(settings));
  document.cookie = `${NAME}${words}; max-age=${SECONDS}; path=/; SameSite=Strict`;
}
