// Calls in branches of conditions that never hold, because no file sets what they ask for: `if (scene.imagePath)`. Calls of methods that
// objects have instead of another one, which they have.
import type { LinkedProject } from '../calls/linked-project.ts';
import type { CallRecord } from '../points-to/tasks.ts';
import { FUNCTION_STRIDE, FunctionField, FunctionFlag, SiteFlag, type FileSummary, type Lack, type Result } from '../summary/format.ts';

/** Our choice: functions that only return the result of another one. */
const DEEPEST = 20;

/** A result in a file: its call sites are numbered from `site` on. */
interface Placed {
  result: Result;
  site: number;
}

/** The numbers of those call sites in the whole project. */
export function findNeverRun({ numbering, solver, sites }: LinkedProject): ReadonlySet<number> {
  const found = new Set<number>();
  let results: Map<number, Placed> | undefined;
  const seen = new Map<string, boolean>();
  const lacksAll = (lacks: readonly Lack[], base: number, depth: number): boolean =>
    depth <= DEEPEST && lacks.every(({ site, name }) => site >= 0 && targetsAt(site + base)?.every((fn) => lacksIn(fn, name, depth + 1)));
  /** The functions that a call runs, if all are known. */
  const targetsAt = (site: number): readonly number[] | undefined => {
    const targets: number[] = [];
    for (let at = sites.call[site] as number; at >= 0; at = sites.before[at] as number) {
      const call = solver.calls[at] as CallRecord;
      if (call.isExternal || call.targets.length === 0 || (call.flags & (SiteFlag.New | SiteFlag.Callback)) !== 0) return undefined;
      targets.push(...call.targets);
    }
    return targets.length > 0 ? targets : undefined;
  };
  /** Whether what a function returns never has a property. */
  const lacksIn = (fn: number, name: string, depth: number): boolean => {
    const key = `${fn} ${name}`;
    const known = seen.get(key);
    if (known !== undefined) return known;
    // Of functions that return each other's results, nothing is known.
    seen.set(key, false);
    const placed = (results ??= resultsIn(numbering.files)).get(fn);
    const lacks =
      placed !== undefined &&
      !placed.result.set.includes(name) &&
      lacksAll(
        [
          ...placed.result.calls.map((site) => ({ site, name })),
          ...(placed.result.copied ?? []).flatMap(([one, from]) => (one === name ? from : [])),
        ],
        placed.site,
        depth,
      );
    seen.set(key, lacks);
    return lacks;
  };
  for (const { summary, site } of numbering.files)
    for (const guard of summary.guards ?? []) if (lacksAll(guard.lacks, site, 0)) for (const one of guard.sites) found.add(one + site);
  for (const { summary, site } of numbering.files)
    for (const { site: own, of } of summary.instead ?? [])
      if (targetsAt(own + site)?.every((fn) => hasBeside(fn, of, numbering.files))) found.add(own + site);
  return found;
}

/** Whether the instances of a method's class have another one of that name, which no file of the project replaces. */
function hasBeside(fn: number, name: string, files: LinkedProject['numbering']['files']): boolean {
  const file = files.find((one) => one.fn <= fn && fn < one.fn + one.room.fn);
  const own = file && nameAt(file.summary, fn - file.fn);
  const dot = own?.lastIndexOf('.') ?? -1;
  if (!file || own === undefined || dot < 0 || !isKept(file.summary, fn - file.fn)) return false;
  const wanted = `${own.slice(0, dot)}.${name}`;
  const { length } = file.summary.functions;
  for (let i = 0; i < length / FUNCTION_STRIDE; i++)
    if (nameAt(file.summary, i) === wanted && isKept(file.summary, i))
      return !files.some(({ summary }) => summary.replaces?.includes(name));
  return false;
}

function isKept({ functions }: FileSummary, fn: number): boolean {
  return ((functions[fn * FUNCTION_STRIDE + FunctionField.Flags] as number) & FunctionFlag.Kept) !== 0;
}

function nameAt({ functions, strings }: FileSummary, fn: number): string | undefined {
  return strings[functions[fn * FUNCTION_STRIDE + FunctionField.Name] as number];
}

function resultsIn(files: LinkedProject['numbering']['files']): Map<number, Placed> {
  const found = new Map<number, Placed>();
  for (const { summary, fn, site } of files) for (const result of summary.results ?? []) found.set(fn + result.fn, { result, site });
  return found;
}
