// All cases of the fixes' behavior.
import { asyncCases } from './cases/cases-async.ts';
import { callbackCases } from './cases/cases-callbacks.ts';
import { byteCases } from './cases/cases-bytes.ts';
import { chainCases } from './cases/cases-chains.ts';
import { cloneCases } from './cases/cases-clones.ts';
import { frameworkCases, otherCases } from './cases/cases-frameworks.ts';
import { idiomCases } from './cases/cases-idioms.ts';
import { orderCases } from './cases/cases-order.ts';
import { processCases } from './cases/cases-processes.ts';
import { leftBehindCases } from './cases/cases-left-behind.ts';
import { readDiffCases } from './cases/cases-read-diffs.ts';
import { redundantCases } from './cases/cases-redundant.ts';
import { setupCases } from './cases/cases-setup.ts';
import { shapeCases } from './cases/cases-shapes.ts';
import { sharedCases } from './cases/cases-shared.ts';
import { firstReadCases, startupCases } from './cases/cases-startup.ts';
import { unseenCases } from './cases/cases-unseen.ts';
import { waitingCases } from './cases/cases-waiting.ts';
import { typescriptCases } from './cases/cases-typescript.ts';
import { hostileCases } from './cases/cases-hostile.ts';
import type { FixCase } from './fix-case.ts';

export const cases: readonly FixCase[] = [
  ...asyncCases,
  ...callbackCases,
  ...chainCases,
  ...frameworkCases,
  ...otherCases,
  ...hostileCases,
  ...idiomCases,
  ...orderCases,
  ...processCases,
  ...sharedCases,
  ...byteCases,
  ...cloneCases,
  ...leftBehindCases,
  ...readDiffCases,
  ...redundantCases,
  ...setupCases,
  ...shapeCases,
  ...startupCases,
  ...firstReadCases,
  ...typescriptCases,
  ...unseenCases,
  ...waitingCases,
];
