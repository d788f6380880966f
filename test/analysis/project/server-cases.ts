import type { App } from './support.ts';

const S = `exports.load = function load() {};\nexports.idle = function idle() {};`;

/** More kinds of servers, each with a service in another file. */
export const serverCases: readonly App[] = [
  {
    name: 'a Lambda handler',
    files: {
      'handler.js': `const s = require('./s');\nmodule.exports.run = async (event, context) => ({ body: s.load(event.body), id: context.awsRequestId });`,
      's.js': S,
    },
    reached: ['s.js#load'],
    idle: ['s.js#idle'],
  },
  {
    name: 'hapi routes in a table of another file',
    files: {
      'server.js': `const Hapi = require('@hapi/hapi');\nconst server = Hapi.server();\nserver.route(require('./routes'));`,
      'routes.js': `const c = require('./c');\nmodule.exports = [{ method: 'GET', path: '/a', handler: c.show }, { method: 'GET', path: '/b', options: { handler: c.list } }];`,
      'c.js': `const s = require('./s');\nexports.show = (request, h) => s.load();\nexports.list = (request, h) => s.scan();`,
      's.js': `exports.load = function load() {};\nexports.scan = function scan() {};`,
    },
    reached: ['s.js#load GET /a', 's.js#scan'],
  },
  {
    name: 'Koa with a router and a service class',
    files: {
      'app.js': `const Koa = require('koa');\nconst router = require('./router');\nconst app = new Koa();\napp.use(router.routes());`,
      'router.js': `const Router = require('@koa/router');\nconst users = require('./users');\nconst router = new Router({ prefix: '/users' });\nrouter.get('/:id', users.show);\nmodule.exports = router;`,
      'users.js': `const Service = require('./s');\nconst service = new Service();\nexports.show = async (ctx) => { ctx.body = await service.load(ctx.params.id); };`,
      's.js': `module.exports = class Service { async load() {} async idle() {} };`,
    },
    reached: ['s.js#load GET /users/:id'],
    idle: ['s.js#idle'],
  },
  {
    name: 'SvelteKit, Nuxt and Remix',
    files: {
      'src/routes/a/+server.ts': `import { load } from '$lib/s';\nexport function GET() { return new Response(load()); }`,
      'src/lib/s.ts': `export function load() { return ''; }`,
      'server/api/b.ts': `import { scan } from '../s2';\nexport default defineEventHandler(() => scan());`,
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
      'server/main.js': `import { Meteor } from 'meteor/meteor';\nimport { load, feed } from './s';\nMeteor.methods({ 'users.load'(id) { return load(id); } });\nMeteor.publish('feed', function () { return feed(); });\nMeteor.startup(() => boot());\nfunction boot() {}`,
      'server/s.js': `export function load() {}\nexport function feed() {}`,
    },
    reached: ['server/s.js#load', 'server/s.js#feed'],
    idle: ['server/main.js#boot'],
  },
  {
    name: 'an endpoint table that a loop registers',
    files: {
      'app.js': `const express = require('express');\nconst endpoints = require('./endpoints');\nconst app = express();\nconst http = (endpoint) => async (req, res) => res.json(await endpoint.query({ options: req.query }));\nfor (const name of Object.keys(endpoints)) app.get('/' + name, http(endpoints[name]));`,
      'endpoints/index.js': `module.exports = { get posts() { return require('./posts'); }, users: require('./users') };`,
      'endpoints/posts.js': `const s = require('../s');\nmodule.exports = { docName: 'posts', query(frame) { return s.load(frame); } };`,
      'endpoints/users.js': `const s = require('../s');\nmodule.exports = { query(frame) { return s.scan(frame); } };`,
      's.js': `exports.load = function load() {};\nexports.scan = function scan() {};\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#scan', 's.js#load'],
    idle: ['s.js#idle'],
  },
  {
    name: 'inversify',
    files: {
      'app.ts': `import { Container } from 'inversify';\nimport express from 'express';\nimport { Users } from './users';\nimport { FileStore } from './store';\nconst container = new Container();\ncontainer.bind('Store').to(FileStore);\ncontainer.bind(Users).toSelf();\nconst app = express();\napp.get('/a', (req, res) => res.send(container.get(Users).all()));`,
      'users.ts': `import { inject, injectable } from 'inversify';\n@injectable()\nexport class Users { constructor(@inject('Store') private store: any) {} all() { return this.store.read(); } }`,
      'store.ts': `export class FileStore { read() {} idle() {} }`,
    },
    reached: ['store.ts#read GET /a'],
    idle: ['store.ts#idle'],
  },
  {
    name: 'Nest guards, interceptors, message patterns and gateways',
    files: {
      'a.guard.ts': `import { CanActivate, Injectable } from '@nestjs/common';\nimport { S } from './s';\n@Injectable()\nexport class AGuard implements CanActivate { constructor(private s: S) {} canActivate() { return this.s.load(); } }`,
      'b.gateway.ts': `import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';\nimport { S } from './s';\n@WebSocketGateway()\nexport class B { constructor(private s: S) {} @SubscribeMessage('x') on() { return this.s.scan(); } }`,
      's.ts': `export class S { load() {} scan() {} idle() {} }`,
    },
    reached: ['s.ts#load', 's.ts#scan'],
    idle: ['s.ts#idle'],
  },
  {
    name: 'a service that is an object made by a function',
    files: {
      'app.js': `const app = require('express')();\nconst db = require('./db')();\nconst users = require('./users')({ db });\napp.get('/a', users.show);`,
      'users.js': `module.exports = ({ db }) => ({ show(req, res) { res.send(db.read()); } });`,
      'db.js': `module.exports = function makeDb() { return { read() { deep(); }, idle() {} }; };\nfunction deep() {}`,
    },
    reached: ['db.js#deep GET /a'],
    idle: ['db.js#idle'],
  },
  {
    name: 'a singleton class and its accessors',
    files: {
      'app.ts': `import express from 'express';\nimport { Config } from './config';\nconst app = express();\napp.get('/a', (req, res) => { res.send(Config.instance.read() + Config.get().scan()); });`,
      'config.ts': `export class Config { private static own: Config; static get instance() { return Config.own; } static get() { if (!Config.own) Config.own = new Config(); return Config.own; } read() {} scan() {} idle() {} }`,
    },
    reached: ['config.ts#read', 'config.ts#scan'],
    idle: ['config.ts#idle'],
  },
  {
    name: 'validation middleware from a factory in another file',
    files: {
      'routes.js': `const router = require('express').Router();\nconst { validate } = require('./validate');\nrouter.post('/a', validate({}), (req, res) => res.end());\nmodule.exports = router;`,
      'validate.js': `exports.validate = (schema) => { prepare(); return (req, res, next) => { check(schema, req.body); next(); }; };\nfunction check() {}\nfunction prepare() {}`,
    },
    reached: ['validate.js#check POST /a'],
    idle: ['validate.js#prepare'],
  },
  {
    name: 'a worker thread and a child process are not the loop',
    files: {
      'app.js': `const { Worker } = require('worker_threads');\nconst app = require('express')();\napp.get('/a', (req, res) => { new Worker('./job.worker.js'); res.end(); });`,
      'job.worker.js': `const { parentPort } = require('worker_threads');\nparentPort.on('message', () => crunch());\nfunction crunch() {}`,
    },
    idle: ['job.worker.js#crunch'],
  },
];
