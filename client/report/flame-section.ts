// Where the time goes, by call stack. For those who want to know why: one click below what it costs.
import type { CodeOwner, CpuShares, FlameFrame } from '../../protocol/evidence.ts';
import { percent } from './figures.ts';
import { placeCell, type ModelRequest, type Section } from './report-parts.ts';
import type { FlameBox, FlamePicture } from './report-pictures.ts';
import type { Translate } from '../translate.ts';

export function flame(request: ModelRequest): Section[] {
  const {
    profiled: { report },
    t,
  } = request;
  const cpu = report.cpu ?? report.program?.cpu;
  if (!cpu || cpu.flame.length === 0) return [];
  const frames = boxesOf(cpu, request);
  const [busiest] = cpu.functions;
  return [
    {
      id: 'flame',
      title: t('CPU time by call stack'),
      deeper: busiest
        ? t('{0}: {1} in itself', busiest.functionName || t('(anonymous)'), percent(busiest.self))
        : t('{0} frames', frames.length),
      text: t(
        'Callers are above what they call, and each box is as wide as its CPU time. With the keyboard, the arrow keys move, Enter enlarges, and Escape shows all.',
      ),
      pictures: [{ kind: 'flame', frames, legend: legendOf(frames, t), reset: t('Show All'), alt: t('Call stacks by CPU time') }],
    },
  ];
}

function legendOf(frames: readonly FlameBox[], t: Translate): FlamePicture['legend'] {
  const names: readonly (readonly [CodeOwner, string])[] = [
    ['user', t('your code')],
    ['packages', t('packages')],
    ['core', t('Node internals')],
    ['gc', t('garbage collection')],
    ['other', t('V8 and native code')],
  ];
  return names.filter(([one]) => frames.some(({ owner }) => owner === one)).map(([owner, text]) => ({ owner, text }));
}

function boxesOf({ flame }: CpuShares, request: ModelRequest): FlameBox[] {
  const { t } = request;
  /** Where the next frame of each depth begins. */
  const next: number[] = [0];
  return flame.map((frame) => {
    const { depth, total, self, owner, place } = frame;
    const from = next[depth] ?? 0;
    next[depth] = from + total;
    next[depth + 1] = from;
    const name = nameOf(frame, t);
    const link = place && placeCell(place, request).text;
    const where = link ?? frame.module;
    return {
      name,
      owner,
      depth,
      from,
      total,
      words: t('{0}: {1} of CPU time, {2} in itself', where === undefined ? name : `${name} (${where})`, percent(total), percent(self)),
      ...(place && { place, link }),
    };
  });
}

function nameOf({ functionName, owner, place, module }: FlameFrame, t: Translate): string {
  if (owner === 'gc') return t('garbage collection');
  if (functionName === '(program)') return t('V8 and native code');
  const name = functionName || (place?.line === 1 && place.column === 1 ? t('(top level)') : t('(anonymous)'));
  return owner === 'packages' && module !== undefined ? `${name} · ${module}` : name;
}
