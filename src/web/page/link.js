// The connection to the program: requests with answers, and what it tells by itself.

const waiting = new Map();
const listeners = new Set();
let socket;
let number = 0;
let pause = 250;

/** Tells `listener` every message of the program, and `{type: 'connected'}` and `{type: 'lost'}`. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const tell = (message) => listeners.forEach((listener) => listener(message));

export function connect() {
  socket = new WebSocket(`ws://${location.host}/live`);
  socket.onopen = () => {
    pause = 250;
    tell({ type: 'connected' });
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type !== 'answer' && message.type !== 'error') return tell(message);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'error') (asked?.reject ?? console.warn)(new Error(message.error));
    else asked?.resolve(message.data);
  };
  socket.onclose = () => {
    for (const { reject } of waiting.values()) reject(new Error('the connection is lost'));
    waiting.clear();
    tell({ type: 'lost' });
    setTimeout(connect, pause);
    pause = Math.min(2 * pause, 5000);
  };
}

/** Asks the program; the promise gives its answer, or what was wrong. */
export function ask(what, fields) {
  return new Promise((resolve, reject) => {
    if (socket?.readyState !== WebSocket.OPEN) return reject(new Error('the program does not answer'));
    const id = ++number;
    waiting.set(id, { resolve, reject });
    socket.send(JSON.stringify({ id, do: what, ...fields }));
  });
}
