// nodometer.config.json: what it may say, how mistakes are told, which one holds for a file, and its JSON schema.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Ajv from 'ajv';
import type { Config } from '../../workspace/config/config.ts';
import { decodeConfig } from '../../workspace/config/config-decode.ts';
import { configSchema } from '../../workspace/config/config-schema.ts';
import { placesOf, runIn, testRules } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(configSchema(testRules) as object);

function decode(text: string): Config | readonly string[] {
  const decoded = decodeConfig('/p/nodometer.config.json', text, testRules);
  return decoded.ok ? decoded.config : decoded.problems.map(({ line, column, message }) => `${line}:${column}: ${message}`);
}

describe('a configuration', () => {
  it('may be empty, with comments, trailing commas and a byte order mark', () => {
    const empty = { rules: new Map(), ignores: [], overrides: [] };
    for (const text of [
      '{}',
      '\uFEFF{}',
      dedent`
        // all defaults
        { /* nothing */ }

      `,
      '{"$schema": "./node_modules/nodometer/nodometer.schema.json",}',
    ])
      assert.deepEqual(decode(text), empty, text);
  });

  it('names severities plainly or with options', () => {
    const text = `{
      "node": ">=20", "ignores": ["dist/"], "maxFileSize": 1000,
      "rules": { "no-slow": "error", "no-note": { "severity": "off" }, "no-blocking": {} },
      "overrides": [{ "files": ["*.test.js"], "rules": { "no-slow": { "options": { "limit": 3, "mode": "hard", "names": ["a"], "strict": true } } } }],
    }`;
    assert.deepEqual(decode(text), {
      node: '>=20',
      ignores: ['dist/'],
      maxFileSize: 1000,
      rules: new Map([
        ['no-slow', { severity: 'error', options: {} }],
        ['no-note', { severity: 'off', options: {} }],
        ['no-blocking', { severity: undefined, options: {} }],
      ]),
      overrides: [
        {
          files: ['*.test.js'],
          rules: new Map([['no-slow', { severity: undefined, options: { limit: 3, mode: 'hard', names: ['a'], strict: true } }]]),
        },
      ],
    });
  });

  const BROKEN: [text: string, ...errors: string[]][] = [
    ['', '1:1: invalid JSON: value expected.'],
    ['{"rules": {}', '1:13: invalid JSON: close brace expected.'],
    [
      dedent`
      {
        "rules" {}
      }
    `,
      '2:11: invalid JSON: colon expected.',
    ],
    ['[]', '1:1: expected an object (the configuration), got an array.'],
    ['{"rulse": {}}', '1:2: unknown setting `rulse`. Did you mean `rules`?'],
    ['{"plugins": []}', '1:2: unknown setting `plugins`. Available: $schema, node, rules, ignores, overrides, maxFileSize.'],
    ['{"rules": []}', '1:11: expected an object with rule IDs as keys (`rules`), got an array.'],
    [
      dedent`
      {
        "rules": {
          "no-slwo": "error"
        }
      }
    `,
      '3:5: unknown rule `no-slwo`. Did you mean `no-slow`?',
    ],
    ['{"rules": {"no-slow": "warn"}}', '1:23: expected "off", "hint", "warning", or "error", got "warn". Did you mean `warning`?'],
    ['{"rules": {"no-slow": 2}}', '1:23: expected a severity or an object with `severity` and `options`, got 2.'],
    ['{"rules": {"no-slow": ["error", {}]}}', '1:23: expected a severity or an object with `severity` and `options`, got an array.'],
    ['{"rules": {"no-slow": {"level": "off"}}}', '1:24: unknown rule field `level`. Available: severity, options.'],
    ['{"rules": {"no-slow": {"limit": 1}}}', '1:24: `limit` is an option of no-slow; move it into `options`.'],
    ['{"rules": {"no-slow": {"toString": 1}}}', '1:24: unknown rule field `toString`. Available: severity, options.'],
    ['{"rules": {"no-slow": {"options": {"limti": 1}}}}', '1:36: unknown option of no-slow `limti`. Did you mean `limit`?'],
    [
      '{"rules": {"no-slow": {"options": {"constructor": 1}}}}',
      '1:36: unknown option of no-slow `constructor`. Available: limit, mode, names, strict.',
    ],
    ['{"rules": {"no-note": {"options": {"a": 1}}}}', '1:36: unknown option of no-note `a`. None are available.'],
    [
      '{"rules": {"no-slow": {"options": {"limit": "1", "mode": "hrad", "names": [1, ""], "strict": null}}}}',
      '1:45: expected a number, got "1".',
      '1:58: expected "soft" or "hard", got "hrad". Did you mean `hard`?',
      '1:76: expected a non-empty string, got 1.',
      '1:79: expected a non-empty string, got "".',
      '1:94: expected true or false, got null.',
    ],
    ['{"rules": {"no-slow": {"options": {"limit": -1}}}}', '1:45: expected a number of at least 0, got -1.'],
    ['{"rules": {"no-slow": "off", "no-slow": "error"}}', '1:30: duplicate key `no-slow`.'],
    ['{"node": "eighteen"}', '1:10: expected a semver range such as ">=20", got "eighteen".'],
    ['{"node": 18}', '1:10: expected a semver range such as ">=20", got 18.'],
    ['{"ignores": "dist"}', '1:13: expected an array of .gitignore patterns, got "dist".'],
    ['{"maxFileSize": "1MB"}', '1:17: expected a positive whole number of bytes, got "1MB".'],
    [
      '{"overrides": [{"file": "a"}]}',
      '1:17: unknown override field `file`. Did you mean `files`?',
      '1:16: an override requires `files`.',
      '1:16: an override requires `rules`.',
    ],
    ['{"overrides": [{"files": [], "rules": {}}]}', '1:26: expected at least one glob, got an empty array.'],
    ['{"overrides": {}}', '1:15: expected an array of objects, got an object.'],
  ];

  for (const [text, ...errors] of BROKEN) it(`says what is wrong in ${JSON.stringify(text)}`, () => assert.deepEqual(decode(text), errors));

  it('is told to be nested too deeply, and not looked into', () => {
    for (const open of ['[', '{"rules":'])
      assert.deepEqual(decode(open.repeat(100_000)), ['1:1: the JSON is nested too deeply to be read.']);
  });

  it('is refused by the schema where the command refuses it, and taken where it is taken', () => {
    for (const [text] of BROKEN) {
      // A key that stands twice is lost before a schema sees it, an unreadable range is a string to it, and broken JSON is no JSON.
      if (/duplicate key|invalid JSON|semver/.test(String(decode(text))) && text !== '{"node": 18}') continue;
      assert.equal(validate(JSON.parse(text)), false, text);
    }
    for (const value of [
      {},
      {
        $schema: 'x',
        node: '>=20',
        ignores: ['a'],
        maxFileSize: 5,
        rules: { 'no-slow': 'off', 'no-note': { severity: 'hint' } },
        overrides: [{ files: ['a'], rules: { 'no-slow': { options: { limit: 2, mode: 'soft' } } } }],
      },
    ]) {
      assert.equal(validate(value), true, JSON.stringify(validate.errors));
      assert.ok(!Array.isArray(decode(JSON.stringify(value))));
    }
  });
});

describe('which configuration holds', () => {
  const off = '{"rules":{"no-slow":"off"}}';
  const error = '{"rules":{"no-slow":"error"}}';

  async function lint(files: Readonly<Record<string, string>>, argv: readonly string[] = []): Promise<string[]> {
    const { out, err } = await runIn(files, ['lint', '-f', 'json', ...argv]);
    assert.equal(err, '');
    return (JSON.parse(out) as { file: string; severity: string }[]).map((one) => `${one.file.replace('<folder>/', '')} ${one.severity}`);
  }

  it('is the nearest one above a file, alone', async () => {
    const files = {
      'nodometer.config.json': '{"rules":{"no-slow":"error","no-note":"off"}}',
      'a.js': 'slow(); note()',
      'x/nodometer.config.json': '{}',
      'x/b.js': 'slow(); note()',
      'x/y/c.js': 'slow()',
    };
    assert.deepEqual(await lint(files), ['a.js error', 'x/b.js warning', 'x/b.js hint', 'x/y/c.js warning']);
    assert.deepEqual(await lint(files, ['x/y']), ['x/y/c.js warning']);
  });

  it('is the one given with --config, everywhere, or none with --no-config', async () => {
    const files = {
      'nodometer.config.json': off,
      'ci/strict.json': error,
      'a.js': 'slow()',
      'x/nodometer.config.json': off,
      'x/b.js': 'slow()',
    };
    assert.deepEqual(await lint(files), []);
    assert.deepEqual(await lint(files, ['--config', 'ci/strict.json']), ['a.js error', 'x/b.js error']);
    assert.deepEqual(await lint(files, ['--no-config']), ['a.js warning', 'x/b.js warning']);
  });

  it('has globs relative to its folder, or to the working directory with --config', async () => {
    const overrides = '{"overrides":[{"files":["x/**"],"rules":{"no-slow":"off"}}],"ignores":["/y"]}';
    const code = { 'x/a.js': 'slow()', 'sub/x/b.js': 'slow()', 'y/c.js': 'slow()', 'sub/y/d.js': 'slow()' };
    assert.deepEqual(await lint({ ...code, 'nodometer.config.json': overrides }), ['sub/x/b.js warning', 'sub/y/d.js warning']);
    assert.deepEqual(await lint({ ...code, 'sub/nodometer.config.json': overrides }), ['x/a.js warning', 'y/c.js warning']);
    assert.deepEqual(await lint({ ...code, 'ci/strict.json': overrides }, ['--config', 'ci/strict.json']), [
      'sub/x/b.js warning',
      'sub/y/d.js warning',
    ]);
  });

  it('applies overrides in order, on top of the rest', async () => {
    const config = {
      rules: { 'no-slow': { severity: 'error', options: { names: ['lazy'] } } },
      overrides: [
        { files: ['*.test.js', 'legacy'], rules: { 'no-slow': 'off' } },
        { files: ['legacy/keep/'], rules: { 'no-slow': 'hint' } },
        { files: ['**/.hidden.js'], rules: { 'no-slow': 'hint' } },
      ],
    };
    const code = {
      'a.js': 'slow(); lazy()',
      'b.test.js': 'slow()',
      'x/c.test.js': 'slow()',
      'legacy/d.js': 'slow()',
      'x/legacy/e.js': 'slow()',
      'legacy/keep/f.js': 'slow()',
      'x/.hidden.js': 'slow()',
    };
    assert.deepEqual(await lint({ ...code, 'nodometer.config.json': JSON.stringify(config) }), [
      'a.js error',
      'a.js error',
      'legacy/keep/f.js hint',
      'x/.hidden.js hint',
    ]);
  });

  it('when broken ends the command with 2, its place, and no report', async () => {
    const { code, out, err } = await runIn(
      {
        'x/nodometer.config.json': dedent`
      {
        "rules": { "no-slow": "on" }
      }
    `,
        'x/a.js': 'slow()',
      },
      ['lint'],
    );
    assert.deepEqual({ code, out }, { code: 2, out: '' });
    assert.equal(
      err,
      dedent`
        nodometer: Invalid configuration:
          <folder>/x/nodometer.config.json:2:25: expected "off", "hint", "warning", or "error", got "on".

      `,
    );
  });

  it('can leave files out', async () => {
    const files = {
      'nodometer.config.json': '{"ignores":["*.gen.js","!keep.gen.js","out/"]}',
      'a.gen.js': 'slow()',
      'keep.gen.js': 'slow()',
      'out/b.js': 'slow()',
      'x/out/c.js': 'slow()',
    };
    const { out } = await runIn(files, ['lint', '-f', 'json']);
    assert.deepEqual(placesOf(out), ['keep.gen.js:1:1 no-slow']);
  });
});
