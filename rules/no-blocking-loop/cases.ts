import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import type { MessageId } from './messages.ts';

const EXPRESS = "const app = require('express')();\n";
const FIB = 'function fib(n) {\n  return n < 2 ? n : fib(n - 1) + fib(n - 2);\n}\n';

export const cases: RuleCases<MessageId> = {
  valid: [
    {
      name: 'waits before the server starts',
      code: `${EXPRESS}const end = Date.now() + 3000;\nwhile (Date.now() < end);\napp.get('/', (req, res) => res.send('x'));\napp.listen(3000);`,
    },
    { name: 'waits in a script', code: 'const start = Date.now();\nwhile (Date.now() - start < 5000) {}\nconsole.log(1);' },
    {
      name: "a thread's own script",
      file: 'src/count.js',
      code: "const { parentPort } = require('worker_threads');\nlet sum = 0;\nfor (let i = 0; i < 1e10; i++) sum += i;\nparentPort.postMessage(sum);",
    },
    {
      name: 'in a forked process',
      code: "process.on('message', () => {\n  let sum = 0;\n  for (let i = 0; i < 1e9; i++) sum += 1;\n  process.send(sum);\n});",
    },
    {
      name: 'in a function that a thread gets',
      code: "const Worker = require('webworker-threads').Worker;\nrequire('http').createServer((request, response) => {\n  const worker = new Worker(function () {\n    let n = 0;\n    while (n < 1e9) n++;\n    postMessage(n);\n  });\n  worker.onmessage = (event) => response.end(String(event.data));\n}).listen(1);",
    },
    {
      name: "in a pool's function",
      code: `${EXPRESS}const pool = require('workerpool').pool();\napp.get('/', async (req, res) => res.send(String(await pool.exec(() => { let n = 0; for (let i = 0; i < 1e9; i++) n += i; return n; }))));`,
    },
    {
      name: 'a hundred thousand rounds',
      code: `${EXPRESS}app.get('/', (req, res) => { let sum = 0; for (let i = 0; i < 1e5; i++) sum += i; res.send(String(sum)); });`,
    },
    {
      name: 'two million rounds of nothing',
      code: `${EXPRESS}app.get('/', (req, res) => { let i = 2e6; while (i > 0) { i-- } res.end(); });`,
    },
    {
      name: 'up to the root of a billion',
      code: `${EXPRESS}app.get('/', (req, res) => { let sum = 0; for (let i = 2; i * i <= 1e9; i++) sum += i; res.send(String(sum)); });`,
    },
    {
      name: 'as often as a call says that nobody knows',
      code: `${EXPRESS}function sum(limit) { let all = 0; for (let i = 0; i < limit; i++) all += i; return all; }\napp.get('/', (req, res) => res.send(String(sum(20_000_000) + sum(res.locals.size))));`,
    },
    {
      name: 'a bound that is cut off first',
      code: `${EXPRESS}function sum(limit) { limit = Math.min(limit, 100); let all = 0; for (let i = 0; i < limit; i++) all += i; return all; }\napp.get('/', (req, res) => res.send(String(sum(20_000_000))));`,
    },
    {
      name: 'a million additions',
      code: `${EXPRESS}app.get('/', (req, res) => { let sum = 0; for (let i = 0; i < 1e6; i++) sum += i; res.send(String(sum)); });`,
    },
    {
      name: 'a slice of time for a queue',
      code: `${EXPRESS}const queue = [];\napp.get('/', (req, res) => { const end = Date.now() + 50; while (queue.length > 0 && Date.now() < end) queue.shift()(); res.end(); });`,
    },
    {
      name: 'a slice of time, left when there is nothing more',
      code: `${EXPRESS}app.get('/', (req, res) => { const end = Date.now() + 50; while (Date.now() < end) { const job = next(); if (!job) break; job(); } res.end(); });`,
    },
    {
      name: 'steps up to the present',
      code: `${EXPRESS}app.get('/', (req, res) => { let now = Date.now(); let next = load(); while (next < now) { next += 60_000; now = Date.now(); } res.send(String(next)); });`,
    },
    {
      name: 'steps up to the present, asked each time',
      code: `${EXPRESS}app.get('/', (req, res) => { let next = load(); while (next < Date.now()) next += 60_000; res.send(String(next)); });`,
    },
    {
      name: 'waits with a timer',
      code: `${EXPRESS}app.get('/', async (req, res) => { const end = Date.now() + 5000; while (Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 100)); res.end(); });`,
    },
    {
      name: 'compares times',
      code: `${EXPRESS}app.get('/', (req, res) => { const rows = load(); let i = 0; while (i < rows.length && rows[i].time < Date.now()) i++; res.send(String(i)); });`,
    },
    {
      name: 'as long as a list that was sent',
      code: `${EXPRESS}app.post('/', (req, res) => { let sum = 0; for (let i = 0; i < req.body.items.length; i++) sum += req.body.items[i].price; res.send(String(sum)); });`,
    },
    {
      name: 'a number that was sent, with a limit',
      code: `${EXPRESS}app.get('/', (req, res) => { const n = Number(req.query.n); if (n > 1000) return res.sendStatus(400); let sum = 0; for (let i = 0; i < n; i++) sum += i; res.send(String(sum)); });`,
    },
    {
      name: 'a number that was sent, cut off',
      code: `${EXPRESS}app.get('/', (req, res) => { const n = Math.min(Number(req.query.n), 100); let sum = 0; for (let i = 0; i < n; i++) sum += i; res.send(String(sum)); });`,
    },
    {
      name: 'a number that a schema checks',
      code: "import Fastify from 'fastify';\nconst app = Fastify();\napp.get('/', { schema: { querystring: { n: { type: 'integer', maximum: 100 } } } }, (request, reply) => { let sum = 0; for (let i = 0; i < request.query.n; i++) sum += i; reply.send(sum); });",
    },
    {
      name: 'validated by what comes before',
      code: `${EXPRESS}app.get('/:n', validateNumber, (req, res) => { let sum = 0; for (let i = 0; i < req.params.n; i++) sum += i; res.send(String(sum)); });`,
    },
    {
      name: 'parsed by a schema',
      code: `${EXPRESS}app.get('/', (req, res) => { const { n } = schema.parse(req.query); let sum = 0; for (let i = 0; i < n; i++) sum += i; res.send(String(sum)); });`,
    },
    {
      name: 'one request after the other',
      code: `${EXPRESS}app.get('/', async (req, res) => { for (let page = 0; page < req.query.pages; page++) await load(page); res.end(); });`,
    },
    {
      name: 'down a tree',
      code: `${EXPRESS}function count(node) { return node === null ? 0 : 1 + count(node.left) + count(node.right); }\napp.get('/', (req, res) => res.send(String(count(req.app.tree))));`,
    },
    {
      name: 'results are kept',
      code: `${EXPRESS}const memo = [];\nfunction fib(n) { if (memo[n] !== undefined) return memo[n]; return (memo[n] = n < 2 ? n : fib(n - 1) + fib(n - 2)); }\napp.get('/', (req, res) => res.send(String(fib(Number(req.query.n)))));`,
    },
    { name: 'a few steps', code: `${EXPRESS}${FIB}app.get('/', (req, res) => res.send(String(fib(12))));` },
    {
      name: 'called by nobody who answers requests',
      code: `${EXPRESS}${FIB}const table = fib(30);\napp.get('/', (req, res) => res.send(String(table)));`,
    },
    {
      name: 'limited before the recursion',
      code: `${EXPRESS}${FIB}app.get('/', (req, res) => { const n = Number(req.query.n); if (n > 20) return res.sendStatus(400); res.send(String(fib(n))); });`,
    },
    {
      name: 'an endless loop that waits',
      code: `${EXPRESS}app.get('/', async (req, res) => { while (true) { const piece = await read(); res.write(piece); } });`,
    },
    {
      name: 'an endless loop with an end',
      code: `${EXPRESS}app.get('/', (req, res) => { while (true) { const id = makeId(); if (!taken.has(id)) { res.send(id); break; } } });`,
    },
    {
      name: 'a generator',
      code: `${EXPRESS}function* ids() { let id = 0; while (true) yield id++; }\nconst all = ids();\napp.get('/', (req, res) => res.send(String(all.next().value)));`,
    },
    {
      name: 'found soon, perhaps',
      code: `${EXPRESS}app.get('/', (req, res) => { for (let i = 0; i < 1e9; i++) { if (isFree(i)) { res.send(String(i)); break; } } });`,
    },
    {
      name: 'a moment',
      code: `${EXPRESS}app.get('/', (req, res) => { const end = performance.now() + 2; while (performance.now() < end); res.end(); });`,
    },
  ],
  invalid: [
    {
      code: `${EXPRESS}function sleep(ms) {\n  const end = Date.now() + ms;\n  «while (Date.now() < end)»;\n}\napp.get('/slow', (req, res) => {\n  sleep(500);\n  res.send('x');\n});`,
      findings: [
        {
          messageId: 'waits',
          severity: 'warning',
          route: 'GET /slow',
          functionName: 'sleep',
          data: { where: '`GET /slow`', time: '' },
          related: ['GET /slow', 'sleep'],
        },
      ],
    },
    {
      name: 'hidden in an async function',
      code: `${EXPRESS}async function sleep(ms) {\n  const future = Date.now() + ms;\n  «while (Date.now() < future)»;\n}\napp.get('/', async (req, res) => { await sleep(30); res.send('x'); });`,
      findings: [{ messageId: 'waits' }],
    },
    {
      name: 'the time since the start',
      code: `${EXPRESS}app.get('/', (req, res) => {\n  const start = new Date().getTime();\n  «while (new Date().getTime() - start < 5000)» {}\n  res.end();\n});`,
      findings: [{ messageId: 'waits', data: { time: ', 5,000 ms long' } }],
    },
    {
      name: 'a variable that holds the time',
      code: `${EXPRESS}app.get('/', (req, res) => {\n  const start = Date.now();\n  let now = start;\n  «while (now - start < 3000)» now = Date.now();\n  res.end();\n});`,
      findings: [{ messageId: 'waits' }],
    },
    {
      name: 'do … while',
      code: `${EXPRESS}app.get('/', (req, res) => {\n  const date = Date.now();\n  let current = null;\n  «do» {\n    current = Date.now();\n  } while (current - date < 2000);\n  res.end();\n});`,
      findings: [{ messageId: 'waits', data: { time: ', 2,000 ms long' } }],
    },
    {
      name: 'an endless loop that only the clock ends',
      code: `${EXPRESS}app.get('/', (req, res) => {\n  const end = Date.now() + 1000;\n  «for (;;)» { if (Date.now() >= end) break; }\n  res.end();\n});`,
      findings: [{ messageId: 'waits', data: { time: ', 1,000 ms long' } }],
    },
    {
      name: 'with a flag that nothing can change',
      code: `${EXPRESS}let ready = false;\napp.get('/', (req, res) => {\n  const end = Date.now() + 1000;\n  «while (!ready && Date.now() < end)» {}\n  res.end();\n});`,
      findings: [{ messageId: 'waits' }],
    },
    {
      name: 'nothing ends it',
      code: `${EXPRESS}app.get('/hang', (req, res) => {\n  «while (true)» {}\n});`,
      findings: [{ messageId: 'endless', data: { where: '`GET /hang`' } }],
    },
    {
      code: `${EXPRESS}app.get('/', (req, res) => {\n  let sum = 0;\n  «for (let i = 0; i < 1e9; i++)» { sum += i; }\n  res.send(String(sum));\n});`,
      findings: [{ messageId: 'long', data: { rounds: '1,000,000,000' } }],
    },
    {
      name: 'a constant bound, a while loop',
      code: "import Koa from 'koa';\nconst app = new Koa();\nconst ROUNDS = 5_000_000_000;\napp.use(async (ctx) => {\n  let i = 0;\n  «while (i < ROUNDS)» i++;\n  ctx.body = String(i);\n});",
      findings: [{ messageId: 'long', data: { rounds: '5,000,000,000' } }],
    },
    {
      name: 'ten million additions',
      code: `${EXPRESS}app.get('/', (req, res) => {\n  let total = 0;\n  «for (let i = 0; i < 10_000_000; i++)» { total += i; }\n  res.send(String(total));\n});`,
      findings: [{ messageId: 'long', severity: 'warning', data: { rounds: '10,000,000', time: '8 ms' } }],
    },
    {
      name: 'ten million rounds of nothing are a few milliseconds',
      code: "import { createServer } from 'http';\ncreateServer((req, res) => {\n  let i = 1e7; «while (i > 0)» { i-- }\n  res.end();\n}).listen(1);",
      findings: [{ messageId: 'long', severity: 'hint', data: { rounds: '10,000,000', time: '2.5 ms' } }],
    },
    {
      name: 'ten million steps of a counter',
      code: `${EXPRESS}app.get('/', (req, res) => {\n  let total = 0;\n  «for (let i = 0; i < 10_000_000; i++)» { total++; }\n  res.send(String(total));\n});`,
      findings: [{ messageId: 'long', severity: 'hint', data: { time: '4 ms' } }],
    },
    {
      name: 'as often as all calls say',
      code: `${EXPRESS}function sum(limit) {\n  let all = 0;\n  «for (let i = 0; i < limit; i++)» all += i;\n  return all;\n}\napp.get('/little', (req, res) => res.send(String(sum(20_000_000))));\napp.get('/much', (req, res) => res.send(String(sum(5e9))));`,
      findings: [{ messageId: 'long', data: { rounds: '20,000,000', time: '16 ms' } }],
    },
    {
      name: 'an address that says limit limits nothing',
      code: "const server = require('fastify')();\nserver.get('/:limit', async (req) => String(fibonacci(Number(req.params.limit))));\nserver.listen({ port: 1 });\nfunction fibonacci(limit) {\n  let last = 1n, next = 0n;\n  «while (limit)» {\n    [last, next] = [last + next, last];\n    limit--;\n  }\n  return next;\n}",
      findings: [{ messageId: 'requested', data: { bound: 'limit', where: '`GET /:limit`' } }],
    },
    {
      name: 'downwards',
      code: `${EXPRESS}app.get('/', (req, res) => {\n  let n = 10 ** 9;\n  «while (n--)»;\n  res.end();\n});`,
      findings: [{ messageId: 'long', data: { rounds: '1,000,000,000' } }],
    },
    {
      name: 'one in the other',
      code: `${EXPRESS}app.get('/', (req, res) => {\n  let sum = 0;\n  «for (let i = 0; i < 10000; i++)» {\n    for (let j = 0; j < 10000; j++) {\n      sum += i * j;\n    }\n  }\n  res.send(String(sum));\n});`,
      findings: [{ messageId: 'long', data: { rounds: '10,000' } }],
    },
    {
      name: 'an inner loop that runs in the first round only is not counted',
      code: `${EXPRESS}app.get('/', (req, res) => {\n  let sum = 0;\n  let j = 0;\n  «for (let i = 0; i < 1e8; i++)» {\n    for (; j < 1e9; j++) sum += j;\n  }\n  res.send(String(sum));\n});`,
      findings: [{ messageId: 'long', data: { rounds: '100,000,000', time: '80 ms' } }],
    },
    {
      name: 'a million objects',
      code: `${EXPRESS}app.get('/', (req, res) => {\n  const rows = [];\n  «for (let i = 0; i < 1000000; i++)» { rows.push({ id: i, name: 'row' }); }\n  res.json(rows);\n});`,
      findings: [{ messageId: 'long' }],
    },
    {
      name: 'in a case of a switch on the address',
      code: "const http = require('http');\nhttp.createServer((request, response) => {\n  switch (request.url) {\n    case '/loop':\n      «for (var i = 0; i < 10000000000; i++)» { work(i); }\n      response.end();\n  }\n}).listen(1);",
      findings: [{ messageId: 'long', data: { where: 'request' } }],
    },
    {
      name: 'as often as the request says',
      code: `${EXPRESS}app.get('/sum', (req, res) => {\n  const n = parseInt(req.query.n, 10);\n  let sum = 0;\n  «for (let i = 0; i < n; i++)» { sum += i; }\n  res.send(String(sum));\n});`,
      findings: [{ messageId: 'requested', data: { bound: 'n' } }],
    },
    {
      name: 'through a helper, from a path',
      code: `${EXPRESS}function isPrime(n) {\n  if (n < 2) return false;\n  «for (let i = 2; i <= Math.sqrt(n); i++)» {\n    if (n % i === 0) return false;\n  }\n  return true;\n}\napp.get('/prime/:number', (req, res) => {\n  const { number } = req.params;\n  res.send(String(isPrime(Number(number))));\n});`,
      findings: [{ messageId: 'requested', data: { bound: 'Math.sqrt(n)', where: '`GET /prime/:number`' } }],
    },
    {
      name: "from the address's search",
      code: "import { createServer } from 'node:http';\ncreateServer((request, response) => {\n  const url = new URL(request.url, 'http://localhost');\n  let sum = 0;\n  «for (let i = 1; i <= Number(url.searchParams.get('n')); i++)» sum += i;\n  response.end(String(sum));\n}).listen(1);",
      findings: [{ messageId: 'requested' }],
    },
    {
      name: 'in a controller',
      file: 'src/sum.controller.ts',
      code: "import { Controller, Get, Query } from '@nestjs/common';\n@Controller('sum')\nexport class SumController {\n  @Get()\n  sum(@Query('n') n: number) {\n    let sum = 0;\n    «for (let i = 0; i < n; i++)» { sum += i; }\n    return sum;\n  }\n}",
      findings: [{ messageId: 'requested', data: { bound: 'n' } }],
    },
    {
      code: `${EXPRESS}${FIB}app.get('/', (req, res) => {\n  res.send(String(«fib(40)»));\n});`,
      findings: [{ messageId: 'doubling', data: { call: 'fib(40)', calls: '331,160,281' }, related: ['GET /'] }],
    },
    {
      name: 'as deep as the request says',
      code: `${EXPRESS}const fib = (n) => {\n  if (n <= 1) return n;\n  return fib(n - 1) + fib(n - 2);\n};\napp.get('/fib/:n', (req, res) => res.send(String(«fib(+req.params.n)»)));`,
      findings: [{ messageId: 'doublingRequested', data: { call: 'fib(+req.params.n)' } }],
    },
    {
      name: 'a function of the handler',
      code: "require('http').createServer(function (req, res) {\n  function fibo(n) {\n    return n > 1 ? fibo(n - 1) + fibo(n - 2) : 1;\n  }\n  res.end('result: ' + «fibo(35)»);\n}).listen(5555);",
      findings: [{ messageId: 'doubling' }],
    },
  ],
};
