// A service that runs a program for each name that it is sent. It starts eight at a time.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';

const run = promisify(execFile);
const AT_ONCE = 8;

async function check(name) {
  const { stdout } = await run('echo', [name]);
  return stdout.trim();
}

/** Eight of them take the next name as soon as they are done. */
async function checkAll(names) {
  const answers = [];
  let next = 0;
  const takeNext = async () => {
    while (next < names.length) {
      const at = next++;
      answers[at] = await check(names[at]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeNext));
  return answers;
}

function createService() {
  return createServer(async (request, response) => {
    const names = await json(request);
    const answers = await checkAll(names);
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
