// What types say about values: an annotation that names a class means an instance of it, or of a class that implements it.
import type { Node, t } from '../../module/ast.ts';
import { EXPORTS_NODE } from './builder.ts';
import { merged } from './expressions.ts';
import type { Flow } from './walk.ts';
import { ELEMENT, ObjectKind, Op } from './format.ts';

/** Built-in types without a class of the project. Checked by name, because a class of such a name is rare. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  'Record',
  'Date',
  'RegExp',
  'Error',
  'Buffer',
  'String',
  'Number',
  'Boolean',
  'Object',
  'Function',
  'Symbol',
  'Uint8Array',
  'ArrayBuffer',
  'URL',
  'Pick',
  'Omit',
  'Exclude',
  'Extract',
  'ReturnType',
  'Parameters',
  'NodeJS',
  'T',
  'K',
  'V',
  'any',
]);
/** Types that stand for their type argument. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'Promise',
  'PromiseLike',
  'Partial',
  'Readonly',
  'Required',
  'NonNullable',
  'Awaited',
  'Mutable',
  'Observable',
  'Type',
  'Provider',
  'LazyModule',
  'Ref',
  'Relation',
]);
const LISTS: ReadonlySet<string> = new Set([
  'Array',
  'ReadonlyArray',
  'Set',
  'ReadonlySet',
  'Iterable',
  'AsyncIterable',
  'IterableIterator',
  'WeakSet',
]);
const MAPS: ReadonlySet<string> = new Set(['Map', 'ReadonlyMap', 'WeakMap', 'Record']);

// `Promise<Array<Promise<X>>>`: real code needs two or three levels.
const MAX_DEPTH = 6;

/** The node of a type annotation; 0 for types that have no functions. */
export function readTypeOf(flow: Flow, annotation: Node | null | undefined): number {
  return annotation ? read(flow, annotation, 0) : 0;
}

function read(flow: Flow, type: Node, depth: number): number {
  if (depth > MAX_DEPTH) return 0;
  switch (type.type) {
    case 'TSTypeAnnotation':
      return read(flow, type.typeAnnotation, depth);
    case 'TSParenthesizedType':
      return read(flow, type.typeAnnotation, depth + 1);
    case 'TSTypeReference':
      return readReference(flow, type, depth);
    case 'TSUnionType':
    case 'TSIntersectionType':
      return merged(
        flow,
        type.types.map((one) => read(flow, one, depth + 1)),
      );
    case 'TSArrayType':
      return listOf(flow, read(flow, type.elementType, depth + 1));
    case 'TSTypeQuery': {
      const { exprName } = type;
      return exprName.type === 'Identifier' ? valueOf(flow, exprName.name) : 0;
    }
    default:
      return 0;
  }
}

function listOf(flow: Flow, element: number): number {
  if (element === 0) return 0;
  const object = flow.out.object(ObjectKind.Array);
  flow.out.field(object, flow.out.text(ELEMENT), element);
  return flow.out.holding(object);
}

function readReference(flow: Flow, type: t.TSTypeReference, depth: number): number {
  const { typeName } = type;
  const parameters = type.typeParameters?.params ?? [];
  if (typeName.type === 'Identifier') {
    const { name } = typeName;
    const last = parameters.at(-1);
    if (TRANSPARENT.has(name)) return parameters[0] ? read(flow, parameters[0], depth + 1) : 0;
    if (LISTS.has(name)) return parameters[0] ? listOf(flow, read(flow, parameters[0], depth + 1)) : 0;
    if (MAPS.has(name)) return last ? listOf(flow, read(flow, last, depth + 1)) : 0;
    if (PLAIN_TYPES.has(name)) return 0;
    return instanceOf(flow, typeNode(flow, name));
  }
  // `models.User`
  if (typeName.type !== 'TSQualifiedName' || typeName.left.type !== 'Identifier') return 0;
  const holder = valueOf(flow, typeName.left.name) || typeNode(flow, typeName.left.name);
  return holder === 0 ? 0 : instanceOf(flow, flow.load(holder, typeName.right.name));
}

function instanceOf(flow: Flow, type: number): number {
  if (type === 0) return 0;
  const node = flow.out.node();
  flow.out.op(Op.Instance, node, type);
  return node;
}

function valueOf(flow: Flow, name: string): number {
  const binding = flow.binding(name);
  return binding ? flow.nodeOf(binding) : 0;
}

/** The node of the class or interface that a name means in a type position. */
export function typeNode(flow: Flow, name: string): number {
  return flow.typeNodes.get(name) ?? valueOf(flow, name);
}

/** Declares names that only exist as types: `import type`, interfaces. Must run before the walk. */
export function declareTypes(flow: Flow): void {
  const {
    out,
    facts: { module },
  } = flow;
  for (const statement of module.nodes('ImportDeclaration')) {
    for (const specifier of statement.specifiers) {
      const isType = statement.importKind === 'type' || (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type');
      if (!isType) continue;
      const node = out.node();
      flow.typeNodes.set(specifier.local.name, node);
      const from = out.text(statement.source.value);
      if (specifier.type === 'ImportDefaultSpecifier') out.op(Op.ImportDefault, node, from);
      else if (specifier.type === 'ImportNamespaceSpecifier') out.op(Op.Import, node, from);
      else {
        const whole = out.node();
        out.op(Op.Import, whole, from);
        out.op(
          Op.Load,
          node,
          whole,
          out.text(specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value),
        );
      }
    }
  }
}

/** An interface stands for the classes that implement it, an alias for the type that it names. */
export function declareInterface(flow: Flow, node: t.TSInterfaceDeclaration | t.TSTypeAliasDeclaration): void {
  const { out } = flow;
  const name = node.id.name;
  if (flow.typeNodes.has(name) || flow.binding(name)) return;
  if (node.type === 'TSInterfaceDeclaration')
    flow.typeNodes.set(name, out.holding(out.object(ObjectKind.Interface, -1, -1, out.text(name))));
  else if (node.typeAnnotation.type === 'TSTypeReference' && node.typeAnnotation.typeName.type === 'Identifier') {
    const target = typeNode(flow, node.typeAnnotation.typeName.name);
    if (target !== 0) flow.typeNodes.set(name, target);
  }
}

export function exportType(flow: Flow, name: string): void {
  const node = flow.typeNodes.get(name);
  if (node !== undefined) flow.out.store(EXPORTS_NODE, flow.out.text(name), node);
}
