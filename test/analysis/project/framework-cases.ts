import type { App } from './support.ts';

/** How frameworks connect handlers, services and each other. */
export const frameworkCases: readonly App[] = [
  {
    name: 'Nest: controllers, services, tokens and abstract providers',
    files: {
      'users.controller.ts': `import { Controller, Get, Inject } from '@nestjs/common';\nimport { UsersService } from './users.service';\nimport { Mailer } from './mailer';\n@Controller('users')\nexport class UsersController {\n  constructor(private readonly users: UsersService, @Inject('CLOCK') private clock: any, private readonly mailer: Mailer) {}\n  @Get(':id') show() { this.mailer.send(); this.clock.tick(); return this.users.find(); }\n}`,
      'users.service.ts': `import { Injectable } from '@nestjs/common';\n@Injectable()\nexport class UsersService { find() { return this.read(); } private read() {} onModuleInit() { this.warm(); } warm() {} }`,
      'mailer.ts': `export abstract class Mailer { abstract send(): void; }`,
      'smtp.ts': `import { Mailer } from './mailer';\nexport class SmtpMailer extends Mailer { send() { connect(); } }\nfunction connect() {}`,
      'clock.ts': `export class Clock { tick() {} }`,
      'app.module.ts': `import { Module } from '@nestjs/common';\nimport { UsersController } from './users.controller';\nimport { UsersService } from './users.service';\nimport { SmtpMailer } from './smtp';\nimport { Mailer } from './mailer';\nimport { Clock } from './clock';\n@Module({ controllers: [UsersController], providers: [UsersService, { provide: Mailer, useClass: SmtpMailer }, { provide: 'CLOCK', useClass: Clock }] })\nexport class AppModule {}`,
    },
    reached: ['users.service.ts#read GET /users/:id', 'smtp.ts#connect', 'clock.ts#tick'],
    idle: ['users.service.ts#warm'],
  },
  {
    name: 'an interface and what implements it',
    files: {
      'app.ts': `import express from 'express';\nimport type { Store } from './store';\nimport { FileStore } from './file-store';\nexport function routes(store: Store) { const app = express(); app.get('/a', (req, res) => { res.send(store.load()); }); return app; }\nroutes(new FileStore());`,
      'store.ts': `export interface Store { load(): string }`,
      'file-store.ts': `import type { Store } from './store';\nexport class FileStore implements Store { load() { return read(); } }\nfunction read() { return ''; }`,
    },
    reached: ['file-store.ts#read GET /a'],
  },
  {
    name: 'awilix: the cradle and class registrations',
    files: {
      'app.js': `const { createContainer, asClass } = require('awilix');\nconst UsersController = require('./controller');\nconst UserService = require('./service');\nconst container = createContainer();\ncontainer.register({ userService: asClass(UserService), usersController: asClass(UsersController) });\nconst app = require('express')();\nconst c = container.resolve('usersController');\napp.get('/users', (req, res) => c.show(req, res));`,
      'controller.js': `class UsersController { constructor({ userService }) { this.userService = userService; } show(req, res) { res.send(this.userService.find()); } }\nmodule.exports = UsersController;`,
      'service.js': `class UserService { find() { return read(); } }\nfunction read() {}\nmodule.exports = UserService;`,
    },
    reached: ['controller.js#show', 'service.js#read'],
  },
  {
    name: "typedi: Container.get, and a constructor's types",
    files: {
      'app.ts': `import { Container } from 'typedi';\nimport express from 'express';\nimport { Users } from './users';\nconst app = express();\napp.get('/users', (req, res) => { res.send(Container.get(Users).all()); });`,
      'users.ts': `import { Service } from 'typedi';\nimport { Db } from './db';\n@Service()\nexport class Users { constructor(private db: Db) {} all() { return this.db.query(); } }`,
      'db.ts': `export class Db { query() {} idle() {} }`,
    },
    reached: ['db.ts#query GET /users'],
    idle: ['db.ts#idle'],
  },
  {
    name: 'a wrapper in another file',
    files: {
      'app.js': `const { catchAsync } = require('./wrap');\nconst c = require('./c');\nconst app = require('express')();\napp.get('/a', catchAsync(c.show));`,
      'wrap.js': `exports.catchAsync = (fn) => (req, res, next) => Promise.resolve(fn(req, res, next)).catch(next);`,
      'c.js': `exports.show = async function show(req, res) { load(); };\nfunction load() {}`,
    },
    reached: ['c.js#load GET /a'],
  },
  {
    name: 'a table of routes and the loop over it',
    files: {
      'app.js': `const routes = require('./routes');\nconst app = require('express')();\nfor (const { method, path, handler } of routes) app[method](path, handler);`,
      'routes.js': `const c = require('./c');\nmodule.exports = [{ method: 'get', path: '/a', handler: c.show }];`,
      'c.js': `exports.show = function show(req, res) { load(); };\nfunction load() {}\nexports.idle = function idle() {};`,
    },
    reached: ['c.js#load'],
    idle: ['c.js#idle'],
  },
  {
    name: 'controllers as classes, bound in a route file',
    files: {
      'routes.js': `const router = require('express').Router();\nconst Users = require('./users');\nconst users = new Users();\nrouter.get('/a', users.show.bind(users));\nrouter.get('/b', (req, res) => users.list(req, res));\nmodule.exports = router;`,
      'users.js': `class Users { show(req, res) { this.load(); } list(req, res) { this.scan(); } load() {} scan() {} idle() {} }\nmodule.exports = Users;`,
    },
    reached: ['users.js#load', 'users.js#scan'],
    idle: ['users.js#idle'],
  },
  {
    name: 'fastify plugins in other files',
    files: {
      'app.js': `const fastify = require('fastify')();\nfastify.register(require('./plugin'), { prefix: '/v1' });`,
      'plugin.js': `const s = require('./s');\nmodule.exports = async function (fastify, opts) { fastify.get('/a', async (request, reply) => s.load()); };`,
      's.js': `exports.load = function load() {};`,
    },
    reached: ['s.js#load GET /v1/a'],
  },
  {
    name: 'hapi plugins with prefixes',
    files: {
      'app.js': `const Hapi = require('@hapi/hapi');\nconst users = require('./users');\nconst server = Hapi.server();\nasync function main() {\n  await server.register({ plugin: users, routes: { prefix: '/api' } });\n  await server.register([{ plugin: require('./books'), routes: { prefix: '/v2' } }]);\n  await server.register(require('./cats'), { routes: { prefix: '/v3' } });\n}\nmain();`,
      'users.js': `exports.plugin = { name: 'users', register: async (server, options) => { server.route({ method: 'GET', path: '/users/{id}', handler: () => load() }); } };\nfunction load() {}`,
      'books.js': `module.exports = { name: 'books', register(server) { server.route({ method: 'GET', path: '/books', handler: () => scan() }); } };\nfunction scan() {}`,
      'cats.js': `exports.plugin = { name: 'cats', register(server) { server.route({ method: 'GET', path: '/cats', handler: () => list() }); } };\nfunction list() {}`,
    },
    reached: ['users.js#load GET /api/users/{id}', 'books.js#scan GET /v2/books', 'cats.js#list GET /v3/cats'],
  },
  {
    name: 'routers mounted in other files',
    files: {
      'app.js': `const app = require('express')();\napp.use('/api', require('./api'));`,
      'api.js': `const router = require('express').Router();\nconst users = require('./users');\nrouter.use('/v1/users', users);\nmodule.exports = router;`,
      'users.js': `const { Router } = require('express');\nconst router = Router();\nconst own = Router();\nrouter.get('/:id', (req, res) => res.send(load()));\nrouter.use('/own', own);\nown.route('/deep').post((req, res) => res.send(scan()));\nfunction load() {}\nfunction scan() {}\nmodule.exports = router;`,
    },
    reached: ['users.js#load GET /api/v1/users/:id', 'users.js#scan POST /api/v1/users/own/deep'],
  },
  {
    name: 'GraphQL resolvers',
    files: {
      'app.js': `const { ApolloServer } = require('apollo-server');\nconst resolvers = require('./resolvers');\nnew ApolloServer({ typeDefs: '', resolvers });`,
      'resolvers.js': `const s = require('./s');\nmodule.exports = { Query: { user: (parent, args, context) => s.load() }, Mutation: { async save(_, { input }) { return s.save(); } } };`,
      's.js': `exports.load = function load() {};\nexports.save = function save() {};\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#load', 's.js#save'],
    idle: ['s.js#idle'],
  },
  {
    name: 'tRPC procedures',
    files: {
      'router.ts': `import { publicProcedure, router } from './trpc';\nimport { load } from './s';\nexport const appRouter = router({ a: publicProcedure.query(() => load()) });`,
      'trpc.ts': `export const publicProcedure: any = {};\nexport const router: any = (x: any) => x;`,
      's.ts': `export function load() {}`,
    },
    reached: ['s.ts#load'],
  },
  {
    name: "a queue's jobs",
    files: {
      'worker.js': `const Queue = require('bull');\nconst s = require('./s');\nnew Queue('mail').process(async (job) => s.send(job));`,
      's.js': `exports.send = function send() {};`,
    },
    reached: ['s.js#send'],
  },
  {
    name: 'MQTT messages',
    files: {
      'app.js': `const mqtt = require('mqtt');\nconst s = require('./s');\nconst client = mqtt.connect('mqtt://a');\nclient.on('message', (topic, message) => s.take(message));\nclient.on('connect', () => s.idle());`,
      's.js': `exports.take = function take() {};\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#take'],
    idle: ['s.js#idle'],
  },
  {
    name: 'socket events in another file',
    files: {
      'app.js': `const io = require('socket.io')(3000);\nconst chat = require('./chat');\nio.on('connection', (socket) => { chat(socket); });`,
      'chat.js': `const s = require('./s');\nmodule.exports = (socket) => { socket.on('message', (text) => s.store(text)); };`,
      's.js': `exports.store = function store() {};`,
    },
    reached: ['s.js#store'],
  },
  {
    name: 'Next.js route handlers',
    files: {
      'app/api/users/route.ts': `import { load } from '@/lib/users';\nexport async function GET() { return Response.json(load()); }`,
      'src/lib/users.ts': `export function load() {}`,
    },
    layout: { packages: [{ root: '/project' }], aliases: [] },
    reached: ['src/lib/users.ts#load GET /api/users'],
  },
  {
    name: 'what a middleware puts on the request',
    files: {
      'app.js': `const app = require('express')();\nconst { Access } = require('./access');\napp.use((req, res, next) => { res.locals.access = new Access(); next(); });\nrequire('./routes')(app);`,
      'routes.js': `module.exports = (app) => { app.get('/a', (req, res) => { res.send(res.locals.access.can('x')); }); };`,
      'access.js': `exports.Access = class Access { can(what) { return read(what); } };\nfunction read() {}`,
    },
    reached: ['access.js#read'],
  },
  {
    name: 'a Mongoose method, by its rare name',
    files: {
      'user.model.js': `const mongoose = require('mongoose');\nconst UserSchema = new mongoose.Schema({});\nUserSchema.methods.authenticatePassword = function (password) { return hash(password); };\nfunction hash() {}\nmodule.exports = mongoose.model('User', UserSchema);`,
      'app.js': `const app = require('express')();\nconst User = require('./user.model');\napp.post('/login', async (req, res) => { const user = await User.findOne({ name: req.body.name }); res.send(user.authenticatePassword(req.body.password)); });`,
    },
    reached: ['user.model.js#hash POST /login'],
  },
  {
    name: 'a function that a Sequelize model was given, by its rare name',
    files: {
      'models/note.js': `module.exports = (sequelize) => {\n  const Note = sequelize.define('Note', {});\n  Note.parseNoteId = function (id) { return check(id); };\n  return Note;\n};\nfunction check() {}`,
      'models/index.js': `const fs = require('fs');\nconst Sequelize = require('sequelize');\nconst sequelize = new Sequelize('x');\nconst db = {};\nfs.readdirSync(__dirname).forEach((file) => { const model = require('./' + file)(sequelize, Sequelize); db[model.name] = model; });\nmodule.exports = db;`,
      'app.js': `const app = require('express')();\nconst models = require('./models');\napp.get('/a', (req, res) => { models.Note.parseNoteId(req.params.id); res.end(); });`,
    },
    reached: ['models/note.js#check'],
  },
];
