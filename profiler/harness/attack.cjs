// Tries an expression, or `JSON.parse`, on longer and longer texts and writes down what each took. Its own process: what takes too long is
// killed with it.
'use strict';
const { writeSync } = require('node:fs');

/** @typedef {{ prefix: string, pump: string, suffix: string, pattern?: string, flags?: string, method: string, size: number }} Attack */

const SAMPLES = 5;
/** The first length whose time the clock tells well is the one to start from, in ms. */
const LEAST_MS = 0.5;
const FIRST_CHARACTERS = 64;
const STDOUT = 1;

/** @type {Attack} */
const attack = JSON.parse(process.argv[2] ?? '{}');
const expression = new RegExp(attack.pattern ?? '', attack.flags);
const most = Math.max(1, Math.floor((attack.size - attack.prefix.length - attack.suffix.length) / attack.pump.length));

/** @param {string} text */
function run(text) {
  expression.lastIndex = 0;
  switch (attack.method) {
    case 'JSON.parse':
      return JSON.parse(text);
    case 'test':
      return expression.test(text);
    case 'exec':
      return expression.exec(text);
    case 'match':
      return text.match(expression);
    case 'matchAll':
      return [...text.matchAll(expression)].length;
    case 'search':
      return text.search(expression);
    case 'split':
      return text.split(expression).length;
    default:
      // `replaceAll` does the same for an expression.
      return text.replace(expression, '').length;
  }
}

/** @param {string} phase @param {number} pumps */
function measure(phase, pumps) {
  const text = attack.prefix + attack.pump.repeat(pumps) + attack.suffix;
  // A text that is put together is flat only after it was read once.
  text.charCodeAt(text.length - 1);
  Buffer.byteLength(text);
  const before = process.cpuUsage();
  const start = performance.now();
  run(text);
  const wall = performance.now() - start;
  const used = process.cpuUsage(before);
  const cpu = (used.user + used.system) / 1000;
  // Waiting for a processor is not the expression's fault. Where the system counts in large steps, the clock counts.
  const ms = cpu >= 1 ? Math.min(wall, cpu) : wall;
  writeSync(STDOUT, `${JSON.stringify({ phase, pumps, characters: text.length, ms })}\n`);
  return ms;
}

/** @param {string} mode */
function grow(mode) {
  const isExponential = mode === 'exponential';
  const first = isExponential ? 4 : Math.max(1, Math.floor(FIRST_CHARACTERS / attack.pump.length));
  let pumps = Math.min(first, most);
  // V8 compiles an expression on its second run.
  for (let i = 0; i < 3; i += 1) measure('warm-up', pumps);
  const next = (/** @type {number} */ n) => (isExponential ? n + 1 : n * 2);
  const steps = isExponential ? [0, 2, 4] : [1, 2, 4];
  const at = (/** @type {number} */ step) => (isExponential ? pumps + step : pumps * step);
  while (at(steps[2] ?? 0) < most && measure('search', pumps) < LEAST_MS) pumps = Math.min(next(pumps), most);
  if (!isExponential) pumps = Math.max(1, Math.min(pumps, Math.floor(most / 4)));
  for (const step of steps) for (let i = 0; i < SAMPLES; i += 1) measure('growth', at(step));
  writeSync(STDOUT, `${JSON.stringify({ phase: 'begun', pumps: most, characters: 0, ms: performance.now() })}\n`);
  measure('full', most);
}

grow(process.argv[3] ?? 'power');
