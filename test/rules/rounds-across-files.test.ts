// Functions of several files that put each other back into the queues of ticks and microtasks: found with the way round, and not found
// where the event loop turns on it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf, toldOf, type Files } from './whole-project.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const RULE = 'no-microtask-starvation';

interface Found {
  at: string;
  related: string[];
}

const DRAIN = dedent`
    import { schedule } from './b.js';
    const jobs = [];

    export function drain() {
      const job = jobs.shift();
      if (!job) return;
      job();
      schedule();
    }

  `;

const FOUND: readonly (readonly [name: string, files: Files, found: readonly Found[]])[] = [
  [
    'a tick, over two files',
    {
      'a.js': DRAIN,
      'b.js': dedent`
        import { drain } from './a.js';
        export function schedule() {
          process.nextTick(drain);
        }

      `,
    },
    [{ at: 'b.js:3 longRequeue warning', related: ['a.js:8 calls `schedule`'] }],
  ],
  [
    'a tick, over three files',
    {
      'a.js': DRAIN,
      'b.js': dedent`
        import { later } from './c.js';
        export function schedule() {
          later();
        }

      `,
      'c.js': dedent`
        import { drain } from './a.js';
        export const later = () => process.nextTick(() => drain());

      `,
    },
    [
      {
        at: 'c.js:2 longRequeue warning',
        related: ['c.js:2 calls `drain`', 'a.js:8 calls `schedule`', 'b.js:3 calls `later`'],
      },
    ],
  ],
  [
    'a microtask that nothing ends, in CommonJS',
    {
      'a.js': dedent`
        const b = require('./b');
        exports.poll = function poll() {
          b.again();
        };

      `,
      'b.js': dedent`
        const a = require('./a');
        exports.again = function again() {
          queueMicrotask(() => a.poll());
        };

      `,
    },
    [{ at: 'b.js:3 endlessRequeue error', related: ['b.js:3 calls `poll`', 'a.js:3 calls `again`'] }],
  ],
  [
    'a settled promise, over two files',
    {
      'a.js': dedent`
          import { next } from './b.js';
          export function step(queue) {
            if (queue.length === 0) return;
            queue.pop()();
            Promise.resolve().then(() => next(queue));
          }

        `,
      'b.js': dedent`
        import { step } from './a.js';
        export function next(queue) {
          step(queue);
        }

      `,
    },
    [{ at: 'a.js:5 longRequeue warning', related: ['a.js:5 calls `next`', 'b.js:3 calls `step`'] }],
  ],
  [
    'functions that queue each other are told once',
    {
      'a.js': dedent`
        import { pong } from './b.js';
        export function ping() {
          process.nextTick(pong);
        }

      `,
      'b.js': dedent`
        import { ping } from './a.js';
        export function pong() {
          process.nextTick(ping);
        }

      `,
    },
    [{ at: 'a.js:3 endlessRequeue error', related: ['b.js:3 queues `ping` with process.nextTick'] }],
  ],
  [
    'a function that calls itself after it awaited another file that never waits',
    {
      'a.js': dedent`
          import { take } from './b.js';
          export async function drain(jobs) {
            await take(jobs);
            if (jobs.length > 0) return drain(jobs);
          }

        `,
      'b.js': dedent`
        export async function take(jobs) {
          jobs.shift()();
        }

      `,
    },
    [{ at: 'a.js:4 longRecursion warning', related: ['a.js:3 this never yields to the event loop'] }],
  ],
  [
    '… through a third that passes it on',
    {
      'a.js': dedent`
        import { take } from './b.js';
        export async function drain(jobs) {
          await take(jobs);
          return drain(jobs);
        }

      `,
      'b.js': dedent`
        import { run } from './c.js';
        export async function take(jobs) {
          return run(jobs.shift());
        }

      `,
      'c.js': dedent`
        export async function run(job) {
          job();
        }

      `,
    },
    [{ at: 'a.js:4 endlessRecursion error', related: ['a.js:3 this never yields to the event loop'] }],
  ],
  [
    'an object of another file',
    {
      'a.js': dedent`
        import { queue } from './queue.js';
        export function work() {
          queue.wake();
        }

      `,
      'queue.js': dedent`
        import { work } from './a.js';
        export const queue = {
          wake() {
            process.nextTick(work);
          },
        };

      `,
    },
    [{ at: 'queue.js:4 endlessRequeue error', related: ['a.js:3 calls `wake`'] }],
  ],
];

const SILENT: readonly (readonly [name: string, files: Files])[] = [
  [
    'setImmediate',
    {
      'a.js': DRAIN,
      'b.js': dedent`
    import { drain } from './a.js';
    export function schedule() {
      setImmediate(drain);
    }

  `,
    },
  ],
  [
    'a timer now and then',
    {
      'a.js': DRAIN,
      'b.js': dedent`
          import { drain } from './a.js';
          let n = 0;
          export function schedule() {
            if (++n % 1000) process.nextTick(drain);
            else setTimeout(drain, 0);
          }

        `,
    },
  ],
  [
    'a step to setImmediate in the other file',
    {
      'a.js': dedent`
          import { schedule } from './b.js';
          export function drain(jobs) {
            if (jobs.length % 2) setImmediate(() => drain(jobs));
            else schedule();
          }

        `,
      'b.js': dedent`
        import { drain } from './a.js';
        export function schedule() {
          process.nextTick(drain);
        }

      `,
    },
  ],
  [
    'a count that ends soon',
    {
      'a.js': dedent`
        import { later } from './b.js';
        export function retry(n) {
          if (n < 3) later(n + 1);
        }

      `,
      'b.js': dedent`
        import { retry } from './a.js';
        export function later(n) {
          process.nextTick(retry, n);
        }

      `,
    },
  ],
  [
    'a count that another file starts',
    {
      'a.js': dedent`
        import { later } from './b.js';
        export function run(left) {
          if (!left) return;
          later(left - 1);
        }

      `,
      'b.js': dedent`
        import { run } from './a.js';
        export function later(left) {
          process.nextTick(run, left);
        }

      `,
    },
  ],
  [
    'a state machine',
    {
      'a.js': dedent`
        import { later } from './b.js';
        export function go(event) {
          if (event === 'finish') return;
          later(event);
        }

      `,
      'b.js': dedent`
        import { go } from './a.js';
        export function later(event) {
          process.nextTick(go, event);
        }

      `,
    },
  ],
  [
    'an error',
    {
      'a.js': dedent`
        import { fail } from './b.js';
        export function open(err) {
          if (err) fail(err);
        }

      `,
      'b.js': dedent`
        import { open } from './a.js';
        export function fail(err) {
          process.nextTick(open, err);
        }

      `,
    },
  ],
  [
    'a real wait in the other file',
    {
      'a.js': dedent`
        import { take } from './b.js';
        export async function drain(jobs) {
          await take(jobs);
          return drain(jobs);
        }

      `,
      'b.js': dedent`
        import { readFile } from 'node:fs/promises';
        export async function take(jobs) {
          await readFile(jobs.shift());
        }

      `,
    },
  ],
  [
    'a real wait two files away',
    {
      'a.js': dedent`
        import { take } from './b.js';
        export async function drain(jobs) {
          await take(jobs);
          return drain(jobs);
        }

      `,
      'b.js': dedent`
        import { run } from './c.js';
        export async function take(jobs) {
          await run(jobs.shift());
        }

      `,
      'c.js': dedent`
          import { setTimeout as sleep } from 'node:timers/promises';
          export async function run(job) {
            await sleep(1);
            job();
          }

        `,
    },
  ],
  [
    'a promise that is handed back',
    {
      'a.js': dedent`
        import { take } from './b.js';
        export async function drain(jobs) {
          await take(jobs);
          return drain(jobs);
        }

      `,
      'b.js': dedent`
        export async function take(jobs) {
          return jobs.shift().promise;
        }

      `,
    },
  ],
  [
    'a function that is no async one',
    {
      'a.js': dedent`
        import { take } from './b.js';
        export async function drain(jobs) {
          await take(jobs);
          return drain(jobs);
        }

      `,
      'b.js': dedent`
        export function take(jobs) {
          return jobs.shift()();
        }

      `,
    },
  ],
  [
    'a real wait of its own',
    {
      'a.js': dedent`
          import { schedule } from './b.js';
          import { readFile } from 'node:fs/promises';
          export async function drain(jobs) {
            await readFile(jobs.pop());
            schedule(jobs);
          }

        `,
      'b.js': dedent`
        import { drain } from './a.js';
        export function schedule(jobs) {
          process.nextTick(() => drain(jobs));
        }

      `,
    },
  ],
  [
    'a callback that is handed in',
    {
      'a.js': dedent`
        import { defer } from './b.js';
        export function ask(cb) {
          defer(cb);
        }
        export function again() {
          ask(again);
        }

      `,
      'b.js': dedent`
        export function defer(cb) {
          process.nextTick(cb);
        }

      `,
    },
  ],
  [
    'a walk over a tree',
    {
      'a.js': dedent`
          import { visit } from './b.js';
          export async function walk(node) {
            await null;
            for (const child of node.children) visit(child);
          }

        `,
      'b.js': dedent`
        import { walk } from './a.js';
        export function visit(node) {
          walk(node);
        }

      `,
    },
  ],
  [
    'a function that may be one of two',
    {
      'a.js': dedent`
        import { run } from './b.js';
        export function go() {
          run();
        }

      `,
      'b.js': dedent`
          import { go } from './a.js';
          import { stop } from './c.js';
          export let run = () => process.nextTick(go);
          export function end() {
            run = stop;
          }

        `,
      'c.js': 'export function stop() {}\n',
    },
  ],
  [
    'a test',
    {
      'a.test.js': dedent`
        import { schedule } from './b.test.js';
        export function drain() {
          schedule();
        }
        it('a', drain);

      `,
      'b.test.js': dedent`
          import { drain } from './a.test.js';
          export function schedule() {
            process.nextTick(drain);
          }
          it('b', schedule);

        `,
    },
  ],
  [
    'the other file does not lead back',
    {
      'a.js': DRAIN,
      'b.js': dedent`
        import { other } from './c.js';
        export function schedule() {
          process.nextTick(other);
        }

      `,
      'c.js': 'export function other() {}\n',
    },
  ],
];

describe('functions of several files that put each other back into a queue', () => {
  for (const [name, files, found] of FOUND) {
    it(name, () => {
      assert.deepEqual(
        findingsOf([RULE], files).map((finding) => toldOf(finding, files)),
        found,
      );
    });
  }

  it('offers to let the event loop turn', () => {
    const [finding] = findingsOf([RULE], FOUND[0]?.[1] ?? {});
    assert.deepEqual(
      finding?.fixes.map(({ title }) => title),
      ['Use `setImmediate` instead of `process.nextTick`'],
    );
  });
});

describe('what lets the event loop turn, or ends', () => {
  for (const [name, files] of SILENT) {
    it(name, () => {
      assert.deepEqual(
        findingsOf([RULE], files).map((finding) => toldOf(finding, files)),
        [],
      );
    });
  }
});
