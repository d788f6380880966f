// What runs while a request waits: everything that the entry points reach over call edges. Breadth first, to find the shortest path. The
// search goes from state to state (see `calls/receiver-states.ts`): a path does not leave the class of the object that it is in.
import { FunctionFlag, isBackground, LEFT_OUT_MASK, SiteFlag, LEFT_OUT_SHIFT, type RootKind } from '../summary/format.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import { EdgeKind, LOADING_STRIDE, LoadingField, type Edges } from '../calls/call-edges.ts';
import { receiverStates, type ReceiverStates } from '../calls/receiver-states.ts';
import { findNeverRun } from './never-run.ts';
import { rootsOf, type IdleFiles, type RootUse } from './registrations.ts';
import { RootsAbove, type Reverse } from './roots-above.ts';

export type { RootUse } from './registrations.ts';
export type Via = 'call' | 'construct' | 'callback';

/** By `EdgeKind`. */
export const VIA: readonly Via[] = ['call', 'construct', 'callback'];

/** How a function is reached, the best rank first. */
const Rank = { Registered: 0, Signature: 1, Timer: 2, Once: 3, OnceSignature: 4 } as const;

/** Which functions may run in one process: programs of one repository share some of its files (see `files/programs.ts`). */
interface Programs {
  groupOf: Int32Array;
  count: number;
  mayMeet(a: number, b: number): boolean;
}

/** How entry points of another group get to a state. */
interface Other {
  from: number;
  edge: number;
  root: number;
}

const OPENS = 1;
const CALLS_OPENING = 2;

export class Reach {
  readonly #linked: LinkedProject;
  readonly #asking: ReadonlySet<number>;
  readonly edges: Edges;
  readonly states: ReceiverStates;
  readonly roots: readonly RootUse[];
  /** By state: the edge on the shortest path; -1 for an entry point, -2 if no request reaches it. */
  readonly #edgeTo: Int32Array;
  /** By state: the one before it on the shortest path. */
  readonly #from: Int32Array;
  readonly #rootOf: Int32Array;
  readonly #rank: Uint8Array;
  /** By state: one bit for each of the first arguments that some caller on a request path leaves out. */
  readonly #missing: Uint8Array;
  /** By function: its state that is reached first, or -1. */
  readonly #best: Int32Array;
  readonly #atStartup: Uint8Array;
  /** The same without what worker threads run, which keep values of their own, and without what fills caches that expire. */
  readonly #filled: Uint8Array;
  /** By function: 1 if it starts the server when the program does. */
  readonly #starts: Uint8Array;
  /** Call sites that no run gets to. */
  readonly neverRun: ReadonlySet<number>;
  #rootsByFunction: Map<number, number[]> | undefined;
  #reverse: Reverse | undefined;
  #above: RootsAbove | undefined;
  readonly #rootsOfNumbers = new Map<readonly number[], readonly RootUse[]>();
  /** Of functions with several states. */
  readonly #rootsOfStates = new Map<number, readonly RootUse[]>();
  readonly #programs: Programs | undefined;
  /** By function, if there are several programs. */
  readonly #groups: Int32Array;
  /** By state and group. */
  readonly #others = new Map<number, Other>();
  readonly #rootsInProgram = new Map<readonly RootUse[], Map<number, readonly RootUse[]>>();

  constructor(linked: LinkedProject, programs: Programs | undefined, idle: IdleFiles) {
    this.#linked = linked;
    this.#asking = idle.asking;
    this.#programs = programs;
    this.#groups = new Int32Array(programs ? linked.numbering.fnCount : 0);
    if (programs)
      linked.numbering.files.forEach(({ fn, room }, file) => {
        this.#groups.fill(programs.groupOf[file] as number, fn, fn + room.fn);
      });
    const { fnCount } = linked.numbering;
    this.edges = linked.edges.find();
    this.states = receiverStates(linked, this.edges);
    this.roots = rootsOf(linked, idle);
    this.neverRun = findNeverRun(linked);
    const { count } = this.states;
    this.#edgeTo = new Int32Array(count).fill(-2);
    this.#from = new Int32Array(count).fill(-1);
    this.#rootOf = new Int32Array(count).fill(-1);
    this.#rank = new Uint8Array(count).fill(255);
    this.#missing = new Uint8Array(count);
    this.#best = new Int32Array(fnCount).fill(-1);
    this.#atStartup = this.#startup(this.edges.startup, SiteFlag.DevelopmentOnly);
    this.#starts = this.#starting();
    this.#search();
    const refilled = this.#refilled();
    this.#filled = this.#startup(
      [...this.#startsOfServer(), ...providersAtStartup(linked)],
      SiteFlag.DevelopmentOnly | SiteFlag.Expires,
      refilled,
    );
    // Of a function with several caches, which of them a call fills is not told apart.
    for (const fn of this.#onlyRefilled(refilled)) this.#filled[fn] = 0;
  }

  /** Functions that fill no other caches. */
  #onlyRefilled(refilled: ReadonlySet<number>): ReadonlySet<number> {
    const { fn: functionAt, flags } = this.#linked.sites;
    const found = new Set([...refilled].map((site) => functionAt[site] ?? -1));
    found.delete(-1);
    if (found.size > 0)
      flags.forEach((one, site) => {
        if ((one & SiteFlag.Once) !== 0 && !refilled.has(site)) found.delete(functionAt[site] as number);
      });
    return found;
  }

  /** A cache that is filled at startup is full when the first request comes. */
  isReached(fn: number): boolean {
    const best = this.#best[fn] as number;
    return best >= 0 && this.isStateReached(best);
  }

  isStateReached(state: number): boolean {
    return (this.#edgeTo[state] as number) !== -2 && !(this.isStateOnce(state) && this.#filled[this.states.fn[state] as number] === 1);
  }

  /** Whether every path to it goes through a cache that the first request fills. */
  isOnce(fn: number): boolean {
    const best = this.#best[fn] as number;
    return best < 0 || this.isStateOnce(best);
  }

  isStateOnce(state: number): boolean {
    return (this.#rank[state] as number) >= Rank.Once;
  }

  /** Whether the program also runs it while it starts. */
  runsAtStartup(fn: number): boolean {
    return this.#filled[fn] === 1;
  }

  /** In s: how often an entry point runs at most; 0 if each request runs it. */
  intervalOf({ root: { interval = 0 }, file }: RootUse): number {
    return this.#asking.has(file) ? 0 : interval;
  }

  /** The edges from the entry point to the function. */
  pathTo(fn: number): { root: RootUse; edges: number[] } {
    return this.pathToState(Math.max(this.#best[fn] as number, 0));
  }

  pathToState(state: number): { root: RootUse; edges: number[] } {
    const edges: number[] = [];
    const root = this.#rootOf[state] as number;
    const group = this.#groupOfRoot(root);
    for (let at = state; ; ) {
      const other = this.#groupOfRoot(this.#rootOf[at] as number) === group ? undefined : this.#others.get(this.#place(at, group));
      const edge = other ? other.edge : (this.#edgeTo[at] as number);
      if (edge < 0) break;
      edges.push(edge);
      at = other ? other.from : (this.#from[at] as number);
    }
    return { root: this.roots[root] as RootUse, edges: edges.reverse() };
  }

  /** The programs of an entry point. */
  #groupOfRoot(root: number): number {
    return this.#programs?.groupOf[this.roots[root]?.file ?? 0] ?? 0;
  }

  #place(state: number, group: number): number {
    return state * (this.#programs?.count ?? 1) + group;
  }

  /** Whether a state is in a program that an entry point may be in. */
  #isOutside(group: number, state: number): boolean {
    return this.#programs !== undefined && !this.#programs.mayMeet(group, this.#groups[this.states.fn[state] as number] as number);
  }

  /** That of an unknown `this`, then the others. */
  statesOf(fn: number): readonly number[] {
    return [fn, ...(this.states.known.get(fn) ?? [])];
  }

  viaOf(edge: number): Via {
    return VIA[this.edges.via[edge] as number] as Via;
  }

  /** The calls that run a function. A call comes once for each state that it leads from or to. */
  *callersOf(fn: number): Iterable<{ caller: number; edge: number }> {
    for (const state of this.statesOf(fn))
      for (const { caller, edge } of this.callersOfState(state)) yield { caller: this.states.fn[caller] as number, edge };
  }

  /** The states from which calls lead to a state. */
  *callersOfState(state: number): Iterable<{ caller: number; edge: number }> {
    const { first, from, edge } = (this.#reverse ??= this.#reversed());
    for (let k = first[state] as number; k < (first[state + 1] as number); k++)
      yield { caller: from[k] as number, edge: edge[k] as number };
  }

  /** Whether a framework is given the function itself, and nothing in the project calls it. */
  isOnlyRegistered(fn: number): boolean {
    const own = (this.#rootsByFunction ??= this.#grouped()).get(fn) ?? [];
    if (!own.some((index) => this.roots[index]?.root.kind !== 'signature')) return false;
    for (const _ of this.callersOf(fn)) return false;
    return true;
  }

  /** The entry points that are the function itself. */
  ownRootsOf(fn: number): readonly RootUse[] {
    return ((this.#rootsByFunction ??= this.#grouped()).get(fn) ?? []).map((index) => this.roots[index] as RootUse);
  }

  /** All entry points that reach a function. The same list for all functions that have the same ones. */
  rootsTo(fn: number): readonly RootUse[] {
    this.#above ??= new RootsAbove({
      callers: (this.#reverse ??= this.#reversed()),
      isTaken: (caller, edge) => this.isStateReached(caller) && !this.#isSkipped(caller, edge),
      roots: (this.#rootsByFunction ??= this.#grouped()),
    });
    return this.#inProgram(this.#allRootsTo(fn, this.#above), fn);
  }

  #allRootsTo(fn: number, above: RootsAbove): readonly RootUse[] {
    const reached = this.statesOf(fn).filter((state) => this.isStateReached(state));
    if (reached.length < 2) return this.#rootsOf(above.of(reached[0] ?? fn));
    let roots = this.#rootsOfStates.get(fn);
    if (!roots) {
      const numbers = [...new Set(reached.flatMap((state) => above.of(state)))].sort((a, b) => a - b);
      this.#rootsOfStates.set(fn, (roots = this.#rootsOf(numbers)));
    }
    return roots;
  }

  /** The same list for the same ones. */
  #inProgram(roots: readonly RootUse[], fn: number): readonly RootUse[] {
    const programs = this.#programs;
    if (!programs) return roots;
    let byGroup = this.#rootsInProgram.get(roots);
    if (!byGroup) this.#rootsInProgram.set(roots, (byGroup = new Map()));
    const group = this.#groups[fn] as number;
    let found = byGroup.get(group);
    if (!found) byGroup.set(group, (found = roots.filter(({ file }) => programs.mayMeet(programs.groupOf[file] as number, group))));
    return found;
  }

  #rootsOf(numbers: readonly number[]): readonly RootUse[] {
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

  /** Registered handlers first, then functions known only by their parameters, then timers and background loops, then what only the first request runs. */
  #search(): void {
    const known = this.roots.map((_, i) => i).sort((a, b) => order(this.roots[a] as RootUse) - order(this.roots[b] as RootUse) || a - b);
    const kindOf = (i: number): RootKind => (this.roots[i] as RootUse).root.kind;
    this.#reach(
      known.filter((i) => kindOf(i) !== 'signature' && !isBackground(kindOf(i))),
      Rank.Registered,
    );
    this.#reach(
      known.filter((i) => kindOf(i) === 'signature'),
      Rank.Signature,
    );
    this.#reach(
      known.filter((i) => isBackground(kindOf(i))),
      Rank.Timer,
    );
    this.#reachOnce();
  }

  #reach(roots: readonly number[], rank: number): void {
    const queue: number[] = [];
    const from: number[] = [];
    for (const index of roots) {
      const { fn } = this.roots[index] as RootUse;
      if ((this.#edgeTo[fn] as number) !== -2) {
        if (this.#takeOther(fn, -1, -1, index)) {
          queue.push(fn);
          from.push(index);
        }
        continue;
      }
      this.#edgeTo[fn] = -1;
      this.#rootOf[fn] = index;
      this.#rank[fn] = rank;
      this.#missing[fn] = LEFT_OUT_MASK;
      if ((this.#best[fn] as number) < 0) this.#best[fn] = fn;
      queue.push(fn);
      from.push(index);
    }
    this.#walk(queue, from, rank);
  }

  /** What entry points of other programs reach, too, leads them on. */
  #takeOther(state: number, from: number, edge: number, root: number): boolean {
    const group = this.#groupOfRoot(root);
    if (!this.#programs || group === this.#groupOfRoot(this.#rootOf[state] as number)) return false;
    const place = this.#place(state, group);
    if (this.#others.has(place)) return false;
    this.#others.set(place, { from, edge, root });
    return true;
  }

  /**
   * Whether an edge runs only if an argument is left out, and no caller on a request path leaves it out; or whether it starts the program
   * again: whatever leads there has closed its servers, and nobody waits.
   */
  #isSkipped(state: number, edge: number): boolean {
    if (this.#starts[this.edges.to[edge] as number] === 1 || this.neverRun.has(this.edges.site[edge] as number)) return true;
    const condition = ((this.edges.flags[edge] as number) >> LEFT_OUT_SHIFT) & LEFT_OUT_MASK;
    return condition !== 0 && ((this.#missing[state] as number) & condition) === 0;
  }

  /** `from`: the entry point of each in the queue. */
  #walk(queue: number[], from: number[], rank: number): void {
    const { flags, missing } = this.edges;
    const { first, to, edge } = this.states;
    const skip = SiteFlag.DevelopmentOnly | (rank >= Rank.Once ? 0 : SiteFlag.Once);
    for (let i = 0; i < queue.length; i++) {
      const state = queue[i] as number;
      const root = from[i] as number;
      const group = this.#groupOfRoot(root);
      for (let step = first[state] as number; step < (first[state + 1] as number); step++) {
        const k = edge[step] as number;
        const target = to[step] as number;
        if (((flags[k] as number) & skip) !== 0 || this.#isSkipped(state, k) || this.#isOutside(group, target)) continue;
        const left = (this.#missing[target] as number) | (missing[k] as number);
        const isNew = (this.#edgeTo[target] as number) === -2;
        if (isNew) this.#take(state, k, target, rank, root);
        // Callers that leave out more arguments make more of its code run.
        if (isNew || this.#takeOther(target, state, k, root) || left !== this.#missing[target]) {
          queue.push(target);
          from.push(root);
        }
        this.#missing[target] = left;
      }
    }
  }

  #take(from: number, edge: number, target: number, rank: number, root: number): void {
    this.#edgeTo[target] = edge;
    this.#from[target] = from;
    this.#rootOf[target] = root;
    this.#rank[target] = rank;
    const fn = this.states.fn[target] as number;
    if ((this.#best[fn] as number) < 0) this.#best[fn] = target;
  }

  #reachOnce(): void {
    const { flags, missing } = this.edges;
    const { count, first, to, edge } = this.states;
    const queue: number[] = [];
    const from: number[] = [];
    for (let state = 0; state < count; state++) {
      if ((this.#edgeTo[state] as number) === -2 || (this.#rank[state] as number) >= Rank.Timer) continue;
      const root = this.#rootOf[state] as number;
      for (let step = first[state] as number; step < (first[state + 1] as number); step++) {
        const k = edge[step] as number;
        const target = to[step] as number;
        if (
          this.#isSkipped(state, k) ||
          ((flags[k] as number) & SiteFlag.Once) === 0 ||
          ((flags[k] as number) & SiteFlag.DevelopmentOnly) !== 0 ||
          (this.#edgeTo[target] as number) !== -2 ||
          this.#isOutside(this.#groupOfRoot(root), target)
        )
          continue;
        this.#take(state, k, target, this.#rank[state] === Rank.Signature ? Rank.OnceSignature : Rank.Once, root);
        this.#missing[target] = (this.#missing[target] as number) | (missing[k] as number);
        queue.push(target);
        from.push(root);
      }
    }
    this.#walk(queue, from, Rank.Once);
  }

  /**
   * What opens a port or starts an app of Electron while the program starts, or calls a function that does. By function; a callback belongs
   * to the functions around it.
   */
  #starting(): Uint8Array {
    const { functions } = this.#linked.solver;
    const { first, to, via } = this.edges;
    const count = this.#linked.numbering.fnCount;
    const found = new Uint8Array(count);
    const open = (from: number, mark: number): void => {
      for (let fn = from; fn >= 0; fn = functions.outerOf(fn)) found[fn] = (found[fn] as number) | mark;
    };
    let any = false;
    for (let fn = 0; fn < count; fn++)
      if ((functions.flagsOf(fn) & (FunctionFlag.Listens | FunctionFlag.Starts)) !== 0) {
        open(fn, OPENS);
        any = true;
      }
    if (!any) return found;
    for (let fn = 0; fn < count; fn++)
      for (let k = first[fn] as number; k < (first[fn + 1] as number); k++)
        if (via[k] === EdgeKind.Call && ((found[to[k] as number] as number) & OPENS) !== 0) open(fn, CALLS_OPENING);
    return found.map((marks, fn) => (marks !== 0 && this.#atStartup[fn] === 1 ? 1 : 0));
  }

  #startsOfServer(): readonly number[] {
    const { loading, startup } = this.edges;
    const { files } = this.#linked.numbering;
    const workers = files.flatMap(({ summary, site, room }) => (summary.role === 'worker' ? [[site, site + room.site] as const] : []));
    if (workers.length === 0) return startup;
    const found = new Set<number>();
    for (let i = 0; i < loading.length; i += LOADING_STRIDE) {
      const site = loading[i + LoadingField.Site] as number;
      if (!workers.some(([from, to]) => from <= site && site < to)) found.add(loading[i + LoadingField.Function] as number);
    }
    return [...found];
  }

  /** Sites that fill a cache which a request empties: the next one fills it again. */
  #refilled(): ReadonlySet<number> {
    const found = new Set<number>();
    for (const { summary, site, fn: base } of this.#linked.numbering.files)
      for (let i = 0; summary.emptied && i < summary.emptied.length; i += 2) {
        const emptier = summary.emptied[i + 1] as number;
        const best = emptier < 0 ? -1 : (this.#best[emptier + base] as number);
        if (best >= 0 && !this.isStateOnce(best)) found.add((summary.emptied[i] as number) + site);
      }
    return found;
  }

  /** What the modules' top levels run, without handlers. By function. */
  #startup(startup: readonly number[], skipped: number, refilled?: ReadonlySet<number>): Uint8Array {
    const { flags, site: sites } = this.edges;
    const { count, fn, first, to, edge } = this.states;
    const found = new Uint8Array(this.#linked.numbering.fnCount);
    const seen = new Uint8Array(count);
    // What a timer runs again, the program may also run itself while it starts.
    const roots = new Set(this.roots.filter(({ root }) => !isBackground(root.kind)).map(({ fn: own }) => own));
    const queue: number[] = [];
    const take = (state: number): void => {
      const own = fn[state] as number;
      if (seen[state] === 1 || roots.has(own)) return;
      seen[state] = 1;
      found[own] = 1;
      queue.push(state);
    };
    for (const one of startup) take(one);
    for (let i = 0; i < queue.length; i++) {
      const state = queue[i] as number;
      for (let step = first[state] as number; step < (first[state + 1] as number); step++)
        if (((flags[edge[step] as number] as number) & skipped) === 0 && !refilled?.has(sites[edge[step] as number] as number))
          take(to[step] as number);
    }
    return found;
  }

  #reversed(): Reverse {
    const { count, first: forward, to, edge: edgeOf } = this.states;
    const first = new Int32Array(count + 1);
    for (const target of to) first[target + 1] = (first[target + 1] as number) + 1;
    for (let i = 0; i < count; i++) first[i + 1] = (first[i + 1] as number) + (first[i] as number);
    const at = first.slice();
    const from = new Int32Array(to.length);
    const edge = new Int32Array(to.length);
    for (let state = 0; state < count; state++) {
      for (let step = forward[state] as number; step < (forward[state + 1] as number); step++) {
        const target = to[step] as number;
        from[at[target] as number] = state;
        edge[at[target] as number] = edgeOf[step] as number;
        at[target] = (at[target] as number) + 1;
      }
    }
    return { first, from, edge };
  }
}

/**
 * What Nest runs before it listens: constructors and hooks of classes that have one instance. What has one for each request passes that on to
 * whatever it is injected into, so where there is such a class, nothing is said. What the project makes itself has other instances, whose
 * caches are empty.
 */
function providersAtStartup({ numbering }: LinkedProject): number[] {
  const found = numbering.files.filter(({ summary }) => summary.providers);
  if (found.some(({ summary }) => summary.providers?.hasPerRequest)) return [];
  const named = new Set(found.flatMap(({ summary }) => summary.providers?.named ?? []));
  for (const { summary } of found) for (const name of summary.providers?.made ?? []) named.delete(name);
  return found.flatMap(({ summary, fn: base }) =>
    (summary.providers?.starting ?? []).flatMap(([name, fn]) => (fn >= 0 && (name === '' || named.has(name)) ? [fn + base] : [])),
  );
}

/** Entry points with a route first, then middleware. */
function order({ root }: RootUse): number {
  return root.route === undefined ? (root.kind === 'middleware' ? 1 : 2) : 0;
}
