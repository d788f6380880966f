// Establishes the truths of the truth bench again, by Node alone and without the profiler. `npm run bench:truth:establish [-- --node 20,22]
// [--only <part of a name>] [--rule <id>] [--missing] [--no-save]` prints what does not hold and writes bench/truth/established.json, case
// by case and Node by Node; what was not asked for keeps its record. `--missing` leaves out what holds by that record.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { truthOn } from './case.ts';
import { cases } from './cases/index.ts';
import { nodesFor } from './nodes.ts';
import { keyOf, readRecord, RECORD, type Established } from './record.ts';
import { carryOut, type Outcome } from './run-check.ts';

/** A pair that a busy machine has blurred is measured once more before it counts as wrong. */
const TRIES = 2;

const { values } = parseArgs({
  options: {
    node: { type: 'string' },
    only: { type: 'string' },
    rule: { type: 'string' },
    missing: { type: 'boolean', default: false },
    'no-save': { type: 'boolean', default: false },
  },
});

const wanted = cases.filter(
  ({ name, finding }) =>
    (values.only === undefined || name.includes(values.only)) && (values.rule === undefined || finding.ruleId === values.rule),
);
let held = 0;
let broken = 0;
for (const { path, version, major } of await nodesFor(values.node)) {
  for (const one of wanted) {
    const truth = truthOn(one.truth, major);
    if (truth === undefined) continue;
    const key = keyOf(one);
    const known = readRecord()[key]?.[major];
    if (values.missing && known?.holds && known.truth === truth) continue;
    const results: Outcome[] = [];
    for (const check of one.established) {
      let outcome = await outcomeOf(() => carryOut(check, one, truth, path, major));
      for (let tried = 1; tried < TRIES && !outcome.holds; tried += 1)
        outcome = await outcomeOf(() => carryOut(check, one, truth, path, major));
      results.push(outcome);
    }
    const holds = results.every((result) => result.holds);
    if (holds) held += 1;
    else {
      broken += 1;
      console.log(`does not hold on Node ${version}: ${key}: ${truth}`);
      for (const result of results) console.log(`  ${result.holds ? 'holds' : 'does not hold'}: ${result.result}`);
    }
    // Another run of this may have written meanwhile.
    const record = readRecord();
    (record[key] ??= {})[major] = {
      node: version,
      date: new Date().toISOString().slice(0, 10),
      truth,
      holds,
      results: results.map(({ result }) => result.slice(0, 300)),
    };
    if (!values['no-save']) writeFileSync(RECORD, `${JSON.stringify(sorted(record), null, 1)}\n`);
  }
}
console.log(`${held} hold, ${broken} do not.`);
process.exitCode = broken > 0 ? 1 : 0;

async function outcomeOf(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    return { holds: false, result: error instanceof Error ? error.message : String(error) };
  }
}

/** What is no case any more is forgotten. */
function sorted(all: Established): Established {
  const keys = new Set(cases.map(keyOf));
  return Object.fromEntries(
    Object.entries(all)
      .filter(([key]) => keys.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
