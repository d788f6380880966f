// Files that the program does not load: controllers and routers that were replaced, beside those that are in use.
import { FUNCTION_STRIDE, FunctionField, FunctionFlag, Op, type FileSummary } from '../summary/format.ts';
import { contentsOf } from '../summary/operations.ts';
import type { ProjectLayout } from './layout.ts';
import type { Imports } from './participants.ts';

const NONE: ReadonlySet<number> = new Set();

export interface LoadedFiles {
  /** The files that listen to a port, those of the application that load them, and what all of these load. */
  served: ReadonlySet<number>;
  unloaded: ReadonlySet<number>;
  /** Loaded, but whoever imports them uses nothing of them. */
  untaken: ReadonlySet<number>;
}

/**
 * What a program that serves loads, and what it does not. A file that nothing imports is taken for one that is not loaded if all that it
 * has is for others to register, what listens to a port loads other such files of its folder, or those of its name in the folders beside
 * (`users/route.js` beside `users-old/route.js`), and no file of its package loads what it does not name.
 *
 * @param numberOf of the files that imports name: their numbers among `files`, or -1
 */
export function loadedFiles(
  files: readonly FileSummary[],
  imports: Imports,
  numberOf: Int32Array,
  { packages }: ProjectLayout,
): LoadedFiles {
  const listening = new Set(files.flatMap((summary, i) => (listens(summary) ? i : [])));
  if (listening.size === 0) return { served: NONE, unloaded: NONE, untaken: NONE };
  const importsOf = (i: number): number[] => imports.of(files[i] as FileSummary).map((target) => numberOf[target] as number);
  const started = new Set(listening);
  for (const i of started) for (const target of importsOf(i)) if (target >= 0) started.add(target);
  const { resolver } = imports;
  const paths = files.map(({ file }) => file.replaceAll('\\', '/'));
  const mains = new Set(
    packages.flatMap(({ root, main, module, exports, runs = [] }) =>
      [main, module, ...pathsIn(exports), ...runs].map((path) => path && stemOf(`${root}/${path}`)),
    ),
  );
  const unknown = files.map((summary) => imports.unknownIn(summary));
  const loading = new Set(
    files.flatMap((summary, i) => (summary.loadsOthers || unknown[i]?.some(isAnyFile) ? resolver.packageRootOf(summary.file) : [])),
  );
  const loadedFolders = unknown.flatMap((specifiers, i) => specifiers.flatMap((one) => folderIn(one, paths[i] as string) ?? []));
  const byAnyPath = new Set(files.flatMap((summary) => (namesNoFolder(summary) ? resolver.packageRootOf(summary.file) : [])));
  const named = new Set(unknown.flatMap((specifiers) => specifiers.map(lastNameIn)));
  // What another package loads for it.
  const loaders = new Set(packages.flatMap(({ root, name }) => (loading.has(root) ? (name ?? []) : [])));
  for (const { root, needs = [] } of packages) if (needs.some((name) => loaders.has(name))) loading.add(root);
  const mayBeUnloaded = files.map(
    (summary, i) =>
      isPassive(summary) &&
      !mains.has(stemOf(paths[i] as string)) &&
      !namesOf(paths[i] as string).some((name) => named.has(name)) &&
      !loading.has(resolver.packageRootOf(summary.file)) &&
      !loadedFolders.some((folder) => paths[i]?.startsWith(folder)),
  );
  const importers = files.map((): number[] => []);
  files.forEach((_, from) => {
    for (const target of importsOf(from)) if (target !== from) importers[target]?.push(from);
  });
  // Other than those that listen.
  const loaded = [...started].filter((i) => !listening.has(i) && (files[i] as FileSummary).roots.length > 0);
  const inUse = new Set(loaded.flatMap((i) => [folderOf(paths[i] as string), besideOf(paths[i] as string)]));
  const hasLoadedSibling = (i: number): boolean => {
    const path = paths[i] as string;
    if (inUse.has(folderOf(path))) return true;
    const { file, roots } = files[i] as FileSummary;
    const isRouter = roots.some(({ isOfRouter, isOfPlugin }) => isOfRouter || isOfPlugin);
    const root = resolver.packageRootOf(file);
    const inside = path.slice(root.length);
    return isRouter && !byAnyPath.has(root) && !ANY_PART.test(path) && !WITHIN_FUNCTIONS.test(inside) && inUse.has(besideOf(path));
  };
  const found = new Set<number>();
  files.forEach((_, i) => {
    if (mayBeUnloaded[i] && importers[i]?.length === 0 && hasLoadedSibling(i)) found.add(i);
  });
  for (const from of found)
    for (const target of importsOf(from))
      if (!found.has(target) && mayBeUnloaded[target] && importers[target]?.every((one) => found.has(one))) found.add(target);
  const unusedBy = files.map((summary) => imports.unusedBy(summary));
  const untaken = new Set<number>();
  files.forEach((_, i) => {
    const from = importers[i] as number[];
    if (mayBeUnloaded[i] && from.length > 0 && from.every((one) => unusedBy[one]?.some((target) => numberOf[target] === i))) untaken.add(i);
  });
  const loadedBy = (i: number): number[] => imports.loadedBy(files[i] as FileSummary).map((target) => numberOf[target] as number);
  const served = new Set(listening);
  for (const i of served)
    for (const from of importers[i] ?? [])
      if ((files[from] as FileSummary).role === 'application' && loadedBy(from).includes(i)) served.add(from);
  for (const i of served) for (const target of loadedBy(i)) if (target >= 0) served.add(target);
  return { served, unloaded: found, untaken };
}

/** Platforms run each file of such a folder. */
const FUNCTIONS_FOLDER = /\/(?:api|functions|lambdas?|netlify|edge)\/[^/]+$/;

/** The same, for folders below those of a package: `api/orders/route.js`. */
const WITHIN_FUNCTIONS = /^\/?(?:api|functions|lambdas?|netlify|edge)\//;
/** Names that do not tell what the file is of its part of a program. Some of these start programs. */
const ANY_PART = /\/(?:index|main|app|server|start|worker)\.[cm]?[jt]sx?$/;

/** The paths of `exports` in a package.json. */
function pathsIn(exports: unknown): string[] {
  if (typeof exports === 'string') return [exports];
  return typeof exports === 'object' && exports !== null ? Object.values(exports).flatMap(pathsIn) : [];
}

/**
 * Whether a specifier that is not found may be any file: the name of a folder, or an alias that tells nothing of the path. `'./' + name`
 * names no folder, so the name may: `../orders/route`.
 */
function isAnyFile(specifier: string): boolean {
  return (specifier.includes('*') && (!RELATIVE.test(specifier) || NAMES_NO_FOLDER.test(specifier))) || !specifier.includes('/');
}

/** Whether it loads files by such a pattern, also if that matches files. */
function namesNoFolder(summary: FileSummary): boolean {
  const { imports } = contentsOf(summary);
  for (let at = 0; at < imports.length; at += 2)
    if (imports[at] === Op.ImportPattern && NAMES_NO_FOLDER.test(summary.strings[imports[at + 1] as number] as string)) return true;
  return false;
}

const NAMES_NO_FOLDER = /^(?:\.{1,2}\/)+\*/;
const RELATIVE = /^\.{1,2}\//;

/** The folder in which a pattern finds files, with a slash at its end: `components/logics/` of `../logics/*`. */
function folderIn(specifier: string, file: string): string | undefined {
  const before = specifier.split('*')[0] as string;
  if (before === specifier || !RELATIVE.test(specifier)) return undefined;
  let folder = folderOf(file);
  for (const part of folderOf(before).split('/'))
    if (part === '..') folder = folderOf(folder);
    else if (part !== '.') folder = `${folder}/${part}`;
  return `${folder}/`;
}

/** What an alias leaves as it is: `mail` of `@acme/mail`. */
function lastNameIn(specifier: string): string {
  return stemOf(specifier.slice(specifier.lastIndexOf('/') + 1));
}

/** The names that a specifier of the file may end with. */
function namesOf(path: string): string[] {
  const stem = lastNameIn(path);
  return stem === 'index' ? [stem, lastNameIn(folderOf(path))] : [stem];
}

/** Whether it starts nothing: it has functions that look like handlers, routers that it exports, and what these use for uploads. */
function isPassive(summary: FileSummary): boolean {
  const { file, role, roots, starts } = summary;
  return (
    role === 'application' &&
    !FUNCTIONS_FOLDER.test(file.replaceAll('\\', '/')) &&
    !listens(summary) &&
    !starts?.isCommand &&
    roots.every(({ kind, framework, isOfRouter, isOfPlugin }) => kind === 'signature' || framework === 'multer' || isOfRouter || isOfPlugin)
  );
}

function listens({ starts, functions }: FileSummary): boolean {
  if (starts?.listens) return true;
  for (let at = 0; at < functions.length; at += FUNCTION_STRIDE)
    if (((functions[at + FunctionField.Flags] as number) & FunctionFlag.Listens) !== 0) return true;
  return false;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** What a file has in common with those of its name in the folders beside its own. No folder is named `*`. */
function besideOf(path: string): string {
  const folder = folderOf(path);
  return `${folderOf(folder)}/*${path.slice(folder.length)}`;
}

/** As `main` and imports may write it: without an extension, and as text that can be compared. */
function stemOf(path: string): string {
  return path.replace(/\/(?:\.\/)+/g, '/').replace(/\.[cm]?[jt]sx?$/, '');
}
