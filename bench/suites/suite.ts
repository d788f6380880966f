// Runs a project's suite where it reaches nothing but this machine, for a limited time, and reads what passed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReportFormat } from './projects.ts';

export interface Place {
  /** The project's own folder. */
  folder: string;
  /** Beside it: home folder, temporary files, reports, and output. */
  beside: string;
  /** The Node that the project runs on. */
  node: string;
}

export interface Command {
  script: string;
  minutes: number;
  /** Whether it may reach other machines. */
  network: boolean;
  env?: Readonly<Record<string, string>>;
}

/** How a command ended: undefined when it ended by itself in time, whatever its exit code. */
export async function runCommand({ folder, beside, node }: Place, command: Command, output: string): Promise<{ code: number | string }> {
  const home = join(beside, 'home');
  const temporary = join(beside, 'tmp');
  for (const path of [home, temporary]) mkdirSync(path, { recursive: true });
  // A network of its own, which has the loopback interface alone.
  const [program, args] = command.network
    ? ['sh', ['-c', command.script]]
    : ['unshare', ['--net', '--map-root-user', 'sh', '-c', `ip link set lo up && exec sh -c "$SCRIPT"`]];
  const log = openSync(output, 'w');
  try {
    const child = spawn(program, args, {
      cwd: folder,
      detached: true,
      stdio: ['ignore', log, log],
      env: {
        PATH: `${dirname(node)}:${join(folder, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`,
        HOME: home,
        TMPDIR: temporary,
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        CI: 'true',
        NO_COLOR: '1',
        SCRIPT: command.script,
        ...(command.network ? passedOn() : {}),
        ...command.env,
      },
    });
    return { code: await ended(child, command.minutes) };
  } finally {
    closeSync(log);
  }
}

/** What npm needs of this process' environment to reach the registry. */
function passedOn(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      /^npm_config_|_proxy$|^NODE_EXTRA_CA_CERTS$/i.test(name) ? [[name, value ?? '']] : [],
    ),
  );
}

function ended(child: ReturnType<typeof spawn>, minutes: number): Promise<number | string> {
  const { pid } = child;
  const endGroup = (): void => {
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      // Nothing of it runs any more.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup();
    }, minutes * 60_000);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      // What the suite has left running.
      endGroup();
      resolve(isLate ? `ended after ${minutes} minutes` : (code ?? signal ?? 'ended'));
    });
  });
}

export interface SuiteResult {
  /** Full names; a name that several tests have appears once for each. */
  passed: string[];
  failed: string[];
  /** Left out by the suite itself. */
  skipped: number;
}

/** The tests of one run, or why there are none. */
export function readReport(path: string, format: ReportFormat, folder: string): SuiteResult | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8').replaceAll(folder, '');
  rmSync(path);
  return format === 'jest' ? fromJest(JSON.parse(text) as JestReport) : fromMocha(JSON.parse(text) as MochaReport);
}

interface JestReport {
  testResults: { name: string; message?: string; status: string; assertionResults: { fullName: string; status: string }[] }[];
}

function fromJest({ testResults }: JestReport): SuiteResult {
  const result: SuiteResult = { passed: [], failed: [], skipped: 0 };
  for (const { name, status, assertionResults } of testResults) {
    // A file that could not be loaded has no tests.
    if (assertionResults.length === 0 && status === 'failed') result.failed.push(name);
    for (const test of assertionResults) {
      if (test.status === 'passed') result.passed.push(`${name} ${test.fullName}`);
      else if (test.status === 'failed') result.failed.push(`${name} ${test.fullName}`);
      else result.skipped++;
    }
  }
  return result;
}

interface MochaReport {
  passes: { file?: string; fullTitle: string }[];
  failures: { file?: string; fullTitle: string }[];
  pending: unknown[];
}

function fromMocha({ passes, failures, pending }: MochaReport): SuiteResult {
  const nameOf = ({ file, fullTitle }: { file?: string; fullTitle: string }): string => `${file ?? ''} ${fullTitle}`;
  return { passed: passes.map(nameOf), failed: failures.map(nameOf), skipped: pending.length };
}
