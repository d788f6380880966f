// Times for people.
import { duration } from '../../profiler/judge/words.ts';

/** `12 ns`, `1.5 µs`, `3.2 ms`. */
export function nanoseconds(ns: number): string {
  const NS_PER_US = 1000;
  const NS_PER_MS = 1e6;
  if (ns < NS_PER_US) return `${ns < 10 ? ns.toFixed(1) : Math.round(ns)} ns`;
  return ns < NS_PER_MS ? `${(ns / NS_PER_US).toFixed(1)} µs` : duration(ns / NS_PER_MS);
}
