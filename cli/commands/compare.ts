// `nodometer compare`: the time of a function now and at a commit, in another folder, or with a fix, each in fresh processes.
import type { Difference } from '../../protocol/evidence.ts';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { TimedProcess } from '../../profiler/compare/in-turns.ts';
import { compareVersions, type Version } from '../../profiler/compare/versions.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { copyOfCommit, type GitCopy } from '../../workspace/compare/git-copy.ts';
import { CommandError, Interrupted } from '../../workspace/errors.ts';
import type { PreparedTarget } from '../../workspace/profile/profile-target.ts';
import { formatDifference } from '../formats/difference-text.ts';
import { COMPARE_HELP } from '../help.ts';
import { EXIT_FINDINGS, EXIT_INCONCLUSIVE, EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { ProgressLine } from '../progress.ts';
import { findRunNodes } from '../run-nodes.ts';
import { styleOf, writeReport } from '../run-output.ts';
import { hasProgress } from '../terminal.ts';
import { parseCompareArguments, type CompareArguments } from './compare-arguments.ts';
import { prepare } from './profile.ts';

interface Side extends Version {
  /** What is different in it, where the name does not say. */
  note?: string;
}

/** Exit codes: 0 no slower, 1 slower, 2 could not run, 3 inconclusive. */
export async function compareCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const args = parseCompareArguments(argv);
  if (args.help) {
    host.stdout.write(COMPARE_HELP);
    return EXIT_OK;
  }
  const prepared = await prepare(args, args.at, host);
  const { target, program } = prepared;
  const what = target.calls.join('; ');
  const question = program
    ? `This starts ${program.entry} and another version of it on a free port of 127.0.0.1, ${args.rounds} times each, and repeatedly sends them ${what}, with all side effects of these requests. Continue?`
    : `This repeatedly executes ${what} from ${target.file} and from another version of it, including side effects. Continue?`;
  if (!args.yes && !(await host.confirm(question))) throw new CommandError('Nothing was run. To skip the confirmation, use `--yes`.');
  const [node] = await findRunNodes({ asked: args.node === undefined ? [] : [args.node], mayDownload: args.mayDownload }, host);
  if (!node) throw new CommandError('No Node was found to run the comparison.');
  const copy = args.other.kind === 'commit' ? await copyOfCommit(target.file, args.other.ref, host.signal) : undefined;
  try {
    const [first, second] = await sidesOf(args, prepared, node, copy, host);
    const difference = await measure(first, second, args, host);
    const report = {
      functionName: target.functionName,
      file: relative(host.cwd, target.file),
      node: node.version,
      calls: target.calls,
      ...(second.note === undefined ? {} : { note: second.note }),
      difference,
    };
    writeReport(
      args.format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : formatDifference(report, styleOf(args, host)),
      args,
      host,
    );
    return EXIT_CODES[difference.verdict];
  } finally {
    await copy?.dispose();
  }
}

const EXIT_CODES: Readonly<Record<Difference['verdict'], ExitCode>> = {
  faster: EXIT_OK,
  same: EXIT_OK,
  slower: EXIT_FINDINGS,
  inconclusive: EXIT_INCONCLUSIVE,
};

async function sidesOf(
  args: CompareArguments,
  prepared: PreparedTarget,
  node: NodeBinary,
  copy: GitCopy | undefined,
  host: Host,
): Promise<[Side, Side]> {
  const own = processOf(prepared, node);
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
    { name, process: processOf(there, node) },
    { name: 'now', process: own },
  ];
}

function processOf({ target, text, calls, program, format, loading }: PreparedTarget, node: NodeBinary): TimedProcess {
  return { node, file: target.file, text, calls, program, format, loading };
}

async function measure(first: Side, second: Side, { rounds, tolerance, readOnly }: CompareArguments, host: Host): Promise<Difference> {
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
