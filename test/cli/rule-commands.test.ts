// `nodometer explain` and `nodometer rules`.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pc from 'picocolors';
import { displayWidth } from '../../cli/formats/display-text.ts';
import { renderMarkdown } from '../../cli/markdown-terminal.ts';
import { runIn, testRules } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const README = `# no-slow

## What
Calls of \`slow\`, see [the docs](https://example.com) and **nothing** else.

## Bad
\`\`\`js bad
slow();
\`\`\`

## Measured
| Node | ratio |
|---|--:|
| 20 | 3.1 |

- one item
  that goes on
- another
`;

describe('rules', () => {
  it('lists every rule', async () => {
    const { code, out } = await runIn({}, ['rules']);
    assert.equal(code, 0);
    assert.equal(
      out,
      `Rule          Group       Severity  Fix         Node  Finds
no-blocking   event-loop  error     suggestion  any   Calls of block
no-crash      api         warning   none        any   Crashes
no-note       api         hint      none        any   Calls of note
no-slow       v8          warning   safe        any   Calls of slow
require-flag  config      warning   safe        any   Starts without FLAG
`,
    );
  });

  it('lists them as JSON', async () => {
    const rows = JSON.parse((await runIn({}, ['rules', '--format', 'json'])).out) as object[];
    assert.equal(rows.length, testRules.length);
    assert.deepEqual(rows[3], {
      id: 'no-slow',
      group: 'v8',
      severity: 'warning',
      fix: 'safe',
      nodeRange: '*',
      proof: 'documented',
      summary: 'Calls of slow',
    });
  });

  it('refuses arguments', async () => {
    const { code, err } = await runIn({}, ['rules', 'no-slow']);
    assert.equal(code, 2);
    assert.match(err, /nodometer explain no-slow/);
    assert.equal((await runIn({}, ['rules', '--format', 'yaml'])).code, 2);
  });
});

describe('explain', () => {
  it("prints the rule's README for a terminal", async () => {
    const { code, out } = await runIn({}, ['explain', 'no-slow'], { docs: { 'no-slow': README } });
    assert.equal(code, 0);
    assert.equal(
      out,
      `no-slow

warning by default; group v8; documented; any Node; fix: safe

What
Calls of slow, see the docs (https://example.com) and nothing else.

Bad
  bad
  │ slow();

Measured
Node  ratio
20    3.1

- one item that goes on
- another
`,
    );
  });

  it('prints what the rule says of itself where there is no README', async () => {
    const { out } = await runIn({}, ['explain', 'no-slow']);
    assert.match(out, /^no-slow\n\nwarning by default/);
    assert.match(out, /slow\(\) is slow\. Its name says so/);
    assert.match(out, /- limit: A number Default: 1\./);
  });

  it('as JSON holds messages, options and the README', async () => {
    const value = JSON.parse((await runIn({}, ['explain', '-f', 'json', 'no-slow'], { docs: { 'no-slow': README } })).out) as Record<
      string,
      unknown
    >;
    assert.equal(value.documentation, README);
    assert.deepEqual(Object.keys(value.options as object), ['limit', 'mode', 'names', 'strict']);
    assert.deepEqual(Object.keys(value.messages as object), ['slow']);
    assert.equal((JSON.parse((await runIn({}, ['explain', '-f', 'json', 'no-note'])).out) as Record<string, unknown>).documentation, null);
  });

  it('refuses no rule, two rules and unknown rules', async () => {
    for (const [argv, message] of [
      [[], /requires a rule ID/],
      [['no-slow', 'no-note'], /takes one rule ID, not 2/],
      [['no-slwo'], /Did you mean `no-slow`\?/],
      [['xyzzy'], /Run `nodometer rules` to list all rules/],
    ] as const) {
      const { code, out, err } = await runIn({}, ['explain', ...argv]);
      assert.deepEqual({ code, out }, { code: 2, out: '' });
      assert.match(err, message);
    }
  });

  it('wraps text, not code, and colors', () => {
    const long = dedent`
      # Title

      ${'word '.repeat(40)}

      - ${'item '.repeat(40)}

      \`\`\`js good
      ${'x'.repeat(90)}
      \`\`\`

    `;
    const text = renderMarkdown(long, { colors: pc.createColors(false), columns: 50 });
    for (const line of text.split('\n')) if (!line.includes('xxx')) assert.ok(displayWidth(line) <= 50, line);
    assert.match(text, /good\n {2}│ x{90}\n/);
    assert.match(renderMarkdown('`code`', { colors: pc.createColors(true) }), /\u001b\[36mcode\u001b\[39m/);
    assert.equal(renderMarkdown('```js\nunclosed', { colors: pc.createColors(false) }), '  │ unclosed\n');
    assert.ok(!renderMarkdown('a\u001b[31m', { colors: pc.createColors(false) }).includes('\u001b'));
  });
});
