// What a process under load says of itself. The window is watched by clocks alone, unless it is there to find causes (`diagnoses`): then
// blocking calls, the stacks of blocks, the thread pool and what stays on the heap are told, too, which slows the program down.
'use strict';
const { subscribe } = require('node:diagnostics_channel');
const { join } = require('node:path');
const { PerformanceObserver, monitorEventLoopDelay, performance } = require('node:perf_hooks');
const v8 = require('node:v8');
const vm = require('node:vm');
const { Worker } = require('node:worker_threads');
const { cpuTime, makeWaited, now } = require('./records.cjs');
const { asOwn, tellThreads, UNMEASURED_UNDER_LOAD } = require('./threads.cjs');

const { setInterval: every, setTimeout: after, clearInterval: stop } = globalThis;
const { eventLoopUtilization } = performance;
const memoryUsage = process.memoryUsage.bind(process);

const NS_PER_MS = 1e6;
// Of the timer that measures the delay; values of the histogram include it.
const RESOLUTION_MS = 2;
// A timer of JavaScript that finds what the histogram of a slice cannot; it may be late by a millisecond without any delay.
const PROBE_MS = 10;
const ROUNDING_MS = 1;
const SLICES = 40;
const LEAST_SLICE_MS = 50;
// Requests that were under way when the window ended are answered, or given up, by then.
const SETTLE_MS = 150;

/** Channels of Node's own modules, and of the undici that `fetch` is made of. */
const CHANNELS = /** @type {const} */ ({
  sockets: 'net.client.socket',
  outgoing: 'http.client.request.start',
  fetches: 'undici:request:create',
});

/** @param {any} input @param {{ write(record: Record<string, unknown>): void }} records */
function makeInside(input, records) {
  const isDeep = input.diagnoses === true;
  tellThreads(records, UNMEASURED_UNDER_LOAD);
  // Wrapped before the program takes them.
  const calls = isDeep ? require('./sync-calls.cjs').installSyncCalls(records, input) : undefined;
  const watchdog = isDeep ? require('./watchdog.cjs').installWatchdog({ ...input, requests: [] }, records) : undefined;
  watchdog?.begin();

  const counts = { started: 0, finished: 0, sockets: 0, outgoing: 0, fetches: 0 };
  let active = 0;
  let mostActive = 0;
  subscribe('http.server.request.start', () => {
    counts.started += 1;
    active += 1;
    activeSum += active;
    if (active > mostActive) mostActive = active;
  });
  subscribe('http.server.response.finish', () => {
    counts.finished += 1;
    active -= 1;
  });
  if (isDeep)
    for (const [name, channel] of Object.entries(CHANNELS))
      subscribe(channel, () => {
        counts[/** @type {keyof typeof CHANNELS} */ (name)] += 1;
      });

  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  // The one is read and emptied by slices. (Node 20 adds no delays to a histogram of one's own.)
  const whole = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const less = (/** @type {number} */ ns) => Math.max(0, ns / NS_PER_MS - RESOLUTION_MS);
  const samplesOf = (/** @type {import('node:perf_hooks').IntervalHistogram} */ histogram) => /** @type {any} */ (histogram).count;
  /** @type {{ duration: number }[]} */
  const collections = [];
  const gc = new PerformanceObserver((list) => {
    collections.push(...list.getEntries());
  });
  const waited = makeWaited();
  /** @type {{ at: number, delay: number, utilization: number, requests: number, heap: number }[]} */
  const slices = [];
  let state = 'before';
  let from = { time: 0, cpu: 0, waited: 0, heap: 0 };
  let before = { ...counts };
  let most = { heap: 0, rss: 0 };
  /** At the moments at which requests began. */
  let activeSum = 0;
  /** @type {ReturnType<typeof eventLoopUtilization> | undefined} */
  let used;
  /** @type {ReturnType<typeof eventLoopUtilization> | undefined} */
  let usedBySlice;
  let finishedBySlice = 0;
  /** @type {ReturnType<typeof every> | undefined} */
  let timer;
  /** @type {ReturnType<typeof every> | undefined} */
  let probe;
  let probedAt = 0;
  let latest = 0;
  /** @type {(() => void) | undefined} */
  let collect;
  /** @type {Worker | undefined} */
  let poolProbe;

  const look = () => {
    latest = Math.max(latest, now() - probedAt - PROBE_MS - ROUNDING_MS);
  };
  const slice = () => {
    // Before anything is read: reading takes time, too.
    const at = now() - from.time;
    look();
    const { heapUsed, rss } = memoryUsage();
    most = { heap: Math.max(most.heap, heapUsed), rss: Math.max(most.rss, rss) };
    slices.push({
      at,
      // A histogram that was emptied takes no delay until its timer has fired once, and a loop that is blocked fires it once a slice.
      delay: Math.max(samplesOf(delay) > 0 ? less(delay.max) : 0, latest),
      utilization: eventLoopUtilization.call(performance, usedBySlice).utilization,
      requests: counts.finished - finishedBySlice,
      heap: heapUsed,
    });
    usedBySlice = eventLoopUtilization.call(performance);
    finishedBySlice = counts.finished;
    delay.reset();
    latest = 0;
  };

  return {
    isWatching: () => state !== 'before',
    begin() {
      if (state !== 'before') return;
      state = 'watching';
      if (isDeep) {
        v8.setFlagsFromString('--expose-gc');
        collect = vm.runInNewContext('gc');
        collect?.();
        poolProbe = asOwn(
          new Worker(join(__dirname, 'pool-probe.cjs'), {
            workerData: { folder: input.folder },
            execArgv: [],
            stdout: false,
            stderr: false,
          }),
        );
        poolProbe.unref();
        poolProbe.on('error', (error) =>
          records.write({ type: 'problem', text: `The delay of the thread pool was not measured: ${error.message}` }),
        );
        calls?.arm();
        watchdog?.arm();
      }
      gc.observe({ entryTypes: ['gc'] });
      const { heapUsed, rss } = memoryUsage();
      from = { time: now(), cpu: cpuTime(), waited: waited(), heap: heapUsed };
      most = { heap: heapUsed, rss };
      before = { ...counts };
      mostActive = active;
      activeSum = 0;
      finishedBySlice = counts.finished;
      used = eventLoopUtilization.call(performance);
      usedBySlice = used;
      delay.enable();
      whole.enable();
      probedAt = from.time;
      latest = 0;
      probe = every(() => {
        look();
        probedAt = now();
      }, PROBE_MS);
      probe.unref();
      timer = every(slice, Math.max(LEAST_SLICE_MS, input.measureMs / SLICES));
      timer.unref();
    },
    /** The histogram learns of a block only when its timer fires again. */
    flush: () =>
      new Promise((resolve) => {
        after(resolve, 2 * RESOLUTION_MS);
      }),
    /** @param {boolean} isWhole the window was watched to its end */
    finish(isWhole) {
      if (state !== 'watching') return;
      state = 'done';
      stop(timer);
      slice();
      stop(probe);
      delay.disable();
      whole.disable();
      calls?.finish();
      watchdog?.finish();
      poolProbe?.postMessage('end');
      collections.push(...gc.takeRecords());
      gc.disconnect();
      const windowMs = now() - from.time;
      const hasDelay = samplesOf(whole) > 0;
      records.write({
        type: 'load',
        isWhole,
        windowMs,
        started: counts.started - before.started,
        finished: counts.finished - before.finished,
        activeMean: activeSum / Math.max(1, counts.started - before.started),
        activeMax: mostActive,
        cpuMs: cpuTime() - from.cpu,
        waitedMs: waited() - from.waited,
        utilization: eventLoopUtilization.call(performance, used).utilization,
        delay: {
          p50: less(whole.percentile(50)),
          p90: less(whole.percentile(90)),
          p99: less(whole.percentile(99)),
          // A loop that never turned is in no histogram.
          max: hasDelay ? less(whole.max) : windowMs,
        },
        gcTime: {
          count: collections.length,
          totalMs: collections.reduce((sum, { duration }) => sum + duration, 0),
          maxMs: Math.max(0, ...collections.map(({ duration }) => duration)),
        },
        heap: { start: from.heap, max: most.heap, rss: most.rss },
        slices,
        ...(isDeep && {
          counts: {
            sockets: counts.sockets - before.sockets,
            outgoing: counts.outgoing - before.outgoing,
            fetches: counts.fetches - before.fetches,
          },
        }),
      });
    },
    /** What stays on the heap when the requests are over. */
    async afterwards() {
      if (!collect) return;
      await new Promise((resolve) => {
        after(resolve, SETTLE_MS);
      });
      collect();
      records.write({ type: 'heap-kept', before: from.heap, after: memoryUsage().heapUsed });
    },
  };
}

module.exports = { makeInside };
