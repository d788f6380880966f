// A service that draws many numbers and gives their mean: the whole computation is done in one piece, and nobody else is served meanwhile.
import { once } from 'node:events';
import { createServer, get } from 'node:http';

const DRAWS = 30_000_000;

function createService() {
  return createServer((request, response) => {
    let state = 1;
    let sum = 0;
    for (let draw = 0; draw < DRAWS; draw += 1) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      sum += state & 127;
    }
    response.end((sum / DRAWS).toFixed(6));
  });
}

/** Starts the service, asks once, and gives the answer. */
export async function meanOfDraws() {
  const service = createService().listen(0, '127.0.0.1');
  await once(service, 'listening');
  const [response] = await once(get({ host: '127.0.0.1', port: service.address().port, agent: false }), 'response');
  let text = '';
  for await (const piece of response) text += piece;
  service.close();
  return text;
}
