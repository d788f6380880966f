// The schema of `.nodometer/evidence.json` takes what a profile writes, and nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import Ajv from 'ajv';
import { rules } from '../../rules/index.ts';
import { ROOT } from '../../scripts/generate.ts';
import type { EvidenceFile } from '../../protocol/kept-evidence.ts';
import { folderWith, run } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const validate = new Ajv({ allErrors: true }).compile(
  JSON.parse(readFileSync(join(ROOT, 'nodometer-evidence.schema.json'), 'utf8')) as object,
);
const errors = (value: unknown) =>
  validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

describe('the schema of the evidence', () => {
  it('takes what stays of each request, and the finding is a warning from then on', async () => {
    const folder = folderWith({
      'package.json': '{ "name": "p" }',
      'server.js': dedent`
        const visits = [];
        require('node:http')
          .createServer(function handle(request, response) {
            visits.push({ url: request.url });
            response.end();
          })
          .listen(3000);

      `,
    });
    try {
      const host = { cwd: folder.path, rules, env: { PATH: process.env.PATH ?? '' } };
      const severity = async () =>
        (JSON.parse((await run(['lint', '.', '--format', 'json'], host)).out) as { ruleId: string; severity: string }[]).map((one) => [
          one.ruleId,
          one.severity,
        ]);
      assert.deepEqual(await severity(), [['no-unbounded-growth', 'hint']]);
      const { code, out } = await run(['profile', 'server.js:handle', '--yes', '--time', '1'], host);
      assert.equal(code, 1, out);
      assert.match(out, /confirmed\s+no-unbounded-growth\s+server\.js:4:5\s+1 entry and \d+ bytes per request stay/);
      const kept = JSON.parse(readFileSync(join(folder.path, '.nodometer', 'evidence.json'), 'utf8')) as EvidenceFile;
      assert.deepEqual(errors(kept), []);
      const [verdict] = kept.profiles[0]?.verdicts ?? [];
      assert.deepEqual(verdict?.retained?.rate, { value: 1, low: 1, high: 1 });
      assert.ok((verdict.retained.bytes?.low ?? 0) > 0);
      assert.deepEqual(await severity(), [['no-unbounded-growth', 'warning']]);
    } finally {
      folder.dispose();
    }
  });

  it('takes what two profiles leave, in an order that stays', async () => {
    const folder = folderWith({
      'package.json': '{ "name": "p" }',
      'b.js': dedent`
          /** @profile read(' ') */
          function read(text) {
            try {
              return JSON.parse(text);
            } catch {
              return text;
            }
          }
          module.exports = { all: (texts) => texts.map(read) };

        `,
      'a.js': dedent`
        /** @profile add(1, 2) */
        function add(a, b) {
          return a + b;
        }
        module.exports = add;

      `,
    });
    try {
      const path = join(folder.path, '.nodometer', 'evidence.json');
      const profile = (target: string) =>
        run(['profile', target, '--yes', '--time', '1'], { cwd: folder.path, rules, env: { PATH: process.env.PATH ?? '' } });
      for (const target of ['b.js:read', 'a.js:add']) assert.notEqual((await profile(target)).code, 2);
      const kept = JSON.parse(readFileSync(path, 'utf8')) as EvidenceFile;
      assert.deepEqual(errors(kept), []);
      assert.deepEqual(
        kept.profiles.map((one) => [one.file, one.verdicts.map(({ ruleId }) => ruleId)]),
        [
          ['a.js', []],
          ['b.js', ['no-throw-in-hot-path']],
        ],
      );
      await profile('b.js:read');
      assert.deepEqual(
        (JSON.parse(readFileSync(path, 'utf8')) as EvidenceFile).profiles.map(({ file }) => file),
        ['a.js', 'b.js'],
      );
      const [profileOfB] = kept.profiles.slice(1);
      assert.ok(profileOfB);
      const wrong: [value: unknown, says: RegExp][] = [
        [{ ...kept, version: 2 }, /version must be equal to constant/],
        [{ ...kept, more: 1 }, /additional properties/],
        [{ version: 1, profiles: [{ ...profileOfB, hash: undefined }] }, /required property 'hash'/],
        [{ version: 1, profiles: [{ ...profileOfB, node: 'v20' }] }, /node must match pattern/],
        [
          { version: 1, profiles: [{ ...profileOfB, verdicts: [{ ...profileOfB.verdicts[0], verdict: 'perhaps' }] }] },
          /verdict must be equal to one of/,
        ],
      ];
      for (const [value, says] of wrong) assert.match(errors(JSON.parse(JSON.stringify(value))).join('; '), says);
    } finally {
      folder.dispose();
    }
  });

  it('is known to editors by the file that it is for', () => {
    const { contributes, files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      contributes: { jsonValidation: object[] };
      files: string[];
    };
    assert.ok(
      contributes.jsonValidation.some(
        (one) => JSON.stringify(one) === '{"fileMatch":".nodometer/evidence.json","url":"./nodometer-evidence.schema.json"}',
      ),
    );
    assert.ok(files.includes('nodometer-evidence.schema.json'));
  });
});
