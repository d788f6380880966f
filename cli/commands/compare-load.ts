// `nodometer compare --load`: versions of a server under the same load, by fresh processes that take turns.
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { compareUnderLoad, sweepUnderLoad, type CompareLoadOptions, type LoadedVersion } from '../../profiler/load/compare.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import type { ProgramRequest } from '../../protocol/evidence.ts';
import type { LoadDifference } from '../../protocol/load.ts';
import { copyOfCommit, type GitCopy } from '../../workspace/compare/git-copy.ts';
import { CommandError, Interrupted } from '../../workspace/errors.ts';
import { withOriginText } from '../../workspace/formats/request-source.ts';
import type { LoadTarget } from '../../workspace/load/load-program.ts';
import type { PreparedTarget } from '../../workspace/profile/profile-target.ts';
import { formatAgentLoadDifference, formatAgentLoadSweep } from '../formats/agent-runs.ts';
import { formatLoadDifference, formatLoadSweep, type ComparedLoad } from '../formats/load-difference-text.ts';
import { COMPARE_LOAD_HELP } from '../help.ts';
import { EXIT_FINDINGS, EXIT_INCONCLUSIVE, EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { ProgressLine } from '../progress.ts';
import { findRunNodes } from '../run-nodes.ts';
import { styleOf, writeReport } from '../run-output.ts';
import { withSafeValues } from '../safe-output.ts';
import { hasProgress } from '../terminal.ts';
import { parseCompareLoadArguments, type CompareLoadArguments, type OtherServer } from './load-arguments.ts';
import { askedRequest, type AskedRequest } from './load-request.ts';
import { confirmLoad, DEFAULT_REQUEST, loadTargetOf, nodeOf, questionText } from './load.ts';
import { prepare } from './profile.ts';
import type { ProfileStyle } from '../../workspace/formats/profile-style.ts';

/** Starting a server and ending it takes about so long, in ms. */
const AROUND_MS = 1000;
const MS_PER_MINUTE = 60_000;

/**
 * Exit codes: 0 not slower, 1 slower, 2 could not run, 3 inconclusive. Of more than two versions, none is the one that must not be slower.
 */
export async function compareLoadCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const args = parseCompareLoadArguments(argv);
  if (args.help) {
    host.stdout.write(COMPARE_LOAD_HELP);
    return EXIT_OK;
  }
  const { other } = args;
  const fixed = other.kind === 'fix' ? await fixedServer(args, other, host) : undefined;
  const target = fixed?.target ?? loadTargetOf(args, host);
  const asked: AskedRequest = (await askedRequest(args, target.file, host)) ?? { request: fixed?.request ?? DEFAULT_REQUEST, notes: [] };
  const { request, source, notes } = asked;
  const { load, rounds } = args;
  const versionCount = other.kind === 'environment' ? other.values.length : other.kind === 'nodes' ? other.nodes.length : 2;
  const minutes = (versionCount * rounds * (load.warmUpMs + load.measureMs + AROUND_MS)) / MS_PER_MINUTE;
  const others = versionCount === 2 ? 'another version' : `${versionCount - 1} other versions`;
  await confirmLoad(
    `This starts \`${target.command}\` and ${others} of it on free ports of 127.0.0.1, ${rounds} times each, and sends them ${questionText(asked, host)} over ${load.connections} connections, with all side effects of these requests. It takes about ${Math.max(1, Math.round(minutes))} min. Continue?`,
    args,
    host,
  );
  const nodes = other.kind === 'nodes' ? await findRunNodes({ requested: other.nodes, mayDownload: args.mayDownload }, host) : [];
  const node = nodes[0] ?? (await nodeOf(args, host));
  const copy = other.kind === 'commit' ? await copyOfCommit(target.file, other.ref, host.signal) : undefined;
  try {
    const versions = fixed ? fixed.versions(node) : versionsOf(args, target, nodes.length > 0 ? nodes : [node], copy, host);
    const compared: ComparedLoad = {
      command: target.command,
      request,
      ...(source && { source }),
      ...(notes.length > 0 && { notes }),
      node: nodes.length > 1 ? nodes.map(({ version }) => version).join(', ') : node.version,
      connections: load.connections,
      ...(load.rate !== undefined && { rate: load.rate }),
      measureMs: load.measureMs,
      ...(fixed && { note: fixed.title }),
    };
    interface Formats<Report> {
      text(report: Report, cwd: string, style: ProfileStyle): string;
      agent(report: Report, cwd: string): string;
    }
    const write = <T extends object>(measured: T, formats: Formats<ComparedLoad & T>): void => {
      const report = { ...compared, ...measured };
      const text =
        args.format === 'json'
          ? `${JSON.stringify(report, null, 2)}\n`
          : args.format === 'agent'
            ? formats.agent(report, host.cwd)
            : formats.text(withSafeValues(report), host.cwd, styleOf(args, host));
      writeReport(text, args, host);
    };
    const [first, second, third] = versions;
    if (third || !first || !second) {
      const { sweep } = await measured((options) => sweepUnderLoad(versions, options), asked, args, host);
      write({ sweep }, { text: formatLoadSweep, agent: formatAgentLoadSweep });
      return sweep.enough === undefined ? EXIT_INCONCLUSIVE : EXIT_OK;
    }
    const { difference } = await measured((options) => compareUnderLoad(first, second, options), asked, args, host);
    write({ difference }, { text: formatLoadDifference, agent: formatAgentLoadDifference });
    return EXIT_CODES[difference.verdict];
  } finally {
    await copy?.dispose();
  }
}

const EXIT_CODES: Readonly<Record<LoadDifference['verdict'], ExitCode>> = {
  faster: EXIT_OK,
  same: EXIT_OK,
  slower: EXIT_FINDINGS,
  inconclusive: EXIT_INCONCLUSIVE,
};

function versionsOf(
  args: CompareLoadArguments,
  target: LoadTarget,
  nodes: readonly NodeBinary[],
  copy: GitCopy | undefined,
  host: Host,
): readonly LoadedVersion[] {
  const { other } = args;
  const [node] = nodes;
  if (!node) throw new Error('There is a Node.');
  const own = { ...target.program, node };
  if (other.kind === 'commit' || other.kind === 'folder') {
    const name = other.kind === 'commit' ? `${other.ref} (${copy?.commit})` : other.folder;
    const pathOf = (path: string): string =>
      copy ? copy.pathOf(path) : join(resolve(host.cwd, other.kind === 'folder' ? other.folder : ''), relative(host.cwd, path));
    const file = pathOf(target.file);
    if (!existsSync(file)) throw new CommandError(`${relative(host.cwd, target.file)} does not exist in ${name}.`);
    // Where the command is run from, it may be that nothing of the repository lies.
    const cwd = existsSync(pathOf(host.cwd)) ? pathOf(host.cwd) : dirname(file);
    const there = loadTargetOf(args.entry === undefined ? args : { ...args, entry: file }, host, cwd);
    return [
      { name, program: { ...there.program, node } },
      { name: 'now', program: own },
    ];
  }
  if (other.kind === 'nodes') return nodes.map((one) => ({ name: `Node ${one.version}`, program: { ...own, node: one } }));
  if (other.kind === 'flag')
    return [
      { name: `without ${other.flag}`, program: own },
      { name: `with ${other.flag}`, program: { ...own, flags: [...(own.flags ?? []), other.flag] } },
    ];
  if (other.kind === 'fix') throw new Error('a fix has its own server');
  const { name, values } = other;
  return values.map((value) => ({
    name: value === undefined ? `${name} unset` : `${name}=${value}`,
    program: { ...own, env: { ...own.env, [name]: value } },
  }));
}

interface FixedServer {
  target: LoadTarget;
  request: ProgramRequest;
  title: string;
  versions(node: NodeBinary): [LoadedVersion, LoadedVersion];
}

/** The server of a function's requests, as it is and with a fix in memory. */
async function fixedServer(args: CompareLoadArguments, other: OtherServer & { kind: 'fix' }, host: Host): Promise<FixedServer> {
  const typed = args.request ? [`${args.request.method} ${args.request.path}`] : [];
  const prepared: PreparedTarget = await prepare({ file: other.file, calls: typed, body: args.body, entry: args.entry }, other.at, host);
  const { program, loading } = prepared;
  const request = args.request ?? program?.requests[0];
  if (!program || !request)
    throw new CommandError(`${other.file} is reached by no request. Specify one with \`--route\`, and the server with \`--entry\`.`);
  const fixed = prepared.withFix(other.ruleId);
  if (!fixed.ok) throw new CommandError(fixed.why);
  const { entry, cwd, flags, env } = program;
  const own = { target: { type: 'file' as const, file: entry, arguments: args.programArguments }, cwd, flags, env, loading };
  return {
    target: { program: own, command: `node ${relative(host.cwd, entry) || entry}`, file: entry },
    request,
    title: fixed.title,
    versions: (node) => [
      { name: 'as it is', program: { ...own, node } },
      { name: 'with the fix', program: { ...own, node, replacements: fixed.replacements } },
    ],
  };
}

async function measured<Outcome extends { ok: true }>(
  measure: (options: CompareLoadOptions) => Promise<Outcome | { ok: false; reason: string; aborted: boolean }>,
  asked: AskedRequest,
  { load, rounds, tolerance }: CompareLoadArguments,
  host: Host,
): Promise<Outcome> {
  const progress = new ProgressLine(host.stderr, hasProgress(host));
  try {
    const outcome = await measure({
      load: { ...load, request: asked.request },
      rounds,
      tolerance,
      signal: host.signal,
      progress: (done, total) => progress.show(done, total, 'Measuring under load in fresh processes'),
    });
    if (outcome.ok) return outcome;
    if (outcome.aborted || host.signal.aborted) throw new Interrupted(outcome.reason);
    throw new CommandError(withOriginText(outcome.reason, asked, host.cwd));
  } finally {
    progress.clear();
  }
}
