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
  #byHash: Map<string, FoundFunction[]> | undefined;

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

  withHash(hash: string): readonly FoundFunction[] {
    if (!this.#byHash) {
      this.#byHash = new Map();
      for (const one of this.functions) this.#byHash.set(this.hashOf(one), [...(this.#byHash.get(this.hashOf(one)) ?? []), one]);
    }
    return this.#byHash.get(hash) ?? [];
  }

  lineOf(found: FoundFunction): number {
    return this.source.positionAt(found.span.start).line;
  }

  /** What was recorded, if it stands exactly where it was: 'ambiguous' where several could be meant. */
  find(recorded: RecordedFunction): FoundFunction | 'ambiguous' | undefined {
    const { place, range } = recorded;
    let found: FoundFunction | undefined;
    if (range)
      // V8's range of a method begins with its name, behind `static`.
      found = this.functions.find(
        ({ span, fn }) => span.end === range.end && span.start <= range.start && range.start <= startOf(fn.body ?? fn),
      );
    else if (place && place.column > 0) found = this.#atOffset(this.#offsetOf(place));
    else return this.#byLines(recorded);
    return found && isNamed(found, recorded.name) ? found : undefined;
  }

  /** The function whose head, from its first character to its body, an offset is in. */
  withHeadAt(offset: number): FoundFunction | undefined {
    return this.functions.findLast(({ fn, span }) => span.start <= offset && offset <= startOf(fn.body ?? fn));
  }

  /** Recordings of pprof have no columns: the line of each sample, and at most the line where the function starts. */
  #byLines({ name, place, lines }: RecordedFunction): FoundFunction | 'ambiguous' | undefined {
    if (name === '' && !place) return 'ambiguous';
    const here = this.functions.filter((one) => (place ? this.lineOf(one) === place.line : !lines || this.#hasLines(one, lines)));
    const named = name === '' ? [] : here.filter((one) => functionName(one.fn) !== undefined && isNamed(one, name));
    // V8 has names where nobody gave one. Then only the line where a function starts tells which is meant.
    const all = named.length > 0 || !place ? named : here.filter(({ fn }) => functionName(fn) === undefined);
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

/** `total` of `Cart.total` and of `get total`; undefined where a name ends with something else. */
function lastNameOf(text: string): string | undefined {
  return text.split(NO_NAME).at(-1) || undefined;
}
