// Nothing that a project holds is obeyed by a terminal or by the log of a build server, in any format and on standard error.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { safeInCommand, safeJson, safeText, withSafeValues } from '../../../cli/safe-output.ts';
import { rules } from '../../../rules/index.ts';
import { folderWith, run } from '../support.ts';

const HOSTILE =
  '\n::error file=x::forged\n##vso[task.setvariable variable=x]y\n  ##[error]z\n##teamcity[x]\u001b]0;title\u0007\u001b[2J\u009b31m\u202e\r';
/** What GitHub, Azure and TeamCity obey, and what terminals do but for colors. */
const OBEYED = [
  /^\s*::/m,
  /##\[/,
  /##vso\[/i,
  /##teamcity\[/i,
  /\u001b(?!\[[0-9;]*m)/,
  /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/,
  /[\u2028-\u202e]/,
];

function isSafe(text: string, what: string): void {
  for (const pattern of OBEYED) assert.doesNotMatch(text, pattern, what);
}

/** Names that a file system takes. */
const FILE = '::error::a\u001b]0;x\u0007\n::error file=b::c\u009b##vso[x]\u202e\u2028::error::c.js';
const FILES = {
  'package.json': JSON.stringify({ name: HOSTILE, engines: { node: HOSTILE }, scripts: { start: `node "${HOSTILE}"` } }),
  [FILE]: `const app = require('express')();
app.get(${JSON.stringify(HOSTILE)}, function handle(req, res) { res.end(require('node:fs').readFileSync(${JSON.stringify(HOSTILE)})); });
`,
  [`broken${FILE}`]: 'f(\n',
  'other.json': JSON.stringify({ [HOSTILE]: 1, rules: { [HOSTILE]: HOSTILE } }),
};

describe('output', () => {
  it('obeys nobody, in any format, and on standard error', {
    skip: process.platform === 'win32' && 'Windows refuses such names',
  }, async () => {
    const folder = folderWith(FILES);
    try {
      const commands = [
        ...['stylish', 'json', 'sarif', 'gitlab', 'agent', 'junit', 'markdown'].map((format) => ['lint', '--format', format]),
        ['lint', '--color'],
        ['lint', '--list-files'],
        ['lint', HOSTILE],
        ['lint', '--config', HOSTILE],
        ['lint', '--config', 'other.json'],
        ['lint', '--rule', `${HOSTILE}=off`],
        ['lint', HOSTILE.trim(), '--no-color'],
        [HOSTILE],
        ['paths'],
        ['paths', '--format', 'json'],
        ['paths', HOSTILE],
        ['paths', 'handle'],
        ['graph'],
        ['graph', '--format', 'dot'],
        ['graph', '--format', 'mermaid'],
        ['explain', HOSTILE],
        ['profile', HOSTILE],
      ];
      for (const argv of commands) {
        const { out, err } = await run(argv, { cwd: folder.path, rules });
        isSafe(out, `${JSON.stringify(argv)} ${JSON.stringify(out)}`);
        isSafe(err, `${JSON.stringify(argv)} ${JSON.stringify(err)}`);
      }
    } finally {
      folder.dispose();
    }
  });

  it('has commands of our own alone with --format github', {
    skip: process.platform === 'win32' && 'Windows refuses such names',
  }, async () => {
    const folder = folderWith(FILES);
    try {
      const { out } = await run(['lint', '--format', 'github'], { cwd: folder.path, rules });
      const lines = out.trimEnd().split('\n');
      assert.ok(lines.length > 0);
      for (const line of lines) {
        assert.match(line, /^::(?:warning|error|notice) file=[^:]+::/);
        isSafe(line.slice(2), line);
      }
    } finally {
      folder.dispose();
    }
  });

  it('is JSON that says the same', () => {
    const value = { [HOSTILE]: [HOSTILE, '::', '#', '\u2028'] };
    for (const text of [JSON.stringify(value), JSON.stringify(value, undefined, 2)]) {
      isSafe(safeJson(text), text);
      assert.deepEqual(JSON.parse(safeJson(text)), value);
    }
  });

  it('is JSON that strict readers take, where a text has half a pair of surrogates', async () => {
    const value = { '\udc00': ['\ud800', '\\ud800', '\\\ud800', '\u{1f600}', '\\u{1f600}'] };
    const read = JSON.parse(safeJson(JSON.stringify(value))) as unknown;
    assert.deepEqual(read, { '\ufffd': ['\ufffd', '\\ud800', '\\\ufffd', '\u{1f600}', '\\u{1f600}'] });
    const folder = folderWith({
      'app.js': "require('express')().get('/\\ud800', (req, res) => res.end(require('node:fs').readFileSync('\\udc00')));\n",
    });
    try {
      for (const format of ['json', 'sarif', 'gitlab']) {
        const { out } = await run(['lint', '--format', format], { cwd: folder.path, rules });
        assert.match(out, /GET/, format);
        assert.doesNotMatch(JSON.stringify(JSON.parse(out)), /(?<!\\)\\ud[89a-f]/i, format);
      }
    } finally {
      folder.dispose();
    }
  });

  it('has no colors but its own: values are made safe before it is written', () => {
    const value = { list: [{ '\u001b[8mkey': 'a\u001b[31mb\tc\n' }], count: 1, none: null, no: undefined };
    assert.deepEqual(withSafeValues(value), { list: [{ '\\u001b[8mkey': 'a\\u001b[31mb\tc\n' }], count: 1, none: null, no: undefined });
  });

  it('keeps its own colors, tabs and lines', () => {
    const text = '\u001b[31ma\u001b[39m\tb\n  c: d #e ## f std::vector';
    assert.equal(safeText(text, true), text);
    assert.equal(safeText(text, false), text.replaceAll('\u001b', '\\u001b'));
    assert.equal(safeInCommand('a\r\nb'), 'a\r\nb');
    assert.equal(safeText('::error::a', false), '\\u003a:error::a');
  });
});
