// Which conditions a call depends on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enclosingFunction, type Node } from '../../analysis/module/ast.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';

/** The conditions, as written, of the call `here()` inside the function around it. */
function conditions(code: string): string[] {
  const outcome = parse('/a.js', code);
  assert.ok(outcome.ok);
  const call = new ModuleIndex(outcome.ast)
    .nodes('CallExpression')
    .find((node) => node.callee.type === 'Identifier' && node.callee.name === 'here');
  assert.ok(call);
  const upTo = enclosingFunction(call) as Node;
  return conditionsOn(call, upTo).map((node) => code.slice(node.start ?? 0, node.end ?? 0));
}

const always = [
  'function f() { here(); }',
  'function f() { if (a) b(); here(); }',
  'function f() { if (here()) b(); }',
  'function f() { here() && b(); }',
  'function f() { try { here(); } catch {} }',
  'function f() { while (true) here(); }',
  'function f() { for (;;) { here(); } }',
  'function f() { do { here(); } while (a); }',
  'function f() { for (const x of here()) b(x); }',
  'function f() { for (const x of xs) { if (x) continue; } here(); }',
  'function f() { g(() => { return 1; }); here(); }',
  'const f = () => here();',
];
for (const code of always) test(`always: ${code}`, () => assert.deepEqual(conditions(code), []));

const sometimes: readonly [string, string[]][] = [
  ['function f() { if (a) here(); }', ['a']],
  ['function f() { if (a) {} else { here(); } }', ['a']],
  ['function f() { a && here(); }', ['a']],
  ['function f() { a ? here() : 0; }', ['a']],
  ['function f() { if (a) return; here(); }', ['a']],
  ['function f() { if (a) { b(); throw c; } if (d) here(); }', ['d', 'a']],
  ['function f() { while (a) here(); }', ['a']],
  ['function f() { for (let i = 0; i < 3; i++) here(); }', ['i < 3']],
  ['function f() { for (const x of xs) here(x); }', ['xs']],
  ['function f() { while (true) { if (a) break; here(); } }', ['a']],
  ['function f() { switch (a) { case 1: here(); } }', ['case 1: here();']],
  ['function f() { try { b(); } catch (e) { here(); } }', ['catch (e) { here(); }']],
];
for (const [code, expected] of sometimes) test(`sometimes: ${code}`, () => assert.deepEqual(conditions(code), expected));
