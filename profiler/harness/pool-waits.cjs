// How long everything else waits for the thread pool while jobs of a place are pending. A thread of its own asks (pool-probe.cjs); this one
// counts the jobs, in memory that both share.
'use strict';
const { join } = require('node:path');
const { Worker } = require('node:worker_threads');
const { now } = require('./records.cjs');
const { asOwn, ownThread } = require('./threads.cjs');

// Taken before the user's code can replace it.
const { setTimeout: after, clearTimeout: cancel } = globalThis;
const DEFAULT_THREADS = 4;
/** A thread that is not there by then misses the first calls. */
const MOST_STARTING_MS = 2000;
/** Of each place; more say nothing new. */
const MOST_WAITS = 256;

/** How often the probe asks, in ms. */
const EVERY_MS = 5;

const middle = (/** @type {number[]} */ list) => list.sort((a, b) => a - b)[list.length >> 1] ?? 0;

/**
 * What is asked for at any time waits for about so long: the median, in which each wait weighs as much as it takes. Short ones are many,
 * since the next one follows at once. A single one that took long may be chance: the second longest is the most that it can be.
 * @param {number[]} list
 */
function usual(list) {
  const sorted = [...list].sort((a, b) => b - a);
  const weight = (/** @type {number} */ ms) => Math.max(ms, EVERY_MS);
  let left = sorted.reduce((sum, ms) => sum + weight(ms), 0) / 2;
  const found = sorted.find((ms) => (left -= weight(ms)) <= 0) ?? 0;
  return Math.min(found, sorted[1] ?? 0);
}

/** @param {any} input @param {number} places @param {(text: string) => void} tell */
function makePoolWaits({ folder }, places, tell) {
  /** Jobs that are pending at each place. */
  const pending = new Int32Array(new SharedArrayBuffer(places * Int32Array.BYTES_PER_ELEMENT));
  /** [0] the threads, [1] 1 at the end. */
  const control = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  // For each place, and at last for no place at all: how many waits there were, and the last ones.
  const waits = new Float64Array(new SharedArrayBuffer((places + 1) * (MOST_WAITS + 1) * Float64Array.BYTES_PER_ELEMENT));
  // [0] when the one was asked for that has not come back, and [1 …] 1 for each place that it waits for.
  const open = new Float64Array(new SharedArrayBuffer((places + 1) * Float64Array.BYTES_PER_ELEMENT));
  const waitsOf = (/** @type {number} */ slot) => {
    const from = slot * (MOST_WAITS + 1);
    return [...waits.subarray(from + 1, from + 1 + Math.min(MOST_WAITS, waits[from] ?? 0))];
  };

  /** @type {Promise<void> | undefined} */
  let ready;

  return {
    arm() {
      // What the program has set by now, though it may be too late: more threads than there are make it harder to find a queue.
      control[0] = Math.max(1, Math.floor(Number(process.env.UV_THREADPOOL_SIZE)) || DEFAULT_THREADS);
      const worker = asOwn(
        new Worker(join(__dirname, 'pool-probe.cjs'), {
          workerData: { folder, shared: { pending, control, waits, open, everyMs: EVERY_MS } },
          ...ownThread(),
        }),
      );
      ready = new Promise((resolve) => {
        const limit = after(resolve, MOST_STARTING_MS);
        worker.once('message', () => {
          cancel(limit);
          worker.unref();
          resolve();
        });
        worker.on('error', (error) => {
          tell(`The delay of the thread pool was not measured: ${error.message}`);
          resolve();
        });
      });
    },
    /** Resolves when it asks. */
    ready: () => ready,
    /** @param {number} place @param {number} count */
    set(place, count) {
      Atomics.store(pending, place, count);
    },
    finish() {
      Atomics.store(control, 1, 1);
    },
    /** @param {number} place */
    of(place) {
      const here = waitsOf(place);
      // One that still waits has waited at least so long.
      if ((open[0] ?? 0) > 0 && open[place + 1] === 1) here.push(now() - (open[0] ?? 0));
      const most = Math.max(0, ...here);
      return { threads: control[0] ?? 0, asked: here.length, ms: usual(here), maxMs: most, restMs: middle(waitsOf(places)) };
    },
  };
}

module.exports = { makePoolWaits };
