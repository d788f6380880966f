// Runs commands and says how long they took and how much memory they needed at most.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Measurement {
  seconds: number;
  /** Peak resident set, where GNU time is there to say. */
  megabytes?: number;
}

export interface Command {
  name: string;
  file: string;
  args: readonly string[];
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Exit codes that mean that the command did its work; linters say 1 when they found something. */
  okCodes: readonly number[];
}

const GNU_TIME = '/usr/bin/time';

export function measure({ name, file, args, cwd, env, okCodes }: Command): Measurement & { stdout: string } {
  const temporary = mkdtempSync(join(tmpdir(), 'nodometer-speed-'));
  try {
    const report = join(temporary, 'time');
    const hasTime = existsSync(GNU_TIME);
    const [program, ...rest] = hasTime ? [GNU_TIME, '-f', '%M', '-o', report, file, ...args] : [file, ...args];
    const start = performance.now();
    const run = spawnSync(program ?? file, rest, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', ...env },
      encoding: 'utf8',
      maxBuffer: 1 << 29,
    });
    const seconds = (performance.now() - start) / 1000;
    if (run.error) throw run.error;
    if (run.status === null || !okCodes.includes(run.status))
      throw new Error(`${name} ended with ${run.status ?? run.signal}: ${run.stderr.slice(-2000)}${run.stdout.slice(-500)}`);
    // GNU time writes a line of its own above the number when the command's exit code is not 0.
    const kilobytes = hasTime ? Number(readFileSync(report, 'utf8').trim().split('\n').at(-1)) : Number.NaN;
    return { seconds, ...(Number.isFinite(kilobytes) ? { megabytes: Math.round(kilobytes / 1024) } : {}), stdout: run.stdout };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}
