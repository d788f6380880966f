// Requests, processes, and files that are opened for all elements of a list at once.
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { findQuery } from '../../analysis/facts/queries.ts';
import {
  enclosingFunctionName,
  endOf,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { takenBy } from '../../analysis/facts/outside/taken.ts';
import { defineRule } from '../../analysis/rule.ts';
import type { Taken } from '../../knowledge/fan-out-calls.ts';
import { EXPORTS_OPTION, withCallers, type ExportsOption } from '../shared/exported-place.ts';
import { Lists } from '../shared/lists.ts';
import { isPageCode } from '../shared/page-code.ts';
import { RequestData } from '../shared/request-data.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { startedAtOnce } from './at-once.ts';

const MAY_REPEAT = /\bfor\b|forEach|\.map\b|flatMap|\beach|pMap/;
const REMEDY =
  'Run a few at a time: with `p-limit`, with `concurrency` of `p-map`, or in chunks. Limiting the length of the list helps, too.';

export const rule = defineRule<Taken | 'elsewhere', ExportsOption>({
  meta: {
    id: 'no-unbounded-fan-out',
    group: 'api',
    summary: 'Requests, processes, and files started or opened for all elements of a list at once, on request paths',
    severity: 'hint',
    otherSeverities: ['warning'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      process: {
        what: '`{{call}}` starts a process for each element of `{{list}}`{{which}}, all at once, on every {{where}}.',
        why: 'Starting a process blocks the event loop, and all of them start before anything else runs: 200 blocked it for {{blocked}}, and for at most {{few}} with 8 at a time (Node 20 to 24). Each has its own memory and pipes.',
        remedy: REMEDY,
      },
      request: {
        what: '`{{call}}` sends a request for each element of `{{list}}`{{which}}, all at once, on every {{where}}.',
        why: 'Neither `fetch` nor the agents of Node limit how many connections are open. 1,000 requests to one server opened 1,000 connections, and blocked the event loop for 440 to 530 ms (Node 20 to 24). The other service gets all of them at once, too.',
        remedy: REMEDY,
      },
      file: {
        what: '`{{call}}` opens a file for each element of `{{list}}`{{which}}, all at once, on every {{where}}.',
        why: 'All are open before the first is read. With a limit of 1,024 open files, 4,000 of 5,000 calls failed (`EMFILE`). Without one, another request waited 70 to 290 ms for its file, instead of 3 ms (Node 20 to 24).',
        remedy: REMEDY,
      },
      elsewhere: {
        what: '`{{call}}` {{remedy}} for each element of `{{list}}`{{which}}, all at once, on every {{where}}.',
        why: 'Nothing limits how many run together. 1,000 requests opened 1,000 connections, 200 processes blocked the event loop for {{blocked}}, and behind 5,000 files, another request waited 70 to 290 ms for its file (Node 20 to 24).',
        remedy: REMEDY,
      },
    },
    options: { exports: EXPORTS_OPTION },
    forRequestsOnly: true,
    unlessOption: 'exports',
    confirmedBy: [{ kind: 'runs', expect: 'starting all of them blocks the event loop' }],
  },
  create({ facts, source, options, report: reportAt }) {
    const report = withCallers(reportAt, options, facts);
    if (!MAY_REPEAT.test(source.text) || isPageCode(facts)) return {};
    const lists = new Lists(facts);
    const data = new RequestData(facts, 'any');
    // Whoever limits a loop limits all that it starts.
    const told = new Set<Node>();
    const listen = (call: CallNode): void => {
      const taken = takenBy(call, facts) ?? (mayTakeElsewhere(call, facts) ? 'elsewhere' : undefined);
      // Requests that might be one have a rule of their own.
      if (!taken || (taken === 'request' && findQuery(call, facts)?.isHttp)) return;
      const elements = startedAtOnce(call, facts, taken === 'elsewhere');
      if (!elements || told.has(elements.node) || !lists.isOpen(elements.list)) return;
      const request = onRequestPath(taken === 'elsewhere' ? call : elements.node, facts);
      if (!request || request.isOnce) return;
      if (taken !== 'elsewhere') told.add(elements.node);
      const isSent = data.isSent(elements.list);
      const hasConditions = conditionsOn(elements.site, elements.body).length > 0;
      report({
        at: elements.site,
        messageId: taken,
        // The client decides how long the event loop is blocked.
        severity: taken === 'process' && isSent ? 'warning' : undefined,
        data: {
          call: shortName(elements.site as CallNode, facts),
          list: textOf(elements.list, facts),
          which: `${isSent ? ', which a client sends' : ''}${hasConditions ? `${isSent ? ',' : ''} for which its conditions hold` : ''}`,
          ...BLOCKED,
        },
        request: taken === 'elsewhere' ? { ...request, taking: call } : request,
        functionName: enclosingFunctionName(elements.site),
        related: [
          {
            span: { start: startOf(elements.node), end: Math.max(startOf(elements.body), startOf(elements.node) + 1) },
            message: 'for each element here',
          },
          ...(elements.site === call ? [] : [{ span: { start: startOf(call), end: endOf(call.callee) }, message: 'what it starts' }]),
        ],
      });
    };
    return { CallExpression: listen, OptionalCallExpression: listen };
  },
});

/** A call whose promise is awaited or handed on, of what another file may have. The project knows whether it takes anything. */
function mayTakeElsewhere(call: CallNode, facts: Facts): boolean {
  const parent = parentOf(call);
  if (parent?.type !== 'AwaitExpression' && parent?.type !== 'ReturnStatement' && parent?.type !== 'ArrowFunctionExpression') return false;
  if (call.arguments.length === 0 || facts.calls.functionsOf(call.callee).length > 0) return false;
  const origin = facts.origins.of(call.callee);
  return !origin || (origin.root === 'module' && /^[./#~@]/.test(origin.name));
}

/** By 200 processes, as measured for the page. */
const BLOCKED = { blocked: '680 to 1,230 ms', few: '60 ms' };

// Longer expressions get a shorter name.
const MAX_NAME = 40;

function shortName(call: CallNode, facts: Facts): string {
  const callee = unwrap(call.callee);
  const written = facts.source.slice(callee);
  if (written.length <= MAX_NAME && !/\s/.test(written)) return written;
  return isMember(callee) ? `….${memberName(callee) ?? ''}` : `${written.slice(0, MAX_NAME)}…`;
}

function textOf(list: Node, facts: Facts): string {
  const written = facts.source.slice(unwrap(list)).replaceAll(/\s+/g, ' ');
  return written.length <= MAX_NAME ? written : `${written.slice(0, MAX_NAME)}…`;
}
