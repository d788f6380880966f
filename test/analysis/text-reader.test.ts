// What is taken over from the version before must be what reading from the beginning gives: tree, lists, comments, and what is wrong.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parentOf, type Node } from '../../analysis/ast.ts';
import type { ModuleIndex } from '../../analysis/module.ts';
import { readModule, TextReader, type ReadOutcome } from '../../analysis/text-reader.ts';
import { VISITOR_KEYS } from '../../analysis/visitor-keys.ts';
import { Random } from '../robustness/random.ts';

const SAMPLES = fileURLToPath(new URL('../../samples', import.meta.url));


/** Everything of a module that anybody may look at, as one text. `extra`'s places, and lines and columns, are let go. */
function describe(outcome: ReadOutcome): string {
  if (!outcome.ok) return JSON.stringify(outcome.issue);
  const { module } = outcome;
  const tree = JSON.stringify(module.ast, (key, value: unknown) => {
    if (key === 'loc' || key === 'parent' || key === 'errors') return undefined;
    return key === 'extra' ? { ...(value as object), parenStart: undefined, trailingComma: undefined, topLevelAwait: undefined } : value;
  });
  const lists = Object.keys(VISITOR_KEYS).map((type) => `${type}: ${module.nodes(type as Node['type']).map((node) => `${node.start}-${node.end} in ${parentOf(node)?.type} ${parentOf(node)?.start}`).join(', ')}`);
  return [tree, ...lists, ...module.importedModules()].join('\n');
}

function firstDifference(is: string, should: string): string {
  let at = 0;
  while (is[at] === should[at]) at++;
  return `…${is.slice(Math.max(0, at - 200), at)}«${is.slice(at, at + 200)}» instead of «${should.slice(at, at + 200)}»`;
}

/** Reads one version after the other and compares each with a reading from the beginning; gives back how many were read in part. */
function follow(file: string, versions: readonly string[]): { parsed: number; failed: number; inPart: number } {
  const reader = new TextReader();
  const counts = { parsed: 0, failed: 0, inPart: 0 };
  let before: ModuleIndex | undefined;
  for (const text of versions) {
    const outcome = reader.read(file, text);
    const [is, should] = [describe(outcome), describe(readModule(file, text))];
    if (is !== should) assert.fail(`${firstDifference(is, should)}\nin\n${text}`);
    if (outcome.ok) {
      counts.parsed++;
      if (outcome.module === before) counts.inPart++;
      before = outcome.module;
    } else counts.failed++;
  }
  return counts;
}

const TYPED = [
  'a', 'x', ' ', '\n', ';', ',', '.', '=', '(', ')', '{', '}', '[', ']', "'", '"', '`', '${', '/', '*', '/*', '*/', '// ', '=>', '?', ':', '<', '>', '#', '@', '\\', '1', '😀', '\r\n',
  ' await ', ' yield ', ' async ', ' function f() {}', ' return ', ' in ', ' of ', ' while ', ' else ', ' class A {}', ' let ', 'if (a) { b(); }', 'do {} while (0)', "'use strict';", 'import x from "y";', 'import.meta', ' export ', '<!--', '-->', 'f(a, , b)', '({ a = 1 })', '<a>b</a>',
];

/** Edits as a person makes them: a few next to each other, then elsewhere; half of them are taken back. */
function typed(random: Random, original: string, count: number): string[] {
  const versions = [original];
  let text = original;
  while (versions.length < count) {
    let at = random.below(text.length + 1);
    const sound = text;
    for (let run = 1 + random.below(4); run > 0; run--) {
      const insert = random.chance(0.2) ? '' : random.pick(TYPED);
      const removed = insert === '' || random.chance(0.2) ? random.below(10) : 0;
      text = text.slice(0, at) + insert + text.slice(at + removed);
      at += insert.length;
      versions.push(text);
    }
    if (random.chance(0.7)) versions.push((text = sound));
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
  const sum = { parsed: 0, failed: 0, inPart: 0 };
  for (const file of scripts(SAMPLES)) {
    const counts = follow(file, typed(random, readFileSync(file, 'utf8'), 60));
    sum.parsed += counts.parsed;
    sum.failed += counts.failed;
    sum.inPart += counts.inPart;
  }
  assert.ok(sum.failed > 500, JSON.stringify(sum));
  // Were every version read from the beginning, nothing would be tested.
  assert.ok(sum.inPart > sum.parsed / 2, JSON.stringify(sum));
});
