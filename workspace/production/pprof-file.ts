// A profile in the format of pprof, read message by message and in two passes, because samples come before what they point to.
// https://github.com/google/pprof/blob/main/proto/profile.proto
// Our own reader: `pprof-format` (2.3.2) makes objects of the whole profile, and reads numbers of any length, so that a small hostile file
// takes all memory or hours. It writes the profiles of our tests.
import { FunctionTable, IDLE, ImportLimit, ImportProblem, type Recorded } from './recorded.ts';

const MOST_MESSAGE_BYTES = 1024 * 1024;
const MOST_ENTRIES = 1_000_000;
const MOST_TEXT_BYTES = 64 * 1024 * 1024;
const [VARINT, FIXED64, BYTES, FIXED32] = [0, 1, 2, 5];
/** A number has 10 bytes at most. */
const MOST_VARINT_BYTES = 10;

/** Numbers of the fields of `Profile`. */
const FIELD = { sampleType: 1, sample: 2, location: 4, function: 5, text: 6, time: 9 } as const;

interface Field {
  number: number;
  /** Of numbers. Not exact above 2^53, where negative ones are, too. */
  value: number;
  bytes: Buffer | undefined;
}

/** As profilers call a function without a name; `@datadog/pprof` (5.20) adds where it starts, or with `lineNumbers` where samples were. */
const ANONYMOUS = /^\((anonymous)(?: function)?(?::L#(\d{1,9})(?::C#(\d{1,9}))?)?\)$/;
const EMPTY = Buffer.alloc(0);

/** The fields of a message that is there as a whole. */
function* fieldsOf(message: Buffer): Generator<Field> {
  const reader = { bytes: message, at: 0 };
  while (reader.at < message.length) {
    const field = readField(reader);
    if (!field) throw new ImportProblem('one of its messages is cut off');
    yield field;
  }
}

/** Undefined where the bytes end within it; `at` then stays. */
function readField(reader: { bytes: Buffer; at: number }): Field | undefined {
  const { bytes } = reader;
  const tag = readVarint(bytes, reader.at);
  if (!tag) return undefined;
  const number = Math.floor(tag.value / 8);
  const mode = tag.value % 8;
  if (!(number >= 1)) throw new ImportProblem('its bytes are no protocol buffer');
  if (mode === VARINT) {
    const found = readVarint(bytes, tag.end);
    if (!found) return undefined;
    reader.at = found.end;
    return { number, value: found.value, bytes: undefined };
  }
  const length =
    mode === FIXED64
      ? { value: 8, end: tag.end }
      : mode === FIXED32
        ? { value: 4, end: tag.end }
        : mode === BYTES
          ? readVarint(bytes, tag.end)
          : null;
  if (length === null) throw new ImportProblem('its bytes are no protocol buffer');
  if (!length) return undefined;
  if (!(length.value <= MOST_MESSAGE_BYTES))
    throw new ImportProblem('one of its messages is larger than 1 MB, or its bytes are no protocol buffer');
  if (length.end + length.value > bytes.length) return undefined;
  reader.at = length.end + length.value;
  return { number, value: 0, bytes: bytes.subarray(length.end, reader.at) };
}

function readVarint(bytes: Buffer, from: number): { value: number; end: number } | undefined {
  let value = 0;
  let factor = 1;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * factor;
    factor *= 128;
    if (byte < 0x80) return { value, end: at + 1 };
    if (at - from + 1 >= MOST_VARINT_BYTES) throw new ImportProblem('its bytes are no protocol buffer');
  }
  return undefined;
}

/** Packed, or one by one. */
function numbersOf({ value, bytes }: Field): number[] {
  if (!bytes) return [value];
  const all: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = readVarint(bytes, at);
    if (!found) throw new ImportProblem('one of its messages is cut off');
    all.push(found.value);
    at = found.end;
  }
  return all;
}

/** Messages of a stream of bytes. */
class Messages {
  #rest: Buffer = EMPTY;
  readonly #take: (field: Field) => void;

  constructor(take: (field: Field) => void) {
    this.#take = take;
  }

  push(chunk: Buffer): void {
    const reader = { bytes: this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk, at: 0 };
    for (;;) {
      const field = readField(reader);
      if (!field) break;
      this.#take(field);
    }
    this.#rest = reader.bytes.subarray(reader.at);
  }

  end(): void {
    if (this.#rest.length > 0) throw new ImportProblem('it ends in the middle of a message');
  }
}

/** First all bytes through `tables`, then all again through `samples`. */
export class PprofFile {
  readonly #functions = new FunctionTable();
  readonly #texts: string[] = [];
  readonly #types: [type: number, unit: number][] = [];
  readonly #rawFunctions = new Map<number, { name: number; file: number; line: number }>();
  /** Innermost function first: one that was inlined comes before its caller. */
  readonly #locations = new Map<number, { fn: number; line: number }[]>();
  readonly #numbers = new Map<number, number>();
  #textBytes = 0;
  #lines = 0;
  #time: number | undefined;
  #index = 0;
  #total = 0;
  #invalid = 0;
  readonly tables = new Messages((field) => this.#takeTable(field));
  readonly samples = new Messages((field) => this.#takeSample(field));

  /** Between the passes: which of the values of a sample counts. */
  prepare(): void {
    if (this.#texts.length === 0 || this.#types.length === 0) throw new ImportProblem('it has no types of samples');
    const types = this.#types.map(([type, unit]) => `${this.#texts[type] ?? ''}/${this.#texts[unit] ?? ''}`);
    if (types.every((type) => /^(?:alloc_|inuse_)?(?:objects|space)\//.test(type)))
      throw new ImportProblem('it is a heap profile, which says nothing about time');
    // The time of a wall-clock profile passes in idle processes, too.
    const best = ['cpu/nanoseconds', 'samples/count', 'sample/count'].map((type) => types.indexOf(type)).find((index) => index >= 0);
    this.#index = best ?? types.length - 1;
  }

  #takeTable({ number, value, bytes }: Field): void {
    switch (number) {
      case FIELD.sampleType: {
        const [type = 0, unit = 0] = valuesOf(bytes, [1, 2]);
        if (this.#types.length < 16) this.#types.push([type, unit]);
        return;
      }
      case FIELD.text:
        this.#count(this.#texts.length);
        this.#textBytes += bytes?.length ?? 0;
        if (this.#textBytes > MOST_TEXT_BYTES) throw new ImportLimit('the names in it take too much memory');
        this.#texts.push(bytes?.toString('utf8') ?? '');
        return;
      case FIELD.function: {
        const [id = 0, name = 0, , file = 0, line = 0] = valuesOf(bytes, [1, 2, 3, 4, 5]);
        this.#count(this.#rawFunctions.size);
        this.#rawFunctions.set(id, { name, file, line });
        return;
      }
      case FIELD.location:
        this.#takeLocation(bytes ?? EMPTY);
        return;
      case FIELD.time:
        this.#time = value;
        return;
    }
  }

  #takeLocation(bytes: Buffer): void {
    let id = 0;
    const lines: { fn: number; line: number }[] = [];
    for (const field of fieldsOf(bytes)) {
      if (field.number === 1) id = field.value;
      if (field.number !== 4) continue;
      this.#count(this.#lines++);
      const [fn = 0, line = 0] = valuesOf(field.bytes, [1, 2]);
      lines.push({ fn, line });
    }
    this.#count(this.#locations.size);
    this.#locations.set(id, lines);
  }

  #takeSample({ number, bytes }: Field): void {
    if (number !== FIELD.sample) return;
    const ids: number[] = [];
    const values: number[] = [];
    for (const field of fieldsOf(bytes ?? EMPTY)) {
      if (field.number === 1) for (const id of numbersOf(field)) ids.push(id);
      if (field.number === 2) for (const value of numbersOf(field)) values.push(value);
    }
    const weight = values[this.#index] ?? NaN;
    if (!Number.isSafeInteger(weight) || !ids.every(Number.isSafeInteger)) {
      this.#invalid++;
      return;
    }
    const seen = new Set<number>();
    let isLeaf = true;
    for (const id of ids)
      for (const { fn: rawId, line } of this.#locations.get(id) ?? []) {
        const number_ = this.#functionNumber(rawId);
        const fn = this.#functions.all[number_];
        if (!fn) continue;
        if (isLeaf && fn.name === IDLE) return;
        if (isLeaf) fn.self += weight;
        isLeaf = false;
        if (Number.isSafeInteger(line) && line > 0) this.#functions.addLine(number_, line);
        if (!seen.has(number_)) fn.total += weight;
        seen.add(number_);
      }
    this.#total += weight;
  }

  #functionNumber(rawId: number): number {
    const known = this.#numbers.get(rawId);
    if (known !== undefined) return known;
    const raw = this.#rawFunctions.get(rawId);
    const name = this.#texts[raw?.name ?? 0] ?? '';
    const url = this.#texts[raw?.file ?? 0] ?? '';
    const [, isAnonymous, line, column] = ANONYMOUS.exec(name) ?? [];
    // A line alone may be one where samples were.
    const start = raw?.line ?? 0;
    const place =
      column !== undefined ? { line: Number(line), column: Number(column) } : start > 0 ? { line: start, column: 0 } : undefined;
    const number = this.#functions.numberOf(isAnonymous ? '' : name, url, place);
    this.#numbers.set(rawId, number);
    return number;
  }

  #count(have: number): void {
    if (have >= MOST_ENTRIES) throw new ImportLimit(`it has more than ${MOST_ENTRIES} functions, locations, or texts`);
  }

  recorded(): Recorded {
    if (this.#total === 0) throw new ImportProblem('it has no samples in which the program was busy');
    const remarks = this.#invalid > 0 ? [`${this.#invalid} samples without a valid value were left out`] : [];
    const ms = (this.#time ?? 0) / 1_000_000;
    return { kind: 'pprof', ...(ms > 0 ? { date: ms } : {}), functions: this.#functions.all, total: this.#total, routes: [], remarks };
  }
}

function valuesOf(bytes: Buffer | undefined, numbers: readonly number[]): number[] {
  const values = numbers.map(() => 0);
  if (!bytes) return values;
  for (const field of fieldsOf(bytes)) {
    const at = numbers.indexOf(field.number);
    if (at >= 0 && !field.bytes) values[at] = Number.isSafeInteger(field.value) ? field.value : 0;
  }
  return values;
}
