// A conversion to promises is not offered where a test of the package replaces functions of `fs`.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf } from './whole-project.ts';

const SERVER = `
const fs = require('fs');
const app = require('express')();
app.get('/:name', (req, res) => res.send(fs.readFileSync(req.params.name)));
app.listen(3000);
`;

const offered = (test: string, name = 'test/server.test.js'): { fixes: number; refused: string } => {
  const [found] = findingsOf(['no-sync-in-handler'], { 'server.js': SERVER, [name]: test });
  return { fixes: found?.fixes.length ?? -1, refused: (found?.refused ?? []).map(({ reason }) => reason).join('; ') };
};

describe('tests that replace functions of fs', () => {
  for (const text of [
    "jest.mock('fs'); require('../server');",
    "jest.unstable_mockModule('fs', () => ({ readFileSync: jest.fn() }));",
    "vi.mock('node:fs', () => ({ default: { readFileSync: vi.fn() } }));",
    "const fs = require('fs'); jest.spyOn(fs, 'readFileSync').mockReturnValue('');",
    "const fs = require('fs'); const sinon = require('sinon'); sinon.stub(fs, 'readFileSync');",
    "import fs from 'node:fs'; import { mock } from 'node:test'; mock.method(fs, 'readFileSync', () => '');",
    "const proxyquire = require('proxyquire'); proxyquire('../server', { fs: { readFileSync: () => '' } });",
  ])
    it(text, () => {
      const { fixes, refused } = offered(text);
      assert.equal(fixes, 0);
      assert.match(refused, /^a test of this package \(`server\.test\.js`\) replaces functions of `fs`/);
    });

  for (const [why, files] of [
    [
      'a test that loads the file by another one',
      { 'app.js': "require('./server');", 'test/app.test.js': "jest.mock('fs'); require('../app');" },
    ],
    ['a test that loads a helper', { 'test/a.test.js': "jest.mock('fs'); require('./helper');", 'test/helper.js': '' }],
    ['a test that loads what it computes', { 'test/a.test.js': "jest.mock('fs'); require('../util'); require(FILE);", 'util.js': '' }],
    ['a name that a tool resolves', { 'test/a.test.js': "jest.mock('fs'); require('@/server');" }],
  ] as const)
    it(`${why}: refused`, () => {
      const [found] = findingsOf(['no-sync-in-handler'], { 'server.js': SERVER, ...files });
      assert.match(JSON.stringify(found?.refused), /replaces functions of `fs`/);
    });

  it('a test that loads other files only: offered', () => {
    const files = { 'util.js': "exports.a = require('fs').existsSync('a');", 'test/util.test.js': "jest.mock('fs'); require('../util');" };
    const [found] = findingsOf(['no-sync-in-handler'], { 'server.js': SERVER, ...files });
    assert.equal(found?.fixes.length, 1);
    assert.deepEqual(found?.refused, []);
  });

  for (const [why, text, name] of [
    ['a mock of another module', "jest.mock('axios');", undefined],
    ['an asynchronous function', "const fs = require('fs'); jest.spyOn(fs, 'readFile');", undefined],
    ['a word that replaces text', "const fs = 'a'; fs.replace('fs', '');", undefined],
    ['code that is no test', "jest.mock('fs');", 'lib/mocks.js'],
  ] as const)
    it(`${why}: offered`, () => {
      assert.deepEqual(offered(text, name), { fixes: 1, refused: '' });
    });
});
