// Threads, processes and pools that are started while a request waits.
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  endOf,
  enclosingFunction,
  enclosingFunctionName,
  isCall,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { defineRule } from '../../analysis/rule.ts';
import { isKept } from '../shared/kept.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { findStart, mayStart } from './starts.ts';

export const rule = defineRule<'thread' | 'process' | 'pool' | 'program'>({
  meta: {
    id: 'no-worker-per-request',
    group: 'event-loop',
    summary: 'Threads and processes that are started on each request instead of once',
    severity: 'warning',
    otherSeverities: ['hint'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      thread: {
        what: '`{{call}}` starts a thread on every {{where}}.',
        why: 'A new thread must load Node and the script first: 19 to 52 ms, whereas a running thread responds in 0.1 ms (Node 18 to 26).{{limit}}',
        remedy: 'Start a pool at startup (`piscina`, or one Worker per core), and pass it the work of each request.',
      },
      process: {
        what: '`{{call}}` starts a Node process on every {{where}}.',
        why: 'A new process must load Node and the script first: 28 to 68 ms, 1 to 2 ms of it on this event loop, whereas a running process responds in 0.1 ms (Node 18 to 26).{{limit}}',
        remedy:
          'Start a pool of threads or processes at startup (`piscina`, or `fork` before the server listens), or put long jobs in a queue.',
      },
      pool: {
        what: '`{{call}}` creates a pool on every {{where}}.',
        why: 'A pool keeps its threads, each of which takes 19 to 52 ms to start (Node 18 to 26). A pool per request starts them all again.',
        remedy: 'Create the pool once, at the top level of a module.',
      },
      program: {
        what: '`{{call}}` starts an interpreter on every {{where}}.',
        why: 'Each one loads its runtime again before the script starts.{{limit}}',
        remedy: 'Keep one running and communicate with it through standard input or a socket, or put the jobs in a queue.',
      },
    },
    options: {},
    forRequestsOnly: true,
    confirmedBy: [{ kind: 'runs', expect: 'the code runs repeatedly while requests are handled' }],
  },
  create({ facts, source, report }) {
    if (!mayStart(source.text)) return {};
    const listen = (call: CallNode): void => {
      const start = findStart(call, facts);
      const request = start && onRequestPath(call, facts);
      if (!start || !request || request.isOnce || isKept(call, facts) || isMadeForPool(call, facts)) return;
      report({
        at: { start: startOf(call), end: endOf(call.callee) },
        messageId: start.starts,
        severity: start.starts === 'program' ? 'hint' : undefined,
        data: { call: start.name, limit: mayBeLimited(call, facts) ? '' : ' Nothing here limits how many run at once.' },
        request,
        functionName: enclosingFunctionName(call),
      });
    };
    return { CallExpression: listen, OptionalCallExpression: listen, NewExpression: listen };
  },
});

/** Names of what lets only some run at a time. */
const LIMITS = /\b(?:acquire|semaphore|mutex|lock|p?limit(?:er)?|throttle|queue|sem)\b/i;

// Characters before the call.
const MOST_READ = 2000;

/** Whether a condition, or something that waits for its turn, stands before the call in its function or those around it. */
function mayBeLimited(call: Node, facts: Facts): boolean {
  let outermost: Node | undefined;
  for (let at = call, fn = enclosingFunction(at); fn; at = fn, fn = enclosingFunction(at)) {
    if (conditionsOn(at, fn).length > 0) return true;
    outermost = fn;
  }
  return (
    outermost !== undefined && LIMITS.test(facts.source.text.slice(Math.max(startOf(outermost), startOf(call) - MOST_READ), startOf(call)))
  );
}

/** The longest chain of functions between the call and the pool. */
const MOST_MAKERS = 2;

/**
 * Whether a pool of the project decides when it runs: `pool({ createWorker: () => createWorker(), size })`. A request then makes one in
 * place of one that has crashed.
 */
function isMadeForPool(call: Node, facts: Facts, steps = 0): boolean {
  const maker = enclosingFunction(call);
  if (!maker) return false;
  const property = maker.type === 'ObjectMethod' ? maker : parentOf(maker);
  if (property?.type === 'ObjectMethod' || property?.type === 'ObjectProperty') {
    const options = parentOf(property);
    const made = options && parentOf(options);
    return isMaker(staticName(property.key, property.computed)) && isCall(made) && made.callee !== options && isPool(made.callee);
  }
  const callers = facts.calls.callersOf(maker);
  return steps < MOST_MAKERS && callers.length > 0 && callers.every(({ edge }) => isMadeForPool(edge.site, facts, steps + 1));
}

const isMaker = (name: string | undefined): boolean => /^(?:create|make|spawn|start|factory)/.test(name ?? '');

function isPool(callee: Node): boolean {
  const node = unwrap(callee);
  return /pool$/i.test((node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined) ?? '');
}
