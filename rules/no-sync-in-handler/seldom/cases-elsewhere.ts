// Calls that take microseconds by their arguments, throw before they block, or run in development or on another system.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { InvalidCase, ValidCase } from '../../../analysis/testing/rule-tester.ts';

const startedBy = (start: string, type?: 'module', more: Readonly<Record<string, string>> = {}): NonNullable<ValidCase['project']> => ({
  manifest: { ...(type && { type }), bin: [], scripts: { start, ...more }, dependencies: {}, devDependencies: {}, private: true },
});
const withBundler = ({ manifest }: NonNullable<ValidCase['project']>): NonNullable<ValidCase['project']> => ({
  ...(manifest && { manifest: { ...manifest, devDependencies: { esbuild: '^0.25.0' } } }),
});
const WARNING = { messageId: 'blocks', severity: 'warning', refused: [''] } as const;
const HINT = { messageId: 'blocks', severity: 'hint', refused: [''] } as const;

const LAZY_REQUIRE = dedent`
  import express from 'express';
  const app = express();
  app.get('/a', (req, res) => {
    try {
      const { execSync } = require('child_process');
      const cp = require('node:child_process');
      res.json([execSync('ps', { encoding: 'utf8' }), cp.execSync('ps'), require('fs').readFileSync('a')]);
    } catch { res.end(); }
  });
`;

export const elsewhereInnocents: readonly ValidCase[] = [
  {
    name: 'keys that are derived with so few rounds that it takes microseconds',
    code: dedent`
      import crypto from 'node:crypto';
      const app = require('express')();
      const ROUNDS = 100;
      const SMALL = { cost: 16, blockSize: 8 };
      app.post('/a', (req, res) => {
        const hash = crypto.pbkdf2Sync(req.body.password, req.body.salt, 1, 32, 'sha256');
        const other = crypto.pbkdf2Sync(req.body.password, req.body.salt, ROUNDS, 64, 'sha512');
        const third = crypto.scryptSync(req.body.password, req.body.salt, 32, { N: 2 });
        res.json([hash, other, third, crypto.scryptSync(req.body.password, 'salt', 32, SMALL)]);
      });
    `,
  },
  {
    name: 'the same in short loops, and in those that wait in each round, and options that are only read',
    code: dedent`
      import crypto from 'node:crypto';
      const app = require('express')();
      const OPTIONS = { N: 2, r: 8 };
      app.post('/a', async (req, res) => {
        for (let i = 0; i < 3; i++) res.write(crypto.pbkdf2Sync(req.body.password, 'salt', 1, 32, 'sha256'));
        for (const salt of ['a', 'b']) res.write(crypto.scryptSync(req.body.password, salt, 32, OPTIONS));
        for (const token of req.body.tokens) await save(crypto.pbkdf2Sync(token, 'salt', 1, 32, 'sha256'));
        log(OPTIONS.N, { ...OPTIONS, key: true });
        res.end();
      });
    `,
  },
  {
    name: 'an ES module, which has no require, that tsx runs',
    file: 'server.ts',
    project: startedBy('tsx server.ts', 'module'),
    code: LAZY_REQUIRE,
  },
  {
    name: 'the same with more before it and options',
    file: 'src/server.ts',
    project: startedBy('npm run migrate && cross-env NODE_ENV=production tsx --tsconfig tsconfig.node.json src/index.ts', 'module', {
      'build:client': 'vite build --mode production',
    }),
    code: LAZY_REQUIRE,
  },
  { name: 'the same that Node runs', file: 'server.js', project: startedBy('node index.js', 'module'), code: LAZY_REQUIRE },
  {
    name: 'the same with a bundler that no script uses',
    file: 'server.js',
    project: withBundler(startedBy('node index.js', 'module')),
    code: LAZY_REQUIRE,
  },
  {
    name: 'the same with options',
    file: 'server.js',
    project: startedBy('node --enable-source-maps --max-old-space-size=512 index.js', 'module'),
    code: LAZY_REQUIRE,
  },
  { name: 'the same in a file that ends in .mjs', file: 'server.mjs', project: startedBy('node index.js', 'module'), code: LAZY_REQUIRE },
  {
    name: 'what a route does after it has answered in production',
    code: dedent`
      const { execSync } = require('child_process');
      const app = require('express')();
      app.get('/a', (req, res) => {
        if (process.env.NODE_ENV === 'production') return res.status(403).end();
        try {
          res.send(execSync('cat /sys/fs/cgroup/memory.max'));
        } catch { measure(res); }
      });
      app.get('/b', (req, res) => {
        if (config.isProduction) {
          throw new Error('only for development');
        }
        [1, 2].map(() => execSync('cat /proc/meminfo'));
        measure(res);
      });
      function measure(res) { res.send(execSync('ps')); }
    `,
  },
  {
    name: 'flags of the process, by way of constants',
    code: dedent`
      const { execSync } = require('child_process');
      const config = require('./config');
      const app = require('express')();
      const isProd = () => process.env.NODE_ENV === 'production';
      app.get('/a', (req, res) => {
        const isProduction = process.env.NODE_ENV === 'production';
        if (isProduction) return res.status(403).end();
        res.send(execSync('a'));
      });
      app.get('/b', (req, res) => {
        const { isProduction } = config;
        if (isProduction) return res.status(403).end();
        res.send(execSync('b'));
      });
      app.get('/c', (req, res) => {
        if (isProd()) return res.status(403).end();
        res.send(execSync('c'));
      });
      class Pages {
        constructor() { this.isProduction = process.env.NODE_ENV === 'production'; }
        show(res) {
          if (this.isProduction) return res.status(403).end();
          res.send(execSync('d'));
        }
      }
      app.get('/d', (req, res) => new Pages().show(res));
    `,
  },
];

export const elsewhereCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
  {
    name: 'keys that are derived with more rounds, or with as many as the file does not show',
    code: dedent`
      import crypto from 'node:crypto';
      const app = require('express')();
      const ROUNDS = 100_000;
      let rounds = 1;
      rounds += 1e6;
      app.post('/a', ({ body: { password, salt, count, cost } }, res) => res.json([
        «crypto.pbkdf2Sync(password, salt, 1000, 64, 'sha512')»,
        «crypto.pbkdf2Sync(password, salt, 100, 512, 'sha512')»,
        «crypto.pbkdf2Sync(password, salt, ROUNDS, 64, 'sha512')»,
        «crypto.pbkdf2Sync(password, salt, 1, count, 'sha512')»,
        «crypto.pbkdf2Sync(password, salt, rounds, 64, 'sha512')»,
        «crypto.pbkdf2Sync(password, salt, count, 64, 'sha512')»,
        «crypto.scryptSync(password, salt, 32)»,
        «crypto.scryptSync(password, salt, 32, { N: 1024 })»,
        «crypto.scryptSync(password, salt, 32, { r: 8 })»,
        «crypto.scryptSync(password, salt, 32, { N: 2, p: 100_000 })»,
        «crypto.scryptSync(password, salt, 32, { N: 2, ...cost })»,
      ]));
    `,
    findings: [HINT, HINT, WARNING, WARNING, WARNING, WARNING, WARNING, HINT, WARNING, WARNING, WARNING],
  },
  {
    name: 'few rounds that loops repeat, also around a function of the file',
    code: dedent`
      import crypto from 'node:crypto';
      const app = require('express')();
      const derive = (key) => «crypto.pbkdf2Sync(key, 'salt', 1, 64, 'sha512')»;
      app.post('/a', (req, res) => {
        let key = req.body.password;
        for (let i = 0; i < 100000; i++) key = «crypto.pbkdf2Sync(key, 'salt', 1, 64, 'sha512')»;
        for (let i = 0; i < 1000; i++) key = «crypto.pbkdf2Sync(key, 'salt', 1, 64, 'sha512')»;
        for (let i = 0; i < req.body.count; i++) key = derive(key);
        res.json([key, req.body.tokens.map((one) => «crypto.pbkdf2Sync(one, 'salt', 200, 64, 'sha512')»)]);
      });
    `,
    findings: [WARNING, WARNING, HINT, WARNING],
  },
  {
    name: 'options that are changed after they are written',
    code: dedent`
      import crypto from 'node:crypto';
      const app = require('express')();
      const OPTIONS = { N: 2, r: 8, p: 1 };
      OPTIONS.N = 2 ** 15;
      const GIVEN = { N: 2 };
      Object.assign(GIVEN, settings);
      class Keys {
        constructor(password) {
          const local = { N: 2 };
          if (process.env.COST) local.N = Number(process.env.COST);
          const other = { N: 2 };
          ({ cost: other.N } = settings);
          this.keys = [
            «crypto.scryptSync(password, 'salt', 32, OPTIONS)»,
            «crypto.scryptSync(password, 'salt', 32, GIVEN)»,
            «crypto.scryptSync(password, 'salt', 32, local)»,
            «crypto.scryptSync(password, 'salt', 32, other)»,
          ];
        }
      }
      app.post('/a', (req, res) => res.json(new Keys(req.body.password).keys));
    `,
    findings: [WARNING, WARNING, WARNING, WARNING],
  },
  {
    name: 'bcrypt at the lowest costs takes a few milliseconds',
    code: dedent`
      import bcrypt from 'bcrypt';
      const app = require('express')();
      app.post('/a', (req, res) => res.json([«bcrypt.hashSync(req.body.password, 4)», «bcrypt.hashSync(req.body.password, 10)»]));
    `,
    findings: [HINT, WARNING],
  },
  ...[
    startedBy('node dist/server.js', 'module', { build: 'esbuild server.ts --bundle --platform=node --outdir=dist' }),
    withBundler(startedBy('node dist/server.js', 'module', { build: 'node build.mjs' })),
    startedBy('node --import=./register.mjs server.js', 'module'),
    startedBy('node --require=./require.cjs server.js', 'module'),
    startedBy('NODE_OPTIONS=--import=./register.mjs node server.js', 'module'),
    startedBy('tsx server.ts'),
    startedBy('tsx -r ./require.cjs server.ts', 'module'),
    startedBy('node start.cjs', 'module'),
    startedBy('', 'module'),
  ].map(
    (project): InvalidCase<'blocks' | 'blocksOnce'> => ({
      name: `an ES module that may have a require: ${project.manifest?.scripts.start ?? ''}`,
      file: 'server.ts',
      project,
      code: dedent`
      import express from 'express';
      const app = express();
      app.get('/a', (req, res) => {
        const { execSync } = require('child_process');
        res.send(«execSync('ps', { encoding: 'utf8' })»);
      });
    `,
      findings: [WARNING],
    }),
  ),
  {
    name: 'a require that an ES module makes, and what it imports',
    file: 'server.ts',
    project: startedBy('tsx server.ts', 'module'),
    code: dedent`
      import express from 'express';
      import { createRequire } from 'node:module';
      import { execFileSync } from 'node:child_process';
      const require = createRequire(import.meta.url);
      const app = express();
      app.get('/a', (req, res) => {
        const { execSync } = require('child_process');
        res.json([«execSync('ps', { encoding: 'utf8' })», «execFileSync('ps', { encoding: 'utf8' })»]);
      });
    `,
    findings: [WARNING, WARNING],
  },
  {
    name: 'what only some requests get in production, and what comes before',
    file: 'server.ts',
    code: dedent`
      import { execSync } from 'node:child_process';
      const app = require('express')();
      const html = '';
      app.get('/a', async (req, res) => {
        «execSync('before', { encoding: 'utf8' })»;
        if (process.env.NODE_ENV === 'production' && req.query.last) return res.send(html);
        res.send(«execSync('index', { encoding: 'utf8' })»);
      });
      app.get('/b', (req, res) => {
        if (process.env.NODE_ENV === 'production') res.set('Cache-Control', 'public');
        res.send(«execSync('b', { encoding: 'utf8' })»);
      });
      app.get('/c', (req, res) => {
        if (process.env.NODE_ENV === 'production') return res.send(«execSync('c', { encoding: 'utf8' })»);
        res.end();
      });
      app.get('/d', (req, res) => {
        if (req.query.own) {
          if (process.env.NODE_ENV === 'production') return res.status(403).end();
        }
        if (req.tenant.isProduction) return res.status(403).end();
        res.send(«execSync('d', { encoding: 'utf8' })»);
      });
    `,
    findings: [WARNING, WARNING, WARNING, WARNING, WARNING],
  },
  {
    name: 'functions that are declared behind what ends in production, and are called before it',
    file: 'server.ts',
    code: dedent`
      import { execSync } from 'node:child_process';
      const app = require('express')();
      app.get('/a', (req, res) => {
        if (process.env.NODE_ENV === 'production') return send();
        res.send('development');
        function send() { res.send(«execSync('a', { encoding: 'utf8' })»); }
      });
      function render(name) {
        if (process.env.NODE_ENV === 'production') {
          return run(name);
        }
        return run(name, true);
        function run(one) { return «execSync(one, { encoding: 'utf8' })»; }
      }
      app.get('/b', (req, res) => { res.send(render('b')); });
      setUp();
      function setUp() {
        if (process.env.NODE_ENV === 'production') return production();
        app.get('/c', (req, res) => res.send('development'));
        function production() { app.get('/c', (req, res) => { res.send(«execSync('c', { encoding: 'utf8' })»); }); }
      }
    `,
    findings: [WARNING, WARNING, WARNING],
  },
  {
    name: 'flags of production that requests, callers, and databases give',
    file: 'server.ts',
    code: dedent`
      import { execSync } from 'node:child_process';
      import db from './db';
      const app = require('express')();
      app.get('/a', (req, res) => {
        const { isProduction } = req.body;
        if (isProduction) return res.json({ ok: true });
        res.send(«execSync('a', { encoding: 'utf8' })»);
      });
      function deploy(isProd, res) {
        if (isProd) return res.json({ ok: true });
        res.send(«execSync('b', { encoding: 'utf8' })»);
      }
      app.get('/b', (req, res) => { deploy(req.query.env === 'prod', res); });
      app.get('/c', (req, res) => {
        const isProduction = req.query.env === 'production';
        if (isProduction) throw new Error('not allowed');
        res.send(«execSync('c', { encoding: 'utf8' })»);
      });
      app.get('/d', async (req, res) => {
        const settings = await db.settings.findOne({ tenant: req.query.tenant });
        if (settings.isProduction) return res.status(403).end();
        res.send(«execSync('d', { encoding: 'utf8' })»);
      });
      app.get('/e', (req, res) => {
        for (const app of req.body.apps) {
          if (app.isProduction()) return res.end();
          «execSync(app.name, { encoding: 'utf8' })»;
        }
      });
      class Tenant {
        constructor({ isProduction }) { this.isProduction = isProduction; }
        show(res) {
          if (this.isProduction) return res.status(403).end();
          res.send(«execSync('f', { encoding: 'utf8' })»);
        }
      }
      app.get('/f', (req, res) => new Tenant(req.body).show(res));
    `,
    findings: [WARNING, WARNING, WARNING, WARNING, WARNING, WARNING],
  },
  {
    name: 'branches that only Windows takes, and those that others take',
    file: 'server.ts',
    code: dedent`
      import os from 'node:os';
      import { execSync } from 'node:child_process';
      const app = require('express')();
      const isWindows = process.platform === 'win32';
      app.get('/a', (req, res) => {
        if (process.platform === 'win32') «execSync('tasklist', { encoding: 'utf8' })»;
        else «execSync('ps aux', { encoding: 'utf8' })»;
        const list = isWindows ? «execSync('tasklist', { encoding: 'utf8' })» : «execSync('ps aux', { encoding: 'utf8' })»;
        if (os.platform() !== 'win32' || req.query.all) «execSync('ps aux', { encoding: 'utf8' })»;
        if (process.platform !== 'win32') return res.send(«execSync('ps aux', { encoding: 'utf8' })»);
        res.send(«execSync('tasklist', { encoding: 'utf8' })»);
      });
    `,
    findings: [HINT, WARNING, HINT, WARNING, WARNING, WARNING, HINT],
  },
  {
    name: 'branches for Windows of a program that users run',
    project: { manifest: { bin: [], scripts: {}, dependencies: {}, devDependencies: { electron: '^30.0.0' }, private: true } },
    file: 'server.ts',
    code: dedent`
      import { execSync } from 'node:child_process';
      import { ipcMain } from 'electron';
      ipcMain.handle('list', () => process.platform === 'win32' && «execSync('tasklist', { encoding: 'utf8' })»);
    `,
    findings: [WARNING],
  },
  {
    name: 'packages whose promise form is the function that they export, and those whose asynchronous form differs',
    code: dedent`
      import fg from 'fast-glob';
      import { sync } from 'globby';
      import glob from 'glob';
      import { PBKDF2 } from 'crypto-js';
      const app = require('express')();
      app.get('/a', (req, res) => res.json([«fg.sync(req.query.glob, { dot: true })», «sync('*.txt')», «glob.sync('*.js')», «PBKDF2(req.query.a, 'b')»]));
    `,
    findings: [
      { ...WARNING, data: { remedy: 'Await `fg(…)`, which takes the same arguments.' } },
      { ...WARNING, data: { remedy: 'Await the function that `globby` exports, which takes the same arguments.' } },
      {
        ...WARNING,
        data: {
          remedy:
            'Use `glob` instead. What differs: takes a callback before version 9; in 9 and later, it is the export `glob`, which returns a promise.',
        },
      },
      { ...WARNING, data: { remedy: 'Use `crypto.pbkdf2` instead. What differs: returns a Buffer; hash and rounds must be specified.' } },
    ],
  },
  {
    name: 'what callers in the same file cannot do, writes of one file, and messages that overtake each other',
    file: 'server.ts',
    code: dedent`
      import express from 'express';
      import fs from 'node:fs';
      import zlib from 'node:zlib';
      import { join } from 'node:path';
      const app = express();
      const STATE = join(__dirname, 'state.env');
      class Base { constructor(text: string) {} }
      class Config extends Base {
        constructor(name: string) { super(Config.read(name)); }
        static read(name: string) { return «fs.readFileSync(name, 'utf8')»; }
        get text() { return load(String(this)); }
      }
      function load(name: string) { return «fs.readFileSync(name, 'utf8')»; }
      function show(name: string) { return «fs.readFileSync(name, 'utf8')»; }
      function save(file: string, text: string) { «fs.writeFileSync(file, text)»; }
      function keep(file: string, text: string) { «fs.writeFileSync(file, text)»; }
      app.post('/a', (req, res) => { new Config(req.body.name); save(STATE, 'a'); keep(req.body.file, 'b'); res.json(load('a') + show('b')); });
      app.post('/b', (req, res) => {
        const text = JSON.stringify(req.body);
        req.app.socket.send(text.length > 512 ? «zlib.deflateSync(text)» : text);
        res.end();
      });
      app.post('/c', (req, res) => res.status(200).send(«zlib.gzipSync(req.body.text)»));
    `,
    findings: [
      'Await `fs.promises.readFile`. A constructor that calls it cannot wait: let an asynchronous function that makes the object await it.',
      'Await `fs.promises.readFile`. A getter or setter that calls it cannot wait: use an asynchronous method instead.',
      'Await `fs.promises.readFile`.',
      'Await `fs.promises.writeFile`. Let writes of this file run one at a time: it is unsafe to start one before another has ended.',
      'Await `fs.promises.writeFile`.',
      'Await `util.promisify(zlib.deflate)`, which runs on the thread pool. Send messages one at a time: one that is ready sooner would overtake those before it.',
      'Await `util.promisify(zlib.gzip)`, which runs on the thread pool.',
    ].map((remedy) => ({ ...WARNING, data: { remedy } })),
  },
  {
    name: 'what is compressed for others than a socket, or is sent before the caller goes on',
    file: 'server.ts',
    code: dedent`
      import zlib from 'node:zlib';
      import events from './events';
      const app = require('express')();
      function download(req, res) {
        events.emit('download', req.query.name);
        res.end(«zlib.gzipSync(req.query.name)»);
      }
      function send(request) { request.res.send(«zlib.gzipSync(request.query.name)»); }
      function mail(req) { mailer.send({ to: 'a', text: «zlib.gunzipSync(req.query.text)».toString() }); }
      function write(req) { return req.socket.send(«zlib.gzipSync(req.query.text)»); }
      function lone(req) {
        const text = «zlib.gzipSync(req.query.text)»;
        req.socket.emit('done');
        return text;
      }
      app.get('/a', (req, res) => res.json([download(req, res), send(req), mail(req), write(req), lone(req)]));
    `,
    findings: ['gzip', 'gzip', 'gunzip', 'gzip', 'gzip'].map((name) => ({
      ...WARNING,
      data: { remedy: `Await \`util.promisify(zlib.${name})\`, which runs on the thread pool.` },
    })),
  },
  {
    name: 'what is compressed before it is stored',
    code: dedent`
      const { gzipSync } = require('node:zlib');
      const { S3Client, PutObjectCommand } = require('@aws-sdk/client-s3');
      const app = require('express')();
      const client = new S3Client({});
      app.post('/a', async (req, res) => {
        const body = «gzipSync(JSON.stringify(req.body))»;
        await client.send(new PutObjectCommand({ Bucket: 'b', Key: 'k', Body: body }));
        res.end();
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const { gzip } = require('node:zlib');
              const { promisify } = require('node:util');
              const { S3Client, PutObjectCommand } = require('@aws-sdk/client-s3');
              const gzipAsync = promisify(gzip);
              const app = require('express')();
              const client = new S3Client({});
              app.post('/a', async (req, res) => {
                const body = await gzipAsync(JSON.stringify(req.body));
                await client.send(new PutObjectCommand({ Bucket: 'b', Key: 'k', Body: body }));
                res.end();
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'messages on sockets, by way of variables, and to each of a list',
    file: 'server.ts',
    code: dedent`
      import zlib from 'node:zlib';
      const app = require('express')();
      app.post('/a', (req, res) => {
        const data = «zlib.gzipSync(req.body.text)»;
        const message = JSON.stringify({ data: data.toString('base64') });
        req.app.ws && req.app.ws.send(message);
        res.end();
      });
      app.post('/b', (req, res) => {
        const data = «zlib.gzipSync(req.body.text)»;
        for (const one of server.clients) one.send(data);
        res.end();
      });
      app.post('/c', (req, res) => {
        const data = «zlib.gzipSync(req.body.text)»;
        server.clients.forEach((one) => one.send(data));
        res.end();
      });
    `,
    findings: [0, 1, 2].map(() => ({
      messageId: 'blocks',
      severity: 'warning',
      data: {
        remedy:
          'Await `util.promisify(zlib.gzip)`, which runs on the thread pool. Send messages one at a time: one that is ready sooner would overtake those before it.',
      },
      refused: ['a message that is ready sooner would overtake those before it. Send them one at a time first'],
    })),
  },
  {
    name: 'templates that are no text, and files of which each request writes another one',
    file: 'server.ts',
    code: dedent`
      import fs from 'node:fs';
      const app = require('express')();
      let counter = 0;
      const state = { files: 0 };
      const settings = { file: 'state.json' };
      const sheet = () => «fs.readFileSync('./invoice-template.xlsx')»;
      const film = () => «fs.readFileSync('./video-template.mp4')»;
      function count(text: string) { «fs.writeFileSync(\`out-\${counter++}.env\`, text)»; }
      function counted(text: string) { «fs.writeFileSync(\`out-\${counter}.env\`, text)»; }
      function next(text: string) {
        state.files += 1;
        «fs.writeFileSync(\`out-\${state.files}.env\`, text)»;
      }
      function save(text: string) { «fs.writeFileSync(settings.file, text)»; }
      app.post('/a', ({ body: { text } }, res) => res.json([sheet(), film(), count(text), counted(text), next(text), save(text)]));
    `,
    findings: [
      'Await `fs.promises.readFile`.',
      'Await `fs.promises.readFile`.',
      'Await `fs.promises.writeFile`.',
      'Await `fs.promises.writeFile`.',
      'Await `fs.promises.writeFile`.',
      'Await `fs.promises.writeFile`. Let writes of this file run one at a time: it is unsafe to start one before another has ended.',
    ].map((remedy, i) => ({ ...WARNING, data: { remedy }, refused: i < 2 ? ['', ''] : [''] })),
  },
];
