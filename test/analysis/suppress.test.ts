// Comments that silence findings, and the reports about comments that silence nothing.
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { defineRule, type AnyRule } from '../../analysis/rule.ts';
import { lintDeployment, lintText } from '../../analysis/run/run.ts';
import { defaultSettings, type RuleSettings } from '../../analysis/run/rule-settings.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** Reports every call of a function named like the rule. */
function callRule(id: string): AnyRule {
  return defineRule<'call'>({
    meta: {
      id,
      group: 'api',
      summary: 'test',
      severity: 'warning',
      proof: 'documented',
      nodeRange: '*',
      fix: 'none',
      options: {},
      confirmedBy: [],
      messages: { call: { what: 'call', why: 'why', remedy: 'remedy' } },
    },
    create: (context) => ({
      CallExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === id) context.report({ at: node, messageId: 'call' });
      },
    }),
  });
}

const RULES = [callRule('one'), callRule('two')];

function lint(
  text: string,
  settings: RuleSettings = defaultSettings(RULES),
  reportUnusedDisables = true,
): { found: string[]; suppressed: number } {
  const result = lintText({
    file: '/p/a.js',
    text,
    project: { nodeRange: '>=18', nodeRangeSource: 'the test' },
    rules: RULES,
    settings,
    reportUnusedDisables,
  });
  assert.equal(result.issue, undefined);
  assert.deepEqual(result.crashes, []);
  const line = (offset: number): number => text.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/).length;
  return {
    found: result.findings.map(
      (finding) => `${finding.ruleId === 'nodometer-disable' ? finding.messageId : finding.ruleId}:${line(finding.span.start)}`,
    ),
    suppressed: result.silenced.length,
  };
}

test('without comments everything is found', () => {
  assert.deepEqual(lint('one();\ntwo();'), { found: ['one:1', 'two:2'], suppressed: 0 });
});

test('silences what a comment names, where it says so', () => {
  const table: readonly [name: string, text: string, found: string[], suppressed: number][] = [
    [
      'next line',
      dedent`
      // nodometer-disable-next-line one
      one();
      one();
    `,
      ['one:3'],
      1,
    ],
    [
      'next line, with a reason',
      dedent`
      // nodometer-disable-next-line one -- start-up only
      one();
    `,
      [],
      1,
    ],
    ['next line, as a block', '/* nodometer-disable-next-line one */\none();', [], 1],
    [
      'next line after a block of several lines',
      dedent`
      /* nodometer-disable-next-line one
       -- because
      */
      one();
    `,
      [],
      1,
    ],
    ['next line, several rules', '// nodometer-disable-next-line one, two\none(); two();', [], 2],
    ['next line, all rules', '// nodometer-disable-next-line\none(); two();', [], 2],
    ['next line, all rules, with a reason', '// nodometer-disable-next-line -- known\none(); two();', [], 2],
    ['next line, CRLF', '// nodometer-disable-next-line one\r\none();\r\none();', ['one:3'], 1],
    ['next line, lone CR', '// nodometer-disable-next-line one\rone();\rone();', ['one:3'], 1],
    ['same line', 'one(); // nodometer-disable-line one\none();', ['one:2'], 1],
    ['same line, another rule', 'one(); two(); // nodometer-disable-line two', ['one:1'], 1],
    [
      'whole file',
      dedent`
      /* nodometer-disable one */
      one();
      one();
      two();
    `,
      ['two:4'],
      2,
    ],
    [
      'whole file, as a line comment',
      dedent`
      // nodometer-disable
      one();
      two();
    `,
      [],
      2,
    ],
    [
      'only what comes after it',
      dedent`
      one();
      /* nodometer-disable one */
      one();
    `,
      ['one:1'],
      1,
    ],
    [
      'a stretch',
      dedent`
      /* nodometer-disable one */
      one();
      /* nodometer-enable one */
      one();
    `,
      ['one:4'],
      1,
    ],
    [
      'a stretch ended for all rules',
      dedent`
      /* nodometer-disable one */
      one();
      /* nodometer-enable */
      one();
    `,
      ['one:4'],
      1,
    ],
    [
      'a stretch not ended by another rule',
      dedent`
      /* nodometer-disable one */
      one();
      /* nodometer-enable two */
      one();
    `,
      [],
      2,
    ],
    [
      'two stretches',
      dedent`
      /* nodometer-disable */one();/* nodometer-enable */
      one();
      /* nodometer-disable */
      two();
    `,
      ['one:2'],
      2,
    ],
    ['JSDoc star', '/** nodometer-disable one */\none();', [], 1],
  ];
  for (const [name, text, found, suppressed] of table) assert.deepEqual(lint(text), { found, suppressed }, name);
});

test('text that only looks like a comment silences nothing', () => {
  assert.deepEqual(lint('"// nodometer-disable-line one"; one();').found, ['one:1']);
  assert.deepEqual(lint('one(); // see nodometer-disable-line one').found, ['one:1']);
  assert.deepEqual(lint('one(); // nodometer-disable-lines one').found, ['one:1']);
});

test('reports comments that silence nothing', () => {
  assert.deepEqual(lint('// nodometer-disable-next-line one\ntwo();').found, ['unusedDisable:1', 'two:2']);
  assert.deepEqual(lint('// nodometer-disable-next-line one, two\ntwo();').found, ['unusedDisable:1']);
  assert.deepEqual(lint('// nodometer-disable\na();').found, ['unusedDisable:1']);
  assert.deepEqual(lint('// nodometer-disable-next-line three\none();').found, ['unknownRule:1', 'one:2']);
  assert.deepEqual(lint('/* nodometer-enable one */\none();').found, ['one:2']);
  assert.deepEqual(lint('// nodometer-disable-next-line one\ntwo();', undefined, false).found, ['two:2']);
});

test('does not report a comment for a rule that is off', () => {
  const settings = { ...defaultSettings(RULES), one: { severity: 'off' as const, explicit: true, options: {} } };
  assert.deepEqual(lint('// nodometer-disable-next-line one\none();', settings).found, []);
});

test('a comment used by one of two disables is not reported', () => {
  const { found, suppressed } = lint(dedent`
    /* nodometer-disable one */
    // nodometer-disable-next-line one
    one();
  `);
  assert.equal(suppressed, 1);
  assert.deepEqual(found, ['unusedDisable:2']);
});

describe('comments in deployment files', () => {
  const rule = defineRule<'found'>({
    meta: {
      id: 'no-word',
      group: 'config',
      summary: 'Words',
      severity: 'warning',
      proof: 'documented',
      nodeRange: '*',
      fix: 'none',
      options: {},
      confirmedBy: [],
      messages: { found: { what: 'A', why: 'B', remedy: 'C' } },
    },
    checkDeployment: ({ project, report }) => {
      for (const file of project.files)
        for (const match of file.text.matchAll(/WORD/g))
          report({ file, at: { start: match.index, end: match.index + 4 }, messageId: 'found' });
    },
  });
  const lint = (path: string, text: string) =>
    lintDeployment(
      { root: '/p', info: { nodeRange: '*', nodeRangeSource: '' }, files: [{ path, kind: 'dockerfile', text }], readText: () => undefined },
      [rule],
      defaultSettings([rule]),
    ).findings.map((finding) => `${finding.ruleId} ${finding.span.start}`);

  it('silence the next line, the line, a stretch', () => {
    assert.deepEqual(
      lint(
        '/p/Dockerfile',
        dedent`
      # nodometer-disable-next-line no-word -- on purpose
      RUN WORD

    `,
      ),
      [],
    );
    assert.deepEqual(lint('/p/Dockerfile', 'RUN WORD # nodometer-disable-line\n'), []);
    assert.deepEqual(
      lint(
        '/p/Dockerfile',
        dedent`
      # nodometer-disable no-word
      WORD
      # nodometer-enable
      WORD

    `,
      ),
      ['no-word 52'],
    );
  });

  it('are reported when they silence nothing, but not in a module, which is linted as one as well', () => {
    assert.deepEqual(
      lint(
        '/p/Dockerfile',
        dedent`
      WORD
      # nodometer-disable-line no-word

    `,
      ),
      ['no-word 0', 'nodometer-disable 5'],
    );
    assert.deepEqual(lint('/p/ecosystem.config.js', '// nodometer-disable-line no-word\n'), []);
  });
});
