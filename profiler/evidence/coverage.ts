// How often a place ran, from V8's block counts: the innermost range around it counts.
import type { SourcePlace } from '../../protocol/evidence.ts';
import { callsIn, recordsOf, type CountedFunction, type RunRecord } from '../parse/records.ts';

/** Runs of the code at a place, for each call or request of the run; undefined for files that were not counted. */
export type RunsPerCall = (place: SourcePlace) => number | undefined;

/** `textOf` gives the text that was run: counts are given by offset. */
export function runsPerCall(records: readonly RunRecord[], textOf: (file: string) => string | undefined): RunsPerCall {
  const calls = callsIn(records);
  const runs = runsAt(recordsOf(records, 'counts'), textOf);
  return (place) => {
    const count = calls === 0 ? undefined : runs(place);
    return count === undefined ? undefined : count / calls;
  };
}

export type CountRecord = RunRecord & { type: 'counts' };

/** How often the code at a place ran, in all processes together. */
export function runsAt(counts: readonly CountRecord[], textOf: (file: string) => string | undefined): RunsPerCall {
  const files = new Map<string, { processes: CountedFunction[][]; lineStarts: number[] }>();
  for (const { file, functions } of counts.flatMap((record) => record.files)) {
    const known = files.get(file);
    if (known) {
      known.processes.push(functions);
      continue;
    }
    const text = textOf(file);
    if (text !== undefined) files.set(file, { processes: [functions], lineStarts: lineStartsOf(text) });
  }
  return ({ file, line, column }) => {
    const counted = files.get(file);
    const start = counted?.lineStarts[line - 1];
    if (!counted || start === undefined) return undefined;
    const each = counted.processes.flatMap((functions) => countAt(functions, start + column - 1) ?? []);
    return each.length === 0 ? undefined : each.reduce((sum, count) => sum + count, 0);
  };
}

function countAt(functions: readonly CountedFunction[], offset: number): number | undefined {
  let best: { length: number; count: number } | undefined;
  for (const { ranges } of functions) {
    for (const { start, end, count } of ranges) {
      if (offset < start || offset >= end) continue;
      if (!best || end - start < best.length) best = { length: end - start, count };
    }
  }
  return best?.count;
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  // As V8 counts lines.
  for (const match of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push((match.index ?? 0) + match[0].length);
  return starts;
}
