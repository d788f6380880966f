// The conditions of a query, as its call has them, or a variable beside it.
import { QUERY_DRIVERS, type QueryDriver } from '../../../knowledge/query-calls.ts';
import { isCall, isMember, memberName, parentOf, unwrap, type CallNode, type Node, type t } from '../../module/ast.ts';
import { propertyValue } from '../handlers/route-paths.ts';
import type { Facts } from '../index.ts';

// The longest chain of calls to look down.
const MAX_CHAIN = 12;

/** Queries whose answer is no list of rows: more than a list in place of the value has to change. */
const SUMS_UP = /^(?:aggregate|groupBy|distinct|count\w{0,20}|findAndCountAll)$/;

export function sumsUp(driver: Pick<QueryDriver, 'shape'>, method: string): boolean {
  return driver.shape !== 'sql' && SUMS_UP.test(method);
}

/** `findById(id)`, `findByPk(id)`, and `delete(row.id)`: the field is the primary key, although nothing names it. */
export function isByPrimaryKey(call: CallNode, method: string): boolean {
  if (/^find(?:ById|ByPk)/.test(method)) return true;
  const [first] = call.arguments;
  const value = first && unwrap(first);
  const name = value?.type === 'Identifier' ? value.name : value && isMember(value) ? memberName(value) : undefined;
  return name !== undefined && /^_?id$|I[dD]$|_id$/.test(name);
}

/** The conditions of a query: those that a method of a builder gets, or an object. */
export function filtersOf(
  driver: Pick<QueryDriver, 'shape' | 'packages'>,
  method: string,
  call: CallNode,
  facts: Facts,
): readonly Node[][] {
  if (driver.shape === 'builder') {
    const found: Node[][] = [];
    let at: Node = call;
    for (let i = 0; i < MAX_CHAIN && isCall(at); i++) {
      const callee = unwrap(at.callee);
      if (!isMember(callee)) break;
      if (/^(?:and)?where$/i.test(memberName(callee) ?? ''))
        found.push(at.arguments.map((one, index) => (index === 0 ? (literalOf(one, facts) ?? one) : one)));
      at = unwrap(callee.object);
    }
    return found;
  }
  const [first, second] = call.arguments;
  const given = driver.packages.includes('sequelize') && method === 'update' ? second : first;
  const object = given && literalOf(given, facts);
  if (!object) return [];
  const where = propertyValue(object, 'where');
  if (where) return [[literalOf(where, facts) ?? where]];
  return driver.shape === 'delegate' || driver.packages.includes('sequelize') ? [] : [[object]];
}

/** An object literal, or the one that a variable holds. Undefined if something adds to it. */
function literalOf(value: Node, facts: Facts): t.ObjectExpression | undefined {
  const node = unwrap(value);
  if (node.type === 'ObjectExpression') return node;
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  const { declaration } = binding ?? {};
  if (!binding || declaration?.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || !declaration.init)
    return undefined;
  const init = unwrap(declaration.init);
  if (init.type !== 'ObjectExpression' || facts.bindings.writes(binding).length > 1) return undefined;
  return facts.bindings.references(binding).some(isChanged) ? undefined : init;
}

// Drivers only read a filter, and so does what prints it.
const QUERIES: ReadonlySet<string> = new Set(
  QUERY_DRIVERS.flatMap(({ shape, reads, writes }) => (shape === 'command' || shape === 'http' ? [] : [...reads, ...writes])),
);
const READERS = /^(?:count\w{0,20}|exists|(?:and|or)?where|log|debug|trace|info|warn|error|stringify|keys|values|entries|freeze)$/i;

/** `filter.at = …`, `delete filter.at`, `Object.assign(filter, …)`, and `addDates(filter)`, which may do so */
function isChanged(reference: Node): boolean {
  let at = reference;
  let parent = parentOf(at);
  for (; parent && isMember(parent) && parent.object === at; parent = parentOf(at)) at = parent;
  if (at !== reference)
    return (
      (parent?.type === 'AssignmentExpression' && parent.left === at) ||
      parent?.type === 'UpdateExpression' ||
      (parent?.type === 'UnaryExpression' && parent.operator === 'delete')
    );
  if (!isCall(parent) || parent.callee === reference) return false;
  const callee = unwrap(parent.callee);
  const name = isMember(callee) ? (memberName(callee) ?? '') : '';
  return name === 'assign' ? parent.arguments[0] === reference : !(QUERIES.has(name) || READERS.test(name));
}
