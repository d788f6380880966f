// Whether what a call returns outlives the request for which it was made.
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';

// The longest chain of functions that each return what the next one created.
const MAX_MAKERS = 4;

/** `const pooled = { worker, jobs: 0 }; return pooled;` in `make`, and `this.#workers.push(this.make())`: all callers keep it. */
function isKeptInObject(object: Node, call: CallNode, facts: Facts, steps: number): boolean {
  const variable = parentOf(object);
  const binding =
    variable?.type === 'VariableDeclarator' && variable.id.type === 'Identifier' ? facts.bindings.resolve(variable.id) : undefined;
  const maker = enclosingFunction(call);
  if (!binding || !maker || !facts.bindings.references(binding).some((one) => parentOf(one)?.type === 'ReturnStatement')) return false;
  const callers = facts.calls.callersOf(maker);
  return callers.length > 0 && callers.every(({ edge }) => isCall(edge.site) && isKept(edge.site, facts, steps + 1));
}

/**
 * Whether what was made is kept beyond the request: in a variable or property that outlives it, in a list or a map, or to replace one
 * taken from there.
 */
export function isKept(call: CallNode, facts: Facts, steps = 0): boolean {
  let value: Node = call;
  let up = parentOf(value);
  // `new Worker(file).on('exit', …)` returns the worker itself.
  while (
    up &&
    ((isMember(up) && up.object === value && isCall(parentOf(up)) && /^(?:on|once|addListener|unref|ref)$/.test(memberName(up) ?? '')) ||
      (isCall(up) && up.callee === value) ||
      unwrap(up) === call ||
      up.type === 'AwaitExpression')
  ) {
    value = up;
    up = parentOf(up);
  }
  if (!up) return false;
  // What becomes of the result is up to the callers of its function. Callers in other files are trusted.
  const maker = up.type === 'ReturnStatement' ? enclosingFunction(up) : isFunction(up) && up.body === value ? up : undefined;
  if (maker) {
    // Nothing keeps the result of a registered handler.
    if (facts.handlersOf(maker).some(({ kind }) => kind !== 'signature')) return false;
    const callers = facts.calls.callersOf(maker).filter(({ edge }) => edge.via === 'call');
    return steps < MAX_MAKERS && callers.every(({ edge }) => isCall(edge.site) && isKept(edge.site, facts, steps + 1));
  }
  // `idle.pop() ?? new Worker(file)`
  if (up.type === 'LogicalExpression' && up.right === value && up.operator !== '&&') return true;
  if (up.type === 'AssignmentExpression' && up.right === value) return outlives(up.left, call, facts);
  if (isAddedToList(value, call, facts)) return true;
  if (up.type !== 'VariableDeclarator' || up.id.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(up.id);
  return (
    binding !== undefined &&
    facts.bindings.references(binding).some((reference) => {
      const parent = parentOf(reference);
      if (parent?.type === 'AssignmentExpression' && parent.right === reference) return outlives(parent.left, call, facts);
      // `jobs.set(id, { worker, started })`
      const property = parent?.type === 'ObjectProperty' && parent.value === reference ? parentOf(parent) : undefined;
      const assignment = property && parentOf(property);
      if (property && assignment?.type === 'AssignmentExpression' && assignment.right === property)
        return outlives(assignment.left, call, facts);
      if (property?.type === 'ObjectExpression' && steps < MAX_MAKERS && isKeptInObject(property, call, facts, steps)) return true;
      return isAddedToList(property ?? reference, call, facts);
    })
  );
}

function isAddedToList(value: Node, call: Node, facts: Facts): boolean {
  const list = parentOf(value);
  if (!list || !isCall(list) || !isMember(list.callee) || !list.arguments.some((argument) => argument === value)) return false;
  return /^(?:push|unshift|set|add|enqueue)$/.test(memberName(list.callee) ?? '') && outlives(list.callee.object, call, facts);
}

/** Whether the target of an assignment or addition still exists when the function around the call has returned. */
function outlives(target: Node, call: Node, facts: Facts): boolean {
  let root = unwrap(target);
  while (isMember(root)) root = unwrap(root.object);
  if (root.type === 'ThisExpression') return true;
  if (root.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(root);
  if (!binding) return true;
  if (binding.kind === 'param') return false;
  for (let at = parentOf(call); at; at = parentOf(at)) if (at === binding.scope) return at.type === 'Program';
  return true;
}
