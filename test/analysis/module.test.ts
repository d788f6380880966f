// The index: every run-time node is listed once, in source order, with its parent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parentOf, type Node } from '../../analysis/module/ast.ts';
import { ModuleIndex, walkWithin } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { VISITOR_KEYS } from '../../analysis/module/visitor-keys.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const PROGRAM = `
import a, { b as c } from 'd';
@dec class E extends F { static #g = 1; [h] = i; get j() { return super.k; } static { l(); } async *m({ n = o, ...p } = {}, [q, , r]) { yield* q; } }
const s = async (t) => { try { await t?.u?.[v]\`w\${x}y\`; } catch ({ z }) { throw new Error(z); } finally { ; } };
label: for (let i = 0, n = 9; i < n; i++) { if (i) continue label; else break label; }
for (const k in o) for (const v of o) do { switch (k) { case 1: default: debugger; } } while (!v, k ?? v);
export { s as default }; export * from 'y'; ({ a, b() {}, [c]: d, ...e } = f); x = a ? b : -c ** 2; /re/u; 1n; null; import('m'); import.meta;
`;

function load(code: string, file = '/p/a.js'): ModuleIndex {
  const outcome = parse(file, code);
  assert.ok(outcome.ok, code);
  return new ModuleIndex(outcome.ast);
}

/** The plainest walk: by all child keys, no types left out. */
function everyNode(root: Node): { node: Node; parent: Node | undefined }[] {
  const all: { node: Node; parent: Node | undefined }[] = [];
  const visit = (node: Node, parent: Node | undefined): void => {
    all.push({ node, parent });
    for (const key of VISITOR_KEYS[node.type] ?? []) {
      const child = (node as unknown as Record<string, unknown>)[key];
      for (const item of Array.isArray(child) ? child : [child]) if (item) visit(item as Node, node);
    }
  };
  visit(root, undefined);
  return all;
}

test('lists every node of plain JavaScript once, in source order, and knows its parent', () => {
  const module = load(PROGRAM);
  const all = everyNode(module.program);
  const types = new Set(all.map(({ node }) => node.type));
  let listed = 0;
  for (const type of types) {
    const nodes: readonly Node[] = module.nodes(type);
    assert.deepEqual(
      nodes.map((node) => node.start),
      all.filter(({ node }) => node.type === type).map(({ node }) => node.start),
      type,
    );
    listed += nodes.length;
  }
  assert.equal(listed, all.length);
  for (const { node, parent } of all) assert.equal(parentOf(node), parent, node.type);
  assert.equal(module.has('DebuggerStatement'), true);
  assert.equal(module.has('WithStatement'), false);
});

test('leaves types out and keeps what runs', () => {
  const module = load(
    `
    interface A { b: C } type D = typeof e; declare module 'm' { const f: G; }
    class H<I extends J> extends K<L> implements M { private n: O; constructor(private p: Q) { super(); } abstract r(): S; }
    enum T { U = v } namespace W { export const x = 1; } import y = require('z'); export = aa;
    const bb = cc as DD; const ee = <FF>gg; hh!; ii satisfies JJ; kk<LL>(mm); function nn(this: OO, pp?: QQ): pp is RR { return pp; }
  `,
    '/p/a.ts',
  );
  const names = new Set(module.nodes('Identifier').map((node) => node.name));
  for (const type of ['A', 'C', 'D', 'e', 'G', 'I', 'J', 'L', 'M', 'O', 'Q', 'S', 'DD', 'FF', 'JJ', 'LL', 'OO', 'QQ', 'RR'])
    assert.equal(names.has(type), false, type);
  for (const value of ['H', 'K', 'n', 'p', 'T', 'U', 'v', 'W', 'x', 'y', 'aa', 'bb', 'cc', 'ee', 'gg', 'hh', 'ii', 'kk', 'mm', 'nn', 'pp'])
    assert.equal(names.has(value), true, value);
});

test("leaves Flow's types out", () => {
  const module = load(
    dedent`
      // @flow
      export type A = B; interface C { d: E } opaque type F = G; declare function h(i: J): K; const l = (m: N); type O = { p: Q, ... };
    `,
    '/p/a.js',
  );
  assert.deepEqual(
    module.nodes('Identifier').map((node) => node.name),
    ['l', 'm'],
  );
});

test('walkWithin gives the nodes below a root, and leaves out what it is told to', () => {
  const module = load('function a() { b(function c() { d(); }); e(); } f();');
  const fn = module.nodes('FunctionDeclaration')[0];
  assert.ok(fn);
  const seen: string[] = [];
  walkWithin(fn, (node) => {
    if (node.type === 'FunctionExpression') return false;
    if (node.type === 'Identifier') seen.push(node.name);
    return true;
  });
  assert.deepEqual(seen, ['a', 'b', 'e']);
});

test('measures how deep the tree goes', () => {
  const depth = (calls: number): number => load(`a${'.b()'.repeat(calls)};`).depth;
  // Program, statement, then a call and a member for each link, and the name at the bottom.
  assert.equal(depth(1), depth(0) + 2);
  assert.equal(depth(500), depth(0) + 1000);
});

test('drops the arguments that are missing in broken calls', () => {
  const module = load('f(a, , b); g?.(, c);');
  assert.deepEqual(
    module.nodes('CallExpression').map((call) => call.arguments.length),
    [2],
  );
  assert.deepEqual(
    module.nodes('OptionalCallExpression').map((call) => call.arguments.length),
    [1],
  );
});

test('walkWithin ends when it is told to', () => {
  const module = load('a; b(c, d); e;');
  const seen: string[] = [];
  walkWithin(module.program, (node) => {
    if (node.type !== 'Identifier') return true;
    seen.push(node.name);
    return node.name === 'c' ? 'stop' : true;
  });
  assert.deepEqual(seen, ['a', 'b', 'c']);
});
