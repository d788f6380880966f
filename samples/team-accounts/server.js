'use strict';
// Accounts of a team. The planted problem: all passwords of an import are hashed at once, and other requests wait for the thread pool.
const { scrypt } = require('node:crypto');
const { createServer } = require('node:http');
const { json } = require('node:stream/consumers');
const { promisify } = require('node:util');

const hash = promisify(scrypt);
const accounts = new Map();
const MOST_BYTES = 100_000;

/** @profile POST / [{ "name": "ann", "password": "secret" }] */
async function importAll(members) {
  const hashes = await Promise.all(members.map((member) => hash(member.password, member.name, 32)));
  //                                                       ^ no-threadpool-saturation: list (seen)
  for (const [i, member] of members.entries()) accounts.set(member.name, hashes[i]);
}

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    if (!(Number(request.headers['content-length']) <= MOST_BYTES)) return response.writeHead(413).end();
    await importAll(await json(request));
  }
  response.end(`${accounts.size} accounts\n`);
});

if (require.main === module) server.listen(process.env.PORT ?? 3000);

module.exports = { importAll };
