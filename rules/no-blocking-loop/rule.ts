// Computations that block the event loop while requests wait: busy waits, very long loops, loops whose length a request sets, exponential
// recursion.
import {
  endOf,
  enclosingFunctionName,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { isAlwaysTrue } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule, type Span } from '../../analysis/rule.ts';
import { RequestData } from '../shared/request-data.ts';
import { onRequestPath, type RequestPlace } from '../shared/request-place.ts';
import { isLimited } from './limits.ts';
import { MESSAGES, type MessageId } from './messages.ts';
import { callCount, callsFromOutside, findDoubling, looksDoubling, type Doubling } from './recursion.ts';
import { yieldsOrEnds, isEndless, LONG_MS, NOTABLE_MS, readCount, roundsOf, type CountingLoop } from './rounds.ts';
import { findWait, mayWait } from './waits.ts';

interface Found {
  messageId: MessageId;
  data: Record<string, string>;
  severity?: 'hint';
  request: RequestPlace;
}

/** Numbers of five or more digits (loops may be nested), powers and shifts. Loops without one are not long. */
const BIG_NUMBER = /\d{5}|\d_\d{3}_\d|\de\d|\*\*|<<|MAX_SAFE_INTEGER|\d\s*\*\s*\d/i;
const SENT_WORD =
  /\b(?:query|params?|body|headers|searchParams|queryStringParameters|pathParameters|event|payload|input|args|message|data)\b|@(?:Query|Param|Body)\b/;

export const rule = defineRule<MessageId>({
  meta: {
    id: 'no-blocking-loop',
    group: 'event-loop',
    summary:
      'Loops and recursion that block the event loop while requests wait: busy waits, millions of iterations, iteration counts set by the request',
    severity: 'warning',
    otherSeverities: ['hint'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: MESSAGES,
    options: {},
    forRequestsOnly: true,
    confirmedBy: [{ kind: 'loop-delay', expect: 'the event loop is blocked for as long as the loop runs' }],
  },
  create({ facts, source, report }) {
    const search = new Search(facts, {
      clock: mayWait(source.text),
      numbers: BIG_NUMBER.test(source.text),
      sent: SENT_WORD.test(source.text),
    });
    const checkLoop = (loop: CountingLoop): void => {
      const found = search.find(loop);
      // Of nested loops, the outermost is reported.
      if (!found || hasFoundAround(loop, search)) return;
      report({ at: headOf(loop), ...found, functionName: enclosingFunctionName(loop) });
    };
    const checkDoubling = (node: t.BinaryExpression | t.LogicalExpression): void => {
      const doubling = looksDoubling(node) ? findDoubling(node, facts) : undefined;
      if (!doubling) return;
      const sites = callsFromOutside(doubling, facts);
      for (const site of sites.length > 0 ? sites : [node]) {
        const request = onRequestPath(site, facts);
        const problem = request && describeDoubling(doubling, site, facts);
        if (problem && !request.isOnce) report({ at: site, ...problem, request, functionName: enclosingFunctionName(site) });
      }
    };
    return {
      ForStatement: checkLoop,
      WhileStatement: checkLoop,
      DoWhileStatement: checkLoop,
      BinaryExpression: checkDoubling,
      LogicalExpression: checkDoubling,
    };
  },
});

class Search {
  readonly #facts: Facts;
  readonly #may: { clock: boolean; numbers: boolean; sent: boolean };
  readonly #known = new Map<Node, Found | undefined>();

  constructor(facts: Facts, may: { clock: boolean; numbers: boolean; sent: boolean }) {
    this.#facts = facts;
    this.#may = may;
  }

  find(loop: CountingLoop): Found | undefined {
    if (!this.#known.has(loop)) this.#known.set(loop, this.#look(loop));
    return this.#known.get(loop);
  }

  #look(loop: CountingLoop): Found | undefined {
    const problem = this.#problemOf(loop);
    const request = problem && onRequestPath(loop, this.#facts);
    if (!problem || !request || request.isOnce || (problem.messageId === 'requested' && isLimited(problem.bound, loop, this.#facts)))
      return undefined;
    return { messageId: problem.messageId, data: problem.data, severity: problem.severity, request };
  }

  #problemOf(loop: CountingLoop): { messageId: MessageId; data: Record<string, string>; severity?: 'hint'; bound: Node } | undefined {
    const facts = this.#facts;
    const bound = loop.test ?? loop;
    const hasEnd = loop.test != null && !isAlwaysTrue(loop.test);
    const wait = this.#may.clock ? findWait(loop, facts) : undefined;
    // Shorter than what counts as a delay.
    if (wait)
      return wait.ms !== undefined && wait.ms < LONG_MS
        ? undefined
        : { messageId: 'waits', data: { time: wait.ms === undefined ? '' : ` for ${amount(wait.ms)} ms` }, bound };
    if (!hasEnd) return isEndless(loop) ? { messageId: 'endless', data: {}, bound } : undefined;
    if ((!this.#may.numbers && !this.#may.sent) || isOverList(loop)) return undefined;
    if (this.#may.numbers) {
      const rounds = roundsOf(loop, facts);
      if (rounds)
        return rounds.ms < NOTABLE_MS
          ? undefined
          : {
              messageId: 'long',
              data: { rounds: amount(rounds.rounds), time: duration(rounds.ms) },
              severity: rounds.ms < LONG_MS ? 'hint' : undefined,
              bound,
            };
    }
    if (!this.#may.sent) return undefined;
    const count = readCount(loop, facts);
    if (!count || count.step > MAX_STEP || yieldsOrEnds(loop) || !new RequestData(facts, 'any').isSent(count.bound)) return undefined;
    return { messageId: 'requested', data: { bound: shortText(facts.source.slice(count.bound)) }, bound: count.bound };
  }
}

// A loop with larger steps processes chunks of that size.
const MAX_STEP = 16;

/** `for (let i = 0; i < list.length; i++)`: most loops. The size of a request limits the list. */
function isOverList({ test }: CountingLoop): boolean {
  const node = test && unwrap(test);
  if (node?.type !== 'BinaryExpression') return false;
  return [node.left, node.right].some((side) => isMember(side) && /^(?:length|size|byteLength)$/.test(memberName(side) ?? ''));
}

function hasFoundAround(loop: Node, search: Search): boolean {
  for (let at = parentOf(loop); at && !isFunction(at); at = parentOf(at)) {
    if (isLoop(at) && at.type !== 'ForOfStatement' && at.type !== 'ForInStatement' && search.find(at)) return true;
  }
  return false;
}

// `fib(30)`, 2.7 million calls, took 8 to 15 ms on Node 18 to 26. Fewer calls are no notable delay.
const MANY_CALLS = 2.5e6;

function describeDoubling(
  doubling: Doubling,
  site: Node,
  facts: Facts,
): { messageId: MessageId; data: Record<string, string> } | undefined {
  const call = site === doubling.at ? shortText(facts.source.slice(doubling.at.left)) : shortText(facts.source.slice(site));
  if (doubling.isList) {
    // Most lists are short. Only the length of one that a request sends is up to others.
    const list = site.type === 'CallExpression' ? site.arguments[doubling.index] : undefined;
    const isSent = list !== undefined && new RequestData(facts, 'any').isSent(list) && !isLimited(list, site, facts);
    return isSent ? { messageId: 'doublingList', data: { call } } : undefined;
  }
  const calls = site === doubling.at ? undefined : callCount(doubling, site, facts);
  if (calls !== undefined) return calls < MANY_CALLS ? undefined : { messageId: 'doubling', data: { call, calls: amount(calls) } };
  const argument = site.type === 'CallExpression' ? site.arguments[doubling.index] : undefined;
  return argument && isLimited(argument, site, facts) ? undefined : { messageId: 'doublingRequested', data: { call } };
}

/** A loop without its body. */
function headOf(loop: CountingLoop): Span {
  const start = startOf(loop);
  if (loop.type === 'DoWhileStatement') return { start, end: start + 'do'.length };
  return { start, end: loop.type === 'WhileStatement' ? endOf(loop.test) + 1 : headEnd(loop) };
}

function headEnd(loop: t.ForStatement): number {
  return Math.max(startOf(loop) + 'for'.length, startOf(loop.body) - (loop.body.type === 'EmptyStatement' ? 0 : 1));
}

function amount(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}

function duration(ms: number): string {
  // Rounded down, because it is the minimum.
  if (ms < LONG_MS) return `${Math.floor(ms * 10) / 10} ms`;
  return ms < 1000 ? `${Math.floor(ms)} ms` : `${amount(Math.floor(ms / 1000))} s`;
}

// Longer expressions are cut, because a message is one line.
const MAX_TEXT = 40;

function shortText(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}
