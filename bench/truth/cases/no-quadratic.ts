// Lists and objects that are copied, counted, moved, or compared whole for each element. The truth is the same program without it.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { cannotTell, edit, pair } from '../checks.ts';
import { asked, BODY, called, served, server } from './shared.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, id) => id);
const post = (body: unknown) => `POST / ${JSON.stringify(body)}`;
const about = (messageId: string, at: string) => ({ ruleId: 'no-quadratic', messageId, at });

const COMPARE =
  'for (const order of orders) for (const payment of payments) if (payment.orderId === order.id) order.paid = payment.amount;';
const paid = (count: number) =>
  post({ orders: numbers(count).map((id) => ({ id })), payments: numbers(count).map((id) => ({ orderId: id, amount: id })) });
const SPREAD = 'rows.reduce((all, row) => ({ ...all, [row.id]: row.name }), {})';
const COLUMNS = 'Object.keys(row).reduce((all, name) => ({ ...all, [name.trim()]: row[name] }), {})';
const COPIED = 'rows.reduce((all, row) => [...all, ...row.tags], [])';
const BY_KEYS = 'for (const mine in ours) for (const yours in theirs) if (mine === yours) return true;';
const EXCHANGE =
  'for (let i = 0; i < dates.length - 1; i++) for (let j = i + 1; j < dates.length; j++) if (dates[i] > dates[j]) { const one = dates[i]; dates[i] = dates[j]; dates[j] = one; }';
const COUNTED = dedent`
  exports.index = (rows) => {
    const all = {};
    for (const row of rows) all[row.id] = Object.keys(all).length;
    return all;
  };

`;
const MOVED = 'while (jobs.length > 0) sum += jobs.shift();';

export const cases: readonly TruthCase[] = [
  {
    name: 'orders compared with payments in two loops, 2,000 of each',
    ...served(
      BODY,
      dedent`
        const { orders, payments } = await body(req);
        ${COMPARE}
        res.end(String(orders.length));
      `,
      paid(2000),
    ),
    finding: about('compared', 'for (const order'),
    truth: 'confirmed',
    established: [
      pair(
        edit(
          COMPARE,
          'const byOrder = new Map(payments.map((payment) => [payment.orderId, payment])); for (const order of orders) { const payment = byOrder.get(order.id); if (payment) order.paid = payment.amount; }',
        ),
      ),
    ],
  },
  {
    name: 'orders compared with payments in two loops, four of each',
    ...served(
      BODY,
      dedent`
        const { orders, payments } = await body(req);
        ${COMPARE}
        res.end(String(orders.length));
      `,
      paid(4),
    ),
    finding: about('compared', 'for (const order'),
    truth: 'confirmed',
    established: [cannotTell('the client chooses the lengths, and nothing limits them: what two of 2,000 cost, the case above shows')],
  },
  {
    name: 'an object copied for each of 1,000 rows of a body',
    ...served(
      BODY,
      dedent`
        const { rows } = await body(req);
        const byId = ${SPREAD};
        res.end(String(Object.keys(byId).length));
      `,
      post({ rows: numbers(1000).map((id) => ({ id, name: `n${id}` })) }),
    ),
    finding: about('spread', '...all'),
    truth: 'confirmed',
    established: [pair(edit(SPREAD, 'Object.fromEntries(rows.map((row) => [row.id, row.name]))'))],
  },
  {
    name: 'a list copied for each of 2,000 rows of a body',
    ...served(
      BODY,
      dedent`
        const { rows } = await body(req);
        const tags = ${COPIED};
        res.end(String(tags.length));
      `,
      post({ rows: numbers(2000).map((id) => ({ tags: [id, id + 1] })) }),
    ),
    finding: about('copied', '...all'),
    truth: 'confirmed',
    established: [pair(edit(COPIED, 'rows.flatMap((row) => row.tags)'))],
  },
  {
    name: 'an object copied for each of 4 columns, in each of 2 rows of a body',
    ...served(
      BODY,
      dedent`
        const { rows } = await body(req);
        const trimmed = rows.map((row) => ${COLUMNS});
        res.end(String(trimmed.length));
      `,
      post({ rows: numbers(2).map((id) => Object.fromEntries(numbers(4).map((column) => [`column ${column} `, id]))) }),
    ),
    finding: about('rows', '{ ...all'),
    truth: 'seen',
    established: [pair(edit(COLUMNS, 'Object.fromEntries(Object.entries(row).map(([name, value]) => [name.trim(), value]))'))],
  },
  {
    name: 'a body of two chunks, joined at each',
    ...asked(
      server(
        dedent`
          let all = Buffer.alloc(0);
          req.on('data', (chunk) => { all = Buffer.concat([all, chunk]); });
          req.on('end', () => res.end(String(all.length)));
        `,
      ),
      `POST / ${'x'.repeat(100_000)}`,
    ),
    finding: about('joined', 'Buffer.concat'),
    truth: 'seen',
    established: [
      pair(
        edit('all = Buffer.concat([all, chunk]);', 'parts.push(chunk);'),
        edit('let all = Buffer.alloc(0);', 'const parts = [];'),
        edit('String(all.length)', 'String(Buffer.concat(parts).length)'),
      ),
    ],
  },
  {
    name: 'keys counted for each of 1,000 rows',
    ...called(COUNTED, 'index', 'index(Array.from({ length: 1000 }, (_, id) => ({ id: "r" + id })))'),
    finding: about('counted', 'Object.keys'),
    truth: 'confirmed',
    established: [pair(edit('const all = {};', 'const all = {}; let count = 0;'), edit('Object.keys(all).length', 'count++'))],
  },
  {
    name: 'a queue of 60,000 numbers, taken from the front',
    ...called(
      dedent`
        exports.total = function (jobs) {
          let sum = 0;
          ${MOVED}
          return sum;
        };

      `,
      'total',
      'total(Array.from({ length: 60000 }, (_, i) => i))',
    ),
    finding: about('moved', 'jobs.shift'),
    truth: 'confirmed',
    established: [pair(edit(MOVED, 'for (const job of jobs) sum += job;'))],
  },
  {
    name: 'a queue of 300 numbers, taken from the front',
    ...served(
      BODY,
      dedent`
        const { jobs } = await body(req);
        let sum = 0;
        ${MOVED}
        res.end(String(sum));
      `,
      post({ jobs: numbers(300) }),
    ),
    finding: about('moved', 'jobs.shift'),
    truth: 'seen',
    established: [pair(edit(MOVED, 'for (const job of jobs) sum += job;'))],
  },
  {
    name: 'keys compared with keys, 400 of each',
    ...called(
      dedent`
        exports.share = function (ours, theirs) {
          ${BY_KEYS}
          return false;
        };

      `,
      'share',
      'share(Object.fromEntries(Array.from({ length: 400 }, (_, i) => ["a" + i, i])), Object.fromEntries(Array.from({ length: 400 }, (_, i) => ["b" + i, i])))',
    ),
    finding: about('keys', 'mine === yours'),
    truth: 'confirmed',
    established: [pair(edit(BY_KEYS, 'for (const mine in ours) if (mine in theirs) return true;'))],
  },
  {
    name: 'a sort of 1,000 numbers that exchanges them',
    ...called(
      dedent`
        exports.sort = function (dates) {
          ${EXCHANGE}
          return dates;
        };

      `,
      'sort',
      'sort(Array.from({ length: 1000 }, (_, i) => 1000 - i))',
    ),
    finding: about('exchanged', 'dates[i] > dates[j]'),
    truth: 'confirmed',
    established: [pair(edit(EXCHANGE, 'dates.sort((a, b) => a - b);'))],
  },
];
