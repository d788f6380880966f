// No rule compares each of its places with all others of the file: of generated code, that takes minutes. Counted are the blocks of our code
// that run, as V8 counts them for coverage, so that no clock decides.
import assert from 'node:assert/strict';
import { Session, type Profiler } from 'node:inspector/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { lintText } from '../../analysis/run/run.ts';
import { defaultOptions } from '../../analysis/run/rule-settings.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import type { CaseBase, RuleCases } from '../../analysis/testing/rule-tester.ts';
import { rules } from '../../rules/index.ts';
import { multiplied } from './multiplied.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROJECT = { nodeRange: '>=18', nodeRangeSource: 'the test', root: '/project' };
const TIMES = 30;
/** Of steps for twice as many more places: 2 if each takes the same, 4 if each takes one for all others. */
const MOST_GROWTH = 3;
/** Cases that were quadratic, by rule and a part of the name. */
const ALSO = new Map<string, readonly string[]>([
  ['no-setup-per-request', ['two methods of one route', 'one name for two schemas', 'a formatter with a name', 'agents that belong']],
  ['no-unbounded-json', ['ten megabytes', 'in a method that runs before']],
  ['no-sync-in-handler', ['a Map that is filled while it is empty']],
  ['no-quadratic', ['two whole tables']],
]);

describe('a file with the same places many times', () => {
  const session = new Session();
  before(async () => {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  });
  after(() => session.disconnect());

  const stepsOf = async (rule: AnyRule, one: CaseBase, times: number, isKnown: boolean): Promise<number | undefined> => {
    const file = `/project/${one.file ?? 'src/app.js'}`;
    const text = multiplied(file, one.code.replace(/[«»]/g, ''), times);
    if (text === undefined) return undefined;
    const settings = {
      [rule.meta.id]: { severity: rule.meta.severity, explicit: false, options: { ...defaultOptions(rule.meta), ...one.options } },
    };
    const request = { file, text, project: { ...PROJECT, ...one.project }, rules: [rule], settings, forRuns: true };
    await session.post('Profiler.takePreciseCoverage');
    const { findings, issue, crashes } = lintText(request);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    assert.deepEqual([issue, crashes], [undefined, []], one.name);
    // What finds nothing is tried only where it was quadratic once.
    return findings.length === 0 && !isKnown ? undefined : countBlocks(result);
  };

  for (const rule of rules) {
    const { id } = rule.meta;
    if (!rule.create) continue;
    it(`takes ${id} as many steps more as there are more places`, async () => {
      const { cases } = (await import(pathToFileURL(join(ROOT, 'rules', id, 'cases.ts')).href)) as { cases: RuleCases };
      const all = [...cases.invalid, ...cases.valid].filter((one) => typeof one !== 'string');
      const known = (ALSO.get(id) ?? []).map((part) => all.find(({ name = '' }) => name.includes(part)) as CaseBase);
      const seen = new Set<string>();
      const others = cases.invalid.filter((one) => {
        const messages = one.findings.map(({ messageId }) => messageId).join();
        return !one.others && !seen.has(messages) && seen.add(messages);
      });
      let tried = 0;
      for (const one of new Set([...known, ...others])) {
        if (tried >= known.length + MOST_CASES) break;
        const steps = (times: number) => stepsOf(rule, one, times, known.includes(one));
        const [few, some, many] = [await steps(TIMES), await steps(TIMES * 2), await steps(TIMES * 4)];
        if (few === undefined || some === undefined || many === undefined) continue;
        tried++;
        const growth = (many - some) / (some - few);
        assert.ok(growth < MOST_GROWTH, `${one.name ?? one.code}: ${few}, ${some}, and ${many} steps, growth ${growth.toFixed(2)}`);
      }
      assert.ok(tried > 0, `${id}: no case can stand in a file many times`);
    });
  }
});

/** Of each rule: one for each set of messages. */
const MOST_CASES = 1;

function countBlocks(scripts: readonly Profiler.ScriptCoverage[]): number {
  let steps = 0;
  for (const { url, functions } of scripts)
    if (/\/(?:analysis|rules)\//.test(url)) for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  return steps;
}
