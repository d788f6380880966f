// What an exception costs on the Node that runs this: each way of asking with a throw against one without, on the same inputs.
//   node bench/throw-costs.js [--header]    one line of the Markdown table on the page of the rule no-throw-in-hot-path
// No dependencies, Node 18 or later. Ratios of medians of samples taken in turn in one process, so that a slow moment meets both sides.
import { accessSync, existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const SAMPLES = 41;
const WARM_UP_SAMPLES = 10;
const ITEMS = 200;
const ROUNDS = 10;

const sink = { last: undefined };

/** Runs `fn` over all inputs, several times. */
function run(fn, inputs) {
  let kept = 0;
  for (let round = 0; round < ROUNDS; round += 1) for (const input of inputs) if (fn(input)) kept += 1;
  sink.last = kept;
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

function compare(withThrow, without, inputs) {
  const times = [[], []];
  for (let sample = -WARM_UP_SAMPLES; sample < SAMPLES; sample += 1) {
    [withThrow, without].forEach((fn, side) => {
      const start = performance.now();
      run(fn, inputs);
      if (sample >= 0) times[side].push(performance.now() - start);
    });
  }
  const perCall = times.map((list) => (median(list) * 1e6) / (ROUNDS * inputs.length));
  return { ratio: perCall[0] / perCall[1], perCall };
}

const many = (make) => Array.from({ length: ITEMS }, (_, i) => make(i));
const SAVED_ERROR = new Error('saved');

function parses(text) {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

const comparisons = {
  'try around what does not throw': () =>
    compare(
      (n) => {
        try {
          return (n * 31) % 7 > 2;
        } catch {
          return false;
        }
      },
      (n) => (n * 31) % 7 > 2,
      many((i) => i),
    ),
  'saved error thrown and caught, against a returned value': () =>
    compare(
      (n) => {
        try {
          if (n >= 0) throw SAVED_ERROR;
          return true;
        } catch {
          return false;
        }
      },
      (n) => !(n >= 0),
      many((i) => i),
    ),
  'new Error thrown and caught, against a returned value': () =>
    compare(
      (n) => {
        try {
          if (n >= 0) throw new Error('bad');
          return true;
        } catch {
          return false;
        }
      },
      (n) => !(n >= 0),
      many((i) => i),
    ),
  'the same, and `.stack` read': () =>
    compare(
      (n) => {
        try {
          if (n >= 0) throw new Error('bad');
          return true;
        } catch (error) {
          return error.stack === '';
        }
      },
      (n) => !(n >= 0),
      many((i) => i),
    ),
  'invalid `new URL` against `URL.canParse`': () =>
    typeof URL.canParse !== 'function'
      ? undefined
      : compare(
          (text) => {
            try {
              new URL(text);
              return true;
            } catch {
              return false;
            }
          },
          (text) => URL.canParse(text),
          many((i) => `no address ${i}`),
        ),
  'invalid `JSON.parse` against valid': () => {
    const invalid = many((i) => `plain text ${i}`);
    const valid = many((i) => `"plain text ${i}"`);
    const at = { i: 0 };
    return compare(
      () => parses(invalid[(at.i = (at.i + 1) % ITEMS)]),
      () => parses(valid[(at.i = (at.i + 1) % ITEMS)]),
      many((i) => i),
    );
  },
  'TypeError against `?.`': () =>
    compare(
      (o) => {
        try {
          return o.a.b.c === 1;
        } catch {
          return false;
        }
      },
      (o) => o.a?.b?.c === 1,
      many((i) => ({ id: i })),
    ),
  'missing file: `accessSync` against `existsSync`': () =>
    compare(
      (path) => {
        try {
          accessSync(path);
          return true;
        } catch {
          return false;
        }
      },
      (path) => existsSync(path),
      many((i) => `/no/such/file/${i}`),
    ),
};

function timeText(ns) {
  return ns >= 1000 ? `${(ns / 1000).toFixed(1)} µs` : `${Math.round(ns)} ns`;
}

// A comparison whose cheap side takes less than this is told by its times: beside an empty loop a ratio says nothing.
const SMALLEST_NS = 20;

const cells = Object.values(comparisons).map((measure) => {
  const result = measure();
  if (!result) return 'n/a';
  const [dear, cheap] = result.perCall;
  return `${timeText(dear)}, ${timeText(cheap)}${cheap >= SMALLEST_NS ? ` (×${Math.round(result.ratio)})` : ''}`;
});
if (process.argv.includes('--header')) {
  console.log(`| Node | ${Object.keys(comparisons).join(' | ')} |`);
  console.log(`|--|${'--|'.repeat(cells.length)}`);
}
console.log(`| ${process.versions.node} | ${cells.join(' | ')} |`);
