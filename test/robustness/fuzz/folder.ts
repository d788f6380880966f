// A folder in which any file may be injured, through the whole command, in any format: it ends with one of its codes, calls nothing a bug
// of ours, and writes nothing that a terminal or a build log obeys.
import { dedent } from '../../../analysis/testing/dedent.ts';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { ROOT } from '../../../scripts/generate.ts';
import { rules } from '../../../rules/index.ts';
import { runIn } from '../../cli/support.ts';
import type { OddCase } from '../child.ts';
import type { Random } from '../random.ts';
import { injured, injuredValue } from './injured.ts';

const COMMANDS = [
  ['lint', '.', '--no-cache', '--format', 'stylish'],
  ['lint', '.', '--no-cache', '--format', 'json'],
  ['lint', '.', '--no-cache', '--format', 'github'],
  ['lint', '.', '--no-cache', '--format', 'sarif'],
  ['lint', '.', '--no-cache', '--list-files'],
  ['lint', '.', '--no-cache', '--fix-dry-run'],
  ['paths'],
  ['graph'],
] as const;

const HANDLER = `const express = require('express');
const { load } = require('./lib/load');
const app = express();
app.get('/users/:id', (req, res) => res.end(load(req.params.id)));
app.listen(process.env.PORT);
`;
const LOAD = `const fs = require('node:fs');
exports.load = function load(id) { return fs.readFileSync(id, 'utf8'); };
`;

/** What is read as JSON, of which values are replaced, too. */
const JSON_FILES: Readonly<Record<string, unknown>> = {
  'package.json': {
    name: 'a',
    type: 'commonjs',
    main: 'app.js',
    bin: { a: './app.js' },
    workspaces: ['packages/*'],
    imports: { '#lib/*': './lib/*.js' },
    exports: { '.': { require: './app.js', default: './app.js' } },
    scripts: { start: 'NODE_ENV=production node app.js', test: 'node --test' },
    engines: { node: '>=18 <23' },
    dependencies: { express: '^5.0.0' },
  },
  'nodometer.config.json': {
    node: '>=20',
    ignores: ['**/dist/**', 'lib/*.min.js'],
    rules: { 'no-sync-in-handler': ['error', { allow: ['existsSync'] }], 'no-unsafe-regex': 'off' },
    overrides: [{ files: ['**/*.test.js'], rules: { 'no-sync-in-handler': 'off' } }],
  },
  'tsconfig.json': { extends: './tsconfig.base.json', compilerOptions: { baseUrl: '.', paths: { '@/*': ['lib/*'] } }, include: ['lib'] },
  'tsconfig.base.json': { compilerOptions: { strict: true } },
  '.nodometer/evidence.json': {
    version: 1,
    profiles: [
      {
        file: 'lib/load.js',
        function: 'load',
        hash: 'a',
        node: '20.19.0',
        v8: '11.3',
        platform: 'linux x64',
        cpu: 'x',
        date: '2026-01-01T00:00:00.000Z',
        budgetMs: 5000,
        origin: 'typed',
        calls: ["load('a')"],
        verdicts: [
          {
            ruleId: 'no-sync-in-handler',
            messageId: 'reached',
            code: 'fs.readFileSync',
            hash: 'b',
            verdict: 'refuted',
            figure: 'x',
            index: 0,
          },
        ],
        timing: { median: 1, halfWidth: 1, p99: 1 },
        seen: [],
      },
    ],
    fixes: [],
  },
  'ecosystem.config.json': { apps: [{ script: 'app.js', env: { NODE_ENV: 'production' } }] },
};

const TEXT_FILES: Readonly<Record<string, string>> = {
  'app.js': HANDLER,
  'lib/load.js': LOAD,
  '.gitignore': dedent`
    dist/
    !keep.js
    /lib/**/*.min.js
    [a-z]*.tmp

  `,
  'lib/.gitignore': '*.log\n',
  '.nvmrc': 'v20.19.0\n',
  '.tool-versions': 'nodejs 20.19.0\n',
  'mise.toml': '[tools]\nnode = "20"\n',
  Dockerfile: dedent`
    FROM node:22 AS build
    WORKDIR /app
    COPY . .
    FROM node:22-slim
    COPY --from=build /app /app
    CMD ["node", "app.js"]

  `,
  'compose.yaml': dedent`
      services:
        web:
          build: .
          command: node app.js
          environment:
            - NODE_ENV=development
          env_file: [.env]

    `,
  '.env': 'NODE_ENV=production\n',
  Procfile: 'web: node app.js\n',
  'deploy.yaml': readFileSync(join(ROOT, 'test/robustness/fuzz/deploy.yaml'), 'utf8'),
};

/** What terminals and build logs obey, as `test/cli/formats/safe-output.test.ts` has it. */
const OBEYED =
  /^\s*::(?!(?:error|warning|notice) )|##\[|##vso\[|\u001b|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/im;

const NAMES = [
  'a b.js',
  '[a](command:x).js',
  '-rf.js',
  '--fix.js',
  '*.js',
  '{a,b}.js',
  '\u202ea.js',
  '\u001b[2J.js',
  '\n::error::x.js',
  '#a?b%2f.js',
];

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? '';
  } catch {
    // Nested deeper than it can be written.
    return '['.repeat(100_000);
  }
}

export function folderCase(name: string, random: Random): OddCase {
  const files: Record<string, string> = {};
  const injuries = 1 + random.below(4);
  const all = [...Object.keys(JSON_FILES), ...Object.keys(TEXT_FILES)];
  const chosen = new Set(Array.from({ length: injuries }, () => random.pick(all)));
  for (const [path, value] of Object.entries(JSON_FILES)) {
    const text = textOf(chosen.has(path) && random.chance(0.7) ? injuredValue(random, value) : value);
    files[path] = chosen.has(path) && random.chance(0.4) ? injured(random, text) : text;
  }
  for (const [path, text] of Object.entries(TEXT_FILES)) files[path] = chosen.has(path) ? injured(random, text) : text;
  if (random.chance(0.3)) files[`lib/${random.pick(NAMES)}`] = injured(random, LOAD);
  const command = random.pick(COMMANDS);
  return {
    name,
    work: async () => {
      const { code, out, err } = await runIn(files, command, { rules, fixCheck: () => undefined });
      const complaints: string[] = [];
      if (![0, 1, 2].includes(code)) complaints.push(`${command.join(' ')}: exit code ${code}`);
      if (/internal error|is a bug|crashed|TypeError|RangeError|ReferenceError/.test(err))
        complaints.push(`${command.join(' ')}: ${err.slice(0, 2000)}`);
      if (/^threw|\bTypeError:/.test(out)) complaints.push(`${command.join(' ')}: ${out.slice(0, 2000)}`);
      const obeyed = OBEYED.exec(out) ?? OBEYED.exec(err);
      if (obeyed)
        complaints.push(
          `${command.join(' ')}: writes ${JSON.stringify(obeyed[0])} in ${JSON.stringify(obeyed.input.slice(Math.max(0, obeyed.index - 40), obeyed.index + 40))}`,
        );
      if (code !== 2 && (command.includes('json' as never) || command.includes('sarif' as never))) JSON.parse(out);
      return complaints;
    },
  };
}
