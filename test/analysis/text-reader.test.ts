// What is taken over from the version before must be what reading from the beginning gives: tree, lists, comments, and what is wrong; and
// the findings.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parentOf, type Node } from '../../analysis/module/ast.ts';
import type { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { readModule, TextReader, type ReadOutcome } from '../../analysis/module/text-reader.ts';
import { VISITOR_KEYS } from '../../analysis/module/visitor-keys.ts';
import { TextLinter } from '../../analysis/run/text-linter.ts';
import { lintText, type LintRequest } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { rules } from '../../rules/index.ts';
import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { Random } from '../robustness/random.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const SAMPLES = fileURLToPath(new URL('../../samples', import.meta.url));

/** Everything of a module that anybody may look at, as one text. `extra`'s places, and lines and columns, are let go. */
function describe(outcome: ReadOutcome): string {
  if (!outcome.ok) return JSON.stringify(outcome.issue);
  const { module } = outcome;
  const tree = JSON.stringify(module.ast, (key, value: unknown) => {
    if (key === 'loc' || key === 'parent' || key === 'errors') return undefined;
    return key === 'extra' ? { ...(value as object), parenStart: undefined, trailingComma: undefined, topLevelAwait: undefined } : value;
  });
  const lists = Object.keys(VISITOR_KEYS).map(
    (type) =>
      `${type}: ${module.has(type as Node['type'])} ${module
        .nodes(type as Node['type'])
        .map((node) => `${node.start}-${node.end} in ${parentOf(node)?.type} ${parentOf(node)?.start}`)
        .join(', ')}`,
  );
  return [tree, ...lists, ...module.importedModules()].join('\n');
}

function firstDifference(is: string, should: string): string {
  let at = 0;
  while (is[at] === should[at]) at++;
  return `…${is.slice(Math.max(0, at - 200), at)}«${is.slice(at, at + 200)}» instead of «${should.slice(at, at + 200)}»`;
}

interface Counts {
  parsed: number;
  failed: number;
  /** Of those that parse: read in part, and changed nowhere that counts. */
  inPart: number;
  idle: number;
}

/** Reads one version after the other and compares each with a reading from the beginning. */
function follow(file: string, versions: readonly string[], counts: Counts): void {
  const reader = new TextReader();
  let before: ModuleIndex | undefined;
  for (const text of versions) {
    const outcome = reader.read(file, text);
    const [is, should] = [describe(outcome), describe(readModule(file, text))];
    if (is !== should)
      assert.fail(dedent`
      ${firstDifference(is, should)}
      in
      ${text}
    `);
    if (outcome.ok) {
      counts.parsed++;
      if (outcome.module === before) counts[outcome.idle ? 'idle' : 'inPart']++;
      before = outcome.module;
    } else counts.failed++;
  }
}

const SETTINGS = defaultSettings(rules);
const PROJECT: ProjectInfo = {
  root: '/shop',
  nodeRange: '>=6',
  nodeRangeSource: 'the test',
  manifest: { name: 'shop', bin: [], scripts: {}, dependencies: { express: '^4.0.0', koa: '^2.0.0' }, devDependencies: {}, private: true },
};

/** The same for findings. */
function lintAll(file: string, versions: readonly string[]): number {
  const linter = new TextLinter();
  let found = 0;
  for (const text of versions) {
    const request: LintRequest = { file, text, project: PROJECT, rules, settings: SETTINGS, repairs: false };
    const [is, should] = [linter.lint(request), lintText(request)].map((result) => JSON.stringify(result));
    if (is !== should)
      assert.fail(dedent`
      ${firstDifference(is ?? '', should ?? '')}
      in
      ${text}
    `);
    found += JSON.parse(is ?? '').findings.length;
  }
  return found;
}

const QUIET = [
  'limit',
  ' awilix',
  ' check()',
  'throwIfNoEntry',
  'a',
  'b ',
  ' ',
  '\n',
  '  ',
  '\n  ',
  '.',
  '*',
  '/',
  "it's",
  '@param',
  'nodometer-disable-line',
  '// ',
  '\r\n',
  '\u2028',
  '{',
  'require(',
];

const TYPED = [
  'a',
  'x',
  ' ',
  '\n',
  ';',
  ',',
  '.',
  '=',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  "'",
  '"',
  '`',
  '${',
  '/',
  '*',
  '/*',
  '*/',
  '// ',
  '=>',
  '?',
  ':',
  '<',
  '>',
  '#',
  '@',
  '\\',
  '1',
  '😀',
  '\r\n',
  ' await ',
  ' yield ',
  ' async ',
  ' function f() {}',
  ' return ',
  ' in ',
  ' of ',
  ' while ',
  ' else ',
  ' class A {}',
  ' let ',
  'if (a) { b(); }',
  'do {} while (0)',
  "'use strict';",
  'import x from "y";',
  'import.meta',
  ' export ',
  '<!--',
  '-->',
  'f(a, , b)',
  '({ a = 1 })',
  '<a>b</a>',
];

/**
 * Edits as a person makes them: a few next to each other, then elsewhere; most of them are taken back. Many go into comments and the space
 * between statements.
 */
function typed(random: Random, original: string, count: number): string[] {
  const versions = [original];
  let text = original;
  while (versions.length < count) {
    const quiet = random.chance(0.4) ? [...text.matchAll(/\/[/*] ?|\w(?=[^\n]*\*\/)|[;{}]\n/g)] : [];
    const place = quiet.length > 0 ? random.pick(quiet) : undefined;
    let at = place ? place.index + place[0].length : random.below(text.length + 1);
    const sound = text;
    for (let run = 1 + random.below(4); run > 0; run--) {
      const insert = random.chance(0.2) ? '' : random.pick(place && random.chance(0.8) ? QUIET : TYPED);
      const removed = insert === '' || random.chance(0.2) ? random.below(10) : 0;
      text = text.slice(0, at) + insert + text.slice(at + removed);
      at += insert.length;
      versions.push(text);
    }
    // What stays broken is broken for all that comes.
    if (random.chance(0.5) || (random.chance(0.95) && !parse('a.js', text).ok)) versions.push((text = sound));
  }
  return versions;
}

function* scripts(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') yield* scripts(path);
    } else if (/\.[cm]?jsx?$/.test(entry.name)) yield path;
  }
}

test('typing into the samples gives what reading from the beginning gives', () => {
  const random = new Random(20261121);
  const counts: Counts = { parsed: 0, failed: 0, inPart: 0, idle: 0 };
  for (const file of scripts(SAMPLES)) follow(file, typed(random, readFileSync(file, 'utf8'), 60), counts);
  assert.ok(counts.failed > 500, JSON.stringify(counts));
  // Were every version read from the beginning, nothing would be tested.
  assert.ok(counts.inPart > 80 && counts.idle > 200, JSON.stringify(counts));
});

test('typing into the samples gives the findings that a fresh run gives', () => {
  const random = new Random(20261122);
  let found = 0;
  for (const file of scripts(SAMPLES)) found += lintAll(file, typed(random, readFileSync(file, 'utf8'), 60));
  assert.ok(found > 500, String(found));
});

test('typing into the cases of the rules gives the findings that a fresh run gives', async () => {
  const random = new Random(20261123);
  let found = 0;
  // Rules about deployment files alone have no modules as cases.
  for (const { meta } of rules.filter(({ create }) => create)) {
    const { cases } = (await import(new URL(`../../rules/${meta.id}/cases.ts`, import.meta.url).href)) as { cases: RuleCases };
    for (const { code, file = 'src/app.js' } of cases.invalid)
      found += lintAll(`/shop/${file}`, typed(random, code.replace(/[«»]/g, ''), 6));
  }
  assert.ok(found > 500, String(found));
});

test('what a rule only asks of a text is asked again, and nothing else is done where the answer is the same', () => {
  let runs = 0;
  const meta = { ...(rules[0] as (typeof rules)[number]).meta, id: 'asks', messages: { has: { what: 'has', why: '', remedy: '' } } };
  const asks: LintRequest['rules'][number] = {
    meta,
    create: ({ facts, report }) => {
      runs++;
      return {
        FunctionDeclaration: (node) => {
          if (facts.source.test(node, (text) => text.includes('wanted'))) report({ at: node.id ?? node, messageId: 'has' });
        },
      };
    },
  };
  const linter = new TextLinter();
  const all = [asks];
  const settings = defaultSettings(all);
  const found = (text: string) =>
    linter.lint({ file: '/shop/a.js', text, project: PROJECT, rules: all, settings, repairs: false }).findings.map(({ span }) => span);
  const text = dedent`
    function a() {
      // here
    }
    function b() {}

  `;
  assert.deepEqual(found(text), []);
  assert.deepEqual(found(text.replace('here', 'hers')), []);
  assert.deepEqual(found(text.replace('here', 'here wante')), []);
  assert.equal(runs, 1);
  assert.deepEqual(found(text.replace('here', 'here wanted')), [{ start: 9, end: 10 }]);
  assert.equal(runs, 2);
  assert.deepEqual(found(text.replace('here', 'here wanted!')), [{ start: 9, end: 10 }]);
  assert.equal(runs, 2);
  assert.deepEqual(found(text.replace('here', 'here want')), []);
});
