// From places in code that was compiled while it was loaded back to the places in the source, and the other way round.
import { decodedMappings, generatedPositionFor, GREATEST_LOWER_BOUND, LEAST_UPPER_BOUND, TraceMap, traceSegment, type SourceMapSegment } from '@jridgewell/trace-mapping';
import type { SourcePlace } from '../protocol/evidence.ts';

export interface CompiledFile {
  /** Absolute path of the source. */
  file: string;
  /** What runs. */
  text: string;
  /** JSON of the source map. */
  map: string;
}

interface Mapped {
  map: TraceMap;
  source: string;
  compiledLines: readonly string[];
  sourceText: string;
  /** Offsets at which its lines begin. */
  starts: readonly number[];
}

const LINE = /\r\n|[\n\r\u2028\u2029]/;
/** Names and numbers, texts, or one mark: what compilers keep as it is, whatever they do with the space around it. */
const TOKEN = /[\p{ID_Continue}$]+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s]/uy;

export class SourceMaps {
  readonly #files = new Map<string, Mapped>();

  /** `textOf` gives the source's text. */
  constructor(files: readonly CompiledFile[], textOf: (file: string) => string | undefined) {
    for (const { file, text, map } of files) {
      const parsed = readMap(map);
      const source = parsed?.sources[0];
      const sourceText = parsed?.sourcesContent?.[0] ?? textOf(file) ?? '';
      if (parsed && typeof source === 'string') this.#files.set(file, { map: parsed, source, compiledLines: text.split(LINE), sourceText, starts: [0, ...[...sourceText.matchAll(new RegExp(LINE, 'g'))].map(({ index, 0: end }) => index + end.length)] });
    }
  }

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  has(file: string): boolean {
    return this.#files.has(file);
  }

  /** Places of other files stay as they are; undefined for code that the compiler added. */
  toSource(place: SourcePlace): SourcePlace | undefined {
    const mapped = this.#files.get(place.file);
    if (!mapped) return place;
    const { map, compiledLines, sourceText } = mapped;
    const segment = traceSegment(map, place.line - 1, place.column - 1);
    const [from, , line, column] = segment ?? [];
    if (!segment || from === undefined || line === undefined || column === undefined) return undefined;
    // A map tells where names and statements begin. An operator between them is found by the tokens, which are the same in both texts.
    const start = offsetAt(mapped, line, column);
    const row: readonly Readonly<SourceMapSegment>[] = decodedMappings(map)[place.line - 1] ?? [];
    const next = row[row.indexOf(segment) + 1];
    const end = next?.[2] === undefined || next[3] === undefined ? -1 : offsetAt(mapped, next[2], next[3]);
    const offset = sameToken(compiledLines[place.line - 1] ?? '', from, place.column - 1, sourceText, start, end > start ? end : lineEnd(sourceText, start));
    return { file: place.file, ...positionAt(mapped, offset ?? start) };
  }

  /** Where code of the source runs: the same place, or the first one behind it. */
  toCompiled(place: SourcePlace): SourcePlace | undefined {
    const mapped = this.#files.get(place.file);
    if (!mapped) return place;
    const at = { source: mapped.source, line: place.line, column: place.column - 1 };
    const found = ([LEAST_UPPER_BOUND, GREATEST_LOWER_BOUND] as const).map((bias) => generatedPositionFor(mapped.map, { ...at, bias })).find(({ line }) => line !== null);
    return found && found.line !== null ? { file: place.file, line: found.line, column: found.column + 1 } : undefined;
  }
}

function readMap(json: string): TraceMap | undefined {
  try {
    return new TraceMap(json);
  } catch {
    // A map that cannot be read tells no places, and the places of its file are left out.
    return undefined;
  }
}

/**
 * The offset in the source of what stands at `to` in the compiled line: first as far as all tokens are the same in both; where types stand between them,
 * the last such token before `end`, which is where the next thing begins that the map knows.
 */
function sameToken(compiled: string, from: number, to: number, source: string, start: number, end: number): number | undefined {
  let a = from;
  let b = start;
  for (;;) {
    a = skipSpace(compiled, a);
    b = skipSpace(source, b);
    const one = tokenAt(compiled, a);
    if (one === '' || one !== tokenAt(source, b)) break;
    if (a + one.length > to) return b + Math.max(0, to - a);
    a += one.length;
    b += one.length;
  }
  const wanted = tokenAt(compiled, to);
  let found: number | undefined;
  for (let at = skipSpace(source, start); wanted !== '' && at < end; at = skipSpace(source, at + Math.max(1, tokenAt(source, at).length))) if (tokenAt(source, at) === wanted) found = at;
  return found;
}

function lineEnd(text: string, from: number): number {
  const found = text.slice(from).search(LINE);
  return found < 0 ? text.length : from + found;
}

function offsetAt({ starts }: Mapped, line: number, column: number): number {
  return (starts[line] ?? 0) + column;
}

function positionAt({ starts }: Mapped, offset: number): { line: number; column: number } {
  const line = starts.findLastIndex((start) => start <= offset);
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text.charAt(at))) at += 1;
  return at;
}

function tokenAt(text: string, at: number): string {
  TOKEN.lastIndex = at;
  return TOKEN.exec(text)?.[0] ?? '';
}
