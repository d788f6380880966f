// The functions of a text, by where V8 says that they are, and by what they say.
import { endOf, functionName, startOf } from '../../analysis/module/ast.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { functionsIn, type FoundFunction } from '../../analysis/profile/functions.ts';
import { normalizedSource } from '../../analysis/profile/normalized-source.ts';
import { hashOf } from '../hash.ts';
import { limitFor, TookTooLong, withinTime } from '../time-limit.ts';
import type { RecordedFunction } from './recorded.ts';

export class ParsedText {
  readonly source: Source;
  readonly functions: readonly FoundFunction[];
  readonly #facts: Facts;
  readonly #hashes = new Map<FoundFunction, string>();
  #byOffset: Map<number, FoundFunction> | undefined;
  readonly #byHash = new Map<string, Map<string, FoundFunction[]>>();
  #byName: Map<string, FoundFunction[]> | undefined;
  #byLastName: Map<string, FoundFunction[]> | undefined;
  #byLine: Map<number, FoundFunction[]> | undefined;
  #byEnd: Map<number, FoundFunction[]> | undefined;

  private constructor(facts: Facts, functions: readonly FoundFunction[]) {
    this.#facts = facts;
    this.source = facts.source;
    this.functions = functions;
  }

  /** Undefined for what cannot be parsed. */
  static of(file: string, text: string, limit: number = limitFor(text)): ParsedText | undefined {
    try {
      return withinTime(() => {
        const outcome = parse(file, text);
        // Which Node the project runs on matters to rules, and not to places.
        const project = { nodeRange: '*', nodeRangeSource: '' };
        if (!outcome.ok) return undefined;
        const facts = new Facts(new ModuleIndex(outcome.ast), new Source(file, text), project);
        return new ParsedText(facts, functionsIn(facts));
      }, limit);
    } catch (error) {
      if (error instanceof TookTooLong) return undefined;
      throw error;
    }
  }

  /** @param functions of the facts, as they are known to whoever asks */
  static ofFacts(facts: Facts, functions: readonly FoundFunction[]): ParsedText {
    return new ParsedText(facts, functions);
  }

  hashOf(found: FoundFunction): string {
    let hash = this.#hashes.get(found);
    if (hash === undefined) this.#hashes.set(found, (hash = hashOf(normalizedSource(this.#facts, found.fn))));
    return hash;
  }

  /** In the order of the text. Only functions of this name are hashed: empty for those without one. */
  withHash(hash: string, name: string): readonly FoundFunction[] {
    this.#byName ??= groupedBy(this.functions, (one) => one.name ?? '');
    let byHash = this.#byHash.get(name);
    if (!byHash) this.#byHash.set(name, (byHash = groupedBy(this.#byName.get(name) ?? [], (one) => this.hashOf(one))));
    return byHash.get(hash) ?? [];
  }

  lineOf(found: FoundFunction): number {
    return this.source.positionAt(found.span.start).line;
  }

  /** What was recorded, if it stands exactly where it was: 'ambiguous' where several could be meant. */
  find(recorded: RecordedFunction): FoundFunction | 'ambiguous' | undefined {
    const { place, range } = recorded;
    let found: FoundFunction | undefined;
    if (range) {
      this.#byEnd ??= groupedBy(this.functions, ({ span }) => span.end);
      // V8's range of a method begins with its name, behind `static`.
      found = this.#byEnd
        .get(range.end)
        ?.slice(0, MOST_VISITS)
        .find(({ span, fn }) => span.start <= range.start && range.start <= startOf(fn.body ?? fn));
    } else if (place && place.column > 0) found = this.#atOffset(this.#offsetOf(place));
    else return this.#byLines(recorded);
    return found && isNamed(found, recorded.name) ? found : undefined;
  }

  /** The function whose head, from its first character to its body, an offset is in. */
  withHeadAt(offset: number): FoundFunction | undefined {
    let low = 0;
    let high = this.functions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.functions[middle]?.span.start ?? Infinity) <= offset) low = middle + 1;
      else high = middle;
    }
    // In a head are the functions of defaults and keys.
    for (let i = low - 1; i >= 0 && i >= low - MOST_VISITS; i--) {
      const one = this.functions[i];
      if (one && offset <= startOf(one.fn.body ?? one.fn)) return one;
    }
    return undefined;
  }

  /** Recordings of pprof have no columns: the line of each sample, and at most the line where the function starts. */
  #byLines({ name, place, lines }: RecordedFunction): FoundFunction | 'ambiguous' | undefined {
    if (name === '' && !place) return 'ambiguous';
    this.#byLine ??= groupedBy(this.functions, (one) => this.lineOf(one));
    this.#byLastName ??= groupedBy(this.functions, ({ fn }) => calledName(functionName(fn)) ?? '');
    const named = (name === '' ? [] : (this.#byLastName.get(lastNameOf(name.trim()) ?? '') ?? []))
      .slice(0, MOST_VISITS)
      .filter((one) => functionName(one.fn) !== undefined && isNamed(one, name))
      .filter((one) => (place ? this.lineOf(one) === place.line : !lines || this.#hasLines(one, lines)));
    // V8 has names where nobody gave one. Then only the line where a function starts tells which is meant.
    const all =
      named.length > 0 || !place
        ? named
        : (this.#byLine.get(place.line) ?? []).slice(0, MOST_VISITS).filter(({ fn }) => functionName(fn) === undefined);
    return all.length > 1 ? 'ambiguous' : all[0];
  }

  /** Some of them: where a function was inlined, V8 counts its lines for its caller, too. */
  #hasLines({ span }: FoundFunction, { first, last }: { first: number; last: number }): boolean {
    return this.source.positionAt(span.start).line <= last && first <= this.source.positionAt(span.end).line;
  }

  #offsetOf({ line, column }: { line: number; column: number }): number {
    return line <= this.source.lineCount && column <= this.source.lineText(line).length ? this.source.offsetAt({ line, column }) : -1;
  }

  #atOffset(offset: number): FoundFunction | undefined {
    if (!this.#byOffset) {
      this.#byOffset = new Map();
      for (const one of this.functions) this.#byOffset.set(this.#v8Start(one), one);
    }
    return this.#byOffset.get(offset);
  }

  /** V8 says of an arrow function where it starts, and of all others where their parameters do (Node 18 to 26). */
  #v8Start({ fn }: FoundFunction): number {
    if (fn.type === 'ArrowFunctionExpression') return startOf(fn);
    const name = 'key' in fn ? fn.key : 'id' in fn ? fn.id : undefined;
    const before = fn.typeParameters ?? name;
    return this.source.text.indexOf('(', before ? endOf(before) : startOf(fn));
  }
}

/** Functions with the same name, end, or line. */
const MOST_VISITS = 1000;
const NO_NAME = /[^\p{ID_Continue}$#]/u;

/** V8 has names where nobody gave one, and people give names that V8 does not know: two that are known must be the same. */
function isNamed({ fn }: FoundFunction, recorded: string): boolean {
  const own = functionName(fn);
  const last = lastNameOf(recorded.trim());
  const ownLast = own === undefined ? undefined : (lastNameOf(own) ?? own);
  // V8 calls a constructor by its class.
  if (ownLast === 'constructor') return own === ownLast || last === undefined || own === `${last}.constructor`;
  return ownLast === undefined || last === undefined || ownLast === last;
}

/** As V8 calls it: a constructor by its class. */
function calledName(own: string | undefined): string | undefined {
  if (own === undefined) return undefined;
  return lastNameOf(own.endsWith('.constructor') ? own.slice(0, -'.constructor'.length) : own);
}

function groupedBy<K, T>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** `total` of `Cart.total` and of `get total`; undefined where a name ends with something else. */
function lastNameOf(text: string): string | undefined {
  return text.split(NO_NAME).at(-1) || undefined;
}
