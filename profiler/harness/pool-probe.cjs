// Asks the thread pool for next to nothing, again and again: what that takes is the time in the queue. A thread of its own, so that a
// blocked event loop is not taken for a full pool; the pool belongs to the process.
'use strict';
const { stat } = require('node:fs');
const { parentPort, threadId, workerData } = require('node:worker_threads');
const { now, openRecords } = require('./records.cjs');

const EVERY_MS = 20;
const records = openRecords(workerData.folder, threadId);
/** @type {number[]} */
const delays = [];
/** When the one was asked for that has not come back. */
let open = 0;

const ask = () => {
  if (open > 0) return;
  open = now();
  stat(process.execPath, () => {
    delays.push(now() - open);
    open = 0;
  });
};
const timer = setInterval(ask, EVERY_MS);
ask();

parentPort?.once('message', () => {
  clearInterval(timer);
  // One that still waits has waited at least so long.
  if (open > 0) delays.push(now() - open);
  delays.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0;
  records.write({ type: 'pool-delay', count: delays.length, p50: at(0.5), p99: at(0.99), max: at(1) });
  process.exit();
});
