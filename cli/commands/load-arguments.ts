// The arguments of `nodometer load` and `nodometer compare --load`, read and checked.
import type { RequestParts } from '../../analysis/profile/requests.ts';
import type { ProgramRequest } from '../../protocol/evidence.ts';
import type { Load } from '../../profiler/load/served.ts';
import { CommandError } from '../../workspace/errors.ts';
import { readRoute } from '../../workspace/load/load-program.ts';
import type { OutputArguments } from '../run-output.ts';
import { oneOf, readOptions } from './lint-arguments.ts';
import { PROFILE_FORMATS, targetOf } from './profile-arguments.ts';

export interface LoadArguments extends OutputArguments {
  /** As it was typed. */
  entry?: string;
  script?: string;
  /** Behind `--`, for the program. */
  programArguments: readonly string[];
  /** Undefined where none was typed. */
  request?: ProgramRequest;
  /** What of it was typed. */
  parts?: RequestParts;
  body?: string;
  /** The OpenAPI file, as it was typed. */
  openApi?: string;
  load: Omit<Load, 'request'>;
  node?: string;
  mayDownload: boolean;
  yes: boolean;
  help: boolean;
}

/** With what the server is compared. */
export type OtherServer =
  /** Undefined where the variable is not set. */
  | { kind: 'environment'; name: string; values: readonly (string | undefined)[] }
  /** Two Nodes or more, as they were typed. */
  | { kind: 'nodes'; nodes: readonly string[] }
  /** Without and with a flag of Node or V8. */
  | { kind: 'flag'; flag: string }
  | { kind: 'commit'; ref: string }
  | { kind: 'folder'; folder: string }
  | { kind: 'fix'; ruleId: string; file: string; at: { name: string } | { line: number } };

export interface CompareLoadArguments extends LoadArguments {
  other: OtherServer;
  rounds: number;
  /** As a share. */
  tolerance: number;
}

const OPTIONS = {
  body: { type: 'string' },
  color: { type: 'boolean' },
  connections: { type: 'string' },
  'download-node': { type: 'boolean' },
  duration: { type: 'string' },
  entry: { type: 'string' },
  format: { type: 'string', short: 'f' },
  help: { type: 'boolean', short: 'h' },
  'no-color': { type: 'boolean' },
  node: { type: 'string' },
  openapi: { type: 'string' },
  'output-file': { type: 'string', short: 'o' },
  rate: { type: 'string' },
  route: { type: 'string' },
  script: { type: 'string' },
  'warm-up': { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
} as const;
const COMPARE_OPTIONS = {
  ...OPTIONS,
  against: { type: 'string' },
  base: { type: 'string' },
  env: { type: 'string' },
  fix: { type: 'string' },
  load: { type: 'boolean' },
  'node-env': { type: 'boolean' },
  'node-option': { type: 'string' },
  rounds: { type: 'string' },
  tolerance: { type: 'string' },
} as const;

const MS_PER_S = 1000;
/** A server that has just started answers from code that is not optimized, with caches that are empty. Our choice. */
const DEFAULT_WARM_UP_SECONDS = 1;
const WARM_UP_SECONDS = { least: 0, most: 600 };
const DEFAULT_CONNECTIONS = 10;
const MOST_CONNECTIONS = 10_000;
const DEFAULT_SECONDS = 10;
const DEFAULT_COMPARED_SECONDS = 2;
const SECONDS = { least: 0.5, most: 600 };
const MOST_RATE = 1_000_000;
const DEFAULT_ROUNDS = 12;
const ROUNDS = { least: 6, most: 200 };
const DEFAULT_TOLERANCE_PERCENT = 5;
/** Of a sweep: 12 processes for each of 16 values take ten minutes. Our choice. */
const MOST_VALUES = 16;
const PERCENT = 100;

export function parseLoadArguments(argv: readonly string[]): LoadArguments {
  const { values, positionals, programArguments } = split(argv, OPTIONS);
  if (positionals.length > 0)
    throw new CommandError(
      `\`${positionals[0]}\` is unexpected. Specify the file that starts the server with \`--entry ${positionals[0]}\`, and the program's arguments after \`--\`.`,
    );
  return common(values, programArguments, DEFAULT_SECONDS);
}

export function parseCompareLoadArguments(argv: readonly string[]): CompareLoadArguments {
  const { values, positionals, programArguments } = split(argv, COMPARE_OPTIONS);
  const one = (name: keyof typeof COMPARE_OPTIONS) => values.get(name)?.[0];
  const args = common(values, programArguments, DEFAULT_COMPARED_SECONDS);
  const rounds = numberOf('rounds', one('rounds'), DEFAULT_ROUNDS, ROUNDS, true);
  const tolerance = numberOf('tolerance', one('tolerance'), DEFAULT_TOLERANCE_PERCENT, { least: 0, most: PERCENT }) / PERCENT;
  if (args.help) return { ...args, other: NODE_ENV, rounds, tolerance };
  const nodes = args.node?.includes(',') ? args.node.split(',') : undefined;
  const others = (['node-env', 'env', 'node-option', 'base', 'against', 'fix'] as const).filter((name) => values.has(name));
  if (others.length + (nodes ? 1 : 0) !== 1)
    throw new CommandError(
      'Specify what to compare, one of: `--node-env`, `--env NAME=first,second,…`, `--node 22,24`, `--node-option <flag>`, `--base <commit>`, `--against <folder>`, `--fix <rule> file.js:functionName`.',
    );
  const [given, ...more] = positionals;
  const fix = one('fix');
  const { file, at } = targetOf(given);
  if (fix !== undefined && (file === undefined || at === undefined || more.length > 0))
    throw new CommandError('`--fix` requires one function: `nodometer compare --load --fix no-sync-in-handler file.js:functionName`.');
  if (fix === undefined && given !== undefined)
    throw new CommandError(`\`${given}\` is unexpected. Specify the file that starts the server with \`--entry ${given}\`.`);
  if (fix !== undefined && args.script !== undefined) throw new CommandError('`--fix` requires `--entry`, not `--script`.');
  if (fix !== undefined && args.openApi !== undefined && args.request === undefined)
    throw new CommandError('With `--fix`, `--openapi` requires `--route`.');
  const [environment, flag, against, base] = [one('env'), one('node-option'), one('against'), one('base')];
  const other = (): OtherServer => {
    if (fix !== undefined && file !== undefined && at !== undefined) return { kind: 'fix', ruleId: fix, file, at };
    if (against !== undefined) return { kind: 'folder', folder: against };
    if (base !== undefined) return { kind: 'commit', ref: base };
    if (environment !== undefined) return environmentOf(environment);
    if (flag !== undefined) return flagOf(flag, args.script);
    return nodes ? nodesOf(nodes) : NODE_ENV;
  };
  return { ...args, other: other(), rounds, tolerance };
}

const NODE_ENV: OtherServer = { kind: 'environment', name: 'NODE_ENV', values: ['development', 'production'] };

/** `UV_THREADPOOL_SIZE=4,16`; `NODE_ENV=,production` has it unset first. */
function environmentOf(typed: string): OtherServer {
  const [, name, text = ''] = /^([A-Za-z_]\w*)=([^]*)$/.exec(typed) ?? [];
  const values = text.split(',');
  if (name === undefined || values.length < 2 || values.length > MOST_VALUES || new Set(values).size < values.length)
    throw new CommandError(
      `\`--env\` must be a variable with 2 to ${MOST_VALUES} different values, such as \`UV_THREADPOOL_SIZE=4,16\`, not \`${typed}\`. An empty value leaves it unset.`,
    );
  if (name === 'NODE_OPTIONS')
    throw new CommandError('`NODE_OPTIONS` is not passed on. To compare flags of Node, use `--node-option <flag>`.');
  return { kind: 'environment', name, values: values.map((value) => (value === '' ? undefined : value)) };
}

function nodesOf(nodes: readonly string[]): OtherServer {
  if (nodes.includes('') || nodes.length > MOST_VALUES || new Set(nodes).size < nodes.length)
    throw new CommandError(
      `\`--node\` must name 2 to ${MOST_VALUES} different versions, such as \`--node 22,24\`, not \`${nodes.join(',')}\`.`,
    );
  return { kind: 'nodes', nodes };
}

function flagOf(flag: string, script: string | undefined): OtherServer {
  if (!/^--[a-z][\w-]*(?:=\S+)?$/.test(flag))
    throw new CommandError(
      `\`--node-option\` must be a flag of Node, such as \`--node-option=--max-semi-space-size=64\`, not \`${flag}\`.`,
    );
  if (script !== undefined) throw new CommandError('`--node-option` requires `--entry`, not `--script`: a script sets its own flags.');
  return { kind: 'flag', flag };
}

type Values = ReturnType<typeof readOptions>['values'];

function split(
  argv: readonly string[],
  options: Parameters<typeof readOptions>[1],
): ReturnType<typeof readOptions> & { programArguments: readonly string[] } {
  const at = argv.indexOf('--');
  return { ...readOptions(at === -1 ? argv : argv.slice(0, at), options), programArguments: at === -1 ? [] : argv.slice(at + 1) };
}

function common(values: Values, programArguments: readonly string[], seconds: number): LoadArguments {
  const one = (name: keyof typeof OPTIONS) => values.get(name)?.[0];
  if (values.has('entry') && values.has('script')) throw new CommandError('Specify `--entry` or `--script`, not both.');
  const connections = numberOf('connections', one('connections'), DEFAULT_CONNECTIONS, { least: 1, most: MOST_CONNECTIONS }, true);
  const rate = values.has('rate') ? numberOf('rate', one('rate'), 0, { least: 1, most: MOST_RATE }) : undefined;
  const route = one('route');
  const body = one('body');
  const read = route === undefined ? undefined : readRoute(route, body);
  if (read && !read.ok) throw new CommandError(read.why);
  return {
    entry: one('entry'),
    script: one('script'),
    programArguments,
    ...(read && { request: read.request, parts: read.parts }),
    ...(body !== undefined && { body }),
    ...(values.has('openapi') && { openApi: one('openapi') }),
    load: {
      connections,
      ...(rate !== undefined && { rate }),
      warmUpMs: numberOf('warm-up', one('warm-up'), DEFAULT_WARM_UP_SECONDS, WARM_UP_SECONDS) * MS_PER_S,
      measureMs: numberOf('duration', one('duration'), seconds, SECONDS) * MS_PER_S,
    },
    node: one('node'),
    mayDownload: values.has('download-node'),
    yes: values.has('yes'),
    format: oneOf('format', one('format') ?? 'text', PROFILE_FORMATS),
    outputFile: one('output-file'),
    color: values.has('color') ? true : values.has('no-color') ? false : undefined,
    help: values.has('help'),
  };
}

function numberOf(
  option: string,
  given: string | undefined,
  otherwise: number,
  { least, most }: { least: number; most: number },
  isWhole = false,
): number {
  const value = given === undefined ? otherwise : given.trim() === '' ? NaN : Number(given);
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value;
  throw new CommandError(`\`--${option}\` must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}, not \`${given}\`.`);
}
