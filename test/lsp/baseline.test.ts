// What the editor shows of findings that the baseline knows, and how one is accepted.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DiagnosticSeverity, DiagnosticTag, FileChangeType, type CodeAction, type Diagnostic } from 'vscode-languageserver/node';
import { dedent } from '../../analysis/testing/dedent.ts';
import { ACCEPT_REQUEST, COMMANDS, type AcceptTarget } from '../../protocol/editor.ts';
import { rules } from '../../rules/index.ts';
import { folderWith, run } from '../cli/support.ts';
import { SIMPLE_EDITOR, uriOf, withServer, type Session, type StartOptions } from './harness.ts';

const APP = dedent`
  const app = require('express')();
  const fs = require('node:fs');
  app.get('/a', (req, res) => res.send(fs.readFileSync('a.html')));
  app.get('/b', (req, res) => res.send(fs.readFileSync('b.html')));

`;
const BASELINE = join('.nodometer', 'baseline.json');

type Work = (session: Session, folder: string, uri: string) => Promise<void>;

function inProject(options: StartOptions, work: Work): () => Promise<void> {
  return async () => {
    const folder = folderWith({ 'app.js': APP, 'package.json': '{}' });
    try {
      await withServer({ folders: [folder.path], ...options }, (session) =>
        work(session, folder.path, uriOf(join(folder.path, 'app.js'))),
      )();
    } finally {
      folder.dispose();
    }
  };
}

async function findingsOf(session: Session, uri: string): Promise<Diagnostic[]> {
  const report = (await session.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } })) as { items: Diagnostic[] };
  return report.items;
}

async function acceptActions(session: Session, uri: string, { range }: Diagnostic): Promise<CodeAction[]> {
  const actions = (await session.connection.sendRequest('textDocument/codeAction', {
    textDocument: { uri },
    range,
    context: { diagnostics: [] },
  })) as CodeAction[];
  return actions.filter(({ command }) => command?.command === COMMANDS.acceptFinding);
}

function targetOf(action: CodeAction | undefined): AcceptTarget {
  const [target] = (action?.command?.arguments ?? []) as AcceptTarget[];
  assert.ok(target);
  return target;
}

const isFaded = ({ tags }: Diagnostic): boolean => tags?.includes(DiagnosticTag.Unnecessary) === true;

function entriesIn(folder: string): { code: string; reason?: string; date: string; routes: string[] }[] {
  return (JSON.parse(readFileSync(join(folder, BASELINE), 'utf8')) as { findings: { code: string; date: string; routes: string[] }[] })
    .findings;
}

describe('findings that the baseline knows', () => {
  it(
    'are faded, and say since when and why',
    inProject({}, async (session, folder, uri) => {
      await run(['lint', '--update-baseline', '--baseline-reason', 'old code'], { cwd: folder, rules });
      const { findings } = JSON.parse(readFileSync(join(folder, BASELINE), 'utf8')) as { findings: { code: string }[] };
      writeFileSync(
        join(folder, BASELINE),
        JSON.stringify({ version: 1, findings: findings.filter(({ code }) => code.includes('a.html')) }),
      );
      await session.open(uri, APP);
      const [a, b, ...more] = await findingsOf(session, uri);
      assert.ok(a && b);
      assert.equal(more.length, 0);
      assert.deepEqual([isFaded(a), isFaded(b)], [true, false]);
      assert.equal(a.severity, DiagnosticSeverity.Warning);
      assert.match(String(a.message), /\nAccepted on \d{4}-\d\d-\d\d: old code$/);
      assert.doesNotMatch(String(b.message), /Accepted/);
      // Moved and formatted, and for a moment not to be parsed.
      await session.replace(uri, "require('node:fs');", "require('node:fs');\n\n");
      await session.replace(
        uri,
        "fs.readFileSync('a.html')",
        dedent`
        fs.readFileSync(
            "a.html"
          )
      `,
      );
      assert.deepEqual((await findingsOf(session, uri)).map(isFaded), [true, false]);
      await session.replace(uri, 'const fs =', '{ const fs =');
      assert.deepEqual((await findingsOf(session, uri)).map(isFaded), [true, false]);
      await session.replace(uri, '{ const fs =', 'const fs =');
      await session.replace(uri, 'a.html', 'other.html');
      await session.indexed();
      assert.deepEqual((await findingsOf(session, uri)).map(isFaded), [false, false]);
    }),
  );

  for (const [value, shown] of [
    ['hint', { severity: DiagnosticSeverity.Hint, faded: false }],
    ['show', { severity: DiagnosticSeverity.Warning, faded: false }],
  ] as const)
    it(
      `are shown as the setting says: ${value}`,
      inProject({ settings: { baseline: value } }, async (session, folder, uri) => {
        await run(['lint', '--update-baseline'], { cwd: folder, rules });
        await session.open(uri, APP);
        const all = await findingsOf(session, uri);
        assert.equal(all.length, 2);
        for (const one of all) assert.deepEqual({ severity: one.severity, faded: isFaded(one) }, shown);
      }),
    );

  it(
    'are hints where a client cannot fade',
    inProject({ capabilities: SIMPLE_EDITOR }, async (session, folder, uri) => {
      await run(['lint', '--update-baseline'], { cwd: folder, rules });
      await session.open(uri, APP);
      await session.until('findings', () => session.published.some(({ diagnostics }) => diagnostics.length === 2));
      const { diagnostics } = session.published.findLast(({ diagnostics: all }) => all.length === 2) ?? { diagnostics: [] };
      assert.deepEqual(
        diagnostics.map(({ severity }) => severity),
        [DiagnosticSeverity.Hint, DiagnosticSeverity.Hint],
      );
    }),
  );

  it(
    'are new again when the file of the baseline changes, and a damaged one hides nothing',
    inProject({}, async (session, folder, uri) => {
      await session.open(uri, APP);
      const faded = async () => (await findingsOf(session, uri)).map(isFaded);
      const changed = (type: FileChangeType) => session.refreshed(() => session.watched({ uri: uriOf(join(folder, BASELINE)), type }));
      assert.deepEqual(await faded(), [false, false]);
      await run(['lint', '--update-baseline'], { cwd: folder, rules });
      await changed(FileChangeType.Created);
      assert.deepEqual(await faded(), [true, true]);
      writeFileSync(join(folder, BASELINE), '{"version":1,"findings":[');
      await changed(FileChangeType.Changed);
      assert.deepEqual(await faded(), [false, false]);
      rmSync(join(folder, BASELINE));
      await changed(FileChangeType.Deleted);
      assert.deepEqual(await faded(), [false, false]);
    }),
  );
});

describe('accepting a finding', () => {
  it(
    'writes what the terminal knows, with a reason',
    inProject({ options: { clientCommands: true } }, async (session, folder, uri) => {
      await session.open(uri, APP);
      await session.indexed();
      const [a] = await findingsOf(session, uri);
      assert.ok(a);
      const [action, ...more] = await acceptActions(session, uri, a);
      assert.equal(more.length, 0);
      assert.equal(action?.title, 'Accept for now…');
      const target = targetOf(action);
      assert.equal(await session.connection.sendRequest(ACCEPT_REQUEST, { ...target, reason: '  until June ' }), true);
      const [entry, ...others] = entriesIn(folder);
      assert.equal(others.length, 0);
      assert.equal(entry?.reason, 'until June');
      assert.deepEqual(entry?.routes, ['GET /a']);
      assert.match(entry?.date ?? '', /^\d{4}-\d\d-\d\d$/);
      const { out } = await run(['lint', '--baseline', '--format', 'json'], { cwd: folder, rules });
      assert.deepEqual(
        (JSON.parse(out) as { route: string }[]).map(({ route }) => route),
        ['GET /b'],
      );
      const now = await findingsOf(session, uri);
      assert.deepEqual(now.map(isFaded), [true, false]);
      assert.deepEqual(await acceptActions(session, uri, now[0] as Diagnostic), []);
      // Once more, as from a menu that was still open.
      assert.equal(await session.connection.sendRequest(ACCEPT_REQUEST, target), true);
      assert.equal(entriesIn(folder).length, 1);
    }),
  );

  it(
    'works without a reason for clients that run commands on the server',
    inProject({ options: {} }, async (session, folder, uri) => {
      await session.open(uri, APP);
      const [, b] = await findingsOf(session, uri);
      assert.ok(b);
      const [action] = await acceptActions(session, uri, b);
      assert.equal(action?.title, 'Accept for now');
      await session.connection.sendRequest('workspace/executeCommand', action?.command);
      assert.deepEqual(
        entriesIn(folder).map(({ code, reason }) => [code.includes('b.html'), reason]),
        [[true, undefined]],
      );
    }),
  );

  it(
    'changes nothing for another version of the text, and never a damaged baseline',
    inProject({ options: { clientCommands: true } }, async (session, folder, uri) => {
      await session.open(uri, APP);
      const [a] = await findingsOf(session, uri);
      assert.ok(a);
      const [action] = await acceptActions(session, uri, a);
      const target = targetOf(action);
      await session.replace(uri, 'a.html', 'c.html');
      assert.equal(await session.connection.sendRequest(ACCEPT_REQUEST, target), false);
      mkdirSync(join(folder, '.nodometer'));
      writeFileSync(join(folder, BASELINE), '<<<<<<< ours');
      const now = { ...target, version: session.versionOf(uri) };
      assert.equal(await session.connection.sendRequest(ACCEPT_REQUEST, now), false);
      assert.equal(readFileSync(join(folder, BASELINE), 'utf8'), '<<<<<<< ours');
      assert.match(session.messages.at(-1)?.message ?? '', /damaged/);
      session.takeErrors();
    }),
  );
});
