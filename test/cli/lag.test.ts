// `nodometer lag`: a known block is found with its length and its code, start-up is told apart, a quiet program is quiet.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { LagReport } from '../../protocol/evidence.ts';
import { delayLines } from '../../workspace/formats/program-text.ts';
import { MARKDOWN } from '../../workspace/formats/profile-style.ts';
import { folderWith, run } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const FILES = {
  'package.json': '{ "scripts": { "start": "node parent.js" } }',
  'parent.js': dedent`
    require('node:child_process').fork('./blocky.js');
    setTimeout(() => {}, 900);

  `,
  'blocky.js': `function burn(ms) {
  const end = process.hrtime.bigint() + BigInt(ms) * 1000000n;
  while (process.hrtime.bigint() < end);
}
burn(120);
setTimeout(function late() {
  burn(200);
  setTimeout(() => {}, 100);
}, 300);
`,
  'native.js': dedent`
    const { pbkdf2Sync } = require('node:crypto');
    let n = 0;
    const timer = setInterval(function tick() {
      if (++n === 4) clearInterval(timer);
      pbkdf2Sync('a', 'b', 200000, 64, 'sha512');
    }, 100);
    setTimeout(() => {}, 3000);

  `,
  'quiet.js': dedent`
    let n = 0;
    const timer = setInterval(() => { if (++n === 20) clearInterval(timer); }, 20);

  `,
  'forever.js': dedent`
    setTimeout(function spin() {
      for (;;);
    }, 200);

  `,
  // The first block is shorter than what it takes until a block that goes on is written down.
  'last-words.js': dedent`
    function burn(ms) {
      const end = process.hrtime.bigint() + BigInt(ms) * 1000000n;
      while (process.hrtime.bigint() < end);
    }
    setTimeout(function last() {
      burn(Number(process.argv[2]));
      process.exit(0);
    }, 300);

  `,
  'brief.js': 'module.exports = 1;\n',
  'busy-brief.js': dedent`
    const end = process.hrtime.bigint() + 300000000n;
    while (process.hrtime.bigint() < end);

  `,
  'typed.ts': '@(() => {}) class A {}\n',
  'server.js': "require('node:http').createServer((req, res) => res.end()).listen(0, '127.0.0.1');\n",
};

describe('lag', () => {
  const folder = folderWith(FILES);
  after(() => folder.dispose());
  const lag = (...argv: string[]) => run(['lag', ...argv], { cwd: folder.path, env: { PATH: process.env.PATH ?? '' } });
  const reportOf = async (file: string, ...argv: string[]) =>
    JSON.parse((await lag(file, '--yes', '-f', 'json', ...argv)).out) as LagReport;

  it('finds a known block with its code, and tells start-up apart', async () => {
    const { blocks, startUpBlocks, delay } = await reportOf('blocky.js', '--threshold', '100');
    const longest = blocks.find((block) => block.stack.some((frame) => frame.functionName === 'late'));
    assert.ok(longest, JSON.stringify(blocks));
    // The block is 200 ms by the program's own clock; a busy machine makes it longer, never shorter than its resolution allows.
    assert.ok(longest.duration >= 200 - delay.resolution - 1, `${longest.duration}`);
    assert.deepEqual(
      longest.stack.slice(0, 2).map(({ functionName }) => functionName),
      ['burn', 'late'],
    );
    assert.ok(startUpBlocks.every((block) => !block.stack.some((frame) => frame.functionName === 'late')));
    assert.ok(delay.max >= 199, `${delay.max}`);
    assert.ok(delay.blocks >= 1 && delay.utilization > 0 && delay.utilization <= 1);
  });

  it('finds a block that lasts until the process ends, in its full length', async () => {
    for (const ms of [160, 900]) {
      const { blocks, delay } = await reportOf('last-words.js', '--', String(ms));
      assert.deepEqual(
        blocks.map(({ endless, stack }) => [endless, stack.map(({ functionName }) => functionName).join(' < ')]),
        [[false, 'burn < last']],
      );
      assert.ok((blocks[0]?.duration ?? 0) >= ms - delay.resolution - 1, JSON.stringify(blocks));
      assert.ok((blocks[0]?.duration ?? 0) <= delay.max + 5, `${JSON.stringify(blocks)}, longest delay ${delay.max}`);
      assert.equal(delay.blocks, 1);
    }
  });

  it('finds calls of Node that answer nobody before they are done, each with its place', async () => {
    const { blocks } = await reportOf('native.js', '--threshold', '40');
    const places = blocks.map(({ kind, call, stack: [first] }) => `${kind} ${call} ${first?.functionName} ${first?.line}:${first?.column}`);
    assert.deepEqual(
      places.filter((place) => place === 'synchronous crypto.pbkdf2Sync tick 5:3'),
      Array.from({ length: 4 }, () => 'synchronous crypto.pbkdf2Sync tick 5:3'),
      places.join(', '),
    );
  });

  it('says it in words, with an exit code', async () => {
    let { out, code } = await lag('blocky.js', '--yes', '--threshold', '150');
    // Beside other work, a thread of which a wait for a processor is all that was seen is not blamed, and that is said.
    for (let again = 0; again < 3 && /The longest delay is not counted as a block/.test(out); again++)
      ({ out, code } = await lag('blocky.js', '--yes', '--threshold', '150'));
    assert.match(out, /blocky\.js on Node \d/);
    assert.match(out, /resolution of 1 ms is subtracted/);
    assert.match(out, /burn {2}blocky\.js:\d+:\d+\n +late {2}blocky\.js:7:3/);
    assert.equal(code, 1);
  });

  it('does not leave a longest delay beside no blocks without a word', () => {
    const told = (max: number, blocks: number): string =>
      delayLines(
        {
          p50: 0.2,
          p90: 0.3,
          p99: 1.5,
          max,
          resolution: 1,
          idleFloor: 1.8,
          utilization: 0.5,
          blocks,
          threshold: 150,
          window: 813,
          histogram: [],
        },
        MARKDOWN,
      ).join('\n');
    assert.match(told(415.3, 0), /The longest delay is not counted as a block: other programs used the processors/);
    assert.doesNotMatch(told(415.3, 1), /not counted/);
    assert.doesNotMatch(told(149, 0), /not counted/);
  });

  it('watches a script with the processes that it starts, and tells of the one that was held up', async () => {
    const { out, code } = await lag('--script', 'start', '--yes', '--threshold', '150', '-f', 'json');
    const report = JSON.parse(out) as LagReport;
    assert.equal(report.command, 'npm run start');
    assert.ok(
      report.blocks.some((block) => block.stack[1]?.functionName === 'late'),
      JSON.stringify(report.blocks),
    );
    assert.ok(
      report.delay.max >= 199 && report.delay.histogram.some(({ upTo, count }) => count > 0 && (upTo ?? Infinity) > 150),
      JSON.stringify(report.delay),
    );
    assert.equal(code, 1);
    assert.match(
      (await lag('quiet.js', '--yes', '--threshold', '500', '-f', 'markdown')).out,
      /^# node quiet\.js on Node \d[^]*## Event loop delay\n/,
    );
  });

  it('ends what never ends, and servers after the time', async () => {
    const { blocks } = await reportOf('forever.js', '--time', '8');
    assert.ok(
      blocks.some((block) => block.endless && block.stack[0]?.functionName === 'spin'),
      JSON.stringify(blocks),
    );
    const { out } = await lag('forever.js', '--time', '1', '--yes');
    assert.match(out, /Event loop delay\n {2}unknown: the event loop was blocked until the program was stopped/);
    const { delay } = await reportOf('server.js', '--time', '1', '--threshold', '5000');
    assert.equal(delay.blocks, 0);
  });

  it('is quiet about a quiet program', async () => {
    // Half a second: no machine that is merely busy holds up a loop for so long.
    const { code, out } = await lag('quiet.js', '--yes', '--threshold', '500');
    assert.match(out, /blocks over 500 ms: 0/);
    assert.equal(code, 0);
  });

  it('answers for a program that ends at once, and says that it was not stopped', async () => {
    for (const file of ['brief.js', 'busy-brief.js']) {
      const { code, out } = await lag(file, '--yes', '--threshold', '100');
      assert.match(out, /not measured: the program ended too early {2}blocks over 100 ms: 0/, file);
      assert.match(out, /ended before its event loop had run long enough/, file);
      assert.equal(code, 0);
    }
  });

  it('says what to do about TypeScript that Node does not run', async () => {
    const { code, err } = await lag('typed.ts', '--yes');
    assert.match(err, /Node \d[\d.]* does not run this TypeScript by itself\. Run the npm script .* `--script start`\./);
    assert.equal(code, 2);
  });

  it('asks first, and says what is wrong', async () => {
    const cases: [argv: string[], says: RegExp][] = [
      [['quiet.js'], /Nothing was run/],
      [[], /Specify one program/],
      [['gone.js'], /File not found/],
      [['quiet.js', 'x'], /Put the program's arguments after `--`/],
      [['quiet.js', '--time', 'x', '--yes'], /`--time` must be a positive number/],
      [['quiet.js', '--script', 'start'], /Specify one program/],
      [['--script', 'strat', '--yes'], /Script `strat` not found.*Did you mean `start`/],
      [['quiet.js', '--yes', '--node', '99'], /Node 99 was not found on this machine/],
      [['quiet.js', '--yes', '--node', '20,22'], /one Node version at a time/],
    ];
    for (const [argv, says] of cases) {
      const { err, code } = await lag(...argv);
      assert.match(err, says, argv.join(' '));
      assert.equal(code, 2);
    }
  });
});
