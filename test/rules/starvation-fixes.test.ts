// What no-microtask-starvation says, and what its fixes do, seen on the Node that runs this: an immediate that was asked for before the
// work begins
// comes only after it, and with any of the fixes in between. Counted, not timed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits } from '../../analysis/module/edit.ts';
import { lintText } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { rule } from '../../rules/no-microtask-starvation/rule.ts';

const PROJECT = { nodeRange: '>=20', nodeRangeSource: 'the test', root: '/project' };

// Every program counts its rounds in `seen.rounds`, and ends after 5,000 of them.
const programs: Readonly<Record<string, string>> = {
  nextTick:
    'export function run(seen) {\n  return new Promise((resolve) => {\n    function round() {\n      if (!more(seen)) return resolve();\n      process.nextTick(round);\n    }\n    round();\n  });\n}',
  queueMicrotask:
    'export function run(seen) {\n  return new Promise((resolve) => {\n    function round() {\n      if (more(seen)) queueMicrotask(round);\n      else resolve();\n    }\n    round();\n  });\n}',
  'then, as a statement':
    'export function run(seen) {\n  return new Promise((resolve) => {\n    function round() {\n      if (!more(seen)) return resolve();\n      Promise.resolve().then(round);\n    }\n    round();\n  });\n}',
  'then, given back':
    'export function run(seen) {\n  if (!more(seen)) return undefined;\n  return Promise.resolve().then(() => run(seen));\n}',
  'async recursion': 'export async function run(seen) {\n  await null;\n  if (more(seen)) return run(seen);\n}',
  'async recursion after work':
    'async function note(seen) {\n  seen.notes = seen.rounds;\n}\nexport async function run(seen) {\n  await note(seen);\n  if (more(seen)) return run(seen);\n}',
  while: 'export async function run(seen) {\n  while (more(seen)) await null;\n}',
  'while, with work':
    'export async function run(seen) {\n  while (more(seen)) {\n    seen.work = true;\n    await Promise.resolve();\n  }\n}',
  'an async function that never waits':
    'async function work(seen) {\n  seen.work = true;\n}\nexport async function run(seen) {\n  while (more(seen)) {\n    await work(seen);\n  }\n}',
  'a generator':
    'async function* numbers() {\n  let n = 0;\n  while (true) yield n++;\n}\nexport async function run(seen) {\n  for await (const n of numbers()) {\n    seen.work = n;\n    if (!more(seen)) break;\n  }\n}',
};
const MORE = '\nfunction more(seen) {\n  seen.rounds += 1;\n  return seen.rounds < 5000;\n}\n';

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
      assert.ok(before < 5000, `the immediate comes last still, after ${before} rounds:\n${fixed}`);
    }
  });
}
