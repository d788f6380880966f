import { dedent } from '../../analysis/testing/dedent.ts';
import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { innocents } from './cases-innocents.ts';

const APP = "const app = require('express')();\n";
const PG = `${APP}const { Pool } = require('pg');\nconst pool = new Pool();\n`;
const MONGOOSE = dedent`
  ${APP}const mongoose = require('mongoose');
  const User = mongoose.model('User');
  const Post = mongoose.model('Post');

`;
const CRYPTO = `${APP}const crypto = require('node:crypto');\n`;

export const cases: RuleCases<'read' | 'computed' | 'each' | 'early' | 'unused'> = {
  valid: innocents,
  invalid: [
    {
      name: 'the text of a value that may be large: up to a limit of 100,000 characters, and from one on',
      code: dedent`
        const app = require('express')();
        app.get('/', (req, res) => {
          const text = JSON.stringify(req.query).length < 100_000 ? «JSON.stringify(req.query)» : '[big]';
          const rest = JSON.stringify(req.params).length < 400 ? '[small]' : «JSON.stringify(req.params)»;
          res.end(text + rest);
        });
      `,
      findings: [
        { messageId: 'computed', refused: ['the first result is not kept'] },
        { messageId: 'computed', refused: ['the first result is not kept'] },
      ],
    },
    {
      name: 'a query that finds few rows is still a query',
      code: dedent`
        ${MONGOOSE}app.get('/:team', async (req, res) => {
          const { team } = req.params;
          res.json((await User.find({ team })).length < 50 ? await «User.find({ team })» : []);
        });
      `,
      findings: [{ messageId: 'read', refused: ['the first result is not kept'] }],
    },
    {
      name: 'the same query twice',
      code: dedent`
        ${MONGOOSE}app.get('/users/:id', async (req, res) => {
          const user = await User.findById(req.params.id).lean();
          if (!user) return res.sendStatus(404);
          const posts = await Post.find({ author: req.params.id });
          const author = await «User.findById(req.params.id).lean()»;
          res.json({ posts, name: \`\${author.name}\` });
        });
      `,
      findings: [
        {
          messageId: 'read',
          severity: 'hint',
          route: 'GET /users/:id',
          data: { call: 'User.findById' },
          related: ['the first time', 'handled'],
          fixes: [
            {
              kind: 'suggestion',
              title: 'Use the first result again',
              output: dedent`
                ${MONGOOSE}app.get('/users/:id', async (req, res) => {
                  const user = await User.findById(req.params.id).lean();
                  if (!user) return res.sendStatus(404);
                  const posts = await Post.find({ author: req.params.id });
                  const author = user;
                  res.json({ posts, name: \`\${author.name}\` });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'objects of which one may be changed',
      code: dedent`
        ${MONGOOSE}app.get('/users/:id', async (req, res) => {
          const user = await User.findById(req.params.id);
          const old = await «User.findById(req.params.id)»;
          change(user);
          res.json([user, old]);
        });
      `,
      findings: [{ messageId: 'read', fixes: [], refused: ['both results are separate objects'] }],
    },
    {
      name: 'the first has no name',
      code: dedent`
        ${PG}app.get('/', async (req, res) => {
          if ((await pool.query('SELECT id FROM users')).rows.length === 0) return res.sendStatus(404);
          const { rows } = await «pool.query('SELECT id FROM users')»;
          res.json(rows);
        });
      `,
      findings: [{ messageId: 'read', fixes: [], refused: ['not kept in a variable of its own'] }],
    },
    {
      name: 'a function of the file that reads',
      code: dedent`
        ${PG}async function findUser(id) {
          const { rows } = await pool.query('SELECT * FROM users WHERE id = $1', [id]);
          return rows[0];
        }
        app.get('/', async (req, res) => {
          const user = await findUser(req.query.id);
          if (!user) return res.sendStatus(404);
          const again = await «findUser(req.query.id)»;
          res.json(again);
        });
      `,
      findings: [
        {
          messageId: 'read',
          data: { call: 'findUser' },
          fixes: [
            {
              kind: 'suggestion',
              title: 'Use the first result again',
              output: dedent`
                ${PG}async function findUser(id) {
                  const { rows } = await pool.query('SELECT * FROM users WHERE id = $1', [id]);
                  return rows[0];
                }
                app.get('/', async (req, res) => {
                  const user = await findUser(req.query.id);
                  if (!user) return res.sendStatus(404);
                  const again = user;
                  res.json(again);
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a function of another file that reads',
      code: dedent`
        ${APP}const { findUser } = require('./users');
        app.get('/', async (req, res) => {
          const user = await findUser(req.query.id);
          if (!user) return res.sendStatus(404);
          const again = await «findUser(req.query.id)»;
          res.json(again);
        });
      `,
      others: {
        'src/users.js': dedent`
          const { Pool } = require('pg');
          const pool = new Pool();
          exports.findUser = async function (id) {
            const { rows } = await pool.query('SELECT * FROM users WHERE id = $1', [id]);
            return rows[0];
          };
        `,
      },
      findings: [
        {
          messageId: 'read',
          data: { call: 'findUser' },
          fixes: [
            {
              kind: 'suggestion',
              title: 'Use the first result again',
              output: dedent`
                ${APP}const { findUser } = require('./users');
                app.get('/', async (req, res) => {
                  const user = await findUser(req.query.id);
                  if (!user) return res.sendStatus(404);
                  const again = user;
                  res.json(again);
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a text parsed twice',
      code: dedent`
        ${APP}app.post('/', (req, res) => {
          const filter = JSON.parse(req.body.filter);
          if (filter.kind === undefined) return res.sendStatus(400);
          res.json(«JSON.parse(req.body.filter)».kind);
        });
      `,
      findings: [
        {
          messageId: 'computed',
          data: { call: 'JSON.parse' },
          fixes: [
            {
              kind: 'suggestion',
              title: 'Use the first result again',
              output: dedent`
                ${APP}app.post('/', (req, res) => {
                  const filter = JSON.parse(req.body.filter);
                  if (filter.kind === undefined) return res.sendStatus(400);
                  res.json(filter.kind);
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a hash computed twice',
      code: dedent`
        ${CRYPTO}app.post('/', (req, res) => {
          const key = crypto.createHash('sha256').update(req.body.text).digest('hex');
          res.set('ETag', key);
          res.json({ key: «crypto.createHash('sha256').update(req.body.text).digest('hex')» });
        });
      `,
      findings: [
        {
          messageId: 'computed',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Use the first result again',
              output: dedent`
                ${CRYPTO}app.post('/', (req, res) => {
                  const key = crypto.createHash('sha256').update(req.body.text).digest('hex');
                  res.set('ETag', key);
                  res.json({ key: key });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a text made twice, of which only the second is in a loop',
      code: dedent`
        ${APP}app.post('/', (req, res) => {
          const text = JSON.stringify(req.body.all);
          let size = text.length;
          for (let i = 0; i < 3; i++) size += «JSON.stringify(req.body.all)».length;
          res.json(size);
        });
      `,
      findings: [
        {
          messageId: 'computed',
          data: { call: 'JSON.stringify' },
          fixes: [
            {
              kind: 'suggestion',
              title: 'Use the first result again',
              output: dedent`
                ${APP}app.post('/', (req, res) => {
                  const text = JSON.stringify(req.body.all);
                  let size = text.length;
                  for (let i = 0; i < 3; i++) size += text.length;
                  res.json(size);
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'the same query for each element',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const posts = await Post.find({ kind: 'news' });
          const shown = [];
          for (const post of posts) {
            const user = await «User.findById(req.query.id).lean()»;
            if (user.friends.includes(post.author)) shown.push(post.title);
          }
          res.json(shown);
        });
      `,
      findings: [
        {
          messageId: 'each',
          severity: 'hint',
          data: { call: 'User.findById', list: 'posts' },
          related: ['for each element here', 'handled'],
          fixes: [],
        },
      ],
    },
    {
      name: 'the same text is parsed in each call of a callback',
      code: dedent`
        ${APP}app.post('/', (req, res) => {
          res.json(req.body.all.filter((one) => «JSON.parse(req.body.kinds)».includes(one.kind)));
        });
      `,
      findings: [{ messageId: 'each', data: { call: 'JSON.parse', list: 'req.body.all' } }],
    },
    {
      name: 'read before a condition that needs no answer',
      code: dedent`
        ${MONGOOSE}app.get('/users/:id', async (req, res) => {
          const user = await «User.findById(req.params.id)»;
          const full = req.query.full;
          if (!req.session.isMember) return res.sendStatus(403);
          res.json({ user, full });
        });
      `,
      findings: [
        {
          messageId: 'early',
          severity: 'hint',
          data: { call: 'User.findById', test: '!req.session.isMember' },
          related: ['ends without it', 'handled'],
          fixes: [
            {
              kind: 'suggestion',
              title: 'Move it below the condition',
              output: dedent`
                ${MONGOOSE}app.get('/users/:id', async (req, res) => {
                  const full = req.query.full;
                  if (!req.session.isMember) return res.sendStatus(403);
                  const user = await User.findById(req.params.id);
                  res.json({ user, full });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'read before the question whether another read has found something',
      code: dedent`
        ${MONGOOSE}app.get('/users/:id/posts', async (req, res) => {
          const user = await User.findById(req.params.id);
          const posts = await «Post.find({ author: req.params.id })»;
          if (!user) return res.sendStatus(404);
          res.json({ name: user.name, posts });
        });
      `,
      findings: [{ messageId: 'early', refused: ['`user` is there for nearly all requests, which gain nothing'] }],
    },
    {
      name: 'read before the question whether a code that the client sends is one',
      code: dedent`
        ${MONGOOSE}app.get('/coupons/:code', async (req, res) => {
          const coupon = await User.findOne({ code: req.params.code });
          const posts = await «Post.find({ kind: req.query.kind })»;
          if (!coupon) return res.sendStatus(404);
          res.json({ coupon, posts });
        });
      `,
      findings: [
        {
          messageId: 'early',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.get('/coupons/:code', async (req, res) => {
                  const coupon = await User.findOne({ code: req.params.code });
                  if (!coupon) return res.sendStatus(404);
                  const posts = await Post.find({ kind: req.query.kind });
                  res.json({ coupon, posts });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a query that nothing uses, with a number that counts',
      code: dedent`
        ${PG}let last = 0;
        function next() { return ++last; }
        app.get('/stats', async (req, res) => {
          const number = next();
          const old = await «pool.query('SELECT * FROM old WHERE id = $1', [number])»;
          res.json({ last });
        });
      `,
      findings: [
        { messageId: 'unused', refused: ['`number` on line 7 is used nowhere else, but what it is made with may have an effect'] },
      ],
    },
    {
      name: 'a query that nothing uses, with what only serves it, and one without, between empty lines',
      code: dedent`
        ${PG}app.get('/stats', async (req, res) => {
          const values = [1];
          if (req.query.from) values.push(req.query.from);
          const old = await «pool.query('SELECT * FROM old WHERE id = $1', values)»;
          const all = await pool.query('SELECT * FROM stats');

          const more = await «pool.query('SELECT * FROM more')»;

          res.json({ all });
        });
      `,
      findings: [
        { messageId: 'unused', refused: ['`values` on line 5 only serves it. Remove both'] },
        {
          messageId: 'unused',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${PG}app.get('/stats', async (req, res) => {
                  const values = [1];
                  if (req.query.from) values.push(req.query.from);
                  const old = await pool.query('SELECT * FROM old WHERE id = $1', values);
                  const all = await pool.query('SELECT * FROM stats');

                  res.json({ all });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'read before a condition, where nothing may be found, or input may be checked already',
      file: 'src/users.ts',
      code: dedent`
        ${MONGOOSE}interface UserDto { name: string }
        app.get('/b/:id', async (req, res) => {
          const { id } = await «User.findOne({ name: req.params.id })»;
          if (!req.session.isMember) return res.sendStatus(403);
          res.json({ id });
        });
        app.get('/typo/:id', async (req, res) => {
          const form = await «User.findById(req.params.id)»;
          if (!from) return res.sendStatus(404);
          res.json({ form });
        });
        app.get('/c/:id', async (req, res) => res.json(await create(req.params.id, req.body)));
        async function create(id: string, data: UserDto) {
          const user = await «User.findById(id)»;
          if (!data.name) throw new Error('no name');
          return { user, name: data.name };
        }
      `,
      findings: [
        { messageId: 'early', refused: ['it throws if nothing is found'] },
        { messageId: 'early', refused: ['the condition reads `from`, which is not declared'] },
        { messageId: 'early', refused: ['`UserDto` is a type of input'] },
      ],
    },
    {
      name: 'a paragraph of its own stays one',
      code: dedent`
        ${MONGOOSE}app.get('/users/:id', async (req, res) => {
          const user = await «User.findById(req.params.id)»;

          const whole = req.query.whole;

          if (!req.session.isMember) return res.sendStatus(403);

          res.json({ user, whole });
        });
      `,
      findings: [
        {
          messageId: 'early',
          severity: 'hint',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.get('/users/:id', async (req, res) => {
                  const whole = req.query.whole;

                  if (!req.session.isMember) return res.sendStatus(403);

                  const user = await User.findById(req.params.id);

                  res.json({ user, whole });
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a condition that calls something',
      code: dedent`
        ${MONGOOSE}app.get('/users/:id', async (req, res) => {
          const user = await «User.findById(req.params.id)»;
          if (!mayRead(req)) {
            throw new Error('not allowed');
          }
          res.json(user);
        });
      `,
      findings: [{ messageId: 'early', fixes: [], refused: ['the condition calls a function'] }],
    },
    {
      name: 'a comment that belongs to it',
      code: dedent`
        ${MONGOOSE}app.get('/users/:id', async (req, res) => {
          // The user, with all fields.
          const user = await «User.findById(req.params.id)»;
          if (!req.session.isMember) return res.sendStatus(403);
          res.json(user);
        });
      `,
      findings: [{ messageId: 'early', fixes: [], refused: ['comments beside it'] }],
    },
    {
      name: 'a query whose rows nothing uses',
      code: dedent`
        ${PG}app.get('/', async (req, res) => {
          const { rows } = await «pool.query('SELECT id FROM users')»;
          res.send('ok');
        });
      `,
      findings: [
        {
          messageId: 'unused',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Remove what nothing uses',
              output: dedent`
                ${PG}app.get('/', async (req, res) => {
                  res.send('ok');
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'one of several',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const [users, posts] = await Promise.all([User.find(), «Post.find({ kind: 'news' })»]);
          res.json(users);
        });
      `,
      findings: [{ messageId: 'unused', fixes: [], refused: ['part of a list of promises'] }],
    },
    {
      name: 'a read that throws if nothing is found, of which nothing uses the answer',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const user = await «User.findById(req.query.id).orFail()»;
          res.json(await Post.find());
        });
      `,
      findings: [{ messageId: 'unused', fixes: [], refused: ['it may throw if nothing is found'] }],
    },
    {
      name: 'a text that nothing uses',
      code: dedent`
        ${APP}app.get('/', (req, res) => {
          const text = «JSON.stringify(res.locals)»;
          res.render('page', res.locals);
        });
      `,
      findings: [{ messageId: 'unused', fixes: [], refused: ['`toJSON`'] }],
    },
    {
      name: 'texts and orders that nothing reads',
      code: dedent`
        ${APP}const _ = require('lodash');
        app.post('/', (req, res) => {
          const texts = «req.body.items.map((one) => JSON.stringify(one))»;
          const parts = «_.mapValues(req.body, (one) => JSON.stringify(one))»;
          const sorted = «[...req.body.items].sort((a, b) => a.name.localeCompare(b.name))»;
          const ordered = «req.body.items.toSorted()»;
          res.send('ok');
        });
      `,
      findings: [
        { messageId: 'unused', fixes: [], refused: ['`toJSON`'] },
        { messageId: 'unused', fixes: [], refused: ['`toJSON`'] },
        { messageId: 'unused', severity: 'hint', fixes: [], refused: ['`...req.body.items` throws for what is no list'] },
        { messageId: 'unused', fixes: [], refused: ['`req.body.items` throws if there is no `req.body`'] },
      ],
    },
    {
      name: 'orders of lists, by functions that may throw and that cannot',
      code: dedent`
        ${APP}app.post('/', (req, res) => {
          const ids = Object.keys(req.body);
          const named = «[...ids].sort((a, b) => a.name.localeCompare(b.name))»;
          const sorted = «[...ids].sort((a, b) => a - b)»;
          const copied = «ids.slice().sort()»;
          res.send(ids);
        });
      `,
      findings: [
        { messageId: 'unused', fixes: [], refused: ['`a.name.localeCompare` may throw'] },
        {
          messageId: 'unused',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Remove what nothing uses',
              output: dedent`
                ${APP}app.post('/', (req, res) => {
                  const ids = Object.keys(req.body);
                  const named = [...ids].sort((a, b) => a.name.localeCompare(b.name));
                  const copied = ids.slice().sort();
                  res.send(ids);
                });
              `,
            },
          ],
        },
        {
          messageId: 'unused',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${APP}app.post('/', (req, res) => {
                  const ids = Object.keys(req.body);
                  const named = [...ids].sort((a, b) => a.name.localeCompare(b.name));
                  const sorted = [...ids].sort((a, b) => a - b);
                  res.send(ids);
                });
              `,
            },
          ],
        },
      ],
    },
    ...[
      ['a name that is not declared', '{ _id: req.query.id, nickname }', '`nickname` is not declared in this file'],
      ['a function that may throw', '{ _id: ObjectId(req.query.id) }', '`ObjectId` may throw'],
      ['a part of what may be missing', '{ owner: first.id }', '`first.id` throws if there is no `first`'],
      ['a list of what may be none', '{ ids: [...first] }', '`...first` throws for what is no list'],
    ].map(([name, filter, reason = '']) => ({
      name: `a query that nothing uses, of ${name}`,
      code: dedent`
        ${MONGOOSE}const { ObjectId } = mongoose.Types;
        app.get('/', async (req, res) => {
          const first = await User.findOne({ age: 1 });
          const posts = await «Post.find(${filter})»;
          res.json(first);
        });
      `,
      findings: [{ messageId: 'unused' as const, fixes: [], refused: [reason] }],
    })),
    {
      name: 'a query that nothing uses, of what is there',
      code: dedent`
        ${MONGOOSE}app.get('/', async (req, res) => {
          const first = await User.findOne({ age: 1 });
          if (!first) return res.sendStatus(404);
          const posts = await «Post.find({ owner: first.id, at: Number(req.query.at), home: process.env.HOME })»;
          res.json(first);
        });
      `,
      findings: [
        {
          messageId: 'unused',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${MONGOOSE}app.get('/', async (req, res) => {
                  const first = await User.findOne({ age: 1 });
                  if (!first) return res.sendStatus(404);
                  res.json(first);
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'texts that nothing reads, in a method of the response',
      code: dedent`
        ${APP}const { util } = require('./util');
        app.use((req, res, next) => {
          res.view = function (path, data) {
            var texts = «util.objMap(data, function (one) {
              return JSON.stringify(one);
            })»;
            res.render(path, data);
          };
          next();
        });
        app.get('/', (req, res) => res.view('page', res.locals));
      `,
      findings: [{ messageId: 'unused', data: { call: 'util.objMap' }, refused: ['`toJSON`'] }],
    },
    {
      name: 'a text that a variable has already',
      options: { exports: true },
      code: dedent`
        const { stringify } = require('./text');
        exports.setCookie = (headers, cookie) => {
          const text = stringify(cookie);
          if (text) headers.append('Set-Cookie', «stringify(cookie)»);
        };
      `,
      findings: [
        {
          messageId: 'computed',
          severity: 'hint',
          data: { call: 'stringify' },
          fixes: [],
          refused: ['`stringify` is judged by its name'],
        },
      ],
    },
    {
      name: 'patterns and texts that are the same for each element',
      options: { exports: true },
      code: dedent`
        const { makeRe } = require('./patterns');
        exports.match = (files, pattern, word) => {
          const found = files.filter((file) => «new RegExp(word, 'i')».test(file));
          found.push(...files.filter((file) => file.includes(«word.toLowerCase().replaceAll('-', ' ').trim()»)));
          let i = 0;
          while (i < files.length) {
            const file = files[i++];
            if («makeRe(pattern)».test(file)) found.push(file);
          }
          return found;
        };
      `,
      findings: [
        { messageId: 'each', severity: 'hint', data: { call: 'new RegExp', list: 'files' } },
        { messageId: 'each', severity: 'hint', data: { call: '….trim' } },
        { messageId: 'each', severity: 'hint', data: { call: 'makeRe', list: 'i < files.length' } },
      ],
    },
    {
      name: 'a pattern for each row of a request',
      code: dedent`
        ${APP}app.post('/', (req, res) => {
          const { word, rows } = req.body;
          res.json(rows.filter(({ name }) => «new RegExp(word)».test(name)));
        });
      `,
      findings: [{ messageId: 'each', severity: 'hint' }],
    },
    {
      name: 'a library: twice in each call of what it exports',
      options: { exports: true },
      code: dedent`
        export function hash(value) {
          const before = JSON.stringify(value).length;
          return before + «JSON.stringify(value)».indexOf(',');
        }
      `,
      findings: [
        {
          messageId: 'computed',
          severity: 'hint',
          data: { where: 'call of `hash`, which this module exports' },
          refused: ['is not kept in a variable'],
        },
      ],
    },
    {
      name: 'a date of the outer loop, read again for each element of the inner one',
      code: dedent`
        const moment = require('moment');
        const app = require('express')();
        app.post('/', (req, res) => {
          const found = [];
          const { rows } = req.body;
          req.body.days.forEach((day) => {
            for (let i = 0; i < rows.length; i++)
              if (moment(rows[i].at, 'X').isSame(«moment(day)») || moment(rows[i].at).isSame(moment(day))) found.push(rows[i]);
          });
          res.json(found);
        });
      `,
      findings: [{ messageId: 'each', data: { call: 'moment' } }],
    },
    {
      name: 'a date of a request, read again for each row',
      code: dedent`
        const { parseISO, isBefore } = require('date-fns');
        const app = require('express')();
        app.post('/', (req, res) => {
          const { until, rows } = req.body;
          res.json(rows.filter((row) => isBefore(parseISO(row.at), «parseISO(until)»)));
        });
      `,
      findings: [{ messageId: 'each', data: { call: 'parseISO' } }],
    },
  ],
};
