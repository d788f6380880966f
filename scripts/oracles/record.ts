// The record of oracle runs, bench/oracles.json: what was measured, on which Node and machine, for which text of the three files.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { major } from 'semver';
import type { OracleMetric } from '../../rules/shared/oracle.ts';

export type OracleVerdict =
  /** Every run reached the promised value. */
  | 'confirmed'
  /** No run did. */
  | 'refuted'
  /** Some did and some did not: the machine was too busy, or the promise is too high. */
  | 'inconclusive'
  /** The two do not return the same, export no such function, or did not end in time. */
  | 'failed';

export interface Spread {
  lowest: number;
  median: number;
  highest: number;
}

export interface OracleEntry {
  rule: string;
  /** Of the three files; an entry whose hash is not today's says nothing about today's code. */
  hash: string;
  node: string;
  v8: string;
  platform: string;
  cpu: string;
  cores: number;
  /** One-minute load average when the run began: other people's work shows in the figures. */
  load: number;
  date: string;
  metric: OracleMetric;
  atLeast: number;
  nodeRange: string;
  /** Fresh processes, each with its own samples of both. */
  runs: number;
  value?: Spread;
  /** Medians of bad.js and good.js over all runs, in `unit`. */
  bad?: number;
  good?: number;
  unit?: string;
  verdict: OracleVerdict;
  problem?: string;
}

export const ORACLE_FILES = ['bad.js', 'good.js', 'oracle.ts'] as const;

/** Rules whose folder holds all three files, in order. */
export function rulesWithOracle(root: string): string[] {
  return readdirSync(join(root, 'rules'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && ORACLE_FILES.every((file) => existsSync(join(root, 'rules', entry.name, file))))
    .map((entry) => entry.name)
    .sort();
}

/** Keys of a syntax tree that say where and how something is written, not what. */
const FORM_KEYS: ReadonlySet<string> = new Set([
  'start',
  'end',
  'loc',
  'range',
  'extra',
  'leadingComments',
  'innerComments',
  'trailingComments',
]);

/**
 * Of what the files mean: their form, their comments, what they import and the sentence that says why may change without a new measurement.
 */
export function hashOracle(root: string, rule: string): string {
  const hash = createHash('sha256');
  for (const file of ORACLE_FILES) {
    const { program } = parse(readFileSync(join(root, 'rules', rule, file), 'utf8'), { sourceType: 'module', plugins: ['typescript'] });
    const measured = program.body.filter(({ type }) => type !== 'ImportDeclaration');
    const text = JSON.stringify(measured, (key, value: unknown) => {
      if (FORM_KEYS.has(key)) return undefined;
      return Array.isArray(value) ? value.filter((item) => !isReason(item)) : value;
    });
    hash.update(`${file}\0${text}\0`);
  }
  return hash.digest('hex').slice(0, 16);
}

function isReason(node: unknown): boolean {
  return (node as { key?: { name?: unknown } } | null)?.key?.name === 'why';
}

/** Puts a new entry in the place of the one for the same rule and major version; drops entries of texts that are no more. */
export function mergeEntry(entries: readonly OracleEntry[], entry: OracleEntry): OracleEntry[] {
  const kept = entries.filter((old) => old.rule !== entry.rule || (old.hash === entry.hash && major(old.node) !== major(entry.node)));
  return [...kept, entry].sort((a, b) => (a.rule === b.rule ? major(a.node) - major(b.node) : a.rule < b.rule ? -1 : 1));
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { lowest: sorted[0] ?? NaN, median: sorted[sorted.length >> 1] ?? NaN, highest: sorted.at(-1) ?? NaN };
}

export function judge(values: readonly number[], atLeast: number): OracleVerdict {
  if (values.every((value) => value >= atLeast)) return 'confirmed';
  return values.some((value) => value >= atLeast) ? 'inconclusive' : 'refuted';
}

export const TABLE_START = '<!-- oracle: written by npm run oracles -->';
export const TABLE_END = '<!-- /oracle -->';

const METRIC_NAMES: Readonly<Record<OracleMetric, string>> = {
  'time-ratio': 'bad takes × the time of good',
  'loop-delay-ratio': "bad's longest block × good's",
  'timer-starved': 'timer starved (1 = by bad only)',
  'heap-kept': 'bytes that bad keeps per call, more than good',
};

/** The table of a rule's README. */
export function oracleTable(entries: readonly OracleEntry[], rule: string): string {
  const own = entries.filter((entry) => entry.rule === rule);
  const first = own[0];
  if (!first) return `${TABLE_START}\n\nNot measured yet.\n\n${TABLE_END}`;
  const rows = own.map((entry) => {
    const { value } = entry;
    const figures = value
      ? [
          `${number(value.median)} (${number(value.lowest)} to ${number(value.highest)})`,
          `${number(entry.bad)} ${entry.unit}`,
          `${number(entry.good)} ${entry.unit}`,
        ]
      : ['–', '–', '–'];
    return `| ${entry.node} | ${figures.join(' | ')} | ${entry.load} | ${entry.verdict} |`;
  });
  return [
    TABLE_START,
    '',
    `| Node | ${METRIC_NAMES[first.metric]}, median of ${first.runs} runs (range) | bad | good | load | at least ${first.atLeast}? |`,
    '|--|--|--|--|--|--|',
    ...rows,
    '',
    `${first.platform}, ${first.cpu}, ${first.cores} cores, ${[...new Set(own.map((entry) => entry.date))].join(', ')}; load: what else the machine did (its load average when the run began). \`npm run oracles\` measures it again.`,
    '',
    TABLE_END,
  ].join('\n');
}

/** Replaces the marked part of a README; gives the text back unchanged when there is none. */
export function withTable(readme: string, table: string): string {
  const start = readme.indexOf(TABLE_START);
  const end = readme.indexOf(TABLE_END);
  return start < 0 || end < start ? readme : readme.slice(0, start) + table + readme.slice(end + TABLE_END.length);
}

function number(value: number | undefined): string {
  if (value === undefined) return '–';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
