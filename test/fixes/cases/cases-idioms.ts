// A check and what follows from it in one call.
import { dedent } from '../../../analysis/testing/dedent.ts';
import { EXPRESS_4, type FixCase } from '../fix-case.ts';

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
const DATA = { 'files/a.json': '{"a":1}', 'files/broken.json': '{', 'files/folder/b.txt': 'b' };
const NAMES = ['a.json', 'broken.json', 'none', 'folder', 'a.json/below', 'a%00b', 'x'.repeat(300), '', '..%2Ffiles%2Fa.json'];
const READS = [...NAMES.map((name) => ({ path: `/?name=${name}` })), NAMES.map((name) => ({ path: `/?name=${name}` })), { path: '/' }];

const reads = (name: string, body: string, more: Partial<FixCase> = {}): FixCase => ({
  name,
  files: {
    'main.js': dedent`
      ${APP}app.get('/', (req, res) => {
        const file = path.join('files', String(req.query.name));
        ${body}
      });${SERVE}
    `,
  },
  data: DATA,
  rule: RULE,
  fix: /^Read the file first, and check whether it is missing if that fails/,
  expect: 'same',
  requests: READS,
  ...more,
});

const TEXT = dedent`
    if (!fs.existsSync(file)) return res.status(404).send('none');
      const text = «fs.readFileSync(file, 'utf8')»;
      res.send(text);
  `;

export const idiomCases: readonly FixCase[] = [
  reads('a read of what may be missing', TEXT),
  reads('a read of what may be missing, in Express 4', TEXT, { manifest: EXPRESS_4 }),
  reads(
    'JSON of what may be missing',
    dedent`
      if (!fs.existsSync(file)) {
          res.status(404);
          return res.send('none');
        }
        const value = JSON.parse(«fs.readFileSync(file, 'utf8')»);
        res.json(value);
    `,
  ),
  reads(
    'an error where it is missing',
    dedent`
      if (!fs.existsSync(file)) throw new RangeError(req.query.name);
        const { length } = [1];
        res.send(String(length));
    `,
    {
      expect: 'absent',
    },
  ),
  reads(
    'an error where the file is missing',
    dedent`
      if (!fs.existsSync(file)) throw new RangeError('none');
        const bytes = «fs.readFileSync(file)»;
        res.send(String(bytes.length));
    `,
  ),
  reads('a read that is used again', `${TEXT.replace('res.send(text)', 'res.send(text + fs.statSync(file).size)')}`, {
    fix: /^Convert 2 blocking calls/,
  }),
  reads('what stands between the check and the read', TEXT.replace(';\n', ';\n  res.set("x-a", "1");\n'), {
    fix: /^Convert to `fs\.promises\.readFile`/,
  }),
  ...[
    ['a file of all requests, which is there', "'a.json'"],
    ['a file of all requests, which is missing', "'none.json'"],
  ].map(
    ([name = '', file = '']): FixCase => ({
      ...reads(name, ''),
      files: {
        'main.js': dedent`
          ${APP}const file = path.join('files', ${file});
          app.get('/', (req, res) => {
            ${TEXT}
          });${SERVE}
        `,
      },
      fix: /^Read the file without the check/,
    }),
  ),
  {
    name: 'a folder of all requests that may be there, and a file in it',
    files: {
      'main.js': dedent`
        ${APP}const folder = path.join('files', 'new');
        app.get('/', (req, res) => { if (!fs.existsSync(folder)) fs.mkdirSync(folder, { recursive: true }); «fs.writeFileSync(path.join(folder, String(req.query.name)), '1')»; res.send('made'); });${SERVE}
      `,
    },
    data: DATA,
    rule: RULE,
    fix: /^Convert 3 blocking calls/,
    expect: 'same',
    requests: [{ path: '/?name=a' }, [{ path: '/?name=b' }, { path: '/?name=c' }], { path: '/?name=a/b' }, { path: '/files' }],
  },
  {
    name: 'a folder that may be there',
    files: {
      'main.js': dedent`
        ${APP}const folder = path.join('files', 'new');
        app.get('/', (req, res) => { if (!fs.existsSync(folder)) fs.mkdirSync(folder); res.send('made'); });${SERVE}
      `,
    },
    data: DATA,
    rule: RULE,
    fix: /^Replace the check by `mkdir`/,
    expect: 'same',
    requests: [[{ path: '/' }, { path: '/' }], { path: '/files' }, { path: '/' }, { path: '/files' }],
  },
  {
    name: 'a folder of all requests, and a file in it',
    files: {
      'main.js': `${APP}app.get('/', (req, res) => { fs.mkdirSync('files/new', { recursive: true }); fs.writeFileSync(path.join('files/new', String(req.query.name)), '1'); res.send('made'); });${SERVE}`,
    },
    data: DATA,
    rule: RULE,
    fix: /^Convert 2 blocking calls/,
    expect: 'same',
    requests: [{ path: '/?name=a' }, [{ path: '/?name=b' }, { path: '/?name=c' }], { path: '/files' }],
  },
  {
    name: 'a folder with its parents',
    files: {
      'main.js': `${APP}app.get('/', (req, res) => { const folder = path.join('files', String(req.query.name)); if (!fs.existsSync(folder)) { «fs.mkdirSync(folder, { recursive: true })»; } res.send('made'); });${SERVE}`,
    },
    manifest: EXPRESS_4,
    data: DATA,
    rule: RULE,
    fix: /^Convert to `fs\.promises\.mkdir`/,
    expect: { refused: /needs no check: remove it first/ },
    requests: [
      { path: '/?name=new/a/b' },
      { path: '/files' },
      { path: '/?name=a.json' },
      { path: '/?name=a.json/below' },
      { path: '/?name=a%00b' },
      { path: '/files' },
    ],
  },
  {
    name: 'a file that may be gone',
    files: {
      'main.js': `${APP}const file = path.join('files', 'a.json');
app.get('/', (req, res) => { if (fs.existsSync(file)) fs.unlinkSync(file); res.send('gone'); });
app.get('/put', (req, res) => { fs.writeFileSync('files/a.json', '1'); res.send('put'); });${SERVE}`,
    },
    data: DATA,
    rule: RULE,
    fix: /^Replace the check by `rm`/,
    expect: 'same',
    requests: [
      { path: '/' },
      { path: '/files' },
      { path: '/' },
      { path: '/put' },
      { path: '/files' },
      [{ path: '/' }, { path: '/' }],
      { path: '/files' },
    ],
  },
  {
    name: 'a file whose name comes with the request',
    files: {
      'main.js': `${APP}app.get('/', (req, res) => { const file = path.join('files', String(req.query.name)); if (fs.existsSync(file)) fs.unlinkSync(file); res.send('gone'); });${SERVE}`,
    },
    data: DATA,
    rule: RULE,
    fix: /^Replace the check by `rm`/,
    expect: 'absent',
  },
  {
    name: 'a file that is written again',
    files: {
      'main.js': `${APP}const file = path.join('files', 'a.json');
app.get('/', (req, res) => { if (fs.existsSync(file)) fs.unlinkSync(file); fs.writeFileSync(file, '1'); res.send('new'); });${SERVE}`,
    },
    data: DATA,
    rule: RULE,
    fix: /^Replace the check by `rm`/,
    expect: 'absent',
  },
  // `existsSync` is false for what is no path; a read of it throws, or reads a descriptor.
  ...[
    ['a path that may be missing', 'req.query.file', true],
    ['a number', 'Number(req.query.file)', true],
    ['a text', 'String(req.query.file)'],
    ['a template', '`files/${req.query.file}`'],
    ['joined texts', "'files/' + req.query.file"],
    ['a part of the URL', "req.url.slice(1).split('?')[0].toString()"],
  ].map(
    ([name = '', file = '', isConverted = false]): FixCase => ({
      name: `a read by ${String(name)}`,
      files: {
        'main.js': dedent`
          ${APP}app.get('*all', (req, res) => {
            const file = ${String(file)};
            if (!fs.existsSync(file)) return res.status(404).send('none');
            const text = «fs.readFileSync(file, 'utf8')»;
            res.send(text);
          });${SERVE}
        `,
      },
      data: DATA,
      rule: RULE,
      fix: isConverted ? /^Convert to `fs\.promises\.readFile`/ : /^Read the file first/,
      expect: 'same',
      requests: [
        { path: '/' },
        { path: '/?file=a.json' },
        { path: '/?file=files/a.json' },
        { path: '/?file=0' },
        { path: '/?file=a&file=b' },
      ],
    }),
  ),
  {
    name: 'a read of a link that leads to itself',
    files: {
      'main.js': dedent`
        ${APP}fs.symlinkSync('loop', 'files/loop');
        fs.symlinkSync('gone', 'files/dangling');
        fs.symlinkSync('a.json', 'files/link');
        app.get('/', (req, res) => {
          const file = path.join('files', String(req.query.name));
          ${TEXT}
        });${SERVE}
      `,
    },
    data: DATA,
    rule: RULE,
    fix: /^Read the file first/,
    expect: 'same',
    requests: [{ path: '/?name=loop' }, { path: '/?name=dangling' }, { path: '/?name=link' }],
  },
  reads(
    'a check whose result is used twice',
    dedent`
      const has = fs.existsSync(file);
        if (!has) return res.status(404).send('none');
        const text = «fs.readFileSync(file, 'utf8')»;
        res.send(text + has);
    `,
    { fix: /^Convert to `fs\.promises\.readFile`/ },
  ),
  reads('bytes in the encoding of an option', TEXT.replace("'utf8'", "{ encoding: 'latin1', flag: 'r' }")),
  reads('an encoding that does not exist', TEXT.replace("'utf8'", "'utf9'"), { fix: /^Convert to `fs\.promises\.readFile`/ }),
  {
    name: 'a folder of the request without its parents',
    files: {
      'main.js': `${APP}app.get('/', (req, res) => { const folder = path.join('files', String(req.query.name)); if (!fs.existsSync(folder)) fs.mkdirSync(folder); res.send('made'); });${SERVE}`,
    },
    data: DATA,
    rule: RULE,
    fix: /^Replace the check by `mkdir`/,
    expect: 'absent',
  },
];
