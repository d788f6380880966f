// Conversions and copies of bytes that the code does not need.
import { constantOf, numberOf, textOf } from '../../analysis/facts/constants.ts';
import { hasComment } from '../../analysis/fix/blocks.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
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
  type t,
} from '../../analysis/module/ast.ts';
import type { Repair } from '../../analysis/rule.ts';
import { awaited, isUtf8, largeOf, type Large } from './large.ts';
import { outermost, useOf, usesOf, usesOfBinding, type Use } from './uses.ts';

export interface Waste {
  /** `decoded`: text of bytes that is only written; `single`: byte by byte; `encoded`: bytes of a text; `copied`: the same bytes twice. */
  kind: 'decoded' | 'single' | 'encoded' | 'copied';
  at: Node;
  data: Record<string, string>;
  repair?: () => Repair;
}

const WRITTEN: Partial<Record<Use['kind'], string>> = {
  response: 'only sent',
  file: 'only written to a file',
  hash: 'only hashed',
  bytes: 'only encoded again',
};

/** `await readFile(path, 'utf8')`, `buffer.toString()`, of which the text is only written. */
export function decodedAt(call: CallNode, facts: Facts): Waste | undefined {
  const callee = unwrap(call.callee);
  const isText = isMember(callee) && memberName(callee) === 'toString';
  const large = isText || facts.origins.isGlobal(callee, 'String') ? largeOf(call, facts) : awaited(call, facts);
  const uses = large?.isDecoded && textUses(call, facts);
  const use = uses && writtenAs(uses);
  if (!use) return undefined;
  const isFile = !isText && /readFile$/i.test(facts.source.slice(callee));
  // Frameworks choose a content type by what they are given. Where they do, the text says more than the bytes.
  const isGuessed = uses.some(
    ({ kind, at }) => kind === 'response' && !(isCall(at) && /\.(?:end|write)$/.test(facts.source.slice(at.callee))),
  );
  const fn = enclosingFunction(call);
  if (isGuessed && !(fn && /content-?type|\.type\b/i.test(facts.source.slice(fn)))) return undefined;
  const remedy = isFile ? (use === 'file' ? 'Use `copyFile`' : 'Read the file without an encoding') : 'Use the bytes themselves';
  return {
    kind: 'decoded',
    at: call,
    data: {
      made: isText ? '.toString()' : facts.source.slice(callee),
      use: WRITTEN[use] ?? '',
      remedy: use === 'hash' ? `${remedy}. The hash changes only if the bytes are not valid UTF-8` : remedy,
    },
  };
}

function textUses(call: CallNode, facts: Facts): readonly Use[] | undefined {
  const last = call.arguments.at(-1);
  let param: Node | undefined;
  if (isFunction(last)) param = last.params[1];
  else {
    const member = parentOf(call);
    const then = isMember(member) && memberName(member) === 'then' ? parentOf(member) : undefined;
    const [callback] = isCall(then) ? then.arguments : [];
    if (!then) return parentOf(call)?.type === 'AwaitExpression' || largeOf(call, facts) ? usesOf(call, facts) : undefined;
    param = isFunction(callback) ? callback.params[0] : undefined;
  }
  const binding = param?.type === 'Identifier' ? facts.bindings.resolve(param) : undefined;
  return binding && facts.bindings.isConstant(binding) ? usesOfBinding(binding, facts) : undefined;
}

/** How a text is written, if nothing else happens to it. Its length is not that of the bytes. */
function writtenAs(uses: readonly Use[]): Use['kind'] | undefined {
  const kinds = uses.filter(({ kind, at }) => kind !== 'length' || !isCall(at)).map(({ kind }) => kind);
  return kinds.every((kind) => WRITTEN[kind] !== undefined) ? kinds[0] : undefined;
}

/** `Array.from(bytes)`, `String.fromCharCode(...bytes)`, `bytes.reduce((text, byte) => text + String.fromCharCode(byte), '')` */
export function singleAt(node: CallNode | t.ArrayExpression | t.AssignmentExpression, facts: Facts): Waste | undefined {
  const { origins } = facts;
  const found = (call: string, isSure: boolean): Waste | undefined =>
    isSure || usesOf(node, facts).every(({ kind }) => kind === 'bytes' || kind === 'list')
      ? { kind: 'single', at: node, data: { call } }
      : undefined;
  if (node.type === 'ArrayExpression') {
    const [spread, other] = node.elements;
    return spread?.type === 'SpreadElement' && !other && isBytes(spread.argument, facts) ? found('[...bytes]', false) : undefined;
  }
  if (node.type === 'AssignmentExpression') return isLoopOverBytes(node, facts) ? found('String.fromCharCode', true) : undefined;
  const callee = unwrap(node.callee);
  const [first, second] = node.arguments;
  if (origins.isGlobal(callee, 'Array.from')) return first && isBytes(first, facts) ? found('Array.from', false) : undefined;
  if (origins.isGlobal(callee, 'String.fromCharCode'))
    return first?.type === 'SpreadElement' && isBytes(first.argument, facts) ? found('String.fromCharCode', true) : undefined;
  if (!isMember(callee)) return undefined;
  const method = memberName(callee);
  if (method === 'apply' && second && origins.isGlobal(callee.object, 'String.fromCharCode'))
    return isBytes(second, facts) ? found('String.fromCharCode.apply', true) : undefined;
  const isText = method === 'reduce' && isFunction(first) && facts.source.slice(first).includes('String.fromCharCode(');
  return isText && isBytes(callee.object, facts) ? found('String.fromCharCode', true) : undefined;
}

function isBytes(node: Node, facts: Facts): boolean {
  const form = largeOf(node, facts)?.form;
  return form === 'Buffer' || form === 'Uint8Array';
}

/** `text += String.fromCharCode(bytes[i])` in a loop over all of them */
function isLoopOverBytes({ operator, left, right }: t.AssignmentExpression, facts: Facts): boolean {
  const make = unwrap(right);
  if (operator !== '+=' || left.type !== 'Identifier' || !isCall(make) || !facts.origins.isGlobal(make.callee, 'String.fromCharCode'))
    return false;
  const byte = make.arguments[0] && unwrap(make.arguments[0]);
  let loop = parentOf(left);
  while (loop && !isLoop(loop) && !isFunction(loop)) loop = parentOf(loop);
  if (!byte || make.arguments.length > 1) return false;
  if (loop?.type === 'ForOfStatement') {
    const declaration = byte.type === 'Identifier' ? facts.bindings.resolve(byte)?.declaration : undefined;
    return declaration !== undefined && parentOf(declaration) === loop.left && isBytes(loop.right, facts);
  }
  const test = loop?.type === 'ForStatement' && loop.test ? unwrap(loop.test) : undefined;
  return (
    isMember(byte) &&
    byte.computed &&
    test?.type === 'BinaryExpression' &&
    numberOf(test.right, facts.bindings) === undefined &&
    isBytes(byte.object, facts)
  );
}

/** `Buffer.from(text)` for its length, for a hash, or for the text again */
export function encodedAt(call: CallNode, facts: Facts): Waste | undefined {
  const { origins, source } = facts;
  const callee = unwrap(call.callee);
  const [argument, encoding] = call.arguments;
  const first = argument && unwrap(argument);
  const isBuffer = origins.isGlobal(callee, 'Buffer.from') && isUtf8(encoding, facts);
  const isBlob = call.type === 'NewExpression' && origins.isGlobal(callee, 'Blob');
  const maker = isMember(callee) && memberName(callee) === 'encode' ? unwrap(callee.object) : undefined;
  const encoder = maker && unwrap(constantOf(maker, facts.bindings) ?? maker);
  const isEncoder = isCall(encoder) && origins.isGlobal(encoder.callee, 'TextEncoder');
  let text = isBuffer || isEncoder ? first : undefined;
  if (isBlob && first?.type === 'ArrayExpression' && first.elements.length === 1) text = first.elements[0] ?? undefined;
  const large = text && largeOf(text, facts);
  if (!text || (large ? large.form !== 'text' : !isNamedText(text))) return undefined;
  const [use, ...others] = usesOf(call, facts);
  if (!use || others.some(({ kind }) => kind !== use.kind)) return undefined;
  const remedies: Partial<Record<Use['kind'], string>> = {
    length: '`Buffer.byteLength(text)` counts them',
    ...(isBlob ? {} : { hash: 'A hash takes the text itself', text: 'Use the text itself' }),
  };
  // What is only called a body is a text or bytes: both are counted the same way.
  const remedy = large || use.kind === 'length' ? remedies[use.kind] : undefined;
  const isToldBefore = large?.isDecoded && (!large.binding || writtenAs(usesOfBinding(large.binding, facts)) !== undefined);
  if (remedy === undefined || isToldBefore) return undefined;
  const value = source.slice(text);
  const isInPlace = isMember(use.at) ? use.at.object === call : parentOf(call) === use.at;
  const edit =
    isBuffer && large && isInPlace && use.kind !== 'text'
      ? use.kind === 'hash'
        ? replacing(call, value, 'Hash the text itself', facts)
        : replacing(use.at, `Buffer.byteLength(${value})`, 'Count with `Buffer.byteLength`', facts)
      : undefined;
  return {
    kind: 'encoded',
    at: call,
    data: {
      call: source.slice(callee),
      use: { length: 'counted', hash: 'hashed', text: 'decoded again' }[use.kind as 'length' | 'hash' | 'text'],
      remedy,
    },
    ...(edit ? { repair: edit } : {}),
  };
}

/** `message.body`, `file.content` */
function isNamedText(node: Node): boolean {
  const at = unwrap(node);
  if (at.type === 'Identifier') return /^(?:body|rawBody|payload|html)$/.test(at.name);
  return isMember(at) && /^(?:body|rawBody|payload|content|html|xml|json)$/.test(memberName(at) ?? '');
}

const ENCODED_AGAIN = /^(?:base64|base64url|hex|latin1|binary)$/;
const READ_AT_ONCE: ReadonlySet<Use['kind']> = new Set(['response', 'file', 'hash', 'length']);
const READ_BUFFER: ReadonlySet<Use['kind']> = new Set([...READ_AT_ONCE, 'text', 'read']);

/** `Buffer.from(buffer)`, `new Uint8Array(buffer)`, `Buffer.concat([buffer])`, if nobody needs both */
export function copiedAt(call: CallNode, facts: Facts): Waste | undefined {
  const { origins, source } = facts;
  const [argument, second] = call.arguments;
  const first = argument && unwrap(argument);
  if (!first) return undefined;
  const isFrom = origins.isGlobal(call.callee, 'Buffer.from');
  const isArray = origins.isGlobal(call.callee, call.type === 'NewExpression' ? 'Uint8Array' : 'Uint8Array.from');
  let bytes: Node | undefined;
  if (second) bytes = isFrom ? encodedAgain(first, second, facts) : undefined;
  else if (isFrom || isArray) bytes = first;
  else if (origins.isGlobal(call.callee, 'Buffer.concat') && first.type === 'ArrayExpression' && first.elements.length === 1)
    bytes = first.elements[0] ?? undefined;
  const large = bytes && bytes.type !== 'SpreadElement' ? largeOf(bytes, facts) : undefined;
  if (!bytes || !large || (large.form !== 'Buffer' && large.form !== 'Uint8Array')) return undefined;
  const uses = usesOf(call, facts);
  const isOnlyRead = uses.length > 0 && uses.every(({ kind }) => (isArray ? READ_AT_ONCE : READ_BUFFER).has(kind));
  if (!isOnlyRead && (isArray || !isAlone(large, call, facts))) return undefined;
  const view = unwrap(bytes);
  const inner = isFrom && isCall(view) && view.type === 'NewExpression' ? view.arguments[0] : undefined;
  const isSame = large.form === 'Buffer' && !isArray;
  const isReadOn = isMember(parentOf(call)) && view.type === 'AwaitExpression';
  const text = isReadOn ? `(${source.slice(bytes)})` : source.slice(bytes);
  let edit: (() => Repair) | undefined;
  if (inner && largeOf(inner, facts)?.form === 'ArrayBuffer')
    edit = replacing(call, `Buffer.from(${source.slice(inner)})`, 'Use the ArrayBuffer itself', facts);
  else if (isSame && isAlone(large, call, facts)) edit = replacing(call, text, 'Use the buffer itself', facts);
  return {
    kind: 'copied',
    at: call,
    data: {
      call: `${call.type === 'NewExpression' ? 'new ' : ''}${source.slice(call.callee)}`,
      remedy:
        large.form === 'Uint8Array' && isFrom
          ? 'A view copies nothing: `Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)`'
          : 'Use the bytes themselves',
    },
    ...(edit ? { repair: edit } : {}),
  };
}

/** The bytes of `Buffer.from(bytes.toString('base64'), 'base64')` */
function encodedAgain(text: Node, encoding: Node, facts: Facts): Node | undefined {
  const callee = isCall(text) ? unwrap(text.callee) : undefined;
  if (!isCall(text) || !isMember(callee) || memberName(callee) !== 'toString' || !text.arguments[0]) return undefined;
  const name = textOf(encoding, facts.bindings);
  return name !== undefined && ENCODED_AGAIN.test(name) && textOf(text.arguments[0], facts.bindings) === name ? callee.object : undefined;
}

/** Whether nothing but the copy uses what is copied. */
function isAlone({ binding, isKept }: Large, call: CallNode, facts: Facts): boolean {
  if (isKept) return false;
  if (!binding) return true;
  return facts.bindings
    .references(binding)
    .every((reference) => contains(call, reference) || useOf(outermost(reference), facts).kind === 'length');
}

function replacing(node: Node, text: string, title: string, facts: Facts): (() => Repair) | undefined {
  if (hasComment(facts, node)) return undefined;
  return () => ({ fixes: [{ title, kind: 'suggestion', edits: [{ start: startOf(node), end: endOf(node), text }] }], refused: [] });
}
