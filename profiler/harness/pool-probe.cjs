// Asks the thread pool for next to nothing, again and again: what that takes is the time in the queue. A thread of its own, so that a
// blocked event loop is not taken for a full pool; the pool belongs to the process.
'use strict';
const { stat } = require('node:fs');
const { parentPort, threadId, workerData } = require('node:worker_threads');
const { now, openRecords } = require('./records.cjs');

/** @param {number} everyMs @param {() => void} before @param {(ms: number) => void} after */
function askEvery(everyMs, before, after) {
  /** When the one was asked for that has not come back. */
  let open = 0;
  const ask = () => {
    if (open > 0) return;
    before();
    open = now();
    stat(process.execPath, (error) => {
      // What is forbidden does not go by the pool.
      if (!error) after(now() - open);
      open = 0;
    });
  };
  const timer = setInterval(ask, everyMs);
  ask();
  return () => {
    clearInterval(timer);
    return open;
  };
}

/** Under load: of the whole window. */
function askUnderLoad() {
  const EVERY_MS = 20;
  const records = openRecords(workerData.folder, threadId);
  /** @type {number[]} */
  const delays = [];
  const stop = askEvery(
    EVERY_MS,
    () => {
      /* Whatever else is in the pool. */
    },
    (ms) => delays.push(ms),
  );
  parentPort?.once('message', () => {
    const open = stop();
    // One that still waits has waited at least so long.
    if (open > 0) delays.push(now() - open);
    delays.sort((a, b) => a - b);
    const at = (/** @type {number} */ share) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0;
    records.write({ type: 'pool-delay', count: delays.length, p50: at(0.5), p99: at(0.99), max: at(1) });
    process.exit();
  });
}

/**
 * In a profile: apart for what is asked while a place has as many jobs pending as there are threads, or more, and while none has any
 * (pool-waits.cjs).
 * @param {{ pending: Int32Array, control: Int32Array, waits: Float64Array, open: Float64Array, everyMs: number }} shared
 */
function askBesideJobs({ pending, control, waits, open, everyMs }) {
  const places = pending.length;
  const most = waits.length / (places + 1) - 1;
  /** @type {number[]} */
  let slots = [];
  let isFirst = true;
  const stop = askEvery(
    everyMs,
    () => {
      if (Atomics.load(control, 1) === 1) {
        stop();
        process.exit();
      }
      const counts = [...pending.keys()].map((place) => Atomics.load(pending, place));
      slots = counts.flatMap((count, place) => (count >= (control[0] ?? 1) ? [place] : []));
      for (const place of counts.keys()) open[place + 1] = slots.includes(place) ? 1 : 0;
      open[0] = now();
      if (counts.every((count) => count === 0)) slots.push(places);
    },
    (ms) => {
      open[0] = 0;
      if (isFirst) parentPort?.postMessage('ready');
      isFirst = false;
      for (const slot of slots) {
        const from = slot * (most + 1);
        const count = waits[from] ?? 0;
        waits[from + 1 + (count % most)] = ms;
        waits[from] = count + 1;
      }
    },
  );
}

if (workerData.shared) askBesideJobs(workerData.shared);
else askUnderLoad();
