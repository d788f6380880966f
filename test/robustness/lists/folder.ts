// Every script below a folder, as it is and, under a request handler's roof, once more. Argument: the folder.
import { readFileSync } from 'node:fs';
import { extname, relative } from 'node:path';
import { scriptsBelow } from '../../../bench/script-files.ts';
import type { OddCase } from '../child.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

export function* cases([folder = '.']: readonly string[]): Generator<OddCase> {
  for (const path of scriptsBelow(folder)) {
    const text = readFileSync(path, 'utf8');
    const name = relative(folder, path);
    // The name of the folder must not make a test file of it, which the rules leave alone.
    const file = `/project/src/app${extname(path)}`;
    yield { name, file, text };
    yield {
      name: `${name} in a handler`,
      file,
      text: dedent`
        const fs = require('fs'); const app = require('express')();
        app.get('/', async (req, res) => { for (const row of rows) {
        ${text}
        ; fs.readFileSync(row.name); } });
      `,
    };
  }
}
