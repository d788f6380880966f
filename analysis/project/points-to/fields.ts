// The properties of objects: by name, all of an object, all of all objects.
import { PairMap } from '../state/pairs.ts';
import { NONE } from './propagation.ts';
import type { Trailed } from '../state/trail.ts';

export class Fields implements Trailed {
  /** Object, name and node of each, one after the other. */
  readonly all: number[] = [];
  readonly #nodes: PairMap;
  /** By object: nodes and names, one after the other. */
  readonly #of = new Map<number, number[]>();
  #atMark = 0;

  /** `expected`: about how many there will be. */
  constructor(expected: number) {
    this.#nodes = new PairMap(expected);
  }

  /** The property's node; 0 where there is none. */
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

  /** Nodes and names of an object's properties, one after the other. */
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
