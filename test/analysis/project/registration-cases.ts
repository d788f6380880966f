import type { App } from './support.ts';

const S = `exports.load = function load() {};\nexports.scan = function scan() {};\nexports.idle = function idle() {};`;

/** How routes come to their handlers: wrappers, helpers that register what they are given, tables and loops over them. */
export const registrationCases: readonly App[] = [
  {
    name: 'controllers that are wrapped where they are written: each has its own route',
    files: {
      'app.js': `const app = require('express')();\nconst c = require('./c');\napp.get('/a', c.show);\napp.get('/b', c.list);`,
      'wrap.js': `exports.catchAsync = (fn) => (req, res, next) => { Promise.resolve(fn(req, res, next)).catch(next); };`,
      'c.js': `const { catchAsync } = require('./wrap');\nconst s = require('./s');\nexports.show = catchAsync(async () => s.load());\nexports.list = catchAsync(async () => s.scan());\nexports.unused = catchAsync(async () => s.idle());`,
      's.js': S,
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /b'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a wrapper that takes its settings first, and one that does something itself',
    files: {
      'app.js': `const app = require('express')();\nconst c = require('./c');\nconst { allow } = require('./wrap');\napp.get('/a', allow('admin')(c.show));\napp.get('/b', allow('user')(c.list));`,
      'wrap.js': `const s = require('./s');\nexports.allow = (role) => (handler) => async function guarded(req, res) { check(role); return handler(req, res); };\nfunction check() {}`,
      'c.js': `const s = require('./s');\nexports.show = () => s.load();\nexports.list = () => s.scan();\nexports.unused = () => s.idle();`,
      's.js': S,
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /b', 'wrap.js#check'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a cache that runs its function once is no wrapper',
    files: {
      'app.js': `const app = require('express')();\nconst { once } = require('./once');\nconst s = require('./s');\nconst settings = once(() => s.load());\napp.get('/a', (req, res) => res.send(settings()));`,
      'once.js': `exports.once = (fn) => { let value; return () => { if (value === undefined) value = fn(); return value; }; };`,
      's.js': S,
    },
    once: ['s.js#load'],
  },
  {
    name: 'what a wrapper also hands to an emitter',
    files: {
      'app.js': `const app = require('express')();\nconst bus = require('./bus');\nconst s = require('./s');\nbus.onSave(() => s.load());\napp.get('/a', (req, res) => { bus.save(); res.end(); });`,
      'bus.js': `const { EventEmitter } = require('events');\nconst emitter = new EventEmitter();\nexports.onSave = (fn) => { const listener = (...args) => fn(...args); emitter.on('save', listener); return listener; };\nexports.save = () => { emitter.emit('save', 1); };`,
      's.js': S,
    },
    reached: ['s.js#load GET /a'],
  },
  {
    name: 'a table of rows and the loop over it, in two files',
    files: {
      'routes.js': `const router = require('express').Router();\nconst table = require('./table');\nfor (const [method, path, handler] of table) router[method](path, handler);\nmodule.exports = router;`,
      'app.js': `const app = require('express')();\napp.use('/api', require('./routes'));`,
      'table.js': `const c = require('./c');\nmodule.exports = [['get', '/a', c.show], ['post', '/b/:id', c.list]];`,
      'c.js': `const s = require('./s');\nexports.show = () => s.load();\nexports.list = () => s.scan();\nexports.unused = () => s.idle();`,
      's.js': S,
    },
    reached: ['s.js#load GET /api/a', 's.js#scan POST /api/b/:id'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a table of objects, a callback over it, and a wrapper around each handler',
    files: {
      'routes.js': `const router = require('express').Router();\nconst table = require('./table');\nconst wrap = (fn) => (req, res, next) => Promise.resolve(fn(req, res)).catch(next);\ntable.forEach(({ method, path, handler }) => router[method.toLowerCase()](path, wrap(handler)));\nmodule.exports = router;`,
      'table.js': `const c = require('./c');\nmodule.exports = [{ method: 'GET', path: '/a', handler: c.show }, { method: 'POST', path: '/b', handler: c.list }];`,
      'c.js': `const s = require('./s');\nexports.show = () => s.load();\nexports.list = () => s.scan();`,
      's.js': S,
    },
    reached: ['s.js#load GET /a', 's.js#scan POST /b'],
  },
  {
    name: 'a table that a loop reads row by row, more rows than a variable may hold',
    files: {
      'app.js': `const app = require('express')();\nconst table = require('./table');\nfor (const route of table) {\n  const { handler } = route;\n  app[route.verb](\`/api\${route.url}\`, (req, res) => handler(req, res));\n}`,
      'table.js': `const s = require('./s');\nmodule.exports = [${Array.from({ length: 40 }, (_, i) => `{ verb: 'get', url: '/n${i}', handler: function h${i}() { return ${i === 39 ? 's.load()' : i}; } }`).join(', ')}];`,
      's.js': S,
    },
    reached: ['table.js#h0 GET /api/n0', 's.js#load GET /api/n39'],
    idle: ['s.js#idle'],
  },
  {
    name: 'helpers that register a page and wrap its controller',
    files: {
      'helpers.js': `const helpers = module.exports;\nhelpers.setupPage = function (...args) {\n  const [router, name] = args;\n  const middlewares = args.length > 3 ? args[args.length - 2] : [];\n  const controller = args[args.length - 1];\n  router.get(name, [auth, ...middlewares], helpers.tryRoute(controller));\n  router.get(\`/api\${name}\`, helpers.tryRoute(controller));\n};\nhelpers.setupApi = (router, verb, name, controller) => { router[verb](name, helpers.tryRoute(controller)); };\nhelpers.tryRoute = function (controller) {\n  if (controller.constructor.name === 'AsyncFunction') return async function wrapper(req, res, next) { try { await controller(req, res, next); } catch (err) { next(err); } };\n  return controller;\n};\nfunction auth(req, res, next) { next(); }`,
      'pages.js': `const { setupPage } = require('./helpers');\nconst c = require('./c');\nmodule.exports = (app) => { setupPage(app, '/a', c.show); setupPage(app, '/b', [], c.list); };`,
      'api.js': `const helpers = require('./helpers');\nconst c = require('./c');\nconst router = require('express').Router();\nhelpers.setupApi(router, 'post', '/c/:id', c.save);\nmodule.exports = router;`,
      'app.js': `const app = require('express')();\nrequire('./pages')(app);\napp.use('/v3', require('./api'));`,
      'c.js': `const s = require('./s');\nexports.show = async () => s.load();\nexports.list = async () => s.scan();\nexports.save = async () => s.store();\nexports.unused = async () => s.idle();`,
      's.js': `${S}\nexports.store = function store() {};`,
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /b', 's.js#store POST /v3/c/:id'],
    idle: ['s.js#idle'],
    routes: { 's.js#load': ['GET /a', 'GET /api/a'], 's.js#scan': ['GET /b', 'GET /api/b'], 's.js#store': ['POST /v3/c/:id'] },
  },
  {
    name: 'a function that makes the routes of a resource, for two of them',
    files: {
      'crud.js': `module.exports = function crud(router, path, controller) {\n  router.get(path, controller.list);\n  router.get(path + '/:id', (req, res) => controller.show(req, res));\n};`,
      'app.js': `const app = require('express')();\nconst crud = require('./crud');\ncrud(app, '/users', require('./users'));\ncrud(app, '/books', require('./books'));`,
      'users.js': `const s = require('./s');\nexports.list = () => s.load();\nexports.show = () => s.scan();`,
      'books.js': `exports.list = function list() {};\nexports.show = function show() {};`,
      's.js': S,
    },
    reached: ['s.js#load GET /users', 's.js#scan GET /users/:id', 'books.js#show GET /books/:id', 'books.js#list GET /books'],
    routes: { 's.js#load': ['GET /users'], 's.js#scan': ['GET /users/:id'], 'books.js#show': ['GET /books/:id'] },
  },
  {
    name: 'routers that are built in one chain and handed on as what it gives',
    files: {
      'main.ts': `import express from 'express';\nimport routes from './routes';\nconst app = express();\napp.use(routes);`,
      'routes.ts': `import { Router } from 'express';\nimport users from './users';\nimport tags from './tags';\nconst api = Router().use(users).use('/tags', tags);\nexport default Router().use('/api', api);`,
      'users.ts': `import { Router } from 'express';\nimport { load } from './s';\nconst router = Router();\nrouter.get('/users', (req, res) => res.send(load()));\nexport default router;`,
      'tags.ts': `import { Router } from 'express';\nimport { scan } from './s';\nexport default Router().get('/a', (req, res) => res.end()).get('/b', (req, res) => res.send(scan()));`,
      's.ts': `export function load() {}\nexport function scan() {}`,
    },
    reached: ['s.ts#load GET /api/users', 's.ts#scan GET /api/tags/b'],
  },
  {
    name: 'a router that is mounted twice',
    files: {
      'app.js': `const app = require('express')();\nconst users = require('./users');\napp.use('/v1/users', users);\napp.use('/v2/users', users);`,
      'users.js': `const router = require('express').Router();\nconst s = require('./s');\nrouter.route('/:id').get((req, res) => res.send(s.load()));\nmodule.exports = router;`,
      's.js': S,
    },
    reached: ['s.js#load GET /v1/users/:id'],
    routes: { 's.js#load': ['GET /v1/users/:id', 'GET /v2/users/:id'] },
  },
  {
    name: 'a factory of routers, called for two versions',
    files: {
      'app.js': `const app = require('express')();\nconst users = require('./users');\nconst s = require('./s');\napp.use('/v1', users({ s }));\napp.use('/v2', users({ s }));`,
      'users.js': `const { Router } = require('express');\nmodule.exports = ({ s }) => {\n  const router = Router();\n  router.get('/users', (req, res) => res.send(s.load()));\n  return router;\n};`,
      's.js': S,
    },
    reached: ['s.js#load GET /v1/users'],
    routes: { 's.js#load': ['GET /v1/users', 'GET /v2/users'] },
    idle: ['s.js#idle'],
  },
  {
    name: 'Koa: a router below another one, in another file',
    files: {
      'app.js': `const Koa = require('koa');\nconst Router = require('@koa/router');\nconst users = require('./users');\nconst app = new Koa();\nconst api = new Router({ prefix: '/api' });\napi.use('/users', users.routes(), users.allowedMethods());\napp.use(api.routes());`,
      'users.js': `const Router = require('@koa/router');\nconst s = require('./s');\nconst router = new Router();\nrouter.get('/:id', async (ctx) => { ctx.body = s.load(); });\nmodule.exports = router;`,
      's.js': S,
    },
    reached: ['s.js#load GET /api/users/:id'],
  },
  {
    name: 'Hono: an application below another one, in another file',
    files: {
      'app.ts': `import { Hono } from 'hono';\nimport users from './users';\nconst app = new Hono().basePath('/api');\napp.route('/users', users);\nexport default app;`,
      'users.ts': `import { Hono } from 'hono';\nimport { load } from './s';\nconst users = new Hono();\nusers.get('/:id', (c) => c.json(load()));\nexport default users;`,
      's.ts': `export function load() {}`,
    },
    reached: ['s.ts#load GET /api/users/:id'],
  },
  {
    name: 'a prefix that is a constant, put together, or a list',
    files: {
      'app.js': `const app = require('express')();\nconst API = '/api';\nconst VERSION = 'v1';\napp.use(\`\${API}/\${VERSION}/users\`, require('./users'));\napp.use([API + '/books', '/books'], require('./books'));`,
      'users.js': `const router = require('express').Router();\nconst s = require('./s');\nrouter.get('/:id', (req, res) => res.send(s.load()));\nmodule.exports = router;`,
      'books.js': `const router = require('express').Router();\nconst s = require('./s');\nrouter.get('/:id', (req, res) => res.send(s.scan()));\nmodule.exports = router;`,
      's.js': S,
    },
    reached: ['s.js#load GET /api/v1/users/:id', 's.js#scan GET /api/books/:id'],
    routes: { 's.js#scan': ['GET /api/books/:id', 'GET /books/:id'] },
  },
  ...(
    [
      ['forEach', 'TABLE.forEach((row) => {\n  api.use(row.path, row.router);\n});'],
      ['a loop', 'for (const { path, router } of TABLE) api.use(path, router);'],
      ['forEach with a pattern', 'TABLE.forEach(({ path, router }) => api.use(path, router));'],
    ] as const
  ).map(([how, mounts]) => ({
    name: `a table of routers, by ${how}`,
    files: {
      'app.js': `const app = require('express')();\napp.use('/api', require('./api'));`,
      'api.js': `const express = require('express');\nconst users = require('./users');\nconst api = express.Router();\nconst TABLE = [{ path: '/users', router: users }, { path: '/books', router: require('./books') }];\n${mounts}\nmodule.exports = api;`,
      'users.js': `const router = require('express').Router();\nconst s = require('./s');\nrouter.get('/:id', (req, res) => res.send(s.load()));\nmodule.exports = router;`,
      'books.js': `const router = require('express').Router();\nconst s = require('./s');\nrouter.get('/:id', (req, res) => res.send(s.scan()));\nmodule.exports = router;`,
      's.js': S,
    },
    reached: ['s.js#load GET /api/users/:id', 's.js#scan GET /api/books/:id'],
    routes: { 's.js#load': ['GET /api/users/:id'], 's.js#scan': ['GET /api/books/:id'] },
  })),
  {
    name: 'a table of routers in lists',
    files: {
      'app.js': `const app = require('express')();\nconst users = require('./users');\nconst books = require('./books');\nfor (const [path, router] of [['/users', users], ['/books', books]]) app.use(path, router);`,
      'users.js': `const router = require('express').Router();\nconst s = require('./s');\nrouter.get('/:id', (req, res) => res.send(s.load()));\nmodule.exports = router;`,
      'books.js': `const router = require('express').Router();\nconst s = require('./s');\nrouter.get('/:id', (req, res) => res.send(s.scan()));\nmodule.exports = router;`,
      's.js': S,
    },
    reached: ['s.js#load GET /users/:id', 's.js#scan GET /books/:id'],
    routes: { 's.js#load': ['GET /users/:id'] },
  },
  {
    name: 'a router that is mounted twice in its own file',
    files: {
      'app.js': `const express = require('express');\nconst s = require('./s');\nconst app = express();\nconst users = express.Router();\nusers.get('/:id', (req, res) => res.send(s.load()));\napp.use('/v1/users', users);\napp.use('/v2/users', users);`,
      's.js': S,
    },
    reached: ['s.js#load GET /v1/users/:id, /v2/users/:id'],
  },
];
