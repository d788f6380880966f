// A program that puts files of its own into the folder of its run: what is no regular file is passed over, and nothing waits for it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { recordsOf } from '../../profiler/parse/records.ts';
import { makeBench, nodesToTest } from './runs.ts';

/** The harness holds its records open, and Linux says where they are. */
const TARGET = `const { execFileSync } = require('node:child_process');
const { mkdirSync, readdirSync, readlinkSync, symlinkSync } = require('node:fs');
const { dirname, join } = require('node:path');
const own = readdirSync('/proc/self/fd').flatMap((fd) => {
  try { return [readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; }
}).find((path) => /records-\\d+-\\d+\\.jsonl$/.test(path));
const at = (name) => join(dirname(own), name);
symlinkSync('/dev/zero', at('records-9-9.jsonl'));
symlinkSync('/dev/zero', at('v8-9.log'));
mkdirSync(at('records-8-8.jsonl'));
execFileSync('mkfifo', [at('records-7-7.jsonl'), at('v8-7.log'), at('feedback-7.txt'), at('x.cpuprofile')]);
console.log('planted');
setTimeout(() => {}, 200);
`;

describe('files that the program puts into the folder of its run', { skip: !existsSync('/proc/self/fd') && 'no /proc' }, () => {
  it('are read where they are regular files alone', async () => {
    const [node] = await nodesToTest();
    assert.ok(node);
    const bench = makeBench(node);
    try {
      const target = { type: 'file' as const, file: bench.write('plant.cjs', TARGET), arguments: [] };
      const outcome = await bench.runWith({ kind: 'watch', target, limits: { wallMs: 20_000 } }, (artifacts) => artifacts);
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      const { records, v8Logs, cpuProfiles, feedbackFiles } = outcome.value;
      assert.ok(recordsOf(records, 'started').length > 0, 'its own records are there');
      const planted = [...v8Logs, ...cpuProfiles, ...feedbackFiles].filter((path) => /(?:-7\.|-9\.|x\.cpuprofile)/.test(path));
      assert.deepEqual(planted, []);
      assert.deepEqual(bench.leftovers(), []);
    } finally {
      bench.end();
    }
  });
});
