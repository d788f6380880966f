// The arguments of `nodometer paths` and `nodometer graph`, read and checked.
import { CommandError } from '../../workspace/errors.ts';
import { oneOf, readOptions, type OptionConfig } from './lint-arguments.ts';
import { checkNodeRange, type SetupArguments } from '../run-setup.ts';

export interface GraphArguments<F extends string> extends SetupArguments {
  positionals: readonly string[];
  format: F;
  outputFile?: string;
  /** Functions that are listed at most. */
  maxNodes: number;
  /** Functions that no request reaches, too. */
  all: boolean;
  color?: boolean;
  help: boolean;
}

const OPTIONS: Readonly<Record<string, OptionConfig>> = {
  'cache-location': { type: 'string' },
  config: { type: 'string', short: 'c' },
  format: { type: 'string', short: 'f' },
  help: { type: 'boolean', short: 'h' },
  ignore: { type: 'string', multiple: true },
  'max-nodes': { type: 'string' },
  'no-cache': { type: 'boolean' },
  'no-config': { type: 'boolean' },
  'no-ignore': { type: 'boolean' },
  'no-progress': { type: 'boolean' },
  node: { type: 'string' },
  'output-file': { type: 'string', short: 'o' },
};
const PATHS_OPTIONS: Readonly<Record<string, OptionConfig>> = { ...OPTIONS, color: { type: 'boolean' }, 'no-color': { type: 'boolean' } };
const GRAPH_OPTIONS: Readonly<Record<string, OptionConfig>> = { ...OPTIONS, all: { type: 'boolean' } };

export const PATHS_FORMATS = ['text', 'json'] as const;
export type PathsFormat = (typeof PATHS_FORMATS)[number];
export const GRAPH_FORMATS = ['json', 'dot', 'mermaid'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

/** More than anybody reads, and as many as Graphviz lays out in a moment. */
const DEFAULT_MAX_NODES = 200;

export const parsePathsArguments = (argv: readonly string[]): GraphArguments<PathsFormat> => parse(argv, PATHS_OPTIONS, PATHS_FORMATS);
export const parseGraphArguments = (argv: readonly string[]): GraphArguments<GraphFormat> => parse(argv, GRAPH_OPTIONS, GRAPH_FORMATS);

function parse<F extends string>(
  argv: readonly string[],
  options: Readonly<Record<string, OptionConfig>>,
  formats: readonly [F, ...F[]] | readonly F[],
): GraphArguments<F> {
  const { values, positionals } = readOptions(argv, options);
  const one = (name: string) => values.get(name)?.[0];
  for (const [a, b] of [
    ['config', 'no-config'],
    ['no-cache', 'cache-location'],
    ['color', 'no-color'],
  ] as const) {
    if (values.has(a) && values.has(b)) throw new CommandError(`\`--${a}\` and \`--${b}\` cannot be used together.`);
  }
  const nodeRange = one('node');
  checkNodeRange(nodeRange);
  return {
    positionals,
    format: oneOf('format', one('format') ?? formats[0] ?? '', formats),
    outputFile: one('output-file'),
    maxNodes: readMaxNodes(one('max-nodes')),
    all: values.has('all'),
    color: values.has('color') ? true : values.has('no-color') ? false : undefined,
    help: values.has('help'),
    severities: new Map(),
    configFile: one('config'),
    useConfig: !values.has('no-config'),
    useProject: true,
    useCache: !values.has('no-cache'),
    cacheLocation: one('cache-location'),
    ignores: values.get('ignore') ?? [],
    useIgnoreFiles: !values.has('no-ignore'),
    nodeRange,
    progress: !values.has('no-progress'),
  };
}

function readMaxNodes(value: string | undefined): number {
  if (value === undefined) return DEFAULT_MAX_NODES;
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new CommandError(`\`--max-nodes\` must be a positive integer, not \`${value}\`.`);
  return Number(value);
}
