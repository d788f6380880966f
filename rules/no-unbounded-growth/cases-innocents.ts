// What looks like growth without end, and is right as it is.
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS = "const app = require('express')();\n";
const SOCKETS = "const io = require('socket.io')(3000);\n";
const EMITTER = "const { EventEmitter } = require('node:events');\nconst bus = new EventEmitter();\n";

export const innocents: readonly ValidCase[] = [
  {
    name: 'a callback of a worker that shares a parser with the server',
    code: dedent`
      const { parentPort, workerData } = require('node:worker_threads');
      const { parse } = require('./parser');
      parse(workerData, (rows) => {
        parentPort.postMessage(rows);
        parentPort.on('message', (answer) => console.log(answer, rows.length));
      });
    `,
    file: 'src/parse-rows.js',
    others: {
      'src/parser.js': 'exports.parse = (text, onRows) => onRows(text.split("\\n"));',
      'src/server.js': dedent`
        const { parse } = require('./parser');
        require('express')().get('/', (req, res) => parse(req.query.text, (rows) => res.json(rows)));
      `,
    },
  },
  {
    name: 'a list of one connection, in another file than the server',
    code: dedent`
      exports.serve = (socket) => {
        const lines = [];
        socket.on('message', (line) => { lines.push(line); socket.send(lines.length); });
      };
    `,
    file: 'src/connection.js',
    others: {
      'src/server.js': dedent`
        const io = require('socket.io')(3000);
        const { serve } = require('./connection');
        io.on('connection', (socket) => serve(socket));
      `,
    },
  },
  {
    name: 'a list of the request',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => { const names = []; for (const one of req.query.names) names.push(one); res.json(names); });
    `,
  },
  {
    name: 'a map of the request',
    code: dedent`
      ${EXPRESS}app.post('/', (req, res) => { const byId = new Map(); for (const one of req.body) byId.set(one.id, one); res.json([...byId]); });
    `,
  },
  {
    name: 'a list that a helper of the request makes',
    code: dedent`
      ${EXPRESS}function collect(names) { const all = []; const add = (name) => all.push(name); names.forEach(add); return all; }
      app.get('/', (req, res) => res.json(collect(req.query.names)));
    `,
  },
  {
    name: 'entries that are deleted when the connection ends',
    code: dedent`
      ${SOCKETS}const users = new Map();
      io.on('connection', (socket) => {
        users.set(socket.id, socket);
        socket.on('disconnect', () => users.delete(socket.id));
      });
    `,
  },
  {
    name: 'an object whose keys are deleted',
    code: dedent`
      ${SOCKETS}const users = {};
      io.on('connection', (socket) => {
        users[socket.id] = socket;
        socket.on('disconnect', () => { delete users[socket.id]; });
      });
    `,
  },
  {
    name: 'a list that is filtered and assigned',
    code: dedent`
      ${SOCKETS}let users = [];
      io.on('connection', (socket) => {
        users.push(socket);
        socket.on('disconnect', () => { users = users.filter((one) => one !== socket); });
      });
    `,
  },
  {
    name: 'a list that is spliced through another name',
    code: dedent`
      ${EXPRESS}const jobs = [];
      app.post('/', (req, res) => { jobs.push(req.body); res.end(); });
      function next() { const queue = jobs; return queue.splice(0, 10); }
      setInterval(next, 1000);
    `,
  },
  {
    name: 'a list that a helper empties',
    code: dedent`
      ${EXPRESS}const events = [];
      function flush(list) { while (list.length > 0) send(list.pop()); }
      app.post('/', (req, res) => { events.push(req.body); res.end(); });
      setInterval(() => flush(events), 1000);
    `,
  },
  {
    name: 'a set that is cleared now and then',
    code: dedent`
      ${EXPRESS}const seen = new Set();
      setInterval(() => seen.clear(), 60_000);
      app.get('/:id', (req, res) => { seen.add(req.params.id); res.end(); });
    `,
  },
  {
    name: 'entries that expire',
    code: dedent`
      ${EXPRESS}const cache = new Map();
      app.get('/:id', (req, res) => { cache.set(req.params.id, Date.now()); setTimeout(() => cache.delete(req.params.id), 1000); res.end(); });
    `,
  },
  {
    name: 'a list that is emptied by its length',
    code: dedent`
      ${EXPRESS}const lines = [];
      app.post('/', (req, res) => { lines.push(req.body.line); res.end(); });
      setInterval(() => { write(lines.join()); lines.length = 0; }, 1000);
    `,
  },
  {
    name: 'a map whose size is limited',
    code: dedent`
      ${EXPRESS}const cache = new Map();
      app.get('/:id', (req, res) => { if (cache.size < 500) cache.set(req.params.id, req.query); res.json(cache.get(req.params.id)); });
    `,
  },
  {
    name: 'an object whose keys are counted',
    code: dedent`
      ${EXPRESS}let cache = Object.create(null);
      app.get('/:id', (req, res) => { if (Object.keys(cache).length > 1000) reset(); cache[req.params.id] = req.query; res.end(); });
    `,
  },
  {
    name: 'the last hundred',
    code: dedent`
      ${EXPRESS}const last = [];
      app.get('/', (req, res) => { last.push(req.url); if (last.length > 100) last.shift(); res.json(last); });
    `,
  },
  {
    name: 'a ring',
    code: dedent`
      ${EXPRESS}const ring = new Array(64);
      let at = 0;
      app.get('/', (req, res) => { ring[at++ % ring.length] = req.url; res.json(ring); });
    `,
  },
  {
    name: 'a cache of a package that limits itself',
    code: dedent`
      ${EXPRESS}const { LRUCache } = require('lru-cache');
      const cache = new LRUCache({ max: 500 });
      app.get('/:id', (req, res) => { cache.set(req.params.id, req.query); res.end(); });
    `,
  },
  {
    name: 'weak keys',
    code: dedent`
      ${EXPRESS}const started = new WeakMap();
      app.use((req, res, next) => { started.set(req, Date.now()); next(); });
    `,
  },
  {
    name: 'a key of the module',
    code: dedent`
      ${EXPRESS}const cache = new Map();
      app.get('/', (req, res) => { cache.set('page', Date.now()); res.end(); });
    `,
  },
  {
    name: 'few keys: the method of the request',
    code: dedent`
      ${EXPRESS}const counts = {};
      app.use((req, res, next) => { counts[req.method] = (counts[req.method] || 0) + 1; next(); });
    `,
  },
  {
    name: 'few keys: a list of what is allowed',
    code: dedent`
      ${EXPRESS}const SIZES = ['s', 'm', 'l'];
      const images = {};
      app.get('/:size', (req, res) => {
        const { size } = req.params;
        if (!SIZES.includes(size)) return res.sendStatus(404);
        images[size] = images[size] || draw(size);
        res.send(images[size]);
      });
    `,
  },
  {
    name: 'few keys: those of a table',
    code: dedent`
      ${EXPRESS}const PLANS = { free: 1, paid: 2 };
      const sold = new Map();
      app.post('/:plan', (req, res) => {
        const name = req.params.plan;
        if (!PLANS[name]) return res.sendStatus(404);
        sold.set(name, Date.now());
        res.end();
      });
    `,
  },
  {
    name: 'only what is there is replaced',
    code: dedent`
      ${EXPRESS}const users = { ann: 1 };
      app.put('/:id', (req, res) => { if (users[req.params.id]) users[req.params.id] = req.body; res.end(); });
    `,
  },
  {
    name: 'what is not there is an error',
    code: dedent`
      ${EXPRESS}const users = new Map([['ann', 1]]);
      app.put('/:id', (req, res) => {
        const { id } = req.params;
        if (!users.has(id)) return res.sendStatus(404);
        users.set(id, req.body);
        res.end();
      });
    `,
  },
  {
    name: 'keys of a configuration',
    code: dedent`
      ${EXPRESS}const config = require('./config.json');
      const pools = {};
      app.get('/', (req, res) => { for (const name of config.names) pools[name] = pools[name] || connect(name); res.end(); });
    `,
  },
  {
    name: 'filled at start-up',
    code: dedent`
      ${EXPRESS}const plugins = [];
      const register = (plugin) => plugins.push(plugin);
      for (const name of ['a', 'b']) register(require(name));
      app.get('/', (req, res) => res.json(plugins.map(({ name }) => name)));
    `,
  },
  {
    name: 'filled at the first request',
    code: dedent`
      ${EXPRESS}const names = [];
      let isReady = false;
      app.get('/', (req, res) => { if (!isReady) { names.push('a', 'b'); isReady = true; } res.json(names); });
    `,
  },
  {
    name: 'filled from a list of the module, if it is empty',
    code: dedent`
      ${EXPRESS}const names = [];
      app.get('/', (req, res) => { if (names.length === 0) for (const one of ['a', 'b']) names.push(one); res.json(names); });
    `,
  },
  {
    name: 'exported: other files may take entries out',
    code: dedent`
      ${EXPRESS}export const sessions = new Map();
      app.get('/:id', (req, res) => { sessions.set(req.params.id, req.query); res.end(); });
    `,
  },
  {
    name: 'exported at the end',
    code: dedent`
      ${EXPRESS}const sessions = {};
      app.get('/:id', (req, res) => { sessions[req.params.id] = req.query; res.end(); });
      module.exports = { app, sessions };
    `,
  },
  {
    name: 'given to a package, which may do anything with it',
    code: dedent`
      ${EXPRESS}const files = [];
      require('some-cleaner').watch(files);
      app.post('/', (req, res) => { files.push(req.body.path); res.end(); });
    `,
  },
  {
    name: 'a list of the connection',
    code: dedent`
      ${SOCKETS}io.on('connection', (socket) => { const lines = []; socket.on('line', (line) => lines.push(line)); });
    `,
  },
  {
    name: 'a field of an object that a request makes',
    code: dedent`
      ${EXPRESS}class Report { lines = []; add(line) { this.lines.push(line); } }
      app.post('/', (req, res) => { const report = new Report(); req.body.forEach((line) => report.add(line)); res.json(report); });
    `,
  },
  {
    name: 'a field of the only instance, which is emptied',
    code: dedent`
      ${EXPRESS}class Queue { #jobs = []; add(job) { this.#jobs.push(job); } next() { return this.#jobs.shift(); } }
      const queue = new Queue();
      app.post('/', (req, res) => { queue.add(req.body); res.end(); });
    `,
  },
  {
    name: 'a service with a scope of its own for each request',
    file: 'orders.controller.ts',
    code: dedent`
      import { Controller, Get, Scope } from '@nestjs/common';
      @Controller({ path: 'orders', scope: Scope.REQUEST })
      export class Orders { private seen: string[] = []; @Get() list() { this.seen.push('x'); return this.seen; } }
    `,
  },
  {
    name: 'the answer of a database',
    code: dedent`
      ${EXPRESS}const db = require('./db');
      app.post('/', async (req, res) => { db.users.push(req.body); await db.set(req.body.id, req.body); res.end(); });
    `,
  },
  {
    name: 'a counter',
    code: dedent`
      ${EXPRESS}const totals = { requests: 0, bytes: 0 };
      app.use((req, res, next) => { totals.requests += 1; totals['bytes'] = totals.bytes + 1; next(); });
    `,
  },
  {
    name: 'listeners at start-up',
    code: dedent`
      ${EXPRESS}${EMITTER}bus.on('change', () => console.log('changed'));
      process.on('SIGTERM', () => process.exit());
      app.get('/', (req, res) => { bus.emit('change'); res.end(); });
    `,
  },
  {
    name: 'a listener that is removed when the connection ends',
    code: dedent`
      ${EXPRESS}${EMITTER}app.get('/events', (req, res) => {
        const send = (event) => res.write(event);
        bus.on('change', send);
        req.on('close', () => bus.off('change', send));
      });
    `,
  },
  {
    name: 'a listener for one event',
    code: dedent`
      ${EXPRESS}${EMITTER}app.get('/next', (req, res) => { bus.once('change', (event) => res.send(event)); });
    `,
  },
  {
    name: 'listeners of what belongs to the request',
    code: dedent`
      ${EXPRESS}app.post('/', (req, res) => { let n = 0; req.on('data', (piece) => { n += piece.length; }); req.on('end', () => res.send(String(n))); });
    `,
  },
  {
    name: 'a listener of a process that the request starts',
    code: dedent`
      ${EXPRESS}const { spawn } = require('child_process');
      app.get('/', (req, res) => { const child = spawn('ls'); child.on('exit', () => res.end()); });
    `,
  },
  {
    name: 'what ends the subscription is kept',
    code: dedent`
      ${EXPRESS}const hub = require('mini-hub')();
      app.get('/', (req, res) => { const stop = hub.on('change', (event) => res.write(event)); req.on('close', stop); });
    `,
  },
  {
    name: 'a listener that a signal removes',
    code: dedent`
      ${EXPRESS}const target = new EventTarget();
      app.get('/', (req, res) => { const end = new AbortController(); target.addEventListener('x', () => res.end(), { signal: end.signal }); req.on('close', () => end.abort()); });
    `,
  },
  {
    name: 'a listener that is added once',
    code: dedent`
      ${EXPRESS}${EMITTER}let isListening = false;
      app.get('/', (req, res) => { if (!isListening) { bus.on('change', () => {}); isListening = true; } res.end(); });
    `,
  },
  {
    name: 'all listeners are removed',
    code: dedent`
      ${EXPRESS}${EMITTER}app.get('/', (req, res) => { bus.on('change', (event) => res.write(event)); req.on('close', () => bus.removeAllListeners('change')); });
    `,
  },
  {
    name: 'a function that prepares the module',
    code: dedent`
      ${EXPRESS}${EMITTER}function init() { bus.on('change', () => {}); }
      app.post('/install', (req, res) => { init(); res.end(); });
    `,
  },
  {
    name: 'a timer that is stopped',
    code: dedent`
      ${EXPRESS}app.get('/events', (req, res) => { const beat = setInterval(() => res.write(':\\n'), 1000); req.on('close', () => clearInterval(beat)); });
    `,
  },
  {
    name: 'a timer that stops itself',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => { let n = 0; const timer = setInterval(() => { if (++n === 3) { clearInterval(timer); res.end(); } }, 10); });
    `,
  },
  {
    name: 'a timer whose handle is kept',
    code: dedent`
      ${SOCKETS}io.on('connection', (socket) => { socket.beat = setInterval(() => socket.emit('beat'), 1000); });
    `,
  },
  {
    name: 'a timer of the server',
    code: dedent`
      ${EXPRESS}setInterval(() => console.log(process.memoryUsage().rss), 60_000);
      app.get('/', (req, res) => res.end());
    `,
  },
  {
    name: 'sessions with a store',
    code: dedent`
      ${EXPRESS}const session = require('express-session');
      const store = new (require('connect-redis').default)({ client: {} });
      app.use(session({ secret: 'x', store, resave: false }));
    `,
  },
  {
    name: 'sessions that get a store in production',
    code: dedent`
      ${EXPRESS}const session = require('express-session');
      const options = { secret: 'x' };
      if (process.env.NODE_ENV === 'production') options.store = makeStore();
      app.use(session(options));
    `,
  },
  {
    name: 'sessions whose options come from elsewhere',
    code: dedent`
      ${EXPRESS}const session = require('express-session');
      app.use(session({ secret: 'x', ...require('./session') }));
      app.get('/', session(require('./other')), (req, res) => res.end());
    `,
  },
  {
    name: 'a test',
    file: 'test/users.test.js',
    code: dedent`
      ${EXPRESS}const users = [];
      app.post('/', (req, res) => { users.push(req.body); res.end(); });
    `,
  },
  {
    name: 'a race in a helper of a server that nothing calls',
    file: 'src/async.js',
    code: dedent`
      exports.withTimeout = async function withTimeout(work, ms) {
        const late = new Promise((_, reject) => { setTimeout(() => reject(new Error('late')), ms); });
        return Promise.race([work, late]);
      };
    `,
    others: {
      'src/server.js': dedent`
        const app = require('express')();
        const { pause } = require('./pause');
        app.get('/', async (req, res) => { await pause(); res.end(); });
        app.listen(3000);
      `,
      'src/pause.js': "exports.pause = () => Promise.resolve();\nexports.async = require('./async');\n",
    },
  },
  {
    name: 'a race whose timer is cleared',
    code: dedent`
      exports.within = (work, ms) => {
        let timer;
        const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('late')), ms); });
        return Promise.race([work, late]).finally(() => clearTimeout(timer));
      };
    `,
  },
  {
    name: 'a race whose timer is cleared by the executor itself',
    code: dedent`
      exports.within = (work, signal) => Promise.race([work, new Promise((_, reject) => {
        const timer = setTimeout(() => reject(new Error('late')), 5000);
        signal.addEventListener('abort', () => clearTimeout(timer));
      })]);
    `,
  },
  {
    name: 'a race with a timer that can be aborted',
    code: dedent`
      import { setTimeout as sleep } from 'node:timers/promises';
      export const within = (work, signal) => Promise.race([work, sleep(5000, undefined, { signal })]);
    `,
  },
  {
    name: 'a race with a timer that does not keep the process alive',
    code: 'exports.within = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 5000).unref())]);\n',
  },
  {
    name: 'a race with a short timer',
    code: 'exports.within = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 100))]);\n',
  },
  {
    name: 'a race of timers',
    code: 'exports.pause = (a, b) => Promise.race([new Promise((done) => setTimeout(done, a)), new Promise((done) => setTimeout(done, b))]);\n',
  },
  {
    name: 'a race without timers',
    code: 'exports.first = (a, b) => Promise.race([a.read(), b.read()]);\n',
  },
  {
    name: 'a race when the server starts, and when it ends',
    code: dedent`
      const late = () => new Promise((resolve) => setTimeout(resolve, 5000));
      exports.connect = (client) => Promise.race([client.open(), late()]);
      exports.shutdown = (server) => Promise.race([server.close(), late()]);
      process.on('SIGTERM', async () => { await Promise.race([exports.flush(), late()]); process.exit(); });
      Promise.race([exports.ready, late()]);
    `,
  },
  {
    name: 'a timer that others wait for, too',
    code: dedent`
      exports.within = async (work, more) => {
        const late = new Promise((resolve) => setTimeout(resolve, 5000));
        await Promise.race([work(), late]);
        await Promise.race([more(), late]);
      };
    `,
  },
  {
    name: 'a function that may clear its timer',
    code: dedent`
      const { timeout } = require('./timeout');
      exports.within = (work) => Promise.race([work, timeout(5000)]);
    `,
  },
  {
    name: 'a race in a test',
    file: 'test/race.test.js',
    code: 'exports.within = (work) => Promise.race([work, new Promise((_, reject) => setTimeout(reject, 5000))]);\n',
  },
  {
    name: 'a race that nobody is known to run often',
    code: dedent`
      import { open } from './open.js';
      export const start = async () => Promise.race([open(), new Promise((_, reject) => setTimeout(reject, 5000))]);

    `,
  },
];
