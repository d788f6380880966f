import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { fixCases } from './cases-fixes.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

const REFUSED_EXPRESS = ['Express before 5'];

export const cases: RuleCases<'blocks' | 'blocksOnce'> = {
  valid: [
    // ---- not on a request path
    {
      name: 'start-up',
      code: `const fs = require('fs');\nconst app = require('express')();\nconst page = fs.readFileSync('page.html');\napp.get('/', (req, res) => { res.send(page); });`,
    },
    {
      name: 'a boot function',
      code: `const fs = require('fs');\nconst app = require('express')();\nfunction load() { return fs.readFileSync('a'); }\nconst a = load();\napp.get('/', (req, res) => res.send(a));`,
    },
    {
      name: 'the listen callback',
      code: `const fs = require('fs');\nconst app = require('express')();\napp.listen(3000, () => { fs.writeFileSync('pid', String(process.pid)); });`,
    },
    {
      name: 'a handler factory reads before it makes the handler',
      code: `const fs = require('fs');\nconst app = require('express')();\nfunction page(name) { const text = fs.readFileSync(name); return (req, res) => res.send(text); }\napp.get('/', page('a'));`,
    },
    {
      name: 'shutdown',
      code: `import { writeFileSync } from 'node:fs';\nprocess.on('SIGTERM', () => { writeFileSync('state', '1'); process.exit(); });`,
    },
    {
      name: 'command line',
      code: `#!/usr/bin/env node\nconst fs = require('fs');\nfunction main(req, res) { console.log(fs.readFileSync('a', 'utf8')); }\nmain();`,
      file: 'bin/tool.js',
    },
    {
      name: 'a test that makes a server',
      code: `const fs = require('fs');\nconst http = require('http');\nhttp.createServer((req, res) => { res.end(fs.readFileSync('a')); });`,
      file: 'test/server.test.js',
    },
    {
      name: 'a migration',
      code: `const fs = require('fs');\nexports.up = (req, res) => { res.send(fs.readFileSync('a')); };`,
      file: 'migrations/1-a.js',
    },
    {
      name: 'a plain function nobody calls from a handler',
      code: `const fs = require('fs');\nexports.load = function load(name) { return fs.readFileSync(name); };`,
    },
    {
      name: 'development only',
      code: `const fs = require('fs');\nconst app = require('express')();\napp.get('/', (req, res) => { if (process.env.NODE_ENV !== 'production') res.locals.v = fs.readFileSync('v'); res.end(); });`,
    },
    {
      name: 'what is refused once it has been done',
      code: `const fs = require('fs');\nconst app = require('express')();\nconst db = require('./db');\napp.post('/setup', (req, res) => { if (db.isInitialized()) throw new Error('already there'); const schema = fs.readFileSync('schema.sql'); res.send(schema); });`,
    },
    {
      name: 'routes registered in development only',
      code: `const fs = require('fs');\nconst app = require('express')();\nif (process.env.NODE_ENV === 'development') { app.get('/', (req, res) => { res.end(fs.readFileSync('v')); }); }`,
    },

    // ---- not Node's
    {
      name: 'own method',
      code: `const app = require('express')();\nconst store = { readFileSync() { return 1; } };\napp.get('/', (req, res) => res.json(store.readFileSync()));`,
    },
    {
      name: 'triggerSync means synchronise',
      code: `const sync = require('./sync');\nconst app = require('express')();\napp.post('/', (req, res) => { sync.triggerSync(); res.end(); });`,
    },
    {
      name: 'setCookieSync, validateSync',
      code: `const app = require('express')();\napp.post('/', (req, res) => { req.jar.setCookieSync('a'); const bad = req.user.validateSync(); res.json(bad); });`,
    },
    {
      name: "React's flushSync",
      code: `import { flushSync } from 'react-dom';\nimport express from 'express';\nconst app = express();\napp.get('/', (req, res) => { flushSync(() => {}); res.end(); });`,
    },
    {
      name: 'a memory file system',
      code: `const { fs } = require('memfs');\nconst app = require('express')();\napp.get('/', (req, res) => res.send(fs.readFileSync('/a')));`,
    },
    {
      name: 'a shadowed fs',
      code: `const fs = require('fs');\nconst app = require('express')();\napp.get('/', (req, res) => { const fs = req.app.vfs; res.send(fs.readFileSync('/a')); });`,
    },
    {
      name: 'a parameter called fs',
      code: `const app = require('express')();\nconst read = (fs, name) => fs.readFileSync(name);\napp.get('/', (req, res) => res.send(read(req.vfs, 'a')));`,
    },
    {
      name: 'a variable that may be something else',
      code: `let fs = require('fs');\nif (process.env.MEMORY) fs = makeMemoryFs();\nconst app = require('express')();\napp.get('/', (req, res) => res.send(fs.readFileSync('/a')));`,
    },
    {
      name: 'an unknown package',
      code: `const { readSync } = require('some-sensor');\nconst app = require('express')();\napp.get('/', (req, res) => res.json(readSync()));`,
    },
    {
      name: "require is not Node's here",
      code: `function load(require) { const fs = require('fs'); const app = require('express')(); app.get('/', (req, res) => res.send(fs.readFileSync('/a'))); }`,
    },

    // ---- not handlers
    {
      name: 'a setting',
      code: `const fs = require('fs');\nconst app = require('express')();\nif (app.get('env') === 'x') fs.readFileSync('a');`,
    },
    {
      name: 'an HTTP client',
      code: `const fs = require('fs');\nconst axios = require('axios');\naxios.get('https://a', () => { fs.writeFileSync('a', ''); });`,
    },
    {
      name: 'a cache',
      code: `const fs = require('fs');\nconst cache = require('./cache');\nexports.load = (key) => cache.get(key, () => fs.readFileSync(key));`,
    },
    {
      name: 'a configuration look-up',
      code: `const fs = require('fs');\nconst config = require('config');\nconfig.get('path', (path) => fs.readFileSync(path));`,
    },
    {
      name: 'a model virtual',
      code: `const fs = require('fs');\nconst schema = require('./schema');\nschema.virtual('text').get(function () { return fs.readFileSync(this.path); });`,
    },
    {
      name: "an HTTP client's response",
      code: `const fs = require('fs');\nconst http = require('http');\nexports.fetch = () => http.get('http://a', (res) => { fs.writeFileSync('a', ''); });`,
    },
    {
      name: 'the asynchronous forms',
      code: `const fs = require('fs');\nconst app = require('express')();\napp.get('/', async (req, res) => { fs.readFile('a', () => {}); res.send(await fs.promises.readFile('a')); });`,
    },
    {
      name: 'allowed by an option',
      code: `const fs = require('fs');\nconst app = require('express')();\napp.get('/', (req, res) => { res.json(fs.existsSync('a')); });`,
      options: { allow: ['fs.existsSync'] },
    },
    {
      name: 'cached calls not wanted',
      code: `const fs = require('fs');\nconst app = require('express')();\nlet page;\napp.get('/', (req, res) => { page ??= fs.readFileSync('a'); res.send(page); });`,
      options: { reportCached: false },
    },
    {
      name: 'mentioned, not called',
      code: `const fs = require('fs');\nconst app = require('express')();\napp.get('/', (req, res) => res.json(typeof fs.readFileSync));`,
    },
  ],
  invalid: [
    // ---- how the call is named
    {
      name: 'require',
      code: `const fs = require('fs');\nconst app = require('express')();\napp.get('/users/:id', (req, res) => { res.send(«fs.readFileSync(req.params.id)»); });`,
      findings: [
        {
          messageId: 'blocks',
          severity: 'warning',
          route: 'GET /users/:id',
          data: { call: 'fs.readFileSync' },
          related: ['GET /users/:id'],
          refused: REFUSED_EXPRESS,
        },
      ],
    },
    {
      name: 'import named and renamed',
      code: `import { readFileSync as read } from 'node:fs';\nimport http from 'node:http';\nhttp.createServer((req, res) => { use(«read(req.url)»); res.end(); });`,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: `import { readFileSync as read } from 'node:fs';\nimport http from 'node:http';\nimport { readFile } from 'node:fs/promises';\nhttp.createServer(async (req, res) => { use(await readFile(req.url)); res.end(); });`,
            },
          ],
        },
      ],
    },
    {
      name: 'namespace',
      code: `import * as fs from 'fs';\nimport Koa from 'koa';\nconst app = new Koa();\napp.use(async (ctx) => { ctx.body = «fs.readdirSync(ctx.path)»; });`,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: `import * as fs from 'fs';\nimport Koa from 'koa';\nconst app = new Koa();\napp.use(async (ctx) => { ctx.body = await fs.promises.readdir(ctx.path); });`,
            },
          ],
        },
      ],
    },
    {
      name: 'destructured and re-assigned',
      code: `const { statSync } = require('fs');\nlet stat;\nstat = statSync;\nconst http = require('http');\nhttp.createServer(async (req, res) => { res.end(String(«stat(req.url)».size)); });`,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: `const { statSync } = require('fs');\nlet stat;\nstat = statSync;\nconst http = require('http');\nconst { stat: statAsync } = require('fs/promises');\nhttp.createServer(async (req, res) => { res.end(String((await statAsync(req.url)).size)); });`,
            },
          ],
        },
      ],
    },
    {
      name: 'literal computed member',
      code: `const fs = require('fs');\nconst http = require('http');\nhttp.createServer(async (req, res) => { res.end(«fs['readFileSync'](req.url)»); });`,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: `const fs = require('fs');\nconst http = require('http');\nhttp.createServer(async (req, res) => { res.end(await fs.promises.readFile(req.url)); });`,
            },
          ],
        },
      ],
    },
    {
      name: 'a constant as the key',
      code: `const fs = require('fs');\nconst READ = 'readFileSync';\nconst http = require('http');\nhttp.createServer(async (req, res) => { res.end(«fs[READ](req.url)»); });`,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: `const fs = require('fs');\nconst READ = 'readFileSync';\nconst http = require('http');\nhttp.createServer(async (req, res) => { res.end(await fs.promises.readFile(req.url)); });`,
            },
          ],
        },
      ],
    },
    {
      name: 'under another name in an object',
      code: `const fs = require('fs');\nconst io = { read: fs.readFileSync };\nconst http = require('http');\nhttp.createServer((req, res) => { res.end(«io.read(req.url)»); });`,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: `const fs = require('fs');\nconst io = { read: fs.readFileSync };\nconst http = require('http');\nhttp.createServer(async (req, res) => { res.end(await fs.promises.readFile(req.url)); });`,
            },
          ],
        },
      ],
    },
    {
      name: 'an optional call',
      code: `const fs = require('fs');\nconst http = require('http');\nhttp.createServer(async (req, res) => { res.end(«fs.readFileSync?.(req.url)»); });`,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: `const fs = require('fs');\nconst http = require('http');\nhttp.createServer(async (req, res) => { res.end(await fs.promises.readFile(req.url)); });`,
            },
          ],
        },
      ],
    },

    {
      name: 'refused for another reason than that it was done',
      code: `const fs = require('fs');\nconst app = require('express')();\nconst db = require('./db');\napp.post('/setup', (req, res) => { if (db.isLocked()) throw new Error('not now'); const isThere = «fs.existsSync('schema.sql')»; res.send(isThere); });`,
      findings: [{ messageId: 'blocks', refused: ['Express before 5'] }],
    },
    {
      name: 'what returns once it has been done',
      code: `const fs = require('fs');\nconst app = require('express')();\nconst db = require('./db');\napp.post('/setup', (req, res) => { if (db.isInitialized()) return; const schema = «fs.readFileSync('schema.sql')»; res.send(schema); });`,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a module with a stand-in',
      code: `let bcrypt;\ntry { bcrypt = require('bcrypt'); } catch (e) { bcrypt = require('bcryptjs'); }\nconst http = require('http');\nhttp.createServer(async (req, res) => { res.end(String(«bcrypt.compareSync(req.url, 'x')»)); });`,
      findings: [
        {
          messageId: 'blocks',
          data: { call: 'bcrypt.compareSync' },
          fixes: [
            {
              kind: 'suggestion',
              output: `let bcrypt;\ntry { bcrypt = require('bcrypt'); } catch (e) { bcrypt = require('bcryptjs'); }\nconst http = require('http');\nhttp.createServer(async (req, res) => { res.end(String(await bcrypt.compare(req.url, 'x'))); });`,
            },
          ],
        },
      ],
    },

    // ---- how the handler is reached
    {
      name: 'by reference',
      code: `const fs = require('fs');\nconst app = require('express')();\nfunction show(req, res) { res.send(«fs.readFileSync(req.query.a)»); }\napp.get('/a', show);`,
      project: EXPRESS_5,
      findings: [
        {
          messageId: 'blocks',
          route: 'GET /a',
          functionName: 'show',
          fixes: [
            {
              kind: 'suggestion',
              output: `const fs = require('fs');\nconst app = require('express')();\nasync function show(req, res) { res.send(await fs.promises.readFile(req.query.a)); }\napp.get('/a', show);`,
            },
          ],
        },
      ],
    },
    {
      name: 'through a helper',
      code: `const fs = require('fs');\nconst app = require('express')();\nfunction load(name) { return «fs.readFileSync(name)»; }\napp.get('/a', (req, res) => { res.send(load(req.query.a).toString()); });`,
      project: EXPRESS_5,
      findings: [
        {
          messageId: 'blocks',
          route: 'GET /a',
          related: ['GET /a', 'calls `load`'],
          fixes: [
            {
              kind: 'suggestion',
              title: 'Use the promise form `fs.promises.readFile`, and make its caller await it',
              output: `const fs = require('fs');\nconst app = require('express')();\nasync function load(name) { return await fs.promises.readFile(name); }\napp.get('/a', async (req, res) => { res.send((await load(req.query.a)).toString()); });`,
            },
          ],
        },
      ],
    },
    {
      name: 'signature only, registered elsewhere',
      code: `const fs = require('fs');\nexports.show = function (req, res, next) { res.send(«fs.readFileSync(req.params.name)»); };`,
      findings: [{ messageId: 'blocks', refused: REFUSED_EXPRESS }],
    },
    {
      name: 'a wrapper',
      code: `const fs = require('fs');\nconst app = require('express')();\nconst asyncHandler = require('express-async-handler');\napp.get('/a', asyncHandler((req, res) => { res.send(«fs.readFileSync(req.query.a)»); }));`,
      findings: [
        {
          messageId: 'blocks',
          route: 'GET /a',
          fixes: [
            {
              kind: 'suggestion',
              output: `const fs = require('fs');\nconst app = require('express')();\nconst asyncHandler = require('express-async-handler');\napp.get('/a', asyncHandler(async (req, res) => { res.send(await fs.promises.readFile(req.query.a)); }));`,
            },
          ],
        },
      ],
    },
    {
      name: 'a table of handlers',
      code: `const fs = require('fs');\nconst app = require('express')();\nconst pages = { home(req, res) { res.send(«fs.readFileSync(req.path)»); } };\napp.get('/', pages.home);`,
      findings: [{ messageId: 'blocks', route: 'GET /', refused: REFUSED_EXPRESS }],
    },
    {
      name: 'a middleware array',
      code: `const fs = require('fs');\nconst app = require('express')();\nconst check = (req, res, next) => { if («fs.existsSync(req.path)») next(); };\napp.get('/', [check, (req, res) => res.end()]);`,
      findings: [{ messageId: 'blocks', refused: REFUSED_EXPRESS }],
    },
    {
      name: 'an inner callback',
      code: `const fs = require('fs');\nconst http = require('http');\nhttp.createServer((req, res) => { res.end(JSON.stringify(names.map((name) => «fs.statSync(name)».size))); });`,
      findings: [{ messageId: 'blocks', refused: ['callback of `map`'] }],
    },
    {
      name: 'a class with this',
      code: `import fs from 'node:fs';\nimport { Controller, Get } from '@nestjs/common';\n@Controller('users')\nexport class Users {\n  @Get(':id')\n  show() { return this.load(); }\n  load() { return «fs.readFileSync('users.json')»; }\n}`,
      file: 'src/users.controller.ts',
      findings: [
        {
          messageId: 'blocks',
          route: 'GET /users/:id',
          fixes: [
            {
              kind: 'suggestion',
              output: `import fs from 'node:fs';\nimport { Controller, Get } from '@nestjs/common';\nconst usersJson = fs.readFileSync('users.json');\n\n@Controller('users')\nexport class Users {\n  @Get(':id')\n  show() { return this.load(); }\n  load() { return usersJson; }\n}`,
            },
          ],
          refused: ['is a method'],
        },
      ],
    },

    // ---- once only
    {
      name: 'nullish assignment',
      code: `const fs = require('fs');\nconst app = require('express')();\nlet page;\napp.get('/', (req, res) => { page ??= «fs.readFileSync('a')»; res.send(page); });`,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a guard',
      code: `const fs = require('fs');\nconst app = require('express')();\nlet page;\napp.get('/', (req, res) => { if (!page) { page = «fs.readFileSync('a')»; } res.send(page); });`,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a guard around another test',
      code: `const fs = require('fs');\nconst app = require('express')();\nlet page;\napp.get('/', (req, res) => { if (!page) { let name = 'a'; if (name.length > 0) { name = «fs.readFileSync(name)»; } page = name; } res.send(page); });`,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'an early return',
      code: `const fs = require('fs');\nconst app = require('express')();\nlet page;\nfunction load() { if (page) return page; page = «fs.readFileSync('a')»; return page; }\napp.get('/', (req, res) => { res.send(load()); });`,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a variable that was taken from a cache',
      code: `const fs = require('fs');\nconst app = require('express')();\nconst pages = new Map();\napp.get('/:name', (req, res) => { let page = pages.get(req.params.name); if (!page || req.query.fresh) { page = «fs.readFileSync(req.params.name)»; pages.set(req.params.name, page); } res.send(page); });`,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'an early return of what was taken from a table',
      code: `const fs = require('fs');\nconst app = require('express')();\nconst pages = {};\nfunction load(name) { const known = pages[name]; if (known) return known; pages[name] = «fs.readFileSync(name)»; return pages[name]; }\napp.get('/:name', (req, res) => { res.send(load(req.params.name)); });`,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'taken from a cache that is never filled',
      code: `const fs = require('fs');\nconst app = require('express')();\nconst pages = new Map();\napp.get('/:name', (req, res) => { const page = pages.get(req.params.name); if (!page) { res.send(String(«fs.existsSync(req.params.name)»)); } else res.send(page); });`,
      findings: [{ messageId: 'blocks', refused: ['Express before 5'] }],
    },
    {
      name: 'a cache of the request itself',
      code: `const fs = require('fs');\nconst app = require('express')();\napp.get('/:name', (req, res) => { const kept = new Map(); let page = kept.get('a'); if (!page) { page = «fs.existsSync(req.params.name)»; kept.set('a', page); } res.send(String(page)); });`,
      findings: [{ messageId: 'blocks', refused: ['Express before 5'] }],
    },
    {
      name: 'memoised by a package of any such name',
      code: `const fs = require('fs');\nconst app = require('express')();\nconst names = nanomemoize((isDev) => «fs.readdirSync('columns')»);\napp.get('/', (req, res) => { res.send(names(false)); });`,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a guarded function that sets the flag',
      code: `const fs = require('fs');\nconst app = require('express')();\nlet isReady = false;\nfunction prepare() { «fs.mkdirSync('uploads')»; isReady = true; }\napp.get('/', (req, res) => { if (!isReady) prepare(); res.end(); });`,
      findings: [{ messageId: 'blocksOnce', severity: 'hint' }],
    },
    {
      name: 'a flag that only a later success sets',
      code: `const fs = require('fs');\nconst app = require('express')();\nlet isDone = false;\napp.post('/restore', (req, res) => {\n  if (isDone) { res.end(); return; }\n  const backup = «fs.readFileSync(req.body.name)»;\n  check(backup, req.body.password, (error) => { if (!error) isDone = true; res.end(); });\n});`,
      findings: [{ messageId: 'blocks', refused: REFUSED_EXPRESS }],
    },
    {
      name: 'a bundle that holds a thread and the server',
      code: `const { parentPort } = require('worker_threads');\nconst fs = require('fs');\nconst app = require('express')();\nif (parentPort) parentPort.postMessage('up');\napp.get('/info', (req, res) => { res.send(«fs.readFileSync(req.path)»); });`,
      findings: [{ messageId: 'blocks', route: 'GET /info', refused: REFUSED_EXPRESS }],
    },
    {
      name: 'a variable around a callback that runs at once is no cache',
      code: `const fs = require('fs');\nconst app = require('express')();\napp.get('/', (req, res) => {\n  let found = null;\n  req.body.names.forEach((name) => { if (found !== null) return; found = «fs.statSync(name)»; });\n  res.json(found);\n});`,
      findings: [{ messageId: 'blocks', refused: ['callback of `forEach`'] }],
    },
    {
      name: 'a cache per request is none',
      code: `const fs = require('fs');\nconst app = require('express')();\napp.get('/', (req, res) => { req.page ??= «fs.readFileSync(req.path)»; res.send(req.page); });`,
      findings: [{ messageId: 'blocks', refused: REFUSED_EXPRESS }],
    },
    ...fixCases,
  ],
};
