// The clean run: time per call, bytes allocated per call, garbage collections.
'use strict';
const { PerformanceObserver, performance } = require('node:perf_hooks');
const v8 = require('node:v8');
const { batch, makeCall, neverOptimize, probe, turn } = require('./calls.cjs');
const { makeWaited, now } = require('./records.cjs');

// Trap: warmed up in one long loop only, the same code read 0.33 or 3.7 ns on Node 24 (measured); many short rounds read the same each
// time.
const WARM_UP_ROUNDS = 60;
const WARM_UP_SHARE = 0.35;
const SAMPLES_SHARE = 0.85;
const WARM_UP_BATCH_MS = 1;
const SAMPLE_MS = 4;
const MAX_BATCH = 1_000_000;
const MAX_SAMPLES = 60;
const MIN_SAMPLES = 5;
const ALLOCATION_ROUNDS = 15;
// A sixteenth of the smallest young generation (16 MB): most rounds see no garbage collection.
const ALLOCATION_BYTES = 1_000_000;
const MAX_ALLOCATION_CALLS = 1000;
const NS_PER_MS = 1e6;
// The clock of the entries about collections, taken before the user's code can replace it.
const { now: performanceNow } = performance;
const entryTime = () => performanceNow.call(performance);

/** @param {number[]} numbers */
function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** What calling costs in itself: an empty function behind the same kind of wrapper. @param {import('./calls.cjs').Mode | undefined} mode */
function emptyCall(mode) {
  const nothing = (/** @type {number} */ first) => first;
  const nothingAsync = async (/** @type {number} */ first) => first;
  const wrapper = mode === 'promise' ? () => nothingAsync(1) : () => nothing(1);
  neverOptimize([wrapper]);
  return makeCall(wrapper);
}

function watchGc() {
  /** @type {{ startTime: number, duration: number }[]} */
  const entries = [];
  const observer = new PerformanceObserver((list) => {
    entries.push(...list.getEntries());
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    entries,
    async end() {
      await turn();
      await turn();
      entries.push(...observer.takeRecords());
      observer.disconnect();
    },
  };
}

/**
 * Bytes in use, those of buffers included, which lie outside of V8's heap. Node 26 also counts `total_allocated_bytes`, but by whole
 * allocation areas: 128 to 480 bytes were read for objects of 104.
 */
function heapBytes() {
  const { used_heap_size: used, external_memory: external } =
    /** @type {ReturnType<typeof v8.getHeapStatistics> & { external_memory: number }} */ (v8.getHeapStatistics());
  return used + external;
}

const waited = makeWaited();

/** @param {import('./calls.cjs').Call} call @param {number} times @returns {Promise<number>} ms */
async function timed(call, times) {
  await turn();
  // The clock around the other: what is waited for between the two is then taken off too little, and never too much.
  const start = now();
  const before = waited();
  const waiting = batch(call, times);
  if (waiting) await waiting;
  const idle = waited() - before;
  return now() - start - idle;
}

/** @param {import('./calls.cjs').Call[]} calls @param {number} end */
async function warmUp(calls, end) {
  /** @type {Map<import('./calls.cjs').Call, { size: number, perCall: number }>} */
  const pace = new Map(calls.map((call) => [call, { size: 1, perCall: 0 }]));
  for (let round = 0; round < WARM_UP_ROUNDS || now() < end; round += 1) {
    for (const call of calls) {
      const one = /** @type {{ size: number, perCall: number }} */ (pace.get(call));
      const ms = await timed(call, one.size);
      one.perCall = ms / one.size;
      if (ms < WARM_UP_BATCH_MS && one.size < MAX_BATCH) one.size *= 2;
      else if (ms > 2 * WARM_UP_BATCH_MS && one.size > 1) one.size = one.size >> 1;
    }
    if (now() > end) break;
  }
  return pace;
}

/** @param {import('./calls.cjs').Call} call @param {number} perCallMs @param {ReturnType<typeof watchGc>} gc */
async function allocationOf(call, perCallMs, gc) {
  let times = Math.max(1, Math.min(MAX_ALLOCATION_CALLS, Math.floor(SAMPLE_MS / Math.max(perCallMs, 1e-6))));
  /** @type {{ from: number, to: number, bytes: number }[]} */
  const rounds = [];
  const round = async (/** @type {number} */ count) => {
    const from = entryTime();
    const before = heapBytes();
    const waiting = batch(call, count);
    if (waiting) await waiting;
    const bytes = heapBytes() - before;
    return { from, to: entryTime(), bytes };
  };
  const first = await round(times);
  if (first.bytes > ALLOCATION_BYTES) times = Math.max(1, Math.floor((times * ALLOCATION_BYTES) / first.bytes));
  const reading = [];
  for (let i = 0; i < ALLOCATION_ROUNDS; i += 1) {
    reading.push((await round(0)).bytes);
    rounds.push(await round(times));
  }
  await turn();
  await turn();
  const untouched = rounds.filter(
    ({ from, to, bytes }) => bytes >= 0 && !gc.entries.some(({ startTime, duration }) => startTime < to && startTime + duration > from),
  );
  if (untouched.length < ALLOCATION_ROUNDS / 3) return undefined;
  return Math.max(0, (median(untouched.map(({ bytes }) => bytes)) - median(reading)) / times);
}

/**
 * @param {import('./calls.cjs').Call[]} calls
 * @param {{ measureMs: number }} input
 * @param {{ write(record: Record<string, unknown>): void }} records
 */
async function time(calls, { measureMs }, records) {
  const start = now();
  for (const call of calls) if (!call.mode) await probe(call);
  const modes = [...new Set(calls.map(({ mode }) => (mode === 'promise' ? mode : 'plain')))];
  const empties = modes.map(emptyCall);
  for (const empty of empties) await probe(empty);
  const all = [...calls, ...empties];
  const pace = await warmUp(all, start + measureMs * WARM_UP_SHARE);
  const sizes = all.map((call) =>
    Math.max(1, Math.min(MAX_BATCH, Math.floor(SAMPLE_MS / Math.max(pace.get(call)?.perCall ?? 0, SAMPLE_MS / MAX_BATCH)))),
  );
  const gc = watchGc();
  /** @type {number[][]} ns a call */
  const samples = all.map(() => []);
  const deadline = start + measureMs * SAMPLES_SHARE;
  for (let round = 0; round < MAX_SAMPLES && (now() < deadline || (round < MIN_SAMPLES && now() < start + measureMs)); round += 1) {
    // In turns, so that a change of the machine's speed meets all of them.
    for (const [index, call] of all.entries())
      samples[index]?.push(((await timed(call, sizes[index] ?? 1)) * NS_PER_MS) / (sizes[index] ?? 1));
  }
  await turn();
  const collections = [...gc.entries];
  const allocated = [];
  for (const call of calls)
    allocated.push(now() < start + measureMs * 2 ? await allocationOf(call, pace.get(call)?.perCall ?? 1, gc) : undefined);
  await gc.end();
  for (const [index, call] of calls.entries()) {
    const overhead = median(samples[calls.length + modes.indexOf(call.mode === 'promise' ? call.mode : 'plain')] ?? []);
    records.write({
      type: 'timing',
      call: index,
      samples: samples[index],
      callsPerSample: sizes[index],
      overhead,
      allocated: allocated[index],
    });
  }
  records.write({
    type: 'gc',
    count: collections.length,
    totalMs: collections.reduce((sum, { duration }) => sum + duration, 0),
    maxMs: Math.max(0, ...collections.map(({ duration }) => duration)),
  });
}

module.exports = { time };
