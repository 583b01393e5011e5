/* The line to the table: it is opened again whenever it is lost, and the table shows the seat as it is. */

const TAKEN_OVER = 4001;
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;

/** Connect; `heard` gets every message, `changed` gets "open", "lost" or "elsewhere". */
export function connect(heard, changed) {
  const address = new URL(`/seat${location.search}`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  let socket = null;
  let pause = FIRST_PAUSE;
  let wanted = true;

  function open() {
    socket = new WebSocket(address);
    socket.addEventListener("open", () => {
      pause = FIRST_PAUSE;
      changed("open");
    });
    socket.addEventListener("message", (event) => heard(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      if (!wanted) return;
      if (event.code === TAKEN_OVER) {
        changed("elsewhere");
        return;
      }
      changed("lost");
      setTimeout(open, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    });
  }

  open();
  return {
    open,
    send: (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message)),
    end: () => {
      wanted = false;
    },
  };
}
