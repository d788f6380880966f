// Finds the call edges. Without a mark it reads all solved calls; after a mark, only those whose edges may have changed.
import type { FileBase } from '../points-to/numbering.ts';
import { CallReader, EdgeList, Ran, type Edges } from './call-edges.ts';
import { findInlineFunctions, findMovedEdges, movedOtherwise, type InlineFunctions, type MovedEdges } from './literal-arguments.ts';
import type { SolvedProject } from '../points-to/solved-project.ts';
import { ObjectKind } from '../summary/format.ts';
import type { CallRecord } from '../points-to/tasks.ts';

/** What was read at the mark, without the loose files. */
interface Marked {
  edges: EdgeList;
  /** As `CallReader.findRan` returns them. */
  run: readonly number[];
  callbacks: readonly number[];
  /** As `CallReader.findRunProperty` returns them. */
  runProperties: readonly number[];
  inline: InlineFunctions;
  moved: MovedEdges;
  ran: RanParameters;
  escaping: ReadonlySet<number>;
  /** Calls inside wrappers. */
  inWrappers: readonly number[];
  /** Calls with functions in literals among their arguments. */
  withCallbacks: readonly number[];
  isCalled: Uint8Array;
  isReturned: Uint8Array;
  /** Functions that contain functions, by the node of their result. */
  outer: ReadonlyMap<number, number>;
  calls: NodeCalls;
}

/** Parameters that are run, as a list and as `Ran` by node. */
interface RanParameters {
  list: readonly number[];
  is: Uint8Array;
}

/** Linked lists by node, in one array: the calls whose edges depend on the node's points-to set. 0 ends a list. */
interface NodeCalls {
  last: Int32Array;
  entries: Int32Array;
}

export class EdgeFinder {
  readonly #linked: SolvedProject;
  readonly #loose: readonly FileBase[];
  #marked: Marked | undefined;

  constructor(linked: SolvedProject, loose: readonly FileBase[]) {
    this.#linked = linked;
    this.#loose = loose;
  }

  /** To be called when all but the loose files are linked and solved. */
  mark(): void {
    const {
      solver,
      numbering,
      callers: { first },
    } = this.#linked;
    const reader = new CallReader(this.#linked);
    const read = this.#readAll(reader);
    const isCalled = new Uint8Array(numbering.fnCount);
    const isReturned = new Uint8Array(numbering.fnCount);
    const outer = new Map<number, number>();
    for (let fn = 0; fn < numbering.fnCount; fn++) {
      if ((first[fn + 1] as number) > (first[fn] as number)) isCalled[fn] = 1;
      const around = solver.functions.outerOf(fn);
      if (around < 0) continue;
      const result = solver.functions.resultOf(around);
      outer.set(result, around);
      if (solver.objectsIn(result).includes(solver.functionObjects[fn] as number)) isReturned[fn] = 1;
    }
    this.#marked = {
      edges: reader.edges,
      ...read,
      moved: reader.moved,
      escaping: reader.escaping,
      isCalled,
      isReturned,
      outer,
      calls: this.#callsByNode(),
    };
  }

  find(): Edges {
    const reader = new CallReader(this.#linked);
    const marked = this.#marked;
    if (!marked) {
      this.#readAll(reader);
      return this.#grouped(reader.edges, new EdgeList(), undefined);
    }
    const others = this.#readOthers(reader, marked);
    return this.#grouped(marked.edges, reader.edges, others);
  }

  #readAll(reader: CallReader): Pick<Marked, 'ran' | 'run' | 'callbacks' | 'runProperties' | 'inline' | 'inWrappers' | 'withCallbacks'> {
    const { calls } = this.#linked.solver;
    const run: number[] = [];
    const callbacks: number[] = [];
    const runProperties: number[] = [];
    const inWrappers: number[] = [];
    const withCallbacks: number[] = [];
    for (let call = 0; call < calls.length; call++) if ((calls[call] as CallRecord).passed.length > 0) withCallbacks.push(call);
    const inline = findInlineFunctions(this.#linked, withCallbacks);
    const isInline = (fn: number): boolean => inline.has(fn);
    for (let call = 0; call < calls.length; call++) {
      if (reader.isInWrapper(call)) inWrappers.push(call);
      reader.findRan(call, run, callbacks);
      reader.findRunProperty(call, isInline, runProperties);
    }
    for (const call of inWrappers) reader.findEscaping(call);
    const ran = propagateRun(reader, run, callbacks);
    reader.moved = findMovedEdges(this.#linked, inline, runProperties, callbacks);
    for (let call = 0; call < calls.length; call++) reader.read(call);
    return { ran, run, callbacks, runProperties, inline, inWrappers, withCallbacks };
  }

  /** Reads the calls whose edges may have changed since the mark, in the order of their numbers. Returns flags for those calls. */
  #readOthers(reader: CallReader, marked: Marked): Uint8Array {
    const { solver, numbering, callers, owners } = this.#linked;
    const isOther = new Uint8Array(solver.calls.length);
    const others: number[] = [];
    const see = (call: number): void => {
      if (isOther[call] === 1) return;
      isOther[call] = 1;
      others.push(call);
    };
    const seeFile = ({ call, room }: FileBase): void => {
      for (let at = call; at < call + room.call; at++) see(at);
    };
    const seeNode = (node: number): void => {
      const { last, entries } = marked.calls;
      for (let at = last[node] as number; at !== 0; at = entries[at + 1] as number) see(entries[at] as number);
    };
    /** How a function relates to the one around it affects calls in both, so the whole file is read. */
    const seeFileOf = (object: number): void => seeFile(numbering.files[solver.objectFile[object] as number] as FileBase);
    for (const file of this.#loose) seeFile(file);
    const isNewlyCalled = new Uint8Array(numbering.fnCount);
    for (let i = solver.boundAtMark; i < solver.bound.length; i += 2) {
      see(solver.bound[i] as number);
      if (marked.isCalled[solver.bound[i + 1] as number] === 0) isNewlyCalled[solver.bound[i + 1] as number] = 1;
    }
    for (const call of solver.left) see(call);
    const isSeen = new Uint8Array(numbering.nodeCount);
    for (const node of solver.added) {
      // Nodes created while solving are not arguments, so they have no calls.
      if (isSeen[node] !== 0) continue;
      isSeen[node] = 1;
      seeNode(node);
      const around = marked.outer.get(node);
      if (around === undefined) continue;
      for (const object of solver.objectsIn(node)) {
        const fn = solver.objectFn[object] as number;
        if (solver.kinds[object] === ObjectKind.Function && solver.functions.outerOf(fn) === around && marked.isReturned[fn] === 0)
          seeFileOf(object);
      }
    }
    for (const call of marked.inWrappers) reader.findEscaping(call);
    for (const { call, room } of this.#loose)
      for (let at = call; at < call + room.call; at++) if (reader.isInWrapper(at)) reader.findEscaping(at);
    for (const fn of reader.escaping) if (!marked.escaping.has(fn)) seeFileOf(solver.functionObjects[fn] as number);
    const isOfNewlyCalled = (node: number): boolean =>
      solver
        .objectsIn(node)
        .some((object) => solver.kinds[object] === ObjectKind.Function && isNewlyCalled[solver.objectFn[object] as number] === 1);
    for (const call of marked.withCallbacks) if ((solver.calls[call] as CallRecord).passed.some(isOfNewlyCalled)) see(call);
    const ran = this.#ranNow(reader, marked, isOther, others);
    for (const node of [...marked.ran.list, ...ran.list]) {
      if (marked.ran.is[node] === ran.is[node]) continue;
      seeNode(node);
      const owner = owners[node] as number;
      for (let k = callers.first[owner] as number; k < (callers.first[owner + 1] as number); k++) see(callers.calls[k] as number);
    }
    for (const call of movedOtherwise(marked.moved, reader.moved)) see(call);
    others.sort((a, b) => a - b);
    for (const call of others) reader.read(call);
    return isOther;
  }

  #ranNow(reader: CallReader, marked: Marked, isOther: Uint8Array, others: readonly number[]): RanParameters {
    const run: number[] = [];
    const callbacks: number[] = [];
    for (let i = 0; i < marked.run.length; i += 2)
      if (isOther[marked.run[i] as number] === 0) run.push(marked.run[i] as number, marked.run[i + 1] as number);
    for (let i = 0; i < marked.callbacks.length; i += 3)
      if (isOther[marked.callbacks[i] as number] === 0)
        callbacks.push(marked.callbacks[i] as number, marked.callbacks[i + 1] as number, marked.callbacks[i + 2] as number);
    const inline = new Map([...marked.inline, ...findInlineFunctions(this.#linked, this.#looseCalls())]);
    const isInline = (fn: number): boolean => inline.has(fn);
    const runProperties: number[] = [];
    for (let i = 0; i < marked.runProperties.length; i += 2)
      if (isOther[marked.runProperties[i] as number] === 0)
        runProperties.push(marked.runProperties[i] as number, marked.runProperties[i + 1] as number);
    for (const call of others) {
      reader.findRan(call, run, callbacks);
      reader.findRunProperty(call, isInline, runProperties);
    }
    reader.moved = findMovedEdges(this.#linked, inline, runProperties, callbacks);
    return propagateRun(reader, run, callbacks);
  }

  *#looseCalls(): Generator<number> {
    for (const { call, room } of this.#loose) for (let at = call; at < call + room.call; at++) yield at;
  }

  /** For arguments, for parameters that are called, and for callees that may be a package's blocking function. */
  #callsByNode(): NodeCalls {
    const {
      solver: { calls },
      numbering,
      owners,
      tables,
    } = this.#linked;
    const last = new Int32Array(numbering.nodeCount);
    const entries: number[] = [0, 0];
    const put = (node: number, call: number): void => {
      if (node === 0) return;
      entries.push(call, last[node] as number);
      last[node] = entries.length - 2;
    };
    for (let call = 0; call < calls.length; call++) {
      const { callee, args, passed, blocks } = calls[call] as CallRecord;
      if (blocks !== undefined || (owners[callee] as number) >= 0) put(callee, call);
      put(tables.defaults.get(callee) ?? 0, call);
      for (const arg of args) put(Math.abs(arg), call);
      for (const node of passed) put(node, call);
    }
    return { last, entries: Int32Array.from(entries) };
  }

  /** Merges both lists, without the calls in `others` from the first. A counting sort by caller takes linear time and keeps the order. */
  #grouped(list: EdgeList, more: EdgeList, others: Uint8Array | undefined): Edges {
    const { fnCount } = this.#linked.numbering;
    const first = new Int32Array(fnCount + 1);
    const startup = new Set<number>();
    const loading: number[] = [];
    const isLeft = (i: number): boolean => others !== undefined && others[list.call[i] as number] === 1;
    const count = (edges: EdgeList, i: number): void => {
      const from = edges.from[i] as number;
      const to = edges.to[i] as number;
      if (from < 0) {
        startup.add(to);
        loading.push(to, edges.site[i] as number, edges.via[i] as number);
      } else first[from + 1] = (first[from + 1] as number) + 1;
    };
    for (let i = 0; i < list.call.length; i++) if (!isLeft(i)) count(list, i);
    for (let i = 0; i < more.call.length; i++) count(more, i);
    for (let i = 0; i < fnCount; i++) first[i + 1] = (first[i + 1] as number) + (first[i] as number);
    const total = first[fnCount] as number;
    const at = first.slice();
    const sorted: Edges = {
      first,
      to: new Int32Array(total),
      call: new Int32Array(total),
      site: new Int32Array(total),
      via: new Uint8Array(total),
      flags: new Int32Array(total),
      missing: new Uint8Array(total),
      startup: [...startup],
      loading,
    };
    const place = (edges: EdgeList, i: number): void => {
      const from = edges.from[i] as number;
      if (from < 0) return;
      const to = at[from] as number;
      at[from] = to + 1;
      sorted.to[to] = edges.to[i] as number;
      sorted.call[to] = edges.call[i] as number;
      sorted.site[to] = edges.site[i] as number;
      sorted.via[to] = edges.via[i] as number;
      sorted.flags[to] = edges.flags[i] as number;
      sorted.missing[to] = edges.missing[i] as number;
    };
    let next = 0;
    for (let i = 0; i < list.call.length; i++) {
      if (isLeft(i)) continue;
      for (; next < more.call.length && (more.call[next] as number) < (list.call[i] as number); next++) place(more, next);
      place(list, i);
    }
    for (; next < more.call.length; next++) place(more, next);
    return sorted;
  }
}

/** Up to a fixed point: a parameter is run if it is passed on as a parameter that is run. First what is run each time. */
function propagateRun(reader: CallReader, run: readonly number[], callbacks: readonly number[]): RanParameters {
  const is = reader.ran;
  const list: number[] = [];
  let how: number = Ran.Always;
  const add = (node: number, call: number): void => {
    if (is[node] !== Ran.Never || (how === Ran.Always && reader.isOnce(call))) return;
    is[node] = how;
    list.push(node);
  };
  /** By parameter: its last entry in `callbacks`, counted from 1. By entry: the previous one of that parameter. */
  const last = new Int32Array(is.length);
  const before = new Int32Array(callbacks.length / 3 + 1);
  for (let i = 0, entry = 1; i < callbacks.length; i += 3, entry++) {
    before[entry] = last[callbacks[i + 2] as number] as number;
    last[callbacks[i + 2] as number] = entry;
  }
  for (how of [Ran.Always, Ran.Once]) {
    for (let i = 1; i < run.length; i += 2) add(run[i] as number, run[i - 1] as number);
    for (const parameter of list)
      for (let entry = last[parameter] as number; entry !== 0; entry = before[entry] as number)
        add(callbacks[entry * 3 - 2] as number, callbacks[entry * 3 - 3] as number);
  }
  return { list, is };
}
