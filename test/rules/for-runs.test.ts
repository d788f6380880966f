// Hints that readers of unseen applications found right and acted on none: they are not shown until a run has confirmed them, or the user
// has set a severity. What says more than the rule's form is shown.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeptProfile } from '../../protocol/kept-evidence.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { Source } from '../../analysis/module/source.ts';
import { readModule } from '../../analysis/module/text-reader.ts';
import { FindingPlaces } from '../../analysis/run/evidence.ts';
import { lintText, type LintRequest } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { rules } from '../../rules/index.ts';
import { hashOf } from '../../workspace/hash.ts';
import { PROJECT } from '../lsp/texts.ts';

const FILE = '/p/src/app.js';

function lint(text: string, more: Partial<LintRequest> = {}) {
  const { findings, crashes } = lintText({ file: FILE, text, project: PROJECT, rules, settings: defaultSettings(rules), ...more });
  assert.deepEqual(crashes, []);
  return findings;
}

const told = (text: string, more?: Partial<LintRequest>): string[] =>
  lint(text, more).map(({ ruleId, messageId, severity }) => `${ruleId} ${messageId} ${severity}`);

const handler = (body: string): string => `const fs = require('node:fs');
const path = require('node:path');
const app = require('express')();
app.post('/', async (req, res) => { ${body} res.end(); });
app.listen(3000);
`;
const RACE = 'no-unbounded-growth race hint';
const race = (ms: string): string =>
  handler(`await Promise.race([work(req), new Promise((_, reject) => setTimeout(() => reject(new Error('late')), ${ms}))]);`);

const SEARCHED = 'no-quadratic searched hint';
const SEARCH = 'export const join = (rows, records) => rows.map((row) => records.find((one) => one.id === row.id));';

/** `known`: what is known where everything is asked for. `shown`: what is left of that. */
const TEXTS: readonly [name: string, text: string, known: string, shown: boolean][] = [
  ['a timer of some seconds', race('5000'), RACE, false],
  ['a timer of minutes', race('2 * 60_000'), RACE, true],
  ['a timer of unknown length', race('req.body.ms'), RACE, true],
  ['two lists of which one is short as a rule', SEARCH, SEARCHED, false],
  [
    'a list that is copied while something else takes longer',
    `export async function all(rows) { let found = []; for (const row of rows) found = found.concat(await read(row)); return found; }`,
    'no-quadratic copied hint',
    false,
  ],
  [
    'a list that is searched while it grows',
    `export function unique(rows) { const found = []; for (const row of rows) if (!found.includes(row.id)) found.push(row.id); return found; }`,
    'no-quadratic searched hint',
    true,
  ],
  [
    'a queue that waits for each element',
    `export async function run(rows) { while (rows.length > 0) await store(rows.shift()); }`,
    'no-quadratic moved hint',
    false,
  ],
  ['a queue that does not', `export function run(rows) { while (rows.length > 0) store(rows.shift()); }`, 'no-quadratic moved hint', true],
];

describe('hints that only a run can judge', () => {
  for (const [name, text, known, shown] of TEXTS)
    it(`${name}: ${shown ? 'shown' : 'not shown'}`, () => {
      assert.ok(told(text, { forRuns: true }).includes(known), told(text, { forRuns: true }).join('\n'));
      assert.equal(told(text).includes(known), shown, told(text).join('\n'));
    });

  it('are shown to those who set a severity, as the hints that they are', () => {
    const settings = { ...defaultSettings(rules), 'no-quadratic': { severity: 'error' as const, explicit: true, options: {} } };
    assert.deepEqual(told(SEARCH, { settings }), [SEARCHED]);
  });

  it('are warnings once a run has confirmed them, until the code changes', () => {
    const [finding] = lint(SEARCH, { forRuns: true });
    assert.ok(finding);
    const read = readModule(FILE, SEARCH);
    assert.ok(read.ok);
    const project = { ...PROJECT };
    const places = new FindingPlaces(new Facts(new ModuleIndex(read.module.ast), new Source(FILE, SEARCH), project), hashOf);
    const kept = (verdict: 'confirmed' | 'seen', hash: string): LintRequest['evidence'] => ({
      hash: hashOf,
      profiles: [
        {
          file: 'src/app.js',
          node: '24.0.0',
          date: '2026-11-27T00:00:00.000Z',
          verdicts: [{ ...finding, code: places.codeOf(finding.span), hash, verdict, figure: 'grows with the power of 2.0', grounds: [] }],
        } as unknown as KeptProfile,
      ],
    });
    const hash = places.hashAround(finding.span);
    assert.deepEqual(told(SEARCH, { evidence: kept('confirmed', hash) }), ['no-quadratic searched warning']);
    assert.deepEqual(told(SEARCH, { evidence: kept('seen', hash) }), []);
    assert.deepEqual(told(SEARCH, { evidence: kept('confirmed', 'of other code') }), []);
  });

  it('need no comment, and one that is there disables something', () => {
    const text = SEARCH.replace('export', '// nodometer-disable-next-line no-quadratic -- short\nexport');
    assert.deepEqual(told(text), []);
  });
});
