// The same, with one read.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSocketServer, connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const ANSWERS_AFTER_MS = 10;

class Database {
  #socket;
  #waiting = [];

  constructor(port) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true).unref();
    createInterface({ input: this.#socket }).on('line', (line) => this.#waiting.shift()(JSON.parse(line)));
  }

  query(text, values) {
    this.#socket.write(`${JSON.stringify({ text, values })}\n`);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function createDatabase() {
  return createSocketServer((socket) => {
    socket.setNoDelay(true).unref();
    createInterface({ input: socket }).on('line', async (line) => {
      const [customer] = JSON.parse(line).values;
      await wait(ANSWERS_AFTER_MS);
      socket.write(`${JSON.stringify([{ id: customer, name: 'Ada', isActive: true }])}\n`);
    });
  });
}

function createService(database) {
  return createServer(async (request, response) => {
    const customer = new URL(request.url, 'http://localhost').searchParams.get('customer');
    const [found] = await database.query('SELECT id, name, is_active FROM customers WHERE id = $1', [customer]);
    if (!found.isActive) return response.writeHead(403).end();
    response.end(JSON.stringify(found));
  });
}

async function portOf(server) {
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return server.address().port;
}

async function start() {
  const database = new Database(await portOf(createDatabase()));
  const port = await portOf(createService(database));
  return `http://127.0.0.1:${port}/`;
}

let service;

/** The answer to one request. All servers keep running. */
export async function profileOf(customer) {
  service ??= start();
  const response = await fetch(`${await service}?customer=${customer}`);
  return response.json();
}
