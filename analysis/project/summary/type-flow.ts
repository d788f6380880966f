// What types say about values: an annotation that names a class means an instance of it, or of a class that implements it.
import { FRAMEWORKS } from '../../../knowledge/frameworks.ts';
import { isMember, memberName, staticName, type ClassNode, type Node, type t } from '../../module/ast.ts';
import type { ModuleIndex } from '../../module/module-index.ts';
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
  }
  return instanceOf(flow, namedType(flow, typeName));
}

/** The node of the class or interface that a name means in a type position: `User`, `models.User`, `App.Services.Mailer`. */
function namedType(flow: Flow, name: Node): number {
  if (name.type === 'Identifier') return typeNode(flow, name.name);
  const names = namesOf(name);
  const [root = ''] = names;
  if (names.length < 2) return 0;
  let declared = valueOf(flow, root) || typeNode(flow, root);
  for (const one of names.slice(1)) declared = flow.load(declared, one);
  return merged(flow, [declared, namespaceType(flow, root, names)]);
}

/** The names of `App.Services.Mailer`, as a type or as an expression; empty for anything else. */
function namesOf(name: Node): readonly string[] {
  if (name.type === 'Identifier') return [name.name];
  const isType = name.type === 'TSQualifiedName';
  if (!isType && !isMember(name)) return [];
  const last = isType ? name.right.name : memberName(name);
  const before = namesOf(isType ? name.left : name.object);
  return before.length === 0 || last === undefined ? [] : [...before, last];
}

/** Namespaces of the platform and of widely used types, whose values are not the project's. */
const OTHER_NAMESPACES = /^(?:NodeJS|Express|React|JSX|Intl|WebAssembly|Prisma|Chai|Mocha|jest|google|chrome|Stripe)$/;
/** https://nodejs.org/api/ */
const CORE_MODULE =
  /^(?:node:.*|(?:assert|async_hooks|buffer|child_process|cluster|crypto|dgram|dns|events|fs|https?|http2|net|os|perf_hooks|readline|stream|timers|tls|url|util|v8|vm|worker_threads|zlib)(?:\/.*)?)$/;

/** Whether types of a package may stand for classes of the project. A class that implements `Request` is not what handlers get. */
function mayBeOwn(specifier: string): boolean {
  return !CORE_MODULE.test(specifier) && !FRAMEWORKS.some(({ packages }) => packages.includes(specifier));
}

/**
 * A type in a namespace that the whole project shares: one that nothing declares here, or that comes from a package under its own name. If
 * the package turns out to be a file of the project, its exports tell the type.
 */
function namespaceType(flow: Flow, root: string, names: readonly string[]): number {
  if (OTHER_NAMESPACES.test(root)) return 0;
  const specifier = importedAs(root, flow);
  if (specifier === undefined) return isOwnValue(flow, root) || ownNamespaces(flow).has(root) ? 0 : flow.namespaceType(names.join('.'));
  const { isShared, from } = specifier;
  return isShared && mayBeOwn(from) && !OF_PROJECT.test(from) ? flow.namespaceType(names.join('.'), from) : 0;
}

/** The start of a specifier that means a file, or that the project alone knows: `./api`, `#types`, `@/types`. */
const OF_PROJECT = /^(?:[./#~]|@\/)/;

/** By name: the namespaces that an ES module declares for itself. Those of scripts and of `declare global` belong to the whole project. */
function ownNamespaces({ facts }: Flow): ReadonlyMap<string, readonly t.TSModuleDeclaration[]> {
  return facts.remember('own namespaces', () => {
    const { module } = facts;
    const found = new Map<string, t.TSModuleDeclaration[]>();
    if (!isEsModule(module) && !module.has('TSExportAssignment')) return found;
    for (const statement of module.program.body) {
      const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (node?.type !== 'TSModuleDeclaration' || node.id.type !== 'Identifier' || node.id.name === 'global') continue;
      const known = found.get(node.id.name);
      if (known) known.push(node);
      else found.set(node.id.name, [node]);
    }
    return found;
  });
}

export function isEsModule(module: ModuleIndex): boolean {
  return (
    module.has('ImportDeclaration') ||
    module.has('ExportNamedDeclaration') ||
    module.has('ExportDefaultDeclaration') ||
    module.has('ExportAllDeclaration')
  );
}

function isOwnValue(flow: Flow, root: string): boolean {
  const binding = flow.binding(root);
  return binding !== undefined && binding.kind !== 'namespace';
}

interface Imported {
  from: string;
  /** Whether others call it the same: `import App from '@acme/types'`, `import { App } from './app'`. */
  isShared: boolean;
}

function importedAs(name: string, { facts }: Flow): Imported | undefined {
  return facts.remember('imports by local name', () => importsOf(facts.module)).get(name);
}

function importsOf(module: ModuleIndex): ReadonlyMap<string, Imported> {
  const imports = new Map<string, Imported>();
  for (const node of module.nodes('ImportDeclaration'))
    for (const specifier of node.specifiers) {
      const { name } = specifier.local;
      const isNamed = specifier.type === 'ImportSpecifier';
      const isShared = isNamed ? staticName(specifier.imported, false) === name : specifier.type === 'ImportDefaultSpecifier';
      imports.set(name, { from: node.source.value, isShared });
    }
  return imports;
}

/** What a class says that it implements: `Mailer`, `App.Mailer`, `Partial<App.Mailer>`; 0 for what is not the project's. */
export function implementedType(flow: Flow, node: NonNullable<ClassNode['implements']>[number], depth = 0): number {
  const name: Node = 'expression' in node ? node.expression : node.id;
  if (name.type !== 'Identifier') return namedType(flow, name);
  if (TRANSPARENT.has(name.name)) {
    const [inner] = node.typeParameters?.params ?? [];
    return inner?.type === 'TSTypeReference' && depth === 0 ? namedType(flow, inner.typeName) : 0;
  }
  const from = importedAs(name.name, flow)?.from;
  return from === undefined || mayBeOwn(from) ? typeNode(flow, name.name) : 0;
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

/** The node of the class or interface that a single name means in a type position. */
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
  else if (node.typeAnnotation.type === 'TSTypeReference') {
    const target = namedType(flow, node.typeAnnotation.typeName);
    if (target !== 0) flow.typeNodes.set(name, target);
  }
}

/** A namespace that the file declares for itself is an object with its types. Must run when the scope of the program is open. */
export function declareNamespaces(flow: Flow): void {
  for (const [name, nodes] of ownNamespaces(flow)) {
    const binding = flow.binding(name);
    if (binding ? binding.kind !== 'namespace' : flow.typeNodes.has(name)) continue;
    const object = flow.literal();
    for (const { body } of nodes) declareMembers(flow, object, body);
    const held = flow.out.holding(object);
    if (binding) flow.out.copy(flow.nodeOf(binding), held);
    else flow.typeNodes.set(name, held);
  }
}

function declareMembers(flow: Flow, object: number, body: t.TSModuleBlock | t.TSModuleDeclaration): void {
  const { out } = flow;
  for (const statement of body.type === 'TSModuleBlock' ? body.body : [body]) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (node?.type === 'TSInterfaceDeclaration') {
      const { name } = node.id;
      // Inside the namespace, its own name is enough.
      const type = isDeclaredOnce(flow, name) ? flow.typeNodes.get(name) : undefined;
      out.field(object, out.text(name), type ?? out.holding(out.object(ObjectKind.Interface, -1, -1, out.text(name))));
    } else if (node?.type === 'TSModuleDeclaration' && node.id.type === 'Identifier') {
      const inner = flow.literal();
      declareMembers(flow, inner, node.body);
      out.field(object, out.text(node.id.name), out.holding(inner));
    }
  }
}

function isDeclaredOnce({ facts }: Flow, name: string): boolean {
  const counts = facts.remember('interfaces by name', () => {
    const found = new Map<string, number>();
    for (const { id } of facts.module.nodes('TSInterfaceDeclaration')) found.set(id.name, (found.get(id.name) ?? 0) + 1);
    return found;
  });
  return counts.get(name) === 1;
}

export function exportType(flow: Flow, name: string): void {
  const node = flow.typeNodes.get(name);
  if (node !== undefined) flow.out.store(EXPORTS_NODE, flow.out.text(name), node);
}
