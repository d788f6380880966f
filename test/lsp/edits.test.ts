// Typing: every state is read or passed over, half-typed text keeps its warnings, and the last state counts as if it had been opened so.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import { folderWith } from '../cli/support.ts';
import { Random } from '../robustness/random.ts';
import { placesOf, start, uriOf, withServer, type Client } from './harness.ts';
import { caseTexts, HANDLER, HANDLER_PLACES } from './texts.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const URI = 'file:///nowhere/a.js';
const EDITS = 1000;

/** What people put into code, whole and in part. */
const PIECES: readonly string[] = [
  'foo(',
  ')',
  '{',
  '}',
  '`',
  '${',
  "'",
  '"',
  '/*',
  '*/',
  '//',
  '\n',
  '\r\n',
  ' ',
  ';',
  '😀',
  '\u2028',
  'await ',
  'delete row.x;\n',
  'fs.readFileSync("a")',
  '<a>',
  '@',
  '\0',
  '(request, response) => {',
  '\uFEFF',
  '// nodometer-disable-next-line\n',
  'for (;;) {',
  'async ',
  'import x from "y";\n',
];

/** What changes no program when it stands at the start of a line. */
const SOUND_PIECES: readonly string[] = ['\n', '  ', '// a comment 😀\n', '/* a\n b */ ', '\t', '\r\n'];

/** Whole statements, with findings and without. */
const STATEMENTS: readonly string[] = [
  "app.get('/a', (request, response) => { response.send(fs.readFileSync('a.txt')); });\n",
  dedent`
    for (const row of rows) {
      delete row.last;
    }

  `,
  dedent`
    // nodometer-disable-next-line no-sync-in-handler
    app.get('/b', (request, response) => response.send(fs.readFileSync('b')));

  `,
  'const text = `😀 ${app.locals.a} /* no comment */`;\n',
  dedent`
    function next() {
      process.nextTick(next);
    }
    next();

  `,
  dedent`
    // nodometer-disable-next-line
    const quiet = 1;

  `,
];

function randomChange(random: Random, text: string): TextDocumentContentChangeEvent {
  const piece = PIECES[random.below(PIECES.length)] ?? '';
  const kind = random.below(20);
  if (kind === 0) return { text: `${text.slice(0, random.below(text.length + 1))}${piece}${HANDLER}` };
  const lines = text.split('\n');
  const line = random.below(lines.length + 2);
  const character = random.below((lines[line]?.length ?? 0) + 3);
  const removed = kind < 8 ? random.below(6) : kind === 8 ? 200 : 0;
  return {
    range: { start: { line, character }, end: { line: line + (kind === 9 ? 2 : 0), character: character + removed } },
    text: kind === 10 ? `\n${HANDLER}` : piece,
  };
}

/** Asks now and then without waiting for the answers, as an editor does. */
function ask(client: Client, uri: string, random: Random): Promise<unknown>[] {
  const place = { line: 2, character: 60 };
  return [
    ...(random.below(4) === 0 ? [client.pull(uri)] : []),
    ...(random.below(40) === 0 ? [client.actions(uri, { start: place, end: place }), client.hover(uri, place)] : []),
  ];
}

/** Statements as they are typed, character by character, at the start of some statement; some are deleted again. */
async function type(client: Client, uri: string, random: Random): Promise<void> {
  const statements: string[] = client.textOf(uri).split(/(?<=\n)/);
  const asked: Promise<unknown>[] = [];
  const change = async (range: Range, text: string) => {
    await client.change(uri, { range, text });
    asked.push(...ask(client, uri, random));
  };
  while (client.versionOf(uri) < EDITS) {
    // What the others need stays.
    const at = 2 + random.below(statements.length - 1);
    const line = statements.slice(0, at).join('').split('\n').length - 1;
    const old = statements[at];
    if (old !== undefined && random.below(3) === 0 && statements.length > 4) {
      await change({ start: { line, character: 0 }, end: { line: line + old.split('\n').length - 1, character: 0 } }, '');
      statements.splice(at, 1);
      continue;
    }
    const statement = random.pick(STATEMENTS);
    let place: Position = { line, character: 0 };
    for (const character of statement) {
      if (random.below(25) === 0) {
        // A slip, taken back.
        await change({ start: place, end: place }, random.pick(PIECES.filter((piece) => !/[\r\n]/.test(piece))).slice(0, 1));
        await change({ start: place, end: { line: place.line, character: place.character + 1 } }, '');
      }
      await change({ start: place, end: place }, character);
      place =
        character === '\n' ? { line: place.line + 1, character: 0 } : { line: place.line, character: place.character + character.length };
    }
    statements.splice(at, 0, statement);
  }
  assert.equal(client.textOf(uri), statements.join(''));
  assert.ok(asked.length > EDITS / 5);
  await Promise.all(asked);
}

describe(`${EDITS} rapid edits`, () => {
  for (const seed of [1, 2]) {
    it(
      `end where a fresh server starts (seed ${seed})`,
      withServer({}, async (session) => {
        await session.open(URI, HANDLER);
        await type(session, URI, new Random(seed));
        assert.ok(session.versionOf(URI) >= EDITS);
        const fresh = await start();
        await fresh.open(URI, session.textOf(URI));
        const expected = await fresh.diagnose(URI);
        assert.equal(fresh.statuses.get(URI)?.state, 'linted');
        assert.ok(expected.length > 3, `${expected.length} findings`);
        assert.deepEqual(await session.diagnose(URI), expected);
        assert.equal(session.statuses.get(URI)?.state, 'linted');
        await fresh.dispose();
      }),
    );
  }

  it(
    'of any kind end where a fresh server starts',
    withServer({}, async (session) => {
      await session.open(URI, HANDLER);
      const random = new Random(5);
      const asked: Promise<unknown>[] = [];
      while (session.versionOf(URI) < EDITS) {
        const text = session.textOf(URI);
        await session.change(
          URI,
          ...(text.length > 20_000
            ? [{ text: HANDLER }]
            : Array.from({ length: random.below(15) === 0 ? 3 : 1 }, () => randomChange(random, text))),
        );
        asked.push(...ask(session, URI, random));
      }
      await Promise.all(asked);
      await session.change(URI, { text: HANDLER });
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
    }),
  );

  it(
    'of a file with findings: each state that can be read is read as a fresh server reads it',
    withServer({}, async (session) => {
      const fresh = await start();
      let compared = 0;
      for (const { file, text } of caseTexts().filter((_, i) => i % 12 === 0)) {
        const uri = `file:///nowhere${file}`;
        const random = new Random(text.length);
        await session.open(uri, text);
        for (let i = 0; i < 4; i++) {
          const line = random.below(text.split('\n').length);
          await session.change(uri, {
            range: { start: { line, character: 0 }, end: { line, character: 0 } },
            text: random.pick(SOUND_PIECES),
          });
          const mine = await session.diagnose(uri);
          await fresh.open(uri, session.textOf(uri));
          const theirs = await fresh.diagnose(uri);
          if (fresh.statuses.get(uri)?.state === 'linted') {
            assert.deepEqual(mine, theirs);
            compared += theirs.length;
          }
          await fresh.close(uri);
        }
        await session.close(uri);
      }
      assert.ok(compared > 50, `${compared} findings were compared`);
      await fresh.dispose();
    }),
  );

  it('of a package.json', async () => {
    const folder = folderWith({ 'package.json': '{}', 'server.js': `${HANDLER}app.listen(3000);\n` });
    try {
      await withServer({ folders: [folder.path] }, async (session) => {
        const uri = uriOf(`${folder.path}/package.json`);
        const text = dedent`
          {
            "scripts": { "start": "node server.js" },
            "dependencies": { "express": "5" }
          }

        `;
        await session.open(uri, text, { languageId: 'json' });
        const expected = await session.diagnose(uri);
        assert.ok(expected.length > 0);
        const random = new Random(4);
        for (let i = 0; i < 200; i++) {
          await session.change(uri, randomChange(random, session.textOf(uri)));
          if (i % 5 === 0) await session.diagnose(uri);
        }
        await session.change(uri, { text });
        assert.deepEqual(await session.diagnose(uri), expected);
      })();
    } finally {
      folder.dispose();
    }
  });
});

describe('half-typed text', () => {
  it(
    'keeps the last good warnings, moved with the edits, until it can be read again',
    withServer({}, async (session) => {
      await session.open(URI, HANDLER);
      const [first] = await session.diagnose(URI);
      assert.equal(first?.range.start.line, 2);
      await session.change(URI, {
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        text: dedent`
        // a

        foo(

      `,
      });
      assert.deepEqual(await session.places(URI), ['6:58 no-sync-in-handler']);
      assert.match(session.statuses.get(URI)?.reason ?? '', /^Line \d+ cannot be parsed \(.*\)\. The previous findings are shown\.$/);
      assert.equal(session.statuses.get(URI)?.state, 'failed');
      // On the line itself, before it, behind it and within it.
      await session.replace(URI, 'response.send(', 'const text = response.send(');
      assert.deepEqual(await session.places(URI), ['6:71 no-sync-in-handler']);
      await session.replace(URI, "'utf8')", "'utf8', 5)");
      const [moved] = await session.diagnose(URI);
      assert.equal(
        session.textOf(URI).split('\n')[5]?.slice(moved?.range.start.character, moved?.range.end.character),
        "fs.readFileSync('terms.txt', 'utf8', 5)",
      );
      // Nothing is offered on what may be wrong by now.
      assert.deepEqual(await session.actions(URI, session.rangeOf(URI, 'fs.readFileSync')), []);
      assert.deepEqual(await session.fixAll(URI, 'suggestion'), { edits: [], made: 0, rejected: [] });
      assert.notEqual(await session.hover(URI, session.rangeOf(URI, 'fs.readFileSync').start), null);
      await session.replace(URI, 'foo(\n', 'foo();\n');
      assert.deepEqual(await session.places(URI), ['6:71 no-sync-in-handler']);
      assert.equal(session.statuses.get(URI)?.state, 'linted');
      assert.ok((await session.actions(URI, session.rangeOf(URI, 'fs.readFileSync'))).length > 0);
    }),
  );

  it(
    'loses the warning of code that is deleted',
    withServer({}, async (session) => {
      await session.open(URI, HANDLER);
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      await session.replace(URI, "fs.readFileSync('terms.txt', 'utf8')", 'foo(');
      assert.deepEqual(await session.places(URI), []);
    }),
  );

  it(
    'has no warnings when it was never readable, and none of a closed document of its name',
    withServer({}, async (session) => {
      await session.open(URI, `foo(\n${HANDLER}`);
      assert.deepEqual(await session.places(URI), []);
      await session.change(URI, { text: HANDLER });
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      await session.close(URI);
      await session.open(URI, `foo(\n${HANDLER}`);
      assert.deepEqual(await session.places(URI), []);
    }),
  );

  it(
    'loses the warnings of a rule that is switched off meanwhile',
    withServer({}, async (session) => {
      await session.open(URI, HANDLER);
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      await session.change(URI, { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: 'foo(\n' });
      assert.deepEqual(await session.places(URI), ['4:58 no-sync-in-handler']);
      await session.refreshed(() => session.configure({ rules: { 'no-sync-in-handler': 'off' } }));
      assert.deepEqual(await session.places(URI), []);
    }),
  );

  it('of package.json and YAML keeps its warnings and those of its neighbors', async () => {
    const manifest = dedent`
      {
        "scripts": { "start": "node server.js" },
        "dependencies": { "express": "5" }
      }

    `;
    const folder = folderWith({
      'package.json': manifest,
      'server.js': `${HANDLER}app.listen(3000);\n`,
      Dockerfile: dedent`
        FROM node:22
        COPY . .
        CMD ["node", "server.js"]

      `,
      'compose.yaml': dedent`
        services:
          web:
            image: node:22
            command: node server.js
            volumes: [".:/app"]

      `,
    });
    try {
      await withServer({ folders: [folder.path] }, async (session) => {
        const uri = uriOf(`${folder.path}/package.json`);
        const docker = uriOf(`${folder.path}/Dockerfile`);
        await session.open(uri, manifest, { languageId: 'json' });
        await session.open(
          docker,
          dedent`
          FROM node:22
          COPY . .
          CMD ["node", "server.js"]

        `,
          { languageId: 'dockerfile' },
        );
        const before = await session.places(docker);
        const own = await session.places(uri);
        assert.ok(before.length > 0);
        for (const [part, text] of [
          ['"5" }', '"5", "'],
          ['"5", "', '"5", "koa'],
          ['"koa', '"koa": '],
          ['"koa": ', '"koa": "3" }'],
        ] as const) {
          await session.refreshed(() => session.replace(uri, part, text));
          assert.deepEqual(await session.places(docker), before, session.textOf(uri));
          assert.deepEqual(await session.places(uri), own, session.textOf(uri));
        }
      })();
    } finally {
      folder.dispose();
    }
  });
});

describe('run on save', () => {
  it(
    'keeps the findings of the last save, moved with the edits',
    withServer({ settings: { run: 'onSave' } }, async (session) => {
      await session.open(URI, HANDLER);
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      await session.change(URI, {
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        text: `${HANDLER.replace('/terms', '/other')}\n`,
      });
      assert.deepEqual(await session.places(URI), ['7:58 no-sync-in-handler']);
      await session.refreshed(() => session.configure({ run: 'onSave', rules: { 'no-sync-in-handler': 'off' } }));
      assert.deepEqual(await session.places(URI), []);
      await session.refreshed(() => session.configure({ run: 'onSave' }));
      await session.save(URI);
      assert.deepEqual(await session.places(URI), ['3:58 no-sync-in-handler', '7:58 no-sync-in-handler']);
      assert.equal(placesOf(await session.diagnose(URI)).length, 2);
    }),
  );
});
