// The documents: every link inside the project leads somewhere, the README stays short, and each page leads back to it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT, ruleIds } from '../../scripts/generate.ts';

const MOST_LINES = 180;
const PAGES = readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`);
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'knowledge/README.md',
  'bench/README.md',
  ...PAGES,
  ...ruleIds().map((id) => `rules/${id}/README.md`),
];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Without code, where brackets mean something else. */
function prose(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

function linksIn(text: string): string[] {
  const targets = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/\b(?:src|srcset)="([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  );
  return targets.filter((target) => !/^(?:https?:|mailto:)/.test(target));
}

/** As GitHub and VS Code make them: lower case, words joined by hyphens. */
function anchorsIn(text: string): Set<string> {
  const headings = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function brokenIn(path: string, text: string): string[] {
  return linksIn(text).flatMap((target) => {
    const [file = '', anchor] = target.split('#');
    const to = file === '' ? join(ROOT, path) : join(ROOT, dirname(path), file);
    if (!existsSync(to)) return [`${path}: ${target} is not there`];
    if (anchor === undefined || !statSync(to).isFile()) return [];
    const other = file === '' ? text : readFileSync(to, 'utf8');
    return anchorsIn(other).has(anchor) ? [] : [`${path}: ${relative(ROOT, to)} has no heading #${anchor}`];
  });
}

describe('documents', () => {
  it('with broken links are told', () => {
    const text =
      '# A heading: with `code`\n[a](no-such-file.md) [b](#a-heading-with-code) [c](#gone) [d](docs/editor.md) `[e](x)`\n<img src="gone.png">';
    assert.deepEqual(brokenIn('README.md', text), [
      'README.md: no-such-file.md is not there',
      'README.md: README.md has no heading #gone',
      'README.md: gone.png is not there',
    ]);
  });

  it('have no broken links', () => {
    assert.deepEqual(
      DOCUMENTS.flatMap((path) => brokenIn(path, read(path))),
      [],
    );
  });

  it('are linked both ways', () => {
    const readme = linksIn(read('README.md'));
    for (const page of PAGES) {
      assert.ok(readme.includes(page), `README.md does not link ${page}`);
      assert.ok(linksIn(read(page)).includes('../README.md'), `${page} does not link the README`);
    }
  });

  it('begin with a short README', () => {
    const lines = read('README.md').split('\n').length;
    assert.ok(lines <= MOST_LINES, `README.md has ${lines} lines, ${MOST_LINES} are allowed`);
  });
});
