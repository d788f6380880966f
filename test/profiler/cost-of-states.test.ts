// What V8's states cost, measured on real functions: the same state with a cost of many times, and with none.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ProfileReport, Verdict } from '../../protocol/evidence.ts';
import { rules } from '../../rules/index.ts';
import { folderWith, run } from '../cli/support.ts';
import { MAJORS, nodesOfMajors } from './nodes.ts';

/** Five classes, whose `area` is called from five places through one function. */
const SHAPES = dedent`
  class A { constructor(n) { this.a = n; } area() { return this.a; } }
  class B { constructor(n) { this.b = n; } area() { return this.b; } }
  class C { constructor(n) { this.c = n; } area() { return this.c; } }
  class D { constructor(n) { this.d = n; } area() { return this.d; } }
  class E { constructor(n) { this.e = n; } area() { return this.e; } }
  function measure(shape) { return shape.area(); }
`;

async function verdictOn(text: string, name: string, node: string): Promise<Verdict> {
  const folder = folderWith({ 'package.json': '{ "name": "a", "version": "1.0.0" }', 'a.js': text });
  try {
    const { out, err } = await run(['profile', `a.js:${name}`, '--yes', '--no-save', '--node', node, '--time', '3', '-f', 'json'], {
      cwd: folder.path,
      rules,
    });
    assert.notEqual(out, '', err);
    const [verdict, ...more] = (JSON.parse(out) as ProfileReport).verdicts.filter(({ ruleId }) => ruleId === 'no-polymorphic-call');
    assert.deepEqual(more, []);
    assert.ok(verdict, out);
    return verdict;
  } finally {
    folder.dispose();
  }
}

describe('what states cost', () => {
  for (const [index, major] of MAJORS.entries()) {
    it(`five classes in a loop of a hundred rounds cost most of its time on Node ${major}`, async () => {
      const node = (await nodesOfMajors())[index];
      assert.ok(node);
      const text = dedent`
        ${SHAPES}
        /** @profile sum([1, 2, 3]) */
        function sum(list) {
          let total = 0;
          for (let i = 0; i < 100; i += 1) for (const n of list) {
            total += measure(new A(n));
            total += measure(new B(n));
            total += measure(new C(n));
            total += measure(new D(n));
            total += measure(new E(n));
          }
          return total;
        }
      `;
      const { verdict, cost, grounds } = await verdictOn(text, 'sum', node.path);
      assert.equal(verdict, 'confirmed', grounds.join(' '));
      assert.ok(cost?.low !== undefined && cost.low > 0 && cost.low <= cost.ns, JSON.stringify(cost));
      assert.ok(cost.share !== undefined && cost.share > 0.2, JSON.stringify(cost));
      assert.match(grounds.join(' '), /Compared with a copy of `measure` for each of the 5 calls, \d+ processes each: it costs /);
    });
  }

  it('the same beside work of a hundred times is no cost that can be told', async () => {
    const node = (await nodesOfMajors())[0];
    assert.ok(node);
    const text = dedent`
      ${SHAPES}
      /** @profile sum([1, 2, 3]) */
      function sum(list) {
        let total = 0;
        for (const n of list) {
          total += measure(new A(n));
          total += measure(new B(n));
          total += measure(new C(n));
          total += measure(new D(n));
          total += measure(new E(n));
        }
        for (let i = 0; i < 20000; i += 1) total += Math.sqrt(i);
        return total;
      }
    `;
    const { verdict, figure, grounds } = await verdictOn(text, 'sum', node.path);
    assert.equal(verdict, 'seen', grounds.join(' '));
    assert.match(figure, /5 shapes, megamorphic/);
  });
});
