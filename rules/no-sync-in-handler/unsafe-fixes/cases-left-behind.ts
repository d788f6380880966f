// Other names of what a fix replaces, and loads inside of functions: a linter would report what is left behind.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { InvalidCase } from '../../../analysis/testing/rule-tester.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

const fixedAs = (name: string, code: string, output: string, file = 'file.js'): InvalidCase<'blocks' | 'blocksOnce'> => ({
  name,
  file,
  code,
  project: EXPRESS_5,
  findings: [{ messageId: 'blocks', fixes: [{ kind: 'suggestion', output }] }],
});

const BOTH = {
  messageId: 'blocks' as const,
  fixes: [
    {
      kind: 'suggestion' as const,
      output: dedent`
        const { readFile, stat } = require('fs/promises');
        const app = require('express')();

        app.get('/', async (req, res) => {
          const { size } = await stat(req.query.file);
          const text = await readFile(req.query.file, 'utf8');
          res.send([size, text]);
        });
      `,
    },
  ],
};

export const leftBehindCases: readonly InvalidCase<'blocks' | 'blocksOnce'>[] = [
  fixedAs(
    'another name that something else uses, or that is exported, stays',
    dedent`
      import express from 'express';
      import * as fs from 'node:fs';

      const { readFileSync } = fs;
      const settings = readFileSync('settings.json', 'utf8');
      const app = express();

      app.get('/', async (req, res) => {
        res.send(settings + «readFileSync(req.query.file, 'utf8')»);
      });
    `,
    dedent`
      import express from 'express';
      import * as fs from 'node:fs';

      const { readFileSync } = fs;
      const settings = readFileSync('settings.json', 'utf8');
      const app = express();

      app.get('/', async (req, res) => {
        res.send(settings + (await fs.promises.readFile(req.query.file, 'utf8')));
      });
    `,
  ),
  fixedAs(
    'another name of a member that nothing uses any more',
    dedent`
      import express from 'express';
      import { glob } from 'glob';

      const globSync = glob.sync;
      const app = express();

      app.get('/', async (req, res) => {
        const files = «globSync(req.query.pattern)»;
        res.json(files);
      });
    `,
    dedent`
      import express from 'express';
      import { glob } from 'glob';

      const app = express();

      app.get('/', async (req, res) => {
        const files = await glob(req.query.pattern);
        res.json(files);
      });
    `,
  ),
  fixedAs(
    'what another name was the last to use goes with it',
    dedent`
      const fs = require('fs');
      const { readFile } = require('fs/promises');
      const { readFileSync: read } = fs;
      const app = require('express')();

      app.get('/', async (req, res) => {
        res.send(«read(req.query.file, 'utf8')»);
      });
    `,
    dedent`
      const { readFile } = require('fs/promises');
      const app = require('express')();

      app.get('/', async (req, res) => {
        res.send(await readFile(req.query.file, 'utf8'));
      });
    `,
  ),
  fixedAs(
    'names that a function loads for itself',
    dedent`
      import express from 'express';

      const app = express();

      app.get('/', async (req, res) => {
        const { readdirSync } = await import('node:fs');

        const names = «readdirSync(req.query.folder)»;
        res.json(names);
      });
    `,
    dedent`
      import express from 'express';
      import { readdir } from 'node:fs/promises';

      const app = express();

      app.get('/', async (req, res) => {
        const names = await readdir(req.query.folder);
        res.json(names);
      });
    `,
  ),
  fixedAs(
    'one of two names that a function loads for itself',
    dedent`
      const app = require('express')();

      app.get('/', async (req, res) => {
        const folder = req.query.folder;
        const { createReadStream, readdirSync } = require('fs');
        const names = «readdirSync(folder)»;
        createReadStream(names[0]).pipe(res);
      });
    `,
    dedent`
      const { readdir } = require('node:fs/promises');

      const app = require('express')();

      app.get('/', async (req, res) => {
        const folder = req.query.folder;
        const { createReadStream } = require('fs');
        const names = await readdir(folder);
        createReadStream(names[0]).pipe(res);
      });
    `,
  ),
  fixedAs(
    'a module that a function loads for itself, and uses',
    dedent`
      import express from 'express';

      const app = express();

      app.get('/', async (req, res) => {
        const fs = await import('fs');
        const names = «fs.readdirSync(req.query.folder)»;
        res.json(names);
      });
    `,
    dedent`
      import express from 'express';

      const app = express();

      app.get('/', async (req, res) => {
        const fs = await import('fs');
        const names = await fs.promises.readdir(req.query.folder);
        res.json(names);
      });
    `,
  ),
  fixedAs(
    'a semicolon at the beginning of the next line stays',
    dedent`
      const fs = require('fs')
      const { readFile } = require('fs/promises')
      const app = require('express')()
      const { readFileSync } = fs
      ;[1, 2].forEach((one) => console.log(one))

      app.get('/', async (req, res) => {
        res.send(«readFileSync(req.query.file, 'utf8')»)
      })
    `,
    dedent`
      const { readFile } = require('fs/promises')
      const app = require('express')()
      ;[1, 2].forEach((one) => console.log(one))

      app.get('/', async (req, res) => {
        res.send(await readFile(req.query.file, 'utf8'))
      })
    `,
  ),
  fixedAs(
    'a statement whose semicolon keeps its neighbors apart stays',
    dedent`
      const { readFile } = require('fs/promises')
      const app = require('express')()
      const { readFileSync } = require('fs');
      [1, 2].forEach((one) => console.log(one))

      app.get('/', async (req, res) => {
        res.send(«readFileSync(req.query.file, 'utf8')»)
      })
    `,
    dedent`
      const { readFile } = require('fs/promises')
      const app = require('express')()
      const { readFileSync } = require('fs');
      [1, 2].forEach((one) => console.log(one))

      app.get('/', async (req, res) => {
        res.send(await readFile(req.query.file, 'utf8'))
      })
    `,
  ),
  fixedAs(
    'an import for which a function waits stays where code comes before the read',
    dedent`
      import express from 'express';
      import { readdir } from 'node:fs/promises';
      const app = express();
      const status = { phase: 'idle' };

      async function load(folder) {
        const { readdirSync } = await import('node:fs');
        status.phase = 'listing';
        return «readdirSync(folder)»;
      }

      app.get('/', async (req, res) => {
        const loading = load(req.query.folder);
        status.phase = 'started';
        res.json([await loading, status.phase]);
      });
    `,
    dedent`
      import express from 'express';
      import { readdir } from 'node:fs/promises';
      const app = express();
      const status = { phase: 'idle' };

      async function load(folder) {
        const { readdirSync } = await import('node:fs');
        status.phase = 'listing';
        return await readdir(folder);
      }

      app.get('/', async (req, res) => {
        const loading = load(req.query.folder);
        status.phase = 'started';
        res.json([await loading, status.phase]);
      });
    `,
  ),
  fixedAs(
    'an import for which a function waits stays where what names the folder may change',
    dedent`
      import express from 'express';
      import { readdir } from 'node:fs/promises';
      const app = express();
      const settings = { folder: '' };

      app.get('/', async (req, res) => {
        const { readdirSync } = await import('node:fs');
        const names = «readdirSync(settings.folder)»;
        res.json(names);
      });
      app.put('/', async (req, res) => {
        settings.folder = req.query.folder;
        res.end();
      });
    `,
    dedent`
      import express from 'express';
      import { readdir } from 'node:fs/promises';
      const app = express();
      const settings = { folder: '' };

      app.get('/', async (req, res) => {
        const { readdirSync } = await import('node:fs');
        const names = await readdir(settings.folder);
        res.json(names);
      });
      app.put('/', async (req, res) => {
        settings.folder = req.query.folder;
        res.end();
      });
    `,
  ),
  fixedAs(
    'an import for which a function waits stays where the read is one of two ways',
    dedent`
      import express from 'express';
      import { readdir } from 'node:fs/promises';
      const app = express();

      app.get('/', async (req, res) => {
        const { readdirSync } = await import('node:fs');
        const names = req.query.folder ? «readdirSync(req.query.folder)» : [];
        res.json(names);
      });
    `,
    dedent`
      import express from 'express';
      import { readdir } from 'node:fs/promises';
      const app = express();

      app.get('/', async (req, res) => {
        const { readdirSync } = await import('node:fs');
        const names = req.query.folder ? await readdir(req.query.folder) : [];
        res.json(names);
      });
    `,
  ),
  fixedAs(
    'a name directly above a function that becomes async',
    dedent`
      const { readFile } = require('fs/promises');
      const { readFileSync } = require('fs');
      function load(name) {
        return «readFileSync(name, 'utf8')»;
      }
      const app = require('express')();
      app.get('/', async (req, res) => {
        const text = load(req.query.file);
        res.send(text.trim());
      });
    `,
    dedent`
      const { readFile } = require('fs/promises');
      async function load(name) {
        return await readFile(name, 'utf8');
      }
      const app = require('express')();
      app.get('/', async (req, res) => {
        const text = await load(req.query.file);
        res.send(text.trim());
      });
    `,
  ),
  fixedAs(
    'a name with a comment stays, and what it is taken from',
    dedent`
      const fs = require('fs');
      const { readFile } = require('fs/promises');
      const {
        readFileSync, // reads
      } = fs;
      const app = require('express')();

      app.get('/', async (req, res) => {
        res.send(«readFileSync(req.query.file, 'utf8')»);
      });
    `,
    dedent`
      const fs = require('fs');
      const { readFile } = require('fs/promises');
      const {
        readFileSync, // reads
      } = fs;
      const app = require('express')();

      app.get('/', async (req, res) => {
        res.send(await readFile(req.query.file, 'utf8'));
      });
    `,
  ),
  fixedAs(
    'a name below a comment about it stays',
    dedent`
      const fs = require('fs');
      const { readFile } = require('fs/promises');
      // eslint-disable-next-line no-sync
      const { readFileSync } = fs;
      const app = require('express')();

      app.get('/', async (req, res) => {
        res.send(«readFileSync(req.query.file, 'utf8')»);
      });
    `,
    dedent`
      const fs = require('fs');
      const { readFile } = require('fs/promises');
      // eslint-disable-next-line no-sync
      const { readFileSync } = fs;
      const app = require('express')();

      app.get('/', async (req, res) => {
        res.send(await readFile(req.query.file, 'utf8'));
      });
    `,
  ),
  fixedAs(
    'a name that the text of `eval` may use stays',
    dedent`
      const { readFile } = require('fs/promises');
      const { readFileSync } = require('fs');
      const app = require('express')();

      app.get('/', async (req, res) => {
        res.send(«readFileSync(req.query.file, 'utf8')»);
      });
      exports.check = (code) => eval(code);
    `,
    dedent`
      const { readFile } = require('fs/promises');
      const { readFileSync } = require('fs');
      const app = require('express')();

      app.get('/', async (req, res) => {
        res.send(await readFile(req.query.file, 'utf8'));
      });
      exports.check = (code) => eval(code);
    `,
  ),
  fixedAs(
    'the name of a module in a specifier is no use of it',
    dedent`
      const app = require('express')();

      app.get('/', async (req, res) => {
        const fs = require('fs');
        const { readFileSync } = fs;
        res.send(«readFileSync(req.query.file, 'utf8')»);
      });
    `,
    dedent`
      const { readFile } = require('node:fs/promises');

      const app = require('express')();

      app.get('/', async (req, res) => {
        res.send(await readFile(req.query.file, 'utf8'));
      });
    `,
  ),
  fixedAs(
    'the name of a module in a specifier is no use of it in TypeScript, either',
    dedent`
      import express from 'express';
      import * as fs from 'fs';
      import { readFile } from 'fs/promises';
      const { readFileSync } = fs;
      const app = express();

      app.get('/', async (req, res) => {
        const text = «readFileSync(String(req.query.file), 'utf8')»;
        res.send(text);
      });
    `,
    dedent`
      import express from 'express';
      import { readFile } from 'fs/promises';
      const app = express();

      app.get('/', async (req, res) => {
        const text = await readFile(String(req.query.file), 'utf8');
        res.send(text);
      });
    `,
    'file.ts',
  ),
  {
    name: 'a module that is used by its own name, and by another one',
    code: dedent`
      const fs = require('fs');
      const { readFile, stat } = require('fs/promises');
      const { readFileSync } = fs;
      const app = require('express')();

      app.get('/', async (req, res) => {
        const { size } = «fs.statSync(req.query.file)»;
        const text = «readFileSync(req.query.file, 'utf8')»;
        res.send([size, text]);
      });
    `,
    project: EXPRESS_5,
    findings: [BOTH, BOTH],
  },
  {
    name: 'functions whose name or comment says that they are synchronous, and one that synchronizes',
    code: dedent`
      const fs = require('fs');
      const app = require('express')();
      function readFileOfUserSync(name) { return «fs.readFileSync(name)»; }
      /** Reads the file (sync, for old callers). */
      function load(name) { return «fs.readFileSync(name)»; }
      // Reads synchronously.
      const get = (name) => «fs.readFileSync(name)»;
      // Takes what is new, to sync the list with the server.
      const syncList = (name) => «fs.readFileSync(name)»;
      app.get('/a', async (req, res) => {
        res.json([readFileOfUserSync(req.query.a), load(req.query.a), get(req.query.a)]);
      });
      app.get('/b', async (req, res) => {
        const list = syncList(req.query.a);
        res.json(list);
      });
    `,
    project: EXPRESS_5,
    findings: [
      { messageId: 'blocks', refused: ['the name of `readFileOfUserSync` says that it is synchronous'] },
      { messageId: 'blocks', refused: ['the comment on line 4 says that `load` is synchronous'] },
      { messageId: 'blocks', refused: ['the comment on line 6 says that `get` is synchronous'] },
      {
        messageId: 'blocks',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const fs = require('fs');
              const app = require('express')();
              function readFileOfUserSync(name) { return fs.readFileSync(name); }
              /** Reads the file (sync, for old callers). */
              function load(name) { return fs.readFileSync(name); }
              // Reads synchronously.
              const get = (name) => fs.readFileSync(name);
              // Takes what is new, to sync the list with the server.
              const syncList = async (name) => await fs.promises.readFile(name);
              app.get('/a', async (req, res) => {
                res.json([readFileOfUserSync(req.query.a), load(req.query.a), get(req.query.a)]);
              });
              app.get('/b', async (req, res) => {
                const list = await syncList(req.query.a);
                res.json(list);
              });
            `,
          },
        ],
      },
    ],
  },
  ...[
    'const limit = 5; // readers above run synchronously',
    '// Sync function for accounts',
    '/** Loads it (sync with the other server). */',
    '// Not synchronous on purpose',
  ].map((comment): InvalidCase<'blocks' | 'blocksOnce'> => {
    const codeOf = (load: string, call: string): string =>
      `const fs = require('fs');\nconst app = require('express')();\n${comment}\n${load}\napp.get('/', async (req, res) => { const all = ${call}; res.send(all); });\n`;
    return {
      name: `a comment that does not say that the function is synchronous: ${comment}`,
      code: codeOf('function load(name) { return «fs.readFileSync(name)»; }', 'load(req.query.name)'),
      project: EXPRESS_5,
      findings: [
        {
          messageId: 'blocks',
          fixes: [
            {
              kind: 'suggestion',
              output: codeOf('async function load(name) { return await fs.promises.readFile(name); }', 'await load(req.query.name)'),
            },
          ],
        },
      ],
    };
  }),
];
