// Projects with dependency injection and decorators.
import type { App } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

/** How frameworks connect handlers, services and each other. */
export const frameworkCases: readonly App[] = [
  {
    name: 'Nest: controllers, services, tokens and abstract providers',
    files: {
      'users.controller.ts': dedent`
        import { Controller, Get, Inject } from '@nestjs/common';
        import { UsersService } from './users.service';
        import { Mailer } from './mailer';
        @Controller('users')
        export class UsersController {
          constructor(private readonly users: UsersService, @Inject('CLOCK') private clock: any, private readonly mailer: Mailer) {}
          @Get(':id') show() { this.mailer.send(); this.clock.tick(); return this.users.find(); }
        }
      `,
      'users.service.ts': dedent`
        import { Injectable } from '@nestjs/common';
        @Injectable()
        export class UsersService { find() { return this.read(); } private read() {} onModuleInit() { this.warm(); } warm() {} }
      `,
      'mailer.ts': `export abstract class Mailer { abstract send(): void; }`,
      'smtp.ts': dedent`
        import { Mailer } from './mailer';
        export class SmtpMailer extends Mailer { send() { connect(); } }
        function connect() {}
      `,
      'clock.ts': `export class Clock { tick() {} }`,
      'app.module.ts': dedent`
        import { Module } from '@nestjs/common';
        import { UsersController } from './users.controller';
        import { UsersService } from './users.service';
        import { SmtpMailer } from './smtp';
        import { Mailer } from './mailer';
        import { Clock } from './clock';
        @Module({ controllers: [UsersController], providers: [UsersService, { provide: Mailer, useClass: SmtpMailer }, { provide: 'CLOCK', useClass: Clock }] })
        export class AppModule {}
      `,
    },
    reached: ['users.service.ts#read GET /users/:id', 'smtp.ts#connect', 'clock.ts#tick'],
    idle: ['users.service.ts#warm'],
  },
  {
    name: 'types that the project does not declare and that say nothing of its classes',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import type { Request } from 'express';
        import type { Plugin, Store } from '@acme/types';
        import * as shapes from '@acme/types';
        import { Readable } from 'node:stream';
        const app = express();
        class Fake implements Request { run() { fake(); } }
        class Lines implements NodeJS.ReadableStream { run() { lines(); } }
        class Words implements Readable { run() { words(); } }
        class Other implements shapes.Store { run() { other(); } }
        function fake() {} function lines() {} function words() {} function other() {} function plug() {} function far() {}
        ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `class P${i} implements Plugin { run() { plug(); } }`).join('\n')}
        class Far implements Acme.Other.Store { run() { far(); } }
        app.get('/a', (req: Request, res, a: NodeJS.ReadableStream, b: Readable, c: Plugin, d: Acme.Store) => { req.run(); a.run(); b.run(); c.run(); d.run(); res.end(); });
      `,
    },
    idle: ['app.ts#fake', 'app.ts#lines', 'app.ts#words', 'app.ts#other', 'app.ts#plug', 'app.ts#far'],
  },
  {
    name: 'types of packages and of namespaces that nothing declares, and what implements them',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import type { Mailer } from '@acme/types';
        import Acme from '@acme/core';
        const app = express();
        const find = (name: string): any => globalThis[name];
        app.get('/a', (req, res) => {
          const files = find('files') as Acme.Services.Files;
          const users: App.Users = find('users');
          files.load();
          users.load();
          res.end();
        });
        class Page {
          constructor(private readonly mailer: Mailer) {}
          show() { this.mailer.send(); }
        }
        app.get('/b', (req, res) => { new Page(req.app.mailer).show(); find<Local.Log>('log').write(); res.end(); });
      `,
      'services.ts': dedent`
        import { Mailer } from '@acme/types';
        declare global { namespace App { interface Users {} } }
        export class Smtp implements Mailer { send() { smtp(); } }
        export class Disk implements Partial<Acme.Services.Files> { load() { disk(); } }
        export class Rows implements App.Users { load() { rows(); } gone() { gone(); } }
        function smtp() {} function disk() {} function rows() {} function gone() {}
      `,
    },
    reached: ['services.ts#smtp GET /b', 'services.ts#disk GET /a', 'services.ts#rows GET /a'],
    idle: ['services.ts#gone'],
  },
  {
    name: 'namespaces of one name that several files declare for themselves',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { run, send } from './b/b';
        import { A, Local } from './a/a';
        export const tools = [A, Local];
        const app = express();
        app.get('/a', (req, res) => { run(req.app.get('client')); send(req.app.get('mailer')); res.end(); });
      `,
      'a/a.ts': dedent`
        import { Api } from './api';
        import { Wire } from './generated';
        namespace Services { export interface Mailer { send(): void } }
        declare namespace Types { interface Store { load(): void } }
        export class A implements Api.Client, Wire.Client { get() { got(); } }
        export class Local implements Services.Mailer, Types.Store { send() { sent(); } load() { loaded(); } }
        function got() {} function sent() {} function loaded() {}
      `,
      'a/api.ts': `export namespace Api { export interface Client { get(): void } export namespace Deep { export interface Client { get(): void } } }`,
      'b/api.ts': `export namespace Api { export interface Client { get(): void } }`,
      'b/b.ts': dedent`
        import { Api } from './api';
        import { Api as Other } from '../a/api';
        import { Wire } from './generated';
        export function run(client: Api.Client, deep: Other.Deep.Client, wire: Wire.Client) { client.get(); deep.get(); wire.get(); }
        export function send(mailer: Services.Mailer, store: Types.Store) { mailer.send(); store.load(); }
      `,
    },
    idle: ['a/a.ts#got', 'a/a.ts#sent', 'a/a.ts#loaded'],
  },
  {
    name: 'namespaces of files: own ones, imported ones, and those that another file hands on',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { Api as Named } from './types';
        import Shapes from './types/shapes';
        const app = express();
        namespace Own { export interface Job { work(): void } export namespace Deep { export interface Job { work(): void } } }
        class One implements Own.Job { work() { one(); } }
        class Two implements Own.Deep.Job { work() { two(); } }
        const find = (name: string): any => globalThis[name];
        app.get('/a', (req, res) => { const job: Own.Job = find('job'); job.work(); res.end(); });
        app.get('/b', (req, res) => { const client: Named.Client = find('client'); client.get(); res.end(); });
        app.get('/c', (req, res) => { const round: Shapes.Round = find('round'); round.draw(); res.end(); });
        function one() {} function two() {}
      `,
      'types/index.ts': `export * from './api';`,
      'types/api.ts': `export namespace Api { export interface Client { get(): void } }`,
      'types/shapes.ts': dedent`
        declare namespace Shapes { interface Round { draw(): void } }
        export default Shapes;
      `,
      'client.ts': dedent`
        import { Api } from './types/api';
        import Shapes from './types/shapes';
        export class Client implements Api.Client { get() { got(); } }
        export class Circle implements Shapes.Round { draw() { drawn(); } }
        function got() {} function drawn() {}
      `,
    },
    reached: ['app.ts#one GET /a', 'client.ts#got GET /b', 'client.ts#drawn GET /c'],
    idle: ['app.ts#two'],
  },
  {
    name: 'what is looked up by an id that no class declares, or that many things are called',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { context, http } from './context';
        const app = express();
        app.get('/a', (req, res) => {
          context.getService('core.Users').load();
          context.get('users').load();
          context.get('public.users').load();
          context.find('core.Orders').load();
          http.get<Orders>(req.query.url).load();
          getRepository<Orders>(Sql).load();
          res.end();
        });
        interface Orders { load(): void }
        class Sql implements Orders { load() { sql(); } }
        function sql() {}
      `,
      'services.ts': dedent`
        @service({ id: 'core.Orders' }) export class A { load() { a(); } }
        @service({ id: 'users' }) export class B { load() { b(); } }
        @Entity({ name: 'public.users' }) export class C { load() { c(); } }
        function a() {} function b() {} function c() {}
      `,
    },
    idle: ['services.ts#a', 'services.ts#b', 'services.ts#c', 'app.ts#sql'],
  },
  {
    name: 'what is looked up by the id of a class, or by a type',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import type { Orders } from '@acme/types';
        import { getService, context } from './context';
        const app = express();
        const FILES = 'core.Files@1.0.0';
        app.get('/a', (req, res) => {
          (context.getService('core.Users@1.0.0') as any).load();
          getService(FILES).load();
          context.getService<Orders>(req.query.name).load();
          res.end();
        });
      `,
      'services.ts': dedent`
        import type { Orders } from '@acme/types';
        @service({ id: 'core.Users@1.0.0', version: '1.0.0' }) export class A { load() { a(); } }
        export class B { static definition = { id: 'core.Files@1.0.0', service: (props: any) => new B() }; load() { b(); } }
        export class C implements Orders { load() { c(); } }
        export class D { load() { d(); } }
        function a() {} function b() {} function c() {} function d() {}
      `,
    },
    reached: ['services.ts#a GET /a', 'services.ts#b GET /a', 'services.ts#c GET /a'],
    idle: ['services.ts#d'],
  },
  {
    name: 'a computed method whose names a type lists',
    files: {
      'app.ts': dedent`
        import express from 'express';
        const app = express();
        class Log { info() { info(); } warn() { warn(); } archive() { archive(); } }
        function info() {} function warn() {} function archive() {} function other() {}
        class Job { run() { other(); } stop() { stopped(); } }
        function stopped() {}
        function note(log: Log, level: 'info' | 'warn') { log[level]('x'); }
        function work(name: string) { const job = new Job(); job[name](); }
        app.get('/a', (req, res) => { note(new Log(), 'info'); res.end(); });
        app.get('/b', (req, res) => { if (req.query.x) work(req.query.name); res.end(); });
      `,
    },
    reached: ['app.ts#info GET /a', 'app.ts#warn GET /a', 'app.ts#other GET /b', 'app.ts#stopped GET /b'],
    idle: ['app.ts#archive'],
  },
  {
    name: 'resolvers that their files export, each of which is said once',
    dependencies: ['@apollo/server'],
    files: {
      'app.js': dedent`
        const { ApolloServer } = require('@apollo/server');
        new ApolloServer({ typeDefs: '', resolvers: require('./users') });
        require('./load-modules');
      `,
      'users.js': dedent`
        const s = require('./s');
        module.exports = { Query: { users(parent, args) { return s.load(); } } };
      `,
      'posts.js': dedent`
        const s = require('./s');
        module.exports = { Query: { posts(parent, args) { return s.scan(); } } };
      `,
      'load-modules.js': `module.exports = require('./registry')[process.env.NAME].map((name) => require(name));`,
      's.js': `exports.load = function load() {}; exports.scan = function scan() {}; exports.idle = function idle() {};`,
    },
    reached: ['s.js#load FIELD Query.users', 's.js#scan FIELD Query.posts'],
    routes: { 's.js#load': ['FIELD Query.users'], 's.js#scan': ['FIELD Query.posts'] },
    idle: ['s.js#idle'],
  },
  {
    name: 'methods of one name in several schemas, and what is no document',
    dependencies: ['mongoose'],
    files: {
      'models.js': dedent`
        const mongoose = require('mongoose');
        const UserSchema = new mongoose.Schema({});
        UserSchema.methods.checkPassword = function (text) { return user(text); };
        UserSchema.statics.check = function (id) { return this.findById(id).then((one) => one.verify()); };
        UserSchema.method('verify', function () { return verified(); });
        const AdminSchema = new mongoose.Schema({}, { methods: { checkPassword(text) { return admin(text); }, verify() { return unused(); } } });
        const LogSchema = new mongoose.Schema({});
        LogSchema.methods.show = function () { return log(); };
        function user() {} function admin() {} function verified() {} function unused() {} function log() {}
        exports.User = mongoose.model('User', UserSchema);
        exports.Admin = mongoose.models.Admin || mongoose.model('Admin', AdminSchema);
        exports.Log = mongoose.model('Log', LogSchema);
      `,
      'app.js': dedent`
        const app = require('express')();
        const mongoose = require('mongoose');
        const { User, Admin, Log } = require('./models');
        app.get('/a', async (req, res) => { const user = await User.findOne({ id: req.query.id }).exec(); res.json(user.checkPassword('x')); });
        app.get('/b', async (req, res) => { res.json(await User.check(req.query.id)); });
        app.get('/c', async (req, res) => { const log = await Log.findOne({}).lean(); log.show(); const list = await Log.find({}); list.show(); res.end(); });
        const start = async () => { const admin = await Admin.findOne({}); admin.checkPassword('x'); };
        start();
      `,
    },
    reached: ['models.js#user GET /a', 'models.js#verified GET /b'],
    idle: ['models.js#admin', 'models.js#unused', 'models.js#log'],
  },
  {
    name: 'what a package makes is no document',
    dependencies: ['mongoose'],
    files: {
      'lock.js': dedent`
        const Lock = require('async-lock');
        const lock = new Lock();
        exports.run = (key, fn) => lock.acquire(key, () => fn());
      `,
      'app.js': dedent`
        const app = require('express')();
        const { run } = require('./lock');
        const s = require('./s');
        app.get('/a', (req, res) => run('a', async () => s.load()));
        app.get('/b', (req, res) => run('b', async () => s.scan()));
      `,
      's.js': `exports.load = function load() {}; exports.scan = function scan() {};`,
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /b'],
    routes: { 's.js#load': ['GET /a'], 's.js#scan': ['GET /b'] },
  },
  {
    name: 'what is called like a method of a query, in a package with mongoose',
    dependencies: ['mongoose'],
    files: {
      'app.js': dedent`
        const app = require('express')();
        const { remote } = require('acme-remote');
        const mongoose = require('mongoose');
        exports.Log = mongoose.model('Log', new mongoose.Schema({}));
        class Job { exec() { return remote(); } closeAll() { close(); } }
        class Shelf { select(id) { return remote(id); } read(id) { return remote(id); } }
        class Invoice { renderInvoice() { render(); } }
        remote(Invoice);
        const job = new Job();
        const shelf = new Shelf();
        app.get('/a', async (req, res) => { const out = await job.exec(); out.closeAll(); res.end(); });
        app.get('/b', async (req, res) => { const one = await shelf.select(req.query.id); one.renderInvoice(); res.end(); });
        app.get('/c', async (req, res) => { const one = await shelf.read(req.query.id); one.renderInvoice(); res.end(); });
        function close() {} function render() {}
      `,
    },
    idle: ['app.js#close', 'app.js#render'],
  },
  {
    name: 'query helpers: of the model, of its options, of a plug-in, and those of no query that runs',
    dependencies: ['mongoose'],
    files: {
      'plugin.js': dedent`
        module.exports = (schema) => { schema.query.byPluggedName = function () { plugged(); return this; }; };
        function plugged() {}
      `,
      'models.js': dedent`
        const mongoose = require('mongoose');
        const Users = new mongoose.Schema({}, { query: { named() { option(); return this; } } });
        Users.query.near = function () { own(); return this; };
        Users.methods.show = function () { shown(); };
        Users.plugin(require('./plugin'));
        const Logs = new mongoose.Schema({});
        Logs.query.near = function () { other(); return this; };
        exports.User = mongoose.model('User', Users);
        exports.Log = mongoose.model('Log', Logs);
        function option() {} function own() {} function shown() {} function other() {}
      `,
      'app.js': dedent`
        const app = require('express')();
        const { User, Log } = require('./models');
        app.get('/a', async (req, res) => {
          const users = await User.find().near(req.query.place).sort('name').named().exec();
          for (const user of users) user.show();
          await Log.find().sort('name').exec();
          res.end();
        });
        app.get('/b', async (req, res) => { res.json(await User.find().byPluggedName(req.query.name)); });
      `,
    },
    reached: ['models.js#own GET /a', 'models.js#option GET /a', 'models.js#shown GET /a', 'plugin.js#plugged GET /b'],
    idle: ['models.js#other'],
  },
  {
    name: 'documents: of a callback, of a list, made with new, and of a model that is named',
    dependencies: ['mongoose'],
    files: {
      'models.js': dedent`
        const { Schema, model } = require('mongoose');
        const Users = new Schema({});
        Users.methods.one = function () { return one(); };
        Users.methods.two = function () { return two(); };
        Users.methods.tri = function () { return tri(); };
        Users.methods.far = function () { return far(); };
        function one() {} function two() {} function tri() {} function far() {}
        model('User', Users);
      `,
      'app.js': dedent`
        const app = require('express')();
        const mongoose = require('mongoose');
        require('./models');
        const User = mongoose.model('User');
        app.get('/a', (req, res) => { User.findOne({}, (error, user) => res.json(user.one())); });
        app.get('/b', async (req, res) => { const users = await User.find({}).sort('name'); res.json(users.map((user) => user.two())); });
        app.get('/c', (req, res) => { const user = new User(req.body); user.tri(); res.end(); });
      `,
    },
    reached: ['models.js#one GET /a', 'models.js#two GET /b', 'models.js#tri GET /c'],
    idle: ['models.js#far'],
  },
  {
    name: 'an interface and what implements it',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import type { Store } from './store';
        import { FileStore } from './file-store';
        export function routes(store: Store) { const app = express(); app.get('/a', (req, res) => { res.send(store.load()); }); return app; }
        routes(new FileStore());
      `,
      'store.ts': `export interface Store { load(): string }`,
      'file-store.ts': dedent`
        import type { Store } from './store';
        export class FileStore implements Store { load() { return read(); } }
        function read() { return ''; }
      `,
    },
    reached: ['file-store.ts#read GET /a'],
  },
  {
    name: 'awilix: the cradle and class registrations',
    files: {
      'app.js': dedent`
        const { createContainer, asClass } = require('awilix');
        const UsersController = require('./controller');
        const UserService = require('./service');
        const container = createContainer();
        container.register({ userService: asClass(UserService), usersController: asClass(UsersController) });
        const app = require('express')();
        const c = container.resolve('usersController');
        app.get('/users', (req, res) => c.show(req, res));
      `,
      'controller.js': dedent`
        class UsersController { constructor({ userService }) { this.userService = userService; } show(req, res) { res.send(this.userService.find()); } }
        module.exports = UsersController;
      `,
      'service.js': dedent`
        class UserService { find() { return read(); } }
        function read() {}
        module.exports = UserService;
      `,
    },
    reached: ['controller.js#show', 'service.js#read'],
  },
  {
    name: "typedi: Container.get, and a constructor's types",
    files: {
      'app.ts': dedent`
        import { Container } from 'typedi';
        import express from 'express';
        import { Users } from './users';
        const app = express();
        app.get('/users', (req, res) => { res.send(Container.get(Users).all()); });
      `,
      'users.ts': dedent`
        import { Service } from 'typedi';
        import { Db } from './db';
        @Service()
        export class Users { constructor(private db: Db) {} all() { return this.db.query(); } }
      `,
      'db.ts': `export class Db { query() {} idle() {} }`,
    },
    reached: ['db.ts#query GET /users'],
    idle: ['db.ts#idle'],
  },
  {
    name: 'a wrapper in another file',
    files: {
      'app.js': dedent`
        const { catchAsync } = require('./wrap');
        const c = require('./c');
        const app = require('express')();
        app.get('/a', catchAsync(c.show));
      `,
      'wrap.js': `exports.catchAsync = (fn) => (req, res, next) => Promise.resolve(fn(req, res, next)).catch(next);`,
      'c.js': dedent`
        exports.show = async function show(req, res) { load(); };
        function load() {}
      `,
    },
    reached: ['c.js#load GET /a'],
  },
  {
    name: 'a table of routes and the loop over it',
    files: {
      'app.js': dedent`
        const routes = require('./routes');
        const app = require('express')();
        for (const { method, path, handler } of routes) app[method](path, handler);
      `,
      'routes.js': dedent`
        const c = require('./c');
        module.exports = [{ method: 'get', path: '/a', handler: c.show }];
      `,
      'c.js': dedent`
        exports.show = function show(req, res) { load(); };
        function load() {}
        exports.idle = function idle() {};
      `,
    },
    reached: ['c.js#load'],
    idle: ['c.js#idle'],
  },
  {
    name: 'controllers as classes, bound in a route file',
    files: {
      'routes.js': dedent`
        const router = require('express').Router();
        const Users = require('./users');
        const users = new Users();
        router.get('/a', users.show.bind(users));
        router.get('/b', (req, res) => users.list(req, res));
        module.exports = router;
      `,
      'users.js': dedent`
        class Users { show(req, res) { this.load(); } list(req, res) { this.scan(); } load() {} scan() {} idle() {} }
        module.exports = Users;
      `,
    },
    reached: ['users.js#load', 'users.js#scan'],
    idle: ['users.js#idle'],
  },
  {
    name: 'mercurius among other plugins, which run once',
    files: {
      'app.js': dedent`
        const fastify = require('fastify')();
        const mercurius = require('mercurius');
        const s = require('./s');
        fastify.register(require('./auth'), { secret: 'x' });
        fastify.register(mercurius, { schema: s.schema, resolvers: { Query: { user: () => s.user() } } });
      `,
      'auth.js': dedent`
        const s = require('./s');
        module.exports = async (fastify, opts) => { s.keys(); fastify.addHook('preHandler', async (request) => s.check(request)); };
      `,
      's.js': dedent`
        exports.keys = function keys() {};
        exports.check = function check() {};
        exports.user = function user() {};
      `,
    },
    reached: ['s.js#check', 's.js#user'],
    idle: ['s.js#keys'],
  },
  {
    name: 'plugins of Fastify that are registered in a chain, each below its own prefix',
    files: {
      'app.js': dedent`
        const fastify = require('fastify')();
        fastify
          .register(require('./users'), { prefix: '/users' })
          .register(require('./posts'), { prefix: '/posts' });
        fastify.listen({ port: 3000 });
      `,
      'users.js': "module.exports = async (app) => { app.get('/all', function users() {}); };",
      'posts.js': "module.exports = async (app) => { app.get('/all', function posts() {}); };",
    },
    reached: ['users.js#users GET /users/all', 'posts.js#posts GET /posts/all'],
    idle: [],
  },
  {
    name: 'fastify plugins in other files',
    files: {
      'app.js': dedent`
        const fastify = require('fastify')();
        fastify.register(require('./plugin'), { prefix: '/v1' });
      `,
      'plugin.js': dedent`
        const s = require('./s');
        module.exports = async function (fastify, opts) { fastify.get('/a', async (request, reply) => s.load()); };
      `,
      's.js': `exports.load = function load() {};`,
    },
    reached: ['s.js#load GET /v1/a'],
  },
  {
    name: 'what Fastify is decorated with; a property of that name of something else is not it',
    files: {
      'app.js': dedent`
        const app = require('fastify')();
        app.decorate('users', require('./users')({}));
        require('./routes')(app);
        app.listen({ port: 1 });
      `,
      'routes.js': dedent`
        module.exports = (instance) => {
          instance.get('/users', async (req, reply) => reply.send(await instance.users.create(req.body)));
          instance.get('/rows', async (req, reply) => reply.send(await req.users.remove(req.body)));
        };
      `,
      'users.js': dedent`
        module.exports = (db) => ({ ...db.crud(), create: () => save(), remove: () => drop() });
        function save() {}
        function drop() {}
      `,
    },
    reached: ['users.js#create', 'users.js#save'],
    idle: ['users.js#drop'],
  },
  {
    name: 'hapi plugins with prefixes',
    files: {
      'app.js': dedent`
        const Hapi = require('@hapi/hapi');
        const users = require('./users');
        const server = Hapi.server();
        async function main() {
          await server.register({ plugin: users, routes: { prefix: '/api' } });
          await server.register([{ plugin: require('./books'), routes: { prefix: '/v2' } }]);
          await server.register(require('./cats'), { routes: { prefix: '/v3' } });
        }
        main();
      `,
      'users.js': dedent`
        exports.plugin = { name: 'users', register: async (server, options) => { server.route({ method: 'GET', path: '/users/{id}', handler: () => load() }); } };
        function load() {}
      `,
      'books.js': dedent`
        module.exports = { name: 'books', register(server) { server.route({ method: 'GET', path: '/books', handler: () => scan() }); } };
        function scan() {}
      `,
      'cats.js': dedent`
        exports.plugin = { name: 'cats', register(server) { server.route({ method: 'GET', path: '/cats', handler: () => list() }); } };
        function list() {}
      `,
    },
    reached: ['users.js#load GET /api/users/{id}', 'books.js#scan GET /v2/books', 'cats.js#list GET /v3/cats'],
  },
  {
    name: 'routers mounted in other files',
    files: {
      'app.js': dedent`
        const app = require('express')();
        app.use('/api', require('./api'));
      `,
      'api.js': dedent`
        const router = require('express').Router();
        const users = require('./users');
        router.use('/v1/users', users);
        module.exports = router;
      `,
      'users.js': dedent`
        const { Router } = require('express');
        const router = Router();
        const own = Router();
        router.get('/:id', (req, res) => res.send(load()));
        router.use('/own', own);
        own.route('/deep').post((req, res) => res.send(scan()));
        function load() {}
        function scan() {}
        module.exports = router;
      `,
    },
    reached: ['users.js#load GET /api/v1/users/:id', 'users.js#scan POST /api/v1/users/own/deep'],
  },
  {
    name: 'GraphQL resolvers',
    files: {
      'app.js': dedent`
        const { ApolloServer } = require('apollo-server');
        const resolvers = require('./resolvers');
        new ApolloServer({ typeDefs: '', resolvers });
      `,
      'resolvers.js': dedent`
        const s = require('./s');
        module.exports = { Query: { user: (parent, args, context) => s.load() }, Mutation: { async save(_, { input }) { return s.save(); } } };
      `,
      's.js': dedent`
        exports.load = function load() {};
        exports.save = function save() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#load', 's.js#save'],
    idle: ['s.js#idle'],
  },
  {
    name: 'tRPC procedures',
    files: {
      'router.ts': dedent`
        import { publicProcedure, router } from './trpc';
        import { load } from './s';
        export const appRouter = router({ a: publicProcedure.query(() => load()) });
      `,
      'trpc.ts': dedent`
        export const publicProcedure: any = {};
        export const router: any = (x: any) => x;
      `,
      's.ts': `export function load() {}`,
    },
    reached: ['s.ts#load'],
  },
  {
    name: "a queue's jobs",
    files: {
      'worker.js': dedent`
        const Queue = require('bull');
        const s = require('./s');
        new Queue('mail').process(async (job) => s.send(job));
      `,
      's.js': `exports.send = function send() {};`,
    },
    reached: ['s.js#send'],
  },
  {
    name: 'MQTT messages',
    files: {
      'app.js': dedent`
        const mqtt = require('mqtt');
        const s = require('./s');
        const client = mqtt.connect('mqtt://a');
        client.on('message', (topic, message) => s.take(message));
        client.on('connect', () => s.idle());
      `,
      's.js': dedent`
        exports.take = function take() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#take'],
    idle: ['s.js#idle'],
  },
  {
    name: 'socket events in another file',
    files: {
      'app.js': dedent`
        const io = require('socket.io')(3000);
        const chat = require('./chat');
        io.on('connection', (socket) => { chat(socket); });
      `,
      'chat.js': dedent`
        const s = require('./s');
        module.exports = (socket) => { socket.on('message', (text) => s.store(text)); };
      `,
      's.js': `exports.store = function store() {};`,
    },
    reached: ['s.js#store'],
  },
  {
    name: 'Next.js route handlers',
    files: {
      'app/api/users/route.ts': dedent`
        import { load } from '@/lib/users';
        export async function GET() { return Response.json(load()); }
      `,
      'src/lib/users.ts': `export function load() {}`,
    },
    layout: { packages: [{ root: '/project' }], aliases: [] },
    reached: ['src/lib/users.ts#load GET /api/users'],
  },
  {
    name: 'what a middleware puts on the request',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const { Access } = require('./access');
        app.use((req, res, next) => { res.locals.access = new Access(); next(); });
        require('./routes')(app);
      `,
      'routes.js': `module.exports = (app) => { app.get('/a', (req, res) => { res.send(res.locals.access.can('x')); }); };`,
      'access.js': dedent`
        exports.Access = class Access { can(what) { return read(what); } };
        function read() {}
      `,
    },
    reached: ['access.js#read'],
  },
  {
    name: 'a Mongoose method, by its rare name',
    files: {
      'user.model.js': dedent`
        const mongoose = require('mongoose');
        const UserSchema = new mongoose.Schema({});
        UserSchema.methods.authenticatePassword = function (password) { return hash(password); };
        function hash() {}
        module.exports = mongoose.model('User', UserSchema);
      `,
      'app.js': dedent`
        const app = require('express')();
        const User = require('./user.model');
        app.post('/login', async (req, res) => { const user = await User.findOne({ name: req.body.name }); res.send(user.authenticatePassword(req.body.password)); });
      `,
    },
    reached: ['user.model.js#hash POST /login'],
  },
  {
    name: 'a method whose name is one word: of a schema, but not of a table of resolvers',
    files: {
      'user.model.js': dedent`
        const mongoose = require('mongoose');
        const UserSchema = new mongoose.Schema({});
        UserSchema.methods = { authenticate: function (password) { return hash(password); } };
        function hash() {}
        module.exports = mongoose.model('User', UserSchema);
      `,
      'template.js': dedent`
        exports.resolvers = { Template: { content: function content(template) { return load(template); } } };
        function load() {}
      `,
      'app.js': dedent`
        const app = require('express')();
        const User = require('./user.model');
        const pdf = require('pdf-parts');
        app.post('/login', async (req, res) => { const user = await User.findOne({ name: req.body.name }); res.send(user.authenticate(req.body.password)); });
        app.post('/pdf/:name', (req, res) => { const part = pdf.parts[req.params.name]; res.send(part.content(req.body)); });
      `,
    },
    reached: ['user.model.js#hash POST /login'],
    idle: ['template.js#load'],
  },
  {
    name: 'a function that a Sequelize model was given, by its rare name',
    files: {
      'models/note.js': dedent`
        module.exports = (sequelize) => {
          const Note = sequelize.define('Note', {});
          Note.parseNoteId = function (id) { return check(id); };
          return Note;
        };
        function check() {}
      `,
      'models/index.js': dedent`
        const fs = require('fs');
        const Sequelize = require('sequelize');
        const sequelize = new Sequelize('x');
        const db = {};
        fs.readdirSync(__dirname).forEach((file) => { const model = require('./' + file)(sequelize, Sequelize); db[model.name] = model; });
        module.exports = db;
      `,
      'app.js': dedent`
        const app = require('express')();
        const models = require('./models');
        app.get('/a', (req, res) => { models.Note.parseNoteId(req.params.id); res.end(); });
      `,
    },
    reached: ['models/note.js#check'],
  },
];
