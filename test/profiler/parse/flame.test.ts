// Call stacks as one tree: what is merged, what is cut, and what stands in the place of frames that are left out.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FlameTree, replaced, type FrameName } from '../../../profiler/parse/flame.ts';

const user = (functionName: string, line = 1): FrameName => ({ functionName, owner: 'user', place: { file: '/p/a.js', line, column: 1 } });

function rows(tree: FlameTree, all: number): string[] {
  return tree.frames(all).map(({ functionName, depth, self, total }) => `${'.'.repeat(depth)}${functionName} ${self} ${total}`);
}

describe('the call stacks', () => {
  it('of several processes are one tree, in which a function may stand at several places', () => {
    const tree = new FlameTree();
    tree.add([user('a'), user('b', 2)], 30);
    tree.add([user('a'), user('b', 2), user('a')], 20);
    tree.add([user('a')], 10);
    tree.add([user('b', 2)], 40);
    assert.deepEqual(rows(tree, 100), ['a 0.1 0.6', '.b 0.3 0.5', '..a 0.2 0.2', 'b 0.4 0.4']);
  });

  it('keep functions of one name apart by their places', () => {
    const tree = new FlameTree();
    tree.add([user('a', 1)], 1);
    tree.add([user('a', 2)], 1);
    assert.equal(tree.frames(2).length, 2);
  });

  it('are cut in depth and in number, and never lose a caller of what is kept', () => {
    const deep = new FlameTree();
    deep.add(
      Array.from({ length: 1000 }, (_, line) => user('f', line)),
      5,
    );
    const frames = deep.frames(5);
    assert.equal(frames.length, 60);
    assert.deepEqual([frames.at(-1)?.self, frames.at(-1)?.total], [1, 1], 'the deepest has the time of those that are cut');

    const wide = new FlameTree();
    for (let line = 1; line <= 400; line++) wide.add([user('outer'), user(`f${line}`, line), user('leaf', line)], line);
    const kept = wide.frames(80_200);
    assert.equal(kept.length, 300);
    for (const [index, { depth }] of kept.entries()) {
      const before = kept[index - 1]?.depth ?? -1;
      assert.ok(depth <= before + 1, `frame ${index} has a caller`);
    }
    assert.ok(!kept.some(({ functionName }) => functionName === 'f1'), 'too little to be told');
    assert.deepEqual(wide.frames(0), []);
  });

  it('without some frames are one where they are the same then', () => {
    const tree = new FlameTree();
    tree.add([user('first', 99), user('f'), user('g', 2)], 30);
    tree.add([user('second', 98), user('f')], 50);
    tree.add([user('second', 98), user('f'), user('g', 2)], 20);
    const left = replaced(tree.frames(100), ({ place }) => (place.line > 90 ? undefined : place));
    assert.deepEqual(
      left.map(({ functionName, depth, self, total }) => [functionName, depth, self, total]),
      [
        ['f', 0, 0.5, 1],
        ['g', 1, 0.5, 0.5],
      ],
    );
  });

  it('without some frames have what those called in their place', () => {
    const tree = new FlameTree();
    tree.add([user('driver', 99), user('f'), user('wrapper', 99), user('g', 2)], 60);
    tree.add([user('driver', 99), user('h', 3)], 40);
    const left = replaced(tree.frames(100), ({ place }) => (place.line === 99 ? undefined : { ...place, file: '/p/a.ts' }));
    assert.deepEqual(
      left.map(({ functionName, depth, place }) => [functionName, depth, place?.file]),
      [
        ['f', 0, '/p/a.ts'],
        ['g', 1, '/p/a.ts'],
        ['h', 0, '/p/a.ts'],
      ],
    );
  });
});
