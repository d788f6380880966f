// The same work without what a finding is about, as texts and calls.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Facts } from '../../analysis/facts/index.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { counterfactualOf, type Counterfactual } from '../../analysis/profile/counterfactual.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import type { Finding, Fix } from '../../protocol/finding.ts';

function factsOf(text: string): Facts {
  const outcome = parse('/p/a.js', text);
  if (!outcome.ok) throw new Error(outcome.issue.message);
  return new Facts(new ModuleIndex(outcome.ast), new Source('/p/a.js', text), { nodeRange: '>=20', nodeRangeSource: 'test' });
}

/** A finding at the first of these codes, the others related. */
function findingAt(text: string, [own = '', ...related]: readonly string[], ruleId = 'no-polymorphic-call', fixes: Fix[] = []): Finding {
  const spanOf = (code: string) => ({ start: text.indexOf(code), end: text.indexOf(code) + code.length });
  return {
    ruleId,
    messageId: 'types',
    severity: 'warning',
    message: { what: '', why: '', remedy: '' },
    data: {},
    file: '/p/a.js',
    span: spanOf(own),
    related: related.map((code) => ({ span: spanOf(code), message: '' })),
    fixes,
    refused: [],
  };
}

function texts(text: string, { parts }: Counterfactual): string[] {
  return parts.map(({ edits }) => applyEdits(text, edits));
}

describe('the same work without the finding', () => {
  const text = dedent`
    function measure(shape) { return shape.area(); }
    function run(a, b) { return measure(a) + measure(b); }
  `;

  it('has a copy of the function for each call', () => {
    const other = counterfactualOf(findingAt(text, ['measure(b)', 'measure(a)', 'shape.area()']), factsOf(text), ['run(1, 2)']);
    assert.equal(other?.description, 'a copy of `measure` for each of the 2 calls');
    assert.deepEqual(texts(text, other), [
      dedent`
        function measure(shape) { return shape.area(); }
        function measure$copy1(shape) { return shape.area(); }
        function run(a, b) { return measure(a) + measure$copy1(b); }
      `,
    ]);
  });

  it('copies functions in constants, too', () => {
    const constant = dedent`
      const measure = (shape) => shape.area();
      exports.run = (a, b) => measure(a) + measure(b);
    `;
    const other = counterfactualOf(findingAt(constant, ['measure(b)', 'measure(a)', 'shape.area()']), factsOf(constant), [
      'exports.run(1, 2)',
    ]);
    assert.ok(other);
    assert.deepEqual(texts(constant, other)[0]?.split('\n'), [
      'const measure = (shape) => shape.area();',
      'const measure$copy1 = (shape) => shape.area();',
      'exports.run = (a, b) => measure(a) + measure$copy1(b);',
    ]);
  });

  it('copies no function that calls itself, and none in which the values do not meet', () => {
    const recursive = dedent`
      function walk(node) { return node.next ? walk(node.next) : node.value; }
      function run(a, b) { return walk(a) + walk(b); }
    `;
    assert.equal(
      counterfactualOf(findingAt(recursive, ['walk(b)', 'walk(a)', 'node.value']), factsOf(recursive), ['run(a, b)']),
      undefined,
    );
    const deeper = dedent`
      function inner(shape) { return shape.area(); }
      function measure(shape) { return inner(shape); }
      function run(a, b) { return measure(a) + measure(b); }
    `;
    assert.equal(
      counterfactualOf(findingAt(deeper, ['measure(b)', 'measure(a)', 'shape.area()']), factsOf(deeper), ['run(a, b)']),
      undefined,
    );
  });

  it('has one kind of arguments at a time, by its share', () => {
    const add = 'function add(a, b) { return a + b; }';
    const other = counterfactualOf(findingAt(add, ['a + b']), factsOf(add), ['add(1, 2)', "add('a', 'b')", 'add(3, 4)']);
    assert.deepEqual(
      other?.parts.map(({ calls, weight }) => [calls, weight]),
      [
        [['add(1, 2)', 'add(3, 4)'], 2 / 3],
        [["add('a', 'b')"], 1 / 3],
      ],
    );
  });

  it('has lists of one kind of elements each, as long as the list was', () => {
    const total = 'function total(list) { return list[0].n; }';
    const other = counterfactualOf(findingAt(total, ['list[0].n']), factsOf(total), ['total([{ n: 1 }, { n: 2 }, { m: 1, n: 3 }])']);
    assert.deepEqual(
      other?.parts.map(({ calls, weight }) => [calls, weight]),
      [
        [['total([{ n: 1 }, { n: 2 }, { n: 1 }])'], 2 / 3],
        [['total([{ m: 1, n: 3 }, { m: 1, n: 3 }, { m: 1, n: 3 }])'], 1 / 3],
      ],
    );
  });

  it('tells kinds apart as V8 does', () => {
    const f = 'function f(a) { return a.x; }';
    const kinds = (...calls: string[]) => counterfactualOf(findingAt(f, ['a.x']), factsOf(f), calls)?.parts.length ?? 0;
    assert.equal(kinds('f({ x: 1, y: 2 })', 'f({ y: 2, x: 1 })'), 2, 'the order of keys');
    assert.equal(kinds('f(1)', 'f(2)', 'f(-3)'), 0, 'small integers');
    assert.equal(kinds('f(1)', 'f(1.5)'), 2);
    assert.equal(kinds('f(new A(1))', 'f(new B(1))'), 2);
    assert.equal(kinds('f({ x: 1 })', 'f({ x: 2 })'), 0);
    assert.equal(kinds('f(1)', 'f("a")', 'f(null)', 'f([])', 'f({})'), 0, 'five kinds take too many processes');
    assert.equal(kinds('f(1)', 'not a call'), 0);
  });

  it('is the fix, where there is one', () => {
    const loop = 'for (let i = 0; i <= list.length; i++) use(list[i]);';
    const start = loop.indexOf('<=');
    const fix: Fix = { title: 'Use `<`', kind: 'suggestion', edits: [{ start, end: start + 2, text: '<' }] };
    const other = counterfactualOf(findingAt(loop, ['i <= list.length'], 'no-unstable-shape', [fix]), factsOf(loop), ['f()']);
    assert.equal(other?.description, 'the fix "Use `<`"');
    assert.deepEqual(texts(loop, other), ['for (let i = 0; i < list.length; i++) use(list[i]);']);
  });

  it('is also what no fix is offered for', () => {
    const other = (text: string, code: string, messageId: string): string[] => {
      const found = counterfactualOf({ ...findingAt(text, [code], 'no-unstable-shape'), messageId }, factsOf(text), ['f()']);
      return found ? texts(text, found) : [];
    };
    assert.deepEqual(other('for (let i = 0; i <= list.length; i++) use(list[i]);', 'i <= list.length', 'overrunRead'), [
      'for (let i = 0; i < list.length; i++) use(list[i]);',
    ]);
    assert.deepEqual(other('delete row.secret;', 'delete row.secret', 'deletedField'), ['row.secret = undefined;']);
    const both = 'if (row.a) delete row.a; else delete row.b;';
    const deletions = { ...findingAt(both, ['delete row.a', 'delete row.b'], 'no-unstable-shape'), messageId: 'deletedField' };
    const without = counterfactualOf(deletions, factsOf(both), ['f()']);
    assert.equal(without?.description, 'a version that sets the fields to undefined');
    assert.deepEqual(texts(both, without), ['if (row.a) row.a = undefined; else row.b = undefined;']);
    assert.deepEqual(
      other('return_(Object.setPrototypeOf({ a: 1 }, base));', 'Object.setPrototypeOf({ a: 1 }, base)', 'replacedPrototype'),
      ['return_(({ __proto__: base,  a: 1 }));'],
    );
    assert.deepEqual(
      other('const one = { a: 1 }; Object.setPrototypeOf(one, base); use(one);', 'Object.setPrototypeOf(one, base)', 'replacedPerRequest'),
      ['const one = {__proto__: base,  a: 1 }; ; use(one);'],
    );
    assert.deepEqual(other('const one = { a: 1 }; one.__proto__ = base;', 'one.__proto__ = base', 'replacedPrototype'), [
      'const one = {__proto__: base,  a: 1 }; ;',
    ]);
    // Who made the object is not seen: it keeps the prototype that it has.
    assert.deepEqual(other('Object.setPrototypeOf(made(), base);', 'Object.setPrototypeOf(made(), base)', 'replacedPrototype'), [
      '(made());',
    ]);
  });

  it('is nothing for what is not about a state', () => {
    assert.equal(counterfactualOf(findingAt(text, ['measure(b)'], 'no-sync-in-handler'), factsOf(text), ['run(1)', 'run("")']), undefined);
  });

  it('of what is built for each request is its fix, and nothing else', () => {
    const code = 'function f(n) { return new Intl.NumberFormat("en").format(n); }';
    const edits = [{ start: code.indexOf('new'), end: code.indexOf('.format'), text: 'format' }];
    const fix: Fix = { title: 'Build it once', kind: 'safe', edits };
    const finding = findingAt(code, ['new Intl.NumberFormat'], 'no-setup-per-request', [fix]);
    assert.deepEqual(counterfactualOf(finding, factsOf(code), ['f(1)']), {
      description: 'the fix "Build it once"',
      parts: [{ edits, weight: 1 }],
    });
    assert.equal(counterfactualOf({ ...finding, fixes: [] }, factsOf(code), ['f(1)', 'f("a")']), undefined);
  });
});
