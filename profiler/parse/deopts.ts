// Deoptimizations, grouped by place, kind and reason, from the lines `code-deopt,<us>,<size>,<code>,<inlining
// id>,<offset>,<kind>,<location>,<reason>`.
import type { DeoptGroup, Placement, SourcePlace } from '../../protocol/evidence.ts';
import { comparePlaces } from './inline-caches.ts';
import type { Limits } from './limits.ts';

export interface DeoptLine {
  place: SourcePlace;
  placement: Placement;
  inlinedAt: readonly SourcePlace[];
  kind: string;
  reason: string;
  /** In ms. */
  at: number;
}

/** Whether so many deoptimizations of one kind at one place belong to every warm-up. */
export type IsBenign = (kind: string, reason: string, count: number) => boolean;

interface Group extends Omit<DeoptLine, 'at'> {
  count: number;
  at: number[];
}

export class Deopts {
  private readonly groups = new Map<string, Group>();
  private readonly limits: Limits;
  dropped = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  take({ at, ...line }: DeoptLine): void {
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
  }

  /** In the order of the source. */
  result(isBenign: IsBenign): DeoptGroup[] {
    return [...this.groups.values()]
      .map((group) => ({ ...group, benign: isBenign(group.kind, group.reason, group.count) }))
      .sort((a, b) => comparePlaces(a.place, b.place) || (a.at[0] ?? 0) - (b.at[0] ?? 0));
  }
}
