// A service that says on which day something was: the formatter is built once.
import { createServer } from 'node:http';

const day = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });

function answer(request, response) {
  response.end(day.format(Number(request.url.slice(1))));
}

export const createService = () => createServer(answer);

/** What the service answers, without the way over a socket. */
export function answerAll(times) {
  const answers = [];
  for (const time of times) answer({ url: `/${time}` }, { end: (text) => answers.push(text) });
  return answers;
}
