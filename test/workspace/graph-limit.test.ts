// A call graph that nobody could wait for: it is ended, told once, and each file is taken for itself. Tables of aliases are no loop over
// all.
import assert from 'node:assert/strict';
import os from 'node:os';
import { describe, it } from 'node:test';
import { Resolver } from '../../analysis/project/files/layout.ts';
import { StarTable } from '../../analysis/project/files/star-table.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { rules } from '../../rules/index.ts';
import { CommandError } from '../../workspace/errors.ts';
import { busyFactor, GraphLimit, GraphTookTooLong } from '../../workspace/project-index/graph-limit.ts';
import { ProjectRun } from '../../workspace/project-index/project-run.ts';
import { Turns } from '../../workspace/turns.ts';

const forever = (): never => {
  for (;;);
};
const HANDLER = `const fs = require('node:fs');
const { load } = require('./load');
require('express')().get('/', (req, res) => res.end(fs.readFileSync('a') + load()));
`;
const LOAD = "exports.load = function load() { return require('node:fs').readFileSync('b'); };\n";

async function linted(): Promise<{ found: number[]; warnings: string[]; project: ProjectRun }> {
  const warnings: string[] = [];
  const turns = new Turns({ now: () => performance.now(), signal: new AbortController().signal });
  const warn = (message: string) => void warnings.push(message);
  const project = new ProjectRun({ rules, turns, threads: 1, log: assert.fail, warn });
  const requests = Object.entries({ '/p/app.js': HANDLER, '/p/load.js': LOAD }).map(([file, text]) => ({
    file,
    text,
    project: { nodeRange: '>=20', nodeRangeSource: 'a test' },
    rules,
    settings: defaultSettings(rules),
    repairs: false,
  }));
  await project.analyze(requests, () => undefined);
  const found = requests.map((request) => project.conclude(request).findings.length);
  return { found, warnings, project };
}

describe('the call graph of a project', () => {
  it('is ended after a time, and not begun again', () => {
    const limit = new GraphLimit(100);
    assert.equal(
      limit.run(() => 1, 1),
      1,
    );
    assert.throws(() => limit.run(forever, 1), GraphTookTooLong);
    let begun = 0;
    assert.throws(() => limit.run(() => begun++, 1), CommandError);
    assert.equal(begun, 0);
  });

  it('gets more time where other programs want the processors', (context) => {
    assert.equal(busyFactor(0, 4), 1);
    assert.equal(busyFactor(3, 4), 1);
    assert.equal(busyFactor(12, 4), 3);
    assert.equal(busyFactor(500, 2), 8);
    context.mock.method(os, 'loadavg', () => [os.availableParallelism() * 1.2345678, 0, 0]);
    const limit = new GraphLimit();
    assert.equal(
      limit.run(() => 'whole milliseconds', 7),
      'whole milliseconds',
    );
  });

  it('costs only what leads over files where it was ended, and is told once', async (context) => {
    const whole = await linted();
    assert.deepEqual(whole, { found: [1, 1], warnings: [], project: whole.project });
    context.mock.method(GraphLimit.prototype, 'run', () => {
      throw new GraphTookTooLong('The call graph across files took too long (more than 15 s).');
    });
    const { found, warnings, project } = await linted();
    assert.deepEqual(found, [1, 0]);
    assert.deepEqual(warnings, ['The call graph across files took too long (more than 15 s). Each file is analyzed in isolation.']);
    assert.ok(project.hasFailed);
    assert.ok(project.answersIn('/p/app.js').length > 0);
  });
});

describe('tables of patterns', () => {
  it('give what matches, in their order', () => {
    const table = new StarTable({ '@a/*': 1, '@a/b': 2, '*': 3, '@a/*.js': 4, '@b/*': 5 });
    const matching = (text: string) => [...table.matching(text)].map(({ value, star }) => [value, star]);
    assert.deepEqual(matching('@a/b'), [
      [1, 'b'],
      [2, ''],
      [3, '@a/b'],
    ]);
    assert.deepEqual(matching('@a/c.js'), [
      [1, 'c.js'],
      [3, '@a/c.js'],
      [4, 'c'],
    ]);
    assert.deepEqual(matching('x'), [[3, 'x']]);
  });

  it('of 20,000 aliases compare a specifier with those that begin like it', (context) => {
    const paths = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`@a${i}/*`, [`./x${i}/*`]]));
    const alias = { root: '/p', base: '/p', hasBaseUrl: true, paths };
    const resolver = new Resolver(new Map([['/p/x7/b.ts', 0]]), { packages: [], aliases: [alias] });
    assert.equal(resolver.resolve('/p/a.ts', '@a7/b'), 0);
    const compared = context.mock.method(String.prototype, 'endsWith');
    for (let i = 0; i < 3000; i++) resolver.resolve('/p/a.ts', `@a${i}/c`);
    assert.ok(compared.mock.callCount() < 50_000, `${compared.mock.callCount()}`);
  });
});
