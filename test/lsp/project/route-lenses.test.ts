// Lenses above routes: what their requests come by in other files, as it stands after each edit; what a profile measured.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COMMANDS, type RoutePlaces } from '../../../protocol/editor.ts';
import type { EvidenceFile } from '../../../protocol/kept-evidence.ts';
import { Facts } from '../../../analysis/facts/index.ts';
import { ModuleIndex } from '../../../analysis/module/module-index.ts';
import { parse } from '../../../analysis/module/parse.ts';
import { findByName } from '../../../analysis/profile/functions.ts';
import { normalizedSource } from '../../../analysis/profile/normalized-source.ts';
import { Source } from '../../../analysis/module/source.ts';
import { hashOf } from '../../../workspace/hash.ts';
import { folderWith } from '../../cli/support.ts';
import { uriOf, VS_CODE, withServer, type Session, type StartOptions } from '../harness.ts';
import { PROJECT } from '../texts.ts';

const APP = `const express = require('express');
const { show, list } = require('./lib/service');
const app = express();
app.get('/books/:id', show);
app.get('/books', list);
`;
const SERVICE = `const { load } = require('./store');
exports.show = function show(req, res) {
  res.end(load('a') + load('b'));
};
exports.list = function list(req, res) {
  res.end('none');
};
`;
const STORE = `const fs = require('node:fs');
exports.load = function load(id) {
  fs.statSync(id);
  return fs.readFileSync(id, 'utf8');
};
`;
const FILES = { 'package.json': '{}', 'app.js': APP, 'lib/service.js': SERVICE, 'lib/store.js': STORE };

/** Of some 60 ms each; the lenses come within four. */
const MOST_TRIES = 500;

type Test = (session: Session, uri: (name: string) => string) => Promise<void>;

function inProject(test: Test, options: StartOptions = {}, prepare: (folder: string) => void = () => undefined): () => Promise<void> {
  return async () => {
    const folder = folderWith(FILES);
    try {
      prepare(folder.path);
      await withServer({ folders: [folder.path], ...options }, (session) => test(session, (name) => uriOf(join(folder.path, name))))();
    } finally {
      folder.dispose();
    }
  };
}

/** Does something that has the server ask for lenses to be asked for again. */
async function afterLenses(session: Session, work: () => Promise<unknown>): Promise<void> {
  const before = session.lensRefreshes;
  await work();
  await session.until('that lenses are asked for again', () => session.lensRefreshes > before);
}

/** `4: 2 blocking calls` for each lens, lines from 1. */
async function titles(session: Session, uri: string): Promise<string[]> {
  return (await session.lenses(uri)).map(({ range, command }) => `${range.start.line + 1}: ${command?.title}`);
}

describe('lenses above routes', () => {
  it(
    'count what the requests come by in all files, and name the places; nothing stands where there is nothing',
    inProject(async (session, uri) => {
      await afterLenses(session, () => session.open(uri('app.js'), APP));
      const lenses = await session.lenses(uri('app.js'));
      assert.deepEqual(await titles(session, uri('app.js')), ['4: 2 blocking calls']);
      assert.equal(lenses[0]?.command?.command, COMMANDS.showRoutePlaces);
      const [target] = (lenses[0]?.command?.arguments ?? []) as RoutePlaces[];
      assert.equal(target?.uri, uri('app.js'));
      assert.deepEqual(
        target?.places.map((place) => [place.uri, place.range.start]),
        [
          [uri('lib/store.js'), { line: 2, character: 2 }],
          [uri('lib/store.js'), { line: 3, character: 9 }],
        ],
      );
      // No route is registered there.
      await session.open(uri('lib/store.js'), STORE);
      await session.indexed();
      assert.deepEqual(await session.lenses(uri('lib/store.js')), []);
    }),
  );

  it(
    'follow an edit at once, and what other files become',
    inProject(async (session, uri) => {
      await afterLenses(session, () => session.open(uri('app.js'), APP));
      await session.replace(uri('app.js'), `const app`, `\n\nconst app`);
      assert.deepEqual(await titles(session, uri('app.js')), ['6: 2 blocking calls']);
      await session.open(uri('lib/store.js'), STORE);
      await afterLenses(session, () => session.replace(uri('lib/store.js'), 'fs.statSync(id);', ''));
      assert.deepEqual(await titles(session, uri('app.js')), ['6: 1 blocking call']);
      await session.open(uri('lib/service.js'), SERVICE);
      await afterLenses(session, () => session.replace(uri('lib/service.js'), `load('a') + load('b')`, `'a'`));
      assert.deepEqual(await titles(session, uri('app.js')), []);
      await afterLenses(session, () => session.replace(uri('lib/service.js'), `'none'`, `load('c')`));
      assert.deepEqual(await titles(session, uri('app.js')), ['7: 1 blocking call']);
    }),
  );

  it(
    'count no call that a comment silences',
    inProject(async (session, uri) => {
      await afterLenses(session, () => session.open(uri('app.js'), APP));
      await session.open(uri('lib/store.js'), STORE);
      await afterLenses(session, () =>
        session.replace(uri('lib/store.js'), 'fs.statSync(id);', 'fs.statSync(id); // nodometer-disable-line no-sync-in-handler -- small'),
      );
      assert.deepEqual(await titles(session, uri('app.js')), ['4: 1 blocking call']);
    }),
  );

  it(
    'say nothing where a wrapper has mixed the handlers of many routes up',
    inProject(async (session, uri) => {
      const names = Array.from({ length: 11 }, (_, i) => `a${i}`);
      const text = `const app = require('express')();
const { load } = require('./lib/store');
${names.map((name) => `function ${name}(req, res) { load('x'); res.end(); }\n`).join('')}app.get('/all', [${names.join()}]);
app.get('/few', [${names.slice(0, 10).join()}]);
`;
      await afterLenses(session, () => session.open(uri('app.js'), text));
      assert.deepEqual(await titles(session, uri('app.js')), ['15: 2 blocking calls']);
    }),
  );

  it(
    'are texts for an editor without the command',
    inProject(
      async (session, uri) => {
        await afterLenses(session, () => session.open(uri('app.js'), APP));
        const [lens] = await session.lenses(uri('app.js'));
        assert.deepEqual(lens?.command, { title: '2 blocking calls', command: '' });
      },
      { options: {} },
    ),
  );

  it(
    'can be turned off',
    inProject(
      async (session, uri) => {
        await session.open(uri('app.js'), APP);
        await session.open(uri('lib/store.js'), STORE);
        await session.indexed();
        assert.deepEqual(await session.places(uri('lib/store.js')), ['3:3 no-sync-in-handler', '4:10 no-sync-in-handler']);
        assert.deepEqual(await session.lenses(uri('app.js')), []);
      },
      { settings: { codeLens: { routes: false } } },
    ),
  );

  it(
    'say nothing to an editor that cannot be told to ask again, and answer it when it asks',
    inProject(
      async (session, uri) => {
        await session.open(uri('app.js'), APP);
        let found: string[] = [];
        for (let tries = 0; found.length === 0 && tries < MOST_TRIES; tries++) {
          await session.indexed();
          found = await titles(session, uri('app.js'));
        }
        assert.deepEqual(found, ['4: 2 blocking calls']);
        assert.equal(session.lensRefreshes, 0);
      },
      { capabilities: { ...VS_CODE, workspace: { ...VS_CODE.workspace, codeLens: undefined } } },
    ),
  );

  const withProfile =
    (hash: string, p99?: number) =>
    (folder: string): void => {
      const kept: EvidenceFile = {
        version: 1,
        profiles: [
          {
            file: 'lib/service.js',
            function: 'exports.show',
            hash,
            node: '24.9.0',
            v8: '13',
            platform: 'linux',
            cpu: 'x',
            date: '2026-01-01T00:00:00.000Z',
            budgetMs: 6000,
            origin: 'request',
            calls: [],
            timing: { median: 1_432_100, ...(p99 === undefined ? {} : { p99 }) },
            verdicts: [],
          },
        ],
      };
      mkdirSync(join(folder, '.nodometer'));
      writeFileSync(join(folder, '.nodometer/evidence.json'), JSON.stringify(kept));
    };
  const hashOfShow = (): string => {
    const outcome = parse('service.js', SERVICE);
    assert.ok(outcome.ok);
    const facts = new Facts(new ModuleIndex(outcome.ast), new Source('service.js', SERVICE), PROJECT);
    const [show] = findByName(facts, 'show');
    assert.ok(show);
    return hashOf(normalizedSource(facts, show.fn));
  };

  it(
    'tell what a profile of the handler measured',
    inProject(
      async (session, uri) => {
        await afterLenses(session, () => session.open(uri('app.js'), APP));
        assert.deepEqual(await titles(session, uri('app.js')), ['4: 2 blocking calls · 1.4 ms per call on Node 24.9.0']);
      },
      {},
      withProfile(hashOfShow()),
    ),
  );

  it(
    'tell within which time 99 of 100 requests were answered, where requests were timed',
    inProject(
      async (session, uri) => {
        await afterLenses(session, () => session.open(uri('app.js'), APP));
        assert.deepEqual(await titles(session, uri('app.js')), ['4: 2 blocking calls · p99 15 ms on Node 24.9.0']);
      },
      {},
      withProfile(hashOfShow(), 14_600_000),
    ),
  );

  it(
    'tell no time of a handler that is another one by now',
    inProject(
      async (session, uri) => {
        await afterLenses(session, () => session.open(uri('app.js'), APP));
        assert.deepEqual(await titles(session, uri('app.js')), ['4: 2 blocking calls']);
      },
      {},
      withProfile('0000000000000000'),
    ),
  );
});
