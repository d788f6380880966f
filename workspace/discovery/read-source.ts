// Reads one source file, unless it is too large, binary, or what a build wrote.
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
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

/** `asNamed`: the user named this very file, so its size and looks do not matter. */
export function readSource(path: string, limit: number, asNamed: boolean): SourceReading {
  let text: string;
  try {
    if (!asNamed) {
      const stats = statSync(path);
      if (!stats.isFile()) return { kind: 'failed', why: 'is not a regular file' };
      if (stats.size > limit) return { kind: 'skip', reason: 'too-large', why: `${stats.size} bytes, limit ${limit}` };
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { kind: 'failed', why: whyUnreadable(error) };
  }
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
  // Stops as soon as there are lines enough for the size: ordinary code is told by its first tenth.
  const enough = text.length / MINIFIED_LINE;
  for (let at = text.indexOf('\n'); at !== -1 && lines <= enough; at = text.indexOf('\n', at + 1)) lines++;
  return lines <= enough
    ? { kind: 'skip', reason: 'minified', why: `lines are ${Math.round(text.length / lines)} characters long on average` }
    : undefined;
}

export function whyUnreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no longer exists';
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read (permission denied)';
  if (code === 'ELOOP') return 'is a circular symbolic link';
  if (code === 'EISDIR') return 'is a folder';
  return `cannot be read (${code ?? String(error)})`;
}
