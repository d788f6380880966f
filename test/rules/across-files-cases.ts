// Small applications: a marked call with what all files become, or why nothing is offered.
import type { PackageManifest } from '../../protocol/project.ts';

export interface Application {
  name: string;
  /** By path; the blocking call of one of them is marked. */
  files: Readonly<Record<string, string>>;
  manifest?: Partial<PackageManifest>;
}

const APP = `const app = require('express')();\n`;
const read = (name: string): string =>
  `const fs = require('fs');\nexports.${name} = function ${name}(file) {\n  return «fs.readFileSync(file, 'utf8')»;\n};\n`;
const isRead = (name: string): string =>
  `const fs = require('fs');\nexports.${name} = async function ${name}(file) {\n  return await fs.promises.readFile(file, 'utf8');\n};\n`;
const route = (body: string): string => `${APP}const store = require('./store');\napp.get('/a', (req, res) => { ${body} });\n`;
const isRoute = (body: string): string => `${APP}const store = require('./store');\napp.get('/a', async (req, res) => { ${body} });\n`;

export const conversions: readonly (Application & { becomes: Readonly<Record<string, string>>; title?: string })[] = [
  {
    name: 'a function of another file',
    files: { 'app.js': route('res.send(store.load(req.path));'), 'store.js': read('load') },
    becomes: { 'app.js': isRoute('res.send(await store.load(req.path));'), 'store.js': isRead('load') },
    title: 'Convert to `fs.promises.readFile` with its caller (2 files)',
  },
  {
    name: 'three files, and a member of what is read',
    files: {
      'app.js': `${APP}const users = require('./users');\napp.get('/a', users.show);\n`,
      'users.js': `const { config } = require('./config');\nexports.show = (req, res) => {\n  res.json({ limit: config().limit, all: [...config().list], sum: config().a + config().b ** 2 });\n};\n`,
      'config.js': `const fs = require('fs');\nmodule.exports = { config };\nfunction config() {\n  return JSON.parse(«fs.readFileSync('c.json', 'utf8')»);\n}\n`,
    },
    becomes: {
      'users.js': `const { config } = require('./config');\nexports.show = async (req, res) => {\n  res.json({ limit: (await config()).limit, all: [...(await config()).list], sum: (await config()).a + (await config()).b ** 2 });\n};\n`,
      'config.js': `const fs = require('fs');\nmodule.exports = { config };\nasync function config() {\n  return JSON.parse(await fs.promises.readFile('c.json', 'utf8'));\n}\n`,
    },
  },
  {
    name: 'a method of data that has the name of a caller',
    files: {
      'app.js': `${APP}const books = require('./books');\napp.get('/:id', (req, res) => { res.send(books.find(req.params.id)); });\n`,
      'books.js': `const { all } = require('./store');\nexports.find = function find(id) {\n  return all().find((book) => book.id === id);\n};\n`,
      'store.js': `const fs = require('fs');\nexports.all = () => parsed('b.json');\nfunction parsed(file) {\n  return JSON.parse(«fs.readFileSync(file, 'utf8')»);\n}\n`,
    },
    becomes: {
      'app.js': `${APP}const books = require('./books');\napp.get('/:id', async (req, res) => { res.send(await books.find(req.params.id)); });\n`,
      'books.js': `const { all } = require('./store');\nexports.find = async function find(id) {\n  return (await all()).find((book) => book.id === id);\n};\n`,
      'store.js': `const fs = require('fs');\nexports.all = async () => await parsed('b.json');\nasync function parsed(file) {\n  return JSON.parse(await fs.promises.readFile(file, 'utf8'));\n}\n`,
    },
  },
  {
    name: 'ES modules: renamed, re-exported, default',
    manifest: { type: 'module' },
    files: {
      'app.js': `import express from 'express';\nimport { fetchIt as get } from './index.js';\nimport load from './store.js';\nconst app = express();\napp.get('/a', (req, res) => res.send(get() + load()));\n`,
      'index.js': `export { load as fetchIt } from './store.js';\n`,
      'store.js': `import fs from 'node:fs';\nexport const load = () => «fs.readFileSync('a', 'utf8')»;\nexport default load;\n`,
    },
    becomes: {
      'app.js': `import express from 'express';\nimport { fetchIt as get } from './index.js';\nimport load from './store.js';\nconst app = express();\napp.get('/a', async (req, res) => res.send(await get() + await load()));\n`,
      'store.js': `import fs from 'node:fs';\nexport const load = async () => await fs.promises.readFile('a', 'utf8');\nexport default load;\n`,
    },
  },
  {
    name: 'an ES module waits at its top level',
    manifest: { type: 'module' },
    files: {
      'app.js': `import express from 'express';\nimport { load } from './store.js';\nconst first = load();\nconst app = express();\napp.get('/a', (req, res) => { res.send(load() + first); });\n`,
      'store.js': `import { readFileSync } from 'node:fs';\nexport function load() {\n  return «readFileSync('a', 'utf8')»;\n}\n`,
    },
    becomes: {
      'app.js': `import express from 'express';\nimport { load } from './store.js';\nconst first = await load();\nconst app = express();\napp.get('/a', async (req, res) => { res.send(await load() + first); });\n`,
      'store.js': `import { readFileSync } from 'node:fs';\nimport { readFile } from 'node:fs/promises';\nexport async function load() {\n  return await readFile('a', 'utf8');\n}\n`,
    },
  },
  {
    name: 'TypeScript: methods of classes and the types of their results',
    files: {
      'app.ts': `import express from 'express';\nimport { Users } from './users';\nconst app = express();\nconst users = new Users();\napp.get('/a', (req, res) => { res.json(users.find(1)!.name); });\n`,
      'users.ts': `import { Store } from './store';\nexport class Users {\n  private readonly store = new Store();\n  public find(id: number): { name: string } | undefined {\n    return this.store.load()[id];\n  }\n}\n`,
      'store.ts': `import fs from 'node:fs';\nexport class Store {\n  load(): { name: string }[] {\n    return JSON.parse(«fs.readFileSync('a', 'utf8')»);\n  }\n}\n`,
    },
    becomes: {
      'app.ts': `import express from 'express';\nimport { Users } from './users';\nconst app = express();\nconst users = new Users();\napp.get('/a', async (req, res) => { res.json((await users.find(1))!.name); });\n`,
      'users.ts': `import { Store } from './store';\nexport class Users {\n  private readonly store = new Store();\n  public async find(id: number): Promise<{ name: string } | undefined> {\n    return (await this.store.load())[id];\n  }\n}\n`,
      'store.ts': `import fs from 'node:fs';\nexport class Store {\n  async load(): Promise<{ name: string }[]> {\n    return JSON.parse(await fs.promises.readFile('a', 'utf8'));\n  }\n}\n`,
    },
  },
  {
    name: 'several callers, in loops, branches, helpers of their own files',
    files: {
      'app.js': `${route('let sum = 0; for (const one of req.body) { if (one && store.load(one)) sum += 1; } res.send(String(sum)); ')}app.get('/b', (req, res) => { res.send(twice(req.path)); });\nfunction twice(path) { const text = store.load(path); return text + text; }\n`,
      'store.js': read('load'),
    },
    becomes: {
      'app.js': `${isRoute('let sum = 0; for (const one of req.body) { if (one && await store.load(one)) sum += 1; } res.send(String(sum)); ')}app.get('/b', async (req, res) => { res.send(await twice(req.path)); });\nasync function twice(path) { const text = await store.load(path); return text + text; }\n`,
      'store.js': isRead('load'),
    },
    title: 'Convert to `fs.promises.readFile` with all 3 callers (2 files)',
  },
  {
    name: 'module.exports is the function, and is called at once',
    files: {
      'app.js': `${APP}const load = require('./store');\napp.get('/a', async (req, res) => { res.send(load() || require('./store')()); });\n`,
      'store.js': `const fs = require('fs');\nmodule.exports = () => «fs.readFileSync('a')»;\n`,
    },
    becomes: {
      'app.js': `${APP}const load = require('./store');\napp.get('/a', async (req, res) => { res.send(await load() || await require('./store')()); });\n`,
      'store.js': `const fs = require('fs');\nmodule.exports = async () => await fs.promises.readFile('a');\n`,
    },
  },
  {
    name: 'object methods, and functions of the same name elsewhere',
    files: {
      'app.js': `${APP}const { store } = require('./store');\nconst other = require('./other');\napp.get('/a', (req, res) => { res.send(store.load() + other.load()); });\n`,
      'other.js': `exports.load = function load() { return 1; };\n`,
      'store.js': `const fs = require('fs');\nconst store = {\n  load() { return «fs.readFileSync('a', 'utf8')»; },\n};\nmodule.exports = { store };\n`,
    },
    becomes: {
      'app.js': `${APP}const { store } = require('./store');\nconst other = require('./other');\napp.get('/a', async (req, res) => { res.send(await store.load() + other.load()); });\n`,
      'store.js': `const fs = require('fs');\nconst store = {\n  async load() { return await fs.promises.readFile('a', 'utf8'); },\n};\nmodule.exports = { store };\n`,
    },
  },
  {
    name: 'a function that gives promises has callers that wait',
    files: {
      'app.js': route('store.get().then((text) => res.send(text));'),
      'store.js': `const fs = require('fs');\nexports.get = () => Promise.resolve(load());\nfunction load() { return «fs.readFileSync('a')»; }\nexports.load = load;\n`,
    },
    becomes: {
      'store.js': `const fs = require('fs');\nexports.get = async () => Promise.resolve(await load());\nasync function load() { return await fs.promises.readFile('a'); }\nexports.load = load;\n`,
    },
  },
  {
    name: 'promises that are collected stay so; a callback of then',
    files: {
      'app.js': `${APP}const store = require('./store');\napp.get('/a', async (req, res) => { res.json(await Promise.all([store.load('a'), store.load('b')])); });\napp.get('/b', (req, res) => { ready().then(store.load).then((text) => res.send(text)); });\nasync function ready() { return 'a'; }\n`,
      'store.js': read('load'),
    },
    becomes: { 'store.js': isRead('load') },
  },
  {
    name: 'Express 4 with a wrapper that catches',
    manifest: { dependencies: { express: '^4.0.0' } },
    files: {
      'app.js': `${APP}const { catchAsync } = require('./wrap');\nconst users = require('./users');\napp.get('/a', catchAsync(users.show));\n`,
      'wrap.js': `exports.catchAsync = (fn) => (req, res, next) => Promise.resolve(fn(req, res, next)).catch(next);\n`,
      'users.js': `const store = require('./store');\nexports.show = (req, res) => { res.send(store.load(req.path)); };\n`,
      'store.js': read('load'),
    },
    becomes: {
      'users.js': `const store = require('./store');\nexports.show = async (req, res) => { res.send(await store.load(req.path)); };\n`,
      'store.js': isRead('load'),
    },
  },
  {
    name: 'a test that waits already',
    files: {
      'app.js': route('res.send(store.load(req.path));'),
      'store.js': read('load'),
      'test/store.test.js': `const test = require('node:test');\nconst { load } = require('../store');\ntest('it', async () => { load('a').trim(); });\n`,
    },
    becomes: {
      'app.js': isRoute('res.send(await store.load(req.path));'),
      'store.js': isRead('load'),
      'test/store.test.js': `const test = require('node:test');\nconst { load } = require('../store');\ntest('it', async () => { (await load('a')).trim(); });\n`,
    },
  },
];

const refused = (
  name: string,
  because: RegExp,
  app: string,
  more: Readonly<Record<string, string>> = {},
  manifest?: Partial<PackageManifest>,
): Application & { because: RegExp } => ({
  name,
  because,
  files: { 'app.js': app, 'store.js': read('load'), ...more },
  ...(manifest ? { manifest } : {}),
});
const SEND = 'res.send(store.load(req.path));';

export const refusals: readonly (Application & { because: RegExp })[] = [
  refused(
    'a constructor',
    /^app\.js:3: a constructor cannot be async$/,
    `${APP}const store = require('./store');\nclass A { constructor() { this.text = store.load('a'); } }\napp.get('/a', (req, res) => { ${SEND} res.send(new A()); });\n`,
  ),
  refused('a getter', /^model\.js:2: a getter cannot be async$/, route(SEND), {
    'model.js': `const { load } = require('./store');\nexports.model = { get text() { return load('a'); } };\n`,
  }),
  refused('a generator', /^gen\.js:2: `all` is a generator/, route(SEND), {
    'gen.js': `const { load } = require('./store');\nexports.all = function* all() { yield load('a'); };\n`,
  }),
  refused(
    'a callback of a list',
    /^app\.js:3: the callback of `map` must answer at once/,
    route('res.send(req.body.map((one) => store.load(one)));'),
  ),
  refused(
    'a sort comparator',
    /^app\.js:3: a sort comparator must answer at once/,
    route('res.send(req.body.sort((a, b) => store.load(a) - store.load(b)));'),
  ),
  refused(
    'forEach does not wait',
    /^app\.js:3: the callback of `forEach`/,
    route('req.body.forEach(async (one) => { store.load(one); }); res.end();'),
  ),
  refused('passed as a value', /^app\.js:3: `load` is handed to `req.body.map`/, route('res.send(req.body.map(store.load));')),
  refused('kept as a value', /^app\.js:3: `load` is used as a value/, route(`const f = store.load; ${SEND} f('a');`)),
  refused('compared', /^app\.js:3: `load` is used as a value/, route(`if (store.load === undefined) return; ${SEND}`)),
  refused('the top level of CommonJS', /^boot\.js:2: it is called at the top level, where a CommonJS module/, route(SEND), {
    'boot.js': `const { load } = require('./store');\nconst text = load('a');\nmodule.exports = text;\n`,
  }),
  refused(
    'a default parameter',
    /^app\.js:4: the call stands in a parameter's default value/,
    `${route(SEND)}function more(text = store.load('a')) { return text; }\nmore();\n`,
  ),
  refused(
    'a class field',
    /^app\.js:4: a class field, a static block or a namespace/,
    `${route(SEND)}class A { text = store.load('a'); }\nnew A();\n`,
  ),
  refused('a template tag', /^app\.js:3: `load` is used as a value/, route('res.send(store.load`a`);')),
  refused('an optional chain', /^app\.js:3: its result is used in an optional chain/, route('res.send(store.load("a")?.trim());')),
  refused('construction', /^app\.js:3: it is a constructor here/, route(`${SEND} new store.load();`)),
  refused('a test that is not async', /^test\/store\.test\.js:3: a test calls it/, route(SEND), {
    'test/store.test.js': `const test = require('node:test');\nconst store = require('../store');\ntest('it', () => { store.load('a'); });\n`,
  }),
  refused(
    'Express 4 without a catch',
    /^app\.js:3: Express before 5 does not catch a rejected promise/,
    route(SEND),
    {},
    { dependencies: { express: '^4.0.0' } },
  ),
  refused(
    'Express 4, a handler of another file',
    /^users\.js:2: Express before 5/,
    `${APP}app.get('/a', require('./users').show);\n`,
    { 'users.js': `const store = require('./store');\nexports.show = (req, res) => { ${SEND} };\n` },
    { dependencies: { express: '^4.0.0' } },
  ),
  refused(
    "the package's entry",
    /^store\.js:2: the package `readers` exports `load`/,
    route(SEND),
    {},
    { name: 'readers', main: 'store.js', private: false },
  ),
  refused('a call of the same name on what a function is given', /^other\.js:2: `given\(store\)\.load` may be `load`/, route(SEND), {
    'other.js': `const given = (one) => one;\nexports.run = (store) => given(store).load('a');\n`,
  }),
  refused('what is called is not known', /^other\.js:1: `store\.load` may be `load`/, route(SEND), {
    'other.js': `exports.run = (store) => store.load('a');\n`,
  }),
  refused(
    'called under a computed name',
    /^app\.js:\d+: `load` is run here under another name/,
    route(`${SEND} store[req.query.name]('a');`),
  ),
  refused('handed on in an object', /^other\.js:2: `load` is handed to `require\('x'\)` in an object/, route(SEND), {
    'other.js': `const { load } = require('./store');\nrequire('x')({ load });\n`,
  }),
  refused(
    "what registers it is the project's own",
    /^app\.js:4: `show` is handed to `route`, a function of the project/,
    `${APP}const route = (path, fn) => app.get(path, (req, res) => { const result = fn(req); res.send(result); });\nconst { show } = require('./users');\nroute('/a', show);\n`,
    { 'users.js': `const store = require('./store');\nexports.show = (req, res) => store.load(req.path);\n` },
  ),
  refused('an event listener', /^other\.js:2: `load` is handed to `process\.on`/, route(SEND), {
    'other.js': `const { load } = require('./store');\nprocess.on('message', load);\n`,
  }),
  refused(
    'a promise executor',
    /^app\.js:3: a promise's executor is not waited for/,
    route('new Promise((resolve) => resolve(store.load("a"))).then((text) => res.send(text));'),
  ),
  {
    name: 'a method of an interface',
    because: /^store\.ts:4: the class of `load` implements an interface/,
    files: {
      'app.ts': `import express from 'express';\nimport { Store } from './store';\nconst app = express();\nconst store = new Store();\napp.get('/a', (req, res) => { res.send(store.load()); });\n`,
      'store.ts': `import fs from 'fs';\ninterface Loads { load(): string }\nexport class Store implements Loads {\n  load(): string { return «fs.readFileSync('a', 'utf8')»; }\n}\n`,
    },
  },
  {
    name: 'a method that another class overrides',
    because: /^other\.js:2: another class has a method `load`/,
    files: {
      'app.js': `${APP}const { Store } = require('./store');\nconst store = new Store();\napp.get('/a', (req, res) => { res.send(store.load()); });\n`,
      'store.js': `const fs = require('fs');\nexports.Store = class Store {\n  load() { return «fs.readFileSync('a', 'utf8')»; }\n};\n`,
      'other.js': `const { Store } = require('./store');\nclass Other extends Store { load() { return 1; } }\nexports.other = new Other();\n`,
    },
  },
  {
    name: 'a type of its own',
    because: /^store\.ts:3: the type of `load` is declared by itself/,
    files: {
      'app.ts': `import express from 'express';\nimport { load } from './store';\nconst app = express();\napp.get('/a', (req, res) => { res.send(load()); });\n`,
      'store.ts': `import fs from 'fs';\ntype Load = () => string;\nexport const load: Load = () => «fs.readFileSync('a', 'utf8')»;\n`,
    },
  },
  {
    name: 'a type that is made of it',
    because: /^app\.ts:3: a type is made of `load`/,
    files: {
      'app.ts': `import express from 'express';\nimport { load } from './store';\ntype Text = ReturnType<typeof load>;\nconst app = express();\napp.get('/a', (req, res) => { const text: Text = load(); res.send(text); });\n`,
      'store.ts': `import fs from 'fs';\nexport function load(): string { return «fs.readFileSync('a', 'utf8')»; }\n`,
    },
  },
];
