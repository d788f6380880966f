// The files that participate: those of the application itself, and those that they import. A test that passes a mock to a service says
// nothing about requests.
import { contentsOf } from '../summary/operations.ts';
import type { Resolver } from './layout.ts';
import { Op, OWN_ROLES, type FileSummary } from '../summary/format.ts';

export interface Participants {
  taking: readonly FileSummary[];
  /** By file number: the number among the participating files, or -1. */
  places: Int32Array;
}

/** No code of ours. */
const DATA_FILE = /\.(?:json|ya?ml|css|scss|html?|txt|md|svg|png|node|wasm)$/;

/** What files import, as numbers. Resolved once for each summary. */
export class Imports {
  readonly resolver: Resolver;
  readonly #known = new WeakMap<FileSummary, readonly number[]>();
  readonly #loaded = new WeakMap<FileSummary, readonly number[]>();

  constructor(resolver: Resolver) {
    this.resolver = resolver;
  }

  of(summary: FileSummary): readonly number[] {
    let known = this.#known.get(summary);
    if (!known) this.#known.set(summary, (known = [...new Set(this.#find(summary))]));
    return known;
  }

  /** Those that run as soon as the file does: not what it only has types of. A compiler of TypeScript leaves out what is not used, too. */
  loadedBy(summary: FileSummary): readonly number[] {
    const { file, types = [], unused = [] } = summary;
    const except = [...types, ...(/\.[cm]?tsx?$/.test(file) ? unused : [])];
    if (except.length === 0) return this.of(summary);
    let loaded = this.#loaded.get(summary);
    if (!loaded) this.#loaded.set(summary, (loaded = [...new Set(this.#find(summary, except))]));
    return loaded;
  }

  /** Names of files that are not found: of a folder that is known at run time only, or with an alias of another tool. */
  unknownIn(summary: FileSummary): string[] {
    const path = summary.file.replaceAll('\\', '/');
    const { imports } = contentsOf(summary);
    const found: string[] = [];
    for (let at = 0; at < imports.length; at += 2) {
      const specifier = summary.strings[imports[at + 1] as number] as string;
      if (DATA_FILE.test(specifier)) continue;
      if (
        imports[at] === Op.ImportPattern ? this.resolver.matching(path, specifier).length === 0 : this.#isUnknown(path, specifier, summary)
      )
        found.push(specifier);
    }
    return found;
  }

  /** The files that it imports without using anything of them. */
  unusedBy(summary: FileSummary): number[] {
    const { unused } = summary;
    if (!unused) return [];
    const used = new Set(this.#find(summary, unused));
    const path = summary.file.replaceAll('\\', '/');
    return unused.flatMap((specifier) => this.resolver.resolve(path, specifier) ?? []).filter((target) => !used.has(target));
  }

  #isUnknown(path: string, specifier: string, { strangers }: FileSummary): boolean {
    return strangers?.includes(specifier) === true && this.resolver.resolve(path, specifier) === undefined;
  }

  *#find(summary: FileSummary, except: readonly string[] = []): Iterable<number> {
    const path = summary.file.replaceAll('\\', '/');
    const { imports } = contentsOf(summary);
    for (let at = 0; at < imports.length; at += 2) {
      const specifier = summary.strings[imports[at + 1] as number] as string;
      if (except.includes(specifier)) continue;
      if (imports[at] === Op.ImportPattern) yield* this.resolver.matching(path, specifier);
      else {
        const target = this.resolver.resolve(path, specifier);
        if (target !== undefined) yield target;
      }
    }
  }
}

/** Whether the new summary of a file may make other files participate. */
export function mayTakeMore(before: FileSummary, after: FileSummary, imports: Imports): boolean {
  if (isOwn(after) && !isOwn(before)) return true;
  const known = new Set(imports.of(before));
  return imports.of(after).some((file) => !known.has(file));
}

function isOwn({ role, roots }: FileSummary): boolean {
  return OWN_ROLES.has(role) || roots.length > 0;
}

/** `imports`: in the order of the summaries. */
export function participants(summaries: readonly FileSummary[], imports: Imports): Participants {
  const taken = new Uint8Array(summaries.length);
  const queue: number[] = [];
  const take = (index: number): void => {
    if (taken[index] !== 0) return;
    taken[index] = 1;
    queue.push(index);
  };
  summaries.forEach((summary, i) => {
    if (isOwn(summary)) take(i);
  });
  for (let i = 0; i < queue.length; i++) for (const target of imports.of(summaries[queue[i] as number] as FileSummary)) take(target);
  const taking = summaries.filter((_, i) => taken[i] !== 0);
  const places = new Int32Array(summaries.length).fill(-1);
  for (let i = 0, place = 0; i < summaries.length; i++) if (taken[i] !== 0) places[i] = place++;
  return { taking, places };
}
