// Runs every test, or those whose path contains one of the words given: `npm run test:only -- cli`. `--quick` leaves out what measures
// programs, what starts VS Code or further Nodes, and the suite that runs once more with a new rule.
// Node 20 expands no globs after `--test`, and shells disagree on `**`, so the files are listed here.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILD_OF_RUN } from './build-of-run.ts';
import { ROOT } from './generate.ts';
import { TYPESCRIPT_FLAGS } from './typescript/flags.ts';

const words = process.argv.slice(2).filter((word) => word !== '--quick');
const isQuick = process.argv.includes('--quick');

const startsWithOneOf = (file: string, paths: readonly string[]): boolean =>
  paths.some((path) => file.startsWith(path.split('/').join(sep)));
/**
 * Verdicts and comparisons that rest on how long something takes: one file at a time, so that the next file's work is not taken for theirs.
 * `samples` keeps two processors busy by itself.
 */
const TIMES = [
  'test/cli/compare.',
  'test/profiler/attribution.',
  'test/profiler/cost-of-states.',
  'test/profiler/growth-runs.',
  'test/profiler/requests.',
  'test/profiler/samples.',
  'test/profiler/timed-calls.',
  'test/profiler/truth.',
  'test/profiler/unpredicted-runs.',
];
/**
 * Programs that are run, and whose tests count what they do, or look for blocks of many times what a neighbor costs. Most of their time is
 * one process that starts, runs, or waits, so two files go at a time. The longest come first.
 */
const RUNS = [
  'test/cli/program.',
  'test/cli/profile.',
  'test/profiler/bad-targets.',
  'test/profiler/harness.',
  'test/lsp/runs.',
  'test/cli/lag.',
  'test/cli/load.',
  'test/profiler/load-runs.',
  'test/profiler/retained.',
  'test/profiler/run.',
  'test/profiler/typescript.',
  'test/profiler/feedback.',
  'test/profiler/handler-reached.',
  'test/knowledge/core-call-places.',
];
/** The longest come first. */
const IN_EDITOR = [
  'test/vscode/in-host.',
  'test/vscode/ui/programs.',
  'test/vscode/ui/workbench.',
  'test/vscode/ui/broken.',
  'test/vscode/',
];
/** A window in which the cost of a state is measured. */
const TIMES_IN_EDITOR = ['test/vscode/ui/profile.'];
/** Programs that are run whole, though nothing depends on how long they take; a suite in the suite; ten seconds of silence. */
const LONG = [
  'test/repo/new-rule.',
  'test/eslint-plugin/',
  'test/robustness/',
  'test/windows/',
  'test/fixes/',
  'test/cli/program-maps.',
  'test/cli/project-runs.',
  'test/lsp/process.',
  'test/lsp/project/real-packages.',
  'test/workspace/analysis-threads.',
  'test/workspace/bombs.',
  'test/workspace/production-memory.',
  'test/workspace/slow-files.',
  'test/workspace/special-files.',
  'test/workspace/stranger.',
];
/**
 * What `--quick` leaves out besides what measures, VS Code and further Nodes: programs that are run before and after a fix, and what goes
 * through all there is (each sample and case in each disguise, each source of the project and of its dependencies, each file cut anywhere),
 * or through a whole way of working (a repository that adopts the tool, the steps of the action, all tools of the MCP server and of the
 * editor).
 */
const NOT_QUICK = [
  ...LONG,
  'test/analysis/bindings.',
  'test/analysis/project/edited.',
  'test/analysis/text-reader.',
  'test/analysis/verify.',
  'test/cli/action.',
  'test/cli/adoption.',
  'test/cli/built.',
  'test/cli/evidence-schema.',
  'test/cli/mcp.',
  'test/client/tools.',
  'test/lsp/disable-comments.',
  'test/lsp/edits.',
  'test/lsp/fix-all.',
  'test/lsp/profile-lenses.',
  'test/lsp/project/project-index.',
  'test/lsp/project/same-as-terminal.',
  'test/lsp/project/workspace-run.',
  'test/profiler/attack.',
  'test/profiler/parse/parse-memory.',
  'test/profiler/read-only.',
  'test/repo/expressions.',
  'test/repo/extension-page.',
  'test/repo/oracles.',
];
/**
 * Tests that change nothing of their process: all files of a row share one, since 0.2 s of processor time go by before the first test of
 * the profiler runs, and 1.3 s before the first of the server.
 */
const SHARING = [
  ['test/analysis/', 'test/protocol/', 'test/knowledge/', 'test/client/', 'test/node-versions/', 'test/profiler/'],
  ['test/cli/', 'test/workspace/outlines.', 'test/workspace/project-calls.', 'test/workspace/record-cache.', 'test/workspace/evidence.'],
  [...['test/lsp/code-', 'test/lsp/conv', 'test/lsp/d', 'test/lsp/edits.'], ...['test/lsp/project/a', 'test/lsp/project/c']],
  [
    ...['test/lsp/h', 'test/lsp/m', 'test/lsp/o', 'test/lsp/r', 'test/lsp/s'],
    ...['test/lsp/project/h', 'test/lsp/project/m', 'test/lsp/project/r', 'test/lsp/project/s'],
  ],
  // The cases of the rules take longer than all of these, and go by themselves.
  [
    ...['test/rules/a', 'test/rules/h', 'test/rules/re', 'test/rules/ro', 'test/rules/s', 'test/rules/t'],
    ...['test/workspace/code-', 'test/workspace/file-', 'test/workspace/paths.'],
    ...['test/repo/causes.', 'test/repo/documents.', 'test/repo/fix-costs.', 'test/repo/walkthrough.'],
  ],
];

/** Each has a VS Code of its own, and modules of the client keep the one that they were loaded with. */
const WITH_OWN_VSCODE = ['test/client/report-panel.', 'test/client/rule-documentation.', 'test/client/safe-text.'];

const files = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => !isQuick || !startsWithOneOf(file, [...TIMES, ...RUNS, ...IN_EDITOR, ...NOT_QUICK]))
  .sort();

/** In the order of the paths. */
const of = (paths: readonly string[], except: readonly string[] = []): string[] => [
  ...new Set(paths.flatMap((path) => files.filter((file) => startsWithOneOf(file, [path]) && !startsWithOneOf(file, except)))),
];
/** The files of each row that shares a process are replaced by one that imports them. */
function shared(lane: readonly string[]): string[] {
  // Who names files wants to see each by itself.
  if (words.length > 0) return [...lane];
  const folder = join(ROOT, '.cache', 'shared-tests');
  mkdirSync(folder, { recursive: true });
  let rest = [...lane];
  const groups = SHARING.flatMap((paths, i) => {
    const group = rest.filter((file) => startsWithOneOf(file, paths) && !startsWithOneOf(file, [...NOT_QUICK, ...WITH_OWN_VSCODE]));
    if (group.length === 0) return [];
    rest = rest.filter((file) => !group.includes(file));
    const path = join(folder, `${i + 1}.test.mjs`);
    writeFileSync(path, group.map((file) => `await import(${JSON.stringify(pathToFileURL(join(ROOT, file)).href)});\n`).join(''));
    return [path];
  });
  const isLong = (file: string): boolean => startsWithOneOf(file, LONG);
  return [...rest.filter(isLong), ...groups, ...rest.filter((file) => !isLong(file))];
}
const lanes = [
  // The longest first: whoever is alone at the end leaves a processor idle. Tests of the server wait most of their time.
  { files: shared(of([...LONG, 'test/'], [...TIMES, ...RUNS, ...IN_EDITOR])), concurrency: availableParallelism() + 2 },
  { files: of(RUNS), concurrency: 2 },
  { files: of(TIMES), concurrency: 1 },
  // VS Code comes last: it takes all processors, and nobody's test should wait for it. Two windows wait for each other less than for
  // people.
  { files: of(IN_EDITOR, TIMES_IN_EDITOR), concurrency: 2 },
  { files: of(TIMES_IN_EDITOR), concurrency: 1 },
];

if (files.length === 0) {
  console.error(`no test file matches ${words.join(' ')}`);
  process.exitCode = 1;
} else {
  // Pictures of an earlier run would pass for those of this one.
  if (of(IN_EDITOR).length > 0) rmSync(join(ROOT, '.artifacts', 'screenshots'), { recursive: true, force: true });
  const shared = mkdtempSync(join(tmpdir(), 'nodometer-tests-'));
  const env = { ...process.env, [BUILD_OF_RUN]: join(shared, 'dist') };
  for (const { files: lane, concurrency } of lanes) {
    if (lane.length === 0) continue;
    // Who names files looks for what fails, even once.
    const more = words.length === 0 ? ['--once-more'] : [];
    const args = [...TYPESCRIPT_FLAGS, join('scripts', 'test-lane.ts'), ...more, String(concurrency), ...lane];
    const { status } = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
    process.exitCode ||= status ?? 1;
  }
  rmSync(shared, { recursive: true, force: true });
}
