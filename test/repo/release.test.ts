// What the release script finds in a version and in a package. That it makes, installs, and uses both packages is seen by running it.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../../scripts/generate.ts';
import { contentProblems, firstHeading, licenseProblems, versionProblems } from '../../scripts/release.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

const DATED = { version: '1.2.0', date: '2026-12-01' };

describe('a release', () => {
  it('reads the version from the changelog', () => {
    assert.deepEqual(
      firstHeading(dedent`
      # Changelog

      ## 1.2.0 (2026-12-01)

      text

      ## 1.1.0 (2026-11-01)

    `),
      DATED,
    );
    assert.deepEqual(firstHeading('## 1.2.0-rc.1 (unreleased)\n'), { version: '1.2.0-rc.1', date: undefined });
    assert.equal(firstHeading('# Changelog\n## next\n'), undefined);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    assert.equal(firstHeading(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'))?.version, version);
  });

  it('needs a version that is new, the same in both files, and dated', () => {
    assert.deepEqual(versionProblems('1.2.0', DATED, ['v1.1.0']), []);
    assert.match(versionProblems('1.3.0', DATED, []).join(), /begins with 1\.2\.0, and package\.json says 1\.3\.0/);
    assert.match(versionProblems('1.2.0', { ...DATED, date: undefined }, []).join(), /unreleased/);
    assert.match(versionProblems('1.2.0', DATED, ['v1.2.0']).join(), /tag v1\.2\.0 exists/);
    assert.match(versionProblems('1.2.0', undefined, []).join(), /no heading/);
  });

  it('has neither other files in its packages nor names of folders of the machine', () => {
    const problems = (path: string, text = '') =>
      contentProblems(new Map([[path, Buffer.from(text)]]), /^package\//, ['/home/me/checkout']);
    assert.deepEqual(problems('package/dist/nodometer.js', 'const a = "/home/you";'), []);
    assert.deepEqual(problems('package/dist/plugin.d.ts'), []);
    assert.deepEqual(problems('package/dist/nodometer.js', 'const a = "/home/me/checkouts";'), [], 'another folder');
    assert.equal(problems('package/dist/nodometer.js', '"/home/me/checkouts" "/home/me/checkout"').length, 1);
    assert.deepEqual(problems('package/dist/nodometer.js', 'const a = "/home/me/checkout/cli";'), [
      'package/dist/nodometer.js names /home/me/checkout, a folder of this machine.',
    ]);
    for (const path of [
      'package/.env',
      'package/test/a.js',
      'package/dist/a.js.map',
      'package/cli/main.ts',
      'package/.npmrc',
      'outside.js',
    ])
      assert.match(problems(path).join(), /does not belong/, path);
  });

  it('has bundled packages under licenses that ask for their text only', () => {
    assert.deepEqual(
      licenseProblems(dedent`
      a 1.0.0 (MIT)

      text

      @b/c 2.0.0-rc.1 (ISC)

    `),
      [],
    );
    assert.deepEqual(licenseProblems('a 1.0.0 (MIT)\n\nb 1.0.0 (GPL-3.0)\n'), [
      'b 1.0.0 has the license `GPL-3.0`. Read it before it is shipped.',
    ]);
    assert.match(licenseProblems('').join(), /lists no package/);
  });

  it('is not uploaded', () => {
    const { status, stderr } = spawnSync(process.execPath, [...TYPESCRIPT_FLAGS, join(ROOT, 'scripts', 'release.ts')], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.match(stderr, /Nothing is uploaded from here\. Use `npm run release -- --dry-run/);
  });
});
