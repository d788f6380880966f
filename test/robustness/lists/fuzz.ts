// Random cases of one subject, each made from its seed alone. Arguments: the subject, the first seed, the number of cases.
import { FUZZ_SUBJECTS, type FuzzSubject } from '../fuzz/subjects.ts';
import { Random } from '../random.ts';
import type { OddCase } from '../child.ts';

let used: FuzzSubject | undefined;

export function* cases([name = '', from = '0', count = '1']: readonly string[]): Generator<OddCase> {
  used = FUZZ_SUBJECTS[name];
  if (!used) throw new Error(`no subject ${name}`);
  for (let seed = Number(from); seed < Number(from) + Number(count); seed += 1) yield used.make(`${name} ${seed}`, new Random(seed));
}

export async function end(): Promise<void> {
  await used?.end?.();
}
