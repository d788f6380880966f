import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyEdits } from '../../analysis/module/edit.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { addImport } from '../../analysis/fix/add-import.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import type { ProjectInfo } from '../../protocol/project.ts';

const PROJECT: ProjectInfo = { nodeRange: '>=20', nodeRangeSource: 'the test', root: '/project' };

interface Options {
  file?: string;
  module?: string;
  name?: string;
  preferred?: string;
  type?: 'module' | 'commonjs';
}

function run(code: string, { file = 'a.js', module = 'node:fs/promises', name = 'readFile', preferred, type }: Options = {}) {
  const path = `/project/${file}`;
  const outcome = parse(path, code);
  assert.ok(outcome.ok, `does not parse: ${code}`);
  const project: ProjectInfo = type
    ? { ...PROJECT, manifest: { type, bin: [], scripts: {}, dependencies: {}, devDependencies: {}, private: true } }
    : PROJECT;
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source(path, code), project);
  const { edits, local } = preferred === undefined ? addImport(facts, module, name) : addImport(facts, module, name, preferred);
  const text = applyEdits(code, edits);
  const after = parse(path, text);
  assert.ok(after.ok && after.recovered.length === 0, `breaks the syntax:\n${text}`);
  return { text, local };
}

describe('addImport in ES modules', () => {
  test('a new import stands with the core imports', () => {
    assert.deepEqual(run(`import http from 'node:http';\nimport express from 'express';\n\nhttp.x();\n`), {
      text: `import http from 'node:http';\nimport { readFile } from 'node:fs/promises';\nimport express from 'express';\n\nhttp.x();\n`,
      local: 'readFile',
    });
  });
  test('without core imports it stands after the last import', () => {
    assert.equal(
      run(`import express from 'express'\nimport pg from 'pg' // database\n\nexpress()\n`).text,
      `import express from 'express'\nimport pg from 'pg' // database\nimport { readFile } from 'node:fs/promises'\n\nexpress()\n`,
    );
  });
  test('double quotes and the file’s spelling of core modules', () => {
    assert.equal(
      run(`import http from "http";\nhttp.x("a");\n`).text,
      `import http from "http";\nimport { readFile } from "fs/promises";\nhttp.x("a");\n`,
    );
  });
  test('the braces of an import that is there already', () => {
    assert.equal(run(`import { stat } from 'fs/promises';\n`).text, `import { stat, readFile } from 'fs/promises';\n`);
    assert.equal(
      run(`import {\n  stat,\n  rm,\n} from 'node:fs/promises';\n`).text,
      `import {\n  stat,\n  rm,\n  readFile,\n} from 'node:fs/promises';\n`,
    );
    assert.equal(
      run(`import {\n  stat,\n} from 'node:fs/promises';\n`).text,
      `import {\n  stat,\n  readFile,\n} from 'node:fs/promises';\n`,
    );
  });
  test('what is imported is used', () => {
    assert.deepEqual(run(`import { readFile as read } from 'node:fs/promises';\n`), {
      text: `import { readFile as read } from 'node:fs/promises';\n`,
      local: 'read',
    });
    assert.equal(run(`import * as fsp from 'fs/promises';\n`).local, 'fsp.readFile');
    assert.equal(run(`import { promises as fs } from 'fs';\n`).local, 'fs.readFile');
    assert.equal(run(`import fs from 'node:fs';\n`).local, 'fs.promises.readFile');
  });
  test('the shortest of several ways wins', () => {
    assert.equal(run(`import fs from 'node:fs';\nimport { readFile } from 'node:fs/promises';\n`).local, 'readFile');
  });
  test('a default import of another package gets braces beside it', () => {
    assert.deepEqual(run(`import chalk from 'chalk';\nchalk();\n`, { module: 'chalk', name: 'red' }), {
      text: `import chalk, { red } from 'chalk';\nchalk();\n`,
      local: 'red',
    });
    assert.equal(run(`import * as chalk from 'chalk';\n`, { module: 'chalk', name: 'red' }).local, 'chalk.red');
  });
  test('a name that the file uses for something else gets an alias', () => {
    assert.deepEqual(run(`import { readFile } from './own.js';\nreadFile();\n`), {
      text: `import { readFile } from './own.js';\nimport { readFile as readFileAsync } from 'node:fs/promises';\nreadFile();\n`,
      local: 'readFileAsync',
    });
    assert.equal(run(`export function f(readFile, readFileAsync) {}\n`).local, 'readFileAsync2');
    assert.equal(
      run(`setImmediate(go);\nexport function go() {}\n`, { module: 'node:timers/promises', name: 'setImmediate' }).local,
      'setImmediateAsync',
    );
  });
  test('a name shadowed somewhere is not used', () => {
    assert.equal(
      run(`import { readFile } from 'node:fs/promises';\nexport function f(readFile) { return readFile; }\n`).local,
      'readFileAsync',
    );
  });
  test('a property of that name is no clash', () => {
    assert.equal(run(`export const a = x.readFile;\n`).local, 'readFile');
  });
  test('a type of that name is a clash', () => {
    assert.equal(run(`import type { readFile } from './t.ts';\nexport const a: readFile = 1;\n`, { file: 'a.ts' }).local, 'readFileAsync');
    assert.equal(run(`export interface readFile { a: 1 }\n`, { file: 'a.ts' }).local, 'readFileAsync');
  });
  test('type imports cannot carry values', () => {
    assert.equal(
      run(`import type { Stats } from 'node:fs/promises';\n`, { file: 'a.ts' }).text,
      `import type { Stats } from 'node:fs/promises';\nimport { readFile } from 'node:fs/promises';\n`,
    );
  });
  test('a preferred local name', () => {
    assert.deepEqual(run(`export {};\n`, { module: 'node:timers/promises', name: 'setImmediate', preferred: 'yieldToEventLoop' }), {
      text: `import { setImmediate as yieldToEventLoop } from 'node:timers/promises';\n\nexport {};\n`,
      local: 'yieldToEventLoop',
    });
  });
  test('CRLF files stay CRLF', () => {
    assert.equal(
      run(`import a from 'a';\r\na();\r\n`).text,
      `import a from 'a';\r\nimport { readFile } from 'node:fs/promises';\r\na();\r\n`,
    );
  });
  test('a file decided by its ending or its package', () => {
    assert.match(run(`f();\n`, { file: 'a.mjs' }).text, /^import /);
    assert.match(run(`f();\n`, { type: 'module' }).text, /^import /);
    assert.match(run(`f();\n`, { file: 'a.ts' }).text, /^import /);
    assert.match(run(`f();\n`, { file: 'a.cjs', type: 'module' }).text, /^const /);
    assert.match(run(`const a = require('a');\n`, { file: 'a.ts' }).text, /\nconst \{ readFile \}/);
  });
});

describe('addImport in CommonJS', () => {
  test('a new require stands with the core requires', () => {
    assert.deepEqual(run(`'use strict';\n\nconst http = require('http');\nconst express = require('express');\nhttp.x();\n`), {
      text: `'use strict';\n\nconst http = require('http');\nconst { readFile } = require('fs/promises');\nconst express = require('express');\nhttp.x();\n`,
      local: 'readFile',
    });
  });
  test('var where the file says var', () => {
    assert.equal(
      run(`var a = require('a')\nvar b = require('b')\n\na(b)\n`).text,
      `var a = require('a')\nvar b = require('b')\nvar { readFile } = require('node:fs/promises')\n\na(b)\n`,
    );
  });
  test('a pattern that is there already', () => {
    assert.equal(run(`const { stat } = require('node:fs/promises');\n`).text, `const { stat, readFile } = require('node:fs/promises');\n`);
    assert.equal(
      run(`const { stat } = require('fs/promises');\nfunction f(readFile) { return readFile; }\n`).text,
      `const { stat, readFile: readFileAsync } = require('fs/promises');\nfunction f(readFile) { return readFile; }\n`,
    );
  });
  test('what is required is used', () => {
    assert.equal(run(`const fs = require('fs');\n`).local, 'fs.promises.readFile');
    assert.equal(run(`const fs = require('fs').promises;\n`).local, 'fs.readFile');
    assert.equal(run(`const { readFile } = require('fs').promises;\n`).local, 'readFile');
    assert.equal(run(`const fsp = require('node:fs/promises'), path = require('path');\n`).local, 'fsp.readFile');
  });
  test('a variable that is written to again, or stands inside a function, is not used', () => {
    assert.equal(run(`let fs = require('fs');\nfs = mock;\n`).local, 'readFile');
    assert.equal(run(`function f() { const fs = require('fs'); return fs; }\n`).local, 'readFile');
  });
  test('callback readFile of fs is another function', () => {
    assert.equal(run(`const { readFile } = require('fs');\nreadFile('a', cb);\n`).local, 'readFileAsync');
  });
  test('below hashbang, directives and head comment, above a comment of the first statement', () => {
    assert.equal(
      run(`#!/usr/bin/env node\n'use strict'\n\n// Starts it.\nstart()\n`).text,
      `#!/usr/bin/env node\n'use strict'\n\nconst { readFile } = require('node:fs/promises')\n\n// Starts it.\nstart()\n`,
    );
    assert.equal(
      run(`/* Copyright someone */\nstart();\n`).text,
      `/* Copyright someone */\nconst { readFile } = require('node:fs/promises');\n\nstart();\n`,
    );
    assert.equal(
      run(`/** What f does. */\nfunction f() {}\n`).text,
      `const { readFile } = require('node:fs/promises');\n\n/** What f does. */\nfunction f() {}\n`,
    );
  });
  test('a bracket on the next line does not become a call', () => {
    assert.equal(
      run(`(function () {\n  go()\n})()\nfoo()\n`).text,
      `const { readFile } = require('node:fs/promises');\n\n(function () {\n  go()\n})()\nfoo()\n`,
    );
  });
  test('a byte order mark stays first', () => {
    assert.equal(run(`\uFEFFgo();\n`).text, `\uFEFFconst { readFile } = require('node:fs/promises');\n\ngo();\n`);
  });
  test('TypeScript’s import = require', () => {
    assert.equal(run(`import fsp = require('fs/promises');\n`, { file: 'a.cts' }).local, 'fsp.readFile');
  });
});
