// Fixes that would change what a program answers, as seen in real code: each is refused with the reason.
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

export const unsafeFixCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
  {
    name: 'a check that another file may call: its promise would always be true',
    code: dedent`
      const fs = require('fs');
      exports.isAllowed = function isAllowed(req, res) {
        res.locals.list = «fs.readFileSync(req.query.list, 'utf8')».split(req.query.user);
        return res.locals.list.length > 1;
      };
    `,
    project: EXPRESS_5,
    findings: [{ messageId: 'blocks', refused: ['`isAllowed` may have callers in other files, which would have to await it'] }],
  },
  {
    name: 'a handler that this file also calls',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      function show(req, res) { res.send(«fs.readFileSync(req.query.name)»); }
      app.get('/a', show);
      app.get('/b', (req, res) => { show(req, res); log(req.path); });
    `,
    project: EXPRESS_5,
    findings: [{ messageId: 'blocks', refused: ['this file also calls it without awaiting it'] }],
  },
  {
    name: 'Express 4: a try around the read alone leaves what follows it',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/a', (req, res) => {
        let text;
        try { text = «fs.readFileSync(req.query.name, 'utf8')»; } catch { text = '{}'; }
        res.json(JSON.parse(text));
      });
      app.get('/b', (req, res) => {
        try { res.send(«fs.readFileSync(req.query.name)»); } catch (error) { throw new Error('no ' + error.path); }
      });
      app.get('/c', (req, res) => {
        const name = req.query.name.trim();
        try { res.send(«fs.readFileSync(name)»); } catch (error) { res.sendStatus(404); }
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
    const fs = require('fs');
    const app = require('express')();
    app.get('/a', async (req, res, next) => {
      try {
        let text;
        try { text = await fs.promises.readFile(req.query.name, 'utf8'); } catch { text = '{}'; }
        res.json(JSON.parse(text));
      } catch (error) {
        next(error);
      }
    });
    app.get('/b', (req, res) => {
      try { res.send(fs.readFileSync(req.query.name)); } catch (error) { throw new Error('no ' + error.path); }
    });
    app.get('/c', (req, res) => {
      const name = req.query.name.trim();
      try { res.send(fs.readFileSync(name)); } catch (error) { res.sendStatus(404); }
    });
  `,
          },
        ],
      },
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
    const fs = require('fs');
    const app = require('express')();
    app.get('/a', (req, res) => {
      let text;
      try { text = fs.readFileSync(req.query.name, 'utf8'); } catch { text = '{}'; }
      res.json(JSON.parse(text));
    });
    app.get('/b', async (req, res, next) => {
      try {
        try { res.send(await fs.promises.readFile(req.query.name)); } catch (error) { throw new Error('no ' + error.path); }
      } catch (error) {
        next(error);
      }
    });
    app.get('/c', (req, res) => {
      const name = req.query.name.trim();
      try { res.send(fs.readFileSync(name)); } catch (error) { res.sendStatus(404); }
    });
  `,
          },
        ],
      },
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
    const fs = require('fs');
    const app = require('express')();
    app.get('/a', (req, res) => {
      let text;
      try { text = fs.readFileSync(req.query.name, 'utf8'); } catch { text = '{}'; }
      res.json(JSON.parse(text));
    });
    app.get('/b', (req, res) => {
      try { res.send(fs.readFileSync(req.query.name)); } catch (error) { throw new Error('no ' + error.path); }
    });
    app.get('/c', async (req, res, next) => {
      try {
        const name = req.query.name.trim();
        try { res.send(await fs.promises.readFile(name)); } catch (error) { res.sendStatus(404); }
      } catch (error) {
        next(error);
      }
    });
  `,
          },
        ],
      },
    ],
  },
  {
    name: 'Express 4: a wrapper that is only called so',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      const wrap = (fn) => (req, res, next) => { try { fn(req, res, next); } catch (error) { next(error); } };
      const { country } = require('./country');
      app.get('/a', wrap((req, res) => { res.send(«fs.readFileSync(req.query.name)»); }));
      app.get('/b', country((req, res) => { res.send(«fs.readFileSync(req.query.name)»); }));
    `,
    findings: [
      { messageId: 'blocks', refused: ['Express before 5'] },
      { messageId: 'blocks', refused: ['Express before 5'] },
    ],
  },
  {
    name: 'a listener behind the call',
    code: dedent`
      const fs = require('fs');
      const { WebSocketServer } = require('ws');
      const wss = new WebSocketServer({ port: 1 });
      wss.on('connection', (ws, request) => {
        const settings = «fs.readFileSync(request.url)»;
        ws.on('message', (text) => ws.send(settings + text));
      });
    `,
    findings: [{ messageId: 'blocks', refused: ['`ws.on` (line 6) listens for events after the call'] }],
  },
  {
    name: 'Fastify: a reply in a callback; serverless: an answer by a callback',
    code: dedent`
      const fs = require('fs');
      const fastify = require('fastify')();
      fastify.get('/a', (request, reply) => {
        const text = «fs.readFileSync(request.query.name)»;
        setTimeout(() => reply.send(text), 10);
      });
    `,
    findings: [{ messageId: 'blocks', refused: ['the handler replies in a callback'] }],
  },
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
    name: 'what outlives the request is used on both sides of the await',
    code: dedent`
      const fs = require('fs');
      const Koa = require('koa');
      const app = new Koa();
      let current = '';
      const stock = { n: 3 };
      let total = 0;
      app.use(async (ctx) => {
        current = ctx.query.user;
        const text = «fs.readFileSync(ctx.path)»;
        ctx.body = text + current;
      });
      app.use(async (ctx) => {
        if (stock.n <= 0) return;
        ctx.body = «fs.readFileSync(ctx.path)»;
        stock.n--;
      });
      app.use(async (ctx) => {
        total += «fs.readFileSync(ctx.path)».length;
        ctx.body = String(total);
      });
    `,
    findings: [
      { messageId: 'blocks', refused: ['`current` outlives the request'] },
      { messageId: 'blocks', refused: ['`stock` outlives the request'] },
      { messageId: 'blocks', refused: ['`total` outlives the request'] },
    ],
  },
  {
    name: 'a file that is read and written: an await between them loses changes',
    code: dedent`
      const fs = require('fs');
      const Koa = require('koa');
      const app = new Koa();
      const FILE = '/var/data/list.json';
      app.use(async (ctx) => {
        const list = JSON.parse(«fs.readFileSync(FILE, 'utf8')»);
        list.push(ctx.query.name);
        «fs.writeFileSync(FILE, JSON.stringify(list))»;
        ctx.body = list;
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        refused: ['`writeFileSync` uses the same file (line 8)', '`FILE` is also written in this file, by `fs.writeFileSync(…)`'],
      },
      { messageId: 'blocks', refused: ['`FILE` is also read in this file, by `fs.readFileSync(…)`'] },
    ],
  },
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
    name: 'what is written is used again under the same path',
    code: dedent`
      const fs = require('fs');
      const path = require('path');
      const app = require('express')();
      app.post('/:id', async (req, res) => {
        const file = path.join('certificates', req.params.id);
        «fs.writeFileSync(file, req.body)»;
        await upload(file);
        res.end();
      });
    `,
    project: EXPRESS_5,
    findings: [{ messageId: 'blocks', refused: ['`file` is used again on line 7. With an await between, another request'] }],
  },
  {
    name: 'a path that no other request has is used again',
    code: dedent`
      const fs = require('fs');
      const os = require('os');
      const path = require('path');
      const app = require('express')();
      app.post('/:id', async (req, res) => {
        const file = path.join(os.tmpdir(), crypto.randomUUID());
        «fs.writeFileSync(file, req.body)»;
        await upload(file);
        res.end();
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
              const os = require('os');
              const path = require('path');
              const app = require('express')();
              app.post('/:id', async (req, res) => {
                const file = path.join(os.tmpdir(), crypto.randomUUID());
                await fs.promises.writeFile(file, req.body);
                await upload(file);
                res.end();
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'express-async-errors hands errors of promises on',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/:id', (req, res) => {
        res.send(«fs.readFileSync(req.params.id)»);
      });
    `,
    project: {
      manifest: {
        ...EXPRESS_5.manifest,
        dependencies: { express: '^4.18.0', 'express-async-errors': '^3.1.1' },
      },
    },
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();
              app.get('/:id', async (req, res) => {
                res.send(await fs.promises.readFile(req.params.id));
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'Express 4: a handler of more than 40 lines is not indented anew',
    code: [
      "const fs = require('fs');",
      "const app = require('express')();",
      "app.get('/:id', (req, res) => {",
      '  const text = «fs.readFileSync(req.params.id)»;',
      ...Array.from({ length: 40 }, (_, i) => `  res.write('${i}');`),
      '  res.end(text);',
      '});',
      '',
    ].join('\n'),
    findings: [{ messageId: 'blocks', refused: ['Express before 5 does not catch rejected promises'] }],
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
        res.send(«crypto.scryptSync(text, 'a', 9, { N: 64 })».toString('hex'));
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
                res.send(crypto.scryptSync(text, 'a', 9, { N: 64 }).toString('hex'));
              });
            `,
          },
        ],
      },
      { messageId: 'blocks', refused: ['TypeScript takes the types of `promisify(scrypt)` from an overload without options'] },
    ],
  },
  {
    name: 'a file that is replaced after a program has read it',
    code: dedent`
      const { spawnSync } = require('child_process');
      const fs = require('fs');
      const app = require('express')();
      app.post('/finish', (req, res) => {
        const input = req.body.file;
        const out = input + '.fixed';
        const { status } = «spawnSync('ffmpeg', ['-i', input, out])»;
        if (status === 0) «fs.renameSync(out, input)»;
        res.json({ status });
      });
    `,
    project: EXPRESS_5,
    findings: [
      { messageId: 'blocks', refused: ['line 8 then changes `out`'] },
      {
        messageId: 'blocks',
        severity: 'hint',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const { spawnSync } = require('child_process');
              const fs = require('fs');
              const app = require('express')();
              app.post('/finish', async (req, res) => {
                const input = req.body.file;
                const out = input + '.fixed';
                const { status } = spawnSync('ffmpeg', ['-i', input, out]);
                if (status === 0) await fs.promises.rename(out, input);
                res.json({ status });
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a bot that asks what its client keeps, and sets it after the call',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.post('/', (interaction, res) => {
        if (interaction.client.games.get(interaction.body.guild)) return res.end();
        const songs = «fs.readFileSync(interaction.body.list, 'utf8')»;
        interaction.client.games.set(interaction.body.guild, songs);
        res.end();
      });
    `,
    project: EXPRESS_5,
    findings: [{ messageId: 'blocks', refused: ['`interaction.client` outlives the request and is used before and after the call'] }],
  },
  {
    name: 'a half of a condition that asks twice for one path',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', async (req, res) => {
        const file = req.query.file;
        if («fs.existsSync(file)» && «fs.statSync(file)».isFile()) res.send('yes');
        else res.send('no');
      });
    `,
    project: EXPRESS_5,
    findings: [
      { messageId: 'blocks', severity: 'hint', refused: ['the check takes about 2 µs'] },
      { messageId: 'blocks', severity: 'hint', refused: ['`existsSync` asks for the same path in the same condition'] },
    ],
  },
  {
    name: 'an async function whose caller goes on without waiting: the channel would be deleted before its messages are asked for',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      async function transcript(channel) {
        const template = «fs.readFileSync(\`./\${channel.kind}.html\`, 'utf8')»;
        const messages = await channel.messages();
        fs.promises.writeFile(channel.file, template + messages);
      }
      app.post('/close', (req, res) => {
        transcript(req.channel).catch(() => {});
        req.channel.remove();
        res.end();
      });
    `,
    project: EXPRESS_5,
    findings: [
      {
        messageId: 'blocks',
        refused: ['calls `transcript` without waiting for it, and would go on before the rest of `transcript` has run'],
      },
    ],
  },
  {
    name: 'an async function whose caller goes on without waiting, and that has waited before',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      async function transcript(channel) {
        const messages = await channel.messages();
        const template = «fs.readFileSync(\`./\${channel.kind}.html\`, 'utf8')»;
        channel.send(template + messages);
      }
      app.post('/close', (req, res) => {
        void transcript(req.channel);
        req.channel.remove();
        res.end();
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
              async function transcript(channel) {
                const messages = await channel.messages();
                const template = await fs.promises.readFile(\`./\${channel.kind}.html\`, 'utf8');
                channel.send(template + messages);
              }
              app.post('/close', (req, res) => {
                void transcript(req.channel);
                req.channel.remove();
                res.end();
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'an async function whose caller ends with the call',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      async function show(name, res) {
        const page = «fs.readFileSync(\`./\${name}.html\`, 'utf8')»;
        res.send(page + (await now()));
      }
      const now = async () => Date.now();
      app.get('/:name', (req, res) => {
        const { name } = req.params;
        if (name) show(name, res);
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
              async function show(name, res) {
                const page = await fs.promises.readFile(\`./\${name}.html\`, 'utf8');
                res.send(page + (await now()));
              }
              const now = async () => Date.now();
              app.get('/:name', (req, res) => {
                const { name } = req.params;
                if (name) show(name, res);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'an async method that files set on what they are given',
    code: dedent`
      const fs = require('fs');
      module.exports = (client) => {
        client.show = async function (req, res) {
          const page = «fs.readFileSync(\`./\${req.params.name}.html\`, 'utf8')»;
          res.send(page + (await now()));
        };
      };
      const now = async () => Date.now();
    `,
    project: EXPRESS_5,
    findings: [{ messageId: 'blocks', refused: ['is set on an object, so not all of its callers are known'] }],
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
    name: 'a check of the same path stays beside the read',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', (req, res) => {
        if («fs.existsSync(req.query.file)») return res.send(«fs.readFileSync(req.query.file, 'utf8')»);
        res.status(404).end();
      });
    `,
    project: EXPRESS_5,
    findings: [
      { messageId: 'blocks', refused: ['the check takes about 2 µs'] },
      { messageId: 'blocks', refused: ['`fs.existsSync` on line 4 asks for the same path, and would still block'] },
    ],
  },
  {
    name: 'a loop over a list of several lines',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', (req, res) => {
        const found = ['a', 'b', req.query.file]
          .filter((name) => name !== 'c')
          .filter((name) => «fs.statSync(name)».isFile());
        res.json(found);
      });
    `,
    project: EXPRESS_5,
    findings: [{ messageId: 'blocks', refused: ['the callback of `filter` must return synchronously'] }],
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
    name: 'a file that the kernel makes',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/', (req, res) => {
        const text = «fs.readFileSync('/proc/meminfo', 'utf8')»;
        res.send(text);
      });
    `,
    project: EXPRESS_5,
    findings: [{ messageId: 'blocks', refused: ['changes while the program runs', 'no disk is waited for'] }],
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
  {
    name: 'a listener of a session that has begun, in a promise behind the call: an early error would be lost',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.post('/', async (req, res) => {
        const session = req.app.locals.client.startSession();
        const audio = «fs.readFileSync(req.body.file)»;
        const text = await new Promise((resolve, reject) => {
          session.on('message', resolve);
          session.on('error', reject);
          session.send(audio);
        });
        res.send(text);
      });
    `,
    project: EXPRESS_5,
    findings: [{ messageId: 'blocks', refused: ['`session.on` (line 7) listens for events after the call'] }],
  },
  {
    name: 'an exception filter of Nest, whose promise nobody waits for',
    file: 'spa.filter.ts',
    code: dedent`
      import { readFileSync } from 'node:fs';
      import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
      @Catch(NotFoundException)
      export class SpaFilter implements ExceptionFilter {
        catch(exception: NotFoundException, host: ArgumentsHost) {
          const res = host.switchToHttp().getResponse();
          res.send(«readFileSync(host.getArgByIndex(0).url)»);
        }
      }
    `,
    project: EXPRESS_5,
    findings: [{ messageId: 'blocks', refused: ['Nest does not wait for `catch` of an exception filter'] }],
  },
];
