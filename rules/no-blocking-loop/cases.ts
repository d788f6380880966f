import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import type { MessageId } from './messages.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS = "const app = require('express')();\n";
const FIB = dedent`
  function fib(n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

`;

export const cases: RuleCases<MessageId> = {
  valid: [
    {
      name: 'what is due is taken from a queue until the first is not due yet',
      code: dedent`
        ${EXPRESS}const queue = new (require('./queue'))();
        const jobs = [];
        app.get('/a', (req, res) => {
          while (queue.front()?.due < new Date().getTime()) done.push(queue.dequeue());
          res.end();
        });
        app.get('/b', (req, res) => {
          while (jobs[0].due < Date.now()) jobs.shift();
          res.end();
        });
      `,
    },
    {
      name: 'waits before the server starts',
      code: dedent`
        ${EXPRESS}const end = Date.now() + 3000;
        while (Date.now() < end);
        app.get('/', (req, res) => res.send('x'));
        app.listen(3000);
      `,
    },
    {
      name: 'waits in a script',
      code: dedent`
      const start = Date.now();
      while (Date.now() - start < 5000) {}
      console.log(1);
    `,
    },
    {
      name: "a thread's own script",
      file: 'src/count.js',
      code: dedent`
        const { parentPort } = require('worker_threads');
        let sum = 0;
        for (let i = 0; i < 1e10; i++) sum += i;
        parentPort.postMessage(sum);
      `,
    },
    {
      name: 'in a forked process',
      code: dedent`
        process.on('message', () => {
          let sum = 0;
          for (let i = 0; i < 1e9; i++) sum += 1;
          process.send(sum);
        });
      `,
    },
    {
      name: 'in a function that a thread gets',
      code: dedent`
        const Worker = require('webworker-threads').Worker;
        require('http').createServer((request, response) => {
          const worker = new Worker(function () {
            let n = 0;
            while (n < 1e9) n++;
            postMessage(n);
          });
          worker.onmessage = (event) => response.end(String(event.data));
        }).listen(1);
      `,
    },
    {
      name: "in a pool's function",
      code: dedent`
        ${EXPRESS}const pool = require('workerpool').pool();
        app.get('/', async (req, res) => res.send(String(await pool.exec(() => { let n = 0; for (let i = 0; i < 1e9; i++) n += i; return n; }))));
      `,
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
      code: dedent`
        ${EXPRESS}function sum(limit) { let all = 0; for (let i = 0; i < limit; i++) all += i; return all; }
        app.get('/', (req, res) => res.send(String(sum(20_000_000) + sum(res.locals.size))));
      `,
    },
    {
      name: 'a bound that is cut off first',
      code: dedent`
        ${EXPRESS}function sum(limit) { limit = Math.min(limit, 100); let all = 0; for (let i = 0; i < limit; i++) all += i; return all; }
        app.get('/', (req, res) => res.send(String(sum(20_000_000))));
      `,
    },
    {
      name: 'a million additions',
      code: `${EXPRESS}app.get('/', (req, res) => { let sum = 0; for (let i = 0; i < 1e6; i++) sum += i; res.send(String(sum)); });`,
    },
    {
      name: 'a slice of time for a queue',
      code: dedent`
        ${EXPRESS}const queue = [];
        app.get('/', (req, res) => { const end = Date.now() + 50; while (queue.length > 0 && Date.now() < end) queue.shift()(); res.end(); });
      `,
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
      code: dedent`
        import Fastify from 'fastify';
        const app = Fastify();
        app.get('/', { schema: { querystring: { n: { type: 'integer', maximum: 100 } } } }, (request, reply) => { let sum = 0; for (let i = 0; i < request.query.n; i++) sum += i; reply.send(sum); });
      `,
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
      code: dedent`
        ${EXPRESS}function count(node) { return node === null ? 0 : 1 + count(node.left) + count(node.right); }
        app.get('/', (req, res) => res.send(String(count(req.app.tree))));
      `,
    },
    {
      name: 'results are kept',
      code: dedent`
        ${EXPRESS}const memo = [];
        function fib(n) { if (memo[n] !== undefined) return memo[n]; return (memo[n] = n < 2 ? n : fib(n - 1) + fib(n - 2)); }
        app.get('/', (req, res) => res.send(String(fib(Number(req.query.n)))));
      `,
    },
    {
      name: 'recursion over slices of a list of our own, of one that is checked, and with one call for each step',
      code: dedent`
        ${EXPRESS}function sums(list, n) { return n === 0 || (list.length > 0 && (sums(list.slice(1), n) || sums(list.slice(1), n - list[0]))); }
        function some(list, n) { return list.length > 0 && (list[0] === n || some(list.slice(1), n)); }
        app.get('/a', (req, res) => res.send(String(sums([1, 2, 3], Number(req.query.n)))));
        app.post('/b', (req, res) => { const { list } = req.body; if (list.length > 15) return res.sendStatus(400); res.send(String(sums(list, 1))); });
        app.post('/c', (req, res) => res.send(String(some(req.body.list, 3))));
      `,
    },
    { name: 'a few steps', code: `${EXPRESS}${FIB}app.get('/', (req, res) => res.send(String(fib(12))));` },
    {
      name: 'called by nobody who answers requests',
      code: dedent`
        ${EXPRESS}${FIB}const table = fib(30);
        app.get('/', (req, res) => res.send(String(table)));
      `,
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
      code: dedent`
        ${EXPRESS}function* ids() { let id = 0; while (true) yield id++; }
        const all = ids();
        app.get('/', (req, res) => res.send(String(all.next().value)));
      `,
    },
    {
      name: 'found soon, perhaps',
      code: `${EXPRESS}app.get('/', (req, res) => { for (let i = 0; i < 1e9; i++) { if (isFree(i)) { res.send(String(i)); break; } } });`,
    },
    {
      name: 'until a time that was set when the file was loaded, once for all requests',
      code: `${EXPRESS}let ready = Date.now() + 300;\napp.get('/', (req, res) => { while (Date.now() < ready); res.end(); });`,
    },
    {
      name: 'a moment',
      code: `${EXPRESS}app.get('/', (req, res) => { const end = performance.now() + 2; while (performance.now() < end); res.end(); });`,
    },
  ],
  invalid: [
    {
      name: 'until a time at the top of the file that each request moves',
      code: dedent`
        ${EXPRESS}let end = Date.now() + 300;
        app.get('/', (req, res) => {
          end = Date.now() + 300;
          «while (Date.now() < end)»;
          res.end();
        });
      `,
      findings: [{ messageId: 'waits' }],
    },
    {
      name: 'sums of parts of a list',
      code: dedent`
        ${EXPRESS}function sums(list, n) {
          if (n === 0) return true;
          if (list.length === 0) return false;
          return sums(list.slice(1), n) || sums(list.slice(1), n - list[0]);
        }
        app.post('/sums', (req, res) => res.send(String(«sums(req.body.list, req.body.n)»)));
      `,
      findings: [{ messageId: 'doublingList', data: { call: 'sums(req.body.list, req.body.n)' }, severity: 'warning' }],
    },
    {
      name: 'the number of ways, with the rest in a constant',
      code: dedent`
        ${EXPRESS}const ways = (coins, n) => {
          const [first, ...rest] = coins;
          return coins.length === 0 ? Number(n === 0) : ways(rest, n) + ways(rest, n - first);
        };
        app.post('/ways', (req, res) => { const { coins } = req.body; res.send(String(«ways(coins, 100)»)); });
      `,
      findings: [{ messageId: 'doublingList' }],
    },
    {
      name: 'what stands still is said: a server, an invocation, windows',
      code: dedent`
        const { ipcMain } = require('electron');
        ${EXPRESS}app.get('/', (req, res) => {
          const end = Date.now() + 5000;
          «while (Date.now() < end)»;
          res.send('x');
        });
        exports.handler = async (event) => {
          const end = Date.now() + 5000;
          «while (Date.now() < end)»;
        };
        ipcMain.handle('wait', () => {
          const end = Date.now() + 5000;
          «while (Date.now() < end)»;
        });
      `,
      findings: [
        {
          messageId: 'waits',
          message:
            'This loop busy-waits for 5,000 ms on every `GET /`. Until it ends, this process reads no requests, fires no timers, and sends no responses. An `async` function does not help. Wait with a timer: `await setTimeout(ms)` from `node:timers/promises`.',
        },
        {
          messageId: 'waits',
          message:
            'This loop busy-waits for 5,000 ms on every invocation. Until it ends, the invocation waits, and no timer fires. An `async` function does not help. Wait with a timer: `await setTimeout(ms)` from `node:timers/promises`.',
        },
        {
          messageId: 'waits',
          message:
            'This loop busy-waits for 5,000 ms on every `IPC wait`. Until it ends, no window of the app responds, and no timer fires. An `async` function does not help. Wait with a timer: `await setTimeout(ms)` from `node:timers/promises`.',
        },
      ],
    },
    {
      code: dedent`
        ${EXPRESS}function sleep(ms) {
          const end = Date.now() + ms;
          «while (Date.now() < end)»;
        }
        app.get('/slow', (req, res) => {
          sleep(500);
          res.send('x');
        });
      `,
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
      code: dedent`
        ${EXPRESS}async function sleep(ms) {
          const future = Date.now() + ms;
          «while (Date.now() < future)»;
        }
        app.get('/', async (req, res) => { await sleep(30); res.send('x'); });
      `,
      findings: [{ messageId: 'waits' }],
    },
    {
      name: 'the time since the start',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => {
          const start = new Date().getTime();
          «while (new Date().getTime() - start < 5000)» {}
          res.end();
        });
      `,
      findings: [{ messageId: 'waits', data: { time: ' for 5,000 ms' } }],
    },
    {
      name: 'a variable that holds the time',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => {
          const start = Date.now();
          let now = start;
          «while (now - start < 3000)» now = Date.now();
          res.end();
        });
      `,
      findings: [{ messageId: 'waits' }],
    },
    {
      name: 'do … while',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => {
          const date = Date.now();
          let current = null;
          «do» {
            current = Date.now();
          } while (current - date < 2000);
          res.end();
        });
      `,
      findings: [{ messageId: 'waits', data: { time: ' for 2,000 ms' } }],
    },
    {
      name: 'an endless loop that only the clock ends',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => {
          const end = Date.now() + 1000;
          «for (;;)» { if (Date.now() >= end) break; }
          res.end();
        });
      `,
      findings: [{ messageId: 'waits', data: { time: ' for 1,000 ms' } }],
    },
    {
      name: 'with a flag that nothing can change',
      code: dedent`
        ${EXPRESS}let ready = false;
        app.get('/', (req, res) => {
          const end = Date.now() + 1000;
          «while (!ready && Date.now() < end)» {}
          res.end();
        });
      `,
      findings: [{ messageId: 'waits' }],
    },
    {
      name: 'nothing ends it',
      code: dedent`
        ${EXPRESS}app.get('/hang', (req, res) => {
          «while (true)» {}
        });
      `,
      findings: [{ messageId: 'endless', data: { where: '`GET /hang`' } }],
    },
    {
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => {
          let sum = 0;
          «for (let i = 0; i < 1e9; i++)» { sum += i; }
          res.send(String(sum));
        });
      `,
      findings: [{ messageId: 'long', data: { rounds: '1,000,000,000' } }],
    },
    {
      name: 'a constant bound, a while loop',
      code: dedent`
        import Koa from 'koa';
        const app = new Koa();
        const ROUNDS = 5_000_000_000;
        app.use(async (ctx) => {
          let i = 0;
          «while (i < ROUNDS)» i++;
          ctx.body = String(i);
        });
      `,
      findings: [{ messageId: 'long', data: { rounds: '5,000,000,000' } }],
    },
    {
      name: 'ten million additions',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => {
          let total = 0;
          «for (let i = 0; i < 10_000_000; i++)» { total += i; }
          res.send(String(total));
        });
      `,
      findings: [{ messageId: 'long', severity: 'warning', data: { rounds: '10,000,000', time: '8 ms' } }],
    },
    {
      name: 'ten million rounds of nothing are a few milliseconds',
      code: dedent`
        import { createServer } from 'http';
        createServer((req, res) => {
          let i = 1e7; «while (i > 0)» { i-- }
          res.end();
        }).listen(1);
      `,
      findings: [{ messageId: 'long', severity: 'hint', data: { rounds: '10,000,000', time: '2.5 ms' } }],
    },
    {
      name: 'ten million steps of a counter',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => {
          let total = 0;
          «for (let i = 0; i < 10_000_000; i++)» { total++; }
          res.send(String(total));
        });
      `,
      findings: [{ messageId: 'long', severity: 'hint', data: { time: '4 ms' } }],
    },
    {
      name: 'as often as all calls say',
      code: dedent`
        ${EXPRESS}function sum(limit) {
          let all = 0;
          «for (let i = 0; i < limit; i++)» all += i;
          return all;
        }
        app.get('/little', (req, res) => res.send(String(sum(20_000_000))));
        app.get('/much', (req, res) => res.send(String(sum(5e9))));
      `,
      findings: [{ messageId: 'long', data: { rounds: '20,000,000', time: '16 ms' } }],
    },
    {
      name: 'an address that says limit limits nothing',
      code: dedent`
        const server = require('fastify')();
        server.get('/:limit', async (req) => String(fibonacci(Number(req.params.limit))));
        server.listen({ port: 1 });
        function fibonacci(limit) {
          let last = 1n, next = 0n;
          «while (limit)» {
            [last, next] = [last + next, last];
            limit--;
          }
          return next;
        }
      `,
      findings: [{ messageId: 'requested', data: { bound: 'limit', where: '`GET /:limit`' } }],
    },
    {
      name: 'downwards',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => {
          let n = 10 ** 9;
          «while (n--)»;
          res.end();
        });
      `,
      findings: [{ messageId: 'long', data: { rounds: '1,000,000,000' } }],
    },
    {
      name: 'one in the other',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => {
          let sum = 0;
          «for (let i = 0; i < 10000; i++)» {
            for (let j = 0; j < 10000; j++) {
              sum += i * j;
            }
          }
          res.send(String(sum));
        });
      `,
      findings: [{ messageId: 'long', data: { rounds: '10,000' } }],
    },
    {
      name: 'an inner loop that runs in the first round only is not counted',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => {
          let sum = 0;
          let j = 0;
          «for (let i = 0; i < 1e8; i++)» {
            for (; j < 1e9; j++) sum += j;
          }
          res.send(String(sum));
        });
      `,
      findings: [{ messageId: 'long', data: { rounds: '100,000,000', time: '80 ms' } }],
    },
    {
      name: 'a million objects',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => {
          const rows = [];
          «for (let i = 0; i < 1000000; i++)» { rows.push({ id: i, name: 'row' }); }
          res.json(rows);
        });
      `,
      findings: [{ messageId: 'long' }],
    },
    {
      name: 'in a case of a switch on the address',
      code: dedent`
        const http = require('http');
        http.createServer((request, response) => {
          switch (request.url) {
            case '/loop':
              «for (var i = 0; i < 10000000000; i++)» { work(i); }
              response.end();
          }
        }).listen(1);
      `,
      findings: [{ messageId: 'long', data: { where: 'request that reaches this line' } }],
    },
    {
      name: 'as often as the request says',
      code: dedent`
        ${EXPRESS}app.get('/sum', (req, res) => {
          const n = parseInt(req.query.n, 10);
          let sum = 0;
          «for (let i = 0; i < n; i++)» { sum += i; }
          res.send(String(sum));
        });
      `,
      findings: [{ messageId: 'requested', data: { bound: 'n' } }],
    },
    {
      name: 'through a helper, from a path',
      code: dedent`
        ${EXPRESS}function isPrime(n) {
          if (n < 2) return false;
          «for (let i = 2; i <= Math.sqrt(n); i++)» {
            if (n % i === 0) return false;
          }
          return true;
        }
        app.get('/prime/:number', (req, res) => {
          const { number } = req.params;
          res.send(String(isPrime(Number(number))));
        });
      `,
      findings: [{ messageId: 'requested', data: { bound: 'Math.sqrt(n)', where: '`GET /prime/:number` that reaches this line' } }],
    },
    {
      name: "from the address's search",
      code: dedent`
        import { createServer } from 'node:http';
        createServer((request, response) => {
          const url = new URL(request.url, 'http://localhost');
          let sum = 0;
          «for (let i = 1; i <= Number(url.searchParams.get('n')); i++)» sum += i;
          response.end(String(sum));
        }).listen(1);
      `,
      findings: [{ messageId: 'requested' }],
    },
    {
      name: 'in a controller',
      file: 'src/sum.controller.ts',
      code: dedent`
        import { Controller, Get, Query } from '@nestjs/common';
        @Controller('sum')
        export class SumController {
          @Get()
          sum(@Query('n') n: number) {
            let sum = 0;
            «for (let i = 0; i < n; i++)» { sum += i; }
            return sum;
          }
        }
      `,
      findings: [{ messageId: 'requested', data: { bound: 'n' } }],
    },
    {
      code: dedent`
        ${EXPRESS}${FIB}app.get('/', (req, res) => {
          res.send(String(«fib(40)»));
        });
      `,
      findings: [{ messageId: 'doubling', data: { call: 'fib(40)', calls: '331,160,281' }, related: ['GET /'] }],
    },
    {
      name: 'as deep as the request says',
      code: dedent`
        ${EXPRESS}const fib = (n) => {
          if (n <= 1) return n;
          return fib(n - 1) + fib(n - 2);
        };
        app.get('/fib/:n', (req, res) => res.send(String(«fib(+req.params.n)»)));
      `,
      findings: [{ messageId: 'doublingRequested', data: { call: 'fib(+req.params.n)' } }],
    },
    {
      name: 'results that are kept by another parameter only',
      code: dedent`
        ${EXPRESS}function paths(a, b, kept) {
          if (kept[a]) return kept[a];
          if (a > b) return paths(a - 1, b, kept) + paths(a - 2, b, kept);
          return paths(a, b - 1, {}) + paths(a, b - 2, {});
        }
        app.get('/:b', (req, res) => res.json(«paths(1, +req.params.b, {})»));
      `,
      findings: [{ messageId: 'doublingRequested' }],
    },
    {
      name: 'a function of the handler',
      code: dedent`
        require('http').createServer(function (req, res) {
          function fibo(n) {
            return n > 1 ? fibo(n - 1) + fibo(n - 2) : 1;
          }
          res.end('result: ' + «fibo(35)»);
        }).listen(5555);
      `,
      findings: [{ messageId: 'doubling' }],
    },
  ],
};
