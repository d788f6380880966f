// `Object.setPrototypeOf(object, …)` and `object.__proto__ = …` on one object after another.
import { isMember, memberName, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { RequestPath } from '../../analysis/facts/request-paths.ts';
import { functionThatRuns, isOneOff, isOneOffFunction } from './one-off.ts';
import { findRound, type Round } from './rounds.ts';

export interface ReplacedPrototype {
  node: t.CallExpression | t.AssignmentExpression;
  object: Node;
  /** Set if it happens to another object in each iteration. Otherwise it happens once per request. */
  round: Round | undefined;
  /** Undefined if requests of other files may lead there, which the project knows. */
  request: RequestPath | undefined;
}

export function findReplacedPrototypes(facts: Facts): ReplacedPrototype[] {
  const found: ReplacedPrototype[] = [];
  for (const node of facts.module.nodes('CallExpression')) {
    const callee = unwrap(node.callee);
    if (!isMember(callee) || memberName(callee) !== 'setPrototypeOf') continue;
    if (!facts.origins.isGlobal(callee, 'Object.setPrototypeOf') && !facts.origins.isGlobal(callee, 'Reflect.setPrototypeOf')) continue;
    const [object] = node.arguments;
    if (object) consider(facts, node, unwrap(object), found);
  }
  for (const node of facts.module.nodes('AssignmentExpression')) {
    if (node.operator === '=' && isMember(node.left) && memberName(node.left) === '__proto__')
      consider(facts, node, unwrap(node.left.object), found);
  }
  return found;
}

function consider(facts: Facts, node: ReplacedPrototype['node'], object: Node, found: ReplacedPrototype[]): void {
  // Functions, errors and classes get their prototype once, where they are created.
  if (
    object.type === 'ThisExpression' ||
    object.type === 'FunctionExpression' ||
    object.type === 'ArrowFunctionExpression' ||
    object.type === 'ClassExpression' ||
    isNewError(object, facts)
  )
    return;
  const round = findRound(facts, object);
  if (round?.repetition) {
    if (!isOneOff(facts, round.repetition)) found.push({ node, object, round, request: undefined });
    return;
  }
  const fn = functionThatRuns(node);
  const request = fn && facts.requestPaths.toFunction(fn);
  if (request || (fn && !isOneOffFunction(facts, fn))) found.push({ node, object, round: undefined, request });
}

/** `const error = new Error(message); Object.setPrototypeOf(error, …); return error` */
function isNewError(object: Node, facts: Facts): boolean {
  const declaration = object.type === 'Identifier' ? facts.bindings.resolve(object)?.declaration : undefined;
  const made = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : object;
  return (
    (made.type === 'NewExpression' || made.type === 'CallExpression') &&
    made.callee.type === 'Identifier' &&
    /Error$/.test(made.callee.name)
  );
}
