// Temp folders that end with what made them, and those that were left behind because that was killed together with everything that could
// tidy up.
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What a folder is for: a run, a server under load, the files of a commit. */
export type Purpose = 'run' | 'load' | 'base';

const LEFT = /^nodometer-(?:run|load|base)-(\d+)-/;
/** None of them takes so long, and another container may share the folder, but not the numbers of processes. */
const OLD_MS = 60 * 60 * 1000;

const swept = new Set<string>();

/** Made anew in `parent`, for its user alone. */
export function makeOwnFolder(parent: string, purpose: Purpose): string {
  mkdirSync(parent, { recursive: true });
  if (!swept.has(parent)) {
    swept.add(parent);
    sweep(parent);
  }
  return realpathSync(mkdtempSync(join(parent, `nodometer-${purpose}-${process.pid}-`)));
}

/** Takes folders away whose host has ended, and in which nothing has happened for long. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(LEFT.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const path = join(parent, name);
    try {
      const stats = lstatSync(path);
      const isOwn = process.getuid === undefined || stats.uid === process.getuid();
      if (stats.isDirectory() && isOwn && Date.now() - stats.mtimeMs > OLD_MS) rmSync(path, { recursive: true, force: true });
    } catch {
      // Somebody else has taken it away, or it cannot be: it is only old.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
