// The call edges of one solved call. If a function runs its own parameter, the edge starts at those who pass the argument. Otherwise
// `transaction(work)` would lead from each of its callers to the work of all of them.
import { findBlockingCall } from '../../../knowledge/blocking-calls.ts';
import type { Callers } from '../points-to/callers.ts';
import { WholeKind } from '../points-to/numbering.ts';
import type { SolvedProject } from '../points-to/solved-project.ts';
import type { Solver } from '../points-to/solver.ts';
import { LEFT_OUT_MASK, ObjectKind, SiteFlag } from '../summary/format.ts';
import { isOffByDefault } from '../summary/log-flow.ts';
import type { CallRecord } from '../points-to/tasks.ts';
import { innerOf, isReturned } from '../points-to/wrappers.ts';
import { NOTHING_MOVED, type MovedEdges } from './literal-arguments.ts';

/** What kind of call an edge is. */
export const EdgeKind = { Call: 0, Construct: 1, /** The function is passed to someone who calls it. */ Callback: 2 } as const;

/** Fields of a record in `Edges.loading`. The site tells the module. */
export const LoadingField = { Function: 0, Site: 1, Kind: 2 } as const;
export const LOADING_STRIDE = 3;

export interface Edges {
  /** Edges of function f: from `first[f]` to `first[f + 1]`. */
  first: Int32Array;
  to: Int32Array;
  /** Numbers of calls as operations: several may stand for one site. */
  call: Int32Array;
  site: Int32Array;
  /** `EdgeKind`s. */
  via: Uint8Array;
  flags: Int32Array;
  /** One bit for each of the first arguments that is left out. */
  missing: Uint8Array;
  /** Functions that modules run while loading. */
  startup: readonly number[];
  /** `LoadingField`s: the same calls, one by one. */
  loading: readonly number[];
}

/** How a function runs its parameter: `load(read)` may keep what `read` returned the first time. */
export const Ran = { Never: 0, Always: 1, Once: 2 } as const;

/** A value of a package's call that may be more functions than this is data. A callback is one function, or one of a few. */
const MOST_CALLBACKS = 8;

/** Edges in the order of their calls. */
export class EdgeList {
  readonly call: number[] = [];
  /** -1 for code that a module runs while loading. */
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly site: number[] = [];
  readonly via: number[] = [];
  readonly flags: number[] = [];
  readonly missing: number[] = [];
}

/** Reads single calls in their currently solved state. */
export class CallReader {
  readonly edges = new EdgeList();
  /**
   * By parameter, a `Ran`: whether its function calls it or passes it to something that calls it. Must be complete before edges are read.
   */
  readonly ran: Uint8Array;
  /**
   * Inner functions that escape from their wrapper, because the wrapper also passes them to a call. Must be complete before edges are read.
   */
  readonly escaping = new Set<number>();
  /** Must be complete before edges are read. */
  moved: MovedEdges = NOTHING_MOVED;
  readonly #solver: Solver;
  readonly #names: readonly string[];
  readonly #siteFn: Int32Array;
  readonly #siteFlags: Int32Array;
  /** By node: the function whose parameter it is, or -1. */
  readonly #parameterOf: Int32Array;
  readonly #callers: Callers;
  /** By parameter: the node of its default. */
  readonly #defaults: ReadonlyMap<number, number>;
  /** For each node: the parameter whose property it is. */
  readonly #properties: Int32Array;
  /** By function: whether it may be a wrapper. */
  readonly #wraps: Uint8Array;
  /** By function: 1 if it is written inline where a handler is registered. */
  readonly #isHandler: Uint8Array;
  #call = -1;

  constructor({ numbering, solver, owners, sites, callers, tables }: SolvedProject) {
    this.#solver = solver;
    this.#parameterOf = owners;
    this.#names = numbering.names;
    this.ran = new Uint8Array(numbering.nodeCount);
    this.#siteFn = sites.fn;
    this.#siteFlags = sites.flags;
    this.#isHandler = sites.isHandler;
    this.#callers = callers;
    this.#defaults = tables.defaults;
    this.#properties = tables.loads.parameter;
    this.#wraps = new Uint8Array(numbering.fnCount);
    for (const fn of solver.wrappers.keys()) this.#wraps[fn] = 1;
  }

  /** Appends the edges of a call. */
  read(index: number): void {
    const call = this.#solver.calls[index] as CallRecord;
    this.#call = index;
    if ((call.flags & SiteFlag.FlowOnly) === 0) this.#ofCall(call);
    else this.#ofItems(call);
  }

  /**
   * Appends the parameters that a call runs: pairs of call and parameter to `run`. To `callbacks` go triples: the call, the parameter, and
   * the callee's parameter that it is passed as.
   */
  findRan(index: number, run: number[], callbacks: number[]): void {
    const { callee, site, flags, args, targets, isExternal } = this.#solver.calls[index] as CallRecord;
    const fn = this.#siteFn[site] ?? -1;
    if (fn < 0 || (flags & SiteFlag.FlowOnly) !== 0) return;
    if (this.#isOwn(callee, fn)) run.push(index, callee);
    const isUnknown = (isExternal || targets.length === 0) && (flags & SiteFlag.IfOwn) === 0;
    for (let i = 0; i < args.length; i++) {
      const arg = args[i] as number;
      const node = Math.abs(arg);
      if (node === 0 || !this.#isOwn(node, fn)) continue;
      if (isUnknown && !(i === 0 && this.#has(SiteFlag.Sends, site, flags)) && !this.#has(SiteFlag.Writes, site, flags))
        run.push(index, node);
      for (const target of targets) {
        const first = this.#solver.functions.firstParameterOf(target);
        for (let at = i, end = this.#endOf(target, i, arg); at < end; at++) callbacks.push(index, node, first + at);
      }
    }
  }

  /** Appends the call and the parameter to `run` if the call runs a property of its function's parameter: `options.run()`. */
  findRunProperty(index: number, isInline: (fn: number) => boolean, run: number[]): void {
    const { callee, site, flags } = this.#solver.calls[index] as CallRecord;
    const parameter = this.#properties[callee] as number;
    const fn = this.#siteFn[site] ?? -1;
    if (parameter === 0 || fn < 0 || (flags & SiteFlag.FlowOnly) !== 0 || !this.#isOwn(parameter, fn)) return;
    const owner = this.#parameterOf[parameter] as number;
    // A method of a returned object runs when somebody calls it.
    for (let at = fn; at !== owner; at = this.#solver.functions.outerOf(at)) if (!isInline(at)) return;
    run.push(index, parameter);
  }

  /** Where the parameters end that an argument may be, from its own place on: a spread list may be any of those that follow. */
  #endOf(target: number, index: number, arg: number): number {
    const count = this.#solver.functions.parameterCountOf(target);
    return arg < 0 ? count : Math.min(index + 1, count);
  }

  /** The most that one of the callees runs an argument. */
  #runsOf(targets: readonly number[], index: number, arg: number): number {
    let found: number = Ran.Never;
    for (const target of targets) {
      const first = this.#solver.functions.firstParameterOf(target);
      for (let at = index, end = this.#endOf(target, index, arg); at < end; at++) {
        if (this.ran[first + at] === Ran.Always) return Ran.Always;
        if (this.ran[first + at] === Ran.Once) found = Ran.Once;
      }
    }
    return found;
  }

  /** Whether a call runs for the first request only. */
  isOnce(index: number): boolean {
    const { site, flags } = this.#solver.calls[index] as CallRecord;
    return this.#has(SiteFlag.Once, site, flags);
  }

  /** Whether a call is inside a wrapper. */
  isInWrapper(index: number): boolean {
    const fn = this.#siteFn[(this.#solver.calls[index] as CallRecord).site] ?? -1;
    return fn >= 0 && this.#wraps[fn] === 1;
  }

  /** Finds inner functions that a call passes out of their wrapper. */
  findEscaping(index: number): void {
    const { site, args } = this.#solver.calls[index] as CallRecord;
    const { wrappers, objectFn } = this.#solver;
    const inner = wrappers.get(this.#siteFn[site] as number);
    if (inner)
      for (const arg of args)
        for (const object of this.#solver.objectsIn(Math.abs(arg)))
          if (inner.some((one) => one.inner === objectFn[object] && this.#solver.kinds[object] === ObjectKind.Function))
            this.escaping.add(objectFn[object] as number);
  }

  /** Whether a node is a parameter of the function, or of a function around it that runs it immediately. */
  #isOwn(node: number, fn: number): boolean {
    const owner = this.#parameterOf[node];
    if (owner === undefined || owner < 0) return false;
    for (let at = fn; at >= 0; at = this.#solver.functions.outerOf(at)) {
      if (at === owner) return true;
      // A returned function runs when its caller calls it, and a handler when a request comes.
      if (this.#isReturned(at) || this.#isHandler[at] === 1) return false;
    }
    return false;
  }

  /**
   * Whether a call is in a handler inside the function whose parameter it calls. That function has returned by the time the handler runs.
   */
  #isInHandler(node: number, fn: number): boolean {
    const owner = this.#parameterOf[node] ?? -1;
    for (let at = fn; at >= 0 && at !== owner; at = this.#solver.functions.outerOf(at)) if (this.#isHandler[at] === 1) return owner >= 0;
    return false;
  }

  #isReturned(fn: number): boolean {
    return isReturned(this.#solver, this.#solver.functionObjects[fn] as number, fn);
  }

  /** Whether a wrapper's inner function runs this argument. The solver has already sent it to the result of the wrapper's call. */
  #isUnwrapped(node: number, fn: number): boolean {
    const owner = this.#parameterOf[node] ?? -1;
    if (owner < 0 || owner === fn || fn < 0 || this.#wraps[owner] !== 1) return false;
    const first = this.#solver.functions.firstParameterOf(owner);
    return (
      this.#solver.wrappers
        .get(owner)
        ?.some(
          ({ index, inner }) =>
            first + index === node &&
            innerOf(this.#solver.functions, fn, owner) === inner &&
            !this.escaping.has(inner) &&
            this.#isReturned(inner),
        ) === true
    );
  }

  #isCalled(fn: number): boolean {
    return (this.#callers.first[fn + 1] as number) > (this.#callers.first[fn] as number);
  }

  #isUnknown(call: CallRecord): boolean {
    return (call.isExternal || call.targets.length === 0) && (call.flags & SiteFlag.IfOwn) === 0;
  }

  #ofCall(call: CallRecord): void {
    const caller = this.#siteFn[call.site] as number;
    const flag = (this.#siteFlags[call.site] as number) | call.flags;
    const how =
      (call.flags & SiteFlag.Callback) !== 0
        ? EdgeKind.Callback
        : (call.flags & (SiteFlag.New | SiteFlag.Super)) !== 0
          ? EdgeKind.Construct
          : EdgeKind.Call;
    if (
      call.targets.length > 0 &&
      !(this.ran[call.callee] !== Ran.Never && !this.#isInHandler(call.callee, caller)) &&
      !this.#isUnwrapped(call.callee, caller)
    )
      for (const target of inOrder(call.targets)) {
        if (!this.moved.left.get(this.#call)?.has(target)) this.#add(caller, target, call.site, how, flag, missingIn(call));
      }
    else if (call.targets.length > 0) this.#ofDefault(call, caller, flag);
    if (call.blocks !== undefined && this.#runsAsNamed(this.#solver.objectsIn(call.callee)))
      this.#add(caller, call.blocks, call.site, EdgeKind.Call, flag);
    if ((flag & SiteFlag.Detached) !== 0) {
      if (caller < 0) for (const arg of call.args) this.#addCallbacks(caller, Math.abs(arg), call.site, flag, true);
      return;
    }
    const isUnknown = this.#isUnknown(call);
    const most = (flag & SiteFlag.Writes) === 0 ? MOST_CALLBACKS : 1;
    for (let i = 0; i < call.args.length; i++) {
      const arg = call.args[i] as number;
      const node = Math.abs(arg);
      if (node === 0 || this.ran[node] !== Ran.Never || this.#isUnwrapped(node, caller)) continue;
      if (isUnknown && !(i === 0 && (flag & SiteFlag.Sends) !== 0) && !this.#isAnything(node, most))
        this.#addCallbacks(caller, node, call.site, flag, true);
      else {
        const runs = this.#runsOf(call.targets, i, arg);
        if (runs !== Ran.Never) this.#addCallbacks(caller, node, call.site, runs === Ran.Once ? flag | SiteFlag.Once : flag, true);
      }
    }
    // Functions in literals. A function of the project shows what it does with them. If the callee is unknown and nothing else calls them,
    // it is assumed to call them.
    for (const node of call.passed) this.#addCallbacks(caller, node, call.site, flag, isUnknown);
    for (const fn of inOrder([...(this.moved.added.get(this.#call) ?? [])])) this.#add(caller, fn, call.site, EdgeKind.Callback, flag);
  }

  #has(flag: number, site: number, flags: number): boolean {
    return (((this.#siteFlags[site] as number) | flags) & flag) !== 0;
  }

  /** Whether a value may be any of many functions, such as the content of a message that a channel sends: no callback of this call. */
  #isAnything(node: number, most: number): boolean {
    let functions = 0;
    for (const object of this.#solver.objectsIn(node)) if (this.#solver.kinds[object] === ObjectKind.Function) functions += 1;
    return functions > most;
  }

  /** `function read(parse = parseText) { parse() }`: no caller passes the default, so the function itself runs it. */
  #ofDefault({ callee, site }: CallRecord, caller: number, flag: number): void {
    const value = this.#defaults.get(callee);
    if (value !== undefined) this.#addCallbacks(caller, value, site, flag, true);
  }

  /** `list.forEach((run) => run())`: the function with the loop runs the items. */
  #ofItems({ site, args, targets }: CallRecord): void {
    args.forEach((arg, i) => {
      const node = Math.abs(arg);
      if (node !== 0 && this.ran[node] === Ran.Never && targets.some((target) => this.ran[this.#solver.functions.parameterOf(target, i)]))
        this.#addCallbacks(this.#siteFn[site] as number, node, site, this.#siteFlags[site] as number, true);
    });
  }

  /** Whether a call is what its name says: a blocking function of a package, or, whatever the callee may be, a line that no log gets. */
  #runsAsNamed(callees: readonly number[]): boolean {
    if (callees.some((object) => this.#isBlocking(object))) return true;
    // A logger that is called itself is also the result of the call that made it.
    const others = callees.filter((object) => this.#solver.kinds[object] !== WholeKind.Result);
    return others.length > 0 && others.every((object) => isOffByDefault(this.#names[this.#solver.objectName[object] as number] ?? ''));
  }

  /** `fs-extra.readFileSync`, wherever it was imported. */
  #isBlocking(object: number): boolean {
    if (this.#solver.kinds[object] !== WholeKind.External) return false;
    const name = this.#names[this.#solver.objectName[object] as number] ?? '';
    const at = name.lastIndexOf('.');
    return at > 0 && findBlockingCall(name.slice(0, at), [name.slice(at + 1)]) !== undefined;
  }

  #addCallbacks(caller: number, node: number, site: number, flag: number, always: boolean): void {
    for (const object of inOrder(this.#solver.objectsIn(node))) {
      if (this.#solver.kinds[object] !== ObjectKind.Function) continue;
      const target = this.#solver.objectFn[object] as number;
      if (always || !this.#isCalled(target)) this.#add(caller, target, site, EdgeKind.Callback, flag);
    }
  }

  #add(caller: number, target: number, site: number, via: number, flag: number, missing = LEFT_OUT_MASK): void {
    const { edges } = this;
    edges.call.push(this.#call);
    edges.from.push(caller);
    edges.to.push(target);
    edges.site.push(site);
    edges.via.push(via);
    edges.flags.push(flag);
    edges.missing.push(missing);
  }
}

/** The length of a spread argument is unknown. */
function missingIn({ args, flags }: CallRecord): number {
  return (flags & SiteFlag.Callback) !== 0 || args.some((arg) => arg < 0) ? LEFT_OUT_MASK : LEFT_OUT_MASK & ~((1 << args.length) - 1);
}

/** In the order of files and positions, so that the result does not depend on the order of solving. */
function inOrder(numbers: readonly number[]): readonly number[] {
  for (let i = 1; i < numbers.length; i++)
    if ((numbers[i - 1] as number) > (numbers[i] as number)) return [...numbers].sort((a, b) => a - b);
  return numbers;
}
