// Each message of a rule has a case in the truth bench, or a reason why no run can give a verdict on it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cases } from '../../bench/truth/cases/index.ts';
import { WITHOUT_VERDICT } from '../../bench/truth/without-verdict.ts';
import { rules } from '../../rules/index.ts';
import { ROOT } from '../../scripts/generate.ts';

const messages = rules.flatMap(({ meta }) => Object.keys(meta.messages).map((message) => `${meta.id} ${message}`));
const covered = new Set(cases.map(({ finding }) => `${finding.ruleId} ${finding.messageId}`));

describe('the truth bench', () => {
  it('has a case for each message, or a reason why it has none', () => {
    assert.deepEqual(
      messages.filter((one) => !covered.has(one) && WITHOUT_VERDICT[one] === undefined),
      [],
      'add a case to bench/truth/cases/, or a row to bench/truth/without-verdict.ts',
    );
  });

  it('has no reason for what has a case, or is no message, and no case of what is no message', () => {
    const known = new Set(messages);
    assert.deepEqual(
      Object.keys(WITHOUT_VERDICT).filter((one) => covered.has(one) || !known.has(one)),
      [],
    );
    assert.deepEqual(
      [...covered].filter((one) => !known.has(one)),
      [],
    );
  });

  it('tells the reasons on its page', () => {
    const page = readFileSync(join(ROOT, 'bench/truth/README.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([\w-]+ \w+)` \| (.+) \|$/gm)].map(([, message, why]) => [message, why]);
    assert.deepEqual(rows, Object.entries(WITHOUT_VERDICT));
  });

  it('has no two cases of a rule with the same name', () => {
    const names = cases.map(({ name, finding }) => `${finding.ruleId}: ${name}`);
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    );
  });
});
