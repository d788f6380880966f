// The same service: the payments are looked up in a Map.
import { createServer } from 'node:http';

function answer(request, response) {
  const { orders, payments } = JSON.parse(request.body);
  const byOrder = new Map(payments.map((one) => [one.orderId, one]));
  const answers = orders.map((order) => {
    const payment = byOrder.get(order.id);
    return { id: order.id, paid: payment !== undefined && payment.amount >= order.total };
  });
  response.end(JSON.stringify(answers));
}

export const createService = () => createServer(answer);

/** What the service answers, without the way over a socket. */
export function answerOne(request) {
  let text;
  answer(request, { end: (answered) => (text = answered) });
  return text;
}
