import { createServer } from 'node:http';
import * as database from './database.js';

/** @profile GET /account?id=7 */
async function accountOf(id) {
  const found = await database.query('SELECT id, name FROM accounts WHERE id = $1', [id]);
  if (found.length === 0) return undefined;
  const orders = await database.query('SELECT id, total FROM orders WHERE account = $1', found.map((one) => one.id));
  const [account] = await database.query('SELECT id, name FROM accounts WHERE id = $1', [id]);
  //                      ^ no-redundant-work: read (confirmed)
  return { account, orders };
}

/** @profile GET /invoices?id=7 */
async function invoicesOf(id, token) {
  const invoices = await database.query('SELECT id, total FROM invoices WHERE account = $1', [id]);
  //                     ^ no-redundant-work: early (confirmed)
  if (token === null) return { error: 'not allowed' };
  return { invoices };
}

/** What is read again has been written. */
async function renamed(id, name) {
  const [before] = await database.query('SELECT id, name FROM accounts WHERE id = $1', [id]);
  await database.query('UPDATE accounts SET name = $2 WHERE id = $1', [id, name]);
  const [after] = await database.query('SELECT id, name FROM accounts WHERE id = $1', [id]);
  return { before, after };
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const id = searchParams.get('id');
  let answer;
  if (pathname === '/account') answer = await accountOf(id);
  else if (pathname === '/invoices') answer = await invoicesOf(id, searchParams.get('token'));
  else answer = await renamed(id, searchParams.get('name'));
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(answer));
});
server.listen(process.env.PORT ?? 3000);
