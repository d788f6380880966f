// Fields that exist from the start, or stay as undefined: code that asks for keys, and members that a field would hide.
import { dedent } from '../../analysis/testing/dedent.ts';
import { EXPRESS_5, type FixCase } from './fix-case.ts';

const RULE = 'no-unstable-shape';
const START = /from the start/;
const UNDEFINED = /undefined instead/;

/** Reads of streams made in a loop, as the rule wants them; `run` says what a caller sees. */
const madeInLoop = (declaration: string, see: string): string => dedent`
  ${declaration}
  exports.run = async () => {
    const made = [];
    for (let i = 0; i < 2000; i++) made.push(new Source(i % 2 ? {} : { read: () => 'own', size: i, name: 'n' }));
    return made.slice(0, 2).map((one) => ${see});
  };

`;

const constructs = (name: string, declaration: string, see: string, expect: FixCase['expect']): FixCase => ({
  name,
  files: { 'main.js': madeInLoop(declaration, see) },
  rule: RULE,
  fix: START,
  expect,
});

const CONSTRUCTOR = dedent`
  constructor(o) {
      if (o.read) this._read = o.read;
      if (o.size) this.size = o.size;
      if (o.name) this.name = o.name;
    }
`;

/** Rows of a database, less one field; `see` is what the program tells of them. */
const deletes = (name: string, deletion: string, see: string, expect: FixCase['expect']): FixCase => ({
  name,
  files: {
    'main.js': dedent`
      const rows = (n) => Array.from({ length: n }, (_, id) => ({ id, password: 'x', name: 'n' + id }));
      exports.run = async () => {
        const list = rows(300);
        for (const row of list) {
          ${deletion}
        }
        return ${see};
      };

    `,
  },
  rule: RULE,
  fix: UNDEFINED,
  expect,
});

export const shapeCases: readonly FixCase[] = [
  {
    name: 'a copy of rows that may be missing',
    files: {
      'main.js': dedent`
        exports.run = async () => {
          const rows = Array.from({ length: 300 }, (_, id) => ({ id, password: 'x', name: 'n' + id }));
          const list = [...rows, null, undefined, 'text', 0];
          const shown = list.map((row) => {
            const copy = { ...row };
            delete copy.password;
            return copy;
          });
          return shown.slice(298);
        };

      `,
    },
    rule: RULE,
    fix: /^Omit/,
    expect: 'same',
  },
  {
    name: 'copies of rows that a list takes to the database',
    files: {
      'main.js': dedent`
        const stored = [];
        const Request = { bulkCreate: async (rows) => { for (const row of rows) stored.push(Object.keys(row)); } };
        exports.run = async () => {
          const rows = Array.from({ length: 300 }, (_, id) => ({ id, name: 'n' + id }));
          const added = [];
          rows.forEach((row) => {
            const copy = { ...row, set: 1 };
            delete copy.id;
            added.push(copy);
          });
          await Request.bulkCreate(added);
          return stored[0];
        };

      `,
    },
    rule: RULE,
    fix: UNDEFINED,
    expect: { refused: /may store the key/ },
  },
  constructs('F4: a method of the class', `class Source {\n  ${CONSTRUCTOR}\n  _read() { return 'inherited'; }\n}`, 'one._read()', {
    refused: /has a member `_read`/,
  }),
  constructs(
    'F4: a base class',
    `class Base { _read() { return 'base'; } }\nclass Source extends Base {\n  ${CONSTRUCTOR.replace('{', '{ super();')}\n}`,
    'one._read()',
    { refused: /base class runs first/ },
  ),
  constructs(
    'F4: a method of the prototype',
    "function Source(o) {\n  if (o.read) this._read = o.read;\n  if (o.size) this.size = o.size;\n  if (o.name) this.name = o.name;\n}\nSource.prototype._read = function () { return 'inherited'; };",
    'one._read()',
    { refused: /prototype has a member `_read`/ },
  ),
  constructs(
    'F4: inherits',
    "function Base() {}\nBase.prototype._read = () => 'base';\nfunction Source(o) {\n  if (o.read) this._read = o.read;\n  if (o.size) this.size = o.size;\n  if (o.name) this.name = o.name;\n}\nrequire('util').inherits(Source, Base);",
    'one._read()',
    { refused: /inherits\(Source, Base\)/ },
  ),
  constructs(
    'F4: nothing is hidden',
    `class Source {\n  ${CONSTRUCTOR}\n  read() { return this._read ? this._read() : 'none'; }\n}`,
    '[one.read(), one.size, JSON.stringify(one)]',
    'same',
  ),
  deletes('F5: JSON', 'delete row.password;', 'JSON.stringify(list.slice(0, 3))', 'same'),
  deletes('F5: reads', 'delete row.password;', "[list[0].password, list[0].password ?? 'none', list[1].id]", 'same'),
  deletes('F5: in', 'delete row.password;', "'password' in list[0]", { refused: /may ask for the keys/ }),
  deletes('F5: in, by a variable', 'delete row.password;', "['password', 'id'].filter((key) => key in list[0])", {
    refused: /may ask for the keys/,
  }),
  deletes('F5: Object.keys', 'delete row.password;', 'Object.keys(list[0])', { refused: /may ask for the keys/ }),
  deletes('F5: Object.entries', 'delete row.password;', 'list.map((one) => Object.entries(one).length)', {
    refused: /may ask for the keys/,
  }),
  deletes('F5: hasOwn', 'delete row.password;', "Object.hasOwn(list[0], 'password')", { refused: /may ask for the keys/ }),
  deletes('F5: hasOwnProperty.call', 'delete row.password;', "Object.prototype.hasOwnProperty.call(list[0], 'password')", {
    refused: /may ask for the keys/,
  }),
  deletes('F5: for…in', 'delete row.password;', '(() => { const keys = []; for (const key in list[0]) keys.push(key); return keys; })()', {
    refused: /may ask for the keys/,
  }),
  deletes('F5: spread', 'delete row.password;', "({ password: 'default', ...list[0] })", { refused: /may ask for the keys/ }),
  deletes('F5: a key in brackets', "delete row['password'];", 'JSON.stringify(list[0])', { refused: /dictionary/ }),
  deletes('F5: another key is asked for', 'delete row.password;', "'id' in list[0] ? list[0].id : 'none'", 'same'),
  ...([{}, { mongoose: '^8.0.0' }] as readonly Record<string, string>[]).map(
    (more): FixCase => ({
      ...deletes(`rows of a callback${'mongoose' in more ? ', where they may be documents' : ''}`, '', 'list', 'same'),
      files: {
        'main.js': dedent`
          const rows = (n) => Array.from({ length: n }, (_, id) => ({ id, password: 'x', name: 'n' + id }));
          exports.run = async () => {
            const list = rows(300);
            list.forEach((row) => {
              delete row.password;
            });
            return JSON.stringify(list);
          };

        `,
      },
      manifest: { ...EXPRESS_5, dependencies: { ...EXPRESS_5.dependencies, ...more } },
      expect: 'mongoose' in more ? { refused: /may be one of `mongoose`/ } : 'same',
    }),
  ),
  ...(
    [
      ['rows of a query, which may be documents', 'query(300)', { refused: /may be one of `mongoose`/ }],
      ['plain copies, whatever the project has', 'query(300).map((row) => ({ ...row }))', 'same'],
    ] as const
  ).map(
    ([name, list, expect]): FixCase => ({
      ...deletes(name, '', 'list', expect),
      files: {
        'main.js': dedent`
          const query = (n) => Array.from({ length: n }, (_, id) => ({ id, password: 'x', name: 'n' + id }));
          exports.run = async () => {
            const list = [];
            for (const row of ${list}) {
              ${expect === 'same' ? 'const shown = { id: row.id, password: row.password };' : 'const shown = row;'}
              delete shown.password;
              list.push(shown);
            }
            return JSON.stringify(list);
          };

        `,
      },
      manifest: { ...EXPRESS_5, dependencies: { ...EXPRESS_5.dependencies, mongoose: '^8.0.0' } },
    }),
  ),
];
