// The arguments of `nodometer profile`, read and checked.
import { readRequest } from '../../analysis/profile/requests.ts';
import { CommandError } from '../../workspace/errors.ts';
import { oneOf, readOptions } from './lint-arguments.ts';

export const PROFILE_FORMATS = ['text', 'json', 'markdown', 'agent'] as const;
export type ProfileFormat = (typeof PROFILE_FORMATS)[number];

/** A function: by its name, or by a place in it. Lines and columns from 1. */
export type FunctionPlace = { name: string } | { line: number; column?: number };

export interface ProfileArguments {
  /** Undefined where a script is run. */
  file?: string;
  /** An npm script's name. */
  script?: string;
  /** Behind `--`, for the program. */
  programArguments: readonly string[];
  /** A function's name, or a line from 1; undefined for the whole file. */
  at: FunctionPlace | undefined;
  format: ProfileFormat;
  outputFile?: string;
  /** The user knows that the code is run. */
  yes: boolean;
  /** For all runs of a function on one Node, for each run of a program, in ms. */
  budgetMs: number;
  /** Versions and paths; empty for the Node that runs the command. */
  nodes: readonly string[];
  /** Calls and requests, as text. */
  calls: readonly string[];
  /** For requests without a body of their own. */
  body?: string;
  /** The file that starts the server which requests go to, as given. */
  entry?: string;
  /** Whether Nodes that are missing may be fetched. */
  mayDownload: boolean;
  /** Where the CPU profile goes. */
  cpuProfile?: string;
  readOnly: boolean;
  /** Whether callers of exported functions count, too. */
  exports: boolean;
  /** Whether the verdicts are kept beside the code. */
  save: boolean;
  /** Whether the function's source is shown with what was measured. */
  annotate: boolean;
  /** Whether to tell what V8 did. */
  verbose: boolean;
  color?: boolean;
  help: boolean;
}

const OPTIONS = {
  annotate: { type: 'boolean' },
  body: { type: 'string' },
  call: { type: 'string', multiple: true },
  color: { type: 'boolean' },
  'cpu-profile': { type: 'string' },
  'download-node': { type: 'boolean' },
  entry: { type: 'string' },
  exports: { type: 'boolean' },
  format: { type: 'string', short: 'f' },
  help: { type: 'boolean', short: 'h' },
  'no-color': { type: 'boolean' },
  node: { type: 'string' },
  'output-file': { type: 'string', short: 'o' },
  'no-save': { type: 'boolean' },
  'read-only': { type: 'boolean' },
  request: { type: 'string', multiple: true },
  save: { type: 'boolean' },
  script: { type: 'string' },
  time: { type: 'string' },
  verbose: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
} as const;

const DEFAULT_SECONDS = 5;
/** For each run of a whole program. */
const DEFAULT_PROGRAM_SECONDS = 10;
/** Below this V8 has no time to optimize anything, above it nobody waits, in seconds. */
const SECONDS = { least: 1, most: 600 };
const MS_PER_S = 1000;

export function parseProfileArguments(argv: readonly string[]): ProfileArguments {
  const split = argv.indexOf('--');
  const programArguments = split === -1 ? [] : argv.slice(split + 1);
  const { values, positionals } = readOptions(split === -1 ? argv : argv.slice(0, split), OPTIONS);
  const one = (name: string) => values.get(name)?.[0];
  const help = values.has('help');
  const [given, ...more] = positionals;
  const script = one('script');
  if (!help && given === undefined && script === undefined)
    throw new CommandError(
      'Specify a function (`nodometer profile file.js:functionName`), a program (`nodometer profile file.js`), or an npm script (`--script test`).',
    );
  if (given !== undefined && script !== undefined) throw new CommandError('Specify a file or `--script`, not both.');
  if (more.length > 0)
    throw new CommandError(
      `Only one function or program can be profiled at a time; \`${more[0]}\` is unexpected. Put a program's arguments after \`--\`.`,
    );
  const { file, at } = targetOf(given);
  const isProgram = at === undefined;
  if (!isProgram && programArguments.length > 0 && !['entry', 'request'].some((name) => values.has(name)))
    throw new CommandError(
      'Arguments after `--` are for programs. For a function, specify a call: `--call "add(1, 2)"`. For a handler, specify the program: `--entry server.js`.',
    );
  const misplaced = isProgram && !help ? ['call', 'request', 'body', 'entry', 'annotate'].find((name) => values.has(name)) : undefined;
  if (misplaced !== undefined)
    throw new CommandError(
      `\`--${misplaced}\` applies to functions only. Specify one: \`nodometer profile ${file ?? 'file.js'}:functionName\`.`,
    );
  const cpuProfile = one('cpu-profile');
  if (cpuProfile !== undefined && !cpuProfile.endsWith('.cpuprofile'))
    throw new CommandError(
      `\`--cpu-profile\` must be a file name that ends in \`.cpuprofile\`, which viewers expect, not \`${cpuProfile}\`.`,
    );
  if (values.has('save') && values.has('no-save')) throw new CommandError('`--save` and `--no-save` cannot be used together.');
  const requests = values.get('request') ?? [];
  const wrong = requests.find((text) => !readRequest(text));
  if (wrong !== undefined) throw new CommandError(`\`--request\` must be a method and a path, such as "GET /users/1", not \`${wrong}\`.`);
  if (requests.length > 0 && values.has('call')) throw new CommandError('`--call` and `--request` cannot be used together.');
  const seconds = Number(one('time') ?? (isProgram ? DEFAULT_PROGRAM_SECONDS : DEFAULT_SECONDS));
  if (!(seconds >= SECONDS.least && seconds <= SECONDS.most))
    throw new CommandError(`\`--time\` must be ${SECONDS.least} to ${SECONDS.most} seconds, not \`${one('time')}\`.`);
  return {
    file,
    at,
    script,
    programArguments,
    help,
    format: oneOf('format', one('format') ?? 'text', PROFILE_FORMATS),
    outputFile: one('output-file'),
    yes: values.has('yes'),
    budgetMs: seconds * MS_PER_S,
    nodes: (one('node') ?? '')
      .split(',')
      .map((node) => node.trim())
      .filter(Boolean),
    calls: [...(values.get('call') ?? []), ...requests],
    body: one('body'),
    entry: one('entry'),
    mayDownload: values.has('download-node'),
    cpuProfile,
    readOnly: values.has('read-only'),
    exports: values.has('exports'),
    save: !values.has('no-save'),
    annotate: values.has('annotate'),
    verbose: values.has('verbose'),
    color: values.has('color') ? true : values.has('no-color') ? false : undefined,
  };
}

/** `file.js:name`, `file.js:12`, `file.js:12:5`, `C:\file.js:name`. */
export function targetOf(given: string | undefined): Pick<ProfileArguments, 'file' | 'at'> {
  const [, file, name] = /^(.*?\.[cm]?[jt]sx?):([^\\/]+)$/i.exec(given ?? '') ?? [];
  if (file === undefined || name === undefined) return { file: given, at: undefined };
  const [, line, column] = /^(\d+)(?::(\d+))?$/.exec(name) ?? [];
  if (line === undefined) return { file, at: { name } };
  return { file, at: { line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) } };
}
