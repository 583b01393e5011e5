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
  let lastWord = null;

  function open() {
    socket = new WebSocket(address);
    socket.addEventListener("open", () => {
      if (lastWord !== null) {
        wanted = false;
        socket.send(lastWord);
        return;
      }
      pause = FIRST_PAUSE;
      changed("open");
    });
    socket.addEventListener("message", (event) => lastWord === null && heard(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      if (!wanted) return;
      if (event.code === TAKEN_OVER) {
        changed("elsewhere");
        return;
      }
      if (lastWord === null) changed("lost");
      setTimeout(open, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    });
  }

  open();
  return {
    open,
    send: (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message)),
    /** Send a last message, if need be once the lost line is open again, and take no notice of the line any more. */
    end: (message) => {
      lastWord = JSON.stringify(message);
      if (socket.readyState !== WebSocket.OPEN) return;
      wanted = false;
      socket.send(lastWord);
    },
  };
}
