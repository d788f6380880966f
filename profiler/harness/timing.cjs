// The clean run: time per call, bytes allocated per call, garbage collections.
'use strict';
const { PerformanceObserver, performance } = require('node:perf_hooks');
const v8 = require('node:v8');
const vm = require('node:vm');
const { batch, makeCall, neverOptimize, probe, turn } = require('./calls.cjs');
const { makeWaited, now } = require('./records.cjs');
const { THROW_SAMPLES, THROWS_PER_SAMPLE, throwerOf, throwers, unreadable } = require('./throw-cost.cjs');

// Trap: warmed up in one long loop only, the same code read 0.33 or 3.7 ns on Node 24 (measured); many short rounds read the same each
// time.
const WARM_UP_ROUNDS = 60;
const WARM_UP_SHARE = 0.35;
const SAMPLES_SHARE = 0.85;
const WARM_UP_BATCH_MS = 1;
const SAMPLE_MS = 4;
// Of calls whose large values take longer to make than to use: else there are too few samples.
const TIDIED_SAMPLE_MS = 1;
const MAX_BATCH = 1_000_000;
// As many are held at once where each call gets values of its own.
const MAX_PREPARED_BATCH = 20_000;
const PREPARED_BYTES = 4 * 1024 * 1024;
// Larger values lie where the collector left them: a sum over 100 objects read 140 to 257 ns in eight processes, and 165 to 205 ns after
// a minor collection behind making them. For small ones the collection itself disturbs more than it mends (Node 24).
const TIDIED_BYTES = 256;
// A sample holds so many of these batches.
const PREPARED_BATCHES = 5;
// With fewer the clock's own steps would be seen. What takes long to make would be seen more.
const LEAST_PREPARED = 20;
const LONG_TO_MAKE_MS = 0.01;
const MADE_AT_FIRST = 16;
const MAX_SAMPLES = 60;
const MIN_SAMPLES = 5;
// Calls that take longer may have used up the time before the first sample: what the warm-up measured of them is a sample, too.
const SLOW_CALL_MS = 20;
const ALLOCATION_ROUNDS = 15;
// A sixteenth of the smallest young generation (16 MB): most rounds see no garbage collection.
const ALLOCATION_BYTES = 1_000_000;
const MAX_ALLOCATION_CALLS = 1000;
const NS_PER_MS = 1e6;
// Calls whose texts that are no JSON are kept, and how long they may take.
const MOST_WATCHED_CALLS = 64;
const WATCHED_MS = 50;
// All of these texts once, at most; each sample takes them so many times.
const OWN_MOST_MS = 5;
const OWN_ROUNDS = 3;
// The clock of the entries about collections, taken before the user's code can replace it.
const { now: performanceNow } = performance;
const entryTime = () => performanceNow.call(performance);

/** @param {number[]} numbers */
function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/**
 * What calling costs in itself: an empty function behind the same kind of wrapper.
 * @param {import('./calls.cjs').Mode | undefined} mode @param {boolean} isPrepared
 */
function emptyCall(mode, isPrepared) {
  const nothing = (/** @type {number} */ first) => first;
  const nothingAsync = async (/** @type {number} */ first) => first;
  const wrapper = mode === 'promise' ? () => nothingAsync(1) : () => nothing(1);
  if (!isPrepared) {
    neverOptimize([wrapper]);
    return makeCall(wrapper);
  }
  const value = {};
  const make = () => [value];
  const use =
    mode === 'promise' ? (/** @type {any[]} */ values) => nothingAsync(values[0]) : (/** @type {any[]} */ values) => nothing(values[0]);
  neverOptimize([wrapper, make, use]);
  return makeCall(Object.assign(wrapper, { make, use }));
}

/**
 * Values for so many calls, fresh for each: the function may keep or change them. Undefined where the call makes its own.
 * @param {import('./calls.cjs').Call} call @param {number} times
 */
function valuesFor(call, times) {
  const { make } = call;
  if (!make) return undefined;
  try {
    const values = Array.from({ length: times }, () => make());
    call.tidy?.();
    return values;
  } catch {
    // It went well before: from now on the call makes its own, and what it throws is reported.
    call.make = undefined;
    return undefined;
  }
}

/** How many calls may have values of their own at once; 0 where they are too large. @param {import('./calls.cjs').Call} call */
function mostPrepared(call) {
  const start = now();
  const first = makeSome(call);
  call.makingMs = (now() - start) / MADE_AT_FIRST;
  let { bytes } = first;
  if (bytes > TIDIED_BYTES) {
    call.tidy = makeTidy();
    call.tidy();
    // What making leaves behind is no part of them: 1,000 objects with one key each took 71 kB, and 325 kB with that (Node 20).
    ({ bytes } = makeSome(call, first.values));
  }
  const most = powerBelow(Math.min(MAX_PREPARED_BATCH, PREPARED_BYTES / bytes));
  return most < LEAST_PREPARED && call.makingMs < LONG_TO_MAKE_MS ? 0 : most;
}

/**
 * Some values with what each takes, in bytes. Those made before are kept until then: what is collected meanwhile would count as less.
 * @param {import('./calls.cjs').Call} call @param {unknown[][]} [kept]
 */
function makeSome(call, kept = []) {
  const before = heapBytes();
  const values = valuesFor(call, MADE_AT_FIRST);
  const bytes = values ? Math.max(1, heapBytes() - before) / values.length : Infinity;
  return { values: [...kept, ...(values ?? [])], bytes };
}

/** A minor collection, where this Node lets one be asked for. */
function makeTidy() {
  v8.setFlagsFromString('--expose-gc');
  try {
    const collect = vm.runInNewContext('gc');
    return () => collect({ type: 'minor' });
  } catch {
    // Times are then less steady, and as true.
    return () => {};
  } finally {
    v8.setFlagsFromString('--no-expose-gc');
  }
}

/** The largest power of two up to it: the same in every process, though what was measured differs a little. @param {number} size */
function powerBelow(size) {
  return size < 1 ? 0 : 2 ** Math.floor(Math.log2(size));
}

/**
 * The first calls of a batch are slower than those behind them: batches of different sizes read 160 or 200 ns for the same sum over 100
 * objects (Node 24).
 * @param {import('./calls.cjs').Call} call @param {number} size
 */
function roundedSize({ make }, size) {
  return make ? powerBelow(size) : size;
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
/** A machine that others crowd is waited for so long at most, in ms: the host ends what does not come back. */
const MOST_HELD_UP_MS = 1500;

/**
 * A clock that stands still while this thread waits for a processor: warmed up by the clock on the wall, on a crowded machine V8 had not
 * optimized what was compared (five callbacks read 0.16 instead of 0.02 ms, with a load of 30 on two processors).
 */
function makeOwnClock() {
  const before = waited();
  return () => now() - Math.min(MOST_HELD_UP_MS, waited() - before);
}

/**
 * @typedef {{ from: number, to: number }} Window when the clock ran, on the clock of entries about collections
 * @param {import('./calls.cjs').Call} call @param {number} times @param {number} most with values of their own at once
 * @param {Window[]} [windows] added to
 * @returns {Promise<number>} ms
 */
async function timed(call, times, most, windows) {
  let total = 0;
  let done = 0;
  while (done < times) {
    const size = Math.min(most, times - done);
    const values = valuesFor(call, size);
    await turn();
    const from = entryTime();
    // The clock around the other: what is waited for between the two is then taken off too little, and never too much.
    const start = now();
    const before = waited();
    const waiting = batch(call, size, values);
    if (waiting) await waiting;
    const idle = waited() - before;
    total += now() - start - idle;
    windows?.push({ from, to: entryTime() });
    done += size;
  }
  return total;
}

/**
 * @param {import('./calls.cjs').Call[]} calls @param {() => number} own @param {number} end on that clock
 * @param {(call: import('./calls.cjs').Call) => number} limitOf
 */
async function warmUp(calls, own, end, limitOf) {
  /** @type {Map<import('./calls.cjs').Call, { size: number, perCall: number }>} */
  const pace = new Map(calls.map((call) => [call, { size: 1, perCall: 0 }]));
  for (let round = 0; round < WARM_UP_ROUNDS || own() < end; round += 1) {
    for (const call of calls) {
      const one = /** @type {{ size: number, perCall: number }} */ (pace.get(call));
      const ms = await timed(call, one.size, limitOf(call));
      one.perCall = ms / one.size;
      if (ms < WARM_UP_BATCH_MS && one.size * 2 <= limitOf(call)) one.size *= 2;
      else if (ms > 2 * WARM_UP_BATCH_MS && one.size > 1) one.size = one.size >> 1;
    }
    if (own() > end) break;
  }
  return pace;
}

/** @param {import('./calls.cjs').Call} call @param {number} perCallMs with making its values @param {ReturnType<typeof watchGc>} gc */
async function allocationOf(call, perCallMs, gc) {
  let times = Math.max(1, Math.min(MAX_ALLOCATION_CALLS, Math.floor(SAMPLE_MS / Math.max(perCallMs, 1e-6))));
  /** @type {{ from: number, to: number, bytes: number }[]} */
  const rounds = [];
  const round = async (/** @type {number} */ count) => {
    const values = valuesFor(call, count);
    const from = entryTime();
    const before = heapBytes();
    const waiting = batch(call, count, values);
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

// What is called directly throws in a function or two of its own.
const THROW_FRAMES = 2;

/**
 * Measured as the calls are, in turns of the loop and below the same functions: in one loop of its own, `JSON.parse` took 3.1 µs to fail,
 * and 4.3 µs here (Node 20).
 * @param {readonly string[]} texts that `JSON.parse` fails on in the calls: `own`
 */
async function throwCostInPlace(texts) {
  const kinds = { ...throwers(THROW_FRAMES), ...(texts.length > 0 && { own: throwerOf(texts, THROW_FRAMES) }) };
  const calls = Object.entries(kinds).map(([name, throwAndCatch]) => {
    const wrapper = () => throwAndCatch();
    neverOptimize([wrapper]);
    return { name, call: makeCall(wrapper), samples: /** @type {number[]} */ ([]) };
  });
  const ms = new Map(calls.map(({ name }) => [name, 0]));
  for (const { name, call } of calls) {
    await probe(call);
    ms.set(name, await timed(call, name === 'own' ? texts.length : THROWS_PER_SAMPLE, MAX_BATCH));
  }
  // Long texts take long to fail on.
  const isTooLong = ({ name = '' }) => name === 'own' && (ms.get(name) ?? 0) > OWN_MOST_MS;
  const measured = calls.filter((one) => !isTooLong(one));
  for (let round = 0; round < THROW_SAMPLES; round += 1)
    for (const { name, call, samples } of measured) {
      // Each of the texts as often.
      const times = name === 'own' ? texts.length * OWN_ROUNDS : THROWS_PER_SAMPLE;
      samples.push(((await timed(call, times, MAX_BATCH)) * NS_PER_MS) / times);
    }
  return Object.fromEntries(measured.map(({ name, samples }) => [name, samples]));
}

/**
 * What `JSON.parse` fails on in some calls, if that does not take too long.
 * @param {readonly import('./calls.cjs').Call[]} calls
 * @param {(call: import('./calls.cjs').Call) => number} limitOf @param {(call: import('./calls.cjs').Call) => number} paceOf ms a call
 */
async function textsOf(calls, limitOf, paceOf) {
  return unreadable(async () => {
    for (const call of calls) {
      const times = Math.min(MOST_WATCHED_CALLS, Math.floor(WATCHED_MS / Math.max(paceOf(call), 1e-6)));
      if (times > 0) await timed(call, times, limitOf(call));
    }
  });
}

/**
 * @param {import('./calls.cjs').Call[]} calls
 * @param {{ measureMs: number }} input
 * @param {{ write(record: Record<string, unknown>): void }} records
 */
async function time(calls, { measureMs }, records) {
  const own = makeOwnClock();
  const start = own();
  for (const call of calls) if (!call.mode) await probe(call);
  // Values that cannot be made apart from the call are the call's own.
  /** @type {Map<import('./calls.cjs').Call, number>} */
  const most = new Map(calls.map((call) => [call, call.make ? mostPrepared(call) : 0]));
  for (const call of calls) if (!most.get(call)) call.make = undefined;
  const kindOf = (/** @type {import('./calls.cjs').Call} */ { mode, make }) =>
    `${mode === 'promise' ? mode : 'plain'}${make ? ' prepared' : ''}`;
  const ownKinds = calls.map(kindOf);
  const kinds = [...new Set(ownKinds)];
  const empties = kinds.map((kind) => emptyCall(kind.startsWith('promise') ? 'promise' : 'plain', kind.endsWith('prepared')));
  for (const empty of empties) await probe(empty);
  // In batches of the same size: the first calls of one are slower than those behind them.
  for (const [index, empty] of empties.entries())
    if (empty.make) most.set(empty, Math.min(...calls.filter((_, i) => ownKinds[i] === kinds[index]).map((call) => most.get(call) ?? 0)));
  const all = [...calls, ...empties];
  const limitOf = (/** @type {import('./calls.cjs').Call} */ call) => (call.make ? (most.get(call) ?? MAX_PREPARED_BATCH) : MAX_BATCH);
  const pace = await warmUp(all, own, start + measureMs * WARM_UP_SHARE, limitOf);
  const sizes = all.map((call) =>
    Math.max(
      1,
      Math.min(
        call.make ? PREPARED_BATCHES * limitOf(call) : MAX_BATCH,
        roundedSize(
          call,
          Math.floor((call.tidy ? TIDIED_SAMPLE_MS : SAMPLE_MS) / Math.max(pace.get(call)?.perCall ?? 0, SAMPLE_MS / MAX_BATCH)),
        ),
      ),
    ),
  );
  const gc = watchGc();
  /** @type {number[][]} ns a call */
  const samples = all.map(() => []);
  /** @type {Window[]} */
  const windows = [];
  const deadline = start + measureMs * SAMPLES_SHARE;
  for (let round = 0; round < MAX_SAMPLES && (own() < deadline || (round < MIN_SAMPLES && own() < start + measureMs)); round += 1) {
    // In turns, so that a change of the machine's speed meets all of them.
    for (const [index, call] of all.entries())
      samples[index]?.push(((await timed(call, sizes[index] ?? 1, limitOf(call), windows)) * NS_PER_MS) / (sizes[index] ?? 1));
  }
  for (const [index, call] of all.entries()) {
    const [perCall, size] = [pace.get(call)?.perCall ?? 0, sizes[index] ?? 1];
    if (samples[index]?.length === 0)
      samples[index]?.push((perCall < SLOW_CALL_MS ? (await timed(call, size, limitOf(call), windows)) / size : perCall) * NS_PER_MS);
  }
  await turn();
  // Not those of making values.
  const collections = gc.entries.filter((one) => windows.some(({ from, to }) => one.startTime < to && one.startTime + one.duration > from));
  const allocated = [];
  for (const call of calls) {
    const perCall = (pace.get(call)?.perCall ?? 1) + (call.make ? (call.makingMs ?? 0) : 0);
    const isInTime = own() + (1 + ALLOCATION_ROUNDS) * perCall < start + measureMs * 2;
    allocated.push(isInTime ? await allocationOf(call, perCall, gc) : undefined);
  }
  await gc.end();
  const texts = await textsOf(calls, limitOf, (call) => pace.get(call)?.perCall ?? 0);
  records.write({ type: 'throw-cost', ...(await throwCostInPlace(texts)) });
  for (const index of calls.keys()) {
    const overhead = median(samples[calls.length + kinds.indexOf(ownKinds[index] ?? '')] ?? []);
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
