// Many files on several threads: the same analyses in the same order, whatever becomes of a thread.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { rules } from '../../rules/index.ts';
import { builtIn } from '../built.ts';
import { Interrupted } from '../../workspace/errors.ts';
import { AnalysisCache } from '../../workspace/project-index/analysis-cache.ts';
import { analyzeAll, type AnalyzeRequest } from '../../workspace/project-index/analysis-threads.ts';
import type { AnalysisTask } from '../../workspace/project-index/file-analysis.ts';
import { ProjectRun } from '../../workspace/project-index/project-run.ts';
import { Turns } from '../../workspace/turns.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'nodometer-threads-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

const PROJECT = { nodeRange: '>=20', nodeRangeSource: 'a test' };
const SETTINGS = defaultSettings(rules);

/** Every third handler reads a file through the module beside it. */
function tasks(count: number): AnalysisTask[] {
  return Array.from({ length: count }, (_, i) => [
    {
      file: `/p/routes/${i}.js`,
      text: dedent`
        const express = require('express');
        const { load } = require('../lib/${i}.js');
        const app = express();
        app.get('/${i}', (req, res) => res.send(load()));

      `,
    },
    {
      file: `/p/lib/${i}.js`,
      text:
        i % 3 === 0
          ? dedent`
        const fs = require('fs');
        exports.load = () => fs.readFileSync('${i}');

      `
          : `exports.load = () => ${i};\n`,
    },
  ])
    .flat()
    .map((task) => ({ ...task, project: PROJECT, settings: SETTINGS, repairs: false }));
}

function requestOf(more: Partial<AnalyzeRequest> = {}): AnalyzeRequest & { logged: string[]; warn(message: string): void } {
  const logged: string[] = [];
  return {
    warn: (message) => logged.push(message),
    rules,
    turns: new Turns({ now: () => performance.now(), signal: new AbortController().signal }),
    threads: 1,
    progress: () => undefined,
    log: (message) => logged.push(message),
    logged,
    ...more,
  };
}

const plain = (analyzed: Awaited<ReturnType<typeof analyzeAll>>): unknown =>
  JSON.parse(JSON.stringify(analyzed.map(({ analysis }) => analysis)));

describe('threads', () => {
  let entry: URL;
  before(async () => {
    await builtIn(join(FOLDER, 'dist'));
    entry = pathToFileURL(join(FOLDER, 'dist', 'analysis-thread.js'));
  });

  it('give what one thread gives, in the order of the files', async () => {
    const all = tasks(150);
    const alone = await analyzeAll(all, requestOf());
    const shared = await analyzeAll(all, requestOf({ threads: 3, entry }));
    assert.deepEqual(plain(shared), plain(alone));
    assert.deepEqual(
      shared.map(({ analysis }) => analysis.file),
      all.map(({ file }) => file),
    );
  });

  it('that cannot start, throw or end cost time only', async () => {
    const all = tasks(60);
    const alone = plain(await analyzeAll(all, requestOf()));
    const scripts = {
      missing: undefined,
      throwing: "throw new Error('no');",
      ending: "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(3));",
      silent: "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => parentPort.close());",
    };
    for (const [name, script] of Object.entries(scripts)) {
      const path = join(FOLDER, `${name}.mjs`);
      if (script !== undefined) writeFileSync(path, script);
      const request = requestOf({ threads: 2, entry: pathToFileURL(path) });
      assert.deepEqual(plain(await analyzeAll(all, request)), alone, name);
      if (name === 'throwing') assert.match(request.logged.join('\n'), /An analysis thread failed; its files are analyzed again/);
    }
  });

  it('are ended when the run is', async () => {
    const interruption = new AbortController();
    // The clock makes every look a turn.
    let clock = 0;
    const turns = new Turns({ now: () => (clock += 100), signal: interruption.signal });
    const run = analyzeAll(tasks(200), requestOf({ threads: 2, entry, turns }));
    interruption.abort();
    await assert.rejects(run, Interrupted);
  });
});

describe('a run', () => {
  let entry: URL;
  before(async () => {
    await builtIn(join(FOLDER, 'run'));
    entry = pathToFileURL(join(FOLDER, 'run', 'analysis-thread.js'));
  });
  const asRequests = (all: readonly AnalysisTask[]) => all.map((task) => ({ ...task, rules, repairs: true }));
  const openCache = (path: string) => new AnalysisCache({ path, fingerprint: 'f', now: () => Date.now(), log: assert.fail });
  const findings = async (run: ProjectRun, all: readonly AnalysisTask[]) => {
    const requests = asRequests(all);
    await run.analyze(requests, () => undefined);
    return requests.map((request) =>
      run
        .conclude(request)
        .findings.map(({ ruleId, route, span, related, fixes }) => ({ ruleId, route, span, related, fixes: fixes.length })),
    );
  };

  it('finds the same with a cache, which then saves the work', async () => {
    const all = tasks(12);
    const path = join(FOLDER, 'run.cache');
    const { progress: _, ...request } = requestOf();
    const bare = await findings(new ProjectRun(request), all);
    assert.equal(bare.flat().length, 4);
    assert.deepEqual(
      bare.flat().map(({ route }) => route),
      ['GET /0', 'GET /3', 'GET /6', 'GET /9'],
    );
    const first = new ProjectRun({ ...request, cache: openCache(path) });
    assert.deepEqual(await findings(first, all), bare);
    first.save(true);
    const parsed: string[] = [];
    const watching = rules.map((rule) => ({
      ...rule,
      create:
        rule.create &&
        ((context: Parameters<NonNullable<typeof rule.create>>[0]) => {
          parsed.push(context.file);
          return rule.create?.(context) ?? {};
        }),
    }));
    const second = new ProjectRun({ ...request, rules: watching, cache: openCache(path) });
    const again = all.map((task) => ({ ...task, rules: watching, repairs: true }));
    await second.analyze(again, () => undefined);
    assert.deepEqual(parsed, [], 'nothing is analyzed again');
    assert.deepEqual(
      again.map((one) =>
        second
          .conclude(one)
          .findings.map(({ ruleId, route, span, related, fixes }) => ({ ruleId, route, span, related, fixes: fixes.length })),
      ),
      bare,
    );
    assert.deepEqual(parsed, [], 'nor are the fixes of files with findings, which were kept, too');
  });

  it('starts its threads before the files are read, and ends those that nobody needs', async () => {
    const all = tasks(40);
    const path = join(FOLDER, 'expected.cache');
    const bare = requestOf();
    const alone = await findings(new ProjectRun(bare), all);
    const request = { ...bare, threads: 2, entry };
    const expecting = new ProjectRun({ ...request, cache: openCache(path) });
    expecting.expect(all.length);
    assert.deepEqual(await findings(expecting, all), alone);
    expecting.save(true);
    // What the cache says it knows is of other texts; and nothing comes where much was expected.
    const wrong = new ProjectRun({ ...request, cache: openCache(path) });
    wrong.expect(all.length * 3);
    assert.deepEqual(await findings(wrong, all), alone);
    const other = new ProjectRun(request);
    other.expect(1000);
    await other.dismiss();
    assert.deepEqual(await findings(other, all), alone);
  });

  it('keeps what single files say where the graph cannot be made', async () => {
    class Damaged extends AnalysisCache {
      override answers(): undefined {}
      override summary(file: string, hash: string) {
        const summary = super.summary(file, hash);
        return summary && file === '/p/lib/1.js'
          ? {
              ...summary,
              get ops(): never {
                throw new RangeError('too deep');
              },
            }
          : summary;
      }
    }
    const own: AnalysisTask = {
      ...(tasks(1)[0] as AnalysisTask),
      file: '/p/own.js',
      text: dedent`
        const fs = require('fs');
        const app = require('express')();
        app.get('/own', (req, res) => res.send(fs.readFileSync('x')));

      `,
    };
    const all = [...tasks(3), own];
    const path = join(FOLDER, 'damaged.cache');
    const { progress: _, logged, ...request } = requestOf();
    const whole = new ProjectRun({ ...request, cache: openCache(path) });
    assert.deepEqual(
      (await findings(whole, all)).flat().map(({ route }) => route),
      ['GET /0', 'GET /own'],
    );
    whole.save(true);
    assert.equal(logged.length, 0);
    const damaged = new ProjectRun({ ...request, cache: new Damaged({ path, fingerprint: 'f', now: () => Date.now(), log: assert.fail }) });
    assert.deepEqual(
      (await findings(damaged, all)).flat().map(({ route }) => route),
      ['GET /own'],
    );
    assert.equal(logged.filter((message) => message.startsWith('The call graph across files could not be built')).length, 1);
    damaged.save(true);
    assert.deepEqual(
      (await findings(new ProjectRun({ ...request, cache: openCache(path) }), all)).flat().map(({ route }) => route),
      ['GET /0', 'GET /own'],
      'nothing wrong was kept',
    );
  });

  it('forgets what another text, setting or project would not have found', async () => {
    const path = join(FOLDER, 'stale.cache');
    const { progress: _, ...request } = requestOf();
    const keep = async (all: readonly AnalysisTask[]) => {
      const run = new ProjectRun({ ...request, cache: openCache(path) });
      const found = await findings(run, all);
      run.save(true);
      return found.flat().map(({ route }) => route);
    };
    const all = tasks(6);
    assert.deepEqual(await keep(all), ['GET /0', 'GET /3']);
    // Another file decides: the one with the finding is the same as before.
    assert.deepEqual(
      await keep(all.map((task) => (task.file === '/p/routes/0.js' ? { ...task, text: task.text.replace('load()', '1') } : task))),
      ['GET /3'],
    );
    assert.deepEqual(await keep(all), ['GET /0', 'GET /3']);
    assert.deepEqual(await keep(all.filter(({ file }) => file !== '/p/routes/3.js')), ['GET /0']);
    const off = { ...SETTINGS, 'no-sync-in-handler': { severity: 'off' as const, explicit: true, options: {} } };
    assert.deepEqual(await keep(all.map((task) => ({ ...task, settings: off }))), []);
    assert.deepEqual(await keep(all), ['GET /0', 'GET /3']);
  });
});
