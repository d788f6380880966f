// The names of a key whose type is a union of unions. Counted is how often a type is read, so that no clock decides.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { literalKeys } from '../../analysis/facts/outside/literal-keys.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const MEMBERS = 40;

const union = (of: (i: number) => string): string => Array.from({ length: MEMBERS }, (_, i) => of(i)).join(' | ');

/** The names of the last key that is read, and how often the types of aliases were read. */
function namesIn(text: string): { names: readonly string[] | undefined; reads: number } {
  const file = '/project/src/app.ts';
  const outcome = parse(file, text);
  assert.ok(outcome.ok, 'the code does not parse');
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source(file, text), { nodeRange: '>=18', nodeRangeSource: 'the test' });
  let reads = 0;
  for (const alias of facts.module.nodes('TSTypeAliasDeclaration')) {
    const type = alias.typeAnnotation;
    Object.defineProperty(alias, 'typeAnnotation', { get: () => (reads++, type) });
  }
  const key = facts.module.nodes('MemberExpression').at(-1)?.property;
  assert.ok(key);
  return { names: literalKeys(key, facts), reads };
}

describe('unions of aliases', () => {
  it('read each alias once', () => {
    const { names, reads } = namesIn(dedent`
      type A = 'a' | 'b' | 'c';
      type B = ${union(() => 'A')};
      type C = ${union(() => 'B')};
      function run(key: C) { table[key](); }
    `);
    assert.deepEqual(names, ['a', 'b', 'c']);
    assert.ok(reads <= 3, `${reads} reads`);
  });

  it('are left at the first member without known names, or with too many', () => {
    const few = dedent`
      type A = ${union((i) => `'a${i}'`)};
      type B = ${union(() => 'A')};
      type C = ${union(() => 'B')};
      function run(key: C) { table[key](); }
    `;
    for (const text of [few, few.replace(/type A = .*/, 'type A = string;')]) {
      const { names, reads } = namesIn(text);
      assert.equal(names, undefined);
      assert.ok(reads <= 3, `${reads} reads`);
    }
  });

  it('end where an alias means itself', () => {
    const { names, reads } = namesIn(dedent`
      type A = ${union(() => 'B')};
      type B = ${union(() => 'A')};
      function run(key: A) { table[key](); }
    `);
    assert.equal(names, undefined);
    assert.ok(reads <= MEMBERS, `${reads} reads`);
  });
});
