// The properties of objects: by object and name, all of one object, all of all objects.
import { PairMap } from '../state/pairs.ts';
import { NONE } from './propagation.ts';
import type { Trailed } from '../state/trail.ts';

export class Fields implements Trailed {
  /** Triples of object, name and node. */
  readonly all: number[] = [];
  readonly #nodes: PairMap;
  /** By object: pairs of node and name. */
  readonly #of = new Map<number, number[]>();
  #atMark = 0;

  /** `expected`: the approximate number of properties. */
  constructor(expected: number) {
    this.#nodes = new PairMap(expected);
  }

  /** The node of the property; 0 for none. */
  get(object: number, name: number): number {
    return this.#nodes.get(object, name);
  }

  add(object: number, name: number, node: number): void {
    this.#nodes.set(object, name, node);
    this.all.push(object, name, node);
    const list = this.#of.get(object);
    if (list) list.push(node, name);
    else this.#of.set(object, [node, name]);
  }

  /** Pairs of node and name: the properties of an object. */
  of(object: number): readonly number[] {
    return this.#of.get(object) ?? NONE;
  }

  mark(): void {
    this.#nodes.mark();
    this.#atMark = this.all.length;
  }

  undo(): void {
    this.#nodes.undo();
    for (let i = this.all.length - 3; i >= this.#atMark; i -= 3) {
      const object = this.all[i] as number;
      const list = this.#of.get(object) as number[];
      if (list.length === 2) this.#of.delete(object);
      else list.length -= 2;
    }
    this.all.length = this.#atMark;
  }
}
