// Puts notes around the places of findings that say something stays: of the container that is added to, and of its key. No line moves.
// Pure.
import type { RetainedUnit } from '../../protocol/retained.ts';
import type { ModuleFormat } from './module-format.ts';

interface Stretch {
  start: number;
  end: number;
}

/** Offsets are those of the text. */
export interface RetainedSite {
  /** The hypothesis, by its number. */
  hypothesis: number;
  kind: 'container' | 'listener' | 'timer' | 'sessions';
  unit: RetainedUnit;
  /** As the code names what is added to. */
  name: string;
  /** The container or the emitter; for timers and sessions the whole call. */
  held: Stretch;
  /** What decides which entry it is; the event of a listener. */
  key?: Stretch;
  /** Lines, from 1, of the file whose timers take something out of other containers only. */
  unrelated?: readonly number[];
}

export interface RetainedPlaces {
  /** Absolute. */
  file: string;
  /** JavaScript with the places of the file. */
  text: string;
  format?: ModuleFormat;
  sites: readonly RetainedSite[];
}

/** Source text of a function may run where nothing takes notes, as in a context of `vm`. A file may declare any name: it uses none. */
const NOTE = `''.constructor.valueOf.call(''.constructor["nodometer.retained"]||{key:(_,v)=>v,held:(_,v)=>v,timer:(_,v)=>v,sessions:(_,v)=>v})`;
const METHODS = { container: 'held', listener: 'held', timer: 'timer', sessions: 'sessions' } as const;

export function withRetained({ text, sites }: Pick<RetainedPlaces, 'text' | 'sites'>): string {
  const around = sites.flatMap(({ kind, held, key }, i) => [
    { ...held, before: `${NOTE}.${METHODS[kind]}(${i},(` },
    ...(key ? [{ ...key, before: `${NOTE}.key(${i},(` }] : []),
  ]);
  // What is around another opens before it and closes behind it.
  const begins = around.map(({ start, end, before }) => ({ at: start, other: end, isEnd: false, text: before }));
  const ends = around.map(({ start, end }) => ({ at: end, other: start, isEnd: true, text: '))' }));
  const pieces = [...begins, ...ends].sort((a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || b.other - a.other);
  let result = '';
  let from = 0;
  for (const piece of pieces) {
    result += text.slice(from, piece.at) + piece.text;
    from = piece.at;
  }
  return result + text.slice(from);
}
