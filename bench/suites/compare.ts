// What a change did to a suite: which tests that passed do not pass any more.
import type { SuiteResult } from './suite.ts';

export interface Difference {
  /** Passed before and not after; a test that does not run any more is among them. */
  broken: string[];
  /** The other way round. */
  mended: string[];
}

export function differenceOf(before: SuiteResult, after: SuiteResult): Difference {
  return { broken: lessOf(before.passed, after.passed), mended: lessOf(after.passed, before.passed) };
}

/** Names that are more often in the first list. Suites have several tests of one name. */
function lessOf(some: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const name of others) left.set(name, (left.get(name) ?? 0) + 1);
  return some.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
}
