// Messages of the protocol, sound and injured, to one server: each request is answered, and the server goes on working.
import { setTimeout as delay } from 'node:timers/promises';
import { CancellationTokenSource, ResponseError } from 'vscode-languageserver/node';
import { FIX_ALL_REQUEST, LINT_WORKSPACE_REQUEST } from '../../../protocol/editor.ts';
import { folderWith } from '../../cli/support.ts';
import { start, uriOf, type Session } from '../../lsp/harness.ts';
import { HANDLER, HANDLER_PLACES } from '../../lsp/texts.ts';
import type { OddCase } from '../child.ts';
import type { Random } from '../random.ts';
import { injured, injuredValue } from './injured.ts';

/** In ms; a request that takes longer is unanswered. */
const LATE_MS = 60_000;
const MESSAGES = 12;

interface Server {
  session: Session;
  folder: ReturnType<typeof folderWith>;
}

let server: Promise<Server> | undefined;

function started(): Promise<Server> {
  server ??= (async () => {
    const folder = folderWith({
      'package.json': '{"dependencies":{"express":"5"}}',
      'app.js': HANDLER,
      Dockerfile: 'FROM node\nCMD node app.js\n',
    });
    return { folder, session: await start({ folders: [folder.path] }) };
  })();
  return server;
}

export async function endMessages(): Promise<void> {
  if (!server) return;
  const { session, folder } = await server;
  session.takeErrors();
  await session.dispose();
  folder.dispose();
}

const POSITION = { line: 3, character: 12 };
const RANGE = { start: POSITION, end: { line: 4, character: 0 } };

function requests(uri: string): readonly (readonly [method: string, params: unknown])[] {
  const textDocument = { uri };
  return [
    ['textDocument/diagnostic', { textDocument, identifier: 'nodometer', previousResultId: 'x' }],
    ['textDocument/codeAction', { textDocument, range: RANGE, context: { diagnostics: [], only: ['quickfix'], triggerKind: 1 } }],
    ['codeAction/resolve', { title: 'x', data: { uri, version: 1, id: 'x' } }],
    ['textDocument/hover', { textDocument, position: POSITION }],
    ['textDocument/codeLens', { textDocument }],
    ['textDocument/documentLink', { textDocument }],
    ['workspace/executeCommand', { command: 'nodometer.fixFile', arguments: [uri] }],
    ['workspace/diagnostic', { previousResultIds: [{ uri, value: 'x' }] }],
    [FIX_ALL_REQUEST, { textDocument: { uri, version: 1 }, kind: 'safe', ruleId: 'no-sync-in-handler' }],
    [LINT_WORKSPACE_REQUEST, { workDoneToken: 1 }],
  ];
}

function notifications(uri: string): readonly (readonly [method: string, params: unknown])[] {
  return [
    ['textDocument/didOpen', { textDocument: { uri, languageId: 'javascript', version: 1, text: HANDLER } }],
    ['textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ range: RANGE, text: 'x' }, { text: HANDLER }] }],
    ['textDocument/didSave', { textDocument: { uri } }],
    ['textDocument/didClose', { textDocument: { uri } }],
    ['workspace/didChangeConfiguration', { settings: { nodometer: { enable: true } } }],
    ['workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] }],
    ['$/cancelRequest', { id: 4 }],
    ['window/workDoneProgress/cancel', { token: 1 }],
  ];
}

export function messageCase(name: string, random: Random): OddCase {
  const picks = Array.from({ length: MESSAGES }, () => ({ isRequest: random.chance(0.5), at: random.next(), isSound: random.chance(0.3) }));
  const text = injured(random, HANDLER);
  return {
    name,
    work: async () => {
      const { session, folder } = await started();
      const complaints: string[] = [];
      const uri = uriOf(`${folder.path}/${random.pick(['app.js', 'a/b.ts', 'Dockerfile', 'package.json'])}`);
      const answers: Promise<void>[] = [];
      const waiting: Promise<void>[] = [];
      const sent: string[] = [];
      const end = new CancellationTokenSource();
      for (const { isRequest, at, isSound } of picks) {
        const list = isRequest ? requests(uri) : notifications(uri);
        const [method, sound] = list[Math.floor(at * list.length)] ?? ['', undefined];
        const changed = isSound ? sound : injuredValue(random, sound);
        const params = typeof changed === 'object' ? changed : { textDocument: { uri, languageId: 'javascript', version: 9, text } };
        sent.push(`${method} ${JSON.stringify(params)?.slice(0, 200)}`);
        if (!isRequest) await session.connection.sendNotification(method, params);
        // A client that knows all there is to know of the workspace waits for news, as the protocol has it.
        else
          (method === 'workspace/diagnostic' ? waiting : answers).push(
            session.connection.sendRequest(method, params, end.token).then(
              () => undefined,
              (error: unknown) => (error instanceof ResponseError ? undefined : void complaints.push(`${method}: ${String(error)}`)),
            ),
          );
      }
      const late = delay(LATE_MS, 'late', { ref: false });
      const alive = setInterval(() => {}, LATE_MS);
      if ((await Promise.race([Promise.all(answers), late])) === 'late') complaints.push(`unanswered: ${sent.join('; ')}`);
      end.cancel();
      if ((await Promise.race([Promise.all(waiting), late])) === 'late') complaints.push('a request that was cancelled is unanswered');
      clearInterval(alive);
      const later = uriOf(`${folder.path}/later.js`);
      await session.open(later, HANDLER);
      const places = await session.places(later);
      if (places.join() !== HANDLER_PLACES.join()) complaints.push(`afterwards the server finds ${places.join(', ') || 'nothing'}`);
      await session.close(later);
      // A setting may have switched it off, and a message may have left a document open.
      await session.close(uri);
      // A request that makes no sense is answered with an error, and written into the log: it comes from an editor, not from a folder.
      session.takeErrors();
      session.logs.length = 0;
      session.messages.length = 0;
      session.published.length = 0;
      session.progress.length = 0;
      session.statuses.clear();
      return complaints;
    },
  };
}
