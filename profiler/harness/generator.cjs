// The process that sends the load. autocannon makes the requests; when each of them begins, and how long it took, is measured here:
// autocannon counts in whole milliseconds, sends a rate in one burst a second, and corrects its latencies for a rate by an interval of
// always one millisecond (9.0.0, run.js and httpClient.js).
'use strict';
const { readFileSync, renameSync, rmSync, writeFileSync, writeSync } = require('node:fs');
const { cpus } = require('node:os');
const { monitorEventLoopDelay, performance } = require('node:perf_hooks');
const autocannon = require('autocannon');
const hdr = require('hdr-histogram-js');
const { cpuTime, makeWaited, now } = require('./records.cjs');

const LOOPBACK = '127.0.0.1';
const US_PER_MS = 1000;
const NS_PER_MS = 1e6;
const MS_PER_S = 1000;
/** In a path, a header, or a body: the number of the request. */
const NUMBER = '{n}';
const RESOLUTION_MS = 2;
// What waits longer for its answer is given up.
const TIMEOUT_S = 10;
// So many failures in a row: the server is gone.
const MOST_FAILURES = 2000;
// Between the order and the beginning of the window, so that all processes have seen it.
const NOTICE_MS = 60;
const TICK_MS = 100;
const PERCENTILES = [50, 75, 90, 95, 97.5, 99, 99.9];
const FIRST_BAD_STATUS = 400;

/**
 * @typedef {{ protocol: 'http' | 'https', port: number, request: { method: string, path: string, headers?: Record<string, string>, body?:
 * string }, connections: number, rate?: number, warmUpMs: number, measureMs: number, windowFile: string }} Order
 */

/** @type {Order} */
const order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const { protocol, port, request, connections, rate, warmUpMs, measureMs, windowFile } = order;

const latencies = hdr.build({
  lowestDiscernibleValue: 1,
  highestTrackableValue: 600 * MS_PER_S * US_PER_MS,
  numberOfSignificantValueDigits: 3,
});
/** @type {Record<string, number>} */
const statuses = {};
/** @type {Record<string, number>} */
const failures = {};
let answered = 0;
let bytes = 0;
let inARow = 0;
let state = 'warm-up';
/** @type {number[]} answers by tick */
const perTick = [];

// Each connection has a turn of its own: at `rate` requests a second in all, one of n connections sends every n / rate seconds.
const everyMs = rate ? (connections * MS_PER_S) / rate : 0;
let index = 0;

/** @param {any} client of autocannon */
function setupClient(client) {
  const send = client._doRequest;
  let began = 0;
  let isOpen = false;
  /** The server has said that it closes the connection. */
  let isLast = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  let due = now() + (everyMs * index) / connections;
  index += 1;
  const start = (/** @type {number} */ at) => {
    began = at;
    isOpen = true;
    send.call(client);
  };
  client._doRequest = () => {
    isOpen = false;
    // The next connection asks again.
    if (isLast) {
      isLast = false;
      return;
    }
    if (everyMs === 0) {
      start(now());
      return;
    }
    // A connection that was opened again while it waited for its turn has one turn, not two.
    if (waiting) {
      clearTimeout(waiting);
      due -= everyMs;
    }
    const mine = due;
    due += everyMs;
    waiting = undefined;
    const left = mine - now();
    // It was due while the one before still waited for its answer: it has waited since then, too (coordinated omission).
    if (left <= 0) start(mine);
    else
      waiting = setTimeout(() => {
        waiting = undefined;
        if (!client.destroyed) start(now());
      }, left);
  };
  client.on('headers', (/** @type {{ shouldKeepAlive?: boolean }} */ { shouldKeepAlive }) => {
    isLast = shouldKeepAlive === false;
  });
  client.on('response', (/** @type {number} */ status, /** @type {number} */ size) => {
    inARow = 0;
    if (state !== 'window') return;
    answered += 1;
    bytes += size;
    statuses[status] = (statuses[status] ?? 0) + 1;
    // autocannon has not sent the next one yet.
    latencies.recordValue(Math.max(1, Math.round((now() - began) * US_PER_MS)));
  });
  const fail = (/** @type {string} */ what) => {
    inARow += 1;
    isOpen = false;
    if (state === 'window') failures[what] = (failures[what] ?? 0) + 1;
    if (inARow >= MOST_FAILURES) finish();
  };
  client.on('connError', (/** @type {NodeJS.ErrnoException} */ error) => fail(error.code ?? error.message));
  client.on('timeout', () => fail('no answer'));
  // A connection that the server closes while a request is under way is opened again by autocannon, and nothing is said.
  const connect = client._connect;
  client._connect = () => {
    if (isOpen && client.reqsMade > 0 && state !== 'done') fail('connection closed');
    isOpen = false;
    connect.call(client);
  };
}

let number = 0;

/** Each request with a number of its own. @param {{ path: string, headers: Record<string, string>, body?: string }} one */
function numbered(one) {
  number += 1;
  const filled = (/** @type {string} */ text) => text.replaceAll(NUMBER, String(number));
  return {
    ...one,
    path: filled(request.path),
    headers: Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name, filled(value)])),
    ...(request.body === undefined ? {} : { body: filled(request.body) }),
  };
}

/** All processors of the machine, in ms. */
function busyTime() {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

const instance = autocannon(
  {
    url: `${protocol}://${LOOPBACK}:${port}`,
    connections,
    // Ended by hand, at the end of the window.
    duration: (warmUpMs + measureMs) / MS_PER_S + TIMEOUT_S,
    sampleInt: TICK_MS,
    timeout: TIMEOUT_S,
    requests: [
      {
        method: request.method,
        path: request.path,
        headers: request.headers ?? {},
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(JSON.stringify(request).includes(NUMBER) && { setupRequest: numbered }),
      },
    ],
    setupClient,
    tlsOptions: { rejectUnauthorized: false },
  },
  () => {
    /* All figures are taken here. */
  },
);

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const waited = makeWaited();
const from = { time: 0, cpu: 0, waited: 0, busy: 0 };
/** @type {ReturnType<typeof performance.eventLoopUtilization>} */
let used;

setTimeout(() => {
  const start = now() + NOTICE_MS;
  // As a whole, for whoever looks for it.
  writeFileSync(`${windowFile}.part`, JSON.stringify({ start, end: start + measureMs }));
  renameSync(`${windowFile}.part`, windowFile);
  setTimeout(begin, NOTICE_MS);
}, warmUpMs);

function begin() {
  if (state !== 'warm-up') return;
  state = 'window';
  Object.assign(from, { time: now(), cpu: cpuTime(), waited: waited(), busy: busyTime() });
  used = performance.eventLoopUtilization();
  delay.enable();
  let before = 0;
  const ticks = setInterval(() => {
    perTick.push(answered - before);
    before = answered;
    if (state === 'done') clearInterval(ticks);
  }, TICK_MS);
  setTimeout(finish, measureMs);
}

function finish() {
  if (state === 'done') return;
  const isWhole = state === 'window' && inARow < MOST_FAILURES;
  const windowMs = state === 'window' ? now() - from.time : 0;
  const result = {
    isWhole,
    windowMs,
    answered,
    bytes,
    statuses,
    failures,
    bad: Object.entries(statuses).reduce((sum, [status, count]) => sum + (Number(status) >= FIRST_BAD_STATUS ? count : 0), 0),
    latency: {
      mean: latencies.mean / US_PER_MS,
      max: latencies.maxValue / US_PER_MS,
      percentiles: PERCENTILES.map((percent) => ({ percent, ms: latencies.getValueAtPercentile(percent) / US_PER_MS })),
    },
    perTick,
    generator: {
      cpuMs: cpuTime() - from.cpu,
      waitedMs: waited() - from.waited,
      utilization: used ? performance.eventLoopUtilization(used).utilization : 0,
      delayP99: Math.max(0, delay.percentile(99) / NS_PER_MS - RESOLUTION_MS) || 0,
      machineBusyMs: busyTime() - from.busy,
    },
  };
  state = 'done';
  /** @type {any} */ (instance).stop();
  // The server may go: what it would do to open connections is counted no more.
  rmSync(windowFile, { force: true });
  writeSync(1, `${JSON.stringify(result)}\n`);
  // Connections may be open still; nobody waits for their answers.
  process.exit(0);
}
