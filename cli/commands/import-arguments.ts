// The arguments of `nodometer import`, read and checked.
import { resolve } from 'node:path';
import type { PathPrefix } from '../../workspace/production/project-paths.ts';
import { CommandError } from '../../workspace/errors.ts';
import { oneOf, readOptions, type OptionConfig } from './lint-arguments.ts';
import type { SetupArguments } from '../run-setup.ts';

export const IMPORT_FORMATS = ['text', 'json'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export interface ImportArguments extends SetupArguments {
  files: readonly string[];
  /** Undefined: after the file. */
  name?: string;
  commit?: string;
  /** ISO 8601; undefined: what the file says. */
  date?: string;
  prefixes: readonly PathPrefix[];
  /** Functions that are listed. */
  top: number;
  list: boolean;
  /** Names of imports to remove. */
  remove: readonly string[];
  save: boolean;
  format: ImportFormat;
  outputFile?: string;
  help: boolean;
}

const OPTIONS: Readonly<Record<string, OptionConfig>> = {
  'cache-location': { type: 'string' },
  commit: { type: 'string' },
  config: { type: 'string', short: 'c' },
  date: { type: 'string' },
  format: { type: 'string', short: 'f' },
  help: { type: 'boolean', short: 'h' },
  ignore: { type: 'string', multiple: true },
  list: { type: 'boolean' },
  name: { type: 'string' },
  'no-cache': { type: 'boolean' },
  'no-config': { type: 'boolean' },
  'no-ignore': { type: 'boolean' },
  'no-progress': { type: 'boolean' },
  'no-save': { type: 'boolean' },
  node: { type: 'string' },
  'output-file': { type: 'string', short: 'o' },
  'path-prefix': { type: 'string', multiple: true },
  remove: { type: 'string', multiple: true },
  top: { type: 'string' },
};

const DEFAULT_TOP = 20;
const MOST_NAME_CHARACTERS = 100;

export function parseImportArguments(argv: readonly string[], cwd: string): ImportArguments {
  const { values, positionals } = readOptions(argv, OPTIONS);
  const one = (name: string) => values.get(name)?.[0];
  const refuseBoth = (a: string, b: string) => {
    if (values.has(a) && values.has(b)) throw new CommandError(`\`--${a}\` and \`--${b}\` cannot be used together.`);
  };
  refuseBoth('config', 'no-config');
  refuseBoth('no-cache', 'cache-location');
  refuseBoth('list', 'remove');
  const [list, help] = [values.has('list'), values.has('help')];
  const remove = values.get('remove') ?? [];
  if ((list || remove.length > 0) && positionals.length > 0)
    throw new CommandError(`\`--${list ? 'list' : 'remove'}\` does not take a file to import, but \`${positionals[0]}\` was given.`);
  if (!list && !help && remove.length === 0 && positionals.length === 0)
    throw new CommandError(
      'A file to import is missing: a .cpuprofile, a pprof profile, V8 coverage, or OTLP/JSON. To list what was imported, use `--list`.',
    );
  return {
    files: positionals,
    name: readName(one('name')),
    commit: one('commit'),
    date: readDate(one('date')),
    prefixes: (values.get('path-prefix') ?? []).map((text) => readPrefix(text, cwd)),
    top: readTop(one('top')),
    list,
    remove,
    save: !values.has('no-save'),
    format: oneOf('format', one('format') ?? 'text', IMPORT_FORMATS),
    outputFile: one('output-file'),
    help,
    severities: new Map(),
    configFile: one('config'),
    useConfig: !values.has('no-config'),
    useProject: true,
    useCache: !values.has('no-cache'),
    cacheLocation: one('cache-location'),
    ignores: values.get('ignore') ?? [],
    useIgnoreFiles: !values.has('no-ignore'),
    nodeRange: one('node'),
    progress: !values.has('no-progress'),
  };
}

function readName(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value.trim() === '' || value.length > MOST_NAME_CHARACTERS)
    throw new CommandError(`\`--name\` must have 1 to ${MOST_NAME_CHARACTERS} characters.`);
  return value.trim();
}

function readDate(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00.000Z`) : new Date(NaN);
  // JavaScript makes 2026-02-30 a day of March.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(value))
    throw new CommandError(`\`--date\` must be a date such as 2026-11-21, not \`${value}\`.`);
  return at.toISOString();
}

/** `/app=.` */
function readPrefix(text: string, cwd: string): PathPrefix {
  const at = text.lastIndexOf('=');
  if (at <= 0 || at === text.length - 1)
    throw new CommandError(
      `\`--path-prefix\` must have the form \`<recorded folder>=<folder here>\`, such as \`/app=.\`, not \`${text}\`.`,
    );
  return { from: text.slice(0, at).replaceAll('\\', '/'), to: resolve(cwd, text.slice(at + 1)) };
}

function readTop(value: string | undefined): number {
  if (value === undefined) return DEFAULT_TOP;
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new CommandError(`\`--top\` must be a whole number from 1 to 9999, not \`${value}\`.`);
  return Number(value);
}
