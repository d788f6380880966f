// Runs every test, or those whose path contains one of the words given: `npm run test:only -- cli`.
// Node 20 expands no globs after `--test`, and shells disagree on `**`, so the files are listed here.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, sep } from 'node:path';
import { ROOT } from './generate.ts';

const words = process.argv.slice(2);
const files = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();

const startsWithOneOf = (file: string, paths: readonly string[]): boolean =>
  paths.some((path) => file.startsWith(path.split('/').join(sep)));
/** What measures programs goes one file at a time, so that the next file's work is not taken for theirs. */
const MEASURES = [
  'test/profiler/',
  'test/knowledge/',
  'test/robustness/',
  'test/cli/lag.',
  'test/cli/profile.',
  'test/cli/program.',
  'test/lsp/runs.',
];
/** What runs VS Code comes last: it takes all processors, and nobody's test should wait for them. */
const IN_EDITOR = ['test/vscode/'];
const alone = [...MEASURES, ...IN_EDITOR];
const groups = [
  { files: files.filter((file) => !startsWithOneOf(file, alone)), concurrency: availableParallelism(), isInEditor: false },
  { files: files.filter((file) => startsWithOneOf(file, MEASURES)), concurrency: 1, isInEditor: false },
  { files: files.filter((file) => startsWithOneOf(file, IN_EDITOR)), concurrency: 1, isInEditor: true },
];

if (files.length === 0) {
  console.error(`no test file matches ${words.join(' ')}`);
  process.exitCode = 1;
} else {
  for (const { files: group, concurrency, isInEditor } of groups) {
    if (group.length === 0) continue;
    // Pictures of an earlier run would pass for those of this one.
    if (isInEditor) rmSync(join(ROOT, '.artifacts', 'screenshots'), { recursive: true, force: true });
    const args = ['--import', 'tsx', '--test', '--test-reporter=spec', `--test-concurrency=${concurrency}`, ...group];
    const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
    process.exitCode ||= status ?? 1;
  }
}
