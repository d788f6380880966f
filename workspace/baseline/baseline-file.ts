// `.nodometer/baseline.json`: findings that a team knows of and leaves for now. One entry a finding, in an order that makes for small
// diffs.
import { isRecord } from '../../protocol/unknown-values.ts';
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { MOST_BYTES, readTextFile } from '../../files/read-text-file.ts';
import { CommandError } from '../errors.ts';
import { findRepositoryRoot } from '../discovery/git-ignore.ts';
import { lock } from '../lock.ts';
import { linkStatsOf } from '../../files/path-stats.ts';

export const BASELINE_FILE = join('.nodometer', 'baseline.json');

export interface KnownEntry {
  /** Relative to the folder of the baseline, with `/`. */
  file: string;
  rule: string;
  function?: string;
  /** All routes that led to the place. */
  routes: readonly string[];
  /** The place, shortened, for people. */
  code: string;
  /** Hash of the place's syntax. */
  print: string;
  /** Hash of the syntax of the function around it: what recognizes code that has moved to another file. */
  around: string;
  /** yyyy-mm-dd, when it was accepted. */
  date: string;
  reason?: string;
}

const TEXTS = ['file', 'rule', 'code', 'print', 'around', 'date'] as const;

/** The baseline that a run in `cwd` means: the named file, or the nearest one up to the root of the repository, or a new one in `cwd`. */
export function findBaseline(cwd: string, named: string | undefined): string {
  if (named !== undefined) return resolve(cwd, named);
  const root = findRepositoryRoot(cwd);
  for (let at = cwd; ; at = dirname(at)) {
    const path = join(at, BASELINE_FILE);
    if (linkStatsOf(path)) return path;
    if (root === undefined || at === root || dirname(at) === at) return join(cwd, BASELINE_FILE);
  }
}

/** The folder that the entries' paths start from. */
export function folderOfBaseline(path: string): string {
  const folder = dirname(path);
  return basename(folder) === '.nodometer' ? dirname(folder) : folder;
}

export function nameIn(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}

/**
 * The entries; undefined where there is no such file.
 * @throws CommandError for a file that cannot be used: a gate that silently knows nothing would fail everybody, or pass everything
 */
export function readBaseline(path: string): KnownEntry[] | undefined {
  const reading = readTextFile(path, MOST_BYTES.evidence);
  if (!reading.ok) {
    if (reading.problem === 'missing') return undefined;
    throw new CommandError(`The baseline ${path} ${reading.why}.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(reading.text);
  } catch (error) {
    const why = /^(?:<{7}|={7}|>{7})/m.test(reading.text) ? 'it has conflict markers of a merge' : (error as Error).message;
    throw new CommandError(
      `The baseline ${path} is damaged: ${why}. It was left as it is. Restore it from version control, or delete it and run \`nodometer lint --update-baseline\`.`,
    );
  }
  if (!isRecord(value) || !Array.isArray(value.findings))
    throw new CommandError(`${path} is not a baseline: it has no list \`findings\`. It was left as it is.`);
  if (value.version !== 1)
    throw new CommandError(`The baseline ${path} has version ${JSON.stringify(value.version)}, and this Nodometer reads version 1.`);
  return value.findings.map((entry: unknown, i) => {
    const problem = whyNoEntry(entry);
    if (problem !== undefined) throw new CommandError(`The baseline ${path} is damaged: entry ${i + 1} ${problem}. It was left as it is.`);
    return entry as KnownEntry;
  });
}

function whyNoEntry(entry: unknown): string | undefined {
  if (!isRecord(entry)) return 'is not an object';
  for (const name of TEXTS) if (typeof entry[name] !== 'string') return `has no text \`${name}\``;
  for (const name of ['function', 'reason'])
    if (entry[name] !== undefined && typeof entry[name] !== 'string') return `has a \`${name}\` that is not a text`;
  if (!Array.isArray(entry.routes) || entry.routes.some((route) => typeof route !== 'string')) return 'has no list of texts `routes`';
  return undefined;
}

/**
 * Writes the entries in one step, so that nobody ever reads half of them.
 * @param before what was read: if another program has written since, nothing is
 */
export function writeBaseline(path: string, before: readonly KnownEntry[] | undefined, entries: readonly KnownEntry[]): void {
  // A stranger's repository can hold a link to any place of the machine.
  const own = basename(dirname(path)) === '.nodometer' ? [dirname(path), path] : [path];
  for (const one of own)
    if (linkStatsOf(one)?.isSymbolicLink()) throw new CommandError(`The baseline was not written, because ${one} is a link.`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const unlock = lock(`${path}.lock`);
    try {
      if (JSON.stringify(readBaseline(path)) !== JSON.stringify(before))
        throw new CommandError(`The baseline was not written: another program has changed ${path} in the meantime. Run the command again.`);
      const partial = `${path}.${randomUUID()}.tmp`;
      try {
        writeFileSync(partial, textOf(entries), { flag: 'wx' });
        renameSync(partial, path);
      } catch (error) {
        rmSync(partial, { force: true });
        throw error;
      }
    } finally {
      unlock();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`The baseline ${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  }
}

function textOf(entries: readonly KnownEntry[]): string {
  const sorted = [...entries].sort(
    (a, b) =>
      compare(a.file, b.file) ||
      compare(a.rule, b.rule) ||
      compare(a.function ?? '', b.function ?? '') ||
      compare(a.code, b.code) ||
      compare(a.print, b.print) ||
      compare(a.routes.join(), b.routes.join()) ||
      compare(a.around, b.around) ||
      compare(a.date, b.date),
  );
  const findings = sorted.map(({ file, rule, function: fn, routes, code, print, around, date, reason }) => ({
    file,
    rule,
    ...(fn === undefined ? {} : { function: fn }),
    routes,
    code,
    print,
    around,
    date,
    ...(reason === undefined ? {} : { reason }),
  }));
  return `${JSON.stringify({ version: 1, findings }, undefined, 2)}\n`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
