// What a round of a loop costs at the least, in nanoseconds, by what stands in it; and calls of a function that calls itself twice.
//   node bench/loop-rounds.js [--header] [--lowest]    one line of the Markdown table on the page of the rule no-blocking-loop
// --lowest: the lowest of the samples by processor time, which other work on the machine leaves as it is, in place of their median by the
// clock.
// No dependencies, Node 18 or later.
import { performance } from 'node:perf_hooks';

const SAMPLES = 7;
const NS_PER_MS = 1e6;

const ways = {
  counting: [1e7, 'for (let i = 0; i < rounds; i++) {}'],
  'counting down': [1e7, 'let i = rounds; while (i > 0) i--;'],
  'another counter': [1e7, 'for (let i = 0; i < rounds; i++) sum++;'],
  'an addition': [1e7, 'for (let i = 0; i < rounds; i++) sum += i;'],
  '`Math.sqrt`': [1e7, 'for (let i = 0; i < rounds; i++) sum += Math.sqrt(i);'],
  'a remainder': [1e7, 'for (let i = 0; i < rounds; i++) sum += i % 7;'],
  'an object into an array': [1e6, 'const list = []; for (let i = 0; i < rounds; i++) list.push({ i }); sum = list.length;'],
  '`JSON.parse` of 7 characters': [1e6, `for (let i = 0; i < rounds; i++) sum += JSON.parse('{"a":1}').a;`],
};

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

const isLowest = process.argv.includes('--lowest');

function spentMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function measure(run) {
  const samples = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const start = performance.now();
    const spent = process.cpuUsage();
    run();
    samples.push(isLowest ? spentMs(spent) : performance.now() - start);
  }
  return isLowest ? Math.min(...samples) : median(samples);
}

// A function of its own for each, so that none is compiled for what another one does.
const perRound = Object.values(ways).map(([rounds, body]) => {
  const loop = new Function('rounds', `let sum = 0; ${body} return sum;`);
  return (measure(() => loop(rounds)) * NS_PER_MS) / rounds;
});

function fibonacci(n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
const depths = [27, 30, 35].map((n) => measure(() => fibonacci(n)));

const digits = (number) => number.toFixed(number < 10 ? 2 : 0);
if (process.argv.includes('--header'))
  console.log(
    `| Node | ${Object.keys(ways).join(' | ')} | \`fib(27)\`, ms | \`fib(30)\`, ms | \`fib(35)\`, ms |\n|--|${'--|'.repeat(Object.keys(ways).length + depths.length)}`,
  );
console.log(`| ${process.versions.node} | ${[...perRound, ...depths].map(digits).join(' | ')} |`);
