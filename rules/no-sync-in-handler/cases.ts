import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { fixCases } from './cases-fixes.ts';
import { leftBehindCases } from './unsafe-fixes/cases-left-behind.ts';
import { computingCases, computingInnocents } from './cases-computing.ts';
import { shortReadCases } from './seldom/cases-short-reads.ts';
import { elsewhereCases, elsewhereInnocents } from './seldom/cases-elsewhere.ts';
import { seldomCases, seldomInnocents } from './seldom/cases.ts';
import { unsafeFixCases } from './unsafe-fixes/cases.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

const onSlowDisks = (name: string): string =>
  `Await \`fs.promises.${name}\` only where the file system is slow, such as a network disk: on a local disk, awaiting it costs at least as much processor time.`;

const TOGETHER = 'Convert 2 blocking calls of the function to promise forms';
const BESIDE_FALSE = dedent`
  import express from 'express';
  import { readFile } from 'node:fs/promises';
  const USE_FIXTURES = false;
  const app = express();
  app.get('/', async (req, res) => {
    if (USE_FIXTURES || req.query.name) return res.send(await readFile(req.query.name));
    if (USE_FIXTURES) res.end();
    else res.send(await readFile(req.query.other));
  });
`;

export const cases: RuleCases<'blocks' | 'blocksOnce'> = {
  valid: [
    {
      name: 'a guarded function that sets the flag, and takes microseconds: only the first request waits for them',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        let isReady = false;
        function prepare() { fs.mkdirSync('uploads'); isReady = true; }
        app.get('/', (req, res) => { if (!isReady) prepare(); res.end(); });
      `,
    },
    ...computingInnocents,
    ...seldomInnocents,
    ...elsewhereInnocents,
    {
      name: 'what comes after a return',
      code: dedent`
        import express from 'express';
        import { readFileSync } from 'node:fs';
        const app = express();
        app.get('/', (req, res) => {
          try {
            return res.status(403).json({ error: 'Forbidden' });
            res.send(readFileSync(req.query.name));
          } catch {
            throw new Error('none');
          }
          readFileSync(req.query.other);
        });
      `,
    },
    {
      name: 'an Npm of the file is not that of Meteor',
      code: dedent`
        import express from 'express';
        import { Npm } from './registry.js';
        const app = express();
        app.get('/exports', (req, res) => res.send(Npm.require('fs').readFileSync('all.json')));
      `,
    },
    {
      name: 'tools in their asynchronous forms, and other things of their names',
      code: dedent`
        const ssh2 = require('ssh2');
        const sha256 = require('sha256-file');
        const pug = require('pug');
        const { gzip } = require('fflate');
        const pako = require('./pako');
        const app = require('express')();
        app.get('/', async (req, res) => {
          ssh2.utils.generateKeyPair('rsa', { bits: 2048 }, (error, keys) => res.send(keys.public));
          sha256('a', (error, sum) => res.send(sum));
          gzip(req.body, (error, data) => res.send(data));
          pako.gzip(req.body);
          res.send(pug.renderFile('a.pug', { cache: true }));
        });
      `,
    },
    {
      name: 'a branch that nothing takes',
      code: dedent`
        import express from 'express';
        import { readFileSync } from 'node:fs';
        const USE_FIXTURES = false;
        const app = express();
        app.get('/', (req, res) => {
          if (USE_FIXTURES && req.query.name) return res.send(readFileSync(req.query.name));
          false && req.query.id && res.send(readFileSync(req.query.id));
          res.end();
        });
      `,
    },
    {
      name: 'a property that nothing sets',
      code: dedent`
        import express from 'express';
        import { existsSync, readFileSync } from 'node:fs';
        const app = express();
        async function draw(input) {
          return { ok: true, buffer: input };
        }
        app.get('/', async (req, res) => {
          const image = await draw(req.body);
          if (image.buffer) res.send(image.buffer);
          else if (image.path && existsSync(image.path)) res.send(readFileSync(image.path));
        });
      `,
    },
    {
      name: 'the process ends with it',
      code: dedent`
        import express from 'express';
        import { writeFileSync } from 'node:fs';
        const app = express();
        app.post('/restart', (req, res) => {
          if (req.body.really) {
            writeFileSync('.exit', '');
            process.exit();
          }
          res.end();
        });
      `,
    },
    {
      name: 'a few random bytes in a buffer of known size',
      code: dedent`
        import express from 'express';
        import { randomFillSync } from 'node:crypto';
        const app = express();
        const kept = new Uint8Array(32);
        app.get('/', (req, res) => res.send([randomFillSync(new Uint32Array(16)), randomFillSync(Buffer.alloc(24)), randomFillSync(kept)].join()));
      `,
    },
    // ---- not on a request path
    {
      name: 'start-up',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const page = fs.readFileSync('page.html');
        app.get('/', (req, res) => { res.send(page); });
      `,
    },
    {
      name: 'a boot function',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        function load() { return fs.readFileSync('a'); }
        const a = load();
        app.get('/', (req, res) => res.send(a));
      `,
    },
    {
      name: 'the listen callback',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.listen(3000, () => { fs.writeFileSync('pid', String(process.pid)); });
      `,
    },
    {
      name: 'a handler factory reads before it makes the handler',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        function page(name) { const text = fs.readFileSync(name); return (req, res) => res.send(text); }
        app.get('/', page('a'));
      `,
    },
    {
      name: 'shutdown',
      code: dedent`
        import { writeFileSync } from 'node:fs';
        process.on('SIGTERM', () => { writeFileSync('state', '1'); process.exit(); });
      `,
    },
    {
      name: 'command line',
      code: dedent`
        #!/usr/bin/env node
        const fs = require('fs');
        function main(req, res) { console.log(fs.readFileSync('a', 'utf8')); }
        main();
      `,
      file: 'bin/tool.js',
    },
    {
      name: 'a test that makes a server',
      code: dedent`
        const fs = require('fs');
        const http = require('http');
        http.createServer((req, res) => { res.end(fs.readFileSync('a')); });
      `,
      file: 'test/server.test.js',
    },
    {
      name: 'a migration',
      code: dedent`
        const fs = require('fs');
        exports.up = (req, res) => { res.send(fs.readFileSync('a')); };
      `,
      file: 'migrations/1-a.js',
    },
    {
      name: 'a plain function nobody calls from a handler',
      code: dedent`
        const fs = require('fs');
        exports.load = function load(name) { return fs.readFileSync(name); };
      `,
    },
    {
      name: 'development only',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.post('/', (req, res) => { if (!__PRODUCTION__) fs.writeFileSync('last.json', req.body); res.end(); });
        app.get('/', (req, res) => { if (process.env.NODE_ENV !== 'production') res.locals.v = fs.readFileSync('v'); res.end(); });
      `,
    },
    {
      name: 'what is refused once it has been done',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const db = require('./db');
        app.post('/setup', (req, res) => { if (db.isInitialized()) throw new Error('already there'); const schema = fs.readFileSync('schema.sql'); res.send(schema); });
      `,
    },
    {
      name: 'routes registered for tests only',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        if (process.env.APP_INTEGRATION_TEST === 'memory') app.post('/rebuild', (req, res) => { res.end(fs.readFileSync('v')); });
        if (process.env.E2E) app.post('/reset', (req, res) => { res.end(fs.readFileSync('v')); });
      `,
    },
    {
      name: 'routes registered in development only',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        if (process.env.NODE_ENV === 'development') { app.get('/', (req, res) => { res.end(fs.readFileSync('v')); }); }
      `,
    },

    // ---- not Node's
    {
      name: 'own method',
      code: dedent`
        const app = require('express')();
        const store = { readFileSync() { return 1; } };
        app.get('/', (req, res) => res.json(store.readFileSync()));
      `,
    },
    {
      name: 'triggerSync means synchronize',
      code: dedent`
        const sync = require('./sync');
        const app = require('express')();
        app.post('/', (req, res) => { sync.triggerSync(); res.end(); });
      `,
    },
    {
      name: 'setCookieSync, validateSync',
      code: dedent`
        const app = require('express')();
        app.post('/', (req, res) => { req.jar.setCookieSync('a'); const bad = req.user.validateSync(); res.json(bad); });
      `,
    },
    {
      name: "React's flushSync",
      code: dedent`
        import { flushSync } from 'react-dom';
        import express from 'express';
        const app = express();
        app.get('/', (req, res) => { flushSync(() => {}); res.end(); });
      `,
    },
    {
      name: 'a memory file system',
      code: dedent`
        const { fs } = require('memfs');
        const app = require('express')();
        app.get('/', (req, res) => res.send(fs.readFileSync('/a')));
      `,
    },
    {
      name: 'a shadowed fs',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/', (req, res) => { const fs = req.app.vfs; res.send(fs.readFileSync('/a')); });
      `,
    },
    {
      name: 'a parameter called fs',
      code: dedent`
        const app = require('express')();
        const read = (fs, name) => fs.readFileSync(name);
        app.get('/', (req, res) => res.send(read(req.vfs, 'a')));
      `,
    },
    {
      name: 'a variable that may be something else',
      code: dedent`
        let fs = require('fs');
        if (process.env.MEMORY) fs = makeMemoryFs();
        const app = require('express')();
        app.get('/', (req, res) => res.send(fs.readFileSync('/a')));
      `,
    },
    {
      name: 'an unknown package',
      code: dedent`
        const { readSync } = require('some-sensor');
        const app = require('express')();
        app.get('/', (req, res) => res.json(readSync()));
      `,
    },
    {
      name: "require is not Node's here",
      code: `function load(require) { const fs = require('fs'); const app = require('express')(); app.get('/', (req, res) => res.send(fs.readFileSync('/a'))); }`,
    },

    // ---- not handlers
    {
      name: 'a setting',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        if (app.get('env') === 'x') fs.readFileSync('a');
      `,
    },
    {
      name: 'an HTTP client',
      code: dedent`
        const fs = require('fs');
        const axios = require('axios');
        axios.get('https://a', () => { fs.writeFileSync('a', ''); });
      `,
    },
    {
      name: 'a cache',
      code: dedent`
        const fs = require('fs');
        const cache = require('./cache');
        exports.load = (key) => cache.get(key, () => fs.readFileSync(key));
      `,
    },
    {
      name: 'a configuration look-up',
      code: dedent`
        const fs = require('fs');
        const config = require('config');
        config.get('path', (path) => fs.readFileSync(path));
      `,
    },
    {
      name: 'a model virtual',
      code: dedent`
        const fs = require('fs');
        const schema = require('./schema');
        schema.virtual('text').get(function () { return fs.readFileSync(this.path); });
      `,
    },
    {
      name: "an HTTP client's response",
      code: dedent`
        const fs = require('fs');
        const http = require('http');
        exports.fetch = () => http.get('http://a', (res) => { fs.writeFileSync('a', ''); });
      `,
    },
    {
      name: 'the asynchronous forms',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/', async (req, res) => { fs.readFile('a', () => {}); res.send(await fs.promises.readFile('a')); });
      `,
    },
    {
      name: 'allowed by an option',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/', (req, res) => { res.json(fs.existsSync('a')); });
      `,
      options: { allow: ['fs.existsSync'] },
    },
    {
      name: 'cached calls not wanted',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        let page;
        app.get('/', (req, res) => { page ??= fs.readFileSync('a'); res.send(page); });
      `,
      options: { reportCached: false },
    },
    {
      name: 'mentioned, not called',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/', (req, res) => res.json(typeof fs.readFileSync));
      `,
    },
  ],
  invalid: [
    {
      name: 'a property that another function may set',
      code: dedent`
        import express from 'express';
        import { readFileSync } from 'node:fs';
        const app = express();
        const locate = (image) => { image.path = '/tmp/a.png'; };
        async function draw(input) {
          return { ok: true, buffer: input };
        }
        app.get('/', async (req, res) => {
          const image = await draw(req.body);
          locate(image);
          if (image.path) res.send(«readFileSync(image.path)»);
        });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
        import express from 'express';
        import { readFile } from 'node:fs/promises';
        const app = express();
        const locate = (image) => { image.path = '/tmp/a.png'; };
        async function draw(input) {
          return { ok: true, buffer: input };
        }
        app.get('/', async (req, res) => {
          const image = await draw(req.body);
          locate(image);
          if (image.path) res.send(await readFile(image.path));
        });
      `,
            },
          ],
        },
      ],
    },
    {
      name: 'beside what is false, and where it is not',
      code: dedent`
        import express from 'express';
        import { readFileSync } from 'node:fs';
        const USE_FIXTURES = false;
        const app = express();
        app.get('/', async (req, res) => {
          if (USE_FIXTURES || req.query.name) return res.send(«readFileSync(req.query.name)»);
          if (USE_FIXTURES) res.end();
          else res.send(«readFileSync(req.query.other)»);
        });
      `,
      findings: [
        { messageId: 'blocks', fixes: [{ kind: 'suggestion', title: TOGETHER, output: BESIDE_FALSE }] },
        { messageId: 'blocks', fixes: [{ kind: 'suggestion', title: TOGETHER, output: BESIDE_FALSE }] },
      ],
    },
    {
      name: 'only the first request makes what is missing; a file for each user is another matter',
      code: dedent`
        import { join } from 'node:path';
        import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
        import express from 'express';
        const FOLDER = join(process.cwd(), 'config');
        const app = express();
        app.get('/:user', (req, res) => {
          if (!«existsSync(FOLDER)») {
            try {
              mkdirSync(FOLDER, { recursive: true });
            } catch {
              return res.sendStatus(500);
            }
          }
          const file = join(FOLDER, req.params.user);
          if (!«existsSync(file)») «writeFileSync(file, '')»;
          if (!«existsSync(FOLDER)») «writeFileSync(join(FOLDER, 'lock'), '')»;
          res.end();
        });
      `,
      findings: [
        { messageId: 'blocks', refused: [''] },
        { messageId: 'blocks', refused: [''] },
        { messageId: 'blocks', refused: [''] },
        { messageId: 'blocks', refused: [''] },
        { messageId: 'blocks', refused: [''] },
      ],
    },
    {
      name: 'where only one branch ends the process',
      code: dedent`
        import express from 'express';
        import { read } from 'xlsx';
        const app = express();
        app.get('/', (req, res) => {
          const book = «read(req.body)»;
          if (book.isBroken) process.exit(1);
          res.send(book);
        });
      `,
      findings: [{ messageId: 'blocks', severity: 'hint', refused: ['it has no asynchronous form'] }],
    },
    {
      name: 'many random bytes, or a buffer of unknown size',
      code: dedent`
        import express from 'express';
        import { randomFillSync } from 'node:crypto';
        const app = express();
        class Salt {
          constructor(body) {
            this.bytes = «randomFillSync(body)»;
            this.more = «randomFillSync(Buffer.alloc(1024 * 1024))»;
          }
        }
        app.get('/', (req, res) => res.send(new Salt(req.body)));
      `,
      findings: [
        { messageId: 'blocks', severity: 'hint', refused: [''] },
        { messageId: 'blocks', severity: 'hint', refused: [''] },
      ],
    },
    // ---- how the call is named
    {
      name: "Meteor's Npm.require",
      code: dedent`
        const fs = Npm.require('fs');
        const app = Npm.require('express')();
        app.get('/users/:id', (req, res) => { res.send(«fs.readFileSync(req.params.id)»); });
      `,
      findings: [
        {
          messageId: 'blocks',
          severity: 'warning',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
    const fs = Npm.require('fs');
    const app = Npm.require('express')();
    app.get('/users/:id', async (req, res, next) => {
      try {
        res.send(await fs.promises.readFile(req.params.id));
      } catch (error) {
        next(error);
      }
    });
  `,
            },
          ],
        },
      ],
    },
    {
      name: 'require',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/users/:id', (req, res) => { res.send(«fs.readFileSync(req.params.id)»); });
      `,
      findings: [
        {
          messageId: 'blocks',
          severity: 'warning',
          route: 'GET /users/:id',
          data: { call: 'fs.readFileSync' },
          related: ['GET /users/:id'],
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
    const fs = require('fs');
    const app = require('express')();
    app.get('/users/:id', async (req, res, next) => {
      try {
        res.send(await fs.promises.readFile(req.params.id));
      } catch (error) {
        next(error);
      }
    });
  `,
            },
          ],
        },
      ],
    },
    {
      name: 'import named and renamed',
      code: dedent`
        import { readFileSync as read } from 'node:fs';
        import http from 'node:http';
        http.createServer((req, res) => { use(«read(req.url)»); res.end(); });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                import { readFile } from 'node:fs/promises';
                import http from 'node:http';
                http.createServer(async (req, res) => {
                  use(await readFile(req.url));
                  res.end();
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'namespace',
      code: dedent`
        import * as fs from 'fs';
        import Koa from 'koa';
        const app = new Koa();
        app.use(async (ctx) => { ctx.body = «fs.readdirSync(ctx.path)»; });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                import * as fs from 'fs';
                import Koa from 'koa';
                const app = new Koa();
                app.use(async (ctx) => { ctx.body = await fs.promises.readdir(ctx.path); });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'destructured and re-assigned',
      code: dedent`
        const { readFileSync } = require('fs');
        let read;
        read = readFileSync;
        const http = require('http');
        http.createServer(async (req, res) => { res.end(String(«read(req.url)».length)); });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const { readFileSync } = require('fs');
                let read;
                read = readFileSync;
                const http = require('http');
                const { readFile } = require('fs/promises');
                http.createServer(async (req, res) => { res.end(String((await readFile(req.url)).length)); });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'literal computed member',
      code: dedent`
        const fs = require('fs');
        const http = require('http');
        http.createServer(async (req, res) => { res.end(«fs['readFileSync'](req.url)»); });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const http = require('http');
                http.createServer(async (req, res) => { res.end(await fs.promises.readFile(req.url)); });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a constant as the key',
      code: dedent`
        const fs = require('fs');
        const READ = 'readFileSync';
        const http = require('http');
        http.createServer(async (req, res) => { res.end(«fs[READ](req.url)»); });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const READ = 'readFileSync';
                const http = require('http');
                http.createServer(async (req, res) => {
                  res.end(await fs.promises.readFile(req.url));
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'under another name in an object',
      code: dedent`
        const fs = require('fs');
        const io = { read: fs.readFileSync };
        const http = require('http');
        http.createServer((req, res) => { res.end(«io.read(req.url)»); });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const io = { read: fs.readFileSync };
                const http = require('http');
                http.createServer(async (req, res) => {
                  res.end(await fs.promises.readFile(req.url));
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'an optional call',
      code: dedent`
        const fs = require('fs');
        const http = require('http');
        http.createServer(async (req, res) => { res.end(«fs.readFileSync?.(req.url)»); });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const http = require('http');
                http.createServer(async (req, res) => {
                  res.end(await fs.promises.readFile(req.url));
                });
              `,
            },
          ],
        },
      ],
    },

    {
      name: 'refused for another reason than that it was done',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const db = require('./db');
        app.post('/setup', (req, res) => { if (db.isLocked()) throw new Error('not now'); const { length } = «fs.readFileSync(req.query.name)»; res.send(String(length)); });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
    const fs = require('fs');
    const app = require('express')();
    const db = require('./db');
    app.post('/setup', async (req, res, next) => { try { if (db.isLocked()) throw new Error('not now'); const { length } = await fs.promises.readFile(req.query.name); res.send(String(length)); } catch (error) { next(error); } });
  `,
            },
          ],
        },
      ],
    },
    {
      name: 'what returns once it has been done',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const db = require('./db');
        app.post('/setup', (req, res) => { if (db.isInitialized()) return; const schema = «fs.readFileSync('schema.sql')»; res.send(schema); });
      `,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a cache that expires: not only the first request waits',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        let cache = null;
        function load() {
          if (cache && cache.expiresAt > Date.now()) return cache.value;
          const value = «fs.readFileSync('prices.json', 'utf8')»;
          cache = { value, expiresAt: Date.now() + 20_000 };
          return value;
        }
        app.get('/prices', (req, res) => res.send(load()));
      `,
      findings: [
        {
          messageId: 'blocksOnce',
          severity: 'hint',
          message:
            '`fs.readFileSync` blocks the event loop on each `GET /prices` that reaches this line while its result is not cached. Until the file system responds, this process can do nothing else, and that user waits. Fill the cache before a request needs it.',
        },
      ],
    },
    {
      name: 'what is kept in a property of its function, but not of one that each request makes',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        function manager() {
          if (manager.kept) return manager.kept;
          manager.kept = «fs.readFileSync('settings.json', 'utf8')»;
          return manager.kept;
        }
        app.get('/a', (req, res) => { res.send(manager()); });
        app.get('/b', (req, res) => {
          function again() {
            if (again.kept) return again.kept;
            again.kept = «fs.readFileSync(req.query.name, 'utf8')»;
            return again.kept;
          }
          res.send(again());
        });
      `,
      findings: [
        { messageId: 'blocksOnce', severity: 'hint' },
        { messageId: 'blocks', refused: ['is passed as a value'] },
      ],
    },
    {
      name: 'what another method keeps, where it is missing',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        class Settings {
          get(name) { return this.all ?? this.load(name); }
          load(name) { return (this.all = this.read(name)); }
          read(name) { return JSON.parse(«fs.readFileSync(name, 'utf8')»); }
          other(name) { return this.last ?? this.again(name); }
          again(name) { return «fs.readFileSync(name, 'utf8')»; }
          text(name) { return this.late ?? this.anew(name); }
          anew(name) { this.late = undefined; return «fs.readFileSync(name, 'utf8')»; }
        }
        const settings = new Settings();
        app.get('/a', (req, res) => { res.json(settings.get('a.json')); });
        app.get('/b', (req, res) => { res.json(settings.other('b.json')); });
        app.get('/c', (req, res) => { res.json(settings.text('c.json')); });
      `,
      findings: [
        { messageId: 'blocksOnce', severity: 'hint' },
        { messageId: 'blocks', refused: ['it may have callers in other files'] },
        { messageId: 'blocks', refused: ['it may have callers in other files'] },
      ],
    },
    {
      name: 'a module with a stand-in',
      code: dedent`
        let bcrypt;
        try { bcrypt = require('bcrypt'); } catch (e) { bcrypt = require('bcryptjs'); }
        const http = require('http');
        http.createServer(async (req, res) => { res.end(String(«bcrypt.compareSync(req.url, 'x')»)); });
      `,
      findings: [
        {
          messageId: 'blocks',
          data: { call: 'bcrypt.compareSync' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                let bcrypt;
                try { bcrypt = require('bcrypt'); } catch (e) { bcrypt = require('bcryptjs'); }
                const http = require('http');
                http.createServer(async (req, res) => { res.end(String(await bcrypt.compare(req.url, 'x'))); });
              `,
            },
          ],
        },
      ],
    },

    // ---- how the handler is reached
    {
      name: 'by reference',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        function show(req, res) { res.send(«fs.readFileSync(req.query.a)»); }
        app.get('/a', show);
      `,
      project: EXPRESS_5,
      findings: [
        {
          messageId: 'blocks',
          route: 'GET /a',
          functionName: 'show',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const app = require('express')();
                async function show(req, res) {
                  res.send(await fs.promises.readFile(req.query.a));
                }
                app.get('/a', show);
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'through a helper',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        function load(name) { return «fs.readFileSync(name)»; }
        app.get('/a', (req, res) => { res.send(load(req.query.a).toString()); });
      `,
      project: EXPRESS_5,
      findings: [
        {
          messageId: 'blocks',
          route: 'GET /a',
          related: ['GET /a', 'calls `load`'],
          fixes: [
            {
              kind: 'suggestion',
              title: 'Convert to `fs.promises.readFile` and await it in the caller',
              output: dedent`
                const fs = require('fs');
                const app = require('express')();
                async function load(name) { return await fs.promises.readFile(name); }
                app.get('/a', async (req, res) => {
                  res.send((await load(req.query.a)).toString());
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'two callers in a row, and both are named so',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        function load(name) { return «fs.readFileSync(name)»; }
        function render(name) { return load(name).toString(); }
        app.get('/a', (req, res) => { res.send(render(req.query.a)); });
      `,
      project: EXPRESS_5,
      findings: [
        {
          messageId: 'blocks',
          route: 'GET /a',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Convert to `fs.promises.readFile` and await it in both callers',
              output: dedent`
                const fs = require('fs');
                const app = require('express')();
                async function load(name) { return await fs.promises.readFile(name); }
                async function render(name) { return (await load(name)).toString(); }
                app.get('/a', async (req, res) => { res.send(await render(req.query.a)); });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'signature only, registered elsewhere',
      code: dedent`
        const fs = require('fs');
        exports.show = function (req, res, next) { res.send(«fs.readFileSync(req.params.name)»); };
      `,
      findings: [{ messageId: 'blocks', refused: ['Express before 5'] }],
    },
    {
      name: 'a wrapper',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const asyncHandler = require('express-async-handler');
        app.get('/a', asyncHandler((req, res) => { res.send(«fs.readFileSync(req.query.a)»); }));
      `,
      findings: [
        {
          messageId: 'blocks',
          route: 'GET /a',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const app = require('express')();
                const asyncHandler = require('express-async-handler');
                app.get(
                  '/a',
                  asyncHandler(async (req, res) => {
                    res.send(await fs.promises.readFile(req.query.a));
                  }),
                );
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a table of handlers',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const pages = { home(req, res) { res.send(«fs.readFileSync(req.path)»); } };
        app.get('/', pages.home);
      `,
      findings: [
        {
          messageId: 'blocks',
          route: 'GET /',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
    const fs = require('fs');
    const app = require('express')();
    const pages = {
      async home(req, res, next) {
        try {
          res.send(await fs.promises.readFile(req.path));
        } catch (error) {
          next(error);
        }
      },
    };
    app.get('/', pages.home);
  `,
            },
          ],
        },
      ],
    },
    {
      name: 'a middleware array',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const check = (req, res, next) => { if («fs.readFileSync(req.path)».length) next(); };
        app.get('/', [check, (req, res) => res.end()]);
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
    const fs = require('fs');
    const app = require('express')();
    const check = async (req, res, next) => {
      try {
        if ((await fs.promises.readFile(req.path)).length) next();
      } catch (error) {
        next(error);
      }
    };
    app.get('/', [check, (req, res) => res.end()]);
  `,
            },
          ],
        },
      ],
    },
    {
      name: 'a setter of a column, which cannot wait, and a file that requests read and change',
      code: dedent`
        const fs = require('fs');
        const bcrypt = require('bcryptjs');
        const { DataTypes } = require('sequelize');
        const app = require('express')();
        sequelize.define('user', {
          password: { type: DataTypes.STRING, set(value) { this.setDataValue('password', «bcrypt.hashSync(value, bcrypt.genSaltSync(10))»); } },
        });
        const FILE = process.env.DATA;
        const load = () => JSON.parse(«fs.readFileSync(FILE, 'utf8')»);
        const save = (all) => «fs.writeFileSync(FILE, JSON.stringify(all))»;
        app.post('/', (req, res) => { const all = load(); all.push(req.body); save(all); res.end(); });
      `,
      findings: [
        {
          messageId: 'blocks',
          data: { remedy: '`set` of a column cannot wait: use a hook that may be asynchronous, such as `beforeSave`.' },
        },
        {
          messageId: 'blocks',
          data: {
            remedy:
              'Await `fs.promises.readFile`. If requests also change the file, let them do so one at a time: while one waits, another could overwrite what it changes.',
          },
          refused: ['`writeFileSync` uses the same file (line 10)', 'requests at the same time would lose changes'],
        },
        {
          messageId: 'blocks',
          data: {
            remedy:
              'Await `fs.promises.writeFile`. If requests also change the file, let them do so one at a time: while one waits, another could overwrite what it changes.',
          },
          refused: ['is also read in this file'],
        },
      ],
    },
    {
      name: 'a constructor cannot wait',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        class Client {
          constructor(name) { this.settings = JSON.parse(«fs.readFileSync(name)»); }
        }
        app.get('/', (req, res) => { res.json(new Client(req.query.name).settings); });
      `,
      findings: [
        {
          messageId: 'blocks',
          data: {
            remedy:
              'A constructor cannot wait: await `fs.promises.readFile` first, in an asynchronous function, and pass the result to the constructor.',
          },
          refused: ['a constructor cannot be async'],
        },
      ],
    },
    {
      name: 'calls of microseconds alone are told, and not converted',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/', (req, res) => { «fs.unlinkSync(req.query.name)»; res.send(String(«fs.statSync(req.query.other)».size)); });
      `,
      findings: [
        {
          messageId: 'blocks',
          data: { remedy: onSlowDisks('unlink') },
          refused: ['it takes 15 to 30 µs for a small file on a local disk'],
        },
        { messageId: 'blocks', data: { remedy: onSlowDisks('stat') }, refused: ['it takes 2 to 3 µs on a local disk'] },
      ],
    },
    {
      name: 'what other callbacks repeat is not a call of microseconds alone',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/a', (req, res) => { res.send(String(req.body.names.reduceRight((sum, name) => sum + «fs.statSync(name)».size, 0))); });
        app.get('/b', (req, res) => { res.send(String(req.body.names.findLastIndex((name) => «fs.statSync(name)».size > 0))); });
        app.get('/c', (req, res) => { res.send(req.body.names.toSorted((a, b) => «fs.statSync(a)».size - b.length)); });
        app.get('/d', (req, res) => { res.send(Array.from(req.body.names, (name) => «fs.statSync(name)».size)); });
        app.get('/e', (req, res) => { res.send(List.from(req.body.names, (name) => «fs.statSync(name)».size)); });
      `,
      findings: [
        { messageId: 'blocks', severity: 'hint', data: { remedy: 'Await `fs.promises.stat`.' }, refused: ['`reduceRight` must'] },
        { messageId: 'blocks', severity: 'hint', data: { remedy: 'Await `fs.promises.stat`.' }, refused: ['`findLastIndex` must'] },
        {
          messageId: 'blocks',
          severity: 'hint',
          data: {
            remedy: 'A comparator cannot wait: await `fs.promises.stat` for what it compares before the sort, and keep the results.',
          },
          refused: ['a sort comparator'],
        },
        { messageId: 'blocks', severity: 'hint', data: { remedy: 'Await `fs.promises.stat`.' }, refused: ['`from` must'] },
        { messageId: 'blocks', severity: 'hint', data: { remedy: onSlowDisks('stat') }, refused: ['`from` must'] },
      ],
    },
    {
      name: 'calls of microseconds in a loop, each round of which waits for a query',
      code: dedent`
        const fs = require('fs');
        const pool = require('./db');
        const app = require('express')();
        app.post('/', async (req, res) => {
          for (const file of req.files) {
            «fs.renameSync(file.path, file.target)»;
            await pool.query('INSERT INTO files VALUES ($1)', [file.target]);
          }
          res.end();
        });
        app.post('/some', async (req, res) => {
          for (const one of req.files) {
            «fs.renameSync(one.path, one.target)»;
            if (one.isNew) await pool.query('INSERT INTO files VALUES ($1)', [one.target]);
          }
          res.end();
        });
      `,
      findings: [
        {
          messageId: 'blocks',
          data: { remedy: onSlowDisks('rename') },
          refused: ['it takes 15 to 30 µs for a small file on a local disk'],
        },
        {
          messageId: 'blocks',
          data: { remedy: 'Await `fs.promises.rename`.' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const pool = require('./db');
                const app = require('express')();
                app.post('/', async (req, res) => {
                  for (const file of req.files) {
                    fs.renameSync(file.path, file.target);
                    await pool.query('INSERT INTO files VALUES ($1)', [file.target]);
                  }
                  res.end();
                });
                app.post('/some', async (req, res) => {
                  for (const one of req.files) {
                    await fs.promises.rename(one.path, one.target);
                    if (one.isNew) await pool.query('INSERT INTO files VALUES ($1)', [one.target]);
                  }
                  res.end();
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'what a folder has is looked at one by one, and its list stays behind a check',
      code: dedent`
        const fs = require('fs');
        const path = require('path');
        const app = require('express')();
        app.get('/', async (req, res) => {
          const found = [];
          const folder = path.join('files', req.query.name);
          if («fs.existsSync(folder)») {
            const names = «fs.readdirSync(folder)»;
            for (const name of names) found.push(«fs.statSync(path.join(folder, name))».size);
          }
          res.json(found);
        });
      `,
      findings: [
        { messageId: 'blocks', refused: ['the check takes about 2 µs'] },
        { messageId: 'blocks', refused: ['`fs.existsSync` on line 7 asks for the same path, and would still block'] },
        { messageId: 'blocks', refused: ['`fs.readdirSync` on line 8 stays behind a check that blocks, and would still block'] },
      ],
    },
    {
      name: 'a template of the program, before a letter is sent',
      code: dedent`
        const fs = require('fs');
        const path = require('path');
        const app = require('express')();
        app.post('/', async (req, res) => {
          const file = path.join(__dirname, '../public/registration.template.html');
          let html = «fs.readFileSync(file, 'utf8')»;
          html = html.replace('{{name}}', req.body.name);
          res.send(html);
        });
      `,
      findings: [
        {
          messageId: 'blocks',
          data: { remedy: 'Read it once, and keep the result.' },
          refused: ['`registration.template.html` is small, and stays the same while the program runs'],
        },
      ],
    },
    {
      name: 'a template in a folder in which another route writes files of any name',
      code: dedent`
        const fs = require('fs');
        const path = require('path');
        const app = require('express')();
        const FOLDER = path.join(__dirname, 'templates');
        app.put('/:name', (req, res) => { fs.writeFile(path.join(FOLDER, req.params.name), req.body, () => res.end()); });
        app.get('/', async (req, res) => {
          const text = «fs.readFileSync(path.join(FOLDER, 'mail.hbs'), 'utf8')»;
          res.send(text);
        });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const path = require('path');
                const app = require('express')();
                const FOLDER = path.join(__dirname, 'templates');
                app.put('/:name', (req, res) => { fs.writeFile(path.join(FOLDER, req.params.name), req.body, () => res.end()); });
                app.get('/', async (req, res) => {
                  const text = await fs.promises.readFile(path.join(FOLDER, 'mail.hbs'), 'utf8');
                  res.send(text);
                });
              `,
            },
          ],
          refused: ['`writeFile` may write the same file (line 5), so requests must see its changes'],
        },
      ],
    },
    {
      name: 'equal calls of two functions, of which one gains nothing from an await',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.post('/first', async (req, res) => {
          for (const name of req.body.names) {
            await cached(name);
            «fs.unlinkSync('/data/' + name)»;
          }
          res.end();
        });
        app.post('/all', async (req, res) => {
          for (const name of req.body.names) «fs.unlinkSync('/data/' + name)»;
          res.end();
        });
      `,
      findings: [
        { messageId: 'blocks', refused: ['it takes 15 to 30 µs'] },
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const app = require('express')();
                app.post('/first', async (req, res) => {
                  for (const name of req.body.names) {
                    await cached(name);
                    fs.unlinkSync('/data/' + name);
                  }
                  res.end();
                });
                app.post('/all', async (req, res) => {
                  for (const name of req.body.names) await fs.promises.unlink('/data/' + name);
                  res.end();
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'what a loop starts with runs once; what it repeats is converted',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/first', (req, res) => { for (let at = «fs.statSync(req.query.name)», i = 0; i < 3; i++) res.write(at.size + ''); res.end(); });
        app.get('/list', (req, res) => { for (const one of [«fs.statSync(req.query.name)»]) res.write(one.size + ''); res.end(); });
        app.get('/each', async (req, res) => { for (const name of req.query.names) res.write(«fs.statSync(name)».size + ''); res.end(); });
      `,
      findings: [
        { messageId: 'blocks', data: { remedy: onSlowDisks('stat') }, refused: ['it takes 2 to 3 µs on a local disk'] },
        { messageId: 'blocks', data: { remedy: onSlowDisks('stat') }, refused: ['it takes 2 to 3 µs on a local disk'] },
        {
          messageId: 'blocks',
          data: { remedy: 'Await `fs.promises.stat`.' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const app = require('express')();
                app.get('/first', (req, res) => { for (let at = fs.statSync(req.query.name), i = 0; i < 3; i++) res.write(at.size + ''); res.end(); });
                app.get('/list', (req, res) => { for (const one of [fs.statSync(req.query.name)]) res.write(one.size + ''); res.end(); });
                app.get('/each', async (req, res) => { for (const name of req.query.names) res.write((await fs.promises.stat(name)).size + ''); res.end(); });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a driver of a storage is no column, and two files with one name are not one',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const disk = { type: 'disk', get(key) { return «fs.readFileSync(key)»; }, set(key, value) { «fs.writeFileSync(key, value)»; } };
        app.get('/disk', (req, res) => res.send(disk.get(req.query.key)));
        app.put('/disk', (req, res) => { disk.set(req.query.key, req.body); res.end(); });
        app.get('/a', (req, res) => { const file = '/a/' + req.query.id; res.send(«fs.readFileSync(file)»); });
        app.put('/b', (req, res) => { const file = '/b/' + Date.now(); «fs.writeFileSync(file, req.body)»; res.end(); });
      `,
      findings: (
        [
          ['readFile', 'it may have callers in other files'],
          ['writeFile', 'it may have callers in other files'],
          ['readFile', 'file'],
          ['writeFile', 'file'],
        ] as const
      ).map(([name, reason]) => ({
        messageId: 'blocks' as const,
        data: { remedy: `Await \`fs.promises.${name}\`.` },
        refused: [reason],
      })),
    },
    {
      name: 'two handlers with the same file in a variable of each',
      code: dedent`
        const fs = require('fs');
        const path = require('path');
        const app = require('express')();
        const DATA = process.env.DATA;
        app.get('/', (req, res) => { const file = path.join(DATA, 'a.json'); res.send(«fs.readFileSync(file)»); });
        app.put('/', (req, res) => { const to = path.join(DATA, 'a.json'); «fs.writeFileSync(to, req.body)»; res.end(); });
      `,
      findings: (
        [
          ['readFile', 'is also written in this file'],
          ['writeFile', 'is also read in this file'],
        ] as const
      ).map(([name, reason]) => ({
        messageId: 'blocks' as const,
        data: {
          remedy: `Await \`fs.promises.${name}\`. If requests also change the file, let them do so one at a time: while one waits, another could overwrite what it changes.`,
        },
        refused: [reason],
      })),
    },
    {
      name: 'what to do instead of a check depends on what is done with the path',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/folder', async (req, res) => { const to = req.path; if (!«fs.existsSync(to)») await fs.promises.mkdir(to); res.end(); });
        app.get('/list', async (req, res) => { const of = req.path; if («fs.existsSync(of)») res.json(await fs.promises.readdir(of)); });
        app.get('/gone', async (req, res) => { const old = req.path; if («fs.existsSync(old)») await fs.promises.unlink(old); res.end(); });
        app.get('/file', async (req, res) => { const file = req.path; if («fs.existsSync(file)») res.send(await fs.promises.readFile(file)); });
        app.get('/is', (req, res) => { res.json(«fs.existsSync(req.path)»); });
        app.get('/last', async (req, res) => { const file = req.path; const is = «fs.existsSync(file)»; if (!is) return res.end(); res.send(await fs.promises.readFile(file)); });
        app.get('/anew', async (req, res) => { const to = req.path; if («fs.existsSync(to)») await fs.promises.rm(to, { recursive: true }); await fs.promises.mkdir(to); res.end(); });
        app.get('/told', async (req, res) => { const old = req.path; if («fs.existsSync(old)») { await fs.promises.rm(old); return res.end('gone'); } return res.end('none'); });
        const load = async (file) => { if (!«fs.existsSync(file)») return null; const text = await fs.promises.readFile(file); await fs.promises.unlink(file); return text; };
        app.get('/once', async (req, res) => res.send(await load(req.path)));
      `,
      findings: [
        'Create the folder without a check: with `recursive`, `mkdir` does nothing if it is there.',
        'Read the folder instead, and handle the error if it is missing.',
        'Remove it without a check: `rm` with `force` does not mind if it is missing.',
        'Open the file instead, and handle the error if it is missing.',
        'If the path is used next, skip the check, and handle the error of that call.',
        'Open the file instead, and handle the error if it is missing.',
        'Remove it without a check: `rm` with `force` does not mind if it is missing.',
        'If the path is used next, skip the check, and handle the error of that call.',
        'Open the file instead, and handle the error if it is missing.',
      ].map((remedy) => ({ messageId: 'blocks' as const, data: { remedy }, refused: ['the check takes about 2 µs'] })),
    },
    {
      name: 'a question about one path takes microseconds',
      code: dedent`
        const fs = require('fs');
        const http = require('http');
        http.createServer((req, res) => { if (!«fs.existsSync(req.url)») res.end(); });
      `,
      findings: [
        {
          messageId: 'blocks',
          severity: 'hint',
          refused: ['the check takes about 2 µs'],
        },
      ],
    },
    {
      name: 'a look for a file in the folders above',
      code: dedent`
        const fs = require('fs');
        const path = require('path');
        const app = require('express')();
        function rootOf(start) {
          for (let folder = start; folder !== '/'; folder = path.dirname(folder)) if («fs.existsSync(folder + '/package.json')») return folder;
        }
        app.get('/', (req, res) => {
          let folder = __dirname;
          while (folder !== '/') {
            if («fs.existsSync(path.join(folder, 'package.json'))») break;
            folder = path.dirname(folder);
          }
          res.send(folder + rootOf(__dirname));
        });
        app.get('/each', (req, res) => {
          for (let i = 0; i < req.query.count; i++) if («fs.existsSync(path.dirname(req.query.names[i]))») return res.send('yes');
          res.send('no');
        });
      `,
      findings: [
        {
          messageId: 'blocks',
          severity: 'hint',
          data: { took: ' One call took 2 to 3 µs on a local disk.' },
          refused: ['the check takes about 2 µs'],
        },
        {
          messageId: 'blocks',
          severity: 'hint',
          data: { took: ' One call took 2 to 3 µs on a local disk.' },
          refused: ['the check takes about 2 µs'],
        },
        {
          messageId: 'blocks',
          severity: 'hint',
          data: { took: ' One call took 2 to 3 µs on a local disk.' },
          refused: ['the check takes about 2 µs'],
        },
      ],
    },
    {
      name: 'what only asks about entries, once, for each of a list, for each of each list, and for a whole tree',
      code: dedent`
        const fs = require('fs');
        const path = require('path');
        const app = require('express')();
        app.get('/one', (req, res) => res.json(«fs.readdirSync(req.query.folder)»));
        app.get('/list', (req, res) => res.json(req.query.names.filter((name) => «fs.statSync(name)».isFile())));
        app.get('/lists', (req, res) => {
          res.json(req.query.folders.flatMap((folder) => folder.names.map((name) => «fs.statSync(path.join(folder.path, name))».size)));
        });
        function sizeOf(folder) {
          let size = 0;
          for (const name of «fs.readdirSync(folder)») {
            const stats = «fs.lstatSync(path.join(folder, name))»;
            size += stats.isDirectory() ? sizeOf(path.join(folder, name)) : stats.size;
          }
          return size;
        }
        app.get('/size', (req, res) => res.json(sizeOf(req.query.folder)));
        app.get('/all', (req, res) => res.json(«fs.readdirSync(req.query.folder, { recursive: true })»));
      `,
      findings: [
        {
          messageId: 'blocks',
          severity: 'hint',
          data: { took: ' One call took 9 µs for 10 entries, and 0.5 ms for 1,000, on a local disk.' },
          refused: [''],
        },
        { messageId: 'blocks', severity: 'hint', refused: [''] },
        { messageId: 'blocks', severity: 'warning', data: { took: '' }, refused: [''] },
        { messageId: 'blocks', severity: 'warning', data: { took: '' }, refused: [''] },
        { messageId: 'blocks', severity: 'warning', data: { took: '' }, refused: [''] },
        { messageId: 'blocks', severity: 'warning', data: { took: '' }, refused: [''] },
      ],
    },
    {
      name: 'a Map that is filled while it is empty',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const pages = new Map();
        function load() { «fs.readFileSync('pages.txt', 'utf8')».split(',').forEach((name) => { pages.set(name, true); }); }
        app.get('/:name', (req, res) => { if (!pages.size) load(); res.send(pages.get(req.params.name)); });
        const tags = new Set();
        app.get('/tags/:name', (req, res) => {
          if (tags.size === 0) for (const tag of «fs.readFileSync('tags.txt', 'utf8')».split(',')) tags.add(tag);
          res.send(tags.has(req.params.name));
        });
      `,
      findings: [
        { messageId: 'blocksOnce', severity: 'hint' },
        { messageId: 'blocksOnce', severity: 'hint' },
      ],
    },
    {
      name: 'a Map that is emptied again, or is nothing but a condition',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const clean = (done) => setImmediate(done);
        const jobs = new Map();
        app.get('/jobs', (req, res) => clean(() => {
          if (!jobs.size) for (const line of «fs.readFileSync(req.query.file, 'utf8')».split(',')) jobs.set(line, true);
          res.send(jobs.delete(req.query.job));
        }));
        const users = new Map();
        app.get('/users', (req, res) => clean(() => { if (!users.size) res.send(«fs.readFileSync(req.query.file)»); users.set(req.query.user, 1); }));
      `,
      findings: [
        { messageId: 'blocks', severity: 'warning', refused: ['callback of `clean`'] },
        { messageId: 'blocks', severity: 'warning', refused: ['callback of `clean`'] },
      ],
    },
    {
      name: 'a change of one entry of a folder takes microseconds',
      code: dedent`
        const fs = require('fs');
        const http = require('http');
        const clean = (done) => setImmediate(done);
        http.createServer((req, res) => { clean(() => { «fs.unlinkSync(req.url)»; res.end(); }); });
        http.createServer((req, res) => { clean(() => { «fs.renameSync(req.url, 'last')»; «fs.chmodSync('last', 0o600)»; res.end(); }); });
        http.createServer((req, res) => { clean(() => { «fs.rmSync(req.url, { force: true })»; «fs.rmdirSync('empty')»; res.end(); }); });
      `,
      findings: [
        { messageId: 'blocks', severity: 'hint', refused: ['callback of `clean`'] },
        { messageId: 'blocks', severity: 'hint', refused: ['callback of `clean`'] },
        { messageId: 'blocks', severity: 'hint', refused: ['callback of `clean`'] },
        { messageId: 'blocks', severity: 'hint', refused: ['callback of `clean`'] },
        { messageId: 'blocks', severity: 'hint', refused: ['callback of `clean`'] },
      ],
    },
    {
      name: 'the request that sets a server up, which refuses to come twice; others that refuse, and settings of a request',
      code: dedent`
        const fs = require('fs');
        const { hashSync } = require('bcrypt');
        const app = require('express')();
        const clean = (done) => setImmediate(done);
        const state = { config: undefined };
        let settings;
        function write(body) { state.config = body; settings = body; fs.writeFileSync('config.json', JSON.stringify(body)); }
        app.post('/setup', async (req, res) => {
          if (state.config) { res.status(403).send('Config exists'); return; }
          req.body.password = hashSync(req.body.password, 10);
          write(req.body);
          res.end();
        });
        app.post('/install', (req, res) => { if (settings) return res.sendStatus(409); write(req.body); res.end(); });
        app.post('/own', (req, res) => clean(() => {
          if (req.user.settings) return res.sendStatus(409);
          res.send(«hashSync(req.body.password, 10)»);
        }));
        app.post('/readonly', (req, res) => clean(() => {
          if (state.isReadOnly) return res.sendStatus(403);
          if (!state.config) return res.sendStatus(403);
          res.send(«hashSync(req.body.password, 10)»);
        }));
        app.post('/known', (req, res) => clean(() => {
          if (state.config) return res.status(200).json(state.config);
          res.send(«hashSync(req.body.password, 10)»);
        }));
      `,
      findings: ['own', 'readonly', 'known'].map(() => ({ messageId: 'blocks' as const, refused: ['callback of `clean`'] })),
    },
    {
      name: 'closing a file, and opening one that is there, takes microseconds; creating or emptying one may not',
      code: dedent`
        const fs = require('fs');
        const http = require('http');
        const clean = (done) => setImmediate(done);
        http.createServer((req, res) => { clean(() => { «fs.closeSync(«fs.openSync(req.url)»)»; «fs.openSync(req.url, 'r')»; res.end(); }); });
        http.createServer((req, res) => { clean(() => { «fs.openSync(req.url, 'w')»; «fs.openSync(req.url, req.method)»; res.end(); }); });
        http.createServer((req, res) => { clean(() => { req.fds.forEach((fd) => «fs.closeSync(fd)»); res.end(); }); });
      `,
      findings: [
        { messageId: 'blocks', severity: 'hint', refused: ['callback of `clean`'] },
        { messageId: 'blocks', severity: 'hint', refused: ['callback of `clean`'] },
        { messageId: 'blocks', severity: 'hint', refused: ['callback of `clean`'] },
        { messageId: 'blocks', severity: 'warning', refused: ['callback of `clean`'] },
        { messageId: 'blocks', severity: 'warning', refused: ['callback of `clean`'] },
        { messageId: 'blocks', severity: 'hint', refused: ['callback of `'] },
      ],
    },
    {
      name: 'a change of each of many entries, or of a whole folder',
      code: dedent`
        const fs = require('fs');
        const http = require('http');
        const clean = (done) => setImmediate(done);
        http.createServer((req, res) => { clean(() => { req.url.split(',').forEach((name) => «fs.unlinkSync(name)»); res.end(); }); });
        http.createServer((req, res) => { clean(() => { «fs.rmSync(req.url, { recursive: true })»; «fs.rmdirSync(req.url, clean.options)»; res.end(); }); });
      `,
      findings: [
        {
          messageId: 'blocks',
          severity: 'hint',
          data: { took: ' One call took 15 to 30 µs for a small file on a local disk.' },
          refused: ['callback of `'],
        },
        { messageId: 'blocks', severity: 'warning', data: { took: '' }, refused: ['callback of `'] },
        { messageId: 'blocks', severity: 'warning', data: { took: '' }, refused: ['callback of `'] },
      ],
    },
    {
      name: 'a question about each of three paths',
      code: dedent`
        const fs = require('fs');
        const http = require('http');
        http.createServer((req, res) => { res.end(String(['a', 'b', 'c'].some((part) => «fs.statSync(part)».size > 0))); });
      `,
      findings: [{ messageId: 'blocks', severity: 'hint', refused: ['callback of `some`'] }],
    },
    {
      name: 'a question about each of many paths',
      code: dedent`
        const fs = require('fs');
        const http = require('http');
        http.createServer((req, res) => { res.end(String(req.url.split(',').some((name) => «fs.existsSync(name)»))); });
      `,
      findings: [{ messageId: 'blocks', severity: 'hint', refused: ['the check takes about 2 µs'] }],
    },
    {
      name: 'an inner callback',
      code: dedent`
        const fs = require('fs');
        const http = require('http');
        http.createServer((req, res) => { res.end(JSON.stringify(names.map((name) => «fs.statSync(name)».size))); });
      `,
      findings: [{ messageId: 'blocks', refused: ['callback of `map`'] }],
    },
    {
      name: 'a class with this',
      code: dedent`
        import fs from 'node:fs';
        import { Controller, Get } from '@nestjs/common';
        @Controller('users')
        export class Users {
          @Get(':id')
          show() { return this.load(); }
          load() { return «fs.readFileSync('users.json', 'utf8')»; }
        }
      `,
      file: 'src/users.controller.ts',
      findings: [
        {
          messageId: 'blocks',
          route: 'GET /users/:id',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                import fs from 'node:fs';
                import { Controller, Get } from '@nestjs/common';
                const usersJson = fs.readFileSync('users.json', 'utf8');

                @Controller('users')
                export class Users {
                  @Get(':id')
                  show() { return this.load(); }
                  load() { return usersJson; }
                }
              `,
            },
          ],
          refused: ['is a method'],
        },
      ],
    },

    // ---- once only
    {
      name: 'tools: keys, files, compression, compilers',
      code: dedent`
        const { utils } = require('ssh2');
        const pako = require('pako');
        const { PNG } = require('pngjs');
        const sass = require('sass');
        const walk = require('fs-readdir-recursive');
        const app = require('express')();
        app.get('/', (req, res) => {
          «utils.generateKeyPairSync('rsa', { bits: 2048 })»;
          «pako.gzip(req.body)»;
          «PNG.sync.read(req.body)»;
          «sass.compile('a.scss')»;
          «walk('public')»;
        });
      `,
      findings: [
        {
          messageId: 'blocks',
          data: { call: 'ssh2.utils.generateKeyPairSync', waitsFor: 'the computation finishes' },
          refused: ['utils.generateKeyPair() of ssh2 takes a callback'],
        },
        { messageId: 'blocks', severity: 'hint', data: { call: 'pako.gzip' }, refused: ['returns a Buffer'] },
        { messageId: 'blocks', data: { call: 'pngjs.PNG.sync.read' }, refused: ['sharp'] },
        { messageId: 'blocks', data: { call: 'sass.compile' }, refused: ['computes on this thread, too'] },
        { messageId: 'blocks', data: { call: 'fs-readdir-recursive' }, refused: ['readdir()'] },
      ],
    },
    {
      name: 'tools: a file that may be binary',
      code: dedent`
        const { isBinaryFileSync } = require('isbinaryfile');
        exports.handler = async (event) => «isBinaryFileSync(event.path)»;
      `,
      findings: [
        {
          messageId: 'blocks',
          severity: 'hint',
          data: { call: 'isbinaryfile.isBinaryFileSync' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const { isBinaryFile } = require('isbinaryfile');
                exports.handler = async (event) => await isBinaryFile(event.path);
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a loop over a constant list of two repeats little, and one over a list that grows may repeat more',
      code: dedent`
        const fs = require('fs');
        const tools = ['mongodump', 'zip'];
        const more = ['tar'];
        require('http').createServer((req, res) => {
          more.push(req.url);
          for (const tool of tools) console.log(«fs.existsSync(tool)»);
          for (const tool of more) console.log(«fs.existsSync(tool)»);
          res.end();
        });
      `,
      findings: [
        { messageId: 'blocks', severity: 'hint', data: { call: 'fs.existsSync' }, refused: ['the check takes about 2 µs'] },
        { messageId: 'blocks', data: { call: 'fs.existsSync' }, refused: ['the check takes about 2 µs'] },
      ],
    },
    {
      name: 'more calls in one function than anybody changes at once',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/', (req, res) => {
        ${'  «fs.readFileSync(req.query.file)»;\n'.repeat(101)}  res.end();
        });

      `,
      findings: Array.from({ length: 101 }, () => ({ messageId: 'blocks' as const, refused: ['101 blocking calls'] })),
    },
    {
      name: 'what waits is said: an invocation, windows',
      code: dedent`
        const fs = require('fs');
        const { ipcMain } = require('electron');
        exports.handler = async (event) => «fs.readFileSync(event.path)»;
        ipcMain.handle('read', (event, path) => «fs.readFileSync(path)»);
      `,
      findings: [
        {
          messageId: 'blocks',
          message:
            '`fs.readFileSync` blocks the event loop on every invocation. Until the file system responds, the invocation waits. Await `fs.promises.readFile`.',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const { ipcMain } = require('electron');
                exports.handler = async (event) => await fs.promises.readFile(event.path);
                ipcMain.handle('read', (event, path) => fs.readFileSync(path));
              `,
            },
          ],
        },
        {
          messageId: 'blocks',
          message:
            '`fs.readFileSync` blocks the event loop on every `IPC read`. Until the file system responds, no window of the app responds. Await `fs.promises.readFile`.',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const fs = require('fs');
                const { ipcMain } = require('electron');
                exports.handler = async (event) => fs.readFileSync(event.path);
                ipcMain.handle('read', async (event, path) => await fs.promises.readFile(path));
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'what waits on the first invocation',
      code: dedent`
        const fs = require('fs');
        let page;
        exports.handler = async (event) => { page ??= «fs.readFileSync('a')»; return page; };
      `,
      findings: [
        {
          messageId: 'blocksOnce',
          severity: 'hint',
          message:
            '`fs.readFileSync` blocks the event loop on each invocation that reaches this line while its result is not cached. Until the file system responds, the invocation waits. Fill the cache before a request needs it.',
        },
      ],
    },
    {
      name: 'nullish assignment',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        let page;
        app.get('/', (req, res) => { page ??= «fs.readFileSync('a')»; res.send(page); });
      `,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a guard',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        let page;
        app.get('/', (req, res) => { if (!page) { page = «fs.readFileSync('a')»; } res.send(page); });
      `,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a guard around another test',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        let page;
        app.get('/', (req, res) => { if (!page) { let name = 'a'; if (name.length > 0) { name = «fs.readFileSync(name)»; } page = name; } res.send(page); });
      `,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'an early return',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        let page;
        function load() { if (page) return page; page = «fs.readFileSync('a')»; return page; }
        app.get('/', (req, res) => { res.send(load()); });
      `,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a variable that was taken from a cache',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const pages = new Map();
        app.get('/:name', (req, res) => { let page = pages.get(req.params.name); if (!page || req.query.fresh) { page = «fs.readFileSync(req.params.name)»; pages.set(req.params.name, page); } res.send(page); });
      `,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'an early return of what was taken from a table',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const pages = {};
        function load(name) { const known = pages[name]; if (known) return known; pages[name] = «fs.readFileSync(name)»; return pages[name]; }
        app.get('/:name', (req, res) => { res.send(load(req.params.name)); });
      `,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'taken from a cache that is never filled',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const pages = new Map();
        app.get('/:name', (req, res) => { const page = pages.get(req.params.name); if (!page) { res.send(String(«fs.readFileSync(req.params.name)».length)); } else res.send(page); });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
    const fs = require('fs');
    const app = require('express')();
    const pages = new Map();
    app.get('/:name', async (req, res, next) => { try { const page = pages.get(req.params.name); if (!page) { res.send(String((await fs.promises.readFile(req.params.name)).length)); } else res.send(page); } catch (error) { next(error); } });
  `,
            },
          ],
        },
      ],
    },
    {
      name: 'a cache of the request itself',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/:name', (req, res) => { const kept = new Map(); let page = kept.get('a'); if (!page) { page = «fs.readFileSync(req.params.name)».length; kept.set('a', page); } res.send(String(page)); });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
    const fs = require('fs');
    const app = require('express')();
    app.get('/:name', async (req, res, next) => { try { const kept = new Map(); let page = kept.get('a'); if (!page) { page = (await fs.promises.readFile(req.params.name)).length; kept.set('a', page); } res.send(String(page)); } catch (error) { next(error); } });
  `,
            },
          ],
        },
      ],
    },
    {
      name: 'memoised by a package of any such name',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        const names = nanomemoize((isDev) => «fs.readdirSync('columns')»);
        app.get('/', (req, res) => { res.send(names(false)); });
      `,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a guarded function that sets the flag',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        let isReady = false;
        function prepare() { «fs.cpSync('template', 'uploads', { recursive: true })»; isReady = true; }
        app.get('/', (req, res) => { if (!isReady) prepare(); res.end(); });
      `,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a flag that only a later success sets',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        let isDone = false;
        app.post('/restore', (req, res) => {
          if (isDone) { res.end(); return; }
          const backup = «fs.readFileSync(req.body.name)»;
          check(backup, req.body.password, (error) => { if (!error) isDone = true; res.end(); });
        });
      `,
      findings: [{ messageId: 'blocks', refused: ['outlives the request'] }],
    },
    {
      name: 'a bundle that holds a thread and the server',
      code: dedent`
        const { parentPort } = require('worker_threads');
        const fs = require('fs');
        const app = require('express')();
        if (parentPort) parentPort.postMessage('up');
        app.get('/info', (req, res) => { res.send(«fs.readFileSync(req.path)»); });
      `,
      findings: [
        {
          messageId: 'blocks',
          route: 'GET /info',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
    const { parentPort } = require('worker_threads');
    const fs = require('fs');
    const app = require('express')();
    if (parentPort) parentPort.postMessage('up');
    app.get('/info', async (req, res, next) => {
      try {
        res.send(await fs.promises.readFile(req.path));
      } catch (error) {
        next(error);
      }
    });
  `,
            },
          ],
        },
      ],
    },
    {
      name: 'a variable around a callback that runs at once is no cache',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/', (req, res) => {
          let found = null;
          req.body.names.forEach((name) => { if (found !== null) return; found = «fs.statSync(name)»; });
          res.json(found);
        });
      `,
      findings: [{ messageId: 'blocks', refused: ['callback of `forEach`'] }],
    },
    {
      name: 'a cache per request is none',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/', (req, res) => { req.page ??= «fs.readFileSync(req.path)»; res.send(req.page); });
      `,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
    const fs = require('fs');
    const app = require('express')();
    app.get('/', async (req, res, next) => {
      try {
        req.page ??= await fs.promises.readFile(req.path);
        res.send(req.page);
      } catch (error) {
        next(error);
      }
    });
  `,
            },
          ],
        },
      ],
    },
    ...fixCases,
    ...leftBehindCases,
    ...unsafeFixCases,
    ...seldomCases,
    ...elsewhereCases,
    ...shortReadCases,
    ...computingCases,
  ],
};
