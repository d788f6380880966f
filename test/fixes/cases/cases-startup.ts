// Reads that move to the start of a program, and lines without semicolons.
import type { FixCase } from '../fix-case.ts';

const RULE = 'no-sync-in-handler';
const START = /^Read (?:it|2 files) once/;
const APP = "const fs = require('fs')\nconst path = require('path')\nconst app = require('express')()\n";
const SERVE = "\nexports.server = require('http').createServer(app)\n";
const DATA = { 'page.txt': 'page', 'other.txt': 'other', 'number.txt': '1', 'empty.txt': '' };

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
    'a file that two functions read',
    "app.get('/', (req, res) => { res.send(fs.readFileSync('page.txt').toString()) })\napp.get('/other', (req, res) => { try { res.send(fs.readFileSync('page.txt').toString()) } catch { res.send('none') } })",
    'same',
    START,
    [{ path: '/' }, { path: '/other' }, [{ path: '/' }, { path: '/other' }]],
  ),
  starts(
    'a file that is read for its error only',
    "app.get('/', (req, res) => { fs.readFileSync('page.txt'); res.send('there') })",
    'absent',
  ),
  starts(
    'a declaration that moves under its own name',
    "app.get('/', (req, res) => {\n  const page = fs.readFileSync('page.txt', 'utf8')\n\n  res.send(page + req.query.x)\n})",
    'same',
  ),
  starts(
    'a declaration whose name means something else above',
    "const page = 'of the module'\napp.get('/', (req, res) => {\n  const page = fs.readFileSync('page.txt', 'utf8')\n  res.send(page + req.query.x)\n})\napp.get('/other', (req, res) => res.send(page))",
    'same',
    START,
    [{ path: '/' }, { path: '/other' }],
  ),
  starts(
    'a function that is called above its declaration',
    "const first = load()\napp.get('/', (req, res) => { res.send(first + load()) })\nfunction load () {\n  return fs.readFileSync('page.txt', 'utf8')\n}",
    { refused: /may run the function before/ },
  ),
  starts(
    'a function that only requests call above its declaration',
    "app.get('/', (req, res) => { res.send(load()) })\nfunction load () {\n  return fs.readFileSync('page.txt', 'utf8')\n}",
    'same',
  ),
  starts(
    'two files of a function, which move together',
    "app.get('/', (req, res) => {\n  const page = fs.readFileSync('page.txt', 'utf8')\n  const n = Number(fs.readFileSync('number.txt', 'utf8'))\n  res.send(page + n + fs.readFileSync('page.txt', 'utf8') + req.query.x)\n})",
    'same',
    /^Read 2 files once at startup/,
  ),
  starts(
    'two files of a function, one of them under a condition',
    "app.get('/', (req, res) => {\n  const page = fs.readFileSync('page.txt', 'utf8')\n  res.send(page + (req.query.x ? fs.readFileSync('other.txt', 'utf8') : ''))\n})",
    { refused: /on line 6 would still read on each request/ },
  ),
  starts(
    'two files of a function, one of which the module writes',
    "app.post('/', (req, res) => { fs.writeFileSync('other.txt', 'new'); res.send('ok') })\napp.get('/', (req, res) => {\n  const page = «fs.readFileSync('page.txt', 'utf8')»\n  res.send(page + fs.readFileSync('other.txt', 'utf8'))\n})",
    'same',
    START,
    [{ path: '/' }, { path: '/', method: 'POST' }, { path: '/' }],
  ),
  starts(
    'the memory of bytes, which each request changes',
    "app.get('/', (req, res) => {\n  const bytes = fs.readFileSync('page.txt')\n  const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)\n  view[0] += 1\n  res.send(String(bytes))\n})",
    { refused: /may change/ },
  ),
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

const KEEP = /^Keep what the first read gives/;
const TWICE: FixCase['requests'] = [{ path: '/' }, { path: '/?x=1' }, { path: '/?x=1' }, [{ path: '/?x=1' }, { path: '/' }]];
/** The file appears after the first request. */
const APPEARS = "\napp.post('/', (req, res) => { fs.renameSync('other.txt', ['la', 'ter.txt'].join('')); res.send('moved'); })";
const LATER: FixCase['requests'] = [{ path: '/' }, { path: '/', method: 'POST' }, { path: '/' }, { path: '/' }];

const keeps = (name: string, code: string, expect: FixCase['expect'] = 'same', requests = TWICE): FixCase =>
  starts(`first read: ${name}`, code, expect, KEEP, requests);

export const firstReadCases: readonly FixCase[] = [
  keeps('what can be read at startup', "app.get('/', (req, res) => { res.send(fs.readFileSync('page.txt', 'utf8')) })", 'absent'),
  keeps(
    'under a condition',
    "app.get('/', (req, res) => { if (req.query.x) res.send(fs.readFileSync('page.txt', 'utf8').trim()); else res.send('no') })",
  ),
  keeps(
    'an assignment',
    "app.get('/', (req, res) => { let text = ''; if (req.query.x) text = fs.readFileSync('page.txt', 'utf8'); res.send(text) })",
  ),
  keeps(
    'a second file',
    "let title\n\napp.get('/', (req, res) => { if (req.query.x) return res.send((title ??= fs.readFileSync('other.txt', 'utf8')) + «fs.readFileSync('page.txt', 'utf8')»); res.send('no') })",
  ),
  keeps(
    'a file that is missing at first',
    `app.get('/', (req, res) => { try { res.send(fs.readFileSync('later.txt', 'utf8')) } catch (error) { res.status(404).send(error.code) } })${APPEARS}`,
    'same',
    LATER,
  ),
  keeps(
    'a line that starts with the call',
    "app.get('/', (req, res) => {\n  let n = 1\n  if (req.query.x) {\n    n = 2\n    fs.readFileSync('page.txt', 'utf8').split('').forEach(() => n++)\n  }\n  res.send(String(n))\n})",
  ),
  keeps(
    'a path that the function around knows',
    "function serve(name) {\n  const file = path.join(__dirname, name)\n  return (req, res) => { res.send(fs.readFileSync(file, 'utf8')) }\n}\napp.get('/', serve('page.txt'))",
  ),
  keeps(
    'a path that the registration knows',
    "function serve(route, name) {\n  const file = path.join(__dirname, name)\n  app.get(route, (req, res) => { res.send(fs.readFileSync(file, 'utf8')) })\n}\nserve('/', 'page.txt')\nserve('/other', 'other.txt')",
    'same',
    [{ path: '/' }, { path: '/other' }, { path: '/' }, { path: '/other' }],
  ),
  keeps(
    'a path of a loop',
    "for (const name of ['page', 'other']) {\n  app.get('/' + name, (req, res) => { res.send(fs.readFileSync(name + '.txt', 'utf8')) })\n}",
    'same',
    [{ path: '/page' }, { path: '/other' }, { path: '/page' }, { path: '/other' }],
  ),
  keeps(
    'a helper that is called at the start, above its place',
    "const first = load()\nfunction load() { return fs.readFileSync('page.txt', 'utf8') }\napp.get('/', (req, res) => { res.send(first + load()) })",
    'absent',
  ),
  keeps(
    'a path of the request',
    "app.get('/', (req, res) => { res.send(fs.readFileSync(req.query.x ? 'page.txt' : 'other.txt', 'utf8')) })",
    'absent',
  ),
  keeps(
    'a path that is set later',
    "let file = 'page.txt'\napp.get('/', (req, res) => { res.send(fs.readFileSync(file, 'utf8')); file = 'other.txt' })",
    'absent',
  ),
  keeps(
    'a file that the module writes',
    "app.post('/', (req, res) => { fs.writeFile('page.txt', 'new', () => res.send('ok')) })\napp.get('/', (req, res) => { if (req.query.x) res.send(fs.readFileSync('page.txt', 'utf8')) })",
    { refused: /same file/ },
  ),
  keeps(
    'a module that watches files',
    "const chokidar = require('chokidar')\napp.get('/', (req, res) => { if (req.query.x) res.send(fs.readFileSync('page.txt', 'utf8')) })",
    { refused: /`chokidar` is loaded \(line 4\)/ },
  ),
  keeps(
    'bytes that each request changes',
    "app.get('/', (req, res) => { if (!req.query.x) return res.send('no'); const bytes = fs.readFileSync('page.txt'); bytes[0] += 1; res.send(String(bytes)) })",
    { refused: /may change/ },
  ),
  keeps(
    'bytes that are only sent',
    "app.get('/', (req, res) => { if (!req.query.x) return res.send('no'); res.send(fs.readFileSync('page.txt')) })",
  ),
  keeps(
    'bytes that go to another function',
    "const mark = (bytes) => bytes.fill('x', 0, 1)\napp.get('/', (req, res) => { if (!req.query.x) return res.send('no'); const bytes = fs.readFileSync('page.txt'); const before = String(bytes); mark(bytes); res.send(before) })",
    { refused: /may change/ },
  ),
  keeps(
    'JSON that each request changes',
    "app.get('/', (req, res) => { if (!req.query.x) return res.send('no'); const value = JSON.parse('[' + fs.readFileSync('number.txt', 'utf8') + ']'); value.push(value.length); res.json(value) })",
  ),
  keeps(
    'an empty file',
    "app.get('/', (req, res) => { if (req.query.x) res.send('<' + fs.readFileSync('empty.txt', 'utf8') + '>'); else res.send('no') })",
  ),
  keeps(
    'the same file in two encodings',
    "app.get('/', (req, res) => { if (!req.query.x) return res.send('no'); res.send(fs.readFileSync('page.txt', 'hex') + «fs.readFileSync('page.txt', 'utf8')») })",
  ),
  keeps(
    'a file that is read again when it has changed',
    "let text, seen\napp.post('/', (req, res) => { fs.writeFileSync(['page', 'txt'].join('.'), 'a longer page'); res.send('ok') })\napp.get('/', (req, res) => { const { size } = fs.statSync('page.txt'); if (size !== seen) { seen = size; text = «fs.readFileSync('page.txt', 'utf8')» } res.send(text) })",
    { refused: /whether it has changed/ },
    [{ path: '/' }, { path: '/', method: 'POST' }, { path: '/' }],
  ),
  keeps(
    'a folder that is watched',
    "let changes = 0\nfs.watch(__dirname, () => { changes++ }).unref()\napp.get('/', (req, res) => { if (changes >= 0) res.send(fs.readFileSync('page.txt', 'utf8')) })",
    { refused: /watches/ },
  ),
  ...["'/proc/self/status'", "'/proc/' + 'uptime'", '`/sys/class/thermal/temp`', "'/var/run/app.pid'", "'/dev/urandom'", "'app.log'"].map(
    (file) =>
      keeps(
        `what the system changes: ${file}`,
        `app.get('/', (req, res) => { if (!req.query.x) return res.send('no'); try { res.send(fs.readFileSync(${file}, 'utf8').slice(0, 3)) } catch { res.send('none') } })`,
        { refused: /changes while the program runs/ },
      ),
  ),
  starts('what the system changes', "app.get('/', (req, res) => { res.send(fs.readFileSync('/proc/uptime', 'utf8').slice(0, 0)) })", {
    refused: /changes while the program runs/,
  }),
  starts(
    'bytes that each request changes',
    "app.get('/', (req, res) => { const bytes = fs.readFileSync('page.txt'); bytes[0] += 1; res.send(String(bytes)) })",
    { refused: /may change/ },
  ),
  starts(
    'bytes of which a part is changed',
    "app.get('/', (req, res) => { fs.readFileSync('page.txt').subarray(0, 2).reverse(); res.send(fs.readdirSync('.').length + '') })",
    { refused: /may change/ },
  ),
  starts(
    'bytes that become a text',
    "app.get('/', (req, res) => { const text = fs.readFileSync('page.txt').toString('utf8'); res.send(text + fs.readFileSync('other.txt').toString().length) })",
    'same',
  ),
  starts(
    'a file that another function writes by a variable',
    "const load = () => JSON.parse(fs.readFileSync(path.join(__dirname, 'settings.json'), 'utf8'))\napp.post('/', (req, res) => { const file = path.join(__dirname, 'settings.json'); fs.writeFileSync(file, '{\"a\":2}'); res.send('ok') })\napp.get('/', (req, res) => { res.json(load()) })",
    { refused: /same file/ },
  ),
  starts(
    'a write that is awaited, of a file that another function reads',
    "const load = () => JSON.parse(«fs.readFileSync(path.join(__dirname, 'settings.json'), 'utf8')»)\napp.post('/', (req, res) => { const file = path.join(__dirname, 'settings.json'); fs.writeFileSync(file, JSON.stringify(load())); res.send('ok') })\napp.get('/', (req, res) => { res.json(load()) })"
      .replace(/[«»]/g, '')
      .replace('fs.writeFileSync(', '«fs.writeFileSync('),
    { refused: /also read in this file/ },
    /^Convert/,
  ),
];
