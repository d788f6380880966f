// A service that divides work by the number of processors, which it asked for once.
import { createServer } from 'node:http';
import os from 'node:os';

const PROCESSORS = os.cpus().length;

function answer(request, response) {
  response.end(String(Math.ceil(Number(request.url.slice(1)) / PROCESSORS)));
}

export const createService = () => createServer(answer);

/** What the service answers, without the way over a socket. */
export function handleRequests(count) {
  const answers = [];
  for (let i = 0; i < count; i++) answer({ url: `/${i}` }, { end: (text) => answers.push(text) });
  return answers;
}
