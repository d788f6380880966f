// Random programs, each as it is and once more injured. Arguments: first seed, number of programs.
import type { OddCase } from '../child.ts';
import { mutate } from '../mutations.ts';
import { randomProgram, type Dialect } from '../programs.ts';
import { Random } from '../random.ts';

const DIALECTS: readonly Dialect[] = ['js', 'js', 'ts', 'tsx', 'flow'];
const FILES: Readonly<Record<Dialect, string>> = {
  js: '/project/src/app.js',
  ts: '/project/src/app.ts',
  tsx: '/project/src/app.tsx',
  flow: '/project/src/app.js',
};

export function* cases([from = '0', count = '100']: readonly string[]): Generator<OddCase> {
  for (let seed = Number(from); seed < Number(from) + Number(count); seed++) {
    const random = new Random(seed);
    const dialect = DIALECTS[seed % DIALECTS.length] as Dialect;
    const text = randomProgram(random, dialect, 1 + random.below(8));
    yield { name: `program ${seed}`, file: FILES[dialect], text };
    yield { name: `program ${seed}, injured`, file: FILES[dialect], text: mutate(random, text) };
  }
}
