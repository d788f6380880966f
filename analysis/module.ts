// One light walk over a parsed module: gives every node its parent and lists the nodes of each type in source order.
// Rules and facts then touch only the nodes of the types they ask for. (A @babel/traverse walk costs 3-6 times the parse, this one a tenth.)
import { setParent, type Node, type NodeOfType, type NodeType, type t } from './ast.ts';
import { VISITOR_KEYS } from './visitor-keys.ts';

// Types have no run-time effect; their identifiers are not references.
const TYPE_KEYS: ReadonlySet<string> = new Set([
  'typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeParameters', 'superTypeArguments', 'implements', 'predicate', 'variance',
]);

// TypeScript's nodes that run, and Flow's nodes that don't.
const TS_RUNTIME = /^TS(?:AsExpression|SatisfiesExpression|NonNullExpression|TypeAssertion|InstantiationExpression|ExportAssignment|ImportEqualsDeclaration|ExternalModuleReference|ParameterProperty|ModuleDeclaration|ModuleBlock|EnumDeclaration|EnumBody|EnumMember)$/;
const FLOW_TYPE = /^(?:Declare\w+|InterfaceDeclaration|OpaqueType|TypeAlias)$/;

/** Deeper trees are refused: rules climb and descend, so that a chain of 100,000 calls would cost them its square. The deepest of 12,262 real files, bundles left out, has 121 levels. */
export const MAX_DEPTH = 1500;

const RUNTIME_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(VISITOR_KEYS).map(([type, keys]) => [type, (type.startsWith('TS') && !TS_RUNTIME.test(type)) || FLOW_TYPE.test(type) ? [] : keys.filter((key) => !TYPE_KEYS.has(key))]),
);

export class ModuleIndex {
  readonly ast: t.File;
  readonly program: t.Program;
  /** Nodes on the longest way from the program down to a leaf; nothing below `MAX_DEPTH` is listed. */
  depth = 0;
  readonly #byType = new Map<string, { nodes: Node[]; keys: readonly string[] }>();

  #imported: ReadonlySet<string> | undefined;

  constructor(ast: t.File) {
    this.ast = ast;
    this.program = ast.program;
    this.#visit(ast.program, 1);
    if ((ast as t.File & { errors?: readonly unknown[] | null }).errors?.length) this.#dropMissingArguments();
  }

  /** All nodes of a type, in source order. */
  nodes<T extends NodeType>(type: T): readonly NodeOfType<T>[] {
    return (this.#byType.get(type)?.nodes ?? []) as unknown as readonly NodeOfType<T>[];
  }

  has(type: NodeType): boolean {
    return this.#byType.has(type);
  }

  /** Specifiers that the module imports or requires with a literal. */
  importedModules(): ReadonlySet<string> {
    if (this.#imported) return this.#imported;
    const names = new Set<string>();
    for (const node of this.nodes('ImportDeclaration')) if (node.importKind !== 'type') names.add(node.source.value);
    for (const node of this.nodes('CallExpression')) {
      const [first] = node.arguments;
      if (first?.type === 'StringLiteral' && ((node.callee.type === 'Identifier' && node.callee.name === 'require') || node.callee.type === 'Import')) names.add(first.value);
    }
    return (this.#imported = names);
  }

  /** Babel recovers from `f(a, , b)` with an argument that is null, which its own types rule out. */
  #dropMissingArguments(): void {
    for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const) {
      for (const call of this.nodes(type)) {
        if (call.arguments.some((argument) => (argument as Node | null) === null)) call.arguments = call.arguments.filter(Boolean);
      }
    }
  }

  // Recursive, because that is a quarter faster than a stack of our own; `MAX_DEPTH` keeps it from overflowing Node's.
  #visit(node: Node, depth: number): void {
    if (depth > this.depth) this.depth = depth;
    if (depth > MAX_DEPTH) return;
    let entry = this.#byType.get(node.type);
    if (!entry) this.#byType.set(node.type, (entry = { nodes: [], keys: RUNTIME_KEYS.get(node.type) ?? [] }));
    entry.nodes.push(node);
    if (isLeaf(node)) return;
    const { keys } = entry;
    for (let k = 0; k < keys.length; k++) {
      const child = (node as unknown as Record<string, unknown>)[keys[k] as string];
      if (!child) continue;
      if (Array.isArray(child)) {
        for (let i = 0; i < child.length; i++) {
          const item = child[i] as Node | null;
          if (!item) continue;
          setParent(item, node);
          this.#visit(item, depth + 1);
        }
      } else {
        setParent(child as Node, node);
        this.#visit(child as Node, depth + 1);
      }
    }
  }
}

/** Half of all nodes are identifiers, and of those only parameters have something below them: decorators. Their keys need not be tried one by one. */
function isLeaf(node: Node): boolean {
  return node.type === 'Identifier' && !node.decorators;
}

/** Every node below and including `root`, in source order, types left out; `enter` returns false to leave a subtree out and `'stop'` to end the walk. */
export function walkWithin(root: Node, enter: (node: Node) => boolean | 'stop' | void): void {
  visitWithin(root, enter);
}

// Recursive like the index, whose depth limit holds for it too; nothing is listed that an early end would leave unread.
function visitWithin(node: Node, enter: (node: Node) => boolean | 'stop' | void): boolean {
  const answer = enter(node);
  if (answer === false) return false;
  if (answer === 'stop') return true;
  if (isLeaf(node)) return false;
  const keys = RUNTIME_KEYS.get(node.type);
  if (!keys) return false;
  for (let k = 0; k < keys.length; k++) {
    const child = (node as unknown as Record<string, unknown>)[keys[k] as string];
    if (!child) continue;
    if (Array.isArray(child)) {
      for (let i = 0; i < child.length; i++) if (child[i] && visitWithin(child[i] as Node, enter)) return true;
    } else if (visitWithin(child as Node, enter)) return true;
  }
  return false;
}
