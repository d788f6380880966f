// What happens to text and bytes: whether they are only written, hashed, or measured.
import type { Binding } from '../../analysis/facts/bindings.ts';
import { constantOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { isUtf8 } from './large.ts';

export interface Use {
  /**
   * `response`, `file`, `hash`: written there; `bytes`: made to bytes; `length`: only that; `text`: made to text; `read`: only read;
   * `list`: of an array, joined. */
  kind: 'response' | 'file' | 'hash' | 'bytes' | 'length' | 'text' | 'read' | 'list' | 'other';
  /** The expression that uses the value, with what is around it. */
  at: Node;
}

const RESPONSE = /^(?:res|resp|response|reply|rep|ctx|context)$/;
const WRITES_FILE = /^(?:write|append|output)File(?:Sync)?$/;

/** With the casts, the parentheses, and the `await` around it. */
export function outermost(node: Node): Node {
  let at = node;
  for (let up = parentOf(at); up && up.type !== 'SequenceExpression'; up = parentOf(at)) {
    if (unwrap(up) !== unwrap(at) && !(up.type === 'AwaitExpression' && up.argument === at)) break;
    at = up;
  }
  return at;
}

/** How a value is used, also through the variable that has it. */
export function usesOf(made: Node, facts: Facts): readonly Use[] {
  const whole = outermost(made);
  const up = parentOf(whole);
  if (up?.type === 'VariableDeclarator' && up.init === whole && up.id.type === 'Identifier') {
    const binding = facts.bindings.resolve(up.id);
    return binding && facts.bindings.isConstant(binding) ? usesOfBinding(binding, facts) : [{ kind: 'other', at: up }];
  }
  return [useOf(whole, facts)];
}

export function usesOfBinding(binding: Binding, facts: Facts): readonly Use[] {
  return facts.bindings.references(binding).map((reference) => useOf(outermost(reference), facts));
}

export function useOf(whole: Node, facts: Facts): Use {
  const up = parentOf(whole);
  if (isMember(up) && unwrap(up.object) === unwrap(whole)) return { kind: ofMember(up, facts), at: up };
  if (up?.type === 'AssignmentExpression' && up.right === whole && isMember(up.left) && up.operator === '=') {
    const owner = unwrap(up.left.object);
    const isBody = memberName(up.left) === 'body' && owner.type === 'Identifier' && /^(?:ctx|context)$/.test(owner.name);
    return { kind: isBody ? 'response' : 'other', at: up };
  }
  if (up && isCall(up) && up.callee !== whole) return { kind: ofArgument(up, whole, facts), at: up };
  return { kind: 'other', at: up ?? whole };
}

function ofMember(member: Node & { type: string }, facts: Facts): Use['kind'] {
  const name = isMember(member) ? memberName(member) : undefined;
  if (name === 'length' || name === 'byteLength' || name === 'size') return 'length';
  const call = parentOf(member);
  if (!isCall(call) || call.callee !== member) return 'other';
  if (name === 'toString') return isUtf8(call.arguments[0], facts) ? 'text' : 'read';
  if (/^(?:equals|compare|indexOf|includes|read\w+)$/.test(name ?? '')) return 'read';
  if (name === 'join') return 'list';
  // `.map((byte) => …).join('')`
  const next = parentOf(call);
  return name === 'map' && isMember(next) && memberName(next) === 'join' ? 'list' : 'other';
}

function ofArgument(call: CallNode, argument: Node, facts: Facts): Use['kind'] {
  const { origins } = facts;
  const index = call.arguments.indexOf(argument as CallNode['arguments'][number]);
  const callee = unwrap(call.callee);
  const [, second] = call.arguments;
  const isPlain = !second || isFunction(second) || isUtf8(second, facts);
  if (index === 0 && origins.isGlobal(callee, 'Buffer.byteLength')) return 'length';
  if (index === 0 && origins.isGlobal(callee, 'JSON.parse')) return 'read';
  if (index === 0 && isPlain && ['Buffer.from', 'Uint8Array', 'Uint8Array.from'].some((name) => origins.isGlobal(callee, name)))
    return 'bytes';
  if (call.type === 'NewExpression') {
    const isResponse = index === 0 && callee.type === 'Identifier' && /^(?:Next)?Response$/.test(callee.name);
    return isResponse ? 'response' : 'other';
  }
  const method = isMember(callee) ? (memberName(callee) ?? '') : callee.type === 'Identifier' ? callee.name : '';
  if (index === 1 && WRITES_FILE.test(method)) {
    const [, , options] = call.arguments;
    return !options || isFunction(options) || isUtf8(options, facts) ? 'file' : 'other';
  }
  if (index !== 0 || !isMember(callee) || !isPlain) return 'other';
  if (method === 'update') return isHash(callee.object, facts) ? 'hash' : 'other';
  return /^(?:end|send|write)$/.test(method) && isResponse(callee.object) ? 'response' : 'other';
}

/** `res`, `res.status(200).type('html')`, `ctx.res` */
function isResponse(object: Node): boolean {
  let at = unwrap(object);
  while (isCall(at) && isMember(at.callee)) at = unwrap(at.callee.object);
  const name = isMember(at) ? memberName(at) : at.type === 'Identifier' ? at.name : undefined;
  return name !== undefined && RESPONSE.test(name);
}

/** `crypto.createHash('sha256')`, also in a variable, and after other parts */
function isHash(object: Node, facts: Facts): boolean {
  let at = unwrap(object);
  at = unwrap(constantOf(at, facts.bindings) ?? at);
  while (isCall(at) && isMember(at.callee) && memberName(at.callee) === 'update') at = unwrap(at.callee.object);
  const origin = isCall(at) ? facts.origins.moduleMember(at.callee) : undefined;
  return origin?.module === 'crypto' && /^create(?:Hash|Hmac)$/.test(origin.path.at(-1) ?? '');
}
