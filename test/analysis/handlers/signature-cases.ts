// Handlers known by their parameters and what is done with them.
import type { HandlerCase } from './handler-case.ts';

export const signatureCases: readonly HandlerCase[] = [
  {
    name: 'express controllers: exports, assigned, class, object',
    code: `
exports.list = (req, res) => { res.json([]); };
module.exports.show = async function (req, res, next) { try { res.send(await load(req.params.id)); } catch (e) { next(e); } };
const controller = {};
controller.edit = (request, response) => response.render('edit');
class Users { static async all(req, res) { res.status(200); } one = (req, res) => { res.end(); }; }
export default { remove(req, res) { res.sendStatus(204); } };`,
    handlers: [
      'signature express - @1',
      'signature express - @2',
      'signature express - @4',
      'signature express - @5',
      'signature express - @5',
      'signature express - @6',
    ],
  },
  {
    name: 'private middleware, factories and error handlers',
    code: `
function auth(req, res, next) { next(); }
const only = (role) => function (req, _res, next) { if (req.user.role === role) next(); };
function fail(err, req, res, next) { res.status(500).send(err); }
const reply = (user, req, res) => res.redirect('/');`,
    handlers: ['signature express - @1', 'signature express - @2', 'signature express - @3', 'signature express - @4'],
  },
  {
    name: 'both objects handed on',
    code: `
const pass = (req, res) => proxy.web(req, res);
const unused = (req, res) => 1;`,
    handlers: ['signature express - @1'],
  },
  {
    name: 'typed parameters',
    file: '/project/src/x.ts',
    code: `
export const a = (req: Request, res: Response) => res.send('');
export const b = async (request: FastifyRequest<{ Body: X }>, reply: FastifyReply) => reply.send(1);
export const c = (req: GetUserParams, res: UserStore) => res.send('');`,
    handlers: ['signature express - @1', 'signature fastify - @2'],
  },
  {
    name: 'what an exported function reads of a request',
    code: `
exports.getNote = (req) => becca.get(req.params.noteId);
exports.intercept = (req) => { req.headers.x = 1; return req; };
const local = (req) => req.params.id;`,
    handlers: ['signature express - @1'],
  },
  {
    name: 'fastify and hapi',
    code: `
exports.a = async (request, reply) => reply.code(200).send();
exports.b = (req, reply) => { reply({ ok: true }); };
exports.c = { handler: (request, h) => h.response(1) };
exports.d = async (request, h) => ({ id: request.payload.id });`,
    handlers: ['signature fastify - @1', 'signature fastify - @2', 'signature hapi - @3', 'signature hapi - @4'],
  },
  {
    name: 'koa',
    code: `
exports.a = async (ctx, next) => { await next(); };
exports.b = async (ctx) => { ctx.body = await load(ctx.params.id); };
class C extends Base { async list(ctx) { ctx.body = []; } }
exports.d = (ctx) => ctx.drawImage();
exports.e = (ctx) => ctx.params.id;`,
    handlers: ['signature koa - @1', 'signature koa - @2', 'signature koa - @3'],
  },
  {
    name: 'a method of a controllers file',
    file: '/project/src/api/post/controllers/post.js',
    code: `
module.exports = { async find(ctx) { return strapi.find(ctx.params.id); }, helper(ctx) { return 1; } };`,
    handlers: ['signature koa - @1'],
  },
  {
    name: 'another context',
    file: '/project/src/x.ts',
    code: `
export class Service {
  find(ctx: RequestContext, id: string) { return ctx.request.header(id); }
  intercept(context: ExecutionContext) { return context.query; }
}
export const draw = (ctx) => { ctx.fillStyle = 'red'; };
export const action = (context, payload) => context.commit(payload);`,
    handlers: [],
  },
  {
    name: 'multer, grpc, hono, socket handlers',
    code: `
multer.diskStorage({ destination(req, file, cb) { cb(null, '/tmp'); }, filename: (req, file, cb) => cb(null, file.name) });
const recommend = (call, callback) => callback(null, call.request.userId);
exports.hello = (c) => c.text(c.req.param('name'));
exports.move = async (socket, data) => { socket.emit('moved', data); };`,
    handlers: ['signature multer - @1', 'signature multer - @1', 'signature grpc - @2', 'signature hono - @3', 'signature socket.io - @4'],
  },
  {
    name: 'an init function, a getter, a constructor',
    code: `
exports.init = function (app, next) { next(); };
class A { constructor(req, res) { res.end(); } set x(req) { req.params; } }
const connect = (store, next) => next();`,
    handlers: [],
  },
  {
    name: 'types of a framework, whatever is done with what has them',
    file: '/project/src/x.ts',
    code: `
import { Next } from 'koa';
import type { RouterContext } from 'koa-router';
import * as express from 'express';
import { Request as Req } from 'express';
import { IncomingMessage } from 'node:http';
import type { Response } from './client';
export class Ui { static async index(ctx: RouterContext, _: Next) { return new Page(ctx).send(); } constructor(ctx: RouterContext) {} }
export const nameOf = (it: express.Request) => load(it);
export const start = (app: express.Application) => load(app);
export const user = (id: string, it: Req) => load(it);
export const read = (answer: IncomingMessage) => load(answer);
export const status = (it: Response) => load(it);
export type Context = { name: string };
export const own = (it: Context) => load(it);`,
    handlers: ['signature koa - @7', 'signature express - @8', 'signature express - @10'],
  },
  {
    name: 'commands of a bot',
    code: `
module.exports = { data, async execute(interaction) { await interaction.deferReply(); } };
exports.run = async (client, message, args) => { message.reply(args[0]); };
exports.log = (message) => { logger.info(message); };
exports.mail = (message) => { send(message.author, message.content); };`,
    handlers: ['signature discord.js - @1', 'signature discord.js - @2'],
  },
  {
    name: 'a pair that is handed on, behind parameters of its own',
    code: `
exports.a = (error, req, res) => { page.fail(req, res); };
exports.b = (inputs, reporter, req, res) => { reporter.emit({ inputs }, req, res); };
exports.c = (inputs, reporter, req, res) => { res.send(inputs); };`,
    handlers: ['signature express - @1', 'signature express - @3'],
  },
  {
    name: 'a file of a worker: only what is registered',
    file: '/project/lib/worker.js',
    code: `
const app = require('express')();
app.get('/', (req, res) => res.send(''));
module.exports = (reporter) => reporter.listeners.add(async (req, res) => { res.end(await load(req.body)); });`,
    handlers: ['route express GET / @2'],
    sites: ['GET / @2'],
  },
  {
    name: 'the program of a forked process: its pairs are what it was sent',
    code: `
const fs = require('fs');
const work = (req, res) => { fs.writeFileSync('a', req.body); res.send(1); };
process.on('message', (message) => work(message, { send: (done) => process.send(done) }));`,
    handlers: [],
  },
  {
    name: 'a server that tells its process manager that it is ready',
    code: `
const express = require('express');
const show = (req, res) => { res.send(req.body); };
process.on('message', (message) => { if (message === 'shutdown') process.exit(0); });
wrap(express(), show).listen(80, () => process.send('ready'));`,
    handlers: ['signature express - @2'],
  },
  {
    name: 'steps of a pipeline have a context of their own',
    code: `
const vasync = require('vasync');
exports.check = (cb) => vasync.pipeline({ arg: {}, funcs: [
  function load(ctx, next) { ctx.body = read(ctx.path); next(); },
] }, cb);
exports.show = async (ctx, next) => { ctx.body = read(ctx.path); await next(); };`,
    handlers: ['signature koa - @5'],
  },
  {
    name: 'a service of Sails is a global that others call',
    file: '/project/api/services/UserService.js',
    dependencies: ['sails'],
    code: `
module.exports = { create: (req, res) => { res.send(req.body); } };`,
    handlers: [],
  },
  {
    name: 'a folder of the same name, elsewhere',
    file: '/project/api/services/UserService.js',
    code: `
module.exports = { create: (req, res) => { res.send(req.body); } };`,
    handlers: ['signature express - @1'],
  },
  {
    name: 'a context or a call, and a callback: the helpers of anybody',
    code: `
exports.load = function (context, cb) { cb(null, read(context.path)); };
exports.compile = (ctx, done) => { const { method, url } = ctx; write(url, method); done(); };
exports.unroll = (call, callback) => { callback(call.arguments); };
exports.next = async (ctx, next) => { ctx.state.user = read(ctx.path); await next(); };
exports.hello = (call, callback) => { callback(null, { text: call.request.name }); };`,
    handlers: ['signature koa - @4', 'signature grpc - @5'],
  },
  {
    name: 'unused requests and responses',
    code: `
module.exports.list = (_, res) => { res.json(rows); };
module.exports.page = (__, res, next) => { res.render('page'); };
module.exports.fail = (error, _, res, next) => { res.status(500).send(error); };
module.exports.check = (req, _, next) => { req.user = req.headers.user; next(); };`,
    handlers: ['signature express - @1', 'signature express - @2', 'signature express - @3', 'signature express - @4'],
  },
];
