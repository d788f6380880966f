// What verdicts say of calls whose answers are awaited, and of work that is done again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Run } from '../../../profiler/judge/hypothesis.ts';
import { at, verdictOf } from './judged.ts';

describe('verdicts on what is awaited', () => {
  it('on a query for each element by how often it ran for a request, and how long that was awaited', () => {
    const query = { name: 'pool.query', place: at(3, 5), count: 200, totalMs: 1, maxMs: 0.1, awaitedMs: 40 };
    const said = (more: Partial<Run>, ran = 200): string =>
      verdictOf(['runs'], { unit: 'request', unitNs: 1_000_000, countedCalls: 20, timedCalls: 20, syncCalls: [query], ...more }, ran, {
        ruleId: 'no-query-per-item',
        call: query.name,
      });
    assert.equal(said({}), 'confirmed: ran 10 times for each request, awaited 0.90 ms per request (90 %) longer than one');
    assert.equal(
      said({ unitNs: 10_000_000 }),
      'confirmed: ran 10 times for each request, awaited 1.80 ms per request (18 %) longer than one',
    );
    assert.equal(said({ unitNs: 100_000_000 }), 'seen: ran 10 times for each request, awaited 1.80 ms per request (1.8 %) longer than one');
    // All at once: the answer to the last one comes little later than to the first.
    const together = { ...query, aloneMs: 1.95 };
    assert.equal(
      said({ unitNs: 4_000_000, syncCalls: [together] }),
      'seen: ran 10 times for each request, awaited 0.05 ms per request (1.3 %) longer than one',
    );
    const inTurn = { ...query, aloneMs: 0.2 };
    assert.equal(
      said({ unitNs: 4_000_000, syncCalls: [inTurn] }),
      'confirmed: ran 10 times for each request, awaited 1.80 ms per request (45 %) longer than one',
    );
    const slowFirst = { ...inTurn, awaitedMs: 138, firstAwaitedMs: 100 };
    assert.equal(
      said({ unitNs: 4_000_000, syncCalls: [slowFirst] }),
      'confirmed: ran 10 times for each request, awaited 1.80 ms per request (45 %) longer than one',
      'the first request counts apart',
    );
    assert.equal(said({ syncCalls: [] }), 'seen: ran 10 times for each request', 'not awaited');
    assert.equal(said({}, 20), 'seen: ran 20 times in 20 calls', 'lists of one element');
    assert.equal(said({}, 0).split(':')[0], 'not-reached');
  });

  it('on work done again by how often it runs, and what the second time takes', () => {
    const read = { name: 'pool.query', place: at(3, 5), count: 20, totalMs: 1, maxMs: 0.1, awaitedMs: 28 };
    const said = (more: Partial<Run>, ran = 20, messageId = 'read', related = [{ start: at(2, 5), end: at(2, 20) }]): string =>
      verdictOf(['runs'], { unit: 'request', unitNs: 3e6, countedCalls: 20, timedCalls: 20, syncCalls: [read], ...more }, ran, {
        ruleId: 'no-redundant-work',
        messageId,
        call: read.name,
        related,
      });
    assert.equal(said({}), 'confirmed: ran 2 times for each request, 1.40 ms per request (47 %)');
    assert.equal(said({ unitNs: 60e6 }), 'seen: ran 2 times for each request, 1.40 ms per request (2.3 %)');
    assert.equal(said({ syncCalls: [] }), 'seen: ran 2 times for each request', 'not timed');
    assert.equal(said({}, 20, 'unused', []), 'confirmed: ran 20 times, unused, 1.40 ms per request (47 %)');
    assert.equal(said({}, 20, 'early'), 'confirmed: dropped in 100 % of 20 runs, 1.40 ms per request (47 %)');
    assert.equal(said({}, 40, 'each'), 'confirmed: ran 2 times for each request, 0.70 ms per request (23 %)', 'one of two has to stay');
    const together = { ...read, aloneMs: 1.35 };
    assert.equal(said({ syncCalls: [together] }, 40, 'each'), 'seen: ran 2 times for each request, 0.05 ms per request (1.7 %)', 'at once');
    const beside = { ...read, lists: 20, laterMs: 0.4 };
    assert.equal(said({ syncCalls: [beside] }, 20, 'unused', []), 'seen: ran 20 times, unused, 0.02 ms per request (0.7 %)');
    const inTime = { ...read, lists: 20, laterMs: 5, firstLaterMs: 5 };
    assert.equal(said({ syncCalls: [inTime] }, 20, 'unused', []), 'seen: ran 20 times, unused, beside what takes longer');
    const last = { ...beside, laterMs: 12 };
    assert.equal(said({ syncCalls: [last] }, 20, 'unused', []), 'confirmed: ran 20 times, unused, 0.60 ms per request (20 %)');
    assert.equal(said({}, 20, 'each'), 'seen: ran 20 times', 'lists of one element');
    assert.equal(said({}, 20, 'early', []), 'inconclusive: never dropped in 20 runs');
    assert.equal(said({}, 0).split(':')[0], 'not-reached');
  });

  it('on reads one after the other by how much of their time could overlap', () => {
    const reads = { name: 'pool.query', place: at(3, 5), count: 40, totalMs: 1, maxMs: 0.1, awaitedMs: 200, rounds: 20, overlapMs: 80 };
    const said = (more: Partial<Run>, ran = 20): string =>
      verdictOf(['runs'], { unit: 'request', unitNs: 12e6, countedCalls: 20, timedCalls: 20, syncCalls: [reads], ...more }, ran, {
        ruleId: 'no-sequential-await',
        call: reads.name,
      });
    const with_ = (more: Partial<typeof reads & { mixedRounds: number }>) => said({ syncCalls: [{ ...reads, ...more }] });
    assert.equal(said({}), 'confirmed: one after the other, 4.00 ms per request (33 %) could overlap');
    assert.equal(
      said({ unitNs: 100e6 }),
      'seen: one after the other, 4.00 ms per request (4.0 %) could overlap',
      'four milliseconds of a hundred',
    );
    assert.equal(with_({ overlapMs: 16 }), 'seen: one after the other, 0.80 ms per request (6.7 %) could overlap', 'below a millisecond');
    assert.equal(with_({ overlapMs: 0.2 }), 'refuted: answered at once in 20 rounds');
    assert.equal(with_({ overlapMs: 0.02, rounds: 1 }), 'inconclusive: answered at once in 1 round');
    assert.equal(with_({ rounds: 2, mixedRounds: 18 }), 'inconclusive: ran 20 times in 20 calls, several at once');
    assert.equal(said({ syncCalls: [] }), 'inconclusive: ran 20 times in 20 calls, not timed');
    assert.equal(said({}, 0).split(':')[0], 'not-reached');
  });
});
