// Damage that a fix would do to a file: it is found, and nothing else is.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from '../../analysis/module/parse.ts';
import { findDamage, findLostNames } from '../../analysis/fix/verify.ts';
import { caseTexts, lintReal } from '../lsp/texts.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

describe('findDamage', () => {
  const before = dedent`
    const fs = require('fs');
    fs.readFileSync('a');

  `;
  it('accepts a sound change', () => {
    assert.equal(
      findDamage(
        'a.js',
        before,
        dedent`
        const fs = require('fs');
        async function f() { await fs.promises.readFile('a'); }

      `,
      ),
      undefined,
    );
  });
  it('names what nothing declares', () => {
    assert.match(
      findDamage(
        'a.js',
        before,
        dedent`
      const fs = require('fs');
      await readFile('a');

    `,
      ) ?? '',
      /`readFile`/,
    );
  });
  it('sees broken syntax', () => {
    assert.match(findDamage('a.js', before, 'const fs = require(') ?? '', /not parse/);
  });
  it('sees a name declared twice', () => {
    assert.match(findDamage('a.js', before, `const fs = 1;\n${before}`) ?? '', /declared twice|syntax error/);
  });
  it('does not judge text that was broken before', () => {
    assert.equal(findDamage('a.js', 'foo(', 'foo('), undefined);
  });
  it('sees a name that is lost to code that stayed the same', () => {
    assert.match(
      findDamage(
        'a.js',
        dedent`
      import { a } from 'm';
      f();
      a();

    `,
        dedent`
      import { b } from 'm';
      f();
      a();

    `,
      ) ?? '',
      /`a`/,
    );
  });
  it('sees a name that meets one in code that stayed the same', () => {
    assert.match(
      findDamage(
        'a.js',
        dedent`
      f();
      let a;

    `,
        dedent`
      let a;
      f();
      let a;

    `,
      ) ?? '',
      /declared twice|syntax error/,
    );
  });
});

describe('looking at the changed statements only', () => {
  /** Where words begin and end; edits between such places delete, double and move what programs are made of. */
  const boundsOf = (text: string): number[] => [...text.matchAll(/\b|\n/g)].map((match) => match.index);

  it('says the same as looking at the whole file, for real fixes and for random damage', () => {
    const texts = caseTexts();
    let damaged = 0;
    let compared = 0;
    const compare = (file: string, before: string, after: string): void => {
      const [was, is] = [parse(file, before), parse(file, after)];
      if (!was.ok || !is.ok || is.recovered.length > was.recovered.length) return;
      const expected = findLostNames(file, before, after);
      assert.equal(
        findDamage(file, before, after),
        expected,
        dedent`
        ${before}
        -----
        ${after}
      `,
      );
      compared++;
      if (expected !== undefined) damaged++;
    };
    for (const { file, text } of texts)
      for (const finding of lintReal(file, text)) for (const fix of finding.fixes) compare(file, text, applyEdits(text, fix.edits));
    fc.assert(
      fc.property(fc.nat(texts.length - 1), fc.nat(), fc.nat(), fc.nat(), fc.nat(), (index, from, length, source, count) => {
        const { file, text } = texts[index] as { file: string; text: string };
        const bounds = boundsOf(text);
        const at = (n: number): number => bounds[n % bounds.length] ?? 0;
        const [start, end] = [at(from), at((from % bounds.length) + (length % 6))];
        const [first, last] = [at(source), at((source % bounds.length) + (count % 12))];
        if (start > end || first > last) return;
        compare(file, text, text.slice(0, start) + text.slice(first, last) + text.slice(end));
      }),
      { numRuns: 4000 },
    );
    assert.ok(compared > 400 && damaged > 50, `only ${compared} and ${damaged}`);
  });
});
