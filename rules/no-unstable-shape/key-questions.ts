// Code that asks which keys an object has. To it, a field that is undefined and one that is missing are not the same.
import { contains, isCall, isMember, memberName, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';

export interface KeyQuestion {
  node: Node;
  /** As a message says it: `"x" in …`. */
  text: string;
}

/** Functions that list the keys of their first argument, of any library. */
const LISTING =
  /^(?:keys|keysIn|entries|entriesIn|toPairs|values|fromEntries|getOwnPropertyNames|getOwnPropertyDescriptors?|ownKeys|forOwn|forIn|isEmpty|size|mapKeys|mapValues|assign|merge|extend|defaults|defaultsDeep|omit|omitBy|pickBy|isEqual|deepEqual|deepStrictEqual|equal|structuredClone)$/;
/** Functions that ask for one key, by its name. */
const ASKING = /^(?:hasOwn|hasOwnProperty|has|hasIn|hasProp|propertyIsEnumerable|getOwnPropertyDescriptor)$/;

/**
 * A place of the file that asks for one of the keys, or for all keys of an object that may be the one: everything but a module, a global, a
 * function or a literal may be. What makes the object (`made`) runs before the field goes, and asks another object.
 */
export function findKeyQuestion(fields: readonly string[], facts: Facts, made?: Node): KeyQuestion | undefined {
  const { ofAnyKey, byKey } = facts.remember('questions for keys', () => collect(facts));
  for (const nodes of [ofAnyKey, ...fields.map((field) => byKey.get(field) ?? [])]) {
    const node = nodes.find((one) => !made || !contains(made, one));
    if (node) return { node, text: `\`${textOf(node, facts)}\`` };
  }
  return undefined;
}

interface KeyQuestions {
  /** In source order by type: what lists the keys, or asks for one by an expression. */
  ofAnyKey: Node[];
  byKey: ReadonlyMap<string, Node[]>;
}

/** Found once for a file: it may have thousands of findings. */
function collect(facts: Facts): KeyQuestions {
  const { module } = facts;
  const ofAnyKey: Node[] = [];
  const byKey = new Map<string, Node[]>();
  const put = (key: string, node: Node): void => {
    const nodes = byKey.get(key);
    if (nodes) nodes.push(node);
    else byKey.set(key, [node]);
  };
  for (const node of module.nodes('BinaryExpression')) {
    if (node.operator !== 'in') continue;
    if (node.left.type === 'StringLiteral') put(node.left.value, node);
    else ofAnyKey.push(node);
  }
  for (const node of module.nodes('ForInStatement')) if (mayBeRecord(node.right, facts)) ofAnyKey.push(node);
  for (const type of ['CallExpression', 'OptionalCallExpression'] as const) {
    for (const call of module.nodes(type)) {
      const keys = queriedKeys(call, facts);
      if (keys === 'any') ofAnyKey.push(call);
      else for (const key of keys) put(key, call);
    }
  }
  for (const spread of module.nodes('SpreadElement')) {
    const literal = parentOf(spread);
    // `{ ...row }` copies undefined as undefined. Behind other properties, it replaces theirs.
    if (literal?.type === 'ObjectExpression' && literal.properties[0] !== spread && mayBeRecord(spread.argument, facts))
      ofAnyKey.push(spread);
  }
  return { ofAnyKey, byKey };
}

function textOf(node: Node, facts: Facts): string {
  if (node.type === 'ForInStatement') return `for (… in ${facts.source.slice(node.right)})`;
  if (node.type === 'SpreadElement') return `{ …, ...${facts.source.slice(node.argument)} }`;
  return node.type === 'BinaryExpression' ? facts.source.slice(node) : shortened(node, facts);
}

function queriedKeys(call: t.CallExpression | t.OptionalCallExpression, facts: Facts): readonly string[] | 'any' {
  const callee = unwrap(call.callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  if (name === undefined) return [];
  // `hasOwnProperty.call(row, 'x')`
  const method = name === 'call' && isMember(callee) && isMember(callee.object) ? memberName(callee.object) : name;
  if (ASKING.test(method ?? '')) {
    const keys = call.arguments.filter((argument) => argument.type === 'StringLiteral').map(({ value }) => value);
    return keys.length === 0 && call.arguments.length > 0 && !isSet(callee) ? 'any' : keys;
  }
  const [first] = call.arguments;
  return LISTING.test(name) && first !== undefined && call.arguments.some((argument) => mayBeRecord(argument, facts)) ? 'any' : [];
}

/** `seen.has(id)`: one argument, no literal. A Set or a Map holds values, not fields. */
function isSet(callee: Node): boolean {
  return isMember(callee) && memberName(callee) === 'has';
}

function mayBeRecord(expression: Node, facts: Facts): boolean {
  const node = unwrap(expression);
  if (node.type === 'Identifier') {
    const binding = facts.bindings.resolve(node);
    return binding !== undefined && binding.kind !== 'import' && binding.kind !== 'function' && binding.kind !== 'class';
  }
  if (isMember(node)) {
    const object = unwrap(node.object);
    return !(object.type === 'Identifier' && facts.bindings.isGlobal(object));
  }
  return isCall(node);
}

function shortened(node: Node, facts: Facts): string {
  const text = facts.source.slice(node).replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
