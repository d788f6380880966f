// What other requests may see or change while one waits, beyond variables of the module: globals, names for a part of something shared,
// functions that use it, and what was set for one request.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { FixCase } from '../fix-case.ts';

const APP = "const fs = require('fs');\nconst app = require('express')();\n";
const SERVE = "\nexports.server = require('http').createServer(app);\n";
const READ = "const t = fs.readFileSync(req.query.file ?? 'one.txt', 'utf8');";
/** The fix of a read whose result all requests could share is another one. */
const BIG = "const t = fs.readFileSync(req.query.x ? 'one.txt' : 'two.txt', 'utf8');";

const shares = (name: string, code: string, expect: FixCase['expect'], files: FixCase['files'] = {}): FixCase => ({
  name: `F11: ${name}`,
  files: { ...files, 'main.js': `${APP}${code}${SERVE}` },
  data: { 'one.txt': 'one', 'two.txt': 'two two' },
  rule: 'no-sync-in-handler',
  fix: /^Convert to/,
  expect,
  requests: [{ path: '/?u=0' }, [{ path: '/?u=1' }, { path: '/?u=2&file=two.txt' }, { path: '/?u=3&file=none' }, { path: '/?u=4&x=1' }]],
});

/** One of a thing is left, and it is sold once. */
const sells = (name: string, before: string, ask: string, take: string, files: FixCase['files'] = {}): FixCase =>
  shares(
    name,
    dedent`
      ${before}
      app.get('/', (req, res) => { ${ask} return res.send('none'); ${BIG} ${take} res.send('sold ' + t); });
    `,
    { refused: /outlives the request/ },
    files,
  );

/** A value that a request sets and reads again. */
const setsAndReads = (name: string, before: string, set: string, read: string): FixCase =>
  shares(name, `${before}\napp.get('/', (req, res) => { ${set} ${READ} res.send(t + ${read}); });`, { refused: /outlives the request/ });

export const sharedCases: readonly FixCase[] = [
  sells('a name for a part of it', 'const stock = { a: { n: 1 } };', 'const item = stock.a; if (item.n <= 0)', 'item.n--;'),
  sells(
    'what a getter of another file gives',
    "const { getItem } = require('./stock');",
    "const item = getItem('a'); if (item.n <= 0)",
    'item.n--;',
    { 'stock.js': 'const items = { a: { n: 1 } };\nexports.getItem = (id) => items[id];\n' },
  ),
  shares(
    'what a getter makes for each call',
    dedent`
      const getItem = () => ({ n: 1 });
      app.get('/', (req, res) => { const item = getItem(); item.n += 1; ${BIG} item.n += t.length; res.send('sold ' + item.n); });
    `,
    'same',
  ),
  sells('what a map holds', "const users = new Map([['1', { n: 1 }]]);", "const user = users.get('1'); if (user.n < 1)", 'user.n -= 1;'),
  sells(
    'what a search finds',
    'const items = [{ id: 1, n: 1 }];',
    'const item = items.find((one) => one.id === 1); if (item.n < 1)',
    'item.n--;',
  ),
  sells('a pattern', 'const state = { items: [1] };', 'const { items } = state; if (!items.length)', 'items.pop();'),
  sells(
    'functions that use it',
    dedent`
      let n = 1;
      const available = () => n > 0;
      const take = () => { n--; };
    `,
    'if (!available())',
    'take();',
  ),
  sells(
    'functions of functions that use it',
    dedent`
      let n = 1;
      const peek = () => n;
      const available = () => peek() > 0;
      function take() { n -= 1; }
    `,
    'if (!available())',
    'take();',
  ),
  sells(
    'methods that use it',
    dedent`
      class Stock { n = 1; has() { return this.n > 0; } take() { this.n--; } }
      const stock = new Stock();
    `,
    'if (!stock.has())',
    'stock.take();',
  ),
  sells('a static field', 'class Stock { static n = 1; }', 'if (Stock.n < 1)', 'Stock.n--;'),
  sells("another file's functions", "const stock = require('./stock');", 'if (!stock.available())', 'stock.take();', {
    'stock.js': dedent`
      let n = 1;
      exports.available = () => n > 0;
      exports.take = () => { n--; };
    `,
  }),
  sells('Object.assign', 'const state = { n: 1 };', 'if (!state.n)', 'Object.assign(state, { n: 0 });'),
  sells('a job of a list', 'const jobs = [1];', 'const job = jobs[0]; if (!job)', 'jobs.shift();'),
  shares(
    'each of a list',
    dedent`
      const items = [{ n: 1 }];
      app.get('/', (req, res) => { let sold = 0; for (const item of items) { if (item.n < 1) continue; ${BIG} item.n--; sold += t.length; } res.send('sold ' + sold); });
    `,
    { refused: /`item` outlives the request/ },
  ),
  shares(
    'a lock',
    dedent`
      let busy = false;
      app.get('/', (req, res) => { if (busy) return res.status(409).send('busy'); busy = true; ${BIG} busy = false; res.send(t); });
    `,
    'absent',
  ),
  setsAndReads('global', '', 'global.current = req.query.u;', 'String(global.current)'),
  setsAndReads('globalThis', '', 'globalThis.current = req.query.u;', 'String(globalThis.current)'),
  setsAndReads('an environment variable', '', 'process.env.CURRENT = req.query.u;', 'process.env.CURRENT'),
  setsAndReads('a name that nobody declares', '', 'current = req.query.u;', 'String(current)'),
  setsAndReads('what the application holds', '', 'req.app.locals.u = req.query.u;', 'String(req.app.locals.u)'),
  setsAndReads('a function that sets it', 'let current;\nconst enter = (u) => { current = u; };', 'enter(req.query.u);', 'String(current)'),
  setsAndReads('a buffer', 'const buffer = Buffer.alloc(4);', 'buffer.write(String(req.query.u));', "buffer.toString('latin1', 0, 1)"),
  shares(
    'set by a middleware',
    dedent`
      let current;
      app.use((req, res, next) => { current = req.query.u; next(); });
      app.get('/', (req, res) => { ${READ} res.send(t + String(current)); });
    `,
    { refused: /`current` is set for each request \(line 4\)/ },
  ),
  shares(
    'a member that a middleware sets',
    dedent`
      const state = {};
      app.use((req, res, next) => { state.current = req.query.u; next(); });
      app.get('/', (req, res) => { ${READ} res.send(t + String(state.current)); });
    `,
    { refused: /`state` is set for each request/ },
  ),
  shares(
    'what a middleware takes back',
    dedent`
      let current;
      app.use((req, res, next) => { current = 'in'; next(); current = 'out'; });
      app.get('/', (req, res) => { ${READ} res.send(t + current); });
    `,
    { refused: /`current` is set for each request/ },
  ),
  shares(
    'set by the caller',
    dedent`
      let current;
      function render(file) { return fs.readFileSync(file, 'utf8') + current; }
      app.get('/', (req, res) => { current = req.query.u; res.send(render(req.query.file ?? 'one.txt')); });
    `,
    { refused: /`current` is set for each request/ },
  ),
  shares(
    'set by the caller, and read before',
    dedent`
      let current;
      function render(file) { const own = current; return fs.readFileSync(file, 'utf8') + own; }
      app.get('/', (req, res) => { current = req.query.u; res.send(render(req.query.file ?? 'one.txt')); });
    `,
    'same',
  ),
  shares(
    'another request fills it',
    dedent`
      const store = {};
      app.post('/', (req, res) => { store[req.query.u] = 1; res.send('ok'); });
      app.get('/', (req, res) => { ${READ} res.send(t + store[req.query.u]); });
    `,
    'same',
  ),
  shares(
    'a log on both sides',
    dedent`
      const lines = [];
      const log = (line) => { lines.push(line); };
      app.get('/', (req, res) => { log('a'); ${READ} log('b'); res.send(t); });
    `,
    'same',
  ),
  shares('a number before', `let id = 0;\napp.get('/', (req, res) => { const own = ++id; ${READ} res.send(t + own); });`, 'same'),
  shares(
    'what is filled once',
    dedent`
      let config;
      const load = () => { if (!config) config = { title: 'x' }; return config; };
      app.get('/', (req, res) => { const { title } = load(); ${READ} res.send(t + title + load().title); });
    `,
    'same',
  ),
  shares(
    'an object of its own',
    dedent`
      const make = () => ({ n: 0 });
      app.get('/', (req, res) => { const own = make(); own.n = 1; ${READ} own.n++; res.send(t + own.n); });
    `,
    'same',
  ),
  shares(
    'a file that all requests write and send',
    "app.get('/', (req, res) => { const name = 'temp.json'; fs.writeFileSync(name, JSON.stringify(req.query)); res.download(name); });",
    { refused: /half written/ },
  ),
];
