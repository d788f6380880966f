// Blocks of the event loop among the records of a run. Pure.
import type { LoopBlock } from '../../protocol/evidence.ts';
import { findBlocks, findHeldUp, recordsOf, type RunRecord } from '../parse/records.ts';

/** Blocks after start-up, without the wait for a processor, and one that start-up never came out of; under requests such a run has failed, and says so. */
export function blocksOf(records: readonly RunRecord[], isServed = false): (LoopBlock & { startUp: boolean })[] {
  const least = Math.min(...recordsOf(records, 'loop-delay').map(({ threshold }) => threshold));
  return findBlocks(records)
    .filter(({ startUp, endless }) => !startUp || (endless && !isServed))
    .map(({ duration, waited = 0, kind, stack, endless, isCut, startUp, call }) => ({
      // On a busy machine, a loop of 190 ms stands still for 780. One that works for part of a short pause is as long as the shortest.
      duration: waited > 0 ? Math.max(duration - waited, Math.min(duration, least)) : duration,
      kind,
      stack,
      endless,
      startUp,
      ...(isCut === undefined ? {} : { isCut }),
      ...(call === undefined ? {} : { call }),
    }));
}

/** Pauses after start-up with user code on the stack that are the machine's doing, as far as is known. */
export function heldUpOf(records: readonly RunRecord[]): LoopBlock[] {
  return findHeldUp(records).flatMap(({ duration, kind, stack, startUp }) => (startUp ? [] : [{ duration, kind, stack, endless: false }]));
}
