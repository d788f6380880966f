// Call edges by receiver. A method of a base class runs with instances of many subclasses as `this`. `this.listen()` in it runs only the
// `listen` of the instance that it was called on. A function that depends on `this` in that way has a state for each such object, and one
// for an unknown `this`.
import type { Loads } from '../points-to/methods-by-name.ts';
import type { SolvedProject } from '../points-to/solved-project.ts';
import type { Solver } from '../points-to/solver.ts';
import type { CallRecord } from '../points-to/tasks.ts';
import { FunctionFlag, ObjectKind, SiteFlag } from '../summary/format.ts';
import { EdgeKind, type Edges } from './call-edges.ts';

/** With more objects as `this`, a function has no states of its own. Our choice: the time grows with the square of the number. */
const MOST_RECEIVERS = 128;

/** With more of them, the class of a method says little. Our choice. */
const MOST_RELATIVES = 16;

/** What an edge says about `this` in the function that it leads to. */
const Way = {
  /** Nothing. */
  Any: 0,
  /** An arrow function inside has the `this` of its surroundings. */
  Lexical: 1,
  /** `super.close()`, `super()`, `close.call(this)`: the same `this`, whatever the function. */
  Own: 2,
  /** `this.close()` */
  OwnMethod: 3,
  /** `service.close()` */
  Method: 4,
  /** `new Service()` */
  New: 5,
} as const;

const UNKNOWN = -1;

/** The call edges between states. Numbers below that of the functions are those of the functions, with an unknown `this`. */
export interface ReceiverStates {
  count: number;
  /** By state: its function. */
  fn: Int32Array;
  /** Steps from state s: from `first[s]` to `first[s + 1]`. */
  first: Int32Array;
  /** By step: the state that it leads to. */
  to: Int32Array;
  /** By step: its call edge. */
  edge: Int32Array;
  /** States of single functions for a known `this`: those of f. */
  known: ReadonlyMap<number, readonly number[]>;
}

interface Receivers {
  /** By function: the objects of which it is the method that the call names. */
  of: ReadonlyMap<number, readonly number[]>;
  /** Whether the receiver may also be something else. */
  isOpen: boolean;
}

export function receiverStates(project: SolvedProject, edges: Edges): ReceiverStates {
  return new StateBuilder(project, edges).build();
}

class StateBuilder {
  readonly #solver: Solver;
  readonly #loads: Loads;
  readonly #edges: Edges;
  readonly #fnCount: number;
  /** By function: the node of `this` in its code; 0 for none. */
  readonly #thisNode: Int32Array;
  /** By edge. */
  readonly #way: Uint8Array;
  /** By function: 1 if it has states. */
  readonly #depends: Uint8Array;
  /** By function with states, and by object. */
  readonly #states = new Map<number, Map<number, number>>();
  readonly #receivers = new Map<number, Receivers>();
  readonly #families = new Map<number, readonly number[] | undefined>();
  readonly #ancestors = new Map<number, ReadonlySet<number>>();

  constructor({ solver, numbering, tables }: SolvedProject, edges: Edges) {
    this.#solver = solver;
    this.#loads = tables.loads;
    this.#edges = edges;
    this.#fnCount = numbering.fnCount;
    this.#thisNode = new Int32Array(this.#fnCount);
    // A function comes after the one around it.
    for (let fn = 0; fn < this.#fnCount; fn++) {
      const isArrow = (solver.functions.flagsOf(fn) & FunctionFlag.Arrow) !== 0;
      const outer = isArrow ? solver.functions.outerOf(fn) : -1;
      this.#thisNode[fn] = isArrow ? (outer < 0 ? 0 : (this.#thisNode[outer] as number)) : solver.functions.thisOf(fn);
    }
    this.#way = new Uint8Array(edges.to.length);
    this.#depends = new Uint8Array(this.#fnCount);
  }

  build(): ReceiverStates {
    this.#findDependent();
    const fns: number[] = [];
    const objects: number[] = [];
    const known = new Map<number, readonly number[]>();
    for (let fn = 0; fn < this.#fnCount; fn++) {
      if (this.#depends[fn] === 0) continue;
      const own = new Map<number, number>();
      for (const object of this.#inOrder(this.#solver.objectsIn(this.#thisNode[fn] as number))) {
        if (!this.#isKnown(object)) continue;
        own.set(object, this.#fnCount + fns.length);
        fns.push(fn);
        objects.push(object);
      }
      this.#states.set(fn, own);
      known.set(fn, [...own.values()]);
    }
    const { first: firstEdge, to: edgeTo } = this.#edges;
    const count = this.#fnCount + fns.length;
    const fn = new Int32Array(count);
    for (let state = 0; state < count; state++) fn[state] = state < this.#fnCount ? state : (fns[state - this.#fnCount] as number);
    if (fns.length === 0)
      return { count, fn, first: firstEdge, to: edgeTo, edge: Int32Array.from({ length: edgeTo.length }, (_, edge) => edge), known };
    const first = new Int32Array(count + 1);
    const to: number[] = [];
    const edge: number[] = [];
    for (let state = 0; state < count; state++) {
      const own = fn[state] as number;
      const object = state < this.#fnCount ? UNKNOWN : (objects[state - this.#fnCount] as number);
      for (let k = firstEdge[own] as number; k < (firstEdge[own + 1] as number); k++) {
        const isChosen = this.#depends[own] === 1 && this.#way[k] === Way.OwnMethod;
        if (object === UNKNOWN && this.#depends[edgeTo[k] as number] === 0 && !isChosen) {
          to.push(edgeTo[k] as number);
          edge.push(k);
          continue;
        }
        for (const next of this.#next(own, object, k)) {
          to.push(next);
          edge.push(k);
        }
      }
      first[state + 1] = to.length;
    }
    return { count, fn, first, to: Int32Array.from(to), edge: Int32Array.from(edge), known };
  }

  /** Functions whose `this` decides what they run, themselves or through what they pass it on to. */
  #findDependent(): void {
    const { first, to, call } = this.#edges;
    const above = new Map<number, number[]>();
    const queue: number[] = [];
    const take = (fn: number): void => {
      if (this.#depends[fn] === 1) return;
      const count = this.#solver.objectsIn(this.#thisNode[fn] as number).length;
      if (count < 2 || count > MOST_RECEIVERS) return;
      this.#depends[fn] = 1;
      queue.push(fn);
    };
    for (let fn = 0; fn < this.#fnCount; fn++) {
      for (let k = first[fn] as number; k < (first[fn + 1] as number); k++) {
        const way = this.#wayOf(fn, k);
        this.#way[k] = way;
        if (way !== Way.Lexical && way !== Way.Own && way !== Way.OwnMethod) continue;
        const target = to[k] as number;
        const callers = above.get(target);
        if (callers) callers.push(fn);
        else above.set(target, [fn]);
        // Edges of one call follow each other.
        if (way === Way.OwnMethod && k > (first[fn] as number) && call[k - 1] === call[k] && this.#way[k - 1] === Way.OwnMethod) take(fn);
      }
    }
    for (const fn of queue) for (const caller of above.get(fn) ?? []) take(caller);
  }

  #wayOf(fn: number, k: number): number {
    const { to, via, call } = this.#edges;
    const record = this.#solver.calls[call[k] as number] as CallRecord;
    const own = this.#thisNode[fn] as number;
    const { self, callee, flags } = record;
    if (via[k] === EdgeKind.Callback || (self === 0 && (flags & SiteFlag.New) === 0))
      return own !== 0 && own === this.#thisNode[to[k] as number] ? Way.Lexical : Way.Any;
    if ((flags & SiteFlag.New) !== 0) return Way.New;
    const isMethod = this.#loads.base[callee] === self && (this.#loads.name[callee] as number) >= 0;
    if (self === own) return isMethod ? Way.OwnMethod : Way.Own;
    return isMethod ? Way.Method : Way.Any;
  }

  /** The states that an edge leads to. */
  #next(fn: number, object: number, k: number): readonly number[] {
    const { to, call } = this.#edges;
    const target = to[k] as number;
    const record = this.#solver.calls[call[k] as number] as CallRecord;
    switch (this.#way[k]) {
      case Way.Lexical:
        return [this.#stateOf(target, object)];
      case Way.Own:
        return object === UNKNOWN ? this.#ofAll(target, record.self) : [this.#stateOf(target, object)];
      case Way.OwnMethod:
        if (object === UNKNOWN) {
          const own = this.#familyOf(fn);
          if (own) return [...new Set(own.flatMap((one) => this.#ofOne(target, one, call[k] as number)))];
        }
        return object !== UNKNOWN && this.#solver.objectsIn(record.self).includes(object)
          ? this.#ofOne(target, object, call[k] as number)
          : this.#ofMethod(target, call[k] as number);
      case Way.Method:
        return this.#ofMethod(target, call[k] as number);
      case Way.New:
        return this.#ofNew(target, record.callee);
      default:
        return [target];
    }
  }

  /**
   * What an unknown `this` may be in a method: instances of the class that has it, or of its subclasses. Undefined if that says nothing.
   * Calls of `provider.load()` give the `load` of each class all providers as `this`.
   */
  #familyOf(fn: number): readonly number[] | undefined {
    let method = fn;
    while ((this.#solver.functions.flagsOf(method) & FunctionFlag.Arrow) !== 0 && this.#solver.functions.outerOf(method) >= 0)
      method = this.#solver.functions.outerOf(method);
    if (this.#families.has(method)) return this.#families.get(method);
    const objects = this.#solver.objectsIn(this.#thisNode[method] as number);
    const value = this.#solver.functionObjects[method] as number;
    const owners = objects.filter((object) => this.#isKnown(object) && this.#hasMethod(object, value));
    const isOwner = new Set(owners);
    const family =
      owners.length === 0 ? objects : objects.filter((one) => [...this.#ancestorsOf(one)].some((ancestor) => isOwner.has(ancestor)));
    const found = family.length > MOST_RELATIVES || family.length === objects.length ? undefined : this.#inOrder(family);
    this.#families.set(method, found);
    return found;
  }

  #hasMethod(object: number, value: number): boolean {
    const fields = this.#solver.fieldsOf(object);
    for (let i = 0; i < fields.length; i += 2) if (this.#solver.objectsIn(fields[i] as number).includes(value)) return true;
    return false;
  }

  #stateOf(fn: number, object: number): number {
    return this.#states.get(fn)?.get(object) ?? fn;
  }

  #statesOf(fn: number, objects: readonly number[]): readonly number[] {
    if (objects.length === 0) return objects;
    return this.#depends[fn] === 0 ? [fn] : [...new Set(this.#inOrder(objects).map((object) => this.#stateOf(fn, object)))];
  }

  #ofAll(target: number, self: number): readonly number[] {
    const objects = this.#solver.objectsIn(self);
    const isOpen = objects.length === 0 || objects.length > MOST_RECEIVERS || !objects.every((object) => this.#isKnown(object));
    return isOpen ? [target] : this.#statesOf(target, objects);
  }

  #ofMethod(target: number, call: number): readonly number[] {
    const { of, isOpen } = this.#receiversOf(call);
    const objects = of.get(target);
    if (objects === undefined || isOpen) return [target];
    const known = this.#narrowed(this.#solver.objectsIn((this.#solver.calls[call] as CallRecord).self));
    return this.#statesOf(
      target,
      objects.filter((object) => known.includes(object)),
    );
  }

  /** None if `this` has another method of that name. */
  #ofOne(target: number, object: number, call: number): readonly number[] {
    const objects = this.#receiversOf(call).of.get(target);
    // A method that was found by its name alone.
    if (objects === undefined) return [target];
    if (objects.includes(object)) return [this.#stateOf(target, object)];
    // What is declared as a class may be an instance of a subclass.
    const below = objects.filter((one) => this.#ancestorsOf(one).has(object));
    return below.length === 0 ? below : this.#statesOf(target, below);
  }

  #ofNew(target: number, callee: number): readonly number[] {
    const classes = this.#solver.objectsIn(callee);
    const isOpen = !classes.every((object) => this.#solver.kinds[object] === ObjectKind.Class);
    if (isOpen || this.#solver.isFull(callee)) return [target];
    const makers = classes.filter((object) => {
      const maker = this.#solver.objectFn[object] as number;
      return maker === target || maker < 0;
    });
    return makers.length === 0
      ? [target]
      : this.#statesOf(
          target,
          makers.map((object) => this.#solver.counterpart[object] as number),
        );
  }

  #receiversOf(index: number): Receivers {
    let found = this.#receivers.get(index);
    if (found) return found;
    const { callee, self } = this.#solver.calls[index] as CallRecord;
    const name = this.#loads.name[callee] as number;
    const objects = this.#solver.objectsIn(self);
    const of = new Map<number, number[]>();
    let isOpen = this.#solver.isFull(self) || objects.length > MOST_RECEIVERS;
    if (objects.length <= MOST_RECEIVERS)
      for (const object of objects) {
        isOpen ||= !this.#isKnown(object);
        const field = this.#solver.fields.get(object, name);
        for (const value of field === 0 ? [] : this.#solver.objectsIn(field)) {
          if (this.#solver.kinds[value] !== ObjectKind.Function) continue;
          const fn = this.#solver.objectFn[value] as number;
          const known = of.get(fn);
          if (known) known.push(object);
          else of.set(fn, [object]);
        }
        isOpen ||= field !== 0 && this.#solver.isFull(field);
      }
    found = { of, isOpen };
    this.#receivers.set(index, found);
    return found;
  }

  /** Where the objects that were made are known, their class, which the type of a variable adds, says nothing more. */
  #narrowed(objects: readonly number[]): readonly number[] {
    const { counterpart } = this.#solver;
    const made = new Set(objects.filter((one) => this.#solver.makerOf(one) >= 0).map((one) => counterpart[counterpart[one] as number]));
    return made.size === 0 ? objects : objects.filter((one) => !made.has(one));
  }

  /** An instance of a class of the project, or the class itself in its static methods. */
  #isKnown(object: number): boolean {
    const kind = this.#solver.kinds[object];
    return kind === ObjectKind.Instance || kind === ObjectKind.Class;
  }

  #ancestorsOf(object: number): ReadonlySet<number> {
    let found = this.#ancestors.get(object);
    if (found) return found;
    const all = new Set<number>([object]);
    for (const one of all) for (const parent of this.#solver.parentsOf(one)) all.add(parent);
    this.#ancestors.set(object, (found = all));
    return found;
  }

  /** In the order of files and positions. The numbers of instances that were made while solving depend on the order of solving. */
  #inOrder(objects: readonly number[]): readonly number[] {
    const placeOf = (object: number): number =>
      this.#solver.kinds[object] === ObjectKind.Instance ? Math.max(this.#solver.counterpart[object] as number, 0) : object;
    return objects.length < 2
      ? objects
      : [...objects].sort((a, b) => placeOf(a) - placeOf(b) || this.#solver.makerOf(a) - this.#solver.makerOf(b));
  }
}
