// Threads, processes and pools that are started while a request waits.
import { endOf, enclosingFunctionName, startOf, type CallNode } from '../../analysis/module/ast.ts';
import { defineRule } from '../../analysis/rule.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { findStart, isKept, mayStart } from './starts.ts';

export const rule = defineRule<'thread' | 'process' | 'pool' | 'program'>({
  meta: {
    id: 'no-worker-per-request',
    group: 'event-loop',
    summary: 'Threads and processes that are started for each request instead of once',
    severity: 'warning',
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      thread: {
        what: '`{{call}}` starts a thread on every {{where}}.',
        why: 'A thread has to load Node and the script before it does anything: 19 to 52 ms, where one that is running answers in 0.1 ms (Node 18 to 26). Nothing limits how many run at once.',
        remedy: 'Start a pool at start-up (`piscina`, or as many Workers as there are cores) and hand it the work of each request.',
      },
      process: {
        what: '`{{call}}` starts a Node process on every {{where}}.',
        why: 'A process has to load Node and the script before it does anything: 28 to 68 ms, 1 to 2 ms of them on this event loop, where one that is running answers in 0.1 ms (Node 18 to 26). Nothing limits how many run at once.',
        remedy:
          'Start a pool of threads or processes at start-up (`piscina`, or `fork` before the server listens), or put long jobs into a queue.',
      },
      pool: {
        what: '`{{call}}` makes a pool on every {{where}}.',
        why: 'A pool saves the start of a thread by keeping threads, 19 to 52 ms for each (Node 18 to 26); one that is made for a request starts all of them anew.',
        remedy: 'Make the pool once, at the top level of a module.',
      },
      program: {
        what: '`{{call}}` starts an interpreter on every {{where}}.',
        why: 'What it loads before the first line of the script runs is paid for every time, and nothing limits how many run at once.',
        remedy: 'Keep one running and talk to it over its standard input or a socket, or put the jobs into a queue.',
      },
    },
    options: {},
    forRequestsOnly: true,
    confirmedBy: [{ kind: 'runs', expect: 'the place runs while requests are answered, again and again' }],
  },
  create({ facts, source, report }) {
    if (!mayStart(source.text)) return {};
    const listen = (call: CallNode): void => {
      const start = findStart(call, facts);
      const request = start && onRequestPath(call, facts);
      if (!start || !request || request.isOnce || isKept(call, facts)) return;
      report({
        at: { start: startOf(call), end: endOf(call.callee) },
        messageId: start.starts,
        severity: start.starts === 'program' ? 'hint' : undefined,
        data: { call: start.name },
        request,
        functionName: enclosingFunctionName(call),
      });
    };
    return { CallExpression: listen, OptionalCallExpression: listen, NewExpression: listen };
  },
});
