// Programs in which something else than the finding's own cause leaves the trace that the profiler looks for, in the finding's own code.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { blocks, blocksNotWorthTelling, cannotTell, edit, holds, holdsNot, neverRuns, pair, throwsIn } from '../checks.ts';
import { asked, BUSY, called, program, server } from './shared.ts';

const BIG = dedent`
  const fs = require('node:fs');
  const path = require('node:path');
  const BIG = path.join(__dirname, 'big.bin');
  fs.writeFileSync(BIG, Buffer.alloc(16_000_000));
`;
const TEXT = "const text = new URL(req.url, 'http://a').searchParams.get('text');";
const SERVER = dedent`
  const http = require('node:http');
  http.createServer((req, res) => res.end('ok')).listen(0).unref();
`;
/** A text that requests may bring, and those of the run do not. */
const SLOW = "'0'.repeat(25)";
const work = 'const work = (n) => { let all = 0; for (let i = 0; i < n; i++) all = (all * 31 + i) | 0; return all; };';

export const cases: readonly TruthCase[] = [
  {
    name: 'a cheap call whose argument is a dear one',
    ...asked(
      server(
        dedent`
          const is = fs.existsSync(
            String(fs.readFileSync(BIG).length),
          );
          res.end(String(is));
        `,
        BIG,
      ),
    ),
    finding: { ruleId: 'no-sync-in-handler', messageId: 'blocks', at: 'fs.existsSync(' },
    truth: 'seen',
    established: [
      blocksNotWorthTelling(
        edit(
          dedent`
            const is = fs.existsSync(
                String(fs.readFileSync(BIG).length),
              );
          `,
          dedent`
            const length = String(fs.readFileSync(BIG).length);
              const is = __timed('place', () => fs.existsSync(length));
          `,
        ),
      ),
    ],
  },
  {
    name: 'a cheap call whose argument waits busily',
    ...asked(
      server(
        dedent`
          const is = fs.existsSync(
            slow(),
          );
          res.end(String(is));
        `,
        dedent`
          const fs = require('node:fs');
          ${BUSY}
          const slow = () => {
            busy(80);
            return '/none';
          };
        `,
      ),
    ),
    finding: { ruleId: 'no-sync-in-handler', messageId: 'blocks', at: 'fs.existsSync(' },
    truth: 'seen',
    established: [
      blocksNotWorthTelling(
        edit(
          dedent`
            const is = fs.existsSync(
                slow(),
              );
          `,
          "const name = slow();\n  const is = __timed('place', () => fs.existsSync(name));",
        ),
      ),
    ],
  },
  {
    name: 'one of many requests reads the large file',
    ...asked(server("if (req.url === '/rare') return res.end(String(fs.readFileSync(BIG).length));\nres.end('ok');", BIG), [
      'GET /',
      'GET /a',
      'GET /b',
      'GET /c',
      'GET /d',
      'GET /e',
      'GET /f',
      'GET /rare',
    ]),
    finding: { ruleId: 'no-sync-in-handler', messageId: 'blocks', at: 'readFileSync' },
    truth: 'confirmed',
    established: [blocks(edit('fs.readFileSync(BIG)', "__timed('place', () => fs.readFileSync(BIG))"))],
  },
  {
    name: 'the text of a harmless test is made by code that waits busily',
    ...asked(
      server(
        `${TEXT}\nres.end(String(MARKED.test(slow(text))));`,
        dedent`
          const MARKED = /^([0-9]+)+!$/;
          ${BUSY}
          const slow = (text) => {
            busy(80);
            return text;
          };
        `,
      ),
      'GET /?text=12!',
    ),
    finding: { ruleId: 'no-unsafe-regex', messageId: 'exponential', at: 'const MARKED' },
    truth: 'confirmed',
    established: [holds(edit('MARKED.test(slow(text))', `((slow) => __timed('place', () => MARKED.test(${SLOW})))(slow(text))`))],
  },
  {
    name: 'the callback of a harmless replacement waits busily',
    ...asked(
      server(
        dedent`
          ${TEXT}
          const out = text.replace(MARKED, () => {
            busy(80);
            return '';
          });
          res.end(out);
        `,
        `const MARKED = /^([0-9]+)+!$/;\n${BUSY}`,
      ),
      'GET /?text=12!',
    ),
    finding: { ruleId: 'no-unsafe-regex', messageId: 'exponential', at: 'const MARKED' },
    truth: 'confirmed',
    established: [
      holds(
        edit('busy(80);', ''),
        edit('text.replace(MARKED', `__timed('place', () => ${SLOW}.replace(MARKED`),
        edit('});\n  res.end(out);', '}));\n  res.end(out);'),
      ),
    ],
  },
  {
    name: 'what is called in the try throws and catches by itself',
    ...called(
      dedent`
        const LINKS = Array.from({ length: 40 }, (_, i) => 'http://a.b/' + i);
        function known(text) {
          try { return JSON.parse(text); } catch { return text; }
        }
        function valid(links) {
          let count = 0;
          for (const link of links) {
            try {
              new URL(known(link));
              count++;
            } catch {
              count--;
            }
          }
          return count;
        }
        module.exports = { valid, LINKS };
      `,
      'valid',
      'valid(LINKS)',
    ),
    finding: { ruleId: 'no-throw-in-hot-path', messageId: 'urlProbe', at: '    try {' },
    truth: 'refuted',
    established: [
      throwsIn(0, 0, edit('new URL(known(link));', "__hit('try'); new URL(known(link));"), edit('count--;', "__hit('caught'); count--;")),
    ],
  },
  {
    name: 'an inner try of the same try catches what is thrown',
    ...called(
      dedent`
        const TEXTS = Array.from({ length: 40 }, (_, i) => 'text ' + i);
        function toNumber(text) {
          const n = text.length;
          if (n > 100) throw new Error('too long');
          return n;
        }
        function total(texts) {
          let sum = 0;
          for (const text of texts) {
            try { // of the number
              sum += toNumber(text);
              try { JSON.parse(text); } catch { sum += 1; }
            } catch {
              sum -= 1000;
            }
          }
          return sum;
        }
        module.exports = { total, TEXTS };
      `,
      'total',
      'total(TEXTS)',
    ),
    finding: { ruleId: 'no-throw-in-hot-path', messageId: 'swallowedThrow', at: 'of the number' },
    truth: 'refuted',
    established: [
      throwsIn(
        0,
        0,
        edit('sum += toNumber(text);', "__hit('try'); sum += toNumber(text);"),
        edit('sum -= 1000;', "__hit('caught'); sum -= 1000;"),
      ),
    ],
  },
  {
    name: 'the first tick of a queue that is empty waits busily',
    ...called(
      dedent`
        ${SERVER}
        ${BUSY}
        function drain(queue) {
          busy(90);
          if (queue.length === 0) return;
          queue.pop();
          process.nextTick(drain, queue);
        }
        function begin() {
          return new Promise((resolve) => {
            process.nextTick(() => {
              drain([]);
              resolve();
            });
          });
        }
        module.exports = { begin };
      `,
      'begin',
      'begin()',
      { rounds: 4 },
    ),
    finding: { ruleId: 'no-microtask-starvation', messageId: 'longRequeue', at: 'process.nextTick(drain' },
    truth: 'not-reached',
    established: [neverRuns(edit('process.nextTick(drain, queue)', "__hit('place'); process.nextTick(drain, queue)"))],
  },
  {
    name: 'numbers grow beyond small integers, and the text is never asked for',
    ...called(
      dedent`
        function add(a, b) {
          return a + b;
        }
        function sum(n) {
          let all = 0;
          for (let i = 0; i < n; i++) all = add(all, i * 3);
          return all;
        }
        function label(text) {
          return add('EUR ', text);
        }
        module.exports = { add, sum, label };
      `,
      'sum',
      'sum(100_000)',
      { rounds: 20 },
    ),
    finding: { ruleId: 'no-polymorphic-call', messageId: 'types', at: "add('EUR '" },
    truth: 'not-reached',
    established: [neverRuns(edit("return add('EUR '", "__hit('place'); return add('EUR '"))],
  },
  {
    name: 'rows of one shape, beside a reader that meets many others',
    ...called(
      dedent`
        const ROWS = Array.from({ length: 200 }, (_, i) => ({ id: i }));
        const OTHERS = [{ id: 1, p: 1 }, { q: 1, id: 1 }, { r: 1, id: 2 }, { s: 1, id: 3 }, { t: 1, id: 4 }, { u: 1, id: 5 }];
        function made(rows) {
          const list = [];
          for (const row of rows) {
            const one = { id: row.id };
            if (row.a) one.a = row.a;
            if (row.b) one.b = row.b;
            if (row.c) one.c = row.c;
            list.push(one);
          }
          return list;
        }
        function total(rows, rounds) {
          const all = made(rows);
          let sum = 0;
          for (let round = 0; round < rounds; round++) {
            for (const one of all) sum += one.id;
            for (const other of OTHERS) sum += other.id;
          }
          return sum;
        }
        module.exports = { total, ROWS };
      `,
      'total',
      'total(ROWS, 20)',
    ),
    finding: { ruleId: 'no-unstable-shape', messageId: 'conditionalFields', at: 'const one = { id: row.id }' },
    truth: 'refuted',
    established: [
      neverRuns(
        edit('one.a = row.a;', "one.a = (__hit('place'), row.a);"),
        edit('one.b = row.b;', "one.b = (__hit('place'), row.b);"),
        edit('one.c = row.c;', "one.c = (__hit('place'), row.c);"),
      ),
    ],
  },
  {
    name: 'every call throws before it comes to the delete',
    ...called(
      dedent`
        function strip(rows) {
          for (const row of rows) {
            delete row.password;
          }
          return rows;
        }
        function attempt(rows) {
          try { return strip(rows); } catch { return []; }
        }
        module.exports = { strip, attempt };
      `,
      'strip',
      'strip(undefined)',
      { drive: 'attempt(undefined)' },
    ),
    finding: { ruleId: 'no-unstable-shape', messageId: 'deletedField', at: 'delete row.password' },
    truth: 'not-reached',
    established: [neverRuns(edit('delete row.password', "__hit('place'); delete row.password"))],
  },
  {
    name: 'a method of a class reads rows that lose a field',
    ...called(
      dedent`
        export class Report {
          constructor(count) {
            this.rows = Array.from({ length: count }, (_, i) => ({ id: i, password: 'x', name: 'a', price: i }));
          }
          total() {
            for (const row of this.rows) {
              delete row.password;
            }
            let sum = 0;
            for (let round = 0; round < 50; round++) for (const row of this.rows) sum += row.price + row.id;
            return sum;
          }
        }
      `,
      'Report.total',
      'new Report(50).total()',
      {},
      'a.mjs',
    ),
    finding: { ruleId: 'no-unstable-shape', messageId: 'deletedField', at: 'delete row.password' },
    truth: 'confirmed',
    established: [pair(edit('delete row.password;', 'row.password = undefined;'))],
  },
  {
    name: 'a generator makes rows that lose a field',
    ...called(
      dedent`
        const make = () => Array.from({ length: 50 }, (_, i) => ({ id: i, password: 'x', name: 'a', price: i }));
        function* visible(rows) {
          for (const row of rows) {
            delete row.password;
            yield row;
          }
        }
        function total() {
          const rows = [...visible(make())];
          let sum = 0;
          for (let round = 0; round < 50; round++) for (const row of rows) sum += row.price + row.id;
          return sum;
        }
        module.exports = { visible, total, make };
      `,
      'total',
      'total()',
    ),
    finding: { ruleId: 'no-unstable-shape', messageId: 'deletedField', at: 'delete row.password' },
    truth: 'confirmed',
    established: [pair(edit('delete row.password;', 'row.password = undefined;'))],
  },
  {
    name: 'a thread is made while the program starts, and by no request',
    files: {
      'a.js': server(
        "if (req.url === '/more') start();\nres.end('ok');",
        dedent`
          const { Worker } = require('node:worker_threads');
          function start() {
            new Worker('./idle.js').unref();
          }
          start();
        `,
      ),
      'idle.js': "require('node:worker_threads').parentPort.on('message', () => {});\n",
    },
    target: { file: 'a.js', function: 'handle', requests: ['GET /'] },
    finding: { ruleId: 'no-worker-per-request', messageId: 'thread', at: "new Worker('./idle.js')" },
    truth: 'not-reached',
    established: [
      {
        by: 'counters',
        insert: [
          edit("new Worker('./idle.js')", "__hit('place'); new Worker('./idle.js')"),
          edit("if (req.url === '/more') start();", "__hit('asked'); if (req.url === '/more') start();"),
        ],
        holds: ({ hits }) => hits.place === 1 && (hits.asked ?? 0) > 3,
        says: 'counters: once while the program starts, and by no request',
      },
    ],
  },
  {
    name: 'a loop of a request, run for long while the program starts only',
    ...asked(
      server(
        "const n = Number(new URL(req.url, 'http://a').searchParams.get('n'));\nres.end(String(sum(n)));",
        dedent`
          function sum(limit) {
            let all = 0;
            for (let i = 0; i < limit; i++) all += i % 7;
            return all;
          }
          const TABLE = sum(60_000_000);
        `,
      ),
      'GET /?n=4',
    ),
    finding: { ruleId: 'no-blocking-loop', messageId: 'requested', at: 'for (let i' },
    truth: 'inconclusive',
    established: [
      holdsNot(
        edit(
          'for (let i = 0; i < limit; i++) all += i % 7;',
          "if (limit < 100) __from('place'); for (let i = 0; i < limit; i++) all += i % 7; if (limit < 100) __to('place');",
        ),
      ),
      cannotTell('the finding is about numbers that requests may bring; those of this run are small, and the profiler sends no others'),
    ],
  },
  {
    name: 'the program strips rows once, and works for long on other things',
    ...program(dedent`
      ${work}
      function strip(rows) {
        for (const row of rows) {
          delete row.password;
        }
        return rows;
      }
      function go() {
        const rows = strip(Array.from({ length: 20 }, (_, i) => ({ id: i, password: 'x', name: 'a' })));
        let sum = rows.length;
        for (let i = 0; i < 50; i++) sum += work(1_000_000) & 1;
        console.log(sum);
      }
      setTimeout(go, 100);
    `),
    finding: { ruleId: 'no-unstable-shape', messageId: 'deletedField', at: 'delete row.password' },
    truth: 'seen',
    established: [
      {
        by: 'counters',
        insert: [
          edit('function go() {', "function go() { __from('all');"),
          edit('console.log(sum);', "__to('all'); console.log(sum);"),
          edit('delete row.password;', "__timed('place', () => delete row.password);"),
        ],
        holds: ({ ms }) => (ms.place?.count ?? 0) === 20 && (ms.place?.total ?? 1) < 0.05 * (ms.all?.total ?? 0),
        says: 'the clock: all deletes take less than 5 % of the work, and nothing reads the rows afterwards',
      },
    ],
  },
];
