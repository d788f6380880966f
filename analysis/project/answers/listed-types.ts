// Which types of GraphQL the project returns in lists, and which functions resolve their fields.
import type { ListedType } from '../../facts/handlers/schema-types.ts';
import type { SchemaLayout } from '../files/layout.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import type { Reach } from '../routes/request-reach.ts';
import type { ElementAnswer } from './function-answer.ts';
import type { Places } from './places.ts';

/** The route of a resolver. */
const FIELD = /^FIELD (\w+)\.(\w+)$/;
/** These objects exist once for each request. */
const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

interface List extends ListedType {
  /** The number of a file of code, or the path of a schema. */
  file: number | string;
}

export class ListedTypes {
  readonly #reach: Reach;
  readonly #places: Places;
  readonly #lists = new Map<string, List>();

  constructor(linked: LinkedProject, schemas: readonly SchemaLayout[], reach: Reach, places: Places) {
    this.#reach = reach;
    this.#places = places;
    const names = new Map<string, string[]>();
    const members = new Map<string, string[]>();
    const lists: List[] = [];
    linked.numbering.files.forEach(({ summary: { schema } }, file) => {
      if (!schema) return;
      for (const [held, name] of schema.names) put(names, held, name);
      for (const [type, whole] of schema.members) put(members, whole, type);
      for (const list of schema.lists) lists.push({ ...list, file });
    });
    for (const { file, lists: own, members: held } of schemas) {
      for (const [type, whole] of held) put(members, whole, type);
      for (const { type, field, at } of own) lists.push({ type, field, start: at, end: at + field.length - field.indexOf('.') - 1, file });
    }
    if (lists.length === 0) return;
    /** A name in the code is that of what it holds, of the type itself, or that with an ending. */
    const namesOf = (name: string): readonly string[] => names.get(name) ?? [name, name.replace(/(?:Interface)?Type$/, '')];
    const queue = lists.map((list): [string, List] => [list.type, list]);
    for (const [held, list] of queue)
      for (const type of namesOf(held)) {
        if (this.#lists.has(type)) continue;
        this.#lists.set(type, list);
        // The lists of an interface hold its types. Code may name it by what holds it.
        for (const whole of new Set([held, type])) for (const one of members.get(whole) ?? []) queue.push([one, list]);
      }
  }

  /** Undefined if the function does not resolve a field, or if no list holds its type. */
  elementOf(fn: number, ownFile: number): ElementAnswer | undefined {
    if (this.#lists.size === 0) return undefined;
    for (const { root } of this.#reach.ownRootsOf(fn)) {
      const [, type, field] = FIELD.exec(root.route ?? '') ?? [];
      const list = type === undefined || ROOTS.has(type) ? undefined : this.#lists.get(type);
      if (!list) continue;
      const { file, start, end } = list;
      const message = `a list of \`${type}\` here`;
      return {
        field: `${type}.${field}`,
        lister: list.field === '' ? 'Another field returns' : `\`${list.field}\` returns`,
        related: [
          typeof file === 'number' ? this.#places.place(ownFile, file, start, end, message) : { file, span: { start, end }, message },
        ],
      };
    }
    return undefined;
  }
}

function put(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
