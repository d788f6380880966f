// What no rule reports and may cost time: which loops and classes there are, and the text without them.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../../analysis/module/edit.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { neverOptimized, unreportedIn } from '../../analysis/profile/unreported.ts';

function factsOf(text: string): Facts {
  const outcome = parse('a.js', text);
  assert.ok(outcome.ok);
  return new Facts(new ModuleIndex(outcome.ast), new Source('a.js', text), { nodeRange: '*', nodeRangeSource: '' });
}

/** What was found, as the text without it, up to the helpers at its end. */
function without(text: string): string[] {
  return unreportedIn(factsOf(text)).map(({ edits }) => {
    const edited = applyEdits(text, edits);
    assert.ok(parse('a.js', edited).ok, edited);
    return edited.split('\nfunction nodometer$ready(')[0] ?? '';
  });
}

describe('what no rule reports and may cost time', () => {
  it('is `for await`, beside a loop that does not wait', () => {
    assert.deepEqual(without('async function f(list) { for await (const x of list) use(x); }'), [
      'async function f(list) { for (const x of nodometer$ready(list)) use(x); }',
    ]);
    assert.deepEqual(without('const f = async (a) => { for  await (const { b } of a.rows()) { use(b); } };'), [
      'const f = async (a) => { for (const { b } of nodometer$ready(a.rows())) { use(b); } };',
    ]);
  });

  it('is not a loop of the module itself, which runs once', () => assert.deepEqual(without('for await (const x of list) use(x);'), []));

  it('is a class that uses nothing of its function, beside one outside', () => {
    assert.deepEqual(without('function f(n) { class A { get() { return this.n; } } return new A(n); }'), [
      dedent`
        const nodometer$class = class A { get() { return this.n; } };
        function f(n) { const A = nodometer$class; return new A(n); }
      `,
    ]);
    assert.deepEqual(without('const B = require("b");\nexports.f = () => class extends B.Base { x = 1; #y = 2; };'), [
      dedent`
        const B = require("b");
        const nodometer$class = class extends B.Base { x = 1; #y = 2; };
        exports.f = () => nodometer$class;
      `,
    ]);
  });

  it('is no class that has to be made for each call', () => {
    for (const text of [
      'class A { get() { return 1; } }\nfunction f() { return new A(); }',
      'function f(n) { class A { get() { return n; } } return new A(); }',
      'function f(Base) { return class extends Base {}; }',
      'function f() { const g = () => 1; return class { get() { return g(); } }; }',
      'function f() { return class { get() { return f; } }; }',
      'function f() { return class { static count = 0; }; }',
      'function f() { return class { static { register(this); } }; }',
      'function f(k) { return class { [k]() {} }; }',
      'function f() { class A {} A.count = 1; return A; }',
      'function f() { const A = class {}; A.prototype.b = 1; return A; }',
      'function f() { return class { x = arguments; }; }',
    ])
      assert.deepEqual(without(text), [], text);
  });

  it('has one version for each of several', () => {
    const text = 'async function f(a, b) { for await (const x of a) use(x); for await (const x of b) use(x); }';
    assert.equal(without(text).length, 2);
  });
});

describe('a function that V8 never optimizes', () => {
  const nameAt = (text: string): string | undefined => {
    const offset = text.indexOf('§');
    const plain = text.replace('§', '');
    const found = neverOptimized(factsOf(plain), offset);
    if (found) assert.ok(parse('a.js', applyEdits(plain, found.edits)).ok);
    return found?.name;
  };

  it('is the innermost one around the place, where it has a name', () => {
    assert.equal(nameAt('function f(a) { return §-a; }'), 'f');
    assert.equal(nameAt('const f = (a) => §-a, g = 1;'), 'f');
    assert.equal(nameAt('export const f = function (a) { return §-a; };'), 'f');
    assert.equal(nameAt('function f(a) { return a.map((b) => §-b); }'), undefined);
    assert.equal(nameAt('exports.f = (a) => §-a;'), undefined);
    assert.equal(nameAt('class A { m(a) { return §-a; } }'), undefined);
    assert.equal(nameAt('function f(a) { class A { m() { return §-a; } } }'), undefined);
    assert.equal(nameAt('§1 + 1;'), undefined);
  });
});
