// Packages that every run needs, that are loaded late already, or whose start nobody waits for.
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';
import type { ProjectInfo } from '../../protocol/project.ts';

export const NODE = '#!/usr/bin/env node\n';
export const FILE = 'bin/tool.js';
/** A project with a command that depends on these packages. Its Node has no compile cache, unless `nodeRange` says more. */
export const project = (dependencies: Record<string, string>, nodeRange = '>=18 <22'): Partial<ProjectInfo> => ({
  nodeRange,
  manifest: { bin: ['./bin/tool.js'], scripts: {}, dependencies, devDependencies: {}, private: false },
});
export const TS = project({ typescript: '^5.4.0' });
const silent = (name: string, code: string, more: Partial<ValidCase> = {}): ValidCase => ({ name, code, file: FILE, project: TS, ...more });

export const innocents: readonly ValidCase[] = [
  silent(
    'used by each run',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      function main() {
        ts.transpile('');
      }
      main();

    `,
  ),
  silent(
    'used while loading',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      const target = ts.ScriptTarget.ES2022;
      if (process.argv.includes('--show')) show(ts, target);

    `,
  ),
  silent(
    'loaded late',
    dedent`
      #!/usr/bin/env node
      if (process.argv.includes('--types')) {
        const ts = require('typescript');
        ts.transpile('');
      }

    `,
  ),
  silent(
    'loaded late by one branch, and always by another',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      if (process.argv.includes('--types')) ts.transpile('');
      function main() {
        require('typescript').transpile('');
      }
      main();

    `,
  ),
  silent(
    'types only',
    dedent`
      #!/usr/bin/env node
      import type ts from 'typescript';
      import { type Node } from 'typescript';
      export function show(node: ts.Node, other: Node): void {}

    `,
    { file: 'bin/tool.ts' },
  ),
  silent(
    'TypeScript removes it',
    dedent`
      #!/usr/bin/env node
      import ts from 'typescript';
      if (process.argv.includes('--a')) show();
      function show(node?: ts.Node): void {}

    `,
    { file: 'bin/tool.ts' },
  ),
  silent(
    'passed on',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      module.exports = { ts };
      if (process.argv.includes('--types')) ts.transpile('');

    `,
  ),
  silent(
    'the superclass of a class',
    dedent`
      #!/usr/bin/env node
      import ts from 'typescript';
      class Host extends ts.Host {}
      if (process.argv.includes('--types')) new Host();

    `,
  ),
  silent('loaded for what it does', `${NODE}import 'typescript';\n`),
  silent(
    'one subcommand alone',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      const { program } = require('commander');
      program.command('build').action(() => ts.transpile(''));
      program.parse();

    `,
  ),
  silent(
    'the command without a name',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      const { program } = require('commander');
      program.command('clean').action(() => clear());
      program.action(() => ts.transpile(''));
      program.parse();

    `,
  ),
  silent(
    'another file that each run loads needs it',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      const check = require('./check');
      check();
      if (process.argv.includes('--types')) ts.transpile('');

    `,
    { others: { 'bin/check.js': "const ts = require('typescript');\nmodule.exports = () => ts.transpile('');\n" } },
  ),
  silent(
    'whose other branch needs it',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      function main(argv) {
        if (argv.plain) return print();
        ts.transpile('');
      }
      main({});

    `,
  ),
  silent(
    'on unless it is turned off',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      function main(argv) {
        if (argv.cache) ts.transpile('');
        if (!argv.bare) ts.transpile('');
      }
      main({});

    `,
  ),
  silent(
    'the files that a run is for',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      function main(argv) {
        if (argv.files) ts.transpile('');
      }
      main({});

    `,
  ),
  silent('nobody knows who calls it', `${NODE}const ts = require('typescript');\nexports.check = () => ts.transpile('');\n`),
  silent('a version that loads fast', `${NODE}const ts = require('typescript');\nif (process.argv.includes('--types')) ts.version();\n`, {
    project: project({ typescript: '^7.0.0' }),
  }),
  silent('a version that is not known', `${NODE}const ts = require('typescript');\nif (process.argv.includes('--types')) ts.version();\n`, {
    project: project({}),
  }),
  silent(
    'a part of it',
    dedent`
      #!/usr/bin/env node
      const sys = require('typescript/lib/sys');
      if (process.argv.includes('--types')) sys.exit();

    `,
  ),
  silent(
    'a server',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      const http = require('http');
      http.createServer((req, res) => res.end()).listen(3000);
      if (process.argv.includes('--types')) ts.transpile('');

    `,
  ),
  silent(
    'a server that a function starts',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      const http = require('http');
      function main() {
        http.createServer((req, res) => res.end()).listen(3000);
      }
      main();
      if (process.argv.includes('--types')) ts.transpile('');

    `,
  ),
  silent('no command', "const ts = require('typescript');\nif (process.argv.includes('--types')) ts.transpile('');\n", {
    file: 'src/app.js',
  }),
  silent(
    'a test',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      if (process.argv.includes('--types')) ts.transpile('');

    `,
    {
      file: 'test/run.js',
    },
  ),
  silent(
    'a tool of the project',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      if (process.argv.includes('--types')) ts.transpile('');

    `,
    {
      file: 'scripts/run.js',
    },
  ),
  silent(
    'compiled once',
    dedent`
      #!/usr/bin/env node
      require('node:module').enableCompileCache?.();
      const ts = require('typescript');
      ts.transpile('');

    `,
    {
      project: project({ typescript: '^5.4.0' }, '>=20'),
    },
  ),
  silent(
    'another file turns on the cache',
    dedent`
      #!/usr/bin/env node
      require('./cache');
      const ts = require('typescript');
      ts.transpile('');

    `,
    {
      project: project({ typescript: '^5.4.0' }, '>=22'),
      others: { 'bin/cache.js': "require('v8-compile-cache');\n" },
    },
  ),
  silent('a Node without the cache', `${NODE}const ts = require('typescript');\nts.transpile('');\n`, {
    project: project({ typescript: '^5.4.0' }, '^20'),
  }),
  silent('little to compile', `${NODE}const chalk = require('chalk');\nconsole.log(chalk.red(''));\n`, {
    project: project({ chalk: '^4.0.0' }, '>=22'),
  }),
  silent(
    'a function of a platform that uses it',
    "const ts = require('typescript');\nexports.handler = async (event) => ts.transpile(event.body);\n",
    { file: 'src/handler.js' },
  ),
  silent(
    'a program that each run needs',
    dedent`
      #!/usr/bin/env node
      import { execSync } from 'node:child_process';
      const revision = execSync('git rev-parse HEAD').toString().trim();
      function main() {
        console.log(revision);
      }
      main();

    `,
  ),
  silent(
    'a program that is run for what it does',
    dedent`
      #!/usr/bin/env node
      import { execSync } from 'node:child_process';
      const done = execSync('npm run build');
      if (process.argv.includes('--log')) console.log(1);
      module.exports = done;

    `,
  ),
  silent(
    'commands by their names, which may all need it',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      const build = () => ts.transpile('');
      const check = () => ts.transpile('');
      switch (process.argv[2]) {
        case 'build':
          build();
          break;
        case 'check':
          check();
      }

    `,
  ),
  silent(
    'all subcommands need it',
    dedent`
      #!/usr/bin/env node
      const ts = require('typescript');
      const yargs = require('yargs');
      yargs
        .command('build', 'builds', (args) => args.option('f'), () => ts.transpile(''))
        .command('check', 'checks', (args) => args.option('g'), () => ts.transpile(''))
        .parse();

    `,
  ),
];
