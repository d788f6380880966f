// Fixes that would change what a program answers, as seen in real code: each is refused with the reason, by what makes it unsafe.
import type { InvalidCase } from '../../../analysis/testing/rule-tester.ts';
import { callersCases } from './cases-callers.ts';
import { errorsCases } from './cases-errors.ts';
import { keptReadsCases } from './cases-kept-reads.ts';
import { meanwhileCases } from './cases-meanwhile.ts';
import { platformCases } from './cases-platform.ts';

export const unsafeFixCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
  ...callersCases,
  ...errorsCases,
  ...meanwhileCases,
  ...keptReadsCases,
  ...platformCases,
];
