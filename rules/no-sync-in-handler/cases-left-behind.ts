// Other names of what a fix replaces, and loads inside of functions: a linter would report what is left behind.
import { dedent } from '../../analysis/testing/dedent.ts';
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';

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
];
