// Records whose keys mean something: which of them are there tells what to change. With `undefined` for the others, they say something else.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import {
  enclosingFunction,
  functionName,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { ShapePaths } from './shape-paths.ts';

/** What is written for a part of another record: `patch`, `userUpdates`, `overrides`. */
const PATCH = /^(?:\w*(?:Patch|Updates?|Changes|Overrides|Diff|Delta)|patch|updates?|changes|overrides|diff|delta)$/;
/** What applies a patch, by the name of the function: `applyPatch`, `prisma.user.update`, `bulkWrite`, `setState`. */
const APPLIES =
  /^(?:apply|merge|patch|update|upsert|override|assign|extend|set|edit|change|modify|save|bulk|find\w{0,20}AndUpdate)(?![a-z])/;
/** Where such calls take a patch among other options: `{ $set: patch }`, `{ data: changes }`. */
const APPLIED_AS = /^(?:\$set|\$unset|set|patch|updates?|changes|overrides)$/;
/** Functions that make a patch, by their names. A list of updates may also be one of prices. */
const MAKES = /(?:^|[a-z_])(?:patch|patches|diffs?|overrides?|changes)(?![a-z])|(?:Patch|Patches|Diffs?|Overrides?|Changes)(?![a-z])/;
const LISTS = /^(?:keys|entries)$/;
const MERGES = /^(?:assign|assignIn|extend|merge|mergeWith|defaults|defaultsDeep)$/;

/**
 * Whether the keys of a record are what it says: it is a patch by its name and by where it goes, its fields are those that another object has itself, or this file copies its
 * keys into another object.
 */
export function doKeysCount(facts: Facts, record: Binding, { added }: ShapePaths): boolean {
  return (
    (PATCH.test(record.name) && isApplied(facts, record, true)) ||
    added.some(({ site }) => isOfOwnKeys(facts, site, record)) ||
    facts.bindings.references(record).some((one) => areKeysCopied(facts, one))
  );
}

/**
 * `await users.update(id, changes)`, `{ $set: patch }`, or what a function called `diff` returns. A tick of prices that is called `update`
 * goes nowhere of the kind.
 *
 * @param followsLists whether the elements of a list count, where the list goes there
 */
function isApplied(facts: Facts, record: Binding, followsLists: boolean): boolean {
  return facts.bindings.references(record).some((reference) => {
    let from: Node = reference;
    let at = parentOf(from);
    while (at && IN_VALUES.has(at.type)) {
      if (at.type === 'ObjectProperty' && APPLIED_AS.test(staticName(at.key, at.computed) ?? '')) return true;
      from = at;
      at = parentOf(at);
    }
    if (at?.type === 'ReturnStatement' || (isFunction(at) && at.body === from)) return isMadeByName(at);
    if (!isCall(at) || at.callee === from) return false;
    const callee = unwrap(at.callee);
    const name = isMember(callee) ? (memberName(callee) ?? '') : callee.type === 'Identifier' ? callee.name : '';
    if (APPLIES.test(name)) return true;
    const list = followsLists && name === 'push' && isMember(callee) ? unwrap(callee.object) : undefined;
    const binding = list?.type === 'Identifier' ? facts.bindings.resolve(list) : undefined;
    return binding !== undefined && isApplied(facts, binding, false);
  });
}

const IN_VALUES: ReadonlySet<string> = new Set([
  'ObjectProperty',
  'ObjectExpression',
  'ArrayExpression',
  'SpreadElement',
  'ConditionalExpression',
  'LogicalExpression',
  'AwaitExpression',
  'TSAsExpression',
]);

function isMadeByName(node: Node): boolean {
  for (let fn = isFunction(node) ? node : enclosingFunction(node); fn; fn = enclosingFunction(fn)) {
    const name = functionName(fn)?.split('.').at(-1);
    if (name !== undefined) return MAKES.test(name);
  }
  return false;
}

/** `if (hasOwn(input, 'style')) record.style = …`, `if ('style' in input)`. What is asked before the record is made says nothing of its keys. */
function isOfOwnKeys(facts: Facts, site: Node, { declaration }: Binding): boolean {
  const block = parentOf(parentOf(declaration) ?? declaration);
  return block !== undefined && conditionsOn(site, block).some((test) => asksForKey(facts, test));
}

function asksForKey(facts: Facts, test: Node): boolean {
  let asks = false;
  walkWithin(test, (node) => {
    if (asks || isFunction(node)) return false;
    if (node.type === 'BinaryExpression' && node.operator === 'in') asks = true;
    if (isCall(node)) {
      const callee = unwrap(node.callee);
      const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
      // `Object.prototype.hasOwnProperty.call(input, 'style')`
      asks =
        /^has(?:Own|OwnProperty|OwnProp|Key)$/.test(name ?? '') || /\bhasOwnProperty\.call$/.test(facts.source.slice(callee).slice(-40));
    }
    return !asks;
  });
  return asks;
}

function areKeysCopied(facts: Facts, reference: Node): boolean {
  if (isCopiedHere(reference)) return true;
  const user = parentOf(reference);
  if (!isCall(user) || user.callee === reference) return false;
  // A function of this file that goes over the keys of what it is given.
  const index = user.arguments.indexOf(reference as t.Expression);
  return facts.calls.functionsOf(user.callee).some((fn) => {
    const parameter = fn.params[index];
    const given = parameter?.type === 'Identifier' ? facts.bindings.resolve(parameter) : undefined;
    return given !== undefined && facts.bindings.references(given).some(isCopiedHere);
  });
}

/** `{ ...record }`, `for (const key in record)`, `Object.keys(record)`, `Object.assign(all, record)` */
function isCopiedHere(reference: Node): boolean {
  const user = parentOf(reference);
  if (user?.type === 'SpreadElement') return parentOf(user)?.type === 'ObjectExpression';
  if (user?.type === 'ForInStatement') return user.right === reference;
  const callee = isCall(user) ? unwrap(user.callee) : undefined;
  if (!isCall(user) || !isMember(callee)) return false;
  const index = user.arguments.indexOf(reference as t.Expression);
  const name = memberName(callee) ?? '';
  return (index === 0 && LISTS.test(name)) || (index > 0 && MERGES.test(name));
}
