// Writes programs into a folder of their own and runs them in child processes, which end within their time.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, type TransformOptions } from 'esbuild';
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
const TYPESCRIPT: TransformOptions = { loader: 'ts', format: 'cjs', tsconfigRaw: { compilerOptions: { experimentalDecorators: true } } };
/** For all programs of a process, in milliseconds. */
const TIME_LIMIT = 60_000;
const PROGRAMS_OF_PROCESS = 20;
/** How long an answer may take before it counts as missing, in milliseconds. */
const ANSWER_TIMEOUT = 700;

/**
 * By the programs' names.
 * @param patience how many times longer than usual an answer may take
 */
export async function runPrograms(programs: readonly Program[], binary: string, patience = 1): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (let at = 0; at < programs.length; at += PROGRAMS_OF_PROCESS)
    for (const [name, outcome] of await runSome(programs.slice(at, at + PROGRAMS_OF_PROCESS), binary, patience))
      outcomes.set(name, outcome);
  return outcomes;
}

async function runSome(programs: readonly Program[], binary: string, patience: number): Promise<Iterable<readonly [string, Outcome]>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-fixes-')));
  try {
    symlinkSync(MODULES, join(folder, 'node_modules'), 'junction');
    const listed = programs.map(({ name, files, data, requests, packages }, at) => {
      const directory = join(folder, String(at));
      for (const [file, text] of [...files, ...Object.entries(data)]) {
        const isTypeScript = file.endsWith('.ts');
        const path = join(directory, isTypeScript ? file.replace(/\.ts$/, '.js') : file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, isTypeScript ? transformSync(text, TYPESCRIPT).code : text);
      }
      for (const [required, given] of Object.entries(packages)) {
        mkdirSync(join(directory, 'node_modules'), { recursive: true });
        symlinkSync(join(MODULES, given), join(directory, 'node_modules', required), 'junction');
      }
      return { name, directory, requests };
    });
    const list = join(folder, 'programs.json');
    const result = join(folder, 'outcomes.json');
    writeFileSync(list, JSON.stringify({ programs: listed, answerTimeout: ANSWER_TIMEOUT * patience }));
    await runChild(binary, [CHILD, list, result], folder, TIME_LIMIT * patience);
    const outcomes = JSON.parse(readFileSync(result, 'utf8')) as (Outcome & { name: string })[];
    return outcomes.map(({ name, ...outcome }) => [name, outcome] as const);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runChild(binary: string, args: readonly string[], cwd: string, timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, [...args], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout,
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
