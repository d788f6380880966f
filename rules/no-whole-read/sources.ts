// What gathers all bytes before anybody gets the first: reads of files, answers, bodies, objects, streams, and archives.
import type { Binding } from '../../analysis/facts/bindings.ts';
import { constantOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';

export interface Whole {
  kind: 'file' | 'answer' | 'text' | 'body' | 'object' | 'stream' | 'archive';
  /** For messages: what is held in memory. */
  all: string;
  /** What passes the same bytes on in parts. */
  stream: string;
  /** The member or element of the result that has the bytes. */
  inner?: string | 0;
  /** Instead of the result: the parameter of a callback. */
  parameter?: Node;
  /** Of a file or an answer: where it is. */
  address?: Node;
}

const MAY_GATHER =
  /readFile|arrayBuffer|\.buffer\(|\bbytes\(|\.text\(|arraybuffer|Buffer\.concat|getObject|transformTo|\.download\(|generateAsync|writeBuffer|stream\/consumers|\.write\(/;

/** Whether a text may gather anything. Most files do not, and cost no more than this check. */
export function mayReadWhole(text: string): boolean {
  return MAY_GATHER.test(text);
}

const FILE_MODULES = /^(?:fs|fs-extra|graceful-fs)$/;
const FETCHING = /^(?:node-fetch|undici|cross-fetch|isomorphic-fetch|@\w{1,20}\/fetch)$/;
const REQUEST_NAME = /^_?(?:req|request|incoming|incomingMessage)$/;
// The longest chain of constants to follow.
const MAX_STEPS = 4;

export function wholeOf(call: CallNode, facts: Facts): Whole | undefined {
  if (call.type === 'NewExpression') return undefined;
  const callee = unwrap(call.callee);
  const origin = facts.origins.moduleMember(callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  if (origin && FILE_MODULES.test(origin.module)) return origin.path.at(-1) === 'readFile' ? fileOf(call) : undefined;
  if (origin?.module === 'stream/consumers') return consumed(call, origin.path[0], facts);
  if (isOfAxios(call))
    return { kind: 'answer', all: 'the whole response', stream: "the data of a response with `responseType: 'stream'`", inner: 'data' };
  if (!isMember(callee)) return undefined;
  const object = unwrap(callee.object);
  switch (name) {
    case 'arrayBuffer':
    case 'bytes':
    case 'buffer':
    case 'text':
      return call.arguments.length === 0 ? answerOf(name, object, facts) : undefined;
    case 'promise':
      return isMethod(object, 'getObject')
        ? { kind: 'object', all: 'the whole object', stream: '`getObject(…).createReadStream()`', inner: 'Body' }
        : undefined;
    case 'transformToByteArray':
    case 'transformToString':
      return { kind: 'object', all: 'the whole object', stream: '`Body`' };
    case 'download':
      return isMethod(initOf(object, facts), 'file') && call.arguments.length === 0
        ? { kind: 'object', all: 'the whole object', stream: '`file.createReadStream()`', inner: 0 }
        : undefined;
    case 'generateAsync':
      return optionOf(call.arguments[0], 'type') !== undefined &&
        /^(?:nodebuffer|uint8array)$/.test(optionOf(call.arguments[0], 'type') ?? '')
        ? { kind: 'archive', all: 'the whole archive', stream: '`zip.generateNodeStream({ streamFiles: true })`' }
        : undefined;
    case 'writeBuffer':
      return isMember(object) && /^(?:xlsx|csv)$/.test(memberName(object) ?? '')
        ? { kind: 'archive', all: 'the whole workbook', stream: '' }
        : undefined;
    case 'concat':
      return facts.origins.isGlobal(callee, 'Buffer.concat') ? gatheredIn(call.arguments[0], facts) : undefined;
    default:
      return undefined;
  }
}

function fileOf(call: CallNode): Whole | undefined {
  const [address] = call.arguments;
  const last = call.arguments.at(-1);
  if (!address) return undefined;
  const callback = last && isFunction(last) ? last.params[1] : undefined;
  if (last && isFunction(last) && !callback) return undefined;
  return { kind: 'file', all: 'the whole file', stream: '`createReadStream(path)`', address, ...(callback && { parameter: callback }) };
}

/** `buffer(request)` of `node:stream/consumers` */
function consumed(call: CallNode, name: string | undefined, facts: Facts): Whole | undefined {
  const [stream] = call.arguments;
  return stream && /^(?:buffer|arrayBuffer|text|blob)$/.test(name ?? '') ? ofStream(stream, facts) : undefined;
}

/** `await answer.arrayBuffer()`, where the answer is what `fetch` returned. */
function answerOf(method: string, object: Node, facts: Facts): Whole | undefined {
  const fetched = fetchOf(object, facts);
  const [address] = fetched?.arguments ?? [];
  if (!fetched || !address) return undefined;
  return { kind: method === 'text' ? 'text' : 'answer', all: 'the whole response', stream: '`Readable.fromWeb(answer.body)`', address };
}

function fetchOf(expression: Node, facts: Facts): CallNode | undefined {
  let node = initOf(expression, facts);
  if (node.type === 'AwaitExpression') node = unwrap(node.argument);
  // `fetch(address).then((answer) => answer.arrayBuffer())`
  if (node.type === 'Identifier') {
    const binding = facts.bindings.resolve(node);
    const fn =
      binding?.kind === 'param' && isFunction(binding.declaration) && binding.declaration.params[0] === binding.identifier
        ? binding.declaration
        : undefined;
    const call = fn && parentOf(fn);
    if (!isCall(call) || call.arguments[0] !== fn || !isMember(call.callee) || memberName(call.callee) !== 'then') return undefined;
    node = unwrap(call.callee.object);
  }
  if (!isCall(node) || node.type === 'NewExpression') return undefined;
  const origin = facts.origins.of(node.callee);
  const isFetch =
    origin?.root === 'global' ? origin.name === 'fetch' && origin.path.length === 0 : origin !== undefined && FETCHING.test(origin.name);
  return isFetch ? node : undefined;
}

/** `axios.get(address, { responseType: 'arraybuffer' })`: no other package has this value. */
function isOfAxios(call: CallNode): boolean {
  return call.arguments.some((one) => optionOf(one, 'responseType') === 'arraybuffer');
}

/** `Buffer.concat(chunks)`, where the list gets the pieces of a stream. */
function gatheredIn(list: Node | undefined, facts: Facts): Whole | undefined {
  const node = list && unwrap(list);
  const binding = node?.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  const init =
    binding?.declaration.type === 'VariableDeclarator' && binding.declaration.init ? unwrap(binding.declaration.init) : undefined;
  if (!binding || init?.type !== 'ArrayExpression' || init.elements.length > 0 || binding.scope.type === 'Program') return undefined;
  for (const reference of facts.bindings.references(binding)) {
    const stream = feederOf(reference, binding);
    if (stream) return ofStream(stream, facts);
  }
  return undefined;
}

function feederOf(reference: Node, list: Binding): Node | undefined {
  const member = parentOf(reference);
  const call = isMember(member) && memberName(member) === 'push' ? parentOf(member) : undefined;
  if (!isCall(call) || call.callee !== member) return undefined;
  const fn = enclosingFunction(call);
  for (let at: Node | undefined = call; at && at !== fn; at = parentOf(at)) if (at.type === 'ForOfStatement' && at.await) return at.right;
  const listener = fn && parentOf(fn);
  if (!isCall(listener) || listener.callee === fn || fn === enclosingFunction(list.identifier) || !isMember(listener.callee))
    return undefined;
  const [event] = listener.arguments;
  if (!/^(?:on|addListener)$/.test(memberName(listener.callee) ?? '') || event?.type !== 'StringLiteral' || event.value !== 'data')
    return undefined;
  let object = unwrap(listener.callee.object);
  // `stream.on('error', fail).on('data', …)`
  for (let i = 0; i < MAX_STEPS && isCall(object) && isMember(object.callee) && memberName(object.callee) === 'on'; i += 1)
    object = unwrap(object.callee.object);
  return object;
}

function ofStream(stream: Node, facts: Facts): Whole | undefined {
  const node = unwrap(stream);
  const name = node.type === 'Identifier' ? node.name : isMember(node) ? (memberName(node) ?? '') : '';
  if (isRequest(node, facts)) return { kind: 'body', all: 'the whole body', stream: '`request`' };
  // What a program prints decides, with its exit code, what is answered.
  if (/^(?:stdout|stderr)$/i.test(name)) return undefined;
  return {
    kind: 'stream',
    all: 'the whole stream',
    stream: /^\w{1,20}$/.test(facts.source.slice(node)) ? `\`${facts.source.slice(node)}\`` : 'the stream',
  };
}

function isRequest(node: Node, facts: Facts): boolean {
  // Koa: `context.req`
  if (isMember(node)) return memberName(node) === 'req';
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  if (binding?.kind !== 'param' || !isFunction(binding.declaration)) return false;
  const fn = binding.declaration;
  return (
    REQUEST_NAME.test(binding.name) ||
    (fn.params[0] === binding.identifier && facts.handlersOf(fn).some((one) => /^(?:route|middleware)$/.test(one.kind)))
  );
}

/** The value of a constant, or the expression itself. */
export function initOf(expression: Node, facts: Facts): Node {
  let node = unwrap(expression);
  for (let i = 0; i < MAX_STEPS; i += 1) {
    const init: Node | undefined = constantOf(node, facts.bindings);
    if (!init) break;
    node = unwrap(init);
  }
  return node;
}

export function isMethod(node: Node, name: string): node is t.CallExpression {
  return isCall(node) && isMember(node.callee) && memberName(node.callee) === name;
}

function optionOf(options: Node | undefined, name: string): string | undefined {
  const object = options && unwrap(options);
  if (object?.type !== 'ObjectExpression') return undefined;
  for (const property of object.properties)
    if (property.type === 'ObjectProperty' && staticName(property.key, property.computed) === name)
      return property.value.type === 'StringLiteral' ? property.value.value : undefined;
  return undefined;
}
