import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const CLUSTER = "const cluster = require('node:cluster');\nconst os = require('node:os');\n";

export const cases: RuleCases<'machine' | 'fixed'> = {
  valid: [
    {
      name: 'what the process may use',
      code: dedent`
        ${CLUSTER}if (cluster.isPrimary) for (let i = 0; i < os.availableParallelism(); i++) cluster.fork();
      `,
    },
    {
      name: 'where the version has it',
      code: dedent`
        ${CLUSTER}const workers = os.availableParallelism ? os.availableParallelism() : os.cpus().length;
        for (let i = 0; i < workers; i++) cluster.fork();
      `,
    },
    {
      name: 'one process that is started again',
      code: dedent`
        ${CLUSTER}if (cluster.isPrimary) { cluster.fork(); cluster.on('exit', () => cluster.fork()); }
      `,
    },
    {
      name: 'a loop that starts one',
      code: dedent`
        ${CLUSTER}for (let i = 0; i < 1; i++) cluster.fork();
      `,
    },
    {
      name: 'from the environment',
      code: dedent`
        ${CLUSTER}const workers = Number(process.env.WORKERS);
        for (let i = 0; i < workers; i++) cluster.fork();
      `,
    },
    {
      name: 'from the environment, with one as the default',
      code: dedent`
        ${CLUSTER}const workers = process.env.WEB_CONCURRENCY || 1;
        for (let i = 0; i < workers; i++) cluster.fork();
      `,
    },
    {
      name: 'the lower of both',
      code: dedent`
        ${CLUSTER}const workers = Math.min(os.availableParallelism(), 4);
        for (let i = 0; i < workers; i++) cluster.fork();
      `,
    },
    {
      name: 'shown, not started',
      code: dedent`
        ${CLUSTER}console.log(os.cpus().length, os.cpus()[0].model);
        if (cluster.isPrimary) cluster.fork();
      `,
    },
    {
      name: 'several kinds of workers',
      code: dedent`
        ${CLUSTER}for (const queue of ['mail', 'images']) cluster.fork({ queue });
      `,
    },
    {
      name: 'one for each port of the configuration',
      code: dedent`
        ${CLUSTER}const { ports } = require('./config.json');
        ports.forEach((port) => cluster.fork({ port }));
      `,
    },
    {
      name: 'another fork',
      code: dedent`
        import { fork } from './git.js';
        import 'node:cluster';
        for (let i = 0; i < 4; i++) fork();
      `,
    },
    {
      name: 'dead workers are started again, in a function that a loop does not call',
      code: dedent`
        ${CLUSTER}for (let i = 0; i < 4; i++) cluster.on('exit', () => { cluster.fork(); });
      `,
    },
    {
      name: 'a test',
      file: 'test/cluster.test.js',
      code: dedent`
        ${CLUSTER}for (let i = 0; i < 4; i++) cluster.fork();
      `,
    },
    {
      name: 'a project that only runs on versions without it',
      project: { nodeRange: '16.x' },
      code: dedent`
        ${CLUSTER}for (let i = 0; i < os.cpus().length; i++) cluster.fork();
      `,
    },
  ],
  invalid: [
    {
      name: 'a project that names no version',
      project: { nodeRange: '24.0.0', nodeRangeSource: 'the running Node' },
      code: dedent`
        ${CLUSTER}const count = «os.cpus().length»;
        for (let i = 0; i < count; i++) cluster.fork();
      `,
      findings: [{ messageId: 'machine', refused: ['nothing says which versions of Node.js the program runs on'] }],
    },
    {
      name: 'a project that also runs on versions without it',
      project: { nodeRange: '>=16' },
      code: dedent`
        ${CLUSTER}for (let i = 0; i < «os.cpus().length»; i++) cluster.fork();
      `,
      findings: [
        {
          messageId: 'machine',
          fixes: [
            {
              kind: 'suggestion',
              output: `${CLUSTER}for (let i = 0; i < (os.availableParallelism?.() ?? os.cpus().length); i++) cluster.fork();`,
            },
          ],
        },
      ],
    },
    {
      code: dedent`
        ${CLUSTER}if (cluster.isPrimary) for (let i = 0; i < «os.cpus().length»; i++) cluster.fork();
      `,
      project: { nodeRange: '>=20' },
      findings: [
        {
          messageId: 'machine',
          severity: 'hint',
          data: { written: 'os.cpus().length' },
          fixes: [
            {
              kind: 'suggestion',
              title: 'Use os.availableParallelism()',
              output: `${CLUSTER}if (cluster.isPrimary) for (let i = 0; i < os.availableParallelism(); i++) cluster.fork();`,
            },
          ],
        },
      ],
    },
    {
      name: 'in a variable',
      project: { nodeRange: '>=20' },
      code: dedent`
        const cluster = require('cluster');
        const numCPUs = «require('os').cpus().length»;
        if (cluster.isMaster) { for (let i = 0; i < numCPUs; i++) { cluster.fork(); } }
      `,
      findings: [
        {
          messageId: 'machine',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const cluster = require('cluster');
                const numCPUs = require('os').availableParallelism();
                if (cluster.isMaster) { for (let i = 0; i < numCPUs; i++) { cluster.fork(); } }
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'as a default, imported by name',
      project: { nodeRange: '>=20' },
      code: dedent`
        import cluster from 'node:cluster';
        import { cpus } from 'node:os';
        const workers = Number(process.env.WORKERS) || «cpus().length»;
        for (let i = 0; i < workers; i++) cluster.fork();
      `,
      findings: [{ messageId: 'machine' }],
    },
    {
      name: 'for each of them',
      project: { nodeRange: '>=20' },
      code: dedent`
        ${CLUSTER}«os.cpus()».forEach(() => cluster.fork());
      `,
      findings: [{ messageId: 'machine' }],
    },
    {
      name: 'a list of them in a variable',
      project: { nodeRange: '>=20' },
      code: dedent`
        ${CLUSTER}const cpus = os.cpus();
        for (let i = 0; i < «cpus.length»; i++) cluster.fork();
      `,
      findings: [{ messageId: 'machine' }],
    },
    {
      name: 'a number',
      code: dedent`
        ${CLUSTER}if (cluster.isPrimary) for (let i = 0; i < «4»; i++) cluster.fork();
      `,
      findings: [{ messageId: 'fixed', severity: 'hint', data: { count: '4' } }],
    },
    {
      name: 'a constant',
      code: dedent`
        ${CLUSTER}const WORKERS = «6»;
        if (cluster.isPrimary) for (let i = 0; i < WORKERS; i++) { const worker = cluster.fork(); worker.send(i); }
      `,
      findings: [{ messageId: 'fixed', data: { count: '6' } }],
    },
    {
      name: 'a length',
      code: dedent`
        import cluster from 'node:cluster';
        const workers = Array.from({ length: «2» }, () => cluster.fork());
      `,
      findings: [{ messageId: 'fixed' }],
    },
  ],
};
