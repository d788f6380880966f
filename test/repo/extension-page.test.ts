// The documents in the .vsix: every link and picture leads somewhere, and pages that VS Code shows name only what it loads.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { withoutRelativeLinks } from '../../scripts/extension-readme.ts';
import { ruleIds } from '../../scripts/generate.ts';
import { makePackage } from '../../scripts/package.ts';
import { readVsix } from '../../scripts/vsix.ts';
import { addressesIn, brokenLinks } from './links.ts';

const PAGE = 'extension/readme.md';
const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-page-')));
let entries: ReadonlyMap<string, Buffer> = new Map();

before(async () => {
  entries = readVsix((await makePackage(join(work, 'plain'))).file);
});
after(() => rmSync(work, { recursive: true, force: true }));

const find = (path: string): string | undefined => entries.get(path)?.toString('utf8');

describe('a document in the .vsix', () => {
  it('with a broken link or picture is told', () => {
    const text = dedent`
      [a](docs/editor.md) [b](#gone) [c](dist/docs/no-unsafe-regex.md#gone)
      ![d](gone.png) <img src="images/gone.png">
    `;
    assert.deepEqual(brokenLinks(PAGE, `${text} <img src="images/icon.png"> [e](dist/docs/no-unsafe-regex.md)`, find), [
      `${PAGE}: docs/editor.md is not there`,
      `${PAGE}: ${PAGE} has no heading #gone`,
      `${PAGE}: extension/dist/docs/no-unsafe-regex.md has no heading #gone`,
      `${PAGE}: gone.png is not there`,
      `${PAGE}: images/gone.png is not there`,
    ]);
  });

  it('has no broken link or picture', () => {
    const documents = [...entries.keys()].filter((path) => path.endsWith('.md'));
    assert.deepEqual(
      documents.sort(),
      ['extension/changelog.md', ...[...ruleIds(), 'profiling'].map((id) => `extension/dist/docs/${id}.md`), PAGE].sort(),
    );
    assert.deepEqual(
      documents.flatMap((path) => brokenLinks(path, find(path) ?? '', find)),
      [],
    );
  });
});

describe("the extension's page", () => {
  // VS Code removes all other addresses, and shows a broken picture in their place.
  it('has https addresses only', () => {
    for (const path of [PAGE, 'extension/changelog.md'])
      assert.deepEqual(
        addressesIn(find(path) ?? '').filter((address) => !address.startsWith('https:')),
        [],
        path,
      );
    assert.doesNotMatch(find(PAGE) ?? '', /<img|<picture|!\[/);
  });

  it('keeps links out of the project, links inside the page, and code', () => {
    assert.equal(
      withoutRelativeLinks(dedent`
        [\`a\`](a.ts) [b](https://b.example/) [c](#c) ![d](d.png)
        \`\`\`js
        x[0](y)
        \`\`\`

      `),
      dedent`
        \`a\` [b](https://b.example/) [c](#c) d
        \`\`\`js
        x[0](y)
        \`\`\`

      `,
    );
  });
});
