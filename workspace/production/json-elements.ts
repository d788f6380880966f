// The parts of a large JSON text that somebody wants, one after the other, without ever holding the text. Our own, because what is
// published makes tokens of everything, limits neither nesting nor the length of a text, and a profile of a production server may be 500 MB
// of numbers: here, bytes that nobody wants are only counted by their brackets.

/** A key of an object; `*` stands for any element of an array, and for any key. */
export type JsonPath = readonly string[];

export class JsonProblem extends Error {
  override readonly name = 'JsonProblem';
}

/** Deeper than any format that is read here. */
const MOST_LEVELS = 200;
const MOST_KEY_BYTES = 64 * 1024;
/** One element that is wanted: the root of a profile may have a million children. */
const MOST_ELEMENT_BYTES = 16 * 1024 * 1024;
const MOST_KEYS = 20;

const [QUOTE, COMMA, COLON, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x22, 0x2c, 0x3a, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
const SPACE = 0x20;

/** What may come next. */
type State = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'in-key' | 'colon' | 'comma' | 'in-value';

interface Level {
  isList: boolean;
  /** Bits of the paths that lead through here. */
  alive: number;
  key: string;
}

export class JsonElements {
  readonly #paths: readonly JsonPath[];
  readonly #take: (path: number, value: unknown) => void;
  readonly #levels: Level[] = [];
  /** Keys of the outermost objects, as far as they help to say what a text is. */
  readonly keys = new Set<string>();
  #state: State = 'value';
  /** Bytes of the key or of the element that is being read; undefined for one that nobody wants. */
  #parts: Buffer[] | undefined;
  #length = 0;
  /** Of an element: brackets that are open, whether it is in a text, and whether the next byte is escaped. */
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  #isScalar = false;
  #wanted = -1;
  #offset = 0;
  #isEmpty = true;

  /** @param take what is at one of the paths, by the number of the path */
  constructor(paths: readonly JsonPath[], take: (path: number, value: unknown) => void) {
    this.#paths = paths;
    this.#take = take;
  }

  push(chunk: Buffer): void {
    let at = this.#offset === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    while (at < chunk.length) {
      if (this.#state === 'in-value') at = this.#readValue(chunk, at);
      else if (this.#state === 'in-key') at = this.#readKey(chunk, at);
      else at = this.#readMark(chunk, at);
    }
    this.#offset += chunk.length;
  }

  end(): void {
    // A number at the end of the text has nothing behind it that ends it.
    if (this.#state === 'in-value' && this.#isScalar && !this.#inText) this.#finish();
    if (this.#levels.length > 0 || this.#state === 'in-value') throw new JsonProblem('it ends in the middle of its JSON');
    if (this.#isEmpty) throw new JsonProblem('it is empty');
  }

  #readMark(chunk: Buffer, from: number): number {
    const byte = chunk[from] ?? 0;
    if (byte <= SPACE) {
      if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) this.#fail(from);
      return from + 1;
    }
    const level = this.#levels.at(-1);
    switch (this.#state) {
      case 'value-or-end':
        if (byte === CLOSE_LIST) return this.#close(from);
        return this.#begin(chunk, from, byte);
      case 'value':
        return this.#begin(chunk, from, byte);
      case 'key-or-end':
        if (byte === CLOSE) return this.#close(from);
        break;
      case 'key':
        break;
      case 'colon':
        if (byte !== COLON) this.#fail(from);
        this.#state = 'value';
        return from + 1;
      case 'comma':
        if (level && byte === (level.isList ? CLOSE_LIST : CLOSE)) return this.#close(from);
        if (!level || byte !== COMMA) this.#fail(from);
        this.#state = level?.isList ? 'value' : 'key';
        return from + 1;
    }
    if (byte !== QUOTE) this.#fail(from);
    this.#state = 'in-key';
    this.#parts = [];
    this.#length = 0;
    this.#isEscaped = false;
    return from + 1;
  }

  #readKey(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#keep(chunk, from, at, MOST_KEY_BYTES);
        const level = this.#levels.at(-1);
        if (level) level.key = this.#parsed(`"${Buffer.concat(this.#parts ?? []).toString('utf8')}"`) as string;
        if (this.#levels.length === 1 && level && this.keys.size < MOST_KEYS) this.keys.add(level.key);
        this.#state = 'colon';
        return at + 1;
      }
    }
    this.#keep(chunk, from, chunk.length, MOST_KEY_BYTES);
    return chunk.length;
  }

  /** A value begins: somebody wants it, or something in it, or it is passed over. */
  #begin(chunk: Buffer, from: number, byte: number): number {
    this.#isEmpty = false;
    const depth = this.#levels.length;
    const outer = this.#levels.at(-1);
    let alive = 0;
    let wanted = -1;
    if (!outer) alive = -1;
    else
      for (const [i, path] of this.#paths.entries()) {
        const part = path[depth - 1];
        if (!(outer.alive & (1 << i)) || part === undefined || (part !== '*' && (outer.isList || part !== outer.key))) continue;
        if (path.length === depth) wanted = i;
        else alive |= 1 << i;
      }
    const isContainer = byte === OPEN || byte === OPEN_LIST;
    if (!outer && byte !== OPEN) throw new JsonProblem(`it has ${isContainer ? 'a list' : 'no object'} where its JSON should begin`);
    if (wanted === -1 && alive !== 0 && isContainer) {
      if (depth >= MOST_LEVELS) throw new JsonProblem(`its JSON is nested more than ${MOST_LEVELS} levels deep`);
      this.#levels.push({ isList: byte === OPEN_LIST, alive, key: '' });
      this.#state = byte === OPEN_LIST ? 'value-or-end' : 'key-or-end';
      return from + 1;
    }
    this.#state = 'in-value';
    this.#wanted = wanted;
    this.#parts = wanted === -1 ? undefined : [];
    this.#length = 0;
    this.#depth = 0;
    this.#inText = false;
    this.#isEscaped = false;
    this.#isScalar = !isContainer;
    if (this.#isScalar && byte !== QUOTE && !isOfScalar(byte)) this.#fail(from);
    return this.#readValue(chunk, from);
  }

  #readValue(chunk: Buffer, from: number): number {
    let inText = this.#inText;
    let depth = this.#depth;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          inText = false;
          if (depth === 0) return this.#endValue(chunk, from, at + 1);
        }
      } else if (byte === QUOTE) inText = true;
      else if (byte === OPEN || byte === OPEN_LIST) {
        if (++depth > MOST_LEVELS) throw new JsonProblem(`its JSON is nested more than ${MOST_LEVELS} levels deep`);
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        // Behind a number, the bracket closes what the number is in.
        if (depth === 0) return this.#endValue(chunk, from, at);
        if (--depth === 0) return this.#endValue(chunk, from, at + 1);
      } else if (depth === 0 && !isOfScalar(byte)) return this.#endValue(chunk, from, at);
    }
    this.#inText = inText;
    this.#depth = depth;
    this.#keep(chunk, from, chunk.length, MOST_ELEMENT_BYTES);
    return chunk.length;
  }

  #endValue(chunk: Buffer, from: number, to: number): number {
    this.#keep(chunk, from, to, MOST_ELEMENT_BYTES);
    this.#finish();
    return to;
  }

  #finish(): void {
    this.#state = this.#levels.length === 0 ? 'value' : 'comma';
    const parts = this.#parts;
    if (!parts) return;
    this.#parts = undefined;
    const [first] = parts;
    const value = this.#parsed((parts.length === 1 && first ? first : Buffer.concat(parts)).toString('utf8'));
    this.#take(this.#wanted, value);
  }

  #close(from: number): number {
    this.#levels.pop();
    this.#state = this.#levels.length === 0 ? 'value' : 'comma';
    return from + 1;
  }

  #keep(chunk: Buffer, from: number, to: number, limit: number): void {
    if (!this.#parts) return;
    this.#length += to - from;
    if (this.#length > limit) throw new JsonProblem(`one part of it is larger than ${limit / 1024} KB`);
    this.#parts.push(chunk.subarray(from, to));
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw new JsonProblem(`its JSON is damaged before byte ${this.#offset}`);
    }
  }

  #fail(at: number): never {
    throw new JsonProblem(`its JSON is damaged at byte ${this.#offset + at}`);
  }
}

/** Of numbers, `true`, `false`, and `null`, and what only looks like them: JSON.parse judges what somebody wants. */
function isOfScalar(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x45 ||
    byte === 0x4e ||
    byte === 0x49
  );
}
