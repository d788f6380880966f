// What titles say of the cost of a fix is what was measured, of the fix as it is made today.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { FIX_COSTS } from '../../knowledge/fix-costs.ts';
import { ROOT } from '../../scripts/generate.ts';
import { FIX_PROGRAMS } from '../../scripts/oracles/fix-programs.ts';
import {
  costWords,
  factorWords,
  fixCostsModule,
  fixTable,
  hashProgram,
  isNarrow,
  withFixTable,
  type FixCostEntry,
} from '../../scripts/oracles/fix-record.ts';

const record = JSON.parse(readFileSync(join(ROOT, 'bench', 'fix-costs.json'), 'utf8')) as FixCostEntry[];

test('each entry is about a program and a fix of today', () => {
  for (const entry of record) {
    const program = FIX_PROGRAMS.find(({ fix, workload }) => fix === entry.fix && workload === entry.workload);
    assert.ok(program, `no program for ${entry.fix} ${entry.workload}`);
    assert.equal(entry.hash, hashProgram(program), `the fix has changed since it was measured: npm run oracles -- --fixes ${entry.fix}`);
    assert.ok(isNarrow(entry.loop.ratio), `${entry.what}: the interval is too wide for a figure`);
  }
});

test('titles and pages say what the record says', () => {
  assert.equal(readFileSync(join(ROOT, 'knowledge', 'fix-costs.ts'), 'utf8'), fixCostsModule(record));
  assert.ok(Object.keys(FIX_COSTS).length > 0);
  for (const rule of new Set(FIX_PROGRAMS.map((one) => one.rule))) {
    const readme = readFileSync(join(ROOT, 'rules', rule, 'README.md'), 'utf8');
    assert.ok(readme.includes(fixTable(record, rule)), `npm run oracles -- --fixes ${rule} writes the table`);
    assert.equal(withFixTable(readme, fixTable(record, rule)), readme);
  }
});

test('words follow the interval', () => {
  assert.equal(factorWords({ middle: 1.58, low: 1.36, high: 1.83 }), '× 1.6');
  assert.equal(factorWords({ middle: 0.0207, low: 0.0155, high: 0.0243 }), '× 0.021');
  assert.equal(factorWords({ middle: 1.05, low: 0.9, high: 1.2 }), 'no difference shown');
  const compared = (middle: number, low: number, high: number) => ({ before: 1, after: middle, ratio: { middle, low, high } });
  const entry = (workload: string, loop: FixCostEntry['loop'], all: FixCostEntry['all']): FixCostEntry => ({
    ...(record[0] as FixCostEntry),
    ...{ workload, loop, all },
  });
  const unclear = compared(1.05, 0.9, 1.2);
  assert.equal(
    costWords([entry('1 KiB', compared(1.58, 1.36, 1.83), compared(1.94, 1.57, 2.28)), entry('4 MiB', compared(0.79, 0.7, 0.9), unclear)]),
    'processor time per request: event loop × 1.6, all threads × 1.9 (1 KiB); event loop × 0.79 (4 MiB)',
  );
  assert.equal(costWords([entry('', unclear, compared(1.17, 1.03, 1.36))]), 'processor time per request: all threads × 1.2');
  assert.equal(
    costWords([entry('', compared(0.6, 0.5, 0.7), compared(0.65, 0.55, 0.74))]),
    'processor time per request: event loop × 0.6',
    'the same figure is not said twice',
  );
  assert.equal(costWords([entry('', unclear, unclear)]), undefined);
});
