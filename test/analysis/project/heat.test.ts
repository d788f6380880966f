// Which functions run in each iteration of a loop of another file, with which objects, and which calls in a `try` throw elsewhere.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FUNCTION_STRIDE } from '../../../analysis/project/summary/format.ts';
import type { FunctionAnswer } from '../../../analysis/project/answers/function-answer.ts';
import { graphOf, summaryOf } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const show = (body: string, more = ''): string =>
  dedent`
    const app = require('express')();
    const s = require('./s');
    ${more}app.get('/a', (req, res) => { ${body} });

  `;
const S = 'exports.clean = function clean(row, options) {};\n';

function answer(files: Record<string, string>, place: string): FunctionAnswer | undefined {
  const [path = '', name = ''] = place.split('#');
  const { functions, strings } = summaryOf(path, files[path] ?? '');
  for (let i = 0; i < functions.length; i += FUNCTION_STRIDE)
    if (strings[functions[i] as number] === name) return graphOf({ files }).answerOf(`/project/${path}`, i / FUNCTION_STRIDE);
  return assert.fail(`${path} has no function ${name}`);
}

/** The parameters for which there is a loop, -1 for the function as such. */
const parametersOf = (app: string, s = S): number[] =>
  (answer({ 'app.js': app, 's.js': s }, 's.js#clean')?.heat ?? []).map(({ parameter }) => parameter);

describe('a function of another file is called in a loop', () => {
  const rows: readonly (readonly [string, string, readonly number[]])[] = [
    ['for … of', 'for (const row of list()) s.clean(row, req);', [-1, 0]],
    ['an index', 'const rows = list(); for (let i = 0; i < rows.length; i++) s.clean(rows[i]);', [-1, 0]],
    ['while, walking a list', 'let at = list(); while (at) { s.clean(at); at = at.next; }', [-1, 0]],
    ['a part of each row', 'for (const row of list()) s.clean(row.user.profile, row);', [-1, 0, 1]],
    ['a variable in the loop', 'for (const row of list()) { const user = row.user; s.clean(user); }', [-1, 0]],
    ['a new object for each', 'for (const id of list()) s.clean({ id }, make(id));', [-1, 0, 1]],
    ['map, with a callback', 'list().map((row) => s.clean(row));', [-1, 0]],
    ['map, by name', 'list().map(s.clean);', [-1, 0]],
    ['a library', '_.map(list, s.clean);', [-1, 0]],
    ['a library, with a callback', '_.each(list, (row) => s.clean(row));', [-1, 0]],
    ['map, a part by a pattern', 'list().map(({ user }) => s.clean(user));', [-1, 0]],
    ['the second parameter', 'for (const row of list()) s.clean(req, row);', [-1, 1]],
    ['the same object in each iteration', 'const all = {}; for (const row of list()) s.clean(all);', [-1]],
    ['at all rounds at once', 'return Promise.all(list().map(async (row) => { s.clean(row); await save(row); }));', [-1, 0]],
    ['once', 's.clean(list());', []],
    ['before the loop', 'const all = s.clean({}); for (const row of list()) use(all, row);', []],
    ['a loop that waits', 'for (const row of list()) { s.clean(row); await save(row); }', []],
    ['a short list', "for (const kind of ['a', 'b']) s.clean({ kind });", []],
    ['a list in capitals', 'for (const kind of KINDS) s.clean({ kind });', []],
    ['few rounds', 'for (let i = 0; i < 3; i++) s.clean({ i });', []],
    ['a query with a callback', 'Users.find({}, (error, rows) => s.clean(rows));', []],
    ['a query with a callback by name', 'Users.find(query, s.clean);', []],
    ['a listener registered in a loop', "for (const one of list()) one.on('x', s.clean);", []],
    ['until the first "no"', 'for (const row of list()) if (!s.clean(row)) return;', []],
    ['the round that ends the loop', 'for (const row of list()) if (row.bad) { s.clean(row); return; }', []],
    ['the round that gives the result', 'for (const row of list()) { if (row.id === 1) return s.clean(row); }', []],
    ['a case of a switch', "for (const row of list()) { switch (row.kind) { case 'a': s.clean(row); break; } }", [-1, 0]],
    ['a case with a block', "for (const row of list()) { switch (row.kind) { case 'a': { s.clean(row); break; } } }", [-1, 0]],
    ['the round that breaks', 'for (const row of list()) if (row.bad) { s.clean(row); break; }', []],
    ['every stops at the first "no"', 'list().every((row) => s.clean(row));', []],
    ['development only', "if (process.env.NODE_ENV === 'development') for (const row of list()) s.clean(row);", []],
  ];
  for (const [name, body, wanted] of rows) {
    const isAsync = body.includes('await') && !body.includes('async');
    it(name, () => assert.deepEqual(parametersOf(isAsync ? show(body).replace("'/a', (", "'/a', async (") : show(body)), wanted));
  }

  it('not at start-up, nor where no request leads', () => {
    assert.deepEqual(
      parametersOf(
        dedent`
          const s = require('./s');
          for (const row of list()) s.clean(row);
          function boot() { for (const row of list()) s.clean(row); }
          boot();
        `,
      ),
      [],
    );
    assert.deepEqual(
      parametersOf(dedent`
        const s = require('./s');
        exports.all = function all(rows) { for (const row of rows) s.clean(row); };
      `),
      [],
    );
  });
});

describe('a loop further up', () => {
  const between = (body: string): Record<string, string> => ({
    'app.js': dedent`
      const app = require('express')();
      const m = require('./m');
      app.get('/a', (req, res) => { for (const row of list()) m.one(row, req); });
    `,
    'm.js': dedent`
      const s = require('./s');
      exports.one = function one(row, rest) { ${body} };
    `,
    's.js': S,
  });
  const heatOf = (files: Record<string, string>): number[] => (answer(files, 's.js#clean')?.heat ?? []).map(({ parameter }) => parameter);

  it('its object is handed on, or made anew', () => {
    assert.deepEqual(heatOf(between('s.clean(row)')), [-1, 0]);
    assert.deepEqual(heatOf(between('s.clean(rest, row)')), [-1, 1]);
    assert.deepEqual(heatOf(between('const copy = load(row); s.clean(copy)')), [-1, 0]);
    assert.deepEqual(heatOf(between('s.clean(SHARED)')), [-1]);
  });

  it('says the whole way', () => {
    const [heat] = answer(between('s.clean(row)'), 's.js#clean')?.heat ?? [];
    assert.deepEqual(
      heat?.related.map(({ file, message }) => [file, message]),
      [
        ['/project/app.js', 'GET /a is handled here'],
        ['/project/app.js', 'calls `one` in each iteration'],
        ['/project/m.js', 'calls `clean`'],
      ],
    );
    assert.deepEqual([heat?.route, heat?.loop], ['GET /a', 'a loop in `app.js`']);
  });

  it('not where what is called writes somewhere', () => {
    const files = between('s.clean(row)');
    assert.deepEqual(heatOf({ ...files, 'm.js': files['m.js']?.replace('function one', 'function saveRow') ?? '' }), []);
    assert.deepEqual(heatOf({ ...files, 'm.js': files['m.js']?.replace('function one', 'function sender') ?? '' }), [-1, 0]);
  });

  it('not where what is called waits', () => {
    const files = between('s.clean(row)');
    assert.deepEqual(heatOf({ ...files, 'm.js': files['m.js']?.replace('= function', '= async function') ?? '' }), []);
    assert.deepEqual(heatOf({ ...files, 's.js': S.replace('= function', '= async function') }), []);
  });

  it('ends after four calls', () => {
    const chain = (length: number): Record<string, string> => ({
      'app.js': dedent`
        const app = require('express')();
        const { f1 } = require('./s');
        app.get('/a', (req, res) => { for (const row of list()) f1(row); });
      `,
      's.js': dedent`
        ${Array.from({ length }, (_, i) => `exports.f${i + 1} = function f${i + 1}(row) { exports.f${i + 2}(row); };`).join('\n')}
        exports.f${length + 1} = function clean(row) {};
      `,
    });
    assert.deepEqual(heatOf(chain(3)), [-1, 0]);
    assert.deepEqual(heatOf(chain(4)), []);
  });
});

describe('a call in a try throws elsewhere', () => {
  const throwing = (body: string, more = ''): FunctionAnswer['throwing'] =>
    answer(
      {
        'app.js': `${show('run(req);')}function run(req) { ${body} }`,
        's.js': dedent`
          const deep = require('./deep');
          exports.parse = function parse(text) { if (!text) throw new Error('no text'); return text; };
          exports.thin = function thin(text) { return deep.parse(text); };
          exports.safe = function safe(text) { try { return deep.parse(text); } catch { return null; } };
          exports.later = async function later(text) { throw new Error(text); };
          exports.wrap = function wrap(text) { try { return JSON.parse(text); } catch (e) { throw new Error('bad', { cause: e }); } };${more}
        `,
        'deep.js': "exports.parse = function parse(text) { if (!text) throw new RangeError('none'); return text; };",
      },
      'app.js#run',
    )?.throwing;

  it('one or two files away', () => {
    const [one] = throwing('try { s.parse(req) } catch {}') ?? [];
    assert.deepEqual(
      [one?.name, one?.call.message, one?.related.map(({ file, message }) => [file, message])],
      ['`parse`', 'this call throws', [['/project/s.js', 'thrown here']]],
    );
    assert.deepEqual(
      throwing('try { s.thin(req) } catch {}')?.[0]?.related.map(({ file }) => file),
      ['/project/s.js', '/project/deep.js'],
    );
  });

  it('nothing where it is caught, or comes later, or is no answer of its own', () => {
    for (const body of [
      's.parse(req)',
      'try { s.safe(req) } catch {}',
      'try { s.later(req) } catch {}',
      'try { s.wrap(req) } catch {}',
      'try { req.x } catch { s.parse(req) }',
      'try { list(() => s.parse(req)) } catch {}',
    ])
      assert.equal(throwing(body), undefined, body);
  });
});
