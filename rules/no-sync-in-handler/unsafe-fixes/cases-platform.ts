// Fixes that the language or the Node versions of a project do not take: no semicolons, Node 8, types.
import type { InvalidCase } from '../../../analysis/testing/rule-tester.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

export const platformCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
  {
    name: 'without semicolons, the line before would be called',
    code: dedent`
      const fs = require('fs')
      const Koa = require('koa')
      const app = new Koa()
      app.use(async (ctx) => {
        let n = 1
        «fs.readFileSync(ctx.path, 'utf8')».split('x').forEach(() => { n += 1 })
        ctx.body = String(n)
      })

    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs')
              const Koa = require('koa')
              const app = new Koa()
              app.use(async (ctx) => {
                let n = 1
                ;(await fs.promises.readFile(ctx.path, 'utf8')).split('x').forEach(() => {
                  n += 1
                })
                ctx.body = String(n)
              })

            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a project that may run on Node 8',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', (req, res) => res.send(«fs.readFileSync(req.query.name)»));
    `,
    project: { nodeRange: '>=8.9.0', nodeRangeSource: 'engines.node in package.json' },
    findings: [
      {
        messageId: 'blocks',
        refused: ['engines.node in package.json allows versions before Node 10, which have no `fs.promises`'],
      },
    ],
  },
  {
    name: 'a range that names no version says nothing of Node 8',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', (req, res) => {
        res.send(«fs.readFileSync(req.query.a)»);
      });
    `,
    project: { ...EXPRESS_5, nodeRange: '*' },
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();
              app.get('/', async (req, res) => {
                res.send(await fs.promises.readFile(req.query.a));
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'TypeScript: the promise of scrypt is one of unknown, and its options have no type',
    file: '/project/app.ts',
    code: dedent`
      import crypto from 'node:crypto';
      import express from 'express';
      const app = express();
      app.post('/a', (req, res) => {
        const { text } = req.body;
        res.send(«crypto.scryptSync(text, 'a', 9)».toString('hex'));
      });
      app.post('/b', (req, res) => {
        const { text } = req.body;
        res.send(«crypto.scryptSync(text, 'a', 9, { N: 4096 })».toString('hex'));
      });
    `,
    project: EXPRESS_5,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              import crypto from 'node:crypto';
              import { promisify } from 'node:util';
              import express from 'express';
              const scryptAsync = promisify(crypto.scrypt);
              const app = express();
              app.post('/a', async (req, res) => {
                const { text } = req.body;
                res.send(((await scryptAsync(text, 'a', 9)) as Buffer).toString('hex'));
              });
              app.post('/b', (req, res) => {
                const { text } = req.body;
                res.send(crypto.scryptSync(text, 'a', 9, { N: 4096 }).toString('hex'));
              });
            `,
          },
        ],
      },
      { messageId: 'blocks', refused: ['TypeScript takes the types of `promisify(scrypt)` from an overload without options'] },
    ],
  },
  {
    name: 'ESLint forbids an `await` in a loop',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', (req, res) => {
        for (const name of ['a', req.query.file]) res.write(«fs.readFileSync(name, 'utf8')»);
        res.end();
      });
    `,
    project: { ...EXPRESS_5, lint: { rules: { 'no-await-in-loop': true } } },
    findings: [{ messageId: 'blocks', refused: ['ESLint forbids an `await` in a loop here'] }],
  },
  {
    name: 'ESLint forbids `let`, and parses a language without `??=`',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', (req, res) => {
        if (!req.query.all) return res.end();
        res.send(«fs.readFileSync('page.html', 'utf8')»);
      });
    `,
    project: { ...EXPRESS_5, lint: { rules: { 'functional/no-let': true } } },
    findings: [
      {
        messageId: 'blocks',
        refused: ['the read is under a condition', 'ESLint forbids `let` here'],
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();
              app.get('/', async (req, res) => {
                if (!req.query.all) return res.end();
                res.send(await fs.promises.readFile('page.html', 'utf8'));
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'ESLint parses a language without `??=`',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', (req, res) => {
        if (!req.query.all) return res.end();
        const page = «fs.readFileSync('page.html', 'utf8')»;
        res.send(page);
      });
    `,
    project: { ...EXPRESS_5, lint: { ecmaVersion: 2020, rules: {} } },
    findings: [
      {
        messageId: 'blocks',
        refused: ['the read is under a condition', 'ESLint parses the language of 2020 here'],
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();
              app.get('/', async (req, res) => {
                if (!req.query.all) return res.end();
                const page = await fs.promises.readFile('page.html', 'utf8');
                res.send(page);
              });
            `,
          },
        ],
      },
    ],
  },
];
