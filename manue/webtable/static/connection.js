/* The line to the table: it is opened again whenever it is lost, and the table shows the seat as it is. */

const TAKEN_OVER = 4001;
/** How the table hangs up because it is at an end itself. */
const GONE = 1001;
/** How it hangs up on a player who has left. */
const DONE = [4004, 1000, GONE];
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;
const QUESTION_MS = 4000;
/** Questions without an answer after which a line is given up: it may be dead without anybody having noticed. */
const UNANSWERED = 3;

/** Connect; `heard` gets every message, `changed` gets "open", "lost", "elsewhere" or "gone". */
export function connect(heard, changed) {
  const address = new URL(`/seat${location.search}`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.searchParams.set("page", Math.random().toString(36).slice(2)); // by which a new line is known for ours
  let socket = null;
  let asking = null;
  let pause = FIRST_PAUSE;
  let lastWord = null;
  let seated = false;

  const send = (message) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));

  /** Forget the socket: whatever it still says or does means nothing. */
  function drop() {
    clearInterval(asking);
    const gone = socket;
    socket = null;
    gone?.close();
  }

  function again() {
    drop();
    if (lastWord === null) changed("lost");
    setTimeout(() => socket === null && open(), pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }

  /** Ask now and then whether the table hears: a line that died silently would else be waited for for ever. */
  function ask(line) {
    line.unanswered += 1;
    if (line.unanswered > UNANSWERED) again();
    else send({ type: "alive" });
  }

  /** Open a line; one that returns by itself does not take the seat from a page that was opened since. */
  function open() {
    drop();
    const line = { unanswered: 0 };
    const target = new URL(address);
    if (seated && lastWord === null) target.searchParams.set("returns", "1");
    const mine = new WebSocket(target);
    const listen = (name, act) => mine.addEventListener(name, (event) => mine === socket && act(event));
    socket = mine;
    asking = setInterval(ask, QUESTION_MS, line);
    listen("open", () => {
      pause = FIRST_PAUSE;
      if (lastWord === null) changed("open");
      else send(lastWord);
    });
    listen("message", ({ data }) => {
      line.unanswered = 0;
      seated = true;
      const message = JSON.parse(data);
      if (lastWord === null && message.type !== "alive") heard(message);
    });
    listen("close", ({ code }) => {
      if (lastWord !== null && DONE.includes(code)) drop();
      else if (code === GONE) {
        drop();
        changed("gone");
      } else if (code === TAKEN_OVER) {
        seated = false;
        drop();
        if (lastWord === null) changed("elsewhere");
      } else again();
    });
  }

  open();
  return {
    open,
    send,
    /** Send a last message until the table hangs up, over a new line if need be, and take no notice of it any more. */
    end: (message) => {
      lastWord = message;
      if (socket === null) open();
      else send(lastWord);
    },
  };
}
