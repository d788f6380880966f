// Functions that other files may call with values of other kinds: what they do with a parameter that V8 specializes. What they are handed,
// the project knows.
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
  /** Whether the operation itself stands in a loop that goes round often. */
  isHot: boolean;
  /** For `+`: the parameter that is added to. */
  other?: number;
}

/** `hasArgumentKinds`: whether the project may have something to say of a function. */
export function findParameterUses(facts: Facts, hasArgumentKinds: (fn: FunctionNode) => boolean): ParameterUse[] {
  const { module } = facts;
  const found: ParameterUse[] = [];
  for (const type of FUNCTION_TYPES)
    for (const fn of module.nodes(type) as readonly FunctionNode[])
      if (isReachable(fn, facts) && hasArgumentKinds(fn)) found.push(...usesIn(fn, facts));
  return found;
}

function usesIn(fn: FunctionNode, facts: Facts): ParameterUse[] {
  // By names first: most functions end here, before any is resolved.
  if (!mayBeLight(fn.body, NO_NAMES)) return [];
  const targets = fn.params.map((param) => (param.type === 'AssignmentPattern' ? param.left : param));
  const subjects = targets.flatMap((target, index) =>
    isTarget(target) && isUsed(target, fn.body) ? [{ target, owner: fn, index, sites: [] }] : [],
  );
  // What it does with one parameter after it has asked for another's kind is not known to be done with all.
  if (subjects.some((subject) => testsKind(subject, facts))) return [];
  const uses = subjects.flatMap((subject) => usesOf(subject, facts));
  // What else is called must be known to be small.
  return uses.length > 0 && isLight(fn.body, facts) ? uses : [];
}

/** Calls of functions of the file are not looked into: what is handed to this one, they are handed in turn. */
const NO_NAMES: Names = new Set<string>();

/** Whether others can call it by a name: it stands at the top of the file, in a class or in an object, and is no callback. */
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

/** One for each family: one in a loop where there is one. */
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
