// Runs over the whole workspace: what they report and how, with real worker threads and without.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  CancellationTokenSource,
  FileChangeType,
  MessageType,
  ProgressType,
  type Diagnostic,
  type WorkspaceDiagnosticReport,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver/node';
import { COMMANDS, LINT_WORKSPACE_REQUEST, type LintWorkspaceResult } from '../../../protocol/editor.ts';
import { workerJobs } from '../../../server/workers/worker-jobs.ts';
import { builtIn } from '../../built.ts';
import { folderWith } from '../../cli/support.ts';
import { jobHere, placesOf, SIMPLE_EDITOR, uriOf, withServer, type Session, type StartOptions } from '../harness.ts';
import { HANDLER, HANDLER_PLACES } from '../texts.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

/** More than two threads read between two words of progress, three times over. */
const MANY = 240;
const STATEMENT = 'function f(a) { return a.map((b) => b + 1).filter(Boolean); }\n';

function inFolder(
  files: Readonly<Record<string, string>>,
  options: StartOptions,
  test: (session: Session, path: (name: string) => string) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const folder = folderWith({ 'package.json': '{}', ...files });
    try {
      await withServer({ folders: [folder.path], ...options }, (session) => test(session, (name) => join(folder.path, name)))();
    } finally {
      folder.dispose();
    }
  };
}

/** A long poll for what is known of files that are not open. */
class WorkspacePull {
  readonly #session: Session;
  readonly #cancellation = new CancellationTokenSource();
  readonly request: Promise<WorkspaceDiagnosticReport>;
  readonly items: WorkspaceDocumentDiagnosticReport[] = [];
  isAnswered = false;

  constructor(session: Session, previousResultIds: { uri: string; value: string }[] = [], partialResultToken?: string) {
    this.#session = session;
    if (partialResultToken !== undefined) {
      session.connection.onProgress(
        new ProgressType<WorkspaceDiagnosticReport>(),
        partialResultToken,
        ({ items }) => void this.items.push(...items),
      );
    }
    this.request = session.connection.sendRequest<WorkspaceDiagnosticReport>(
      'workspace/diagnostic',
      { previousResultIds, partialResultToken },
      this.#cancellation.token,
    );
    void this.request.then(({ items }) => {
      this.items.push(...items);
      this.isAnswered = true;
    });
  }

  async end(): Promise<void> {
    this.#cancellation.cancel();
    await this.request;
  }

  /** Places by URI; later reports stand for earlier ones. */
  get places(): Record<string, string[]> {
    return Object.fromEntries(
      this.items.flatMap((item): [string, string[]][] => (item.kind === 'full' ? [[item.uri, placesOf(item.items)]] : [])),
    );
  }

  get resultIds(): { uri: string; value: string }[] {
    return this.items.flatMap(({ uri, resultId }) => (resultId === undefined ? [] : [{ uri, value: resultId }]));
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    for (let i = 0; i < 10_000 && !holds(); i++) await this.#session.hover('file:///nowhere/none.js', { line: 0, character: 0 });
    assert.ok(holds(), `${what}: ${JSON.stringify(this.places)}`);
  }
}

describe('lintWorkspace', () => {
  it(
    'counts, tells progress, and knows what it found',
    inFolder({ 'a.js': HANDLER, 'b/c.js': HANDLER, 'ok.js': 'ok();\n' }, {}, async (session, path) => {
      const workDoneToken = 'work';
      assert.deepEqual(await session.lintWorkspace({ workDoneToken }), {
        files: 4,
        findings: 2,
        errors: 0,
        warnings: 2,
        hints: 0,
        cancelled: false,
      });
      const told = session.progress.filter(({ token }) => token === workDoneToken).map(({ value }) => value.kind);
      assert.deepEqual([told[0], told.at(-1)], ['begin', 'end']);
      assert.ok(told.includes('report'));
      const pull = new WorkspacePull(session);
      await pull.request;
      assert.deepEqual(pull.places, { [uriOf(path('a.js'))]: HANDLER_PLACES, [uriOf(path('b/c.js'))]: HANDLER_PLACES });
    }),
  );

  it('of some folders leaves what is known of the others', async () => {
    const one = folderWith({ 'a.js': HANDLER });
    const two = folderWith({ 'b.js': HANDLER });
    try {
      await withServer({ folders: [one.path, two.path] }, async (session) => {
        assert.equal((await session.lintWorkspace()).findings, 2);
        writeFileSync(join(one.path, 'a.js'), 'ok();\n');
        assert.deepEqual(await session.lintWorkspace({ folders: [uriOf(one.path)] }), {
          files: 1,
          findings: 0,
          errors: 0,
          warnings: 0,
          hints: 0,
          cancelled: false,
        });
        const pull = new WorkspacePull(session);
        await pull.request;
        assert.deepEqual(
          Object.entries(pull.places).filter(([, places]) => places.length > 0),
          [[uriOf(join(two.path, 'b.js')), HANDLER_PLACES]],
        );
        assert.equal((await session.lintWorkspace({ folders: ['file:///elsewhere'] })).files, 0);
      })();
    } finally {
      one.dispose();
      two.dispose();
    }
  });

  it(
    'is not taken back by an index that has read a file before it changed',
    inFolder({ 'a.js': HANDLER, 'b.js': HANDLER, 'c.js': 'ok();\n', 'd.js': HANDLER }, {}, async (session, path) => {
      // No client tells of these.
      writeFileSync(path('a.js'), 'ok();\n');
      writeFileSync(path('c.js'), HANDLER);
      rmSync(path('d.js'));
      assert.equal((await session.lintWorkspace()).findings, 2);
      await session.indexed();
      const pull = new WorkspacePull(session);
      await pull.request;
      assert.deepEqual(
        Object.entries(pull.places).filter(([, places]) => places.length > 0),
        ['b.js', 'c.js'].map((name) => [uriOf(path(name)), HANDLER_PLACES]),
      );
    }),
  );

  it('asked for again while it runs: only the newest goes on, and its result is that of all', async () => {
    const going = new Set<object>();
    let begun = 0;
    await inFolder(
      { 'a.js': HANDLER },
      {
        deps: {
          startLintJob: (job, listen, died) => {
            begun++;
            going.add(job);
            const running = jobHere()(job, listen, died);
            return {
              async stop() {
                await running.stop();
                going.delete(job);
              },
            };
          },
        },
      },
      async (session) => {
        const results = await Promise.all([session.lintWorkspace(), session.lintWorkspace(), session.lintWorkspace()]);
        assert.deepEqual(
          results.map(({ cancelled, findings }) => [cancelled, findings]),
          [
            [false, 1],
            [false, 1],
            [false, 1],
          ],
        );
        const cancellation = new CancellationTokenSource();
        const first = session.connection.sendRequest<LintWorkspaceResult>(LINT_WORKSPACE_REQUEST, {}, cancellation.token);
        const second = session.lintWorkspace();
        cancellation.cancel();
        assert.deepEqual(
          [
            await first.then(
              ({ cancelled }) => cancelled,
              () => true,
            ),
            (await second).findings,
          ],
          [true, 1],
        );
      },
    )();
    assert.ok(begun >= 2);
    assert.equal(going.size, 0, 'no job is left running');
  });

  it('whose job dies is answered with an error, and the next one works', async () => {
    let dies = true;
    await inFolder(
      { 'a.js': HANDLER },
      {
        deps: {
          startLintJob: (job, listen, died) => {
            if (!dies) return jobHere()(job, listen, died);
            setImmediate(() => died(new Error('out of memory')));
            return { stop: async () => undefined };
          },
        },
      },
      async (session) => {
        await assert.rejects(session.lintWorkspace(), /Linting the workspace failed: out of memory/);
        assert.equal(session.takeErrors().length, 1);
        dies = false;
        assert.equal((await session.lintWorkspace()).findings, 1);
      },
    )();
  });

  it(
    'by command',
    inFolder({ 'a.js': HANDLER }, { options: {} }, async (session, path) => {
      await session.connection.sendRequest('workspace/executeCommand', { command: COMMANDS.lintWorkspace });
      await session.until('the result', () => session.messages.length > 0);
      assert.deepEqual(session.messages, [{ type: MessageType.Info, message: 'Nodometer: 1 finding in 2 files.' }]);
      await session.connection.sendRequest('workspace/executeCommand', {
        command: COMMANDS.openRuleDocumentation,
        arguments: ['no-sync-in-handler'],
      });
      assert.match(session.shown[0] ?? '', /^file:.*no-sync-in-handler/);
      const text = dedent`
        function f() {
          // nodometer-disable-next-line
          ok();
        }

      `;
      await session.open(uriOf(path('a.js')), text);
      await session.connection.sendRequest('workspace/executeCommand', { command: COMMANDS.fixFile, arguments: [uriOf(path('a.js'))] });
      assert.equal(session.edits.length, 1);
    }),
  );
});

describe('workspace/diagnostic', () => {
  it(
    'tells what is found while it is asked, then what changes, in parts',
    inFolder({ 'a.js': HANDLER, 'b.js': HANDLER, 'c.js': 'ok();\n' }, {}, async (session, path) => {
      const pull = new WorkspacePull(session, [], 'parts');
      const { findings } = await session.lintWorkspace();
      assert.equal(findings, 2);
      await pull.request;
      assert.deepEqual(pull.places, { [uriOf(path('a.js'))]: HANDLER_PLACES, [uriOf(path('b.js'))]: HANDLER_PLACES });
      // What the client knows already is not sent again; the request waits.
      const next = new WorkspacePull(session, pull.resultIds, 'more parts');
      writeFileSync(path('b.js'), 'ok();\n');
      writeFileSync(path('c.js'), HANDLER);
      await session.watched(
        ...['b.js', 'c.js'].map((name) => ({ uri: uriOf(path(name)), type: FileChangeType.Changed as FileChangeType })),
      );
      await next.until('the changes', () => Object.keys(next.places).length === 2);
      assert.deepEqual(next.places, { [uriOf(path('b.js'))]: [], [uriOf(path('c.js'))]: HANDLER_PLACES });
      assert.equal(next.isAnswered, false);
      await next.end();
    }),
  );

  it(
    'without parts is answered as soon as there is something to tell',
    inFolder({ 'a.js': HANDLER }, {}, async (session, path) => {
      const pull = new WorkspacePull(session);
      await session.lintWorkspace();
      await pull.request;
      assert.deepEqual(pull.places, { [uriOf(path('a.js'))]: HANDLER_PLACES });
      const same = new WorkspacePull(session, pull.resultIds);
      const again = await session.lintWorkspace();
      assert.equal(again.findings, 1);
      await same.request;
      assert.deepEqual(same.items, [], 'nothing has changed');
    }),
  );

  it(
    'leaves open documents to themselves',
    inFolder({ 'a.js': HANDLER }, {}, async (session, path) => {
      const uri = uriOf(path('a.js'));
      const pull = new WorkspacePull(session, [], 'parts');
      await session.open(uri, 'ok();\n');
      await session.lintWorkspace();
      await pull.request;
      assert.deepEqual(pull.items, []);
      const next = new WorkspacePull(session, [], 'more');
      await session.close(uri);
      await next.until('the file on disk', () => uri in next.places);
      assert.deepEqual(next.places, { [uri]: HANDLER_PLACES });
      await next.end();
    }),
  );
});

describe('nodometer.lintScope', () => {
  it(
    'workspace lints all files at the start; openFiles takes that back',
    inFolder({ 'a.js': HANDLER }, { settings: { lintScope: 'workspace' } }, async (session, path) => {
      const pull = new WorkspacePull(session, [], 'parts');
      await pull.until('the findings', () => Object.keys(pull.places).length === 1);
      assert.deepEqual(pull.places, { [uriOf(path('a.js'))]: HANDLER_PLACES });
      assert.ok(session.progress.some(({ value }) => value.kind === 'begin'));
      const next = new WorkspacePull(session, pull.resultIds, 'more');
      // A configuration changes: all is linted anew.
      writeFileSync(path('nodometer.config.json'), '{ "rules": { "no-sync-in-handler": "off" } }');
      await session.watched({ uri: uriOf(path('nodometer.config.json')), type: FileChangeType.Created });
      await next.until('the new findings', () => Object.keys(next.places).length === 1);
      assert.deepEqual(next.places, { [uriOf(path('a.js'))]: [] });
      await session.until('the end of both runs', () => session.progress.filter(({ value }) => value.kind === 'end').length >= 2);
      writeFileSync(path('nodometer.config.json'), '{}');
      const last = new WorkspacePull(session, next.resultIds, 'last');
      await session.watched({ uri: uriOf(path('nodometer.config.json')), type: FileChangeType.Changed });
      await last.until('the findings again', () => last.places[uriOf(path('a.js'))]?.length === 1);
      const end = new WorkspacePull(session, last.resultIds, 'end');
      await session.configure({ lintScope: 'openFiles' });
      await end.until('that nothing is known', () => end.places[uriOf(path('a.js'))]?.length === 0);
      await end.end();
      await last.end();
    }),
  );
});

describe('a client that is sent its diagnostics', () => {
  const latest = (session: Session, uri: string): Diagnostic[] | undefined =>
    session.published.filter((one) => one.uri === uri).at(-1)?.diagnostics;

  it(
    'gets them with the version they are about, and none once the document is closed',
    withServer({ capabilities: SIMPLE_EDITOR }, async (session) => {
      const uri = 'file:///nowhere/a.js';
      await session.open(uri, HANDLER, { version: 7 });
      await session.until('diagnostics', () => session.published.length > 0);
      assert.deepEqual(
        session.published.map(({ version, diagnostics }) => [version, placesOf(diagnostics)]),
        [[7, HANDLER_PLACES]],
      );
      for (let i = 0; i < 20; i++)
        await session.change(uri, { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' });
      await session.until('the last version', () => session.published.at(-1)?.version === 27);
      assert.deepEqual(placesOf(latest(session, uri) ?? []), ['23:58 no-sync-in-handler']);
      assert.ok(session.published.length <= 4, 'edits that come together are linted together');
      await session.close(uri);
      await session.until('the end', () => session.published.at(-1)?.version === undefined);
      assert.deepEqual(latest(session, uri), []);
      const count = session.published.length;
      await session.hover(uri, { line: 0, character: 0 });
      await session.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
      await session.open('file:///nowhere/b.js', HANDLER);
      await session.until('the other', () => session.published.length > count);
      assert.ok(
        session.published.slice(count).every((one) => one.uri === 'file:///nowhere/b.js'),
        'a closed document is not heard of again',
      );
    }),
  );

  it(
    'hears of settings that change',
    withServer({ capabilities: SIMPLE_EDITOR }, async (session) => {
      const uri = 'file:///nowhere/a.js';
      await session.open(uri, HANDLER);
      await session.until('diagnostics', () => latest(session, uri)?.length === 1);
      await session.connection.sendNotification('workspace/didChangeConfiguration', {
        settings: { nodometer: { rules: { 'no-sync-in-handler': 'off' } } },
      });
      await session.until('none', () => latest(session, uri)?.length === 0);
    }),
  );

  it(
    'gets those of the whole workspace, and hears when they are gone',
    inFolder({ 'a.js': HANDLER, 'b.js': HANDLER, 'c.js': HANDLER }, { capabilities: SIMPLE_EDITOR }, async (session, path) => {
      const uris = ['a.js', 'b.js', 'c.js'].map((name) => uriOf(path(name)));
      const [a = '', b = '', c = ''] = uris;
      await session.lintWorkspace();
      await session.until('all', () => uris.every((uri) => latest(session, uri)?.length === 1));
      writeFileSync(path('a.js'), 'ok();\n');
      await session.lintWorkspace();
      await session.until('that a has none', () => latest(session, a)?.length === 0);
      writeFileSync(path('b.js'), 'ok();\n');
      rmSync(path('c.js'));
      await session.watched({ uri: b, type: FileChangeType.Changed }, { uri: c, type: FileChangeType.Deleted });
      await session.until('that b and c have none', () => latest(session, b)?.length === 0 && latest(session, c)?.length === 0);
      // A folder that is moved: clients tell of it alone.
      const [old = '', moved = ''] = ['before/d.js', 'after/d.js'].map((name) => uriOf(path(name)));
      mkdirSync(path('before'));
      writeFileSync(path('before/d.js'), HANDLER);
      await session.watched({ uri: uriOf(path('before')), type: FileChangeType.Created });
      await session.until('what lies in a folder that is new', () => latest(session, old)?.length === 1);
      renameSync(path('before'), path('after'));
      await session.watched(
        { uri: uriOf(path('before')), type: FileChangeType.Deleted },
        { uri: uriOf(path('after')), type: FileChangeType.Created },
      );
      await session.until(
        'what lies in it at its new place, and nothing at the old one',
        () => latest(session, moved)?.length === 1 && latest(session, old)?.length === 0,
      );
      // Edited but not saved, then closed: what is on disk counts again.
      await session.open(b, HANDLER);
      await session.until('b as it is open', () => latest(session, b)?.length === 1);
      await session.close(b);
      await session.until('b as it is on disk', () => latest(session, b)?.length === 0);
    }),
  );
});

describe('worker threads', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-worker-')));
  let startLintJob: ReturnType<typeof workerJobs>;
  before(async () => {
    await builtIn(join(work, 'dist'));
    startLintJob = workerJobs(pathToFileURL(join(work, 'dist', 'lint-worker.js')));
  });
  after(() => rmSync(work, { recursive: true, force: true }));

  const files = { 'a.js': HANDLER, ...Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`many/f${i}.js`, STATEMENT.repeat(60)])) };
  const threads = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const inWorkers = (test: (session: Session, path: (name: string) => string) => Promise<void>) => () =>
    inFolder(files, { deps: { startLintJob } }, test)();

  it(
    'find what this thread finds, and are gone afterwards',
    inWorkers(async (session, path) => {
      const before_ = threads();
      const run = session.lintWorkspace({ workDoneToken: 'x' });
      await session.until('progress', () => session.progress.length > 0);
      assert.ok(threads() > before_, 'there are threads while it runs');
      assert.deepEqual(await run, { files: MANY + 2, findings: 1, errors: 0, warnings: 1, hints: 0, cancelled: false });
      assert.equal(threads(), before_);
      const pull = new WorkspacePull(session);
      await pull.request;
      assert.deepEqual(pull.places, { [uriOf(path('a.js'))]: HANDLER_PLACES });
    }),
  );

  it(
    'are gone as soon as the run is cancelled',
    inWorkers(async (session) => {
      const before_ = threads();
      const cancellation = new CancellationTokenSource();
      const run = session.connection.sendRequest<LintWorkspaceResult>(LINT_WORKSPACE_REQUEST, { workDoneToken: 'x' }, cancellation.token);
      await session.until('progress', () => session.progress.some(({ value }) => value.kind === 'report'));
      cancellation.cancel();
      const { cancelled, files: read } = await run;
      assert.deepEqual([cancelled, read], [true, 0]);
      assert.equal(threads(), before_);
      assert.deepEqual(session.progress.at(-1)?.value.kind, 'end');
    }),
  );

  it(
    'are gone when a run that nobody asked for is cancelled by its progress bar',
    inWorkers(async (session) => {
      const before_ = threads();
      await session.configure({ lintScope: 'workspace' });
      await session.until('progress', () => session.progress.some(({ value }) => value.kind === 'report'));
      const { token } = session.progress.at(-1) ?? {};
      await session.connection.sendNotification('window/workDoneProgress/cancel', { token });
      await session.until('the end', () => session.progress.some((one) => one.token === token && one.value.kind === 'end'));
      assert.equal(threads(), before_);
      assert.ok(!session.logs.some(({ message }) => message.startsWith('Linted ')));
    }),
  );

  it(
    'are gone when the server is shut down during a run',
    inWorkers(async (session) => {
      const before_ = threads();
      const run = session.lintWorkspace({ workDoneToken: 'x' });
      await session.until('progress', () => session.progress.some(({ value }) => value.kind === 'report'));
      await session.connection.sendRequest('shutdown');
      assert.equal((await run).cancelled, true);
      assert.equal(threads(), before_);
      assert.equal((await session.lintWorkspace()).cancelled, true, 'there are no runs after the end');
    }),
  );

  it(
    'leave this thread to the user: edits are answered while they run',
    inWorkers(async (session) => {
      const uri = 'file:///nowhere/typed.js';
      await session.open(uri, HANDLER);
      assert.deepEqual(await session.places(uri), HANDLER_PLACES);
      let isRunning = true;
      const run = session.lintWorkspace({ workDoneToken: 'x' }).finally(() => (isRunning = false));
      await session.until('progress', () => session.progress.some(({ value }) => value.kind === 'report'));
      // Counted, not timed: how fast they are answered is the bench's subject.
      let answered = 0;
      while (isRunning) {
        await session.change(uri, { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' });
        assert.deepEqual(await session.places(uri), [`${4 + answered}:58 no-sync-in-handler`]);
        if (isRunning) answered++;
        else break;
      }
      assert.equal((await run).cancelled, false);
      assert.ok(answered >= 5, `${answered} edits were answered`);
    }),
  );
});
