// How long one expression is tried on a text that it does not match, by the length of the text: exponential, cubic and quadratic ones.
//   node bench/slow-regex.js [--header]    one line of the Markdown table on the page of the rule no-unsafe-regex
// No dependencies, Node 18 or later.
import { performance } from 'node:perf_hooks';

const SAMPLES = 3;

const tries = [
  ...[20, 24, 28].map((length) => [`\`/([0-9]+)+#/\`, ${length} digits`, () => /([0-9]+)+#/, '0'.repeat(length)]),
  ...[500, 2000].map((length) => [`\`/.*.*=.*/\`, ${length} letters`, () => /.*.*=.*/, 'a'.repeat(length)]),
  ...[5000, 50_000].map((length) => [`\`/\\s+$/\`, ${length} spaces`, () => /\s+$/, `${' '.repeat(length)}x`]),
];

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

const times = tries.map(([, make, text]) =>
  median(
    Array.from({ length: SAMPLES }, () => {
      const expression = make();
      const start = performance.now();
      expression.test(text);
      return performance.now() - start;
    }),
  ),
);

if (process.argv.includes('--header'))
  console.log(`| Node | ${tries.map(([name]) => name).join(' | ')} |\n|--|${'--|'.repeat(tries.length)}`);
console.log(`| ${process.versions.node} | ${times.map((ms) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0))).join(' | ')} |`);
