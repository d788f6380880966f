import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findDamage } from '../../analysis/fix/verify.ts';

describe('findDamage', () => {
  const before = "const fs = require('fs');\nfs.readFileSync('a');\n";
  it('accepts a sound change', () => {
    assert.equal(findDamage('a.js', before, "const fs = require('fs');\nasync function f() { await fs.promises.readFile('a'); }\n"), undefined);
  });
  it('names what nothing declares', () => {
    assert.match(findDamage('a.js', before, "const fs = require('fs');\nawait readFile('a');\n") ?? '', /`readFile`/);
  });
  it('sees broken syntax', () => {
    assert.match(findDamage('a.js', before, 'const fs = require(') ?? '', /not parse/);
  });
  it('sees a name declared twice', () => {
    assert.match(findDamage('a.js', before, `const fs = 1;\n${before}`) ?? '', /declared twice|syntax error/);
  });
  it('does not judge text that was broken before', () => {
    assert.equal(findDamage('a.js', 'foo(', 'foo('), undefined);
  });
});
