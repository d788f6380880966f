// Objects that are meant to lose keys: dictionaries, sessions, headers, caches, host objects. V8 rightly keeps them as hash tables.
import { isMember, memberName, parentOf, staticName, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';

const DICTIONARY_NAMES =
  /(?:^|[a-z_$])(?:headers?|cookies?|sess(?:ion)?s?|caches?|registry|env|environment|store|storage|maps?|dict(?:ionary)?|lookup|table|handlers|listeners|timers|callbacks|pending|attributes|attrs|globals?|process|window|document|localStorage|require|exports|module|options|opts|config|conf|settings|schemas?|query|where|with|select|projection|populate|defaults|filters?|constraints|prototype|__proto__|locals|dataset|refs)$/i;
const DICTIONARY_SUFFIX = /(?:Map|Dict|ById|ByName|ByKey|Index)$/;

// Parts of host objects, modules and JSON schemas. Deleting them is not about records.
const HOST_FIELDS: ReadonlySet<string> = new Set(['prototype', '__proto__', 'constructor', 'stack', 'default', 'const', 'enum']);

const FIELD_NAME = /^[\p{L}_][\w\p{L}]*$/u;

/**
 * Whether `delete object.field` removes an entry of a dictionary or a part of a host object, not a field of a record, judged by the names.
 */
export function isEntryByName(object: Node, field: string): boolean {
  // Fields of records have names like identifiers. `'sec-fetch-mode'` and `$or` of a query are keys.
  if (HOST_FIELDS.has(field) || !FIELD_NAME.test(field)) return true;
  const node = unwrap(object);
  const name = node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined;
  return name !== undefined && isDictionaryName(name);
}

/** Whether a name is one for dictionaries, settings or parts of queries. A leading `$` marks an operator. */
export function isDictionaryName(name: string): boolean {
  return DICTIONARY_NAMES.test(name) || DICTIONARY_SUFFIX.test(name) || /^\$\w/.test(name);
}

// Types whose values are dictionaries, whatever they are called.
const DICTIONARY_TYPES: ReadonlySet<string> = new Set(['Dictionary', 'NodeJS.Dict', 'Dict', 'Map', 'WeakMap']);

/** `counts: Record<string, number>`, `rows: { [id: string]: Row }`, and a type of the file that is one of these. */
export function isTypedAsDictionary(facts: Facts, identifier: Node): boolean {
  const binding = identifier.type === 'Identifier' ? facts.bindings.resolve(identifier) : undefined;
  const annotation = binding?.identifier.typeAnnotation;
  return annotation?.type === 'TSTypeAnnotation' && isDictionaryType(facts, annotation.typeAnnotation, 0);
}

function isDictionaryType(facts: Facts, type: t.TSType, depth: number): boolean {
  if (type.type === 'TSTypeLiteral') return isIndexed(type.members);
  if (type.type !== 'TSTypeReference' || depth > DEEPEST_TYPE) return false;
  const name = facts.source.slice(type.typeName);
  const [first] = type.typeParameters?.params ?? [];
  // `Partial<Record<string, number>>` is one, `Partial<User>` is not.
  if (name === 'Partial' || name === 'Readonly') return first !== undefined && isDictionaryType(facts, first, depth + 1);
  if (name === 'Record') return first === undefined || !isListOfNames(first);
  if (DICTIONARY_TYPES.has(name)) return true;
  return (
    facts.module
      .nodes('TSTypeAliasDeclaration')
      .some(({ id, typeAnnotation }) => id.name === name && isDictionaryType(facts, typeAnnotation, depth + 1)) ||
    facts.module.nodes('TSInterfaceDeclaration').some(({ id, body }) => id.name === name && isIndexed(body.body))
  );
}

const DEEPEST_TYPE = 4;

/** `{ [id: string]: Row }`, without further fields. */
function isIndexed(members: readonly t.TSTypeElement[]): boolean {
  return members.length > 0 && members.every(({ type }) => type === 'TSIndexSignature');
}

/** `Record<'id' | 'name', string>` has fields. */
function isListOfNames(type: t.TSType): boolean {
  return type.type === 'TSLiteralType' || (type.type === 'TSUnionType' && type.types.every(isListOfNames));
}

/** `Object.create(null)`, `{ __proto__: null }`, and a `{}` that only gets computed keys. */
export function isMadeAsDictionary(facts: Facts, node: Node): boolean {
  if (node.type !== 'Identifier') return false;
  if (isTypedAsDictionary(facts, node)) return true;
  const binding = facts.bindings.resolve(node);
  if (binding?.declaration.type !== 'VariableDeclarator' || binding.declaration.id !== binding.identifier || !binding.declaration.init)
    return false;
  const init = unwrap(binding.declaration.init);
  if (init.type === 'CallExpression')
    return isMember(init.callee) && memberName(init.callee) === 'create' && init.arguments[0]?.type === 'NullLiteral';
  if (init.type !== 'ObjectExpression') return false;
  if (
    init.properties.some(
      (property) =>
        property.type === 'ObjectProperty' &&
        staticName(property.key, property.computed) === '__proto__' &&
        property.value.type === 'NullLiteral',
    )
  )
    return true;
  return (
    init.properties.length === 0 &&
    facts.bindings.references(binding).some((reference) => {
      const member = parentOf(reference);
      const write = member && parentOf(member);
      return (
        isMember(member) &&
        member.object === reference &&
        memberName(member) === undefined &&
        write?.type === 'AssignmentExpression' &&
        write.left === member
      );
    })
  );
}
