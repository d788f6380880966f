// Small applications: a marked call with what all files become, or why nothing is offered.
import type { PackageManifest } from '../../protocol/project.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

export interface Application {
  name: string;
  /** By path; the blocking call of one of them is marked. */
  files: Readonly<Record<string, string>>;
  manifest?: Partial<PackageManifest>;
}

const APP = `const app = require('express')();\n`;
const SEND = 'res.send(store.load(req.path));';
const read = (name: string): string =>
  dedent`
    const fs = require('fs');
    exports.${name} = function ${name}(file) {
      return «fs.readFileSync(file, 'utf8')»;
    };

  `;
const isRead = (name: string): string =>
  dedent`
    const fs = require('fs');
    exports.${name} = async function ${name}(file) {
      return await fs.promises.readFile(file, 'utf8');
    };

  `;
const route = (body: string): string => dedent`
  ${APP}const store = require('./store');
  app.get('/a', (req, res) => { ${body} });

`;
const isRoute = (body: string): string => dedent`
  ${APP}const store = require('./store');
  app.get('/a', async (req, res) => { ${body} });

`;

export const conversions: readonly (Application & { becomes: Readonly<Record<string, string>>; title?: string })[] = [
  {
    name: 'a function of another file',
    files: { 'app.js': route('res.send(store.load(req.path));'), 'store.js': read('load') },
    becomes: { 'app.js': isRoute('res.send(await store.load(req.path));'), 'store.js': isRead('load') },
    title: 'Convert to `fs.promises.readFile` with its caller (2 files)',
  },
  {
    name: 'all blocking calls of the function, and what its comment says it returns',
    files: {
      'app.js': route('res.send(store.load(req.path));'),
      'store.js': dedent`
        const bcrypt = require('bcrypt');
        /**
         * @param {string} text what to hash
         * @returns {string} the hash
         */
        exports.load = function (text) {
          const hash = «bcrypt.hashSync(text, 10)»;
          const isSame = bcrypt.compareSync(text, hash);
          return isSame ? hash : '';
        };

      `,
    },
    becomes: {
      'app.js': isRoute('res.send(await store.load(req.path));'),
      'store.js': dedent`
        const bcrypt = require('bcrypt');
        /**
         * @param {string} text what to hash
         * @returns {Promise<string>} the hash
         */
        exports.load = async function (text) {
          const hash = await bcrypt.hash(text, 10);
          const isSame = await bcrypt.compare(text, hash);
          return isSame ? hash : '';
        };

      `,
    },
    title: 'Convert 2 blocking calls of `load` to promise forms with its caller (2 files)',
  },
  {
    name: 'an optional chain',
    files: { 'app.js': route('res.send(store.load("a")?.trim());'), 'store.js': read('load') },
    becomes: {
      'app.js': isRoute('res.send((await store.load("a"))?.trim());').replace('{ res', '{\n  res').replace('; });', ';\n});'),
      'store.js': isRead('load'),
    },
  },
  {
    name: 'three files, and a member of what is read',
    files: {
      'app.js': dedent`
        ${APP}const users = require('./users');
        app.get('/a', users.show);

      `,
      'users.js': dedent`
        const { config } = require('./config');
        exports.show = (req, res) => {
          res.json({ limit: config().limit, all: [...config().list], sum: config().a + config().b ** 2 });
        };

      `,
      'config.js': dedent`
        const fs = require('fs');
        module.exports = { config };
        function config() {
          return JSON.parse(«fs.readFileSync('c.json', 'utf8')»);
        }

      `,
    },
    becomes: {
      'users.js': dedent`
        const { config } = require('./config');
        exports.show = async (req, res) => {
          res.json({
            limit: (await config()).limit,
            all: [...(await config()).list],
            sum: (await config()).a + (await config()).b ** 2,
          });
        };

      `,
      'config.js': dedent`
        const fs = require('fs');
        module.exports = { config };
        async function config() {
          return JSON.parse(await fs.promises.readFile('c.json', 'utf8'));
        }

      `,
    },
  },
  {
    name: 'a method of data that has the name of a caller',
    files: {
      'app.js': dedent`
        ${APP}const books = require('./books');
        app.get('/:id', (req, res) => { res.send(books.find(req.params.id)); });

      `,
      'books.js': dedent`
        const { all } = require('./store');
        exports.find = function find(id) {
          return all().find((book) => book.id === id);
        };

      `,
      'store.js': dedent`
        const fs = require('fs');
        exports.all = () => parsed('b.json');
        function parsed(file) {
          return JSON.parse(«fs.readFileSync(file, 'utf8')»);
        }

      `,
    },
    becomes: {
      'app.js': dedent`
        ${APP}const books = require('./books');
        app.get('/:id', async (req, res) => {
          res.send(await books.find(req.params.id));
        });

      `,
      'books.js': dedent`
        const { all } = require('./store');
        exports.find = async function find(id) {
          return (await all()).find((book) => book.id === id);
        };

      `,
      'store.js': dedent`
        const fs = require('fs');
        exports.all = () => parsed('b.json');
        async function parsed(file) {
          return JSON.parse(await fs.promises.readFile(file, 'utf8'));
        }

      `,
    },
  },
  {
    name: 'ES modules: renamed, re-exported, default',
    manifest: { type: 'module' },
    files: {
      'app.js': dedent`
        import express from 'express';
        import { fetchIt as get } from './index.js';
        import load from './store.js';
        const app = express();
        app.get('/a', (req, res) => res.send(get() + load()));

      `,
      'index.js': `export { load as fetchIt } from './store.js';\n`,
      'store.js': dedent`
        import fs from 'node:fs';
        export const load = () => «fs.readFileSync('a', 'utf8')»;
        export default load;

      `,
    },
    becomes: {
      'app.js': dedent`
        import express from 'express';
        import { fetchIt as get } from './index.js';
        import load from './store.js';
        const app = express();
        app.get('/a', async (req, res) => res.send((await get()) + (await load())));

      `,
      'store.js': dedent`
        import fs from 'node:fs';
        export const load = async () => await fs.promises.readFile('a', 'utf8');
        export default load;

      `,
    },
  },
  {
    name: 'an ES module waits at its top level',
    manifest: { type: 'module' },
    files: {
      'app.js': dedent`
        import express from 'express';
        import { load } from './store.js';
        const first = load();
        const app = express();
        app.get('/a', (req, res) => { res.send(load() + first); });

      `,
      'store.js': dedent`
        import { readFileSync } from 'node:fs';
        export function load() {
          return «readFileSync('a', 'utf8')»;
        }

      `,
    },
    becomes: {
      'app.js': dedent`
        import express from 'express';
        import { load } from './store.js';
        const first = await load();
        const app = express();
        app.get('/a', async (req, res) => { res.send((await load()) + first); });

      `,
      'store.js': dedent`
        import { readFile } from 'node:fs/promises';
        export async function load() {
          return await readFile('a', 'utf8');
        }

      `,
    },
  },
  {
    name: 'TypeScript: methods of classes and the types of their results',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { Users } from './users';
        const app = express();
        const users = new Users();
        app.get('/a', (req, res) => { res.json(users.find(1)!.name); });

      `,
      'users.ts': dedent`
        import { Store } from './store';
        export class Users {
          private readonly store = new Store();
          public find(id: number): { name: string } | undefined {
            return this.store.load()[id];
          }
        }

      `,
      'store.ts': dedent`
        import fs from 'node:fs';
        export class Store {
          load(): { name: string }[] {
            return JSON.parse(«fs.readFileSync('a', 'utf8')»);
          }
        }

      `,
    },
    becomes: {
      'app.ts': dedent`
        import express from 'express';
        import { Users } from './users';
        const app = express();
        const users = new Users();
        app.get('/a', async (req, res) => { res.json((await users.find(1))!.name); });

      `,
      'users.ts': dedent`
        import { Store } from './store';
        export class Users {
          private readonly store = new Store();
          public async find(id: number): Promise<{ name: string } | undefined> {
            return (await this.store.load())[id];
          }
        }

      `,
      'store.ts': dedent`
        import fs from 'node:fs';
        export class Store {
          async load(): Promise<{ name: string }[]> {
            return JSON.parse(await fs.promises.readFile('a', 'utf8'));
          }
        }

      `,
    },
  },
  {
    name: 'several callers, in loops, branches, helpers of their own files',
    files: {
      'app.js': dedent`
        ${route('let sum = 0; for (const one of req.body) { if (one && store.load(one)) sum += 1; } res.send(String(sum)); ')}app.get('/b', (req, res) => { res.send(twice(req.path)); });
        function twice(path) { const text = store.load(path); return text + text; }

      `,
      'store.js': read('load'),
    },
    becomes: {
      'app.js': dedent`
        ${isRoute('let sum = 0; for (const one of req.body) { if (one && (await store.load(one))) sum += 1; } res.send(String(sum)); ')}app.get('/b', async (req, res) => { res.send(await twice(req.path)); });
        async function twice(path) { const text = await store.load(path); return text + text; }

      `,
      'store.js': isRead('load'),
    },
    title: 'Convert to `fs.promises.readFile` with all 3 callers (2 files)',
  },
  {
    name: 'module.exports is the function, and is called at once',
    files: {
      'app.js': dedent`
        ${APP}const load = require('./store');
        app.get('/a', async (req, res) => { res.send(load() || require('./store')()); });

      `,
      'store.js': dedent`
        const fs = require('fs');
        module.exports = () => «fs.readFileSync('a')»;

      `,
    },
    becomes: {
      'app.js': dedent`
        ${APP}const load = require('./store');
        app.get('/a', async (req, res) => { res.send((await load()) || (await require('./store')())); });

      `,
      'store.js': dedent`
        const fs = require('fs');
        module.exports = async () => await fs.promises.readFile('a');

      `,
    },
  },
  {
    name: 'object methods, and functions of the same name elsewhere',
    files: {
      'app.js': dedent`
        ${APP}const { store } = require('./store');
        const other = require('./other');
        app.get('/a', (req, res) => { res.send(store.load() + other.load()); });

      `,
      'other.js': `exports.load = function load() { return 1; };\n`,
      'store.js': dedent`
        const fs = require('fs');
        const store = {
          load() { return «fs.readFileSync('a', 'utf8')»; },
        };
        module.exports = { store };

      `,
    },
    becomes: {
      'app.js': dedent`
        ${APP}const { store } = require('./store');
        const other = require('./other');
        app.get('/a', async (req, res) => {
          res.send((await store.load()) + other.load());
        });

      `,
      'store.js': dedent`
        const fs = require('fs');
        const store = {
          async load() { return await fs.promises.readFile('a', 'utf8'); },
        };
        module.exports = { store };

      `,
    },
  },
  {
    name: 'a function that gives promises has callers that wait',
    files: {
      'app.js': route('store.get().then((text) => res.send(text));'),
      'store.js': dedent`
        const fs = require('fs');
        exports.get = () => Promise.resolve(load());
        function load() { return «fs.readFileSync('a')»; }
        exports.load = load;

      `,
    },
    becomes: {
      'store.js': dedent`
        const fs = require('fs');
        exports.get = async () => Promise.resolve(await load());
        async function load() { return await fs.promises.readFile('a'); }
        exports.load = load;

      `,
    },
  },
  {
    name: 'promises that are collected stay so; a callback of then',
    files: {
      'app.js': dedent`
        ${APP}const store = require('./store');
        app.get('/a', async (req, res) => { res.json(await Promise.all([store.load('a'), store.load('b')])); });
        app.get('/b', (req, res) => { ready().then(store.load).then((text) => res.send(text)); });
        async function ready() { return 'a'; }

      `,
      'store.js': read('load'),
    },
    becomes: { 'store.js': isRead('load') },
  },
  {
    name: 'a test that is not async',
    files: {
      'app.js': route(SEND),
      'store.js': read('load'),
      'test/store.test.js': dedent`
        const test = require('node:test');
        const store = require('../store');
        test('it', () => { store.load('a'); });

      `,
    },
    becomes: {
      'app.js': dedent`
        ${APP}const store = require('./store');
        app.get('/a', async (req, res) => { ${SEND.replace('store.load', 'await store.load')} });

      `,
      'store.js': isRead('load'),
      'test/store.test.js': dedent`
        const test = require('node:test');
        const store = require('../store');
        test('it', async () => { await store.load('a'); });

      `,
    },
  },
  {
    name: 'Express 4, a handler of another file that passes its errors on',
    manifest: { dependencies: { express: '^4.0.0' } },
    title: 'Convert to `fs.promises.readFile` with its caller, with errors passed to `next` (2 files)',
    files: {
      'app.js': `${APP}app.get('/a', require('./users').show);\n`,
      'users.js': dedent`
        const store = require('./store');
        exports.show = (req, res) => {
          const text = store.load(req.path);

          res.send(text);
        };

      `,
      'store.js': read('load'),
    },
    becomes: {
      'users.js': dedent`
        const store = require('./store');
        exports.show = async (req, res, next) => {
          try {
            const text = await store.load(req.path);

            res.send(text);
          } catch (error) {
            next(error);
          }
        };

      `,
      'store.js': isRead('load'),
    },
  },
  {
    name: 'Express 4 with a wrapper that catches',
    manifest: { dependencies: { express: '^4.0.0' } },
    files: {
      'app.js': dedent`
        ${APP}const { catchAsync } = require('./wrap');
        const users = require('./users');
        app.get('/a', catchAsync(users.show));

      `,
      'wrap.js': `exports.catchAsync = (fn) => (req, res, next) => Promise.resolve(fn(req, res, next)).catch(next);\n`,
      'users.js': dedent`
        const store = require('./store');
        exports.show = (req, res) => { res.send(store.load(req.path)); };

      `,
      'store.js': read('load'),
    },
    becomes: {
      'users.js': dedent`
        const store = require('./store');
        exports.show = async (req, res) => { res.send(await store.load(req.path)); };

      `,
      'store.js': isRead('load'),
    },
  },
  {
    name: 'a test that waits already',
    files: {
      'app.js': route('res.send(store.load(req.path));'),
      'store.js': read('load'),
      'test/store.test.js': dedent`
        const test = require('node:test');
        const { load } = require('../store');
        test('it', async () => { load('a').trim(); });

      `,
    },
    becomes: {
      'app.js': isRoute('res.send(await store.load(req.path));'),
      'store.js': isRead('load'),
      'test/store.test.js': dedent`
        const test = require('node:test');
        const { load } = require('../store');
        test('it', async () => { (await load('a')).trim(); });

      `,
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
export const refusals: readonly (Application & { because: RegExp })[] = [
  refused(
    'a constructor',
    /^app\.js:3: a constructor cannot be async\. Pass it what it reads/,
    dedent`
      ${APP}const store = require('./store');
      class A { constructor() { this.text = store.load('a'); } }
      app.get('/a', (req, res) => { ${SEND} res.send(new A()); });

    `,
  ),
  refused('a getter', /^model\.js:2: a getter cannot be async\. Make it a method$/, route(SEND), {
    'model.js': dedent`
      const { load } = require('./store');
      exports.model = { get text() { return load('a'); } };

    `,
  }),
  refused('a generator', /^gen\.js:2: `all` is a generator/, route(SEND), {
    'gen.js': dedent`
      const { load } = require('./store');
      exports.all = function* all() { yield load('a'); };

    `,
  }),
  refused(
    'a callback of a list',
    /^app\.js:3: the callback of `map` must return synchronously/,
    route('res.send(req.body.map((one) => store.load(one)));'),
  ),
  refused(
    'a sort comparator',
    /^app\.js:3: a sort comparator must return synchronously/,
    route('res.send(req.body.sort((a, b) => store.load(a) - store.load(b)));'),
  ),
  refused(
    'forEach does not wait',
    /^app\.js:3: the callback of `forEach`/,
    route('req.body.forEach(async (one) => { store.load(one); }); res.end();'),
  ),
  refused('passed as a value', /^app\.js:3: `load` is passed to `req.body.map`/, route('res.send(req.body.map(store.load));')),
  refused('kept as a value', /^app\.js:3: `load` is used as a value/, route(`const f = store.load; ${SEND} f('a');`)),
  refused('compared', /^app\.js:3: `load` is used as a value/, route(`if (store.load === undefined) return; ${SEND}`)),
  refused('the top level of CommonJS', /^boot\.js:2: it is called at the top level, where a CommonJS module/, route(SEND), {
    'boot.js': dedent`
      const { load } = require('./store');
      const text = load('a');
      module.exports = text;

    `,
  }),
  refused(
    'a default parameter',
    /^app\.js:4: the call is in a parameter's default value/,
    dedent`
      ${route(SEND)}function more(text = store.load('a')) { return text; }
      more();

    `,
  ),
  refused(
    'a class field',
    /^app\.js:4: a class field, static block, or namespace/,
    dedent`
      ${route(SEND)}class A { text = store.load('a'); }
      new A();

    `,
  ),
  refused('a template tag', /^app\.js:3: `load` is used as a value/, route('res.send(store.load`a`);')),
  refused('construction', /^app\.js:3: it is called as a constructor here/, route(`${SEND} new store.load();`)),
  refused('a test that takes a callback', /^test\/store\.test\.js:3: a test calls it/, route(SEND), {
    'test/store.test.js': dedent`
      const { it } = require('mocha');
      const store = require('../store');
      it('loads', (done) => { store.load('a'); done(); });

    `,
  }),
  refused('a group of tests, for which no runner waits', /^test\/store\.test\.js:3: a test calls it/, route(SEND), {
    'test/store.test.js': dedent`
      const { describe } = require('node:test');
      const store = require('../store');
      describe('it', () => { store.load('a'); });

    `,
  }),
  refused(
    'Express 4, where `next` is something else',
    /^app\.js:3: Express before 5 does not catch rejected promises/,
    route(`const next = 1; ${SEND}`),
    {},
    { dependencies: { express: '^4.0.0' } },
  ),
  refused(
    "the package's entry",
    /^store\.js:2: the package `readers` exports `load`/,
    route(SEND),
    {},
    { name: 'readers', main: 'store.js', private: false },
  ),
  refused(
    'a file that a path of the package leads to',
    /^store\.js:2: the package `readers` exports `load`, so users of the package may call it/,
    route(SEND),
    {},
    { name: 'readers', main: 'app.js', subpaths: ['./st*'], private: false },
  ),
  refused('a call of the same name on what a function is given', /^other\.js:2: `given\(store\)\.load` may be `load`/, route(SEND), {
    'other.js': dedent`
      const given = (one) => one;
      exports.run = (store) => given(store).load('a');

    `,
  }),
  refused('what is called is not known', /^other\.js:1: `store\.load` may be `load`/, route(SEND), {
    'other.js': `exports.run = (store) => store.load('a');\n`,
  }),
  refused(
    'called under a computed name',
    /^app\.js:\d+: `load` is called here under another name/,
    route(`${SEND} store[req.query.name]('a');`),
  ),
  refused('handed on in an object', /^other\.js:2: `load` is passed to `require\('x'\)` in an object/, route(SEND), {
    'other.js': dedent`
      const { load } = require('./store');
      require('x')({ load });

    `,
  }),
  refused(
    "what registers it is the project's own",
    /^app\.js:4: `show` is passed to `route`, a function of this project/,
    dedent`
      ${APP}const route = (path, fn) => app.get(path, (req, res) => { const result = fn(req); res.send(result); });
      const { show } = require('./users');
      route('/a', show);

    `,
    {
      'users.js': dedent`
        const store = require('./store');
        exports.show = (req, res) => store.load(req.path);

      `,
    },
  ),
  refused('a change, before what callers do next', /^store\.js:2: `file` is changed, and the callers go on with it/, route(SEND), {
    'store.js': dedent`
      const fs = require('fs');
      exports.load = (file) => { «fs.unlinkSync(file)»; };

    `,
  }),
  refused('a lookup in each round', /^store\.js:4: it looks at one file in each round/, route(SEND), {
    'store.js': dedent`
      const fs = require('fs');
      exports.load = (files) => {
        let size = 0;
        for (const file of files) size += «fs.lstatSync(file)».size;
        return size;
      };

    `,
  }),
  refused('an event listener', /^other\.js:2: `load` is passed to `process\.on`/, route(SEND), {
    'other.js': dedent`
      const { load } = require('./store');
      process.on('message', load);

    `,
  }),
  refused(
    'a promise executor',
    /^app\.js:3: a promise executor is not awaited/,
    route('new Promise((resolve) => resolve(store.load("a"))).then((text) => res.send(text));'),
  ),
  {
    name: 'a method of an interface',
    because: /^store\.ts:4: the class of `load` implements an interface/,
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { Store } from './store';
        const app = express();
        const store = new Store();
        app.get('/a', (req, res) => { res.send(store.load()); });

      `,
      'store.ts': dedent`
        import fs from 'fs';
        interface Loads { load(): string }
        export class Store implements Loads {
          load(): string { return «fs.readFileSync('a', 'utf8')»; }
        }

      `,
    },
  },
  {
    name: 'a method that another class overrides',
    because: /^other\.js:2: another class has a method `load`/,
    files: {
      'app.js': dedent`
        ${APP}const { Store } = require('./store');
        const store = new Store();
        app.get('/a', (req, res) => { res.send(store.load()); });

      `,
      'store.js': dedent`
        const fs = require('fs');
        exports.Store = class Store {
          load() { return «fs.readFileSync('a', 'utf8')»; }
        };

      `,
      'other.js': dedent`
        const { Store } = require('./store');
        class Other extends Store { load() { return 1; } }
        exports.other = new Other();

      `,
    },
  },
  {
    name: 'a type of its own',
    because: /^store\.ts:3: the type of `load` is declared separately/,
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { load } from './store';
        const app = express();
        app.get('/a', (req, res) => { res.send(load()); });

      `,
      'store.ts': dedent`
        import fs from 'fs';
        type Load = () => string;
        export const load: Load = () => «fs.readFileSync('a', 'utf8')»;

      `,
    },
  },
  {
    name: 'a type that is made of it',
    because: /^app\.ts:3: a type is derived from `load`/,
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { load } from './store';
        type Text = ReturnType<typeof load>;
        const app = express();
        app.get('/a', (req, res) => { const text: Text = load(); res.send(text); });

      `,
      'store.ts': dedent`
        import fs from 'fs';
        export function load(): string { return «fs.readFileSync('a', 'utf8')»; }

      `,
    },
  },
];
