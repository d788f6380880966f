// The worklist of the solver: points-to sets, and the tasks to apply to each object that enters a node.
import { PairMap } from '../state/pairs.ts';
import type { Trailed } from '../state/trail.ts';
import { ObjectKind } from '../summary/format.ts';

/** Most values are one to five things. A registry has tens. */
const MOST = 32;
/** For literals, arrays and objects of packages. More of them in one set are data, not tables of functions. */
const MOST_DATA = 20;
/**
 * For instances of the project's classes: one for each service that a program knows (70 notification providers in one that was looked
 * at), in a list or table whose methods are called. Beyond `MOST`, they count against `MOST_IN_TABLES`.
 */
const MOST_INSTANCES = 256;
/** Extra space for objects of loose files, so that the file being edited is not the one that is cut off. */
const MOST_LATE = 16;
/**
 * For wide sets: those that are looked into by name only. Their objects are no values that flow on: what a barrel takes its exports from,
 * the subclasses that `this` may be in a method of their class, the methods that `x.run()` finds in the objects of `x`.
 */
const MOST_WIDE = 1024;
/** Values of `#isWide`. A table of functions may have hundreds of them, but no more data than other sets. */
const WIDE = 1;
const WIDE_FOR_FUNCTIONS = 2;
/**
 * Our choice: so many functions in all such sets, and so many that calls of them run, beyond `MOST` in each. Thousands of calls that may run a
 * thousand functions would take seconds, and a gigabyte.
 */
const MOST_IN_TABLES = 1 << 17;
const COPY = 0;
/** Length of a task: its code, two operands, and the next task at the same node. */
const TASK = 4;
/** Tasks started by tasks: each takes about four frames of the stack, which holds some 10,000. Five thousand superclasses overflowed it. */
const DEEPEST = 500;

/** By kind: exports, function, class, instance, literal, array, interface, external, result, global, folder. */
const IS_DATA: readonly number[] = [0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0];

export const NONE: readonly number[] = [];

/** The state at the mark, and what was added since. */
interface Marked {
  nodeCount: number;
  taskEnd: number;
  objectCount: number;
  /** One node for each object that entered a set, in order. */
  added: number[];
  inTables: number;
  /** Pairs for each task that was added, in order: its node, and the last task of that node before. */
  tasked: number[];
}

export abstract class Propagation implements Trailed {
  readonly kinds: number[] = [];
  /** By object: 1 if its file is loose. */
  protected readonly isLate: Uint8Array;
  readonly #sets: (number[] | undefined)[] = [];
  readonly #copies: PairMap;
  /** Linked lists of the tasks of all nodes, in one array. 0 ends a list. */
  #tasks: Int32Array;
  #taskEnd = TASK;
  /** By node. */
  #firstTask: Int32Array;
  #lastTask: Int32Array;
  /** By node: the number of data objects in its set, once counted; otherwise 0. */
  #dataIn: Uint8Array;
  /** By node: 0, `WIDE`, or `WIDE_FOR_FUNCTIONS`. */
  #isWide: Uint8Array;
  /** Pairs of a node and an object that entered it. */
  #queue = new Int32Array(1 << 16);
  #queueEnd = 0;
  #head = 0;
  #nodeCount: number;
  /** Functions in the sets of `WIDE_FOR_FUNCTIONS`, and that calls of these run, beyond `MOST` in each. */
  #inTables = 0;
  #marked: Marked | undefined;
  /** How many tasks have started each other at this moment. */
  #depth = 0;
  /** Object, code, a, b of what would have been started too deep in others. */
  readonly #deferred: number[] = [];

  constructor(nodeCount: number, objectCount: number) {
    this.isLate = new Uint8Array(objectCount);
    this.#nodeCount = nodeCount;
    this.#copies = new PairMap(nodeCount);
    this.#tasks = new Int32Array(nodeCount * TASK * 2 + 1024);
    this.#firstTask = new Int32Array(nodeCount * 2 + 1024);
    this.#lastTask = new Int32Array(nodeCount * 2 + 1024);
    this.#dataIn = new Uint8Array(nodeCount * 2 + 1024);
    this.#isWide = new Uint8Array(nodeCount * 2 + 1024);
  }

  /** `code` is not 0. */
  protected abstract apply(object: number, code: number, a: number, b: number): void;

  /** The points-to set of a node. */
  objectsIn(node: number): readonly number[] {
    return this.#sets[node] ?? NONE;
  }

  /** Whether a node may hold more than its set: the set has reached the limit. */
  isFull(node: number): boolean {
    const isWide = this.#isWide[node] === WIDE || (this.#isWide[node] === WIDE_FOR_FUNCTIONS && this.#inTables < MOST_IN_TABLES);
    return (this.#sets[node]?.length ?? 0) >= (isWide ? MOST_WIDE : MOST);
  }

  /** Nodes whose sets grew since the mark, once for each object. */
  get added(): readonly number[] {
    return this.#marked?.added ?? NONE;
  }

  node(): number {
    const node = this.#nodeCount++;
    if (node >= this.#firstTask.length) {
      this.#firstTask = grown(this.#firstTask);
      this.#lastTask = grown(this.#lastTask);
      this.#dataIn = grownBytes(this.#dataIn, this.#firstTask.length);
      this.#isWide = grownBytes(this.#isWide, this.#firstTask.length);
    }
    return node;
  }

  /** To be called before anything enters the node. */
  widen(node: number): void {
    this.#isWide[node] = WIDE;
  }

  /** For what a table gives under a computed name: `const run = actions[name]; run()`. To be called before anything enters the node. */
  widenForFunctions(node: number): void {
    if (this.#isWide[node] === 0) this.#isWide[node] = WIDE_FOR_FUNCTIONS;
  }

  /** Whether a call of a node may run one more function than `known`: all calls together run only so many of tables. */
  protected takesTarget(node: number, known: number): boolean {
    if (known < MOST || this.#isWide[node] !== WIDE_FOR_FUNCTIONS) return true;
    if (this.#inTables >= MOST_IN_TABLES) return false;
    this.#inTables++;
    return true;
  }

  /** Nodes of a file from `first` to `end`, whose summary is removed. */
  narrow(first: number, end: number): void {
    this.#isWide.fill(0, first, end);
  }

  add(node: number, object: number): void {
    const set = this.#sets[node];
    if (!set) this.#sets[node] = [object];
    else {
      // Checked first, because many objects arrive at full sets.
      if (set.length >= MOST_DATA && this.#isFullFor(object, node, set)) return;
      if (set.includes(object)) return;
      if (set.length >= MOST && (this.#isWide[node] === WIDE_FOR_FUNCTIONS || this.kinds[object] === ObjectKind.Instance)) this.#inTables++;
      set.push(object);
    }
    this.#marked?.added.push(node);
    if (this.#firstTask[node] === 0) return;
    if (this.#queueEnd + 2 > this.#queue.length) this.#makeRoom();
    this.#queue[this.#queueEnd++] = node;
    this.#queue[this.#queueEnd++] = object;
  }

  copy(to: number, from: number): void {
    if (to === 0 || from === 0 || to === from) return;
    if (this.#copies.add(from, to)) this.task(from, COPY, to, 0);
  }

  /** Where the objects of a node are copied to. */
  copiesOf(node: number): number[] {
    const copies: number[] = [];
    const last = this.#lastTask[node];
    for (let at = this.#firstTask[node] ?? 0; at !== 0; at = at === last ? 0 : (this.#tasks[at + 3] as number))
      if (this.#tasks[at] === COPY) copies.push(this.#tasks[at + 1] as number);
    return copies;
  }

  /** To be called when the worklist is empty. */
  mark(): void {
    this.#copies.mark();
    this.#begin();
  }

  #begin(): void {
    this.#marked = {
      nodeCount: this.#nodeCount,
      taskEnd: this.#taskEnd,
      objectCount: this.kinds.length,
      added: [],
      tasked: [],
      inTables: this.#inTables,
    };
  }

  undo(): void {
    const marked = this.#marked;
    if (!marked) return;
    const { added, tasked } = marked;
    this.#copies.undo();
    this.#inTables = marked.inTables;
    for (let i = added.length - 1; i >= 0; i--) {
      const node = added[i] as number;
      const set = this.#sets[node] as number[];
      if (set.length === 1) this.#sets[node] = undefined;
      else set.pop();
      this.#dataIn[node] = 0;
    }
    for (let i = tasked.length - 2; i >= 0; i -= 2) {
      const node = tasked[i] as number;
      const before = tasked[i + 1] as number;
      this.#lastTask[node] = before;
      if (before === 0) this.#firstTask[node] = 0;
      else this.#tasks[before + 3] = 0;
    }
    this.#tasks.fill(0, marked.taskEnd, this.#taskEnd);
    this.#taskEnd = marked.taskEnd;
    this.#isWide.fill(0, marked.nodeCount, this.#nodeCount);
    this.#nodeCount = marked.nodeCount;
    this.kinds.length = marked.objectCount;
    this.#head = 0;
    this.#queueEnd = 0;
    this.#deferred.length = 0;
    this.#begin();
  }

  /** Runs until the worklist is empty. */
  run(): void {
    this.#runQueue();
    // What a deferred task adds, runs before the next one.
    for (let at = 0; at < this.#deferred.length; at += 4) {
      const [object, code, a, b] = this.#deferred.slice(at, at + 4) as [number, number, number, number];
      this.#do(object, code, a, b);
      this.#runQueue();
    }
    this.#deferred.length = 0;
  }

  #runQueue(): void {
    while (this.#head < this.#queueEnd) {
      const node = this.#queue[this.#head++] as number;
      const object = this.#queue[this.#head++] as number;
      // Tasks that are added in this loop apply themselves to the objects of the set.
      const last = this.#lastTask[node] as number;
      for (let at = this.#firstTask[node] as number; at !== 0; at = at === last ? 0 : (this.#tasks[at + 3] as number)) {
        const tasks = this.#tasks;
        this.#do(object, tasks[at] as number, tasks[at + 1] as number, tasks[at + 2] as number);
      }
    }
  }

  /** Applies to every object in a node, now and later. */
  task(node: number, code: number, a: number, b: number): void {
    const at = this.#taskEnd;
    this.#taskEnd += TASK;
    if (this.#taskEnd > this.#tasks.length) this.#tasks = grown(this.#tasks);
    const tasks = this.#tasks;
    tasks[at] = code;
    tasks[at + 1] = a;
    tasks[at + 2] = b;
    this.#marked?.tasked.push(node, this.#lastTask[node] as number);
    if (this.#firstTask[node] === 0) this.#firstTask[node] = at;
    else tasks[(this.#lastTask[node] as number) + 3] = at;
    this.#lastTask[node] = at;
    const set = this.#sets[node];
    if (!set) return;
    const known = set.length;
    if (this.#depth >= DEEPEST) {
      for (let i = 0; i < known; i++) this.#deferred.push(set[i] as number, code, a, b);
      return;
    }
    this.#depth += 1;
    for (let i = 0; i < known; i++) this.#do(set[i] as number, code, a, b);
    this.#depth -= 1;
  }

  /** Drops the processed part of the queue, or doubles its capacity. */
  #makeRoom(): void {
    if (this.#head * 2 < this.#queueEnd) {
      this.#queue = grown(this.#queue);
      return;
    }
    this.#queue.copyWithin(0, this.#head, this.#queueEnd);
    this.#queueEnd -= this.#head;
    this.#head = 0;
  }

  #isFullFor(object: number, node: number, set: readonly number[]): boolean {
    const late = this.isLate[object] === 1 ? MOST_LATE : 0;
    const isWide = this.#isWide[node];
    const takesAll =
      isWide === WIDE || (isWide === WIDE_FOR_FUNCTIONS && this.kinds[object] === ObjectKind.Function && this.#inTables < MOST_IN_TABLES);
    if (takesAll) return set.length >= MOST_WIDE + late;
    const isInstance = this.kinds[object] === ObjectKind.Instance && this.#inTables < MOST_IN_TABLES;
    if (set.length >= (isInstance ? MOST_INSTANCES : MOST) + late) return true;
    return late === 0 && IS_DATA[this.kinds[object] as number] === 1 && this.#isFullOfData(node, set);
  }

  /** Whether a set holds its share of data objects. They are counted only when the set is large enough. */
  #isFullOfData(node: number, set: readonly number[]): boolean {
    const known = this.#dataIn[node] as number;
    if (known >= MOST_DATA) return true;
    let data = 0;
    for (const object of set) data += IS_DATA[this.kinds[object] as number] as number;
    this.#dataIn[node] = data;
    return data >= MOST_DATA;
  }

  #do(object: number, code: number, a: number, b: number): void {
    if (code === COPY) this.add(a, object);
    else this.apply(object, code, a, b);
  }
}

function grownBytes(array: Uint8Array, length: number): Uint8Array {
  const larger = new Uint8Array(length);
  larger.set(array);
  return larger;
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
