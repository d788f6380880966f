// Files that ask for data of the request, and files that load them.
import type { FileSummary } from '../summary/format.ts';
import type { Imports } from './participants.ts';

const NONE: ReadonlySet<number> = new Set();

/**
 * What a file loads that is not found may ask, too. Only looked for where a route says how often it runs.
 *
 * @param numberOf of the files that imports name: their numbers among `files`, or -1
 */
export function askingFiles(files: readonly FileSummary[], imports: Imports, numberOf: Int32Array): ReadonlySet<number> {
  if (!files.some(({ roots }) => roots.some(({ interval }) => interval !== undefined))) return NONE;
  const importers = files.map((): number[] => []);
  files.forEach((summary, from) => {
    for (const target of imports.loadedBy(summary)) importers[numberOf[target] as number]?.push(from);
  });
  const asking = new Set(files.flatMap((summary, i) => (summary.asksForRequest || imports.unknownIn(summary).length > 0 ? i : [])));
  for (const i of asking) for (const from of importers[i] ?? []) asking.add(from);
  return asking;
}
