// Rules that are judged by a run of their place alone, or by nothing that a profile has: workers per request, the thread pool, NODE_ENV.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { Check, TruthCase } from '../case.ts';
import { cannotTell, edit, neverRuns, pair, runs } from '../checks.ts';
import { asked, BUSY, called, program, server } from './shared.ts';

const worker = (at: string, messageId: string) => ({ ruleId: 'no-worker-per-request', messageId, at });
const pool = (at: string, messageId: string) => ({ ruleId: 'no-late-threadpool-size', messageId, at });
const environment = (at: string, messageId: string) => ({ ruleId: 'require-node-env', messageId, at });

const ECHO = dedent`
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', (text) => parentPort.postMessage(text + '!'));

`;
const THREADS = "const { Worker } = require('node:worker_threads');";
const ASK_THREAD = dedent`
  const worker = new Worker('./echo.js');
  worker.once('message', (text) => {
    worker.terminate();
    res.end(text);
  });
  worker.postMessage(req.url);
`;
const KEEPS = [
  edit(
    "const { Worker } = require('node:worker_threads');",
    "const { Worker } = require('node:worker_threads');\nconst kept = new Worker('./echo.js');",
  ),
  edit("const worker = new Worker('./echo.js');", 'const worker = kept;'),
  edit('worker.terminate();', ''),
];
const withEcho = (handler: string, before = THREADS) => {
  const { files, target } = asked(server(handler, before));
  return { files: { ...files, 'echo.js': ECHO }, target };
};

/** All threads of the process: the pool starts its own at once, at its first job (Linux). */
const THREAD_COUNT = "fs.readdirSync('/proc/self/task').length";
/** With 64 threads asked for in the place of 8, the process has them, or has them not. */
const obeys = (is: boolean): Check => ({
  by: 'counters',
  insert: [edit("UV_THREADPOOL_SIZE = '8'", "UV_THREADPOOL_SIZE = '64'"), edit('/* count */', `__hit('threads', ${THREAD_COUNT});`)],
  holds: ({ hits }) => (hits.threads ?? 0) > 0 && (hits.threads ?? 0) > 60 === is,
  says: `64 threads asked for, and the process ${is ? 'has' : 'does not have'} them (/proc/self/task)`,
});

const ONE_JOB = cannotTell('the program has one job at a time, for which four threads are enough: nothing waits');

const SIZED_MODULE = dedent`
  import fs from 'node:fs';
  process.env.UV_THREADPOOL_SIZE = '8';
  fs.stat('.', () => { /* count */ });
`;

export const cases: readonly TruthCase[] = [
  {
    name: 'a thread for each request',
    ...withEcho(ASK_THREAD),
    finding: worker("new Worker('./echo.js')", 'thread'),
    truth: 'confirmed',
    established: [pair(...KEEPS)],
  },
  {
    name: 'a thread for another request than those that come',
    ...withEcho(`if (req.method !== 'POST') return res.end('ok');\n${ASK_THREAD}`),
    finding: worker("new Worker('./echo.js')", 'thread'),
    truth: 'not-reached',
    established: [neverRuns(edit("const worker = new Worker('./echo.js');", "__hit('place'); const worker = new Worker('./echo.js');"))],
  },
  {
    name: 'a thread for another request, beside a busy wait',
    ...withEcho(
      dedent`
        if (req.method === 'GET') {
          busy(60);
          return res.end('ok');
        }
        ${ASK_THREAD}
      `,
      `${THREADS}\n${BUSY}`,
    ),
    finding: worker("new Worker('./echo.js')", 'thread'),
    truth: 'not-reached',
    established: [neverRuns(edit("const worker = new Worker('./echo.js');", "__hit('place'); const worker = new Worker('./echo.js');"))],
  },
  {
    name: 'a process for each request',
    files: {
      'a.js': server(
        dedent`
          const child = fork('./child.js');
          child.once('message', (text) => {
            child.kill();
            res.end(text);
          });
          child.send(req.url);
        `,
        "const { fork } = require('node:child_process');",
      ),
      'child.js': "process.on('message', (text) => process.send(text + '!'));\n",
    },
    target: { file: 'a.js', function: 'handle', requests: ['GET /'] },
    finding: worker('fork(', 'process'),
    truth: 'confirmed',
    established: [
      pair(
        edit(
          "const { fork } = require('node:child_process');",
          "const { fork } = require('node:child_process');\nconst kept = fork('./child.js');",
        ),
        edit("const child = fork('./child.js');", 'const child = kept;'),
        edit('child.kill();', ''),
      ),
    ],
  },
  {
    name: 'Node by its path for each request',
    ...asked(
      server(
        "execFile(process.execPath, ['--version'], (error, out) => res.end(out));",
        "const { execFile } = require('node:child_process');",
      ),
    ),
    finding: worker('execFile(process.execPath', 'process'),
    truth: 'confirmed',
    established: [
      pair(
        edit("execFile(process.execPath, ['--version'], (error, out) => res.end(out));", 'setImmediate(() => res.end(process.version));'),
      ),
    ],
  },
  {
    name: 'the program asks itself, a thread each time',
    files: {
      'a.js': dedent`
        const http = require('node:http');
        const { Worker } = require('node:worker_threads');
        const server = http.createServer((req, res) => {
          const worker = new Worker('./echo.js');
          worker.once('message', (text) => {
            worker.terminate();
            res.end(text);
          });
          worker.postMessage(req.url);
        });
        let left = 5;
        const ask = () => http.get({ port: server.address().port }, (res) => {
          res.resume().once('end', () => (left-- > 0 ? ask() : server.close()));
        });
        server.listen(0, ask);
      `,
      'echo.js': ECHO,
    },
    target: { file: 'a.js' },
    finding: worker("new Worker('./echo.js')", 'thread'),
    truth: 'confirmed',
    established: [runs(5, edit("const worker = new Worker('./echo.js');", "__hit('place'); const worker = new Worker('./echo.js');"))],
  },
  {
    name: 'the size comes after the first job',
    ...program(dedent`
      const fs = require('node:fs');
      fs.readFile(__filename, () => {
        process.env.UV_THREADPOOL_SIZE = '8';
        fs.stat(__filename, () => { /* count */ });
      });
    `),
    finding: pool('UV_THREADPOOL_SIZE', 'function'),
    truth: 'seen',
    established: [obeys(false), ONE_JOB],
  },
  {
    name: 'the size comes when the server listens, before the first job',
    ...program(dedent`
      const fs = require('node:fs');
      const server = require('node:http').createServer();
      server.listen(0, () => {
        process.env.UV_THREADPOOL_SIZE = '8';
        fs.stat(__filename, () => { /* count */ server.close(); });
      });
    `),
    finding: pool('UV_THREADPOOL_SIZE', 'function'),
    truth: 'refuted',
    established: [obeys(true)],
  },
  {
    name: 'the size is set by a class that nobody makes',
    ...program(dedent`
      const fs = require('node:fs');
      class Client {
        constructor(driver) {
          process.env.UV_THREADPOOL_SIZE = String(4 + driver.poolMax);
        }
      }
      module.exports = Client;
      fs.stat(__filename, () => {});
    `),
    finding: pool('UV_THREADPOOL_SIZE', 'function'),
    truth: 'not-reached',
    established: [neverRuns(edit('process.env.UV_THREADPOOL_SIZE', "__hit('place'); process.env.UV_THREADPOOL_SIZE"))],
  },
  {
    name: 'the size is set right behind a job',
    ...program(dedent`
      const fs = require('node:fs');
      fs.readFile(__filename, () => {});
      process.env.UV_THREADPOOL_SIZE = '8';
      fs.stat(__filename, () => { /* count */ });
    `),
    finding: pool('UV_THREADPOOL_SIZE', 'afterUse'),
    truth: 'seen',
    established: [obeys(false), ONE_JOB],
  },
  {
    name: 'the size comes after the first job, and five jobs keep four threads waiting',
    ...program(dedent`
      const fs = require('node:fs');
      const { spawnSync } = require('node:child_process');
      const PIPES = [1, 2, 3, 4, 5].map((i) => __dirname + '/pipe-' + i);
      spawnSync('mkfifo', PIPES);
      fs.stat('.', () => {});
      process.env.UV_THREADPOOL_SIZE = '8';
      setTimeout(() => {
        for (const pipe of PIPES) fs.open(pipe, 'r', (error, fd) => fs.closeSync(fd));
        setTimeout(() => { for (const pipe of PIPES) fs.closeSync(fs.openSync(pipe, 'w')); }, 300);
        /* before */
        fs.stat('.', () => { /* behind */ });
      }, 50);
    `),
    finding: pool('UV_THREADPOOL_SIZE', 'afterUse'),
    truth: 'confirmed',
    established: [
      {
        by: 'counters',
        insert: [edit('/* before */', "__from('place');"), edit('/* behind */', "__to('place');")],
        holds: ({ ms }) => (ms.place?.longest ?? 0) >= 200,
        says: 'the clock: a look at a folder waits for 200 ms or more',
      },
      {
        by: 'counters',
        insert: [
          edit('/* before */', "__from('place');"),
          edit('/* behind */', "__to('place');"),
          edit("const fs = require('node:fs');", "process.env.UV_THREADPOOL_SIZE = '8'; const fs = require('node:fs');"),
        ],
        holds: ({ ms }) => (ms.place?.longest ?? 1000) < 200,
        says: 'the clock: with the size set in the first line it does not wait',
      },
    ],
  },
  {
    name: 'the size is set by an ES module, of old',
    ...program(SIZED_MODULE, 'a.mjs'),
    finding: pool('UV_THREADPOOL_SIZE', 'module'),
    truth: { 18: 'seen', 20: 'seen' },
    established: [obeys(false), ONE_JOB],
  },
  {
    name: 'the size is set by an ES module, today',
    ...program(SIZED_MODULE, 'a.mjs'),
    finding: pool('UV_THREADPOOL_SIZE', 'module'),
    truth: { 22: 'refuted', 24: 'refuted', 26: 'refuted' },
    established: [obeys(true)],
  },
  {
    name: 'a misspelled production is compared with',
    ...called(
      dedent`
        function isLive() {
          return process.env.NODE_ENV === 'prodution';
        }
        module.exports = { isLive };

      `,
      'isLive',
      'isLive()',
    ),
    finding: environment("'prodution'", 'comparison'),
    truth: 'inconclusive',
    established: [cannotTell('only a second run with another environment could tell, and a profile of a function has one environment')],
  },
];
