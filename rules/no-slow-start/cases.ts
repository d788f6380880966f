import { dedent } from '../../analysis/testing/dedent.ts';
import type { InvalidCase, RuleCases } from '../../analysis/testing/rule-tester.ts';
import { FILE, innocents, NODE, project, TS } from './cases-innocents.ts';

type Kind = 'late' | 'program' | 'uncached';
const found = (
  name: string,
  messageId: Kind,
  code: string,
  more: Partial<InvalidCase<Kind>> = {},
  related?: readonly string[],
): InvalidCase<Kind> => ({
  name,
  code,
  file: FILE,
  project: TS,
  findings: [{ messageId, severity: 'hint', ...(related ? { related } : {}) }],
  ...more,
});
const NEWER = project({ typescript: '^5.4.0' }, '>=20');

export const cases: RuleCases<Kind> = {
  valid: innocents,
  invalid: [
    found(
      'a branch of an option',
      'late',
      dedent`
        #!/usr/bin/env node
        const ts = «require('typescript')»;
        if (process.argv.includes('--types')) ts.transpile('');

      `,
      {},
      [],
    ),
    found(
      'in a function that an option runs',
      'late',
      dedent`
        #!/usr/bin/env node
        const ts = «require('typescript')»;
        function check() {
          ts.transpile('');
        }
        function main(argv) {
          if (argv.types) check();
        }
        main({});

      `,
      {},
      ['only here'],
    ),
    found(
      'one of two subcommands',
      'late',
      dedent`
        #!/usr/bin/env node
        import ts from «'typescript'»;
        import { program } from 'commander';
        program.command('build').action(() => ts.transpile(''));
        program.command('clean').action(() => clear());
        program.parse();

      `,
      {},
      ['only here'],
    ),
    found(
      'only if something fails',
      'late',
      dedent`
        #!/usr/bin/env node
        const { transpile } = «require('typescript')»;
        function main() {
          try {
            run();
          } catch {
            transpile('');
          }
        }
        main();

      `,
    ),
    found(
      'only if something fails, later',
      'late',
      dedent`
        #!/usr/bin/env node
        const { transpile } = «require('typescript')»;
        async function main() {}
        main().catch((error) => console.error(transpile(error.code)));

      `,
    ),
    found(
      'subcommands of one variable',
      'late',
      dedent`
        #!/usr/bin/env node
        const ts = «require('typescript')»;
        const { program } = require('commander');
        let cmd = program.command('build');
        cmd.option('-f');
        cmd.action(() => ts.transpile(''));
        cmd = program.command('clean');
        cmd.action(() => clear());
        program.parse();

      `,
    ),
    found(
      'a program that only an option needs',
      'program',
      dedent`
        #!/usr/bin/env node
        import { execSync } from 'node:child_process';
        const revision = «execSync('git rev-parse HEAD')».toString().trim();
        function main(argv) {
          if (argv.version) console.log(revision);
          run();
        }
        main({});

      `,
    ),
    found('compiled again', 'uncached', `${NODE}import ts from «'typescript'»;\nts.transpile('');\n`, { project: NEWER }),
    found('compiled again, in another file', 'uncached', `${NODE}const main = «require('../src/main')»;\nmain();\n`, {
      project: NEWER,
      others: { 'src/main.js': "const ts = require('typescript');\nmodule.exports = () => ts.transpile('');\n" },
    }),
    found('the file of a subcommand', 'late', "const ts = «require('typescript')»;\nmodule.exports = () => ts.transpile('');\n", {
      file: 'src/build.js',
      others: {
        'bin/tool.js': dedent`
          #!/usr/bin/env node
          const { program } = require('commander');
          const build = require('../src/build');
          const clean = require('../src/clean');
          program.command('build').action(build);
          program.command('clean').action(clean);
          program.parse();

        `,
        'src/clean.js': 'module.exports = () => {};\n',
      },
    }),
    found('what a build makes of it', 'late', "import ts from «'typescript'»;\nif (process.argv.includes('--types')) ts.transpile('');\n", {
      file: 'src/main.ts',
      others: { 'bin/tool.js': `${NODE}require('../dist/main.js');\n` },
    }),
    found(
      'a table of subcommands',
      'late',
      dedent`
        import ts from «'typescript'»;
        export function run() {
          ts.transpile('');
        }

      `,
      {
        file: 'src/build.js',
        others: {
          'bin/tool.js': dedent`
            #!/usr/bin/env node
            import * as build from '../src/build.js';
            import * as clean from '../src/clean.js';
            const commands = { build, clean };
            await commands[process.argv[2]].run();

          `,
          'src/clean.js': 'export function run() {}\n',
        },
      },
    ),
    found(
      'one of two functions of a platform',
      'late',
      dedent`
        const ts = «require('typescript')»;
        exports.check = async (event, context) => ts.transpile(event.body);
        exports.list = async (event, context) => [event.pathParameters];

      `,
      { file: 'src/handler.js' },
    ),
  ],
};
