// Forms that a maintainer sent back when differences of real applications were read.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { FixCase } from '../fix-case.ts';

const APP = dedent`
  const fs = require('fs');
  const path = require('path');
  const app = require('express')();

`;
const SERVE = `
app.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });
exports.server = require('http').createServer(app);
`;
const DATA = { 'files/a.json': '{"a":1}', 'files/broken.json': '{', 'files/folder/b.txt': 'b', 'package.json': '{"version":"1.2.3"}' };
const NAMES = ['a.json', 'broken.json', 'none', 'folder', 'a.json/below', 'a%00b', 'x'.repeat(300), ''];
const READS = [...NAMES.map((name) => ({ path: `/?name=${name}` })), NAMES.map((name) => ({ path: `/?name=${name}` })), { path: '/' }];

const read = (
  name: string,
  body: string,
  expect: FixCase['expect'] = 'same',
  fix: FixCase['fix'] = /^Read the file without the check: the `catch`/,
): FixCase => ({
  name,
  files: {
    'main.js': dedent`
      ${APP}const load = (name) => {
        const file = path.join('files', String(name));
        ${body}
      };
      app.get('/', (req, res) => { res.json(load(req.query.name)); });${SERVE}
    `,
  },
  data: DATA,
  rule: 'no-sync-in-handler',
  fix,
  expect,
  requests: READS,
});

const CHECKED = 'if (!fs.existsSync(file)) return [];';
const TRY = dedent`
  try {
      return JSON.parse(«fs.readFileSync(file, 'utf8')»);
    } catch {
      return [];
    }
`;

export const readDiffCases: readonly FixCase[] = [
  read('a check before a try that returns the same', `${CHECKED}\n  ${TRY}`),
  read(
    'a check in a try that returns the same',
    TRY.replace('return JSON', `${CHECKED}\n    const value = JSON`).replace(');\n', ');\n    return [value];\n'),
  ),
  read('a check before a try that returns something else', `${CHECKED}\n  ${TRY.replace('[]', '[0]')}`, 'absent'),
  read(
    'a check before a try that tells the error',
    dedent`
      ${CHECKED.replace('[]', 'String(name)')}
        ${TRY.replace('catch', 'catch (name)').replace('[]', 'String(name)')}
    `,
    'absent',
  ),
  read(
    'a check before a try that does more',
    dedent`
      ${CHECKED}
        ${TRY.replace('return JSON', "const first = app.get('n');\n    app.set('n', 1);\n    return first ? [first] : JSON")}
    `,
    'absent',
  ),
  read(
    'a check in a try, where the catch returns another variable of the name',
    dedent`
      const none = 'outer';
        try {
          const none = 'inner';
          if (!fs.existsSync(file)) return none;
          return JSON.parse(«fs.readFileSync(file, 'utf8')»);
        } catch {
          return none;
        }
    `,
    'absent',
  ),
  read(
    'a check before a try, where what they return throws',
    `${CHECKED.replace('[]', 'JSON.parse(name)')}\n  ${TRY.replace('[]', 'JSON.parse(name)')}`,
    'absent',
  ),
  read(
    'a check in a try, with an error of its own',
    dedent`
      try {
          if (!fs.existsSync(file)) return 'none';
          const text = «fs.readFileSync(file, 'utf8')»;
          return text;
        } catch (error) {
          return error.code ?? error.name;
        }
    `,
    'same',
    /^Convert to `fs\.promises\.readFile`/,
  ),
  {
    name: 'the version of the program itself',
    files: {
      'main.js': dedent`
        ${APP}const version = () => { try { return JSON.parse(«fs.readFileSync(path.join(__dirname, 'package.json'), 'utf8')»).version; } catch { return '0'; } };
        app.get('/', (req, res) => { res.send(version()); });${SERVE}
      `,
    },
    data: DATA,
    rule: 'no-sync-in-handler',
    fix: /^Convert/,
    expect: { refused: /is small, and stays the same while the program runs/ },
  },
  {
    name: 'a package.json of the request',
    files: {
      'main.js': `${APP}app.get('/', (req, res) => { res.send(«fs.readFileSync(path.join(req.query.name, 'package.json'), 'utf8')»); });${SERVE}`,
    },
    data: DATA,
    rule: 'no-sync-in-handler',
    fix: /^Convert to `fs\.promises\.readFile`/,
    expect: 'same',
    requests: [{ path: '/?name=.' }, { path: '/?name=files' }, { path: '/' }],
  },
  {
    name: 'beside what is promisified already',
    files: {
      'main.js': dedent`
        const crypto = require('crypto');
        const { exec } = require('child_process');
        const { promisify } = require('util');

        const execAsync = promisify(exec);

        const app = require('express')();
        app.get('/', async (req, res) => { const key = «crypto.scryptSync(req.query.name, 'salt', 16)»; res.send(key.toString('hex') + typeof execAsync); });${SERVE}
      `,
    },
    rule: 'no-sync-in-handler',
    fix: /^Convert to `util\.promisify/,
    expect: 'same',
    requests: [{ path: '/?name=a' }, { path: '/' }],
  },
  {
    name: 'a read that relies on a check for links',
    files: {
      'main.js': dedent`
        ${APP}function safe(file) { if (fs.lstatSync(file).isSymbolicLink()) throw new Error('a link'); return «fs.readFileSync(file, 'utf8')»; }
        app.get('/', (req, res) => { res.send(safe(path.join('files', req.query.name))); });${SERVE}
      `,
    },
    data: DATA,
    rule: 'no-sync-in-handler',
    fix: /^Convert/,
    expect: { refused: /lstatSync.* would still block/ },
  },
  {
    name: 'a URL of a text that is made twice',
    files: {
      'main.js': dedent`
        ${APP}function originOf(value) {
          try {
            return new URL(String(value || '').trim()).origin;
          } catch {
            return '';
          }
        }
        app.get('/', (req, res) => {
          const names = [];
          for (const one of String(req.query.name).split(',')) names.push(originOf(one));
          res.send(names.join());
        });${SERVE}
      `,
    },
    rule: 'no-throw-in-hot-path',
    fix: /canParse/,
    expect: { refused: /would be worked out twice/ },
  },
  {
    name: 'a formatter in a variable that could change, and does not',
    files: {
      'main.js': dedent`
        ${APP}app.get('/', (req, res) => {
          let format = new Intl.NumberFormat('en', { notation: 'compact' });
          res.send(format.format(Number(req.query.n)));
        });${SERVE}
      `,
    },
    rule: 'no-setup-per-request',
    fix: /^Build it once/,
    expect: 'same',
    requests: [{ path: '/?n=1500' }, [{ path: '/?n=2' }, { path: '/' }]],
  },
  {
    name: 'a formatter in a variable that changes',
    files: {
      'main.js': dedent`
        ${APP}app.get('/', (req, res) => {
          let format = new Intl.NumberFormat('en');
          if (req.query.n > 9) format = { format: String };
          res.send(format.format(Number(req.query.n)));
        });${SERVE}
      `,
    },
    rule: 'no-setup-per-request',
    fix: /^Build it once/,
    expect: 'same',
    requests: [{ path: '/?n=1500' }, [{ path: '/?n=2' }, { path: '/' }]],
  },
  ...[
    ['in a try, that its catch sees', 'const found = {};', 'found', 'found', { refused: /where a later one fails/ }],
    ['that end with the function', 'const found = {};', 'found', '{}', 'same'],
  ].map(
    ([name, before, target, caught, expect]): FixCase => ({
      name: `answers ${name as string}`,
      files: {
        'main.js': `${APP}const axios = require('axios');
app.get('/', async (req, res) => {
  ${
    name === 'that end with the function'
      ? 'try { res.json(await both(req.query)); } catch (error) { res.json({}); }'
      : `${before as string}
  try {
    ${target as string}.a = await axios.get(req.query.a);
    ${target as string}.b = await axios.get(req.query.b);
  } catch (error) {
    return res.json({ found: ${caught as string}, failed: true });
  }
  res.json(found);`
  }
});
async function both(query) {
  ${before as string}
  found.a = await axios.get(query.a);
  found.b = await axios.get(query.b);
  return found;
}${SERVE}`,
      },
      data: {
        'node_modules/axios/index.js': "exports.get = async (url) => { if (url === 'none') throw new Error('none'); return { url }; };\n",
      },
      rule: 'no-sequential-await',
      fix: /^Start them together/,
      expect: expect as FixCase['expect'],
      requests: [{ path: '/?a=1&b=2' }, { path: '/?a=1&b=none' }, { path: '/?a=none&b=2' }],
    }),
  ),
  {
    name: 'a folder that is made where it is missing, and told',
    files: {
      'main.js': `${APP}app.get('/', async (req, res) => { const folder = path.join('files', req.query.name); if (!fs.existsSync(folder)) { res.set('x-made', '1'); «fs.mkdirSync(folder, { recursive: true })»; } res.send('ok'); });${SERVE}`,
    },
    data: DATA,
    rule: 'no-sync-in-handler',
    fix: /^Convert/,
    expect: { refused: /runs only where the folder is missing/ },
  },
  {
    name: 'a folder of this request alone',
    files: {
      'main.js': `${APP}const crypto = require('crypto');
app.get('/', async (req, res) => {
  const folder = path.join('files', crypto.randomBytes(8).toString('hex'));
  «fs.mkdirSync(folder, { recursive: true })»;
  fs.writeFileSync(path.join(folder, req.query.name), 'text');
  const names = fs.readdirSync(folder);
  const sizes = names.filter((name) => fs.statSync(path.join(folder, name)).size > 1);
  res.json({ names, sizes });
});${SERVE}`,
    },
    data: DATA,
    rule: 'no-sync-in-handler',
    fix: /^Convert to promise forms \(4 blocking calls\)/,
    expect: 'same',
    requests: [{ path: '/?name=a' }, [{ path: '/?name=b' }, { path: '/?name=c' }], { path: '/?name=x/y' }],
  },
  {
    name: 'a loop beside a read that stays',
    files: {
      'main.js': `${APP}app.get('/', async (req, res) => {
  const folder = path.join('files', req.query.name);
  fs.mkdirSync(folder, { recursive: true });
  const names = fs.readdirSync(folder);
  const sizes = names.filter((name) => «fs.statSync(path.join(folder, name))».size > 1);
  res.json({ names, sizes });
});${SERVE}`,
    },
    data: DATA,
    rule: 'no-sync-in-handler',
    fix: /^Convert/,
    expect: { refused: /readdirSync` on line 7 cannot be converted, and would still block/ },
  },
  {
    name: 'two logs of the same file',
    files: {
      'main.js': `${APP}const LOG = 'files/log.txt';
async function up(name) { try { «fs.appendFileSync(LOG, 'up ' + name)»; } catch (error) { return error.code; } return 'up'; }
async function down(name) { try { fs.appendFileSync(LOG, \`down \${name}\`); } catch (error) { return error.code; } return 'down'; }
app.get('/', async (req, res) => { res.send((await up(req.query.name)) + (await down(req.query.name))); });${SERVE}`,
    },
    data: DATA,
    rule: 'no-sync-in-handler',
    fix: /^Convert 2 blocking calls of 2 functions/,
    expect: 'same',
    requests: [{ path: '/?name=a' }, [{ path: '/?name=b' }, { path: '/?name=c' }]],
  },
  {
    name: 'a read of a file that the UUID of the request names, and that is written again',
    files: {
      'main.js': dedent`
        ${APP}app.get('/', (req, res) => {
          const file = path.join('files', req.query.uuid);
          const data = JSON.parse(«fs.readFileSync(file, 'utf8')»);
          data.visits += 1;
          fs.writeFileSync(file, JSON.stringify(data));
          res.json(data);
        });${SERVE}
      `,
    },
    rule: 'no-sync-in-handler',
    fix: /^Convert/,
    expect: { refused: /is also written in this file/ },
  },
  {
    name: 'a call of microseconds with the callers of its function',
    files: {
      'main.js': dedent`
        ${APP}const { sizeOf } = require('./sizes');
        app.get('/', async (req, res) => { try { res.json(sizeOf(path.join('files', req.query.name))); } catch (error) { res.send(error.code); } });${SERVE}
      `,
      'sizes.js': dedent`
        const fs = require('fs');
        exports.sizeOf = (file) => «fs.statSync(file)».size;
      `,
    },
    data: DATA,
    rule: 'no-sync-in-handler',
    fix: 'callers',
    expect: { refused: /^it takes 2 to 3 µs on a local disk, and awaiting it costs/ },
  },
  {
    name: 'a check for links, and a read of another request',
    files: {
      'main.js': dedent`
        ${APP}app.get('/', (req, res) => { const file = path.join('files', req.query.name); res.send(«fs.lstatSync(file)».isSymbolicLink()); });
        app.get('/size', (req, res) => { const file = path.join('files', req.query.name); res.json(fs.statSync(file).size); });${SERVE}
      `,
    },
    data: DATA,
    rule: 'no-sync-in-handler',
    fix: /^Convert to `fs\.promises\.lstat`/,
    expect: { refused: /it takes 2 to 3 µs on a local disk, and awaiting it costs/ },
  },
  {
    name: 'a check for links before a read',
    files: {
      'main.js': dedent`
        ${APP}app.get('/', (req, res) => { const file = path.join('files', req.query.name); if («fs.lstatSync(file)».isSymbolicLink()) return res.sendStatus(403); res.json(fs.statSync(file).size); });
        app.get('/size', (req, res) => { const file = path.join('files', req.query.name); res.json(fs.statSync(file).size); });${SERVE}
      `,
    },
    data: DATA,
    rule: 'no-sync-in-handler',
    fix: /^Convert/,
    expect: { refused: /`fs\.statSync\(file\)` on line 4 relies on this check/ },
  },
  {
    name: 'a package.json that another request writes',
    files: {
      'main.js': dedent`
        ${APP}const MANIFEST = path.join(__dirname, 'package.json');
        app.get('/', (req, res) => { res.send(JSON.parse(«fs.readFileSync(MANIFEST, 'utf8')»).version); });
        app.post('/', (req, res) => { fs.writeFileSync(MANIFEST, '{"version":"2"}'); res.end(); });${SERVE}
      `,
    },
    data: DATA,
    rule: 'no-sync-in-handler',
    fix: /^Convert/,
    expect: { refused: /is also written in this file/ },
  },
  {
    name: 'a certificate, which is renewed while the program runs',
    files: {
      'main.js': dedent`
        ${APP}app.get('/', (req, res) => { res.send(«fs.readFileSync('files/ca.pem', 'utf8')»); });${SERVE}
      `,
    },
    data: { 'files/ca.pem': 'certificate' },
    rule: 'no-sync-in-handler',
    fix: /^Convert to `fs\.promises\.readFile`/,
    expect: 'same',
    requests: [{ path: '/' }],
  },
  ...(
    [
      [
        'chains that fit on one line in a list',
        `const appointment = await db
          .collection('appointments')
          .findOne({ owner: req.query.owner });
        const stateOfTreatment = await db
          .collection('treatmentState')
          .findOne({ _id: req.query.owner });
        const rows = await db.collection('treatmentState').find({ owner: 1 }).sort({ at: -1 }).toArray();`,
        'appointment, stateOfTreatment, rows',
        'same',
      ],
      [
        'templates before other arguments, and alone',
        `const users = await pool.query(\`SELECT id,
    name FROM users\`, [req.query.owner]);
        const ids = users.rows.map(({ text }) => text.length);
        const orders = await pool.query(\`SELECT *
      FROM orders
    \`);`,
        'users, ids, orders',
        'same',
      ],
      [
        'values that a wrapper adds to',
        `const values = [req.query.owner];
        const users = await tenants.query('SELECT * FROM users WHERE owner = $1', values);
        const orders = await tenants.query('SELECT * FROM orders WHERE owner = $1', values);`,
        'users, orders',
        { refused: /several of the calls get `values`/ },
      ],
    ] as const
  ).map(
    ([name, reads, answers, expect]): FixCase => ({
      name,
      files: {
        'main.js': dedent`
          ${APP}const { Pool } = require('pg');
          const { MongoClient } = require('mongodb');
          const tenants = require('./tenants');
          const pool = new Pool();
          const db = new MongoClient().db();
          app.get('/', async (req, res) => {
            ${reads}
            res.json({ ${answers} });
          });${SERVE}
        `,
        'tenants.js': dedent`
          const { Pool } = require('pg');
          const pool = new Pool();
          exports.query = (text, values) => {
            values.push('tenant');
            return pool.query(text, values);
          };
        `,
      },
      data: {
        'node_modules/pg/index.js':
          'exports.Pool = class { async query(text, values = []) { await null; return { rows: [{ text, values: [...values] }] }; } };\n',
        'node_modules/mongodb/index.js': dedent`
          const find = (name, filter) => ({ sort: () => find(name, filter), toArray: async () => [{ name, filter }] });
          const collection = (name) => ({ findOne: async (filter) => ({ name, filter }), find: (filter) => find(name, filter) });
          exports.MongoClient = class { db() { return { collection }; } };
        `,
      },
      rule: 'no-sequential-await',
      fix: /^Start them together/,
      expect: expect as FixCase['expect'],
      requests: [{ path: '/?owner=1' }, [{ path: '/?owner=2' }, { path: '/' }]],
    }),
  ),
];
