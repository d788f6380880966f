// Fixes that are worked out later are those that would have been worked out at once.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { rules } from '../../rules/index.ts';
import { analyzeFile, repaired } from '../../workspace/project-index/file-analysis.ts';
import { defineRule, type AnyRule } from '../../analysis/rule.ts';
import type { FileAnalysis } from '../../analysis/run/run.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const RULES = fileURLToPath(new URL('../../rules/', import.meta.url));
const PROJECT = { nodeRange: '>=20', nodeRangeSource: 'a test' };

/** Every `bad.js`, alone and all in one text, where several rules speak and some places have several reports. */
const texts = rules
  .filter(({ create }) => create)
  .map(({ meta: { id: name } }) => [name, readFileSync(join(RULES, name, 'bad.js'), 'utf8')] as const);
const all = [
  ...texts,
  [
    'all of them',
    texts
      .map(
        ([, text], i) => dedent`
    { ${text.replace(/^#!.*|^import .*$|^export /gm, '')}
    /* ${i} */ }
  `,
      )
      .join('\n'),
  ] as const,
];

/** In time. */
function withFixes(...[analysis, request, ids]: Parameters<typeof repaired>): FileAnalysis {
  const found = repaired(analysis, request, ids);
  assert.ok(found);
  return found;
}

/** Reports each call of `slow`, and never comes to the end of its fix. */
const ENDLESS = defineRule<'slow'>({
  meta: {
    ...(rules.find(({ create }) => create) as AnyRule).meta,
    id: 'test/endless',
    messages: { slow: { what: 'w', why: 'y', remedy: 'r' } },
    options: {},
  },
  create: ({ report }) => ({
    CallExpression: (call) =>
      report({
        at: call,
        messageId: 'slow',
        repair: () => {
          for (;;);
        },
      }),
  }),
});

describe('fixes worked out later', () => {
  it('are left out where they take too long', () => {
    const request = { file: '/p/a.js', text: 'slow();', project: PROJECT, rules: [ENDLESS], settings: defaultSettings([ENDLESS]) };
    const first = analyzeFile({ ...request, repairs: false });
    assert.equal(first.findings.length, 1);
    assert.equal(repaired(first, request, new Set([ENDLESS.meta.id]), 100), undefined);
  });

  it('are there', () => {
    const fixes = texts.flatMap(([name, text]) => {
      const request = { file: '/p/a.js', text, project: PROJECT, rules, settings: defaultSettings(rules) };
      const { findings, proposals } = withFixes(analyzeFile({ ...request, repairs: false }), request, new Set([name]));
      return [...findings, ...proposals.map(({ finding }) => finding)].flatMap((finding) => finding.fixes);
    });
    assert.ok(fixes.length >= 5, `${fixes.length} fixes`);
  });

  for (const [name, text] of all) {
    it(`are those worked out at once: ${name}`, () => {
      const request = { file: '/p/a.js', text, project: PROJECT, rules, settings: defaultSettings(rules) };
      const first = analyzeFile({ ...request, repairs: false });
      const whole = analyzeFile({ ...request, repairs: true });
      const ids = rules.map(({ meta }) => meta.id);
      assert.equal(first.issue, undefined);
      assert.deepEqual(first.repaired, []);
      const later = withFixes(first, request, new Set(ids));
      assert.deepEqual(JSON.parse(JSON.stringify(later)), JSON.parse(JSON.stringify(whole)));
      // Rule by rule comes to the same, and leaves the others alone.
      const [one, ...others] = ids;
      const step = withFixes(first, request, new Set([one ?? '']));
      assert.deepEqual(
        step.findings.filter(({ ruleId }) => ruleId !== one),
        first.findings.filter(({ ruleId }) => ruleId !== one),
      );
      assert.deepEqual(JSON.parse(JSON.stringify(withFixes(step, request, new Set(others)))), JSON.parse(JSON.stringify(whole)));
    });
  }
});
