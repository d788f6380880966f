// The list of all routes, as the editor's view gets it: what their requests come by, profiles' times and verdicts, and that it changes.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  COMMANDS,
  LOAD_EXAMPLE_REQUEST,
  ROUTES_REQUEST,
  type KnownRoute,
  type LoadExample,
  type ProfileTarget,
  type RoutesResult,
} from '../../../protocol/editor.ts';
import type { EvidenceFile } from '../../../protocol/kept-evidence.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';
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

const APP = dedent`
  const express = require('express');
  const { check, show, list } = require('./service');
  const app = express();
  app.get('/books/:id', check, show);
  app.get('/books', list);
  app.post('/books', (req, res) => {
    for (const one of req.body) if (!/^(a+)+$/.test(one)) res.status(400);
    res.end();
  });
  const books = require('./books');
  app.use('/v1', books);
  app.use('/v2', books);
  app.listen(3000);

`;
const BOOKS = dedent`
  const router = require('express').Router();
  router.get('/count', (req, res) => res.end('1'));
  module.exports = router;

`;
const SERVICE = dedent`
  const { load } = require('./store');
  exports.check = (req, res, next) => next();
  exports.show = function show(req, res) {
    res.end(load('a') + load('b'));
  };
  exports.list = function list(req, res) {
    res.end('none');
  };

`;
const STORE = dedent`
  const fs = require('node:fs');
  exports.load = function load(id) {
    fs.statSync(id);
    return fs.readFileSync(id, 'utf8');
  };

`;
const FILES = { 'package.json': '{}', 'app.js': APP, 'books.js': BOOKS, 'service.js': SERVICE, 'store.js': STORE };

type Test = (session: Session, uri: (name: string) => string, folder: string) => Promise<void>;

function inProject(test: Test, options: StartOptions = {}, prepare: (folder: string) => void = () => undefined): () => Promise<void> {
  return async () => {
    const folder = folderWith(FILES);
    try {
      prepare(folder.path);
      await withServer({ folders: [folder.path], ...options }, (session) =>
        test(session, (name) => uriOf(join(folder.path, name)), folder.path),
      )();
    } finally {
      folder.dispose();
    }
  };
}

async function routesOf(session: Session): Promise<readonly KnownRoute[]> {
  const { isOn, routes } = await session.connection.sendRequest<RoutesResult>(ROUTES_REQUEST, {});
  assert.equal(isOn, true);
  return routes;
}

/** `GET /books/:id: 2+0`. */
function counts(routes: readonly KnownRoute[]): string[] {
  return routes.map(({ route, blocking, others }) => `${route}: ${blocking}+${others}`).sort();
}

function named(routes: readonly KnownRoute[], route: string): KnownRoute {
  const found = routes.find((one) => one.route === route);
  assert.ok(found, `${route} among ${routes.map((one) => one.route).join(', ')}`);
  return found;
}

describe('the list of routes', () => {
  it(
    'has every route of the project, those of a router under each of its paths, with what its requests come by',
    inProject(async (session, uri) => {
      const routes = await routesOf(session);
      assert.deepEqual(counts(routes), [
        'GET /books/:id: 2+0',
        'GET /books: 0+0',
        'GET /v1/count: 0+0',
        'GET /v2/count: 0+0',
        'POST /books: 0+1',
      ]);
      const show = named(routes, 'GET /books/:id');
      assert.deepEqual([show.uri, show.position.line], [uri('app.js'), 3]);
      assert.deepEqual(show.handler, { uri: uri('service.js'), position: { line: 2, character: 15 } }, 'not its middleware');
      assert.deepEqual(
        show.places.map((place) => [place.uri, place.range.start, place.verdict]),
        [
          [uri('store.js'), { line: 2, character: 2 }, undefined],
          [uri('store.js'), { line: 3, character: 9 }, undefined],
        ],
      );
      assert.match(show.places[0]?.what ?? '', /statSync/);
      assert.deepEqual([show.time, show.verdict], [undefined, undefined]);
      const count = named(routes, 'GET /v2/count');
      assert.deepEqual([count.uri, count.position.line, count.handler?.uri], [uri('books.js'), 1, uri('books.js')]);
    }),
  );

  it(
    'says when it has changed, and follows texts that are not saved',
    inProject(async (session, uri) => {
      await routesOf(session);
      let before = session.routeChanges;
      await session.open(uri('store.js'), STORE);
      await session.until('the news of the opened file', () => session.routeChanges > before);
      before = session.routeChanges;
      await session.replace(uri('store.js'), 'fs.statSync(id);', '');
      await session.until('the news of the edit', () => session.routeChanges > before);
      assert.equal(named(await routesOf(session), 'GET /books/:id').blocking, 1);
    }),
  );

  it(
    'has the newest time of the handler, and the worst verdict on its path, as long as the code is the same',
    inProject(
      async (session, uri) => {
        const first = named(await routesOf(session), 'GET /books/:id');
        assert.deepEqual(first.time, { ns: 1_400_000, isP99: true, node: '22.1.0' });
        assert.equal(first.verdict, 'confirmed');
        assert.deepEqual(
          first.places.map(({ verdict }) => verdict),
          ['refuted', 'confirmed'],
        );
        await session.open(uri('service.js'), SERVICE);
        await session.replace(uri('service.js'), `load('a') + load('b')`, `load('a')`);
        await session.open(uri('store.js'), STORE);
        await session.replace(uri('store.js'), `'utf8'`, `'latin1'`);
        const edited = named(await routesOf(session), 'GET /books/:id');
        assert.deepEqual([edited.time, edited.verdict, edited.blocking], [undefined, undefined, 2]);
      },
      {},
      (folder) => {
        const kept = { node: '22.1.0', v8: '12.4', platform: 'linux x64', cpu: 'a', budgetMs: 5000, origin: 'request', calls: [] } as const;
        const verdict = (code: string, of: 'confirmed' | 'refuted') => ({
          ruleId: 'no-sync-in-handler',
          messageId: 'blocks',
          code,
          hash: hashIn(STORE, 'load'),
          verdict: of,
          figure: '3 ms',
          grounds: [],
        });
        const profile = (file: string, fn: string, text: string) => ({ ...kept, file, function: fn, hash: hashIn(text, fn) });
        const evidence: EvidenceFile = {
          version: 1,
          profiles: [
            {
              ...profile('service.js', 'show', SERVICE),
              node: '20.1.0',
              date: '2026-01-01T00:00:00Z',
              timing: { median: 900_000, p99: 9_000_000 },
              verdicts: [],
            },
            {
              ...profile('service.js', 'show', SERVICE),
              date: '2026-02-01T00:00:00Z',
              timing: { median: 900_000, p99: 1_400_000 },
              verdicts: [],
            },
            {
              ...profile('store.js', 'load', STORE),
              date: '2026-02-01T00:00:00Z',
              verdicts: [verdict('fs.statSync(id)', 'refuted'), verdict(`fs.readFileSync(id, 'utf8')`, 'confirmed')],
            },
          ],
        };
        mkdirSync(join(folder, '.nodometer'));
        writeFileSync(join(folder, '.nodometer/evidence.json'), JSON.stringify(evidence));
      },
    ),
  );

  it(
    'is empty, and says so, where there is no index',
    inProject(
      async (session) => {
        assert.deepEqual(await session.connection.sendRequest<RoutesResult>(ROUTES_REQUEST, {}), { isOn: false, routes: [] });
      },
      { settings: { index: { enable: false } } },
    ),
  );

  it(
    'are asked under load as a comment above the handler says, saved or not, or else an OpenAPI file',
    inProject(
      async (session, uri, folder) => {
        const routes = await routesOf(session);
        const exampleOf = async (route: string): Promise<LoadExample> => {
          const { uri: from, request = '' } = named(routes, route);
          return session.connection.sendRequest<LoadExample>(LOAD_EXAMPLE_REQUEST, { uri: from, request, route });
        };
        const nothing = { notes: [] };
        assert.deepEqual(await exampleOf('GET /v1/count'), { request: 'GET /v1/count', origin: nothing });
        assert.deepEqual(await exampleOf('GET /books'), { request: 'GET /books', origin: nothing });
        const openapi = await exampleOf('GET /books/:id');
        assert.deepEqual([openapi.request, openapi.origin.source?.operation], ['GET /books/7', 'GET /books/{book}']);
        assert.equal((await exampleOf('POST /books')).request, 'POST /books -H "x-key: 1" ["a"]');
        await session.open(uri('service.js'), SERVICE);
        await session.replace(uri('service.js'), 'exports.show', '/** @profile GET /books/3?all=1 */\nexports.show');
        await session.indexed();
        const comment = await exampleOf('GET /books/:id');
        assert.deepEqual(comment, {
          request: 'GET /books/3?all=1',
          origin: {
            source: { kind: 'comment', file: join(folder, 'service.js'), line: 3, parts: ['path', 'query'], madeUp: [], hasHosts: false },
            notes: [],
          },
        });
        // Without the route itself, as older commands name it.
        const plain = { uri: uri('app.js'), request: 'GET /books/1' };
        assert.deepEqual(await session.connection.sendRequest(LOAD_EXAMPLE_REQUEST, plain), { request: 'GET /books/1', origin: nothing });
      },
      {},
      (folder) => {
        writeFileSync(
          join(folder, 'openapi.yaml'),
          dedent`
            openapi: 3.0.0
            paths:
              /books/{book}: { get: { parameters: [{ name: book, in: path, example: 7 }] } }
              /books:
                post:
                  parameters: [{ name: x-key, in: header, required: true, example: 1 }]
                  requestBody: { content: { application/json: { example: [a] } } }
          `,
        );
      },
    ),
  );
});

describe('the lens that profiles a route', () => {
  it(
    'stands beside the one that counts, and means the handler in whichever file it is; where nothing may be run, there is none',
    inProject(
      async (session, uri) => {
        const before = session.lensRefreshes;
        await session.open(uri('app.js'), APP);
        await session.until('the lenses', () => session.lensRefreshes > before);
        const lenses = await session.lenses(uri('app.js'));
        assert.deepEqual(
          lenses.map(({ range, command }) => `${range.start.line + 1}: ${command?.title}`),
          [
            '4: 2 blocking calls',
            '4: Profile this route',
            '4: Measure under load',
            '6: 1 finding on its path',
            '6: Measure under load',
            '6: Profile this route',
          ],
        );
        const targets = lenses.flatMap(({ command }) =>
          command?.command === COMMANDS.profileFunction ? (command.arguments as ProfileTarget[]) : [],
        );
        assert.deepEqual(targets, [
          { uri: uri('service.js'), position: { line: 2, character: 15 } },
          { uri: uri('app.js'), position: { line: 5, character: 19 } },
        ]);
      },
      { options: { clientCommands: true, trusted: true }, capabilities: VS_CODE },
    ),
  );
});

function hashIn(text: string, name: string): string {
  const outcome = parse('a.js', text);
  assert.ok(outcome.ok);
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source('a.js', text), PROJECT);
  const [found] = findByName(facts, name);
  assert.ok(found);
  return hashOf(normalizedSource(facts, found.fn));
}
