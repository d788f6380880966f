// One process of `node bench/setup-costs/measure.js`: ns of processor time per build and per use of each row, as JSON lines. Processor
// time, because other work on the machine does not count in it.
const { createRequire } = require('node:module');
const { rowsOf } = require('./rows.cjs');

const WARM_UP_MS = 80;
const SAMPLES = 7;
const SAMPLE_MS = 5;
const NS_PER_US = 1000;

const load = createRequire(`${process.argv[2]}/`);
process.emitWarning = () => undefined;
process.env.AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE = '1';

/** Everything that was built or computed goes in here, so that no work can be left out. */
let sink = 0;
function consume(value) {
  if (typeof value?.on === 'function') value.on('error', () => undefined);
  sink += typeof value === 'string' ? value.length : typeof value === 'number' ? value : value ? 1 : 0;
}

const now = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

function nsOf(work) {
  let calls = 0;
  const began = now();
  // Asked for once in a while only: the question takes some time, too.
  for (let round = 1; now() - began < WARM_UP_MS * 1000; round = Math.min(2 * round, 64))
    for (let i = 0; i < round; i += 1, calls += 1) consume(work());
  const each = (now() - began) / calls;
  const perSample = Math.max(1, Math.round((SAMPLE_MS * 1000) / each));
  const samples = Array.from({ length: SAMPLES }, () => {
    const start = now();
    for (let i = 0; i < perSample; i += 1) consume(work());
    return ((now() - start) * NS_PER_US) / perSample;
  });
  return samples.sort((a, b) => a - b)[SAMPLES >> 1];
}

const only = new Set(process.argv.slice(3));
for (const [name, { build, use }] of Object.entries(rowsOf(load))) {
  if (only.size > 0 && !only.has(name)) continue;
  // What other rows left behind would be collected here.
  globalThis.gc();
  const built = nsOf(build);
  const one = use && build();
  console.log(JSON.stringify({ name, build: built, ...(use && { use: nsOf(() => use(one)) }) }));
}
// What is open (agents, pools, timers) would keep the process.
process.exit(Number.isFinite(sink) ? 0 : 1);
