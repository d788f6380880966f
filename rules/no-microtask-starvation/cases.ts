import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { innocents } from './cases-innocents.ts';
import type { MessageId } from './messages.ts';

const IMPORT = "import { setImmediate as yieldToEventLoop } from 'node:timers/promises';";

export const cases: RuleCases<MessageId> = {
  valid: innocents,
  invalid: [
    // ---- with functions of other files
    {
      code: "import { drain } from './drain.js';\nexport function schedule() {\n  «process.nextTick(drain)»;\n}",
      others: {
        'src/drain.js':
          "import { schedule } from './app.js';\nexport function drain(jobs) {\n  const job = jobs.shift();\n  if (!job) return;\n  job();\n  schedule(jobs);\n}\n",
      },
      findings: [
        {
          messageId: 'longRequeue',
          severity: 'warning',
          data: { name: '`schedule`', via: 'process.nextTick' },
          related: ['which calls `schedule`'],
          functionName: 'schedule',
          fixes: [
            { kind: 'suggestion', output: "import { drain } from './drain.js';\nexport function schedule() {\n  setImmediate(drain);\n}" },
          ],
        },
      ],
    },
    {
      code: "import { take } from './take.js';\nexport async function work(jobs) {\n  await take(jobs);\n  return «work(jobs)»;\n}",
      others: { 'src/take.js': 'export async function take(jobs) {\n  jobs.shift()();\n}\n' },
      findings: [
        {
          messageId: 'endlessRecursion',
          severity: 'error',
          related: ['this never waits'],
          functionName: 'work',
          fixes: [
            {
              kind: 'suggestion',
              output:
                "import { take } from './take.js';\nimport { setImmediate as yieldToEventLoop } from 'node:timers/promises';\nexport async function work(jobs) {\n  await take(jobs);\n  await yieldToEventLoop();\n  return work(jobs);\n}",
            },
          ],
        },
      ],
    },

    // ---- ticks and microtasks that requeue themselves
    {
      code: 'function compute() {\n  work();\n  «process.nextTick(compute)»;\n}\ncompute();',
      findings: [
        {
          messageId: 'endlessRequeue',
          severity: 'error',
          data: { name: '`compute`', via: 'process.nextTick' },
          related: [],
          functionName: 'compute',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Use `setImmediate` instead of `process.nextTick`',
              output: 'function compute() {\n  work();\n  setImmediate(compute);\n}\ncompute();',
            },
          ],
        },
      ],
    },
    {
      name: 'with arguments',
      code: 'function step(job) {\n  job.advance();\n  «process.nextTick(step, job)»;\n}\nmodule.exports = step;',
      findings: [
        {
          messageId: 'endlessRequeue',
          fixes: [
            { kind: 'suggestion', output: 'function step(job) {\n  job.advance();\n  setImmediate(step, job);\n}\nmodule.exports = step;' },
          ],
        },
      ],
    },
    {
      name: 'until the data says stop',
      code: 'export function drain(queue) {\n  const job = queue.shift();\n  if (!job) return;\n  job.run();\n  «queueMicrotask(() => drain(queue))»;\n}',
      findings: [
        {
          messageId: 'longRequeue',
          severity: 'warning',
          data: { via: 'queueMicrotask' },
          related: ['which calls `drain`'],
          fixes: [
            {
              kind: 'suggestion',
              output:
                'export function drain(queue) {\n  const job = queue.shift();\n  if (!job) return;\n  job.run();\n  setImmediate(() => drain(queue));\n}',
            },
          ],
        },
      ],
    },
    {
      name: 'imported and renamed',
      code: "import { nextTick as defer } from 'node:process';\nexport function poll() {\n  look();\n  «defer(poll)»;\n}",
      findings: [
        {
          messageId: 'endlessRequeue',
          fixes: [
            {
              kind: 'suggestion',
              output: "import { nextTick as defer } from 'node:process';\nexport function poll() {\n  look();\n  setImmediate(poll);\n}",
            },
          ],
        },
      ],
    },
    {
      name: 'twenty million ticks',
      code: 'let count = 0;\nfunction rec() {\n  count += 1;\n  if (count === 20000000) return;\n  «process.nextTick(rec)»;\n}\nrec();',
      findings: [
        {
          messageId: 'longRequeue',
          severity: 'warning',
          fixes: [
            {
              kind: 'suggestion',
              output: 'let count = 0;\nfunction rec() {\n  count += 1;\n  if (count === 20000000) return;\n  setImmediate(rec);\n}\nrec();',
            },
          ],
        },
      ],
    },
    {
      name: 'two functions, each other',
      code: 'function ping() {\n  «process.nextTick(pong)»;\n}\nfunction pong() {\n  queueMicrotask(ping);\n}\nping();',
      findings: [
        {
          messageId: 'endlessRequeue',
          data: { name: '`ping`' },
          related: ['which queues (queueMicrotask) `ping`'],
          fixes: [
            {
              kind: 'suggestion',
              output: 'function ping() {\n  setImmediate(pong);\n}\nfunction pong() {\n  queueMicrotask(ping);\n}\nping();',
            },
          ],
        },
      ],
    },
    {
      name: 'through a helper',
      code: 'const again = () => {\n  «process.nextTick(turn)»;\n};\nfunction turn() {\n  look();\n  again();\n}\nmodule.exports = { turn };',
      findings: [
        {
          messageId: 'endlessRequeue',
          related: ['which calls `again`'],
          fixes: [
            {
              kind: 'suggestion',
              output:
                'const again = () => {\n  setImmediate(turn);\n};\nfunction turn() {\n  look();\n  again();\n}\nmodule.exports = { turn };',
            },
          ],
        },
      ],
    },
    {
      name: 'a method, bound',
      code: 'export class Poller {\n  run() {\n    this.look();\n    «process.nextTick(this.run.bind(this))»;\n  }\n}',
      findings: [
        {
          messageId: 'endlessRequeue',
          data: { name: '`Poller.run`' },
          fixes: [
            {
              kind: 'suggestion',
              output: 'export class Poller {\n  run() {\n    this.look();\n    setImmediate(this.run.bind(this));\n  }\n}',
            },
          ],
        },
      ],
    },
    {
      name: 'a settled promise, then itself',
      code: 'function loop() {\n  work();\n  «Promise.resolve().then(loop)»;\n}\nloop();',
      findings: [
        {
          messageId: 'endlessRequeue',
          data: { via: 'then' },
          fixes: [{ kind: 'suggestion', output: 'function loop() {\n  work();\n  setImmediate(loop);\n}\nloop();' }],
        },
      ],
    },
    {
      name: 'whose promise is given back',
      code: "import http from 'node:http';\nexport function loop(state) {\n  if (state.done) return state;\n  return «Promise.resolve().then(() => loop(state))»;\n}",
      findings: [
        {
          messageId: 'longRequeue',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Wait for a turn of the event loop instead',
              output: `import http from 'node:http';\n${IMPORT}\nexport function loop(state) {\n  if (state.done) return state;\n  return yieldToEventLoop().then(() => loop(state));\n}`,
            },
          ],
        },
      ],
    },
    {
      name: 'an async function of the file that waits for nothing, then itself',
      code: 'async function step() {\n  count();\n}\nfunction run() {\n  return «step().then(run)»;\n}\nrun();',
      findings: [{ messageId: 'endlessRequeue' }],
    },
    {
      name: 'in a file that a folder makes a test, but no test stands in it',
      file: 'Test/tick.js',
      code: "const http = require('http');\nfunction compute() {\n  busy(3000);\n  «process.nextTick(compute)»;\n}\nhttp.createServer(answer).listen(5000);\ncompute();",
      findings: [
        {
          messageId: 'endlessRequeue',
          fixes: [
            {
              kind: 'suggestion',
              output:
                "const http = require('http');\nfunction compute() {\n  busy(3000);\n  setImmediate(compute);\n}\nhttp.createServer(answer).listen(5000);\ncompute();",
            },
          ],
        },
      ],
    },

    // ---- async recursion
    {
      code: "import { look } from './look.js';\n\nexport async function watch() {\n  look();\n  await null;\n  return «watch()»;\n}",
      findings: [
        {
          messageId: 'endlessRecursion',
          severity: 'error',
          data: { name: '`watch`' },
          related: ['this never waits'],
          fixes: [
            {
              kind: 'suggestion',
              output: `import { look } from './look.js';\n${IMPORT}\n\nexport async function watch() {\n  look();\n  await yieldToEventLoop();\n  return watch();\n}`,
            },
          ],
        },
      ],
    },
    {
      name: 'CommonJS, until the data says stop',
      code: "const { read } = require('./read')\n\nasync function pump (source) {\n  const row = read(source)\n  if (row === null) return\n  await Promise.resolve()\n  await «pump(source)»\n}\n\nmodule.exports = pump",
      findings: [
        {
          messageId: 'longRecursion',
          severity: 'warning',
          fixes: [
            {
              kind: 'suggestion',
              output:
                "const { read } = require('./read')\nconst { setImmediate: yieldToEventLoop } = require('node:timers/promises')\n\nasync function pump (source) {\n  const row = read(source)\n  if (row === null) return\n  await yieldToEventLoop()\n  await pump(source)\n}\n\nmodule.exports = pump",
            },
          ],
        },
      ],
    },
    {
      name: 'after an async function of the file that waits for nothing',
      code: 'async function note() {\n  console.log(1);\n}\nexport async function run() {\n  await note();\n  return «run()»;\n}',
      findings: [
        {
          messageId: 'endlessRecursion',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Wait for a turn of the event loop first',
              output: `${IMPORT}\n\nasync function note() {\n  console.log(1);\n}\nexport async function run() {\n  await note();\n  await yieldToEventLoop();\n  return run();\n}`,
            },
          ],
        },
      ],
    },
    {
      name: 'two async functions, each other',
      code: 'export async function a() {\n  await undefined;\n  return «b()»;\n}\nasync function b() {\n  return a();\n}',
      findings: [
        {
          messageId: 'endlessRecursion',
          related: ['this never waits', 'which calls `a`'],
          fixes: [
            {
              kind: 'suggestion',
              output: `${IMPORT}\n\nexport async function a() {\n  await yieldToEventLoop();\n  return b();\n}\nasync function b() {\n  return a();\n}`,
            },
          ],
        },
      ],
    },

    // ---- loops
    {
      name: 'waiting for a flag that only an event could set',
      code: 'export async function ready(server) {\n  «while (!server.done)» await null;\n}',
      findings: [
        {
          messageId: 'longLoop',
          severity: 'warning',
          related: ['this never waits'],
          fixes: [
            {
              kind: 'suggestion',
              output: `${IMPORT}\n\nexport async function ready(server) {\n  while (!server.done) await yieldToEventLoop();\n}`,
            },
          ],
        },
      ],
    },
    {
      code: "import { step } from './step.js';\n\nexport async function run() {\n  «while (true)» {\n    step();\n    await Promise.resolve();\n  }\n}",
      findings: [
        {
          messageId: 'endlessLoop',
          severity: 'error',
          functionName: 'run',
          fixes: [
            {
              kind: 'suggestion',
              output: `import { step } from './step.js';\n${IMPORT}\n\nexport async function run() {\n  while (true) {\n    step();\n    await yieldToEventLoop();\n  }\n}`,
            },
            {
              kind: 'suggestion',
              title: 'Wait for a turn of the event loop every 1,000 rounds',
              output: `import { step } from './step.js';\n${IMPORT}\n\nexport async function run() {\n  let rounds = 0;\n  while (true) {\n    step();\n    if (++rounds % 1000 === 0) await yieldToEventLoop();\n  }\n}`,
            },
          ],
        },
      ],
    },
    {
      name: 'an async function of the file that never waits',
      code: 'async function handle(job) {\n  job.count += 1;\n}\nexport async function work(queue) {\n  «while (queue.length > 0)» {\n    await handle(queue.pop());\n  }\n}',
      findings: [
        {
          messageId: 'longLoop',
          severity: 'warning',
          fixes: [
            {
              kind: 'suggestion',
              output: `${IMPORT}\n\nasync function handle(job) {\n  job.count += 1;\n}\nexport async function work(queue) {\n  let rounds = 0;\n  while (queue.length > 0) {\n    if (++rounds % 1000 === 0) await yieldToEventLoop();\n    await handle(queue.pop());\n  }\n}`,
            },
          ],
        },
      ],
    },
    {
      name: 'for ever, over an array',
      code: 'const SIGNS = [1, 2];\nexport async function blink(lamp) {\n  «for (;;)» {\n    for await (const sign of SIGNS) lamp.set(sign);\n  }\n}',
      findings: [
        {
          messageId: 'endlessLoop',
          fixes: [
            {
              kind: 'suggestion',
              output: `${IMPORT}\n\nconst SIGNS = [1, 2];\nexport async function blink(lamp) {\n  let rounds = 0;\n  for (;;) {\n    if (++rounds % 1000 === 0) await yieldToEventLoop();\n    for await (const sign of SIGNS) lamp.set(sign);\n  }\n}`,
            },
          ],
        },
      ],
    },
    {
      name: 'a generator without an end',
      code: 'async function* numbers() {\n  let n = 0;\n  while (true) yield n++;\n}\nexport async function sum(limit) {\n  let total = 0;\n  «for await (const n of numbers())» {\n    total += n;\n    if (total > limit) break;\n  }\n  return total;\n}',
      findings: [
        {
          messageId: 'longLoop',
          severity: 'warning',
          fixes: [
            {
              kind: 'suggestion',
              output: `${IMPORT}\n\nasync function* numbers() {\n  let n = 0;\n  while (true) yield n++;\n}\nexport async function sum(limit) {\n  let total = 0;\n  let rounds = 0;\n  for await (const n of numbers()) {\n    if (++rounds % 1000 === 0) await yieldToEventLoop();\n    total += n;\n    if (total > limit) break;\n  }\n  return total;\n}`,
            },
          ],
        },
      ],
    },
    {
      name: 'meant to give way, once per row',
      code: 'export async function index(rows) {\n  const byId = new Map();\n  «for (const row of rows)» {\n    byId.set(row.id, row); // rows are many\n    await null;\n  }\n  return byId;\n}',
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output: `${IMPORT}\n\nexport async function index(rows) {\n  const byId = new Map();\n  for (const row of rows) {\n    byId.set(row.id, row); // rows are many\n    await yieldToEventLoop();\n  }\n  return byId;\n}`,
            },
            {
              kind: 'suggestion',
              output: `${IMPORT}\n\nexport async function index(rows) {\n  const byId = new Map();\n  let rounds = 0;\n  for (const row of rows) {\n    byId.set(row.id, row); // rows are many\n    if (++rounds % 1000 === 0) await yieldToEventLoop();\n  }\n  return byId;\n}`,
            },
          ],
        },
      ],
    },
    {
      name: 'a million rounds, written down',
      code: "import { setImmediate as yieldToEventLoop } from 'timers/promises';\nconst add = async (n) => { total += n; };\nexport async function run() {\n  await yieldToEventLoop();\n  «for (let i = 0; i < 1e6; i++)» {\n    await add(i);\n  }\n}",
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output:
                "import { setImmediate as yieldToEventLoop } from 'timers/promises';\nconst add = async (n) => { total += n; };\nexport async function run() {\n  await yieldToEventLoop();\n  let rounds = 0;\n  for (let i = 0; i < 1e6; i++) {\n    if (++rounds % 1000 === 0) await yieldToEventLoop();\n    await add(i);\n  }\n}",
            },
          ],
        },
      ],
    },
    {
      name: 'a promise kept and settled, then itself',
      code: 'const now = Promise.resolve();\nfunction loop() {\n  work();\n  «now.then(loop)»;\n}\nloop();',
      findings: [{ messageId: 'endlessRequeue' }],
    },
    {
      name: 'a promise that a tick settles is no wait either',
      code: 'export async function spin(state) {\n  «do» {\n    await new Promise((resolve) => process.nextTick(resolve));\n  } while (!state.ready);\n}',
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output: `${IMPORT}\n\nexport async function spin(state) {\n  do {\n    await yieldToEventLoop();\n  } while (!state.ready);\n}`,
            },
          ],
        },
      ],
    },
    {
      name: 'older than timers/promises',
      project: { nodeRange: '>=12' },
      code: 'exports.run = async (state) => {\n  «while (!state.ready)» await undefined;\n};',
      findings: [{ messageId: 'longLoop', refused: ['`timers/promises` came with Node 15'] }],
    },
    {
      name: 'the name is taken, and the counter’s too',
      code: "import { yieldToEventLoop } from './own.js';\nexport async function run(rounds) {\n  «while (rounds.go)» {\n    yieldToEventLoop();\n    await null;\n  }\n}",
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output:
                "import { yieldToEventLoop } from './own.js';\nimport { setImmediate as yieldToEventLoopAsync } from 'node:timers/promises';\nexport async function run(rounds) {\n  while (rounds.go) {\n    yieldToEventLoop();\n    await yieldToEventLoopAsync();\n  }\n}",
            },
            {
              kind: 'suggestion',
              output:
                "import { yieldToEventLoop } from './own.js';\nimport { setImmediate as yieldToEventLoopAsync } from 'node:timers/promises';\nexport async function run(rounds) {\n  let rounds2 = 0;\n  while (rounds.go) {\n    yieldToEventLoop();\n    if (++rounds2 % 1000 === 0) await yieldToEventLoopAsync();\n  }\n}",
            },
          ],
        },
      ],
    },
    {
      name: 'timers/promises is there already',
      code: "import * as timers from 'node:timers/promises';\nexport async function run(state) {\n  await timers.setTimeout(10);\n  «while (state.go)» await null;\n}",
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output:
                "import * as timers from 'node:timers/promises';\nexport async function run(state) {\n  await timers.setTimeout(10);\n  while (state.go) await timers.setImmediate();\n}",
            },
          ],
        },
      ],
    },
    {
      name: 'TypeScript at a module’s top level',
      file: 'src/main.ts',
      code: "import { state } from './state.ts';\n\n«while (!(state as State).ready)» {\n  await (undefined as void);\n}\n",
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output: `import { state } from './state.ts';\n${IMPORT}\n\nwhile (!(state as State).ready) {\n  await yieldToEventLoop();\n}\n`,
            },
          ],
        },
      ],
    },
  ],
};
