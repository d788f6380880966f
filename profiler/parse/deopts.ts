// Deoptimizations, grouped by place, kind and reason, from the lines `code-deopt,<us>,<size>,<code>,<inlining
// id>,<offset>,<kind>,<location>,<reason>`.
import type { DeoptGroup, Placement, SourcePlace } from '../../protocol/evidence.ts';
import { comparePlaces } from './inline-caches.ts';
import type { UserFunction } from './code-map.ts';
import type { Limits } from './limits.ts';

export interface DeoptLine {
  place: SourcePlace;
  placement: Placement;
  inlinedAt: readonly SourcePlace[];
  kind: string;
  reason: string;
  /** In ms. */
  at: number;
  /** Whose code was discarded; undefined when that is not the user's. */
  owner: UserFunction | undefined;
}

/** Whether so many deoptimizations of one kind at one place belong to every warm-up. */
export type IsBenign = (kind: string, reason: string, count: number) => boolean;

interface Group extends Omit<DeoptLine, 'at' | 'owner'> {
  count: number;
  at: number[];
  next?: NonNullable<DeoptGroup['next']>;
}

export class Deopts {
  private readonly groups = new Map<string, Group>();
  /** Groups of functions that V8 has not optimized again. */
  private readonly waiting = new Map<UserFunction, Group[]>();
  private readonly limits: Limits;
  dropped = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  take({ at, owner, ...line }: DeoptLine): void {
    const id = `${line.place.line}:${line.place.column} ${line.kind} ${line.reason} ${line.place.file}`;
    let group = this.groups.get(id);
    if (!group) {
      if (this.groups.size >= this.limits.places) {
        this.dropped++;
        return;
      }
      group = { ...line, count: 0, at: [] };
      this.groups.set(id, group);
    }
    group.count++;
    if (group.inlinedAt.length === 0) group.inlinedAt = line.inlinedAt;
    if (group.at.length < this.limits.times) group.at.push(at);
    if (group.count > 1) delete group.next;
    else if (owner) this.waiting.set(owner, [...(this.waiting.get(owner) ?? []), group]);
  }

  /** V8 has optimized a function of the user's. `at` in ms. */
  optimized(owner: UserFunction, at: number): void {
    for (const group of this.waiting.get(owner) ?? []) this.end(group, 'optimized', at);
    this.waiting.delete(owner);
  }

  /** In the order of the source. `endAt` in ms: when the process ended, as far as the log knows. */
  result(isBenign: IsBenign, endAt: number): DeoptGroup[] {
    for (const groups of this.waiting.values()) for (const group of groups) this.end(group, 'ended', endAt);
    return [...this.groups.values()]
      .map((group) => ({ ...group, benign: isBenign(group.kind, group.reason, group.count) }))
      .sort((a, b) => comparePlaces(a.place, b.place) || (a.at[0] ?? 0) - (b.at[0] ?? 0));
  }

  private end(group: Group, event: 'optimized' | 'ended', at: number): void {
    const [first] = group.at;
    if (group.count === 1 && first !== undefined && at >= first) group.next = { event, afterMs: at - first };
  }
}
