/* What the others do is shown one by one at a pace to follow; messages stay in their order. */

const PACE = { slow: 1000, normal: 500, fast: 180, none: 0 };
const SHARE_OF_PACE = { start: 1, discard: 1, call: 1.5, riichi: 1.2, dora: 0.8 };
export const SPEEDS = Object.keys(PACE);

/** Milliseconds for which a message is shown before the next one. */
export function shownFor(message, seat, speed) {
  if (message.type !== "event" || message.facts.actor === seat) return 0;
  return PACE[speed] * (SHARE_OF_PACE[message.facts.type] ?? 0);
}

/** Make a queue that performs messages in order, each after the time of the one before. */
export function makePlayback(perform, timeOf) {
  const queue = [];
  let timer = null;

  function next() {
    timer = null;
    while (queue.length && timer === null) {
      const message = queue.shift();
      perform(message);
      const time = timeOf(message);
      if (time > 0) timer = setTimeout(next, time);
    }
  }

  return {
    add(message) {
      queue.push(message);
      if (timer === null) next();
    },
    clear() {
      queue.length = 0;
      clearTimeout(timer);
      timer = null;
    },
  };
}
