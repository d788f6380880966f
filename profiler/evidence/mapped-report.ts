// What was found in compiled code, at the places of its source. What lies in code that the compiler added is left out.
import type { CpuLine, CpuShares, ProfileReport, Shape, SourcePlace } from '../../protocol/evidence.ts';
import { replaced } from '../parse/flame.ts';
import type { SourceMaps } from '../parse/source-maps.ts';

type Found = Pick<
  ProfileReport,
  'tiers' | 'deopts' | 'inlineCaches' | 'mapEvents' | 'feedback' | 'elements' | 'syncCalls' | 'exceptions' | 'blocks' | 'cpu'
>;

export function atSourcePlaces<T extends Found>(found: T, maps: SourceMaps): T {
  if (maps.isEmpty) return found;
  const placed = <P extends { place: SourcePlace }>(list: readonly P[]): P[] =>
    list.flatMap((one) => {
      const place = maps.toSource(one.place);
      return place ? [{ ...one, place }] : [];
    });
  const frames = <P extends SourcePlace>(list: readonly P[]): P[] => framesAtSource(list, maps);
  return {
    ...found,
    tiers: placed(found.tiers).flatMap((event) => {
      if (!event.inlinedInto) return [event];
      const inlinedInto = maps.toSource(event.inlinedInto);
      return inlinedInto ? [{ ...event, inlinedInto }] : [];
    }),
    deopts: placed(found.deopts).map((group) => ({ ...group, inlinedAt: frames(group.inlinedAt) })),
    inlineCaches: placed(found.inlineCaches).map((cache) => ({
      ...cache,
      shapes: cache.shapes.map((shape) => shapeAtSource(shape, maps)),
    })),
    mapEvents: placed(found.mapEvents),
    feedback: found.feedback && placed(found.feedback),
    // By line only: a compiler may put several on one.
    elements: found.elements?.filter(({ place }) => !maps.has(place.file)),
    syncCalls: placed(found.syncCalls),
    exceptions: placed(found.exceptions).map((group) =>
      group.paths ? { ...group, paths: group.paths.map((path) => ({ ...path, frames: frames(path.frames) })) } : group,
    ),
    blocks: found.blocks.map((block) => ({ ...block, stack: frames(block.stack) })),
    cpu: found.cpu && cpuAtSource(found.cpu, maps, placed),
  };
}

export function framesAtSource<P extends SourcePlace>(frames: readonly P[], maps: SourceMaps): P[] {
  if (maps.isEmpty) return [...frames];
  return frames.flatMap((one) => {
    const place = maps.toSource(one);
    return place ? [{ ...one, ...place }] : [];
  });
}

function shapeAtSource(shape: Shape, maps: SourceMaps): Shape {
  const { madeAt, ...rest } = shape;
  const place = madeAt && maps.toSource(madeAt);
  return place ? { ...rest, madeAt: place } : rest;
}

function cpuAtSource(cpu: CpuShares, maps: SourceMaps, placed: <P extends { place: SourcePlace }>(list: readonly P[]) => P[]): CpuShares {
  const lines = new Map<string, CpuLine>();
  for (const line of cpu.lines) {
    const source = maps.lineToSource(line.file, line.line);
    if (!source) continue;
    const key = `${source.file}:${source.line}`;
    lines.set(key, { ...line, ...source, self: line.self + (lines.get(key)?.self ?? 0) });
  }
  return {
    ...cpu,
    functions: placed(cpu.functions),
    lines: [...lines.values()].sort((a, b) => b.self - a.self),
    flame: replaced(cpu.flame, ({ place }) => maps.toSource(place)),
  };
}
