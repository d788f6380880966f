// Whether something limits a number that a request sent.
import {
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { numberOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

// Comparisons with numbers up to this only check whether there is anything to do (`if (n <= 3) return true`). They are not an upper limit.
const NO_LIMIT = 4;
const CHECKS = /valid|schema|celebrate|joi|zod|yup|ajv|sanitiz|limit|clamp|\bcheck|\bmin\b|assert|between|isIn\b/i;

/**
 * Whether the number is compared with an upper limit, clamped or checked anywhere: in the function of the loop, in the functions that lead
 * to it, or by what else is registered for the route. A word is enough, because a missed limit would be a false warning.
 */
export function isLimited(bound: Node, loop: Node, facts: Facts): boolean {
  const path = facts.requestPaths.toNode(loop);
  if (!path) return false;
  const { site } = path.handler;
  // The path itself checks nothing: `/primes/:limit`.
  if (
    isCall(site) &&
    CHECKS.test(
      site.arguments
        .filter((argument) => !isFunction(unwrap(argument)) && !/^(?:String|Template)Literal$/.test(unwrap(argument).type))
        .map((argument) => facts.source.slice(argument))
        .join(' '),
    )
  )
    return true;
  const functions = new Set<FunctionNode>([path.handler.fn, ...path.edges.map((edge) => edge.target)]);
  const words = wordsOf(bound, facts);
  return [...functions].some((fn) => limitsIn(fn, words, loop, facts));
}

/** Names and members that the bound is made of, through variables: `n`, `request.query.n`. */
function wordsOf(bound: Node, facts: Facts): Set<string> {
  const words = new Set<string>();
  const add = (node: Node, steps: number): void => {
    walkWithin(node, (at) => {
      if (isFunction(at)) return false;
      if (isMember(at)) words.add(memberName(at) ?? '');
      if (at.type !== 'Identifier' || steps === 0) return true;
      const binding = facts.bindings.resolve(at);
      if (!binding) return true;
      words.add(at.name);
      if (binding.declaration.type === 'VariableDeclarator' && binding.declaration.init) add(binding.declaration.init, steps - 1);
      if (binding.kind === 'param' && isFunction(binding.declaration)) {
        for (const { argument } of facts.callArguments.of(
          binding.declaration,
          binding.declaration.params.indexOf(binding.identifier as never),
        ))
          add(argument, steps - 1);
      }
      return true;
    });
  };
  add(bound, MAX_STEPS);
  words.delete('');
  return words;
}

// The longest chain of variables and helpers to follow.
const MAX_STEPS = 4;

function limitsIn(fn: FunctionNode, words: ReadonlySet<string>, loop: Node, facts: Facts): boolean {
  let found = false;
  const mentions = (node: Node): boolean => {
    let is = false;
    walkWithin(node, (at) => {
      if (at.type === 'Identifier' && words.has(at.name)) is = true;
      return !is;
    });
    return is;
  };
  walkWithin(fn.body, (node) => {
    if (found) return false;
    if (node.type === 'BinaryExpression' && /^[<>]=?$/.test(node.operator) && !isLoopTest(node, loop))
      found = isUpperLimit(node, mentions, facts);
    else if (node.type === 'CallExpression') found = CHECKS.test(facts.source.slice(node.callee)) && node.arguments.some(mentions);
    return !found;
  });
  return found;
}

function isUpperLimit(node: t.BinaryExpression, mentions: (node: Node) => boolean, facts: Facts): boolean {
  return [
    [node.left, node.right],
    [node.right, node.left],
  ].some(([side, other]) => {
    if (!side || !other || !mentions(side)) return false;
    const number = numberOf(other, facts.bindings);
    return number === undefined ? !mentions(other) : number > NO_LIMIT;
  });
}

function isLoopTest(node: Node, loop: Node): boolean {
  for (let at = parentOf(node), from: Node = node; at; from = at, at = parentOf(at)) {
    if (isFunction(at)) return false;
    if (isLoop(at))
      return (
        ((at.type === 'ForStatement' || at.type === 'WhileStatement' || at.type === 'DoWhileStatement') && at.test === from) || at === loop
      );
  }
  return false;
}
