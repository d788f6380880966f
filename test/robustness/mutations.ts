// Breaks a program the way that typing, merging and copying do: pieces are left out, doubled, swapped, cut off and mixed in.
import type { Random } from './random.ts';

// Rough on purpose: it has to cut broken text too.
const PIECE = /[\p{L}\p{N}_$]+|\s+|'[^'\n]*'|"[^"\n]*"|\/\/[^\n]*|\/\*[^]*?\*\/|=>|\.\.\.|[?!=<>&|*+-]{2,3}|[^]/gu;

const STRAYS = [
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '=>',
  '=',
  ';',
  ',',
  '.',
  '...',
  '?.',
  '??',
  ':',
  '`',
  '${',
  "'",
  '"',
  '/',
  '*',
  '/*',
  '*/',
  '//',
  '<',
  '>',
  '</',
  '#',
  '@',
  '\\',
  '\n',
  '\r',
  '\u2028',
  '\0',
  '\uFEFF',
  '\uD83D',
  '😀',
  ' async ',
  ' await ',
  ' yield ',
  ' function ',
  ' class ',
  ' static ',
  ' import ',
  ' export ',
  ' default ',
  ' return ',
  ' throw ',
  ' new ',
  ' delete ',
  ' typeof ',
  ' in ',
  ' of ',
  ' let ',
  ' const ',
  ' enum ',
  ' type ',
  ' as ',
  ' satisfies ',
  ' get ',
  ' set ',
  ' super',
  ' this',
  ' if',
  ' else ',
  ' case ',
  ' try ',
  ' catch',
  ' finally ',
  '0',
  '1n',
  '08',
  '.5.',
  '<!--',
  '-->',
  '|>',
  '#!',
  '::',
  '@@',
  '%%',
  ' using ',
];

/** The text with one random injury, or up to four. */
export function mutate(random: Random, text: string): string {
  let pieces: readonly string[] = text.match(PIECE) ?? [];
  // Most texts get one only: what Babel cannot read at all no longer reaches the rules.
  for (let injuries = random.chance(0.7) ? 1 : 1 + random.below(4); injuries > 0 && pieces.length > 0; injuries--)
    pieces = injure(random, pieces);
  return pieces.join('');
}

function injure(random: Random, pieces: readonly string[]): string[] {
  const at = random.below(pieces.length);
  const length = 1 + random.below(random.chance(0.2) ? 40 : 4);
  const chunk = pieces.slice(at, at + length);
  const without = [...pieces.slice(0, at), ...pieces.slice(at + length)];
  switch (random.below(11)) {
    case 0:
      return without;
    case 1:
      return [...pieces.slice(0, at), ...chunk, ...pieces.slice(at)];
    case 2: {
      const to = random.below(without.length + 1);
      return [...without.slice(0, to), ...chunk, ...without.slice(to)];
    }
    case 3:
      return [...pieces.slice(0, at), random.pick(STRAYS), ...pieces.slice(at)];
    case 4:
      return [...pieces.slice(0, at), random.pick(STRAYS), ...pieces.slice(at + 1)];
    case 5:
      return pieces.slice(0, at);
    case 6: {
      const other = random.below(pieces.length);
      const swapped = [...pieces];
      [swapped[at], swapped[other]] = [pieces[other] as string, pieces[at] as string];
      return swapped;
    }
    case 7:
    case 8:
    case 9: {
      // A word in another word's place often still parses.
      const words = pieces.flatMap((piece, i) => (/^[\p{L}_$]/u.test(piece) ? [i] : []));
      if (words.length < 2) return without;
      const [from, to] = [random.pick(words), random.pick(words)];
      return pieces.map((piece, i) => (i === to ? (pieces[from] as string) : piece));
    }
    default: {
      // One character inside a piece.
      const piece = pieces[at] as string;
      const inside = random.below(piece.length);
      return [...pieces.slice(0, at), piece.slice(0, inside) + piece.slice(inside + 1), ...pieces.slice(at + 1)];
    }
  }
}
