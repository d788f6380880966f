// Objects that are copied for each column: one of them costs nothing, and one for each row does.
import type { InvalidCase, ValidCase } from '../../analysis/testing/rule-tester.ts';
import { inHandler } from './cases-innocents.ts';

const COPY = '(all, name) => ({ ...all, [name]: row[name] }), {})';

export const innocentColumns: readonly ValidCase[] = [
  { name: 'the columns of one row', code: inHandler(`const { row } = req.body;`, `res.json(Object.keys(row).reduce(${COPY});`) },
  {
    name: 'the columns of a row in a list of unknown length',
    code: inHandler(`res.json(configured().map((row) => Object.keys(row).reduce(${COPY}));`),
  },
  { name: 'few columns of each row', code: inHandler(`res.json(req.body.rows.map((row) => ['a', 'b', 'c'].reduce(${COPY}));`) },
  {
    name: 'columns of each row that are added to one object',
    code: inHandler(
      'res.json(req.body.rows.map((row) => Object.keys(row).reduce((all, name) => { all[name] = row[name]; return all; }, {})));',
    ),
  },
  {
    name: 'a reduction with fixed keys for each row',
    code: inHandler('res.json(req.body.rows.map((row) => Object.keys(row).reduce((all, name) => ({ ...all, last: name }), {})));'),
  },
  {
    name: 'an event without rows',
    code: "exports.watch = (config) => config.on('change', (values) => { config.now = values.reduce((all, one) => ({ ...all, [one.name]: one }), {}); });\n",
  },
  {
    name: 'a row event that reduces the columns of its result, which are the same for all',
    code: "exports.read = (query) => query.on('row', (row, result) => { query.names ??= result.fields.reduce((all, one) => ({ ...all, [one.name]: one }), {}); });\n",
  },
];

const hint = (name: string, code: string, where: { route?: string } = {}): InvalidCase<'rows'> => ({
  name,
  code,
  findings: [{ messageId: 'rows', severity: 'hint', ...where }],
});

export const columnCases: readonly InvalidCase<'rows'>[] = [
  hint(
    'the columns of each row of a request',
    inHandler(
      'res.json(req.body.rows.map((row) => Object.keys(row).reduce((all, name) => («{ ...all, [name.trim()]: row[name] }»), {})));',
    ),
  ),
  hint(
    'the columns of each line of a file',
    inHandler(
      "const lines = require('fs').readFileSync('all.csv', 'utf8').split('\\n');",
      'const headers = lines[0].split(",");',
      'for (const line of lines) { const cells = line.split(","); use(headers.reduce((all, name, i) => («{ ...all, [name]: cells[i] }»), {})); }',
    ),
  ),
  hint(
    'the columns of each row that a driver streams',
    "exports.read = (request, stream) => { request.on('row', (row) => { stream.write(row.reduce((all, one) => («{ ...all, [one.metadata.colName]: one.value }»), {})); }); };\n",
  ),
  hint(
    'the fields of each record that a parser streams',
    "exports.read = (parser, use) => { parser.on('data', (row) => use(Object.entries(row).reduce((all, [name, value]) => «Object.assign({}, all, { [name]: value })», {}))); };\n",
  ),
];
