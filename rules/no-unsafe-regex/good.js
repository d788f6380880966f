// A service that checks numbers with a mark behind them: the digits can be read in one way.
import { once } from 'node:events';
import { createServer, get } from 'node:http';

const MARKED = /[0-9]+!/;

function createService() {
  return createServer((request, response) => {
    response.end(MARKED.test(request.url.slice(1)) ? 'marked' : 'not marked');
  });
}

/** Starts the service, asks about each number, and gives the answers. */
export async function checkAll(numbers) {
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
