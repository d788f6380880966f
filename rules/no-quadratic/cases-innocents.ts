// What looks as if it grew with the square of its input, and is right as it is.
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS = "const app = require('express')();\n";
export const inHandler = (...lines: readonly string[]): string =>
  `${EXPRESS}app.post('/', async (req, res) => {\n${lines.map((line) => `  ${line}\n`).join('')}});\n`;

export const innocents: readonly ValidCase[] = [
  { name: 'a literal', code: inHandler("res.json(req.body.rows.filter((row) => ['a', 'b'].includes(row.id)));") },
  {
    name: 'the words of a command line, taken one by one',
    code: dedent`
      exports.flagsOf = (argv) => {
        const flags = [];
        argv = argv.slice(2);
        while (argv.length > 0) {
          if (argv[0].startsWith('--')) flags.push(argv[0]);
          argv.splice(0, 1);
        }
        return flags;
      };
    `,
  },
  {
    name: 'two loops that compare what many elements share, or the parts of one element',
    code: dedent`
      exports.count = (bookings, payments) => {
        let n = 0;
        for (const booking of bookings) for (const payment of payments) if (payment.kind === booking.kind) n++;
        for (const booking of bookings) for (const line of booking.lines) if (line.id === booking.id) n++;
        for (const booking of bookings) for (const payment of payments) if (payment.id === 7) n++;
        return n;
      };
    `,
  },
  {
    name: 'two loops that do more than to compare',
    code: dedent`
      exports.pairs = (bookings, payments) => {
        let n = 0;
        for (const booking of bookings) {
          for (const payment of payments) {
            n += payment.amount;
            if (payment.id === booking.id) n++;
          }
        }
        for (const booking of bookings) for (const payment of payments) if (payment.id === booking.id) n++; else n--;
        return n;
      };
    `,
  },
  {
    name: 'two loops over two short lists, and over one list: pairs',
    code: dedent`
      exports.pairs = (fields, columns, points) => {
        const found = [];
        for (const field of fields) for (const column of columns) if (column.id === field.id) found.push(field);
        for (const a of points) for (const b of points) if (a.id === b.id) found.push(a);
        return found;
      };
    `,
  },
  {
    name: 'keys of one object in another one: values are compared',
    code: dedent`
      exports.same = (ours, theirs) => {
        for (const mine in ours) for (const yours in theirs) if (ours[mine] === theirs[yours]) return true;
        for (const mine in ours) for (const yours in theirs) if (mine !== yours) return true;
        return false;
      };
    `,
  },
  {
    name: 'a matrix that is turned, and a list that is shuffled',
    code: dedent`
      exports.turn = (matrix, list) => {
        for (let i = 0; i < matrix.length; i++) {
          for (let j = i + 1; j < matrix.length; j++) {
            const one = matrix[i][j];
            matrix[i][j] = matrix[j][i];
            matrix[j][i] = one;
          }
        }
        for (let i = 0; i < list.length; i++) {
          const j = Math.floor(Math.random() * list.length);
          const one = list[i];
          list[i] = list[j];
          list[j] = one;
        }
      };
    `,
  },
  {
    name: 'a table of the module',
    code: dedent`
      const ALLOWED = ['name', 'email'];
      ${inHandler('res.json(req.body.rows.filter((row) => ALLOWED.includes(row.id)));')}
    `,
  },
  {
    name: 'a short list by its name',
    code: inHandler('const { allowedFields, rows } = req.body;', 'res.json(rows.filter((row) => allowedFields.includes(row.id)));'),
  },
  {
    name: 'a text',
    code: inHandler('const text = String(req.body.text);', 'res.json(req.body.words.filter((word) => text.includes(word)));'),
  },
  {
    name: 'the files of a folder of the program',
    code: dedent`
      const fs = require('fs');
      const path = require('path');
      module.exports = () =>
        fs.readdirSync(path.join(__dirname, 'models')).reduce((result, name) => ({ ...result, [name]: require(path.join(__dirname, 'models', name)) }), {});
    `,
  },
  {
    name: 'the networks of a service',
    code: dedent`
      export class Editor {
        static toObject(networks: string[]): Record<string, object> {
          return networks.reduce((acc, name) => ({ ...acc, [name]: {} }), {});
        }
      }
    `,
    file: 'src/editor.ts',
  },
  {
    name: 'a list that the callback is given, of a few names',
    code: inHandler("res.json(['a', req.body.name].filter((name, i, all) => all.indexOf(name) === i));"),
  },
  {
    name: 'an index that a reduction is given in the place of a list',
    code: inHandler('res.json(req.body.rows.reduce((found, row, at) => found + (at.indexOf(row) === 1 ? 1 : 0), 0));'),
  },
  {
    name: 'a list of each element',
    code: inHandler('res.json(req.body.rows.filter((row) => row.tags.includes(req.body.tag)));'),
  },
  {
    name: 'a list made for each element',
    code: inHandler(
      'for (const row of req.body.rows) {',
      "  const names = row.text.split(',');",
      '  if (names.includes(row.name)) res.write(row.name);',
      '}',
    ),
  },
  {
    name: 'a Set',
    code: inHandler('const ids = new Set(req.body.ids);', 'res.json(req.body.rows.filter((row) => ids.has(row.id)));'),
  },
  {
    name: 'a Map',
    code: inHandler(
      'const byId = new Map(req.body.users.map((user) => [user.id, user]));',
      'res.json(req.body.rows.map((row) => byId.get(row.id)));',
    ),
  },
  {
    name: 'the outer list is a constant',
    code: inHandler("res.json(['a', 'b'].map((name) => req.body.rows.find((row) => row.name === name)));"),
  },
  { name: 'one search', code: inHandler('res.json(req.body.rows.find((row) => row.id === req.body.id));') },
  {
    name: 'the search is the same for all elements',
    code: inHandler('for (const row of req.body.rows) if (req.body.users.some((user) => user.id === req.body.id)) res.write(row.name);'),
  },
  {
    name: 'the loop ends with the search',
    code: inHandler(
      'for (const row of req.body.rows) {',
      "  if (row.kind !== 'first') continue;",
      '  const user = req.body.users.find((one) => one.id === row.id);',
      '  return res.json(user);',
      '}',
    ),
  },
  {
    name: 'in what fails',
    code: inHandler(
      'for (const row of req.body.rows) {',
      '  try {',
      '    await save(row);',
      '  } catch {',
      '    res.write(req.body.users.find((one) => one.id === row.id).name);',
      '  }',
      '}',
    ),
  },
  {
    name: 'lists of unknown length',
    code: inHandler(
      'const orders = load();',
      'const users = others();',
      'res.json(orders.map((row) => users.find((user) => user.id === row.id)));',
    ),
  },
  {
    name: 'one page of the rows',
    code: inHandler(
      'const orders = await Row.findAll({ limit: 20 });',
      'const users = await User.findAll({ limit: 20 });',
      'res.json(orders.map((row) => users.find((user) => user.id === row.userId)));',
    ),
  },
  {
    name: 'the groups of the rows are few',
    code: inHandler(
      'const kinds = [];',
      'for (const row of req.body.rows) if (!kinds.includes(row.kind)) kinds.push(row.kind);',
      'res.json(kinds);',
    ),
  },
  {
    name: 'compared by what many elements share',
    code: inHandler(
      'const { rows, texts } = req.body;',
      'res.json(rows.map((row) => texts.find((text) => text.languageCode === row.language)));',
    ),
  },
  {
    name: 'a copied object over a list of unknown length',
    code: 'exports.byCode = () => configured().reduce((all, one) => ({ ...all, [one.code]: one }), {});\n',
  },
  {
    name: 'part of a list',
    code: inHandler(
      'const last = req.body.users.slice(0, 5);',
      'res.json(req.body.rows.map((row) => last.find((user) => user.id === row.id)));',
    ),
  },
  {
    name: 'a callback that compares nothing',
    code: inHandler('res.json(req.body.rows.map((row) => req.body.users.filter((user) => isNear(user, row))));'),
  },
  { name: 'the keys of an object', code: inHandler('res.json(req.body.rows.filter((row) => Object.keys(defaults).includes(row.id)));') },
  {
    name: 'an accumulator with fixed keys',
    code: inHandler('res.json(req.body.rows.reduce((all, row) => ({ ...all, total: all.total + row.price }), { total: 0 }));'),
  },
  {
    name: 'an accumulator that is added to',
    code: inHandler('res.json(req.body.rows.reduce((all, row) => { all[row.id] = row; return all; }, {}));'),
  },
  { name: 'a copy of each element', code: inHandler('res.json(req.body.rows.map((row) => ({ ...row, [row.key]: 1 })));') },
  {
    name: 'an accumulator over a constant',
    code: inHandler("res.json(['a', 'b'].reduce((all, name) => ({ ...all, [name]: req.body[name] }), {}));"),
  },
  {
    name: 'an accumulator over the keys of an object',
    code: inHandler('res.json(Object.keys(req.query).reduce((all, key) => ({ ...all, [key]: 1 }), {}));'),
  },
  {
    name: 'a text that grows',
    code: inHandler("let text = '';", 'for (const row of req.body.rows) text = text.concat(row.name);', 'res.send(text);'),
  },
  {
    name: 'a list begun anew for each element',
    code: inHandler(
      'for (const row of req.body.rows) {',
      '  let names = [];',
      '  names = [...names, row.name];',
      '  res.write(names[0]);',
      '}',
    ),
  },
  {
    name: 'bytes that are used up',
    code: dedent`
      require('net').createServer((socket) => {
        let rest = Buffer.alloc(0);
        socket.on('data', (chunk) => {
          rest = Buffer.concat([rest, chunk]);
          while (rest.length >= 4) rest = rest.subarray(4);
        });
      });
    `,
  },
  {
    name: 'the first bytes of a stream: the length is cut',
    code: inHandler(
      'let start = Buffer.alloc(0);',
      "req.on('data', (chunk) => { start = Buffer.concat([start, chunk], 2); });",
      "req.on('end', () => res.send(start));",
    ),
  },
  {
    name: 'chunks joined once',
    code: inHandler(
      'const chunks = [];',
      "req.on('data', (chunk) => chunks.push(chunk));",
      "req.on('end', () => res.send(Buffer.concat(chunks)));",
    ),
  },
  {
    // V8 keeps a slice as a reference to the whole: 100,000 slices take 1 ms (bench/quadratic.js).
    name: 'a text that is cut from its front',
    code: inHandler('let text = String(req.body.text);', 'while (text.length > 0) text = text.slice(1);', 'res.end();'),
  },
  {
    name: 'a walk over a tree: the queue is as long as one level',
    code: inHandler(
      'const queue = [...req.body.roots];',
      'while (queue.length > 0) {',
      '  const node = queue.shift();',
      '  queue.push(...node.children);',
      '}',
      'res.end();',
    ),
  },
  {
    name: 'the first few of a queue',
    code: inHandler(
      'const { rows } = req.body;',
      'let taken = 0;',
      'while (rows.length > 0 && taken < 9) {',
      '  res.write(rows.shift());',
      '  taken += 1;',
      '}',
      'res.end();',
    ),
  },
  ...["const tokens = ['a', 'b'];", 'const tokens = [];\n    while (tokens.length < 9) tokens.push(this.next());'].map((filled, i) => ({
    name: i === 0 ? 'a short list that a method empties from the front' : 'a list that a loop fills with a few elements',
    code: dedent`
      class Parser {
        rule() {
          ${filled}
          return this.declaration(tokens);
        }
        declaration(tokens) {
          let text = '';
          while (tokens.length > 0) text += tokens.shift()[1];
          return text;
        }
      }
      module.exports = Parser;
    `,
  })),
  {
    name: 'a list that a loop without a known end fills, and that is searched where it is made',
    code: dedent`
      exports.read = (reader, names) => {
        const kept = [];
        while (reader.next()) kept.push(reader.value);
        return ['a', 'b'].filter((name) => kept.includes(name));
      };
    `,
  },
  ...[
    [
      'a list that the loop fills up to a limit',
      'const MAX = 15;',
      'for (const name of names) {',
      '  if (known.length >= MAX) break;',
      '  if (!known.includes(name)) known.push(name);',
      '}',
    ],
    [
      'a list that is searched while it is short',
      'for (const name of names) if (known.length < 10 && !known.includes(name)) known.push(name);',
    ],
    [
      'a request that may only ask for a few',
      'if (!names || names.length > 100) return res.status(400).end();',
      'for (const name of names) if (!known.includes(name)) res.write(name);',
    ],
    [
      'a limit of another file',
      "const { MAX_NAMES } = require('./limits');",
      'if (names.length > MAX_NAMES) throw new Error();',
      'for (const name of names) if (!known.includes(name)) res.write(name);',
    ],
  ].map(([name = '', ...lines]) => ({
    name,
    code: inHandler('const { names, known } = req.body;', 'known.sort();', ...lines, 'res.json(known);'),
  })),
  { name: 'one shift', code: inHandler('const first = req.body.rows.shift();', 'res.json(first);') },
  {
    name: 'keys that are counted once',
    code: inHandler('const all = {};', 'for (const row of req.body.rows) all[row.id] = row;', 'res.json(Object.keys(all).length);'),
  },
  {
    name: 'at startup',
    code: dedent`
      const { readFileSync } = require('node:fs');
      const rows = readFileSync('rows', 'utf8').split('\\n');
      const users = readFileSync('users', 'utf8').split('\\n');
      exports.known = rows.filter((row) => users.includes(row));

    `,
  },
  {
    name: 'in a test',
    file: '/app/test/rows.test.js',
    code: dedent`
      function missing(rows, users) {
        return rows.map((row) => users.find((user) => user.id === row.id));
      }

    `,
  },
];
