// Runs every test, or those whose path contains one of the words given: `npm run test:only -- cli`. `--quick` leaves out what measures
// programs, what starts VS Code or further Nodes, and the suite that runs once more with a new rule.
// Node 20 expands no globs after `--test`, and shells disagree on `**`, so the files are listed here.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, sep } from 'node:path';
import { ROOT } from './generate.ts';

const words = process.argv.slice(2).filter((word) => word !== '--quick');
const isQuick = process.argv.includes('--quick');

const startsWithOneOf = (file: string, paths: readonly string[]): boolean =>
  paths.some((path) => file.startsWith(path.split('/').join(sep)));
/**
 * What measures programs goes one file at a time, so that the next file's work is not taken for theirs. The profiler's other tests read
 * what runs have left, and share the processors.
 */
const MEASURES = [
  'test/profiler/bad-targets.',
  'test/profiler/feedback.',
  'test/profiler/harness.',
  'test/profiler/parse-memory.',
  'test/profiler/requests.',
  'test/profiler/run.',
  'test/profiler/samples.',
  'test/profiler/typescript.',
  'test/robustness/',
  'test/knowledge/core-call-places.',
  'test/cli/lag.',
  'test/cli/profile.',
  'test/cli/program.',
  'test/lsp/runs.',
];
/** What runs VS Code comes last: it takes all processors, and nobody's test should wait for them. */
const IN_EDITOR = ['test/vscode/'];
/** Programs that are run whole, though nothing depends on how long they take; a suite in the suite. */
const LONG = ['test/cli/program-maps.', 'test/repo/new-rule.'];

const files = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => !isQuick || !startsWithOneOf(file, [...MEASURES, ...IN_EDITOR, ...LONG]))
  .sort();

const alone = [...MEASURES, ...IN_EDITOR];
const groups = [
  // The longest first: whoever is alone at the end leaves a processor idle.
  {
    files: [...files.filter((file) => startsWithOneOf(file, LONG)), ...files.filter((file) => !startsWithOneOf(file, [...alone, ...LONG]))],
    concurrency: availableParallelism(),
    isInEditor: false,
  },
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
