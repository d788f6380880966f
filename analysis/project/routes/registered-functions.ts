// The functions in what is passed as a handler: a function, a list, a table of options, a service.
import { OPTION_HANDLERS } from '../../../knowledge/frameworks.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import { ObjectKind, type Root } from '../summary/format.ts';

// `[{ handler: [fn] }]` is as deep as route tables go.
const MAX_TABLE_DEPTH = 5;

export class PassedFunctions {
  readonly #linked: LinkedProject;
  readonly #names: readonly number[];
  /** By node, for the frameworks' usual options. */
  readonly #known = new Map<number, readonly number[]>();

  constructor(linked: LinkedProject) {
    this.#linked = linked;
    this.#names = this.#idsOf([...OPTION_HANDLERS, 'options', 'config']);
  }

  /**
   * Functions that a handler argument may be: itself, a list's, those of a table of options, those of a service by the names of its
   * methods.
   */
  in(node: number, root?: Root): readonly number[] {
    if (root?.options || root?.isDeep) return this.#find(node, root.options ? this.#idsOf(root.options) : this.#names, root);
    let found = this.#known.get(node);
    if (!found) this.#known.set(node, (found = this.#find(node, this.#names)));
    return found;
  }

  #find(node: number, options: readonly number[], { isDeep = false, options: named, kind: rootKind }: Partial<Root> = {}): number[] {
    const { solver } = this.#linked;
    const found: number[] = [];
    const seen = new Set<number>();
    let objects: readonly number[] = solver.objectsIn(node);
    for (let depth = 0; depth < MAX_TABLE_DEPTH && objects.length > 0; depth++) {
      const next: number[] = [];
      for (const object of objects) {
        if (seen.has(object)) continue;
        seen.add(object);
        const kind = solver.kinds[object];
        // A model's `init(fn)` is no hook.
        if (kind === ObjectKind.Function && (depth > 0 || rootKind !== 'hook' || !named)) found.push(solver.objectFn[object] as number);
        if (depth === 0 && named && kind === ObjectKind.Instance) next.push(...this.#methodsOf(object, options));
        if (kind !== ObjectKind.Array && kind !== ObjectKind.Literal && !(named && kind === ObjectKind.Exports)) continue;
        const fields = isDeep ? this.#fieldsOf(object) : solver.fieldsOf(object);
        for (let i = 0; i < fields.length; i += 2)
          if (kind === ObjectKind.Array || (isDeep && (depth > 0 || options.length === 0)) || options.includes(fields[i + 1] as number))
            next.push(...solver.objectsIn(fields[i] as number));
      }
      objects = next;
    }
    // By their files and places, so that it makes no difference in which order they were found.
    return found.sort((a, b) => a - b);
  }

  /** A table's own fields, and those of tables that were merged into it. */
  #fieldsOf(object: number): readonly number[] {
    const { solver } = this.#linked;
    const seen = new Set([object]);
    for (const one of seen)
      for (const parent of solver.parentsOf(one))
        if (solver.kinds[parent] === ObjectKind.Literal || solver.kinds[parent] === ObjectKind.Exports) seen.add(parent);
    return [...seen].flatMap((one) => solver.fieldsOf(one));
  }

  /** What an instance has under some names: its class's own methods, or else those that these inherit. */
  #methodsOf(instance: number, names: readonly number[]): number[] {
    const { solver } = this.#linked;
    const found = new Map<number, readonly number[]>();
    const seen = new Set([instance]);
    for (const object of seen) {
      const fields = solver.fieldsOf(object);
      for (let i = 0; i < fields.length; i += 2) {
        const name = fields[i + 1] as number;
        if (names.includes(name) && !found.has(name)) found.set(name, solver.objectsIn(fields[i] as number));
      }
      for (const parent of solver.parentsOf(object)) seen.add(parent);
    }
    return [...found.values()].flat();
  }

  #idsOf(texts: readonly string[]): number[] {
    return texts.map((text) => this.#linked.numbering.findName(text)).filter((id): id is number => id !== undefined);
  }
}
