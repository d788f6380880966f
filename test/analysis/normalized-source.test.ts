// Evidence stays where only white space and comments change, and goes with everything else.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { functionsIn } from '../../analysis/profile/functions.ts';
import { normalizedSource } from '../../analysis/profile/normalized-source.ts';
import { Source } from '../../analysis/module/source.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

function normal(text: string): string {
  const outcome = parse('/p/a.js', text);
  if (!outcome.ok) throw new Error(outcome.issue.message);
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source('/p/a.js', text), { nodeRange: '*', nodeRangeSource: 'test' });
  const [first] = functionsIn(facts);
  if (!first) throw new Error('no function');
  return normalizedSource(facts, first.fn);
}

describe('normalized source', () => {
  const original = normal("function f(a, b) { return a + ' , ' + `x  ${ b } y`; }");
  it('is the same after reformatting', () => {
    for (const text of [
      dedent`


        function f( a,b ) {
          // adds
          return a + ' , ' + /* then */ \`x  \${b} y\`;
        }

      `,
      "let z;\r\nfunction f(a, b)\r\n{\r\n\treturn a + ' , ' + `x  ${ b } y` ;\r\n}",
    ])
      assert.equal(normal(text), original, text);
  });
  it('differs after any other change', () => {
    for (const text of [
      "function f(a, b) { return a + ', ' + `x  ${ b } y`; }",
      "function f(a, b) { return a + ' , ' + `x ${ b } y`; }",
      "function f(a, b) { return a - ' , ' + `x  ${ b } y`; }",
      "function g(a, b) { return a + ' , ' + `x  ${ b } y`; }",
    ])
      assert.notEqual(normal(text), original, text);
  });
});
