// How the keyboard moves through call stacks: from caller to what it calls, and between what one caller calls. Pure; the page uses it.

export interface WalkFrame {
  /** How many callers it has. */
  depth: number;
}

export const WALK_KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home'] as const;
export type WalkKey = (typeof WALK_KEYS)[number];

/** @param frames each before what it calls @returns the same index where there is nothing in that direction */
export function walk(frames: readonly WalkFrame[], at: number, key: WalkKey): number {
  const depth = frames[at]?.depth ?? 0;
  switch (key) {
    case 'ArrowUp':
      return callerOf(frames, at) ?? at;
    case 'ArrowDown':
      return (frames[at + 1]?.depth ?? 0) > depth ? at + 1 : at;
    case 'ArrowLeft': {
      const before = frames.findLastIndex((frame, index) => index < at && frame.depth <= depth);
      return before >= 0 && frames[before]?.depth === depth ? before : at;
    }
    case 'ArrowRight': {
      const after = frames.findIndex((frame, index) => index > at && frame.depth <= depth);
      return after >= 0 && frames[after]?.depth === depth ? after : at;
    }
    case 'Home':
      return 0;
  }
}

export function callerOf(frames: readonly WalkFrame[], at: number): number | undefined {
  const depth = frames[at]?.depth ?? 0;
  const caller = frames.findLastIndex((frame, index) => index < at && frame.depth < depth);
  return caller >= 0 ? caller : undefined;
}

/** Place among what its caller calls, from 1, and how many those are: for who listens. */
export function placeAmong(frames: readonly WalkFrame[], at: number): { place: number; of: number } {
  let first = at;
  for (let before = walk(frames, first, 'ArrowLeft'); before !== first; before = walk(frames, first, 'ArrowLeft')) first = before;
  let of = 1;
  let place = 1;
  let one = first;
  for (let next = walk(frames, one, 'ArrowRight'); next !== one; next = walk(frames, one, 'ArrowRight')) {
    of += 1;
    if (next <= at) place = of;
    one = next;
  }
  return { place, of };
}
