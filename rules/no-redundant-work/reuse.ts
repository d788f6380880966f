// Fix: the first result is used again.
import { hasComment } from '../../analysis/fix/blocks.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { contains, endOf, isCall, isMember, memberName, parentOf, startOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Repair } from '../../analysis/rule.ts';
import type { Repeat } from './repeats.ts';
import type { Work } from './work.ts';

const TITLE = 'Use the first result again';
const refusal = (reason: string): Repair => ({ fixes: [], refused: [{ title: TITLE, reason }] });

export function reuse({ first, second }: Repeat, facts: Facts): Repair {
  if (first.isByName)
    return refusal(
      `\`${first.name}\` is judged by its name: it may count, remember, or return an object. Read it, then use the first result`,
    );
  const keeper = keeperOf(first.whole);
  if (!keeper || keeper.id.type !== 'Identifier')
    return refusal('the first result is not kept in a variable of its own. Keep it in a `const`, and use that in both places');
  const binding = facts.bindings.resolve(keeper.id);
  if (!binding || !facts.bindings.isConstant(binding))
    return refusal(`\`${keeper.id.name}\`, which holds the first result, is assigned again`);
  if (!contains(binding.scope, second.whole)) return refusal(`\`${keeper.id.name}\` is not visible here`);
  if (facts.bindings.lookUp(keeper.id.name, second.whole) !== binding) return refusal(`another \`${keeper.id.name}\` hides it here`);
  if (hasComment(facts, second.whole)) return refusal('there is a comment in the call, which would be lost');
  if (!isText(first, facts)) {
    if (!isResultOnlyRead(second.whole, facts) || !isOnlyRead(binding, facts))
      return refusal('both results are separate objects, and the code may change one of them or pass it on');
  }
  return {
    fixes: [
      { title: TITLE, kind: 'suggestion', edits: [{ start: startOf(second.whole), end: endOf(second.whole), text: keeper.id.name }] },
    ],
    refused: [],
  };
}

/** Whether nothing may change an object, or get hold of it: neither where it is made, nor by the variable that keeps it. */
export function isResultOnlyRead(whole: Node, facts: Facts): boolean {
  const keeper = keeperOf(whole);
  const binding = keeper?.id.type === 'Identifier' ? facts.bindings.resolve(keeper.id) : undefined;
  return binding ? isOnlyRead(binding, facts) : isReadAt(whole, facts);
}

function keeperOf(whole: Node): t.VariableDeclarator | undefined {
  const up = parentOf(whole);
  return up?.type === 'VariableDeclarator' && up.init === whole ? up : undefined;
}

/** Texts cannot be changed. */
function isText({ kind, call }: Work, facts: Facts): boolean {
  if (kind === 'text') return true;
  if (kind === 'hash') return call.arguments.length > 0;
  return kind === 'file' && call.arguments.length > 1 && /^['"]/.test(facts.source.slice(call.arguments[1] as Node));
}

function isOnlyRead(binding: Binding, facts: Facts): boolean {
  return facts.bindings.isConstant(binding) && facts.bindings.references(binding).every((reference) => isReadAt(reference, facts));
}

/** Methods of lists and texts that change nothing, and return no part of the object that could be changed by another name. */
const READS = /^(?:includes|indexOf|some|every|join|toString|has)$/;

/** Whether an object at a place is only asked for something: a condition, a property in a comparison, what is sent. */
function isReadAt(place: Node, facts: Facts): boolean {
  let at = place;
  let up = parentOf(at);
  while (up && ((isMember(up) && up.object === at) || (unwrap(up) !== up && unwrap(up) === unwrap(at)))) {
    at = up;
    up = parentOf(at);
  }
  if (!up) return false;
  switch (up.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return up.test === at;
    case 'UnaryExpression':
      return up.operator !== 'delete';
    case 'BinaryExpression':
    case 'TemplateLiteral':
      return true;
    case 'LogicalExpression':
      return parentOf(up)?.type === 'IfStatement';
    default:
      break;
  }
  if (!isCall(up)) return false;
  const callee = unwrap(up.callee);
  if (up.callee === at) return isMember(callee) && READS.test(memberName(callee) ?? '');
  // `res.json(user)` is the last that happens to it.
  const sender = isMember(callee) ? unwrap(callee.object) : undefined;
  return (
    up.arguments.some((one) => one === at) &&
    isMember(callee) &&
    /^(?:json|send|stringify)$/.test(memberName(callee) ?? '') &&
    sender?.type === 'Identifier' &&
    (/^(?:res|response|reply)$/.test(sender.name) || facts.origins.isGlobal(callee, 'JSON.stringify'))
  );
}
