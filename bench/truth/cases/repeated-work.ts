// Work for each element, work done twice, copies, and lists that are searched for each element. The truth is the same program without it,
// or a counter by hand.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { edit, neverRuns, pair, pairOfWork } from '../checks.ts';
import { BODY, pool, served, WAIT } from './shared.ts';

const ORDERS = 'const { rows } = await pool.query("SELECT id, user_id FROM orders");\n';
const ROWS = '{ rows: [1, 2, 3, 4, 5, 6].map((id) => ({ id, user_id: id })) }';
const EACH = 'for (const row of rows) users.push(await pool.query("SELECT * FROM users WHERE id = $1", [row.user_id]));';
const perItem = (messageId = 'one') => ({ ruleId: 'no-query-per-item', messageId, at: 'WHERE id' });
const USERS = dedent`
  ${ORDERS}const users = [];
  ${EACH}
  res.end(String(users.length));
`;
const FIND = 'users.find((user) => user.id === order.userId)';
const JOIN = dedent`
  const { users, orders } = await body(req);
  const named = orders.map((order) => ({ ...order, user: ${FIND} }));
  res.end(String(named.length));
`;
const BY_ID = 'const byId = new Map(users.map((user) => [user.id, user]));\nconst named';
const manyOf = (count: number): string => {
  const ids = Array.from({ length: count }, (_, id) => id);
  return `POST / ${JSON.stringify({ users: ids.map((id) => ({ id })), orders: ids.map((id) => ({ id, userId: count - 1 })) })}`;
};
const FIND_AUTHOR = 'users.find((user) => user.id === post.userId)';
/** Two whole tables of so many rows. No request can make them longer, so that no growth can be measured. */
const tablesOf = (rows: number): Pick<TruthCase, 'files' | 'target'> => {
  const { files, target } = served(
    "const { User, Post } = require('./db.js');",
    dedent`
      const users = await User.findAll();
      const posts = await Post.findAll();
      const named = posts.map((post) => ({ ...post, user: ${FIND_AUTHOR} }));
      res.end(String(named.length));
    `,
  );
  const db = dedent`
    ${WAIT}
    const rows = (row) => wait(1, Array.from({ length: ${String(rows)} }, (_, id) => row(id)));
    exports.User = { findAll: () => rows((id) => ({ id })) };
    exports.Post = { findAll: () => rows((id) => ({ id, userId: ${String(rows - 1)} - id })) };

  `;
  return { files: { ...files, 'db.js': db }, target };
};
const WITH_MAP = [
  edit(FIND_AUTHOR, 'byId.get(post.userId)'),
  edit('const named', 'const byId = new Map(users.map((user) => [user.id, user]));\nconst named'),
];

export const cases: readonly TruthCase[] = [
  {
    name: 'a query of 4 ms for each of six orders',
    ...served(pool(`wait(4, ${ROWS})`), USERS),
    finding: perItem(),
    truth: 'confirmed',
    established: [
      pair(edit(EACH, 'users.push(await pool.query("SELECT * FROM users WHERE id = ANY($1)", [rows.map((row) => row.user_id)]));')),
    ],
    inCi: true,
  },
  {
    name: 'a query for each of no orders',
    ...served(pool('wait(4, { rows: [] })'), USERS),
    finding: perItem(),
    truth: 'not-reached',
    established: [neverRuns(edit(EACH, EACH.replace('users.push(', "__hit('place'), users.push(")))],
  },
  {
    name: 'a copy of many rows that nobody else has',
    ...served(
      dedent`
        ${WAIT}
        const pool = { query: () => wait(0, { rows: Array.from({ length: 2000 }, (_, id) => ({ id, name: 'n' + id, tags: [id] })) }) };
      `,
      dedent`
        const { rows } = await pool.query("SELECT * FROM items");
        const copy = structuredClone(rows);
        res.end(String(copy.length));
      `,
    ),
    finding: { ruleId: 'no-deep-clone', messageId: 'fresh', at: 'structuredClone' },
    truth: 'confirmed',
    established: [pair(edit('structuredClone(rows)', 'rows'))],
  },
  {
    name: 'a copy of one short row that nobody else has',
    ...served(
      `${WAIT}\nconst pool = { query: () => wait(4, { rows: [{ id: 1 }] }) };`,
      dedent`
        const { rows } = await pool.query("SELECT * FROM items");
        const copy = structuredClone(rows);
        res.end(String(copy.length));
      `,
    ),
    finding: { ruleId: 'no-deep-clone', messageId: 'fresh', at: 'structuredClone' },
    truth: 'seen',
    established: [pair(edit('structuredClone(rows)', 'rows'))],
  },
  {
    name: 'the same query twice on one path',
    ...served(
      pool('wait(6, text)'),
      dedent`
        const first = await pool.query("SELECT * FROM users WHERE id = $1", [1]);
        const again = await pool.query("SELECT * FROM users WHERE id = $1", [1]); // again
        res.end(first + again);
      `,
    ),
    finding: { ruleId: 'no-redundant-work', messageId: 'read', at: '// again' },
    truth: 'confirmed',
    established: [pair(edit('const again = await pool.query("SELECT * FROM users WHERE id = $1", [1]);', 'const again = first;'))],
  },
  {
    name: 'a user searched in a list for each order of a body',
    ...served(BODY, JOIN, manyOf(2000)),
    finding: { ruleId: 'no-quadratic', messageId: 'searched', at: 'users.find' },
    truth: 'confirmed',
    established: [pair(edit(FIND, 'byId.get(order.userId)'), edit('const named', BY_ID))],
  },
  {
    name: 'a user searched in a list that the first line of the handler keeps from the search',
    ...served(BODY, `if (!req.headers['x-join']) return res.end('none');\n${JOIN}`, manyOf(2000)),
    finding: { ruleId: 'no-quadratic', messageId: 'searched', at: 'users.find' },
    truth: 'not-reached',
    established: [neverRuns(edit('user: users.find', "user: (__hit('place'), users).find"))],
  },
  {
    name: 'a user searched in a table of 2,000 for each row of another',
    ...tablesOf(2000),
    finding: { ruleId: 'no-quadratic', messageId: 'searched', at: 'users.find' },
    truth: 'confirmed',
    established: [pairOfWork(...WITH_MAP)],
  },
  {
    name: 'a user searched in a table of 12 for each row of another',
    ...tablesOf(12),
    finding: { ruleId: 'no-quadratic', messageId: 'searched', at: 'users.find' },
    truth: 'seen',
    established: [pair(...WITH_MAP)],
  },
];
