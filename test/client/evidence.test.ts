// What stands at the ends of the lines after a profile, and what becomes of it when the code is edited.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { notesOf } from '../../client/profile/evidence-notes.ts';
import { HEAT_LEVELS, levelOf } from '../../client/profile/heat-levels.ts';
import { moved, shownNotes, track, type TextChange, type TrackedEvidence } from '../../client/profile/tracked-evidence.ts';
import { english as t } from './english.ts';
import { at, FILE, LINES, profiledOf } from './profile-report.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

function notes(more: Parameters<typeof profiledOf>[0] = {}) {
  const { report, reasons } = profiledOf(more);
  return notesOf({ report, reasons, start: 2, lineCount: LINES, t });
}

describe('notes at the ends of lines', () => {
  it('say in a few words what was measured', () => {
    assert.deepEqual(
      notes().map(({ line, text, tone }) => [line + 1, text, tone]),
      [
        [3, '⚡ TurboFan · 12 ns/call · 3 deopts', 'plain'],
        [5, '↓ deopt ×3: wrong map', 'problem'],
        [7, '5+ shapes, megamorphic', 'problem'],
        [9, 'slower objects ×2', 'problem'],
        [10, 'fs.readFileSync ×200 · 30 µs each  ·  throws SyntaxError ×200', 'problem'],
      ],
    );
  });

  it('explain themselves in the hover', () => {
    const hovers = new Map(notes().map(({ line, hover }) => [line + 1, hover]));
    assert.match(
      hovers.get(3) ?? '',
      /\*\*`total`\*\* on Node 24\.1\.0: 60 k calls\. 12 ns per call, ± 0\.8 ns \(95 % confidence, 60 samples\)/,
    );
    assert.match(
      hovers.get(5) ?? '',
      /×3\*\* \(`deopt-eager`, column 9\): `wrong map`\. An object of another shape came\. Give the objects/,
    );
    assert.match(
      hovers.get(7) ?? '',
      /`\.price`\*\*: 5\+ shapes, megamorphic\. 4 further misses\. `Line \{ price, tax \}`, `created at line 12`/,
    );
    assert.match(hovers.get(7) ?? '', /`\.count`\*\*: 3 shapes, polymorphic/);
  });

  it('say less where less is known', () => {
    const few = { tiers: [], deopts: [], inlineCaches: [], mapEvents: [], syncCalls: [], exceptions: [], timing: undefined };
    assert.deepEqual(
      notes(few).map(({ text }) => text),
      ['⚡ 0 deopts'],
    );
    const keyed = {
      place: at(4),
      kind: 'KeyedLoadIC',
      property: '',
      state: 'megamorphic',
      shapes: [],
      shapeCount: 1,
      misses: 9,
      megamorphicMisses: 1,
    } as const;
    assert.equal(notes({ ...few, inlineCaches: [keyed] })[1]?.text, 'megamorphic (varying keys)');
    const deopt = {
      place: at(4),
      placement: 'exact',
      inlinedAt: [],
      kind: 'deopt-eager',
      reason: 'not a Smi',
      count: 1,
      at: [],
      benign: false,
    } as const;
    assert.equal(notes({ ...few, deopts: [deopt, { ...deopt, reason: 'hole', count: 2 }] })[1]?.text, '↓ deopt ×3: hole and 1 more');
  });

  it('say of what is awaited how long, and not that it blocks', () => {
    const all = notes({ syncCalls: [{ name: 'database.query', place: at(4), count: 2, totalMs: 0.01, maxMs: 0.01, awaitedMs: 8 }] });
    const note = all.find(({ text }) => text.includes('database.query'));
    assert.match(note?.text ?? '', /database\.query ×2 · awaited for 4 ms each/);
    assert.match(note?.hover ?? '', /was awaited ×2: 4 ms on average/);
    assert.doesNotMatch(note?.hover ?? '', /blocked/);
  });

  it('leave out other files and the lines that were added for the run', () => {
    const all = notes({ syncCalls: [{ name: 'fs.existsSync', place: { ...at(4), file: '/p/other.js' }, count: 1, totalMs: 1, maxMs: 1 }] });
    assert.ok(!all.some(({ text, line }) => text.includes('existsSync') || line >= LINES));
  });

  it('cannot be misread as Markdown', () => {
    const [, note] = notes({
      deopts: [],
      inlineCaches: [],
      mapEvents: [],
      syncCalls: [],
      exceptions: [{ place: at(4), placement: 'exact', type: 'Error', message: 'a `b`\n# c', thrown: 1 }],
    });
    assert.match(note?.hover ?? '', /`a 'b' # c`$/);
  });
});

/** A document that can be edited. */
class Text {
  lines: string[];
  evidence: TrackedEvidence;

  constructor() {
    this.lines = ['// head', 'function a() {', '  b.c;', '}', 'function d() {', '}'];
    const note = { text: 'x', tone: 'plain', hover: '' } as const;
    this.evidence = track(
      'a',
      1,
      3,
      [
        { line: 1, ...note },
        { line: 2, ...note },
        { line: 4, ...note },
      ],
      this.between,
    );
  }

  between = (first: number, last: number): string => this.lines.slice(first, last + 1).join('\n');

  edit([line, character]: [number, number], [endLine, endCharacter]: [number, number], text: string): this {
    const change: TextChange = { range: { start: { line, character }, end: { line: endLine, character: endCharacter } }, text };
    const whole = [...this.lines.slice(0, line), (this.lines[line] ?? '').slice(0, character)].join('\n');
    const rest = [(this.lines[endLine] ?? '').slice(endCharacter), ...this.lines.slice(endLine + 1)].join('\n');
    this.lines = `${whole}${text}${rest}`.split('\n');
    this.evidence = moved(this.evidence, change);
    return this;
  }

  /** The code of each line with a note, with `!` where the note is stale. */
  get shown(): string[] {
    return shownNotes(this.evidence, this.between).map(({ line, stale }) => `${stale ? '!' : ''}${this.lines[line]}`);
  }
}

describe('evidence in edited code', () => {
  const FRESH = ['function a() {', '  b.c;', 'function d() {'];
  const GREY = FRESH.map((line) => `!${line}`);

  it('is stale when its function is edited, and fresh again when that is undone', () => {
    const text = new Text();
    assert.deepEqual(text.shown, FRESH);
    assert.deepEqual(text.edit([3, 0], [3, 0], '  e;\n').shown, GREY);
    assert.deepEqual(text.edit([3, 0], [4, 0], '').shown, FRESH);
    assert.deepEqual(text.edit([2, 5], [2, 5], 'x').shown, ['!function a() {', '!  b.cx;', '!function d() {']);
  });

  it('moves with its code', () => {
    assert.deepEqual(
      new Text().edit(
        [0, 0],
        [0, 0],
        dedent`
      x;
      y;

    `,
      ).shown,
      FRESH,
      'lines above',
    );
    assert.deepEqual(new Text().edit([0, 7], [0, 7], '\nx;').shown, FRESH, 'after the line above');
    assert.deepEqual(new Text().edit([1, 0], [1, 0], 'x;\n').shown, FRESH, 'before the first character');
    assert.deepEqual(new Text().edit([0, 0], [1, 0], '').shown, FRESH, 'a line above is deleted');
    assert.deepEqual(new Text().edit([5, 1], [5, 1], '\nx;').shown, FRESH, 'below');
  });

  it('goes with its line, and never to another', () => {
    assert.deepEqual(new Text().edit([2, 0], [3, 0], '').shown, ['!function a() {', '!function d() {']);
    assert.deepEqual(new Text().edit([1, 0], [4, 0], '').shown, ['!function d() {'], 'the function is deleted');
    assert.deepEqual(new Text().edit([1, 14], [3, 0], '').shown, ['!function a() {}', '!function d() {']);
    assert.deepEqual(
      new Text().edit([2, 3], [2, 3], '\n').shown,
      ['!function a() {', '!  b', '!function d() {'],
      'a line is broken in two',
    );
  });

  it('outside of its function is stale with its own line', () => {
    assert.deepEqual(new Text().edit([4, 9], [4, 10], 'e').shown, ['function a() {', '  b.c;', '!function e() {']);
  });
});

describe('lines that take the time', () => {
  const shares = {
    busyMs: 500,
    user: 0.9,
    packages: 0,
    core: 0.1,
    gc: 0,
    functions: [{ functionName: 'total', place: at(3), self: 0.61, total: 0.97 }],
    byPackage: [],
    flame: [],
  };
  const cpu = {
    ...shares,
    lines: [
      { file: FILE, line: 5, self: 0.61 },
      { file: FILE, line: 8, self: 0.04 },
      { file: FILE, line: 9, self: 0.019 },
      { file: '/p/other.js', line: 11, self: 0.3 },
    ],
  };

  it('have their share beside the other notes, with words in the hover', () => {
    const marked = notes({ cpu }).filter(({ share }) => share !== undefined);
    assert.deepEqual(
      marked.map(({ line, text, share }) => [line + 1, text, share]),
      [
        [3, '⚡ TurboFan · 12 ns/call · 3 deopts', 0.97],
        [5, '↓ deopt ×3: wrong map', 0.61],
        [8, '', 0.04],
      ],
    );
    assert.match(marked[0]?.hover ?? '', /\*\*97 %\*\* of CPU time is spent in `total` and what it calls, 61 % in the function itself\./);
    assert.match(marked[1]?.hover ?? '', /\*\*61 %\*\* of CPU time is spent on this line\./);
  });

  it('are marked wider with each step', () => {
    assert.deepEqual([0.02, 0.049, 0.05, 0.1, 0.3, 0.5, 1].map(levelOf), [0, 0, 1, 2, 3, 4, 4]);
    for (const [index, level] of HEAT_LEVELS.entries()) {
      const before = HEAT_LEVELS[index - 1];
      assert.ok(!before || (level.width > before.width && level.from > before.from));
    }
  });

  it('can be seen on light and dark backgrounds (WCAG 2.1, 1.4.11: 3 to 1)', () => {
    for (const { light, dark } of HEAT_LEVELS) {
      assert.ok(contrast(light, '#ffffff') >= 3, light);
      assert.ok(contrast(dark, '#1e1e1e') >= 3, dark);
    }
  });
});

/** Of WCAG 2.1. */
function contrast(one: string, other: string): number {
  const luminance = (color: string): number => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5]
      .map((from) => parseInt(color.slice(from, from + 2), 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}
