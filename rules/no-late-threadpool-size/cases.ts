import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const MODULE = { manifest: { type: 'module' as const, bin: [], scripts: {}, dependencies: {}, devDependencies: {}, private: true } };

export const cases: RuleCases<'afterUse' | 'module' | 'worker' | 'function'> = {
  valid: [
    dedent`
      process.env.UV_THREADPOOL_SIZE = 5;
      const https = require('https');
      const fs = require('fs');
      fs.readFile('a', () => {});
    `,
    {
      name: 'after what only requires',
      code: dedent`
        let fs = require('fs');
        const crypto = require('crypto');
        process.env.UV_THREADPOOL_SIZE = 1;
        crypto.pbkdf2('a', 'b', 1, 1, 'sha512', () => {});
      `,
    },
    {
      name: 'after what reads in one go',
      code: dedent`
        const fs = require('fs');
        const { size } = JSON.parse(fs.readFileSync('settings.json'));
        process.env.UV_THREADPOOL_SIZE = size;
      `,
    },
    {
      name: 'after a digest on the own thread',
      code: dedent`
        const { createHash, randomBytes } = require('crypto');
        const id = createHash('sha1').update(randomBytes(8)).digest('hex');
        process.env.UV_THREADPOOL_SIZE = 8;
        console.log(id);
      `,
    },
    {
      name: 'for the processes of the cluster',
      code: dedent`
        import cluster from 'node:cluster';
        process.env.UV_THREADPOOL_SIZE = '16';
        if (cluster.isPrimary) cluster.fork();
      `,
      project: MODULE,
    },
    {
      name: 'for a child',
      code: dedent`
        import { spawn } from 'node:child_process';
        import { readFile } from 'node:fs/promises';
        await readFile('a');
        process.env.UV_THREADPOOL_SIZE = '16';
        spawn('node', ['b.js']);
      `,
    },
    {
      name: 'an environment for a child',
      code: dedent`
        const { spawn } = require('child_process');
        spawn('node', ['b.js'], { env: { ...process.env, UV_THREADPOOL_SIZE: '8' } });
      `,
    },
    {
      name: 'read, not set',
      code: dedent`
        import os from 'node:os';
        export const size = Number(process.env.UV_THREADPOOL_SIZE ?? 4) / os.cpus().length;
      `,
      project: MODULE,
    },
    {
      name: 'a function that is called first',
      code: dedent`
        const os = require('os');
        function size() {
          process.env.UV_THREADPOOL_SIZE = os.cpus().length;
        }
        size();
        require('./server');
      `,
    },
    {
      name: 'in a function that is called at once',
      code: dedent`
        (function () {
          process.env.UV_THREADPOOL_SIZE = 8;
        })();
        require('./server');
      `,
    },
    {
      name: 'an ES module on a Node that takes it',
      file: 'src/app.mjs',
      code: dedent`
        process.env.UV_THREADPOOL_SIZE = '8';
        await import('./server.mjs');
      `,
      project: { nodeRange: '>=24.11' },
    },
    {
      name: 'imports that are compiled to CommonJS',
      file: 'src/main.ts',
      code: dedent`
        import os from 'node:os';
        process.env.UV_THREADPOOL_SIZE = String(os.cpus().length);
      `,
    },
    {
      name: 'another environment',
      code: dedent`
        const env = {};
        function later() { env.UV_THREADPOOL_SIZE = 8; }
        module.exports = { later, env };
      `,
    },
    {
      name: 'a job that another branch starts',
      code: dedent`
        const fs = require('fs');
        if (process.argv[2] === 'check') fs.access('a', () => {});
        else process.env.UV_THREADPOOL_SIZE = 8;
      `,
    },
    {
      name: 'a test',
      file: 'test/pool.test.js',
      code: dedent`
        const fs = require('fs');
        fs.readFile('a', () => {});
        process.env.UV_THREADPOOL_SIZE = 1;
      `,
    },
  ],
  invalid: [
    {
      code: dedent`
        const fs = require('fs');
        fs.readFile('settings.json', start);
        «process.env.UV_THREADPOOL_SIZE» = 8;
        function start() {}
      `,
      findings: [{ messageId: 'afterUse', severity: 'warning', data: { job: 'fs.readFile' }, related: ['first job'] }],
    },
    {
      name: 'a promise, awaited',
      file: 'src/app.mjs',
      code: dedent`
        import { readFile } from 'node:fs/promises';
        const settings = JSON.parse(await readFile('settings.json', 'utf8'));
        «process.env.UV_THREADPOOL_SIZE» = settings.threads;
      `,
      findings: [{ messageId: 'afterUse', data: { job: 'fs.readFile' } }],
    },
    {
      name: 'a hash, with its callback',
      code: dedent`
        const { pbkdf2 } = require('node:crypto');
        const { env } = require('node:process');
        pbkdf2('a', 'b', 1, 1, 'sha512', () => {});
        «env.UV_THREADPOOL_SIZE» = '8';
      `,
      findings: [{ messageId: 'afterUse', data: { job: 'crypto.pbkdf2' } }],
    },
    {
      name: 'in the same handler',
      code: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/', (req, res) => {
          fs.stat('a', () => {});
          «process.env.UV_THREADPOOL_SIZE» = 8;
          res.end();
        });
      `,
      findings: [{ messageId: 'afterUse' }],
    },
    {
      name: 'an ES module by its name',
      file: 'src/app.mjs',
      code: dedent`
        import './setup.mjs';
        «process.env.UV_THREADPOOL_SIZE» = '8';
      `,
      findings: [{ messageId: 'module', data: { range: 'up to 22.17 (and 24.0 to 24.2)', later: 'and they apply the value' } }],
    },
    {
      name: 'an ES module, long after the start',
      file: 'src/hooks.mjs',
      code: dedent`
        import { cpus } from 'node:os';
        import { state } from './state.mjs';
        state.subscribe((now) => {
          if (now === 'READY') «process.env.UV_THREADPOOL_SIZE» = String(cpus().length);
        });
      `,
      findings: [
        {
          messageId: 'module',
          data: { later: 'but the first job of the pool may come before this line' },
        },
      ],
    },
    {
      name: 'an ES module by its project',
      code: dedent`
        import os from 'node:os';
        «process.env.UV_THREADPOOL_SIZE» ??= String(os.availableParallelism());
      `,
      project: MODULE,
      findings: [{ messageId: 'module' }],
    },
    {
      name: 'a thread',
      code: dedent`
        const { parentPort } = require('node:worker_threads');
        «process.env.UV_THREADPOOL_SIZE» = '8';
        parentPort.postMessage('ready');
      `,
      findings: [{ messageId: 'worker' }],
    },
    {
      name: 'in a constructor, told once',
      code: dedent`
        class Client {
          constructor(driver) {
            «process.env.UV_THREADPOOL_SIZE» = process.env.UV_THREADPOOL_SIZE || 1;
            process.env.UV_THREADPOOL_SIZE = parseInt(process.env.UV_THREADPOOL_SIZE) + driver.poolMax;
          }
        }
        module.exports = Client;
      `,
      findings: [{ messageId: 'function', severity: 'hint' }],
    },
    {
      name: 'when the server listens',
      code: dedent`
        const server = require('http').createServer();
        server.listen(80, () => {
          «Object.assign(process.env, { UV_THREADPOOL_SIZE: '8' })»;
        });
      `,
      findings: [{ messageId: 'function', severity: 'hint' }],
    },
  ],
};
