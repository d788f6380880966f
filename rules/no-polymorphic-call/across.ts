// Functions that other files may call with values of other kinds: how they use a parameter in an operation that V8 specializes. Which
// arguments they get, the project knows.
import { functionName, isCall, isFunction, parentOf, unwrap, type FunctionNode, type Node } from '../../analysis/module/ast.ts';
import { unitAround } from '../../analysis/facts/calls.ts';
import { isInHotLoop } from '../../analysis/facts/hot-loops.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isLight, mayBeLight, type Names } from '../../analysis/facts/light-code.ts';
import { FUNCTION_TYPES, isGeneric, isTarget, isUsed, type Subject } from './subject.ts';
import { findUses, isConcatenation, testsKind, type Use } from './uses.ts';

export interface ParameterUse {
  subject: Subject & { owner: FunctionNode };
  use: Use;
  family: 'types' | 'shapes';
  /** Whether the operation itself is in a hot loop. */
  isHot: boolean;
  /** For `+`: the parameter on the other side. */
  other?: number;
}

/** `hasArgumentKinds`: whether the project may know the argument kinds of a function. */
export function findParameterUses(facts: Facts, hasArgumentKinds: (fn: FunctionNode) => boolean): ParameterUse[] {
  const { module } = facts;
  const found: ParameterUse[] = [];
  for (const type of FUNCTION_TYPES)
    for (const fn of module.nodes(type) as readonly FunctionNode[])
      if (isReachable(fn, facts) && hasArgumentKinds(fn)) found.push(...usesIn(fn, facts));
  return found;
}

function usesIn(fn: FunctionNode, facts: Facts): ParameterUse[] {
  // By names first: most functions fail here, before any is resolved.
  if (!mayBeLight(fn.body, NO_NAMES)) return [];
  const targets = fn.params.map((param) => (param.type === 'AssignmentPattern' ? param.left : param));
  const subjects = targets.flatMap((target, index) =>
    isTarget(target) && isUsed(target, fn.body) ? [{ target, owner: fn, index, sites: [] }] : [],
  );
  // After a test of one parameter's kind, the code may not handle all kinds of another.
  if (subjects.some((subject) => testsKind(subject, facts))) return [];
  const uses = subjects.flatMap((subject) => usesOf(subject, facts));
  // Whatever else is called must be known to be small.
  return uses.length > 0 && isLight(fn.body, facts) ? uses : [];
}

/** Calls of functions in the file are not checked: they get the same arguments in turn. */
const NO_NAMES: Names = new Set<string>();

/** Whether others can call it by name: it is at the top level, in a class or in an object, and is not a callback. */
function isReachable(fn: FunctionNode, facts: Facts): boolean {
  if (
    fn.params.length === 0 ||
    fn.async ||
    fn.generator ||
    (fn.type === 'ClassMethod' && fn.kind !== 'method') ||
    isCall(parentOf(fn)) ||
    isFunction(unitAround(fn, facts.module.program))
  )
    return false;
  const name = functionName(fn);
  return name !== undefined && !isGeneric(name.slice(name.lastIndexOf('.') + 1));
}

/** One use for each family, preferably one in a loop. */
function usesOf(subject: Subject & { owner: FunctionNode }, facts: Facts): ParameterUse[] {
  const found = new Map<ParameterUse['family'], ParameterUse>();
  for (const use of findUses(subject, facts)) {
    if ((use.kind !== 'operator' && use.kind !== 'property') || isConcatenation(use, facts)) continue;
    const family = use.kind === 'operator' ? 'types' : 'shapes';
    const isHot = isInHotLoop(facts, use.node);
    const known = found.get(family);
    if (known && (known.isHot || !isHot)) continue;
    const other = /^\+=?$/.test(use.name) && use.other ? parameterOf(use.other, subject.owner, facts) : -1;
    found.set(family, { subject, use, family, isHot, ...(other < 0 ? {} : { other }) });
  }
  return [...found.values()];
}

function parameterOf(expression: Node, fn: FunctionNode, facts: Facts): number {
  const node = unwrap(expression);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  return binding?.kind === 'param' && binding.declaration === fn
    ? fn.params.findIndex(
        (param) => param === binding.identifier || (param.type === 'AssignmentPattern' && param.left === binding.identifier),
      )
    : -1;
}
