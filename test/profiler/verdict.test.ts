// What a run says about a finding: every kind of evidence confirms, refutes, does not reach and leaves open.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SourcePlace } from '../../protocol/evidence.ts';
import type { Hypothesis, Run } from '../../profiler/judge/hypothesis.ts';
import { judge } from '../../profiler/judge/verdict.ts';
import { amount, duration } from '../../profiler/judge/words.ts';
import type { EvidenceKind } from '../../protocol/evidence.ts';

const at = (line: number, column = 1): SourcePlace => ({ file: '/p/a.js', line, column });
const EMPTY: Run = {
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

function verdictOf(
  kinds: EvidenceKind[],
  run: Partial<Run>,
  executions: number | undefined = 5000,
  more: Partial<Hypothesis> = {},
): string {
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
  const { verdict, figure, grounds } = judge(hypothesis, { ...EMPTY, ...run }, () => executions);
  assert.ok(grounds.length > 0);
  return `${verdict}: ${figure}`;
}

const deopt = {
  place: at(4, 7),
  placement: 'exact',
  inlinedAt: [],
  kind: 'deopt-eager',
  reason: 'not a Smi',
  count: 3,
  at: [1, 2, 3],
  benign: false,
} as const;
const cache = {
  place: at(5, 9),
  kind: 'LoadIC',
  property: 'x',
  state: 'monomorphic',
  shapes: [],
  shapeCount: 1,
  misses: 1,
  megamorphicMisses: 0,
} as const;
const turbofan = { functionName: 'f', place: at(2, 11), tier: 'turbofan', osr: false, at: 5 } as const;
const call = { name: 'fs.readFileSync', place: at(3, 8), count: 120, totalMs: 9.6, maxMs: 0.31 };
const block = { duration: 500, kind: 'next-tick', stack: [{ ...at(3, 8), functionName: 'f' }], endless: true } as const;

describe('verdicts', () => {
  it('on blocking calls', () => {
    assert.equal(verdictOf(['sync-io'], { syncCalls: [call] }), 'confirmed: fs.readFileSync ×120, 0.08 ms each, up to 0.31 ms');
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [{ ...call, place: at(8) }] }),
      'refuted: no blocking call in 5000 runs on Node 24.9.0',
    );
    assert.equal(verdictOf(['sync-io'], {}, 0), 'not-reached: never ran');
    assert.equal(
      judge(
        { ruleId: 'r', messageId: 'm', range: { start: at(3), end: at(3) }, functions: [], related: [], kinds: ['sync-io'] },
        EMPTY,
        () => undefined,
      ).verdict,
      'inconclusive',
    );
  });

  it('on what was thrown after counting had ended', () => {
    const group = { place: at(3, 8), placement: 'exact', type: 'SyntaxError', message: '', thrown: 500 } as const;
    assert.equal(verdictOf(['exceptions'], { exceptions: [group], moreThrown: true }, 528), 'confirmed: at least 500 thrown in 528 runs');
    assert.equal(
      verdictOf(['exceptions'], { exceptions: [group], moreThrown: true }, 60_000),
      'inconclusive: at least 500 thrown in 60 k runs',
    );
    assert.equal(verdictOf(['exceptions'], { exceptions: [group] }, 600_000), 'refuted: 500 thrown in 600 k runs');
    assert.equal(verdictOf(['exceptions'], { moreThrown: true }), 'inconclusive: counting stopped early');
    assert.equal(verdictOf(['exceptions'], { moreThrown: true }, 0), 'not-reached: never ran');
  });

  it('on what was not thrown', () => {
    assert.equal(verdictOf(['exceptions'], {}, 29), 'inconclusive: ran only 29 times');
    assert.equal(verdictOf(['exceptions'], {}, 30), 'refuted: nothing thrown in 30 runs on Node 24.9.0');
  });

  it('on what is enough to run', () => {
    assert.equal(verdictOf(['runs'], { calls: 203, countedCalls: 5 }, 5), 'confirmed: ran 5 times in 5 calls');
    assert.equal(verdictOf(['runs'], { calls: 1 }, 5), 'confirmed: ran 5 times');
  });

  it('on shapes', () => {
    assert.equal(verdictOf(['inline-cache'], { inlineCaches: [cache] }), 'refuted: monomorphic in 5000 runs on Node 24.9.0');
    assert.equal(verdictOf(['inline-cache'], { inlineCaches: [cache] }, 10), 'inconclusive: ran only 10 times');
    assert.equal(
      verdictOf(['inline-cache'], { inlineCaches: [cache, { ...cache, state: 'megamorphic', shapeCount: 7, megamorphicMisses: 42 }] }),
      'confirmed: 7 shapes, megamorphic, 42 further misses',
    );
    assert.equal(
      verdictOf(['inline-cache'], { inlineCaches: [{ ...cache, state: 'polymorphic', shapeCount: 2, place: at(7) }] }),
      'confirmed: 2 shapes, polymorphic',
    );
    assert.equal(
      verdictOf(['inline-cache'], { inlineCaches: [{ ...cache, place: at(30) }] }),
      'inconclusive: no property access was logged',
    );
    assert.equal(verdictOf(['inline-cache'], { inlineCaches: [cache] }, 0), 'not-reached: never ran');
    assert.equal(
      verdictOf(['map-transition'], { mapEvents: [{ place: at(3, 6), placement: 'exact', reason: 'DeletingProperty', count: 12 }] }),
      'confirmed: DeletingProperty ×12',
    );
    assert.equal(verdictOf(['map-transition'], {}, 1), 'inconclusive: ran only once', 'the one object may not have had the property');
    assert.equal(verdictOf(['map-transition'], {}, 30, { messageId: 'deletedField' }), 'refuted: stable shapes in 30 runs on Node 24.9.0');
    assert.equal(
      verdictOf(['map-transition', 'inline-cache'], { inlineCaches: [cache] }, 5000, { messageId: 'deletedField' }),
      'refuted: stable shapes in 5000 runs on Node 24.9.0',
    );
  });

  it('on optimized code thrown away', () => {
    assert.equal(verdictOf(['deopt'], { deopts: [deopt] }), 'confirmed: deopt ×3: not a Smi');
    assert.equal(
      verdictOf(['deopt'], { deopts: [{ ...deopt, benign: true }], tiers: [turbofan] }),
      'refuted: optimized, 0 deopts in 5000 runs on Node 24.9.0',
    );
    assert.equal(
      verdictOf(['deopt'], { deopts: [{ ...deopt, reason: 'Insufficient type feedback for call', count: 95 }], tiers: [turbofan] }),
      'refuted: optimized, 0 deopts in 5000 runs on Node 24.9.0',
    );
    assert.equal(verdictOf(['deopt'], {}), 'inconclusive: not optimized in 5000 runs');
    assert.equal(verdictOf(['deopt'], {}, 0), 'not-reached: never ran');
  });

  it('on operands and call targets', () => {
    const plus = { place: at(12, 9), kind: 'operator', seen: 'Number', mixed: false } as const;
    const around = {
      functions: [
        { start: at(2), end: at(9) },
        { start: at(11), end: at(14) },
      ],
    };
    const told = (feedback: NonNullable<Run['feedback']>, executions = 5000) => verdictOf(['feedback'], { feedback }, executions, around);
    assert.equal(told([{ ...plus, seen: 'Any', mixed: true }]), 'confirmed: the operator at 12:9 saw several types');
    assert.equal(
      told([{ ...plus, kind: 'call', seen: 'several functions', mixed: true }]),
      'confirmed: the call at 12:9 saw several functions',
    );
    assert.equal(
      told([plus, { ...plus, place: at(13, 2), seen: 'SignedSmall' }]),
      'refuted: only Number, SignedSmall in 5000 runs on Node 24.9.0',
    );
    assert.equal(told([plus], 10), 'inconclusive: ran only 10 times');
    // It may be a comparison that is meant, of which this V8 tells nothing.
    const on26 = { ...EMPTY.machine, node: '26.10.0' };
    assert.equal(
      verdictOf(['feedback'], { machine: on26, feedback: [plus] }, 5000, around),
      'inconclusive: comparison feedback not reported',
    );
    assert.equal(
      verdictOf(['feedback'], { machine: on26, feedback: [plus] }, 5000, { ...around, meets: { start: at(12), end: at(12, 20) } }),
      'refuted: only Number in 5000 runs on Node 26.10.0',
    );
    // The call that the finding stands at is no operand, and what is elsewhere is another matter.
    assert.equal(
      told([
        { ...plus, place: at(3, 6), seen: 'Any', mixed: true },
        { ...plus, place: at(40), seen: 'Any', mixed: true },
      ]),
      'inconclusive: not measured by this run',
    );
    assert.equal(told([], 0), 'not-reached: never ran');
    assert.equal(verdictOf(['feedback'], {}), 'inconclusive: not measured by this run');
    // V8 optimizes for several types, too, and then has nothing to throw away: only what the operators met refutes.
    assert.equal(verdictOf(['feedback', 'deopt'], { tiers: [turbofan] }), 'inconclusive: no deopt, operand types unknown');
    assert.equal(verdictOf(['feedback', 'deopt'], { deopts: [deopt] }), 'confirmed: deopt ×3: not a Smi');
    assert.equal(
      verdictOf(['feedback', 'deopt'], { tiers: [turbofan], feedback: [plus] }, 5000, around),
      'refuted: only Number in 5000 runs on Node 24.9.0',
    );
  });

  it('on arrays', () => {
    const read = { start: at(6, 3), end: at(6, 20) };
    const keyed = { ...cache, place: at(6, 9), kind: 'KeyedLoadIC' } as const;
    const told = (list: Run['inlineCaches'], executions = 5000) =>
      verdictOf(['bounds'], { inlineCaches: list }, executions, { related: [read] });
    assert.equal(told([{ ...keyed, outOfBounds: true }]), 'confirmed: out-of-bounds reads, 5000 runs');
    assert.equal(told([keyed]), 'refuted: no out-of-bounds reads in 5000 runs on Node 24.9.0');
    assert.equal(told([keyed], 3), 'inconclusive: ran only 3 times');
    assert.equal(told([{ ...keyed, place: at(7), outOfBounds: true }]), 'inconclusive: no array access was logged');
    assert.equal(told([], 0), 'not-reached: never ran');
    const event = { place: at(3, 9), placement: 'exact', reason: 'elements kind', count: 1 } as const;
    assert.equal(verdictOf(['elements'], { mapEvents: [event] }), 'confirmed: elements kind changed');
    assert.equal(
      verdictOf(['elements'], { mapEvents: [{ ...event, reason: 'DeletingProperty' }] }),
      'inconclusive: no elements kind change was logged',
    );
    assert.equal(verdictOf(['elements'], {}, 0), 'not-reached: never ran');
  });

  it('on exceptions', () => {
    const thrown = { place: at(3, 6), placement: 'exact', type: 'TypeError', message: 'no', thrown: 2500 } as const;
    assert.equal(verdictOf(['exceptions'], { exceptions: [thrown] }), 'confirmed: 2500 thrown in 5000 runs');
    assert.equal(verdictOf(['exceptions'], { exceptions: [{ ...thrown, thrown: 3 }] }), 'refuted: 3 thrown in 5000 runs');
    assert.equal(verdictOf(['exceptions'], {}), 'refuted: nothing thrown in 5000 runs on Node 24.9.0');
  });

  it('on starvation', () => {
    assert.equal(
      verdictOf(['microtasks', 'loop-delay'], { blocks: [block] }),
      'confirmed: did not finish in 500 ms: recursive process.nextTick',
    );
    assert.equal(
      verdictOf(['microtasks', 'loop-delay'], { blocks: [{ ...block, stack: [{ ...at(40), functionName: 'g' }] }] }),
      'refuted: timers fired on time in 5000 runs on Node 24.9.0',
    );
    assert.equal(verdictOf(['microtasks'], {}, 1), 'inconclusive: ran only once');
  });

  it('on loops that block', () => {
    const own = { ...block, kind: 'synchronous', endless: false } as const;
    assert.equal(verdictOf(['loop-delay'], { blocks: [own] }), 'confirmed: blocked 500 ms');
    assert.equal(
      verdictOf(['loop-delay'], { blocks: [{ ...own, stack: [{ ...at(40), functionName: 'g' }] }] }),
      'inconclusive: no block in 5000 runs',
    );
    assert.equal(verdictOf(['loop-delay', 'time'], {}, 1), 'inconclusive: no block in 1 run');
    assert.equal(verdictOf(['loop-delay'], {}, 0), 'not-reached: never ran');
    assert.equal(verdictOf(['loop-delay', 'sync-io'], {}), 'refuted: no blocking call in 5000 runs on Node 24.9.0');
    const uncounted = judge(
      { ruleId: 'r', messageId: 'm', range: { start: at(3), end: at(3) }, functions: [], related: [], kinds: ['loop-delay'] },
      EMPTY,
      () => undefined,
    );
    assert.equal(uncounted.figure, 'not measured by this run');
  });

  it('come from the place itself, not from elsewhere in its function', () => {
    const busy = { duration: 80, kind: 'synchronous', stack: [{ ...at(5, 3), functionName: 'f' }], endless: false } as const;
    // A read that never ran, beside 80 ms of other work; another that ran and was fast.
    assert.equal(verdictOf(['sync-io', 'loop-delay'], { blocks: [busy] }, 0), 'not-reached: never ran');
    assert.equal(verdictOf(['sync-io', 'loop-delay'], { blocks: [busy] }), 'refuted: no blocking call in 5000 runs on Node 24.9.0');
    // A loop of three rounds beside an execSync, and the loop itself, whose head alone is marked.
    assert.equal(verdictOf(['loop-delay'], { blocks: [busy] }, 5), 'inconclusive: no block in 5 runs');
    const loop = { extent: [{ start: at(3, 5), end: at(6) }] };
    assert.equal(verdictOf(['loop-delay'], { blocks: [busy] }, 5, loop), 'confirmed: blocked 80 ms');
    // Synchronous code is no queue of ticks.
    assert.equal(verdictOf(['microtasks', 'loop-delay'], { blocks: [busy] }), 'inconclusive: blocked by other code');
    // A delete that never ran, and another one that did.
    const deleted = { place: at(7, 3), placement: 'exact', reason: 'DeletingProperty', count: 40 } as const;
    const oneField = { messageId: 'deletedField' };
    assert.equal(verdictOf(['map-transition'], { mapEvents: [deleted] }, 0, oneField), 'not-reached: never ran');
    assert.equal(
      verdictOf(['map-transition'], { mapEvents: [deleted] }, 5000, oneField),
      'refuted: stable shapes in 5000 runs on Node 24.9.0',
    );
    // V8 does not log every prototype that is replaced.
    assert.equal(verdictOf(['map-transition'], {}, 5000, { messageId: 'replacedPrototype' }), 'inconclusive: no shape change was logged');
  });

  it('on exceptions count those that come through the try, against its runs', () => {
    const elsewhere = { place: at(40, 3), placement: 'exact', type: 'Error', message: '', thrown: 500 } as const;
    const guarded = { extent: [{ start: at(3, 5), end: at(6) }], entry: at(3, 5) };
    assert.equal(
      verdictOf(['exceptions'], { exceptions: [{ ...elsewhere, paths: [{ frames: [at(40, 3)], thrown: 500 }] }] }, 5000, guarded),
      'refuted: nothing thrown in 5000 runs on Node 24.9.0',
    );
    const paths = [
      { frames: [at(40, 3)], thrown: 100 },
      { frames: [at(40, 3), at(4, 8)], thrown: 400 },
    ];
    assert.equal(verdictOf(['exceptions'], { exceptions: [{ ...elsewhere, paths }] }, 5000, guarded), 'confirmed: 400 thrown in 5000 runs');
    // The throw statement runs as often as it throws: the share is that of the `try`.
    const own = { ...elsewhere, place: at(3, 6) };
    const { verdict, figure } = judge(
      {
        ruleId: 'r',
        messageId: 'm',
        range: { start: at(3, 5), end: at(3, 20) },
        functions: [],
        related: [],
        kinds: ['exceptions'],
        entry: at(2),
      },
      { ...EMPTY, exceptions: [own] },
      (place) => (place.line === 2 ? 1_000_000 : 500),
    );
    assert.equal(`${verdict}: ${figure}`, 'refuted: 500 thrown in 1 M runs');
    assert.equal(verdictOf(['exceptions'], { exceptions: [own] }, 50_000), 'inconclusive: 500 thrown in 50 k runs');
  });

  it('on calls that no hook sees are never a refutation', () => {
    for (const call of ['bcryptjs.hashSync', 'sqlite.DatabaseSync', 'ZipFile#getSync'])
      assert.equal(verdictOf(['sync-io', 'loop-delay'], {}, 5000, { call }), 'inconclusive: not timed', call);
    for (const call of ['fs.readFileSync', 'fs.realpathSync.native', 'Dir#readSync', 'process.report.getReport'])
      assert.match(verdictOf(['sync-io', 'loop-delay'], {}, 5000, { call }), /^refuted/, call);
    assert.equal(verdictOf(['sync-io'], {}, 0, { call: 'bcryptjs.hashSync' }), 'not-reached: never ran');
  });

  it('on key orders are those of the readers', () => {
    const keys = ['a', 'b'];
    const literals = [
      { start: at(3, 5), end: at(3, 20) },
      { start: at(4, 5), end: at(4, 20) },
    ];
    const shape = (properties: readonly string[], id: string) => ({ id, properties, dictionary: false });
    const made = { ...cache, kind: 'DefineNamedOwnIC', place: at(4, 7), property: 'b' } as const;
    const reader = {
      ...cache,
      property: 'b',
      place: at(30, 9),
      state: 'polymorphic',
      shapes: [shape(['a', 'b'], '1'), shape(['b', 'a'], '2')],
      shapeCount: 2,
    } as const;
    const claim = { messageId: 'keyOrder', related: literals.slice(1), makers: literals, keys };
    const told = (inlineCaches: Run['inlineCaches'], executions = 5000) => verdictOf(['inline-cache'], { inlineCaches }, executions, claim);
    assert.equal(told([made]), 'inconclusive: no property access was logged');
    assert.equal(told([made, reader]), 'confirmed: 2 shapes, polymorphic');
    // They are made while the program is loaded, and read afterwards.
    assert.equal(told([made, reader], 0), 'confirmed: 2 shapes, polymorphic');
    const others = { ...reader, shapes: [shape(['a', 'b'], '1'), shape(['b', 'c'], '3')] };
    assert.equal(told([made, others]), 'refuted: monomorphic in 5000 runs on Node 24.9.0');
    assert.equal(told([made, { ...others, shapes: [shape(['b', 'c'], '3')] }]), 'inconclusive: no property access was logged');
  });

  it('stay open where nothing of the kind was measured', () => {
    assert.equal(verdictOf(['load'], {}), 'inconclusive: not measured by this run');
    assert.equal(verdictOf(['time'], {}), 'inconclusive: not measured by this run');
  });

  it('a confirmation beats a refutation of another kind', () => {
    assert.equal(verdictOf(['inline-cache', 'deopt'], { inlineCaches: [cache], deopts: [deopt] }), 'confirmed: deopt ×3: not a Smi');
  });

  it('write numbers for people', () => {
    assert.deepEqual([0, 950, 9999, 12_345, 1_200_000, 3e9].map(amount), ['0', '950', '9999', '12.3 k', '1.2 M', '3 G']);
    assert.deepEqual([0.0004, 0.08, 3, 12.4, 1500].map(duration), ['0.4 µs', '0.08 ms', '3.00 ms', '12 ms', '1.5 s']);
  });
});
