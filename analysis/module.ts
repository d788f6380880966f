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

const RUNTIME_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(VISITOR_KEYS).map(([type, keys]) => [type, (type.startsWith('TS') && !TS_RUNTIME.test(type)) || FLOW_TYPE.test(type) ? [] : keys.filter((key) => !TYPE_KEYS.has(key))]),
);

export class ModuleIndex {
  readonly ast: t.File;
  readonly program: t.Program;
  /** Nodes on the longest way from the program down to a leaf. */
  readonly depth: number;
  readonly #byType = new Map<string, Node[]>();

  constructor(ast: t.File) {
    this.ast = ast;
    this.program = ast.program;
    this.depth = this.#walk(ast.program);
    if ((ast as t.File & { errors?: readonly unknown[] | null }).errors?.length) this.#dropMissingArguments();
  }

  /** All nodes of a type, in source order. */
  nodes<T extends NodeType>(type: T): readonly NodeOfType<T>[] {
    return (this.#byType.get(type) ?? []) as unknown as readonly NodeOfType<T>[];
  }

  has(type: NodeType): boolean {
    return this.#byType.has(type);
  }

  /** Babel recovers from `f(a, , b)` with an argument that is null, which its own types rule out. */
  #dropMissingArguments(): void {
    for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const) {
      for (const call of this.nodes(type)) {
        if (call.arguments.some((argument) => (argument as Node | null) === null)) call.arguments = call.arguments.filter(Boolean);
      }
    }
  }

  // An explicit stack: code that Babel could parse must not overflow ours.
  #walk(root: Node): number {
    const byType = this.#byType;
    const stack: Node[] = [root];
    const depths: number[] = [1];
    let deepest = 1;
    while (stack.length > 0) {
      const node = stack.pop() as Node;
      const depth = (depths.pop() as number) + 1;
      if (depth > deepest) deepest = depth;
      const list = byType.get(node.type);
      if (list) list.push(node);
      else byType.set(node.type, [node]);
      const keys = RUNTIME_KEYS.get(node.type);
      if (!keys) continue;
      // Pushed last to first, so that they come off in source order.
      for (let k = keys.length - 1; k >= 0; k--) {
        const child = (node as unknown as Record<string, unknown>)[keys[k] as string];
        if (Array.isArray(child)) {
          for (let i = child.length - 1; i >= 0; i--) {
            const item = child[i] as Node | null;
            if (!item) continue;
            setParent(item, node);
            stack.push(item);
            depths.push(depth);
          }
        } else if (child) {
          setParent(child as Node, node);
          stack.push(child as Node);
          depths.push(depth);
        }
      }
    }
    return deepest;
  }
}

/** Every node below and including `root`, in source order, types left out; `enter` returns false to leave a subtree out. */
export function walkWithin(root: Node, enter: (node: Node) => boolean | void): void {
  const stack: Node[] = [root];
  while (stack.length > 0) {
    const node = stack.pop() as Node;
    if (enter(node) === false) continue;
    const keys = RUNTIME_KEYS.get(node.type);
    if (!keys) continue;
    for (let k = keys.length - 1; k >= 0; k--) {
      const child = (node as unknown as Record<string, unknown>)[keys[k] as string];
      if (Array.isArray(child)) {
        for (let i = child.length - 1; i >= 0; i--) if (child[i]) stack.push(child[i] as Node);
      } else if (child) {
        stack.push(child as Node);
      }
    }
  }
}
