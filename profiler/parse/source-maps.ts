// From places in compiled code back to the places in the source, and the other way round.
import {
  decodedMappings,
  generatedPositionFor,
  GREATEST_LOWER_BOUND,
  LEAST_UPPER_BOUND,
  TraceMap,
  traceSegment,
  type SourceMapSegment,
} from '@jridgewell/trace-mapping';
import type { SourcePlace } from '../../protocol/evidence.ts';

export interface CompiledFile {
  /** Absolute path of what runs, as V8 names it. */
  file: string;
  /** What runs. */
  text: string;
  /** JSON of the source map. */
  map: string;
  /**
   * Absolute paths of the map's sources, in its order: undefined for those that are nobody's. Unless said, the file is compiled while it is
   * loaded, and is its own source.
   */
  sources?: readonly (string | undefined)[];
}

interface SourceText {
  file: string;
  text: string;
  /** Offsets at which its lines begin. */
  starts: readonly number[];
}

interface Mapped {
  file: string;
  map: TraceMap;
  sources: readonly (SourceText | undefined)[];
  compiledLines: readonly string[];
}

const LINE = /\r\n|[\n\r\u2028\u2029]/;
/** Names and numbers, texts, or one mark: what compilers keep as it is, whatever they do with the space around it. */
const TOKEN = /[\p{ID_Continue}$]+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s]/uy;

export class SourceMaps {
  readonly #files = new Map<string, Mapped>();
  readonly #bySource = new Map<string, { mapped: Mapped; source: string }[]>();

  /** `textOf` gives a source's text. */
  constructor(files: readonly CompiledFile[], textOf: (file: string) => string | undefined) {
    for (const { file, text, map, sources } of files) {
      const parsed = readMap(map);
      if (!parsed || typeof parsed.sources[0] !== 'string') continue;
      const mapped: Mapped = {
        file,
        map: parsed,
        sources: (sources ?? [file]).map((path, i) =>
          path === undefined ? undefined : sourceText(path, parsed.sourcesContent?.[i] ?? textOf(path) ?? ''),
        ),
        compiledLines: text.split(LINE),
      };
      this.#files.set(file, mapped);
      mapped.sources.forEach((one, i) => {
        const source = parsed.sources[i];
        if (one && typeof source === 'string') this.#bySource.set(one.file, [...(this.#bySource.get(one.file) ?? []), { mapped, source }]);
      });
    }
  }

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** Whether what runs under this name is not the source itself, or not as it stands. */
  has(file: string): boolean {
    return this.#files.has(file);
  }

  /** The sources of what runs. */
  sourcesOf(file: string): string[] {
    return this.#files.get(file)?.sources.flatMap((one) => one?.file ?? []) ?? [file];
  }

  /** Places of other files stay as they are; undefined for code that the compiler added. */
  toSource(place: SourcePlace): SourcePlace | undefined {
    const mapped = this.#files.get(place.file);
    if (!mapped) return place;
    const { map, compiledLines } = mapped;
    const segment = traceSegment(map, place.line - 1, place.column - 1);
    const [from, index, line, column] = segment ?? [];
    if (!segment || from === undefined || index === undefined || line === undefined || column === undefined) return undefined;
    const source = mapped.sources[index];
    if (!source) return undefined;
    // A map tells where names and statements begin. An operator between them is found by the tokens, which are the same in both texts.
    const start = offsetAt(source, line, column);
    const row: readonly Readonly<SourceMapSegment>[] = decodedMappings(map)[place.line - 1] ?? [];
    const next = row[row.indexOf(segment) + 1];
    const end = next?.[1] !== index || next[2] === undefined || next[3] === undefined ? -1 : offsetAt(source, next[2], next[3]);
    const offset = sameToken(
      compiledLines[place.line - 1] ?? '',
      from,
      place.column - 1,
      source.text,
      start,
      end > start ? end : lineEnd(source.text, start),
    );
    return { file: source.file, ...positionAt(source, offset ?? start) };
  }

  /** The one line of a source that a line comes from: undefined where there are several on it, or none. */
  lineToSource(file: string, line: number): { file: string; line: number } | undefined {
    const mapped = this.#files.get(file);
    if (!mapped) return { file, line };
    const places = new Set(
      (decodedMappings(mapped.map)[line - 1] ?? []).flatMap(([, index, row]) => (index === undefined ? [] : [`${row ?? 0} ${index}`])),
    );
    const [only] = places;
    const [row = 0, index = 0] = (only ?? '').split(' ').map(Number);
    const source = places.size === 1 ? mapped.sources[index] : undefined;
    return source && { file: source.file, line: row + 1 };
  }

  /** Where code of the source runs: the same place, or the first one behind it; in each of the files that have it. */
  toCompiled(place: SourcePlace): SourcePlace[] {
    const all = this.#bySource.get(place.file);
    if (!all) return this.#files.has(place.file) ? [] : [place];
    return all.flatMap(({ mapped, source }) => {
      const at = { source, line: place.line, column: place.column - 1 };
      const found = ([LEAST_UPPER_BOUND, GREATEST_LOWER_BOUND] as const)
        .map((bias) => generatedPositionFor(mapped.map, { ...at, bias }))
        .find(({ line }) => line !== null);
      return found && found.line !== null ? [{ file: mapped.file, line: found.line, column: found.column + 1 }] : [];
    });
  }
}

function sourceText(file: string, text: string): SourceText {
  return { file, text, starts: [0, ...[...text.matchAll(new RegExp(LINE, 'g'))].map(({ index, 0: end }) => index + end.length)] };
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
 * The offset in the source of what stands at `to` in the compiled line: first as far as all tokens are the same in both; where types stand
 * between them,
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
  for (let at = skipSpace(source, start); wanted !== '' && at < end; at = skipSpace(source, at + Math.max(1, tokenAt(source, at).length)))
    if (tokenAt(source, at) === wanted) found = at;
  return found;
}

function lineEnd(text: string, from: number): number {
  const found = text.slice(from).search(LINE);
  return found < 0 ? text.length : from + found;
}

function offsetAt({ starts }: SourceText, line: number, column: number): number {
  return (starts[line] ?? 0) + column;
}

function positionAt({ starts }: SourceText, offset: number): { line: number; column: number } {
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
