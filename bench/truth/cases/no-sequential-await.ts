// Reads one after the other: how much of their time could overlap. The truth is the same program with the reads started together.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { edit, neverRuns, pair } from '../checks.ts';
import { asked, server } from './shared.ts';

const finding = (messageId = 'pair', at = 'FROM orders') => ({ ruleId: 'no-sequential-await', messageId, at });

const WAIT = 'const wait = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));';
const pool = (query: string): string => `${WAIT}\nconst pool = { query: (text) => ${query} };`;
const TWO = dedent`
  const a = await pool.query('SELECT * FROM users');
  const b = await pool.query('SELECT * FROM orders');

`;
const ANSWER = 'res.end(JSON.stringify([a, b]));';
const TOGETHER = [
  edit("const a = await pool.query('SELECT * FROM users');", "const [a, b] = await Promise.all([pool.query('SELECT * FROM users'),"),
  edit("const b = await pool.query('SELECT * FROM orders');", "pool.query('SELECT * FROM orders')]);"),
];
const served = (before: string, statements = TWO, request: string | readonly string[] = 'GET /') =>
  asked(server(`${statements}${ANSWER}`, before).replace('function handle', 'async function handle'), request);

export const cases: readonly TruthCase[] = [
  {
    name: 'two queries of 8 ms',
    ...served(pool('wait(8, text)')),
    finding: finding(),
    truth: 'confirmed',
    established: [pair(...TOGETHER)],
    inCi: true,
  },
  {
    name: 'a query of 20 ms, and one of 6 ms',
    ...served(pool("wait(text.includes('users') ? 20 : 6, text)")),
    finding: finding(),
    truth: 'confirmed',
    established: [pair(...TOGETHER)],
  },
  {
    name: 'queries that are sent when they are awaited',
    ...served(pool('({ then: (ok, no) => wait(8, text).then(ok, no) })')),
    finding: finding(),
    truth: 'confirmed',
    established: [pair(...TOGETHER)],
  },
  {
    name: 'awaited in the list of a Promise.all',
    ...served(
      pool('wait(8, text)'),
      dedent`
        const [a, b] = await Promise.all([
          await pool.query('SELECT * FROM users'),
          await pool.query('SELECT * FROM orders'),
        ]);

      `,
    ),
    finding: finding('inAll'),
    truth: 'confirmed',
    established: [
      pair(
        edit("await pool.query('SELECT * FROM users')", "pool.query('SELECT * FROM users')"),
        edit("await pool.query('SELECT * FROM orders')", "pool.query('SELECT * FROM orders')"),
      ),
    ],
  },
  {
    name: 'a query of 2 ms beside 100 ms of something else',
    ...served(pool("wait(text.includes('users') ? 100 : 2, text)")),
    finding: finding(),
    truth: 'seen',
    established: [pair(...TOGETHER)],
  },
  {
    name: 'the second is kept since it was first asked for',
    ...served(`${pool("(kept[text] ??= wait(text.includes('orders') ? 1 : 0, text))")}\nconst kept = {};`),
    finding: finding(),
    truth: 'refuted',
    established: [pair(...TOGETHER)],
  },
  {
    name: 'the second was started above',
    ...served(`${pool("text.includes('orders') ? running : wait(8, text)")}\nlet running;`, `running = wait(2, 'orders');\n${TWO}`),
    finding: finding(),
    truth: 'refuted',
    established: [pair(...TOGETHER)],
  },
  {
    name: 'for another request than those that come',
    ...served(pool('wait(8, text)'), `if (req.url !== '/both') return res.end('ok');\n${TWO}`),
    finding: finding(),
    truth: 'not-reached',
    established: [
      neverRuns(
        edit("const b = await pool.query('SELECT * FROM orders');", "__hit('place'); const b = await pool.query('SELECT * FROM orders');"),
      ),
    ],
  },
];
