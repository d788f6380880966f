// Code that Prettier has formatted is still as Prettier formats it after a fix, and a second run of the fixes changes nothing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check, format } from 'prettier';
import { allFixes, everyFix } from './apply.ts';
import { cases } from './cases.ts';
import type { FixCase } from './fix-case.ts';

/** Prettier's default, and what a fix takes from a file whose lines are not longer. */
const WIDTH = 80;
const SCRIPT = /\.[cm]?[jt]sx?$/;

/** What Prettier lays out in another way although no line is too long. */
const LEFT_TO_PRETTIER: readonly { what: string; isIt: (text: string, formatted: string) => boolean }[] = [
  { what: 'a function with a block, in two calls', isIt: (text) => /await Promise\.all\(\w+\.map\(async \(\w+\) => \{$/m.test(text) },
  { what: 'a template that is broken in parentheses', isIt: (text) => /\(await \w+\(\n\s*`/.test(text) },
  { what: 'lines that would now fit on one', isIt: (text, formatted) => linesOf(formatted).length < linesOf(text).length },
];

function linesOf(text: string): string[] {
  return text.split('\n');
}

const optionsOf = (filepath: string) => ({ filepath, singleQuote: true, printWidth: WIDTH });

async function formatted({ files }: FixCase): Promise<Map<string, string>> {
  const texts = Object.entries(files).map(async ([name, marked]): Promise<[string, string]> => {
    const text = marked.replace(/[«»]/g, '');
    return [name, SCRIPT.test(name) ? await format(text, optionsOf(name)) : text];
  });
  return new Map(await Promise.all(texts));
}

describe('the layout of fixed code', () => {
  const left = new Set<string>();

  it('is as Prettier has it', async () => {
    let fixes = 0;
    for (const one of cases) {
      const before = await formatted(one);
      for (const { title, files } of everyFix(before, one.manifest)) {
        fixes++;
        for (const [name, text] of files) {
          if (text === before.get(name) || !SCRIPT.test(name)) continue;
          const old = new Set(linesOf(before.get(name) ?? ''));
          const long = linesOf(text).filter((line) => line.length > WIDTH && !old.has(line));
          assert.deepEqual(long, [], `${one.name}: ${title}`);
          if (await check(text, optionsOf(name))) continue;
          const wanted = await format(text, optionsOf(name));
          const form = LEFT_TO_PRETTIER.find(({ isIt }) => isIt(text, wanted));
          if (form) left.add(form.what);
          else assert.equal(text, wanted, `${one.name}: ${title}`);
        }
      }
    }
    assert.ok(fixes > 200, `only ${fixes} fixes were looked at`);
    assert.deepEqual([...left].sort(), LEFT_TO_PRETTIER.map(({ what }) => what).sort(), 'each form that is left to Prettier occurs');
  });

  it('stays as it is in a second run', async () => {
    let changed = 0;
    for (const one of cases) {
      const before = await formatted(one);
      const once = allFixes(before, one.manifest);
      if ([...once].some(([name, text]) => text !== before.get(name))) changed++;
      assert.deepEqual([...allFixes(once, one.manifest)], [...once], one.name);
    }
    assert.ok(changed > 100, `only ${changed} programs were changed`);
  });
});
