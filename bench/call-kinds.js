// What mixed types, shapes and targets at one place cost on the Node that runs this, as a table for no-polymorphic-call: node
// bench/call-kinds.js
// Every function is compiled from a text of its own, so that no two share what V8 learns; samples alternate; medians; ratios to one kind.
import { performance } from 'node:perf_hooks';

// Many short calls first: a loop that is only ever optimized while it runs gives other figures (Node 24).
const WARM_UPS = 60;
const WARM_UP_ROUNDS = 2000;
const ROUNDS = 200_000;
const SAMPLES = 21;
const LIST = 1024;
const COUNTS = [1, 2, 4, 5, 8];
const made = { count: 0 };
const kept = [];

/** V8 gives functions of the same text the same code and what it learnt about it. */
function compile(body, given = {}) {
  made.count += 1;
  return new Function(...Object.keys(given), `/* ${made.count} */ ${body}`)(...Object.values(given));
}

function report(title, variants) {
  const samples = variants.map(() => []);
  for (let call = 0; call < WARM_UPS; call += 1) for (const { run } of variants) kept[0] = run(WARM_UP_ROUNDS);
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    variants.forEach(({ run }, i) => {
      const start = performance.now();
      kept[0] = run(ROUNDS);
      samples[i].push(((performance.now() - start) * 1e6) / ROUNDS);
    });
  }
  const medians = samples.map((list) => list.sort((a, b) => a - b)[SAMPLES >> 1]);
  console.log(
    `${title.padEnd(46)} ${variants.map(({ name }, i) => `${name}: ${medians[i].toFixed(2)} ns (x${(medians[i] / medians[0]).toFixed(2)})`).join('  ')}`,
  );
}

/** Objects in no order: a processor learns a regular change of shapes by heart. */
function shuffled(makers) {
  let seed = 12345;
  return Array.from({ length: LIST }, (_, i) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return makers[Math.floor((seed / 0x80000000) * makers.length)](i & 255);
  });
}

const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const literal = (i) => compile(`return (v) => ({ p${i}: 1, x: v, y: 2 })`);
const classOfItsOwn = (i) => compile(`class C { constructor(v) { this.x = v; } area() { return this.x + ${i}; } } return (v) => new C(v)`);
const literalWithMethod = (i) => compile(`return (v) => ({ x: v, area() { return this.x + ${i}; } })`);
function subclasses(count) {
  const Base = compile('return class { constructor(v) { this.x = v; } area() { return this.x + 1; } }');
  return times(count, () => compile('class C extends Base {} return (v) => new C(v)', { Base }));
}

/** A function that uses each object of a list, in a loop. */
function useEach(list, use) {
  return compile(
    `function use(o) { return ${use}; } return (rounds) => { let sum = 0; for (let i = 0; i < rounds; i++) sum = (sum + use(list[i & ${LIST - 1}])) & 0xffff; return sum; }`,
    { list },
  );
}

/** One frequent kind; the others were seen three times each. */
function useOne(makers, use) {
  const both = compile(
    `function use(o) { return ${use}; } return { use, loop(rounds) { let sum = 0; for (let i = 0; i < rounds; i++) sum = (sum + use(list[i & ${LIST - 1}])) & 0xffff; return sum; } }`,
    { list: shuffled(makers.slice(0, 1)) },
  );
  both.loop(5000);
  for (let time = 0; time < 3; time += 1) for (const make of makers.slice(1)) both.use(make(1));
  return both.loop;
}

const byCount = (make) => COUNTS.map((count) => ({ name: String(count), run: make(count) }));
report(
  'read p.x, shapes',
  byCount((count) => useEach(shuffled(times(count, literal)), 'o.x')),
);
report(
  'write p.y, shapes',
  byCount((count) => useEach(shuffled(times(count, literal)), '(o.y = 3)')),
);
report(
  'method of its own, classes',
  byCount((count) => useEach(shuffled(times(count, classOfItsOwn)), 'o.area()')),
);
report(
  'inherited method, subclasses',
  byCount((count) => useEach(shuffled(subclasses(count)), 'o.area()')),
);
report(
  'literals of one shape, a method each',
  byCount((count) => useEach(shuffled(times(count, literalWithMethod)), 'o.area()')),
);
report(
  'one frequent shape, the others rare: read',
  byCount((count) => useOne(times(count, literal), 'o.x')),
);
report(
  'one frequent class, the others rare: method',
  byCount((count) => useOne(times(count, classOfItsOwn), 'o.area()')),
);

const numbers = Array.from({ length: 1000 }, (_, i) => i & 255);
report(
  'sum(list, fn), callbacks',
  byCount((count) =>
    compile(
      `function sum(list, fn) { let all = 0; for (const item of list) all = (all + fn(item)) & 0xffff; return all; }
  const sites = [${times(count, (i) => `() => sum(numbers, (x) => x + ${i})`).join()}];
  return (rounds) => { let all = 0; for (let i = 0; i < rounds; i += numbers.length) all += sites[(i / numbers.length) % ${count}](); return all; }`,
      { numbers },
    ),
  ),
);
report(
  'apply(fn, x), functions out of a list',
  byCount((count) =>
    compile(
      `function apply(fn, x) { return fn(x); }
  const fns = [${times(count, (i) => `(x) => x + ${i}`).join()}];
  const picked = Array.from({ length: ${LIST} }, (_, i) => fns[(i * 7) % ${count}]);
  return (rounds) => { let sum = 0; for (let i = 0; i < rounds; i++) sum = (sum + apply(picked[i & ${LIST - 1}], i & 255)) & 0xffff; return sum; }`,
    ),
  ),
);
report(
  'apply(fn, x), a call for each function',
  byCount((count) =>
    compile(
      `function apply(fn, x) { return fn(x); }
  ${times(count, (i) => `const fn${i} = (x) => x + ${i};`).join(' ')}
  return (rounds) => { let sum = 0; for (let i = 0; i < rounds; i += ${count}) { ${times(count, (i) => `sum = (sum + apply(fn${i}, i & 255)) & 0xffff;`).join(' ')} } return sum; }`,
    ),
  ),
);

const texts = numbers.concat(numbers).slice(0, LIST).map(String);
const wholes = numbers.concat(numbers).slice(0, LIST);
const operator = (sign) => compile(`return (a, b) => a ${sign} b`);
const pairs = (fn, list) =>
  compile(
    `return (rounds) => { let sum = 0; for (let i = 0; i < rounds; i++) sum = (sum + (fn(list[i & ${LIST - 1}], list[(i + 1) & ${LIST - 1}]) ? 1 : 2)) & 0xffff; return sum; }`,
    { fn, list },
  );
for (const sign of ['+', '-', '<', '===']) {
  const spoilt = operator(sign);
  const spoiltRun = pairs(spoilt, wholes);
  for (let call = 0; call < WARM_UPS; call += 1) kept[0] = spoiltRun(WARM_UP_ROUNDS);
  for (const text of texts.slice(0, 5)) kept[0] = spoilt(text, 'b');
  report(`a ${sign} b on numbers, strings five times`, [
    { name: 'never', run: pairs(operator(sign), wholes) },
    { name: 'once', run: spoiltRun },
  ]);
  const shared = operator(sign);
  const both = (first, second) => (rounds) => first(rounds / 2) + second(rounds / 2);
  report(`a ${sign} b, half numbers and half strings`, [
    { name: 'two functions', run: both(pairs(operator(sign), wholes), pairs(operator(sign), texts)) },
    { name: 'one', run: both(pairs(shared, wholes), pairs(shared, texts)) },
  ]);
}
