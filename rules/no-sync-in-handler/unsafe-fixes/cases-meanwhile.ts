// What another request, a listener, or the function itself would change between the call and what follows its await.
import type { InvalidCase } from '../../../analysis/testing/rule-tester.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

export const meanwhileCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
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
    name: 'two files that belong together, of which a helper writes one, and a file in a folder whose files another request lists and reads',
    code: dedent`
      const fs = require('fs');
      const Koa = require('koa');
      const router = new (require('@koa/router'))();
      function save(id, text) { «fs.writeFileSync(id + '.txt', text)»; }
      router.post('/pods', async (ctx) => {
        save(ctx.query.id, ctx.query.text);
        «fs.writeFileSync(ctx.query.id + '.yaml', ctx.query.pod)»;
      });
      router.post('/files', async (ctx) => {
        «fs.writeFileSync(ctx.query.id, ctx.query.text)»;
      });
      router.get('/files', async (ctx) => {
        ctx.body = «fs.readdirSync(ctx.query.folder)».map((name) => «fs.readFileSync(name)»);
      });
      router.delete('/files', async (ctx) => {
        «fs.unlinkSync(ctx.query.id)»;
      });
      new Koa().use(router.routes()).listen(3000);
    `,
    findings: [
      { messageId: 'blocks', refused: ['line 13 lists files, and the function there reads them'] },
      { messageId: 'blocks', refused: ['a request could remove one of them before the next one is written'] },
      { messageId: 'blocks', refused: ['line 13 lists files, and the function there reads them'] },
      { messageId: 'blocks', severity: 'hint', refused: ['a request could remove one after it was listed'] },
      { messageId: 'blocks', refused: [''] },
      { messageId: 'blocks', severity: 'hint', refused: [''] },
    ],
  },
  {
    name: 'a list of files, and several files that are written together, where another request removes files',
    code: dedent`
      const fs = require('fs');
      const Koa = require('koa');
      const router = new (require('@koa/router'))();
      router.get('/files', async (ctx) => {
        ctx.body = «fs.readdirSync(ctx.query.folder)».map((name) => ({ name, size: «fs.statSync(name)».size }));
      });
      router.post('/files', async (ctx) => {
        «fs.writeFileSync(ctx.query.id + '.yaml', ctx.query.pod)»;
        «fs.writeFileSync(ctx.query.id + '.txt', ctx.query.text)»;
      });
      router.get('/file', async (ctx) => {
        ctx.body = «fs.readFileSync(ctx.query.name)»;
      });
      router.delete('/files', async (ctx) => {
        «fs.unlinkSync(ctx.query.id)»;
      });
      new Koa().use(router.routes()).listen(3000);
    `,
    findings: [
      {
        messageId: 'blocks',
        severity: 'hint',
        refused: ['`fs.unlinkSync(…)` on line 15 removes files. With an await between, a request could remove one after it was listed'],
      },
      { messageId: 'blocks', severity: 'hint', refused: [''] },
      { messageId: 'blocks', refused: ['a request could remove one of them before the next one is written'] },
      { messageId: 'blocks', refused: ['a request could remove one of them before the next one is written'] },
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
      const fs = require('fs');
      const Koa = require('koa');
      const router = new (require('@koa/router'))();
      router.get('/files', async (ctx) => {
        ctx.body = fs.readdirSync(ctx.query.folder).map((name) => ({ name, size: fs.statSync(name).size }));
      });
      router.post('/files', async (ctx) => {
        fs.writeFileSync(ctx.query.id + '.yaml', ctx.query.pod);
        fs.writeFileSync(ctx.query.id + '.txt', ctx.query.text);
      });
      router.get('/file', async (ctx) => {
        ctx.body = await fs.promises.readFile(ctx.query.name);
      });
      router.delete('/files', async (ctx) => {
        fs.unlinkSync(ctx.query.id);
      });
      new Koa().use(router.routes()).listen(3000);
    `,
          },
        ],
      },
      { messageId: 'blocks', severity: 'hint', refused: [''] },
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
    name: 'files that are written to another folder than the one that is listed, and perhaps to the same one',
    code: dedent`
      const fs = require('fs');
      const path = require('path');
      const app = require('express')();
      const UPLOADS = '/var/uploads';
      app.post('/a', async (req, res) => {
        «fs.writeFileSync(path.join('/etc/other', req.query.name), req.query.text)»;
        res.end();
      });
      app.post('/b', async (req, res) => {
        «fs.writeFileSync(req.query.name, req.query.text)»;
        res.end();
      });
      app.post('/c', async (req, res) => {
        «fs.writeFileSync(\`\${UPLOADS}/\${req.query.name}\`, req.query.text)»;
        res.end();
      });
      app.post('/d', async (req, res) => {
        «fs.writeFileSync(path.join('/etc/../var', req.query.name), req.query.text)»;
        res.end();
      });
      app.get('/', async (req, res) => {
        const names = await fs.promises.readdir(UPLOADS);
        res.json(await Promise.all(names.map((name) => fs.promises.readFile(path.join(UPLOADS, name), 'utf8'))));
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
      const path = require('path');
      const app = require('express')();
      const UPLOADS = '/var/uploads';
      app.post('/a', async (req, res) => {
        await fs.promises.writeFile(path.join('/etc/other', req.query.name), req.query.text);
        res.end();
      });
      app.post('/b', async (req, res) => {
        fs.writeFileSync(req.query.name, req.query.text);
        res.end();
      });
      app.post('/c', async (req, res) => {
        fs.writeFileSync(\`\${UPLOADS}/\${req.query.name}\`, req.query.text);
        res.end();
      });
      app.post('/d', async (req, res) => {
        fs.writeFileSync(path.join('/etc/../var', req.query.name), req.query.text);
        res.end();
      });
      app.get('/', async (req, res) => {
        const names = await fs.promises.readdir(UPLOADS);
        res.json(await Promise.all(names.map((name) => fs.promises.readFile(path.join(UPLOADS, name), 'utf8'))));
      });
    `,
          },
        ],
      },
      { messageId: 'blocks', refused: ['line 22 lists files'] },
      { messageId: 'blocks', refused: ['line 22 lists files'] },
      { messageId: 'blocks', refused: ['line 22 lists files'] },
    ],
  },
];
