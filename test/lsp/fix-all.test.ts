// Fix-all as edits: exactly the text that the terminal's --fix writes, and nothing touched that stays the same.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { FixKind } from '../../protocol/finding.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { findDamage } from '../../analysis/fix/verify.ts';
import { toTextEdits } from '../../server/shared/convert.ts';
import { fixAll, fixAllEdits } from '../../server/actions/fix-all.ts';
import { minimalEdits } from '../../server/shared/minimal-edits.ts';
import { fixText } from '../../workspace/fix.ts';
import { caseTexts, lintReal, sampleScripts } from './texts.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** Lines of few kinds, so that texts have much in common, and everything that is hard about offsets. */
const line = fc.constantFrom('a', 'b', 'let x = 1;', '  return 😀;', 'é\u2028f', '', '\t}', '\uFEFF');
const lineBreak = fc.constantFrom('\n', '\r\n', '\r');
const text = fc
  .array(fc.tuple(line, lineBreak), { maxLength: 14 })
  .chain((lines) => line.map((last) => `${lines.map((pair) => pair.join('')).join('')}${last}`));

describe('minimal edits', () => {
  it('turn one text into the other, by offsets and by lines', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const edits = minimalEdits(before, after);
        assert.equal(applyEdits(before, edits), after);
        const document = TextDocument.create('file:///a.js', 'javascript', 1, before);
        assert.equal(TextDocument.applyEdits(document, toTextEdits(document, edits)), after);
      }),
      { numRuns: 500 },
    );
  });

  it('touch what differs, only', () => {
    const table: readonly [before: string, after: string, edits: [number, number, string][]][] = [
      [
        dedent`
        a
        b
        c

      `,
        dedent`
        a
        b
        c

      `,
        [],
      ],
      [
        dedent`
        a
        b
        c

      `,
        dedent`
        a
        X
        c

      `,
        [[2, 3, 'X']],
      ],
      [
        dedent`
          const a = 1;
          b
          const c = 1;

        `,
        dedent`
          const a = 2;
          b
          const c = 2;

        `,
        [
          [10, 11, '2'],
          [25, 26, '2'],
        ],
      ],
      [
        dedent`
        a
        c

      `,
        dedent`
        a
        b
        c

      `,
        [[2, 2, 'b\n']],
      ],
      [
        dedent`
        a
        b
        c

      `,
        dedent`
        a
        c

      `,
        [[2, 4, '']],
      ],
      ['', 'a', [[0, 0, 'a']]],
      ['a', '', [[0, 1, '']]],
      ['a\r\nb', 'a\nb', [[1, 3, '\n']]],
      ['x😀y', 'x😁y', [[1, 3, '😁']]],
      ['no break', 'no break\n', [[8, 8, '\n']]],
    ];
    for (const [before, after, edits] of table)
      assert.deepEqual(
        minimalEdits(before, after),
        edits.map(([start, end, inserted]) => ({ start, end, text: inserted })),
        JSON.stringify([before, after]),
      );
  });

  it('replace the middle where too much differs to be compared', () => {
    const lines = (name: string) => Array.from({ length: 800 }, (_, i) => `${name}${i}\n`).join('');
    const before = dedent`
      same
      ${lines('a')}same

    `;
    const after = dedent`
      same
      ${lines('b')}same

    `;
    const edits = minimalEdits(before, after);
    assert.equal(edits.length, 1);
    assert.equal(applyEdits(before, edits), after);
  });
});

describe('edits of the protocol', () => {
  it('have no position inside a CRLF, and still make the same text', () => {
    const before = 'a\r\nb\r\n';
    const document = TextDocument.create('file:///a.js', 'javascript', 1, before);
    for (const edits of [
      [{ start: 2, end: 3, text: '' }],
      [{ start: 0, end: 2, text: 'x' }],
      [
        { start: 2, end: 2, text: '//' },
        { start: 5, end: 6, text: '' },
      ],
    ]) {
      assert.equal(TextDocument.applyEdits(document, toTextEdits(document, edits)), applyEdits(before, edits));
    }
  });
});

describe('fix-all', () => {
  it('makes exactly the text that the terminal makes, over samples and all bad cases, in every disguise', () => {
    let fixed = 0;
    for (const { file, text: original } of [...sampleScripts(), ...caseTexts()]) {
      for (const disguised of [
        original,
        original.replace(/\r?\n/g, '\r\n'),
        original.trimEnd(),
        original.startsWith('#!') ? original : `\uFEFF${original}`,
      ]) {
        for (const kind of ['safe', 'suggestion'] satisfies FixKind[]) {
          if (!lintReal(file, disguised).some((finding) => finding.fixes.some((fix) => kind === 'suggestion' || fix.kind === 'safe')))
            continue;
          const request = {
            text: disguised,
            lint: (one: string) => lintReal(file, one),
            findDamage: (before: string, after: string) => findDamage(file, before, after),
          };
          const wanted = fixText({ ...request, allowed: kind });
          const outcome = fixAll({ ...request, kind });
          assert.equal(outcome.text, wanted.text);
          assert.deepEqual([outcome.made, outcome.rejected], [wanted.made, wanted.rejected]);
          const document = TextDocument.create('file:///a.js', 'javascript', 1, disguised);
          assert.equal(TextDocument.applyEdits(document, fixAllEdits(document, outcome)), wanted.text, disguised);
          const touched = outcome.edits.reduce((sum, edit) => sum + edit.end - edit.start, 0);
          assert.ok(touched < disguised.length, 'a whole document is not replaced');
          fixed += outcome.made;
        }
      }
    }
    assert.ok(fixed > 50, `only ${fixed} fixes were made`);
  });

  it('makes the fixes of one rule when only that is asked for', () => {
    const { file, text: original } = severalRules();
    const request = {
      text: original,
      kind: 'suggestion' as const,
      lint: (one: string) => lintReal(file, one),
      findDamage: () => undefined,
    };
    const all = fixAll(request);
    const one = fixAll({ ...request, ruleId: 'no-sync-in-handler' });
    assert.ok(one.made > 0 && one.made < all.made, `${one.made} of ${all.made} in ${file}`);
    assert.deepEqual(
      lintReal(file, one.text).filter(
        (finding) => finding.ruleId === 'no-sync-in-handler' && finding.fixes.some((fix) => fix.named === undefined),
      ),
      [],
    );
    assert.ok(lintReal(file, one.text).some((finding) => finding.fixes.length > 0));
  });

  it('tells what would break something, and does not make it', () => {
    const { file, text: original } = severalRules();
    const outcome = fixAll({ text: original, kind: 'suggestion', lint: (one) => lintReal(file, one), findDamage: () => 'no' });
    assert.deepEqual({ ...outcome, rejected: [] }, { text: original, edits: [], made: 0, rejected: [] });
    assert.ok(outcome.rejected.length > 0 && outcome.rejected.every(({ reason }) => reason === 'no'));
  });
});

function severalRules(): { file: string; text: string } {
  const text = `import express from 'express';
import { readFileSync } from 'node:fs';

const app = express();

app.get('/', (request, response) => {
  response.send(readFileSync('terms.html', 'utf8'));
});

app.get('/rows', (request, response) => {
  response.send(request.app.locals.rows.map((row) => {
    if (row.last === undefined) return row;
    const copy = { ...row };
    delete copy.last;
    return copy;
  }));
});
`;
  return { file: '/p/src/app.js', text };
}
