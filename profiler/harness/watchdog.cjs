// The watched thread's part of the watchdog: a heartbeat, probes for the three queues, the delay of the event loop.
'use strict';
const { join } = require('node:path');
const { PerformanceObserver, monitorEventLoopDelay, performance } = require('node:perf_hooks');
const { Worker } = require('node:worker_threads');
const { Beat, PAUSE_STRIDE, Phase } = require('./heartbeat.cjs');
const { cpuTime, makeWaited, makeWorked, now } = require('./records.cjs');
const { asOwn, ownThread } = require('./threads.cjs');

// Taken before the user's code can replace them.
const { setInterval: every, clearInterval: stop, setTimeout: after, setImmediate: immediately, queueMicrotask: micro } = globalThis;
const { nextTick } = process;
const { stringify } = JSON;
const { wait } = Atomics;
const { eventLoopUtilization } = performance;

const BEAT_MS = 2;
// Shorter ones are nobody's concern.
const PAUSE_MS = 10;
const MOST_PAUSES = 64;
// The watchdog's thread looks every 5 ms; on a crowded machine it waits for its turn.
const MOST_TELLING_MS = 200;
// Values of the histogram include its resolution (measured on Node 18 to 26): the smallest one is taken, and taken off.
const RESOLUTION_MS = 1;
const NS_PER_MS = 1e6;
/** Upper ends of the delays that are counted together, in ms; what is longer is the last one's. */
const EDGES_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const HALVINGS = 24;
const MOST_PROBES = 6;

/**
 * How many samples were how long: the histogram tells values by share, so the share of each value is searched for.
 * @param {import('node:perf_hooks').IntervalHistogram} delay
 */
function bucketsOf(delay) {
  const { count } = /** @type {any} */ (delay);
  let before = 0;
  return [...EDGES_MS, Infinity].map((upTo) => {
    let low = 0;
    let high = 100;
    for (let i = 0; i < HALVINGS && upTo < Infinity; i += 1) {
      const middle = (low + high) / 2;
      if (delay.percentile(Math.max(middle, 1e-9)) / NS_PER_MS - RESOLUTION_MS <= upTo) low = middle;
      else high = middle;
    }
    // The histogram rounds: of n samples, the one of number k stands for shares from (k - 0.5) / n to (k + 0.5) / n.
    const until = upTo < Infinity ? Math.round((high / 100) * count - 0.5) : count;
    const bucket = { ...(upTo < Infinity ? { upTo } : {}), count: Math.max(0, until - before) };
    before = Math.max(before, until);
    return bucket;
  });
}

/**
 * @param {{ folder: string, thresholdMs: number, endlessMs?: number, requests?: object[], isCompiled?: boolean, hidden?: { file: string,
 * line: number }, clocks?: import('./sync-calls.cjs').Clocks }} input
 * @param {{ write(record: Record<string, unknown>): void }} records
 */
function installWatchdog(input, records) {
  // [0] time of the last beat, [1] 1 after start-up, 2 while another phase has its turn: then only what never ends is reported; 3 when
  // nothing is to be watched any more.
  const beats = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT * (Beat.Pauses + PAUSE_STRIDE * MOST_PAUSES)));
  let pauses = 0;
  // 1 once the watchdog's thread has written what went on until the end.
  const told = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const [waited, worked] = [makeWaited(), makeWorked()];
  let [waitedBefore, workedBefore] = [waited(), worked()];
  beats[Beat.Last] = now();
  /**
   * @type {{ cpuAtPost: number, micro?: number, tick?: number, immediate?: number }[]} processor time of the process, in ms; of one block
   */
  let probes = [];
  /** What the thread has worked for the watchdog in one block, in ms, and since when it does so now. */
  let asked = 0;
  /** @type {number | undefined} */
  let askedSince;
  const endAsked = () => {
    if (askedSince !== undefined) asked += worked() - askedSince;
    askedSince = undefined;
  };
  const ask = (/** @type {boolean} */ first) => {
    /** @type {typeof probes[number]} */
    const mine = { cpuAtPost: cpuTime() };
    endAsked();
    if (first) [probes, asked, askedSince] = [[], 0, worked()];
    // The first two tell of what is over, the last ones of what goes on.
    if (probes.length >= MOST_PROBES) probes.splice(2, 1);
    probes.push(mine);
    micro(() => {
      mine.micro = cpuTime();
    });
    nextTick(() => {
      mine.tick = cpuTime();
    });
    immediately(() => {
      mine.immediate = cpuTime();
    });
  };
  // Called by the watchdog through the inspector while this thread is stuck: which queue still runs tells what keeps the loop.
  Object.defineProperty(globalThis, Symbol.for('nodometer.probe'), {
    value: Object.freeze({
      ask,
      /** What comes now is work for the watchdog, until it asks. */
      look() {
        askedSince = worked();
      },
      /** And asks anew, as long as there is no turn. */
      read() {
        const text = stringify({ probes, read: cpuTime(), asked });
        if (probes.length > 1 && probes.every(({ immediate }) => immediate === undefined)) ask(false);
        return text;
      },
    }),
  });
  const worker = asOwn(
    new Worker(join(__dirname, 'watchdog-worker.cjs'), {
      workerData: {
        beats: beats.buffer,
        told: told.buffer,
        folder: input.folder,
        thresholdMs: input.thresholdMs,
        endlessMs: input.endlessMs,
        startsSlowly: input.requests !== undefined || input.isCompiled === true,
        beatMs: BEAT_MS,
        hidden: input.hidden,
        putIn: input.clocks?.putIn,
      },
      ...ownThread(),
    }),
  );
  worker.unref();
  worker.on('error', (error) => records.write({ type: 'problem', text: `The watchdog stopped: ${error.message}` }));
  // Reported here, at the first beat after it: the watchdog's thread may come to look much later.
  const notePause = (/** @type {number} */ at) => {
    endAsked();
    const [last, waitedNow, workedNow] = [beats[Beat.Last] ?? 0, waited(), worked()];
    if (at - last > PAUSE_MS) {
      beats.set([last, at - last, waitedNow - waitedBefore, workedNow - workedBefore], Beat.Pauses + PAUSE_STRIDE * (pauses % MOST_PAUSES));
      pauses += 1;
    }
    [waitedBefore, workedBefore] = [waitedNow, workedNow];
  };
  const heart = every(() => {
    const at = now();
    notePause(at);
    beats[Beat.Last] = at;
  }, BEAT_MS);
  heart.unref();

  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  /** @type {{ duration: number }[]} */
  const collections = [];
  const gc = new PerformanceObserver((list) => {
    collections.push(...list.getEntries());
  });
  let start = 0;
  /** @type {ReturnType<typeof eventLoopUtilization> | undefined} */
  let utilization;

  return {
    begin() {
      beats[Beat.Phase] = Phase.Aside;
    },
    arm() {
      beats[Beat.Phase] = Phase.Watching;
      gc.observe({ entryTypes: ['gc'] });
      start = now();
      utilization = eventLoopUtilization.call(performance);
      delay.enable();
      // The histogram needs one firing of its timer to measure from.
      after(() => delay.reset(), 3 * RESOLUTION_MS).unref();
    },
    /** The histogram learns of a block only when its timer fires again. */
    flush: () =>
      new Promise((resolve) => {
        after(resolve, 5 * RESOLUTION_MS);
      }),
    finish() {
      if (!utilization) return;
      const end = now();
      delay.disable();
      const sinceBeat = end - (beats[Beat.Last] ?? end) - BEAT_MS;
      const less = (/** @type {number} */ ns) => Math.max(0, ns / NS_PER_MS - RESOLUTION_MS);
      const used = eventLoopUtilization.call(performance, utilization);
      collections.push(...gc.takeRecords());
      gc.disconnect();
      records.write({
        type: 'loop-delay',
        resolution: RESOLUTION_MS,
        p50: less(delay.percentile(50)),
        p90: less(delay.percentile(90)),
        p99: less(delay.percentile(99)),
        // A block that ends with the process is in no histogram.
        max: Math.max(less(delay.max), sinceBeat),
        utilization: used.utilization,
        threshold: input.thresholdMs,
        window: end - start,
        lastBlock: Math.max(0, sinceBeat),
        histogram: bucketsOf(delay),
      });
      records.write({
        type: 'gc',
        count: collections.length,
        totalMs: collections.reduce((sum, { duration }) => sum + duration, 0),
        maxMs: Math.max(0, ...collections.map(({ duration }) => duration)),
      });
      notePause(end);
      // It cannot be asked any more: which queues ran, and which did not, it has to be told.
      worker.postMessage({ probes, read: cpuTime(), asked });
      // Another phase may come, which has the machine for itself.
      beats[Beat.Phase] = Phase.Done;
      stop(heart);
      // A process that ends in a block takes the watchdog's thread along, which may not have written it down.
      if (sinceBeat >= input.thresholdMs) wait(told, 0, 0, MOST_TELLING_MS);
    },
  };
}

module.exports = { installWatchdog };
