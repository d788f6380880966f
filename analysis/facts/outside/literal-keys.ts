// The few names that a computed key may have, by its declared type or by what all callers pass: `log[level](text)`.
import { endOf, isCall, isFunction, parentOf, startOf, unwrap, type FunctionNode, type Node, type t } from '../../module/ast.ts';
import type { Binding } from '../bindings.ts';
import type { Facts } from '../index.ts';

/** With more names, a key tells little more than that it is one of them. */
const MOST_NAMES = 24;
/** How many types may name each other. */
const DEEPEST_TYPE = 6;

/** All names that a key may have; undefined if it may have others. */
export function literalKeys(key: Node, facts: Facts): readonly string[] | undefined {
  const node = unwrap(key);
  if (node.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(node);
  if (!binding) return undefined;
  const known = facts.remember('names of keys', () => new Map<Binding, readonly string[] | undefined>());
  if (!known.has(binding)) known.set(binding, keysIn(binding, facts));
  return known.get(binding);
}

function keysIn(binding: Binding, facts: Facts): readonly string[] | undefined {
  const { typeAnnotation } = binding.identifier;
  const names =
    typeAnnotation?.type === 'TSTypeAnnotation'
      ? namesOf(typeAnnotation.typeAnnotation, binding.identifier, facts, 0)
      : namesFromCallers(binding, facts);
  return names && names.size > 0 && names.size <= MOST_NAMES && ![...names].some((name) => /^\d+$/.test(name)) ? [...names] : undefined;
}

/** `at`: where the type is used. */
function namesOf(type: t.TSType, at: Node, facts: Facts, depth: number): ReadonlySet<string> | undefined {
  if (depth > DEEPEST_TYPE) return undefined;
  switch (type.type) {
    case 'TSParenthesizedType':
      return namesOf(type.typeAnnotation, at, facts, depth);
    case 'TSLiteralType':
      return type.literal.type === 'StringLiteral' ? new Set([type.literal.value]) : undefined;
    case 'TSUndefinedKeyword':
    case 'TSNullKeyword':
      return new Set();
    case 'TSUnionType': {
      const all = new Set<string>();
      for (const one of type.types) {
        const names = namesOf(one, at, facts, depth + 1);
        if (!names) return undefined;
        for (const name of names) all.add(name);
        if (all.size > MOST_NAMES) return undefined;
      }
      return all;
    }
    case 'TSTypeReference':
      return type.typeName.type === 'Identifier' ? namesOfAlias(type.typeName.name, at, facts, depth) : undefined;
    case 'TSIndexedAccessType':
      return type.indexType.type === 'TSNumberKeyword' ? namesInTable(type.objectType, at, facts) : undefined;
    default:
      return undefined;
  }
}

function namesOfAlias(name: string, at: Node, facts: Facts, depth: number): ReadonlySet<string> | undefined {
  const alias = aliasesOf(facts).get(name);
  if (!alias || alias.typeParameters || !isVisible(alias, at)) return undefined;
  // A union may name the same alias hundreds of times. If one member has no known names, the whole union has none, and is left at once.
  const known = facts.remember('names of type aliases', () => new Map<Node, ReadonlySet<string>>());
  const names = known.get(alias) ?? namesOf(alias.typeAnnotation, alias, facts, depth + 1);
  if (names) known.set(alias, names);
  return names;
}

/** Whether a node is in the block of an alias, and no type parameter of its name hides it. */
function isVisible(alias: t.TSTypeAliasDeclaration, at: Node): boolean {
  const holder = parentOf(alias);
  const block = holder?.type === 'ExportNamedDeclaration' ? parentOf(holder) : holder;
  let node: Node | undefined = at;
  while (node && node !== block) {
    const { typeParameters } = node as { typeParameters?: t.TSTypeParameterDeclaration | t.Noop | null };
    if (typeParameters?.type === 'TSTypeParameterDeclaration' && typeParameters.params.some(({ name }) => name === alias.id.name))
      return false;
    node = parentOf(node);
  }
  return node !== undefined;
}

/** Those whose names the file declares once, and for nothing else that is a type. */
function aliasesOf(facts: Facts): ReadonlyMap<string, t.TSTypeAliasDeclaration | undefined> {
  return facts.remember('type aliases by name', () => typeAliases(facts));
}

function typeAliases({ module }: Facts): ReadonlyMap<string, t.TSTypeAliasDeclaration | undefined> {
  const aliases = new Map<string, t.TSTypeAliasDeclaration | undefined>();
  for (const alias of module.nodes('TSTypeAliasDeclaration')) aliases.set(alias.id.name, aliases.has(alias.id.name) ? undefined : alias);
  for (const type of ['TSInterfaceDeclaration', 'TSEnumDeclaration', 'ClassDeclaration'] as const)
    for (const { id } of module.nodes(type)) if (id) aliases.set(id.name, undefined);
  for (const type of ['ImportSpecifier', 'ImportDefaultSpecifier'] as const)
    for (const { local } of module.nodes(type)) aliases.set(local.name, undefined);
  return aliases;
}

/** `(typeof LEVELS)[number]`, of `const LEVELS = ['info', 'warn'] as const` */
function namesInTable(type: t.TSType, at: Node, { bindings }: Facts): ReadonlySet<string> | undefined {
  const query = type.type === 'TSParenthesizedType' ? type.typeAnnotation : type;
  if (query.type !== 'TSTypeQuery' || query.exprName.type !== 'Identifier') return undefined;
  const { declaration, kind } = bindings.lookUp(query.exprName.name, at) ?? {};
  const init = kind === 'const' && declaration?.type === 'VariableDeclarator' ? declaration.init : undefined;
  if (init?.type !== 'TSAsExpression' || init.expression.type !== 'ArrayExpression') return undefined;
  const names = new Set<string>();
  for (const element of init.expression.elements) {
    if (element?.type !== 'StringLiteral') return undefined;
    names.add(element.value);
  }
  return names;
}

/** Of a parameter that every call gives a text. */
function namesFromCallers(binding: Binding, { bindings }: Facts): Set<string> | undefined {
  const fn = binding.declaration;
  if (binding.kind !== 'param' || !isFunction(fn) || bindings.assignedValues(binding).length > 0) return undefined;
  const position = (fn.params as readonly Node[]).indexOf(binding.identifier);
  const name = position < 0 ? undefined : nameOf(fn);
  const holder = name && bindings.resolve(name);
  if (!holder || !bindings.isConstant(holder)) return undefined;
  // `const run = function self(kind) { … self('other') … }`
  const own = bindings.scopeOf(fn)?.own;
  const names = new Set<string>();
  for (const reference of [...bindings.references(holder), ...(own ? bindings.references(own) : [])]) {
    const call = parentOf(reference);
    const passed = isCall(call) && call.callee === reference ? call.arguments.slice(0, position + 1) : undefined;
    const value = passed?.[position];
    if (value?.type !== 'StringLiteral' || passed?.some(({ type }) => type === 'SpreadElement')) return undefined;
    names.add(value.value);
  }
  // `arguments[0] = 'other'` changes the parameter.
  return bindings.identifiersNamed('arguments').some((one) => isWithin(one, fn)) ? undefined : names;
}

function isWithin(node: Node, outer: Node): boolean {
  return startOf(node) >= startOf(outer) && endOf(node) <= endOf(outer);
}

/** The name under which only its file knows a function. */
function nameOf(fn: FunctionNode): t.Identifier | undefined {
  const holder = parentOf(fn);
  const isExported = (node: Node | undefined): boolean => node?.type.startsWith('Export') === true;
  if (fn.type === 'FunctionDeclaration') return isExported(holder) ? undefined : (fn.id ?? undefined);
  const statement = holder && parentOf(holder);
  return holder?.type === 'VariableDeclarator' && holder.id.type === 'Identifier' && !isExported(statement && parentOf(statement))
    ? holder.id
    : undefined;
}
