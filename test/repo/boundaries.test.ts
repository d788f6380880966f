// Who may import whom, and what the pure folders may not touch. The checks are tried on broken code first, so that a green test means
// something.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { describe, it } from 'node:test';
import { Bindings, isReference } from '../../analysis/facts/bindings.ts';
import type { Node } from '../../analysis/module/ast.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { ROOT } from '../../scripts/generate.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** Folder to the folders that it may import. Tests, scripts and benches may import anything. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  files: [],
  protocol: [],
  knowledge: ['protocol'],
  analysis: ['knowledge', 'protocol'],
  rules: ['analysis', 'knowledge', 'protocol'],
  profiler: ['files', 'protocol'],
  'node-versions': [],
  workspace: ['files', 'analysis', 'profiler', 'node-versions', 'knowledge', 'protocol'],
  server: ['files', 'workspace', 'node-versions', 'rules', 'analysis', 'profiler', 'knowledge', 'protocol'],
  client: ['node-versions', 'protocol'],
  cli: ['files', 'workspace', 'node-versions', 'rules', 'analysis', 'profiler', 'knowledge', 'protocol'],
  'eslint-plugin': ['files', 'cli', 'workspace', 'rules', 'analysis', 'protocol'],
};
/**
 * The rooms of a folder, and which of its other rooms each may import; a room that is named stands for the rooms below it, too.
 * Files directly in the folder stand on top: they may import every room, and no room imports them, but for those that are named here.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'analysis/module': [],
  'analysis/facts': ['analysis/module'],
  'analysis/deployment': ['analysis/module', 'analysis/facts'],
  'analysis/openapi': ['analysis/deployment'],
  'analysis/rule.ts': ['analysis/module', 'analysis/facts'],
  'analysis/project/state': [],
  'analysis/project/summary': ['analysis/module', 'analysis/facts', 'analysis/project/state'],
  'analysis/project/files': ['analysis/project/summary'],
  'analysis/project/points-to': ['analysis/project/state', 'analysis/project/summary'],
  'analysis/project/calls': ['analysis/project/summary', 'analysis/project/points-to'],
  'analysis/project/routes': ['analysis/facts', 'analysis/project/summary', 'analysis/project/points-to', 'analysis/project/calls'],
  'analysis/project/answers': [
    'analysis/facts',
    'analysis/project/summary',
    'analysis/project/files',
    'analysis/project/points-to',
    'analysis/project/calls',
    'analysis/project/routes',
  ],
  'analysis/project': ['analysis/module', 'analysis/facts'],
  'analysis/fix': ['analysis/module', 'analysis/facts', 'analysis/project', 'analysis/rule.ts'],
  'analysis/profile': ['analysis/module', 'analysis/facts', 'analysis/project'],
  'analysis/run': [
    'analysis/module',
    'analysis/facts',
    'analysis/deployment',
    'analysis/project',
    'analysis/profile',
    'analysis/fix',
    'analysis/rule.ts',
  ],
  'analysis/testing': ['analysis/module', 'analysis/project', 'analysis/rule.ts', 'analysis/run'],
  'profiler/judge': [],
  'profiler/plan': ['profiler/judge'],
  'profiler/parse': [],
  'profiler/run': ['profiler/judge', 'profiler/plan', 'profiler/parse'],
  'profiler/evidence': ['profiler/judge', 'profiler/plan', 'profiler/parse', 'profiler/run'],
  'profiler/compare': ['profiler/judge', 'profiler/plan', 'profiler/parse', 'profiler/run', 'profiler/evidence'],
  'profiler/load': ['profiler/judge', 'profiler/plan', 'profiler/parse', 'profiler/run', 'profiler/evidence', 'profiler/compare'],
};
/** Another thread runs these: everyone else takes only types from them. */
const OTHER_THREADS: readonly string[] = ['server/index-thread', 'eslint-plugin/index-thread'];
/** More files than this in one folder, and nobody finds one at the first guess. */
const MAX_FILES = 25;

/** These files walk an expression together, each for some types of nodes, so they call each other. No other files may. */
const MAY_CIRCLE = 'analysis/project/summary/';

/** The one file of a folder that may cross to another: the process of the command starts the server, too. */
const CROSSINGS: Readonly<Record<string, string>> = { 'cli/process.ts': 'server' };

/** What opens files. A pipe would be waited for, and a device has no end: `files/read-text-file.ts` knows how to read what others wrote. */
const READERS = /^(?:readFile|readFileSync|createReadStream|open|openSync|openAsBlob|copyFile|copyFileSync|cp|cpSync)$/;
/** These read what is our own: files of the installation, of the kernel, and of the folder of a run, where only regular files are taken. */
const MAY_READ: Readonly<Record<string, RegExp>> = {
  'files/read-text-file.ts': /^openSync$/,
  // Makes a new file for a child to write in.
  'profiler/run/child.ts': /^openSync$/,
  // What the system says of a thread.
  'workspace/thread-work.ts': /^openSync$/,
  'server/main.ts': /^readFileSync$/,
  'cli/process-host.ts': /^readFileSync$/,
  'cli/installed-analysis.ts': /^readFileSync$/,
  'profiler/run/process-group.ts': /^readFileSync$/,
  'profiler/parse/v8-log.ts': /^createReadStream$/,
  'profiler/parse/feedback.ts': /^createReadStream$/,
  'server/runs/program-runs.ts': /^copyFileSync$/,
  'cli/run-output.ts': /^copyFileSync$/,
};

/** Packages that the folders without side effects may use. None of them reads files or starts anything. */
const PURE_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  knowledge: [],
  analysis: ['@babel/parser', '@babel/traverse', '@babel/types', 'semver'],
  'analysis/openapi': ['yaml'],
  'analysis/deployment': ['dockerfile-ast', 'yaml', 'jsonc-parser', 'semver'],
  rules: ['@babel/types', 'semver', 'scslre', '@eslint-community/regexpp'],
};

/** Several servers or sessions may live in one process: an empty map at the top of a module would be shared by them. */
const STATELESS: ReadonlySet<string> = new Set(['server', 'client', 'workspace', 'node-versions']);

const FORBIDDEN_GLOBALS: ReadonlySet<string> = new Set([
  'process',
  'console',
  'Date',
  'performance',
  'require',
  'module',
  '__dirname',
  '__filename',
  'global',
  'globalThis',
  'Buffer',
  'fetch',
  'navigator',
  'window',
  'document',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'eval',
  'Function',
  'WebAssembly',
  'Worker',
  'SharedArrayBuffer',
  'Atomics',
]);

/** The rule tester throws assertions; it is part of no run. */
const MAY_ASSERT = /^analysis\/testing\//;
/** Oracles describe runs, cases are data, samples are programs: none of them is the rule. */
const NO_ENGINE_CODE = /^rules\/(?:shared\/oracle\.ts$|[^/]+\/oracle\.ts$)/;
/** The formatter gives each part of a long expression a line of its own: 600 of its lines are 400 as people write them. */
const MAX_LINES = 600;
const MAX_RULE_LINES = 300;
const DATA_FILE = /(?:^|\/)cases(?:-[a-z-]+)?\.ts$|^analysis\/module\/visitor-keys\.ts$|^knowledge\//;

function breaksOf(path: string, text: string): string[] {
  const folder = path.split('/')[0] ?? '';
  const allowed = ARROWS[folder];
  if (!allowed) return [];
  const outcome = parse(path, text);
  if (!outcome.ok) return [`${path}: does not parse: ${outcome.issue.message}`];
  const module = new ModuleIndex(outcome.ast);
  const lineOf = (node: Node) => text.slice(0, node.start ?? 0).split('\n').length;
  const breaks: string[] = [];
  const isPure = folder in PURE_PACKAGES && !NO_ENGINE_CODE.test(path);
  for (const { from, isType } of importedBy(module)) {
    if (from.startsWith('.')) {
      const file = posix.join(dirname(path), from);
      const target = file.split('/')[0] ?? '';
      if (target === folder && !mayEnter(roomOf(path), roomOf(file)))
        breaks.push(`${path} imports ${from}: ${roomOf(path)} may not import ${roomOf(file) ?? `the top of ${folder}`}`);
      const thread = OTHER_THREADS.find((one) => file.startsWith(`${one}/`));
      if (thread && !isType && !path.startsWith(`${thread}/`))
        breaks.push(`${path} imports ${from}: ${thread} is another thread, take its types only`);
      if (target === '..' || (target !== folder && !allowed.includes(target) && CROSSINGS[path] !== target))
        breaks.push(`${path} imports ${from}: ${folder} may not import ${target}`);
      if (!/\.(?:ts|json)$/.test(from)) breaks.push(`${path} imports ${from} without its ending`);
    } else if (isPure && isBuiltin(from) && !(MAY_ASSERT.test(path) && from === 'node:assert/strict'))
      breaks.push(`${path} imports ${from}: ${folder} is pure`);
    else if (isPure && !isBuiltin(from) && !(PURE_PACKAGES[posix.dirname(path)] ?? PURE_PACKAGES[folder])?.includes(from))
      breaks.push(`${path} imports the package ${from}`);
    else if (isBuiltin(from) && !from.startsWith('node:')) breaks.push(`${path} imports ${from} without node:`);
  }
  if (folder !== 'files' && /startsWith\('\.\.'\)/.test(text) && !isPure)
    breaks.push(`${path} takes names that begin with two dots for the folder above: take files/inside.ts`);
  // Nor does that option help where a folder of the path is a file, or closed.
  if (folder !== 'files' && !isPure && text.includes('throwIfNoEntry'))
    breaks.push(`${path} asks for stats itself: take files/path-stats.ts`);
  for (const name of readersIn(module))
    if (!MAY_READ[path]?.test(name)) breaks.push(`${path} reads by ${name}: take files/read-text-file.ts`);
  if (isPure) {
    const bindings = new Bindings(module);
    for (const identifier of module.nodes('Identifier')) {
      if (FORBIDDEN_GLOBALS.has(identifier.name) && isReference(identifier) && bindings.isGlobal(identifier)) {
        breaks.push(`${path}:${lineOf(identifier)} uses ${identifier.name}: ${folder} is pure`);
      }
    }
  }
  if (isPure || STATELESS.has(folder)) {
    for (const declaration of module.nodes('VariableDeclaration')) {
      if (!module.program.body.includes(declaration)) continue;
      const keeps =
        declaration.kind !== 'const' ||
        (STATELESS.has(folder) &&
          declaration.declarations.some(
            ({ init }) =>
              init?.type === 'NewExpression' &&
              init.arguments.length === 0 &&
              init.callee.type === 'Identifier' &&
              /^(?:Weak)?(?:Map|Set)$/.test(init.callee.name),
          ));
      if (keeps && !declaration.declare) breaks.push(`${path}:${lineOf(declaration)} keeps state in the module`);
    }
  }
  const lines = text.split('\n').length - 1;
  const limit = path.endsWith('/rule.ts') ? MAX_RULE_LINES : MAX_LINES;
  if (lines > limit && !DATA_FILE.test(path)) breaks.push(`${path} has ${lines} lines, ${limit} are allowed`);
  return breaks;
}

/** Names of `node:fs` and `node:fs/promises` that open files; whoever takes the module as a whole names itself. */
function readersIn(module: ModuleIndex): string[] {
  return module
    .nodes('ImportDeclaration')
    .filter(({ source }) => /^node:fs(?:\/promises)?$/.test(source.value))
    .flatMap(({ specifiers }) =>
      specifiers.flatMap((one) => {
        if (one.type !== 'ImportSpecifier') return ['all of node:fs'];
        const name = one.imported.type === 'Identifier' ? one.imported.name : one.imported.value;
        return READERS.test(name) || name === 'promises' ? [name] : [];
      }),
    );
}

interface Import {
  from: string;
  isType: boolean;
}

function importedBy(module: ModuleIndex): Import[] {
  const imports: Import[] = [];
  const add = (source: Node | null | undefined, isType: boolean): void => {
    if (source?.type === 'StringLiteral') imports.push({ from: source.value, isType });
  };
  for (const { source, importKind, specifiers } of module.nodes('ImportDeclaration')) {
    add(
      source,
      importKind === 'type' ||
        (specifiers.length > 0 && specifiers.every((one) => one.type === 'ImportSpecifier' && one.importKind === 'type')),
    );
  }
  for (const { source, exportKind } of [...module.nodes('ExportNamedDeclaration'), ...module.nodes('ExportAllDeclaration')])
    add(source, exportKind === 'type');
  for (const { source } of module.nodes('ImportExpression')) add(source, false);
  for (const call of module.nodes('CallExpression')) if (call.callee.type === 'Import') add(call.arguments[0], false);
  return imports;
}

/** The room that a file stands in: the deepest that is named; undefined for a file on top of its folder, or in a folder without rooms. */
function roomOf(path: string): string | undefined {
  return Object.keys(ROOMS)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

function mayEnter(room: string | undefined, other: string | undefined): boolean {
  if (room === undefined || room === other) return true;
  if (other === undefined) return false;
  // What stands directly in a room may import the rooms below it.
  return other.startsWith(`${room}/`) || (ROOMS[room] ?? []).some((allowed) => other === allowed || other.startsWith(`${allowed}/`));
}

/** Folders of sources that hold more files than a person looks through. */
function crowded(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].flatMap(([folder, count]) => (count > MAX_FILES ? [`${folder} holds ${count} files, ${MAX_FILES} are allowed`] : []));
}

/** The relative files that a file imports, also if it takes only types. */
function relativeImports(path: string, text: string): string[] {
  const outcome = parse(path, text);
  if (!outcome.ok) return [];
  return importedBy(new ModuleIndex(outcome.ast))
    .filter(({ from }) => from.startsWith('.'))
    .map(({ from }) => posix.join(dirname(path), from));
}

/** Groups of files that import each other, directly or through others (Tarjan's strongly connected components). */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): number => {
    let low = order.size;
    order.set(file, low);
    lowest.set(file, low);
    open.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!imports.has(next)) continue;
      low = Math.min(low, order.has(next) ? (open.includes(next) ? (lowest.get(next) ?? low) : low) : visit(next));
      lowest.set(file, low);
    }
    if (low === order.get(file)) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort().join(', '));
    }
    return low;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

const sourceFiles = (): string[] => Object.keys(ARROWS).flatMap(filesIn);

describe('boundaries', () => {
  it('are seen when they are crossed', () => {
    const crossing: [path: string, text: string, says: RegExp][] = [
      ['analysis/a.ts', "import { rules } from '../rules/index.ts';", /analysis may not import rules/],
      ['analysis/facts/a.ts', "export { x } from '../../cli/host.ts';", /analysis may not import cli/],
      ['workspace/a.ts', "relative(a, b).startsWith('..');", /take files\/inside\.ts/],
      ['workspace/a.ts', "lstatSync('a', { throwIfNoEntry: false });", /take files\/path-stats\.ts/],
      ['knowledge/a.ts', "import type { A } from '../analysis/module/ast.ts';", /knowledge may not import analysis/],
      ['protocol/a.ts', "export * from '../knowledge/a.ts';", /protocol may not import knowledge/],
      ['rules/no-a/rule.ts', "const a = await import('../../cli/host.ts');", /rules may not import cli/],
      ['client/a.ts', "import { rules } from '../rules/index.ts';", /client may not import rules/],
      ['cli/a.ts', "import { x } from '../server/a.ts';", /cli may not import server/],
      ['cli/a.ts', "import { plugin } from '../eslint-plugin/plugin.ts';", /cli may not import eslint-plugin/],
      ['eslint-plugin/a.ts', "import { x } from '../server/a.ts';", /eslint-plugin may not import server/],
      ['eslint-plugin/a.ts', "import { LintedProject } from './index-thread/linted-project.ts';", /take its types only/],
      ['workspace/a.ts', "import { x } from '../cli/a.ts';", /workspace may not import cli/],
      ['analysis/facts/a.ts', "import { x } from '../project/graph.ts';", /analysis\/facts may not import analysis\/project/],
      [
        'analysis/facts/handlers/a.ts',
        "import type { X } from '../../project/summary/format.ts';",
        /analysis\/facts may not import analysis\/project\/summary/,
      ],
      ['analysis/module/a.ts', "import { Facts } from '../facts/index.ts';", /analysis\/module may not import analysis\/facts/],
      ['analysis/facts/a.ts', "import type { AnyRule } from '../rule.ts';", /analysis\/facts may not import analysis\/rule\.ts/],
      [
        'analysis/project/summary/a.ts',
        "import { Solver } from '../points-to/solver.ts';",
        /analysis\/project\/summary may not import analysis\/project\/points-to/,
      ],
      [
        'analysis/project/points-to/a.ts',
        "import { Project } from '../linker.ts';",
        /analysis\/project\/points-to may not import analysis\/project$/m,
      ],
      [
        'analysis/project/graph.ts',
        "import { convertAcrossFiles } from '../fix/across-files.ts';",
        /analysis\/project may not import analysis\/fix/,
      ],
      ['analysis/fix/a.ts', "import { lintText } from '../run/run.ts';", /analysis\/fix may not import analysis\/run/],
      ['profiler/judge/a.ts', "import { runNode } from '../run/run.ts';", /profiler\/judge may not import profiler\/run/],
      ['profiler/run/a.ts', "import { profile } from '../profile.ts';", /profiler\/run may not import the top of profiler/],
      ['profiler/judge/a.ts', "import { shiftBetween } from '../compare/shift.ts';", /profiler\/judge may not import profiler\/compare/],
      ['profiler/compare/a.ts', "import { serveUnderLoad } from '../load/served.ts';", /profiler\/compare may not import profiler\/load/],
      ['server/documents/a.ts', "import { FolderIndex } from '../index-thread/folder-index.ts';", /take its types only/],
      ['server/server.ts', "const { FolderIndex } = await import('./index-thread/folder-index.ts');", /take its types only/],
      ['server/shared/a.ts', "export { routeAnswers } from '../index-thread/route-answers.ts';", /take its types only/],
      ['cli/a.ts', "import { x } from '../scripts/generate.ts';", /cli may not import scripts/],
      ['cli/a.ts', "import { x } from '../../elsewhere.ts';", /may not import \.\./],
      ['cli/a.ts', "import { x } from './host';", /without its ending/],
      ['cli/a.ts', "import fs from 'fs';", /without node:/],
      ['analysis/a.ts', "import { readFileSync } from 'node:fs';", /imports node:fs: analysis is pure/],
      ['rules/no-a/rule.ts', "import { spawn } from 'child_process';", /imports child_process: rules is pure/],
      ['analysis/facts/a.ts', "import yaml from 'yaml';", /imports the package yaml/],
      ['analysis/deployment/a.ts', "import scslre from 'scslre';", /imports the package scslre/],
      ['analysis/a.ts', 'export const now = () => Date.now();', /a\.ts:1 uses Date/],
      [
        'analysis/a.ts',
        dedent`
        export function f() {
          console.log(1);
        }
      `,
        /a\.ts:2 uses console/,
      ],
      ['rules/no-a/rule.ts', 'if (process.env.X) f();', /uses process/],
      ['knowledge/a.ts', 'let seen = 0;', /keeps state in the module/],
      ['server/a.ts', 'const open = new Map();', /keeps state in the module/],
      ['client/a.ts', 'let client;', /keeps state in the module/],
      ['client/a.ts', "import { createServer } from '../server/server.ts';", /client may not import server/],
      ['cli/a.ts', 'x();\n'.repeat(601), /601 lines, 600 are allowed/],
      ['rules/no-a/rule.ts', 'x();\n'.repeat(301), /301 lines, 300 are allowed/],
      ['workspace/a.ts', "import { existsSync, readFileSync } from 'node:fs';", /reads by readFileSync/],
      ['server/a.ts', "import { readFile as get } from 'node:fs/promises';", /reads by readFile/],
      ['profiler/a.ts', "import { promises } from 'node:fs';", /reads by promises/],
      ['client/a.ts', "import * as fs from 'node:fs';", /reads by all of node:fs/],
      ['cli/a.ts', 'x(', /does not parse/],
    ];
    for (const [path, text, says] of crossing) assert.match(breaksOf(path, text).join('\n'), says, text.slice(0, 80));
  });

  it('are not seen where there are none', () => {
    const innocent: [path: string, text: string][] = [
      [
        'analysis/a.ts',
        dedent`
          import { F } from '../knowledge/f.ts';
          import type { P } from '../protocol/finding.ts';
          import semver from 'semver';
        `,
      ],
      [
        'analysis/a.ts',
        dedent`
          export function f(process: { env: string }, x: Date) {
            const console = process.env;
            return { Date: console, process: x.process };
          }
        `,
      ],
      ['analysis/testing/rule-tester.ts', "import assert from 'node:assert/strict';"],
      [
        'rules/no-a/oracle.ts',
        dedent`
        import { performance } from 'node:perf_hooks';
        console.log(Date.now());
      `,
      ],
      [
        'cli/a.ts',
        dedent`
        import { existsSync } from 'node:fs';
        let x = process.argv;
        await import('./b.ts');
      `,
      ],
      [
        'server/a.ts',
        dedent`
        const NAMES = new Set([1]);
        function f() { const seen = new Map(); return seen; }
        declare let VERSION: string;
      `,
      ],
      ['test/a.ts', "import '../cli/host.ts';"],
      [
        'analysis/project/graph.ts',
        dedent`
          import { Project } from './linker.ts';
          import { Solver } from './points-to/solver.ts';
          import type { Facts } from '../facts/index.ts';
        `,
      ],
      [
        'analysis/run/a.ts',
        dedent`
        import { ProjectGraph } from '../project/graph.ts';
        import type { AnyRule } from '../rule.ts';
      `,
      ],
      ['profiler/profile.ts', "import { judge } from './judge/verdict.ts';"],
      [
        'server/documents/a.ts',
        dedent`
          import type { FolderIndex } from '../index-thread/folder-index.ts';
          import { type RouteAnswer } from '../index-thread/route-answers.ts';
        `,
      ],
      ['server/index-thread/a.ts', "import { FolderIndex } from './folder-index.ts';"],
    ];
    for (const [path, text] of innocent) assert.deepEqual(breaksOf(path, text), [], text);
  });

  it('say when a folder holds too many files', () => {
    const names = Array.from({ length: MAX_FILES }, (_, i) => `cli/a${i}.ts`);
    assert.deepEqual(crowded([...names, 'cli/formats/a.ts']), []);
    assert.deepEqual(crowded([...names, 'cli/b.ts']), ['cli holds 26 files, 25 are allowed']);
    assert.deepEqual(crowded(sourceFiles()), []);
    assert.deepEqual(crowded(filesIn('test')), []);
  });

  it('say which files import each other', () => {
    const imports = new Map(
      [
        ['cli/a.ts', "import { b } from './b.ts';"],
        ['cli/b.ts', "export type { C } from './formats/c.ts';"],
        ['cli/formats/c.ts', "import type { A } from '../a.ts'; import { d } from '../d.ts';"],
        ['cli/d.ts', "import { e } from './e.ts';"],
        ['cli/e.ts', ''],
      ].map(([path = '', text = '']) => [path, relativeImports(path, text)]),
    );
    assert.deepEqual(circlesIn(imports), ['cli/a.ts, cli/b.ts, cli/formats/c.ts']);
    const all = new Map(sourceFiles().map((path) => [path, relativeImports(path, readFileSync(join(ROOT, path), 'utf8'))]));
    assert.deepEqual(
      circlesIn(all).filter((circle) => circle.split(', ').some((path) => !path.startsWith(MAY_CIRCLE))),
      [],
    );
  });

  it('are crossed nowhere', () => {
    const files = sourceFiles();
    assert.ok(files.length > 40, 'the files were not found');
    for (const room of Object.keys(ROOMS))
      assert.ok(
        files.some((path) => roomOf(path) === room),
        `${room} is empty`,
      );
    assert.deepEqual(
      files.flatMap((path) => breaksOf(path, readFileSync(join(ROOT, path), 'utf8'))),
      [],
    );
  });
});
