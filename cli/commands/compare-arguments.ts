// The arguments of `nodometer compare`, read and checked.
import { readRequest } from '../../analysis/profile/requests.ts';
import { CommandError } from '../../workspace/errors.ts';
import { oneOf, readOptions } from './lint-arguments.ts';
import { PROFILE_FORMATS, targetOf, type FunctionPlace, type ProfileFormat } from './profile-arguments.ts';

/** With what the present state is compared. */
export type Other = { kind: 'commit'; ref: string } | { kind: 'folder'; folder: string } | { kind: 'fix'; ruleId: string };

export interface CompareArguments {
  /** Undefined where a script is run. */
  file?: string;
  /** An npm script's name. */
  script?: string;
  /** Undefined for the whole file. */
  at: FunctionPlace | undefined;
  /** Behind `--`, for the program. */
  programArguments: readonly string[];
  other: Other;
  calls: readonly string[];
  body?: string;
  entry?: string;
  node?: string;
  mayDownload: boolean;
  /** Processes of each of the two. */
  rounds: number;
  /** Slower by less is no failure, as a share. */
  tolerance: number;
  readOnly: boolean;
  yes: boolean;
  format: ProfileFormat;
  outputFile?: string;
  color?: boolean;
  help: boolean;
}

const OPTIONS = {
  against: { type: 'string' },
  base: { type: 'string' },
  body: { type: 'string' },
  call: { type: 'string', multiple: true },
  color: { type: 'boolean' },
  'download-node': { type: 'boolean' },
  entry: { type: 'string' },
  fix: { type: 'string' },
  format: { type: 'string', short: 'f' },
  help: { type: 'boolean', short: 'h' },
  'no-color': { type: 'boolean' },
  node: { type: 'string' },
  'output-file': { type: 'string', short: 'o' },
  'read-only': { type: 'boolean' },
  request: { type: 'string', multiple: true },
  rounds: { type: 'string' },
  script: { type: 'string' },
  tolerance: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
} as const;

/**
 * Of 12 and 12 processes, a difference of a fifth shows through a spread of a tenth in 97 of 100 comparisons
 * (test/profiler/judge/cost.test.ts).
 */
const DEFAULT_ROUNDS = 12;
/** Fewer have no interval of 99.7 %. */
const ROUNDS = { least: 6, most: 200 };
const DEFAULT_TOLERANCE_PERCENT = 5;

export function parseCompareArguments(argv: readonly string[]): CompareArguments {
  const split = argv.indexOf('--');
  const programArguments = split === -1 ? [] : argv.slice(split + 1);
  const { values, positionals } = readOptions(split === -1 ? argv : argv.slice(0, split), OPTIONS);
  const one = (name: keyof typeof OPTIONS) => values.get(name)?.[0];
  const help = values.has('help');
  const [given, ...more] = positionals;
  const { file, at } = targetOf(given);
  const script = one('script');
  if (!help && (file === undefined) === (script === undefined))
    throw new CommandError(
      'Specify a function, by name or line, a file, or a script: `nodometer compare --base main file.js:functionName`, `… file.js`, `… --script build`.',
    );
  if (more.length > 0) throw new CommandError(`Only one function or program can be compared at a time; \`${more[0]}\` is unexpected.`);
  const others = (['base', 'against', 'fix'] as const).filter((name) => values.has(name));
  if (!help && others.length !== 1)
    throw new CommandError('Specify what to compare with, one of: `--base <commit>`, `--against <folder>`, `--fix <rule>`.');
  const requests = values.get('request') ?? [];
  const wrong = requests.find((text) => !readRequest(text));
  if (wrong !== undefined) throw new CommandError(`\`--request\` must be a method and a path, such as "GET /users/1", not \`${wrong}\`.`);
  if (requests.length > 0 && values.has('call')) throw new CommandError('`--call` and `--request` cannot be used together.');
  const isProgram = at === undefined;
  if (!help && isProgram) {
    const ofFunctions = (['call', 'request', 'body', 'entry', 'fix'] as const).find((name) => values.has(name));
    if (ofFunctions !== undefined)
      throw new CommandError(`\`--${ofFunctions}\` requires a function: \`nodometer compare … file.js:functionName\`.`);
  } else if (programArguments.length > 0) throw new CommandError('Arguments after `--` are for files and scripts, not for functions.');
  const rounds = Number(one('rounds') ?? DEFAULT_ROUNDS);
  if (!(Number.isInteger(rounds) && rounds >= ROUNDS.least && rounds <= ROUNDS.most))
    throw new CommandError(`\`--rounds\` must be a whole number from ${ROUNDS.least} to ${ROUNDS.most}, not \`${one('rounds')}\`.`);
  const tolerance = Number(one('tolerance') ?? DEFAULT_TOLERANCE_PERCENT);
  if (!(tolerance >= 0 && tolerance <= 100))
    throw new CommandError(`\`--tolerance\` must be a percentage from 0 to 100, not \`${one('tolerance')}\`.`);
  const fix = one('fix');
  return {
    file,
    script,
    at,
    programArguments,
    other:
      fix !== undefined
        ? { kind: 'fix', ruleId: fix }
        : one('against') !== undefined
          ? { kind: 'folder', folder: one('against') ?? '' }
          : { kind: 'commit', ref: one('base') ?? 'HEAD' },
    calls: values.get('call') ?? requests,
    body: one('body'),
    entry: one('entry'),
    node: one('node'),
    mayDownload: values.has('download-node'),
    rounds,
    tolerance: tolerance / 100,
    readOnly: values.has('read-only'),
    yes: values.has('yes'),
    format: oneOf('format', one('format') ?? 'text', PROFILE_FORMATS),
    outputFile: one('output-file'),
    color: values.has('color') ? true : values.has('no-color') ? false : undefined,
    help,
  };
}
