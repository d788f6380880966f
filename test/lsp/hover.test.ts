// Hovers: what a warning's own text lacks, comments that silence, text from code that cannot act as Markdown; and links in comments.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MarkupContent } from 'vscode-languageserver/node';
import type { Finding } from '../../protocol/finding.ts';
import { rules } from '../../rules/index.ts';
import { documentLinks } from '../../server/documents/document-links.ts';
import { hoverAt, type HoverRequest } from '../../server/actions/hover.ts';
import { markdown, plain } from '../../server/shared/markdown.ts';
import { convertOf, lintAny } from './actions.ts';
import { caseTexts, lintReal, PROJECT, sampleScripts } from './texts.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const FILE = '/p/a.js';
const CODE = `const fs = require('fs');
const app = require('express')();

const load = (name) => fs.readFileSync(name, 'utf8');

app.get('/terms', (request, response) => {
  response.send(load('terms.html'));
});
`;

function hover(text: string, part: string, more: Partial<HoverRequest> = {}): { text: string; covers: string } | undefined {
  const convert = convertOf(text);
  const found = hoverAt({
    file: FILE,
    position: convert.document.positionAt(text.indexOf(part)),
    findings: lintAny(more.file ?? FILE, text),
    convert,
    rules,
    project: PROJECT,
    markdown: true,
    showsDiagnostics: true,
    coreCalls: true,
    ...more,
  });
  return found
    ? { text: (found.contents as MarkupContent).value, covers: found.range ? convert.document.getText(found.range) : '' }
    : undefined;
}

function findingAt(text: string, part: string, more: Partial<Finding> = {}): Finding {
  const start = text.indexOf(part);
  return {
    ruleId: 'no-unstable-shape',
    messageId: 'x',
    severity: 'warning',
    message: { what: 'What `a`.', why: 'Why.', remedy: 'Remedy.' },
    data: {},
    file: FILE,
    span: { start, end: start + part.length },
    related: [],
    fixes: [],
    refused: [],
    ...more,
  };
}

describe('over a finding', () => {
  it('VS Code, which shows the message itself, gets the rest', () => {
    assert.deepEqual(hover(CODE, 'fs.readFileSync'), {
      covers: `fs.readFileSync(name, 'utf8')`,
      text: `**[no-sync-in-handler](<file:///docs/no-sync-in-handler.md>)**: Blocking calls on a request path: synchronous file, process, compression, and crypto functions.

In \`load\`, for \`GET /terms\`.

Applies to every Node version, measured. This project: Node \`>=18\` (engines.node in package.json).

See [line 6](<file:///p/a.js#L6,1>), [line 7](<file:///p/a.js#L7,17>).`,
    });
  });

  it('another editor gets the message and the way, step by step', () => {
    const found = hover(CODE, 'fs.readFileSync', { showsDiagnostics: false })?.text ?? '';
    const [finding] = lintReal(FILE, CODE);
    assert.ok(finding);
    assert.ok(
      found.startsWith(
        dedent`
          ${markdown.prose(finding.message.what)}

          ${markdown.prose(finding.message.why)}

          ${markdown.prose(finding.message.remedy)}

          **[no-sync
        `,
      ),
      found,
    );
    assert.match(found, /\n1\. \[line 6\]\(<file:\/\/\/p\/a\.js#L6,1>\): .+\n2\. \[line 7\]\(<file:\/\/\/p\/a\.js#L7,17>\): .+$/);
  });

  it('without Markdown there are no marks', () => {
    const found = hover(CODE, 'fs.readFileSync', { markdown: false })?.text ?? '';
    assert.equal(
      found,
      `no-sync-in-handler: Blocking calls on a request path: synchronous file, process, compression, and crypto functions.
In load, for GET /terms.
Applies to every Node version, measured. This project: Node >=18 (engines.node in package.json).
See line 6, line 7.`,
    );
  });

  it('lists the routes that lead there, ten of them, and links to places in other files', () => {
    const text = 'abc;';
    const routes = Array.from({ length: 12 }, (_, i) => `GET /r${i}`);
    const related = [{ file: '/p/routes.js', span: { start: 0, end: 3 }, message: 'GET /r0 is handled here' }];
    const said = (count: number): string =>
      hover(text, 'abc', { findings: [findingAt(text, 'abc', { routes: routes.slice(0, count), related })] })?.text ?? '';
    assert.match(said(12), /\n\nReached by 12 routes: `GET \/r0`, .*, `GET \/r9` and 2 more\.\n/);
    assert.match(said(2), /Reached by 2 routes: `GET \/r0`, `GET \/r1`\.\n/);
    assert.doesNotMatch(said(1), /Reached by/);
    assert.match(said(2), /See \[routes\.js[^\]]*\]\(<file:\/\/\/p\/routes\.js#L1,1>\)\./);
  });

  it('tells which fixes are not offered and why', () => {
    const text = 'abc;';
    const finding = findingAt(text, 'abc', {
      refused: [
        { title: 'Use a Map', reason: 'every read would have to change' },
        { title: 'Use `URL.parse`', reason: '`URL.parse` came with Node 20.18.' },
        { title: 'Move it', reason: 'The place is shared.' },
      ],
      fixes: [
        { title: 'Break', kind: 'safe', edits: [{ start: 0, end: 1, text: '(' }] },
        { title: 'Sound', kind: 'safe', edits: [] },
      ],
    });
    const found =
      hover(text, 'abc', { findings: [finding], damageOf: (fix) => (fix.title === 'Break' ? 'the text would not parse' : undefined) })
        ?.text ?? '';
    assert.deepEqual(found.split('\n\n').slice(2), [
      'Not offered: Use a Map. Every read would have to change.',
      'Not offered: Use `URL.parse`. `URL.parse` came with Node 20.18.',
      'Not offered: Move it. The place is shared.',
      'Not offered: Break. The text would not parse.',
    ]);
  });

  it('shows the nearest of several first, three at most, and a long path cut', () => {
    const text = 'abcdef;';
    const related = Array.from({ length: 10 }, (_, i) => ({ span: { start: 0, end: 1 }, message: `step ${i}` }));
    const findings = ['abcdef', 'abcde', 'abcd', 'abc', 'ab'].map((part) => findingAt(text, part, { functionName: part, related }));
    const found = hover(text, 'abc', { findings });
    assert.equal(found?.covers, 'ab');
    assert.deepEqual(
      [...(found?.text ?? '').matchAll(/In `(\w+)`/g)].map((match) => match[1]),
      ['ab', 'abc', 'abcd'],
    );
    assert.match(found?.text ?? '', /2 more here\. See the Problems panel\.$/);
    assert.match(found?.text ?? '', /, and 2 more\.\n/);
  });

  it('is nothing where nothing is', () => {
    assert.equal(hover(CODE, 'app.get'), undefined);
  });

  it('stays short and has no holes, over samples and cases', () => {
    let checked = 0;
    for (const { file, text } of [...sampleScripts(), ...caseTexts()]) {
      for (const finding of lintReal(file, text)) {
        const convert = convertOf(text);
        const found = hoverAt({
          file,
          position: convert.document.positionAt(finding.span.start),
          findings: [finding],
          convert,
          rules,
          project: PROJECT,
          markdown: true,
          showsDiagnostics: true,
          coreCalls: true,
        });
        const value = ((found?.contents ?? '') as MarkupContent).value;
        assert.ok(value.length < 1500 && value.split('\n').length < 24, value);
        assert.doesNotMatch(value, /\[object|\{\{|\.\.$/m);
        assert.ok(![finding.message.what, finding.message.why].some((part) => value.includes(markdown.prose(part))));
        checked++;
      }
    }
    assert.ok(checked > 100);
  });
});

describe('text from code', () => {
  it('cannot act as Markdown', () => {
    const table: readonly [prose: string, expected: string][] = [
      ['`a` and `b_c`', '`a` and `b_c`'],
      [
        '[click](command:rm) <img src=x> **b** _i_ | & ~~s~~',
        '\\[click\\](command:rm) \\<img src=x\\> \\*\\*b\\*\\* \\_i\\_ \\| \\& \\~\\~s\\~\\~',
      ],
      ['# no heading', '\\# no heading'],
      ['1. no list', '1\\. no list'],
      ['- no list', '\\- no list'],
      ['one `alone', 'one \\`alone'],
      [
        dedent`
        a

        b‮\u2028c\td
      `,
        'a b c d',
      ],
      ['\\', '\\\\'],
    ];
    for (const [text, expected] of table) assert.equal(markdown.prose(text), expected);
    assert.equal(markdown.code('a `b` ``c``'), '``` a `b` ``c`` ```');
    assert.equal(markdown.code('`'), '`` ` ``');
    assert.equal(markdown.link('a', 'file:///p/a b>.md'), '[a](<file:///p/a%20b%3E.md>)');
    assert.equal(plain.prose('a\u001b[31m\nb `c`'), 'a [31m b `c`');
  });
});

describe('over a comment that silences', () => {
  const RULE =
    '**[no-sync-in-handler](<file:///docs/no-sync-in-handler.md>)**: Blocking calls on a request path: synchronous file, process, compression, and crypto functions.';
  const table: readonly [name: string, file: string, text: string, part: string, covers: string, lines: string[]][] = [
    [
      'next line',
      FILE,
      '// nodometer-disable-next-line no-sync-in-handler\nf();',
      'nodometer',
      '// nodometer-disable-next-line no-sync-in-handler',
      ['Disables this rule on the next line.', RULE],
    ],
    [
      'the rule under the cursor',
      FILE,
      'f(); // nodometer-disable-line no-unstable-shape, no-sync-in-handler -- why',
      'no-sync',
      'no-sync-in-handler',
      ['Disables these rules on this line.', RULE],
    ],
    [
      'everything',
      FILE,
      '/* nodometer-disable */',
      'nodometer',
      '/* nodometer-disable */',
      ['Disables all rules from here to the end of the file, or to a comment that enables them again.'],
    ],
    [
      'a rule that does not exist',
      FILE,
      '// nodometer-disable-line no-such\n',
      'no-such',
      'no-such',
      ['Disables this rule on this line.', 'Nodometer has no rule `no-such`.'],
    ],
    [
      'report again',
      FILE,
      '/* nodometer-enable no-sync-in-handler */',
      'nodometer',
      '/* nodometer-enable no-sync-in-handler */',
      ['Enables this rule again from here on.', RULE],
    ],
    [
      'in a Dockerfile',
      '/p/Dockerfile',
      dedent`
        FROM node
        # nodometer-disable no-sync-in-handler

      `,
      'nodometer',
      '# nodometer-disable no-sync-in-handler',
      ['Disables this rule from here to the end of the file, or to a comment that enables it again.', RULE],
    ],
  ];
  for (const [name, file, text, part, covers, lines] of table) {
    it(name, () => assert.deepEqual(hover(text, part, { file }), { covers, text: lines.join('\n\n') }));
  }

  it('tells an editor that shows no messages that it silences nothing', () => {
    assert.match(
      hover('// nodometer-disable-line no-unstable-shape\n', 'nodometer', { showsDiagnostics: false })?.text ?? '',
      /reports nothing here\. Remove the comment\.$/,
    );
  });

  it('says nothing of its own on the lines below its first', () => {
    assert.equal(
      hover(
        dedent`
      /* nodometer-disable-line no-unstable-shape
        -- because */

    `,
        'because',
      ),
      undefined,
    );
  });

  it('is not taken from a string', () => {
    assert.equal(hover('f("// nodometer-disable-line no-sync-in-handler");', 'nodometer'), undefined);
  });
});

describe('links', () => {
  const links = (file: string, text: string): string[] => {
    const convert = convertOf(text);
    return documentLinks({ file, convert }).map(({ range, target }) => `${convert.document.getText(range)} ${target}`);
  };

  it('lead from each rule in a comment to its page', () => {
    assert.deepEqual(
      links(
        FILE,
        '"// nodometer-disable no-sync-in-handler";\r\n/* nodometer-disable no-unstable-shape, no-such */\r\nf(); // nodometer-disable-line no-sync-in-handler -- as no-sync-in-handler says\r\n',
      ),
      ['no-unstable-shape file:///docs/no-unstable-shape.md', 'no-sync-in-handler file:///docs/no-sync-in-handler.md'],
    );
    assert.deepEqual(links('/p/compose.yaml', 'services: # nodometer-disable-line require-node-env\n'), [
      'require-node-env file:///docs/require-node-env.md',
    ]);
  });

  it('are none where there is no comment, and where the text cannot be read', () => {
    assert.deepEqual(links(FILE, CODE), []);
    assert.deepEqual(links(FILE, '// nodometer-disable no-sync-in-handler\nf('), []);
  });
});

describe('over a call of Node', () => {
  const text = dedent`
    import fs, { readFileSync as read } from 'node:fs';
    import { readFile } from 'node:fs/promises';
    import dns from 'node:dns';
    import { randomBytes } from 'node:crypto';
    const store = { readFile() {} };
    export async function load(name) {
      fs.readFile(name, () => {});
      await readFile(name);
      read(name);
      dns.resolve4(name, () => {});
      setTimeout(() => {}, 1);
      randomBytes(1_000_000, () => {});
      store.readFile(name);
      return name;
    }

  `;
  const over = (part: string, within = part) =>
    hover(text, part, { findings: [], ...{ position: convertOf(text).document.positionAt(text.indexOf(part) + part.indexOf(within)) } });

  it('says where it runs, and the form with a promise', () => {
    const found = over('fs.readFile(name', 'readFile');
    assert.equal(found?.covers, 'fs.readFile');
    assert.match(
      found.text,
      /^`fs\.readFile` runs on libuv's thread pool\. [^]*With a promise: `fs\.promises\.readFile`\.[^]*\[Source\]\(<https:\/\/docs\.libuv\.org/,
    );
    assert.match(over('dns.resolve4', 'resolve4')?.text ?? '', /waits in the operating system[^]*C-ares[^]*`dns\.promises\.resolve4`/);
    assert.match(over('setTimeout')?.text ?? '', /^`setTimeout` runs on the event loop's own thread/);
    const random = over('randomBytes(1', 'randomBytes')?.text ?? '';
    assert.match(random, /runs on libuv's thread pool[^]*With a callback; without one, [^]*on the event loop's thread/);
    assert.doesNotMatch(random, /blocks the event loop/);
    const promised = over('await readFile', 'readFile');
    assert.match(promised?.text ?? '', /^`fs\.promises\.readFile` runs on libuv's thread pool/);
    assert.doesNotMatch(promised?.text ?? '', /With a promise/);
  });

  it('says what a blocking call waits for, by whichever name', () => {
    const found = over('read(name)', 'read');
    assert.equal(found?.covers, 'read');
    assert.match(
      found.text,
      /^`fs\.readFileSync` blocks the event loop until the file system responds\.\n\nWithout blocking: `readFile` of `node:fs\/promises`\.$/,
    );
  });

  it('says nothing over what only has the same name, over arguments, and in code that cannot be parsed', () => {
    assert.equal(over('store.readFile(', 'readFile'), undefined);
    assert.equal(over('load(name)', 'name'), undefined);
    assert.equal(hover(text, 'fs.readFile(name', { findings: [], coreCalls: false }), undefined);
    const broken = 'import fs from "node:fs";\nfs.readFile((;\n';
    assert.equal(hover(broken, 'fs.readFile', { findings: [] }), undefined);
  });
});
