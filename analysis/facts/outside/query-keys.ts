// Which field tells the row that a query is about: `patientId` of `find({ patientId: patient.id, isOpen: true })`.
import { isFunction, staticName, unwrap, type Node } from '../../module/ast.ts';

/** Without a name: several fields, or a condition other than an equality. Undefined: the source does not show it. */
export type Key = { name: string | undefined } | undefined;

/** A name that a message can show. */
const SIMPLE = /^[A-Za-z_]\w{0,39}$/;

/** @param filters what each method that takes a condition gets: `[{ id }]`, `['id', id]` */
export function keyOfFilter(filters: readonly (readonly Node[])[], isOfElement: (node: Node) => boolean): Key {
  const names: (string | undefined)[] = [];
  for (const [first, second, ...others] of filters) {
    const condition = first && unwrap(first);
    if (condition?.type === 'ObjectExpression') {
      for (const property of condition.properties)
        if (isOfElement(property))
          names.push(
            property.type === 'ObjectProperty' && isPlain(unwrap(property.value)) ? staticName(property.key, property.computed) : undefined,
          );
    } else if ([first, second, ...others].some((one) => one !== undefined && isOfElement(one)))
      names.push(condition?.type === 'StringLiteral' && others.length === 0 ? condition.value : undefined);
  }
  return single(names);
}

/** A value, rather than an operator with one: `{ $gt: row.at }`, `Like(row.name)`. */
function isPlain(value: Node): boolean {
  if (value.type === 'CallExpression')
    return !(value.callee.type === 'Identifier' && /^[A-Z]/.test(value.callee.name)) || CONVERTERS.test(value.callee.name);
  return !/^(?:Object|Array)Expression$/.test(value.type) && !isFunction(value);
}

const CONVERTERS = /^(?:ObjectI[dD]|String|Number|BigInt)$/;

// `id = $1`, `o.id = ?`, `id = :id`
const COMPARISON = /([\w.]{1,80})"?`?\s{0,20}=\s{0,20}(?:\$(\d{1,3})|(\?)|[:@](\w{1,80}))/g;

/**
 * @param text of the query, up to its first hole
 * @param written the argument that has the text
 * @param values the argument after it
 */
export function keyOfSql(text: string, written: Node, values: Node | undefined, isOfElement: (node: Node) => boolean): Key {
  const from = text.search(/\bwhere\b/i);
  const template = written.type === 'TaggedTemplateExpression' ? written.quasi : written;
  if (template.type === 'TemplateLiteral' && template.expressions.length > 0) {
    // sql`… WHERE id = ${id}`
    const [only, ...others] = template.expressions;
    const name = /([\w.]{1,80})"?\s{0,20}=\s{0,20}$/.exec(text.slice(-200))?.[1];
    return from >= 0 && only && others.length === 0 && name !== undefined && isOfElement(only) ? single([lastPart(name)]) : undefined;
  }
  if (from < 0 || values?.type !== 'ArrayExpression') return undefined;
  const names: (string | undefined)[] = [];
  for (const match of text.slice(from).matchAll(COMPARISON)) {
    const [, name = '', number, mark] = match;
    const index =
      number !== undefined ? Number(number) - 1 : mark === undefined ? -1 : text.slice(0, from + match.index).split('?').length - 1;
    const value = values.elements[index];
    if (value && isOfElement(value)) names.push(lastPart(name));
  }
  return single(names);
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

function single(names: readonly (string | undefined)[]): Key {
  const [name] = names;
  if (names.length === 0) return undefined;
  return { name: names.length === 1 && name !== undefined && SIMPLE.test(lastPart(name)) ? lastPart(name) : undefined };
}
