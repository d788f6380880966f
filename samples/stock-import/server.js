'use strict';
// Stock of a warehouse. The planted problem: an import is gathered and parsed, however large it is.
const { createServer } = require('node:http');

const MOST_BYTES = 100 * 1024;
/** Only items that the shop has. */
const stock = new Map([
  ['lamp', 4],
  ['chair', 2],
]);

/** @profile POST /import [{ "item": "lamp", "count": 3 }] */
async function importAll(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const items = JSON.parse(Buffer.concat(chunks).toString());
  //            ^ no-unbounded-json: gathered (confirmed)
  for (const { item, count } of items) if (stock.has(item)) stock.set(item, count);
}

// Counts what it reads: nothing is wrong with it.
async function change(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('The change is too long.');
    chunks.push(chunk);
  }
  const { item, count } = JSON.parse(Buffer.concat(chunks).toString());
  if (stock.has(item)) stock.set(item, count);
}

const server = createServer(async (request, response) => {
  try {
    if (request.method === 'POST') await (request.url === '/import' ? importAll(request) : change(request));
    response.end(`${stock.size} items\n`);
  } catch (error) {
    response.writeHead(400).end(`${error.message}\n`);
  }
});

if (require.main === module) server.listen(process.env.PORT ?? 3000);

module.exports = { importAll };
