// Injuries that random typing does not make: pieces that are repeated until they are deep, long or many, and values of other types.
import { mutate } from '../mutations.ts';
import type { Random } from '../random.ts';

/** So often that a doubling of work shows, and its square. */
const REPEATS = [3, 12, 30, 200, 3000];
/** Beyond this a case is about size, which other lists try. */
const LONGEST = 300_000;
const LONGEST_PIECE = 60;
/** Of what is there many times, as JSON: a value of 500 MB cannot be written at all. */
const LONGEST_COPIES = 50_000_000;
/** Of a value: what is nested a few times deeper can no longer be written. */
const DEEPEST = 1000;

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  -0.5,
  9_007_199_254_740_992,
  '',
  ' ',
  '*',
  '**/*',
  '__proto__',
  'constructor',
  '\u0000',
  '\ud800',
  '../../../../etc/passwd',
  '/dev/zero',
  'file:///dev/zero',
  '[a](command:x)',
  '\u001b[2J\n::error::x',
  [],
  {},
  [[]],
  [null],
];

/** A text with one to three injuries, of which one may be a piece that is there many times. */
export function injured(random: Random, text: string): string {
  let result = text;
  for (let times = 1 + random.below(3); times > 0; times -= 1)
    result = random.chance(0.25) ? repeated(random, result) : mutate(random, result);
  return result.length > LONGEST ? result.slice(0, LONGEST) : result;
}

function repeated(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const piece = text.slice(at, at + 1 + random.below(LONGEST_PIECE));
  const times = Math.min(random.pick(REPEATS), Math.floor(LONGEST / (piece.length || 1)));
  const before = text.slice(0, at);
  return random.chance(0.5) ? before + piece.repeat(times) + text.slice(at) : before + piece.repeat(times);
}

/** A JSON value in which one to three places hold something else, are missing, doubled, or nested. */
export function injuredValue(random: Random, value: unknown): unknown {
  let result = value;
  for (let times = 1 + random.below(3); times > 0; times -= 1) result = injure(random, result);
  return result;
}

function injure(random: Random, value: unknown): unknown {
  const isInner = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isInner || random.chance(0.1)) return replacement(random, value);
  const key = random.pick(Object.keys(value));
  if (Array.isArray(value)) {
    const copy: unknown[] = [...(value as unknown[])];
    const at = Number(key);
    const what = random.next();
    if (what < 0.15) copy.splice(at, 1);
    else if (what < 0.28) copy.splice(at, 0, ...copiesOf(copy[at], random.pick(REPEATS)));
    else copy[at] = injure(random, copy[at]);
    return copy;
  }
  const copy: Record<string, unknown> = { ...value };
  const what = random.next();
  if (what < 0.15) delete copy[key];
  else if (what < 0.28) copy[String(random.pick(ODD_VALUES))] = copy[key];
  else copy[key] = injure(random, copy[key]);
  return copy;
}

function copiesOf(value: unknown, times: number): unknown[] {
  const most = Math.ceil(LONGEST_COPIES / (JSON.stringify(value).length || 1));
  return Array.from({ length: Math.min(times, most) }, () => value);
}

function replacement(random: Random, value: unknown): unknown {
  if (typeof value === 'string' && random.chance(0.4)) return injured(random, value);
  if (typeof value === 'number' && random.chance(0.4)) return value * (random.next() - 0.5) * 10 ** random.below(20);
  if (random.chance(0.1)) {
    let nested: unknown = value;
    for (let depth = Math.min(random.pick(REPEATS), DEEPEST); depth > 0; depth -= 1) nested = random.chance(0.5) ? [nested] : { a: nested };
    return nested;
  }
  return random.pick(ODD_VALUES);
}
