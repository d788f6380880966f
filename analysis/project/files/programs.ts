// Which files of a repository may run in one process. A repository with many packages has many programs, and these share some of its
// packages: what one program passes to such a package, another one does not get from there.
import type { FileSummary } from '../summary/format.ts';
import type { ProjectLayout } from './layout.ts';
import type { Imports } from './participants.ts';

/** Our choice: of more packages, nothing is told apart. */
const MOST_PACKAGES = 1000;

export interface Programs {
  /** By file: files of one group may run together with the same ones. */
  groupOf: Int32Array;
  count: number;
  /** Whether files of two groups may run in one process. */
  mayMeet(a: number, b: number): boolean;
}

/**
 * Two packages meet if one of the packages needs both: it imports files of theirs, or its package.json names them. A package that contains
 * others may load them by their paths. Undefined if all meet.
 *
 * @param numberOf of the files that imports name: their numbers among `files`, or -1
 */
export function programsIn(
  files: readonly FileSummary[],
  imports: Imports,
  numberOf: Int32Array,
  { packages }: ProjectLayout,
): Programs | undefined {
  const named = packages.filter(({ name }) => name !== undefined);
  if (named.length < 2 || named.length > MOST_PACKAGES) return undefined;
  const byRoot = new Map(named.map(({ root }, i) => [root, i]));
  const byName = new Map(named.map(({ name }, i) => [name, i]));
  const folders = new Map<string, number>();
  const packageOf = (path: string): number => {
    const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
    let found = folders.get(folder);
    if (found === undefined) {
      found = byRoot.get(folder) ?? (folder === '' ? -1 : packageOf(folder));
      folders.set(folder, found);
    }
    return found;
  };
  // What lies in none of them may be anybody's.
  const none = named.length;
  const own = files.map(({ file }) => {
    const found = packageOf(file.replaceAll('\\', '/'));
    return found < 0 ? none : found;
  });
  const needed = [...named, { needs: [] }].map(({ needs }) => new Set((needs ?? []).flatMap((name) => byName.get(name) ?? [])));
  files.forEach((summary, i) => {
    for (const target of imports.of(summary)) {
      const other = own[numberOf[target] as number];
      if (other !== undefined) needed[own[i] as number]?.add(other);
    }
  });
  const meeting = needed.map(() => new Set<number>([none]));
  needed.forEach((_, one) => {
    const all = new Set([one]);
    for (const at of all) for (const next of needed[at] ?? []) all.add(next);
    for (const at of all) for (const other of all) meeting[at]?.add(other);
    meeting[none]?.add(one);
    for (let at = one; named[at]?.root; ) {
      at = packageOf(named[at]?.root ?? '');
      meeting[at]?.add(one);
      meeting[one]?.add(at);
    }
  });
  // Packages that meet the same ones are one group: each group is searched by itself.
  const keys = meeting.map((others) => [...others].sort((a, b) => a - b).join());
  const groups = [...new Set(keys)];
  const groupOf = keys.map((key) => groups.indexOf(key));
  const first = groups.map((key) => keys.indexOf(key));
  return groups.length < 2
    ? undefined
    : {
        groupOf: Int32Array.from(own, (one) => groupOf[one] as number),
        count: groups.length,
        mayMeet: (a, b) => meeting[first[a] as number]?.has(first[b] as number) ?? true,
      };
}
