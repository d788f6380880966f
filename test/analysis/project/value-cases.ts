// Projects in which values are data and lead nowhere, or lead on all the same.
import type { App } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const S = dedent`
  exports.load = function load() {};
  exports.scan = function scan() {};
  exports.idle = function idle() {};
  exports.gone = function gone() {};
  exports.off = function off() {};
`;

/** An application of one file: its handler runs `body`. */
const app = (body: string, more = ''): Readonly<Record<string, string>> => ({
  'app.js': dedent`
    const app = require('express')();
    const s = require('./s');
    ${more}
    app.get('/a', async (req, res) => { ${body} });
  `,
  's.js': S,
});

/** How functions flow through arguments, accessors, maps, sets, iterators, generators and what inherits. */
export const valueCases: readonly App[] = [
  {
    name: 'an answer to a message is not what this process gives to its peers',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const { ask } = require('./peer');
        app.get('/a', async (req, res) => { const load = await ask('load'); load(); });
      `,
      'peer.js': dedent`
        const s = require('./s');
        const params = { scan: s.scan, load: s.load };
        const pending = {};
        exports.ask = function ask(name) {
          return new Promise((resolve, reject) => { const id = Math.random(); pending[id] = { resolve, reject }; process.send({ id, name }); });
        };
        process.on('message', (message) => {
          if (message.name) process.send({ id: message.id, value: params[message.name] });
          else pending[message.id].resolve(params[message.value]);
        });
      `,
      's.js': S,
    },
    reached: [],
    idle: ['s.js#load', 's.js#scan'],
  },
  {
    name: 'what is sent, or written as text, is not called',
    files: app(
      'process.send(s.load); JSON.stringify(s.scan); tell(s.idle);',
      "const { port } = require('./port'); const tell = (value) => port.postMessage(value);",
    ),
    reached: [],
    idle: ['s.js#load', 's.js#scan', 's.js#idle'],
  },
  {
    name: 'a method `send` of the project runs what it is given',
    files: app('queue.send(s.load);', 'const queue = { send: (work) => work() };'),
    reached: ['s.js#load GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a value that may be any of many functions is no callback',
    files: app(
      'later(table[req.query.name]); later(few[req.query.name]);',
      "const later = require('later'); const few = { a: s.scan, b: s.load }; const table = { idle: s.idle, " +
        Array.from({ length: 9 }, (_, i) => `f${i}: () => ${i}`).join(', ') +
        ' };',
    ),
    reached: ['s.js#load GET /a', 's.js#scan GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'the same in a map',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const s = require('./s');
        const pending = new Map();
        const table = { scan: s.scan };
        const ask = (name) => new Promise((resolve) => { pending.set(name, resolve); process.send(name); });
        process.on('message', ({ id, name }) => pending.get(id)(table[name]));
        app.get('/a', async (req, res) => { const scan = await ask('scan'); scan(); });
      `,
      's.js': S,
    },
    reached: [],
    idle: ['s.js#scan'],
  },
  {
    name: 'a promise that its own code settles, too',
    files: app(
      'const found = await find(1); found();',
      'const kept = {}; const find = (id) => new Promise((resolve) => { kept[id] = resolve; resolve(s.load); });',
    ),
    reached: ['s.js#load GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a parameter runs its default if no caller passes a function',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const { read } = require('./read');
        app.get('/a', (req, res) => read(1));
      `,
      'read.js': dedent`
        const s = require('./s');
        exports.read = function read(id, parse = s.load) { return parse(id); };
        exports.other = function other(id, parse = s.idle) { return parse; };
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'what a default or another caller passes is not run for all',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const { read } = require('./read');
        const s = require('./s');
        read(1, s.idle);
        app.get('/a', (req, res) => read(1, s.scan));
      `,
      'read.js': `exports.read = function read(id, parse) { return parse(id); };`,
      's.js': S,
    },
    reached: ['s.js#scan GET /a'],
    idle: ['s.js#idle', 's.js#load'],
  },
  {
    name: 'arguments without a parameter',
    files: app(
      'run(1, s.load);',
      'function run(id) { const list = Array.prototype.slice.call(arguments); const last = arguments[1]; last(list); } function plain(id) {} plain(1, s.idle);',
    ),
    reached: ['s.js#load GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'arguments after a spread list',
    files: app(
      'run(...rest, s.load);',
      'const rest = [1, 2]; function run(a, b, done) { done(); } function other(a) {} other(...rest, s.idle);',
    ),
    reached: ['s.js#load GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'what is called by its place in a list, and rest parameters',
    files: app('run(s.load, s.scan);', 'function run(first, ...rest) { first(); rest[0](); } const list = [s.idle, s.load]; list[1]();'),
    reached: ['s.js#load GET /a', 's.js#scan GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'the values of a template',
    files: app('tag`a ${s.load} b ${s.scan}`;', 'function tag(texts, first, second) { first(); } const plain = `${s.idle}`;'),
    reached: ['s.js#load GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'setters, in classes, literals, and descriptions',
    files: app(
      'config.mode = 1; user.name = 2; user.idle; described.size = 3;',
      dedent`
        const config = { set mode(value) { s.load(); }, get unread() { return s.idle(); } };
        class User { set name(value) { s.scan(); } }
        const user = new User();
        const described = {};
        Object.defineProperty(described, 'size', { set: setSize });
        function setSize(value) {}
      `,
    ),
    reached: ['s.js#load GET /a', 's.js#scan GET /a', 'app.js#setSize GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'getters that are described or read in a pattern',
    files: app(
      'const { total } = report; report.count; report.size;',
      dedent`
        const report = Object.create(null, { count: { get: readCount } });
        Object.defineProperties(report, { size: { get() { s.scan(); } }, unread: { get() { s.idle(); } } });
        Object.defineProperty(report, 'total', { get() { s.load(); } });
        function readCount() {}
      `,
    ),
    reached: ['s.js#load GET /a', 's.js#scan GET /a', 'app.js#readCount GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'keys and values of maps and sets, from lists and one by one',
    files: app(
      'for (const [key, run] of actions) { key(); run(); } for (const run of all) run(); unused.get(1);',
      dedent`
        const actions = new Map([[first, s.load]]);
        actions.set(second, s.scan);
        const all = new Set([third]);
        const unused = new Map([[1, s.idle]]);
        function first() {}
        function second() {}
        function third() {}
      `,
    ),
    reached: ['s.js#load', 's.js#scan', 'app.js#first', 'app.js#second', 'app.js#third'],
    idle: ['s.js#idle'],
  },
  {
    name: 'lists made of lists: from, of, concat, flat, flatMap, reduce',
    files: app(
      dedent`
        for (const run of Array.from(all)) run();
        Array.of(one)[0]();
        [].concat(two)[0]();
        [[three]].flat()[0]();
        names.flatMap(() => [four])[0]();
        [five].reduce((a, b) => a)();
        Array.from(names, six);
      `,
      dedent`
        const all = [s.load];
        const names = ['a'];
        function one() {}
        function two() {}
        function three() {}
        function four() {}
        function five() {}
        function six() {}
        Array.from(names, () => s.idle);
      `,
    ),
    reached: ['s.js#load', 'app.js#one', 'app.js#two', 'app.js#three', 'app.js#four', 'app.js#five', 'app.js#six'],
    idle: ['s.js#idle'],
  },
  {
    name: 'generators: what they yield, return, and are sent',
    files: app(
      'for (const run of steps()) run(); for await (const run of more()) run(); const t = asked(); t.next(); t.next(sent); const r = ending(); r.next().value();',
      dedent`
        function* steps() { yield s.load; yield* inner(); }
        function* inner() { yield s.scan; }
        async function* more() { yield later; }
        function* asked() { const run = yield; run(); }
        function* ending() { return last; }
        function* unused() { yield s.idle; }
        unused();
        function later() {}
        function sent() {}
        function last() {}
      `,
    ),
    reached: ['s.js#load', 's.js#scan', 'app.js#later', 'app.js#sent', 'app.js#last'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a loop over an object with an iterator of its own',
    files: app(
      'for (const row of rows) res.write(row); for await (const row of stream) res.write(row);',
      dedent`
        class Rows { *[Symbol.iterator]() { s.load(); yield 1; } [Symbol.toPrimitive]() { s.idle(); } }
        const rows = new Rows();
        const stream = { async *[Symbol.asyncIterator]() { s.scan(); yield 1; } };
      `,
    ),
    reached: ['s.js#load GET /a', 's.js#scan GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'methods of the project that are named apply and call',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const rules = require('./rules');
        const { Command } = require('./command');
        const command = new Command();
        app.get('/a', (req, res) => { rules.apply(req.query); command.call(req.query); send.call(null, res, idle); });
        function send(res, after) {}
        function idle() {}
      `,
      'rules.js': `const s = require('./s');\nexports.apply = (query) => s.load(query);`,
      'command.js': dedent`
        const s = require('./s');
        exports.Command = class Command { call(query) { s.scan(query); } bind() { s.idle(); } };
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /a'],
    idle: ['s.js#idle', 'app.js#idle'],
  },
  {
    name: 'what literals inherit, and super in them',
    files: app(
      'child.run(); other.scan(); third.own();',
      dedent`
        const parent = { run() { s.load(); }, scan() { s.scan(); }, unused() { s.idle(); } };
        const child = { run() { super.run(); } };
        Object.setPrototypeOf(child, parent);
        const other = { __proto__: parent };
        const third = Object.create({}, { own: { value: ownRun } });
        function ownRun() {}
      `,
    ),
    reached: ['s.js#load GET /a', 's.js#scan GET /a', 'app.js#ownRun GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'fields of a class with a constructor are initialized where it is constructed',
    files: app(
      'new Page();',
      dedent`
        class Page { content = s.load(); constructor() { this.id = 1; } }
        class Idle { content = s.idle(); constructor() { this.id = 1; } }
      `,
    ),
    reached: ['s.js#load GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'promises of several, by which of them counts',
    files: app(
      'const first = await Promise.race(list); first(); const [settled] = await Promise.allSettled(list); settled.value(); (await Promise.all(list))[0]();',
      'const list = [Promise.resolve(s.load)]; Promise.race([Promise.resolve(s.idle)]);',
    ),
    reached: ['s.js#load GET /a'],
    idle: ['s.js#idle'],
  },
  {
    name: 'files that are named from the root of the project',
    files: {
      'src/app.js': dedent`
        const app = require('express')();
        const rfr = require('rfr');
        const root = require('app-root-path');
        const plain = require('plain');
        const a = rfr('src/a');
        const b = root.require('/src/b');
        const c = require.main.require('./src/c');
        const d = plain('src/d');
        app.get('/a', (req, res) => { a.run(); b.run(); c.run(); d.run(); });
      `,
      'src/a.js': `exports.run = function fromA() {};`,
      'src/b.js': `exports.run = function fromB() {};`,
      'src/c.js': `exports.run = function fromC() {};`,
      'src/d.js': `exports.run = function fromD() {};`,
    },
    layout: { packages: [{ root: '/project' }], aliases: [] },
    reached: ['src/a.js#fromA GET /a', 'src/b.js#fromB GET /a', 'src/c.js#fromC GET /a'],
    idle: ['src/d.js#fromD'],
  },
  {
    name: 'files that are named from a folder that the program sets, and not from one that a caller chooses',
    files: {
      'src/app.js': dedent`
        const app = require('express')();
        const path = require('path');
        const root = require('app-root-path');
        const a = require(process.env.APP_ROOT + '/src/a');
        const b = require(__base + 'src/b');
        const c = require(path.join(global.root, 'src', 'c'));
        const e = require(\`\${root}/src/e\`);
        const load = (folder) => require(folder + '/src/d');
        const plugin = require(settings.folder + '/src/d');
        app.get('/a', (req, res) => { a.run(); b.run(); c.run(); e.run(); load(req.query.f).run(); plugin.run(); });
      `,
      'src/a.js': `exports.run = function fromA() {};`,
      'src/b.js': `exports.run = function fromB() {};`,
      'src/c.js': `exports.run = function fromC() {};`,
      'src/d.js': `exports.run = function fromD() {};`,
      'src/e.js': `exports.run = function fromE() {};`,
    },
    layout: { packages: [{ root: '/project' }, { root: '/project/src' }], aliases: [] },
    reached: ['src/a.js#fromA GET /a', 'src/b.js#fromB GET /a', 'src/c.js#fromC GET /a', 'src/e.js#fromE GET /a'],
    idle: ['src/d.js#fromD'],
  },
  {
    name: 'a name that a variable holds, if it is never assigned again',
    files: app('let name = "load"; s[name](); var other = "scan"; other = req.query.name; const known = { idle() {} }; known[other];', ''),
    reached: ['s.js#load GET /a'],
    idle: ['s.js#scan', 's.js#idle'],
  },
  {
    name: 'a branch that nothing takes',
    files: app(
      'if (false && req.body.id) s.idle(); if (OLD && req.body) { [1].map(() => s.gone()); } false && req.query && s.off(); if (OLD || req.body) s.load(); if (set) s.scan();',
      'const OLD = false; let set = false; app.put("/a", () => { set = true; });',
    ),
    reached: ['s.js#load GET /a', 's.js#scan GET /a'],
    idle: ['s.js#idle', 's.js#gone', 's.js#off'],
  },
  {
    name: 'a property that no file sets',
    files: {
      ...app(
        'const scene = await render(req.body); if (scene.path) s.idle(); else s.load(); scene.ok && scene.path && s.gone(); if (scene?.path && req.query) setTimeout(() => s.off(), 10); if (scene.buffer) s.scan();',
        "const { render } = require('./render');",
      ),
      'render.js': dedent`
        const draw = require('./draw');
        async function once(input) {
          try { const drawn = await draw.draw(input); console.log(drawn); return drawn; } catch (error) { return { ok: false }; }
        }
        exports.render = async (input) => {
          let image = { ok: false };
          if (input) image = await once(input);
          if (!image.ok) return { ok: false, path: undefined };
          return { ok: true, buffer: image.buffer, path: image.file };
        };
      `,
      'draw.js': 'exports.draw = async function draw(input) { return input.ok ? { ok: true, buffer: input } : null; };',
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /a'],
    idle: ['s.js#idle', 's.js#gone', 's.js#off'],
  },
  {
    name: 'a property that somebody may set',
    files: {
      ...app(
        'const one = make(); one.path = req.path; if (one.path) s.load(); const two = make(); fill(two); if (two.path) s.scan(); const three = spread(req.body); if (three.path) s.idle(); const four = kept(); if (four.path) s.gone(); const five = await other(); if (five.path) s.off(); const six = mine(); if (six.path) s.six(); const seven = make(); if (seven.toString) s.seven(); const eight = keyed(req.path); if (eight.path) s.eight(); var nine = make(); var nine = req.body; if (nine.path) s.nine();',
        "const { make, fill, spread, kept, other, mine, keyed } = require('./make'); kept().path = 'a';",
      ),
      's.js': `${S} exports.six = function six() {}; exports.seven = function seven() {}; exports.eight = function eight() {}; exports.nine = function nine() {};`,
      'make.js': dedent`
        const got = require('got');
        const all = { ok: true };
        exports.make = () => ({ ok: true });
        exports.fill = (one) => { one.path = 'a'; };
        exports.spread = (one) => ({ ok: true, ...one });
        exports.kept = function kept() { return all; };
        exports.other = async () => got('https://example.com');
        exports.mine = () => ({ ok: true, get path() { return 'a'; } });
        exports.keyed = (key) => ({ ok: true, [key]: true });
      `,
    },
    reached: ['s.js#load', 's.js#scan', 's.js#idle', 's.js#gone', 's.js#off', 's.js#six', 's.js#seven', 's.js#eight', 's.js#nine'],
    idle: [],
  },
  {
    name: 'members whose names are declared, or passed by all callers, and those that may be any',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { Logs } from './logs';
        const LEVELS = ['trace', 'debug'] as const;
        type Level = (typeof LEVELS)[number] | Loud | undefined;
        type Loud = 'error';
        const app = express();
        const logs = new Logs();
        const write = (level: 'info' | 'warn', text: string) => { logs[level](text); };
        function note(text: string, level: Level) { const log = logs[level]; log(text); }
        function tell(level) { logs[level]('told'); }
        app.get('/a', (req, res) => { write('info', req.url); note(req.url, 'debug'); tell('fatal'); res.end(); });
      `,
      'logs.ts': dedent`
        export class Logs {
          info(text: string) {}
          warn(text: string) {}
          trace(text: string) {}
          debug(text: string) {}
          error(text: string) {}
          fatal(text: string) {}
          remove() {}
        }
      `,
      'open.ts': dedent`
        import express from 'express';
        import * as actions from './actions';
        const app = express();
        export function run(name) { actions[name](); }
        app.get('/b', (req, res) => { run('first'); res.end(); });
      `,
      'actions.ts': dedent`
        export function first() {}
        export function second() {}
      `,
      'typed.ts': dedent`
        import express from 'express';
        import * as jobs from './jobs';
        const app = express();
        const run = (name: string) => { jobs[name](); };
        const pick = (name: keyof typeof jobs) => { jobs[name](); };
        app.get('/c', (req, res) => { run(req.query.a); res.end(); });
      `,
      'jobs.ts': 'export function one() {}\nexport function two() {}',
    },
    reached: [
      ...['info', 'warn', 'trace', 'debug', 'error', 'fatal'].map((name) => `logs.ts#${name} GET /a`),
      'actions.ts#first GET /b',
      'actions.ts#second GET /b',
      'jobs.ts#one GET /c',
      'jobs.ts#two GET /c',
    ],
    idle: ['logs.ts#remove'],
  },
  {
    name: 'members of which all names are known, for which a table has only these, or others, too',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import * as s from './s';
        const app = express();
        type Kind = 'open' | 'close';
        const table = { open: () => s.load(), close: () => s.load(), other: () => s.idle() };
        const run = (kind: Kind) => { table[kind](); };
        app.get('/a', (req, res) => { run(req.query.kind as Kind); res.end(); });
      `,
      'later.ts': dedent`
        import express from 'express';
        import * as s from './s';
        const app = express();
        type Kind = 'open' | 'close';
        class Bus {
          handlers: Record<string, (() => void)[]> = {};
          single: Partial<Record<Kind, () => void>> = {};
          on(kind: Kind, run: () => void) { if (!this.handlers[kind]) this.handlers[kind] = []; this.handlers[kind].push(run); }
          set(kind: string, run: () => void) { this.single[kind] = run; }
          emit(kind: Kind) { for (const one of this.handlers[kind] ?? []) one(); this.single[kind]?.(); }
        }
        const bus = new Bus();
        bus.on('open', () => s.scan());
        bus.set('close', () => s.gone());
        const table: Record<string, () => void> = {};
        for (const name of Object.keys(process.env)) table[name] = () => s.off();
        const copied = Object.assign({}, table);
        const entries = Object.fromEntries(new Map([['open', () => s.six()]]));
        const run = (kind: Kind) => { copied[kind](); entries[kind](); };
        class Fluent { constructor() { for (const one of ['open', 'close']) this[one] = () => s.seven(); } }
        class Deep extends Fluent {}
        const tell = (it: Deep, kind: Kind) => { it[kind](); };
        app.get('/b', (req, res) => { bus.emit('open'); run('close'); tell(new Deep(), 'open'); res.end(); });
      `,
      'lists.js': dedent`
        const app = require('express')();
        const s = require('./s');
        const lists = {};
        function on(kind, run) { (lists[kind] ??= []).push(run); }
        function emit(kind) { for (const one of lists[kind]) one(); }
        on('x', () => s.eight());
        const modules = {};
        for (const file of require('fs').readdirSync('./parts')) modules[file.replace('.js', '')] = require('./parts/' + file);
        function start(kind) { modules[kind].start(); }
        app.get('/c', (req, res) => { emit('x'); start('a'); res.end(); });
      `,
      'parts/a.js': `const s = require('../s');\nexports.start = () => s.nine();`,
      's.ts': ['load', 'idle', 'scan', 'gone', 'off', 'six', 'seven', 'eight', 'nine']
        .map((name) => `export function ${name}() {}`)
        .join('\n'),
    },
    reached: [
      's.ts#load GET /a',
      ...['scan', 'gone', 'off', 'six', 'seven'].map((name) => `s.ts#${name} GET /b`),
      ...['eight', 'nine'].map((name) => `s.ts#${name} GET /c`),
    ],
    idle: ['s.ts#idle'],
  },
  {
    name: 'keys that may be others than their callers or their types say',
    files: {
      'self.js': dedent`
        const app = require('express')();
        const s = require('./s');
        const table = { a: () => {}, b: () => s.load() };
        const next = { a: 'b', b: undefined };
        const run = function self(kind) { table[kind](); if (next[kind]) self(next[kind]); };
        app.get('/a', (req, res) => { run('a'); res.end(); });
        const others = { a: () => {}, b: () => s.scan(), c: () => s.idle() };
        const again = function self(kind, depth) { others[kind](); if (depth < 3) self('b', depth + 1); };
        app.get('/b', (req, res) => { again('a', 0); res.end(); });
      `,
      'arguments.js': dedent`
        const app = require('express')();
        const s = require('./s');
        const table = { a: () => {}, b: () => s.gone() };
        function run(kind) { arguments[0] = 'b'; table[kind](); }
        app.get('/c', (req, res) => { run('a'); res.end(); });
      `,
      'hidden.ts': dedent`
        import express from 'express';
        import * as s from './s';
        const app = express();
        type K = 'a';
        const table = { a: () => {}, b: () => s.off(), c: () => s.off() };
        function run<K extends keyof typeof table>(kind: K) { table[kind](); }
        const others = { a: () => {}, d: () => s.six() };
        class Other<K extends keyof typeof others> { run(kind: K) { others[kind](); } }
        const last = { a: () => {}, e: () => s.seven() };
        function inner() { type L = 'a'; return (kind: L) => kind; }
        const third = (kind: L) => { last[kind](); };
        app.get('/d', (req, res) => { run(req.query.kind as never); third(inner()(req.query.kind)); new Other().run(req.query.kind); res.end(); });
      `,
      's.js': ['load', 'idle', 'scan', 'gone', 'off', 'six', 'seven'].map((name) => `exports.${name} = function ${name}() {};`).join('\n'),
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /b', 's.js#gone GET /c', ...['off', 'six', 'seven'].map((name) => `s.js#${name} GET /d`)],
    idle: ['s.js#idle'],
  },
];
