// The same sign-in service: the hashing happens on the thread pool, and the server stays free for other requests.
import { scrypt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { promisify } from 'node:util';

const SALT = 'nodometer';
const KEY_LENGTH = 32;

const scryptAsync = promisify(scrypt);

function createService() {
  return createServer(async (request, response) => {
    const key = await scryptAsync(request.url, SALT, KEY_LENGTH);
    response.end(key.toString('hex'));
  });
}

/** Starts the service, asks for all passwords at once, and gives the hashes. */
export async function hashPasswords(passwords) {
  const service = createService().listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address();
  const hashes = await Promise.all(passwords.map((password) => ask(port, password)));
  service.close();
  return hashes;
}

async function ask(port, password) {
  const [response] = await once(get({ host: '127.0.0.1', port, path: `/${password}`, agent: false }), 'response');
  let text = '';
  for await (const piece of response) text += piece;
  return text;
}
