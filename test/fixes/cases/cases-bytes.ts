// Bytes are no longer copied or made for nothing.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { FixCase, Request } from '../fix-case.ts';

const HEAD = `const express = require('express')
const { readFile } = require('fs/promises')
const { createHash } = require('crypto')
const path = require('path')
const app = express()
app.use(express.json({ type: () => true }))
const answer = async (text) => new Response(text)
`;
const SERVE = "\nexports.server = require('http').createServer(app)\n";
const json = (body: string): Request => ({ path: '/', method: 'POST', body });
const REQUESTS: FixCase['requests'] = [
  json('{"name":"a.txt","text":"Größe"}'),
  json('{"name":"a.txt","text":"\\ud800 alone"}'),
  json('{"name":"empty.txt","text":""}'),
  json('{"name":"gone.txt"}'),
  json('[1,2]'),
];

const bytes = (name: string, lines: readonly string[], fix: RegExp): FixCase => ({
  name: `bytes: ${name}`,
  files: {
    'main.js': dedent`
      ${HEAD}app.post('/', async (req, res) => {
        try {
      ${lines.map((line) => `    ${line}\n`).join('')}  } catch (error) {
          res.status(500).send(error.code)
        }
      })
      ${SERVE}
    `,
  },
  data: { 'a.txt': 'Größe „a“ 漢字', 'empty.txt': '' },
  rule: 'no-buffer-copy',
  fix,
  expect: 'same',
  requests: REQUESTS,
});

const BUFFER = /^Use the buffer itself/;
const FILE = 'const file = path.join(__dirname, req.body.name)';

export const byteCases: readonly FixCase[] = [
  bytes('the length of a text', ['const text = JSON.stringify(req.body)', 'res.json({ size: Buffer.from(text).length, text })'], /^Count/),
  bytes(
    'the hash of a text',
    ["res.send(createHash('sha256').update(Buffer.from(JSON.stringify(req.body))).digest('hex'))"],
    /^Hash the text/,
  ),
  bytes('a file', [FILE, "res.send(Buffer.from(await readFile(file)).toString('base64'))"], BUFFER),
  bytes(
    'a file whose copy is changed',
    [FILE, 'const data = await readFile(file)', 'const copy = Buffer.from(data)', 'copy.reverse()', "res.send(copy.toString('hex'))"],
    BUFFER,
  ),
  bytes('a file, joined alone', [FILE, 'res.send(Buffer.concat([await readFile(file)]))'], BUFFER),
  bytes(
    'a view of an answer',
    ['const got = await answer(req.body.text)', "res.send(Buffer.from(new Uint8Array(await got.arrayBuffer())).toString('hex'))"],
    /^Use the ArrayBuffer/,
  ),
];
