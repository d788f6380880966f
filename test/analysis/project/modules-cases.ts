// Projects in which modules export and import in every form.
import type { App } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const EXPRESS = `const app = require('express')();\n`;

/** How values get from one file to another. */
export const moduleCases: readonly App[] = [
  {
    name: 'module.exports of functions',
    files: {
      'app.js': dedent`
        ${EXPRESS}const c = require('./c');
        app.get('/a', c.show);
      `,
      'c.js': dedent`
        const s = require('./s');
        module.exports = { show(req, res) { res.send(s.load()); }, other() { s.idle(); } };
      `,
      's.js': dedent`
        exports.load = function load() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['c.js#show GET /a', 's.js#load GET /a'],
    idle: ['c.js#other', 's.js#idle'],
  },
  {
    name: 'ES modules, named and default',
    files: {
      'app.mjs': dedent`
        import express from 'express';
        import show, { list as all } from './c.mjs';
        const app = express();
        app.get('/a', show);
        app.get('/b', all);
      `,
      'c.mjs': dedent`
        import * as s from './s.mjs';
        export default function show(req, res) { res.send(s.load()); }
        export const list = (req, res) => res.send(s.scan());
      `,
      's.mjs': dedent`
        export function load() {}
        export function scan() {}
        export function idle() {}
      `,
    },
    reached: ['s.mjs#load GET /a', 's.mjs#scan GET /b'],
    idle: ['s.mjs#idle'],
  },
  {
    name: 'an ES module takes what CommonJS exports',
    files: {
      'app.mjs': dedent`
        import express from 'express';
        import s from './s.cjs';
        import { scan } from './s.cjs';
        const app = express();
        app.get('/a', (req, res) => { s.load(); scan(); });
      `,
      's.cjs': `module.exports = { load() {}, scan() {} };`,
    },
    reached: ['s.cjs#load', 's.cjs#scan'],
  },
  {
    name: 'CommonJS takes what TypeScript compiles an ES module to',
    files: {
      'app.js': dedent`
        ${EXPRESS}const s = require('./s');
        app.get('/a', (req, res) => { s.default(); s.scan(); });
      `,
      's.ts': dedent`
        export default function load() {}
        export function scan() {}
      `,
    },
    reached: ['s.ts#load', 's.ts#scan'],
  },
  {
    name: 're-exports',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { load, again, all } from './services';
        const app = express();
        app.get('/a', (req, res) => { load(); again(); all.scan(); });
      `,
      'services/index.ts': dedent`
        export * from './a';
        export { default as again } from './b';
        export * as all from './c';
      `,
      'services/a.ts': `export const load = () => {};`,
      'services/b.ts': `export default function again() {}`,
      'services/c.ts': `export function scan() {}\nexport function idle() {}`,
    },
    reached: ['services/a.ts#load', 'services/b.ts#again', 'services/c.ts#scan'],
    idle: ['services/c.ts#idle'],
  },
  {
    name: 'Object.assign onto the exports, and a spread',
    files: {
      'app.js': dedent`
        ${EXPRESS}const { a, b } = require('./s');
        app.get('/a', (req, res) => { a(); b(); });
      `,
      's.js': dedent`
        Object.assign(module.exports, require('./a'));
        module.exports = { ...module.exports, ...require('./b') };
      `,
      'a.js': `exports.a = function a() {};`,
      'b.js': `module.exports = { b() {} };`,
    },
    reached: ['a.js#a', 'b.js#b'],
  },
  {
    name: "require('./routes')(app)",
    files: {
      'app.js': `${EXPRESS}require('./routes')(app);`,
      'routes/index.js': dedent`
        const c = require('../c');
        module.exports = function (app) { app.get('/a', c.show); };
      `,
      'c.js': dedent`
        exports.show = function show(req, res) { res.send(load()); };
        function load() {}
      `,
    },
    reached: ['c.js#load GET /a'],
  },
  {
    name: 'a dynamic import of a literal',
    files: {
      'app.mjs': dedent`
        import express from 'express';
        const app = express();
        app.get('/a', async (req, res) => { const { load } = await import('./s.mjs'); load(); });
      `,
      's.mjs': `export function load() {}`,
    },
    reached: ['s.mjs#load GET /a'],
  },
  {
    name: 'a path that a function of the file puts together',
    files: {
      'web/app.js': dedent`
        const app = require('express')();
        const ROOT = __dirname + '/';
        const route = (name) => ROOT + 'routes/' + name;
        function service(folder, name) { return \`../\${folder}/\${name}.js\`; }
        const other = (name) => { log(name); return './routes/' + name; };
        const users = require(route('users'));
        const { load } = require(service('services', 'load'));
        app.get('/users', users.list);
        app.get('/load', (req, res) => load());
        app.get('/other', require(other('idle')).list);
      `,
      'web/routes/users.js': dedent`
        exports.list = function list(req, res) { read(); };
        function read() {}
      `,
      'web/routes/idle.js': `exports.list = () => idle();\nfunction idle() {}`,
      'services/load.js': `exports.load = function load() {};`,
    },
    reached: ['web/routes/users.js#read GET /users', 'services/load.js#load GET /load'],
    idle: ['web/routes/idle.js#idle'],
  },
  {
    name: 'a folder that is loaded by name',
    files: {
      'app.js': dedent`
        const fs = require('fs');
        ${EXPRESS}for (const name of fs.readdirSync(__dirname + '/routes')) require('./routes/' + name)(app);
      `,
      'routes/users.js': dedent`
        module.exports = (app) => { app.get('/users', (req, res) => res.send(load())); };
        function load() {}
      `,
    },
    reached: ['routes/users.js#load GET /users'],
  },
  {
    name: 'workspaces, package exports and imports, path aliases',
    files: {
      'packages/api/src/app.ts': dedent`
        import express from 'express';
        import { load } from '@acme/core';
        import { scan } from '@acme/core/deep';
        import { own } from '#own';
        import { far } from '@lib/far';
        const app = express();
        app.get('/a', (req, res) => { load(); scan(); own(); far(); });
      `,
      'packages/api/src/own.ts': `export function own() {}`,
      'packages/api/src/lib/far.ts': `export function far() {}`,
      'packages/core/src/index.ts': `export function load() {}`,
      'packages/core/src/deep.ts': `export function scan() {}`,
    },
    layout: {
      packages: [
        { root: '/project/packages/api', name: '@acme/api', imports: { '#own': './dist/own.js' } },
        {
          root: '/project/packages/core',
          name: '@acme/core',
          exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './deep': './dist/deep.js' },
        },
      ],
      aliases: [{ root: '/project/packages/api', base: '/project/packages/api', hasBaseUrl: false, paths: { '@lib/*': ['src/lib/*'] } }],
    },
    reached: [
      'packages/core/src/index.ts#load',
      'packages/core/src/deep.ts#scan',
      'packages/api/src/own.ts#own',
      'packages/api/src/lib/far.ts#far',
    ],
  },
  {
    name: 'lists and tables of paths, what glob finds, packages that load a folder',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const path = require('path');
        const glob = require('glob');
        const requireAll = require('require-all');
        const parts = [];
        const TABLE = { md: './lib/three', txt: './lib/four' };
        ['./lib/one'].forEach((file) => parts.push(require(file)));
        for (const file of ['./lib/two']) parts.push(require(file));
        parts.push(require(TABLE[process.env.KIND]));
        glob.sync('./found/**/*.js').filter(Boolean).forEach((file) => { parts.push(require(path.resolve(file))); });
        const all = requireAll(path.join(__dirname, 'all'));
        Object.keys(all).forEach((key) => parts.push(all[key]));
        app.get('/a', (req, res) => { for (const part of parts) part.run(); res.end(); });
      `,
      'lib/one.js': `exports.run = function one() {};`,
      'lib/two.js': `exports.run = function two() {};`,
      'lib/three.js': `exports.run = function three() {};`,
      'lib/four.js': `exports.run = function four() {};`,
      'lib/idle.js': `exports.run = function idle() {};`,
      'found/five.js': `exports.run = function five() {};`,
      'found/deep/six.js': `exports.run = function six() {};`,
      'all/seven.js': `exports.run = function seven() {};`,
    },
    layout: { packages: [{ root: '/project' }], aliases: [] },
    reached: [
      'lib/one.js#one',
      'lib/two.js#two',
      'lib/three.js#three',
      'lib/four.js#four',
      'found/five.js#five',
      'found/deep/six.js#six',
      'all/seven.js#seven',
    ],
    idle: ['lib/idle.js#idle'],
  },
  {
    name: 'a settings file of the folder that the program is started in',
    files: {
      'src/app.js': dedent`
        const app = require('express')();
        const path = require('path');
        const settings = require(path.join(process.cwd(), process.argv[2]));
        app.get('/a', (req, res) => { settings.load(); res.end(structuredClone(settings)); });
      `,
      'src/s.js': dedent`
        module.exports = function idle() {};
        module.exports.load = function load() {};
      `,
    },
    layout: { packages: [{ root: '/project' }], aliases: [] },
    idle: ['src/s.js#idle', 'src/s.js#load'],
  },
  {
    name: 'a loader that takes some files of a folder, by how their names end',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const fs = require('fs');
        const path = require('path');
        const folder = path.join(__dirname, 'routes');
        for (const file of fs.readdirSync(folder)) {
          if (!(file.endsWith('router.js') || file.endsWith('router.ts'))) continue;
          require(path.join(folder, file))(app);
        }
        fs.readdirSync('./jobs').filter((name) => name.endsWith('.job.js') && name !== 'x').forEach((name) => require('./jobs/' + name)(app));
        fs.readdirSync('./all').forEach((name) => { if (name.endsWith('.test.js')) return; require('./all/' + name)(app); });
        app.listen(3000);
      `,
      'routes/users.router.js': `module.exports = function users(app) { app.get('/users', function inUse() {}); };`,
      'routes/users.js': `module.exports = function old(app) { app.get('/old', function idle() {}); };`,
      'jobs/a.job.js': `module.exports = function job(app) { app.get('/job', function started() {}); };`,
      'jobs/b.js': `module.exports = function other(app) { app.get('/b', function left() {}); };`,
      'all/one.js': `module.exports = function one(app) { app.get('/one', function taken() {}); };`,
    },
    reached: ['routes/users.router.js#inUse GET /users', 'jobs/a.job.js#started GET /job', 'all/one.js#taken GET /one'],
    idle: ['routes/users.js#idle', 'jobs/b.js#left'],
  },
  {
    name: 'loaders whose tests tell nothing, or not all: another kind of file, another text, a test after the file is loaded, names that are changed',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const fs = require('fs');
        const path = require('path');
        const [a, b, c, d, e] = [{}, {}, {}, {}, {}];
        fs.readdirSync('./a').filter((n) => n === 'index.js' || n.endsWith('.job.js')).forEach((n) => { a[n] = require('./a/' + n); });
        for (const n of fs.readdirSync('./b')) { if (n !== 'index.js' && !n.endsWith('.job.js')) continue; b[n] = require('./b/' + n); }
        const mode = process.env.MODE || '';
        for (const n of fs.readdirSync('./c')) { if (!mode.endsWith('.job')) continue; c[n] = require('./c/' + n); }
        for (const n of fs.readdirSync('./d')) { d[n] = require('./d/' + n); if (!n.endsWith('.job.js')) continue; console.log(n); }
        fs.readdirSync('./e').filter((n) => n.endsWith('.job')).map((n) => n.slice(0, -4)).forEach((n) => { e[n] = require('./e/' + n); });
        app.get('/a', (req, res) => res.end(a[req.query.k].run()));
        app.get('/b', (req, res) => res.end(b[req.query.k].run()));
        app.get('/c', (req, res) => res.end(c[req.query.k].run()));
        app.get('/d', (req, res) => res.end(d[req.query.k].run()));
        app.get('/e', (req, res) => res.end(e[req.query.k].run()));
        app.listen(3000);
      `,
      ...Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e'].flatMap((folder) => [
          [`${folder}/index.js`, `exports.run = function ${folder}() {};`],
          [`${folder}/x.job.js`, `exports.run = () => {};`],
        ]),
      ),
    },
    reached: ['a/index.js#a GET /a', 'b/index.js#b GET /b', 'c/index.js#c GET /c', 'd/index.js#d GET /d', 'e/index.js#e GET /e'],
  },
  {
    name: 'loaders that ask for the end of an entry, of its path, or of its name after a `map`',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const fs = require('fs');
        const path = require('path');
        const names = fs.readdirSync('./a', { withFileTypes: true });
        names.filter((e) => e.isFile() && e.name.endsWith('.routes.js')).map((e) => e.name).forEach((n) => require('./a/' + n)(app));
        for (const n of fs.readdirSync('./b')) {
          const full = path.join('./b', n);
          if (!full.endsWith('.routes.js') || !n.endsWith('.js')) continue;
          require('./b/' + n)(app);
        }
        app.listen(3000);
      `,
      'a/one.routes.js': `module.exports = (app) => { app.get('/one', function one() {}); };`,
      'a/other.js': `module.exports = (app) => { app.get('/other', function other() {}); };`,
      'b/two.routes.js': `module.exports = (app) => { app.get('/two', function two() {}); };`,
      'b/left.js': `module.exports = (app) => { app.get('/left', function left() {}); };`,
    },
    reached: ['a/one.routes.js#one GET /one', 'b/two.routes.js#two GET /two'],
    idle: ['a/other.js#other', 'b/left.js#left'],
  },
  {
    name: 'a loader that another file calls, too: what this file passes is not all',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const mods = require('./load')('mods');
        app.get('/a', (req, res) => res.end(mods[req.query.k].run(req.query.p)));
        app.listen(3000);
      `,
      'load.js': dedent`
        const fs = require('fs');
        const path = require('path');
        function load(dir) {
          const all = {};
          for (const n of fs.readdirSync(path.join(__dirname, dir))) all[n] = require(path.join(__dirname, dir, n));
          return all;
        }
        module.exports = load;
        load('jobs');
      `,
      'jobs/x.js': 'exports.run = () => {};',
      'mods/a.js': 'exports.run = function a() {};',
    },
    reached: ['mods/a.js#a GET /a'],
  },
  {
    name: 'imports of compiled files that are left out lead to their sources',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const fs = require('fs');
        const { hash } = require('./dist/hash');
        const { show } = require('./packages/a/lib/show.js');
        const { kept } = require('./lib/kept');
        app.get('/a', (req, res) => res.end(hash(req.query.p)));
        app.get('/b', show);
        app.get('/c', kept);
        const mods = {};
        for (const n of fs.readdirSync('./dist/mods')) mods[n] = require('./dist/mods/' + n);
        app.get('/d', (req, res) => res.end(mods[req.query.k].run()));
        app.listen(3000);
      `,
      'src/hash.ts': 'export function hash() {}',
      'packages/a/show.ts': 'export function show() {}',
      'lib/kept.js': 'exports.kept = function kept() {};',
      'src/kept.js': 'exports.kept = function other() {};',
      'src/mods/one.ts': 'export function run() {}',
    },
    reached: ['src/hash.ts#hash GET /a', 'packages/a/show.ts#show GET /b', 'lib/kept.js#kept GET /c', 'src/mods/one.ts#run GET /d'],
    idle: ['src/kept.js#other'],
  },
  {
    name: 'functions that pass a path on in millions of ways',
    files: {
      'app.js': [
        "const app = require('express')();",
        'function f0(p) { require(p)(app); }',
        ...Array.from({ length: 5 }, (_, i) => `function f${i + 1}(p) { ${`f${i}(p); `.repeat(60)} }`),
        "f3('./routes/a');",
        'function g0(p) { require(p)(app); }',
        ...Array.from({ length: 4 }, (_, i) => `function g${i + 1}(p) { ${`g${i}(p); `.repeat(60)} }`),
        "g4('./routes/a');",
        ...Array.from(
          { length: 6 },
          (_, i) => `function h${i}(p) { require(p); ${[0, 1, 2, 3, 4, 5].map((to) => `h${to}(p); `.repeat(9)).join('')} }`,
        ),
      ].join('\n'),
      'routes/a.js': `module.exports = (app) => { app.get('/a', function a() {}); };`,
    },
    reached: ['routes/a.js#a GET /a'],
  },
  {
    name: 'loaders that go into the folders below by calling themselves, and one that is called with several folders',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const fs = require('fs');
        const path = require('path');
        function load(dir) {
          const folder = path.join(__dirname, dir);
          for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
            const full = path.join(folder, entry.name);
            if (entry.isDirectory()) load(path.relative(__dirname, full));
            else if (entry.name.endsWith('.js')) require(full)(app);
          }
        }
        load('routes');
        const walk = (folder) => {
          fs.readdirSync(folder).forEach((name) => {
            const full = path.join(folder, name);
            if (fs.statSync(full).isDirectory()) return walk(full);
            require(full)(app);
          });
        };
        walk(path.join(__dirname, 'more'));
        function flat(folder) { for (const name of fs.readdirSync(folder)) require(path.join(folder, name))(app); }
        flat('./flat');
        function either(folder) { for (const name of fs.readdirSync(folder)) require(path.join(folder, name))(app); }
        either('./one');
        either('./two');
        app.listen(3000);
      `,
      'routes/one.js': `module.exports = (app) => { app.get('/one', function one() {}); };`,
      'routes/a/two.js': `module.exports = (app) => { app.get('/two', function two() {}); };`,
      'routes/a/b/three.js': `module.exports = (app) => { app.get('/three', function three() {}); };`,
      'more/x/four.js': `module.exports = (app) => { app.get('/four', function four() {}); };`,
      'flat/five.js': `exports.run = function five() {};\nmodule.exports = (app) => { app.get('/five', function inFlat() {}); };`,
      'flat/deep/six.js': `module.exports = (on) => { on.load('/six', function deep() {}); };`,
    },
    reached: [
      'routes/one.js#one GET /one',
      'routes/a/two.js#two',
      'routes/a/b/three.js#three',
      'more/x/four.js#four',
      'flat/five.js#inFlat',
    ],
    idle: ['flat/deep/six.js#deep'],
  },
];
