// Which tier each function reached and when, from the marker that ends a code-creation line.
import type { Tier, TierEvent } from '../../protocol/evidence.ts';
import type { UserFunction } from './code-map.ts';
import type { Limits } from './limits.ts';

const TIERS: ReadonlyMap<string, Tier> = new Map([
  ['~', 'ignition'],
  ['^', 'sparkplug'],
  ['+', 'maglev'],
  ['*', 'turbofan'],
]);

/** `o`: entered in the middle of a loop (seen on Node 26 only); `'`: made for one context; both measured on Node 18 to 26. */
const MARKER = /^(o?)([~^+*])'?$/;

export interface TierMarker {
  tier: Tier;
  osr: boolean;
}

export function findTier(marker: string): TierMarker | undefined {
  const match = MARKER.exec(marker);
  const tier = match && TIERS.get(match[2] ?? '');
  return tier ? { tier, osr: match[1] === 'o' } : undefined;
}

export class Tiers {
  private readonly events: TierEvent[] = [];
  private readonly counts = new Map<UserFunction, number>();
  private readonly limits: Limits;
  dropped = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** `at` in ms; `into` is the owner of the code when that is another function, which has this one inlined. */
  take(owner: UserFunction, { tier, osr }: TierMarker, at: number, into?: UserFunction): void {
    const count = this.counts.get(owner) ?? 0;
    if (
      count >= this.limits.tierEventsPerFunction ||
      this.events.length >= this.limits.tierEvents ||
      (count === 0 && this.counts.size >= this.limits.places)
    ) {
      this.dropped++;
      return;
    }
    this.counts.set(owner, count + 1);
    this.events.push({ functionName: owner.name, place: owner.place, tier, osr, ...(into && { inlinedInto: into.place }), at });
  }

  /** In the order of time. */
  result(): TierEvent[] {
    return this.events;
  }
}
