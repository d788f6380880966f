// Measures what a fix does to the processor time that a server takes for a request: fresh processes, with and without the fix in turns.
// Processor time and not requests per second: it hardly depends on what else the machine does, or on how many cores it has.
import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { everyFix } from '../../test/fixes/apply.ts';
import { shiftBetween, type Shift } from '../../profiler/compare/shift.ts';
import { median } from '../../profiler/evidence/statistics.ts';
import type { FixProgram } from './fix-programs.ts';

const SERVER = fileURLToPath(new URL('fix-server.cjs', import.meta.url));
const CONNECTIONS = 10;
const START_LIMIT_MS = 20_000;
const MAIN = 'main.js';

interface LoadResult {
  non2xx: number;
  errors: number;
}
type Autocannon = (options: { url: string; connections: number; amount: number }) => Promise<LoadResult>;
const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;

/** After over before: 2 is twice as much. */
export interface Ratio {
  middle: number;
  low: number;
  high: number;
}

export interface FixMeasure {
  /** Processor time of the event loop's thread for a request, in milliseconds. */
  loop: Compared;
  /** The same of all threads of the process. */
  all: Compared;
}

interface Compared {
  before: number;
  after: number;
  ratio: Ratio;
}

interface Times {
  loop: number;
  all: number;
}

/** The text of a program, and the same with the fix. */
export function versionsOf(one: FixProgram): { before: string; after: string } {
  const offered = everyFix(new Map([[MAIN, one.program]]));
  const fix = offered.find(({ rule, title }) => rule === one.rule && one.title.test(title));
  const after = fix?.files.get(MAIN);
  if (after === undefined)
    throw new Error(`${one.rule} has no such fix for: ${one.what}; only ${offered.map(({ title }) => title).join(', ')}`);
  return { before: one.program, after };
}

/** @param turns how often each version is measured, in a process of its own */
export async function measureFix(one: FixProgram, node: string, turns: number, folder: string): Promise<FixMeasure> {
  const versions = versionsOf(one);
  const folders = { before: join(folder, 'before'), after: join(folder, 'after') };
  for (const version of ['before', 'after'] as const) layOut(folders[version], versions[version], one);
  const found = { before: [] as Times[], after: [] as Times[] };
  const answers = new Set<string>();
  for (let turn = 0; turn < turns; turn++) {
    for (const version of turn % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const)) {
      const { times, answer } = await loadServer(folders[version], node, one);
      found[version].push(times);
      answers.add(answer);
    }
  }
  if (answers.size > 1) throw new Error(`the fix changes the answer of: ${one.what}`);
  const compared = (pick: (times: Times) => number): Compared => compare(found.before.map(pick), found.after.map(pick));
  return { loop: compared(({ loop }) => loop), all: compared(({ all }) => all) };
}

function compare(before: readonly number[], after: readonly number[]): Compared {
  const shift = shiftBetween(before.map(Math.log), after.map(Math.log));
  if (!shift) throw new Error('too few turns for an interval: 6 at least');
  return { before: round(median(before)), after: round(median(after)), ratio: ratioOf(shift) };
}

function ratioOf({ difference, low, high }: Shift): Ratio {
  return { middle: round(Math.exp(difference)), low: round(Math.exp(low)), high: round(Math.exp(high)) };
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

function layOut(folder: string, text: string, { files = {} }: FixProgram): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, MAIN), text);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), Buffer.alloc(bytes, 'text '));
}

async function loadServer(cwd: string, node: string, { path = '/', requests }: FixProgram): Promise<{ times: Times; answer: string }> {
  const child = fork(SERVER, [MAIN], {
    cwd,
    execPath: node,
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production' },
  });
  try {
    const { port } = await messageOf<{ port: number }>(child);
    const url = `http://127.0.0.1:${port}${path}`;
    const answer = await (await fetch(url)).text();
    // As many before: V8 has compiled by then what it will compile, however slowly the machine goes.
    await autocannon({ url, connections: CONNECTIONS, amount: requests });
    const start = await timesOf(child);
    const load = await autocannon({ url, connections: CONNECTIONS, amount: requests });
    const end = await timesOf(child);
    if (load.non2xx > 0 || load.errors > 0) throw new Error(`${load.non2xx + load.errors} requests failed`);
    return { times: { loop: (end.loop - start.loop) / requests, all: (end.all - start.all) / requests }, answer };
  } finally {
    child.kill('SIGKILL');
  }
}

function timesOf(child: ChildProcess): Promise<Times> {
  const times = messageOf<Times>(child);
  child.send('times');
  return times;
}

function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the server did not answer in time')), START_LIMIT_MS);
    child.once('message', (message) => {
      clearTimeout(timer);
      resolve(message as T);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended with code ${code}`));
    });
  });
}
