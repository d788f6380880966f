// How handlers look that are registered elsewhere: the parameters of each framework with what is done with them, the decorators of
// controllers, and the files and exports that a platform or a file-based router calls. Each row cites its documentation.

/** One parameter. A function counts only when a parameter so named is also used so. */
export interface ParameterModel {
  /** Usual names, without underscores around them. */
  names: readonly string[];
  /** TypeScript types; an annotation with another name rules the parameter out. */
  types: RegExp;
  /** Members whose call shows the framework: `res.send(x)`. */
  calls?: readonly string[];
  /** Calls that only count with an argument: `res.json(body)` is a server's, `res.json()` a fetch client's. */
  callsWithArguments?: readonly string[];
  reads?: readonly string[];
  writes?: readonly string[];
  /** Whether calling the parameter itself counts: `next()`. */
  called?: boolean;
  /** Whether it may be `_`. Another parameter must then show the use. */
  mayBeUnused?: boolean;
}

export interface SignatureModel {
  framework: string;
  source: string;
  parameters: readonly ParameterModel[];
  /**
   * `start`: the first parameters. `anywhere`: helpers with further ones before count too (`function fail(error, req, res)`): they run
   * while a request waits as well.
   */
  at: 'start' | 'anywhere';
  /** Whether only what the file exports counts: the names alone say too little. */
  exportedOnly?: boolean;
  /** Whether no further parameter may follow. */
  exact?: boolean;
  /** Where such functions are kept; said where the parameters alone say too little. */
  file?: RegExp;
  /** What the handler is when the platform itself calls the export. */
  kind?: 'exported' | 'invocation';
  /** Whether the first parameter itself must be used so: `(call, callback)` are the names of many. */
  usesFirst?: boolean;
  /** Whether forwarding all of the parameters to another call counts as use. */
  countsForwarding?: boolean;
}

const words = (text: string): readonly string[] => text.split(' ');

const REQUEST_TYPES = /(?:Request|Req|IncomingMessage|Request(?:Query|WithUser|Handler)?)$|^(?:Request|Req|any)/;
const RESPONSE_TYPES = /(?:Response|Res|ServerResponse|OutgoingMessage|Reply)$|^(?:Response|Res|any)/;
const NEXT_TYPES = /Next|Function|any|Done|Callback/;
const CONTEXT_TYPES = /^(?:Context|KoaContext|AppContext|ParameterizedContext|DefaultContext|ExtendableContext|RouterContext|any)$|^Koa/;

const REQUEST: ParameterModel = {
  names: words('req request httpReq httpRequest rq'),
  types: REQUEST_TYPES,
  calls: words('get header accepts is pipe on once setEncoding flash logIn login logout isAuthenticated param range'),
  reads: words(
    'body params query cookies signedCookies session headers url originalUrl path method ip ips hostname protocol user file files baseUrl xhr socket connection raw rawBody payload auth log server info i18n locals route secure subdomains t',
  ),
  writes: words('user session body locals query params'),
};

const RESPONSE: ParameterModel = {
  names: words('res response resp httpRes httpResponse rsp'),
  types: RESPONSE_TYPES,
  calls: words(
    'send sendFile sendfile sendStatus render redirect setHeader set header writeHead end write status download attachment cookie clearCookie type contentType format jsonp links location vary append getHeader removeHeader flushHeaders',
  ),
  callsWithArguments: ['json'],
  reads: words('locals headersSent writableEnded'),
  writes: words('statusCode statusMessage locals'),
};

const NEXT: ParameterModel = { names: words('next done callback cb fn'), types: NEXT_TYPES, called: true };

const REPLY: ParameterModel = {
  names: words('reply rep'),
  types: /Reply$|^any/,
  calls: words(
    'send code status header headers type redirect view sendFile setCookie clearCookie hijack serialize notFound callNotFound file response getHeader removeHeader',
  ),
  reads: words('raw sent request statusCode'),
  called: true,
};

const TOOLKIT: ParameterModel = {
  names: words('h toolkit'),
  types: /Toolkit$|^any/,
  calls: words('response redirect view file authenticated unauthenticated state unstate entity proxy'),
  reads: words('continue abandon close request realm context'),
};

const CONTEXT_CALLS = words('throw redirect render attachment send');
const CONTEXT: ParameterModel = {
  names: ['ctx', 'context'],
  types: CONTEXT_TYPES,
  calls: CONTEXT_CALLS,
  reads: words('request response query'),
  writes: words('body status type'),
};

// A DOM event's `detail` and `target` say nothing here, and its types are not these.
const EVENT_TYPES =
  /^(?:API|ALB|S3|SQS|SNS|SES|Dynamo|Kinesis|EventBridge|Scheduled|CloudFront|CloudWatch|Cognito|Lambda|Handler|Validated|AppSync|IoT|any)/;
const HTTP_EVENT_READS = words(
  'queryStringParameters multiValueQueryStringParameters pathParameters Records requestContext httpMethod rawPath isBase64Encoded stageVariables',
);
const EVENT: ParameterModel = {
  names: words('event evt'),
  types: EVENT_TYPES,
  reads: [...HTTP_EVENT_READS, ...words('body headers detail arguments identity resource')],
};

export const SIGNATURES: readonly SignatureModel[] = [
  {
    framework: 'express',
    source: 'https://expressjs.com/en/guide/writing-middleware.html',
    parameters: [{ ...REQUEST, mayBeUnused: true }, RESPONSE],
    at: 'anywhere',
    countsForwarding: true,
  },
  {
    framework: 'express',
    source: 'https://expressjs.com/en/guide/writing-middleware.html',
    parameters: [REQUEST, { ...RESPONSE, mayBeUnused: true }, NEXT],
    at: 'anywhere',
  },
  {
    framework: 'fastify',
    source: 'https://fastify.dev/docs/latest/Reference/Routes/',
    parameters: [REQUEST, REPLY],
    at: 'anywhere',
    countsForwarding: true,
  },
  {
    framework: 'hapi',
    source: 'https://hapi.dev/api/#-lifecycle-methods',
    parameters: [REQUEST, TOOLKIT],
    at: 'start',
    countsForwarding: true,
  },
  {
    framework: 'koa',
    source: 'https://github.com/koajs/koa/blob/master/docs/guide.md',
    parameters: [
      { ...CONTEXT, reads: words('request response query params header headers path method url cookies req res state session') },
      // `(context, cb)` is a callback's helper, not Koa's.
      { ...NEXT, names: ['next'] },
    ],
    at: 'start',
    exact: true,
  },
  {
    framework: 'koa',
    source: 'https://github.com/koajs/koa/blob/master/docs/api/context.md',
    parameters: [{ ...CONTEXT, names: ['ctx'] }],
    at: 'start',
  },
  {
    framework: 'koa',
    source: 'https://docs.strapi.io/cms/backend-customization/controllers',
    parameters: [{ ...CONTEXT, names: ['ctx'], reads: words('request response query params state session cookies headers req res') }],
    at: 'start',
    exportedOnly: true,
    file: /\/controllers?\/|[-_.]?controllers?\.\w+$/i,
  },
  {
    framework: 'socket.io',
    source: 'https://socket.io/docs/v4/server-socket-instance/',
    parameters: [
      {
        names: ['socket'],
        types: /Socket|any/,
        calls: words('emit join leave to in broadcast disconnect'),
        reads: words('id handshake rooms request data uid user broadcast'),
      },
      { names: words('data payload message msg params'), types: /./ },
    ],
    at: 'start',
    exportedOnly: true,
  },
  {
    framework: 'multer',
    source: 'https://github.com/expressjs/multer#diskstorage',
    parameters: [REQUEST, { names: ['file'], types: /File|any/ }, NEXT],
    at: 'start',
    exact: true,
  },
  {
    framework: 'aws-lambda',
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html',
    parameters: [
      EVENT,
      {
        names: words('context ctx'),
        types: /Context|any/,
        reads: words('awsRequestId functionName callbackWaitsForEmptyEventLoop clientContext identity'),
        calls: words('succeed fail done getRemainingTimeInMillis'),
        writes: ['callbackWaitsForEmptyEventLoop'],
      },
    ],
    at: 'start',
    exportedOnly: true,
    kind: 'invocation',
  },
  {
    framework: 'aws-lambda',
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html',
    parameters: [{ ...EVENT, reads: HTTP_EVENT_READS }],
    at: 'start',
    exportedOnly: true,
    exact: true,
    kind: 'invocation',
  },
  {
    framework: 'azure-functions',
    source: 'https://learn.microsoft.com/azure/azure-functions/functions-reference-node',
    parameters: [{ names: ['context'], types: /Context|any/, calls: ['log', 'done'], writes: ['res'] }, REQUEST],
    at: 'start',
    exportedOnly: true,
    exact: true,
    kind: 'exported',
  },
  {
    framework: 'grpc',
    source: 'https://grpc.io/docs/languages/node/basics/',
    parameters: [{ names: ['call'], types: /Call|any/, reads: ['request', 'metadata'], calls: ['write', 'sendMetadata'] }, NEXT],
    at: 'start',
    exact: true,
    usesFirst: true,
  },
  {
    framework: 'hono',
    source: 'https://hono.dev/docs/api/context',
    parameters: [{ names: ['c'], types: /^Context$|any/, reads: ['req'] }],
    at: 'start',
  },
  // Commands and listeners of bots are often found by their files' names.
  {
    framework: 'discord.js',
    source: 'https://discordjs.guide/slash-commands/response-methods.html',
    parameters: [
      {
        names: ['interaction'],
        types: /Interaction$|any/,
        calls: words('reply deferReply editReply followUp showModal deferUpdate'),
        reads: words('options guild guildId customId commandName'),
      },
    ],
    at: 'anywhere',
  },
  {
    framework: 'discord.js',
    source: 'https://discord.js.org/docs/packages/discord.js/main/Message:Class',
    parameters: [
      { names: words('message msg'), types: /Message$|any/, calls: words('reply react'), reads: words('guild guildId mentions') },
    ],
    at: 'anywhere',
  },
  // `(req) => …` alone may be an HTTP client's interceptor; what only a server's request has decides.
  {
    framework: 'express',
    source: 'https://expressjs.com/en/4x/api.html#req',
    parameters: [
      {
        ...REQUEST,
        names: ['req', 'request'],
        calls: [],
        writes: [],
        reads: words('params query session cookies signedCookies originalUrl body'),
      },
    ],
    at: 'start',
    exportedOnly: true,
  },
];

/** Types of what a request, a message or a job brings along, by the package that declares them: who is given one runs while it waits. */
export const REQUEST_TYPE_IMPORTS: readonly { framework: string; source: string; packages: readonly string[]; types: RegExp }[] = [
  {
    framework: 'express',
    source: 'https://expressjs.com/en/4x/api.html#req',
    packages: ['express', 'express-serve-static-core'],
    types: /^(?:Request|Response)$/,
  },
  {
    framework: 'koa',
    source: 'https://github.com/koajs/koa/blob/master/docs/api/context.md',
    packages: ['koa', 'koa-router', '@koa/router'],
    types: /^(?:Parameterized|Router|Extendable)?Context$/,
  },
  {
    framework: 'fastify',
    source: 'https://fastify.dev/docs/latest/Reference/TypeScript/',
    packages: ['fastify'],
    types: /^Fastify(?:Request|Reply)$/,
  },
  { framework: 'hapi', source: 'https://hapi.dev/api/#request', packages: ['@hapi/hapi', 'hapi'], types: /^(?:Request|ResponseToolkit)$/ },
  {
    framework: 'nextjs',
    source: 'https://nextjs.org/docs/pages/building-your-application/routing/api-routes',
    packages: ['next'],
    types: /^(?:NextApiRe(?:quest|sponse)|GetServerSidePropsContext)$/,
  },
  {
    framework: 'nextjs',
    source: 'https://nextjs.org/docs/app/api-reference/functions/next-request',
    packages: ['next/server'],
    types: /^NextRequest$/,
  },
  {
    framework: 'node-http',
    source: 'https://nodejs.org/api/http.html#class-httpserverresponse',
    packages: ['http', 'https', 'http2'],
    types: /^(?:Http2)?Server(?:Response|HttpResponse)$/,
  },
  {
    framework: 'sveltekit',
    source: 'https://svelte.dev/docs/kit/@sveltejs-kit#RequestEvent',
    packages: ['@sveltejs/kit'],
    types: /^(?:RequestEvent|ServerLoadEvent)$/,
  },
  { framework: 'h3', source: 'https://h3.dev/guide/api/h3event', packages: ['h3'], types: /^H3Event$/ },
  {
    framework: 'remix',
    source: 'https://remix.run/docs/en/main/route/loader',
    packages: ['@remix-run/node', '@remix-run/server-runtime', 'react-router'],
    types: /^(?:Loader|Action)Function?Args$/,
  },
  {
    framework: 'aws-lambda',
    source: 'https://www.npmjs.com/package/@types/aws-lambda',
    packages: ['aws-lambda'],
    types: /^(?:APIGateway\w*|ALB|SQS|SNS|S3|DynamoDBStream|EventBridge|Scheduled|CloudFrontRequest|KinesisStream)Event(?:V2)?$/,
  },
  {
    framework: 'discord.js',
    source: 'https://discord.js.org/docs/packages/discord.js/main',
    packages: ['discord.js'],
    types: /(?:Interaction|^Message)$/,
  },
  { framework: 'telegraf', source: 'https://telegraf.js.org/classes/Context.html', packages: ['telegraf', 'grammy'], types: /^Context$/ },
];

/**
 * Decorators of controller methods; the values are HTTP methods, or what else runs them: `WS`, `job`, `hook` of a model, a kind of message.
 */
export interface DecoratorModel {
  framework: string;
  packages: readonly string[];
  source: string;
  /** Class decorators; their literal argument is the path that all methods share. */
  controllers: readonly string[];
  methods: Readonly<Record<string, string>>;
  /** Decorator that names a method's path, where the one with the HTTP method does not. */
  path?: string;
}

const HTTP_DECORATORS = {
  Get: 'GET',
  Post: 'POST',
  Put: 'PUT',
  Patch: 'PATCH',
  Delete: 'DELETE',
  Head: 'HEAD',
  Options: 'OPTIONS',
  All: 'ALL',
};

export const DECORATORS: readonly DecoratorModel[] = [
  {
    framework: 'nestjs',
    packages: ['@nestjs/common'],
    source: 'https://docs.nestjs.com/controllers#routing',
    controllers: ['Controller'],
    methods: { ...HTTP_DECORATORS, Search: 'SEARCH', Sse: 'GET' },
  },
  {
    framework: 'nestjs',
    packages: ['@nestjs/websockets'],
    source: 'https://docs.nestjs.com/websockets/gateways',
    controllers: ['WebSocketGateway'],
    methods: { SubscribeMessage: 'WS' },
  },
  {
    framework: 'nestjs',
    packages: ['@nestjs/microservices'],
    source: 'https://docs.nestjs.com/microservices/basics',
    controllers: ['Controller'],
    methods: { MessagePattern: 'message', EventPattern: 'event', GrpcMethod: 'grpc' },
  },
  {
    framework: 'nestjs',
    packages: ['@nestjs/schedule', '@nestjs/common'],
    source: 'https://docs.nestjs.com/techniques/task-scheduling',
    controllers: ['Injectable'],
    methods: { Cron: 'job', Interval: 'job' },
  },
  {
    framework: 'awilix',
    packages: ['awilix-express', 'awilix-koa', 'awilix-router-core'],
    source: 'https://github.com/jeffijoe/awilix-express#example',
    controllers: ['route'],
    methods: { GET: 'GET', POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', DELETE: 'DELETE', HEAD: 'HEAD', ALL: 'ALL' },
    path: 'route',
  },
  {
    framework: 'nestjs',
    packages: ['@nestjs/bull'],
    source: 'https://docs.nestjs.com/techniques/queues#consumers',
    controllers: ['Processor'],
    methods: { Process: 'job' },
  },
  {
    framework: 'nestjs',
    packages: ['@nestjs/event-emitter', '@nestjs/common'],
    source: 'https://docs.nestjs.com/techniques/events#listening-to-events',
    controllers: ['Injectable'],
    methods: { OnEvent: 'event' },
  },
  {
    framework: 'typeorm',
    packages: ['typeorm'],
    source: 'https://typeorm.io/listeners-and-subscribers',
    controllers: ['Entity'],
    methods: {
      BeforeInsert: 'hook',
      AfterInsert: 'hook',
      BeforeUpdate: 'hook',
      AfterUpdate: 'hook',
      BeforeRemove: 'hook',
      AfterRemove: 'hook',
      AfterLoad: 'hook',
    },
  },
  {
    framework: 'sequelize',
    packages: ['sequelize-typescript'],
    source: 'https://github.com/sequelize/sequelize-typescript#hooks',
    controllers: ['Table'],
    methods: {
      BeforeCreate: 'hook',
      AfterCreate: 'hook',
      BeforeUpdate: 'hook',
      AfterUpdate: 'hook',
      BeforeSave: 'hook',
      AfterSave: 'hook',
      BeforeValidate: 'hook',
      AfterFind: 'hook',
      BeforeDestroy: 'hook',
      AfterDestroy: 'hook',
    },
  },
  {
    framework: 'graphql',
    packages: ['@nestjs/graphql', 'type-graphql'],
    source: 'https://docs.nestjs.com/graphql/resolvers',
    controllers: ['Resolver'],
    methods: { Query: 'query', Mutation: 'mutation', ResolveField: 'field', FieldResolver: 'field', Subscription: 'subscription' },
  },
  {
    framework: 'routing-controllers',
    packages: ['routing-controllers'],
    source: 'https://github.com/typestack/routing-controllers#using-more-than-one-controller-action-per-controller',
    controllers: ['Controller', 'JsonController'],
    methods: HTTP_DECORATORS,
  },
  {
    framework: 'inversify',
    packages: ['inversify-express-utils', '@inversifyjs/http-core'],
    source: 'https://github.com/inversify/inversify-express-utils#decorators',
    controllers: ['controller', 'Controller'],
    methods: {
      httpGet: 'GET',
      httpPost: 'POST',
      httpPut: 'PUT',
      httpPatch: 'PATCH',
      httpDelete: 'DELETE',
      httpHead: 'HEAD',
      all: 'ALL',
      ...HTTP_DECORATORS,
    },
  },
  {
    framework: 'tsoa',
    packages: ['tsoa', '@tsoa/runtime'],
    source: 'https://tsoa-community.github.io/docs/getting-started.html',
    controllers: ['Route'],
    methods: HTTP_DECORATORS,
  },
  {
    framework: 'midway',
    packages: ['@midwayjs/core', '@midwayjs/decorator'],
    source: 'https://midwayjs.org/en/docs/controller',
    controllers: ['Controller', 'Provide'],
    methods: HTTP_DECORATORS,
  },
  {
    framework: 'loopback',
    packages: ['@loopback/rest'],
    source: 'https://loopback.io/doc/en/lb4/Decorators_openapi.html',
    controllers: ['api'],
    methods: { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', del: 'DELETE', operation: 'ALL' },
  },
  {
    framework: 'ts.ed',
    packages: ['@tsed/common', '@tsed/schema', '@tsed/di'],
    source: 'https://tsed.dev/docs/controllers.html',
    controllers: ['Controller'],
    methods: HTTP_DECORATORS,
  },
];

/** Decorators of the project, or of a package without a row, by their names in lower case. */
export const OWN_DECORATORS: readonly DecoratorModel[] = [
  {
    framework: 'decorators',
    packages: [],
    source: 'https://docs.nestjs.com/controllers#routing',
    controllers: [],
    methods: Object.fromEntries(Object.entries(HTTP_DECORATORS).map(([name, verb]) => [name.toLowerCase(), verb])),
  },
  {
    framework: 'graphql',
    packages: [],
    source: 'https://typegraphql.com/docs/resolvers.html',
    controllers: [],
    methods: {
      query: 'query',
      mutation: 'mutation',
      subscription: 'subscription',
      property: 'field',
      fieldresolver: 'field',
      resolvefield: 'field',
    },
  },
];

/** What the decorator of a class with own decorators for routes is called. */
export const CONTROLLER_DECORATOR = /controller$|^(?:router?|prefix|requestmapping)$/i;
/** What the decorator of a class with own decorators for GraphQL is called, or the class itself. */
export const RESOLVER_NAME = /resolvers?$/i;

/** Interfaces and base classes whose method runs for every request. */
export const REQUEST_INTERFACES: readonly {
  framework: string;
  packages: readonly string[];
  source: string;
  names: readonly string[];
  method: string;
}[] = [
  {
    framework: 'nestjs',
    packages: ['@nestjs/common', '@nestjs/graphql'],
    source: 'https://docs.nestjs.com/guards',
    names: ['CanActivate'],
    method: 'canActivate',
  },
  {
    framework: 'nestjs',
    packages: ['@nestjs/common', '@nestjs/graphql'],
    source: 'https://docs.nestjs.com/interceptors',
    names: ['NestInterceptor'],
    method: 'intercept',
  },
  {
    framework: 'nestjs',
    packages: ['@nestjs/common', '@nestjs/graphql'],
    source: 'https://docs.nestjs.com/pipes',
    names: ['PipeTransform'],
    method: 'transform',
  },
  {
    framework: 'nestjs',
    packages: ['@nestjs/common', '@nestjs/graphql'],
    source: 'https://docs.nestjs.com/exception-filters',
    names: ['ExceptionFilter', 'GqlExceptionFilter'],
    method: 'catch',
  },
  {
    framework: 'nestjs',
    packages: ['@nestjs/common', '@nestjs/graphql'],
    source: 'https://docs.nestjs.com/middleware',
    names: ['NestMiddleware'],
    method: 'use',
  },
  {
    framework: 'routing-controllers',
    packages: ['routing-controllers'],
    source: 'https://github.com/typestack/routing-controllers#using-middlewares',
    names: ['ExpressMiddlewareInterface', 'KoaMiddlewareInterface'],
    method: 'use',
  },
];

/** Base classes whose method runs for every request or job; the base may be what a function gives: `extends PassportStrategy(Strategy)`. */
export const REQUEST_BASES: readonly {
  framework: string;
  packages: readonly string[];
  source: string;
  name: string;
  method: string;
  kind: 'middleware' | 'job';
}[] = [
  {
    framework: 'nestjs',
    packages: ['@nestjs/bullmq'],
    source: 'https://docs.nestjs.com/techniques/queues#consumers',
    name: 'WorkerHost',
    method: 'process',
    kind: 'job',
  },
  {
    framework: 'nestjs',
    packages: ['@nestjs/passport'],
    source: 'https://docs.nestjs.com/recipes/passport#implementing-passport-local',
    name: 'PassportStrategy',
    method: 'validate',
    kind: 'middleware',
  },
];

/** Files whose exports a file-based router or a platform calls. */
export interface FileConvention {
  framework: string;
  source: string;
  /** Tested against the path with forward slashes. */
  file: RegExp;
  /** Exported names; `default` for the default export. */
  exports: readonly string[];
  /** Whether the exported thing is a table of handlers (`export const actions = { save() {} }`), or of objects with a `handler`. */
  table?: boolean;
  /** Set when the exported thing is a class: which of its methods are handlers. */
  methods?: RegExp;
  /** Set when only projects that depend on one of these have such files. */
  dependencies?: readonly string[];
  /** `exported` unless said. */
  kind?: 'hook' | 'invocation';
  /** Where the path's route begins; captures 1 is the route. */
  route?: RegExp;
  /** Captures 1 is the HTTP method. */
  method?: RegExp;
  /** What the export is made with: other files of such folders are no routes. */
  taker?: RegExp;
  /** Whether the export's name is the HTTP method. */
  nameIsMethod?: boolean;
  /** Set for file names with dots for slashes (`users.$id.tsx`): what stands before the route, by the name of the export. */
  flatMethods?: Readonly<Record<string, string>>;
}

const ADONIS = words('@adonisjs/core @adonisjs/framework adonis-framework');
const MODEL_HOOKS = words(
  'beforeValidate afterValidate beforeCreate afterCreate beforeCreateMany afterCreateMany beforeUpdate afterUpdate beforeSave afterSave beforeDestroy afterDestroy beforeDelete afterDelete beforeFindOne afterFindOne beforeFindMany afterFindMany',
);
const METHOD_EXPORTS = words('GET POST PUT PATCH DELETE HEAD OPTIONS');

export const FILE_CONVENTIONS: readonly FileConvention[] = [
  {
    framework: 'next',
    source: 'https://nextjs.org/docs/pages/building-your-application/routing/api-routes',
    file: /\/pages\/api\/.+\.[cm]?[jt]sx?$/,
    exports: ['default'],
    route: /\/pages(\/api\/.+?)(?:\/index)?\.\w+$/,
  },
  {
    framework: 'next',
    source: 'https://nextjs.org/docs/app/building-your-application/routing/route-handlers',
    file: /\/app\/(?:.+\/)?route\.[cm]?[jt]sx?$/,
    exports: METHOD_EXPORTS,
    nameIsMethod: true,
    route: /\/app(\/.*?)\/?route\.\w+$/,
  },
  {
    framework: 'next',
    source: 'https://nextjs.org/docs/app/building-your-application/routing/middleware',
    file: /\/(?:middleware|proxy)\.[jt]s$/,
    exports: ['middleware', 'proxy'],
  },
  {
    framework: 'next',
    source: 'https://nextjs.org/docs/pages/building-your-application/data-fetching/get-server-side-props',
    file: /\/pages\/.+\.[jt]sx?$/,
    exports: ['getServerSideProps'],
    route: /\/pages(\/.*?)(?:\/?index)?\.\w+$/,
  },
  {
    framework: 'sveltekit',
    source: 'https://svelte.dev/docs/kit/routing#server',
    file: /\/\+server\.[jt]s$/,
    exports: [...METHOD_EXPORTS, 'fallback'],
    nameIsMethod: true,
    route: /\/routes(\/.*?)\/?\+server\.\w+$/,
  },
  {
    framework: 'sveltekit',
    source: 'https://svelte.dev/docs/kit/load',
    file: /\/\+(?:page|layout)\.server\.[jt]s$/,
    exports: ['load'],
    route: /\/routes(\/.*?)\/?\+\w+\.server\.\w+$/,
  },
  {
    framework: 'sveltekit',
    source: 'https://svelte.dev/docs/kit/form-actions',
    file: /\/\+page\.server\.[jt]s$/,
    exports: ['actions'],
    table: true,
    route: /\/routes(\/.*?)\/?\+\w+\.server\.\w+$/,
  },
  {
    framework: 'sveltekit',
    source: 'https://svelte.dev/docs/kit/hooks',
    file: /\/hooks\.server\.[jt]s$/,
    exports: ['handle', 'handleFetch', 'handleError'],
  },
  {
    framework: 'nitro',
    source: 'https://nitro.build/guide/routing',
    file: /\/server\/(?:api|routes)\/.+\.[cm]?[jt]s$/,
    exports: ['default'],
    route: /\/server(?:\/routes)?(\/.+?)(?:\/index)?(?:\.(?:get|post|put|patch|delete|head|options))?\.\w+$/,
    method: /\.(get|post|put|patch|delete|head|options)\.\w+$/,
    taker: /EventHandler$/,
  },
  {
    framework: 'remix',
    source: 'https://reactrouter.com/how-to/resource-routes',
    file: /\/app\/(?:routes\/.+|root)\.[jt]sx?$/,
    exports: ['loader', 'action'],
    route: /\/app\/routes\/(.+?)\.[jt]sx?$/,
    // An action answers POST, PUT, PATCH and DELETE.
    flatMethods: { loader: 'GET', action: 'ACTION' },
  },
  {
    framework: 'astro',
    source: 'https://docs.astro.build/en/guides/endpoints/',
    file: /\/src\/pages\/.+\.[jt]s$/,
    exports: [...METHOD_EXPORTS, 'ALL'],
    nameIsMethod: true,
    route: /\/src\/pages(\/.+?)\.\w+$/,
  },
  {
    framework: 'adonis',
    source: 'https://docs.adonisjs.com/guides/basics/controllers',
    file: /\/app\/controllers\/.+\.[jt]s$/i,
    exports: ['default'],
    methods: /^(?!constructor$)/,
    dependencies: ADONIS,
  },
  {
    framework: 'adonis',
    source: 'https://docs.adonisjs.com/guides/basics/middleware',
    file: /\/app\/middleware\/.+\.[jt]s$/i,
    exports: ['default'],
    methods: /^handle$/,
    dependencies: ADONIS,
  },
  {
    framework: 'sails',
    source: 'https://sailsjs.com/documentation/concepts/actions-and-controllers',
    file: /\/api\/controllers\/.+\.[jt]s$/,
    exports: ['fn'],
    dependencies: ['sails'],
  },
  {
    framework: 'sails',
    source: 'https://sailsjs.com/documentation/concepts/actions-and-controllers#?classic-actions',
    file: /\/api\/controllers\/.*Controller\.[jt]s$/,
    exports: ['default'],
    table: true,
    dependencies: ['sails'],
  },
  {
    framework: 'sails',
    source: 'https://sailsjs.com/documentation/concepts/models-and-orm/lifecycle-callbacks',
    file: /\/api\/models\/.+\.[jt]s$/,
    exports: MODEL_HOOKS,
    kind: 'hook',
    dependencies: ['sails'],
  },
  {
    framework: 'strapi',
    source: 'https://docs.strapi.io/cms/backend-customization/models#lifecycle-hooks',
    file: /\/content-types\/.+\/lifecycles\.[jt]s$/,
    exports: MODEL_HOOKS,
    kind: 'hook',
  },
  {
    framework: 'moleculer',
    source: 'https://moleculer.services/docs/0.14/actions',
    file: /\.service\.[jt]s$/,
    exports: ['actions', 'events'],
    table: true,
    dependencies: ['moleculer'],
  },
  {
    framework: 'netlify',
    source: 'https://docs.netlify.com/functions/get-started/',
    file: /\/netlify\/(?:edge-)?functions\/.+\.[cm]?[jt]s$/,
    exports: ['handler', 'default'],
  },
  {
    framework: 'aws-lambda',
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html',
    file: /\.[cm]?[jt]s$/,
    exports: ['handler', 'lambdaHandler'],
    kind: 'invocation',
  },
  {
    framework: 'aws-lambda',
    source: 'https://www.serverless.com/framework/docs/providers/aws/guide/functions',
    file: /\/(?:handler|lambda)s?\.[cm]?[jt]s$/,
    exports: ['main', 'run', 'handle', 'default'],
    kind: 'invocation',
    dependencies: words('serverless serverless-offline @types/aws-lambda aws-lambda @middy/core sst aws-cdk-lib'),
  },
];

/** Packages whose calls run the functions in their arguments as steps, with a context of their own: none is a handler by its parameters. */
export const STEP_PACKAGES: Readonly<Record<string, string>> = {
  async: 'https://caolan.github.io/async/v3/docs.html#controlflow',
  'neo-async': 'https://suguru03.github.io/neo-async/doc/async.html',
  vasync: 'https://github.com/TritonDataCenter/node-vasync#pipeline',
};

/**
 * Files that a framework makes global variables, named like them. They are called, never registered: a function in them with the parameters
 * of a handler is a helper.
 */
export const GLOBAL_FILES: readonly { dependency: string; folder: string; source: string }[] = [
  { dependency: 'sails', folder: 'api/services', source: 'https://sailsjs.com/documentation/concepts/services' },
];

/**
 * Modules that export functions which give tables of routes: `{ post: { upload: [check, handler] } }` below the module's own URL.
 * https://docs.apostrophecms.org/reference/module-api/module-overview.html#route-configuration-functions
 */
export const ROUTE_TABLES: { framework: string; exports: ReadonlySet<string>; parameter: string; module: RegExp } = {
  framework: 'apostrophe',
  exports: new Set(['apiRoutes', 'restApiRoutes', 'renderRoutes', 'routes']),
  parameter: 'self',
  module: /\/modules\/(.+)\/index\.[cm]?[jt]s$/,
};

/**
 * What a serverless platform passes first: it tells its `handler` from any other exported function of that name. `shortNames` and unused
 * events count where `second` follows.
 */
export const SERVERLESS_EVENT: ParameterModel & { shortNames: readonly string[]; second: readonly string[] } = {
  ...EVENT,
  shortNames: words('e ev _'),
  second: words('context ctx'),
};

/** Types of variables that hold such a handler, and wrappers whose name says that they return one. */
export const SERVERLESS_HANDLERS: { packages: readonly string[]; source: string; types: RegExp; wrappers: RegExp } = {
  packages: ['aws-lambda'],
  source: 'https://www.npmjs.com/package/@types/aws-lambda',
  types: /Handler(?:V2)?$/,
  wrappers: /^middyf?y?$/i,
};
