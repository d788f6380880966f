import { createServer } from 'node:http';
import { debuglog } from 'node:util';
import { station } from './station.js';

const debug = debuglog('weather');

class LateError extends Error {}

async function measured(place) {
  const late = new LateError('the station does not answer');
  //           ^ no-stack-capture: early (confirmed)
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(late), 1000);
  });
  try {
    return await Promise.race([station.measure(place), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** @profile GET /weather?place=Oslo */
async function weather(place) {
  const stations = Array.from({ length: 60 }, (_, i) => `${place} ${i}`);
  const all = await Promise.all(stations.map((station) => measured(station)));
  return { place, degrees: all.reduce((sum, { degrees }) => sum + degrees, 0) / all.length };
}

/** @profile GET /history?place=Oslo */
async function history(place) {
  const calledFrom = new Error('asked').stack.split('\n')[1];
  //                 ^ no-stack-capture: read (confirmed)
  const now = await station.measure(place);
  return { ...now, note: calledFrom ? 'measured now' : '' };
}

/** @profile GET /compare?place=Oslo */
async function compare(place) {
  const answer = JSON.parse(await station.archive(place));
  debug(`archive of ${place}: ${JSON.stringify(answer, null, 2)}`);
  //                            ^ no-eager-log: eager (confirmed)
  debug('%d days', answer.days.length);
  return { place, highest: Math.max(...answer.days.map(({ degrees }) => degrees)) };
}

/** The error is kept for its stack, which is read only if the station fails. */
async function forecast(place) {
  const asked = new Error('asked');
  const now = await station.measure(place).catch((problem) => {
    problem.stack += asked.stack;
    throw problem;
  });
  return { ...now, degrees: now.degrees + 1 };
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const place = searchParams.get('place') ?? 'Bergen';
  let answer;
  if (pathname === '/weather') answer = await weather(place);
  else if (pathname === '/history') answer = await history(place);
  else if (pathname === '/compare') answer = await compare(place);
  else answer = await forecast(place);
  response.end(JSON.stringify(answer));
});
server.listen(process.env.PORT ?? 3000);
