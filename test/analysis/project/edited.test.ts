// A graph that is kept through edits says what one says that is made anew: for all functions of all files, after each of many random edits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { FunctionAnswer } from '../../../analysis/project/answers/function-answer.ts';
import { EdgeFinder } from '../../../analysis/project/calls/call-edge-finder.ts';
import { ProjectGraph } from '../../../analysis/project/graph.ts';
import { EMPTY_LAYOUT, Resolver } from '../../../analysis/project/files/layout.ts';
import { Project } from '../../../analysis/project/linker.ts';
import { FUNCTION_STRIDE, OBJECT_STRIDE, type FileSummary } from '../../../analysis/project/summary/format.ts';
import { readModule } from '../../../analysis/module/text-reader.ts';
import { collectionCases } from './collection-cases.ts';
import { flowCases } from './flow-cases.ts';
import { frameworkCases } from './framework-cases.ts';
import { hookCases } from './hook-cases.ts';
import { largeCases } from './large-cases.ts';
import { listedCases } from './listed-cases.ts';
import { moduleCases } from './modules-cases.ts';
import { receiverCases } from './receiver-cases.ts';
import { registrationCases } from './registration-cases.ts';
import { serverCases } from './server-cases.ts';
import { valueCases } from './value-cases.ts';
import { summaryOf, type App } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

/** Edits of each project, and how many in a row are made in one file. */
const EDITS = 60;
const IN_A_ROW = 5;

/** Files that are edited where the whole state is compared. */
const FILES_EDITED = 15;

const SUBJECTS = [
  ['values between files', moduleCases],
  ['function values', flowCases],
  ['values in maps, iterators, arguments', valueCases],
  ['frameworks', frameworkCases],
  ['servers', serverCases],
  ['registrations', registrationCases],
  ['ways to register', listedCases],
  ['hooks', hookCases],
  ['collections, folders, globals', collectionCases],
  ['things in dozens', largeCases],
  ['methods of base classes', receiverCases],
] as const;

type Random = () => number;

/** The same numbers each time: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Several applications as one project, each in a folder of its own. */
function together(apps: readonly App[]): { files: Map<string, string>; dependencies: readonly string[] } {
  const files = new Map(apps.flatMap((app, i) => Object.entries(app.files).map(([path, text]) => [`app${i}/${path}`, text] as const)));
  return { files, dependencies: [...new Set(apps.flatMap(({ dependencies = [] }) => dependencies))] };
}

function edit(text: string, random: Random, paths: readonly string[], path: string): string {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const lines = text.split('\n');
  const at = Math.floor(random() * lines.length);
  const number = Math.floor(random() * 1000);
  const other = `${'../'.repeat(path.split('/').length - 1)}${pick(paths) ?? ''}`;
  const swap = (what: RegExp, by: (found: string) => string): string => {
    const found = pick([...text.matchAll(what)]);
    return found ? text.slice(0, found.index) + by(found[0]) + text.slice(found.index + found[0].length) : text;
  };
  switch (Math.floor(random() * 11)) {
    case 0:
      return lines.filter((line) => !/require\(|^import /.test(line) || random() < 0.5).join('\n');
    case 1:
      return dedent`
        ${text}
        function edited${number}(req, res) { for (const one of req.body) require('node:fs').readFileSync(one); }
        module.exports.edited${number} = edited${number};

      `;
    case 2:
      return swap(/\b[a-zA-Z_$][\w$]*\(/g, (name) => `other${name}`);
    case 3:
      return dedent`
        ${text}
        const other${number} = require('${other}');
        module.exports.run = (req, res) => { other${number}.run(req); Object.values(other${number}).forEach((f) => f(req)); };

      `;
    case 4:
      lines.splice(at, 1);
      return lines.join('\n');
    case 5:
      return swap(/\b(?:module\.)?exports\b/g, () => 'others');
    case 6:
      return dedent`
        ${text}
        const app${number} = require('express')();
        app${number}.get('/edited/${number}', (req, res) => { ${pick(text.match(/(?<=function )\w+/g) ?? ['none'])}(req.body, 1); });
        module.exports.app${number} = app${number};

      `;
    case 7:
      lines.splice(at, 0, lines[Math.floor(random() * lines.length)] ?? '');
      return lines.join('\n');
    case 8:
      // Half typed.
      return text.slice(0, Math.floor(random() * text.length));
    case 9:
      return dedent`
        class Edited${number} { load() { return this.find(); } find() {} }
        ${text}
        exports.made = new Edited${number}();
        process.nextTick(exports.made.load);

      `;
    default:
      return swap(/\.[a-zA-Z_$][\w$]*/g, (name) => pick(text.match(/\.[a-zA-Z_$][\w$]*/g) ?? []) ?? name);
  }
}

function answersOf(graph: ProjectGraph, summaries: ReadonlyMap<string, FileSummary>): Map<string, FunctionAnswer> {
  return new Map(
    [...summaries.values()].flatMap(({ file }) => graph.answersIn(file).map(({ fn, answer }) => [`${file}#${fn}`, answer] as const)),
  );
}

function anew(summaries: ReadonlyMap<string, FileSummary>): ProjectGraph {
  const graph = new ProjectGraph();
  for (const summary of summaries.values()) graph.set(summary);
  return graph;
}

for (const [subject, cases] of SUBJECTS) {
  describe(`an edited project: ${subject}`, () => {
    it('is known as if it were solved anew', () => {
      const { files, dependencies } = together(cases.filter(({ layout }) => layout === undefined));
      const paths = [...files.keys()];
      const random = randomFrom(subject.length * 7919);
      const summaries = new Map([...files].map(([path, text]) => [path, summaryOf(path, text, dependencies)]));
      const graph = anew(summaries);
      let edits = 0;
      for (let made = 0; made < EDITS; made += IN_A_ROW) {
        const path = paths[Math.floor(random() * paths.length)] as string;
        const original = files.get(path) as string;
        let text = original;
        if (random() < 0.7) graph.prepare(`/project/${path}`);
        for (let i = 0; i <= IN_A_ROW; i++) {
          text = i === IN_A_ROW ? original : edit(text, random, paths, path);
          if (random() < 0.05) {
            summaries.delete(path);
            graph.delete(`/project/${path}`);
          } else if (readModule(path, text).ok) {
            const summary = summaryOf(path, text, dependencies);
            summaries.set(path, summary);
            if (graph.set(summary)) edits++;
          }
          assert.deepEqual(answersOf(graph, summaries), answersOf(anew(summaries), summaries), `${path} as ${text}`);
        }
      }
      assert.ok(edits > EDITS / 2, 'some edits change who may call whom');
      assert.ok(graph.solvedAnew < edits, 'most edits solve on from where the project was');
    });
  });
}

/** What is in each node of each file, and in each property of each object, whatever their numbers are. */
function stateOf({ numbering: { files, objectCount, names }, solver }: Project): string[] {
  const told = (object: number): string => {
    const file = files[solver.objectFile[object] ?? -1];
    return file && object < objectCount
      ? `${solver.objectFile[object]}#${object - file.object}`
      : `made ${solver.kinds[object]} ${names[solver.objectName[object] ?? -1] ?? ''}`;
  };
  const functions = new Map(
    files.flatMap(({ fn, summary }, i) =>
      Array.from({ length: summary.functions.length / FUNCTION_STRIDE }, (_, k) => [fn + k, `${i}#${k}`] as const),
    ),
  );
  const state: string[] = [];
  for (const [i, { summary, node, object, call }] of files.entries()) {
    for (let n = 1; n < summary.nodeCount; n++)
      state.push(
        `${i} node ${n}: ${solver
          .objectsIn(node + n)
          .map(told)
          .join(' ')}`,
      );
    for (let n = 0; n < summary.objects.length / OBJECT_STRIDE; n++) {
      const fields = solver.fieldsOf(object + n);
      for (let k = 0; k < fields.length; k += 2)
        state.push(
          `${i} object ${n} ${names[fields[k + 1] as number]}: ${solver
            .objectsIn(fields[k] as number)
            .map(told)
            .join(' ')}`,
        );
      state.push(
        `${i} object ${n}: ${solver
          .parentsOf(object + n)
          .map(told)
          .join(' ')}`,
      );
    }
    for (let at = call; at < (files[i + 1]?.call ?? solver.calls.length); at++) {
      const { site, targets, isExternal } = solver.calls[at] as Project['solver']['calls'][number];
      if (site >= 0) state.push(`${i} call ${at - call}: ${targets.map((fn) => functions.get(fn)).join(' ')} ${isExternal}`);
    }
  }
  return state;
}

/** In which order modules run is nobody's concern. */
function edgesOf(finder: EdgeFinder): unknown {
  const { startup, loading, ...edges } = finder.find();
  const triples = Array.from({ length: loading.length / 3 }, (_, i) => loading.slice(i * 3, i * 3 + 3).join(' '));
  return { ...edges, startup: [...startup].sort((a, b) => a - b), loading: triples.sort() };
}

describe('what an edited file has brought', () => {
  for (const [subject, cases] of SUBJECTS) {
    it(`is gone with it: ${subject}`, () => {
      const { files, dependencies } = together(cases.filter(({ layout }) => layout === undefined));
      const paths = [...files.keys()].sort();
      const random = randomFrom(subject.length * 104729);
      const summaries = paths.map((path) => summaryOf(path, files.get(path) as string, dependencies));
      const resolver = new Resolver(new Map(summaries.map(({ file }, i) => [file, i])), EMPTY_LAYOUT);
      for (let made = 0; made < FILES_EDITED; made++) {
        const index = Math.floor(random() * paths.length);
        const path = paths[index] as string;
        const project = new Project(summaries, resolver, new Set([index]));
        let text = files.get(path) as string;
        for (let i = 0; i < IN_A_ROW; i++) {
          text = edit(text, random, paths, path);
          if (!readModule(path, text).ok) continue;
          const changed = summaries.with(index, summaryOf(path, text, dependencies));
          if (!project.replace(new Map([[index, changed[index] as FileSummary]]))) continue;
          assert.deepEqual(stateOf(project), stateOf(new Project(changed, resolver, new Set([index]))), `${path} as ${text}`);
          assert.deepEqual(edgesOf(project.edges), edgesOf(new EdgeFinder(project, [])), `${path} as ${text}`);
        }
      }
    });
  }
});

describe('calls of other files', () => {
  const app = dedent`
    const app = require('express')();
    const m = require('./base');
    app.get('/a', (req, res) => m.run(req));
  `;
  const cases = [
    [
      'may run a package, too',
      dedent`
        const own = (f) => {};
        const pick = require('./edited').pick || own;
        function work() {}
        exports.run = function run() { pick(work); };
      `,
      `exports.pick = 1;`,
      `exports.pick = require('lib').pick;`,
    ],
    [
      'stand in a function that is given back',
      dedent`
        const { same } = require('./edited');
        function make(f) { const inner = () => f(); return same(inner); }
        function work() {}
        exports.run = function run() { make(work); };
      `,
      `exports.same = (one) => 1;`,
      `exports.same = (one) => one;`,
    ],
    [
      'hand on in a function that is given back',
      dedent`
        const { same } = require('./edited');
        function deep(g) { g(); }
        function make(f) { const inner = () => deep(f); return same(inner); }
        function work() {}
        exports.run = function run() { make(work); };
      `,
      `exports.same = (one) => 1;`,
      `exports.same = (one) => one;`,
    ],
    [
      'stand in a function that is handed out',
      dedent`
        const table = require('./edited');
        function take(f) { f(); }
        function make(f) { const inner = () => f(); table.f = inner; take(table.g); return inner; }
        function work() {}
        exports.run = function run() { make(work)(); };
      `,
      `exports.one = 1;`,
      `exports.g = exports.f;`,
    ],
    [
      'hand over what is called now',
      dedent`
        const own = (options) => { exports.kept = options; };
        exports.run = function run() { own({ work() {} }); };
      `,
      `exports.one = 1;`,
      `exports.later = () => require('./base').kept.work();`,
    ],
    [
      'hand over what is run no longer',
      dedent`
        const m = require('./edited');
        function b(f) { m.take(f); }
        function a(f) { b(f); }
        function work() {}
        exports.run = function run() { a(work); };
      `,
      `exports.one = 1;`,
      `exports.take = (f) => {};`,
    ],
    [
      'call what is run elsewhere no longer',
      dedent`
        const m = require('./edited');
        function take(f) { f(); }
        function make(f) { const inner = () => f(); take(inner); m.take(f); return inner; }
        function work() {}
        exports.run = function run() { make(work)(); };
      `,
      `exports.one = 1;`,
      `exports.take = (f) => {};`,
    ],
    [
      'write into a log that is off by default',
      `exports.run = function run(req) { require('./edited').log.debug(JSON.stringify(req.body)); };`,
      `exports.log = { debug() {} };`,
      `exports.log = require('pino')().child({});`,
    ],
    [
      'may print what a log would not',
      dedent`
        require('./edited');
        exports.log = require('pino')();
        exports.run = function run(req) { exports.log.debug(JSON.stringify(req.body)); };
      `,
      `exports.one = 1;`,
      `require('./base').log = { debug(text) {} };`,
    ],
  ] as const;
  for (const [how, base, before, after] of cases) {
    it(`are read anew where they ${how}`, () => {
      const summaries = [summaryOf('app.js', app), summaryOf('base.js', base), summaryOf('edited.js', before)];
      const project = new Project(summaries, new Resolver(new Map(summaries.map(({ file }, i) => [file, i])), EMPTY_LAYOUT), new Set([2]));
      const first = edgesOf(project.edges);
      assert.deepEqual(first, edgesOf(new EdgeFinder(project, [])));
      for (const text of [after, before]) {
        assert.ok(project.replace(new Map([[2, summaryOf('edited.js', text)]])));
        assert.deepEqual(edgesOf(project.edges), edgesOf(new EdgeFinder(project, [])), text);
        assert.equal(isDeepStrictEqual(edgesOf(project.edges), first), text === before);
      }
    });
  }
});

describe('an edited file', () => {
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
  const summaries = new Map(Object.entries(files).map(([path, text]) => [path, summaryOf(path, text)]));

  it('is solved for once, and not again while it is edited', () => {
    const graph = anew(summaries);
    graph.prepare('/project/middle.js');
    const before = graph.solvedAnew;
    graph.set(summaryOf('middle.js', `exports.run = function run() {};`));
    assert.equal(graph.answerOf('/project/s.js', 0)?.request, undefined);
    graph.set(
      summaryOf(
        'middle.js',
        dedent`
          ${files['middle.js']}
          exports.more = function more() { s.load(); };
        `,
      ),
    );
    assert.ok(graph.answerOf('/project/s.js', 0)?.request);
    graph.prepare('/project/middle.js');
    assert.equal(graph.solvedAnew, before);
  });

  it('is solved for with its first change, where nobody knew of it', () => {
    const graph = anew(summaries);
    assert.ok(graph.answerOf('/project/s.js', 0)?.request);
    graph.set(summaryOf('middle.js', `exports.run = function run() {};`));
    assert.equal(graph.answerOf('/project/s.js', 0)?.request, undefined);
    const before = graph.solvedAnew;
    graph.set(summaries.get('middle.js') as FileSummary);
    assert.ok(graph.answerOf('/project/s.js', 0)?.request);
    assert.equal(graph.solvedAnew, before);
  });

  it('has all solved anew where it grows out of its room, or exports in another way', () => {
    const graph = anew(summaries);
    graph.prepare('/project/s.js');
    const before = graph.solvedAnew;
    graph.set(
      summaryOf(
        's.js',
        Array.from({ length: 900 }, (_, i) => `exports.load${i} = function load${i}() { other(${i}); };`).join('\n') + files['s.js'],
      ),
    );
    assert.ok(graph.answerOf('/project/s.js', 900)?.request);
    assert.equal(graph.solvedAnew, before + 1);
    graph.set(summaryOf('s.js', `export function load() {}`));
    assert.ok(graph.answerOf('/project/s.js', 0)?.request);
    assert.equal(graph.solvedAnew, before + 2);
  });

  it('has files that it alone imports leave at rest, and come at once', () => {
    const own = {
      'app.js': dedent`
        const s = require('./s');
        const mock = require('./test/mock');
        s.load = mock.load;
        const app = require('express')();
        app.get('/a', (req, res) => s.load());
      `,
      's.js': `exports.load = function load() {};`,
      'test/mock.js': dedent`
        const s = require('../s');
        exports.load = function load() {};
        s.late = exports.load;
        require('node:test').it('a', () => s.load());
      `,
    };
    const all = new Map(Object.entries(own).map(([path, text]) => [path, summaryOf(path, text)]));
    assert.equal(all.get('test/mock.js')?.role, 'test');
    const graph = anew(all);
    graph.prepare('/project/app.js');
    const before = graph.solvedAnew;
    const without = summaryOf('app.js', own['app.js'].replace(/.*mock.*\n/g, ''));
    const changed = new Map(all).set('app.js', without);
    graph.set(without);
    assert.ok(graph.answerOf('/project/s.js', 0)?.request);
    assert.equal(graph.solvedAnew, before);
    graph.rebuild(['/project/s.js']);
    assert.deepEqual(answersOf(graph, changed), answersOf(anew(changed), changed));
    graph.set(all.get('app.js') as FileSummary);
    assert.deepEqual(answersOf(graph, all), answersOf(anew(all), all));
  });

  it('hides no longer what it has inherited', () => {
    const own = {
      'app.js': dedent`
        const app = require('express')();
        const { Child } = require('./child');
        app.get('/a', (req, res) => new Child().run());
      `,
      'child.js': dedent`
        const Base = require('./base');
        class Child extends Base { run() {} }
        exports.Child = Child;
      `,
      'base.js': dedent`
        function load() {}
        module.exports = class Base { run() { load(); } };
      `,
    };
    const graph = anew(new Map(Object.entries(own).map(([path, text]) => [path, summaryOf(path, text)])));
    graph.prepare('/project/child.js');
    assert.equal(graph.answerOf('/project/base.js', 0)?.request, undefined);
    graph.set(summaryOf('child.js', own['child.js'].replace('run() {}', '')));
    assert.ok(graph.answerOf('/project/base.js', 0)?.request);
  });
});

describe('a type of a package that the edited file implements, too', () => {
  for (const [count, how] of [
    [8, 'few'],
    [9, 'many'],
  ] as const) {
    it(`means what a cold run says where ${how} classes implement it`, () => {
      const numbers = Array.from({ length: count }, (_, i) => i);
      const classOf = (i: number): string => dedent`
        import { Mailer } from 'ext-mail';
        export class M${i} implements Mailer { send() {} }

      `;
      const app = dedent`
        import express from 'express';
        import { Mailer } from 'ext-mail';
        ${numbers.map((i) => `import { M${i} } from './m${i}';`).join('\n')}
        export const all = [${numbers.map((i) => `M${i}`).join(', ')}];
        function run(mailer: Mailer) { mailer.send(); }
        const app = express();
        app.get('/a', (req, res) => run(req.app.get('mailer')));
      `;
      const files = new Map([...numbers.map((i) => [`m${i}.ts`, classOf(i)] as const), ['app.ts', app]]);
      const dependencies = ['express', 'ext-mail'];
      const summaries = new Map([...files].map(([path, text]) => [path, summaryOf(path, text, dependencies)]));
      const cold = answersOf(anew(summaries), summaries);
      assert.equal(
        numbers.filter((i) => cold.get(`/project/m${i}.ts#0`)?.request).length,
        count === 8 ? 8 : 0,
        'as many are found as the limit allows',
      );
      for (const path of ['m0.ts', 'm7.ts', 'app.ts']) {
        const graph = anew(summaries);
        graph.prepare(`/project/${path}`);
        assert.deepEqual(answersOf(graph, summaries), cold, `${path} as it was`);
        const text = files.get(path) as string;
        for (const other of [
          `${text}export function extra() { return 1; }\nextra();\n`,
          text.replace(/ implements Mailer|: Mailer/, ''),
          text,
        ]) {
          const changed = new Map(summaries).set(path, summaryOf(path, other, dependencies));
          const before = graph.solvedAnew;
          graph.set(changed.get(path) as FileSummary);
          assert.deepEqual(answersOf(graph, changed), answersOf(anew(changed), changed), `${path} as ${other}`);
          assert.equal(graph.solvedAnew, before);
        }
      }
    });
  }
});

describe('a list of more than is told apart', () => {
  const names = Array.from({ length: 40 }, (_, i) => `p${i + 10}`);
  const provider = dedent`
    exports.send = function send() { load(); };
    function load() {}
  `;
  const files = {
    'app.js': dedent`
      const app = require('express')();
      ${names.map((name) => `const ${name} = require('./${name}');`).join('\n')}
      const all = {};
      for (const one of [${names.join(', ')}]) all[one.name] = one.send;
      app.get('/a', (req, res) => all[req.query.name]());
    `,
    ...Object.fromEntries(names.map((name) => [`${name}.js`, provider])),
  };
  const summaries = new Map(Object.entries(files).map(([path, text]) => [path, summaryOf(path, text)]));
  const paths = [...summaries.values()].map(({ file }) => file);

  it('is told as usual until something changes, with what is edited then, and as usual again at rest', () => {
    const graph = anew(summaries);
    const usual = answersOf(graph, summaries);
    const first = '/project/p10.js';
    assert.ok(graph.answerOf(first, 1)?.request);
    assert.ok(
      names.some((name) => graph.answerOf(`/project/${name}.js`, 1)?.request === undefined),
      'some are cut off',
    );
    graph.prepare(first, paths);
    assert.deepEqual(answersOf(graph, summaries), usual);
    const changed = new Map(summaries).set('p10.js', summaryOf('p10.js', `${provider}\nexports.more = function more() {};`));
    graph.set(changed.get('p10.js') as FileSummary);
    assert.ok(graph.answerOf(first, 1)?.request, 'what is edited is not what is cut off');
    assert.notDeepEqual(answersOf(graph, changed), answersOf(anew(changed), changed));
    assert.equal(graph.rebuild(paths), true);
    assert.deepEqual(answersOf(graph, changed), answersOf(anew(changed), changed));
    assert.equal(graph.rebuild(paths), false);
    const before = graph.solvedAnew;
    graph.set(summaries.get('p10.js') as FileSummary);
    assert.ok(graph.answerOf(first, 1)?.request);
    assert.equal(graph.solvedAnew, before, 'the next edit is as quick as the one before');
  });
});
