// What was computed or read is used again, removed, or asked for later.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { FixCase } from '../fix-case.ts';

const HEAD = `const app = require('express')()
const crypto = require('node:crypto')
const rows = [{ id: '1', name: 'Ada', tags: ['a'] }, { id: '2', name: 'Bo', tags: [] }]
const pool = { query: async (text, values = []) => ({ rows: structuredClone(rows.filter(({ id }) => values.length === 0 || id === values[0])) }) }
`;
const SERVE = "\nexports.server = require('http').createServer(app)\n";
const REQUESTS: FixCase['requests'] = [
  { path: '/?id=1&text=%7B%22a%22%3A1%7D' },
  { path: '/?id=2&full=1&text=%7B%22a%22%3A%5B2%5D%7D' },
  [{ path: '/?id=3&text=%7B%7D' }, { path: '/?id=1&full=1&text=3' }],
];

const redundant = (name: string, lines: readonly string[], fix: RegExp, expect: FixCase['expect']): FixCase => ({
  name: `redundant: ${name}`,
  files: {
    'main.js': dedent`
      ${HEAD}app.get('/', async (req, res) => {
      ${lines.map((line) => `  ${line}\n`).join('')}})
      ${SERVE}
    `,
  },
  rule: 'no-redundant-work',
  fix,
  expect,
  requests: REQUESTS,
});

const REUSE = /^Use the first result/;
const MOVE = /^Move it below/;
const REMOVE = /^Remove what nothing uses/;
const QUERY = "await pool.query('SELECT * FROM users WHERE id = $1', [req.query.id])";

export const redundantCases: readonly FixCase[] = [
  redundant(
    'a hash',
    [
      "const key = crypto.createHash('sha256').update(req.query.text).digest('hex')",
      "res.set('ETag', key)",
      "res.json({ key: crypto.createHash('sha256').update(req.query.text).digest('hex') })",
    ],
    REUSE,
    'same',
  ),
  redundant(
    'an object that is only read',
    [
      'const data = JSON.parse(req.query.text)',
      'if (data.a === undefined) return res.sendStatus(400)',
      'res.json(JSON.parse(req.query.text).a)',
    ],
    REUSE,
    'same',
  ),
  redundant(
    'an object of which a part is changed by another name',
    [
      'const data = JSON.parse(req.query.text)',
      'const list = data.a',
      'const old = JSON.parse(req.query.text)',
      'if (Array.isArray(list)) list.push(3)',
      'res.json(old)',
    ],
    REUSE,
    { refused: /both results are separate objects/ },
  ),
  redundant(
    'rows that are only read',
    [`const found = ${QUERY}`, 'if (found.rows.length === 0) return res.sendStatus(404)', `res.json((${QUERY}).rows)`],
    REUSE,
    'same',
  ),
  redundant(
    'a text in a loop',
    [
      'const text = JSON.stringify(req.query)',
      'let size = text.length',
      'for (let i = 0; i < 3; i++) size += JSON.stringify(req.query).length',
      'res.json({ size })',
    ],
    REUSE,
    'same',
  ),
  redundant(
    'a read before a condition',
    [`const found = ${QUERY}`, 'if (!req.query.full) return res.sendStatus(403)', 'res.json(found.rows)'],
    MOVE,
    'same',
  ),
  redundant(
    'a read before a condition and a variable of its own',
    [
      `const { rows: [user] } = ${QUERY}`,
      'const { full } = req.query',
      'if (!full) {',
      '  return res.sendStatus(403)',
      '}',
      'res.json({ user, full })',
    ],
    MOVE,
    'same',
  ),
  redundant(
    'a condition that may have to run later',
    [
      'let asked = 0',
      'const allows = () => asked++ > 0 || req.query.full === "1"',
      `const found = ${QUERY}`,
      'if (!allows()) return res.sendStatus(403)',
      'res.json(found.rows)',
    ],
    MOVE,
    { refused: /the condition calls a function/ },
  ),
  redundant('rows that nothing uses', [`const found = ${QUERY}`, 'res.json({ id: req.query.id })'], REMOVE, 'same'),
  redundant(
    'a query of a name that is not declared, which always throws',
    ["const ages = await pool.query('SELECT age FROM users WHERE id = $1', [req.query.id, nickname])", "res.send('ok')"],
    REMOVE,
    { refused: /`nickname` is not declared/ },
  ),
  redundant(
    'a query of what may be missing',
    [
      `const { rows: [user] } = ${QUERY}`,
      "const ages = await pool.query('SELECT age FROM users WHERE name = $1', [user.name])",
      'res.json(user)',
    ],
    REMOVE,
    { refused: /throws if there is no `user`/ },
  ),
];
