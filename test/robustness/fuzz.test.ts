// A part of what `npm run bench:fuzz` does for an hour: some cases of each subject, and every one that once went wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Random } from './random.ts';
import { runWatched } from './watched.ts';
import { injured, injuredValue } from './fuzz/injured.ts';
import { FUZZ_SUBJECTS } from './fuzz/subjects.ts';

const LIST = fileURLToPath(new URL('./lists/fuzz.ts', import.meta.url));
const KEPT = JSON.parse(readFileSync(new URL('./fuzz/seeds.json', import.meta.url), 'utf8')) as {
  subject: string;
  seed: number;
  found: string;
}[];
/** Of each subject. */
const CASES: Readonly<Record<string, number>> = { source: 150, folder: 70, deployment: 150, messages: 40, logs: 70 };

describe('fuzzing', { concurrency: 2 }, () => {
  for (const [subject, count] of Object.entries(CASES)) {
    it(`${subject}: nothing crashes, hangs, or writes what is obeyed`, async () => {
      const { cases, complaints } = await runWatched(LIST, [subject, '1', String(count)]);
      assert.deepEqual(complaints.slice(0, 5), [], `${complaints.length} complaints`);
      assert.equal(cases, count);
    });
  }

  it('every subject has a part here', () => {
    assert.deepEqual(Object.keys(CASES).sort(), Object.keys(FUZZ_SUBJECTS).sort());
  });

  it('what once went wrong stays right', async () => {
    // In one process: to start one takes longer than all of these cases.
    const { cases, complaints } = await runWatched(
      LIST,
      KEPT.flatMap(({ subject, seed }) => [subject, String(seed), '1']),
    );
    const once = KEPT.map(({ subject, seed, found }) => `${subject} ${seed}: ${found}`);
    assert.deepEqual(complaints, [], once.join('\n'));
    assert.equal(cases, KEPT.length);
  });

  it('a seed makes the same case each time, and the injuries are many', () => {
    const value = { a: [1, 'x', { b: true }], c: 'text of some length' };
    const made = (from: number): string[] =>
      Array.from(
        { length: 50 },
        (_, i) =>
          `${JSON.stringify(injuredValue(new Random(from + i), value))} ${injured(new Random(from + i), 'const a = { b: [1, 2] };')}`,
      );
    assert.deepEqual(made(1), made(1));
    assert.ok(new Set(made(1)).size > 40);
  });
});
