// The ranges that no-unbounded-json names are those of the table on its page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { EMPTY_OBJECTS_MS, RECORDS_MS } from '../../knowledge/json-times.ts';
import { ROOT } from '../../scripts/generate.ts';

it('what JSON takes is what was measured', () => {
  const page = readFileSync(join(ROOT, 'rules', 'no-unbounded-json', 'README.md'), 'utf8');
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith('| Node | parse:'));
  assert.ok(start > 0);
  const cells = (line: string): string[] => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, ''));
  const names = cells(lines[start] ?? '');
  const end = lines.findIndex((line, i) => i > start && line === '');
  const rows = lines.slice(start + 2, end).map(cells);
  assert.deepEqual(
    rows.map(([node = '']) => node.split('.')[0]),
    ['20', '22', '24', '26'],
  );
  const rangeOf = (name: string) => {
    const values = rows.map((row) => Number(row[names.indexOf(name)]));
    return { low: Math.min(...values), high: Math.max(...values) };
  };
  assert.deepEqual(rangeOf('parse: records'), RECORDS_MS);
  assert.deepEqual(rangeOf('parse: `{}`'), EMPTY_OBJECTS_MS);
});
