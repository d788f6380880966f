// `nodometer profile`: runs a function under V8's own tracing and says what became of each warning.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { MOST_BYTES, readTextFile } from '../../files/read-text-file.ts';
import type { FunctionQuery } from '../../analysis/profile/functions.ts';
import { Source } from '../../analysis/module/source.ts';
import { findDeoptReason, isBenignDeopt } from '../../knowledge/deopt-reasons.ts';
import type { ProfileReport, VerdictKind } from '../../protocol/evidence.ts';
import { costsSeen } from '../../protocol/seen-by-run.ts';
import { timeOnNodes } from '../../profiler/compare/nodes.ts';
import { compareRuns, type ComparedRun, type FiguresByNode } from '../../profiler/compare/node-rows.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { KIND_WORDS } from '../../profiler/plan/run-kinds.ts';
import { profileFunction } from '../../profiler/profile.ts';
import { ConfigFinder } from '../../workspace/config/config-finder.ts';
import { CommandError, Interrupted } from '../../workspace/errors.ts';
import { EvidenceStores } from '../../workspace/profile/evidence-store.ts';
import { withoutStrangers } from '../../workspace/profile/profile-claims.ts';
import { isUserFile, prepareTarget, type PreparedTarget } from '../../workspace/profile/profile-target.ts';
import { ProjectPaths } from '../../workspace/project-index/project-paths.ts';
import { ProjectFinder } from '../../workspace/project.ts';
import { settingsWith } from '../../workspace/config/rule-settings.ts';
import type { ShownSource } from '../../workspace/formats/annotated-source.ts';
import { formatProfile } from '../../workspace/formats/profile-text.ts';
import { formatAgentProfile } from '../formats/agent-runs.ts';
import { toCells } from '../formats/display-text.ts';
import { PROFILE_HELP } from '../help.ts';
import { EXIT_FAILED, EXIT_FINDINGS, EXIT_INCONCLUSIVE, EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { sayWhatGitSees } from '../new-evidence.ts';
import { parseProfileArguments, type FunctionPlace, type ProfileArguments } from './profile-arguments.ts';
import { runProgram } from './profile-program.ts';
import { ProgressLine } from '../progress.ts';
import { findRunNodes } from '../run-nodes.ts';
import { cpuProfileKeeper, styleOf, writeReport } from '../run-output.ts';
import { withSafeValues } from '../safe-output.ts';
import { hasProgress } from '../terminal.ts';

export async function profileCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const args = parseProfileArguments(argv);
  if (args.help) {
    host.stdout.write(PROFILE_HELP);
    return EXIT_OK;
  }
  const { runs, figures, source }: FunctionRuns =
    args.at === undefined ? { runs: await runProgram(args, host) } : await runFunction(args, args.at, host);
  const reports = runs.flatMap((run) => (run.ok ? [run.report] : []));
  if (reports.length === 0) throw new CommandError(runs.map((run) => (run.ok ? '' : `Node ${run.node}: ${run.why}`)).join(' '));
  writeReport(render({ runs, figures, source }, args, host), args, host);
  return exitCodeOf(reports);
}

interface FunctionRuns {
  runs: ComparedRun[];
  /** Undefined for a program. */
  figures?: FiguresByNode;
  /** Where it is to be shown. */
  source?: ShownSource;
}

async function runFunction(args: ProfileArguments, at: FunctionPlace, host: Host): Promise<FunctionRuns> {
  const prepared = await prepare(args, at, host);
  if (!args.yes && !(await host.confirm(questionFor(prepared)))) {
    throw new CommandError('Nothing was run. To skip the confirmation, use `--yes`.');
  }
  const nodes = await findRunNodes({ requested: args.nodes, mayDownload: args.mayDownload }, host);
  const runs: ComparedRun[] = [];
  for (const node of nodes) runs.push(await profileOn(node, nodes.length > 1, prepared, args, host));
  const timed = nodes.filter(({ version }) => runs.some((run) => run.ok && run.report.machine.node === version && run.report.timing));
  const figures = await inTurns(timed, prepared, args, host);
  if (args.save)
    keep(
      runs.flatMap((run) => (run.ok ? [run.report] : [])),
      prepared,
      args,
      host,
    );
  return { runs, figures, ...(args.annotate ? { source: sourceOf(prepared) } : {}) };
}

/** The function's lines, without what would control the terminal. */
function sourceOf({ source, span, target: { file } }: PreparedTarget): ShownSource {
  const [first, last] = [source.positionAt(span.start).line, source.positionAt(span.end).line];
  const lines = Array.from({ length: last - first + 1 }, (_, index) =>
    toCells(source.lineText(first + index))
      .map(({ text }) => text)
      .join(''),
  );
  return { file, first, lines };
}

async function inTurns(nodes: readonly NodeBinary[], prepared: PreparedTarget, args: ProfileArguments, host: Host): Promise<FiguresByNode> {
  const { target, text, calls, program, loading, format } = prepared;
  const progress = new ProgressLine(host.stderr, hasProgress(host));
  try {
    const figures = await timeOnNodes({ file: target.file, text, calls, program, loading, format }, nodes, {
      readOnly: args.readOnly,
      signal: host.signal,
      progress: (done, total) => progress.show(done, total, 'Comparing Node versions in fresh processes'),
    });
    if (host.signal.aborted) throw new Interrupted('Stopped.');
    return figures;
  } finally {
    progress.clear();
  }
}

function questionFor({ target, program }: PreparedTarget): string {
  const calls = target.calls.join('; ');
  return program
    ? `This starts ${program.entry} on a free port of 127.0.0.1 and repeatedly sends it ${calls}, with all side effects of these requests. Continue?`
    : `This repeatedly executes ${calls} from ${target.file}, including its side effects. Continue?`;
}

export async function prepare(
  args: Pick<ProfileArguments, 'file' | 'calls' | 'body' | 'entry'> &
    Partial<Pick<ProfileArguments, 'exports' | 'format' | 'programArguments'>>,
  place: FunctionPlace,
  host: Host,
): Promise<PreparedTarget> {
  const file = resolve(host.cwd, args.file ?? '');
  if (!existsSync(file)) throw new CommandError(`File not found: \`${args.file}\`.`);
  const rules = await host.loadRules();
  const reading = readTextFile(file, MOST_BYTES.namedSource);
  if (!reading.ok) throw new CommandError(`\`${args.file}\` ${reading.why}.`);
  const { text } = reading;
  const at = queryOf(place, new Source(file, text));
  const say = (message: string) => host.stderr.write(`nodometer: ${message}\n`);
  const configs = new ConfigFinder({ search: true, cwd: host.cwd, rules, warn: say });
  const config = await configs.forFolder(dirname(file));
  const projects = new ProjectFinder({ runningNode: host.nodeVersion, warn: say });
  const exports = args.exports || (args.format === 'agent' ? 'in-libraries' : false);
  const settings = settingsWith(exports, rules, new Map(), projects);
  await settings.prepare(config);
  const paths = new ProjectPaths({ ...host, rules, configs, settings, projects });
  const lookup = await paths.lookupFor(file);
  const inCode = await paths.callsOf(file, at);
  const project = projects.infoFor(
    dirname(file),
    config.node === undefined ? undefined : { range: config.node, source: 'node in the configuration' },
  );
  const outcome = prepareTarget({
    file,
    text,
    at,
    typed: args.calls,
    body: args.body,
    entry: args.entry === undefined ? undefined : resolve(host.cwd, args.entry),
    programArguments: args.programArguments,
    rules,
    settings: settings.forFile(file, config),
    project,
    lookup,
    inCode,
  });
  if (!outcome.ok) throw new CommandError(`${outcome.why} ${outcome.remedy}`);
  return outcome.prepared;
}

function queryOf(place: FunctionPlace, source: Source): FunctionQuery {
  if ('name' in place || place.column === undefined) return place;
  const { line, column } = place;
  if (line < 1 || line > source.lineCount || column < 1 || column > source.lineText(line).length + 1)
    throw new CommandError(`There is no line ${line} with a column ${column} in this file.`);
  return { offset: source.lineStart(line) + column - 1 };
}

function keep(reports: readonly ProfileReport[], prepared: PreparedTarget, { budgetMs }: ProfileArguments, host: Host): void {
  const say = (message: string) => host.stderr.write(`nodometer: ${message}\n`);
  const { file } = prepared.target;
  const stores = new EvidenceStores((folder) => new ProjectFinder({ runningNode: host.nodeVersion, warn: say }).findRoot(folder), say);
  const store = stores.storeOf(file);
  try {
    for (const report of reports) store.keep(report, prepared, budgetMs);
    sayWhatGitSees(stores, host);
  } catch (error) {
    say(`Could not save the evidence to ${store.path} (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  }
}

async function profileOn(
  node: NodeBinary,
  isOneOfSeveral: boolean,
  prepared: PreparedTarget,
  args: ProfileArguments,
  host: Host,
): Promise<ComparedRun> {
  const progress = new ProgressLine(host.stderr, hasProgress(host));
  const { target, text, calls, program, loading, clocked, retained, format, hypotheses } = prepared;
  try {
    const outcome = await profileFunction({
      node,
      target,
      text,
      calls,
      program,
      loading,
      clocked,
      retained,
      format,
      hypotheses,
      without: prepared.without,
      scaled: prepared.scaled,
      suspects: prepared.suspects,
      budgetMs: args.budgetMs,
      readOnly: args.readOnly,
      signal: host.signal,
      date: new Date().toISOString(),
      isUserFile,
      isBenign: isBenignDeopt,
      keepCpuProfile: cpuProfileKeeper(args.cpuProfile, node, isOneOfSeveral, host),
      progress: (done, total, kind) => progress.show(done, total, `Measuring ${KIND_WORDS[kind]} on Node ${node.version}`),
    });
    if (outcome.ok) return { ok: true, report: withoutStrangers(outcome.report, prepared.span, prepared) };
    if (outcome.aborted) throw new Interrupted(outcome.reason);
    if (!isOneOfSeveral) throw new CommandError(outcome.reason);
    return { ok: false, node: node.version, why: outcome.reason };
  } finally {
    progress.clear();
  }
}

function render({ runs, figures, source }: FunctionRuns, args: ProfileArguments, host: Host): string {
  const comparison = runs.length > 1 ? compareRuns(runs, figures) : [];
  const reports = runs.flatMap((run) => (run.ok ? [run.report] : []));
  if (args.format === 'json') return `${JSON.stringify(runs.length > 1 ? { comparison, reports } : reports[0], null, 2)}\n`;
  if (args.format === 'agent') return formatAgentProfile({ ...withSafeValues({ reports, comparison }), cwd: host.cwd, isSaved: args.save });
  const explainReason = (reason: string) => findDeoptReason(reason)?.meaning;
  // In a file nothing is a click or a flag away.
  const verbose = args.verbose || args.format === 'markdown';
  return formatProfile({
    ...withSafeValues({ reports, comparison, source }),
    cwd: host.cwd,
    explainReason,
    style: styleOf(args, host),
    verbose,
  });
}

/**
 * A program without a warning in it has nothing to be judged: that is clear, too, if it ran as it should. One that never lets the loop go
 * is a problem of its own, and so is a cost that was measured where no rule reports anything.
 */
export function exitCodeOf(reports: readonly ProfileReport[]): ExitCode {
  const kinds = reports.flatMap((report) => report.verdicts.map(({ verdict }) => verdict));
  const isProgram = reports.some(({ program }) => program !== undefined);
  const isCostly = reports.some((report) => costsSeen(report) > 0);
  if (kinds.includes('confirmed') || isCostly || reports.some(({ blocks }) => blocks.some(({ endless }) => endless))) return EXIT_FINDINGS;
  // A handler that ends its program in every run, or never answers, has cleared nothing.
  if (reports.some(({ failedRuns }) => failedRuns === 'all')) return EXIT_FAILED;
  if (reports.some(({ failedRuns, verdicts }) => failedRuns === 'some' && verdicts.length === 0)) return EXIT_INCONCLUSIVE;
  if (reports.some(({ isVain }) => isVain)) return EXIT_INCONCLUSIVE;
  if (reports.some(({ program }) => program?.exitCode !== undefined && program.exitCode !== null && program.exitCode !== 0))
    return EXIT_INCONCLUSIVE;
  const isCleared = (kind: VerdictKind) => kind === 'refuted' || kind === 'seen' || (isProgram && kind === 'not-reached');
  return kinds.every(isCleared) ? EXIT_OK : EXIT_INCONCLUSIVE;
}
