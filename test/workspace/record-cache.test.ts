// The cache on disk: what is wrong with it is never used, and never worse than an empty one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RecordCache } from '../../workspace/project-index/record-cache.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'nodometer-cache-'));
const WRITER = fileURLToPath(new URL('record-cache-writer.ts', import.meta.url));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

function open(path: string, key = 'k', log: string[] = []): RecordCache {
  return new RecordCache({ path, key, now: () => Date.now(), log: (message) => log.push(message) });
}

function written(name: string): string {
  const path = join(FOLDER, name, 'cache');
  const cache = open(path);
  for (let i = 0; i < 40; i++)
    cache.set(`/p/ä${i}.js`, { hash: `h${i}`, result: JSON.stringify([i, 'é\n']), summary: JSON.stringify({ i, text: 'x'.repeat(i) }) });
  assert.ok(cache.save());
  return path;
}

describe('records', () => {
  it('are there again, for the same text only', () => {
    const cache = open(written('again'));
    assert.equal(cache.size, 40);
    assert.deepEqual([cache.result('/p/ä7.js', 'h7'), cache.summary('/p/ä7.js', 'h7')], ['[7,"é\\n"]', '{"i":7,"text":"xxxxxxx"}']);
    assert.deepEqual(
      [cache.result('/p/ä7.js', 'h8'), cache.summary('/p/ä7.js', 'other'), cache.result('/p/none.js', 'h7')],
      [undefined, undefined, undefined],
    );
    assert.equal(cache.save(), false, 'nothing has changed');
  });

  it('are taken over, replaced and taken away', () => {
    const path = written('replaced');
    const cache = open(path);
    cache.set('/p/ä1.js', { hash: 'new', result: '1', summary: '2' });
    cache.delete('/p/ä2.js');
    assert.ok(cache.save());
    const again = open(path);
    assert.deepEqual(
      [
        again.size,
        again.result('/p/ä1.js', 'new'),
        again.result('/p/ä1.js', 'h1'),
        again.hashOf('/p/ä2.js'),
        again.result('/p/ä3.js', 'h3'),
      ],
      [39, '1', undefined, undefined, '[3,"é\\n"]'],
    );
  });

  it('of another key or an older layout are not used, and nothing is said', () => {
    const path = written('key');
    const log: string[] = [];
    assert.equal(open(path, 'other', log).size, 0);
    writeFileSync(path, readFileSync(path, 'latin1').replace('"format":1', '"format":0'), 'latin1');
    assert.equal(open(path, 'k', log).size, 0);
    assert.deepEqual(log, []);
  });
});

describe('a cache that others can reach', () => {
  const isPosix = process.platform !== 'win32';

  it('is made for its user alone', () => {
    const path = written('modes/inner');
    if (!isPosix) return;
    assert.deepEqual([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777], [0o600, 0o700]);
    assert.equal(statSync(join(FOLDER, 'modes')).mode & 0o777, 0o700);
  });

  it('is not believed where every user may write it, or another has', () => {
    const path = written('others');
    if (!isPosix) return;
    const log: string[] = [];
    chmodSync(path, 0o666);
    assert.equal(open(path, 'k', log).size, 0);
    assert.match(log.join(), /is not used: it belongs to another user, or every user may write it\.$/);
    chmodSync(path, 0o644);
    assert.equal(open(path).size, 40);
    // Only root may give a file away.
    if (process.getuid?.() !== 0) return;
    chownSync(path, 4321, 4321);
    assert.equal(open(path).size, 0);
  });
});

describe('a cache that is broken', () => {
  it('is empty wherever it is cut off', () => {
    const path = written('cut');
    const bytes = readFileSync(path);
    for (let length = 0; length < bytes.length; length += 7) {
      writeFileSync(path, bytes.subarray(0, length));
      const log: string[] = [];
      assert.equal(open(path, 'k', log).size, 0, `${length} bytes`);
      assert.equal(log.length, 1, `${length} bytes`);
    }
  });

  it('is empty or whole whichever byte of it is another', () => {
    const path = written('flipped');
    const bytes = readFileSync(path);
    let empty = 0;
    for (let at = 0; at < bytes.length; at += 11) {
      const broken = Buffer.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ 0x15;
      writeFileSync(path, broken);
      const cache = open(path);
      if (cache.size === 0) empty++;
      else assert.fail(`byte ${at} was changed and nobody noticed`);
    }
    assert.ok(empty > 100);
  });

  it('is empty when it is a folder, or cannot be written, and that is told', () => {
    const path = join(FOLDER, 'folder', 'cache');
    mkdirSync(path, { recursive: true });
    const log: string[] = [];
    const cache = open(path, 'k', log);
    cache.set('/p/a.js', { hash: 'h', result: '1', summary: '2' });
    assert.equal(cache.save(), false);
    assert.match(log.join('\n'), /was not written/);
    assert.deepEqual(readdirSync(join(FOLDER, 'folder')), ['cache'], 'nothing is left behind');
  });

  it('is written anew', () => {
    const path = written('anew');
    writeFileSync(path, 'nodometer-cache {"format":1');
    const cache = open(path);
    cache.set('/p/a.js', { hash: 'h', result: '1', summary: '2' });
    assert.ok(cache.save());
    assert.equal(open(path).result('/p/a.js', 'h'), '1');
  });
});

describe('writers', () => {
  it('that are killed, or write at the same time, leave one whole cache', async () => {
    const path = join(FOLDER, 'writers', 'cache');
    let whole = 0;
    for (let round = 0; round < 4; round++) {
      const children = [0, 1].map((number) =>
        spawn(process.execPath, [...TYPESCRIPT_FLAGS, WRITER, path, String(number)], { stdio: ['ignore', 'pipe', 'inherit'] }),
      );
      for (const child of children) await once(child.stdout, 'data');
      for (const end = Date.now() + 100 + round * 17; Date.now() < end; ) {
        const log: string[] = [];
        const cache = open(path, 'k', log);
        assert.deepEqual(log, []);
        const counts = new Set([...cache.files()].map((file) => cache.result(file, 'h')));
        assert.ok(cache.size === 200 && counts.size === 1, `${cache.size} records of ${counts.size} writes`);
        whole++;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      for (const child of children) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      assert.equal(open(path).size, 200);
    }
    assert.ok(whole > 10);
  });

  it('sweep up what killed ones left, once nobody can be writing it any more', () => {
    const path = written('swept');
    const folder = join(FOLDER, 'swept');
    const [old, fresh] = ['cache.1.a.nodometer-tmp', 'cache.2.b.nodometer-tmp'].map((name) => join(folder, name));
    for (const file of [old, fresh]) writeFileSync(file ?? '', 'half');
    const longAgo = new Date(Date.now() - 7_200_000);
    utimesSync(old ?? '', longAgo, longAgo);
    const cache = open(path);
    cache.delete('/p/ä2.js');
    assert.ok(cache.save());
    assert.deepEqual(readdirSync(folder).sort(), ['cache', 'cache.2.b.nodometer-tmp']);
  });
});
