// What was worked out from files, kept on disk by the hash of their text. Losing it costs time and nothing else: whatever is wrong with it,
// it is empty.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readBytes } from '../../files/read-text-file.ts';
import { statsOf } from '../../files/path-stats.ts';

/** Two texts for each file: what is needed at once, and what is needed only when something has changed. */
export interface CachedRecord {
  /** Hash of the text that it was worked out from. */
  hash: string;
  /** JSON. */
  result: string;
  /** JSON. */
  summary: string;
}

export interface RecordCacheRequest {
  /** Absolute path of the cache's file. */
  path: string;
  /** A cache that was written under another key is ignored: it names all that the records depend on beside the texts. */
  key: string;
  /** In ms since 1970. */
  now(): number;
  log(message: string): void;
}

const MAGIC = 'nodometer-cache';
/** Raised when the layout of the file changes. */
const FORMAT = 1;
const CHECKSUM = 'sha1';
/** More than any project's needs; such a file is not ours, in bytes. */
const MOST_CACHE_BYTES = 1024 * 1024 * 1024;
/** What a writer that was killed left behind is swept up after this, in ms: no writer takes an hour. */
const LEFTOVER_AGE_MS = 3_600_000;
const TEMPORARY = '.nodometer-tmp';
/** A cache holds findings with the code around them, and who can write it can hide findings: it is the user's alone. */
const OWN_FOLDER_MODE = 0o700;
const OWN_FILE_MODE = 0o600;
const WRITABLE_BY_ALL = 0o002;

interface Entry {
  hash: string;
  result: Buffer;
  summary: Buffer;
}

/** In the first line of the file, as JSON; the records' bytes follow in the same order. */
interface Header {
  format: number;
  key: string;
  checksum: string;
  /** File, hash, bytes of the result, bytes of the summary. */
  entries: readonly (readonly [string, string, number, number])[];
}

export class RecordCache {
  readonly #request: RecordCacheRequest;
  readonly #entries: Map<string, Entry>;
  #isChanged = false;

  constructor(request: RecordCacheRequest) {
    this.#request = request;
    this.#entries = read(request);
  }

  get size(): number {
    return this.#entries.size;
  }

  files(): IterableIterator<string> {
    return this.#entries.keys();
  }

  hashOf(file: string): string | undefined {
    return this.#entries.get(file)?.hash;
  }

  /** Undefined when the text is another than when it was kept. */
  result(file: string, hash: string): string | undefined {
    const entry = this.#entries.get(file);
    return entry?.hash === hash ? entry.result.toString() : undefined;
  }

  summary(file: string, hash: string): string | undefined {
    const entry = this.#entries.get(file);
    return entry?.hash === hash ? entry.summary.toString() : undefined;
  }

  set(file: string, { hash, result, summary }: CachedRecord): void {
    this.#entries.set(file, { hash, result: Buffer.from(result), summary: Buffer.from(summary) });
    this.#isChanged = true;
  }

  /** Another result of the same text. */
  setResult(file: string, result: string): void {
    const entry = this.#entries.get(file);
    if (!entry) return;
    entry.result = Buffer.from(result);
    this.#isChanged = true;
  }

  delete(file: string): void {
    if (this.#entries.delete(file)) this.#isChanged = true;
  }

  /**
   * In one step, so that nobody ever reads half of it. Of two writers the last one wins, and both caches are whole. False when there was
   * nothing to write, or it could not be.
   */
  save(): boolean {
    if (!this.#isChanged) return false;
    const { path, log } = this.#request;
    const folder = dirname(path);
    // Two editors may be in the same process group, or in containers with the same process number.
    const temporary = join(folder, `${basename(path)}.${process.pid}.${Math.random().toString(36).slice(2)}${TEMPORARY}`);
    try {
      mkdirSync(folder, { recursive: true, mode: OWN_FOLDER_MODE });
      this.#sweep(folder);
      writeFileSync(temporary, this.#bytes(), { flag: 'wx', mode: OWN_FILE_MODE });
      renameSync(temporary, path);
      this.#isChanged = false;
      return true;
    } catch (error) {
      log(`The cache ${path} was not written: ${String(error)}`);
      // Where it could not even be begun, `force` does not keep this from failing.
      if (statsOf(temporary)) rmSync(temporary, { force: true });
      return false;
    }
  }

  #bytes(): Buffer {
    const body: Buffer[] = [];
    const entries: Header['entries'][number][] = [];
    for (const [file, { hash, result, summary }] of this.#entries) {
      entries.push([file, hash, result.length, summary.length]);
      body.push(result, summary);
    }
    const bytes = Buffer.concat(body);
    const header: Header = { format: FORMAT, key: this.#request.key, checksum: checksumOf(entries, bytes), entries };
    return Buffer.concat([Buffer.from(`${MAGIC} ${JSON.stringify(header)}\n`), bytes]);
  }

  #sweep(folder: string): void {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(`${basename(this.#request.path)}.`) || !name.endsWith(TEMPORARY)) continue;
      const left = join(folder, name);
      const age = this.#request.now() - (statsOf(left)?.mtimeMs ?? Infinity);
      if (age > LEFTOVER_AGE_MS) rmSync(left, { force: true });
    }
  }
}

function read({ path, key, log }: RecordCacheRequest): Map<string, Entry> {
  const none = new Map<string, Entry>();
  const reading = readBytes(path, MOST_CACHE_BYTES);
  if (!reading.ok) {
    // A folder or a device in its place is a cache without entries, as a missing one is.
    if (reading.problem !== 'missing') log(`The cache ${path} was not read: it ${reading.why}.`);
    return none;
  }
  const { bytes } = reading;
  const stats = statsOf(path);
  // Windows has neither, and keeps a user's folders from others by itself.
  if (process.getuid !== undefined && stats && (stats.uid !== process.getuid() || (stats.mode & WRITABLE_BY_ALL) !== 0)) {
    log(`The cache ${path} is not used: it belongs to another user, or every user may write it.`);
    return none;
  }
  const problem = (why: string): Map<string, Entry> => {
    log(`The cache ${path} is not used: ${why}.`);
    return new Map();
  };
  const end = bytes.indexOf('\n');
  if (end < 0 || bytes.subarray(0, MAGIC.length).toString() !== MAGIC) return problem('it is not a cache file');
  const header = headerOf(bytes.subarray(MAGIC.length + 1, end).toString());
  if (!header) return problem('its header cannot be read');
  // Other versions' caches are no mistake: they are written anew.
  if (header.format !== FORMAT || header.key !== key) return none;
  const body = bytes.subarray(end + 1);
  if (checksumOf(header.entries, body) !== header.checksum) return problem('its checksum is wrong');
  let at = 0;
  const entries = new Map<string, Entry>();
  for (const [file, hash, resultLength, summaryLength] of header.entries) {
    entries.set(file, {
      hash,
      result: body.subarray(at, at + resultLength),
      summary: body.subarray(at + resultLength, at + resultLength + summaryLength),
    });
    at += resultLength + summaryLength;
  }
  return at === body.length ? entries : problem('its length is wrong');
}

function headerOf(text: string): Header | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The caller reports it as what it is.
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { format, key, checksum, entries } = value as Partial<Record<keyof Header, unknown>>;
  if (typeof format !== 'number' || typeof key !== 'string' || typeof checksum !== 'string' || !Array.isArray(entries)) return undefined;
  const isEntry = (entry: unknown): entry is [string, string, number, number] =>
    Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string' && isLength(entry[2]) && isLength(entry[3]);
  return entries.every(isEntry) ? { format, key, checksum, entries } : undefined;
}

function isLength(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function checksumOf(entries: Header['entries'], body: Buffer): string {
  return createHash(CHECKSUM).update(JSON.stringify(entries)).update(body).digest('base64url');
}
