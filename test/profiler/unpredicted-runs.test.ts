// What a run sees and no rule predicts, in real profiles of small functions: from the evidence to the exit code and to what is kept.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ProfileReport } from '../../protocol/evidence.ts';
import type { SeenByRun } from '../../protocol/seen-by-run.ts';
import type { EvidenceFile } from '../../protocol/kept-evidence.ts';
import { rules } from '../../rules/index.ts';
import { folderWith, run } from '../cli/support.ts';

const TEXT = dedent`
  'use strict';
  const crypto = require('node:crypto');
  const TEXT = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'row ' + id })));
  /** @profile parsed() */
  function parsed() {
    return JSON.parse(TEXT).length;
  }
  /** @profile derived() */
  function derived() {
    return crypto.pbkdf2Sync('secret', 'salt', 20_000, 32, 'sha256');
  }
  const NUMBERS = Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 300_007);
  /** @profile sorted() */
  function sorted() {
    return NUMBERS.slice().sort((a, b) => a - b)[0];
  }
  const ACTIONS = { add: (n) => n + 1 };
  /** @profile acted('remove', 1) */
  function acted(name, n) {
    try {
      return ACTIONS[name](n);
    } catch {
      return n;
    }
  }
  /** @profile quick([1, 2, 3]) */
  function quick(list) {
    return list.length;
  }
  module.exports = { parsed, derived, sorted, acted, quick };

`;
const EXIT_OK = 0;
const EXIT_FINDINGS = 1;

describe('what a run sees and no rule predicts', () => {
  const folder = folderWith({ 'package.json': '{ "name": "a" }', 'a.js': TEXT });
  after(() => folder.dispose());

  async function profile(name: string, ...more: string[]): Promise<{ report: ProfileReport; code: number }> {
    const { out, err, code } = await run(['profile', `a.js:${name}`, '--yes', '--time', '1', '-f', 'json', ...more], {
      cwd: folder.path,
      rules,
    });
    assert.notEqual(out, '', err);
    return { report: JSON.parse(out) as ProfileReport, code };
  }

  const cases: readonly [name: string, line: number, kind: SeenByRun['kind']][] = [
    ['parsed', 6, 'large-json'],
    ['derived', 10, 'blocking-call'],
    ['sorted', 15, 'block'],
    ['acted', 21, 'exceptions'],
  ];
  for (const [name, line, kind] of cases)
    it(`is a finding on its line: ${kind}`, async () => {
      const { report, code } = await profile(name, '--no-save');
      const own = report.unpredicted?.findings.filter((one) => one.place.line === line) ?? [];
      assert.deepEqual(
        own.map((one) => one.kind),
        [kind],
        JSON.stringify([report.unpredicted, report.problems]),
      );
      assert.ok(own.every(({ cost }) => cost.ns > 0));
      assert.equal(code, EXIT_FINDINGS);
    });

  it('is nothing where nothing costs', async () => {
    const { report, code } = await profile('quick', '--no-save');
    assert.deepEqual(report.unpredicted, { findings: [], remarks: [] });
    assert.equal(code, EXIT_OK);
  });

  it('is kept with the verdicts', async () => {
    await profile('parsed');
    const { profiles } = JSON.parse(readFileSync(join(folder.path, '.nodometer', 'evidence.json'), 'utf8')) as EvidenceFile;
    const [seen] = profiles.flatMap((one) => one.seen ?? []);
    assert.equal(seen?.kind, 'large-json');
    assert.equal(seen?.code, 'return JSON.parse(TEXT).length;');
    assert.equal(seen?.cost.method, 'timed');
  });
});
