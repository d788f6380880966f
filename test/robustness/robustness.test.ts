// Nothing that a person, a program or an attacker may put into a file crashes a rule, hangs the run, or gets a fix that breaks it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runWatched, type WatchedResult } from './watched.ts';

const list = (name: string): string => fileURLToPath(new URL(`./lists/${name}.ts`, import.meta.url));

async function holds(name: string, args: readonly string[], atLeast: number): Promise<WatchedResult> {
  const result = await runWatched(list(name), args);
  assert.deepEqual(result.complaints.slice(0, 5), [], `${result.complaints.length} complaints`);
  assert.ok(result.cases >= atLeast, `only ${result.cases} cases of ${name}`);
  return result;
}

/** Longer than a crowded machine takes for any other case of the list that is broken on purpose. */
const SILENCE_MS = 10_000;

// Each waits for a process of its own: two at a time keep two cores busy.
describe('robustness', { concurrency: 2 }, () => {
  it('random programs, sound and injured', async () => {
    const { read, cases } = await holds('generated', ['0', '900'], 1800);
    // The generator is worth something only while most of what it makes is JavaScript.
    assert.ok(read > cases / 2, `only ${read} of ${cases} could be read`);
  });

  it("the rules' own cases, injured", async () => {
    const { findings, fixes } = await holds('rule-cases', ['2'], 300);
    assert.ok(findings > 100 && fixes > 10, `only ${findings} findings and ${fixes} fixes were checked`);
  });

  it('samples and examples cut off at every 50th byte', async () => {
    await holds('truncated', [], 300);
  });

  it('unusual syntax of today, of the past and of the future', async () => {
    await holds('odd-syntax', [], 150);
  });

  it('odd characters and line breaks', async () => {
    await holds('bytes', [], 300);
  });

  it('huge files and deep nesting', async () => {
    await holds('deep', [], 250);
  });

  it('searches through a program that would take every path, never end, or walk the same twice', async () => {
    await holds('searches', [], 50);
  });

  it('deployment files that are broken, hostile or enormous', async () => {
    await holds('deployment', [], 700);
  });

  it('the checks themselves notice crashes, hangs, bad places and bad fixes', async () => {
    const { complaints } = await runWatched(list('broken-on-purpose'), [], SILENCE_MS);
    const all = complaints.join('\n');
    for (const expected of [
      /crash: rule broken crashed: Error: on purpose/,
      /span: broken: span 0-\d+ outside the text/,
      /syntax: broken fix "syntax" breaks the syntax/,
      /comment: broken fix "comment" loses the comment "kept"/,
      /overlap: broken fix "overlap": Error: edits overlap/,
      /hang: silent for 10000 ms, ended/,
    ])
      assert.match(all, expected);
  });
});
