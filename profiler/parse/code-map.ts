// Which function of the user's does a code address belong to? IC and map lines have an address and no file name.
import type { SourcePlace } from '../../protocol/evidence.ts';

export interface UserFunction {
  name: string;
  /** The `(` of its parameters; 1:1 for a whole module. */
  place: SourcePlace;
}

interface CodeRange {
  start: number;
  end: number;
  owner: UserFunction;
}

/** V8's heap has pages of 256 KB; any size would do. Lists stay short, however much code there is. */
const PAGE = 2 ** 18;

/**
 * Ranges of the user's code, sorted by address within each page. Code of Node itself is not kept; but where it comes to lie, whatever
 * was there is gone: V8 drops unused bytecode without a line in the log and uses its memory again.
 */
export class CodeMap {
  private readonly pages = new Map<number, CodeRange[]>();
  private readonly limit: number;
  private count = 0;
  dropped = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.count;
  }

  /** `size` in bytes; whatever lay there before is gone. */
  add(start: number, size: number, owner: UserFunction): void {
    this.clear(start, size);
    if (this.count >= this.limit) {
      this.dropped++;
      return;
    }
    const range = { start, end: start + size, owner };
    for (const page of pagesOf(start, size)) {
      const ranges = this.pages.get(page);
      if (ranges) ranges.splice(firstFrom(ranges, start), 0, range);
      else this.pages.set(page, [range]);
    }
    this.count++;
  }

  /** Something that is not the user's lies here now. */
  clear(start: number, size: number): void {
    const end = start + Math.max(size, 1);
    for (const page of pagesOf(start, size)) {
      const ranges = this.pages.get(page);
      if (!ranges) continue;
      let index = firstFrom(ranges, start);
      const before = ranges[index - 1];
      if (before && before.end > start) index--;
      for (let range = ranges[index]; range && range.start < end; range = ranges[index]) this.remove(range);
    }
  }

  move(from: number, to: number): void {
    const range = this.startingAt(from);
    if (range) {
      this.remove(range);
      this.add(to, range.end - range.start, range.owner);
    } else this.clear(to, 1);
  }

  delete(start: number): void {
    const range = this.startingAt(start);
    if (range) this.remove(range);
  }

  find(address: number): UserFunction | undefined {
    const ranges = this.pages.get(Math.floor(address / PAGE));
    const range = ranges?.[firstFrom(ranges, address + 1) - 1];
    return range && address < range.end ? range.owner : undefined;
  }

  private startingAt(start: number): CodeRange | undefined {
    const ranges = this.pages.get(Math.floor(start / PAGE));
    const range = ranges?.[firstFrom(ranges, start)];
    return range?.start === start ? range : undefined;
  }

  private remove(range: CodeRange): void {
    for (const page of pagesOf(range.start, range.end - range.start)) {
      const ranges = this.pages.get(page);
      if (!ranges) continue;
      const index = ranges.indexOf(range);
      if (index >= 0) ranges.splice(index, 1);
      if (ranges.length === 0) this.pages.delete(page);
    }
    this.count--;
  }
}

function pagesOf(start: number, size: number): number[] {
  const first = Math.floor(start / PAGE);
  const last = Math.floor((start + Math.max(size, 1) - 1) / PAGE);
  return first === last ? [first] : Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Index of the first range that starts at the address or behind it. */
function firstFrom(ranges: readonly CodeRange[], address: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range && range.start < address) low = middle + 1;
    else high = middle;
  }
  return low;
}
