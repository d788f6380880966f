// Which awaits and calls need a closer look. Syntax and text only: nearly every `await` and `then` of a program is excluded here, before
// any name is resolved.
import {
  functionName,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
  type NodeOfType,
} from '../../analysis/module/ast.ts';
import type { Source } from '../../analysis/module/source.ts';

/** Whether a value may be obviously settled: a literal, `undefined`, `Promise.resolve()`, `new Promise`. */
export function looksPlain(argument: Node): boolean {
  const node = unwrap(argument);
  if (node.type === 'CallExpression')
    return (
      isMember(node.callee) &&
      node.callee.object.type === 'Identifier' &&
      node.callee.object.name === 'Promise' &&
      memberName(node.callee) === 'resolve'
    );
  if (node.type === 'NewExpression') return node.callee.type === 'Identifier' && node.callee.name === 'Promise';
  return /Literal$/.test(node.type) || node.type === 'UnaryExpression' || (node.type === 'Identifier' && node.name === 'undefined');
}

/** Whether a node is in a loop that may run without a list. In other loops, only an await that is meant to yield counts. */
export function isInRelevantLoop(node: Node, isPlain: boolean): boolean {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at)) {
    if (
      isLoop(at) &&
      (isPlain || (at.type !== 'ForOfStatement' && at.type !== 'ForInStatement') || (at.type === 'ForOfStatement' && at.await))
    )
      return true;
  }
  return false;
}

/**
 * Whether a `then` may lead back: its promise is obviously settled, or it names the function around it. Ticks are rare enough to check all
 * of them.
 */
export function mayRequeue(source: Source, node: NodeOfType<'CallExpression'>, from: FunctionNode): boolean {
  const { callee } = node;
  if (!isMember(callee) || callee.property.type !== 'Identifier' || !/^(?:then|catch|finally)$/.test(callee.property.name)) return true;
  const object = unwrap(callee.object);
  return (
    looksPlain(object) ||
    object.type === 'Identifier' ||
    (isCall(object) && isMember(object.callee) && looksPlain(object.callee.object)) ||
    (isCall(object) && node.arguments.some((argument) => namesAncestor(source, from, argument)))
  );
}

/** Whether the text of a function contains a call of itself: by its name, by `this` or by the member that it is. */
export function namesItself(source: Source, fn: FunctionNode): boolean {
  const name = functionName(fn)?.split('.').at(-1);
  if (!name) return false;
  const parent = parentOf(fn);
  const isByName =
    fn.type === 'FunctionDeclaration' || (fn.type === 'FunctionExpression' && fn.id) || parent?.type === 'VariableDeclarator';
  const member = !isByName && parent?.type === 'AssignmentExpression' ? `${source.slice(parent.left)}(` : undefined;
  return source.test(fn.body, (text) =>
    isByName ? callsName(text, name) : text.includes(`this.${name}(`) || (member !== undefined && text.includes(member)),
  );
}

/** `name(` that is not a member and not part of a longer name. */
function callsName(text: string, name: string): boolean {
  for (let at = text.indexOf(`${name}(`); at >= 0; at = text.indexOf(`${name}(`, at + 1))
    if (!/[\w$.]/.test(text[at - 1] ?? ' ')) return true;
  return false;
}

/** Whether the text of a node contains the name of a function around it. */
function namesAncestor(source: Source, fn: FunctionNode, node: Node): boolean {
  const names: string[] = [];
  for (let at: FunctionNode | undefined = fn; at; at = functionAround(at)) names.push(functionName(at)?.split('.').at(-1) ?? '');
  return source.test(node, (text) => names.some((name) => name !== '' && text.includes(name)));
}

export function functionAround(node: Node): FunctionNode | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}
