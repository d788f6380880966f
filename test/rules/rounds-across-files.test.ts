// Functions of several files that put each other back into the queues of ticks and microtasks: found with the way round, and not found
// where the event loop turns on it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf, toldOf, type Files } from './whole-project.ts';

const RULE = 'no-microtask-starvation';

interface Found {
  at: string;
  related: string[];
}

const DRAIN =
  "import { schedule } from './b.js';\nconst jobs = [];\n\nexport function drain() {\n  const job = jobs.shift();\n  if (!job) return;\n  job();\n  schedule();\n}\n";

const FOUND: readonly (readonly [name: string, files: Files, found: readonly Found[]])[] = [
  [
    'a tick, over two files',
    {
      'a.js': DRAIN,
      'b.js': "import { drain } from './a.js';\nexport function schedule() {\n  process.nextTick(drain);\n}\n",
    },
    [{ at: 'b.js:3 longRequeue warning', related: ['a.js:8 which calls `schedule`'] }],
  ],
  [
    'a tick, over three files',
    {
      'a.js': DRAIN,
      'b.js': "import { later } from './c.js';\nexport function schedule() {\n  later();\n}\n",
      'c.js': "import { drain } from './a.js';\nexport const later = () => process.nextTick(() => drain());\n",
    },
    [
      {
        at: 'c.js:2 longRequeue warning',
        related: ['c.js:2 which calls `drain`', 'a.js:8 which calls `schedule`', 'b.js:3 which calls `later`'],
      },
    ],
  ],
  [
    'a microtask that nothing ends, in CommonJS',
    {
      'a.js': "const b = require('./b');\nexports.poll = function poll() {\n  b.again();\n};\n",
      'b.js': "const a = require('./a');\nexports.again = function again() {\n  queueMicrotask(() => a.poll());\n};\n",
    },
    [{ at: 'b.js:3 endlessRequeue error', related: ['b.js:3 which calls `poll`', 'a.js:3 which calls `again`'] }],
  ],
  [
    'a settled promise, over two files',
    {
      'a.js':
        "import { next } from './b.js';\nexport function step(queue) {\n  if (queue.length === 0) return;\n  queue.pop()();\n  Promise.resolve().then(() => next(queue));\n}\n",
      'b.js': "import { step } from './a.js';\nexport function next(queue) {\n  step(queue);\n}\n",
    },
    [{ at: 'a.js:5 longRequeue warning', related: ['a.js:5 which calls `next`', 'b.js:3 which calls `step`'] }],
  ],
  [
    'functions that queue each other are told once',
    {
      'a.js': "import { pong } from './b.js';\nexport function ping() {\n  process.nextTick(pong);\n}\n",
      'b.js': "import { ping } from './a.js';\nexport function pong() {\n  process.nextTick(ping);\n}\n",
    },
    [{ at: 'a.js:3 endlessRequeue error', related: ['b.js:3 which queues (process.nextTick) `ping`'] }],
  ],
  [
    'a function that calls itself after it awaited another file that never waits',
    {
      'a.js':
        "import { take } from './b.js';\nexport async function drain(jobs) {\n  await take(jobs);\n  if (jobs.length > 0) return drain(jobs);\n}\n",
      'b.js': 'export async function take(jobs) {\n  jobs.shift()();\n}\n',
    },
    [{ at: 'a.js:4 longRecursion warning', related: ['a.js:3 this never waits'] }],
  ],
  [
    '… through a third that passes it on',
    {
      'a.js': "import { take } from './b.js';\nexport async function drain(jobs) {\n  await take(jobs);\n  return drain(jobs);\n}\n",
      'b.js': "import { run } from './c.js';\nexport async function take(jobs) {\n  return run(jobs.shift());\n}\n",
      'c.js': 'export async function run(job) {\n  job();\n}\n',
    },
    [{ at: 'a.js:4 endlessRecursion error', related: ['a.js:3 this never waits'] }],
  ],
  [
    'an object of another file',
    {
      'a.js': "import { queue } from './queue.js';\nexport function work() {\n  queue.wake();\n}\n",
      'queue.js': "import { work } from './a.js';\nexport const queue = {\n  wake() {\n    process.nextTick(work);\n  },\n};\n",
    },
    [{ at: 'queue.js:4 endlessRequeue error', related: ['a.js:3 which calls `wake`'] }],
  ],
];

const SILENT: readonly (readonly [name: string, files: Files])[] = [
  ['setImmediate', { 'a.js': DRAIN, 'b.js': "import { drain } from './a.js';\nexport function schedule() {\n  setImmediate(drain);\n}\n" }],
  [
    'a timer now and then',
    {
      'a.js': DRAIN,
      'b.js':
        "import { drain } from './a.js';\nlet n = 0;\nexport function schedule() {\n  if (++n % 1000) process.nextTick(drain);\n  else setTimeout(drain, 0);\n}\n",
    },
  ],
  [
    'a step to setImmediate in the other file',
    {
      'a.js':
        "import { schedule } from './b.js';\nexport function drain(jobs) {\n  if (jobs.length % 2) setImmediate(() => drain(jobs));\n  else schedule();\n}\n",
      'b.js': "import { drain } from './a.js';\nexport function schedule() {\n  process.nextTick(drain);\n}\n",
    },
  ],
  [
    'a count that ends soon',
    {
      'a.js': "import { later } from './b.js';\nexport function retry(n) {\n  if (n < 3) later(n + 1);\n}\n",
      'b.js': "import { retry } from './a.js';\nexport function later(n) {\n  process.nextTick(retry, n);\n}\n",
    },
  ],
  [
    'a count that another file starts',
    {
      'a.js': "import { later } from './b.js';\nexport function run(left) {\n  if (!left) return;\n  later(left - 1);\n}\n",
      'b.js': "import { run } from './a.js';\nexport function later(left) {\n  process.nextTick(run, left);\n}\n",
    },
  ],
  [
    'a state machine',
    {
      'a.js': "import { later } from './b.js';\nexport function go(event) {\n  if (event === 'finish') return;\n  later(event);\n}\n",
      'b.js': "import { go } from './a.js';\nexport function later(event) {\n  process.nextTick(go, event);\n}\n",
    },
  ],
  [
    'an error',
    {
      'a.js': "import { fail } from './b.js';\nexport function open(err) {\n  if (err) fail(err);\n}\n",
      'b.js': "import { open } from './a.js';\nexport function fail(err) {\n  process.nextTick(open, err);\n}\n",
    },
  ],
  [
    'a real wait in the other file',
    {
      'a.js': "import { take } from './b.js';\nexport async function drain(jobs) {\n  await take(jobs);\n  return drain(jobs);\n}\n",
      'b.js': "import { readFile } from 'node:fs/promises';\nexport async function take(jobs) {\n  await readFile(jobs.shift());\n}\n",
    },
  ],
  [
    'a real wait two files away',
    {
      'a.js': "import { take } from './b.js';\nexport async function drain(jobs) {\n  await take(jobs);\n  return drain(jobs);\n}\n",
      'b.js': "import { run } from './c.js';\nexport async function take(jobs) {\n  await run(jobs.shift());\n}\n",
      'c.js':
        "import { setTimeout as sleep } from 'node:timers/promises';\nexport async function run(job) {\n  await sleep(1);\n  job();\n}\n",
    },
  ],
  [
    'a promise that is handed back',
    {
      'a.js': "import { take } from './b.js';\nexport async function drain(jobs) {\n  await take(jobs);\n  return drain(jobs);\n}\n",
      'b.js': 'export async function take(jobs) {\n  return jobs.shift().promise;\n}\n',
    },
  ],
  [
    'a function that is no async one',
    {
      'a.js': "import { take } from './b.js';\nexport async function drain(jobs) {\n  await take(jobs);\n  return drain(jobs);\n}\n",
      'b.js': 'export function take(jobs) {\n  return jobs.shift()();\n}\n',
    },
  ],
  [
    'a real wait of its own',
    {
      'a.js':
        "import { schedule } from './b.js';\nimport { readFile } from 'node:fs/promises';\nexport async function drain(jobs) {\n  await readFile(jobs.pop());\n  schedule(jobs);\n}\n",
      'b.js': "import { drain } from './a.js';\nexport function schedule(jobs) {\n  process.nextTick(() => drain(jobs));\n}\n",
    },
  ],
  [
    'a callback that is handed in',
    {
      'a.js': "import { defer } from './b.js';\nexport function ask(cb) {\n  defer(cb);\n}\nexport function again() {\n  ask(again);\n}\n",
      'b.js': 'export function defer(cb) {\n  process.nextTick(cb);\n}\n',
    },
  ],
  [
    'a walk over a tree',
    {
      'a.js':
        "import { visit } from './b.js';\nexport async function walk(node) {\n  await null;\n  for (const child of node.children) visit(child);\n}\n",
      'b.js': "import { walk } from './a.js';\nexport function visit(node) {\n  walk(node);\n}\n",
    },
  ],
  [
    'a function that may be one of two',
    {
      'a.js': "import { run } from './b.js';\nexport function go() {\n  run();\n}\n",
      'b.js':
        "import { go } from './a.js';\nimport { stop } from './c.js';\nexport let run = () => process.nextTick(go);\nexport function end() {\n  run = stop;\n}\n",
      'c.js': 'export function stop() {}\n',
    },
  ],
  [
    'a test',
    {
      'a.test.js': "import { schedule } from './b.test.js';\nexport function drain() {\n  schedule();\n}\nit('a', drain);\n",
      'b.test.js':
        "import { drain } from './a.test.js';\nexport function schedule() {\n  process.nextTick(drain);\n}\nit('b', schedule);\n",
    },
  ],
  [
    'the other file does not lead back',
    {
      'a.js': DRAIN,
      'b.js': "import { other } from './c.js';\nexport function schedule() {\n  process.nextTick(other);\n}\n",
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
