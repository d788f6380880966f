// Handlers registered on applications, routers and servers.
import type { HandlerCase } from './handler-case.ts';

export const appCases: readonly HandlerCase[] = [
  {
    name: 'a route that an earlier one has answered',
    code: `
const app = require('express')();
app.get('/a', (req, res) => res.end());
app.get('/a', (req, res) => res.send('never'));
app.post('/a', (req, res) => res.send('other method'));
app.get('/b', (req, res, next) => next());
app.get('/b', (req, res) => res.end());
app.get('/c', check, (req, res) => res.end());
app.get('/c', (req, res) => res.end());
if (test) app.get('/d', (req, res) => res.end());
app.get('/d', (req, res) => res.end());`,
    handlers: [
      'route express GET /a @2',
      'route express POST /a @4',
      'route express GET /b @5',
      'route express GET /b @6',
      'route express GET /c @7',
      'route express GET /c @8',
      'route express GET /d @9',
      'route express GET /d @10',
    ],
    sites: ['GET /a @2', 'GET /a @3', 'POST /a @4', 'GET /b @5', 'GET /b @6', 'GET /c @7', 'GET /c @8', 'GET /d @9', 'GET /d @10'],
  },
  // node:http
  {
    name: 'http.createServer with an inline function',
    code: `
const http = require('node:http');
http.createServer((a, b) => b.end()).listen(80);`,
    handlers: ['route node-http - @2'],
  },
  {
    name: 'createServer with options and a function by reference',
    code: `
import { createServer } from 'https';
function answer(a, b) { b.end(); }
createServer({ key, cert }, answer);`,
    handlers: ['route node-http - @2'],
  },
  {
    name: 'new http.Server, bound method',
    code: `
import http from 'http';
class App {
  constructor() { this.server = new http.Server(this.answer.bind(this)); }
  answer(a, b) { b.end(); }
}`,
    handlers: ['route node-http - @4'],
  },
  {
    name: 'request, stream and upgrade events of a server',
    code: `
const { createSecureServer } = require('http2');
const server = createSecureServer(options);
server.on('request', (a, b) => b.end());
server.on('stream', function onStream(stream) { stream.respond(); });
server.once('upgrade', (a, b) => b.destroy());
server.on('listening', () => console.log('up'));
server.on('close', () => {});`,
    handlers: ['route node-http - @3', 'route node-http - @4', 'route node-http - @5'],
  },

  // Express and its kin
  {
    name: 'express verbs: inline, by reference, member, array, wrapper, spread',
    code: `
const express = require('express');
const controller = require('./controller');
const app = express();
const auth = (req, res, next) => next();
function show(req, res) { res.send(''); }
app.get('/a', function (req, res) { res.send('a'); });
app.post('/b', auth, show);
app.put('/c', controller.update);
app.delete('/d', [auth, controller.audit], wrap(show));
app.all('*', ...guards, controller.missing);
app.get('title');
app.get(/^\\/x(\\d+)$/, controller.x);
app.patch(['/e', '/f'], controller.e);`,
    handlers: [
      'route express POST /b @4',
      'route express DELETE /d @4',
      'route express POST /b @5',
      'route express DELETE /d @5',
      'route express GET /a @6',
    ],
    sites: ['GET /a @6', 'POST /b @7', 'PUT /c @8', 'DELETE /d @9', 'ALL * @10', 'GET /^\\/x(\\d+)$/ @12', 'PATCH /e, /f @13'],
  },
  {
    name: 'mounted routers give the whole path',
    code: `
import express, { Router } from 'express';
const app = express();
const api = Router();
const users = new Router();
users.get('/:id', (req, res) => res.json({}));
api.use('/users', auth, users);
app.use('/api', api);`,
    handlers: ['route express GET /api/users/:id @5'],
    sites: ['GET /api/users/:id @5'],
  },
  {
    name: 'a chained route',
    code: `
const router = require('express').Router();
router
  .route('/:id')
  .all(auth)
  .get((req, res) => res.json({}))
  .delete(controller.remove);`,
    handlers: ['route express GET /:id @5'],
    sites: ['ALL /:id @4', 'GET /:id @5', 'DELETE /:id @6'],
  },
  {
    name: 'chained verbs and middleware on an application',
    code: `
const app = require('express')();
app.use(log).get('/a', a).get('/b', (req, res) => res.end());
function log(req, res, next) { next(); }
function a(req, res) { res.end(); }`,
    handlers: ['route express GET /b @2', 'middleware express - @3', 'route express GET /a @4'],
    sites: ['GET /a @2', 'GET /b @2'],
  },
  {
    name: 'use, param, engine and error handlers',
    code: `
const app = require('express')();
app.use((req, res, next) => next());
app.use('/files', (req, res, next) => next());
app.param('id', (req, res, next, id) => next());
app.engine('html', (path, options, done) => done());
app.use((err, req, res, next) => next(err));`,
    handlers: [
      'middleware express - @2',
      'middleware express /files/* @3',
      'middleware express - @4',
      'middleware express - @5',
      'middleware express - @6',
    ],
  },
  {
    name: 'paths made of constants',
    code: `
const app = require('express')();
const BASE = '/v1';
const paths = { users: '/users' };
app.get(\`\${BASE}/a\`, (req, res) => res.end());
app.get(BASE + '/b', handlers.b);
app.get(paths.users, handlers.c);
app.get(\`\${process.env.BASE}/d\`, handlers.d);
app.get(url, handlers.e);`,
    handlers: ['route express GET /v1/a @4'],
    sites: ['GET /v1/a @4', 'GET /v1/b @5', 'GET /users @6', '- @7', '- @8'],
  },
  {
    name: 'an application behind a parameter, a field or another file',
    code: `
const router = require('./router');
module.exports = function (app) {
  app.get('/a', ctrl.a);
  app.post(paths.b, ctrl.b);
};
router.put('/c/:id', ctrl.c);
class Web {
  start() { this.app.delete('/d', this.remove); }
  remove(req, res) { res.end(); }
}
exports.setup = (adminApp) => adminApp.get('/e', needs('x'), ctrl.e);
exports.nodes = (RED) => { RED.httpAdmin.post('/f', RED.auth('x'), (req, res) => res.end()); };`,
    handlers: ['route express DELETE /d @9', 'route express POST /f @12'],
    sites: ['GET /a @3', '- @4', 'PUT /c/:id @6', 'DELETE /d @8', 'GET /e @11', 'POST /f @12'],
  },
  {
    name: 'typed applications',
    file: '/project/src/server.ts',
    code: `
import type { FastifyInstance } from 'fastify';
import * as express from 'express';
import { Router } from '@koa/router';
export class A {
  constructor(private readonly web: FastifyInstance, private other: express.Application) {
    this.web.get('/a', this.a);
    this.other.get('/b', this.b);
  }
  a = async () => 1;
  b(q, s) { s.end(); }
}
export const wire = (x: Router) => x.get('/c', (z) => { z.body = 1; });`,
    handlers: ['route fastify GET /a @9', 'route express GET /b @10', 'route koa GET /c @12'],
    sites: ['GET /a @6', 'GET /b @7', 'GET /c @12'],
  },
  {
    name: 'a factory of the file',
    code: `
const express = require('express');
function make() { const it = express(); return it; }
make().get('/a', () => 1);
const web = make();
web.get('/b', () => 1);`,
    handlers: ['route express GET /a @3', 'route express GET /b @5'],
    sites: ['GET /a @3', 'GET /b @5'],
  },
  {
    name: 'handlers in object tables, classes and factories',
    code: `
const app = require('express')();
const users = { list(req, res) { res.end(); }, show: (req, res) => res.end() };
class Posts { static all(req, res) { res.end(); } one(req, res) { res.end(); } }
const posts = new Posts();
const only = (role) => (req, res, next) => next();
app.get('/users', only('admin'), users.list);
app.get('/users/:id', users.show);
app.get('/posts', Posts.all);
app.get('/posts/:id', posts.one.bind(posts));`,
    handlers: [
      'route express GET /users @2',
      'route express GET /users/:id @2',
      'route express GET /posts @3',
      'route express GET /posts/:id @3',
      'route express GET /users @5',
    ],
    sites: ['GET /users @6', 'GET /users/:id @7', 'GET /posts @8', 'GET /posts/:id @9'],
  },
  {
    name: 'computed verbs',
    code: `
const app = require('express')();
for (const method of ['get', 'post']) app[method]('/a', (req, res) => res.end());`,
    handlers: ['route express - @2'],
    sites: ['- @2'],
  },
  {
    name: 'polka, connect, restify',
    code: `
import polka from 'polka';
import connect from 'connect';
const restify = require('restify');
polka().use((req, res, next) => next()).get('/a', (req, res) => res.end());
connect().use('/b', (req, res) => res.end());
const server = restify.createServer();
server.pre((req, res, next) => next());
server.del('/c/:id', (req, res, next) => next());`,
    handlers: [
      'middleware polka - @4',
      'route polka GET /a @4',
      'middleware connect /b/* @5',
      'middleware restify - @7',
      'route restify DELETE /c/:id @8',
    ],
    sites: ['GET /a @4', 'DELETE /c/:id @8'],
  },
  {
    name: 'own registering functions',
    code: `
const router = require('express').Router();
function route(method, path, handler) { router[method](path, guard, (req, res) => handler(req, res)); }
route('get', '/a', listA);
function listA(req, res) { return load(); }
function page(app, path, ...handlers) { app.get('/page' + path, handlers); }
page(router, '/b', (q) => q);
setupPage(router, '/c', [], controllers.c);
apiRoute('POST', '/d', controllers.d);`,
    handlers: ['route express - @2', 'route express GET /a @4', 'route express - @6'],
    sites: ['- @2', 'GET /a @3', '- @5', '/b @6', '/c @7', 'POST /d @8'],
  },
  {
    name: 'one function for several routes',
    code: `
const app = require('express')();
app.get('/a', show);
app.get('/b', show);
function show(req, res) { res.end(); }`,
    handlers: ['route express GET /a @4', 'route express GET /b @4'],
    sites: ['GET /a @2', 'GET /b @3'],
  },

  // Fastify
  {
    name: 'fastify verbs, options and route objects',
    code: `
const fastify = require('fastify')({ logger: true });
fastify.get('/a', opts, async (request, reply) => 1);
fastify.get('/b', { preHandler: [check], handler: async () => 1 });
fastify.route({ method: ['GET', 'HEAD'], url: '/c', handler: show, onRequest: check });
fastify.get('/d', { schema }, handlers.d);
async function check(request) {}
function show() {}`,
    handlers: [
      'route fastify GET /a @2',
      'route fastify GET /b @3',
      'route fastify GET /b @6',
      'route fastify GET|HEAD /c @6',
      'route fastify GET|HEAD /c @7',
    ],
    sites: ['GET /a @2', 'GET /b @3', 'GET|HEAD /c @4', 'GET /d @5'],
  },
  {
    name: 'fastify hooks, without those of start-up and shutdown',
    code: `
import Fastify from 'fastify';
const app = Fastify();
app.addHook('onRequest', async (request, reply) => {});
app.addHook('onClose', async (instance) => {});
app.addHook('onReady', async () => {});
app.setErrorHandler((error, request, reply) => {});`,
    handlers: ['middleware fastify - @3', 'middleware fastify - @6'],
  },
  {
    name: 'fastify plugins with prefixes',
    code: `
const fastify = require('fastify')();
fastify.register(function (scope, opts, done) {
  scope.get('/a', () => 1);
  scope.register(inner, { prefix: '/deep' });
  done();
}, { prefix: '/v1' });
async function inner(it) { it.get('/b', () => 1); }`,
    handlers: ['route fastify GET /v1/a @3', 'route fastify GET /v1/deep/b @7'],
    sites: ['GET /v1/a @3', 'GET /v1/deep/b @7'],
  },
  {
    name: 'a fastify plugin of its own file',
    code: `
module.exports = async function (fastify, opts) {
  fastify.get('/a', controller.a);
};
exports.two = async (instance, opts) => { instance.get('/b', () => 1); };`,
    handlers: ['route fastify GET /b @4'],
    sites: ['GET /a @2', 'GET /b @4'],
  },

  // Koa, Hapi, Hono and others
  {
    name: 'koa and its router',
    code: `
const Koa = require('koa');
const Router = require('@koa/router');
const app = new Koa();
const router = new Router({ prefix: '/v1' });
app.use(async (ctx, next) => { await next(); });
router.get('/a', auth, async (ctx) => { ctx.body = 1; });
router.get('user', '/users/:id', show);
router.use(logger);
const nested = new Router();
nested.get('/c', ctx => { ctx.status = 204; });
router.use('/b', nested.routes(), nested.allowedMethods());
app.use(router.routes());
async function show(ctx) { ctx.body = 2; }
function logger(ctx, next) { return next(); }`,
    handlers: [
      'middleware koa - @5',
      'route koa GET /v1/a @6',
      'route koa GET /v1/b/c @10',
      'route koa GET /v1/users/:id @13',
      'middleware koa - @14',
    ],
    sites: ['GET /v1/a @6', 'GET /v1/users/:id @7', 'GET /v1/b/c @10'],
  },
  {
    name: 'koa router with a prefix set later',
    code: `
import KoaRouter from 'koa-router';
const router = new KoaRouter();
router.prefix('/x');
router.post('/y', ctx => { ctx.body = ''; });`,
    handlers: ['route koa POST /x/y @4'],
    sites: ['POST /x/y @4'],
  },
  {
    name: 'hapi routes and extensions',
    code: `
const Hapi = require('@hapi/hapi');
const server = Hapi.server({ port: 80 });
server.route({ method: 'GET', path: '/a', handler: (request, h) => h.response() });
server.route([{ method: ['PUT', 'POST'], path: '/b', options: { pre: [{ method: load, assign: 'x' }], handler: save } }]);
server.ext('onPreResponse', (request, h) => h.continue);
server.ext({ type: 'onPreStart', method: warm });
server.ext({ type: 'onRequest', method: count });
function load() {}
function save() {}
function warm() {}
function count() {}`,
    handlers: [
      'route hapi GET /a @3',
      'middleware hapi - @5',
      'route hapi PUT|POST /b @8',
      'route hapi PUT|POST /b @9',
      'middleware hapi - @11',
    ],
    sites: ['GET /a @3', 'PUT|POST /b @4'],
  },
  {
    name: 'hapi servers that Glue composes',
    code: `
const Glue = require('glue');
const { compose } = require('@hapi/glue');
Glue.compose(manifest, { relativeTo: __dirname }, (err, one) => {
  one.route({ method: 'GET', path: '/a', handler: (request, reply) => reply() });
});
async function main() {
  const two = await compose(manifest);
  two.route({ method: 'GET', path: '/b', handler: (request, h) => h.response() });
}
Glue.compose(manifest, {}, (err, three) => three.route(table));
const table = [{ method: 'GET', path: '/c', handler: (a) => a }];`,
    handlers: ['route hapi GET /a @4', 'route hapi GET /b @8', 'route hapi GET /c @11'],
    sites: ['GET /a @4', 'GET /b @8', 'GET /c @10'],
  },
  {
    name: 'a hapi plugin and a table of routes',
    code: `
exports.plugin = { name: 'x', register(server) { server.route({ method: 'GET', path: '/a', handler: (request, h) => 1 }); } };
module.exports.routes = [{ method: 'POST', path: '/b', config: { handler: save } }];
function save(request, h) { return h.response(); }`,
    handlers: ['route hapi GET /a @1', 'route hapi POST /b @3'],
    sites: ['GET /a @1'],
  },
  {
    name: 'hono',
    code: `
import { Hono } from 'hono';
const app = new Hono().basePath('/api');
const books = new Hono();
books.get('/:id', (c) => c.json({}));
app.route('/books', books);
app.use('*', async (c, next) => { await next(); });
app.on('PURGE', '/cache', (c) => c.text(''));
app.notFound((c) => c.text(''));`,
    handlers: ['route hono GET /api/books/:id @4', 'middleware hono /api/* @6', 'middleware hono - @8'],
    sites: ['GET /api/books/:id @4'],
  },
  {
    name: 'h3, elysia, itty-router, find-my-way, uWebSockets.js',
    code: `
import { createRouter, defineEventHandler } from 'h3';
import { Elysia } from 'elysia';
import { AutoRouter } from 'itty-router';
import findMyWay from 'find-my-way';
import uWS from 'uWebSockets.js';
createRouter().get('/a', defineEventHandler((event) => 1));
new Elysia().get('/b', ({ body }) => 1);
AutoRouter().get('/c', () => 1);
findMyWay().on('GET', '/d', (q, s) => {});
uWS.App().get('/e', (res, req) => res.end()).ws('/f', { message: (ws, data) => {} });`,
    handlers: [
      'route h3 GET /a @6',
      'exported h3 - @6',
      'route elysia GET /b @7',
      'route itty-router GET /c @8',
      'route find-my-way GET /d @9',
      'route uwebsockets GET /e @10',
      'route uwebsockets WS /f @10',
    ],
    sites: ['GET /a @6', 'GET /b @7', 'GET /c @8', 'GET /d @9', 'GET /e @10', 'WS /f @10'],
  },

  // Sockets
  {
    name: 'socket.io',
    code: `
const io = require('socket.io')(server);
io.use((socket, next) => next());
io.on('connection', (socket) => {
  socket.on('chat message', (text) => io.emit('chat message', text));
  socket.on('disconnect', () => {});
});
io.of('/admin').on('connection', onAdmin);
function onAdmin(client) { client.on('load', async () => {}); }`,
    handlers: [
      'middleware socket.io - @2',
      'socket socket.io WS connection @3',
      'socket socket.io WS chat message @4',
      'socket socket.io WS disconnect @5',
      'socket socket.io WS connection @8',
      'socket socket.io WS load @8',
    ],
  },
  {
    name: 'ws',
    code: `
import { WebSocketServer } from 'ws';
const wss = new WebSocketServer({ port: 80 });
wss.on('connection', function (ws, request) { ws.on('message', onMessage); });
wss.on('listening', () => {});
function onMessage(data) {}`,
    handlers: ['socket ws WS connection @3', 'socket ws WS message @5'],
  },
  {
    name: 'a server of plain sockets that the class makes',
    code: `
const net = require('net');
class Store {
  constructor() { this.server = net.createServer(); this.server.on('connection', (socket) => this.serve(socket)); }
  serve(socket) {}
}`,
    handlers: ['socket socket.io TCP connection @3'],
  },
  {
    name: 'Primus',
    code: `
const Primus = require('primus');
const primus = new Primus(server, {});
primus.on('connection', (spark) => { spark.on('data', (data) => spark.write(data)); });
primus.on('disconnection', () => {});`,
    handlers: ['socket primus WS connection @3', 'socket primus WS data @3'],
  },
  {
    name: 'a function that is given the connected client',
    code: `
module.exports.register = (socket) => { socket.on('save', async (x, done) => {}); socket.on('error', () => {}); };`,
    handlers: ['socket socket.io WS save @1'],
  },

  // Others
  {
    name: 'passport and tRPC',
    code: `
import passport from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';
passport.use(new LocalStrategy({ usernameField: 'mail' }, async (name, password, done) => done(null)));
passport.serializeUser((user, done) => done(null, user.id));
export const appRouter = router({ list: publicProcedure.input(x).query(async ({ ctx }) => 1), add: t.procedure.mutation(() => 2) });`,
    handlers: ['middleware passport - @3', 'middleware passport - @4', 'route trpc RPC list @5', 'route trpc RPC add @5'],
  },

  {
    name: 'messages of Google Cloud Pub/Sub',
    code: `
import { PubSub } from '@google-cloud/pubsub';
const pubsub = new PubSub();
const subscription = pubsub.subscription('rows');
subscription.on('message', (message) => message.ack());
subscription.on('error', (error) => console.error(error));
pubsub.subscription('others').on('message', async (message) => message.ack());
worker.on('message', (message) => console.log(message));`,
    handlers: ['message pubsub - @4', 'message pubsub - @6'],
  },

  // Electron
  {
    name: 'messages from windows to the main process of Electron',
    code: `
import electron, { ipcMain as ipc, BrowserWindow } from 'electron';
import { ipcMain as better } from 'electron-better-ipc';
const SAVE = 'save-file';
ipc.handle('read', async (event, name) => name);
electron.ipcMain.on(SAVE, (event, data) => {});
ipc.on(channels.list, function list() {});
win.webContents.ipc.handle('size', () => 1);
better.answerRenderer('mail', () => 1);`,
    handlers: [
      'ipc electron IPC read @4',
      'ipc electron IPC save-file @5',
      'ipc electron - @6',
      'ipc electron IPC size @7',
      'ipc electron IPC mail @8',
    ],
  },

  {
    name: 'procedures by the router that they are in, by what made them, and by their input',
    code: `
import { initTRPC } from '@trpc/server';
const t = initTRPC.create();
const authed = t.procedure.use(({ next }) => next());
export function allowed(name) { return authed.use(async ({ next }) => next()); }
export const settings = createTRPCRouter({
  read: withPermission('x').input(schema).mutation(({ input }) => 1),
  nested: { list: admin.query(() => 1) },
});
export const one = allowed('x').query(() => 1);
export const two = authed.mutation(save);
function save() {}`,
    handlers: [
      'route trpc - @3',
      'route trpc - @4',
      'route trpc RPC read @6',
      'route trpc RPC nested.list @7',
      'route trpc RPC one @9',
      'route trpc RPC two @11',
    ],
  },

  // next-connect
  {
    name: 'next-connect: verbs without a path are for the path of the file',
    file: '/project/pages/api/users/[id].ts',
    code: `
import nc, { createRouter } from 'next-connect';
const handler = nc({ onError: (error, a, b) => b.end() }).use(auth).get((a, b) => b.end()).post(check, async (a, b) => b.end());
const router = createRouter<NextApiRequest, NextApiResponse>();
router.put('/api/users/me', (a, b) => b.end());
export default router.handler({ onNoMatch(a, b) { b.end(); } });
function check(a, b, c) { c(); }`,
    handlers: [
      'route next-connect - @2',
      'route next-connect GET /api/users/:id @2',
      'route next-connect POST /api/users/:id @2',
      'route next-connect PUT /api/users/me @4',
      'route next-connect - @5',
      'route next-connect POST /api/users/:id @6',
    ],
    sites: ['GET /api/users/:id @2', 'POST /api/users/:id @2', 'PUT /api/users/me @4'],
  },
  {
    name: 'next-connect: routers that another file makes',
    file: '/project/pages/api/users/index.js',
    dependencies: ['next', 'next-connect'],
    code: `
import handler from '../../../lib/handler';
const api = handler();
api.use((a, b, next) => next());
api.get(list).post('/api/users/new', (a, b) => b.end());
export default withSession(api);
function list(a, b) { b.end(); }`,
    handlers: ['middleware next-connect - @3', 'route next-connect GET /api/users @6', 'route next-connect POST /api/users/new @4'],
    sites: ['GET /api/users @4', 'POST /api/users/new @4'],
  },
  {
    name: 'next-connect: chains on such routers, and imported ones',
    file: '/project/pages/api/a.js',
    dependencies: ['next', 'next-connect'],
    code: `
import { shared } from '@/lib/handler';
export default shared.put((a, b) => b.end()).handler({ onError });`,
    handlers: ['exported next /api/a @2', 'route next-connect PUT /api/a @2'],
    sites: ['PUT /api/a @2'],
  },
  {
    name: 'verbs by apply and call',
    code: `
const app = require('express')();
app.get.apply(app, ['/a', (a, b) => b.end()]);
app.get.call(app, '/b', (a, b) => b.end());
app.post.apply(app, ['/c'].concat(guards, [function (a, b) { b.end(); }]));
const args = ['/d', (a, b) => b.end()];
app.put.apply(app, args);`,
    handlers: ['route express GET /a @2', 'route express GET /b @3', 'route express POST /c @4', 'route express PUT /d @5'],
    sites: ['GET /a @2', 'GET /b @3', 'POST /c @4', 'PUT /d @6'],
  },

  // GraphQL
  {
    name: 'fields of graphql-js: their resolvers, and not the function that gives them',
    code: `
const { GraphQLObjectType } = require('graphql');
const other = { type: Text, resolve: () => 1 };
new GraphQLObjectType({
  name: 'User',
  fields: () => ({
    bio: { type: Text, resolve: (user) => 1 },
    made: make((text) => text),
    other,
  }),
});
new GraphQLObjectType({ name: 'Query', fields() {
  return { user: { type: User, args: {}, async resolve() {}, subscribe: () => 2 } };
} });
new GraphQLObjectType({ name: NAME, fields: { x: { resolve() {}, extensions: { cost: () => 1 } } } });`,
    handlers: [
      'route graphql FIELD User.other @2',
      'route graphql FIELD User.bio @6',
      'route graphql FIELD Query.user @12',
      'route graphql FIELD Query.user @12',
      'route graphql - @14',
    ],
  },
  {
    name: 'tables of resolvers name their fields',
    code: `
const { ApolloServer } = require('@apollo/server');
const resolvers = { Query: { users: () => [] }, User: { name(user) { return 1; } }, Subscription: { added: { subscribe: watch } } };
function watch() {}
new ApolloServer({ typeDefs, resolvers, plugins: { x: () => 1 } });`,
    handlers: ['route graphql FIELD Query.users @2', 'route graphql FIELD User.name @2', 'route graphql FIELD Subscription.added @3'],
  },
];
