// A service that answers with a page from a cache, for the user who asks. What was parsed a moment ago is its own already.
import { createServer } from 'node:http';

const products = Array.from({ length: 500 }, (_, i) => ({ id: i, name: `product ${i}`, price: i / 7, labels: ['a', 'b'] }));
const text = JSON.stringify({ season: 'spring', user: { name: '' }, products });
/** Stands in for a cache on another machine. */
const cache = { get: () => text };

function answer(request, response) {
  const page = JSON.parse(cache.get('page'));
  page.user.name = request.url;
  response.end(JSON.stringify(page));
}

export const createService = () => createServer(answer);

/** What the service answers, without the way over a socket. */
export function handleRequests(count) {
  const answers = [];
  for (let i = 0; i < count; i++) answer({ url: `/${i}` }, { end: (sent) => answers.push(sent) });
  return answers;
}
