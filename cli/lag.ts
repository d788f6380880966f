// `nodometer lag`: runs a program and says how long its event loop stood still, and what held it.
import { existsSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import pc from 'picocolors';
import type { LoopBlock, SourcePlace } from '../protocol/evidence.ts';
import { measureLag, type LagReport } from '../profiler/lag.ts';
import { probeNode } from '../profiler/node-binary.ts';
import { duration } from '../profiler/verdict.ts';
import { CommandError, Interrupted } from '../workspace/errors.ts';
import { LAG_HELP } from './help.ts';
import { EXIT_FINDINGS, EXIT_OK, type ExitCode, type Host } from './host.ts';
import { oneOf, readOptions } from './lint-arguments.ts';
import { hasColors } from './terminal.ts';

const OPTIONS = {
  'color': { type: 'boolean' },
  'format': { type: 'string', short: 'f' },
  'help': { type: 'boolean', short: 'h' },
  'no-color': { type: 'boolean' },
  'node': { type: 'string' },
  'output-file': { type: 'string', short: 'o' },
  'script': { type: 'string' },
  'threshold': { type: 'string' },
  'time': { type: 'string' },
  'yes': { type: 'boolean', short: 'y' },
} as const;

const DEFAULT_SECONDS = 10;
/** Our choice, between the limits of Clinic's doctor: a median delay of 10 ms or a maximum of 100 ms (node-clinic-doctor, analyse-delay.js). */
const DEFAULT_THRESHOLD_MS = 50;
const MOST_BLOCKS = 10;
const MOST_FRAMES = 5;
const MS_PER_S = 1000;
const PERCENT = 100;

/** Exit codes: 0 no block over the threshold, 1 some, 2 could not be measured. */
export async function lagCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const split = argv.indexOf('--');
  const programArguments = split === -1 ? [] : argv.slice(split + 1);
  const { values, positionals } = readOptions(split === -1 ? argv : argv.slice(0, split), OPTIONS);
  const one = (name: keyof typeof OPTIONS) => values.get(name)?.[0];
  if (values.has('help')) {
    host.stdout.write(LAG_HELP);
    return EXIT_OK;
  }
  const format = oneOf('format', one('format') ?? 'text', ['text', 'json']);
  const [file, ...more] = positionals;
  const script = one('script');
  if ((file === undefined) === (script === undefined)) throw new CommandError('Name one program: `nodometer lag server.js -- arguments`, or `--script start`.');
  if (more.length > 0) throw new CommandError(`Arguments of the program go behind \`--\`: \`nodometer lag ${file} -- ${more.join(' ')}\`.`);
  const seconds = positive('time', one('time'), DEFAULT_SECONDS);
  const thresholdMs = positive('threshold', one('threshold'), DEFAULT_THRESHOLD_MS);
  const path = file === undefined ? undefined : resolve(host.cwd, file);
  if (path !== undefined && !existsSync(path)) throw new CommandError(`There is no file \`${file}\`.`);
  const what = path === undefined ? `npm run ${script}` : [file, ...programArguments].join(' ');
  if (!values.has('yes') && !(await host.confirm(`This runs ${what} for up to ${seconds} s, with everything that it does. Go on?`))) throw new CommandError('Nothing was run. `--yes` answers the question beforehand.');
  const node = await probeNode(one('node') ?? host.nodePath, host.signal);
  if (!node.ok) throw new CommandError(node.reason);
  const npm = host.platform === 'win32' ? 'npm.cmd' : 'npm';
  const target = path === undefined ? { type: 'command' as const, command: [npm, 'run', script ?? '', '--', ...programArguments] as [string, ...string[]] } : { type: 'file' as const, file: path, arguments: programArguments };
  const outcome = await measureLag({ node: node.node, target, measureMs: seconds * MS_PER_S, thresholdMs, cwd: host.cwd, signal: host.signal });
  if (!outcome.ok) {
    if (outcome.aborted) throw new Interrupted(outcome.reason);
    throw new CommandError(outcome.reason);
  }
  const color = values.has('color') ? true : values.has('no-color') ? false : undefined;
  const outputFile = one('output-file');
  const text = format === 'json' ? `${JSON.stringify(outcome.report, null, 2)}\n` : formatLag(what, outcome.report, host.cwd, pc.createColors(hasColors(host, outputFile === undefined ? host.stdout : undefined, color)));
  if (outputFile === undefined) host.stdout.write(text);
  else writeFileSync(resolve(host.cwd, outputFile), text);
  return outcome.report.blocks.length > 0 ? EXIT_FINDINGS : EXIT_OK;
}

function positive(option: string, given: string | undefined, otherwise: number): number {
  const value = given === undefined ? otherwise : Number(given);
  if (!(value > 0 && Number.isFinite(value))) throw new CommandError(`\`--${option}\` takes a number above 0, not \`${given}\`.`);
  return value;
}

type Colors = ReturnType<typeof pc.createColors>;

function formatLag(what: string, { machine, delay, blocks, startUpBlocks, gc, problems }: LagReport, cwd: string, colors: Colors): string {
  const at = ({ file, line, column }: SourcePlace) => `${relative(cwd, file) || file}:${line}:${column}`;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const block = (one: LoopBlock) => [
    `  ${colors.bold(one.endless ? 'no end in sight' : duration(one.duration))}  ${KIND_WORDS[one.kind]}`,
    ...one.stack.slice(0, MOST_FRAMES).map((frame) => `      ${frame.functionName || '(anonymous)'}  ${colors.dim(at(frame))}`),
  ];
  const lines = [
    colors.bold(`${what} on Node ${machine.node}`),
    '',
    colors.underline('Event-loop delay'),
    `  p50 ${ms(delay.p50)}   p90 ${ms(delay.p90)}   p99 ${ms(delay.p99)}   max ${ms(delay.max)}   over ${duration(delay.window)}`,
    colors.dim(`  The timer's resolution of ${delay.resolution} ms is taken off. An idle loop on this machine has a p99 of ${ms(delay.idleFloor)}: less cannot be told from nothing.`),
    `  utilisation ${(delay.utilization * PERCENT).toFixed(0)} %   blocks over ${delay.threshold} ms: ${delay.blocks}`,
  ];
  if (gc.count > 0) lines.push(`  garbage collection ${gc.count} times, ${duration(gc.totalMs)} in all, ${duration(gc.maxMs)} at the longest`);
  if (blocks.length > 0) lines.push('', colors.underline('Longest blocks'), ...blocks.slice(0, MOST_BLOCKS).flatMap(block));
  if (blocks.length > MOST_BLOCKS) lines.push(colors.dim(`  and ${blocks.length - MOST_BLOCKS} more`));
  if (startUpBlocks.length > 0) lines.push('', colors.dim(`While it was being loaded, which no request waits for: ${startUpBlocks.map((one) => duration(one.duration)).join(', ')}.`));
  for (const problem of problems) lines.push('', colors.dim(problem));
  return `${lines.join('\n')}\n`;
}

const KIND_WORDS: Readonly<Record<LoopBlock['kind'], string>> = {
  'next-tick': 'process.nextTick queues itself again', 'microtask': 'microtasks queue further microtasks', 'synchronous': 'synchronous code', 'unknown': 'cause not seen',
};
