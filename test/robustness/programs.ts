// Random programs from a grammar: syntactically sound, semantically wild, and full of the words that the rules look for.
import type { Random } from './random.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

export type Dialect = 'js' | 'ts' | 'tsx' | 'flow';

const NAMES = [
  'a',
  'b',
  'req',
  'res',
  'next',
  'ctx',
  'app',
  'router',
  'fs',
  'i',
  'n',
  'list',
  'item',
  'process',
  'e',
  'err',
  'fn',
  'this_',
  'arguments_',
  'of',
  'async',
  'get',
  'set',
  'static_',
  '$',
  '_',
  'é',
  '\\u0061b',
  'constructor',
  'toString',
  '__proto__',
  'undefined',
];
const PROPERTIES = [
  'get',
  'post',
  'use',
  'readFileSync',
  'existsSync',
  'then',
  'catch',
  'length',
  'stack',
  'push',
  'map',
  'forEach',
  'bind',
  'call',
  'apply',
  'nextTick',
  'prototype',
  '__proto__',
  'constructor',
  'then',
  'url',
  'default',
  'class',
  'new',
];
const CALLS = [
  "fs.readFileSync('a', 'utf8')",
  "require('fs').readFileSync(__filename)",
  "require('node:child_process').execSync('ls')",
  'process.nextTick(fn)',
  'queueMicrotask(fn)',
  'setImmediate(fn)',
  'Promise.resolve()',
  'JSON.parse(a)',
  'new URL(a)',
  "new Error('x')",
  'Object.setPrototypeOf(a, b)',
  "app.get('/x', fn)",
  'router.use(fn)',
  "app.post('/y/:id', a, [b, fn])",
  "require('crypto').pbkdf2Sync(a, b, 100000, 2, 'sha1')",
  'bcrypt.hashSync(a, 10)',
  "require('http').createServer((req, res) => res.end(fs.readFileSync('a')))",
  'next(err)',
  'reply.send(a)',
  "require('zlib').gzipSync(a)",
  'super.x',
  'import(a)',
  'eval(a)',
  'new.target',
  'import.meta.url',
];
const LITERALS = [
  '0',
  '1',
  '-1',
  '1.5e300',
  '0x1F',
  '0b11',
  '0o17',
  '1_000_000',
  '10n',
  "'s'",
  '"d\\n"',
  "''",
  '`t`',
  'null',
  'true',
  'false',
  'NaN',
  'undefined',
  '/r(?<n>x)+/giu',
  '/[\\]/]/',
  '{}',
  '[]',
  '[,]',
  '[,,1]',
  "'\\u{1F600}'",
  "'\\x41'",
  '"\u2028"',
];
const BINARY = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '**',
  '<<',
  '>>',
  '>>>',
  '<',
  '>',
  '<=',
  '>=',
  '==',
  '!=',
  '===',
  '!==',
  '&',
  '|',
  '^',
  '&&',
  '||',
  '??',
  ',',
  ' in ',
  ' instanceof ',
];
const ASSIGN = ['=', '+=', '-=', '**=', '??=', '||=', '&&=', '>>>=', '|='];
const COMMENTS = [
  '// note\n',
  '/* why */',
  dedent`
    /** doc
     * @param a
     */
  `,
  '// nodometer-disable-next-line\n',
  '/* nodometer-disable */',
  '// nodometer-disable-line no-sync-in-handler -- known\n',
  '/* é 😀 */',
  '// TODO-like words\n',
];
const IMPORTS = [
  "import fs from 'fs';",
  "import * as fs from 'node:fs';",
  "import { readFileSync as r, existsSync } from 'fs';",
  "const fs = require('fs');",
  "const { readFileSync, ...rest } = require('node:fs');",
  "const app = require('express')();",
  "import express, { Router } from 'express'; const app = express();",
  "const router = require('@koa/router')();",
  "import fastify from 'fastify'; const app = fastify();",
  "export * from './x';",
  "import a from './a.json' with { type: 'json' };",
  "import {} from 'x';",
  "import 'x';",
  'export default fn;',
  "export { a as 'string name' };",
];

/** One program. `size` bounds the number of statements and the depth of each. */
export function randomProgram(random: Random, dialect: Dialect, size: number): string {
  return new Programs(random, dialect).program(size);
}

class Programs {
  readonly #random: Random;
  readonly #dialect: Dialect;

  constructor(random: Random, dialect: Dialect) {
    this.#random = random;
    this.#dialect = dialect;
  }

  program(size: number): string {
    const parts: string[] = [];
    if (this.#dialect === 'flow') parts.push('// @flow');
    else if (this.#random.chance(0.1)) parts.push('#!/usr/bin/env node');
    if (this.#random.chance(0.2)) parts.push("'use strict';");
    for (let i = this.#random.below(3); i > 0; i--) parts.push(this.#random.pick(IMPORTS));
    for (let i = 0; i < size; i++) parts.push(this.statement(3));
    return parts.join(this.#random.pick(['\n', '\n', '\r\n', '\n\n  ', '\u2028', ' \n\t']));
  }

  statement(depth: number): string {
    const comment = this.#random.chance(0.12) ? this.#random.pick(COMMENTS) : '';
    return comment + (depth <= 0 ? `${this.expression(1)};` : this.#statement(depth - 1));
  }

  #statement(depth: number): string {
    const r = this.#random;
    const e = (): string => this.expression(depth);
    const block = (): string => this.block(depth);
    switch (r.below(26)) {
      case 0:
        return `if (${e()}) ${block()}${r.chance(0.5) ? ` else ${this.statement(depth)}` : ''}`;
      case 1:
        return `for (${r.pick(['let', 'var'])} i = 0; i < ${r.pick(['n', 'list.length', '10', 'a.length + 1'])}; i++) ${block()}`;
      case 2:
        return `for (${r.pick(['const ', 'let ', 'var ', ''])}${this.name()} of ${e()}) ${block()}`;
      case 3:
        return `for (const ${this.name()} in ${e()}) ${block()}`;
      case 4:
        return `for (const ${this.pattern(depth)} of ${e()}) ${block()}`;
      case 5:
        return `while (${e()}) ${block()}`;
      case 6:
        return `do ${block()} while (${e()});`;
      case 7:
        return `try ${block()} catch${r.pick(['', ' (e)', ' ({ message })'])} ${block()}${r.chance(0.3) ? ` finally ${block()}` : ''}`;
      case 8:
        return `switch (${e()}) { case ${e()}: ${this.statement(depth)} break; case 2: default: ${this.statement(depth)} }`;
      case 9:
        return `throw ${e()};`;
      case 10:
        return `delete ${this.name()}.${r.pick(PROPERTIES)};`;
      case 11:
        return `${r.pick(['async ', '', ''])}function${r.pick(['*', '', '', ''])} ${this.name()}(${this.params(depth)}) ${block()}`;
      case 12:
        return this.#class(depth);
      case 13:
        return `${r.pick(['const', 'let', 'var'])} ${this.name()} = ${e()}, ${this.pattern(depth)} = ${e()};`;
      case 14:
        return `(${this.pattern(depth)} = ${e()});`;
      case 15:
        return `label: for (;;) { ${r.pick(['break label;', 'continue label;', 'break;'])} }`;
      case 16:
        return `${r.pick(['app', 'router', 'server', 'fastify'])}.${r.pick(['get', 'post', 'use', 'all', 'route', 'on'])}(${r.pick(["'/a'", '/a/', "['/a', b]", '{ method: "GET", url: "/", handler: fn }', "'message'"])}, ${e()});`;
      case 17:
        return `exports.${this.name()} = ${r.pick(['async ', ''])}(${r.pick(['req, res', 'req, res, next', 'ctx, next', 'request, reply', 'event, context'])}) => ${block()};`;
      case 18:
        return `function ${this.name()}() { process.nextTick(${this.name()}); ${this.statement(depth)} }`;
      case 19:
        return `async function ${this.name()}() { while (${e()}) await ${e()}; }`;
      case 20:
        return `${this.name()}.${r.pick(PROPERTIES)} = ${e()};`;
      case 21:
        return this.#typed(depth);
      case 22:
        return r.pick([';', 'debugger;', '{}', 'return;', "'directive';", 'label2: a;', 'if (a);', 'for (;;) break;']);
      default:
        return `${e()};`;
    }
  }

  #class(depth: number): string {
    const r = this.#random;
    const members: string[] = [];
    for (let i = r.below(4); i > 0; i--) {
      members.push(
        r.pick([
          () => `constructor(${this.params(depth)}) { ${r.chance(0.5) ? 'this.x = 1; if (a) this.y = 2;' : ''} ${this.statement(depth)} }`,
          () => `#p${i} = ${this.expression(depth)};`,
          () => `static ${this.block(depth)}`,
          () =>
            `${r.pick(['get', 'set', 'async', 'static', '*', 'async *', ''])} m${i}(${r.pick(['v', 'v', 'v'])}) ${this.block(depth)}`.replace(
              'get m',
              'static m',
            ),
          () => `[${this.expression(depth)}]() ${this.block(depth)}`,
          () => `handler${i} = async (req, res) => ${this.block(depth)};`,
          () => `'quoted'${r.pick(['', ' = 1'])};`,
          () => `static async #q${i}() { return ${this.expression(depth)}; }`,
        ])(),
      );
    }
    const decorator = r.chance(0.15) ? r.pick(['@Controller() ', '@dec ', '@(a.b()) ']) : '';
    return `${decorator}class ${this.name().replace(/\\.*/, 'A')}_${r.chance(0.3) ? ` extends ${r.pick(['A', 'B', 'null', '(a, b)', 'mixin(C)'])}` : ''} { ${members.join(' ')} }`;
  }

  #typed(depth: number): string {
    const r = this.#random;
    if (this.#dialect === 'js') return `${this.expression(depth)};`;
    if (this.#dialect === 'flow')
      return r.pick([
        'type A = {| b: number, ... |};'.replace(', ...', ''),
        'opaque type B = string;',
        'declare var c: any;',
        `const d = (${this.expression(depth)}: any);`,
        'function f<T>(x: T): ?T { return x; }',
        'import typeof G from "g";',
        'export type { H } from "h";',
      ]);
    return r.pick([
      'interface A<T> extends B { [key: string]: T; (x: number): void; new (): A<T>; readonly c?: D }',
      'type E<T> = T extends infer U ? U[] : never;',
      'enum F { A = 1, B = A << 1, C = "x".length }',
      'declare module "m" { export const x: number; }',
      'namespace G.H { export let i = 1; }',
      'abstract class J<T> { private readonly k?: T; constructor(private l: number, public m = 2) {} abstract n(): void; declare o: string; }',
      'function p(this: Q, a?: string): asserts a is "x"; function p(a: any) { return a; }',
      `let s = ${this.expression(depth)} as unknown as { t: number };`,
      `const u = ${this.name()}! satisfies V;`,
      'import w = require("w");',
      'export type { X } from "x";',
      'import type Y, { type Z } from "y";',
      'declare global { interface Window { a: 1 } }',
      'let tuple: [a: string, b?: number, ...rest: boolean[]];',
      'type T1 = `${string}-x`; let x1: unique symbol;',
      'accessor: for (;;) break;',
      '@Injectable() class S { constructor(@Inject(T) private t: T) {} @Get("/x") async get(@Req() req: any) { return fs.readFileSync("a"); } }',
      'const generic = <T,>(x: T) => x; generic<string>("a");',
      'export default interface K {}',
      'declare function dd(a: number): string;',
      'const enum CE { A }',
      'type Fn = new (...args: any[]) => object;',
    ]);
  }

  block(depth: number): string {
    if (depth <= 0) return this.#random.pick(['{}', '{ ; }', `{ ${this.#random.pick(CALLS)}; }`, '{ /* empty */ }']);
    const statements: string[] = [];
    for (let i = this.#random.below(3); i >= 0; i--) statements.push(this.statement(depth - 1));
    return `{ ${statements.join(this.#random.pick([' ', '\n']))} }`;
  }

  params(depth: number): string {
    const r = this.#random;
    return r.pick([
      '',
      'a',
      'req, res',
      'req, res, next',
      'ctx',
      `a = ${this.expression(Math.min(depth, 1))}`,
      `{ a, b: [c] = [] } = {}`,
      '...rest',
      `a, ${this.pattern(0)}, ...{ length }`,
    ]);
  }

  pattern(depth: number): string {
    const r = this.#random;
    return r.pick([
      () => `{ ${this.name().replace('undefined', 'u')}, b: c${r.below(9)}, ...rest${r.below(9)} }`,
      () => `[x${r.below(9)}, , y${r.below(9)} = ${this.expression(Math.min(depth, 1))}, ...z${r.below(9)}]`,
      () => `{ [${this.expression(0)}]: k${r.below(9)} = 1 }`,
      () => '{}',
      () => '[]',
    ])();
  }

  expression(depth: number): string {
    const r = this.#random;
    if (depth <= 0)
      return r.pick([r.pick(LITERALS), this.name(), r.pick(CALLS)].map((text) => (text.startsWith('{') ? `(${text})` : text)));
    const e = (): string => this.expression(depth - 1);
    switch (r.below(26)) {
      case 0:
        return `(${e()}${r.pick(BINARY)}(${e()}))`;
      case 1:
        return `(${e()} ? ${e()} : ${e()})`;
      case 2:
        return `(${r.pick(['async ', ''])}(${this.params(depth - 1)}) => ${this.block(depth - 1)})`;
      case 3:
        return `((${this.name().replace('undefined', 'u')}) => ${e()})`;
      case 4:
        return `(${r.pick(['async ', ''])}function${r.pick(['*', '', ''])} ${r.pick(['', this.name()])}(${this.params(depth - 1)}) ${this.block(depth - 1)})`;
      case 5:
        return `${this.name()}(${e()}, ...${e()})`;
      case 6:
        return `(${e()})${r.pick(['?.', '?.', '.'])}${r.pick(PROPERTIES)}(${e()})`;
      case 7:
        return `(${e()})[${e()}]`;
      case 8:
        return `(${e()})?.[${e()}]?.(${e()})`;
      case 9:
        return `({ ${this.name()}: ${e()}, ${r.pick(PROPERTIES)}() ${this.block(depth - 1)}, [${e()}]: ${e()}, ...${e()}, get g() { return ${e()}; }, 'q-q': 1, 0x10: 2, async *s() {} })`;
      case 10:
        return `[${e()}, , ...${e()}]`;
      case 11:
        return `\`a\${${e()}}b\${${e()}}\``;
      case 12:
        return `tag\`x\${${e()}}\``;
      case 13:
        return `new ${r.pick(['Map', 'Error', 'A', 'Promise', '(class {})', 'URL'])}(${e()})`;
      case 14:
        return `(${this.name().replace('undefined', 'u')} ${r.pick(ASSIGN)} ${e()})`;
      case 15:
        return `${r.pick(['!', '-', '+', '~', 'typeof ', 'void ', 'delete a.', '!!'])}${r.pick(['a', '(b)', 'c.d'])}`;
      case 16:
        return r.pick(['a++', '--b', 'c.d++', '++(e[f])']);
      case 17:
        return `(class ${r.pick(['', 'K'])} { m() ${this.block(depth - 1)} static x = ${e()}; })`;
      case 18:
        return `list.${r.pick(['map', 'forEach', 'filter', 'sort', 'reduce', 'some'])}((${r.pick(['x', 'x, i', '{ y }', 'a, b'])}) => ${e()})`;
      case 19:
        return `(await (async () => ${this.block(depth - 1)})())`;
      case 20:
        return this.#dialect === 'js' || this.#dialect === 'tsx'
          ? `<div a={${e()}} {...b} onClick={() => ${e()}}>{${e()}} text <A.B /></div>`
          : e();
      default:
        return r.pick([r.pick(CALLS), e()].map((text) => (text.startsWith('{') ? `(${text})` : text)));
    }
  }

  name(): string {
    return this.#random.pick(NAMES);
  }
}
