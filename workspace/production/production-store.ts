// `.nodometer/production.json`: what was imported, beside the code that it is about.
import { isRecord } from '../../protocol/unknown-values.ts';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { MOST_BYTES, readTextFile } from '../../files/read-text-file.ts';
import {
  PRODUCTION_KINDS,
  type KeptFunction,
  type KeptRoute,
  type ProductionFile,
  type ProductionSource,
} from '../../protocol/production.ts';
import { count } from '../count.ts';
import { findRepositoryRoot } from '../discovery/git-ignore.ts';
import { CommandError } from '../errors.ts';
import { lock } from '../lock.ts';
import { findProjectRoot } from '../project-index/project-root.ts';
import { replaceWhole, whyElsewhere } from '../profile/kept-file.ts';
import { linkStatsOf } from '../../files/path-stats.ts';

export const PRODUCTION_FILE = join('.nodometer', 'production.json');

/** Older imports than these go. Our choice. */
const MOST_SOURCES = 20;
/** Functions of one file, in all imports together. */
const MOST_OF_FILE = 5000;
export const MOST_ROUTES = 2000;
const DATE = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

type Reading = { sources: readonly ProductionSource[] } | { problem: string };

/**
 * The file that counts in a folder: the nearest one, up to the root of the repository or of the project. Others may write in folders above.
 */
export function findProduction(folder: string): string | undefined {
  const root = findRepositoryRoot(folder) ?? findProjectRoot(folder) ?? folder;
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, PRODUCTION_FILE);
    if (linkStatsOf(path)) return path;
    if (at === root || dirname(at) === at) return undefined;
  }
}

/** The folder that the paths in it start from. */
export function folderOfProduction(path: string): string {
  return dirname(dirname(path));
}

export function readProduction(path: string): Reading {
  const reading = readTextFile(path, MOST_BYTES.evidence);
  if (!reading.ok) return reading.problem === 'missing' ? { sources: [] } : { problem: reading.why };
  let value: unknown;
  try {
    value = JSON.parse(reading.text);
  } catch (error) {
    return { problem: `cannot be read (${(error as Error).message})` };
  }
  if (!isRecord(value) || value.version !== 1 || !Array.isArray(value.sources)) return { problem: 'is not a file of this version' };
  return { sources: value.sources.filter(isSource) };
}

/**
 * Changes the file in one step. Two imports at the same time lose nothing.
 * @throws CommandError where it cannot be written, or must not be
 */
export function updateProduction(
  path: string,
  change: (before: readonly ProductionSource[]) => readonly ProductionSource[],
  warn: (message: string) => void,
): void {
  const elsewhere = whyElsewhere(path, folderOfProduction(path));
  if (elsewhere !== undefined) throw new CommandError(`Nothing was saved: ${elsewhere}.`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const unlock = lock(`${path}.lock`);
    try {
      const before = readProduction(path);
      if ('problem' in before)
        throw new CommandError(`Nothing was saved, because ${path} ${before.problem}. It was left as it is. To start again, delete it.`);
      const after = change(before.sources);
      if (after.length === 0) rmSync(path, { force: true });
      else write(path, after, warn);
    } finally {
      unlock();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  }
}

function write(path: string, sources: readonly ProductionSource[], warn: (message: string) => void): void {
  const byAge = [...sources].sort((a, b) => (a.date < b.date ? 1 : -1));
  let kept = byAge.slice(0, MOST_SOURCES);
  let text = textOf(kept);
  // What is larger than what is read would be lost as a whole the next time.
  while (Buffer.byteLength(text) > MOST_BYTES.evidence && kept.length > 1) {
    kept = kept.slice(0, -1);
    text = textOf(kept);
  }
  if (kept.length < sources.length)
    warn(`${path} is full: ${count(sources.length - kept.length, 'old import was', 'old imports were')} removed.`);
  replaceWhole(path, text);
}

/** In an order that makes for small diffs. */
function textOf(sources: readonly ProductionSource[]): string {
  const content: ProductionFile = { version: 1, sources: [...sources].sort((a, b) => (a.name < b.name ? -1 : 1)) };
  return `${JSON.stringify(content, undefined, 1)}\n`;
}

function isSource(value: unknown): value is ProductionSource {
  return (
    isRecord(value) &&
    typeof value.name === 'string' &&
    PRODUCTION_KINDS.some((kind) => kind === value.kind) &&
    typeof value.date === 'string' &&
    DATE.test(value.date) &&
    (value.commit === undefined || typeof value.commit === 'string') &&
    isAmount(value.total) &&
    Array.isArray(value.functions) &&
    value.functions.every(isFunction) &&
    Array.isArray(value.routes) &&
    value.routes.every(isRoute)
  );
}

function isFunction(value: unknown): value is KeptFunction {
  return (
    isRecord(value) &&
    ['file', 'function', 'hash'].every((name) => typeof value[name] === 'string') &&
    isAmount(value.line) &&
    ['total', 'self', 'calls'].every((name) => value[name] === undefined || isAmount(value[name]))
  );
}

function isRoute(value: unknown): value is KeptRoute {
  return isRecord(value) && typeof value.method === 'string' && typeof value.route === 'string' && isAmount(value.requests);
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** What was imported about one file. */
export interface ProductionOfFile {
  functions: readonly { source: ProductionSource; kept: KeptFunction }[];
  sources: readonly ProductionSource[];
}

/** Each file is read once. */
export class ProductionStores {
  readonly #warn: (message: string) => void;
  readonly #ofFolder = new Map<string, string | undefined>();
  readonly #read = new Map<string, { sources: readonly ProductionSource[]; byFile: ReadonlyMap<string, ProductionOfFile['functions']> }>();

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** Undefined where nothing was imported. */
  forFile(file: string): ProductionOfFile | undefined {
    const folder = dirname(file);
    if (!this.#ofFolder.has(folder)) this.#ofFolder.set(folder, findProduction(folder));
    const path = this.#ofFolder.get(folder);
    if (path === undefined) return undefined;
    const { sources, byFile } = this.#contentOf(path);
    const name = relative(folderOfProduction(path), file).split(sep).join('/');
    return sources.length === 0 ? undefined : { functions: byFile.get(name) ?? [], sources };
  }

  #contentOf(path: string): { sources: readonly ProductionSource[]; byFile: ReadonlyMap<string, ProductionOfFile['functions']> } {
    let known = this.#read.get(path);
    if (!known) {
      const reading = readProduction(path);
      if ('problem' in reading) this.#warn(`${path} ${reading.problem} and is ignored.`);
      const sources = 'problem' in reading ? [] : [...reading.sources].sort((a, b) => (a.date < b.date ? 1 : -1));
      const byFile = new Map<string, { source: ProductionSource; kept: KeptFunction }[]>();
      for (const source of sources)
        for (const kept of source.functions) {
          const list = byFile.get(kept.file);
          if (list && list.length >= MOST_OF_FILE) continue;
          if (list) list.push({ source, kept });
          else byFile.set(kept.file, [{ source, kept }]);
        }
      this.#read.set(path, (known = { sources, byFile }));
    }
    return known;
  }
}
