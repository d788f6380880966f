// A service that takes orders, and logs them under a level that is off unless NODE_DEBUG names it.
import { createServer } from 'node:http';
import { debuglog } from 'node:util';

const debug = debuglog('orders');

async function take(request, response) {
  let text = '';
  for await (const piece of request) text += piece;
  const order = JSON.parse(text);
  debug('order %j', order);
  response.end(String(order.items.reduce((sum, item) => sum + item.price, 0)));
}

export const createService = () => createServer(take);

const order = { items: Array.from({ length: 170 }, (_, i) => ({ id: i, name: `product ${i}`, price: i % 7, labels: ['a', 'b'] })) };
const body = JSON.stringify(order);

/** What the service answers, without the way over a socket. */
export async function handleRequests(count) {
  const answers = [];
  for (let i = 0; i < count; i++) await take([body], { end: (sent) => answers.push(sent) });
  return answers;
}
