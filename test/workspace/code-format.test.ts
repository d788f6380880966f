// What a project's formatter is told, by the nearest configuration.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCodeFormat, findLintConfig, type FolderReader } from '../../workspace/code-format.ts';

/** `files`: texts by absolute path; a package.json as JSON. */
function readerOf(files: Readonly<Record<string, string>>): FolderReader {
  return {
    read: (path) => files[path.replaceAll('\\', '/')],
    packageIn: (one) => {
      const text = files[`${one.replaceAll('\\', '/').replace(/\/$/, '')}/package.json`];
      return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
    },
  };
}

function formatOf(files: Readonly<Record<string, string>>, folder = '/app') {
  return findCodeFormat(folder, readerOf(files));
}

describe('the format of a project', () => {
  it('is unknown without a configuration', () => {
    assert.equal(formatOf({ '/app/package.json': '{}' }), undefined);
  });

  it('is what Prettier is told, in any form', () => {
    assert.deepEqual(formatOf({ '/app/.prettierrc': '{ "semi": true, "printWidth": 180 }' }), { width: 180 });
    assert.deepEqual(formatOf({ '/app/.prettierrc.yaml': 'printWidth: 100\ntrailingComma: es5\n' }), {
      width: 100,
      trailingComma: 'literals',
    });
    assert.deepEqual(formatOf({ '/app/prettier.config.mjs': "export default { printWidth: 120, trailingComma: 'none' };" }), {
      width: 120,
      trailingComma: 'none',
    });
    assert.deepEqual(formatOf({ '/app/package.json': '{"prettier":{"printWidth":90},"devDependencies":{"prettier":"^3.2.0"}}' }), {
      width: 90,
      trailingComma: 'all',
    });
  });

  it('is that of the version of Prettier where nothing is said', () => {
    assert.deepEqual(formatOf({ '/app/.prettierrc': '{}', '/app/package.json': '{"devDependencies":{"prettier":"~2.8.0"}}' }), {
      width: 80,
      trailingComma: 'literals',
    });
  });

  it('is what Biome or EditorConfig say otherwise', () => {
    assert.deepEqual(formatOf({ '/app/biome.json': '{"formatter":{"lineWidth":140}}' }), { width: 140 });
    assert.deepEqual(
      formatOf({
        '/app/.editorconfig': dedent`
      [*.md]
      max_line_length = 70
      [*.{js,ts}]
      max_line_length = 110

    `,
      }),
      {
        width: 110,
      },
    );
    assert.deepEqual(formatOf({ '/app/.editorconfig': '[*]\nmax_line_length = off\n' }), undefined);
    assert.deepEqual(formatOf({ '/app/.prettierrc': '{}', '/app/.editorconfig': '[*]\nmax_line_length = 110\n' }), { width: 110 });
  });

  it('is that of the nearest folder, up to the repository', () => {
    const files = { '/app/.prettierrc': '{"printWidth":100}', '/app/server/package.json': '{}' };
    assert.deepEqual(formatOf(files, '/app/server'), { width: 100 });
    assert.equal(formatOf({ ...files, '/app/server/.git/HEAD': 'ref: refs/heads/main' }, '/app/server'), undefined);
  });
});

describe('what ESLint is told', () => {
  const lintOf = (files: Readonly<Record<string, string>>, folder = '/app') => findLintConfig(folder, readerOf(files));

  it('is unknown without a configuration', () => {
    assert.equal(lintOf({ '/app/package.json': '{}' }), undefined);
  });

  it('is read as text from any form', () => {
    assert.deepEqual(lintOf({ '/app/.eslintrc.json': '{"parserOptions":{"ecmaVersion":2020},"rules":{"no-await-in-loop":"error"}}' }), {
      ecmaVersion: 2020,
      rules: { 'no-await-in-loop': true },
    });
    assert.deepEqual(
      lintOf({
        '/app/.eslintrc.js': "module.exports = { parser: 'x', parserOptions: { ecmaVersion: 8 }, rules: { 'functional/no-let': 2 } };",
      }),
      { rules: { 'functional/no-let': true } },
    );
    assert.deepEqual(
      lintOf({ '/app/eslint.config.mjs': "export default [{ rules: { 'no-await-in-loop': ['off'], 'import-x/order': ['error', {}] } }];" }),
      {
        rules: { 'no-await-in-loop': false, 'import-x/order': true },
      },
    );
    assert.deepEqual(lintOf({ '/app/package.json': '{"eslintConfig":{"parserOptions":{"ecmaVersion":11}}}' }), {
      ecmaVersion: 2020,
      rules: {},
    });
    assert.deepEqual(lintOf({ '/app/.eslintrc': 'rules:\n  no-await-in-loop: warn\n', '/app/api/package.json': '{}' }, '/app/api'), {
      rules: { 'no-await-in-loop': true },
    });
  });

  it('tells whether a name beside a rest may be unused', () => {
    const forbids = (text: string): boolean | undefined => lintOf({ '/app/eslint.config.js': text })?.rules['unused-rest-siblings'];
    assert.equal(forbids("rules: { '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }] }"), true);
    assert.equal(forbids("rules: { 'no-unused-vars': ['error', { ignoreRestSiblings: true }] }"), undefined);
    assert.equal(forbids("rules: { 'no-unused-vars': ['off'] }"), undefined);
    assert.equal(forbids('export default [eslint.configs.recommended]'), true);
    assert.equal(forbids("extends: ['airbnb', 'plugin:import/recommended']"), undefined);
  });
});
