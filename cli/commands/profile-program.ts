// `nodometer profile server.js` and `nodometer profile --script test`: a whole program under V8's tracing, one run for each kind of
// evidence.
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isBenignDeopt } from '../../knowledge/deopt-reasons.ts';
import { MOST_PROGRAM_RUNS, type ProfileReport } from '../../protocol/evidence.ts';
import type { ComparedRun } from '../../profiler/compare/node-rows.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { KIND_WORDS } from '../../profiler/plan/run-kinds.ts';
import { profileProgram } from '../../profiler/program.ts';
import { ConfigFinder } from '../../workspace/config/config-finder.ts';
import { CommandError, Interrupted } from '../../workspace/errors.ts';
import { EvidenceStores } from '../../workspace/profile/evidence-store.ts';
import { isProgramFile, ProgramFiles } from '../../workspace/profile/profile-files.ts';
import { fileProgram, scriptProgram, type RunProgram } from '../../workspace/profile/run-program.ts';
import { ProjectPaths } from '../../workspace/project-index/project-paths.ts';
import { ProjectFinder } from '../../workspace/project.ts';
import { SettingsResolver } from '../../workspace/config/rule-settings.ts';
import type { Host } from '../host.ts';
import { sayWhatGitSees } from '../new-evidence.ts';
import type { ProfileArguments } from './profile-arguments.ts';
import { ProgressLine } from '../progress.ts';
import { findRunNodes, machineOf } from '../run-nodes.ts';
import { cpuProfileKeeper } from '../run-output.ts';
import { hasProgress } from '../terminal.ts';

/** What `file.js -- arguments` or `--script name` means; throws what is wrong with it. */
export function programOf(
  { file, script, programArguments }: { file?: string; script?: string; programArguments: readonly string[] },
  host: Host,
): RunProgram {
  if (script !== undefined) {
    const found = scriptProgram(script, host.cwd, programArguments, machineOf(host));
    if (!found.ok) throw new CommandError(found.why);
    return found.program;
  }
  const path = resolve(host.cwd, file ?? '');
  if (!existsSync(path)) throw new CommandError(`File not found: \`${file}\`.`);
  if (!statSync(path).isFile()) throw new CommandError(`\`${file}\` is not a file.`);
  return fileProgram(path, host.cwd, programArguments);
}

const MS_PER_S = 1000;

export async function runProgram(args: ProfileArguments, host: Host): Promise<ComparedRun[]> {
  const program = programOf(args, host);
  const question = `This executes \`${program.command}\` up to ${MOST_PROGRAM_RUNS} times, for up to ${args.budgetMs / MS_PER_S} s each, including its side effects. Continue?`;
  if (!args.yes && !(await host.confirm(question))) throw new CommandError('Nothing was run. To skip the confirmation, use `--yes`.');
  const nodes = await findRunNodes({ requested: args.nodes, mayDownload: args.mayDownload }, host);
  const files = await filesOf(host);
  const runs: ComparedRun[] = [];
  for (const node of nodes) runs.push(await runOn(node, nodes.length > 1, program, files, args, host));
  const reports = runs.flatMap((run) => (run.ok ? [run.report] : []));
  if (args.save) keep(reports, files, args, host);
  return runs;
}

async function filesOf(host: Host): Promise<ProgramFiles> {
  const rules = await host.loadRules();
  const say = (message: string) => host.stderr.write(`nodometer: ${message}\n`);
  const configs = new ConfigFinder({ search: true, cwd: host.cwd, rules, warn: say });
  const settings = new SettingsResolver(rules, new Map());
  const projects = new ProjectFinder({ runningNode: host.nodeVersion, warn: say });
  const paths = new ProjectPaths({ ...host, rules, configs, settings, projects });
  return new ProgramFiles({
    rules,
    settingsFor: async (file) => {
      const config = await configs.forFolder(dirname(file));
      await settings.prepare(config);
      return {
        settings: settings.forFile(file, config),
        project: projects.infoFor(
          dirname(file),
          config.node === undefined ? undefined : { range: config.node, source: 'node in the configuration' },
        ),
        lookup: await paths.lookupFor(file),
      };
    },
  });
}

async function runOn(
  node: NodeBinary,
  isOneOfSeveral: boolean,
  program: RunProgram,
  files: ProgramFiles,
  args: ProfileArguments,
  host: Host,
): Promise<ComparedRun> {
  const progress = new ProgressLine(host.stderr, hasProgress(host));
  try {
    const outcome = await profileProgram({
      ...program,
      node,
      runMs: args.budgetMs,
      readOnly: args.readOnly,
      signal: host.signal,
      date: new Date().toISOString(),
      isUserFile: isProgramFile,
      isBenign: isBenignDeopt,
      textOf: (file) => files.textOf(file),
      hypothesesFor: (some) => files.hypothesesFor(some),
      keepCpuProfile: cpuProfileKeeper(args.cpuProfile, node, isOneOfSeveral, host),
      progress: (done, total, kind) => progress.show(done, total, `Measuring ${KIND_WORDS[kind]} on Node ${node.version}`),
    });
    if (outcome.ok) return { ok: true, report: outcome.report };
    if (outcome.aborted) throw new Interrupted(outcome.reason);
    if (!isOneOfSeveral) throw new CommandError(outcome.reason);
    return { ok: false, node: node.version, why: outcome.reason };
  } finally {
    progress.clear();
  }
}

function keep(reports: readonly ProfileReport[], files: ProgramFiles, { budgetMs }: ProfileArguments, host: Host): void {
  const say = (message: string) => host.stderr.write(`nodometer: ${message}\n`);
  const stores = new EvidenceStores((folder) => new ProjectFinder({ runningNode: host.nodeVersion, warn: say }).findRoot(folder), say);
  try {
    for (const report of reports) for (const one of files.all) stores.storeOf(one.file).keepProgram(report, one, budgetMs);
    sayWhatGitSees(stores, host);
  } catch (error) {
    say(`Could not save the evidence (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  }
}
