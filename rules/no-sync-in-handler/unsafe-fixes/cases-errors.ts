// Errors and answers that would be lost in a promise which nobody handles: refused, or caught, with the reason.
import type { InvalidCase } from '../../../analysis/testing/rule-tester.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

export const errorsCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
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
