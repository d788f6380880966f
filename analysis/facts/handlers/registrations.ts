// Calls that register handlers: `app.get('/x', fn)`, `fastify.route({ … })`, `io.on('connection', fn)`, `createServer(fn)`.
import { COMMON_VERBS, FRAMEWORKS, type FrameworkModel, type MethodShape } from '../../../knowledge/frameworks.ts';
import { isFunction, isMember, memberName, parentOf, staticName, unwrap, type FunctionNode, type Node, type t } from '../../ast.ts';
import type { Handler, HandlerKind, HandlerSources, RouteSite } from '../handlers.ts';
import { trustOf, type AppKey, type Apps, type Receiver } from './apps.ts';
import { isForeignUrl, isPathLike, joinPaths, nameOf, propertyValue, readPaths, readText } from './route-paths.ts';
import { handlerLook, parameterName } from './signatures.ts';
import { mayBeFunction } from './function-like.ts';

type Call = t.CallExpression | t.OptionalCallExpression;
type AppReceiver = Extract<Receiver, { status: 'app' }>;
type OpenReceiver = Extract<Receiver, { status: 'open' }>;

const SHAPED_METHODS: ReadonlySet<string> = new Set(FRAMEWORKS.flatMap((model) => Object.keys(model.methods)));
const TAKER_NAMES: ReadonlySet<string> = new Set(FRAMEWORKS.flatMap((model) => (model.takers ?? []).map((path) => path.split('.').at(-1) ?? '')));
const WIRING: ReadonlySet<string> = new Set(['use', 'route', 'register', 'prefix', 'on', 'once', 'addListener', 'mount', 'after']);

/** Properties of a route's options object that hold functions which run for the request. */
const OPTION_HANDLERS = ['handler', 'onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onSend', 'onResponse', 'onError', 'pre', 'use', 'middleware', 'middlewares', 'before', 'errorHandler', 'wsHandler'];
const HTTP_METHOD = /^(?:get|post|put|patch|delete|del|head|options|all|any|\*)$/i;
const METHOD_NAMES: Readonly<Record<string, string>> = { del: 'DELETE', any: 'ALL', opts: 'OPTIONS', '*': 'ALL' };

// Names of connected clients, and the events of Node's own streams that say nothing about messages.
const CLIENT_SOCKET = /^(?:socket|ws|sock|spark|client|conn|connection)$|(?:Socket|Ws|WS)$/;
const STREAM_EVENTS: ReadonlySet<string> = new Set(['error', 'close', 'end', 'data', 'drain', 'timeout', 'connect', 'connection', 'readable', 'finish', 'lookup', 'ready', 'open', 'secureConnect', 'pipe', 'unpipe']);

export class Registrations {
  readonly handlers: Handler[] = [];
  readonly routeSites: RouteSite[] = [];
  readonly #sources: HandlerSources;
  readonly #apps: Apps;
  readonly #routesOf = new Map<FunctionNode, Set<string>>();

  constructor(sources: HandlerSources, apps: Apps) {
    this.#sources = sources;
    this.#apps = apps;
    const calls: Call[] = [...sources.module.nodes('CallExpression'), ...sources.module.nodes('OptionalCallExpression')];
    for (const call of calls) {
      const callee = unwrap(call.callee);
      if (isMember(callee) && WIRING.has(memberName(callee) ?? '')) this.#wire(call, callee, memberName(callee) ?? '');
    }
    for (const call of calls) this.#readCall(call);
    for (const call of sources.module.nodes('NewExpression')) this.#readConstruction(call);
    for (const type of ['ObjectProperty', 'ObjectMethod'] as const) for (const property of sources.module.nodes(type)) this.#readTableRow(property);
  }

  has(fn: FunctionNode): boolean {
    return this.#routesOf.has(fn);
  }

  add(fn: FunctionNode, kind: HandlerKind, framework: string, route: string | undefined, site: Node): void {
    const routes = this.#routesOf.get(fn);
    if (routes?.has(route ?? '')) return;
    if (routes) routes.add(route ?? '');
    else this.#routesOf.set(fn, new Set([route ?? '']));
    this.handlers.push({ fn, kind, framework, site, ...(route === undefined ? {} : { route }) });
  }

  /** What has to be known before any path can be told: mounts, prefixes, plugins, connected clients. */
  #wire(call: Call, callee: t.MemberExpression | t.OptionalMemberExpression, method: string): void {
    const receiver = this.#apps.of(callee.object);
    if (receiver.status === 'never' || receiver.status === 'client-socket') return;
    const [first, second] = call.arguments;
    if (!first) return;
    if (method === 'on' || method === 'once' || method === 'addListener') {
      this.#wireConnection(call, receiver);
      return;
    }
    if (receiver.status === 'foreign') return;
    const shape: MethodShape | undefined = receiver.status === 'app' ? receiver.model.methods[method] : method === 'use' ? 'use' : undefined;
    if (shape === 'prefix') {
      const path = readText(first, this.#sources);
      if (path !== undefined) this.#apps.setOwnPath(receiver.key, path);
    } else if (shape === 'plugin' && receiver.status === 'app') {
      const options = second ? unwrap(second) : undefined;
      const prefix = options?.type === 'ObjectExpression' ? propertyValue(options, 'prefix') : undefined;
      for (const fn of this.#sources.calls.functionsOf(first)) {
        const key = this.#apps.setParameter(fn, receiver);
        if (key) this.#apps.mount(key, receiver.key, prefix ? (readText(prefix, this.#sources) ?? '') : '');
      }
    } else if (shape === 'use' || (shape === 'route' && second)) {
      const path = isPathLike(first) || readPaths(first, this.#sources) ? (readPaths(first, this.#sources)?.[0] ?? '') : '';
      for (const argument of call.arguments) {
        const node = unwrap(argument);
        if (isFunction(node)) continue;
        const child = this.#apps.of(node);
        if (child.status === 'app' && !child.isChain) this.#apps.mount(child.key, receiver.key, joinPaths(receiver.path, path));
      }
    }
  }

  /** `io.on('connection', (socket) => …)`: the parameter is a connected client. */
  #wireConnection(call: Call, receiver: Receiver): void {
    const [first, second] = call.arguments;
    const event = first ? staticName(unwrap(first), true) : undefined;
    if (event === undefined || !second) return;
    if (receiver.status === 'app' ? !receiver.model.events?.[event]?.client : event !== 'connection' && event !== 'connect') return;
    const [named] = receiver.status === 'app' ? [receiver.model] : this.#apps.imported.filter((model) => model.events?.['connection']);
    for (const fn of this.#sources.calls.functionsOf(second)) {
      if (receiver.status !== 'app' && !CLIENT_SOCKET.test(parameterName(fn.params[0]) ?? '')) continue;
      const model = named ?? (FRAMEWORKS.find((candidate) => candidate.id === 'socket.io') as FrameworkModel);
      this.#apps.setParameter(fn, { status: 'client-socket', model });
      this.add(fn, 'socket', model.id, undefined, call);
    }
  }

  #readCall(call: Call): void {
    const callee = unwrap(call.callee);
    if (!isMember(callee)) {
      if (callee.type !== 'Identifier' || call.arguments.length === 0) return;
      if (TAKER_NAMES.has(callee.name) || this.#isDefaultTaker(callee)) this.#readTaker(call);
      else this.#readHelper(call, callee);
      return;
    }
    const method = memberName(callee);
    if (method === undefined) {
      this.#readComputed(call, callee);
      return;
    }
    if (TAKER_NAMES.has(method) && this.#readTaker(call)) return;
    if (!SHAPED_METHODS.has(method)) {
      this.#readHelper(call, callee);
      return;
    }
    if (call.arguments.length === 0) return;
    const receiver = this.#apps.of(callee.object);
    switch (receiver.status) {
      case 'app': {
        const shape = receiver.model.methods[method];
        if (shape) this.#readKnown(call, callee, method, shape, receiver);
        else if (COMMON_VERBS.has(method) && receiver.model.id !== 'node-http') this.#readOpen(call, callee, method, { ...receiver, status: 'open', name: nameOf(callee.object) });
        return;
      }
      case 'client-socket':
        if (method === 'on' || method === 'once' || method === 'use') this.#readClientEvent(call, receiver.model.id);
        return;
      case 'open':
        this.#readOpen(call, callee, method, receiver);
        return;
      case 'foreign':
        this.#readOpen(call, callee, method, { status: 'open', name: receiver.name, key: call, path: '', isChain: false }, true);
        return;
      case 'never':
    }
  }

  #readKnown(call: Call, callee: t.MemberExpression | t.OptionalMemberExpression, method: string, shape: MethodShape, receiver: AppReceiver): void {
    const { model } = receiver;
    switch (shape) {
      case 'verb': {
        const isRoute = receiver.isChain || call.arguments.length > 1 || (call.arguments[0] && unwrap(call.arguments[0]).type === 'ObjectExpression');
        if (isRoute && call.arguments.slice(receiver.isChain ? 0 : 1).some((argument) => mayBeFunction(argument, this.#sources))) this.#readVerb(call, callee.property, method, model.id, receiver);
        return;
      }
      case 'use':
      case 'named':
        this.#readMiddleware(call, shape, model.id, receiver);
        return;
      case 'route':
        this.#readRouteObjects(call, callee.property, model.id, receiver);
        return;
      case 'method-path':
        this.#readMethodPath(call, callee.property, model.id, receiver);
        return;
      case 'event': {
        const event = call.arguments[0] ? staticName(unwrap(call.arguments[0]), true) : undefined;
        const found = event === undefined ? undefined : model.events?.[event];
        if (found) for (const argument of call.arguments.slice(1)) for (const fn of this.#sources.calls.functionsOf(argument)) this.add(fn, found.kind, model.id, undefined, call);
        return;
      }
      case 'plugin':
      case 'prefix':
      case 'base':
      case 'same':
    }
  }

  /** A receiver that only its name, its arguments and the handler's parameters can tell. */
  #readOpen(call: Call, callee: t.MemberExpression | t.OptionalMemberExpression, method: string, receiver: OpenReceiver, isForeign = false): void {
    if (COMMON_VERBS.has(method)) {
      const framework = this.#isRoute(call, receiver, isForeign);
      if (framework) this.#readVerb(call, callee.property, method, framework, receiver);
    } else if (method === 'use' || method === 'param') {
      for (const argument of call.arguments) {
        for (const fn of this.#functionsIn(argument)) {
          const look = handlerLook(fn);
          if (look === 'pair' || (look === 'context' && fn.params.length === 2 && trustOf(receiver.name) === 'strong')) this.add(fn, 'middleware', this.#frameworkOf(fn), this.#middlewareRoute(call, receiver), call);
        }
      }
    } else if (method === 'route') {
      this.#readRouteObjects(call, callee.property, this.#apps.imported[0]?.id ?? 'fastify', receiver);
      this.#readMethodPath(call, callee.property, this.#apps.imported[0]?.id ?? 'express', receiver);
    } else if (method === 'addHook' || method === 'ext') {
      for (const argument of call.arguments.slice(1)) for (const fn of this.#sources.calls.functionsOf(argument)) if (handlerLook(fn) !== 'other' && handlerLook(fn) !== 'none') this.add(fn, 'middleware', this.#frameworkOf(fn), undefined, call);
    } else if (method === 'on' || method === 'once') {
      const object = unwrap(callee.object);
      const event = call.arguments[0] ? staticName(unwrap(call.arguments[0]), true) : undefined;
      if (event === 'request' && /server$/i.test(receiver.name)) {
        for (const fn of this.#sources.calls.functionsOf(call.arguments[1] as Node)) if (handlerLook(fn) === 'pair') this.add(fn, 'route', 'node-http', undefined, call);
      } else if (object.type === 'Identifier' && /^(?:socket|ws)$/.test(object.name) && event !== undefined && !STREAM_EVENTS.has(event) && this.#sources.bindings.resolve(object)?.kind === 'param') {
        this.#readClientEvent(call, this.#apps.imported.find((model) => model.events?.['connection'])?.id ?? (object.name === 'ws' ? 'ws' : 'socket.io'));
      } else if (event !== undefined) this.#readMethodPath(call, callee.property, this.#apps.imported[0]?.id ?? 'express', receiver);
    }
  }

  /** The framework when a verb on an unknown receiver registers a route. */
  #isRoute(call: Call, receiver: OpenReceiver, isForeign: boolean): string | undefined {
    const [first, second] = call.arguments;
    if (!first || isForeignUrl(first)) return undefined;
    const guess = (fns: readonly FunctionNode[]) => this.#frameworkOf(fns.find((fn) => handlerLook(fn) !== 'none' && handlerLook(fn) !== 'other'));
    if (receiver.isChain) {
      const fns = call.arguments.flatMap((argument) => [...this.#functionsIn(argument)]);
      return call.arguments.some((argument) => mayBeFunction(argument, this.#sources)) ? guess(fns) : undefined;
    }
    // Koa's routers take a name before the path.
    const isPath = isPathLike(first) || (call.arguments.length > 2 && second !== undefined && isPathLike(second));
    const rest = call.arguments.slice(1);
    const last = rest.at(-1);
    if (!last) return undefined;
    const fns = rest.flatMap((argument) => [...this.#functionsIn(argument)]);
    const looks = new Set(fns.map(handlerLook));
    const trust = trustOf(receiver.name);
    if (looks.has('pair')) return guess(fns);
    if (looks.has('request') && (isPath || trust === 'strong')) return guess(fns);
    if (looks.has('context') && isPath && trust !== 'none') return guess(fns);
    if (unwrap(first).type === 'StringLiteral' && !isPath) return undefined;
    if (!mayBeFunction(last, this.#sources)) return undefined;
    // A function of other parameters is a callback, unless a path and a name speak for a route.
    if (trust === 'strong' && isPath) return guess(fns);
    if (fns.length > 0 && !looks.has('context')) return undefined;
    if (isForeign) return undefined;
    if (trust === 'strong') return fns.length === 0 || looks.has('context') ? guess(fns) : undefined;
    if (!isPath || !rest.every((argument) => mayBeFunction(argument, this.#sources))) return undefined;
    const hasParameter = isPathPattern(first);
    const isServerFile = this.#apps.imported.some((model) => model.methods['get'] !== undefined);
    if (trust === 'likely') return hasParameter || isServerFile ? guess(fns) : undefined;
    return hasParameter && (isServerFile || rest.length > 1) ? guess(fns) : undefined;
  }

  #readVerb(call: Call, verb: Node, method: string, framework: string, receiver: { key: AppKey; path: string; isChain: boolean }): void {
    const name = METHOD_NAMES[method] ?? method.toUpperCase();
    let from = 0;
    let route: string | undefined;
    if (receiver.isChain) route = `${name} ${this.#apps.prefixOf(receiver) || '/'}`;
    else {
      const [first, second] = call.arguments;
      // `router.get('name', '/path', fn)`
      const at = first && second && unwrap(first).type === 'StringLiteral' && !isPathLike(first) && isPathLike(second) ? 1 : 0;
      const pathArgument = call.arguments[at];
      route = pathArgument ? this.#route(name, readPaths(pathArgument, this.#sources), receiver) : undefined;
      from = at + 1;
    }
    this.routeSites.push({ call, verb, framework, ...(route === undefined ? {} : { route }) });
    for (const argument of call.arguments.slice(from)) for (const fn of this.#functionsIn(argument)) this.add(fn, 'route', framework, route, call);
  }

  #route(method: string, paths: readonly string[] | undefined, receiver: { key: AppKey; path: string }): string | undefined {
    if (!paths) return undefined;
    const prefix = this.#apps.prefixOf(receiver);
    return `${method} ${paths.map((path) => joinPaths(prefix, path) || '/').join(', ')}`;
  }

  #middlewareRoute(call: Call, receiver: { key: AppKey; path: string }): string | undefined {
    const [first] = call.arguments;
    const paths = first && isPathLike(first) ? readPaths(first, this.#sources) : undefined;
    if (!paths) return undefined;
    const prefix = this.#apps.prefixOf(receiver);
    return paths.map((path) => `${joinPaths(prefix, path).replace(/\/$/, '')}/*`).join(', ');
  }

  #readMiddleware(call: Call, shape: MethodShape, framework: string, receiver: { key: AppKey; path: string }): void {
    const route = shape === 'use' ? this.#middlewareRoute(call, receiver) : undefined;
    for (const argument of shape === 'named' ? call.arguments.slice(1) : call.arguments) {
      // A router among the arguments is no handler, and what is made by calling a plugin of another kind is not ours to guess.
      for (const fn of this.#functionsIn(argument)) this.add(fn, 'middleware', framework, route, call);
    }
    const [first] = call.arguments;
    const object = shape === 'named' && first ? unwrap(first) : undefined;
    // hapi: `server.ext({ type: 'onRequest', method: fn })`
    if (object?.type === 'ObjectExpression') {
      const value = propertyValue(object, 'method', 'handler');
      if (value) for (const fn of this.#sources.calls.functionsOf(value)) this.add(fn, 'middleware', framework, undefined, call);
    }
  }

  /** `fastify.route({ method, url, handler })`, `server.route([{ method, path, handler }])`. */
  #readRouteObjects(call: Call, verb: Node, framework: string, receiver: { key: AppKey; path: string }): void {
    for (const object of this.#objectsIn(call.arguments[0])) {
      const route = this.#routeOfObject(object, receiver);
      if (!propertyValue(object, 'path', 'url') || !propertyValue(object, 'method', 'methods')) continue;
      this.routeSites.push({ call, verb, framework, ...(route === undefined ? {} : { route }) });
      for (const fn of this.#functionsIn(object)) this.add(fn, 'route', framework, route, call);
    }
  }

  #objectsIn(argument: Node | undefined): readonly t.ObjectExpression[] {
    const node = argument ? unwrap(argument) : undefined;
    if (!node) return [];
    if (node.type === 'ObjectExpression') return [node];
    if (node.type === 'ArrayExpression') return node.elements.flatMap((element) => (element ? [...this.#objectsIn(element)] : []));
    if (node.type !== 'Identifier') return [];
    const declaration = this.#sources.bindings.resolve(node)?.declaration;
    const init = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
    return init && (init.type === 'ObjectExpression' || init.type === 'ArrayExpression') ? this.#objectsIn(init) : [];
  }

  #routeOfObject(object: t.ObjectExpression, receiver: { key: AppKey; path: string } | undefined): string | undefined {
    const methodNode = propertyValue(object, 'method', 'methods');
    const pathNode = propertyValue(object, 'path', 'url');
    const methods = methodNode ? readPaths(methodNode, this.#sources) : undefined;
    const paths = pathNode ? readPaths(pathNode, this.#sources) : undefined;
    if (!methods || !paths) return undefined;
    const name = methods.map((method) => METHOD_NAMES[method.toLowerCase()] ?? method.toUpperCase()).join('|');
    return receiver ? this.#route(name, paths, receiver) : `${name} ${paths.join(', ')}`;
  }

  /** `{ method: 'GET', path: '/x', handler }` anywhere: tables of routes that a plugin or a loader registers. */
  #readTableRow(property: t.ObjectProperty | t.ObjectMethod): void {
    if (property.computed || property.key.type !== 'Identifier' || (property.key.name !== 'handler' && property.key.name !== 'config' && property.key.name !== 'options')) return;
    const object = tableRowAround(property);
    if (!object) return;
    const method = propertyValue(object, 'method', 'methods');
    const path = propertyValue(object, 'path', 'url');
    const methods = method ? readPaths(method, this.#sources) : undefined;
    if (!path || !isPathLike(path) || !methods?.every((name) => HTTP_METHOD.test(name))) return;
    const route = this.#routeOfObject(object, undefined);
    for (const fn of this.#functionsIn(object)) {
      const look = handlerLook(fn);
      if (!this.has(fn) && look !== 'other') this.add(fn, 'route', this.#frameworkOf(fn), route, object);
    }
  }

  /** `router.on('GET', '/x', fn)`, `this.route('POST', '/x', fn)`. */
  #readMethodPath(call: Call, verb: Node, framework: string, receiver: { key: AppKey; path: string }): void {
    const [method, path, ...rest] = call.arguments;
    const methods = method ? readPaths(method, this.#sources) : undefined;
    if (!path || !isPathLike(path) || !methods?.every((name) => HTTP_METHOD.test(name)) || rest.length === 0) return;
    if (!rest.some((argument) => mayBeFunction(argument, this.#sources))) return;
    const name = methods.map((text) => METHOD_NAMES[text.toLowerCase()] ?? text.toUpperCase()).join('|');
    const route = this.#route(name, readPaths(path, this.#sources), receiver);
    this.routeSites.push({ call, verb, framework, ...(route === undefined ? {} : { route }) });
    for (const argument of rest) for (const fn of this.#functionsIn(argument)) this.add(fn, 'route', framework, route, call);
  }

  /** `router[method]('/x', fn)` */
  #readComputed(call: Call, callee: t.MemberExpression | t.OptionalMemberExpression): void {
    const [first] = call.arguments;
    const last = call.arguments.at(-1);
    if (!first || !last || call.arguments.length < 2) return;
    const receiver = this.#apps.of(callee.object);
    if (receiver.status !== 'app' && !(receiver.status === 'open' && trustOf(receiver.name) === 'strong')) return;
    if (receiver.status === 'app' && receiver.model.methods['get'] !== 'verb') return;
    if (!mayBeFunction(last, this.#sources)) return;
    const framework = receiver.status === 'app' ? receiver.model.id : this.#frameworkOf(undefined);
    this.routeSites.push({ call, verb: callee.property, framework });
    for (const argument of call.arguments.slice(1)) for (const fn of this.#functionsIn(argument)) this.add(fn, 'route', framework, undefined, call);
  }

  #readClientEvent(call: Call, framework: string): void {
    const event = call.arguments[0] ? staticName(unwrap(call.arguments[0]), true) : undefined;
    for (const argument of call.arguments) for (const fn of this.#sources.calls.functionsOf(argument)) this.add(fn, 'socket', framework, event === undefined ? undefined : `WS ${event}`, call);
  }

  /** `createServer(fn)`, `defineEventHandler(fn)`, `functions.https.onRequest(fn)`. */
  #readTaker(call: Call): boolean {
    const model = this.#apps.takerOf(call.callee);
    if (!model) return false;
    const [first] = call.arguments;
    const kind: HandlerKind = model.id === 'passport' ? 'middleware' : model.id === 'node-http' || model.id === 'micro' ? 'route' : 'exported';
    const route = model.id === 'azure-functions' && first ? routeName(readText(first, this.#sources)) : undefined;
    for (const argument of call.arguments) for (const fn of this.#functionsIn(argument)) this.add(fn, kind, model.id, route, call);
    return true;
  }

  #isDefaultTaker(callee: t.Identifier): boolean {
    const declaration = this.#sources.bindings.resolve(callee)?.declaration;
    return (declaration?.type === 'ImportDefaultSpecifier' || declaration?.type === 'VariableDeclarator') && this.#apps.takerOf(callee) !== undefined;
  }

  /** Own helpers that are handed the application: `setupPage(app, '/x', [auth], controller.x)`. */
  #readHelper(call: Call, callee: Node): void {
    const [first, path, ...rest] = call.arguments;
    if (!first || !path || rest.length === 0 || !isPathLike(path)) return;
    const node = unwrap(first);
    if (node.type !== 'Identifier' && !isMember(node)) {
      if (isMember(callee) || callee.type === 'Identifier') this.#readNamedMethodPath(call, callee);
      return;
    }
    const receiver = this.#apps.of(node);
    if (receiver.status !== 'app' && !(receiver.status === 'open' && trustOf(receiver.name) === 'strong')) {
      this.#readNamedMethodPath(call, callee);
      return;
    }
    const last = rest.at(-1);
    if (!last || !mayBeFunction(last, this.#sources)) return;
    const paths = readPaths(path, this.#sources);
    const route = paths ? paths.map((text) => joinPaths(this.#apps.prefixOf(receiver), text)).join(', ') : undefined;
    const framework = receiver.status === 'app' ? receiver.model.id : this.#frameworkOf(undefined);
    this.routeSites.push({ call, verb: isMember(callee) ? callee.property : callee, framework, ...(route === undefined ? {} : { route }) });
    for (const argument of rest) {
      for (const fn of this.#functionsIn(argument)) if (handlerLook(fn) !== 'other') this.add(fn, 'route', framework, route, call);
    }
  }

  /** `apiRoute('GET', '/x', fn)` */
  #readNamedMethodPath(call: Call, callee: Node): void {
    if (!/route|register|add|handle/i.test(nameOf(callee))) return;
    this.#readMethodPath(call, isMember(callee) ? callee.property : callee, this.#frameworkOf(undefined), { key: call, path: '' });
  }

  /** `new http.Server(fn)`; passport's `new LocalStrategy(options, verify)`. */
  #readConstruction(call: t.NewExpression): void {
    if (call.arguments.length === 0) return;
    const name = nameOf(call.callee);
    if (name === 'Server') this.#readTaker(call as unknown as Call);
    else if (name.endsWith('Strategy')) {
      const last = call.arguments.at(-1) as Node;
      for (const fn of this.#sources.calls.functionsOf(last)) if (fn.params.length >= 2) this.add(fn, 'middleware', 'passport', undefined, call);
    }
  }

  /** Functions that an argument of a registration brings in: itself, a wrapper's, an array's, an options object's. */
  #functionsIn(argument: Node): readonly FunctionNode[] {
    const node = argument.type === 'SpreadElement' ? argument.argument : unwrap(argument);
    if (node.type !== 'ObjectExpression') return this.#sources.calls.functionsOf(node);
    const found: FunctionNode[] = [];
    for (const name of OPTION_HANDLERS) {
      const value = propertyValue(node, name);
      if (value) found.push(...this.#functionsInOption(value));
    }
    for (const name of ['options', 'config']) {
      const value = propertyValue(node, name);
      if (value && unwrap(value).type === 'ObjectExpression') found.push(...this.#functionsIn(value));
    }
    return found;
  }

  #functionsInOption(value: Node): readonly FunctionNode[] {
    const node = unwrap(value);
    if (node.type === 'ArrayExpression') return node.elements.flatMap((element) => (element ? [...this.#functionsInOption(element)] : []));
    if (node.type !== 'ObjectExpression') return this.#sources.calls.functionsOf(node);
    const method = propertyValue(node, 'method', 'handler', 'fn');
    return method ? this.#sources.calls.functionsOf(method) : [];
  }

  #frameworkOf(fn: FunctionNode | undefined): string {
    const imported = this.#apps.imported.find((model) => model.methods['get'] !== undefined);
    if (imported) return imported.id;
    const names = fn?.params.map(parameterName) ?? [];
    if (names.includes('reply')) return 'fastify';
    if (names.includes('h')) return 'hapi';
    if (names[0] === 'ctx') return 'koa';
    if (names[0] === 'c') return 'hono';
    return 'express';
  }
}

/** A route's parameter or wildcard: no URL that a client calls has one. */
function isPathPattern(argument: Node): boolean {
  const node = unwrap(argument);
  if (node.type === 'RegExpLiteral') return true;
  const text = node.type === 'StringLiteral' ? node.value : node.type === 'TemplateLiteral' ? node.quasis.map((quasi) => quasi.value.raw).join('') : '';
  return /\/:\w|\*/.test(text);
}

function routeName(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `ALL /api/${name}`;
}

function tableRowAround(property: Node): t.ObjectExpression | undefined {
  const parent = parentOf(property);
  return parent?.type === 'ObjectExpression' ? parent : undefined;
}
