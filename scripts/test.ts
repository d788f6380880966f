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
  'test/cli/compare.',
  'test/profiler/attribution.',
  'test/profiler/bad-targets.',
  'test/profiler/cost-of-states.',
  'test/profiler/feedback.',
  'test/profiler/harness.',
  'test/profiler/requests.',
  'test/profiler/run.',
  'test/profiler/samples.',
  'test/profiler/truth.',
  'test/profiler/typescript.',
  'test/knowledge/core-call-places.',
  'test/cli/lag.',
  'test/cli/profile.',
  'test/cli/program.',
  'test/lsp/runs.',
];
const IN_EDITOR = ['test/vscode/'];
/** Programs are measured from a window of VS Code. */
const MEASURES_IN_EDITOR = ['test/vscode/ui/profile.', 'test/vscode/ui/programs.'];
/** Programs that are run whole, though nothing depends on how long they take; a suite in the suite; ten seconds of silence. */
const LONG = [
  'test/repo/new-rule.',
  'test/robustness/',
  'test/fixes/',
  'test/cli/program-maps.',
  'test/cli/project-runs.',
  'test/lsp/process.',
];
/** The same, for `--quick`. */
const NOT_QUICK = [
  'test/fixes/other-nodes.',
  'test/repo/new-rule.',
  'test/robustness/',
  'test/cli/program-maps.',
  'test/profiler/parse-memory.',
];

const files = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => !isQuick || !startsWithOneOf(file, [...MEASURES, ...IN_EDITOR, ...NOT_QUICK]))
  .sort();

const of = (paths: readonly string[], except: readonly string[] = []): string[] =>
  files.filter((file) => startsWithOneOf(file, paths) && !startsWithOneOf(file, except));
const alone = [...MEASURES, ...IN_EDITOR];
const lanes = [
  // The longest first: whoever is alone at the end leaves a processor idle. Tests of the server wait most of their time.
  { files: [...of(LONG), ...of(['test/'], [...alone, ...LONG])], concurrency: availableParallelism() + 2 },
  { files: of(MEASURES), concurrency: 1 },
  // VS Code comes last: it takes all processors, and nobody's test should wait for it. Two windows wait for each other less than for people.
  { files: of(IN_EDITOR, MEASURES_IN_EDITOR), concurrency: 2 },
  { files: of(MEASURES_IN_EDITOR), concurrency: 1 },
];

if (files.length === 0) {
  console.error(`no test file matches ${words.join(' ')}`);
  process.exitCode = 1;
} else {
  // Pictures of an earlier run would pass for those of this one.
  if (of(IN_EDITOR).length > 0) rmSync(join(ROOT, '.artifacts', 'screenshots'), { recursive: true, force: true });
  for (const { files: lane, concurrency } of lanes) {
    if (lane.length === 0) continue;
    const args = ['--import', 'tsx', '--test', '--test-reporter=spec', `--test-concurrency=${concurrency}`, ...lane];
    const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
    process.exitCode ||= status ?? 1;
  }
}
