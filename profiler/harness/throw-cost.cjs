// What throwing and catching one Error takes, so that counted exceptions can be expressed as time.
'use strict';
const { makeWaited, now } = require('./records.cjs');

const { parse } = JSON;
const { URL } = globalThis;
const NS_PER_MS = 1e6;
const THROW_SAMPLES = 15;
const THROWS_PER_SAMPLE = 200;
// As deep as a handler of a framework lies: what an Error takes grows with the frames that it keeps, ten unless the program says otherwise.
const THROW_DEPTH = 8;
const MOST_TEXTS = 64;

/**
 * Called through so many functions. Their call site sees several functions, so V8 inlines none of them: frames of one optimized function
 * are cheaper to keep than those of a program are (2.7 instead of 3.7 µs an Error, Node 20).
 * @param {() => void} thrower @param {number} frames
 */
function deepInside(thrower, frames) {
  let outermost = thrower;
  for (let depth = 0; depth < frames; depth += 1) {
    const inner = outermost;
    outermost = () => inner();
  }
  return outermost;
}

/** @param {() => void} thrower @param {number} frames */
function catching(thrower, frames) {
  const throwsInside = deepInside(thrower, frames);
  return () => {
    try {
      throwsInside();
    } catch {
      // Nothing else is measured.
    }
  };
}

/**
 * The texts that `JSON.parse` cannot read while something runs. A function that took `parse` out of `JSON` before is not seen.
 * @param {() => Promise<unknown>} run @returns {Promise<string[]>}
 */
async function unreadable(run) {
  /** @type {string[]} */
  const texts = [];
  const original = JSON.parse;
  /** @param {string} text @param {never[]} rest */
  const watched = (text, ...rest) => {
    try {
      return Reflect.apply(original, JSON, [text, ...rest]);
    } catch (error) {
      if (typeof text === 'string' && texts.length < MOST_TEXTS) texts.push(text);
      throw error;
    }
  };
  try {
    JSON.parse = /** @type {typeof JSON.parse} */ (watched);
  } catch {
    // A program may freeze it.
    return [];
  }
  try {
    await run();
  } finally {
    if (JSON.parse === watched) JSON.parse = original;
  }
  return texts;
}

/**
 * `JSON.parse` fails on each of the texts in turn. It reads them up to the place that is wrong, for nothing: of 2,000 characters, that took
 * 12 of 17 µs (Node 20).
 * @param {readonly string[]} texts one at least @param {number} frames between
 */
function throwerOf(texts, frames) {
  let at = 0;
  return catching(() => {
    at = (at + 1) % texts.length;
    parse(/** @type {string} */ (texts[at]));
  }, frames);
}

/**
 * Each throws and catches one Error, with the program's own settings of stack traces. `samples`: an Error, the cheapest of their kinds.
 * V8's own TypeErrors take up to twice as long, since their messages quote code, and a program may do more when it makes one. `parsing`: a
 * SyntaxError of `JSON.parse`, which makes a script of the text that it could not read. `url`: one of `new URL`, for which Node adds a code
 * and the text (4.4 µs instead of 3.6, Node 20).
 * @param {number} frames between
 */
function throwers(frames) {
  return {
    samples: catching(() => {
      throw new Error('calibration');
    }, frames),
    parsing: catching(() => parse('calibration'), frames),
    url: catching(() => new URL('calibration'), frames),
  };
}

/** Without the wait for a processor. @param {() => void} throwAndCatch @returns ns, one a sample */
function costOf(throwAndCatch) {
  const waited = makeWaited('/proc/thread-self');
  const sample = () => {
    const waitedBefore = waited();
    const start = now();
    for (let i = 0; i < THROWS_PER_SAMPLE; i += 1) throwAndCatch();
    return (Math.max(0, now() - start - (waited() - waitedBefore)) * NS_PER_MS) / THROWS_PER_SAMPLE;
  };
  sample();
  return Array.from({ length: THROW_SAMPLES }, sample);
}

/** What throwing and catching one takes on this Node. @returns {{ samples: number[], parsing: number[], url: number[] }} ns, one a sample */
function throwCost() {
  const { samples, parsing, url } = throwers(THROW_DEPTH);
  return { samples: costOf(samples), parsing: costOf(parsing), url: costOf(url) };
}

module.exports = { THROW_SAMPLES, THROWS_PER_SAMPLE, throwCost, throwerOf, throwers, unreadable };
