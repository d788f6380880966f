// Random cases, each made from its subject and its seed alone. Arguments: a subject, the first seed, the number of cases, and so on.
import { FUZZ_SUBJECTS, type FuzzSubject } from '../fuzz/subjects.ts';
import { Random } from '../random.ts';
import type { OddCase } from '../child.ts';

const used = new Set<FuzzSubject>();

export function* cases(args: readonly string[]): Generator<OddCase> {
  for (let at = 0; at < args.length; at += 3) {
    const [name = '', from = '0', count = '1'] = args.slice(at, at + 3);
    const subject = FUZZ_SUBJECTS[name];
    if (!subject) throw new Error(`no subject ${name}`);
    used.add(subject);
    for (let seed = Number(from); seed < Number(from) + Number(count); seed += 1) yield subject.make(`${name} ${seed}`, new Random(seed));
  }
}

export async function end(): Promise<void> {
  for (const subject of used) await subject.end?.();
}
