// Reads at startup, and first reads that are kept: what would be answered from an old or missing file.
import type { InvalidCase } from '../../../analysis/testing/rule-tester.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

export const keptReadsCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
  {
    name: 'a read at startup that would keep the server from starting, or answer with what was',
    code: dedent`
      const fs = require('fs');
      const Koa = require('koa');
      const app = new Koa();
      const banner = '/etc/banner.txt';
      app.use(async (ctx) => {
        if (ctx.query.banner) ctx.body = «fs.readFileSync(banner)»;
      });
      app.use(async (ctx) => {
        try { ctx.body = «fs.readFileSync('/etc/motd')»; } catch { ctx.body = ''; }
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        refused: ['the read is under a condition (line 6)'],
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const Koa = require('koa');
              const app = new Koa();
              const banner = '/etc/banner.txt';
              let fileContents;

              app.use(async (ctx) => {
                if (ctx.query.banner) ctx.body = fileContents ??= fs.readFileSync(banner);
              });
              app.use(async (ctx) => {
                try { ctx.body = fs.readFileSync('/etc/motd'); } catch { ctx.body = ''; }
              });
            `,
          },
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const Koa = require('koa');
              const app = new Koa();
              const banner = '/etc/banner.txt';
              app.use(async (ctx) => {
                if (ctx.query.banner) ctx.body = await fs.promises.readFile(banner);
              });
              app.use(async (ctx) => {
                try { ctx.body = fs.readFileSync('/etc/motd'); } catch { ctx.body = ''; }
              });
          `,
          },
        ],
      },
      {
        messageId: 'blocks',
        refused: ['a `catch` handles a missing file (line 9)'],
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const Koa = require('koa');
              const app = new Koa();
              const banner = '/etc/banner.txt';
              app.use(async (ctx) => {
                if (ctx.query.banner) ctx.body = fs.readFileSync(banner);
              });
              let motd;

              app.use(async (ctx) => {
                try { ctx.body = motd ??= fs.readFileSync('/etc/motd'); } catch { ctx.body = ''; }
              });
            `,
          },
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const Koa = require('koa');
              const app = new Koa();
              const banner = '/etc/banner.txt';
              app.use(async (ctx) => {
                if (ctx.query.banner) ctx.body = fs.readFileSync(banner);
              });
              app.use(async (ctx) => {
                try {
                  ctx.body = await fs.promises.readFile('/etc/motd');
                } catch {
                  ctx.body = '';
                }
              });
          `,
          },
        ],
      },
    ],
  },
  {
    name: 'of two constant files, the first read of one alone is not kept',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', async (req, res) => {
        try {
          const motd = «fs.readFileSync('/etc/motd')»;
          const issue = «fs.readFileSync('/etc/issue')»;
          res.send(motd + issue);
        } catch {
          res.end();
        }
      });
    `,
    project: EXPRESS_5,
    findings: [5, 6].map((line) => ({
      messageId: 'blocks',
      refused: ['', `\`fs.readFileSync\` on line ${11 - line} would still read on each request. Keep both, or neither`],
      fixes: [
        {
          kind: 'suggestion',
          output: dedent`
            const fs = require('fs');
            const app = require('express')();
            app.get('/', async (req, res) => {
              try {
                const motd = await fs.promises.readFile('/etc/motd');
                const issue = await fs.promises.readFile('/etc/issue');
                res.send(motd + issue);
              } catch {
                res.end();
              }
            });
          `,
        },
      ],
    })),
  },
  {
    name: 'settings that each request parses: what JSON.parse gives is kept, not its text',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/:key', async (req, res) => {
        const texts = JSON.parse(«fs.readFileSync('./texts.json', 'utf8')»);
        res.send(String(texts[req.params.key]));
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
              const fs = require('fs');
              const app = require('express')();
              const texts = JSON.parse(fs.readFileSync('./texts.json', 'utf8'));

              app.get('/:key', async (req, res) => {
                res.send(String(texts[req.params.key]));
              });
            `,
          },
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();
              app.get('/:key', async (req, res) => {
                const texts = JSON.parse(await fs.promises.readFile('./texts.json', 'utf8'));
                res.send(String(texts[req.params.key]));
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a text that only JSON.parse uses, in a later statement',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', (req, res) => {
        const text = «fs.readFileSync('./rows.json', 'utf8')»;
        const rows = JSON.parse(text);
        res.json({ count: rows.length });
      });
    `,
    project: EXPRESS_5,
    findings: [
      {
        messageId: 'blocks',
        refused: ['`JSON.parse` on line 5 would still parse the text on each request'],
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();
              app.get('/', async (req, res) => {
                const text = await fs.promises.readFile('./rows.json', 'utf8');
                const rows = JSON.parse(text);
                res.json({ count: rows.length });
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'what JSON.parse gives and a request changes: it would be parsed again',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/:key', (req, res) => {
        const rows = JSON.parse(«fs.readFileSync('./rows.json', 'utf8')»);
        rows.forEach((row) => { row.isOwn = row.key === req.params.key; });
        res.json(rows);
      });
    `,
    project: EXPRESS_5,
    findings: [
      {
        messageId: 'blocks',
        refused: ['`JSON.parse` on line 4 would still parse the text on each request. What it gives may be changed there'],
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();
              app.get('/:key', async (req, res) => {
                const rows = JSON.parse(await fs.promises.readFile('./rows.json', 'utf8'));
                rows.forEach((row) => { row.isOwn = row.key === req.params.key; });
                res.json(rows);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a file that the kernel generates',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', (req, res) => {
        const text = «fs.readFileSync('/proc/meminfo', 'utf8')»;
        res.send(text);
      });
    `,
    project: EXPRESS_5,
    findings: [{ messageId: 'blocks', refused: ['changes while the program runs', 'waits for no disk'] }],
  },
];
