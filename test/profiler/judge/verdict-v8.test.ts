// What V8 tells of a place confirms a finding, refutes it, or leaves it open: shapes, deoptimizations, call targets, arrays.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge } from '../../../profiler/judge/verdict.ts';
import type { Hypothesis, Run } from '../../../profiler/judge/hypothesis.ts';
import type { SyncCall } from '../../../protocol/evidence.ts';
import { at, cache, deopt, EMPTY, judged, turbofan, verdictOf } from './judged.ts';

describe('verdicts by what V8 tells', () => {
  it('on shapes', () => {
    assert.equal(verdictOf(['inline-cache'], { inlineCaches: [cache] }), 'refuted: monomorphic in 5000 runs on Node 24.9.0');
    assert.equal(verdictOf(['inline-cache'], { inlineCaches: [cache] }, 10), 'inconclusive: ran only 10 times');
    assert.equal(
      verdictOf(['inline-cache'], { inlineCaches: [cache, { ...cache, state: 'megamorphic', shapeCount: 7, megamorphicMisses: 42 }] }),
      'seen: 7 shapes, megamorphic, 42 further misses',
    );
    assert.equal(
      verdictOf(['inline-cache'], { inlineCaches: [{ ...cache, state: 'polymorphic', shapeCount: 2, place: at(7) }] }),
      'seen: 2 shapes, polymorphic',
    );
    assert.equal(
      verdictOf(['inline-cache'], { inlineCaches: [{ ...cache, place: at(30) }] }),
      'inconclusive: no property access was logged',
    );
    assert.equal(verdictOf(['inline-cache'], { inlineCaches: [cache] }, 0), 'not-reached: never ran');
    assert.equal(
      verdictOf(['map-transition'], { mapEvents: [{ place: at(3, 6), placement: 'exact', reason: 'DeletingProperty', count: 12 }] }),
      'seen: DeletingProperty ×12',
    );
    assert.equal(verdictOf(['map-transition'], {}, 1), 'inconclusive: ran only once', 'the one object may not have had the property');
    assert.equal(verdictOf(['map-transition'], {}, 30, { messageId: 'deletedField' }), 'refuted: stable shapes in 30 runs on Node 24.9.0');
    assert.equal(
      verdictOf(['map-transition', 'inline-cache'], { inlineCaches: [cache] }, 5000, { messageId: 'deletedField' }),
      'refuted: stable shapes in 5000 runs on Node 24.9.0',
    );
  });

  it('on keys that come from data, without quoting them: verdicts are kept', () => {
    const shapes = ['ada@example.com', 'name'].map((key) => ({ id: key, properties: [key], dictionary: false }));
    const state = { ...cache, state: 'megamorphic', property: '4f1c9e2ab7', shapes, shapeCount: 2 } as const;
    assert.match(judged(['inline-cache'], { inlineCaches: [state] }).grounds.join(), /`\.\[key\]` at .*Seen: \{ \[key\] \}, \{ name \}\.$/);
    // Two classes with the same keys.
    const same = { ...state, shapes: [...state.shapes, ...state.shapes.slice(-1)] };
    assert.match(judged(['inline-cache'], { inlineCaches: [same] }).grounds.join(), /Seen: \{ \[key\] \}, \{ name \} \(2 shapes\)\.$/);
    const deleted = { place: at(3, 6), placement: 'exact', reason: 'DeletingProperty', property: 'session-81723', count: 12 } as const;
    assert.match(judged(['map-transition'], { mapEvents: [deleted] }).grounds.join(), /"DeletingProperty" \(`\[key\]`\) 12 times/);
  });

  it('on optimized code thrown away', () => {
    assert.equal(verdictOf(['deopt'], { deopts: [deopt] }), 'seen: deopt ×3: not a Smi');
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

  it('on one deoptimization of a program, with the most that it can have cost', () => {
    const once = (event: 'optimized' | 'ended', unitNs?: number): string =>
      judged(['deopt'], { deopts: [{ ...deopt, count: 1, at: [1], next: { event, afterMs: 28 } }], unit: 'run', unitNs })
        .grounds.join()
        .replace(/^.*?\)\. /, '');
    assert.equal(once('optimized'), 'V8 optimized the function again 28 ms later; until then, it ran without that code.');
    assert.equal(once('ended'), 'The run ended 28 ms later, so it cost less than that.');
    assert.equal(once('ended', 5.1e6), 'The whole program kept the processor busy for 5.10 ms, so it cost less than that.');
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
    assert.equal(told([{ ...plus, seen: 'Any', mixed: true }]), 'seen: the operator at 12:9 saw several types');
    assert.equal(told([{ ...plus, kind: 'call', seen: 'several functions', mixed: true }]), 'seen: the call at 12:9 saw several functions');
    assert.equal(
      told([plus, { ...plus, place: at(13, 2), seen: 'SignedSmall' }]),
      'refuted: only Number, SignedSmall in 5000 runs on Node 24.9.0',
    );
    assert.equal(told([plus], 10), 'inconclusive: ran only 10 times');
    // On a crowded machine the first call text ran twice, before V8 recorded anything: of its values nothing is known.
    assert.equal(
      verdictOf(['feedback'], { feedback: [plus], leastFeedbackCalls: 2 }, 2502, around),
      'inconclusive: one call ran only 2 times',
    );
    assert.equal(
      verdictOf(['feedback'], { feedback: [plus], leastFeedbackCalls: 1251 }, 2502, around),
      'refuted: only Number in 2502 runs on Node 24.9.0',
    );
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
    assert.equal(verdictOf(['feedback', 'deopt'], { deopts: [deopt] }), 'seen: deopt ×3: not a Smi');
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
    assert.equal(told([{ ...keyed, outOfBounds: true }]), 'seen: out-of-bounds reads, 5000 runs');
    assert.equal(told([keyed]), 'refuted: no out-of-bounds reads in 5000 runs on Node 24.9.0');
    assert.equal(told([keyed], 3), 'inconclusive: ran only 3 times');
    assert.equal(told([{ ...keyed, place: at(7), outOfBounds: true }]), 'inconclusive: no array access was logged');
    assert.equal(told([], 0), 'not-reached: never ran');
    const event = { place: at(3, 9), placement: 'exact', reason: 'elements kind', count: 1 } as const;
    assert.equal(verdictOf(['elements'], { mapEvents: [event] }), 'seen: elements kind changed');
    assert.equal(
      verdictOf(['elements'], { mapEvents: [{ ...event, reason: 'DeletingProperty' }] }),
      'inconclusive: no elements kind change was logged',
    );
    assert.equal(verdictOf(['elements'], {}, 0), 'not-reached: never ran');
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
    const onIt = { ...busy, stack: [{ ...at(3), functionName: 'f' }] };
    assert.equal(verdictOf(['microtasks', 'loop-delay'], { blocks: [onIt, onIt] }), 'inconclusive: blocked by other code');
    // A delete that never ran, and another one that did.
    const deleted = { place: at(7, 3), placement: 'exact', reason: 'DeletingProperty', count: 40 } as const;
    const oneField = { messageId: 'deletedField' };
    assert.equal(verdictOf(['map-transition'], { mapEvents: [deleted] }, 0, oneField), 'not-reached: never ran');
    assert.equal(
      verdictOf(['map-transition'], { mapEvents: [deleted] }, 5000, oneField),
      'refuted: stable shapes in 5000 runs on Node 24.9.0',
    );
    // One finding about two deletions, of which one never runs.
    const other = { start: at(7), end: at(7, 13) };
    const two: Hypothesis = {
      ruleId: 'no-unstable-shape',
      messageId: 'deletedField',
      range: { start: at(3), end: at(3, 13) },
      functions: [{ start: at(2), end: at(9) }],
      related: [other],
      extent: [{ start: at(3), end: at(3, 13) }, other],
      kinds: ['map-transition'],
    };
    const verdict = (more: Partial<Run>, first: number, second: number) => {
      const told = judge(two, { ...EMPTY, ...more }, ({ line }) => (line === 3 ? first : second));
      return `${told.verdict}: ${told.figure}`;
    };
    assert.equal(verdict({ mapEvents: [deleted] }, 0, 40), 'seen: DeletingProperty ×40');
    assert.equal(verdict({}, 0, 40), 'refuted: stable shapes in 40 runs on Node 24.9.0');
    assert.equal(verdict({}, 0, 0), 'not-reached: never ran');
    // V8 does not log every prototype that is replaced; that the code ran is enough.
    const replaced = judged(['map-transition'], {}, 5000, { messageId: 'replacedPrototype' });
    assert.equal(`${replaced.verdict}: ${replaced.figure}`, 'seen: ran 5000 times');
    assert.match(replaced.grounds.join(), /set the prototype of an object 5000 times .* was not counted/, 'it may have had the same one');
  });

  it('on prototypes that are set by how many objects had another one before, where that was counted', () => {
    const told = (count: number, changed: number | undefined, more: Partial<SyncCall> = {}, mapEvents: Run['mapEvents'] = []) => {
      const set = { name: 'Object.setPrototypeOf', place: at(3, 5), count, totalMs: 1, maxMs: 1, changed, ...more };
      return verdictOf(['map-transition'], { mapEvents, syncCalls: [set] }, 5000, { messageId: 'replacedPrototype' });
    };
    assert.equal(told(400, 0), 'refuted: the same prototype in 400 objects');
    assert.equal(told(5, 0), 'inconclusive: the same prototype in 5 objects');
    assert.equal(told(400, 0, { place: at(40) }), 'seen: ran 5000 times', 'at another place');
    assert.equal(told(400, undefined), 'seen: ran 5000 times');
    assert.equal(told(400, 399), 'seen: replaced in 399 of 400 objects');
    assert.equal(told(1, 1), 'seen: replaced in 1 of 1 object');
  });

  it('on a field that V8 takes off without a word: the log of Node 18 and 20 refutes nothing', () => {
    const oneField = { messageId: 'deletedField' };
    const on = (node: string, runs: number) =>
      verdictOf(['map-transition', 'inline-cache'], { machine: { ...EMPTY.machine, node } }, runs, oneField);
    assert.equal(on('20.20.2', 5000), 'seen: stayed in fast mode, ran 5000 times');
    assert.equal(on('18.20.8', 5000), 'seen: stayed in fast mode, ran 5000 times');
    assert.equal(on('22.21.1', 5000), 'refuted: stable shapes in 5000 runs on Node 22.21.1');
    assert.equal(on('20.20.2', 5), 'inconclusive: ran only 5 times');
    assert.equal(on('20.20.2', 0), 'not-reached: never ran');
    // The cost that is compared afterward is put before this sentence.
    const { grounds } = judged(['map-transition'], { machine: { ...EMPTY.machine, node: '20.20.2' } }, 5000, oneField);
    assert.match(
      grounds.join(),
      /no object became a dictionary.* A cost that was measured is that of deleting, not that of a dictionary\.$/,
    );
  });

  it('on code that V8 does not count apart are never a refutation', () => {
    const call = { call: 'fs.readFileSync', isUncounted: true };
    assert.equal(verdictOf(['sync-io'], {}, 5000, call), 'inconclusive: not counted');
    assert.equal(verdictOf(['sync-io'], {}, 0, call), 'not-reached: never ran');
  });

  it('on a call are about the call, and not about its arguments', () => {
    const call = { call: 'fs.existsSync', extent: [{ start: at(3, 5), end: at(3, 18) }] };
    const stuck = (column: number) =>
      ({ kind: 'synchronous', duration: 80, endless: false, stack: [{ ...at(3, column), functionName: 'f' }] }) as const;
    const range = { start: at(3, 5), end: at(3, 40) };
    const claim = { ruleId: 'r', messageId: 'm', range, functions: [], related: [], kinds: ['loop-delay' as const], ...call };
    const verdictWith = (column: number) => judge(claim, { ...EMPTY, blocks: [stuck(column)] }, () => 5).verdict;
    assert.equal(verdictWith(8), 'confirmed');
    assert.equal(verdictWith(25), 'inconclusive');
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
    assert.equal(told([made, reader]), 'seen: 2 shapes, polymorphic');
    // They are made while the program is loaded, and read afterwards.
    assert.equal(told([made, reader], 0), 'seen: 2 shapes, polymorphic');
    const others = { ...reader, shapes: [shape(['a', 'b'], '1'), shape(['b', 'c'], '3')] };
    assert.equal(told([made, others]), 'refuted: monomorphic in 5000 runs on Node 24.9.0');
    assert.equal(told([made, { ...others, shapes: [shape(['b', 'c'], '3')] }]), 'inconclusive: no property access was logged');
  });

  it('on fields that some records get are those of reads of the records, not of the data that they are made of', () => {
    const added = [{ start: at(4, 20), end: at(4, 50) }];
    const claim = { messageId: 'conditionalFields', related: added, added, keys: ['price'], fields: ['tax'] };
    const shape = (...properties: string[]) => ({ id: properties.join(), properties, dictionary: false });
    // `if (row.tax) record.tax = row.tax`, where the rows have the keys of the records.
    const source = { ...cache, property: 'tax', place: at(4, 13), shapes: [shape('price', 'tax')] };
    const reader = { ...cache, property: 'price', place: at(8, 30), shapes: [shape('price')] };
    const told = (inlineCaches: Run['inlineCaches']) => judged(['inline-cache'], { inlineCaches }, 5000, claim);
    assert.equal(told([source]).figure, 'no property access was logged');
    assert.match(told([source, reader]).grounds.join(), /^`\.price` at 8:30 saw one shape/);
    const mixed = { ...reader, state: 'polymorphic', shapes: [shape('price'), shape('price', 'tax')], shapeCount: 2 } as const;
    assert.equal(told([source, mixed]).verdict, 'seen');
  });
});
