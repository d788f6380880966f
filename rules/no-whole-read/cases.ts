// Files, answers, bodies, archives, and rows that are gathered whole only to be passed on.
import { dedent } from '../../analysis/testing/dedent.ts';
import type { InvalidCase, RuleCases } from '../../analysis/testing/rule-tester.ts';
import { APP, get, innocents } from './cases-innocents.ts';

type Kind = 'sent' | 'stored' | 'unlimited' | 'split' | 'hashed' | 'rows';

const found = (name: string, messageId: Kind, code: string, severity: 'hint' | 'warning' = 'hint'): InvalidCase<Kind> => ({
  name,
  code,
  findings: [{ messageId, severity }],
});
const post = (...lines: string[]): string =>
  dedent`
    ${APP}app.post('/:name', async (req, res, next) => {
    ${lines.map((line) => `  ${line}\n`).join('')}});

  `;
const POOL = "const { Pool } = require('pg');\nconst pool = new Pool();\n";

export const cases: RuleCases<Kind> = {
  valid: innocents,
  invalid: [
    found('a file that the request chooses', 'sent', get('res.send(await «readFile(path.join(ROOT, req.params.name))»);')),
    {
      name: 'says how to send it',
      code: get('const file = path.join(ROOT, req.params.name);', 'const data = await «readFile(file)»;', 'res.send(data);'),
      findings: [
        {
          messageId: 'sent',
          severity: 'hint',
          data: { call: 'readFile', all: 'the whole file' },
        },
      ],
    },
    found(
      'with a length',
      'sent',
      get(
        'const data = await «readFile(req.query.path)»;',
        "if (!data) return next(new Error('gone'));",
        "res.set('content-length', data.length);",
        'res.status(200).type(req.query.type).end(data);',
      ),
    ),
    found(
      'in a callback',
      'sent',
      get(
        "«require('node:fs').readFile(req.params.name, (error, data) => {",
        '  if (error) return next(error);',
        '  res.end(data);',
        '})»;',
      ),
    ),
    found('in a promise', 'sent', get('«readFile(req.params.name)».then((data) => res.send(data)).catch(next);')),
    found(
      'in a helper',
      'sent',
      dedent`
        ${get('res.send(await load(req.params.name));')}async function load(name) {
          return «readFile(path.join(ROOT, name))»;
        }

      `,
    ),
    found('an export', 'sent', get('const exportPath = await makeExport(state);', 'res.send(await «readFile(exportPath)»);')),
    found('a log', 'sent', get("res.send(await «readFile('server.log', 'utf8')»);")),
    {
      name: 'says that `catch` gets none of the errors that Express handles',
      code: get('try {', '  res.send(await «readFile(req.params.name)»);', '} catch {', '  res.sendStatus(404);', '}'),
      findings: [
        {
          messageId: 'sent',
          severity: 'hint',
          data: { remedy: 'Use `response.sendFile(path)`, which also answers requests for a part. Its errors do not reach `catch`.' },
        },
      ],
    },
    found(
      'where a failure is only logged',
      'sent',
      get('try {', '  res.send(await «readFile(req.params.name)»);', '} catch (error) {', '  console.error(error);', '}'),
    ),
    {
      name: 'where the failure is that of the start of the server',
      code: dedent`
        const express = require('express');
        const mongoose = require('mongoose');
        const { readFile } = require('fs/promises');
        const app = express();
        mongoose.connect(process.env.DB).then(() => {
          app.get('/1', async (req, res) => { res.send(await «readFile(req.params.name)»); });
          app.listen(3000);
        }).catch((err) => console.log(err));
        (async () => {
          app.get('/2', async (req, res) => { res.send(await «readFile(req.params.name)»); });
        })().catch((e) => { console.error(e); process.exit(1); });
        try {
          app.get('/3', async (req, res) => { res.send(await «readFile(req.params.name)»); });
        } catch (e) { console.error(e); process.exit(1); }
        app.get('/4', wrap(async (req, res) => { res.send(await «readFile(req.params.name)»); }).catch(console.error));
      `,
      findings: Array.from({ length: 4 }, () => ({
        messageId: 'sent' as const,
        severity: 'hint' as const,
        data: { remedy: 'Use `response.sendFile(path)`, which also answers requests for a part.' },
      })),
    },
    ...["res.end('failed');", 'res.end(e.message);', 'sendError(res, e);', 'console.log(e); return res.json({ ok: false });'].map(
      (answer) => ({
        name: `an answer that tells of the error: ${answer}`,
        code: get('try {', '  res.send(await «readFile(req.params.name)»);', `} catch (e) { ${answer} }`),
        findings: [
          {
            messageId: 'sent' as const,
            severity: 'hint' as const,
            data: { remedy: 'Use `response.sendFile(path)`, which also answers requests for a part. Its errors do not reach `catch`.' },
          },
        ],
      }),
    ),
    {
      name: 'says that the errors of a stream come late',
      file: 'src/app/api/log/route.js',
      code: dedent`
        import { readFile } from 'node:fs/promises';
        export async function GET() {
          try {
            return new Response(await «readFile('server.log', 'utf8')»);
          } catch (error) {
            return new Response('failed', { status: 500 });
          }
        }
        export async function POST(request) {
          const answer = await fetch(request.nextUrl.searchParams.get('address'));
          const bytes = await «answer.arrayBuffer()».catch((error) => { console.error(error); throw error; });
          return new Response(bytes);
        }

      `,
      findings: [
        {
          messageId: 'sent',
          severity: 'hint',
          data: {
            remedy:
              'Stream it: `new Response(Readable.toWeb(createReadStream(path)))`. Open the file first (`await open(path)`), because an error of the stream comes after the headers.',
          },
        },
        {
          messageId: 'sent',
          severity: 'hint',
          data: { remedy: 'Stream it: `new Response(answer.body)`. An error on the way then comes after the headers.' },
        },
      ],
    },
    found(
      'Koa',
      'sent',
      dedent`
        const Koa = require('koa');
        const fs = require('fs').promises;
        const app = new Koa();
        app.use(async (ctx) => {
          ctx.body = await «fs.readFile(ctx.query.path)»;
        });

      `,
    ),
    found(
      'Koa, in parts',
      'sent',
      dedent`
        const Koa = require('koa');
        const fs = require('fs').promises;
        const app = new Koa();
        app.use(async (ctx) => {
          const answer = ctx.response;
          answer.body = await «fs.readFile(ctx.query.path)»;
        });

      `,
    ),
    {
      name: 'a route of Next.js',
      file: 'app/api/files/[name]/route.ts',
      code: dedent`
        export async function GET(request: Request, { params }: { params: { name: string } }) {
          const answer = await fetch(\`http://files.internal/\${params.name}\`);
          const body = await «answer.arrayBuffer()»;
          return new Response(body);
        }

      `,
      findings: [{ messageId: 'sent', severity: 'hint', data: { remedy: 'Stream it: `new Response(answer.body)`.' } }],
    },
    found(
      'Fastify, returned',
      'sent',
      dedent`
        const app = require('fastify')();
        const fs = require('fs-extra');
        app.get('/', async (request, reply) => {
          return await «fs.readFile(request.query.path)»;
        });

      `,
    ),
    found(
      'an answer that is passed on',
      'sent',
      get(
        'const answer = await fetch(`http://files.internal/${req.params.name}`);',
        'res.send(Buffer.from(await «answer.arrayBuffer()»));',
      ),
    ),
    found('an answer, in one expression', 'sent', get('res.end(Buffer.from(await «(await fetch(ADDRESS)).arrayBuffer()»));')),
    found(
      'an answer as text, from where the request says',
      'sent',
      get('const answer = await fetch(req.query.url);', 'const text = await «answer.text()»;', 'res.send(text);'),
    ),
    found(
      'an answer by a promise',
      'sent',
      get('fetch(ADDRESS).then((answer) => «answer.arrayBuffer()»).then((data) => res.send(Buffer.from(data)));'),
    ),
    found(
      'axios',
      'sent',
      get(
        "const answer = await «require('axios').get(ADDRESS, { responseType: 'arraybuffer' })»;",
        "res.type(answer.headers['content-type']).send(answer.data);",
      ),
    ),
    found(
      'axios, in parts',
      'sent',
      get("const { data } = await «require('axios')({ url: ADDRESS, responseType: 'arraybuffer' })»;", 'res.send(data);'),
    ),
    found(
      'S3, version 2',
      'sent',
      get("const file = await «s3.getObject({ Bucket: 'files', Key: req.params.name }).promise()»;", 'res.send(file.Body);'),
    ),
    found(
      'S3, version 3',
      'sent',
      get(
        'const { Body } = await client.send(new GetObjectCommand(input));',
        'res.send(Buffer.from(await «Body.transformToByteArray()»));',
      ),
    ),
    found('a file of Cloud Storage', 'sent', get('const [data] = await «bucket.file(req.params.name).download()»;', 'res.send(data);')),
    found(
      'a stream that is gathered',
      'sent',
      get(
        'const chunks = [];',
        "doc.on('data', (chunk) => chunks.push(chunk));",
        "doc.on('end', () => res.send(«Buffer.concat(chunks)»));",
        'doc.end();',
      ),
    ),
    found(
      'a stream that a helper gathers',
      'sent',
      dedent`
        ${get('res.send(await bufferOf(await open(req.params.name)));')}function bufferOf(stream) {
          return new Promise((resolve, reject) => {
            const pieces = [];
            stream.on('data', (piece) => pieces.push(piece));
            stream.on('error', reject);
            stream.on('end', () => resolve(«Buffer.concat(pieces)»));
          });
        }

      `,
    ),
    found(
      'an upload in a form for another service',
      'sent',
      post(
        'const form = new FormData();',
        "form.append('image', new Blob([await «readFile(req.file.path)»]));",
        'res.json(await ask(form));',
      ),
    ),
    found(
      'an archive',
      'sent',
      get(
        "const JSZip = require('jszip');",
        'const zip = new JSZip();',
        "const data = await «zip.generateAsync({ type: 'nodebuffer' })»;",
        "res.type('zip').send(data);",
      ),
    ),
    found('a workbook', 'sent', get("const book = new (require('exceljs').Workbook)();", 'res.send(await «book.xlsx.writeBuffer()»);')),
    found(
      'a body that is stored',
      'unlimited',
      post(
        'const chunks = [];',
        'for await (const chunk of req) chunks.push(chunk);',
        'await writeFile(path.join(ROOT, req.params.name), «Buffer.concat(chunks)»);',
        'res.end();',
      ),
      'warning',
    ),
    found(
      'a body that is stored, by events',
      'unlimited',
      post(
        'const chunks = [];',
        "req.on('data', (chunk) => {",
        '  chunks.push(chunk);',
        '});',
        "req.on('end', () => {",
        '  const body = «Buffer.concat(chunks)»;',
        "  require('node:fs').writeFile('upload', body, () => res.end());",
        '});',
      ),
      'warning',
    ),
    found(
      'a body by a function of Node',
      'unlimited',
      post("const { buffer } = require('node:stream/consumers');", "await writeFile('upload', await «buffer(req)»);", 'res.end();'),
      'warning',
    ),
    found(
      'an answer that is stored',
      'stored',
      post(
        'const answer = await fetch(req.query.url);',
        "await writeFile('download', Buffer.from(await «answer.arrayBuffer()»));",
        'res.end();',
      ),
    ),
    found(
      'an upload that goes to a bucket',
      'stored',
      post(
        'const Body = await «readFile(req.file.path)»;',
        "await client.send(new PutObjectCommand({ Bucket: 'files', Key: req.file.name, Body }));",
        'res.end();',
      ),
    ),
    found('a copy', 'stored', post('await writeFile(req.query.to, await «readFile(req.query.from)»);', 'res.end();')),
    found(
      'a log that is split',
      'split',
      get(
        "const lines = (await «readFile('server.log', 'utf8')»).split('\\n');",
        "res.json(lines.filter((line) => line.includes('error')));",
      ),
    ),
    found(
      'an upload that is split',
      'split',
      post(
        'const text = await «readFile(req.file.path)»;',
        'for (const line of text.toString().split(/\\r?\\n/)) await save(line);',
        'res.end();',
      ),
    ),
    found(
      'hashed',
      'hashed',
      get("res.json(createHash('sha256').update(await «readFile(path.join(ROOT, req.params.name))»).digest('hex'));"),
    ),
    found(
      'hashed, through variables',
      'hashed',
      get(
        "const hash = createHash('sha256');",
        'const data = await «readFile(req.file.path)»;',
        'hash.update(data);',
        "res.json(hash.digest('hex'));",
      ),
    ),
    found(
      'rows as lines',
      'rows',
      POOL +
        get(
          "const { rows } = await «pool.query('SELECT * FROM orders')»;",
          'for (const row of rows) res.write(`${row.id},${row.price}\\n`);',
          'res.end();',
        ),
    ),
    found(
      'rows by `forEach`',
      'rows',
      POOL +
        get(
          "const result = await «pool.query('SELECT * FROM orders')»;",
          'result.rows.forEach((row) => {',
          '  res.write(`${JSON.stringify(row)}\\n`);',
          '});',
          'res.end();',
        ),
    ),
    {
      name: 'exported, with the option',
      code: dedent`
        const { readFile } = require('node:fs/promises');
        module.exports = async function count(logFile) {
          return (await «readFile(logFile, 'utf8')»).split('\\n').length;
        };

      `,
      options: { exports: true },
      findings: [{ messageId: 'split', severity: 'hint' }],
    },
  ],
};
