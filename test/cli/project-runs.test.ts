// Runs of the built command over a project: parts of it say what the whole says, and whatever happens to the cache, the findings are those
// without one.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { builtIn } from '../built.ts';
import { RecordCache } from '../../workspace/project-index/record-cache.ts';
import { folderWith } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** More than are worth a second thread. */
const MODULES = 90;
const KILLS = 12;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Routes in one file, what they call in the next, what blocks in a third; every third service calls nothing. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "runs" }',
  'app.js': dedent`
    const app = require('express')();
    ${Array.from({ length: MODULES }, (_, i) => `app.get('/r${i}', (req, res) => res.json(require('./services/s${i}').show(req.params.id)));\n`).join('')}
  `,
  ...Object.fromEntries(
    Array.from({ length: MODULES }, (_, i) => [
      `services/s${i}.js`,
      dedent`
        const { load } = require('../stores/t${i}');
        exports.show = (id) => ${i % 3 === 0 ? 'id' : 'load(id)'};

      `,
    ]),
  ),
  ...Object.fromEntries(
    Array.from({ length: MODULES }, (_, i) => [
      `stores/t${i}.js`,
      dedent`
        const fs = require('node:fs');
        exports.load = function load(id) {
          return fs.readFileSync(id, 'utf8');
        };

      `,
    ]),
  ),
  // What calls of other files hand over, and functions that queue each other.
  'sums/add.js': dedent`
    exports.add = function add(a, b) {
      return a + b;
    };

  `,
  'sums/total.js': dedent`
      const { add } = require('./add');
      exports.total = (n) => {
        let sum = 0;
        for (let i = 0; i < n; i++) sum += add(i, 1);
        return sum;
      };

    `,
  'sums/label.js': dedent`
    const { add } = require('./add');
    exports.label = () => add('a', 'b');

  `,
  'queue/drain.js': dedent`
      const queue = require('./schedule');
      exports.drain = function drain(jobs) {
        const job = jobs.shift();
        if (!job) return;
        job();
        queue.schedule(jobs);
      };

    `,
  'queue/schedule.js': dedent`
      const queue = require('./drain');
      exports.schedule = function schedule(jobs) {
        process.nextTick(() => queue.drain(jobs));
      };

    `,
  'own.js': dedent`
    const fs = require('node:fs');
    exports.own = (req, res) => res.end(fs.readFileSync(req.url));

  `,
};

interface Row {
  file: string;
  line: number;
  ruleId: string;
}

describe('the built command on a project', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-runs-')));
  const folder = folderWith(FILES);
  const env = { PATH: process.env.PATH, HOME: work, XDG_CACHE_HOME: join(work, 'caches') };
  let command = '';
  let expected: Row[] = [];
  before(async () => {
    ({ command } = await builtIn(join(work, 'dist')));
    expected = lint('--no-cache', '.');
    assert.equal(expected.length, MODULES - MODULES / 3 + 3);
    assert.deepEqual(
      expected.flatMap(({ file, line, ruleId }) => (ruleId === 'no-sync-in-handler' ? [] : `${basename(file)}:${line} ${ruleId}`)),
      ['schedule.js:3 no-microtask-starvation', 'add.js:2 no-polymorphic-call'],
    );
  });
  after(() => {
    folder.dispose();
    rmSync(work, { recursive: true, force: true });
  });

  const argvOf = (more: readonly string[]) => [command, 'lint', '--format', 'json', '--exit-zero', '--no-progress', ...more];

  /** Nothing is said beside the findings. */
  function lint(...more: string[]): Row[] {
    const { status, stdout, stderr } = spawnSync(process.execPath, argvOf(more), {
      cwd: folder.path,
      encoding: 'utf8',
      env,
      maxBuffer: MAX_OUTPUT,
    });
    assert.deepEqual([status, stderr], [0, '']);
    return JSON.parse(stdout) as Row[];
  }

  const lintWith = (cache: string): Row[] => lint('--cache-location', cache, '.');
  const written = (name: string): string => {
    const cache = join(work, name, 'runs.cache');
    assert.deepEqual(lintWith(cache), expected);
    return cache;
  };

  it('reports in shards what one run reports, each file in one of them', () => {
    const shards = [1, 2, 3].map((index) => lint('--shard', `${index}/3`, '.'));
    for (const shard of shards) assert.ok(shard.length > expected.length / 6, String(shard.length));
    assert.deepEqual(shards.flat().sort(byPlace), [...expected].sort(byPlace));
    const files = shards.map((shard) => new Set(shard.map(({ file }) => file)));
    assert.equal(
      new Set(files.flatMap((some) => [...some])).size,
      files.reduce((sum, some) => sum + some.size, 0),
    );
  });

  it('says of one file, and of a folder, what it says of them in the whole', () => {
    for (const part of ['stores/t1.js', 'stores/t3.js', 'own.js', 'stores']) {
      const path = join(folder.path, part);
      assert.deepEqual(
        lint(part),
        expected.filter(({ file }) => file === path || file.startsWith(`${path}/`)),
        part,
      );
    }
  });

  it('takes what is named for the whole with --no-project', () => {
    assert.deepEqual(lint('--no-project', 'stores'), []);
    assert.deepEqual(
      lint('--no-project', 'own.js'),
      expected.filter(({ file }) => file === join(folder.path, 'own.js')),
    );
    assert.deepEqual(lint('--no-project', '.'), expected);
  });

  it('uses its cache: one that says otherwise is believed, unless another version wrote it', () => {
    const cache = written('believed');
    const { key } = JSON.parse(/\{.*/.exec(readFileSync(cache, 'latin1').split('\n', 1)[0] ?? '')?.[0] ?? '') as { key: string };
    const lied = join(work, 'believed', 'lied.cache');
    /** The same records under a key; the file `own.js` has nothing in it there. */
    const lie = (otherKey: string) => {
      const records = new RecordCache({ path: cache, key, now: () => Date.now(), log: (message) => assert.fail(message) });
      const told = new RecordCache({ path: lied, key: otherKey, now: () => Date.now(), log: () => undefined });
      for (const file of records.files()) {
        const hash = records.hashOf(file) ?? '';
        const result = records.result(file, hash) ?? '';
        const isOwn = file.endsWith('own.js');
        told.set(file, {
          hash,
          result: isOwn ? JSON.stringify({ ...(JSON.parse(result) as object), findings: [], proposals: [] }) : result,
          summary: records.summary(file, hash) ?? '',
        });
      }
      assert.ok(told.save());
    };
    lie(key);
    assert.deepEqual(
      lintWith(lied),
      expected.filter(({ file }) => !file.endsWith('own.js')),
    );
    lie(`0.0.0 ${key}`);
    assert.deepEqual(lintWith(lied), expected);
    assert.ok(readFileSync(lied, 'latin1').includes(key), 'it is written anew');
    assert.ok(!readFileSync(lied, 'latin1').includes('0.0.0 '));
  });

  it('finds the same with a cache that is cut off, broken, empty, or something else', () => {
    const cache = written('broken');
    const bytes = readFileSync(cache);
    const flipped = (at: number) => {
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ 0x41;
      return other;
    };
    const broken: Buffer[] = [
      Buffer.alloc(0),
      Buffer.from('{}'),
      Buffer.alloc(4096),
      ...[20, 200, Math.floor(bytes.length / 2), bytes.length - 1].map((length) => bytes.subarray(0, length)),
      Buffer.concat([bytes, bytes.subarray(0, 50)]),
      ...[5, 30, 400, Math.floor(bytes.length / 3), bytes.length - 3].map(flipped),
    ];
    for (const [i, content] of broken.entries()) {
      writeFileSync(cache, content);
      assert.deepEqual(lintWith(cache), expected, `the broken cache ${i}`);
      assert.ok(readFileSync(cache).length > bytes.length / 2, `${i} was written anew`);
    }
  });

  it('finds the same where nothing can be written', () => {
    writeFileSync(join(work, 'file'), '');
    assert.deepEqual(lintWith(join(work, 'file', 'runs.cache')), expected, 'below a file');
    const locked = join(work, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o555);
    assert.deepEqual(lintWith(join(locked, 'runs.cache')), expected, 'a folder that may only be read');
    const cache = written('taken');
    rmSync(cache);
    mkdirSync(cache);
    // A folder is where the cache is put; its own file lies in it then.
    assert.deepEqual(lintWith(cache), expected);
  });

  it('finds the same in two runs at once', async () => {
    const cache = join(work, 'both', 'runs.cache');
    for (let round = 0; round < 2; round++) {
      const runs = [0, 1].map(() =>
        spawn(process.execPath, argvOf(['--cache-location', cache, '.']), { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'inherit'] }),
      );
      const texts = await Promise.all(
        runs.map(async (child) => {
          let text = '';
          child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
          await once(child, 'close');
          return text;
        }),
      );
      for (const text of texts) assert.deepEqual(JSON.parse(text), expected);
    }
    assert.deepEqual(lintWith(cache), expected);
  });

  it('finds the same after runs that were killed at any moment', async () => {
    const cache = join(work, 'killed', 'runs.cache');
    lintWith(cache);
    // As long as the runs below take, which find all but one file in the cache.
    writeFileSync(join(folder.path, 'own.js'), `${FILES['own.js']}// first\n`);
    const started = performance.now();
    lintWith(cache);
    const whole = performance.now() - started;
    let killed = 0;
    for (let i = 0; i < KILLS; i++) {
      // Something is to be written each time.
      writeFileSync(join(folder.path, 'own.js'), `${FILES['own.js']}// ${i}\n`);
      const child = spawn(process.execPath, argvOf(['--cache-location', cache, '.']), { cwd: folder.path, env, stdio: 'ignore' });
      const timer = setTimeout(() => child.kill('SIGKILL'), (whole * (i + 1)) / KILLS);
      const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
      clearTimeout(timer);
      if (signal === 'SIGKILL') killed++;
      if (existsSync(cache)) {
        const { key } = JSON.parse(/\{.*/.exec(readFileSync(cache, 'latin1').split('\n', 1)[0] ?? '')?.[0] ?? '') as { key: string };
        assert.ok(
          new RecordCache({ path: cache, key, now: () => Date.now(), log: (message) => assert.fail(message) }).size > MODULES,
          'it is whole',
        );
      }
      if (i % 4 === 3) assert.deepEqual(lintWith(cache), expected, `after ${i + 1} runs`);
    }
    writeFileSync(join(folder.path, 'own.js'), FILES['own.js'] ?? '');
    assert.ok(killed >= KILLS / 3, `${killed} of ${KILLS} were killed`);
    assert.deepEqual(lintWith(cache), expected);
  });

  it('puts its cache into the folder for caches, and nothing into the project', () => {
    const files = readdirSync(folder.path, { recursive: true }).sort();
    assert.deepEqual(lint('.'), expected);
    assert.deepEqual(readdirSync(folder.path, { recursive: true }).sort(), files);
    assert.ok(
      readdirSync(join(work, 'caches'), { recursive: true }).some((name) => String(name).endsWith('.cache')),
      'there is one',
    );
  });
});

function byPlace(a: Row, b: Row): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line;
}
