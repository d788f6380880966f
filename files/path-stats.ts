// What lies at a path, where nothing that can lie there is a mistake.
import { lstatSync, statSync, type Stats } from 'node:fs';

/** Undefined where there is nothing, or it cannot be looked at: a folder of the path may be a file, closed to us, or a link in a circle. */
export function statsOf(path: string): Stats | undefined {
  return orUndefined(() => statSync(path, { throwIfNoEntry: false }));
}

/** The same, of a link itself instead of what it leads to. */
export function linkStatsOf(path: string): Stats | undefined {
  return orUndefined(() => lstatSync(path, { throwIfNoEntry: false }));
}

function orUndefined(look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch {
    // All of these mean to those who ask that nothing can be read there.
    return undefined;
  }
}
