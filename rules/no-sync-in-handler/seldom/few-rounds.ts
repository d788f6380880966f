// Keys that are derived with so few rounds that it takes microseconds.
import { staticName, unwrap, type CallNode, type Node } from '../../../analysis/module/ast.ts';
import { constantOf, numberOf, textOf } from '../../../analysis/facts/constants.ts';
import { roundsOf } from '../../../analysis/facts/hot-loops.ts';
import type { Facts } from '../../../analysis/facts/index.ts';
import type { BlockingCall, BlockingLevel } from '../../../knowledge/blocking-call.ts';
import { isObjectKept } from './unchanged.ts';

/** Bytes of a hash: a longer key takes all rounds again for each further block (RFC 8018, 5.2). */
const HASH_BYTES: Readonly<Record<string, number>> = { md5: 16, sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 };
/**
 * Measured with Node 20.20 on Linux, processor time: a call with one round takes 3 to 5 µs, and 10,000 rounds 2 (SHA-1, SHA-256), 4.8
 * (SHA-512), and at most 8 ms (SHA-3). So these take at most 0.2 and 2 ms. A journey to the thread pool costs some 0.02 to 0.1 ms.
 */
const PBKDF2: Bounds = { silent: 250, short: 2500 };
/** The same: N = 64 takes about 0.13 ms, 1,024 2.1 ms, and 4,096 8.4 ms, with the default block size of 8. */
const SCRYPT: Bounds = { silent: 64 * 8, short: 1024 * 8 };

interface Bounds {
  /** Up to here, a request waits for microseconds. */
  silent: number;
  /** Up to here, for a millisecond or two. */
  short: number;
}

/** The level of a call that derives a key with few rounds, all of which the file shows; undefined for others. */
export function levelOfRounds(call: CallNode, { module, path }: BlockingCall, facts: Facts): BlockingLevel | undefined {
  if (call.arguments.some(({ type }) => type === 'SpreadElement')) return undefined;
  const name = path.at(-1);
  if (name === 'pbkdf2Sync' && (module === 'crypto' || module === 'pbkdf2'))
    return levelWithin(PBKDF2, roundsOfPbkdf2(call, facts), call, facts);
  return name === 'scryptSync' && module === 'crypto' ? levelWithin(SCRYPT, roundsOfScrypt(call, facts), call, facts) : undefined;
}

/** What loops repeat in one turn takes as long as all of it. */
function levelWithin({ silent, short }: Bounds, rounds: number | undefined, call: CallNode, facts: Facts): BlockingLevel | undefined {
  if (rounds === undefined || rounds > short) return undefined;
  const all = rounds * Math.max(1, roundsOf(facts, facts.hotness.heatOf(call).repetitions));
  return all > short ? undefined : all > silent ? 'hint' : 'off';
}

/** `pbkdf2Sync(password, salt, 1, 32, 'sha256')` */
function roundsOfPbkdf2({ arguments: [, , rounds, length, digest] }: CallNode, { bindings }: Facts): number | undefined {
  const count = numberOf(rounds, bindings);
  const bytes = numberOf(length, bindings);
  if (count === undefined || bytes === undefined || !digest) return undefined;
  const hash = (textOf(digest, bindings) ?? '').toLowerCase().replace('-', '');
  return count * Math.ceil(bytes / (HASH_BYTES[hash] ?? SHORTEST_HASH));
}

/** A hash that the file does not show is as short as the shortest. */
const SHORTEST_HASH = 16;

/** `scryptSync(password, salt, 32, { N: 2 })`: N times the block size times the parallelization. */
function roundsOfScrypt({ arguments: [, , , options] }: CallNode, { bindings }: Facts): number | undefined {
  const node = options && unwrap(options);
  const object = node && unwrap(constantOf(node, bindings) ?? node);
  if (object?.type !== 'ObjectExpression' || (node?.type === 'Identifier' && !isObjectKept(node, bindings))) return undefined;
  const given = new Map<string | undefined, number | undefined>();
  for (const property of object.properties) {
    if (property.type === 'SpreadElement') return undefined;
    given.set(staticName(property.key, property.computed), numberIn(property, bindings));
  }
  const valueOf = (short: string, long: string, otherwise: number): number | undefined =>
    given.has(short) ? given.get(short) : given.has(long) ? given.get(long) : otherwise;
  // https://nodejs.org/docs/latest/api/crypto.html#cryptoscryptsyncpassword-salt-keylen-options: the defaults.
  const parts = [valueOf('N', 'cost', 16_384), valueOf('r', 'blockSize', 8), valueOf('p', 'parallelization', 1)];
  return parts.reduce<number | undefined>((all, part) => (all === undefined || part === undefined ? undefined : all * part), 1);
}

const numberIn = (property: Node, bindings: Facts['bindings']): number | undefined =>
  property.type === 'ObjectProperty' ? numberOf(property.value, bindings) : undefined;
