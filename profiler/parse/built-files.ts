// JavaScript that a build made of other files, and the source map that it left: read from the disk, and believed only where the sources are
// still those.
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MOST_BYTES, textOfFile } from '../../files/read-text-file.ts';
import type { CompiledFile } from './source-maps.ts';

export type BuiltFile =
  | { ok: true; compiled: CompiledFile }
  /** Sources that are not what was built; absolute. */
  | { ok: false; changed: string[] };

const MAP_COMMENT = /^[ \t]*\/\/[#@] sourceMappingURL=(\S+)[ \t]*$/gm;
const DATA_URL = /^data:application\/json[^,]*?(;base64)?,(.*)$/s;

/** Undefined where nothing says that the file was built of files of the user's. `text`: of the file. `isUserFile`: of its sources. */
export function findBuilt(file: string, text: string, isUserFile: (source: string) => boolean): BuiltFile | undefined {
  const built = findBuild(file, text, isUserFile);
  if (!built) return undefined;
  const { compiled, changed } = built;
  return changed.length > 0 ? { ok: false, changed } : { ok: true, compiled };
}

export interface Build {
  compiled: CompiledFile;
  /** The texts that were built, where the map has them, in the order of the sources. */
  contents: readonly (string | undefined)[];
  /** Sources that are another text by now; absolute. */
  changed: string[];
}

/** The same with what was built, for places in it that are older than the sources of today. */
export function findBuild(file: string, text: string, isUserFile: (source: string) => boolean): Build | undefined {
  const url = [...text.matchAll(MAP_COMMENT)].at(-1)?.[1];
  const found = url === undefined ? undefined : readMapOf(file, url);
  const parsed = found && parseMap(found.json);
  if (!found || !parsed) return undefined;
  const sources = parsed.sources
    .map((source) => sourcePath(source, parsed.sourceRoot ?? '', found.folder))
    .map((source) => (source !== undefined && existsSync(source) && isUserFile(source) ? source : undefined));
  if (sources.every((source) => source === undefined)) return undefined;
  const changed = sources.flatMap((source, i) =>
    source !== undefined && hasChanged(source, parsed.sourcesContent?.[i], file) ? [source] : [],
  );
  const contents = sources.map((_, i) => parsed.sourcesContent?.[i] ?? undefined);
  return { compiled: { file, text, map: found.json, sources }, contents, changed };
}

/** `folder`: what the map's paths are relative to. */
function readMapOf(file: string, url: string): { json: string; folder: string } | undefined {
  const [, base64, data] = DATA_URL.exec(url) ?? [];
  try {
    if (data !== undefined)
      return { json: base64 ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data), folder: dirname(file) };
    const path = resolve(dirname(file), decodeURIComponent(url));
    const json = textOfFile(path, MOST_BYTES.runs);
    return json === undefined ? undefined : { json, folder: dirname(path) };
  } catch {
    // It is not there, or no text: then it is JavaScript like any other.
    return undefined;
  }
}

interface RawMap {
  sources: (string | null)[];
  sourceRoot?: string;
  sourcesContent?: (string | null)[];
}

function parseMap(json: string): RawMap | undefined {
  try {
    const map = JSON.parse(json) as Partial<RawMap> | null;
    return Array.isArray(map?.sources) ? (map as RawMap) : undefined;
  } catch {
    // As if there were none.
    return undefined;
  }
}

/** Undefined for what is no path, such as `webpack://…`. */
function sourcePath(source: string | null, root: string, folder: string): string | undefined {
  if (source === null) return undefined;
  const whole = root === '' || /^(?:\/|[a-z]+:)/i.test(source) ? source : `${root.replace(/\/$/, '')}/${source}`;
  if (!/^[a-z][a-z+.-]+:/i.test(whole)) return resolve(folder, whole);
  return whole.startsWith('file:') ? fileURLToPath(whole) : undefined;
}

/** What was built says what it was built of, or when. */
function hasChanged(source: string, content: string | null | undefined, built: string): boolean {
  try {
    if (typeof content === 'string')
      return textOfFile(source, MOST_BYTES.namedSource)?.replace(/^\uFEFF/, '') !== content.replace(/^\uFEFF/, '');
    return statSync(source).mtimeMs > statSync(built).mtimeMs;
  } catch {
    // It went away meanwhile.
    return true;
  }
}

const MOST_NAMED = 3;

/** As a sentence. */
export function changedSentence(built: readonly string[], changed: readonly string[]): string {
  return `${named(built)} ${built.length === 1 ? 'is' : 'are'} outdated: ${named(changed)} ${changed.length === 1 ? 'has' : 'have'} changed since the build. Locations refer to the built code. Build again.`;
}

function named(files: readonly string[]): string {
  return `${files.slice(0, MOST_NAMED).join(', ')}${files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : ''}`;
}
