// One hash for everything that is recognized by its text.
import { createHash } from 'node:crypto';

/** First characters of SHA-256 in hexadecimal: 64 bits tell the functions of any project apart. */
const HASH_LENGTH = 16;

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
}
