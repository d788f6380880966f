// Blocking calls that become awaits: who calls the function, and who gets its errors.
import { dedent } from '../../../analysis/testing/dedent.ts';
import { EXPRESS_4, EXPRESS_5, type FixCase } from '../fix-case.ts';

const RULE = 'no-sync-in-handler';
const FIX = /^Convert to/;
const FS = "const fs = require('fs');\n";
const APP = `${FS}const app = require('express')();\n`;
const SERVE = "\nexports.server = require('http').createServer(app);\n";
const JSON_FILE = { 'data.json': '{"a":1}', 'broken.json': '{' };

const refuses = (name: string, reason: RegExp, code: string): FixCase => ({
  name,
  files: { 'main.js': APP + code },
  manifest: EXPRESS_4,
  rule: RULE,
  fix: FIX,
  expect: { refused: reason },
});

export const asyncCases: readonly FixCase[] = [
  refuses(
    'the place of another use is named: a value',
    /^`load` is passed as a value, and its callers are unknown \(line 5\)\. Call it by its name/,
    dedent`
      function load(name) { return «fs.readFileSync(name, 'utf8')»; }
      app.get('/', (req, res) => { res.send(load(req.query.name)); });
      exports.all = (names) => Object.values(names).forEach(load);
    `,
  ),
  refuses(
    'the place of another use is named: startup',
    /^`load` is also called at startup, at the top level \(line 5\)\. Use a function of its own there$/,
    dedent`
      function load(name) { return «fs.readFileSync(name, 'utf8')»; }
      app.get('/', (req, res) => { res.send(load(req.query.name)); });
      const first = load('data.json');
      exports.first = first;
    `,
  ),
  refuses(
    'the place of a caller that cannot wait is named',
    /^line 4: a getter cannot be async\. Make it a method$/,
    dedent`
      function load(name) { return «fs.readFileSync(name, 'utf8')»; }
      class Page { get text() { return load('data.json'); } }
      app.get('/', (req, res) => { res.send(new Page().text); });
    `,
  ),
  refuses(
    'half of the calls: another one is in a callback',
    /^`fs\.readFileSync` on line 4 is in a callback that cannot wait, and would still block\. Convert both, or neither$/,
    dedent`
      app.get('/', (req, res) => {
        const name = «fs.readdirSync(String(req.query.folder))».find((one) => JSON.parse(fs.readFileSync(one, 'utf8')).id === req.query.id);
        res.send(name);
      });
    `,
  ),
  refuses(
    'half of the calls: another one cannot be converted',
    /^`fs\.readFileSync` on line 5 cannot be converted, and would still block\. Convert both, or neither$/,
    dedent`
      app.get('/', (req, res) => {
        const size = «fs.statSync(String(req.query.a))».size;
        const text = fs.readFileSync(Number(req.query.fd), 'utf8') + fs.readFileSync(0, 'utf8');
        res.send(text + size);
      });
    `,
  ),
  refuses(
    'JSON that other code may read while it is written',
    /is written as JSON, which other code may read again/,
    dedent`
      app.post('/', (req, res) => {
        const target = 'data/' + req.query.name + '.json';
        «fs.writeFileSync(target, JSON.stringify(req.query))»;
        res.end();
      });
    `,
  ),
  {
    name: 'fs that is loaded under a condition, as in code for browsers and servers',
    files: {
      'main.js': dedent`
        const app = require('express')();
        if (typeof window === 'undefined') {
          const fs = require('fs');
          const folder = 'data/new';
          app.get('/', (req, res) => {
            if (!fs.existsSync(folder)) fs.mkdirSync(folder, { recursive: true });
            res.send(«fs.readFileSync(String(req.query.name), 'utf8')»);
          });
        }
        app.use((error, req, res, next) => { res.status(500).send(error.code); });${SERVE}
      `,
    },
    data: JSON_FILE,
    rule: RULE,
    fix: /^Convert/,
    expect: 'same',
    requests: [{ path: '/?name=data.json' }, { path: '/?name=none' }],
  },
  {
    name: 'a function that the file has promisified',
    files: {
      'main.js': dedent`
        const { readFile: _readFile, readFileSync } = require('fs');
        const { promisify } = require('util');
        const app = require('express')();
        const readFile = promisify(_readFile);
        app.get('/a', async (req, res) => { res.send(await readFile('data.json', 'utf8')); });
        app.get('/', (req, res) => { res.send(«readFileSync(String(req.query.name), 'utf8')»); });
        app.use((error, req, res, next) => { res.status(500).send(error.code); });${SERVE}
      `,
    },
    data: JSON_FILE,
    rule: RULE,
    fix: FIX,
    expect: 'same',
    requests: [{ path: '/?name=data.json' }, { path: '/?name=none' }, { path: '/a' }],
  },
  {
    name: 'fs that the function itself loads',
    files: {
      'main.js': dedent`
        const app = require('express')();
        app.get('/', (req, res, next) => {
          try {
            const fs = require('fs');
            res.send(«fs.readFileSync(String(req.query.name), 'utf8')»);
          } catch (error) { next(error); }
        });
        app.use((error, req, res, next) => { res.status(500).send(error.code); });${SERVE}
      `,
    },
    manifest: EXPRESS_4,
    data: JSON_FILE,
    rule: RULE,
    fix: FIX,
    expect: 'same',
    requests: [{ path: '/?name=data.json' }, { path: '/?name=none' }],
  },
  {
    name: 'half of the calls: a check that has to stay is none',
    files: {
      'main.js': dedent`
        ${APP}app.get('/', (req, res, next) => {
          const name = String(req.query.name);
          if (!fs.existsSync(name)) return res.status(404).send('none');
          try { res.send(«fs.readFileSync(name, 'utf8')»); } catch (error) { next(error); }
        });
        app.use((error, req, res, next) => { res.status(500).send(error.code); });${SERVE}
      `,
    },
    manifest: EXPRESS_4,
    data: JSON_FILE,
    rule: RULE,
    fix: FIX,
    expect: 'same',
    requests: [{ path: '/?name=data.json' }, { path: '/?name=none' }, { path: '/?name=.' }],
  },
  {
    name: 'a function that answers by a callback, which a package gets',
    files: {
      'main.js': dedent`
        ${APP}const multer = require('multer');
        const storage = multer.diskStorage({
          destination: (req, file, cb) => { «fs.mkdirSync(req.query.folder)»; cb(null, req.query.folder); },
        });
        app.post('/', multer({ storage }).single('file'), (req, res) => { res.send('ok'); });
      `,
    },
    manifest: EXPRESS_5,
    rule: RULE,
    fix: 'callers',
    expect: { refused: /answers by `cb`/ },
  },
  {
    name: 'Express 4: only what the catch calls may throw, and it does',
    files: {
      'main.js': dedent`
        ${APP}const log = (error) => { if (error.code !== 'ENOENT') throw new RangeError(error.message); };
        app.get('/', (req, res) => {
          try {
            res.json(JSON.parse(«fs.readFileSync(req.query.name, 'utf8')»));
          } catch (err) {
            log(err);
            res.status(404).send('none');
          }
        });
        app.use((error, req, res, next) => { res.status(500).send(error.name); });
        ${SERVE}
      `,
    },
    manifest: EXPRESS_4,
    data: JSON_FILE,
    rule: RULE,
    fix: FIX,
    expect: 'same',
    requests: [{ path: '/?name=data.json' }, { path: '/?name=none.json' }, { path: '/?name=broken.json' }, { path: '/' }],
  },
  {
    name: 'F1: a check that another file negates',
    files: {
      'allow.js': dedent`
        ${FS}function isAllowed(req) { return «fs.readFileSync('./allow.txt', 'utf8')».split('\\n').includes(req.query.user); }
        module.exports = { isAllowed };
      `,
      'main.js': dedent`
        const app = require('express')();
        const { isAllowed } = require('./allow');
        app.get('/', (req, res) => { if (!isAllowed(req)) return res.status(403).send('no'); res.send('secret'); });
        ${SERVE}
      `,
    },
    rule: RULE,
    fix: FIX,
    expect: { refused: /callers in other files/ },
  },
  {
    name: 'F1: the same check with all callers',
    files: {
      'allow.js': dedent`
        ${FS}function isAllowed(req) { return «fs.readFileSync('./allow.txt', 'utf8')».split('\\n').includes(req.query.user); }
        module.exports = { isAllowed };
      `,
      'main.js': dedent`
        const app = require('express')();
        const { isAllowed } = require('./allow');
        app.get('/', (req, res) => { if (!isAllowed(req)) return res.status(403).send('no'); res.send('secret'); });
        ${SERVE}
      `,
    },
    data: { 'allow.txt': 'ann\nbob' },
    rule: RULE,
    fix: 'callers',
    expect: 'same',
    requests: [{ path: '/?user=eve' }, { path: '/?user=bob' }, { path: '/' }, [{ path: '/?user=eve' }, { path: '/?user=ann' }]],
  },
  {
    name: 'callers that return the promise: as it is, in a try, and after something else',
    files: {
      'size.js': dedent`
        ${FS}function load(name) {
          return «fs.readFileSync(name, 'utf8')».length;
        }
        exports.getSize = function getSize(name) {
          return load(name);
        };
        exports.plain = async (name) => {
          return load(name);
        };
        exports.safe = async (name) => {
          try {
            return load(name);
          } catch {
            return -1;
          }
        };
      `,
      'main.js': dedent`
        const app = require('express')();
        const { getSize, plain, safe } = require('./size');
        app.get('/', (req, res) => { res.json(getSize(String(req.query.name))); });
        app.get('/plain', async (req, res) => { res.json(await plain(String(req.query.name))); });
        app.get('/safe', async (req, res) => { res.json(await safe(String(req.query.name))); });
        app.use((error, req, res, next) => { res.status(500).send(error.code); });
        exports.server = require('http').createServer(app);
      `,
    },
    rule: RULE,
    fix: 'callers',
    expect: 'same',
    data: { 'data.json': '{}' },
    requests: [
      { path: '/?name=data.json' },
      { path: '/?name=none' },
      { path: '/plain?name=data.json' },
      { path: '/plain?name=none' },
      { path: '/safe?name=data.json' },
      { path: '/safe?name=none' },
    ],
  },
  {
    name: 'a caller that only passes the result on',
    files: {
      'size.js': dedent`
        ${FS}const getSize = (name) => {
          let size = 0;
          for (const part of [name, 'data.json']) size += «fs.readFileSync(part, 'utf8')».length;
          return size;
        };
        exports.getSize = (name) => getSize(name);
      `,
      'main.js': dedent`
        const app = require('express')();
        const { getSize } = require('./size');
        app.get('/', (req, res) => { res.json(getSize(String(req.query.name))); });
        app.use((error, req, res, next) => { res.status(500).send(error.code); });
        ${SERVE}
      `,
    },
    data: JSON_FILE,
    rule: RULE,
    fix: 'callers',
    expect: 'same',
    requests: [{ path: '/?name=data.json' }, { path: '/?name=none' }],
  },
  {
    name: 'a test that replaces the call',
    files: {
      'size.js': dedent`
        ${FS}exports.getSize = (name) => «fs.readFileSync(name, 'utf8')».length;
      `,
      'main.js': dedent`
        const app = require('express')();
        const { getSize } = require('./size');
        app.get('/', (req, res) => { res.json(getSize(String(req.query.name))); });
        ${SERVE}
      `,
      'test/size.test.js': dedent`
        const fs = require('fs');
        const { getSize } = require('../size');
        it('reads', () => { jest.spyOn(fs, 'readFileSync').mockReturnValue('abc'); expect(getSize('x')).toBe(3); });
      `,
    },
    rule: RULE,
    fix: 'callers',
    expect: { refused: /^a test replaces `readFileSync`/ },
  },
  {
    name: 'with all callers: a folder is made under a check that stays',
    files: {
      'save.js': dedent`
        ${FS}exports.save = (folder, name, text) => {
          if (!fs.existsSync(folder)) «fs.mkdirSync(folder, { recursive: true })»;
          fs.writeFileSync(folder + '/' + name, text);
        };
      `,
      'main.js': dedent`
        const app = require('express')();
        const { save } = require('./save');
        app.get('/', (req, res) => { save(String(req.query.folder), 'one.txt', '1'); res.send('ok'); });
        ${SERVE}
      `,
    },
    rule: RULE,
    fix: 'callers',
    expect: { refused: /^`existsSync` on line 3 would still block on each request\. `mkdir` with `recursive` needs no check/ },
  },
  {
    name: 'a child process beside a folder that is made under a check that stays',
    files: {
      'main.js': dedent`
        ${APP}const { execFileSync } = require('child_process');
        app.get('/', (req, res) => {
          const folder = String(req.query.folder);
          if (!fs.existsSync(folder)) «fs.mkdirSync(folder, { recursive: true })»;
          res.send(execFileSync('ls', [folder]));
        });
        ${SERVE}
      `,
    },
    rule: RULE,
    fix: FIX,
    expect: { refused: /^`existsSync` on line 6 would still block on each request/ },
  },
  {
    name: 'F1: a check with the parameters of a handler',
    files: {
      'main.js':
        APP +
        dedent`
        exports.isAllowed = function (req, res) { res.set('x-a', '1'); return «fs.readFileSync(req.query.file, 'utf8')» === '1'; };
        ${SERVE}
      `,
      'gate.js': 'exports.gateOf = (checks) => checks.isAllowed;\n',
    },
    rule: RULE,
    fix: FIX,
    expect: { refused: /other files/ },
  },
  {
    name: 'F1: a registered function that is also asked',
    files: {
      'main.js':
        APP +
        dedent`
        const isAllowed = (req, res) => { if (res.locals.asked) return fs.readFileSync('allow.txt', 'utf8').includes(req.query.user); res.send('use /'); };
        app.get('/check', isAllowed);
        app.get('/', (req, res) => { res.locals.asked = true; if (!isAllowed(req, res)) return res.status(403).send('no'); res.send('secret'); });
        ${SERVE}
      `,
    },
    data: { 'allow.txt': 'ann\nbob' },
    rule: RULE,
    fix: FIX,
    expect: { refused: /also calls it without awaiting/ },
    requests: [{ path: '/?user=eve' }, { path: '/?user=bob' }, { path: '/check' }],
  },
  ...[
    [
      'a try around the read alone',
      "let t; try { t = fs.readFileSync(req.query.file, 'utf8'); } catch { t = '{}'; } res.json(JSON.parse(t));",
    ],
    [
      'a catch that throws',
      "try { res.json(fs.readFileSync(req.query.file, 'utf8')); } catch (error) { throw new Error('no', { cause: error }); }",
    ],
    [
      'a catch that calls what may throw',
      "try { res.json(fs.readFileSync(req.query.file, 'utf8')); } catch (error) { res.json(JSON.parse(req.query.fallback)); }",
    ],
    ['two reads, one after the other', "res.json([fs.readFileSync(req.query.file, 'utf8'), fs.readFileSync('data.json', 'utf8').length]);"],
    [
      'a template over several lines',
      dedent`
      const text = \`a
        \${fs.readFileSync(req.query.file, 'utf8')}
          b\`;
        res.send(text);

    `,
    ],
  ].map(
    ([what = '', body = '']): FixCase => ({
      name: `F2: ${what}, passed to next`,
      files: {
        'main.js': `${APP}app.get('/', (req, res) => {${body.endsWith('\n') ? '\n  ' : ' '}${body}${body.endsWith('\n') ? '' : ' '}});
app.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });${SERVE}`,
      },
      manifest: EXPRESS_4,
      data: JSON_FILE,
      rule: RULE,
      fix: /passed to `next`/,
      expect: 'same',
      requests: [
        { path: '/?file=data.json' },
        { path: '/?file=broken.json' },
        { path: '/?file=none' },
        { path: '/?file=none&fallback=1' },
        { path: '/' },
        [{ path: '/?file=data.json' }, { path: '/?file=none' }],
      ],
    }),
  ),
  refuses(
    'F2: a handler whose next is something else',
    /Express before 5/,
    "app.get('/', (req, res) => { const next = req.query.next; res.send(fs.readFileSync(next)); });",
  ),
  {
    name: 'F2: a try around all of it',
    files: {
      'main.js': `${APP}app.get('/', (req, res, next) => { const { file } = req.query; try { res.json(JSON.parse(fs.readFileSync(file, 'utf8'))); } catch (error) { next(error); } });
app.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });${SERVE}`,
    },
    manifest: EXPRESS_4,
    data: JSON_FILE,
    rule: RULE,
    fix: FIX,
    expect: 'same',
    requests: [{ path: '/?file=data.json' }, { path: '/?file=broken.json' }, { path: '/?file=none' }, { path: '/' }],
  },
  {
    name: 'F2: a try around all of it, with simple reads before',
    files: {
      'main.js': `${APP}app.get('/', (req, res, next) => { const file = req.query.file; try { res.json(JSON.parse(fs.readFileSync(file, 'utf8'))); } catch (error) { next(error); } });
app.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });${SERVE}`,
    },
    manifest: EXPRESS_4,
    data: JSON_FILE,
    rule: RULE,
    fix: FIX,
    expect: 'same',
    requests: [{ path: '/?file=data.json' }, { path: '/?file=broken.json' }, { path: '/?file=none' }, { path: '/' }],
  },
  refuses(
    'F3: a wrapper that is not async, by the name of one that is',
    /Express before 5/,
    dedent`
      const wrap = (fn) => (req, res, next) => { try { fn(req, res, next); } catch (error) { next(error); } };
      app.get('/', wrap((req, res) => { res.send(fs.readFileSync(req.query.file)); }));
    `,
  ),
  refuses(
    'F3: telemetry',
    /Express before 5/,
    dedent`
      const telemetry = (fn) => (req, res, next) => { const t = Date.now(); fn(req, res, next); console.log(Date.now() - t); };
      app.get('/', telemetry((req, res) => { res.send(fs.readFileSync(req.query.file)); }));
    `,
  ),
  refuses(
    'F3: country, from another file',
    /Express before 5/,
    dedent`
      const country = require('./country');
      app.get('/', country((req, res) => { res.send(fs.readFileSync(req.query.file)); }));
    `,
  ),
  {
    name: 'F3: Express 5 with a wrapper that drops the promise',
    files: {
      'main.js': `${APP}const wrap = (fn) => (req, res, next) => { try { fn(req, res, next); } catch (error) { next(error); } };
app.get('/', wrap((req, res) => { res.send(fs.readFileSync(req.query.file)); }));`,
    },
    rule: RULE,
    fix: FIX,
    expect: { refused: /gets the handler/ },
  },
  ...[
    'const asyncly = (fn) => (req, res, next) => { Promise.resolve(fn(req, res, next)).catch(next); };',
    'const asyncly = (fn) => async (req, res, next) => { try { await fn(req, res, next); } catch (error) { next(error); } };',
    'const asyncly = (fn) => function (req, res, next) { return Promise.resolve().then(() => fn.call(this, req, res, next)).catch(next); };',
    'const asyncly = (fn) => (req, res, next) => fn(req, res, next);',
  ].map(
    (wrapper, at): FixCase => ({
      name: `F3: a wrapper that catches or returns, ${at + 1}`,
      files: {
        'main.js': `${APP}${wrapper}
app.get('/', asyncly((req, res) => { res.send(fs.readFileSync(req.query.file, 'utf8')); }));
app.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });${SERVE}`,
      },
      data: JSON_FILE,
      rule: RULE,
      fix: FIX,
      expect: 'same',
      requests: [{ path: '/?file=data.json' }, { path: '/?file=none' }, [{ path: '/?file=broken.json' }, { path: '/?file=none' }]],
    }),
  ),
  {
    name: 'all blocking calls of a handler at once',
    files: {
      'main.js': `${APP}app.get('/', (req, res) => {
  const { size } = fs.statSync(req.query.file);
  const text = fs.readFileSync(req.query.file, 'utf8');
  res.json({ size, text, other: fs.readFileSync('data.json', 'utf8') });
});
app.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });${SERVE}`,
    },
    data: JSON_FILE,
    rule: RULE,
    fix: /^Convert 3 blocking calls/,
    expect: 'same',
    requests: [
      { path: '/?file=data.json' },
      { path: '/?file=none' },
      { path: '/' },
      [{ path: '/?file=data.json' }, { path: '/?file=none' }],
    ],
  },
  {
    name: 'all blocking calls of a helper at once, with its caller, and what is promisified once',
    files: {
      'main.js': `const { readFileSync } = require('fs');
const { gzipSync, gunzipSync } = require('zlib');
const app = require('express')();
function pack(file) {
  const packed = gzipSync(readFileSync(file));
  return gunzipSync(packed).toString();
}
app.get('/', (req, res) => { res.send(pack(req.query.file)); });
app.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });${SERVE}`,
    },
    data: JSON_FILE,
    rule: RULE,
    fix: /^Convert 3 blocking calls of `pack` to promise forms and await it in the caller/,
    expect: 'same',
    requests: [
      { path: '/?file=data.json' },
      { path: '/?file=none' },
      { path: '/' },
      [{ path: '/?file=data.json' }, { path: '/?file=none' }],
    ],
  },
];
