// One log of many: a program has a log for each thread of each process.
import type { CacheState, DeoptGroup, InlineCache, MapEvent, SourcePlace } from '../../protocol/evidence.ts';
import { comparePlaces } from './inline-caches.ts';
import { LIMITS } from './limits.ts';
import { readV8Log, type V8Log, type V8LogOptions } from './v8-log.ts';

/** Reads them one after the other, each in bounded memory. */
export async function readV8Logs(paths: readonly string[], options: V8LogOptions): Promise<V8Log | undefined> {
  let merged: V8Log | undefined;
  for (const path of paths) {
    const log = await readV8Log(path, options);
    merged = merged ? mergeLogs(merged, log) : log;
  }
  return merged;
}

export function mergeLogs(a: V8Log, b: V8Log): V8Log {
  const tiers = [...a.tiers, ...b.tiers].sort((x, y) => x.at - y.at);
  const v8 = a.v8 ?? b.v8;
  return {
    tiers: tiers.slice(0, LIMITS.tierEvents),
    deopts: joined([...a.deopts, ...b.deopts], ({ place, kind, reason }) => `${keyOf(place)} ${kind} ${reason}`, joinDeopts),
    inlineCaches: joined([...a.inlineCaches, ...b.inlineCaches], ({ place, kind }) => `${keyOf(place)} ${kind}`, joinCaches),
    mapEvents: joined([...a.mapEvents, ...b.mapEvents], ({ place, reason }) => `${keyOf(place)} ${reason}`, joinMapEvents),
    ...(v8 === undefined ? {} : { v8 }),
    lines: a.lines + b.lines,
    unreadLines: a.unreadLines + b.unreadLines,
    foreignCacheLines: a.foreignCacheLines + b.foreignCacheLines,
    packageDeopts: a.packageDeopts + b.packageDeopts,
    coreDeopts: a.coreDeopts + b.coreDeopts,
    dropped: a.dropped + b.dropped + Math.max(0, tiers.length - LIMITS.tierEvents),
  };
}

function keyOf({ file, line, column }: SourcePlace): string {
  return `${line}:${column} ${file}`;
}

function joined<T extends { place: SourcePlace }>(list: readonly T[], key: (one: T) => string, join: (a: T, b: T) => T): T[] {
  const byKey = new Map<string, T>();
  for (const one of list) {
    const known = byKey.get(key(one));
    byKey.set(key(one), known ? join(known, one) : one);
  }
  return [...byKey.values()].sort((a, b) => comparePlaces(a.place, b.place));
}

/** Each process warms up on its own: what belongs to every warm-up still does when there were several. */
function joinDeopts(a: DeoptGroup, b: DeoptGroup): DeoptGroup {
  const { next: _, ...rest } = a;
  return {
    ...rest,
    inlinedAt: a.inlinedAt.length > 0 ? a.inlinedAt : b.inlinedAt,
    count: a.count + b.count,
    at: [...a.at, ...b.at].sort((x, y) => x - y).slice(0, LIMITS.times),
    benign: a.benign && b.benign,
  };
}

const STATES: readonly CacheState[] = ['uninitialized', 'monomorphic', 'polymorphic', 'megamorphic'];

/**
 * Every thread has a cache of its own, and the same shape has another address in each: the worse of the two counts, and nothing is added
 * up but misses.
 */
function joinCaches(a: InlineCache, b: InlineCache): InlineCache {
  const rank = ({ state, shapeCount }: InlineCache): number => STATES.indexOf(state) * (LIMITS.shapesPerPlace + 1) + shapeCount;
  const worse = rank(b) > rank(a) ? b : a;
  return {
    ...worse,
    ...((a.outOfBounds || b.outOfBounds) && { outOfBounds: true }),
    property: a.property === b.property ? a.property : '',
    misses: a.misses + b.misses,
    megamorphicMisses: a.megamorphicMisses + b.megamorphicMisses,
  };
}

function joinMapEvents(a: MapEvent, b: MapEvent): MapEvent {
  const { property, ...rest } = a;
  return { ...rest, ...(property !== undefined && property === b.property ? { property } : {}), count: a.count + b.count };
}
