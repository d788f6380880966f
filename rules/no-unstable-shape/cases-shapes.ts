// Fields on some paths only, key orders, replaced prototypes, sparse arrays, and reads past the end.
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import type { MessageId } from './messages.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** Records of several shapes, replaced prototypes, sparse arrays, loops past the end. */
export const shapes: readonly InvalidCase<MessageId>[] = [
  {
    name: 'one field on some paths is a hint',
    code: dedent`
      export function make(rows) {
        const list = [];
        for (const row of rows) {
          const one = «{ id: row.id }»;
          if (row.name) one.name = row.name;
          list.push(one);
        }
        return list.filter((one) => one.id > 0);
      }
    `,
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        data: { shapes: '2', count: 'up to 2', fields: '`name`' },
        related: ['adds `name`, only on some paths', 'read in a loop here'],
        refused: ['a caller that gets what line 8 returns'],
      },
    ],
  },
  {
    name: 'more combinations than are counted',
    code: dedent`
      export function make(rows) {
        const list = [];
        for (const row of rows) {
          const one = «{ id: row.id }»;
          if (row.a) one.a = row.a;
          if (row.b) one.b = row.b;
          if (row.c) one.c = row.c;
          if (row.d) one.d = row.d;
          if (row.e) one.e = row.e;
          if (row.f) one.f = row.f;
          if (row.g) one.g = row.g;
          list.push(one);
        }
        return list.filter((one) => one.id > 0);
      }
    `,
    findings: [
      {
        messageId: 'conditionalFields',
        data: { count: 'dozens of', fields: '`a`, `b` and 5 more' },
        refused: ['a caller that gets what line 14 returns'],
      },
    ],
  },
  {
    name: 'three fields on some paths and a loop that reads the records',
    code: dedent`
      export function total(rows) {
        const all = rows.map((row) => {
          const one = «{
            id: row.id, // the key
          }»;
          if (row.a) one.a = row.a;
          if (row.b) {
            one.b = row.b;
          }
          row.c && (one.c = row.c);
          return one;
        });
        let sum = 0;
        for (const one of all) sum += one.id;
        return sum;
      }
    `,
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        data: { shapes: '8', fields: '`a`, `b` and `c`' },
        related: ['adds `a`', 'adds `b`', 'adds `c`', 'read in a loop here'],
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
        export function total(rows) {
          const all = rows.map((row) => {
            const one = {
              id: row.id, // the key
              a: row.a || undefined,
              b: row.b || undefined,
              c: row.c || undefined,
            };
            return one;
          });
          let sum = 0;
          for (const one of all) sum += one.id;
          return sum;
        }
`,
          },
        ],
      },
    ],
  },
  {
    name: 'many shapes that nobody here reads are a hint',
    code: dedent`
      export const toDto = (rows) => rows.map((row) => {
        const dto = «{}»
        dto.id = row.id
        if (row.a) dto.a = row.a
        if (row.b) dto.b = row.b
        if (row.c) dto.c = row.c
        return dto
      })
    `,
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        data: { shapes: '8' },
        related: ['`a`', '`b`', '`c`'],
        refused: ['a caller that gets what line 1 returns'],
      },
    ],
  },
  {
    name: 'a tick of prices that is called an update, and goes into no other record',
    code: dedent`
      export function collect(ticks) {
        const out = [];
        for (const tick of ticks) {
          const update = «{ at: tick.at }»;
          if (tick.bid) update.bid = tick.bid;
          if (tick.ask) update.ask = tick.ask;
          if (tick.open) update.open = tick.open;
          out.push(update);
        }
        return out;
      }
    `,
    findings: [{ messageId: 'conditionalFields', data: { shapes: '8' }, refused: ['a caller that gets'] }],
  },
  {
    name: 'a project below a folder of migrations',
    file: 'migrations/prices/src/collect.js',
    project: { root: '/project/migrations/prices' },
    code: dedent`
      export function collect(ticks) {
        const out = [];
        for (const tick of ticks) {
          const row = «{ at: tick.at }»;
          if (tick.bid) row.bid = tick.bid;
          if (tick.ask) row.ask = tick.ask;
          if (tick.open) row.open = tick.open;
          out.push(row);
        }
        return out;
      }
    `,
    findings: [{ messageId: 'conditionalFields', data: { shapes: '8' }, refused: ['a caller that gets'] }],
  },
  {
    name: 'own keys that are asked for before the record is made say nothing of it',
    code: dedent`
      export function toDtos(body, rows) {
        if (!Object.hasOwn(body, 'full')) return [];
        return rows.map((row) => {
          const dto = «{ id: row.id }»;
          if (row.a) dto.a = row.a;
          if (row.b) dto.b = row.b;
          if (row.c) dto.c = row.c;
          return dto;
        });
      }
    `,
    findings: [{ messageId: 'conditionalFields', data: { shapes: '8' }, refused: ['a caller that gets what line 3 returns'] }],
  },
  {
    name: 'the same test counts once, other branches and a switch count each',
    code: dedent`
      export function* parts(tokens) {
        for (const token of tokens) {
          const part = «{ text: token.text }»;
          if (token.isName) part.name = token.text;
          if (!token.isName) part.other = true;
          switch (token.kind) {
            case 'a':
              part.a = 1;
              break;
            case 'b':
              part.b = 1;
          }
          yield part;
        }
      }
    `,
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        data: { shapes: '6', fields: '`name`, `other` and 2 more' },
        refused: ['among other statements of a branch'],
      },
    ],
  },
  {
    name: 'instances of a class',
    code: dedent`
      class Point {
        constructor(x) {
          this.x = x;
        }
      }
      export function points(rows) {
        const all = rows.map((row) => {
          const point = «new Point(row.x)»;
          if (row.label) point.label = row.label;
          if (row.color) point.color = row.color;
          return point;
        });
        return all.filter((point) => point.x > 0);
      }
    `,
    findings: [{ messageId: 'conditionalFields', data: { shapes: '4' }, fixes: [], refused: ['belong in the class'] }],
  },
  {
    name: 'a literal without a comma at its end',
    code: 'export function make(rows) {\n\tconst all = rows.map((row) => {\n\t\tconst one = «{\n\t\t\tid: row.id,\n\t\t\tname: row.name // as typed\n\t\t}»\n\t\tif (row.big) one.big = true\n\t\treturn one\n\t})\n\treturn all.filter((one) => one.id > 0)\n}',
    findings: [
      {
        messageId: 'conditionalFields',
        refused: ['a caller that gets what line 10 returns'],
      },
    ],
  },

  {
    name: 'a constructor that adds fields on some paths',
    code: dedent`
      class Line {
        constructor(row) {
          this.price = row.price;
          if (row.tax) this.tax = row.tax;
          if (row.note) {
            this.note = row.note;
          }
        }
      }
      export const lines = (rows) => rows.map((row) => new Line(row));
    `.replace('constructor', '«constructor»'),
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        data: { shapes: '4', fields: '`tax` and `note`' },
        related: ['adds `tax`', 'adds `note`'],
        refused: ['a caller that gets what line 10 returns'],
      },
    ],
  },
  {
    name: 'a constructor of a class that this file keeps to itself',
    code: dedent`
      class Line {
        constructor(row) {
          this.price = row.price;
          if (row.tax) this.tax = row.tax;
          if (row.price > 10) {
            this.note = row.note.trim();
          }
        }
      }
      export function total(rows) {
        let sum = 0;
        for (const line of rows.map((row) => new Line(row))) sum += line.price + line.tax;
        return sum;
      }
    `.replace('constructor', '«constructor»'),
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Give every record `tax` and `note` from the start (the keys then always exist)',
            output: dedent`
              class Line {
                constructor(row) {
                  this.price = row.price;
                  this.tax = row.tax || undefined;
                  this.note = row.price > 10 ? row.note.trim() : undefined;
                }
              }
              export function total(rows) {
                let sum = 0;
                for (const line of rows.map((row) => new Line(row))) sum += line.price + line.tax;
                return sum;
              }
            `,
          },
        ],
      },
    ],
  },
  ...(
    [
      ['tax?: number | undefined', true],
      ['tax?: number', false],
    ] as const
  ).map(([type, isKnown]): InvalidCase<MessageId> => {
    const code = (field: string): string => dedent`
      interface Line { price: number; ${type} }
      export function total(rows: Line[]): number {
        const lines: Line[] = [];
        for (const row of rows) {
          ${field}
          lines.push(line);
        }
        return lines.reduce((sum, line) => sum + line.price, 0);
      }
    `;
    const before = 'const line: Line = «{ price: row.price }»;\n    if (row.tax !== undefined) line.tax = row.tax;';
    return {
      name: `in TypeScript, ${type}`,
      file: 'src/a.ts',
      code: code(before),
      findings: [
        isKnown
          ? {
              messageId: 'conditionalFields',
              severity: 'hint',
              fixes: [{ kind: 'suggestion', output: code('const line: Line = { price: row.price, tax: row.tax };') }],
            }
          : { messageId: 'conditionalFields', severity: 'hint', refused: ['the type of `tax` is not known to allow `undefined`'] },
      ],
    };
  }),
  {
    name: 'a constructor function that adds fields in two orders',
    code: dedent`
      function «Pair»(row) {
        if (row.swapped) {
          this.b = row.b;
          this.a = row.a;
        } else {
          this.a = row.a;
          this.b = row.b;
        }
      }
      exports.pairs = function (rows) {
        return rows.map((row) => new Pair(row));
      };
    `,
    findings: [
      {
        messageId: 'conditionalFields',
        severity: 'hint',
        data: { shapes: '2', fields: '`b` and `a`', how: 'in a different order on some paths' },
        refused: ['in different orders'],
      },
    ],
  },
  {
    name: 'a constructor that must call another first',
    code: dedent`
      export class Item extends Base {
        «constructor»(row) {
          super(row);
          if (row.a) this.a = 1;
          else if (row.b) return;
          this.c = 1;
        }
      }
      export function items(rows) {
        const list = [];
        for (const row of rows) list.push(new Item(row));
        return list;
      }
    `,
    findings: [{ messageId: 'conditionalFields', data: { shapes: '3' }, fixes: [], refused: ['base class runs first'] }],
  },
  {
    name: 'fields in two orders on two paths',
    code: dedent`
      export function make(rows) {
        const all = rows.map((row) => {
          const one = «{}»;
          if (row.first) {
            one.a = 1;
            one.b = 2;
          } else {
            one.b = 1;
            one.a = 2;
          }
          return one;
        });
        return all.filter((one) => one.a > 0);
      }
    `,
    findings: [
      {
        messageId: 'conditionalFields',
        data: { how: 'in a different order on some paths' },
        refused: ['in different orders'],
      },
    ],
  },
  {
    name: 'two orders in one list',
    code: dedent`
      export function params(api) {
        const all = [];
        for (const one of api.query) all.push({ name: one.name, type: one.type });
        for (const one of api.form) all.push(«{ type: one.type, name: one.name }»);
        return all;
      }
    `,
    findings: [
      {
        messageId: 'keyOrder',
        severity: 'hint',
        data: { place: '`all`' },
        related: ['the same keys in a different order'],
        refused: ['a caller that gets what line 5 returns'],
      },
    ],
  },
  {
    name: 'two orders from one function, whose values are calls',
    code: dedent`
      function toPoint(row) {
        if (row.swapped) return { y: read(row), x: read(row) };
        return «{ x: read(row), y: read(row) }»;
      }
      export const points = (rows) => rows.map(toPoint);
    `,
    findings: [{ messageId: 'keyOrder', related: ['a different order', ''], fixes: [], refused: ['evaluated in the order of the keys'] }],
  },
  {
    name: 'two orders into one parameter, with a comment between the keys',
    code: dedent`
      function area(size) {
        return size.w * size.h;
      }
      export function sum(rows) {
        let all = 0;
        for (const row of rows) all += row.flat ? area({ w: row.a, h: 1 }) : area(«{ h: row.a, /* square */ w: row.a }»);
        return all;
      }
    `,
    findings: [
      { messageId: 'keyOrder', data: { place: 'the parameter `size`' }, fixes: [], refused: ['there are comments between the keys'] },
    ],
  },
  {
    name: 'two orders in one variable',
    code: dedent`
      export function sum(rows) {
        let all = 0;
        for (const row of rows) {
          const size = row.flat ? { w: row.a, h: 1 } : «{ h: row.a, w: row.a }»;
          all += size.w * size.h;
        }
        return all;
      }
    `,
    findings: [
      {
        messageId: 'keyOrder',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                export function sum(rows) {
                  let all = 0;
                  for (const row of rows) {
                    const size = row.flat ? { w: row.a, h: 1 } : { w: row.a, h: row.a };
                    all += size.w * size.h;
                  }
                  return all;
                }
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'five orders are past the cliff',
    code: dedent`
      export function all(rows) {
        const list = [];
        for (const row of rows) {
          list.push({ a: 1, b: 2, c: row });
          list.push(«{ a: 1, c: row, b: 2 }»);
          list.push({ b: 2, a: 1, c: row });
          list.push({ b: 2, c: row, a: 1 });
          list.push({ c: row, a: 1, b: 2 });
        }
        return list;
      }
    `,
    findings: [
      {
        messageId: 'keyOrder',
        severity: 'hint',
        related: ['the same keys', 'yet another order', 'yet another order', 'yet another order'],
        refused: ['a caller that gets what line 10 returns'],
      },
    ],
  },

  {
    name: 'a prototype for every row',
    code: dedent`
      export function wrap(rows, proto) {
        for (const row of rows) «Object.setPrototypeOf(row, proto)»;
        return rows;
      }
    `,
    findings: [{ messageId: 'replacedPrototype', severity: 'hint', fixes: [], refused: ['created elsewhere'] }],
  },
  {
    name: 'by __proto__, on Node versions where it costs less',
    project: { nodeRange: '>=24' },
    code: dedent`
      export function wrap(rows, proto) {
        rows.forEach((row) => {
          «row.__proto__ = proto»;
        });
      }
    `,
    findings: [{ messageId: 'replacedPrototype', severity: 'hint', fixes: [], refused: ['created elsewhere'] }],
  },
  {
    name: 'a prototype for every request',
    code: dedent`
      import { createServer } from 'node:http';
      createServer((req, res) => {
        «Object.setPrototypeOf(req, proto)»;
        res.end();
      }).listen(3000);
    `,
    findings: [{ messageId: 'replacedPerRequest', severity: 'hint', fixes: [], refused: ['created elsewhere'] }],
  },

  {
    name: 'a prototype for every request, on Node versions where it costs less',
    project: { nodeRange: '>=24' },
    code: dedent`
      import { createServer } from 'node:http';
      createServer((req, res) => {
        «Reflect.setPrototypeOf(res, proto)»;
        res.end();
      }).listen(3000);
    `,
    findings: [{ messageId: 'replacedPerRequest', severity: 'hint', fixes: [], refused: ['created elsewhere'] }],
  },
  {
    name: 'an index far past the end',
    code: dedent`
      export function make() {
        const list = [1, 2, 3];
        «list[5e7] = 1»;
        return list;
      }
    `,
    findings: [
      {
        messageId: 'sparseArray',
        severity: 'hint',
        data: { what: '`list[50000000]` is more than 1,024 elements past the end.' },
        fixes: [],
        refused: ['every read and write'],
      },
    ],
  },
  {
    name: 'an index just past the gap, and a length past the limit',
    code: dedent`
      export function make() {
        const list = [];
        «list[1024] = 1»;
        const other = [];
        «other.length = 40_000_000»;
        const table = «new Array(64 * 1024 * 1024)»;
        return [list, other, table];
      }
    `,
    findings: [
      { messageId: 'sparseArray', fixes: [], refused: ['every read'] },
      {
        messageId: 'sparseArray',
        data: { what: 'This gives `other` 40,000,000 elements at once. V8 does not preallocate more than 33,554,432.' },
        fixes: [],
        refused: ['every read'],
      },
      {
        messageId: 'sparseArray',
        data: { what: 'This gives `table` 67,108,864 elements at once. V8 does not preallocate more than 33,554,432.' },
        fixes: [],
        refused: ['every read'],
      },
    ],
  },

  {
    name: 'a read past the end',
    code: dedent`
      export function sum(rows) {
        let all = 0;
        for (let i = 0; «i <= rows.length»; i++) all += rows[i] | 0;
        return all;
      }
    `,
    findings: [
      {
        messageId: 'overrunRead',
        severity: 'hint',
        data: { list: 'rows', index: 'i', end: 'rows.length' },
        related: ['undefined in the last iteration'],
        fixes: [
          {
            kind: 'suggestion',
            title: 'Stop at `i < rows.length` (skips the iteration that reads undefined)',
            output: dedent`
                export function sum(rows) {
                  let all = 0;
                  for (let i = 0; i < rows.length; i++) all += rows[i] | 0;
                  return all;
                }
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'the other way round, in a while loop, over a length that was kept',
    code: dedent`
      export function print(list) {
        const n = list.length;
        let i = 0;
        while («n >= i») {
          show(list[i]);
          i++;
        }
      }
    `,
    findings: [
      {
        messageId: 'overrunRead',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                export function print(list) {
                  const n = list.length;
                  let i = 0;
                  while (n > i) {
                    show(list[i]);
                    i++;
                  }
                }
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'a list of an object',
    code: dedent`
      export class Bag {
        sum() {
          let all = 0;
          for (let i = 0; «i /* all */ <= this.items.length»; i++) all += this.items[i].n;
          return all;
        }
      }
    `,
    findings: [{ messageId: 'overrunRead', data: { list: 'this.items' }, fixes: [], refused: ['a comment next to'] }],
  },
  {
    name: 'code that asks for undefined may mean it: a hint',
    code: dedent`
      export function names(rows) {
        for (let i = 0; «i <= rows.length»; i++) {
          const row = rows[i];
          if (row) use(row.name);
        }
      }
    `,
    findings: [{ messageId: 'overrunRead', severity: 'hint', fixes: [], refused: ['may be intended'] }],
  },
];
