// Which shapes and property names a report shows.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDataKey, isMadeByNode, shownKeys } from '../../protocol/shown-shapes.ts';

const shape = (constructorName?: string) => ({ id: '0x1', dictionary: false, ...(constructorName && { constructorName }) });

describe('what is shown of shapes', () => {
  it('ids and addresses are shown as keys, and names that stand in code as they are', () => {
    const data = [
      'si81qfefi5h',
      '3f2a6c1e-77b0-4c52-9d0e-aa11bb22cc33',
      'ann@example.com',
      '42',
      '507f1f77bcf86cd799439011',
      'x'.repeat(64),
      'a b',
      '',
    ];
    const names = [
      'user',
      'address2',
      'utf8',
      'sha256',
      '_events',
      '$scope',
      '#count',
      'Symbol(kHeaders)',
      'content-type',
      'größe',
      'isHTTP2',
      'v8Flags',
    ];
    assert.deepEqual(
      data.filter((name) => !isDataKey(name)),
      [],
    );
    assert.deepEqual(names.filter(isDataKey), []);
    assert.deepEqual(shownKeys(['si81qfefi5h', 'user']), ['[key]', 'user']);
  });

  it('an access is left out only where Node made every object that came', () => {
    assert.equal(isMadeByNode({ shapes: [shape('ServerResponse'), shape('ServerResponse')] }), true);
    assert.equal(isMadeByNode({ shapes: [shape('ServerResponse'), shape('Cart')] }), false);
    assert.equal(isMadeByNode({ shapes: [shape()] }), false);
    assert.equal(isMadeByNode({ shapes: [] }), false);
  });
});
