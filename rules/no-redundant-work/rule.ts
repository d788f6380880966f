// Work that a request waits for twice, or whose result nothing uses.
import {
  contains,
  enclosingFunctionName,
  endOf,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule } from '../../analysis/rule.ts';
import { EXPORTS_OPTION, withCallers, type ExportsOption } from '../shared/exported-place.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { findDropped } from './dropped.ts';
import { below, without } from './remove.ts';
import { findRepeats } from './repeats.ts';
import { isResultOnlyRead, reuse } from './reuse.ts';
import { findInEachRound } from './rounds.ts';
import { lastName, type Work } from './work.ts';

const MAY_WORK =
  /\bawait\b|JSON\.|digest|readFileSync|RegExp|[rR]egex|[cC]ompile|Matcher|makeRe|picomatch|stringify|serialize|slugify|ormalize|scape|ncode|ormat|replace|split|moment|dayjs|ISO|\bsort\b|toSorted/;

export const rule = defineRule<'read' | 'computed' | 'each' | 'early' | 'unused', ExportsOption>({
  meta: {
    id: 'no-redundant-work',
    group: 'api',
    summary: 'The same query, file, or text read, parsed, or hashed twice on one request path, and results that nothing uses',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: {
      read: {
        what: '`{{call}}` repeats the same read as the call above, on every {{where}}.',
        why: 'Nothing between the two changes the query or the data. Each is a round trip, and the request waits for both. A request that read one user twice took 23 to 24 ms, and 12 to 13 ms with one read (a mock database that answers after 10 ms, Node 20 to 24).',
        remedy: 'Keep the first result, and use it here.',
      },
      computed: {
        what: '`{{call}}` repeats the same computation as the call above, on every {{where}}.',
        why: 'Nothing between the two changes its input, and the event loop is blocked meanwhile.',
        remedy: 'Keep the first result, and use it here.',
      },
      each: {
        what: '`{{call}}` does the same for each element of `{{list}}`, on every {{where}}.',
        why: 'Nothing in it depends on the element, and nothing in the loop changes its result.',
        remedy: 'Do it once, before the loop.',
      },
      early: {
        what: '`{{call}}` is awaited on every {{where}}, before `if ({{test}})` may end it without the result.',
        why: 'The condition does not need the result, so rejected requests wait for it, too, and the database works for nothing.',
        remedy: 'Check the condition first, and then send the query.',
      },
      unused: {
        what: 'Nothing uses the result of `{{call}}`, which runs on every {{where}}.',
        why: 'It has no other known effect. The request waits for it, or it blocks the event loop.',
        remedy: 'Remove it, or use its result.',
      },
    },
    options: { exports: EXPORTS_OPTION },
    forRequestsOnly: true,
    unlessOption: 'exports',
    confirmedBy: [
      { kind: 'runs', expect: 'both run for each request, and the share of the second one is measured' },
      { kind: 'time', expect: 'the function takes less time with the fix' },
    ],
  },
  create({ facts, source, options, report: reportAt }) {
    const report = withCallers(reportAt, options, facts);
    if (!MAY_WORK.test(source.text) || isPageCode(facts)) return {};
    const told = new Set<Node>();
    return {
      Program() {
        for (const { first, second } of findRepeats(facts)) {
          if ((isCopy(second, facts) && isCopy(first, facts)) || (second.isByName && !options.exports) || isOfShortText(first, second))
            continue;
          const request = onRequestPath(second.call, facts);
          if (!request || request.isOnce) continue;
          told.add(second.call);
          report({
            at: second.call,
            messageId: isAwaited(second) ? 'read' : 'computed',
            data: { call: second.name },
            request: second.kind === 'elsewhere' ? { ...request, querying: second.call } : request,
            functionName: enclosingFunctionName(second.call),
            related: [{ span: spanOf(first.call), message: 'the first time' }],
            repair: () => reuse({ first, second }, facts),
          });
        }
        for (const { work, loop, list } of findInEachRound(facts)) {
          if (isCopy(work, facts) || (work.isByName && !options.exports)) continue;
          const request = told.has(work.call) ? undefined : onRequestPath(work.call, facts);
          if (!request || request.isOnce) continue;
          told.add(work.call);
          report({
            at: work.call,
            messageId: 'each',
            data: { call: work.name, list: shortText(list, facts) },
            request: work.kind === 'elsewhere' ? { ...request, querying: work.call } : request,
            functionName: enclosingFunctionName(work.call),
            related: [{ span: { start: startOf(loop), end: endOf(list) }, message: 'for each element here' }],
          });
        }
      },
      VariableDeclaration(declaration: t.VariableDeclaration) {
        for (const dropped of findDropped(declaration, facts)) {
          const { work, early } = dropped;
          if (told.has(work.call)) continue;
          const request = onRequestPath(work.call, facts);
          if (!request || request.isOnce) continue;
          report({
            at: work.call,
            messageId: early ? 'early' : 'unused',
            data: { call: work.name, ...(early ? { test: shortText(early.test.test, facts) } : {}) },
            request,
            functionName: enclosingFunctionName(work.call),
            related: early ? [{ span: spanOf(early.exit), message: 'ends without it' }] : [],
            repair: () => (early ? below(dropped, early, facts) : without(dropped, facts)),
          });
        }
      },
    };
  },
});

/** An object that is parsed again is one of its own, to change or to hand on. */
function isCopy({ kind, whole }: Work, facts: Facts): boolean {
  return kind === 'parse' && !isResultOnlyRead(whole, facts);
}

/** `JSON.stringify(data).length < 400 ? JSON.stringify(data) : '…'`: a text of so many characters takes about a microsecond. */
const SHORT_TEXT = 1_000;

function isOfShortText(first: Work, second: Work): boolean {
  if (lastName(first.call) !== 'stringify') return false;
  let from: Node = second.call;
  for (let at = parentOf(from); at && !isFunction(at); from = at, at = parentOf(at)) {
    if ((at.type !== 'ConditionalExpression' && at.type !== 'IfStatement') || at.consequent !== from) continue;
    const test = unwrap(at.test);
    if (test.type !== 'BinaryExpression' || !/^<=?$/.test(test.operator) || !contains(test.left, first.call)) continue;
    const length = unwrap(test.left);
    const most = unwrap(test.right);
    if (isMember(length) && memberName(length) === 'length' && most.type === 'NumericLiteral' && most.value <= SHORT_TEXT) return true;
  }
  return false;
}

function isAwaited({ whole }: Work): boolean {
  return whole.type === 'AwaitExpression';
}

// Longer conditions are shortened.
const MAX_TEST = 40;

function shortText(test: Node, facts: Facts): string {
  const text = facts.source.slice(test).replaceAll(/\s+/g, ' ');
  return text.length <= MAX_TEST ? text : `${text.slice(0, MAX_TEST)}…`;
}

function spanOf(node: Node): { start: number; end: number } {
  return { start: startOf(node), end: endOf(node) };
}
