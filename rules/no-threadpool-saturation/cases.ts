import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS = dedent`
    const app = require('express')();
    const crypto = require('node:crypto');
    const { promisify } = require('node:util');
    const scrypt = promisify(crypto.scrypt);

  `;

export const cases: RuleCases<'count' | 'sent' | 'list'> = {
  valid: [
    {
      name: 'one hash',
      code: dedent`
        ${EXPRESS}app.post('/login', async (req, res) => res.send(await scrypt(req.body.password, 'salt', 64)));
      `,
    },
    {
      name: 'hashes of one round',
      code: dedent`
        const app = require('express')();
        const bcrypt = require('bcrypt');
        const ROUNDS = 1;
        app.post('/users', async (req, res) => res.send(await Promise.all(req.body.users.map((user) => bcrypt.hash(user.password, ROUNDS)))));
      `,
    },
    {
      name: 'one after the other',
      code: dedent`
        ${EXPRESS}app.post('/users', async (req, res) => { for (const user of req.body.users) user.hash = await scrypt(user.password, 'salt', 64); res.end(); });
      `,
    },
    {
      name: 'three at once leave a thread',
      code: dedent`
        ${EXPRESS}app.post('/keys', async (req, res) => res.send(await Promise.all([1, 2, 3].map((n) => scrypt(req.body.password, String(n), 64)))));
      `,
    },
    {
      name: 'a loop from one to three',
      code: dedent`
        ${EXPRESS}app.get('/work', (req, res) => { for (let i = 1; i <= 3; i++) crypto.pbkdf2('a', 'b', 100000, 512, 'sha512', () => {}); res.end(); });
      `,
    },
    {
      name: 'short jobs: files',
      code: dedent`
        ${EXPRESS}const { stat } = require('node:fs/promises');
        app.get('/files', async (req, res) => res.send(await Promise.all(req.body.files.map((file) => stat(file)))));
      `,
    },
    {
      name: 'limited',
      code: dedent`
        ${EXPRESS}const limit = require('p-limit')(2);
        app.post('/users', async (req, res) => res.send(await Promise.all(req.body.users.map((user) => limit(() => scrypt(user.password, 'salt', 64))))));
      `,
    },
    {
      name: 'in parts',
      code: dedent`
        ${EXPRESS}app.post('/users', async (req, res) => {
          for (let i = 0; i < req.body.users.length; i += 3) await Promise.all(req.body.users.slice(i, i + 3).map((user) => scrypt(user.password, 'salt', 64)));
          res.end();
        });
      `,
    },
    {
      name: 'in parts that a helper cuts',
      code: dedent`
        ${EXPRESS}const _ = require('lodash');
        app.post('/users', async (req, res) => {
          for (const some of _.chunk(req.body.users, 3)) await Promise.all(some.map((user) => scrypt(user.password, 'salt', 64)));
          res.end();
        });
      `,
    },
    {
      name: 'on the thread of the event loop: another problem',
      code: dedent`
        ${EXPRESS}app.post('/users', (req, res) => res.send(req.body.users.map((user) => crypto.scryptSync(user.password, 'salt', 64))));
      `,
    },
    {
      name: 'a package that computes in JavaScript',
      code: dedent`
        ${EXPRESS}const bcrypt = require('bcryptjs');
        app.post('/users', async (req, res) => res.send(await Promise.all(req.body.users.map((user) => bcrypt.hash(user.password, 10)))));
      `,
    },
    {
      name: 'dns.resolve does not use the pool',
      code: dedent`
        ${EXPRESS}const dns = require('node:dns/promises');
        app.post('/hosts', async (req, res) => res.send(await Promise.all(req.body.hosts.map((host) => dns.resolve4(host)))));
      `,
    },
    {
      name: 'before anybody asks',
      code: dedent`
        ${EXPRESS}const users = require('./users.json');
        Promise.all(users.map((user) => scrypt(user.password, 'salt', 64))).then(() => app.listen(80));
      `,
    },
    {
      name: 'a larger pool',
      code: dedent`
        process.env.UV_THREADPOOL_SIZE = '16';
        ${EXPRESS}app.post('/keys', async (req, res) => res.send(await Promise.all([1, 2, 3, 4, 5].map((n) => scrypt(req.body.password, String(n), 64)))));
      `,
    },
    {
      name: 'a test',
      file: 'test/users.test.js',
      code: dedent`
        ${EXPRESS}app.post('/users', async (req, res) => res.send(await Promise.all(req.body.users.map((user) => scrypt(user.password, 'salt', 64)))));
      `,
    },
  ],
  invalid: [
    {
      name: 'for all that a client sends',
      code: dedent`
        ${EXPRESS}app.post('/users', async (req, res) => res.send(await Promise.all(req.body.users.map((user) => «scrypt»(user.password, 'salt', 64)))));
      `,
      findings: [
        {
          messageId: 'sent',
          severity: 'warning',
          route: 'POST /users',
          data: { call: 'crypto.scrypt', threads: '4', where: '`POST /users`' },
          related: ['POST /users'],
        },
      ],
    },
    {
      name: 'with awaits inside of the callback',
      code: dedent`
        import bcrypt from 'bcrypt';
        import express from 'express';
        const app = express();
        app.post('/users', async (req, res) => {
          const { users } = req.body;
          const saved = await Promise.all(users.map(async (user) => { const salt = await bcrypt.genSalt(); return { ...user, hash: await «bcrypt.hash»(user.password, salt) }; }));
          res.send(saved);
        });
      `,
      findings: [{ messageId: 'sent', data: { call: 'bcrypt.hash' } }],
    },
    {
      name: 'a loop with callbacks',
      code: dedent`
        ${EXPRESS}app.get('/work', (req, res) => {
          for (let i = 0; i < 5; i++) «crypto.pbkdf2»('a', 'b', 100000, 512, 'sha512', () => {});
          res.end();
        });
      `,
      findings: [{ messageId: 'count', severity: 'warning', data: { count: '5', call: 'crypto.pbkdf2' } }],
    },
    {
      name: 'a loop that counts from one',
      code: dedent`
        ${EXPRESS}app.get('/work', (req, res) => {
          for (let i = 1; i <= 6; i++) «crypto.pbkdf2»('a', 'b', 100000, 512, 'sha512', () => {});
          res.end();
        });
      `,
      findings: [{ messageId: 'count', data: { count: '6' } }],
    },
    {
      name: 'promises that are collected',
      code: dedent`
        ${EXPRESS}const { users } = require('./store');
        app.post('/reset', async (req, res) => {
          const hashes = [];
          for (const user of users) hashes.push(«scrypt»(user.name, 'salt', 64));
          res.send(await Promise.all(hashes));
        });
      `,
      findings: [{ messageId: 'list', severity: 'hint' }],
    },
    {
      name: 'a list of four',
      code: dedent`
        ${EXPRESS}app.post('/keys', async (req, res) => {
          const { password } = req.body;
          res.send(await Promise.all([«scrypt»(password, 'a', 64), scrypt(password, 'b', 64), scrypt(password, 'c', 64), scrypt(password, 'd', 64)]));
        });
      `,
      findings: [{ messageId: 'count', data: { count: '4' } }],
    },
    {
      name: 'in a promise of its own, in a function of the file',
      code: dedent`
        ${EXPRESS}const hash = (password) => new Promise((resolve, reject) => { «crypto.pbkdf2»(password, 'salt', 100000, 64, 'sha512', (error, key) => (error ? reject(error) : resolve(key))); });
        app.post('/users', async (req, res) => { res.send(await Promise.all(req.body.passwords.map((password) => hash(password)))); });
      `,
      findings: [{ messageId: 'sent', related: ['POST /users'] }],
    },
    {
      name: 'host names',
      code: dedent`
        import { lookup } from 'node:dns/promises';
        import express from 'express';
        const app = express();
        app.post('/hosts', async (req, res) => res.send(await Promise.all(req.body.hosts.map((host) => «lookup»(host)))));
      `,
      findings: [{ messageId: 'sent', data: { call: 'dns.lookup' } }],
    },
  ],
};
