// `nodometer import`: what it says, what it keeps, and that it changes nothing of what is found.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import Ajv from 'ajv';
import { ROOT } from '../../scripts/generate.ts';
import { rules } from '../../rules/index.ts';
import type { JsonFinding } from '../../cli/formats/json.ts';
import type { ProductionFile } from '../../protocol/production.ts';
import { folderWith, run, type RunResult } from './support.ts';

const isValid = new Ajv({ allErrors: true }).compile(
  JSON.parse(readFileSync(join(ROOT, 'nodometer-production.schema.json'), 'utf8')) as object,
);

const APP = `const app = require('express')();
const fs = require('node:fs');
function hash(text) {
  let sum = 0;
  for (const char of text) sum = (sum * 31 + char.charCodeAt(0)) | 0;
  return sum;
}
app.get('/a', (req, res) => res.end(fs.readFileSync('a')));
app.get('/b/:id', (req, res) => {
  res.end(fs.readFileSync('b') + hash(req.params.id));
});
app.listen(3000);
`;
const node = (
  id: number,
  functionName: string,
  line: number,
  column: number,
  hitCount: number,
  children: number[] = [],
  url = '/app/app.js',
) => ({
  id,
  callFrame: { functionName, scriptId: '1', url, lineNumber: line - 1, columnNumber: column - 1 },
  hitCount,
  children,
});
const PROFILE = {
  nodes: [
    node(1, '(root)', 0, 0, 0, [2, 3, 6, 7, 8], ''),
    node(2, '', 8, 15, 1),
    node(3, '', 9, 19, 5, [4, 5]),
    node(4, 'hash', 3, 14, 30),
    node(5, 'readFileSync', 10, 2, 20, [], 'node:fs'),
    node(6, '(idle)', 0, 0, 500, [], ''),
    node(7, 'next', 3, 4, 40, [], '/app/node_modules/router/index.js'),
    node(8, 'gone', 77, 1, 4),
  ],
};
const span = (method: string, route: string) => ({
  kind: 2,
  endTimeUnixNano: '1795219200000000000',
  attributes: [
    { key: 'http.request.method', value: { stringValue: method } },
    { key: 'http.route', value: { stringValue: route } },
  ],
});
const SPANS = {
  resourceSpans: [{ scopeSpans: [{ spans: [span('GET', '/a'), span('GET', '/a'), span('GET', '/a'), span('GET', '/b/:id')] }] }],
};

async function inProject(
  test: (nodometer: (...argv: string[]) => Promise<RunResult>, path: string) => Promise<void>,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = folderWith({
    'package.json': '{ "engines": { "node": ">=20" } }',
    'app.js': APP,
    'web.cpuprofile': JSON.stringify(PROFILE),
    'spans.json': JSON.stringify(SPANS),
    ...files,
  });
  try {
    await test((...argv) => run(argv, { cwd: folder.path, rules }), folder.path);
  } finally {
    folder.dispose();
  }
}

const findingsOf = ({ out }: RunResult): JsonFinding[] => JSON.parse(out) as JsonFinding[];

describe('nodometer import', () => {
  it('tells what was found in the project, and lists hot functions without a finding first', () =>
    inProject(async (nodometer, path) => {
      const { code, out, err } = await nodometer('import', 'web.cpuprofile', '--date', '2026-11-21');
      assert.equal(err, '');
      assert.equal(code, 0);
      assert.equal(
        out,
        `web.cpuprofile: CPU profile, 21 November 2026, 100 samples (idle ones not counted)
  found         3 functions of the project, 36 % of samples in their own code; 1 not matched
  recognized    by name, line, and column. To compare their text with what ran, use --commit
  packages      40 % of samples in 1 package (router 40 %)
  Node and V8   20 % of samples
  not matched   1 function (4 % of samples): the code has changed since, or another version ran. Example: gone in /app/app.js

Hot functions without a finding (share of samples: its own code, with what it calls):
     30 %    30 %  app.js:3  hash

Functions with findings (share of samples: its own code, with what it calls):
      5 %    55 %  app.js:9  (anonymous)  (no-sync-in-handler)
      1 %     1 %  app.js:8  (anonymous)  (no-sync-in-handler)

Saved to .nodometer/production.json. \`nodometer lint --order production\` shows the findings in this order.
`,
      );
      const kept = JSON.parse(readFileSync(join(path, '.nodometer/production.json'), 'utf8')) as ProductionFile;
      assert.ok(isValid(kept), JSON.stringify(isValid.errors));
      assert.ok(!isValid({ ...kept, more: 1 }));
      assert.deepEqual(
        kept.sources.map(({ name, total, functions }) => [
          name,
          total,
          functions.map(({ function: fn, total: sum, self }) => [fn, sum, self]),
        ]),
        [
          [
            'web.cpuprofile',
            100,
            [
              ['', 1, 1],
              ['', 55, 5],
              ['hash', 30, 30],
            ].sort((a, b) => (a[0] === 'hash' ? -1 : b[0] === 'hash' ? 1 : 0)),
          ],
        ],
      );
    }));

  it('takes the place of an earlier import of the same name, lists them, and removes them', () =>
    inProject(async (nodometer, path) => {
      await nodometer('import', 'web.cpuprofile', '--name', 'web', '--date', '2026-11-20');
      await nodometer('import', 'web.cpuprofile', '--name', 'web', '--date', '2026-11-21');
      await nodometer('import', 'spans.json');
      assert.equal(
        (await nodometer('import', '--list')).out,
        `.nodometer/production.json:
  spans.json: OpenTelemetry spans, 2026-11-21, 4 requests: 2 routes
  web: CPU profile, 2026-11-21, 100 samples (idle ones not counted): 3 functions
To remove one, run \`nodometer import --remove <name>\`.
`,
      );
      writeFileSync(join(path, 'app.js'), APP.replace('sum = 0', 'sum = 1'));
      assert.match((await nodometer('import', '--list')).out, /web: .* 3 functions, of which 1 has changed since and is not shown/);
      const wrong = await nodometer('import', '--remove', 'wep');
      assert.equal(wrong.code, 2);
      assert.match(wrong.err, /Nothing was removed: there is no import `wep` .* Did you mean `web`\?/);
      assert.equal((await nodometer('import', '--remove', 'web', '--remove', 'spans.json')).code, 0);
      assert.ok(!existsSync(join(path, '.nodometer/production.json')));
      assert.equal((await nodometer('import', '--list')).out, 'Nothing was imported.\n');
    }));

  it('saves nothing where it is told so', () =>
    inProject(async (nodometer, path) => {
      const { code, out } = await nodometer('import', 'web.cpuprofile', '--no-save', '--format', 'json');
      assert.equal(code, 0);
      const report = JSON.parse(out) as { functions: { function: string; rules: string[] }[]; savedTo: null; unmatched: unknown[] };
      assert.deepEqual(
        report.functions.map(({ function: fn, rules: found }) => [fn, found]),
        [
          ['hash', []],
          ['', ['no-sync-in-handler']],
          ['', ['no-sync-in-handler']],
        ],
      );
      assert.equal(report.savedTo, null);
      assert.equal(report.unmatched.length, 1);
      assert.ok(!existsSync(join(path, '.nodometer')));
    }));

  it('refuses arguments that make no sense, and files that are none, and saves nothing then', () =>
    inProject(async (nodometer, path) => {
      const cases: [argv: string[], message: RegExp][] = [
        [[], /A file to import is missing/],
        [['--list', 'a'], /`--list` does not take a file/],
        [['--list', '--remove', 'a'], /cannot be used together/],
        [['web.cpuprofile', '--date', '2026-02-30'], /`--date` must be a date/],
        [['web.cpuprofile', '--path-prefix', '/app'], /must have the form/],
        [['web.cpuprofile', '--top', '0'], /`--top` must be/],
        [['web.cpuprofile', '--name', ' '], /`--name` must have/],
        [['web.cpuprofile', '--commit', 'HEAD'], /`--commit` needs a git repository/],
        [['web.cpuprofile', 'spans.json'], /Files of different kinds/],
        [['app.js'], /app\.js cannot be imported: it has no object where its JSON should begin\. CPU profiles are recorded with/],
        [['gone.cpuprofile'], /gone\.cpuprofile does not exist\./],
        [['--unknown'], /Unknown option/],
      ];
      for (const [argv, message] of cases) {
        const { code, err } = await nodometer('import', ...argv);
        assert.equal(code, 2, argv.join(' '));
        assert.match(err, message);
      }
      assert.ok(!existsSync(join(path, '.nodometer')));
    }));

  it('ends with Ctrl-C, and saves nothing', () =>
    inProject(async (_, path) => {
      const { code } = await run(['import', 'web.cpuprofile'], { cwd: path, rules, signal: AbortSignal.abort() });
      assert.equal(code, 130);
      assert.ok(!existsSync(join(path, '.nodometer')));
    }));

  it('obeys no control codes of names, paths, and routes', () =>
    inProject(
      async (nodometer) => {
        const evil = '\u001b[2J\u001b]0;x\u0007\u202e\r\n::error ::x';
        for (const file of ['evil.cpuprofile', 'evil.json']) {
          const { out, err, code } = await nodometer('import', file, '--name', evil);
          assert.equal(code, 0, err);
          for (const text of [out, err, (await nodometer('import', '--list')).out]) {
            assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
            assert.doesNotMatch(text, /^::/m);
          }
        }
        for (const format of ['stylish', 'agent', 'markdown'])
          assert.doesNotMatch((await nodometer('lint', '--format', format)).out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      },
      {
        'evil.cpuprofile': JSON.stringify({
          nodes: [node(1, '\u001b[2J\r\n::error ::x', 3, 14, 5, [2], '/app/\u001b[31m/evil\u202e.js'), node(2, 'hash', 3, 14, 5)],
        }),
        'evil.json': JSON.stringify({
          resourceSpans: [{ scopeSpans: [{ spans: [span('GET\u001b[2J', '/a\u001b]0;x\u0007\n::error ::x')] }] }],
        }),
      },
    ));
});

describe('lint with what was imported', () => {
  it('has the same findings, severities, verdicts, and exit codes, in every format', () =>
    inProject(async (nodometer) => {
      const strict = ['lint', '--max-warnings', '0', '--format'];
      const before = await nodometer(...strict, 'json');
      await nodometer('import', 'web.cpuprofile', '--date', '2026-11-21');
      await nodometer('import', 'spans.json', '--date', '2026-11-21');
      const after = await nodometer(...strict, 'json');
      assert.equal(after.code, before.code);
      assert.equal(after.code, 1);
      assert.ok(findingsOf(before).every(({ production }) => production === null));
      assert.deepEqual(
        findingsOf(after).map((one) => ({ ...one, production: null })),
        findingsOf(before),
      );
      assert.deepEqual(
        findingsOf(after).map(({ line, production }) => [line, production?.samples?.share, production?.requests?.share]),
        [
          [8, 0.01, 0.75],
          [10, 0.55, 0.25],
        ],
      );
      assert.deepEqual(await nodometer(...strict, 'json', '--no-evidence'), before);
      const required = await nodometer('lint', '--require-evidence');
      assert.match(required.err, /2 warnings without evidence/);
    }));

  it('shows the most first where that is asked for, and says how much of it is where', () =>
    inProject(async (nodometer) => {
      await nodometer('import', 'web.cpuprofile', '--date', '2026-11-21');
      const lines = (result: RunResult) => findingsOf(result).map(({ line }) => line);
      assert.deepEqual(lines(await nodometer('lint', '--format', 'json')), [8, 10]);
      assert.deepEqual(lines(await nodometer('lint', '--format', 'json', '--order', 'production')), [10, 8]);
      const { out } = await nodometer('lint');
      assert.match(out, /^ {2}production {2}55 % of samples in production, 21 November 2026$/m);
      assert.match(out, /^ {2}production {2}2 findings in code that ran in production \(to show them first: --order production\)$/m);
      const ordered = (await nodometer('lint', '--order', 'production')).out;
      assert.ok(ordered.indexOf('app.js:10') < ordered.indexOf('app.js:8:'));
      assert.match(
        (await nodometer('lint', '--format', 'agent')).out,
        /\| cost: not measured \| production: 55 % of samples in production, 21 November 2026 \| fix:/,
      );
      const markdown = (await nodometer('lint', '--format', 'markdown')).out;
      assert.match(markdown, /\| place \| severity \| finding \| route \| production \|\n\|---\|---\|---\|---\|---\|/);
      assert.match(markdown, /\| `GET \/a` \| 1 % of samples in production, 21 November 2026 \|/);
      assert.match((await nodometer('lint', '--format', 'github')).out, /%0A55 %25 of samples in production, 21 November 2026\.$/m);
      assert.match((await nodometer('lint', '--format', 'gitlab')).out, /55 % of samples in production, 21 November 2026\."/);
      assert.match(
        (await nodometer('lint', '--format', 'junit')).out,
        /\n55 % of samples in production, 21 November 2026\.\nAt app\.js:10:/,
      );
      const sarif = JSON.parse((await nodometer('lint', '--format', 'sarif')).out) as {
        runs: { results: { level: string; properties: { production?: unknown } }[] }[];
      };
      assert.deepEqual(
        sarif.runs[0]?.results.map(({ level, properties }) => [level, properties.production]),
        [0.01, 0.55].map((share) => [
          'warning',
          { samples: { share, self: share === 0.01 ? 0.01 : 0.05, source: 'web.cpuprofile', date: '2026-11-21T00:00:00.000Z' } },
        ]),
      );
      const refused = await nodometer('lint', '--no-evidence', '--order', 'production');
      assert.match(refused.err, /cannot be used together/);
    }));

  it('ignores a damaged file, and says so', () =>
    inProject(
      async (nodometer) => {
        const { code, err } = await nodometer('lint');
        assert.equal(code, 0);
        assert.match(err, /production\.json cannot be read \(.*\) and is ignored\./);
      },
      { '.nodometer/production.json': '{' },
    ));
});
