// Runs the built command the way a person does, and reads what it says.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../scripts/build.ts';

// A build of its own: `dist` may be built anew while a bench runs.
const COMMAND_FOLDER = fileURLToPath(new URL('../.cache/command', import.meta.url));

/** Builds the command as it is published; gives its path. */
export async function buildCommand(): Promise<string> {
  return (await build(COMMAND_FOLDER)).command;
}

export interface ListedFinding {
  file: string;
  line: number;
  column: number;
  ruleId: string;
  messageId: string;
  severity: string;
  message: string;
  related: { file: string; line: number; column: number; message: string }[];
  fixes: { title: string; kind: string }[];
  function: string | null;
  route: string | null;
}

export interface CommandResult {
  findings: ListedFinding[];
  /** What the command said about files that it could not parse. */
  unread: string[];
  /** What it said about rules that threw; anything here is a bug. */
  crashes: string[];
  /** Files that it took for its business. */
  files: string[];
  ms: number;
}

/** Lints a folder, and further paths, with all rules. */
export function lintFolder(command: string, folder: string, more: readonly string[] = []): CommandResult {
  const temporary = mkdtempSync(join(tmpdir(), 'nodometer-bench-'));
  try {
    const output = join(temporary, 'findings.json');
    const args = [folder, '--no-ignore', '--no-config', '--no-progress', ...more];
    const start = performance.now();
    const run = spawnSync(process.execPath, [command, 'lint', ...args, '--format', 'json', '--output-file', output, '--exit-zero'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const ms = performance.now() - start;
    if (!existsSync(output)) throw new Error(`the command ended with ${run.status ?? run.signal}: ${run.stderr}`);
    const said = run.stderr.split('\n').filter(Boolean);
    const list = spawnSync(process.execPath, [command, 'lint', ...args, '--list-files'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      cwd: folder,
    });
    return {
      findings: JSON.parse(readFileSync(output, 'utf8')) as ListedFinding[],
      unread: said.filter((line) => line.includes('could not be parsed')),
      crashes: said.filter((line) => / crashed on /.test(line)),
      files: list.stdout
        .split('\n')
        .filter(Boolean)
        .map((path) => join(folder, path)),
      ms,
    };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** A plain text table; numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === 'number' || /^[\d.,×-]*$/.test(String(row[column]))));
  return cells
    .map((row) =>
      row
        .map((cell, column) => (isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
