// The one way to read a file that is not our own. A repository can hold a link to `/dev/zero`, a named pipe, or a file of any size: none of
// them may stop us, or take memory without limit. `test/repo/boundaries.test.ts` sees to it that nobody reads in another way.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';

const KIB = 1024;
const MIB = KIB * KIB;

/** Most bytes that are read of a file, by what the file is for. */
export const MOST_BYTES = {
  /** Files that say a few words: `.nvmrc`, `.gitignore`, `.git`. */
  words: 256 * KIB,
  /** Configurations, manifests, and deployment files. */
  settings: 4 * MIB,
  /** `.nodometer/evidence.json`: some 20,000 verdicts. */
  evidence: 16 * MIB,
  /** A source file that was named, whatever its size. */
  namedSource: 64 * MIB,
  /** Source maps, and what a run leaves in its folder: records and CPU profiles. */
  runs: 256 * MIB,
  /** Profiles, coverage, and traces to import, which are read piece by piece; decompressed, too. */
  imports: 4096 * MIB,
} as const;

export type FileReading =
  | { ok: true; bytes: Buffer }
  /** `why` continues a sentence that begins with the file's name. */
  | { ok: false; problem: 'missing' | 'too-large' | 'unreadable'; why: string };

export type TextReading = { ok: true; text: string } | Extract<FileReading, { ok: false }>;

/** `limit` in bytes. Never waits: a pipe or a device is reported, not read. */
export function readTextFile(path: string, limit: number): TextReading {
  const reading = readBytes(path, limit);
  return reading.ok ? { ok: true, text: reading.bytes.toString('utf8') } : reading;
}

/** For those who have nothing to say of a file that is not there or cannot be read. */
export function textOfFile(path: string, limit: number): string | undefined {
  const reading = readTextFile(path, limit);
  return reading.ok ? reading.text : undefined;
}

export function readBytes(path: string, limit: number): FileReading {
  let file: number | undefined;
  try {
    // Asked before it is opened, because opening a device may do something already.
    const before = statSync(path, { throwIfNoEntry: false });
    if (!before) return { ok: false, problem: 'missing', why: whyMissing(path) };
    if (!before.isFile()) return { ok: false, problem: 'unreadable', why: before.isDirectory() ? 'is a folder' : 'is not a regular file' };
    if (before.size > limit) return tooLarge(before.size, limit);
    // Asked again: the path may lead elsewhere by now, and a pipe would then wait for a writer. Windows has no such flag, and no such
    // pipes.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile()) return { ok: false, problem: 'unreadable', why: 'is not a regular file' };
    return readOpen(file, stats.size, limit);
  } catch (error) {
    return { ok: false, problem: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable', why: whyUnreadable(error) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Of pieces of a large file. */
const CHUNK_BYTES = 256 * KIB;

/** A file too large to be held, piece by piece. What it returns says why it stopped, where that was not the end. */
export function* readChunks(path: string, limit: number): Generator<Buffer, Extract<FileReading, { ok: false }> | undefined> {
  let file: number | undefined;
  try {
    const before = statSync(path, { throwIfNoEntry: false });
    if (!before) return { ok: false, problem: 'missing', why: 'does not exist' };
    if (!before.isFile()) return { ok: false, problem: 'unreadable', why: before.isDirectory() ? 'is a folder' : 'is not a regular file' };
    if (before.size > limit) return tooLarge(before.size, limit);
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(file).isFile()) return { ok: false, problem: 'unreadable', why: 'is not a regular file' };
    let length = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = readSync(file, chunk, 0, CHUNK_BYTES, null);
      if (read === 0) return undefined;
      length += read;
      if (length > limit) return tooLarge(length, limit);
      yield chunk.subarray(0, read);
    }
  } catch (error) {
    return { ok: false, problem: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable', why: whyUnreadable(error) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Files below `/proc` say that they are empty, and a file may grow meanwhile: what counts is what is read. */
function readOpen(file: number, size: number, limit: number): FileReading {
  let bytes = Buffer.allocUnsafe(Math.min(Math.max(size, KIB), limit) + 1);
  let length = 0;
  for (;;) {
    const read = readSync(file, bytes, length, bytes.length - length, null);
    if (read === 0) return { ok: true, bytes: bytes.subarray(0, length) };
    length += read;
    if (length > limit) return tooLarge(length, limit);
    if (length < bytes.length) continue;
    const longer = Buffer.allocUnsafe(Math.min(bytes.length * 2, limit + 1));
    bytes.copy(longer, 0, 0, length);
    bytes = longer;
  }
}

function tooLarge(size: number, limit: number): Extract<FileReading, { ok: false }> {
  return { ok: false, problem: 'too-large', why: `is too large (${inUnits(size, Math.ceil)}, limit ${inUnits(limit, Math.floor)})` };
}

/** `16.1 MB`, with one decimal. The size is rounded up and its limit down, so that the two differ where they are close. */
function inUnits(bytes: number, round: (tenths: number) => number): string {
  const [unit, name] = bytes < MIB ? [KIB, 'KB'] : [MIB, 'MB'];
  return `${round((bytes / unit) * 10) / 10} ${name}`;
}

/** Linux has names of any bytes. Where they are no UTF-8, Node gives another name (U+FFFD), under which there is nothing. */
function whyMissing(path: string): string {
  return path.includes('\ufffd') ? 'has a name that is not valid UTF-8' : 'no longer exists';
}

export function whyUnreadable(error: unknown): string {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return whyMissing(path ?? '');
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read (permission denied)';
  if (code === 'ELOOP') return 'is a circular symbolic link';
  if (code === 'EISDIR') return 'is a folder';
  return `cannot be read (${code ?? String(error)})`;
}

/** Where a link in a folder leads to, if that is outside of the folder. Undefined for all else. */
export function targetOutside(path: string, folder: string): string | undefined {
  try {
    const target = realpathSync(path);
    const inside = relative(realpathSync(folder), target);
    return inside === '..' || inside.startsWith(`..${sep}`) || inside === target ? target : undefined;
  } catch {
    // It leads nowhere; whoever reads it says so.
    return undefined;
  }
}
