// The same work in each round of a loop, although it has nothing to do with the element.
import { conditionsOn, endsLoopAfter, isUnconditional } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  endOf,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { changesWithin, SYNC_WORK, workOf } from './repeats.ts';
import { isComparedDate, lastName, madeInRounds, mayBeMade, type Work } from './work.ts';

export interface EachRound {
  work: Work;
  /** The loop, or the call that runs the callback. */
  loop: Node;
  list: Node;
}

interface Rounds {
  loop: Node;
  list: Node;
  body: Node;
}

/** Lists that a person or a schema writes have few elements. */
const SHORT_BY_NAME =
  /(?:fields?|columns|keys|types|options|opts|args|params|headers|attributes|attrs|props|properties|extensions|plugins|roles|tags)$/i;
const PER_ELEMENT = /^(?:forEach|map|flatMap|filter|some|every|find|findIndex|sort)$/;

export function findInEachRound(facts: Facts): EachRound[] {
  const found: EachRound[] = [];
  const look = (node: Node): void => {
    const rounds = roundsAround(node);
    if (!rounds || !staysInRounds(node, rounds, facts)) return;
    const { loop, list, body } = rounds;
    const upTo = isFunction(body) ? body : loop;
    if (!isUnconditional(node, upTo) || endsLoopAfter(node, loop)) return;
    const work = workOf(node, facts);
    if (!work || changesWithin({ work, around: body, from: startOf(body), until: endOf(body) }, facts)) return;
    found.push({ work, loop, list });
  };
  for (const node of facts.module.nodes('AwaitExpression')) look(node);
  for (const type of ['CallExpression', 'OptionalCallExpression'] as const)
    for (const call of facts.module.nodes(type)) if (SYNC_WORK.has(lastName(call))) look(call);
  for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const)
    for (const call of facts.module.nodes(type)) {
      const made = mayBeMade(call) ? madeIn(call, facts) : undefined;
      const text = facts.source.slice(call);
      // `same(a, moment(day)) || same(b, moment(day))`: once is enough.
      if (made && !found.some(({ work, loop }) => loop === made.loop && facts.source.slice(work.call) === text)) found.push(made);
    }
  return found;
}

/** Texts and patterns are made by what runs in most rounds: the condition of an `if`, and not its branches. */
function madeIn(call: CallNode, facts: Facts): EachRound | undefined {
  const rounds = roundsAround(call) ?? untypedRounds(call);
  if (!rounds || !staysInRounds(call, rounds, facts) || isWrittenIn(rounds.loop, call, facts) || isShort(rounds.list)) return undefined;
  const { loop, list, body } = rounds;
  const conditions = conditionsOn(call, isFunction(body) ? body : loop);
  // Of a comparison, `a || b` mostly asks both.
  const isDate = isComparedDate(call, facts);
  const runs = conditions.every((one) => isDate && parentOf(one)?.type === 'LogicalExpression');
  if (!runs || endsLoopAfter(call, loop)) return undefined;
  const work = madeInRounds(call, facts);
  if (!work || (!isDate && changesWithin({ work, around: body, from: startOf(body), until: endOf(body) }, facts))) return undefined;
  return { work, loop, list };
}

/** Whether the loop itself, such as its counter, writes what a call names. */
function isWrittenIn(loop: Node, call: Node, facts: Facts): boolean {
  let is = false;
  walkWithin(call, (node) => {
    const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
    is ||= binding !== undefined && facts.bindings.writes(binding).some((write) => contains(loop, write.identifier));
    return is ? 'stop' : undefined;
  });
  return is;
}

/** By its name, a list has a few elements, whoever passes it. */
function isShort(list: Node): boolean {
  const node = unwrap(list);
  const name = node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined;
  return name !== undefined && SHORT_BY_NAME.test(name);
}

/** `while (i < length)`, `for (let i = 0; i < list.length; i++)`: by its condition. */
function untypedRounds(node: Node): Rounds | undefined {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at)) {
    if ((at.type !== 'WhileStatement' && at.type !== 'ForStatement') || !contains(at.body, node)) continue;
    return at.test ? { loop: at, list: at.test, body: at.body } : undefined;
  }
  return undefined;
}

/** The innermost loop around a node that runs once for each element. */
function roundsAround(node: Node): Rounds | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) {
    if (at.type === 'ForOfStatement' && !at.await && contains(at.body, node)) return { loop: at, list: at.right, body: at.body };
    if (isLoop(at)) return undefined;
    if (!isFunction(at)) continue;
    const call = parentOf(at);
    if (!call || !isCall(call) || call.arguments[0] !== at) return undefined;
    const callee = unwrap(call.callee);
    if (!isMember(callee) || !PER_ELEMENT.test(memberName(callee) ?? '')) return undefined;
    return { loop: call, list: callee.object, body: at };
  }
  return undefined;
}

/** Whether nothing that the expression names belongs to the round. */
function staysInRounds(node: Node, { loop, list }: Rounds, facts: Facts): boolean {
  // Of a few elements that stand in the code, the rounds are few.
  if (unwrap(list).type === 'ArrayExpression') return false;
  let stays = true;
  walkWithin(node, (inner) => {
    if (inner.type === 'Identifier') {
      const binding = facts.bindings.resolve(inner);
      stays &&= binding === undefined || !contains(loop, binding.identifier);
    } else if (inner.type === 'ThisExpression') {
      // Of a function that is called back, `this` may be another one.
      for (let at = parentOf(inner); at && at !== loop; at = parentOf(at))
        stays &&= !isFunction(at) || at.type === 'ArrowFunctionExpression';
    }
    return stays ? undefined : 'stop';
  });
  return stays;
}
