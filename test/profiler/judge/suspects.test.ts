// What no rule reports and may cost time: what of it is compared, and when it becomes a finding of the run.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Facts } from '../../../analysis/facts/index.ts';
import { ModuleIndex } from '../../../analysis/module/module-index.ts';
import { parse } from '../../../analysis/module/parse.ts';
import { Source } from '../../../analysis/module/source.ts';
import { judgeSuspect, type Suspect } from '../../../profiler/compare/suspects.ts';
import type { DeoptGroup, ProfileReport, Timing, VerdictKind } from '../../../protocol/evidence.ts';
import { suspectsOf } from '../../../workspace/profile/suspects.ts';
import { reportOf } from '../../client/profile-report.ts';

const FILE = '/p/a.js';
const TEXT = `async function f(list) {
  for await (const x of list) use(x);
}
function g(n) {
  class A {}
  return -n;
}
`;
const at = (line: number, column = 3) => ({ file: FILE, line, column });
const timing = (median: number): Timing => ({
  median,
  samples: 60,
  calls: 6000,
  gc: { count: 0, totalMs: 0, maxMs: 0 },
  suspectedDeadCode: false,
});
const deopts = (count: number, more: Partial<DeoptGroup> = {}): DeoptGroup => ({
  place: at(6, 10),
  placement: 'exact',
  inlinedAt: [],
  kind: 'deopt-eager',
  reason: 'minus zero',
  count,
  at: [],
  benign: false,
  ...more,
});
const EMPTY = reportOf({
  verdicts: [],
  deopts: [],
  unpredicted: { findings: [], remarks: [{ place: at(6), text: 'V8 …' }] },
  timing: timing(20_000),
});

function suspects(report: Partial<ProfileReport>, runs: number | undefined): Suspect[] {
  const outcome = parse(FILE, TEXT);
  assert.ok(outcome.ok);
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source(FILE, TEXT), { nodeRange: '*', nodeRangeSource: '' });
  return suspectsOf({ facts, edited: () => ({ text: '', calls: [] }) }, { ...EMPTY, ...report }, () => runs);
}
const kinds = (report: Partial<ProfileReport>, runs: number | undefined): string[] =>
  suspects(report, runs).map(({ kind, place }) => `${place.line} ${kind}`);

describe('what is compared though no rule reports it', () => {
  it('is what ran so often that it may be a cost', () => {
    assert.deepEqual(kinds({}, 1), ['5 class-per-call', '2 ready-values']);
    assert.deepEqual(kinds({ timing: timing(100_000) }, 1), ['5 class-per-call']);
    assert.deepEqual(kinds({ timing: timing(2_000_000) }, 1), []);
    assert.deepEqual(kinds({ timing: timing(2_000_000) }, 200), ['5 class-per-call', '2 ready-values']);
  });

  it('is nothing where it did not run, or nothing was timed', () => {
    assert.deepEqual(kinds({}, 0), []);
    assert.deepEqual(kinds({}, undefined), []);
    assert.deepEqual(kinds({ timing: undefined }, 1), []);
  });

  it('is not what a rule reports on the line, unless the run could not say', () => {
    const verdict = (verdict: VerdictKind) => ({ ruleId: 'no-x', messageId: 'x', place: at(2), verdict, figure: '', grounds: [] });
    for (const word of ['confirmed', 'seen'] as const) assert.deepEqual(kinds({ verdicts: [verdict(word)] }, 1), ['5 class-per-call']);
    assert.equal(kinds({ verdicts: [verdict('not-reached')] }, 1).length, 2);
  });

  it('is the function that V8 deoptimizes most often', () => {
    assert.deepEqual(kinds({ deopts: [deopts(40), deopts(50, { place: at(6, 11) })] }, 0), ['6 deopt-loop']);
    assert.deepEqual(kinds({ deopts: [deopts(9)] }, 0), []);
    // A rule predicted it.
    assert.deepEqual(kinds({ deopts: [deopts(50)], unpredicted: { findings: [], remarks: [] } }, 0), []);
    assert.deepEqual(kinds({ deopts: [deopts(50, { benign: true })] }, 0), []);
    assert.deepEqual(kinds({ deopts: [deopts(50, { placement: 'none' })] }, 0), []);
    assert.deepEqual(kinds({ deopts: [deopts(50, { place: { ...at(6), file: '/p/b.js' } })] }, 0), []);
  });

  it('says what was seen', () =>
    assert.deepEqual(
      suspects({ deopts: [deopts(50)], calls: 2000, machine: { ...EMPTY.machine, node: '24.9.0' } }, 1).map(({ name, ground }) => [
        name,
        ground,
      ]),
      [
        ['`class A`', "A class is created here once per call. V8's feedback for one of them does not help the next (Node 24.9.0)."],
        [
          '`for await`',
          'This `for await` receives 1 value per call, and none of them is a promise. It still waits for each one (Node 24.9.0).',
        ],
        ['deoptimized 50 times, minus zero', 'V8 optimized `g` and deoptimized it again 50 times in 2000 calls (minus zero, Node 24.9.0).'],
      ],
    ));
});

describe('what was compared', () => {
  const [suspect] = suspects({ deopts: [deopts(50)] }, 0);
  const figure = (low: number, difference: number, ns: number): string | undefined =>
    suspect && judgeSuspect(suspect, { difference, low, high: difference * 2 }, ns, 8)?.figure;

  it('is a finding from 5 % of the call on, at the lower end of the interval', () => {
    assert.equal(figure(60, 100, 1000), 'deoptimized 50 times, minus zero: at least 100 ns per call (10 %)');
    assert.equal(figure(40, 100, 1000), undefined);
    assert.equal(figure(-10, 100, 1000), undefined);
    assert.equal(figure(0.3, 1, 2), undefined);
  });
});
