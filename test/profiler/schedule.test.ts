// How long the runs of a profile go on: what starting takes counts, and what cannot come in time is not waited for.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SourcePlace } from '../../protocol/evidence.ts';
import { callsNeeded, phaseOf, shareOf, startUpLimit, type Situation } from '../../profiler/plan/schedule.ts';
import type { Hypothesis } from '../../profiler/judge/hypothesis.ts';
import type { EvidenceKind } from '../../protocol/evidence.ts';

const at = (line: number): SourcePlace => ({ file: '/p/a.js', line, column: 1 });
const claim = (line: number, kinds: EvidenceKind[], related: number[] = []): Hypothesis => ({
  ruleId: 'no-x',
  messageId: 'x',
  kinds,
  functions: [],
  range: { start: at(line), end: at(line) },
  related: related.map((one) => ({ start: at(one), end: at(one) })),
});
const SITUATION: Situation = {
  hypotheses: [claim(3, ['inline-cache'])],
  budgetMs: 5000,
  elapsedMs: 0,
  startUpMs: 0,
  hasRequests: false,
  isCompiled: false,
  isEndless: false,
};

describe('the schedule of a profile', () => {
  it('takes from the measured time what starting takes, and leaves some of it', () => {
    const shares = [0, 200, 500, 1200, 5000].map((startUpMs) => shareOf({ budgetMs: 5000, startUpMs }));
    assert.deepEqual(
      shares,
      [...shares].sort((a, b) => b - a),
    );
    assert.equal(shares[0], 1);
    assert.ok((shares[1] ?? 0) > (shares[2] ?? 0) && (shares[2] ?? 0) > (shares[3] ?? 0));
    assert.deepEqual(shares.slice(3), [0.4, 0.4]);
    assert.equal(phaseOf(['time'], 0.5, SITUATION).measureMs, phaseOf(['time'], 1, SITUATION).measureMs / 2);
  });

  it('is patient where only silence after many runs says something', () => {
    const least = (kinds: Parameters<typeof phaseOf>[0], more: Partial<Situation> = {}) =>
      phaseOf(kinds, 1, { ...SITUATION, ...more }).leastCalls;
    assert.deepEqual([least(['trace']), least(['feedback']), least(['io']), least(['watch'])], [1000, 1000, 1, 1]);
    assert.deepEqual(
      [least(['trace'], { hypotheses: [claim(3, ['sync-io'])] }), least(['watch'], { hypotheses: [claim(3, ['microtasks'])] })],
      [1, 3],
    );
    assert.equal(least(['trace'], { isEndless: true }), 1);
    assert.equal(phaseOf(['trace'], 1, { ...SITUATION, isEndless: true }).patienceMs, 0);
  });

  it('waits for requests as long as there is time for all that comes after them', () => {
    const patience = (more: Partial<Situation>) => phaseOf(['trace'], 1, { ...SITUATION, hasRequests: true, ...more }).patienceMs ?? 0;
    const early = patience({ startUpMs: 100, elapsedMs: 500 });
    assert.ok(early > 2000 && early < 5000, String(early));
    assert.equal(patience({ startUpMs: 100, elapsedMs: 900 }), early - 400);
    assert.deepEqual(
      [5000, 15_000, 800].map((budgetMs) => patience({ startUpMs: 4000, elapsedMs: 9000, budgetMs })),
      [2000, 12_000, 2000],
      'a little in any case',
    );
    assert.equal(phaseOf(['trace'], 1, SITUATION).patienceMs, 5000, 'a function that is called starts at once');
  });

  it('is content with a few long requests, and with no few calls', () => {
    assert.ok((phaseOf(['io'], 1, { ...SITUATION, hasRequests: true }).fewCalls ?? 0) >= 3);
    assert.equal(phaseOf(['io'], 1, SITUATION).fewCalls, undefined);
  });

  it('asks for as many calls as bring each place a thousand runs', () => {
    const perCall = new Map([
      [3, 4],
      [5, 0.5],
      [7, 0],
    ]);
    const need = (...claims: Hypothesis[]) => callsNeeded(claims, ({ line }) => (perCall.has(line) ? [perCall.get(line) ?? 0] : []));
    assert.equal(need(claim(3, ['deopt'])), 263);
    assert.equal(need(claim(3, ['deopt']), claim(5, ['feedback'])), 2100, 'the one that runs least');
    assert.equal(need(claim(5, ['deopt'], [3])), 263, 'where any of its places tells');
    assert.equal(need(claim(7, ['deopt'])), 0, 'what never runs needs no waiting');
    assert.equal(need(claim(9, ['deopt'])), undefined, 'not counted');
    assert.equal(need(claim(9, ['sync-io'])), 0, 'nothing that takes many runs');
  });

  it('gives what is known to be endless the time that it took to start before', () => {
    assert.equal(startUpLimit({ ...SITUATION, isEndless: true }), 2000);
    assert.equal(startUpLimit({ ...SITUATION, isEndless: true, startUpMs: 1500 }), 6000);
    assert.ok(startUpLimit({ ...SITUATION, hasRequests: true, isCompiled: true }) > startUpLimit(SITUATION));
  });
});
