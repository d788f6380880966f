// UV_THREADPOOL_SIZE set where libuv no longer reads it.
import { enclosingFunction, endOf, startOf, type Node } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule } from '../../analysis/rule.ts';
import { findJobBefore, isAssign, isWrite, runsWhileLoading, startsProcessesAfter, VARIABLE } from './pool-jobs.ts';

type MessageId = 'afterUse' | 'module' | 'worker' | 'function';

// Tested with an entry that sets it in its first line: ignored on 18.20, 20.20, 21.7, 22.0 to 22.17, 24.0 and 24.2; applied on 22.18 to
// 22.23, 24.4 to 24.21 and 26.10.
const LOADS_ON_THE_POOL = '<22.18.0 || >=23.0.0 <=24.2.0';

const REMEDY =
  'Set it where Node is started: `UV_THREADPOOL_SIZE=8 node server.js`, or in the image, the systemd unit, or the process manager.';

export const rule = defineRule<MessageId>({
  meta: {
    id: 'no-late-threadpool-size',
    group: 'event-loop',
    summary: 'UV_THREADPOOL_SIZE set in code that runs after the thread pool has started',
    severity: 'warning',
    otherSeverities: ['hint'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    messages: {
      afterUse: {
        what: '`UV_THREADPOOL_SIZE` is ignored because `{{job}}` has already started the thread pool.',
        why: 'libuv reads it once, when the pool gets its first job. After that, the size is fixed.',
        remedy: REMEDY,
      },
      module: {
        what: '`UV_THREADPOOL_SIZE` is set in an ES module, where Node {{range}} ignores it.',
        why: 'These versions load ES modules through the thread pool, so its size is fixed before the first line runs. Later versions do not, {{later}}.',
        remedy: REMEDY,
      },
      worker: {
        what: '`UV_THREADPOOL_SIZE` is set in a worker thread, where it is ignored.',
        why: 'A worker thread has its own copy of `process.env`. The thread pool belongs to the process, which does not see the change.',
        remedy: REMEDY,
      },
      function: {
        what: '`UV_THREADPOOL_SIZE` is set in a function that may run after the thread pool has started.',
        why: 'libuv reads it once, when the pool gets its first job, such as a file read, a DNS lookup, or a password hash.',
        remedy: `${REMEDY} In CommonJS, the first line of the program also works.`,
      },
    },
    options: {},
    confirmedBy: [{ kind: 'runs', expect: 'the line runs' }],
  },
  create({ facts, source, report, runsOn }) {
    if (!source.text.includes(VARIABLE) || facts.role === 'test' || facts.role === 'browser' || facts.role === 'declaration') return {};
    const check = (write: Node, at: Node): void => {
      if (startsProcessesAfter(write, facts)) return;
      const problem = findProblem(write, facts, runsOn);
      if (!problem) return;
      report({ at, ...problem });
    };
    return {
      AssignmentExpression(node) {
        if (isWrite(node, facts) && !isFollowed(node, facts)) check(node, node.left);
      },
      CallExpression(node) {
        if (isAssign(node, facts)) check(node, node);
      },
    };
  },
});

interface Problem {
  messageId: MessageId;
  severity?: 'hint';
  data?: Record<string, string>;
  related?: { span: { start: number; end: number }; message: string }[];
}

function findProblem(write: Node, facts: Facts, runsOn: (range: string) => boolean): Problem | undefined {
  if (facts.role === 'worker' && !facts.source.text.includes('isMainThread')) return { messageId: 'worker' };
  const job = findJobBefore(write, facts);
  if (job)
    return {
      messageId: 'afterUse',
      data: { job: job.name },
      related: [{ span: { start: startOf(job.call), end: endOf(job.call.callee) }, message: "the pool's first job" }],
    };
  const isLater = enclosingFunction(write) !== undefined && !runsWhileLoading(write, facts);
  if (isLoadedAsModule(facts) && runsOn(LOADS_ON_THE_POOL)) {
    const later = isLater ? 'but the first job of the pool may come before this line' : 'and they apply the value';
    return { messageId: 'module', data: { range: 'up to 22.17 (and 24.0 to 24.2)', later } };
  }
  return isLater ? { messageId: 'function', severity: 'hint' } : undefined;
}

/** Whether Node loads the file as an ES module. Import statements alone may be compiled to CommonJS. */
function isLoadedAsModule(facts: Facts): boolean {
  const { file } = facts.source;
  if (/\.m[jt]s$/.test(file)) return true;
  return /\.[jt]sx?$/.test(file) && facts.project.manifest?.type === 'module';
}

/** Two writes, one of which provides the value of the other, are one problem. It is reported at the first. */
function isFollowed(write: Node, facts: Facts): boolean {
  const first = facts.remember('first writes of the size of the pool', () => {
    const writes = facts.module.nodes('AssignmentExpression').filter((one) => isWrite(one, facts));
    return new Map(writes.toReversed().map((one) => [enclosingFunction(one), startOf(one)]));
  });
  return (first.get(enclosingFunction(write)) ?? Number.POSITIVE_INFINITY) < startOf(write);
}
