// Small servers from a grammar: reads, checks, loops, branches, helpers, errors, and state, in any order. The same seed gives the same
// programs.
import type { PackageManifest } from '../../protocol/project.ts';
import { EXPRESS_4, EXPRESS_5, type FixCase } from './fix-case.ts';

export interface RandomProgram {
  name: string;
  text: string;
  manifest: FixCase['manifest'];
  data: Readonly<Record<string, string>>;
  requests: NonNullable<FixCase['requests']>;
}

type Random = () => number;

interface Framework {
  name: string;
  manifest: Partial<PackageManifest> | undefined;
  file: string;
  send: string;
  program(handler: string, before: string): string;
}

const CORE = "const fs = require('fs');\nconst path = require('path');\nconst zlib = require('zlib');\nconst crypto = require('crypto');\n";
const manifestOf = (dependencies: Record<string, string>): Partial<PackageManifest> => ({ ...EXPRESS_5, dependencies });
const express = (name: string, manifest: Partial<PackageManifest>): Framework => ({
  name,
  manifest,
  file: 'String(req.query.file)',
  send: 'res.send(out);',
  program: (handler, before) =>
    `${CORE}const app = require('express')();\n${before}app.get('/', (req, res) => {\n${handler}});\napp.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });\nexports.server = require('http').createServer(app);\n`,
});

const FRAMEWORKS: readonly Framework[] = [
  express('Express 4', EXPRESS_4),
  express('Express 5', EXPRESS_5),
  {
    name: 'Fastify',
    manifest: manifestOf({ fastify: '^5.0.0' }),
    file: 'String(request.query.file)',
    send: 'reply.send(out);',
    program: (handler, before) =>
      `${CORE}const app = require('fastify')();\n${before}app.get('/', (request, reply) => {\n${handler}});\nexports.server = async () => { await app.ready(); return app.server; };\n`,
  },
  {
    name: 'Koa',
    manifest: manifestOf({ koa: '^3.0.0' }),
    file: 'String(ctx.query.file)',
    send: 'ctx.body = out;',
    program: (handler, before) =>
      `${CORE}const Koa = require('koa');\nconst app = new Koa();\napp.on('error', () => {});\n${before}app.use((ctx) => {\n${handler}});\nexports.server = require('http').createServer(app.callback());\n`,
  },
  {
    name: 'node:http',
    manifest: manifestOf({}),
    file: "new URL(req.url, 'http://x').searchParams.get('file')",
    send: 'res.end(out);',
    // An error that nobody catches would leave the request without an answer, and each of those takes its time.
    program: (handler, before) =>
      `${CORE}${before}exports.server = require('http').createServer((req, res) => {\n  try {\n${handler}  } catch (error) {\n    res.statusCode = 500;\n    res.end(error.code ?? error.name);\n  }\n});\n`,
  },
];

const DATA = { 'one.txt': 'one', 'two.json': '{"a":2}', 'folder/b.txt': 'b' };
const REQUESTS = [
  { path: '/?file=one.txt' },
  { path: '/?file=none' },
  { path: '/?file=two.json' },
  { path: '/?file=folder' },
  [{ path: '/?file=one.txt' }, { path: '/?file=two.json' }, { path: '/?file=none' }, { path: '/?file=folder/b.txt' }],
];

export function randomPrograms(seed: number, count: number): RandomProgram[] {
  const random = mulberry32(seed);
  return Array.from({ length: count }, (_, index) => {
    const framework = FRAMEWORKS[index % FRAMEWORKS.length] as Framework;
    return {
      name: `${seed}.${index} ${framework.name}`,
      text: new Program(random, framework).text(),
      manifest: framework.manifest,
      data: DATA,
      requests: REQUESTS,
    };
  });
}

class Program {
  readonly #random: Random;
  readonly #framework: Framework;
  /** Helpers that may be called: those before the function that is being written. */
  #helpers: string[] = [];
  #variables = 0;
  #isHandler = false;

  constructor(random: Random, framework: Framework) {
    this.#random = random;
    this.#framework = framework;
  }

  text(): string {
    const { program, file, send } = this.#framework;
    const helpers = Array.from({ length: this.#below(3) }, (_, index) => this.#helper(`helper${index}`)).join('');
    this.#isHandler = true;
    const handler = `  const file = ${file};\n  let out = '';\n${this.#statements('  ', 3)}  ${send}\n`;
    return program(handler, `let shared = '';\nlet hits = 0;\n${helpers}`);
  }

  #helper(name: string): string {
    const body = this.#statements('  ', 2);
    const text = this.#pick([
      `function ${name}(file) {\n  let out = '';\n${body}  return out;\n}\n`,
      `const ${name} = (file) => {\n  let out = '';\n${body}  return out;\n};\n`,
      `const ${name} = (file) => ${this.#value()};\n`,
    ]);
    this.#helpers.push(name);
    return text;
  }

  #statements(indent: string, depth: number): string {
    return Array.from({ length: 1 + this.#below(3) }, () => this.#statement(indent, depth)).join('');
  }

  #statement(indent: string, depth: number): string {
    const deeper = `${indent}  `;
    const block = (): string => `{\n${this.#statements(deeper, depth - 1)}${indent}}`;
    const simple: (() => string)[] = [
      () => `out += ${this.#value()};`,
      () => `out += ${this.#value()};`,
      () => {
        const name = `v${this.#variables++}`;
        return `const ${name} = ${this.#value()};\n${indent}out += ${name} + ${name}.length;`;
      },
      () => 'hits++;',
      () => 'shared = file;',
      () => 'out += shared === file;',
      () => `if (${this.#condition()}) throw new RangeError(out);`,
      () => `if (${this.#condition()}) ${this.#leave(indent)}`,
      () => `fs.writeFileSync('written-' + path.basename(file), out);`,
    ];
    const nested: (() => string)[] = [
      () => `if (${this.#condition()}) ${block()} else ${block()}`,
      () => `try ${block()} catch (error) {\n${deeper}out += error.code ?? error.name;\n${indent}}`,
      () => `try ${block()} catch ${block()}`,
      () => `try ${block()} finally {\n${deeper}out += 'f';\n${indent}}`,
      () =>
        `for (const name of [${this.#file()}, ${this.#file()}]) {\n${deeper}out += ${this.#read('name')};\n${this.#statements(deeper, depth - 1)}${indent}}`,
      () => `for (let i = 0; i < 2 && ${this.#condition()}; i++) ${block()}`,
      () =>
        `switch (${this.#value()}) {\n${deeper}case 'one':\n${deeper}  out += ${this.#value()};\n${deeper}default:\n${deeper}  out += 'd';\n${indent}}`,
      () =>
        `if (!fs.existsSync(file)) ${this.#leave(indent)}\n${indent}const w${this.#variables} = fs.readFileSync(file, 'utf8');\n${indent}out += w${this.#variables++};`,
      () => `if (!fs.existsSync('made')) fs.mkdirSync('made');`,
      () => `[${this.#file()}, ${this.#file()}].forEach((one) => { out += ${this.#read('one')}; });`,
    ];
    return `${indent}${this.#pick(depth > 0 ? [...simple, ...nested] : simple)()}\n`;
  }

  #leave(indent: string): string {
    if (!this.#isHandler) return 'return out;';
    const { send } = this.#framework;
    return `{\n${indent}  ${send}\n${indent}  return;\n${indent}}`;
  }

  #value(): string {
    const helper = this.#helpers.length > 0 ? this.#pick(this.#helpers) : undefined;
    return this.#pick([
      ...(helper ? [`${helper}(${this.#file()})`, `${helper}(${this.#file()}).toUpperCase()`, `\`<\${${helper}(${this.#file()})}>\``] : []),
      this.#read(this.#file()),
      this.#read(this.#file()),
      `String(fs.statSync(${this.#file()}).size)`,
      `(fs.existsSync(${this.#file()}) ? 'is' : 'no')`,
      `String(JSON.parse(${this.#read(this.#file())}).a)`,
      `fs.readdirSync(${this.#file()}).join()`,
      `zlib.gunzipSync(zlib.gzipSync(${this.#read(this.#file())})).toString()`,
      `crypto.pbkdf2Sync(${this.#file()}, 's', 3000, 4, 'sha1').toString('hex')`,
      `[${this.#file()}, ${this.#file()}].map((one) => ${this.#read('one')}).join('-')`,
      `[${this.#file()}, 'none'].filter((one) => fs.existsSync(one)).join('-')`,
    ]);
  }

  #read(file: string): string {
    return this.#pick([`fs.readFileSync(${file}, 'utf8')`, `fs.readFileSync(${file}).toString()`]);
  }

  #condition(): string {
    return this.#pick([
      "file === 'one.txt'",
      'out.length > 4',
      `fs.existsSync(${this.#file()})`,
      `!fs.existsSync(${this.#file()})`,
      `${this.#read(this.#file())} === 'one'`,
      ...this.#helpers.map((helper) => `${helper}(file).includes('o')`),
    ]);
  }

  #file(): string {
    return this.#pick(['file', 'file', "'one.txt'", "path.join('folder', 'b.txt')", "'none'", "file + ''"]);
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#below(all.length)] as T;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

/** A small generator of random numbers with a seed (Tommy Ettinger, public domain). */
function mulberry32(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
