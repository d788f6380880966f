// 20,000 patterns in a .gitignore: of a path, only those are tried that can match it, and the answer is the same.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ignore from 'ignore';
import { gitIgnoreOptions, scopeIn } from '../../workspace/discovery/git-ignore.ts';
import { PatternIndex } from '../../workspace/discovery/pattern-index.ts';
import { SharedLimit } from '../../workspace/shared-limit.ts';
import { folderWith } from '../cli/support.ts';
import { Random } from '../robustness/random.ts';

const CASES = 500;
const SEGMENTS = ['a', 'b', 'ab', 'A', '*', '**', 'a*', '*b', '?', 'a?', '*.js', 'a*c', '[ab]', '\\a', 'É', '***', 'x y', 'a ', '#a', '('];
const NAMES = ['a', 'b', 'ab', 'A', 'x.js', 'É', 'é', 'axc', 'B', 'x y', '#a', '(', 'aé'];

describe('patterns of a .gitignore', () => {
  it('answer as all of them together, by those that can match', () => {
    let ignored = 0;
    for (let seed = 1; seed <= CASES; seed++) {
      const random = new Random(seed);
      const path = (parts: readonly string[]) => Array.from({ length: 1 + random.below(4) }, () => random.pick(parts)).join('/');
      const end = () => (random.chance(0.3) ? '/' : '');
      const lines = Array.from(
        { length: 1 + random.below(8) },
        () => `${random.chance(0.3) ? '!' : ''}${random.chance(0.2) ? '/' : ''}${path(SEGMENTS)}${end()}`,
      );
      for (const ignorecase of [true, false]) {
        const index = new PatternIndex(lines, ignorecase);
        const tested = `${path(NAMES)}${end()}`;
        const few = index.candidates(tested).map((i) => index.lines[i] ?? '');
        const expected = ignore({ ignorecase }).add(lines).test(tested);
        assert.deepEqual(ignore({ ignorecase }).add(few).test(tested), expected, JSON.stringify({ lines, tested, ignorecase }));
        if (expected.ignored) ignored++;
      }
    }
    assert.ok(ignored > CASES / 4, `${ignored} are ignored`);
  });

  it('are few for each path, however many there are', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => [`name${i}`, `/deep/${i}/*.js`, `*.e${i}`, `begin${i}*`][i % 4] ?? '');
    const index = new PatternIndex([...lines, 'name4', 'name4'], false);
    assert.equal(index.lines.length, lines.length);
    assert.deepEqual(
      index.candidates('src/name4/x.e6').map((i) => index.lines[i]),
      ['*.e6', 'name4'],
    );
    assert.deepEqual(index.candidates('src/app.js'), []);
  });

  it('have a limit together where many can match every path, and are told', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `*x${i}*`).join('\n');
    const each = Array.from({ length: 5000 }, (_, i) => `${i}.js`).join('\n');
    const folder = folderWith({ 'many/.gitignore': `${many}\nskipped.js\n`, 'each/.gitignore': each });
    const warnings: string[] = [];
    const options = { ...gitIgnoreOptions('linux', (message) => warnings.push(message)), time: new SharedLimit(0) };
    try {
      for (const [name, file] of [
        ['many', 'a.js'],
        ['each', '1.js'],
      ] as const) {
        const scope = scopeIn(join(folder.path, name), undefined, options);
        assert.equal(scope?.answer(join(folder.path, name, file), false), 'unmentioned');
        assert.equal(scope?.answer(join(folder.path, name, file), false), 'unmentioned');
      }
      assert.equal(warnings.length, 2);
      const time = { ...options, time: new SharedLimit(60_000) };
      const answers = [
        scopeIn(join(folder.path, 'many'), undefined, time)?.answer(join(folder.path, 'many/skipped.js'), false),
        scopeIn(join(folder.path, 'each'), undefined, time)?.answer(join(folder.path, 'each/4999.js'), false),
        scopeIn(join(folder.path, 'each'), undefined, time)?.answer(join(folder.path, 'each/5000.js'), false),
      ];
      assert.deepEqual(answers, ['ignored', 'ignored', 'unmentioned']);
      assert.equal(warnings.length, 2);
    } finally {
      folder.dispose();
    }
  });
});
