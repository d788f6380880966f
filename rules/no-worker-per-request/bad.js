// A service that doubles numbers on a thread: every request starts a thread of its own and ends it.
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { Worker } from 'node:worker_threads';

const DOUBLE =
  "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (number) => parentPort.postMessage(2 * number));";

function createService() {
  return createServer(async (request, response) => {
    const worker = new Worker(DOUBLE, { eval: true });
    worker.postMessage(Number(request.url.slice(1)));
    const [answer] = await once(worker, 'message');
    await worker.terminate();
    response.end(String(answer));
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
