// All files' summaries put together: one numbering for nodes, objects, functions and names.
import { FUNCTION_STRIDE, OBJECT_STRIDE, SITE_STRIDE, type FileSummary } from './summary.ts';

/** Kinds that only the whole project has, besides `ObjectKind`. */
export const WholeKind = { External: 7, Result: 8, Global: 9 } as const;

export interface FileBase {
  summary: FileSummary;
  node: number;
  object: number;
  fn: number;
  site: number;
  /** Names of the project by the file's own numbers. */
  names: Int32Array;
}

export class Numbering {
  readonly files: readonly FileBase[];
  readonly names: string[] = [];
  readonly #byName = new Map<string, number>();
  nodeCount = 1;
  objectCount = 0;
  readonly fnCount: number;
  readonly siteCount: number;

  constructor(summaries: readonly FileSummary[]) {
    const files: FileBase[] = [];
    let fn = 0;
    let site = 0;
    for (const summary of summaries) {
      const names = new Int32Array(summary.strings.length);
      summary.strings.forEach((text, i) => { names[i] = this.name(text); });
      // Node 0 of every file is "nothing": 0 of the whole.
      files.push({ summary, node: this.nodeCount - 1, object: this.objectCount, fn, site, names });
      this.nodeCount += summary.nodeCount - 1;
      this.objectCount += summary.objects.length / OBJECT_STRIDE;
      fn += summary.functions.length / FUNCTION_STRIDE;
      site += summary.sites.length / SITE_STRIDE;
    }
    this.files = files;
    this.fnCount = fn;
    this.siteCount = site;
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
