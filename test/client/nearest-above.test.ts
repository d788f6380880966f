// Which route a person means who has the cursor on a line.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nearestAbove } from '../../client/nearest-above.ts';

it('the last place on the line or above it is meant', () => {
  const targets = [
    { position: { line: 9, character: 4 } },
    { position: { line: 3, character: 0 } },
    { position: { line: 3, character: 8 } },
  ];
  assert.equal(nearestAbove(targets, 2), undefined);
  assert.equal(nearestAbove(targets, 3), targets[2]);
  assert.equal(nearestAbove(targets, 8), targets[2]);
  assert.equal(nearestAbove(targets, 40), targets[0]);
});
