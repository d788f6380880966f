// Broken and random sources for the fuzzer.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, SCRIPT_FILE } from '../../../analysis/module/parse.ts';
import { readMarks, type RuleCases } from '../../../analysis/testing/rule-tester.ts';
import { ROOT } from '../../../scripts/generate.ts';
import { TookTooLong, withinTime } from '../../../workspace/time-limit.ts';
import type { OddCase } from '../child.ts';
import { randomProgram, type Dialect } from '../programs.ts';
import type { Random } from '../random.ts';
import { injured } from './injured.ts';

const RULES = new URL('../../../rules/', import.meta.url);
/** What Babel alone needs longer for is ended in the product, too, and says nothing of us. */
const PARSE_MS = 2000;
const ENDINGS: Readonly<Record<Dialect, string>> = { js: 'js', ts: 'ts', tsx: 'tsx', flow: 'js' };

const texts: { file: string; text: string }[] = [];
for (const id of readdirSync(RULES).sort()) {
  const table = new URL(`${id}/cases.ts`, RULES);
  if (!existsSync(fileURLToPath(table))) continue;
  const { cases } = (await import(table.href)) as { cases: RuleCases };
  for (const given of [...cases.invalid, ...cases.valid]) {
    const one = typeof given === 'string' ? { code: given } : given;
    texts.push({ file: `/project/${one.file ?? 'src/app.js'}`, text: readMarks(one.code).code });
  }
}
for (const path of readdirSync(join(ROOT, 'samples'), { recursive: true, encoding: 'utf8' }).sort())
  if (SCRIPT_FILE.test(path) && !path.includes('node_modules'))
    texts.push({ file: `/project/${path}`, text: readFileSync(join(ROOT, 'samples', path), 'utf8') });

export function sourceCase(name: string, random: Random): OddCase {
  const { file, text } = random.chance(0.3) ? generated(random) : random.pick(texts);
  const broken = injured(random, text);
  try {
    withinTime(() => parse(file, broken), PARSE_MS);
  } catch (error) {
    if (error instanceof TookTooLong) return { name, work: async () => [] };
  }
  return { name, file, text: broken, isHuge: true };
}

function generated(random: Random): { file: string; text: string } {
  const dialect = random.pick(['js', 'ts', 'tsx', 'flow'] as const);
  return { file: `/project/src/app.${ENDINGS[dialect]}`, text: randomProgram(random, dialect, 1 + random.below(8)) };
}
