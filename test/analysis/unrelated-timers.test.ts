// Timers that have yet to run leave the growth of a container open, but for those that only clean others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { unrelatedTimers } from '../../analysis/profile/unrelated-timers.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

function linesOf(timer: string, seen = 'const seen = new Map();'): number[] {
  const text = dedent`
    ${seen}
    ${timer}
    const other = new Map();
    const lists = [];
    const tables = [seen, other];
    const sweep = () => seen.clear();
    module.exports = (key) => seen.set(key, 1);
  `;
  const outcome = parse('/a.js', text);
  assert.ok(outcome.ok);
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source('/a.js', text), { nodeRange: '>=20', nodeRangeSource: 'test' });
  const start = text.lastIndexOf('seen.set');
  return unrelatedTimers({ start, end: start + 'seen'.length }, facts);
}

describe('timers that take something out of other containers', () => {
  it('are not those that may come to the one that grows', () => {
    assert.deepEqual(linesOf('setInterval(() => { seen.clear(); other.clear(); }, 60_000);'), []);
    assert.deepEqual(linesOf('setInterval(() => { other.clear(); sweep(); }, 60_000);'), [], 'a function of the file');
    assert.deepEqual(linesOf('setInterval(sweep, 60_000);'), [], 'by its name');
    assert.deepEqual(linesOf('setInterval(() => { for (const table of tables) table.clear(); }, 60_000);'), [], 'a list of containers');
    assert.deepEqual(linesOf('setInterval(() => { other.get(1).sweep(); }, 60_000);'), [], 'code of another object');
    assert.deepEqual(linesOf('setInterval(() => other.forEach(sweep), 60_000);'), []);
    assert.deepEqual(linesOf('setInterval(() => { other.clear(); new Sweeper(); }, 60_000);'), []);
    assert.deepEqual(linesOf('setInterval(() => { other.clear(); sweep``; }, 60_000);'), []);
    assert.deepEqual(linesOf('setInterval(() => other.clear(), 9e4); setInterval(sweep, 9e4);'), [], 'two in a line');
    assert.deepEqual(linesOf('setInterval(() => other.clear(), 60_000);', 'let seen = new Map(); seen = other;'), [], 'it is another one');
    assert.deepEqual(linesOf('setInterval(() => other.clear(), 60_000);', 'const seen = makeTable();'), [], 'who made it has it, too');
    assert.deepEqual(linesOf('const setInterval = sweep; setInterval(() => other.clear(), 60_000);'), [], 'no timer');
  });

  it('are those that name only others, and call only what containers have', () => {
    assert.deepEqual(linesOf('setInterval(() => other.clear(), 60_000);'), [2]);
    assert.deepEqual(
      linesOf('setInterval(() => { for (const [key, at] of other) if (Date.now() - at > 1000) other.delete(key); }, 60_000);'),
      [2],
    );
    assert.deepEqual(linesOf('setInterval(() => other.forEach((at, key) => other.delete(key)), 60_000);'), [2]);
    assert.deepEqual(linesOf('setTimeout(function () { lists.shift(); lists.length = 0; }, 60_000).unref();'), [2]);
  });
});
