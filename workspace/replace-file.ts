// Writes a fixed file so that no reader ever sees half of it, and no change made meanwhile is lost.
import { accessSync, chmodSync, constants, realpathSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MOST_BYTES, readBytes, whyUnreadable } from '../files/read-text-file.ts';

export type ReplaceOutcome = { ok: true } | { ok: false; why: string };

const PERMISSIONS = 0o7777;

/** Replaces a file's text if it is still `before`. A symbolic link stays one: its target is written. */
export function replaceFile(path: string, before: string, after: string): ReplaceOutcome {
  let target: string;
  let mode: number;
  try {
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
    mode = statSync(target).mode & PERMISSIONS;
  } catch (error) {
    return { ok: false, why: whyUnreadable(error) };
  }
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.nodometer-tmp`);
  try {
    writeFileSync(temporary, after, { flag: 'wx' });
    // Not by the `mode` of the write: the umask would cut it.
    chmodSync(temporary, mode);
    renameSync(temporary, target);
    return { ok: true };
  } catch (error) {
    removeIfThere(temporary);
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
