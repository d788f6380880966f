// The text that a profile tries an expression on.
import type { Attack } from '../../protocol/attack.ts';
import type { TextSize } from '../shared/body-sizes.ts';
import type { FoundAttack } from './attack.ts';
import type { Expression, Use } from './uses.ts';

/** A text is tried in this length where nothing limits it. */
export const UNLIMITED = 100_000;
/** What an exponential expression needs is far below; a text of some hundred characters takes longer than anyone waits for. */
const LONGEST_EXPONENTIAL = 200;
/** A server may accept a hundred megabytes. What takes seconds takes them long before. */
const MOST_TRIED = 1_000_000;

export function attackOf(
  { pattern, flags }: Expression,
  method: Use['method'],
  text: FoundAttack | undefined,
  size: TextSize,
): Attack | undefined {
  if (!text) return undefined;
  const { prefix, pump, suffix } = text;
  const isExponential = text.degree === 'exponential';
  // In JSON, a line break takes two bytes.
  const bytesOfPump = JSON.stringify(pump).length - 2;
  const characters = Math.floor(((size.bytes ?? UNLIMITED) * pump.length) / bytesOfPump);
  return {
    pattern,
    flags,
    method,
    prefix,
    pump,
    suffix,
    isExponential,
    size: Math.min(characters, isExponential ? LONGEST_EXPONENTIAL * pump.length : MOST_TRIED),
    limit: size.limit,
  };
}
