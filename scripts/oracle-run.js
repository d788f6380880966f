// Runs in a child process, without dependencies and on any Node from 18 on: one comparison of a rule's bad.js and good.js.
//   node scripts/oracle-run.js <oracle as a plain module> <bad.js> <good.js>
// Prints one line of JSON: {"values": {"bad": [...], "good": [...]}, "unit", "value"} or {"problem": "..."}.
import { isDeepStrictEqual } from 'node:util';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';

// An odd number, so that the median is one of the samples; the two alternate, so that a change of the machine's speed meets both.
const SAMPLES = 15;
// V8's top tier needs some hundred calls, and a loop optimized on its own misleads: many short rounds first (Node 18 to 26).
const WARM_UP_MS = 400;
const WARM_UP_ROUNDS = 60;
const RESOLUTION_MS = 1;
const SETTLE_MS = 5;
const IDLE_MS = 100;
// Blocks shorter than this are the noise of a shared machine: ratios to less than it would mean nothing.
const SMALLEST_BLOCK_MS = 1;
const TIMER_DUE_MS = 5;
// The timer must come due well inside the call, or its being late proves nothing.
const LEAST_DURATION_IN_DUES = 3;
const NS_PER_MS = 1e6;

const [oraclePath, badPath, goodPath] = process.argv.slice(2);

// What the calls return goes here, so that no call can be optimized away.
const sink = { last: undefined };

async function callOften(fn, oracle) {
  const args = oracle.args();
  for (let call = 0; call < oracle.calls; call += 1) {
    const result = fn(...args);
    sink.last = typeof result?.then === 'function' ? await result : result;
  }
}

async function warmUp(fns, oracle) {
  const end = performance.now() + WARM_UP_MS;
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    for (const fn of fns) await callOften(fn, oracle);
    if (performance.now() > end && round > 1) return;
  }
}

/** Takes samples of both, alternately and in changing order. */
async function interleave(bad, good, sample) {
  const values = { bad: [], good: [] };
  for (let round = 0; round < SAMPLES; round += 1) {
    const order =
      round % 2 === 0
        ? [
            ['bad', bad],
            ['good', good],
          ]
        : [
            ['good', good],
            ['bad', bad],
          ];
    for (const [name, fn] of order) values[name].push(await sample(fn));
  }
  return values;
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

const METRICS = {
  async 'time-ratio'(bad, good, oracle) {
    const values = await interleave(bad, good, async (fn) => {
      const args = oracle.args();
      const start = performance.now();
      for (let call = 0; call < oracle.calls; call += 1) {
        const result = fn(...args);
        sink.last = typeof result?.then === 'function' ? await result : result;
      }
      return performance.now() - start;
    });
    return { values, unit: 'ms', value: median(values.bad) / median(values.good) };
  },

  async 'loop-delay-ratio'(bad, good, oracle) {
    const rest = () => sleep(IDLE_MS);
    const longest = async (during) => {
      const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      delay.enable();
      await sleep(SETTLE_MS);
      delay.reset();
      // After a reset the histogram needs one firing of its timer to measure from: a block that came before that would be missed.
      await sleep(SETTLE_MS);
      await during();
      // The histogram learns of a block only afterwards, when its timer fires again.
      await sleep(SETTLE_MS);
      delay.disable();
      return delay.max / NS_PER_MS;
    };
    const idle = median([await longest(rest), await longest(rest), await longest(rest)]);
    const values = await interleave(bad, good, async (fn) => Math.max(0, (await longest(() => callOften(fn, oracle))) - idle));
    return { values, unit: 'ms', value: median(values.bad) / Math.max(SMALLEST_BLOCK_MS, median(values.good)) };
  },

  async 'timer-starved'(bad, good, oracle) {
    let tooShort = false;
    const values = await interleave(bad, good, async (fn) => {
      let fired = false;
      const timer = setTimeout(() => {
        fired = true;
      }, TIMER_DUE_MS);
      const start = performance.now();
      await callOften(fn, oracle);
      const inTime = fired;
      clearTimeout(timer);
      tooShort ||= performance.now() - start < TIMER_DUE_MS * LEAST_DURATION_IN_DUES;
      // Let the loop turn, so that no sample meets what the one before left behind.
      await sleep(RESOLUTION_MS);
      return inTime ? 0 : 1;
    });
    if (tooShort)
      return { problem: `a sample ends before ${TIMER_DUE_MS * LEAST_DURATION_IN_DUES} ms: give it more calls or longer arguments` };
    return { values, unit: 'starved', value: median(values.bad) === 1 && median(values.good) === 0 ? 1 : 0 };
  },

  async 'heap-kept'(bad, good, oracle) {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc');
    const keptBy = async (during) => {
      collect();
      const before = process.memoryUsage().heapUsed;
      await during();
      await sleep(SETTLE_MS);
      collect();
      return (process.memoryUsage().heapUsed - before) / oracle.calls;
    };
    const values = await interleave(bad, good, (fn) => keptBy(() => callOften(fn, oracle)));
    return { values, unit: 'bytes', value: median(values.bad) - median(values.good) };
  },
};

async function main() {
  const { oracle } = await import(pathToFileURL(oraclePath).href);
  const [bad, good] = await Promise.all(
    [badPath, goodPath].map(async (path) => (await import(pathToFileURL(path).href))[oracle.exportName]),
  );
  if (typeof bad !== 'function' || typeof good !== 'function')
    return { problem: `bad.js and good.js must both export the function ${oracle.exportName}` };
  const metric = METRICS[oracle.metric];
  if (!metric) return { problem: `no metric is called ${oracle.metric}` };
  const results = [await bad(...oracle.args()), await good(...oracle.args())];
  if (!isDeepStrictEqual(results[0], results[1])) return { problem: 'bad.js and good.js return different results for the same arguments' };
  await warmUp([bad, good], oracle);
  return metric(bad, good, oracle);
}

const answer = await main();
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
