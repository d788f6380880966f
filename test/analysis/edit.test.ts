// Edits made together give what they give one by one, and fixes that touch each other are never made together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyEdits, pickCompatible } from '../../analysis/module/edit.ts';
import type { Edit, Fix } from '../../protocol/finding.ts';

const RUNS = { numRuns: 500, seed: 20261120 };

/** A text with edits that do not overlap, in no order. */
const edited = fc.string({ maxLength: 40, unit: 'binary' }).chain((text) =>
  fc.record({
    text: fc.constant(text),
    edits: fc
      .array(fc.tuple(fc.nat(text.length), fc.nat(text.length), fc.string({ maxLength: 5 })), { maxLength: 8 })
      .map((triples) => withoutOverlap(triples.map(([a, b, value]) => ({ start: Math.min(a, b), end: Math.max(a, b), text: value })))),
  }),
);

function withoutOverlap(edits: readonly Edit[]): Edit[] {
  const kept: Edit[] = [];
  for (const edit of edits) if (kept.every((other) => edit.end <= other.start || other.end <= edit.start)) kept.push(edit);
  return kept;
}

/** One edit after the other from the end of the text, so that offsets before it stay true. */
function naive(text: string, edits: readonly Edit[]): string {
  const order = edits.map((edit, i) => ({ ...edit, i })).sort((a, b) => b.start - a.start || b.end - a.end || b.i - a.i);
  return order.reduce((value, edit) => value.slice(0, edit.start) + edit.text + value.slice(edit.end), text);
}

test('applyEdits gives what the edits give one by one', () => {
  fc.assert(
    fc.property(edited, ({ text, edits }) => {
      assert.equal(applyEdits(text, edits), naive(text, edits));
    }),
    RUNS,
  );
});

test('applyEdits leaves text outside the edits as it is', () => {
  fc.assert(
    fc.property(edited, ({ text, edits }) => {
      const removed = edits.reduce((sum, edit) => sum + edit.end - edit.start, 0);
      const added = edits.reduce((sum, edit) => sum + edit.text.length, 0);
      assert.equal(applyEdits(text, edits).length, text.length - removed + added);
    }),
    RUNS,
  );
  assert.equal(applyEdits('abc', []), 'abc');
});

test('applyEdits refuses edits that overlap, and makes insertions at one place in the order given', () => {
  assert.throws(
    () =>
      applyEdits('abcdef', [
        { start: 0, end: 3, text: '' },
        { start: 2, end: 4, text: '' },
      ]),
    /overlap/,
  );
  assert.equal(
    applyEdits('ab', [
      { start: 1, end: 1, text: '1' },
      { start: 1, end: 1, text: '2' },
    ]),
    'a12b',
  );
  assert.equal(
    applyEdits('ab', [
      { start: 1, end: 2, text: 'X' },
      { start: 1, end: 1, text: 'i' },
    ]),
    'aiX',
  );
});

const fixes = fc
  .array(
    fc
      .array(
        fc.tuple(fc.nat(30), fc.nat(4)).map(([start, length]) => ({ start, end: start + length, text: 'x' })),
        { minLength: 1, maxLength: 3 },
      )
      .map(withoutOverlap),
    { maxLength: 8 },
  )
  .map((lists): Fix[] => lists.map((edits, i) => ({ title: `fix ${i}`, kind: 'safe', edits })));

test('pickCompatible takes whole fixes, in order, whose edits can be made together', () => {
  const text = 'a'.repeat(40);
  fc.assert(
    fc.property(fixes, (given) => {
      const picked = pickCompatible(given);
      assert.deepEqual(
        picked,
        given.filter((fix) => picked.includes(fix)),
        'order is kept and no fix is changed',
      );
      if (given[0]) assert.equal(picked[0], given[0], 'the first fix always goes in');
      assert.doesNotThrow(() =>
        applyEdits(
          text,
          picked.flatMap((fix) => fix.edits),
        ),
      );
      for (const fix of given) {
        if (picked.includes(fix)) continue;
        const before = picked.filter((other) => given.indexOf(other) < given.indexOf(fix));
        assert.ok(
          before.some((other) => other.edits.some((a) => fix.edits.some((b) => a.start <= b.end && b.start <= a.end))),
          'a fix is left out only for an earlier one that it touches',
        );
      }
    }),
    RUNS,
  );
});

test('pickCompatible leaves the second declaration of a name to the next pass, and takes many fixes', () => {
  const declaring = (start: number, name: string): Fix => ({
    title: 'read at startup',
    kind: 'safe',
    edits: [{ start, end: start, text: `const ${name} = read();\n\n` }],
  });
  const [first, second, third] = [declaring(0, 'data'), declaring(10, 'data'), declaring(20, 'other')] as const;
  assert.deepEqual(pickCompatible([first, second, third]), [first, third]);
  // From the end to the beginning, as no walk of a file gives them.
  const many = Array.from({ length: 20_000 }, (_, i) => declaring(100_000 - 5 * i, `name${i}`));
  assert.equal(pickCompatible(many).length, many.length);
});
