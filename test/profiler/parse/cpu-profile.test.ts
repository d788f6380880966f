// Where the processor's time went: shares by owner, function and line.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpuShares, withoutForeign } from '../../../profiler/parse/cpu-profile.ts';

const frame = (functionName: string, url = '', lineNumber = -1, columnNumber = -1) => ({ functionName, url, lineNumber, columnNumber });

const PROFILE = JSON.stringify({
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 6, 7] },
    { id: 2, callFrame: frame('(idle)') },
    {
      id: 3,
      callFrame: frame('outer', 'file:///app/a.js', 4, 14),
      children: [4, 5],
      positionTicks: [
        { line: 6, ticks: 1 },
        { line: 7, ticks: 3 },
      ],
    },
    { id: 4, callFrame: frame('inner', 'file:///app/a.js', 9, 14), positionTicks: [{ line: 7, ticks: 2 }] },
    { id: 5, callFrame: frame('parse', 'file:///app/node_modules/@x/y/index.js', 1, 1), positionTicks: [{ line: 2, ticks: 1 }] },
    { id: 6, callFrame: frame('(garbage collector)') },
    { id: 7, callFrame: frame('readFileSync', 'node:fs', 400, 10) },
  ],
  samples: [2, 3, 4, 5, 6, 7],
  timeDeltas: [5000, 4000, 2000, 1000, 2000, 1000],
});

describe('the shares of a .cpuprofile', () => {
  const shares = cpuShares([PROFILE], (file) => file.startsWith('/app/'));

  it('are not taken from what the program has put in the place of a profile', () => {
    const changed = (change: (profile: { nodes: Record<string, unknown>[]; samples?: unknown }) => void): string => {
      const profile = JSON.parse(PROFILE) as { nodes: Record<string, unknown>[]; samples?: unknown };
      change(profile);
      return JSON.stringify(profile);
    };
    const texts = [
      // A node below itself would be climbed for ever.
      changed(({ nodes }) => Object.assign(nodes[3] ?? {}, { children: [3] })),
      changed(({ nodes }) => Object.assign(nodes[3] ?? {}, { children: [4] })),
      changed(({ nodes }) => nodes.push({ id: 9 })),
      changed((profile) => Object.assign(profile, { samples: 7 })),
      '{"nodes":[null]}',
      '{"nodes":[]',
    ];
    for (const text of texts)
      assert.equal(
        cpuShares([text], () => true),
        undefined,
        text,
      );
  });

  it('are of the time that was not idle', () => {
    assert.ok(shares);
    assert.equal(shares.busyMs, 10);
    assert.deepEqual([shares.user, shares.packages, shares.core, shares.gc], [0.6, 0.1, 0.1, 0.2]);
    assert.deepEqual(
      shares.functions.map(({ functionName, place, self, total }) => [functionName, place.line, self, total]),
      [
        ['outer', 5, 0.4, 0.7],
        ['inner', 10, 0.2, 0.2],
      ],
    );
    assert.deepEqual(shares.byPackage, [{ name: '@x/y', self: 0.1 }]);
  });

  it('go to lines by their samples, over all functions of a line', () => {
    assert.deepEqual(
      shares?.lines.map(({ file, line, self }) => [file, line, Math.round(self * 100)]),
      [
        ['/app/a.js', 7, 50],
        ['/app/a.js', 6, 10],
      ],
    );
  });

  it('have the call stacks, each frame before what it calls, the busiest first', () => {
    assert.deepEqual(
      shares?.flame.map(({ functionName, owner, depth, self, total, place, module }) => [
        functionName,
        owner,
        depth,
        self,
        total,
        place ? `${place.file}:${place.line}:${place.column}` : module,
      ]),
      [
        ['outer', 'user', 0, 0.4, 0.7, '/app/a.js:5:15'],
        ['inner', 'user', 1, 0.2, 0.2, '/app/a.js:10:15'],
        ['parse', 'packages', 1, 0.1, 0.1, '/app/node_modules/@x/y/index.js:2:2'],
        ['(garbage collector)', 'gc', 0, 0.2, 0.2, undefined],
        ['readFileSync', 'core', 0, 0.1, 0.1, 'node:fs'],
      ],
    );
    assert.equal(shares?.flame[2]?.module, '@x/y');
  });

  it('have nothing of what ran the program, nor of what Node does for it alone', () => {
    const text = JSON.stringify({
      nodes: [
        { id: 1, callFrame: frame('(root)'), children: [2] },
        { id: 2, callFrame: frame('time', 'file:///harness/timing.cjs', 4, 14), children: [3, 4] },
        { id: 3, callFrame: frame('post', 'node:inspector', 9, 14) },
        { id: 4, callFrame: frame('f', 'file:///app/a.js', 9, 14), children: [5] },
        { id: 5, callFrame: frame('readFileSync', 'node:fs', 1, 1) },
      ],
      samples: [2, 3, 4, 5],
      timeDeltas: [1000, 2000, 3000, 4000],
    });
    const own = cpuShares(
      [text],
      (file) => file.startsWith('/app/'),
      (file) => file.startsWith('/harness/'),
    );
    assert.ok(own);
    assert.deepEqual([own.busyMs, own.user, own.core], [7, 3 / 7, 4 / 7]);
    assert.deepEqual(
      own.flame.map(({ functionName, depth, total }) => [functionName, depth, total]),
      [
        ['f', 0, 1],
        ['readFileSync', 1, 4 / 7],
      ],
    );
  });

  it('without foreign functions are of the time that is left', () => {
    assert.ok(shares);
    const own = withoutForeign(shares, ({ line }) => line >= 9, true);
    const rounded = (share: number) => Number(share.toFixed(4));
    assert.equal(rounded(own.busyMs), 6, 'outer took 4 of 10 ms itself');
    assert.deepEqual([own.user, own.packages, own.core, own.gc].map(rounded), [0.3333, 0.1667, 0.1667, 0.3333]);
    assert.deepEqual(
      own.functions.map(({ functionName, self }) => [functionName, rounded(self)]),
      [['inner', 0.3333]],
    );
    assert.deepEqual(
      own.flame.map(({ functionName, depth, total }) => [functionName, depth, rounded(total)]),
      [
        ['inner', 0, 0.3333],
        ['(garbage collector)', 0, 0.3333],
        ['parse', 0, 0.1667],
        ['readFileSync', 0, 0.1667],
      ],
    );
    assert.deepEqual(
      withoutForeign(shares, () => true, true),
      shares,
    );
    const all = withoutForeign(shares, ({ line }) => line >= 9, false);
    assert.deepEqual([all.busyMs, all.user, all.functions[0]?.self], [10, 0.6, 0.2]);
  });

  it('leave out what could not be read', () => {
    assert.equal(
      cpuShares([PROFILE.slice(0, 300), '[]', ''], () => true),
      undefined,
    );
    assert.equal(cpuShares([PROFILE, '{'], (file) => file.startsWith('/app/'))?.busyMs, 10);
  });
});
