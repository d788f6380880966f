// A service that asks another one, with a limit of time. The error for the case that it answers too late is created for each question.
import { createServer } from 'node:http';

class LateError extends Error {}

/** Stands in for a service that answers at once. */
const service = { ask: (path, answer) => answer(`answer to ${path}`) };

function within(path, limit, done) {
  const late = new LateError(`no answer within ${limit} ms`);
  const timer = setTimeout(() => done(late), limit);
  service.ask(path, (text) => {
    clearTimeout(timer);
    done(undefined, text);
  });
}

function answer(request, response) {
  within(request.url, 1000, (error, text) => {
    response.end(error ? error.message : text);
  });
}

export const createService = () => createServer(answer);

/** What the service answers, without the way over a socket, for requests that come through as many functions as in a framework. */
export function handleRequests(count, depth) {
  const answers = [];
  const through = (left, url) => {
    if (left > 0) through(left - 1, url);
    else answer({ url }, { end: (sent) => answers.push(sent) });
  };
  for (let i = 0; i < count; i++) through(depth, `/${i}`);
  return answers;
}
