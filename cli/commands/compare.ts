// `nodometer compare`: the time of a function or a program now and at a commit, in another folder, or with a fix, each in fresh processes.
import type { Difference } from '../../protocol/evidence.ts';
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { TimedProgram } from '../../profiler/compare/in-turns.ts';
import { compareVersions, type Version } from '../../profiler/compare/versions.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { copyOfCommit, type GitCopy } from '../../workspace/compare/git-copy.ts';
import { timedProcessOf } from '../../workspace/compare/timed-process.ts';
import { CommandError, Interrupted } from '../../workspace/errors.ts';
import type { PreparedTarget } from '../../workspace/profile/profile-target.ts';
import { fileProgram, scriptProgram, type RunProgram } from '../../workspace/profile/run-program.ts';
import { formatAgentDifference } from '../formats/agent-runs.ts';
import { formatDifference, type DifferenceReport } from '../formats/difference-text.ts';
import { COMPARE_HELP } from '../help.ts';
import { EXIT_FINDINGS, EXIT_INCONCLUSIVE, EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { ProgressLine } from '../progress.ts';
import { findRunNodes, machineOf } from '../run-nodes.ts';
import { styleOf, writeReport } from '../run-output.ts';
import { withSafeValues } from '../safe-output.ts';
import { hasProgress } from '../terminal.ts';
import { parseCompareArguments, type CompareArguments } from './compare-arguments.ts';
import { programOf } from './profile-program.ts';
import { prepare } from './profile.ts';

interface Side extends Version {
  /** What is different in it, where the name does not say. */
  note?: string;
}

/** Exit codes: 0 no slower, 1 slower, 2 could not run, 3 inconclusive. */
export async function compareCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  if (own.includes('--load')) return (await import('./compare-load.ts')).compareLoadCommand(argv, host);
  const args = parseCompareArguments(argv);
  if (args.help) {
    host.stdout.write(COMPARE_HELP);
    return EXIT_OK;
  }
  const outcome = args.at === undefined ? await comparePrograms(args, host) : await compareFunctions(args, args.at, host);
  writeReport(
    args.format === 'json'
      ? `${JSON.stringify(outcome, null, 2)}\n`
      : args.format === 'agent'
        ? formatAgentDifference(outcome)
        : formatDifference(withSafeValues(outcome), styleOf(args, host)),
    args,
    host,
  );
  return EXIT_CODES[outcome.difference.verdict];
}

async function compareFunctions(args: CompareArguments, at: NonNullable<CompareArguments['at']>, host: Host): Promise<DifferenceReport> {
  const prepared = await prepare(args, at, host);
  const { target, program } = prepared;
  const what = target.calls.join('; ');
  const question = program
    ? `This starts ${program.entry} and another version of it on a free port of 127.0.0.1, ${args.rounds} times each, and repeatedly sends them ${what}, with all side effects of these requests. Continue?`
    : `This repeatedly executes ${what} from ${target.file} and from another version of it, including side effects. Continue?`;
  await confirm(question, args, host);
  const node = await nodeOf(args, host);
  const copy = args.other.kind === 'commit' ? await copyOfCommit(target.file, args.other.ref, host.signal) : undefined;
  try {
    const [first, second] = await sidesOf({ ...args, at }, prepared, node, copy, host);
    const difference = await measure(first, second, args, host);
    return {
      functionName: target.functionName,
      file: relative(host.cwd, target.file),
      node: node.version,
      calls: target.calls,
      ...(second.note === undefined ? {} : { note: second.note }),
      difference,
    };
  } finally {
    await copy?.dispose();
  }
}

/** A file or a script, from its start to its exit. */
async function comparePrograms(args: CompareArguments, host: Host): Promise<DifferenceReport> {
  const { other } = args;
  const own = programOf(args, host);
  const question = `This executes \`${own.command}\` and another version of it, ${args.rounds} times each, including side effects. Continue?`;
  await confirm(question, args, host);
  const node = await nodeOf(args, host);
  const copy = other.kind === 'commit' ? await copyOfCommit(own.reported.file, other.ref, host.signal) : undefined;
  try {
    const pathOf = (path: string): string =>
      copy ? copy.pathOf(path) : join(resolve(host.cwd, other.kind === 'folder' ? other.folder : ''), relative(host.cwd, path));
    const name = other.kind === 'commit' ? `${other.ref} (${copy?.commit})` : other.kind === 'folder' ? other.folder : '';
    const sides = [
      { name, process: timedProgram(thereOf(args, own, name, pathOf, host), node) },
      { name: 'now', process: timedProgram(own, node) },
    ] as const;
    const difference = await measure(...sides, args, host);
    return { file: relative(host.cwd, own.reported.file), node: node.version, calls: [own.command], difference };
  } finally {
    await copy?.dispose();
  }
}

/** The same program in the other version. */
function thereOf(
  { script, programArguments }: CompareArguments,
  own: RunProgram,
  name: string,
  pathOf: (path: string) => string,
  host: Host,
): RunProgram {
  const file = pathOf(own.reported.file);
  if (!existsSync(file)) throw new CommandError(`${relative(host.cwd, own.reported.file)} does not exist in ${name}.`);
  // Where the command is run from, it may be that nothing of the repository lies.
  const cwd = existsSync(pathOf(own.cwd)) ? pathOf(own.cwd) : dirname(file);
  if (script === undefined) return fileProgram(file, cwd, programArguments);
  const found = scriptProgram(script, dirname(file), programArguments, machineOf(host));
  if (!found.ok) throw new CommandError(`${name}: ${found.why}`);
  return found.program;
}

function timedProgram({ target, cwd }: RunProgram, node: NodeBinary): TimedProgram {
  return { node, target, cwd };
}

async function confirm(question: string, { yes }: CompareArguments, host: Host): Promise<void> {
  if (!yes && !(await host.confirm(question))) throw new CommandError('Nothing was run. To skip the confirmation, use `--yes`.');
}

async function nodeOf({ node: requested, mayDownload }: CompareArguments, host: Host): Promise<NodeBinary> {
  const [node] = await findRunNodes({ requested: requested === undefined ? [] : [requested], mayDownload }, host);
  if (!node) throw new CommandError('No Node was found to run the comparison.');
  return node;
}

const EXIT_CODES: Readonly<Record<Difference['verdict'], ExitCode>> = {
  faster: EXIT_OK,
  same: EXIT_OK,
  slower: EXIT_FINDINGS,
  inconclusive: EXIT_INCONCLUSIVE,
};

async function sidesOf(
  args: CompareArguments & { at: NonNullable<CompareArguments['at']> },
  prepared: PreparedTarget,
  node: NodeBinary,
  copy: GitCopy | undefined,
  host: Host,
): Promise<[Side, Side]> {
  const own = timedProcessOf(prepared, node);
  const { other } = args;
  if (other.kind === 'fix') {
    const fixed = prepared.withFix(other.ruleId);
    if (!fixed.ok) throw new CommandError(fixed.why);
    return [
      { name: 'as it is', process: own },
      {
        name: 'with the fix',
        note: fixed.title,
        process: { ...own, text: fixed.text, calls: fixed.calls, replacements: fixed.replacements },
      },
    ];
  }
  const { target, program } = prepared;
  const elsewhere =
    other.kind === 'commit' ? (copy?.pathOf(target.file) ?? '') : join(resolve(host.cwd, other.folder), relative(host.cwd, target.file));
  const name = other.kind === 'commit' ? `${other.ref} (${copy?.commit})` : other.folder;
  if (!existsSync(elsewhere)) throw new CommandError(`${relative(host.cwd, target.file)} does not exist in ${name}.`);
  // The same calls there, whatever its own comments say.
  const at = target.functionName === undefined ? args.at : { name: target.functionName };
  const entry = program && other.kind === 'commit' ? copy?.pathOf(program.entry) : undefined;
  const there = await prepare({ file: elsewhere, calls: target.calls, body: args.body, entry }, at, host);
  return [
    { name, process: timedProcessOf(there, node) },
    { name: 'now', process: own },
  ];
}

async function measure(
  first: Version,
  second: Version,
  { rounds, tolerance, readOnly }: CompareArguments,
  host: Host,
): Promise<Difference> {
  const progress = new ProgressLine(host.stderr, hasProgress(host));
  try {
    const outcome = await compareVersions(first, second, {
      rounds,
      tolerance,
      readOnly,
      signal: host.signal,
      progress: (done, total) => progress.show(done, total, 'Measuring in fresh processes'),
    });
    if (outcome.ok) return outcome.difference;
    if (outcome.aborted || host.signal.aborted) throw new Interrupted(outcome.reason);
    throw new CommandError(outcome.reason);
  } finally {
    progress.clear();
  }
}
