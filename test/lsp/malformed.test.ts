// Messages that no client should send: the server stays, keeps what it knew, and answers the next request.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ErrorCodes, MessageType, ResponseError } from 'vscode-languageserver/node';
import {
  ACCEPT_REQUEST,
  COMMANDS,
  FIX_ALL_REQUEST,
  LINT_WORKSPACE_REQUEST,
  MEASURE_CHANGE_REQUEST,
  ROUTES_REQUEST,
} from '../../protocol/editor.ts';
import { depsForTests, placesOf, Session, VS_CODE, withServer } from './harness.ts';
import { HANDLER, HANDLER_PLACES } from './texts.ts';

const URI = 'file:///nowhere/a.js';

async function stillAnswers(session: Session, uri = 'file:///nowhere/later.js'): Promise<void> {
  await session.open(uri, HANDLER);
  assert.deepEqual(await session.places(uri), HANDLER_PLACES);
  await session.close(uri);
}

async function codeOf(request: Promise<unknown>): Promise<number | string> {
  try {
    await request;
    return 'answered';
  } catch (error) {
    assert.ok(error instanceof ResponseError, String(error));
    return error.code;
  }
}

describe('malformed messages', () => {
  const garbage: readonly (readonly [what: string, bytes: string | Buffer])[] = [
    ['text that is no JSON', frame('{"jsonrpc":')],
    ['JSON that is no message', frame('[1, "two", null]')],
    ['null', frame('null')],
    ['a message without a version', frame('{"method":"textDocument/didOpen"}')],
    ['a request whose method is a number', frame('{"jsonrpc":"2.0","id":"x","method":7}')],
    ['an answer that nobody asked for', frame('{"jsonrpc":"2.0","id":4711,"result":{}}')],
    ['an error without a code', frame('{"jsonrpc":"2.0","id":4712,"error":"broken"}')],
    ['a message in two parts and with a header of its own', 'content-type: x\r\nCONTENT-LENGTH: 24\r\n\r\n{"jsonrpc":"2.0","id":1}'],
    ['bytes that are no UTF-8', frame(Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
    ['a batch', frame('[{"jsonrpc":"2.0","id":9,"method":"shutdown"}]')],
  ];
  for (const [what, bytes] of garbage) {
    it(
      `${what}: passed over`,
      withServer({}, async (session) => {
        await session.open(URI, HANDLER);
        assert.deepEqual(await session.places(URI), HANDLER_PLACES);
        session.toServer.write(bytes);
        assert.deepEqual(await session.places(URI), HANDLER_PLACES);
        await stillAnswers(session);
        session.takeErrors();
      }),
    );
  }

  it(
    'requests with parameters of wrong types are answered with an error, and nothing else happens',
    withServer({}, async (session) => {
      const methods = [
        'textDocument/diagnostic',
        'textDocument/codeAction',
        'codeAction/resolve',
        'textDocument/hover',
        'textDocument/documentLink',
        'workspace/executeCommand',
        'workspace/diagnostic',
        FIX_ALL_REQUEST,
        ROUTES_REQUEST,
        ACCEPT_REQUEST,
        MEASURE_CHANGE_REQUEST,
      ];
      const params: unknown[] = [
        { textDocument: null },
        { textDocument: { uri: 5 }, position: 'x', range: [], context: null, previousResultIds: 'x', data: { uri: 7 } },
        { textDocument: { uri: 'a://b//c' } },
        [],
        [null],
        null,
      ];
      for (const method of methods)
        for (const one of params)
          assert.notEqual(
            await Promise.race([codeOf(session.connection.sendRequest(method, one)), later('unanswered')]),
            'unanswered',
            `${method} ${JSON.stringify(one)}`,
          );
      await stillAnswers(session);
      session.takeErrors();
    }),
  );

  it(
    'notifications with parameters of wrong types are passed over',
    withServer({}, async (session) => {
      const methods = [
        'textDocument/didOpen',
        'textDocument/didChange',
        'textDocument/didSave',
        'textDocument/didClose',
        'workspace/didChangeConfiguration',
        'workspace/didChangeWatchedFiles',
        'workspace/didChangeWorkspaceFolders',
        '$/cancelRequest',
        '$/setTrace',
        'window/workDoneProgress/cancel',
      ];
      const params: unknown[] = [
        { textDocument: null },
        { textDocument: { uri: 5, version: 'x', text: 7 }, contentChanges: 3, changes: [null], settings: 7, event: null, id: {}, value: 1 },
        { textDocument: { uri: 'a://b//c', languageId: null, version: null, text: null } },
        { changes: [{ uri: 'a://b//c', type: 3 }] },
        [],
        null,
      ];
      await session.open(URI, HANDLER);
      for (const method of methods) for (const one of params) await session.connection.sendNotification(method, one);
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      await stillAnswers(session);
      session.takeErrors();
    }),
  );

  it(
    'unknown methods',
    withServer({}, async (session) => {
      assert.equal(
        await codeOf(session.connection.sendRequest('textDocument/rename', { textDocument: { uri: URI } })),
        ErrorCodes.MethodNotFound,
      );
      assert.equal(await codeOf(session.connection.sendRequest('nodometer/nothing')), ErrorCodes.MethodNotFound);
      await session.connection.sendNotification('nodometer/nothing', {});
      await session.connection.sendNotification('$/nothing', {});
      await stillAnswers(session);
    }),
  );

  it(
    'a request of ours without parameters means its defaults',
    withServer({}, async (session) => {
      assert.deepEqual(await session.connection.sendRequest(LINT_WORKSPACE_REQUEST), {
        files: 0,
        findings: 0,
        errors: 0,
        warnings: 0,
        hints: 0,
        cancelled: false,
      });
    }),
  );

  it(
    'commands with wrong arguments',
    withServer({}, async (session) => {
      for (const args of [undefined, [], [7], [{}], ['no-such-rule']]) {
        for (const command of ['', 'nodometer.nothing', COMMANDS.fixFile]) {
          assert.notEqual(
            await codeOf(session.connection.sendRequest('workspace/executeCommand', { command, arguments: args })),
            ErrorCodes.InternalError,
            `${command} ${JSON.stringify(args)}`,
          );
        }
      }
      assert.equal(
        await codeOf(session.connection.sendRequest('workspace/executeCommand', { command: 'nodometer.nothing' })),
        ErrorCodes.InvalidParams,
      );
      await stillAnswers(session);
    }),
  );
});

describe('messages out of order', () => {
  it(
    'a change, a save and a close before the document is opened',
    withServer({}, async (session) => {
      await session.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: URI, version: 2 },
        contentChanges: [{ text: HANDLER }],
      });
      await session.save(URI);
      await session.close(URI);
      assert.deepEqual(await session.places(URI), []);
      assert.ok(
        session.logs.some(({ type, message }) => type === MessageType.Warning && /change of .*a\.js.* unknown document/.test(message)),
      );
      await stillAnswers(session, URI);
    }),
  );

  it(
    'a change to an older version, or to the same, changes nothing',
    withServer({}, async (session) => {
      await session.open(URI, HANDLER, { version: 5 });
      for (const version of [4, 5, -1])
        await session.connection.sendNotification('textDocument/didChange', {
          textDocument: { uri: URI, version },
          contentChanges: [{ text: '' }],
        });
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      assert.equal(session.logs.filter(({ message }) => message.includes('older than what is known')).length, 3);
      await session.change(URI, { text: 'ok();' });
      assert.deepEqual(await session.places(URI), []);
    }),
  );

  it(
    'ranges outside of the text, turned round or within a surrogate pair are moved into it',
    withServer({}, async (session) => {
      await session.open(URI, '// 😀\n');
      const far = { line: 99999, character: 99999 };
      await session.change(URI, { range: { start: far, end: far }, text: HANDLER });
      assert.deepEqual((await session.places(URI)).length, HANDLER_PLACES.length);
      await session.change(URI, { range: { start: { line: -5, character: -5 }, end: { line: 0, character: 4 } }, text: '//' });
      await session.change(URI, { range: { start: { line: 1, character: 0 }, end: { line: 0, character: 2 } }, text: '\n' });
      const text = session.textOf(URI);
      assert.ok(text.endsWith(HANDLER));
      const fresh = 'file:///nowhere/fresh.js';
      await session.open(fresh, text);
      assert.deepEqual(await session.places(URI), await session.places(fresh));
      for (const position of [far, { line: -1, character: -1 }, { line: 0, character: 4 }, { line: 2.5, character: 1e10 }]) {
        await session.hover(URI, position);
        assert.ok(Array.isArray(await session.actions(URI, { start: position, end: { line: 0, character: 0 } })));
      }
    }),
  );

  it(
    'opening what is open already takes the newer text',
    withServer({}, async (session) => {
      await session.open(URI, 'ok();');
      assert.deepEqual(await session.places(URI), []);
      await session.open(URI, HANDLER);
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      await session.close(URI);
      await session.close(URI);
      await stillAnswers(session, URI);
    }),
  );

  it('everything before initialize is refused or passed over, and a second initialize is refused', async () => {
    const session = new Session(depsForTests(), undefined);
    await session.open(URI, HANDLER);
    await session.change(URI, { text: `${HANDLER}\n` });
    await session.configure({ enable: false });
    await session.watched({ uri: URI, type: 3 });
    for (const method of ['textDocument/diagnostic', 'textDocument/hover', LINT_WORKSPACE_REQUEST])
      assert.equal(
        await codeOf(session.connection.sendRequest(method, { textDocument: { uri: URI }, position: { line: 0, character: 0 } })),
        ErrorCodes.ServerNotInitialized,
        method,
      );
    await session.close(URI);
    session.settings = undefined;
    await session.initialize({ capabilities: VS_CODE });
    await stillAnswers(session);
    assert.equal(
      await codeOf(session.connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} })),
      ErrorCodes.InvalidRequest,
    );
    await stillAnswers(session);
    session.takeErrors();
    await session.dispose();
  });

  it('capabilities and options of wrong types are taken as missing', async () => {
    const session = new Session(depsForTests(), undefined);
    await session.connection.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      workspaceFolders: null,
      initializationOptions: 'x',
      capabilities: { textDocument: { diagnostic: {}, codeAction: { resolveSupport: { properties: [] } } } },
    });
    await session.connection.sendNotification('initialized', {});
    await session.open(URI, HANDLER);
    assert.deepEqual(placesOf(await session.diagnose(URI)), HANDLER_PLACES);
    await session.dispose();
  });
});

/** The answer to be had when none has come after the server has had many turns. */
async function later<T>(value: T): Promise<T> {
  for (let i = 0; i < 1000; i++) await new Promise((resolve) => setImmediate(resolve));
  return value;
}

function frame(body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}
