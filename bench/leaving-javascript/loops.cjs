'use strict';
// Three loops that hold up the event loop: numbers only (the one of bench/load/inline), the bytes of a buffer, and 64-bit integers. Each
// gives 32 bits, so that the other languages can be held against it.

function compute(end) {
  let sum = 0;
  for (let n = 0; n < end; n += 1) sum = (sum * 31 + n) | 0;
  return sum;
}

function checksum(bytes) {
  let sum = 0;
  for (let n = 0; n < bytes.length; n += 1) sum = (sum * 31 + bytes[n]) | 0;
  return sum;
}

/** FNV-1a with 64 bits; the halves of the hash are combined. */
function hash64(bytes) {
  let hash = 0xcbf29ce484222325n;
  for (let n = 0; n < bytes.length; n += 1) hash = BigInt.asUintN(64, (hash ^ BigInt(bytes[n])) * 0x100000001b3n);
  return Number(BigInt.asIntN(32, hash ^ (hash >> 32n)));
}

/** The same, written for what V8 compiles to integers. */
const tuned = {
  compute(end) {
    let sum = 0;
    for (let n = 0; n < end; n += 1) sum = (Math.imul(sum, 31) + n) | 0;
    return sum;
  },

  checksum(bytes) {
    let sum = 0;
    for (let n = 0; n < bytes.length; n += 1) sum = (Math.imul(sum, 31) + bytes[n]) | 0;
    return sum;
  },

  /** In halves of 32 bits: the prime is 2^40 + 435, and no product exceeds 2^53. */
  hash64(bytes) {
    let [high, low] = [0xcbf29ce4, 0x84222325];
    for (let n = 0; n < bytes.length; n += 1) {
      const mixed = (low ^ bytes[n]) >>> 0;
      const product = mixed * 435;
      high = (high * 435 + Math.floor(product / 0x100000000) + ((mixed << 8) >>> 0)) >>> 0;
      low = product >>> 0;
    }
    return high ^ low;
  },
};

module.exports = { compute, checksum, hash64, tuned };
