// How long what timed calls return is awaited: together, one alone, one after the other, and beside others of a list.
'use strict';
const { subscribe } = require('node:diagnostics_channel');
const { types } = require('node:util');
const { now } = require('./records.cjs');

// Taken before the user's code can replace it.
const { then } = Promise.prototype;
/** Of these, the shortest and the longest count for nothing: a busy machine holds some up, and a kept answer is not there the first time. */
const CUT_PART = 0.1;
/** Fewer have no ends that could be cut off. */
const LEAST_TO_CUT = 3;
/** More say nothing new. */
const MOST_ROUNDS = 1000;

/**
 * One of `of` reads that run one after the other, by its number from 0; `isLast` is the last call of the last read. Several calls may belong
 * to one read: those that get its answer, and then its body.
 * @typedef {{ id: number, index: number, of: number, isLast: boolean, isPart?: boolean }} Round
 */

/**
 * What is known of a place. Promises of its calls were pending for `awaitedMs`, together as one if they overlap: now `pending` are, since
 * `pendingSince`, and never more than `peak` were. `alone` has the clocks that stand at it, by their numbers: the shortest of the promises
 * that are pending together, and the sum of these over all such times. `overlaps` are those of the rounds, in ms. A list was awaited `lists`
 * times, for `laterMs` in all after the others in it. `firstAwaitedMs` and `firstLaterMs` are what the first request took of it.
 * @typedef {{ pending?: number, pendingSince?: number, awaitedMs?: number, peak?: number, alone?: Map<number, Alone>, rounds?: number,
 * overlaps?: number[], mixedRounds?: number, lists?: number, laterMs?: number, firstAwaitedMs?: number, firstLaterMs?: number }} Awaited
 * @typedef {{ pending: number, shortest: number, times: number, ms: number }} Alone
 */

/** @param {unknown} value */
function isThenable(value) {
  return typeof value === 'object' && value !== null && typeof (/** @type {{ then?: unknown }} */ (value).then) === 'function';
}

/** @param {Promise<unknown>} promise @param {() => void} settled */
function whenSettled(promise, settled) {
  Reflect.apply(then, promise, [settled, settled]);
}

/** The mean of what is left of the list when both of its ends are cut off. @param {readonly number[]} list */
function usual(list) {
  const cut = list.length < LEAST_TO_CUT ? 0 : Math.ceil(list.length * CUT_PART);
  const kept = [...list].sort((a, b) => a - b).slice(cut, list.length - cut);
  return kept.length === 0 ? 0 : kept.reduce((sum, ms) => sum + ms, 0) / kept.length;
}

/** As the records have it, in ms. The first round fills caches and opens connections: it counts only if it is the only one. @param {Awaited} entry */
function awaitedRecord({ alone, overlaps, rounds }) {
  const each = [...(alone?.values() ?? [])].filter(({ times }) => times > 0);
  return {
    pending: undefined,
    pendingSince: undefined,
    alone: undefined,
    overlaps: undefined,
    ...(each.length > 0 && { aloneMs: each.reduce((sum, { ms, times }) => sum + ms / times, 0) }),
    ...(overlaps && rounds && { overlapMs: usual(overlaps.length > 1 ? overlaps.slice(1) : overlaps) * rounds }),
  };
}

/**
 * Calls back once, when a request comes after another one has been answered: the first one opens connections, and runs code that is not warm.
 * @param {() => boolean} counts whether requests count yet
 * @param {() => void} done
 */
function whenFirstIsOver(counts, done) {
  let active = 0;
  let answered = 0;
  let isOver = false;
  subscribe('http.server.request.start', () => {
    if (isOver || !counts()) return;
    // The program may ask itself.
    if (active === 0 && answered > 0) {
      isOver = true;
      done();
    }
    active += 1;
  });
  subscribe('http.server.response.finish', () => {
    if (active === 0) return;
    active -= 1;
    answered += 1;
  });
}

/** @param {Awaited} entry */
function endFirst(entry) {
  if (entry.awaitedMs !== undefined) entry.firstAwaitedMs = entry.awaitedMs;
  if (entry.laterMs !== undefined) entry.firstLaterMs = entry.laterMs;
  entry.alone?.clear();
}

/** @param {(entry: Awaited, pending: number) => void} tell how many promises of a place are pending now */
function makeAwaited(tell) {
  /** @param {Awaited} entry @returns what ends it */
  const pend = (entry) => {
    const change = (/** @type {number} */ by) => {
      entry.pending = (entry.pending ?? 0) + by;
      tell(entry, entry.pending);
    };
    if (!entry.pending) entry.pendingSince = now();
    change(1);
    entry.peak = Math.max(entry.peak ?? 0, entry.pending ?? 0);
    return () => {
      change(-1);
      if (entry.pending === 0) entry.awaitedMs = (entry.awaitedMs ?? 0) + now() - (entry.pendingSince ?? now());
    };
  };

  /**
   * How long a promise is pending. Only one of Node's own: what else has a `then`, such as a query of a builder, may do its work when it is
   * called. Its rejection counts as handled then: a program that handles it nowhere goes on.
   * @param {unknown} result @param {Awaited | undefined} entry @param {number} call its clock
   */
  const notePending = (result, entry, call) => {
    if (!entry || !types.isPromise(result)) return;
    const ends = pend(entry);
    entry.alone ??= new Map();
    const alone = entry.alone.get(call) ?? { pending: 0, shortest: Infinity, times: 0, ms: 0 };
    entry.alone.set(call, alone);
    alone.pending += 1;
    const start = now();
    whenSettled(result, () => {
      ends();
      alone.pending -= 1;
      alone.shortest = Math.min(alone.shortest, now() - start);
      if (alone.pending > 0) return;
      alone.times += 1;
      alone.ms += alone.shortest;
      alone.shortest = Infinity;
    });
  };

  /**
   * Reads that wait for each other: a round begins with the first of them and ends when all are answered. Rounds at the same time have the
   * same places, and are not told apart.
   * @type {Map<number, { times: number[], pending: number, isMixed: boolean }>}
   */
  const rounds = new Map();

  /** @param {unknown} result @param {Awaited | undefined} entry @param {Round} round */
  const noteRound = (result, entry, { id, index, of, isLast, isPart }) => {
    if (!entry || !types.isPromise(result)) return;
    const last = rounds.get(id);
    let round = last;
    if (!round || (index === 0 && !isPart)) {
      round = { times: [], pending: 0, isMixed: last !== undefined && last.pending > 0 };
      if (last && round.isMixed) last.isMixed = true;
      rounds.set(id, round);
    }
    const own = round;
    if (own.pending > 0) own.isMixed = true;
    own.pending += 1;
    const start = now();
    whenSettled(result, () => {
      own.pending -= 1;
      own.times[index] = (own.times[index] ?? 0) + now() - start;
      if (!isLast) return;
      const known = own.times.filter((ms) => ms !== undefined);
      if (own.isMixed) entry.mixedRounds = (entry.mixedRounds ?? 0) + 1;
      else if (known.length === of) {
        entry.rounds = (entry.rounds ?? 0) + 1;
        entry.overlaps ??= [];
        if (entry.overlaps.length < MOST_ROUNDS) entry.overlaps.push(known.reduce((sum, ms) => sum + ms, 0) - Math.max(...known));
      }
    });
  };

  /**
   * The list of a `Promise.all`: how much later than all others the element at `own` is there. What it ends before them, nobody waits for.
   * What has a `then` is replaced by a promise of Node's own, as `Promise.all` does: its `then` is called once.
   * @param {unknown} values @param {Awaited | undefined} entry @param {number} own
   */
  const noteList = (values, entry, own) => {
    if (!entry || !Array.isArray(values)) return values;
    const list = values.map((value) => (isThenable(value) ? Promise.resolve(value) : value));
    const start = now();
    let left = list.filter((value) => types.isPromise(value)).length;
    let [ownAt, othersAt] = [start, start];
    for (const [i, value] of list.entries()) {
      if (!types.isPromise(value)) continue;
      whenSettled(value, () => {
        if (i === own) ownAt = now();
        else othersAt = now();
        left -= 1;
        if (left > 0) return;
        entry.lists = (entry.lists ?? 0) + 1;
        entry.laterMs = (entry.laterMs ?? 0) + Math.max(0, ownAt - othersAt);
      });
    }
    return list;
  };

  return { noteList, notePending, noteRound, pend };
}

module.exports = { awaitedRecord, endFirst, isThenable, makeAwaited, usual, whenFirstIsOver };
