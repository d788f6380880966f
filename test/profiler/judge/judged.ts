// What a run says about one finding, for tests: a run without anything, and the judge's answer to it.
import assert from 'node:assert/strict';
import type { SourcePlace, Verdict } from '../../../protocol/evidence.ts';
import type { Hypothesis, Run } from '../../../profiler/judge/hypothesis.ts';
import { judge } from '../../../profiler/judge/verdict.ts';
import type { EvidenceKind } from '../../../protocol/evidence.ts';

export const at = (line: number, column = 1): SourcePlace => ({ file: '/p/a.js', line, column });
export const EMPTY: Run = {
  machine: { node: '24.9.0', v8: '13.6', platform: 'linux x64', cpu: 'x', cores: 2 },
  calls: 5000,
  tiers: [],
  deopts: [],
  inlineCaches: [],
  mapEvents: [],
  syncCalls: [],
  exceptions: [],
  blocks: [],
  unit: 'call',
};

export function verdictOf(
  kinds: EvidenceKind[],
  run: Partial<Run>,
  executions: number | undefined = 5000,
  more: Partial<Hypothesis> = {},
): string {
  const { verdict, figure, grounds } = judged(kinds, run, executions, more);
  assert.ok(grounds.length > 0);
  return `${verdict}: ${figure}`;
}

export function judged(
  kinds: EvidenceKind[],
  run: Partial<Run>,
  executions: number | undefined = 5000,
  more: Partial<Hypothesis> = {},
): Verdict {
  const hypothesis: Hypothesis = {
    ruleId: 'no-x',
    messageId: 'x',
    range: { start: at(3, 5), end: at(3, 20) },
    functions: [{ start: at(2), end: at(9) }],
    related: [],
    extent: [{ start: at(3, 5), end: at(3, 20) }],
    makers: [],
    keys: [],
    kinds,
    ...more,
  };
  return judge(hypothesis, { ...EMPTY, ...run }, () => executions);
}

export const deopt = {
  place: at(4, 7),
  placement: 'exact',
  inlinedAt: [],
  kind: 'deopt-eager',
  reason: 'not a Smi',
  count: 3,
  at: [1, 2, 3],
  benign: false,
} as const;
export const cache = {
  place: at(5, 9),
  kind: 'LoadIC',
  property: 'x',
  state: 'monomorphic',
  shapes: [],
  shapeCount: 1,
  misses: 1,
  megamorphicMisses: 0,
} as const;
export const turbofan = { functionName: 'f', place: at(2, 11), tier: 'turbofan', osr: false, at: 5 } as const;
export const call = { name: 'fs.readFileSync', place: at(3, 8), count: 120, totalMs: 9.6, maxMs: 0.31 };
export const block = { duration: 500, kind: 'next-tick', stack: [{ ...at(3, 8), functionName: 'f' }], endless: true } as const;
