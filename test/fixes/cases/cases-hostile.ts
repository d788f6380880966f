// Programs that were written to break the fixes: files of other makes, promises that are under way, what belongs to the whole process,
// locks, and code of the project between the framework and its handler.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { PackageManifest } from '../../../protocol/project.ts';
import { EXPRESS_5, type FixCase } from '../fix-case.ts';

const DATA = { 'one.txt': 'one', 'two.txt': 'two two', 'a.json': '{"a":1}', 'folder/b.txt': 'b', 'folder/c.txt': 'cc' };
const REQUESTS = [
  { path: '/?file=one.txt&u=0' },
  { path: '/?file=none&u=1' },
  { path: '/?file=folder' },
  [
    { path: '/?file=one.txt&u=1' },
    { path: '/?file=two.txt&u=2' },
    { path: '/?file=none&u=3' },
    { path: '/?file=a.json&u=4' },
    { path: '/state' },
  ],
];
const CONVERT = /^Convert/;
const APP = "const fs = require('fs');\nconst app = require('express')();\n";
// The text of an error names its path in some versions of Node only.
const BY_CODE = 'app.use((error, req, res, next) => { res.status(500).send(String(error.code ?? error.message)); });';
const END = `
${BY_CODE}
exports.server = require('http').createServer(app);
`;
const READ = "const t = fs.readFileSync(req.query.file, 'utf8');";

const program = (name: string, files: FixCase['files'], more: Partial<FixCase> = {}): FixCase => ({
  name: `hostile: ${name}`,
  files,
  manifest: EXPRESS_5,
  data: DATA,
  rule: 'no-sync-in-handler',
  fix: CONVERT,
  expect: 'same',
  requests: REQUESTS,
  ...more,
});

const express = (name: string, code: string, expect: FixCase['expect'] = 'same', more: Partial<FixCase> = {}): FixCase =>
  program(name, { ...more.files, 'main.js': APP + code + END }, { expect, ...more, files: { ...more.files, 'main.js': APP + code + END } });

const other = (
  name: string,
  dependencies: PackageManifest['dependencies'],
  files: FixCase['files'],
  more: Partial<FixCase> = {},
): FixCase => program(name, files, { manifest: { ...EXPRESS_5, dependencies }, ...more });

const esm = (name: string, code: string, files: FixCase['files'] = {}, fix: FixCase['fix'] = CONVERT): FixCase =>
  program(
    `ES module, ${name}`,
    {
      ...files,
      'app.mjs': dedent`
        import http from 'node:http';
        import express from 'express';
        const app = express();
        ${code}
        ${BY_CODE}
        export const server = http.createServer(app);

      `,
      'main.js': "exports.server = async () => (await import('./app.mjs')).server;\n",
    },
    { fix },
  );

const typescript = (name: string, code: string, more: Partial<FixCase> = {}): FixCase =>
  program(
    `TypeScript, ${name}`,
    {
      'main.ts': dedent`
        import express from 'express';
        import http from 'node:http';
        import fs from 'fs';
        ${code}
        const app = express();
        app.get('/', (req: any, res: any) => files.show(req, res));
        ${BY_CODE.replace('(error, req, res, next)', '(error: any, req: any, res: any, next: any)')}
        export const server = http.createServer(app);

      `,
    },
    { fix: 'callers', ...more },
  );

const koa = (name: string, code: string, expect: FixCase['expect'] = 'same'): FixCase =>
  other(
    `Koa, ${name}`,
    { koa: '^3.0.0' },
    {
      'main.js': dedent`
        const fs = require('fs');
        const Koa = require('koa');
        const app = new Koa();
        app.on('error', () => {});
        ${code}
        exports.server = require('http').createServer(app.callback());

      `,
    },
    { expect },
  );
const KOA_READ = "const t = fs.readFileSync(String(ctx.query.file), 'utf8');";

const fastify = (name: string, code: string): FixCase =>
  other(
    `Fastify, ${name}`,
    { fastify: '^5.0.0' },
    {
      'main.js': dedent`
        const fs = require('fs');
        const app = require('fastify')();
        ${code}
        exports.server = async () => { await app.ready(); return app.server; };

      `,
    },
  );
const FASTIFY_READ = "const t = fs.readFileSync(request.query.file, 'utf8');";

const next = (name: string, body: string): FixCase =>
  other(
    `Next, ${name}`,
    { next: '^15.0.0', react: '^19.0.0' },
    {
      'app/api/files/route.ts': dedent`
        import fs from 'node:fs';
        const fileOf = (request: Request) => String(new URL(request.url).searchParams.get('file'));
        ${body}

      `,
      'main.ts': `const { GET } = module.require(['./app/api/files', 'route'].join('/'));
const ask = async (file: string) => { try { const response = await GET(new Request('http://localhost/?file=' + file)); return [response.status, await response.text()]; } catch (error: any) { return error.code ?? error.name; } };
export const run = async () => [await ask('one.txt'), await ask('none'), await Promise.all([ask('folder'), ask('two.txt'), ask('one.txt')])];
`,
    },
    { requests: [] },
  );

const sets = (name: string, body: string, expect: FixCase['expect'] = 'same', fix = /^Search `?a? ?`Set/): FixCase =>
  program(
    `sets, ${name}`,
    {
      'lib.ts': dedent`
        export function diff(wanted: string[], old: string[], x?: boolean): any {
        ${body}
        }

      `,
      'main.ts': dedent`
          import { diff } from './lib';
          export const run = async () => [diff(['1', '2', '3'], ['2', '3', '4']), diff([], ['2']), diff(['1', '1'], ['1'], true)];

        `,
    },
    { rule: 'no-quadratic', fix, expect, requests: [] },
  );

const PENDING = { refused: /`p` \(line 4\) is a promise that is handled after the call/ };
const WORK = "const work = async (u) => { if (u === '1') throw new Error('bad'); return u; };\n";
const GUARD = 'try { return fn(req, res, next); } catch (e) { res.status(422).send(e.code); }';
const TABS = `app.get('/', (req, res) => {\n\t${READ}\n\tres.send(t);\n});`;
const WHOLE = APP + TABS + END;

export const hostileCases: readonly FixCase[] = [
  express('tabs', TABS),
  program('CRLF', { 'main.js': WHOLE.replaceAll('\n', '\r\n') }),
  program('a byte order mark', { 'main.js': `\uFEFF${WHOLE}` }),
  program('a byte order mark, CRLF, and a directive', { 'main.js': `\uFEFF'use strict';\r\n${WHOLE.replaceAll('\n', '\r\n')}` }),
  program('a hashbang', { 'main.js': `#!/usr/bin/env node\n${WHOLE}` }),
  express(
    'no semicolons, and a bracket that begins a line',
    dedent`
      app.get('/', (req, res) => {
        const a = 1
        const text = fs.readFileSync(req.query.file, 'utf8')
        ;[a].forEach((x) => res.set('x-' + x, String(text.length)))
        res.send(text)
      })
    `,
  ),
  express('a variable named await', `app.get('/', (req, res) => { const await = 1; ${READ} res.send(t + await); });`, {
    refused: /`await` is a variable here \(line 3\)/,
  }),
  express('a function named async', `app.get('/', (req, res) => { const async = (x) => x; ${READ} res.send(async(t)); });`),
  express('eval', `app.get('/', function (req, res) { ${READ} res.send(eval('t')); });`),
  esm(
    'with a wait at the top',
    dedent`
      import fs from 'node:fs';
      const end = await Promise.resolve('!');
      app.get('/', (req, res) => { res.send(fs.readFileSync(req.query.file, 'utf8') + end); });
    `,
  ),
  esm(
    'with createRequire',
    dedent`
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const fs = require('fs');
      app.get('/', (req, res) => { res.send(fs.readFileSync(req.query.file, 'utf8')); });
    `,
  ),
  esm(
    'with a default and a name of fs',
    dedent`
      import fs, { readFileSync } from 'node:fs';
      app.get('/', (req, res) => { res.send(readFileSync(req.query.file, 'utf8') + fs.constants.F_OK); });
    `,
  ),
  esm(
    'with a helper in CommonJS',
    dedent`
      import load from './load.cjs';
      app.get('/', (req, res) => { res.send(load(req.query.file).toUpperCase()); });
    `,
    {
      'load.cjs': dedent`
      const fs = require('fs');
      module.exports = function load(file) { return «fs.readFileSync(file, 'utf8')»; };

    `,
    },
    'callers',
  ),
  typescript(
    'a decorator that catches',
    dedent`
      function catches(target: any, key: string, d: PropertyDescriptor) { const old = d.value; d.value = function (req: any, res: any) { try { return old.call(this, req, res); } catch (error: any) { res.status(404).send(error.code); } }; }
      class Files {
        @catches
        show(req: any, res: any) { res.send(fs.readFileSync(req.query.file, 'utf8')); }
      }
      const files = new Files();
    `,
    { expect: { refused: /`@catches` \(line 6\) may call the method/ } },
  ),
  typescript(
    'a decorator that only notes',
    dedent`
      const noted: string[] = [];
      function note(target: any, key: string) { noted.push(key); }
      class Files {
        @note
        show(req: any, res: any) { res.send(fs.readFileSync(req.query.file, 'utf8') + noted); }
      }
      const files = new Files();
    `,
  ),
  express(
    'arguments',
    dedent`
      function show() { const [req, res] = arguments; res.send(fs.readFileSync(req.query.file, 'utf8') + arguments.length); }
      app.get('/', show);
    `,
  ),
  express(
    'this',
    "app.get('/', function (req, res) { const self = this; res.send(fs.readFileSync(req.query.file, 'utf8') + (self === undefined)); });",
  ),
  express(
    'super in a method',
    dedent`
      class Base { tag() { return '#'; } }
      class Sub extends Base { text(f) { const t = fs.readFileSync(f, 'utf8'); return super.tag() + t; } }
      const s = new Sub();
      app.get('/', (req, res) => res.send(s.text(req.query.file)));
    `,
    'same',
    { fix: 'callers' },
  ),
  express(
    'a method that a base calls',
    dedent`
      const { Base } = require('./base');
      class Sub extends Base { body(f) { return fs.readFileSync(f, 'utf8'); } }
      const s = new Sub();
      app.get('/', (req, res) => res.send(s.render(req.query.file)));
    `,
    { refused: /is a method/ },
    {
      files: {
        'base.js': dedent`
      class Base { body() { return ''; } render(f) { return '<' + this.body(f) + '>'; } }
      exports.Base = Base;

    `,
      },
    },
  ),
  express(
    'a getter',
    dedent`
      class F { constructor(f) { this.f = f; } get text() { return fs.readFileSync(this.f, 'utf8'); } }
      app.get('/', (req, res) => res.send(new F(req.query.file).text));
    `,
    { refused: /a getter cannot be async/ },
  ),
  express(
    'a generator',
    dedent`
      function* parts(f) { yield* fs.readFileSync(f, 'utf8').split(' '); }
      app.get('/', (req, res) => res.send([...parts(req.query.file)].join('-')));
    `,
    { refused: /is a generator/ },
  ),
  express(
    'a default value of a parameter',
    "app.get('/', (req, res, next, text = fs.readFileSync(req.query.file, 'utf8')) => { res.send(text); });",
    { refused: /default value/ },
  ),
  express('a computed key', "app.get('/', (req, res) => { res.send({ [fs.readFileSync(req.query.file, 'utf8')]: 1 }); });"),
  express(
    'a promise under way, which is awaited later',
    `${WORK}app.get('/', async (req, res) => { const p = work(req.query.u); ${READ} try { res.send(t + await p); } catch (e) { res.send(e.message); } });`,
    PENDING,
  ),
  express(
    'a promise under way, with handlers later',
    `${WORK}app.get('/', (req, res) => { const p = work(req.query.u); ${READ} p.then((v) => res.send(t + v), (e) => res.send(e.message)); });`,
    PENDING,
  ),
  express(
    'promises under way',
    `${WORK}app.get('/', async (req, res) => { const p = [work(req.query.u), work('2')]; ${READ} try { res.send(t + await Promise.all(p)); } catch (e) { res.send(e.message); } });`,
    PENDING,
  ),
  express(
    'a promise that is handled before',
    `${WORK}app.get('/', async (req, res) => { const p = work(req.query.u); p.catch(() => {}); await null; ${READ} try { res.send(t + await p); } catch (e) { res.send(e.message); } });`,
  ),
  express(
    'a promise that starts afterwards',
    `${WORK}app.get('/', async (req, res) => { ${READ} const p = work(req.query.u); try { res.send(t + await p); } catch (e) { res.send(e.message); } });`,
  ),
  express(
    'another working directory',
    "app.get('/', (req, res) => { process.chdir('folder'); let t; try { t = fs.readFileSync('b.txt', 'utf8'); } finally { process.chdir('..'); } res.send(t); });",
    { refused: /`process\.chdir` \(line 3\) is for the whole process/ },
  ),
  express(
    'another working directory, by a function',
    dedent`
      const enter = () => process.chdir('folder');
      app.get('/', (req, res) => { enter(); let t; try { t = fs.readFileSync('b.txt', 'utf8'); } finally { process.chdir('..'); } res.send(t); });
    `,
    { refused: /`process\.chdir` \(line 4\)/ },
  ),
  express(
    'the working directory itself',
    "app.get('/', (req, res) => { const folder = process.cwd(); const t = fs.readFileSync(folder + '/' + req.query.file, 'utf8'); res.send(t); });",
  ),
  express(
    'a lock',
    dedent`
      let busy = false;
      app.get('/', (req, res) => { if (busy) return res.status(409).send('busy'); busy = true; try { ${READ} res.send(t); } finally { busy = false; } });
    `,
    { refused: /`busy` outlives the request/ },
  ),
  express(
    'a lock in a set',
    dedent`
      const running = new Set();
      app.get('/', (req, res) => { if (running.has('x')) return res.send('busy'); running.add('x'); try { ${READ} res.send(t); } finally { running.delete('x'); } });
    `,
    { refused: /`running` outlives the request/ },
  ),
  express(
    'a lock of another file',
    dedent`
      const lock = require('./lock');
      app.get('/', (req, res) => { if (!lock.acquire()) return res.send('busy'); ${READ} lock.release(); res.send(t); });
    `,
    { refused: /`lock` outlives the request/ },
    {
      files: {
        'lock.js': dedent`
          let held = false;
          exports.acquire = () => !held && (held = true);
          exports.release = () => { held = false; };

        `,
      },
    },
  ),
  express(
    'a count in a file',
    "app.get('/', (req, res) => { const n = Number(«fs.readFileSync('count.txt', 'utf8')») + 1; fs.writeFileSync('count.txt', String(n)); res.send(String(n)); });",
    { refused: /would lose changes/ },
  ),
  express(
    'a wrapper of another file that catches what is thrown',
    `const guard = require('./guard');\napp.get('/', guard((req, res) => { ${READ} res.send(t); }));`,
    { refused: /`guard` gets the handler/ },
    { files: { 'guard.js': `module.exports = (fn) => function (req, res, next) { ${GUARD} };\n` } },
  ),
  express(
    'a wrapper that catches what is thrown',
    dedent`
      const guard = (fn) => (req, res, next) => { ${GUARD} };
      app.get('/', guard((req, res) => { ${READ} res.send(t); }));
    `,
    { refused: /`guard` gets the handler/ },
  ),
  express(
    'a wrapper that awaits in its try',
    dedent`
      const guard = (fn) => async (req, res, next) => { ${GUARD.replace('return fn', 'return await fn')} };
      app.get('/', guard((req, res) => { ${READ} res.send(t); }));
    `,
  ),
  express(
    'a middleware that catches what is thrown by next',
    dedent`
      app.use((req, res, next) => { try { next(); } catch (e) { res.status(418).send(e.code); } });
      app.get('/', (req, res) => { ${READ} res.send(t); });
    `,
  ),
  express(
    'handlers of one list',
    `app.get('/', [(req, res, next) => { req.t = fs.readFileSync(req.query.file, 'utf8'); next(); }, (req, res) => res.send(req.t)]);`,
  ),
  express(
    'a parameter of the path',
    dedent`
      app.param('f', (req, res, next, f) => { req.t = fs.readFileSync(f, 'utf8'); next(); });
      app.get('/p/:f', (req, res) => res.send(req.t));
    `,
    'same',
    { requests: [{ path: '/p/one.txt' }, { path: '/p/none' }] },
  ),
  express(
    'an answer in finally',
    "app.get('/', (req, res) => { let s = 'a'; try { s += fs.readFileSync(req.query.file, 'utf8'); } finally { res.send(s); } });",
  ),
  express(
    'an answer that the caller looks for',
    dedent`
      function tryFile(req, res) { if (req.query.file === 'none') return; res.send(fs.readFileSync(req.query.file, 'utf8')); }
      app.get('/', (req, res) => { tryFile(req, res); if (!res.headersSent) res.status(404).send('no'); });
    `,
  ),
  express(
    'a helper that calls itself',
    dedent`
      function walk(d) { const out = []; for (const e of «fs.readdirSync(d)») { const p = d + '/' + e; if (fs.statSync(p).isDirectory()) out.push(...walk(p)); else out.push(e); } return out; }
      app.get('/', (req, res) => { res.send(walk(req.query.file).join()); });
    `,
  ),
  express(
    'AsyncLocalStorage',
    dedent`
      const { AsyncLocalStorage } = require('async_hooks');
      const als = new AsyncLocalStorage();
      app.use((req, res, next) => { als.run(req.query.u, next); });
      app.get('/', (req, res) => { ${READ} res.send(t + als.getStore()); });
    `,
  ),
  express(
    'two handlers with the same call',
    dedent`
      app.get('/', (req, res) => { ${READ} res.send(t); });
      app.get('/state', (req, res) => { const file = req.query.file ?? 'one.txt'; ${READ.replace('const t', "if (file === 'one.txt') return res.send('none'); const t")} res.send(t); });
    `,
    'same',
    { fix: /^Convert 2 blocking calls of 2 functions/ },
  ),
  express(
    'a folder and each file in it',
    "app.get('/', (req, res) => { res.json(fs.readdirSync('folder').map((f) => ({ f, n: fs.statSync('folder/' + f).size }))); });",
    'same',
    { fix: /^Convert to promise forms \(2 blocking calls\)/ },
  ),
  koa(
    'an error before and after the read',
    dedent`
      app.use(async (ctx, next) => { try { await next(); } catch (e) { ctx.status = e.status ?? 500; ctx.body = e.code ?? e.message; } });
      app.use((ctx) => { if (ctx.query.u === '2') ctx.throw(403, 'no'); ${KOA_READ} ctx.body = t; });
    `,
  ),
  koa(
    'handlers of the promise of next',
    dedent`
      app.use((ctx, next) => next().then(() => { ctx.body += '!'; }, (e) => { ctx.body = e.code; }));
      app.use((ctx) => { ${KOA_READ} ctx.body = t; });
    `,
  ),
  koa('an answer of its own', `app.use((ctx) => { ctx.respond = false; ${KOA_READ} ctx.res.end(t); });`),
  koa(
    'a body that is a stream',
    "app.use((ctx) => { ctx.body = fs.createReadStream('one.txt'); ctx.length = fs.readFileSync(String(ctx.query.file)).length; });",
  ),
  fastify(
    'a hook',
    dedent`
      app.addHook('preHandler', async (request, reply) => { ${FASTIFY_READ} request.t = t; });
      app.get('/', (request, reply) => { reply.send(request.t); });
    `,
  ),
  fastify(
    'a reply in a loop',
    "app.get('/', (request, reply) => { for (const f of [request.query.file, 'one.txt']) { const t = fs.readFileSync(f, 'utf8'); if (t.length > 2) { reply.send(t); return; } } reply.code(404).send('none'); });",
  ),
  fastify(
    'a plugin',
    `app.register((instance, opts, done) => { instance.get('/', (request, reply) => { ${FASTIFY_READ} reply.send(t); }); done(); });`,
  ),
  other(
    'hapi, takeover',
    { '@hapi/hapi': '^21.0.0' },
    {
      'main.js': dedent`
          const fs = require('fs');
          const Hapi = require('@hapi/hapi');
          const server = Hapi.server({ autoListen: false, debug: false });
          server.route({ method: 'GET', path: '/', handler: (request, h) => { const t = fs.readFileSync(request.query.file, 'utf8'); return h.response(t).code(201).takeover(); } });
          exports.server = async () => { await server.initialize(); return server.listener; };

        `,
    },
  ),
  other(
    'node:http, a class of its own',
    {},
    {
      'main.js': dedent`
          const http = require('http');
          const fs = require('fs');
          class Server extends http.Server { constructor() { super(); this.on('request', this.answer); } answer(req, res) { res.end(fs.readFileSync('one.txt', 'utf8')); } }
          exports.server = new Server();

        `,
    },
    { expect: { refused: /`express` is not among the dependencies/ } },
  ),
  other(
    'node:http, a body that is read first',
    {},
    {
      'main.js': dedent`
          const fs = require('fs');
          exports.server = require('http').createServer(async (req, res) => { let b = ''; for await (const c of req) b += c; try { res.end(b + fs.readFileSync(req.url.slice(1), 'utf8')); } catch (e) { res.end(e.code); } });

        `,
    },
    {
      requests: [
        { path: '/one.txt', method: 'POST', body: 'x' },
        { path: '/none', method: 'POST', body: 'x' },
      ],
    },
  ),
  next(
    'a list of exports',
    dedent`
      function GET(request: Request) { return new Response(fs.readFileSync(fileOf(request), 'utf8')); }
      export { GET };
    `,
  ),
  next(
    'a typed constant',
    "export const GET = (request: Request): Response => { return new Response(fs.readFileSync(fileOf(request), 'utf8')); };",
  ),
  next(
    'an error that is caught',
    "export function GET(request: Request) { try { return new Response(fs.readFileSync(fileOf(request), 'utf8')); } catch (e) { return new Response((e as NodeJS.ErrnoException).code, { status: 404 }); } }",
  ),
  sets(
    'what is new and what is gone',
    '  const added = wanted.filter((id) => !old.includes(id));\n  const gone = old.filter((id) => !wanted.includes(id));\n  return [added, gone];',
  ),
  sets('one list twice in a statement', '  return wanted.every((id) => old.includes(id)) ? wanted.filter((id) => old.includes(id)) : [];'),
  sets(
    'one list in two statements',
    '  const a = wanted.filter((id) => old.includes(id));\n  const b = wanted.filter((id) => !old.includes(id));\n  return [a, b];',
  ),
  sets(
    'one list, changed between',
    "  const a = wanted.filter((id) => old.includes(id));\n  old.push('3');\n  const b = wanted.filter((id) => old.includes(id));\n  return [a, b];",
    { refused: /`old` is searched again on line 4/ },
  ),
  sets(
    'another list of the same name',
    "  const added = wanted.filter((id) => !old.includes(id));\n  const f = (old: string[]) => wanted.filter((id) => !old.includes(id));\n  return [added, f(['1'])];",
  ),
];
