// Tries an expression on a text as V8 does, one way after another, and counts the steps: how they grow with the text needs no clock, and a
// limit ends what would never end.
import type { AST } from '@eslint-community/regexpp';

/** Tries the rest of the expression behind a place; true where all of it matches. */
type Rest = (at: number) => boolean;
type Matcher = (at: number, rest: Rest) => boolean;

/** Thrown when the steps are used up, and caught below: each frame of the recursion would have to pass it on. */
const USED_UP = new Error('no more steps');

export class Backtracker {
  readonly #flags: string;
  readonly #isMultiline: boolean;
  readonly #isEverywhere: boolean;
  readonly #isSticky: boolean;
  readonly #matcher: Matcher;
  readonly #accepts = new Map<string, (character: string) => boolean>();
  #text = '';
  #groups: (readonly [start: number, end: number] | undefined)[] = [];
  readonly #numbers = new Map<AST.CapturingGroup, number>();
  #steps = 0;
  #limit = 0;

  /** @param isEverywhere whether the search goes on behind a match, as that of `replace` with the flag `g` */
  constructor(pattern: AST.Pattern, flags: string, isEverywhere: boolean) {
    this.#flags = flags.replaceAll(/[gyd]/g, '');
    this.#isMultiline = flags.includes('m');
    this.#isEverywhere = isEverywhere;
    this.#isSticky = flags.includes('y');
    this.#matcher = this.#ofAlternatives(pattern.alternatives);
  }

  /** What a search in a text takes, and whether it finds anything; undefined where it takes more steps than the limit. */
  search(text: string, limit: number): { steps: number; isFound: boolean } | undefined {
    this.#text = text;
    this.#steps = 0;
    this.#limit = limit;
    this.#groups = [];
    let end = -1;
    const found: Rest = (at) => {
      end = at;
      return true;
    };
    try {
      for (let start = 0; start <= text.length; ) {
        if (this.#matcher(start, found)) {
          if (!this.#isEverywhere) break;
          start = end > start ? end : start + 1;
        } else if (this.#isSticky) break;
        else start += 1;
      }
    } catch (error) {
      // A recursion that is too deep for the stack tells as little as one that takes too long.
      if (error === USED_UP || error instanceof RangeError) return undefined;
      throw error;
    }
    return { steps: this.#steps, isFound: end >= 0 };
  }

  /** Whether an element that matches one character matches this one. */
  accepts(element: AST.Node, character: string): boolean {
    return this.#characterTest(element.raw)(character);
  }

  #count(): void {
    this.#steps += 1;
    if (this.#steps > this.#limit) throw USED_UP;
  }

  #characterTest(raw: string): (character: string) => boolean {
    let test = this.#accepts.get(raw);
    if (!test) {
      // Of one character and one element, this cannot take long.
      const expression = new RegExp(`^${raw}$`, this.#flags.replace('m', ''));
      const known = new Map<string, boolean>();
      test = (character) => {
        let answer = known.get(character);
        if (answer === undefined) known.set(character, (answer = expression.test(character)));
        return answer;
      };
      this.#accepts.set(raw, test);
    }
    return test;
  }

  #ofAlternatives(alternatives: readonly AST.Alternative[]): Matcher {
    const matchers = alternatives.map(({ elements }) => this.#ofSequence(elements));
    const [only] = matchers;
    if (matchers.length === 1 && only) return only;
    return (at, rest) => matchers.some((matcher) => matcher(at, rest));
  }

  #ofSequence(elements: readonly AST.Element[]): Matcher {
    return elements
      .map((element) => this.#of(element))
      .reduceRight<Matcher>(
        (behind, matcher) => (at, rest) => matcher(at, (next) => behind(next, rest)),
        (at, rest) => rest(at),
      );
  }

  #of(element: AST.Element): Matcher {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.#ofCharacter(element);
      case 'Group':
        return this.#ofAlternatives(element.alternatives);
      case 'CapturingGroup':
        return this.#ofCapturing(element);
      case 'Quantifier':
        return this.#ofQuantifier(element);
      case 'Backreference':
        return this.#ofBackreference(element);
      case 'Assertion':
        return this.#ofAssertion(element);
    }
  }

  #ofCharacter(element: AST.Node): Matcher {
    const test = this.#characterTest(element.raw);
    return (at, rest) => {
      this.#count();
      return at < this.#text.length && test(this.#text.charAt(at)) && rest(at + 1);
    };
  }

  #ofCapturing(element: AST.CapturingGroup): Matcher {
    const inner = this.#ofAlternatives(element.alternatives);
    const number = this.#numbers.size + 1;
    this.#numbers.set(element, number);
    return (at, rest) => {
      const before = this.#groups[number];
      if (
        inner(at, (end) => {
          const outer = this.#groups[number];
          this.#groups[number] = [at, end];
          if (rest(end)) return true;
          this.#groups[number] = outer;
          return false;
        })
      )
        return true;
      this.#groups[number] = before;
      return false;
    };
  }

  #ofQuantifier({ element, min, max, greedy }: AST.Quantifier): Matcher {
    if (isOneCharacter(element)) return this.#ofRepeatedCharacter(element, min, max, greedy);
    const inner = this.#of(element);
    const from = (count: number, at: number, rest: Rest): boolean => {
      this.#count();
      const more = (): boolean =>
        count < max &&
        inner(at, (end) =>
          // What matches nothing would be repeated for ever.
          end === at && count >= min ? false : from(count + 1, end, rest),
        );
      if (count < min) return more();
      return greedy ? more() || rest(at) : rest(at) || more();
    };
    return (at, rest) => from(0, at, rest);
  }

  /** The same without a recursion for each character. */
  #ofRepeatedCharacter(element: AST.Node, min: number, max: number, greedy: boolean): Matcher {
    const test = this.#characterTest(element.raw);
    const isMatch = (at: number): boolean => {
      this.#count();
      return at < this.#text.length && test(this.#text.charAt(at));
    };
    return (at, rest) => {
      let end = at;
      while (end - at < (greedy ? max : min) && isMatch(end)) end += 1;
      if (end - at < min) return false;
      if (!greedy) {
        for (;;) {
          if (rest(end)) return true;
          if (end - at >= max || !isMatch(end)) return false;
          end += 1;
        }
      }
      for (; end - at >= min; end -= 1) {
        this.#count();
        if (rest(end)) return true;
      }
      return false;
    };
  }

  #ofBackreference({ resolved }: AST.Backreference): Matcher {
    return (at, rest) => {
      const groups = Array.isArray(resolved) ? resolved : [resolved];
      const range = groups.map((group) => this.#groups[this.#numbers.get(group) ?? -1]).find((one) => one !== undefined);
      const text = range ? this.#text.slice(...range) : '';
      this.#steps += text.length;
      this.#count();
      return this.#text.startsWith(text, at) && rest(at + text.length);
    };
  }

  #ofAssertion(element: AST.Assertion): Matcher {
    const holds = this.#holdsAt(element);
    return (at, rest) => {
      this.#count();
      return holds(at) && rest(at);
    };
  }

  #holdsAt(element: AST.Assertion): Rest {
    switch (element.kind) {
      case 'start':
        return (at) => at === 0 || (this.#isMultiline && this.#text[at - 1] === '\n');
      case 'end':
        return (at) => at === this.#text.length || (this.#isMultiline && this.#text[at] === '\n');
      case 'word': {
        const isWord = (at: number): boolean => /\w/.test(this.#text.charAt(at));
        return (at) => (isWord(at - 1) !== isWord(at)) !== element.negate;
      }
      case 'lookahead': {
        const inner = this.#ofAlternatives(element.alternatives);
        return (at) => inner(at, () => true) !== element.negate;
      }
      case 'lookbehind': {
        const inner = this.#ofAlternatives(element.alternatives);
        return (at) => {
          for (let start = at; start >= 0; start -= 1) if (inner(start, (end) => end === at)) return !element.negate;
          return element.negate;
        };
      }
    }
  }
}

function isOneCharacter({ type }: AST.Node): boolean {
  return type === 'Character' || type === 'CharacterSet' || type === 'CharacterClass' || type === 'ExpressionCharacterClass';
}
