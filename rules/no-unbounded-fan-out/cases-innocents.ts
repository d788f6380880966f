// What looks like everything at once, and is limited, short, or takes nothing.
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const APP = "const app = require('express')();\n";
const RUN = dedent`
  const app = require('express')();
  const { execFile } = require('node:child_process');
  const { promisify } = require('node:util');
  const run = promisify(execFile);

`;
const FILES = "const app = require('express')();\nconst fs = require('node:fs/promises');\n";

export const innocents: readonly ValidCase[] = [
  {
    name: 'a function that answers from its cache before it sends anything',
    code: dedent`
      const app = require('express')();
      const superagent = require('superagent');
      const keys = new Map();
      const pending = new Map();
      async function keysOf(url) {
        if (keys.has(url)) return keys.get(url);
        const before = pending.get(url);
        if (before) return before;
        const sent = (async () => {
          const { body } = await superagent.get(url);
          keys.set(url, body);
          return body;
        })();
        pending.set(url, sent);
        return sent;
      }
      async function namesOf(url) {
        const known = pending.get(url);
        if (known) return known;
        return superagent.get(url + '/names');
      }
      async function tell(url) {
        if (told.has(url)) return;
        told.add(url);
        await superagent.post(url);
      }
      async function shortOf(url) { return shorts.get(url) ?? (await superagent.get(url + '/short')); }
      async function longOf(url) { return longs.has(url) ? longs.get(url) : superagent.get(url + '/long'); }
      async function fullOf(url) {
        if (!full.has(url)) return superagent.get(url + '/full');
        return full.get(url);
      }
      async function sizeOf(url) {
        if (sizesCache.get(url) === undefined) return superagent.get(url + '/size');
      }
      app.get('/health', async (req, res) => {
        const urls = await listOf(req);
        const all = await Promise.allSettled(urls.map((url) => keysOf(url)));
        await Promise.all(urls.map((url) => tell(url)));
        await Promise.all(urls.map((url) => sizeOf(url)));
        await Promise.all(urls.map((url) => shortOf(url)));
        await Promise.all(urls.map((url) => longOf(url)));
        await Promise.all(urls.map((url) => fullOf(url)));
        res.json([all, await Promise.all(urls.map((url) => namesOf(url)))]);
      });
    `,
  },
  {
    name: 'each element waits for a delay of its own first',
    code: dedent`
      const app = require('express')();
      const axios = require('axios');
      const sleep = require('./sleep');
      app.post('/', async (req, res) => {
        req.body.bots.forEach(async (bot) => {
          await sleep(bot.seconds);
          await axios.post(bot.url, { at: bot.at });
        });
        await Promise.all(req.body.a.map(async (bot, index) => {
          if (bot.isOff) return;
          if (index > 0) await sleep(100 * index);
          await axios.post(bot.url);
        }));
        await Promise.all(req.body.b.map(async ({ url, at: { seconds } }) => {
          const time = seconds * 1000;
          await new Promise((resolve) => setTimeout(resolve, time));
          await axios.post(url);
        }));
        let started = 0;
        await Promise.all(req.body.c.map(async (bot) => { await sleep(100 * started++); await axios.post(bot.url); }));
        await Promise.all(req.body.d.map(async (bot) => { await sleep(Math.random() * 1000); await axios.post(bot.url); }));
        await Promise.all(req.body.e.map(async (bot) => { await nextTurn(); await axios.post(bot.url); }));
        res.end();
      });
    `,
  },
  {
    name: 'with p-limit',
    code: dedent`
      ${RUN}const limit = require('p-limit')(4);
      app.post('/', async (req, res) => res.json(await Promise.all(req.body.files.map((file) => limit(() => run('identify', [file]))))));
    `,
  },
  {
    name: 'with p-limit in an async callback',
    code: dedent`
      ${RUN}const pLimit = require('p-limit');
      app.post('/', async (req, res) => {
        const limitTo4 = pLimit(4);
        res.json(await Promise.all(req.body.files.map(async (file) => { const { stdout } = await limitTo4(() => run('identify', [file])); return stdout; })));
      });
    `,
  },
  {
    name: 'with p-map and its concurrency',
    code: dedent`
      ${RUN}const pMap = require('p-map');
      app.post('/', async (req, res) => res.json(await pMap(req.body.files, (file) => run('identify', [file]), { concurrency: 4 })));
    `,
  },
  {
    name: 'with options that come from elsewhere',
    code: dedent`
      ${APP}const Promise = require('bluebird');
      const { options } = require('./options');
      app.post('/', async (req, res) => res.json(await Promise.map(req.body.urls, (url) => fetch(url), options)));
    `,
  },
  {
    name: 'with a limit of async',
    code: dedent`
      ${APP}const async = require('async');
      app.post('/', async (req, res) => res.json(await async.mapLimit(req.body.urls, 5, async (url) => fetch(url))));
    `,
  },
  {
    name: 'one after the other, with async',
    code: dedent`
      ${APP}const async = require('async');
      app.post('/', async (req, res) => res.json(await async.mapSeries(req.body.urls, async (url) => fetch(url))));
    `,
  },
  {
    name: 'a semaphore in the callback',
    code: dedent`
      ${RUN}const { slots } = require('./slots');
      app.post('/', async (req, res) => {
        res.json(await Promise.all(req.body.files.map(async (file) => { const release = await slots.acquire(); try { return await run('identify', [file]); } finally { release(); } })));
      });
    `,
  },
  {
    name: 'a queue in the callback',
    code: dedent`
      ${RUN}const PQueue = require('p-queue');
      const queue = new PQueue({ concurrency: 4 });
      app.post('/', async (req, res) => res.json(await Promise.all(req.body.files.map((file) => queue.add(() => run('identify', [file]))))));
    `,
  },
  {
    name: 'one after the other',
    code: dedent`
      ${RUN}app.post('/', async (req, res) => { for (const file of req.body.files) await run('identify', [file]); res.end(); });
    `,
  },
  {
    name: 'one after the other, through a variable',
    code: dedent`
      ${APP}app.post('/', async (req, res) => {
        for (const url of req.body.urls) { const answer = fetch(url); console.log((await answer).status); }
        res.end();
      });
    `,
  },
  {
    name: 'one after the other, each in a promise of its own',
    code: dedent`
      ${APP}const { spawn } = require('node:child_process');
      app.post('/', async (req, res) => {
        for (const file of req.body.files) await new Promise((resolve) => { spawn('identify', [file]).on('close', resolve); });
        res.end();
      });
    `,
  },
  {
    name: 'functions that run later',
    code: dedent`
      ${RUN}app.post('/', async (req, res) => {
        const jobs = req.body.files.map((file) => () => run('identify', [file]));
        for (const job of jobs) await job();
        res.end();
      });
    `,
  },
  {
    name: 'a list in the code',
    code: dedent`
      ${APP}app.get('/', async (req, res) => res.json(await Promise.all(['a', 'b'].map((name) => fetch(req.query[name])))));
    `,
  },
  {
    name: 'a table of the module',
    code: dedent`
      ${FILES}const PARTS = ['head.html', 'body.html', 'foot.html'];
      app.get('/', async (req, res) => res.send((await Promise.all(PARTS.map((part) => fs.readFile(part, 'utf8')))).join('')));
    `,
  },
  {
    name: 'a few of the elements',
    code: dedent`
      ${APP}app.post('/', async (req, res) => res.json(await Promise.all(req.body.urls.slice(0, 10).map((url) => fetch(url)))));
    `,
  },
  {
    name: 'a few of the files, by a variable',
    code: dedent`
      ${FILES}app.get('/', async (req, res) => {
        const newest = (await fs.readdir('notes')).sort().slice(-3);
        res.json(await Promise.all(newest.map((name) => fs.readFile(name))));
      });
    `,
  },
  {
    name: 'parts of the list, one after the other',
    code: dedent`
      ${FILES}const { chunk } = require('lodash');
      app.get('/', async (req, res) => {
        const names = await fs.readdir('notes');
        for (const part of chunk(names, 10)) await Promise.all(part.map((name) => fs.readFile(name)));
        res.end();
      });
    `,
  },
  {
    name: 'the rows of a query with a limit',
    code: dedent`
      ${APP}const mongoose = require('mongoose');
      const Hook = mongoose.model('Hook');
      app.post('/', async (req, res) => {
        const found = await Hook.find({ isOpen: true }).limit(20);
        await Promise.all(found.map((one) => fetch(one.url)));
        res.end();
      });
    `,
  },
  {
    name: 'the rows of a page',
    code: dedent`
      ${APP}const { PrismaClient } = require('@prisma/client');
      const prisma = new PrismaClient();
      app.get('/', async (req, res) => {
        const found = await prisma.feed.findMany({ skip: 10, take: req.query.size });
        res.json(await Promise.all(found.map((one) => fetch(one.url))));
      });
    `,
  },
  {
    name: 'the rows of SQL with a limit',
    code: dedent`
      ${APP}const { Pool } = require('pg');
      const pool = new Pool();
      app.get('/', async (req, res) => {
        const { rows } = await pool.query('SELECT url FROM feeds ORDER BY id LIMIT $1', [20]);
        res.json(await Promise.all(rows.map((row) => fetch(row.url))));
      });
    `,
  },
  {
    name: 'a length that is checked',
    code: dedent`
      ${RUN}app.post('/', async (req, res) => {
        const { files } = req.body;
        if (files.length > 20) return res.sendStatus(413);
        res.json(await Promise.all(files.map((file) => run('identify', [file]))));
      });
    `,
  },
  {
    name: 'a length that a constant limits',
    code: dedent`
      ${RUN}const MOST = 20;
      app.post('/', async (req, res) => {
        if (MOST < req.body.files.length) return res.sendStatus(413);
        res.json(await Promise.all(req.body.files.map((file) => run('identify', [file]))));
      });
    `,
  },
  {
    name: 'a schema with the length',
    code: dedent`
      const fastify = require('fastify')();
      const schema = { body: { type: 'object', properties: { urls: { type: 'array', maxItems: 10 } } } };
      fastify.post('/', { schema }, async (request) => Promise.all(request.body.urls.map((url) => fetch(url))));
    `,
  },
  {
    name: 'a list that is short by its name',
    code: dedent`
      ${APP}app.post('/', async (req, res) => res.json(await Promise.all(req.body.locales.map((locale) => fetch(locale)))));
    `,
  },
  {
    name: 'what a cache lacks',
    code: dedent`
      ${APP}const cache = new Map();
      app.post('/', async (req, res) => {
        await Promise.all(req.body.urls.map(async (url) => { if (!cache.has(url)) cache.set(url, await fetch(url)); }));
        res.end();
      });
    `,
  },
  {
    name: 'the one that is asked for',
    code: dedent`
      ${APP}app.post('/', async (req, res) => {
        await Promise.all(req.body.hooked.map(async (one) => { if (one.id === req.query.id) await fetch(one.url); }));
        res.end();
      });
    `,
  },
  {
    name: 'nothing of the element: one request, kept',
    code: dedent`
      ${APP}app.post('/', async (req, res) => { await Promise.all(req.body.urls.map(async () => fetch('https://example.org/'))); res.end(); });
    `,
  },
  {
    name: 'calls that keep nothing open',
    code: dedent`
      ${FILES}app.get('/', async (req, res) => { const names = await fs.readdir('notes'); res.json(await Promise.all(names.map((name) => fs.stat(name)))); });
    `,
  },
  {
    name: 'fs-extra waits by itself',
    code: dedent`
      ${APP}const fse = require('fs-extra');
      app.get('/', async (req, res) => { const names = await fse.readdir('notes'); res.json(await Promise.all(names.map((name) => fse.readFile(name)))); });
    `,
  },
  {
    name: 'clients of AWS open 50 sockets at most',
    code: dedent`
      ${APP}const { S3Client, GetObjectCommand } = require('@aws-sdk/client-s3');
      const client = new S3Client({});
      app.post('/', async (req, res) => res.json(await Promise.all(req.body.keys.map((Key) => client.send(new GetObjectCommand({ Bucket: 'b', Key }))))));
    `,
  },
  {
    name: 'queries wait for a connection of the pool',
    code: dedent`
      ${APP}const { Pool } = require('pg');
      const pool = new Pool();
      app.post('/', async (req, res) => res.json(await Promise.all(req.body.ids.map((id) => pool.query('SELECT name FROM users WHERE id = $1', [id])))));
    `,
  },
  {
    name: 'requests that might be one have a rule of their own',
    code: dedent`
      ${APP}const axios = require('axios');
      app.post('/', async (req, res) => res.json(await Promise.all(req.body.ids.map((id) => axios.get(${'`https://api.example.org/users/${id}`'})))));
    `,
  },
  {
    name: 'a function of another file that waits for its turn',
    code: dedent`
      ${APP}const { head } = require('./links');
      app.post('/links', async (req, res) => res.json(await Promise.all(req.body.links.map((link) => head(link.url)))));
    `,
    others: {
      'src/links.js': dedent`
        const limit = require('p-limit')(4);
        const slots = require('./slots');
        exports.head = async (url) => { await slots.acquire(); return fetch(url); };

      `,
    },
  },
  {
    name: 'a function of another file that takes nothing',
    code: dedent`
      ${APP}const { head } = require('./links');
      app.post('/links', async (req, res) => res.json(await Promise.all(req.body.links.map((link) => head(link.url)))));
    `,
    others: { 'src/links.js': 'exports.head = async (url) => new URL(url).host;\n' },
  },
  {
    name: 'a function of another file that takes something only at times',
    code: dedent`
      ${APP}const { head } = require('./links');
      app.post('/links', async (req, res) => res.json(await Promise.all(req.body.links.map((link) => head(link)))));
    `,
    others: { 'src/links.js': 'exports.head = async (link) => { if (link.isNew) return fetch(link.url); return link; };\n' },
  },
  {
    name: 'a function of another file that only asks a database',
    code: dedent`
      ${APP}const { load } = require('./users');
      app.post('/users', async (req, res) => res.json(await Promise.all(req.body.ids.map((id) => load(id)))));
    `,
    others: {
      'src/users.js': dedent`
        const { Pool } = require('pg');
        const pool = new Pool();
        exports.load = async (id) => pool.query('SELECT name FROM users WHERE id = $1', [id]);

      `,
    },
  },
  {
    name: 'at startup',
    code: dedent`
      ${FILES}async function load() { const names = await fs.readdir('notes'); return Promise.all(names.map((name) => fs.readFile(name))); }
      load().then(() => app.listen(3000));
    `,
  },
  {
    name: 'once, for the first request',
    code: dedent`
      ${FILES}let notes;
      app.get('/', async (req, res) => {
        if (!notes) { const names = await fs.readdir('notes'); notes = await Promise.all(names.map((name) => fs.readFile(name))); }
        res.json(notes);
      });
    `,
  },
  {
    name: 'in development',
    code: dedent`
      ${FILES}app.get('/', async (req, res) => {
        if (process.env.NODE_ENV !== 'production') { const names = await fs.readdir('notes'); return res.json(await Promise.all(names.map((name) => fs.readFile(name)))); }
        res.end();
      });
    `,
  },
  {
    name: 'a file of a test',
    file: 'test/notes.test.js',
    code: dedent`
      ${RUN}app.post('/', async (req, res) => res.json(await Promise.all(req.body.files.map((file) => run('identify', [file])))));
    `,
  },
  {
    name: 'a script',
    file: 'scripts/sizes.js',
    code: dedent`
      ${FILES}const names = process.argv.slice(2);
      Promise.all(names.map((name) => fs.readFile(name))).then(console.log);
    `,
  },
  {
    name: 'a library, without the option',
    code: dedent`
      const fs = require('node:fs/promises');
      exports.load = async (folder) => { const names = await fs.readdir(folder); return Promise.all(names.map((name) => fs.readFile(name))); };
    `,
  },
  {
    name: 'a function of the file that is called once',
    code: dedent`
      ${RUN}const check = (file) => run('identify', [file]);
      app.post('/', async (req, res) => res.json(await Promise.all([check(req.body.first), check(req.body.second)])));
    `,
  },
  {
    name: 'a fetch of its own',
    code: dedent`
      ${APP}const kept = new Map();
      function fetch(url) { return kept.get(url); }
      app.post('/', async (req, res) => res.json(await Promise.all(req.body.urls.map((url) => fetch(url)))));
    `,
  },
];
