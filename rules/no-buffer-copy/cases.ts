import { dedent } from '../../analysis/testing/dedent.ts';
import type { CaseBase, InvalidCase, RuleCases } from '../../analysis/testing/rule-tester.ts';
import { APP, WITH_MULTER, file, get, image, innocents } from './cases-innocents.ts';
import type { Waste } from './waste.ts';

type Kind = Waste['kind'];
const found = (name: string, messageId: Kind, code: string, more: Omit<CaseBase, 'code' | 'name'> = {}): InvalidCase<Kind> => ({
  name,
  code,
  findings: [{ messageId, severity: 'hint' }],
  ...more,
});
const fixed = (name: string, messageId: Kind, title: string, code: string, output: string): InvalidCase<Kind> => ({
  name,
  code,
  findings: [{ messageId, severity: 'hint', fixes: [{ kind: 'suggestion', title, output }] }],
});
const COUNT = 'Count with `Buffer.byteLength`';
const BYTES = 'Use the buffer itself';

export const cases: RuleCases<Kind> = {
  valid: innocents,
  invalid: [
    {
      name: 'a file as text, sent',
      code: file("res.type('html').send(await «readFile(file, 'utf8')»);"),
      findings: [{ messageId: 'decoded', data: { made: 'readFile', use: 'only sent', remedy: 'Read the file without an encoding' } }],
    },
    {
      name: 'through a variable, ended',
      code: file("const text = await «readFile(file, { encoding: 'utf-8' })»;", 'res.end(text);'),
      findings: [{ messageId: 'decoded', data: { made: 'readFile', use: 'only sent', remedy: 'Read the file without an encoding' } }],
    },
    found(
      'in a callback, with its length in bytes',
      'decoded',
      file(
        "«fs.readFile(file, 'utf8', (error, text) => {",
        '  if (error) return next(error);',
        "  res.setHeader('content-length', Buffer.byteLength(text));",
        '  res.end(text);',
        '})»;',
      ),
    ),
    found(
      'a log, in a fixed place',
      'decoded',
      get(
        "const fs = await import('node:fs');",
        "const data = await «fs.promises.readFile(path.join(folder, 'server.log'), 'utf8')»;",
        "res.type('text/plain');",
        'res.send(data);',
      ),
    ),
    found('then sent', 'decoded', file("«fs.promises.readFile(file, 'utf8')».then((text) => res.end(text), next);")),
    found(
      'as a body of Koa',
      'decoded',
      dedent`
        const Koa = require('koa');
        const { readFile } = require('fs/promises');
        const app = new Koa();
        app.use(async (ctx) => {
          ctx.type = 'html';
          ctx.body = await «readFile(\`pages/\${ctx.query.page}\`, 'utf8')»;
        });

      `,
    ),
    found(
      'promisified',
      'decoded',
      dedent`
        const { promisify } = require('util');
        const fs = require('fs');
        const readFile = promisify(fs.readFile);
        const app = require('express')();
        app.get('/:id', async (req, res) => {
          res.end(await «readFile(req.params.id, 'utf8')»);
        });

      `,
    ),
    {
      name: 'copied by way of a text',
      code: file("await writeFile('copy', await «readFile(file, 'utf8')»);", 'res.end();'),
      findings: [{ messageId: 'decoded', data: { made: 'readFile', use: 'only written to a file', remedy: 'Use `copyFile`' } }],
    },
    {
      name: 'an upload, hashed as text',
      code: get("res.end(crypto.createHash('sha256').update(«req.file.buffer.toString('utf-8')»).digest('hex'));"),
      project: WITH_MULTER,
      findings: [
        {
          messageId: 'decoded',
          data: {
            made: '.toString()',
            use: 'only hashed',
            remedy: 'Use the bytes themselves. The hash changes only if the bytes are not valid UTF-8',
          },
        },
      ],
    },
    found(
      'a body, joined and made to text, and to bytes',
      'decoded',
      get('const chunks = await all(req);', 'const text = «Buffer.concat(chunks).toString()»;', 'store(Buffer.from(text));', 'res.end();'),
    ),
    found(
      'a file, hashed in parts',
      'decoded',
      file(
        "const hash = crypto.createHash('md5').update('v1');",
        'hash.update(«String(await readFile(file))»);',
        "res.end(hash.digest('hex'));",
      ),
    ),
    found(
      'base64 by characters',
      'single',
      image(
        'const view = new Uint8Array(bytes);',
        "let text = '';",
        'for (let i = 0; i < view.byteLength; i++) {',
        '  «text += String.fromCharCode(view[i])»;',
        '}',
        'res.json({ image: btoa(text) });',
      ),
    ),
    found(
      'in a function of the file',
      'single',
      dedent`
        function toBase64(buffer) {
          let text = '';
          const view = new Uint8Array(buffer);
          const length = view.byteLength;
          for (let i = 0; i < length; i++) «text += String.fromCharCode(view[i])»;
          return btoa(text);
        }
        ${image('res.json({ image: toBase64(bytes) });')}
      `,
    ),
    found(
      'of each byte',
      'single',
      image("let text = '';", 'for (const byte of new Uint8Array(bytes)) «text += String.fromCharCode(byte)»;', 'res.end(btoa(text));'),
    ),
    found(
      'by `reduce`',
      'single',
      image("res.end(btoa(«new Uint8Array(bytes).reduce((text, byte) => text + String.fromCharCode(byte), '')»));"),
    ),
    found('all at once', 'single', image('res.end(btoa(«String.fromCharCode(...new Uint8Array(bytes))»));')),
    found('all at once, with `apply`', 'single', image('res.end(btoa(«String.fromCharCode.apply(null, new Uint8Array(bytes))»));')),
    found(
      'digits of each byte',
      'single',
      file('const data = await readFile(file);', "res.end(«Array.from(data)».map((byte) => byte.toString(16).padStart(2, '0')).join(''));"),
    ),
    found(
      'with a function',
      'single',
      image("res.end(btoa(«Array.from(new Uint8Array(bytes), (byte) => String.fromCodePoint(byte))».join('')));"),
    ),
    found('numbers and bytes again', 'single', image('res.end(Buffer.from(«[...new Uint8Array(bytes)]»));')),
    fixed(
      'the length of JSON',
      'encoded',
      COUNT,
      get("res.setHeader('content-length', «Buffer.from(JSON.stringify(req.body))».length);", 'res.end(JSON.stringify(req.body));'),
      get("res.setHeader('content-length', Buffer.byteLength(JSON.stringify(req.body)));", 'res.end(JSON.stringify(req.body));'),
    ),
    fixed(
      'of a variable',
      'encoded',
      COUNT,
      get('const text = JSON.stringify(req.body);', "if («Buffer.from(text, 'utf8')».byteLength > LIMIT) return next();", 'res.end(text);'),
      get('const text = JSON.stringify(req.body);', 'if (Buffer.byteLength(text) > LIMIT) return next();', 'res.end(text);'),
    ),
    found('with an encoder', 'encoded', get('res.json({ size: «new TextEncoder().encode(JSON.stringify(req.body))».length });')),
    found(
      'a body by its name, with an encoder in a variable',
      'encoded',
      get('const encoder = new TextEncoder();', 'const bytes = «encoder.encode(req.message.body)»;', 'res.json({ size: bytes.length });'),
    ),
    found('with a Blob', 'encoded', get('res.json({ size: «new Blob([JSON.stringify(req.body)])».size });')),
    found('counted later', 'encoded', get('const bytes = «Buffer.from(JSON.stringify(req.body))»;', 'res.json({ size: bytes.length });')),
    fixed(
      'a hash of a text',
      'encoded',
      'Hash the text itself',
      get("res.end(crypto.createHash('sha256').update(«Buffer.from(JSON.stringify(req.body))»).digest('hex'));"),
      get("res.end(crypto.createHash('sha256').update(JSON.stringify(req.body)).digest('hex'));"),
    ),
    found(
      'text, bytes, text',
      'encoded',
      get(
        'const answer = await fetch(`http://pages/${req.params.id}`);',
        'res.json(parse(«Buffer.from(await answer.text())».toString()));',
      ),
    ),
    fixed(
      'a copy of a file',
      'copied',
      BYTES,
      file('await store(«Buffer.from(await readFile(file))»);', 'res.end();'),
      file('await store(await readFile(file));', 'res.end();'),
    ),
    fixed(
      'a copy that is read on',
      'copied',
      BYTES,
      file("res.end(«Buffer.from(await readFile(file))».toString('base64'));"),
      file("res.end((await readFile(file)).toString('base64'));"),
    ),
    fixed(
      'a copy of a variable',
      'copied',
      BYTES,
      file('const data = await readFile(file);', "res.setHeader('content-length', data.length);", 'res.end(«Buffer.from(data)»);'),
      file('const data = await readFile(file);', "res.setHeader('content-length', data.length);", 'res.end(data);'),
    ),
    fixed(
      'joined alone',
      'copied',
      BYTES,
      file('res.end(«Buffer.concat([await readFile(file)])»);'),
      file('res.end(await readFile(file));'),
    ),
    fixed(
      'a view that is copied',
      'copied',
      'Use the ArrayBuffer itself',
      image('res.json(parse(«Buffer.from(new Uint8Array(bytes))»));'),
      image('res.json(parse(Buffer.from(bytes)));'),
    ),
    {
      name: 'a view in a variable, of which the first bytes are read',
      code: image(
        'const view = new Uint8Array(bytes);',
        'if (view[0] === 0xff) return next();',
        "res.end(«Buffer.from(view)».toString('base64'));",
      ),
      findings: [
        {
          messageId: 'copied',
          data: {
            call: 'Buffer.from',
            remedy: 'A view copies nothing: `Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)`',
          },
        },
      ],
    },
    found('a hash of a copy', 'copied', get("res.end(crypto.createHash('md5').update(«new Uint8Array(req.file.buffer)»).digest('hex'));"), {
      project: WITH_MULTER,
    }),
    fixed(
      'base64 and back',
      'copied',
      BYTES,
      file("await store(«Buffer.from((await readFile(file)).toString('base64'), 'base64')»);", 'res.end();'),
      file('await store(await readFile(file));', 'res.end();'),
    ),
    found(
      'in another function of the file',
      'copied',
      dedent`
        ${APP}function hashOf(data) {
          return crypto.createHash('md5').update(«new Uint8Array(data)»).digest('hex');
        }
        app.get('/:id', async (req, res) => {
          res.end(hashOf(await readFile(req.params.id)));
        });

      `,
    ),
  ],
};
