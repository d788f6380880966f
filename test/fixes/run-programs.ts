// Writes programs into a folder of their own and runs all of them in one child process, which ends within its time.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome, Request } from './fix-case.ts';

export interface Program {
  name: string;
  files: ReadonlyMap<string, string>;
  data: Readonly<Record<string, string>>;
  /** By the name that the program requires: the package of this project that it gets instead. */
  packages: Readonly<Record<string, string>>;
  requests: readonly (Request | readonly Request[])[];
}

const CHILD = fileURLToPath(new URL('child.cjs', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
/** For all programs of a process, in milliseconds. */
const TIME_LIMIT = 60_000;

/** By the programs' names. */
export async function runPrograms(programs: readonly Program[], binary: string): Promise<ReadonlyMap<string, Outcome>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-fixes-')));
  try {
    symlinkSync(MODULES, join(folder, 'node_modules'), 'junction');
    const listed = programs.map(({ name, files, data, requests, packages }, at) => {
      const directory = join(folder, String(at));
      for (const [file, text] of [...files, ...Object.entries(data)]) {
        mkdirSync(dirname(join(directory, file)), { recursive: true });
        writeFileSync(join(directory, file), text);
      }
      for (const [required, given] of Object.entries(packages)) {
        mkdirSync(join(directory, 'node_modules'), { recursive: true });
        symlinkSync(join(MODULES, given), join(directory, 'node_modules', required), 'junction');
      }
      return { name, directory, requests };
    });
    const list = join(folder, 'programs.json');
    const result = join(folder, 'outcomes.json');
    writeFileSync(list, JSON.stringify({ programs: listed }));
    await runChild(binary, [CHILD, list, result], folder);
    const outcomes = JSON.parse(readFileSync(result, 'utf8')) as (Outcome & { name: string })[];
    return new Map(outcomes.map(({ name, ...outcome }) => [name, outcome]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runChild(binary: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, [...args], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: TIME_LIMIT,
      killSignal: 'SIGKILL',
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`the programs ended with ${code ?? signal}\n${output}`));
    });
  });
}
