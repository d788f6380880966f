// `nodometer load`: a route of a server under load, and what limits it.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { measureLoad } from '../../profiler/load/measure.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { CommandError, Interrupted } from '../../workspace/errors.ts';
import { formatLoad } from '../../workspace/formats/load-text.ts';
import { placeOfSource, withOriginText } from '../../workspace/formats/request-source.ts';
import { loadTarget, type LoadTarget } from '../../workspace/load/load-program.ts';
import { withOrigin } from '../../workspace/load/load-request.ts';
import { ProjectFinder } from '../../workspace/project.ts';
import type { ProgramRequest } from '../../protocol/evidence.ts';
import { formatAgentLoad } from '../formats/agent-runs.ts';
import { LOAD_HELP } from '../help.ts';
import { EXIT_INCONCLUSIVE, EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { ProgressLine } from '../progress.ts';
import { findRunNodes, machineOf } from '../run-nodes.ts';
import { styleOf, writeReport } from '../run-output.ts';
import { withSafeValues } from '../safe-output.ts';
import { hasProgress } from '../terminal.ts';
import { parseLoadArguments, type LoadArguments } from './load-arguments.ts';
import { askedRequest, type AskedRequest } from './load-request.ts';

const MS_PER_S = 1000;
const STEPS = { figures: 0, causes: 1 } as const;
const STEP_WORDS = { figures: 'Measuring under load', causes: 'Looking for causes under load' } as const;

/** Exit codes: 0 measured, 2 could not be measured, 3 no result. */
export async function loadCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const args = parseLoadArguments(argv);
  if (args.help) {
    host.stdout.write(LOAD_HELP);
    return EXIT_OK;
  }
  const target = loadTargetOf(args, host);
  const asked: AskedRequest = (await askedRequest(args, target.file, host)) ?? { request: DEFAULT_REQUEST, notes: [] };
  const { request } = asked;
  const { measureMs, connections } = args.load;
  await confirmLoad(
    `This starts \`${target.command}\` twice on free ports of 127.0.0.1 and sends it ${questionText(asked, host)} over ${connections} connections for up to ${measureMs / MS_PER_S} s each, with all side effects of these requests. Continue?`,
    args,
    host,
  );
  const node = await nodeOf(args, host);
  const progress = new ProgressLine(host.stderr, hasProgress(host));
  try {
    const outcome = await measureLoad({
      program: { ...target.program, node },
      command: target.command,
      load: { ...args.load, request },
      date: new Date().toISOString(),
      signal: host.signal,
      progress: (step) => progress.show(STEPS[step], Object.keys(STEPS).length, STEP_WORDS[step]),
    });
    progress.clear();
    if (!outcome.ok) {
      if (outcome.aborted || host.signal.aborted) throw new Interrupted(outcome.reason);
      throw new CommandError(withOriginText(outcome.reason, asked, host.cwd));
    }
    const report = withOrigin(outcome.report, asked);
    writeReport(
      args.format === 'json'
        ? `${JSON.stringify(report, null, 2)}\n`
        : args.format === 'agent'
          ? formatAgentLoad(report, host.cwd)
          : formatLoad(withSafeValues(report), host.cwd, styleOf(args, host)),
      args,
      host,
    );
    return report.noResult === undefined ? EXIT_OK : EXIT_INCONCLUSIVE;
  } finally {
    progress.clear();
  }
}

/** What is sent, and where it is from. */
export function questionText({ request: { method, path }, source }: AskedRequest, { cwd }: Host): string {
  return `\`${method} ${path}\`${source ? ` (${source.parts.join(', ')} from ${placeOfSource(source, cwd)})` : ''}`;
}

export const DEFAULT_REQUEST: ProgramRequest = { method: 'GET', path: '/' };

/** Throws what is wrong with it. */
export function loadTargetOf({ entry, script, programArguments }: LoadArguments, host: Host, cwd = host.cwd): LoadTarget {
  const file = entry === undefined ? undefined : resolve(cwd, entry);
  if (file !== undefined && !existsSync(file)) throw new CommandError(`File not found: \`${entry}\`.`);
  if (file !== undefined && !statSync(file).isFile()) throw new CommandError(`\`${entry}\` is not a file.`);
  const projects = new ProjectFinder({
    runningNode: host.nodeVersion,
    warn: (message) => host.stderr.write(`nodometer: ${message}\n`),
  });
  const found = loadTarget({ entry: file, script, programArguments }, { cwd, machine: machineOf(host), projects });
  if (!found.ok) throw new CommandError(found.why);
  return found.target;
}

export async function confirmLoad(question: string, { yes }: LoadArguments, host: Host): Promise<void> {
  if (!yes && !(await host.confirm(question))) throw new CommandError('Nothing was run. To skip the confirmation, use `--yes`.');
}

export async function nodeOf({ node: asked, mayDownload }: LoadArguments, host: Host): Promise<NodeBinary> {
  if (asked?.includes(',')) throw new CommandError('One Node version at a time can be put under load.');
  const [node] = await findRunNodes({ requested: asked === undefined ? [] : [asked], mayDownload }, host);
  if (!node) throw new CommandError('No Node binary was found to run the program.');
  return node;
}
