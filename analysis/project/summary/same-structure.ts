// Whether two summaries of a file differ only in positions. Then the solved graph still holds, with new positions.
import { FUNCTION_STRIDE, FunctionField, GETTER_STRIDE, QUERY_STRIDE, SITE_STRIDE, THROW_STRIDE, type FileSummary } from './format.ts';

/** Sites, throws, queries, and getters have their position in the same fields as functions. */
const PLACES: ReadonlySet<number> = new Set([FunctionField.Start, FunctionField.End]);
const NONE: ReadonlySet<number> = new Set();

export function isSameStructure(a: FileSummary, b: FileSummary): boolean {
  if (a === b) return true;
  return (
    a.version === b.version &&
    a.file === b.file &&
    a.nodeCount === b.nodeCount &&
    a.isModule === b.isModule &&
    a.role === b.role &&
    sameList(a.strings, b.strings) &&
    sameNumbers(a.ops, b.ops, 1, NONE) &&
    sameNumbers(a.objects, b.objects, 1, NONE) &&
    sameNumbers(a.functions, b.functions, FUNCTION_STRIDE, PLACES) &&
    sameNumbers(a.sites, b.sites, SITE_STRIDE, PLACES) &&
    sameNumbers(a.throws, b.throws, THROW_STRIDE, PLACES) &&
    sameNumbers(a.queries, b.queries, QUERY_STRIDE, PLACES) &&
    sameNumbers(a.getters ?? [], b.getters ?? [], GETTER_STRIDE, PLACES) &&
    sameList(a.associations ?? [], b.associations ?? []) &&
    sameNumbers(a.hops, b.hops, 1, NONE) &&
    sameNumbers(a.settled, b.settled, 1, NONE) &&
    sameNumbers(a.emptied ?? [], b.emptied ?? [], 1, NONE) &&
    sameNumbers(a.argumentKinds, b.argumentKinds, 1, NONE) &&
    isSame(a.base, b.base) &&
    isSame(a.starts, b.starts) &&
    isSame(a.providers, b.providers) &&
    a.loadsOthers === b.loadsOthers &&
    sameList(a.strangers ?? [], b.strangers ?? []) &&
    sameList(a.unused ?? [], b.unused ?? []) &&
    sameList(a.types ?? [], b.types ?? []) &&
    a.asksForRequest === b.asksForRequest &&
    isSame(a.bulk, b.bulk) &&
    isSame(a.guards, b.guards) &&
    isSame(a.instead, b.instead) &&
    String(a.replaces) === String(b.replaces) &&
    isSame(a.results, b.results) &&
    sameSchema(a.schema, b.schema) &&
    String(a.mocksFiles) === String(b.mocksFiles) &&
    a.givesRequire === b.givesRequire &&
    sameList(a.writes ?? [], b.writes ?? []) &&
    sameList(a.reads ?? [], b.reads ?? []) &&
    sameList(a.commentedOut ?? [], b.commentedOut ?? []) &&
    sameRoots(a.roots, b.roots) &&
    sameRoots(a.timers ?? [], b.timers ?? [])
  );
}

function sameSchema(a: FileSummary['schema'], b: FileSummary['schema']): boolean {
  if (!a || !b) return a === b;
  const fields = ({ lists }: NonNullable<FileSummary['schema']>): readonly string[] => lists.map(({ type, field }) => `${type} ${field}`);
  return sameList(fields(a), fields(b)) && isSame(a.names, b.names) && isSame(a.members, b.members);
}

function sameRoots(a: FileSummary['roots'], b: FileSummary['roots']): boolean {
  return a.length === b.length && a.every((root, i) => sameRoot(root, b[i]));
}

function sameRoot(a: FileSummary['roots'][number], b: FileSummary['roots'][number] | undefined): boolean {
  if (!b) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof typeof a>;
  for (const key of keys) if (key !== 'start' && key !== 'end' && !isSame(a[key], b[key])) return false;
  return true;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

function sameNumbers(a: readonly number[], b: readonly number[], stride: number, except: ReadonlySet<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && !except.has(i % stride)) return false;
  return true;
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}
