// The project's graph over small applications of several files.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectionCases } from './collection-cases.ts';
import { flowCases } from './flow-cases.ts';
import { frameworkCases } from './framework-cases.ts';
import { serverCases } from './server-cases.ts';
import { hookCases } from './hook-cases.ts';
import { listedCases } from './listed-cases.ts';
import { moduleCases } from './modules-cases.ts';
import { registrationCases } from './registration-cases.ts';
import { check, graphOf, pathTo, summaryOf } from './support.ts';

for (const [subject, cases] of [
  ['values between files', moduleCases],
  ['function values', flowCases],
  ['frameworks', frameworkCases],
  ['servers', serverCases],
  ['registrations', registrationCases],
  ['ways to register', listedCases],
  ['hooks', hookCases],
  ['collections, folders, globals', collectionCases],
] as const) {
  describe(subject, () => {
    for (const app of cases) it(app.name, () => check(app));
  });
}

describe('a patched graph', () => {
  const files = {
    'app.js': `const app = require('express')();\nconst m = require('./middle');\napp.get('/a', (req, res) => m.run());`,
    'middle.js': `const s = require('./s');\nexports.run = function run() { s.load(); };`,
    's.js': `exports.load = function load() {};`,
  };

  it('follows the middle file', () => {
    const graph = graphOf({ files });
    assert.ok(pathTo(graph, files, 's.js#load'));
    graph.set(summaryOf('middle.js', `exports.run = function run() {};`));
    assert.equal(pathTo(graph, files, 's.js#load'), undefined);
    graph.set(summaryOf('middle.js', files['middle.js']));
    assert.ok(pathTo(graph, files, 's.js#load'));
    graph.delete('/project/middle.js');
    assert.equal(pathTo(graph, files, 's.js#load'), undefined);
  });

  it('says the whole path, each place in its file, and all routes', () => {
    const more = { ...files, 'app.js': `${files['app.js']}\napp.post('/b', (req, res) => m.run());` };
    const answer = pathTo(graphOf({ files: more }), more, 's.js#load');
    assert.deepEqual(
      answer?.related.map(({ file, message }) => [file, message]),
      [
        ['/project/app.js', 'GET /a is handled here'],
        ['/project/app.js', 'calls `run`'],
        ['/project/middle.js', 'calls `load`'],
      ],
    );
    assert.deepEqual(answer.routes, ['GET /a', 'POST /b']);
  });
});

describe('classes that seem to inherit from each other', () => {
  it('do not send the search for a constructor round and round', () => {
    const files = {
      'app.js': `const app = require('express')();\nlet Base = require('events');\nclass A extends Base { load() {} }\nclass B extends A {}\nif (process.env.B) Base = B;\napp.get('/a', (req, res) => new B().load());`,
    };
    assert.ok(pathTo(graphOf({ files }), files, 'app.js#load'));
  });
});

describe('routers that are mounted on each other in circles', () => {
  it('are no reason to go round and round', () => {
    const names = Array.from({ length: 14 }, (_, i) => `r${i}`);
    const mounts = names.flatMap((a) => names.filter((b) => b !== a).map((b) => `${a}.use('/${b}', ${b});`)).join('\n');
    const files = {
      'app.js': `const express = require('express');\n${names.map((name) => `const ${name} = require('./${name}');`).join('\n')}\n${mounts}`,
      ...Object.fromEntries(
        names.map((name) => [
          `${name}.js`,
          `const router = require('express').Router();\nrouter.get('/a', (req, res) => res.send(load()));\nfunction load() {}\nmodule.exports = router;`,
        ]),
      ),
      'one.js': `const express = require('express');\n${names.map((name) => `const ${name} = express.Router();`).join('\n')}\n${mounts}\nr0.get('/a', (req, res) => res.send(load()));\nfunction load() {}`,
    };
    const graph = graphOf({ files });
    assert.ok(pathTo(graph, files, 'r3.js#load'));
    assert.ok(pathTo(graph, files, 'one.js#load'));
  });

  it('are above each other, and none is above itself', () => {
    const router = (more: string): string =>
      `const router = require('express').Router();\n${more}\nrouter.get('/a', (req, res) => res.send(load()));\nfunction load() {}\nmodule.exports = router;`;
    const files = {
      'app.js': `const app = require('express')();\nconst one = require('./one');\nconst two = require('./two');\napp.use('/top', one);\none.use('/x', two);\ntwo.use('/y', one);`,
      'one.js': router(''),
      'two.js': router(''),
    };
    const graph = graphOf({ files });
    assert.deepEqual(pathTo(graph, files, 'one.js#load')?.routes, ['GET /top/a']);
    assert.deepEqual(pathTo(graph, files, 'two.js#load')?.routes, ['GET /top/x/a']);
  });

  it('say nothing of what is above them where one call makes all of them', () => {
    const files = {
      'make.js': `const express = require('express');\nmodule.exports = function make() { return express(); };`,
      'app.js': `const make = require('./make');\nconst app = make();\nconst admin = make();\napp.use('/admin', admin);\nadmin.get('/a', (req, res) => res.send(load()));\nfunction load() {}`,
      'more.js': `const make = require('./make');\nconst api = make();\napi.get('/b', (req, res) => res.send(load()));\nfunction load() {}\nmodule.exports = api;`,
    };
    assert.deepEqual(pathTo(graphOf({ files }), files, 'more.js#load')?.routes, ['GET /b']);
  });
});
