// All cases of the truth bench.
import type { TruthCase } from '../case.ts';
import { cases as blockingLoop } from './no-blocking-loop.ts';
import { cases as microtaskStarvation } from './no-microtask-starvation.ts';
import { cases as others } from './others.ts';
import { cases as polymorphicCall } from './no-polymorphic-call.ts';
import { cases as perRequest } from './per-request.ts';
import { cases as quadratic } from './no-quadratic.ts';
import { cases as sequentialAwait } from './no-sequential-await.ts';
import { cases as bytes } from './bytes.ts';
import { cases as rareMessages } from './rare-messages.ts';
import { cases as repeatedWork } from './repeated-work.ts';
import { cases as syncInHandler } from './no-sync-in-handler.ts';
import { cases as threadPool } from './thread-pool.ts';
import { cases as throwInHotPath } from './no-throw-in-hot-path.ts';
import { cases as traps } from './traps.ts';
import { cases as trapsOfSyntax } from './traps-of-syntax.ts';
import { cases as unboundedGrowth } from './no-unbounded-growth.ts';
import { cases as unsafeRegex } from './no-unsafe-regex.ts';
import { cases as unstableShape } from './no-unstable-shape.ts';

export const cases: readonly TruthCase[] = [
  ...syncInHandler,
  ...blockingLoop,
  ...unsafeRegex,
  ...microtaskStarvation,
  ...throwInHotPath,
  ...polymorphicCall,
  ...unstableShape,
  ...unboundedGrowth,
  ...sequentialAwait,
  ...repeatedWork,
  ...quadratic,
  ...perRequest,
  ...threadPool,
  ...others,
  ...rareMessages,
  ...bytes,
  ...traps,
  ...trapsOfSyntax,
];
