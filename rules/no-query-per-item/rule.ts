// A query or a request for each element of a list, while a request waits.
import { formBesideWrites } from '../../analysis/facts/outside/sent-queries.ts';
import { driverOf, remedyBesideWrites } from '../../analysis/facts/outside/query-remedies.ts';
import { findQuery, type Query } from '../../analysis/facts/queries.ts';
import { isOfGraphql } from '../../analysis/facts/handlers/schema-types.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  enclosingFunctionName,
  endOf,
  isCall,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { defineRule } from '../../analysis/rule.ts';
import { EXPORTS_OPTION, withCallers, type ExportsOption } from '../shared/exported-place.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import {
  elementsAround,
  isForFew,
  isPart,
  isWhereItWarns,
  needsRoundBefore,
  pausesBefore,
  rests,
  usesElement,
  type Elements,
} from '../shared/elements.ts';
import { isHandedOn, isOfOtherFile, mayQueryElsewhere, partsOf, queryOf, queryOfCalled } from './helpers.ts';
import { isBesideMessage, isChangedBeside, isElsewhereForEach, isInOrder } from './one-by-one.ts';
import { Lists } from '../shared/lists.ts';
import { isAboutParent } from './resolvers.ts';

const MAY_REPEAT = /\bfor\b|forEach|\.map|flatMap|reduce|each/;
/** What becomes of the promises of all elements. */
const TOGETHER = {
  all: '`Promise.all` does not combine them into one query.',
  forEach: '`forEach` waits for none of them.',
  map: 'Nothing waits for the promises that `map` returns.',
  other: 'Starting them together does not combine them into one query.',
};

/** https://www.postgresql.org/docs/current/queries-order.html: "If sorting is not chosen, the rows will be returned in an unspecified order" */
const IN_ORDER = ' Then put the rows into the order of the list, if what follows depends on it.';

/** Instead of a request for each element that waits for the one before, and of all of them together. */
const ONE = 'or limit the length of the list';
const ALL = 'limit the length of the list, or send a few at a time (`p-limit`)';

/** What a function of another file may send; the project says what it is. */
const ELSEWHERE: Query = {
  code: -1,
  isWrite: false,
  isHttp: false,
  key: undefined,
  batch: '',
  remedy: '{{remedy}}',
  isBatchedPerTick: false,
};

/**
 * What a function of another file does, by its name. Of 60 such hints in unseen applications, readers would have acted on one that writes, and
 * on one that conditions choose: the rows are few, or each must be written before the next (bench/unseen-applications.md).
 */
const CHANGES =
  /^_?(?:try|maybe)?(?:[Cc]reate|[Ii]nsert|[Aa]dd|[Uu]pdate|[Uu]psert|[Ss]ave|[Ss]et|[Ss]tore|[Ww]rite|[Mm]ark|[Dd]elete|[Rr]emove|[Dd]estroy|[Cc]lear|[Ff]lush|[Ss]ync|[Dd]efer)(?![a-z])|And(?:Save|Store|Upsert|Update|Create|Delete)(?![a-z])/;

export const rule = defineRule<'one' | 'all' | 'http' | 'resolver', ExportsOption>({
  meta: {
    id: 'no-query-per-item',
    group: 'api',
    summary: 'A query or request for each element of a list, on request paths, where one for all would do',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      one: {
        what: '`{{call}}` sends a query for each element of `{{list}}`{{which}}, one after the other, on every {{where}}.',
        why: 'Each query is a round trip to the database, and waits for the one before it. To a mock database on the same machine, 200 round trips took 19 to 24 ms, and one for all elements took 1 to 2 ms (Node 20 to 24). Over a network, each takes longer.',
        remedy: '{{remedy}}',
      },
      all: {
        what: '`{{call}}` sends a query for each element of `{{list}}`{{which}}{{start}}, on every {{where}}.',
        why: '{{together}} The database still gets a query for each element, and they share the connections of the pool with all other requests.',
        remedy: '{{remedy}}',
      },
      http: {
        what: '`{{call}}` sends a request for each element of `{{list}}`{{which}}, on every {{where}}.',
        why: 'Each request is a round trip to the other service.',
        remedy: 'If the service can answer for many at once, send one request. Otherwise, cache its answers, {{otherwise}}.',
      },
      resolver: {
        what: '`{{call}}` sends a {{kind}} in the resolver of `{{field}}`, for one parent. {{lister}} a list of them, and GraphQL runs the resolver once for each element.',
        why: 'If a client selects this field of 100 elements, that is 100 round trips. The resolver sees one element at a time, so it cannot ask for all of them.',
        remedy: 'Load it through a `DataLoader`, one for each request: it collects the keys of all elements, and asks once{{batch}}.',
      },
    },
    options: { exports: EXPORTS_OPTION },
    forRequestsOnly: true,
    unlessOption: 'exports',
    confirmedBy: [{ kind: 'runs', expect: 'the call runs several times for each request, and the request waits for it' }],
  },
  create({ facts, source, options, report: reportAt }) {
    const report = withCallers(reportAt, options, facts);
    if (!(MAY_REPEAT.test(source.text) || isOfGraphql(facts)) || isPageCode(facts)) return {};
    const lists = new Lists(facts);
    // Whoever changes a loop changes all its queries.
    const told = new Set<Node>();
    // One client has all keys: what an iteration does with them belongs together.
    const keyed = new Set<Node>();
    // Several loops of a function that call the same helper: who gives it a form for many changes all of them. Methods are those of a data
    // layer, and ask for other things in each loop.
    const proposed = new Set<string>();
    const listen = (call: CallNode): void => {
      if (call.type === 'NewExpression') return;
      const query = findQuery(call, facts);
      const elements = elementsAround(call, facts);
      if (!elements) {
        tellResolver(call, query);
        return;
      }
      if (told.has(elements.node) || isPart(elements, facts) || rests(call, elements, facts)) return;
      const helper = query ? undefined : queryOf(call, elements, facts);
      const asks = query ?? helper?.query ?? (mayQueryElsewhere(call, elements, facts) ? ELSEWHERE : undefined);
      if (!asks || isForFew(call, elements, facts) || !usesElement(query ? [call] : partsOf(call, facts), elements, facts)) return;
      if (asks.isBatchedPerTick && !elements.isSequential) return;
      if (isWhereItWarns(call, elements, facts) || isBesideMessage(call, asks, elements, facts)) return;
      const sent = helper?.call ?? call;
      if (asks !== ELSEWHERE) {
        if (isElsewhereForEach(call, sent, elements, facts)) return;
        const isCommand = driverOf(asks.code)?.shape === 'command';
        if (isCommand && keyed.has(elements.node)) return;
        if (isChangedBeside(call, asks, sent, elements, facts)) {
          if (isCommand) keyed.add(elements.node);
          return;
        }
      }
      if (!lists.isOpen(elements.list)) return;
      const request = onRequestPath(call, facts);
      if (!request || request.isOnce || needsRoundBefore(call, elements, facts)) return;
      const which = conditionsOn(call, elements.body).length > 0 ? ' for which its conditions hold' : '';
      const form = asks === ELSEWHERE || asks.isWrite || asks.isHttp ? undefined : formBesideWrites(sent, elements.body, facts);
      const remedy = form
        ? remedyBesideWrites(form, asks.batch)
        : `${asks.remedy}${isInOrder(call, asks, elements, facts) ? IN_ORDER : ''}`;
      if (asks === ELSEWHERE && call.callee.type === 'Identifier') {
        const key = `${enclosingFunctionStart(elements.node)} ${facts.source.slice(call.callee)}`;
        if (proposed.has(key)) return;
        proposed.add(key);
      } else if (asks !== ELSEWHERE) told.add(elements.node);
      report({
        at: call,
        messageId: asks.isHttp ? 'http' : elements.isSequential ? 'one' : 'all',
        isForRuns: !options.exports && (which !== '' || asks.isWrite || (asks === ELSEWHERE && CHANGES.test(calledName(call)))),
        data: {
          call: shortName(call, facts),
          list: textOf(elements, facts),
          which,
          // A delay spreads the queries, and makes them no fewer.
          start: pausesBefore(call, elements, facts) ? '' : ', all at once',
          remedy,
          otherwise: elements.isSequential ? ONE : ALL,
          together: TOGETHER[promisesOf(elements, facts)],
        },
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
    const tellResolver = (call: CallNode, query: Query | undefined): void => {
      if (query && (query.isWrite || query.isBatchedPerTick)) return;
      if (!isAboutParent(call, query ? [call] : partsOf(call, facts), facts)) return;
      const helper = query ? undefined : queryOfCalled(call, facts);
      const asks = query ?? helper?.query ?? (isHandedOn(call) && isOfOtherFile(call, facts) ? ELSEWHERE : undefined);
      const request = asks && onRequestPath(call, facts);
      if (!request || request.isOnce || asks.isWrite || asks.isBatchedPerTick) return;
      report({
        at: call,
        messageId: 'resolver',
        data: {
          call: shortName(call, facts),
          kind: asks.isHttp ? 'request' : 'query',
          field: '{{field}}',
          lister: '{{lister}}',
          batch: asks.batch === '' ? '' : `: ${asks.batch}`,
        },
        request: { ...request, isOfElement: true, ...(asks === ELSEWHERE ? { querying: call } : {}) },
        functionName: enclosingFunctionName(call),
        ...(helper ? { related: [{ span: { start: startOf(helper.call), end: endOf(helper.call) }, message: 'the query' }] } : {}),
      });
    };
    return { CallExpression: listen, OptionalCallExpression: listen };
  },
});

function enclosingFunctionStart(node: Node): number {
  const fn = enclosingFunction(node);
  return fn ? startOf(fn) : -1;
}

// Longer expressions get a shorter name.
const MAX_NAME = 40;

function calledName(call: CallNode): string {
  const callee = unwrap(call.callee);
  return (isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined) ?? '';
}

function shortName(call: CallNode, facts: Facts): string {
  const callee = unwrap(call.callee);
  // `rows.update(row).catch(log)`: it is the query that is meant.
  const asked = isMember(callee) && /^(?:then|catch|finally)$/.test(memberName(callee) ?? '') ? unwrap(callee.object) : undefined;
  if (asked && isCall(asked)) return shortName(asked, facts);
  const written = facts.source.slice(callee);
  if (written.length <= MAX_NAME && !/\s/.test(written)) return written;
  return isMember(callee) ? `….${memberName(callee) ?? ''}` : `${written.slice(0, MAX_NAME)}…`;
}

function textOf({ list }: Elements, facts: Facts): string {
  const written = facts.source.slice(unwrap(list)).replaceAll(/\s+/g, ' ');
  return written.length <= MAX_NAME ? written : `${written.slice(0, MAX_NAME)}…`;
}

function promisesOf({ node }: Elements, facts: Facts): keyof typeof TOGETHER {
  const method = isCall(node) && isMember(node.callee) ? memberName(node.callee) : undefined;
  if (method === 'forEach') return 'forEach';
  if (method === 'map' && parentOf(node)?.type === 'ExpressionStatement') return 'map';
  return /\bPromise\.all\b/.test(facts.source.slice(enclosingFunction(node) ?? node)) ? 'all' : 'other';
}
