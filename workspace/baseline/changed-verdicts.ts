// Which verdicts of a committed evidence file differ from those of an earlier commit: what a pull request has proved, or no longer proves.
import { join } from 'node:path';
import { isRecord } from '../../protocol/unknown-values.ts';

export interface ChangedVerdict {
  /** Absolute. */
  file: string;
  function: string;
  rule: string;
  /** The code that was judged. */
  code: string;
  /** Undefined: there was none. */
  before: string | undefined;
  /** Undefined: there is none any more. */
  now: string | undefined;
}

type Judged = Omit<ChangedVerdict, 'before' | 'now'> & { verdict: string };

/**
 * By file, function, rule, and code; of several Node versions, each counts.
 * @param folder of the project, to which the names in the file are relative
 * @param before the text of the file then; empty if there was none
 */
export function changedVerdicts(folder: string, before: string, now: string): ChangedVerdict[] {
  const [old, current] = [verdictsIn(folder, before), verdictsIn(folder, now)];
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), current.get(key)];
    const one = is ?? was;
    if (!one || was?.verdict === is?.verdict) return [];
    const { verdict: _, ...place } = one;
    return [{ ...place, before: was?.verdict, now: is?.verdict }];
  });
}

/** Of a file that is no evidence, or has marks of a merge in it, nothing. The run that reads it says so. */
function verdictsIn(folder: string, text: string): ReadonlyMap<string, Judged> {
  const found = new Map<string, Judged>();
  for (const profile of listOf(parsed(text), 'profiles'))
    for (const one of listOf(profile, 'verdicts')) {
      const { file, function: fn, node } = profile;
      const { ruleId, code, verdict } = one;
      if (typeof file !== 'string' || typeof fn !== 'string' || typeof ruleId !== 'string' || typeof verdict !== 'string') continue;
      const judged = {
        file: join(folder, ...file.split('/')),
        function: fn,
        rule: ruleId,
        code: typeof code === 'string' ? code : '',
        verdict,
      };
      found.set([file, fn, ruleId, judged.code, String(node)].join('\n'), judged);
    }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listOf(value: unknown, name: string): Record<string, unknown>[] {
  const list = isRecord(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
