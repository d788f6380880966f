// A service that says which of the orders are paid: all payments are searched for each order.
import { createServer } from 'node:http';

function answer(request, response) {
  const { orders, payments } = JSON.parse(request.body);
  const answers = orders.map((order) => {
    const payment = payments.find((one) => one.orderId === order.id);
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
