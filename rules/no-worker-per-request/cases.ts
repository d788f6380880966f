import type { RuleCases } from '../../analysis/testing/rule-tester.ts';

const EXPRESS = "const app = require('express')();\n";

export const cases: RuleCases<'thread' | 'process' | 'pool' | 'program'> = {
  valid: [
    {
      name: 'started with the server',
      code: `${EXPRESS}const { Worker } = require('node:worker_threads');\nconst worker = new Worker('./hash.js');\napp.get('/', (req, res) => { worker.once('message', (hash) => res.send(hash)); worker.postMessage(req.query.text); });`,
    },
    {
      name: 'forked at start-up, one for each core',
      code: "const { fork } = require('child_process');\nconst http = require('http');\nconst children = require('os').cpus().map(() => fork('./child.js'));\nhttp.createServer((request, response) => { children[0].send(request.url); response.end(); }).listen(80);",
    },
    {
      name: "a queue's worker is no thread",
      code: `${EXPRESS}const { Worker } = require('bullmq');\napp.post('/queues/:name', (req, res) => { const worker = new Worker(req.params.name, async () => {}); res.send(worker.name); });`,
    },
    {
      name: 'a class of the file that is called Worker',
      code: `${EXPRESS}const { isMainThread } = require('worker_threads');\nclass Worker { run() { return isMainThread; } }\napp.get('/', (req, res) => res.send(new Worker().run()));`,
    },
    {
      name: 'made the first time only',
      code: `${EXPRESS}const { Worker } = require('worker_threads');\nlet worker;\nfunction getWorker() {\n  if (!worker) worker = new Worker('./hash.js');\n  return worker;\n}\napp.get('/', (req, res) => { getWorker().postMessage(1); res.end(); });`,
    },
    {
      name: 'taken from those that are idle, else started and kept',
      code: `${EXPRESS}const { Worker } = require('worker_threads');\nconst idle = [];\napp.get('/', (req, res) => { const worker = idle.pop() ?? new Worker('./hash.js'); worker.once('message', (hash) => { idle.push(worker); res.send(hash); }); worker.postMessage(1); });`,
    },
    {
      name: 'put into a list that outlives the request',
      code: `${EXPRESS}const { Worker } = require('worker_threads');\nconst all = new Set();\napp.get('/', (req, res) => { if (all.size < 4) { const worker = new Worker('./hash.js'); all.add(worker); } res.end(); });`,
    },
    {
      name: 'kept for its own thing, by name',
      code: `${EXPRESS}const { fork } = require('child_process');\nconst bots = {};\napp.post('/bots/:id', (req, res) => { const child = fork('./bot.js'); bots[req.params.id] = child; res.sendStatus(201); });`,
    },
    {
      name: 'kept with more about it',
      code: `${EXPRESS}const { fork } = require('child_process');\nconst bots = new Map();\napp.post('/bots/:id', (req, res) => { const child = fork('./bot.js'); bots.set(req.params.id, { child, since: Date.now() }); res.sendStatus(201); });`,
    },
    {
      name: 'a field of the service',
      code: `${EXPRESS}const { Worker } = require('worker_threads');\nclass Camera { start() { this.worker = new Worker('./camera.js').on('error', console.error); } }\nconst camera = new Camera();\napp.post('/start', (req, res) => { camera.start(); res.end(); });`,
    },
    {
      name: 'a word of a text that is given to a program of the system',
      code: `${EXPRESS}const { exec } = require('child_process');\napp.get('/size', (req, res) => exec(\`grep -c node \${req.app.log} | wc -l\`, (error, out) => res.send(out)));`,
    },
    {
      name: 'a short program of the system',
      code: `${EXPRESS}const { execFile } = require('child_process');\napp.get('/size', (req, res) => execFile('du', ['-s', '/data'], (error, out) => res.send(out)));`,
    },
    {
      name: 'a program that the source does not name',
      code: `${EXPRESS}const { spawn } = require('child_process');\napp.get('/run', (req, res) => spawn(process.env.CONVERTER, [req.query.file]).stdout.pipe(res));`,
    },
    {
      name: 'a test',
      file: 'test/threads.test.js',
      code: `${EXPRESS}const { Worker } = require('worker_threads');\napp.get('/', (req, res) => { new Worker('./hash.js').once('message', (hash) => res.send(hash)); });`,
    },
    {
      name: 'in development only',
      code: `${EXPRESS}const { fork } = require('child_process');\napp.get('/', (req, res) => { if (process.env.NODE_ENV !== 'production') fork('./rebuild.js'); res.end(); });`,
    },
    {
      name: 'the cluster, before anybody asks',
      code: "const cluster = require('cluster');\nconst http = require('http');\nif (cluster.isPrimary) { cluster.fork(); cluster.on('exit', () => cluster.fork()); }\nelse http.createServer((request, response) => response.end()).listen(80);",
    },
    {
      name: 'a pool at the top level',
      code: `${EXPRESS}const Piscina = require('piscina');\nconst pool = new Piscina({ filename: './hash.js' });\napp.get('/', async (req, res) => res.send(await pool.run(req.query.text)));`,
    },
    {
      name: 'a maker whose caller keeps it',
      code: `${EXPRESS}const { fork } = require('child_process');\nconst free = [];\nconst all = [];\nconst makeChild = () => fork('./minify.js');\nfunction getChild() { if (free.length > 0) return free.shift(); const child = makeChild(); all.push(child); return child; }\napp.get('/', (req, res) => { getChild().send(req.query.text); res.end(); });`,
    },
    {
      name: 'a maker for other files',
      code: "const { fork } = require('child_process');\nmodule.exports = function startDebuggable(req, res, next) { res.locals.seen = req.url; next(); return fork('./a.js', [], { execArgv: ['--inspect'] }); };",
    },
    {
      name: 'no request anywhere',
      code: "import { Worker } from 'node:worker_threads';\nexport function render(scene) { return new Worker('./render.js', { workerData: scene }); }",
    },
  ],
  invalid: [
    {
      name: 'given back to nobody',
      code: `${EXPRESS}const { Worker } = require('worker_threads');\napp.get('/hash', (req, res) => «new Worker»('./hash.js').once('message', (hash) => res.send(hash)));`,
      findings: [
        {
          messageId: 'thread',
          severity: 'warning',
          route: 'GET /hash',
          data: { call: 'new Worker', where: '`GET /hash`' },
          related: ['GET /hash is handled here'],
        },
      ],
    },
    {
      code: `${EXPRESS}const { Worker } = require('worker_threads');\napp.get('/hash', (req, res) => {\n  const worker = «new Worker»('./hash.js', { workerData: req.query.text });\n  worker.on('message', (hash) => res.send(hash));\n});`,
      findings: [
        {
          messageId: 'thread',
          severity: 'warning',
          route: 'GET /hash',
          data: { call: 'new Worker', where: '`GET /hash`' },
          related: ['GET /hash is handled here'],
        },
      ],
    },
    {
      name: 'through a helper that promises',
      code: "import { Worker } from 'node:worker_threads';\nimport express from 'express';\nconst app = express();\nfunction runInThread(file, input) {\n  return new Promise((resolve, reject) => {\n    const worker = «new Worker»(file, { workerData: input });\n    worker.on('message', resolve);\n    worker.on('error', reject);\n  });\n}\napp.post('/resize', async (req, res) => res.send(await runInThread('./resize.js', req.body)));",
      findings: [{ messageId: 'thread', related: ['POST /resize', 'runInThread', 'this function'] }],
    },
    {
      name: 'a maker whose caller does not keep it',
      code: `${EXPRESS}const { fork } = require('child_process');\nfunction makeChild(file) { return «fork»(file); }\napp.get('/', (req, res) => { const child = makeChild('./sum.js'); child.once('message', (sum) => res.send(String(sum))); child.send(req.query.n); });`,
      findings: [{ messageId: 'process', related: ['GET /', 'makeChild'] }],
    },
    {
      name: "all the module's names",
      code: `${EXPRESS}const threads = require('worker_threads');\napp.get('/', (req, res) => { «new threads.Worker»('./a.js').on('message', (m) => res.send(m)); });`,
      findings: [{ messageId: 'thread', data: { call: 'new threads.Worker' } }],
    },
    {
      name: 'web workers in Node',
      code: "const Worker = require('webworker-threads').Worker;\nrequire('http').createServer(function (request, response) {\n  const fibonacci = «new Worker»(function () { this.onmessage = (event) => postMessage(event.data); });\n  fibonacci.onmessage = (event) => response.end(event.data);\n  fibonacci.postMessage(35);\n}).listen(5555);",
      findings: [{ messageId: 'thread', data: { where: 'request' } }],
    },
    {
      name: 'forked by a request event',
      code: "const http = require('http');\nconst { fork } = require('child_process');\nconst server = http.createServer();\nserver.on('request', (req, res) => {\n  if (req.url === '/compute') {\n    const compute = «fork»('compute.js');\n    compute.send('start');\n    compute.on('message', (sum) => res.end(`${sum}`));\n  } else res.end('ok');\n});\nserver.listen(3000);",
      findings: [{ messageId: 'process', data: { call: 'fork', where: 'request' } }],
    },
    {
      name: 'required where it is used',
      code: `${EXPRESS}app.post('/export', (req, res) => {\n  const child = «require('child_process').fork»('./export.js', [], { env: process.env });\n  child.send({ user: req.user.id });\n  res.sendStatus(202);\n});`,
      findings: [{ messageId: 'process', data: { call: 'fork' } }],
    },
    {
      name: 'Node by its path',
      code: `${EXPRESS}const cp = require('node:child_process');\napp.get('/', (req, res) => { «cp.spawn»(process.execPath, ['job.js']).stdout.pipe(res); });`,
      findings: [{ messageId: 'process', data: { call: "spawn('node')" } }],
    },
    {
      name: 'Node in a command line',
      code: `${EXPRESS}const { exec } = require('child_process');\napp.get('/', (req, res) => { «exec»(\`node job.js \${req.query.id}\`, (error, out) => res.send(out)); });`,
      findings: [{ messageId: 'process', data: { call: "exec('node')" } }],
    },
    {
      name: 'at the end of a pipe',
      code: `${EXPRESS}const { exec } = require('child_process');\napp.post('/compile', (req, res) => { «exec»(\`echo "\${req.body.code}" | node\`, (error, out) => res.send(out)); });`,
      findings: [{ messageId: 'process', data: { call: "exec('node')" } }],
    },
    {
      name: 'behind a change of folder',
      code: `${EXPRESS}const { exec } = require('child_process');\napp.get('/', (req, res) => { «exec»('cd ' + req.app.folder + ' && python3 main.py ' + req.query.x, (error, out) => res.send(out)); });`,
      findings: [{ messageId: 'program', severity: 'hint', data: { call: "exec('python3')" } }],
    },
    {
      name: 'promisified',
      code: "import { execFile } from 'node:child_process';\nimport fastify from 'fastify';\nconst app = fastify();\napp.get('/predict', (request, reply) => { «execFile»('python3', ['predict.py', request.query.x], (error, out) => reply.send(out)); return reply; });",
      findings: [{ messageId: 'program', severity: 'hint', data: { call: "execFile('python3')", where: '`GET /predict`' } }],
    },
    {
      name: 'a script by its folder',
      code: `${EXPRESS}const { spawn } = require('child_process');\napp.post('/score', (req, res) => { const python = «spawn»('/usr/bin/python', ['score.py']); python.stdout.on('data', (data) => res.send(data)); });`,
      findings: [{ messageId: 'program', severity: 'hint' }],
    },
    {
      name: 'a pool for one request',
      code: "import Piscina from 'piscina';\nimport express from 'express';\nconst app = express();\napp.get('/', async (req, res) => {\n  const pool = «new Piscina»({ filename: './hash.js' });\n  res.send(await pool.run(req.query.text));\n});",
      findings: [{ messageId: 'pool', data: { call: 'new Piscina' } }],
    },
    {
      name: "workerpool's pool for one request",
      code: `${EXPRESS}const workerpool = require('workerpool');\napp.get('/', async (req, res) => { const pool = «workerpool.pool»('./hash.js'); res.send(await pool.exec('hash', [req.query.text])); });`,
      findings: [{ messageId: 'pool' }],
    },
    {
      name: 'a connection',
      code: "const { WebSocketServer } = require('ws');\nconst { fork } = require('child_process');\nconst server = new WebSocketServer({ port: 1 });\nserver.on('connection', (socket) => { socket.on('message', (text) => { const child = «fork»('./shell.js'); child.send(String(text)); }); });",
      findings: [{ messageId: 'process', data: { where: '`WS message`' } }],
    },
    {
      name: 'a list that the request itself made',
      code: `${EXPRESS}const { Worker } = require('worker_threads');\napp.get('/', async (req, res) => { const workers = []; for (const part of req.body.parts) workers.push(«new Worker»('./part.js', { workerData: part })); res.send(await Promise.all(workers.map(resultOf))); });\nconst resultOf = (worker) => new Promise((resolve) => worker.once('message', resolve));`,
      findings: [{ messageId: 'thread' }],
    },
  ],
};
