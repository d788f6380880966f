// Awaits one after the other that are right as they are, or of which that is not known.
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const APP = "const app = require('express')();\n";
const PG = `${APP}const { Pool } = require('pg');\nconst pool = new Pool();\n`;
const MONGOOSE = dedent`
  ${APP}const mongoose = require('mongoose');
  const User = mongoose.model('User');
  const Post = mongoose.model('Post');

`;
const PRISMA = `${APP}const { PrismaClient } = require('@prisma/client');\nconst prisma = new PrismaClient();\n`;
const USERS = "pool.query('SELECT * FROM users')";
const ORDERS = "pool.query('SELECT * FROM orders')";

/** A handler with these statements. */
const handler = (before: string, ...statements: string[]): string =>
  dedent`
    ${before}app.get('/', async (req, res) => {
    ${statements.map((one) => `  ${one}\n`).join('')}});

  `;

export const innocents: readonly ValidCase[] = [
  {
    name: 'a parameter that may stand for one connection, which sends one query after the other',
    file: 'server.ts',
    code: dedent`
      import express from 'express';
      import { Pool, PoolClient } from 'pg';
      const app = express();
      const pool = new Pool();
      async function byDefault(id: string, db: Queryable = pool) {
        const a = await db.query('SELECT name FROM users WHERE id = $1', [id]);
        const b = await db.query('SELECT total FROM orders WHERE user_id = $1', [id]);
        return [a, b];
      }
      async function byType(db: PoolClient, id: string) {
        const a = await db.query('SELECT name FROM users WHERE id = $1', [id]);
        const b = await db.query('SELECT total FROM orders WHERE user_id = $1', [id]);
        return [a, b];
      }
      async function byCaller(db, id) {
        const a = await db.query('SELECT name FROM users WHERE id = $1', [id]);
        const b = await db.query('SELECT total FROM orders WHERE user_id = $1', [id]);
        return [a, b];
      }
      app.get('/:id', async (req, res) => {
        const client = await pool.connect();
        res.json([await byDefault(req.params.id), await byType(client, req.params.id), await byCaller(client, req.params.id)]);
      });
    `,
  },
  {
    name: 'functions that a loop starts, and that run side by side',
    code: dedent`
      ${MONGOOSE}app.post('/rows', async (req, res) => {
        const started = [];
        for (const row of req.body.rows) {
          started.push(
            (async () => {
              const user = await User.findOne({ name: row.user });
              const post = await Post.findOne({ title: row.post });
              return { user, post };
            })(),
          );
        }
        res.json(await Promise.all(started));
      });
    `,
  },
  {
    name: 'the second needs the answer of the first',
    code: handler(
      PG,
      `const a = await ${USERS};`,
      "const b = await pool.query('SELECT * FROM orders WHERE owner = $1', [a.rows[0].id]);",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'by a variable between them',
    code: handler(
      MONGOOSE,
      'const user = await User.findOne({ name: req.query.name });',
      'const { id: owner } = user;',
      'const filter = { owner };',
      'const posts = await Post.find(filter);',
      'res.json({ user, posts });',
    ),
  },
  {
    name: 'by a list that is made of its answer',
    code: handler(
      MONGOOSE,
      'const users = await User.find({ age: req.query.age }).lean();',
      'const ids = users.map((user) => user.id);',
      'const posts = await Post.find({ owner: { $in: ids } }).lean();',
      'res.json({ users, posts });',
    ),
  },
  {
    name: 'a function between them that nothing is known of, called for each element',
    code: handler(
      PG,
      `const a = await ${USERS};`,
      'const names = a.rows.map((row) => decrypt(row.name));',
      `const b = await ${ORDERS};`,
      'res.json({ names, b });',
    ),
  },
  {
    name: 'a function between them that keeps something of each element',
    code: handler(
      PG,
      `const a = await ${USERS};`,
      'const names = a.rows.map((row) => { row.seen = true; return row.name; });',
      `const b = await ${ORDERS};`,
      'res.json({ names, b });',
    ),
  },
  {
    name: 'a method of something else between them',
    code: handler(
      PG,
      `const a = await ${USERS};`,
      'const names = req.query.names.map((name) => name.first);',
      `const b = await ${ORDERS};`,
      'res.json({ a, names, b });',
    ),
  },
  {
    name: 'by a variable that is assigned',
    code: handler(
      MONGOOSE,
      'let user;',
      'user = await User.findOne({ name: req.query.name });',
      'const posts = await Post.find({ owner: user });',
      'res.json(posts);',
    ),
  },
  {
    name: 'by a part of an object',
    code: handler(
      MONGOOSE,
      'const page = {};',
      'page.user = await User.findOne();',
      'page.posts = await Post.find({ owner: page.user.id });',
      'res.json(page);',
    ),
  },
  {
    name: 'by a closure',
    code: handler(
      MONGOOSE,
      'let user;',
      'const own = () => ({ owner: user.id });',
      'user = await User.findOne({ name: req.query.name });',
      'const posts = await Post.find(own());',
      'res.json(posts);',
    ),
  },
  {
    name: 'by an argument that is changed between them',
    code: handler(
      MONGOOSE,
      'const filter = { name: req.query.name };',
      'const user = await User.findOne(filter);',
      'filter.owner = user.id;',
      'const posts = await Post.find(filter);',
      'res.json({ user, posts });',
    ),
  },
  {
    name: 'by a field',
    code: dedent`
      import { Injectable, Controller, Get } from '@nestjs/common';
      import { Repository } from 'typeorm';
      @Controller('users')
      export class Users {
        constructor(private readonly usersRepository: Repository<User>, private readonly postsRepository: Repository<Post>) {}
        @Get()
        async load() {
          this.user = await this.usersRepository.findOneBy({ name: 'a' });
          this.posts = await this.postsRepository.findBy({ owner: this.user.id });
          return this.posts;
        }
      }
    `,
    file: 'src/users.ts',
  },
  {
    name: 'a check between them ends the request',
    code: handler(
      MONGOOSE,
      'const user = await User.findOne({ token: req.query.token });',
      'if (!user) return res.sendStatus(401);',
      "const posts = await Post.find({ kind: 'news' });",
      'res.json(posts);',
    ),
  },
  {
    name: 'a check between them throws',
    code: handler(
      PG,
      `const a = await ${USERS};`,
      "if (a.rows.length === 0) throw new Error('nobody');",
      `const b = await ${ORDERS};`,
      'res.json({ a, b });',
    ),
  },
  {
    name: 'the first throws where there is no answer',
    code: handler(
      PRISMA,
      'const user = await prisma.user.findUniqueOrThrow({ where: { id: req.query.id } });',
      'const posts = await prisma.post.findMany();',
      'res.json({ user, posts });',
    ),
  },
  {
    name: 'a function between them that checks',
    code: handler(PG, `const a = await ${USERS};`, 'assertAllowed(a);', `const b = await ${ORDERS};`, 'res.json({ a, b });'),
  },
  {
    name: 'a transaction of Prisma',
    code: handler(
      PRISMA,
      'const answer = await prisma.$transaction(async (tx) => {',
      'const a = await tx.user.findMany();',
      'const b = await tx.post.findMany();',
      'return { a, b };',
      '});',
      'res.json(answer);',
    ),
  },
  {
    name: 'a transaction of Sequelize that is not passed on',
    code: dedent`
      const app = require('express')();
      const { User, Post, sequelize } = require('./models');
      require('sequelize');
      app.get('/', async (req, res) => {
        await sequelize.transaction(async () => {
          const users = await User.findAll();
          const posts = await Post.findAll();
          res.json({ users, posts });
        });
      });
    `,
  },
  {
    name: 'options of the caller, which may have a transaction',
    code: dedent`
      const app = require('express')();
      const { User } = require('./models');
      require('sequelize');
      async function load(id, options) {
        const user = await User.findByPk(id, options);
        const friend = await User.findOne({ ...options, where: { friend: id } });
        return { user, friend };
      }
      app.get('/', async (req, res) => res.json(await load(req.query.id, req.options)));
    `,
  },
  {
    name: 'a transaction of knex',
    code: handler(
      `${APP}const knex = require('knex')({ client: 'pg' });\n`,
      'const trx = await knex.transaction();',
      "const a = await trx('users').select();",
      "const b = await trx('orders').select();",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'one client of pg answers one query after the other',
    code: handler(
      PG,
      'const client = await pool.connect();',
      "const a = await client.query('SELECT * FROM users');",
      "const b = await client.query('SELECT * FROM orders');",
      'client.release();',
      'res.json({ a, b });',
    ),
  },
  {
    name: 'one connection of MySQL under the name of a database',
    code: handler(
      `${APP}const mysql = require('mysql2/promise');\n`,
      'const db = await mysql.createConnection({});',
      "const [a] = await db.query('SELECT * FROM users');",
      "const [b] = await db.query('SELECT * FROM orders');",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'a session of MongoDB',
    code: handler(
      dedent`
        ${APP}const { MongoClient } = require('mongodb');
        const client = new MongoClient('mongodb://db');
        const db = client.db();

      `,
      'const session = client.startSession();',
      "const a = await db.collection('users').findOne({}, { session });",
      "const b = await db.collection('orders').findOne({}, { session });",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'a cursor of MongoDB asks nothing yet',
    code: handler(
      dedent`
        ${APP}const { MongoClient } = require('mongodb');
        const db = new MongoClient('mongodb://db').db();

      `,
      "const a = await db.collection('users').find({});",
      "const b = await db.collection('orders').find({});",
      'res.json({ a: await a.toArray(), b });',
    ),
  },
  {
    name: 'writes',
    code: handler(
      MONGOOSE,
      "const a = await User.create({ name: 'a' });",
      "const b = await Post.create({ name: 'b' });",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'a write before a read',
    code: handler(
      PG,
      "const a = await pool.query('INSERT INTO visits VALUES (1) RETURNING *');",
      "const b = await pool.query('SELECT count(*) FROM visits');",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'a write after a read',
    code: handler(
      MONGOOSE,
      'const before = await User.countDocuments();',
      "const after = await Post.deleteMany({ kind: 'old' });",
      'res.json({ before, after });',
    ),
  },
  {
    name: 'a statement that reads and writes',
    code: handler(
      PG,
      "const a = await pool.query('WITH moved AS (DELETE FROM old RETURNING *) SELECT * FROM moved');",
      `const b = await ${ORDERS};`,
      'res.json({ a, b });',
    ),
  },
  {
    name: 'locks',
    code: handler(
      PG,
      "const a = await pool.query('SELECT * FROM jobs LIMIT 1 FOR UPDATE');",
      "const b = await pool.query('SELECT pg_advisory_lock(1)');",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'functions of the database',
    code: handler(
      PG,
      "const a = await pool.query('SELECT take_ticket($1)', [req.query.id]);",
      `const b = await ${ORDERS};`,
      'res.json({ a, b });',
    ),
  },
  {
    name: 'what the connection remembers',
    code: handler(
      `${APP}const mysql = require('mysql2/promise');\nconst pool = mysql.createPool({});\n`,
      "const [a] = await pool.query('SELECT SQL_CALC_FOUND_ROWS * FROM users LIMIT 10');",
      "const [b] = await pool.query('SELECT FOUND_ROWS()');",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'messages in order',
    code: handler(
      APP,
      "await fetch('https://api.example.org/first', { method: 'POST' });",
      "await fetch('https://api.example.org/second', { method: 'POST' });",
      'res.end();',
    ),
  },
  {
    name: 'events in order',
    code: handler(
      APP,
      "const events = require('./events');",
      "const a = await events.emit('first');",
      "const b = await events.publish('second');",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'a token that the second request needs on the other side',
    code: handler(
      APP,
      "const a = await fetch('https://api.example.org/login');",
      "const b = await fetch('https://api.example.org/orders');",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'functions of which nothing is known',
    code: handler(
      `${APP}const { load, check } = require('./unknown');\n`,
      'const a = await load(req);',
      'const b = await check(req);',
      'res.json({ a, b });',
    ),
  },
  {
    name: 'an unknown function in the arguments',
    code: handler(
      `${PG}const { next } = require('./unknown');\n`,
      `const a = await ${USERS};`,
      "const b = await pool.query('SELECT * FROM orders WHERE id = $1', [next()]);",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'a counter in the arguments',
    code: handler(
      PG,
      'let at = 0;',
      `const a = await ${USERS};`,
      "const b = await pool.query('SELECT * FROM orders OFFSET $1', [at++]);",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'an await between them',
    code: handler(
      `${PG}const { wait } = require('./unknown');\n`,
      `const a = await ${USERS};`,
      'await wait(100);',
      `const b = await ${ORDERS};`,
      'res.json({ a, b });',
    ),
  },
  {
    name: 'with a limit of requests',
    code: handler(
      `${APP}const rateLimit = require('./limits');\n`,
      'await rateLimit();',
      "const a = await fetch('https://api.example.org/a');",
      "const b = await fetch('https://api.example.org/b');",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'in different catches',
    code: handler(
      PG,
      'let a, b;',
      `try { a = await ${USERS}; } catch { return res.sendStatus(404); }`,
      `try { b = await ${ORDERS}; } catch { return res.sendStatus(500); }`,
      'res.json({ a, b });',
    ),
  },
  {
    name: 'an error of the first is handled',
    code: handler(PG, `const a = await ${USERS}.catch(() => res.sendStatus(500));`, `const b = await ${ORDERS};`, 'res.json({ a, b });'),
  },
  {
    name: 'one of two',
    code: handler(PG, 'let rows;', `if (req.query.all) rows = await ${USERS};`, `else rows = await ${ORDERS};`, 'res.json(rows);'),
  },
  {
    name: 'the second only if the first has none',
    code: handler(PG, `const rows = (await ${USERS}).rows[0] ?? (await ${ORDERS}).rows[0];`, 'res.json(rows);'),
  },
  {
    name: 'together already',
    code: handler(PG, `const [a, b] = await Promise.all([${USERS}, ${ORDERS}]);`, 'res.json({ a, b });'),
  },
  {
    name: 'the second runs already',
    code: handler(PG, `const second = ${ORDERS};`, `const a = await ${USERS};`, 'const b = await second;', 'res.json({ a, b });'),
  },
  {
    name: 'values that are ready',
    code: handler(
      APP,
      'const a = await 1;',
      'const b = await Promise.resolve(2);',
      'const c = await Promise.all([await 1, await 2]);',
      'res.json({ a, b, c });',
    ),
  },
  {
    name: 'in a loop over elements',
    code: handler(
      PG,
      'for (const id of req.query.ids) {',
      "const a = await pool.query('SELECT * FROM users WHERE id = $1', [id]);",
      "const b = await pool.query('SELECT * FROM orders WHERE owner = $1', [id]);",
      'res.write(JSON.stringify({ a, b }));',
      '}',
      'res.end();',
    ),
  },
  {
    name: 'attempts',
    code: handler(
      PG,
      'for (let i = 0; i < 3; i++) {',
      `try { const a = await ${USERS}; const b = await ${ORDERS}; return res.json({ a, b }); } catch {}`,
      '}',
    ),
  },
  {
    name: 'in a stream of parts',
    code: handler(
      PG,
      'for await (const part of req) {',
      `const a = await ${USERS};`,
      `const b = await ${ORDERS};`,
      'res.write(JSON.stringify({ part, a, b }));',
      '}',
    ),
  },
  {
    name: 'a database in the same process',
    code: handler(
      `${APP}const db = require('sqlite3');\n`,
      "const a = await db.all('SELECT * FROM users');",
      "const b = await db.query('SELECT * FROM orders');",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'files of the cache, which are read in microseconds',
    code: handler(
      `${APP}const fs = require('node:fs/promises');\n`,
      "const a = await fs.readFile('a.txt');",
      "const b = await fs.readFile('b.txt');",
      'res.end(a + b);',
    ),
  },
  {
    name: 'the same query twice is another matter',
    code: handler(PG, `const a = await ${USERS};`, `const b = await ${USERS};`, 'res.json({ a, b });'),
  },
  {
    name: 'at startup',
    code: dedent`
      ${PG}async function warm() { const a = await ${USERS}; const b = await ${ORDERS}; return { a, b }; }
      warm().then(() => app.listen(3000));

    `,
  },
  {
    name: 'in a test',
    file: 'test/users.test.js',
    code: handler(PG, `const a = await ${USERS};`, `const b = await ${ORDERS};`, 'res.json({ a, b });').replace("'/'", "'/test'"),
  },
  {
    name: 'in a script',
    file: 'scripts/report.js',
    code: `${PG}(async () => { const a = await ${USERS}; const b = await ${ORDERS}; console.log(a, b); })();\n`,
  },
  {
    name: 'in the list of a Promise.all, one that is awaited last',
    code: "import { a, b } from './a.js';\nexport const both = async () => Promise.all([a(), await b()]);\n",
  },
  {
    name: 'in the list of a Promise.all, on one connection of a transaction',
    code: 'export const both = async (tx, a, b) => Promise.all([await tx.save(a), await tx.save(b)]);\n',
  },
  {
    name: 'in the list of a Promise.all, of a test',
    file: 'test/both.js',
    code: dedent`
      import { a, b } from '../a.js';
      export const both = async () => Promise.all([await a(), await b()]);

    `,
  },
  {
    name: 'in a list that nothing waits for together',
    code: "import { a, b } from './a.js';\nexport const both = async () => [await a(), await b()];\n",
  },
  {
    name: 'a library, without the option',
    code: dedent`
      const { Pool } = require('pg');
      const pool = new Pool();
      exports.overview = async () => {
        const users = await pool.query('SELECT * FROM users');
        const orders = await pool.query('SELECT * FROM orders');
        return { users, orders };
      };
    `,
  },
  {
    name: 'a library: what nobody else can call',
    options: { exports: true },
    code: dedent`
      const { Pool } = require('pg');
      const pool = new Pool();
      async function overview() {
        const users = await pool.query('SELECT * FROM users');
        const orders = await pool.query('SELECT * FROM orders');
        return { users, orders };
      }
      exports.overview = overview();
    `,
  },
  {
    name: 'a library: what makes an instance',
    options: { exports: true },
    code: dedent`
      const { Pool } = require('pg');
      const pool = new Pool();
      exports.Shop = class Shop {
        constructor() {
          this.ready = (async () => {
            const users = await pool.query('SELECT * FROM users');
            const orders = await pool.query('SELECT * FROM orders');
            return { users, orders };
          })();
        }
      };
    `,
  },
];
