// Which function of the user's does a code address belong to? IC and map lines have an address and no file name.

export interface UserFunction {
  name: string;
  file: string;
  /** The `(` of its parameters; 1:1 for a whole module. */
  line: number;
  column: number;
}

interface CodeRange {
  start: number;
  end: number;
  owner: UserFunction;
}

/**
 * Ranges of the user's code, sorted by address. Code of Node itself is not kept; but where it comes to lie, whatever was there is gone:
 * V8 drops unused bytecode without a line in the log and uses its memory again.
 */
export class CodeMap {
  private readonly ranges: CodeRange[] = [];

  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.ranges.length;
  }

  add(start: number, size: number, owner: UserFunction): void {
    this.clear(start, size);
    if (this.ranges.length >= this.limit) return;
    this.ranges.splice(this.firstFrom(start), 0, { start, end: start + size, owner });
  }

  /** Something that is not the user's lies here now. */
  clear(start: number, size: number): void {
    const end = start + Math.max(size, 1);
    let index = this.firstFrom(start);
    const before = this.ranges[index - 1];
    if (before && before.end > start) index--;
    let count = 0;
    for (let range = this.ranges[index]; range && range.start < end; range = this.ranges[index + count]) count++;
    if (count > 0) this.ranges.splice(index, count);
  }

  move(from: number, to: number): void {
    const index = this.firstFrom(from);
    const range = this.ranges[index];
    if (range?.start !== from) {
      this.clear(to, 1);
      return;
    }
    this.ranges.splice(index, 1);
    this.add(to, range.end - range.start, range.owner);
  }

  delete(start: number): void {
    const index = this.firstFrom(start);
    if (this.ranges[index]?.start === start) this.ranges.splice(index, 1);
  }

  find(address: number): UserFunction | undefined {
    const range = this.ranges[this.firstFrom(address + 1) - 1];
    return range && address < range.end ? range.owner : undefined;
  }

  /** Index of the first range that starts at the address or behind it. */
  private firstFrom(address: number): number {
    let low = 0;
    let high = this.ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const range = this.ranges[middle];
      if (range && range.start < address) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
