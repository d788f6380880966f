// What the summaries say about call sites and calls, in numbers of the whole project. Replacing a summary rewrites the part of its file.
import type { FileBase, Numbering } from './numbering.ts';
import { ArgumentsField, SITE_STRIDE, SiteField } from '../summary/format.ts';

export class Sites {
  /** By site: the enclosing function, or -1. */
  readonly fn: Int32Array;
  /** By site. */
  readonly flags: Int32Array;
  /** By site: its last call that runs something, or -1. */
  readonly call: Int32Array;
  /** By call: the previous one at its site, or -1. */
  readonly before: Int32Array;
  /** By site: the position of its argument kinds in the summary of its file, or -1. */
  readonly argumentKinds: Int32Array;
  /** By function: 1 if it is written inline where a handler is registered. */
  readonly isHandler: Uint8Array;

  constructor({ siteCount, callCount, fnCount }: Numbering) {
    this.fn = new Int32Array(siteCount).fill(-1);
    this.flags = new Int32Array(siteCount);
    this.call = new Int32Array(siteCount).fill(-1);
    this.before = new Int32Array(callCount).fill(-1);
    this.argumentKinds = new Int32Array(siteCount).fill(-1);
    this.isHandler = new Uint8Array(fnCount);
  }

  /** Adds the call sites of a file; `take` adds the calls. */
  place({ summary: { sites, argumentKinds, roots, timers = [] }, site, fn }: FileBase): void {
    for (let i = 0, at = site; i < sites.length; i += SITE_STRIDE, at++) {
      const own = sites[i + SiteField.Function] as number;
      this.fn[at] = own < 0 ? -1 : own + fn;
      this.flags[at] = sites[i + SiteField.Flags] as number;
    }
    for (let at = 0; at < argumentKinds.length; at += ArgumentsField.FirstKind + (argumentKinds[at + ArgumentsField.Count] as number))
      this.argumentKinds[site + (argumentKinds[at + ArgumentsField.Site] as number)] = at;
    for (const root of [...roots, ...timers]) if (root.fn !== undefined) this.isHandler[fn + root.fn] = 1;
  }

  /** Adds a call that runs something. */
  take(call: number, site: number): void {
    this.before[call] = this.call[site] as number;
    this.call[site] = call;
  }

  /** Removes a file. */
  clear({ site, call, fn, room }: FileBase): void {
    this.fn.fill(-1, site, site + room.site);
    this.flags.fill(0, site, site + room.site);
    this.call.fill(-1, site, site + room.site);
    this.before.fill(-1, call, call + room.call);
    this.argumentKinds.fill(-1, site, site + room.site);
    this.isHandler.fill(0, fn, fn + room.fn);
  }
}
