// A lock that processes hold for the moment in which they change a file: a file of its own, which only one of them can make.
import { rmSync, writeFileSync } from 'node:fs';
import { linkStatsOf } from '../files/path-stats.ts';

/** Whoever holds it longer has died, in ms: a change takes milliseconds. */
const ABANDONED_MS = 5000;
/** More than an abandoned lock makes anyone wait, in ms. */
const PATIENCE_MS = 15_000;
const POLL_MS = 10;

/**
 * Waits until the lock is ours, and gives what returns it. Throws what making the file throws, for example in a folder without permission.
 */
export function lock(path: string): () => void {
  const start = performance.now();
  for (;;) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || performance.now() - start > PATIENCE_MS) throw error;
    }
    if (isAbandoned(path)) rmSync(path, { force: true, recursive: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}

function isAbandoned(path: string): boolean {
  // Of a link, not of what it leads to: one to a file of the future, or to nothing, would hold for ever.
  const stats = linkStatsOf(path);
  return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS;
}
