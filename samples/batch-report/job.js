import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { summarise, areaOf } from './rows.js';
import { drain } from './queue.js';

/** Reads, adds up, writes. No request waits for any of it, so synchronous calls are fine here. */
export async function run(target) {
  const rows = JSON.parse(readFileSync(fileURLToPath(new URL('./rows.json', import.meta.url)), 'utf8'));
  const report = { ...summarise(rows), area: areaOf(rows) };
  await drain(rows);
  if (target) writeFileSync(target, JSON.stringify(report));
  return report;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await run(process.argv[2]));
