// What looks like a query for each element, and is right as it is, or cannot become one.
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const PG = dedent`
  const app = require('express')();
  const { Pool } = require('pg');
  const pool = new Pool();

`;
const MONGOOSE = dedent`
  const app = require('express')();
  const mongoose = require('mongoose');
  const User = mongoose.model('User');

`;
const PRISMA = dedent`
  const app = require('express')();
  const { PrismaClient } = require('@prisma/client');
  const prisma = new PrismaClient();

`;
const REDIS = dedent`
  const app = require('express')();
  const Redis = require('ioredis');
  const redis = new Redis();

`;
const BY_ID = "'SELECT * FROM users WHERE id = $1'";

export const innocents: readonly ValidCase[] = [
  {
    name: 'each row is marked after its message: all at the end would send them again after a crash',
    code: `${PRISMA}${dedent`
      app.post('/remind', async (req, res) => {
        const due = await prisma.booking.findMany({ where: { remindedAt: null } });
        for (const row of due) {
          const booking = decrypt(row);
          await sendAdmin('soon', booking);
          await prisma.booking.update({ where: { id: booking.id }, data: { remindedAt: new Date() } });
        }
        for (const row of due) {
          await Promise.race([bot.telegram.sendMessage(row.chat, 'soon'), timeout(15_000)]);
          await prisma.booking.update({ where: { id: row.id }, data: { remindedAt: new Date() } });
        }
        for (const row of due) {
          const message = await twilioClient.messages.create({ to: row.phone, body: 'soon' });
          await prisma.message.create({ data: { sid: message.sid, booking: row.id } });
        }
        for (const row of due) {
          await client.send(new SendEmailCommand({ Destination: row.mail }));
          await prisma.booking.update({ where: { id: row.id }, data: { remindedAt: new Date() } });
        }
        res.end();
      });
    `}`,
  },
  {
    name: 'a loop that rests in each iteration',
    code: `${PRISMA}${dedent`
      app.post('/test', async (req, res) => {
        for (const template of await prisma.template.findMany()) {
          const message = await queue(template);
          await prisma.message.create({ data: { sid: message.sid, template: template.id } });
          await new Promise((resolve) => setTimeout(resolve, 2000));
        }
        const { rows } = req.body;
        for (let i = 0; i < rows.length; i++) {
          await prisma.message.update({ where: { id: rows[i].id }, data: { isSent: true } });
          if (i < rows.length - 1) await sleep(2000);
        }
        res.end();
      });
    `}`,
  },
  {
    name: 'rows that are skipped with a warning',
    code: `${PRISMA}${dedent`
      app.post('/queue', async (req, res) => {
        for (const row of await prisma.task.findMany()) {
          const template = templates[row.type];
          if (!template) {
            logger.warn('no template for ' + row.id);
            await prisma.task.update({ where: { id: row.id }, data: { done: true } });
            continue;
          }
          template(row);
        }
        res.end();
      });
    `}`,
  },
  {
    name: 'a server of its own for each element',
    code: dedent`
      const app = require('express')();
      const { MongoClient } = require('mongodb');
      app.get('/stats', async (req, res) => {
        const members = await connectToMembers(req.body.hosts);
        const all = [];
        for (const member of members) all.push(await member.db.collection('users').find({ host: member.host }).toArray());
        await Promise.all(members.map(async ({ db, id }) => all.push(await db.collection('users').findOne({ id }))));
        for (let i = 0; i < members.length; i++) {
          const { db } = members[i];
          const users = db.collection('users');
          all.push(await users.findOne({ id: members[i].id }));
        }
        res.json(all);
      });
      const connectToMembers = async (hosts) => Promise.all(hosts.slice(0, 9).map((host) => MongoClient.connect(host)));
    `,
  },
  {
    name: 'a function of the file that gets a server of its own for each element',
    code: dedent`
      const app = require('express')();
      require('mongodb');
      const countOf = async (db, name) => db.collection('users').findOne({ name });
      const countIn = async ({ db, name }) => db.collection('users').findOne({ name });
      const countWith = async (options) => options.server.db.collection('users').findOne({ name: options.name });
      app.post('/', async (req, res) => {
        for (const { tenant, name } of req.body.tenants) await countOf(req.app.databases[tenant], name);
        for (const one of req.body.tenants) await countIn({ db: req.app.databases[one.id], name: one.name });
        for (const one of req.body.tenants) await countWith({ name: one.name, server: { db: one.db } });
        for (const one of req.body.tenants) { const options = { ...one, at: req.body.at }; await countWith(options); }
        for (const one of req.body.tenants) await countIn(one);
        res.end();
      });
    `,
  },
  {
    name: 'reads what the same iteration has changed',
    code: dedent`
      ${MONGOOSE}app.post('/', async (req, res) => {
        for (const { id, points } of req.body.rows) {
          await User.updateMany({ _id: { $in: [id, req.body.owner] } }, { $inc: { points } });
          const user = await User.findOne({ _id: id });
          notify(user);
        }
        res.end();
      });
    `,
  },
  {
    name: 'takes a counter away after reading it, or reads one that it has just increased',
    code: dedent`
      ${REDIS}app.post('/', async (req, res) => {
        for (const user of req.body.users) {
          const key = \`alone:\${user}\`;
          const seconds = Number(await redis.get(key));
          await redis.lpush('times', seconds);
          await redis.hset(user, 'seconds', seconds);
          await redis.del(key);
          store(user, seconds);
        }
        for (const user of req.body.users) await flush(user);
        for (const user of req.body.users) await add(user);
        res.end();
      });
      async function flush(user) {
        const seconds = Number(await redis.get(user));
        if (seconds > 0) await redis.del(user);
      }
      async function add(user) {
        if (user.isActive) await redis.incrby(user.name, 5);
        return redis.get(user.name);
      }
    `,
  },
  {
    name: 'timers that are set for each row, and send their query later',
    code: dedent`
      const app = require('express')();
      const cron = require('node-cron');
      const { Pool } = require('pg');
      const pool = new Pool();
      app.post('/reload', async (req, res) => {
        const { rows } = await pool.query('SELECT id, cron FROM jobs');
        for (const row of rows) cron.schedule(row.cron, () => pool.query('UPDATE jobs SET at = now() WHERE id = $1', [row.id]));
        res.end();
      });
    `,
  },
  {
    name: 'each query needs what the one before it found',
    code: dedent`
      const app = require('express')();
      const mongoose = require('mongoose');
      const Folder = mongoose.model('Folder');
      app.post('/', async (req, res) => {
        let parent = null;
        for (const name of req.body.path) parent = await Folder.findOne({ name, parent });
        res.json(parent);
      });
    `,
  },
  {
    name: 'only what a Map lacks, or after an error',
    code: dedent`
      const app = require('express')();
      const mongoose = require('mongoose');
      const User = mongoose.model('User');
      app.post('/', async (req, res) => {
        const users = new Map();
        for (const row of req.body.rows) {
          let user = users.get(row.id);
          if (!user) { user = await User.findById(row.id); users.set(row.id, user); }
          try { row.check(user); } catch { await User.updateOne({ _id: row.id }, { failed: row.at }); }
        }
        res.end();
      });
    `,
  },
  {
    name: 'parts of one query',
    code: dedent`
      const app = require('express')();
      const knex = require('knex')({ client: 'pg' });
      app.post('/', async (req, res) => {
        const all = knex.unionAll(req.body.ids.map((id) => knex.select({ id: knex.raw('?', id) })));
        const both = knex('users').union(req.body.ids.map((id) => { return knex.select('*').from('guests').where({ id }); }));
        res.json(await Promise.all([all, both]));
      });
    `,
  },
  {
    name: 'one query for all',
    code: dedent`
      ${PG}app.post('/', async (req, res) => res.json(await pool.query('SELECT * FROM users WHERE id = ANY($1)', [req.body.ids])));
    `,
  },
  {
    name: 'one query, and a loop over its rows',
    code: dedent`
      ${PG}app.get('/', async (req, res) => {
        const { rows } = await pool.query('SELECT * FROM users');
        for (const row of rows) row.name = row.first + row.last;
        res.json(rows);
      });
    `,
  },
  {
    name: 'the query in the head of the loop',
    code: dedent`
      ${PG}app.get('/', async (req, res) => { let n = 0; for (const row of (await pool.query('SELECT * FROM users')).rows) n += row.age; res.json(n); });
    `,
  },
  {
    name: 'a list in the code',
    code: dedent`
      ${PG}app.get('/', async (req, res) => { for (const name of ['a', 'b']) await pool.query(${BY_ID}, [name]); res.end(); });
    `,
  },
  {
    name: 'a table of the module',
    code: dedent`
      ${PG}const KINDS = ['open', 'closed', 'late'];
      app.get('/', async (req, res) => res.json(await Promise.all(KINDS.map((kind) => pool.query('SELECT count(*) FROM orders WHERE kind = $1', [kind])))));
    `,
  },
  {
    name: 'at startup',
    code: dedent`
      ${PG}async function warm(ids) { for (const id of ids) await pool.query(${BY_ID}, [id]); }
      warm([...process.argv]).then(() => app.listen(3000));
    `,
  },
  {
    name: 'in a migration',
    file: 'migrations/001-names.js',
    code: dedent`
      ${PG}app.post('/', async (req, res) => { for (const id of req.body.ids) await pool.query(${BY_ID}, [id]); res.end(); });
    `,
  },
  {
    name: 'pages, until there is none left',
    code: dedent`
      ${PG}app.get('/', async (req, res) => {
        let cursor = 0;
        while (cursor !== undefined) { const { rows } = await pool.query('SELECT * FROM users WHERE id > $1 LIMIT 100', [cursor]); cursor = rows.at(-1)?.id; }
        res.end();
      });
    `,
  },
  {
    name: 'attempts',
    code: dedent`
      ${PG}app.post('/', async (req, res) => { for (let i = 0; i < 3; i++) { try { await pool.query(${BY_ID}, [req.body.id]); break; } catch {} } res.end(); });
    `,
  },
  {
    name: 'parts of the list',
    code: dedent`
      ${PG}const { chunk } = require('lodash');
      app.post('/', async (req, res) => { for (const part of chunk(req.body.ids, 500)) await pool.query('DELETE FROM users WHERE id = $1', [part]); res.end(); });
    `,
  },
  {
    name: 'steps of five hundred',
    code: dedent`
      ${PG}app.post('/', async (req, res) => {
        const { ids } = req.body;
        for (let i = 0; i < ids.length; i += 500) await pool.query('DELETE FROM users WHERE id = $1', [ids.slice(i, i + 500)]);
        res.end();
      });
    `,
  },
  {
    name: 'until one is found',
    code: dedent`
      ${MONGOOSE}app.post('/', async (req, res) => {
        for (const name of req.body.names) { const user = await User.findOne({ name }); if (user) return res.json(user); }
        res.sendStatus(404);
      });
    `,
  },
  {
    name: 'the one that is asked for',
    code: dedent`
      ${MONGOOSE}app.post('/', async (req, res) => {
        for (const one of req.body.users) if (one.id === req.query.id) await User.updateOne({ _id: one.id }, one);
        res.end();
      });
    `,
  },
  {
    name: 'what a cache lacks',
    code: dedent`
      ${MONGOOSE}const cache = new Map();
      app.post('/', async (req, res) => {
        for (const id of req.body.ids) if (!cache.has(id)) cache.set(id, await User.findById(id));
        res.end();
      });
    `,
  },
  {
    name: 'one after the other, in a transaction',
    code: dedent`
      ${PG}app.post('/', async (req, res) => { for (const one of req.body.users) await pool.query({ text: ${BY_ID}, values: [one.id], transaction: req.body.t }); res.end(); });
    `,
  },
  {
    name: 'a query already for many: $in',
    code: dedent`
      ${MONGOOSE}app.post('/', async (req, res) => res.json(await Promise.all(req.body.groups.map((group) => User.find({ _id: { $in: group.ids } })))));
    `,
  },
  {
    name: 'a cursor',
    code: dedent`
      ${MONGOOSE}app.get('/', async (req, res) => { for await (const user of User.find().cursor()) await User.updateOne({ _id: user.id }, { seen: true }); res.end(); });
    `,
  },
  {
    name: 'a loader that collects the keys',
    code: dedent`
      ${MONGOOSE}const DataLoader = require('dataloader');
      const users = new DataLoader(async (ids) => User.find({ _id: { $in: ids } }));
      app.post('/', async (req, res) => res.json(await Promise.all(req.body.ids.map((id) => users.load(id)))));
    `,
  },
  {
    name: 'Prisma makes one query of those in the same tick',
    code: dedent`
      ${PRISMA}app.post('/', async (req, res) => res.json(await Promise.all(req.body.ids.map((id) => prisma.user.findUnique({ where: { id } })))));
    `,
  },
  {
    name: 'a pipeline',
    code: dedent`
      ${REDIS}app.post('/', async (req, res) => { const pipeline = redis.pipeline(); for (const id of req.body.ids) pipeline.get(id); res.json(await pipeline.exec()); });
    `,
  },
  {
    name: 'commands of Redis that do not wait for each other share a connection',
    code: dedent`
      ${REDIS}app.post('/', async (req, res) => res.json(await Promise.all(req.body.ids.map((id) => redis.get(id)))));
    `,
  },
  {
    name: 'SQLite in the same process',
    code: dedent`
      const app = require('express')();
      const db = require('better-sqlite3')('app.db');
      const byId = db.prepare('SELECT * FROM users WHERE id = ?');
      app.post('/', (req, res) => res.json(req.body.ids.map((id) => byId.get(id))));
    `,
  },
  {
    name: 'SQLite through another library',
    code: dedent`
      const app = require('express')();
      const db = require('sqlite3').cached.Database('app.db');
      app.post('/', async (req, res) => { for (const id of req.body.ids) await db.query('SELECT * FROM users WHERE id = ?', id); res.end(); });
    `,
  },
  {
    name: 'find of a list',
    code: dedent`
      ${MONGOOSE}app.post('/', async (req, res) => { const Users = await User.find(); res.json(req.body.ids.map((id) => Users.find((user) => user.id === id))); });
    `,
  },
  {
    name: 'addresses that the elements name',
    code: dedent`
      const app = require('express')();
      app.post('/', async (req, res) => res.json(await Promise.all(req.body.urls.map((url) => fetch(url)))));
    `,
  },
  {
    name: 'requests that send something',
    code: dedent`
      const app = require('express')();
      app.post('/', async (req, res) => { for (const one of req.body.hooks) await fetch(${'`https://example.org/hooks/${one.id}`'}, { method: 'POST', body: one.text }); res.end(); });
    `,
  },
  {
    name: 'the same query each time: another problem',
    code: dedent`
      ${PG}app.post('/', async (req, res) => { for (const one of req.body.users) one.now = await pool.query('SELECT now()'); res.end(); });
    `,
  },
  {
    name: 'the same query each time, about a property with the name of the element',
    code: dedent`
      ${PG}app.post('/', async (req, res) => { for (const user of req.body.users) user.at = await pool.query(${BY_ID}, [req.user.id]); res.end(); });
    `,
  },
  {
    name: 'the fields of an object',
    code: dedent`
      ${MONGOOSE}app.post('/', async (req, res) => { for (const key of Object.keys(req.body)) await User.updateOne({ name: req.query.name }, { [key]: req.body[key] }); res.end(); });
    `,
  },
  {
    name: 'a function of another file that keeps what it read',
    code: dedent`
      const app = require('express')();
      const { load } = require('./users');
      app.post('/orders', async (req, res) => { for (const order of req.body.orders) order.user = await load(order.userId); res.end(); });
    `,
    others: {
      'src/users.js': dedent`
        const { Pool } = require('pg');
        const pool = new Pool();
        const cache = new Map();
        exports.load = async function load(id) { if (!cache.has(id)) cache.set(id, await pool.query(${BY_ID}, [id])); return cache.get(id); };

      `,
    },
  },
  {
    name: 'a function of another file that asks nobody',
    code: dedent`
      const app = require('express')();
      const { load } = require('./users');
      app.post('/orders', async (req, res) => { for (const order of req.body.orders) order.user = await load(order.userId); res.end('done'); });
    `,
    others: { 'src/users.js': 'exports.load = async function load(id) { return { id }; };\n' },
  },
  {
    name: 'a few rows',
    code: dedent`
      ${MONGOOSE}app.get('/', async (req, res) => {
        const latest = await User.find().sort('-date').limit(3);
        res.json(await Promise.all(latest.map((user) => User.findById(user.friend))));
      });
    `,
  },
  {
    name: 'a method of a class of the project',
    code: dedent`
      const app = require('express')();
      require('mongoose');
      const { UserService } = require('./user-service');
      app.post('/', async (req, res) => res.json(req.body.ids.map((id) => UserService.findById(id))));
    `,
  },
  {
    name: 'another client whose methods have the names of a delegate',
    code: dedent`
      ${PRISMA}app.post('/', async (req, res) => {
        await Promise.all(req.body.messages.map((one) => slack.client.chat.delete({ channel: one.channel, ts: one.ts })));
        res.end();
      });
    `,
  },
  {
    name: 'a file of a test',
    file: 'test/users.test.js',
    code: dedent`
      ${PG}app.post('/', async (req, res) => { for (const id of req.body.ids) await pool.query(${BY_ID}, [id]); res.end('tested'); });
    `,
  },
  {
    name: 'the root of a graph has no parent',
    code: dedent`
      const { GraphQLObjectType } = require('graphql');
      const mongoose = require('mongoose');
      const User = mongoose.model('User');
      module.exports = new GraphQLObjectType({ name: 'Query', fields: { user: { resolve(_, { id }) { return User.findById(id); } } } });
    `,
  },
  {
    name: 'a resolver with a loader',
    code: dedent`
      const { GraphQLObjectType } = require('graphql');
      module.exports = new GraphQLObjectType({ name: 'Post', fields: { author: { resolve(post, _, { loaders }) { return loaders.users.load(post.authorId); } } } });
    `,
  },
  {
    name: 'a library, without the option',
    code: dedent`
      const mongoose = require('mongoose');
      const User = mongoose.model('User');
      exports.load = async (ids) => { const users = []; for (const id of ids) users.push(await User.findById(id)); return users; };
    `,
  },
  {
    name: 'a library: what nobody else can call',
    options: { exports: true },
    code: dedent`
      const mongoose = require('mongoose');
      const User = mongoose.model('User');
      const load = async (ids) => { const users = []; for (const id of ids) users.push(await User.findById(id)); return users; };
      exports.users = load(process.argv);
    `,
  },
  {
    name: 'something with the methods of a list, beside MongoDB',
    options: { exports: true },
    code: dedent`
      const { ObjectId } = require('mongodb');
      exports.pick = (makeIndex, ids) => {
        const index = makeIndex();
        index.insert(ids);
        return ids.map((id) => index.find(id));
      };
    `,
  },
];
