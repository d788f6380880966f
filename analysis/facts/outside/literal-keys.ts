// The few names that a computed key may have, by its declared type or by what all callers pass: `log[level](text)`.
import { isCall, isFunction, parentOf, unwrap, type FunctionNode, type Node, type t } from '../../module/ast.ts';
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
    typeAnnotation?.type === 'TSTypeAnnotation' ? namesOf(typeAnnotation.typeAnnotation, facts, 0) : namesFromCallers(binding, facts);
  return names && names.size > 0 && names.size <= MOST_NAMES && ![...names].some((name) => /^\d+$/.test(name)) ? [...names] : undefined;
}

function namesOf(type: t.TSType, facts: Facts, depth: number): Set<string> | undefined {
  if (depth > DEEPEST_TYPE) return undefined;
  switch (type.type) {
    case 'TSParenthesizedType':
      return namesOf(type.typeAnnotation, facts, depth);
    case 'TSLiteralType':
      return type.literal.type === 'StringLiteral' ? new Set([type.literal.value]) : undefined;
    case 'TSUndefinedKeyword':
    case 'TSNullKeyword':
      return new Set();
    case 'TSUnionType': {
      const all = new Set<string>();
      for (const one of type.types) {
        const names = namesOf(one, facts, depth + 1);
        if (!names) return undefined;
        for (const name of names) all.add(name);
      }
      return all;
    }
    case 'TSTypeReference': {
      const { typeName } = type;
      if (typeName.type !== 'Identifier') return undefined;
      const alias = aliasesOf(facts).get(typeName.name);
      return alias && !alias.typeParameters ? namesOf(alias.typeAnnotation, facts, depth + 1) : undefined;
    }
    case 'TSIndexedAccessType':
      return type.indexType.type === 'TSNumberKeyword' ? namesInTable(type.objectType, facts) : undefined;
    default:
      return undefined;
  }
}

/** Those whose names the file declares once. */
function aliasesOf(facts: Facts): ReadonlyMap<string, t.TSTypeAliasDeclaration | undefined> {
  return facts.remember('type aliases by name', () => {
    const aliases = new Map<string, t.TSTypeAliasDeclaration | undefined>();
    for (const alias of facts.module.nodes('TSTypeAliasDeclaration'))
      aliases.set(alias.id.name, aliases.has(alias.id.name) ? undefined : alias);
    return aliases;
  });
}

/** `(typeof LEVELS)[number]`, of `const LEVELS = ['info', 'warn'] as const` */
function namesInTable(type: t.TSType, { bindings, module }: Facts): Set<string> | undefined {
  const query = type.type === 'TSParenthesizedType' ? type.typeAnnotation : type;
  if (query.type !== 'TSTypeQuery' || query.exprName.type !== 'Identifier') return undefined;
  const { declaration, kind } = bindings.lookUp(query.exprName.name, module.program) ?? {};
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
  const own = name && bindings.resolve(name);
  if (!own || !bindings.isConstant(own)) return undefined;
  const names = new Set<string>();
  for (const reference of bindings.references(own)) {
    const call = parentOf(reference);
    const passed = isCall(call) && call.callee === reference ? call.arguments.slice(0, position + 1) : undefined;
    const value = passed?.[position];
    if (value?.type !== 'StringLiteral' || passed?.some(({ type }) => type === 'SpreadElement')) return undefined;
    names.add(value.value);
  }
  return names;
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
