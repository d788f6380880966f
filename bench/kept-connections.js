// What a listener on the socket of an HTTP request leaves behind, as the socket is kept: bytes of the heap per request, and listeners. And
// how often a connection is tried whose listeners for `error` and `close` both connect again, with the packages `net` and, if it is there,
// `ws`.
//   node --expose-gc bench/kept-connections.js
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';

const REQUESTS = 1000;
const ROUNDS = 10;
process.on('warning', () => {}); // MaxListenersExceededWarning, each time

const heap = () => {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};

/** `sent` gets the request that is sent and its socket, `answered` the response. */
async function bytesOf(name, { sent, answered }) {
  const server = http.createServer((request, response) => {
    answered?.(response);
    response.end('ok');
  });
  await once(server.listen(0), 'listening');
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let kept;
  const send = async () => {
    const request = http.get({ port: server.address().port, agent });
    request.on('socket', (socket) => {
      kept = socket;
      sent?.(request, socket);
    });
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
  };
  for (let i = 0; i < 100; i++) await send();
  const before = heap();
  for (let i = 0; i < REQUESTS; i++) await send();
  const bytes = Math.round((heap() - before) / REQUESTS);
  console.log(
    `${process.version} ${name}: ${bytes} bytes per request, listeners: ${kept.listenerCount('timeout')} timeout, ${kept.listenerCount('connect')} connect`,
  );
  agent.destroy();
  server.close();
}

async function attemptsOf(name, connect, stops) {
  const closed = net.createServer();
  await once(closed.listen(0), 'listening');
  const { port } = closed.address();
  closed.close();
  let attempts = 0;
  let open = 0;
  await new Promise((resolve) => {
    const start = (round) => {
      attempts += 1;
      open += 1;
      const connection = connect(port);
      const again = () => {
        if (round < ROUNDS) setTimeout(start, 10, round + 1);
      };
      connection.on('error', stops ? () => {} : again);
      connection.on('close', () => {
        again();
        setTimeout(() => --open === 0 && resolve(), 50);
      });
    };
    start(1);
  });
  console.log(`${process.version} ${name}: ${attempts} attempts in ${ROUNDS} rounds`);
}

await bytesOf('nothing', {});
await bytesOf('on the request', { sent: (request) => request.setTimeout(5000, () => request.destroy()) });
await bytesOf("socket.on('timeout')", { sent: (request, socket) => socket.on('timeout', () => request.destroy()) });
await bytesOf('socket.setTimeout(ms, …)', { sent: (request, socket) => socket.setTimeout(5000, () => request.destroy()) });
await bytesOf("socket.once('connect')", { sent: (request, socket) => socket.once('connect', () => request.path) });
await bytesOf("res.socket.on('close')", { answered: (response) => response.socket.on('close', () => response.destroy()) });
await attemptsOf('net, on close', (port) => net.connect(port), true);
await attemptsOf('net, on both', (port) => net.connect(port), false);
const { WebSocket } = await import('ws').catch(() => ({}));
if (WebSocket) await attemptsOf('ws, on both', (port) => new WebSocket(`ws://127.0.0.1:${port}`), false);
