// Each row of the setup calls was measured, says what the measurement said, and is above the bar.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import {
  AJV_ANOTHER,
  AJV_NEW,
  COMPARED,
  CONNECTION_MS,
  CONTEXT,
  FORMATTED,
  PURIFIER,
  RUN_IN_NEW_CONTEXT,
  SCRIPT_IN_NEW_CONTEXT,
  SETUP_BAR_US,
  SETUP_CALLS,
  VIEW_ENGINES,
} from '../../knowledge/setup-calls.ts';
import { ROOT } from '../../scripts/generate.ts';

interface Measured {
  rows: Record<string, { build: Record<string, number>; use?: Record<string, number> }>;
  connections: Record<string, Record<string, { kept: number; own: number }>>;
}

const { rows, connections } = JSON.parse(readFileSync(join(ROOT, 'bench', 'results', 'setup-costs.json'), 'utf8')) as Measured;
const ALL = [...SETUP_CALLS, AJV_ANOTHER, AJV_NEW, COMPARED, FORMATTED, PURIFIER, CONTEXT, RUN_IN_NEW_CONTEXT, SCRIPT_IN_NEW_CONTEXT];
const NS_PER_US = 1000;
const NS_PER_MS = 1e6;
const rounded = (value: number): number => Number(value.toPrecision(2));
const figuresOf = (name: string): number[] => Object.values(rows[name]?.build ?? {}).map((ns) => ns / NS_PER_US);

it('every row quotes its measurement on three versions of Node', () => {
  for (const { measured, us } of ALL) {
    // A date or a number: one row for both.
    const names = measured.startsWith('number.toLocale') ? [measured, measured.replace('number', 'date')] : [measured];
    const figures = names.flatMap(figuresOf);
    assert.ok(figures.length >= 3, `${measured} was not measured`);
    assert.deepEqual(us, [rounded(Math.min(...figures)), rounded(Math.max(...figures))], measured);
  }
});

it('every row is above the bar, except clients and the comparisons of a sort', () => {
  for (const row of ALL)
    if (row.makes !== 'client' && row !== COMPARED)
      assert.ok(Math.min(...figuresOf(row.measured)) >= SETUP_BAR_US, `${row.measured} takes less than ${SETUP_BAR_US} µs`);
});

it('what connections take is quoted, too', () => {
  for (const [name, quoted] of Object.entries(CONNECTION_MS))
    for (const kind of ['kept', 'own'] as const) {
      const figures = Object.values(connections[name] ?? {}).map((one) => one[kind] / NS_PER_MS);
      assert.deepEqual(quoted[kind], [rounded(Math.min(...figures)), rounded(Math.max(...figures))], `${name} ${kind}`);
    }
});

it('no call has two rows', () => {
  const keys = SETUP_CALLS.map(({ module, path, by }) => `${by} ${module} ${path.join('.')}`);
  assert.equal(new Set(keys).size, keys.length);
});

it('engines of views quote what a view takes with and without the cache', () => {
  for (const { us, kept, measured } of VIEW_ENGINES.values()) {
    const { build, use = {} } = rows[measured] ?? { build: {} };
    for (const [quoted, times] of [
      [us, Object.values(build)],
      [kept, Object.values(use)],
    ] as const) {
      assert.ok(times.length >= 3, `${measured} was not measured`);
      assert.deepEqual(quoted, [rounded(Math.min(...times) / NS_PER_US), rounded(Math.max(...times) / NS_PER_US)], measured);
    }
  }
});
