import { createServer } from 'node:http';
import * as database from './database.js';

/** @profile GET /page?id=7 */
async function pageOf(id) {
  const customers = await database.query('SELECT id, name FROM customers WHERE id = $1', [id]);
  const orders = await database.query('SELECT id, total FROM orders WHERE customer = $1 LIMIT 10', [id]);
  //                   ^ no-sequential-await: pair (confirmed)
  return { customers, orders };
}

/** What the second needs, the first has to find. */
async function lastOrderOf(id) {
  const [order] = await database.query('SELECT id FROM orders WHERE customer = $1 LIMIT 1', [id]);
  const lines = await database.query('SELECT name FROM lines WHERE order_id = $1', [order.id]);
  return { order, lines };
}

/** Both are on their way at the same time. */
async function totalsOf(id) {
  const [paid, open] = await Promise.all([
    database.query('SELECT sum(total) FROM orders WHERE customer = $1 AND paid', [id]),
    database.query('SELECT sum(total) FROM orders WHERE customer = $1 AND NOT paid', [id]),
  ]);
  return { paid, open };
}

const PAGES = { '/page': pageOf, '/last': lastOrderOf, '/totals': totalsOf };

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const answer = await (PAGES[pathname] ?? totalsOf)(searchParams.get('id'));
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(answer));
});
server.listen(process.env.PORT ?? 3000);
