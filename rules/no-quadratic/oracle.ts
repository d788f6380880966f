import type { Oracle } from '../shared/oracle.ts';

const ORDERS = 10_000;
const ids = Array.from({ length: ORDERS }, (_, i) => `order-${i}`);
const BODY = JSON.stringify({
  orders: ids.map((id, i) => ({ id, total: i })),
  // In another order, and each once: a Map keeps the last of equal keys, and `find` returns the first.
  payments: ids.map((orderId, i) => ({ orderId, amount: i })).reverse(),
});

export const oracle: Oracle = {
  exportName: 'answerOne',
  args: () => [{ body: BODY }],
  calls: 1,
  metric: 'time-ratio',
  // Far below what the runs gave, and far above 1.
  atLeast: 3,
  nodeRange: '>=18',
  why: 'Both give the same answer to the same request with 10,000 orders and as many payments. The one searches the payments for each order, the other one builds a Map once. Parsing and writing take the same time in both.',
};
