import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import type { Taken } from '../../knowledge/fan-out-calls.ts';
import { innocents } from './cases-innocents.ts';

const APP = "const app = require('express')();\n";
const RUN = dedent`
  const app = require('express')();
  const { execFile } = require('node:child_process');
  const { promisify } = require('node:util');
  const run = promisify(execFile);

`;
const FILES = "const app = require('express')();\nconst fs = require('node:fs/promises');\n";

export const cases: RuleCases<Taken | 'elsewhere'> = {
  valid: innocents,
  invalid: [
    {
      name: 'a process for each element that a client sends',
      code: dedent`
        ${RUN}app.post('/sizes', async (req, res) => res.json(await Promise.all(req.body.files.map((file) => «run('identify', [file])»))));
      `,
      findings: [
        {
          messageId: 'process',
          severity: 'warning',
          route: 'POST /sizes',
          related: ['for each element here', 'POST /sizes is handled here'],
          message:
            '`run` starts a process for each element of `req.body.files`, which a client sends, all at once, on every `POST /sizes`. Starting a process blocks the event loop, and all of them start before anything else runs: 200 blocked it for 680 to 1,230 ms, and for at most 60 ms with 8 at a time (Node 20 to 24). Each has its own memory and pipes. Run a few at a time: with `p-limit`, with `concurrency` of `p-map`, or in chunks. Limiting the length of the list helps, too.',
        },
      ],
    },
    {
      name: 'after a delay that is the same for all, or that not all wait for',
      code: dedent`
        ${APP}const axios = require('axios');
        const sleep = require('./sleep');
        app.post('/', async (req, res) => {
          await Promise.all(req.body.a.map(async (one) => { await sleep(1000); await «axios.post(one.url)»; }));
          await Promise.all(req.body.b.map(async (one) => {
            await new Promise((resolve) => setTimeout(() => resolve(one), 100));
            await «axios.post(one.url)»;
          }));
          await Promise.all(req.body.c.map(async (one) => { if (one.isSlow) await sleep(one.seconds); await «axios.post(one.url)»; }));
          await Promise.all(req.body.d.map(async (one) => {
            for (let i = 0; i < 3; i++) {
              if (i > 0) await sleep(1000 * i);
              try { return await «axios.post(one.url)»; } catch {}
            }
          }));
          res.end();
        });
      `,
      findings: [{ messageId: 'request' }, { messageId: 'request' }, { messageId: 'request' }, { messageId: 'request' }],
    },
    {
      name: 'behind what is asked for a key, and is no cache',
      code: dedent`
        ${APP}const axios = require('axios');
        async function notify(user) { if (!user.settings.get('mail')) return; await axios.post(user.url, {}); }
        async function ping(user) { if (user.roles.has('admin')) await axios.post(user.url, {}); }
        async function load(user) { if (user.inMemory) return user.data; return axios.post(user.url, {}); }
        async function label(user) { const name = user.fields.get('name'); if (!name) return; await axios.post(user.url, {}); return name; }
        app.post('/keys', async (req, res) => {
          await Promise.all(req.body.users.map((user) => «notify(user)»));
          await Promise.all(req.body.users.map((user) => «ping(user)»));
          await Promise.all(req.body.users.map((user) => «load(user)»));
          await Promise.all(req.body.users.map((user) => «label(user)»));
          res.end();
        });
      `,
      findings: [{ messageId: 'request' }, { messageId: 'request' }, { messageId: 'request' }, { messageId: 'request' }],
    },
    {
      name: 'a process for each file of a folder',
      code: dedent`
        ${RUN}const fs = require('node:fs/promises');
        app.get('/', async (req, res) => {
          const names = await fs.readdir('photos');
          res.json(await Promise.allSettled(names.map(async (name) => { const { stdout } = await «run('identify', [name])»; return stdout; })));
        });
      `,
      findings: [{ messageId: 'process', severity: 'hint', data: { list: 'names' } }],
    },
    {
      name: 'a process with callbacks, in a loop that waits for nothing',
      code: dedent`
        ${APP}const { exec } = require('node:child_process');
        app.post('/', (req, res) => {
          for (const host of req.body.found) «exec(${'`ping -c 1 ${host}`'}, (error) => console.log(error))»;
          res.end();
        });
      `,
      findings: [{ messageId: 'process', severity: 'warning' }],
    },
    {
      name: 'a process in a promise of its own',
      code: dedent`
        ${APP}const { spawn } = require('node:child_process');
        app.post('/', async (req, res) => {
          await Promise.all(req.body.files.map((file) => new Promise((resolve) => { «spawn('identify', [file])».on('close', resolve); })));
          res.end();
        });
      `,
      findings: [{ messageId: 'process' }],
    },
    {
      name: 'a request for each address that a client sends',
      code: dedent`
        ${APP}app.post('/', async (req, res) => res.json(await Promise.all(req.body.urls.map(async (url) => (await «fetch(url)»).status))));
      `,
      findings: [{ messageId: 'request', severity: 'hint' }],
    },
    {
      name: 'a request for each row, where nothing is awaited',
      code: dedent`
        ${APP}const axios = require('axios');
        const mongoose = require('mongoose');
        const Feed = mongoose.model('Feed');
        app.post('/', async (req, res) => {
          const feeds = await Feed.find({ isOpen: true });
          feeds.forEach(async (feed) => { await «axios.post(feed.url, { id: feed.id })»; });
          res.end();
        });
      `,
      findings: [{ messageId: 'request', severity: 'hint' }],
    },
    {
      name: 'through a function of the file',
      code: dedent`
        ${APP}async function statusOf(url) { const { status } = await fetch(url, { method: 'HEAD' }); return status; }
        app.post('/', async (req, res) => { res.json(await Promise.all(req.body.urls.map((url) => «statusOf(url)»))); });
      `,
      findings: [
        { messageId: 'request', data: { call: 'statusOf' }, related: ['for each element here', 'what it starts', 'is handled here'] },
      ],
    },
    {
      name: 'a client that the file makes',
      code: dedent`
        ${APP}const axios = require('axios');
        const api = axios.create({ timeout: 1000 });
        app.post('/', async (req, res) => res.json(await Promise.all(req.body.urls.map((url) => «api.post(url)»))));
      `,
      findings: [{ messageId: 'request' }],
    },
    {
      name: 'only where conditions hold',
      code: dedent`
        ${APP}app.post('/', async (req, res) => {
          await Promise.all(req.body.feeds.map(async (feed) => { if (feed.isOpen) await «fetch(feed.url)»; }));
          res.end();
        });
      `,
      findings: [{ messageId: 'request', data: { which: ', which a client sends, for which its conditions hold' } }],
    },
    {
      name: 'Promise.map of Bluebird',
      code: dedent`
        ${APP}const Promise = require('bluebird');
        app.post('/', async (req, res) => res.json(await Promise.map(req.body.urls, (url) => «fetch(url)»)));
      `,
      findings: [{ messageId: 'request' }],
    },
    {
      name: 'p-map without concurrency',
      code: dedent`
        ${APP}const pMap = require('p-map');
        app.post('/', async (req, res) => res.json(await pMap(req.body.urls, async (url) => «fetch(url)», { stopOnError: false })));
      `,
      findings: [{ messageId: 'request' }],
    },
    {
      name: 'each of async',
      code: dedent`
        ${APP}const async = require('async');
        app.post('/', (req, res) => async.each(req.body.files, async (file) => { await «fetch(file.url)»; }, () => res.end()));
      `,
      findings: [{ messageId: 'request' }],
    },
    {
      name: 'all files of a folder',
      code: dedent`
        ${FILES}app.get('/', async (req, res) => { const names = await fs.readdir('notes'); res.json(await Promise.all(names.map((name) => «fs.readFile(name)»))); });
      `,
      findings: [{ messageId: 'file', severity: 'hint' }],
    },
    {
      name: 'streams of all files',
      code: dedent`
        const fs = require('node:fs');
        const archiver = require('archiver');
        ${APP}app.get('/', async (req, res) => {
          const archive = archiver('zip');
          const names = await fs.promises.readdir('notes');
          names.forEach((name) => archive.append(«fs.createReadStream(name)», { name }));
          archive.pipe(res);
        });
      `,
      findings: [{ messageId: 'file' }],
    },
    {
      name: 'all images of a document',
      code: dedent`
        ${APP}const { parseHTML } = require('linkedom');
        app.post('/', async (req, res) => {
          const { document } = parseHTML(req.body.html);
          const images = document.querySelectorAll('img');
          res.json(await Promise.all(Array.from(images).map((image) => «fetch(image.src)»)));
        });
      `,
      findings: [{ messageId: 'request' }],
    },
    {
      name: 'two of them for one list: the first is reported',
      code: dedent`
        ${APP}const fs = require('node:fs/promises');
        app.post('/', async (req, res) => {
          await Promise.all(req.body.urls.map(async (url) => { const answer = await «fetch(url)»; await fs.writeFile(url, await answer.text()); }));
          res.end();
        });
      `,
      findings: [{ messageId: 'request' }],
    },
    {
      name: 'a check that nothing is missing limits nothing',
      code: dedent`
        ${APP}app.post('/', async (req, res) => {
          if (!(req.body.urls.length > 0)) return res.sendStatus(400);
          res.json(await Promise.all(req.body.urls.map((url) => «fetch(url)»)));
        });
      `,
      findings: [{ messageId: 'request' }],
    },
    {
      name: 'through two functions of other files',
      code: dedent`
        ${APP}const { check } = require('./links');
        app.post('/links', async (req, res) => res.json(await Promise.all(req.body.links.map((link) => «check(link)»))));
      `,
      others: {
        'src/links.js': dedent`
          const { head } = require('./head');
          exports.check = async (link) => (await head(link.url)).status;

        `,
        'src/head.js': "exports.head = async function head(url) { if (!url) return; return fetch(url, { method: 'HEAD' }); };\n",
      },
      findings: [{ messageId: 'elsewhere', severity: 'hint', route: 'POST /links' }],
    },
    {
      name: 'a method of another file that starts a process',
      code: dedent`
        ${APP}const { Tools } = require('./tools');
        const tools = new Tools();
        app.post('/sizes', async (req, res) => {
          const sizes = await Promise.all(req.body.files.map(async (file) => { const size = await «tools.sizeOf(file)»; return size; }));
          res.json(sizes);
        });
      `,
      others: {
        'src/tools.js': dedent`
          const { promisify } = require('node:util');
          const { execFile } = require('node:child_process');
          const run = promisify(execFile);
          exports.Tools = class Tools { async sizeOf(file) { return run('identify', [file]); } };

        `,
      },
      findings: [{ messageId: 'elsewhere' }],
    },
    {
      name: 'a library, with the option',
      options: { exports: true },
      code: dedent`
        const fs = require('node:fs/promises');
        exports.load = async (folder) => { const names = await fs.readdir(folder); return Promise.all(names.map((name) => «fs.readFile(name)»)); };
      `,
      findings: [{ messageId: 'file', severity: 'hint' }],
    },
  ],
};
