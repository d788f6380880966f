// The functions in a handler argument: a function, a list, an options table or a service.
import { OPTION_HANDLERS } from '../../../knowledge/frameworks.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import { ObjectKind, type Root } from '../summary/format.ts';

// Route tables are no deeper than `[{ handler: [fn] }]`.
const MAX_TABLE_DEPTH = 5;

/** What a field runs, if it is an object: https://graphql.org/graphql-js/type/#graphqlobjecttype */
const RUNS_FIELD = /^(?:resolve|subscribe)$/;

export class PassedFunctions {
  readonly #linked: LinkedProject;
  readonly #names: readonly number[];
  /** By node, for the usual options of the frameworks. */
  readonly #known = new Map<number, readonly number[]>();

  constructor(linked: LinkedProject) {
    this.#linked = linked;
    this.#names = this.#idsOf([...OPTION_HANDLERS, 'options', 'config']);
  }

  /**
   * Functions that a handler argument may be: the argument itself, the items of a list, those of an options table, or those methods of a
   * service that have a handler's name.
   */
  in(node: number, root?: Root): readonly number[] {
    if (root?.options || root?.isDeep) return this.#find(node, root.options ? this.#idsOf(root.options) : this.#names, root);
    let found = this.#known.get(node);
    if (!found) this.#known.set(node, (found = this.#find(node, this.#names)));
    return found;
  }

  /**
   * The fields of GraphQL that the functions in a table of tables resolve: `Query.user` for `{ Query: { user() {} } }`, `user` for
   * `{ user: { resolve() {} } }`, the fields of one type. The first field of each function.
   */
  fieldsIn(node: number, { options = [] }: Root): ReadonlyMap<number, string> {
    const {
      solver,
      numbering: { names },
    } = this.#linked;
    const found = new Map<number, string>();
    const ids = this.#idsOf(options);
    const seen = new Set<number>();
    let level = solver.objectsIn(node).map((object): [number, readonly string[]] => [object, []]);
    for (let depth = 0; depth < MAX_TABLE_DEPTH && level.length > 0; depth++) {
      const next: [number, readonly string[]][] = [];
      for (const [object, path] of level) {
        if (seen.has(object)) continue;
        seen.add(object);
        const kind = solver.kinds[object];
        if (kind === ObjectKind.Function) {
          const fn = solver.objectFn[object] as number;
          const field = (RUNS_FIELD.test(path.at(-1) ?? '') ? path.slice(0, -1) : path).slice(-2);
          if (field.length > 0 && !found.has(fn)) found.set(fn, field.join('.'));
        }
        if (kind !== ObjectKind.Array && kind !== ObjectKind.Literal && kind !== ObjectKind.Exports) continue;
        const fields = this.#fieldsOf(object);
        for (let i = 0; i < fields.length; i += 2) {
          const name = fields[i + 1] as number;
          const isOption = depth === 0 && ids.length > 0;
          if (isOption && kind !== ObjectKind.Array && !ids.includes(name)) continue;
          const text = names[name] ?? '';
          const longer = isOption || kind === ObjectKind.Array ? path : [...path, text];
          if (/^\w*$/.test(text) || longer === path) for (const value of solver.objectsIn(fields[i] as number)) next.push([value, longer]);
        }
      }
      level = next;
    }
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
        // The `init(fn)` of a model is not a hook.
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
    // In the order of files and positions, so that the result does not depend on the order of solving.
    return found.sort((a, b) => a - b);
  }

  /** The fields of a table, and of tables that were merged into it. */
  #fieldsOf(object: number): readonly number[] {
    const { solver } = this.#linked;
    const seen = new Set([object]);
    for (const one of seen)
      for (const parent of solver.parentsOf(one))
        if (solver.kinds[parent] === ObjectKind.Literal || solver.kinds[parent] === ObjectKind.Exports) seen.add(parent);
    return [...seen].flatMap((one) => solver.fieldsOf(one));
  }

  /** The methods of an instance under the given names: those of its class, or else inherited ones. */
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
