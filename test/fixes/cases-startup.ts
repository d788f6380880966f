// Reads that move to the start of a program, and lines without semicolons.
import type { FixCase } from './fix-case.ts';

const RULE = 'no-sync-in-handler';
const START = /^Read it once/;
const APP = "const fs = require('fs')\nconst path = require('path')\nconst app = require('express')()\n";
const SERVE = "\nexports.server = require('http').createServer(app)\n";
const DATA = { 'page.txt': 'page', 'other.txt': 'other' };

const starts = (
  name: string,
  code: string,
  expect: FixCase['expect'],
  fix = START,
  requests: FixCase['requests'] = [{ path: '/' }, { path: '/?x=1' }],
): FixCase => ({
  name,
  files: { 'main.js': `${APP}${code}${SERVE}` },
  data: DATA,
  rule: RULE,
  fix,
  expect,
  requests,
});

export const startupCases: readonly FixCase[] = [
  starts('F8: a constant file', "app.get('/', (req, res) => { res.send(fs.readFileSync('page.txt', 'utf8')) })", 'same'),
  starts(
    'F8: under a condition',
    "app.get('/', (req, res) => { if (req.query.x) res.send(fs.readFileSync('none.txt', 'utf8')); else res.send('no') })",
    { refused: /under a condition/ },
  ),
  starts(
    'F8: after an early return',
    "app.get('/', (req, res) => { if (!process.env.PAGE) return res.send('no'); res.send(fs.readFileSync('none.txt', 'utf8')) })",
    { refused: /under a condition/ },
  ),
  starts(
    'F8: in a try',
    "app.get('/', (req, res) => { try { res.send(fs.readFileSync('none.txt', 'utf8')) } catch { res.send('default') } })",
    { refused: /missing file/ },
  ),
  starts(
    'F8: a file that the module writes',
    "app.post('/', (req, res) => { fs.writeFile('page.txt', 'new', () => res.send('ok')) })\napp.get('/', (req, res) => { res.send(fs.readFileSync('page.txt', 'utf8')) })",
    { refused: /same file/ },
  ),
  starts(
    'F8: a file that the module writes under another path',
    "app.post('/', (req, res) => { fs.writeFile(path.join(__dirname, 'page.txt'), 'new', () => res.send('ok')) })\napp.get('/', (req, res) => { res.send(fs.readFileSync('./page.txt', 'utf8')) })",
    { refused: /same file/ },
  ),
  starts(
    'F8: before chdir',
    "app.get('/', (req, res) => { res.send(fs.readFileSync('page.txt', 'utf8')) })\nprocess.chdir(process.env.PROGRAM_DIRECTORY)",
    { refused: /working directory/ },
  ),
  starts(
    'F10: a line that starts with the call',
    "app.get('/', (req, res) => {\n  let n = 1\n  fs.readFileSync(req.query.x ? 'page.txt' : 'other.txt', 'utf8').split('').forEach(() => n++)\n  res.send(String(n))\n})",
    'same',
    /^Convert/,
  ),
  starts(
    'F10: a caller that starts a line',
    "const load = (name) => fs.readFileSync(name, 'utf8')\napp.get('/', (req, res) => {\n  let n = 1\n  load(req.query.x ? 'page.txt' : 'other.txt').split('').forEach(() => n++)\n  res.send(String(n))\n})",
    'same',
    /^Convert/,
  ),
  starts(
    'F10: after a function expression',
    "app.get('/', (req, res) => {\n  let n = 1\n  const add = function () { n++ }\n  fs.readFileSync(req.query.x ? 'page.txt' : 'other.txt', 'utf8').split('').forEach(add)\n  res.send(String(n))\n})",
    'same',
    /^Convert/,
  ),
];
