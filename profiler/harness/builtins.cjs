// Which built-in functions the user's code has replaced. What measures runs in the same realm and needs many of them: where it fails,
// people learn that the code did it. Plain JavaScript for Node 18 to 26.
'use strict';
const fs = require('node:fs');

/** The other names would not make the sentence clearer. */
const MOST_NAMES = 5;
const { getOwnPropertyDescriptor, getOwnPropertyNames } = Object;

/** @type {[path: string, holder: object][]} */
const HOLDERS = [
  ['', globalThis],
  ['JSON.', JSON],
  ['Promise.', Promise],
  ['Promise.prototype.', Promise.prototype],
  ['Object.', Object],
  ['Array.', Array],
  ['Array.prototype.', Array.prototype],
  ['String.prototype.', String.prototype],
  ['Function.prototype.', Function.prototype],
  ['Map.prototype.', Map.prototype],
  ['Set.prototype.', Set.prototype],
  ['Math.', Math],
  ['Number.', Number],
  ['Buffer.', Buffer],
  ['fs.', fs],
  ['process.', process],
];

/**
 * Gives a function that names what has another value by then. Getters are not called, and neither is anything that may have been replaced.
 * @returns {() => string[]}
 */
function watchBuiltins() {
  /** @type {[path: string, holder: object, name: string, value: unknown][]} */
  const before = [];
  for (const [path, holder] of HOLDERS)
    for (const name of getOwnPropertyNames(holder)) {
      const value = getOwnPropertyDescriptor(holder, name)?.value;
      if (typeof value === 'function' || value === JSON || value === Math) before.push([path + name, holder, name, value]);
    }
  return () => {
    /** @type {string[]} */
    const names = [];
    for (let i = 0; i < before.length && names.length < MOST_NAMES; i += 1) {
      const [path, holder, name, value] = /** @type {typeof before[number]} */ (before[i]);
      if (getOwnPropertyDescriptor(holder, name)?.value !== value) names[names.length] = path;
    }
    return names;
  };
}

module.exports = { watchBuiltins };
