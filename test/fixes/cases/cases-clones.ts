// Copies that nobody needs are left out.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { FixCase, Request } from '../fix-case.ts';

const HEAD = `const express = require('express')
const app = express()
app.use(express.json({ type: () => true }))
const rows = [{ id: 1, name: 'Ada', since: new Date(0), tags: ['a'] }, { id: 2, name: 'Bo', since: new Date(1), tags: [] }]
const pool = { query: async (text) => ({ rows: text.includes('users') ? rows.map((row) => ({ ...row, tags: [...row.tags] })) : [] }) }
const load = () => ({ list: [{ id: 1, tags: [] }, { id: 2, tags: [] }] })
const kept = load()
`;
const SERVE = "\nexports.server = require('http').createServer(app)\n";
const json = (body: string): Request => ({ path: '/', method: 'POST', body });
const REQUESTS: FixCase['requests'] = [
  json('{"items":[{"price":2,"tags":["x"]},{"price":1,"tags":[]}],"text":"{\\"head\\":{},\\"list\\":[1,2]}"}'),
  json('{"items":[],"text":"[]"}'),
  json('[1,2]'),
  json('{"items":{"length":1},"text":"{\\"head\\":7}"}'),
  json('{"__proto__":{"items":[]},"items":null,"text":"nothing"}'),
];

const clone = (name: string, lines: readonly string[], fix: RegExp, expect: FixCase['expect']): FixCase => ({
  name: `clones: ${name}`,
  files: {
    'main.js': dedent`
      ${HEAD}app.post('/', async (req, res) => {
      ${lines.map((line) => `  ${line}\n`).join('')}})
      ${SERVE}
    `,
  },
  rule: 'no-deep-clone',
  fix,
  expect,
  requests: REQUESTS,
});

const VALUE = /^Use the value itself/;
const TOP = /^Copy the top level only/;
const QUERY = "const { rows } = await pool.query('SELECT * FROM users')";

export const cloneCases: readonly FixCase[] = [
  clone(
    'a body that is only read',
    [
      'const body = structuredClone(req.body)',
      'if (!body.items) return res.sendStatus(400)',
      'res.json({ items: body.items, all: req.body })',
    ],
    VALUE,
    'same',
  ),
  clone(
    'a body through JSON',
    ['const { items } = JSON.parse(JSON.stringify(req.body))', 'res.json({ items, sorted: req.body.items })'],
    VALUE,
    'same',
  ),
  clone(
    'a list that is only read',
    ['const items = structuredClone(req.body.items)', 'res.json(items.map((item) => item.price))'],
    VALUE,
    'same',
  ),
  clone(
    'parsed, and copied',
    ['const page = JSON.parse(req.body.text)', 'const own = structuredClone(page)', 'own.head.user = 1', 'res.json(own)'],
    VALUE,
    'same',
  ),
  clone(
    'parsed, checked, and copied through JSON',
    [
      'const page = JSON.parse(req.body.text)',
      'if (!page.head) return res.sendStatus(400)',
      'const own = JSON.parse(JSON.stringify(page))',
      'own.list.push(3)',
      'res.json(own)',
    ],
    VALUE,
    'same',
  ),
  clone(
    'rows that nobody else has',
    [QUERY, 'const own = structuredClone(rows)', "for (const row of own) row.tags.push('b')", 'res.json(own)'],
    VALUE,
    'same',
  ),
  clone(
    'rows of which a field is set',
    [
      QUERY,
      'const shown = rows.map((row) => {',
      '  const copy = structuredClone(row)',
      "  copy.name = 'hidden'",
      '  delete copy.since',
      '  return copy',
      '})',
      'res.json({ shown, rows })',
    ],
    TOP,
    'same',
  ),
  clone('a body whose top level is changed', ['const body = structuredClone(req.body)', 'delete body.text', 'res.json(body)'], TOP, {
    refused: /whether the value is an object or a list/,
  }),
  clone(
    'a list of the module',
    ['res.json(structuredClone(kept.list).filter((one) => one.tags.length === 0).map((one) => one.id))'],
    VALUE,
    { refused: /whether the value is plain data/ },
  ),
  clone(
    'rows that are kept',
    [
      QUERY,
      'const shown = []',
      'for (const row of rows) {',
      '  const copy = structuredClone(row)',
      "  copy.name = 'hidden'",
      '  shown.push(copy)',
      '}',
      'res.json({ shown, rows })',
    ],
    TOP,
    { refused: /the copy is passed on/ },
  ),
];
