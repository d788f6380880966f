// How a cost is told from none: the interval of a difference, and what becomes of the verdict.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureOf, judgeCost } from '../../../profiler/compare/costs.ts';
import { isShown, shiftBetween, type Shift } from '../../../profiler/compare/shift.ts';
import { costSentence, durationOfNs } from '../../../profiler/judge/cost.ts';
import type { Verdict } from '../../../protocol/evidence.ts';

/** Numbers that look random and are the same each time. */
function* noise(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

const take = (numbers: Generator<number, never>, n: number, of: (x: number) => number): number[] =>
  Array.from({ length: n }, () => of(numbers.next().value));

describe('the shift between two sets of measurements', () => {
  it('is the median of all differences, between the ranks of the exact test', () => {
    // With 6 and 6 only the outermost differences have an interval of 99.7 %: all 36 lie in it.
    assert.deepEqual(shiftBetween([1, 2, 3, 4, 5, 6], [11, 12, 13, 14, 15, 16]), { difference: 10, low: 5, high: 15 });
  });

  it('has no interval for too few', () => {
    assert.equal(shiftBetween([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]), undefined);
    assert.equal(shiftBetween([], []), undefined);
  });

  it('tells at most 3 of 1,000 sets of the same as different, on two levels and far from normal', () => {
    const numbers = noise(7);
    const figure = (x: number): number => (x < 0.3 ? 17 + x : 8 + x);
    let shown = 0;
    for (let i = 0; i < 2000; i += 1) {
      const shift = shiftBetween(take(numbers, 10, figure), take(numbers, 10, figure));
      if (shift && isShown(shift)) shown += 1;
    }
    // 6 are expected; 14 and more come by chance once in 300 tries, and the numbers are the same each time.
    assert.ok(shown < 14, String(shown));
  });

  it('tells a fifth more from noise of a tenth', () => {
    const numbers = noise(11);
    let shown = 0;
    for (let i = 0; i < 500; i += 1) {
      const shift = shiftBetween(
        take(numbers, 10, (x) => 95 + 10 * x),
        take(numbers, 10, (x) => 1.2 * (95 + 10 * x)),
      );
      if (shift && shift.low > 0) shown += 1;
    }
    assert.ok(shown >= 495, String(shown));
  });
});

describe('a state that was seen', () => {
  const seen: Verdict = {
    ruleId: 'no-polymorphic-call',
    messageId: 'types',
    place: { file: '/a.js', line: 1, column: 1 },
    verdict: 'seen',
    figure: '5 shapes, megamorphic',
    grounds: ['It was seen.'],
  };
  const judged = (shift: Shift, ns: number) => judgeCost(seen, shift, ns, { description: 'one kind at a time', processes: 8 });

  it('is confirmed where it costs a part of the call', () => {
    const { verdict, figure, grounds, cost } = judged({ difference: 16, low: 7, high: 25 }, 64);
    assert.equal(verdict, 'confirmed');
    assert.equal(figure, '5 shapes, megamorphic, costs 16.0 ns per call (25 %)');
    assert.deepEqual(grounds, [
      'Compared with one kind at a time, 8 processes each: it costs 16.0 ns per call, 25 % of its time (99.7 % interval 7.0 ns to 25.0 ns).',
      'It was seen.',
    ]);
    assert.deepEqual(cost, { ns: 16, low: 7, high: 25, per: 'call', share: 0.25, method: 'compared' });
  });

  it('stays seen where the difference is nothing, too small a part, or below a nanosecond', () => {
    assert.equal(judged({ difference: -0.9, low: -9, high: 2 }, 60).verdict, 'seen');
    assert.equal(judged({ difference: 20, low: 10, high: 30 }, 1000).verdict, 'seen');
    assert.equal(judged({ difference: 0.7, low: 0.4, high: 0.9 }, 4).verdict, 'seen');
    assert.equal(judged({ difference: 1.8, low: 0.2, high: 4.6 }, 5.5).verdict, 'seen', 'by the lower end');
    assert.match(judged({ difference: 20, low: 10, high: 30 }, 1000).grounds.at(-1) ?? '', /too little to count, 20.0 ns per call, 2.0 %/);
  });

  it('stays seen, and is said to be faster, where leaving it out is slower', () => {
    const { verdict, grounds } = judged({ difference: -12, low: -14, high: -9 }, 60);
    assert.equal(verdict, 'seen');
    assert.match(grounds.at(-1) ?? '', /faster as it is/);
  });

  it('is open where the times vary too much', () => {
    const { verdict, grounds } = judged({ difference: 4, low: -30, high: 40 }, 60);
    assert.equal(verdict, 'inconclusive');
    assert.match(grounds[0] ?? '', /vary too much/);
    assert.equal(judged({ difference: 20, low: 1, high: 60 }, 100).verdict, 'inconclusive', 'some, and nobody can tell how much');
    assert.equal(judged({ difference: 1, low: -2, high: 4 }, 5).verdict, 'seen', 'nobody waits for 4 ns');
  });
});

describe('an interval in words', () => {
  it('has one unit', () => {
    const said = (low: number, high: number) => costSentence({ ns: low, low, high, per: 'call', method: 'compared' }, 0.997);
    assert.match(said(8600, 11_400), /interval 8\.6 µs to 11 µs/);
    assert.match(said(200, 800), /interval 200 ns to 800 ns/);
    assert.match(said(20_000, 40_000), /interval 0\.02 ms to 0\.04 ms/);
  });
});

describe('durations in words', () => {
  it('have the unit that fits, and their sign', () => {
    assert.deepEqual([0.74, 12.3, 640, 4200, 56_000, 1_200_000, 2.5e9, -9].map(durationOfNs), [
      '0.7 ns',
      '12.3 ns',
      '640 ns',
      '4.2 µs',
      '0.06 ms',
      '1.20 ms',
      '2.5 s',
      '−9.0 ns',
    ]);
  });

  it('is unknown where the version without the code does not run, which is said of that version', () => {
    assert.equal(
      failureOf(
        { description: 'a version that leaves the prototype as it is' },
        '`f()` threw every time (TypeError: x is not a function).',
      ),
      'the code was compared with a version that leaves the prototype as it is, and in that version, `f()` threw every time (TypeError: x is not a function). That says nothing about the code as it is.',
    );
  });
});
