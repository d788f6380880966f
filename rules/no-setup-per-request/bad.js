// A service that says on which day something was: every request builds the formatter again.
import { createServer } from 'node:http';

function answer(request, response) {
  const day = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });
  response.end(day.format(Number(request.url.slice(1))));
}

export const createService = () => createServer(answer);

/** What the service answers, without the way over a socket. */
export function answerAll(times) {
  const answers = [];
  for (const time of times) answer({ url: `/${time}` }, { end: (text) => answers.push(text) });
  return answers;
}
