// Reads one source file, unless it is too large, binary, or what a build wrote.
import { basename } from 'node:path';
import { MOST_BYTES, readTextFile } from '../../files/read-text-file.ts';
import type { SkipReason } from './skipped.ts';

/** Default of `maxFileSize`: hand-written files are below it; typescript.js (9 MB) and the like are generated or bundled. */
export const DEFAULT_MAX_FILE_SIZE = 1024 * 1024;

export type SourceReading =
  | { kind: 'text'; text: string }
  | { kind: 'skip'; reason: SkipReason; why: string }
  | { kind: 'failed'; why: string };

const MINIFIED_NAME = /[.-]min\.[cm]?js$/i;
const BUNDLE_NAME = /(?:^|[.-])(?:bundle|chunk)(?:\.[0-9a-f]{6,})?\.[cm]?js$/i;

/** By name alone, so that the file need not be opened. */
export function findBuiltKind(path: string): 'minified' | 'bundle' | undefined {
  const name = basename(path);
  if (MINIFIED_NAME.test(name)) return 'minified';
  return BUNDLE_NAME.test(name) ? 'bundle' : undefined;
}

// git looks for a NUL in the first 8,000 bytes too.
const BINARY_PROBE = 8000;
// Prettier's longest default line is 80; data tables go to 300. Minifiers write lines of 500 characters (uglify's default) and more.
const MINIFIED_LINE = 400;
/** Below this a long line is a short script. */
const MINIFIED_SIZE = 4096;
const HEAD = 3000;
// First lines that webpack, Parcel, browserify, Rollup's System output and esbuild write and people do not.
const BUNDLE_HEAD =
  /webpackBootstrap|__webpack_require__|parcelRequire|^!?\(function\s*\w*\(\)\s*\{\s*function \w\(\w,\s*\w,\s*\w\)|^var __commonJS = |\nvar __commonJS = /;

/** `limit` in bytes. `asNamed`: the user named this very file, so its looks do not matter, and its size hardly. */
export function readSource(path: string, limit: number, asNamed: boolean): SourceReading {
  const reading = readTextFile(path, asNamed ? Math.max(limit, MOST_BYTES.namedSource) : limit);
  if (!reading.ok)
    return reading.problem === 'too-large' ? { kind: 'skip', reason: 'too-large', why: reading.why } : { kind: 'failed', why: reading.why };
  const { text } = reading;
  const nul = text.indexOf('\0');
  if (nul !== -1 && nul < BINARY_PROBE) return { kind: 'skip', reason: 'binary', why: 'contains NUL bytes' };
  const built = asNamed ? undefined : findBuiltLook(text);
  return built ?? { kind: 'text', text };
}

/** What the text itself tells of a build. */
export function findBuiltLook(text: string): { kind: 'skip'; reason: SkipReason; why: string } | undefined {
  if (text.length < MINIFIED_SIZE) return undefined;
  if (BUNDLE_HEAD.test(text.slice(0, HEAD))) return { kind: 'skip', reason: 'bundle', why: 'starts like bundler output' };
  let lines = 1;
  // Stops as soon as there are lines enough for the size: ordinary code is recognized by its first tenth.
  const enough = text.length / MINIFIED_LINE;
  for (let at = text.indexOf('\n'); at !== -1 && lines <= enough; at = text.indexOf('\n', at + 1)) lines++;
  return lines <= enough
    ? { kind: 'skip', reason: 'minified', why: `lines are ${Math.round(text.length / lines)} characters long on average` }
    : undefined;
}
