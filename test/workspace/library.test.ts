// Which packages are libraries: what agents are told of callers depends on it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLibrary } from '../../workspace/library.ts';
import { toManifest } from '../../workspace/project.ts';

function judge(raw: Record<string, unknown>, files: Readonly<Record<string, string>> = {}): boolean {
  return isLibrary(raw, toManifest(raw), (path) => files[path.replace(/^\.\//, '')]);
}

const CODE = { 'index.js': 'module.exports = { add: (a, b) => a + b };' };

describe('isLibrary', () => {
  it('takes a package for one that others can load', () => {
    assert.equal(judge({ main: 'index.js' }, CODE), true);
    assert.equal(judge({ main: './index' }, CODE), true);
    assert.equal(judge({ main: 'lib/' }, { 'lib//index.js': 'export const one = 1;' }), true);
    assert.equal(judge({ main: 'index.js', bin: 'cli.js' }, { ...CODE, 'cli.js': 'run(process.argv)' }), true);
  });

  it('takes a package that has still to be built for one if it says what is published', () => {
    assert.equal(judge({ exports: './dist/index.js' }), true);
    assert.equal(judge({ main: 'dist/index.js', types: 'dist/index.d.ts' }), true);
    assert.equal(judge({ module: 'dist/index.mjs', scripts: { start: 'microbundle watch' } }), true);
    assert.equal(judge({ main: 'dist/index.js' }), false);
  });

  it('takes a framework for one, which has a method `listen`', () => {
    assert.equal(
      judge({ main: 'app.js' }, { 'app.js': 'module.exports = () => ({ listen(...a) { return server.listen(...a); } });' }),
      true,
    );
  });

  it('takes no application for one', () => {
    assert.equal(judge({}), false);
    assert.equal(judge({ main: 'index.js', private: true }, CODE), false);
    assert.equal(judge({ main: 'index.js', scripts: { start: 'node .' } }, CODE), false);
    // As `npm init` writes it.
    assert.equal(judge({ main: 'index.js' }, { 'index.js': "require('./app').start();" }), false);
    // Exported for its tests.
    assert.equal(judge({ main: 'index.js' }, { 'index.js': 'app.listen(3000);\nmodule.exports = app;' }), false);
    assert.equal(judge({ main: 'index.js' }, { 'index.js': 'app.listen(config.port);\nmodule.exports = app;' }), false);
    assert.equal(judge({ main: 'index.js', bin: { serve: './serve.js' } }, { ...CODE, 'serve.js': 'server.listen(PORT)' }), false);
  });
});
