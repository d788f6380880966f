// Holds the project graph against call graphs that were recorded while small programs ran: the tests of Jelly, a research tool for call
// graphs (https://github.com/cs-au-dk/jelly, BSD-3). `npm run bench:callgraph [-- --repository <URL or folder of a git repository>]
// [-- --missing] [-- --only promises] [-- --no-save]`. What is fetched stays in a folder that git ignores.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isFunction, parentOf, type Node } from '../analysis/module/ast.ts';
import type { ModuleIndex } from '../analysis/module/module-index.ts';
import type { PackageLayout } from '../analysis/project/files/layout.ts';
import { Facts } from '../analysis/facts/index.ts';
import { Source } from '../analysis/module/source.ts';
import { readModule } from '../analysis/module/text-reader.ts';
import { ProjectGraph } from '../analysis/project/graph.ts';
import { FUNCTION_STRIDE, FunctionField, type FileSummary } from '../analysis/project/summary/format.ts';
import { summarize } from '../analysis/project/summary/summarize.ts';
import { table } from './lint-command.ts';

/** v0.13.0 */
const COMMIT = 'b799ed4f0d68c670fe398830aaa51dd5c628cf74';
const CACHE = fileURLToPath(new URL('../.cache/callgraph', import.meta.url));
const RESULT = fileURLToPath(new URL('results/callgraph.json', import.meta.url));
/** Recorded programs; the other folders hold no recordings whose sources are in the repository. */
const FOLDERS = ['tests/micro', 'tests/approx', 'tests/mochatest'];
/** A module's top level. */
const MODULE = -1;

const { values } = parseArgs({
  options: {
    repository: { type: 'string', default: 'https://github.com/cs-au-dk/jelly' },
    only: { type: 'string' },
    missing: { type: 'boolean', default: false },
    'no-save': { type: 'boolean', default: false },
  },
});

/** As Jelly writes it: a function is `file:startLine:startColumn:endLine:endColumn`, an edge a pair of functions, both by number. */
interface Recorded {
  files: readonly string[];
  functions: readonly string[];
  fun2fun: readonly (readonly [number, number])[];
}

interface Program {
  name: string;
  /** Texts by path. */
  files: ReadonlyMap<string, string>;
  /** Packages beside the program. */
  packages: readonly PackageLayout[];
  recorded: Recorded;
}

/** A function by file and number; the number is `MODULE` for the top level, and undefined where the graph knows no such function. */
interface Place {
  file: string;
  fn: number | undefined;
  text: string;
}

type Outcome = 'path' | 'solver' | 'missed';

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });

/** Makes the pinned commit known to a repository in the cache. */
function fetchCommit(): void {
  if (!existsSync(CACHE)) {
    mkdirSync(CACHE, { recursive: true });
    git('init', '--quiet', '--bare', CACHE);
  }
  try {
    git(`--git-dir=${CACHE}`, 'cat-file', '-e', `${COMMIT}^{commit}`);
  } catch {
    // It is not there yet.
    git(`--git-dir=${CACHE}`, 'fetch', '--quiet', '--depth', '1', values.repository, COMMIT);
  }
}

const show = (path: string): string => git(`--git-dir=${CACHE}`, 'show', `${COMMIT}:${path}`);

function manifestOf(folder: string, known: ReadonlySet<string>): Partial<PackageLayout> {
  const path = `${folder}/package.json`;
  return known.has(path) ? (JSON.parse(show(path)) as Partial<PackageLayout>) : {};
}

function programs(): Program[] {
  const known = new Set(git(`--git-dir=${CACHE}`, 'ls-tree', '-r', '--name-only', COMMIT, 'tests').split('\n'));
  const found: Program[] = [];
  for (const path of [...known].sort()) {
    const folder = posix.dirname(path);
    if (!FOLDERS.includes(folder) || !path.endsWith('.json')) continue;
    if (values.only && posix.basename(path, '.json') !== values.only) continue;
    const recorded = JSON.parse(show(path)) as Partial<Recorded>;
    // Other files of settings and patterns stand beside the recordings.
    if (!recorded.fun2fun || !recorded.files || !recorded.functions) continue;
    const files = new Map<string, string>();
    for (const file of recorded.files) {
      const full = posix.join(folder, file);
      if (known.has(full)) files.set(full, show(full));
    }
    const roots = new Set([...files.keys()].flatMap((file) => /^.*\/node_modules\/[^/]+/.exec(file)?.[0] ?? []));
    found.push({
      packages: [...roots].map((root) => ({ ...manifestOf(root, known), name: posix.basename(root), root: `/${root}` })),
      name: path.replace(/^tests\//, '').replace(/\.json$/, ''),
      files,
      recorded: { files: recorded.files.map((file) => posix.join(folder, file)), functions: recorded.functions, fun2fun: recorded.fun2fun },
    });
  }
  return found;
}

function summaryOf(path: string, text: string): { summary: FileSummary; owners: ReadonlyMap<number, number> } | undefined {
  const file = `/${path}`;
  const outcome = readModule(file, text);
  if (!outcome.ok) return undefined;
  const manifest = { bin: [], scripts: {}, devDependencies: {}, private: true, dependencies: {} };
  const project = { nodeRange: '>=18', nodeRangeSource: 'bench', root: '/tests', manifest };
  const { summary } = summarize(new Facts(outcome.module, new Source(file, text), project));
  return { summary, owners: ownersIn(outcome.module, summary) };
}

/**
 * Numbers of functions by positions at which V8 has one and the graph's begins elsewhere: a class is its constructor, a static method
 * begins at its name, and V8 runs what initializes static members in a function of its own.
 */
function ownersIn(module: ModuleIndex, { functions }: FileSummary): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>();
  for (let fn = 0; fn * FUNCTION_STRIDE < functions.length; fn++)
    numbers.set(functions[fn * FUNCTION_STRIDE + FunctionField.Start] as number, fn);
  const owners = new Map<number, number>();
  const set = (at: number | null | undefined, start: number | null | undefined): void => {
    const fn = numbers.get(start ?? -1);
    if (typeof at === 'number' && fn !== undefined) owners.set(at, fn);
  };
  for (const type of ['ClassDeclaration', 'ClassExpression'] as const)
    for (const node of module.nodes(type)) {
      set(node.start, node.start);
      let around: Node | undefined = parentOf(node);
      while (around && !isFunction(around)) around = parentOf(around);
      for (const member of node.body.body) {
        if (member.type === 'ClassMethod' && member.kind === 'constructor') set(node.start, member.start);
        else if ((member.type === 'ClassMethod' || member.type === 'ClassPrivateMethod') && member.static)
          set(member.key.start, member.start);
        else if (member.type === 'StaticBlock' || ('static' in member && member.static)) {
          const at = 'key' in member ? member.key.start : member.start;
          if (around) set(at, around.start);
          else if (typeof at === 'number') owners.set(at, MODULE);
        }
      }
    }
  return owners;
}

class Compared {
  readonly #graph = new ProjectGraph();
  readonly #summaries = new Map<string, FileSummary>();
  /** By path. */
  readonly #owners = new Map<string, ReadonlyMap<number, number>>();
  readonly #program: Program;
  readonly #places: readonly Place[];

  constructor(program: Program) {
    this.#program = program;
    this.#graph.setLayout({ aliases: [], packages: program.packages });
    for (const [path, text] of program.files) {
      const read = summaryOf(path, text);
      if (!read) continue;
      const { summary, owners } = read;
      this.#owners.set(path, owners);
      // In this bench, tests and scripts are the program.
      this.#graph.set({ ...summary, role: 'application' });
      this.#summaries.set(path, summary);
    }
    this.#places = program.recorded.functions.map((text) => this.#placeOf(text));
  }

  #placeOf(text: string): Place {
    const [file = 0, line = 1, column = 1, endLine = 1] = text.split(':').map(Number);
    const path = this.#program.recorded.files[file] ?? '';
    const source = this.#program.files.get(path);
    const summary = this.#summaries.get(path);
    const described = `${posix.basename(path)}:${line}:${column}`;
    if (source === undefined || !summary) return { file: `/${path}`, fn: undefined, text: described };
    const lines = source.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, column - 1);
    const { functions } = summary;
    const starts = Array.from(
      { length: functions.length / FUNCTION_STRIDE },
      (_, fn) => functions[fn * FUNCTION_STRIDE + FunctionField.Start],
    );
    const fn = starts.indexOf(start);
    // Node wraps CommonJS modules in a function: it begins where the file begins, and ends where it ends.
    if (line === 1 && column === 1 && (endLine >= lines.length - 1 || (fn < 0 && !this.#owners.get(path)?.has(start))))
      return { file: `/${path}`, fn: MODULE, text: `${posix.basename(path)} (top level)` };
    const own = this.#owners.get(path)?.get(start);
    if (own !== undefined) return { file: `/${path}`, fn: own, text: described };
    return { file: `/${path}`, fn: fn < 0 ? undefined : fn, text: described };
  }

  /** The recorded edges between functions whose text is in the repository, with what the graph knows of them. */
  *edges(): Iterable<{ from: Place; to: Place; outcome: Outcome }> {
    for (const [a, b] of this.#program.recorded.fun2fun) {
      const [from, to] = [this.#places[a] as Place, this.#places[b] as Place];
      if (!this.#isThere(from) || !this.#isThere(to)) continue;
      yield { from, to, outcome: this.#outcomeOf(from, to) };
    }
  }

  #isThere({ file }: Place): boolean {
    return this.#program.files.has(file.slice(1));
  }

  #numberOf({ file, fn }: Place): number | undefined {
    return fn === undefined || fn === MODULE ? undefined : this.#graph.calls.numberOf(file, fn);
  }

  #outcomeOf(from: Place, to: Place): Outcome {
    const { calls } = this.#graph;
    const target = this.#numberOf(to);
    if (target === undefined) return 'missed';
    if (from.fn === MODULE) return calls.callsWhileLoading(from.file).some((call) => call.to === target) ? 'path' : 'missed';
    const caller = this.#numberOf(from);
    if (caller === undefined) return 'missed';
    if (calls.callsOf(caller).some((call) => call.to === target)) return 'path';
    return calls.mayRun(caller).has(target) ? 'solver' : 'missed';
  }
}

function main(): void {
  fetchCommit();
  const rows: (string | number)[][] = [];
  const results: Record<string, unknown>[] = [];
  const sums = { functions: { found: 0, path: 0, all: 0 }, all: { found: 0, path: 0, all: 0 } };
  for (const program of programs()) {
    const own = { functions: { found: 0, path: 0, all: 0 }, all: { found: 0, path: 0, all: 0 } };
    for (const { from, to, outcome } of new Compared(program).edges()) {
      for (const counts of from.fn === MODULE ? [own.all] : [own.all, own.functions]) {
        counts.all++;
        if (outcome !== 'missed') counts.found++;
        if (outcome === 'path') counts.path++;
      }
      if (values.missing && outcome === 'missed') console.log(`${program.name}: ${from.text} -> ${to.text}`);
    }
    for (const key of ['functions', 'all'] as const)
      for (const count of ['found', 'path', 'all'] as const) sums[key][count] += own[key][count];
    rows.push([program.name, own.functions.found, own.functions.path, own.functions.all, own.all.found, own.all.path, own.all.all]);
    results.push({ name: program.name, ...own });
  }
  const { functions, all } = sums;
  rows.push(['all', functions.found, functions.path, functions.all, all.found, all.path, all.all]);
  console.log(table(['program', 'found', 'there', 'from functions', 'found', 'there', 'with top level'], rows));
  const share = ({ found, path, all: count }: typeof functions): string =>
    `${((100 * found) / count).toFixed(1)} %; ${((100 * path) / count).toFixed(1)} % in the edges that request paths follow`;
  console.log(`\nfrom functions: ${share(functions)}\nwith top level: ${share(all)}`);
  if (!values['no-save'] && !values.only)
    writeFileSync(RESULT, `${JSON.stringify({ commit: COMMIT, programs: results, ...sums }, null, 2)}\n`);
}

main();
