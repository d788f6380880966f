import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangesOf, shortened, withShortRanges } from '../../scripts/short-ranges.ts';

test('ranges of code points are told shorter, and again', () => {
  const ranges = [
    { min: 0, max: 8 },
    { min: 14, max: 14 },
    { min: 0x1f600, max: 0x10ffff },
  ];
  assert.ok(shortened(ranges).startsWith('0 8 6 0 '), shortened(ranges));
  assert.deepEqual(rangesOf(shortened(ranges)), ranges);
});

test('a file of a package gives the same tables, and another form of it is noticed', () => {
  const text = `"use strict";exports.a=JSON.parse('[{"min":65,"max":90},{"min":97,"max":122}]');exports.b=JSON.parse('[[1,2]]');`;
  const short = withShortRanges(text);
  assert.ok(short.startsWith('"use strict";const nodometerRanges'));
  const module = { exports: {} as { a?: unknown; b?: unknown } };
  new Function('exports', short)(module.exports);
  assert.deepEqual(module.exports, {
    a: [
      { min: 65, max: 90 },
      { min: 97, max: 122 },
    ],
    b: [[1, 2]],
  });
  assert.throws(() => withShortRanges('exports.a = [];'), /holds no ranges/);
});
