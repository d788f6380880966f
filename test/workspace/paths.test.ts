// Questions about paths that a stranger's folder makes hard: folders that are files, and names that look like the folder above.
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { insideOf } from '../../files/inside.ts';
import { linkStatsOf, statsOf } from '../../files/path-stats.ts';
import { folderWith } from '../cli/support.ts';

describe('paths', () => {
  it('of names that begin with two dots lie in their folder', () => {
    const at = (...names: string[]): string => join('/p', ...names);
    assert.equal(insideOf(at(), at('..js')), '..js');
    assert.equal(insideOf(at(), at('..cache', 'a.js')), join('..cache', 'a.js'));
    assert.equal(insideOf(at(), at()), '');
    assert.equal(insideOf(at('a'), at('b.js')), undefined);
    assert.equal(insideOf(at('a'), at()), undefined);
  });

  it('below a file, in a circle, or too long have no stats, and are no error', { skip: process.platform === 'win32' }, () => {
    const folder = folderWith({ file: '' });
    try {
      symlinkSync('circle', join(folder.path, 'circle'));
      for (const name of ['none', 'file/below', 'circle', 'circle/below', 'x'.repeat(5000)]) {
        assert.equal(statsOf(join(folder.path, name)), undefined, name);
        if (name !== 'circle') assert.equal(linkStatsOf(join(folder.path, name)), undefined, name);
      }
      assert.equal(linkStatsOf(join(folder.path, 'circle'))?.isSymbolicLink(), true);
      assert.equal(statsOf(join(folder.path, 'file'))?.isFile(), true);
    } finally {
      folder.dispose();
    }
  });
});
