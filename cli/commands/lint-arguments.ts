// The arguments of `nodometer lint`, read and checked.
import { parseArgs } from 'node:util';
import { NAMED_FIXES, SEVERITIES, type FixKind, type NamedFix, type Severity } from '../../protocol/finding.ts';
import type { ExportsMode } from '../../workspace/config/rule-settings.ts';
import { didYouMean } from '../../workspace/config/closest-name.ts';
import { listOf } from '../../workspace/count.ts';
import { CommandError } from '../../workspace/errors.ts';

export const FORMATS = ['stylish', 'json', 'sarif', 'github', 'gitlab', 'junit', 'markdown', 'agent'] as const;
/** Of findings in a report. */
export const ORDERS = ['place', 'production'] as const;
export type Order = (typeof ORDERS)[number];
export type FormatName = (typeof FORMATS)[number];

const FIX_KINDS: readonly FixKind[] = ['safe', 'suggestion'];

/** One report of the run. */
export interface Output {
  format: FormatName;
  /** Undefined: standard output. One report at most goes there. */
  file?: string;
}

/** Findings that are known, and what becomes of them. */
export interface BaselineArguments {
  /** Undefined: the usual one. */
  file?: string;
  /** All findings of the run are known from now on. */
  update: boolean;
  /** Entries without a finding are removed. */
  prune: boolean;
  /** Why the entries that `update` adds are accepted. */
  reason?: string;
}

export interface LintArguments {
  paths: readonly string[];
  outputs: readonly Output[];
  baseline?: BaselineArguments;
  order: Order;
  /** Whether SARIF also has what comments and the baseline suppress. */
  reportsSuppressed: boolean;
  /** Only what has changed since this commit is reported. */
  since?: string;
  /** The strongest kind of fix to make; undefined for none. */
  fix?: FixKind;
  /** Suggestions that are made only if they are named. */
  namedFixes: readonly NamedFix[];
  /** Make the fixes in memory only. */
  dryRun: boolean;
  /** Rule id to severity, as `--rule` gave them. */
  severities: ReadonlyMap<string, Severity>;
  /** Whether callers of exported functions count, too. */
  exports: ExportsMode;
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

/** `optional`: the value follows `=`, or is the next word if that matches. */
export type OptionConfig =
  | { type: 'boolean' | 'string'; short?: string; multiple?: boolean }
  | { type: 'optional'; value: RegExp; short?: undefined; multiple?: undefined };

/** The next word may be a path to lint. A JSON file is none, unless it is a package.json. */
const BASELINE_NAME = /^(?!(?:.*[\\/])?package\.json$).*\.json$/;

export const LINT_OPTIONS: Readonly<Record<string, OptionConfig>> = {
  baseline: { type: 'optional', value: BASELINE_NAME },
  'baseline-reason': { type: 'string' },
  'cache-location': { type: 'string' },
  color: { type: 'boolean' },
  config: { type: 'string', short: 'c' },
  'exit-zero': { type: 'boolean' },
  exports: { type: 'boolean' },
  fix: { type: 'boolean' },
  'fix-dry-run': { type: 'boolean' },
  'fix-type': { type: 'string' },
  'fix-kind': { type: 'string', multiple: true },
  format: { type: 'string', short: 'f', multiple: true },
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
  order: { type: 'string' },
  'output-file': { type: 'string', short: 'o' },
  'pass-on-no-files': { type: 'boolean' },
  'prune-baseline': { type: 'boolean' },
  quiet: { type: 'boolean' },
  'report-suppressed': { type: 'boolean' },
  'require-evidence': { type: 'boolean' },
  rule: { type: 'string', multiple: true },
  shard: { type: 'string' },
  since: { type: 'string' },
  stdin: { type: 'boolean' },
  'stdin-filename': { type: 'string' },
  'update-baseline': { type: 'boolean' },
};

/** Options of a command by name, unknown ones and missing values refused with words of our own. */
export function readOptions(
  argv: readonly string[],
  options: Readonly<Record<string, OptionConfig>>,
): { values: Map<string, string[]>; positionals: string[] } {
  // `strict` would refuse an unknown option without saying which one was meant.
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(Object.entries(options).map(([name, { type, short }]) => [name, parsedAs(type, short)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  /** A value that was already taken. */
  let taken: number | undefined;
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'positional' && i !== taken) positionals.push(token.value);
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
    let value = token.value ?? '';
    if (config.type === 'optional') {
      if (before) throw new CommandError(`\`--${token.name}\` can be given only once.`);
      if (token.value === '') throw new CommandError(`\`${token.rawName}=\` requires a value.`);
      const next = tokens[i + 1];
      if (value === '' && next?.kind === 'positional' && config.value.test(next.value)) {
        value = next.value;
        taken = i + 1;
      }
    }
    if (before) before.push(value);
    else values.set(token.name, [value]);
  }
  return { values, positionals };
}

/** For parseArgs, which knows no optional values. It takes one behind `=` for a boolean option, too, if it is not strict. */
function parsedAs(type: OptionConfig['type'], short: string | undefined): { type: 'boolean' | 'string'; short?: string } {
  return { type: type === 'optional' ? 'boolean' : type, ...(short === undefined ? {} : { short }) };
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
  if (values.has('no-evidence') && one('order') === 'production')
    throw new CommandError('`--no-evidence` and `--order production` cannot be used together.');
  for (const name of ['fix', 'fix-dry-run', 'stdin', 'list-files']) refuseBoth('shard', name);
  refuseBoth('update-baseline', 'prune-baseline');
  // A run that sees only a part of the findings would take the others for gone.
  for (const name of ['update-baseline', 'prune-baseline'])
    for (const part of ['shard', 'stdin', 'since', 'fix-dry-run']) refuseBoth(name, part);
  if (values.has('report-suppressed') && !(values.get('format') ?? []).some((format) => /^sarif(?:$|:)/.test(format)))
    throw new CommandError('`--report-suppressed` requires `--format sarif`.');
  if (values.has('baseline-reason') && !values.has('update-baseline'))
    throw new CommandError('`--baseline-reason` requires `--update-baseline`.');
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
  const outputs = readOutputs(values.get('format') ?? ['stylish'], one('output-file'));
  const baseline = readBaselineArguments(values);
  return {
    paths: positionals.length > 0 ? positionals : ['.'],
    outputs,
    baseline,
    order: oneOf('order', one('order') ?? 'place', ORDERS),
    since: one('since'),
    reportsSuppressed: values.has('report-suppressed'),
    fix: wantsFix ? oneOf('fix-type', fixType ?? (values.has('fix-kind') ? 'suggestion' : 'safe'), FIX_KINDS) : undefined,
    namedFixes: (values.get('fix-kind') ?? []).map((name) => oneOf('fix-kind', name, NAMED_FIXES)),
    dryRun: values.has('fix-dry-run'),
    severities: readSeverities(values.get('rule') ?? []),
    // Agents are asked to make a library faster as often as a server. What is compared with a baseline stays as it is without the format.
    exports:
      values.has('exports') || (baseline === undefined && outputs.every(({ format }) => format === 'agent') ? 'in-libraries' : false),
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

/** `sarif` or `sarif:report.sarif`. */
function readOutputs(given: readonly string[], outputFile: string | undefined): Output[] {
  const outputs = given.map((text): Output => {
    const colon = text.indexOf(':');
    const format = oneOf('format', colon === -1 ? text : text.slice(0, colon), FORMATS);
    if (colon === text.length - 1) throw new CommandError(`\`--format ${text}\` requires a file after the colon.`);
    return { format, ...(colon === -1 ? {} : { file: text.slice(colon + 1) }) };
  });
  const unnamed = outputs.filter(({ file }) => file === undefined);
  if (unnamed.length > 1)
    throw new CommandError(
      `Only one report can be written to standard output. Name files for the others, such as \`--format ${unnamed[1]?.format}:report.txt\`.`,
    );
  if (outputFile === undefined) return outputs;
  if (unnamed.length === 0) throw new CommandError('`--output-file` has no report to write: each `--format` names its own file.');
  return outputs.map((output) => (output.file === undefined ? { ...output, file: outputFile } : output));
}

function readBaselineArguments(values: ReadonlyMap<string, readonly string[]>): BaselineArguments | undefined {
  const [update, prune] = [values.has('update-baseline'), values.has('prune-baseline')];
  const file = values.get('baseline')?.[0];
  if (file === undefined && !update && !prune) return undefined;
  return { file: file === '' ? undefined : file, update, prune, reason: values.get('baseline-reason')?.[0] };
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
