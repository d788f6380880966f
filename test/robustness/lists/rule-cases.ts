// The rules' own cases, where every rule has something to find, injured. Argument: injuries for each case.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readMarks, type RuleCases } from '../../../analysis/testing/rule-tester.ts';
import type { OddCase } from '../child.ts';
import { mutate } from '../mutations.ts';
import { Random } from '../random.ts';

const RULES = new URL('../../../rules/', import.meta.url);

const tables: { id: string; cases: RuleCases }[] = [];
for (const id of readdirSync(RULES).sort()) {
  const table = new URL(`${id}/cases.ts`, RULES);
  if (existsSync(fileURLToPath(table))) tables.push({ id, ...((await import(table.href)) as { cases: RuleCases }) });
}

export function* cases([injuries = '1']: readonly string[]): Generator<OddCase> {
  let seed = 0;
  for (const table of tables) {
    for (const given of [...table.cases.invalid, ...table.cases.valid]) {
      const one = typeof given === 'string' ? { code: given } : given;
      const file = `/project/${one.file ?? 'src/app.js'}`;
      const { code } = readMarks(one.code);
      seed++;
      yield { name: `${table.id} case ${seed}`, file, text: code };
      const random = new Random(seed);
      for (let i = 0; i < Number(injuries); i++) yield { name: `${table.id} case ${seed}, injury ${i}`, file, text: mutate(random, code) };
    }
  }
}
