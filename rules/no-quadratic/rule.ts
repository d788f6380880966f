// Work that grows with the square of its input: a list that is searched, copied, counted, or moved whole for each element.
import {
  enclosingFunction,
  enclosingFunctionName,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { groupBy } from '../../analysis/module/group-by.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule, type Problem } from '../../analysis/rule.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { MOST_TOGETHER } from '../shared/together.ts';
import { findCount, findGathering, findReduction, MAY_COPY, type Copy } from './copies.ts';
import { gatherInPlace, searchInSet } from './fixes.ts';
import { findExchange, findJoin, findKeys, type Nested } from './nested.ts';
import { findQueue, MAY_SHIFT } from './queues.ts';
import { findSearch, MAY_SEARCH, type Search } from './searches.ts';
import { roundsAround, waitsInEachRound } from './rounds.ts';
import { changeIn } from './unchanged.ts';
import { Sizes, type Size } from './sizes.ts';

type Message = 'searched' | 'copied' | 'spread' | 'rows' | 'joined' | 'counted' | 'moved' | Nested['kind'];

export const rule = defineRule<Message>({
  meta: {
    id: 'no-quadratic',
    group: 'event-loop',
    summary: 'Lists searched, copied, or moved whole for each element, so that time grows with the square of the input',
    severity: 'warning',
    otherSeverities: ['hint'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      searched: {
        what: '`{{call}}` searches `{{list}}` again for each element of `{{each}}`{{which}}.',
        why: 'The time grows with the product of both lengths: 1,000 elements in each take {{small}} ms, and 10,000 take {{large}} ms (Node 20 to 26). {{stands}}',
        remedy: '{{remedy}}',
      },
      copied: {
        what: '`{{gathered}}` is copied for each element of `{{each}}`{{which}}.',
        why: 'The time grows with the square of the length: 1,000 elements take {{small}} ms, and 10,000 take {{large}} ms (Node 20 to 26).',
        remedy: 'Add to the same array with `push`.',
      },
      spread: {
        what: 'All keys of `{{gathered}}` are copied for each element of `{{each}}`{{which}}.',
        why: 'The time grows with the square of the number of keys: 100 keys take {{small}} ms, and 1,000 take {{large}} ms (Node 20 to 26).',
        remedy: 'Assign to the same object, or use `Object.fromEntries`.',
      },
      rows: {
        what: 'For each row, all keys of `{{gathered}}` are copied for each element of `{{each}}`{{which}}.',
        why: 'The time of each row grows with the square of its columns: 10,000 rows of 10 columns take {{large}} ms, and {{small}} ms if one object is filled (Node 20 to 26).',
        remedy: 'Assign to the same object.',
      },
      joined: {
        what: '`{{gathered}}` is copied whole for each chunk.',
        why: 'The time grows with the square of the size: 16 MB in chunks of 16 KB take {{large}} ms to join this way (Node 20 to 26), and one `Buffer.concat` at the end takes {{small}} ms.',
        remedy: 'Push the chunks to an array, and call `Buffer.concat` once.',
      },
      counted: {
        what: 'All keys of `{{gathered}}` are listed for each element, only to count them.',
        why: 'The time grows with the square of the number of keys: 1,000 keys take {{small}} ms, and 10,000 take {{large}} ms (Node 20 to 26).',
        remedy: 'Keep a counter, or use a `Map` and its `size`.',
      },
      moved: {
        what: '`{{call}}` moves all other elements of `{{list}}` for each one.',
        why: 'V8 avoids that for short arrays: 10,000 elements take {{small}} ms. In an array of 100,000, all are moved, which takes {{large}} ms (Node 20 to 26).',
        remedy: 'Walk the array with an index, or add at the end and reverse once.',
      },
      compared: {
        what: 'Each element of `{{list}}` is compared with each one of `{{each}}`.',
        why: 'The time grows with the product of both lengths: 1,000 elements in each take {{small}} ms, and 10,000 take {{large}} ms (Node 20 to 26). Building and querying a `Map` of 10,000 takes 2 to 3 ms.',
        remedy: 'Build a `Map` of one list, keyed by the compared value, and look the elements up in it.',
      },
      keys: {
        what: 'Each key of `{{list}}` is compared with each key of `{{each}}`.',
        why: 'The inner loop only checks whether a key exists, which takes an object one lookup.',
        remedy: 'Use `Object.hasOwn({{list}}, key)` in the outer loop, or `in` if inherited keys count.',
      },
      exchanged: {
        what: '`{{list}}` is sorted by exchanging elements in nested loops.',
        why: 'The time grows with the square of the length: 1,000 numbers take {{small}} ms, and 10,000 take {{large}} ms (Node 20 to 26), whereas `sort` takes 2 ms.',
        remedy: 'Compute the sort key once for each element, and call `sort`.',
      },
    },
    options: {},
    confirmedBy: [
      { kind: 'runs', expect: 'the code runs while requests are handled, and its share of their time is measured' },
      { kind: 'time', expect: 'the function takes less time with the fix' },
    ],
  },
  create({ facts, source, report }) {
    const { text } = source;
    const maySearch = MAY_SEARCH.test(text);
    const mayCopy = MAY_COPY.test(text);
    const mayShift = MAY_SHIFT.test(text);
    const mayCount = text.includes('Object.');
    const mayNest = MAY_NEST.test(text);
    if (!maySearch && !mayCopy && !mayShift && !mayCount && !mayNest) return {};
    const sizes = new Sizes(facts);
    /** `ids.indexOf(a) - ids.indexOf(b)`: two searches for one reason. */
    const compared = new Set<string>();

    /** Only a request that waits for lists that grow with real use deserves a warning. `whole`: the loop. */
    const tell = (at: Node, whole: Node, size: Size, problem: Omit<Problem<Message>, 'at'>): void => {
      if (!enclosingFunction(at) || !isServerCode()) return;
      const grows = size === 'input' || size === 'some';
      const request = grows ? onRequestPath(whole, facts) : undefined;
      if (grows && (!request || request.isOnce)) return;
      const found: Problem<Message> = { ...problem, at, functionName: enclosingFunctionName(at), severity: 'hint' };
      if (!request || problem.severity === 'hint') report(found);
      else report({ ...found, severity: size === 'some' ? 'hint' : undefined, request, otherwise: found });
    };
    const isServerCode = (): boolean =>
      facts.remember('no-quadratic: code of a server', () => /^(?:application|cli|worker)$/.test(facts.role) && !isPageCode(facts));

    /** Those of the same function that the rule tells of, too. */
    const searchesBeside = ({ call, round }: Search): Search[] => {
      const fn = enclosingFunction(round.node);
      const beside = fn && searchesBy().get(fn);
      return !beside || beside.length > MOST_TOGETHER ? [] : beside.filter((one) => one.call !== call);
    };
    const searchesBy = (): ReadonlyMap<Node | undefined, readonly Search[]> =>
      facts.remember('searches by function', () => {
        const calls = [...facts.module.nodes('CallExpression'), ...facts.module.nodes('OptionalCallExpression')];
        const found = calls.flatMap((one) => findSearch(one, facts, sizes) ?? []);
        const told = found.filter(({ round, size }) => isTold(round.node, size));
        return groupBy(told, ({ round }) => enclosingFunction(round.node));
      });
    const isTold = (whole: Node, size: Size): boolean => {
      const request = size === 'input' || size === 'some' ? onRequestPath(whole, facts) : undefined;
      return request ? !request.isOnce : size !== 'input' && size !== 'some';
    };

    const onCall = (call: t.CallExpression | t.OptionalCallExpression): void => {
      const callee = unwrap(call.callee);
      if (!isMember(callee)) return;
      const search = maySearch ? findSearch(call, facts, sizes) : undefined;
      if (search) {
        const list = nameOf(search.list, source.text);
        const around = parentOf(call);
        const key = around?.type === 'BinaryExpression' ? `${around.start} ${list}` : undefined;
        if (key !== undefined && compared.has(key)) return;
        if (key !== undefined) compared.add(key);
        const waits = waitsInEachRound(search.round, call, facts);
        tell(call, search.round.node, search.size, {
          messageId: 'searched',
          ...(waits && { severity: 'hint' as const }),
          isForRuns: !search.isOwn,
          data: {
            stands: waits ? 'The loop awaits in between, so other requests can run.' : 'It blocks the event loop all the time.',
            call: `${list}.${search.method}`,
            list,
            each: nameOf(search.round.list, source.text),
            which: whichOf(call, search.round.body),
            remedy: remedyFor(search, list, facts),
            ...FIGURES[figureOf(search.method)],
          },
          related: [{ span: { start: search.round.node.start ?? 0, end: search.round.body.start ?? 0 }, message: 'for each element here' }],
          repair: () => searchInSet(search, facts, searchesBeside(search)),
        });
        return;
      }
      const reduction = mayCopy ? findReduction(call, facts, sizes) : undefined;
      if (reduction) return tellCopy(reduction);
      const queue = mayShift ? findQueue(call, facts, sizes) : undefined;
      if (queue) {
        const list = nameOf(queue.list, source.text);
        tell(call, call, queue.size, {
          messageId: 'moved',
          severity: 'hint',
          isForRuns: queue.waits,
          data: { call: source.slice(callee), list, ...FIGURES.moved },
        });
      }
    };
    const tellCopy = (copy: Copy): void => {
      if (copy.size === 'short' || copy.size === 'unknown') return;
      const messageId = copy.isPerRow ? 'rows' : copy.kind === 'object' ? 'spread' : copy.kind === 'bytes' ? 'joined' : 'copied';
      tell(copy.at, copy.reduction ?? copy.at, copy.size, {
        messageId,
        // Up to some thousand elements, copies of arrays are cheap. So is one row.
        ...((copy.kind === 'list' || copy.isPerRow) && { severity: 'hint' as const }),
        // What the loop waits for takes longer.
        isForRuns:
          copy.kind === 'list' && !copy.reduction && roundsAround(copy.at).some((round) => waitsInEachRound(round, copy.at, facts)),
        data: {
          gathered: copy.gathered,
          each: copy.list ? nameOf(copy.list, source.text) : 'the stream',
          which: whichOf(copy.at, roundsAround(copy.at)[0]?.body),
          ...FIGURES[messageId],
        },
        // `Object.fromEntries` would take a third of the time, and assigning a thirtieth.
        repair: () => (copy.isPerRow ? { fixes: [], refused: [] } : gatherInPlace(copy, facts)),
      });
    };
    const tellNested = ({ at, kind, list, each, size, loop }: Nested): void => {
      const data = { list: nameOf(list, source.text), each: nameOf(each, source.text), ...(kind === 'keys' ? {} : FIGURES[kind]) };
      tell(at, loop, size, {
        messageId: kind,
        data,
        related: [{ span: { start: loop.start ?? 0, end: each.end ?? 0 }, message: 'for each element here' }],
      });
    };
    return {
      IfStatement(test) {
        const nested = mayNest ? (findJoin(test, facts, sizes) ?? findKeys(test, facts)) : undefined;
        if (nested) tellNested(nested);
      },
      ForStatement(loop) {
        const nested = mayNest ? findExchange(loop, facts, sizes) : undefined;
        if (nested) tellNested(nested);
      },
      CallExpression: onCall,
      OptionalCallExpression: onCall,
      AssignmentExpression(assignment) {
        const copy = mayCopy || text.includes('Buffer.concat') ? findGathering(assignment, facts, sizes) : undefined;
        if (copy) tellCopy(copy);
      },
      MemberExpression(member) {
        const count = mayCount ? findCount(member, facts, sizes) : undefined;
        if (count && count.size !== 'short')
          tell(count.at, count.round.node, count.size, {
            messageId: 'counted',
            data: { gathered: nameOf(count.object, source.text), ...FIGURES.counted },
          });
      },
    };
  },
});

function whichOf(at: Node, round: Node | undefined): string {
  return round && conditionsOn(at, round).length > 0 ? ' for which its conditions hold' : '';
}

/** Loops in loops need two. */
const MAY_NEST = /\bfor\b|\.forEach\b/;

/** Milliseconds on Node 20 to 26: bench/quadratic.js, in the rule's page. */
const FIGURES = {
  byValue: { small: '1 to 3', large: '210 to 310' },
  byCallback: { small: '5 to 17', large: '220 to 600' },
  every: { small: '6 to 30', large: '590 to 1,900' },
  copied: { small: '2 to 8', large: '100 to 660' },
  spread: { small: '0.2 to 0.3', large: '100 to 280' },
  rows: { small: '1 to 2', large: '37 to 120' },
  joined: { small: '12 to 38', large: '6,600 to 11,000' },
  counted: { small: '2 to 56', large: '6,000 to 11,000' },
  compared: { small: '5 to 7', large: '490 to 570' },
  exchanged: { small: '0.5 to 0.8', large: '48 to 64' },
  moved: { small: '0.6 to 1', large: '680 to 1,200' },
} as const;

function figureOf(method: string): 'byValue' | 'byCallback' | 'every' {
  return method === 'filter' ? 'every' : /^(?:includes|indexOf|lastIndexOf)$/.test(method) ? 'byValue' : 'byCallback';
}

function remedyFor({ method, key, hasMore, list: searched, round }: Search, list: string, facts: Facts): string {
  // An index of the list from before the loop would no longer fit.
  const change = changeIn(round, searched, facts);
  if (change === 'adds') return `The loop also adds to \`${list}\`: keep a \`Set\` or \`Map\` beside it, and add to both.`;
  if (change === 'moves')
    return `The loop also changes \`${list}\`, so an index of it would be outdated: collect the changes, and apply them after the loop.`;
  const by = key === undefined ? '' : ` by \`${key}\``;
  if (hasMore) return `Group \`${list}\`${by} in a \`Map\` before the loop, and search only the group of each element.`;
  if (method === 'includes') return `Build a \`Set\` of \`${list}\` before the loop, and use its \`has\`.`;
  if (method === 'some' && key === undefined) return `Build a \`Set\` of \`${list}\` before the loop, and use its \`has\`.`;
  if (method === 'some') return `Build a \`Set\` of each \`${key}\` before the loop, and use its \`has\`.`;
  if (/^(?:indexOf|lastIndexOf|findIndex|findLastIndex)$/.test(method))
    return `Build a \`Map\` from each element to its index before the loop.`;
  return method === 'filter'
    ? `Group \`${list}\`${by} in a \`Map\` before the loop, and get each group from there.`
    : `Build a \`Map\` of \`${list}\`${by} before the loop, and get each element from there.`;
}

// Longer expressions get a shorter name.
const MAX_NAME = 40;

function nameOf(node: Node, text: string): string {
  const inner = unwrap(node);
  const written = text.slice(inner.start ?? 0, inner.end ?? 0);
  if (written.length <= MAX_NAME && !/\s/.test(written)) return written;
  if (inner.type === 'CallExpression' && isMember(inner.callee))
    return nameOf(memberName(inner.callee)?.startsWith('readdir') ? inner.callee : inner.callee.object, text);
  if (inner.type === 'AwaitExpression') return nameOf(inner.argument, text);
  return `${written.replaceAll(/\s+/g, ' ').slice(0, MAX_NAME)}…`;
}
