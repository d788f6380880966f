// Writes a fixed file so that no reader ever sees half of it, and no change made meanwhile is lost.
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MOST_BYTES, readBytes, targetOutside, whyUnreadable } from '../files/read-text-file.ts';

export type ReplaceOutcome = { ok: true } | { ok: false; why: string };

const PERMISSIONS = 0o7777;

/**
 * Replaces a file's text if it is still `before`. A symbolic link stays one: its target is written if it lies in the folder `within`,
 * because a stranger's repository can hold a link to any file. Mode, owner, and group stay as they are.
 */
export function replaceFile(path: string, before: string, after: string, within: string): ReplaceOutcome {
  let target: string;
  let stats: Stats;
  try {
    const outside = targetOutside(path, within);
    if (outside !== undefined) return { ok: false, why: `is a link to ${outside}, outside of ${within}` };
    target = realpathSync(path);
    const reading = readBytes(target, MOST_BYTES.namedSource);
    if (!reading.ok) return { ok: false, why: reading.why };
    const { bytes } = reading;
    if (!bytes.equals(Buffer.from(before))) {
      // Bytes that are no UTF-8 were read as U+FFFD; writing them back would destroy them.
      return {
        ok: false,
        why: bytes.toString('utf8') === before ? 'is not valid UTF-8' : 'was changed by another program in the meantime',
      };
    }
    // A rename would replace a write-protected file without asking.
    accessSync(target, constants.W_OK);
    stats = statSync(target);
  } catch (error) {
    return { ok: false, why: whyUnreadable(error) };
  }
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.nodometer-tmp`);
  let step: 'write' | 'owner' = 'write';
  try {
    writeFileSync(temporary, after, { flag: 'wx' });
    const owner = statSync(temporary);
    if (owner.uid !== stats.uid || owner.gid !== stats.gid) {
      step = 'owner';
      chownSync(temporary, stats.uid, stats.gid);
      step = 'write';
    }
    // Not by the `mode` of the write: the umask would cut it. After the owner: a change of that takes bits away.
    chmodSync(temporary, stats.mode & PERMISSIONS);
    renameSync(temporary, target);
    return { ok: true };
  } catch (error) {
    removeIfThere(temporary);
    if (step === 'owner') return { ok: false, why: 'belongs to another user or group, and would become yours' };
    return { ok: false, why: `cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})` };
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made, or is gone already: both are what is wanted.
  }
}
