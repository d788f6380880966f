// Queues that empty, loops that wait, and other code that looks like a round of ticks or microtasks.
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

export const innocents: readonly (string | ValidCase)[] = [
  {
    name: 'a page, by the packages of its program: a browser has no setImmediate',
    code: dedent`
      function update() {
        queueMicrotask(update);
      }
      update();
    `,
    project: { manifest: { bin: [], scripts: {}, dependencies: { jquery: '^3.7.1' }, devDependencies: {}, private: true } },
  },
  // ---- once
  'export function later(callback) { process.nextTick(callback); }',
  'export class Stream { end() { process.nextTick(() => this.emit("finish")); } }',
  dedent`
    function load(id, callback) { if (cache.has(id)) return process.nextTick(callback, null, cache.get(id)); db.get(id, callback); }
    module.exports = load;
  `,
  dedent`
    let queued = false;
    export function schedule() { if (queued) return; queued = true; queueMicrotask(flush); }
    function flush() { queued = false; for (const job of jobs.splice(0)) job(); }
  `,
  { name: 'a tick inside of a tick', code: 'export function twice(fn) { process.nextTick(() => process.nextTick(fn)); }' },
  {
    name: 'the next of a chain of handlers',
    code: 'export function run(layers, req, done) { let i = 0; function next(err) { const layer = layers[i++]; if (!layer) return done(err); layer(req, next); } next(); }',
  },

  // ---- the event loop turns
  'function step() { work(); setImmediate(step); }\nstep();',
  'function step() { work(); setTimeout(step, 0); }\nstep();',
  dedent`
    function step() { work(); /* process.nextTick(step); */ setImmediate(step); }
    module.exports = step;
  `,
  {
    name: 'a tick now, an immediate now and then',
    code: dedent`
      let n = 0;
      function step() { work(); if (++n % 100 === 0) setImmediate(step); else process.nextTick(step); }
      step();
    `,
  },
  {
    name: 'a callback that is called later',
    code: dedent`
      function poll() { db.get("job", (err, job) => { if (job) run(job); process.nextTick(poll); }); }
      poll();
    `,
  },
  {
    name: 'an async executor that waits before it resolves',
    code: dedent`
      async function run(list) { while (list.length) { await new Promise(async (resolve) => { await readJob(list.pop()); resolve(1); }); } }
      module.exports = run;
    `,
  },
  {
    name: 'a promise that the network settles',
    code: dedent`
    function poll() { return fetch("/job").then(run).then(poll); }
    poll();
  `,
  },
  {
    name: 'an event in between',
    code: 'export function read(socket) { socket.once("data", (chunk) => { use(chunk); process.nextTick(() => read(socket)); }); }',
  },
  {
    name: 'awaited I/O before the next tick',
    code: dedent`
      async function poll() { await readJob(); process.nextTick(poll); }
      module.exports = poll;
    `,
  },

  // ---- state machines that come back to themselves in the source only
  {
    name: 'the error of one query',
    code: 'export class Client { pulse() { if (!this.ready) return; const query = this.queue.shift(); if (query) { const error = query.submit(); if (error) process.nextTick(() => { query.fail(error); this.pulse(); }); } } }',
  },
  {
    name: 'an event that is put off',
    code: "Reader.prototype.emit = function (event) { if (event === 'finish') { process.nextTick(() => { this.emit('error', new Error('early end')); }); } else Base.prototype.emit.apply(this, arguments); };",
  },
  {
    name: 'a transition',
    code: 'export class Channel { to(state) { switch (state) { case FAILED: process.nextTick(() => this.backOff()); break; case IDLE: this.close(); } } backOff() { if (this.open) this.to(FAILED); } }',
  },

  // ---- recursion that waits, or ends with its data
  'export async function poll() { await fetch("/job"); return poll(); }',
  dedent`
    import { setTimeout as sleep } from 'node:timers/promises';
    export async function poll() { look(); await sleep(100); return poll(); }
  `,
  'export async function retry(operation, n) { try { return await operation(); } catch (error) { if (n === 0) throw error; return retry(operation, n - 1); } }',
  'export async function walk(node, visit) { visit(node); for (const child of node.children) await walk(child, visit); }',
  {
    name: 'a tree, with a settled await',
    code: dedent`
      async function note(node) { node.seen = true; }
      export async function walk(node) { await note(node); for (const child of node.children) await walk(child); }
    `,
  },
  {
    name: 'recursion without a queue is a matter of the stack',
    code: 'export async function down(node) { if (node.next) return down(node.next); return node; }',
  },

  // ---- small bounds
  dedent`
    let n = 0;
    function flush() { if (n++ < 5) process.nextTick(flush); }
    flush();
  `,
  dedent`
    function settle(n) { if (n === 3) return; process.nextTick(() => settle(n + 1)); }
    settle(0);
  `,
  dedent`
    function settle(n = 10) { if (n > 0) process.nextTick(settle, n - 1); }
    module.exports = () => settle();
  `,
  'export async function settle() { for (let i = 0; i < 10; i++) await null; }',
  'export async function settle() { let n = 3; while (n-- > 0) await Promise.resolve(); }',
  'export async function settle(log) { for (const word of ["a", "b"]) { await undefined; log(word); } }',
  {
    name: 'a constant with a name',
    code: dedent`
      const TURNS = 20;
      let turn = 0;
      export async function settle() { while (turn < TURNS) { turn += 1; await null; } }
    `,
  },

  {
    name: 'a counter kept in the object',
    code: 'export class Task { run() { this.look(); if (this.tries < 3) { this.tries++; process.nextTick(() => this.run()); } } }',
  },

  // ---- loops that wait
  'export async function all(cursor) { while (true) { const row = await cursor.next(); if (!row) break; use(row); } }',
  'export async function batch(ids, process) { let start = 0; while (start < ids.length) { await process(ids.slice(start, start + 100)); start += 100; } }',
  'export async function wait(state) { while (!state.done) await new Promise((resolve) => setImmediate(resolve)); }',
  dedent`
    import { setImmediate as turn } from 'node:timers/promises';
    export async function work(jobs) { while (jobs.length) { jobs.pop()(); await turn(); } }
  `,
  dedent`
    import { scheduler } from 'node:timers/promises';
    export async function work(jobs) { while (jobs.length) { jobs.pop()(); await null; await scheduler.yield(); } }
  `,
  {
    name: 'every so many rounds',
    code: dedent`
      import { setImmediate as turn } from 'node:timers/promises';
      export async function work(jobs) { let n = 0; while (jobs.length) { jobs.pop()(); await null; if (++n % 100 === 0) await turn(); } }
    `,
  },
  {
    name: 'a promise that something else settles',
    code: 'export async function drain(stream) { while (stream.writableNeedDrain) { await new Promise((resolve) => stream.once("drain", resolve)); } }',
  },
  { name: 'returns a stream', code: 'export async function read(stream) { for await (const chunk of stream) use(chunk); }' },
  { name: 'an array, once', code: 'export async function read(log) { for await (const word of ["a", "b", "c"]) log(word); }' },
  {
    name: 'a method that a subclass replaces',
    code: 'export class Worker { async step() {} async run() { while (this.running) await this.step(); } }',
  },
  {
    name: 'a method that must be replaced',
    code: "export class Worker { async step() { throw new Error('not implemented'); } async run() { while (true) await this.step(); } }",
  },
  {
    name: 'what a wrapper makes of a function is not known',
    code: dedent`
      const limited = throttle(async () => { count(); });
      export async function run(state) { while (state.on) await limited(); }
    `,
  },
  { name: 'a parameter is not known', code: 'export async function run(task, state) { while (state.on) await task(); }' },
  {
    name: 'a function that gives back a promise of somebody else',
    code: dedent`
      function ask() { return client.query("select 1"); }
      export async function run(state) { while (state.on) await ask(); }
    `,
  },
  {
    name: 'a variable that may hold a promise',
    code: 'export async function run(state) { let pending = null; while (state.on) { await pending; pending = state.next(); } }',
  },
  {
    name: 'a counted loop over an async function of the file is plain work',
    code: dedent`
      async function add(total, row) { total.sum += row.price; }
      export async function sum(rows) { const total = { sum: 0 }; for (const row of rows) await add(total, row); return total; }
    `,
  },
  {
    name: 'a generator hands every value to its consumer',
    code: 'export async function* numbers() { let n = 0; while (true) { await null; yield n++; } }',
  },
  {
    name: 'an await before the loop, not in it',
    code: 'export async function run(jobs) { await null; while (jobs.length) jobs.pop()(); }',
  },
  {
    name: 'an await in a function made by the loop',
    code: 'export function run(jobs) { while (jobs.length) { const job = jobs.pop(); later(async () => { await null; job(); }); } }',
  },

  // ---- other things of that name
  {
    name: 'another process',
    code: dedent`
    const process = require("./own-process");
    function step() { process.nextTick(step); }
    step();
  `,
  },
  {
    name: 'a queue of the file’s own',
    code: dedent`
      function queueMicrotask(fn) { setImmediate(fn); }
      function step() { queueMicrotask(step); }
      step();
    `,
  },
  {
    name: 'a library’s then',
    code: dedent`
    function run() { return knex("jobs").select().then(run); }
    run();
  `,
  },
  {
    name: 'tests flush microtasks on purpose',
    file: 'test/flush.test.js',
    code: dedent`
      async function flush(state) { while (!state.done) await null; }
      it("flushes", () => flush({ done: true }));
    `,
  },
  {
    name: 'a browser’s tab',
    file: 'public/app.js',
    code: dedent`
      async function spin(state) { while (!state.done) await null; }
      spin(window.state);
    `,
  },
  {
    name: 'a command, whose user waits for the whole of it',
    file: 'src/cli/repair.js',
    code: dedent`
      (async () => { const rows = {}; for (const id of Object.keys(rows)) await { id }; })();
    `,
  },
];
