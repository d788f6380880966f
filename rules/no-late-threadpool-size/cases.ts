import type { RuleCases } from '../../analysis/testing/rule-tester.ts';

const MODULE = { manifest: { type: 'module' as const, bin: [], scripts: {}, dependencies: {}, devDependencies: {}, private: true } };

export const cases: RuleCases<'afterUse' | 'module' | 'worker' | 'function'> = {
  valid: [
    "process.env.UV_THREADPOOL_SIZE = 5;\nconst https = require('https');\nconst fs = require('fs');\nfs.readFile('a', () => {});",
    {
      name: 'after what only requires',
      code: "let fs = require('fs');\nconst crypto = require('crypto');\nprocess.env.UV_THREADPOOL_SIZE = 1;\ncrypto.pbkdf2('a', 'b', 1, 1, 'sha512', () => {});",
    },
    {
      name: 'after what reads in one go',
      code: "const fs = require('fs');\nconst { size } = JSON.parse(fs.readFileSync('settings.json'));\nprocess.env.UV_THREADPOOL_SIZE = size;",
    },
    {
      name: 'after a digest on the own thread',
      code: "const { createHash, randomBytes } = require('crypto');\nconst id = createHash('sha1').update(randomBytes(8)).digest('hex');\nprocess.env.UV_THREADPOOL_SIZE = 8;\nconsole.log(id);",
    },
    {
      name: 'for the processes of the cluster',
      code: "import cluster from 'node:cluster';\nprocess.env.UV_THREADPOOL_SIZE = '16';\nif (cluster.isPrimary) cluster.fork();",
      project: MODULE,
    },
    {
      name: 'for a child',
      code: "import { spawn } from 'node:child_process';\nimport { readFile } from 'node:fs/promises';\nawait readFile('a');\nprocess.env.UV_THREADPOOL_SIZE = '16';\nspawn('node', ['b.js']);",
    },
    {
      name: 'an environment for a child',
      code: "const { spawn } = require('child_process');\nspawn('node', ['b.js'], { env: { ...process.env, UV_THREADPOOL_SIZE: '8' } });",
    },
    {
      name: 'read, not set',
      code: "import os from 'node:os';\nexport const size = Number(process.env.UV_THREADPOOL_SIZE ?? 4) / os.cpus().length;",
      project: MODULE,
    },
    {
      name: 'a function that is called first',
      code: "const os = require('os');\nfunction size() {\n  process.env.UV_THREADPOOL_SIZE = os.cpus().length;\n}\nsize();\nrequire('./server');",
    },
    {
      name: 'in a function that is called at once',
      code: "(function () {\n  process.env.UV_THREADPOOL_SIZE = 8;\n})();\nrequire('./server');",
    },
    {
      name: 'an ES module on a Node that takes it',
      file: 'src/app.mjs',
      code: "process.env.UV_THREADPOOL_SIZE = '8';\nawait import('./server.mjs');",
      project: { nodeRange: '>=24.11' },
    },
    {
      name: 'imports that are compiled to CommonJS',
      file: 'src/main.ts',
      code: "import os from 'node:os';\nprocess.env.UV_THREADPOOL_SIZE = String(os.cpus().length);",
    },
    {
      name: 'another environment',
      code: 'const env = {};\nfunction later() { env.UV_THREADPOOL_SIZE = 8; }\nmodule.exports = { later, env };',
    },
    {
      name: 'a job that another branch starts',
      code: "const fs = require('fs');\nif (process.argv[2] === 'check') fs.access('a', () => {});\nelse process.env.UV_THREADPOOL_SIZE = 8;",
    },
    {
      name: 'a test',
      file: 'test/pool.test.js',
      code: "const fs = require('fs');\nfs.readFile('a', () => {});\nprocess.env.UV_THREADPOOL_SIZE = 1;",
    },
  ],
  invalid: [
    {
      code: "const fs = require('fs');\nfs.readFile('settings.json', start);\n«process.env.UV_THREADPOOL_SIZE» = 8;\nfunction start() {}",
      findings: [{ messageId: 'afterUse', severity: 'warning', data: { job: 'fs.readFile' }, related: ['first job'] }],
    },
    {
      name: 'a promise, awaited',
      file: 'src/app.mjs',
      code: "import { readFile } from 'node:fs/promises';\nconst settings = JSON.parse(await readFile('settings.json', 'utf8'));\n«process.env.UV_THREADPOOL_SIZE» = settings.threads;",
      findings: [{ messageId: 'afterUse', data: { job: 'fs.readFile' } }],
    },
    {
      name: 'a hash, with its callback',
      code: "const { pbkdf2 } = require('node:crypto');\nconst { env } = require('node:process');\npbkdf2('a', 'b', 1, 1, 'sha512', () => {});\n«env.UV_THREADPOOL_SIZE» = '8';",
      findings: [{ messageId: 'afterUse', data: { job: 'crypto.pbkdf2' } }],
    },
    {
      name: 'in the same handler',
      code: "const fs = require('fs');\nconst app = require('express')();\napp.get('/', (req, res) => {\n  fs.stat('a', () => {});\n  «process.env.UV_THREADPOOL_SIZE» = 8;\n  res.end();\n});",
      findings: [{ messageId: 'afterUse' }],
    },
    {
      name: 'an ES module by its name',
      file: 'src/app.mjs',
      code: "import './setup.mjs';\n«process.env.UV_THREADPOOL_SIZE» = '8';",
      findings: [{ messageId: 'module', data: { range: 'up to 22.17 (and 24.0 to 24.2)' } }],
    },
    {
      name: 'an ES module by its project',
      code: "import os from 'node:os';\n«process.env.UV_THREADPOOL_SIZE» ??= String(os.availableParallelism());",
      project: MODULE,
      findings: [{ messageId: 'module' }],
    },
    {
      name: 'a thread',
      code: "const { parentPort } = require('node:worker_threads');\n«process.env.UV_THREADPOOL_SIZE» = '8';\nparentPort.postMessage('ready');",
      findings: [{ messageId: 'worker' }],
    },
    {
      name: 'in a constructor, told once',
      code: 'class Client {\n  constructor(driver) {\n    «process.env.UV_THREADPOOL_SIZE» = process.env.UV_THREADPOOL_SIZE || 1;\n    process.env.UV_THREADPOOL_SIZE = parseInt(process.env.UV_THREADPOOL_SIZE) + driver.poolMax;\n  }\n}\nmodule.exports = Client;',
      findings: [{ messageId: 'function', severity: 'hint' }],
    },
    {
      name: 'when the server listens',
      code: "const server = require('http').createServer();\nserver.listen(80, () => {\n  «Object.assign(process.env, { UV_THREADPOOL_SIZE: '8' })»;\n});",
      findings: [{ messageId: 'function', severity: 'hint' }],
    },
  ],
};
