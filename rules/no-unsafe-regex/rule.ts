// Regular expressions that take forever on a text that a request may send.
import { enclosingFunctionName, type Node } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule } from '../../analysis/rule.ts';
import { RequestData } from '../shared/request-data.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { findSlowness, mayBeSlow, type Slowness } from './super-linear.ts';
import { isHandedOver, isHopelessText, limitOf } from './texts.ts';
import { isInSchema, readConstructed, usesOf, type Expression } from './uses.ts';

type MessageId = 'exponential' | 'polynomial' | 'constant' | 'schema';

// Quadratic ones (`/\s+$/`) are in every program, and take seconds for fifty thousand characters; what grows with the cube does so for two
// thousand (Node 18 to 26).
const WORTH_A_WORD = 3;
// `/([0-9]+)+#/` took 8 to 69 ms for 20 digits, and half of that for each one less: texts limited to fewer than these do no harm.
const HARMLESS_LENGTH = 16;

export const rule = defineRule<MessageId>({
  meta: {
    id: 'no-unsafe-regex',
    group: 'event-loop',
    summary: 'Regular expressions that take forever on a text that a request may send',
    severity: 'warning',
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      exponential: {
        what: 'On every {{where}}, this expression may take forever: each further `{{character}}` in a text that does not match doubles the time, or nearly so.',
        why: '`{{part}}` can be read in many ways, and all of them are tried. Some thirty characters block the event loop for seconds, on every Node from 18 to 26.',
        remedy: 'Write it so that each text can be read in one way only (no repetition in a repetition), or refuse long texts first.',
      },
      polynomial: {
        what: 'On every {{where}}, this expression may take long: the time grows with the power of {{degree}} of how many `{{character}}` the text has.',
        why: '`{{part}}` and what follows it can share the same characters in many ways, and all of them are tried. With the third power two thousand characters block the event loop for seconds, on every Node from 18 to 26.',
        remedy: 'Write it so that each text can be read in one way only, or refuse long texts first.',
      },
      constant: {
        what: 'On every {{where}}, this expression is tried on a text for which it takes forever.',
        why: '`{{part}}` can be read in many ways, and for a run of `{{character}}` as long as here all of them are tried: each further one doubles the time, or nearly so.',
        remedy: 'Write it so that each text can be read in one way only (no repetition in a repetition).',
      },
      schema: {
        what: 'This schema may take forever to check a text: each further `{{character}}` in one that does not match doubles the time, or nearly so.',
        why: '`{{part}}` can be read in many ways, and all of them are tried. Some thirty characters block the event loop for seconds, on every Node from 18 to 26.',
        remedy:
          'Write it so that each text can be read in one way only (no repetition in a repetition), or let the schema refuse long texts first.',
      },
    },
    options: {},
    forRequestsOnly: true,
    confirmedBy: [{ kind: 'loop-delay', expect: 'the event loop stands still while the expression is tried' }],
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
        const isGiven = !isSent && isHandedOver(text, facts);
        if (!isSent && !isGiven && !mayBeKnown(text)) continue;
        slowness ??= findSlowness(expression.pattern, expression.flags) ?? undefined;
        const messageId =
          slowness &&
          (isSent || (isGiven && slowness.degree === 'exponential')
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
  if (degree !== 'exponential' && degree < WORTH_A_WORD) return undefined;
  const limit = limitOf(text, use, facts);
  if (degree === 'exponential') return limit === undefined || limit >= HARMLESS_LENGTH ? 'exponential' : undefined;
  return limit === undefined ? 'polynomial' : undefined;
}

function judgeKnown({ degree, part }: Slowness, text: Node, facts: Facts): MessageId | undefined {
  return degree === 'exponential' && isHopelessText(text, part, facts) ? 'constant' : undefined;
}

function shown(character: string): string {
  return character === ' ' ? 'space' : character === '\n' ? '\\n' : character === '\t' ? '\\t' : character;
}
