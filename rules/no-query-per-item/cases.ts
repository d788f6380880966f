import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { besideOthers } from './cases-beside.ts';
import { innocents } from './cases-innocents.ts';
import { innocentResolvers, resolverCases } from './cases-resolvers.ts';
import { helperCases, innocentHelpers } from './cases-helpers.ts';
import { remedyCases } from './cases-remedies.ts';

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
const BY_ID = "'SELECT * FROM users WHERE id = $1'";

export const cases: RuleCases<'one' | 'all' | 'http' | 'resolver'> = {
  valid: [...innocents, ...innocentResolvers, ...innocentHelpers],
  invalid: [
    ...besideOthers,
    {
      name: 'messages for the few that the query finds: it is sent for all',
      code: dedent`
        const app = require('express')();
        const { PrismaClient } = require('@prisma/client');
        const prisma = new PrismaClient();
        app.post('/summaries', async (req, res) => {
          for (const guild of req.body.guilds) {
            const config = await «prisma.feature.findFirst({ where: { guild: guild.id } })»;
            if (!config) continue;
            await sendMessage(config.channel, guild.name);
          }
          res.end();
        });
      `,
      findings: [{ messageId: 'one' }],
    },
    {
      name: 'rows that do not exist yet; only after an error, a message is sent and the loop rests',
      code: dedent`
        const app = require('express')();
        const { PrismaClient } = require('@prisma/client');
        const prisma = new PrismaClient();
        app.post('/items', async (req, res) => {
          for (const item of req.body.items) {
            try {
              if (!known.includes(item.id)) {
                await «prisma.item.create({ data: { id: item.id, name: item.name } })»;
                continue;
              }
            } catch (error) {
              await sendAdmin(error.message);
              await sleep(100);
            }
          }
          res.end();
        });
      `,
      findings: [{ messageId: 'one', data: { which: ' for which its conditions hold' } }],
    },
    ...remedyCases,
    {
      name: 'the rows of a query, one after the other',
      code: dedent`
        ${PG}app.get('/orders', async (req, res) => {
          const { rows } = await pool.query('SELECT * FROM orders');
          for (const row of rows) row.user = await «pool.query(${BY_ID}, [row.userId])»;
          res.json(rows);
        });
      `,
      findings: [
        {
          messageId: 'one',
          severity: 'hint',
          route: 'GET /orders',
          data: {
            call: 'pool.query',
            list: 'rows',
            which: '',
            remedy: 'Ask once for all of them: `WHERE id = ANY($1)` with the list as its value.',
          },
          related: ['for each element here', 'handled'],
        },
      ],
    },
    {
      name: 'all at once is still one for each',
      code: dedent`
        ${PG}app.post('/', async (req, res) => res.json(await Promise.all(req.body.ids.map((id) => «pool.query(${BY_ID}, [id])»))));
      `,
      findings: [{ messageId: 'all', data: { list: 'req.body.ids' } }],
    },
    {
      name: 'a page of rows has as many',
      code: dedent`
        ${PG}app.get('/', async (req, res) => {
          const { rows } = await pool.query('SELECT * FROM orders LIMIT 50');
          res.json(await Promise.all(rows.map(async (row) => ({ ...row, user: await «pool.query(${BY_ID}, [row.userId])» }))));
        });
      `,
      findings: [{ messageId: 'all' }],
    },
    {
      name: 'promises that are gathered first',
      code: dedent`
        ${MONGOOSE}app.post('/', async (req, res) => {
          const found = [];
          for (const id of req.body.ids) found.push(«User.findById(id)»);
          res.json(await Promise.all(found));
        });
      `,
      findings: [{ messageId: 'all', data: { remedy: 'Ask once for all of them: `find({ _id: { $in: ids } })`.' } }],
    },
    {
      name: 'through a helper, with a check before the query',
      code: dedent`
        ${MONGOOSE}async function load(id) { if (!id) return null; return User.findById(id).lean(); }
        app.get('/', async (req, res) => {
          const users = await User.find();
          for (const user of users) user.friend = await «load(user.friendId)»;
          res.json(users);
        });
      `,
      findings: [{ messageId: 'one', related: ['for each element here', 'the query', 'handled'] }],
    },
    {
      name: 'an error ends the loop, and no answer does',
      code: dedent`
        ${MONGOOSE}app.post('/', async (req, res) => {
          for (const item of req.body.items) { const user = await «User.findOne({ name: item.name })»; if (!user) return res.sendStatus(404); }
          res.end();
        });
      `,
      findings: [{ messageId: 'one' }],
    },
    {
      name: 'writes',
      code: dedent`
        ${MONGOOSE}app.post('/', async (req, res) => { for (const one of req.body.users) await «User.create(one)»; res.end(); });
      `,
      findings: [{ messageId: 'one', data: { remedy: 'Insert all rows at once: `insertMany`, which runs no hooks of `save`.' } }],
    },
    {
      name: 'callbacks',
      code: dedent`
        ${MONGOOSE}app.get('/', (req, res) => {
          User.find({}, (error, users) => { users.forEach((user) => { «User.updateOne({ _id: user.id }, { seen: true })»; }); res.end(); });
        });
      `,
      findings: [{ messageId: 'all' }],
    },
    {
      name: 'a collection of MongoDB, in a counting loop',
      code: dedent`
        const app = require('express')();
        const { MongoClient } = require('mongodb');
        const db = new MongoClient('mongodb://db').db();
        app.post('/', async (req, res) => {
          const { ids } = req.body;
          for (let i = 0; i < ids.length; i++) await «db.collection('users').deleteOne({ _id: ids[i] })»;
          res.end();
        });
      `,
      findings: [{ messageId: 'one' }],
    },
    {
      name: 'Prisma, where each waits for the one before',
      code: dedent`
        const app = require('express')();
        const { PrismaClient } = require('@prisma/client');
        const prisma = new PrismaClient();
        app.post('/', async (req, res) => { for (const id of req.body.ids) console.log(await «prisma.user.findUnique({ where: { id } })»); res.end(); });
      `,
      findings: [{ messageId: 'one', data: { remedy: 'Ask once for all of them: `findMany({ where: { id: { in: ids } } })`.' } }],
    },
    {
      name: 'Prisma does not gather these',
      code: dedent`
        const app = require('express')();
        const { PrismaClient } = require('@prisma/client');
        const prisma = new PrismaClient();
        app.post('/', async (req, res) => res.json(await Promise.all(req.body.ids.map((id) => «prisma.user.findFirst({ where: { id } })»))));
      `,
      findings: [{ messageId: 'all' }],
    },
    {
      name: 'Prisma, which has no form for many upserts',
      code: dedent`
        const app = require('express')();
        const { PrismaClient } = require('@prisma/client');
        const prisma = new PrismaClient();
        app.post('/', async (req, res) => { for (const one of req.body) await «prisma.user.upsert({ where: { id: one.id }, create: one, update: one })»; res.end(); });
      `,
      findings: [
        {
          messageId: 'one',
          data: {
            remedy:
              'Write all rows at once: one statement with `$executeRaw`, because `upsert` has no form for many. Combine rows with the same key first: PostgreSQL rejects a statement that would update one row twice.',
          },
        },
      ],
    },
    {
      name: 'Redis, where each waits for the one before',
      code: dedent`
        const app = require('express')();
        const client = require('redis').createClient();
        app.post('/', async (req, res) => { const found = []; for (const id of req.body.ids) found.push(await «client.get(id)»); res.json(found); });
      `,
      findings: [{ messageId: 'one', data: { remedy: 'Ask once for all of them: `mget(keys)`, or a pipeline.' } }],
    },
    {
      name: 'Sequelize and TypeORM, by the names of models and repositories',
      code: dedent`
        const app = require('express')();
        require('sequelize');
        const models = require('./models');
        app.post('/', async (req, res) => { for (const id of req.body.ids) await «models.User.findByPk(id)»; res.end(); });
      `,
      findings: [{ messageId: 'one', data: { remedy: 'Ask once for all of them: `findAll({ where: { id: ids } })`, or `include`.' } }],
    },
    {
      code: dedent`
        import { Injectable, Controller, Post, Body } from '@nestjs/common';
        import { Repository } from 'typeorm';
        @Controller('users')
        export class Users {
          constructor(private readonly usersRepository: Repository<User>) {}
          @Post()
          async load(@Body() ids: string[]) { return Promise.all(ids.map((id) => «this.usersRepository.findOneBy({ id })»)); }
        }
      `,
      file: 'src/users.ts',
      findings: [{ messageId: 'all' }],
    },
    {
      name: 'a query builder',
      code: dedent`
        const app = require('express')();
        const knex = require('knex')({ client: 'pg' });
        app.post('/', async (req, res) => { for (const id of req.body.ids) await «knex('users').where({ id }).first()»; res.end(); });
      `,
      findings: [{ messageId: 'one', data: { remedy: "Ask once for all of them: `whereIn('id', ids)`." } }],
    },
    {
      name: 'requests to one service',
      code: dedent`
        const app = require('express')();
        const axios = require('axios');
        app.post('/', async (req, res) => res.json(await Promise.all(req.body.ids.map((id) => «axios.get(${'`https://api.example.org/users/${id}`'})»))));
      `,
      findings: [{ messageId: 'http' }],
    },
    {
      name: 'through two functions of other files',
      code: dedent`
        const app = require('express')();
        const { withUser } = require('./orders');
        app.post('/orders', async (req, res) => { for (const order of req.body.orders) await «withUser(order)»; res.end(); });
      `,
      others: {
        'src/orders.js': dedent`
          const users = require('./users');
          exports.withUser = async (order) => { order.user = await users.load(order.userId); return order; };

        `,
        'src/users.js': dedent`
          const { Pool } = require('pg');
          const pool = new Pool();
          exports.load = async function load(id) { if (!id) return; return pool.query(${BY_ID}, [id]); };

        `,
      },
      findings: [
        {
          messageId: 'one',
          route: 'POST /orders',
          message:
            '`withUser` sends a query for each element of `req.body.orders`, one after the other, on every `POST /orders`. Each query is a round trip to the database, and waits for the one before it. To a mock database on the same machine, 200 round trips took 19 to 24 ms, and one for all elements took 1 to 2 ms (Node 20 to 24). Over a network, each takes longer. Ask once for all of them: `WHERE id = ANY($1)` with the list as its value.',
          related: ['for each element here', 'calls `load`', 'the query', 'handled'],
        },
      ],
    },
    {
      name: 'a delegate that has the name of the element',
      code: dedent`
        ${PG}const { PrismaClient } = require('@prisma/client');
        const prisma = new PrismaClient();
        const tables = { user: pool };
        app.post('/delegates', async (req, res) => {
          for (const user of req.body.users) user.found = await «prisma.user.findUnique({ where: { id: user.id } })»;
          for (const user of req.body.users) user.found = await «tables.user.query(${BY_ID}, [user.id])»;
          res.json(req.body.users);
        });
      `,
      findings: [{ messageId: 'one' }, { messageId: 'one' }],
    },
    {
      name: 'another table than the one that the same iteration has changed',
      code: dedent`
        ${PG}async function touch(id) { if (id > 3) await pool.query('UPDATE users SET n = n + 1'); }
        app.post('/', async (req, res) => {
          for (const row of req.body.rows) {
            await touch(row.id);
            row.user = await pool.query(${BY_ID}, [row.id]);
            row.country = await «pool.query('SELECT * FROM countries WHERE code = $1', [row.code])»;
          }
          res.json(req.body.rows);
        });
      `,
      findings: [{ messageId: 'one' }],
    },
    {
      name: 'a field with the name of a variable that the loop sets',
      code: dedent`
        ${MONGOOSE}app.post('/', async (req, res) => {
          let email;
          for (const user of req.body.users) { email = user.mail; user.found = await «User.findOne({ email: user.mail })»; }
          res.json(email);
        });
      `,
      findings: [{ messageId: 'one' }],
    },
    {
      name: 'behind a delay, which makes the queries no fewer',
      code: dedent`
        ${MONGOOSE}const { setTimeout: sleep } = require('node:timers/promises');
        app.post('/', async (req, res) => {
          await Promise.all(req.body.ids.map(async (id) => { await sleep(100); return «User.findById(id)»; }));
          await Promise.all(req.body.ids.map(async (id, index) => { await sleep(index * 100); return «User.findById(id)»; }));
          res.end();
        });
      `,
      findings: [
        { messageId: 'all', data: { start: ', all at once' } },
        { messageId: 'all', data: { start: '' } },
      ],
    },
    ...resolverCases,
    ...helperCases,
    {
      name: 'a library: in each call of what it exports',
      options: { exports: true },
      code: dedent`
        const mongoose = require('mongoose');
        const User = mongoose.model('User');
        exports.load = async (ids) => {
          const users = [];
          for (const id of ids) users.push(await «User.findById(id)»);
          return users;
        };
      `,
      findings: [{ messageId: 'one', severity: 'hint', data: { where: 'call of `load`, which this module exports' } }],
    },
    {
      name: 'a library: a collection that only its methods tell',
      options: { exports: true },
      code: dedent`
        const { ObjectId } = require('mongodb');
        exports.add = async (getStore, list) => {
          const store = await getStore();
          const { insertedIds } = await store.insertMany(list);
          return Promise.all(Object.values(insertedIds).map((_id) => «store.findOne({ _id })»));
        };
      `,
      findings: [{ messageId: 'all', severity: 'hint', data: { where: 'call of `add`, which this module exports' } }],
    },
  ],
};
