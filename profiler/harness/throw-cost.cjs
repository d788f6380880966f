// What throwing and catching one Error takes, so that counted exceptions can be expressed as time.
'use strict';
const { now } = require('./records.cjs');

const NS_PER_MS = 1e6;
const THROW_SAMPLES = 15;
const THROWS_PER_SAMPLE = 200;
// As deep as a handler of a framework lies: what an Error takes grows with the frames that it keeps, ten unless the program says otherwise.
const THROW_DEPTH = 8;

/** What throwing and catching an Error takes on this Node, with the program's own settings of stack traces. @returns ns, one a sample */
function throwCost() {
  const thrower = (/** @type {number} */ depth) => {
    if (depth > 0) thrower(depth - 1);
    else throw new Error('calibration');
    return depth;
  };
  const sample = () => {
    const start = now();
    for (let i = 0; i < THROWS_PER_SAMPLE; i += 1) {
      try {
        thrower(THROW_DEPTH);
      } catch {
        // Nothing else is measured.
      }
    }
    return ((now() - start) * NS_PER_MS) / THROWS_PER_SAMPLE;
  };
  sample();
  return Array.from({ length: THROW_SAMPLES }, sample);
}

module.exports = { throwCost };
