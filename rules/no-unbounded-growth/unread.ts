// Data that is piped into a stream that nobody reads.
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isMember, memberName, parentOf, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';

export interface Unread {
  /** The stream as the code names it. */
  name: string;
  source: string;
}

/** What neither reads a stream nor hands it on. */
const HARMLESS = /^(?:on|once|addListener|off|removeListener|destroy|setMaxListeners|write|end|cork|uncork)$/;
const READING_EVENTS = /^(?:data|readable)$/;

/** `source.pipe(copy)`, where `copy` is a `PassThrough` and only has listeners for its errors. */
export function findUnread(call: CallNode, facts: Facts): Unread | undefined {
  const callee = unwrap(call.callee);
  const target = call.arguments[0];
  if (!isMember(callee) || memberName(callee) !== 'pipe' || target?.type !== 'Identifier' || !isStatement(call)) return undefined;
  const binding = facts.bindings.resolve(target);
  const { declaration } = binding ?? {};
  if (!binding || declaration?.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || !declaration.init)
    return undefined;
  const made = unwrap(declaration.init);
  const origin = made.type === 'NewExpression' ? facts.origins.moduleMember(made.callee) : undefined;
  if (origin?.module.replace('node:', '') !== 'stream' || origin.path.at(-1) !== 'PassThrough') return undefined;
  if (facts.bindings.writes(binding).some(({ node }) => node !== declaration)) return undefined;
  const others = facts.bindings.references(binding).filter((one) => one !== binding.identifier);
  return others.every((one) => isPipedInto(one) || isHarmless(one))
    ? { name: target.name, source: facts.source.slice(callee.object) }
    : undefined;
}

function isPipedInto(reference: Node): boolean {
  const call = parentOf(reference);
  return isCall(call) && isMember(call.callee) && memberName(call.callee) === 'pipe' && isStatement(call);
}

function isHarmless(reference: Node): boolean {
  const member = parentOf(reference);
  const call = member && isMember(member) && member.object === reference ? parentOf(member) : undefined;
  if (!isCall(call) || call.callee !== member || !isMember(member)) return false;
  const method = memberName(member) ?? '';
  const [event] = call.arguments;
  if (!HARMLESS.test(method) || !(isStatement(call) || method === 'destroy' || method === 'end')) return false;
  return !/^(?:on|once|addListener)$/.test(method) || (event?.type === 'StringLiteral' && !READING_EVENTS.test(event.value));
}

function isStatement(node: Node): boolean {
  return parentOf(node)?.type === 'ExpressionStatement';
}
