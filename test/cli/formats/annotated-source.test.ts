// A function's source with what was measured beside its lines.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProfileReport } from '../../../protocol/evidence.ts';
import { annotatedLines } from '../../../workspace/formats/annotated-source.ts';
import { MARKDOWN, type ProfileStyle } from '../../../workspace/formats/profile-style.ts';
import { parseProfileArguments } from '../../../cli/commands/profile-arguments.ts';

const PLAIN: ProfileStyle = { ...MARKDOWN, section: (text) => text, dim: (text) => text, code: (lines) => [...lines] };
const FILE = '/p/a.js';
const at = (line: number, file = FILE) => ({ file, line, column: 3 });
const deopt = { placement: 'exact', inlinedAt: [], kind: 'deopt-eager', reason: 'not a Smi', count: 4, at: [], benign: false } as const;

function report(more: Partial<ProfileReport> = {}): ProfileReport {
  return {
    target: { file: FILE, functionName: 'f', place: at(9), origin: 'call-site', calls: ['f(1)'] },
    machine: { node: '24.9.0', v8: '13.6', platform: 'linux x64', cpu: 'x', cores: 2 },
    date: '2026-11-21T00:00:00Z',
    calls: 2_000_000,
    tiers: [],
    deopts: [],
    inlineCaches: [],
    mapEvents: [],
    syncCalls: [],
    exceptions: [],
    blocks: [],
    verdicts: [],
    unreadLines: 0,
    problems: [],
    ...more,
  };
}

function cpu(lines: readonly { line: number; self: number; file?: string }[]): ProfileReport['cpu'] {
  return {
    busyMs: 100,
    user: 1,
    packages: 0,
    core: 0,
    gc: 0,
    functions: [],
    lines: lines.map(({ file = FILE, ...line }) => ({ file, ...line })),
    byPackage: [],
    flame: [],
  };
}

const SOURCE = { file: FILE, first: 9, lines: ['function f(a) {', '  let sum = 0;', '  return sum + a.b;', '}'] };

describe('annotated source', () => {
  it('has the share of each line, and below it what was found there', () => {
    const shown = annotatedLines(
      report({
        cpu: cpu([
          { line: 10, self: 0.031 },
          { line: 11, self: 0.54 },
          { line: 11, self: 0.9, file: '/p/b.js' },
          { line: 9, self: 0.001 },
        ]),
        deopts: [
          { ...deopt, place: at(11) },
          { ...deopt, place: at(10), benign: true },
          { ...deopt, place: at(40) },
          { ...deopt, place: at(11, '/p/b.js') },
        ],
        verdicts: [
          { ruleId: 'no-x', messageId: 'm', place: at(11), verdict: 'confirmed', figure: '3 ns per call', grounds: [] },
          { ruleId: 'no-y', messageId: 'm', place: at(9), verdict: 'not-reached', figure: 'never ran', grounds: [] },
        ],
        inlineCaches: [
          {
            place: at(11),
            kind: 'LoadIC',
            property: 'b',
            state: 'megamorphic',
            shapes: [],
            shapeCount: 8,
            misses: 9,
            megamorphicMisses: 4,
          },
          {
            place: at(11),
            kind: 'LoadIC',
            property: 'c',
            state: 'monomorphic',
            shapes: [],
            shapeCount: 1,
            misses: 1,
            megamorphicMisses: 0,
          },
        ],
        syncCalls: [{ name: 'fs.readFileSync', place: at(10), count: 2, totalMs: 6, maxMs: 4 }],
        exceptions: [{ place: at(10), placement: 'exact', type: 'TypeError', message: 'x', thrown: 7 }],
      }),
      SOURCE,
      PLAIN,
    );
    assert.deepEqual(shown, [
      '',
      'Source',
      '         9  function f(a) {',
      '            – not reached: no-y, never ran',
      ' 3.1 %  10    let sum = 0;',
      '              ■ fs.readFileSync ×2, 3.00 ms each',
      '              ! throws TypeError ×7',
      '  54 %  11    return sum + a.b;',
      '              ✖ confirmed: no-x, 3 ns per call',
      '              ↓ deopt ×4: not a Smi (2 per million calls)',
      '              ◆ .b: 8 shapes, megamorphic',
      '        12  }',
      'Beside the lines: their own share of the CPU time. V8 takes about one sample per millisecond.',
    ]);
  });

  it('says so where no sample fell into the lines', () => {
    assert.equal(annotatedLines(report(), SOURCE, PLAIN).at(-1), 'The CPU profile has no samples in these lines.');
  });

  it('shows of a long function what has something beside it, and where lines are left out', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1};`);
    const shown = annotatedLines(report({ cpu: cpu([{ line: 100, self: 0.5 }]) }), { file: FILE, first: 1, lines }, PLAIN).slice(2, -1);
    assert.deepEqual(
      shown.map((line) => line.trim().replace(/^50 % +/, '')),
      ['1  line 1;', '⋮', '98  line 98;', '99  line 99;', '100  line 100;', '101  line 101;', '102  line 102;', '⋮', '200  line 200;'],
    );
    assert.equal(annotatedLines(report(), { file: FILE, first: 1, lines: lines.slice(0, 80) }, PLAIN).length, 80 + 3);
  });

  it('is a block of code in Markdown, whatever stands in the code', () => {
    const shown = annotatedLines(report(), { file: FILE, first: 1, lines: ['const a = `${b}`;', '// ```', '}'] }, MARKDOWN);
    assert.deepEqual(
      shown.filter((line) => /^`+/.test(line)),
      ['````text', '````'],
    );
  });

  it('is for functions only', () => {
    assert.equal(parseProfileArguments(['a.js:f', '--annotate']).annotate, true);
    assert.throws(() => parseProfileArguments(['a.js', '--annotate']), /`--annotate` applies to functions only/);
  });
});
