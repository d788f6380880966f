// What of V8's shapes is worth showing: objects that users make, and names that stand in code.
import type { InlineCache } from './evidence.ts';

/** Node makes these for each request, and frameworks add to them: their shapes are none that a user can change. */
const MADE_BY_NODE: ReadonlySet<string> = new Set([
  'IncomingMessage',
  'ServerResponse',
  'Http2ServerRequest',
  'Http2ServerResponse',
  'Socket',
  'TLSSocket',
]);

/** Every object that came was made by Node. */
export function isMadeByNode({ shapes }: Pick<InlineCache, 'shapes'>): boolean {
  return shapes.length > 0 && shapes.every(({ constructorName }) => constructorName !== undefined && MADE_BY_NODE.has(constructorName));
}

const SYMBOL = /^Symbol\(.*\)$/;
const IDENTIFIER = /^[\p{L}_$#][\p{L}\p{N}_$-]*$/u;
/**
 * Digits at the end (`address2`), and behind a word that ends with a dash or an underscore, are in names; between letters they are in ids.
 */
const DIGITS_BETWEEN = /\p{N}+\p{L}+.*\p{N}|\p{L}\p{N}+\p{L}+\p{N}|\p{N}{4,}/u;
const LONGEST_NAME = 40;

/** A key that comes from data, such as the id of a session or an address: it is nobody's business, and it differs from run to run. */
export function isDataKey(name: string): boolean {
  if (SYMBOL.test(name)) return false;
  return name.length > LONGEST_NAME || !IDENTIFIER.test(name) || DIGITS_BETWEEN.test(name);
}

/** Names of an object's properties as they are shown. */
export function shownKeys(properties: readonly string[]): string[] {
  return properties.map((name) => (isDataKey(name) ? '[key]' : name));
}
