// What no-microtask-starvation says, and what its fixes do, seen on the Node that runs this: an immediate that was asked for before the
// work begins
// comes only after it, and with any of the fixes in between. Counted, not timed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits } from '../../analysis/module/edit.ts';
import { lintText } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { rule } from '../../rules/no-microtask-starvation/rule.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const PROJECT = { nodeRange: '>=20', nodeRangeSource: 'the test', root: '/project' };

// Every program counts its rounds in `seen.rounds`, and ends after 5,000 of them.
const programs: Readonly<Record<string, string>> = {
  nextTick: dedent`
      export function run(seen) {
        return new Promise((resolve) => {
          function round() {
            if (!more(seen)) return resolve();
            process.nextTick(round);
          }
          round();
        });
      }
    `,
  queueMicrotask: dedent`
      export function run(seen) {
        return new Promise((resolve) => {
          function round() {
            if (more(seen)) queueMicrotask(round);
            else resolve();
          }
          round();
        });
      }
    `,
  'then, as a statement': dedent`
      export function run(seen) {
        return new Promise((resolve) => {
          function round() {
            if (!more(seen)) return resolve();
            Promise.resolve().then(round);
          }
          round();
        });
      }
    `,
  'then, given back': dedent`
      export function run(seen) {
        if (!more(seen)) return undefined;
        return Promise.resolve().then(() => run(seen));
      }
    `,
  'async recursion': dedent`
    export async function run(seen) {
      await null;
      if (more(seen)) return run(seen);
    }
  `,
  'async recursion after work': dedent`
      async function note(seen) {
        seen.notes = seen.rounds;
      }
      export async function run(seen) {
        await note(seen);
        if (more(seen)) return run(seen);
      }
    `,
  while: dedent`
    export async function run(seen) {
      while (more(seen)) await null;
    }
  `,
  'while, with work': dedent`
      export async function run(seen) {
        while (more(seen)) {
          seen.work = true;
          await Promise.resolve();
        }
      }
    `,
  'an async function that never waits': dedent`
      async function work(seen) {
        seen.work = true;
      }
      export async function run(seen) {
        while (more(seen)) {
          await work(seen);
        }
      }
    `,
  'a generator': dedent`
      async function* numbers() {
        let n = 0;
        while (true) yield n++;
      }
      export async function run(seen) {
        for await (const n of numbers()) {
          seen.work = n;
          if (!more(seen)) break;
        }
      }
    `,
};
const MORE = dedent`

  function more(seen) {
    seen.rounds += 1;
    return seen.rounds < 5000;
  }

`;

/** The number of rounds that were done when the immediate ran. */
async function roundsBefore(code: string): Promise<number> {
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { run(seen: { rounds: number }): unknown };
  const seen = { rounds: 0 };
  const immediate = new Promise<number>((resolve) => setImmediate(() => resolve(seen.rounds)));
  await module.run(seen);
  assert.equal(seen.rounds, 5000, 'all rounds are done');
  return immediate;
}

for (const [name, program] of Object.entries(programs)) {
  test(name, async () => {
    const code = program + MORE;
    const { findings, crashes } = lintText({
      file: '/project/src/a.mjs',
      text: code,
      project: PROJECT,
      rules: [rule],
      settings: defaultSettings([rule]),
    });
    assert.deepEqual(crashes, []);
    assert.equal(findings.length, 1, 'one finding');
    assert.equal(await roundsBefore(code), 5000, 'the immediate comes last');
    const fixes = findings.flatMap((finding) => finding.fixes);
    assert.ok(fixes.length > 0, 'a fix is offered');
    for (const fix of fixes) {
      const fixed = applyEdits(code, fix.edits);
      const before = await roundsBefore(fixed);
      assert.ok(
        before < 5000,
        dedent`
        the immediate comes last still, after ${before} rounds:
        ${fixed}
      `,
      );
    }
  });
}
