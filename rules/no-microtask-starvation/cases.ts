import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { innocents } from './cases-innocents.ts';
import type { MessageId } from './messages.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const IMPORT = "import { setImmediate as yieldToEventLoop } from 'node:timers/promises';";

export const cases: RuleCases<MessageId> = {
  valid: innocents,
  invalid: [
    {
      name: 'a server of Node beside a page of the same package',
      code: dedent`
        import http from 'node:http';
        function update() {
          «queueMicrotask(update)»;
        }
        http.createServer((req, res) => { update(); res.end(); }).listen(3000);
      `,
      project: { manifest: { bin: [], scripts: {}, dependencies: { jquery: '^3.7.1' }, devDependencies: {}, private: true } },
      findings: [
        {
          messageId: 'endlessRequeue',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                import http from 'node:http';
                function update() {
                  setImmediate(update);
                }
                http.createServer((req, res) => { update(); res.end(); }).listen(3000);
              `,
            },
          ],
        },
      ],
    },
    // ---- with functions of other files
    {
      code: dedent`
        import { drain } from './drain.js';
        export function schedule() {
          «process.nextTick(drain)»;
        }
      `,
      others: {
        'src/drain.js': dedent`
            import { schedule } from './app.js';
            export function drain(jobs) {
              const job = jobs.shift();
              if (!job) return;
              job();
              schedule(jobs);
            }

          `,
      },
      findings: [
        {
          messageId: 'longRequeue',
          severity: 'warning',
          data: { name: '`schedule`', via: 'process.nextTick' },
          related: ['calls `schedule`'],
          functionName: 'schedule',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
              import { drain } from './drain.js';
              export function schedule() {
                setImmediate(drain);
              }
            `,
            },
          ],
        },
      ],
    },
    {
      code: dedent`
        import { take } from './take.js';
        export async function work(jobs) {
          await take(jobs);
          return «work(jobs)»;
        }
      `,
      others: {
        'src/take.js': dedent`
        export async function take(jobs) {
          jobs.shift()();
        }

      `,
      },
      findings: [
        {
          messageId: 'endlessRecursion',
          severity: 'error',
          related: ['this never yields to the event loop'],
          functionName: 'work',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                  import { take } from './take.js';
                  import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
                  export async function work(jobs) {
                    await take(jobs);
                    await yieldToEventLoop();
                    return work(jobs);
                  }
                `,
            },
          ],
        },
      ],
    },

    // ---- ticks and microtasks that requeue themselves
    {
      code: dedent`
        function compute() {
          work();
          «process.nextTick(compute)»;
        }
        compute();
      `,
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
              output: dedent`
                function compute() {
                  work();
                  setImmediate(compute);
                }
                compute();
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'with arguments',
      code: dedent`
        function step(job) {
          job.advance();
          «process.nextTick(step, job)»;
        }
        module.exports = step;
      `,
      findings: [
        {
          messageId: 'endlessRequeue',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
              function step(job) {
                job.advance();
                setImmediate(step, job);
              }
              module.exports = step;
            `,
            },
          ],
        },
      ],
    },
    {
      name: 'until the data says stop',
      code: dedent`
        export function drain(queue) {
          const job = queue.shift();
          if (!job) return;
          job.run();
          «queueMicrotask(() => drain(queue))»;
        }
      `,
      findings: [
        {
          messageId: 'longRequeue',
          severity: 'warning',
          data: { via: 'queueMicrotask' },
          related: ['calls `drain`'],
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                  export function drain(queue) {
                    const job = queue.shift();
                    if (!job) return;
                    job.run();
                    setImmediate(() => drain(queue));
                  }
                `,
            },
          ],
        },
      ],
    },
    {
      name: 'imported and renamed',
      code: dedent`
        import { nextTick as defer } from 'node:process';
        export function poll() {
          look();
          «defer(poll)»;
        }
      `,
      findings: [
        {
          messageId: 'endlessRequeue',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                import { nextTick as defer } from 'node:process';
                export function poll() {
                  look();
                  setImmediate(poll);
                }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'twenty million ticks',
      code: dedent`
        let count = 0;
        function rec() {
          count += 1;
          if (count === 20000000) return;
          «process.nextTick(rec)»;
        }
        rec();
      `,
      findings: [
        {
          messageId: 'longRequeue',
          severity: 'warning',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                let count = 0;
                function rec() {
                  count += 1;
                  if (count === 20000000) return;
                  setImmediate(rec);
                }
                rec();
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'two functions, each other',
      code: dedent`
        function ping() {
          «process.nextTick(pong)»;
        }
        function pong() {
          queueMicrotask(ping);
        }
        ping();
      `,
      findings: [
        {
          messageId: 'endlessRequeue',
          data: { name: '`ping`' },
          related: ['queues `ping` with queueMicrotask'],
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                function ping() {
                  setImmediate(pong);
                }
                function pong() {
                  queueMicrotask(ping);
                }
                ping();
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'through a helper',
      code: dedent`
        const again = () => {
          «process.nextTick(turn)»;
        };
        function turn() {
          look();
          again();
        }
        module.exports = { turn };
      `,
      findings: [
        {
          messageId: 'endlessRequeue',
          related: ['calls `again`'],
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                  const again = () => {
                    setImmediate(turn);
                  };
                  function turn() {
                    look();
                    again();
                  }
                  module.exports = { turn };
                `,
            },
          ],
        },
      ],
    },
    {
      name: 'a method, bound',
      code: dedent`
        export class Poller {
          run() {
            this.look();
            «process.nextTick(this.run.bind(this))»;
          }
        }
      `,
      findings: [
        {
          messageId: 'endlessRequeue',
          data: { name: '`Poller.run`' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                export class Poller {
                  run() {
                    this.look();
                    setImmediate(this.run.bind(this));
                  }
                }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a settled promise, then itself',
      code: dedent`
        function loop() {
          work();
          «Promise.resolve().then(loop)»;
        }
        loop();
      `,
      findings: [
        {
          messageId: 'endlessRequeue',
          data: { via: 'then' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
            function loop() {
              work();
              setImmediate(loop);
            }
            loop();
          `,
            },
          ],
        },
      ],
    },
    {
      name: 'whose promise is given back',
      code: dedent`
        import http from 'node:http';
        export function loop(state) {
          if (state.done) return state;
          return «Promise.resolve().then(() => loop(state))»;
        }
      `,
      findings: [
        {
          messageId: 'longRequeue',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Yield to the event loop instead',
              output: dedent`
                import http from 'node:http';
                ${IMPORT}
                export function loop(state) {
                  if (state.done) return state;
                  return yieldToEventLoop().then(() => loop(state));
                }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'an async function of the file that waits for nothing, then itself',
      code: dedent`
        async function step() {
          count();
        }
        function run() {
          return «step().then(run)»;
        }
        run();
      `,
      findings: [{ messageId: 'endlessRequeue' }],
    },
    {
      name: 'in a file that a folder makes a test, but no test stands in it',
      file: 'Test/tick.js',
      code: dedent`
        const http = require('http');
        function compute() {
          busy(3000);
          «process.nextTick(compute)»;
        }
        http.createServer(answer).listen(5000);
        compute();
      `,
      findings: [
        {
          messageId: 'endlessRequeue',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                  const http = require('http');
                  function compute() {
                    busy(3000);
                    setImmediate(compute);
                  }
                  http.createServer(answer).listen(5000);
                  compute();
                `,
            },
          ],
        },
      ],
    },

    // ---- async recursion
    {
      code: dedent`
        import { look } from './look.js';

        export async function watch() {
          look();
          await null;
          return «watch()»;
        }
      `,
      findings: [
        {
          messageId: 'endlessRecursion',
          severity: 'error',
          data: { name: '`watch`' },
          related: ['this never yields to the event loop'],
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                import { look } from './look.js';
                ${IMPORT}

                export async function watch() {
                  look();
                  await yieldToEventLoop();
                  return watch();
                }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'CommonJS, until the data says stop',
      code: dedent`
        const { read } = require('./read')

        async function pump (source) {
          const row = read(source)
          if (row === null) return
          await Promise.resolve()
          await «pump(source)»
        }

        module.exports = pump
      `,
      findings: [
        {
          messageId: 'longRecursion',
          severity: 'warning',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                  const { read } = require('./read')
                  const { setImmediate: yieldToEventLoop } = require('node:timers/promises')

                  async function pump (source) {
                    const row = read(source)
                    if (row === null) return
                    await yieldToEventLoop()
                    await pump(source)
                  }

                  module.exports = pump
                `,
            },
          ],
        },
      ],
    },
    {
      name: 'after an async function of the file that waits for nothing',
      code: dedent`
        async function note() {
          console.log(1);
        }
        export async function run() {
          await note();
          return «run()»;
        }
      `,
      findings: [
        {
          messageId: 'endlessRecursion',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Yield to the event loop first',
              output: dedent`
                ${IMPORT}

                async function note() {
                  console.log(1);
                }
                export async function run() {
                  await note();
                  await yieldToEventLoop();
                  return run();
                }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'two async functions, each other',
      code: dedent`
        export async function a() {
          await undefined;
          return «b()»;
        }
        async function b() {
          return a();
        }
      `,
      findings: [
        {
          messageId: 'endlessRecursion',
          related: ['this never yields to the event loop', 'calls `a`'],
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${IMPORT}

                export async function a() {
                  await yieldToEventLoop();
                  return b();
                }
                async function b() {
                  return a();
                }
              `,
            },
          ],
        },
      ],
    },

    // ---- loops
    {
      name: 'waiting for a flag that only an event could set',
      code: dedent`
        export async function ready(server) {
          «while (!server.done)» await null;
        }
      `,
      findings: [
        {
          messageId: 'longLoop',
          severity: 'warning',
          related: ['this never yields to the event loop'],
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${IMPORT}

                export async function ready(server) {
                  while (!server.done) await yieldToEventLoop();
                }
              `,
            },
          ],
        },
      ],
    },
    {
      code: dedent`
        import { step } from './step.js';

        export async function run() {
          «while (true)» {
            step();
            await Promise.resolve();
          }
        }
      `,
      findings: [
        {
          messageId: 'endlessLoop',
          severity: 'error',
          functionName: 'run',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Yield to the event loop every 1,000 iterations',
              output: dedent`
                import { step } from './step.js';
                ${IMPORT}

                export async function run() {
                  let rounds = 0;
                  while (true) {
                    step();
                    if (++rounds % 1000 === 0) await yieldToEventLoop();
                  }
                }
              `,
            },
            {
              kind: 'suggestion',
              output: dedent`
                import { step } from './step.js';
                ${IMPORT}

                export async function run() {
                  while (true) {
                    step();
                    await yieldToEventLoop();
                  }
                }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'an async function of the file that never waits',
      code: dedent`
        async function handle(job) {
          job.count += 1;
        }
        export async function work(queue) {
          «while (queue.length > 0)» {
            await handle(queue.pop());
          }
        }
      `,
      findings: [
        {
          messageId: 'longLoop',
          severity: 'warning',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${IMPORT}

                async function handle(job) {
                  job.count += 1;
                }
                export async function work(queue) {
                  let rounds = 0;
                  while (queue.length > 0) {
                    if (++rounds % 1000 === 0) await yieldToEventLoop();
                    await handle(queue.pop());
                  }
                }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'for ever, over an array',
      code: dedent`
        const SIGNS = [1, 2];
        export async function blink(lamp) {
          «for (;;)» {
            for await (const sign of SIGNS) lamp.set(sign);
          }
        }
      `,
      findings: [
        {
          messageId: 'endlessLoop',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${IMPORT}

                const SIGNS = [1, 2];
                export async function blink(lamp) {
                  let rounds = 0;
                  for (;;) {
                    if (++rounds % 1000 === 0) await yieldToEventLoop();
                    for await (const sign of SIGNS) lamp.set(sign);
                  }
                }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a generator without an end',
      code: dedent`
        async function* numbers() {
          let n = 0;
          while (true) yield n++;
        }
        export async function sum(limit) {
          let total = 0;
          «for await (const n of numbers())» {
            total += n;
            if (total > limit) break;
          }
          return total;
        }
      `,
      findings: [
        {
          messageId: 'longLoop',
          severity: 'warning',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${IMPORT}

                async function* numbers() {
                  let n = 0;
                  while (true) yield n++;
                }
                export async function sum(limit) {
                  let total = 0;
                  let rounds = 0;
                  for await (const n of numbers()) {
                    if (++rounds % 1000 === 0) await yieldToEventLoop();
                    total += n;
                    if (total > limit) break;
                  }
                  return total;
                }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'meant to give way, once per row',
      code: dedent`
        export async function index(rows) {
          const byId = new Map();
          «for (const row of rows)» {
            byId.set(row.id, row); // rows are many
            await null;
          }
          return byId;
        }
      `,
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${IMPORT}

                export async function index(rows) {
                  const byId = new Map();
                  let rounds = 0;
                  for (const row of rows) {
                    byId.set(row.id, row); // rows are many
                    if (++rounds % 1000 === 0) await yieldToEventLoop();
                  }
                  return byId;
                }
              `,
            },
            {
              kind: 'suggestion',
              output: dedent`
                ${IMPORT}

                export async function index(rows) {
                  const byId = new Map();
                  for (const row of rows) {
                    byId.set(row.id, row); // rows are many
                    await yieldToEventLoop();
                  }
                  return byId;
                }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a million rounds, written down',
      code: dedent`
        import { setImmediate as yieldToEventLoop } from 'timers/promises';
        const add = async (n) => { total += n; };
        export async function run() {
          await yieldToEventLoop();
          «for (let i = 0; i < 1e6; i++)» {
            await add(i);
          }
        }
      `,
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                  import { setImmediate as yieldToEventLoop } from 'timers/promises';
                  const add = async (n) => { total += n; };
                  export async function run() {
                    await yieldToEventLoop();
                    let rounds = 0;
                    for (let i = 0; i < 1e6; i++) {
                      if (++rounds % 1000 === 0) await yieldToEventLoop();
                      await add(i);
                    }
                  }
                `,
            },
          ],
        },
      ],
    },
    {
      name: 'a promise kept and settled, then itself',
      code: dedent`
        const now = Promise.resolve();
        function loop() {
          work();
          «now.then(loop)»;
        }
        loop();
      `,
      findings: [{ messageId: 'endlessRequeue' }],
    },
    {
      name: 'a promise that a tick settles is no wait either',
      code: dedent`
        export async function spin(state) {
          «do» {
            await new Promise((resolve) => process.nextTick(resolve));
          } while (!state.ready);
        }
      `,
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${IMPORT}

                export async function spin(state) {
                  do {
                    await yieldToEventLoop();
                  } while (!state.ready);
                }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'older than timers/promises',
      project: { nodeRange: '>=12' },
      code: dedent`
        exports.run = async (state) => {
          «while (!state.ready)» await undefined;
        };
      `,
      findings: [{ messageId: 'longLoop', refused: ['`timers/promises` requires Node 15'] }],
    },
    {
      name: 'the name is taken, and the counter’s too',
      code: dedent`
        import { yieldToEventLoop } from './own.js';
        export async function run(rounds) {
          «while (rounds.go)» {
            yieldToEventLoop();
            await null;
          }
        }
      `,
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                  import { yieldToEventLoop } from './own.js';
                  import { setImmediate as yieldToEventLoopAsync } from 'node:timers/promises';
                  export async function run(rounds) {
                    let rounds2 = 0;
                    while (rounds.go) {
                      yieldToEventLoop();
                      if (++rounds2 % 1000 === 0) await yieldToEventLoopAsync();
                    }
                  }
                `,
            },
            {
              kind: 'suggestion',
              output: dedent`
                  import { yieldToEventLoop } from './own.js';
                  import { setImmediate as yieldToEventLoopAsync } from 'node:timers/promises';
                  export async function run(rounds) {
                    while (rounds.go) {
                      yieldToEventLoop();
                      await yieldToEventLoopAsync();
                    }
                  }
                `,
            },
          ],
        },
      ],
    },
    {
      name: 'timers/promises is there already',
      code: dedent`
        import * as timers from 'node:timers/promises';
        export async function run(state) {
          await timers.setTimeout(10);
          «while (state.go)» await null;
        }
      `,
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                  import * as timers from 'node:timers/promises';
                  export async function run(state) {
                    await timers.setTimeout(10);
                    while (state.go) await timers.setImmediate();
                  }
                `,
            },
          ],
        },
      ],
    },
    {
      name: 'TypeScript at a module’s top level',
      file: 'src/main.ts',
      code: dedent`
        import { state } from './state.ts';

        «while (!(state as State).ready)» {
          await (undefined as void);
        }

      `,
      findings: [
        {
          messageId: 'longLoop',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                import { state } from './state.ts';
                ${IMPORT}

                while (!(state as State).ready) {
                  await yieldToEventLoop();
                }

              `,
            },
          ],
        },
      ],
    },
  ],
};
