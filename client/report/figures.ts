// Numbers as people read them: short, with a unit, with no more figures than mean something.

/** `12 ns`, `3.4 µs`, `80 µs`, `1.5 s`. */
export function time(ns: number): string {
  const [unit, size] = ns >= 1e9 ? ['s', 1e9] : ns >= 1e6 ? ['ms', 1e6] : ns >= 1e3 ? ['µs', 1e3] : ['ns', 1];
  return `${short(ns / size)} ${unit}`;
}

/** A time in ms, written as `time` writes it. */
export function milliseconds(ms: number): string {
  return time(ms * NS_PER_MS);
}

/** A delay of the event loop in ms. Less than a tenth is the clock's noise, and 0 would be said to have been measured. */
export function delayTime(ms: number): string {
  return ms < LEAST_DELAY_MS ? `< ${LEAST_DELAY_MS} ms` : milliseconds(ms);
}

/** `200`, `12.5 k`, `1.2 M`. */
export function amount(count: number): string {
  const [unit, size] = count >= 1e9 ? [' G', 1e9] : count >= 1e6 ? [' M', 1e6] : count >= 1e4 ? [' k', 1e3] : ['', 1];
  return `${short(count / size)}${unit}`;
}

/** `408 B`, `1.2 kB`. */
export function bytes(size: number): string {
  return size >= 1e6 ? `${short(size / 1e6)} MB` : size >= 1e3 ? `${short(size / 1e3)} kB` : `${short(size)} B`;
}

/** `54 %`, `3.2 %`. @param share 0 to 1 */
export function percent(share: number): string {
  const value = share * 100;
  return `${value >= WHOLE || value === 0 ? Math.round(value) : value.toFixed(1)} %`;
}

const NS_PER_MS = 1e6;
const LEAST_DELAY_MS = 0.1;
/** From here on a tenth says nothing. */
const WHOLE = 10;

function short(value: number): string {
  if (value >= WHOLE || Number.isInteger(value)) return String(Math.round(value));
  return value >= 1 ? value.toFixed(1) : value.toPrecision(1);
}
