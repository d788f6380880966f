// The solved calls that run each function.
import type { Numbering } from './numbering.ts';

export interface Callers {
  /** Calls of function f: from `first[f]` to `first[f + 1]`, in the order of their numbers. */
  first: Int32Array;
  calls: Int32Array;
}

/** `bound`: pairs of a call and a function that it runs. */
export function callersOf({ fnCount }: Numbering, bound: readonly number[]): Callers {
  const first = new Int32Array(fnCount + 1);
  for (let i = 0; i < bound.length; i += 2) first[(bound[i + 1] as number) + 1] = (first[(bound[i + 1] as number) + 1] as number) + 1;
  for (let fn = 0; fn < fnCount; fn++) first[fn + 1] = (first[fn + 1] as number) + (first[fn] as number);
  const at = first.slice();
  const calls = new Int32Array(bound.length / 2);
  for (let i = 0; i < bound.length; i += 2) {
    const fn = bound[i + 1] as number;
    const place = at[fn] as number;
    at[fn] = place + 1;
    calls[place] = bound[i] as number;
  }
  for (let fn = 0; fn < fnCount; fn++) sort(calls, first[fn] as number, first[fn + 1] as number);
  return { first, calls };
}

function sort(list: Int32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    if ((list[i - 1] as number) < (list[i] as number)) continue;
    list.subarray(from, to).sort();
    return;
  }
}
