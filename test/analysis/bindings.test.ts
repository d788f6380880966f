// Which declaration does an identifier mean: our answer against @babel/traverse's scopes, and by hand where Babel does not know.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readMarks } from '../../analysis/testing/rule-tester.ts';
import { Bindings, isReference } from '../../analysis/facts/bindings.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse, SCRIPT_FILE } from '../../analysis/module/parse.ts';
import { compareScopes } from '../../bench/compare-scopes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const PROGRAMS: readonly string[] = [
  'f(); function f() { return g; } var g = 1; h(); { function h() {} h(); }',
  'function f() { if (a) { var a = 1; let b = a; } return a + b; }',
  'for (var i = 0; i < 3; i++) { var inner = i; } i + inner;',
  'for (let i = 0, n = i; i < n; i++) { setTimeout(() => i); let i2 = i; { let i = 5; use(i, i2); } } i;',
  'for (const [key, { value = key }] of list) use(key, value); for (const name in object) use(name); key; name;',
  'let x = 1; function f(a = x, b = () => x + a) { var x = 2; return a + b() + x; }',
  'const y = 1; function f({ y: z = y, ...rest } = { y }, [q = z] = []) { return z + q + rest.y; }',
  'const f = function g(n) { return n ? g(n - 1) : f; }; g;',
  'const f = function g() { var g = 1; return g; };',
  'const f = function g(g) { return g; };',
  'const f = function g(a = g) { var g = 1; return a + g; };',
  'try { a(); } catch (a) { let b = a; a = 1; } finally { a; b; }',
  'try {} catch ({ message, cause: { code } = {} }) { use(message, code); } try {} catch { message; }',
  'class A extends B { static #p = A; [key]() { return A; } m(key) { return key + this.#p; } static x = key; } new A();',
  'const C = class D extends D2 { m() { return D; } static n = D; }; D; C;',
  'class A { static { var v = 1; let l = v; use(v, l); } static w = v; } v; l;',
  'class A { get [g]() { return g; } set [s](g) { g; s; } async *[Symbol.iterator](s) { yield s; } }',
  'const { a, b: c, [d]: e = a, ...f } = g; ({ a: h, b: i.j, ...k } = g); [l, m[n] = o, ...p] = q; use({ a, c, e, f });',
  'a: for (;;) { b: for (;;) { continue a; break b; } } a; b;',
  'const a = 1; const o = { a, b: a, [a]: a, a() { return a; }, get b() { return a; }, "c": a, async *d() {} };',
  'switch (v) { case v: let v = 1; break; default: function w() {} w(v); } w; v;',
  '{ let a = 1; { let b = a; { let a = b; use(a); } use(a); } use(b); }',
  'var a = 1; var a = a + 1; function a2() { var a = 2; var a; return a; }',
  'function arguments2() { return arguments[0] + (() => arguments.length)(); } arguments;',
  'var arguments3 = 1; function f(arguments3) { return arguments3; }',
  'import d, { n as m, default as e } from "x"; import * as ns from "y"; export { d, m as o }; export { z } from "z"; export default ns; export * as all from "w"; e;',
  'export const a = 1; export function b() { return a; } export class C { m() { return b; } } export default class { n() { return C; } }',
  'export default function named() { return named; } named();',
  'const a = (b) => (c) => ({ b, c, a }); const d = async (e, { f } = e) => await f; const g = h => h;',
  'x = y; [x] = y; ({ x } = y); x++; delete x.y; typeof x; for (x of y); for ([x] of y); for ({ z: x } of y);',
  'const t = tag`a ${b} ${() => c}`; let b; function c() {}',
  'new.target; import.meta.url; a?.b?.[c]?.(d); a.b.c[d.e]; label; undefined; NaN;',
  'function* g() { yield a; yield* b; } async function f() { for await (const a of b) await a; }',
  'with (o) { p; var q = 1; } q;',
  'do { let a = 1; } while (a); while (b) { const b = 1; } if (c) var c = 1; else d = 2;',
  'const el = <Menu.Item key={k} {...props} onClick={() => run(k)}><a href="x">{text}</a><this.Tag /><_x /></Menu.Item>; const Menu = 1, k = 2;',
  '@dec class A { @dec2(A) m(@dec3 a) {} @dec4 p = a; } const dec = 1, dec2 = 1, dec3 = 1, dec4 = 1; let a;',
  'using_(); { using r = open(); await using s = r; use(r, s); } r; s;',
  'var f = 1; function f() {} f; function g() {} function g() {} g;',
  'function f(a) { var a; function a() {} return a; }',
  'let a = { b: { c: 1 } }; let { b: { c } } = a; let [, , d = c] = [a]; c + d;',
  'a = function () { return a; }; var a; !function () { b; var b; }(); b;',
  'const fn = (a, b = a, { c = b, d: [e = c] = [] } = {}, ...f) => [a, b, c, e, f, fn];',
  'async () => { for await (let x of x) { let x2 = x; use(x2); } };',
];

const TYPESCRIPT: readonly string[] = [
  'import type { T } from "t"; import { type U, V } from "u"; const x: T = V as U; T; U; V;',
  'type A = B; interface C { a: D } const A = 1; function f<T>(a: T, b: typeof A): a is A { return a as any; }',
  'abstract class A<T> extends B<T> implements C { abstract m(): void; declare x: number; private y = A; constructor(a: string) { super(a); } }',
  'const x = <const>y; const z = y!; let w = y satisfies Y; (y as any).b = z; for (const q of y as any[]) q; y = <any>x;',
  'function over(a: string): void; function over(a: number): void; function over(a: any) { over(a); }',
  'function f(this: Foo, a?: string, ...rest: number[]) { return this.x + a + rest; }',
  'const g = async <T,>(a: T) => { const b = a; return f<T>(b); }; const h = f<string>;',
  '@Injectable() class S { @Input() a = b; @Output() m(@Inject(TOKEN) t: T) { return t; } } const b = 1, TOKEN = 2;',
  'export = a; const a = 1;',
];

const isClean = (file: string, text: string): void => {
  const result = compareScopes(file, text);
  assert.equal(result.skipped, undefined, `${result.skipped}\n${text}`);
  assert.deepEqual(result.differences, [], text);
  assert.ok(result.compared > 0, text);
};

test('agrees with Babel on tricky programs', () => {
  for (const text of PROGRAMS) isClean('/p/a.js', text);
  for (const text of [...TYPESCRIPT, ...PROGRAMS.filter((program) => !program.includes('<'))]) isClean('/p/a.ts', text);
  for (const text of PROGRAMS) isClean('/p/a.tsx', text);
});

test('agrees with Babel on programs wrapped in other scopes', () => {
  const wraps = [
    (body: string) => `function wrap(x, a, f) { ${body} }`,
    (body: string) => `const wrap = async (g, { b, y } = {}) => { ${body} };`,
    (body: string) => `class Wrap { async *m(a, f) { ${body} } }`,
    (body: string) => `for (const a of as) { { ${body} } }`,
    (body: string) => `try {} catch (v) { ${body} }`,
    (body: string) => `switch (s) { case 1: { ${body} } }`,
  ];
  let compared = 0;
  for (const wrap of wraps) {
    for (const program of PROGRAMS) {
      const { differences, compared: n } = compareScopes('/p/a.js', wrap(program));
      assert.deepEqual(differences, [], wrap(program));
      compared += n;
    }
  }
  assert.ok(compared > 1200, `only ${compared} identifiers compared`);
});

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (SCRIPT_FILE.test(entry.name)) yield path;
  }
}

test('agrees with Babel on the sources of this project and of its dependencies', () => {
  let compared = 0;
  for (const folder of [
    'analysis',
    'protocol',
    'rules',
    'test',
    'bench',
    'scripts',
    'node_modules/@babel/parser/lib',
    'node_modules/@babel/traverse/lib',
    'node_modules/yaml/dist',
    'node_modules/semver',
    'node_modules/dockerfile-ast/lib',
  ]) {
    for (const file of sources(join(ROOT, folder))) {
      const result = compareScopes(file, readFileSync(file, 'utf8'));
      assert.deepEqual(result.differences, [], file);
      compared += result.compared;
    }
  }
  assert.ok(compared > 30_000, `only ${compared} identifiers compared`);
});

/** Marks: the first pair is a use; the second, where there is one, the identifier that it means. */
const BEYOND_BABEL: readonly [name: string, code: string][] = [
  ['a parameter property is a parameter', 'class A { constructor(private readonly «name»: string) { use(«name»); } }'],
  ['… with a default value', 'class A { constructor(private «name» = 1, b = «name») {} }'],
  ['an enum is a variable', 'enum «Color» { Red } use(«Color».Red);'],
  ['a namespace is a variable', 'namespace «Geo» { export const x = 1; } use(«Geo».x);'],
  ['of a dotted namespace only the first name is', 'namespace «A».B { export const x = 1; } use(«A»);'],
  ['import = declares', 'import «fs» = require("fs"); «fs».readFileSync("a");'],
  ['a body variable hides the name of a function expression', 'const f = function g() { var «g» = 1; return «g»; };'],
  ['… but not in the parameters', 'const f = function «g»(a = «g») { var g = 1; };'],
  ['the last of several functions counts', 'function f() {} function «f»() {} «f»();'],
  ['a computed key does not see the parameters', 'const «k» = 1; class A { [«k»](k) {} }'],
  ['nor does a decorator', 'const «k» = 1; class A { @dec(«k») m(k) {} }'],
  ['the subject of a switch does not see its cases', 'const «v» = 1; switch («v») { case 1: let v = 2; }'],
];

/** The marked use is a global. */
const GLOBALS: readonly [name: string, code: string][] = [
  ['declare const says that a global exists', 'declare const process: any; «process».exit();'],
  ['declare global makes no variable named global', 'declare global { interface Window {} } «global».x;'],
  ['declare namespace makes no variable', 'declare namespace NodeJS { interface Process {} } «NodeJS».x;'],
  ['a type import is no value', 'import type { Buffer } from "x"; «Buffer».alloc(1);'],
  ['an inline type import is no value', 'import { type Buffer } from "x"; «Buffer».alloc(1);'],
  ['a later name of a dotted namespace', 'namespace A.B { } «B».x;'],
  ['arguments', 'let arguments_ = 1; function f() { return «arguments».length; }'],
  ['arguments inside an arrow', 'var arguments = 1; function f() { return () => «arguments».length; }'],
  ['a block function from outside (Annex B, sloppy mode only, is not modelled)', '{ function f() {} } «f»();'],
];

test('knows what Babel does not', () => {
  for (const [name, marked] of BEYOND_BABEL) {
    const { code, spans } = readMarks(marked);
    const [first, second] = spans.map((span) => span.start);
    const bindings = load(code);
    const meant = bindings.at(second as number) ?? bindings.at(first as number);
    assert.equal(meant, first, name);
  }
  for (const [name, marked] of GLOBALS) {
    const { code, spans } = readMarks(marked);
    assert.equal(load(code).at(spans[0]?.start as number), 'global', name);
  }
});

function load(code: string): { at(offset: number): number | 'global' | undefined } {
  const outcome = parse('/p/a.ts', code);
  assert.ok(outcome.ok, code);
  const module = new ModuleIndex(outcome.ast);
  const bindings = new Bindings(module);
  return {
    at(offset) {
      const identifier = module.nodes('Identifier').find((node) => node.start === offset && isReference(node));
      if (!identifier) return undefined;
      return bindings.resolve(identifier)?.identifier.start ?? 'global';
    },
  };
}

test('lists references and written values', () => {
  const outcome = parse(
    '/p/a.js',
    'let a = 1; a = 2; a += 3; a ??= 4; [a] = b; ({ c: a = 5 } = b); for (a of b); a++; use(a, { a }); { let a = 9; a = 8; }',
  );
  assert.ok(outcome.ok);
  const module = new ModuleIndex(outcome.ast);
  const bindings = new Bindings(module);
  const declared = module.nodes('Identifier').find((node) => node.name === 'a');
  assert.ok(declared);
  const binding = bindings.lookUp('a', module.program);
  assert.ok(binding);
  assert.equal(binding.identifier, declared);
  assert.equal(bindings.references(binding).length, 9);
  assert.deepEqual(
    bindings.assignedValues(binding).map((value) => (value?.type === 'NumericLiteral' ? value.value : undefined)),
    [2, undefined, 4, undefined, undefined, undefined, undefined],
  );
  assert.equal(bindings.isConstant(binding), false);
});

test('finds a name from far below its scope, where the way up is remembered', () => {
  // 700 calls, 1,400 levels: just below the depth at which a file is refused.
  const chain = `x${'.then(x)'.repeat(700)};`;
  const outcome = parse('/p/a.js', `const x = 1; ${chain.repeat(40)}`);
  assert.ok(outcome.ok);
  const module = new ModuleIndex(outcome.ast);
  const bindings = new Bindings(module);
  const binding = bindings.lookUp('x', module.program);
  assert.ok(binding);
  assert.equal(bindings.references(binding).length, 40 * 701);
});
