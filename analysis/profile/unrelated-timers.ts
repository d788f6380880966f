// Timers of a file that take entries out of other containers only: that they have yet to run says nothing of one that grows.
import type { Span } from '../../protocol/finding.ts';
import type { Facts } from '../facts/index.ts';
import type { Binding } from '../facts/bindings.ts';
import { endOf, isCall, isFunction, isMember, memberName, startOf, unwrap, type Node } from '../module/ast.ts';

/** Methods of the language's containers that run no code of the program but a function that is written in their place. */
const OF_CONTAINERS = /^(?:delete|clear|get|has|keys|values|entries|forEach|shift|pop|splice)$/;
const MADE = /^(?:Map|Set|WeakMap|WeakSet)$/;

/**
 * Where such timers are started, as lines from 1. Each callback stands in its call, names other containers of the file's top level by the
 * name that made them, and calls nothing but their methods and `Date.now`. A line with several timers is left out.
 * @param held the container that grows
 */
export function unrelatedTimers(held: Span, facts: Facts): number[] {
  const { module, bindings, origins, source } = facts;
  const grown = module.nodes('Identifier').find((node) => startOf(node) === held.start && endOf(node) === held.end);
  const own = grown && bindings.resolve(grown);
  if (!own || !isMadeHere(own, facts)) return [];
  const byLine = new Map<number, boolean[]>();
  for (const call of module.nodes('CallExpression')) {
    if (!origins.isGlobal(call.callee, 'setInterval') && !origins.isGlobal(call.callee, 'setTimeout')) continue;
    const { line } = source.positionAt(startOf(call));
    const [callback] = call.arguments;
    const isUnrelated = callback !== undefined && isFunction(callback) && isAboutOthers(callback, own, facts);
    byLine.set(line, [...(byLine.get(line) ?? []), isUnrelated]);
  }
  return [...byLine].flatMap(([line, all]) => (all.length === 1 && all[0] === true ? [line] : []));
}

function isAboutOthers(callback: Node, own: Binding, facts: Facts): boolean {
  const { module, bindings, origins } = facts;
  const isInside = (node: Node): boolean => startOf(callback) <= startOf(node) && endOf(node) <= endOf(callback);
  if (bindings.references(own).some(isInside)) return false;
  const isOther = (node: Node): boolean => {
    const binding = node.type === 'Identifier' ? bindings.resolve(node) : undefined;
    return binding !== undefined && binding !== own && isMadeHere(binding, facts);
  };
  const calls = [...module.nodes('CallExpression'), ...module.nodes('OptionalCallExpression'), ...module.nodes('NewExpression')];
  const areKnown = calls.filter(isInside).every((call) => {
    if (!isCall(call) || !isMember(call.callee)) return false;
    if (origins.isGlobal(call.callee, 'Date.now')) return true;
    const method = memberName(call.callee) ?? '';
    const [each] = call.arguments;
    if (method === 'forEach' && !(each && isFunction(each))) return false;
    return OF_CONTAINERS.test(method) && isOther(unwrap(call.callee.object));
  });
  const deletes = module.nodes('UnaryExpression').filter((node) => node.operator === 'delete' && isInside(node));
  const writes = module.nodes('AssignmentExpression').filter((node) => isMember(node.left) && isInside(node));
  const objects = [...deletes.map((node) => unwrap(node.argument)), ...writes.map((node) => unwrap(node.left as Node))];
  // A tag of a template is a call, too.
  return (
    areKnown &&
    objects.every((node) => isMember(node) && isOther(unwrap(node.object))) &&
    !module.nodes('TaggedTemplateExpression').some(isInside)
  );
}

/** A constant of the top level that holds a container of its own, and no other name's. */
function isMadeHere(binding: Binding, { bindings, origins }: Facts): boolean {
  const { declaration, scope } = binding;
  if (scope.type !== 'Program' || declaration.type !== 'VariableDeclarator' || !declaration.init || !bindings.isConstant(binding))
    return false;
  const init = unwrap(declaration.init);
  if (init.type === 'ArrayExpression' || init.type === 'ObjectExpression') return true;
  return (
    init.type === 'NewExpression' &&
    init.callee.type === 'Identifier' &&
    MADE.test(init.callee.name) &&
    origins.isGlobal(init.callee, init.callee.name)
  );
}
