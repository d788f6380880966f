// A CPU profile of 200 MB, and hostile files, are read by a process that may use 48 MB of heap.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, createWriteStream, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { buildSync } from 'esbuild';
import { ROOT } from '../../scripts/generate.ts';

const HEAP_MB = 48;
const BYTES = 200 * 1024 * 1024;
/** Of the stacks that repeat; a server has tens of thousands of functions at most. */
const FUNCTIONS = 2000;

describe('recordings of any size', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nodometer-production-'));
  const child = join(folder, 'child.mjs');
  before(() => {
    // As one plain file: a loader for TypeScript would take most of the heap for itself.
    buildSync({
      entryPoints: [join(ROOT, 'test/workspace/read-recording-child.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: child,
      logLevel: 'error',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const read = (file: string, heapMb = HEAP_MB): Record<string, unknown> =>
    JSON.parse(execFileSync(process.execPath, [`--max-old-space-size=${heapMb}`, child, file], { encoding: 'utf8' })) as Record<
      string,
      unknown
    >;

  it('are read piece by piece: a CPU profile of 200 MB', () => {
    const file = join(folder, 'big.cpuprofile');
    const out = openSync(file, 'w');
    const node = (id: number, children: readonly number[]) =>
      JSON.stringify({
        id,
        callFrame: {
          functionName: `f${id % FUNCTIONS}`,
          scriptId: '9',
          url: 'file:///app/a.js',
          lineNumber: id % FUNCTIONS,
          columnNumber: 9,
        },
        hitCount: id % FUNCTIONS === 7 ? 3 : 1,
        children,
        positionTicks: [{ line: (id % FUNCTIONS) + 1, ticks: 1 }],
      });
    let bytes = writeSync(out, '{"nodes":[');
    let nodes = 0;
    // Half of it nodes, in a chain as deep as the file is long, and half samples and times.
    for (; bytes < BYTES / 2; ) {
      let piece = '';
      for (let i = 0; i < 1000; i++, nodes++) piece += `${nodes === 0 ? '' : ','}${node(nodes + 1, [nodes + 2])}`;
      bytes += writeSync(out, piece);
    }
    bytes += writeSync(out, `,${node(nodes + 1, [])}],"startTime":1,"endTime":2,"samples":[1`);
    const numbers = ',1048576'.repeat(10_000);
    while (bytes < BYTES * 0.75) bytes += writeSync(out, numbers);
    bytes += writeSync(out, '],"timeDeltas":[0');
    while (bytes < BYTES) bytes += writeSync(out, numbers);
    writeSync(out, ']}');
    closeSync(out);
    assert.ok(statSync(file).size >= BYTES);
    const told = read(file);
    assert.equal(told.functions, FUNCTIONS);
    assert.equal(told.first, 'f7');
    assert.ok(Number(told.total) > nodes);
  });

  it('are refused where they are bombs', async () => {
    const big = '{"nodes":[{"id":1,"callFrame":{"functionName":"';
    const bomb = join(folder, 'bomb.json.gz');
    // 128 MB of a name without an end, in 128 KB.
    await pipeline(
      Readable.from(
        (function* () {
          yield Buffer.from(big);
          const x = Buffer.alloc(1024 * 1024, 'x');
          for (let i = 0; i < 128; i++) yield x;
        })(),
      ),
      createGzip(),
      createWriteStream(bomb),
    );
    assert.match(String(read(bomb).error), /one part of it is larger than 16384 KB/);
    const cases: [name: string, content: Buffer, message: RegExp][] = [
      // A message of pprof for each two bytes: texts, and samples without anything in them.
      ['texts.pb', Buffer.alloc(8 * 1024 * 1024, Buffer.from([0x32, 0x00])), /more than 1000000 functions, locations, or texts/],
      [
        'samples.pb',
        Buffer.concat([Buffer.from([0x0a, 0x00, 0x32, 0x00]), Buffer.alloc(32 * 1024 * 1024, Buffer.from([0x12, 0x00]))]),
        /no samples in which/,
      ],
      // A number that never ends, which `pprof-format` would read for hours.
      ['number.pb', Buffer.concat([Buffer.from([0x0a, 0x04, 0x08]), Buffer.alloc(1024 * 1024, 0xff)]), /no protocol buffer|cut off/],
    ];
    for (const [name, content, message] of cases) {
      writeFileSync(join(folder, name), content);
      assert.match(String(read(join(folder, name)).error), message, name);
    }
    // As many names as are kept, and one more.
    const nodes = Array.from({ length: 200_001 }, (_, i) => `{"id":${i + 1},"callFrame":{"functionName":"${i}"}}`);
    writeFileSync(join(folder, 'names.json'), `{"nodes":[${nodes.join()}]}`);
    assert.match(String(read(join(folder, 'names.json'), 4 * HEAP_MB).error), /more than 200000 different functions/);
  });
});
