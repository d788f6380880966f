// Which files run in a test that replaces functions of `fs`: those that it loads, and what these load. And which packages have a global
// `require`, also in ES modules.
import type { Resolver } from '../files/layout.ts';
import type { FileSummary } from '../summary/format.ts';
import { importedBy } from './call-sites.ts';

/** By the number of a file: the test. By the root of a package: a test that may load any of its files. */
export interface MockedFiles {
  files: ReadonlyMap<number, string>;
  packages: ReadonlyMap<string, string>;
  /** The roots of packages in which a file makes a global of `require`. */
  requiring: ReadonlySet<string>;
}

export function findMockedFiles(summaries: readonly FileSummary[], resolver: Resolver): MockedFiles {
  const files = new Map<number, string>();
  const packages = new Map<string, string>();
  const requiring = new Set<string>();
  for (const { file, mocksFiles, givesRequire } of summaries) {
    if (givesRequire) requiring.add(resolver.packageRootOf(file));
    if (!mocksFiles) continue;
    const loaded = mocksFiles === true ? undefined : loadedBy(file, mocksFiles, summaries, resolver);
    if (!loaded || loaded.size === 0) packages.set(resolver.packageRootOf(file), file);
    else for (const one of loaded) files.set(one, file);
  }
  return { files, packages, requiring };
}

/** Paths, and names that a tool makes paths of. */
const OF_PROJECT = /^(?:[.~#/]|@\/|(?:src|app|lib|server)\/)/;

/** Undefined if something is loaded that is not known: a helper of tests, or a name that only a tool resolves. */
function loadedBy(
  file: string,
  specifiers: readonly string[],
  summaries: readonly FileSummary[],
  resolver: Resolver,
): ReadonlySet<number> | undefined {
  const path = file.replaceAll('\\', '/');
  const loaded = new Set<number>();
  for (const specifier of specifiers) {
    const target = resolver.resolve(path, specifier);
    if (target !== undefined) loaded.add(target);
    else if (OF_PROJECT.test(specifier)) return undefined;
  }
  // The set grows while it is read.
  for (const one of loaded) {
    const summary = summaries[one] as FileSummary;
    if (summary.isOutline || summary.role === 'test') return undefined;
    for (const next of importedBy(summary, resolver)) if (next >= 0) loaded.add(next);
  }
  return loaded;
}
