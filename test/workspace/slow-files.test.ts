// Many files of endless work in one folder: together they have a limit, the others are read as ever, and each is reported.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import vm from 'node:vm';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { rules } from '../../rules/index.ts';
import { folderWith } from '../cli/support.ts';
import { withEndlessFixes } from './endless-fixes.ts';
import { analyzeAll, answerBatches, type ThreadAnswer, type ThreadBatch } from '../../workspace/project-index/analysis-threads.ts';
import { read, requestOf, type AnalysisTask } from '../../workspace/project-index/file-analysis.ts';
import { ProjectRun } from '../../workspace/project-index/project-run.ts';
import { SlowFiles } from '../../workspace/project-index/slow-files.ts';
import { scopeIn } from '../../workspace/discovery/git-ignore.ts';
import { inTwoTries } from '../../workspace/second-try.ts';
import { SharedLimit } from '../../workspace/shared-limit.ts';
import { startWork, type Work } from '../../workspace/thread-work.ts';
import { TookTooLong, type withinTime } from '../../workspace/time-limit.ts';
import { Turns } from '../../workspace/turns.ts';

const SETTINGS = defaultSettings(rules);
const PROJECT = { nodeRange: '>=20', nodeRangeSource: 'a test' };
const HANDLER = dedent`
  const app = require('express')();
  app.get('/', (req, res) => res.end(require('node:fs').readFileSync('a')));

`;
/** Babel doubles its work with each level: 22 of them take hours. */
const BOMB = '<T>(a={b:'.repeat(22);
const BOMBS = 4;
/** In ms: less than the first looks at the bombs take together. */
const LIMIT = 500;
/** What is left of the common time, in ms. */
const LEFT = 300;
/** Each may take a second: more than the limit in all. */
const PATTERN_FILES = 8;
const MESSAGE = 'took too long, and the limit for all slow files together (0.5 s) was used up';

/** As on a machine where nobody waits for a processor. */
const onTheWall: typeof startWork = () => {
  const start = performance.now();
  return () => ({ ms: performance.now() - start, waited: 0 });
};
const taskOf = (file: string, text: string): AnalysisTask => ({ file, text, project: PROJECT, settings: SETTINGS, repairs: false });
const APP = taskOf('/p/app.js', HANDLER);
const TASKS = [APP, ...Array.from({ length: BOMBS }, (_, i) => taskOf(`/p/bomb${i}.ts`, BOMB))];

const analyzed = async (tasks: readonly AnalysisTask[], slow?: SlowFiles) => {
  const turns = new Turns({ now: () => performance.now(), signal: new AbortController().signal });
  const all = await analyzeAll(tasks, { rules, turns, threads: 1, progress: () => undefined, log: assert.fail, ...(slow ? { slow } : {}) });
  return all.map(({ analysis }) => analysis);
};

/** How often work is ended from now on. */
function endings(context: TestContext): { count: number } {
  const ended = { count: 0 };
  const run = vm.Script.prototype.runInContext;
  context.mock.method(vm.Script.prototype, 'runInContext', function (this: vm.Script, ...args: Parameters<typeof run>) {
    try {
      return run.apply(this, args) as unknown;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') ended.count++;
      throw error;
    }
  });
  return ended;
}

describe('slow files', () => {
  it('have what is left of their common time, and what every file may take', () => {
    const slow = new SlowFiles(60_000);
    const small = 'x'.repeat(1000);
    assert.equal(slow.limitFor(small, 10_000), 10_000);
    // As ordinary files do, in any number.
    for (let i = 0; i < 100_000; i++) slow.took(small, 60);
    assert.equal(slow.limitFor(small, 100_000), 60_070);
    for (let i = 0; i < 5; i++) slow.took(small, 10_000);
    assert.equal(slow.isUsedUp, false);
    assert.equal(slow.limitFor(small, 100_000), 10_420);
    slow.took(small, 100_000);
    assert.equal(slow.isUsedUp, true);
    assert.equal(slow.limitFor(small, 10_000), 70);
    assert.equal(slow.limitFor('x'.repeat(100_000), 10_000), 2050);
  });

  it('are left out once it is used up, each with a message, and cost no finding', async (context) => {
    const [alone] = await analyzed([APP]);
    assert.ok(alone && alone.findings.length + alone.proposals.length > 0);
    const ended = endings(context);
    const [app, ...bombs] = await analyzed(TASKS, new SlowFiles(LIMIT, onTheWall));
    assert.deepEqual(app, alone);
    assert.deepEqual(
      bombs.map(({ issue }) => issue),
      Array.from({ length: BOMBS }, () => ({ message: MESSAGE, offset: 0, tookTooLong: true })),
    );
    // None of them was tried at length after the first look.
    assert.equal(ended.count, BOMBS);
  });

  it('have such a limit on further threads, too', async () => {
    const { port1, port2 } = new MessageChannel();
    try {
      answerBatches(port2, rules, new SlowFiles(LIMIT, onTheWall));
      const answer = new Promise<ThreadAnswer>((resolve) => port1.once('message', resolve));
      const tasks = TASKS.map((task) => ({ ...task, project: 0, settings: 0 }));
      port1.postMessage({ first: 0, tasks, projects: [PROJECT], settings: [SETTINGS] } satisfies ThreadBatch);
      const [app, ...bombs] = (await answer).texts.map(({ result }) => read(result));
      assert.ok(app && app.findings.length + app.proposals.length > 0);
      assert.deepEqual(
        bombs.map(({ issue }) => issue?.message),
        Array.from({ length: BOMBS }, () => MESSAGE),
      );
    } finally {
      port1.close();
    }
  });
});

describe('fixes that take for ever', () => {
  it('have what is left of the common time, and cost no finding', async (context) => {
    const took = context.mock.method(SlowFiles.prototype, 'took');
    const endless = withEndlessFixes(rules);
    const turns = new Turns({ now: () => performance.now(), signal: new AbortController().signal });
    const project = new ProjectRun({ rules: endless, turns, threads: 1, log: assert.fail, warn: assert.fail });
    const request = requestOf({ ...APP, repairs: true }, endless);
    await project.analyze([request], () => undefined);
    assert.ok(project.hasFindings(APP.file));
    const limits = context.mock.method(SlowFiles.prototype, 'limitFor', () => LEFT);
    const before = took.mock.callCount();
    const { findings } = project.conclude(request);
    assert.deepEqual(
      findings.map(({ fixes, refused }) => [fixes.length, refused.at(-1)?.reason]),
      [[0, 'computing the fixes for this file took too long']],
    );
    assert.deepEqual([limits.mock.callCount(), took.mock.callCount() - before], [1, 1]);
    // Making them, too, as `--fix` does: a file may have thousands.
    assert.equal(
      project.inTime(HANDLER, () => {
        for (;;);
      }),
      undefined,
    );
    assert.equal(
      project.inTime(HANDLER, () => 'fixed'),
      'fixed',
    );
  });
});

describe('files on a crowded machine', () => {
  const request = requestOf(APP, rules);
  /** Limits that were set, the first `ended` of which end the work. */
  function limitedTimes(ended: number): { limits: number[]; limited: typeof withinTime } {
    const limits: number[] = [];
    const limited = <T>(work: () => T, limit: number): T => {
      limits.push(limit);
      if (limits.length <= ended) throw new TookTooLong(limit);
      return work();
    };
    return { limits, limited };
  }
  const took = (works: readonly Work[]) => {
    const left = [...works];
    return () => () => left.shift() ?? assert.fail('tried too often');
  };

  it('are tried once more if they hardly had a processor, for longer by as much', () => {
    const slow = new SlowFiles(
      60_000,
      took([
        { ms: 10_000, waited: 8000 },
        { ms: 30_000, waited: 24_000 },
      ]),
    );
    const { limits, limited } = limitedTimes(1);
    const analysis = slow.analyze(request, 10_000, limited);
    assert.equal(analysis.issue, undefined);
    assert.ok(analysis.findings.length + analysis.proposals.length > 0);
    assert.deepEqual(limits, [10_000, 50_000]);
  });

  it('are told as slow if they had one, and after the second try, which has a limit', () => {
    const [busy, crowded] = [limitedTimes(9), limitedTimes(9)];
    assert.equal(
      new SlowFiles(60_000, took([{ ms: 10_000, waited: 3000 }])).analyze(request, 10_000, busy.limited).issue?.tookTooLong,
      true,
    );
    assert.deepEqual(busy.limits, [10_000]);
    const works = [
      { ms: 10_000, waited: 9990 },
      { ms: 80_000, waited: 79_000 },
    ];
    assert.deepEqual(new SlowFiles(60_000, took(works)).analyze(request, 10_000, crowded.limited).issue, {
      message: 'took too long (more than 10 s)',
      offset: 0,
      tookTooLong: true,
    });
    assert.deepEqual(crowded.limits, [10_000, 80_000]);
  });

  it('have deployment files beside them, of which the same holds', () => {
    const [tries, counted]: [number[], number[]] = [[], []];
    const endAt = (last: number) => (stretch: number) => {
      tries.push(stretch);
      if (tries.length < last) throw new TookTooLong(10_000 * stretch);
      return 'read';
    };
    const crowded = took([
      { ms: 10_000, waited: 8000 },
      { ms: 30_000, waited: 24_000 },
    ]);
    const count = (ms: number) => void counted.push(ms);
    assert.equal(inTwoTries(endAt(2), count, crowded), 'read');
    assert.deepEqual(
      [tries.splice(0), counted.splice(0)],
      [
        [1, 5],
        [2000, 6000],
      ],
    );
    const late = took([
      { ms: 10_000, waited: 9990 },
      { ms: 80_000, waited: 79_000 },
    ]);
    assert.throws(() => inTwoTries(endAt(9), count, late), new TookTooLong(10_000));
    assert.deepEqual(tries.splice(0), [1, 8]);
    assert.throws(() => inTwoTries(endAt(9), count, took([{ ms: 10_000, waited: 3000 }])), TookTooLong);
    assert.deepEqual(tries, [1], 'it had a processor');
  });

  it('take nothing of the common time by waiting', () => {
    const slow = new SlowFiles(1000, took(Array.from({ length: 100 }, () => ({ ms: 900, waited: 880 }))));
    for (let i = 0; i < 100; i++) slow.look(request, 10_000);
    assert.equal(slow.isUsedUp, false);
  });

  it('wait as long as the system says', { skip: process.platform !== 'linux' && 'only Linux counts it' }, () => {
    const work = startWork();
    for (const end = performance.now() + 50; performance.now() < end; );
    const { ms, waited } = work();
    assert.ok(ms >= 50 && waited >= 0 && waited < ms, `${waited} of ${ms} ms`);
  });
});

describe('slow patterns', () => {
  it('of several .gitignore files have a limit together, and the quick ones hold', () => {
    const warnings: string[] = [];
    const options = { ignorecase: false, time: new SharedLimit(LIMIT), warn: (message: string) => warnings.push(message) };
    const folder = folderWith(
      Object.fromEntries(Array.from({ length: PATTERN_FILES }, (_, i) => [`f${i}/.gitignore`, `${'**/a/'.repeat(14)}[x]\nskipped.js\n`])),
    );
    try {
      const scopes = Array.from({ length: PATTERN_FILES }, (_, i) => scopeIn(join(folder.path, `f${i}`), undefined, options));
      const answers = scopes.map((scope, i) => {
        const at = join(folder.path, `f${i}`);
        return [scope?.answer(join(at, `${'a/'.repeat(40)}b.js`), false), scope?.answer(join(at, 'skipped.js'), false)];
      });
      assert.deepEqual(
        answers,
        scopes.map(() => ['unmentioned', 'ignored']),
      );
      assert.ok(options.time.isUsedUp);
      assert.equal(warnings.length, PATTERN_FILES);
      for (const warning of warnings) assert.match(warning, /some of its patterns take too long and are not applied/);
    } finally {
      folder.dispose();
    }
  });
});
