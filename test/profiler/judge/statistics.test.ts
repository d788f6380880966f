// The statistics of a report, against numbers that can be checked by hand.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { median, medianHalfWidth, tail } from '../../../profiler/evidence/statistics.ts';

/** 1 to n, out of order. */
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => ((i * 7919) % n) + 1);

describe('statistics', () => {
  it('a median is the middle, or the mean of the two in the middle', () => {
    assert.equal(median([]), 0);
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 3, 2]), 2.5);
  });

  it('the interval of a median lies between order statistics, and takes six samples', () => {
    assert.equal(medianHalfWidth([1, 2, 3, 4, 5]), undefined);
    // n/2 ± 1.96·√n/2 = 50 ± 9.8: the samples with the indexes 40 and 60.
    assert.equal(medianHalfWidth(upTo(100)), 10);
  });

  it('a tail needs ten samples above it', () => {
    assert.equal(tail(upTo(999), 0.99), undefined);
    assert.equal(tail(upTo(1000), 0.99), 990);
    assert.equal(tail(upTo(20), 0.5), 10);
  });
});
