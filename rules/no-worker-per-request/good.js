// A service that doubles numbers on a thread: one thread is started beforehand and does the work of all requests.
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { Worker } from 'node:worker_threads';

const DOUBLE =
  "const { parentPort } = require('node:worker_threads'); parentPort.on('message', ([id, number]) => parentPort.postMessage([id, 2 * number]));";

const waiting = new Map();
const worker = new Worker(DOUBLE, { eval: true });
worker.on('message', ([id, answer]) => {
  waiting.get(id)(answer);
  waiting.delete(id);
  // A thread that nobody waits for does not keep the process.
  if (waiting.size === 0) worker.unref();
});
worker.unref();
let lastId = 0;

function double(number) {
  return new Promise((resolve) => {
    lastId += 1;
    waiting.set(lastId, resolve);
    worker.ref();
    worker.postMessage([lastId, number]);
  });
}

function createService() {
  return createServer(async (request, response) => {
    response.end(String(await double(Number(request.url.slice(1)))));
  });
}

/** Starts the service, asks for the numbers one after the other, and gives the answers. */
export async function doubleAll(numbers) {
  const service = createService().listen(0, '127.0.0.1');
  await once(service, 'listening');
  const answers = [];
  for (const number of numbers) answers.push(await ask(service.address().port, number));
  service.close();
  return answers;
}

async function ask(port, number) {
  const [response] = await once(get({ host: '127.0.0.1', port, path: `/${number}`, agent: false }), 'response');
  let text = '';
  for await (const piece of response) text += piece;
  return text;
}
