// A service that runs a program for each name that it is sent. It starts all of them at once.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';

const run = promisify(execFile);

async function check(name) {
  const { stdout } = await run('echo', [name]);
  return stdout.trim();
}

function createService() {
  return createServer(async (request, response) => {
    const names = await json(request);
    const answers = await Promise.all(names.map((name) => check(name)));
    response.end(JSON.stringify(answers));
  });
}

let service;

/** What the program says about so many names. The server keeps running. */
export async function checkNames(count) {
  if (!service) {
    service = createService().listen(0, '127.0.0.1').unref();
    await once(service, 'listening');
  }
  const names = Array.from({ length: count }, (_, i) => `name ${i}`);
  const response = await fetch(`http://127.0.0.1:${service.address().port}/`, { method: 'POST', body: JSON.stringify(names) });
  return response.json();
}
