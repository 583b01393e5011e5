#!/usr/bin/env node
// A Mjai bot: it discards the loneliest tile of its hand, never calls, never wins.
"use strict";

let seat = 0, hand = [], drawn = "", riichi = false;

// Count the tiles of the hand that could form a set with a tile.
function company(tile) {
  const same = hand.filter((other) => other === tile).length;
  if (tile.length === 1) return 2 * same; // an honor
  const suit = hand.filter((other) => other[1] === tile[1]);
  return same + suit.filter((other) => Math.abs(other[0] - tile[0]) < 3).length;
}

// Follow an event; return the reply to it.
function answer(event) {
  const kind = event.type, own = event.actor === seat;
  if (kind === "start_game") {
    seat = event.id;
  } else if (kind === "start_kyoku") {
    hand = [...event.tehais[seat]];
    riichi = false;
  } else if (own && kind === "tsumo") {
    drawn = event.pai;
    hand.push(drawn);
  } else if (own && ["dahai", "kakan", "chi", "pon", "daiminkan", "ankan"].includes(kind)) {
    const gone = ["dahai", "kakan"].includes(kind) ? [event.pai] : event.consumed;
    for (const tile of gone) hand.splice(hand.indexOf(tile), 1);
    drawn = "";
  } else if (own && kind === "reach_accepted") {
    riichi = true;
  }
  if (!own || !["tsumo", "chi", "pon", "reach"].includes(kind)) return { type: "none" };
  const tile = riichi ? drawn : hand.reduce((a, b) => (company(b) < company(a) ? b : a));
  return { type: "dahai", actor: seat, pai: tile, tsumogiri: tile === drawn };
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const event = JSON.parse(line);
  const reply = answer(event);
  // under cmd: only lines without "can_act":false are answered
  if (event.can_act !== false) console.log(JSON.stringify(reply));
});
