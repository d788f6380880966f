// Reads one source file, unless it is too large, binary, or what a build wrote.
import { basename, extname } from 'node:path';
import { MOST_BYTES, readTextFile, textOfFile } from '../../files/read-text-file.ts';
import type { SkipReason } from './skipped.ts';

/** Default of `maxFileSize`: hand-written files are below it; typescript.js (9 MB) and the like are generated or bundled. */
export const DEFAULT_MAX_FILE_SIZE = 1024 * 1024;

/** Whether an absolute path is that of a script that is linted. */
export type IsLinted = (path: string) => boolean;

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

/**
 * `limit` in bytes. `asNamed`: the user named this very file, so its looks do not matter, and its size hardly. `isLinted` says of the source
 * of a compiled file whether it is linted, too; without it, compiled files are read.
 */
export function readSource(path: string, limit: number, asNamed: boolean, isLinted?: IsLinted): SourceReading {
  const reading = readTextFile(path, asNamed ? Math.max(limit, MOST_BYTES.namedSource) : limit);
  if (!reading.ok)
    return reading.problem === 'too-large' ? { kind: 'skip', reason: 'too-large', why: reading.why } : { kind: 'failed', why: reading.why };
  const { text } = reading;
  const nul = text.indexOf('\0');
  if (nul !== -1 && nul < BINARY_PROBE) return { kind: 'skip', reason: 'binary', why: 'contains NUL bytes' };
  const built = asNamed ? undefined : findBuiltLook(text, path, isLinted);
  return built ?? { kind: 'text', text };
}

/** What Babel, TypeScript, and SWC write first, and a hint to a map last: of what was an ES module, and of any file with a source map. */
const COMPILED_HEAD = /Object\.defineProperty\(exports, ['"]__esModule['"]|^exports\.__esModule = true/m;
const COMPILED_END = /^\/\/# sourceMappingURL=[^\n]+\.map\s*$/m;
/** Folders that compilers write to. */
const OUTPUT_FOLDER = /^(?:dist|lib|build|out|cjs|esm|output|compiled)$/;
const TYPESCRIPT_ENDINGS = ['.ts', '.tsx', '.mts', '.cts'];
const SOURCE_ENDINGS = [...TYPESCRIPT_ENDINGS, '.js', '.jsx', '.mjs'];
/** A source of more bytes is not asked whether it loads what looks compiled from it. */
const LARGEST_SOURCE = 1024 * 1024;

/**
 * The source beside a file that a compiler wrote: `src/routes/users.ts` for `dist/routes/users.js`, or `users.ts` for `lib/users.js`. Both
 * were committed. JavaScript above the output folder is as often what loads it.
 */
function sourceOf(path: string, text: string, isLinted: IsLinted): string | undefined {
  const separator = path.includes('\\') ? '\\' : '/';
  const parts = path.split(separator);
  const at = parts.findLastIndex((part) => OUTPUT_FOLDER.test(part));
  if (at < 1 || !(COMPILED_HEAD.test(text.slice(0, HEAD)) || COMPILED_END.test(text.slice(-300)))) return undefined;
  const inside = parts.slice(at + 1);
  const name = inside.pop() ?? '';
  inside.push(name.slice(0, name.length - extname(name).length));
  const above = parts.slice(0, at);
  const beside = [...above, 'src', ...inside].join(separator);
  const source = SOURCE_ENDINGS.map((ending) => beside + ending).find((one) => one !== path && isLinted(one));
  if (source !== undefined) return source;
  const around = [...above, ...inside].join(separator);
  return TYPESCRIPT_ENDINGS.map((ending) => around + ending).find(
    (one) => isLinted(one) && !loads(one, `/${[parts[at] ?? '', ...inside].join('/')}`),
  );
}

function loads(source: string, output: string): boolean {
  return textOfFile(source, LARGEST_SOURCE)?.includes(output) ?? true;
}

/** What the text itself tells of a build, and what its place does. */
export function findBuiltLook(text: string, path = '', isLinted?: IsLinted): { kind: 'skip'; reason: SkipReason; why: string } | undefined {
  const source = isLinted && sourceOf(path, text, isLinted);
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
