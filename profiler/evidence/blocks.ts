// Blocks of the event loop among the records of a run. Pure.
import type { LoopBlock } from '../../protocol/evidence.ts';
import { findBlocks, type RunRecord } from '../parse/records.ts';

/** Blocks after start-up, and one that start-up never came out of; under requests such a run has failed, and says so. */
export function blocksOf(records: readonly RunRecord[], isServed = false): (LoopBlock & { startUp: boolean })[] {
  return findBlocks(records)
    .filter(({ startUp, endless }) => !startUp || (endless && !isServed))
    .map(({ duration, kind, stack, endless, isCut, startUp, call }) => ({
      duration,
      kind,
      stack,
      endless,
      startUp,
      ...(isCut === undefined ? {} : { isCut }),
      ...(call === undefined ? {} : { call }),
    }));
}
