// Findings that go along with edits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding, Span } from '../../../protocol/finding.ts';
import { changeBetween, moveFindings, moveSpan, toOffsetChange, type OffsetChange } from '../../../server/shared/moved-findings.ts';

/** Five characters; a random text is put together of them, so that nothing is found by accident. */
const MARK = 'MARK!';
const words = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', '😀', '\u2028', ' '), maxLength: 12 });

function apply(text: string, { start, removed }: OffsetChange, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(start + removed);
}

describe('moving a span', () => {
  it('keeps its text over any edits that do not touch it', () => {
    const edits = fc.array(fc.tuple(fc.boolean(), fc.nat(), fc.nat(), words), { maxLength: 8 });
    fc.assert(
      fc.property(words, words, edits, (head, tail, list) => {
        let text = head + MARK + tail;
        let span: Span = { start: head.length, end: head.length + MARK.length };
        for (const [before, a, b, inserted] of list) {
          const [from, to] = before ? [0, span.start] : [span.end, text.length];
          const start = from + (a % (to - from + 1));
          const removed = b % (to - start + 1);
          const moved = moveSpan(span, { start, removed, inserted: inserted.length });
          text = apply(text, { start, removed, inserted: inserted.length }, inserted);
          assert.ok(moved);
          span = moved;
          assert.equal(text.slice(span.start, span.end), MARK);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('drops what is deleted or cut, and grows and shrinks with what is changed inside', () => {
    const span: Span = { start: 10, end: 20 };
    const table: readonly [change: [start: number, removed: number, inserted: number], moved: [number, number] | undefined][] = [
      [
        [0, 0, 3],
        [13, 23],
      ],
      [
        [10, 0, 3],
        [13, 23],
      ],
      [
        [5, 5, 0],
        [5, 15],
      ],
      [
        [20, 0, 3],
        [10, 20],
      ],
      [
        [20, 5, 0],
        [10, 20],
      ],
      [
        [12, 0, 3],
        [10, 23],
      ],
      [
        [12, 3, 0],
        [10, 17],
      ],
      [
        [19, 1, 0],
        [10, 19],
      ],
      [
        [10, 1, 0],
        [10, 19],
      ],
      [[10, 10, 0], undefined],
      [[10, 10, 10], undefined],
      [[5, 20, 3], undefined],
      [[5, 8, 0], undefined],
      [[18, 4, 4], undefined],
    ];
    for (const [[start, removed, inserted], moved] of table) {
      assert.deepEqual(
        moveSpan(span, { start, removed, inserted }),
        moved && { start: moved[0], end: moved[1] },
        JSON.stringify([start, removed, inserted]),
      );
    }
  });
});

describe('moving findings', () => {
  const finding: Finding = {
    ruleId: 'no-x',
    messageId: 'x',
    severity: 'warning',
    message: { what: '', why: '', remedy: '' },
    data: {},
    file: '/p/a.js',
    span: { start: 10, end: 20 },
    related: [
      { span: { start: 0, end: 4 }, message: 'own' },
      { file: '/p/a.js', span: { start: 30, end: 34 }, message: 'own, named' },
      { file: '/p/b.js', span: { start: 0, end: 4 }, message: 'other' },
    ],
    fixes: [{ title: 'Fix', kind: 'safe', edits: [{ start: 10, end: 11, text: '' }] }],
    refused: [{ title: 'Other', reason: 'because' }],
  };

  it('moves related places of the same file, drops fixes and keeps what was refused', () => {
    const [moved] = moveFindings([finding], { start: 5, removed: 0, inserted: 2 });
    assert.deepEqual(moved, {
      ...finding,
      span: { start: 12, end: 22 },
      fixes: [],
      related: [
        { span: { start: 0, end: 4 }, message: 'own' },
        { file: '/p/a.js', span: { start: 32, end: 36 }, message: 'own, named' },
        { file: '/p/b.js', span: { start: 0, end: 4 }, message: 'other' },
      ],
    });
  });

  it('drops related places whose code is gone, and findings whose code is gone', () => {
    assert.deepEqual(
      moveFindings([finding], { start: 0, removed: 5, inserted: 0 })[0]?.related.map((place) => place.message),
      ['own, named', 'other'],
    );
    assert.deepEqual(moveFindings([finding], { start: 10, removed: 10, inserted: 1 }), []);
  });
});

describe('changes of the protocol', () => {
  it('count in offsets of the text before them, whichever way round their range is', () => {
    const document = TextDocument.create('file:///a', '', 1, 'a\r\nbc\r\n');
    const range = { start: { line: 1, character: 1 }, end: { line: 2, character: 0 } };
    assert.deepEqual(toOffsetChange(document, { range, text: 'xyz' }), { start: 4, removed: 3, inserted: 3 });
    assert.deepEqual(toOffsetChange(document, { range: { start: range.end, end: range.start }, text: '' }), {
      start: 4,
      removed: 3,
      inserted: 0,
    });
    assert.deepEqual(toOffsetChange(document, { text: 'a\r\nbXc\r\n' }), { start: 4, removed: 0, inserted: 1 });
  });

  it('of the whole text are what lies between the common ends', () => {
    fc.assert(
      fc.property(words, words, words, words, (head, removed, inserted, tail) => {
        const before = head + removed + tail;
        const after = head + inserted + tail;
        const change = changeBetween(before, after);
        assert.equal(apply(before, change, after.slice(change.start, change.start + change.inserted)), after);
        assert.ok(change.removed <= removed.length && change.inserted <= inserted.length);
      }),
    );
  });
});
