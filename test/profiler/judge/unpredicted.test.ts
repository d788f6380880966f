// What a run saw and no rule predicted: a finding where its cost was measured and counts, a sentence where it was not, else nothing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LoopBlock, SourcePlace, SyncCall, VerdictKind } from '../../../protocol/evidence.ts';
import type { Unpredicted } from '../../../protocol/seen-by-run.ts';
import type { Hypothesis } from '../../../profiler/judge/hypothesis.ts';
import { findUnpredicted, type Judged, type Seen } from '../../../profiler/judge/unpredicted.ts';

const MS = 1e6;
const at = (line: number, column = 1): SourcePlace => ({ file: '/p/a.js', line, column });
const EMPTY: Seen = {
  machine: { node: '24.9.0', v8: '13.6', platform: 'linux x64', cpu: 'x', cores: 2 },
  calls: 5000,
  countedCalls: 1000,
  timedCalls: 100,
  tiers: [],
  deopts: [],
  inlineCaches: [],
  mapEvents: [],
  syncCalls: [],
  exceptions: [],
  blocks: [],
  unit: 'request',
  unitNs: 4 * MS,
};

const found = (run: Partial<Seen>, judged: readonly Judged[] = []): Unpredicted => findUnpredicted({ ...EMPTY, ...run }, judged);
const figures = (run: Partial<Seen>, judged?: readonly Judged[]): string[] =>
  found(run, judged).findings.map(({ kind, place, figure }) => `${place.line} ${kind}: ${figure}`);
const remarks = (run: Partial<Seen>, judged?: readonly Judged[]): string[] =>
  found(run, judged).remarks.map(({ place, text }) => `${place.line} ${text}`);

function claim(line: number, kinds: Hypothesis['kinds'], verdict: VerdictKind): Judged {
  const range = { start: at(line), end: at(line, 80) };
  return {
    hypothesis: { ruleId: 'no-x', messageId: 'x', range, functions: [], related: [], kinds },
    verdict: { ruleId: 'no-x', messageId: 'x', place: range.start, verdict, figure: '', grounds: [] },
  };
}

const call = (name: string, each: number, count = 100, line = 3): SyncCall => ({
  name,
  place: at(line, 5),
  count,
  totalMs: each * count,
  maxMs: each,
  squaresMs: each * each * count,
});
const block = (duration: number, line = 5, more: Partial<LoopBlock> = {}): LoopBlock => ({
  duration,
  kind: 'synchronous',
  stack: [{ ...at(line, 7), functionName: 'work' }],
  endless: false,
  ...more,
});
const thrown = (count: number, type = 'RangeError') => ({
  place: at(7, 3),
  placement: 'exact' as const,
  type,
  message: 'no',
  thrown: count,
});
const ERROR_NS = { median: 5000, low: 4000, high: 6000 };
const deopts = (count: number, benign = false) => ({
  place: at(9, 3),
  placement: 'exact' as const,
  inlinedAt: [],
  kind: 'deopt-eager',
  reason: 'wrong map',
  count,
  at: [],
  benign,
});
const access = (megamorphicMisses: number) => ({
  place: at(11, 9),
  kind: 'LoadIC',
  property: 'id',
  state: 'megamorphic' as const,
  shapes: [],
  shapeCount: 9,
  misses: 20,
  megamorphicMisses,
});
const cpu = (self: number): NonNullable<Seen['cpu']> => ({
  busyMs: 100,
  user: 1,
  packages: 0,
  core: 0,
  gc: 0,
  functions: [],
  lines: [{ file: '/p/a.js', line: 11, self }],
  byPackage: [],
  flame: [],
});

describe('what a run saw and no rule predicted', () => {
  it('is nothing where nothing was seen', () => assert.deepEqual(found({}), { findings: [], remarks: [] }));

  it('is a blocking call that takes a millisecond, or a part of the request', () => {
    assert.deepEqual(figures({ syncCalls: [call('fs.readFileSync', 1.2)] }), [
      '3 blocking-call: fs.readFileSync: 1.20 ms per request (30 %)',
    ]);
    assert.equal(figures({ syncCalls: [call('fs.readFileSync', 0.3)] }).length, 1);
    assert.deepEqual(figures({ syncCalls: [call('fs.readFileSync', 0.1)], unitNs: 4 * MS }), []);
    assert.deepEqual(figures({ syncCalls: [call('fs.existsSync', 0.002)] }), []);
    // Nothing says what it is a part of, or how many calls there were.
    assert.deepEqual(figures({ syncCalls: [call('fs.readFileSync', 5)], timedCalls: undefined }), []);
    assert.deepEqual(figures({ syncCalls: [call('child_process.spawn', 5)] }), []);
  });

  it('takes no longer than the call that it is a part of', () =>
    assert.deepEqual(figures({ unit: 'call', unitNs: MS, syncCalls: [call('fs.readFileSync', 2)] }), [
      '3 blocking-call: fs.readFileSync: 1.00 ms per call (100 %)',
    ]));

  it('is a sentence where a call came once among many', () => {
    assert.deepEqual(figures({ syncCalls: [call('fs.readFileSync', 40, 1)] }), []);
    assert.deepEqual(remarks({ syncCalls: [call('fs.readFileSync', 40, 1)], blocks: [block(80, 3)] }), [
      '3 `fs.readFileSync` ran once here and blocked the event loop for 40 ms. That is rare and may be start-up work, so it is not a finding.',
    ]);
    assert.equal(figures({ syncCalls: [call('fs.readFileSync', 40, 1)], timedCalls: 2 }).length, 1);
    assert.deepEqual(figures({ syncCalls: [call('fs.readFileSync', 5, 2)], timedCalls: 1000 }), []);
    // Once loaded, a module is there: of however few requests.
    assert.deepEqual(figures({ syncCalls: [call('require', 115, 1)], timedCalls: 1 }), []);
    assert.equal(figures({ syncCalls: [call('require', 115, 10)], timedCalls: 10 }).length, 1);
    assert.deepEqual(figures({ blocks: [block(60), block(60)], timedCalls: 10_000 }), []);
  });

  it('is no blocking call of a program that is little of its time', () => {
    const run = { unit: 'run', timedCalls: 1 } as const;
    assert.deepEqual(figures({ ...run, unitNs: 1000 * MS, syncCalls: [call('fs.readFileSync', 5, 1)] }), []);
    assert.deepEqual(figures({ ...run, unitNs: 50 * MS, syncCalls: [call('fs.readFileSync', 5, 1)] }), [
      '3 blocking-call: fs.readFileSync: 5.00 ms per run (10 %)',
    ]);
  });

  it('is JSON of a large text', () =>
    assert.deepEqual(figures({ syncCalls: [call('JSON.parse', 2)] }), ['3 large-json: JSON.parse: 2.00 ms per request (50 %)']));

  it('is not what a rule predicted, whatever came of it, unless the run could not say', () => {
    const syncCalls = [call('fs.readFileSync', 2)];
    for (const verdict of ['confirmed', 'seen'] as const) assert.deepEqual(figures({ syncCalls }, [claim(3, ['sync-io'], verdict)]), []);
    for (const verdict of ['refuted', 'inconclusive', 'not-reached'] as const)
      assert.equal(figures({ syncCalls }, [claim(3, ['sync-io'], verdict)]).length, 1);
    assert.equal(figures({ syncCalls }, [claim(4, ['sync-io'], 'confirmed')]).length, 1);
    assert.equal(figures({ syncCalls }, [claim(3, ['deopt'], 'confirmed')]).length, 1);
    assert.deepEqual(figures({ syncCalls: [call('slow(n)', 2)] }, [claim(3, ['loop-delay'], 'confirmed')]), []);
  });

  it('is exceptions whose throwing takes a part of the time', () => {
    const run = { unit: 'call', unitNs: 20_000, throwNs: ERROR_NS } as const;
    assert.deepEqual(figures({ ...run, exceptions: [thrown(1000)] }), [
      '7 exceptions: RangeError: 1000 thrown in 1000 calls, at least 5.0 µs per call (25 %)',
    ]);
    assert.deepEqual(figures({ ...run, exceptions: [thrown(100)] }), []);
    assert.deepEqual(figures({ ...run, exceptions: [{ ...thrown(1000), first: 1000 }], countedCalls: 500 }), [], 'in the first call only');
    assert.match(figures({ ...run, exceptions: [thrown(500)], moreThrown: true })[0] ?? '', /at least 500 thrown/);
    assert.deepEqual(figures({ ...run, exceptions: [thrown(1000)] }, [claim(7, ['exceptions'], 'confirmed')]), []);
    assert.deepEqual(figures({ ...run, exceptions: [thrown(1000)], isVain: true }), []);
  });

  it('is a sentence where throwing was not timed', () => {
    assert.deepEqual(remarks({ exceptions: [thrown(500)] }), ['7 RangeError was thrown here 500 times. What that costs was not measured.']);
    assert.deepEqual(remarks({ exceptions: [thrown(3)] }), []);
    // A thrown text takes no stack.
    const texts = { throwNs: ERROR_NS, exceptions: [thrown(500, '(not an Error)')] };
    assert.deepEqual(figures(texts), []);
    assert.equal(remarks(texts).length, 1);
  });

  it('is blocks of the event loop, by the line that ran', () => {
    assert.deepEqual(figures({ blocks: [block(80), block(60), block(120)] }), ['5 block: blocked the event loop 3 times, up to 120 ms']);
    // Of calls that take microseconds it is another program's, unless a call of Node's tells otherwise, or it does not end. On Linux it is
    // known how long the thread was on a processor.
    const short = { unit: 'call', unitNs: 6000, machine: { ...EMPTY.machine, platform: 'darwin arm64' } } as const;
    const blocks = [block(166), block(80), block(60)];
    assert.equal(figures({ ...short, machine: EMPTY.machine, blocks }).length, 1);
    assert.deepEqual(figures({ ...short, blocks }), []);
    assert.match(remarks({ ...short, blocks })[0] ?? '', /3 times with this code on the stack, up to 166 ms, and a call takes 6\.0 µs\./);
    assert.equal(figures({ ...short, unitNs: 60 * MS, blocks }).length, 1);
    assert.equal(figures({ ...short, blocks: blocks.map((one) => ({ ...one, call: 'Atomics.wait' })) }).length, 1);
    assert.equal(figures({ ...short, blocks: [block(1200, 5, { endless: true })] }).length, 1);
    assert.deepEqual(figures({ blocks: [block(1200, 5, { endless: true })] }), [
      '5 block: blocked the event loop, not finished after 1.2 s',
    ]);
    assert.match(found({ blocks: [block(80, 5, { kind: 'microtask' }), block(80, 5)] }).findings[0]?.remedy ?? '', /available/);
    assert.deepEqual(figures({ blocks: [block(80, 5, { stack: [] }), block(80, 5, { stack: [] })] }), []);
  });

  it('is a sentence where one block may have been the first request', () => {
    assert.deepEqual(figures({ blocks: [block(80)] }), []);
    assert.match(
      remarks({ blocks: [block(80)] })[0] ?? '',
      /^5 The event loop was blocked once .*80 ms\. That is rare and may be start-up/,
    );
    for (const timedCalls of [1, 2]) assert.equal(figures({ blocks: [block(80)], timedCalls }).length, 1);
    // Blocks are those of the calls that were watched, and not of those that were timed.
    assert.equal(figures({ blocks: [block(80)], timedCalls: 80, watchedCalls: 2 }).length, 1);
    assert.deepEqual(figures({ blocks: [block(80)], timedCalls: 2, watchedCalls: 80 }), []);
    assert.deepEqual(figures({ blocks: [block(80)], timedCalls: 3 }), []);
  });

  it('is a block of a program that is a part of its time', () => {
    const run = { unit: 'run', timedCalls: 1, unitNs: 2000 * MS } as const;
    assert.equal(figures({ ...run, blocks: [block(2000)] }).length, 1);
    assert.deepEqual(figures({ ...run, blocks: [block(60)] }), []);
    assert.deepEqual(figures({ ...run, unitNs: 20_000 * MS, blocks: [block(200)] }), []);
  });

  it('is told once', () => {
    const both = { blocks: [block(80, 3), block(80, 3)], syncCalls: [call('fs.readFileSync', 80)] };
    assert.deepEqual(figures(both), ['3 blocking-call: fs.readFileSync: 80 ms per request (100 %)']);
    const below = [80, 90].map((ms) => block(ms, 5, { stack: [at(5), at(3, 5)].map((one) => ({ ...one, functionName: 'f' })) }));
    assert.deepEqual(figures({ blocks: below }, [claim(3, ['loop-delay'], 'confirmed')]), []);
    assert.equal(figures({ blocks: below }, [claim(3, ['loop-delay'], 'inconclusive')]).length, 1);
  });

  it('is a sentence for deoptimizations that do not end: their cost is not known', () => {
    assert.deepEqual(figures({ deopts: [deopts(50)] }), []);
    assert.deepEqual(remarks({ unit: 'call', deopts: [deopts(50)] }), [
      '9 V8 optimized this code and deoptimized it again 50 times (wrong map, 10 k per million calls). What that costs was not measured.',
    ]);
    assert.deepEqual(remarks({ deopts: [deopts(3)] }), []);
    assert.deepEqual(remarks({ deopts: [deopts(50, true)] }), []);
    assert.deepEqual(remarks({ deopts: [deopts(50)] }, [claim(9, ['deopt'], 'seen')]), []);
  });

  it('is a sentence for megamorphic accesses on a line that takes a part of the time', () => {
    assert.deepEqual(remarks({ inlineCaches: [access(400)], cpu: cpu(0.34) }), [
      '11 The access to `.id` is megamorphic, with 400 further misses. The line takes 34 % of the CPU time, which is the most that it can cost. What it costs was not measured.',
    ]);
    assert.deepEqual(remarks({ inlineCaches: [access(400)], cpu: cpu(0.02) }), []);
    assert.deepEqual(remarks({ inlineCaches: [access(400)] }), []);
    assert.deepEqual(figures({ inlineCaches: [access(400)], cpu: cpu(0.9) }), []);
  });

  it('is no sentence for a read that a finding about the keys of objects was judged by', () => {
    const run = { inlineCaches: [access(400)], cpu: cpu(0.34) };
    const judged = claim(3, ['inline-cache'], 'confirmed');
    const withKeys = (keys: string[]) => ({ ...judged, hypothesis: { ...judged.hypothesis, keys } });
    assert.deepEqual(remarks(run, [withKeys(['id', 'name'])]), []);
    assert.equal(remarks(run, [withKeys(['name'])]).length, 1, 'other keys');
    assert.equal(remarks(run, [judged]).length, 1, 'no keys');
  });

  it('comes with the largest cost first', () =>
    assert.deepEqual(
      found({ syncCalls: [call('fs.readFileSync', 2, 100, 3), call('fs.statSync', 9, 100, 4)] }).findings.map(({ place }) => place.line),
      [4, 3],
    ));
});
