// What files say of their sites and calls before anything flows, in the whole project's numbers. A file that gets another summary has its
// part written anew.
import type { FileBase, Numbering } from './numbering.ts';
import { SITE_STRIDE, SiteField } from '../summary/format.ts';

export class Sites {
  /** By site: the function that it stands in, or -1. */
  readonly fn: Int32Array;
  /** By site. */
  readonly flags: Int32Array;
  /** By site: the last of its calls that run something, or -1. */
  readonly call: Int32Array;
  /** By call: the one before it at its site, or -1. */
  readonly before: Int32Array;
  /** By site: where its file's summary has the kinds of its arguments, or -1. */
  readonly argumentKinds: Int32Array;
  /** By function: 1 where it is written where a handler is registered. */
  readonly isHandler: Uint8Array;

  constructor({ siteCount, callCount, fnCount }: Numbering) {
    this.fn = new Int32Array(siteCount).fill(-1);
    this.flags = new Int32Array(siteCount);
    this.call = new Int32Array(siteCount).fill(-1);
    this.before = new Int32Array(callCount).fill(-1);
    this.argumentKinds = new Int32Array(siteCount).fill(-1);
    this.isHandler = new Uint8Array(fnCount);
  }

  /** All of a file but its calls. */
  place({ summary: { sites, argumentKinds, roots }, site, fn }: FileBase): void {
    for (let i = 0, at = site; i < sites.length; i += SITE_STRIDE, at++) {
      const own = sites[i + SiteField.Function] as number;
      this.fn[at] = own < 0 ? -1 : own + fn;
      this.flags[at] = sites[i + SiteField.Flags] as number;
    }
    for (let i = 0; i < argumentKinds.length; i += 3 + (argumentKinds[i + 2] as number))
      this.argumentKinds[site + (argumentKinds[i] as number)] = i;
    for (const root of roots) if (root.fn !== undefined) this.isHandler[fn + root.fn] = 1;
  }

  /** A call that runs something. */
  take(call: number, site: number): void {
    this.before[call] = this.call[site] as number;
    this.call[site] = call;
  }

  /** Leaves nothing of a file. */
  clear({ site, call, fn, room }: FileBase): void {
    this.fn.fill(-1, site, site + room.site);
    this.flags.fill(0, site, site + room.site);
    this.call.fill(-1, site, site + room.site);
    this.before.fill(-1, call, call + room.call);
    this.argumentKinds.fill(-1, site, site + room.site);
    this.isHandler.fill(0, fn, fn + room.fn);
  }
}
