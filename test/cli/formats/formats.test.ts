// What the formats write: the report for people, JSON, GitHub's commands. SARIF has a test of its own.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Source } from '../../../analysis/module/source.ts';
import { codeFrame, type FrameLine } from '../../../cli/formats/code-frame.ts';
import { displayWidth, visible, wrap } from '../../../cli/formats/display-text.ts';
import { defineRule } from '../../../analysis/rule.ts';
import { rules } from '../../../rules/index.ts';
import { runIn } from '../support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const APP = `import { block } from './block.js';

app.get('/users/:id', (req, res) => {
\tconst text = block(req.params.id);
\tres.send(text);
});
`;

function untimed(text: string): string {
  return text.replace(/\(\d+\.\d\d s\)/, '(<time>)');
}

describe('stylish', () => {
  it('shows place, code, reasons, route, the way there, fixes, and a summary', async () => {
    const { out } = await runIn(
      {
        'src/app.js': APP,
        'src/job.js': dedent`
      export function job() {
        slow();
      }
      note();

    `,
        'x.min.js': '',
      },
      ['lint'],
    );
    assert.equal(
      untimed(out),
      `src/app.js:4:15  ✖ error  no-blocking
  \`block(req.params.id)\` blocks.

    3 │ app.get('/users/:id', (req, res) => {
  ❯ 4 │     const text = block(req.params.id);
      │                  ^^^^^^^^^^^^^^^^^^^^
    5 │     res.send(text);
    6 │ });

  why         Nothing else runs meanwhile.
  do          Await \`unblock()\`.
  route       GET /users/:id
  see         1. the route is registered here
                 src/app.js:3:1
                 ❯ 3 │ app.get('/users/:id', (req, res) => {
                     │ ^^^^^^^
  suggestion  Await unblock() [twice the time] (review it: --fix-type suggestion)
  not offered Load once at start-up: the arguments are not constant

src/job.js:2:3  ⚠ warning  no-slow
  \`slow()\` is slow.

    1 │ export function job() {
  ❯ 2 │   slow();
      │   ^^^^^^
    3 │ }
    4 │ note();

  why         Its name says so, and names do not lie.
  do          Call \`quick()\`.
  in          job()
  fix         Call quick() instead (safe: --fix)

src/job.js:4:1  ℹ hint  no-note
  \`note()\` is called.

    2 │   slow();
    3 │ }
  ❯ 4 │ note();
      │ ^^^^^^

  why         It is noted.
  do          Nothing needs to be done.

✖ 1 error, ⚠ 1 warning, ℹ 1 hint in 2 files (<time>)
  checked     2 files
  fixable     1 with --fix, 1 with --fix-type suggestion
  skipped     1 minified file
  Node        20.19.0 (the running Node)
`,
    );
  });

  it('counts the files of its findings among all that it looked at, deployment files too', async () => {
    const files = {
      'package.json': '{ "dependencies": { "express": "5" } }',
      'app.js': "require('express')().get('/', (req, res) => res.end(require('node:fs').readFileSync(req.query.a)));\n",
      Dockerfile: 'FROM node:24\nCOPY . .\nCMD ["node", "app.js"]\n',
    };
    const { out } = await runIn(files, ['lint'], { rules });
    assert.match(out, /^⚠ 1 warning, ℹ 1 hint in 2 files \(.*\)\n {2}checked {5}1 file, 2 deployment files\n/m);
  });

  it('uses ASCII where the terminal has no more', async () => {
    for (const env of [{ TERM: 'linux' }, { LANG: 'C' }] as Record<string, string>[]) {
      const { out } = await runIn({ 'a.js': 'slow();' }, ['lint'], { env });
      assert.match(out, /^a\.js:1:1 {2}! warning/);
      assert.match(out, /^ {2}> 1 \| slow\(\);$/m);
      assert.ok(/^[\x00-\x7f]*$/.test(out), out);
    }
    assert.match((await runIn({ 'a.js': 'slow();' }, ['lint'], { platform: 'win32' })).out, /! warning/);
    assert.match((await runIn({ 'a.js': 'slow();' }, ['lint'], { platform: 'win32', env: { WT_SESSION: '1' } })).out, /⚠ warning/);
  });

  it('fits the width of the terminal', async () => {
    const code = `const a = '${'x'.repeat(200)}'; block(${'argument, '.repeat(30)}1);\n`;
    for (const columns of [40, 60, 80, 120]) {
      const { out } = await runIn({ 'a.js': code, 'b.js': APP }, ['lint', '--no-color', '--no-progress'], { columns });
      // Words and paths cannot be broken; of what is left every line fits.
      const tooLong = out
        .split('\n')
        .filter((line) => displayWidth(line) > columns && !/argument, argument|a\.js:1:|arguments are/.test(line));
      assert.deepEqual(tooLong, [], `at ${columns} columns`);
    }
  });

  it('says severity in words, and the same text with and without colors', async () => {
    const files = {
      'a.js': dedent`
      slow();
      note();
      block();

    `,
    };
    const plain = await runIn(files, ['lint', '--no-color']);
    const colored = await runIn(files, ['lint', '--color']);
    assert.ok(colored.out.includes('\u001b['));
    assert.equal(colored.out.replace(/\u001b\[\d+m/g, ''), plain.out);
    for (const word of ['error', 'warning', 'hint']) assert.ok(plain.out.includes(` ${word} `));
  });

  it('lets no control character of a file reach the terminal', async () => {
    const { out } = await runIn({ 'a.js': 'slow(/* \u001b[31mred\u0007 \u202egnitteg */);' }, ['lint']);
    assert.ok(!/[\u0000-\u0009\u000b-\u001f\u202e]/.test(out));
    assert.match(out, /\\u001b\[31mred\\u0007 \\u202egnitteg/);
  });

  it('tells nothing found, and the ranges of several projects', async () => {
    const { out } = await runIn(
      {
        'a/package.json': '{"engines":{"node":">=18"}}',
        'a/x.js': '',
        'a/y.js': '',
        'b/package.json': '{"engines":{"node":">=22"}}',
        'b/z.js': '',
      },
      ['lint'],
    );
    assert.equal(
      untimed(out),
      dedent`
        ✔ No problems found (<time>)
          checked     3 files, 2 deployment files
          Node        >=18 (engines.node in package.json, 2 files), >=22 (engines.node in package.json, 1 file)

      `,
    );
  });
});

describe('code frames', () => {
  function draw(text: string, span: { start: number; end: number }, width = 60, context = 0): string[] {
    return codeFrame({ source: new Source('/a.js', text), span, context, width }).flatMap((line: FrameLine) => [
      `${line.number ?? '.'}|${line.text}`,
      ...(line.mark ? [` |${' '.repeat(line.mark.start)}${'^'.repeat(line.mark.width)}`] : []),
    ]);
  }
  const spanOf = (text: string, part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });

  it('put the underline under tabs, wide characters, emoji and combining marks', () => {
    for (const [text, shown, column] of [
      ['\tslow()', '    slow()', 4],
      ['  \tslow()', '    slow()', 4],
      ['"日本語"; slow()', '"日本語"; slow()', 10],
      ['"👩‍👩‍👧"; slow()', '"👩‍👩‍👧"; slow()', 6],
      ['"e\u0301"; slow()', '"e\u0301"; slow()', 5],
      ['"ﾊﾛ"; slow()', '"ﾊﾛ"; slow()', 6],
      ['"ＡＢ"; slow()', '"ＡＢ"; slow()', 8],
    ] as const)
      assert.deepEqual(draw(text, spanOf(text, 'slow()')), [`1|${shown}`, ` |${' '.repeat(column)}^^^^^^`], text);
    const wide = 'f("日本")';
    assert.deepEqual(draw(wide, spanOf(wide, '日本')), ['1|f("日本")', ' |   ^^^^']);
  });

  it('read CRLF, and leave the byte order mark out of sight', () => {
    assert.deepEqual(draw('a();\r\nslow();\r\nb();\r\n', { start: 6, end: 12 }, 60, 1), ['1|a();', '2|slow();', ' |^^^^^^', '3|b();']);
    assert.deepEqual(draw('\uFEFFslow();', { start: 1, end: 7 }), ['1| slow();', ' | ^^^^^^']);
  });

  it('cut long lines around the span', () => {
    const text = `${'a+'.repeat(5000)}slow()${'+b'.repeat(5000)}`;
    const [code = '', mark = ''] = draw(text, spanOf(text, 'slow()'), 40);
    assert.match(code, /^1\|….*slow\(\).*…$/);
    assert.ok(displayWidth(code) <= 42, code);
    assert.equal(code.indexOf('slow()'), mark.indexOf('^'));
    assert.equal(mark.trimEnd().length - mark.indexOf('^'), 6);
    const start = `slow()${'+b'.repeat(5000)}`;
    assert.deepEqual(draw(start, spanOf(start, 'slow()'), 20), ['1|slow()+b+b+b+b+b+b+…', ' |^^^^^^']);
    const end = `${'a+'.repeat(50)}slow()`;
    assert.match(draw(end, spanOf(end, 'slow()'), 20)[0] ?? '', /^1\|….*slow\(\)$/);
  });

  it('stay in the width whatever is in the line', () => {
    const pieces = ['日', '\t', 'x', '👩‍👩‍👧', 'e\u0301', ' ', '\u001b', '\ud800'];
    for (let length = 1; length < 60; length += 7) {
      for (let shift = 0; shift < pieces.length; shift++) {
        const text = Array.from({ length }, (_, i) => pieces[(i * 3 + shift) % pieces.length]).join('');
        for (let start = 0; start < text.length; start += 5) {
          for (const line of codeFrame({ source: new Source('/a.js', text), span: { start, end: start + 9 }, context: 1, width: 24 })) {
            assert.ok(displayWidth(line.text) <= 24, `${JSON.stringify(text)} at ${start}: ${line.text}`);
            if (line.mark)
              assert.ok(
                line.mark.start >= 0 && line.mark.width >= 1 && line.mark.start + line.mark.width <= 25,
                JSON.stringify([text, start, line]),
              );
          }
        }
      }
    }
  });

  it('mark every line of a short span, and the ends of a long one', () => {
    const short = dedent`
      if (a) {
        b();
      }
      c();
    `;
    assert.deepEqual(draw(short, { start: 0, end: 17 }), ['1|if (a) {', ' |^^^^^^^^', '2|  b();', ' |  ^^^^', '3|}', ' |^']);
    const long = dedent`
      f(
      ${Array.from({ length: 20 }, (_, i) => `  ${i},`).join('\n')}
      )
    `;
    assert.deepEqual(
      draw(long, { start: 0, end: long.length }),
      ['1|f(', ' |^^', '2|  0,', ' |  ^^', '3|  1,', ' |  ^^', '.|… 18 more lines', '22|)', ' |^'].map((line) =>
        line.replace('22|', '22|'),
      ),
    );
  });

  it('show empty spans and the end of the file', () => {
    assert.deepEqual(draw('', { start: 0, end: 0 }), ['1|', ' |^']);
    assert.deepEqual(draw('ab\n', { start: 3, end: 3 }), ['2|', ' |^']);
    assert.deepEqual(draw('ab', { start: 2, end: 2 }), ['1|ab', ' |  ^']);
    assert.deepEqual(draw('ab', { start: 99, end: 120 }), ['1|ab', ' |  ^']);
  });
});

describe('text for terminals', () => {
  it('is wrapped at spaces by what is seen', () => {
    assert.deepEqual(wrap('one two  three\nfour', 9), ['one two', 'three', 'four']);
    assert.deepEqual(wrap('日本 日本 日本', 9), ['日本 日本', '日本']);
    assert.deepEqual(wrap('a muchtoolongword b', 6), ['a', 'muchtoolongword', 'b']);
    assert.deepEqual(wrap('one two', undefined), ['one two']);
    assert.deepEqual(wrap('', 10), ['']);
  });

  it('has no control characters', () => {
    assert.equal(visible('a\u0000\u009b\u2066\ud800b\u{1f600}'), 'a\\u0000\\u009b\\u2066\\ud800b\u{1f600}');
  });
});

describe('json', () => {
  it('is exactly the array that is promised', async () => {
    const { out } = await runIn({ 'src/app.js': APP }, ['lint', '--format', 'json']);
    assert.deepEqual(JSON.parse(out), [
      {
        file: '<folder>/src/app.js',
        line: 4,
        column: 15,
        endLine: 4,
        endColumn: 35,
        ruleId: 'no-blocking',
        messageId: 'blocks',
        severity: 'error',
        message: '`block(req.params.id)` blocks. Nothing else runs meanwhile. Await `unblock()`.',
        related: [{ file: '<folder>/src/app.js', line: 3, column: 1, message: 'the route is registered here' }],
        fixes: [{ title: 'Await unblock()', kind: 'suggestion', cost: 'twice the time' }],
        function: null,
        route: 'GET /users/:id',
        evidence: null,
        production: null,
      },
    ]);
    assert.equal((await runIn({}, ['lint', '--format', 'json'])).out, '[]\n');
  });

  it('gives places in other files, also in ones that are gone', async () => {
    const pointing = defineRule<'points'>({
      meta: {
        id: 'no-pointing',
        group: 'api',
        summary: 'Points',
        severity: 'hint',
        proof: 'documented',
        nodeRange: '*',
        fix: 'none',
        messages: { points: { what: 'a', why: 'b', remedy: 'c' } },
        options: {},
        confirmedBy: [],
      },
      create: ({ report, file }) => ({
        Program: (node) =>
          report({
            at: node,
            messageId: 'points',
            related: [
              { file: file.replace('a.js', 'data.txt'), span: { start: 3, end: 4 }, message: 'here' },
              { file: `${file}.gone`, span: { start: 3, end: 4 }, message: 'there' },
            ],
          }),
      }),
    });
    const { out } = await runIn({ 'a.js': 'a', 'data.txt': 'x\nyz' }, ['lint', '-f', 'json'], { rules: [pointing] });
    assert.deepEqual((JSON.parse(out) as { related: unknown }[])[0]?.related, [
      { file: '<folder>/data.txt', line: 2, column: 2, message: 'here' },
      { file: '<folder>/a.js.gone', line: 1, column: 1, message: 'there' },
    ]);
    const stylish = await runIn({ 'a.js': 'a', 'data.txt': 'x\nyz' }, ['lint'], { rules: [pointing] });
    assert.match(stylish.out, /1\. here\n +data\.txt:2:2\n +❯ 2 │ yz\n +│ +\^\n/);
    assert.match(stylish.out, /2\. there\n +a\.js\.gone\n/);
  });
});

describe('github', () => {
  it('writes one command a finding, escaped, with paths from the repository', async () => {
    const awkward = defineRule<'odd'>({
      meta: {
        id: 'no-odd',
        group: 'api',
        summary: 'Odd',
        severity: 'warning',
        proof: 'documented',
        nodeRange: '*',
        fix: 'none',
        messages: { odd: { what: '100 %: a, b\r\nc', why: 'w', remedy: 'r' } },
        options: {},
        confirmedBy: [],
      },
      create: ({ report }) => ({ Program: (node) => report({ at: node, messageId: 'odd' }) }),
    });
    const { out } = await runIn({ 'a,b:%.js': 'x;\ny;' }, ['lint', '-f', 'github'], { rules: [awkward] });
    assert.equal(out, '::warning file=a%2Cb%3A%25.js,line=1,endLine=2,title=nodometer/no-odd::100 %25: a, b%0D%0Ac%0Aw%0Ar\n');
    const { out: app } = await runIn({ '.git/HEAD': '', 'x/app.js': APP, 'x/b.js': 'note()' }, ['lint', '-f', 'github']);
    assert.equal(
      app,
      '::error file=x/app.js,line=4,endLine=4,col=15,endColumn=34,title=nodometer/no-blocking::`block(req.params.id)` blocks. [GET /users/:id]%0ANothing else runs meanwhile.%0AAwait `unblock()`.\n' +
        '::notice file=x/b.js,line=1,endLine=1,col=1,endColumn=6,title=nodometer/no-note::`note()` is called.%0AIt is noted.%0ANothing needs to be done.\n',
    );
  });
});
