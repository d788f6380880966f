// Files that are small, bytes that are needed whole, and code that no request runs.
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';

export const APP = dedent`
  const app = require('express')();
  const { readFile, writeFile } = require('node:fs/promises');
  const { createHash } = require('node:crypto');
  const path = require('node:path');

`;
export const get = (...lines: string[]): string =>
  dedent`
    ${APP}app.get('/:name', async (req, res, next) => {
    ${lines.map((line) => `  ${line}\n`).join('')}});

  `;

const READ = 'const data = await readFile(path.join(ROOT, req.params.name));';

export const innocents: readonly ValidCase[] = [
  {
    name: 'something else is sent if it fails',
    code: dedent`
      ${get('let data;', 'try {', '  data = await readFile(req.params.name);', '} catch {', "  data = '';", '}', 'res.send(data);')}
      ${get('res.send(await readFile(req.params.name).catch(() => EMPTY));')}
      ${get('res.send(await readFile(req.params.name).catch((error) => placeholderFor(error)));')}
      ${get('readFile(req.params.name).then((data) => res.send(data)).catch(() => res.send(EMPTY));')}
      ${get('readFile(req.params.name).then((data) => { res.send(data); }, onFailure).catch(() => { res.sendFile(PLACEHOLDER); });')}
      ${get('try {', '  res.send(await readFile(req.params.name));', '} catch (error) {', '  res.send(EMPTY);', '}')}
      ${get('try {', '  res.send(await readFile(req.params.name));', '} catch (e) {', "  if (e.code === 'ENOENT') return res.send(EMPTY);", '  res.end(e.message);', '}')}
      ${get(
        'try {',
        '  const answer = await fetch(req.query.address);',
        '  if (answer.ok) return res.send(Buffer.from(await answer.arrayBuffer()));',
        '} catch {',
        '  // Make it again.',
        '}',
        'res.send(await make(req.params.name));',
      )}
      ${get(
        'try {',
        '  let text;',
        '  try {',
        '    text = await readFile(req.params.name);',
        '  } catch (error) {',
        "    if (!(error instanceof ErrnoException) || error.code !== 'ENOENT') throw error;",
        "    text = 'none yet';",
        '  }',
        '  res.send(text);',
        '} catch (error) {',
        '  res.sendStatus(500);',
        '}',
      )}
    `,
  },
  { name: 'a page of the project itself', code: get("res.send(await readFile('views/index.html', 'utf8'));") },
  { name: 'a page that the request chooses', code: get('res.send(await readFile(`pages/${req.params.name}.html`));') },
  {
    name: 'a list of texts that the request chooses',
    code: get("res.send(await readFile(path.join('locales', req.params.name), 'utf8'));"),
  },
  {
    name: 'a note, whose path a helper makes',
    code: dedent`
      ${get("res.send(await readFile(noteOf(req.params.name), 'utf8'));")}function noteOf(name) {
        return path.join(ROOT, name + '.txt');
      }

    `,
  },
  { name: 'an address of a file', code: get('res.send(await readFile(new URL(`./${req.params.name}.txt`, BASE)));') },
  { name: 'a small picture', code: get("res.send(await readFile(path.join(ROOT, 'thumbnails', req.params.name)));") },
  { name: 'settings', code: get("res.json(JSON.parse(await readFile('settings.json', 'utf8')));") },
  { name: 'a file of which nothing is known', code: get('res.send(await readFile(fileOf(state)));') },
  {
    name: 'a file of the system',
    code: get("const lines = (await readFile('/proc/mounts', 'utf8')).split('\\n');", 'res.json(lines.length);'),
  },
  { name: 'parsed', code: get(READ, 'res.json(JSON.parse(data));') },
  { name: 'changed', code: get(READ, "res.send(data.toString().replace('$USER', req.query.user));") },
  { name: 'as base64', code: get(READ, "res.send(data.toString('base64'));") },
  { name: 'in a new text', code: get(READ, 'res.send(`<pre>${data}</pre>`);') },
  { name: 'a part of it', code: get(READ, 'res.send(data.subarray(0, 100));') },
  {
    name: 'kept for the next request',
    code: get('const data = await readFile(req.query.path);', 'cache.set(req.query.path, data);', 'res.send(data);'),
  },
  { name: 'hashed and sent', code: get(READ, "res.set('etag', createHash('sha1').update(data).digest('hex'));", 'res.send(data);') },
  { name: 'signed', code: get(READ, "const mark = createHmac('sha256', KEY).update(data).digest('hex');", 'res.json(mark);') },
  { name: 'passed to a function that is not known', code: get(READ, 'res.send(await compress(data));') },
  { name: 'limited', code: get(READ, 'if (data.length > 1000000) return res.sendStatus(413);', 'res.send(data);') },
  {
    name: 'limited before',
    code: get(
      'const file = path.join(ROOT, req.params.name);',
      'if ((await stat(file)).size > LIMIT) return res.sendStatus(413);',
      'res.send(await readFile(file));',
    ),
  },
  {
    name: 'read by no-sync-in-handler',
    code: get("res.send(require('node:fs').readFileSync(req.params.name));"),
  },
  { name: 'a stream already', code: get("require('node:fs').createReadStream(req.params.name).pipe(res);") },
  {
    name: 'at startup',
    code: dedent`
      ${APP}let log;
      readFile('server.log').then((data) => { log = data; });
      app.get('/log', (req, res) => res.send(log));

    `,
  },
  {
    name: 'for the first request only',
    code: get('data ??= await readFile(req.query.path);', 'res.send(data);').replace('app.get', 'let data;\napp.get'),
  },
  { name: 'a hash of a small file', code: get("res.json(createHash('sha1').update(await readFile('package.json')).digest('hex'));") },
  { name: 'a hash of a text of the request', code: get("res.json(createHash('sha1').update(req.params.name).digest('hex'));") },
  {
    name: 'an answer that is parsed',
    code: get("const answer = await fetch('http://rates.internal/');", 'res.json(JSON.parse(await answer.text()));'),
  },
  {
    name: 'the text of an answer to a question of the program itself',
    code: get("const answer = await fetch('http://rates.internal/version');", 'res.send(await answer.text());'),
  },
  {
    name: 'the text of an answer of one service, on a path of the request',
    code: get('const answer = await fetch(`http://users.internal/${req.params.name}`);', 'res.send(await answer.text());'),
  },
  {
    name: 'returned to Koa, which does not send it',
    code: dedent`
      const Router = require('@koa/router');
      const fs = require('fs/promises');
      const router = new Router();
      router.get('/:name', async (ctx) => {
        return fs.readFile(ctx.params.name);
      });

    `,
  },
  {
    name: 'an answer whose size was looked at',
    code: get(
      'const answer = await fetch(req.query.url);',
      "if (Number(answer.headers.get('content-length')) > MAX) return res.sendStatus(413);",
      'res.send(Buffer.from(await answer.arrayBuffer()));',
    ),
  },
  {
    name: 'an answer whose kind was looked at',
    code: get(
      'const answer = await fetch(req.query.url);',
      'const data = Buffer.from(await answer.arrayBuffer());',
      'if (!(await fileTypeFromBuffer(data))) return res.sendStatus(415);',
      'res.send(data);',
    ),
  },
  {
    name: 'a picture that is made smaller',
    code: get(
      "const { data } = await require('axios').get(req.query.url, { responseType: 'arraybuffer' });",
      'res.send(await sharp(data).resize(100).toBuffer());',
    ),
  },
  {
    name: 'an answer as JSON',
    code: get("const { data } = await require('axios').get('http://rates.internal/');", 'res.send(data);'),
  },
  {
    name: 'a body that is parsed',
    code: dedent`
      ${APP}app.post('/', async (req, res) => {
        const chunks = [];
        for await (const chunk of req) chunks.push(chunk);
        res.json(JSON.parse(Buffer.concat(chunks)));
      });

    `,
  },
  {
    name: 'a body with a limit, stored',
    code: dedent`
      ${APP}app.post('/', async (req, res) => {
        const chunks = [];
        let size = 0;
        for await (const chunk of req) {
          size += chunk.length;
          if (size > 100000) return res.sendStatus(413);
          chunks.push(chunk);
        }
        await writeFile('draft', Buffer.concat(chunks));
        res.end();
      });

    `,
  },
  {
    name: 'a body of a form, which is in memory already',
    code: dedent`
      ${APP}app.post('/', async (req, res) => {
        const file = (await req.formData()).get('file');
        await writeFile('upload', Buffer.from(await file.arrayBuffer()));
        res.end();
      });

    `,
  },
  {
    name: 'kept in an object that is not the answer',
    code: get(
      'const response = { status: 200 };',
      "req.upstream.on('response', (other) => {",
      '  const chunks = [];',
      "  other.on('data', (chunk) => chunks.push(chunk));",
      "  other.on('end', () => {",
      '    response.body = Buffer.concat(chunks);',
      '    next(response);',
      '  });',
      '});',
    ),
  },
  {
    name: 'what a program prints',
    code: get(
      'const chunks = [];',
      "child.stdout.on('data', (chunk) => chunks.push(chunk));",
      "child.on('exit', (code) => code ? res.sendStatus(500) : res.send(Buffer.concat(chunks)));",
    ),
  },
  {
    name: 'a thumbnail of another service',
    code: get('const picture = await fetch(data.thumbnail);', 'res.send(Buffer.from(await picture.arrayBuffer()));'),
  },
  {
    name: 'an archive that is encrypted',
    code: get(
      "const zip = new (require('jszip'))();",
      "const data = await zip.generateAsync({ type: 'nodebuffer' });",
      'res.send(encrypt(data));',
    ),
  },
  {
    name: 'an archive as a text',
    code: get("const JSZip = require('jszip');", 'const zip = new JSZip();', "res.json(await zip.generateAsync({ type: 'base64' }));"),
  },
  { name: 'in a test', file: 'test/files.test.js', code: get('res.send(await readFile(req.params.name));') },
  {
    name: 'in a script',
    file: 'scripts/upload.js',
    code: dedent`
      ${APP}async function main() {
        console.log((await readFile('server.log', 'utf8')).split('\\n').length);
      }
      main();

    `,
  },
  {
    name: 'a page of rows',
    code: get(
      "const { rows } = await pool.query('SELECT * FROM orders LIMIT 20');",
      'for (const row of rows) res.write(`${row.id}\\n`);',
      'res.end();',
    ).replace(
      'const app',
      dedent`
        const { Pool } = require('pg');
        const pool = new Pool();
        const app
      `,
    ),
  },
  {
    name: 'a page of rows, whose query is a constant',
    code: dedent`
      const { Pool } = require('pg');
      const pool = new Pool();
      const SQL = 'SELECT * FROM orders LIMIT 20';
      ${get('const { rows } = await pool.query(SQL);', 'for (const row of rows) res.write(row.id);', 'res.end();')}
    `,
  },
  {
    name: 'rows that are counted first',
    code: get(
      "const { rows } = await pool.query('SELECT * FROM orders');",
      'res.write(`${rows.length} orders\\n`);',
      'for (const row of rows) res.write(`${row.id}\\n`);',
      'res.end(JSON.stringify(summary(rows)));',
    ).replace(
      'const app',
      dedent`
        const { Pool } = require('pg');
        const pool = new Pool();
        const app
      `,
    ),
  },
];
