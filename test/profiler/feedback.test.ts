// What V8 keeps of operators and calls: stored prints of Node 18, 20, 22, 24 and 26, and a run on each Node that there is.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { toFilePath } from '../../profiler/parse/escapes.ts';
import { FeedbackReader, readFeedback, type FeedbackOptions } from '../../profiler/parse/feedback.ts';
import { fewestCallsIn } from '../../profiler/parse/records.ts';
import type { ElementsChange, TypeFeedback } from '../../protocol/evidence.ts';
import { ROOT } from '../../scripts/generate.ts';
import { makeBench, nodesToTest } from './runs.ts';

const STORED = join(ROOT, 'test/profiler/feedback');
const OPTIONS: FeedbackOptions = { isUserFile: (file) => file.endsWith('operators.mjs'), toFilePath };
/** From this one on V8 keeps what comparisons met in the bytecode, where nothing prints it. */
const WITHOUT_COMPARISONS = 26;

type Read = { feedback: readonly TypeFeedback[]; elements: readonly ElementsChange[] };

function read(text: string): Read {
  const reader = new FeedbackReader(OPTIONS);
  for (const line of text.split('\n')) reader.readLine(line);
  return reader.result();
}

function lines({ feedback, elements }: Read, last = Infinity): string[] {
  return [
    ...feedback
      .filter(({ place }) => place.line < last)
      .map(
        ({ place, kind, seen, mixed, callee }) =>
          `${place.line}:${place.column} ${kind}: ${seen}${mixed ? ', mixed' : ''}${callee === undefined ? '' : ` (${callee})`}`,
      ),
    ...elements.map(({ place, from, to }) => `${place.line} ${from} -> ${to}`),
  ];
}

function expected(major: number): string[] {
  return [
    '2:12 operator: Any, mixed',
    '5:26 call: several functions, mixed',
    '5:29 call: several functions, mixed',
    '12:23 operator: SignedSmall',
    ...(major < WITHOUT_COMPARISONS ? ['12:27 comparison: Number'] : []),
    '15:12 construct: one function (Cart)',
    '19:28 operator: SignedSmall',
    '22:3 call: one function (add)',
    '23:3 call: one function (add)',
    '24:3 call: one function (twice)',
    '25:3 call: one function (twice)',
    '29:15 call: one function (of)',
    '29:21 call: one function (isSmall)',
    '29:40 call: one function (of)',
    '29:46 call: one function (isSmall)',
    '27 PACKED_SMI -> PACKED_DOUBLE',
    '28 PACKED_DOUBLE -> HOLEY',
  ].sort();
}

describe('feedback of operators and calls', () => {
  for (const name of readdirSync(STORED)) {
    it(`is read from what Node ${name.replace('.txt', '')} printed`, () => {
      assert.deepEqual(lines(read(readFileSync(join(STORED, name), 'utf8')), 31).sort(), expected(Number.parseInt(name, 10)));
    });
  }

  it('is read with the addresses that Windows prints', () => {
    // As Node 22.23.3 for Windows printed them: sixteen capital digits, without a prefix.
    const text = readFileSync(join(STORED, '22.txt'), 'utf8').replace(
      / 0x([0-9a-f]+) @/g,
      (_, digits: string) => ` ${digits.toUpperCase().padStart(16, '0')} @`,
    );
    assert.match(text, / E> [0-9A-F]{16} @/);
    assert.deepEqual(lines(read(text), 31).sort(), expected(22));
  });

  it('is not made up where the bytecode is of another function, or half of it is missing', () => {
    const text = readFileSync(join(STORED, '24.txt'), 'utf8');
    const other = read(text.replaceAll('slot #0 BinaryOp BinaryOp:Any', 'slot #0 LoadProperty MONOMORPHIC'));
    assert.ok(!lines(other).some((line) => line.startsWith('2:12')));
    for (let cut = 0; cut < text.length; cut += 997)
      assert.ok(
        lines(read(text.slice(0, cut))).every((line) => lines(read(text)).includes(line)),
        String(cut),
      );
  });
});

describe('a run for operators and calls', async () => {
  const SOURCE = readFileSync(join(ROOT, 'test/profiler/fixtures/operators.mjs'), 'utf8');
  for (const node of await nodesToTest()) {
    it(`finds them on Node ${node.version}, in ES modules and in CommonJS`, async () => {
      const bench = makeBench(node);
      try {
        const module = bench.write('operators.mjs', SOURCE);
        const script = bench.write('cjs-operators.cjs', SOURCE.replace('export function', 'exports.x = 1; function'));
        for (const file of [module, script]) {
          const options = { ...OPTIONS, isUserFile: (one: string) => one === file };
          const outcome = await bench.runWith(
            { kind: 'feedback', target: { type: 'function', file, calls: ['all()'] } },
            ({ folder, feedbackFiles }) => readFeedback(join(folder, feedbackFiles[0] ?? ''), options),
          );
          assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
          assert.deepEqual(lines(outcome.value, 31).sort(), expected(Number.parseInt(node.version, 10)));
        }
        assert.deepEqual(bench.leftovers(), []);
      } finally {
        bench.end();
      }
    });
    it(`waits for each call text on Node ${node.version}, also for one whose first call took all the time`, async () => {
      const bench = makeBench(node);
      try {
        const file = bench.write(
          'stalled.cjs',
          `function add(a, b) { return a + b; }
let stalls = 2;
function first() {
  const end = Date.now() + 400;
  while (stalls > 0 && Date.now() < end);
  stalls -= 1;
  return add(1, 2);
}
function second() { return add('a', 'b'); }
`,
        );
        const outcome = await bench.runWith(
          {
            kind: 'feedback',
            target: { type: 'function', file, calls: ['first()', 'second()'] },
            leastCalls: 1000,
            limits: { wallMs: 20_000, measureMs: 500, patienceMs: 10_000 },
          },
          async ({ folder, feedbackFiles, records }) => ({
            records,
            ...(await readFeedback(join(folder, feedbackFiles[0] ?? ''), { ...OPTIONS, isUserFile: (one) => one === file })),
          }),
          // As many as both together have made long before.
          { need: Promise.resolve(1050) },
        );
        assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
        assert.ok((fewestCallsIn(outcome.value.records) ?? 0) >= 500, JSON.stringify(outcome.value.records));
        assert.deepEqual(
          outcome.value.feedback.filter(({ place }) => place.line === 1).map(({ kind, seen }) => `${kind}: ${seen}`),
          ['operator: Any'],
        );
      } finally {
        bench.end();
      }
    });
  }
});
