// Every script below a folder, as it is and, under a request handler's roof, once more. Argument: the folder.
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { SCRIPT_FILE } from '../../../analysis/parse.ts';
import type { OddCase } from '../child.ts';

function* scriptsBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* scriptsBelow(path);
    else if (entry.isFile() && SCRIPT_FILE.test(entry.name)) yield path;
  }
}

export function* cases([folder = '.']: readonly string[]): Generator<OddCase> {
  for (const path of scriptsBelow(folder)) {
    const text = readFileSync(path, 'utf8');
    const name = relative(folder, path);
    // The name of the folder must not make a test file of it, which the rules leave alone.
    const file = `/project/src/app${extname(path)}`;
    yield { name, file, text };
    yield { name: `${name} in a handler`, file, text: `const fs = require('fs'); const app = require('express')();\napp.get('/', async (req, res) => { for (const row of rows) {\n${text}\n; fs.readFileSync(row.name); } });` };
  }
}
