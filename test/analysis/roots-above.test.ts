// Which entry points lead to a function: the same answers as a search for each, and bounded answers for generated code.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RootsAbove } from '../../analysis/project/routes/roots-above.ts';

const MOST = 12;
const graphs = fc.record({
  edges: fc.array(fc.tuple(fc.nat(MOST - 1), fc.nat(MOST - 1), fc.boolean()), { maxLength: 40 }),
  roots: fc.array(fc.nat(MOST - 1), { maxLength: 6 }),
});
type Graph = typeof graphs extends fc.Arbitrary<infer T> ? T : never;

function rootsAbove(count: number, { edges, roots }: Graph): RootsAbove {
  const sorted = edges.map((edge, i) => ({ edge, i })).sort((a, b) => a.edge[1] - b.edge[1]);
  const first = new Int32Array(count + 1);
  for (const { edge } of sorted) first[edge[1] + 1] = (first[edge[1] + 1] as number) + 1;
  for (let i = 0; i < count; i++) first[i + 1] = (first[i + 1] as number) + (first[i] as number);
  const byFunction = new Map<number, number[]>();
  for (const [number, fn] of roots.entries()) byFunction.set(fn, [...(byFunction.get(fn) ?? []), number]);
  return new RootsAbove({
    callers: { first, from: Int32Array.from(sorted, ({ edge }) => edge[0]), edge: Int32Array.from(sorted, ({ i }) => i) },
    isTaken: (_caller, edge) => edges[edge]?.[2] === true,
    roots: byFunction,
  });
}

function naive(fn: number, { edges, roots }: Graph): number[] {
  const above = new Set([fn]);
  for (const at of above) for (const [from, to, isTaken] of edges) if (to === at && isTaken) above.add(from);
  return [...roots.keys()].filter((number) => above.has(roots[number] as number));
}

describe('the entry points above a function', () => {
  it('are those that a search for it finds, in whatever order functions are asked for', () => {
    fc.assert(
      fc.property(graphs, fc.array(fc.nat(MOST - 1), { maxLength: 20 }), (graph, asked) => {
        const above = rootsAbove(MOST, graph);
        for (const fn of asked) assert.deepEqual([...above.of(fn)], naive(fn, graph));
      }),
      { numRuns: 1000, seed: 20261125 },
    );
  });

  it('are one list for a chain, and for functions that all call each other', () => {
    const count = 20_000;
    const chain = rootsAbove(count, {
      edges: Array.from({ length: count - 1 }, (_, i) => [i, i + 1, true] as [number, number, boolean]),
      roots: [0],
    });
    assert.equal(chain.of(count - 1), chain.of(1));
    const ring = Array.from({ length: count }, (_, i) => [i, (i + 1) % count, true] as [number, number, boolean]);
    const circle = rootsAbove(count, { edges: ring, roots: [7, 9] });
    assert.deepEqual([...circle.of(3)], [0, 1]);
    assert.equal(circle.of(3), circle.of(count - 1));
  });
});
