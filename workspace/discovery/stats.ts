// What lies at a path, where nothing that can lie there is a mistake.
import { statSync, type Stats } from 'node:fs';

/** Undefined where there is nothing, or it cannot be looked at: a folder of the path may be a file, or closed to us. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Both mean to those who ask that nothing can be read there.
    return undefined;
  }
}
