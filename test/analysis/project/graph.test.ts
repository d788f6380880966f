// The project's graph over small applications of several files.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectionCases } from './collection-cases.ts';
import { flowCases } from './flow-cases.ts';
import { frameworkCases } from './framework-cases.ts';
import { serverCases } from './server-cases.ts';
import { valueCases } from './value-cases.ts';
import { hookCases } from './hook-cases.ts';
import { largeCases } from './large-cases.ts';
import { listedCases } from './listed-cases.ts';
import { loadingCases } from './loading-cases.ts';
import { moduleCases } from './modules-cases.ts';
import { onceCases } from './once-cases.ts';
import { providerCases } from './provider-cases.ts';
import { programCases } from './program-cases.ts';
import { fullSetCases, receiverCases } from './receiver-cases.ts';
import { registrationCases } from './registration-cases.ts';
import { timerCases } from './timer-cases.ts';
import { check, graphOf, pathTo, summaryOf } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

for (const [subject, cases] of [
  ['values between files', moduleCases],
  ['function values', flowCases],
  ['values in maps, iterators, arguments', valueCases],
  ['frameworks', frameworkCases],
  ['servers', serverCases],
  ['registrations', registrationCases],
  ['ways to register', listedCases],
  ['files that are loaded', loadingCases],
  ['hooks', hookCases],
  ['collections, folders, globals', collectionCases],
  ['things in dozens', largeCases],
  ['methods of base classes', receiverCases],
  ['methods of more classes than a set holds', fullSetCases],
  ['what runs once', onceCases],
  ['providers of Nest', providerCases],
  ['several programs', programCases],
  ['timers', timerCases],
] as const) {
  describe(subject, () => {
    for (const app of cases) it(app.name, () => check(app));
  });
}

describe('a patched graph', () => {
  const files = {
    'app.js': dedent`
      const app = require('express')();
      const m = require('./middle');
      app.get('/a', (req, res) => m.run());
    `,
    'middle.js': dedent`
      const s = require('./s');
      exports.run = function run() { s.load(); };
    `,
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
    const more = {
      ...files,
      'app.js': dedent`
        ${files['app.js']}
        app.post('/b', (req, res) => m.run());
      `,
    };
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
      'app.js': dedent`
        const app = require('express')();
        let Base = require('events');
        class A extends Base { load() {} }
        class B extends A {}
        if (process.env.B) Base = B;
        app.get('/a', (req, res) => new B().load());
      `,
    };
    assert.ok(pathTo(graphOf({ files }), files, 'app.js#load'));
  });
});

describe('routers that are mounted on each other in circles', () => {
  it('are no reason to go round and round', () => {
    const names = Array.from({ length: 14 }, (_, i) => `r${i}`);
    const mounts = names.flatMap((a) => names.filter((b) => b !== a).map((b) => `${a}.use('/${b}', ${b});`)).join('\n');
    const files = {
      'app.js': dedent`
        const express = require('express');
        ${names.map((name) => `const ${name} = require('./${name}');`).join('\n')}
        ${mounts}
      `,
      ...Object.fromEntries(
        names.map((name) => [
          `${name}.js`,
          dedent`
            const router = require('express').Router();
            router.get('/a', (req, res) => res.send(load()));
            function load() {}
            module.exports = router;
          `,
        ]),
      ),
      'one.js': dedent`
        const express = require('express');
        ${names.map((name) => `const ${name} = express.Router();`).join('\n')}
        ${mounts}
        r0.get('/a', (req, res) => res.send(load()));
        function load() {}
      `,
    };
    const graph = graphOf({ files });
    assert.ok(pathTo(graph, files, 'r3.js#load'));
    assert.ok(pathTo(graph, files, 'one.js#load'));
  });

  it('are above each other, and none is above itself', () => {
    const router = (more: string): string =>
      dedent`
        const router = require('express').Router();
        ${more}
        router.get('/a', (req, res) => res.send(load()));
        function load() {}
        module.exports = router;
      `;
    const files = {
      'app.js': dedent`
        const app = require('express')();
        const one = require('./one');
        const two = require('./two');
        app.use('/top', one);
        one.use('/x', two);
        two.use('/y', one);
      `,
      'one.js': router(''),
      'two.js': router(''),
    };
    const graph = graphOf({ files });
    assert.deepEqual(pathTo(graph, files, 'one.js#load')?.routes, ['GET /top/a']);
    assert.deepEqual(pathTo(graph, files, 'two.js#load')?.routes, ['GET /top/x/a']);
  });

  it('say nothing of what is above them where one call makes all of them', () => {
    const files = {
      'make.js': dedent`
        const express = require('express');
        module.exports = function make() { return express(); };
      `,
      'app.js': dedent`
        const make = require('./make');
        const app = make();
        const admin = make();
        app.use('/admin', admin);
        admin.get('/a', (req, res) => res.send(load()));
        function load() {}
      `,
      'more.js': dedent`
        const make = require('./make');
        const api = make();
        api.get('/b', (req, res) => res.send(load()));
        function load() {}
        module.exports = api;
      `,
    };
    assert.deepEqual(pathTo(graphOf({ files }), files, 'more.js#load')?.routes, ['GET /b']);
  });
});

describe('route files that run at most once in a while', () => {
  const route = (seconds: string): string => dedent`
    import { load } from '../../../s';
    export const revalidate = ${seconds};
    export function GET() { return Response.json(load()); }
  `;
  const files = {
    'app/api/a/route.ts': route('60'),
    'app/api/b/route.ts': route('30'),
    's.ts': 'export function load() { return 1; }',
  };
  const intervalIn = (more: Record<string, string>): [string | undefined, number | undefined] => {
    const all = { ...files, ...more };
    const answer = pathTo(graphOf({ files: all, dependencies: ['next'] }), all, 's.ts#load');
    return [answer?.route, answer?.interval];
  };

  it('have the interval of the route that is named', () => {
    assert.deepEqual(intervalIn({}), ['GET /api/a', 60]);
  });

  it('have none where a request gets there by another route', () => {
    assert.deepEqual(intervalIn({ 'app/api/b/route.ts': route('0') }), ['GET /api/a', undefined]);
  });

  it('have none where something that they load asks for data of the request', () => {
    const asking = dedent`
      import { headers } from 'next/headers';
      export function load() { return headers(); }
    `;
    assert.deepEqual(intervalIn({ 's.ts': asking }), ['GET /api/a', undefined]);
  });

  it('follow an edit of what they load', () => {
    const graph = graphOf({ files, dependencies: ['next'] });
    assert.equal(pathTo(graph, files, 's.ts#load')?.interval, 60);
    graph.set(summaryOf('s.ts', `import { headers } from 'next/headers';\n${files['s.ts']}`, ['next']));
    assert.deepEqual([pathTo(graph, files, 's.ts#load')?.route, pathTo(graph, files, 's.ts#load')?.interval], ['GET /api/a', undefined]);
  });
});

describe('many calls of a large table', () => {
  it('run all of its functions, but not each of them all', () => {
    const lines = (of: (i: number) => string, count: number): string => Array.from({ length: count }, (_, i) => of(i)).join('\n');
    const files = {
      'all.js': lines((i) => `exports.run${i} = (own) => load${i}(own);\nfunction load${i}() {}`, 1000),
      'app.js': dedent`
        const all = require('./all');
        const app = require('express')();
        ${lines((i) => `app.get('/r${i}', (req, res) => res.send(all[req.query.name](${i})));`, 300)}
      `,
    };
    const graph = graphOf({ files });
    assert.equal(pathTo(graph, files, 'all.js#load0')?.routes.length, 300);
    const { length } = pathTo(graph, files, 'all.js#load999')?.routes ?? [];
    assert.ok(length > 0 && length < 300, `${length} routes`);
  });
});
