// Reads one source file, unless it is too large, binary, or what a build wrote.
import { existsSync } from 'node:fs';
import { basename, extname } from 'node:path';
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
  const built = asNamed ? undefined : findBuiltLook(text, path);
  return built ?? { kind: 'text', text };
}

/** What Babel, TypeScript, and SWC write first, and a hint to a map last: of what was an ES module, and of any file with a source map. */
const COMPILED_HEAD = /Object\.defineProperty\(exports, ['"]__esModule['"]|^exports\.__esModule = true/m;
const COMPILED_END = /^\/\/# sourceMappingURL=[^\n]+\.map\s*$/m;
/** Folders that compilers write to. */
const OUTPUT_FOLDER = /^(?:dist|lib|build|out|cjs|esm|output|compiled)$/;
const SOURCE_ENDINGS = ['.ts', '.js', '.tsx', '.jsx', '.mts', '.mjs', '.cts'];

/** The source beside a file that a compiler wrote: `src/routes/users.ts` for `dist/routes/users.js`. Both were committed. */
function sourceOf(path: string, text: string): string | undefined {
  const parts = path.replaceAll('\\', '/').split('/');
  const at = parts.findLastIndex((part) => OUTPUT_FOLDER.test(part));
  if (at < 1 || !(COMPILED_HEAD.test(text.slice(0, HEAD)) || COMPILED_END.test(text.slice(-300)))) return undefined;
  const above = parts.slice(0, at).join('/');
  const inside = parts.slice(at + 1).join('/');
  const stem = inside.slice(0, -extname(inside).length);
  const stems = [`${above}/src/${stem}`, `${above}/${stem}`];
  return stems.flatMap((one) => SOURCE_ENDINGS.map((ending) => one + ending)).find((source) => source !== path && existsSync(source));
}

/** What the text itself tells of a build, and what its place does. */
export function findBuiltLook(text: string, path = ''): { kind: 'skip'; reason: SkipReason; why: string } | undefined {
  const source = sourceOf(path, text);
  if (source !== undefined) return { kind: 'skip', reason: 'compiled', why: `is compiled from ${basename(source)}, which is linted` };
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
