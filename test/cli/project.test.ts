// What the project's files say about it: manifest, and the Node versions that it runs on.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readMiseToml, readNodeRange, readToolVersions, readVersionFile } from '../../workspace/node-range.ts';
import { ProjectFinder, toManifest } from '../../workspace/project.ts';
import { folderWith, RUNNING_NODE } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

function rangeIn(
  files: Readonly<Record<string, string>>,
  folder = '.',
  options: { nodeOption?: string; configNode?: { range: string; source: string } } = {},
): { range: string; source: string; warnings: string[] } {
  const made = folderWith(files);
  try {
    const warnings: string[] = [];
    const finder = new ProjectFinder({
      nodeOption: options.nodeOption,
      runningNode: RUNNING_NODE,
      warn: (message) => warnings.push(message.replaceAll(made.path, '')),
    });
    const info = finder.infoFor(join(made.path, folder), options.configNode);
    assert.equal(finder.infoFor(join(made.path, folder), options.configNode), info, 'asked once');
    return { range: info.nodeRange, source: info.nodeRangeSource, warnings };
  } finally {
    made.dispose();
  }
}

describe('the Node range', () => {
  const all = {
    'package.json': '{"engines":{"node":">=1"},"volta":{"node":"4.0.0"},"devEngines":{"runtime":{"name":"node","version":"8"}}}',
    '.nvmrc': 'v2',
    '.node-version': '3',
    '.tool-versions': dedent`
      ruby 3
      nodejs 5.0.0

    `,
    'mise.toml': dedent`
      [tools]
      node = "6"

    `,
    Dockerfile: dedent`
      FROM node:4 AS build
      FROM --platform=linux/amd64 docker.io/library/node:9.1-alpine AS run
      FROM nginx:1
    `,
    '.mise.toml': dedent`
      [tools]
      node = "7"

    `,
  };

  it('is taken from the first that says something', () => {
    const steps: [change: Record<string, string>, range: string, source: string][] = [
      [{}, '>=1', 'engines.node in package.json'],
      [{ 'package.json': all['package.json'].replace('"engines"', '"x"') }, '2', '.nvmrc'],
      [{ '.nvmrc': '' }, '3', '.node-version'],
      [{ '.node-version': '' }, '4.0.0', 'volta.node in package.json'],
      [{ 'package.json': all['package.json'].replace('"engines"', '"x"').replace('"volta"', '"y"') }, '5.0.0', '.tool-versions'],
      [{ '.tool-versions': '' }, '6', 'mise.toml'],
      [{ 'mise.toml': '' }, '7', '.mise.toml'],
      [{ '.mise.toml': '' }, '8', 'devEngines.runtime in package.json'],
      [{ 'package.json': '{}' }, '9.1', 'Dockerfile'],
      [
        {
          Dockerfile: dedent`
        FROM node:$VERSION
        FROM nodejs:3
        FROM my/node-app:4
      `,
        },
        RUNNING_NODE,
        'the running Node',
      ],
    ];
    let files: Record<string, string> = all;
    for (const [change, range, source] of steps) {
      files = { ...files, ...change };
      assert.deepEqual(rangeIn(files), { range, source, warnings: [] });
    }
    assert.deepEqual(rangeIn(all, '.', { nodeOption: '>=99' }), { range: '>=99', source: '--node', warnings: [] });
    assert.deepEqual(rangeIn(all, '.', { configNode: { range: '>=98', source: 'the configuration' } }), {
      range: '>=98',
      source: 'the configuration',
      warnings: [],
    });
  });

  it('is inherited from the folders above', () => {
    assert.deepEqual(rangeIn({ '.nvmrc': '22', 'packages/a/package.json': '{}' }, 'packages/a/src'), {
      range: '22',
      source: '.nvmrc',
      warnings: [],
    });
    assert.deepEqual(
      rangeIn({ 'package.json': '{"engines":{"node":">=20"}}', 'a/package.json': '{"engines":{"node":"*"}}' }, 'a').range,
      '>=20',
    );
    assert.deepEqual(
      rangeIn({ 'package.json': '{"engines":{"node":">=20"}}', 'a/package.json': '{"engines":{"node":">=16"}}' }, 'a').range,
      '>=16',
    );
  });

  it('passes over what is no version, and says so', () => {
    assert.deepEqual(rangeIn({ 'package.json': '{"engines":{"node":"recent"}}', '.nvmrc': 'lts/nonsense\n', '.node-version': '20' }), {
      range: '20',
      source: '.node-version',
      warnings: [
        '/package.json: `recent` (engines.node in package.json) is not a Node version or range and is ignored.',
        '/.nvmrc: `lts/nonsense` (.nvmrc) is not a Node version or range and is ignored.',
      ],
    });
    assert.deepEqual(rangeIn({ 'package.json': '{"engines":{"node":20},"volta":[],"devEngines":null}' }).warnings, []);
  });

  it('reads versions, ranges and names of version managers', () => {
    const range = (text: string) => {
      const reading = readNodeRange(text);
      return reading.kind === 'range' ? reading.range : reading.kind;
    };
    assert.deepEqual(
      ['20', ' v20.11.1 ', '>=18 <21', '^18 || ^20', 'lts/iron', 'lts/Hydrogen', 'jod', 'node-v20', 'nodejs@20'].map(range),
      ['20', '20.11.1', '>=18 <21', '^18 || ^20', '20.x', '18.x', '22.x', '20', '20'],
    );
    assert.deepEqual(['lts/*', 'node', 'stable', 'latest', 'LTS'].map(range), Array(5).fill('>=24'));
    assert.deepEqual(['', '*', ' x '].map(range), Array(3).fill('silent'));
    assert.deepEqual(['iojs', 'banana', 'system', 'ref:abc', 'lts/constructor'].map(range), Array(5).fill('invalid'));
    // A package.json may hold megabytes of it, which semver would read for seconds.
    const [long, other] = [Array(200_000).fill('>=20').join(' || '), 'x'.repeat(100_000)].map((text) => readNodeRange(text));
    assert.deepEqual(long, { kind: 'invalid', text: `${'>=20 || '.repeat(20).slice(0, 100)}…` });
    assert.deepEqual(other, { kind: 'invalid', text: `${'x'.repeat(100)}…` });
  });

  it('reads the files of version managers', () => {
    assert.equal(
      readVersionFile(dedent`
      # comment

       v20.1.0 # here
      other
    `),
      'v20.1.0',
    );
    assert.equal(
      readToolVersions(dedent`
      python 3.12
      nodejs 20.1.0 18.0.0 # both

    `),
      '20.1.0 || 18.0.0',
    );
    assert.equal(readToolVersions('python 3.12\n'), undefined);
    assert.equal(
      readMiseToml(dedent`
      [env]
      node = "1"
      [tools]
      python = "3"
      node = ["20", "22"]

    `),
      '20 || 22',
    );
    assert.equal(
      readMiseToml(dedent`
      [tools]
      "node" = { version = "20.1", postinstall = "corepack enable" }
    `),
      '20.1',
    );
    assert.equal(readMiseToml("tools.node = '18'\n"), '18');
    assert.equal(
      readMiseToml(dedent`
      [env]
      node = "1"

    `),
      undefined,
    );
  });
});

describe('package.json', () => {
  it('is taken as far as it has the right types', () => {
    assert.deepEqual(
      toManifest({
        name: 'a',
        type: 'module',
        main: 1,
        bin: { a: './a.js', b: 2 },
        scripts: { start: 'node .', odd: null },
        private: true,
        dependencies: { express: '^4' },
        devDependencies: 'none',
        optionalDependencies: { fsevents: '2' },
      }),
      {
        name: 'a',
        type: 'module',
        main: undefined,
        bin: ['./a.js'],
        scripts: { start: 'node .' },
        private: true,
        dependencies: { express: '^4', fsevents: '2' },
        devDependencies: {},
      },
    );
    assert.deepEqual(toManifest({ bin: 'cli.js', private: 'yes', type: 'esm' }), {
      name: undefined,
      type: undefined,
      main: undefined,
      bin: ['cli.js'],
      scripts: {},
      private: false,
      dependencies: {},
      devDependencies: {},
    });
  });

  it('that is broken or no object still marks the project', () => {
    for (const text of ['{', '[]', 'null', '"text"', '']) {
      const made = folderWith({ 'a/package.json': text, 'package.json': '{"name":"outer"}' });
      try {
        const warnings: string[] = [];
        const info = new ProjectFinder({ runningNode: RUNNING_NODE, warn: (message) => warnings.push(message) }).infoFor(
          join(made.path, 'a', 'src'),
        );
        assert.equal(info.root, join(made.path, 'a'), text);
        assert.equal(info.manifest?.name, undefined);
        assert.equal(warnings.length, 1, text);
      } finally {
        made.dispose();
      }
    }
  });
});

describe('the place of a package', () => {
  it('is told below the outermost package around it', () => {
    const made = folderWith({
      'package.json': '{}',
      'apps/a/package.json': '{}',
      'apps/a/public/lib/b/package.json': '{}',
      'apps/a/public/lib/b/src/x.js': '',
    });
    try {
      const finder = new ProjectFinder({ runningNode: RUNNING_NODE, warn: (message) => assert.fail(message) });
      assert.equal(finder.infoFor(made.path).place, undefined);
      assert.equal(finder.infoFor(join(made.path, 'apps/a')).place, 'apps/a');
      assert.equal(finder.infoFor(join(made.path, 'apps/a/public/lib/b/src')).place, 'apps/a/public/lib/b');
    } finally {
      made.dispose();
    }
  });
});
