// What a loop of another file makes hot, in the editor: it comes and goes with the file that has the loop, and says what the terminal says.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rules } from '../../../rules/index.ts';
import { folderWith, run } from '../../cli/support.ts';
import { placesOf, SIMPLE_EDITOR, uriOf, withServer, type Session } from '../harness.ts';

const APP = `const express = require('express');
const { read, clean, parse } = require('./links');
const app = express();
app.get('/links', (req, res) => {
  const rows = load(req).map((row) => read(row.text));
  for (const row of rows) clean(row);
  for (const row of rows) {
    try { row.price = parse(row.price); } catch { row.price = 0; }
  }
  res.json(rows);
});
function load(req) { return req.body; }
`;
const LINKS = `exports.read = function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
exports.clean = function clean(row) {
  delete row.password;
};
exports.parse = function parse(text) {
  if (Number.isNaN(Number(text))) throw new Error('no number');
  return Number(text);
};
`;
const FILES = { 'package.json': '{"engines":{"node":">=20"}}', 'app.js': APP, 'links.js': LINKS };
const LINKS_PLACES = ['2:3 no-throw-in-hot-path', '9:3 no-unstable-shape'];
const APP_PLACES = ['8:5 no-throw-in-hot-path'];
const TRIES = 50;

type Test = (session: Session, uri: (name: string) => string, folder: string) => Promise<void>;

function inProject(test: Test, options: Parameters<typeof withServer>[0] = {}): () => Promise<void> {
  return async () => {
    const folder = folderWith(FILES);
    try {
      const uri = (name: string): string => uriOf(join(folder.path, name));
      await withServer({ folders: [folder.path], ...options }, (session) => test(session, uri, folder.path))();
    } finally {
      folder.dispose();
    }
  };
}

/** Pulls until the answer is that one; the index works meanwhile. */
async function untilPulled(session: Session, uri: string, places: readonly string[]): Promise<void> {
  for (let i = 0; i < TRIES; i++) {
    await session.indexed();
    if ((await session.places(uri)).join() === places.join()) return;
  }
  assert.deepEqual(await session.places(uri), places);
}

describe('a loop in another file', () => {
  it(
    'makes hot what it calls for as long as it is there; nothing is saved',
    inProject(async (session, uri) => {
      await session.open(uri('links.js'), LINKS);
      await untilPulled(session, uri('links.js'), LINKS_PLACES);
      await session.open(uri('app.js'), APP);
      await session.refreshed(() =>
        session.replace(uri('app.js'), 'for (const row of rows) clean(row);', 'if (rows.length > 0) clean(rows[0]);'),
      );
      await untilPulled(session, uri('links.js'), LINKS_PLACES.slice(0, 1));
      await session.refreshed(() => session.replace(uri('app.js'), 'load(req).map((row) => read(row.text))', 'load(req)'));
      await untilPulled(session, uri('links.js'), []);
      await session.refreshed(() => session.replace(uri('app.js'), 'load(req);', 'load(req).map((row) => read(row.text));'));
      await untilPulled(session, uri('links.js'), LINKS_PLACES.slice(0, 1));
      await session.refreshed(() =>
        session.replace(uri('app.js'), 'if (rows.length > 0) clean(rows[0]);', 'for (const row of rows) clean(row);'),
      );
      await untilPulled(session, uri('links.js'), LINKS_PLACES);
    }),
  );

  it(
    'is at its place after lines were put above it, in both files',
    inProject(async (session, uri) => {
      await session.open(uri('links.js'), LINKS);
      await untilPulled(session, uri('links.js'), LINKS_PLACES);
      await session.open(uri('app.js'), APP);
      await session.replace(uri('links.js'), 'exports.read', '\n\nexports.read');
      // Before the index has said anything new.
      assert.deepEqual(await session.places(uri('links.js')), ['4:3 no-throw-in-hot-path', '11:3 no-unstable-shape']);
      await session.replace(uri('app.js'), 'const express', '\nconst express');
      await session.indexed();
      const [finding] = await session.diagnose(uri('links.js'));
      assert.deepEqual(
        finding?.relatedInformation?.map(
          ({ location, message }) => `${location.uri.split('/').at(-1)}:${location.range.start.line + 1} ${message}`,
        ),
        [
          'links.js:5 this throws',
          'app.js:5 GET /links is handled here',
          'app.js:6 passes this function as a callback',
          'app.js:6 calls `read` in each iteration',
        ],
      );
    }),
  );

  it(
    'a throw is known where it is caught, for as long as it is thrown',
    inProject(async (session, uri) => {
      await session.open(uri('app.js'), APP);
      await untilPulled(session, uri('app.js'), APP_PLACES);
      await session.open(uri('links.js'), LINKS);
      await session.refreshed(() => session.replace(uri('links.js'), "throw new Error('no number')", 'return undefined'));
      await untilPulled(session, uri('app.js'), []);
      await session.refreshed(() => session.replace(uri('links.js'), 'return undefined', "throw new Error('no number')"));
      await untilPulled(session, uri('app.js'), APP_PLACES);
      // The call has moved within its function.
      await session.replace(uri('app.js'), 'const rows', '\n  const rows');
      assert.deepEqual(await session.places(uri('app.js')), ['9:5 no-throw-in-hot-path']);
    }),
  );

  it(
    'tells of files that are not open',
    inProject(
      async (session, uri) => {
        await session.configure({ lintScope: 'workspace' });
        const shown = (): string =>
          placesOf(session.published.filter((one) => one.uri === uri('links.js')).at(-1)?.diagnostics ?? []).join();
        await session.until('the findings of links.js', () => shown() === LINKS_PLACES.join());
        await session.indexed();
        await session.open(uri('app.js'), APP);
        await session.replace(uri('app.js'), 'for (const row of rows) clean(row);', '');
        await session.until('one finding in links.js', () => shown() === LINKS_PLACES[0]);
      },
      { capabilities: SIMPLE_EDITOR },
    ),
  );

  it(
    'is what the terminal says',
    inProject(async (session, uri, folder) => {
      const lint = async (): Promise<string> =>
        (
          await run(['lint', '.', '--format', 'json', '--exit-zero', '--cache-location', join(folder, 'lint.cache')], {
            cwd: folder,
            rules,
          })
        ).out;
      const out = await lint();
      // The second time from what was kept of the first.
      assert.equal(await lint(), out);
      const findings = JSON.parse(out) as { file: string; line: number; column: number; ruleId: string; message: string }[];
      const wanted = (name: string): string[] =>
        findings.filter(({ file }) => file.endsWith(name)).map(({ line, column, ruleId }) => `${line}:${column} ${ruleId}`);
      assert.deepEqual(wanted('links.js'), LINKS_PLACES);
      assert.deepEqual(wanted('app.js'), APP_PLACES);
      for (const [name, text] of [
        ['links.js', LINKS],
        ['app.js', APP],
      ] as const) {
        await session.open(uri(name), text);
        await untilPulled(session, uri(name), wanted(name));
      }
      assert.ok(findings.every(({ message }) => !message.includes('{{')));
    }),
  );
});
