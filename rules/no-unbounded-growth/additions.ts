// Entries that a request adds to a list, a set, a map, or an object that is used as one.
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import { checkBefore, keySourceOf } from './keys.ts';
import { ownerOf } from './owners.ts';
import { isNeverRead, whatBecomesOf } from './uses.ts';

export type Container = 'list' | 'set' | 'map' | 'object';

export interface Addition {
  container: Container;
  /** The container as the code names it. */
  name: string;
  /** The source does not show all that happens to it, or what is added may be limited by something else. */
  isUnsure: boolean;
  /** What decides which entry it is; undefined for lists. */
  key: Node | undefined;
  /** Nothing reads the entries, and each call adds one: it grows wherever the calls come from. */
  isUseless: boolean;
  /** The function that makes the container, if it is no variable of the module. */
  keeper: FunctionNode | undefined;
}

const BY_METHOD: ReadonlyMap<string, readonly Container[]> = new Map([
  ['set', ['map']],
  ['add', ['set']],
  ['push', ['list']],
  ['unshift', ['list']],
]);

/** `users.push(…)`, `seen.add(…)`, `cache.set(key, …)` */
export function addedByCall(call: CallNode, facts: Facts): Addition | undefined {
  const callee = unwrap(call.callee);
  if (call.type === 'NewExpression' || !isMember(callee)) return undefined;
  const kinds = BY_METHOD.get(memberName(callee) ?? '');
  const [first] = call.arguments;
  if (!kinds || !first || first.type === 'SpreadElement' || first.type === 'ArgumentPlaceholder') return undefined;
  return additionTo(callee.object, kinds, first, call, facts);
}

/** `cache[key] = …` */
export function addedByAssignment(assignment: t.AssignmentExpression, facts: Facts): Addition | undefined {
  const target = unwrap(assignment.left);
  if (target.type !== 'MemberExpression' || !target.computed || target.property.type === 'PrivateName') return undefined;
  if (memberName(target) !== undefined) return undefined;
  const value = unwrap(assignment.right);
  if (value.type === 'NullLiteral' || (value.type === 'Identifier' && value.name === 'undefined')) return undefined;
  return additionTo(target.object, ['object'], target.property, assignment, facts);
}

function additionTo(container: Node, kinds: readonly Container[], entry: Node, site: Node, facts: Facts): Addition | undefined {
  const owner = ownerOf(container, site, facts);
  if (!owner) return undefined;
  const kind = kindOf(owner.init, facts);
  if (!kind || !kinds.includes(kind)) return undefined;
  if (whatBecomesOf(owner.uses, facts) !== 'reads' || isBeyondLimit(facts)) return undefined;
  const name = facts.source.slice(container);
  const base = { container: kind, name, isUnsure: owner.isOpen, isUseless: !owner.isOpen && isNeverRead(owner.uses), keeper: owner.keeper };
  const fn = enclosingFunction(site);
  if (kind === 'list' && fn && !isConditionedOn(name, site, facts)) {
    // A list that is filled in a loop over its own module's data is filled by start-up code that is called late.
    if (isInLoopOverConstants(site, facts)) return undefined;
    // Other files may call a helper for each request, and for each module that they load.
    const isSure = facts.requestPaths.toNode(site) !== undefined || keySourceOf(entry, facts) !== undefined;
    return { ...base, key: undefined, isUnsure: owner.isOpen || !isSure };
  }
  const source = keySourceOf(entry, facts);
  if (!source) return undefined;
  const check = source === 'made' ? 'none' : checkBefore(site, entry, name, facts);
  if (check === 'limited') return undefined;
  return {
    ...base,
    key: entry,
    isUnsure: base.isUnsure || check === 'looked-up',
    isUseless: base.isUseless && source === 'made',
  };
}

/** Conditions are looked for in all that stands before a place, so that generated code with thousands of places would take seconds. */
const MOST_PLACES = 200;

function isBeyondLimit(facts: Facts): boolean {
  const count = facts.remember('places that may add to what stays', () => ({ seen: 0 }));
  count.seen += 1;
  return count.seen > MOST_PLACES;
}

function kindOf(init: Node, facts: Facts): Container | undefined {
  if (init.type === 'ArrayExpression') return 'list';
  if (init.type === 'ObjectExpression') {
    const isTable = init.properties.some(
      (one) => one.type === 'ObjectMethod' || (one.type === 'ObjectProperty' && isFunction(unwrap(one.value))),
    );
    return isTable ? undefined : 'object';
  }
  if (!isCall(init)) return undefined;
  const origin = facts.origins.of(unwrap(init.callee));
  if (origin?.root !== 'global') return undefined;
  const name = [origin.name, ...origin.path].join('.');
  if (init.type === 'NewExpression') return name === 'Map' ? 'map' : name === 'Set' ? 'set' : name === 'Array' ? 'list' : undefined;
  return name === 'Object.create' ? 'object' : name === 'Array' ? 'list' : undefined;
}

/** `if (!list.includes(name)) list.push(name)`: it only grows if ever new values come. */
function isConditionedOn(name: string, site: Node, facts: Facts): boolean {
  const fn = enclosingFunction(site);
  if (!fn) return false;
  return conditionsOn(site, fn).some((test) => facts.source.slice(test).includes(name) || isFoundIn(test, name, fn, facts));
}

/** `const known = list.find(…); if (!known) list.push(…)` */
function isFoundIn(test: Node, name: string, fn: Node, facts: Facts): boolean {
  for (const word of facts.source.slice(test).match(/[\w$]+/g) ?? []) {
    const declaration = facts.bindings.lookUp(word, test)?.declaration;
    if (declaration?.type !== 'VariableDeclarator' || !declaration.init || parentOf(fn) === undefined) continue;
    if (facts.source.slice(declaration.init).includes(name)) return true;
  }
  return false;
}

function isInLoopOverConstants(site: Node, facts: Facts): boolean {
  for (let at = parentOf(site); at && !isFunction(at); at = parentOf(at)) {
    if (!isLoop(at)) continue;
    if (at.type !== 'ForOfStatement' && at.type !== 'ForInStatement') return false;
    const list = unwrap(at.right);
    if (list.type === 'ArrayExpression') return true;
    return list.type === 'Identifier' && facts.bindings.resolve(list)?.scope.type === 'Program';
  }
  return false;
}
