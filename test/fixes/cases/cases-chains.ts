// Blocking calls of several functions that belong together: converted at once, or not at all.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { FixCase } from '../fix-case.ts';

const RULE = 'no-sync-in-handler';
const APP = dedent`
  const fs = require('fs');
  const path = require('path');
  const app = require('express')();

`;
const SERVE = `
app.get('/files', (req, res) => { res.send(fs.readdirSync('files').join()); });
app.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });
exports.server = require('http').createServer(app);
`;
const DATA = { 'files/a.txt': 'a', 'files/b.txt': 'b', 'files/ignore': 'b.txt', 'files/folder/c.txt': 'c' };
const FOLDERS = ['files', 'files/folder', 'none', 'files/a.txt'];
const LISTS = [...FOLDERS.map((folder) => ({ path: `/?f=${folder}` })), FOLDERS.map((folder) => ({ path: `/?f=${folder}` }))];

const chain = (name: string, code: string, more: Partial<FixCase> = {}): FixCase => ({
  name,
  files: { 'main.js': `${APP}${code}${SERVE}` },
  data: DATA,
  rule: RULE,
  fix: /^Convert 2 blocking calls of 2 functions to promise forms/,
  expect: 'same',
  requests: LISTS,
  ...more,
});

const IGNORED =
  "function ignored(f) { const file = path.join(f, 'ignore'); if (!fs.existsSync(file)) return []; const text = fs.readFileSync(file, 'utf8'); return text.split(','); }\n";
const LIST = 'function list(f) { const not = ignored(f); return «fs.readdirSync(f)».filter((name) => !not.includes(name)); }\n';
const HANDLER = "app.get('/', (req, res) => { res.send(list(req.query.f).join()); });";

export const chainCases: readonly FixCase[] = [
  chain('a helper that reads, too', `${IGNORED}${LIST}${HANDLER}`),
  chain(
    'a caller that reads, too',
    dedent`
      function first(f) { return «fs.readdirSync(f)»[0]; }
      app.get('/', (req, res) => { const text = fs.readFileSync('files/a.txt', 'utf8'); res.send(text + first(req.query.f)); });
    `,
  ),
  chain(
    'a helper that reads in a callback',
    `${IGNORED.replace('return text', "['a'].forEach(() => fs.readFileSync('files/a.txt')); return text")}${LIST}${HANDLER}`,
    {
      fix: /^Convert/,
      expect: { refused: /would still block\. Convert both, or neither/ },
    },
  ),
  chain(
    'a helper of a function that waits already',
    `${IGNORED}async ${LIST}${HANDLER.replace('(req', 'async (req').replace('list(', '(await list(').replace('f).', 'f)).')}`,
    {},
  ),
  chain('a helper in a file of its own', '', {
    files: {
      'main.js': `${APP}const { list } = require('./list');\n${HANDLER}${SERVE}`,
      'list.js': dedent`
        const fs = require('fs');
        const path = require('path');
        ${IGNORED}${LIST}exports.list = list;

      `,
    },
    fix: 'callers',
  }),
  chain('a helper of two functions, in a file of its own', '', {
    files: {
      'main.js': `${APP}const { list } = require('./list');\n${HANDLER}${SERVE}`,
      'list.js': dedent`
        const fs = require('fs');
        const path = require('path');
        ${IGNORED}${LIST}exports.list = list;
        exports.sorted = (f, sort) => [f].map((one) => ignored(one)).sort(sort);

      `,
    },
    fix: 'callers',
    expect: { refused: /map/ },
  }),
  ...[
    ['a file of the request', 'file'],
    ['a file of the program', "'files/ignore'"],
  ].map(
    ([name = '', file = '']): FixCase => ({
      ...chain('', ''),
      name: `a check and a read in another file, of ${name}`,
      files: {
        'main.js': dedent`
          ${APP}const { read } = require('./read');
          app.get('/', (req, res) => { res.send(read(path.join(req.query.f, 'ignore'))); });${SERVE}
        `,
        'read.js': dedent`
          const fs = require('fs');
          exports.read = (file) => {
            if (!fs.existsSync(${file})) return 'none';
            const text = «fs.readFileSync(${file}, 'utf8')»;
            return text;
          };

        `,
      },
      fix: 'callers',
    }),
  ),
  {
    name: 'methods of a class that make folders and files',
    files: {
      'main.js': `${APP}class Storage {
  async save(name, text) { const folder = path.join('files', 'new'); if (fs.existsSync(path.join('files', name))) return; «fs.mkdirSync(folder, { recursive: true })»; const file = path.join(folder, name + Math.random()); fs.writeFileSync(file, text); }
  async upload(name, body) { if (fs.existsSync(path.join('files', name))) return 'there'; const folder = path.join('files', 'new'); fs.mkdirSync(folder, { recursive: true }); const target = path.join(folder, name + Math.random()); fs.writeFileSync(target, body.text); return 'made'; }
}
const storage = new Storage();
app.get('/save', async (req, res) => { await storage.save(req.query.f, 'text'); res.send('saved'); });
app.get('/upload', async (req, res) => { res.send(await storage.upload(req.query.f, { text: 'more' })); });${SERVE}`,
    },
    data: DATA,
    rule: RULE,
    fix: /^Convert 4 blocking calls of 2 functions to promise forms/,
    expect: 'same',
    requests: [{ path: '/save?f=a' }, [{ path: '/upload?f=b' }, { path: '/save?f=c' }], { path: '/upload?f=none/b' }, { path: '/files' }],
  },
  {
    name: 'methods of a class that derive the same key',
    files: {
      'main.js': `${APP}const { Box } = require('./box');\nconst box = new Box();
app.get('/', (req, res) => { res.send(box.open(box.close(req.query.f))); });${SERVE}`,
      'box.js': `const crypto = require('crypto');
class Box {
  close(text) { const key = «crypto.scryptSync('secret', 'salt', 32)»; const c = crypto.createCipheriv('aes-256-ecb', key, null); return c.update(text, 'utf8', 'hex') + c.final('hex'); }
  open(text) { const key = crypto.scryptSync('secret', 'salt', 32); const c = crypto.createDecipheriv('aes-256-ecb', key, null); return c.update(text, 'hex', 'utf8') + c.final('utf8'); }
}
exports.Box = Box;
`,
    },
    rule: RULE,
    fix: 'callers',
    expect: 'same',
    requests: [{ path: '/?f=text' }, [{ path: '/?f=a' }, { path: '/?f=b' }], { path: '/' }],
  },
  {
    name: 'functions of a module that hash a password and check it',
    files: {
      'main.js': `${APP}const { hashed, isRight } = require('./passwords');
app.get('/', (req, res) => { res.send(hashed(req.query.f).length + String(isRight(req.query.f, hashed('right')))); });${SERVE}`,
      'passwords.js': `const crypto = require('crypto');
function hashed(text) { const salt = 'salt'; return salt + ':' + «crypto.scryptSync(text, salt, 32)».toString('hex'); }
function isRight(text, stored) { const [salt, hash] = stored.split(':'); return crypto.scryptSync(text, salt, 32).toString('hex') === hash; }
function sizes() { return crypto.randomBytes(1).length; }
module.exports = { hashed, isRight, sizes };
`,
    },
    rule: RULE,
    fix: 'callers',
    expect: 'same',
    requests: [{ path: '/?f=right' }, [{ path: '/?f=wrong' }, { path: '/?f=b' }], { path: '/' }],
  },
  {
    name: 'a method that reads, beside an async one whose promise a caller drops',
    files: {
      'main.js': `${APP}const { Store } = require('./store');\nconst store = new Store();
app.get('/', (req, res) => { res.send(store.read(req.query.f)); });
app.get('/send', (req, res) => { store.send(res, req.query.f); res.end('end'); });${SERVE}`,
      'store.js': `const fs = require('fs');
class Store {
  read(name) { return «fs.readFileSync('files/' + name, 'utf8')»; }
  async send(res, name) { res.write(fs.readFileSync('files/' + name, 'utf8')); }
}
exports.Store = Store;
`,
    },
    data: DATA,
    rule: RULE,
    fix: 'callers',
    expect: 'same',
    requests: [{ path: '/?f=a.txt' }, { path: '/send?f=a.txt' }],
  },
  chain(
    'a hash beside a read, where a helper that reads must stay',
    dedent`
      const load = (f) => fs.readFileSync('files/' + f, 'utf8');
      exports.loaders = { load };
      app.get('/', async (req, res) => {
        const key = «require('crypto').scryptSync('secret', 'salt', 32)»;
        res.send(key.toString('hex') + fs.readFileSync(req.query.f, 'utf8') + load(req.query.f));
      });
    `,
    { fix: /^Convert 2/, expect: 'absent' },
  ),
];
