// Numbers for the nodes, objects, functions, call sites and calls of all files, in one range each, and for all names.
import { contentsOf } from '../summary/operations.ts';
import { FUNCTION_STRIDE, OBJECT_STRIDE, SITE_STRIDE, type FileSummary } from '../summary/format.ts';

/** Kinds of the whole project, in addition to `ObjectKind`. */
export const WholeKind = {
  External: 7,
  Result: 8,
  Global: 9,
  /** All modules that a computed path may mean, as one object: a name is looked up in the exports of each. */
  Folder: 10,
} as const;

/** Either the counts of a file, or the numbers at which its own begin. */
export interface Extent {
  node: number;
  object: number;
  fn: number;
  site: number;
  /** Calls as operations: several may stand for one site. */
  call: number;
}

export interface FileBase extends Extent {
  summary: FileSummary;
  /** Names of the project by the file's own numbers. */
  names: Int32Array;
  /** The reserved counts. */
  room: Extent;
  /** Whether its summary may be replaced later. */
  isLoose: boolean;
}

/** A loose file reserves its counts times this factor, plus a constant. */
const ROOM_FACTOR = 1.5;
const ROOM_MORE: Extent = { node: 2000, object: 200, fn: 100, site: 400, call: 400 };

export class Numbering {
  readonly files: readonly FileBase[];
  readonly names: string[] = [];
  readonly #byName = new Map<string, number>();
  readonly nodeCount: number;
  readonly objectCount: number;
  readonly fnCount: number;
  readonly siteCount: number;
  readonly callCount: number;

  /** `loose`: numbers of files whose summaries may be replaced later. The extra room does not change the order of any numbers. */
  constructor(summaries: readonly FileSummary[], loose: ReadonlySet<number> = new Set()) {
    const files: FileBase[] = [];
    // Node 0 means "nothing" in every file, and in the whole project.
    const end: Extent = { node: 0, object: 0, fn: 0, site: 0, call: 0 };
    for (const [i, summary] of summaries.entries()) {
      const room = extentOf(summary);
      if (loose.has(i)) for (const kind of KINDS) room[kind] = Math.ceil(room[kind] * ROOM_FACTOR) + ROOM_MORE[kind];
      files.push({ ...end, summary, names: this.#namesOf(summary), room, isLoose: loose.has(i) });
      for (const kind of KINDS) end[kind] += room[kind];
    }
    this.files = files;
    this.nodeCount = end.node + 1;
    this.objectCount = end.object;
    this.fnCount = end.fn;
    this.siteCount = end.site;
    this.callCount = end.call;
  }

  /** Whether a summary fits into the numbers of another. */
  hasRoom(index: number, summary: FileSummary): boolean {
    const { room } = this.files[index] as FileBase;
    const extent = extentOf(summary);
    return KINDS.every((kind) => extent[kind] <= room[kind]);
  }

  replace(index: number, summary: FileSummary): void {
    const base = this.files[index] as FileBase;
    base.summary = summary;
    base.names = this.#namesOf(summary);
  }

  #namesOf({ strings }: FileSummary): Int32Array {
    const names = new Int32Array(strings.length);
    for (let i = 0; i < strings.length; i++) names[i] = this.name(strings[i] as string);
    return names;
  }

  name(text: string): number {
    let id = this.#byName.get(text);
    if (id === undefined) {
      id = this.names.length;
      this.names.push(text);
      this.#byName.set(text, id);
    }
    return id;
  }

  findName(text: string): number | undefined {
    return this.#byName.get(text);
  }
}

const KINDS = ['node', 'object', 'fn', 'site', 'call'] as const;

function extentOf(summary: FileSummary): Extent {
  return {
    node: summary.nodeCount - 1,
    object: summary.objects.length / OBJECT_STRIDE,
    fn: summary.functions.length / FUNCTION_STRIDE,
    site: summary.sites.length / SITE_STRIDE,
    call: contentsOf(summary).calls,
  };
}
