// The formats of build servers and reviews: gitlab, junit, markdown, and several at once.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import Ajv from 'ajv';
import { dedent } from '../../../analysis/testing/dedent.ts';
import { folderWith, run, runIn } from '../support.ts';

const APP = dedent`
  app.get('/users/:id', () => {
    block('a|b');
    slow();
    note();
  });

`;

// GitLab publishes no schema of this report. These are the fields of its documentation ("Code Quality report format").
const isCodeQuality = new Ajv({ allErrors: true }).compile({
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?![./])' },
          lines: {
            type: 'object',
            additionalProperties: false,
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 }, end: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
});

describe('--format gitlab', () => {
  it('is a Code Quality report with paths from the root of the repository', async () => {
    assert.equal(isCodeQuality([{ description: 'x', location: { path: './a', lines: { begin: 0 } } }]), false);
    const { out } = await runIn({ '.git/HEAD': '', 'src/a b.js': `${APP}slow();\nslow();\n` }, ['lint', '--format', 'gitlab']);
    const report = JSON.parse(out) as { check_name: string; fingerprint: string; severity: string; location: unknown }[];
    assert.ok(isCodeQuality(report), JSON.stringify(isCodeQuality.errors));
    assert.deepEqual(
      report.map(({ check_name, severity }) => [check_name, severity]),
      [
        ['no-blocking', 'major'],
        ['no-slow', 'minor'],
        ['no-note', 'info'],
        ['no-slow', 'minor'],
        ['no-slow', 'minor'],
      ],
    );
    assert.deepEqual(report[0]?.location, { path: 'src/a b.js', lines: { begin: 2, end: 2 } });
    assert.equal(new Set(report.map(({ fingerprint }) => fingerprint)).size, report.length);
    assert.equal((await runIn({}, ['lint', '--format', 'gitlab'])).out, '[]\n');
  });
});

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** Reads XML without comments, CDATA, and namespaces; fails where it is not well-formed. */
function readXml(xml: string): Element {
  const declared = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(xml);
  assert.ok(declared);
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const decode = (text: string): string => {
    assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f]|&(?!(?:amp|lt|gt|quot|#\d+);)/, 'not well-formed');
    return text.replace(/&(amp|lt|gt|quot|#\d+);/g, (_, name: string) =>
      name.startsWith('#') ? String.fromCharCode(Number(name.slice(1))) : ({ amp: '&', lt: '<', gt: '>', quot: '"' }[name] ?? ''),
    );
  };
  const rest = xml
    .slice(declared[0].length)
    .replace(
      /<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/g,
      (_, end: string, name: string, attributes = '', isEmpty: string, text: string) => {
        const top = open.at(-1);
        assert.ok(top);
        if (text !== undefined) top.text += decode(text);
        else if (end) assert.equal(open.pop()?.name, name);
        else {
          const pairs = [...String(attributes).matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decode(value)]);
          const element: Element = { name, attributes: Object.fromEntries(pairs) as Record<string, string>, children: [], text: '' };
          top.children.push(element);
          if (!isEmpty) open.push(element);
        }
        return '';
      },
    );
  assert.equal(rest, '', 'not well-formed');
  assert.equal(open.length, 1);
  assert.equal(root.children.length, 1);
  return root.children[0] as Element;
}

/** What the schema that Jenkins publishes (junit-10.xsd) demands of the elements that are written. */
function checkJunit(xml: string): Element {
  const suites = readXml(xml);
  assert.equal(suites.name, 'testsuites');
  let [tests, failures] = [0, 0];
  for (const suite of suites.children) {
    assert.equal(suite.name, 'testsuite');
    const outcomes = suite.children.flatMap(({ name, attributes, children }) => {
      assert.equal(name, 'testcase');
      for (const key of ['name', 'classname', 'time']) assert.ok(attributes[key] !== undefined);
      assert.ok(children.length <= 1);
      return children.map((child) => child.name);
    });
    assert.ok(suite.attributes.name);
    assert.equal(Number(suite.attributes.tests), suite.children.length);
    assert.equal(Number(suite.attributes.failures), outcomes.filter((name) => name === 'failure').length);
    assert.equal(Number(suite.attributes.skipped), outcomes.filter((name) => name === 'skipped').length);
    tests += suite.children.length;
    failures += Number(suite.attributes.failures);
  }
  assert.deepEqual([Number(suites.attributes.tests), Number(suites.attributes.failures)], [tests, failures]);
  return suites;
}

describe('--format junit', () => {
  it('has a suite for each file, and a failed test for each error and warning', async () => {
    const [first, second] = checkJunit((await runIn({ 'a.js': APP, 'b.js': 'slow()' }, ['lint', '--format', 'junit'])).out).children;
    assert.deepEqual(
      first?.children.map(({ attributes, children }) => [attributes.name, children[0]?.name, children[0]?.attributes.message]),
      [
        ['no-blocking 2:3', 'failure', "`block('a|b')` blocks."],
        ['no-slow 3:3', 'failure', '`slow()` is slow.'],
        ['no-note 4:3', 'skipped', 'hint: `note()` is called.'],
      ],
    );
    assert.match(
      first?.children[0]?.children[0]?.text ?? '',
      /^`block\('a\|b'\)` blocks\.\nNothing else runs meanwhile\.\n.*\nRoute: GET \/users\/:id\nAt a\.js:2:3$/,
    );
    assert.equal(second?.attributes.name, 'b.js');
  });

  it('has one test that passes without findings', async () => {
    const { children } = checkJunit((await runIn({ 'a.js': 'a()' }, ['lint', '--format', 'junit'])).out);
    assert.deepEqual(
      children[0]?.children.map(({ attributes, children: none }) => [attributes.name, none]),
      [['No findings', []]],
    );
  });

  it('is well-formed whatever names and code hold', async () => {
    const text = `block('<b> & "c" \u0001 \u001b[31m ]]> \ud800 \u202e')`;
    const { out } = await runIn({ 'a&<".js': text }, ['lint', '--format', 'junit']);
    const [suite] = checkJunit(out).children;
    assert.equal(suite?.attributes.name, 'a&<".js');
    assert.match(suite?.children[0]?.children[0]?.attributes.message ?? '', /<b> & "c" \\u0001 \\u001b\[31m \]\]> /);
  });
});

describe('--format markdown', () => {
  it('has a table for each rule', async () => {
    const { out } = await runIn({ 'a.js': APP }, ['lint', '--format', 'markdown', '--rule', 'no-note=off']);
    assert.equal(
      out,
      dedent`
        **Nodometer**: 1 error, 1 warning in 1 file.

        ### no-blocking (1)

        | place | severity | finding | route |
        |---|---|---|---|
        | \`a.js:2\` | error | \`block('a\\|b')\` blocks. | \`GET /users/:id\` |

        ### no-slow (1)

        | place | severity | finding | route |
        |---|---|---|---|
        | \`a.js:3\` | warning | \`slow()\` is slow. |  |

      `,
    );
  });

  it('shows nothing of a project as a link, a picture, a mention, or HTML', async () => {
    const hostile = "block('` ![x](https://x.example) <img src=x> @somebody #1 www.x.example')";
    const { out } = await runIn({ 'a.js': hostile }, ['lint', '--format', 'markdown']);
    const row = out.split('\n').find((line) => line.includes('a.js:1')) ?? '';
    // Outside of code, which a fence longer than any in it holds together.
    const outside = row.replace(/(`+)[^`][\s\S]*?[^`]?\1(?!`)/g, '');
    for (const part of ['![', '<img', '@somebody', '#1', '://', 'www.x']) assert.ok(!outside.includes(part), `${part} in ${outside}`);
  });

  it('says what the baseline and the change leave out, and ends long tables', async () => {
    const folder = folderWith({ 'a.js': 'slow()\n' });
    try {
      const lint = (...argv: string[]) => run(['lint', ...argv], { cwd: folder.path });
      await lint('--update-baseline');
      assert.equal(
        (await lint('--baseline', '--format', 'markdown')).out,
        '**Nodometer**: no new problems found.\n\nNot shown: 1 finding in the baseline.\n',
      );
    } finally {
      folder.dispose();
    }
    const { out } = await runIn({ 'a.js': 'slow();\n'.repeat(60) }, ['lint', '--format', 'markdown']);
    assert.match(out, /\| `a\.js:50` \|.*\n\| 10 more \| \| \| \|\n$/);
  });
});

describe('--format markdown of a change', () => {
  it('says what is fixed, and which verdicts of committed evidence are others', async () => {
    const evidence = (...judged: [code: string, verdict: string][]): string =>
      JSON.stringify({
        version: 1,
        profiles: [
          {
            file: 'a.js',
            function: 'f',
            node: '20.1.0',
            verdicts: judged.map(([code, verdict]) => ({ ruleId: 'no-slow', code, verdict })),
          },
        ],
      });
    const files = {
      'a.js': 'slow(1);\nslow(2);\n',
      '.nodometer/evidence.json': evidence(['slow(1)', 'confirmed'], ['same()', 'seen'], ['a|b', 'refuted']),
    };
    const folder = folderWith(files);
    try {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder.path, stdio: 'pipe' });
      const lint = (...argv: string[]) => run(['lint', '--format', 'markdown', ...argv], { cwd: folder.path });
      await run(['lint', '--update-baseline'], { cwd: folder.path });
      git('init', '-q', '-b', 'main');
      git('add', '.');
      git('commit', '-qm', 'base');
      const unchanged = await lint('--baseline', '--since', 'main');
      assert.doesNotMatch(unchanged.out, /###/);
      writeFileSync(join(folder.path, 'a.js'), 'slow(2);\n');
      writeFileSync(
        join(folder.path, '.nodometer/evidence.json'),
        evidence(['slow(1)', 'refuted'], ['same()', 'seen'], ['new()', 'confirmed']),
      );
      const { out } = await lint('--baseline', '--since', 'main');
      assert.match(out, /### Fixed \(1\)\n\n\| place .*\n\|---.*\n\| `a\.js` \| no-slow \| `slow\(1\)` \|/);
      assert.deepEqual(
        out.split('\n').filter((line) => line.startsWith('| `a.js:f`')),
        [
          '| `a.js:f` | no-slow | `slow(1)` | confirmed | refuted |',
          '| `a.js:f` | no-slow | `a\\|b` | refuted | none |',
          '| `a.js:f` | no-slow | `new()` | none | confirmed |',
        ],
      );
      // Marks of a merge are not verdicts, and no reason to fail.
      writeFileSync(join(folder.path, '.nodometer/evidence.json'), '<<<<<<< main\n{}');
      assert.doesNotMatch((await lint('--since', 'main')).out, /refuted \| refuted/);
    } finally {
      folder.dispose();
    }
  });
});

describe('several formats', () => {
  it('writes each into its file, and one to standard output', async () => {
    const folder = folderWith({ 'a.js': APP });
    try {
      const argv = ['lint', '--format', 'sarif:out/a.sarif', '--format', 'json', '-f', 'gitlab:out/b.json'];
      const { code, out } = await run(argv, { cwd: folder.path });
      assert.equal(code, 1);
      const read = (name: string): unknown => JSON.parse(readFileSync(join(folder.path, name), 'utf8'));
      assert.equal((JSON.parse(out) as unknown[]).length, 3);
      assert.equal((read('out/b.json') as unknown[]).length, 3);
      assert.equal((read('out/a.sarif') as { runs: { results: unknown[] }[] }).runs[0]?.results.length, 3);
      const files = await run(['lint', '-f', 'sarif:c.sarif', '-f', 'junit:c.xml'], { cwd: folder.path });
      assert.deepEqual([files.code, files.out, files.err], [1, '', 'nodometer: 1 error, 1 warning, 1 hint.\n']);
      checkJunit(readFileSync(join(folder.path, 'c.xml'), 'utf8'));
    } finally {
      folder.dispose();
    }
  });
});
