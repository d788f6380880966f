// A service that draws many numbers and gives their mean: in parts, and whoever waits gets a turn between two of them.
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

const DRAWS = 30_000_000;
const PER_TURN = 200_000;

async function mean() {
  let state = 1;
  let sum = 0;
  for (let done = 0; done < DRAWS; done += PER_TURN) {
    for (let draw = 0; draw < PER_TURN; draw += 1) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      sum += state & 127;
    }
    await yieldToEventLoop();
  }
  return sum / DRAWS;
}

function createService() {
  return createServer(async (request, response) => {
    response.end((await mean()).toFixed(6));
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
