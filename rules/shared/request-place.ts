// Work that a request should not wait for: whether a place can be on a request path at all. Which requests lead there, the project graph
// knows.
import {
  enclosingFunction,
  functionName,
  isCall,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { runsOnce } from '../../analysis/facts/once.ts';
import type { RequestCondition } from '../../analysis/rule.ts';
import { THREAD_PACKAGES } from '../../knowledge/thread-starters.ts';

/** What all messages of a rule have in common. */
export type RequestPlace = Omit<RequestCondition, 'once' | 'round' | 'parameterKinds'>;

/**
 * For a report that only holds if a request runs the node each time; undefined at the top level, in development branches and on threads.
 */
export function onRequestPath(node: Node, facts: Facts): RequestPlace | undefined {
  if (!enclosingFunction(node) || isInDevelopmentBranch(node, facts) || isPassedToThread(node, facts)) return undefined;
  return { at: node, isOnce: runsOnce(node, facts) };
}

/** Whether a node is in a function that runs on a thread: `new Worker(function () { … })`, `pool.exec(count)`. */
export function isPassedToThread(node: Node, facts: Facts): boolean {
  for (let fn = enclosingFunction(node); fn; fn = enclosingFunction(fn))
    if (isArgumentOfThread(fn, facts) || namesOf(fn, facts).some((name) => isArgumentOfThread(name, facts))) return true;
  return false;
}

/** Where a function is named: `count` for `function count() {}` and `const count = () => {}`. */
function namesOf(fn: FunctionNode, facts: Facts): readonly Node[] {
  const name = functionName(fn);
  const binding = name === undefined ? undefined : facts.bindings.lookUp(name, parentOf(fn) ?? fn);
  return binding ? facts.bindings.references(binding) : [];
}

function isArgumentOfThread(argument: Node, facts: Facts): boolean {
  const call = parentOf(argument);
  return (
    isCall(call) &&
    call.callee !== argument &&
    call.arguments.some((one) => one === argument) &&
    runsOnThread(call.callee, call.type === 'NewExpression', facts)
  );
}

/** Whether a callee runs its function argument on a thread. The name is enough, because a wrong guess only keeps a rule silent. */
function runsOnThread(callee: Node, isNew: boolean, facts: Facts): boolean {
  const node = unwrap(callee);
  const name = node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined;
  if (isNew) return /Worker$|Thread$|^Parallel$/.test(name ?? '');
  if (!isMember(node) || !/^(?:exec|run|runTask|enqueue|queue|spawn|map|eval|evalAll|any|all)$/.test(name ?? '')) return false;
  const object = unwrap(node.object);
  const declaration = object.type === 'Identifier' ? facts.bindings.resolve(object)?.declaration : undefined;
  const maker = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : object;
  const origin = facts.origins.moduleMember(isCall(maker) ? maker.callee : maker);
  return origin !== undefined && THREAD_PACKAGES.has(origin.module);
}

/** Whether a node is in a branch that production does not take. */
export function isInDevelopmentBranch(site: Node, facts: Facts): boolean {
  let from = site;
  for (let at = parentOf(site); at; from = at, at = parentOf(at)) {
    if (at.type !== 'IfStatement' && at.type !== 'ConditionalExpression') continue;
    const test = facts.source.slice(at.test);
    if (!/NODE_ENV/.test(test)) continue;
    const unlessProduction = /!==?\s*['"]production['"]|===?\s*['"](?:development|dev|test)['"]/.test(test);
    const ifProduction = /===?\s*['"]production['"]/.test(test);
    if ((unlessProduction && at.consequent === from) || (ifProduction && at.alternate === from)) return true;
  }
  return false;
}
