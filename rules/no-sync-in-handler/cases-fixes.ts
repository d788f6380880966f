// Cases about what is offered, and what is refused.
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

export const fixCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
  {
    name: 'a constant file is read at start-up, above the comment of the route',
    code: `const fs = require('fs')\nconst path = require('path')\nconst app = require('express')()\n\n// The terms.\napp.get('/terms', (req, res) => {\n  res.send(«fs.readFileSync(path.join(__dirname, 'terms.txt'), 'utf8')»)\n})\n`,
    project: EXPRESS_5,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: `const fs = require('fs')\nconst path = require('path')\nconst app = require('express')()\n\nconst termsTxt = fs.readFileSync(path.join(__dirname, 'terms.txt'), 'utf8')\n\n// The terms.\napp.get('/terms', (req, res) => {\n  res.send(termsTxt)\n})\n`,
          },
          {
            kind: 'suggestion',
            output: `const fs = require('fs')\nconst path = require('path')\nconst app = require('express')()\n\n// The terms.\napp.get('/terms', async (req, res) => {\n  res.send(await fs.promises.readFile(path.join(__dirname, 'terms.txt'), 'utf8'))\n})\n`,
          },
        ],
      },
    ],
  },
  {
    name: 'existsSync has no promise form: access, asked for its outcome',
    code: `const fs = require('fs');\nconst Koa = require('koa');\nconst app = new Koa();\napp.use(async (ctx) => { if (!«fs.existsSync(ctx.path)») ctx.status = 404; });`,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: `const fs = require('fs');\nconst Koa = require('koa');\nconst app = new Koa();\napp.use(async (ctx) => { if (!await fs.promises.access(ctx.path).then(() => true, () => false)) ctx.status = 404; });`,
          },
        ],
      },
    ],
  },
  {
    name: 'zlib through promisify',
    code: `const zlib = require('zlib');\nconst Koa = require('koa');\nconst app = new Koa();\napp.use(async (ctx) => { ctx.body = «zlib.gzipSync(ctx.text)»; });`,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: `const zlib = require('zlib');\nconst { promisify } = require('util');\nconst Koa = require('koa');\nconst app = new Koa();\napp.use(async (ctx) => { ctx.body = await promisify(zlib.gzip)(ctx.text); });`,
          },
        ],
      },
    ],
  },
  {
    name: 'a try around the call keeps the error where it was',
    code: `const fs = require('fs');\nconst app = require('express')();\napp.get('/a', (req, res, next) => {\n  try {\n    res.send(«fs.readFileSync(req.query.a)»); // the file\n  } catch (error) {\n    next(error);\n  }\n});`,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: `const fs = require('fs');\nconst app = require('express')();\napp.get('/a', async (req, res, next) => {\n  try {\n    res.send(await fs.promises.readFile(req.query.a)); // the file\n  } catch (error) {\n    next(error);\n  }\n});`,
          },
        ],
      },
    ],
  },
  {
    name: 'a declared result becomes a promise of it, in TypeScript',
    file: '/app/users.controller.ts',
    code: `import * as fs from 'node:fs';\nimport { Controller, Get } from '@nestjs/common';\n@Controller('users')\nexport class Users {\n  @Get()\n  known(): { known: boolean } {\n    return { known: «fs.existsSync('/etc/hosts')» };\n  }\n}`,
    findings: [
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: `import * as fs from 'node:fs';\nimport { Controller, Get } from '@nestjs/common';\n@Controller('users')\nexport class Users {\n  @Get()\n  async known(): Promise<{ known: boolean }> {\n    return { known: await fs.promises.access('/etc/hosts').then(() => true, () => false) };\n  }\n}`,
          },
        ],
      },
    ],
  },
  {
    name: 'a setting of another module may change, or not be set yet: no start-up fix',
    code: `const fs = require('fs');\nconst config = require('./config');\nconst app = require('express')();\napp.get('/', (req, res) => { res.send(«fs.readFileSync(config.page)»); });`,
    findings: [{ messageId: 'blocks', refused: ['Express before 5'] }],
  },
  {
    name: 'refused in a constructor',
    code: `const fs = require('fs');\nconst http = require('http');\nclass Page { constructor(name) { this.text = «fs.readFileSync(name)»; } }\nhttp.createServer((req, res) => { res.end(new Page(req.url).text); });`,
    findings: [{ messageId: 'blocks', refused: ['constructor'] }],
  },
  {
    name: 'refused in a sort comparator',
    code: `const fs = require('fs');\nconst http = require('http');\nhttp.createServer((req, res) => { names.sort((a, b) => «fs.statSync(a)».size - b.size); res.end(); });`,
    findings: [{ messageId: 'blocks', refused: ['sort comparator'] }],
  },
  {
    name: 'refused in a generator',
    code: `const fs = require('fs');\nconst http = require('http');\nfunction* lines(name) { yield «fs.readFileSync(name)»; }\nhttp.createServer((req, res) => { res.end([...lines(req.url)].join()); });`,
    findings: [{ messageId: 'blocks', refused: ['generator'] }],
  },
  {
    name: 'refused for an exported helper',
    code: `const fs = require('fs');\nconst http = require('http');\nfunction load(name) { return «fs.readFileSync(name)»; }\nhttp.createServer((req, res) => { res.end(load(req.url)); });\nmodule.exports = { load };`,
    findings: [{ messageId: 'blocks', refused: ['exported'] }],
  },
  {
    name: 'refused when a caller runs at start-up',
    code: `const fs = require('fs');\nconst http = require('http');\nfunction load(name) { return «fs.readFileSync(name)»; }\nload('warm-up');\nhttp.createServer((req, res) => { res.end(load(req.url)); });`,
    findings: [{ messageId: 'blocks', refused: ['start-up'] }],
  },
  {
    name: 'refused for a function passed on',
    code: `const fs = require('fs');\nconst http = require('http');\nfunction load(name) { return «fs.readFileSync(name)»; }\nhttp.createServer((req, res) => { res.end(names.map(load).join()); });`,
    findings: [{ messageId: 'blocks', refused: ['passed on'] }],
  },
  {
    name: 'refused in a promise executor',
    code: `const fs = require('fs');\nconst http = require('http');\nhttp.createServer((req, res) => { new Promise((resolve) => resolve(«fs.readFileSync(req.url)»)).then((text) => res.end(text)); });`,
    findings: [{ messageId: 'blocks', refused: ['executor'] }],
  },
];
