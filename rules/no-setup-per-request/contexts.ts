// A script context that is made to run code which is the same each time: only the data are others.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { CONTEXT, RUN_IN_NEW_CONTEXT, SCRIPT_IN_NEW_CONTEXT, type SetupCall } from '../../knowledge/setup-calls.ts';
import { isFixed } from './fixed.ts';

// The longest chain of names to follow.
const MAX_STEPS = 4;

/** The row of a call that makes a context, if the code that runs in it does not come from the request. */
export function findContext(call: CallNode, facts: Facts): SetupCall | undefined {
  if (call.type === 'NewExpression') return undefined;
  const callee = unwrap(call.callee);
  const [first] = call.arguments;
  const made = vmMember(callee, facts);
  if (made === 'runInNewContext') return first && isSameCode(first, call, facts) ? RUN_IN_NEW_CONTEXT : undefined;
  if (made === 'createContext') return runsSameCode(call, facts) ? CONTEXT : undefined;
  if (made !== undefined || !isMember(callee) || memberName(callee) !== 'runInNewContext') return undefined;
  return isSameScript(callee.object, call, facts) ? SCRIPT_IN_NEW_CONTEXT : undefined;
}

function vmMember(node: Node, facts: Facts): string | undefined {
  const origin = facts.origins.moduleMember(node);
  return origin?.module === 'vm' && origin.path.length === 1 ? origin.path[0] : undefined;
}

/** `new vm.Script(code)`, `vm.createScript(code)` */
function codeOfScript(node: Node, facts: Facts): Node | undefined {
  const made = unwrap(node);
  return isCall(made) && /^(?:Script|createScript)$/.test(vmMember(unwrap(made.callee), facts) ?? '') ? made.arguments[0] : undefined;
}

function isSameCode(code: Node, call: Node, facts: Facts): boolean {
  if (isFixed(code, facts)) return true;
  const node = unwrap(code);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  return binding !== undefined && facts.bindings.isConstant(binding) && isMadeWithHandler(binding.identifier, call, facts);
}

function isSameScript(script: Node, call: Node, facts: Facts, steps = 0): boolean {
  const node = unwrap(script);
  const code = codeOfScript(node, facts);
  if (code) return isSameCode(code, call, facts);
  if (isMember(node)) return isScriptOfOwner(node, call, facts);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  const init = binding?.declaration.type === 'VariableDeclarator' ? binding.declaration.init : undefined;
  if (!binding || !init || steps > MAX_STEPS || !facts.bindings.isConstant(binding)) return false;
  if (!codeOfScript(init, facts)) return isSameScript(init, call, facts, steps + 1);
  return binding.scope.type === 'Program' || isMadeWithHandler(init, call, facts) || isSameScript(init, call, facts, steps + 1);
}

/** `this.script = new vm.Script(code)` in the function that registers the handler: the only place that sets a property of that name. */
function isScriptOfOwner(member: Node, call: Node, facts: Facts): boolean {
  const name = isMember(member) ? memberName(member) : undefined;
  if (name === undefined) return false;
  const writes = facts.module
    .nodes('AssignmentExpression')
    .filter(({ left }) => isMember(left) && memberName(left) === name && unwrap(left.object).type !== 'Super');
  return (
    writes.length > 0 && writes.every(({ right }) => codeOfScript(right, facts) !== undefined && isMadeWithHandler(right, call, facts))
  );
}

/** Whether something is made where a handler is registered, and not by the handler itself or within another one. */
function isMadeWithHandler(made: Node, call: Node, facts: Facts): boolean {
  const maker = enclosingFunction(made);
  if (!maker || !contains(maker, call)) return false;
  let own = false;
  for (let fn = enclosingFunction(call); fn && fn !== maker && !own; fn = enclosingFunction(fn))
    own = facts.handlersOf(fn).some(({ kind }) => kind !== 'signature');
  if (!own) return false;
  for (let fn: Node | undefined = maker; fn; fn = enclosingFunction(fn)) if (facts.handlersOf(fn).length > 0) return false;
  return true;
}

/** `const context = vm.createContext(data)`, or `vm.createContext(data)` alone, in which only such code runs. */
function runsSameCode(call: CallNode, facts: Facts): boolean {
  const names = new Set<Binding>();
  const up = parentOf(call);
  const [data] = call.arguments;
  if (up?.type === 'VariableDeclarator' && up.id.type === 'Identifier') addName(up.id, names, facts);
  if (data && unwrap(data).type === 'Identifier') addName(unwrap(data), names, facts);
  if (up?.type !== 'VariableDeclarator' && up?.type !== 'ExpressionStatement') return isRunOf(call, facts) === true;
  const fn = enclosingFunction(call);
  const runs = [...names].flatMap((binding) => facts.bindings.references(binding)).map((one) => isRunOf(one, facts, call, fn));
  return runs.includes(true) && !runs.includes(false);
}

function addName(id: Node, names: Set<Binding>, facts: Facts): void {
  const binding = id.type === 'Identifier' ? facts.bindings.resolve(id) : undefined;
  if (binding) names.add(binding);
}

/** Whether a context is used to run such code; undefined if it is only read or written, false for all that is not known. */
function isRunOf(context: Node, facts: Facts, made?: CallNode, maker?: FunctionNode): boolean | undefined {
  const up = parentOf(context);
  if (!up || (maker && !contains(maker, context))) return false;
  if (isMember(up) && up.object === context) return undefined;
  if (!isCall(up) || up.callee === context) return up.type === 'VariableDeclarator' ? undefined : false;
  if (up === made) return undefined;
  const callee = unwrap(up.callee);
  const run = vmMember(callee, facts);
  if (run === 'isContext') return undefined;
  if (run === 'runInContext') {
    const [code] = up.arguments;
    return code !== undefined && up.arguments[1] === context && isSameCode(code, up, facts);
  }
  return (
    isMember(callee) &&
    memberName(callee) === 'runInContext' &&
    up.arguments[0] === context &&
    !isFunction(callee.object) &&
    isSameScript(callee.object, up, facts)
  );
}
