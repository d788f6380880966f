// Reads that a request waits for one after the other, although none of them needs the answer of another.
import { enclosingFunctionName, endOf, startOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { AWAITED_WITH } from '../../analysis/profile/timed-calls.ts';
import { defineRule } from '../../analysis/rule.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { groupOfList, groupsOfBlock, mustWait, targetOf, type Group, type Member } from './groups.ts';
import { join } from './join.ts';

const WHY =
  'The request waits for the sum of their times, instead of for the longest one. With two reads of 10 ms each, a request took {{apart}} ms, and {{together}} ms when they started together (Node 20 to 26).';

export const rule = defineRule<'pair' | 'inAll'>({
  meta: {
    id: 'no-sequential-await',
    group: 'api',
    summary: 'Queries and requests that wait for each other on request paths, although none needs the answer of another',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      pair: {
        what: '{{second}} waits for {{first}}, which it does not need, on every {{where}}.',
        why: WHY,
        remedy: 'Start them together: `const [a, b] = await Promise.all([…, …])`.',
      },
      inAll: {
        what: '{{second}} waits for {{first}} in the list of a `Promise.all`, on every {{where}}.',
        why: `The \`await\` in the list makes each element wait for the one before it. ${WHY}`,
        remedy: 'Remove the `await` in the list: `Promise.all` waits for all of them.',
      },
    },
    options: {},
    forRequestsOnly: true,
    confirmedBy: [
      { kind: 'runs', expect: 'of the time for which the reads are awaited, all but that of the longest could be saved' },
      { kind: 'time', expect: 'the function takes less time with the fix' },
    ],
  },
  create({ facts, source, report }) {
    if (source.text.indexOf('await') === source.text.lastIndexOf('await') || isPageCode(facts)) return {};
    const tell = (group: Group): void => {
      const [first, second] = group.members;
      if (!first || !second || mustWait(second.read.call, facts)) return;
      const request = onRequestPath(second.read.call, facts);
      if (!request || request.isOnce) return;
      report({
        at: second.read.call,
        messageId: group.form === 'all' ? 'inAll' : 'pair',
        data: { call: second.read.name, ...labelsOf(first, second, facts), ...TIMES },
        request,
        functionName: enclosingFunctionName(second.read.call),
        related: group.members.flatMap(({ read: { call } }, i) =>
          i === 1
            ? []
            : [{ span: { start: startOf(call), end: endOf(call) }, message: i === 0 ? AWAITED_WITH.before : AWAITED_WITH.after }],
        ),
        repair: () => join(group, facts),
      });
    };
    const listen = (list: t.ObjectExpression | t.ArrayExpression): void => {
      // Most lists await nothing.
      if (!(list.type === 'ArrayExpression' ? list.elements : list.properties).some(isAwaited)) return;
      const group = groupOfList(list, facts);
      if (group) tell(group);
    };
    return {
      BlockStatement(block) {
        for (const group of groupsOfBlock(block, facts)) tell(group);
      },
      ArrayExpression: listen,
      ObjectExpression: listen,
    };
  },
});

/** Of a request, as the oracle measured them. */
const TIMES = { apart: '22 to 26', together: '12 to 14' };

/** `orders` and `users` by what keeps their answers, or else by what is called. */
function labelsOf(first: Member, second: Member, facts: Facts): { first: string; second: string } {
  const labels = [first, second].map(({ keeper, read }) => {
    const target = keeper && facts.source.slice(targetOf(keeper)).split(':')[0];
    return target !== undefined && /^[\w$.]{1,40}$/.test(target) ? target : read.name;
  });
  const [one = '', other = ''] = labels[0] === labels[1] ? [first.read.name, second.read.name] : labels;
  return one === other ? { first: `another \`${one}\``, second: `\`${other}\`` } : { first: `\`${one}\``, second: `\`${other}\`` };
}

function isAwaited(part: Node | null): boolean {
  const value = part?.type === 'ObjectProperty' ? part.value : part;
  return value !== null && value !== undefined && unwrap(value).type === 'AwaitExpression';
}
