// Babel's node types, with a link from each node to its parent.
import type * as t from '@babel/types';

export type Node = t.Node;
export type NodeType = t.Node['type'];
export type NodeOfType<T extends NodeType> = Extract<t.Node, { type: T }>;
export type { t };

export type FunctionNode =
  | t.FunctionDeclaration
  | t.FunctionExpression
  | t.ArrowFunctionExpression
  | t.ObjectMethod
  | t.ClassMethod
  | t.ClassPrivateMethod;
export type ClassNode = t.ClassDeclaration | t.ClassExpression;
export type LoopNode = t.ForStatement | t.ForInStatement | t.ForOfStatement | t.WhileStatement | t.DoWhileStatement;
export type CallNode = t.CallExpression | t.OptionalCallExpression | t.NewExpression;

interface Linked {
  loc?: Node | null;
}

/**
 * Called once per node, while the module is indexed. The link is kept on the node, because a WeakMap lookup costs ten times as much. It
 * replaces Babel's `loc`, which takes half of the tree's memory and says the same as the offsets: a further property would change the shape
 * of the nodes. Type nodes are not indexed. They keep their `loc`, which has no `type`, and so have no parent.
 */
export function setParent(node: Node, parent: Node): void {
  (node as unknown as Linked).loc = parent;
}

export function parentOf(node: Node): Node | undefined {
  const { loc } = node as unknown as Linked;
  return loc?.type === undefined ? undefined : loc;
}

export function startOf(node: Node): number {
  return node.start ?? 0;
}

export function endOf(node: Node): number {
  return node.end ?? 0;
}

const LOOPS: ReadonlySet<string> = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);

export function isFunction(node: Node | null | undefined): node is FunctionNode {
  // Called for every node on the way up from every name. Comparing costs half as much as a lookup in a set.
  switch (node?.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      return true;
    default:
      return false;
  }
}

export function isLoop(node: Node | null | undefined): node is LoopNode {
  return node != null && LOOPS.has(node.type);
}

export function isClass(node: Node | null | undefined): node is ClassNode {
  return node != null && (node.type === 'ClassDeclaration' || node.type === 'ClassExpression');
}

export function isCall(node: Node | null | undefined): node is CallNode {
  return node != null && (node.type === 'CallExpression' || node.type === 'OptionalCallExpression' || node.type === 'NewExpression');
}

export function isMember(node: Node | null | undefined): node is t.MemberExpression | t.OptionalMemberExpression {
  return node != null && (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression');
}

/** The innermost function around a node, not counting the node itself. */
export function enclosingFunction(node: Node): FunctionNode | undefined {
  // What is in a decorator of a method, or of its parameter, runs once, with the class.
  let isOfClass = node.type === 'Decorator';
  for (let at = parentOf(node); at; at = parentOf(at)) {
    if (at.type === 'Decorator') isOfClass = true;
    else if (at.type === 'ClassBody' || at.type === 'ClassDeclaration' || at.type === 'ClassExpression') isOfClass = false;
    else if (isFunction(at) && !isOfClass) return at;
  }
  return undefined;
}

/** Removes what has no effect at run time: parentheses, `as T`, `satisfies T`, `x!`, `<T>x`, and all but the last of `(0, f)`. */
export function unwrap(node: Node): Node {
  let at = node;
  for (;;) {
    switch (at.type) {
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
      case 'TypeCastExpression':
      case 'TSInstantiationExpression':
        at = at.expression;
        break;
      case 'SequenceExpression': {
        const last = at.expressions.at(-1);
        if (!last) return at;
        at = last;
        break;
      }
      default:
        return at;
    }
  }
}

/** Whether `inner` is within `outer`, or is the same node, by position. */
export function contains(outer: Node, inner: Node): boolean {
  return startOf(outer) <= startOf(inner) && endOf(inner) <= endOf(outer);
}

/** The nearest enclosing node for which `test` holds, within the innermost function. */
export function findAncestor(node: Node, test: (ancestor: Node) => boolean): Node | undefined {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at)) if (test(at)) return at;
  return undefined;
}

/** The name of a member or property, if it is static: `a.b`, `a['b']`, `{ b: 1 }`, `#b`. */
export function staticName(key: Node, computed: boolean): string | undefined {
  if (!computed && key.type === 'Identifier') return key.name;
  if (key.type === 'StringLiteral') return key.value;
  if (key.type === 'NumericLiteral') return String(key.value);
  if (key.type === 'PrivateName') return `#${key.id.name}`;
  if (key.type === 'TemplateLiteral' && key.expressions.length === 0) return key.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

export function memberName(node: t.MemberExpression | t.OptionalMemberExpression): string | undefined {
  return staticName(node.property, node.computed);
}

/** A name for messages: that of the function, the variable, the property or the method. */
export function functionName(fn: FunctionNode): string | undefined {
  if (fn.type === 'ObjectMethod' || fn.type === 'ClassMethod' || fn.type === 'ClassPrivateMethod') {
    const name = staticName(fn.key, fn.type !== 'ClassPrivateMethod' && fn.computed);
    if (fn.type === 'ObjectMethod' || !name) return name;
    const owner = parentOf(parentOf(fn) ?? fn);
    const className = isClass(owner) ? (owner.id?.name ?? bindingName(owner)) : undefined;
    return className ? `${className}.${name}` : name;
  }
  if (fn.type !== 'ArrowFunctionExpression' && fn.id) return fn.id.name;
  return bindingName(fn);
}

/** The name of the innermost function around a node that has one. */
export function enclosingFunctionName(node: Node): string | undefined {
  for (let fn = enclosingFunction(node); fn; fn = enclosingFunction(fn)) {
    const name = functionName(fn);
    if (name) return name;
  }
  return undefined;
}

/** The first name of a value: `const f = <value>`, `{ f: <value> }`, `exports.f = <value>`, `f = <value>` in a class. */
function bindingName(value: Node): string | undefined {
  const parent = parentOf(value);
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? parent.id.name : undefined;
    case 'AssignmentExpression':
      if (parent.right !== value) return undefined;
      if (parent.left.type === 'Identifier') return parent.left.name;
      return isMember(parent.left) ? memberName(parent.left) : undefined;
    case 'ObjectProperty':
      return parent.value === value ? staticName(parent.key, parent.computed) : undefined;
    case 'ClassProperty':
      return staticName(parent.key, parent.computed);
    case 'ExportDefaultDeclaration':
      return 'default';
    default:
      return undefined;
  }
}
