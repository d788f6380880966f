// What was imported from production, in lenses and hovers: as text, of code that is still the same, and without any effect on findings.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, FileChangeType, type Hover, type MarkupContent } from 'vscode-languageserver-protocol/node';
import { COMMANDS, type LoadRoute } from '../../protocol/editor.ts';
import type { KeptFunction, ProductionSource } from '../../protocol/production.ts';
import { ParsedText } from '../../workspace/production/parsed-text.ts';
import { updateProduction } from '../../workspace/production/production-store.ts';
import { folderWith } from '../cli/support.ts';
import { uriOf, VS_CODE, withServer, type Session } from './harness.ts';

const POLL_MS = 60;
const MOST_TRIES = 200;

const TEXT = `const fs = require('node:fs');
const app = require('express')();
function hash(text) {
  return text.length;
}
function rare(text) {
  return text + 1;
}
app.get('/page', (req, res) => {
  res.end(fs.readFileSync('page.html') + hash('a') + rare('b'));
});
app.listen(3000);
`;
/** 21 November of this year: what is of another one is told with it. */
const DATE = `${new Date().getUTCFullYear()}-11-21T10:00:00.000Z`;

function kept(line: number, figures: Pick<KeptFunction, 'total' | 'self' | 'calls'>): KeptFunction {
  const parsed = ParsedText.of('app.js', TEXT);
  const fn = parsed?.functions.find((one) => parsed.lineOf(one) === line);
  assert.ok(parsed && fn);
  return { file: 'app.js', function: fn.name ?? '', line, hash: parsed.hashOf(fn), ...figures };
}

const PROFILE: ProductionSource = {
  name: 'web [x](command:y) $(sync~spin)',
  kind: 'cpu-profile',
  date: DATE,
  total: 1000,
  functions: [kept(3, { total: 40, self: 40 }), kept(6, { total: 1, self: 1 }), kept(9, { total: 120, self: 10 })],
  routes: [],
};
const SPANS: ProductionSource = {
  name: 'spans',
  kind: 'spans',
  date: DATE,
  total: 100,
  functions: [],
  routes: [{ method: 'GET', route: '/page', requests: 61 }],
};

const lensesOf = async (session: Session, uri: string): Promise<string[]> =>
  (await session.lenses(uri)).flatMap(({ range, command }) =>
    command?.command === COMMANDS.profileFunction ? [`${range.start.line + 1}: ${command.title}`] : [],
  );
/** All lenses, when those of routes are there: they come when the whole project has been read. */
async function routeLensesOf(session: Session, uri: string): Promise<Command[]> {
  let lenses: Command[] = [];
  for (let tries = 0; tries < MOST_TRIES && !lenses.some(({ title }) => title.startsWith('1 blocking call')); tries++) {
    if (tries > 0) await delay(POLL_MS);
    lenses = (await session.lenses(uri)).flatMap(({ command }) => command ?? []);
  }
  return lenses;
}
const textOf = (hover: Hover | null): string => (hover ? (hover.contents as MarkupContent).value : '');

async function withImports(test: (session: Session, uri: string, path: string) => Promise<void>, text = TEXT): Promise<void> {
  const folder = folderWith({ 'package.json': '{}', 'app.js': text });
  try {
    const path = join(folder.path, '.nodometer/production.json');
    updateProduction(path, () => [PROFILE, SPANS], assert.fail);
    const options = { clientCommands: true, trusted: true };
    const capabilities = { ...VS_CODE, workspace: { ...VS_CODE.workspace, codeLens: { refreshSupport: true } } };
    await withServer({ folders: [folder.path], options, capabilities }, async (session) => {
      const uri = uriOf(join(folder.path, 'app.js'));
      await session.open(uri, text);
      await session.indexed();
      await test(session, uri, path);
    })();
  } finally {
    folder.dispose();
  }
}

describe('what was imported from production, in the editor', () => {
  it('stands in the lens of functions with a finding, and of those with much of it', () =>
    withImports(async (session, uri) => {
      assert.deepEqual(await lensesOf(session, uri), [
        '9: Profile this route · 12 % of samples in production, 21 November',
        '3: Profile this function · 4 % of samples in production, 21 November',
      ]);
    }));

  it('stands in the hover of a finding, with the requests of its route, and of the head of a function', () =>
    withImports(async (session, uri) => {
      const finding = textOf(await session.hover(uri, { line: 9, character: 15 }));
      assert.match(finding, /^12 % of samples and 61 % of requests in production, 21 November \(.*`spans`\)\.$/m);
      assert.match(finding, /no-sync-in-handler/);
      const name = await session.hover(uri, { line: 2, character: 10 });
      assert.match(textOf(name), /^4 % of samples in production, 21 November \(`web \[x\]\(command:y\) \$\(sync~spin\)`\)\.$/);
      assert.deepEqual(name?.range, { start: { line: 2, character: 0 }, end: { line: 2, character: 20 } });
      assert.match(textOf(await session.hover(uri, { line: 5, character: 10 })), /^0\.1 % of samples in production, 21 November/);
      assert.equal(textOf(await session.hover(uri, { line: 3, character: 4 })), '', 'not in its body');
    }));

  it('stands in the lens of a route: its share of the requests', () =>
    withImports(async (session, uri) => {
      const titles = (await routeLensesOf(session, uri)).map(({ title }) => title);
      assert.ok(titles.includes('1 blocking call · 61 % of requests in production, 21 November'), titles.join('\n'));
    }));

  it('stands in the lens of a loop over a table of routes, which measures the one that blocks', async () => {
    const table = `const fs = require('node:fs');
const app = require('express')();
const TABLE = [
  ['get', '/', (req, res) => res.end()],
  ['get', '/page', (req, res) => res.end(fs.readFileSync('page.html'))],
];
for (const [method, path, handler] of TABLE) app[method](path, handler);
app.listen(3000);
`;
    await withImports(async (session, uri) => {
      const lenses = (await routeLensesOf(session, uri)).filter(({ command }) => command !== COMMANDS.profileFunction);
      assert.deepEqual(
        lenses.map(({ title }) => title),
        ['1 blocking call · 61 % of requests in production, 21 November', 'Measure under load'],
      );
      const measured = lenses.flatMap(({ command, arguments: args }) => (command === COMMANDS.measureLoad ? (args as LoadRoute[]) : []));
      assert.deepEqual(
        measured.map(({ request }) => request),
        ['GET /page'],
      );
    }, table);
  });

  it('changes no diagnostic', () =>
    withImports(async (session, uri, path) => {
      const withIt = await session.diagnose(uri);
      assert.equal(withIt.length, 1);
      rmSync(path);
      await session.watched({ uri: uriOf(path), type: FileChangeType.Deleted });
      assert.deepEqual(await session.diagnose(uri), withIt);
      assert.deepEqual(await lensesOf(session, uri), ['9: Profile this route'], 'and goes with its file');
    }));

  it('is read when a client tells of its new folder alone, whose first file it may have missed', async () => {
    const folder = folderWith({ 'package.json': '{}', 'app.js': TEXT });
    try {
      const options = { clientCommands: true, trusted: true };
      await withServer({ folders: [folder.path], options, capabilities: VS_CODE }, async (session) => {
        const uri = uriOf(join(folder.path, 'app.js'));
        await session.open(uri, TEXT);
        await session.indexed();
        assert.deepEqual(await lensesOf(session, uri), ['9: Profile this route']);
        updateProduction(join(folder.path, '.nodometer/production.json'), () => [PROFILE], assert.fail);
        await session.watched({ uri: uriOf(join(folder.path, '.nodometer')), type: FileChangeType.Created });
        let lenses: string[] = [];
        for (let tries = 0; tries < MOST_TRIES && lenses.length < 2; tries++) {
          await delay(POLL_MS);
          lenses = await lensesOf(session, uri);
        }
        assert.match(lenses[0] ?? '', /12 % of samples in production/);
      })();
    } finally {
      folder.dispose();
    }
  });

  it('moves with its function, and goes when the function changes', () =>
    withImports(async (session, uri) => {
      await session.replace(uri, 'function hash', '// above\nfunction hash');
      assert.match((await lensesOf(session, uri)).join('\n'), /^4: Profile this function · 4 % of samples/m);
      await session.replace(uri, 'return text.length', 'return text.length + 1');
      assert.deepEqual(await lensesOf(session, uri), ['10: Profile this route · 12 % of samples in production, 21 November']);
      assert.equal(textOf(await session.hover(uri, { line: 3, character: 10 })), '');
    }));
});
