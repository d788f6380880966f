// What the facts say about the type and the shape of expressions, as a table: the argument of each `$(…)` in source order.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { Facts } from '../../analysis/facts/index.ts';
import { compareShapes, type Shape, type ShapeComparison } from '../../analysis/facts/shapes.ts';
import type { TypedValue } from '../../analysis/facts/value-types.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import type { Node } from '../../analysis/module/ast.ts';

function askedIn(text: string): { facts: Facts; asked: Node[] } {
  const file = '/project/src/app.ts';
  const outcome = parse(file, text);
  assert.ok(outcome.ok, 'the code does not parse');
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source(file, text), { nodeRange: '>=18', nodeRangeSource: 'the test' });
  const asked = facts.module
    .nodes('CallExpression')
    .filter(({ callee }) => callee.type === 'Identifier' && callee.name === '$')
    .map((call) => call.arguments[0] as Node);
  assert.ok(asked.length > 0, 'nothing is asked');
  return { facts, asked };
}

function shapeText(shape: Shape): string {
  return `{${shape.keys.join(' ')}${shape.isComplete ? '' : ' …'}} ${shape.made}`;
}

function text({ type }: TypedValue): string {
  if (type.kind === 'object') return shapeText(type.shape);
  return type.kind === 'builtin' ? type.name : type.kind;
}

function types(code: string): string[] {
  const { facts, asked } = askedIn(code);
  return asked.map((node) => facts.values.valuesOf(node).map(text).join(' | '));
}

function elements(code: string): string[] {
  const { facts, asked } = askedIn(code);
  return asked.map((node) => facts.values.elementsOf(node).map(text).join(' | '));
}

function shapes(code: string): (string | undefined)[] {
  const { facts, asked } = askedIn(code);
  return asked.map((node) => facts.shapes.shapeOf(node)).map((shape) => shape && shapeText(shape));
}

describe('values', () => {
  it('reads literals and operators', () => {
    assert.deepEqual(
      types(
        "$(1); $(-1); $(0.5); $(2 ** 40); $(3e9); $('a'); $(`a`); $(true); $(!x); $(1n); $(null); $(undefined); $(/a/); $(() => 1); $([]); $(typeof x); $(void 0)",
      ),
      [
        'int',
        'int',
        'double',
        'number',
        'double',
        'string',
        'string',
        'boolean',
        'boolean',
        'bigint',
        'null',
        'undefined',
        'RegExp',
        'function',
        'array',
        'string',
        'undefined',
      ],
    );
    assert.deepEqual(
      types("$(1 + 2); $(1 / 2); $(1 + ''); $(x + ''); $(x + 1); $(x - 1); $(x > 1); $(x | 0); $(c ? 1 : 'a'); $(x || 'a'); $(x && 1)"),
      ['int', 'number', 'string', 'string', 'unknown', 'number', 'boolean', 'int', 'int | string', 'unknown | string', 'int | unknown'],
    );
  });

  it('follows variables, also those that depend on themselves', () => {
    assert.deepEqual(types("const a = 1; $(a); let b = 1; b = 'x'; $(b); let s = ''; for (const c of list) s += c; $(s)"), [
      'int',
      'int | string',
      'string | unknown',
    ]);
    assert.deepEqual(types('for (let i = 0; i < n; i++) { $(i); $(i + 1); } let t = 0; t += 2; $(t); for (const k in o) $(k)'), [
      'int',
      'int',
      'int',
      'string',
    ]);
    assert.deepEqual(
      types('let sum = 0; for (const row of rows) sum = add(sum, row); $(sum); let text = ""; text = parse(text); $(text)'),
      ['int', 'string | unknown'],
    );
    assert.deepEqual(types('const f = (n) => (n === 0 ? 0 : f(n - 1)); $(f(1))'), ['int']);
    assert.deepEqual(types('let a = b, b = a; $(a)'), ['unknown']);
  });

  it('knows calls of JavaScript itself and of the file', () => {
    assert.deepEqual(
      types(
        "$(String(x)); $(parseInt(x)); $(x.trim()); $(x.slice(1)); $('ab'.slice(1)); $('ab'.length); $(Math.floor(x)); $(JSON.stringify(x)); $(Date.now()); $(new Map()); $([1].join())",
      ),
      ['string', 'number', 'string', 'unknown', 'string', 'int', 'number', 'string', 'double', 'Map', 'string'],
    );
    assert.deepEqual(
      types(
        "function pick(x) { if (x) return 1; return 'a'; } $(pick()); async function later() { return 1; } $(later()); $(await later()); $(missing())",
      ),
      ['int | string', 'unknown', 'int', 'unknown'],
    );
  });

  it('takes parameters from the calls, the annotation or the array', () => {
    assert.deepEqual(types("function f(a, b: string) { $(a); $(b); } f(1, x); f('y', x)"), ['int | string | unknown', 'string']);
    assert.deepEqual(
      types(
        'const list = [1, 2]; list.forEach((item) => $(item)); list.reduce((sum, item) => $(item), 0); rows.reduce((sum, row) => $(sum), "")',
      ),
      ['int', 'int', 'string'],
    );
    assert.deepEqual(types('function f(a) { a = 1; $(a); } f(2)'), ['unknown']);
  });

  it('collects the elements of arrays', () => {
    assert.deepEqual(
      elements(
        "const a = [1]; a.push('x'); a[9] = null; $(a); $([1, 0.5, 'a']); $(a.filter(f)); $(a.map(() => true)); $(Array.from({ length: 2 }, () => 1)); $(unknown)",
      ),
      ['int | string | null', 'int | double | string', 'int | string | null', 'boolean', 'int', 'unknown'],
    );
    assert.deepEqual(types("const pair = ['a', 1]; $(pair[0]); $(pair[1]); $(pair[i]); for (const one of pair) $(one)"), [
      'string',
      'int',
      'string | int',
      'string | int',
    ]);
  });
});

describe('shapes', () => {
  it('lists the keys of literals in order', () => {
    assert.deepEqual(
      shapes('$({ a: 1, b }); $({ 1: 1, a: 1 }); $({ a, [k]: 1 }); $({ get a() { return 1; }, set a(x) {} }); $({ m() {} }); $({})'),
      ['{a b} literal', '{a} literal', '{a …} literal', '{a} literal', '{m} literal', '{} literal'],
    );
  });

  it('follows names, factories, spreads and what is added', () => {
    assert.deepEqual(
      shapes(
        'const o = { a: 1 }; $(o); const make = () => ({ a: 1, b: 2 }); $(make()); $({ ...o, c: 1 }); $({ ...other, c: 1 }); $(Object.freeze({ a: 1 }))',
      ),
      ['{a} literal', '{a b} literal', '{a c} extended', '{c …} extended', '{a} extended'],
    );
    assert.deepEqual(
      shapes(
        'const o = { a: 1 }; o.b = 2; o.a = 3; $(o); o.c = 1; const d = { a: 1 }; delete d.a; $(d); const e = {}; if (x) e.a = 1; $(e); const g = {}; Object.assign(g, x); $(g)',
      ),
      ['{a b} extended', '{a …} extended', '{ …} extended', '{ …} extended'],
    );
    assert.deepEqual(shapes('let o = { a: 1 }; o = { b: 1 }; $(o); const pick = (x) => (x ? { a: 1 } : { b: 1 }); $(pick()); $(missing)'), [
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reads classes and constructors', () => {
    const code = `
      class A { x = 1; static s = 1; constructor(y) { this.y = y; } m() { this.later = 1; } }
      class B extends A { z; }
      class C { constructor(a) { if (a) this.a = a; this.init(); } init() {} }
      class D extends Missing { d = 1; }
      class E { constructor(private a: number, b: number) { this.b = b; } }
      function F() { this.f = 1; }
      $(new A()); $(new B()); $(new C()); $(new D()); $(new E()); $(new F()); $(new Unknown());`;
    assert.deepEqual(shapes(code), [
      '{x y} instance',
      '{x y z} instance',
      '{a …} instance',
      '{d …} instance',
      '{a b} instance',
      '{f} instance',
      undefined,
    ]);
  });

  it('compares as V8 does', () => {
    setFlagsFromString('--allow-natives-syntax');
    const haveSameMap = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (a: object, b: object) => boolean;
    const compare = (code: string, expected: ShapeComparison) => {
      const { facts, asked } = askedIn(code);
      const [a, b] = asked.map((node) => facts.shapes.shapeOf(node));
      assert.ok(a && b, code);
      assert.equal(compareShapes(a, b), expected, code);
      if (expected === 'unknown') return;
      const made: object[] = [];
      new Function('$', code)((value: object) => made.push(value));
      assert.equal(haveSameMap(made[0] as object, made[1] as object), expected === 'same', `V8 says otherwise: ${code}`);
    };
    compare('$({ a: 1, b: 2 }); $({ a: 3, b: null })', 'same');
    compare('const a = 1, b = 2; $({ a, b }); $({ a: 1, b: 2 })', 'same');
    compare('$({ a: 1, m() { return 1; } }); $({ a: 1, m: () => 2 })', 'same');
    compare('$({ get a() { return 1; } }); $({ get a() { return 2; } })', 'same');
    compare('$({ 1: 1, a: 1 }); $({ a: 1, 7: 1 })', 'same');
    compare('$({ a: 1, b: 2 }); $({ b: 2, a: 1 })', 'different');
    compare('$({ a: 1 }); $({ a: 1, b: 2 })', 'different');
    compare('$({ a: 1, b: 2, c: 3 }); const o = { a: 1 }; o.b = 2; $(o)', 'different');
    compare('$({ a: 1, b: 2 }); const o = { a: 1 }; o.b = 2; $(o)', 'unknown');
    compare('const o = { a: 1 }; $({ a: 1, b: 2 }); $({ ...o, b: 2 })', 'unknown');
    compare('const x = {}; $({ a: 1 }); $({ ...missing })', 'unknown');
    compare('class A { x = 1 } class B { x = 1 } $(new A()); $(new B())', 'different');
    compare('class A { x = 1 } class B extends A {} $(new A()); $(new B())', 'different');
    compare('class A { x = 1 } $(new A()); $(new A())', 'same');
    compare('class A { x = 1 } $(new A()); $({ x: 1 })', 'different');
    compare('function F() { this.x = 1; } function G() { this.x = 1; } $(new F()); $(new G())', 'different');
  });
});
