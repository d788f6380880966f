// Small servers on which the cost of a fix is measured: as they are, and with the fix that the rule makes for them.
import { dedent } from '../../analysis/testing/dedent.ts';

export interface FixProgram {
  /** What the titles of such fixes look up in `knowledge/fix-costs.ts`. */
  fix: string;
  rule: string;
  /** Matches the title of the fix. */
  title: RegExp;
  /** What is measured, in the words that a title uses; empty where one program stands for them all. */
  workload: string;
  /** In the words of the table. */
  what: string;
  /** CommonJS, with a server that listens on any port. */
  program: string;
  /** Files beside the program, and how many bytes they have. */
  files?: Readonly<Record<string, number>>;
  path?: string;
  /** How many are measured, after as many to warm up. */
  requests: number;
}

const SYNC = 'no-sync-in-handler';
const KIB = 1024;

const served = (head: string, handler: string): string => dedent`
  const { createServer } = require('node:http');
  ${head}
  createServer((request, response) => {
    ${handler}
  }).listen(0);
`;

/** Answers with 2,000 rows, each of which `change` has changed. */
const rows = (make: string): string => dedent`
  const { createServer } = require('node:http');
  ${make}
  createServer((request, response) => {
    const rows = [];
    for (let i = 0; i < 2000; i++) rows.push(makeRow(i));
    let sum = 0;
    for (let month = 0; month < 12; month++) for (const row of rows) if (row.since <= month) sum += row.price;
    response.end(JSON.stringify({ sum, rows }));
  }).listen(0);
`;

export const FIX_PROGRAMS: readonly FixProgram[] = [
  {
    fix: 'await-readFile',
    requests: 4000,
    rule: SYNC,
    title: /^Convert to `fs\.promises\.readFile`/,
    workload: '1 KiB in the page cache',
    what: '`readFileSync` → `await readFile`, 1 KiB',
    program: served("const { readFileSync } = require('node:fs');", 'response.end(readFileSync(`.${request.url}`));'),
    files: { 'small.txt': KIB },
    path: '/small.txt',
  },
  {
    fix: 'await-readFile',
    requests: 150,
    rule: SYNC,
    title: /^Convert to `fs\.promises\.readFile`/,
    workload: '4 MiB',
    what: 'the same, 4 MiB',
    program: served("const { readFileSync } = require('node:fs');", 'response.end(readFileSync(`.${request.url}`));'),
    files: { 'large.txt': 4 * KIB * KIB },
    path: '/large.txt',
  },
  {
    fix: 'startup-read',
    requests: 6000,
    rule: SYNC,
    title: /^Read it once at startup/,
    workload: '1 KiB in the page cache',
    what: '`readFileSync` → once at startup, 1 KiB',
    program: served("const { readFileSync } = require('node:fs');", "response.end(readFileSync('./small.txt'));"),
    files: { 'small.txt': KIB },
  },
  {
    fix: 'await-stat',
    requests: 5000,
    rule: SYNC,
    title: /^Convert to `fs\.promises\.stat`/,
    workload: '4 files',
    what: '`statSync` → `await stat`, of 4 files one after the other',
    program: served(
      "const { statSync } = require('node:fs');",
      "let size = 0;\nfor (const name of ['', '?a', '?b', '?c']) size += statSync(`.${request.url}${name}`.split('?')[0]).size;\nresponse.end(String(size));",
    ),
    files: { 'small.txt': KIB },
    path: '/small.txt',
  },
  {
    fix: 'await-writeFile',
    requests: 2500,
    rule: SYNC,
    title: /^Convert to `fs\.promises\.writeFile`/,
    workload: '1 KiB',
    what: '`writeFileSync` → `await writeFile`, 1 KiB, to one of 64 files',
    program: served(
      "const { writeFileSync } = require('node:fs');\nconst body = Buffer.alloc(1024, 'a');",
      'const file = `./out-${Math.trunc(Math.random() * 64)}.txt`;\nwriteFileSync(file, body);\nresponse.end();',
    ),
  },
  {
    fix: 'await-gzip',
    requests: 400,
    rule: SYNC,
    title: /^Convert to `util\.promisify\(zlib\.gzip\)`/,
    workload: '100 KB',
    what: '`gzipSync` → `await gzip`, 100 KB of JSON',
    program: served(
      "const { gzipSync } = require('node:zlib');\nconst text = JSON.stringify(Array.from({ length: 1400 }, (_, i) => ({ id: i, name: `customer ${(i * 7919) % 1400}`, price: (i * 31) % 997 })));",
      'response.end(gzipSync(text));',
    ),
  },
  {
    fix: 'await-scrypt',
    requests: 40,
    rule: SYNC,
    title: /^Convert to `util\.promisify\(crypto\.scrypt\)`/,
    workload: '',
    what: '`scryptSync` → `await scrypt`, default cost',
    program: served("const { scryptSync } = require('node:crypto');", "response.end(scryptSync(request.url, 'salt', 32).toString('hex'));"),
  },
  {
    fix: 'await-execFile',
    requests: 150,
    rule: SYNC,
    title: /^Convert to `child_process\.execFile`/,
    workload: '',
    what: '`execFileSync` → a function around `execFile`, of a program that ends at once',
    program: served("const { execFileSync } = require('node:child_process');", "response.end(execFileSync('true'));"),
  },
  {
    fix: 'first-read',
    requests: 6000,
    rule: SYNC,
    title: /^Keep what the first read gives/,
    workload: '1 KiB in the page cache',
    what: '`readFileSync` in a `try` → once, when it is first needed, 1 KiB',
    program: served(
      "const { readFileSync } = require('node:fs');",
      dedent`
        try {
          response.end(readFileSync('./small.txt'));
        } catch {
          response.end('none');
        }
      `,
    ),
    files: { 'small.txt': KIB },
  },
  {
    fix: 'undefined-field',
    requests: 300,
    rule: 'no-unstable-shape',
    title: /to undefined/,
    workload: '2,000 rows',
    what: '`delete` → `undefined`, 2,000 rows that are summed up and sent as JSON',
    program: rows(dedent`
      function makeRow(i) {
        const row = { id: i, name: ${'`row ${i}`'}, password: 'secret', since: i % 12, price: i % 100 };
        delete row.password;
        return row;
      }
    `),
  },
  {
    fix: 'can-parse',
    requests: 400,
    rule: 'no-throw-in-hot-path',
    title: /^Use `URL.canParse`/,
    workload: '1,000 links, all of them invalid',
    what: '`new URL` in a `try` → `URL.canParse`, 1,000 links, all of them invalid',
    program: served(
      dedent`
        const links = Array.from({ length: 1000 }, (_, i) => ${'`link ${i}`'});
        function countValid(all) {
          return all.filter((link) => {
            try {
              new URL(link);
              return true;
            } catch {
              return false;
            }
          }).length;
        }
      `,
      'response.end(String(countValid(links)));',
    ),
  },
  {
    fix: 'can-parse',
    requests: 400,
    rule: 'no-throw-in-hot-path',
    title: /^Use `URL.canParse`/,
    workload: 'all valid',
    what: 'the same, all of them valid',
    program: served(
      dedent`
        const links = Array.from({ length: 1000 }, (_, i) => ${'`https://example.com/${i}`'});
        function countValid(all) {
          return all.filter((link) => {
            try {
              new URL(link);
              return true;
            } catch {
              return false;
            }
          }).length;
        }
      `,
      'response.end(String(countValid(links)));',
    ),
  },
  {
    fix: 'value-itself',
    requests: 80,
    rule: 'no-deep-clone',
    title: /^Use the value itself/,
    workload: '500 parsed records that are sent as JSON',
    what: '`structuredClone` of 500 records that were just parsed → the records themselves, sent as JSON',
    program: served(
      "const list = Array.from({ length: 500 }, (_, i) => ({ id: i, name: `customer ${i}`, price: i / 7, tags: ['a', 'b'] }));\nconst cache = new Map([['page', JSON.stringify({ user: { name: '' }, list })]]);",
      dedent`
        const page = JSON.parse(cache.get('page'));
        const own = structuredClone(page);
        own.user.name = request.url;
        response.end(JSON.stringify(own));
      `,
    ),
  },
  ...(['each-turn', 'spaced-turns'] as const).map(
    (fix): FixProgram => ({
      fix,
      requests: 300,
      rule: 'no-microtask-starvation',
      title: fix === 'each-turn' ? /^Yield to the event loop instead/ : /^Yield to the event loop every/,
      workload: '5,000 iterations',
      what: `\`await null\` in each of 5,000 iterations → a turn of the event loop ${fix === 'each-turn' ? 'in each' : 'every 1,000'}`,
      program: dedent`
      const { createServer } = require('node:http');
      async function drain(queue) {
        let sum = 0;
        while (queue.length > 0) {
          sum += queue.pop();
          await null;
        }
        return sum;
      }
      createServer(async (request, response) => {
        response.end(String(await drain(Array.from({ length: 5000 }, (_, i) => i))));
      }).listen(0);
    `,
    }),
  ),
];
