// Web frameworks as data: how an application object comes to be, which of its methods register a handler, and where in the arguments
// the handler stands. Each row cites the documentation that it was read off. Parameters and file conventions: handler-signatures.ts.

/** What a method of an application object does with its arguments. */
export type MethodShape =
  /** `(path?, ...handlers)`, also with an options object that holds handlers. */
  | 'verb'
  /** `(path?, ...handlers and routers)`. */
  | 'use'
  /** `(path)` gives a chain of verbs, `({ method, path, handler })` registers, `(path, app)` mounts. */
  | 'route'
  /** `(method, path, ...handlers)`. */
  | 'method-path'
  /** `(name, ...handlers)`: route parameters, hooks, template engines. */
  | 'named'
  /** `(event, handler)`, for the model's own events only. */
  | 'event'
  /** `(plugin, { prefix })`: the plugin's first parameter is an application again. */
  | 'plugin'
  /** `(path)` sets where this router lives. */
  | 'prefix'
  /** `(path)` gives the same application below a path. */
  | 'base'
  /** Gives the same application back: `router.routes()`. */
  | 'same';

export interface EventModel {
  kind: 'route' | 'middleware' | 'socket';
  /** Whether the handler's first parameter is a connected client whose own events have handlers. */
  client?: boolean;
}

export interface FrameworkModel {
  /** Stands in `Handler.framework`. */
  id: string;
  /** npm packages or core modules that it is imported from. */
  packages: readonly string[];
  /**
   * Which of them a program may depend on without being a server: clients, middleware, mocks, parts of the runtime, what a platform starts.
   * All others are server packages (server-packages.ts).
   */
  notServers?: 'all' | readonly string[];
  source: string;
  /** Exports that make an application, router or server when called or constructed; `''` is the module itself. */
  makers: readonly string[];
  /** Exports whose function arguments are handlers themselves, e.g. `createServer(fn)`. */
  takers?: readonly string[];
  /** What the functions passed to them are; `route` unless said. */
  takerKind?: 'exported' | 'invocation' | 'middleware';
  /** Functions of that kind which a build makes global. */
  globalTakers?: readonly string[];
  /** TypeScript names of application objects. */
  types: readonly string[];
  /** Names that only this framework's application objects are usually given. */
  names?: readonly string[];
  methods: Readonly<Record<string, MethodShape>>;
  /** Whether verbs without a path are for the path of the file: that of which framework's pages. */
  pathOfFile?: string;
  events?: Readonly<Record<string, EventModel>>;
  /** Names given to `named` methods for what runs once, at start-up or shutdown, and is no handler. */
  lifecycle?: readonly string[];
  /** Base classes whose methods are all handlers. */
  controllers?: readonly string[];
}

const shaped = (shape: MethodShape, names: string): Record<string, MethodShape> =>
  Object.fromEntries(names.split(' ').map((name) => [name, shape]));

/** Methods that nearly every framework has, and that a receiver of unknown origin may be believed to register routes with. */
export const COMMON_VERBS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'del', 'head', 'options', 'all']);

const HTTP_VERBS = shaped('verb', 'get post put patch delete head options all');
const RARE_VERBS = shaped(
  'verb',
  'checkout copy link lock merge mkactivity mkcol move notify propfind proppatch purge rebind report search subscribe trace unbind unlink unlock unsubscribe',
);
const EXPRESS_METHODS: Readonly<Record<string, MethodShape>> = {
  ...RARE_VERBS,
  ...HTTP_VERBS,
  del: 'verb',
  use: 'use',
  route: 'route',
  ...shaped('named', 'param engine'),
};

/**
 * Properties of a route's options object that hold functions which run for the request:
 * https://fastify.dev/docs/latest/Reference/Routes/#routes-options, https://hapi.dev/api/#-route-options,
 * https://unetworking.github.io/uWebSockets.js/generated/interfaces/WebSocketBehavior.html
 */
export const OPTION_HANDLERS: readonly string[] = [
  'handler',
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onResponse',
  'onError',
  'onTimeout',
  'errorHandler',
  'wsHandler',
  'pre',
  'failAction',
  'use',
  'middleware',
  'middlewares',
  'before',
  'beforeHandle',
  'message',
  'upgrade',
  'open',
];

/** Names that application objects are given; a receiver of unknown origin with such a name is believed to be one. */
export const APP_NAME =
  /^_*(?:app|application|router|routes?|server|srv|fastify|express|koa|hono)\d*_*$|(?:App|Application|Router|Routes?|Server|_app|_router|_routes?|_server)\d*$|^(?:web|sub|http|main|express|admin|rest|api|my)app$/;
/** Names that both routers and HTTP clients are given: believed only with more evidence. */
export const LIKELY_APP_NAME = /^_*(?:api|rest|web|instance|v\d+|r)$|(?:Api|_api)$/;
/** A plugin's application goes by this name where the options follow it: https://fastify.dev/docs/latest/Reference/Plugins/ */
export const PLUGIN_PARAMETERS: { framework: string; first: RegExp; second: RegExp } = {
  framework: 'fastify',
  first: /^instance$/,
  second: /^_?(?:opts|options)$/,
};
/**
 * tRPC: `publicProcedure.input(x).query(fn)`, https://trpc.io/docs/server/procedures; oRPC: `….handler(fn)`,
 * https://orpc.dev/docs/procedure
 */
export const PROCEDURES: {
  framework: string;
  packages: readonly string[];
  builder: RegExp;
  methods: ReadonlySet<string>;
  /**
   * Of these, the ones that end a procedure. In a router they count whatever the builder is called: `router({ list: allowed('x').query(fn)
   * })`.
   */
  ends: ReadonlySet<string>;
  /** What a router is made by. */
  router: RegExp;
  /** A step that no other package's `query` and `mutation` follow. */
  input: string;
} = {
  framework: 'trpc',
  packages: ['@trpc/server'],
  builder: /procedure$/i,
  methods: new Set(['query', 'mutation', 'subscription', 'handler', 'use']),
  ends: new Set(['query', 'mutation', 'subscription']),
  router: /router$/i,
  input: 'input',
};

const HTTP_EVENTS: Readonly<Record<string, EventModel>> = {
  request: { kind: 'route' },
  stream: { kind: 'route' },
  checkContinue: { kind: 'route' },
  checkExpectation: { kind: 'route' },
  connect: { kind: 'route' },
  upgrade: { kind: 'route' },
  session: { kind: 'middleware' },
};

export const FRAMEWORKS: readonly FrameworkModel[] = [
  {
    id: 'node-http',
    packages: ['http', 'https', 'http2'],
    notServers: 'all',
    source: 'https://nodejs.org/api/http.html#httpcreateserveroptions-requestlistener',
    makers: ['createServer', 'createSecureServer', 'Server'],
    takers: ['createServer', 'createSecureServer', 'Server'],
    types: ['HttpServer', 'HttpsServer', 'Http2Server', 'Http2SecureServer'],
    methods: shaped('event', 'on once addListener prependListener'),
    events: HTTP_EVENTS,
  },
  {
    id: 'express',
    packages: ['express', 'express-promise-router', 'express-async-router', 'router', '@feathersjs/express'],
    source: 'https://expressjs.com/en/4x/api.html#app.METHOD',
    makers: ['', 'Router', 'application'],
    types: ['Express', 'Application', 'Router', 'IRouter', 'IRoute', 'IApplication'],
    names: ['express'],
    methods: EXPRESS_METHODS,
  },
  {
    id: 'json-server',
    packages: ['json-server'],
    // Many projects for browsers have it as a mock.
    notServers: 'all',
    source: 'https://github.com/typicode/json-server/tree/v0.17.4#module',
    makers: ['create', 'router'],
    types: [],
    methods: EXPRESS_METHODS,
  },
  {
    id: 'connect',
    packages: ['connect'],
    source: 'https://github.com/senchalabs/connect#use-middleware',
    makers: [''],
    types: ['NextHandleFunction'],
    methods: { use: 'use' },
  },
  {
    id: 'polka',
    packages: ['polka', '@tinyhttp/app', 'restana', 'nanoexpress', '0http', 'tinyhttp'],
    source: 'https://github.com/lukeed/polka#api',
    makers: ['', 'App', 'polka'],
    types: ['Polka'],
    methods: { ...EXPRESS_METHODS, add: 'method-path' },
  },
  {
    id: 'restify',
    packages: ['restify', 'restify-router', 'restify-clients'],
    notServers: ['restify-clients'],
    source: 'http://restify.com/docs/server-api/',
    makers: ['createServer', 'Router'],
    types: [],
    methods: {
      ...shaped('verb', 'get post put patch del head opts'),
      ...shaped('use', 'use pre first'),
      param: 'named',
      ...shaped('event', 'on once'),
      applyRoutes: 'same',
    },
    events: {
      after: { kind: 'middleware' },
      uncaughtException: { kind: 'middleware' },
      restifyError: { kind: 'middleware' },
      NotFound: { kind: 'middleware' },
    },
  },
  {
    id: 'fastify',
    packages: ['fastify'],
    source: 'https://fastify.dev/docs/latest/Reference/Routes/',
    makers: ['', 'fastify'],
    types: ['FastifyInstance', 'FastifyServer'],
    names: ['fastify'],
    methods: {
      ...HTTP_VERBS,
      ...shaped('verb', 'trace propfind proppatch mkcol copy move lock unlock search'),
      route: 'route',
      use: 'use',
      register: 'plugin',
      addHook: 'named',
      ...shaped('use', 'setNotFoundHandler setErrorHandler'),
      addContentTypeParser: 'named',
      decorateRequest: 'same',
      decorateReply: 'same',
      decorate: 'same',
      withTypeProvider: 'same',
      after: 'plugin',
    },
    lifecycle: ['onReady', 'onListen', 'onClose', 'preClose', 'onRegister', 'onRoute'],
  },
  {
    id: 'koa',
    packages: ['koa', 'koa-router', '@koa/router', 'koa-better-router', 'koa-joi-router', 'koa-tree-router', '@ladjs/koa-router'],
    source: 'https://github.com/koajs/router/blob/master/API.md',
    makers: ['', 'Router', 'Application', 'default'],
    types: ['Koa', 'KoaRouter'],
    names: ['koa'],
    methods: {
      ...HTTP_VERBS,
      ...shaped('verb', 'del link unlink'),
      use: 'use',
      param: 'named',
      prefix: 'prefix',
      route: 'route',
      ...shaped('same', 'routes middleware callback'),
    },
  },
  {
    id: 'hapi',
    // Glue composes a server from a manifest: https://hapi.dev/module/glue/api/
    packages: ['@hapi/hapi', 'hapi', '@hapi/glue', 'glue'],
    source: 'https://hapi.dev/api/#-serverrouteroute',
    makers: ['server', 'Server', 'compose'],
    types: ['HapiServer'],
    methods: { route: 'route', ext: 'named', register: 'plugin', handler: 'named', method: 'same', ...shaped('event', 'on') },
    events: { request: { kind: 'middleware' }, response: { kind: 'middleware' } },
    lifecycle: ['onPreStart', 'onPostStart', 'onPreStop', 'onPostStop'],
  },
  {
    id: 'hono',
    packages: ['hono', 'hono/quick', 'hono/tiny', '@hono/zod-openapi'],
    source: 'https://hono.dev/docs/api/routing',
    makers: ['Hono', 'OpenAPIHono'],
    types: ['Hono', 'OpenAPIHono'],
    names: ['hono'],
    methods: {
      ...HTTP_VERBS,
      use: 'use',
      on: 'method-path',
      route: 'route',
      basePath: 'base',
      ...shaped('use', 'openapi notFound onError'),
    },
  },
  {
    id: 'next-connect',
    packages: ['next-connect'],
    notServers: 'all',
    source: 'https://github.com/hoangvvo/next-connect#nextjs-api-routes',
    makers: ['', 'createRouter', 'default'],
    types: [],
    methods: { ...HTTP_VERBS, use: 'use' },
    pathOfFile: 'next',
  },
  {
    id: 'h3',
    packages: ['h3', 'nitropack', 'nitro', '#imports', 'nitropack/runtime'],
    notServers: ['#imports', 'nitropack/runtime'],
    source: 'https://v1.h3.dev/guide/event-handler',
    makers: ['createApp', 'createRouter', 'H3'],
    types: [],
    takers: [
      'defineEventHandler',
      'eventHandler',
      'defineCachedEventHandler',
      'cachedEventHandler',
      'defineLazyEventHandler',
      'lazyEventHandler',
      'defineRequestMiddleware',
      'defineHandler',
      'fromNodeMiddleware',
      'defineWebSocketHandler',
    ],
    globalTakers: ['defineEventHandler', 'eventHandler', 'defineCachedEventHandler', 'cachedEventHandler'],
    takerKind: 'exported',
    methods: { ...HTTP_VERBS, use: 'use' },
  },
  {
    id: 'elysia',
    packages: ['elysia'],
    source: 'https://elysiajs.com/essential/route',
    makers: ['Elysia', ''],
    types: ['Elysia'],
    methods: {
      ...HTTP_VERBS,
      use: 'use',
      ...shaped('verb', 'ws'),
      ...shaped('use', 'onRequest onBeforeHandle onAfterHandle onError derive resolve'),
    },
  },
  {
    id: 'itty-router',
    packages: ['itty-router'],
    notServers: 'all',
    source: 'https://itty.dev/itty-router/routers/router',
    makers: ['Router', 'AutoRouter', 'IttyRouter'],
    types: [],
    methods: HTTP_VERBS,
  },
  {
    id: 'find-my-way',
    packages: ['find-my-way'],
    notServers: 'all',
    source: 'https://github.com/delvedor/find-my-way#onmethod-path-opts-handler-store',
    makers: [''],
    types: [],
    methods: { ...HTTP_VERBS, on: 'method-path' },
  },
  {
    id: 'uwebsockets',
    packages: ['uWebSockets.js', 'hyper-express'],
    source: 'https://unetworking.github.io/uWebSockets.js/generated/interfaces/TemplatedApp.html',
    makers: ['App', 'SSLApp', 'Server', 'Router'],
    types: ['TemplatedApp'],
    methods: { ...HTTP_VERBS, del: 'verb', any: 'verb', ws: 'verb', use: 'use' },
  },
  {
    id: 'micro',
    packages: ['micro', 'microrouter'],
    source: 'https://github.com/vercel/micro#programmatic-use',
    makers: [],
    takers: ['', 'serve', 'router', 'get', 'post', 'put', 'patch', 'del', 'head', 'options'],
    types: [],
    methods: {},
  },
  {
    id: 'ws',
    packages: ['ws', 'isomorphic-ws', 'faye-websocket', 'websocket'],
    notServers: ['isomorphic-ws', 'faye-websocket', 'websocket'],
    source: 'https://github.com/websockets/ws/blob/master/doc/ws.md#event-connection',
    makers: ['Server', 'WebSocketServer', 'server'],
    types: ['WebSocketServer'],
    names: ['wss', 'webSocketServer', 'wsServer'],
    methods: shaped('event', 'on once addListener'),
    events: {
      connection: { kind: 'socket', client: true },
      request: { kind: 'socket', client: true },
      connect: { kind: 'socket', client: true },
    },
  },
  {
    id: 'socket.io',
    packages: ['socket.io'],
    source: 'https://socket.io/docs/v4/server-api/',
    makers: ['', 'Server'],
    types: ['SocketServer', 'SocketIOServer', 'Namespace'],
    names: ['io'],
    methods: { ...shaped('event', 'on once'), use: 'use', ...shaped('same', 'of in to') },
    events: { connection: { kind: 'socket', client: true }, connect: { kind: 'socket', client: true } },
  },
  {
    id: 'primus',
    packages: ['primus'],
    source: 'https://github.com/primus/primus#connecting-from-the-browser',
    makers: [''],
    types: ['Primus'],
    names: ['primus'],
    methods: shaped('event', 'on once'),
    events: { connection: { kind: 'socket', client: true } },
  },
  {
    id: 'nestjs',
    packages: ['@nestjs/core'],
    source: 'https://docs.nestjs.com/middleware#functional-middleware',
    makers: ['NestFactory.create'],
    types: ['INestApplication', 'NestExpressApplication', 'NestFastifyApplication'],
    methods: { ...HTTP_VERBS, use: 'use' },
  },
  {
    id: 'cloud-functions',
    packages: [
      '@google-cloud/functions-framework',
      'firebase-functions',
      'firebase-functions/v2/https',
      'firebase-functions/v1',
      'firebase-functions/https',
      'firebase-functions/v2',
    ],
    notServers: 'all',
    source: 'https://firebase.google.com/docs/functions/http-events',
    makers: [],
    takers: ['http', 'https.onRequest', 'https.onCall', 'onRequest', 'onCall', 'cloudEvent', 'v2.https.onRequest', 'v2.https.onCall'],
    takerKind: 'exported',
    types: [],
    methods: {},
  },
  {
    id: 'azure-functions',
    packages: ['@azure/functions'],
    notServers: 'all',
    source: 'https://learn.microsoft.com/azure/azure-functions/functions-reference-node',
    makers: [],
    takers: ['app.http', 'app.get', 'app.post', 'app.put', 'app.patch', 'app.deleteRequest'],
    takerKind: 'exported',
    types: [],
    methods: {},
  },
  {
    id: 'aws-lambda',
    packages: ['@middy/core', 'middy', '@aws-lambda-powertools/event-handler'],
    notServers: 'all',
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html',
    makers: [],
    takers: ['', 'middy'],
    takerKind: 'invocation',
    types: [],
    methods: {},
  },
  {
    id: 'passport',
    packages: ['passport'],
    notServers: 'all',
    source: 'https://www.passportjs.org/concepts/authentication/strategies/',
    makers: [],
    takers: ['serializeUser', 'deserializeUser'],
    takerKind: 'middleware',
    types: [],
    methods: {},
  },
  {
    id: 'egg',
    packages: ['egg'],
    source: 'https://www.eggjs.org/basics/controller',
    makers: [],
    types: [],
    methods: {},
    controllers: ['Controller'],
  },
];

/**
 * Packages whose objects have methods of the same names and are never servers: a call on what they export or return is no route,
 * whatever the variable is called (`const server = supertest(app)`). Other packages' objects need a handler's parameters as evidence.
 */
export const CLIENT_PACKAGES: ReadonlySet<string> = new Set([
  'axios',
  'request',
  'request-promise',
  'request-promise-native',
  'got',
  'needle',
  'superagent',
  'supertest',
  'supertest-session',
  'node-fetch',
  'undici',
  'ky',
  'wretch',
  'bent',
  'phin',
  'chai',
  'chai-http',
  'nock',
  'msw',
  'light-my-request',
  'axios-mock-adapter',
  'fetch-mock',
  'miragejs',
  'pretender',
  'sinon',
  'mockttp',
  'jquery',
  'angular',
  'cheerio',
  'lodash',
  'underscore',
  'ramda',
  'redis',
  'ioredis',
  'memcached',
  'node-cache',
  'lru-cache',
  'level',
  'leveldown',
  'levelup',
  'keyv',
  'mongoose',
  'mongodb',
  'sequelize',
  'knex',
  'pg',
  'mysql',
  'mysql2',
  'sqlite3',
  'aws-sdk',
  'config',
  'nconf',
  'conf',
  'electron-store',
  'restify-clients',
  'eventproxy',
  'socket.io-client',
  'vue',
  'vue-router',
  'react-router',
  'react-router-dom',
  'electron',
  'puppeteer',
  'playwright',
]);
