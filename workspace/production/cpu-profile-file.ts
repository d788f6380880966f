// A `.cpuprofile` of V8, read piece by piece: which functions were on the stack of how many samples.
// https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
import { isRecord } from '../../protocol/unknown-values.ts';
import type { JsonPath } from './json-elements.ts';
import { countOf, FunctionTable, IDLE, ImportLimit, ImportProblem, type Recorded } from './recorded.ts';

export const CPU_PROFILE_PATHS = [['nodes', '*']] as const satisfies readonly JsonPath[];
/** Read in a second pass where the nodes do not say how many samples each has. */
export const SAMPLE_PATHS = [['samples', '*']] as const satisfies readonly JsonPath[];

/** V8 numbers nodes one after the other. */
const MOST_NODES = 1 << 24;
const NONE = -1;

export class CpuProfileFile {
  readonly #functions = new FunctionTable();
  #functionOf = new Int32Array(1024).fill(NONE);
  #parentOf = new Int32Array(1024).fill(NONE);
  #hits = new Float64Array(1024);
  #last = NONE;
  #nodes = 0;
  #invalid = 0;
  #hasHits = false;

  get isEmpty(): boolean {
    return this.#nodes === 0;
  }

  /** Whether `addSample` has to be called for each sample. */
  get needsSamples(): boolean {
    return !this.#hasHits;
  }

  addNode(node: unknown): void {
    const id = isRecord(node) ? this.#idOf(node.id) : undefined;
    const frame = isRecord(node) && isRecord(node.callFrame) ? node.callFrame : undefined;
    if (id === undefined || !frame || !isRecord(node)) throw new ImportProblem('a node of it has no number or no `callFrame`');
    const { functionName, url, lineNumber, columnNumber } = frame;
    const [line, column] = [countOf(lineNumber), countOf(columnNumber)];
    const place = line === undefined || column === undefined ? undefined : { line: line + 1, column: column + 1 };
    const number = this.#functions.numberOf(textOf(functionName), textOf(url), place);
    if (this.#functionOf[id] !== NONE) throw new ImportProblem(`it has two nodes with the number ${id}`);
    this.#functionOf[id] = number;
    this.#nodes++;
    if (node.hitCount !== undefined) {
      this.#hasHits = true;
      const hits = countOf(node.hitCount);
      if (hits === undefined) this.#invalid++;
      else this.#hits[id] = hits;
    }
    if (Array.isArray(node.children)) for (const child of node.children) this.#connect(id, child);
    // As DevTools saves them.
    else if (node.parent !== undefined) this.#connect(this.#idOf(node.parent) ?? NONE, id);
    // `positionTicks` has lines of inlined functions, too, also of those of other files (Node 20): they say nothing of where this one is.
  }

  addSample(value: unknown): void {
    const id = countOf(value);
    if (id === undefined || id > this.#last) this.#invalid++;
    else this.#hits[id] = (this.#hits[id] ?? 0) + 1;
  }

  recorded(): Recorded {
    const { all } = this.#functions;
    const size = this.#last + 1;
    const firstChild = new Int32Array(size).fill(NONE);
    const nextSibling = new Int32Array(size).fill(NONE);
    let total = 0;
    const sums = this.#hits.slice(0, size);
    for (let id = size - 1; id >= 0; id--) {
      const fn = all[this.#functionOf[id] ?? NONE];
      const hits = this.#hits[id] ?? 0;
      if (fn && fn.url === '' && fn.name === IDLE) sums[id] = 0;
      else if (fn) {
        fn.self += hits;
        total += hits;
      }
      // What is below has a higher number, so that its sum is complete.
      const parent = this.#parentOf[id] ?? NONE;
      if (parent === NONE) continue;
      sums[parent] = (sums[parent] ?? 0) + (sums[id] ?? 0);
      nextSibling[id] = firstChild[parent] ?? NONE;
      firstChild[parent] = id;
    }
    this.#sumUp(sums, firstChild, nextSibling);
    if (total === 0) throw new ImportProblem('it has no samples in which the program was busy');
    const remarks = this.#invalid > 0 ? [`${this.#invalid} counts that are no numbers of samples were left out`] : [];
    return { kind: 'cpu-profile', functions: all, total, routes: [], remarks };
  }

  /** The samples of everything below a function, once for each stack, however often the function is on it. */
  #sumUp(sums: Float64Array, firstChild: Int32Array, nextSibling: Int32Array): void {
    const { all } = this.#functions;
    const open = new Int32Array(all.length);
    for (let root = 0; root <= this.#last; root++) {
      if ((this.#parentOf[root] ?? NONE) !== NONE || (this.#functionOf[root] ?? NONE) === NONE) continue;
      let at = root;
      let isDown = true;
      for (;;) {
        const fn = this.#functionOf[at] ?? NONE;
        if (isDown && fn !== NONE) {
          const entry = all[fn];
          if (entry && open[fn] === 0) entry.total += sums[at] ?? 0;
          open[fn] = (open[fn] ?? 0) + 1;
        }
        const child: number = isDown ? (firstChild[at] ?? NONE) : NONE;
        if (child !== NONE) {
          at = child;
          continue;
        }
        if (fn !== NONE) open[fn] = (open[fn] ?? 1) - 1;
        if (at === root) break;
        const sibling: number = nextSibling[at] ?? NONE;
        isDown = sibling !== NONE;
        at = isDown ? sibling : (this.#parentOf[at] ?? root);
      }
    }
  }

  #connect(parent: number, child: unknown): void {
    const id = this.#idOf(child);
    if (id === undefined || parent === NONE || id <= parent) throw new ImportProblem('a node of it is below itself');
    if (this.#parentOf[id] !== NONE && this.#parentOf[id] !== parent) throw new ImportProblem(`the node ${id} of it is below two others`);
    this.#parentOf[id] = parent;
  }

  /** Makes room for it. */
  #idOf(value: unknown): number | undefined {
    const id = countOf(value);
    if (id === undefined) return undefined;
    if (id >= MOST_NODES) throw new ImportLimit(`it has more than ${MOST_NODES} nodes`);
    if (id > this.#last) this.#last = id;
    if (id < this.#functionOf.length) return id;
    const size = Math.min(MOST_NODES, Math.max(id + 1, this.#functionOf.length * 2));
    this.#functionOf = grown(this.#functionOf, new Int32Array(size).fill(NONE));
    this.#parentOf = grown(this.#parentOf, new Int32Array(size).fill(NONE));
    this.#hits = grown(this.#hits, new Float64Array(size));
    return id;
  }
}

function grown<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
