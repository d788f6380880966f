// An old repository adopts Nodometer as docs/ci.md says: a small one here, one of 1,500 files in `npm run bench:adoption`.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { makeOldRepository } from '../../bench/adoption/old-repository.ts';
import { runScenario } from '../../bench/adoption/scenario.ts';
import { builtIn } from '../built.ts';

/** Of the samples and the examples; fewer would prove little. */
const LEAST_FINDINGS = 50;

describe('adopting Nodometer in an old repository', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-adoption-')));
  after(() => rmSync(work, { recursive: true, force: true }));

  it('takes five commands, and then shows what is new and nothing else', async () => {
    const { command } = await builtIn(join(work, 'dist'));
    const folder = join(work, 'old');
    makeOldRepository(folder, { applications: 1, scripts: 0 });
    const { commands, findings, steps, reformatted } = await runScenario({
      command,
      folder,
      cache: join(work, 'cache'),
      rounds: 0,
      styles: 1,
    });
    assert.equal(commands.length, 5, commands.join('\n'));
    assert.ok(findings >= LEAST_FINDINGS, `${findings} findings`);
    assert.ok(steps.length >= 10);
    assert.deepEqual(
      steps.map(({ name, seen }) => `${name}: ${seen}`),
      steps.map(({ name, promised }) => `${name}: ${promised}`),
    );
    // Most files are formatted in the style of this repository, which is not that of the scenario.
    for (const changed of reformatted) assert.ok(changed > findings / 2, `${changed} files`);
  });
});
