// What the parts of no-unstable-shape cost on the Node that runs this, as a table for its README: node bench/shapes.js
// Each body is compiled into a function of its own, so that no two share what V8 learns; samples alternate; medians; ratios to the first of
// a group.
import { performance } from 'node:perf_hooks';

// Many short calls first: a loop that is only ever optimized while it runs gives other figures (Node 24).
const WARM_UPS = 60;
const ROUNDS_AT_FIRST = 2000;
const SAMPLE_MS = 12;
const SAMPLES = 11;
const MASK = 1023;
const kept = [];
const made = { count: 0 };

/** V8 gives functions of the same text the same code and what it learnt about it, so that every body needs a text of its own. */
function compile({ given = {}, body }) {
  made.count += 1;
  const make = new Function(
    ...Object.keys(given),
    `'use strict'; return function body${made.count}(rounds) { let acc = 0; for (let i = 0; i < rounds; i++) { ${body} } return acc; };`,
  );
  return make(...Object.values(given));
}

function time(fn, rounds) {
  const start = performance.now();
  kept[0] = fn(rounds);
  return performance.now() - start;
}

function measure(cases) {
  const runs = cases.map((one) => ({ name: one.name, fn: compile(one), rounds: ROUNDS_AT_FIRST, samples: [] }));
  for (const run of runs) {
    for (let call = 0; call < WARM_UPS; call += 1) kept[0] = run.fn(ROUNDS_AT_FIRST);
    for (let ms = time(run.fn, run.rounds); ms < SAMPLE_MS; ms = time(run.fn, run.rounds))
      run.rounds = Math.ceil(run.rounds * Math.min(8, (SAMPLE_MS * 1.2) / Math.max(ms, 0.01)));
  }
  for (let sample = 0; sample < SAMPLES; sample += 1)
    for (const run of runs) run.samples.push((time(run.fn, run.rounds) * 1e6) / run.rounds);
  return runs.map(({ name, samples }) => ({ name, ns: [...samples].sort((a, b) => a - b)[SAMPLES >> 1] }));
}

/** Rows in no order: a processor learns a regular change of shapes by heart. */
function many(make) {
  let seed = 12345;
  return Array.from({ length: MASK + 1 }, (_, i) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return make(i & 255, seed >> 16);
  });
}

/** Every maker is new code, so that its literals have feedback of their own. */
function maker(code) {
  return new Function('v', 'bits', code);
}

const ROW = 'return { id: v, name: "u", password: "x", age: v & 127, role: v & 3 };';
const row = maker(ROW);
const without = (change) => many((v) => change(row(v)));
const readThree = 'const o = rows[i & 1023]; acc = (acc + o.id + o.age + o.role) & 0xffff;';
const stringify = 'acc = (acc + JSON.stringify(rows).length) & 0xffff;';
const plain = ({ id, name, age, role }) => ({ id, name, age, role });
const deleted = (o) => {
  delete o.password;
  return o;
};

const NAMES = ['b', 'c', 'd', 'f'];
const conditional = (count) =>
  maker(
    `const o = { a: v }; ${NAMES.slice(0, count)
      .map((name, i) => `if (bits & ${1 << i}) o.${name} = 1;`)
      .join(' ')} o.e = v; return o;`,
  );
const upFront = maker(
  'const o = { a: v, b: undefined, c: undefined, d: undefined, e: 0 }; if (bits & 1) o.b = 1; if (bits & 2) o.c = 1; if (bits & 4) o.d = 1; o.e = v; return o;',
);
const readOne = 'acc = (acc + rows[i & 1023].e) & 0xffff;';

const ORDERS = ['a: v, b: 1, c: 2', 'c: 2, b: 1, a: v', 'b: 1, a: v, c: 2', 'b: 1, c: 2, a: v', 'a: v, c: 2, b: 1'].map((keys) =>
  maker(`return { ${keys} };`),
);
const ordered = (count) => many((v, bits) => ORDERS[bits % count](v));
const readOrdered = 'const o = rows[i & 1023]; acc = (acc + o.a + o.b + o.c) & 0xffff;';

class Born {
  constructor(v) {
    this.a = v;
    this.b = 1;
  }

  extra() {
    return this.b;
  }
}
class Bare {
  constructor(v) {
    this.a = v;
    this.b = 1;
  }
}
const prototype = { extra: Born.prototype.extra };
const classes = { Born, Bare, prototype, last: [] };
const use = 'last[i & 63] = o; acc = (acc + o.a + o.extra()) & 0xffff;';
const add = 'o.c = 1; o.d = 2; o.e = 3; o.f = 4;';
const swap = 'const o = new Bare(i & 255); Object.setPrototypeOf(o, prototype);';

const numbers = () => Array.from({ length: MASK + 1 }, (_, i) => i);
const farIndex = numbers();
farIndex[5e7] = 1;
const holed = numbers();
delete holed[5];
const readElement = 'acc = (acc + (list[i & 1023] | 0)) & 0xffff;';
const highest = (operator) =>
  new Function('list', `let most = 0; for (let i = 0; i ${operator} list.length; i++) if (list[i] > most) most = list[i]; return most;`);
const ints = Array.from({ length: 64 }, (_, j) => Array.from({ length: 64 }, (_, i) => i + j));

const GROUPS = [
  [
    'field deleted, then three fields read',
    [
      { name: 'made without the field', given: { rows: without(plain) }, body: readThree },
      { name: 'set to undefined', given: { rows: without((o) => Object.assign(o, { password: undefined })) }, body: readThree },
      { name: 'copied with `{ password, ...rest }`', given: { rows: without(({ password, ...rest }) => rest) }, body: readThree },
      { name: 'deleted, in the middle', given: { rows: without(deleted) }, body: readThree },
      {
        name: 'deleted, added last',
        given: {
          rows: many((v) => {
            const o = row(v);
            o.draft = 1;
            delete o.draft;
            return o;
          }),
        },
        body: readThree,
      },
    ],
  ],
  [
    'removing the field',
    [
      {
        name: 'set to undefined',
        given: { row, last: [] },
        body: 'const o = row(i & 255); o.password = undefined; last[i & 63] = o; acc = (acc + o.id) & 0xffff;',
      },
      {
        name: 'copied with `{ password, ...rest }`',
        given: { row, last: [] },
        body: 'const { password, ...o } = row(i & 255); last[i & 63] = o; acc = (acc + o.id) & 0xffff;',
      },
      {
        name: 'deleted',
        given: { row, last: [] },
        body: 'const o = row(i & 255); delete o.password; last[i & 63] = o; acc = (acc + o.id) & 0xffff;',
      },
    ],
  ],
  [
    'JSON.stringify of the rows',
    [
      { name: 'made without the field', given: { rows: without(plain).slice(0, 64) }, body: stringify },
      { name: 'deleted', given: { rows: without(deleted).slice(0, 64) }, body: stringify },
    ],
  ],
  [
    'field read, with other fields on some paths only',
    [
      { name: 'one shape', given: { rows: many(conditional(0)) }, body: readOne },
      { name: '1 conditional field (2 shapes)', given: { rows: many(conditional(1)) }, body: readOne },
      { name: '2 (4 shapes)', given: { rows: many(conditional(2)) }, body: readOne },
      { name: '3 (8 shapes)', given: { rows: many(conditional(3)) }, body: readOne },
      { name: '3, all given from the start', given: { rows: many(upFront) }, body: readOne },
    ],
  ],
  [
    'JSON.stringify of such records',
    [
      { name: '3 conditional fields', given: { rows: many(conditional(3)).slice(0, 64) }, body: stringify },
      { name: '3, all given from the start', given: { rows: many(upFront).slice(0, 64) }, body: stringify },
    ],
  ],
  [
    'three fields read, orders of the keys',
    [1, 2, 4, 5].map((count) => ({ name: `${count}`, given: { rows: ordered(count) }, body: readOrdered })),
  ],
  [
    'prototype',
    [
      { name: 'born with it', given: classes, body: `const o = new Born(i & 255); ${use}` },
      { name: 'setPrototypeOf', given: classes, body: `${swap} ${use}` },
    ],
  ],
  [
    'prototype, then four fields added',
    [
      { name: 'born with it', given: classes, body: `const o = new Born(i & 255); ${add} ${use}` },
      { name: 'setPrototypeOf', given: classes, body: `${swap} ${add} ${use}` },
    ],
  ],
  [
    'element read',
    [
      { name: 'no holes', given: { list: numbers() }, body: readElement },
      { name: 'one hole read', given: { list: holed }, body: readElement },
      { name: 'an element at 5e7', given: { list: farIndex }, body: readElement },
    ],
  ],
  [
    'kinds of elements at one place',
    [
      {
        name: 'integers',
        given: { all: [numbers(), numbers(), numbers(), numbers()] },
        body: 'acc = (acc + (all[i & 3][i & 1023] | 0)) & 0xffff;',
      },
      {
        name: 'integers, doubles, mixed, holes',
        given: { all: [numbers(), numbers().map((n) => n + 0.5), [...numbers(), 'x'], holed] },
        body: 'acc = (acc + (all[i & 3][i & 1023] | 0)) & 0xffff;',
      },
    ],
  ],
  [
    'loop over 64 integers',
    [
      {
        name: 'to the length',
        given: { ints },
        body: 'const a = ints[i & 63]; for (let j = 0; j < a.length; j++) acc = (acc + (a[j] | 0)) & 0xffff;',
      },
      {
        name: 'one past it',
        given: { ints },
        body: 'const a = ints[i & 63]; for (let j = 0; j <= a.length; j++) acc = (acc + (a[j] | 0)) & 0xffff;',
      },
    ],
  ],
  [
    'highest of 1,000 integers',
    [
      {
        name: 'to the length',
        given: { highest: highest('<'), list: numbers().slice(0, 1000) },
        body: 'acc = (acc + highest(list)) & 0xffff;',
      },
      {
        name: 'one past it',
        given: { highest: highest('<='), list: numbers().slice(0, 1000) },
        body: 'acc = (acc + highest(list)) & 0xffff;',
      },
    ],
  ],
];

for (const [title, cases] of GROUPS) {
  const results = measure(cases);
  for (const { name, ns } of results)
    console.log([process.version, title, name, `${ns.toPrecision(3)} ns`, `×${(ns / results[0].ns).toFixed(2)}`].join('\t'));
}
