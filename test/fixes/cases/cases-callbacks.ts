// Blocking calls in callbacks of arrays: loops, and `Promise.all`.
import { dedent } from '../../../analysis/testing/dedent.ts';
import { EXPRESS_4, EXPRESS_5, type FixCase } from '../fix-case.ts';

const APP = dedent`
  const fs = require('fs');
  const path = require('path');
  const app = require('express')();
  const shared = [];

`;
const SERVE = `
app.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });
exports.server = require('http').createServer(app);
`;

const calls = (name: string, body: string, fix: RegExp, expect: FixCase['expect'] = 'same'): FixCase[] =>
  [EXPRESS_4, EXPRESS_5].map((manifest) => ({
    name: `callbacks, Express ${manifest === EXPRESS_4 ? 4 : 5}: ${name}`,
    files: {
      'main.js': dedent`
        ${APP}app.get('/', (req, res) => {
          const names = ['one.txt', String(req.query.file)];
          ${body}
        });${SERVE}
      `,
    },
    manifest,
    data: { 'one.txt': 'one', 'two.txt': 'two two', 'folder/a.txt': 'a', 'folder/b.txt': 'bb' },
    rule: 'no-sync-in-handler',
    fix,
    expect,
    requests: [
      { path: '/?file=two.txt' },
      { path: '/?file=none' },
      { path: '/?file=folder' },
      { path: '/?file=one.txt' },
      [{ path: '/?file=two.txt' }, { path: '/?file=none' }, { path: '/?file=one.txt' }],
    ],
  }));

const LOOP = /in a loop instead of/;
const ALL = /`Promise\.all`/;

export const callbackCases: readonly FixCase[] = [
  ...calls('map', "const texts = names.map((name) => fs.readFileSync(name, 'utf8'));\n  res.send(texts.join());", ALL),
  ...calls('map in an expression', "res.send(names.map((name) => fs.readFileSync(name, 'utf8')).join());", ALL),
  ...calls('map with a block', 'res.json(names.map((name) => { const { size } = fs.statSync(name); return { name, size }; }));', ALL),
  ...calls('map with indices', "res.json(names.map((name, index) => index + fs.readFileSync(name, 'utf8')));", ALL),
  ...calls('map that counts', "let n = 0;\n  res.json(names.map((name) => { n++; return n + fs.readFileSync(name, 'utf8'); }));", ALL, {
    refused: /callback of `map`/,
  }),
  ...calls('map of what nobody knows', "res.json(req.app.locals.names.map((name) => fs.readFileSync(name, 'utf8')));", ALL, {
    refused: /callback of `map`/,
  }),
  ...calls(
    'forEach',
    dedent`
      const out = [];
        names.forEach((name) => {
          // Each of them.
          out.push(fs.readFileSync(name, 'utf8'));
        });
        res.json(out);
    `,
    LOOP,
  ),
  ...calls(
    'forEach that adds',
    dedent`
      let out = '';
        names.forEach((name) => { out += fs.readFileSync(name, 'utf8'); });
        res.send(out);
    `,
    LOOP,
  ),
  ...calls(
    'forEach without a block or semicolons',
    dedent`
      const out = []
        names.forEach((name) => out.push(fs.readFileSync(name, 'utf8')))
        res.json(out)
    `,
    LOOP,
  ),
  ...calls(
    'forEach with a pattern',
    dedent`
      let out = '';
        Object.entries({ a: 'one.txt', b: String(req.query.file) }).forEach(([key, name]) => { out += key + fs.readFileSync(name, 'utf8'); });
        res.send(out);
    `,
    LOOP,
  ),
  ...calls(
    'forEach that sets its parameter',
    dedent`
      let out = '';
        names.forEach((name) => { name = './' + name; out += fs.readFileSync(name, 'utf8'); });
        res.send(out);
    `,
    LOOP,
  ),
  ...calls(
    'forEach of a folder, two calls',
    dedent`
      let out = '';
        fs.readdirSync('folder').forEach((name) => { const file = path.join('folder', name); out += fs.statSync(file).size + fs.readFileSync(file, 'utf8'); });
        res.send(out);
    `,
    /^Convert to promise forms \(3 blocking calls\) in a loop instead of `forEach`/,
  ),
  ...calls(
    'forEach that leaves early',
    dedent`
      let out = '';
        names.forEach((name) => { if (name === 'none') return; out += fs.readFileSync(name, 'utf8'); });
        res.send(out);
    `,
    LOOP,
    { refused: /callback of `forEach`/ },
  ),
  ...calls(
    'forEach of a set',
    dedent`
      let out = '';
        new Set(names).forEach((name) => { out += fs.readFileSync(name, 'utf8'); });
        res.send(out);
    `,
    LOOP,
    { refused: /callback of `forEach`/ },
  ),
  ...calls(
    'forEach that fills what others see',
    dedent`
      names.forEach((name) => { shared.push(fs.readFileSync(name, 'utf8').length); });
        res.json(shared);
    `,
    LOOP,
    { refused: /callback of `forEach`/ },
  ),
  ...calls(
    'forEach with another this',
    dedent`
      const out = { text: '' };
        names.forEach(function (name) { this.text += fs.readFileSync(name, 'utf8'); }, out);
        res.json(out);
    `,
    LOOP,
    { refused: /callback of `forEach`/ },
  ),
  ...calls('filter', 'const there = names.filter((name) => fs.statSync(name).size > 3);\n  res.json(there);', LOOP),
  ...calls(
    'filter with conditions',
    dedent`
      const there = names.filter((name) => name !== 'one.txt' || fs.statSync(name).size > 3);
        res.json(there);
    `,
    LOOP,
  ),
  ...calls('filter in an expression', 'res.json(names.filter((name) => fs.statSync(name).size > 3).length);', LOOP, {
    refused: /callback of `filter`/,
  }),
];
