// Every call known to hold up the event loop: Node's own and those of well-known packages, with look-ups by origin.
import type { BlockingCall } from './blocking-call.ts';
import { CORE_FS } from './blocking-core-fs.ts';
import { CORE_CODE, CORE_CRYPTO, CORE_DIAGNOSTICS, CORE_PROCESS, CORE_SQLITE, CORE_WAIT, CORE_ZIP, CORE_ZLIB } from './blocking-core.ts';
import { FORWARDED, PACKAGE_CALLS, SAME_AS_CORE } from './blocking-packages.ts';

export type {
  AsyncForm,
  BlockingCall,
  BlockingCategory,
  BlockingCondition,
  BlockingCost,
  BlockingLevel,
  CheaperCase,
  Maker,
} from './blocking-call.ts';
export { LEFT_OUT } from './blocking-core.ts';
export { PACKAGE_CALLS, SAME_AS_CORE } from './blocking-packages.ts';

export const CORE_CALLS: readonly BlockingCall[] = [
  ...CORE_FS,
  ...CORE_PROCESS,
  ...CORE_ZLIB,
  ...CORE_ZIP,
  ...CORE_CRYPTO,
  ...CORE_WAIT,
  ...CORE_SQLITE,
  ...CORE_DIAGNOSTICS,
  ...CORE_CODE,
];

const BY_ORIGIN: ReadonlyMap<string, BlockingCall> = new Map(
  [...CORE_CALLS, ...PACKAGE_CALLS].filter((row) => !row.madeBy).map((row) => [key(row.module, row.path), row]),
);
const METHODS: ReadonlyMap<string, readonly BlockingCall[]> = groupByMethod([...CORE_CALLS, ...PACKAGE_CALLS]);
const BY_LAST_NAME: ReadonlyMap<string, BlockingCall> = byLastName([...CORE_CALLS, ...PACKAGE_CALLS]);
const MODULES: ReadonlySet<string> = new Set([...CORE_CALLS, ...PACKAGE_CALLS].map((row) => row.module).concat(Object.keys(SAME_AS_CORE)));

/** The first guard: a file that names none of these modules calls none of these functions. */
export function hasBlockingCalls(module: string): boolean {
  return MODULES.has(module);
}

/** The call of an export, by module (without `node:`; or a global's name) and property path (without `default`). */
export function findBlockingCall(module: string, path: readonly string[]): BlockingCall | undefined {
  const own = BY_ORIGIN.get(key(module, path));
  if (own) return own;
  const core = SAME_AS_CORE[module];
  const row = core === undefined ? undefined : BY_ORIGIN.get(key(core.module, path));
  return row && core ? { ...row, module, asyncForm: FORWARDED[module]?.[path.join('.')] ?? row.asyncForm, source: core.source } : undefined;
}

/**
 * Names without `Sync` that one package has, and that are rare elsewhere: a file that configures the package exports it to the others. Their
 * calls are looked for in every file, so `load`, `parse`, and `hash` are not among them.
 */
export const NAMES_WITHOUT_SYNC: readonly string[] = ['sanitize', 'highlightAuto', 'parseHTML'];

/** Whether other files may tell that a call under that name is a blocking function that some module exports. */
export function mayBeBlockingName(name: string): boolean {
  return findBlockingName(name) !== undefined;
}

/** The first function of that name, for calls of which other files tell that they are one. */
export function findBlockingName(name: string): BlockingCall | undefined {
  return name.endsWith('Sync') || NAMES_WITHOUT_SYNC.includes(name) ? BY_LAST_NAME.get(name) : undefined;
}

/** Methods of that name on objects that some module makes: compare `madeBy` with where the object comes from. */
export function findBlockingMethods(name: string): readonly BlockingCall[] {
  return METHODS.get(name) ?? [];
}

function key(module: string, path: readonly string[]): string {
  return [module, ...path].join('.');
}

function groupByMethod(rows: readonly BlockingCall[]): Map<string, BlockingCall[]> {
  const groups = new Map<string, BlockingCall[]>();
  for (const row of rows) {
    const name = row.madeBy ? row.path[0] : undefined;
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return groups;
}

function byLastName(rows: readonly BlockingCall[]): Map<string, BlockingCall> {
  const found = new Map<string, BlockingCall>();
  for (const row of rows) {
    const name = row.path.at(-1);
    if (name !== undefined && !row.madeBy && row.path.length === 1 && (row.by ?? 'call') === 'call' && !found.has(name))
      found.set(name, row);
  }
  return found;
}
