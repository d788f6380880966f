// Deep copies that nobody needs: of what is only read, of what is changed at its top level, of what nobody else has.
import { enclosingFunctionName, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { defineRule } from '../../analysis/rule.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { findClone, mayClone } from './clones.ts';
import { needlessCopy } from './needless.ts';
import { remedyFor } from './remedy.ts';

const WHY =
  'A deep copy visits every object and string, and blocks the event loop meanwhile. For 1,000 records (114 kB as JSON), it takes 0.9 to 1.9 ms. A copy of the list alone takes 1 to 2.3 µs (Node 18 to 26).';

export const rule = defineRule<'read' | 'shallow' | 'fresh'>({
  meta: {
    id: 'no-deep-clone',
    group: 'api',
    summary: 'Deep copies, on request paths, of values that are only read, changed only at the top level, or used by nothing else',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      read: {
        what: '`{{call}}` makes a deep copy of `{{value}}` on every {{where}}, but the copy is only read.',
        why: WHY,
        remedy: 'Use the value itself.',
      },
      shallow: {
        what: '`{{call}}` makes a deep copy of `{{value}}` on every {{where}}, but only the top level of the copy is changed.',
        why: WHY,
        remedy: 'Copy the top level only: `{ ...value }` for an object, `[...list]` for a list.',
      },
      fresh: {
        what: '`{{call}}` makes a deep copy of what `{{maker}}` has just returned, on every {{where}}, and nothing else uses the original.',
        why: WHY,
        remedy: 'Use the value itself.',
      },
    },
    options: {},
    forRequestsOnly: true,
    confirmedBy: [
      { kind: 'runs', expect: 'the copy is made for each request, and its time is measured' },
      { kind: 'time', expect: 'the function takes less time with the fix' },
    ],
  },
  create({ facts, source, report }) {
    if (!mayClone(source.text) || isPageCode(facts)) return {};
    const shortText = (node: Node): string => {
      const text = source.slice(node).replaceAll(/\s+/g, ' ');
      return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
    };
    const listen = (call: CallNode): void => {
      const clone = findClone(call, facts);
      const needless = clone && needlessCopy(clone, facts);
      const request = needless && onRequestPath(call, facts);
      if (!needless || !request || request.isOnce) return;
      const { kind } = needless;
      report({
        at: call,
        messageId: kind,
        data: {
          call: needless.clone.name,
          ...(kind === 'fresh' ? { maker: needless.source.maker ?? '' } : { value: shortText(needless.clone.source) }),
        },
        request,
        functionName: enclosingFunctionName(call),
        repair: () => remedyFor(needless, facts),
      });
    };
    return { CallExpression: listen, OptionalCallExpression: listen };
  },
});

// Longer texts are shortened.
const MAX_TEXT = 40;
