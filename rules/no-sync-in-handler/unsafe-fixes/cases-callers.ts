// A promise instead of a value, for callers that would not wait for it: refused with the reason.
import type { InvalidCase } from '../../../analysis/testing/rule-tester.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

export const callersCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
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
];
