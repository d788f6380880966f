// Projects of each framework, from the route to the blocking call.
import type { App } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const S = dedent`
  exports.load = function load() {};
  exports.idle = function idle() {};
`;

/** More kinds of servers, each with a service in another file. */
export const serverCases: readonly App[] = [
  {
    name: 'a Lambda handler',
    files: {
      'handler.js': dedent`
        const s = require('./s');
        module.exports.run = async (event, context) => ({ body: s.load(event.body), id: context.awsRequestId });
      `,
      's.js': S,
    },
    reached: ['s.js#load'],
    idle: ['s.js#idle'],
  },
  {
    name: 'hapi routes in a table of another file',
    files: {
      'server.js': dedent`
        const Hapi = require('@hapi/hapi');
        const server = Hapi.server();
        server.route(require('./routes'));
      `,
      'routes.js': dedent`
        const c = require('./c');
        module.exports = [{ method: 'GET', path: '/a', handler: c.show }, { method: 'GET', path: '/b', options: { handler: c.list } }];
      `,
      'c.js': dedent`
        const s = require('./s');
        exports.show = (request, h) => s.load();
        exports.list = (request, h) => s.scan();
      `,
      's.js': dedent`
        exports.load = function load() {};
        exports.scan = function scan() {};
      `,
    },
    reached: ['s.js#load GET /a', 's.js#scan'],
  },
  {
    name: 'Koa with a router and a service class',
    files: {
      'app.js': dedent`
        const Koa = require('koa');
        const router = require('./router');
        const app = new Koa();
        app.use(router.routes());
      `,
      'router.js': dedent`
        const Router = require('@koa/router');
        const users = require('./users');
        const router = new Router({ prefix: '/users' });
        router.get('/:id', users.show);
        module.exports = router;
      `,
      'users.js': dedent`
        const Service = require('./s');
        const service = new Service();
        exports.show = async (ctx) => { ctx.body = await service.load(ctx.params.id); };
      `,
      's.js': `module.exports = class Service { async load() {} async idle() {} };`,
    },
    reached: ['s.js#load GET /users/:id'],
    idle: ['s.js#idle'],
  },
  {
    name: 'SvelteKit, Nuxt and Remix',
    files: {
      'src/routes/a/+server.ts': dedent`
        import { load } from '$lib/s';
        export function GET() { return new Response(load()); }
      `,
      'src/lib/s.ts': `export function load() { return ''; }`,
      'server/api/b.ts': dedent`
        import { scan } from '../s2';
        export default defineEventHandler(() => scan());
      `,
      'server/s2.ts': `export function scan() {}`,
    },
    layout: {
      packages: [{ root: '/project' }],
      aliases: [{ root: '/project', base: '/project', hasBaseUrl: false, paths: { '$lib/*': ['src/lib/*'] } }],
    },
    reached: ['src/lib/s.ts#load GET /a', 'server/s2.ts#scan'],
  },
  {
    name: 'Meteor methods and publications',
    files: {
      'server/main.js': dedent`
        import { Meteor } from 'meteor/meteor';
        import { load, feed } from './s';
        Meteor.methods({ 'users.load'(id) { return load(id); } });
        Meteor.publish('feed', function () { return feed(); });
        Meteor.startup(() => boot());
        function boot() {}
      `,
      'server/s.js': `export function load() {}\nexport function feed() {}`,
    },
    reached: ['server/s.js#load', 'server/s.js#feed'],
    idle: ['server/main.js#boot'],
  },
  {
    name: 'an endpoint table that a loop registers',
    files: {
      'app.js': dedent`
        const express = require('express');
        const endpoints = require('./endpoints');
        const app = express();
        const http = (endpoint) => async (req, res) => res.json(await endpoint.query({ options: req.query }));
        for (const name of Object.keys(endpoints)) app.get('/' + name, http(endpoints[name]));
      `,
      'endpoints/index.js': `module.exports = { get posts() { return require('./posts'); }, users: require('./users') };`,
      'endpoints/posts.js': dedent`
        const s = require('../s');
        module.exports = { docName: 'posts', query(frame) { return s.load(frame); } };
      `,
      'endpoints/users.js': dedent`
        const s = require('../s');
        module.exports = { query(frame) { return s.scan(frame); } };
      `,
      's.js': dedent`
        exports.load = function load() {};
        exports.scan = function scan() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#scan', 's.js#load'],
    idle: ['s.js#idle'],
  },
  {
    name: 'inversify',
    files: {
      'app.ts': dedent`
        import { Container } from 'inversify';
        import express from 'express';
        import { Users } from './users';
        import { FileStore } from './store';
        const container = new Container();
        container.bind('Store').to(FileStore);
        container.bind(Users).toSelf();
        const app = express();
        app.get('/a', (req, res) => res.send(container.get(Users).all()));
      `,
      'users.ts': dedent`
        import { inject, injectable } from 'inversify';
        @injectable()
        export class Users { constructor(@inject('Store') private store: any) {} all() { return this.store.read(); } }
      `,
      'store.ts': `export class FileStore { read() {} idle() {} }`,
    },
    reached: ['store.ts#read GET /a'],
    idle: ['store.ts#idle'],
  },
  {
    name: 'a class of the project that is named like a container',
    files: {
      'app.js': dedent`
        import express from 'express';
        import { Registry, Stock } from './registry.js';
        const registry = new Registry();
        const stock = { registry: new Map([['a', new Stock()]]) };
        const app = express();
        app.post('/tabs', (req, res) => res.json(registry.create({ mode: req.body.mode })));
        app.get('/tabs/:id', (req, res) => res.json(registry.get(req.params.id)));
        app.get('/stock', (req, res) => res.json(stock.registry.get(req.query.name).count()));
      `,
      'registry.js': dedent`
        export class Registry {
          create(options) { return this.spawn(options); }
          get(id) { return this.load(id); }
          spawn() {}
          load() {}
          idle() {}
        }
        export class Stock { count() {} createOne() {} }
      `,
    },
    reached: ['registry.js#spawn POST /tabs', 'registry.js#load GET /tabs/:id', 'registry.js#count GET /stock'],
    idle: ['registry.js#idle', 'registry.js#createOne'],
  },
  {
    name: 'Nest guards, interceptors, message patterns and gateways',
    files: {
      'a.guard.ts': dedent`
        import { CanActivate, Injectable } from '@nestjs/common';
        import { S } from './s';
        @Injectable()
        export class AGuard implements CanActivate { constructor(private s: S) {} canActivate() { return this.s.load(); } }
      `,
      'b.gateway.ts': dedent`
        import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
        import { S } from './s';
        @WebSocketGateway()
        export class B { constructor(private s: S) {} @SubscribeMessage('x') on() { return this.s.scan(); } }
      `,
      's.ts': `export class S { load() {} scan() {} idle() {} }`,
    },
    reached: ['s.ts#load', 's.ts#scan'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'a service that is an object made by a function',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const db = require('./db')();
        const users = require('./users')({ db });
        app.get('/a', users.show);
      `,
      'users.js': `module.exports = ({ db }) => ({ show(req, res) { res.send(db.read()); } });`,
      'db.js': dedent`
        module.exports = function makeDb() { return { read() { deep(); }, idle() {} }; };
        function deep() {}
      `,
    },
    reached: ['db.js#deep GET /a'],
    idle: ['db.js#idle'],
  },
  {
    name: 'a singleton class and its accessors',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { Config } from './config';
        const app = express();
        app.get('/a', (req, res) => { res.send(Config.instance.read() + Config.get().scan()); });
      `,
      'config.ts': `export class Config { private static own: Config; static get instance() { return Config.own; } static get() { if (!Config.own) Config.own = new Config(); return Config.own; } read() {} scan() {} idle() {} }`,
    },
    reached: ['config.ts#read', 'config.ts#scan'],
    idle: ['config.ts#idle'],
  },
  {
    name: 'routers that one function of another file makes, mounted at two paths below a third',
    files: {
      'make.js': dedent`
        exports.makeRouter = ({ isCached }) => {
          const router = require('express').Router();
          if (isCached) router.use((req, res, next) => next());
          return router;
        };
      `,
      'auth.js': dedent`
        const { makeRouter } = require('./make');
        exports.authRouter = () => {
          const router = makeRouter({ isCached: false });
          router.put('/forgot', (req, res) => { remind(); res.end(); });
          return router;
        };
        function remind() {}
      `,
      'install.js': dedent`
        const { makeRouter } = require('./make');
        exports.installRouter = () => {
          const router = makeRouter({ isCached: true });
          router.get('/', (req, res) => { look(); res.end(); });
          return router;
        };
        function look() {}
      `,
      'app.js': dedent`
        const { makeRouter } = require('./make');
        const { authRouter } = require('./auth');
        const { installRouter } = require('./install');
        const app = require('express')();
        function api() {
          const router = makeRouter({});
          router.use('/install', installRouter());
          router.use('/auth', authRouter());
          return router;
        }
        app.use('/api', api());
      `,
    },
    reached: ['auth.js#remind PUT /api/auth/forgot', 'install.js#look GET /api/install'],
  },
  {
    name: 'validation middleware from a factory in another file',
    files: {
      'routes.js': dedent`
        const router = require('express').Router();
        const { validate } = require('./validate');
        router.post('/a', validate({}), (req, res) => res.end());
        module.exports = router;
      `,
      'validate.js': dedent`
        exports.validate = (schema) => { prepare(); return (req, res, next) => { check(schema, req.body); next(); }; };
        function check() {}
        function prepare() {}
      `,
    },
    reached: ['validate.js#check POST /a'],
    idle: ['validate.js#prepare'],
  },
  {
    name: 'a worker thread and a child process are not the loop',
    files: {
      'app.js': dedent`
        const { Worker } = require('worker_threads');
        const app = require('express')();
        app.get('/a', (req, res) => { new Worker('./job.worker.js'); res.end(); });
      `,
      'job.worker.js': dedent`
        const { parentPort } = require('worker_threads');
        parentPort.on('message', () => crunch());
        function crunch() {}
      `,
    },
    idle: ['job.worker.js#crunch'],
  },
  {
    name: 'what a window starts again: the app, not what opens another window, or waits for something else',
    files: {
      'main.js': dedent`
        const { app, ipcMain } = require('electron');
        const { storage } = require('./storage');
        async function main() {
          await app.whenReady();
          writeLog();
          openWindow();
          ipcMain.handle('again', () => { setTimeout(() => { main().catch(() => {}); }, 250); writeState(); });
          ipcMain.handle('open', () => openWindow());
          ipcMain.handle('load', () => load());
          ipcMain.handle('notify', () => notify());
        }
        async function load() { await storage.whenReady(); readAll(); }
        async function notify() { await app.whenReady(); readIcon(); }
        function readIcon() {}
        function openWindow() { readPage(); }
        function readPage() {}
        function readAll() {}
        function writeLog() {}
        function writeState() {}
        void main();
        void load();
        void notify();
      `,
      'storage.js': 'exports.storage = { whenReady: async () => 1 };',
    },
    dependencies: ['electron'],
    reached: ['main.js#writeState IPC again', 'main.js#readPage IPC open', 'main.js#readAll IPC load', 'main.js#readIcon IPC notify'],
    idle: ['main.js#main', 'main.js#writeLog'],
  },
  {
    name: 'what a request starts again: the program, not what it calls on its way',
    files: {
      'server.js': dedent`
        const express = require('express');
        const { loadKeys, openTrace, checkPort, retry } = require('./setup');
        const app = express();
        let server;
        function start(done) {
          loadKeys(() => { listen(3000, done); });
        }
        function listen(port, done) { server = app.listen(port, done); }
        function main() { retry(() => start(() => {})); openTrace(); }
        function restart() { writeState(); server.close(() => start(() => {})); }
        function writeState() {}
        app.post('/restart', (req, res) => { restart(); res.end(); });
        app.post('/trace', (req, res) => { retry(() => openTrace()); checkPort(3); res.end(); });
        app.post('/free', (req, res) => { later(); res.end(); });
        function later() { const second = express(); second.listen(4000); readLater(); }
        function readLater() {}
        main();
        checkPort(2);
      `,
      'setup.js': dedent`
        exports.loadKeys = function (done) { readKeys(); done(); };
        exports.openTrace = function () { openFile(); };
        exports.checkPort = function (port) { require('net').createServer().listen(0); lookUp(port); };
        exports.retry = function (run) { waitFor(); run(); };
        function readKeys() {}
        function openFile() {}
        function lookUp() {}
        function waitFor() {}
      `,
    },
    reached: [
      'server.js#writeState POST /restart',
      'setup.js#openFile POST /trace',
      'setup.js#lookUp POST /trace',
      'setup.js#waitFor POST /trace',
      'server.js#readLater POST /free',
    ],
    idle: ['setup.js#readKeys', 'server.js#start', 'server.js#listen'],
  },
  {
    name: 'route files of Next.js: what the build runs, and what requests run',
    files: {
      'src/app/api/help/route.ts': dedent`
        import { load, scan } from '../../../s';
        export const dynamic = 'force-static';
        export function GET() { return Response.json(load()); }
      `,
      'src/app/api/both/route.ts': dedent`
        import { scan, both } from '../../../s';
        export const dynamic = 'force-static';
        export function GET() { return Response.json(both()); }
        export function POST() { return Response.json(scan()); }
      `,
      'src/app/api/built/route.ts': dedent`
        import { build } from '../../../s';
        export const revalidate = false;
        export function GET(_request: Request) { return Response.json(build()); }
      `,
      'src/app/api/asked/route.ts': dedent`
        import { ask } from '../../../s';
        export const revalidate = false;
        export function GET(request: Request) { return Response.json(ask(request.url)); }
      `,
      'src/app/api/cookie/route.ts': dedent`
        import { cookies } from 'next/headers';
        import { taste } from '../../../s';
        export const revalidate = false;
        export async function GET() { return Response.json(taste(await cookies())); }
      `,
      'src/app/api/language/route.ts': dedent`
        import { greet } from '../../../s';
        import { greeting } from '../../../greeting';
        export const revalidate = false;
        export async function GET() { return Response.json(greet(await greeting())); }
      `,
      'src/greeting.ts': dedent`
        import { language } from './language';
        export const greeting = async () => (await language()) === 'de' ? 'Hallo' : 'Hello';
      `,
      'src/language.ts': dedent`
        import { headers } from 'next/headers';
        export async function language() { return (await headers()).get('accept-language'); }
      `,
      'src/app/api/user/route.ts': dedent`
        import { tell } from '../../../s';
        import { user } from '../../../user';
        export const revalidate = false;
        export async function GET() { return Response.json(tell(await user())); }
      `,
      'src/user.ts': "import { auth } from '@clerk/nextjs/server';\nexport const user = async () => (await auth()).userId;\n",
      'src/app/api/alias/route.ts': dedent`
        import { mean } from '../../../s';
        import { meant } from '~/meant';
        export const revalidate = false;
        export async function GET() { return Response.json(mean(meant())); }
      `,
      'src/app/api/first/route.ts': dedent`
        import { first } from '../../../s';
        export const revalidate = false;
        export async function GET() { return Response.json(first(arguments[0].url)); }
      `,
      'src/app/api/items/[id]/route.ts': dedent`
        import { find } from '../../../../s';
        export const revalidate = 60;
        export function GET() { return Response.json(find()); }
      `,
      'src/app/api/now/route.ts': dedent`
        import { read } from '../../../s';
        export const dynamic = 'force-dynamic';
        export function GET() { return Response.json(read()); }
      `,
      'src/s.ts': ['load', 'scan', 'read', 'both', 'build', 'ask', 'taste', 'find', 'greet', 'tell', 'mean', 'first']
        .map((name) => `export function ${name}() {}\n`)
        .join(''),
    },
    dependencies: ['next'],
    idle: ['src/s.ts#load', 'src/s.ts#build'],
    reached: [
      'src/s.ts#scan POST /api/both',
      'src/s.ts#both GET /api/both',
      'src/s.ts#read GET /api/now',
      'src/s.ts#ask GET /api/asked',
      'src/s.ts#taste GET /api/cookie',
      'src/s.ts#find GET /api/items/:id',
      'src/s.ts#greet GET /api/language',
      'src/s.ts#tell GET /api/user',
      'src/s.ts#mean GET /api/alias',
      'src/s.ts#first GET /api/first',
    ],
  },
];
