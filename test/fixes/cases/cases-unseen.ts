// What a fix could change that no reader has seen yet: an answer, an order, an error that is lost, a start.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { FixCase } from '../fix-case.ts';
import { EXPRESS_4, EXPRESS_5 } from '../fix-case.ts';

const APP = dedent`
  const fs = require('fs')
  const path = require('path')
  const app = require('express')()

`;
const SERVE = "\nexports.server = require('http').createServer(app)\n";
const DATA = { 'page.txt': 'page', 'other.txt': 'other', 'list.json': '[3,1,2]' };
const GETS: FixCase['requests'] = [{ path: '/' }, { path: '/?x=1' }, [{ path: '/' }, { path: '/?x=1' }], { path: '/?x=none' }];

const one = (
  rule: string,
  fix: FixCase['fix'],
  name: string,
  code: string,
  expect: FixCase['expect'],
  more: Partial<FixCase> = {},
): FixCase => ({
  name: `unseen: ${name}`,
  files: { 'main.js': `${APP}${code}${SERVE}` },
  data: DATA,
  rule,
  fix,
  expect,
  requests: GETS,
  ...more,
});
const sync = (name: string, code: string, expect: FixCase['expect'], more: Partial<FixCase> = {}): FixCase =>
  one('no-sync-in-handler', /^Convert/, name, code, expect, more);
const built = (name: string, code: string, expect: FixCase['expect'], more: Partial<FixCase> = {}): FixCase =>
  one('no-setup-per-request', /^(?:Build it once|Create it on first use)/, name, code, expect, more);
const kept = (name: string, code: string, expect: FixCase['expect'], more: Partial<FixCase> = {}): FixCase =>
  one('no-sync-in-handler', /^(?:Keep what|Read (?:it|\d files) once)/, name, code, expect, more);
const together = (name: string, code: string, expect: FixCase['expect'], more: Partial<FixCase> = {}): FixCase =>
  one('no-sequential-await', /^Start them together/, name, code, expect, more);

const FILE = "req.query.x === 'none' ? 'none.txt' : req.query.x ? 'page.txt' : 'other.txt'";

export const unseenCases: readonly FixCase[] = [
  sync(
    'a thenable that the caller compares',
    dedent`
      function load(name) { return fs.readFileSync(name, 'utf8') }
      app.get('/', (req, res) => { const text = load(${FILE}); res.send(text === 'page' ? 'is page' : 'is not') })
    `,
    'same',
    { manifest: EXPRESS_5 },
  ),
  sync(
    'a finally that answers',
    `app.get('/', (req, res) => { let text = 'none'; try { text = fs.readFileSync(${FILE}, 'utf8') } catch (e) { text = e.code } finally { res.send(text) } })`,
    'same',
    { manifest: EXPRESS_4 },
  ),
  sync(
    'an error handler of express 4 after an error',
    dedent`
      app.get('/', (req, res) => { res.send(fs.readFileSync(${FILE}, 'utf8')) })
      app.use((error, req, res, next) => { res.status(500).send('handled ' + error.code) })
    `,
    'same',
    { manifest: EXPRESS_4 },
  ),
  sync(
    'next is called after the answer begins',
    `app.get('/', (req, res, next) => { res.write('a'); res.write(fs.readFileSync(${FILE}, 'utf8')); next() }, (req, res) => { res.end('b') })`,
    'same',
    { manifest: EXPRESS_4, requests: [{ path: '/' }, { path: '/?x=1' }] },
  ),
  sync(
    'a default parameter that reads',
    dedent`
      function page(name, text = fs.readFileSync(name, 'utf8')) { return text.length }
      app.get('/', (req, res) => { res.send(String(page(${FILE}))) })
    `,
    { refused: /./ },
    { manifest: EXPRESS_5 },
  ),
  sync(
    'a getter',
    dedent`
      class Page { constructor(name) { this.name = name } get text() { return «fs.readFileSync(this.name, 'utf8')» } }
      app.get('/', (req, res) => { res.send(new Page(${FILE}).text) })
    `,
    { refused: /./ },
    { manifest: EXPRESS_5 },
  ),
  sync(
    'a static method that a callback of sort uses',
    dedent`
      class Pages { static size(name) { return «fs.statSync(name).size» } }
      app.get('/', (req, res) => { res.json(['page.txt', 'other.txt'].sort((a, b) => Pages.size(a) - Pages.size(b))) })
    `,
    { refused: /./ },
    { manifest: EXPRESS_5 },
  ),
  sync(
    'a counter of requests that are running',
    dedent`
      let running = 0
      app.get('/', (req, res) => { running += 1; const text = fs.readFileSync(${FILE}, 'utf8'); running -= 1; res.send(text + running) })
    `,
    { refused: /./ },
    { manifest: EXPRESS_5 },
  ),
  sync(
    'res.headersSent after the read',
    `app.get('/', (req, res) => { setImmediate(() => { if (!res.headersSent) res.status(503).send('late') }); const text = fs.readFileSync(${FILE}, 'utf8'); res.send(text) })`,
    { refused: /./ },
    { manifest: EXPRESS_5, requests: [{ path: '/' }, { path: '/?x=1' }] },
  ),
  sync(
    'middleware order: a value that the next one needs',
    dedent`
      app.use((req, res, next) => { req.page = fs.readFileSync('page.txt', 'utf8') + req.path; next() })
      app.get('/', (req, res) => { res.send(req.page) })
    `,
    'same',
    { manifest: EXPRESS_4 },
  ),
  kept(
    'parsed lines that each request sorts',
    "app.get('/', (req, res) => { const list = JSON.parse(fs.readFileSync('list.json', 'utf8')); const first = list[0]; list.sort(); res.json([first, list]) })",
    { refused: /would still parse the text/ },
  ),
  kept(
    'a read that a condition of the time chooses',
    dedent`
      let n = 0
      app.get('/', (req, res) => { n += 1; res.send(n > 1 ? fs.readFileSync('page.txt', 'utf8') : 'first') })
    `,
    'same',
  ),
  kept(
    'a subarray of the bytes, which is changed',
    "app.get('/', (req, res) => { const part = fs.readFileSync('page.txt').subarray(0, 2); part[0] += 1; res.send(String(part)) })",
    { refused: /may change/ },
  ),
  kept(
    'bytes that a view of them changes',
    "app.get('/', (req, res) => { const bytes = fs.readFileSync('page.txt'); const view = new DataView(bytes.buffer, bytes.byteOffset); view.setInt8(0, view.getInt8(0) + 1); res.send(String(bytes)) })",
    { refused: /may change/ },
  ),
  kept(
    'bytes that an answer takes, and that are changed later',
    "app.get('/', (req, res) => { const bytes = fs.readFileSync('page.txt'); res.send(bytes); bytes.fill(88) })",
    { refused: /may change/ },
  ),
  kept(
    'bytes in an object',
    "app.get('/', (req, res) => { const page = { bytes: fs.readFileSync('page.txt') }; page.bytes[0] += 1; res.send(String(page.bytes)) })",
    { refused: /may change/ },
  ),
  kept(
    'bytes that a destructuring takes',
    "app.get('/', (req, res) => { const { buffer, byteOffset } = fs.readFileSync('page.txt'); const view = new Uint8Array(buffer, byteOffset, 4); view[0] += 1; res.send(String.fromCharCode(...view)) })",
    { refused: /may change/ },
  ),
  together(
    'a second read that the failure of the first prevents',
    dedent`
      const db = require('./db')
      app.get('/', async (req, res) => { try { const a = await db.query('SELECT ' + (req.query.x ?? 0)); const b = await db.query('SELECT 2'); res.json([a, b]) } catch (e) { res.status(500).send(e.message) } })
    `,
    'same',
    {
      data: { 'db.js': "exports.query = async (sql) => { if (sql.endsWith('0')) throw new Error('no such row'); return sql }" },
      requests: [{ path: '/' }, { path: '/?x=1' }, { path: '/?x=10' }],
    },
  ),

  sync(
    'a callback of res.format',
    `app.get('/', (req, res) => { res.format({ text: () => { res.send(«fs.readFileSync(${FILE}, 'utf8')») } }) })`,
    { refused: /./ },
    { manifest: EXPRESS_4 },
  ),
  sync(
    'a parameter of the router',
    dedent`
      app.param('name', (req, res, next, name) => { req.text = fs.readFileSync(name + '.txt', 'utf8'); next() })
      app.get('/:name', (req, res) => { res.send(req.text) })
    `,
    { refused: /Express before 5 does not catch/ },
    { manifest: EXPRESS_4, requests: [{ path: '/page' }, { path: '/none' }] },
  ),
  sync(
    'the error handler itself',
    dedent`
      app.get('/', () => { throw new Error('broken') })
      app.use((error, req, res, next) => { res.status(500).send(error.message + fs.readFileSync(${FILE}, 'utf8')) })
    `,
    { refused: /Express before 5 does not catch/ },
    { manifest: EXPRESS_4 },
  ),
  sync(
    'a value of next that is no error',
    dedent`
      app.get('/', (req, res, next) => { if (req.query.x === '1') throw 'route'; res.send(fs.readFileSync(${FILE}, 'utf8')) })
      app.get('/', (req, res) => res.send('second'))
    `,
    'same',
    { manifest: EXPRESS_4 },
  ),
  sync(
    'a wrapper that looks at the answer of the handler',
    dedent`
      const wrap = (fn) => (req, res, next) => { const done = fn(req, res); if (done !== undefined) res.send(String(done)); else next() }
      app.get('/', wrap((req) => fs.readFileSync(${FILE}, 'utf8')))
    `,
    { refused: /./ },
    { manifest: EXPRESS_4 },
  ),
  sync(
    'a read in a log line behind the answer',
    `app.get('/', (req, res) => { res.send('ok'); if (fs.readFileSync(${FILE}, 'utf8') === 'page') res.locals.page = true })`,
    'same',
    { manifest: EXPRESS_5 },
  ),
  sync(
    'a list of results that callers change',
    dedent`
      const seen = []
      app.get('/', (req, res) => { seen.push(req.query.x ?? 'first'); const text = fs.readFileSync(${FILE}, 'utf8'); res.json([seen.at(-1), text]) })
    `,
    { refused: /./ },
    { manifest: EXPRESS_5 },
  ),
  built(
    'a default of zod that a handler changes',
    dedent`
      const { z } = require('zod')
      app.get('/', (req, res) => { const schema = z.object({ x: z.string().optional(), list: z.any().default({ of: { all: [] } }) }); const value = schema.parse(req.query); value.list.of.all.push(1); res.json(value) })
    `,
    { refused: /a default in it is an object/ },
    { manifest: { dependencies: { zod: '^4.0.0', express: '^5.0.0' } } },
  ),
  built(
    'a default of zod that is a text',
    dedent`
      const { z } = require('zod')
      app.get('/', (req, res) => { const schema = z.object({ x: z.string().default('none') }); res.json(schema.parse(req.query)) })
    `,
    'same',
    { manifest: { dependencies: { zod: '^4.0.0', express: '^5.0.0' } } },
  ),
];
