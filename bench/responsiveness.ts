// Typing into an open file while a workspace of 3,000 files is linted: how long each keystroke waits for its diagnostics.
// `npm run bench:responsiveness [-- --files 3000] [-- --lines 500] [-- --no-save]` prints a table and writes
// bench/results/responsiveness.json.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.ts';
import { LINT_WORKSPACE_REQUEST, type LintWorkspaceParams, type LintWorkspaceResult } from '../protocol/editor.ts';
import { startNodometer, type ServerClient } from './latency/nodometer.ts';
import { getServerCode } from './latency/server-code.ts';
import { typeInto, type Keystroke } from './latency/typing.ts';
import { table } from './lint-command.ts';
import { makeWorkspace } from './many-files.ts';
import { percentile } from './speed/measure.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const BUILT = fileURLToPath(new URL('../.cache/responsiveness', import.meta.url));
const RESULT = join(HERE, 'results', 'responsiveness.json');

/** What we hold ourselves to: a person does not notice a delay below this, in ms. */
const TARGET_MS = 100;
/** Between two keystrokes of a fast typist (100 words in a minute), in ms. */
const KEYSTROKE_EVERY_MS = 120;
const WARM_UP = 120;
/** Keystrokes without a run, to compare with. */
const AT_REST = 100;
/** Keystrokes during runs; a run that is over before so many is followed by another one. */
const DURING = 100;

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '3000' },
    lines: { type: 'string', default: '500' },
    'no-save': { type: 'boolean', default: false },
  },
});

/** Types at a person's pace for as long as there is a reason to; gives the wait of each keystroke in ms. */
async function typeWhile(
  client: ServerClient,
  file: string,
  keystrokes: Iterator<Keystroke>,
  goesOn: (typed: number) => boolean,
): Promise<number[]> {
  const waits: number[] = [];
  while (goesOn(waits.length)) {
    const next = keystrokes.next();
    if (next.done) throw new Error('there are no more keystrokes');
    const start = performance.now();
    await client.type(file, next.value);
    const wait = performance.now() - start;
    waits.push(wait);
    await sleep(Math.max(0, KEYSTROKE_EVERY_MS - wait));
  }
  return waits;
}

interface Waits {
  keystrokes: number;
  p50: number;
  p95: number;
  max: number;
  /** Share of the keystrokes that were answered within the target, from 0 to 1. */
  inTime: number;
}

function summed(waits: readonly number[]): Waits {
  return {
    keystrokes: waits.length,
    p50: percentile(waits, 0.5),
    p95: percentile(waits, 0.95),
    max: Math.max(...waits),
    inTime: waits.filter((ms) => ms <= TARGET_MS).length / waits.length,
  };
}

async function main(): Promise<void> {
  const { command } = await build(BUILT);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-workspace-')));
  try {
    makeWorkspace(folder, Number(values.files));
    const code = getServerCode(Number(values.lines));
    const file = join(folder, 'express-1', 'open-in-the-editor.js');
    writeFileSync(file, code.text);
    const load = loadavg()[0];
    const client = await startNodometer(join(dirname(command), 'server.js'), folder, 'pull');
    await client.open(file, code.text);
    const keystrokes = typeInto(file, code.text, 6000)[Symbol.iterator]();
    for (let i = 0; i < WARM_UP; i++) await client.type(file, keystrokes.next().value as Keystroke);
    const atRest = summed(await typeWhile(client, file, keystrokes, (typed) => typed < AT_REST));
    const runs: { seconds: number; result: LintWorkspaceResult }[] = [];
    const during: number[] = [];
    while (during.length < DURING) {
      const start = performance.now();
      let isRunning = true;
      const run = client.connection
        .sendRequest<LintWorkspaceResult>(LINT_WORKSPACE_REQUEST, { workDoneToken: `run ${runs.length}` } satisfies LintWorkspaceParams)
        .finally(() => (isRunning = false));
      during.push(...(await typeWhile(client, file, keystrokes, () => isRunning)));
      runs.push({ result: await run, seconds: (performance.now() - start) / 1000 });
    }
    await client.close();
    const whileLinting = summed(during);
    const loopDelay = client.log.filter(
      (message) => message.includes('loop delay') || message.includes('loop-delay') || message.includes('Event-loop'),
    );
    const row = (name: string, { keystrokes: count, p50, p95, max, inTime }: Waits): (string | number)[] => [
      name,
      count,
      p50.toFixed(1),
      p95.toFixed(1),
      max.toFixed(1),
      `${(inTime * 100).toFixed(1)} %`,
    ];
    console.log(`${values.files} files, ${code.lines} lines in the open one; ms from a keystroke to its diagnostics\n`);
    console.log(
      table(
        ['', 'keystrokes', 'p50', 'p95', 'max', `within ${TARGET_MS} ms`],
        [row('nothing else going on', atRest), row('while the workspace is linted', whileLinting)],
      ),
    );
    console.log(
      `\n${runs.length} runs of ${runs.map(({ seconds }) => seconds.toFixed(1)).join(', ')} s, ${runs[0]?.result.files} files, ${runs[0]?.result.findings} findings`,
    );
    for (const message of loopDelay) console.log(message);
    if (values['no-save']) return;
    mkdirSync(join(HERE, 'results'), { recursive: true });
    writeFileSync(
      RESULT,
      `${JSON.stringify(
        {
          machine: {
            cpu: cpus()[0]?.model,
            cores: cpus().length,
            memoryGb: Math.round(totalmem() / 2 ** 30),
            node: process.version,
            platform: `${process.platform} ${process.arch}`,
            loadBefore: load,
            loadAfter: loadavg()[0],
          },
          target: { ms: TARGET_MS },
          files: Number(values.files),
          lines: code.lines,
          everyMs: KEYSTROKE_EVERY_MS,
          atRest,
          whileLinting,
          runs,
          loopDelay,
        },
        null,
        1,
      )}\n`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
