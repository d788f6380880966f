// Which entry points lead to a function. Many functions have the same ones: those that call each other in a circle, and those of which all
// callers have the same. One search answers for all of these, because a generated file may ask for each of 10,000 functions.

/** Call edges by callee: those of function f from `first[f]` to `first[f + 1]`. */
export interface Reverse {
  first: Int32Array;
  from: Int32Array;
  edge: Int32Array;
}

export interface RootsAboveRequest {
  callers: Reverse;
  /** Whether a request may come by an edge. */
  isTaken(caller: number, edge: number): boolean;
  /** The numbers of the entry points, by function. */
  roots: ReadonlyMap<number, readonly number[]>;
}

const NONE: readonly number[] = [];

export class RootsAbove {
  readonly #request: RootsAboveRequest;
  /** By function: a function that has the same entry points, and stands for all that have them. */
  readonly #same: Int32Array;
  readonly #known = new Map<number, readonly number[]>();
  readonly #seen: Int32Array;
  #stamp = 0;

  constructor(request: RootsAboveRequest) {
    this.#request = request;
    const count = request.callers.first.length - 1;
    this.#same = new Int32Array(count).fill(-1);
    this.#seen = new Int32Array(count);
  }

  /** Numbers of entry points, in their order. The same list for all functions that have the same ones. */
  of(fn: number): readonly number[] {
    const same = this.#standsFor(fn);
    let found = this.#known.get(same);
    if (!found) this.#known.set(same, (found = this.#search(same)));
    return found;
  }

  #search(fn: number): readonly number[] {
    const { callers, isTaken, roots } = this.#request;
    const { first, from, edge } = callers;
    const stamp = ++this.#stamp;
    const seen = this.#seen;
    seen[fn] = stamp;
    const queue = [fn];
    const found: number[] = [];
    for (let i = 0; i < queue.length; i++) {
      const at = queue[i] as number;
      for (const root of roots.get(at) ?? NONE) found.push(root);
      for (let k = first[at] as number; k < (first[at + 1] as number); k++) {
        const caller = from[k] as number;
        if (seen[caller] === stamp || !isTaken(caller, edge[k] as number)) continue;
        seen[caller] = stamp;
        queue.push(caller);
      }
    }
    return found.sort((a, b) => a - b);
  }

  /** Tarjan's search for strongly connected components, upward from `start`: callers are done before those that they call. */
  #standsFor(start: number): number {
    const same = this.#same;
    if ((same[start] as number) >= 0) return same[start] as number;
    const { callers, isTaken } = this.#request;
    const { first, from, edge } = callers;
    const order = new Map<number, number>();
    const low = new Map<number, number>();
    const open: number[] = [];
    const path: { fn: number; next: number }[] = [];
    const enter = (fn: number): void => {
      order.set(fn, order.size);
      low.set(fn, order.size - 1);
      open.push(fn);
      path.push({ fn, next: first[fn] as number });
    };
    enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { fn } = top;
      if (top.next < (first[fn + 1] as number)) {
        const k = top.next++;
        const caller = from[k] as number;
        if ((same[caller] as number) >= 0 || !isTaken(caller, edge[k] as number)) continue;
        const known = order.get(caller);
        if (known === undefined) enter(caller);
        else low.set(fn, Math.min(low.get(fn) as number, known));
        continue;
      }
      path.pop();
      const lowest = low.get(fn) as number;
      const below = path.at(-1)?.fn;
      if (below !== undefined) low.set(below, Math.min(low.get(below) as number, lowest));
      if (lowest === order.get(fn)) this.#close(open.splice(open.lastIndexOf(fn)));
    }
    return same[start] as number;
  }

  #close(circle: readonly number[]): void {
    const { callers, isTaken, roots } = this.#request;
    const { first, from, edge } = callers;
    const same = this.#same;
    const own = circle[0] as number;
    let above = -1;
    let isShared = true;
    for (const fn of circle) {
      if (roots.has(fn)) isShared = false;
      for (let k = first[fn] as number; isShared && k < (first[fn + 1] as number); k++) {
        const caller = from[k] as number;
        // Of the circle itself.
        if ((same[caller] as number) < 0 || !isTaken(caller, edge[k] as number)) continue;
        if (above >= 0 && above !== same[caller]) isShared = false;
        above = same[caller] as number;
      }
    }
    for (const fn of circle) same[fn] = isShared && above >= 0 ? above : own;
  }
}
