// Numbers by pairs of numbers, in flat arrays: a Map with keys put together of two large numbers makes an object of each.

/** Both halves of a key and the value, one after the other. */
const STRIDE = 3;

/** Halves are 0 or more and below 2^31, values above 0. */
export class PairMap {
  #slots: Int32Array;
  #mask: number;
  #count = 0;

  /** `expected`: about how many there will be. */
  constructor(expected = 1024) {
    let size = 64;
    while (size < expected * 2) size *= 2;
    this.#slots = new Int32Array(size * STRIDE);
    this.#mask = size - 1;
  }

  /** 0 where there is none. */
  get(a: number, b: number): number {
    const slots = this.#slots;
    const at = this.#find(slots, this.#mask, a, b);
    return slots[at + 2] as number;
  }

  set(a: number, b: number, value: number): void {
    const at = this.#find(this.#slots, this.#mask, a, b);
    const slots = this.#slots;
    if (slots[at + 2] === 0) {
      slots[at] = a;
      slots[at + 1] = b;
      this.#count++;
    }
    slots[at + 2] = value;
    if (this.#count * 2 > this.#mask) this.#grow();
  }

  /** Takes the pair; tells whether it was new. */
  add(a: number, b: number): boolean {
    const at = this.#find(this.#slots, this.#mask, a, b);
    const slots = this.#slots;
    if (slots[at + 2] !== 0) return false;
    slots[at] = a;
    slots[at + 1] = b;
    slots[at + 2] = 1;
    if (++this.#count * 2 > this.#mask) this.#grow();
    return true;
  }

  /** Where the pair is, or would be. */
  #find(slots: Int32Array, mask: number, a: number, b: number): number {
    let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
    hash ^= hash >>> 15;
    for (let i = hash & mask; ; i = (i + 1) & mask) {
      const at = i * STRIDE;
      if (slots[at + 2] === 0 || (slots[at] === a && slots[at + 1] === b)) return at;
    }
  }

  #grow(): void {
    const before = this.#slots;
    const mask = this.#mask * 2 + 1;
    const slots = new Int32Array((mask + 1) * STRIDE);
    for (let i = 0; i < before.length; i += STRIDE) {
      if (before[i + 2] === 0) continue;
      const at = this.#find(slots, mask, before[i] as number, before[i + 1] as number);
      slots[at] = before[i] as number;
      slots[at + 1] = before[i + 1] as number;
      slots[at + 2] = before[i + 2] as number;
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}
