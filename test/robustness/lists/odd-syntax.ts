// Syntax that is rare, old, new, not yet standard, or only nearly right; each alone, in a function, and in a request handler.
import type { OddCase } from '../child.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const JAVASCRIPT: readonly string[] = [
  // Decorators, classes, private names.
  '@a @b.c @d() @(e) class A { @f g; @h static i() {} @j accessor k = 1; @l #m() {} }',
  'export @dec default class {}',
  '@dec export class B {}',
  'class A { #a; #a; }',
  'class A { static #x; static m(o) { return #x in o; } }',
  'class A { get #a() {} set #a(v) {} static async *#b() {} }',
  'a.#b',
  'class A extends (class { static async *[Symbol.asyncIterator]() {} }) {}',
  'class A { static { await; } }',
  'class A { static { arguments; } constructor() { super(); super.x; } }',
  'class A { constructor() { delete this.#x; } #x }',
  'class A { static name; static length = 1; static prototype() {} }',
  "class A { 'constructor'() {} ['constructor']() {} get constructor() {} }",
  'class A { in; of; async; get; set; static; static static; accessor; }',
  dedent`
    class A { async
    foo() {} get
    bar }
  `,
  'class extends null {}',
  'new (class { x = this; y = () => this; })',
  // Modules.
  "import defer * as a from 'a';",
  "import source a from 'a';",
  "import a, * as b from 'c'; import { default as d, 'e f' as g } from 'h';",
  "export { 'a b' as 'c d' } from 'x'; export * as 'e' from 'x';",
  "import a from 'a' with { type: 'json', 'b': \"c\" };",
  "import a from 'a' assert { type: 'json' };",
  "import('a', { with: { type: 'json' } }); import.source('a'); import.defer('b');",
  'import.meta.x = import.meta; import.meta?.url;',
  'export default (1, 2);',
  'export default async () => {}; export default 2;',
  'export { a }; export { a }; export * from ""',
  'import { a as a, a as b, b } from "c"; import a from "d";',
  'module.exports = exports = module.exports.a = {}; export {};',
  'if (a) import b from "c";',
  'await import("a"); for await (const a of b); await using c = d;',
  'import a from from "from"; import from;',
  // Functions and parameters.
  'function f(a, a, [b, ...c], { d, ...e }, ...{ length }) { "use strict"; }',
  dedent`
    function* g() { yield
    * 2; const x = yield; yield* yield yield; }
  `,
  'async function* h() { yield await (yield* a); for await (var x of y) {} }',
  'async (x = await 1) => 1',
  dedent`
    async => async; async
    () => {}; (async)(); async(async, async () => async)
  `,
  '(a, b) => ({}).c; a => {}; () => ({}) => {}',
  '((a)) => 1; ([a]) => 1; ({ a = 1 }) => 1; (a, ...b,) => 1',
  'function f() { new.target = 1; return new new.target(); }',
  'function arguments() { arguments = eval; }',
  'if (a) function f() {} else function g() {}',
  'label: function f() {}',
  'do function f() {} while (0)',
  '(function f() { f = 1; f.f.f(f); })',
  'var f = function () { return arguments.callee; };',
  'function f(this, a) {}',
  'let [let] = let; var let; let\nlet2',
  'yield = 1; await = 2; async = 3; static = 4; of = 5; get = 6; let = 7; implements = 8;',
  // Objects and literals.
  '({ __proto__: a, "__proto__": b, ["__proto__"]: c, __proto__, __proto__() {} })',
  '({ get a() {}, set a(b) {}, get: 1, set: 2, async: 3, async get() {}, *set() {}, get [x]() {}, async *[y]() {} })',
  '({ a: 1, a: 2, 1: 3, 0x1: 4, 1n: 5, .5: 6, "": 7 })',
  '({ a = 1 })',
  '({ a, b, } = c)',
  '[a, b.c, d[e], ...f] = [, , ...[, ]]',
  '[[[a] = []] = []] = [[[]]]',
  '({ a: { b: [c.d = e] } = {}, ...f.g } = h)',
  '0777 + 08 + 0o7 + 0b1 + 1_0.0_1e1_0 + 0x_1',
  '1..a; 1.0.b; 1n ** -1n; -1 ** 2; 2 ** 3 ** 4',
  '"\\08\\1\\u{10FFFF}\\\n"; `\\u`; tag`\\u \\xg \\01`',
  'f(a, , b); new f(, a); f?.(a, , ); f(...a, , ...b)',
  'new.a; new a; new a.b.c; new (a())(); new a`b`; new new a()()',
  'a?.b`c`; new a?.b(); a?.b = 1; delete a?.b.c; a?.[0]?.(b)?.c',
  'a ?? b || c; a ?? (b || c)',
  'a = b ? c, d : e ? f : g',
  'a ||= b &&= c ??= d',
  '(a, b) = c; a++ = 1; ++a--; f() = 1; f()++; for (f() of a);',
  // Regular expressions.
  '/[/]/; /[\\]]/g; /(?<a>.)\\k<a>/dgimsuy; /[\\p{Emoji}&&[^\\d--[0-3]]]\\q{a|b}/v',
  '/(?i:a)(?-i:b)(?<a>x)|(?<a>y)/',
  '/(/; /[/; /a/gg; /\\u{110000}/u',
  'a / b / c; a++ / 2; (a) / 2; {} / 1 /g; x = {} / 1 / g',
  '/=/; /==/.test(a) /= 2',
  // Statements.
  'with (a) with (b) c = delete d;',
  'a: b: c: for (;;) { continue a; }',
  'a: a: ;',
  'a: { break a; continue a; break b; }',
  'for (var i = 0 in {});',
  'for (let of of of);',
  'for (async of => 1;;) break; for (async of []);',
  'for (let in {}); for (let.a in {}); for (let[a] of b);',
  'for (const a;;); for (const a of b, c); for (const a, b of c);',
  'for (using a of b); for (await using c of d); using of of of;',
  'for (;;) for (;;) for (var a of b) for (let c in d) switch (e) {}',
  'switch (a) { default: case 1: default: }',
  'switch (a) {} switch (b) { case c: { } case d: ; }',
  'try {} catch {} finally {}; try { } finally { }; try {} catch ([a, { b }]) { var a; let b; }',
  'throw\na',
  'return\na; return; (return)',
  'if (a) ; else ; while (0) ; do ; while (0) x',
  'var a = 1, a = 2; let b, b; const c; const c = 1;',
  'debugger; ;;; {} {;} ({})',
  '"use strict"; "use asm"; \'use client\'; ("use server");',
  dedent`
    <!-- html
    --> html
    a<!--b
    x-->y
  `,
  '#!/bin/sh\n#!/bin/sh',
  dedent`
    a
    ++
    b
    (c)
    [d]
    \`e\`
    /f/g
  `,
  'eval("var x"); (0, eval)("y"); new Function("a", "b"); setTimeout("c")',
  'undefined = NaN = Infinity; void 0; typeof typeof a; delete delete a',
  'goto a; enum A {}; interface B {} package c;',
  // JSX.
  '<a />',
  '<></>',
  '<a.b.c d:e="f" {...g} h={<i />} j=\'k\'>{/* l */}{...m}&nbsp;&#x41;</a.b.c>',
  '<this.x></this.x>',
  '<a>{}</a>',
  '<a></b>',
  '<a b=<c/> d>text > } { </a>',
  '<A render={() => fs.readFileSync("a")} />',
  '<svg:rect xlink:href="#a" />',
  '<async />',
  '<_ /> || <$ /> < a',
  // Not yet, or no longer, JavaScript.
  'a |> b(%) |> c',
  'x = do { if (a) { 1 } }',
  'x = #{ a: 1 }; y = #[1, 2]',
  'a::b; ::a.b',
  'f(?, 1)',
  'x = match (a) { when 1: 2 }',
  'throw new Error; x = () => throw a',
  'export v from "v"; export * as w, { x } from "y"',
  'module A {}',
  'async do { await a }',
  'x = module { export let a; }',
  'class A { @dec() @dec() declare x; }',
  'a?.b ??= c?.d; a!b',
  'let { a } = b else { }',
  'for await (a in b);',
  'import { type A, typeof B } from "c"; import type C from "d";',
  'var x: number = 1; function f(a?: string): void {}',
  'a as b; c satisfies d; <T>e;',
  'defer fn(); go f(); select {}',
  'yield* await new.target?.import.meta',
  'let x = await using(y)',
  'x = a if b else c',
  'def f(): pass',
  '%DebugPrint(a); %OptimizeFunctionOnNextCall(f);',
  '@@iterator; a.@b',
  'let \\u{61} = 1; \\u0061\\u{62}; var \\u{1d4b3}; v\\u0061r x',
  '\u{1d4b3} = ℮ + ªµ; var 变量 = "値"',
  // Words that the rules look for, in odd places.
  'new (require("fs").readFileSync)("a"); require("fs")["read" + "FileSync"]("a"); require(`fs`).readFileSync`a`',
  'import fs = require("fs"); fs?.readFileSync?.("a")',
  'const { readFileSync: { call } } = require("fs"); call.call(call)',
  'with (require("fs")) readFileSync("a")',
  'app.get; app.get(); app.get(...a); app.get("/", ...b); app.get(app.get(app.get)); app.get("/", null, undefined, [], [[]], {}, () => {})',
  'app.get("/" + a, (req, res) => {}, async function* () {}, class {})',
  'process.nextTick(process.nextTick, process.nextTick); process.nextTick(); process.nextTick(...a)',
  'async function f() { await f(); } function g() { return g(); } (function h() { queueMicrotask(h); })()',
  'delete a; delete a[b]; delete a.b.c; delete (a, b.c); delete a?.[0]; delete super.x; delete this; delete this.a; delete import.meta',
  'for (;;) { delete a.b; try { throw a; } catch { continue; } finally { break; } }',
  'while (true) { try { JSON.parse(a); break; } catch (e) { a = a.slice(1); } }',
  'try { new URL(a); return true; } catch { return false; }',
  'for (const a of b) try { throw new Error(`${a}`, { cause: a }).stack; } catch ({ stack: [c] }) { c; }',
  'Object.setPrototypeOf(...a); Object.setPrototypeOf(); a.__proto__ = b; ({ __proto__: c }); Reflect.setPrototypeOf(a)',
  'function add(a, b) { return a + b; } for (;;) { add(1, 2); add("", ""); add(1n, {}); add([], null); add(...c); add(); add(undefined, Symbol()); new add(1); add`x`; add.call(1); add.bind(2)(3); }',
  'for (let i = 0; i <= a.length; i++) a[i]; for (let i = a.length; i >= 0; i--) a[i].b = i; for (let i = 0; i <= a?.length; i += 1) {}',
  'exports.handler = async (event, context, callback) => fs.readFileSync("a"); module.exports = (req, res) => res.end(require("fs").readFileSync("a")); export const GET = () => require("fs").readFileSync("a");',
  'class A { constructor() { this.a = 1; if (x) this.b = 2; else { this.c = 3; this.a = ""; } return this; } static create() { const o = {}; o.z = 1; o[y] = 2; return o; } }',
  'let cache; function get() { return cache ??= fs.readFileSync("a"); } app.use((err, req, res, next) => next(get()))',
  'require("http").createServer(function f(req, res) { f(req, res); arguments.callee(req); this.f = f; f.f = this; })',
  'process.env.NODE_ENV = process.env.NODE_ENV ?? "production"; process.env["NODE_ENV"] += ""; delete process.env.NODE_ENV; const { NODE_ENV = "x", ...e } = process.env',
];

const TYPESCRIPT: readonly string[] = [
  'enum A { B, C = B | 1, D = "x".length, "E-F" = 1, [`g`] = 2 }',
  'const enum A {} declare enum B { C } export enum D {}',
  'namespace A.B.C { export namespace D {} } module E {} declare module "f"; declare module G {}',
  'declare global { var x: 1 } declare const y: unique symbol; declare let z: typeof import("a");',
  'abstract class A<in out T extends B = C> extends D<T>[E] implements F, G<H> { private static readonly abstract override accessor x!: I; constructor(private readonly a?: J, public b = 1, ...protected); }',
  'class A { constructor(public x); constructor(public x: any) {} m?(): void; [key: string]: any; declare y; get z(): number; static { } }',
  'interface A extends B, C<D> { (x: E): F; new (x): G; readonly [k: string]: H; method?<T>(this: I): asserts this is J; get k(): L; set m(v); }',
  'type A<T> = { readonly [K in keyof T as `${K & string}x`]-?: T[K] }[number] extends infer U extends V ? U : never;',
  'type A = abstract new (...a: B[]) => asserts a is C; type D = typeof E.F<G>; type H = import("i", { with: { "resolution-mode": "import" } }).J;',
  'let a = <T,>(b) => c; let d = <T extends {}>(e) => f; let g = async <T>(h: T): Promise<T> => await h;',
  'a!.b![c]!(d)!; (a as any)! = 1; (<any>b).c++; (d satisfies E) = f; for (a as any of b); [c as any] = d;',
  'a<b>(c); new a<b>; a<b>`c`; f<T>?.(x); a < b > c; (a<b)>(c); a<b>>>(c); x = y<z>',
  'import a = b.c.d; import e = require("f"); export import g = h; import type i = require("j"); export = k; export as namespace l;',
  'import type A, { B } from "c"; import { type D, type as, type as as, type as as as } from "e"; export type * as F from "g"; export type { H } from "i";',
  'function f(a: number): void; function f(a: string): void; function f(this: any, a?: any, ...b: any[]): a is string {}',
  'function f(x): asserts x; let g: (this: A, { b }: C, [d]: E, ...f: G) => H;',
  '@A() @B.C class D { @E() f: G; @H() i(@J() k: L, @M n?) {} constructor(@Inject(O) private p: Q) {} }',
  'let x: [a: A, b?: B, ...c: C[]]; let y: (A | B)[] & readonly C[]; let z: -1 | 1n | `a${B}` | null | void | unique symbol;',
  'type = 1; namespace = 2; declare = 3; abstract = 4; as = 5; is; keyof; infer; readonly; module; any; never',
  'declare function f(): void; declare class A { m(): void; x; } declare namespace B { const c: 1; function d(); }',
  'using x: A = b; accessor: for (const y: number of z); let w!: string; const v: A = <B>c;',
  'a ? (b) : c => d; a ? (b): c => d : e; a ? async (b): Promise<c> => d : e;',
  '(a?: b) => c; (a, b?) => c; ({ a }: { a?: B } = {}) => c; async (a: b) => c',
  dedent`
    type A = { a; b, c
    d }; type E = (new () => F) | (() => G); type I = A extends B ? C extends D ? 1 : 2 : 3
  `,
  'class A<T> { a = <T>b; c = d as const; e = () => f satisfies G; static async *[h]<I>(j: I): J {} }',
  dedent`
    // @ts-nocheck
    /// <reference types="node" />
    let x
  `,
  'export default interface A {} export default abstract class B {} export declare const c, d: E;',
  'let x = a as any as b satisfies c!; y = <D><any>e; if (a as b) {} while (<c>d) {}',
  'for (const x of <any>y) {} for (let i = 0 as number; (i as any) < 1; (i as number)++) {}',
  'enum A { B = fs.readFileSync("a").length } namespace C { export const d = fs.readFileSync("e"); }',
];

const FLOW: readonly string[] = [
  'type A = {| +a: B, -b?: C, [[d]]: E, ...F |}; opaque type G: H = I; declare opaque type J;',
  'declare var a: B; declare function f(x: C): D; declare class E { static f(): G; @@iterator(): H } declare module.exports: I; declare export default J; declare module "k" {}',
  'import typeof A from "a"; import { typeof B, type C } from "d"; export type { E } from "f"; export interface G {}',
  'const a = (b: any); const c = ((d: E): F); function g<T: H = I>(j: ?T, k?: L): %checks { return !!j; }',
  'class A<+T, -U> extends B<T> implements C { static +x: D; #p: E = 1; prop: F; }',
  'type A = typeof b | $Keys<C> | * | (?D) => E | interface { f: G }; type H = I[J]; type K = L?.[M];',
  'enum A { B, C } enum D of string { E = "e" } enum F { ... }',
  'function f(x: number, ...y: Array<string>): Promise<void> {} async <T>(x: T) => {}; (x): %checks => x',
  'a ? (b) : c => d; a ? (b): c => d : e; a ? (b => c) : d => e;',
  '/*:: type A = B; */ var c /*: D */ = 1;',
  'component A(b: C) {} hook useD() {} declare component E();',
  'f<T>(x); new G<H>(); i?.<J>(k); <T>(x) => y;',
  'type T = (a: A, b?: B, ...C) => D; function g(this: E) {}',
  'export default (class {}: A); export * as b from "c"',
];

const FRAMES: readonly [name: string, frame: (code: string) => string][] = [
  ['alone', (code) => code],
  [
    'in a function',
    (code) => dedent`
    function outer(a, b) {
    ${code}
    }
  `,
  ],
  [
    'in a handler',
    (code) =>
      dedent`
        const fs = require('fs'); const app = require('express')();
        app.get('/', async (req, res, next) => { for (const row of rows) {
        ${code}
        ; fs.readFileSync(row); delete row.x; } });
      `,
  ],
];

export function* cases(): Generator<OddCase> {
  for (const [frameName, frame] of FRAMES) {
    for (const code of JAVASCRIPT) {
      yield { name: `${code} ${frameName}`, file: '/project/src/app.js', text: frame(code) };
      yield { name: `${code} ${frameName}, TypeScript`, file: '/project/src/app.tsx', text: frame(code) };
    }
    for (const code of TYPESCRIPT) yield { name: `${code} ${frameName}`, file: '/project/src/app.ts', text: frame(code) };
    for (const code of FLOW) yield { name: `${code} ${frameName}`, file: '/project/src/app.js', text: `// @flow\n${frame(code)}` };
  }
}
