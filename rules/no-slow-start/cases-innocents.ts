// Packages that every run needs, that are loaded late already, or whose start nobody waits for.
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
  silent('used by each run', `${NODE}const ts = require('typescript');\nfunction main() {\n  ts.transpile('');\n}\nmain();\n`),
  silent(
    'used while loading',
    `${NODE}const ts = require('typescript');\nconst target = ts.ScriptTarget.ES2022;\nif (process.argv.includes('--show')) show(ts, target);\n`,
  ),
  silent('loaded late', `${NODE}if (process.argv.includes('--types')) {\n  const ts = require('typescript');\n  ts.transpile('');\n}\n`),
  silent(
    'loaded late by one branch, and always by another',
    `${NODE}const ts = require('typescript');\nif (process.argv.includes('--types')) ts.transpile('');\nfunction main() {\n  require('typescript').transpile('');\n}\nmain();\n`,
  ),
  silent(
    'types only',
    `${NODE}import type ts from 'typescript';\nimport { type Node } from 'typescript';\nexport function show(node: ts.Node, other: Node): void {}\n`,
    { file: 'bin/tool.ts' },
  ),
  silent(
    'TypeScript removes it',
    `${NODE}import ts from 'typescript';\nif (process.argv.includes('--a')) show();\nfunction show(node?: ts.Node): void {}\n`,
    { file: 'bin/tool.ts' },
  ),
  silent(
    'passed on',
    `${NODE}const ts = require('typescript');\nmodule.exports = { ts };\nif (process.argv.includes('--types')) ts.transpile('');\n`,
  ),
  silent(
    'the superclass of a class',
    `${NODE}import ts from 'typescript';\nclass Host extends ts.Host {}\nif (process.argv.includes('--types')) new Host();\n`,
  ),
  silent('loaded for what it does', `${NODE}import 'typescript';\n`),
  silent(
    'one subcommand alone',
    `${NODE}const ts = require('typescript');\nconst { program } = require('commander');\nprogram.command('build').action(() => ts.transpile(''));\nprogram.parse();\n`,
  ),
  silent(
    'the command without a name',
    `${NODE}const ts = require('typescript');\nconst { program } = require('commander');\nprogram.command('clean').action(() => clear());\nprogram.action(() => ts.transpile(''));\nprogram.parse();\n`,
  ),
  silent(
    'another file that each run loads needs it',
    `${NODE}const ts = require('typescript');\nconst check = require('./check');\ncheck();\nif (process.argv.includes('--types')) ts.transpile('');\n`,
    { others: { 'bin/check.js': "const ts = require('typescript');\nmodule.exports = () => ts.transpile('');\n" } },
  ),
  silent(
    'whose other branch needs it',
    `${NODE}const ts = require('typescript');\nfunction main(argv) {\n  if (argv.plain) return print();\n  ts.transpile('');\n}\nmain({});\n`,
  ),
  silent(
    'on unless it is turned off',
    `${NODE}const ts = require('typescript');\nfunction main(argv) {\n  if (argv.cache) ts.transpile('');\n  if (!argv.bare) ts.transpile('');\n}\nmain({});\n`,
  ),
  silent(
    'the files that a run is for',
    `${NODE}const ts = require('typescript');\nfunction main(argv) {\n  if (argv.files) ts.transpile('');\n}\nmain({});\n`,
  ),
  silent('nobody knows who calls it', `${NODE}const ts = require('typescript');\nexports.check = () => ts.transpile('');\n`),
  silent('a version that loads fast', `${NODE}const ts = require('typescript');\nif (process.argv.includes('--types')) ts.version();\n`, {
    project: project({ typescript: '^7.0.0' }),
  }),
  silent('a version that is not known', `${NODE}const ts = require('typescript');\nif (process.argv.includes('--types')) ts.version();\n`, {
    project: project({}),
  }),
  silent('a part of it', `${NODE}const sys = require('typescript/lib/sys');\nif (process.argv.includes('--types')) sys.exit();\n`),
  silent(
    'a server',
    `${NODE}const ts = require('typescript');\nconst http = require('http');\nhttp.createServer((req, res) => res.end()).listen(3000);\nif (process.argv.includes('--types')) ts.transpile('');\n`,
  ),
  silent(
    'a server that a function starts',
    `${NODE}const ts = require('typescript');\nconst http = require('http');\nfunction main() {\n  http.createServer((req, res) => res.end()).listen(3000);\n}\nmain();\nif (process.argv.includes('--types')) ts.transpile('');\n`,
  ),
  silent('no command', "const ts = require('typescript');\nif (process.argv.includes('--types')) ts.transpile('');\n", {
    file: 'src/app.js',
  }),
  silent('a test', `${NODE}const ts = require('typescript');\nif (process.argv.includes('--types')) ts.transpile('');\n`, {
    file: 'test/run.js',
  }),
  silent('a tool of the project', `${NODE}const ts = require('typescript');\nif (process.argv.includes('--types')) ts.transpile('');\n`, {
    file: 'scripts/run.js',
  }),
  silent('compiled once', `${NODE}require('node:module').enableCompileCache?.();\nconst ts = require('typescript');\nts.transpile('');\n`, {
    project: project({ typescript: '^5.4.0' }, '>=20'),
  }),
  silent('another file turns on the cache', `${NODE}require('./cache');\nconst ts = require('typescript');\nts.transpile('');\n`, {
    project: project({ typescript: '^5.4.0' }, '>=22'),
    others: { 'bin/cache.js': "require('v8-compile-cache');\n" },
  }),
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
    `${NODE}import { execSync } from 'node:child_process';\nconst revision = execSync('git rev-parse HEAD').toString().trim();\nfunction main() {\n  console.log(revision);\n}\nmain();\n`,
  ),
  silent(
    'a program that is run for what it does',
    `${NODE}import { execSync } from 'node:child_process';\nconst done = execSync('npm run build');\nif (process.argv.includes('--log')) console.log(1);\nmodule.exports = done;\n`,
  ),
  silent(
    'commands by their names, which may all need it',
    `${NODE}const ts = require('typescript');\nconst build = () => ts.transpile('');\nconst check = () => ts.transpile('');\nswitch (process.argv[2]) {\n  case 'build':\n    build();\n    break;\n  case 'check':\n    check();\n}\n`,
  ),
  silent(
    'all subcommands need it',
    `${NODE}const ts = require('typescript');\nconst yargs = require('yargs');\nyargs\n  .command('build', 'builds', (args) => args.option('f'), () => ts.transpile(''))\n  .command('check', 'checks', (args) => args.option('g'), () => ts.transpile(''))\n  .parse();\n`,
  ),
];
