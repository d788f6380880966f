// A rule that does everything wrong, to show that the checks can fail.
import { defineRule, type AnyRule } from '../../../analysis/rule.ts';
import type { Edit } from '../../../protocol/finding.ts';
import type { OddCase } from '../child.ts';

const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  syntax: [{ start: 0, end: 1, text: '(' }],
  comment: [{ start: 0, end: 10, text: '' }],
  overlap: [
    { start: 0, end: 3, text: '' },
    { start: 2, end: 4, text: '' },
  ],
};

const broken = defineRule<'report'>({
  meta: {
    id: 'broken',
    group: 'api',
    summary: 'test',
    severity: 'warning',
    proof: 'documented',
    nodeRange: '*',
    fix: 'safe',
    options: {},
    confirmedBy: [],
    messages: { report: { what: 'what', why: 'why', remedy: 'remedy' } },
  },
  create: (context) => ({
    Program(node) {
      const what = context.source.text.split(' ').at(-1) ?? '';
      if (what === 'crash') throw new Error('on purpose');
      // eslint-style "while (true)" loops are what the watchdog is for.
      if (what === 'hang') for (;;);
      if (what === 'span') context.report({ at: { start: 0, end: context.source.text.length + 1 }, messageId: 'report' });
      const edits = EDITS[what];
      if (edits) context.report({ at: node, messageId: 'report', fixes: [{ title: what, kind: 'safe', edits }] });
    },
  }),
});

/** Taken by the child in place of the rule table. */
export const rules: readonly AnyRule[] = [broken];

export function* cases(): Generator<OddCase> {
  for (const what of ['crash', 'span', 'syntax', 'comment', 'overlap', 'hang'])
    yield { name: what, file: '/project/a.js', text: `/* kept */ x; // ${what}` };
}
