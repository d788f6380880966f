// Which pauses of the event loop are the machine's doing, by what the thread did meanwhile.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';

type Pause = { gap: number; waited: number; worked: number };
const { isCrowd, mayBeOfCall } = createRequire(import.meta.url)('../../../profiler/harness/crowd.cjs') as {
  isCrowd(pause: Pause, isFound: boolean, thresholdMs: number): boolean;
  mayBeOfCall(pause: Pause, isFound: boolean, thresholdMs: number): boolean;
};
const THRESHOLD_MS = 50;

function told(gap: number, waited: number, worked: number, isFound = true): string {
  const pause = { gap, waited, worked };
  if (!isCrowd(pause, isFound, THRESHOLD_MS)) return 'block';
  return mayBeOfCall(pause, isFound, THRESHOLD_MS) ? 'if a call took it' : 'crowd';
}

describe('a pause of the event loop', () => {
  it('is a block where the thread worked in it, however crowded the machine is', () => {
    assert.equal(told(60, 0, 60), 'block');
    assert.equal(told(60, 0, 60, false), 'block');
    assert.equal(told(400, 340, 60), 'block');
    assert.equal(told(164, 100, 40), 'block');
  });

  it("is the machine's doing where the thread worked for less than half of the threshold", () => {
    // A call of 2 ms in which the watchdog asked, with and without a processor for the answer.
    assert.equal(told(164, 150, 14), 'crowd');
    assert.equal(told(164, 120, 20), 'crowd');
    assert.equal(told(210, 200, 2), 'crowd');
    assert.equal(told(400, 340, 60, false), 'if a call took it');
  });

  it('is that of a call of Node where one rested: nothing else does', () => {
    assert.equal(told(200, 0, 1), 'if a call took it');
    assert.equal(told(200, 0, 1, false), 'if a call took it');
    assert.equal(told(164, 60, 20), 'if a call took it');
  });
});
