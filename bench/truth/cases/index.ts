// All cases of the truth bench.
import type { TruthCase } from '../case.ts';
import { cases as syncInHandler } from './no-sync-in-handler.ts';

export const cases: readonly TruthCase[] = [...syncInHandler];
