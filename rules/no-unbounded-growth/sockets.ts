// Listeners on the socket of an HTTP request. The socket is kept for the next requests, so that a listener outlives its own.
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { functionOf, removingCalls } from './listeners.ts';
import { rootOf } from './owners.ts';
import { mentions } from './uses.ts';

export interface SocketListener {
  /** The socket as the code names it. */
  socket: string;
  event: string;
  /** Whether this code sends the request; otherwise, it answers it. */
  isSent: boolean;
  /** An agent that keeps sockets is set: it is not left to the default of Node. */
  isKept: boolean;
}

const ADDS = /^(?:on|once|addListener|prependListener|setTimeout)$/;
/** Events that a healthy socket may never emit again. It emits others for each request, which removes a listener of `once`. */
const RARE = /^(?:timeout|error|close|end|connect|secureConnect|lookup|ready)$/;
const FREQUENT = /^(?:data|drain)$/;
/** The socket of a request or response that is answered. */
const ANSWERED = /^_?(?:req|res|request|response|reply|ctx|context|c)(?:\.(?:req|res|request|response|raw|node))*\.(?:socket|connection)$/;
/** Parameters of handlers for connections that the code takes over. */
const TAKEN_OVER = /^(?:ws|socket|conn|connection|client|head|peer)$/i;
/** Options of connections that serve one request, or that the code makes. */
const SINGLE = /^['"]?(?:socket|createConnection|keepAlive['"]?:\s*false|connection['"]?:\s*['"]close)\b/i;
const AGENT = /^agent\b/;
const KEPT = /^keepAlive:\s*true/;
/** Names and texts of answers that take as long as their connection. */
const LASTING = /event-?s|\bsse|sse\b|upgrade|socket\.io|web-?socket|keep-?alive|subscri|watch|heartbeat|\blive/i;
/** Conditions that let each socket through once. */
const GUARD = /socket|connect|conn\b|first|reused|listener|pending/i;

/** `req.socket.on('close', …)`, `req.on('socket', (socket) => socket.on('timeout', …))`, `socket.setTimeout(5000, …)` */
export function findSocketListener(call: CallNode, facts: Facts): SocketListener | undefined {
  const callee = unwrap(call.callee);
  const [first, listener, ...more] = call.arguments;
  const method = isMember(callee) ? memberName(callee) : undefined;
  if (!isMember(callee) || !method || !ADDS.test(method) || !first || !listener || more.length > 0) return undefined;
  const event = method === 'setTimeout' ? 'timeout' : first.type === 'StringLiteral' ? first.value : '';
  if (!RARE.test(event) && (method === 'once' || !FREQUENT.test(event))) return undefined;
  const sender = senderOf(callee.object, call, facts);
  const fn = sender ?? answererOf(callee.object, call, facts);
  if (!fn || !functionOf(listener, facts) || isSingle(facts)) return undefined;
  if (conditionsOn(call, fn).some((test) => GUARD.test(facts.source.slice(test)))) return undefined;
  const isKept = hasOption(KEPT, facts);
  if (sender ? hasOption(AGENT, facts) && !isKept : isLasting(parentOf(fn) ?? fn, facts)) return undefined;
  if (removingCalls(facts).some((removal) => mayBeFor(removal, event))) return undefined;
  return { socket: facts.source.slice(callee.object), event, isSent: sender !== undefined, isKept };
}

/** Through another name, it may be the same socket. A function that is made on the spot is one that nobody has added. */
function mayBeFor({ arguments: [name, fn] }: CallNode, event: string): boolean {
  return (name?.type !== 'StringLiteral' || name.value === event) && !(fn && isFunction(unwrap(fn)));
}

/** The function of `req.on('socket', (socket) => …)` whose parameter the socket is. */
function senderOf(socket: Node, site: Node, facts: Facts): FunctionNode | undefined {
  const fn = socket.type === 'Identifier' ? facts.bindings.resolve(socket)?.declaration : undefined;
  const call = fn && parentOf(fn);
  if (!isFunction(fn) || enclosingFunction(site) !== fn || !isCall(call) || call.arguments[1] !== fn) return undefined;
  const [event] = call.arguments;
  const callee = unwrap(call.callee);
  if (event?.type !== 'StringLiteral' || event.value !== 'socket' || !isMember(callee)) return undefined;
  const request = unwrap(callee.object);
  const declaration = request.type === 'Identifier' ? facts.bindings.resolve(request)?.declaration : undefined;
  const made = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : request;
  // `https.get(…)`, `client.request(…)`, `this.request`
  const isRequest = isCall(made)
    ? /\b(?:request|https?\.get)$/.test(facts.source.slice(made.callee))
    : /req(?:uest\w*)?$/i.test(facts.source.slice(request));
  return isRequest ? fn : undefined;
}

/** The handler whose request or response has this socket: `req.socket`, `ctx.req.socket`, `response.connection` */
function answererOf(socket: Node, site: Node, facts: Facts): FunctionNode | undefined {
  const root = ANSWERED.test(facts.source.slice(socket)) ? rootOf(socket) : undefined;
  const fn = root && facts.bindings.resolve(root)?.declaration;
  if (!isFunction(fn) || !contains(fn, site)) return undefined;
  // `wss.on('connection', (ws, req) => …)`, `server.on('upgrade', (req, socket, head) => …)`
  if (fn.params.some((param) => param.type === 'Identifier' && TAKEN_OVER.test(param.name))) return undefined;
  const handler = facts.handlersOf(fn)[0];
  return (handler ? handler.kind === 'socket' : !facts.requestPaths.toFunction(fn)) ? undefined : fn;
}

function isSingle(facts: Facts): boolean {
  if (hasOption(SINGLE, facts)) return true;
  return facts.remember('sockets of one request', () =>
    facts.module.nodes('StringLiteral').some((text) => {
      const holder = parentOf(text);
      // `setHeader('Connection', 'close')`, but not `on('close', …)`
      return (
        /^(?:upgrade|CONNECT|(?:node:)?http2)$/.test(text.value) ||
        (text.value === 'close' && isCall(holder) && holder.arguments[0] !== text)
      );
    }),
  );
}

function isLasting(handler: Node, facts: Facts): boolean {
  const known = facts.remember('handlers of lasting answers', () => new Map<Node, boolean>());
  let is = known.get(handler);
  if (is === undefined) known.set(handler, (is = mentions(handler, LASTING)));
  return is;
}

function hasOption(option: RegExp, facts: Facts): boolean {
  return facts.remember(`an option of sockets: ${option.source}`, () =>
    facts.module.nodes('ObjectProperty').some((one) => option.test(facts.source.text.slice(startOf(one), startOf(one) + 30))),
  );
}
