// Where only findings count, files that take no part are not summarized: the findings are the same, and what somebody asks for later is
// worked out then.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { rules } from '../../rules/index.ts';
import { AnalysisCache } from '../../workspace/project-index/analysis-cache.ts';
import type { AnalysisTask } from '../../workspace/project-index/file-analysis.ts';
import { likelyParticipants } from '../../workspace/project-index/likely-participants.ts';
import { ProjectRun, type ProjectRunRequest } from '../../workspace/project-index/project-run.ts';
import { Turns } from '../../workspace/turns.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'nodometer-outlines-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

const BLOCKS = dedent`
  const fs = require('fs');
  exports.load = () => fs.readFileSync('x');

`;
const handler = (path: string, from: string): string =>
  dedent`
    const app = require('express')();
    const { load } = ${from};
    app.get('${path}', (req, res) => res.send(load()));

  `;

/** By path. Nobody's place says of `/p/routes` that it takes no part. */
const TEXTS: Readonly<Record<string, string>> = {
  '/p/routes/direct.js': handler('/direct', "require('../public/direct.js')"),
  '/p/public/direct.js': BLOCKS,
  '/p/routes/chained.js': handler('/chained', "require('../public/first.js')"),
  '/p/public/first.js': dedent`
    const { load } = require('../scripts/second.js');
    exports.load = () => load();

  `,
  '/p/scripts/second.js': BLOCKS,
  // No text tells this path; the summary's pattern does.
  '/p/routes/computed.js': handler('/computed', "require('../migrations/' + process.env.NAME + '-up.js')"),
  '/p/migrations/one-up.js': "exports.load = require('../tools/third').load;\n",
  '/p/tools/third.js': BLOCKS,
  '/p/tools/other.js': BLOCKS,
  // Taken for imported, and never so at run time.
  '/p/routes/comment.js': dedent`
    // as in require('../test/mentioned.js')
    exports.a = 1;

  `,
  '/p/test/mentioned.js': BLOCKS,
  '/p/test/own.spec.js': dedent`
    ${BLOCKS}const { load } = require('../public/direct.js');
    load();
    function again() { process.nextTick(again); }
    again();

  `,
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `/p/test/${i}.js`,
      dedent`
        const { load } = require('../public/direct.js');
        exports.run${i} = (req, res) => res.send(load());

      `,
    ]),
  ),
};
const TASKS = Object.entries(TEXTS).map(
  ([file, text]): AnalysisTask => ({
    file,
    text,
    project: { root: '/p', nodeRange: '>=20', nodeRangeSource: 'a test' },
    settings: defaultSettings(rules),
  }),
);
const TAKING = ['/p/public/direct.js', '/p/public/first.js', '/p/scripts/second.js', '/p/migrations/one-up.js', '/p/tools/third.js'];
const PATHS = ['GET /chained', 'GET /computed', 'GET /direct'];

const openCache = (path: string) => new AnalysisCache({ path, fingerprint: 'f', now: () => Date.now(), log: assert.fail });

async function ran(more: Partial<ProjectRunRequest>, tasks = TASKS) {
  const run = new ProjectRun({
    rules,
    turns: new Turns({ now: () => performance.now(), signal: new AbortController().signal }),
    threads: 1,
    log: assert.fail,
    warn: assert.fail,
    ...more,
  });
  const requests = tasks.map((task) => ({ ...task, rules }));
  await run.analyze(requests, () => undefined);
  return {
    run,
    findings: () => requests.map((request) => run.conclude(request).findings),
    outlined: () => TASKS.map(({ file }) => file).filter((file) => run.analysisOf(file)?.isOutlined),
  };
}

const routesOf = (findings: readonly (readonly { route?: string }[])[]): string[] =>
  findings
    .flat()
    .flatMap(({ route }) => route ?? [])
    .sort();

describe('files that take no part', () => {
  it('are outlined where only findings count, and the findings are the same', async () => {
    const whole = await ran({});
    assert.deepEqual(whole.outlined(), []);
    const found = whole.findings();
    assert.deepEqual(routesOf(found), PATHS);
    assert.ok(found[TASKS.findIndex(({ file }) => file === '/p/test/own.spec.js')]?.length, 'what a test says by itself is said');
    const quick = await ran({ onlyFindings: true });
    const outlined = quick.outlined();
    assert.deepEqual(
      TAKING.filter((file) => outlined.includes(file)),
      [],
    );
    assert.ok(
      outlined.includes('/p/test/own.spec.js') && outlined.includes('/p/test/59.js') && outlined.length === 62,
      `${outlined.length} of them`,
    );
    assert.deepEqual(quick.findings(), found);
    assert.equal(quick.run.analysisOf('/p/test/own.spec.js')?.summary?.functions.length, 0);
  });

  it('are guessed by what texts seem to import', () => {
    const likely = likelyParticipants(TASKS, { packages: [], aliases: [] });
    assert.deepEqual([...likely].sort(), ['/p/public/direct.js', '/p/public/first.js', '/p/scripts/second.js', '/p/test/mentioned.js']);
  });

  it('are worked out when somebody asks for more', async () => {
    const whole = await ran({});
    const quick = await ran({ onlyFindings: true });
    const importersOf = ({ run }: typeof quick) => run.graph.callSites().importersOf('/p/public/direct.js').length;
    assert.ok(importersOf(quick) < importersOf(whole), 'an outline imports nothing');
    assert.equal(await quick.run.complete(), true);
    assert.deepEqual(quick.outlined(), []);
    assert.equal(importersOf(quick), importersOf(whole));
    assert.equal(await quick.run.complete(), false);
  });

  it('are looked at by no rule that speaks of requests only', async () => {
    const seen = new Set<string>();
    const watching = rules.map((rule) => ({
      ...rule,
      create:
        rule.create &&
        ((context: Parameters<NonNullable<typeof rule.create>>[0]) => {
          seen.add(`${rule.meta.id} ${context.file}`);
          return rule.create?.(context) ?? {};
        }),
    }));
    await ran({ onlyFindings: true, rules: watching });
    assert.ok(seen.has('no-sync-in-handler /p/tools/third.js') && seen.has('no-unstable-shape /p/tools/other.js'));
    assert.ok(!seen.has('no-sync-in-handler /p/tools/other.js'));
  });

  it('are kept as they are, and not taken for more', async () => {
    const path = join(FOLDER, 'outlines.cache');
    const first = await ran({ onlyFindings: true, cache: openCache(path) });
    const found = first.findings();
    first.run.save(true);
    const again = await ran({ onlyFindings: true, cache: openCache(path) });
    assert.equal(again.outlined().length, 62);
    assert.deepEqual(routesOf(again.findings()), PATHS);
    // Now a route imports a file of which the cache has an outline.
    const changed = TASKS.map((task) =>
      task.file === '/p/routes/direct.js' ? { ...task, text: handler('/direct', "require('../tools/other.js')") } : task,
    );
    const other = await ran({ onlyFindings: true, cache: openCache(path) }, changed);
    assert.deepEqual(routesOf(other.findings()), PATHS);
    assert.ok(!other.outlined().includes('/p/tools/other.js'));
    const more = await ran({ cache: openCache(path) });
    assert.deepEqual(more.outlined(), []);
    assert.deepEqual(JSON.parse(JSON.stringify(more.findings())), JSON.parse(JSON.stringify(found)));
  });
});
