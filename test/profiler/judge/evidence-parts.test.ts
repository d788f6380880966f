// What runs add up to, apart from any run: the same place in several processes, strings that are built, claims and their code.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Facts } from '../../../analysis/facts/index.ts';
import { ModuleIndex } from '../../../analysis/module/module-index.ts';
import { parse } from '../../../analysis/module/parse.ts';
import { Source } from '../../../analysis/module/source.ts';
import { claimSpans } from '../../../analysis/profile/claim-spans.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';
import { fewCallsProblems, firstCallProblems, firstTimes } from '../../../profiler/evidence/call-problems.ts';
import { withoutConcatenations } from '../../../profiler/evidence/concatenations.ts';
import { withoutDataKeys } from '../../../profiler/evidence/data-keys.ts';
import { exceptionsOf, syncCallsOf } from '../../../profiler/evidence/processes.ts';
import type { RunRecord } from '../../../profiler/parse/records.ts';

const at = (line: number, column = 1) => ({ file: '/p/a.js', line, column });

describe('evidence of several processes', () => {
  it('adds up calls and exceptions by place, from the last record of each process', () => {
    const call = { name: 'fs.readFileSync', place: at(1), count: 2, totalMs: 4, maxMs: 3 };
    const calls = [
      { type: 'sync-calls', pid: 1, calls: [{ ...call, count: 1 }] },
      { type: 'sync-calls', pid: 1, calls: [call, { ...call, name: 'inside a package', place: undefined }] },
      { type: 'sync-calls', pid: 2, calls: [{ ...call, maxMs: 5, totalMs: 6 }] },
    ] as unknown as RunRecord[];
    assert.deepEqual(syncCallsOf(calls), [{ ...call, count: 4, totalMs: 10, maxMs: 5 }]);
    const group = { place: at(2), placement: 'exact', type: 'Error', message: 'no', thrown: 3 };
    const thrown = [
      { type: 'exceptions', pid: 1, capped: false, thrown: [{ ...group, paths: [{ frames: [at(2)], thrown: 3 }] }] },
      { type: 'exceptions', pid: 2, capped: true, thrown: [{ ...group, thrown: 4, paths: [{ frames: [at(2), at(9)], thrown: 4 }] }] },
    ] as unknown as RunRecord[];
    assert.deepEqual(exceptionsOf(thrown), {
      thrown: [
        {
          ...group,
          thrown: 7,
          paths: [
            { frames: [at(2)], thrown: 3 },
            { frames: [at(2), at(9)], thrown: 4 },
          ],
        },
      ],
      capped: true,
    });
  });
});

describe('a string that is built', () => {
  const isMixed = (line: string): boolean => {
    const column = line.lastIndexOf('+') + 1;
    const one = { place: at(1, column), kind: 'operator', seen: 'Any', mixed: true } as const;
    return withoutConcatenations([one], () => line)[0]?.mixed === true;
  };
  for (const line of ["'x' + i", 'i + `x`', "text = 'x' + a + b", 'return `${a}: ` + b', "text += ', '", 'f(\'a\', "b(" + c)'])
    it(`is no mix: ${line}`, () => assert.equal(isMixed(line), false));
  for (const line of ['a + b', "f('x', a + b)", "const t = cond ? 'x' : a + b", 'total += row.price'])
    it(`is not seen in: ${line}`, () => assert.equal(isMixed(line), true));
});

describe('the code that a finding is about', () => {
  const TEXT = dedent`
    const RE = /^(a+)+$/;
    const patterns = { name: /b/ };
    function f(text, rows) {
      try { JSON.parse(text); throw new Error('x'); } catch {}
      for (let i = 0; i < 3; i++) { g(i); }
      const row = { a: 1, b: 2 };
      if (text) row.c = 3;
      for (const one of rows) if (text) delete one.a; else { delete one.b; h(one); }
      return RE.test(text) || text.replace(patterns.name, '');
    }
  `;
  const outcome = parse('/p/a.js', TEXT);
  assert.ok(outcome.ok);
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source('/p/a.js', TEXT), { nodeRange: '>=20', nodeRangeSource: 'test' });
  const spanOf = (text: string) => ({ start: TEXT.indexOf(text), end: TEXT.indexOf(text) + text.length });
  const textOf = ({ start, end }: { start: number; end: number }) => TEXT.slice(start, end);
  const spans = (text: string, related: readonly string[] = [], ruleId = 'no-x', messageId = 'x') =>
    claimSpans(
      { ruleId, messageId, span: spanOf(text), file: '/p/a.js', related: related.map((one) => ({ span: spanOf(one), message: '' })) },
      facts,
    );

  it('is a loop with its body, the block of a try, the uses of an expression', () => {
    assert.deepEqual(spans('for (let i = 0; i < 3; i++)').extent.map(textOf), ['for (let i = 0; i < 3; i++) { g(i); }']);
    const guarded = "{ JSON.parse(text); throw new Error('x'); }";
    assert.deepEqual(spans('try').extent.map(textOf), [guarded]);
    assert.deepEqual(spans('throw').extent.map(textOf), [guarded]);
    assert.equal(spans('throw').entry, TEXT.indexOf('try'));
    assert.deepEqual(spans('/^(a+)+$/').extent.map(textOf).slice(1), ['/^(a+)+$/', 'RE.test(text)']);
    assert.deepEqual(spans('/b/').extent.map(textOf).slice(1), ['/b/', "text.replace(patterns.name, '')"]);
    assert.deepEqual(spans('JSON.parse(text)').extent.map(textOf), ['JSON.parse(text)']);
    const deletions = spans('delete one.a', ['delete one.b', 'h(one)'], 'no-unstable-shape', 'deletedField');
    assert.deepEqual(deletions.extent.map(textOf), ['delete one.a', 'delete one.b']);
  });

  it('is entered with its function, and names what makes the objects and what meets them', () => {
    assert.equal(spans('g(i)').entry, TEXT.indexOf('{\n  try') + 1);
    assert.equal(spans('/b/').entry, undefined);
    const made = spans('{ a: 1, b: 2 }', ['row.c = 3'], 'no-unstable-shape', 'conditionalFields');
    assert.deepEqual(spans('{ a: 1, b: 2 }', ['row.c = 3']).keys, []);
    assert.deepEqual([made.makers.map(textOf), made.keys, made.fields], [['{ a: 1, b: 2 }'], ['a', 'b'], ['c']]);
    assert.equal(made.meets, undefined);
    assert.deepEqual(spans('g(i)', ['row.c = 3'], 'no-polymorphic-call', 'types').meets, spanOf('row.c = 3'));
    assert.deepEqual(spans('g(i)', [], 'no-polymorphic-call', 'typesAcross').meets, spanOf('g(i)'));
  });
});

describe('a first call', () => {
  const calls = (...times: { firstMs?: number; calls?: number; thrown?: number }[]) =>
    [{ type: 'calls', pid: 1, calls: times.map((one) => ({ mode: 'plain', calls: 5, thrown: 0, cut: false, ...one })) }] as RunRecord[];
  const timing = (median: number, perCall?: { call: number; median: number }[]) => ({
    median,
    samples: 9,
    calls: 9,
    gc: { count: 0, totalMs: 0, maxMs: 0 },
    suspectedDeadCode: false,
    ...(perCall && { perCall }),
  });

  it('took the least time of all processes; one that throws took none', () => {
    const first = firstTimes(calls({ firstMs: 80 }, { firstMs: 90 }), []);
    assert.deepEqual(firstTimes(calls({ firstMs: 70 }, { firstMs: 95 }), first), [70, 90]);
    assert.deepEqual(firstTimes(calls({ firstMs: 1, thrown: 5 }), [undefined, 90]), [undefined, 90]);
  });

  it('is worth a sentence where it took a thousand times as long, and more than loading takes', () => {
    assert.deepEqual(firstCallProblems([80], timing(7), ['f(1)']), [
      'The first call of `f(1)` took 80 ms, and later ones 7.0 ns: they probably use what the first one kept or loaded. The time per call is that of later calls.',
    ]);
    assert.deepEqual(firstCallProblems([80], timing(90_000), ['f(1)']), []);
    assert.deepEqual(firstCallProblems([4], timing(7), ['f(1)']), []);
    assert.deepEqual(firstCallProblems([undefined], timing(7), ['f(1)']), []);
    assert.deepEqual(firstCallProblems([80], undefined, ['f(1)']), []);
  });

  it('is held against the later ones of the same call', () => {
    const perCall = [
      { call: 0, median: 7 },
      { call: 1, median: 200_000 },
    ];
    assert.equal(firstCallProblems([80, 80], timing(100_000, perCall), ['f(1)', 'f(2)']).length, 1);
  });
});

describe('a time of few calls', () => {
  const timing = (calls: number, halfWidth?: number) => ({
    median: 1.4e9,
    samples: calls,
    calls,
    halfWidth,
    gc: { count: 0, totalMs: 0, maxMs: 0 },
    suspectedDeadCode: false,
  });

  it('is said to be one', () => {
    assert.match(fewCallsProblems(timing(1)).join(), /^The time is that of a single call, because calls take so long\./);
    assert.match(fewCallsProblems(timing(3)).join(), /^The time is that of 3 calls,/);
  });

  it('is not said where there are more, or nothing was timed', () => {
    assert.deepEqual([...fewCallsProblems(timing(6, 1e6)), ...fewCallsProblems(timing(500)), ...fewCallsProblems(undefined)], []);
  });
});

describe('keys that come from data', () => {
  const cache = (property: string, ...properties: string[]) => ({
    place: at(1),
    kind: 'KeyedLoadIC',
    property,
    state: 'megamorphic' as const,
    shapes: [
      { id: '1', properties, dictionary: false },
      { id: '2', dictionary: true },
    ],
    shapeCount: 2,
    misses: 2,
    megamorphicMisses: 0,
  });
  const deleted = (property?: string) => ({ place: at(2), placement: 'exact' as const, reason: 'DeletingProperty', property, count: 1 });

  it('are in no report about requests; names from the code are', () =>
    assert.deepEqual(
      withoutDataKeys({
        inlineCaches: [cache('', 'name', 'ada@example.com'), cache('4f1c9e2ab7', 'id2')],
        mapEvents: [deleted('secret'), deleted('session-81723'), deleted()],
      }),
      {
        inlineCaches: [cache('', 'name', '[key]'), cache('[key]', 'id2')],
        mapEvents: [deleted('secret'), deleted('[key]'), deleted()],
      },
    ));
});
