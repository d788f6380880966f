// The arguments of `nodometer lint`, read and checked.
import { parseArgs } from 'node:util';
import { NAMED_FIXES, SEVERITIES, type FixKind, type NamedFix, type Severity } from '../../protocol/finding.ts';
import { didYouMean } from '../../workspace/config/closest-name.ts';
import { listOf } from '../../workspace/count.ts';
import { CommandError } from '../../workspace/errors.ts';

export const FORMATS = ['stylish', 'json', 'sarif', 'github'] as const;
export type FormatName = (typeof FORMATS)[number];

const FIX_KINDS: readonly FixKind[] = ['safe', 'suggestion'];

export interface LintArguments {
  paths: readonly string[];
  format: FormatName;
  outputFile?: string;
  /** The strongest kind of fix to make; undefined for none. */
  fix?: FixKind;
  /** Suggestions that are made only if they are named. */
  namedFixes: readonly NamedFix[];
  /** Make the fixes in memory only. */
  dryRun: boolean;
  /** Rule id to severity, as `--rule` gave them. */
  severities: ReadonlyMap<string, Severity>;
  /** Whether callers of exported functions count, too. */
  exports: boolean;
  configFile?: string;
  useConfig: boolean;
  /** Whether the rest of the project counts where only a part of it is named. */
  useProject: boolean;
  useCache: boolean;
  /** Whether kept verdicts change severities. */
  useEvidence: boolean;
  /** A file, or a folder for it. */
  cacheLocation?: string;
  /** Part of the files to report, from 1. */
  shard?: { index: number; count: number };
  ignores: readonly string[];
  useIgnoreFiles: boolean;
  /** Undefined: any number. */
  maxWarnings?: number;
  nodeRange?: string;
  quiet: boolean;
  listFiles: boolean;
  stdin: boolean;
  stdinFilename?: string;
  /** Undefined: decided by the environment and the terminal. */
  color?: boolean;
  progress: boolean;
  exitZero: boolean;
  /** A run without any file is no failure. */
  passOnNoFiles: boolean;
  /** Warnings that no run has judged fail. */
  requireEvidence: boolean;
  help: boolean;
}

export type OptionConfig = { type: 'boolean' | 'string'; short?: string; multiple?: boolean };

export const LINT_OPTIONS: Readonly<Record<string, OptionConfig>> = {
  'cache-location': { type: 'string' },
  color: { type: 'boolean' },
  config: { type: 'string', short: 'c' },
  'exit-zero': { type: 'boolean' },
  exports: { type: 'boolean' },
  fix: { type: 'boolean' },
  'fix-dry-run': { type: 'boolean' },
  'fix-type': { type: 'string' },
  'fix-kind': { type: 'string', multiple: true },
  format: { type: 'string', short: 'f' },
  help: { type: 'boolean', short: 'h' },
  ignore: { type: 'string', multiple: true },
  'list-files': { type: 'boolean' },
  'max-warnings': { type: 'string' },
  'no-cache': { type: 'boolean' },
  'no-color': { type: 'boolean' },
  'no-evidence': { type: 'boolean' },
  'no-config': { type: 'boolean' },
  'no-ignore': { type: 'boolean' },
  'no-progress': { type: 'boolean' },
  'no-project': { type: 'boolean' },
  node: { type: 'string' },
  'output-file': { type: 'string', short: 'o' },
  'pass-on-no-files': { type: 'boolean' },
  quiet: { type: 'boolean' },
  'require-evidence': { type: 'boolean' },
  rule: { type: 'string', multiple: true },
  shard: { type: 'string' },
  stdin: { type: 'boolean' },
  'stdin-filename': { type: 'string' },
};

/** Options of a command by name, unknown ones and missing values refused with words of our own. */
export function readOptions(
  argv: readonly string[],
  options: Readonly<Record<string, OptionConfig>>,
): { values: Map<string, string[]>; positionals: string[] } {
  // `strict` would refuse an unknown option without saying which one was meant.
  const { tokens } = parseArgs({
    args: [...argv],
    options: options as Record<string, OptionConfig>,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const config = options[token.name];
    if (!config) {
      const names = Object.keys(options);
      const closest = didYouMean(token.name, names).replace('`', '`--');
      throw new CommandError(`Unknown option \`${token.rawName}\`.${closest}`);
    }
    if (config.type === 'string' && !token.value) throw new CommandError(`\`${token.rawName}\` requires a value.`);
    if (config.type === 'boolean' && token.value !== undefined)
      throw new CommandError(`\`${token.rawName}\` does not take a value (got \`${token.value}\`).`);
    const before = values.get(token.name);
    if (before && config.type === 'string' && !config.multiple) throw new CommandError(`\`--${token.name}\` can be given only once.`);
    if (before) before.push(token.value ?? '');
    else values.set(token.name, [token.value ?? '']);
  }
  return { values, positionals };
}

export function parseLintArguments(argv: readonly string[]): LintArguments {
  const { values, positionals } = readOptions(argv, LINT_OPTIONS);
  const one = (name: string) => values.get(name)?.[0];
  const refuseBoth = (a: string, b: string) => {
    if (values.has(a) && values.has(b)) throw new CommandError(`\`--${a}\` and \`--${b}\` cannot be used together.`);
  };
  refuseBoth('color', 'no-color');
  refuseBoth('config', 'no-config');
  refuseBoth('stdin', 'list-files');
  refuseBoth('fix', 'fix-dry-run');
  refuseBoth('no-cache', 'cache-location');
  refuseBoth('no-evidence', 'require-evidence');
  for (const name of ['fix', 'fix-dry-run', 'stdin', 'list-files']) refuseBoth('shard', name);
  const stdin = values.has('stdin');
  if (values.has('stdin-filename') && !stdin) throw new CommandError('`--stdin-filename` requires `--stdin`.');
  if (stdin && positionals.length > 0)
    throw new CommandError(
      `\`--stdin\` does not take a path, but \`${positionals[0]}\` was given. To name the input, use \`--stdin-filename\`.`,
    );
  if (positionals.includes('-'))
    throw new CommandError('`-` is not a path. To lint standard input, use `--stdin --stdin-filename <path>`.');
  const wantsFix = values.has('fix') || values.has('fix-dry-run') || values.has('fix-type') || values.has('fix-kind');
  const fixType = one('fix-type');
  return {
    paths: positionals.length > 0 ? positionals : ['.'],
    format: oneOf('format', one('format') ?? 'stylish', FORMATS),
    outputFile: one('output-file'),
    fix: wantsFix ? oneOf('fix-type', fixType ?? (values.has('fix-kind') ? 'suggestion' : 'safe'), FIX_KINDS) : undefined,
    namedFixes: (values.get('fix-kind') ?? []).map((name) => oneOf('fix-kind', name, NAMED_FIXES)),
    dryRun: values.has('fix-dry-run'),
    severities: readSeverities(values.get('rule') ?? []),
    exports: values.has('exports'),
    configFile: one('config'),
    useConfig: !values.has('no-config'),
    useProject: !values.has('no-project'),
    useCache: !values.has('no-cache'),
    useEvidence: !values.has('no-evidence'),
    cacheLocation: one('cache-location'),
    shard: readShard(one('shard')),
    ignores: values.get('ignore') ?? [],
    useIgnoreFiles: !values.has('no-ignore'),
    maxWarnings: readMaxWarnings(one('max-warnings')),
    nodeRange: one('node'),
    quiet: values.has('quiet'),
    listFiles: values.has('list-files'),
    stdin,
    stdinFilename: one('stdin-filename'),
    color: values.has('color') ? true : values.has('no-color') ? false : undefined,
    progress: !values.has('no-progress'),
    exitZero: values.has('exit-zero'),
    passOnNoFiles: values.has('pass-on-no-files'),
    requireEvidence: values.has('require-evidence'),
    help: values.has('help'),
  };
}

export function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((name) => name === value);
  if (found) return found;
  throw new CommandError(`\`--${option}\` must be ${listOf(allowed, 'or')}, not \`${value}\`.${didYouMean(value, allowed)}`);
}

function readMaxWarnings(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^-?\d+$/.test(value)) throw new CommandError(`\`--max-warnings\` must be a whole number, not \`${value}\`.`);
  const limit = Number(value);
  // ESLint's way to say "any number", for scripts that carry it over.
  return limit < 0 ? undefined : limit;
}

function readShard(value: string | undefined): LintArguments['shard'] {
  if (value === undefined) return undefined;
  const [, index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(value) ?? []).map(Number);
  if (index < 1 || index > count) throw new CommandError(`\`--shard\` must have the form <i>/<n>, such as 2/4, not \`${value}\`.`);
  return { index, count };
}

function readSeverities(given: readonly string[]): Map<string, Severity> {
  const severities = new Map<string, Severity>();
  for (const text of given) {
    const [, id, severity] = /^([^=]+)=([^=]*)$/.exec(text) ?? [];
    if (!id || severity === undefined)
      throw new CommandError(`\`--rule\` must have the form \`<id>=<severity>\`, such as \`no-sync-in-handler=error\`, not \`${text}\`.`);
    severities.set(id.trim(), oneOf('rule', severity.trim(), SEVERITIES));
  }
  return severities;
}
