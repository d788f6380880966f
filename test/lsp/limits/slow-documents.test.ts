// Files that hold up the thread that answers the editor: a second session takes them over, and says of them what the first would have said.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import {
  createConnection,
  createProtocolConnection,
  PortMessageReader,
  PortMessageWriter,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { AnyRule } from '../../../analysis/rule.ts';
import { rules } from '../../../rules/index.ts';
import {
  FUNCTIONS_REQUEST,
  MEASURE_CHANGE_REQUEST,
  PROFILE_REQUEST,
  type FunctionsResult,
  type MeasureChangeResult,
  type ProfileResult,
} from '../../../protocol/editor.ts';
import type { ServerDeps } from '../../../server/deps.ts';
import { createServer } from '../../../server/server.ts';
import { FIRST_TURN_LIMIT_MS } from '../../../workspace/time-limit.ts';
import { builtIn } from '../../built.ts';
import { folderWith } from '../../cli/support.ts';
import { Client, depsForTests, SIMPLE_EDITOR, start, uriOf, type Session, type StartOptions } from '../harness.ts';

/** One of the rules takes so long for a text with this word that another session must. */
const SLOW_WORD = 'slowly';
const SPIN_MS = FIRST_TURN_LIMIT_MS + 100;
const ROUTES = `// ${SLOW_WORD}
const app = require('express')();
const { load } = require('./load');
const fs = require('node:fs');
app.get('/', (req, res) => res.end(load(req.query.name)));
app.get('/b', (req, res) => res.end(fs.readFileSync('b')));
// nodometer-disable-next-line no-deep-clone
app.get('/c', async (req, res) => res.end(fs.readFileSync('c')));
`;
/** Its function is found by the whole project only. */
const LOAD = `// ${SLOW_WORD}
const fs = require('node:fs');
exports.load = function load(name) {
  return fs.readFileSync(name, 'utf8');
};
`;
const FILES = { 'package.json': '{"dependencies":{"express":"^5.0.0"}}', 'routes.js': ROUTES, 'load.js': LOAD, 'quick.js': 'f();\n' };

function withSlowRule(of: readonly AnyRule[]): AnyRule[] {
  return of.map((rule, i): AnyRule => {
    const { create } = rule;
    if (!create || i > 0) return rule;
    return {
      ...rule,
      create(given) {
        if (given.source.text.includes(SLOW_WORD)) for (const end = performance.now() + SPIN_MS; performance.now() < end; );
        return create(given);
      },
    };
  });
}

/** The other session in this process. `ends`: has them end, as by a thread that has no memory left. */
function sessionHere(deps: Partial<ServerDeps>, ends: (() => void)[]): NonNullable<ServerDeps['startSlowSession']> {
  return (died) => {
    const { port1, port2 } = new MessageChannel();
    const connection = createConnection(ProposedFeatures.all, new PortMessageReader(port2), new PortMessageWriter(port2));
    const server = createServer(connection, depsForTests({ ...deps, startIndex: undefined, isSlowSession: true }));
    connection.listen();
    const stop = async () => {
      await server.dispose();
      connection.dispose();
      port1.close();
    };
    ends.push(() => {
      void stop();
      died(new Error('no memory left'));
    });
    return { reader: new PortMessageReader(port1), writer: new PortMessageWriter(port1), stop };
  };
}

/** As on a machine where nobody waits for a processor. */
const onTheWall: ServerDeps['startWork'] = () => {
  const start = performance.now();
  return () => ({ ms: performance.now() - start, waited: 0 });
};

async function withSlowDocuments(
  test: (session: Session, uris: Record<'routes' | 'load' | 'quick', string>, ends: (() => void)[]) => Promise<void>,
  options: StartOptions = {},
  isOwnSession = true,
): Promise<void> {
  const folder = folderWith(FILES);
  const ends: (() => void)[] = [];
  const deps: Partial<ServerDeps> = { rules: withSlowRule(rules) };
  const session = await start({
    folders: [folder.path],
    ...options,
    deps: { ...deps, startWork: onTheWall, ...options.deps, ...(isOwnSession && { startSlowSession: sessionHere(deps, ends) }) },
  });
  try {
    const uriIn = (name: string) => uriOf(join(folder.path, name));
    await test(session, { routes: uriIn('routes.js'), load: uriIn('load.js'), quick: uriIn('quick.js') }, ends);
  } finally {
    await session.dispose();
    folder.dispose();
  }
}

/** All that a client is told of a document. */
async function everythingOf(session: Session, uri: string): Promise<unknown> {
  const found = await session.diagnose(uri);
  await session.indexed();
  const again = await session.diagnose(uri);
  const actions = [];
  for (const { range } of again)
    for (const action of await session.actions(uri, range)) actions.push(action.data ? await session.resolve(action) : action);
  const comment = session.textOf(uri).indexOf('no-deep-clone');
  return {
    places: [found.length > 0, again],
    actions,
    hovers: await Promise.all([
      ...again.map(({ range }) => session.hover(uri, range.start)),
      comment === -1 ? null : session.hover(uri, session.rangeOf(uri, 'no-deep-clone').start),
    ]),
    lenses: await session.lenses(uri),
    links: await session.connection.sendRequest('textDocument/documentLink', { textDocument: { uri } }),
    fixAll: await session.fixAll(uri, 'suggestion'),
    state: session.statuses.get(uri)?.state,
  };
}

function withoutFolder(everything: unknown): unknown {
  return JSON.parse(JSON.stringify(everything).replace(/file:\/\/[^"#]*\/(?=[^/"#]+["#])|\/tmp\/[^"# ]*\//g, ''));
}

const startsOf = (session: Session) => session.logs.filter(({ message }) => message.includes('thread of its own')).length;

describe('a file that takes long', () => {
  it('has all that it has without a second session', async () => {
    const told: unknown[] = [];
    for (const isOwnSession of [false, true])
      await withSlowDocuments(
        async (session, { routes, load }) => {
          await session.open(routes, ROUTES);
          await session.open(load, LOAD);
          const all = [await everythingOf(session, routes), await everythingOf(session, load)];
          assert.equal(startsOf(session), isOwnSession ? 1 : 0);
          // Edits reach it, too.
          await session.replace(load, "fs.readFileSync(name, 'utf8')", "'a' + fs.readFileSync(name, 'utf8')");
          assert.deepEqual(await session.places(load), ['4:16 no-sync-in-handler']);
          await session.replace(load, "'a' + fs.readFileSync(name, 'utf8')", 'name');
          assert.deepEqual(await session.diagnose(load), []);
          told.push(withoutFolder(all));
        },
        {},
        isOwnSession,
      );
    const [alone, taken] = told as [{ places: [boolean, unknown[]]; actions: unknown[] }[], unknown];
    assert.deepEqual(
      alone.map(({ places: [, diagnostics] }) => diagnostics.length),
      [3, 1],
    );
    assert.ok(alone.every(({ actions }) => actions.length > 3));
    assert.deepEqual(taken, alone);
  });

  it('is pushed to clients that do not ask, and to none that has closed it', async () => {
    await withSlowDocuments(
      async (session, { routes }) => {
        await session.open(routes, ROUTES);
        await session.until('diagnostics', () =>
          session.published.some(({ uri, diagnostics }) => uri === routes && diagnostics.length === 3),
        );
        assert.equal(startsOf(session), 1);
        await session.replace(routes, "fs.readFileSync('b')", "'b'");
        await session.until('one less', () =>
          session.published.some(({ version, diagnostics }) => version === 2 && diagnostics.length === 2),
        );
        await session.close(routes);
        await session.until('none', () => session.published.at(-1)?.diagnostics.length === 0);
      },
      { capabilities: SIMPLE_EDITOR },
    );
  });

  it('is tried once more where other programs had the processor, and stays then', async () => {
    // It waited for a processor for five sixths of the time.
    const startWork: ServerDeps['startWork'] = () => () => ({ ms: 6 * FIRST_TURN_LIMIT_MS, waited: 5 * FIRST_TURN_LIMIT_MS });
    await withSlowDocuments(
      async (session, { routes }) => {
        await session.open(routes, ROUTES);
        assert.equal((await session.diagnose(routes)).length, 3);
        assert.equal(startsOf(session), 0);
      },
      { deps: { startWork } },
    );
  });

  it('leaves quick files where they are', async () => {
    await withSlowDocuments(
      async (session, { quick }) => {
        await session.open(quick, 'f();\n');
        await session.diagnose(quick);
        await session.lenses(quick);
        assert.equal(startsOf(session), 0);
      },
      { deps: { startWork: undefined } },
    );
  });

  it('has its functions run there, and everybody is told of it', async () => {
    const text = `// ${SLOW_WORD}\n/** @profile add(1, 2) */\nexports.add = function add(a, b) {\n  return a + b;\n};\n`;
    await withSlowDocuments(
      async (session, { load }) => {
        await session.open(load, text);
        const position = { line: 3, character: 3 };
        const { functions } = await session.connection.sendRequest<FunctionsResult>(FUNCTIONS_REQUEST, {
          textDocument: { uri: load },
          range: { start: position, end: { line: 3, character: 4 } },
        });
        assert.deepEqual(
          functions.map(({ name, line }) => [name, line]),
          [['exports.add', 3]],
        );
        const result = await session.connection.sendRequest<ProfileResult>(PROFILE_REQUEST, {
          textDocument: { uri: load },
          position,
          budgetMs: 500,
          nodePath: process.execPath,
          workDoneToken: 'run',
        });
        assert.ok(result.ok, result.ok ? '' : result.why);
        assert.deepEqual(result.report.target.calls, ['exports.add(1, 2)']);
        assert.equal(startsOf(session), 1);
        const kinds = session.progress.filter(({ token }) => token === 'run').map(({ value }) => value.kind);
        assert.deepEqual([kinds[0], kinds.at(-1)], ['begin', 'end']);
        assert.ok(kinds.includes('report'), kinds.join());
      },
      { options: { clientCommands: true, trusted: true } },
    );
  });

  it('is measured once where only its version at a commit is slow', async () => {
    await withSlowDocuments(
      async (session, { quick }) => {
        const git = (...args: string[]) =>
          execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: dirname(fileURLToPath(quick)) });
        writeFileSync(fileURLToPath(quick), `// ${SLOW_WORD}\nexports.add = function add() {\n  throw new Error('no');\n};\n`);
        git('init', '-q');
        git('add', '.');
        git('commit', '-q', '-m', 'before');
        const text = 'exports.add = function add() {\n  return [1].map((n) => n);\n};\n';
        writeFileSync(fileURLToPath(quick), text);
        await session.open(quick, text);
        const result = await session.connection.sendRequest<MeasureChangeResult>(MEASURE_CHANGE_REQUEST, {
          textDocument: { uri: quick },
          position: { line: 1, character: 4 },
          base: 'HEAD',
          calls: ['exports.add()'],
          nodePath: process.execPath,
          workDoneToken: 'change',
        });
        assert.ok(!result.ok);
        const kinds = session.progress.filter(({ token }) => token === 'change').map(({ value }) => value.kind);
        assert.deepEqual([kinds.filter((kind) => kind === 'begin').length, kinds.at(-1)], [1, 'end']);
        assert.equal(startsOf(session), 0);
      },
      { options: { clientCommands: true, trusted: true } },
    );
  });

  it('is answered again where the other thread has ended, and by this one where it keeps ending', async () => {
    await withSlowDocuments(async (session, { routes }, ends) => {
      await session.open(routes, ROUTES);
      for (let times = 0; times < 3; times++) {
        assert.equal((await session.diagnose(routes)).length, 3);
        // The second time it stays there.
        assert.equal((await session.lenses(routes)).length >= 0, true);
        assert.equal(ends.length, times + 1);
        ends[times]?.();
        await session.replace(routes, `// ${SLOW_WORD}`, `// ${SLOW_WORD}.`);
      }
      assert.equal((await session.diagnose(routes)).length, 3);
      assert.equal(ends.length, 3);
    });
  });
});

describe('a file that never comes to an end', () => {
  it('keeps nobody waiting for another file', async () => {
    const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-slow-')));
    const folder = folderWith({ ...FILES });
    await builtIn(join(work, 'dist'));
    const child = spawn(process.execPath, [join(work, 'dist', 'nodometer.js'), 'lsp', '--stdio'], { cwd: work, stdio: 'pipe' });
    const client = new Client(createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin)));
    try {
      client.connection.listen();
      await client.initialize({ folders: [folder.path], options: { clientCommands: true, trusted: true } });
      const [bomb, other, routes] = ['bomb.ts', 'other.ts', 'routes.js'].map((name) => uriOf(join(folder.path, name))) as [
        string,
        string,
        string,
      ];
      await client.open(routes, ROUTES);
      assert.equal((await client.diagnose(routes)).length, 3);
      // Babel doubles its work with each level: hours. Where it is parsed, nothing else is answered for 5 s.
      await client.open(bomb, '<T>(a={b:'.repeat(22), { languageId: 'typescript' });
      let isOver = false;
      const told = client.pull(bomb).finally(() => (isOver = true));
      let answered = 0;
      for (; !isOver; answered++) await assert.rejects(client.connection.sendRequest('nodometer/unknown'), /Unhandled method/);
      assert.ok(answered > 20, `${answered} answers`);
      assert.notEqual(await client.hover(routes, client.rangeOf(routes, 'fs.readFileSync').start), null);
      assert.deepEqual((await told).kind, 'full');
      assert.match(client.statuses.get(bomb)?.reason ?? '', /took too long \(more than 5 s\)/);

      await client.open(other, '<T>(a={b:'.repeat(22), { languageId: 'typescript' });
      isOver = false;
      const profiled = client.connection
        .sendRequest<ProfileResult>(PROFILE_REQUEST, {
          textDocument: { uri: other },
          position: { line: 0, character: 3 },
          budgetMs: 500,
          nodePath: process.execPath,
        })
        .finally(() => (isOver = true));
      for (answered = 0; !isOver; answered++) await assert.rejects(client.connection.sendRequest('nodometer/unknown'), /Unhandled method/);
      assert.ok(answered > 20, `${answered} answers while a profile is prepared`);
      const result = await profiled;
      assert.match(result.ok ? '' : result.why, /^other\.ts takes too long to analyze \(more than 5 s\)\.$/);
    } finally {
      const ended = once(child, 'exit');
      await client.connection.sendRequest('shutdown');
      await client.connection.sendNotification('exit');
      await ended;
      client.connection.dispose();
      folder.dispose();
      rmSync(work, { recursive: true, force: true });
    }
  });
});
