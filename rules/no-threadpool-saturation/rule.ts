// Long jobs of the thread pool that one request starts all at once.
import { endOf, enclosingFunctionName, startOf, type CallNode } from '../../analysis/module/ast.ts';
import { defineRule } from '../../analysis/rule.ts';
import { RequestData } from '../shared/request-data.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { fanOutOf } from '../shared/fan-out.ts';
import { longJobOf, mayStartLongJobs, threadsOf } from './long-jobs.ts';

const WHY =
  'Until they are done, everything else that needs the pool waits: file access, `dns.lookup`, and the hashes of other requests. Behind four hashes, a file read took 64 ms with four threads, and 15 ms with 16 (Node 20).';
const REMEDY =
  'Run fewer at once than the pool has threads, for example one after the other, or with `p-limit`. If they wait for a network, more threads also help: `UV_THREADPOOL_SIZE`, where Node is started.';

export const rule = defineRule<'count' | 'sent' | 'list'>({
  meta: {
    id: 'no-threadpool-saturation',
    group: 'event-loop',
    summary: 'Long thread pool jobs, such as password hashes, that one request starts all at once',
    severity: 'warning',
    otherSeverities: ['hint'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      count: {
        what: '`{{call}}` is called {{count}} times at once on every {{where}}, and the thread pool has {{threads}} threads.',
        why: WHY,
        remedy: REMEDY,
      },
      sent: {
        what: '`{{call}}` is called at once for all items of a list that a client sends, on every {{where}}. The thread pool has {{threads}} threads.',
        why: WHY,
        remedy: `Limit the length of the list. ${REMEDY}`,
      },
      list: {
        what: '`{{call}}` is called at once for all items of a list, on every {{where}}. The thread pool has {{threads}} threads.',
        why: WHY,
        remedy: REMEDY,
      },
    },
    options: {},
    forRequestsOnly: true,
    confirmedBy: [{ kind: 'runs', expect: 'the code runs repeatedly while requests are handled' }],
  },
  create({ facts, source, report, project }) {
    if (!mayStartLongJobs(source.text)) return {};
    const threads = threadsOf(source.text, project);
    const data = new RequestData(facts, 'any');
    const seen = new Set<string>();
    const listen = (call: CallNode): void => {
      const name = longJobOf(call, facts);
      const fanOut = name === undefined ? undefined : fanOutOf(call, facts);
      if (name === undefined || !fanOut || (fanOut.count !== undefined && fanOut.count < threads)) return;
      const key = `${startOf(fanOut.node)} ${name}`;
      if (seen.has(key)) return;
      seen.add(key);
      const request = onRequestPath(fanOut.node, facts);
      if (!request || request.isOnce) return;
      const isSent = fanOut.list !== undefined && data.isSent(fanOut.list);
      report({
        at: { start: startOf(call), end: endOf(call.callee) },
        messageId: fanOut.count !== undefined ? 'count' : isSent ? 'sent' : 'list',
        severity: fanOut.count === undefined && !isSent ? 'hint' : undefined,
        data: { call: name, count: fanOut.count ?? '', threads },
        request,
        functionName: enclosingFunctionName(call),
      });
    };
    return { CallExpression: listen, OptionalCallExpression: listen };
  },
});
