// Whether a list stays as it is while a loop runs: by what the loop does, or because nobody else has the list.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { contains, isCall, isMember, memberName, parentOf, unwrap, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Round } from './rounds.ts';

/** Of arrays, texts, sets, and maps: methods that change nothing, apart from what their callbacks do, which are looked at by themselves. */
const READS =
  /^(?:includes|indexOf|lastIndexOf|find|findIndex|some|every|filter|map|flatMap|forEach|length|size|slice|join|at|reduce|concat|keys|values|entries|get|has|trim|split|replace|replaceAll|toLowerCase|toUpperCase|startsWith|endsWith|toString|toFixed|padStart|padEnd)$/;
const CONVERSIONS: ReadonlySet<string> = new Set(['String', 'Number', 'Boolean', 'BigInt', 'parseInt', 'parseFloat']);
const ADDS: ReadonlySet<string> = new Set(['push', 'add', 'set']);
/** Methods whose result is a new array. */
const MAKES = /^(?:map|filter|flatMap|slice|concat|split|keys|values|entries|from|toSorted|toReversed)$/;

/** Why the list may be another one from one round to the next; undefined where it cannot be. */
export function whyChanged(binding: Binding, round: Round, facts: Facts): string | undefined {
  const { name } = binding;
  const references = facts.bindings.references(binding);
  const isRead = (reference: Node): boolean => {
    const member = parentOf(reference);
    if (contains(round.list, reference) && round.list.end === reference.end) return true;
    return isMember(member) && member.object === reference && READS.test(memberName(member) ?? '') && !isWritten(member);
  };
  if (references.some((reference) => contains(round.node, reference) && !isRead(reference)))
    return `\`${name}\` may be changed in the loop`;
  if (facts.bindings.isConstant(binding) && isNew(binding, facts) && references.every(isRead)) return undefined;
  const unknown = unknownIn(round.body, binding, facts);
  return unknown && `${unknown} may change \`${name}\` while the loop runs`;
}

/** How a loop itself changes the list that it searches: it only adds at the end, or its elements get other places. */
export function changeIn(round: Round, list: Node, facts: Facts): 'adds' | 'moves' | undefined {
  const node = unwrap(list);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  if (!binding) return undefined;
  let change: 'adds' | 'moves' | undefined;
  for (const reference of facts.bindings.references(binding)) {
    if (!contains(round.body, reference)) continue;
    const member = parentOf(reference);
    if (!isMember(member) || member.object !== reference) continue;
    const name = memberName(member);
    if (name === 'push' && change === undefined) change = 'adds';
    if (isWritten(member) || (name !== undefined && MOVES.test(name))) change = 'moves';
  }
  return facts.bindings.writes(binding).some(({ node: write }) => write !== binding.declaration && contains(round.body, write))
    ? 'moves'
    : change;
}

const MOVES = /^(?:splice|shift|unshift|pop|sort|reverse|fill|copyWithin)$/;

/** What the code of a round does of which nobody knows whether it changes the list, in words. */
function unknownIn(body: Node, list: Binding, facts: Facts): string | undefined {
  let unknown: string | undefined;
  walkWithin(body, (node) => {
    if (node.type === 'AwaitExpression' || node.type === 'YieldExpression') unknown = 'other code, which runs meanwhile,';
    else if (node.type === 'TaggedTemplateExpression' || (isCall(node) && !isHarmless(node, list, facts)))
      unknown = node.type === 'TaggedTemplateExpression' ? 'the tag' : `\`${facts.source.slice(unwrap(node.callee)).split('\n')[0]}\``;
    else if (node.type === 'AssignmentExpression' && isMember(node.left) && (node.left.computed || memberName(node.left) === 'length'))
      unknown = `\`${facts.source.slice(node.left).split('\n')[0]} = …\``;
    return unknown === undefined ? undefined : 'stop';
  });
  return unknown;
}

function isHarmless(call: Node, list: Binding, facts: Facts): boolean {
  if (call.type === 'NewExpression' || !isCall(call)) return false;
  const callee = unwrap(call.callee);
  if (callee.type === 'Identifier') return CONVERSIONS.has(callee.name) && facts.bindings.isGlobal(callee);
  if (!isMember(callee)) return false;
  const method = memberName(callee) ?? '';
  if (READS.test(method)) return true;
  const receiver = unwrap(callee.object);
  const binding = receiver.type === 'Identifier' ? facts.bindings.resolve(receiver) : undefined;
  return ADDS.has(method) && binding !== undefined && binding !== list && facts.bindings.isConstant(binding) && isNew(binding, facts);
}

/** Whether a variable begins with an array, a set, or a map that was made for it. */
function isNew(binding: Binding, facts: Facts): boolean {
  const { declaration } = binding;
  const value = declaration.type === 'VariableDeclarator' && declaration.id === binding.identifier ? declaration.init : undefined;
  const made = value && unwrap(value as Node);
  if (!made) return false;
  if (made.type === 'ArrayExpression') return true;
  if (made.type === 'NewExpression')
    return made.callee.type === 'Identifier' && /^(?:Set|Map|Array)$/.test(made.callee.name) && facts.bindings.isGlobal(made.callee);
  const callee = isCall(made) ? unwrap(made.callee) : undefined;
  return isMember(callee) && MAKES.test(memberName(callee) ?? '');
}

function isWritten(member: Node): boolean {
  const up = parentOf(member);
  return up?.type === 'AssignmentExpression' && up.left === member;
}
