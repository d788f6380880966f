// The documents: every link inside the project leads somewhere, the README stays short, and each page leads back to it.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT, ruleIds } from '../../scripts/generate.ts';
import { brokenLinks, linksIn } from './links.ts';

const MOST_LINES = 180;
const PAGES = readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`);
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'analysis/project/README.md',
  'knowledge/README.md',
  'profiler/README.md',
  'server/README.md',
  'workspace/README.md',
  'bench/README.md',
  'eslint-plugin/README.md',
  ...PAGES,
  ...ruleIds().map((id) => `rules/${id}/README.md`),
];

/** What the program says: sources of its texts, and the texts of the extension. */
const SPEAKING = ['client', 'server', 'cli', 'workspace', 'profiler', 'rules'];
/** Wordings that readers of English stumbled over, each of which has a better one today. */
const REPLACED = [
  'for a reason that counts',
  'belong to every warm-up',
  'this Node tells nothing',
  'is being run already',
  'of this project is gone',
  'calls never came to',
  'could not be found out',
  'cannot be told from nothing',
  'Not told',
  'Prediction; profile',
  'Profiling: ',
  'as slow as the run before',
  'as fast as the run before',
  'Open the page of rule',
  'make its caller await',
  'looks at files',
  'is looked at.',
  'is taken for itself',
  'nothing says with which',
  'hold the event loop',
  'press the keys of',
  'comes by ',
  'with everything that it does',
];
const BRITISH =
  /\b(?:(?:de|un|re)?(?:optimis|recognis|organis|analys[ei][dn]|summaris|normalis|initialis|minimis)\w*|behaviours?|colours?|favourites?|centre|licence)\b/i;

/** Those that lead through the sources. */
const MAPS = DOCUMENTS.filter((path) => !/^(?:README\.md|docs|rules)\b/.test(path));

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What stands at a path of the project: a text, or a folder or picture without one. */
function find(path: string): string | undefined {
  const file = join(ROOT, path);
  if (!existsSync(file)) return undefined;
  return statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
}
const brokenIn = (path: string, text: string): string[] => brokenLinks(path, text, find);

describe('documents', () => {
  it('with broken links are told', () => {
    const text = dedent`
        # A heading: with \`code\`
        [a](no-such-file.md) [b](#a-heading-with-code) [c](#gone) [d](docs/editor.md) \`[e](x)\`
        <img src="gone.png">
      `;
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

  it('and what the program says, have none of the wordings that were replaced, and American spelling', () => {
    const sources = SPEAKING.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !/(?:^|[\\/])(?:oracle|cases[\w-]*)\.ts$/.test(name))
        .map((name) => `${folder}/${name}`),
    );
    const wrong = [...DOCUMENTS, ...sources, 'package.nls.json', 'l10n/bundle.l10n.json'].flatMap((path) => {
      const text = path.endsWith('.ts') ? read(path).replace(/^\s*(?:\/\/|\/?\*).*$/gm, '') : read(path);
      const british = BRITISH.exec(text)?.[0];
      return [...REPLACED.filter((words) => text.includes(words)), ...(british === undefined ? [] : [british])].map(
        (words) => `${path}: ${words}`,
      );
    });
    assert.deepEqual(wrong, []);
    for (const word of ['Deoptimised', 'analysed', 'analysing', 'behaviour']) assert.match(word, BRITISH);
    for (const word of ['optimized', 'analysis', 'license', 'analyzed']) assert.doesNotMatch(word, BRITISH);
  });

  it('name source files that are there', () => {
    const folders = readdirSync(ROOT, { withFileTypes: true }).filter((one) => one.isDirectory() && !/^(?:\.|node_modules)/.test(one.name));
    const files = folders.flatMap(({ name }) =>
      readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' }).map((file) => `${name}/${file.replaceAll('\\', '/')}`),
    );
    const gone = (text: string): string[] =>
      [...text.matchAll(/`([\w./-]+\.(?:ts|cjs|mjs))`/g)]
        .map(([, name = '']) => name.replace(/^\.\//, ''))
        .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
    assert.deepEqual(gone('`test/repo/links.ts` `links.ts` `moved/links.ts` `gone.cjs`'), ['moved/links.ts', 'gone.cjs']);
    assert.deepEqual(
      MAPS.flatMap((path) => gone(read(path)).map((name) => `${path}: ${name}`)),
      [],
    );
  });

  it('say what each table of knowledge/ holds', () => {
    const page = read('knowledge/README.md');
    const names = [...page.matchAll(/`([\w./*-]+\.ts)`/g)].map(([, name = '']) => name.replace('*', '').replace('.ts', ''));
    const tables = ['knowledge', 'knowledge/packages']
      .flatMap((folder) => readdirSync(join(ROOT, folder)))
      .filter((name) => name.endsWith('.ts'));
    assert.deepEqual(
      tables.filter((table) => !names.some((name) => table.startsWith(name.replace('packages/', '')))),
      [],
    );
  });

  it('have something in each part that a program writes', () => {
    const empty = (text: string): string[] => text.match(/<!-- [^>]*-->\s*<!-- \/[^>]*-->/g) ?? [];
    assert.equal(empty('<!-- costs: written by a script -->\n\n<!-- /costs -->').length, 1);
    assert.deepEqual(
      DOCUMENTS.flatMap((path) => empty(read(path)).map((part) => `${path}: ${part}`)),
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
