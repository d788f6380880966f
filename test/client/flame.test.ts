// Call stacks on the page: how wide, in which words, and how the keyboard moves through them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CpuShares, FlameFrame } from '../../protocol/evidence.ts';
import { flame } from '../../client/report/flame-section.ts';
import { placeAmong, walk, type WalkKey } from '../../client/report/flame-walk.ts';
import { reportPage } from '../../client/report/report-view.ts';
import { english as t } from './english.ts';
import { at, LINES, profiledOf } from './profile-report.ts';

const FRAMES: readonly FlameFrame[] = [
  { functionName: 'total', owner: 'user', place: at(3, 15), depth: 0, self: 0.1, total: 0.7 },
  { functionName: 'add', owner: 'user', place: at(8, 2), depth: 1, self: 0.4, total: 0.4 },
  {
    functionName: '',
    owner: 'packages',
    module: 'lodash',
    place: { file: '/p/node_modules/lodash/a.js', line: 2, column: 1 },
    depth: 1,
    self: 0.1,
    total: 0.2,
  },
  { functionName: 'readFileSync', owner: 'core', module: 'node:fs', depth: 2, self: 0.1, total: 0.1 },
  { functionName: '(garbage collector)', owner: 'gc', depth: 0, self: 0.2, total: 0.2 },
];
const CPU: CpuShares = {
  busyMs: 100,
  user: 0.5,
  packages: 0.1,
  core: 0.1,
  gc: 0.2,
  functions: [{ functionName: 'add', place: at(8, 2), self: 0.4, total: 0.4 }],
  lines: [],
  byPackage: [],
  flame: FRAMES,
};

function sectionOf(cpu: CpuShares | undefined) {
  return flame({
    profiled: profiledOf({ cpu }),
    before: [],
    lineCount: LINES,
    pathOf: (file) => file.replace('/p/', ''),
    dateOf: (iso) => iso,
    t,
  })[0];
}

describe('the call stacks of a report', () => {
  it('stand below their callers, one beside the other, with words for all', () => {
    const section = sectionOf(CPU);
    const picture = section?.pictures?.[0];
    assert.ok(picture?.kind === 'flame');
    assert.equal(section?.deeper, 'add: 40 % in itself');
    assert.deepEqual(
      picture.frames.map(({ depth, from, words }) => [depth, Number(from.toFixed(3)), words]),
      [
        [0, 0, 'total (line 3:15): 70 % of CPU time, 10 % in itself'],
        [1, 0, 'add (line 8:2): 40 % of CPU time, 40 % in itself'],
        [1, 0.4, '(anonymous) · lodash (node_modules/lodash/a.js:2): 20 % of CPU time, 10 % in itself'],
        [2, 0.4, 'readFileSync (node:fs): 10 % of CPU time, 10 % in itself'],
        [0, 0.7, 'garbage collection: 20 % of CPU time, 20 % in itself'],
      ],
    );
    assert.deepEqual(
      picture.legend.map(({ text }) => text),
      ['your code', 'packages', 'Node internals', 'garbage collection'],
    );
  });

  it('are left out where there are none', () => {
    assert.equal(sectionOf(undefined), undefined);
    assert.equal(sectionOf({ ...CPU, flame: [] }), undefined);
  });

  it('are on the page without styles and without the names of files', () => {
    const section = sectionOf(CPU);
    assert.ok(section);
    const { html, places } = reportPage({
      model: { title: 'x', figures: [], sections: [section], footer: ['x'] },
      source: 's',
      nonce: 'n',
      script: 'report.js',
      style: 'report.css',
      language: 'en',
      t,
    });
    assert.deepEqual(places, [at(3, 15), at(8, 2), { file: '/p/node_modules/lodash/a.js', line: 2, column: 1 }]);
    assert.match(html, /<div class="flame" role="tree" aria-label="Call stacks by CPU time" data-flame="[^"]+"><\/div>/);
    assert.doesNotMatch(html, /\sstyle=|\son\w+=|\/p\//);
  });

  it('are walked through with the keys: to the caller, to what it calls, and to those beside', () => {
    const steps: [from: number, key: WalkKey, to: number][] = [
      [0, 'ArrowDown', 1],
      [1, 'ArrowDown', 1],
      [1, 'ArrowRight', 2],
      [2, 'ArrowRight', 2],
      [2, 'ArrowDown', 3],
      [3, 'ArrowUp', 2],
      [2, 'ArrowUp', 0],
      [0, 'ArrowUp', 0],
      [0, 'ArrowRight', 4],
      [4, 'ArrowLeft', 0],
      [4, 'ArrowDown', 4],
      [2, 'ArrowLeft', 1],
      [1, 'ArrowLeft', 1],
      [3, 'Home', 0],
    ];
    for (const [from, key, to] of steps) assert.equal(walk(FRAMES, from, key), to, `${from} ${key}`);
    assert.deepEqual(
      FRAMES.map((_, index) => placeAmong(FRAMES, index)),
      [
        { place: 1, of: 2 },
        { place: 1, of: 2 },
        { place: 2, of: 2 },
        { place: 1, of: 1 },
        { place: 2, of: 2 },
      ],
    );
  });
});
