// Projects with more files, exports, or subclasses than a points-to set may hold.
import type { App } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const EXPRESS = `const app = require('express')();\n`;

const FILES = 60;

const each = (of: (i: number) => string, count = FILES): string => Array.from({ length: count }, (_, i) => of(i)).join('\n');

const files = (of: (i: number) => readonly [string, string], count = FILES): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => of(i)));

/** Things that come in dozens: what is found must not depend on how many there are. */
export const largeCases: readonly App[] = [
  {
    name: 'a barrel of many files',
    files: {
      'app.mjs': dedent`
        import express from 'express';
        import { load3, load59 } from './barrel.mjs';
        import * as all from './barrel.mjs';
        const app = express();
        app.get('/a', (req, res) => { load3(); load59(); res.send(all.load58()); });
      `,
      'barrel.mjs': each((i) => `export * from './files/file${i}.mjs';`),
      ...files((i) => [`files/file${i}.mjs`, `export function load${i}() {}\nexport function idle${i}() {}`]),
    },
    reached: ['files/file3.mjs#load3 GET /a', 'files/file59.mjs#load59 GET /a', 'files/file58.mjs#load58 GET /a'],
    idle: ['files/file59.mjs#idle59', 'files/file40.mjs#load40'],
  },
  {
    name: 'a barrel of barrels, which one file of them extends',
    files: {
      'app.mjs': dedent`
        import express from 'express';
        import { load59, own } from './barrel.mjs';
        express().get('/a', (req, res) => { load59(); own(); });
      `,
      'barrel.mjs': each((i) => `export * from './b${i}.mjs';`),
      ...files((i) => [`b${i}.mjs`, `export * from './files/file${i}.mjs';\nexport const own${i} = 1;`]),
      ...files((i) => [`files/file${i}.mjs`, `export * from '../barrel.mjs';\nexport function load${i}() {}`]),
      'b1.mjs': `export { load1 as own } from './files/file1.mjs';`,
    },
    reached: ['files/file59.mjs#load59 GET /a', 'files/file1.mjs#load1 GET /a'],
    idle: ['files/file58.mjs#load58'],
  },
  {
    name: 'a barrel of what many CommonJS files export',
    files: {
      'app.js': dedent`
        ${EXPRESS}const { load59 } = require('./barrel');
        const all = require('./merged');
        app.get('/a', (req, res) => { load59(); all.load58(); });
      `,
      'barrel.js': dedent`
        module.exports = {
        ${each((i) => `  ...require('./files/file${i}'),`)}
        };
      `,
      'merged.js': each((i) => `Object.assign(exports, require('./files/file${i}'));`),
      ...files((i) => [`files/file${i}.js`, `module.exports = { load${i}() {}, idle${i}() {} };`]),
    },
    reached: ['files/file59.js#load59 GET /a', 'files/file58.js#load58 GET /a'],
    idle: ['files/file59.js#idle59', 'files/file40.js#load40'],
  },
  {
    name: 'what a barrel exports itself hides what it passes on',
    files: {
      'app.mjs': dedent`
        import express from 'express';
        import { load } from './barrel.mjs';
        express().get('/a', (req, res) => load());
      `,
      'barrel.mjs': `${each((i) => `export * from './files/file${i}.mjs';`)}\nexport function load() {}`,
      ...files((i) => [`files/file${i}.mjs`, `export function load() {}`]),
    },
    reached: ['barrel.mjs#load GET /a'],
    idle: ['files/file0.mjs#load', 'files/file59.mjs#load'],
  },
  {
    name: 'many routers of a table, mounted in a loop',
    files: {
      'app.js': dedent`
        ${EXPRESS}const routes = [
        ${each((i) => `  { path: '/p${i}', router: require('./files/r${i}') },`)}
        ];
        for (const { path, router } of routes) app.use(path, router);
      `,
      ...files((i) => [
        `files/r${i}.js`,
        dedent`
          const router = require('express').Router();
          router.get('/x', function show${i}(req, res) {});
          module.exports = router;
        `,
      ]),
    },
    reached: ['files/r0.js#show0 GET /p0/x', 'files/r59.js#show59 GET /p59/x'],
  },
  {
    name: 'many plug-ins of a folder',
    files: {
      'app.js': dedent`
        ${EXPRESS}const fs = require('fs');
        const path = require('path');
        for (const file of fs.readdirSync(path.join(__dirname, 'plugins'))) require(path.join(__dirname, 'plugins', file))(app);
        const tasks = {};
        for (const file of fs.readdirSync(path.join(__dirname, 'tasks'))) tasks[file] = require('./tasks/' + file);
        app.post('/run', (req, res) => tasks[req.body.name].run(req.body));
        app.post('/do', (req, res) => {
          const act = require('./acts/' + req.body.act);
          act(req.body);
        });
      `,
      ...files((i) => [`plugins/p${i}.js`, `module.exports = (app) => app.get('/p${i}', function show${i}(req, res) {});`], 50),
      ...files((i) => [`tasks/t${i}.js`, `exports.run = function run(body) {};\nexports.idle = function idle() {};`], 50),
      ...files((i) => [`acts/a${i}.js`, `module.exports = function act${i}(body) {};`], 50),
    },
    reached: [
      'acts/a49.js#act49 POST /do',
      'plugins/p0.js#show0 GET /p0',
      'plugins/p49.js#show49 GET /p49',
      'tasks/t0.js#run POST /run',
      'tasks/t49.js#run POST /run',
    ],
    idle: ['tasks/t49.js#idle'],
  },
  {
    name: 'many kinds that a switch creates',
    files: {
      'app.js': dedent`
        ${EXPRESS}const make = require('./make');
        app.post('/act', (req, res) => res.json(make(req.body.type).run(req.body)));
      `,
      'make.js': dedent`
        ${each((i) => `const K${i} = require('./files/k${i}');`, 40)}
        module.exports = (type) => {
          switch (type) {
        ${each((i) => `    case 't${i}': return new K${i}();`, 40)}
          }
        };
      `,
      ...files((i) => [`files/k${i}.js`, `module.exports = class K${i} { run(body) {} idle() {} };`], 40),
    },
    reached: ['files/k0.js#run POST /act', 'files/k39.js#run POST /act'],
    idle: ['files/k39.js#idle'],
  },
  {
    name: 'many handlers that a switch picks',
    files: {
      'app.js': dedent`
        ${EXPRESS}const pick = require('./pick');
        app.post('/act', (req, res) => res.json(pick(req.body.type)(req.body)));
      `,
      'pick.js': dedent`
        ${each((i) => `const h${i} = require('./files/h${i}');`, 40)}
        module.exports = (type) => {
          switch (type) {
        ${each((i) => `    case 't${i}': return h${i};`, 40)}
          }
        };
      `,
      ...files((i) => [`files/h${i}.js`, `module.exports = function work${i}(body) { deep${i}(); };\nfunction deep${i}() {}`], 40),
    },
    reached: ['files/h0.js#deep0 POST /act', 'files/h39.js#deep39 POST /act'],
  },
  {
    name: 'many functions of modules that a request names',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import * as calls from './calls/index';
        import * as steps from './steps';
        import * as texts from './texts';
        import { Service } from './service';
        type Call = (...parameters: any[]) => Promise<any>;
        const handlerOf = (methods: any) => async (body: any) => {
          const call = methods[body.method] as Call;
          if (!call) throw new Error('unknown method');
          return call(...body.parameters);
        };
        const all = handlerOf({ ...calls, own() {} });
        const copy: any = { ...new Service() };
        const app = express();
        app.post('/all', async (req, res) => res.send(await all(req.body)));
        app.post('/named', async (req, res) => { const step = steps[req.body.step] as Call; res.send(await step(req.body)); });
        app.get('/text', (req, res) => { const text = texts[req.query.name] as string; res.send(text); });
        app.get('/copy', (req, res) => { const one = copy[req.query.name]; res.send(one()); });
      `,
      'calls/index.ts': each((i) => `export { call${i} } from './call${i}';`),
      ...files((i) => [
        `calls/call${i}.ts`,
        `import { load${i} } from '../load';\nexport const call${i} = (own: any) => load${i}(own);\nexport function idle${i}() {}`,
      ]),
      'load.ts': each((i) => `export function load${i}(own: any) {}`),
      'steps.ts': each((i) => `export function step${i}() {}`, 100),
      'texts.ts': `export const title = 'Title';\nexport function inner() {}`,
      // Methods of a class are no properties of its instances, and a spread does not copy them.
      'service.ts': `export class Service { kept = 1; method() {} }`,
    },
    reached: ['load.ts#load0 POST /all', 'load.ts#load40 POST /all', 'load.ts#load59 POST /all', 'steps.ts#step99 POST /named'],
    idle: ['calls/call3.ts#idle3', 'calls/call59.ts#idle59', 'texts.ts#inner', 'service.ts#method'],
  },
  {
    name: 'many subclasses of one class',
    files: {
      'app.mjs': dedent`
        import express from 'express';
        ${each((i) => `import { Sub${i} } from './files/sub${i}.mjs';`, 67)}
        const app = express();
        ${each((i) => `app.get('/s${i}', (req, res) => new Sub${i}().handle(req));`, 67)}
      `,
      'base.mjs': `export class Base { handle(req) { this.check(req); return this.render(req); } check() {} }`,
      ...files(
        (i) => [
          `files/sub${i}.mjs`,
          dedent`
            import { Base } from '../base.mjs';
            export class Sub${i} extends Base { render(req) {} idle() {} }
          `,
        ],
        67,
      ),
    },
    reached: ['files/sub0.mjs#render', 'files/sub66.mjs#render', 'base.mjs#check'],
    idle: ['files/sub66.mjs#idle'],
  },
];
