// The files that a log names, looked at once each, and the strings that are kept of it.
import { toFilePath } from './escapes.ts';
import type { Limits } from './limits.ts';

export interface LogFile {
  path: string;
  isUser: boolean;
}

const NODE_INTERNAL: LogFile = { path: '', isUser: false };

export class LogFiles {
  private readonly byPath = new Map<string, LogFile>();
  /** By the name as V8 wrote it, for each way of escaping. */
  private readonly byRaw = new Map<(text: string) => string, Map<string, LogFile>>();
  private readonly options: { isUserFile(file: string): boolean };
  private readonly limit: number;

  constructor(options: { isUserFile(file: string): boolean }, limits: Limits) {
    this.options = options;
    this.limit = limits.places;
  }

  /** `raw` as V8 wrote it; `unescape` one of the two functions for it. */
  get(raw: string, unescape: (text: string) => string): LogFile {
    if (raw === '') return NODE_INTERNAL;
    const files = this.byRaw.get(unescape) ?? new Map<string, LogFile>();
    this.byRaw.set(unescape, files);
    const known = files.get(raw);
    if (known) return known;
    if (files.size >= this.limit) files.clear();
    const file = this.at(detached(toFilePath(unescape(raw))));
    files.set(detached(raw), file);
    return file;
  }

  private at(path: string): LogFile {
    const known = this.byPath.get(path);
    if (known) return known;
    if (this.byPath.size >= this.limit) this.byPath.clear();
    const file = { path, isUser: !path.startsWith('node:') && this.options.isUserFile(path) };
    this.byPath.set(path, file);
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

/** V8 lets a long substring share the memory of the whole: one kept name would hold 64 KB of log. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
