import type { App } from './support.ts';

const READ = `exports.read = function read() {};`;

/** What a request, a job or a model runs by way of a package's options, base classes and file names. */
export const hookCases: readonly App[] = [
  {
    name: 'Mongoose hooks',
    files: {
      'user.js': `const mongoose = require('mongoose');\nconst s = require('./s');\nconst schema = new mongoose.Schema({});\nschema.pre('save', function (next) { s.read(); next(); });\nschema.post(/^find/, () => s.find());\nschema.pre('/users', () => s.idle());\nmodule.exports = mongoose.model('User', schema);`,
      's.js': `${READ}\nexports.find = function find() {};\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#read', 's.js#find'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Sequelize hooks',
    dependencies: ['sequelize'],
    files: {
      'account.js': `const s = require('./s');\nmodule.exports = (sequelize, DataTypes) => {\n  const Account = sequelize.define('Account', {}, { hooks: { beforeCreate: (one) => s.create(one) } });\n  Account.beforeSave((one) => s.save(one));\n  Account.addHook('afterFind', (one) => s.find(one));\n  Account.addHook('beforeDefine', () => s.idle());\n  Account.init(() => s.started());\n  return Account;\n};`,
      's.js': `exports.create = function create() {};\nexports.save = function save() {};\nexports.find = function find() {};\nexports.idle = function idle() {};\nexports.started = function started() {};`,
    },
    reached: ['s.js#create', 's.js#save', 's.js#find'],
    idle: ['s.js#idle', 's.js#started'],
  },
  {
    name: 'TypeORM listeners',
    files: {
      'user.ts': `import { Entity, BeforeInsert } from 'typeorm';\nimport { read, idle } from './s';\n@Entity()\nexport class User { @BeforeInsert() hash() { read(); } other() { idle(); } }`,
      's.ts': `export function read() {}\nexport function idle() {}`,
    },
    reached: ['s.ts#read'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'multer, whatever the parameters are called',
    files: {
      'upload.js': `const multer = require('multer');\nconst s = require('./s');\nconst storage = multer.diskStorage({ destination: (_, __, cb) => { s.read(); cb(null, 'up'); } });\nmodule.exports = multer({ storage, fileFilter: s.filter, limits: { a: () => s.idle() } });`,
      's.js': `${READ}\nexports.filter = function filter() {};\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#read', 's.js#filter'],
    idle: ['s.js#idle'],
  },
  {
    name: 'NextAuth providers and callbacks',
    files: {
      'auth.ts': `import NextAuth from 'next-auth';\nimport CredentialsProvider from 'next-auth/providers/credentials';\nimport { check, extend } from './s';\nconst providers = [];\nproviders.push(CredentialsProvider({ name: 'x', async authorize(credentials) { return check(credentials); } }));\nconst options = { providers, callbacks: { async jwt({ token }) { return extend(token); } } };\nexport default NextAuth(options);`,
      's.ts': `export function check() {}\nexport function extend() {}`,
    },
    reached: ['s.ts#check', 's.ts#extend'],
  },
  {
    name: 'Feathers services and hooks',
    dependencies: ['@feathersjs/feathers'],
    files: {
      'messages.service.js': `const { Messages } = require('./messages.class');\nconst hooks = require('./messages.hooks');\nmodule.exports = function (app) {\n  app.use('/messages', new Messages());\n  app.service('messages').hooks(hooks);\n};`,
      'messages.class.js': `const s = require('./s');\nclass Base { async get(id) { return s.get(id); } }\nexports.Messages = class Messages extends Base { async find(params) { return s.read(params); } setup() { s.idle(); } };`,
      'messages.hooks.js': `const s = require('./s');\nconst log = async (context) => { s.log(context); };\nmodule.exports = { before: { all: [log], create: [] } };`,
      's.js': `${READ}\nexports.get = function get() {};\nexports.log = function log() {};\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#read', 's.js#get', 's.js#log'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Nest queues, events and Passport strategies',
    files: {
      'files.processor.ts': `import { Processor, WorkerHost } from '@nestjs/bullmq';\nimport { Process, Processor as Old } from '@nestjs/bull';\nimport { OnEvent } from '@nestjs/event-emitter';\nimport { Injectable } from '@nestjs/common';\nimport { PassportStrategy } from '@nestjs/passport';\nimport { Strategy } from 'passport-local';\nimport * as s from './s';\n@Processor('files')\nexport class Files extends WorkerHost { async process(job) { s.first(job); } other() { s.idle(); } }\n@Old('x')\nexport class Older { @Process() run(job) { s.second(job); } }\n@Injectable()\nexport class Listener { @OnEvent('made') made() { s.third(); } }\n@Injectable()\nexport class Local extends PassportStrategy(Strategy) { constructor() { super(); } async validate(name, password) { s.fourth(); } }`,
      's.ts': `export function first() {}\nexport function second() {}\nexport function third() {}\nexport function fourth() {}\nexport function idle() {}`,
    },
    reached: ['s.ts#first', 's.ts#second', 's.ts#third', 's.ts#fourth'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'Sails actions and models',
    dependencies: ['sails'],
    files: {
      'api/controllers/account/update.js': `const s = require('../../../s');\nmodule.exports = { inputs: {}, exits: {}, fn: async function ({ name }) { return s.read(name); } };`,
      'api/models/User.js': `const s = require('../../s');\nmodule.exports = { attributes: {}, beforeCreate: function (values, proceed) { s.hash(values); return proceed(); }, customToJSON() { s.idle(); } };`,
      's.js': `${READ}\nexports.hash = function hash() {};\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#read', 's.js#hash'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Adonis controllers and middleware',
    dependencies: ['@adonisjs/core'],
    files: {
      'app/controllers/users_controller.ts': `import { read, idle } from '../../s';\nexport default class UsersController {\n  constructor() { idle(); }\n  async index({ response }) { return response.json(read()); }\n}`,
      'app/Middleware/Auth.js': `const s = require('../../s');\nclass Auth { async handle({ request }, next) { s.check(request); await next(); } }\nmodule.exports = Auth;`,
      's.ts': `export function read() {}\nexport function check() {}\nexport function idle() {}`,
    },
    reached: ['s.ts#read', 's.ts#check'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'Moleculer actions',
    dependencies: ['moleculer'],
    files: {
      'services/math.service.js': `const s = require('../s');\nmodule.exports = { name: 'math', actions: { add(ctx) { return s.add(); }, sub: { params: {}, async handler(ctx) { return s.sub(); } } }, methods: { idle() { s.idle(); } } };`,
      's.js': `exports.add = function add() {};\nexports.sub = function sub() {};\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#add', 's.js#sub'],
    idle: ['s.js#idle'],
  },
  {
    name: 'oRPC procedures',
    files: {
      'users.ts': `import { publicProcedure } from './orpc';\nimport { read } from './s';\nexport const list = publicProcedure.route({ method: 'GET' }).input(1).handler(async ({ input }) => read(input));`,
      'orpc.ts': `export const publicProcedure = 1;`,
      's.ts': `export function read() {}`,
    },
    reached: ['s.ts#read'],
  },
  {
    name: 'messages of a bot',
    files: {
      'bot.js': `const { Client, Events } = require('discord.js');\nconst s = require('./s');\nconst client = new Client({});\nclient.once(Events.ClientReady, () => s.idle());\nclient.on(Events.MessageCreate, (message) => s.read(message));`,
      's.js': `${READ}\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#read'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Mongoose virtuals',
    files: {
      'user.js': `const mongoose = require('mongoose');\nconst s = require('./s');\nconst schema = new mongoose.Schema({});\nschema.virtual('password').get(function () { return s.show(); }).set(function (password) { s.hash(password); });\nschema.set('toJSON', { transform: () => s.idle() });\nsettings.set('a', () => s.idle());`,
      's.js': `exports.hash = function hash() {};\nexports.show = function show() {};\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#hash', 's.js#show'],
    idle: ['s.js#idle'],
  },
  {
    name: 'events of Firebase',
    files: {
      'first.js': `const functions = require('firebase-functions/v1');\nconst s = require('./s');\nexports.image = functions.storage.object().onFinalize(async (object) => { s.first(object); });\nexports.user = functions.runWith({ memory: '1GB' }).auth.user().onCreate((user) => s.user(user));`,
      'second.ts': `import { onObjectFinalized } from 'firebase-functions/v2/storage';\nimport { onSchedule } from 'firebase-functions/scheduler';\nimport { second, third, idle } from './t';\nexport const image = onObjectFinalized({ cpu: 2 }, async (event) => { second(event); });\nexport const daily = onSchedule('every day', () => third());\nidle();`,
      's.js': `exports.first = function first() {};\nexports.user = function user() {};`,
      't.ts': `export function second() {}\nexport function third() {}\nexport function idle() {}`,
    },
    reached: ['s.js#first', 's.js#user', 't.ts#second', 't.ts#third'],
    idle: ['t.ts#idle'],
  },
  {
    name: 'resolvers of Pothos, Nexus and graphql-js, and what makes their context',
    dependencies: ['@pothos/core', 'nexus'],
    files: {
      'pothos.ts': `import { builder } from './builder';\nimport { me, list, idle } from './s';\nbuilder.queryField('me', (t) => t.field({ type: 'User', resolve: (root, args, ctx) => me() }));\nbuilder.objectType('User', { fields: (t) => ({ list: t.stringList({ nullable: true, resolve: async () => list() }) }), isTypeOf: () => idle() });`,
      'nexus.ts': `import { objectType, queryField } from 'nexus';\nimport { first, second } from './s';\nexport const Query = objectType({ name: 'Query', definition(t) { t.field('a', { type: 'String', resolve(root, args, ctx) { return first(); } }); } });\nexport const b = queryField('b', { type: 'String', resolve: () => second() });`,
      'schema.ts': `import { GraphQLObjectType } from 'graphql';\nimport { third } from './s';\nexport const Query = new GraphQLObjectType({ name: 'Query', fields: { a: { type: Text, resolve: () => third() } } });`,
      'server.ts': `import { startStandaloneServer } from '@apollo/server/standalone';\nimport { user } from './s';\nstartStandaloneServer(server, { context: async ({ req }) => ({ user: user() }), listen: { port: 1 } });`,
      's.ts': ['me', 'list', 'first', 'second', 'third', 'user', 'idle'].map((name) => `export function ${name}() {}`).join('\n'),
    },
    reached: ['s.ts#me', 's.ts#list', 's.ts#first', 's.ts#second', 's.ts#third', 's.ts#user'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'server functions, methods of a hapi server, parts of middy, workers of a queue in memory',
    dependencies: ['@hapi/hapi'],
    files: {
      'fn.ts': `import { createServerFn } from '@tanstack/react-start';\nimport { get } from './s';\nexport const load = createServerFn({ method: 'GET' }).validator((id) => id).handler(async () => get());`,
      'methods.js': `const s = require('./s');\nmodule.exports = (server) => { server.method('users.load', (id) => s.load(id), { cache: {} }); };`,
      'handler.ts': `import middy from '@middy/core';\nimport { check, base, idle } from './s';\nexport const handler = middy(async (event) => base()).use(auth());\nfunction auth() { idle(); return { before: async (request) => { check(); } }; }`,
      'queue.js': `const async = require('async');\nconst s = require('./s');\nconst queue = async.queue((task, callback) => { s.work(task); callback(); }, 2);`,
      's.ts': ['get', 'load', 'check', 'base', 'work', 'idle'].map((name) => `export function ${name}() {}`).join('\n'),
    },
    reached: ['s.ts#get', 's.ts#load', 's.ts#check', 's.ts#base', 's.ts#work'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'files of events and commands of bots',
    dependencies: ['discord.js', '@slack/bolt', 'telegraf'],
    files: {
      'index.js': `const { Client } = require('discord.js');\nconst fs = require('fs');\nconst client = new Client({});\nfor (const file of fs.readdirSync('./events')) {\n  const event = require('./events/' + file);\n  client.on(event.name, (...args) => event.execute(...args));\n}\nclient.on('debug', () => require('./s').idle());`,
      'events/mail.js': `const s = require('../s');\nmodule.exports = { name: 'messageCreate', execute(mail) { s.first(mail); } };`,
      'slack.js': `const s = require('./s');\nmodule.exports.register = (app) => { app.command('/x', run); };\nconst run = async ({ ack }) => { s.second(); };`,
      'telegram.js': `const { Telegraf, Scenes } = require('telegraf');\nconst s = require('./s');\nnew Telegraf('x').start((ctx) => s.third());`,
      's.js': ['first', 'second', 'third', 'idle'].map((name) => `exports.${name} = function ${name}() {};`).join('\n'),
    },
    reached: ['s.js#first', 's.js#second', 's.js#third'],
    idle: ['s.js#idle'],
  },
  {
    name: 'events of Azure, services of gRPC',
    files: {
      'f.js': `const { app } = require('@azure/functions');\nconst s = require('./s');\napp.timer('t', { schedule: '* * *', handler: (timer, context) => s.first() });\napp.storageQueue('q', { queueName: 'x', handler: async (item) => { s.second(item); } });`,
      'g.js': `const grpc = require('@grpc/grpc-js');\nconst s = require('./s');\nfunction get(request, finish) { finish(null, s.third()); }\nnew grpc.Server().addService(proto, { get });`,
      's.js': ['first', 'second', 'third', 'idle'].map((name) => `exports.${name} = function ${name}() {};`).join('\n'),
    },
    reached: ['s.js#first', 's.js#second', 's.js#third'],
    idle: ['s.js#idle'],
  },
  {
    name: 'what a framework puts together: methods beside the actions of a service',
    dependencies: ['moleculer'],
    files: {
      'u.service.js': `const s = require('./s');\nmodule.exports = { name: 'u', actions: { list: { async handler(ctx) { return this.loadUsers(); } } }, methods: { loadUsers() { return s.load(); }, showUsers() { s.idle(); } } };`,
      's.js': `exports.load = function load() {};\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#load'],
    idle: ['s.js#idle'],
  },
];
