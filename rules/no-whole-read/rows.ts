// Rows of a query that are all read before the first is written.
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { findRead } from '../shared/reads.ts';
import { initOf } from './sources.ts';

/** What limits a query. */
const LIMITED = /limit|take|first|\btop\b|findOne|ById|unique|page|offset|count\(|group\s{0,3}by/i;
const ANSWERING = /^(?:res|resp|response|reply)$/;

/** The query of an awaited expression whose rows are only written to the answer, one at a time. */
export function writtenRows(awaited: Node & { argument: Node }, facts: Facts): CallNode | undefined {
  const declarator = parentOf(awaited);
  if (declarator?.type !== 'VariableDeclarator') return undefined;
  const read = isCall(unwrap(awaited.argument)) ? findRead(awaited.argument, facts) : undefined;
  if (!read || [read.call, ...read.call.arguments].some((one) => LIMITED.test(facts.source.slice(initOf(one, facts))))) return undefined;
  const { id } = declarator;
  if (id.type === 'Identifier') return isOnlyWritten(id, facts, /^(?:rows|recordset)$/) ? read.call : undefined;
  const part =
    id.type === 'ArrayPattern'
      ? id.elements[0]
      : id.type === 'ObjectPattern' && id.properties[0]?.type === 'ObjectProperty'
        ? id.properties[0].value
        : undefined;
  return part?.type === 'Identifier' && isOnlyWritten(part, facts) ? read.call : undefined;
}

/** @param inner the member of the result that has the rows */
function isOnlyWritten(variable: Node & { name: string }, facts: Facts, inner?: RegExp): boolean {
  const binding =
    variable.type === 'Identifier' ? (facts.bindings.resolve(variable) ?? facts.bindings.lookUp(variable.name, variable)) : undefined;
  if (!binding || !facts.bindings.isConstant(binding)) return false;
  let isWritten = false;
  for (const reference of facts.bindings.references(binding)) {
    const member = parentOf(reference);
    const isPart = isMember(member) && member.object === reference && inner?.test(memberName(member) ?? '');
    const use = useOf(isPart ? member : reference);
    if (use === 'other') return false;
    isWritten ||= use === 'written';
  }
  return isWritten;
}

function useOf(list: Node): 'written' | 'neutral' | 'other' {
  const parent = parentOf(list);
  if (parent?.type === 'ForOfStatement' && parent.right === list) return writesTo(parent.body) ? 'written' : 'other';
  if (!isMember(parent) || parent.object !== list) return 'other';
  const name = memberName(parent);
  if (name === 'length' || name === 'rowCount') return 'neutral';
  const call = parentOf(parent);
  const [fn] = isCall(call) && call.callee === parent ? call.arguments : [];
  return name === 'forEach' && fn && isFunction(fn) && writesTo(fn.body) ? 'written' : 'other';
}

function writesTo(body: Node): boolean {
  let writes = false;
  walkWithin(body, (node) => {
    if (!isCall(node) || !isMember(node.callee) || memberName(node.callee) !== 'write') return undefined;
    const object = unwrap(node.callee.object);
    writes ||= object.type === 'Identifier' && ANSWERING.test(object.name);
    return undefined;
  });
  return writes;
}
