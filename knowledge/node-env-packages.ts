// Packages whose behavior on a server depends on NODE_ENV, read from their own published sources (version and file in `source`).
// A figure stands here only where it was measured; every other row says that it was not. Left out on purpose, because their sources
// show no difference between an unset NODE_ENV and `production`: koa (stores `app.env`, reads it nowhere), fastify, @hapi/hapi, restify,
// errorhandler (asks only for `test`), graphql-yoga (asks only for `development`), nunjucks, twig, mustache-express and swig (cache by
// their own options),
// @ladjs/koa-views and @koa/ejs (likewise), express-session (a warning about its memory store, nothing else).

/** When a package reads the variable: setting it later than that has no effect. */
export type ReadsNodeEnv =
  /** While its module is loaded. */
  | 'load'
  /** When the application or server object is made: `express()`, `new ApolloServer()`. */
  | 'create'
  /** At each use. */
  | 'use';

/** Rows of packages that are no servers (server-packages.ts) count only beside one. */
export interface NodeEnvPackage {
  name: string;
  reads: ReadsNodeEnv;
  /** A package of the same family that loads this one without the program naming it. */
  loadedBy?: string;
  /** For `create`: exports that make the object; `default` is the module itself. */
  creators?: readonly string[];
  /** What NODE_ENV changes, as a sentence for the message. */
  effect: string;
  /** Whether the effect is on speed (as opposed to what error answers reveal). */
  isAboutSpeed: boolean;
  source: string;
}

/** A template engine that Express (or a framework on it) calls with `cache: true` only while its `view cache` setting is on. */
export interface ViewEngine {
  name: string;
  /** How much faster pages were with NODE_ENV=production, where it was measured. */
  measured?: string;
  source: string;
}

const MEASURED_ON = 'Node 18 to 26';

/** What every Express application gains or not; the error sentence is dropped for frameworks that answer errors themselves. */
export const EXPRESS_ERRORS = "Express's default error handler sends the stack trace to the client unless NODE_ENV is `production`";
export const EXPRESS_JSON = `JSON routes were no faster with it (measured 1.0×, ${MEASURED_ON}), but the error path was (1.07–1.19×)`;
export const VIEW_CACHE = 'Express enables its view cache only when NODE_ENV is `production`';

/** bench/results/setup-costs.json: nunjucks.compile, and one use of what it gives. */
export const TIED_TEMPLATES =
  'The option `noCache` of nunjucks is on unless NODE_ENV is `production`, and each page then compiles its template again: of the one that was measured, this took 0.59 to 6.3 ms, and to fill it in, 0.01 to 0.03 ms (Node 20 to 24)';

export const NODE_ENV_PACKAGES: readonly NodeEnvPackage[] = [
  {
    name: 'express',
    reads: 'create',
    creators: ['default'],
    effect: EXPRESS_ERRORS,
    isAboutSpeed: false,
    source: 'express 5.3.0 and 4.22.3 lib/application.js defaultConfiguration(); finalhandler 2.1.1 index.js getErrorMessage()',
  },
  {
    name: 'connect',
    reads: 'load',
    effect: "connect's default error handler sends the stack trace to the client unless NODE_ENV is `production`",
    isAboutSpeed: false,
    source: 'connect 3.7.0 index.js; finalhandler 2.1.1 index.js',
  },
  {
    name: '@nestjs/platform-express',
    reads: 'create',
    loadedBy: '@nestjs/core',
    effect:
      'Nest runs on Express, whose view cache is enabled only when NODE_ENV is `production`; Nest sends errors of its own routes without stack traces',
    isAboutSpeed: false,
    source:
      '@nestjs/platform-express 12.5.1 adapters/express-adapter.js makes the application with express(); it reads NODE_ENV nowhere itself',
  },
  {
    name: '@feathersjs/express',
    reads: 'use',
    effect: 'The JSON error handler of Feathers sends the stack trace to the client unless NODE_ENV is `production`',
    isAboutSpeed: false,
    source: '@feathersjs/express 5.0.50 lib/handlers.js',
  },
  {
    name: 'loopback',
    reads: 'create',
    creators: ['default'],
    effect: 'LoopBack 3 is an Express application, whose view cache is enabled only when NODE_ENV is `production`',
    isAboutSpeed: false,
    source: 'loopback 3.28.0 lib/server-app.js makes the application with express()',
  },
  {
    name: 'sails',
    reads: 'create',
    effect: 'Sails runs on Express, whose view cache is enabled only when NODE_ENV is `production`',
    isAboutSpeed: false,
    source: 'sails 1.5.18 lib/app/configuration/load.js and lib/app/load.js',
  },
  {
    name: '@apollo/server',
    reads: 'create',
    creators: ['ApolloServer'],
    effect: 'Apollo Server allows introspection and includes stack traces in GraphQL errors unless NODE_ENV is `production`',
    isAboutSpeed: false,
    source: '@apollo/server 5.5.1 dist/cjs/ApolloServer.js constructor()',
  },
  {
    name: 'apollo-server',
    reads: 'load',
    effect: 'Apollo Server includes stack traces in GraphQL errors and allows introspection unless NODE_ENV is `production`',
    isAboutSpeed: false,
    source: 'apollo-server-core 3.13.0 dist/runHttpQuery.js and dist/ApolloServer.js',
  },
  {
    name: 'apollo-server-express',
    reads: 'load',
    effect: 'Apollo Server includes stack traces in GraphQL errors and allows introspection unless NODE_ENV is `production`',
    isAboutSpeed: false,
    source: 'apollo-server-core 3.13.0 dist/runHttpQuery.js and dist/ApolloServer.js',
  },
  {
    name: '@fastify/view',
    reads: 'create',
    effect: '@fastify/view caches compiled templates only when NODE_ENV is `production` (not measured here)',
    isAboutSpeed: true,
    source: '@fastify/view 12.0.0 index.js fastifyView()',
  },
  {
    name: 'koa-error',
    reads: 'create',
    effect: 'koa-error shows error details, and reads its template again each time, only when NODE_ENV is unset or `development`',
    isAboutSpeed: false,
    source: 'koa-error 3.2.0 index.js',
  },
  {
    name: 'react-dom',
    reads: 'load',
    effect: 'react-dom loads its development build unless NODE_ENV is `production` (not measured here)',
    isAboutSpeed: true,
    source: 'react-dom 19.3.1 server.node.js, client.js',
  },
  {
    name: 'react',
    reads: 'load',
    effect: 'React loads its development build unless NODE_ENV is `production` (not measured here)',
    isAboutSpeed: true,
    source: 'react 19.3.1 index.js, jsx-runtime.js',
  },
  {
    name: '@vue/server-renderer',
    reads: 'load',
    effect: "Vue's server renderer loads its development build unless NODE_ENV is `production` (not measured here)",
    isAboutSpeed: true,
    source: '@vue/server-renderer 3.5.45 index.js',
  },
  {
    name: 'vue-server-renderer',
    reads: 'load',
    effect: "Vue 2's server renderer loads its development build unless NODE_ENV is `production` (not measured here)",
    isAboutSpeed: true,
    source: 'vue-server-renderer 2.7.16 index.js',
  },
  {
    name: 'graphql',
    reads: 'load',
    effect: 'graphql 16 checks every value for a second copy of the graphql package unless NODE_ENV is `production` (not measured here)',
    // A few comparisons for each value: nothing says that they add up to a millisecond.
    isAboutSpeed: false,
    source: 'graphql 16.15.0 jsutils/instanceOf.js',
  },
];

/**
 * ejs and pug under Express 5.3.0 and 4.22.3 (ejs 7.0.2, pug 3.0.4), NODE_ENV=production against development, Node 18, 20, 22, 24, 26;
 * unset was within 5 % of development (Node 22).
 */
export const VIEW_ENGINES: readonly ViewEngine[] = [
  { name: 'ejs', measured: `1.7–2.4× faster (${MEASURED_ON})`, source: 'measured; ejs 7.0.2 lib/cjs/ejs.js handleCache()' },
  { name: 'pug', measured: `11–33× faster (${MEASURED_ON})`, source: 'measured; pug 3.0.4 lib/index.js renderFile()' },
  { name: 'jade', source: 'jade 1.11.0 lib/index.js handleTemplateCache(), __express()' },
  { name: 'hbs', source: 'hbs 4.3.1 lib/hbs.js' },
  { name: 'express-handlebars', source: 'express-handlebars 8.0.1 dist/express-handlebars.js' },
  { name: 'express-hbs', source: 'express-hbs 3.0.0 lib/hbs.js' },
  { name: 'ejs-mate', source: 'ejs-mate 4.0.0 lib/index.js' },
  { name: 'consolidate', source: 'consolidate 1.0.4 lib/consolidate.js' },
  { name: '@ladjs/consolidate', source: '@ladjs/consolidate 1.0.4 lib/consolidate.js' },
];

/** Packages built on Express: their view cache and default error handler are Express's. */
export const ON_EXPRESS: ReadonlySet<string> = new Set(['express', '@nestjs/platform-express', '@feathersjs/express', 'loopback', 'sails']);
