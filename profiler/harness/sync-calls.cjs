// Wraps every blocking core call, and says where the user made it and how long it took. `--trace-sync-io` misses readFileSync(p, 'utf8')
// and existsSync from Node 20 on.
'use strict';
const Module = require('node:module');
const { types } = require('node:util');
const { awaitedRecord, endFirst, isThenable, makeAwaited, whenFirstIsOver } = require('./awaited.cjs');
// It takes the class of threads before that is wrapped.
const { makePoolWaits } = require('./pool-waits.cjs');
const { makeWaited, now, userPlaces, userStack } = require('./records.cjs');

const MODULES = ['fs', 'child_process', 'zlib', 'crypto', 'sqlite', 'v8', 'process', 'worker_threads'];
/** Methods of `process.report`. */
const REPORT_METHODS = ['writeReport', 'getReport'];

/** Calls that block unless a callback stands at this position. */
const BLOCKING_WITHOUT_CALLBACK = {
  crypto: { randomBytes: 1, pseudoRandomBytes: 1, sign: 3, verify: 4, encapsulate: 1, decapsulate: 2, diffieHellman: 1 },
};
/** Calls that always block, and do not say so in their name. */
const ALWAYS_BLOCKING = {
  // Starting one takes about a millisecond of the thread that starts it.
  child_process: ['spawn', 'fork', 'exec', 'execFile'],
  worker_threads: ['Worker'],
  v8: ['writeHeapSnapshot', 'getHeapSnapshot'],
  process: ['loadEnvFile'],
  crypto: ['createDiffieHellman', 'privateDecrypt', 'privateEncrypt', 'publicDecrypt', 'publicEncrypt'],
};
/** Methods of objects: every call of node:sqlite is synchronous, by design. */
const METHODS = {
  fs: { Dir: ['readSync', 'closeSync'] },
  crypto: { Sign: ['sign'], Verify: ['verify'] },
  sqlite: {
    DatabaseSync: ['exec', 'open', 'close', 'applyChangeset', 'loadExtension', 'serialize', 'deserialize'],
    StatementSync: ['run', 'get', 'all', 'iterate'],
  },
};
// JSON of a small object is nothing; what follows takes about 0.1 ms and more.
const LARGE_JSON = 64 * 1024;
/** The names of loops. */
const LOOP = /^(?:for|while|do)$/;
const FLUSH_EVERY_MS = 500;
const MAX_PLACES = 1000;
/** A call that throws never stops its clock: so many calls may be in each other, and the rest is of those. */
const MOST_NESTED = 100;
// What the clock can tell: no call takes less, for its logarithm.
const CLOCK_MS = 1e-4;
/**
 * The first calls at a place load what they need, and run code that is not warm: `gzipSync` of 3 bytes took 0.9 ms at first, and 0.05 ms
 * later.
 */
const COLD_CALLS = 3;
/**
 * V8 optimizes Node's own code like any other: `existsSync` took 1.3 to 1.6 µs in the first 1,200 calls of a process, and 0.84 µs from then
 * on (Node 20). If there are enough of the later ones, they count; and of several thousand, the last ones.
 */
const UNOPTIMIZED_CALLS = 1500;
const ENOUGH_OPTIMIZED = 500;
/** Enough for V8 to compile the clock: the first half is not counted. */
const EMPTY_CALLS = 1000;
/** Hooks inside of a clock are many, or matter little: until V8 has optimized them, they take several times as long. */
const HOT_CALLS = 5000;
/** Of that half: all but the longest 5 %. */
const USUAL_CALLS = 475;
// Of what took longer the wait for a processor is taken off; asking for it takes some microseconds.
const HELD_UP_MS = 0.05;

/** So many stacks of a hook are read while a clock runs, and then those after so many calls, by turns: calls may come at a regular pace. */
const READ_STACKS = 50;
const READ_AFTER = [16, 11, 19, 13, 23, 7, 17];
/** Beside a call that takes so long, in ms, reading its stack is little. Its time must count at its own place. */
const READ_FROM_MS = 0.02;

/**
 * @typedef {{ file: string, line: number, column: number }} Place
 * @typedef {{ calls: { name: string, place: Place, round?: import('./awaited.cjs').Round, isJob?: boolean, isPart?: boolean, own?: number,
 * setsPrototype?: boolean }[], putIn: import('./records.cjs').PutIn[] }} Clocks calls that no wrapper sees, with clocks around them in the
 * text of their file
 */

// Taken before the user's code can replace them.
const { queueMicrotask: micro } = globalThis;
const { stringify } = JSON;
const { getPrototypeOf } = Object;
/** Asking a proxy runs code of the program. @param {unknown} value */
function prototypeOf(value) {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && !types.isProxy(value) ? getPrototypeOf(value) : undefined;
}

/** @param {readonly number[]} sorted */
function middleOf(sorted) {
  return sorted[sorted.length >> 1] ?? 0;
}

/** @param {{ write(record: Record<string, unknown>): void }} records @param {any} input with its clocks */
function installSyncCalls(records, input) {
  /** @type {Clocks | undefined} */
  const clocks = input.clocks;
  const pool = clocks?.calls.some(({ isJob }) => isJob)
    ? makePoolWaits(input, clocks.calls.length, (text) => records.write({ type: 'problem', text }))
    : undefined;
  let armed = false;
  /** From how many ms on a call is recorded as one that may have blocked the loop. */
  let longMs = Infinity;
  let depth = 0;
  let left = 0;
  let flushed = now();
  /**
   * Of jobs of the thread pool, `job` is the number of the clock. `started` of them were ready, after `startMs` in all.
   * @typedef {{ name: string, place: object | undefined, inside: object | undefined, count: number, totalMs: number, maxMs: number, minMs:
   * number, squaresMs: number, logs: number, logSquares: number, warm?: { count: number, totalMs: number, squaresMs: number, logs: number,
   * logSquares: number }, optimized?: Seen['warm'], before?: Seen['warm'], restartsAt: number, clockMs?: number, started?: number, startMs?:
   * number, changed?: number, job?: number, turn?: number, turnMs?: number, maxTurnMs?: number } & import('./awaited.cjs').Awaited} Seen
   * @type {Map<string, Seen>}
   */
  const seen = new Map();
  const waited = makeWaited();
  /** What the wrappers themselves have taken, most of it to read a stack: no time of the call around them. */
  let ownMs = 0;
  /** How long the thread had waited for a processor, and when that was asked. */
  let [waitedMs, askedAt] = [waited(), now()];
  /** @param {number} at */
  const begun = (at) => ({ waited: waitedMs, ownMs, at, job: /** @type {{ ends?: () => void } | undefined} */ (undefined) });
  const begin = () => {
    const entered = now();
    // Asking takes longer than many a call. A wait since then would have made more time pass.
    if (entered - askedAt < HELD_UP_MS) return begun(entered);
    waitedMs = waited();
    askedAt = now();
    ownMs += askedAt - entered;
    return begun(askedAt);
  };
  /** Without what a crowded machine adds: a look for a file read 5.8 ms once. @param {ReturnType<typeof begin>} began */
  const since = (began) => {
    const ms = Math.max(0, now() - began.at - (ownMs - began.ownMs));
    return ms < HELD_UP_MS ? ms : Math.max(0, ms - (waited() - began.waited));
  };
  /** What the wrappers show of what does nothing, in ms, and what they add to the clock around them that they cannot tell themselves. */
  const empty = { hook: 0, hookInClock: 0, beginInClock: 0, clock: 0, clockInClock: 0 };

  /** The clocks that run, by their numbers, outermost first. @type {number[]} */
  const running = [];
  let isToReset = false;
  /** How often the stack was empty after a clock had run. */
  let turn = 0;
  const reset = () => {
    isToReset = false;
    turn += 1;
    running.length = 0;
  };
  /** @param {number} call */
  const enter = (call) => {
    // A call that throws leaves its number behind, until the turn is over.
    if (!isToReset) {
      isToReset = true;
      micro(reset);
    }
    running.push(call);
  };
  /** @param {number} call */
  const leave = (call) => {
    const at = running.lastIndexOf(call);
    if (at >= 0) running.length = at;
  };

  const flush = () => {
    flushed = now();
    const calls = [...seen.values()].map(({ job, optimized, before, restartsAt: _, turn: _turn, turnMs: _turnMs, ...entry }) => ({
      ...entry,
      ...awaitedRecord(entry),
      ...(before && { warm: before }),
      ...(optimized && optimized.count >= ENOUGH_OPTIMIZED && { warm: optimized }),
      ...(pool && job !== undefined && { pool: pool.of(job) }),
    }));
    records.write({ type: 'sync-calls', calls, left });
  };

  /** @param {{ squaresMs: number, logs: number, logSquares: number }} sums @param {number} ms @param {number} log */
  const addTo = (sums, ms, log) => {
    sums.squaresMs += ms * ms;
    sums.logs += log;
    sums.logSquares += log * log;
  };

  const keyOf = (/** @type {unknown[]} */ ...where) => stringify(where);
  const noTimes = () => ({ count: 0, totalMs: 0, squaresMs: 0, logs: 0, logSquares: 0 });
  /** @param {ReturnType<typeof noTimes>} sums @param {number} ms @param {number} log */
  const addLater = (sums, ms, log) => {
    sums.count += 1;
    sums.totalMs += ms;
    addTo(sums, ms, log);
  };

  /** @param {string} name @param {{ place: object | undefined, inside: object | undefined }} where @returns {Seen | undefined} */
  const entryOf = (name, { place, inside }) => {
    const key = keyOf(name, place, inside);
    const known = seen.get(key);
    if (known) return known;
    if (seen.size >= MAX_PLACES) {
      left += 1;
      return undefined;
    }
    const entry = { name, place, inside, ...noTimes(), maxMs: 0, minMs: Infinity, restartsAt: UNOPTIMIZED_CALLS };
    seen.set(key, entry);
    return entry;
  };

  /** @param {Seen | undefined} entry @param {number} ms */
  const add = (entry, ms) => {
    if (entry) {
      const log = Math.log(Math.max(ms, CLOCK_MS));
      addLater(entry, ms, log);
      entry.maxMs = Math.max(entry.maxMs, ms);
      entry.minMs = Math.min(entry.minMs, ms);
      if (entry.count > COLD_CALLS) addLater((entry.warm ??= noTimes()), ms, log);
      if (entry.count === entry.restartsAt) {
        entry.before = entry.optimized;
        entry.optimized = noTimes();
        entry.restartsAt *= 2;
      }
      if (entry.optimized) addLater(entry.optimized, ms, log);
    }
    if (now() - flushed > FLUSH_EVERY_MS) flush();
  };

  /** Loops that run one after the other block together. @param {Seen | undefined} entry @param {number} ms */
  const addToTurn = (entry, ms) => {
    if (!entry) return;
    entry.turnMs = ms + (entry.turn === turn ? (entry.turnMs ?? 0) : 0);
    entry.turn = turn;
    entry.maxTurnMs = Math.max(entry.maxTurnMs ?? 0, entry.turnMs);
  };

  /** @param {string} name @param {number} ms @param {{ place: object | undefined, inside: object | undefined }} where */
  const note = (name, ms, where) => {
    const entry = entryOf(name, where);
    add(entry, ms);
    return entry;
  };

  /** A thread is of use when it is online, long after its constructor has returned. @param {any} worker @param {Seen | undefined} entry */
  const noteReady = (worker, entry) => {
    const start = now();
    worker.once('online', () => {
      if (!entry) return;
      entry.started = (entry.started ?? 0) + 1;
      entry.startMs = (entry.startMs ?? 0) + now() - start;
    });
  };

  const { noteList, notePending, noteRound, pend } = makeAwaited((entry, pending) => {
    const { job } = /** @type {Seen} */ (entry);
    if (job === undefined) return;
    pool?.set(job, pending);
    // It blocks nothing, even where it never ends.
    entry.awaitedMs ??= 0;
  });

  /**
   * @typedef {(args: unknown[], result: unknown, self: unknown, ms: number) => boolean} Counts asked after the call
   * @typedef {{ name: string, original: Function, wrapper: Function, counts?: Counts, callsBack: boolean, byClock: Map<number, KnownPlace>,
   * shortOnes: number }} Hook so many calls in a row did not count
   * @typedef {{ entry: Seen | undefined, reads: number, unread: number, isOne: boolean }} KnownPlace where a hook was called while a clock
   * runs
   */

  /**
   * Reading a stack takes longer than many a call, and leaves garbage. While one clock runs, thousands of calls mostly come from one place:
   * after some of them, not every stack of a short call is read, until another place shows.
   * @param {Hook} hook @param {number} ms
   */
  const placeOf = ({ name, wrapper, byClock }, ms) => {
    const clock = running.at(-1);
    if (clock === undefined) return entryOf(name, userPlaces(wrapper));
    let known = byClock.get(clock);
    if (!known) byClock.set(clock, (known = { entry: undefined, reads: 0, unread: 0, isOne: true }));
    if (known.isOne && known.reads >= READ_STACKS && ms < READ_FROM_MS) {
      known.unread += 1;
      if (known.unread < (READ_AFTER[known.reads % READ_AFTER.length] ?? 0)) return known.entry;
    }
    const entry = entryOf(name, userPlaces(wrapper));
    if (known.reads > 0 && entry !== known.entry) known.isOne = false;
    known.entry = entry;
    known.reads += 1;
    known.unread = 0;
    return entry;
  };

  /** @param {Function} original @param {Function} wrapper @param {unknown} self @param {unknown[]} args @param {Function} [target] of `new` */
  const callOf = (original, wrapper, self, args, target) =>
    target ? Reflect.construct(original, args, target === wrapper ? original : target) : Reflect.apply(original, self, args);

  /**
   * One for all hooks: V8 optimizes each closure apart, and a hook of few calls would be slower than the empty one that it is compared
   * with.
   * @param {Hook} hook @param {unknown} self @param {unknown[]} args @param {Function} [target]
   */
  const timed = (hook, self, args, target) => {
    const { name, original, wrapper, counts, callsBack } = hook;
    if (!callsBack) depth += 1;
    const start = begin();
    let result;
    try {
      result = callOf(original, wrapper, self, args, target);
      return result;
    } finally {
      const ms = armed ? Math.max(0, since(start) - empty.hook) : 0;
      const to = now();
      if (callsBack) depth += 1;
      // What waited for a processor is no call that takes long.
      if (to - start.at >= longMs && to - start.at - (waited() - start.waited) >= longMs)
        records.write({ type: 'long-call', name, from: start.at, to, stack: userStack(wrapper) });
      if (armed && (!counts || counts(args, result, self, ms))) {
        const entry = placeOf(hook, ms);
        add(entry, ms);
        hook.shortOnes = 0;
        if (name === 'worker_threads.Worker' && result) noteReady(result, entry);
      } else if (armed) hook.shortOnes += 1;
      ownMs += now() - to + empty.hookInClock;
      depth -= 1;
    }
  };

  /** A call that counts after many that were too short to. @param {Hook} hook @param {number} ms */
  const noteLong = (hook, ms) => {
    const to = now();
    depth += 1;
    add(placeOf(hook, ms), ms);
    hook.shortOnes = 0;
    ownMs += now() - to + empty.hookInClock;
    depth -= 1;
  };

  /**
   * @param {any} holder @param {string} key @param {string} name
   * @param {Counts} [counts]
   * @param {boolean} [callsBack] it runs the user's code (`toJSON`), whose own calls count
   * @param {{ argument(value: unknown): boolean, result?(value: unknown): boolean }} [isShort] a call with such a first argument takes less
   * than a look at the clock; one with such a result probably does
   */
  const wrap = (holder, key, name, counts, callsBack = false, isShort = undefined) => {
    const descriptor = Object.getOwnPropertyDescriptor(holder, key);
    const original = descriptor?.value;
    if (typeof original !== 'function' || (!descriptor?.writable && !descriptor?.configurable)) return;
    // A function, not an arrow: some of these are constructors, and `this` goes through.
    /** @type {any} */
    const wrapper = /** @this {any} */ function (/** @type {unknown[]} */ ...args) {
      if ((!armed && longMs === Infinity) || depth > 0 || isShort?.argument(args[0]))
        return callOf(original, wrapper, this, args, new.target);
      if (isShort?.result && armed && longMs === Infinity && hook.shortOnes > READ_STACKS && running.length > 0) {
        const start = begin();
        const result = callOf(original, wrapper, this, args, new.target);
        // The clock around them has their time.
        if (isShort.result(result)) ownMs += empty.beginInClock;
        else noteLong(hook, Math.max(0, since(start) - empty.beginInClock));
        return result;
      }
      return timed(hook, this, args, new.target);
    };
    /** @type {Hook} */
    const hook = { name, original, wrapper, counts, callsBack, byClock: new Map(), shortOnes: 0 };
    // `fs.realpathSync.native`, `util.promisify.custom`, `length`, `name`, `prototype`: all as they were.
    for (const own of Reflect.ownKeys(original)) {
      const was = Object.getOwnPropertyDescriptor(original, own);
      const has = Object.getOwnPropertyDescriptor(wrapper, own);
      if (was && (!has || has.configurable)) Object.defineProperty(wrapper, own, was);
      else if (was && has?.writable) wrapper[own] = was.value;
    }
    if (typeof wrapper.native === 'function') wrap(wrapper, 'native', `${name}.native`);
    Object.defineProperty(holder, key, { ...descriptor, value: wrapper });
  };

  /** A wrapped call that does nothing, as those that count. */
  const emptyHook = () => {
    armed = true;
    holder.nothing();
    armed = false;
  };
  /** @type {number[]} */
  const hooked = [];
  const holder = {
    nothing() {
      /* As it says. */
    },
  };
  wrap(holder, 'nothing', 'nothing', (_args, _result, _self, ms) => {
    hooked.push(ms);
    // All that comes after a call has run by the time that counts.
    return hooked.length < EMPTY_CALLS / 2;
  });
  for (let i = 0; i < EMPTY_CALLS; i += 1) emptyHook();
  seen.clear();
  empty.hook = middleOf(hooked.slice(EMPTY_CALLS / 2).sort((a, b) => a - b));

  if (clocks) {
    whenFirstIsOver(
      () => armed,
      () => {
        for (const entry of seen.values()) endFirst(entry);
      },
    );
    // One more than there are calls, for those that do nothing.
    const began = [...clocks.calls, undefined].map(() => /** @type {ReturnType<typeof begin>[]} */ ([]));
    /** A key for each call would be garbage that is collected while a clock runs. @type {(Seen | undefined)[]} */
    const entries = [];
    /** @param {Function} callback @param {{ ends?: () => void }} job */
    const ending = (callback, job) =>
      /** @this {unknown} */ function (/** @type {unknown[]} */ ...args) {
        job.ends?.();
        job.ends = undefined;
        return Reflect.apply(callback, this, args);
      };
    /** What the clock shows of a call that does nothing on average, with what a busy machine adds, in ms. */
    let clockMs = 0;
    /** @type {unknown[][]} */
    const prototypes = clocks.calls.map(() => []);
    const clock = Object.freeze({
      /** @param {number} call @param {unknown} object that it sets the prototype of */
      from(call, object) {
        const open = prototypes[call];
        if (open && open.length >= MOST_NESTED) open.length = 0;
        open?.push(prototypeOf(object));
        return object;
      },
      /** @param {number} call @param {unknown} argument the last one, which is worked out by now */
      begin(call, argument) {
        const open = began[call];
        if (open && open.length >= MOST_NESTED) open.length = 0;
        const job = clocks.calls[call]?.isJob && typeof argument === 'function' ? {} : undefined;
        enter(call);
        const start = begin();
        start.job = job;
        open?.push(start);
        return job ? ending(/** @type {Function} */ (argument), job) : argument;
      },
      /** @param {number} call @param {unknown} result */
      end(call, result) {
        leave(call);
        const start = began[call]?.pop();
        const before = prototypes[call]?.pop();
        const ms = start === undefined ? undefined : Math.max(0, since(start) - empty.clock);
        const known = clocks.calls[call];
        const to = now();
        if (!armed || !known || ms === undefined) return result;
        const isMore = known.isPart || known.own !== undefined;
        const entry = (entries[call] ??= isMore
          ? seen.get(keyOf(known.name, known.place, undefined))
          : entryOf(known.name, { place: known.place, inside: undefined }));
        if (!isMore) add(entry, ms);
        if (LOOP.test(known.name)) addToTurn(entry, ms);
        if (known.own !== undefined) {
          const list = noteList(result, entry, known.own);
          ownMs += now() - to;
          return list;
        }
        if (entry) entry.clockMs = clockMs;
        if (entry && known.setsPrototype) entry.changed = (entry.changed ?? 0) + Number(prototypeOf(result) !== before);
        if (entry && known.isJob) {
          entry.job = call;
          if (start?.job) start.job.ends = pend(entry);
        }
        // What is awaited may be a promise of Node's own in its place: `await` calls its `then` as this does, once.
        const value = known.round && isThenable(result) ? Promise.resolve(result) : result;
        notePending(value, entry, call);
        if (known.round) noteRound(value, entry, known.round);
        ownMs += now() - to + empty.clockInClock;
        return value;
      },
    });
    const nothing = clocks.calls.length;
    /** Sorted, those of the first half left out. @param {() => void} [inside] */
    const clocked = (inside, count = EMPTY_CALLS) =>
      Array.from({ length: count }, () => {
        clock.begin(nothing, undefined);
        inside?.();
        const start = began[nothing]?.pop();
        return start ? since(start) : 0;
      })
        .slice(count / 2)
        .sort((a, b) => a - b);
    const alone = clocked();
    // Without this, 300 calls of `shift` per request were confirmed.
    empty.clock = middleOf(alone);
    // Once in a while, another program is on the processor for milliseconds.
    const usual = alone.slice(0, USUAL_CALLS);
    clockMs = usual.reduce((sum, ms) => sum + ms, 0) / usual.length;
    empty.hookInClock = Math.max(0, middleOf(clocked(emptyHook, HOT_CALLS)) - empty.clock);
    empty.beginInClock = Math.max(0, middleOf(clocked(begin)) - empty.clock);
    empty.clockInClock = Math.max(0, middleOf(clocked(() => clock.end(nothing, clock.begin(nothing, undefined)))) - empty.clock);
    // No declaration hides a string's constructor. It may be frozen.
    Reflect.defineProperty(''.constructor, 'nodometer.clock', { value: clock });
  }

  for (const name of MODULES) {
    // node:sqlite warns when it is loaded; it is wrapped when the program loads it.
    if (name !== 'sqlite') wrapModule(name, require(`node:${name}`));
  }

  /** @param {string} name @param {any} exports */
  function wrapModule(name, exports) {
    for (const key of Object.keys(exports)) if (key.endsWith('Sync') && !/^[A-Z]/.test(key)) wrap(exports, key, `${name}.${key}`);
    for (const key of ALWAYS_BLOCKING[name] ?? []) wrap(exports, key, `${name}.${key}`);
    for (const [key, callback] of Object.entries(BLOCKING_WITHOUT_CALLBACK[name] ?? {}))
      wrap(exports, key, `${name}.${key}`, (args) => typeof args[callback] !== 'function');
    for (const [className, methods] of Object.entries(METHODS[name] ?? {})) {
      if (exports[className]) for (const key of methods) wrap(exports[className].prototype, key, `${name}.${className}.${key}`);
    }
  }

  // It is made when it is first read.
  for (const key of REPORT_METHODS) wrap(process.report, key, `process.report.${key}`);
  wrap(Atomics, 'wait', 'Atomics.wait');
  const isLarge = (/** @type {unknown} */ text) => typeof text === 'string' && text.length >= LARGE_JSON;
  const isSmall = (/** @type {unknown} */ text) => !isLarge(text);
  // Of a buffer, it makes a text that may be long.
  const isShortText = (/** @type {unknown} */ text) => typeof text === 'string' && text.length < LARGE_JSON;
  wrap(JSON, 'parse', 'JSON.parse', (args) => isLarge(args[0]), true, { argument: isShortText });
  const isShortValue = (/** @type {unknown} */ value) =>
    value === null || (typeof value !== 'object' && typeof value !== 'function' && !isLarge(value));
  wrap(JSON, 'stringify', 'JSON.stringify', (_args, result) => isLarge(result), true, { argument: isShortValue, result: isSmall });

  // A module that is in the cache already costs nothing; loading one reads and compiles files.
  const modules = /** @type {any} */ (Module);
  const load = modules._load;
  let loaded = Object.keys(modules._cache).length;
  let sqliteWrapped = false;
  const wrapSqlite = (/** @type {any} */ exports) => {
    if (!sqliteWrapped) wrapModule('sqlite', exports);
    sqliteWrapped = true;
  };
  const wrappedLoad = /** @this {unknown} */ function _load(/** @type {unknown[]} */ ...args) {
    const outermost = armed && depth === 0;
    if (outermost) {
      depth += 1;
      loaded = Object.keys(modules._cache).length;
    }
    const start = begin();
    try {
      const exports = Reflect.apply(load, this, args);
      if (/^(?:node:)?sqlite$/.test(String(args[0]))) wrapSqlite(exports);
      return exports;
    } finally {
      if (outermost) {
        if (Object.keys(modules._cache).length > loaded) note('require', since(start), userPlaces(wrappedLoad));
        depth -= 1;
      }
    }
  };
  modules._load = wrappedLoad;
  // Names imported from core modules by ES modules are copies; this renews them.
  Module.syncBuiltinESMExports();

  return {
    arm() {
      // An ES module's import does not come by here; by now it is done.
      const { moduleLoadList } = /** @type {{ moduleLoadList?: string[] }} */ (/** @type {unknown} */ (process));
      if (moduleLoadList?.includes('NativeModule sqlite')) wrapSqlite(Reflect.apply(load, modules, ['node:sqlite']));
      pool?.arm();
      armed = true;
    },
    ready: () => pool?.ready(),
    finish() {
      armed = false;
      flush();
      pool?.finish();
    },
    /** From now on, calls that take so many ms are recorded one by one; none with `Infinity`. @param {number} ms */
    tellLong(ms) {
      longMs = ms;
    },
  };
}

module.exports = { installSyncCalls };
