// Changes of shape that cost: dictionary mode, prototypes swapped, maps replaced.
import type { MapEvent, SourcePlace } from '../../protocol/evidence.ts';
import { comparePlaces } from './inline-caches.ts';
import type { Limits } from './limits.ts';
import { propertyName, type MapLine } from './shapes.ts';

/** An object that becomes a prototype goes through a dictionary and back, once: bookkeeping of every class. */
const AS_PROTOTYPE = /AsPrototype$/;

/** In our words: V8's own symbol for it has no name in the log. */
export const ELEMENTS_EVENT = 'elements kind';

/** V8's words for what happened, or undefined where it costs nothing worth telling. */
export function findMapEvent(line: MapLine): string | undefined {
  if (line.type === 'Normalize' || line.type === 'NormalizeCached')
    return AS_PROTOTYPE.test(line.reason) ? undefined : line.reason || line.type;
  if (line.type === 'Deprecate') return 'Deprecate';
  // After `Object.setPrototypeOf`, Node 18 to 22 make a map of its own for each object: every access that follows misses. Node 18 does so
  // for objects
  // made by `{ ...other }`, too.
  if (line.type === 'Transition' && line.reason === 'prototype') return 'prototype';
  return undefined;
}

export class MapEvents {
  private readonly groups = new Map<string, MapEvent>();
  private readonly limits: Limits;
  dropped = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  take(reason: string, name: string, place: SourcePlace): void {
    const id = `${place.line}:${place.column} ${reason} ${place.file}`;
    const known = this.groups.get(id);
    if (known) {
      known.count++;
      if (known.property !== undefined && known.property !== propertyName(name)) delete known.property;
    } else if (this.groups.size >= this.limits.places) this.dropped++;
    else this.groups.set(id, { place, placement: 'exact', reason, ...(name !== '' && { property: propertyName(name) }), count: 1 });
  }

  /** In the order of the source. */
  result(): MapEvent[] {
    return [...this.groups.values()].sort(
      (a, b) => comparePlaces(a.place, b.place) || (a.reason < b.reason ? -1 : Number(a.reason > b.reason)),
    );
  }
}
