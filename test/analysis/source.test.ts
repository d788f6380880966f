// Offsets to lines and columns and back, for every line break that JavaScript knows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Source } from '../../analysis/module/source.ts';
import { parse } from '../../analysis/module/parse.ts';

const RUNS = { numRuns: 500, seed: 20261120 };

/** Text in which all line breaks, a byte order mark, astral characters and lone surrogates are common. */
const text = fc
  .array(
    fc.constantFrom('a', ' ', '\t', '\n', '\r', '\r\n', '\u2028', '\u2029', '\uFEFF', '😀', '\uD83D', '\uDE00', 'é', 'word', '{', '\0'),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

/** The plainest way to count: one code unit after the other. */
function naivePosition(value: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let i = 0; i < offset; i++) {
    const unit = value[i];
    const isBreak = unit === '\n' || unit === '\u2028' || unit === '\u2029' || (unit === '\r' && value[i + 1] !== '\n');
    if (isBreak) {
      line++;
      start = i + 1;
    }
  }
  return { line, column: offset - start + 1 };
}

test('positionAt counts as a plain loop does, and offsetAt goes back', () => {
  fc.assert(
    fc.property(text, (value) => {
      const source = new Source('/a.js', value);
      for (let offset = 0; offset <= value.length; offset++) {
        const position = source.positionAt(offset);
        assert.deepEqual(position, naivePosition(value, offset), JSON.stringify([value, offset]));
        assert.equal(source.offsetAt(position), offset, JSON.stringify([value, offset]));
      }
    }),
    RUNS,
  );
});

test('lines joined give the text, and none holds a line break', () => {
  fc.assert(
    fc.property(text, (value) => {
      const source = new Source('/a.js', value);
      let rebuilt = '';
      for (let line = 1; line <= source.lineCount; line++) {
        const own = source.lineText(line);
        assert.doesNotMatch(own, /[\n\r\u2028\u2029]/u);
        const start = source.lineStart(line);
        assert.equal(value.slice(start, start + own.length), own);
        rebuilt += value.slice(start, line < source.lineCount ? source.lineStart(line + 1) : value.length);
      }
      assert.equal(rebuilt, value);
    }),
    RUNS,
  );
});

test('offsets and positions outside the text are moved to its nearest end', () => {
  const source = new Source('/a.js', 'ab\ncd');
  assert.deepEqual(source.positionAt(-5), { line: 1, column: 1 });
  assert.deepEqual(source.positionAt(99), { line: 2, column: 3 });
  assert.equal(source.offsetAt({ line: 99, column: 99 }), 5);
  assert.equal(source.offsetAt({ line: 0, column: 0 }), 0);
  fc.assert(
    fc.property(text, fc.integer(), fc.integer(), (value, line, column) => {
      const offset = new Source('/a.js', value).offsetAt({ line, column });
      assert.ok(offset >= 0 && offset <= value.length);
    }),
    RUNS,
  );
});

test('agrees with the lines of Babel', () => {
  const value = '\uFEFF// é😀\r\nconst a = 1;\rlet b;\u2028let c; /* \n */ let d;\n';
  const outcome = parse('/a.js', value);
  assert.ok(outcome.ok);
  const source = new Source('/a.js', value);
  for (const statement of outcome.ast.program.body) {
    assert.equal(source.positionAt(statement.start ?? -1).line, statement.loc?.start.line);
    assert.equal(source.positionAt(statement.start ?? -1).column, (statement.loc?.start.column ?? -1) + 1);
  }
});

test('knows the indent of a line and the line break of a file', () => {
  const source = new Source('/a.js', 'if (a) {\r\n \t  b();\r\n}\r\n');
  assert.equal(source.indentAt(source.text.indexOf('b')), ' \t  ');
  assert.equal(source.indentAt(0), '');
  assert.equal(source.lineBreak, '\r\n');
  assert.equal(new Source('/a.js', 'a').lineBreak, '\n');
});
