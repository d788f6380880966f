// The worklist under the solver: sets of objects in nodes, and what is to be done with each object that comes into a node.

/** Real values are one to five things; a registry has tens. */
const MOST = 32;
/** Literals, lists and what packages make: data rather than tables of functions, where there are more of them in one place. */
const MOST_DATA = 20;
/** Above this many, membership is asked of a set instead of the list. */
const SHORT = 12;
const COPY = 0;

/** By kind: exports, function, class, instance, literal, array, interface, external, result, global. */
const IS_DATA: readonly number[] = [0, 0, 0, 0, 1, 1, 0, 1, 1, 0];

export const NONE: readonly number[] = [];

export abstract class Propagation {
  readonly kinds: number[] = [];
  readonly #sets: (number[] | undefined)[] = [];
  readonly #dataIn: number[] = [];
  readonly #members: (Set<number> | undefined)[] = [];
  readonly #tasks: (number[] | undefined)[] = [];
  readonly #copies: (number[] | Set<number> | undefined)[] = [];
  readonly #queueNodes: number[] = [];
  readonly #queueObjects: number[] = [];
  #nodeCount: number;
  #head = 0;

  constructor(nodeCount: number) {
    this.#nodeCount = nodeCount;
  }

  /** `code` is not 0. */
  protected abstract apply(object: number, code: number, a: number, b: number): void;

  /** What may be in a node. */
  objectsIn(node: number): readonly number[] {
    return this.#sets[node] ?? NONE;
  }

  node(): number {
    return this.#nodeCount++;
  }

  add(node: number, object: number): void {
    const set = this.#sets[node];
    if (!set) this.#sets[node] = [object];
    else {
      if (IS_DATA[this.kinds[object] as number] === 1 && set.length >= MOST_DATA && this.#isFullOfData(node, set)) return;
      if (set.length >= MOST) return;
      const members = this.#members[node];
      if (members ? members.has(object) : set.includes(object)) return;
      set.push(object);
      if (members) members.add(object);
      else if (set.length > SHORT) this.#members[node] = new Set(set);
    }
    if (!this.#tasks[node]) return;
    this.#queueNodes.push(node);
    this.#queueObjects.push(object);
  }

  copy(to: number, from: number): void {
    if (to === 0 || from === 0 || to === from) return;
    const known = this.#copies[from];
    if (known === undefined) this.#copies[from] = [to];
    else if (Array.isArray(known)) {
      if (known.includes(to)) return;
      known.push(to);
      if (known.length > SHORT) this.#copies[from] = new Set(known);
    } else {
      if (known.has(to)) return;
      known.add(to);
    }
    this.task(from, COPY, to, 0);
  }

  /** Runs until nothing flows any more. */
  run(): void {
    while (this.#head < this.#queueNodes.length) {
      const node = this.#queueNodes[this.#head] as number;
      const object = this.#queueObjects[this.#head++] as number;
      const tasks = this.#tasks[node];
      // Tasks that are added meanwhile see the object by themselves.
      const end = tasks ? tasks.length : 0;
      for (let i = 0; tasks && i < end; i += 3) this.#do(object, tasks[i] as number, tasks[i + 1] as number, tasks[i + 2] as number);
      if (this.#head > 65536) {
        this.#queueNodes.splice(0, this.#head);
        this.#queueObjects.splice(0, this.#head);
        this.#head = 0;
      }
    }
  }

  /** What is to be done with everything that is in a node, or will be. */
  task(node: number, code: number, a: number, b: number): void {
    const tasks = this.#tasks[node];
    if (tasks) tasks.push(code, a, b);
    else this.#tasks[node] = [code, a, b];
    const set = this.#sets[node];
    if (!set) return;
    const known = set.length;
    for (let i = 0; i < known; i++) this.#do(set[i] as number, code, a, b);
  }

  /** Whether a set holds its share of data; counted once there may be so many. */
  #isFullOfData(node: number, set: readonly number[]): boolean {
    const known = this.#dataIn[node] ?? 0;
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
