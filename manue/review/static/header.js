/* The head of the page: who played, how it ended, when, by which rules; and the choice of language. */

import { html, replace } from "./dom.js";
import { text } from "./language.js";
import { seatsByPlace } from "./model.js";
import { whole } from "./words.js";

function rules(game) {
  const words = [text(game.east ? "game.east" : "game.hanchan")];
  if (game.red !== null) words.push(text(game.red ? "game.red" : "game.nored"));
  if (game.kuitan === false) words.push(text("game.nokuitan"));
  if (game.date) words.unshift(game.date);
  if (game.cut) words.push(text("game.unfinished"));
  return words.join(" \u00B7 ");
}

/** Fill the head: players with their scores, by place if the game was finished, then date and rules. */
export function showHeader(model, holder) {
  const { places, scores } = model.game;
  replace(
    holder,
    html(
      "ol",
      { class: "players", "aria-label": text(places ? "game.players" : "game.players.unfinished") },
      (places ? seatsByPlace(places) : [0, 1, 2, 3]).map((seat) =>
        html(
          "li",
          {},
          html("span", { class: "place" }, places ? text("result.place", { n: places[seat] }) : "\u2013"),
          html("span", { class: "player", dir: "auto" }, model.names[seat]),
          html("b", {}, whole(scores[seat])),
        ),
      ),
    ),
    html("p", { class: "note" }, rules(model.game)),
  );
  // a name that is cut off is shown whole while it has the focus
  for (const name of holder.querySelectorAll(".player")) if (name.scrollWidth > name.clientWidth) name.tabIndex = 0;
}

/** Offer the languages that the page holds; the choice reloads it. */
export function showLanguages(tables, language, holder, choose) {
  const names = Object.keys(tables);
  holder.hidden = names.length < 2;
  const select = holder.querySelector("select");
  replace(
    select,
    names.map((name) =>
      html("option", { value: name, lang: name, selected: name === language }, tables[name]["language.name"]),
    ),
  );
  select.addEventListener("change", () => choose(select.value));
}
