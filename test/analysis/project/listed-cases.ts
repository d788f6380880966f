// Projects with containers, decorators, and conventions: which handlers and routes are listed.
import type { App } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const S = dedent`
  exports.load = function load() {};
  exports.scan = function scan() {};
  exports.idle = function idle() {};
`;
const ST = `export class S { load() {} scan() {} idle() {} }`;
const FS = dedent`
  export function load() {}
  export function scan() {}
  export function idle() {}
`;

/** The ways to register a handler that real applications use, each with what runs at start-up only. */
export const listedCases: readonly App[] = [
  {
    name: 'Nest: prefix and version of the routes, life-cycle hooks and factories at start-up',
    files: {
      'main.ts': dedent`
        import { NestFactory } from '@nestjs/core';
        import { VersioningType } from '@nestjs/common';
        import { AppModule } from './app.module';
        import { S } from './s';
        async function bootstrap() {
          const app = await NestFactory.create(AppModule);
          app.setGlobalPrefix('api', { exclude: ['health'] });
          app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
          new S().idle();
          await app.listen(3000);
        }
        bootstrap();
      `,
      'app.module.ts': dedent`
        import { Module } from '@nestjs/common';
        import { Users } from './users.controller';
        import { Health } from './health.controller';
        import { S } from './s';
        @Module({ controllers: [Users, Health], providers: [S] })
        export class AppModule {}
      `,
      'users.controller.ts': dedent`
        import { Controller, Get, Post, Version } from '@nestjs/common';
        import { S } from './s';
        @Controller('users')
        export class Users { constructor(private s: S) {} @Get(':id') show() { return this.s.load(); } @Version('2') @Post() save() { return this.s.scan(); } onModuleInit() { this.s.idle(); } }
      `,
      'health.controller.ts': dedent`
        import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
        import { P } from './p';
        @Controller({ path: 'health', version: VERSION_NEUTRAL })
        export class Health { constructor(private p: P) {} @Get() show() { return this.p.ping(); } }
      `,
      'p.ts': `export class P { ping() {} }`,
      's.ts': ST,
    },
    reached: ['s.ts#load GET /api/v1/users/:id', 's.ts#scan POST /api/v2/users', 'p.ts#ping GET /health'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'Nest: processors of queues and scheduled tasks',
    files: {
      'mail.processor.ts': dedent`
        import { Processor, Process } from '@nestjs/bull';
        import { S } from './s';
        @Processor('mail')
        export class Mail { constructor(private s: S) { s.idle(); } @Process('send') send() { return this.s.load(); } }
      `,
      'tasks.ts': dedent`
        import { Injectable } from '@nestjs/common';
        import { Cron, Interval } from '@nestjs/schedule';
        import { S } from './s';
        @Injectable()
        export class Tasks { constructor(private s: S) {} @Cron('0 * * * *') hourly() { this.s.scan(); } }
      `,
      's.ts': ST,
    },
    reached: ['s.ts#load', 's.ts#scan'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'awilix: functions, values, and controllers that awilix-express registers',
    files: {
      'app.js': dedent`
        const { createContainer, asFunction, asValue } = require('awilix');
        const express = require('express');
        const makeUsers = require('./users');
        const makeRoutes = require('./routes');
        const s = require('./s');
        const container = createContainer();
        container.register({ s: asValue(s), users: asFunction(makeUsers).singleton(), routes: asFunction(makeRoutes) });
        s.idle();
        const app = express();
        app.use('/users', container.resolve('routes'));
      `,
      'users.js': `module.exports = ({ s }) => ({ list: () => s.load(), warm: () => s.idle() });`,
      'routes.js': dedent`
        const { Router } = require('express');
        module.exports = ({ users }) => { const router = Router(); router.get('/', (req, res) => res.send(users.list())); return router; };
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /users'],
    idle: ['s.js#idle'],
  },
  {
    name: 'awilix-express: a class with routes in decorators',
    files: {
      'users.js': dedent`
        import { route, GET, POST, before } from 'awilix-express';
        @route('/users')
        export default class Users { constructor({ s }) { this.s = s; } @route('/:id') @GET() async show(req, res) { res.send(this.s.load()); } warm() { this.s.idle(); } }
      `,
      'app.js': dedent`
        import { createContainer, asClass } from 'awilix';
        import S from './s.js';
        const container = createContainer();
        container.register({ s: asClass(S) });
      `,
      's.js': `export default class S { load() {} idle() {} }`,
    },
    reached: ['s.js#load GET /users/:id'],
    idle: ['s.js#idle'],
  },
  {
    name: 'routing-controllers with typedi, by type and by token',
    files: {
      'app.ts': dedent`
        import { createExpressServer, useContainer } from 'routing-controllers';
        import { Container } from 'typedi';
        import { Users } from './users';
        import { FileStore } from './store';
        useContainer(Container);
        Container.set('store', new FileStore());
        const app = createExpressServer({ routePrefix: '/api', controllers: [Users] });
        app.listen(3000, () => new FileStore().idle());
      `,
      'users.ts': dedent`
        import { JsonController, Get, Param } from 'routing-controllers';
        import { Service, Inject } from 'typedi';
        import { S } from './s';
        @Service()
        @JsonController('/users')
        export class Users { constructor(private s: S, @Inject('store') private store: any) {} @Get('/:id') show(@Param('id') id: string) { this.store.read(); return this.s.load(); } }
      `,
      'store.ts': `export class FileStore { read() {} idle() {} }`,
      's.ts': ST,
    },
    reached: ['s.ts#load GET /api/users/:id', 'store.ts#read'],
    idle: ['s.ts#idle', 'store.ts#idle'],
  },
  {
    name: 'own decorators of a controller',
    files: {
      'users.ts': dedent`
        import { Controller, Get } from '../decorators';
        import { S } from './s';
        const s = new S();
        @Controller('/users')
        export class Users { @Get('/:id') show() { return s.load(); } warm() { s.idle(); } }
      `,
      's.ts': ST,
    },
    reached: ['s.ts#load GET /users/:id'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'fastify.register with a prefix, nested, with hooks of the life cycle at start-up',
    files: {
      'app.js': dedent`
        const fastify = require('fastify')();
        const s = require('./s');
        fastify.addHook('onReady', async () => { s.idle(); });
        fastify.register(require('./v1'), { prefix: '/v1' });
        fastify.listen({ port: 3000 });
      `,
      'v1.js': `module.exports = async function v1(instance, opts) { instance.register(require('./users'), { prefix: '/users' }); };`,
      'users.js': dedent`
        const s = require('./s');
        module.exports = async function users(instance, opts) { instance.get('/:id', async (request, reply) => s.load()); instance.route({ method: 'POST', url: '/', handler: async () => s.scan() }); };
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /v1/users/:id', 's.js#scan POST /v1/users'],
    idle: ['s.js#idle'],
  },
  {
    name: 'GraphQL: resolvers of types in files of their own, merged',
    files: {
      'app.js': dedent`
        const { ApolloServer } = require('@apollo/server');
        const { merge } = require('lodash');
        const users = require('./users');
        const books = require('./books');
        const s = require('./s');
        s.idle();
        const server = new ApolloServer({ typeDefs: '', resolvers: merge({}, users, books) });
      `,
      'users.js': dedent`
        const s = require('./s');
        module.exports = { Query: { user: () => s.load() }, User: { books: (user) => s.scan(user) } };
      `,
      'books.js': dedent`
        const s = require('./s');
        module.exports = { Mutation: { addBook: async (parent, args) => s.store(args) } };
      `,
      's.js': `${S}\nexports.store = function store() {};`,
    },
    reached: ['s.js#load', 's.js#scan', 's.js#store'],
    idle: ['s.js#idle'],
  },
  {
    name: 'GraphQL: classes of type-graphql with their own services',
    files: {
      'users.resolver.ts': dedent`
        import { Resolver, Query, Mutation } from 'type-graphql';
        import { S } from './s';
        @Resolver()
        export class Users { constructor(private readonly s: S) {} @Query(() => String) user() { return this.s.load(); } @Mutation(() => String) save() { return this.s.scan(); } warm() { this.s.idle(); } }
      `,
      's.ts': ST,
    },
    reached: ['s.ts#load', 's.ts#scan'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'tRPC: procedures with input and middleware, a caller at start-up',
    files: {
      'trpc.ts': dedent`
        import { initTRPC } from '@trpc/server';
        import { check } from './auth';
        const t = initTRPC.create();
        export const router = t.router;
        export const publicProcedure = t.procedure;
        export const protectedProcedure = t.procedure.use(({ next }) => { check(); return next(); });
      `,
      'auth.ts': `export function check() {}`,
      'users.ts': dedent`
        import { router, publicProcedure, protectedProcedure } from './trpc';
        import { load, scan } from './s';
        export const users = router({ byId: publicProcedure.input(String).query(({ input }) => load()), save: protectedProcedure.mutation(async () => scan()) });
      `,
      'app.ts': dedent`
        import { createHTTPServer } from '@trpc/server/adapters/standalone';
        import { users } from './users';
        import { idle } from './s';
        idle();
        createHTTPServer({ router: users }).listen(3000);
      `,
      's.ts': FS,
    },
    reached: ['s.ts#load', 's.ts#scan', 'auth.ts#check'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'bull and bullmq: processors by reference, in other files',
    files: {
      'queues.js': dedent`
        const Queue = require('bull');
        const { Worker } = require('bullmq');
        const jobs = require('./jobs');
        const s = require('./s');
        const mail = new Queue('mail');
        mail.process('welcome', 5, jobs.welcome);
        new Worker('reports', jobs.report);
        mail.on('ready', () => s.idle());
      `,
      'jobs.js': dedent`
        const s = require('./s');
        exports.welcome = async (job) => s.load(job.data);
        exports.report = async function report(job) { s.scan(); };
      `,
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan'],
    idle: ['s.js#idle'],
  },
  {
    name: 'agenda and cron',
    files: {
      'agenda.js': dedent`
        const Agenda = require('agenda');
        const s = require('./s');
        const agenda = new Agenda({});
        agenda.define('clean up', async (job) => { s.load(); });
        agenda.start();
        s.idle();
      `,
      'cron.js': dedent`
        const cron = require('node-cron');
        const { CronJob } = require('cron');
        const schedule = require('node-schedule');
        const s = require('./s');
        cron.schedule('* * * * *', () => s.scan());
        new CronJob('0 0 * * *', () => s.store()).start();
        schedule.scheduleJob('42 * * * *', function () { s.count(); });
      `,
      's.js': dedent`
        ${S}
        exports.store = function store() {};
        exports.count = function count() {};
      `,
    },
    reached: ['s.js#load', 's.js#scan', 's.js#store', 's.js#count'],
    idle: ['s.js#idle'],
  },
  {
    name: 'socket events: a table of them in another file, a namespace, ws',
    files: {
      'app.js': dedent`
        const { Server } = require('socket.io');
        const { WebSocketServer } = require('ws');
        const events = require('./events');
        const s = require('./s');
        const io = new Server(3000);
        s.idle();
        io.of('/admin').on('connection', (socket) => { for (const [name, handler] of Object.entries(events)) socket.on(name, handler); });
        const wss = new WebSocketServer({ port: 8080 });
        wss.on('connection', (ws) => { ws.on('message', (data) => s.scan(data)); });
      `,
      'events.js': dedent`
        const s = require('./s');
        module.exports = { join: (room) => s.load(room) };
      `,
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan'],
    idle: ['s.js#idle'],
  },
  {
    name: "Next.js: pages, route handlers, server components' data and middleware",
    files: {
      'pages/api/users/[id].ts': dedent`
        import { load } from '../../../lib/s';
        export default function handler(req, res) { res.json(load()); }
      `,
      'pages/about.tsx': dedent`
        import { scan } from '../lib/s';
        export async function getServerSideProps() { return { props: scan() }; }
        export async function getStaticProps() { return { props: {} }; }
        export default function About() { return null; }
      `,
      'next.config.js': dedent`
        const { idle } = require('./lib/s');
        idle();
        module.exports = {};
      `,
      'lib/s.ts': FS,
    },
    reached: ['lib/s.ts#load /api/users/:id', 'lib/s.ts#scan'],
    idle: ['lib/s.ts#idle'],
  },
  {
    name: 'Nuxt and Nitro: routes by method, middleware; a plugin at start-up',
    files: {
      'server/api/users/[id].get.ts': dedent`
        import { load } from '../../utils/s';
        export default defineEventHandler(async (event) => load());
      `,
      'server/middleware/log.ts': dedent`
        import { scan } from '../utils/s';
        export default defineEventHandler(() => { scan(); });
      `,
      'server/plugins/boot.ts': dedent`
        import { idle } from '../utils/s';
        export default defineNitroPlugin(() => { idle(); });
      `,
      'server/utils/s.ts': FS,
    },
    reached: ['server/utils/s.ts#load GET /api/users/:id', 'server/utils/s.ts#scan'],
    idle: ['server/utils/s.ts#idle'],
  },
  {
    name: 'SvelteKit: endpoints, loads, actions and hooks; what a module does at start-up',
    files: {
      'src/routes/users/[id]/+server.ts': dedent`
        import { load } from '$lib/s';
        export const GET = async ({ params }) => new Response(load());
      `,
      'src/routes/login/+page.server.ts': dedent`
        import { scan, store } from '$lib/s';
        export const load = async () => ({ a: scan() });
        export const actions = { default: async () => store() };
      `,
      'src/hooks.server.ts': dedent`
        import { check, idle } from '$lib/s';
        idle();
        export const handle = async ({ event, resolve }) => { check(); return resolve(event); };
      `,
      'src/lib/s.ts': dedent`
        ${FS}
        export function store() {}
        export function check() {}
      `,
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
      'app/routes/users.$id.tsx': dedent`
        import { load, scan } from '../s.server';
        export async function loader() { return load(); }
        export const action = async () => scan();
        export default function Users() { return null; }
      `,
      'server.ts': dedent`
        import express from 'express';
        import { createRequestHandler } from '@remix-run/express';
        import { idle } from './app/s.server';
        idle();
        const app = express();
        app.all('*', createRequestHandler({}));
      `,
      'app/s.server.ts': FS,
    },
    reached: ['app/s.server.ts#load', 'app/s.server.ts#scan'],
    idle: ['app/s.server.ts#idle'],
  },
  {
    name: 'Strapi: controllers and services by factory; bootstrap at start-up',
    dependencies: ['@strapi/strapi'],
    files: {
      'src/api/book/controllers/book.js': dedent`
        const { createCoreController } = require('@strapi/strapi').factories;
        const s = require('../../../s');
        module.exports = createCoreController('api::book.book', ({ strapi }) => ({ async find(ctx) { return strapi.service('api::book.book').pick(s.load()); } }));
      `,
      'src/api/book/services/book.js': dedent`
        const { createCoreService } = require('@strapi/strapi').factories;
        const s = require('../../../s');
        module.exports = createCoreService('api::book.book', ({ strapi }) => ({ pick(data) { return s.scan(data); } }));
      `,
      'src/index.js': dedent`
        const s = require('./s');
        module.exports = { register() { s.idle(); }, bootstrap({ strapi }) { s.idle(); } };
      `,
      'src/s.js': S,
    },
    reached: ['src/s.js#load', 'src/s.js#scan'],
    idle: ['src/s.js#idle'],
  },
  {
    name: 'Ghost-style endpoint objects behind a function that makes a handler of each',
    files: {
      'routes.js': dedent`
        const express = require('express');
        const { http } = require('./http');
        const api = require('./endpoints');
        module.exports = function routes() { const router = express.Router(); router.get('/posts', http(api.posts.browse)); router.post('/posts', http(api.posts.add)); return router; };
      `,
      'http.js': dedent`
        const pipeline = require('./pipeline');
        exports.http = (impl) => async (req, res, next) => { try { res.json(await pipeline(impl, { options: req.query })); } catch (err) { next(err); } };
      `,
      'pipeline.js': `module.exports = async function pipeline(impl, frame) { if (impl.validation) impl.validation(frame); await impl.permissions(frame); return impl.query(frame); };`,
      'endpoints/index.js': `module.exports = { posts: require('./posts') };`,
      'endpoints/posts.js': dedent`
        const s = require('../s');
        module.exports = { docName: 'posts', browse: { permissions() {}, query(frame) { return s.load(frame); } }, add: { permissions() {}, validation() { s.scan(); }, query() {} } };
      `,
      'app.js': dedent`
        const app = require('express')();
        const s = require('./s');
        app.use('/api/admin', require('./routes')());
        s.idle();
      `,
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan'],
    idle: ['s.js#idle'],
  },
  {
    name: 'serverless exports: AWS, Vercel, Netlify, Google, Azure, Firebase; what the module does when it is loaded',
    files: {
      'aws/users.js': dedent`
        const s = require('../s');
        s.idle();
        exports.handler = async (event) => s.load(event.pathParameters);
      `,
      'api/hello.ts': dedent`
        import type { VercelRequest, VercelResponse } from '@vercel/node';
        import { vercel } from '../s2';
        export default function handler(req: VercelRequest, res: VercelResponse) { res.send(vercel()); }
      `,
      'netlify/functions/a.ts': dedent`
        import { netlify } from '../../s2';
        export const handler = async () => ({ statusCode: 200, body: netlify() });
      `,
      'gcp.js': dedent`
        const functions = require('@google-cloud/functions-framework');
        const s = require('./s');
        functions.http('hello', (req, res) => { s.scan(); res.end(); });
      `,
      'azure.ts': dedent`
        import { app } from '@azure/functions';
        import { azure } from './s2';
        app.http('hello', { methods: ['GET'], handler: async (request, context) => ({ body: azure() }) });
      `,
      'firebase.ts': dedent`
        import { onRequest } from 'firebase-functions/v2/https';
        import { fire } from './s2';
        export const hello = onRequest((req, res) => { fire(); res.end(); });
      `,
      's.js': S,
      's2.ts': dedent`
        export function vercel() {}
        export function netlify() { return ''; }
        export function azure() { return ''; }
        export function fire() {}
      `,
    },
    reached: ['s.js#load', 's2.ts#vercel', 's2.ts#netlify', 's.js#scan', 's2.ts#azure', 's2.ts#fire'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Express: a prefix with a router that is made with its dependencies, route().get, app.route in another file',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const s = require('./s');
        s.idle();
        app.use('/users', require('./users')({ s }));
        require('./books')(app);
        module.exports = app;
      `,
      'users.js': dedent`
        const express = require('express');
        module.exports = ({ s }) => { const router = express.Router(); router.route('/:id').get((req, res) => res.send(s.load())).put(save(s)); return router; };
        function save(s) { return (req, res) => res.send(s.scan()); }
      `,
      'books.js': dedent`
        const s = require('./s');
        module.exports = (app) => { app.route('/books').get((req, res) => res.send(s.store())); };
      `,
      's.js': `${S}\nexports.store = function store() {};`,
    },
    reached: ['s.js#load GET /users/:id', 's.js#scan PUT /users/:id', 's.js#store GET /books'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Apostrophe: tables of routes that a module gives; what it does when it is initialized',
    files: {
      'modules/@acme/files/index.js': dedent`
        const s = require('../../../s');
        module.exports = {
          async init(self) { s.idle(); },
          apiRoutes(self) { return { post: { upload: [self.check, async function (req) { return s.load(req.file); }] } }; },
          restApiRoutes: (self) => ({ async getOne(req, id) { return s.scan(id); } }),
        };
      `,
      's.js': S,
    },
    reached: ['s.js#load POST /api/v1/@acme/files/upload', 's.js#scan'],
    idle: ['s.js#idle'],
  },
];
