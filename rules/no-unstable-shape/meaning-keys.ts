// Records whose keys mean something: which of them are there tells what to change. With `undefined` for the others, they say something else.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { ShapePaths } from './shape-paths.ts';

/** What is written for a part of another record: `patch`, `userUpdates`, `overrides`. */
const PATCH = /^(?:\w*(?:Patch|Updates?|Changes|Overrides|Diff|Delta)|patch|updates?|changes|overrides|diff|delta)$/;
const LISTS = /^(?:keys|entries)$/;
const MERGES = /^(?:assign|assignIn|extend|merge|mergeWith|defaults|defaultsDeep)$/;

/**
 * Whether the keys of a record are what it says: it is a patch, its fields are those that another object has itself, or this file copies its
 * keys into another object.
 */
export function doKeysCount(facts: Facts, record: Binding, { added }: ShapePaths): boolean {
  return (
    PATCH.test(record.name) ||
    added.some(({ site }) => isOfOwnKeys(facts, site, record)) ||
    facts.bindings.references(record).some((one) => areKeysCopied(facts, one))
  );
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
