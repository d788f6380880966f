import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scaledCalls } from '../../analysis/profile/scaled-calls.ts';
import { exponentOf, GROWTH_SIZES, judgeGrowth } from '../../profiler/compare/growth.ts';
import type { Verdict } from '../../protocol/evidence.ts';

const SEEN: Verdict = {
  ruleId: 'no-quadratic',
  messageId: 'searched',
  place: { file: '/app/a.js', line: 1, column: 1 },
  verdict: 'seen',
  figure: 'ran 3 times',
  grounds: ['This code ran 3 times.'],
};
/** Six figures for each size, up to 5 % apart. */
const figuresOf = (time: (size: number) => number): number[][] =>
  GROWTH_SIZES.map((size) => [0.95, 0.97, 1, 1, 1.02, 1.05].map((noise) => time(size) * noise));

describe('growth', () => {
  it('finds the exponent with its interval', () => {
    for (const exponent of [0, 1, 1.5, 2, 3]) {
      const found = exponentOf(
        GROWTH_SIZES,
        figuresOf((size) => 7 * size ** exponent),
      );
      assert.ok(found);
      assert.ok(Math.abs(found.exponent - exponent) < 0.01, `${exponent}: ${found.exponent}`);
      assert.ok(found.low < exponent && exponent < found.high && found.high - found.low < 0.1);
    }
  });

  it('needs all figures, and times above zero', () => {
    assert.equal(exponentOf(GROWTH_SIZES, [[1], [2], [4], [8]]), undefined);
    assert.equal(
      exponentOf(
        GROWTH_SIZES,
        figuresOf(() => 0),
      ),
      undefined,
    );
  });

  it('confirms what grows with the square and takes long', () => {
    const { verdict, figure, cost } = judgeGrowth(
      SEEN,
      figuresOf((size) => 3 * size ** 2),
      '20.20.2',
    );
    assert.equal(verdict, 'confirmed');
    assert.match(figure, /^grows with n\^2\.00 \(1\.9\d to 2\.0\d\): 1,000 elements take 3\.00 ms$/);
    assert.equal(cost?.ns, 3_000_000);
  });

  it('refutes nothing: a list that the calls do not pass stays as long as it is', () => {
    const found = judgeGrowth(
      SEEN,
      figuresOf((size) => 50 * size),
      '20.20.2',
    );
    assert.deepEqual({ ...found, grounds: [] }, { ...SEEN, grounds: [] });
    assert.match(found.grounds.join(' '), /the time grows with n\^1\.00 \(0\.9\d to 1\.0\d\)/);
  });

  it('confirms none of several findings, since the times are those of the whole call', () => {
    const figures = figuresOf((size) => 3 * size ** 2);
    assert.equal(judgeGrowth(SEEN, figures, '20.20.2', false).verdict, 'seen');
  });

  it('leaves open what lies between, what is too fast to matter, and what the figures do not tell', () => {
    const judged = [
      figuresOf((size) => 100 * size ** 1.35),
      figuresOf((size) => 0.01 * size ** 2),
      GROWTH_SIZES.map((size) => [1, 30, 900, 2, 700, 20].map((noise) => noise * size)),
    ].map((figures) => judgeGrowth(SEEN, figures, '20.20.2'));
    assert.deepEqual(
      judged.map(({ verdict }) => verdict),
      ['seen', 'seen', 'seen'],
    );
    assert.ok(judged.every(({ grounds }) => grounds.length === 2));
  });
});

describe('scaled calls', () => {
  /** What the function gets. */
  const passed = (call: string, size: number): unknown[] => {
    const [text = ''] = scaledCalls([call], size, '/app/a.js') ?? [];
    return new Function('f', `return ${text}`)((...values: unknown[]) => values) as unknown[];
  };

  it('repeats arrays with texts and numbers of their own, the same ones in all arrays', () => {
    assert.deepEqual(passed("f(['a', 'b'], [{ id: 'b', n: 1 }])", 3), [
      ['a', 'b', 'a~1'],
      [
        { id: 'b', n: 1 },
        { id: 'b~1', n: 1_000_001 },
        { id: 'b~2', n: 2_000_001 },
      ],
    ]);
  });

  it('finds arrays in objects, and keeps those of the elements as long as they are', () => {
    assert.deepEqual(passed("f({ rows: [{ tags: ['x'] }], name: 'n' }, 5)", 2), [
      { rows: [{ tags: ['x'] }, { tags: ['x~1'] }], name: 'n' },
      5,
    ]);
  });

  it('leaves calls alone that pass no list', () => {
    assert.equal(scaledCalls(["f('a', 1, () => [])"], 10, '/app/a.js'), undefined);
    assert.equal(scaledCalls(['f()', 'g'], 10, '/app/a.js'), undefined);
  });
});
