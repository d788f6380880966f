// The call graph for display: which function calls which and where, what a route reaches, and how.
import type { Span } from '../../../protocol/finding.ts';
import { LOADING_STRIDE, LoadingField } from '../calls/call-edges.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import { VIA, type Reach, type RootUse, type Via } from '../routes/request-reach.ts';
import { FUNCTION_STRIDE, FunctionField, ObjectKind, SiteFlag, siteSpan, type RootKind } from '../summary/format.ts';

export interface GraphFunction {
  /** Absolute path. */
  file: string;
  /** `show`, `Users.show`; undefined for an anonymous function. */
  name: string | undefined;
  /** The function's head: name and parameters. */
  span: Span;
}

export interface GraphPlace {
  /** Absolute path. */
  file: string;
  span: Span;
}

export interface GraphCall {
  from: number;
  to: number;
  via: Via;
  /** Behind a cache that the first request fills. */
  isOnce: boolean;
  at: GraphPlace;
}

/** A call that the top level of a module makes. */
export type LoadingCall = Pick<GraphCall, 'to' | 'via' | 'at'>;

export interface GraphRoute {
  /** `GET /users/:id`, if known. */
  route: string | undefined;
  kind: RootKind;
  framework: string;
  /** The handler. */
  fn: number;
  /** Where it is registered. */
  at: GraphPlace;
}

/** A function reached from a route or function, with the call that reaches it first. */
export interface Reached {
  fn: number;
  /** Undefined for a start. */
  by: GraphCall | undefined;
  depth: number;
  /** Reached only by the first request. */
  isOnce: boolean;
}

interface Spread {
  order: number[];
  /** By function: the edge that reaches it first (-1 for none), the caller, and whether only the first request reaches it. */
  edge: Int32Array;
  from: Int32Array;
  isOnce: Uint8Array;
}

/** The call graph of a solved project. Functions are numbered in the order of files and positions. */
export class CallGraph {
  readonly #linked: LinkedProject;
  readonly #reach: Reach;

  constructor(linked: LinkedProject, reach: Reach) {
    this.#linked = linked;
    this.#reach = reach;
  }

  get size(): number {
    return this.#linked.numbering.fnCount;
  }

  /** In the order of files and positions. */
  get routes(): GraphRoute[] {
    return this.#roots().map((use) => this.#routeOf(use));
  }

  functionOf(fn: number): GraphFunction {
    const { files } = this.#linked.numbering;
    const { summary, fn: base } = files[lastAtMost(files, fn, 'fn')] as (typeof files)[number];
    const at = (fn - base) * FUNCTION_STRIDE;
    const name = summary.functions[at + FunctionField.Name] as number;
    return {
      file: summary.file,
      name: name < 0 ? undefined : summary.strings[name],
      span: { start: summary.functions[at + FunctionField.Start] as number, end: summary.functions[at + FunctionField.End] as number },
    };
  }

  /** A function by its number in the summary of its file; undefined if the file does not participate. */
  numberOf(file: string, local: number): number | undefined {
    const base = this.#linked.numbering.files.find(({ summary }) => summary.file === file);
    return base && local * FUNCTION_STRIDE < base.summary.functions.length ? base.fn + local : undefined;
  }

  /** The number of a function in the summary of its file. */
  localOf(fn: number): number {
    const { files } = this.#linked.numbering;
    return fn - (files[lastAtMost(files, fn, 'fn')]?.fn ?? 0);
  }

  /** Whether it runs while a request waits. */
  isReached(fn: number): boolean {
    return this.#reach.isReached(fn);
  }

  callsOf(fn: number): GraphCall[] {
    const { first, flags } = this.#reach.edges;
    const calls: GraphCall[] = [];
    for (let edge = first[fn] as number; edge < (first[fn + 1] as number); edge++)
      if (((flags[edge] as number) & SiteFlag.DevelopmentOnly) === 0) calls.push(this.#callOf(fn, edge));
    return calls;
  }

  /**
   * All functions that the calls in a function may run, as the solver has them. `callsOf` has fewer: what a function runs because it was
   * passed an argument belongs to the code that passes it.
   */
  mayRun(fn: number): ReadonlySet<number> {
    const { solver, sites } = this.#linked;
    const found = new Set<number>();
    for (const call of solver.calls) {
      if (sites.fn[call.site] !== fn) continue;
      if ((call.flags & SiteFlag.FlowOnly) === 0) for (const target of call.targets) found.add(target);
      if (!call.isExternal && call.targets.length > 0) continue;
      for (const node of [...call.args, ...call.passed])
        for (const object of solver.objectsIn(Math.abs(node)))
          if (solver.kinds[object] === ObjectKind.Function) found.add(solver.objectFn[object] as number);
    }
    return found;
  }

  /** What the top level of a module runs while it loads, in no particular order. */
  callsWhileLoading(file: string): LoadingCall[] {
    const { loading } = this.#reach.edges;
    const calls: LoadingCall[] = [];
    for (let i = 0; i < loading.length; i += LOADING_STRIDE) {
      const at = this.#placeOf(loading[i + LoadingField.Site] as number);
      const via = VIA[loading[i + LoadingField.Kind] as number] as Via;
      if (at.file === file) calls.push({ to: loading[i + LoadingField.Function] as number, via, at });
    }
    return calls;
  }

  /** Breadth first, so each function comes with the shortest way to it. What only the first request runs comes last. */
  reachedFrom(starts: Iterable<number>): Reached[] {
    const { order, edge, from, isOnce } = this.#search(starts);
    const depths = new Map<number, number>();
    return order.map((fn) => {
      const isStart = (edge[fn] as number) < 0;
      const depth = isStart ? 0 : (depths.get(from[fn] as number) ?? 0) + 1;
      depths.set(fn, depth);
      return { fn, by: isStart ? undefined : this.#callOf(from[fn] as number, edge[fn] as number), depth, isOnce: isOnce[fn] === 1 };
    });
  }

  /** The same functions in the same order, far cheaper, for callers with hundreds of routes. */
  numbersFrom(starts: Iterable<number>): readonly number[] {
    return this.#search(starts).order;
  }

  /**
   * Calls on request paths that may run more functions than the search follows, one for each call site. What nothing is known to reach may
   * be behind one of them.
   */
  get cutCalls(): GraphPlace[] {
    const { solver, numbering } = this.#linked;
    const full = new Set<number>();
    for (const { callee, self, site } of solver.calls)
      if (site >= 0 && callee > 0 && (solver.isFull(callee) || solver.isFull(self))) full.add(site);
    if (full.size === 0) return [];
    const onPaths = new Set<number>();
    const { first, site } = this.#reach.edges;
    for (let fn = 0; fn < numbering.fnCount; fn++)
      if (this.isReached(fn))
        for (let edge = first[fn] as number; edge < (first[fn + 1] as number); edge++) onPaths.add(site[edge] as number);
    return [...full]
      .filter((one) => onPaths.has(one))
      .sort((a, b) => a - b)
      .map((one) => this.#placeOf(one));
  }

  /** From state to state, so that a way does not leave the class of the object that it is in. */
  #search(starts: Iterable<number>): Spread {
    const { flags } = this.#reach.edges;
    const { count, fn: fnOf, first, to, edge: edgeOf } = this.#reach.states;
    const order = [...new Set(starts)];
    const found: Spread = {
      order,
      edge: new Int32Array(this.size).fill(-1),
      from: new Int32Array(this.size),
      isOnce: new Uint8Array(this.size),
    };
    const isKnown = new Uint8Array(this.size);
    const seen = new Uint8Array(count);
    const isOnceOf = new Uint8Array(count);
    const queue = [...order];
    for (const fn of order) {
      seen[fn] = 1;
      isKnown[fn] = 1;
    }
    const take = (state: number, step: number, isOnce: boolean): void => {
      const target = to[step] as number;
      seen[target] = 1;
      isOnceOf[target] = isOnce ? 1 : 0;
      queue.push(target);
      const fn = fnOf[target] as number;
      if (isKnown[fn] === 1) return;
      isKnown[fn] = 1;
      found.edge[fn] = edgeOf[step] as number;
      found.from[fn] = fnOf[state] as number;
      found.isOnce[fn] = isOnce ? 1 : 0;
      order.push(fn);
    };
    const later: { state: number; step: number }[] = [];
    let next = 0;
    const walk = (): void => {
      for (; next < queue.length; next++) {
        const state = queue[next] as number;
        const isOnce = isOnceOf[state] === 1;
        for (let step = first[state] as number; step < (first[state + 1] as number); step++) {
          const flag = flags[edgeOf[step] as number] as number;
          if (seen[to[step] as number] === 1 || (flag & SiteFlag.DevelopmentOnly) !== 0) continue;
          if (!isOnce && (flag & SiteFlag.Once) !== 0) later.push({ state, step });
          else take(state, step, isOnce);
        }
      }
    };
    walk();
    for (const { state, step } of later) {
      const fn = fnOf[to[step] as number] as number;
      // A cache that is filled at startup is full when the first request comes.
      if (seen[to[step] as number] === 0 && !(this.#reach.isOnce(fn) && !this.isReached(fn))) take(state, step, true);
    }
    walk();
    return found;
  }

  /** The routes and other registrations that lead to a function, each with its shortest path. The shortest come first. */
  routesTo(fn: number): { route: GraphRoute; calls: GraphCall[] }[] {
    if (!this.isReached(fn)) return [];
    const { fn: fnOf } = this.#reach.states;
    const { flags } = this.#reach.edges;
    /** By state: the step that leads on from it; undefined for the end. */
    const next = new Map<number, { edge: number; to: number } | undefined>(this.#reach.statesOf(fn).map((state) => [state, undefined]));
    for (const at of next.keys())
      for (const { caller, edge } of this.#reach.callersOfState(at))
        if (!next.has(caller) && this.#reach.isStateReached(caller) && ((flags[edge] as number) & SiteFlag.DevelopmentOnly) === 0)
          next.set(caller, { edge, to: at });
    const found = this.#roots()
      .filter((root) => next.has(root.fn))
      .map((use) => {
        const calls: GraphCall[] = [];
        for (let state = use.fn, step = next.get(state); step; state = step.to, step = next.get(state))
          calls.push(this.#callOf(fnOf[state] as number, step.edge));
        return { route: this.#routeOf(use), calls };
      });
    return found.sort((a, b) => a.calls.length - b.calls.length);
  }

  /** A handler known only by its parameters does not count if a registration reaches it as well. */
  #roots(): RootUse[] {
    const own = this.#reach.roots.filter(
      ({ root, fn }) => root.kind !== 'signature' || this.#reach.pathTo(fn).root.root.kind === 'signature',
    );
    return own.sort((a, b) => a.file - b.file || a.root.start - b.root.start);
  }

  #routeOf({ root: { route, kind, framework, start, end }, fn, file }: RootUse): GraphRoute {
    return { route, kind, framework, fn, at: { file: this.#linked.numbering.files[file]?.summary.file ?? '', span: { start, end } } };
  }

  #callOf(from: number, edge: number): GraphCall {
    const { to, site, flags } = this.#reach.edges;
    return {
      from,
      to: to[edge] as number,
      via: this.#reach.viaOf(edge),
      isOnce: ((flags[edge] as number) & SiteFlag.Once) !== 0,
      at: this.#placeOf(site[edge] as number),
    };
  }

  #placeOf(site: number): GraphPlace {
    const { files } = this.#linked.numbering;
    const { summary, site: base } = files[lastAtMost(files, site, 'site')] as (typeof files)[number];
    return { file: summary.file, span: siteSpan(summary.sites, site - base) };
  }
}

/** Empty files have the same number as their successor, so the last one found is the right one. */
function lastAtMost<K extends 'fn' | 'site'>(files: readonly Readonly<Record<K, number>>[], number: number, key: K): number {
  let low = 0;
  let high = files.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((files[middle]?.[key] ?? 0) <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}
