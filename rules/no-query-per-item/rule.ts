// A query or a request for each element of a list, while a request waits.
import { findQuery, type Query } from '../../analysis/facts/queries.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunctionName,
  endOf,
  isMember,
  memberName,
  startOf,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { defineRule } from '../../analysis/rule.ts';
import { EXPORTS_OPTION, withCallers, type ExportsOption } from '../shared/exported-place.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { elementsAround, isForFew, isPart, needsRoundBefore, usesElement, writesToo, type Elements } from './elements.ts';
import { mayQueryElsewhere, queryOf } from './helpers.ts';
import { Lists } from './lists.ts';
import { isResolverOfElement } from './resolvers.ts';

const MAY_REPEAT = /\bfor\b|forEach|\.map|flatMap|reduce|each|resolve/;
const WHY_ALL =
  '`Promise.all` waits for all of them together, but it does not make them one. The database still gets a query for each element, and they share the connections of the pool with all other requests.';

/** What a function of another file may send; the project says what it is. */
const ELSEWHERE: Query = { code: -1, isWrite: false, isHttp: false, batch: '', remedy: '{{remedy}}', isBatchedPerTick: false };

export const rule = defineRule<'one' | 'all' | 'http' | 'resolver', ExportsOption>({
  meta: {
    id: 'no-query-per-item',
    group: 'api',
    summary: 'A query or request for each element of a list, on request paths, where one would do for all of them',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      one: {
        what: '`{{call}}` sends a query for each element of `{{list}}`{{which}}, one after the other, on every {{where}}.',
        why: 'Each query is a trip to the database and back, and the request waits for all of them. To a stand-in for a database on the same machine, 200 trips took 19 to 24 ms, and one for all of them took 1 to 2 ms (Node 20 to 24). Over a network, each trip takes longer.',
        remedy: '{{remedy}}',
      },
      all: {
        what: '`{{call}}` sends a query for each element of `{{list}}`{{which}}, all at once, on every {{where}}.',
        why: WHY_ALL,
        remedy: '{{remedy}}',
      },
      http: {
        what: '`{{call}}` sends a request for each element of `{{list}}`{{which}}, on every {{where}}.',
        why: 'Each request is a trip to the other service and back, and the client waits for all of them.',
        remedy:
          'If the service can answer for many at once, send one request. Otherwise, cache its answers, or limit the length of the list.',
      },
      resolver: {
        what: '`{{call}}` sends a query in a resolver that uses its parent. For a list, GraphQL runs it once for each element.',
        why: 'A list of 100 elements sends 100 queries. GraphQL calls the resolver once for each object, so it cannot ask for all of them.',
        remedy: 'Load it through a `DataLoader`, which collects the keys of all elements and asks once: {{batch}}.',
      },
    },
    options: { exports: EXPORTS_OPTION },
    forRequestsOnly: true,
    unlessOption: 'exports',
    confirmedBy: [{ kind: 'runs', expect: 'the call runs several times for each request, and the request waits for it' }],
  },
  create({ facts, source, options, report: reportAt }) {
    const report = withCallers(reportAt, options, facts);
    if (!MAY_REPEAT.test(source.text) || isPageCode(facts)) return {};
    const lists = new Lists(facts);
    // Whoever changes a loop changes all its queries.
    const told = new Set<Node>();
    const listen = (call: CallNode): void => {
      if (call.type === 'NewExpression') return;
      const query = findQuery(call, facts);
      if (query && tellResolver(call, query)) return;
      const elements = elementsAround(call, facts);
      if (!elements || told.has(elements.node) || isPart(elements, facts)) return;
      const helper = query ? undefined : queryOf(call, elements, facts);
      const asks = query ?? helper?.query ?? (mayQueryElsewhere(call, elements, facts) ? ELSEWHERE : undefined);
      if (!asks || isForFew(call, elements, facts) || !usesElement(query ? [call] : call.arguments, elements, facts)) return;
      if (asks.isBatchedPerTick && !elements.isSequential) return;
      if (!lists.isOpen(elements.list)) return;
      const request = onRequestPath(call, facts);
      if (!request || request.isOnce || needsRoundBefore(call, elements, facts)) return;
      const which = conditionsOn(call, elements.body).length > 0 ? ' for which its conditions hold' : '';
      const remedy =
        asks === ELSEWHERE || asks.isWrite || !writesToo(elements, facts)
          ? asks.remedy
          : `If no iteration changes what a later one reads, read all rows before the loop: ${asks.batch}.`;
      if (asks !== ELSEWHERE) told.add(elements.node);
      report({
        at: call,
        messageId: asks.isHttp ? 'http' : elements.isSequential ? 'one' : 'all',
        data: { call: shortName(call, facts), list: textOf(elements, facts), which, remedy },
        request: asks === ELSEWHERE ? { ...request, querying: call } : request,
        functionName: enclosingFunctionName(call),
        related: [
          {
            span: { start: startOf(elements.node), end: Math.max(startOf(elements.body), startOf(elements.node) + 1) },
            message: 'for each element here',
          },
          ...(helper ? [{ span: { start: startOf(helper.call), end: endOf(helper.call) }, message: 'the query' }] : []),
        ],
      });
    };
    const tellResolver = (call: CallNode, query: Query): boolean => {
      if (query.isHttp || query.isWrite || query.isBatchedPerTick || !isResolverOfElement(call, facts)) return false;
      const request = onRequestPath(call, facts);
      if (!request || request.isOnce) return false;
      report({
        at: call,
        messageId: 'resolver',
        data: { call: shortName(call, facts), batch: query.batch },
        request,
        functionName: enclosingFunctionName(call),
      });
      return true;
    };
    return { CallExpression: listen, OptionalCallExpression: listen };
  },
});

// Longer expressions get a shorter name.
const MAX_NAME = 40;

function shortName(call: CallNode, facts: Facts): string {
  const callee = unwrap(call.callee);
  const written = facts.source.slice(callee);
  if (written.length <= MAX_NAME && !/\s/.test(written)) return written;
  return isMember(callee) ? `….${memberName(callee) ?? ''}` : `${written.slice(0, MAX_NAME)}…`;
}

function textOf({ list }: Elements, facts: Facts): string {
  const written = facts.source.slice(unwrap(list)).replaceAll(/\s+/g, ' ');
  return written.length <= MAX_NAME ? written : `${written.slice(0, MAX_NAME)}…`;
}
