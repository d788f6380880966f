// Where a fix puts an import, in ES modules and in CommonJS.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyEdits } from '../../analysis/module/edit.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { addImport } from '../../analysis/fix/add-import.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const PROJECT: ProjectInfo = { nodeRange: '>=20', nodeRangeSource: 'the test', root: '/project' };

interface Options {
  file?: string;
  module?: string;
  name?: string;
  preferred?: string;
  type?: 'module' | 'commonjs';
  isSorted?: boolean;
}

function run(code: string, { file = 'a.js', module = 'node:fs/promises', name = 'readFile', preferred, type, isSorted }: Options = {}) {
  const path = `/project/${file}`;
  const outcome = parse(path, code);
  assert.ok(outcome.ok, `does not parse: ${code}`);
  const project: ProjectInfo = type
    ? { ...PROJECT, manifest: { type, bin: [], scripts: {}, dependencies: {}, devDependencies: {}, private: true } }
    : { ...PROJECT, ...(isSorted ? { lint: { rules: { 'import-x/order': true } } } : {}) };
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source(path, code), project);
  const { edits, local } = preferred === undefined ? addImport(facts, module, name) : addImport(facts, module, name, preferred);
  const text = applyEdits(code, edits);
  const after = parse(path, text);
  assert.ok(after.ok && after.recovered.length === 0, `breaks the syntax:\n${text}`);
  return { text, local };
}

describe('addImport in ES modules', () => {
  test('a new import stands with the core imports', () => {
    assert.deepEqual(
      run(dedent`
        import http from 'node:http';
        import express from 'express';

        http.x();

      `),
      {
        text: dedent`
          import http from 'node:http';
          import { readFile } from 'node:fs/promises';
          import express from 'express';

          http.x();

        `,
        local: 'readFile',
      },
    );
  });
  for (const [name, before, after] of [
    ['among sorted ones', ['fs', 'path'], ['fs', 'fs/promises', 'path']],
    ['before the first of sorted ones', ['node:http', 'node:path', 'express'], ['node:fs/promises', 'node:http', 'node:path', 'express']],
    ['in a sorted block with one core module', ['chalk', 'path', 'uuid'], ['chalk', 'fs/promises', 'path', 'uuid']],
    ['after unsorted ones', ['path', 'http', 'express'], ['path', 'http', 'fs/promises', 'express']],
  ] as const)
    test(`its place ${name}`, () => {
      const { text } = run(`${before.map((one, i) => `import { b as a${i} } from '${one}';`).join('\n')}\n\na0();\n`);
      assert.deepEqual(
        [...text.matchAll(/from '([^']+)'/g)].map(([, one]) => one),
        after,
      );
    });
  test('a comment above the first import stays with it', () => {
    assert.match(
      run(dedent`
        // The server.
        import http from 'node:http';
        import path from 'node:path';

      `).text,
      /^\/\/ The server\.\nimport http .*\nimport path .*\nimport \{ readFile \}/,
    );
  });
  test('without core imports it stands after the last import', () => {
    assert.equal(
      run(dedent`
        import express from 'express'
        import pg from 'pg' // database

        express()

      `).text,
      dedent`
        import express from 'express'
        import pg from 'pg' // database
        import { readFile } from 'node:fs/promises'

        express()

      `,
    );
  });
  test('double quotes and the file’s spelling of core modules', () => {
    assert.equal(
      run(dedent`
        import http from "http";
        http.x("a");

      `).text,
      dedent`
        import http from "http";
        import { readFile } from "fs/promises";
        http.x("a");

      `,
    );
  });
  test('the braces of an import that is there already', () => {
    assert.equal(run(`import { stat } from 'fs/promises';\n`).text, `import { stat, readFile } from 'fs/promises';\n`);
    assert.equal(
      run(dedent`
        import {
          stat,
          rm,
        } from 'node:fs/promises';

      `).text,
      dedent`
        import {
          stat,
          rm,
          readFile,
        } from 'node:fs/promises';

      `,
    );
    assert.equal(
      run(dedent`
        import {
          stat,
        } from 'node:fs/promises';

      `).text,
      dedent`
        import {
          stat,
          readFile,
        } from 'node:fs/promises';

      `,
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
    assert.equal(
      run(dedent`
        import fs from 'node:fs';
        import { readFile } from 'node:fs/promises';

      `).local,
      'readFile',
    );
  });
  test('a default import of another package gets braces beside it', () => {
    assert.deepEqual(
      run(
        dedent`
          import chalk from 'chalk';
          chalk();

        `,
        { module: 'chalk', name: 'red' },
      ),
      {
        text: dedent`
          import chalk, { red } from 'chalk';
          chalk();

        `,
        local: 'red',
      },
    );
    assert.equal(run(`import * as chalk from 'chalk';\n`, { module: 'chalk', name: 'red' }).local, 'chalk.red');
  });
  test('a name that the file uses for something else gets an alias', () => {
    assert.deepEqual(
      run(dedent`
        import { readFile } from './own.js';
        readFile();

      `),
      {
        text: dedent`
          import { readFile } from './own.js';
          import { readFile as readFileAsync } from 'node:fs/promises';
          readFile();

        `,
        local: 'readFileAsync',
      },
    );
    assert.equal(run(`export function f(readFile, readFileAsync) {}\n`).local, 'readFileAsync2');
    assert.equal(
      run(
        dedent`
          setImmediate(go);
          export function go() {}

        `,
        { module: 'node:timers/promises', name: 'setImmediate' },
      ).local,
      'setImmediateAsync',
    );
  });
  test('a name shadowed somewhere is not used', () => {
    assert.equal(
      run(dedent`
        import { readFile } from 'node:fs/promises';
        export function f(readFile) { return readFile; }

      `).local,
      'readFileAsync',
    );
  });
  test('a property of that name is no clash', () => {
    assert.equal(run(`export const a = x.readFile;\n`).local, 'readFile');
  });
  test('a type of that name is a clash', () => {
    assert.equal(
      run(
        dedent`
          import type { readFile } from './t.ts';
          export const a: readFile = 1;

        `,
        { file: 'a.ts' },
      ).local,
      'readFileAsync',
    );
    assert.equal(run(`export interface readFile { a: 1 }\n`, { file: 'a.ts' }).local, 'readFileAsync');
  });
  test('type imports cannot carry values', () => {
    assert.equal(
      run(`import type { Stats } from 'node:fs/promises';\n`, { file: 'a.ts' }).text,
      dedent`
        import type { Stats } from 'node:fs/promises';
        import { readFile } from 'node:fs/promises';

      `,
    );
  });
  test('a preferred local name', () => {
    assert.deepEqual(run(`export {};\n`, { module: 'node:timers/promises', name: 'setImmediate', preferred: 'yieldToEventLoop' }), {
      text: dedent`
        import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

        export {};

      `,
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
    assert.deepEqual(
      run(dedent`
        'use strict';

        const http = require('http');
        const express = require('express');
        http.x();

      `),
      {
        text: dedent`
          'use strict';

          const http = require('http');
          const { readFile } = require('fs/promises');
          const express = require('express');
          http.x();

        `,
        local: 'readFile',
      },
    );
  });
  test('var where the file says var', () => {
    assert.equal(
      run(dedent`
        var a = require('a')
        var b = require('b')

        a(b)

      `).text,
      dedent`
        var a = require('a')
        var b = require('b')
        var { readFile } = require('node:fs/promises')

        a(b)

      `,
    );
  });
  test('a pattern that is there already', () => {
    assert.equal(run(`const { stat } = require('node:fs/promises');\n`).text, `const { stat, readFile } = require('node:fs/promises');\n`);
    assert.equal(
      run(dedent`
        const { stat } = require('fs/promises');
        function f(readFile) { return readFile; }

      `).text,
      dedent`
        const { stat, readFile: readFileAsync } = require('fs/promises');
        function f(readFile) { return readFile; }

      `,
    );
  });
  test('requires that ESLint sorts stay sorted, and fs/promises is written as fs is', () => {
    assert.equal(
      run(`const crypto = require('crypto')\nconst zlib = require('zlib')\n`, {
        module: 'node:util',
        name: 'promisify',
        isSorted: true,
      }).text,
      dedent`
        const crypto = require('crypto')
        const { promisify } = require('util')
        const zlib = require('zlib')

      `,
    );
    assert.equal(
      run(`const process = require('node:process');\nconst { stat } = require('fs');\n`).text,
      dedent`
        const process = require('node:process');
        const { stat } = require('fs');
        const { readFile } = require('fs/promises');

      `,
    );
  });
  test('a name that is taken has the package before it', () => {
    assert.equal(run(`const hash = 1;\n`, { module: 'bcrypt', name: 'hash' }).local, 'bcryptHash');
    assert.equal(run(`const hash = 1;\n`, { module: 'bcrypt-node.js', name: 'hash' }).local, 'bcryptNodeJsHash');
  });
  test('what is required is used', () => {
    assert.equal(run(`const fs = require('fs');\n`).local, 'fs.promises.readFile');
    assert.equal(run(`const fs = require('fs').promises;\n`).local, 'fs.readFile');
    assert.equal(run(`const { readFile } = require('fs').promises;\n`).local, 'readFile');
    assert.equal(run(`const fsp = require('node:fs/promises'), path = require('path');\n`).local, 'fsp.readFile');
  });
  test('a variable that is written to again, or stands inside a function, is not used', () => {
    assert.equal(
      run(dedent`
        let fs = require('fs');
        fs = mock;

      `).local,
      'readFile',
    );
    assert.equal(run(`function f() { const fs = require('fs'); return fs; }\n`).local, 'readFile');
  });
  test('callback readFile of fs is another function', () => {
    assert.equal(
      run(dedent`
        const { readFile } = require('fs');
        readFile('a', cb);

      `).local,
      'readFileAsync',
    );
  });
  test('below hashbang, directives and head comment, above a comment of the first statement', () => {
    assert.equal(
      run(dedent`
        #!/usr/bin/env node
        'use strict'

        // Starts it.
        start()

      `).text,
      dedent`
        #!/usr/bin/env node
        'use strict'

        const { readFile } = require('node:fs/promises')

        // Starts it.
        start()

      `,
    );
    assert.equal(
      run(dedent`
        /* Copyright someone */
        start();

      `).text,
      dedent`
        /* Copyright someone */
        const { readFile } = require('node:fs/promises');

        start();

      `,
    );
    assert.equal(
      run(dedent`
        /** What f does. */
        function f() {}

      `).text,
      dedent`
        const { readFile } = require('node:fs/promises');

        /** What f does. */
        function f() {}

      `,
    );
  });
  test('a bracket on the next line does not become a call', () => {
    assert.equal(
      run(dedent`
        (function () {
          go()
        })()
        foo()

      `).text,
      dedent`
        const { readFile } = require('node:fs/promises');

        (function () {
          go()
        })()
        foo()

      `,
    );
  });
  test('a byte order mark stays first', () => {
    assert.equal(run(`\uFEFFgo();\n`).text, `\uFEFFconst { readFile } = require('node:fs/promises');\n\ngo();\n`);
  });
  test('TypeScript’s import = require', () => {
    assert.equal(run(`import fsp = require('fs/promises');\n`, { file: 'a.cts' }).local, 'fsp.readFile');
  });
});
