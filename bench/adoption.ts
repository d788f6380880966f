// An old repository of 1,500 files adopts Nodometer by the commands of docs/ci.md, and then lives on: what is promised, and what was seen.
// `npm run bench:adoption [-- --applications 3] [-- --scripts 1317] [-- --rounds 5]`; ends with 1 if a promise was broken.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeOldRepository } from './adoption/old-repository.ts';
import { runScenario } from './adoption/scenario.ts';
import { buildCommand, table } from './lint-command.ts';
import { median } from './speed/measure.ts';

const { values } = parseArgs({
  options: {
    applications: { type: 'string', default: '3' },
    scripts: { type: 'string', default: '1317' },
    rounds: { type: 'string', default: '5' },
  },
});
const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-adoption-')));
try {
  const folder = join(work, 'old');
  makeOldRepository(folder, { applications: Number(values.applications), scripts: Number(values.scripts) });
  const { findings, files, commands, steps, seconds, reformatted } = await runScenario({
    command: await buildCommand(),
    folder,
    cache: join(work, 'cache'),
    rounds: Number(values.rounds),
  });
  console.log(
    `Node ${process.versions.node}: ${files} files, ${findings} findings; ${commands.length} commands; reformatted: ${reformatted.join(', ')} files\n`,
  );
  console.log(
    table(
      ['', 'step', 'promised', 'seen'],
      steps.map(({ name, promised, seen }) => [promised === seen ? 'ok' : 'NOT', name, promised, promised === seen ? '' : seen]),
    ),
  );
  console.log(
    `\n${table(
      ['warm cache', 'median s', 'lowest', 'highest'],
      [...seconds].map(([name, all]) => [name, ...[median(all), Math.min(...all), Math.max(...all)].map((one) => one.toFixed(2))]),
    )}`,
  );
  if (steps.some(({ promised, seen }) => promised !== seen)) process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
