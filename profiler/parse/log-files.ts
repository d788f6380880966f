// The files that a log names, looked at once each, and the strings that are kept of it.
import { toFilePath } from './escapes.ts';
import type { Limits } from './limits.ts';

export interface LogFile {
  path: string;
  isUser: boolean;
}

const NODE_INTERNAL: LogFile = { path: '', isUser: false };

export class LogFiles {
  private readonly files = new Map<string, LogFile>();
  private readonly unescape: (text: string) => string;
  private readonly options: { isUserFile(file: string): boolean };
  private readonly limit: number;

  constructor(unescape: (text: string) => string, options: { isUserFile(file: string): boolean }, limits: Limits) {
    this.unescape = unescape;
    this.options = options;
    this.limit = limits.places;
  }

  /** `raw` as V8 wrote it. */
  get(raw: string): LogFile {
    if (raw === '') return NODE_INTERNAL;
    const known = this.files.get(raw);
    if (known) return known;
    if (this.files.size >= this.limit) this.files.clear();
    const path = detached(toFilePath(this.unescape(raw)));
    const file = { path, isUser: !path.startsWith('node:') && this.options.isUserFile(path) };
    this.files.set(detached(raw), file);
    return file;
  }
}

/** Keeps one copy of each string, free of the piece of the log that it was cut from. */
export class Strings {
  private readonly kept = new Map<string, string>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  keep(text: string): string {
    const known = this.kept.get(text);
    if (known !== undefined) return known;
    const copy = detached(text);
    if (this.kept.size >= this.limit) this.kept.clear();
    this.kept.set(copy, copy);
    return copy;
  }
}

/** V8 lets a long substring share the memory of the whole: one kept name would hold a quarter of a megabyte of log. */
function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
