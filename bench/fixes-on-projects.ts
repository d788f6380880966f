// Runs the suites of other people's projects before and after our fixes: all at once, as `--fix --fix-type suggestion` makes them, and one
// by one, as an editor offers them.
// `npm run bench:fixes -- --mirror <folder of git snapshots>` prints a table and writes bench/results/fixes-on-projects.json.
//   --mirror <folder>    snapshots of the projects, as <owner>+<name>/repo; or NODOMETER_MIRROR
//   --only a/b,c/d       these projects alone; the record keeps the others
//   --alone 10           at most so many fixes one by one in a project
//   --work <folder>      where projects are laid out and stay installed for the next run; without it, a temporary folder
// Suites reach no other machine, which takes Linux and `unshare`. Installing takes the npm registry.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { nodesOfMajors } from '../test/profiler/nodes.ts';
import { buildCommand, lintFolder, table } from './lint-command.ts';
import { differenceOf } from './suites/compare.ts';
import { offeredFixes, placeMarks, readMarks, type OfferedFix } from './suites/offered-fixes.ts';
import { layOut, type LaidOut } from './suites/place.ts';
import { PROJECTS, type Project } from './suites/projects.ts';
import { readReport, runCommand, type SuiteResult } from './suites/suite.ts';

const RESULT = fileURLToPath(new URL('./results/fixes-on-projects.json', import.meta.url));
/** An installation builds native modules at most. */
const INSTALL_MINUTES = 15;
const SHOWN_LINES = 20;

const { values } = parseArgs({
  options: {
    mirror: { type: 'string', default: process.env['NODOMETER_MIRROR'] },
    only: { type: 'string' },
    alone: { type: 'string', default: '10' },
    work: { type: 'string' },
  },
});

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

interface Outcome {
  after: Counts;
  /** Tests that passed before, and failed after in two runs, and passed without the change once more. */
  broken: string[];
  /** Tests that failed in one of two runs of the same code. */
  unsteady: string[];
}

interface FixRecord extends Outcome {
  rule: string;
  place: string;
  title: string;
  files: number;
  /** Whether the suite runs the statement of the finding. */
  isRun: boolean;
}

interface ProjectRecord {
  repository: string;
  commit: string;
  node: string;
  date: string;
  before: Counts;
  bulk: Outcome & { fixes: number; files: string[] };
  offered: number;
  /** Offered fixes whose statement the suite runs. */
  run: number;
  alone: FixRecord[];
}

class Unusable extends Error {}

function countsOf({ passed, failed, skipped }: SuiteResult): Counts {
  return { passed: passed.length, failed: failed.length, skipped };
}

async function install(place: LaidOut, { install: script }: Project): Promise<void> {
  if (place.isInstalled()) return;
  const output = join(place.beside, 'install.log');
  const { code } = await runCommand(place, { script, minutes: INSTALL_MINUTES, network: true }, output);
  if (code !== 0) throw new Unusable(`the installation: ${code}\n${endOf(output)}`);
  place.keepInstalled();
}

function endOf(output: string): string {
  return readFileSync(output, 'utf8').trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
}

async function runSuite(place: LaidOut, { build, suite, report, minutes }: Project): Promise<SuiteResult> {
  const output = join(place.beside, 'suite.log');
  const path = join(place.beside, 'report.json');
  const script = build === undefined ? suite : `(${build}) && (${suite})`;
  const { code } = await runCommand(place, { script, minutes, network: false, env: { REPORT: path } }, output);
  const result = typeof code === 'number' ? readReport(path, report, place.folder) : undefined;
  if (!result) throw new Unusable(`the suite: ${code}, no report\n${endOf(output)}`);
  return result;
}

/** Runs the suite of the changed project; what no longer passes is run again with and without the change. */
async function judge(place: LaidOut, project: Project, before: SuiteResult, change: () => void): Promise<Outcome> {
  const runChanged = async (): Promise<SuiteResult> => {
    place.restore();
    change();
    return suiteOrNothing(place, project);
  };
  const first = await runChanged();
  const suspects = differenceOf(before, first).broken;
  const outcome: Outcome = { after: countsOf(first), broken: [], unsteady: [] };
  if (suspects.length > 0) {
    const again = new Set(differenceOf(before, await runChanged()).broken);
    place.restore();
    const without = new Set(differenceOf(before, await suiteOrNothing(place, project)).broken);
    for (const name of suspects) (again.has(name) && !without.has(name) ? outcome.broken : outcome.unsteady).push(name);
  }
  place.restore();
  return outcome;
}

/** A change after which the suite cannot even start has broken every test. */
async function suiteOrNothing(place: LaidOut, project: Project): Promise<SuiteResult> {
  try {
    return await runSuite(place, project);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    console.error(error.message);
    return { passed: [], failed: [], skipped: 0 };
  }
}

function fixInBulk(command: string, { folder }: LaidOut, { paths = ['.'] }: Project): number {
  const args = ['lint', '--fix', '--fix-type', 'suggestion', '--exit-zero', '--no-progress', '--no-cache', '--no-config', ...paths];
  const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`the command ended with ${status}: ${stderr}`);
  return Number(/^ *fixed +(\d+) finding/m.exec(stdout + stderr)?.[1] ?? 0);
}

function textsOf(texts: [path: string, text: string][]): string {
  return JSON.stringify(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function apply({ after }: OfferedFix): void {
  for (const [path, text] of after) writeFileSync(path, text);
}

/** Which statements of findings the suite runs. */
async function marksOf(place: LaidOut, project: Project, fixes: readonly OfferedFix[]): Promise<ReadonlySet<number>> {
  const marks = join(place.beside, 'marks');
  placeMarks(place.folder, fixes, marks);
  await suiteOrNothing(place, project);
  place.restore();
  return readMarks(marks);
}

async function measure(project: Project, mirror: string, work: string, command: string): Promise<ProjectRecord> {
  const node = (await nodesOfMajors()).find(({ version }) => version.startsWith(`${project.node}.`));
  if (!node) throw new Error(`there is no Node ${project.node}`);
  const say = (text: string): void => console.log(`${project.repository}: ${text}`);
  const place = layOut(project, mirror, work, node.path);
  await install(place, project);
  place.restore();
  const before = await runSuite(place, project);
  place.restore();
  say(`before: ${textOf(countsOf(before))}`);
  let fixes = 0;
  let files: string[] = [];
  let bulkTexts = '';
  const bulk = await judge(place, project, before, () => {
    fixes = fixInBulk(command, place, project);
    files = place.changed();
    bulkTexts = textsOf(files.map((file) => [join(place.folder, file), readFileSync(join(place.folder, file), 'utf8')]));
  });
  say(`${fixes} in bulk: ${textOf(bulk.after)}${trouble(bulk)}`);
  const more = (project.paths ?? []).filter((path) => path !== '.').map((path) => join(place.folder, path));
  const { findings } = lintFolder(command, place.folder, more);
  const offered = await offeredFixes(place.folder, [...new Set(findings.map(({ file }) => file))].sort());
  const run = await marksOf(place, project, offered);
  say(`${offered.length} offered, the suite runs ${run.size} of these places`);
  const alone: FixRecord[] = [];
  // Those that the suite runs first: of the others, it says little more than that the program still loads.
  const inTurn = [...offered.entries()].sort(([a], [b]) => Number(run.has(b)) - Number(run.has(a)));
  for (const [number, fix] of inTurn.slice(0, Number(values.alone))) {
    // Where all fixes together are this one, they were tried already.
    const outcome = textsOf([...fix.after]) === bulkTexts ? bulk : await judge(place, project, before, () => apply(fix));
    say(`${fix.file}:${fix.line} ${fix.title}: ${textOf(outcome.after)}${trouble(outcome)}`);
    const { rule, title, file, line, after } = fix;
    alone.push({ rule, place: `${file}:${line}`, title, files: after.size, isRun: run.has(number), ...outcome });
  }
  return {
    repository: project.repository,
    commit: project.commit,
    node: node.version,
    date: new Date().toISOString(),
    before: countsOf(before),
    bulk: { fixes, files, ...bulk },
    offered: offered.length,
    run: run.size,
    alone,
  };
}

function textOf({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`;
}

function trouble({ broken, unsteady }: Outcome): string {
  return [...broken.map((name) => `\n  BROKEN ${name}`), ...unsteady.map((name) => `\n  unsteady ${name}`)].join('');
}

function write(records: readonly ProjectRecord[]): void {
  mkdirSync(fileURLToPath(new URL('./results', import.meta.url)), { recursive: true });
  writeFileSync(RESULT, `${JSON.stringify({ cpu: `${cpus().length} × ${cpus()[0]?.model ?? '?'}`, projects: records }, null, 2)}\n`);
}

async function main(): Promise<number> {
  const { mirror, only } = values;
  if (!mirror) {
    console.error('usage: npm run bench:fixes -- --mirror <folder of snapshots> [--only owner/name]');
    return 2;
  }
  const work = values.work ? resolve(values.work) : realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-suites-')));
  try {
    return await measureAll(mirror, work, only?.split(','));
  } finally {
    if (!values.work) rmSync(work, { recursive: true, force: true });
  }
}

async function measureAll(mirror: string, work: string, wanted: readonly string[] | undefined): Promise<number> {
  const command = await buildCommand();
  const records = new Map<string, ProjectRecord>();
  if (wanted && existsSync(RESULT))
    for (const record of (JSON.parse(readFileSync(RESULT, 'utf8')) as { projects: ProjectRecord[] }).projects)
      records.set(record.repository, record);
  let isSound = true;
  for (const project of PROJECTS) {
    if (wanted && !wanted.includes(project.repository)) continue;
    try {
      records.set(project.repository, await measure(project, mirror, work, command));
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      console.error(`${project.repository}: ${error.message}`);
      isSound = false;
    }
    write(PROJECTS.flatMap(({ repository }) => records.get(repository) ?? []));
  }
  const all = [...records.values()];
  console.log(
    table(
      ['project', 'Node', 'passed/failed before', 'in bulk', 'after', 'offered', 'run', 'one by one', 'broken'],
      all.map(({ repository, node, before, bulk, offered, run, alone }) => [
        repository,
        node,
        `${before.passed}/${before.failed}`,
        bulk.fixes,
        `${bulk.after.passed}/${bulk.after.failed}`,
        offered,
        run,
        alone.length,
        bulk.broken.length + alone.reduce((sum, { broken }) => sum + broken.length, 0),
      ]),
    ),
  );
  return isSound && all.every(({ bulk, alone }) => [bulk, ...alone].every(({ broken }) => broken.length === 0)) ? 0 : 1;
}

process.exitCode = await main();
