// Starts the child and ends it when it hangs. A hang is a complaint like a crash.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ChildLine } from './child.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/**
 * Processor time after which a case counts as hanging. No figure of speed: the slowest case takes 0.7 s on a quiet machine, and a neighbor
 * on the same core
 * has doubled that. What is reported for 10 MB is beside its parse.
 */
const LONGEST_CPU_MS = 10_000;
/** In parses: 10 MB of handlers took 3.4 of them with the file's summary and its solving (Node 20, a busy machine). */
const PARSES = 5;
/** Wall time after which a child that says nothing is ended. */
const SILENCE_MS = 180_000;

export interface WatchedResult {
  cases: number;
  complaints: string[];
  findings: number;
  fixes: number;
  /** Cases that Babel could read. */
  read: number;
  slowest: { name: string; cpuMs: number };
}

// A list with more hangs than this is not worth waiting for.
const MOST_HANGS = 5;

/** Runs a list of cases; after a hang the rest of the list goes on in a new process. `silenceMs` is for the test of the watchdog itself. */
export async function runWatched(listModule: string, args: readonly string[] = [], silenceMs: number = SILENCE_MS): Promise<WatchedResult> {
  const result: WatchedResult = { cases: 0, complaints: [], findings: 0, fixes: 0, read: 0, slowest: { name: '', cpuMs: 0 } };
  let skipTo = '';
  for (let hangs = 0; hangs < MOST_HANGS; hangs++) {
    const hungAt = await runChild(result, [listModule, skipTo, ...args], silenceMs);
    if (hungAt === undefined) break;
    skipTo = hungAt;
  }
  return result;
}

/** Adds what one child says to `result`. Gives the name of the case that it hung at. */
async function runChild(result: WatchedResult, args: readonly string[], silenceMs: number): Promise<string | undefined> {
  const child = spawn(process.execPath, [...TYPESCRIPT_FLAGS, CHILD, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let current = '';
  let hung = false;
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const watch = (): NodeJS.Timeout =>
    setTimeout(() => {
      hung = true;
      child.kill('SIGKILL');
    }, silenceMs);
  let timer = watch();
  const exited = new Promise<number | null>((done) => child.once('close', done));
  for await (const text of createInterface({ input: child.stdout })) {
    clearTimeout(timer);
    timer = watch();
    const line = JSON.parse(text) as ChildLine;
    if ('begin' in line) current = line.begin;
    else add(result, line);
  }
  clearTimeout(timer);
  const code = await exited;
  if (hung) result.complaints.push(`${current || 'start'}: silent for ${silenceMs} ms, ended`);
  else if (code !== 0) result.complaints.push(`${current || 'start'}: the process ended with ${code}: ${errors.slice(-2000)}`);
  return hung && current ? current : undefined;
}

function add(result: WatchedResult, line: Extract<ChildLine, { end: string }>): void {
  result.cases++;
  result.findings += line.findings;
  result.fixes += line.fixes;
  if (line.isRead) result.read++;
  // What counts for a huge file is what we add to its parse.
  const ownMs = line.cpuMs - line.parseMs;
  if (ownMs > result.slowest.cpuMs) result.slowest = { name: line.end, cpuMs: ownMs };
  if (ownMs > LONGEST_CPU_MS + PARSES * line.parseMs)
    result.complaints.push(`${line.end}: took ${Math.round(line.cpuMs)} ms of processor time (bare parse ${Math.round(line.parseMs)} ms)`);
  for (const complaint of line.complaints) result.complaints.push(`${line.end}: ${complaint}`);
}
