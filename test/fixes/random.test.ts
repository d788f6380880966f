// Random programs: whatever fix is offered, alone or with all others, the program answers as before. More of them, or others:
// NODOMETER_RANDOM_PROGRAMS=200 NODOMETER_RANDOM_SEED=7 npm run test:only -- fixes/random
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { allFixes, everyFix } from './apply.ts';
import type { Outcome } from './fix-case.ts';
import { randomPrograms } from './random-programs.ts';
import { runPrograms, type Program } from './run-programs.ts';

const COUNT = Number(process.env['NODOMETER_RANDOM_PROGRAMS'] ?? 30);
const SEED = Number(process.env['NODOMETER_RANDOM_SEED'] ?? 1);
/** A program has hundreds of fixes at most; of those, so many are run. */
const MOST_OF_PROGRAM = 8;
const PATIENCE = 5;

interface Pair {
  title: string;
  original: Program;
  fixed: Program;
}

describe('random programs answer the same after their fixes', () => {
  const pairs: Pair[] = [];
  let outcomes: ReadonlyMap<string, Outcome>;

  before(async () => {
    for (const { name, text, manifest, data, requests } of randomPrograms(SEED, COUNT)) {
      const packages: Program['packages'] = manifest?.dependencies?.['express']?.includes('4') ? { express: 'express4' } : {};
      const base = { data, requests, packages };
      const files = new Map([['main.js', text]]);
      const original: Program = { ...base, name, files };
      // The titles of the others warn of what may differ: a file that is missing at startup, and which of several errors comes first.
      const fixes = everyFix(files, manifest).filter(({ named }) => named === undefined);
      const all = allFixes(files, manifest);
      assert.deepEqual(allFixes(all, manifest), all, `another run changes more:\n${[...all.values()].join('\n')}`);
      for (const [index, fix] of fixes.slice(0, MOST_OF_PROGRAM).entries())
        pairs.push({ title: fix.title, original, fixed: { ...base, name: `${name}, fix ${index}`, files: fix.files } });
      if (fixes.length > 0) pairs.push({ title: 'all fixes', original, fixed: { ...base, name: `${name}, all fixes`, files: all } });
    }
    const originals = [...new Set(pairs.map(({ original }) => original))];
    // Nothing in these programs waits for ever, so that patience costs nothing.
    outcomes = await runPrograms([...originals, ...pairs.map(({ fixed }) => fixed)], process.execPath, PATIENCE);
  });

  it('have enough fixes', () => {
    assert.ok(pairs.length >= COUNT, `only ${pairs.length} fixes in ${COUNT} programs`);
  });

  it('answer the same', () => {
    const different = pairs.filter(({ original, fixed }) => !isDeepStrictEqual(outcomes.get(original.name), outcomes.get(fixed.name)));
    const [first] = different;
    if (!first) return;
    const { original, fixed } = first;
    assert.deepEqual(
      outcomes.get(fixed.name),
      outcomes.get(original.name),
      [
        ...different.map((pair) => `${pair.fixed.name}: ${pair.title}`),
        original.files.get('main.js'),
        '--- fixed:',
        fixed.files.get('main.js'),
      ].join('\n'),
    );
  });
});
