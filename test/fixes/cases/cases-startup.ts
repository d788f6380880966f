// Reads that move to the start of a program, and lines without semicolons.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { FixCase } from '../fix-case.ts';

const RULE = 'no-sync-in-handler';
const START = /^Read (?:it|2 files) once/;
const APP = dedent`
  const fs = require('fs')
  const path = require('path')
  const app = require('express')()

`;
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
    dedent`
      app.get('/', (req, res) => { res.send(fs.readFileSync('page.txt').toString()) })
      app.get('/other', (req, res) => { try { res.send(fs.readFileSync('page.txt').toString()) } catch { res.send('none') } })
    `,
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
    dedent`
      app.get('/', (req, res) => {
        const page = fs.readFileSync('page.txt', 'utf8')

        res.send(page + req.query.x)
      })
    `,
    'same',
  ),
  starts(
    'a declaration whose name means something else above',
    dedent`
      const page = 'of the module'
      app.get('/', (req, res) => {
        const page = fs.readFileSync('page.txt', 'utf8')
        res.send(page + req.query.x)
      })
      app.get('/other', (req, res) => res.send(page))
    `,
    'same',
    START,
    [{ path: '/' }, { path: '/other' }],
  ),
  starts(
    'a function that is called above its declaration',
    dedent`
      const first = load()
      app.get('/', (req, res) => { res.send(first + load()) })
      function load () {
        return fs.readFileSync('page.txt', 'utf8')
      }
    `,
    { refused: /may run the function before/ },
  ),
  starts(
    'a function that only requests call above its declaration',
    dedent`
      app.get('/', (req, res) => { res.send(load()) })
      function load () {
        return fs.readFileSync('page.txt', 'utf8')
      }
    `,
    'same',
  ),
  starts(
    'two files of a function, which move together',
    dedent`
      app.get('/', (req, res) => {
        const page = fs.readFileSync('page.txt', 'utf8')
        const n = Number(fs.readFileSync('number.txt', 'utf8'))
        res.send(page + n + fs.readFileSync('page.txt', 'utf8') + req.query.x)
      })
    `,
    'same',
    /^Read 2 files once at startup/,
  ),
  starts(
    'two files of a function, one of them under a condition',
    dedent`
      app.get('/', (req, res) => {
        const page = fs.readFileSync('page.txt', 'utf8')
        res.send(page + (req.query.x ? fs.readFileSync('other.txt', 'utf8') : ''))
      })
    `,
    { refused: /on line 6 would still read on each request/ },
  ),
  starts(
    'two files of a function, one of which the module writes',
    dedent`
      app.post('/', (req, res) => { fs.writeFileSync('other.txt', 'new'); res.send('ok') })
      app.get('/', (req, res) => {
        const page = «fs.readFileSync('page.txt', 'utf8')»
        res.send(page + fs.readFileSync('other.txt', 'utf8'))
      })
    `,
    'same',
    START,
    [{ path: '/' }, { path: '/', method: 'POST' }, { path: '/' }],
  ),
  starts(
    'the memory of bytes, which each request changes',
    dedent`
      app.get('/', (req, res) => {
        const bytes = fs.readFileSync('page.txt')
        const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
        view[0] += 1
        res.send(String(bytes))
      })
    `,
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
    dedent`
      app.post('/', (req, res) => { fs.writeFile('page.txt', 'new', () => res.send('ok')) })
      app.get('/', (req, res) => { res.send(fs.readFileSync('page.txt', 'utf8')) })
    `,
    { refused: /same file/ },
  ),
  starts(
    'F8: a file that the module writes under another path',
    dedent`
      app.post('/', (req, res) => { fs.writeFile(path.join(__dirname, 'page.txt'), 'new', () => res.send('ok')) })
      app.get('/', (req, res) => { res.send(fs.readFileSync('./page.txt', 'utf8')) })
    `,
    { refused: /same file/ },
  ),
  starts(
    'F8: before chdir',
    dedent`
      app.get('/', (req, res) => { res.send(fs.readFileSync('page.txt', 'utf8')) })
      process.chdir(process.env.PROGRAM_DIRECTORY)
    `,
    { refused: /working directory/ },
  ),
  starts(
    'F10: a line that starts with the call',
    dedent`
      app.get('/', (req, res) => {
        let n = 1
        fs.readFileSync(req.query.x ? 'page.txt' : 'other.txt', 'utf8').split('').forEach(() => n++)
        res.send(String(n))
      })
    `,
    'same',
    /^Convert/,
  ),
  starts(
    'F10: a caller that starts a line',
    dedent`
      const load = (name) => fs.readFileSync(name, 'utf8')
      app.get('/', (req, res) => {
        let n = 1
        load(req.query.x ? 'page.txt' : 'other.txt').split('').forEach(() => n++)
        res.send(String(n))
      })
    `,
    'same',
    /^Convert/,
  ),
  starts(
    'F10: after a function expression',
    dedent`
      app.get('/', (req, res) => {
        let n = 1
        const add = function () { n++ }
        fs.readFileSync(req.query.x ? 'page.txt' : 'other.txt', 'utf8').split('').forEach(add)
        res.send(String(n))
      })
    `,
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
    dedent`
      let title

      app.get('/', (req, res) => { if (req.query.x) return res.send((title ??= fs.readFileSync('other.txt', 'utf8')) + «fs.readFileSync('page.txt', 'utf8')»); res.send('no') })
    `,
  ),
  keeps(
    'a file that is missing at first',
    `app.get('/', (req, res) => { try { res.send(fs.readFileSync('later.txt', 'utf8')) } catch (error) { res.status(404).send(error.code) } })${APPEARS}`,
    'same',
    LATER,
  ),
  keeps(
    'a line that starts with the call',
    dedent`
      app.get('/', (req, res) => {
        let n = 1
        if (req.query.x) {
          n = 2
          fs.readFileSync('page.txt', 'utf8').split('').forEach(() => n++)
        }
        res.send(String(n))
      })
    `,
  ),
  keeps(
    'a path that the function around knows',
    dedent`
      function serve(name) {
        const file = path.join(__dirname, name)
        return (req, res) => { res.send(fs.readFileSync(file, 'utf8')) }
      }
      app.get('/', serve('page.txt'))
    `,
  ),
  keeps(
    'a path that the registration knows',
    dedent`
      function serve(route, name) {
        const file = path.join(__dirname, name)
        app.get(route, (req, res) => { res.send(fs.readFileSync(file, 'utf8')) })
      }
      serve('/', 'page.txt')
      serve('/other', 'other.txt')
    `,
    'same',
    [{ path: '/' }, { path: '/other' }, { path: '/' }, { path: '/other' }],
  ),
  keeps(
    'a path of a loop',
    dedent`
      for (const name of ['page', 'other']) {
        app.get('/' + name, (req, res) => { res.send(fs.readFileSync(name + '.txt', 'utf8')) })
      }
    `,
    'same',
    [{ path: '/page' }, { path: '/other' }, { path: '/page' }, { path: '/other' }],
  ),
  keeps(
    'a helper that is called at the start, above its place',
    dedent`
      const first = load()
      function load() { return fs.readFileSync('page.txt', 'utf8') }
      app.get('/', (req, res) => { res.send(first + load()) })
    `,
    'absent',
  ),
  keeps(
    'a path of the request',
    "app.get('/', (req, res) => { res.send(fs.readFileSync(req.query.x ? 'page.txt' : 'other.txt', 'utf8')) })",
    'absent',
  ),
  keeps(
    'a path that is set later',
    dedent`
      let file = 'page.txt'
      app.get('/', (req, res) => { res.send(fs.readFileSync(file, 'utf8')); file = 'other.txt' })
    `,
    'absent',
  ),
  keeps(
    'a file that the module writes',
    dedent`
      app.post('/', (req, res) => { fs.writeFile('page.txt', 'new', () => res.send('ok')) })
      app.get('/', (req, res) => { if (req.query.x) res.send(fs.readFileSync('page.txt', 'utf8')) })
    `,
    { refused: /same file/ },
  ),
  keeps(
    'a module that watches files',
    dedent`
      const chokidar = require('chokidar')
      app.get('/', (req, res) => { if (req.query.x) res.send(fs.readFileSync('page.txt', 'utf8')) })
    `,
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
    dedent`
      const mark = (bytes) => bytes.fill('x', 0, 1)
      app.get('/', (req, res) => { if (!req.query.x) return res.send('no'); const bytes = fs.readFileSync('page.txt'); const before = String(bytes); mark(bytes); res.send(before) })
    `,
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
    dedent`
      let text, seen
      app.post('/', (req, res) => { fs.writeFileSync(['page', 'txt'].join('.'), 'a longer page'); res.send('ok') })
      app.get('/', (req, res) => { const { size } = fs.statSync('page.txt'); if (size !== seen) { seen = size; text = «fs.readFileSync('page.txt', 'utf8')» } res.send(text) })
    `,
    { refused: /whether it has changed/ },
    [{ path: '/' }, { path: '/', method: 'POST' }, { path: '/' }],
  ),
  keeps(
    'a folder that is watched',
    dedent`
      let changes = 0
      fs.watch(__dirname, () => { changes++ }).unref()
      app.get('/', (req, res) => { if (changes >= 0) res.send(fs.readFileSync('page.txt', 'utf8')) })
    `,
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
    dedent`
      const load = () => JSON.parse(fs.readFileSync(path.join(__dirname, 'settings.json'), 'utf8'))
      app.post('/', (req, res) => { const file = path.join(__dirname, 'settings.json'); fs.writeFileSync(file, '{"a":2}'); res.send('ok') })
      app.get('/', (req, res) => { res.json(load()) })
    `,
    { refused: /same file/ },
  ),
  starts(
    'a write that is awaited, of a file that another function reads',
    dedent`
      const load = () => JSON.parse(«fs.readFileSync(path.join(__dirname, 'settings.json'), 'utf8')»)
      app.post('/', (req, res) => { const file = path.join(__dirname, 'settings.json'); fs.writeFileSync(file, JSON.stringify(load())); res.send('ok') })
      app.get('/', (req, res) => { res.json(load()) })
    `
      .replace(/[«»]/g, '')
      .replace('fs.writeFileSync(', '«fs.writeFileSync('),
    { refused: /also read in this file/ },
    /^Convert/,
  ),
];
