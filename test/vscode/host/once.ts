// A folder that is made once and then shared: by runs that start at the same time, and after runs that were stopped half-way.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 500;

/** Makes `folder` unless it is there. It appears whole or not at all: it is made under another name and renamed. */
export async function makeOnce(folder: string, make: (partial: string) => Promise<void>, say: (line: string) => void): Promise<void> {
  if (isThere(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  const lock = `${folder}.lock`;
  let hasSaid = false;
  while (!takeLock(lock)) {
    if (!hasSaid) say(`waiting for another run that makes ${folder}`);
    hasSaid = true;
    await sleep(POLL_MS);
  }
  try {
    if (isThere(folder)) return;
    const partial = `${folder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial);
    await make(partial);
    renameSync(partial, folder);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** A lock is a file that holds its owner's process id. A link is made with its content, so nobody sees an empty lock. */
function takeLock(lock: string): boolean {
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    removeDeadLock(lock);
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** A run that was killed leaves its lock. Of those who see that, one renames it; the others find nothing to rename. */
function removeDeadLock(lock: string): void {
  try {
    if (isAlive(Number(readFileSync(lock, 'utf8')))) return;
    const dead = `${lock}.dead.${process.pid}`;
    renameSync(lock, dead);
    // Between the look and the rename a living run may have taken the lock: then it gets it back.
    if (isAlive(Number(readFileSync(dead, 'utf8')))) renameSync(dead, lock);
    else rmSync(dead, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isThere(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
