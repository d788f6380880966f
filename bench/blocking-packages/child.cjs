// One process of `node bench/blocking-packages/measure.js`: one row, as a line of JSON.
//   node child.cjs <folder with the packages> call <row>          ms of processor time of the first call, and of one after those before it
//   node child.cjs <folder with the packages> loop <row> <jobs>   the longest ms between two turns of the event loop
const { createRequire } = require('node:module');
const { jobsOf, rowsOf } = require('./rows.cjs');

const WARM_UP_CALLS = 5;
const WARM_UP_MS = 150;
const SAMPLES = 5;
const US_PER_MS = 1000;

const [folder, kind, name, jobs] = process.argv.slice(2);
const load = createRequire(`${folder}/`);

const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / US_PER_MS;
};
const timed = (work) => {
  const start = now();
  work();
  return now() - start;
};

async function ofCall() {
  const work = await rowsOf(load)[name]();
  const first = timed(work);
  const began = now();
  for (let i = 0; i < WARM_UP_CALLS || (now() - began < WARM_UP_MS && i < 1000); i += 1) work();
  // Short calls are timed together: the clock has steps of a microsecond, and takes some time itself.
  const one = timed(work);
  const together = Math.max(1, Math.ceil(1 / Math.max(one, 0.001)));
  const samples = Array.from(
    { length: SAMPLES },
    () =>
      timed(() => {
        for (let i = 0; i < together; i += 1) work();
      }) / together,
  );
  return { first, each: samples.sort((a, b) => a - b)[SAMPLES >> 1] };
}

async function ofLoop() {
  const job = await jobsOf(load)[name]();
  await job();
  await job();
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const at = performance.now();
    longest = Math.max(longest, at - last);
    last = at;
  }, 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  longest = 0;
  await Promise.all(Array.from({ length: Number(jobs) }, job));
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  return { longest };
}

(kind === 'call' ? ofCall() : ofLoop()).then((found) => {
  console.log(JSON.stringify(found));
  process.exit();
});
