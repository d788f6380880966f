// Objects whose shape changes: deleted fields, fields on some paths, other orders, replaced prototypes, sparse arrays, reads past the end.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { asks, edit, neverRuns, pair } from '../checks.ts';
import { asked, called, program } from './shared.ts';

const finding = (at: string, messageId: string) => ({ ruleId: 'no-unstable-shape', messageId, at });
const fast = (object: string, after: string, answer: 'yes' | 'no') =>
  asks(`%HasFastProperties(${object})`, answer, edit(after, `${after} console.log(%HasFastProperties(${object}) ? 'yes' : 'no');`));

const strip = (remove: string): string => dedent`
  const make = () => Array.from({ length: 50 }, (_, i) => ({ id: i, password: 'x', name: 'a', price: i, last: 1 }));
  function strip(rows) {
    for (const row of rows) {
      ${remove}
    }
    return rows;
  }
  function total(rounds) {
    const rows = strip(make());
    let sum = 0;
    for (let round = 0; round < rounds; round++) for (const row of rows) sum += row.price + row.id;
    return sum;
  }
  module.exports = { strip, total, make };
`;

const BESIDE = dedent`
  const make = () => Array.from({ length: 50 }, (_, i) => ({ id: i, name: 'a', price: 3 }));
  function strip(rows) {
    const other = { p: 1, q: 2, r: 3 };
    delete other['p'];
    for (const row of rows) {
      delete row.secret;
      other.q += row.id;
    }
    return rows;
  }
  module.exports = { strip, make };
`;

const conditional = (fields: readonly string[], reads: string): string => dedent`
  const ROWS = Array.from({ length: 200 }, (_, i) => ({ id: i, ${fields.map((field, at) => `${field}: (i >> ${at}) & 1`).join(', ')} }));
  const NONE = ROWS.map(({ id }) => ({ id }));
  function made(rows) {
    const list = [];
    for (const row of rows) {
      const one = { id: row.id };
      ${fields.map((field) => `if (row.${field}) one.${field} = row.${field};`).join('\n      ')}
      list.push(one);
    }
    return list;
  }
  function total(rows, rounds) {
    const all = made(rows);
    let sum = 0;
    for (let round = 0; round < rounds; round++) for (const one of all) sum += ${reads};
    return sum;
  }
  module.exports = { made, total, ROWS, NONE };
`;

const orders = (literals: readonly string[]): string => dedent`
  function total(n) {
    const rows = [];
    for (let i = 0; i < n; i++) {
      ${literals.map((literal) => `rows.push(${literal});`).join('\n      ')}
    }
    let sum = 0;
    for (let round = 0; round < 40; round++) for (const row of rows) sum += row.a + row.b;
    return sum;
  }
  module.exports = { total };
`;

const prototypes = (replace: string): string => dedent`
  const PROTO = { area() { return this.w * this.h; } };
  const make = (n) => Array.from({ length: n }, (_, i) => ({ w: i, h: 2, t: 3 }));
  function wrap(rows) {
    for (const row of rows) ${replace};
    return rows;
  }
  function total(n) {
    const rows = wrap(make(n));
    let sum = 0;
    for (let round = 0; round < 20; round++) for (const row of rows) sum += row.w + row.h;
    return sum;
  }
  module.exports = { wrap, total, make };
`;

const overrun = (bound: string, body: string): string => dedent`
  const ROWS = Array.from({ length: 1000 }, (_, i) => i);
  function sum(rows) {
    let all = 0;
    for (let i = 0; ${bound}; i++) ${body}
    return all;
  }
  module.exports = { sum, ROWS };
`;

export const cases: readonly TruthCase[] = [
  {
    name: 'a field in the middle is deleted, and the rows are read often',
    ...called(strip('delete row.password;'), 'total', 'total(50)'),
    finding: finding('delete row.password', 'deletedField'),
    truth: 'confirmed',
    established: [fast('row', 'delete row.password;', 'no'), pair(edit('delete row.password;', 'row.password = undefined;'))],
    inCi: true,
  },
  {
    name: 'the last key of the literals is deleted, up to Node 20',
    ...called(strip('delete row.last;'), 'total', 'total(50)'),
    finding: finding('delete row.last', 'deletedField'),
    // The objects stay as fast as they were. The deletion itself is a call of V8's runtime, and that costs.
    truth: { 18: 'confirmed', 20: 'confirmed' },
    established: [fast('row', 'delete row.last;', 'yes'), pair(edit('delete row.last;', 'row.last = undefined;'))],
  },
  {
    name: 'the last key of the literals is deleted, from Node 22 on',
    ...called(strip('delete row.last;'), 'total', 'total(50)'),
    finding: finding('delete row.last', 'deletedField'),
    truth: { 22: 'confirmed', 24: 'confirmed', 26: 'confirmed' },
    established: [fast('row', 'delete row.last;', 'no'), pair(edit('delete row.last;', 'row.last = undefined;'))],
  },
  {
    name: 'a field that no row has is deleted',
    ...called(strip('delete row.secret;'), 'total', 'total(50)'),
    finding: finding('delete row.secret', 'deletedField'),
    truth: { 22: 'refuted', 24: 'refuted', 26: 'refuted' },
    established: [fast('row', 'delete row.secret;', 'yes')],
  },
  {
    name: 'a field that no row has is deleted, up to Node 20',
    ...called(strip('delete row.secret;'), 'total', 'total(50)'),
    finding: finding('delete row.secret', 'deletedField'),
    truth: { 18: 'confirmed', 20: 'confirmed' },
    established: [
      fast('row', 'delete row.secret;', 'yes'),
      pair(edit('delete row.secret;', 'row.secret = undefined;')),
      pair(edit('delete row.secret;', ';')),
    ],
  },
  {
    name: 'the delete is behind a switch that is off',
    ...called(
      dedent`
        const make = () => Array.from({ length: 50 }, (_, i) => ({ id: i, secret: 2, name: 'a' }));
        function strip(rows, isAll) {
          const other = { p: 1, q: 2, r: 3 };
          delete other['p'];
          for (const row of rows) {
            if (isAll) delete row.secret;
            other.q += row.id;
          }
          return rows;
        }
        module.exports = { strip, make };
      `,
      'strip',
      'strip(make(), false)',
    ),
    finding: finding('delete row.secret', 'deletedField'),
    truth: 'not-reached',
    established: [neverRuns(edit('if (isAll) delete row.secret;', "if (isAll) { __hit('place'); delete row.secret; }"))],
    inCi: true,
  },
  {
    name: 'a delete that finds nothing, beside one that does',
    ...called(BESIDE, 'strip', 'strip(make())'),
    finding: finding('delete row.secret', 'deletedField'),
    truth: { 22: 'refuted', 24: 'refuted', 26: 'refuted' },
    established: [fast('row', 'delete row.secret;', 'yes')],
  },
  {
    name: 'a delete that finds nothing, beside one that does, up to Node 20',
    ...called(BESIDE, 'strip', 'strip(make())'),
    finding: finding('delete row.secret', 'deletedField'),
    truth: { 18: 'confirmed', 20: 'confirmed' },
    established: [
      fast('row', 'delete row.secret;', 'yes'),
      pair(edit('delete row.secret;', 'row.secret = undefined;')),
      pair(edit('delete row.secret;', ';')),
    ],
  },
  {
    name: 'deleted once by a row, beside work of a millisecond',
    ...called(
      dedent`
        const make = () => Array.from({ length: 5 }, (_, i) => ({ id: i, password: 'x', name: 'a', price: i }));
        const work = (n) => { let all = 0; for (let i = 0; i < n; i++) all = (all * 31 + i) | 0; return all; };
        function strip(rows) {
          let sum = 0;
          for (const row of rows) {
            delete row.password;
            sum += row.price + (work(100_000) & 1);
          }
          return sum;
        }
        module.exports = { strip, make };
      `,
      'strip',
      'strip(make())',
      { rounds: 20 },
    ),
    finding: finding('delete row.password', 'deletedField'),
    truth: 'seen',
    established: [fast('row', 'delete row.password;', 'no'), pair(edit('delete row.password;', 'row.password = undefined;'))],
  },
  {
    name: 'deleted by a program as it goes',
    ...program(dedent`
      const make = () => Array.from({ length: 200 }, (_, i) => ({ id: i, password: 'x', name: 'a', price: i }));
      function visible(rows) {
        return rows.map((row) => {
          delete row.password;
          return row;
        });
      }
      let left = 20;
      const go = () => {
        const rows = visible(make());
        let sum = 0;
        for (let round = 0; round < 200; round++) for (const row of rows) sum += row.price + row.id;
        if (left-- > 0) setTimeout(go, 5);
        else console.log(sum);
      };
      setTimeout(go, 100);
    `),
    finding: finding('delete row.password', 'deletedField'),
    truth: 'confirmed',
    established: [fast('row', 'delete row.password;', 'no')],
  },
  {
    name: 'eight shapes by three fields, read in a loop',
    ...called(conditional(['a', 'b', 'c'], 'one.id'), 'total', 'total(ROWS, 20)'),
    finding: finding('const one = { id: row.id }', 'conditionalFields'),
    truth: 'confirmed',
    established: [pair(edit('{ id: row.id }', '{ id: row.id, a: undefined, b: undefined, c: undefined }'))],
  },
  {
    name: 'three fields that no row of this run has',
    ...called(conditional(['a', 'b', 'c'], 'one.id'), 'total', 'total(NONE, 20)'),
    finding: finding('const one = { id: row.id }', 'conditionalFields'),
    truth: 'refuted',
    established: [
      {
        by: 'counters',
        insert: [edit('if (row.a) one.a = row.a;', "__hit('made'); if (row.a) { __hit('shape'); one.a = row.a; }")],
        holds: ({ hits }) => (hits.made ?? 0) > 1000,
        says: 'counters: the rows are made',
      },
    ],
  },
  {
    name: 'the maker alone, of rows without the fields',
    ...called(conditional(['a', 'b', 'c'], 'one.id'), 'made', 'made([])'),
    finding: finding('const one = { id: row.id }', 'conditionalFields'),
    truth: 'not-reached',
    established: [neverRuns(edit('const one = {', "__hit('place'); const one = {"))],
  },
  {
    name: 'six orders of keys, read in a loop',
    ...called(
      orders([
        '{ a: i, b: 1, c: 1 }',
        '{ b: 1, a: i, c: 1 }',
        '{ c: 1, a: i, b: 1 }',
        '{ a: i, c: 1, b: 1 }',
        '{ b: 1, c: 1, a: i }',
        '{ c: 1, b: 1, a: i }',
      ]),
      'total',
      'total(100)',
    ),
    finding: finding('{ b: 1, a: i, c: 1 }', 'keyOrder'),
    truth: 'confirmed',
    established: [
      pair(
        ...['{ b: 1, a: i, c: 1 }', '{ c: 1, a: i, b: 1 }', '{ a: i, c: 1, b: 1 }', '{ b: 1, c: 1, a: i }', '{ c: 1, b: 1, a: i }'].map(
          (literal) => edit(literal, '{ a: i, b: 1, c: 1 }'),
        ),
      ),
    ],
  },
  {
    name: 'two orders of keys that only JSON.stringify reads',
    ...called(
      dedent`
        function text(n) {
          const rows = [];
          for (let i = 0; i < n; i++) {
            rows.push({ a: i, b: 1 });
            rows.push({ b: 1, a: i });
          }
          return JSON.stringify(rows).length;
        }
        module.exports = { text };
      `,
      'text',
      'text(100)',
    ),
    finding: finding('{ b: 1, a: i }', 'keyOrder'),
    truth: 'inconclusive',
    established: [
      { by: 'reason', why: 'no property access of the program reads the objects, so that nothing that V8 tells can show or refute it' },
    ],
  },
  {
    name: 'the second order is behind a switch that is off',
    ...called(
      dedent`
        function total(n, isOdd) {
          const rows = [];
          for (let i = 0; i < n; i++) {
            rows.push({ a: i, b: 1 });
            if (isOdd) rows.push({ b: 1, a: i });
          }
          let sum = 0;
          for (let round = 0; round < 10; round++) for (const row of rows) sum += row.a + row.b;
          return sum;
        }
        module.exports = { total };
      `,
      'total',
      'total(200, false)',
    ),
    finding: finding('{ b: 1, a: i }', 'keyOrder'),
    truth: 'not-reached',
    established: [neverRuns(edit('if (isOdd) rows', "if (isOdd) __hit('place'), rows"))],
  },
  {
    name: 'the prototype of each row is replaced',
    ...called(prototypes('Object.setPrototypeOf(row, PROTO)'), 'total', 'total(100)'),
    finding: finding('Object.setPrototypeOf(row, PROTO)', 'replacedPrototype'),
    truth: 'confirmed',
    established: [pair(edit('Object.setPrototypeOf(row, PROTO)', 'row.t = 4'))],
  },
  {
    name: 'the prototype of each row is set to the one that it has',
    ...called(
      prototypes('Object.setPrototypeOf(row, PROTO)').replace('({ w: i, h: 2, t: 3 })', '({ __proto__: PROTO, w: i, h: 2, t: 3 })'),
      'total',
      'total(100)',
    ),
    finding: finding('Object.setPrototypeOf(row, PROTO)', 'replacedPrototype'),
    truth: 'refuted',
    established: [
      neverRuns(
        edit(
          'Object.setPrototypeOf(row, PROTO)',
          "{ if (Object.getPrototypeOf(row) !== PROTO) __hit('place'); Object.setPrototypeOf(row, PROTO); }",
        ),
      ),
    ],
  },
  {
    name: 'the prototype of each row is replaced, and there are none',
    ...called(prototypes('Object.setPrototypeOf(row, PROTO)'), 'wrap', 'wrap([])'),
    finding: finding('Object.setPrototypeOf(row, PROTO)', 'replacedPrototype'),
    truth: 'not-reached',
    established: [neverRuns(edit('Object.setPrototypeOf(row, PROTO)', "__hit('place'), Object.setPrototypeOf(row, PROTO)"))],
  },
  {
    name: 'the prototype of a request is replaced by a handler that waits',
    ...asked(
      dedent`
        const http = require('node:http');
        const PROTO = Object.create(http.IncomingMessage.prototype, { path: { get() { return this.url; } } });
        function handle(req, res) {
          Object.setPrototypeOf(req, PROTO);
          setTimeout(() => res.end(req.path), 5);
        }
        http.createServer(handle).listen(3000);
      `,
    ),
    finding: finding('Object.setPrototypeOf(req', 'replacedPerRequest'),
    truth: 'seen',
    established: [pair(edit('Object.setPrototypeOf(req, PROTO);', ''), edit('req.path', 'req.url'))],
  },
  {
    name: 'an index far past the end, read often',
    ...called(
      dedent`
        function total(n) {
          const list = [1, 2, 3];
          list[50_000_000] = 1;
          let sum = 0;
          for (let i = 0; i < n; i++) sum += list[i % 3];
          return sum;
        }
        module.exports = { total };
      `,
      'total',
      'total(5000)',
    ),
    finding: finding('list[50_000_000]', 'sparseArray'),
    truth: 'confirmed',
    established: [
      asks(
        '%HasDictionaryElements(list)',
        'yes',
        edit('list[50_000_000] = 1;', "list[50_000_000] = 1; console.log(%HasDictionaryElements(list) ? 'yes' : 'no');"),
      ),
      pair(edit('list[50_000_000] = 1;', '')),
    ],
  },
  {
    name: 'an index far past the end, never written',
    ...called(
      dedent`
        function total(n, isFar) {
          const list = [1, 2, 3];
          if (isFar) list[50_000_000] = 1;
          let sum = 0;
          for (let i = 0; i < n; i++) sum += list[i % 3];
          return sum;
        }
        module.exports = { total };
      `,
      'total',
      'total(5000, false)',
    ),
    finding: finding('list[50_000_000]', 'sparseArray'),
    truth: 'not-reached',
    established: [neverRuns(edit('if (isFar) list', "if (isFar) __hit('place'), list"))],
  },
  {
    name: 'a length beyond what V8 keeps at once',
    ...called(
      dedent`
        function total(n) {
          const table = new Array(64 * 1024 * 1024);
          for (let i = 0; i < 10; i++) table[i] = i;
          let sum = 0;
          for (let i = 0; i < n; i++) sum += table[i % 10];
          return sum;
        }
        module.exports = { total };
      `,
      'total',
      'total(5000)',
    ),
    finding: finding('new Array(64', 'sparseArray'),
    truth: 'confirmed',
    established: [
      asks(
        '%HasDictionaryElements(table)',
        'yes',
        edit('let sum = 0;', "console.log(%HasDictionaryElements(table) ? 'yes' : 'no'); let sum = 0;"),
      ),
      pair(edit('new Array(64 * 1024 * 1024)', '[]')),
    ],
  },
  {
    name: 'one read past the end of each list',
    ...called(overrun('i <= rows.length', 'all += rows[i] | 0;'), 'sum', 'sum(ROWS)'),
    finding: finding('i <= rows.length', 'overrunRead'),
    truth: 'confirmed',
    established: [pair(edit('i <= rows.length', 'i < rows.length'))],
  },
  {
    name: 'one read past the end of a list of three, beside work',
    ...called(
      dedent`
        const ROWS = [1, 2, 3];
        const work = (n) => { let all = 0; for (let i = 0; i < n; i++) all = (all * 31 + i) | 0; return all; };
        function sum(rows) {
          let all = 0;
          for (let i = 0; i <= rows.length; i++) all += rows[i] | 0;
          return all + (work(20_000) & 1);
        }
        module.exports = { sum, ROWS };
      `,
      'sum',
      'sum(ROWS)',
    ),
    finding: finding('i <= rows.length', 'overrunRead'),
    truth: 'seen',
    established: [pair(edit('i <= rows.length', 'i < rows.length'))],
  },
  {
    name: 'the loop is left before its last round',
    ...called(overrun('i <= rows.length', '{ if (i === 900) break; all += rows[i] | 0; }'), 'sum', 'sum(ROWS)'),
    finding: finding('i <= rows.length', 'overrunRead'),
    truth: 'refuted',
    established: [
      {
        by: 'counters',
        insert: [edit('all += rows[i] | 0;', "all += rows[i] | 0; if (i >= rows.length) __hit('past'); __hit('read');")],
        holds: ({ hits }) => (hits.past ?? 0) === 0 && (hits.read ?? 0) > 1000,
        says: 'counters: no read is past the end',
      },
    ],
  },
  {
    name: 'the overrun loop is behind an early return',
    ...called(
      dedent`
        const ROWS = Array.from({ length: 1000 }, (_, i) => i);
        function sum(rows, isFast) {
          let all = 0;
          if (isFast) {
            for (let i = 0; i < rows.length; i++) all += rows[i];
            return all;
          }
          for (let i = 0; i <= rows.length; i++) all += rows[i] | 0;
          return all;
        }
        module.exports = { sum, ROWS };
      `,
      'sum',
      'sum(ROWS, true)',
    ),
    finding: finding('i <= rows.length', 'overrunRead'),
    truth: 'not-reached',
    established: [neverRuns(edit('for (let i = 0; i <= rows', "__hit('place'); for (let i = 0; i <= rows"))],
  },
];
