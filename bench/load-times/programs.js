// What it takes to run git, and a shell with it, and to wait for it.
//   node bench/load-times/programs.js [--header]    one line of the table on the page of the rule no-slow-start
import { execFileSync, execSync } from 'node:child_process';

const SAMPLES = 31;
const OPTIONS = { stdio: ['ignore', 'pipe', 'ignore'] };

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

function time(run) {
  const times = Array.from({ length: SAMPLES }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return median(times).toFixed(1);
}

if (process.argv.includes('--header')) console.log("| Node | `execSync('git rev-parse HEAD')` | `execFileSync('git', …)` |\n|--|--|--|");
const shell = time(() => execSync('git rev-parse HEAD', OPTIONS));
const file = time(() => execFileSync('git', ['rev-parse', 'HEAD'], OPTIONS));
console.log(`| ${process.versions.node} | ${shell} | ${file} |`);
