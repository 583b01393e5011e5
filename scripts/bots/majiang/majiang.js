// majiang-ai (Satoshi Kobayashi, MIT) as a Mjai bot on standard input and output: a line for each event, an
// answer where there is a choice. Its words are those of Majiang: l is the seat wind 0-3, p a tile as m1 or
// m0 (a red five), m a meld as m34-5, the tile before + = - taken from the next, opposite, previous player.
//
//   npm ci --prefix scripts/bots/majiang
//   manue match --seats "majiang=cmd-keep:node scripts/bots/majiang/majiang.js,greedy" --format one-three ...
"use strict";

const readline = require("node:readline");
const Majiang = require("@kobalab/majiang-core");
const Player = require("@kobalab/majiang-ai");

const HONORS = "ESWNPFC";
const FROM = ["", "+", "=", "-"];
const RULE = Majiang.rule({ "リーチ後暗槓許可レベル": 1 }); // as on Tenhou: no closed kan that changes the hand
const NONE = { type: "none" };

function tileOf(pai) {
  const honor = HONORS.indexOf(pai);
  if (honor >= 0) return `z${honor + 1}`;
  return pai[1] + (pai.endsWith("r") ? 0 : pai[0]);
}

function paiOf(p) {
  if (p[0] === "z") return HONORS[p[1] - 1];
  return p[1] === "0" ? `5${p[0]}r` : p[1] + p[0];
}

const paisOf = (suit, digits) => [...digits].map((digit) => paiOf(suit + digit));

function handOf(pais) {
  const tiles = pais.map(tileOf);
  return [..."mpsz"].map((suit) => {
    const own = tiles.filter((p) => p[0] === suit);
    return own.length ? suit + own.map((p) => p[1]).join("") : "";
  }).join("");
}

class Bridge {
  // Follow an event; return the answer to it, if one is due.
  answer({ can_act, ...event }) {
    const handler = this[`on_${event.type}`];
    this.due = false;
    if (event.type !== "dora") this.tellKan();
    if (handler === undefined) return can_act === false ? undefined : NONE;
    this.due = can_act !== false;
    return handler.call(this, event) ?? (this.due ? NONE : undefined);
  }

  wind(seat) {
    return (seat - this.dealer + 4) % 4;
  }

  // Hand a message to the player; return what it chooses, if asked.
  tell(message) {
    let choice;
    this.player.action(message, this.due ? (given) => { choice = given; } : undefined);
    return choice;
  }

  on_start_game({ id }) {
    this.me = id;
    this.player = new Player();
    this.player.action({ kaiju: { id, rule: RULE, title: "", player: ["0", "1", "2", "3"], qijia: 0 } });
  }

  on_start_kyoku(event) {
    this.dealer = event.oya;
    this.rinshan = false;
    this.riichi = null; // the seat that has declared and not yet discarded
    this.pons = {};
    const seats = [0, 1, 2, 3].map((l) => (this.dealer + l) % 4);
    this.tell({ qipai: {
      zhuangfeng: HONORS.indexOf(event.bakaze),
      jushu: this.dealer,
      changbang: event.honba,
      lizhibang: event.kyotaku,
      defen: seats.map((seat) => event.scores[seat]),
      baopai: tileOf(event.dora_marker),
      shoupai: seats.map((seat) => (seat === this.me ? handOf(event.tehais[seat]) : "")),
    } });
  }

  on_tsumo({ actor, pai }) {
    this.last = { actor, pai };
    const zimo = { l: this.wind(actor), p: actor === this.me ? tileOf(pai) : "" };
    const choice = this.tell(this.rinshan ? { gangzimo: zimo } : { zimo });
    this.rinshan = false;
    return this.move(choice);
  }

  on_dahai({ actor, pai, tsumogiri }) {
    this.last = { actor, pai };
    const p = tileOf(pai) + (tsumogiri ? "_" : "") + (this.riichi === actor ? "*" : "");
    this.riichi = null;
    return this.move(this.tell({ dapai: { l: this.wind(actor), p } }));
  }

  on_reach({ actor }) {
    this.riichi = actor;
    return actor === this.me && this.due ? this.planned : undefined;
  }

  on_chi(event) { return this.call(event); }
  on_pon(event) { return this.call(event); }
  on_daiminkan(event) { this.rinshan = true; return this.call(event); }

  call({ type, actor, target, pai, consumed }) {
    const taken = tileOf(pai);
    const own = consumed.map((one) => tileOf(one)[1]).sort().reverse().join("");
    const meld = taken[0] + own + taken[1] + FROM[(target - actor + 4) % 4];
    const m = Majiang.Shoupai.valid_mianzi(meld);
    if (type === "pon") this.pons[`${actor} ${this.kind(taken)}`] = m;
    return this.move(this.tell({ fulou: { l: this.wind(actor), m } }));
  }

  kind(p) {
    return p[0] + (Number(p[1]) || 5);
  }

  on_ankan({ actor, consumed }) {
    const tiles = consumed.map(tileOf);
    const m = Majiang.Shoupai.valid_mianzi(tiles[0][0] + tiles.map((p) => p[1]).join(""));
    return this.kan(actor, paiOf(this.kind(tiles[0])), m);
  }

  on_kakan({ actor, pai }) {
    const added = tileOf(pai);
    return this.kan(actor, pai, this.pons[`${actor} ${this.kind(added)}`] + added[1]);
  }

  kan(actor, pai, m) {
    this.last = { actor, pai };
    this.rinshan = true;
    this.kept = { gang: { l: this.wind(actor), m } };
    // one that asks nothing yet may be robbed after the indicator that follows: the player is asked but once
    if (this.due || actor === this.me) return this.tellKan();
  }

  tellKan() {
    const message = this.kept;
    this.kept = undefined;
    return message && this.move(this.tell(message));
  }

  on_dora({ dora_marker }) {
    this.player.action({ kaigang: { baopai: tileOf(dora_marker) } });
    return this.tellKan();
  }

  // The Mjai reply that means what the player chose.
  move(choice) {
    if (!choice) return undefined;
    const actor = this.me;
    const { actor: target, pai } = this.last;
    if (choice.hule) return { type: "hora", actor, target, pai };
    if (choice.daopai) return { type: "ryukyoku", actor, reason: "kyushukyuhai" };
    if (choice.gang) return this.ownKan(choice.gang);
    if (choice.fulou) return this.taken(choice.fulou);
    if (!choice.dapai) return undefined;
    const p = choice.dapai;
    const discard = { type: "dahai", actor, pai: paiOf(p), tsumogiri: p.includes("_") };
    if (!p.endsWith("*")) return discard;
    this.planned = discard;
    return { type: "reach", actor };
  }

  ownKan(m) {
    const actor = this.me;
    if (/\d{4}$/.test(m)) return { type: "ankan", actor, consumed: paisOf(m[0], m.slice(1)) };
    const digits = m.replace(/\D/g, "");
    return { type: "kakan", actor, pai: paiOf(m[0] + digits[3]), consumed: paisOf(m[0], digits.slice(0, 3)) };
  }

  taken(m) {
    const { actor: target, pai } = this.last;
    const consumed = paisOf(m[0], m.slice(1).replace(/\d[+=-]/, ""));
    const called = consumed.length === 3 ? "daiminkan" : new Set(m.slice(1).match(/\d/g).map((d) => Number(d) || 5)).size === 1 ? "pon" : "chi";
    return { type: called, actor: this.me, target, pai, consumed };
  }
}

const bridge = new Bridge();
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const reply = bridge.answer(JSON.parse(line));
  if (reply !== undefined) process.stdout.write(`${JSON.stringify(reply)}\n`);
});
