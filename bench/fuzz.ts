// Fuzzes sources, whole folders, deployment files, protocol messages, and what runs write, for as long as it is asked to.
// `npm run bench:fuzz -- --minutes 60 [--from 1000000] [--subject source]`. Each case is made from its subject and its seed alone. Seeds of
// what was found are kept in test/robustness/fuzz/seeds.json: the test tries them again for ever.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FUZZ_SUBJECTS } from '../test/robustness/fuzz/subjects.ts';
import { runWatched } from '../test/robustness/watched.ts';
import { ROOT } from '../scripts/generate.ts';

const SEEDS = join(ROOT, 'test/robustness/fuzz/seeds.json');
const RESULTS = join(ROOT, 'bench/results/fuzz.json');
const LIST = join(ROOT, 'test/robustness/lists/fuzz.ts');
/** Cases of one process: its start takes as long as a hundred of them. */
const BATCH = 400;
/** A case that says nothing for so long hangs, in ms. */
const SILENCE_MS = 120_000;
const MS_PER_MINUTE = 60_000;

interface Kept {
  subject: string;
  seed: number;
  /** What went wrong, in its first line. */
  found: string;
}

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, from: { type: 'string' }, subject: { type: 'string', multiple: true } },
});
const subjects = values.subject ?? Object.keys(FUZZ_SUBJECTS);
// New cases each time; the figure is printed, so that a run can be repeated.
const from = Number(values.from ?? Math.floor(Date.now() / 1000));
const until = Date.now() + Number(values.minutes) * MS_PER_MINUTE;
const began = Date.now();
const kept = JSON.parse(readFileSync(SEEDS, 'utf8')) as Kept[];
const totals: Record<string, { cases: number; found: number; slowestCpuMs: number; slowest: string }> = {};
for (const subject of subjects) totals[subject] = { cases: 0, found: 0, slowestCpuMs: 0, slowest: '' };

console.log(`Seeds from ${from} on`);
for (let round = 0; Date.now() < until; round += 1) {
  for (const subject of subjects) {
    if (Date.now() >= until) break;
    const total = totals[subject];
    if (!total) throw new Error(`No subject ${subject}: ${Object.keys(FUZZ_SUBJECTS).join(', ')}`);
    const { cases, complaints, slowest } = await runWatched(LIST, [subject, String(from + round * BATCH), String(BATCH)], SILENCE_MS);
    total.cases += cases;
    if (slowest.cpuMs > total.slowestCpuMs) Object.assign(total, { slowestCpuMs: Math.round(slowest.cpuMs), slowest: slowest.name });
    for (const complaint of complaints) {
      const seed = Number(new RegExp(`^${subject} (\\d+):`).exec(complaint)?.[1]);
      console.log(complaint);
      total.found += 1;
      if (Number.isNaN(seed) || kept.some((one) => one.subject === subject && one.seed === seed)) continue;
      kept.push({ subject, seed, found: complaint.slice(`${subject} ${seed}: `.length).split('\n')[0]?.slice(0, 200) ?? '' });
      writeFileSync(SEEDS, `${JSON.stringify(kept, null, 2)}\n`);
    }
  }
}
const minutes = Math.round((Date.now() - began) / MS_PER_MINUTE);
writeFileSync(RESULTS, `${JSON.stringify({ node: process.version, from, minutes, subjects: totals }, null, 2)}\n`);
console.table(totals);
