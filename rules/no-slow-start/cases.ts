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
      `${NODE}const ts = «require('typescript')»;\nif (process.argv.includes('--types')) ts.transpile('');\n`,
      {},
      [],
    ),
    found(
      'in a function that an option runs',
      'late',
      `${NODE}const ts = «require('typescript')»;\nfunction check() {\n  ts.transpile('');\n}\nfunction main(argv) {\n  if (argv.types) check();\n}\nmain({});\n`,
      {},
      ['only here'],
    ),
    found(
      'one of two subcommands',
      'late',
      `${NODE}import ts from «'typescript'»;\nimport { program } from 'commander';\nprogram.command('build').action(() => ts.transpile(''));\nprogram.command('clean').action(() => clear());\nprogram.parse();\n`,
      {},
      ['only here'],
    ),
    found(
      'only if something fails',
      'late',
      `${NODE}const { transpile } = «require('typescript')»;\nfunction main() {\n  try {\n    run();\n  } catch {\n    transpile('');\n  }\n}\nmain();\n`,
    ),
    found(
      'only if something fails, later',
      'late',
      `${NODE}const { transpile } = «require('typescript')»;\nasync function main() {}\nmain().catch((error) => console.error(transpile(error.code)));\n`,
    ),
    found(
      'subcommands of one variable',
      'late',
      `${NODE}const ts = «require('typescript')»;\nconst { program } = require('commander');\nlet cmd = program.command('build');\ncmd.option('-f');\ncmd.action(() => ts.transpile(''));\ncmd = program.command('clean');\ncmd.action(() => clear());\nprogram.parse();\n`,
    ),
    found(
      'a program that only an option needs',
      'program',
      `${NODE}import { execSync } from 'node:child_process';\nconst revision = «execSync('git rev-parse HEAD')».toString().trim();\nfunction main(argv) {\n  if (argv.version) console.log(revision);\n  run();\n}\nmain({});\n`,
    ),
    found('compiled again', 'uncached', `${NODE}import ts from «'typescript'»;\nts.transpile('');\n`, { project: NEWER }),
    found('compiled again, in another file', 'uncached', `${NODE}const main = «require('../src/main')»;\nmain();\n`, {
      project: NEWER,
      others: { 'src/main.js': "const ts = require('typescript');\nmodule.exports = () => ts.transpile('');\n" },
    }),
    found('the file of a subcommand', 'late', "const ts = «require('typescript')»;\nmodule.exports = () => ts.transpile('');\n", {
      file: 'src/build.js',
      others: {
        'bin/tool.js': `${NODE}const { program } = require('commander');\nconst build = require('../src/build');\nconst clean = require('../src/clean');\nprogram.command('build').action(build);\nprogram.command('clean').action(clean);\nprogram.parse();\n`,
        'src/clean.js': 'module.exports = () => {};\n',
      },
    }),
    found('what a build makes of it', 'late', "import ts from «'typescript'»;\nif (process.argv.includes('--types')) ts.transpile('');\n", {
      file: 'src/main.ts',
      others: { 'bin/tool.js': `${NODE}require('../dist/main.js');\n` },
    }),
    found('a table of subcommands', 'late', "import ts from «'typescript'»;\nexport function run() {\n  ts.transpile('');\n}\n", {
      file: 'src/build.js',
      others: {
        'bin/tool.js': `${NODE}import * as build from '../src/build.js';\nimport * as clean from '../src/clean.js';\nconst commands = { build, clean };\nawait commands[process.argv[2]].run();\n`,
        'src/clean.js': 'export function run() {}\n',
      },
    }),
    found(
      'one of two functions of a platform',
      'late',
      "const ts = «require('typescript')»;\nexports.check = async (event, context) => ts.transpile(event.body);\nexports.list = async (event, context) => [event.pathParameters];\n",
      { file: 'src/handler.js' },
    ),
  ],
};
