// Bytes that have to be converted, copies that somebody needs, and what is small.
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';

export const APP = dedent`
  const app = require('express')();
  const fs = require('fs');
  const { readFile, writeFile } = require('fs/promises');
  const crypto = require('crypto');

`;
export const get = (...lines: string[]): string =>
  dedent`
    ${APP}app.post('/', async (req, res, next) => {
    ${lines.map((line) => `  ${line}\n`).join('')}});

  `;
/** With the file that a request asks for. */
export const file = (...lines: string[]): string => get('const file = `files/${req.params.id}`;', ...lines);
export const image = (...lines: string[]): string =>
  get('const answer = await fetch(`http://images/${req.params.id}`);', 'const bytes = await answer.arrayBuffer();', ...lines);
export const WITH_MULTER: Partial<ProjectInfo> = {
  manifest: { dependencies: { multer: '1' }, devDependencies: {}, bin: [], scripts: {}, private: true },
};

export const innocents: readonly ValidCase[] = [
  { name: 'a file as it is', code: file('res.end(await readFile(file));') },
  { name: 'a text, for which the framework chooses the content type', code: file("res.send(await readFile(file, 'utf8'));") },
  { name: 'text that is changed', code: file("const text = await readFile(file, 'utf8');", "res.end(text.replace('%user%', req.user));") },
  { name: 'text that is also read', code: file("const text = await readFile(file, 'utf8');", "if (text.startsWith('<')) res.end(text);") },
  { name: 'text that is parsed', code: file("res.json(JSON.parse(await readFile(file, 'utf8')));") },
  { name: 'text in a page', code: file("res.end(`<pre>${await readFile(file, 'utf8')}</pre>`);") },
  { name: 'text in JSON', code: file("res.json({ text: await readFile(file, 'utf8') });") },
  { name: 'JSON of a text', code: file("res.json(await readFile(file, 'utf8'));") },
  {
    name: 'a fixed file, of which the name only seems to be a log',
    code: get("res.end(await readFile(__dirname + '/blog/login.html', 'utf8'));"),
  },
  { name: 'a fixed file', code: get("res.end(await readFile(__dirname + '/index.html', 'utf8'));") },
  {
    name: 'a fixed file of a folder that is chosen at startup',
    code: dedent`
      const { readFile } = require('fs/promises');
      module.exports = (app) => {
        const page = app.folder + '/index.html';
        app.get('/', async (req, res) => {
          res.end(await readFile(page, 'utf8'));
        });
      };

    `,
  },
  { name: 'another encoding than it is written in', code: file("res.end(await readFile(file, 'latin1'));") },
  { name: 'written in another encoding', code: file("res.end(await readFile(file, 'utf8'), 'latin1');") },
  { name: 'base64 that is sent', code: file("res.end((await readFile(file)).toString('base64'));") },
  { name: 'a text message, which is no binary one', code: file("socket.send(await readFile(file, 'utf8'));") },
  { name: 'who gets the text is unknown', code: file("next(await readFile(file, 'utf8'));") },
  { name: 'a log line', code: file('console.log((await readFile(file)).toString());', 'res.end();') },
  { name: 'a hash of a short text', code: get("res.end(crypto.createHash('sha256').update(Buffer.from(req.params.id)).digest('hex'));") },
  {
    name: 'a key',
    code: get("const key = Buffer.from(process.env.KEY, 'hex');", "res.end(crypto.createHmac('sha256', key.toString()).digest('hex'));"),
  },
  { name: 'a short name', code: get('if (Buffer.from(req.params.name).length > 126) return next();', 'res.end();') },
  { name: 'a few fields', code: get('res.set("etag", String(Buffer.from(JSON.stringify({ id: req.params.id })).length));', 'res.end();') },
  { name: 'a cursor', code: get("res.end(Buffer.from(JSON.stringify(req.body)).toString('base64url'));") },
  { name: 'a queue takes bytes', code: get("channel.sendToQueue('jobs', Buffer.from(JSON.stringify(req.body)));", 'res.end();') },
  {
    name: 'bytes that are also sent',
    code: get('const body = Buffer.from(JSON.stringify(req.body));', "res.setHeader('content-length', body.length);", 'res.end(body);'),
  },
  { name: 'JSON as bytes costs nothing more', code: get('res.end(Buffer.from(JSON.stringify(req.body)));') },
  { name: 'an ArrayBuffer is not copied', code: image('res.end(Buffer.from(bytes));') },
  { name: 'a view is not a copy', code: image("res.end(Buffer.from(bytes).toString('base64'));") },
  { name: 'a view is sent', code: image('res.end(new Uint8Array(bytes));') },
  {
    name: 'the digest has 32 bytes',
    code: image(
      "const digest = await crypto.subtle.digest('SHA-256', bytes);",
      "res.end(Array.from(new Uint8Array(digest)).map((byte) => byte.toString(16).padStart(2, '0')).join(''));",
    ),
  },
  {
    name: 'random bytes',
    code: get('const token = Array.from(crypto.randomBytes(16)).map((byte) => chars[byte % 62]).join("");', 'res.end(token);'),
  },
  {
    name: 'the first bytes',
    code: image("const head = [...new Uint8Array(bytes).subarray(0, 4)].map((byte) => byte.toString(16)).join('');", 'res.end(head);'),
  },
  {
    name: 'numbers that are not bytes again',
    code: image('const scaled = Array.from(new Uint8Array(bytes)).map((byte) => byte / 255);', 'res.json(await model.predict(scaled));'),
  },
  { name: 'JSON of numbers', code: image('res.json(Array.from(new Uint8Array(bytes)));') },
  {
    name: 'a copy that is changed, of a value that others have',
    code: get('const copy = Buffer.from(req.file.buffer);', 'copy[0] = 0;', 'cache.set(req.file.buffer, copy);', 'res.end(copy);'),
  },
  {
    name: 'a copy that is changed, of what is used again',
    code: file(
      'const data = await readFile(file);',
      'const copy = Buffer.from(data);',
      'copy[0] = 0;',
      'cache.set(file, data);',
      'res.end(copy);',
    ),
  },
  {
    name: 'a copy of what a parser gets',
    code: file('const data = await readFile(file);', 'res.json(await parse(Buffer.from(data), data));'),
  },
  {
    name: 'a Uint8Array for a library that refuses a Buffer',
    code: file('res.json(await pdf.getDocument({ data: new Uint8Array(await readFile(file)) }));'),
  },
  { name: 'its own ArrayBuffer', code: file('post(new Uint8Array(await readFile(file)).buffer);', 'res.end();') },
  {
    name: 'a chunk that the server takes back',
    code: dedent`
      const app = require('uWebSockets.js').App();
      app.post('/', (response) => {
        let body;
        response.onData((data, isLast) => {
          const chunk = Buffer.from(data);
          body = body ? Buffer.concat([body, chunk]) : Buffer.concat([chunk]);
          if (isLast) response.end(body);
        });
      });

    `,
  },
  {
    name: 'chunks that may be texts',
    code: get('const chunks = [];', 'for await (const chunk of req) chunks.push(Buffer.from(chunk));', 'res.end(Buffer.concat(chunks));'),
  },
  { name: 'two parts', code: file('res.end(Buffer.concat([HEAD, await readFile(file)]));') },
  { name: 'cut to a length', code: file('res.end(Buffer.concat([await readFile(file)], 64));') },
  {
    name: 'at startup',
    code: dedent`
      ${APP}async function load(file) {
        const data = Buffer.from(await readFile(file));
        return data.toString();
      }
      load(process.argv[2]);

    `,
  },
  {
    name: 'a Blob that is used',
    code: get('const blob = new Blob([JSON.stringify(req.body)]);', 'form.append("file", blob);', 'res.end(String(blob.size));'),
  },
  {
    name: 'characters of a part',
    code: image(
      'const bytes2 = new Uint8Array(bytes);',
      'let name = "";',
      'for (let i = 0; i < 16; i++) name += String.fromCharCode(bytes2[i]);',
      'res.end(name);',
    ),
  },
];
