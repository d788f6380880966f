import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { innocents } from './cases-innocents.ts';

const APP = "const app = require('express')();\n";
const PG = `${APP}const { Pool } = require('pg');\nconst pool = new Pool();\n`;
const MONGOOSE = dedent`
  ${APP}const mongoose = require('mongoose');
  const User = mongoose.model('User');
  const Post = mongoose.model('Post');

`;
const PRISMA = `${APP}const { PrismaClient } = require('@prisma/client');\nconst prisma = new PrismaClient();\n`;

const DB = `${APP}const pool = require('./db');\n`;

/** 40 lines of a pipeline. */
const STAGES = Array.from({ length: 40 }, (_, i) => `{ $match: { field${i}: ${i} } },`).join('\n    ');

export const cases: RuleCases<'pair' | 'inAll'> = {
  valid: innocents,
  invalid: [
    {
      name: 'answers of which one is enough',
      code: dedent`
        ${MONGOOSE}app.delete('/:id', async (req, res) => {
          const user = await User.exists({ group: req.params.id });
          const post = await «Post.exists({ group: req.params.id })»;
          if (user || post) return res.status(409).end();
          res.end();
        });
        app.get('/:id', async (req, res) => {
          const user = await User.exists({ group: req.params.id });
          const post = await «Post.exists({ group: req.params.id })»;
          if (user && post) return res.json({ isUsed: true });
          res.end();
        });
      `,
      findings: [
        { messageId: 'pair', refused: ['line 8 only asks whether one of them has found something'] },
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.delete('/:id', async (req, res) => {
                  const user = await User.exists({ group: req.params.id });
                  const post = await Post.exists({ group: req.params.id });
                  if (user || post) return res.status(409).end();
                  res.end();
                });
                app.get('/:id', async (req, res) => {
                  const [user, post] = await Promise.all([
                    User.exists({ group: req.params.id }),
                    Post.exists({ group: req.params.id }),
                  ]);
                  if (user && post) return res.json({ isUsed: true });
                  res.end();
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'jobs every three hours, and every five minutes',
      code: dedent`
        ${MONGOOSE}const cron = require('node-cron');
        cron.schedule('0 */3 * * *', async () => {
          const users = await User.find({ isOld: true });
          const posts = await «Post.find({ isOld: true })»;
          remove(users, posts);
        });
        cron.schedule('*/5 * * * *', async () => {
          const users = await User.find({ isNew: true });
          const posts = await «Post.find({ isNew: true })»;
          greet(users, posts);
        });
      `,
      findings: [
        {
          messageId: 'pair',
          route: 'JOB 0 */3 * * *',
          refused: ['only jobs run it, on average at most once in 3 h, and no request waits for it'],
        },
        {
          messageId: 'pair',
          route: 'JOB */5 * * * *',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}const cron = require('node-cron');
                cron.schedule('0 */3 * * *', async () => {
                  const users = await User.find({ isOld: true });
                  const posts = await Post.find({ isOld: true });
                  remove(users, posts);
                });
                cron.schedule('*/5 * * * *', async () => {
                  const [users, posts] = await Promise.all([
                    User.find({ isNew: true }),
                    Post.find({ isNew: true }),
                  ]);
                  greet(users, posts);
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a loop behind them waits for a query in each round',
      code: dedent`
        ${MONGOOSE}app.get('/report', async (req, res) => {
          const users = await User.find({});
          const posts = await «Post.find({}).lean()»;
          const rows = [];
          for (const user of users) {
            rows.push(await Post.findOne({ user: user.id }).lean());
          }
          res.json({ rows, posts });
        });
      `,
      findings: [{ messageId: 'pair', refused: ['the loop on line 9 waits for a query in each round'] }],
    },
    ...[
      'if (req.query.all) for (const user of users) await Post.create({ user });',
      'for (const user of users) if (!user.name) await User.deleteOne({ _id: user.id });',
      "for (const name of ['a', 'b']) await Post.create({ name });",
      'for (let i = 0; i < 3; i++) if (!(await Post.exists({ code: codeOf(i) }))) break;',
      'if (req.query.short) return res.json(posts);\n  for (const user of users) await Post.create({ user });',
      'if (req.query.short) res.json(posts);\n  else for (const user of users) await Post.create({ user });',
    ].map((loop) => ({
      name: 'a loop that does not wait for a query in each round, or not on each path',
      code: dedent`
        ${MONGOOSE}app.get('/report', async (req, res) => {
          const users = await User.find({});
          const posts = await «Post.find({})»;
          ${loop}
          res.json({ users, posts });
        });
      `,
      findings: [
        {
          messageId: 'pair' as const,
          fixes: [
            {
              kind: 'suggestion' as const,
              output: dedent`
                ${MONGOOSE}app.get('/report', async (req, res) => {
                  const [users, posts] = await Promise.all([User.find({}), Post.find({})]);
                  ${loop}
                  res.json({ users, posts });
                });
              `,
            },
          ],
        },
      ],
    })),
    {
      name: 'a loop in another branch',
      code: dedent`
        ${MONGOOSE}app.get('/report', async (req, res) => {
          if (req.query.short) {
            const users = await User.find({});
            const posts = await «Post.find({})»;
            return res.json({ users, posts });
          }
          for (const id of req.query.ids) await Post.findById(id);
          res.end();
        });
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.get('/report', async (req, res) => {
                  if (req.query.short) {
                    const [users, posts] = await Promise.all([User.find({}), Post.find({})]);
                    return res.json({ users, posts });
                  }
                  for (const id of req.query.ids) await Post.findById(id);
                  res.end();
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'counts before and after a write',
      code: dedent`
        ${MONGOOSE}app.get('/report', async (req, res) => {
          const users = await User.countDocuments({ isOld: true });
          const posts = await «Post.countDocuments({ isOld: true })»;
          await User.updateMany({ isOld: true }, { isGone: true });
          const usersAfter = await User.countDocuments({ isOld: true });
          const postsAfter = await «Post.countDocuments({ isOld: false })»;
          res.json({ users, posts, usersAfter, postsAfter });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.get('/report', async (req, res) => {
                  const [users, posts] = await Promise.all([
                    User.countDocuments({ isOld: true }),
                    Post.countDocuments({ isOld: true }),
                  ]);
                  await User.updateMany({ isOld: true }, { isGone: true });
                  const usersAfter = await User.countDocuments({ isOld: true });
                  const postsAfter = await Post.countDocuments({ isOld: false });
                  res.json({ users, posts, usersAfter, postsAfter });
                });
              `,
            },
          ],
        },
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.get('/report', async (req, res) => {
                  const users = await User.countDocuments({ isOld: true });
                  const posts = await Post.countDocuments({ isOld: true });
                  await User.updateMany({ isOld: true }, { isGone: true });
                  const [usersAfter, postsAfter] = await Promise.all([
                    User.countDocuments({ isOld: true }),
                    Post.countDocuments({ isOld: false }),
                  ]);
                  res.json({ users, posts, usersAfter, postsAfter });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a loop behind them waits for no query',
      code: dedent`
        ${MONGOOSE}app.get('/report', async (req, res) => {
          const users = await User.find({});
          const posts = await «Post.find({}).lean()»;
          for (const user of users) await res.write(user.name);
          res.end(posts.length + '');
        });
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.get('/report', async (req, res) => {
                  const [users, posts] = await Promise.all([
                    User.find({}),
                    Post.find({}).lean(),
                  ]);
                  for (const user of users) await res.write(user.name);
                  res.end(posts.length + '');
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: '`Promise.all` over their answers, which was a list of promises once',
      code: dedent`
        ${MONGOOSE}app.get('/both', async (req, res) => {
          let data = await User.find({});
          let posts = await «Post.find({})»;
          data = await Promise.all([data, posts]);
          res.json(data);
        });
      `,
      findings: [{ messageId: 'pair', refused: ['`Promise.all` on line 8 gets their answers. Write the calls into its list'] }],
    },
    {
      name: 'two of four counts',
      code: dedent`
        ${PG}app.get('/usage/:tenant', async (req, res) => {
          const { tenant } = req.params;
          const errors = [];
          const users = await pool.query('SELECT COUNT(*) FROM users WHERE tenant = $1', [tenant]);
          if (users.rows[0].count > 5) errors.push('users');
          const accounts = await pool.query('SELECT COUNT(*) FROM accounts WHERE tenant = $1', [tenant]);
          const instances = await «pool.query('SELECT COUNT(*) FROM instances WHERE tenant = $1', [tenant])»;
          if (accounts.rows[0].count + instances.rows[0].count > 5) errors.push('connections');
          const campaigns = await pool.query('SELECT COUNT(*) FROM campaigns WHERE tenant = $1', [tenant]);
          res.json({ errors, campaigns });
        });
      `,
      findings: [{ messageId: 'pair', refused: ['the query on line 12 does not need their answers either, and would still wait'] }],
    },
    {
      name: 'counts behind what may end the function, and one of what the others have found',
      code: dedent`
        ${PG}app.get('/usage/:tenant', async (req, res) => {
          const { tenant } = req.params;
          const users = await pool.query('SELECT * FROM users WHERE tenant = $1', [tenant]);
          if (users.rows.length > 5) return res.json({ users });
          const accounts = await pool.query('SELECT * FROM accounts WHERE tenant = $1', [tenant]);
          const instances = await «pool.query('SELECT * FROM instances WHERE tenant = $1', [tenant])»;
          const ids = accounts.rows.map((one) => one.id).concat(instances.rows.map((one) => one.id));
          const campaigns = await pool.query('SELECT * FROM campaigns WHERE account = ANY($1)', [ids]);
          res.json({ users, campaigns });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${PG}app.get('/usage/:tenant', async (req, res) => {
                  const { tenant } = req.params;
                  const users = await pool.query('SELECT * FROM users WHERE tenant = $1', [tenant]);
                  if (users.rows.length > 5) return res.json({ users });
                  const [accounts, instances] = await Promise.all([
                    pool.query('SELECT * FROM accounts WHERE tenant = $1', [tenant]),
                    pool.query('SELECT * FROM instances WHERE tenant = $1', [tenant]),
                  ]);
                  const ids = accounts.rows.map((one) => one.id).concat(instances.rows.map((one) => one.id));
                  const campaigns = await pool.query('SELECT * FROM campaigns WHERE account = ANY($1)', [ids]);
                  res.json({ users, campaigns });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'long pipelines, which stay where they are under a name',
      code: dedent`
        ${MONGOOSE}app.get('/report', async (req, res) => {
          const users = await User.aggregate([
            ${STAGES}
          ]);
          const posts = await «Post.aggregate([
            ${STAGES}
          ]).exec()»;
          res.json({ users, posts });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.get('/report', async (req, res) => {
                  const usersPipeline = [
                    ${STAGES}
                  ];
                  const postsPipeline = [
                    ${STAGES}
                  ];
                  const [users, posts] = await Promise.all([
                    User.aggregate(usersPipeline),
                    Post.aggregate(postsPipeline).exec(),
                  ]);
                  res.json({ users, posts });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a query whose answer nothing uses',
      code: dedent`
        ${PG}app.get('/orders', async (req, res) => {
          const users = await pool.query('SELECT * FROM users');
          const orders = await «pool.query('SELECT * FROM orders')»;
          res.json(orders);
        });
      `,
      findings: [
        {
          messageId: 'pair',
          data: {
            first: '`users`',
            remedy: 'Nothing uses `users`. Remove it, or start them together: `const [a, b] = await Promise.all([…, …])`.',
          },
          refused: ['nothing uses `users`. Remove the call'],
        },
      ],
    },
    {
      name: 'two queries',
      code: dedent`
        ${PG}app.get('/orders', async (req, res) => {
          const users = await pool.query('SELECT * FROM users');
          const orders = await «pool.query('SELECT * FROM orders')»;
          res.json({ users, orders });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          severity: 'hint',
          route: 'GET /orders',
          data: {
            call: 'pool.query',
            first: '`users`',
            second: '`orders`',
            remedy: 'Start them together: `const [a, b] = await Promise.all([…, …])`.',
          },
          related: ['awaited before it', 'handled'],
          fixes: [
            {
              kind: 'suggestion',
              title: 'Start them together, with `Promise.all`',
              output: dedent`
                ${PG}app.get('/orders', async (req, res) => {
                  const [users, orders] = await Promise.all([
                    pool.query('SELECT * FROM users'),
                    pool.query('SELECT * FROM orders'),
                  ]);
                  res.json({ users, orders });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'queries for many, with what depends on neither between them',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const users = await User.find({ _id: { $in: req.query.ids } }).sort('name').lean();
          const page = Number(req.query.page);
          const posts = await «Post.find({ kind: 'news' }).skip(page * 10).limit(10)»;
          res.json({ users, posts });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          data: { call: 'Post.find', first: '`users`' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.get('/', async (req, res) => {
                  const page = Number(req.query.page);
                  const [users, posts] = await Promise.all([
                    User.find({ _id: { $in: req.query.ids } }).sort('name').lean(),
                    Post.find({ kind: 'news' }).skip(page * 10).limit(10),
                  ]);
                  res.json({ users, posts });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'with what an answer is needed for between them, where lists have no trailing commas',
      project: { format: { width: 80, trailingComma: 'none' } },
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const user = await User.findById(req.query.id).lean();
          const { name } = user;
          const most = 10;
          const title = \`Posts of \${name}\`;
          const posts = await «Post.find({ kind: 'news', read: 'often' }).limit(most)»;
          res.json({ title, posts });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.get('/', async (req, res) => {
                  const most = 10;
                  const [user, posts] = await Promise.all([
                    User.findById(req.query.id).lean(),
                    Post.find({ kind: 'news', read: 'often' }).limit(most)
                  ]);
                  const { name } = user;
                  const title = \`Posts of \${name}\`;
                  res.json({ title, posts });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'what a read gets as a whole between them may be changed by it',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const filter = { age: req.query.age };
          const users = await User.find(filter).lean();
          const age = filter.age;
          const posts = await «Post.find({ kind: 'news' })»;
          res.json({ users, posts, age });
        });
      `,
      findings: [{ messageId: 'pair', fixes: [], refused: ['line 8 stands between them'] }],
    },
    {
      name: 'the time between them is another one before them',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const users = await User.find({ _id: { $in: req.query.ids } }).lean();
          const at = Date.now();
          const posts = await «Post.find({ kind: 'news' })»;
          res.json({ users, posts, at });
        });
      `,
      findings: [{ messageId: 'pair', fixes: [], refused: ['line 7 stands between them'] }],
    },
    {
      name: 'a variable of the file between them may change while the first is awaited',
      code: dedent`
        ${MONGOOSE}let visits = 0;
        app.get('/', async (req, res) => {
          const users = await User.find({ _id: { $in: req.query.ids } }).lean();
          const seen = visits;
          const posts = await «Post.find({ kind: 'news' })»;
          visits += 1;
          res.json({ users, posts, seen });
        });
      `,
      findings: [{ messageId: 'pair', fixes: [], refused: ['line 8 stands between them'] }],
    },
    {
      name: 'with what is made of the elements of an answer between them',
      code: dedent`
        ${PG}app.get('/', async (req, res) => {
          const users = await pool.query('SELECT * FROM users');
          const orders = await «pool.query('SELECT * FROM orders')»;
          const total = orders.rows.length
            ? orders.rows.reduce((sum, { price }) => sum + parseFloat(price), 0)
            : null;
          const months = await pool.query(
            \`SELECT DATE_TRUNC('month', at) AS month
             FROM orders
             WHERE owner = $1\`,
            [req.query.owner],
          );
          res.json({ users, total, months });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          related: ['awaited before it', 'could start with them', 'handled'],
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${PG}app.get('/', async (req, res) => {
                  const [users, orders, months] = await Promise.all([
                    pool.query('SELECT * FROM users'),
                    pool.query('SELECT * FROM orders'),
                    pool.query(
                      \`SELECT DATE_TRUNC('month', at) AS month
                     FROM orders
                     WHERE owner = $1\`,
                      [req.query.owner],
                    ),
                  ]);
                  const total = orders.rows.length
                    ? orders.rows.reduce((sum, { price }) => sum + parseFloat(price), 0)
                    : null;
                  res.json({ users, total, months });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a property that is named as an answer',
      code: dedent`
        ${PRISMA}app.get('/', async (req, res) => {
          const company = await prisma.company.findFirst();
          const quotes = await «prisma.quote.findMany({ include: { company: true } })»;
          res.json({ company, quotes });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${PRISMA}app.get('/', async (req, res) => {
                  const [company, quotes] = await Promise.all([
                    prisma.company.findFirst(),
                    prisma.quote.findMany({ include: { company: true } }),
                  ]);
                  res.json({ company, quotes });
                });
              `,
            },
          ],
        },
      ],
    },
    ...(
      [
        ['values that the function of the project may add to', DB, 'query', 'values'],
        ['values that a replaced method may add to', `${PG}pool.query = require('./traced');\n`, 'query', 'values'],
        ['values, of which it is not said what they are', DB, 'query', 'valuesOf(req)'],
      ] as const
    ).map(([name, before, method, values]) => ({
      name,
      code: dedent`
        ${before}app.get('/', async (req, res) => {
          const values = ${values === 'values' ? '[req.query.owner]' : values};
          const users = await pool.${method}('SELECT * FROM users WHERE owner = $1', values);
          const orders = await «pool.${method}('SELECT * FROM orders WHERE owner = $1', values)»;
          res.json({ users, orders });
        });
      `,
      findings: [{ messageId: 'pair' as const, fixes: [], refused: ['several of the calls get `values`'] }],
    })),
    {
      name: 'a filter of two models, which cast it in place',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const filter = { owner: req.query.owner };
          const users = await User.find(filter);
          const posts = await «Post.find(filter)»;
          res.json({ users, posts });
        });
      `,
      findings: [{ messageId: 'pair', fixes: [], refused: ['several of the calls get `filter`'] }],
    },
    ...(
      [
        ['values that the package leaves as they are', PG, '[req.query.owner]', 'pool.query(A, values)', 'pool.query(B, values)'],
        ['a copy for each', DB, '[req.query.owner]', 'pool.query(A, [...values])', 'pool.query(B, [...values])'],
        ['a filter of one model', MONGOOSE, '{ owner: req.query.owner }', 'Post.find(values)', 'Post.countDocuments(values)'],
      ] as const
    ).map(([name, before, values, first, second]) => {
      const withTexts = (call: string): string =>
        call.replace('A', "'SELECT * FROM a WHERE owner = $1'").replace('B', "'SELECT * FROM b WHERE owner = $1'");
      return {
        name,
        code: dedent`
          ${before}app.get('/', async (req, res) => {
            const values = ${values};
            const one = await ${withTexts(first)};
            const two = await «${withTexts(second)}»;
            res.json({ one, two });
          });
        `,
        findings: [
          {
            messageId: 'pair' as const,
            fixes: [
              {
                kind: 'suggestion' as const,
                output: dedent`
                  ${before}app.get('/', async (req, res) => {
                    const values = ${values};
                    const [one, two] = await Promise.all([
                      ${withTexts(first)},
                      ${withTexts(second)},
                    ]);
                    res.json({ one, two });
                  });
                `,
              },
            ],
          },
        ],
      };
    }),
    {
      name: 'three, and one that needs the answers',
      code: dedent`
        ${PRISMA}app.get('/', async (req, res) => {
          const users = await prisma.user.findMany({ where: { active: true } });
          const posts = await «prisma.post.findMany()»;
          const total = await prisma.post.count();
          const comments = await prisma.comment.findMany({ where: { postId: posts[0].id } });
          res.json({ users, posts, total, comments });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          related: ['awaited before it', 'could start with them', 'handled'],
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${PRISMA}app.get('/', async (req, res) => {
                  const [users, posts, total] = await Promise.all([
                    prisma.user.findMany({ where: { active: true } }),
                    prisma.post.findMany(),
                    prisma.post.count(),
                  ]);
                  const comments = await prisma.comment.findMany({ where: { postId: posts[0].id } });
                  res.json({ users, posts, total, comments });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'awaited in the list of a Promise.all',
      code: dedent`
        ${PRISMA}app.get('/', async (req, res) => {
          const [users, count] = await Promise.all([
            await prisma.user.findMany({
              where: { active: true },
            }),
            await «prisma.user.count({
              where: { active: true },
            })»,
          ]);
          res.json({ users, count });
        });
      `,
      findings: [
        {
          messageId: 'inAll',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Remove the `await` in the list',
              output: dedent`
                ${PRISMA}app.get('/', async (req, res) => {
                  const [users, count] = await Promise.all([
                    prisma.user.findMany({
                      where: { active: true },
                    }),
                    prisma.user.count({
                      where: { active: true },
                    }),
                  ]);
                  res.json({ users, count });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'only the first is awaited in the list',
      code: dedent`
        ${PRISMA}app.get('/', async (req, res) => res.json(await Promise.all([await prisma.user.findMany(), «prisma.user.count()»])));
      `,
      findings: [
        {
          messageId: 'inAll',
          fixes: [
            {
              kind: 'suggestion',
              output:
                `${PRISMA}app.get('/', async (req, res) => res.json(await Promise.all([prisma.user.findMany(), prisma.user.count()])));\n`.trimEnd(),
            },
          ],
        },
      ],
    },
    {
      name: 'parts of one object',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          res.json({ users: await User.find(), posts: await «Post.find()», page: 1 });
        });
      `,
      findings: [{ messageId: 'pair', fixes: [], refused: ['parts of one expression'] }],
    },
    {
      name: 'variables and fields that are assigned',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const page = {};
          page.users = await User.find();
          page.posts = await «Post.find()»;
          res.render('page', page);
        });
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.get('/', async (req, res) => {
                  const page = {};
                  [page.users, page.posts] = await Promise.all([User.find(), Post.find()]);
                  res.render('page', page);
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'an answer that nothing uses',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const users = await User.find();
          const posts = await «Post.find()»;
          res.json({ users });
        });
      `,
      findings: [{ messageId: 'pair', fixes: [], refused: ['nothing uses `posts`'] }],
    },
    {
      name: 'an answer that nothing uses, where the read throws if there is none',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const posts = await Post.find();
          const user = await «User.findById(req.query.id).orFail()»;
          res.json({ posts });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Start them together, with `Promise.all`',
              output: dedent`
                ${MONGOOSE}app.get('/', async (req, res) => {
                  const [posts, user] = await Promise.all([
                    Post.find(),
                    User.findById(req.query.id).orFail(),
                  ]);
                  res.json({ posts });
                });
              `,
            },
          ],
        },
      ],
    },
    ...[
      [
        'a `var` in a try, which its catch sees',
        'try { var users = await User.find();',
        'var posts',
        'res.json({ users, posts }); } catch (error) { res.json({ users }); }',
      ],
      [
        'an answer that a closure above sees',
        "let users, posts; res.on('finish', () => console.log(users)); users = await User.find();",
        'posts',
        'res.json({ users, posts });',
      ],
      [
        'an answer that a function below sees',
        "let users, posts; res.on('finish', log); users = await User.find();",
        'posts',
        'res.json({ users, posts }); function log() { console.log(users); }',
      ],
    ].map(([name = '', first = '', target = '', rest = '']) => ({
      name,
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          ${first}
          ${target} = await «Post.find()»;
          ${rest}
        });
      `,
      findings: [{ messageId: 'pair' as const, fixes: [], refused: ['where a later one fails, what line'] }],
    })),
    {
      name: 'fields that the page of an error may show',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          res.locals.users = await User.find();
          res.locals.posts = await «Post.find()»;
          res.render('page');
        });
      `,
      findings: [{ messageId: 'pair', fixes: [], refused: ['where a later one fails, what line'] }],
    },
    {
      name: 'requests, and the bodies of their answers',
      code: dedent`
        ${APP}app.get('/', async (req, res) => {
          const first = await fetch('https://api.example.org/users');
          const users = await first.json();
          const second = await «fetch('https://api.example.org/orders')»;
          const orders = await second.json();
          res.json({ users, orders });
        });
      `,
      findings: [{ messageId: 'pair', data: { call: 'fetch', first: '`first`' }, fixes: [], refused: ['line 4 stands between them'] }],
    },
    {
      name: 'a query and a request',
      code: dedent`
        ${PG}const axios = require('axios');
        app.get('/', async (req, res) => {
          const { rows } = await pool.query('SELECT * FROM orders WHERE id = ANY($1)', [req.query.ids]);
          const { data } = await «axios.get(process.env.RATES)»;
          res.json({ rows, data });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${PG}const axios = require('axios');
                app.get('/', async (req, res) => {
                  const [{ rows }, { data }] = await Promise.all([
                    pool.query('SELECT * FROM orders WHERE id = ANY($1)', [req.query.ids]),
                    axios.get(process.env.RATES),
                  ]);
                  res.json({ rows, data });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'commands of Redis share a trip if they do not wait for each other',
      code: dedent`
        ${APP}const redis = require('redis').createClient();
        app.get('/', async (req, res) => {
          const name = await redis.get('name');
          const color = await «redis.get('color')»;
          res.json({ name, color });
        });
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${APP}const redis = require('redis').createClient();
                app.get('/', async (req, res) => {
                  const [name, color] = await Promise.all([
                    redis.get('name'),
                    redis.get('color'),
                  ]);
                  res.json({ name, color });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'with types, comments, and kinds of variables',
      code: dedent`
        import express from 'express';
        import { Pool } from 'pg';
        const app = express();
        const pool = new Pool();
        app.get('/a', async (req, res) => {
          const a: Rows = await pool.query('SELECT * FROM a');
          const b: Rows = await «pool.query('SELECT * FROM b')»;
          res.json({ a, b });
        });
        app.get('/b', async (req, res) => {
          const a = await pool.query('SELECT * FROM a');
          // The newest.
          const b = await «pool.query('SELECT * FROM b')»;
          res.json({ a, b });
        });
        app.get('/c', async (req, res) => {
          let a = await pool.query('SELECT * FROM a');
          const b = await «pool.query('SELECT * FROM b')»;
          res.json({ a, b });
        });
        app.get('/d', async (req, res) => {
          const a = await pool.query('SELECT * FROM a'), c = 1;
          const b = await «pool.query('SELECT * FROM b')»;
          res.json({ a, b, c });
        });
      `,
      file: 'src/app.ts',
      findings: [
        { messageId: 'pair', fixes: [], refused: ['a type annotation'] },
        { messageId: 'pair', fixes: [], refused: ['comments between them'] },
        { messageId: 'pair', fixes: [], refused: ['declared in another way'] },
        { messageId: 'pair', fixes: [], refused: ['stands between them'] },
      ],
    },
    {
      name: 'a file that mixes both keeps the semicolon of what is replaced',
      code: dedent`
        ${"const app = require('express')()\nconst { Pool } = require('pg')\nconst pool = new Pool()\n"}
        app.get('/', async (req, res) => {
          const a = await pool.query('SELECT * FROM a');
          const b = await «pool.query('SELECT * FROM b')»;
          res.json({ a, b })
        })
      `,
      findings: [
        {
          messageId: 'pair',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${"const app = require('express')()\nconst { Pool } = require('pg')\nconst pool = new Pool()\n"}
                app.get('/', async (req, res) => {
                  const [a, b] = await Promise.all([
                    pool.query('SELECT * FROM a'),
                    pool.query('SELECT * FROM b')
                  ]);
                  res.json({ a, b })
                })
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'without semicolons',
      code: dedent`
        ${"const app = require('express')()\nconst { Pool } = require('pg')\nconst pool = new Pool()\n"}
        app.get('/', async (req, res) => {
          let a, b
          a = await pool.query('SELECT * FROM a')
          b = await «pool.query('SELECT * FROM b')»
          res.json({ a, b })
        })
      `,
      findings: [{ messageId: 'pair', fixes: [], refused: ['needs a semicolon'] }],
    },
    {
      name: 'in a service of another file',
      file: 'src/users.js',
      code: dedent`
        const { Pool } = require('pg');
        const pool = new Pool();
        exports.overview = async function overview() {
          const users = await pool.query('SELECT * FROM users');
          const orders = await «pool.query('SELECT * FROM orders')»;
          return { users, orders };
        };
      `,
      others: {
        'src/app.js': dedent`
            const app = require('express')();
            const users = require('./users');
            app.get('/users', async (req, res) => res.json(await users.overview()));

          `,
      },
      findings: [
        {
          messageId: 'pair',
          route: 'GET /users',
          functionName: 'overview',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const { Pool } = require('pg');
                const pool = new Pool();
                exports.overview = async function overview() {
                  const [users, orders] = await Promise.all([
                    pool.query('SELECT * FROM users'),
                    pool.query('SELECT * FROM orders'),
                  ]);
                  return { users, orders };
                };
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'in the list of a Promise.all, whatever is called, and whoever calls it',
      code: dedent`
        import { sendList, sendInfo } from './send.js';
        export async function afterLogin(socket) {
          await Promise.all([await sendInfo(socket), await «sendList(socket)»]);
        }
      `,
      findings: [
        {
          messageId: 'inAll',
          severity: 'hint',
          data: { call: 'sendList', first: '`sendInfo`', second: '`sendList`', where: 'call of `afterLogin`' },
          fixes: [],
          refused: ['`sendInfo` may do more than read'],
        },
      ],
    },
    {
      name: 'a library: each call of what it exports',
      options: { exports: true },
      code: dedent`
        const { Pool } = require('pg');
        const pool = new Pool();
        class Shop {
          async overview() {
            return this.load();
          }
          async load() {
            const users = await pool.query('SELECT * FROM users');
            const orders = await «pool.query('SELECT * FROM orders')»;
            return { users, orders };
          }
        }
        exports.Shop = Shop;
      `,
      findings: [
        {
          messageId: 'pair',
          severity: 'hint',
          data: { where: 'call of `Shop.load`, which this module exports' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const { Pool } = require('pg');
                const pool = new Pool();
                class Shop {
                  async overview() {
                    return this.load();
                  }
                  async load() {
                    const [users, orders] = await Promise.all([
                      pool.query('SELECT * FROM users'),
                      pool.query('SELECT * FROM orders'),
                    ]);
                    return { users, orders };
                  }
                }
                exports.Shop = Shop;
              `,
            },
          ],
        },
      ],
    },
  ],
};
