// Looks for texts on which an expression takes long: candidates made from its own parts are tried with counted steps, and the growth over
// lengths says how bad they are.
import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';
import type { AttackText } from '../../protocol/attack.ts';
import { Backtracker } from './backtracking.ts';

export interface FoundAttack extends AttackText {
  /** `exponential`: each further pump multiplies the steps. A number: they grow with this power of the text's length. */
  degree: 'exponential' | number;
  /** The repetition that the pumps run through. */
  part: string;
  /** Of an exponential one: how much longer each pump makes it take, and characters of a text that takes seconds. */
  growth?: { factor: number; length: number };
}

// Of one expression, for all candidates together: a tenth of a second.
const ALL_STEPS = 800_000;
const STEPS_OF_A_LOOK = 3000;
const STEPS_OF_A_LENGTH = 40_000;
/** Characters of the text that ranks the candidates. */
const LOOK = 32;
const MOST_LOOKED_INTO = 8;
/** Characters in all pumps of the shortest text whose growth is looked at, how many pumps it has at least, and how often it is doubled. */
const LEAST_LENGTH = 8;
const LEAST_REPEATS = 3;
const DOUBLINGS = 5;
const MOST_WORD = 64;

export function findAttack(
  source: string,
  flags: string,
  isEverywhere: boolean,
  hints: readonly string[] = [],
  mayContain: (text: string) => boolean = () => true,
): FoundAttack | undefined {
  const parser = new RegExpParser({ ecmaVersion: 2025 });
  let pattern: AST.Pattern;
  let backtracker: Backtracker;
  try {
    pattern = parser.parsePattern(source, 0, source.length, { unicode: flags.includes('u'), unicodeSets: flags.includes('v') });
    backtracker = new Backtracker(pattern, flags, isEverywhere);
  } catch {
    // Node itself rejects it, or it has syntax that the parser does not know yet.
    return undefined;
  }
  const search = new Search(backtracker);
  const ranked: { candidate: Candidate; steps: number }[] = [];
  let worst: FoundAttack | undefined;
  /** Whether there can be none worse. */
  const isWorst = (candidate: Candidate): boolean => {
    const found = search.growthOf(candidate);
    if (found === undefined) return false;
    const degree = typeof found === 'number' ? found : 'exponential';
    if (degree === 'exponential' || worst === undefined || degree > Number(worst.degree))
      worst = { ...candidate, degree, ...(typeof found === 'number' ? {} : { growth: found }) };
    return degree === 'exponential';
  };
  for (const candidate of new Candidates(pattern, backtracker, hints, mayContain).all()) {
    if (search.left < ALL_STEPS / 2) break;
    const steps = search.steps(textOf(candidate, repeatsFor(candidate, LOOK)), STEPS_OF_A_LOOK);
    if (steps !== undefined) ranked.push({ candidate, steps });
    else if (isWorst(candidate)) return worst;
  }
  ranked.sort((a, b) => b.steps - a.steps || a.candidate.pump.length - b.candidate.pump.length);
  for (const { candidate } of ranked.slice(0, MOST_LOOKED_INTO)) if (isWorst(candidate)) break;
  return worst;
}

export function textOf({ prefix, pump, suffix }: AttackText, repeats: number): string {
  return prefix + pump.repeat(repeats) + suffix;
}

function repeatsFor({ pump }: AttackText, length: number): number {
  return Math.max(LEAST_REPEATS, Math.ceil(length / pump.length));
}

/** Pumps. */
const FEW = [4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26] as const;
/**
 * For four further pumps. From this factor on, the growth is not that of a power that matters: 26 to the 6th is 2.7 times 22 to the 6th.
 */
const EXPONENTIAL_FACTOR = 3;
/** What is exponential keeps its factor, and that of a power falls: from 8 to 4.6 between 4, 8 and 6, 10 for the third. */
const KEPT = 0.8;

/** @param few the steps for each of `FEW`, up to the limit */
function isExponential(few: readonly number[]): boolean {
  const factors = few.slice(2).map((steps, i) => steps / (few[i] ?? steps));
  const [before, last] = factors.slice(-2);
  return before !== undefined && last !== undefined && last >= EXPONENTIAL_FACTOR && before >= EXPONENTIAL_FACTOR && last >= before * KEPT;
}

/** V8 takes 18 to 257 million of our steps in a second (Node 20 on a busy machine, eight expressions): this many are seconds. */
const STEPS_OF_SECONDS = 250_000_000;

/** How an exponential one goes on behind `few`. */
function growthBehind(few: readonly number[], candidate: AttackText): { factor: number; length: number } {
  const last = few.at(-1) ?? 1;
  const factor = (last / (few.at(-3) ?? 1)) ** (1 / 4);
  const repeats = (FEW[few.length - 1] ?? 0) + Math.ceil(Math.log(STEPS_OF_SECONDS / last) / Math.log(factor));
  return { factor, length: textOf(candidate, repeats).length };
}

class Search {
  readonly #backtracker: Backtracker;
  left = ALL_STEPS;

  constructor(backtracker: Backtracker) {
    this.#backtracker = backtracker;
  }

  /** Undefined where there are more than the limit. */
  steps(text: string, limit: number): number | undefined {
    const steps = this.#backtracker.search(text, limit)?.steps;
    this.left -= steps ?? limit;
    return steps;
  }

  /** The power, or how an exponential growth goes on. */
  growthOf(candidate: AttackText): number | { factor: number; length: number } | undefined {
    const few: number[] = [];
    for (const repeats of FEW) {
      // Every length may use up its limit.
      if (this.left < 0) return undefined;
      const steps = this.steps(textOf(candidate, repeats), STEPS_OF_A_LENGTH);
      if (steps === undefined) break;
      few.push(steps);
    }
    if (isExponential(few)) return growthBehind(few, candidate);
    const points: number[] = [];
    const first = Math.max(LEAST_REPEATS, Math.ceil(LEAST_LENGTH / candidate.pump.length));
    for (let repeats = first, i = 0; i < DOUBLINGS; repeats *= 2, i += 1) {
      if (this.left < 0) return undefined;
      const steps = this.steps(textOf(candidate, repeats), STEPS_OF_A_LENGTH);
      if (steps === undefined) break;
      points.push(steps);
    }
    // A high power uses up the limit soon: four, eight, and sixteen pumps are enough then.
    const [four, , eight] = few;
    if (points.length === 2 && first === 8 && four !== undefined && eight === points[0]) points.unshift(four);
    const [x, y, z] = points.slice(-3);
    if (x === undefined || y === undefined || z === undefined || y <= x) return undefined;
    // Differences leave out what does not depend on the length.
    const degree = Math.round(Math.log2((z - y) / (y - x)));
    return degree >= 2 ? degree : undefined;
  }
}

interface Candidate extends AttackText {
  part: string;
}

/** Characters that classes are asked about, those first that a reader can tell. */
const USUAL = [...'a0 A-._/<">\'=&,;:+*#@!?%$|~`^(){}[]\\\t\n\r', 'é', '\u00a0', '\u2028', '\0', '\x1b'];
const MOST_PUMPS = 28;
const MOST_SUFFIXES = 4;

class Candidates {
  readonly #backtracker: Backtracker;
  readonly #quantifiers: AST.Quantifier[] = [];
  readonly #singles: AST.Node[] = [];
  readonly #hints: readonly string[];
  readonly #alphabet: readonly string[];
  readonly #mayContain: (text: string) => boolean;
  /** Whether line breaks stop a part of it. */
  #hasDot = false;

  constructor(pattern: AST.Pattern, backtracker: Backtracker, hints: readonly string[], mayContain: (text: string) => boolean) {
    this.#backtracker = backtracker;
    this.#mayContain = mayContain;
    this.#hints = hints;
    const literal: string[] = [];
    visitRegExpAST(pattern, {
      onQuantifierEnter: (node) => {
        if (node.max > MOST_WORD / 2) this.#quantifiers.push(node);
      },
      onCharacterEnter: (node) => {
        const character = String.fromCodePoint(node.value);
        if (character.length > 1) return;
        literal.push(character);
        if (node.parent.type !== 'CharacterClassRange' && node.parent.type !== 'CharacterClass') this.#singles.push(node);
      },
      onCharacterClassEnter: (node) => {
        if (isElement(node)) this.#singles.push(node);
      },
      onCharacterSetEnter: (node) => {
        if (isElement(node)) this.#singles.push(node);
        if (node.kind === 'any' && !backtracker.accepts(node, '\n')) this.#hasDot = true;
      },
    });
    // Characters that the same elements match are as good as one another.
    const bySignature = new Map<string, string>();
    for (const character of [...hints.filter((one) => one.length === 1), ...USUAL, ...literal].filter((one) => mayContain(one))) {
      const signature = this.#singles.map((one) => (backtracker.accepts(one, character) ? '1' : '0')).join('');
      if (!bySignature.has(signature)) bySignature.set(signature, character);
    }
    this.#alphabet = [...bySignature.values()];
  }

  *all(): Generator<Candidate> {
    const seen = new Set<string>();
    for (const { pump, part, at } of this.#pumps()) {
      for (const prefix of this.#prefixes(at, pump))
        for (const suffix of this.#suffixes(pump)) {
          const key = JSON.stringify([prefix, pump, suffix]);
          if (seen.has(key) || !this.#mayContain(prefix + pump + suffix)) continue;
          seen.add(key);
          yield { prefix, pump, suffix, part };
        }
    }
  }

  #pumps(): { pump: string; part: string; at: AST.Quantifier }[] {
    const pumps = new Map<string, { pump: string; part: string; at: AST.Quantifier }>();
    const add = (pump: string, at: AST.Quantifier): void => {
      if (pump !== '' && pump.length <= MOST_WORD && !pumps.has(`${at.start} ${pump}`))
        pumps.set(`${at.start} ${pump}`, { pump, part: outermost(at).raw, at });
    };
    for (const at of this.#quantifiers) {
      for (const character of [...this.#hints, ...this.#alphabet])
        if (character.length === 1 && this.#isInside(at, character)) add(character, at);
    }
    for (const at of this.#quantifiers) {
      for (const word of this.#words(at.element)) add(word, at);
      // The beginning of a match, again and again: each is tried up to the end of the text.
      const before = this.#wordBefore(at, undefined);
      for (const word of this.#words(at.element).slice(0, 2)) {
        add(before, at);
        add(before + word, at);
      }
    }
    return [...pumps.values()].slice(0, MOST_PUMPS * 2);
  }

  /** Whether some element in a repetition matches the character. */
  #isInside(at: AST.Quantifier, character: string): boolean {
    return this.#singles.some((one) => one.start >= at.start && one.end <= at.end && this.#backtracker.accepts(one, character));
  }

  #prefixes(at: AST.Quantifier, pump: string): string[] {
    const other = this.#alphabet.find((character) => !pump.includes(character) && /[a-z0-9!#]/i.test(character)) ?? '!';
    return [...new Set([this.#wordBefore(at, pump[0]), this.#wordBefore(at, undefined), '', other])];
  }

  #suffixes(pump: string): string[] {
    const others = this.#alphabet.filter((character) => !pump.includes(character));
    const unmatched = others.find((character) => !this.#singles.some((one) => this.#backtracker.accepts(one, character)));
    const usual = [...new Set(['', ...(unmatched === undefined ? ['\u{1}'] : [unmatched]), '\n', ...others])].slice(0, MOST_SUFFIXES + 1);
    // What `/(.+)\s*$/` fails on: the line break ends the first part, and more follows.
    return this.#hasDot ? [...usual, '\n!\n!'] : usual;
  }

  /** A text that leads from the start of the expression to a repetition. */
  #wordBefore(at: AST.Node, preferred: string | undefined): string {
    let word = '';
    for (let node: AST.Node = at; node.parent; node = node.parent) {
      if (node.parent.type !== 'Alternative') continue;
      const { elements } = node.parent;
      const index = elements.indexOf(node as AST.Element);
      word =
        elements
          .slice(0, Math.max(0, index))
          .map((one) => this.#word(one, preferred))
          .join('') + word;
    }
    return word.slice(0, MOST_WORD);
  }

  /** Texts that an element matches, one for each of its alternatives. */
  #words(element: AST.Element): string[] {
    if (element.type !== 'Group' && element.type !== 'CapturingGroup')
      return this.#alphabet.slice(0, 6).map((one) => this.#word(element, one));
    const words = element.alternatives.flatMap(({ elements }) =>
      [undefined, ...this.#alphabet.slice(0, 4)].flatMap((preferred) => {
        // What may be left out is taken once.
        const full = elements.map((one) => this.#word(one, preferred, 1)).join('');
        return [full, elements.map((one) => this.#word(one, preferred)).join('')];
      }),
    );
    return [...new Set(words)].slice(0, 12);
  }

  #word(element: AST.Element, preferred: string | undefined, least = 0): string {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        if (preferred !== undefined && this.#backtracker.accepts(element, preferred)) return preferred;
        if (element.type === 'Character') return String.fromCodePoint(element.value);
        return this.#alphabet.find((character) => this.#backtracker.accepts(element, character)) ?? '';
      case 'Group':
      case 'CapturingGroup': {
        const words = element.alternatives.map(({ elements }) => elements.map((one) => this.#word(one, preferred, least)).join(''));
        return words.find((one) => one !== '') ?? '';
      }
      case 'Quantifier':
        return this.#word(element.element, preferred, least).repeat(
          Math.min(Math.max(element.min, Math.min(least, element.max)), MOST_WORD),
        );
      default:
        return '';
    }
  }
}

function isElement(node: AST.Node): boolean {
  return node.parent?.type === 'Alternative' || node.parent?.type === 'Quantifier';
}

/** The repetition that a repetition is part of, as far as it is without an end, too. */
function outermost(at: AST.Quantifier): AST.Quantifier {
  let found = at;
  for (let node: AST.Node['parent'] = at; node; node = node.parent)
    if (node.type === 'Quantifier' && node.max === Number.POSITIVE_INFINITY) found = node;
  return found;
}
