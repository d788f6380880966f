// Blocking calls in handlers: dear ones, cheap ones, and ones that never come to run, beside other code that blocks.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { blocks, blocksNotWorthTelling, edit, neverRuns } from '../checks.ts';
import { asked, BUSY, called, moduleServer, program, server } from './shared.ts';

const finding = (at: string, messageId = 'blocks') => ({ ruleId: 'no-sync-in-handler', messageId, at });
const timed = (call: string) => edit(call, `__timed('place', () => ${call})`);
const hit = (call: string) => edit(call, `(__hit('place'), ${call})`);

const FS = "const fs = require('node:fs');";
const BIG = dedent`
  const fs = require('node:fs');
  const path = require('node:path');
  const BIG = path.join(__dirname, 'big.bin');
  fs.writeFileSync(BIG, Buffer.alloc(16_000_000));
`;

/** A package that computes: no hook of Node's sees it. */
const computing = (ms: number): Record<string, string> => ({
  'node_modules/bcryptjs/package.json': '{ "name": "bcryptjs", "version": "2.4.3", "main": "index.js" }',
  'node_modules/bcryptjs/index.js': `exports.hashSync = (text) => { const end = performance.now() + ${ms}; let n = 0; while (performance.now() < end) n += text.length; return String(n); };\n`,
});
const withPackage = (ms: number, handler: string, before = '') => {
  const { files, target } = asked(server(handler, `const bcrypt = require('bcryptjs');${before === '' ? '' : `\n${before}`}`));
  return { files: { ...files, ...computing(ms) }, target };
};

export const cases: readonly TruthCase[] = [
  {
    name: 'a password is hashed',
    ...asked(server("res.end(scryptSync(req.url, 'salt', 32));", "const { scryptSync } = require('node:crypto');")),
    finding: finding('scryptSync(req'),
    truth: 'confirmed',
    established: [blocks(timed("scryptSync(req.url, 'salt', 32)"))],
  },
  {
    name: 'a key is derived in many rounds',
    ...asked(server("res.end(crypto.pbkdf2Sync(req.url, 'salt', 100000, 32, 'sha512'));", "const crypto = require('node:crypto');")),
    finding: finding('pbkdf2Sync'),
    truth: 'confirmed',
    established: [blocks(timed("crypto.pbkdf2Sync(req.url, 'salt', 100000, 32, 'sha512')"))],
  },
  {
    name: 'a key is derived in one round',
    ...asked(
      server(
        "const key = crypto.pbkdf2Sync(req.url, 'salt', 1, 8, 'sha1');\nsetTimeout(() => res.end(key), 5);",
        "const crypto = require('node:crypto');",
      ),
    ),
    finding: finding('pbkdf2Sync'),
    truth: 'seen',
    established: [blocksNotWorthTelling(timed("crypto.pbkdf2Sync(req.url, 'salt', 1, 8, 'sha1')"))],
  },
  {
    name: 'a pair of keys is made',
    ...asked(
      server(
        dedent`
          const { publicKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
          res.end(publicKey.export({ type: 'pkcs1', format: 'pem' }));
        `,
        "const crypto = require('node:crypto');",
      ),
    ),
    finding: finding('generateKeyPairSync'),
    truth: 'confirmed',
    established: [blocks(timed("crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })"))],
  },
  {
    name: 'a large file is read',
    ...asked(server('res.end(String(fs.readFileSync(BIG).length));', BIG)),
    finding: finding('readFileSync'),
    truth: 'confirmed',
    established: [blocks(timed('fs.readFileSync(BIG)'))],
    inCi: true,
  },
  {
    name: 'a large file is read by an ES module',
    ...asked(
      moduleServer(
        'res.end(String(readFileSync(BIG).length));',
        dedent`
          import { readFileSync, writeFileSync } from 'node:fs';
          const BIG = new URL('./big.bin', import.meta.url);
          writeFileSync(BIG, Buffer.alloc(16_000_000));
        `,
      ),
      'GET /',
      'a.mjs',
    ),
    finding: finding('end(String(readFileSync'),
    truth: 'confirmed',
    established: [blocks(timed('readFileSync(BIG)'))],
  },
  {
    name: 'a large file is read in TypeScript',
    ...asked(
      dedent`
        import http from 'node:http';
        import { readFileSync, writeFileSync } from 'node:fs';
        import type { IncomingMessage, ServerResponse } from 'node:http';
        const BIG: URL = new URL('./big.bin', import.meta.url);
        writeFileSync(BIG, Buffer.alloc(16_000_000));
        function handle(req: IncomingMessage, res: ServerResponse): void {
          const size: number = readFileSync(BIG).length;
          res.end(String(size));
        }
        http.createServer(handle).listen(3000);
      `,
      'GET /',
      'a.mts',
    ),
    finding: finding('const size'),
    // Older Nodes need a loader for it.
    truth: { 22: 'confirmed', 24: 'confirmed', 26: 'confirmed' },
    established: [blocks(timed('readFileSync(BIG)'))],
  },
  {
    name: 'a small file is read by a handler that waits for a timer',
    ...asked(server("const text = fs.readFileSync(__filename, 'utf8');\nsetTimeout(() => res.end(text), 20);", FS)),
    finding: finding('readFileSync'),
    truth: 'seen',
    established: [blocksNotWorthTelling(timed("fs.readFileSync(__filename, 'utf8')"))],
  },
  {
    name: 'a file is looked for',
    ...asked(server('const is = fs.existsSync(__filename);\nsetTimeout(() => res.end(String(is)), 3);', FS)),
    finding: finding('existsSync'),
    truth: 'seen',
    established: [blocksNotWorthTelling(timed('fs.existsSync(__filename)'))],
    inCi: true,
  },
  {
    name: 'a file is looked for, beside a busy wait',
    ...asked(
      server(
        dedent`
          const is = fs.existsSync(__filename);
          busy(80);
          res.end(String(is));
        `,
        `${FS}\n${BUSY}`,
      ),
    ),
    finding: finding('existsSync'),
    truth: 'seen',
    established: [blocksNotWorthTelling(timed('fs.existsSync(__filename)'))],
  },
  {
    name: 'the size of a file is asked for, beside a large read',
    ...asked(
      server(
        dedent`
          const { size } = fs.statSync(BIG);
          const text = fs.readFileSync(BIG);
          res.end(String(size + text.length));
        `,
        BIG,
      ),
    ),
    finding: finding('statSync'),
    truth: 'seen',
    established: [blocksNotWorthTelling(timed('fs.statSync(BIG)'))],
  },
  {
    name: 'the read never runs, and a busy wait does',
    ...asked(
      server(
        dedent`
          if (req.url === '/never') return res.end(fs.readFileSync(__filename));
          busy(80);
          res.end('ok');
        `,
        `${FS}\n${BUSY}`,
      ),
    ),
    finding: finding('readFileSync'),
    truth: 'not-reached',
    established: [neverRuns(hit('fs.readFileSync(__filename)'))],
    inCi: true,
  },
  {
    name: 'the read never runs, and another one does',
    ...asked(
      server(
        dedent`
          if (req.url.length > 100) {
            res.end(fs.readFileSync(__filename));
            return;
          }
          const text = fs.readFileSync(BIG);
          res.end(String(text.length));
        `,
        BIG,
      ),
    ),
    finding: finding('readFileSync(__filename)'),
    truth: 'not-reached',
    established: [neverRuns(hit('fs.readFileSync(__filename)'))],
  },
  {
    name: 'a refused request never comes to the hash',
    ...asked(
      server(
        dedent`
          if (req.method !== 'POST') {
            res.statusCode = 405;
            return res.end();
          }
          res.end(crypto.scryptSync('a', 'salt', 32));
        `,
        "const crypto = require('node:crypto');",
      ),
    ),
    finding: finding('scryptSync'),
    truth: 'not-reached',
    established: [neverRuns(hit("crypto.scryptSync('a', 'salt', 32)"))],
  },
  {
    name: 'a helper reads a large file',
    ...asked(
      server(
        'res.end(String(load().length));',
        dedent`
          ${BIG}
          function load() {
            return fs.readFileSync(BIG);
          }
        `,
      ),
    ),
    finding: finding('readFileSync'),
    truth: 'confirmed',
    established: [blocks(timed('fs.readFileSync(BIG)'))],
  },
  {
    name: 'a helper of another file reads a large file',
    files: {
      'server.js': server('res.end(String(load().length));', "const { load } = require('./load.js');"),
      'load.js': dedent`
        ${BIG}
        function load() {
          return fs.readFileSync(BIG);
        }
        module.exports = { load };

      `,
    },
    target: { file: 'load.js', function: 'load', requests: ['GET /'], entry: 'server.js' },
    finding: finding('return fs.readFileSync'),
    truth: 'confirmed',
    established: [blocks(timed('fs.readFileSync(BIG)'))],
  },
  {
    name: 'a text of a megabyte is compressed',
    ...asked(
      server(
        'res.end(String(zlib.gzipSync(TEXT).length));',
        dedent`
          const zlib = require('node:zlib');
          const TEXT = Array.from({ length: 200_000 }, (_, i) => i).join(' ');
        `,
      ),
    ),
    finding: finding('gzipSync'),
    truth: 'confirmed',
    established: [blocks(timed('zlib.gzipSync(TEXT)'))],
  },
  {
    name: 'a program is started and waited for',
    ...asked(server("res.end(execFileSync(process.execPath, ['--version']));", "const { execFileSync } = require('node:child_process');")),
    finding: finding('end(execFileSync'),
    truth: 'confirmed',
    established: [blocks(timed("execFileSync(process.execPath, ['--version'])"))],
  },
  {
    name: 'the first request fills a cache with a large file',
    ...asked(server('if (!cache) cache = fs.readFileSync(BIG);\nres.end(String(cache.length));', `${BIG}\nlet cache;`)),
    finding: finding('readFileSync', 'blocksOnce'),
    truth: 'confirmed',
    established: [blocks(timed('fs.readFileSync(BIG)'))],
  },
  {
    name: 'a thread is waited for',
    ...asked(server("Atomics.wait(CELL, 0, 0, 30);\nres.end('ok');", 'const CELL = new Int32Array(new SharedArrayBuffer(4));')),
    finding: finding('Atomics.wait'),
    truth: 'confirmed',
    established: [blocks(timed('Atomics.wait(CELL, 0, 0, 30)'))],
  },
  {
    name: 'a report on the process is made',
    ...asked(server('res.end(JSON.stringify(process.report.getReport()));')),
    finding: finding('getReport'),
    truth: 'confirmed',
    established: [blocks(timed('process.report.getReport()'))],
  },
  {
    name: 'a package that computes for 80 ms',
    ...withPackage(80, 'res.end(bcrypt.hashSync(req.url, 10));'),
    finding: finding('hashSync'),
    truth: 'confirmed',
    established: [blocks(timed('bcrypt.hashSync(req.url, 10)'))],
    inCi: true,
  },
  {
    name: 'a package that computes for 10 ms',
    ...withPackage(10, 'res.end(bcrypt.hashSync(req.url, 10));'),
    finding: finding('hashSync'),
    truth: 'confirmed',
    established: [blocks(timed('bcrypt.hashSync(req.url, 10)'))],
  },
  {
    name: 'a package that computes is never come to, beside a busy wait',
    ...withPackage(
      80,
      dedent`
        if (req.url === '/hash') return res.end(bcrypt.hashSync(req.url, 10));
        busy(80);
        res.end('ok');
      `,
      BUSY,
    ),
    finding: finding('hashSync'),
    truth: 'not-reached',
    established: [neverRuns(hit('bcrypt.hashSync(req.url, 10)'))],
  },
  {
    name: 'the read is the second of three routes, and the other two are asked',
    ...asked(
      server(
        dedent`
          if (req.url === '/a') return res.end('a');
          if (req.url === '/b') return res.end(fs.readFileSync(__filename));
          busy(60);
          res.end('c');
        `,
        `${FS}\n${BUSY}`,
      ),
      ['GET /a', 'GET /c'],
    ),
    finding: finding('readFileSync'),
    truth: 'not-reached',
    established: [neverRuns(hit('fs.readFileSync(__filename)'))],
  },
  {
    name: 'one of three routes reads a large file, and all are asked',
    ...asked(
      server(
        dedent`
          if (req.url === '/a') return res.end('a');
          if (req.url === '/b') return res.end(String(fs.readFileSync(BIG).length));
          res.end('c');
        `,
        BIG,
      ),
      ['GET /a', 'GET /b', 'GET /c'],
    ),
    finding: finding('readFileSync'),
    truth: 'confirmed',
    established: [blocks(timed('fs.readFileSync(BIG)'))],
  },
  {
    name: 'the program asks itself, and a large file is read',
    ...program(
      dedent`
        const http = require('node:http');
        ${BIG}
        const server = http.createServer((req, res) => {
          res.end(String(fs.readFileSync(BIG).length));
        });
        let left = 20;
        const ask = () => http.get({ port: server.address().port }, (res) => {
          res.resume().once('end', () => (left-- > 0 ? ask() : server.close()));
        });
        server.listen(0, ask);
      `,
    ),
    finding: finding('end(String(fs.readFileSync'),
    truth: 'confirmed',
    established: [blocks(timed('fs.readFileSync(BIG)'))],
  },
  {
    name: 'a program that nobody asks',
    ...program(server('res.end(fs.readFileSync(__filename));', FS)),
    finding: finding('readFileSync'),
    truth: 'not-reached',
    established: [neverRuns(hit('fs.readFileSync(__filename)'))],
  },
  {
    name: 'a function behind a handler is called with a large file',
    ...called(
      dedent`
        ${BIG}
        const http = require('node:http');
        function load(file) {
          return fs.readFileSync(file);
        }
        http.createServer((req, res) => res.end(load(BIG))).listen(0).unref();
        module.exports = { load, BIG };

      `,
      'load',
      'load(BIG)',
    ),
    finding: finding('readFileSync'),
    truth: 'confirmed',
    established: [blocks(timed('fs.readFileSync(file)'))],
  },
  {
    name: 'the call blocks in an async handler behind an await',
    ...asked(
      dedent`
        const http = require('node:http');
        const { brotliCompressSync } = require('node:zlib');
        const TEXT = Array.from({ length: 5000 }, (_, i) => i).join(' ');
        async function handle(req, res) {
          await null;
          res.end(String(brotliCompressSync(TEXT).length));
        }
        http.createServer(handle).listen(3000);
      `,
    ),
    finding: finding('end(String(brotliCompressSync'),
    truth: 'confirmed',
    established: [blocks(timed('brotliCompressSync(TEXT)'))],
  },
  {
    name: 'the call runs in a worker thread only',
    files: {
      'a.js': server(
        dedent`
          if (req.url === '/sync') return res.end(scryptSync('a', 'salt', 32));
          worker.once('message', (text) => res.end(text));
          worker.postMessage('a');
        `,
        dedent`
          const { scryptSync } = require('node:crypto');
          const { Worker } = require('node:worker_threads');
          const worker = new Worker('./hash.js');
        `,
      ),
      'hash.js': dedent`
        const { parentPort } = require('node:worker_threads');
        const { scryptSync } = require('node:crypto');
        parentPort.on('message', (text) => parentPort.postMessage(scryptSync(text, 'salt', 32).toString('hex')));

      `,
    },
    target: { file: 'a.js', function: 'handle', requests: ['GET /'] },
    finding: finding("scryptSync('a'"),
    truth: 'not-reached',
    established: [neverRuns(hit("scryptSync('a', 'salt', 32)"))],
  },
  {
    name: 'the call throws each time, after its work',
    ...asked(
      server(
        dedent`
          let text = '';
          try {
            text = zlib.gunzipSync(BROKEN).toString();
          } catch {
            text = 'broken';
          }
          res.end(text);
        `,
        dedent`
          const zlib = require('node:zlib');
          const WHOLE = zlib.gzipSync(Buffer.alloc(20_000_000));
          const BROKEN = WHOLE.subarray(0, WHOLE.length - 4);
        `,
      ),
    ),
    finding: finding('gunzipSync'),
    truth: 'confirmed',
    established: [blocks(timed('zlib.gunzipSync(BROKEN)'))],
  },
];
