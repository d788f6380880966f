// A report of a profile, small and complete, for tests of what is shown.
import type { ProfileReport, SourcePlace } from '../../protocol/evidence.ts';
import type { Profiled } from '../../protocol/editor.ts';

export const FILE = '/p/shop.js';
export const LINES = 20;

export function at(line: number, column = 1): SourcePlace {
  return { file: FILE, line, column };
}

export function reportOf(more: Partial<ProfileReport> = {}): ProfileReport {
  return {
    target: { file: FILE, functionName: 'total', place: at(3), origin: 'profile-comment', calls: ['total([1])'] },
    machine: { node: '24.1.0', v8: '13.6', platform: 'linux x64', cpu: 'a processor', cores: 2 },
    date: '2026-01-02T03:04:05.000Z',
    calls: 60_000,
    tiers: [
      { functionName: 'total', place: at(3, 15), tier: 'ignition', osr: false, at: 100 },
      { functionName: 'total', place: at(3, 15), tier: 'maglev', osr: false, at: 103 },
      { functionName: 'total', place: at(3, 15), tier: 'turbofan', osr: false, at: 110 },
      { functionName: 'driver', place: at(99), tier: 'turbofan', osr: false, at: 90 },
    ],
    deopts: [
      {
        place: at(5, 9),
        placement: 'exact',
        inlinedAt: [],
        kind: 'deopt-eager',
        reason: 'wrong map',
        count: 3,
        at: [120, 130, 140],
        benign: false,
      },
      {
        place: at(6),
        placement: 'function',
        inlinedAt: [],
        kind: 'deopt-lazy',
        reason: 'prepare for on stack replacement (OSR)',
        count: 1,
        at: [104],
        benign: true,
      },
    ],
    inlineCaches: [
      {
        place: at(7, 17),
        kind: 'LoadIC',
        property: 'price',
        state: 'megamorphic',
        shapes: [
          { id: '1', properties: ['price', 'tax'], constructorName: 'Line', dictionary: false },
          { id: '2', madeAt: at(12), dictionary: false },
          { id: '3', madeAt: at(12), dictionary: false },
        ],
        shapeCount: 5,
        misses: 9,
        megamorphicMisses: 4,
      },
      {
        place: at(7, 30),
        kind: 'LoadIC',
        property: 'count',
        state: 'polymorphic',
        shapes: [],
        shapeCount: 3,
        misses: 3,
        megamorphicMisses: 0,
      },
      { place: at(8), kind: 'LoadIC', property: 'id', state: 'monomorphic', shapes: [], shapeCount: 1, misses: 1, megamorphicMisses: 0 },
      {
        place: at(99),
        kind: 'LoadIC',
        property: 'driver',
        state: 'megamorphic',
        shapes: [],
        shapeCount: 9,
        misses: 9,
        megamorphicMisses: 0,
      },
    ],
    mapEvents: [{ place: at(9), placement: 'exact', reason: 'DeletingProperty', property: 'tax', count: 2 }],
    syncCalls: [{ name: 'fs.readFileSync', place: at(10), count: 200, totalMs: 6, maxMs: 1.2 }],
    exceptions: [{ place: at(10, 3), placement: 'exact', type: 'SyntaxError', message: 'no <b>JSON</b>', thrown: 200 }],
    blocks: [{ duration: 52, kind: 'synchronous', stack: [{ ...at(10), functionName: 'total' }], endless: false }],
    timing: {
      median: 12.4,
      halfWidth: 0.8,
      samples: 60,
      calls: 600_000,
      allocated: 408,
      gc: { count: 3, totalMs: 2, maxMs: 1 },
      suspectedDeadCode: false,
    },
    verdicts: [
      {
        ruleId: 'no-polymorphic-call',
        messageId: 'manyReceivers',
        place: at(7, 17),
        verdict: 'confirmed',
        figure: '5 shapes, megamorphic',
        grounds: ['It was called 60 k times.'],
      },
    ],
    unreadLines: 0,
    problems: [],
    ...more,
  };
}

export function profiledOf(more: Partial<ProfileReport> = {}): Profiled {
  return {
    ok: true,
    report: reportOf(more),
    markdown: '# total on Node 24.1.0\n',
    range: { start: { line: 2, character: 0 }, end: { line: 10, character: 1 } },
    reasons: { 'wrong map': { meaning: 'An object of another shape came.', remedy: 'Give the objects the same properties.' } },
  };
}
