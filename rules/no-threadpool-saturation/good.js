// A service that hashes the passwords it is sent, one after the other. Meanwhile, a file is read.
import { scrypt } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { spawn } from 'node:child_process';

const hash = promisify(scrypt);
const COST = { N: 2 ** 15, maxmem: 2 ** 28 };
const PASSWORDS = ['one', 'two', 'three', 'four', 'five', 'six'];

function createService() {
  return createServer(async (incoming, response) => {
    const passwords = await json(incoming);
    const hashes = [];
    for (const password of passwords) hashes.push(await hash(password, 'salt', 32, COST));
    response.end(JSON.stringify(hashes.map((one) => one.toString('hex'))));
  });
}

/** Starts a Node that does so, and returns what it says. */
export async function readWhileHashing() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'read'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (piece) => {
    text += piece;
  });
  await once(child, 'close');
  return text.trim();
}

async function read() {
  const service = createService().listen(0, '127.0.0.1');
  await once(service, 'listening');
  const sent = request({ host: '127.0.0.1', port: service.address().port, method: 'POST' });
  sent.end(JSON.stringify(PASSWORDS));
  const [incoming] = await once(service, 'request');
  await once(incoming, 'end');
  // By now the handler has started its first hash.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const { size } = await stat(fileURLToPath(import.meta.url));
  console.log(size > 0 ? 'read' : 'empty');
  process.kill(process.pid, 'SIGKILL');
}

if (process.argv[2] === 'read') await read();
