// The finding's code in places that are counted, timed, or told in another way: classes, getters, generators, closures, behind an `await`,
// beside another call in the same line.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { blocks, blocksNotWorthTelling, edit, holds, neverRuns, throwsIn } from '../checks.ts';
import { asked, BUSY, called, moduleServer, server } from './shared.ts';

const BIG = dedent`
  const fs = require('node:fs');
  const BIG = require('node:path').join(__dirname, 'big.bin');
  fs.writeFileSync(BIG, Buffer.alloc(16_000_000));
`;
const READ = 'fs.readFileSync(BIG)';
const timed = edit(READ, `__timed('place', () => ${READ})`);
const sync = (at: string) => ({ ruleId: 'no-sync-in-handler', messageId: 'blocks', at });
/** By the processor's time: what waits for a processor computes nothing. */
const PACKAGE = {
  'node_modules/bcryptjs/package.json': '{ "name": "bcryptjs", "version": "2.4.3", "main": "index.js" }',
  'node_modules/bcryptjs/index.js': dedent`
    const spent = () => process.cpuUsage().user / 1000;
    exports.hashSync = (text, ms) => {
      const end = spent() + ms;
      let n = 0;
      while (spent() < end) n += text.length;
      return String(n);
    };
  `,
};
const withPackage = ({ files, target }: Pick<TruthCase, 'files' | 'target'>) => ({ files: { ...files, ...PACKAGE }, target });

export const cases: readonly TruthCase[] = [
  {
    name: 'a method of a class reads, behind an arrow function',
    ...asked(dedent`
      ${BIG}
      class App {
        handle(req, res) {
          res.end(String(${READ}.length));
        }
      }
      const app = new App();
      require('node:http').createServer((req, res) => app.handle(req, res)).listen(3000);
    `),
    finding: sync(READ),
    truth: 'confirmed',
    established: [blocks(timed)],
  },
  {
    name: 'a getter reads',
    ...asked(
      server(
        'res.end(String(settings.text.length));',
        dedent`
          ${BIG}
          const settings = {
            get text() {
              return ${READ};
            },
          };
        `,
      ),
    ),
    finding: sync(READ),
    truth: 'confirmed',
    established: [blocks(timed)],
  },
  {
    name: 'a generator reads, and is drained by the handler',
    ...asked(
      server(
        'for (const part of parts()) res.write(String(part.length));\nres.end();',
        dedent`
          ${BIG}
          function* parts() {
            yield ${READ};
          }
        `,
      ),
    ),
    finding: sync(READ),
    truth: 'confirmed',
    established: [blocks(timed)],
  },
  {
    name: 'a closure reads behind two awaits',
    ...asked(
      server(
        'void load().then((data) => res.end(String(data.length)));',
        dedent`
          ${BIG}
          const load = async () => {
            await null;
            await new Promise((resolve) => setImmediate(resolve));
            return ${READ};
          };
        `,
      ),
    ),
    finding: sync(READ),
    truth: 'confirmed',
    established: [blocks(timed)],
  },
  {
    name: 'a default value of a parameter reads',
    ...asked(
      server(
        'res.end(String(sizeOf()));',
        dedent`
          ${BIG}
          function sizeOf(data = ${READ}) {
            return data.length;
          }
        `,
      ),
    ),
    finding: sync(READ),
    truth: 'confirmed',
    established: [blocks(timed)],
  },
  {
    name: 'a default value of a parameter that is always handed over',
    ...asked(
      server(
        "busy(60);\nres.end(String(sizeOf('text')));",
        dedent`
          ${BIG}
          ${BUSY}
          function sizeOf(data = ${READ}) {
            return data.length;
          }
        `,
      ),
    ),
    finding: sync(READ),
    truth: 'not-reached',
    established: [neverRuns(edit(READ, `(__hit('place'), ${READ})`))],
  },
  {
    name: 'the callback of a replacement that finds nothing reads, beside a read that runs',
    ...asked(
      server(
        dedent`
          const own = fs.readFileSync(BIG).length;
          const text = req.url.replace(/#/g, () =>
            fs.readFileSync(BIG, 'utf8'),
          );
          res.end(text + own);
        `,
        BIG,
      ),
    ),
    finding: sync("fs.readFileSync(BIG, 'utf8')"),
    truth: 'not-reached',
    established: [neverRuns(edit("fs.readFileSync(BIG, 'utf8')", "(__hit('place'), fs.readFileSync(BIG, 'utf8'))"))],
  },
  {
    name: 'an optional chain ends before the read',
    ...asked(
      server(
        dedent`
          const store = req.url === '/store' ? { read: (path) => path } : undefined;
          const text = store?.read(
            fs.readFileSync(BIG, 'latin1'),
          );
          busy(60);
          res.end(String(text));
        `,
        `${BIG}\n${BUSY}`,
      ),
    ),
    finding: sync("fs.readFileSync(BIG, 'latin1')"),
    truth: 'not-reached',
    established: [neverRuns(edit("fs.readFileSync(BIG, 'latin1')", "(__hit('place'), fs.readFileSync(BIG, 'latin1'))"))],
  },
  {
    name: 'a cheap look beside a dear read, in a finally',
    ...asked(
      server(
        dedent`
          let size = 0;
          try {
            size = ${READ}.length;
          } finally {
            fs.existsSync('/none');
          }
          res.end(String(size));
        `,
        BIG,
      ),
    ),
    finding: sync("fs.existsSync('/none')"),
    truth: 'seen',
    established: [blocksNotWorthTelling(edit("fs.existsSync('/none')", "__timed('place', () => fs.existsSync('/none'))"))],
  },
  {
    name: 'a program waits at its top level before it listens',
    ...asked(
      moduleServer(
        `res.end(String(${READ}.length));`,
        dedent`
          import fs from 'node:fs';
          const BIG = new URL('./big.bin', import.meta.url);
          fs.writeFileSync(BIG, Buffer.alloc(16_000_000));
          await new Promise((resolve) => setTimeout(resolve, 100));
        `,
      ),
      'GET /',
      'a.mjs',
    ),
    finding: sync(READ),
    truth: 'confirmed',
    established: [blocks(timed)],
  },
  {
    name: 'a named import of a package that computes for 10 ms',
    ...withPackage(asked(moduleServer('res.end(hashSync(req.url, 10));', "import { hashSync } from 'bcryptjs';"), 'GET /', 'a.mjs')),
    finding: sync('hashSync(req.url, 10)'),
    truth: 'confirmed',
    established: [blocks(edit('hashSync(req.url, 10)', "__timed('place', () => hashSync(req.url, 10))"))],
  },
  {
    name: 'a package computes nothing, and its argument waits',
    ...withPackage(
      asked(
        server(
          dedent`
            const hash = bcrypt.hashSync(
              slow(req.url),
              0,
            );
            res.end(hash);
          `,
          dedent`
            const bcrypt = require('bcryptjs');
            ${BUSY}
            const slow = (text) => {
              busy(80);
              return text;
            };
          `,
        ),
      ),
    ),
    finding: sync('bcrypt.hashSync('),
    truth: 'seen',
    established: [
      blocksNotWorthTelling(
        edit(
          dedent`
            const hash = bcrypt.hashSync(
                slow(req.url),
                0,
              );
          `,
          "const text = slow(req.url);\n  const hash = __timed('place', () => bcrypt.hashSync(text, 0));",
        ),
      ),
    ],
  },
  {
    name: 'of two calls of a package the first one never runs',
    ...withPackage(
      asked(
        server(
          dedent`
            const first = req.url === '/first' ?
              bcrypt.hashSync(req.url, 20) :
              bcrypt.hashSync('others', 20);
            res.end(first);
          `,
          "const bcrypt = require('bcryptjs');",
        ),
      ),
    ),
    finding: sync('bcrypt.hashSync(req.url, 20)'),
    truth: 'not-reached',
    established: [neverRuns(edit('bcrypt.hashSync(req.url, 20)', "(__hit('place'), bcrypt.hashSync(req.url, 20))"))],
  },
  {
    name: 'in TypeScript, a package computes for 10 ms',
    ...withPackage(
      asked(
        dedent`
          import http, { type IncomingMessage, type ServerResponse } from 'node:http';
          import bcrypt from 'bcryptjs';
          function handle(req: IncomingMessage, res: ServerResponse): void {
            const hash: string = bcrypt.hashSync(req.url as string, 10 as number);
            res.end(hash);
          }
          http.createServer(handle).listen(3000);

        `,
        'GET /',
        'a.mts',
      ),
    ),
    finding: sync('bcrypt.hashSync('),
    // Node takes types out by itself from 22.18 on.
    truth: { 24: 'confirmed', 26: 'confirmed' },
    established: [
      blocks(
        edit(
          'bcrypt.hashSync(req.url as string, 10 as number)',
          "__timed('place', () => bcrypt.hashSync(req.url as string, 10 as number))",
        ),
      ),
    ],
  },
  {
    name: 'a private method tries, and all links are addresses',
    ...called(
      dedent`
        const LINKS = Array.from({ length: 50 }, (_, i) => 'http://a.b/' + i);
        class Links {
          #isValid(link) {
            try {
              new URL(link);
              return true;
            } catch {
              return false;
            }
          }
          count(links) {
            let count = 0;
            for (const link of links) if (this.#isValid(link)) count++;
            return count;
          }
        }
        module.exports = { Links, LINKS };
      `,
      'count',
      'new Links().count(LINKS)',
    ),
    finding: { ruleId: 'no-throw-in-hot-path', messageId: 'urlProbe', at: 'try {' },
    truth: 'refuted',
    established: [throwsIn(0, 0, edit('try {', "try { __hit('try');"), edit('catch {', "catch { __hit('caught');"))],
  },
  {
    name: 'an async function waits busily behind an await',
    ...asked(
      server(
        'void later().then(() => res.end());',
        dedent`
          async function later() {
            await new Promise((resolve) => setImmediate(resolve));
            const end = Date.now() + 80;
            while (Date.now() < end);
          }
        `,
      ),
    ),
    finding: { ruleId: 'no-blocking-loop', messageId: 'waits', at: 'while (Date.now() < end)' },
    truth: 'confirmed',
    established: [holds(edit('while (Date.now() < end);', "__timed('place', () => { while (Date.now() < end); });"))],
  },
  {
    name: 'an async function waits busily only for another request, and a helper as long for this one',
    ...asked(
      server(
        'busy(80);\nvoid later(req.url).then(() => res.end());',
        dedent`
          ${BUSY}
          async function later(url) {
            await null;
            if (url !== '/wait') return;
            const until = Date.now() + 80;
            while (Date.now() < until);
          }
        `,
      ),
    ),
    finding: { ruleId: 'no-blocking-loop', messageId: 'waits', at: 'while (Date.now() < until)' },
    truth: 'not-reached',
    established: [neverRuns(edit('while (Date.now() < until);', "__hit('place'); while (Date.now() < until);"))],
  },
];
