// Other names of what a fix replaces, and loads inside of functions: a linter would report what is left behind.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { InvalidCase } from '../../../analysis/testing/rule-tester.ts';

const EXPRESS_5 = { manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true } };

const fixedAs = (name: string, code: string, output: string): InvalidCase<'blocks' | 'blocksOnce'> => ({
  name,
  code,
  project: EXPRESS_5,
  findings: [{ messageId: 'blocks', fixes: [{ kind: 'suggestion', output }] }],
});

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
];
