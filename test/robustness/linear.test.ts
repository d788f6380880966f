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
import { multiplied, multipliedInOne, multipliedInside } from './multiplied.ts';

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

/** The same for places in one function. */
const ALSO_INSIDE = new Map<string, readonly string[]>([
  ['no-blocking-loop', ['the number of ways']],
  ['no-polymorphic-call', ['a method of a class']],
  ['no-sync-in-handler', ['only the first request makes what is missing']],
  ['no-microtask-starvation', ['a settled promise, then itself']],
  ['no-stack-capture', ['an error that only a check throws', 'with a code', 'for each line of a log']],
  ['no-unbounded-fan-out', ['streams of all files', 'a request for each row, where nothing is awaited']],
  ['no-unbounded-growth', ['a table by a counter, which nobody reads']],
  ['no-unstable-shape', ['a toJSON method is a hint', 'a name that is left out of a copy', 'the field added last']],
]);
/** What these report stands outside of functions, or is reported once for a file or a function. */
const NEVER_INSIDE: ReadonlySet<string> = new Set([
  'no-late-threadpool-size',
  'no-polymorphic-call',
  'no-slow-start',
  'prefer-available-parallelism',
  'require-node-env',
]);

/** Its fix breaks the lines of the whole statement around it anew, so that each costs more in a longer function. */
const WIDE_FIXES: ReadonlySet<string> = new Set(['prefer-available-parallelism']);

/** Lines of one function, each with a number of its own, that were compared with all others: what they are, rule, line, before and after them. */
const LINES = [
  [
    'folders that are made where they are missing',
    'no-sync-in-handler',
    "if (!fs.existsSync('d#')) fs.mkdirSync('d#');",
    "const fs = require('node:fs'); require('express')().get('/', async (req, res) => {",
    'res.end(); });',
  ],
  [
    'calls in one loop',
    'no-query-per-item',
    'if (req.body.of#.includes(one)) found.push(one);',
    "const found = []; require('express')().get('/', (req, res) => { for (const one of req.body.all) {",
    '} res.end(); });',
  ],
] as const;

type Multiply = (file: string, code: string, times: number) => string | undefined;

describe('the same places many times', () => {
  const session = new Session();
  before(async () => {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  });
  after(() => session.disconnect());

  const stepsOf = async (rule: AnyRule, one: CaseBase, times: number, multiply: Multiply, least: number): Promise<number | undefined> => {
    const file = `/project/${one.file ?? 'src/app.js'}`;
    const text = multiply(file, one.code.replace(/[«»]/g, ''), times);
    return text === undefined ? undefined : stepsFor(rule, one, file, text, least);
  };
  const stepsFor = async (rule: AnyRule, one: CaseBase, file: string, text: string, least: number): Promise<number | undefined> => {
    const settings = {
      [rule.meta.id]: { severity: rule.meta.severity, explicit: false, options: { ...defaultOptions(rule.meta), ...one.options } },
    };
    const request = { file, text, project: { ...PROJECT, ...one.project }, rules: [rule], settings, forRuns: true };
    await session.post('Profiler.takePreciseCoverage');
    const { findings, issue, crashes } = lintText(request);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    assert.deepEqual([issue, crashes], [undefined, []], one.name);
    return findings.length < least ? undefined : countBlocks(result);
  };

  /** Undefined if the case cannot stand there many times. */
  const check = async (rule: AnyRule, one: CaseBase, multiply: Multiply, least: (times: number) => number): Promise<true | undefined> => {
    const steps = (times: number) => stepsOf(rule, one, times, multiply, least(times));
    const few = await steps(TIMES);
    const some = few === undefined ? undefined : await steps(TIMES * 2);
    const many = some === undefined ? undefined : await steps(TIMES * 4);
    if (few === undefined || some === undefined || many === undefined) return undefined;
    const growth = (many - some) / (some - few);
    assert.ok(growth < MOST_GROWTH, `${one.name ?? one.code}: ${few}, ${some}, and ${many} steps, growth ${growth.toFixed(2)}`);
    return true;
  };

  const casesOf = async ({ meta: { id } }: AnyRule, also: ReadonlyMap<string, readonly string[]>) => {
    const { cases } = (await import(pathToFileURL(join(ROOT, 'rules', id, 'cases.ts')).href)) as { cases: RuleCases };
    const all = [...cases.invalid, ...cases.valid].filter((one) => typeof one !== 'string');
    const known = (also.get(id) ?? []).map((part) => all.find(({ name = '' }) => name.includes(part)) as CaseBase);
    const seen = new Set<string>();
    const others = cases.invalid.filter((one) => {
      const messages = one.findings.map(({ messageId }) => messageId).join();
      return !one.others && !known.includes(one) && !seen.has(messages) && seen.add(messages);
    });
    return { known, others };
  };

  for (const [name, id, line, before, after] of LINES) {
    it(`${name}: as many steps more as there are more lines`, async () => {
      const rule = rules.find((one) => one.meta.id === id);
      assert.ok(rule);
      const multiply: Multiply = (_, code, times) =>
        [before, ...Array.from({ length: times }, (_, i) => code.replaceAll('#', String(i))), after].join('\n');
      assert.ok(await check(rule, { code: line }, multiply, () => 0));
    });
  }

  for (const rule of rules) {
    const { id } = rule.meta;
    if (!rule.create) continue;

    it(`in a file: takes ${id} as many steps more as there are more places`, async () => {
      const { known, others } = await casesOf(rule, ALSO);
      let tried = 0;
      // What finds nothing is tried only where it was quadratic once.
      for (const one of known) if (await check(rule, one, multiplied, () => 0)) tried++;
      for (const one of others) {
        if (tried >= known.length + MOST_CASES) break;
        if (await check(rule, one, multiplied, () => 1)) tried++;
      }
      assert.ok(tried > 0, `${id}: no case can stand in a file many times`);
    });

    it(`in a function: takes ${id} as many steps more as there are more places`, async () => {
      const { known, others } = await casesOf(rule, ALSO_INSIDE);
      let tried = 0;
      for (const one of [...known, ...others]) {
        if (tried >= known.length + MOST_CASES) break;
        const place = Math.max(0, one.code.indexOf('«'));
        for (const outward of [0, 1, 2]) {
          const inside: Multiply = (file, code, times) => multipliedInside(file, code, place, outward, times);
          if (!(await check(rule, one, inside, (times) => times))) continue;
          tried++;
          break;
        }
      }
      assert.equal(tried > 0, !NEVER_INSIDE.has(id), `${id}: tried ${tried} cases`);
      tried = 0;
      // Functions in one function, for those rules that look at the functions around a place.
      for (const one of WIDE_FIXES.has(id) ? [] : [...known, ...others]) {
        if (tried >= known.length + MOST_CASES) break;
        if (await check(rule, one, multipliedInOne, (times) => times)) tried++;
      }
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
