// A service that counts the entries of a list. It gathers and parses the list, however long it is.
import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';

const LARGE = Buffer.from(`[${'{},'.repeat(700_000)}{}]`);

function createService() {
  return createServer(async (request, response) => {
    if (request.method !== 'POST') return response.end('ready');
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const list = JSON.parse(Buffer.concat(chunks).toString());
    response.end(`${list.length} entries`);
  });
}

/** Starts the service, sends it a large list, and returns what it says to somebody else. */
export async function askWhileSending() {
  const service = createService().listen(0);
  await once(service, 'listening');
  const { port } = service.address();
  const large = ask({ host: '127.0.0.1', port, method: 'POST', agent: false });
  // Whether it is refused is not what is asked.
  large.on('error', () => {});
  const sent = new Promise((resolve) => large.on('close', resolve));
  large.on('response', (response) => response.resume());
  large.end(LARGE);
  await sent;
  const [response] = await once(ask({ host: '127.0.0.1', port, agent: false }).end(), 'response');
  let text = '';
  for await (const piece of response) text += piece;
  service.close();
  return text;
}
