// A service that answers with a customer's orders and the exchange rate. It asks the database, waits for the answer, and then asks another
// service. Both are stand-ins on the same machine that answer after 10 ms.
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
      socket.write(`${JSON.stringify([{ id: 1, customer, price: 20 }])}\n`);
    });
  });
}

function createRates() {
  return createServer(async (request, response) => {
    await wait(ANSWERS_AFTER_MS);
    response.end('{"EUR":1.1}');
  });
}

function createService(database, ratesUrl) {
  return createServer(async (request, response) => {
    const customer = new URL(request.url, 'http://localhost').searchParams.get('customer');
    const orders = await database.query('SELECT id, customer, price FROM orders WHERE customer = $1', [customer]);
    const rates = await fetch(ratesUrl).then((answer) => answer.json());
    response.end(JSON.stringify({ orders, rates }));
  });
}

async function portOf(server) {
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return server.address().port;
}

async function start() {
  const database = new Database(await portOf(createDatabase()));
  const ratesPort = await portOf(createRates());
  const port = await portOf(createService(database, `http://127.0.0.1:${ratesPort}/rates`));
  return `http://127.0.0.1:${port}/`;
}

let service;

/** The answer to one request. All servers keep running. */
export async function overviewOf(customer) {
  service ??= start();
  const response = await fetch(`${await service}?customer=${customer}`);
  return response.json();
}
