// Carries a check out: the case's files in a folder of their own, with or without edits, in fresh processes of a Node.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import type { Check, Counters, Edit, TruthCase, Word } from './case.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PRELUDE = fileURLToPath(new URL('./prelude.cjs', import.meta.url));
const DRIVER = fileURLToPath(new URL('./driver.mjs', import.meta.url));

/** How many times A B B A; the medians of so many processes make the interval. */
const TURNS = 3;
/** The same code from the same calls on: a compiler thread that waits for a busy machine comes later. */
const TIMED_FLAGS = ['--no-concurrent-recompilation'];
const LEAST_SHARE = 0.05;
const RESAMPLES = 2000;
const MOST_MS = 15_000;
/** A program that never ends is ended after so long, in ms. */
const PROGRAM_MS = 5000;

export interface Outcome {
  holds: boolean;
  /** What was measured, in a few words. */
  result: string;
}

/** The folder holds the files as they are; `package.json` says what kind of modules they are. */
export function writeFiles(folder: string, files: TruthCase['files']): void {
  const all: Record<string, string> = { 'package.json': '{ "name": "case", "version": "1.0.0", "private": true }', ...files };
  for (const [name, text] of Object.entries(all)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** The packages of this project can be had in it. */
export function inFolder<Value>(files: TruthCase['files'], use: (folder: string) => Value): Value {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-truth-')));
  const clear = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    writeFiles(folder, files);
    const packages = join(folder, 'node_modules');
    // Some bring a package of their own.
    if (existsSync(packages)) {
      for (const name of readdirSync(join(ROOT, 'node_modules')))
        if (!existsSync(join(packages, name))) symlinkSync(join(ROOT, 'node_modules', name), join(packages, name), 'junction');
    } else symlinkSync(join(ROOT, 'node_modules'), packages, 'junction');
    const value = use(folder);
    if (value instanceof Promise) return value.finally(clear) as Value;
    clear();
    return value;
  } catch (error) {
    clear();
    throw error;
  }
}

function edited(one: TruthCase, edits: readonly Edit[]): Record<string, string> {
  const files = { ...one.files };
  for (const { file = one.finding.file ?? one.target.file, find, put, everywhere } of edits) {
    const text = files[file] ?? '';
    const count = text.split(find).length - 1;
    if (count === 0 || (count > 1 && !everywhere)) throw new Error(`${one.name}: \`${find}\` stands ${count} times in ${file}`);
    files[file] = text.replaceAll(find, () => put);
  }
  // Not every Node takes types out, so all of them get the file without.
  for (const [name, text] of Object.entries(files)) {
    if (!/\.[mc]?ts$/.test(name)) continue;
    const { code } = transformSync(text, { loader: 'ts', format: 'esm', target: 'es2022' });
    delete files[name];
    files[name.replace(/ts$/, 'js')] = code.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'");
  }
  return files;
}

interface Driven {
  perDrive: number;
  counters: Omit<Counters, 'output'>;
  output: string;
}

/** Runs the case once. @param isTimed measured for as long as a median takes, else so many times as counters need */
async function drive(
  one: TruthCase,
  edits: readonly Edit[],
  node: string,
  flags: readonly string[],
  isTimed: boolean,
  clock?: 'processor',
): Promise<Driven> {
  return inFolder(edited(one, edits), async (folder) => {
    const file = join(folder, (one.target.entry ?? one.target.file).replace(/ts$/, 'js'));
    const { calls, requests, function: named, drive: own } = one.target;
    const isProgram = named === undefined && !requests;
    const plan = {
      file: pathToFileURL(file).href,
      calls: own === undefined ? (calls ?? []) : [own],
      requests: requests ?? [],
      isTimed,
      clock,
      rounds: one.target.rounds,
    };
    const result = join(folder, 'result.json');
    const env = { ...process.env, NODE_OPTIONS: '', NODE_ENV: undefined, TRUTH_PLAN: JSON.stringify(plan), TRUTH_RESULT: result };
    const args = [...flags, '--require', PRELUDE, ...(isProgram ? [file] : [DRIVER])];
    const child = spawn(node, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (piece: Buffer) => (output = (output + piece.toString()).slice(0, 4_000_000)));
    child.stderr.on('data', (piece: Buffer) => (output = (output + piece.toString()).slice(0, 4_000_000)));
    const start = performance.now();
    const timer = setTimeout(() => child.kill('SIGKILL'), isProgram ? PROGRAM_MS : MOST_MS);
    await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    const lasted = performance.now() - start;
    const written = existsSync(result) ? (JSON.parse(readFileSync(result, 'utf8')) as Omit<Driven, 'output'>) : undefined;
    if (!written && isTimed) throw new Error(`${one.name}: nothing was measured. ${output.slice(0, 600)}`);
    return {
      perDrive: written?.perDrive ?? Number.NaN,
      counters: written?.counters ?? { hits: {}, ms: {}, late: lasted },
      output,
    };
  });
}

export async function carryOut(check: Check, one: TruthCase, word: Word, node: string, major: number): Promise<Outcome> {
  if (check.by === 'reason') return { holds: true, result: check.why };
  if (check.by === 'pair') return comparePair(one, check, word, node);
  if (check.by === 'v8') {
    if (check.on && !check.on.some((one) => one === major)) return { holds: true, result: 'not told by this Node' };
    const { output } = await drive(one, check.insert ?? [], node, check.flags, false);
    const isThere = check.shows.test(output);
    return {
      holds: isThere === (check.isThere ?? true),
      result: `${check.flags.join(' ')}: ${check.says}: ${isThere ? 'there' : 'not there'}`,
    };
  }
  const { counters, output, perDrive } = await drive(one, check.insert, node, [], false);
  const all: Counters = { ...counters, ...(Number.isNaN(perDrive) ? {} : { perDrive }), output };
  const figures = [
    ...Object.entries(all.hits).map(([name, count]) => `${name} ${count}`),
    ...Object.entries(all.ms).map(
      ([name, { count, middle, longest }]) => `${name} ×${count}, ${middle.toFixed(3)} ms in the median, ${longest.toFixed(1)} at most`,
    ),
    ...(all.perDrive === undefined ? [] : [`${all.perDrive.toFixed(3)} ms a round`]),
    `late ${all.late.toFixed(0)} ms`,
  ];
  return { holds: check.holds(all), result: `${check.says}: ${figures.join(', ')}` };
}

async function comparePair(one: TruthCase, { fix, clock }: Check & { by: 'pair' }, word: Word, node: string): Promise<Outcome> {
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const side of [0, 1, 1, 0] as const)
      times[side].push((await drive(one, side === 0 ? [] : fix, node, TIMED_FLAGS, true, clock)).perDrive * 1e6);
  const [dear, cheap] = times.map((list) => median(list)) as [number, number];
  const [low, high] = interval(times[0], times[1]);
  const share = (dear - cheap) / dear;
  const costs = low > 0 && share >= LEAST_SHARE;
  const result = `${nanoseconds(dear)} with, ${nanoseconds(cheap)} without, difference ${nanoseconds(dear - cheap)} [${nanoseconds(low)}, ${nanoseconds(high)}], ${(share * 100).toFixed(0)} %`;
  return { holds: costs === (word === 'confirmed'), result };
}

/** 95 % of the differences of medians of processes drawn with replacement (Efron, 1979). The same draws each time. */
function interval(a: readonly number[], b: readonly number[]): [number, number] {
  const random = seeded(1);
  const draw = (list: readonly number[]) => median(list.map(() => list[Math.floor(random() * list.length)] ?? 0));
  const differences = Array.from({ length: RESAMPLES }, () => draw(a) - draw(b)).sort((x, y) => x - y);
  return [differences[Math.floor(RESAMPLES * 0.025)] ?? 0, differences[Math.floor(RESAMPLES * 0.975)] ?? 0];
}

/** Mulberry32 (public domain). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}

function nanoseconds(ns: number): string {
  const size = Math.abs(ns);
  return size >= 1e6 ? `${(ns / 1e6).toFixed(2)} ms` : size >= 1e3 ? `${(ns / 1e3).toFixed(2)} µs` : `${ns.toFixed(1)} ns`;
}
