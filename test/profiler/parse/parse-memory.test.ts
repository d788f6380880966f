// A log of 200 MB is read by a process that may use 64 MB.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildSync } from 'esbuild';
import { ROOT } from '../../../scripts/generate.ts';
import { readText, traceText } from './traces.ts';

const LOG_BYTES = 200 * 1024 * 1024;
const HEAP_MB = 64;
/** Each copy has addresses and files of its own, so that whatever is kept by address or place grows. */
const VARIANTS = 240;
/** Above all addresses of a process (47 bits), and small enough that 240 of them stay exact. */
const ADDRESS_STEP = 2 ** 44;
/** What --log-source-code and --log-ic put between: one line of source text longer than a piece of the file that is read at once. */
const LONG_LINE = `script-source,1,/fixtures/big.js,${'x'.repeat(1024 * 1024)}\n`;

function variant(text: string, index: number): string {
  return text
    .replace(/0x([0-9a-f]+)/g, (whole, digits: string) =>
      /[1-9a-f]/.test(digits) ? `0x${(Number.parseInt(digits, 16) + index * ADDRESS_STEP).toString(16)}` : whole,
    )
    .replaceAll('/fixtures/', `/fixtures/${index}/`);
}

describe('a log of 200 MB', () => {
  it('is read in bounded memory', () => {
    const text = `${traceText(22, 'reasons-turbofan')}${traceText(22, 'dictionaries')}`;
    const once = readText(text);
    const folder = mkdtempSync(join(tmpdir(), 'nodometer-log-'));
    try {
      const file = join(folder, 'big.v8log');
      const out = openSync(file, 'w');
      const variants = Array.from({ length: VARIANTS }, (_, index) => Buffer.from(variant(text, index), 'latin1'));
      let copies = 0;
      let bytes = writeSync(out, LONG_LINE);
      for (; bytes < LOG_BYTES; copies++) bytes += writeSync(out, variants[copies % VARIANTS] ?? Buffer.alloc(0));
      closeSync(out);
      // As one plain file: a loader for TypeScript would take most of the heap for itself.
      const child = join(folder, 'child.mjs');
      buildSync({
        entryPoints: [join(ROOT, 'test/profiler/parse/read-log-child.ts')],
        bundle: true,
        platform: 'node',
        format: 'esm',
        outfile: child,
        logLevel: 'error',
      });
      const told = execFileSync(process.execPath, [`--max-old-space-size=${HEAP_MB}`, child, file], { encoding: 'utf8' });
      const summary = JSON.parse(told) as Record<string, number>;
      assert.equal(summary.lines, copies * once.lines + 1);
      assert.equal(summary.unreadLines, 0);
      assert.equal(summary.deoptimizations, copies * once.deopts.reduce((sum, { count }) => sum + count, 0));
      assert.ok((summary.inlineCaches ?? 0) > 50 * once.inlineCaches.length, `${summary.inlineCaches} inline caches`);
      assert.ok((summary.dropped ?? 0) > 0, 'something is over a limit');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
