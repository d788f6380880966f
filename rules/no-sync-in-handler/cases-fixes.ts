// Cases about what is offered, and what is refused.
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

export const fixCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
  {
    name: 'a line that gets too long in a constant that is exported',
    code: dedent`
      import fs from 'node:fs';
      import express from 'express';

      const app = express();

      export const list = async (req, res) => {
        const names = «fs.readdirSync(req.query.folder)».filter((name) => name.endsWith('.json'));
        res.json(names);
      };

      app.get('/', list);
    `,
    project: EXPRESS_5,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              import fs from 'node:fs';
              import express from 'express';

              const app = express();

              export const list = async (req, res) => {
                const names = (await fs.promises.readdir(req.query.folder)).filter((name) =>
                  name.endsWith('.json'),
                );
                res.json(names);
              };

              app.get('/', list);
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'the same file in two functions is read once for both, on one line at the margin',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();

      app.get('/raw', (req, res) => {
        res.send(«fs.readFileSync('page.html')».toString());
      });
      app.get('/page', (req, res) => {
        const page = fs
          .«readFileSync('page.html')»
          .toString();
        res.send(page + req.query.x);
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

              const pageHtml = fs.readFileSync('page.html').toString();

              app.get('/raw', (req, res) => {
                res.send(pageHtml);
              });
              app.get('/page', (req, res) => {
                const page = pageHtml;
                res.send(page + req.query.x);
              });
            `,
          },
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();

              app.get('/raw', async (req, res) => {
                res.send((await fs.promises.readFile('page.html')).toString());
              });
              app.get('/page', (req, res) => {
                const page = fs
                  .readFileSync('page.html')
                  .toString();
                res.send(page + req.query.x);
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

              const pageHtml = fs.readFileSync('page.html').toString();

              app.get('/raw', (req, res) => {
                res.send(pageHtml);
              });
              app.get('/page', (req, res) => {
                const page = pageHtml;
                res.send(page + req.query.x);
              });
            `,
          },
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();

              app.get('/raw', (req, res) => {
                res.send(fs.readFileSync('page.html').toString());
              });
              app.get('/page', async (req, res) => {
                const page = (await fs.promises.readFile('page.html')).toString();
                res.send(page + req.query.x);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'lines that nobody broke stay as they are in a new `try`, where no formatter is known',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();

      app.get('/', (req, res) => {
        const kind = req.query.kind === 'signed' ? 'badge_signed' : req.query.kind === 'open' ? 'open' : 'badge';
        res.send(«fs.readFileSync(req.query.file, 'utf8')» + kind);
      });
    `,
    project: { manifest: { ...EXPRESS_5.manifest, dependencies: { express: '^4.18.0' } } },
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();

              app.get('/', async (req, res, next) => {
                try {
                  const kind = req.query.kind === 'signed' ? 'badge_signed' : req.query.kind === 'open' ? 'open' : 'badge';
                  res.send((await fs.promises.readFile(req.query.file, 'utf8')) + kind);
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
    name: 'a declaration moves to the top level under its own name, and fs/promises takes the place of fs',
    code: dedent`
      import { readFileSync } from 'fs';
      import path from 'path';
      import express from 'express';
      import { db } from './db.js';

      const app = express();

      app.post('/bans', (req, res) => {
        const query = «readFileSync(path.join(__dirname, '../sql/ban.sql'), 'utf8')»;

        db.query(query, req.body.ids, () => res.end());
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
              import { readFileSync } from 'fs';
              import path from 'path';
              import express from 'express';
              import { db } from './db.js';

              const app = express();

              const query = readFileSync(path.join(__dirname, '../sql/ban.sql'), 'utf8');

              app.post('/bans', (req, res) => {
                db.query(query, req.body.ids, () => res.end());
              });
            `,
          },
          {
            kind: 'suggestion',
            output: dedent`
              import { readFile } from 'fs/promises';
              import path from 'path';
              import express from 'express';
              import { db } from './db.js';

              const app = express();

              app.post('/bans', async (req, res) => {
                const query = await readFile(path.join(__dirname, '../sql/ban.sql'), 'utf8');

                db.query(query, req.body.ids, () => res.end());
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'the name of a package that nothing uses any more',
    code: dedent`
      import express from 'express'
      import { hashSync } from 'bcrypt'
      import { mail, users } from './services.js'
      const app = express()
      app.post('/users', async (req, res) => {
        await users.add(req.body.name, «hashSync(req.body.password, 10)»)
        res.end()
      })
    `,
    project: EXPRESS_5,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              import express from 'express'
              import { hash } from 'bcrypt'
              import { mail, users } from './services.js'
              const app = express()
              app.post('/users', async (req, res) => {
                await users.add(req.body.name, await hash(req.body.password, 10))
                res.end()
              })
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a constant file is read at start-up, above the comment of the route',
    code: dedent`
      const fs = require('fs')
      const path = require('path')
      const app = require('express')()

      // The terms.
      app.get('/terms', (req, res) => {
        res.send(«fs.readFileSync(path.join(__dirname, 'terms.txt'), 'utf8')»)
      })

    `,
    project: EXPRESS_5,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs')
              const path = require('path')
              const app = require('express')()

              const termsTxt = fs.readFileSync(path.join(__dirname, 'terms.txt'), 'utf8')

              // The terms.
              app.get('/terms', (req, res) => {
                res.send(termsTxt)
              })

            `,
          },
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs')
              const path = require('path')
              const app = require('express')()

              // The terms.
              app.get('/terms', async (req, res) => {
                res.send(
                  await fs.promises.readFile(path.join(__dirname, 'terms.txt'), 'utf8')
                )
              })

            `,
          },
        ],
      },
    ],
  },
  {
    name: 'lines as wide as the formatter is told',
    project: { format: { width: 120, trailingComma: 'none' } },
    code: dedent`
      const fs = require('fs');
      const Koa = require('koa');
      const app = new Koa();
      app.use(async (ctx) => {
        const contents = «fs.readFileSync(resolveInside(folderOfTemplates, ctx.query.file), 'utf8')»;
        ctx.body = contents;
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
              const Koa = require('koa');
              const app = new Koa();
              app.use(async (ctx) => {
                const contents = await fs.promises.readFile(resolveInside(folderOfTemplates, ctx.query.file), 'utf8');
                ctx.body = contents;
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a check takes less time than its promise form',
    code: dedent`
      const fs = require('fs');
      const Koa = require('koa');
      const app = new Koa();
      app.use(async (ctx) => { if (!«fs.existsSync(ctx.path)») ctx.status = 404; });
    `,
    findings: [{ messageId: 'blocks', refused: ['the check takes about 2 µs'] }],
  },
  {
    name: 'zlib through promisify',
    code: dedent`
      const zlib = require('zlib');
      const Koa = require('koa');
      const app = new Koa();
      app.use(async (ctx) => { ctx.body = «zlib.gzipSync(ctx.text)»; });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const zlib = require('zlib');
              const { promisify } = require('util');
              const Koa = require('koa');
              const gzipAsync = promisify(zlib.gzip);
              const app = new Koa();
              app.use(async (ctx) => { ctx.body = await gzipAsync(ctx.text); });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'what is promisified already is used, and the name that nothing uses any more goes',
    code: dedent`
      const { gzipSync, gzip } = require('zlib');
      const { promisify } = require('util');
      const Koa = require('koa');

      const compress = promisify(gzip);
      const app = new Koa();
      app.use(async (ctx) => { ctx.body = «gzipSync(ctx.text)»; });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const { gzip } = require('zlib');
              const { promisify } = require('util');
              const Koa = require('koa');

              const compress = promisify(gzip);
              const app = new Koa();
              app.use(async (ctx) => { ctx.body = await compress(ctx.text); });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'the only name of a pattern is replaced, in a group of its own',
    code: dedent`
      const { gzipSync } = require('zlib');
      const Koa = require('koa');

      const app = new Koa();
      app.use(async (ctx) => { ctx.body = «gzipSync(ctx.text)»; });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const { gzip } = require('zlib');
              const { promisify } = require('util');
              const Koa = require('koa');

              const gzipAsync = promisify(gzip);

              const app = new Koa();
              app.use(async (ctx) => { ctx.body = await gzipAsync(ctx.text); });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'all blocking calls of a function in one, with one import',
    code: dedent`
      import { readFileSync, statSync } from 'node:fs';
      import Koa from 'koa';
      const app = new Koa();
      app.use(async (ctx) => {
        const { size } = «statSync(ctx.path)»;
        ctx.body = size + «readFileSync(ctx.query.other, 'utf8')»;
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Convert 2 blocking calls of the function to promise forms',
            output: dedent`
              import { stat, readFile } from 'node:fs/promises';
              import Koa from 'koa';
              const app = new Koa();
              app.use(async (ctx) => {
                const { size } = await stat(ctx.path);
                ctx.body = size + (await readFile(ctx.query.other, 'utf8'));
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
              import { stat, readFile } from 'node:fs/promises';
              import Koa from 'koa';
              const app = new Koa();
              app.use(async (ctx) => {
                const { size } = await stat(ctx.path);
                ctx.body = size + (await readFile(ctx.query.other, 'utf8'));
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'an import that a type uses stays',
    file: 'app.ts',
    code: dedent`
      import fs from 'node:fs';
      import Koa from 'koa';
      const app = new Koa();
      app.use(async (ctx) => { const text: Buffer = «fs.readFileSync(ctx.path)»; ctx.body = text.length; });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              import fs from 'node:fs';
              import Koa from 'koa';
              const app = new Koa();
              app.use(async (ctx) => {
                const text: Buffer = await fs.promises.readFile(ctx.path);
                ctx.body = text.length;
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a try around the call keeps the error where it was',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      app.get('/a', (req, res, next) => {
        try {
          res.send(«fs.readFileSync(req.query.a)»); // the file
        } catch (error) {
          next(error);
        }
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
                  res.send(await fs.promises.readFile(req.query.a)); // the file
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
    name: 'a catch that only logs and answers does not throw',
    code: dedent`
      const fs = require('fs');
      const debug = require('debug')('app');
      const app = require('express')();
      app.get('/a', (req, res) => {
        try {
          res.send(«fs.readFileSync(req.query.a)»);
        } catch (error) {
          debug('no file', error);
          res.status(500).send('no file');
        }
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            named: null,
            output: dedent`
              const fs = require('fs');
              const debug = require('debug')('app');
              const app = require('express')();
              app.get('/a', async (req, res) => {
                try {
                  res.send(await fs.promises.readFile(req.query.a));
                } catch (error) {
                  debug('no file', error);
                  res.status(500).send('no file');
                }
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'TypeScript: a name in a comment does not keep its import',
    file: '/project/app.ts',
    code: dedent`
      import { createReadStream, readFileSync } from 'fs';
      import express from 'express';
      const app = express();
      // readFileSync tells the size.
      app.get('/', async (req, res) => {
        const { length } = «readFileSync('a' + req.path)»;
        createReadStream('a' + req.path, { end: length }).pipe(res);
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              import { createReadStream } from 'fs';
              import { readFile } from 'fs/promises';
              import express from 'express';
              const app = express();
              // readFileSync tells the size.
              app.get('/', async (req, res) => {
                const { length } = await readFile('a' + req.path);
                createReadStream('a' + req.path, { end: length }).pipe(res);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a handler of messages is converted only if that is named: a later message may be answered first',
    code: dedent`
      const fs = require('fs');
      const { WebSocketServer } = require('ws');
      const wss = new WebSocketServer({ port: 8080 });
      wss.on('connection', (ws) => {
        ws.on('message', (file) => {
          let text;
          try {
            text = «fs.readFileSync(String(file), 'utf8')»;
          } catch (error) {
            text = error.code;
          }
          ws.send(text);
        });
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            named: 'message-order',
            output: dedent`
              const fs = require('fs');
              const { WebSocketServer } = require('ws');
              const wss = new WebSocketServer({ port: 8080 });
              wss.on('connection', (ws) => {
                ws.on('message', async (file) => {
                  let text;
                  try {
                    text = await fs.promises.readFile(String(file), 'utf8');
                  } catch (error) {
                    text = error.code;
                  }
                  ws.send(text);
                });
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a catch that calls what may throw is wrapped only if that is named',
    code: dedent`
      const fs = require('fs');
      const { debug } = require('./log');
      const app = require('express')();
      app.get('/a', (req, res) => {
        try {
          res.send(«fs.readFileSync(req.query.a)»);
        } catch (error) {
          debug('no file', error);
          res.status(500).send('no file');
        }
      });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            named: 'nested-try',
            output: dedent`
              const fs = require('fs');
              const { debug } = require('./log');
              const app = require('express')();
              app.get('/a', async (req, res, next) => {
                try {
                  res.send(await fs.promises.readFile(req.query.a));
                } catch (error) {
                  try {
                    debug('no file', error);
                    res.status(500).send('no file');
                  } catch (error) {
                    next(error);
                  }
                }
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'nothing gains from awaiting a part of what blocks an invocation of Lambda',
    code: dedent`
      const fs = require('fs');
      exports.handler = async (event, context) => {
        const text = «fs.readFileSync(event.file)»;
        const tree = new Tree(text, «fs.readSync(3, buffer)»);
        return { statusCode: 200, body: context.awsRequestId };
      };
    `,
    findings: [
      { messageId: 'blocks', refused: ['`fs.readSync` on line 4 cannot be converted, and would still block'] },
      { messageId: 'blocks', refused: ['instead of the number of bytes'] },
    ],
  },
  {
    name: 'a declared result becomes a promise of it, in TypeScript',
    file: '/app/users.controller.ts',
    code: dedent`
      import * as fs from 'node:fs';
      import { Controller, Get } from '@nestjs/common';
      @Controller('users')
      export class Users {
        @Get()
        known(): { known: boolean } {
          return { known: «fs.readFileSync(this.path)».includes('a') };
        }
      }
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              import * as fs from 'node:fs';
              import { Controller, Get } from '@nestjs/common';
              @Controller('users')
              export class Users {
                @Get()
                async known(): Promise<{ known: boolean }> {
                  return { known: (await fs.promises.readFile(this.path)).includes('a') };
                }
              }
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a setting of another module may change, or not be set yet: no start-up fix',
    code: dedent`
      const fs = require('fs');
      const config = require('./config');
      const app = require('express')();
      app.get('/', (req, res) => { res.send(«fs.readFileSync(config.page)»); });
    `,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
    const fs = require('fs');
    const config = require('./config');
    const app = require('express')();
    app.get('/', async (req, res, next) => {
      try {
        res.send(await fs.promises.readFile(config.page));
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
    name: 'refused in a constructor',
    code: dedent`
      const fs = require('fs');
      const http = require('http');
      class Page { constructor(name) { this.text = «fs.readFileSync(name)»; } }
      http.createServer((req, res) => { res.end(new Page(req.url).text); });
    `,
    findings: [{ messageId: 'blocks', refused: ['constructor'] }],
  },
  {
    name: 'refused in a sort comparator',
    code: dedent`
      const fs = require('fs');
      const http = require('http');
      http.createServer((req, res) => { names.sort((a, b) => «fs.statSync(a)».size - b.size); res.end(); });
    `,
    findings: [{ messageId: 'blocks', refused: ['sort comparator'] }],
  },
  {
    name: 'refused in a loop where ESLint forbids it',
    project: {
      manifest: { bin: [], scripts: {}, dependencies: {}, devDependencies: { 'eslint-config-airbnb-base': '^15.0.0' }, private: true },
    },
    code: dedent`
      const fs = require('fs');
      const http = require('http');
      http.createServer(async (req, res) => {
        for (const name of req.url.split('+')) res.write(«fs.readFileSync(name)»);
        res.end();
      });
    `,
    findings: [{ messageId: 'blocks', refused: ['`eslint-config-airbnb-base` forbids an `await` in a loop'] }],
  },
  {
    name: 'refused in a generator',
    code: dedent`
      const fs = require('fs');
      const http = require('http');
      function* lines(name) { yield «fs.readFileSync(name)»; }
      http.createServer((req, res) => { res.end([...lines(req.url)].join()); });
    `,
    findings: [{ messageId: 'blocks', refused: ['generator'] }],
  },
  {
    name: 'refused for an exported helper',
    code: dedent`
      const fs = require('fs');
      const http = require('http');
      function load(name) { return «fs.readFileSync(name)»; }
      http.createServer((req, res) => { res.end(load(req.url)); });
      module.exports = { load };
    `,
    findings: [{ messageId: 'blocks', refused: ['exported'] }],
  },
  {
    name: 'refused when a caller runs at start-up',
    code: dedent`
      const fs = require('fs');
      const http = require('http');
      function load(name) { return «fs.readFileSync(name)»; }
      load('warm-up');
      http.createServer((req, res) => { res.end(load(req.url)); });
    `,
    findings: [{ messageId: 'blocks', refused: ['startup'] }],
  },
  {
    name: 'refused for a function passed on',
    code: dedent`
      const fs = require('fs');
      const http = require('http');
      function load(name) { return «fs.readFileSync(name)»; }
      http.createServer((req, res) => { res.end(names.map(load).join()); });
    `,
    findings: [{ messageId: 'blocks', refused: ['passed as a value'] }],
  },
  {
    name: 'refused in a promise executor',
    code: dedent`
      const fs = require('fs');
      const http = require('http');
      http.createServer((req, res) => { new Promise((resolve) => resolve(«fs.readFileSync(req.url)»)).then((text) => res.end(text)); });
    `,
    findings: [{ messageId: 'blocks', refused: ['executor'] }],
  },
];
