// What must be known before any route can be resolved: mounted routers, prefixes, applications of plugins, connected clients.
import { FRAMEWORKS, type FrameworkModel, type MethodShape } from '../../../knowledge/frameworks.ts';
import { isFunction, isMember, memberName, staticName, unwrap, type Node, type t } from '../../module/ast.ts';
import type { HandlerSources } from './handler.ts';
import type { Apps, Receiver } from './apps.ts';
import type { Found } from './found.ts';
import { isPathLike, joinPaths, propertyValue, readPaths, readText } from './route-paths.ts';
import { parameterName } from './signatures.ts';

type Call = t.CallExpression | t.OptionalCallExpression;

const EVENT_METHODS: ReadonlySet<string> = new Set(['on', 'once', 'addListener']);
const WIRING: ReadonlySet<string> = new Set([
  ...FRAMEWORKS.flatMap((model) =>
    Object.entries(model.methods)
      .filter(([, shape]) => shape === 'use' || shape === 'route' || shape === 'plugin' || shape === 'prefix')
      .map(([name]) => name),
  ),
  ...EVENT_METHODS,
]);

/** Usual names for the parameter of a connection handler. */
const CLIENT_SOCKET = /^(?:socket|ws|sock|spark|client|conn|connection)$|(?:Socket|Ws|WS)$/;

export function wire(calls: readonly Call[], sources: HandlerSources, apps: Apps, found: Found): void {
  for (const call of calls) {
    const callee = unwrap(call.callee);
    const first = call.arguments[0];
    const method = first && isMember(callee) ? memberName(callee) : undefined;
    if (method === undefined || !first || !isMember(callee) || !WIRING.has(method)) continue;
    if (EVENT_METHODS.has(method)) wireConnection(call, callee.object, sources, apps, found);
    else wireApp(call, first, method, apps.of(callee.object), sources, apps);
  }
}

function wireApp(call: Call, first: Node, method: string, receiver: Receiver, sources: HandlerSources, apps: Apps): void {
  if (receiver.status !== 'app' && receiver.status !== 'open') return;
  const second = call.arguments[1];
  const shape: MethodShape | undefined = receiver.status === 'app' ? receiver.model.methods[method] : method === 'use' ? 'use' : undefined;
  if (shape === 'prefix') {
    const path = readText(first, sources);
    if (path !== undefined) apps.setOwnPath(receiver.key, path);
  } else if (shape === 'plugin' && receiver.status === 'app') {
    const options = second ? unwrap(second) : undefined;
    const prefix = options?.type === 'ObjectExpression' ? propertyValue(options, 'prefix') : undefined;
    for (const fn of sources.calls.functionsOf(first)) {
      const key = apps.setParameter(fn, receiver);
      if (key) apps.mount(key, receiver.key, prefix ? (readText(prefix, sources) ?? '') : '');
    }
  } else if (shape === 'use' || (shape === 'route' && second)) {
    const path = isPathLike(first) || unwrap(first).type === 'Identifier' ? (readPaths(first, sources)?.[0] ?? '') : '';
    for (const argument of call.arguments) {
      const node = unwrap(argument);
      if (isFunction(node)) continue;
      const child = apps.of(node);
      if (child.status === 'app' && !child.isChain) apps.mount(child.key, receiver.key, joinPaths(receiver.path, path));
    }
  }
}

/** `io.on('connection', (socket) => …)`: the parameter is a connected client. */
function wireConnection(call: Call, object: Node, sources: HandlerSources, apps: Apps, found: Found): void {
  const [first, second] = call.arguments;
  const event = first ? staticName(unwrap(first), true) : undefined;
  if (event === undefined || !second || !CONNECTION_EVENTS.has(event)) return;
  const receiver = apps.of(object);
  if (receiver.status === 'never' || receiver.status === 'client-socket') return;
  if (receiver.status === 'app' ? !receiver.model.events?.[event]?.client : event === 'request') return;
  const named = receiver.status === 'app' ? receiver.model : apps.imported.find((model) => model.events?.['connection']);
  for (const fn of sources.calls.functionsOf(second)) {
    if (receiver.status !== 'app' && !CLIENT_SOCKET.test(parameterName(fn.params[0]) ?? '')) continue;
    const model = named ?? DEFAULT_SOCKETS;
    apps.setParameter(fn, { status: 'client-socket', model });
    found.addHandler(fn, 'socket', model.id, named || !usesPlainSockets(sources) ? CONNECTION_ROUTE : PLAIN_CONNECTION, call);
  }
}

function usesPlainSockets({ module }: HandlerSources): boolean {
  return module.nodes('StringLiteral').some(({ value }) => /^(?:node:)?(?:net|tls)$/.test(value));
}

const CONNECTION_EVENTS: ReadonlySet<string> = new Set(
  FRAMEWORKS.flatMap((model) =>
    Object.entries(model.events ?? {})
      .filter(([, event]) => event.client)
      .map(([name]) => name),
  ),
);
/** It runs once for each client, not for its messages. */
const CONNECTION_ROUTE = 'WS connection';
/** In a file that loads `net` or `tls`, and no package for WebSockets. */
const PLAIN_CONNECTION = 'TCP connection';
const DEFAULT_SOCKETS = FRAMEWORKS.find((model) => model.id === 'socket.io') as FrameworkModel;
