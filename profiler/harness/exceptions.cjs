// Counts what is thrown and which Errors are made, by place.
//
// Thrown: V8's debugger pauses on every exception. With a session of the same thread the pause is a synchronous call that goes on at once
// (measured on Node 18 to 26: 0.2 ms each on a shallow stack, 2.5 ms on one of 30 frames), and it sees V8's own TypeErrors,
// values that are no Errors, async functions and rejections at their exact place. No hook in the language sees those.
// Made: `new Error` through proxies of the global constructors, since an Error may be made and never thrown. Errors that Node or V8
// make are not counted as made; they are seen when they are thrown.
'use strict';
const inspector = require('node:inspector');
const { PACKAGES, now, userFrame, userPlaces } = require('./records.cjs');

const CONSTRUCTORS = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError', 'AggregateError'];
// 2.5 ms each at most: a second and a quarter.
const MAX_PAUSES = 500;
const MAX_MADE = 100_000;
const MAX_MESSAGE = 200;
// A `try` is rarely further up from what is thrown.
const MAX_FRAMES = 12;
const FLUSH_EVERY_MS = 500;
/** `ambiguous`: for several reasons at once. */
const OF_EXCEPTIONS = new Set(['exception', 'promiseRejection', 'ambiguous']);

/**
 * @param {{ write(record: Record<string, unknown>): void }} records @param {boolean} countsMade Errors that are made, too
 * @param {() => boolean} [isFirstCall] whether some call has not been made once yet
 */
function installExceptions(records, countsMade, isFirstCall) {
  let armed = false;
  let isLoading = false;
  let pauses = 0;
  let made = 0;
  let flushed = now();
  /**
   * By type and by the user's frames.
   * @type {Map<string, { place: object | undefined, placement: string, type: string, message: string, thrown: number, first?: number,
   * paths: object[] }>}
   */
  const thrown = new Map();
  /** @type {Map<string, { place: object | undefined, type: string, count: number }>} */
  const created = new Map();
  /** @type {Map<string, string>} */
  const urls = new Map();
  const session = new inspector.Session();
  session.connect();

  const flush = () => {
    flushed = now();
    records.write({
      type: 'exceptions',
      thrown: [...thrown.values()],
      created: [...created.values()],
      capped: pauses >= MAX_PAUSES || made >= MAX_MADE,
    });
  };
  const pauseOn = (/** @type {'all' | 'none'} */ state) => session.post('Debugger.setPauseOnExceptions', { state });

  // The URL of a frame is empty in the event of a pause (Node 18 to 26): the script's id tells.
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => {
    // A `debugger` statement pauses, too, and throws nothing.
    if (!armed || pauses >= MAX_PAUSES || !OF_EXCEPTIONS.has(params.reason)) return;
    pauses += 1;
    const data = /** @type {{ className?: string, subtype?: string, description?: string, value?: unknown }} */ (params.data ?? {});
    let place;
    let inside;
    const frames = [];
    for (const { location } of params.callFrames) {
      const here = userFrame(urls.get(location.scriptId) ?? '', location.lineNumber + 1, (location.columnNumber ?? 0) + 1);
      if (!here) continue;
      if (PACKAGES.test(here.file)) {
        inside ??= here;
        continue;
      }
      place ??= here;
      if (frames.push(here) >= MAX_FRAMES) break;
    }
    // What only Node's own code throws and catches, e.g. while it looks for a module; and packages that try out, while they are loaded,
    // what there is.
    if ((!place && !inside) || (isLoading && inside)) return;
    const isError = data.subtype === 'error';
    const type = isError ? (data.className ?? 'Error') : '(not an Error)';
    const text = String(data.description ?? data.value).split('\n')[0] ?? '';
    const message = (isError ? text.replace(/^[^:]*: /, '') : text).slice(0, MAX_MESSAGE);
    // Messages differ with the data that they quote; one way and one type are one group, with the first message.
    const key = JSON.stringify([type, place ?? inside, frames]);
    const known = thrown.get(key);
    const first = isFirstCall && Number(isFirstCall());
    if (known) {
      known.thrown += 1;
      if (first !== undefined && known.first !== undefined) known.first += first;
      known.paths = [{ frames, thrown: known.thrown }];
    } else thrown.set(key, { place: place ?? inside, placement: 'exact', type, message, thrown: 1, first, paths: [{ frames, thrown: 1 }] });
    if (pauses >= MAX_PAUSES) pauseOn('none');
    if (now() - flushed > FLUSH_EVERY_MS) flush();
  });

  for (const name of countsMade ? CONSTRUCTORS : []) {
    const original = /** @type {any} */ (globalThis)[name];
    const handler = {
      construct(/** @type {Function} */ target, /** @type {unknown[]} */ args, /** @type {Function} */ newTarget) {
        const error = Reflect.construct(target, args, newTarget === proxy ? target : newTarget);
        note(error, handler.construct);
        return error;
      },
      apply(/** @type {Function} */ target, /** @type {unknown} */ self, /** @type {unknown[]} */ args) {
        const error = Reflect.apply(target, self, args);
        note(error, handler.apply);
        return error;
      },
    };
    const proxy = new Proxy(original, handler);
    // `error.constructor === Error` must stay true.
    original.prototype.constructor = proxy;
    Object.defineProperty(globalThis, name, { value: proxy, writable: true, configurable: true, enumerable: false });
  }

  /** @param {Error} error @param {Function} below */
  function note(error, below) {
    if (!armed || made >= MAX_MADE) return;
    made += 1;
    const { place } = userPlaces(below);
    const key = JSON.stringify([error.name, place]);
    const known = created.get(key);
    if (known) known.count += 1;
    else created.set(key, { place, type: error.name, count: 1 });
  }

  const begin = () => {
    if (armed) return;
    session.post('Debugger.enable');
    pauseOn('all');
    armed = true;
  };
  return {
    /** A program may do all of its work while it is loaded. */
    early() {
      isLoading = true;
      begin();
    },
    arm() {
      isLoading = false;
      begin();
    },
    isFull: () => pauses >= MAX_PAUSES,
    finish() {
      armed = false;
      session.post('Debugger.disable');
      flush();
    },
  };
}

module.exports = { installExceptions };
