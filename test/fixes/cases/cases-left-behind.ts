// What a fix leaves behind, or takes away with it; and writes beside a function that lists and reads the same folder.
import { dedent } from '../../../analysis/testing/dedent.ts';
import { EXPRESS_5, type FixCase } from '../fix-case.ts';

const SERVE = `
app.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });
exports.server = require('http').createServer(app);
`;
const DATA = { 'files/a.txt': 'a', 'files/b.txt': 'b' };
const GETS: FixCase['requests'] = [{ path: '/?name=a.txt' }, { path: '/?name=none' }, [{ path: '/?name=a.txt' }, { path: '/?name=b.txt' }]];

const one = (name: string, code: string, expect: FixCase['expect'], fix: RegExp = /^Convert/, more: Partial<FixCase> = {}): FixCase => ({
  name: `left behind: ${name}`,
  files: { 'main.js': `${code}${SERVE}` },
  manifest: EXPRESS_5,
  data: DATA,
  rule: 'no-sync-in-handler',
  fix,
  expect,
  requests: GETS,
  ...more,
});

export const leftBehindCases: readonly FixCase[] = [
  one(
    'names that a function imports for itself',
    dedent`
      const app = require('express')();
      app.get('/', async (req, res) => {
        const { readFileSync } = await import('node:fs');
        res.json({ text: «readFileSync('files/' + req.query.name)».toString('hex') });
      });
    `,
    'same',
  ),
  one(
    'a module that a function imports for itself',
    dedent`
      const app = require('express')();
      app.get('/', async (req, res) => {
        const fs = await import('node:fs');
        res.json({ text: «fs.readFileSync('files/' + req.query.name)».toString('hex') });
      });
    `,
    'same',
  ),
  one(
    'an import for which a function waits while its caller continues',
    dedent`
      const app = require('express')();
      const status = {};
      async function load(name) {
        const { readFileSync } = await import('node:fs');
        status.phase = 'reading';
        return «readFileSync('files/' + name)»;
      }
      app.get('/', async (req, res) => {
        status.phase = 'idle';
        const loading = load(req.query.name);
        const before = status.phase;
        res.json({ text: (await loading).toString('hex'), before });
      });
    `,
    'same',
  ),
  one(
    'a semicolon at the beginning of the next line',
    dedent`
      const fs = require('fs')
      const { readFile } = require('fs/promises')
      const app = require('express')()
      const { readFileSync } = fs
      ;[1, 2].forEach((each) => app.set('set ' + each, each))
      app.get('/', async (req, res) => {
        res.json({ text: «readFileSync('files/' + req.query.name)».toString('hex'), two: app.get('set 2') })
      })
    `,
    'same',
  ),
  one(
    'a module by its own name and by another one',
    dedent`
      const fs = require('fs');
      const { readFile, stat } = require('fs/promises');
      const { readFileSync } = fs;
      const app = require('express')();
      app.get('/', async (req, res) => {
        const { size } = «fs.statSync('files/' + req.query.name)»;
        res.json({ size, text: readFileSync('files/' + req.query.name).toString('hex') });
      });
    `,
    'same',
  ),
  one(
    'another name of a function, and what it was taken from',
    dedent`
      const fs = require('fs');
      const { readFileSync: read, existsSync } = fs;
      const app = require('express')();
      app.get('/', async (req, res) => {
        res.json({ text: «read('files/' + req.query.name)».toString('hex'), isThere: existsSync('files') });
      });
    `,
    'same',
  ),
  one(
    'another name that is exported stays',
    dedent`
      const fs = require('fs');
      const read = fs.readFileSync;
      const app = require('express')();
      app.get('/', async (req, res) => {
        res.json({ text: «read('files/' + req.query.name)».toString('hex') });
      });
      app.get('/again', async (req, res) => { res.json({ name: exports.read.name }); });
      exports.read = read;
    `,
    'same',
    /^Convert/,
    { requests: [{ path: '/?name=a.txt' }, { path: '/again' }] },
  ),
  one(
    'a file that another request finds in a list, and reads',
    dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/save', async (req, res) => {
        «fs.writeFileSync('files/' + req.query.name, 'x'.repeat(1e6))»;
        res.json({ ok: true });
      });
      app.get('/', async (req, res) => {
        res.json(fs.readdirSync('files').map((name) => fs.readFileSync('files/' + name).length));
      });
    `,
    { refused: /lists files, and the function there reads them/ },
  ),
  one(
    'two files that belong together, of which a helper writes the first',
    dedent`
      const fs = require('fs');
      const app = require('express')();
      const save = (id) => { fs.writeFileSync('files/' + id, 'first'); };
      app.get('/', async (req, res) => {
        save(req.query.name);
        «fs.writeFileSync('files/' + req.query.name + '.second', 'second')»;
        res.json({ ok: true });
      });
      app.get('/remove', async (req, res) => {
        fs.rmSync('files/' + req.query.name, { force: true });
        fs.rmSync('files/' + req.query.name + '.second', { force: true });
        res.json({ ok: true });
      });
    `,
    { refused: /a request could remove one of them before the next one is written/ },
  ),
];
