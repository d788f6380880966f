// A map from pairs of numbers to numbers, in flat arrays. A `Map` with combined keys would allocate a heap number for each large key.
import type { Trailed } from './trail.ts';

/** A slot: both halves of the key, then the value. */
const STRIDE = 3;

/** Halves are at least 0 and below 2^31. Values are above 0. */
export class PairMap implements Trailed {
  #slots: Int32Array;
  #mask: number;
  #count = 0;
  /** Triples for each key set since the mark, if there is one: both halves and the previous value. The array is reused for each edit. */
  #changes: Int32Array | undefined;
  #changesEnd = 0;

  /** `expected`: the approximate number of entries. */
  constructor(expected = 1024) {
    let size = 64;
    while (size < expected * 2) size *= 2;
    this.#slots = new Int32Array(size * STRIDE);
    this.#mask = size - 1;
  }

  /** 0 if there is none. */
  get(a: number, b: number): number {
    const slots = this.#slots;
    const at = this.#find(slots, this.#mask, a, b);
    return slots[at + 2] as number;
  }

  set(a: number, b: number, value: number): void {
    const at = this.#find(this.#slots, this.#mask, a, b);
    const slots = this.#slots;
    if (this.#changes) this.#write(this.#changes, a, b, slots[at + 2] as number);
    if (slots[at + 2] === 0) {
      slots[at] = a;
      slots[at + 1] = b;
      this.#count++;
    }
    slots[at + 2] = value;
    if (this.#count * 2 > this.#mask) this.#grow();
  }

  /** Adds the pair. Returns whether it was new. */
  add(a: number, b: number): boolean {
    const at = this.#find(this.#slots, this.#mask, a, b);
    const slots = this.#slots;
    if (slots[at + 2] !== 0) return false;
    if (this.#changes) this.#write(this.#changes, a, b, 0);
    slots[at] = a;
    slots[at + 1] = b;
    slots[at + 2] = 1;
    if (++this.#count * 2 > this.#mask) this.#grow();
    return true;
  }

  mark(): void {
    this.#changes ??= new Int32Array(1024 * STRIDE);
    this.#changesEnd = 0;
  }

  undo(): void {
    const changes = this.#changes;
    if (!changes) return;
    for (let i = this.#changesEnd - STRIDE; i >= 0; i -= STRIDE) {
      const a = changes[i] as number;
      const b = changes[i + 1] as number;
      const before = changes[i + 2] as number;
      if (before === 0) this.#delete(a, b);
      else this.#slots[this.#find(this.#slots, this.#mask, a, b) + 2] = before;
    }
    this.#changesEnd = 0;
  }

  #write(changes: Int32Array, a: number, b: number, before: number): void {
    let into = changes;
    if (this.#changesEnd === into.length) {
      into = new Int32Array(into.length * 2);
      into.set(changes);
      this.#changes = into;
    }
    into[this.#changesEnd++] = a;
    into[this.#changesEnd++] = b;
    into[this.#changesEnd++] = before;
  }

  /** Entries after the deleted one, up to the next gap, move up as far as their own hash allows. */
  #delete(a: number, b: number): void {
    const slots = this.#slots;
    const mask = this.#mask;
    let gap = this.#find(slots, mask, a, b) / STRIDE;
    for (let i = (gap + 1) & mask; slots[i * STRIDE + 2] !== 0; i = (i + 1) & mask) {
      const own = hashOf(slots[i * STRIDE] as number, slots[i * STRIDE + 1] as number) & mask;
      if (((i - own) & mask) < ((i - gap) & mask)) continue;
      for (let k = 0; k < STRIDE; k++) slots[gap * STRIDE + k] = slots[i * STRIDE + k] as number;
      gap = i;
    }
    slots[gap * STRIDE + 2] = 0;
    this.#count--;
  }

  /** The slot of the pair, or the free slot for it. */
  #find(slots: Int32Array, mask: number, a: number, b: number): number {
    for (let i = hashOf(a, b) & mask; ; i = (i + 1) & mask) {
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

function hashOf(a: number, b: number): number {
  const hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}
