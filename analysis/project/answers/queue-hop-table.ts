// The hops of all files, numbered for the whole project. The summaries list them; the solver finds out where they lead.
import type { FileBase, Numbering } from '../points-to/numbering.ts';
import { HOP_KIND_MASK, HOP_STRIDE, HopField, HopFlag, HopKindCode } from '../summary/format.ts';

export interface Hop {
  readonly fn: number;
  readonly site: number;
  readonly kind: number;
  readonly flags: number;
}

export class HopTable {
  /** By function. */
  readonly hops = new Map<number, Hop[]>();
  readonly awaited = new Map<number, Hop[]>();
  readonly settled = new Set<number>();
  /** By file. */
  readonly #queued: (readonly Hop[])[];

  constructor({ files }: Numbering) {
    this.#queued = files.map((base) => this.#read(base));
  }

  /** Hops that go through a queue. */
  get queued(): readonly Hop[] {
    return this.#queued.flat();
  }

  /** Takes the new summary of a file. */
  take(index: number, base: FileBase): void {
    for (let fn = base.fn; fn < base.fn + base.room.fn; fn++) {
      this.hops.delete(fn);
      this.awaited.delete(fn);
      this.settled.delete(fn);
    }
    this.#queued[index] = this.#read(base);
  }

  #read({ summary: { hops, settled }, fn: fnBase, site: siteBase }: FileBase): Hop[] {
    const queued: Hop[] = [];
    for (const local of settled) this.settled.add(local + fnBase);
    for (let i = 0; i < hops.length; i += HOP_STRIDE) {
      const flags = hops[i + HopField.KindAndFlags] as number;
      const hop: Hop = {
        fn: (hops[i + HopField.Function] as number) + fnBase,
        site: (hops[i + HopField.Site] as number) + siteBase,
        kind: flags & HOP_KIND_MASK,
        flags,
      };
      const list = hop.kind === HopKindCode.Awaited ? this.awaited : this.hops;
      const known = list.get(hop.fn);
      if (known) known.push(hop);
      else list.set(hop.fn, [hop]);
      if (isQueued(hop)) queued.push(hop);
    }
    return queued;
  }
}

export function isAwaiting({ kind, flags }: Hop): boolean {
  return kind === HopKindCode.Call && (flags & HopFlag.AfterAwait) !== 0;
}

export function isQueued(hop: Hop): boolean {
  return QUEUES.has(hop.kind) || isAwaiting(hop);
}

const QUEUES: ReadonlySet<number> = new Set([HopKindCode.Tick, HopKindCode.Microtask, HopKindCode.Then]);
