// Loops and recursion: long ones, short ones, and ones that never run, beside other code that holds the event loop.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { cannotTell, edit, holds, holdsNot, neverRuns } from '../checks.ts';
import { asked, BUSY, called, moduleServer, program, server } from './shared.ts';

const finding = (at: string, messageId: string) => ({ ruleId: 'no-blocking-loop', messageId, at });
/** The clock around a statement. */
const timed = (statement: string) => edit(statement, `__from('place'); ${statement} __to('place');`);
const timedCall = (call: string) => edit(call, `__timed('place', () => ${call})`);
const hit = (statement: string) => edit(statement, `__hit('place'); ${statement}`);
const OTHER_INPUT = cannotTell(
  'the finding is about numbers that requests may bring; those of this run are small, and the profiler sends no others',
);
const QUERY = "const n = Number(new URL(req.url, 'http://a').searchParams.get('n'));";
const SUM = 'for (let i = 0; i < n; i++) sum += i % 7;';
const FIB = dedent`
  function fib(n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }
`;

export const cases: readonly TruthCase[] = [
  {
    name: 'a busy wait of 60 ms',
    ...asked(
      server(dedent`
        const end = Date.now() + 60;
        while (Date.now() < end);
        res.end('ok');
      `),
    ),
    finding: finding('while (Date.now', 'waits'),
    truth: 'confirmed',
    established: [holds(timed('while (Date.now() < end);'))],
    inCi: true,
  },
  {
    name: 'a busy wait of 30 ms',
    ...asked(
      server(dedent`
        const end = Date.now() + 30;
        while (Date.now() < end);
        res.end('ok');
      `),
    ),
    finding: finding('while (Date.now', 'waits'),
    truth: 'confirmed',
    established: [holds(timed('while (Date.now() < end);'))],
  },
  {
    name: 'do … while, in an ES module',
    ...asked(
      moduleServer(dedent`
        const start = Date.now();
        let now;
        do {
          now = Date.now();
        } while (now - start < 70);
        res.end('ok');
      `),
      'GET /',
      'a.mjs',
    ),
    finding: finding('do {', 'waits'),
    truth: 'confirmed',
    established: [
      holds(edit('do {', "__from('place'); do {"), edit('while (now - start < 70);', "while (now - start < 70); __to('place');")),
    ],
  },
  {
    name: 'a helper that waits',
    ...asked(
      server(
        "sleep(60);\nres.end('ok');",
        dedent`
          function sleep(ms) {
            const end = Date.now() + ms;
            while (Date.now() < end);
          }
        `,
      ),
    ),
    finding: finding('while (Date.now', 'waits'),
    truth: 'confirmed',
    established: [holds(timed('while (Date.now() < end);'))],
  },
  {
    name: 'the wait is for a request that does not come, and a helper waits as long',
    ...asked(
      server(
        dedent`
          if (req.url === '/slow') {
            const end = Date.now() + 60;
            while (Date.now() < end);
          }
          busy(80);
          res.end('ok');
        `,
        BUSY,
      ),
    ),
    finding: finding('  while (Date.now', 'waits'),
    truth: 'not-reached',
    established: [neverRuns(hit('while (Date.now() < end);\n'))],
    inCi: true,
  },
  {
    name: 'sixty million rounds',
    ...asked(
      server(dedent`
        let sum = 0;
        for (let i = 0; i < 60_000_000; i++) sum += i % 7;
        res.end(String(sum));
      `),
    ),
    finding: finding('for (let i', 'long'),
    truth: 'confirmed',
    established: [holds(timed('for (let i = 0; i < 60_000_000; i++) sum += i % 7;'))],
  },
  {
    name: 'sixty million rounds, in TypeScript',
    ...asked(
      dedent`
        import http from 'node:http';
        import type { IncomingMessage, ServerResponse } from 'node:http';
        const ROUNDS: number = 60_000_000;
        function handle(req: IncomingMessage, res: ServerResponse): void {
          let sum: number = 0;
          for (let i = 0; i < ROUNDS; i++) sum += i % 7;
          res.end(String(sum));
        }
        http.createServer(handle).listen(3000);
      `,
      'GET /',
      'a.mts',
    ),
    finding: finding('for (let i', 'long'),
    // Older Nodes need a loader for it.
    truth: { 22: 'confirmed', 24: 'confirmed', 26: 'confirmed' },
    established: [holds(timed('for (let i = 0; i < ROUNDS; i++) sum += i % 7;'))],
  },
  {
    name: 'the rounds call a helper that does the work',
    ...asked(
      server(
        dedent`
          let sum = 0;
          for (let i = 0; i < 30_000_000; i++) sum = mixed(sum, i);
          res.end(String(sum));
        `,
        dedent`
          function mixed(a, b) {
            return ((a ^ (b << 3)) * 31 + (b % 11)) | 0;
          }
        `,
      ),
    ),
    finding: finding('for (let i', 'long'),
    truth: 'confirmed',
    established: [holds(timed('for (let i = 0; i < 30_000_000; i++) sum = mixed(sum, i);'))],
  },
  {
    name: 'the long loop is behind a switch that is off',
    ...asked(
      server(
        dedent`
          let sum = 0;
          if (process.env.DEEP_CHECK) {
            for (let i = 0; i < 60_000_000; i++) sum += i % 7;
          }
          busy(60);
          res.end(String(sum));
        `,
        BUSY,
      ),
    ),
    finding: finding('for (let i', 'long'),
    truth: 'not-reached',
    established: [neverRuns(hit('for (let i = 0'))],
  },
  {
    name: 'a number from the request, large',
    ...asked(
      server(dedent`
        ${QUERY}
        let sum = 0;
        ${SUM}
        res.end(String(sum));
      `),
      'GET /?n=60000000',
    ),
    finding: finding('for (let i', 'requested'),
    truth: 'confirmed',
    established: [holds(timed(SUM))],
  },
  {
    name: 'a number from the request, small',
    ...asked(
      server(dedent`
        ${QUERY}
        let sum = 0;
        ${SUM}
        res.end(String(sum));
      `),
      'GET /?n=3',
    ),
    finding: finding('for (let i', 'requested'),
    truth: 'inconclusive',
    established: [holdsNot(timed(SUM)), OTHER_INPUT],
    inCi: true,
  },
  {
    name: 'a number from the request, small, beside a busy wait',
    ...asked(
      server(
        dedent`
          ${QUERY}
          let sum = 0;
          ${SUM}
          busy(90);
          res.end(String(sum));
        `,
        BUSY,
      ),
      'GET /?n=3',
    ),
    finding: finding('for (let i', 'requested'),
    truth: 'inconclusive',
    established: [holdsNot(timed(SUM)), OTHER_INPUT],
  },
  {
    name: 'a number from the request, small, beside a program that is waited for',
    ...asked(
      server(
        dedent`
          ${QUERY}
          let sum = 0;
          ${SUM}
          execFileSync(process.execPath, ['-e', 'setTimeout(() => {}, 80)']);
          res.end(String(sum));
        `,
        "const { execFileSync } = require('node:child_process');",
      ),
      'GET /?n=3',
    ),
    finding: finding('for (let i', 'requested'),
    truth: 'inconclusive',
    established: [holdsNot(timed(SUM)), OTHER_INPUT],
  },
  {
    name: 'the loop of another request holds, and this one never runs',
    ...asked(
      server(
        dedent`
          ${QUERY}
          let sum = 0;
          if (req.url.startsWith('/odd')) {
            for (let i = 0; i < n; i++) sum ^= i;
          } else {
            ${SUM}
          }
          res.end(String(sum));
        `,
      ),
      'GET /even?n=60000000',
    ),
    finding: finding('sum ^= i', 'requested'),
    truth: 'not-reached',
    established: [neverRuns(hit('for (let i = 0; i < n; i++) sum ^= i;'))],
  },
  {
    name: 'nothing ends the loop',
    ...asked(
      server(dedent`
        if (req.url === '/hang') {
          while (true) {}
        }
        res.end('ok');
      `),
      'GET /hang',
    ),
    finding: finding('while (true)', 'endless'),
    truth: 'confirmed',
    established: [
      {
        by: 'counters',
        insert: [
          edit(
            'while (true) {}',
            "__from('place'); const till = Date.now() + 400; while (true) { if (Date.now() > till) break; } __to('place');",
          ),
        ],
        holds: ({ ms }) => (ms.place?.longest ?? 0) >= 400,
        says: 'with an end put in by hand after 400 ms, it is still running then',
      },
    ],
  },
  {
    name: 'nothing would end the loop, which is never come to',
    ...asked(
      server(dedent`
        if (req.url === '/hang') {
          while (true) {}
        }
        res.end('ok');
      `),
      'GET /',
    ),
    finding: finding('while (true)', 'endless'),
    truth: 'not-reached',
    established: [neverRuns(hit('while (true) {}'))],
  },
  {
    name: 'doubling, deep',
    ...asked(server('res.end(String(fib(34)));', FIB)),
    finding: finding('fib(34)', 'doubling'),
    truth: 'confirmed',
    established: [holds(timedCall('fib(34)'))],
  },
  {
    name: 'doubling as deep as the request says, deep',
    ...asked(server(`${QUERY}\nres.end(String(fib(n)));`, FIB), 'GET /?n=34'),
    finding: finding('end(String(fib(n)))', 'doublingRequested'),
    truth: 'confirmed',
    established: [holds(timedCall('String(fib(n))'))],
  },
  {
    name: 'doubling as deep as the request says, flat',
    ...asked(server(`${QUERY}\nres.end(String(fib(n)));`, FIB), 'GET /?n=5'),
    finding: finding('end(String(fib(n)))', 'doublingRequested'),
    truth: 'inconclusive',
    established: [holdsNot(timedCall('String(fib(n))')), OTHER_INPUT],
  },
  {
    name: 'doubling of a request that does not come, beside another deep call',
    ...asked(
      server(
        "if (req.url === '/deep') return res.end(String(fib(36)));\nres.end(String(other(34)));",
        `${FIB}\n${FIB.replaceAll('fib', 'other')}`,
      ),
    ),
    finding: finding('fib(36)', 'doubling'),
    truth: 'not-reached',
    established: [neverRuns(edit('String(fib(36))', "(__hit('place'), String(fib(36)))"))],
  },
  {
    name: 'a function behind a handler, called with much',
    ...called(
      dedent`
        const http = require('node:http');
        function sum(limit) {
          let all = 0;
          for (let i = 0; i < limit; i++) all += i % 7;
          return all;
        }
        http.createServer((req, res) => res.end(String(sum(Number(new URL(req.url, 'http://a').searchParams.get('n')))))).listen(0).unref();
        module.exports = { sum };

      `,
      'sum',
      'sum(100_000_000)',
      { rounds: 3 },
    ),
    finding: finding('for (let i', 'requested'),
    truth: 'confirmed',
    established: [
      holds(
        edit(
          'for (let i = 0; i < limit; i++) all += i % 7;',
          "__from('place'); for (let i = 0; i < limit; i++) all += i % 7; __to('place');",
        ),
      ),
    ],
  },
  {
    name: 'a function behind a handler, called with little',
    ...called(
      dedent`
        const http = require('node:http');
        function sum(limit) {
          let all = 0;
          for (let i = 0; i < limit; i++) all += i % 7;
          return all;
        }
        http.createServer((req, res) => res.end(String(sum(Number(new URL(req.url, 'http://a').searchParams.get('n')))))).listen(0).unref();
        module.exports = { sum };

      `,
      'sum',
      'sum(10)',
    ),
    finding: finding('for (let i', 'requested'),
    truth: 'inconclusive',
    established: [
      holdsNot(
        edit(
          'for (let i = 0; i < limit; i++) all += i % 7;',
          "__from('place'); for (let i = 0; i < limit; i++) all += i % 7; __to('place');",
        ),
      ),
      OTHER_INPUT,
    ],
  },
  {
    name: 'the program asks itself, and a loop holds it',
    ...program(
      dedent`
        const http = require('node:http');
        const server = http.createServer((req, res) => {
          let sum = 0;
          for (let i = 0; i < 60_000_000; i++) sum += i % 7;
          res.end(String(sum));
        });
        let left = 3;
        const ask = () => http.get({ port: server.address().port }, (res) => {
          res.resume().once('end', () => (left-- > 0 ? ask() : server.close()));
        });
        server.listen(0, ask);
      `,
    ),
    finding: finding('for (let i', 'long'),
    truth: 'confirmed',
    established: [holds(timed('for (let i = 0; i < 60_000_000; i++) sum += i % 7;'))],
  },
  {
    name: 'a loop in a worker thread, and the same in the handler, which is not come to',
    files: {
      'a.js': server(
        dedent`
          if (req.url === '/here') {
            let sum = 0;
            for (let i = 0; i < 60_000_000; i++) sum += i % 7;
            return res.end(String(sum));
          }
          worker.once('message', (n) => res.end(String(n)));
          worker.postMessage(1);
        `,
        "const { Worker } = require('node:worker_threads');\nconst worker = new Worker('./sum.js');",
      ),
      'sum.js': dedent`
        const { parentPort } = require('node:worker_threads');
        parentPort.on('message', () => {
          let sum = 0;
          for (let i = 0; i < 60_000_000; i++) sum += i % 7;
          parentPort.postMessage(sum);
        });

      `,
    },
    target: { file: 'a.js', function: 'handle', requests: ['GET /'], rounds: 4 },
    finding: finding('for (let i', 'long'),
    truth: 'not-reached',
    established: [neverRuns(hit('for (let i = 0'))],
  },
];
