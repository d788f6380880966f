// The index of the whole project as an editor sees it: findings that come and go with what other files say, however the files change.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FileChangeType, type Diagnostic } from 'vscode-languageserver/node';
import { rules } from '../../../rules/index.ts';
import { builtIn } from '../../built.ts';
import type { RunningIndex } from '../../../server/deps.ts';
import type { IndexRequest } from '../../../server/shared/index-messages.ts';
import { workerIndex } from '../../../server/workers/worker-jobs.ts';
import { folderWith, run } from '../../cli/support.ts';
import { indexHere, placesOf, SIMPLE_EDITOR, uriOf, withServer, type Session, type StartOptions } from '../harness.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const APP = `const express = require('express');
const { show } = require('./lib/service');
const app = express();
app.get('/books/:id', (req, res) => res.json(show(req.params.id)));
`;
const SERVICE = `const { load } = require('./store');
exports.show = function show(id) {
  return load(id);
};
`;
const QUIET_SERVICE = SERVICE.replace('return load(id);', 'return id;     ');
const STORE = `const fs = require('node:fs');
exports.load = function load(id) {
  return fs.readFileSync(id, 'utf8');
};
`;
const FILES = { 'package.json': '{}', 'app.js': APP, 'lib/service.js': SERVICE, 'lib/store.js': STORE };
const STORE_PLACES = ['3:10 no-sync-in-handler'];
const BURST = 200;
const EDITS = 300;
const TRIES = 50;

type Test = (session: Session, path: (name: string) => string, uri: (name: string) => string) => Promise<void>;

function inProject(files: Readonly<Record<string, string>>, options: StartOptions, test: Test): () => Promise<void> {
  return async () => {
    const folder = folderWith(files);
    try {
      const path = (name: string) => join(folder.path, name);
      await withServer({ folders: [folder.path], ...options }, (session) => test(session, path, (name) => uriOf(path(name))))();
    } finally {
      folder.dispose();
    }
  };
}

/** In an editor that is sent everything, also of files that are not open. */
function inWorkspace(files: Readonly<Record<string, string>>, options: StartOptions, test: Test): () => Promise<void> {
  return inProject(files, { capabilities: SIMPLE_EDITOR, ...options }, async (session, path, uri) => {
    await session.configure({ lintScope: 'workspace' });
    await session.until('that the workspace was linted', () => session.logs.some(({ message }) => message.startsWith('Linted ')));
    await session.indexed();
    await test(session, path, uri);
  });
}

/** What the editor shows of a file that it is sent the diagnostics of. */
function shown(session: Session, uri: string): Diagnostic[] {
  return session.published.filter((one) => one.uri === uri).at(-1)?.diagnostics ?? [];
}

async function untilShown(session: Session, uri: string, places: readonly string[]): Promise<void> {
  await session.until(
    `${places.join(', ') || 'nothing'} in ${basename(uri)}`,
    () => placesOf(shown(session, uri)).join() === places.join(),
  );
}

/** Pulls until the answer is that one; the index works meanwhile. */
async function untilPulled(session: Session, uri: string, places: readonly string[]): Promise<void> {
  // What has everything read anew comes in more than one step.
  for (let i = 0; i < TRIES; i++) {
    await session.indexed();
    if ((await session.places(uri)).join() === places.join()) return;
  }
  assert.deepEqual(await session.places(uri), places);
}

function wordsOf(message: Diagnostic['message']): string {
  return (typeof message === 'string' ? message : message.value).replaceAll('\n', ' ');
}

const rows = (file: string, diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ range: { start }, code, message, relatedInformation = [] }) =>
    [
      `${file}:${start.line + 1}:${start.character + 1} ${String(code)} ${wordsOf(message)}`,
      ...relatedInformation.map(
        ({ location, message: words }) =>
          `${fileURLToPath(location.uri)}:${location.range.start.line + 1}:${location.range.start.character + 1} ${words}`,
      ),
    ].join(' < '),
  );

/** The same of a run in the terminal, which knows nothing of what was before. */
async function asLinted(folder: string): Promise<string[]> {
  const { out } = await run(['lint', '.', '--format', 'json', '--exit-zero'], { cwd: folder, rules });
  const findings = JSON.parse(out) as {
    file: string;
    line: number;
    column: number;
    ruleId: string;
    message: string;
    related: { file: string; line: number; column: number; message: string }[];
  }[];
  return findings
    .map(({ file, line, column, ruleId, message, related }) =>
      [
        `${file}:${line}:${column} ${ruleId} ${message}`,
        ...related.map((place) => `${place.file}:${place.line}:${place.column} ${place.message}`),
      ].join(' < '),
    )
    .sort();
}

describe('findings in another file', () => {
  it(
    'that is open go when the file between calls it no more, and come back when that is undone; nothing is saved',
    inProject(FILES, {}, async (session, path, uri) => {
      await session.open(uri('lib/store.js'), STORE);
      await untilPulled(session, uri('lib/store.js'), STORE_PLACES);
      const [finding] = await session.diagnose(uri('lib/store.js'));
      assert.deepEqual(
        finding?.relatedInformation?.map(
          ({ location, message }) => `${basename(location.uri)}:${location.range.start.line + 1} ${message}`,
        ),
        ['app.js:4 GET /books/:id is handled here', 'app.js:4 calls `show`', 'service.js:3 calls `load`'],
      );
      await session.open(uri('lib/service.js'), SERVICE);
      await session.refreshed(() => session.replace(uri('lib/service.js'), 'return load(id);', 'return id;'));
      await untilPulled(session, uri('lib/store.js'), []);
      await session.refreshed(() => session.replace(uri('lib/service.js'), 'return id;', 'return load(id);'));
      await untilPulled(session, uri('lib/store.js'), STORE_PLACES);
      assert.equal(readFileSync(path('lib/service.js'), 'utf8'), SERVICE);
    }),
  );

  it(
    'that is not open, too; and closing without saving undoes',
    inWorkspace(FILES, {}, async (session, _, uri) => {
      await untilShown(session, uri('lib/store.js'), STORE_PLACES);
      await session.open(uri('lib/service.js'), SERVICE);
      await session.replace(uri('lib/service.js'), 'return load(id);', 'return id;');
      await untilShown(session, uri('lib/store.js'), []);
      await session.replace(uri('lib/service.js'), 'return id;', 'return load(id);');
      await untilShown(session, uri('lib/store.js'), STORE_PLACES);
      await session.change(uri('lib/service.js'), { text: QUIET_SERVICE });
      await untilShown(session, uri('lib/store.js'), []);
      await session.close(uri('lib/service.js'));
      await untilShown(session, uri('lib/store.js'), STORE_PLACES);
    }),
  );

  it(
    'name the places on their way where they have moved to',
    inWorkspace(FILES, {}, async (session, _, uri) => {
      await untilShown(session, uri('lib/store.js'), STORE_PLACES);
      await session.open(uri('lib/service.js'), SERVICE);
      await session.change(uri('lib/service.js'), {
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        text: dedent`
          // one
          // two

        `,
      });
      await session.until(
        'the new line',
        () => shown(session, uri('lib/store.js'))[0]?.relatedInformation?.at(-1)?.location.range.start.line === 4,
      );
    }),
  );

  it(
    'stay while the file between is half typed',
    inProject(FILES, {}, async (session, _, uri) => {
      await session.open(uri('lib/store.js'), STORE);
      await session.open(uri('lib/service.js'), SERVICE);
      await session.replace(uri('lib/service.js'), 'return load(id);', 'return load(id');
      await untilPulled(session, uri('lib/store.js'), STORE_PLACES);
      await session.replace(uri('lib/service.js'), 'return load(id', 'return id;');
      await untilPulled(session, uri('lib/store.js'), []);
    }),
  );
});

describe('changes on disk', () => {
  it(
    'of a file: changed, deleted, made again',
    inWorkspace(FILES, {}, async (session, path, uri) => {
      const service = { uri: uri('lib/service.js') };
      writeFileSync(path('lib/service.js'), QUIET_SERVICE);
      await session.watched({ ...service, type: FileChangeType.Changed });
      await untilShown(session, uri('lib/store.js'), []);
      writeFileSync(path('lib/service.js'), SERVICE);
      await session.watched({ ...service, type: FileChangeType.Changed });
      await untilShown(session, uri('lib/store.js'), STORE_PLACES);
      rmSync(path('lib/service.js'));
      await session.watched({ ...service, type: FileChangeType.Deleted });
      await untilShown(session, uri('lib/store.js'), []);
      writeFileSync(path('lib/service.js'), SERVICE);
      await session.watched({ ...service, type: FileChangeType.Created });
      await untilShown(session, uri('lib/store.js'), STORE_PLACES);
    }),
  );

  it(
    'of a folder that is renamed, of which clients tell the folder alone',
    inProject({ ...FILES, 'other.js': 'exports.x = 1;\n' }, {}, async (session, path, uri) => {
      await session.open(uri('lib2/store.js'), STORE);
      await session.open(uri('app.js'), APP);
      renameSync(path('lib'), path('lib2'));
      await session.watched({ uri: uri('lib'), type: FileChangeType.Deleted }, { uri: uri('lib2'), type: FileChangeType.Created });
      await untilPulled(session, uri('lib2/store.js'), []);
      await session.replace(uri('app.js'), './lib/service', './lib2/service');
      await untilPulled(session, uri('lib2/store.js'), STORE_PLACES);
    }),
  );

  it(`of ${BURST} files at once, as when a branch is switched`, async () => {
    const other = (i: number, calls: boolean) =>
      dedent`
        const { load } = require('./store');
        exports.f${i} = (req, res) => res.json(${calls ? 'load(req.url)' : i});

      `;
    const many = (calls: boolean) => Object.fromEntries(Array.from({ length: BURST }, (_, i) => [`lib/f${i}.js`, other(i, calls)]));
    await inWorkspace({ ...FILES, 'lib/service.js': QUIET_SERVICE, ...many(false) }, {}, async (session, path, uri) => {
      await untilShown(session, uri('lib/store.js'), []);
      for (const calls of [true, false]) {
        for (const [name, text] of Object.entries(many(calls))) writeFileSync(path(name), text);
        await session.watched(
          ...Object.keys(many(calls)).map((name) => ({ uri: uri(name), type: FileChangeType.Changed as FileChangeType })),
        );
        await untilShown(session, uri('lib/store.js'), calls ? STORE_PLACES : []);
      }
    })();
  });

  it(
    'of what says which file an import means',
    inProject({ ...FILES, 'app.js': APP.replace('./lib/service', '@/service') }, {}, async (session, path, uri) => {
      await session.open(uri('lib/store.js'), STORE);
      await untilPulled(session, uri('lib/store.js'), []);
      await session.refreshed(() => {
        writeFileSync(path('tsconfig.json'), '{ "compilerOptions": { "paths": { "@/service": ["./lib/service.js"] } } }');
        return session.watched({ uri: uri('tsconfig.json'), type: FileChangeType.Created });
      });
      await untilPulled(session, uri('lib/store.js'), STORE_PLACES);
    }),
  );

  it(
    'of the configuration, which has everything read anew',
    inProject(FILES, {}, async (session, path, uri) => {
      await session.open(uri('lib/store.js'), STORE);
      await untilPulled(session, uri('lib/store.js'), STORE_PLACES);
      for (const [text, places] of [
        ['{ "ignores": ["app.js"] }', []],
        ['{}', STORE_PLACES],
      ] as const) {
        await session.refreshed(() => {
          writeFileSync(path('nodometer.config.json'), text);
          return session.watched({ uri: uri('nodometer.config.json'), type: FileChangeType.Changed });
        });
        await untilPulled(session, uri('lib/store.js'), places);
      }
    }),
  );
});

describe('nodometer.index.enable', () => {
  it(
    'false takes each file for itself, true the project',
    inProject(FILES, { settings: { index: { enable: false } } }, async (session, _, uri) => {
      await session.open(uri('lib/store.js'), STORE);
      await untilPulled(session, uri('lib/store.js'), []);
      await session.refreshed(() => session.configure({}));
      await untilPulled(session, uri('lib/store.js'), STORE_PLACES);
      await session.refreshed(() => session.configure({ index: { enable: false } }));
      await untilPulled(session, uri('lib/store.js'), []);
    }),
  );
});

describe('while the index is being built', () => {
  it('a file has the findings that it has by itself, and then those of the project', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const startIndex: NonNullable<StartOptions['deps']>['startIndex'] = (listen, died) => {
      const index = indexHere()(listen, died);
      return { post: (request) => void held.then(() => index.post(request)), stop: () => index.stop() };
    };
    const own = `${STORE}exports.list = (req, res) => res.json(fs.readdirSync('.'));\n`;
    await inProject({ ...FILES, 'lib/store.js': own }, { deps: { startIndex } }, async (session, _, uri) => {
      await session.open(uri('lib/store.js'), own);
      assert.deepEqual(await session.places(uri('lib/store.js')), ['5:39 no-sync-in-handler']);
      await session.refreshed(release);
      await untilPulled(session, uri('lib/store.js'), [...STORE_PLACES, '5:39 no-sync-in-handler']);
    })();
  });
});

describe('several folders', () => {
  it('have an index each, and the innermost counts', async () => {
    const one = folderWith({ ...FILES, 'inner/package.json': '{}', 'inner/store.js': STORE });
    const two = folderWith({ ...FILES, 'lib/service.js': QUIET_SERVICE });
    try {
      await withServer({ folders: [one.path, two.path, join(one.path, 'inner')] }, async (session) => {
        const uris = [join(one.path, 'lib/store.js'), join(two.path, 'lib/store.js'), join(one.path, 'inner/store.js')].map(uriOf);
        for (const uri of uris) await session.open(uri, STORE);
        await session.indexed();
        assert.deepEqual(await Promise.all(uris.map((uri) => session.places(uri))), [STORE_PLACES, [], []]);
        const service = uriOf(join(two.path, 'lib/service.js'));
        await session.open(service, QUIET_SERVICE);
        await session.refreshed(() => session.change(service, { text: SERVICE }));
        await session.indexed();
        assert.deepEqual(await Promise.all(uris.map((uri) => session.places(uri))), [STORE_PLACES, STORE_PLACES, []]);
      })();
    } finally {
      one.dispose();
      two.dispose();
    }
  });
});

describe(`${EDITS} edits over two files`, () => {
  it(
    'end in what the terminal says',
    inWorkspace(FILES, {}, async (session, path, uri) => {
      const names = ['lib/service.js', 'app.js'] as const;
      await session.open(uri('lib/service.js'), SERVICE);
      await session.open(uri('app.js'), APP);
      // A fixed sequence that looks like none.
      let seed = 7;
      const next = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
      const pieces = [
        '// x\n',
        dedent`
          function other() {
            return 1;
          }

        `,
        "app.get('/more', (req, res) => res.json(show('x')));\n",
        'const again = (id) => load(id);\n',
        'exports.also = (req, res) => res.json(load(req.url));\n',
        'if (',
        ' ',
      ];
      for (let i = 0; i < EDITS; i++) {
        const name = names[next(2)] ?? 'app.js';
        const lines = session.textOf(uri(name)).split('\n').length;
        const line = next(lines);
        const isRemoval = next(3) === 0;
        await session.change(uri(name), {
          range: { start: { line, character: 0 }, end: { line: isRemoval ? line + 1 : line, character: 0 } },
          text: isRemoval ? '' : (pieces[next(pieces.length)] ?? ''),
        });
        if (i % 40 === 0) await session.indexed();
      }
      // The last word is code again, with a way more than before.
      await session.change(uri('lib/service.js'), {
        text: dedent`
        // moved
        ${SERVICE}exports.also = (req, res) => res.json(load(req.url));

      `,
      });
      await session.change(uri('app.js'), {
        text: dedent`
          ${APP}
          const fs = require('node:fs');
          app.get('/now', (req, res) => res.json(fs.readdirSync('.')));

        `,
      });
      await session.indexed();
      for (const name of names) writeFileSync(path(name), session.textOf(uri(name)));
      const expected = await asLinted(dirname(path('app.js')));
      assert.equal(expected.length, 2);
      const all = () => ['app.js', 'lib/service.js', 'lib/store.js'].flatMap((name) => rows(path(name), shown(session, uri(name)))).sort();
      await session
        .until(`what the terminal says:\n${expected.join('\n')}`, () => all().join('\n') === expected.join('\n'))
        .catch((error: unknown) => assert.deepEqual(all(), expected, String(error)));
    }),
  );
});

describe('a thread of its own', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-index-')));
  let startIndex: ReturnType<typeof workerIndex>;
  before(async () => {
    await builtIn(join(work, 'dist'));
    startIndex = workerIndex(pathToFileURL(join(work, 'dist', 'index-thread.js')));
  });
  after(() => rmSync(work, { recursive: true, force: true }));

  it('that dies is started again; open files and others have their findings, and edits before its death count', async () => {
    const running: RunningIndex[] = [];
    const deps: StartOptions['deps'] = {
      startIndex: (listen, died) => {
        const index = startIndex(listen, died);
        running.push(index);
        return index;
      },
    };
    await inWorkspace({ ...FILES, 'second.js': STORE }, { deps }, async (session, path, uri) => {
      const [store, service] = [uri('lib/store.js'), uri('lib/service.js')];
      await untilShown(session, store, STORE_PLACES);
      await session.open(service, SERVICE);
      await session.change(service, { text: QUIET_SERVICE });
      await untilShown(session, store, []);
      // No request looks like this: what it does to the thread, any mistake of ours would do.
      running.at(-1)?.post(null as unknown as IndexRequest);
      // Told to a thread that is dying.
      await session.change(service, { text: SERVICE });
      await untilShown(session, store, STORE_PLACES);
      await session.until('another thread', () => running.length === 2);
      assert.ok(session.logs.some(({ message }) => message.includes('The project index ended')));
      running.at(-1)?.post(null as unknown as IndexRequest);
      writeFileSync(path('app.js'), 'module.exports = 1;\n');
      await session.watched({ uri: uri('app.js'), type: FileChangeType.Changed });
      await untilShown(session, store, []);
      await session.until('a third thread', () => running.length === 3);
    })();
  });

  it('that dies whenever it is started is given up: each file is taken for itself', async () => {
    let starts = 0;
    const deps: StartOptions['deps'] = {
      startIndex: (listen, died) => {
        starts++;
        return workerIndex(pathToFileURL(join(work, 'dist', 'none.js')))(listen, died);
      },
    };
    await inProject(FILES, { deps }, async (session, _, uri) => {
      const own = `${STORE}exports.list = (req, res) => res.json(fs.readdirSync('.'));\n`;
      await session.until(
        'three starts',
        () => session.logs.filter(({ message }) => message.includes('The project index ended')).length > 0 && starts === 3,
      );
      await session.open(uri('lib/store.js'), own);
      await untilPulled(session, uri('lib/store.js'), ['5:39 no-sync-in-handler']);
      assert.equal(starts, 3);
    })();
  });
});
