// Projects whose helpers register handlers, wrap them, or only look as if they did.
import type { App } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const S = dedent`
  exports.load = function load() {};
  exports.scan = function scan() {};
  exports.idle = function idle() {};
`;

/** How routes come to their handlers: wrappers, helpers that register what they are given, tables and loops over them. */
const SOCKET = `import { Server, Socket } from 'socket.io';\n`;

/** A program that names one of its routers; `loads` loads the other one. */
function besideNamed(name: string, loads: string): App {
  const router = (route: string): string => dedent`
    const router = require('express').Router();
    ${route}
    module.exports = router;
  `;
  return {
    name,
    files: {
      'server.js': dedent`
        const fs = require('node:fs');
        const path = require('node:path');
        const app = require('express')();
        app.use('/health', require('./routes/health'));
        ${loads}
        app.listen(3000);
      `,
      'paths.js': "exports.fromRoot = (file) => require('node:path').join(__dirname, file);",
      'routes/health.js': router("router.get('/', function inHealth(req, res) { res.end(); });"),
      'routes/users.js': router("router.get('/users', function inUsers(req, res) { res.end(); });"),
    },
    reached: ['routes/health.js#inHealth GET /health', 'routes/users.js#inUsers GET /users'],
    idle: [],
  };
}

export const registrationCases: readonly App[] = [
  {
    name: 'routes without a path that can be read, on a server that a caller passes, behind a wrapper',
    files: {
      'app.js': dedent`
        const restify = require('restify');
        const server = restify.createServer();
        require('./users')({}, server);
        server.listen(8080);
      `,
      'tools.js': `exports.responseWrapper = (middleware) => async (req, res) => { try { await middleware(req, res); } catch (error) { res.send(500); } };`,
      'users.js': dedent`
        const tools = require('./tools');
        const s = require('./s');
        module.exports = (db, server) => {
          server.get({ name: 'getUsers', path: pathOf('users') }, tools.responseWrapper(async (req, res) => { res.json(s.load(req.params)); }));
          other.get({ name: 'unused' }, () => s.idle());
        };
      `,
      's.js': S,
    },
    dependencies: ['restify'],
    reached: ['s.js#load'],
    idle: ['s.js#idle'],
  },
  {
    name: 'handlers that a helper wraps, compacts and spreads, for a method that a call tells: tables that lodash goes through',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const { compact } = require('lodash');
        const flatten = require('lodash/flatten');
        const { forEach, values } = require('lodash-es');
        const s = require('./s');
        const wrap = (run) => async (req, res) => { res.json(await run(req.body)); };
        function register(endpoint, app) {
          app[endpoint.info.method()](endpoint.info.path(), ...compact([endpoint.guard, wrap(endpoint.fn)]));
        }
        const tables = [[{ info: infoOf('a'), fn: async () => s.load() }], values({ b: { info: infoOf('b'), fn: async () => s.scan() } })];
        forEach(flatten(tables), (one) => { register(one, app); });
        compact([{ fn: async () => s.idle() }]);
      `,
      's.js': S,
    },
    dependencies: ['express'],
    reached: ['s.js#load', 's.js#scan'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a router that nothing mounts any more, one that is mounted elsewhere, and one that somebody else loads',
    files: {
      'app.js': dedent`
        const app = require('express')();
        // app.use('/old', require('./old'));
        // app.use('/moved', require('./moved'));
        require('./loads')(app);
        app.use('/new', require('./new'));
      `,
      'new.js': dedent`
        const router = require('express').Router();
        router.get('/x', (req, res) => { const { work } = require('./old'); work(res); });
        module.exports = router;
      `,
      'loads.js': "// const app = require('./app');\nmodule.exports = (app) => app.use('/there', require('./moved'));",
      'old.js': dedent`
          const router = require('express').Router();
          router.get('/a', function inOld(req, res) { res.end(); });
          module.exports = router;
        `,
      'moved.js': dedent`
          const router = require('express').Router();
          router.get('/a', function inMoved(req, res) { res.end(); });
          module.exports = router;
        `,
      'plugins/one.js': dedent`
          const router = require('express').Router();
          router.get('/a', function inOne(req, res) { res.end(); });
          module.exports = router;
        `,
    },
    reached: ['moved.js#inMoved GET /there/a', 'plugins/one.js#inOne GET /a'],
    idle: ['old.js#inOld'],
  },
  {
    name: 'a controller and a router that no file loads, beside those that are in use',
    files: {
      'server.js': dedent`
        const app = require('express')();
        const account = require(process.env.ACCOUNT);
        app.use('/users', require('./routes/users'));
        app.use('/posts', require('./routes/posts'));
        app.listen(3000);
      `,
      'routes/users.js': dedent`
        const router = require('express').Router();
        const users = require('../controllers/users');
        router.get('/', users.list);
        module.exports = router;
      `,
      'routes/posts.js': dedent`
        const router = require('express').Router();
        router.get('/', function inPosts(req, res) { res.end(); });
        module.exports = router;
      `,
      'routes/index.js': dedent`
        const router = require('express').Router();
        router.use('/old', require('./old'));
        router.use('/v0/posts', require('./posts'));
        module.exports = router;
      `,
      'routes/old.js': dedent`
        const router = require('express').Router();
        router.get('/', function inOld(req, res) { res.end(); });
        module.exports = router;
      `,
      'controllers/users.js': 'exports.list = function list(req, res) { res.json([]); };',
      'controllers/auth.js': 'exports.login = function login(req, res) { res.json(req.body); };',
      // Nothing of its folder is in use: something else may load it.
      'plugins/audit.js': 'exports.audit = function audit(req, res) { res.json(req.body); };',
    },
    reached: ['controllers/users.js#list GET /users', 'routes/posts.js#inPosts GET /posts', 'plugins/audit.js#audit'],
    idle: ['controllers/auth.js#login', 'routes/old.js#inOld'],
  },
  {
    name: 'handlers beside a server that loads none of them',
    files: {
      'server.js': dedent`
        require('node:http').createServer(function serve(req, res) { res.end(); }).listen(3000);
      `,
      'users.js': 'exports.show = function show(req, res) { res.json(req.params); };',
    },
    reached: ['server.js#serve', 'users.js#show'],
    idle: [],
  },
  besideNamed(
    'routers of which a loop loads one after the other, beside one that is named',
    dedent`
      const folder = process.env.ROUTES;
      fs.readdirSync(folder).forEach((file) => app.use(require(folder + '/' + file)));
    `,
  ),
  besideNamed(
    'a router that a function of another file finds, beside one that is named',
    dedent`
      const { fromRoot } = require('./paths');
      app.use(require(fromRoot('routes/users')));
    `,
  ),
  besideNamed(
    'routers of a folder that is known when the program runs',
    "for (const file of fs.readdirSync(path.join(global.appRoot, 'routes'))) app.use(require(path.join(global.appRoot, 'routes', file)));",
  ),
  {
    name: 'controllers beside others, and a file that loads what it is told',
    files: {
      'server.js': dedent`
        const app = require('express')();
        app.get('/users', require('./controllers/users').list);
        for (const file of process.argv.slice(2)) app.get(file, require(file).handler);
        app.listen(3000);
      `,
      'controllers/users.js': 'exports.list = function list(req, res) { res.json([]); };',
      'controllers/auth.js': 'exports.login = function login(req, res) { res.json(req.body); };',
    },
    reached: ['controllers/users.js#list GET /users', 'controllers/auth.js#login'],
    idle: [],
  },
  {
    name: 'controllers that are wrapped where they are written: each has its own route',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const c = require('./c');
        app.get('/a', c.show);
        app.get('/b', c.list);
      `,
      'wrap.js': `exports.catchAsync = (fn) => (req, res, next) => { Promise.resolve(fn(req, res, next)).catch(next); };`,
      'c.js': dedent`
        const { catchAsync } = require('./wrap');
        const s = require('./s');
        exports.show = catchAsync(async () => s.load());
        exports.list = catchAsync(async () => s.scan());
        exports.unused = catchAsync(async () => s.idle());
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /b'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a function that a package runs for each element makes handlers, and is none',
    files: {
      'app.js': dedent`
        const flatMap = require('lodash.flatmap');
        const wrap = require('express-async-handler');
        const router = require('express').Router();
        const s = require('./s');
        const middlewares = flatMap([1, 2], (step) => { s.idle(); return (req, res, next) => next(); });
        router.use(middlewares);
        router.get('/a', wrap(async () => s.load()));
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /a'],
    idle: ['s.js#idle', 's.js#scan'],
  },
  {
    name: 'a wrapper that takes its settings first, and one that does something itself',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const c = require('./c');
        const { allow } = require('./wrap');
        app.get('/a', allow('admin')(c.show));
        app.get('/b', allow('user')(c.list));
      `,
      'wrap.js': dedent`
        const s = require('./s');
        exports.allow = (role) => (handler) => async function guarded(req, res) { check(role); return handler(req, res); };
        function check() {}
      `,
      'c.js': dedent`
        const s = require('./s');
        exports.show = () => s.load();
        exports.list = () => s.scan();
        exports.unused = () => s.idle();
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /b', 'wrap.js#check'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a cache that runs its function once is no wrapper',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const { once } = require('./once');
        const s = require('./s');
        const settings = once(() => s.load());
        app.get('/a', (req, res) => res.send(settings()));
      `,
      'once.js': `exports.once = (fn) => { let value; return () => { if (value === undefined) value = fn(); return value; }; };`,
      's.js': S,
    },
    once: ['s.js#load'],
  },
  {
    name: 'what a wrapper also hands to an emitter',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const bus = require('./bus');
        const s = require('./s');
        bus.onSave(() => s.load());
        app.get('/a', (req, res) => { bus.save(); res.end(); });
      `,
      'bus.js': dedent`
        const { EventEmitter } = require('events');
        const emitter = new EventEmitter();
        exports.onSave = (fn) => { const listener = (...args) => fn(...args); emitter.on('save', listener); return listener; };
        exports.save = () => { emitter.emit('save', 1); };
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /a'],
  },
  {
    name: 'a table of rows and the loop over it, in two files',
    files: {
      'routes.js': dedent`
        const router = require('express').Router();
        const table = require('./table');
        for (const [method, path, handler] of table) router[method](path, handler);
        module.exports = router;
      `,
      'app.js': dedent`
        const app = require('express')();
        app.use('/api', require('./routes'));
      `,
      'table.js': dedent`
        const c = require('./c');
        module.exports = [['get', '/a', c.show], ['post', '/b/:id', c.list]];
      `,
      'c.js': dedent`
        const s = require('./s');
        exports.show = () => s.load();
        exports.list = () => s.scan();
        exports.unused = () => s.idle();
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /api/a', 's.js#scan POST /api/b/:id'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a table of objects, a callback over it, and a wrapper around each handler',
    files: {
      'routes.js': dedent`
        const router = require('express').Router();
        const table = require('./table');
        const wrap = (fn) => (req, res, next) => Promise.resolve(fn(req, res)).catch(next);
        table.forEach(({ method, path, handler }) => router[method.toLowerCase()](path, wrap(handler)));
        module.exports = router;
      `,
      'table.js': dedent`
        const c = require('./c');
        module.exports = [{ method: 'GET', path: '/a', handler: c.show }, { method: 'POST', path: '/b', handler: c.list }];
      `,
      'c.js': dedent`
        const s = require('./s');
        exports.show = () => s.load();
        exports.list = () => s.scan();
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /a', 's.js#scan POST /b'],
  },
  {
    name: 'a table that a loop reads row by row, more rows than a variable may hold',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const table = require('./table');
        for (const route of table) {
          const { handler } = route;
          app[route.verb](\`/api\${route.url}\`, (req, res) => handler(req, res));
        }
      `,
      'table.js': dedent`
        const s = require('./s');
        module.exports = [${Array.from({ length: 40 }, (_, i) => `{ verb: 'get', url: '/n${i}', handler: function h${i}() { return ${i === 39 ? 's.load()' : i}; } }`).join(', ')}];
      `,
      's.js': S,
    },
    reached: ['table.js#h0 GET /api/n0', 's.js#load GET /api/n39'],
    idle: ['s.js#idle'],
  },
  {
    name: 'helpers that register a page and wrap its controller',
    files: {
      'helpers.js': dedent`
        const helpers = module.exports;
        helpers.setupPage = function (...args) {
          const [router, name] = args;
          const middlewares = args.length > 3 ? args[args.length - 2] : [];
          const controller = args[args.length - 1];
          router.get(name, [auth, ...middlewares], helpers.tryRoute(controller));
          router.get(\`/api\${name}\`, helpers.tryRoute(controller));
        };
        helpers.setupApi = (router, verb, name, controller) => { router[verb](name, helpers.tryRoute(controller)); };
        helpers.tryRoute = function (controller) {
          if (controller.constructor.name === 'AsyncFunction') return async function wrapper(req, res, next) { try { await controller(req, res, next); } catch (err) { next(err); } };
          return controller;
        };
        function auth(req, res, next) { next(); }
      `,
      'pages.js': dedent`
        const { setupPage } = require('./helpers');
        const c = require('./c');
        module.exports = (app) => { setupPage(app, '/a', c.show); setupPage(app, '/b', [], c.list); };
      `,
      'api.js': dedent`
        const helpers = require('./helpers');
        const c = require('./c');
        const router = require('express').Router();
        helpers.setupApi(router, 'post', '/c/:id', c.save);
        module.exports = router;
      `,
      'app.js': dedent`
        const app = require('express')();
        require('./pages')(app);
        app.use('/v3', require('./api'));
      `,
      'c.js': dedent`
        const s = require('./s');
        exports.show = async () => s.load();
        exports.list = async () => s.scan();
        exports.save = async () => s.store();
        exports.unused = async () => s.idle();
      `,
      's.js': `${S}\nexports.store = function store() {};`,
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /b', 's.js#store POST /v3/c/:id'],
    idle: ['s.js#idle'],
    routes: { 's.js#load': ['GET /a', 'GET /api/a'], 's.js#scan': ['GET /b', 'GET /api/b'], 's.js#store': ['POST /v3/c/:id'] },
  },
  {
    name: 'a function that makes the routes of a resource, for two of them',
    files: {
      'crud.js': dedent`
        module.exports = function crud(router, path, controller) {
          router.get(path, controller.list);
          router.get(path + '/:id', (req, res) => controller.show(req, res));
        };
      `,
      'app.js': dedent`
        const app = require('express')();
        const crud = require('./crud');
        crud(app, '/users', require('./users'));
        crud(app, '/books', require('./books'));
      `,
      'users.js': dedent`
        const s = require('./s');
        exports.list = () => s.load();
        exports.show = () => s.scan();
      `,
      'books.js': dedent`
        exports.list = function list() {};
        exports.show = function show() {};
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /users', 's.js#scan GET /users/:id', 'books.js#show GET /books/:id', 'books.js#list GET /books'],
    routes: { 's.js#load': ['GET /users'], 's.js#scan': ['GET /users/:id'], 'books.js#show': ['GET /books/:id'] },
  },
  {
    name: 'routers that are built in one chain and handed on as what it gives',
    files: {
      'main.ts': dedent`
        import express from 'express';
        import routes from './routes';
        const app = express();
        app.use(routes);
      `,
      'routes.ts': dedent`
        import { Router } from 'express';
        import users from './users';
        import tags from './tags';
        const api = Router().use(users).use('/tags', tags);
        export default Router().use('/api', api);
      `,
      'users.ts': dedent`
        import { Router } from 'express';
        import { load } from './s';
        const router = Router();
        router.get('/users', (req, res) => res.send(load()));
        export default router;
      `,
      'tags.ts': dedent`
        import { Router } from 'express';
        import { scan } from './s';
        export default Router().get('/a', (req, res) => res.end()).get('/b', (req, res) => res.send(scan()));
      `,
      's.ts': `export function load() {}\nexport function scan() {}`,
    },
    reached: ['s.ts#load GET /api/users', 's.ts#scan GET /api/tags/b'],
  },
  {
    name: 'a router that is mounted twice',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const users = require('./users');
        app.use('/v1/users', users);
        app.use('/v2/users', users);
      `,
      'users.js': dedent`
        const router = require('express').Router();
        const s = require('./s');
        router.route('/:id').get((req, res) => res.send(s.load()));
        module.exports = router;
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /v1/users/:id'],
    routes: { 's.js#load': ['GET /v1/users/:id', 'GET /v2/users/:id'] },
  },
  {
    name: 'a factory of routers, called for two versions',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const users = require('./users');
        const s = require('./s');
        app.use('/v1', users({ s }));
        app.use('/v2', users({ s }));
      `,
      'users.js': dedent`
        const { Router } = require('express');
        module.exports = ({ s }) => {
          const router = Router();
          router.get('/users', (req, res) => res.send(s.load()));
          return router;
        };
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /v1/users'],
    routes: { 's.js#load': ['GET /v1/users', 'GET /v2/users'] },
    idle: ['s.js#idle'],
  },
  {
    name: 'Koa: a router below another one, in another file',
    files: {
      'app.js': dedent`
        const Koa = require('koa');
        const Router = require('@koa/router');
        const users = require('./users');
        const app = new Koa();
        const api = new Router({ prefix: '/api' });
        api.use('/users', users.routes(), users.allowedMethods());
        app.use(api.routes());
      `,
      'users.js': dedent`
        const Router = require('@koa/router');
        const s = require('./s');
        const router = new Router();
        router.get('/:id', async (ctx) => { ctx.body = s.load(); });
        module.exports = router;
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /api/users/:id'],
  },
  {
    name: 'Hono: an application below another one, in another file',
    files: {
      'app.ts': dedent`
        import { Hono } from 'hono';
        import users from './users';
        const app = new Hono().basePath('/api');
        app.route('/users', users);
        export default app;
      `,
      'users.ts': dedent`
        import { Hono } from 'hono';
        import { load } from './s';
        const users = new Hono();
        users.get('/:id', (c) => c.json(load()));
        export default users;
      `,
      's.ts': `export function load() {}`,
    },
    reached: ['s.ts#load GET /api/users/:id'],
  },
  {
    name: 'a prefix that is a constant, put together, or a list',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const API = '/api';
        const VERSION = 'v1';
        app.use(\`\${API}/\${VERSION}/users\`, require('./users'));
        app.use([API + '/books', '/books'], require('./books'));
      `,
      'users.js': dedent`
        const router = require('express').Router();
        const s = require('./s');
        router.get('/:id', (req, res) => res.send(s.load()));
        module.exports = router;
      `,
      'books.js': dedent`
        const router = require('express').Router();
        const s = require('./s');
        router.get('/:id', (req, res) => res.send(s.scan()));
        module.exports = router;
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /api/v1/users/:id', 's.js#scan GET /api/books/:id'],
    routes: { 's.js#scan': ['GET /api/books/:id', 'GET /books/:id'] },
  },
  ...(
    [
      [
        'forEach',
        dedent`
          TABLE.forEach((row) => {
            api.use(row.path, row.router);
          });
        `,
      ],
      ['a loop', 'for (const { path, router } of TABLE) api.use(path, router);'],
      ['forEach with a pattern', 'TABLE.forEach(({ path, router }) => api.use(path, router));'],
    ] as const
  ).map(([how, mounts]) => ({
    name: `a table of routers, by ${how}`,
    files: {
      'app.js': dedent`
        const app = require('express')();
        app.use('/api', require('./api'));
      `,
      'api.js': dedent`
        const express = require('express');
        const users = require('./users');
        const api = express.Router();
        const TABLE = [{ path: '/users', router: users }, { path: '/books', router: require('./books') }];
        ${mounts}
        module.exports = api;
      `,
      'users.js': dedent`
        const router = require('express').Router();
        const s = require('./s');
        router.get('/:id', (req, res) => res.send(s.load()));
        module.exports = router;
      `,
      'books.js': dedent`
        const router = require('express').Router();
        const s = require('./s');
        router.get('/:id', (req, res) => res.send(s.scan()));
        module.exports = router;
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /api/users/:id', 's.js#scan GET /api/books/:id'],
    routes: { 's.js#load': ['GET /api/users/:id'], 's.js#scan': ['GET /api/books/:id'] },
  })),
  {
    name: 'a table of routers in lists',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const users = require('./users');
        const books = require('./books');
        for (const [path, router] of [['/users', users], ['/books', books]]) app.use(path, router);
      `,
      'users.js': dedent`
        const router = require('express').Router();
        const s = require('./s');
        router.get('/:id', (req, res) => res.send(s.load()));
        module.exports = router;
      `,
      'books.js': dedent`
        const router = require('express').Router();
        const s = require('./s');
        router.get('/:id', (req, res) => res.send(s.scan()));
        module.exports = router;
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /users/:id', 's.js#scan GET /books/:id'],
    routes: { 's.js#load': ['GET /users/:id'] },
  },
  {
    name: 'a router that is mounted twice in its own file',
    files: {
      'app.js': dedent`
        const express = require('express');
        const s = require('./s');
        const app = express();
        const users = express.Router();
        users.get('/:id', (req, res) => res.send(s.load()));
        app.use('/v1/users', users);
        app.use('/v2/users', users);
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /v1/users/:id, /v2/users/:id'],
  },
  {
    name: 'a function that registers handlers, and that no file names',
    files: {
      'app.ts': dedent`
        import { Server } from 'socket.io';
        import { setUpChat } from './chat';
        import * as games from './games';
        import * as tables from './tables';
        const io = new Server(3000);
        io.on('connection', (socket) => { setUpChat(socket); for (const start of Object.values(tables)) start(socket); });
        games.startGames(io);
      `,
      'chat.ts': dedent`
        ${SOCKET}export function setUpChat(socket: Socket) { socket.on('say', () => say()); }
        function say() {}
      `,
      'games.ts': dedent`
        ${SOCKET}export const startGames = (io: Server) => { io.on('connection', (socket: Socket) => socket.on('play', () => play())); };
        function play() {}
      `,
      'tables.ts': dedent`
        ${SOCKET}export function tableEvents(socket: Socket) { socket.on('sit', () => sit()); }
        function sit() {}
      `,
      'doors.ts': dedent`
        ${SOCKET}export function setUpDoors(socket: Socket) { socket.on('door', () => open()); }
        function open() {}
      `,
      'old.ts': dedent`
        ${SOCKET}function setUpOld(socket: Socket) { socket.on('old', () => old()); }
        function old() {}
        export { setUpOld };
      `,
      'hooks.ts': dedent`
        ${SOCKET}export default function (socket: Socket) { socket.on('hook', () => hook()); }
        function hook() {}
      `,
      'plugin.ts': dedent`
        ${SOCKET}export function register(socket: Socket) { socket.on('plug', () => plug()); }
        function plug() {}
      `,
    },
    reached: ['chat.ts#say WS say', 'games.ts#play WS play', 'tables.ts#sit WS sit', 'hooks.ts#hook WS hook', 'plugin.ts#plug WS plug'],
    idle: ['doors.ts#open', 'old.ts#old'],
  },
  {
    name: 'what looks like a handler, and that no file of a program with routes names',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const users = require('./users');
        const { post } = require('./posts');
        app.get('/users', users.listUsers);
        for (const handler of Object.values(require('./all'))) app.use(handler);
        app.listen(3000);
      `,
      'users.js': 'exports.listUsers = (req, res) => res.json(load());\nfunction load() {}',
      'posts.js': 'exports.post = (req, res) => res.json(read());\nfunction read() {}',
      'all.js': 'exports.readAll = (req, res) => res.json(all());\nfunction all() {}',
      'chat.js': 'exports.postAiChat = (req, res) => res.json(answer());\nfunction answer() {}',
    },
    reached: ['users.js#load GET /users'],
    idle: ['chat.js#answer'],
  },
];
