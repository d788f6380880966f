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

/** What may limit a number in a function: an argument of a check, or a side of a comparison. */
interface Limit {
  /** The names on the other side of a comparison, if that is no number. */
  others: ReadonlySet<string>;
  /** The loop around a comparison. */
  loop: Node | undefined;
}

function limitsIn(fn: FunctionNode, words: ReadonlySet<string>, loop: Node, facts: Facts): boolean {
  const limits = limitsOf(fn, facts);
  for (const word of words)
    for (const { others, loop: around } of limits.get(word) ?? [])
      if (around !== loop && ![...others].some((other) => words.has(other))) return true;
  return false;
}

/** By the names that are limited. */
function limitsOf(fn: FunctionNode, facts: Facts): ReadonlyMap<string, readonly Limit[]> {
  const byFunction = facts.remember('limits of numbers by function', () => new Map<FunctionNode, ReadonlyMap<string, readonly Limit[]>>());
  const known = byFunction.get(fn);
  if (known) return known;
  const limits = new Map<string, Limit[]>();
  const add = (names: ReadonlySet<string>, limit: Limit): void => {
    for (const name of names) {
      const list = limits.get(name);
      if (list) list.push(limit);
      else limits.set(name, [limit]);
    }
  };
  walkWithin(fn.body, (node) => {
    if (node.type === 'BinaryExpression' && /^[<>]=?$/.test(node.operator)) {
      const { isTest, loop } = loopAround(node);
      if (!isTest) {
        addUpperLimit(node.left, node.right, loop);
        addUpperLimit(node.right, node.left, loop);
      }
    } else if (node.type === 'CallExpression' && CHECKS.test(facts.source.slice(node.callee)))
      for (const argument of node.arguments) add(namesIn(argument), { others: new Set(), loop: undefined });
  });
  byFunction.set(fn, limits);
  return limits;

  function addUpperLimit(side: Node, other: Node, loop: Node | undefined): void {
    const number = numberOf(other, facts.bindings);
    if (number === undefined || number > NO_LIMIT) add(namesIn(side), { others: number === undefined ? namesIn(other) : new Set(), loop });
  }
}

function namesIn(node: Node): ReadonlySet<string> {
  const names = new Set<string>();
  walkWithin(node, (at) => {
    if (at.type === 'Identifier') names.add(at.name);
  });
  return names;
}

/** The innermost loop around a node in its function, and whether the node belongs to its test. */
function loopAround(node: Node): { isTest: boolean; loop?: Node } {
  for (let at = parentOf(node), from: Node = node; at; from = at, at = parentOf(at)) {
    if (isFunction(at)) break;
    if (isLoop(at))
      return {
        isTest: (at.type === 'ForStatement' || at.type === 'WhileStatement' || at.type === 'DoWhileStatement') && at.test === from,
        loop: at,
      };
  }
  return { isTest: false };
}
