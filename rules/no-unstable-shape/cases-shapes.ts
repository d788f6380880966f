import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import type { MessageId } from './messages.ts';

/** Records of several shapes, replaced prototypes, sparse arrays, loops past the end. */
export const shapes: readonly InvalidCase<MessageId>[] = [
  {
    name: 'one field on some paths is a hint',
    code: 'export function make(rows) {\n  const list = [];\n  for (const row of rows) {\n    const one = «{ id: row.id }»;\n    if (row.name) one.name = row.name;\n    list.push(one);\n  }\n  return list;\n}',
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        data: { shapes: '2', fields: '`name`' },
        related: ['adds `name`, on some paths only'],
        fixes: [
          {
            kind: 'suggestion',
            title: 'Give every record `name` from the start, as undefined (the keys then always exist)',
            output:
              'export function make(rows) {\n  const list = [];\n  for (const row of rows) {\n    const one = { id: row.id, name: undefined };\n    if (row.name) one.name = row.name;\n    list.push(one);\n  }\n  return list;\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'three fields on some paths and a loop that reads the records',
    code: 'export function total(rows) {\n  const all = rows.map((row) => {\n    const one = «{\n      id: row.id, // the key\n    }»;\n    if (row.a) one.a = row.a;\n    if (row.b) {\n      one.b = row.b;\n    }\n    row.c && (one.c = row.c);\n    return one;\n  });\n  let sum = 0;\n  for (const one of all) sum += one.id;\n  return sum;\n}',
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'warning',
        data: { shapes: '8', fields: '`a`, `b` and `c`' },
        related: ['adds `a`', 'adds `b`', 'adds `c`', 'read in a loop here'],
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function total(rows) {\n  const all = rows.map((row) => {\n    const one = {\n      id: row.id, // the key\n      a: undefined,\n      b: undefined,\n      c: undefined,\n    };\n    if (row.a) one.a = row.a;\n    if (row.b) {\n      one.b = row.b;\n    }\n    row.c && (one.c = row.c);\n    return one;\n  });\n  let sum = 0;\n  for (const one of all) sum += one.id;\n  return sum;\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'many shapes that nobody here reads are a hint',
    code: 'export const toDto = (rows) => rows.map((row) => {\n  const dto = «{}»\n  dto.id = row.id\n  if (row.a) dto.a = row.a\n  if (row.b) dto.b = row.b\n  if (row.c) dto.c = row.c\n  return dto\n})',
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        data: { shapes: '8' },
        related: ['`a`', '`b`', '`c`'],
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export const toDto = (rows) => rows.map((row) => {\n  const dto = { a: undefined, b: undefined, c: undefined }\n  dto.id = row.id\n  if (row.a) dto.a = row.a\n  if (row.b) dto.b = row.b\n  if (row.c) dto.c = row.c\n  return dto\n})',
          },
        ],
      },
    ],
  },
  {
    name: 'the same test counts once, other branches and a switch count each',
    code: "export function* parts(tokens) {\n  for (const token of tokens) {\n    const part = «{ text: token.text }»;\n    if (token.isName) part.name = token.text;\n    if (!token.isName) part.other = true;\n    switch (token.kind) {\n      case 'a':\n        part.a = 1;\n        break;\n      case 'b':\n        part.b = 1;\n    }\n    yield part;\n  }\n}",
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        data: { shapes: '6', fields: '`name`, `other` and 2 more' },
        fixes: [
          {
            kind: 'suggestion',
            output:
              "export function* parts(tokens) {\n  for (const token of tokens) {\n    const part = { text: token.text, name: undefined, other: undefined, a: undefined, b: undefined };\n    if (token.isName) part.name = token.text;\n    if (!token.isName) part.other = true;\n    switch (token.kind) {\n      case 'a':\n        part.a = 1;\n        break;\n      case 'b':\n        part.b = 1;\n    }\n    yield part;\n  }\n}",
          },
        ],
      },
    ],
  },
  {
    name: 'instances of a class',
    code: 'class Point {\n  constructor(x) {\n    this.x = x;\n  }\n}\nexport function points(rows) {\n  return rows.map((row) => {\n    const point = «new Point(row.x)»;\n    if (row.label) point.label = row.label;\n    if (row.color) point.color = row.color;\n    return point;\n  });\n}',
    findings: [{ messageId: 'conditionalFields', data: { shapes: '4' }, fixes: [], refused: ['belong into the class'] }],
  },
  {
    name: 'a literal without a comma at its end',
    code: 'export function make(rows) {\n\treturn rows.map((row) => {\n\t\tconst one = «{\n\t\t\tid: row.id,\n\t\t\tname: row.name // as typed\n\t\t}»\n\t\tif (row.big) one.big = true\n\t\treturn one\n\t})\n}',
    findings: [
      {
        messageId: 'conditionalFields',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function make(rows) {\n\treturn rows.map((row) => {\n\t\tconst one = {\n\t\t\tid: row.id,\n\t\t\tname: row.name, // as typed\n\t\t\tbig: undefined\n\t\t}\n\t\tif (row.big) one.big = true\n\t\treturn one\n\t})\n}',
          },
        ],
      },
    ],
  },

  {
    name: 'a constructor that adds fields on some paths',
    code: 'class Line {\n  constructor(row) {\n    this.price = row.price;\n    if (row.tax) this.tax = row.tax;\n    if (row.note) {\n      this.note = row.note;\n    }\n  }\n}\nexport const lines = (rows) => rows.map((row) => new Line(row));'.replace(
      'constructor',
      '«constructor»',
    ),
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        data: { shapes: '4', fields: '`tax` and `note`' },
        related: ['adds `tax`', 'adds `note`'],
        fixes: [
          {
            kind: 'suggestion',
            output:
              'class Line {\n  constructor(row) {\n    this.tax = undefined;\n    this.note = undefined;\n    this.price = row.price;\n    if (row.tax) this.tax = row.tax;\n    if (row.note) {\n      this.note = row.note;\n    }\n  }\n}\nexport const lines = (rows) => rows.map((row) => new Line(row));',
          },
        ],
      },
    ],
  },
  {
    name: 'a constructor function that adds fields in two orders',
    code: 'function «Pair»(row) {\n  if (row.swapped) {\n    this.b = row.b;\n    this.a = row.a;\n  } else {\n    this.a = row.a;\n    this.b = row.b;\n  }\n}\nexports.pairs = function (rows) {\n  return rows.map((row) => new Pair(row));\n};',
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        data: { shapes: '2', fields: '`b` and `a`', how: 'in another order on some paths' },
        fixes: [
          {
            kind: 'suggestion',
            title: 'Give every record `b` and `a` from the start, as undefined',
            output:
              'function Pair(row) {\n  this.b = undefined;\n  this.a = undefined;\n  if (row.swapped) {\n    this.b = row.b;\n    this.a = row.a;\n  } else {\n    this.a = row.a;\n    this.b = row.b;\n  }\n}\nexports.pairs = function (rows) {\n  return rows.map((row) => new Pair(row));\n};',
          },
        ],
      },
    ],
  },
  {
    name: 'a constructor that must call another first',
    code: 'export class Item extends Base {\n  «constructor»(row) {\n    super(row);\n    if (row.a) this.a = 1;\n    else if (row.b) return;\n    this.c = 1;\n  }\n}\nexport function items(rows) {\n  const list = [];\n  for (const row of rows) list.push(new Item(row));\n  return list;\n}',
    findings: [{ messageId: 'conditionalFields', data: { shapes: '3' }, fixes: [], refused: ['base class comes first'] }],
  },
  {
    name: 'fields in two orders on two paths',
    code: 'export function make(rows) {\n  return rows.map((row) => {\n    const one = «{}»;\n    if (row.first) {\n      one.a = 1;\n      one.b = 2;\n    } else {\n      one.b = 1;\n      one.a = 2;\n    }\n    return one;\n  });\n}',
    findings: [
      {
        messageId: 'conditionalFields',
        data: { how: 'in another order on some paths' },
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function make(rows) {\n  return rows.map((row) => {\n    const one = { a: undefined, b: undefined };\n    if (row.first) {\n      one.a = 1;\n      one.b = 2;\n    } else {\n      one.b = 1;\n      one.a = 2;\n    }\n    return one;\n  });\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'two orders in one list',
    code: 'export function params(api) {\n  const all = [];\n  for (const one of api.query) all.push({ name: one.name, type: one.type });\n  for (const one of api.form) all.push(«{ type: one.type, name: one.name }»);\n  return all;\n}',
    findings: [
      {
        messageId: 'keyOrder',
        severity: 'hint',
        data: { place: '`all`' },
        related: ['the same keys in another order'],
        fixes: [
          {
            kind: 'suggestion',
            title: 'Write the keys in the order of the other literal (Object.keys and JSON text change their order)',
            output:
              'export function params(api) {\n  const all = [];\n  for (const one of api.query) all.push({ name: one.name, type: one.type });\n  for (const one of api.form) all.push({ name: one.name, type: one.type });\n  return all;\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'two orders from one function, whose values are calls',
    code: 'function toPoint(row) {\n  if (row.swapped) return { y: read(row), x: read(row) };\n  return «{ x: read(row), y: read(row) }»;\n}\nexport const points = (rows) => rows.map(toPoint);',
    findings: [{ messageId: 'keyOrder', related: ['another order', ''], fixes: [], refused: ['worked out in the order of the keys'] }],
  },
  {
    name: 'two orders into one parameter, with a comment between the keys',
    code: 'function area(size) {\n  return size.w * size.h;\n}\nexport function sum(rows) {\n  let all = 0;\n  for (const row of rows) all += row.flat ? area({ w: row.a, h: 1 }) : area(«{ h: row.a, /* square */ w: row.a }»);\n  return all;\n}',
    findings: [{ messageId: 'keyOrder', data: { place: 'the parameter `size`' }, fixes: [], refused: ['comments stand between the keys'] }],
  },
  {
    name: 'two orders in one variable',
    code: 'export function sum(rows) {\n  let all = 0;\n  for (const row of rows) {\n    const size = row.flat ? { w: row.a, h: 1 } : «{ h: row.a, w: row.a }»;\n    all += size.w * size.h;\n  }\n  return all;\n}',
    findings: [
      {
        messageId: 'keyOrder',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function sum(rows) {\n  let all = 0;\n  for (const row of rows) {\n    const size = row.flat ? { w: row.a, h: 1 } : { w: row.a, h: row.a };\n    all += size.w * size.h;\n  }\n  return all;\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'five orders are past the cliff',
    code: 'export function all(rows) {\n  const list = [];\n  for (const row of rows) {\n    list.push({ a: 1, b: 2, c: row });\n    list.push(«{ a: 1, c: row, b: 2 }»);\n    list.push({ b: 2, a: 1, c: row });\n    list.push({ b: 2, c: row, a: 1 });\n    list.push({ c: row, a: 1, b: 2 });\n  }\n  return list;\n}',
    findings: [
      {
        messageId: 'keyOrder',
        severity: 'warning',
        related: ['the same keys', 'a further one', 'a further one', 'a further one'],
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function all(rows) {\n  const list = [];\n  for (const row of rows) {\n    list.push({ a: 1, b: 2, c: row });\n    list.push({ a: 1, b: 2, c: row });\n    list.push({ a: 1, b: 2, c: row });\n    list.push({ a: 1, b: 2, c: row });\n    list.push({ a: 1, b: 2, c: row });\n  }\n  return list;\n}',
          },
        ],
      },
    ],
  },

  {
    name: 'a prototype for every row',
    code: 'export function wrap(rows, proto) {\n  for (const row of rows) «Object.setPrototypeOf(row, proto)»;\n  return rows;\n}',
    findings: [{ messageId: 'replacedPrototype', severity: 'warning', fixes: [], refused: ['made elsewhere'] }],
  },
  {
    name: 'by __proto__, on Node versions where it costs less',
    project: { nodeRange: '>=24' },
    code: 'export function wrap(rows, proto) {\n  rows.forEach((row) => {\n    «row.__proto__ = proto»;\n  });\n}',
    findings: [{ messageId: 'replacedPrototype', severity: 'hint', fixes: [], refused: ['made elsewhere'] }],
  },
  {
    name: 'a prototype for every request',
    code: "import { createServer } from 'node:http';\ncreateServer((req, res) => {\n  «Object.setPrototypeOf(req, proto)»;\n  res.end();\n}).listen(3000);",
    findings: [{ messageId: 'replacedPerRequest', severity: 'warning', fixes: [], refused: ['made elsewhere'] }],
  },

  {
    name: 'a prototype for every request, on Node versions where it costs less',
    project: { nodeRange: '>=24' },
    code: "import { createServer } from 'node:http';\ncreateServer((req, res) => {\n  «Reflect.setPrototypeOf(res, proto)»;\n  res.end();\n}).listen(3000);",
    findings: [{ messageId: 'replacedPerRequest', severity: 'hint', fixes: [], refused: ['made elsewhere'] }],
  },
  {
    name: 'an index far past the end',
    code: 'export function make() {\n  const list = [1, 2, 3];\n  «list[5e7] = 1»;\n  return list;\n}',
    findings: [
      {
        messageId: 'sparseArray',
        severity: 'warning',
        data: { what: '`list[50000000]` lies more than 1,024 places past the end.' },
        fixes: [],
        refused: ['every read and write'],
      },
    ],
  },
  {
    name: 'an index just past the gap, and a length past the limit',
    code: 'export function make() {\n  const list = [];\n  «list[1024] = 1»;\n  const other = [];\n  «other.length = 40_000_000»;\n  const table = «new Array(64 * 1024 * 1024)»;\n  return [list, other, table];\n}',
    findings: [
      { messageId: 'sparseArray', fixes: [], refused: ['every read'] },
      {
        messageId: 'sparseArray',
        data: { what: 'This gives `other` 40,000,000 places at once; past 33,554,432 they are not set aside.' },
        fixes: [],
        refused: ['every read'],
      },
      {
        messageId: 'sparseArray',
        data: { what: 'This gives `table` 67,108,864 places at once; past 33,554,432 they are not set aside.' },
        fixes: [],
        refused: ['every read'],
      },
    ],
  },

  {
    name: 'a read past the end',
    code: 'export function sum(rows) {\n  let all = 0;\n  for (let i = 0; «i <= rows.length»; i++) all += rows[i] | 0;\n  return all;\n}',
    findings: [
      {
        messageId: 'overrunRead',
        severity: 'warning',
        data: { list: 'rows', index: 'i', end: 'rows.length' },
        related: ['undefined in the last round'],
        fixes: [
          {
            kind: 'suggestion',
            title: 'Stop at `i < rows.length` (leaves out the round that reads undefined)',
            output:
              'export function sum(rows) {\n  let all = 0;\n  for (let i = 0; i < rows.length; i++) all += rows[i] | 0;\n  return all;\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'the other way round, in a while loop, over a length that was kept',
    code: 'export function print(list) {\n  const n = list.length;\n  let i = 0;\n  while («n >= i») {\n    show(list[i]);\n    i++;\n  }\n}',
    findings: [
      {
        messageId: 'overrunRead',
        fixes: [
          {
            kind: 'suggestion',
            output:
              'export function print(list) {\n  const n = list.length;\n  let i = 0;\n  while (n > i) {\n    show(list[i]);\n    i++;\n  }\n}',
          },
        ],
      },
    ],
  },
  {
    name: 'a list of an object',
    code: 'export class Bag {\n  sum() {\n    let all = 0;\n    for (let i = 0; «i /* all */ <= this.items.length»; i++) all += this.items[i].n;\n    return all;\n  }\n}',
    findings: [{ messageId: 'overrunRead', data: { list: 'this.items' }, fixes: [], refused: ['a comment stands beside'] }],
  },
  {
    name: 'code that asks for undefined may mean it: a hint',
    code: 'export function names(rows) {\n  for (let i = 0; «i <= rows.length»; i++) {\n    const row = rows[i];\n    if (row) use(row.name);\n  }\n}',
    findings: [{ messageId: 'overrunRead', severity: 'hint', fixes: [], refused: ['may be meant'] }],
  },
];
