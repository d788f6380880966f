// `nodometer profile`: runs a function under V8's own tracing and says what became of each warning.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import pc from 'picocolors';
import { findDeoptReason, isBenignDeopt } from '../knowledge/deopt-reasons.ts';
import type { ProfileReport, VerdictKind } from '../protocol/evidence.ts';
import { probeNode, type NodeBinary } from '../profiler/node-binary.ts';
import { profileFunction } from '../profiler/profile.ts';
import { ConfigFinder } from '../workspace/config-finder.ts';
import { CommandError, Interrupted } from '../workspace/errors.ts';
import { EvidenceStores } from '../workspace/evidence-store.ts';
import { isUserFile, prepareTarget, type PreparedTarget } from '../workspace/profile-target.ts';
import { ProjectFinder } from '../workspace/project.ts';
import { SettingsResolver } from '../workspace/rule-settings.ts';
import { formatProfile, type ProfileStyle } from './formats/profile-text.ts';
import { PROFILE_HELP } from './help.ts';
import { EXIT_FINDINGS, EXIT_INCONCLUSIVE, EXIT_OK, type ExitCode, type Host } from './host.ts';
import { parseProfileArguments, type ProfileArguments } from './profile-arguments.ts';
import { ProgressLine } from './progress.ts';
import { hasColors, hasProgress } from './terminal.ts';

export async function profileCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const args = parseProfileArguments(argv);
  if (args.help) {
    host.stdout.write(PROFILE_HELP);
    return EXIT_OK;
  }
  const prepared = await prepare(args, host);
  if (!args.yes && !(await host.confirm(questionFor(prepared)))) {
    throw new CommandError('Nothing was run. `--yes` answers the question beforehand.');
  }
  const nodes = await findNodes(args, host);
  const reports: ProfileReport[] = [];
  for (const node of nodes) reports.push(await profileOn(node, prepared, args, host));
  if (args.save) keep(reports, prepared, args, host);
  write(render(reports, args, host), args, host);
  return exitCodeOf(reports);
}

function questionFor({ target, program }: PreparedTarget): string {
  const calls = target.calls.join('; ');
  return program
    ? `This starts ${program.entry} on a free port of 127.0.0.1 and sends it ${calls}, many times, with everything that it does then. Go on?`
    : `This runs ${calls} of ${target.file}, many times, with everything that it does. Go on?`;
}

async function prepare(args: ProfileArguments, host: Host): Promise<PreparedTarget> {
  const file = resolve(host.cwd, args.file);
  if (!existsSync(file)) throw new CommandError(`There is no file \`${args.file}\`.`);
  const rules = await host.loadRules();
  const text = readFileSync(file, 'utf8');
  const at = atOf(args);
  const configs = new ConfigFinder({ search: true, cwd: host.cwd, rules });
  const config = await configs.forFolder(dirname(file));
  const settings = new SettingsResolver(rules, new Map());
  await settings.prepare(config);
  const say = (message: string) => host.stderr.write(`nodometer: ${message}\n`);
  const project = new ProjectFinder({ runningNode: host.nodeVersion, warn: say }).infoFor(dirname(file), config.node === undefined ? undefined : { range: config.node, source: 'node in the configuration' });
  const outcome = prepareTarget({ file, text, at, typed: args.calls, body: args.body, entry: args.entry === undefined ? undefined : resolve(host.cwd, args.entry), rules, settings: settings.forFile(file, config), project });
  if (!outcome.ok) throw new CommandError(`${outcome.why} ${outcome.remedy}`);
  return outcome.prepared;
}

function keep(reports: readonly ProfileReport[], prepared: PreparedTarget, { budgetMs }: ProfileArguments, host: Host): void {
  const say = (message: string) => host.stderr.write(`nodometer: ${message}\n`);
  const { file } = prepared.target;
  const store = new EvidenceStores((folder) => new ProjectFinder({ runningNode: host.nodeVersion, warn: say }).findRoot(folder), say).storeOf(file);
  try {
    for (const report of reports) store.keep(report, prepared, budgetMs);
  } catch (error) {
    say(`The evidence could not be kept in ${store.path} (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  }
}

function atOf({ at, file }: ProfileArguments): { name: string } | { line: number } {
  if (!at) throw new CommandError(`Name a function of the file: \`nodometer profile ${file}:functionName\`.`);
  return at;
}

async function findNodes({ nodes }: ProfileArguments, host: Host): Promise<NodeBinary[]> {
  const wanted = nodes.length > 0 ? nodes : [host.nodePath];
  const found: NodeBinary[] = [];
  for (const path of wanted) {
    const outcome = await probeNode(path, host.signal);
    if (!outcome.ok) throw new CommandError(`${outcome.reason} \`--node\` takes paths of Node binaries, separated by commas.`);
    found.push(outcome.node);
  }
  return found;
}

async function profileOn(node: NodeBinary, prepared: PreparedTarget, args: ProfileArguments, host: Host): Promise<ProfileReport> {
  const progress = new ProgressLine(host.stderr, hasProgress(host));
  const { target, text, calls, program, format, hypotheses } = prepared;
  try {
    const outcome = await profileFunction({
      node, target, text, calls, program, format, hypotheses, budgetMs: args.budgetMs, readOnly: args.readOnly, signal: host.signal,
      date: new Date().toISOString(),
      isUserFile,
      isBenign: isBenignDeopt,
      progress: (done, total, kind) => progress.show(done, total, `${kind} on Node ${node.version}`),
    });
    if (outcome.ok) return withoutStrangers(outcome.report, prepared);
    if (outcome.aborted) throw new Interrupted(outcome.reason);
    throw new CommandError(outcome.reason);
  } finally {
    progress.clear();
  }
}

/** Findings about other functions of the file that these calls never came to are no matter of this profile. */
function withoutStrangers(report: ProfileReport, { source, span, hypotheses }: PreparedTarget): ProfileReport {
  const isInside = ({ line, column }: { line: number; column: number }) => {
    const offset = source.offsetAt({ line, column });
    return span.start <= offset && offset <= span.end;
  };
  const isOwn = (i: number) => [hypotheses[i]?.range, ...(hypotheses[i]?.functions ?? [])].some((range) => range !== undefined && isInside(range.start));
  return { ...report, verdicts: report.verdicts.filter(({ verdict }, i) => isOwn(i) || verdict === 'confirmed' || verdict === 'refuted') };
}

function render(reports: readonly ProfileReport[], { format, color, outputFile }: ProfileArguments, host: Host): string {
  if (format === 'json') return `${JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 2)}\n`;
  const explainReason = (reason: string) => findDeoptReason(reason)?.meaning;
  const style = format === 'markdown' ? MARKDOWN : terminalStyle(hasColors(host, outputFile === undefined ? host.stdout : undefined, color));
  return formatProfile({ reports, cwd: host.cwd, explainReason, style });
}

const MARKDOWN: ProfileStyle = {
  title: (text) => `# ${text}`,
  section: (text) => `## ${text}\n`,
  row: (cells) => `- ${cells.filter(Boolean).join(' · ')}`,
  verdict: (_, text) => `- **${text}**`,
  dim: (text) => (text.startsWith('    ') ? `  - ${text.trim()}` : `${text}\n`),
};

function terminalStyle(isColored: boolean): ProfileStyle {
  const colors = pc.createColors(isColored);
  const PAINT: Readonly<Record<VerdictKind, (text: string) => string>> = { 'confirmed': colors.red, 'refuted': colors.green, 'not-reached': colors.dim, 'inconclusive': colors.yellow };
  return {
    title: colors.bold, section: colors.underline, dim: colors.dim,
    row: (cells) => `  ${cells.filter(Boolean).join('  ')}`,
    verdict: (kind, text) => `  ${PAINT[kind](text)}`,
  };
}

function write(text: string, { outputFile }: ProfileArguments, host: Host): void {
  if (outputFile === undefined) {
    host.stdout.write(text);
    return;
  }
  try {
    writeFileSync(resolve(host.cwd, outputFile), text);
  } catch (error) {
    throw new CommandError(`Cannot write ${outputFile}: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
  }
}

function exitCodeOf(reports: readonly ProfileReport[]): ExitCode {
  const kinds = reports.flatMap((report) => report.verdicts.map(({ verdict }) => verdict));
  if (kinds.includes('confirmed')) return EXIT_FINDINGS;
  return kinds.every((kind) => kind === 'refuted') ? EXIT_OK : EXIT_INCONCLUSIVE;
}
