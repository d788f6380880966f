// What each request adds to something that outlives it, and nothing takes away.
import {
  endOf,
  enclosingFunction,
  enclosingFunctionName,
  functionName,
  startOf,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule, type Problem, type Span } from '../../analysis/rule.ts';
import { isPageCode } from '../shared/page-code.ts';
import { isInDevelopmentBranch, onRequestPath } from '../shared/request-place.ts';
import { addedByAssignment, addedByCall, type Addition } from './additions.ts';
import { findEndlessTimer, findListener } from './listeners.ts';
import { findRace, isAtTheEnd, type Race } from './races.ts';
import { findReconnect } from './reconnects.ts';
import { isSessionWithoutStore } from './sessions.ts';
import { findSocketListener } from './sockets.ts';
import { findUnread } from './unread.ts';

const MAY_GROW =
  /\.(?:pipe|push|unshift|set|add|on|once|setTimeout|addListener|prependListener|addEventListener)\(|\]\s*(?:\|\||\?\?|[-+*])?=(?!=)|\bsetInterval\b|\.race\(|express-session/;

/** What a timer or a loop of the program leaves behind grows as long as the program runs. */
const FOR_LONG = { listsAll: 'background' } as const;

type MessageId =
  | 'entries'
  | 'keys'
  | 'listener'
  | 'otherListener'
  | 'socket'
  | 'timer'
  | 'overwritten'
  | 'reconnect'
  | 'race'
  | 'sessions'
  | 'unread';

export const rule = defineRule<MessageId>({
  meta: {
    id: 'no-unbounded-growth',
    group: 'api',
    summary: 'Entries, listeners, and timers that each request adds to long-lived objects, and that nothing removes',
    severity: 'warning',
    isPrediction: true,
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      entries: {
        what: '`{{name}}` gets another entry on every {{where}}, and nothing removes one.',
        why: 'What is added stays in memory until the process ends.',
        remedy: 'Keep only the last entries, remove them when they are no longer needed, or put them into a database.',
      },
      keys: {
        what: 'Every {{where}} may add another key to `{{name}}`, and nothing removes one.',
        why: 'Nothing here limits how many keys there are. Each entry stays in memory until the process ends.',
        remedy:
          'Limit the number of entries (such as with `lru-cache`), remove them after a while, or use a `WeakMap` if the keys are objects.',
      },
      listener: {
        what: '`{{name}}` gets another listener for `{{event}}` on every {{where}}, and nothing removes it.',
        why: 'The listener keeps everything that it uses of the request in memory, and each `{{event}}` runs every listener that was ever added.',
        remedy:
          "Add one listener when the server starts. If each request needs its own, remove it when the request ends, with the function that was added: `{{name}}.off('{{event}}', listener)`.",
      },
      otherListener: {
        what: 'The listener for `{{event}}` that every {{where}} adds to `{{name}}` is not the function that is removed.',
        why: 'Only the function that was added can be removed. A function that is created or bound again is a different one, so every listener stays.',
        remedy: 'Keep the function in a variable, and pass this variable to both calls.',
      },
      timer: {
        what: '`setInterval` starts another timer on every {{where}}, and nothing stops it.',
        why: 'Each timer runs until the process ends, and keeps everything that it uses of the request in memory.',
        remedy: 'Start one timer when the server starts, or keep the handle and call `clearInterval` when the request or connection ends.',
      },
      socket: {
        what: '`{{name}}` gets another listener for `{{event}}` on every {{where}}, and nothing removes it.',
        why: 'HTTP reuses the socket for later requests, and each past one leaves 2.2 to 2.8 KB in memory (Node 20 to 26).',
        remedy: 'Listen to the request or response itself, or remove the listener when it is over.',
      },
      overwritten: {
        what: 'Every {{where}} starts another `setInterval`, and `{{name}}` only has the handle of the last one.',
        why: 'The timers before it run until the process ends.',
        remedy: 'Call `clearInterval({{name}})` first, or keep one handle for each.',
      },
      reconnect: {
        what: 'When `{{name}}` fails, its listeners for `error` and `close` both connect again.',
        why: '`close` follows `error`, so each failure causes two attempts: 1,023 after ten rounds (Node 20 to 26).',
        remedy: 'Connect again on `close` only.',
      },
      race: {
        what: 'On every {{where}}, the timer of this race keeps running after the other promise has settled.',
        why: 'Until it fires, it keeps 660 to 720 bytes (Node 20 to 26) and everything that its callback uses in memory, and it keeps the process alive.',
        remedy:
          'Keep the handle, and clear it when the race is over: `.finally(() => clearTimeout(timer))`. Or pass a `signal` to `setTimeout` of `timers/promises`, and abort it.',
      },
      unread: {
        what: '`{{name}}` gets all data of `{{source}}`, and nothing reads it.',
        why: 'If the source has another reader that does not wait for it (`for await`), all bytes stay in memory: 10 of 10 MB. Otherwise, the source stops after 64 to 128 KB (Node 20 to 26).',
        remedy: 'Remove this `pipe`, or pass on `{{name}}` instead of the source.',
      },
      sessions: {
        what: 'These sessions have no store, so `express-session` keeps all of them in memory.',
        why: 'Its `MemoryStore` only removes an expired session when it is requested again. Sessions of clients that do not come back stay until the process ends.',
        remedy: 'Pass a `store` that removes what has expired, such as `connect-redis`, or `memorystore` for a single process.',
      },
    },
    options: {},
    forRequestsOnly: true,
    confirmedBy: [
      { kind: 'retained', expect: 'what each call or request adds is still there after a forced collection' },
      { kind: 'runs', expect: 'the code runs for each request' },
    ],
  },
  create({ facts, source, report, runsOn }) {
    // No request runs in a worker: only a message that its own thread sends reaches it, and it may end with its job.
    if (!MAY_GROW.test(source.text) || (facts.role === 'worker' && !facts.isApplication() && !source.text.includes('isMainThread')))
      return {};
    const reportEntries = (site: Node, at: { start: number; end: number }, addition: Addition | undefined): void => {
      const request = addition && onRequestPath(site, facts);
      if (!addition || !request || isPageCode(facts) || (!addition.key && isSetUp(site, facts))) return;
      // Code that runs once for each key does run for each new key.
      if (request.isOnce && !addition.key) return;
      const name = enclosingFunctionName(site);
      const found: Problem<MessageId> = {
        at,
        messageId: addition.key ? 'keys' : 'entries',
        severity: addition.isUnsure ? 'hint' : undefined,
        data: { name: addition.name },
        functionName: name,
      };
      const isUseless = addition.isUseless && facts.role === 'application' && name !== undefined && !isSetUp(site, facts);
      const otherwise: Problem<MessageId> = {
        ...found,
        messageId: 'entries',
        severity: 'hint',
        data: { name: addition.name, where: `call of \`${name}\`` },
      };
      report({
        ...found,
        request: { ...request, ...FOR_LONG, isOnce: false, keeper: addition.keeper },
        ...(isUseless ? { otherwise } : {}),
      });
    };
    /** Functions of which one race is reported: who changes one changes all. */
    const raced = new Set<Node | undefined>();
    const reportRace = (call: CallNode, race: Race): void => {
      const fn = enclosingFunction(call);
      if (raced.has(fn) || facts.role !== 'application' || isPageCode(facts) || isSetUp(call, facts) || isAtTheEnd(call)) return;
      const request = onRequestPath(call, facts);
      if (!request || request.isOnce) return;
      raced.add(fn);
      const name = enclosingFunctionName(call);
      const hint: Problem<MessageId> = {
        at: { start: startOf(call), end: endOf(call.callee) },
        messageId: 'race',
        severity: 'hint',
        isForRuns: race.isBrief,
        functionName: name,
        related: [{ span: { start: startOf(race.timer), end: endOf(race.timer) }, message: 'starts the timer' }],
      };
      // A helper is there to be called often, unless nothing of a program that serves leads to it. Of others, only a request says that.
      const called = name === undefined ? 'call of this function' : `call of \`${name}\``;
      const where = facts.chosenPlaces.has(call) ? `${called} that reaches this line` : called;
      if (race.isHelper) report({ ...hint, request: { ...request, unlessOffPath: true }, otherwise: { ...hint, data: { where } } });
      else report({ ...hint, request });
    };
    const reportReconnect = (call: CallNode, at: Span): boolean => {
      const found = findReconnect(call, facts);
      if (found)
        report({
          at,
          messageId: 'reconnect',
          data: { name: found.name },
          functionName: enclosingFunctionName(call),
          related: found.sites.map((site, i) => ({
            span: { start: startOf(site), end: endOf(site) },
            message: `connects again on \`${i ? 'close' : 'error'}\``,
          })),
        });
      return found !== undefined;
    };
    const reportSocket = (call: CallNode, at: Span): boolean => {
      const found = findSocketListener(call, facts);
      // Before Node 19, the default agent does not keep sockets.
      if (!found || (found.isSent && !found.isKept && !runsOn('>=19'))) return false;
      const data = { name: found.socket, event: found.event };
      const problem: Problem<MessageId> = { at, messageId: 'socket', data, functionName: enclosingFunctionName(call) };
      if (found.isSent) report({ ...problem, data: { ...data, where: 'request that is sent here' } });
      else {
        const request = onRequestPath(call, facts);
        if (request && !request.isOnce) report({ ...problem, request });
      }
      return true;
    };
    const listen = (call: CallNode): void => {
      const at = { start: startOf(call), end: endOf(call.callee) };
      if (isSessionWithoutStore(call, facts)) {
        if (facts.isApplication() && !isInDevelopmentBranch(call, facts)) report({ at, messageId: 'sessions' });
        return;
      }
      const race = findRace(call, facts);
      if (race) {
        reportRace(call, race);
        return;
      }
      if (facts.role === 'application' && !isPageCode(facts) && (reportReconnect(call, at) || reportSocket(call, at))) return;
      const unread = findUnread(call, facts);
      if (unread && facts.role === 'application')
        report({ at, messageId: 'unread', data: { ...unread }, functionName: enclosingFunctionName(call) });
      if (unread) return;
      const timer = findEndlessTimer(call, facts);
      const listener = timer ? undefined : findListener(call, facts);
      if (!timer && !listener) {
        reportEntries(call, at, addedByCall(call, facts));
        return;
      }
      const request = onRequestPath(call, facts);
      if (!request || request.isOnce || isPageCode(facts) || isSetUp(call, facts)) return;
      const common = { at, request: { ...request, ...FOR_LONG, keeper: listener?.keeper }, functionName: enclosingFunctionName(call) };
      if (timer?.overwritten) report({ ...common, messageId: 'overwritten', data: { name: timer.overwritten } });
      else if (!listener) report({ ...common, messageId: 'timer' });
      else
        report({
          ...common,
          messageId: listener.futile ? 'otherListener' : 'listener',
          data: { name: listener.emitter, event: listener.event },
          related: listener.futile && [
            { span: { start: startOf(listener.futile), end: endOf(listener.futile) }, message: 'this call names another function' },
          ],
        });
    };
    return {
      CallExpression: listen,
      OptionalCallExpression: listen,
      AssignmentExpression(assignment: t.AssignmentExpression) {
        const target = unwrap(assignment.left);
        reportEntries(assignment, { start: startOf(target), end: endOf(target) }, addedByAssignment(assignment, facts));
      },
    };
  },
});

const SET_UP =
  /(?:^|\.)(?:init|setup|set_up|start|boot|register|configure|connect|listen|mount|install|load|enable|main|onModuleInit|onApplicationBootstrap)(?![a-z])/i;

/** Whether a function that prepares things is around a node, other than a handler. It may be called late, but not for each request. */
function isSetUp(node: Node, facts: Facts): boolean {
  for (let fn = enclosingFunction(node); fn; fn = enclosingFunction(fn)) {
    const inner = fn;
    if (facts.handlersOf(inner).length > 0) return false;
    if (SET_UP.test(functionName(fn) ?? '')) return true;
  }
  return false;
}
