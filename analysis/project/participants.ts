// Which files take part: the application's own, and what they import. A test that hands a mock to a service says nothing about requests.
import type { FileRole } from '../facts/file-role.ts';
import { lengthAt } from './operations.ts';
import type { Resolver } from './layout.ts';
import { Op, type FileSummary } from './summary.ts';

/** A command may be what wires the program up: it is the file that `npm start` runs in many. */
const OWN: ReadonlySet<FileRole> = new Set(['application', 'cli', 'worker', 'config']);

export function participants(summaries: readonly FileSummary[], resolver: Resolver): FileSummary[] {
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
      const specifier = strings[ops[at + 2] as number] as string;
      if (ops[at] === Op.Import || ops[at] === Op.ImportDefault) {
        const target = resolver.resolve(path, specifier);
        if (target !== undefined) take(target);
      } else if (ops[at] === Op.ImportPattern) for (const target of resolver.matching(path, specifier)) take(target);
    }
  }
  return summaries.filter((_, i) => taken[i] !== 0);
}
