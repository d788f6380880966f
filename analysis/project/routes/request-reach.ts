// What runs while a request waits: everything that the entry points reach over call edges. Breadth first, to find the shortest path.
import { LEFT_OUT_MASK, SiteFlag, LEFT_OUT_SHIFT } from '../summary/format.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import type { Edges } from '../calls/call-edges.ts';
import { rootsOf, type RootUse } from './registrations.ts';
import { RootsAbove, type Reverse } from './roots-above.ts';

export type { RootUse } from './registrations.ts';
export type Via = 'call' | 'construct' | 'callback';

/** By `EdgeKind`. */
export const VIA: readonly Via[] = ['call', 'construct', 'callback'];

/** How a function is reached, the best rank first. */
const Rank = { Registered: 0, Signature: 1, Once: 2, OnceSignature: 3 } as const;

export class Reach {
  readonly #linked: LinkedProject;
  readonly edges: Edges;
  readonly roots: readonly RootUse[];
  /** By function: the edge on the shortest path; -1 for an entry point, -2 if no request reaches it. */
  readonly #edgeTo: Int32Array;
  readonly #from: Int32Array;
  readonly #rootOf: Int32Array;
  readonly #rank: Uint8Array;
  /** One bit for each of the first arguments that some caller on a request path leaves out. */
  readonly #missing: Uint8Array;
  readonly #atStartup: Uint8Array;
  #rootsByFunction: Map<number, number[]> | undefined;
  #reverse: Reverse | undefined;
  #above: RootsAbove | undefined;
  readonly #rootsOfNumbers = new Map<readonly number[], readonly RootUse[]>();

  constructor(linked: LinkedProject) {
    this.#linked = linked;
    const { fnCount } = linked.numbering;
    this.edges = linked.edges.find();
    this.roots = rootsOf(linked);
    this.#edgeTo = new Int32Array(fnCount).fill(-2);
    this.#from = new Int32Array(fnCount).fill(-1);
    this.#rootOf = new Int32Array(fnCount).fill(-1);
    this.#rank = new Uint8Array(fnCount).fill(255);
    this.#missing = new Uint8Array(fnCount);
    this.#search();
    this.#atStartup = this.#startup();
  }

  /** A cache that is filled at startup is full when the first request comes. */
  isReached(fn: number): boolean {
    return (this.#edgeTo[fn] as number) !== -2 && !(this.isOnce(fn) && this.#atStartup[fn] === 1);
  }

  /** Whether every path to it goes through a cache that the first request fills. */
  isOnce(fn: number): boolean {
    return (this.#rank[fn] as number) >= Rank.Once;
  }

  /** The edges from the entry point to the function. */
  pathTo(fn: number): { root: RootUse; edges: number[] } {
    const edges: number[] = [];
    let at = fn;
    while ((this.#edgeTo[at] as number) >= 0) {
      edges.push(this.#edgeTo[at] as number);
      at = this.#from[at] as number;
    }
    return { root: this.roots[this.#rootOf[fn] as number] as RootUse, edges: edges.reverse() };
  }

  viaOf(edge: number): Via {
    return VIA[this.edges.via[edge] as number] as Via;
  }

  /** The calls that run a function. */
  *callersOf(fn: number): Iterable<{ caller: number; edge: number }> {
    const { first, from, edge } = (this.#reverse ??= this.#reversed());
    for (let k = first[fn] as number; k < (first[fn + 1] as number); k++) yield { caller: from[k] as number, edge: edge[k] as number };
  }

  /** Whether a framework is given the function itself, and nothing in the project calls it. */
  isOnlyRegistered(fn: number): boolean {
    const own = (this.#rootsByFunction ??= this.#grouped()).get(fn) ?? [];
    if (!own.some((index) => this.roots[index]?.root.kind !== 'signature')) return false;
    for (const _ of this.callersOf(fn)) return false;
    return true;
  }

  /** All entry points that reach a function. The same list for all functions that have the same ones. */
  rootsTo(fn: number): readonly RootUse[] {
    this.#above ??= new RootsAbove({
      callers: (this.#reverse ??= this.#reversed()),
      isTaken: (caller, edge) => this.isReached(caller) && !this.#isSkipped(caller, edge),
      roots: (this.#rootsByFunction ??= this.#grouped()),
    });
    const numbers = this.#above.of(fn);
    let roots = this.#rootsOfNumbers.get(numbers);
    if (!roots) this.#rootsOfNumbers.set(numbers, (roots = numbers.map((index) => this.roots[index] as RootUse)));
    return roots;
  }

  /** The numbers of the entry points, by function. */
  #grouped(): Map<number, number[]> {
    const byFunction = new Map<number, number[]>();
    for (const [index, { fn }] of this.roots.entries()) {
      const known = byFunction.get(fn);
      if (known) known.push(index);
      else byFunction.set(fn, [index]);
    }
    return byFunction;
  }

  /** Registered handlers first, then functions known only by their parameters, then what only the first request runs. */
  #search(): void {
    const known = this.roots.map((_, i) => i).sort((a, b) => order(this.roots[a] as RootUse) - order(this.roots[b] as RootUse) || a - b);
    const registered = known.filter((i) => (this.roots[i] as RootUse).root.kind !== 'signature');
    const signatures = known.filter((i) => (this.roots[i] as RootUse).root.kind === 'signature');
    this.#reach(registered, Rank.Registered);
    this.#reach(signatures, Rank.Signature);
    this.#reachOnce();
  }

  #reach(roots: readonly number[], rank: number): void {
    const queue: number[] = [];
    for (const index of roots) {
      const { fn } = this.roots[index] as RootUse;
      if ((this.#edgeTo[fn] as number) !== -2) continue;
      this.#edgeTo[fn] = -1;
      this.#rootOf[fn] = index;
      this.#rank[fn] = rank;
      this.#missing[fn] = LEFT_OUT_MASK;
      queue.push(fn);
    }
    this.#walk(queue, rank);
  }

  /** Whether an edge runs only if an argument is left out, and no caller on a request path leaves it out. */
  #isSkipped(fn: number, edge: number): boolean {
    const condition = ((this.edges.flags[edge] as number) >> LEFT_OUT_SHIFT) & LEFT_OUT_MASK;
    return condition !== 0 && ((this.#missing[fn] as number) & condition) === 0;
  }

  #walk(queue: number[], rank: number): void {
    const { first, to, flags, missing } = this.edges;
    const skip = SiteFlag.DevelopmentOnly | (rank >= Rank.Once ? 0 : SiteFlag.Once);
    for (let i = 0; i < queue.length; i++) {
      const fn = queue[i] as number;
      for (let k = first[fn] as number; k < (first[fn + 1] as number); k++) {
        const target = to[k] as number;
        if (((flags[k] as number) & skip) !== 0 || this.#isSkipped(fn, k)) continue;
        const left = (this.#missing[target] as number) | (missing[k] as number);
        const isNew = (this.#edgeTo[target] as number) === -2;
        if (isNew) this.#take(fn, k, target, rank);
        // Callers that leave out more arguments make more of its code run.
        if (isNew || left !== this.#missing[target]) queue.push(target);
        this.#missing[target] = left;
      }
    }
  }

  #take(from: number, edge: number, target: number, rank: number): void {
    this.#edgeTo[target] = edge;
    this.#from[target] = from;
    this.#rootOf[target] = this.#rootOf[from] as number;
    this.#rank[target] = rank;
  }

  #reachOnce(): void {
    const { first, to, flags, missing } = this.edges;
    const queue: number[] = [];
    for (let fn = 0; fn < this.#linked.numbering.fnCount; fn++) {
      if ((this.#edgeTo[fn] as number) === -2 || (this.#rank[fn] as number) >= Rank.Once) continue;
      for (let k = first[fn] as number; k < (first[fn + 1] as number); k++) {
        const target = to[k] as number;
        if (
          this.#isSkipped(fn, k) ||
          ((flags[k] as number) & SiteFlag.Once) === 0 ||
          ((flags[k] as number) & SiteFlag.DevelopmentOnly) !== 0 ||
          (this.#edgeTo[target] as number) !== -2
        )
          continue;
        this.#take(fn, k, target, this.#rank[fn] === Rank.Signature ? Rank.OnceSignature : Rank.Once);
        this.#missing[target] = (this.#missing[target] as number) | (missing[k] as number);
        queue.push(target);
      }
    }
    this.#walk(queue, Rank.Once);
  }

  /** What the modules' top levels run, without handlers. */
  #startup(): Uint8Array {
    const { first, to, flags, startup } = this.edges;
    const seen = new Uint8Array(this.#linked.numbering.fnCount);
    const roots = new Set(this.roots.map(({ fn }) => fn));
    const queue: number[] = [];
    const take = (fn: number): void => {
      if (seen[fn] === 1 || roots.has(fn)) return;
      seen[fn] = 1;
      queue.push(fn);
    };
    for (const fn of startup) take(fn);
    for (let i = 0; i < queue.length; i++) {
      const fn = queue[i] as number;
      for (let k = first[fn] as number; k < (first[fn + 1] as number); k++)
        if (((flags[k] as number) & SiteFlag.DevelopmentOnly) === 0) take(to[k] as number);
    }
    return seen;
  }

  #reversed(): Reverse {
    const { fnCount } = this.#linked.numbering;
    const { first: forward, to } = this.edges;
    const first = new Int32Array(fnCount + 1);
    for (const target of to) first[target + 1] = (first[target + 1] as number) + 1;
    for (let i = 0; i < fnCount; i++) first[i + 1] = (first[i + 1] as number) + (first[i] as number);
    const at = first.slice();
    const from = new Int32Array(to.length);
    const edge = new Int32Array(to.length);
    for (let fn = 0; fn < fnCount; fn++) {
      for (let k = forward[fn] as number; k < (forward[fn + 1] as number); k++) {
        const target = to[k] as number;
        from[at[target] as number] = fn;
        edge[at[target] as number] = k;
        at[target] = (at[target] as number) + 1;
      }
    }
    return { first, from, edge };
  }
}

/** Entry points with a route first, then middleware. */
function order({ root }: RootUse): number {
  return root.route === undefined ? (root.kind === 'middleware' ? 1 : 2) : 0;
}
