// A service that lists orders with their users. It asks the database for all users at once. The database is a stand-in: a server on the
// same machine that answers each line with the rows for the keys in it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSocketServer, connect } from 'node:net';
import { createInterface } from 'node:readline';

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
    createInterface({ input: socket }).on('line', (line) => {
      const rows = JSON.parse(line)
        .values.flat()
        .map((id) => ({ id, name: `user ${id}` }));
      socket.write(`${JSON.stringify(rows)}\n`);
    });
  });
}

function createService(database, orders) {
  return createServer(async (request, response) => {
    const found = await orders.list();
    const ids = found.map((order) => order.userId);
    const users = await database.query('SELECT id, name FROM users WHERE id = ANY($1)', [ids]);
    response.end(JSON.stringify(users));
  });
}

async function start(count) {
  const server = createDatabase().listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const database = new Database(server.address().port);
  const orders = { list: async () => Array.from({ length: count }, (_, i) => ({ userId: i })) };
  const service = createService(database, orders).listen(0, '127.0.0.1').unref();
  await once(service, 'listening');
  return `http://127.0.0.1:${service.address().port}/`;
}

const services = new Map();

/** The answer to one request for a list with so many orders. Both servers keep running. */
export async function listOrders(count) {
  if (!services.has(count)) services.set(count, await start(count));
  const response = await fetch(services.get(count));
  return response.json();
}
