/* Drawings of the 37 tiles and the back: a sprite of SVG symbols, 60 x 80 units each. */

import { html, svg } from "./dom.js";
import { tileName } from "./words.js";

const INK = "#20304a";
const RED = "#c4161c";
const GREEN = "#13734a";
const BLUE = "#1d4f9c";
const IVORY = "#fdf9ee";

/** Strokes of the characters in a box of 100 x 100. */
const STROKES = {
  1: "M8 52 Q50 44 92 50",
  2: "M22 26 Q50 22 78 25 M8 78 Q50 72 92 77",
  3: "M18 16 Q50 12 82 15 M26 48 Q50 45 74 47 M8 84 Q50 79 92 83",
  4: "M14 20 H86 V86 H14 Z M38 20 Q39 52 26 64 M60 20 V52 Q60 62 74 61",
  5: "M14 14 H86 M48 14 L36 84 M20 46 H74 L68 84 M6 86 H94",
  6: "M48 4 L54 22 M8 36 Q50 31 92 35 M38 52 Q32 74 12 92 M60 52 Q74 70 90 90",
  7: "M8 46 L92 32 M44 6 V74 Q44 88 58 88 H86 V72",
  8: "M38 18 Q34 62 8 90 M46 12 Q60 10 62 22 Q68 66 94 88",
  9: "M12 34 H66 V72 Q66 88 78 88 H92 V70 M42 6 Q44 66 8 94",
  man: "M6 14 H94 M33 4 V24 M67 4 V24 M24 33 H76 V57 H24 Z M24 45 H76 M50 33 V80 M12 96 V67 H88 V88 Q88 96 78 95 M50 80 L32 86 M60 74 L70 88",
  E: "M10 18 H90 M24 33 H76 V62 H24 Z M24 47 H76 M50 4 V97 M46 62 Q34 80 8 90 M54 62 Q66 80 92 90",
  S: "M12 17 H88 M50 3 V35 M15 96 V35 H85 V86 Q85 96 73 94 M37 43 L42 55 M63 43 L58 55 M32 59 H68 M29 73 H71 M50 59 V92",
  W: "M8 14 H92 M15 38 H85 V92 H15 Z M39 14 V40 Q39 64 24 70 M61 14 V56 Q61 66 74 65 H84",
  N: "M36 8 V94 M10 36 H36 M6 84 L36 70 M62 8 V78 Q62 90 73 90 H93 V74 M90 30 L62 48",
  F: "M12 12 H41 Q34 34 7 46 M14 24 L27 34 M58 5 Q68 30 94 44 M78 9 L66 20 M90 22 L75 31 M13 54 H40 V67 H16 V79 H42 Q43 97 29 95 M59 53 V60 Q57 68 50 71 M59 53 H78 V63 Q79 67 91 66 M52 77 H83 Q74 91 50 97 M58 80 Q72 92 93 97",
  C: "M15 27 H85 V64 H15 Z M50 4 V97",
};

/** The tiles of a text that separates them by spaces. */
export const tilesIn = (text) => text.split(" ").filter(Boolean);

/** The kind of a tile: a red five is a five. */
export const kindOf = (tile) => tile.slice(0, 2);

const PIPS = {
  1: [[31, 46]],
  2: [
    [31, 29],
    [31, 63],
  ],
  3: [
    [17, 26],
    [31, 46],
    [45, 66],
  ],
  4: [
    [20, 30],
    [43, 30],
    [20, 63],
    [43, 63],
  ],
  5: [
    [18, 27],
    [44, 27],
    [31, 46],
    [18, 66],
    [44, 66],
  ],
  6: [
    [20, 25],
    [43, 25],
    [20, 48],
    [43, 48],
    [20, 67],
    [43, 67],
  ],
  7: [
    [17, 19],
    [31, 26],
    [45, 33],
    [20, 50],
    [43, 50],
    [20, 68],
    [43, 68],
  ],
  8: [
    [21, 20],
    [42, 20],
    [21, 37],
    [42, 37],
    [21, 54],
    [42, 54],
    [21, 71],
    [42, 71],
  ],
  9: [
    [16, 23],
    [31, 23],
    [46, 23],
    [16, 46],
    [31, 46],
    [46, 46],
    [16, 69],
    [31, 69],
    [46, 69],
  ],
};
const PIP_RADIUS = [0, 17, 12, 10.5, 10.5, 10, 9, 7.6, 7.6, 7.4];
const PIP_COLOURS = {
  1: [RED],
  2: [GREEN, BLUE],
  3: [BLUE, RED, GREEN],
  4: [BLUE, GREEN, GREEN, BLUE],
  5: [BLUE, GREEN, RED, GREEN, BLUE],
  6: [GREEN, GREEN, RED, RED, RED, RED],
  7: [GREEN, GREEN, GREEN, RED, RED, RED, RED],
  8: Array(8).fill(BLUE),
  9: [BLUE, BLUE, BLUE, RED, RED, RED, GREEN, GREEN, GREEN],
};

const upright = (colour, ...places) => places.map(([x, y]) => [x, y, 0, colour]);
/** Bamboo sticks: middle x, middle y, slant in degrees, colour. */
const STICKS = {
  2: upright(GREEN, [31, 29], [31, 63]),
  3: upright(GREEN, [31, 29], [19, 63], [43, 63]),
  4: upright(GREEN, [20, 29], [42, 29], [20, 63], [42, 63]),
  5: [...upright(GREEN, [16, 29], [46, 29], [16, 63], [46, 63]), ...upright(RED, [31, 46])],
  6: upright(GREEN, [16, 29], [31, 29], [46, 29], [16, 63], [31, 63], [46, 63]),
  7: [...upright(RED, [31, 22]), ...upright(GREEN, [16, 45], [31, 45], [46, 45], [16, 68], [31, 68], [46, 68])],
  8: [
    ...upright(GREEN, [14, 29], [48, 29], [14, 63], [48, 63]),
    [26, 29, 28, GREEN],
    [36, 29, -28, GREEN],
    [26, 63, -28, GREEN],
    [36, 63, 28, GREEN],
  ],
  9: [
    ...upright(GREEN, [16, 23], [46, 23], [16, 46], [46, 46], [16, 69], [46, 69]),
    ...upright(RED, [31, 23], [31, 46], [31, 69]),
  ],
};
const STICK_HALF = [0, 0, 14, 14, 14, 14, 14, 10, 14, 10];
/** Strokes of the small figures in the corner, 100 high. */
const FIGURES = {
  1: "M14 24 L34 6 V94",
  2: "M8 28 Q10 6 30 6 Q52 6 52 28 Q52 46 8 94 H54",
  3: "M8 16 Q16 6 30 6 Q50 6 50 26 Q50 46 26 46 Q54 46 54 70 Q54 94 30 94 Q14 94 6 82",
  4: "M42 94 V6 L4 68 H58",
  5: "M50 6 H14 L10 46 Q20 38 32 38 Q54 38 54 66 Q54 94 30 94 Q14 94 6 82",
  6: "M48 12 Q40 6 32 6 Q8 8 8 56 Q8 94 31 94 Q54 94 54 67 Q54 42 32 42 Q12 42 8 64",
  7: "M6 6 H54 Q30 40 24 94",
  8: "M30 46 Q10 44 10 26 Q10 6 30 6 Q50 6 50 26 Q50 44 30 46 Q6 50 6 70 Q6 94 30 94 Q54 94 54 70 Q54 50 30 46",
  9: "M12 88 Q20 94 28 94 Q52 92 52 44 Q52 6 29 6 Q6 6 6 33 Q6 58 28 58 Q48 58 52 36",
  E: "M54 6 H10 V94 H54 M10 48 H46",
  S: "M52 20 Q44 6 30 6 Q10 6 10 26 Q10 42 30 48 Q54 54 54 72 Q54 94 30 94 Q12 94 6 78",
  W: "M2 6 L20 94 L40 20 L60 94 L78 6",
  N: "M8 94 V6 L58 94 V6",
};

function body(face, edge) {
  return [
    svg("rect", { x: 1, y: 1.5, width: 58, height: 77.5, rx: 6, fill: edge }),
    svg("rect", { x: 1, y: 1, width: 58, height: 74.5, rx: 6, fill: face, stroke: "#b9ae95", "stroke-width": 1 }),
  ];
}

/** Strokes moved to a place and size: a transformation would cost the browser more, for every tile shown. */
function placed(path, x, y, scale) {
  return path.replaceAll(/([MLQHV])([^A-Z]*)/g, (_all, command, numbers) => {
    const place = (value, at) => {
      const across = command === "H" || (command !== "V" && at % 2 === 0);
      return ((across ? x : y) + scale * value).toFixed(1);
    };
    return command + numbers.trim().split(" ").map(Number).map(place).join(" ");
  });
}

function strokes(d, stroke, width) {
  return svg("path", {
    d,
    fill: "none",
    stroke,
    "stroke-width": width.toFixed(1),
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });
}

/** The figure in the corner: strokes, because texts are the slowest part of a drawing. */
function index(name, colour) {
  return strokes(placed(FIGURES[name], 5, 5.5, 0.1), colour, 2);
}

function character(name, x, y, size, colour, width) {
  return strokes(placed(STROKES[name], x, y, size / 100), colour, (width * size) / 100);
}

/** Few shapes per tile, because every tile on the table copies them: circles of one colour are one path. */
function circlePath(places, radius) {
  return places
    .map(
      ([x, y]) =>
        `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`,
    )
    .join("");
}

function byColour(places, colours) {
  const groups = new Map();
  places.forEach((place, at) => groups.set(colours[at], [...(groups.get(colours[at]) ?? []), place]));
  return [...groups];
}

function pips(places, radius, colours) {
  return [
    byColour(places, colours).map(([colour, group]) => svg("path", { d: circlePath(group, radius), fill: colour })),
    svg("path", { d: circlePath(places, radius * 0.68), fill: "none", stroke: IVORY, "stroke-width": radius * 0.18 }),
    svg("path", { d: circlePath(places, radius * 0.26), fill: IVORY }),
  ];
}

function greatPip() {
  const petals = Array.from({ length: 8 }, (_, turn) => {
    const angle = (turn * Math.PI) / 4;
    return [31 + 12.5 * Math.cos(angle), 46 + 12.5 * Math.sin(angle)];
  });
  return [
    svg("circle", { cx: 31, cy: 46, r: 21, fill: "none", stroke: BLUE, "stroke-width": 3.2 }),
    svg("path", { d: circlePath(petals, 3), fill: GREEN, stroke: "none" }),
    svg("circle", { cx: 31, cy: 46, r: 17.5, fill: "none", stroke: GREEN, "stroke-width": 1.2 }),
    svg("circle", { cx: 31, cy: 46, r: 4.7, fill: IVORY, stroke: RED, "stroke-width": 4.6 }),
  ];
}

/** One bamboo: a rod with a knot, turned about its middle. */
function stickPath([x, y, slant], half, width, knot) {
  const angle = (slant * Math.PI) / 180;
  const turned = (dx, dy) =>
    `${(x + dx * Math.cos(angle) - dy * Math.sin(angle)).toFixed(1)} ${(y + dx * Math.sin(angle) + dy * Math.cos(angle)).toFixed(1)}`;
  const rod = `M${turned(0, -half + width / 2)}L${turned(0, half - width / 2)}`;
  return knot ? `${rod}M${turned(-1.2, 0)}L${turned(1.2, 0)}` : rod;
}

function sticks(places, half) {
  const line = (d, stroke, width) =>
    svg("path", { d, fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round" });
  const colours = places.map((place) => place[3]);
  const shine = places.flatMap(([x, y, slant]) => {
    const angle = (slant * Math.PI) / 180;
    return [-1, 1].map((way) => {
      const reach = half / 2 + 0.5;
      return stickPath(
        [x - way * reach * Math.sin(angle), y + way * reach * Math.cos(angle), slant],
        half / 2 - 2.5,
        1.5,
        false,
      );
    });
  });
  return [
    byColour(places, colours).map(([colour, group]) =>
      line(group.map((place) => stickPath(place, half, 6.8, true)).join(""), colour, 6.8),
    ),
    line(shine.join(""), IVORY, 1.5),
  ];
}

function bird() {
  return [
    svg("path", { d: "M30 68 L22 75 M35 68 L38 75", stroke: RED, "stroke-width": 2.4, "stroke-linecap": "round" }),
    svg("path", { d: "M38 50 Q54 46 55 24 Q46 30 42 38 Q42 28 36 22 Q32 34 33 44 Z", fill: BLUE }),
    svg("path", { d: "M16 34 Q10 58 30 68 Q46 70 48 54 Q38 56 32 46 Q28 40 26 32 Z", fill: GREEN }),
    svg("circle", { cx: 20.5, cy: 30, r: 8, fill: GREEN }),
    svg("path", { d: "M13.5 28 L6 32 L14 34 Z", fill: RED }),
    svg("path", { d: "M20 22 L17 16 M22 22 L23 15", stroke: RED, "stroke-width": 2.2, "stroke-linecap": "round" }),
    svg("circle", { cx: 19, cy: 29, r: 2.1, fill: "#fdf9ee" }),
    svg("path", {
      d: "M24 50 Q30 58 40 57 M22 56 Q28 64 38 63",
      stroke: "#fdf9ee",
      "stroke-width": 1.7,
      fill: "none",
      "stroke-linecap": "round",
    }),
  ];
}

function suited(number, suit, red) {
  if (suit === "m") {
    return [character(number, 16, 8, 32, red ? RED : INK, 12), character("man", 14, 40, 32, RED, 8.5)];
  }
  if (suit === "p") {
    if (number === 1) return greatPip();
    return pips(PIPS[number], PIP_RADIUS[number], red ? Array(5).fill(RED) : PIP_COLOURS[number]);
  }
  if (number === 1) return bird();
  return sticks(
    STICKS[number].map((place) => (red ? [...place.slice(0, 3), RED] : place)),
    STICK_HALF[number],
  );
}

function honor(name) {
  if (name === "P") {
    return [
      svg("rect", { x: 12, y: 15, width: 37, height: 51, rx: 3, fill: "none", stroke: BLUE, "stroke-width": 3.2 }),
      svg("rect", { x: 17, y: 20, width: 27, height: 41, rx: 2, fill: "none", stroke: BLUE, "stroke-width": 1.2 }),
    ];
  }
  const colour = { F: GREEN, C: RED }[name] ?? INK;
  return [character(name, 11, 20, 40, colour, name === "F" ? 8 : 10.5)];
}

function symbol(name) {
  const red = name.length === 3;
  if (name === "?") {
    return svg(
      "symbol",
      { id: "tile-back", viewBox: "0 0 60 80" },
      body("#d9963a", "#a86a1c"),
      svg("rect", { x: 8, y: 8, width: 44, height: 60, rx: 4, fill: "none", stroke: "#f3c888", "stroke-width": 1.6 }),
      svg("path", { d: "M30 20 L44 38 L30 56 L16 38 Z", fill: "none", stroke: "#f3c888", "stroke-width": 1.6 }),
    );
  }
  const face = body(IVORY, "#cdbf9d");
  if (name.length === 1) {
    return svg(
      "symbol",
      { id: `tile-${name}`, viewBox: "0 0 60 80" },
      face,
      FIGURES[name] ? index(name, "#6b6455") : null,
      honor(name),
    );
  }
  const number = Number(name[0]);
  const mark = red ? svg("path", { d: "M43 1 H54 Q59 1 59 6 V17 Z", fill: RED }) : null;
  return svg(
    "symbol",
    { id: `tile-${name}`, viewBox: "0 0 60 80" },
    face,
    mark,
    suited(number, name[1], red),
    index(name[0], red ? RED : "#6b6455"),
  );
}

/** Every tile name, the back as "?". */
const TILE_NAMES = [
  ...["m", "p", "s"].flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${number}${suit}`)),
  "E",
  "S",
  "W",
  "N",
  "P",
  "F",
  "C",
  "5mr",
  "5pr",
  "5sr",
  "?",
];

/** The hidden SVG that holds all symbols; put it into the page once. */
export function sprite() {
  return svg("svg", { width: 0, height: 0, "aria-hidden": "true", class: "sprite" }, TILE_NAMES.map(symbol));
}

/** Refer to a tile within a drawing; x and y are its upper left corner. */
export function tileAt(name, x, y, width) {
  const id = name === "?" ? "back" : name;
  return svg("use", { href: `#tile-${id}`, x, y, width, height: (width * 4) / 3 });
}

/** A tile as a small picture within text. */
export function tileIcon(name, label) {
  const id = name === "?" ? "back" : name;
  return svg(
    "svg",
    { class: "tile", viewBox: "0 0 60 80", role: "img", "aria-label": label },
    svg("use", { href: `#tile-${id}`, width: 60, height: 80 }),
  );
}

/** Several tiles in a row, each with its name. */
export function tileRow(tiles) {
  return html(
    "span",
    { class: "tiles" },
    tiles.map((tile) => tileIcon(tile, tileName(tile))),
  );
}
