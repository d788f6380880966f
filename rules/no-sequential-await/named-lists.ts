// Long pipelines of reads that are joined. Within the list of `Promise.all`, all their lines would move to the right; named above it, they
// stay where they are.
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isMember, memberName, startOf, endOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Member } from './groups.ts';

// Our choice: a reader merged 60 lines that moved, and not 80 (bench/fixes-read.md).
const MOST_MOVED = 70;
const FEW_LINES = 10;

export interface NamedList {
  name: string;
  list: t.ArrayExpression;
  /** The call, with the name instead of the list. */
  call: string;
}

/** By operand. Undefined where few lines would move, or where some of them cannot be named. */
export function namedLists(members: readonly Member[], operands: readonly Node[], facts: Facts): ReadonlyMap<Node, NamedList> | undefined {
  // `{ $sort: { age: 1 } }` of a constant has another type than within the call.
  if (/\.[cm]?tsx?$/i.test(facts.source.file)) return undefined;
  if (operands.reduce((sum, one) => sum + breaksIn(one, facts), 0) <= MOST_MOVED) return undefined;
  const found = new Map<Node, NamedList>();
  const names = new Set<string>();
  for (const [i, operand] of operands.entries()) {
    if (breaksIn(operand, facts) < FEW_LINES) continue;
    const list = pipelineOf(operand);
    const keeper = members[i]?.keeper;
    const id = keeper?.type === 'VariableDeclarator' ? keeper.id : undefined;
    if (!list || id?.type !== 'Identifier') return undefined;
    const name = `${id.name}Pipeline`;
    const isTaken = names.has(name) || facts.bindings.identifiersNamed(name).length > 0;
    const { text } = facts.source;
    const call = `${text.slice(startOf(operand), startOf(list))}${name}${text.slice(endOf(list), endOf(operand))}`;
    if (isTaken || /[\r\n]/.test(call)) return undefined;
    names.add(name);
    found.set(operand, { name, list, call });
  }
  return found.size > 0 ? found : undefined;
}

const breaksIn = (node: Node, facts: Facts): number => facts.source.slice(node).split('\n').length - 1;

/** `[…]` of `Order.aggregate([…]).exec()` */
function pipelineOf(operand: Node): t.ArrayExpression | undefined {
  for (let at = unwrap(operand); isCall(at); ) {
    const callee: Node = unwrap(at.callee);
    if (!isMember(callee)) return undefined;
    const [list] = at.arguments;
    if (memberName(callee) === 'aggregate') return list?.type === 'ArrayExpression' ? list : undefined;
    at = unwrap(callee.object);
  }
  return undefined;
}
