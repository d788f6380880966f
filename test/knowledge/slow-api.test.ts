// Each form that no-slow-api reports was measured, quotes the measurement, and is above the bar on every version.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { SLOW_FIGURES, type SlowFigures } from '../../knowledge/slow-api-figures.ts';
import { SLOW_FORMS } from '../../rules/no-slow-api/sites.ts';
import { ROOT } from '../../scripts/generate.ts';

type Measured = SlowFigures & { grows: boolean };

const { rows } = JSON.parse(readFileSync(join(ROOT, 'bench', 'results', 'slow-api.json'), 'utf8')) as {
  rows: Record<string, Record<string, Measured>>;
};
const forms = [...SLOW_FORMS.values()];
const LEAST_RATIO = 2;
const LEAST_LOW = 1.5;
const LEAST_NS = { call: 10_000, loop: 1000 };

it('the figures are those of the measurement', () => {
  for (const [name, byMajor] of Object.entries(SLOW_FIGURES)) {
    const measured = rows[name] ?? {};
    assert.deepEqual(
      Object.keys(byMajor),
      Object.keys(measured).map((version) => version.split('.')[0]),
      name,
    );
    for (const [version, { grows, ...figures }] of Object.entries(measured)) {
      assert.deepEqual(byMajor[version.split('.')[0] ?? ''], figures, `${name}, Node ${version}`);
      assert.ok(grows, `${name}, Node ${version}: its time does not grow with the number of calls`);
    }
  }
});

it('every form has figures, and every figure a form', () => {
  assert.deepEqual(new Set(forms.map(({ measured }) => measured)), new Set(Object.keys(SLOW_FIGURES)));
});

it('every form is above the bar on four versions of Node', () => {
  for (const { measured, inLoops } of forms) {
    const figures = Object.values(SLOW_FIGURES[measured] ?? {});
    assert.ok(figures.length >= 4, `${measured} was measured on ${figures.length} versions`);
    for (const { slow, fast, ratio, low } of figures) {
      assert.ok(ratio >= LEAST_RATIO && low >= LEAST_LOW, `${measured}: ${ratio} (from ${low})`);
      assert.ok(slow - fast >= (inLoops ? LEAST_NS.loop : LEAST_NS.call), `${measured} saves ${slow - fast} ns`);
    }
  }
});
