// Runs the oracles of the rules: bad.js against good.js, on this Node or on another, and writes what came out to bench/oracles.json
// and into the marked table of each rule's README.
//   npm run oracles                         every rule that has bad.js, good.js and oracle.ts, on the Node that runs this
//   npm run oracles -- no-sync-in-handler   only that one (or those)
//   npm run oracles -- --node <binary>      on another Node, 18 or later
//   npm run oracles -- --runs 3             fresh processes per rule, 5 by default
//   npm run oracles -- --dry                print only
//   npm run oracles -- --fixes              what fixes cost instead: the servers of oracles/fix-programs.ts with and without their fix.
//                                           Written to bench/fix-costs.json, knowledge/fix-costs.ts and the pages of the rules. Linux only.
// Exit code 1 when some rule is not confirmed. For figures to publish, let the machine be idle: the load average is recorded beside them.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';
import { satisfies } from 'semver';
import type { Oracle } from '../rules/shared/oracle.ts';
import { measureFix } from './oracles/fix-measure.ts';
import { FIX_PROGRAMS } from './oracles/fix-programs.ts';
import {
  factorWords,
  fixCostsModule,
  fixTable,
  hashProgram,
  isNarrow,
  mergeFixCosts,
  withFixTable,
  type FixCostEntry,
} from './oracles/fix-record.ts';
import { hashOracle, judge, mergeEntry, oracleTable, rulesWithOracle, spreadOf, withTable, type OracleEntry } from './oracles/record.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RECORD = join(ROOT, 'bench', 'oracles.json');
const CHILD = join(ROOT, 'scripts', 'oracle-run.js');
const FIX_RECORD = join(ROOT, 'bench', 'fix-costs.json');
const FIX_WORDS = join(ROOT, 'knowledge', 'fix-costs.ts');
const DEFAULT_RUNS = 5;
/** The fewest with an interval of 99.7 % that leaves the outermost differences out. */
const DEFAULT_TURNS = 7;
// A run takes a few seconds; one that starves its own loop would never say so.
const LIMIT_MS = 120_000;
const MAX_OUTPUT = 4_000_000;

interface RunAnswer {
  problem?: string;
  value?: number;
  unit?: string;
  values?: { bad: number[]; good: number[] };
}

interface NodeBinary {
  path: string;
  node: string;
  v8: string;
}

/** One comparison in a process of its own, which is killed together with its children when it does not end. */
function runOnce(binary: string, oracle: string, folder: string): Promise<RunAnswer> {
  return new Promise((resolve) => {
    const child = spawn(binary, [CHILD, oracle, join(folder, 'bad.js'), join(folder, 'good.js')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production' },
    });
    let output = '';
    let errors = '';
    let overran = false;
    const timer = setTimeout(() => {
      overran = true;
      kill(child.pid);
    }, LIMIT_MS);
    child.stdout.on('data', (piece: Buffer) => {
      output += piece.toString();
      if (output.length > MAX_OUTPUT) kill(child.pid);
    });
    child.stderr.on('data', (piece: Buffer) => {
      if (errors.length < MAX_OUTPUT) errors += piece.toString();
    });
    child.on('error', (error) => resolve({ problem: error.message }));
    child.on('close', () => {
      clearTimeout(timer);
      resolve(overran ? { problem: `did not end within ${LIMIT_MS / 1000} s` } : decode(output, errors));
    });
  });
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    // It ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function decode(output: string, errors: string): RunAnswer {
  const line = output.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) return { problem: errors.trim().split('\n').slice(0, 6).join('\n') || 'no answer' };
  return JSON.parse(line) as RunAnswer;
}

/** oracle.ts as a module that any Node can load. */
function compileOracle(rule: string, folder: string): string {
  const outfile = join(folder, `${rule}.mjs`);
  buildSync({
    entryPoints: [join(ROOT, 'rules', rule, 'oracle.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

async function measure(rule: string, binary: NodeBinary, runs: number, folder: string): Promise<OracleEntry | undefined> {
  const compiled = compileOracle(rule, folder);
  const { oracle } = (await import(pathToFileURL(compiled).href)) as { oracle: Oracle };
  if (!satisfies(binary.node, oracle.nodeRange)) return undefined;
  const entry: OracleEntry = {
    rule,
    hash: hashOracle(ROOT, rule),
    node: binary.node,
    v8: binary.v8,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: cpus().length,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    date: new Date().toISOString().slice(0, 10),
    metric: oracle.metric,
    atLeast: oracle.atLeast,
    nodeRange: oracle.nodeRange,
    runs,
    verdict: 'failed',
  };
  const answers: RunAnswer[] = [];
  for (let run = 0; run < runs; run += 1) {
    const answer = await runOnce(binary.path, compiled, join(ROOT, 'rules', rule));
    if (answer.problem !== undefined || answer.value === undefined || !answer.values)
      return { ...entry, problem: answer.problem ?? 'no value' };
    answers.push(answer);
  }
  const values = answers.map((answer) => answer.value ?? NaN);
  const of = (name: 'bad' | 'good'): number => round(spreadOf(answers.flatMap((answer) => answer.values?.[name] ?? [])).median);
  const { lowest, median, highest } = spreadOf(values);
  return {
    ...entry,
    value: { lowest: round(lowest), median: round(median), highest: round(highest) },
    bad: of('bad'),
    good: of('good'),
    unit: answers[0]?.unit,
    verdict: judge(values, oracle.atLeast),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

function describe(entry: OracleEntry): string {
  const figures = entry.value
    ? `${entry.metric} ${entry.value.median} (${entry.value.lowest} to ${entry.value.highest}), at least ${entry.atLeast}; bad ${entry.bad} ${entry.unit}, good ${entry.good} ${entry.unit}`
    : entry.problem;
  return `${entry.verdict.padEnd(12)} ${entry.rule}  Node ${entry.node}  ${figures}`;
}

function findBinary(path: string): NodeBinary {
  const run = spawnSync(path, ['-p', 'JSON.stringify([process.versions.node, process.versions.v8])'], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${path} is not a Node that runs: ${run.error?.message ?? run.stderr}`);
  const [node = '', v8 = ''] = JSON.parse(run.stdout) as string[];
  return { path, node, v8 };
}

function readRecord(): OracleEntry[] {
  return existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, 'utf8')) as OracleEntry[]) : [];
}

// Each rule's result is stored at once, and the record read anew: an interrupted run keeps what it has.
function store(entry: OracleEntry): void {
  const entries = mergeEntry(readRecord(), entry);
  mkdirSync(dirname(RECORD), { recursive: true });
  writeFileSync(RECORD, `${JSON.stringify(entries, undefined, 2)}\n`);
  const readme = join(ROOT, 'rules', entry.rule, 'README.md');
  if (existsSync(readme)) writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), oracleTable(entries, entry.rule)));
}

/** @param wanted rules or kinds of fixes; all if there are none */
async function measureFixes(wanted: readonly string[], binary: NodeBinary, turns: number, isDry: boolean): Promise<void> {
  for (const one of FIX_PROGRAMS) {
    if (wanted.length > 0 && !wanted.includes(one.rule) && !wanted.includes(one.fix)) continue;
    const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
    const folder = mkdtempSync(join(tmpdir(), 'oracles-'));
    try {
      const measure = await measureFix(one, binary.path, turns, folder);
      const { ratio } = measure.loop;
      console.log(`${factorWords(ratio)} (${ratio.middle}, ${ratio.low} to ${ratio.high})  ${one.fix}: ${one.what}`);
      if (!isNarrow(ratio)) {
        console.log('  not recorded: the interval is too wide');
        process.exitCode = 1;
      } else if (!isDry) {
        const { fix, rule, workload, what } = one;
        storeFix({
          ...{ fix, rule, workload, what, hash: hashProgram(one), node: binary.node, platform: `${process.platform} ${process.arch}` },
          ...{ cpu: cpus()[0]?.model.trim() ?? 'unknown processor', cores: cpus().length, load },
          ...{ date: new Date().toISOString().slice(0, 10), turns, ...measure },
        });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function storeFix(entry: FixCostEntry): void {
  const old = existsSync(FIX_RECORD) ? (JSON.parse(readFileSync(FIX_RECORD, 'utf8')) as FixCostEntry[]) : [];
  const entries = mergeFixCosts([...old, entry], FIX_PROGRAMS);
  writeFileSync(FIX_RECORD, `${JSON.stringify(entries, undefined, 2)}\n`);
  writeFileSync(FIX_WORDS, fixCostsModule(entries));
  const readme = join(ROOT, 'rules', entry.rule, 'README.md');
  writeFileSync(readme, withFixTable(readFileSync(readme, 'utf8'), fixTable(entries, entry.rule)));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      node: { type: 'string', default: process.execPath },
      runs: { type: 'string' },
      fixes: { type: 'boolean', default: false },
      dry: { type: 'boolean', default: false },
    },
  });
  const runs = Number(values.runs ?? (values.fixes ? DEFAULT_TURNS : DEFAULT_RUNS));
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs takes a whole number from 1 on, not ${values.runs}`);
  if (values.fixes) return measureFixes(positionals, findBinary(values.node), runs, values.dry);
  const known = rulesWithOracle(ROOT);
  const unknown = positionals.filter((rule) => !known.includes(rule));
  if (unknown.length > 0) throw new Error(`no oracle in rules/${unknown.join(', rules/')}; there are: ${known.join(', ') || 'none'}`);
  const binary = findBinary(values.node);
  const folder = mkdtempSync(join(tmpdir(), 'oracles-'));
  try {
    for (const rule of positionals.length > 0 ? positionals : known) {
      const entry = await measure(rule, binary, runs, folder);
      if (!entry) {
        console.log(`${'not claimed'.padEnd(12)} ${rule}  Node ${binary.node}`);
        continue;
      }
      console.log(describe(entry));
      if (entry.verdict !== 'confirmed') process.exitCode = 1;
      if (!values.dry) store(entry);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
