// How long a text may be that a request brings: limits that servers have unless the application sets others, in bytes.

export interface BodyLimit {
  /** Ids of frameworks (frameworks.ts). */
  frameworks: readonly string[];
  /** Undefined: there is none. */
  bytes: number | undefined;
  /** What has the limit, as messages name it. */
  by: string;
  /** Options that set another one. */
  options: readonly string[];
  source: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const BODY_LIMITS: readonly BodyLimit[] = [
  {
    frameworks: [
      'express',
      'nestjs',
      'connect',
      'json-server',
      'next-connect',
      'routing-controllers',
      'tsoa',
      'ts.ed',
      'sails',
      'feathers',
      'loopback',
    ],
    bytes: 100 * KIB,
    by: 'body-parser',
    options: ['limit'],
    source: 'https://expressjs.com/en/api.html#express.json, https://github.com/expressjs/body-parser#limit',
  },
  {
    frameworks: ['fastify'],
    bytes: MIB,
    by: 'Fastify',
    options: ['bodyLimit'],
    source: 'https://fastify.dev/docs/latest/Reference/Server/#bodylimit',
  },
  {
    frameworks: ['koa', 'egg', 'midway', 'strapi'],
    bytes: MIB,
    by: 'koa-body and koa-bodyparser, for JSON',
    options: ['jsonLimit', 'textLimit', 'formLimit'],
    source: 'https://github.com/koajs/koa-body#options, https://github.com/koajs/bodyparser#options',
  },
  {
    frameworks: ['hapi'],
    bytes: MIB,
    by: 'hapi',
    options: ['maxBytes'],
    source: 'https://hapi.dev/api/#route.options.payload.maxBytes',
  },
  {
    frameworks: ['multer'],
    bytes: MIB,
    by: 'multer, for a field',
    options: ['fieldSize'],
    source: 'https://github.com/expressjs/multer#limits',
  },
  {
    frameworks: ['next'],
    bytes: MIB,
    by: 'Next.js, for API routes',
    options: ['sizeLimit', 'bodySizeLimit'],
    source: 'https://nextjs.org/docs/pages/building-your-application/routing/api-routes#custom-config',
  },
  {
    frameworks: ['socket.io'],
    bytes: 1_000_000,
    by: 'Socket.IO',
    options: ['maxHttpBufferSize'],
    source: 'https://socket.io/docs/v4/server-options/#maxhttpbuffersize',
  },
  {
    frameworks: ['ws'],
    bytes: 100 * MIB,
    by: 'ws',
    options: ['maxPayload'],
    source: 'https://github.com/websockets/ws/blob/master/doc/ws.md#new-websocketserveroptions-callback',
  },
  {
    frameworks: ['aws-lambda'],
    bytes: 6 * MIB,
    by: 'AWS Lambda',
    options: [],
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
  },
  {
    frameworks: ['node-http', 'polka', 'micro', 'hono', 'h3', 'restify', 'itty-router', 'find-my-way', 'uwebsockets', 'nextjs'],
    bytes: undefined,
    by: 'Node.js',
    options: [],
    source: 'https://nodejs.org/api/http.html: a request is a stream, which ends when the client ends it',
  },
];

/** Of the request line and all headers together: https://nodejs.org/api/cli.html#--max-http-header-sizesize */
export const HEAD_BYTES = 16 * KIB;

/** What reads JSON from the bodies of requests with a limit of its own. */
export interface JsonParser {
  module: string;
  /** Exports that make it: `json` of `express.json()`. The empty text is the module itself, or its default export. */
  makers: readonly string[];
  option: string;
  /** Whether it stands in front of all routes from where it is made: it is the application itself. */
  isApplication?: true;
  source: string;
}

export const JSON_PARSERS: readonly JsonParser[] = [
  { module: 'express', makers: ['json'], option: 'limit', source: 'https://expressjs.com/en/api.html#express.json' },
  { module: 'body-parser', makers: ['json'], option: 'limit', source: 'https://github.com/expressjs/body-parser#limit' },
  { module: 'koa-body', makers: ['', 'koaBody'], option: 'jsonLimit', source: 'https://github.com/koajs/koa-body#options' },
  { module: 'koa-bodyparser', makers: [''], option: 'jsonLimit', source: 'https://github.com/koajs/bodyparser#options' },
  { module: '@koa/bodyparser', makers: ['', 'bodyParser'], option: 'jsonLimit', source: 'https://github.com/koajs/bodyparser#options' },
  {
    module: 'fastify',
    makers: ['', 'fastify'],
    option: 'bodyLimit',
    isApplication: true,
    source: 'https://fastify.dev/docs/latest/Reference/Server/#bodylimit',
  },
  {
    module: '@nestjs/platform-fastify',
    makers: ['FastifyAdapter'],
    option: 'bodyLimit',
    isApplication: true,
    source: 'https://docs.nestjs.com/techniques/performance',
  },
];
