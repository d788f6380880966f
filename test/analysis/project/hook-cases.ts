// Projects whose models, queues, and jobs call functions.
import type { App } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const READ = `exports.read = function read() {};`;

/** What a request, a job or a model runs by way of a package's options, base classes and file names. */
export const hookCases: readonly App[] = [
  {
    name: 'the client of discord.js that an interaction has, and a client of something else',
    dependencies: ['discord.js', 'pg'],
    files: {
      'bot.js': dedent`
        const { Client, Events } = require('discord.js');
        const client = new Client({ intents: [] });
        require('./commands').load(client);
        client.on(Events.InteractionCreate, async (interaction) => {
          const command = interaction.client.commands.get(interaction.commandName);
          await command.execute(interaction);
        });
      `,
      'pool.js': dedent`
        const { Client } = require('pg');
        const client = new Client();
        client.commands = new Map([['other', require('./commands/other')]]);
      `,
      'commands/index.js': dedent`
        const { Collection } = require('discord.js');
        exports.load = async function load(client) {
          const commands = new Collection();
          const { save } = await import('./save.js');
          commands.set(save.data.name, save);
          client.commands = commands;
        };
      `,
      'commands/save.js': `exports.save = { data: { name: 'save' }, async execute(interaction) { await interaction.reply('saved'); } };`,
      'commands/other.js': `exports.execute = async function other(interaction) {};`,
    },
    reached: ['commands/save.js#execute'],
    idle: ['commands/other.js#other'],
  },
  {
    name: 'the client of a database, in a program that has a bot, too',
    dependencies: ['discord.js', 'express'],
    files: {
      'bot.js': dedent`
        const { Client } = require('discord.js');
        const s = require('./s');
        const client = new Client({});
        client.helper = { query() { s.scan(); } };
        client.login('token');
        const app = require('express')();
        app.get('/a', (req, res) => { run({ client: { helper: { query() { s.read(); } } } }); res.end(); });
        function run(db) { db.client.helper.query('x'); }
        app.listen(3000);
      `,
      's.js': `${READ}\nexports.scan = function scan() {};`,
    },
    reached: ['s.js#read GET /a'],
    idle: ['s.js#scan'],
  },
  {
    name: 'Mongoose hooks',
    files: {
      'user.js': dedent`
        const mongoose = require('mongoose');
        const s = require('./s');
        const schema = new mongoose.Schema({});
        schema.pre('save', function (next) { s.read(); next(); });
        schema.post(/^find/, () => s.find());
        schema.pre('/users', () => s.idle());
        schema.post('init', () => s.idle());
        module.exports = mongoose.model('User', schema);
      `,
      's.js': dedent`
        ${READ}
        exports.find = function find() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#read', 's.js#find'],
    idle: ['s.js#idle'],
  },
  {
    name: 'consumers of rabbitmq-client, on a connection that is a field',
    files: {
      'queue.ts': dedent`
        import { Connection } from 'rabbitmq-client';
        import * as s from './s.ts';
        export class Queue {
          constructor(private rabbit: Connection) {}
          listen() {
            this.rabbit.createConsumer({ queue: 'mails' }, async (req, reply) => { s.send(req.body); await reply({}); });
          }
        }
      `,
      's.ts': 'export function send() {} export function idle() {}',
    },
    reached: ['s.ts#send'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'Sequelize hooks',
    dependencies: ['sequelize'],
    files: {
      'account.js': dedent`
        const s = require('./s');
        module.exports = (sequelize, DataTypes) => {
          const Account = sequelize.define('Account', {}, { hooks: { beforeCreate: (one) => s.create(one) } });
          Account.beforeSave((one) => s.save(one));
          Account.addHook('afterFind', (one) => s.find(one));
          Account.addHook('beforeDefine', () => s.idle());
          Account.init(() => s.started());
          return Account;
        };
      `,
      's.js': dedent`
        exports.create = function create() {};
        exports.save = function save() {};
        exports.find = function find() {};
        exports.idle = function idle() {};
        exports.started = function started() {};
      `,
    },
    reached: ['s.js#create', 's.js#save', 's.js#find'],
    idle: ['s.js#idle', 's.js#started'],
  },
  {
    name: 'hooks of Sequelize for rows in bulk, of models with and without any',
    dependencies: ['sequelize'],
    files: {
      'models.js': dedent`
        const s = require('./s');
        module.exports = (sequelize) => {
          sequelize.define('User', {}, { hooks: { beforeBulkCreate: () => s.idle(), beforeCreate: () => s.create() } });
          sequelize.define('Game', {}, { hooks: { beforeBulkCreate: () => s.games() } });
          sequelize.define('UserRole', {}, { hooks: { afterBulkCreate: () => s.roles() } });
        };
      `,
      'api.js': dedent`
        exports.fill = (db, rows) => db.Games.bulkCreate(rows);
        exports.relate = (db) => db.Person.belongsToMany(db.Role, { through: 'UserRole' });
      `,
      's.js': dedent`
        exports.idle = function idle() {};
        exports.create = function create() {};
        exports.games = function games() {};
        exports.roles = function roles() {};
      `,
    },
    reached: ['s.js#create', 's.js#games', 's.js#roles'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a hook of Sequelize for rows in bulk, of whatever model',
    dependencies: ['sequelize'],
    files: {
      'models.js': dedent`
        const s = require('./s');
        module.exports = (sequelize) => sequelize.define('User', {}, { hooks: { beforeBulkCreate: () => s.read() } });
      `,
      'api.js': 'exports.fill = (model, rows) => model.bulkCreate(rows);',
      's.js': READ,
    },
    reached: ['s.js#read'],
    idle: [],
  },
  {
    name: 'TypeORM listeners',
    files: {
      'user.ts': dedent`
        import { Entity, BeforeInsert } from 'typeorm';
        import { read, idle } from './s';
        @Entity()
        export class User { @BeforeInsert() hash() { read(); } other() { idle(); } }
      `,
      's.ts': `export function read() {}\nexport function idle() {}`,
    },
    reached: ['s.ts#read'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'headers of each file that is served',
    files: {
      'app.js': dedent`
        const express = require('express');
        const sirv = require('sirv');
        const send = require('koa-send');
        const reports = require('./reports');
        const s = require('./s');
        const app = express();
        app.use(express.static('public', { setHeaders: (res, path) => s.read(path), extensions: s.list() }));
        app.use(reports({ setHeaders: () => s.idle() }));
        app.use(sirv('build', { setHeaders: s.filter }));
        exports.download = (ctx) => send(ctx, ctx.path, { setHeaders() { s.add(); } });
      `,
      'reports.js': 'module.exports = (options) => { const kept = options; return (req, res) => res.send(String(kept)); };',
      'fastify.mjs': dedent`
        import Fastify from 'fastify';
        import files from '@fastify/static';
        import other from 'other-plugin';
        import * as s from './s.js';
        const app = Fastify();
        app.register(files, { root: '/srv', setHeaders: (reply, path) => s.stat(path) });
        app.register(other, { setHeaders: () => s.once() });
      `,
      's.js': dedent`
        ${READ}
        exports.filter = function filter() {};
        exports.add = function add() {};
        exports.stat = function stat() {};
        exports.list = function list() {};
        exports.once = function once() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#read', 's.js#filter', 's.js#add', 's.js#stat'],
    idle: ['s.js#list', 's.js#once', 's.js#idle'],
  },
  {
    name: 'multer, whatever the parameters are called',
    files: {
      'upload.js': dedent`
        const multer = require('multer');
        const s = require('./s');
        const storage = multer.diskStorage({ destination: (_, __, cb) => { s.read(); cb(null, 'up'); } });
        module.exports = multer({ storage, fileFilter: s.filter, limits: { a: () => s.idle() } });
      `,
      's.js': dedent`
        ${READ}
        exports.filter = function filter() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#read', 's.js#filter'],
    idle: ['s.js#idle'],
  },
  {
    name: 'NextAuth providers and callbacks',
    files: {
      'auth.ts': dedent`
        import NextAuth from 'next-auth';
        import CredentialsProvider from 'next-auth/providers/credentials';
        import { check, extend } from './s';
        const providers = [];
        providers.push(CredentialsProvider({ name: 'x', async authorize(credentials) { return check(credentials); } }));
        const options = { providers, callbacks: { async jwt({ token }) { return extend(token); } } };
        export default NextAuth(options);
      `,
      's.ts': `export function check() {}\nexport function extend() {}`,
    },
    reached: ['s.ts#check', 's.ts#extend'],
  },
  {
    name: 'options of better-auth, at any depth',
    files: {
      'auth.ts': dedent`
        import { betterAuth } from 'better-auth';
        import { hash, verify, greet, idle } from './s';
        const make = () =>
          betterAuth({
            emailAndPassword: { enabled: true, password: { async hash(text) { return hash(text); }, async verify({ text }) { return verify(text); } } },
            databaseHooks: { user: { create: { before: async (user) => greet(user) } } },
            unknown: { run: () => idle() },
          });
        export const auth = make();
      `,
      's.ts': dedent`
        export function hash() {}
        export function verify() {}
        export function greet() {}
        export function idle() {}
      `,
    },
    reached: ['s.ts#hash', 's.ts#verify', 's.ts#greet'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'Feathers services and hooks',
    dependencies: ['@feathersjs/feathers'],
    files: {
      'messages.service.js': dedent`
        const { Messages } = require('./messages.class');
        const hooks = require('./messages.hooks');
        module.exports = function (app) {
          app.use('/messages', new Messages());
          app.service('messages').hooks(hooks);
        };
      `,
      'messages.class.js': dedent`
        const s = require('./s');
        class Base { async get(id) { return s.get(id); } }
        exports.Messages = class Messages extends Base { async find(params) { return s.read(params); } setup() { s.idle(); } };
      `,
      'messages.hooks.js': dedent`
        const s = require('./s');
        const log = async (context) => { s.log(context); };
        module.exports = { before: { all: [log], create: [] } };
      `,
      's.js': dedent`
        ${READ}
        exports.get = function get() {};
        exports.log = function log() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#read', 's.js#get', 's.js#log'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Nest queues, events and Passport strategies',
    files: {
      'files.processor.ts': dedent`
        import { Processor, WorkerHost } from '@nestjs/bullmq';
        import { Process, Processor as Old } from '@nestjs/bull';
        import { OnEvent } from '@nestjs/event-emitter';
        import { Injectable } from '@nestjs/common';
        import { PassportStrategy } from '@nestjs/passport';
        import { Strategy } from 'passport-local';
        import * as s from './s';
        @Processor('files')
        export class Files extends WorkerHost { async process(job) { s.first(job); } other() { s.idle(); } }
        @Old('x')
        export class Older { @Process() run(job) { s.second(job); } }
        @Injectable()
        export class Listener { @OnEvent('made') made() { s.third(); } }
        @Injectable()
        export class Local extends PassportStrategy(Strategy) { constructor() { super(); } async validate(name, password) { s.fourth(); } }
      `,
      's.ts': dedent`
        export function first() {}
        export function second() {}
        export function third() {}
        export function fourth() {}
        export function idle() {}
      `,
    },
    reached: ['s.ts#first', 's.ts#second', 's.ts#third', 's.ts#fourth'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'Sails actions and models',
    dependencies: ['sails'],
    files: {
      'api/controllers/account/update.js': dedent`
        const s = require('../../../s');
        module.exports = { inputs: {}, exits: {}, fn: async function ({ name }) { return s.read(name); } };
      `,
      'api/models/User.js': dedent`
        const s = require('../../s');
        module.exports = { attributes: {}, beforeCreate: function (values, proceed) { s.hash(values); return proceed(); }, customToJSON() { s.idle(); } };
      `,
      's.js': dedent`
        ${READ}
        exports.hash = function hash() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#read', 's.js#hash'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Sails makes its services globals',
    dependencies: ['sails'],
    layout: { packages: [{ root: '/project' }], aliases: [] },
    files: {
      'api/controllers/UserController.js': dedent`
        module.exports = { create: function (req, res) { UserService.create(req, res); } };
      `,
      'api/services/UserService.js': dedent`
        const s = require('../../s');
        module.exports = {
          create: function (req, res) { res.send(s.read(req.body)); },
          update: function (req, res) { res.send(s.idle(req.body)); },
        };
      `,
      's.js': dedent`
        ${READ}
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#read'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Adonis controllers and middleware',
    dependencies: ['@adonisjs/core'],
    files: {
      'app/controllers/users_controller.ts': dedent`
        import { read, idle } from '../../s';
        export default class UsersController {
          constructor() { idle(); }
          async index({ response }) { return response.json(read()); }
        }
      `,
      'app/Middleware/Auth.js': dedent`
        const s = require('../../s');
        class Auth { async handle({ request }, next) { s.check(request); await next(); } }
        module.exports = Auth;
      `,
      's.ts': dedent`
        export function read() {}
        export function check() {}
        export function idle() {}
      `,
    },
    reached: ['s.ts#read', 's.ts#check'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'Moleculer actions',
    dependencies: ['moleculer'],
    files: {
      'services/math.service.js': dedent`
        const s = require('../s');
        module.exports = { name: 'math', actions: { add(ctx) { return s.add(); }, sub: { params: {}, async handler(ctx) { return s.sub(); } } }, methods: { idle() { s.idle(); } } };
      `,
      's.js': dedent`
        exports.add = function add() {};
        exports.sub = function sub() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#add', 's.js#sub'],
    idle: ['s.js#idle'],
  },
  {
    name: 'oRPC procedures',
    files: {
      'users.ts': dedent`
        import { publicProcedure } from './orpc';
        import { read } from './s';
        export const list = publicProcedure.route({ method: 'GET' }).input(1).handler(async ({ input }) => read(input));
      `,
      'orpc.ts': `export const publicProcedure = 1;`,
      's.ts': `export function read() {}`,
    },
    reached: ['s.ts#read'],
  },
  {
    name: 'messages of a bot',
    files: {
      'bot.js': dedent`
        const { Client, Events } = require('discord.js');
        const s = require('./s');
        const client = new Client({});
        client.once(Events.ClientReady, () => s.idle());
        client.on(Events.MessageCreate, (message) => s.read(message));
      `,
      's.js': `${READ}\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#read'],
    idle: ['s.js#idle'],
  },
  {
    name: 'Mongoose virtuals',
    files: {
      'user.js': dedent`
        const mongoose = require('mongoose');
        const s = require('./s');
        const schema = new mongoose.Schema({});
        schema.virtual('password').get(function () { return s.show(); }).set(function (password) { s.hash(password); });
        schema.set('toJSON', { transform: () => s.idle() });
        settings.set('a', () => s.idle());
      `,
      's.js': dedent`
        exports.hash = function hash() {};
        exports.show = function show() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#hash', 's.js#show'],
    idle: ['s.js#idle'],
  },
  {
    name: 'events of Firebase',
    files: {
      'first.js': dedent`
        const functions = require('firebase-functions/v1');
        const s = require('./s');
        exports.image = functions.storage.object().onFinalize(async (object) => { s.first(object); });
        exports.user = functions.runWith({ memory: '1GB' }).auth.user().onCreate((user) => s.user(user));
      `,
      'second.ts': dedent`
        import { onObjectFinalized } from 'firebase-functions/v2/storage';
        import { onSchedule } from 'firebase-functions/scheduler';
        import { second, third, idle } from './t';
        export const image = onObjectFinalized({ cpu: 2 }, async (event) => { second(event); });
        export const daily = onSchedule('every day', () => third());
        idle();
      `,
      's.js': dedent`
        exports.first = function first() {};
        exports.user = function user() {};
      `,
      't.ts': dedent`
        export function second() {}
        export function third() {}
        export function idle() {}
      `,
    },
    reached: ['s.js#first', 's.js#user', 't.ts#second', 't.ts#third'],
    idle: ['t.ts#idle'],
  },
  {
    name: 'resolvers of Pothos, Nexus and graphql-js, and what makes their context',
    dependencies: ['@pothos/core', 'nexus'],
    files: {
      'pothos.ts': dedent`
        import { builder } from './builder';
        import { me, list, idle } from './s';
        builder.queryField('me', (t) => t.field({ type: 'User', resolve: (root, args, ctx) => me() }));
        builder.objectType('User', { fields: (t) => ({ list: t.stringList({ nullable: true, resolve: async () => list() }) }), isTypeOf: () => idle() });
      `,
      'nexus.ts': dedent`
        import { objectType, queryField } from 'nexus';
        import { first, second } from './s';
        export const Query = objectType({ name: 'Query', definition(t) { t.field('a', { type: 'String', resolve(root, args, ctx) { return first(); } }); } });
        export const b = queryField('b', { type: 'String', resolve: () => second() });
      `,
      'schema.ts': dedent`
        import { GraphQLObjectType } from 'graphql';
        import { third } from './s';
        export const Query = new GraphQLObjectType({ name: 'Query', fields: { a: { type: Text, resolve: () => third() } } });
      `,
      'server.ts': dedent`
        import { startStandaloneServer } from '@apollo/server/standalone';
        import { user } from './s';
        startStandaloneServer(server, { context: async ({ req }) => ({ user: user() }), listen: { port: 1 } });
      `,
      's.ts': ['me', 'list', 'first', 'second', 'third', 'user', 'idle'].map((name) => `export function ${name}() {}`).join('\n'),
    },
    reached: ['s.ts#me', 's.ts#list', 's.ts#first', 's.ts#second', 's.ts#third', 's.ts#user'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'server functions, methods of a hapi server, parts of middy, workers of a queue in memory',
    dependencies: ['@hapi/hapi'],
    files: {
      'fn.ts': dedent`
        import { createServerFn } from '@tanstack/react-start';
        import { get } from './s';
        export const load = createServerFn({ method: 'GET' }).validator((id) => id).handler(async () => get());
      `,
      'methods.js': dedent`
        const s = require('./s');
        module.exports = (server) => { server.method('users.load', (id) => s.load(id), { cache: {} }); };
      `,
      'handler.ts': dedent`
        import middy from '@middy/core';
        import { check, base, idle } from './s';
        export const handler = middy(async (event) => base()).use(auth());
        function auth() { idle(); return { before: async (request) => { check(); } }; }
      `,
      'queue.js': dedent`
        const async = require('async');
        const s = require('./s');
        const queue = async.queue((task, callback) => { s.work(task); callback(); }, 2);
      `,
      's.ts': ['get', 'load', 'check', 'base', 'work', 'idle'].map((name) => `export function ${name}() {}`).join('\n'),
    },
    reached: ['s.ts#get', 's.ts#load', 's.ts#check', 's.ts#base', 's.ts#work'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'files of events and commands of bots',
    dependencies: ['discord.js', '@slack/bolt', 'telegraf'],
    files: {
      'index.js': dedent`
        const { Client } = require('discord.js');
        const fs = require('fs');
        const client = new Client({});
        for (const file of fs.readdirSync('./events')) {
          const event = require('./events/' + file);
          client.on(event.name, (...args) => event.execute(...args));
        }
        client.on('debug', () => require('./s').idle());
      `,
      'events/mail.js': dedent`
        const s = require('../s');
        module.exports = { name: 'messageCreate', execute(mail) { s.first(mail); } };
      `,
      'slack.js': dedent`
        const s = require('./s');
        module.exports.register = (app) => { app.command('/x', run); };
        const run = async ({ ack }) => { s.second(); };
      `,
      'telegram.js': dedent`
        const { Telegraf, Scenes } = require('telegraf');
        const s = require('./s');
        new Telegraf('x').start((ctx) => s.third());
      `,
      's.js': ['first', 'second', 'third', 'idle'].map((name) => `exports.${name} = function ${name}() {};`).join('\n'),
    },
    reached: ['s.js#first', 's.js#second', 's.js#third'],
    idle: ['s.js#idle'],
  },
  {
    name: 'events of Azure, services of gRPC',
    files: {
      'f.js': dedent`
        const { app } = require('@azure/functions');
        const s = require('./s');
        app.timer('t', { schedule: '* * *', handler: (timer, context) => s.first() });
        app.storageQueue('q', { queueName: 'x', handler: async (item) => { s.second(item); } });
      `,
      'g.js': dedent`
        const grpc = require('@grpc/grpc-js');
        const s = require('./s');
        function get(request, finish) { finish(null, s.third()); }
        new grpc.Server().addService(proto, { get });
      `,
      's.js': ['first', 'second', 'third', 'idle'].map((name) => `exports.${name} = function ${name}() {};`).join('\n'),
    },
    reached: ['s.js#first', 's.js#second', 's.js#third'],
    idle: ['s.js#idle'],
  },
  {
    name: 'what a framework puts together: methods beside the actions of a service',
    dependencies: ['moleculer'],
    files: {
      'u.service.js': dedent`
        const s = require('./s');
        module.exports = { name: 'u', actions: { list: { async handler(ctx) { return this.loadUsers(); } } }, methods: { loadUsers() { return s.load(); }, showUsers() { s.idle(); } } };
      `,
      's.js': dedent`
        exports.load = function load() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#load'],
    idle: ['s.js#idle'],
  },
];
