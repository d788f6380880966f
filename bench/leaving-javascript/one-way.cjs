'use strict';
// One loop in one way, in a process of its own: `node one-way.cjs <loop> <way> <size> <folder of loops.wasm and addon.node>`. Prints
// JSON: ms until the first result, ms for each later call, ms of each later call in which the event loop could do nothing else.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { performance } = require('node:perf_hooks');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const loops = require('./loops.cjs');

/** In ms, after a warm-up of the same length. */
const MEASURED = 400;

/** What each way needs before its first call, and the call itself. */
const WAYS = {
  inline: () => (loop, input) => loops[loop](input),
  tuned: () => (loop, input) => loops.tuned[loop](input),
  'worker-per-call': () => (loop, input) => {
    const worker = new Worker(__filename);
    return ask(worker, loop, input).finally(() => worker.terminate());
  },
  'kept-worker': () => {
    const worker = new Worker(__filename);
    worker.unref();
    return (loop, input) => ask(worker, loop, input);
  },
  wasm: (folder) => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(join(folder, 'loops.wasm'))));
    const memory = new Uint8Array(exports.memory.buffer);
    return (loop, input) => {
      if (typeof input === 'number') return exports[loop](input);
      memory.set(input);
      return exports[loop](input.length);
    };
  },
  addon: (folder) => {
    const addon = require(join(folder, 'addon.node'));
    return (loop, input) => addon[loop](input);
  },
};

function ask(worker, loop, input) {
  return new Promise((resolve, reject) => {
    worker.once('message', (result) => {
      worker.off('error', reject);
      resolve(result);
    });
    worker.once('error', reject);
    worker.postMessage({ loop, input });
  });
}

async function main([loop, way, size, folder]) {
  const input = loop === 'compute' ? Number(size) : Uint8Array.from({ length: Number(size) }, (_, i) => i * 7);
  const begin = performance.now();
  const call = WAYS[way](folder);
  const result = await call(loop, input);
  const first = performance.now() - begin;
  if (result !== loops[loop](input)) throw new Error(`${way} gives ${result} for ${loop}`);

  const run = async (ms) => {
    const end = performance.now() + ms;
    let calls = 0;
    const before = performance.eventLoopUtilization();
    const start = performance.now();
    do {
      await call(loop, input);
      calls += 1;
      // A turn of the event loop for each call, as a server has it; its own time is that of the empty loop below.
      await new Promise(setImmediate);
    } while (performance.now() < end);
    const took = performance.now() - start;
    return { each: took / calls, held: performance.eventLoopUtilization(before).active / calls };
  };
  await run(MEASURED);
  console.log(JSON.stringify({ first, ...(await run(MEASURED)) }));
}

if (isMainThread)
  main(process.argv.slice(2)).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
else parentPort.on('message', ({ loop, input }) => parentPort.postMessage(loops[loop](input)));
