// Which files take part: the application's own, and what they import. A test that hands a mock to a service says nothing about requests.
import type { FileRole } from '../facts/file-role.ts';
import { lengthAt } from './operations.ts';
import type { Resolver } from './layout.ts';
import { Op, type FileSummary } from './summary.ts';

/** A command may be what wires the program up: it is the file that `npm start` runs in many. */
const OWN: ReadonlySet<FileRole> = new Set(['application', 'cli', 'worker', 'config']);

export interface Participants {
  taking: readonly FileSummary[];
  /** By the number of each file: its number among those that take part, or -1. */
  places: Int32Array;
}

export function participants(summaries: readonly FileSummary[], resolver: Resolver): Participants {
  const taken = new Uint8Array(summaries.length);
  const queue: number[] = [];
  const take = (index: number): void => {
    if (taken[index] !== 0) return;
    taken[index] = 1;
    queue.push(index);
  };
  summaries.forEach(({ role, roots }, i) => { if (OWN.has(role) || roots.length > 0) take(i); });
  for (let i = 0; i < queue.length; i++) {
    const { ops, file, strings } = summaries[queue[i] as number] as FileSummary;
    const path = file.replaceAll('\\', '/');
    for (let at = 0; at < ops.length; at += lengthAt(ops, at)) {
      const code = ops[at];
      if (code !== Op.Import && code !== Op.ImportDefault && code !== Op.ImportPattern) continue;
      const specifier = strings[ops[at + 2] as number] as string;
      if (code !== Op.ImportPattern) {
        const target = resolver.resolve(path, specifier);
        if (target !== undefined) take(target);
      } else for (const target of resolver.matching(path, specifier)) take(target);
    }
  }
  const taking = summaries.filter((_, i) => taken[i] !== 0);
  const places = new Int32Array(summaries.length).fill(-1);
  for (let i = 0, place = 0; i < summaries.length; i++) if (taken[i] !== 0) places[i] = place++;
  return { taking, places };
}
