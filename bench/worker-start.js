// What a thread or a process costs that is started for one small job, against one that is running, and for how long the start itself holds
// the event loop.
//   node bench/worker-start.js [--header]    one line of the Markdown table on the page of the rule no-worker-per-request
// No dependencies, Node 18 or later.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

const ROUNDS = 21;

const folder = mkdtempSync(join(tmpdir(), 'worker-start-'));
const threadFile = join(folder, 'thread.cjs');
const processFile = join(folder, 'process.cjs');
writeFileSync(
  threadFile,
  "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (n) => parentPort.postMessage(2 * n));",
);
writeFileSync(processFile, "process.on('message', (n) => process.send(2 * n));");

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** Median of the whole time and of the time for which the call itself holds the loop. */
async function measure(begin, finish) {
  const whole = [];
  const held = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const started = begin();
    held.push(performance.now() - start);
    await once(started, 'message');
    whole.push(performance.now() - start);
    await finish?.(started);
  }
  return { whole: median(whole).toFixed(1), held: median(held).toFixed(1) };
}

const startThread = () => {
  const worker = new Worker(threadFile);
  worker.postMessage(1);
  return worker;
};
const startProcess = () => {
  const child = fork(processFile);
  child.send(1);
  return child;
};

const thread = await measure(startThread, (worker) => worker.terminate());
const child = await measure(startProcess, (one) => {
  one.disconnect();
  return once(one, 'exit');
});
const keptThread = startThread();
await once(keptThread, 'message');
const runningThread = await measure(() => {
  keptThread.postMessage(1);
  return keptThread;
});
const keptChild = startProcess();
await once(keptChild, 'message');
const runningChild = await measure(() => {
  keptChild.send(1);
  return keptChild;
});
keptChild.disconnect();
await keptThread.terminate();
rmSync(folder, { recursive: true, force: true });

if (process.argv.includes('--header'))
  console.log(
    '| Node | a thread is started | … of it on the loop | a running thread | a process is forked | … of it on the loop | a running process |\n|--|--|--|--|--|--|--|',
  );
console.log(
  `| ${process.versions.node} | ${thread.whole} | ${thread.held} | ${runningThread.whole} | ${child.whole} | ${child.held} | ${runningChild.whole} |`,
);
