// Reads that a request waits for one after the other, although none of them needs the answer of another.
import { enclosingFunctionName, endOf, startOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { AWAITED_WITH } from '../../analysis/profile/awaited-with.ts';
import { defineRule, type Problem } from '../../analysis/rule.ts';
import { EXPORTS_OPTION, withCallers, type ExportsOption } from '../shared/exported-place.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { groupOfList, groupsOfBlock, mustWait, targetOf, type Group, type Member } from './groups.ts';
import { join } from './join.ts';

const WHY =
  'Together, they would take as long as the longest one, instead of the sum of their times. With two reads of 10 ms each, a request took {{apart}} ms, and {{together}} ms when they started together (Node 20 to 26).';

export const rule = defineRule<'pair' | 'inAll', ExportsOption>({
  meta: {
    id: 'no-sequential-await',
    group: 'api',
    summary: 'Queries and requests that wait for each other on request paths, although none needs the result of another',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      pair: {
        what: '{{second}} waits for {{first}}, which it does not need, on every {{where}}.',
        why: WHY,
        remedy: '{{remedy}}',
      },
      inAll: {
        what: '{{second}} waits for {{first}} in the list of a `Promise.all`, on every {{where}}.',
        why: `The \`await\` in the list makes each element wait for the one before it. ${WHY}`,
        remedy: 'Remove the `await` in the list: `Promise.all` waits for all of them.',
      },
    },
    options: { exports: EXPORTS_OPTION },
    forRequestsOnly: true,
    unlessOption: 'exports',
    confirmedBy: [
      { kind: 'runs', expect: 'of the time for which the reads are awaited, all but that of the longest could be saved' },
      { kind: 'time', expect: 'the function takes less time with the fix' },
    ],
  },
  create({ facts, source, options, report: reportAt }) {
    const report = withCallers(reportAt, options, facts);
    if (source.text.indexOf('await') === source.text.lastIndexOf('await') || isPageCode(facts)) return {};
    const tell = (group: Group): void => {
      const [first, second] = group.members;
      if (!first || !second || mustWait(second.read.call, facts)) return;
      const request = onRequestPath(second.read.call, facts);
      if (!request || request.isOnce) return;
      const problem: Problem<'pair' | 'inAll'> = {
        at: second.read.call,
        messageId: group.form === 'all' ? 'inAll' : 'pair',
        data: { call: second.read.name, ...labelsOf(first, second, facts), remedy: remedyFor(first, facts), ...TIMES },
        request,
        functionName: enclosingFunctionName(second.read.call),
        related: group.members.flatMap(({ read: { call } }, i) =>
          i === 1
            ? []
            : [{ span: { start: startOf(call), end: endOf(call) }, message: i === 0 ? AWAITED_WITH.before : AWAITED_WITH.after }],
        ),
        repair: () => join(group, facts),
      };
      if (group.form !== 'all' || !RUNS_IN_SERVERS.test(facts.role)) report(problem);
      // The list itself says that they are meant to run together, whoever runs it.
      else
        reportAt({
          ...problem,
          otherwise: { ...problem, request: undefined, data: { ...problem.data, where: runOf(second.read.call, facts) } },
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

/** Not tests, scripts, and migrations, in which nobody waits. */
const RUNS_IN_SERVERS = /^(?:application|worker)$/;

function runOf(node: Node, facts: Facts): string {
  const name = enclosingFunctionName(node);
  const run = name === undefined ? 'run of this function' : `call of \`${name}\``;
  return facts.chosenPlaces.has(node) ? `${run} that reaches this line` : run;
}

const ALL_AT_ONCE = '`const [a, b] = await Promise.all([…, …])`.';

/** What nothing uses needs no company. */
function remedyFor({ keeper }: Member, facts: Facts): string {
  const target = keeper?.type === 'VariableDeclarator' ? keeper.id : undefined;
  const binding = target?.type === 'Identifier' ? facts.bindings.resolve(target) : undefined;
  return binding && facts.bindings.references(binding).length === 0
    ? `Nothing uses \`${binding.name}\`. Remove it, or start them together: ${ALL_AT_ONCE}`
    : `Start them together: ${ALL_AT_ONCE}`;
}

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
