// Fields that exist from the start, or stay as undefined: code that asks for keys, and members that a field would hide.
import { dedent } from '../../../analysis/testing/dedent.ts';
import { EXPRESS_5, type FixCase } from '../fix-case.ts';

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

/** A function that `map` gets, and that takes a field from each row; `use` says how. */
const strips = (
  name: string,
  use: string,
  expect: FixCase['expect'],
  strip = 'delete row.password; row.seen = (row.seen ?? 0) + 1; return row;',
): FixCase => ({
  name: `a function for map: ${name}`,
  files: {
    'main.js': dedent`
      const all = Array.from({ length: 300 }, (_, id) => ({ id, password: 'x', name: 'n' + id, part: { id } }));
      function strip(row) { ${strip} }
      exports.run = async () => {
        ${use}
      };

    `,
  },
  rule: RULE,
  fix: /^Omit/,
  expect,
});

export const shapeCases: readonly FixCase[] = [
  strips(
    'copies',
    dedent`
      const rows = all.map((row) => ({ ...row }));
        return JSON.stringify([rows.map(strip).slice(298), Object.keys(all[0])]);
    `,
    'same',
  ),
  strips(
    'copies in a chain, whose keys are asked',
    'return all.map((row) => ({ ...row })).map(strip).slice(298).map((row) => Object.keys(row));',
    'same',
  ),
  strips(
    'copies of their parts are not made',
    dedent`
      const out = all.map((row) => ({ ...row })).map(strip);
        return [out[0].part === all[0].part, all[0].part];
    `,
    'same',
    'delete row.password; row.part.seen = true; return row;',
  ),
  strips(
    'another field that is no name',
    "return all.map((row) => ({ ...row, class: 'c' })).map(strip).slice(298);",
    'same',
    'delete row.class; return row;',
  ),
  strips(
    'the list is seen again',
    dedent`
      const rows = all.map((row) => ({ ...row }));
        const out = rows.map(strip);
        return [out.slice(298), rows.slice(298)];
    `,
    'absent',
  ),
  strips('the list of another function', 'return all.map(strip).slice(298);', 'absent'),
  strips(
    'the same list in each round of a loop',
    dedent`
      const rows = all.map((row) => ({ ...row }));
        let out;
        for (let i = 0; i < 3; i++) out = rows.map(strip);
        return out.slice(298);
    `,
    'absent',
  ),
  strips(
    'it is called, too',
    dedent`
      const one = { id: 1, password: 'x' };
        strip(one);
        return [one, all.map((row) => ({ ...row })).map(strip).slice(298)];
    `,
    'absent',
  ),
  strips(
    'it reads the field before',
    'return all.map((row) => ({ ...row })).map(strip).slice(298);',
    'absent',
    'row.length = row.password.length; delete row.password; return row;',
  ),
  {
    name: 'a copy of the rows of a query',
    files: {
      'main.js': dedent`
        const users = { find: async () => Array.from({ length: 300 }, (_, id) => ({ id, password: 'x', name: 'n' + id })) };
        exports.run = async () => {
          const rows = await users.find();
          const shown = rows.map((row) => {
            const copy = { ...row };
            delete copy.password;
            return copy;
          });
          return [shown.slice(298), rows.slice(298)];
        };

      `,
    },
    rule: RULE,
    fix: /^Omit/,
    expect: 'same',
  },
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
    expect: 'absent',
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
    expect: { refused: /`Request.bulkCreate\(added\)` \(line \d+\) may ask for the keys/ },
  },
  constructs(
    'F4: a method of the class',
    dedent`
    class Source {
      ${CONSTRUCTOR}
      _read() { return 'inherited'; }
    }
  `,
    'one._read()',
    {
      refused: /has a member `_read`/,
    },
  ),
  constructs(
    'F4: a base class',
    dedent`
      class Base { _read() { return 'base'; } }
      class Source extends Base {
        ${CONSTRUCTOR.replace('{', '{ super();')}
      }
    `,
    'one._read()',
    { refused: /base class runs first/ },
  ),
  constructs(
    'F4: a method of the prototype',
    dedent`
      function Source(o) {
        if (o.read) this._read = o.read;
        if (o.size) this.size = o.size;
        if (o.name) this.name = o.name;
      }
      Source.prototype._read = function () { return 'inherited'; };
    `,
    'one._read()',
    { refused: /prototype has a member `_read`/ },
  ),
  constructs(
    'F4: inherits',
    dedent`
      function Base() {}
      Base.prototype._read = () => 'base';
      function Source(o) {
        if (o.read) this._read = o.read;
        if (o.size) this.size = o.size;
        if (o.name) this.name = o.name;
      }
      require('util').inherits(Source, Base);
    `,
    'one._read()',
    { refused: /inherits\(Source, Base\)/ },
  ),
  constructs(
    'F4: nothing is hidden',
    dedent`
      class Source {
        ${CONSTRUCTOR}
        read() { return this._read ? 'own' : 'none'; }
      }
    `,
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
      ...deletes(`rows of a callback${'mongoose' in more ? ', whatever the project has' : ''}`, '', 'list', 'same'),
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
      expect: 'same',
    }),
  ),
  ...(
    [
      ['rows of a query, which may be documents', 'query(300)', { refused: /not known to be made in this file/ }],
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
  ...recordCases(),
];

/** Records that get fields under conditions; `see` is what the program tells of `list`. */
function adds(name: string, conditions: string, see: string, expect: FixCase['expect'] = 'same', more = ''): FixCase {
  return {
    name: `fields on some paths: ${name}`,
    files: {
      'main.js': `${dedent`
        const { deepStrictEqual } = require('node:assert');
        const { createServer } = require('node:http');
        const rows = Array.from({ length: 300 }, (_, id) => [
          { id, tax: 5, note: 'n', sizes: [1] }, { id }, { id, tax: 0, note: '' }, { id, tax: null, note: null }, { id, note: undefined, tax: NaN },
        ][id % 5]);
        const other = { id: 1, kind: 'x' };
        let asked = 0;
        const next = () => (asked++ % 3 ? asked : 0);
        ${more}
        exports.run = async () => {
          const list = [];
          for (const row of rows) {
            const one = { id: row.id };
            ${conditions}
            list.push(one);
          }
          let sum = 0;
          for (const one of list) sum += (one.tax || 1) + (one.note ? 1 : 0);
          return [sum, asked, ${see}];
        };
      `}\n`,
    },
    rule: RULE,
    fix: START,
    expect,
  };
}

function recordCases(): FixCase[] {
  const TAX = 'if (row.tax) one.tax = row.tax;';
  const BOTH = `${TAX}\n    if (row.note) one.note = row.note;`;
  const JSON_OF = 'JSON.stringify(list)';
  const READS = "list.map((one) => [one.tax, one.note, typeof one.tax, one.tax ?? 'none'])";
  const asks = (what: string, see: string): FixCase => adds(what, BOTH, see, { refused: /may list or store the keys/ });
  return [
    adds('what follows the literal', BOTH, `${JSON_OF}, ${READS}`),
    adds(
      'with something between',
      dedent`
      ${TAX}
          one.kind = 'k';
          if (row.note) { one.note = row.note; }
    `,
      `${JSON_OF}, ${READS}`,
    ),
    adds('what is not undefined', 'if (row.tax !== undefined) one.tax = row.tax;', `${JSON_OF}, ${READS}`),
    adds('what is not null', 'if (row.tax != null) one.tax = row.tax;', `${JSON_OF}, ${READS}`),
    adds('another test', 'if (row.id > 3 && row.tax !== 5) one.tax = row.tax * 2;', `${JSON_OF}, ${READS}`),
    adds(
      'two of one branch',
      dedent`
      if (row.id % 2) {
            one.tax = row.tax;
            one.note = row.note;
          }
    `,
      `${JSON_OF}, ${READS}`,
    ),
    adds(
      'a test that the branch changes',
      dedent`
      if (one.id) {
            one.tax = 1;
            one.note = String(one.id);
          }
    `,
      JSON_OF,
      {
        refused: /among other statements/,
      },
    ),
    adds('after &&', 'row.tax && (one.tax = row.tax);\n    row.note && (one.note = row.note);', `${JSON_OF}, ${READS}`),
    adds('calls that count', 'if (next()) one.tax = next();', `${JSON_OF}, ${READS}`),
    adds('one that needs another', 'if (row.tax) one.tax = row.tax;\n    if (one.tax > 1) one.note = one.tax + 1;', `${JSON_OF}, ${READS}`),
    adds(
      'a value of several lines',
      dedent`
      if (row.tax) one.tax = [
            1,
          ].length;
    `,
      JSON_OF,
      { refused: /among other statements/ },
    ),
    adds('a comment', 'if (row.tax) one.tax = row.tax; // no tax\n    if (row.note) /* empty */ one.note = row.note;', JSON_OF, {
      refused: /among other statements/,
    }),
    adds('an else', "if (row.tax) one.tax = row.tax; else one.note = 'free';", JSON_OF, { refused: /among other statements/ }),
    adds('a branch in a branch', 'if (row.id) { if (row.tax) one.tax = row.tax; }', JSON_OF, { refused: /among other statements/ }),
    adds(
      'what leaves early',
      'if (row.id === 7) { list.push(one); continue; }\n    if (row.tax) one.tax = row.tax;',
      `${JSON_OF}, ${READS}`,
    ),
    adds('what every object inherits', 'if (row.tax) one.valueOf = row.tax;', JSON_OF, { refused: /every object inherits/ }),
    adds('other orders', 'if (row.tax) { one.tax = 1; one.note = 2; } else { one.note = 2; one.tax = 1; }', JSON_OF, {
      refused: /in different orders/,
    }),
    adds('a function that reads', BOTH, 'list.map(told)', 'same', 'function told({ id, tax = 3, note }) { return [id, tax, note]; }'),
    adds(
      'a function that lists',
      BOTH,
      'list.map(told)',
      { refused: /may list or store/ },
      'function told(one) { return Object.keys(one); }',
    ),
    adds(
      'a function that takes the rest',
      BOTH,
      'list.map(told)',
      { refused: /may list or store/ },
      'function told({ id, ...rest }) { return { keys: Object.keys(rest) }; }',
    ),
    adds(
      'a function by its arguments',
      BOTH,
      'list.map(told)',
      { refused: /may list or store/ },
      'function told(one) { return Object.keys(arguments[0]); }',
    ),
    adds('the list of a callback', BOTH, 'list.map((one, i, all) => Object.keys(all[i]))', { refused: /may list or store/ }),
    adds('what is found and filtered', BOTH, 'list.filter((one) => one.tax).slice(1, 3).find((one) => one.note).tax'),
    adds('sorted', BOTH, 'list.sort((a, b) => (b.tax || 0) - (a.tax || 0))[0].tax'),
    adds('a copy', BOTH, 'JSON.stringify({ ...list[0] })'),
    adds('another key is asked for', BOTH, "'id' in list[0], Object.hasOwn(other, 'id') && list[0].hasOwnProperty('id')"),
    asks('Object.keys', 'Object.keys(list[1])'),
    asks('Object.entries', 'list.map((one) => Object.entries(one).length)'),
    asks('in', "'tax' in list[1]"),
    asks('for…in', '(() => { const keys = []; for (const key in list[1]) keys.push(key); return keys; })()'),
    asks('hasOwn', "Object.hasOwn(list[1], 'tax')"),
    asks('hasOwnProperty', "list[1].hasOwnProperty('tax')"),
    asks('deepStrictEqual', '(() => { try { deepStrictEqual(list[1], { id: 1 }); return 1; } catch { return 2; } })()'),
    asks('structuredClone', 'structuredClone(list)'),
    asks('a spread behind defaults', "({ tax: 'default', ...list[1] })"),
    asks('Object.assign', "Object.assign({ tax: 'default' }, list[1])"),
    asks('a rest', '(({ id, ...rest }) => rest)(list[1])'),
    asks('a replacer', 'JSON.stringify(list, (key, value) => (value === undefined ? null : value))'),
    asks('a Map of its entries', 'new Map(Object.entries(list[1])).size'),
    asks('a reduce without a start', 'list.reduce((a, b) => (Object.keys(a).length > 2 ? a : b)).id'),
    asks('URLSearchParams', 'String(new URLSearchParams(list[1]))'),
    asks('a property of another object', '(other.all = list, Object.keys(other.all[1]))'),
    asks('a Set', '[...new Set(list)].map((one) => Object.keys(one).length)'),
    asks('what the program gives', 'list'),
    asks('an object that holds them', '({ list })'),
  ];
}
