// Queues that feed themselves: endless and long ones, short ones, and ones that never begin, beside code that blocks by itself.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { edit, neverRuns, starves, starvesNot } from '../checks.ts';
import { asked, BUSY, called, program } from './shared.ts';

const finding = (at: string, messageId: string) => ({ ruleId: 'no-microtask-starvation', messageId, at });
const SERVER = dedent`
  const http = require('node:http');
  http.createServer((req, res) => res.end('ok')).listen(0).unref();
`;

const drain = (via: string): string => dedent`
  ${SERVER}
  function drain(queue) {
    const job = queue.shift();
    if (!job) return;
    job();
    ${via};
  }
  const jobs = (count) => Array.from({ length: count }, () => () => Math.sqrt(count));
  module.exports = { drain, jobs };
`;

const countdown = dedent`
  ${SERVER}
  async function count(n) {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      sum += i;
      await null;
    }
    return sum;
  }
  module.exports = { count };
`;

export const cases: readonly TruthCase[] = [
  {
    name: 'ticks without end, from the start',
    ...program(dedent`
      ${SERVER}
      let count = 0;
      function compute() {
        count += 1;
        process.nextTick(compute);
      }
      setTimeout(compute, 300);
    `),
    finding: finding('process.nextTick(compute)', 'endlessRequeue'),
    truth: 'confirmed',
    established: [starves()],
  },
  {
    name: 'ticks without end, called',
    ...called(
      dedent`
        ${SERVER}
        let count = 0;
        function compute() {
          count += 1;
          process.nextTick(compute);
        }
        module.exports = { compute };
      `,
      'compute',
      'compute()',
      { rounds: 1 },
    ),
    finding: finding('process.nextTick(compute)', 'endlessRequeue'),
    truth: 'confirmed',
    established: [starves()],
  },
  {
    name: 'promises without end, called',
    ...called(
      dedent`
        ${SERVER}
        let count = 0;
        function loop() {
          count += 1;
          Promise.resolve().then(loop);
        }
        module.exports = { loop };
      `,
      'loop',
      'loop()',
      { rounds: 1 },
    ),
    finding: finding('then(loop)', 'endlessRequeue'),
    truth: 'confirmed',
    established: [starves()],
  },
  {
    name: 'an endless loop that awaits what is there',
    ...called(
      dedent`
        ${SERVER}
        let count = 0;
        async function run() {
          while (true) {
            count += 1;
            await Promise.resolve();
          }
        }
        module.exports = { run };
      `,
      'run',
      'run()',
      { rounds: 1 },
    ),
    finding: finding('while (true)', 'endlessLoop'),
    truth: 'confirmed',
    established: [starves()],
  },
  {
    name: 'a function that awaits null and itself',
    ...called(
      dedent`
        ${SERVER}
        let count = 0;
        async function watch() {
          count += 1;
          await null;
          return watch();
        }
        module.exports = { watch };
      `,
      'watch',
      'watch()',
      { rounds: 1 },
    ),
    finding: finding('return watch()', 'endlessRecursion'),
    truth: 'confirmed',
    established: [starves()],
  },
  {
    name: 'a queue of two million jobs, by ticks',
    ...called(drain('process.nextTick(drain, queue)'), 'drain', 'drain(jobs(2_000_000))', { rounds: 1 }),
    finding: finding('process.nextTick(drain', 'longRequeue'),
    truth: 'confirmed',
    established: [
      starves(edit('queue.shift()', 'queue.pop()')),
      starvesNot(
        edit('process.nextTick(drain, queue)', 'setImmediate(drain, queue)'),
        edit('length: count', 'length: Math.min(count, 100)'),
      ),
    ],
  },
  {
    name: 'a queue of three jobs, by ticks',
    ...called(drain('process.nextTick(drain, queue)'), 'drain', 'drain(jobs(3))'),
    finding: finding('process.nextTick(drain', 'longRequeue'),
    truth: 'refuted',
    established: [starvesNot(edit('process.nextTick(drain, queue)', "__hit('place'); process.nextTick(drain, queue)"))],
  },
  {
    name: 'a queue of three jobs, by microtasks',
    ...called(drain('queueMicrotask(() => drain(queue))'), 'drain', 'drain(jobs(3))'),
    finding: finding('queueMicrotask(', 'longRequeue'),
    truth: 'refuted',
    established: [starvesNot(edit('queueMicrotask(() =>', "__hit('place'); queueMicrotask(() =>"))],
  },
  {
    name: 'no job in the queue',
    ...called(drain('process.nextTick(drain, queue)'), 'drain', 'drain([])'),
    finding: finding('process.nextTick(drain', 'longRequeue'),
    truth: 'not-reached',
    established: [neverRuns(edit('process.nextTick(drain, queue)', "__hit('place'); process.nextTick(drain, queue)"))],
    inCi: true,
  },
  {
    name: 'no tick is queued, beside a busy wait',
    ...called(
      dedent`
        ${SERVER}
        ${BUSY}
        function work(rows) {
          busy(90);
          if (rows.length === 0) return 0;
          rows.pop();
          process.nextTick(work, rows);
          return rows.length;
        }
        module.exports = { work };
      `,
      'work',
      'work([])',
      { rounds: 5 },
    ),
    finding: finding('process.nextTick(work', 'longRequeue'),
    truth: 'not-reached',
    established: [neverRuns(edit('process.nextTick(work, rows)', "__hit('place'); process.nextTick(work, rows)"))],
    inCi: true,
  },
  {
    name: 'five million awaits of null',
    ...called(countdown, 'count', 'count(5_000_000)', { rounds: 1 }),
    finding: finding('for (let i', 'longLoop'),
    truth: 'confirmed',
    established: [starves()],
  },
  {
    name: 'three awaits of null',
    ...called(countdown, 'count', 'count(3)'),
    finding: finding('for (let i', 'longLoop'),
    truth: 'refuted',
    established: [starvesNot()],
  },
  {
    name: 'a handler whose ticks sum two million values',
    ...asked(
      dedent`
        const http = require('node:http');
        const VALUES = Array.from({ length: 2_000_000 }, (_, i) => i);
        function sum(values, done) {
          let total = 0;
          let at = 0;
          function round() {
            for (const end = Math.min(at + 100, values.length); at < end; at += 1) total += Math.sqrt(values[at]) % 7;
            if (at < values.length) process.nextTick(round);
            else done(total);
          }
          round();
        }
        function handle(req, res) {
          sum(VALUES, (total) => res.end(String(total)));
        }
        http.createServer(handle).listen(3000);
      `,
    ),
    finding: finding('process.nextTick(round)', 'longRequeue'),
    truth: 'confirmed',
    established: [
      starves(),
      starvesNot(edit('process.nextTick(round)', 'setImmediate(round)'), edit('length: 2_000_000', 'length: 100_000')),
    ],
  },
  {
    name: 'in an ES module, until the data end it',
    ...called(
      dedent`
        import http from 'node:http';
        http.createServer((req, res) => res.end('ok')).listen(0).unref();
        export function loop(state) {
          state.left -= 1;
          if (state.left < 0) return state;
          return Promise.resolve().then(() => loop(state));
        }
      `,
      'loop',
      'loop({ left: 400_000 })',
      { rounds: 1 },
      'a.mjs',
    ),
    finding: finding('then(() => loop(state))', 'longRequeue'),
    truth: 'confirmed',
    established: [starves()],
  },
];
