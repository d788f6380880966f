// Whose values are checked: a parameter of a function, or the variable of a `for … of` loop. Both get values repeatedly.
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
  type t,
} from '../../analysis/module/ast.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { mayBeLight, type Names } from '../../analysis/facts/light-code.ts';
import { GLOBAL_CALLS, passedElementsOf, primitiveOf } from '../../analysis/facts/value-types.ts';
import { walkWithin, type ModuleIndex } from '../../analysis/module/module-index.ts';

export interface Subject {
  /** The variable, or the pattern that destructures the value: `function area({ w, h })`. */
  target: t.Identifier | t.ObjectPattern;
  /** The function or loop that gets the value. */
  owner: FunctionNode | t.ForOfStatement;
  /** Position among the parameters; 0 for the variable of a loop. */
  index: number;
  /** Calls of that name, and places that pass a function of that name. */
  sites: readonly Node[];
}

/**
 * Parameters of small functions that this file calls, or that get the elements of an array, and variables of small `for … of` loops. Goes
 * by names and syntax, and resolves declarations only if an argument is a variable. So the call graph is built for few files.
 */
export function findSubjects(facts: Facts): Subject[] {
  const { module } = facts;
  const functions = FUNCTION_TYPES.flatMap((type) => module.nodes(type) as readonly FunctionNode[]).map((fn) => ({
    fn,
    name: lastPart(functionName(fn)),
  }));
  const localNames = new Set(functions.map(({ name }) => name).filter((name) => name !== undefined));
  for (const { id } of module.nodes('ClassDeclaration')) if (id) localNames.add(id.name);
  const called = sitesByName(module);
  const prefilter: Prefilter = { facts, localNames, sitesOf: called };
  const subjects: Subject[] = [];
  for (const { fn, name } of functions) {
    if (fn.params.length === 0 || fn.async || fn.generator || (fn.type === 'ClassMethod' && fn.kind !== 'method')) continue;
    if (name !== undefined && isGeneric(name)) continue;
    const takesElements = passedElementsOf(fn, 0) !== undefined || passedElementsOf(fn, 1) !== undefined;
    if (!takesElements && !mayRunOften(fn, called.get(name ?? ''))) continue;
    const targets = fn.params.map((param) => (param.type === 'AssignmentPattern' ? param.left : param));
    const sites = called.get(name ?? '') ?? [];
    const usable = targets.flatMap((target, index) =>
      isTarget(target) && (takesElements || mayVary(sites, index, prefilter)) && isUsed(target, fn.body)
        ? [{ target, owner: fn, index, sites }]
        : [],
    );
    if (usable.length > 0 && mayBeLight(fn.body, withTargets(localNames, usable, fn.body))) subjects.push(...usable);
  }
  for (const loop of module.nodes('ForOfStatement')) {
    const target = loop.left.type === 'VariableDeclaration' ? loop.left.declarations[0]?.id : undefined;
    if (loop.await || !target || !isTarget(target) || !isUsed(target, loop.body)) continue;
    const subject = { target, owner: loop, index: 0, sites: [] };
    if (mayBeLight(loop.body, withTargets(localNames, [subject], loop.body))) subjects.push(subject);
  }
  return subjects;
}

export const FUNCTION_TYPES = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
] as const;

export function isTarget(node: Node): node is Subject['target'] {
  return node.type === 'Identifier' ? node.name !== 'this' : node.type === 'ObjectPattern' && node.properties.length > 0;
}

/** Whether V8 specializes an operation on the variable, judged by its name alone. A pattern reads properties. */
export function isUsed(target: Subject['target'], body: Node): boolean {
  if (target.type === 'ObjectPattern') return true;
  let found = false;
  walkWithin(body, (node) => {
    found ||= isIdentifier(node, target.name) && USING.has(parentOf(node)?.type ?? '');
    return !found;
  });
  return found;
}

const USING: ReadonlySet<string> = new Set([
  'BinaryExpression',
  'AssignmentExpression',
  'UnaryExpression',
  'VariableDeclarator',
  'CallExpression',
  'OptionalCallExpression',
  'NewExpression',
  'MemberExpression',
  'OptionalMemberExpression',
  // Wrappers around a use: `(p as Shape).area()`.
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TypeCastExpression',
]);

function isIdentifier(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

/** The names that may be called: those of the file, the variables themselves, and their methods. */
function withTargets(localNames: ReadonlySet<string>, subjects: readonly Subject[], body: Node): Names {
  // Next to the names of the file, not a copy of them: a bundle has thirty thousand names, and as many functions to check.
  const names = new Set<string>();
  const targets = new Set(subjects.flatMap(({ target }) => (target.type === 'Identifier' ? [target.name] : [])));
  for (const name of targets) names.add(name);
  walkWithin(body, (node) => {
    const object = isMember(node) ? unwrap(node.object) : undefined;
    if (isMember(node) && object?.type === 'Identifier' && targets.has(object.name)) names.add(memberName(node) ?? '');
  });
  return { has: (name) => names.has(name) || localNames.has(name) };
}

/** Functions meant to take anything. Their arguments say nothing about how they should be called. */
const GENERIC_NAME =
  /^_*(?:log|debug|trace|info|warn|error|fatal|print|dump|inspect|format|stringify|serialize|assert|expect|equals?|isEqual|deepEqual|isSame|toString|toJSON|noop|identity|escape|quote)(?:[A-Z_]|\d*$)|(?:Log|Logger|Debug|Assert|ToString|Stringify|Format)$|^(?:is|has)[A-Z]/;

/** `name`: the last part of a function's name. */
export function isGeneric(name: string): boolean {
  return GENERIC_NAME.test(name);
}

/** Calls, and places that pass a function, by the last part of its name. */
function sitesByName(module: ModuleIndex): Map<string, Node[]> {
  const sites = new Map<string, Node[]>();
  const add = (callee: Node, site: Node): void => {
    const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
    if (name === undefined) return;
    const list = sites.get(name);
    if (list) list.push(site);
    else sites.set(name, [site]);
  };
  for (const type of ['CallExpression', 'OptionalCallExpression'] as const) {
    for (const call of module.nodes(type)) {
      add(call.callee, call);
      // `shapes.forEach(draw)`
      for (const argument of call.arguments) add(argument, argument);
    }
  }
  return sites;
}

// With this many calls, each in a cold place, their function may still be hot through its callers, and see more shapes than V8 keeps.
const MANY_SITES = 5;

/** Whether a call is in a loop or a callback, or the function itself has a loop. */
function mayRunOften(fn: FunctionNode, sites: readonly Node[] | undefined): boolean {
  if (!sites) return false;
  if (sites.length >= MANY_SITES || sites.some(isInLoopOrCallback)) return true;
  let hasLoop = false;
  walkWithin(fn.body, (node) => {
    hasLoop ||= isLoop(node) || isFunction(node);
    return !hasLoop;
  });
  return hasLoop;
}

/** What the prefilter uses. */
interface Prefilter {
  facts: Facts;
  localNames: ReadonlySet<string>;
  sitesOf: ReadonlyMap<string, readonly Node[]>;
}

// A forwarded parameter is followed to the calls of its own function, and once more to theirs.
const MAX_FORWARDED = 2;

/** Whether the arguments may be of two kinds, judged by their syntax. */
function mayVary(sites: readonly Node[], index: number, prefilter: Prefilter, depth = 0): boolean {
  const seen = new Set<string>();
  for (const site of sites) {
    if (!isCall(site)) {
      // `shapes.forEach(draw)`: the elements may vary.
      if (passedElementsOf(site, index)) return true;
      continue;
    }
    const argument = site.arguments[index];
    const look = argument && lookOf(unwrap(argument), prefilter, depth);
    if (look === 'anything') return true;
    if (look) seen.add(look);
  }
  return seen.size > 1;
}

/** The syntactic kind of an argument; `anything` if only the facts can tell, undefined if they cannot either. */
function lookOf(argument: Node, prefilter: Prefilter, depth: number): string | undefined {
  switch (argument.type) {
    case 'Identifier': {
      const binding = prefilter.facts.bindings.resolve(argument);
      if (binding?.kind === 'param') return mayParameterVary(binding, prefilter, depth) ? 'anything' : undefined;
      return binding && binding.kind !== 'import' && binding.kind !== 'catch' ? 'anything' : undefined;
    }
    case 'NumericLiteral':
    case 'UpdateExpression':
      return 'number';
    case 'StringLiteral':
    case 'TemplateLiteral':
      return 'string';
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return argument.computed || memberName(argument) === 'length' ? 'anything' : undefined;
    case 'CallExpression':
    case 'OptionalCallExpression': {
      const callee = unwrap(argument.callee);
      if (callee.type === 'Identifier')
        return prefilter.localNames.has(callee.name) || GLOBAL_CALLS.has(callee.name) ? 'anything' : undefined;
      return isMember(callee) ? 'anything' : undefined;
    }
    case 'AwaitExpression':
    case 'ThisExpression':
    case 'SpreadElement':
      return undefined;
    default:
      return 'anything';
  }
}

/** An annotated parameter, an element of an array, or a parameter whose own arguments vary. */
function mayParameterVary(binding: Binding, prefilter: Prefilter, depth: number): boolean {
  const fn = binding.declaration;
  if (primitiveOf(binding.identifier.typeAnnotation) || isCall(parentOf(fn))) return true;
  if (!isFunction(fn) || depth >= MAX_FORWARDED) return false;
  return mayVary(
    prefilter.sitesOf.get(lastPart(functionName(fn)) ?? '') ?? [],
    fn.params.indexOf(binding.identifier),
    prefilter,
    depth + 1,
  );
}

function isInLoopOrCallback(node: Node): boolean {
  for (let at: Node = node, up = parentOf(node); up; at = up, up = parentOf(up)) {
    if (isLoop(up) || (up.type === 'CallExpression' && up.callee !== at && (isFunction(at) || at === node))) return true;
  }
  return false;
}

function lastPart(name: string | undefined): string | undefined {
  return name?.slice(name.lastIndexOf('.') + 1);
}

/** A name for messages: `areaOf`, `this loop`, `this callback`. */
export function ownerName(owner: Subject['owner']): string {
  if (!isFunction(owner)) return 'this loop';
  const name = functionName(owner);
  return name ? `\`${name}\`` : parentOf(owner)?.type === 'CallExpression' ? 'this callback' : 'this function';
}
