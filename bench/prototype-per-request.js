// What Object.setPrototypeOf on every request costs a bare http server: node bench/prototype-per-request.js
// Counts the server's own processor time per request, which other work on the machine hardly changes. The client runs in another process.
import { fork } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';
import { fileURLToPath } from 'node:url';

const CONNECTIONS = 20;
const WARM_UP = 5000;
const COUNTED = 20_000;
const ROUNDS = 3;
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const [role, argument] = process.argv.slice(2);

if (role === 'client') client(Number(argument));
else if (role === 'server') server(argument === 'replaced');
else compare();

function compare() {
  const costs = { kept: [], replaced: [] };
  const next = (left) => {
    if (left === 0) {
      const [kept, replaced] = [costs.kept, costs.replaced].map((all) => all.sort((a, b) => a - b)[ROUNDS >> 1]);
      console.log([process.version, `${kept.toFixed(1)} µs`, `${replaced.toFixed(1)} µs`, `×${(replaced / kept).toFixed(2)}`].join('\t'));
      return;
    }
    const mode = left % 2 === 0 ? 'kept' : 'replaced';
    const child = fork(fileURLToPath(import.meta.url), ['server', mode]);
    child.on('message', (cost) => costs[mode].push(cost));
    child.on('exit', () => next(left - 1));
  };
  next(ROUNDS * 2);
}

function server(isReplaced) {
  const request = Object.create(http.IncomingMessage.prototype);
  const response = Object.create(http.ServerResponse.prototype);
  let count = 0;
  let from;
  const own = http.createServer((req, res) => {
    if (isReplaced) {
      Object.setPrototypeOf(req, request);
      Object.setPrototypeOf(res, response);
    }
    req.user = 1;
    req.rest = 2;
    res.locals = 3;
    count += 1;
    if (count === WARM_UP) from = process.cpuUsage();
    if (count === WARM_UP + COUNTED) {
      const { user, system } = process.cpuUsage(from);
      process.send((user + system) / COUNTED);
    }
    res.end('{"ok":1}');
  });
  own.listen(0, () => {
    const child = fork(fileURLToPath(import.meta.url), ['client', String(own.address().port)]);
    child.on('exit', () => process.exit());
  });
}

function client(port) {
  let left = WARM_UP + COUNTED;
  let open = CONNECTIONS;
  for (let i = 0; i < CONNECTIONS; i += 1) {
    const socket = net.connect(port);
    socket.on('connect', () => socket.write(REQUEST));
    socket.on('data', () => {
      left -= 1;
      if (left >= 0) socket.write(REQUEST);
      else {
        socket.destroy();
        open -= 1;
        if (open === 0) process.exit();
      }
    });
  }
}
