// Waits before a crashed server is started again: counted on a clock of the test's own.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FORGOTTEN_AFTER_MS, MAX_CRASHES, RestartPolicy } from '../../client/session/restart-policy.ts';

describe('restarts', () => {
  it('come later each time, and end with the fifth crash', () => {
    let now = 0;
    const policy = new RestartPolicy(() => now);
    const waits = Array.from({ length: MAX_CRASHES + 1 }, () => {
      now += 1000;
      return policy.crashed();
    });
    assert.deepEqual(waits, [250, 500, 1000, 2000, undefined, undefined]);
  });

  it('begin anew when the last crashes are long ago, or when the user asks', () => {
    let now = 0;
    const policy = new RestartPolicy(() => now);
    for (let crash = 0; crash < 4; crash++) policy.crashed();
    now += FORGOTTEN_AFTER_MS;
    assert.equal(policy.crashed(), 250);
    assert.equal(policy.crashed(), 500);
    policy.forget();
    assert.equal(policy.crashed(), 250);
  });

  it('count the crashes of the last minutes only, one by one', () => {
    let now = 0;
    const policy = new RestartPolicy(() => now);
    const waits = Array.from({ length: 10 }, () => {
      now += FORGOTTEN_AFTER_MS / 2;
      return policy.crashed();
    });
    // Two at a time lie within the window: the second wait for ever, never the end.
    assert.deepEqual(waits, [250, ...Array.from({ length: 9 }, () => 500)]);
  });
});
