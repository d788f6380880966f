// Regular expressions with catastrophic backtracking on text that a request may send.
import { enclosingFunctionName, type Node } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule } from '../../analysis/rule.ts';
import { RequestData } from '../shared/request-data.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { findSlowness, mayBeSlow, type Slowness } from './super-linear.ts';
import { isPassed, isSlowText, limitOf } from './texts.ts';
import { isInSchema, readConstructed, usesOf, type Expression } from './uses.ts';

type MessageId = 'exponential' | 'polynomial' | 'constant' | 'schema';

// Quadratic expressions (`/\s+$/`) are in every program, and take seconds for fifty thousand characters. Cubic ones take seconds for two
// thousand (Node 18 to 26).
const LOWEST_DEGREE = 3;
// `/([0-9]+)+#/` took 8 to 69 ms for 20 digits, and half of that for each digit less. Texts with fewer characters than this are harmless.
const HARMLESS_LENGTH = 16;

export const rule = defineRule<MessageId>({
  meta: {
    id: 'no-unsafe-regex',
    group: 'event-loop',
    summary: 'Regular expressions with catastrophic backtracking on text that a request may send',
    severity: 'warning',
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      exponential: {
        what: 'This regular expression can backtrack exponentially on every {{where}}: each additional `{{character}}` in a text that does not match roughly doubles the time.',
        why: '`{{part}}` can match the same text in many ways, and V8 tries them all. About thirty characters block the event loop for seconds (Node 18 to 26).',
        remedy: 'Rewrite it so that each text can match in only one way (no nested repetition), or reject long texts first.',
      },
      polynomial: {
        what: 'This regular expression can backtrack for a long time on every {{where}}: the time grows with the number of `{{character}}` in the text to the power of {{degree}}.',
        why: '`{{part}}` and what follows it can match the same characters in many ways, and V8 tries them all. At the third power, two thousand characters block the event loop for seconds (Node 18 to 26).',
        remedy: 'Rewrite it so that each text can match in only one way, or reject long texts first.',
      },
      constant: {
        what: 'This regular expression backtracks exponentially on this text on every {{where}}.',
        why: '`{{part}}` can match a run of `{{character}}` in many ways, and V8 tries them all. Each additional one roughly doubles the time.',
        remedy: 'Rewrite it so that each text can match in only one way (no nested repetition).',
      },
      schema: {
        what: 'The pattern of this schema can backtrack exponentially: each additional `{{character}}` in a text that does not match roughly doubles the time.',
        why: '`{{part}}` can match the same text in many ways, and V8 tries them all. About thirty characters block the event loop for seconds (Node 18 to 26).',
        remedy: 'Rewrite it so that each text can match in only one way (no nested repetition), or let the schema reject long texts first.',
      },
    },
    options: {},
    forRequestsOnly: true,
    confirmedBy: [{ kind: 'loop-delay', expect: 'the event loop is blocked while the regular expression runs' }],
  },
  create({ facts, report }) {
    const check = (expression: Expression | undefined): void => {
      if (!expression || !mayBeSlow(expression.pattern)) return;
      if (isInSchema(expression, facts)) {
        const found = facts.isApplication() ? findSlowness(expression.pattern, expression.flags) : undefined;
        if (found?.degree === 'exponential')
          report({ at: expression.node, messageId: 'schema', data: { character: shown(found.character), part: found.part } });
        return;
      }
      const uses = usesOf(expression, facts).filter(({ call }) => onRequestPath(call, facts) !== undefined);
      if (uses.length === 0) return;
      let slowness: Slowness | undefined | null = null;
      for (const { call, text } of uses) {
        const isSent = new RequestData(facts, 'text').isSent(text);
        const isParameter = !isSent && isPassed(text, facts);
        if (!isSent && !isParameter && !mayBeKnown(text)) continue;
        slowness ??= findSlowness(expression.pattern, expression.flags) ?? undefined;
        const messageId =
          slowness &&
          (isSent || (isParameter && slowness.degree === 'exponential')
            ? judge(slowness, text, call, facts)
            : judgeKnown(slowness, text, facts));
        const request = messageId && onRequestPath(call, facts);
        if (!slowness || !messageId || !request || request.isOnce) continue;
        report({
          at: expression.node,
          messageId,
          severity: messageId === 'polynomial' ? 'hint' : undefined,
          data: { character: shown(slowness.character), part: slowness.part, degree: slowness.degree },
          request,
          functionName: enclosingFunctionName(call),
        });
        return;
      }
    };
    return {
      RegExpLiteral(node) {
        check({ node, pattern: node.pattern, flags: node.flags });
      },
      NewExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp') check(readConstructed(node, facts));
      },
    };
  },
});

function mayBeKnown(text: Node): boolean {
  return text.type === 'Identifier' || text.type === 'StringLiteral' || text.type === 'TemplateLiteral';
}

function judge({ degree }: Slowness, text: Node, use: Node, facts: Facts): MessageId | undefined {
  if (degree !== 'exponential' && degree < LOWEST_DEGREE) return undefined;
  const limit = limitOf(text, use, facts);
  if (degree === 'exponential') return limit === undefined || limit >= HARMLESS_LENGTH ? 'exponential' : undefined;
  return limit === undefined ? 'polynomial' : undefined;
}

function judgeKnown({ degree, part }: Slowness, text: Node, facts: Facts): MessageId | undefined {
  return degree === 'exponential' && isSlowText(text, part, facts) ? 'constant' : undefined;
}

function shown(character: string): string {
  return character === ' ' ? 'space' : character === '\n' ? '\\n' : character === '\t' ? '\\t' : character;
}
