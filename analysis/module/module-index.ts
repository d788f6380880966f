// A single light walk over a parsed module. It gives every node its parent, and lists the nodes of each type in source order. Rules and
// facts then only visit nodes of the types that they need. (A @babel/traverse walk takes 3 to 6 times as long as parsing, this one a tenth
// of it.)
import { endOf, parentOf, setParent, startOf, type FunctionNode, type Node, type NodeOfType, type NodeType, type t } from './ast.ts';
import type { OffsetChange } from './moved-findings.ts';
import type { Fragment } from './parse.ts';
import { VISITOR_KEYS } from './visitor-keys.ts';

// Types have no effect at run time, and their identifiers are not references.
const TYPE_KEYS: ReadonlySet<string> = new Set([
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeParameters',
  'superTypeArguments',
  'implements',
  'predicate',
  'variance',
]);

// TypeScript nodes that exist at run time, and Flow nodes that do not.
const TS_RUNTIME =
  /^TS(?:AsExpression|SatisfiesExpression|NonNullExpression|TypeAssertion|InstantiationExpression|ExportAssignment|ImportEqualsDeclaration|ExternalModuleReference|ParameterProperty|ModuleDeclaration|ModuleBlock|EnumDeclaration|EnumBody|EnumMember)$/;
const FLOW_TYPE = /^(?:Declare\w+|InterfaceDeclaration|OpaqueType|TypeAlias)$/;

/**
 * Deeper trees are rejected. Rules walk up and down, so a chain of 100,000 calls would take quadratic time. Among 12,262 real files without
 * bundles, the deepest has 121 levels.
 */
export const MAX_DEPTH = 1500;

/** The children of each type of node that exist at run time. */
export const RUNTIME_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(VISITOR_KEYS).map(([type, keys]) => [
    type,
    (type.startsWith('TS') && !TS_RUNTIME.test(type)) || FLOW_TYPE.test(type) ? [] : keys.filter((key) => !TYPE_KEYS.has(key)),
  ]),
);

interface NodeList {
  nodes: Node[];
  keys: readonly string[];
}

export class ModuleIndex {
  readonly ast: t.File;
  readonly program: t.Program;
  /** Length of the longest path from the program to a leaf. Nothing below `MAX_DEPTH` is listed. */
  depth = 0;
  #byType = new Map<string, NodeList>();

  #imported: ReadonlySet<string> | undefined;

  constructor(ast: t.File) {
    this.ast = ast;
    this.program = ast.program;
    ast.program.loc = null;
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

  /** Specifiers that the module imports, or requires with a literal. */
  importedModules(): ReadonlySet<string> {
    if (this.#imported) return this.#imported;
    const names = new Set<string>();
    for (const node of this.nodes('ImportDeclaration')) if (node.importKind !== 'type') names.add(node.source.value);
    const calls = this.nodes('CallExpression');
    for (let i = 0; i < calls.length; i++) {
      const node = calls[i] as t.CallExpression;
      const first = node.arguments[0];
      if (first?.type === 'StringLiteral' && (isNamedRequire(node.callee) || node.callee.type === 'Import')) names.add(first.value);
    }
    return (this.#imported = names);
  }

  /**
   * Replaces a part of the tree by a fragment of a newer text. Its lists, parents and comments become those of that text, and everything
   * after the part moves. Positions in Babel's `extra` are not moved, because nothing reads them. All nodes above the part must list their
   * children in the order of the text.
   */
  replace(old: t.BlockStatement | t.Statement, { node, comments, recovered }: Fragment): void {
    const parent = parentOf(old);
    if (!parent) return;
    const start = startOf(old);
    const end = endOf(old);
    const shift = endOf(node) - end;
    let depth = 1;
    for (let at: Node | undefined = parent; at; at = parentOf(at)) {
      if (at.end != null) at.end += shift;
      depth++;
    }
    if (this.ast.end != null) this.ast.end += shift;
    if (parent.type === 'Program') parent.body[parent.body.indexOf(old as t.Statement)] = node;
    else (parent as FunctionNode).body = node as t.BlockStatement;
    setParent(node, parent);
    const whole = this.#byType;
    this.#byType = new Map();
    this.#visit(node, depth);
    if (recovered) this.#dropMissingArguments();
    const added = this.#byType;
    this.#byType = whole;
    for (const [type, { keys }] of added) if (!whole.has(type)) whole.set(type, { nodes: [], keys });
    for (const [type, list] of whole) {
      if (type === 'Program') continue;
      list.nodes = spliced(list.nodes, start, end, shift, added.get(type)?.nodes ?? []);
      if (list.nodes.length === 0) whole.delete(type);
    }
    this.ast.comments = spliced(this.ast.comments ?? [], start, end, shift, comments);
    this.#imported = undefined;
  }

  /**
   * Moves everything after an edit in a comment or between two statements. Such an edit does not change the tree. `around`: the nodes that
   * contain it.
   */
  move(around: readonly Node[], comment: t.Comment | undefined, text: string, { start, removed, inserted }: OffsetChange): void {
    const shift = inserted - removed;
    const from = comment?.end ?? start;
    for (const node of [this.ast, ...around]) if (node.end != null) node.end += shift;
    for (const [type, { nodes }] of this.#byType) if (type !== 'Program') spliced(nodes, from, from, shift, []);
    spliced(this.ast.comments ?? [], from, from, shift, []);
    if (!comment) return;
    comment.end = from + shift;
    comment.value = text.slice((comment.start ?? 0) + 2, comment.end - (comment.type === 'CommentBlock' ? 2 : 0));
  }

  /** Babel recovers from `f(a, , b)` with a null argument, which its own types exclude. */
  #dropMissingArguments(): void {
    for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const) {
      for (const call of this.nodes(type)) {
        if (call.arguments.some((argument) => (argument as Node | null) === null)) call.arguments = call.arguments.filter(Boolean);
      }
    }
  }

  // Recursion is a quarter faster than an explicit stack. `MAX_DEPTH` keeps it from overflowing Node's stack.
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

/** Replaces what starts in the range from `start` to `end` by `added`, and moves what follows. */
function spliced<T extends { start?: number | null; end?: number | null }>(
  all: T[],
  start: number,
  end: number,
  shift: number,
  added: readonly T[],
): T[] {
  const from = firstFrom(all, start, 0);
  const to = firstFrom(all, end, from);
  if (shift !== 0) {
    for (let i = to; i < all.length; i++) {
      const one = all[i] as { start: number; end: number };
      one.start += shift;
      one.end += shift;
    }
  }
  if (added.length !== to - from) return [...all.slice(0, from), ...added, ...all.slice(to)];
  for (let i = 0; i < added.length; i++) all[from + i] = added[i] as T;
  return all;
}

/** Index of the first one that starts at or after `offset`. */
function firstFrom(all: readonly { start?: number | null }[], offset: number, from: number): number {
  let low = from;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `require`, and Meteor's `Npm.require`. */
function isNamedRequire(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'require';
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Npm' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'require'
  );
}

/**
 * Half of all nodes are identifiers, and only parameters among them have children (decorators). Their keys need not be checked one by one.
 */
function isLeaf(node: Node): boolean {
  return node.type === 'Identifier' && !node.decorators;
}

/**
 * Walks `root` and every node below it in source order, without types. `enter` returns false to skip a subtree and `'stop'` to end the
 * walk.
 */
export function walkWithin(root: Node, enter: (node: Node) => boolean | 'stop' | void): void {
  visitWithin(root, enter);
}

// Recursive like the index, within the same depth limit. It creates no lists, so an early end wastes nothing.
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
