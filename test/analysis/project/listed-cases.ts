import type { App } from './support.ts';

const S = `exports.load = function load() {};\nexports.scan = function scan() {};\nexports.idle = function idle() {};`;
const ST = `export class S { load() {} scan() {} idle() {} }`;
const FS = `export function load() {}\nexport function scan() {}\nexport function idle() {}`;

/** The ways to register a handler that real applications use, each with what runs at start-up only. */
export const listedCases: readonly App[] = [
  {
    name: 'Nest: prefix and version of the routes, life-cycle hooks and factories at start-up',
    files: {
      'main.ts': `import { NestFactory } from '@nestjs/core';\nimport { VersioningType } from '@nestjs/common';\nimport { AppModule } from './app.module';\nimport { S } from './s';\nasync function bootstrap() {\n  const app = await NestFactory.create(AppModule);\n  app.setGlobalPrefix('api', { exclude: ['health'] });\n  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });\n  new S().idle();\n  await app.listen(3000);\n}\nbootstrap();`,
      'app.module.ts': `import { Module } from '@nestjs/common';\nimport { Users } from './users.controller';\nimport { Health } from './health.controller';\nimport { S } from './s';\n@Module({ controllers: [Users, Health], providers: [S] })\nexport class AppModule {}`,
      'users.controller.ts': `import { Controller, Get, Post, Version } from '@nestjs/common';\nimport { S } from './s';\n@Controller('users')\nexport class Users { constructor(private s: S) {} @Get(':id') show() { return this.s.load(); } @Version('2') @Post() save() { return this.s.scan(); } onModuleInit() { this.s.idle(); } }`,
      'health.controller.ts': `import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';\nimport { P } from './p';\n@Controller({ path: 'health', version: VERSION_NEUTRAL })\nexport class Health { constructor(private p: P) {} @Get() show() { return this.p.ping(); } }`,
      'p.ts': `export class P { ping() {} }`,
      's.ts': ST,
    },
    reached: ['s.ts#load GET /api/v1/users/:id', 's.ts#scan POST /api/v2/users', 'p.ts#ping GET /health'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'Nest: processors of queues and scheduled tasks',
    files: {
      'mail.processor.ts': `import { Processor, Process } from '@nestjs/bull';\nimport { S } from './s';\n@Processor('mail')\nexport class Mail { constructor(private s: S) { s.idle(); } @Process('send') send() { return this.s.load(); } }`,
      'tasks.ts': `import { Injectable } from '@nestjs/common';\nimport { Cron, Interval } from '@nestjs/schedule';\nimport { S } from './s';\n@Injectable()\nexport class Tasks { constructor(private s: S) {} @Cron('0 * * * *') hourly() { this.s.scan(); } }`,
      's.ts': ST,
    },
    reached: ['s.ts#load', 's.ts#scan'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'awilix: functions, values, and controllers that awilix-express registers',
    files: {
      'app.js': `const { createContainer, asFunction, asValue } = require('awilix');\nconst express = require('express');\nconst makeUsers = require('./users');\nconst makeRoutes = require('./routes');\nconst s = require('./s');\nconst container = createContainer();\ncontainer.register({ s: asValue(s), users: asFunction(makeUsers).singleton(), routes: asFunction(makeRoutes) });\ns.idle();\nconst app = express();\napp.use('/users', container.resolve('routes'));`,
      'users.js': `module.exports = ({ s }) => ({ list: () => s.load(), warm: () => s.idle() });`,
      'routes.js': `const { Router } = require('express');\nmodule.exports = ({ users }) => { const router = Router(); router.get('/', (req, res) => res.send(users.list())); return router; };`,
      's.js': S,
    },
    reached: ['s.js#load GET /users'],
    idle: ['s.js#idle'],
  },
  {
    name: 'awilix-express: a class with routes in decorators',
    files: {
      'users.js': `import { route, GET, POST, before } from 'awilix-express';\n@route('/users')\nexport default class Users { constructor({ s }) { this.s = s; } @route('/:id') @GET() async show(req, res) { res.send(this.s.load()); } warm() { this.s.idle(); } }`,
      'app.js': `import { createContainer, asClass } from 'awilix';\nimport S from './s.js';\nconst container = createContainer();\ncontainer.register({ s: asClass(S) });`,
      's.js': `export default class S { load() {} idle() {} }`,
    },
    reached: ['s.js#load GET /users/:id'],
    idle: ['s.js#idle'],
  },
  {
    name: 'routing-controllers with typedi, by type and by token',
    files: {
      'app.ts': `import { createExpressServer, useContainer } from 'routing-controllers';\nimport { Container } from 'typedi';\nimport { Users } from './users';\nimport { FileStore } from './store';\nuseContainer(Container);\nContainer.set('store', new FileStore());\nconst app = createExpressServer({ routePrefix: '/api', controllers: [Users] });\napp.listen(3000, () => new FileStore().idle());`,
      'users.ts': `import { JsonController, Get, Param } from 'routing-controllers';\nimport { Service, Inject } from 'typedi';\nimport { S } from './s';\n@Service()\n@JsonController('/users')\nexport class Users { constructor(private s: S, @Inject('store') private store: any) {} @Get('/:id') show(@Param('id') id: string) { this.store.read(); return this.s.load(); } }`,
      'store.ts': `export class FileStore { read() {} idle() {} }`,
      's.ts': ST,
    },
    reached: ['s.ts#load GET /api/users/:id', 'store.ts#read'],
    idle: ['s.ts#idle', 'store.ts#idle'],
  },
  {
    name: 'own decorators of a controller',
    files: {
      'users.ts': `import { Controller, Get } from '../decorators';\nimport { S } from './s';\nconst s = new S();\n@Controller('/users')\nexport class Users { @Get('/:id') show() { return s.load(); } warm() { s.idle(); } }`,
      's.ts': ST,
    },
    reached: ['s.ts#load GET /users/:id'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'fastify.register with a prefix, nested, with hooks of the life cycle at start-up',
    files: {
      'app.js': `const fastify = require('fastify')();\nconst s = require('./s');\nfastify.addHook('onReady', async () => { s.idle(); });\nfastify.register(require('./v1'), { prefix: '/v1' });\nfastify.listen({ port: 3000 });`,
      'v1.js': `module.exports = async function v1(instance, opts) { instance.register(require('./users'), { prefix: '/users' }); };`,
      'users.js': `const s = require('./s');\nmodule.exports = async function users(instance, opts) { instance.get('/:id', async (request, reply) => s.load()); instance.route({ method: 'POST', url: '/', handler: async () => s.scan() }); };`,
      's.js': S,
    },
    reached: ['s.js#load GET /v1/users/:id', 's.js#scan POST /v1/users'],
    idle: ['s.js#idle'],
  },
  {
    name: 'GraphQL: resolvers of types in files of their own, merged',
    files: {
      'app.js': `const { ApolloServer } = require('@apollo/server');\nconst { merge } = require('lodash');\nconst users = require('./users');\nconst books = require('./books');\nconst s = require('./s');\ns.idle();\nconst server = new ApolloServer({ typeDefs: '', resolvers: merge({}, users, books) });`,
      'users.js': `const s = require('./s');\nmodule.exports = { Query: { user: () => s.load() }, User: { books: (user) => s.scan(user) } };`,
      'books.js': `const s = require('./s');\nmodule.exports = { Mutation: { addBook: async (parent, args) => s.store(args) } };`,
      's.js': `${S}\nexports.store = function store() {};`,
    },
    reached: ['s.js#load', 's.js#scan', 's.js#store'],
    idle: ['s.js#idle'],
  },
  {
    name: 'GraphQL: classes of type-graphql with their own services',
    files: {
      'users.resolver.ts': `import { Resolver, Query, Mutation } from 'type-graphql';\nimport { S } from './s';\n@Resolver()\nexport class Users { constructor(private readonly s: S) {} @Query(() => String) user() { return this.s.load(); } @Mutation(() => String) save() { return this.s.scan(); } warm() { this.s.idle(); } }`,
      's.ts': ST,
    },
    reached: ['s.ts#load', 's.ts#scan'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'tRPC: procedures with input and middleware, a caller at start-up',
    files: {
      'trpc.ts': `import { initTRPC } from '@trpc/server';\nimport { check } from './auth';\nconst t = initTRPC.create();\nexport const router = t.router;\nexport const publicProcedure = t.procedure;\nexport const protectedProcedure = t.procedure.use(({ next }) => { check(); return next(); });`,
      'auth.ts': `export function check() {}`,
      'users.ts': `import { router, publicProcedure, protectedProcedure } from './trpc';\nimport { load, scan } from './s';\nexport const users = router({ byId: publicProcedure.input(String).query(({ input }) => load()), save: protectedProcedure.mutation(async () => scan()) });`,
      'app.ts': `import { createHTTPServer } from '@trpc/server/adapters/standalone';\nimport { users } from './users';\nimport { idle } from './s';\nidle();\ncreateHTTPServer({ router: users }).listen(3000);`,
      's.ts': FS,
    },
    reached: ['s.ts#load', 's.ts#scan', 'auth.ts#check'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'bull and bullmq: processors by reference, in other files',
    files: {
      'queues.js': `const Queue = require('bull');\nconst { Worker } = require('bullmq');\nconst jobs = require('./jobs');\nconst s = require('./s');\nconst mail = new Queue('mail');\nmail.process('welcome', 5, jobs.welcome);\nnew Worker('reports', jobs.report);\nmail.on('ready', () => s.idle());`,
      'jobs.js': `const s = require('./s');\nexports.welcome = async (job) => s.load(job.data);\nexports.report = async function report(job) { s.scan(); };`,
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan'],
    idle: ['s.js#idle'],
  },
  {
    name: 'agenda and cron',
    files: {
      'agenda.js': `const Agenda = require('agenda');\nconst s = require('./s');\nconst agenda = new Agenda({});\nagenda.define('clean up', async (job) => { s.load(); });\nagenda.start();\ns.idle();`,
      'cron.js': `const cron = require('node-cron');\nconst { CronJob } = require('cron');\nconst schedule = require('node-schedule');\nconst s = require('./s');\ncron.schedule('* * * * *', () => s.scan());\nnew CronJob('0 0 * * *', () => s.store()).start();\nschedule.scheduleJob('42 * * * *', function () { s.count(); });`,
      's.js': `${S}\nexports.store = function store() {};\nexports.count = function count() {};`,
    },
    reached: ['s.js#load', 's.js#scan', 's.js#store', 's.js#count'],
    idle: ['s.js#idle'],
  },
  {
    name: 'socket events: a table of them in another file, a namespace, ws',
    files: {
      'app.js': `const { Server } = require('socket.io');\nconst { WebSocketServer } = require('ws');\nconst events = require('./events');\nconst s = require('./s');\nconst io = new Server(3000);\ns.idle();\nio.of('/admin').on('connection', (socket) => { for (const [name, handler] of Object.entries(events)) socket.on(name, handler); });\nconst wss = new WebSocketServer({ port: 8080 });\nwss.on('connection', (ws) => { ws.on('message', (data) => s.scan(data)); });`,
      'events.js': `const s = require('./s');\nmodule.exports = { join: (room) => s.load(room) };`,
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan'],
    idle: ['s.js#idle'],
  },
  {
    name: "Next.js: pages, route handlers, server components' data and middleware",
    files: {
      'pages/api/users/[id].ts': `import { load } from '../../../lib/s';\nexport default function handler(req, res) { res.json(load()); }`,
      'pages/about.tsx': `import { scan } from '../lib/s';\nexport async function getServerSideProps() { return { props: scan() }; }\nexport async function getStaticProps() { return { props: {} }; }\nexport default function About() { return null; }`,
      'next.config.js': `const { idle } = require('./lib/s');\nidle();\nmodule.exports = {};`,
      'lib/s.ts': FS,
    },
    reached: ['lib/s.ts#load /api/users/:id', 'lib/s.ts#scan'],
    idle: ['lib/s.ts#idle'],
  },
  {
    name: 'Nuxt and Nitro: routes by method, middleware; a plugin at start-up',
    files: {
      'server/api/users/[id].get.ts': `import { load } from '../../utils/s';\nexport default defineEventHandler(async (event) => load());`,
      'server/middleware/log.ts': `import { scan } from '../utils/s';\nexport default defineEventHandler(() => { scan(); });`,
      'server/plugins/boot.ts': `import { idle } from '../utils/s';\nexport default defineNitroPlugin(() => { idle(); });`,
      'server/utils/s.ts': FS,
    },
    reached: ['server/utils/s.ts#load GET /api/users/:id', 'server/utils/s.ts#scan'],
    idle: ['server/utils/s.ts#idle'],
  },
  {
    name: 'SvelteKit: endpoints, loads, actions and hooks; what a module does at start-up',
    files: {
      'src/routes/users/[id]/+server.ts': `import { load } from '$lib/s';\nexport const GET = async ({ params }) => new Response(load());`,
      'src/routes/login/+page.server.ts': `import { scan, store } from '$lib/s';\nexport const load = async () => ({ a: scan() });\nexport const actions = { default: async () => store() };`,
      'src/hooks.server.ts': `import { check, idle } from '$lib/s';\nidle();\nexport const handle = async ({ event, resolve }) => { check(); return resolve(event); };`,
      'src/lib/s.ts': `${FS}\nexport function store() {}\nexport function check() {}`,
    },
    layout: {
      packages: [{ root: '/project' }],
      aliases: [{ root: '/project', base: '/project', hasBaseUrl: false, paths: { '$lib/*': ['src/lib/*'] } }],
    },
    reached: ['src/lib/s.ts#load GET /users/:id', 'src/lib/s.ts#scan', 'src/lib/s.ts#store', 'src/lib/s.ts#check'],
    idle: ['src/lib/s.ts#idle'],
  },
  {
    name: "Remix: loaders and actions; the server's start",
    files: {
      'app/routes/users.$id.tsx': `import { load, scan } from '../s.server';\nexport async function loader() { return load(); }\nexport const action = async () => scan();\nexport default function Users() { return null; }`,
      'server.ts': `import express from 'express';\nimport { createRequestHandler } from '@remix-run/express';\nimport { idle } from './app/s.server';\nidle();\nconst app = express();\napp.all('*', createRequestHandler({}));`,
      'app/s.server.ts': FS,
    },
    reached: ['app/s.server.ts#load', 'app/s.server.ts#scan'],
    idle: ['app/s.server.ts#idle'],
  },
  {
    name: 'Strapi: controllers and services by factory; bootstrap at start-up',
    dependencies: ['@strapi/strapi'],
    files: {
      'src/api/book/controllers/book.js': `const { createCoreController } = require('@strapi/strapi').factories;\nconst s = require('../../../s');\nmodule.exports = createCoreController('api::book.book', ({ strapi }) => ({ async find(ctx) { return strapi.service('api::book.book').pick(s.load()); } }));`,
      'src/api/book/services/book.js': `const { createCoreService } = require('@strapi/strapi').factories;\nconst s = require('../../../s');\nmodule.exports = createCoreService('api::book.book', ({ strapi }) => ({ pick(data) { return s.scan(data); } }));`,
      'src/index.js': `const s = require('./s');\nmodule.exports = { register() { s.idle(); }, bootstrap({ strapi }) { s.idle(); } };`,
      'src/s.js': S,
    },
    reached: ['src/s.js#load', 'src/s.js#scan'],
    idle: ['src/s.js#idle'],
  },
  {
    name: 'Ghost-style endpoint objects behind a function that makes a handler of each',
    files: {
      'routes.js': `const express = require('express');\nconst { http } = require('./http');\nconst api = require('./endpoints');\nmodule.exports = function routes() { const router = express.Router(); router.get('/posts', http(api.posts.browse)); router.post('/posts', http(api.posts.add)); return router; };`,
      'http.js': `const pipeline = require('./pipeline');\nexports.http = (impl) => async (req, res, next) => { try { res.json(await pipeline(impl, { options: req.query })); } catch (err) { next(err); } };`,
      'pipeline.js': `module.exports = async function pipeline(impl, frame) { if (impl.validation) impl.validation(frame); await impl.permissions(frame); return impl.query(frame); };`,
      'endpoints/index.js': `module.exports = { posts: require('./posts') };`,
      'endpoints/posts.js': `const s = require('../s');\nmodule.exports = { docName: 'posts', browse: { permissions() {}, query(frame) { return s.load(frame); } }, add: { permissions() {}, validation() { s.scan(); }, query() {} } };`,
      'app.js': `const app = require('express')();\nconst s = require('./s');\napp.use('/api/admin', require('./routes')());\ns.idle();`,
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan'],
    idle: ['s.js#idle'],
  },
  {
    name: 'serverless exports: AWS, Vercel, Netlify, Google, Azure, Firebase; what the module does when it is loaded',
    files: {
      'aws/users.js': `const s = require('../s');\ns.idle();\nexports.handler = async (event) => s.load(event.pathParameters);`,
      'api/hello.ts': `import type { VercelRequest, VercelResponse } from '@vercel/node';\nimport { vercel } from '../s2';\nexport default function handler(req: VercelRequest, res: VercelResponse) { res.send(vercel()); }`,
      'netlify/functions/a.ts': `import { netlify } from '../../s2';\nexport const handler = async () => ({ statusCode: 200, body: netlify() });`,
      'gcp.js': `const functions = require('@google-cloud/functions-framework');\nconst s = require('./s');\nfunctions.http('hello', (req, res) => { s.scan(); res.end(); });`,
      'azure.ts': `import { app } from '@azure/functions';\nimport { azure } from './s2';\napp.http('hello', { methods: ['GET'], handler: async (request, context) => ({ body: azure() }) });`,
      'firebase.ts': `import { onRequest } from 'firebase-functions/v2/https';\nimport { fire } from './s2';\nexport const hello = onRequest((req, res) => { fire(); res.end(); });`,
      's.js': S,
      's2.ts': `export function vercel() {}\nexport function netlify() { return ''; }\nexport function azure() { return ''; }\nexport function fire() {}`,
    },
    reached: ['s.js#load', 's2.ts#vercel', 's2.ts#netlify', 's.js#scan', 's2.ts#azure', 's2.ts#fire'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Express: a prefix with a router that is made with its dependencies, route().get, app.route in another file',
    files: {
      'app.js': `const app = require('express')();\nconst s = require('./s');\ns.idle();\napp.use('/users', require('./users')({ s }));\nrequire('./books')(app);\nmodule.exports = app;`,
      'users.js': `const express = require('express');\nmodule.exports = ({ s }) => { const router = express.Router(); router.route('/:id').get((req, res) => res.send(s.load())).put(save(s)); return router; };\nfunction save(s) { return (req, res) => res.send(s.scan()); }`,
      'books.js': `const s = require('./s');\nmodule.exports = (app) => { app.route('/books').get((req, res) => res.send(s.store())); };`,
      's.js': `${S}\nexports.store = function store() {};`,
    },
    reached: ['s.js#load GET /users/:id', 's.js#scan PUT /users/:id', 's.js#store GET /books'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Apostrophe: tables of routes that a module gives; what it does when it is initialised',
    files: {
      'modules/@acme/files/index.js': `const s = require('../../../s');\nmodule.exports = {\n  async init(self) { s.idle(); },\n  apiRoutes(self) { return { post: { upload: [self.check, async function (req) { return s.load(req.file); }] } }; },\n  restApiRoutes: (self) => ({ async getOne(req, id) { return s.scan(id); } }),\n};`,
      's.js': S,
    },
    reached: ['s.js#load POST /api/v1/@acme/files/upload', 's.js#scan'],
    idle: ['s.js#idle'],
  },
];
