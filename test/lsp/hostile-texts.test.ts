// A folder whose names, keys and kept evidence try to be more than text, as an untrusted window opens it: everything that the server sends.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { MarkupContent } from 'vscode-languageserver/node';
import { markdown } from '../../server/shared/markdown.ts';
import { folderWith } from '../cli/support.ts';
import { uriOf, withServer } from './harness.ts';

const LINK = /\]\((?:https?:\/\/|command:|file:)/i;
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const NAME = '![t](https:host)[.js';
const KEY = '[text](command:workbench.action.quit) $(sync~spin)\u202e';

/** What is left where escaped characters, code and our own links to files are taken out: nothing there may act. */
function active(value: string): string {
  return value
    .replace(/\\[!-/:-@[-`{-~]/g, '')
    .replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
    .replace(/\[([^\]]*)\]\(<file:\/\/[^>]*>\)/g, '$1');
}

describe('hostile names and values', () => {
  it('are text in messages, hovers, diagnostics, lenses, actions and the status', async () => {
    const folder = folderWith({
      'package.json': JSON.stringify({ engines: { node: '>=20 || [x](command:a)' } }),
      'nodometer.config.json': JSON.stringify({ [KEY]: 1, rules: { [KEY]: 'error' } }),
      'app.js': `const app = require('express')();
const { load } = require(${JSON.stringify(`./${NAME}`)});
app.get('/[a](https://host.example)/![b](https://host.example)', function $sync(req, res) { res.end(load('a')); });
app.get('/https://www.host.example', (req, res) => res.end(load('a')));
`,
      [NAME]: `const fs = require('node:fs');
exports.load = function load(id) { return fs.readFileSync(id, 'utf8'); };
`,
    });
    try {
      await withServer({ folders: [folder.path], options: { clientCommands: true, trusted: false } }, async (session) => {
        const uri = uriOf(join(folder.path, NAME));
        await session.open(
          uri,
          `const fs = require('node:fs');
exports.load = function load(id) { return fs.readFileSync(id, 'utf8'); };
`,
        );
        const diagnostics = await session.diagnose(uri);
        assert.equal(diagnostics.length, 1);
        const [{ range }] = diagnostics as [(typeof diagnostics)[number]];
        const hover = await session.hover(uri, range.start);
        assert.ok(hover);
        const { value } = hover.contents as MarkupContent;
        assert.match(value, /app\.js:3/);
        assert.doesNotMatch(active(value), /!\[|\]\(|<|https?:\/\/|www\./, value);
        const app = uriOf(join(folder.path, 'app.js'));
        await session.open(
          app,
          session.textOf(uri).replace('exports.load = function load(id)', "require('express')().get('/', (id) =>").replace('; };', '; });'),
        );
        await session.diagnose(app);
        const actions = await session.actions(uri, range);
        const texts = [
          ...session.messages.map(({ message }) => message),
          ...(await session.lenses(uri)).map(({ command }) => command?.title ?? ''),
        ];
        assert.ok(
          texts.some((text) => text.includes('command:workbench')),
          'the configuration is complained of',
        );
        for (const text of texts) {
          assert.doesNotMatch(text, LINK);
          assert.doesNotMatch(text, ICON);
        }
        const all = [
          ...texts,
          ...actions.map(({ title }) => title),
          ...diagnostics.flatMap(({ message, relatedInformation = [] }) => [
            String(message),
            ...relatedInformation.map(({ message }) => message),
          ]),
        ];
        // What the output shows stays on its line.
        all.push(...session.takeErrors());
        for (const text of all) assert.doesNotMatch(text, CONTROL);
      })();
    } finally {
      folder.dispose();
    }
  });

  it('cannot name links, become addresses, or mail in Markdown', () => {
    assert.equal(active(markdown.link('![t](https:host)[.js:1', 'file:///a')).includes(']('), false);
    for (const text of ['see https://host.example/a', 'http://h', 'www.host.example', 'mail a@host.example', 'ftp://h'])
      assert.doesNotMatch(active(markdown.prose(text)), /(?:https?|ftp):\/\/|www\.|\w@\w/);
  });
});
