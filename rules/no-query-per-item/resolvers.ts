// Resolvers of fields of an element: GraphQL runs them for each element of a list. Which functions are resolvers, and of which lists, the
// project knows; this file says which queries are about the parent.
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import { parentParameter } from '../../analysis/facts/handlers/controllers.ts';
import { isOfGraphql } from '../../analysis/facts/handlers/schema-types.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

// How many variables may be between the parent and the query.
const MAX_STEPS = 4;

/** Those of one user, as a rule the one who asks: `user.isAdmin(group.id)`, `user.id === post.authorId`. */
const OF_ONE = /\bis(?:Admin|Owner|Self|Me)\w{0,30}\([^)]|[iI]d\s{0,3}[!=]==?\s{0,3}(?!null|undefined)[\w.?]/;
/** Whether a query is sent only for a few elements, or only if the client asks for more than the key that is there. */
const FOR_FEW = /cache|memo|loader|\bloaded\b|\bseen\b|\.has\(|\binfo\b|select(?:ion|ed)|fieldNodes|requestedFields/i;

/** Whether a call may be in a resolver, and is about its parent: the query of one element. `asks`: what tells the element. */
export function isAboutParent(call: CallNode, asks: readonly Node[], facts: Facts): boolean {
  if (!isOfGraphql(facts)) return false;
  const fn = enclosingFunction(call);
  const parent = fn && parentOfResolver(fn);
  if (!fn || !parent || !asks.some((one) => isFrom(one, parent, fn, facts, 0))) return false;
  return !mayBeLoaded(parent, fn, facts) && conditionsOn(call, fn).every((one) => !isForFew(one, facts));
}

/** The parameter that gets the parent: that with a decorator for it, or the first one of a function that no class has. */
function parentOfResolver(fn: FunctionNode): Node | undefined {
  if (fn.type === 'ClassMethod' || fn.type === 'ClassPrivateMethod') return parentParameter(fn);
  const [first] = fn.params as readonly Node[];
  return first?.type === 'AssignmentPattern' ? first.left : first;
}

/** Whether an expression uses the parent, or a variable of the function that was made of it. */
function isFrom(expression: Node, parent: Node, fn: FunctionNode, facts: Facts, steps: number): boolean {
  let uses = false;
  walkWithin(expression, (inner) => {
    if (uses) return false;
    if (inner.type !== 'Identifier') return undefined;
    const binding = facts.bindings.resolve(inner);
    if (!binding || contains(expression, binding.identifier)) return undefined;
    if (contains(parent, binding.identifier)) uses = true;
    else if (
      steps < MAX_STEPS &&
      binding.declaration.type === 'VariableDeclarator' &&
      binding.declaration.init &&
      contains(fn, binding.declaration)
    )
      uses = isFrom(binding.declaration.init, parent, fn, facts, steps + 1);
    return undefined;
  });
  return uses;
}

/** `if (user.posts) return user.posts`, `user.posts ?? Post.find(…)`: what made the list may have loaded the field already. */
function mayBeLoaded(parent: Node, fn: FunctionNode, facts: Facts): boolean {
  const byFunction = facts.remember('resolvers of what may be loaded', () => new Map<Node, boolean>());
  const known = byFunction.get(fn);
  if (known !== undefined) return known;
  let may = false;
  const isOfParent = (expression: Node): boolean => {
    const node = unwrap(expression);
    if (!isMember(node)) return false;
    const object = unwrap(node.object);
    const binding = object.type === 'Identifier' ? facts.bindings.resolve(object) : undefined;
    return binding !== undefined && contains(parent, binding.identifier);
  };
  walkWithin(fn.body, (node) => {
    if (may || isFunction(node)) return false;
    if (node.type === 'ReturnStatement' && node.argument) may = isOfParent(node.argument);
    else if (node.type === 'ConditionalExpression') may = isOfParent(node.consequent) || isOfParent(node.alternate);
    else if (node.type === 'LogicalExpression' && node.operator !== '&&') may = isOfParent(node.left) && isAsked(node.right);
    return undefined;
  });
  byFunction.set(fn, may);
  return may;
}

function isAsked(expression: Node): boolean {
  const node = unwrap(expression);
  return isCall(node.type === 'AwaitExpression' ? unwrap(node.argument) : node);
}

function isForFew(condition: Node, facts: Facts): boolean {
  const text = facts.source.slice(condition);
  if (condition.type === 'CatchClause' || FOR_FEW.test(text) || OF_ONE.test(text)) return true;
  // `if (Array.isArray(user.posts)) …`, `if ('posts' in user)`
  const node = unwrap(condition);
  if (node.type === 'BinaryExpression' && node.operator === 'in') return true;
  return isCall(node) && isMember(node.callee) && memberName(node.callee) === 'isArray';
}
