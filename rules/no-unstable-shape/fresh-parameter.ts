// A parameter that only gets records which nothing else holds: a copy of them in its place shows nowhere.
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { bindingOfFunction, givesRecord, isRecord } from './key-questions.ts';

/** The function with the parameter, if every call of it is one of `map` over records that were made for it. */
export function functionOfFresh(parameter: t.Identifier, facts: Facts): (FunctionNode & { body: t.BlockStatement }) | undefined {
  const fn = parentOf(parameter);
  if (!isFunction(fn) || fn.params.length !== 1 || fn.params[0] !== parameter || parameter.typeAnnotation) return undefined;
  if (fn.body.type !== 'BlockStatement' || fn.generator || !/^(?:Arrow|Function)/.test(fn.type)) return undefined;
  if (facts.bindings.identifiersNamed('arguments').some((one) => contains(fn, one))) return undefined;
  const binding = bindingOfFunction(fn, facts);
  const uses = binding ? facts.bindings.references(binding) : [fn];
  const isInline = !binding && isCall(parentOf(fn));
  if (uses.length === 0 || (!binding && !isInline) || isExported(fn)) return undefined;
  return uses.every((use) => isMappedOverFresh(use, facts)) ? (fn as FunctionNode & { body: t.BlockStatement }) : undefined;
}

function isExported(fn: FunctionNode): boolean {
  const declaration = fn.type === 'FunctionDeclaration' ? fn : parentOf(parentOf(fn) ?? fn);
  return /^Export/.test((declaration && parentOf(declaration)?.type) ?? '');
}

/** `rows.map(toPublic)`, where nothing else names the list. */
function isMappedOverFresh(use: Node, facts: Facts): boolean {
  const call = parentOf(use);
  if (!isCall(call) || call.arguments.length !== 1 || call.arguments[0] !== use) return false;
  const callee = unwrap(call.callee);
  return isMember(callee) && memberName(callee) === 'map' && isFreshList(callee.object, call, facts);
}

function isFreshList(expression: Node, call: Node, facts: Facts): boolean {
  const list = unwrap(expression);
  if (list.type === 'Identifier') {
    const binding = facts.bindings.resolve(list);
    const declarator = binding && parentOf(binding.identifier);
    if (!binding || !facts.bindings.isConstant(binding) || facts.bindings.references(binding).length !== 1) return false;
    if (declarator?.type !== 'VariableDeclarator' || declarator.id !== binding.identifier || !declarator.init) return false;
    return isReachedOnce(declarator, call) && isFreshList(declarator.init, declarator, facts);
  }
  if (list.type === 'ArrayExpression') return list.elements.every((element) => element !== null && isRecord(element, facts));
  if (!isCall(list)) return false;
  const callee = unwrap(list.callee);
  if (facts.origins.isGlobal(callee, 'Array.from')) return givesRecord(list.arguments[1], facts);
  return isMember(callee) && memberName(callee) === 'map' && givesRecord(list.arguments[0], facts);
}

/** Whether each run of the declaration leads to at most one run of the call: no loop and no other function is around the call alone. */
function isReachedOnce(declarator: Node, call: Node): boolean {
  if (enclosingFunction(declarator) !== enclosingFunction(call)) return false;
  const block = parentOf(parentOf(declarator) ?? declarator);
  for (let at = parentOf(call); at && at !== block; at = parentOf(at)) if (/^(?:For|While|DoWhile)/.test(at.type)) return false;
  return block !== undefined && contains(block, call);
}
