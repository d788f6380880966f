// From places in code that was compiled while it was loaded back to the places in the source, and the other way round.
import { generatedPositionFor, GREATEST_LOWER_BOUND, LEAST_UPPER_BOUND, TraceMap, traceSegment } from '@jridgewell/trace-mapping';
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
  generatedLines: readonly string[];
  sourceLines: readonly string[];
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
      if (parsed && typeof source === 'string') this.#files.set(file, { map: parsed, source, generatedLines: text.split(LINE), sourceLines: (parsed.sourcesContent?.[0] ?? textOf(file) ?? '').split(LINE) });
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
    const { map, generatedLines, sourceLines } = mapped;
    const segment = traceSegment(map, place.line - 1, place.column - 1);
    const [from, , line, column] = segment ?? [];
    if (from === undefined || line === undefined || column === undefined) return undefined;
    // A map tells where names and statements begin. An operator between them is found by the tokens, which are the same in both texts.
    const at = sameTokens(generatedLines[place.line - 1] ?? '', from, place.column - 1, sourceLines[line] ?? '', column);
    return { file: place.file, line: line + 1, column: at + 1 };
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

/** The column in the source of what stands at `to` in the compiled line, as far as all tokens from the start on are the same; else the start. */
function sameTokens(compiled: string, from: number, to: number, source: string, start: number): number {
  let a = from;
  let b = start;
  for (;;) {
    a = skipSpace(compiled, a);
    b = skipSpace(source, b);
    if (a >= to) return a === to ? b : start;
    const one = tokenAt(compiled, a);
    const other = tokenAt(source, b);
    if (one === '' || one !== other) return start;
    // Inside of a token.
    if (a + one.length > to) return b + to - a;
    a += one.length;
    b += other.length;
  }
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
