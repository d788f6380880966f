// Calls that register handlers: `app.get('/x', fn)`, `fastify.route({ … })`, `socket.on('chat', fn)`, `createServer(fn)`.
import { COMMON_VERBS, FRAMEWORKS, PROCEDURES, type FrameworkModel, type MethodShape } from '../../../knowledge/frameworks.ts';
import { isFunction, isMember, memberName, parentOf, staticName, unwrap, type Node, type t } from '../../module/ast.ts';
import type { RegistrationParts, HandlerKind, HandlerSources } from './handler.ts';
import { trustOf, type AppKey, type Apps, type Receiver } from './apps.ts';
import { elementsOf, functionsIn, mayBeFunction, mayHoldHandler, objectsIn } from './arguments.ts';
import { findRouteFramework, frameworkOf, isHandlerLike } from './evidence.ts';
import { routeOfFile } from './conventions.ts';
import { isNeverReached, noEarlierRoutes } from '../earlier-routes.ts';
import type { Found } from './found.ts';
import { endsItsServer } from './one-off-servers.ts';
import { Registrars } from './registrars.ts';
import { isProcedureCall, procedureName } from './procedures.ts';
import { isPathLike, joinPaths, nameOf, propertyValue, readPaths, readText } from './route-paths.ts';
import { handlerLook } from './signatures.ts';
import { wire } from './wiring.ts';

type Call = t.CallExpression | t.OptionalCallExpression;
type Member = t.MemberExpression | t.OptionalMemberExpression;
type AppReceiver = Extract<Receiver, { status: 'app' }>;
/** What a path can be resolved from. */
interface Place {
  key: AppKey;
  path: string;
}

const SHAPED_METHODS: ReadonlySet<string> = new Set(FRAMEWORKS.flatMap((model) => Object.keys(model.methods)));
const TAKER_NAMES: ReadonlySet<string> = new Set(
  FRAMEWORKS.flatMap((model) => (model.takers ?? []).map((path) => path.split('.').at(-1) ?? '').filter((name) => name !== '')),
);
const GLOBAL_TAKERS: ReadonlySet<string> = new Set(FRAMEWORKS.flatMap((model) => model.globalTakers ?? []));
const EVENT_METHODS: ReadonlySet<string> = new Set(['on', 'once', 'addListener', 'prependListener']);
const KNOWN_EVENTS: ReadonlySet<string> = new Set(FRAMEWORKS.flatMap((model) => Object.keys(model.events ?? {})));
/** Methods, besides the common verbs, that count as registrations on an unknown receiver. */
const OPEN_METHODS: ReadonlySet<string> = new Set(['use', 'param', 'pre', 'route', 'addHook', 'ext']);
const HTTP_METHOD = /^(?:get|post|put|patch|delete|del|head|options|all|any|\*)$/i;
const METHOD_NAMES: Readonly<Record<string, string>> = { del: 'DELETE', any: 'ALL', opts: 'OPTIONS', '*': 'ALL' };
// Events of Node's own streams and sockets. Every socket has them, on the client and on the server.
const STREAM_EVENTS: ReadonlySet<string> = new Set([
  'error',
  'close',
  'end',
  'data',
  'drain',
  'timeout',
  'connect',
  'connection',
  'readable',
  'finish',
  'lookup',
  'ready',
  'open',
  'secureConnect',
  'pipe',
  'unpipe',
]);
// Files that import one of these run in a browser. A `socket` there is on the client side.
const BROWSER_PACKAGES: ReadonlySet<string> = new Set(['react', 'vue', 'svelte', 'jquery', '@angular/core', 'socket.io-client', 'mobx']);
// Helpers of the project with a name that suggests a registration. `testRoute(app, '/x', done)` and `request(app, '/x', cb)` call a server.
const REGISTERING_NAME =
  /^(?!test|request|check|expect|assert|should|it$).*(?:route|register|add|handle|endpoint|setup|mount|page|api|get|post|put|patch|delete)/i;

export function addRegistrations(sources: HandlerSources, apps: Apps, found: Found): void {
  const calls: Call[] = [...sources.module.nodes('CallExpression'), ...sources.module.nodes('OptionalCallExpression')];
  wire(calls, sources, apps, found);
  const registrations = new Registrations(sources, apps, found);
  for (const call of calls) if (call.arguments.length > 0) registrations.readCall(call);
  for (const call of sources.module.nodes('NewExpression')) if (call.arguments.length > 0) registrations.readConstruction(call);
  for (const type of ['ObjectProperty', 'ObjectMethod'] as const)
    for (const property of sources.module.nodes(type)) registrations.readTableRow(property);
  registrations.registrars.follow();
}

class Registrations {
  readonly registrars: Registrars;
  readonly #sources: HandlerSources;
  readonly #apps: Apps;
  readonly #found: Found;
  readonly #earlier = noEarlierRoutes();
  /** Whether an application object can be recognized by its origin or type. If not, only the common methods count. */
  readonly #knowsApps: boolean;

  constructor(sources: HandlerSources, apps: Apps, found: Found) {
    this.#sources = sources;
    this.#apps = apps;
    this.#found = found;
    this.#knowsApps = apps.imported.length > 0 || /\.[cm]?tsx?$/i.test(sources.file);
    this.registrars = new Registrars(sources, found);
  }

  readCall(call: Call): void {
    const callee = unwrap(call.callee);
    if (!isMember(callee)) {
      if (
        callee.type === 'Identifier' &&
        !(this.#mayTake(callee) && (TAKER_NAMES.has(callee.name) || this.#isImportedWhole(callee)) && this.#readTaker(call))
      )
        this.#readHelper(call, callee);
      return;
    }
    const method = memberName(callee);
    const applied = method === 'apply' || method === 'call' ? this.#applied(call, callee, method) : undefined;
    if (applied) {
      this.readCall(applied);
      return;
    }
    if (method === undefined) this.#readComputed(call, callee);
    else if (PROCEDURES.methods.has(method) && isProcedureCall(call, method, this.#sources))
      this.#addAll(call.arguments, 'route', PROCEDURES.framework, method === 'use' ? undefined : procedureName(call), call);
    else if (!(TAKER_NAMES.has(method) && this.#readTaker(call))) {
      if (SHAPED_METHODS.has(method)) this.#readMethod(call, callee, method);
      else this.#readHelper(call, callee);
    }
  }

  /** `app.get(path, fn)` for `app.get.apply(app, [path, fn])` and `app.get.call(app, path, fn)`. */
  #applied(call: Call, { object }: Member, how: 'apply' | 'call'): Call | undefined {
    const callee = unwrap(object);
    const [receiver, list] = call.arguments;
    if (!isMember(callee) || !receiver || !(SHAPED_METHODS.has(memberName(callee) ?? '') || callee.computed)) return undefined;
    if (nameOf(receiver) !== nameOf(callee.object)) return undefined;
    const args = how === 'call' ? call.arguments.slice(1) : list ? elementsOf(list, this.#sources) : [];
    return args.length === 0 ? undefined : ({ ...call, callee, arguments: args } as Call);
  }

  #readMethod(call: Call, callee: Member, method: string): void {
    if (!this.#mayRegister(call, callee, method)) return;
    const receiver = this.#apps.of(callee.object);
    switch (receiver.status) {
      case 'app': {
        const shape = receiver.model.methods[method];
        if (shape) this.#readKnown(call, callee, method, shape, receiver);
        else if (COMMON_VERBS.has(method) && receiver.model.methods['get'])
          this.#readOpen(call, callee, method, { ...receiver, name: nameOf(callee.object), isForeign: false });
        return;
      }
      case 'client-socket':
        if (method === 'on' || method === 'once' || method === 'use') this.#readClientEvent(call, receiver.model.id);
        return;
      case 'open':
        this.#readOpen(call, callee, method, { ...receiver, isForeign: false });
        return;
      case 'foreign':
        this.#readOpen(call, callee, method, { name: receiver.name, key: call, path: '', isChain: false, isForeign: true });
        return;
      case 'never':
    }
  }

  /** Checks the arguments first. Resolving the receiver costs more, and `x.get('y')` and `x.on('click', fn)` are everywhere. */
  #mayRegister(call: Call, callee: Member, method: string): boolean {
    if (!call.arguments.some(mayHoldHandler)) return false;
    if (EVENT_METHODS.has(method)) {
      const event = this.#eventOf(call);
      const object = unwrap(callee.object);
      return (
        event === undefined ||
        KNOWN_EVENTS.has(event) ||
        HTTP_METHOD.test(event) ||
        (object.type === 'Identifier' && this.#sources.bindings.resolve(object)?.kind === 'param')
      );
    }
    return OPEN_METHODS.has(method) || COMMON_VERBS.has(method) || this.#knowsApps;
  }

  #readKnown(call: Call, callee: Member, method: string, shape: MethodShape, receiver: AppReceiver): void {
    const { model } = receiver;
    switch (shape) {
      case 'verb': {
        // With one argument, `app.get('title')` reads a setting.
        const [first] = call.arguments;
        if (model.pathOfFile !== undefined && first && !isPathLike(first)) {
          this.#readPathless(call, callee.property, method, receiver);
          return;
        }
        const handlers = receiver.isChain ? call.arguments : call.arguments.slice(1);
        if (handlers.some((argument) => mayBeFunction(argument, this.#sources)))
          this.#readVerb(call, callee.property, method, model.id, receiver);
        return;
      }
      case 'use':
        this.#readMiddleware(call, call.arguments, model.id, this.#middlewareRoute(call, receiver));
        return;
      case 'named':
        this.#readNamed(call, model);
        return;
      case 'route':
        this.#readRouteObjects(call, callee.property, model.id, receiver);
        return;
      case 'method-path':
        this.#readMethodPath(call, callee.property, model.id, receiver);
        return;
      case 'event': {
        const event = this.#eventOf(call);
        const known = event === undefined ? undefined : model.events?.[event];
        if (known && !known.client) this.#addAll(call.arguments.slice(1), known.kind, model.id, undefined, call);
        return;
      }
      case 'plugin':
      case 'prefix':
      case 'base':
      case 'same':
    }
  }

  /** `handler.get(fn)` for the path of the file. */
  #readPathless(call: Call, verb: Node, method: string, { model }: AppReceiver): void {
    if (!call.arguments.some((argument) => mayBeFunction(argument, this.#sources))) return;
    const path = routeOfFile(model.pathOfFile ?? '', this.#sources.file);
    const route = path === undefined ? undefined : `${METHOD_NAMES[method] ?? method.toUpperCase()} ${path}`;
    this.#found.addSite(call, verb, model.id, route);
    this.#addAll(call.arguments, 'route', model.id, route, call);
  }

  /** A receiver known only by its name, its arguments and the parameters of the handler. */
  #readOpen(call: Call, callee: Member, method: string, receiver: Place & { name: string; isChain: boolean; isForeign: boolean }): void {
    if (COMMON_VERBS.has(method)) {
      const framework = findRouteFramework(
        { ...receiver, arguments: call.arguments, isAwaited: isAwaited(call) },
        this.#sources,
        this.#apps,
      );
      if (framework) this.#readVerb(call, callee.property, method, framework, receiver);
      return;
    }
    const isStrong = trustOf(receiver.name) === 'strong' && !receiver.isForeign;
    switch (method) {
      case 'use':
      case 'param':
      case 'pre':
        for (const argument of call.arguments) {
          for (const fn of functionsIn(argument, this.#sources)) {
            const look = handlerLook(fn);
            if (look === 'pair' || (look === 'context' && isStrong))
              this.#found.addHandler(fn, 'middleware', frameworkOf(fn, this.#apps), this.#middlewareRoute(call, receiver), call);
          }
        }
        return;
      case 'route':
        this.#readRouteObjects(call, callee.property, undefined, receiver);
        this.#readMethodPath(call, callee.property, this.#guess(), receiver);
        return;
      case 'addHook':
      case 'ext':
        for (const argument of call.arguments.slice(1))
          for (const fn of this.#sources.calls.functionsOf(argument))
            if (isHandlerLike(fn)) this.#found.addHandler(fn, 'middleware', frameworkOf(fn, this.#apps), undefined, call);
        return;
      case 'on':
      case 'once':
        this.#readOpenEvent(call, callee, receiver);
        return;
    }
  }

  #readOpenEvent(call: Call, callee: Member, receiver: Place & { name: string }): void {
    const event = this.#eventOf(call);
    const [, second] = call.arguments;
    const object = unwrap(callee.object);
    if (event === undefined || !second) return;
    if (event === 'request' && /server$/i.test(receiver.name)) {
      for (const fn of this.#sources.calls.functionsOf(second))
        if (handlerLook(fn) === 'pair') this.#found.addHandler(fn, 'route', 'node-http', undefined, call);
    } else if (
      object.type === 'Identifier' &&
      /^(?:socket|ws)$/.test(object.name) &&
      !STREAM_EVENTS.has(event) &&
      this.#sources.bindings.resolve(object)?.kind === 'param' &&
      !this.#isBrowserFile()
    ) {
      this.#readClientEvent(
        call,
        this.#apps.imported.find((model) => model.events?.['connection'])?.id ?? (object.name === 'ws' ? 'ws' : 'socket.io'),
      );
    } else if (HTTP_METHOD.test(event)) this.#readMethodPath(call, callee.property, this.#guess(), receiver);
  }

  #readVerb(call: Call, verb: Node, method: string, framework: string, receiver: Place & { isChain: boolean }): void {
    const name = METHOD_NAMES[method] ?? method.toUpperCase();
    const [first, second] = call.arguments;
    // `router.get('name', '/path', fn)`
    const isNamed = first && second && unwrap(first).type === 'StringLiteral' && !isPathLike(first) && isPathLike(second);
    const takesPath = !receiver.isChain && call.arguments.length > 1;
    const path = takesPath ? (isNamed ? second : first) : undefined;
    const route = receiver.isChain
      ? `${name} ${this.#apps
          .prefixesOf(receiver)
          .map((prefix) => prefix || '/')
          .join(', ')}`
      : path
        ? this.#route(name, readPaths(path, this.#sources), receiver)
        : undefined;
    const handlers = call.arguments.slice(takesPath ? (isNamed ? 2 : 1) : 0);
    this.#found.addSite(call, verb, framework, route);
    if (isNeverReached(call, this.#earlier)) {
      for (const handler of handlers) if (isFunction(handler)) this.#found.leaveOut(handler);
      return;
    }
    this.#addAll(handlers, 'route', framework, route, call, path && { method: name, path, prefix: this.#apps.prefixOf(receiver) });
    this.registrars.note({ call, framework, handlers, method: name, path, prefix: this.#apps.prefixOf(receiver) });
  }

  #route(method: string, paths: readonly string[] | undefined, receiver: Place): string | undefined {
    if (!paths) return undefined;
    return `${method} ${this.#apps
      .prefixesOf(receiver)
      .flatMap((prefix) => paths.map((path) => joinPaths(prefix, path) || '/'))
      .join(', ')}`;
  }

  /** Everything below the path of a mounted middleware. */
  #middlewareRoute(call: Call, receiver: Place): string | undefined {
    const first = call.arguments[0];
    const paths = first && isPathLike(first) ? readPaths(first, this.#sources) : undefined;
    const prefix = this.#apps.prefixOf(receiver);
    return paths
      ?.map((path) => joinPaths(prefix, path))
      .map((path) => (path.endsWith('*') ? path : `${path.replace(/\/$/, '')}/*`))
      .join(', ');
  }

  #readMiddleware(call: Call, handlers: readonly Node[], framework: string, route: string | undefined): void {
    this.#addAll(handlers, 'middleware', framework, route, call);
    this.registrars.note({ call, framework, handlers, method: undefined, path: undefined, prefix: '' });
  }

  /** `app.param('id', fn)`, `fastify.addHook('onRequest', fn)`, `server.ext({ type: 'onRequest', method: fn })`. */
  #readNamed(call: Call, model: FrameworkModel): void {
    const first = call.arguments[0];
    const object = first ? unwrap(first) : undefined;
    if (object?.type === 'ObjectExpression') {
      const type = propertyValue(object, 'type');
      const value = propertyValue(object, 'method', 'handler');
      if (value && !(type && model.lifecycle?.includes(readText(type, this.#sources) ?? '')))
        this.#addAll([value], 'middleware', model.id, undefined, call);
      return;
    }
    const name = this.#eventOf(call);
    if (name === undefined || !model.lifecycle?.includes(name))
      this.#addAll(call.arguments.slice(1), 'middleware', model.id, undefined, call);
  }

  /** `fastify.route({ method, url, handler })`, `server.route([{ method, path, handler }])`. */
  #readRouteObjects(call: Call, verb: Node, framework: string | undefined, receiver: Place): void {
    const [table] = call.arguments;
    const own = table ? unwrap(table) : undefined;
    // A table from another file.
    if (
      framework !== undefined &&
      table &&
      own &&
      call.arguments.length === 1 &&
      (own.type === 'CallExpression' || own.type === 'Identifier' || isMember(own))
    )
      this.#found.addArgument(table, 'route', framework, undefined, call);
    for (const object of objectsIn(table, this.#sources)) {
      if (!propertyValue(object, 'path', 'url') || !propertyValue(object, 'method', 'methods')) continue;
      const route = this.#routeOfObject(object, receiver);
      const id = framework ?? frameworkOf(functionsIn(object, this.#sources).find(isHandlerLike), this.#apps);
      this.#found.addSite(call, verb, id, route);
      const [method, path] = [propertyValue(object, 'method', 'methods'), propertyValue(object, 'path', 'url')];
      this.#addAll([object], 'route', id, route, call, method && path && { method, path, prefix: this.#apps.prefixOf(receiver) });
    }
  }

  #routeOfObject(object: t.ObjectExpression, receiver: Place | undefined): string | undefined {
    const method = propertyValue(object, 'method', 'methods');
    const path = propertyValue(object, 'path', 'url');
    const methods = method ? readPaths(method, this.#sources) : undefined;
    const paths = path ? readPaths(path, this.#sources) : undefined;
    if (!methods || !paths) return undefined;
    const name = joinMethods(methods);
    return receiver ? this.#route(name, paths, receiver) : `${name} ${paths.join(', ')}`;
  }

  /** `{ method: 'GET', path: '/x', handler }` anywhere: route tables that a plugin or a loader registers. */
  readTableRow(property: t.ObjectProperty | t.ObjectMethod): void {
    if (property.computed || property.key.type !== 'Identifier' || !/^(?:handler|config|options)$/.test(property.key.name)) return;
    const object = parentOf(property);
    if (object?.type !== 'ObjectExpression') return;
    const method = propertyValue(object, 'method', 'methods');
    const path = propertyValue(object, 'path', 'url');
    const methods = method ? readPaths(method, this.#sources) : undefined;
    if (!path || !isPathLike(path) || !methods?.every((name) => HTTP_METHOD.test(name))) return;
    const route = this.#routeOfObject(object, undefined);
    const value = property.type === 'ObjectProperty' ? unwrap(property.value) : undefined;
    if (property.key.name === 'handler' && (value?.type === 'Identifier' || isMember(value)))
      this.#found.addArgument(
        property.type === 'ObjectProperty' ? property.value : value,
        'route',
        frameworkOf(undefined, this.#apps),
        route,
        object,
      );
    for (const fn of functionsIn(object, this.#sources)) {
      if (!this.#found.has(fn) && handlerLook(fn) !== 'other')
        this.#found.addHandler(fn, 'route', frameworkOf(fn, this.#apps), route, object);
    }
  }

  /** `router.on('GET', '/x', fn)`, `this.route('POST', '/x', fn)`. */
  #readMethodPath(call: Call, verb: Node, framework: string, receiver: Place): void {
    const [method, path, ...rest] = call.arguments;
    const methods = method && path && rest.length > 0 && isPathLike(path) ? readPaths(method, this.#sources) : undefined;
    if (!path || !methods?.every((name) => HTTP_METHOD.test(name)) || !rest.some((argument) => mayBeFunction(argument, this.#sources)))
      return;
    const name = joinMethods(methods);
    const route = this.#route(name, readPaths(path, this.#sources), receiver);
    this.#found.addSite(call, verb, framework, route);
    this.#addAll(rest, 'route', framework, route, call);
    this.registrars.note({ call, framework, handlers: rest, method: name, path, prefix: this.#apps.prefixOf(receiver) });
  }

  /** `router[method]('/x', fn)` */
  #readComputed(call: Call, callee: Member): void {
    const [path, ...handlers] = call.arguments;
    const last = handlers.at(-1);
    if (
      !path ||
      !last ||
      (this.#apps.imported.length === 0 && trustOf(nameOf(callee.object)) !== 'strong') ||
      !mayBeFunction(last, this.#sources)
    )
      return;
    const receiver = this.#apps.of(callee.object);
    if (receiver.status !== 'app' && !(receiver.status === 'open' && trustOf(receiver.name) === 'strong')) return;
    if (receiver.status === 'app' && receiver.model.methods['get'] !== 'verb') return;
    const framework = receiver.status === 'app' ? receiver.model.id : this.#guess();
    this.#found.addSite(call, callee.property, framework, undefined);
    this.#addAll(handlers, 'route', framework, undefined, call, { method: callee.property, path, prefix: this.#apps.prefixOf(receiver) });
    this.registrars.note({ call, framework, handlers, method: callee.property, path, prefix: this.#apps.prefixOf(receiver) });
  }

  #readClientEvent(call: Call, framework: string): void {
    const event = this.#eventOf(call);
    this.#addAll(call.arguments, 'socket', framework, event === undefined ? undefined : `WS ${event}`, call);
  }

  /** `createServer(fn)`, `defineEventHandler(fn)`, `functions.https.onRequest(fn)`. */
  #readTaker(call: Call): boolean {
    const model = this.#mayTake(call.callee) ? this.#apps.takerOf(call.callee) : undefined;
    if (!model) return false;
    // `passport.serializeUser(user, done)` runs the function that an earlier call registered.
    if (model.id === 'passport' && call.arguments.length > 1) return true;
    if (call.arguments.some((argument) => isFunction(argument) && endsItsServer(argument, this.#sources.bindings))) return true;
    const name = model.id === 'azure-functions' && call.arguments[0] ? readText(call.arguments[0], this.#sources) : undefined;
    this.#addAll(call.arguments, model.takerKind ?? 'route', model.id, name === undefined ? undefined : `ALL /api/${name}`, call);
    return true;
  }

  /**
   * Resolving an origin costs more than reading a name, so it is only done if the file imports such a function or a build makes it global.
   */
  #mayTake(callee: Node): boolean {
    return this.#apps.imported.some((model) => model.takers) || (callee.type === 'Identifier' && GLOBAL_TAKERS.has(callee.name));
  }

  #isImportedWhole(callee: t.Identifier): boolean {
    const declaration = this.#sources.bindings.resolve(callee)?.declaration;
    return (
      declaration?.type === 'ImportDefaultSpecifier' ||
      (declaration?.type === 'VariableDeclarator' && declaration.init?.type === 'CallExpression')
    );
  }

  /** Helpers of the project: `setupPage(app, '/x', [auth], controller.x)`, `apiRoute('GET', '/x', fn)`. */
  #readHelper(call: Call, callee: Node): void {
    const [first, path, ...rest] = call.arguments;
    if (!first || !path || rest.length === 0 || !isPathLike(path)) return;
    const verb = isMember(callee) ? callee.property : callee;
    const node = unwrap(first);
    const receiver = node.type === 'Identifier' || isMember(node) ? this.#apps.of(node) : undefined;
    if (!REGISTERING_NAME.test(nameOf(callee))) return;
    if (receiver?.status === 'app' || (receiver?.status === 'open' && trustOf(receiver.name) === 'strong')) {
      if (!mayBeFunction(rest.at(-1) as Node, this.#sources)) return;
      const paths = readPaths(path, this.#sources);
      const route = paths?.map((text) => joinPaths(this.#apps.prefixOf(receiver), text)).join(', ');
      const framework = receiver.status === 'app' ? receiver.model.id : this.#guess();
      this.#found.addSite(call, verb, framework, route);
      for (const argument of rest) {
        this.#found.addArgument(argument, 'route', framework, route, call);
        for (const fn of functionsIn(argument, this.#sources))
          if (handlerLook(fn) !== 'other') this.#found.addHandler(fn, 'route', framework, route, call);
      }
    } else this.#readMethodPath(call, verb, this.#guess(), { key: call, path: '' });
  }

  /** `new http.Server(fn)`; passport's `new LocalStrategy(options, verify)`. */
  readConstruction(call: t.NewExpression): void {
    const name = nameOf(call.callee);
    if (name === 'Server') {
      const model = this.#apps.takerOf(call.callee);
      if (model) this.#addAll(call.arguments, 'route', model.id, undefined, call);
    } else if (name.endsWith('Strategy')) {
      // A verify function calls its last parameter when it is done: https://www.passportjs.org/concepts/authentication/strategies/
      for (const fn of this.#sources.calls.functionsOf(call.arguments.at(-1) as Node))
        if (fn.params.length >= 2) this.#found.addHandler(fn, 'middleware', 'passport', undefined, call);
    }
  }

  #addAll(
    handlers: readonly Node[],
    kind: HandlerKind,
    framework: string,
    route: string | undefined,
    site: Node,
    sharedParts?: RegistrationParts,
  ): void {
    const parts = route === undefined ? sharedParts : undefined;
    for (const argument of handlers) {
      this.#found.addArgument(argument, kind, framework, route, site, parts ? { parts } : {});
      for (const fn of functionsIn(argument, this.#sources))
        this.#found.addHandler(fn, kind, framework, route, site, parts ? { parts } : {});
    }
  }

  #eventOf(call: Call): string | undefined {
    const first = call.arguments[0];
    return first ? staticName(unwrap(first), true) : undefined;
  }

  #guess(): string {
    return frameworkOf(undefined, this.#apps);
  }

  #isBrowserFile(): boolean {
    return this.#sources.module.nodes('ImportDeclaration').some((node) => BROWSER_PACKAGES.has(node.source.value));
  }
}

/** `await x.get(…)`, `x.get(…).then(…)` */
function isAwaited(call: Node): boolean {
  const parent = parentOf(call);
  return (
    parent?.type === 'AwaitExpression' ||
    (isMember(parent) && parent.object === call && ['then', 'catch', 'finally'].includes(memberName(parent) ?? ''))
  );
}

function joinMethods(methods: readonly string[]): string {
  return methods.map((method) => METHOD_NAMES[method.toLowerCase()] ?? method.toUpperCase()).join('|');
}
