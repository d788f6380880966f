// What the parser takes, by the file's ending, and what it says about text that it cannot take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse, SCRIPT_FILE } from '../../analysis/module/parse.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

function issuesOf(file: string, text: string): string[] {
  const outcome = parse(file, text);
  return outcome.ok ? outcome.recovered.map((issue) => issue.message) : [outcome.issue.message];
}

test('a file that is one function without a name, as a database runs it, is read as an expression', () => {
  const text = dedent`
    // a view
    function (doc) {
      emit(doc.key, /* all */ 1);
    };

  `;
  const outcome = parse('/map.js', text);
  assert.ok(outcome.ok && !outcome.isPlain);
  const [statement] = outcome.ast.program.body;
  assert.ok(statement?.type === 'ExpressionStatement' && statement.expression.type === 'FunctionExpression');
  assert.equal(text.slice(statement.expression.start ?? 0, statement.expression.end ?? 0), text.slice(10, -2));
  assert.deepEqual(
    outcome.ast.comments?.map(({ value }) => value),
    [' a view', ' all '],
  );
  assert.equal(parse('/map.js', 'async function* (doc) { yield doc; }').ok, true);
  for (const other of [
    'const a = 1;\nfunction (doc) {}',
    'function (doc) {}\nfunction (doc) {}',
    'function (doc) { emit(',
    'function (doc) {} + ;',
  ])
    assert.equal(parse('/map.js', other).ok, false, other);
  assert.equal(parse('/map.ts', text).ok, false);
});

test('reads the syntax that each ending stands for', () => {
  const table: readonly [file: string, text: string][] = [
    [
      '/a.js',
      dedent`
        #!/usr/bin/env node
        "use strict"; const a = 1_000n ** 2n; a ??= b?.[c]?.(d);
      `,
    ],
    ['/a.js', 'class A { #p; static { A.#q; } static #q = #p in a; accessor x = 1; get #r() {} }'],
    ['/a.js', 'await a; return; for await (const b of c) ; new.target;'],
    ['/a.js', 'import a from "./a.json" with { type: "json" }; export * as b from "b"; import.meta.url;'],
    ['/a.js', '/[\\p{L}--[a-z]]/v.test(a); /(?<y>a)\\k<y>/su; label: { break label; }'],
    ['/a.js', 'using r = a(); { await using s = b(); }'],
    ['/a.js', '@dec export class A { @dec m() {} } const el = <div {...a}>{b}</div>;'],
    ['/a.mjs', 'export default async function* () { yield* await a; }'],
    ['/a.cjs', 'module.exports = 0o10; var async, of, get;'],
    ['/a.jsx', 'const a = <><A.B c="d" /></>;'],
    [
      '/a.ts',
      'const a = <T>(b: T) => b as const; enum C { D = 1 } let x = <any>y; type E = `${F}`; abstract class G { abstract h(): void }',
    ],
    ['/a.mts', 'import type { A } from "a"; export type { A }; let a = b satisfies C;'],
    ['/a.cts', 'import a = require("a"); export = a;'],
    ['/a.tsx', 'const a = <T,>(b: T) => <A<T> b={b} />;'],
    [
      '/a.js',
      dedent`
        // @flow
        type A = {| b: number |}; const a = (b: any); opaque type C = D; import typeof E from "e";
      `,
    ],
    ['/a.js', 'const isLess = a < b > (c);'],
  ];
  for (const [file, text] of table) assert.deepEqual(issuesOf(file, text), [], `${file}: ${text}`);
});

test('keeps reading after mistakes that Babel recovers from', () => {
  for (const text of [
    'let a; let a;',
    'const b;',
    'with (a) b;',
    'a b',
    '"use strict"; 010;',
    'class A { constructor() {} constructor() {} }',
    'break;',
  ]) {
    const outcome = parse('/a.js', text);
    assert.ok(outcome.ok, text);
    assert.equal(outcome.recovered.length, 1, text);
    assert.doesNotMatch(outcome.recovered[0]?.message ?? '', /\(\d+:\d+\)/);
  }
});

test('says what is wrong with the rest, and where, without throwing', () => {
  const table: readonly [text: string, offset: number][] = [
    ['foo(', 4],
    ['a ? b', 5],
    ['`${', 3],
    ['class {', 6],
    ['\0', 0],
    ['({', 2],
  ];
  for (const [text, offset] of table) {
    const outcome = parse('/a.js', text);
    assert.ok(!outcome.ok, JSON.stringify(text));
    assert.equal(outcome.issue.offset, offset, JSON.stringify([text, outcome.issue]));
    assert.ok(outcome.issue.message.length > 0 && !/\(\d+:\d+\)/.test(outcome.issue.message), outcome.issue.message);
  }
  const deep = parse('/a.js', '['.repeat(100_000));
  assert.ok(!deep.ok);
  assert.equal(deep.issue.message, 'nested too deeply to be parsed');
});

test('never throws, and its offsets lie in the text', () => {
  const piece = fc.constantFrom(
    'a',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    '=>',
    '=',
    ';',
    '\n',
    '`',
    '${',
    '"',
    '/',
    '*',
    '//',
    '/*',
    '*/',
    '<',
    '>',
    '#',
    '@',
    'class ',
    'function ',
    'async ',
    'await ',
    'yield ',
    'import ',
    'export ',
    'let ',
    'of ',
    'in ',
    '...',
    '?.',
    '?',
    ':',
    ',',
    '.',
    '1',
    '0x',
    '\\u{1F600}',
    '\u2028',
    '\0',
    'é',
    '\uD83D',
    'type ',
    'as ',
    'enum ',
    '@flow',
    '<!--',
    '-->',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom('/a.js', '/a.ts', '/a.tsx', '/a.mjs', '/a.cts'), (pieces, file) => {
      const text = pieces.join('');
      const outcome = parse(file, text);
      for (const issue of outcome.ok ? outcome.recovered : [outcome.issue])
        assert.ok(issue.offset >= 0 && issue.offset <= text.length, JSON.stringify([text, issue]));
    }),
    { numRuns: 2000, seed: 20261120 },
  );
});

test('knows script files by their ending', () => {
  for (const file of ['a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.ts', 'a.mts', 'a.cts', 'a.tsx', 'a.d.ts', 'A.JS'])
    assert.match(file, SCRIPT_FILE);
  for (const file of ['a.json', 'a.jsonc', 'a.vue', 'js', 'a.js.map', 'a.mtsx']) assert.doesNotMatch(file, SCRIPT_FILE);
});
