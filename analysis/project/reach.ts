// What runs while a request waits: everything that the roots reach over the solved calls, breadth first, so that the shortest way is found.
import { FUNCTION_STRIDE, ObjectKind, SiteFlag, type Root } from './summary.ts';
import type { Linked } from './link.ts';
import { OPTION_HANDLERS } from '../../knowledge/frameworks.ts';
import { edgesOf, type Edges } from './edges.ts';
import { Routes } from './routes.ts';

export type Via = 'call' | 'construct' | 'callback';
// `[{ handler: [fn] }]` is as deep as route tables go.
const MAX_TABLE_DEPTH = 5;

const VIA: readonly Via[] = ['call', 'construct', 'callback'];

export interface RootUse {
  root: Root;
  /** Number of the file that registers it. */
  file: number;
  fn: number;
}

/** Calls by whom they run: those of function f from `first[f]` to `first[f + 1]`. */
interface Reverse {
  first: Int32Array;
  from: Int32Array;
  edge: Int32Array;
}

/** Ranks of reaching a function, the best first. */
const Rank = { Registered: 0, Signature: 1, Once: 2, OnceSignature: 3 } as const;

export class Reach {
  readonly #linked: Linked;
  readonly edges: Edges;
  readonly roots: readonly RootUse[];
  /** By function: the number of the edge that leads there, -1 for a root, -2 where no request leads. */
  readonly #edgeTo: Int32Array;
  readonly #from: Int32Array;
  readonly #rootOf: Int32Array;
  readonly #rank: Uint8Array;
  readonly #atStartup: Uint8Array;
  #rootsByFunction: Map<number, number[]> | undefined;
  #reverse: Reverse | undefined;

  constructor(linked: Linked) {
    this.#linked = linked;
    const { fnCount } = linked.numbering;
    this.edges = edgesOf(linked);
    this.roots = rootsOf(linked);
    this.#edgeTo = new Int32Array(fnCount).fill(-2);
    this.#from = new Int32Array(fnCount).fill(-1);
    this.#rootOf = new Int32Array(fnCount).fill(-1);
    this.#rank = new Uint8Array(fnCount).fill(255);
    this.#spread();
    this.#atStartup = this.#startup();
  }

  /** A cache that is filled while the program starts is full when the first request comes. */
  isReached(fn: number): boolean {
    return (this.#edgeTo[fn] as number) !== -2 && !(this.isOnce(fn) && this.#atStartup[fn] === 1);
  }

  /** Whether every way there is behind a cache that the first request fills. */
  isOnce(fn: number): boolean {
    return (this.#rank[fn] as number) >= Rank.Once;
  }

  /** Edge numbers from the root to the function. */
  pathTo(fn: number): { root: RootUse; edges: number[] } {
    const edges: number[] = [];
    let at = fn;
    while ((this.#edgeTo[at] as number) >= 0) {
      edges.unshift(this.#edgeTo[at] as number);
      at = this.#from[at] as number;
    }
    return { root: this.roots[this.#rootOf[fn] as number] as RootUse, edges };
  }

  viaOf(edge: number): Via {
    return VIA[this.edges.via[edge] as number] as Via;
  }

  /** The calls that run a function. */
  *callersOf(fn: number): Iterable<{ caller: number; edge: number }> {
    const { first, from, edge } = (this.#reverse ??= this.#reversed());
    for (let k = first[fn] as number; k < (first[fn + 1] as number); k++) yield { caller: from[k] as number, edge: edge[k] as number };
  }

  /** All roots from which a function is reached. */
  rootsTo(fn: number): RootUse[] {
    const { first, from } = (this.#reverse ??= this.#reversed());
    const seen = new Set([fn]);
    const queue = [fn];
    for (let i = 0; i < queue.length; i++) {
      const at = queue[i] as number;
      for (let k = first[at] as number; k < (first[at + 1] as number); k++) {
        const caller = from[k] as number;
        if (!seen.has(caller) && this.isReached(caller)) {
          seen.add(caller);
          queue.push(caller);
        }
      }
    }
    const byFunction = (this.#rootsByFunction ??= this.#grouped());
    return queue.flatMap((at) => byFunction.get(at) ?? []).sort((a, b) => a - b).flatMap((index) => this.roots[index] ?? []);
  }

  /** Numbers of the roots of each function that has some. */
  #grouped(): Map<number, number[]> {
    const byFunction = new Map<number, number[]>();
    for (const [index, { fn }] of this.roots.entries()) {
      const known = byFunction.get(fn);
      if (known) known.push(index);
      else byFunction.set(fn, [index]);
    }
    return byFunction;
  }

  /** Registered handlers first; then functions known by their parameters alone; then what only the first request runs. */
  #spread(): void {
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
      queue.push(fn);
    }
    this.#walk(queue, rank);
  }

  #walk(queue: number[], rank: number): void {
    const { first, to, flags } = this.edges;
    const skip = SiteFlag.DevelopmentOnly | (rank >= Rank.Once ? 0 : SiteFlag.Once);
    for (let i = 0; i < queue.length; i++) {
      const fn = queue[i] as number;
      for (let k = first[fn] as number; k < (first[fn + 1] as number); k++) {
        const target = to[k] as number;
        if ((this.#edgeTo[target] as number) !== -2 || ((flags[k] as number) & skip) !== 0) continue;
        this.#take(fn, k, target, rank);
        queue.push(target);
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
    const { first, to, flags } = this.edges;
    const queue: number[] = [];
    for (let fn = 0; fn < this.#linked.numbering.fnCount; fn++) {
      if ((this.#edgeTo[fn] as number) === -2 || (this.#rank[fn] as number) >= Rank.Once) continue;
      for (let k = first[fn] as number; k < (first[fn + 1] as number); k++) {
        const target = to[k] as number;
        if (((flags[k] as number) & SiteFlag.Once) === 0 || ((flags[k] as number) & SiteFlag.DevelopmentOnly) !== 0 || (this.#edgeTo[target] as number) !== -2) continue;
        this.#take(fn, k, target, this.#rank[fn] === Rank.Signature ? Rank.OnceSignature : Rank.Once);
        queue.push(target);
      }
    }
    this.#walk(queue, Rank.Once);
  }

  /** What the modules' top levels run, handlers left out. */
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
      for (let k = first[fn] as number; k < (first[fn + 1] as number); k++) if (((flags[k] as number) & SiteFlag.DevelopmentOnly) === 0) take(to[k] as number);
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

/** Roots with a route first, then those that are known to be registered. */
function order({ root }: RootUse): number {
  return root.route === undefined ? (root.kind === 'middleware' ? 1 : 2) : 0;
}

function rootsOf(linked: Linked): RootUse[] {
  const { numbering, solver } = linked;
  const routes = new Routes(linked);
  const found: RootUse[] = [];
  const seen = new Set<string>();
  const parameters = parametersOf(solver);
  const idsOf = (texts: readonly string[]): number[] => texts.map((text) => numbering.findName(text)).filter((id): id is number => id !== undefined);
  const names = idsOf([...OPTION_HANDLERS, 'options', 'config']);
  numbering.files.forEach(({ summary, node, fn: fnBase }, file) => {
    for (const root of summary.roots) {
      if (root.developmentOnly) continue;
      const route = routes.full(root, root.app === undefined ? undefined : root.app + node, file);
      const known = route === root.route ? root : { ...root, route };
      const take = (fn: number): void => {
        const key = `${fn} ${root.kind === 'signature' ? 's' : ''} ${route ?? ''}`;
        if (seen.has(key)) return;
        seen.add(key);
        found.push({ root: known, file, fn });
      };
      if (root.fn !== undefined) take(root.fn + fnBase);
      if (root.node !== undefined) for (const from of argumentsFor(parameters, root.node + node)) for (const fn of functionsIn(solver, from, root.options ? idsOf(root.options) : names, root)) take(fn);
    }
  });
  return found;
}

/** By a parameter's node: the nodes of what calls hand over for it. */
function parametersOf(solver: Linked['solver']): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const { args, targets } of solver.calls) {
    for (const target of targets) {
      const first = solver.fns[target * FUNCTION_STRIDE + 3] as number;
      const count = solver.fns[target * FUNCTION_STRIDE + 4] as number;
      args.forEach((arg, i) => {
        if (arg === 0) return;
        const parameter = first + Math.min(i, count - 1);
        const list = found.get(parameter);
        if (list) list.push(Math.abs(arg));
        else found.set(parameter, [Math.abs(arg)]);
      });
    }
  }
  return found;
}

/** A registering function's parameter may be a hundred handlers, more than one node holds: each call's own argument is asked. */
function argumentsFor(parameters: ReadonlyMap<number, readonly number[]>, node: number): Set<number> {
  const nodes = new Set([node]);
  for (const one of nodes) for (const from of parameters.get(one) ?? []) nodes.add(from);
  return nodes;
}

/** Functions that a handler argument may be: itself, a list's, those of a table of options, those of a service by the names of its methods. */
function functionsIn(solver: Linked['solver'], node: number, options: readonly number[], { isDeep = false, options: named, kind: rootKind }: Root): number[] {
  const found: number[] = [];
  const seen = new Set<number>();
  let objects: readonly number[] = solver.objectsIn(node);
  for (let depth = 0; depth < MAX_TABLE_DEPTH && objects.length > 0; depth++) {
    const next: number[] = [];
    for (const object of objects) {
      if (seen.has(object)) continue;
      seen.add(object);
      const kind = solver.kinds[object];
      // A model's `init(fn)` is no hook.
      if (kind === ObjectKind.Function && (depth > 0 || rootKind !== 'hook' || !named)) found.push(solver.objectFn[object] as number);
      if (depth === 0 && named && kind === ObjectKind.Instance) next.push(...membersOf(solver, object, options));
      if (kind !== ObjectKind.Array && kind !== ObjectKind.Literal && !(named && kind === ObjectKind.Exports)) continue;
      const fields = solver.fieldsOf(object);
      for (let i = 0; i < fields.length; i += 2) if (kind === ObjectKind.Array || (isDeep && (depth > 0 || options.length === 0)) || options.includes(fields[i + 1] as number)) next.push(...solver.objectsIn(fields[i] as number));
    }
    objects = next;
  }
  return found;
}

/** What an instance has under some names: its class's own methods, or else those that these inherit. */
function membersOf(solver: Linked['solver'], instance: number, names: readonly number[]): number[] {
  const found = new Map<number, readonly number[]>();
  const seen = new Set([instance]);
  for (const object of seen) {
    const fields = solver.fieldsOf(object);
    for (let i = 0; i < fields.length; i += 2) {
      const name = fields[i + 1] as number;
      if (names.includes(name) && !found.has(name)) found.set(name, solver.objectsIn(fields[i] as number));
    }
    for (const parent of solver.parentsOf(object)) seen.add(parent);
  }
  return [...found.values()].flat();
}
