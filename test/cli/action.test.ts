// The action for GitHub: its shell steps, run in order as a runner would, with a `gh` that writes down what it is asked.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { dedent } from '../../analysis/testing/dedent.ts';
import { ROOT } from '../../scripts/generate.ts';
import { folderWith } from './support.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

interface Step {
  name: string;
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}
interface Action {
  inputs: Record<string, { default: string }>;
  runs: { steps: Step[] };
}

const ACTION = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;
const APP = dedent`
  const app = require('express')();
  const fs = require('node:fs');
  app.get('/a', (req, res) => res.send(fs.readFileSync('a.html')));

`;
const NEW_ROUTE = "app.get('/b', (req, res) => res.send(fs.readFileSync('b.html')));\n";
const GH = dedent`
  #!/usr/bin/env bash
  printf '%s\n' "$*" >> "$RUNNER_TEMP/gh.log"
  case "$*" in
    *--paginate*) cat "$RUNNER_TEMP/known-comment" 2>/dev/null || true ;;
  esac

`;

describe('the action', () => {
  const folder = folderWith({ 'repo/app.js': APP, 'repo/package.json': '{}', 'bin/gh': GH });
  const repo = join(folder.path, 'repo');
  const temp = join(folder.path, 'temp');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: repo, encoding: 'utf8' }).trim();
  let base = '';
  before(() => {
    chmodSync(join(folder.path, 'bin/gh'), 0o755);
    mkdirSync(temp);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'old');
    base = git('rev-parse', 'HEAD');
  });
  after(() => folder.dispose());

  /** Exit code of each step that ran. A step that fails ends the job. */
  function runSteps(inputs: Record<string, string> = {}): Record<string, number | null> {
    for (const name of ['output', 'gh.log', 'summary']) writeFileSync(join(temp, name), '');
    const codes: Record<string, number | null> = {};
    for (const { name, run: script, env = {} } of ACTION.runs.steps) {
      if (script === undefined) continue;
      const values = Object.fromEntries(Object.entries(env).map(([key, text]) => [key, valueOf(text, inputs)]));
      const { status, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
        cwd: repo,
        encoding: 'utf8',
        env: {
          ...values,
          PATH: [join(folder.path, 'bin'), process.env.PATH].join(delimiter),
          HOME: temp,
          RUNNER_TEMP: temp,
          GITHUB_OUTPUT: join(temp, 'output'),
          GITHUB_STEP_SUMMARY: join(temp, 'summary'),
          GITHUB_REPOSITORY: 'owner/name',
        },
      });
      codes[name] = status;
      if (status !== 0) {
        if (name !== 'Pass or fail') codes[`${name}: ${stderr}`] = status;
        break;
      }
    }
    return codes;
  }

  function valueOf(text: string, inputs: Record<string, string>): string {
    const command = [process.execPath, ...TYPESCRIPT_FLAGS, join(ROOT, 'cli/main.ts')].join(' ');
    const known: Record<string, string> = {
      'inputs.command': command,
      'inputs.base': base,
      'inputs.token': 'secret',
      'github.event.pull_request.number': '7',
      'steps.lint.outputs.code': /^code=(\d+)$/m.exec(readFileSync(join(temp, 'output'), 'utf8'))?.[1] ?? '',
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
    };
    return text.replace(
      /\$\{\{ (\S+) \}\}/g,
      (_, name: string) => known[name] ?? ACTION.inputs[name.replace('inputs.', '')]?.default ?? '',
    );
  }

  const read = (name: string): string => readFileSync(join(temp, name), 'utf8');

  it('passes a change without a new finding, and comments', () => {
    writeFileSync(join(repo, 'app.js'), APP.replace('\napp', '\n\napp'));
    assert.deepEqual(runSteps(), { Lint: 0, 'Comment on the pull request': 0, 'Pass or fail': 0 });
    assert.match(read('nodometer-comment.md'), /^<!-- nodometer -->\n\*\*Nodometer\*\*: no new problems found\./);
    assert.match(read('gh.log'), /--method POST repos\/owner\/name\/issues\/7\/comments/);
    assert.match(read('summary'), /no new problems/);
    assert.ok(existsSync(join(temp, 'nodometer-cache')));
  });

  it('fails a change with one, shows exactly that one, and renews its comment', () => {
    writeFileSync(join(repo, 'app.js'), `${APP}${NEW_ROUTE}`);
    writeFileSync(join(temp, 'known-comment'), '4711\n');
    assert.deepEqual(runSteps(), { Lint: 0, 'Comment on the pull request': 0, 'Pass or fail': 1 });
    const { runs } = JSON.parse(read('nodometer.sarif')) as { runs: { results: { properties: { route: string } }[] }[] };
    assert.deepEqual(
      runs.flatMap(({ results }) => results.map(({ properties }) => properties.route)),
      ['GET /b'],
    );
    assert.match(read('nodometer-comment.md'), /GET \/b/);
    assert.match(read('gh.log'), /--method PATCH repos\/owner\/name\/issues\/comments\/4711/);
    assert.doesNotMatch(read('gh.log'), /POST|secret/);
  });

  it('reports everything without a base, and takes no input for code', () => {
    const evil = '$(touch evil) `touch evil` ; touch evil';
    assert.equal(runSteps({ base: '', 'max-warnings': '', arguments: '' })['Pass or fail'], 0);
    assert.match(read('nodometer.md'), /2 warnings/);
    assert.equal(runSteps({ base: evil }).Lint, 2);
    assert.equal(runSteps({ paths: evil }).Lint, 2);
    assert.ok(!existsSync(join(repo, 'evil')));
    for (const { run: script } of ACTION.runs.steps) assert.doesNotMatch(script ?? '', /\$\{\{/, 'values come by the environment');
  });
});
