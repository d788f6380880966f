// Functions and calls of the solved project as places for reports.
import type { Related } from '../../../protocol/finding.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import type { Reach, RootUse } from '../routes/request-reach.ts';
import { siteSpan } from '../summary/format.ts';

/** Calls of a path that are listed. Our choice: nobody reads more. */
const LONGEST_PATH = 100;

export class Places {
  readonly #linked: LinkedProject;
  readonly #reach: Reach;

  constructor(linked: LinkedProject, reach: Reach) {
    this.#linked = linked;
    this.#reach = reach;
  }

  nameOf(fn: number): string | undefined {
    const name = this.#linked.solver.functions.nameOf(fn);
    return name < 0 ? undefined : this.#linked.numbering.names[name];
  }

  /** `ownFile`: number of the queried file. Its places have no `file`. */
  root(root: RootUse, ownFile: number): Related {
    return this.place(ownFile, root.file, root.root.start, root.root.end, this.#describeRoot(root));
  }

  /** A call on the path. */
  edge(edge: number, ownFile: number, how = ''): Related {
    const target = this.nameOf(this.#reach.edges.to[edge] as number);
    const subject = target ? `\`${target}\`` : 'this function';
    const { file, start, end } = this.siteOf(this.#reach.edges.site[edge] as number);
    return this.place(
      ownFile,
      file,
      start,
      end,
      `${this.#reach.viaOf(edge) === 'callback' ? `passes ${subject} as a callback` : `calls ${subject}`}${how}`,
    );
  }

  /** Calls one after the other. Of generated code, which may call through thousands of functions, the beginning and the end. */
  path(edges: readonly number[], ownFile: number): Related[] {
    const left = edges.length - LONGEST_PATH;
    if (left <= 0) return edges.map((edge) => this.edge(edge, ownFile));
    const half = LONGEST_PATH / 2;
    return [
      ...edges.slice(0, half - 1).map((edge) => this.edge(edge, ownFile)),
      this.edge(edges[half - 1] as number, ownFile, ` (${left} calls after this one are not listed)`),
      ...edges.slice(-half).map((edge) => this.edge(edge, ownFile)),
    ];
  }

  place(ownFile: number, file: number, start: number, end: number, message: string): Related {
    return { ...(file === ownFile ? {} : { file: this.#linked.numbering.files[file]?.summary.file ?? '' }), span: { start, end }, message };
  }

  site(site: number, ownFile: number): Related {
    const { file, start, end } = this.siteOf(site);
    return this.place(ownFile, file, start, end, '');
  }

  siteOf(site: number): { file: number; start: number; end: number } {
    const { files } = this.#linked.numbering;
    const low = this.#lastAtMost(site, 'site');
    const {
      summary: { sites },
      site: base,
    } = files[low] as LinkedProject['numbering']['files'][number];
    return { file: low, ...siteSpan(sites, site - base) };
  }

  /** Number of the file that contains a function. */
  fileOf(fn: number): number {
    return this.#lastAtMost(fn, 'fn');
  }

  /** Without its folders. */
  fileNameOf(fn: number): string {
    return (this.#linked.numbering.files[this.#lastAtMost(fn, 'fn')]?.summary.file ?? '').replace(/^.*[\\/]/, '');
  }

  /** Empty files have the same number as their successor, so the last one found is the right one. */
  #lastAtMost(number: number, of: 'site' | 'fn'): number {
    const { files } = this.#linked.numbering;
    let low = 0;
    let high = files.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((files[middle]?.[of] ?? 0) <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #describeRoot({ root: { kind, route }, fn }: RootUse): string {
    const name = this.nameOf(fn);
    const subject = name ? `\`${name}\`` : 'this function';
    if (kind === 'signature') return `${subject} looks like a request handler: it has the parameters of one and uses them that way`;
    if (route) return `${route} is handled here`;
    return kind === 'socket' || kind === 'message' || kind === 'ipc'
      ? 'messages are handled here'
      : kind === 'job'
        ? 'jobs are handled here'
        : kind === 'hook'
          ? 'a model runs this hook when data is saved or read'
          : kind === 'timer'
            ? 'a timer runs this again and again'
            : kind === 'loop'
              ? 'a background loop runs this again and again'
              : kind === 'invocation'
                ? 'the platform calls this handler'
                : 'requests are handled here';
  }
}
