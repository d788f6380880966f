// Calls the user's function through small wrappers, many times: one long loop would be optimized as a whole and hide what happens in the
// function (Node 18, 20).
'use strict';
const v8 = require('node:v8');
const { describeError, makeWaited, now } = require('./records.cjs');

const waited = makeWaited();

const setImmediateOfNode = setImmediate;
const { toString: tagOf } = Object.prototype;
/** A full turn of the event loop: timers, input and output come to their right. */
const turn = () =>
  new Promise((resolve) => {
    setImmediateOfNode(resolve);
  });

// An endless generator must not keep the run for ever.
const MAX_DRAINED = 10_000;
const TURN_AT_LEAST_EVERY_MS = 20;

/** @typedef {'plain' | 'promise' | 'generator' | 'async-generator'} Mode */
/**
 * `make` and `use` are there for a call that makes its own arguments: the clock runs over `use` alone. `tidy` comes between the two.
 * `makingMs` is what `make` takes.
 * @typedef {{ fn: () => unknown, make?: () => unknown[], use?: (values: unknown[]) => unknown, tidy?: () => void, makingMs?: number, mode:
 * Mode | undefined, calls: number, thrown: number, firstError: object | undefined, firstMs: number | undefined, cut: boolean, sink: { last:
 * unknown } }} Call
 */

/**
 * Keeps V8 from optimizing the wrappers. An optimized wrapper would take the function into itself with its literal arguments,
 * and fold the work away; and an inlined function has no code of its own whose deoptimization could be seen.
 * @param {readonly Function[]} wrappers
 */
function neverOptimize(wrappers) {
  v8.setFlagsFromString('--allow-natives-syntax');
  try {
    const never = new Function('fn', '%NeverOptimizeFunction(fn)');
    for (const wrapper of wrappers) never(wrapper);
    return true;
  } catch {
    // A V8 without the intrinsic, or code generation from strings forbidden: the run goes on, and says so.
    return false;
  } finally {
    v8.setFlagsFromString('--no-allow-natives-syntax');
  }
}

/** @param {(() => unknown) & { make?: () => unknown[], use?: (values: unknown[]) => unknown }} fn @returns {Call} */
function makeCall(fn) {
  return {
    fn,
    make: fn.make,
    use: fn.use,
    mode: undefined,
    calls: 0,
    thrown: 0,
    firstError: undefined,
    firstMs: undefined,
    cut: false,
    sink: { last: undefined },
  };
}

/** @param {unknown} value @returns {Mode} */
function modeOf(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return 'plain';
  let tag;
  try {
    if (typeof (/** @type {{ then?: unknown }} */ (value).then) === 'function') return 'promise';
    tag = tagOf.call(value);
  } catch {
    // A getter or a Proxy of the user's: the call itself went well.
    return 'plain';
  }
  return tag === '[object Generator]' ? 'generator' : tag === '[object AsyncGenerator]' ? 'async-generator' : 'plain';
}

/** @param {Call} call @param {unknown} error */
function noteThrow(call, error) {
  call.thrown += 1;
  call.firstError ??= describeError(error);
}

/** @param {Call} call @param {unknown} value */
async function awaitResult(call, value) {
  const mode = modeOf(value);
  if (mode === 'promise') return await value;
  let left = MAX_DRAINED;
  if (mode === 'generator') {
    for (const item of /** @type {Iterable<unknown>} */ (value)) {
      call.sink.last = item;
      if ((left -= 1) === 0) {
        call.cut = true;
        break;
      }
    }
  } else if (mode === 'async-generator') {
    for await (const item of /** @type {AsyncIterable<unknown>} */ (value)) {
      call.sink.last = item;
      if ((left -= 1) === 0) {
        call.cut = true;
        break;
      }
    }
  } else return value;
  return call.sink.last;
}

/** The first call tells what the others give. @param {Call} call */
async function probe(call) {
  call.calls += 1;
  const waitedBefore = waited();
  const start = now();
  try {
    const value = call.fn();
    call.mode = modeOf(value);
    call.sink.last = await awaitResult(call, value);
  } catch (error) {
    call.mode ??= 'plain';
    noteThrow(call, error);
  }
  call.firstMs ??= Math.max(0, now() - start - (waited() - waitedBefore));
}

/** @param {Call} call @param {unknown[][]} values */
function preparedBatch(call, values) {
  const { sink } = call;
  const use = /** @type {(values: unknown[]) => unknown} */ (call.use);
  for (let i = 0; i < values.length; i += 1) {
    try {
      sink.last = use(/** @type {unknown[]} */ (values[i]));
    } catch (error) {
      noteThrow(call, error);
    }
  }
  call.calls += values.length;
}

/** @param {Call} call @param {number} times */
function plainBatch(call, times) {
  const { fn, sink } = call;
  for (let i = 0; i < times; i += 1) {
    // try/catch costs nothing on Node 18 and later while nothing is thrown (measured).
    try {
      sink.last = fn();
    } catch (error) {
      noteThrow(call, error);
    }
  }
  call.calls += times;
}

/** @param {Call} call @param {number} times @param {unknown[][]} [values] */
async function awaitedBatch(call, times, values) {
  const { sink } = call;
  const use = /** @type {(values: unknown[]) => unknown} */ (call.use);
  const fn = values ? (/** @type {number} */ i) => use(/** @type {unknown[]} */ (values[i])) : call.fn;
  for (let i = 0; i < times; i += 1) {
    call.calls += 1;
    try {
      sink.last = call.mode === 'promise' ? await fn(i) : await awaitResult(call, fn(i));
    } catch (error) {
      noteThrow(call, error);
    }
  }
}

/**
 * Not async itself: a plain batch must not wait for a microtask while it is timed.
 * @param {Call} call
 * @param {number} times
 * @param {unknown[][]} [values] as many, made before
 * @returns {Promise<void> | undefined}
 */
function batch(call, times, values) {
  if (call.mode !== 'plain') return awaitedBatch(call, times, values);
  if (values) preparedBatch(call, values);
  else plainBatch(call, times);
  // A function that gave a plain value (or threw) first and gives promises now.
  const mode = modeOf(call.sink.last);
  if (mode !== 'plain') call.mode = mode;
  return undefined;
}

/**
 * Calls until `limit` calls are done, `until` is past or `enough` says so, in batches of at most `size`, with turns of the loop in between.
 * @param {Call} call @param {{ limit: number, until: number, size: number, enough?: () => boolean }} bounds
 */
async function callOften(call, { limit, until, size, enough }) {
  let done = 0;
  if (!call.mode && limit > 0) {
    await probe(call);
    done = 1;
    // Two calls in one turn of the loop would be one block of twice the length.
    await turn();
  }
  let times = 1;
  let turned = now();
  while (done < limit && now() < until && !enough?.()) {
    const count = Math.min(times, size, limit - done);
    const waiting = batch(call, count);
    if (waiting) await waiting;
    done += count;
    times = Math.min(times * 2, size);
    if (size === 1 || now() - turned > TURN_AT_LEAST_EVERY_MS) {
      await turn();
      turned = now();
    }
  }
}

/** For the next phase; what the call gives is known by then. @param {Call} call */
function startOver(call) {
  Object.assign(call, { calls: 0, thrown: 0, firstError: undefined, cut: false });
}

/** @param {readonly Call[]} calls @param {number} phase */
function summary(calls, phase) {
  return {
    type: 'calls',
    phase,
    calls: calls.map(({ mode, calls: count, thrown, firstError, firstMs, cut }) => ({
      mode: mode ?? 'plain',
      calls: count,
      thrown,
      firstError,
      firstMs,
      cut,
    })),
  };
}

module.exports = { batch, callOften, makeCall, neverOptimize, probe, startOver, summary, turn };
