import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { connections, innocentConnections } from './cases-connections.ts';
import { innocents } from './cases-innocents.ts';

const EXPRESS = "const app = require('express')();\n";
const SOCKETS = "const io = require('socket.io')(3000);\n";
const EMITTER = "const { EventEmitter } = require('node:events');\nconst bus = new EventEmitter();\n";

export const cases: RuleCases<
  'entries' | 'keys' | 'listener' | 'otherListener' | 'socket' | 'timer' | 'overwritten' | 'reconnect' | 'unread' | 'race' | 'sessions'
> = {
  valid: [...innocents, ...innocentConnections],
  invalid: [
    {
      name: 'a list of what registers the routes, which the server calls while it starts',
      code: dedent`
        exports.routes = (app) => {
          const seen = [];
          app.post('/seen', (req, res) => { «seen.push»(req.body); res.json(seen.length); });
        };
      `,
      file: 'src/routes.js',
      others: { 'src/server.js': "const app = require('express')();\nrequire('./routes').routes(app);\napp.listen(3000);\n" },
      findings: [{ messageId: 'entries' }],
    },
    ...connections,
    {
      name: 'a list of all requests',
      code: dedent`
        ${EXPRESS}const visits = [];
        app.get('/', (req, res) => { «visits.push»({ url: req.url, at: Date.now() }); res.json(visits.length); });
      `,
      findings: [
        {
          messageId: 'entries',
          severity: 'hint',
          route: 'GET /',
          data: { name: 'visits', where: '`GET /`' },
          related: ['GET / is handled here'],
        },
      ],
    },
    {
      name: 'in a helper',
      code: dedent`
        ${EXPRESS}const log = [];
        function note(text) { «log.push»(text); }
        app.get('/', (req, res) => { note(req.url); res.end(); });
      `,
      findings: [{ messageId: 'entries', severity: 'hint', related: ['GET /', 'note'] }],
    },
    {
      name: 'a cache by what is asked for',
      code: dedent`
        ${EXPRESS}const cache = new Map();
        app.get('/:name', async (req, res) => {
          const { name } = req.params;
          if (!cache.has(name)) «cache.set»(name, await load(name));
          res.json(cache.get(name));
        });
      `,
      findings: [{ messageId: 'keys', severity: 'hint', data: { name: 'cache' } }],
    },
    {
      name: 'an object as a cache',
      code: dedent`
        ${EXPRESS}const cache = {};
        app.get('/search', async (req, res) => {
          const key = req.query.q;
          if (cache[key]) return res.json(cache[key]);
          «cache[key]» = await find(key);
          res.json(cache[key]);
        });
      `,
      findings: [{ messageId: 'keys', severity: 'hint' }],
    },
    {
      name: 'requests by address',
      code: dedent`
        ${EXPRESS}const hits = {};
        app.use((req, res, next) => { «hits[req.ip]» = (hits[req.ip] || 0) + 1; if (hits[req.ip] > 100) return res.sendStatus(429); next(); });
      `,
      findings: [{ messageId: 'keys', severity: 'hint', data: { name: 'hits' } }],
    },
    {
      name: 'a limiter that a function makes',
      code: dedent`
        ${EXPRESS}function limiter() {
          const hits = new Map();
          return (req, res, next) => { «hits.set»(req.ip, (hits.get(req.ip) ?? 0) + 1); next(); };
        }
        app.use(limiter());
      `,
      findings: [{ messageId: 'keys' }],
    },
    {
      name: 'random ids',
      code: dedent`
        ${EXPRESS}const { randomUUID } = require('node:crypto');
        const jobs = new Map();
        app.post('/jobs', (req, res) => { const id = randomUUID(); «jobs.set»(id, req.body); res.send(id); });
        app.get('/jobs/:id', (req, res) => res.json(jobs.get(req.params.id)));
      `,
      findings: [{ messageId: 'keys' }],
    },
    {
      name: 'connections that are never taken out',
      code: dedent`
        ${SOCKETS}const users = {};
        io.on('connection', (socket) => { «users[socket.id]» = socket; socket.on('say', (text) => io.emit('say', text)); });
      `,
      findings: [{ messageId: 'keys' }],
    },
    {
      name: 'a set of connections',
      code: dedent`
        ${SOCKETS}const all = new Set();
        io.on('connection', (socket) => { «all.add»(socket); });
      `,
      findings: [{ messageId: 'keys' }],
    },
    {
      name: 'a set of what was seen',
      code: dedent`
        ${EXPRESS}const seen = new Set();
        app.post('/hooks', (req, res) => { if (seen.has(req.body.delivery)) return res.end(); «seen.add»(req.body.delivery); res.end(); });
      `,
      findings: [{ messageId: 'keys' }],
    },
    {
      name: 'a list without duplicates',
      code: dedent`
        ${EXPRESS}const names = [];
        app.post('/', (req, res) => { if (!names.includes(req.body.name)) «names.push»(req.body.name); res.json(names); });
      `,
      findings: [{ messageId: 'keys' }],
    },
    {
      name: 'a list in an object of the module',
      code: dedent`
        ${EXPRESS}const state = { lines: [], count: 0 };
        app.post('/', (req, res) => { «state.lines.push»(req.body); state.count += 1; res.json(state.lines); });
      `,
      findings: [{ messageId: 'entries', data: { name: 'state.lines' } }],
    },
    {
      name: 'a private field of the only instance',
      code: dedent`
        ${EXPRESS}class Journal { #lines = []; add(line) { «this.#lines.push»(line); } }
        const journal = new Journal();
        app.post('/', (req, res) => { journal.add(req.body); res.end(); });
      `,
      findings: [{ messageId: 'entries', severity: 'hint' }],
    },
    {
      name: 'a field that other files can reach',
      code: dedent`
        ${EXPRESS}class Journal { lines = []; add(line) { «this.lines.push»(line); } }
        const journal = new Journal();
        app.post('/', (req, res) => { journal.add(req.body); res.end(); });
      `,
      findings: [{ messageId: 'entries', severity: 'hint' }],
    },
    {
      name: 'a controller',
      file: 'orders.controller.ts',
      code: dedent`
        import { Controller, Get, Query } from '@nestjs/common';
        @Controller('orders')
        export class Orders {
          private readonly seen: string[] = [];
          @Get() list(@Query('name') name: string) { «this.seen.push»(name); return name; }
        }
      `,
      findings: [{ messageId: 'entries', severity: 'hint' }],
    },
    {
      name: 'as many as there are records',
      code: dedent`
        ${EXPRESS}const users = require('./users');
        const cache = new Map();
        app.get('/:id', async (req, res) => {
          const { id } = req.params;
          const user = await users.find(id);
          if (!user) return res.sendStatus(404);
          «cache.set»(id, user);
          res.json(user);
        });
      `,
      findings: [{ messageId: 'keys', severity: 'hint' }],
    },
    {
      name: 'a listener for each request',
      code: dedent`
        ${EXPRESS}${EMITTER}app.get('/events', (req, res) => { «bus.on»('change', (event) => res.write(event)); });
      `,
      findings: [{ messageId: 'listener', severity: 'hint', data: { name: 'bus', event: 'change' } }],
    },
    {
      name: 'a listener of the process',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => { «process.on»('uncaughtException', (error) => res.status(500).send(error.message)); res.end(); });
      `,
      findings: [{ messageId: 'listener', data: { name: 'process' } }],
    },
    {
      name: 'a listener of a proxy that all requests share',
      code: dedent`
        ${EXPRESS}const proxy = require('http-proxy').createProxyServer({});
        app.use((req, res) => { «proxy.on»('error', () => res.sendStatus(502)); proxy.web(req, res); });
      `,
      findings: [{ messageId: 'listener' }],
    },
    {
      name: 'another event is removed',
      code: dedent`
        ${EXPRESS}${EMITTER}app.get('/', (req, res) => {
          const send = (event) => res.write(event);
          «bus.on»('change', send);
          req.on('close', () => bus.off('end', send));
        });
      `,
      findings: [{ messageId: 'listener' }],
    },
    {
      name: 'another request removes its own',
      code: dedent`
        ${EXPRESS}${EMITTER}app.get('/a', (req, res) => { «bus.on»('change', () => res.write('x')); });
        app.get('/b', (req, res) => {
          const send = (event) => res.write(event);
          bus.on('change', send);
          req.on('close', () => bus.off('change', send));
        });
      `,
      findings: [{ messageId: 'listener', severity: 'hint' }],
    },
    {
      name: 'bound twice',
      code: dedent`
        ${EXPRESS}${EMITTER}function send(event) { this.write(event); }
        app.get('/', (req, res) => { «bus.on»('change', send.bind(res)); req.on('close', () => bus.removeListener('change', send.bind(res))); });
      `,
      findings: [{ messageId: 'otherListener', related: ['this call names another function', 'GET /'] }],
    },
    {
      name: 'a wrapper is added, and the function inside it removed',
      code: dedent`
        const Primus = require('primus');
        module.exports = function (app) {
          const primus = new Primus(app.server, {});
          primus.on('connection', function (spark) {
            const onChange = (data) => spark.write(data);
            «app.signalk.on»('delta', function (data) { onChange(data); });
            spark.onDisconnect = () => app.signalk.removeListener('delta', onChange);
          });
        };
      `,
      findings: [{ messageId: 'otherListener', severity: 'hint' }],
    },
    {
      name: 'a function without a name is added, and a name that nothing declares removed',
      code: dedent`
        ${SOCKETS}${EMITTER}io.on('connection', (socket) => {
          «bus.on»('change', (data) => socket.emit('change', data));
          socket.on('disconnect', () => bus.removeListener('change', onChange));
        });
      `,
      findings: [{ messageId: 'otherListener' }],
    },
    {
      name: 'a timer for each connection',
      code: dedent`
        ${SOCKETS}io.on('connection', (socket) => { «setInterval»(() => socket.emit('time', Date.now()), 1000); });
      `,
      findings: [{ messageId: 'timer', severity: 'hint' }],
    },
    {
      name: 'a timer whose handle nobody uses',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => { const timer = «setInterval»(() => console.log(req.url), 1000); timer.unref(); res.end(); });
      `,
      findings: [{ messageId: 'timer' }],
    },
    {
      name: 'sessions without a store',
      code: dedent`
        ${EXPRESS}const session = require('express-session');
        app.use(«session»({ secret: 'x', resave: false, saveUninitialized: true }));
      `,
      findings: [{ messageId: 'sessions', severity: 'hint' }],
    },
    {
      name: 'sessions whose options are a constant',
      code: dedent`
        import express from 'express';
        import session from 'express-session';
        const app = express();
        const options = { secret: 'x', cookie: {} };
        if (process.env.NODE_ENV === 'production') options.cookie.secure = true;
        app.use(«session»(options));
      `,
      findings: [{ messageId: 'sessions' }],
    },
    {
      name: 'the timer of a race, whoever calls it',
      code: dedent`
        const delay = require('./delay');
        const late = (ms) => new Promise((_, reject) => setTimeout(() => reject(new Error('late')), ms));
        exports.withDelay = (work, ms) => «Promise.race»([work, delay(ms).then(() => Promise.reject(new Error('late')))]);
        exports.withHelper = (work) => «Promise.race»([work(), late(5000)]);
        exports.withName = async (work) => {
          const timer = new Promise((resolve) => {
            setTimeout(resolve, 30_000);
          });
          return «Promise.race»([work(), timer]);
        };
      `,
      findings: [
        { messageId: 'race', severity: 'hint', data: { where: 'call of `withDelay`' } },
        { messageId: 'race', severity: 'hint', data: { where: 'call of `withHelper`' } },
        { messageId: 'race', severity: 'hint', data: { where: 'call of `withName`' } },
      ],
    },
    {
      name: 'what a timer adds, in a server that runs for long',
      code: dedent`
        ${EXPRESS}const samples = [];
        const work = () => { «samples.push»(new Date()); };
        setInterval(() => work(), 1000);
        app.get('/', (req, res) => res.json(samples.length));
        app.listen(3000);
      `,
      findings: [{ messageId: 'entries', severity: 'hint', data: { name: 'samples' } }],
    },
    {
      name: 'the timer of a race on a request path',
      code: dedent`
        ${EXPRESS}const { setTimeout: sleep } = require('node:timers/promises');
        app.get('/', async (req, res) => res.json(await «Promise.race»([load(req.query.id), sleep(5000)])));
      `,
      findings: [{ messageId: 'race', severity: 'hint', route: 'GET /', related: ['starts the timer', 'handled'] }],
    },
  ],
};
