// What calls or requests leave behind: what was put around the places of findings notes their containers, and after each phase, and a
// forced collection, they are counted.
'use strict';
const { getEventListeners } = require('node:events');
const Module = require('node:module');
const timers = require('node:timers');
const v8 = require('node:v8');
const vm = require('node:vm');
const { PACKAGES, now, userPlaces } = require('./records.cjs');

const { setImmediate: immediately, setTimeout: after } = globalThis;
const { memoryUsage } = process;
const sizeOfMap = /** @type {(this: Map<unknown, unknown>) => number} */ (Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get);
const sizeOfSet = /** @type {(this: Set<unknown>) => number} */ (Object.getOwnPropertyDescriptor(Set.prototype, 'size')?.get);

/** Connections close, and what was put off comes. */
const SETTLE_MS = 100;
/** Timers of the program's that are due so soon are waited for. */
const MOST_SETTLE_MS = 1000;
/** A timer that takes something out after a while is longer than that. */
const LEAST_DELAY_MS = 50;
const MOST_TIMERS = 200;
const MOST_TOLD_TIMERS = 20;
const MOST_CONTAINERS = 10_000;
/** For different keys, without keeping any: they are estimated from the bits that their hashes set (linear counting). */
const KEY_BITS = 1 << 17;
const LAST_OBJECTS = 8;
/** So many of our own references are weighed, to be taken off. */
const WEIGHED = 10_000;
/** What a callback that takes something out is likely to name; and packages that run callbacks at set times. */
const TAKES_OUT = /delete|clear|shift|pop|splice|length\s*=|evict|prune|purge|clean|sweep|expire|filter|remove|flush|reset|drain/i;
const SCHEDULER = /cron|schedul|agenda|bree|toad/i;

/** @typedef {'container' | 'listener' | 'timer' | 'sessions'} Kind */
/**
 * @typedef {{
 *   kind: Kind, adds: number, containers: Set<WeakRef<object>>, known: WeakSet<object>, last: object | undefined,
 * events: WeakMap<object, Set<unknown>>, bits: Uint32Array, objects: WeakRef<object>[], objectKeys: number, isFound: boolean, isFull:
 * boolean
 * }} Site
 */

/** @param {Kind} kind @returns {Site} */
function makeSite(kind) {
  return {
    kind,
    adds: 0,
    containers: new Set(),
    known: new WeakSet(),
    last: undefined,
    events: new WeakMap(),
    bits: new Uint32Array(KEY_BITS / 32),
    objects: [],
    objectKeys: 0,
    isFound: false,
    isFull: false,
  };
}

/** @param {unknown} value @returns {value is object} */
const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** @param {Site} site @param {unknown} container */
function note(site, container) {
  site.adds += 1;
  site.last = undefined;
  if (!isObject(container)) return;
  site.isFound = true;
  if (site.kind !== 'timer') site.last = container;
  if (site.known.has(container)) return;
  if (site.containers.size >= MOST_CONTAINERS && site.kind !== 'timer') {
    site.isFull = true;
    return;
  }
  // Timers are many, and each comes once.
  if (site.kind !== 'timer') site.known.add(container);
  site.containers.add(new WeakRef(container));
}

/** @param {Site} site @param {unknown} key */
function noteKey(site, key) {
  if (site.kind === 'listener') {
    if (!site.last) return;
    const events = site.events.get(site.last) ?? new Set();
    site.events.set(site.last, events.add(key));
  } else if (isObject(key)) {
    if (site.objects.some((one) => one.deref() === key)) return;
    site.objectKeys += 1;
    site.objects.push(new WeakRef(key));
    if (site.objects.length > LAST_OBJECTS) site.objects.shift();
  } else {
    const text = `${typeof key} ${String(key)}`;
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    // FNV leaves the low bits of similar texts alike.
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    const bit = (hash ^ (hash >>> 13)) >>> 0;
    const word = (bit % KEY_BITS) >>> 5;
    site.bits[word] = /** @type {number} */ (site.bits[word]) | (1 << (bit & 31));
  }
}

/** @param {Site} site how many different keys came, about */
function keysOf({ bits, objectKeys }) {
  let set = 0;
  for (let word of bits) for (; word !== 0; word &= word - 1) set += 1;
  return objectKeys + (set === KEY_BITS ? KEY_BITS : Math.round(-KEY_BITS * Math.log(1 - set / KEY_BITS)));
}

/** @param {Site} site @param {any} container @returns {number | undefined} */
function sizeOf(site, container) {
  try {
    switch (site.kind) {
      case 'listener': {
        let sum = 0;
        for (const event of site.events.get(container) ?? []) {
          if (typeof container.listenerCount === 'function') sum += Number(container.listenerCount(event));
          else if (container instanceof EventTarget) sum += getEventListeners(container, String(event)).length;
          else return undefined;
        }
        return Number.isFinite(sum) ? sum : undefined;
      }
      case 'timer':
        return typeof container._destroyed === 'boolean' ? Number(!container._destroyed) : undefined;
      case 'sessions':
        return isObject(container.sessions) ? Object.keys(container.sessions).length : undefined;
      default:
        if (Array.isArray(container)) return container.length;
        if (container instanceof Map) return Reflect.apply(sizeOfMap, container, []);
        if (container instanceof Set) return Reflect.apply(sizeOfSet, container, []);
        return container instanceof WeakMap || container instanceof WeakSet ? undefined : Object.keys(container).length;
    }
  } catch {
    // A Proxy of the user's, or an emitter that is none.
    return undefined;
  }
}

/** @param {Site} site @returns {number | undefined} */
function countOf(site) {
  let sum = 0;
  for (const reference of site.containers) {
    const container = reference.deref();
    // Gone, and what was in it, too.
    if (!container) site.containers.delete(reference);
    const size = container ? sizeOf(site, container) : 0;
    if (size === undefined) return undefined;
    sum += size;
  }
  return site.isFull || (site.adds > 0 && !site.isFound) ? undefined : sum;
}

/** @param {any} input @param {{ write(record: Record<string, unknown>): void }} records */
function installRetained(records, input) {
  /** @type {Site[]} */
  const sites = (input.retained ?? []).map(({ kind }) => makeSite(kind));
  /**
   * Of the program's own code, by when it was started. @type {{ timer: WeakRef<any>, at: number, delay: number, takesOut: boolean, place:
   * object }[]}
   */
  const pending = [];
  watchTimers(pending);
  const site = (/** @type {number} */ i) => /** @type {Site} */ (sites[i]);
  // No declaration hides a string's constructor. It may be frozen.
  Reflect.defineProperty(''.constructor, 'nodometer.retained', {
    value: {
      held(/** @type {number} */ i, /** @type {unknown} */ container) {
        note(site(i), container);
        return container;
      },
      key(/** @type {number} */ i, /** @type {unknown} */ key) {
        noteKey(site(i), key);
        return key;
      },
      timer(/** @type {number} */ i, /** @type {unknown} */ timer) {
        note(site(i), timer);
        // It is what the finding is about, and takes nothing out.
        if (pending.at(-1)?.timer.deref() === timer) pending.pop();
        return timer;
      },
      sessions(/** @type {number} */ i, /** @type {any} */ middleware) {
        if (typeof middleware !== 'function') return middleware;
        return /** @this {unknown} */ function session(/** @type {any} */ request, /** @type {any} */ response, /** @type {any} */ next) {
          return Reflect.apply(middleware, this, [
            request,
            response,
            (/** @type {unknown[]} */ ...rest) => {
              note(site(i), request.sessionStore);
              return next(...rest);
            },
          ]);
        };
      },
    },
  });
  v8.setFlagsFromString('--expose-gc');
  const collect = /** @type {() => void} */ (vm.runInNewContext('gc'));
  const weight = weightOfReference(collect);

  const settle = async () => {
    const due = pending.map(({ at, delay }) => at + delay - now()).filter((ms) => ms <= MOST_SETTLE_MS);
    await new Promise((resolve) => {
      after(resolve, Math.max(SETTLE_MS, ...due.map((ms) => ms + SETTLE_MS / 2)));
    });
    // What a collection ends may take a turn, and what that lets go another collection.
    for (let round = 0; round < 2; round += 1) {
      collect();
      await new Promise((resolve) => {
        immediately(resolve);
      });
    }
    collect();
  };

  return {
    arm() {
      /* What is there is counted when the phase is over. */
    },
    async flush() {
      await settle();
      const { heapUsed, arrayBuffers } = memoryUsage();
      const own = sites.reduce((sum, { kind, containers }) => sum + (kind === 'timer' ? containers.size * weight : 0), 0);
      records.write({
        type: 'retained',
        heap: heapUsed + arrayBuffers - own,
        sites: sites.map((one) => ({ adds: one.adds, keys: keysOf(one), count: countOf(one) })),
        timers: pending
          .filter(({ timer, at, delay, takesOut }) => {
            const still = timer.deref();
            return still && still._destroyed === false && (takesOut || now() < at + delay);
          })
          .slice(0, MOST_TOLD_TIMERS)
          .map(({ place, delay }) => ({ ...place, delay })),
      });
    },
    finish() {
      /* Written by then, or the end of the program came first. */
    },
  };
}

/** What one of our references to a timer takes. @param {() => void} collect */
function weightOfReference(collect) {
  collect();
  const before = memoryUsage().heapUsed;
  const held = Array.from({ length: WEIGHED }, () => ({}));
  collect();
  const middle = memoryUsage().heapUsed;
  const references = new Set(held.map((one) => new WeakRef(one)));
  collect();
  const end = memoryUsage().heapUsed;
  return references.size === held.length && middle > before ? Math.max(0, end - middle) / WEIGHED : 0;
}

/**
 * Timers that the program's own code starts, or a package that runs its code at set times: what they will do is not waited for.
 * @param {{ timer: WeakRef<any>, at: number, delay: number, takesOut: boolean, place: object }[]} pending
 */
function watchTimers(pending) {
  for (const name of /** @type {const} */ (['setTimeout', 'setInterval'])) {
    const real = /** @type {Function} */ (globalThis[name]);
    const watched = /** @this {unknown} */ function watched(/** @type {unknown[]} */ ...args) {
      const timer = Reflect.apply(real, this, args);
      const delay = Number(args[1]);
      if (!(delay >= LEAST_DELAY_MS) || !isObject(timer)) return timer;
      const { place, inside } = userPlaces(watched);
      const at = /** @type {{ file: string } | undefined} */ (inside ?? place);
      if (!place || !at || (PACKAGES.test(at.file) && !SCHEDULER.test(at.file))) return timer;
      const takesOut = typeof args[0] === 'function' && TAKES_OUT.test(Function.prototype.toString.call(args[0]));
      // The first ones are often those of the whole program, and the last ones are those that are waited for.
      if (pending.length >= MOST_TIMERS) pending.splice(MOST_TIMERS / 2, 1);
      pending.push({ timer: new WeakRef(timer), at: now(), delay, takesOut, place });
      return timer;
    };
    // Its name, and what `util.promisify` makes of it.
    const { prototype: _, ...own } = Object.getOwnPropertyDescriptors(real);
    Object.defineProperties(watched, own);
    for (const holder of [globalThis, timers])
      Object.defineProperty(holder, name, { value: watched, writable: true, configurable: true, enumerable: true });
  }
  Module.syncBuiltinESMExports();
}

module.exports = { installRetained };
