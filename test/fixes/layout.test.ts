// Code that Prettier has formatted is still as Prettier formats it after a fix, and a second run of the fixes changes nothing.
// The width is large: a fix does not break a line that it makes too long.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check, format } from 'prettier';
import { allFixes, everyFix } from './apply.ts';
import { cases } from './cases.ts';
import type { FixCase } from './fix-case.ts';

const WIDTH = 200;
const SCRIPT = /\.[cm]?[jt]sx?$/;

/** What Prettier breaks into several lines, or joins, however wide they are. A fix leaves these lines to it. */
const LEFT_TO_PRETTIER: readonly { what: string; text: RegExp }[] = [
  { what: 'two functions as arguments', text: /\.then\(\(\) => true, \(\) => false\)/ },
  { what: 'a function with a block, in two calls', text: /await Promise\.all\(\w+\.map\(async \(\w+\) => \{$/m },
  { what: 'a chain of calls that starts with parentheses', text: /^\s*\((?:await|\w+ \?\?=) .*\)$\n\s*\.\w+\(/m },
];

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
          if (text === before.get(name) || !SCRIPT.test(name) || (await check(text, optionsOf(name)))) continue;
          const form = LEFT_TO_PRETTIER.find((known) => known.text.test(text));
          if (form) left.add(form.what);
          else assert.equal(text, await format(text, optionsOf(name)), `${one.name}: ${title}`);
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
