// Loops and handlers in one file, what they make hot in another: found with the way there, and not found where nothing hot leads there.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../protocol/finding.ts';
import { findingsOf, ROOT, type Files } from './whole-project.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const findings = (files: Files, of: readonly string[] = ['no-throw-in-hot-path', 'no-unstable-shape']): Finding[] => findingsOf(of, files);
const short = ({ file, messageId, severity }: Finding): string => `${file.slice(ROOT.length)} ${messageId} ${severity}`;
const way = ({ related }: Finding): string[] => related.map(({ file, message }) => `${file?.slice(ROOT.length) ?? ''} ${message}`.trim());

const app = (body: string, name = './s'): string =>
  dedent`
    const app = require('express')();
    const s = require('${name}');
    app.get('/rows', (req, res) => { ${body} });

  `;
const LOOP = 'const all = []; for (const row of load(req)) all.push(s.one(row)); res.json(all);';

const PROBE = dedent`
  exports.one = function one(row) {
    try { return JSON.parse(row.text); } catch { return row.text; }
  };

`;
const THROW = dedent`
    exports.one = function one(row) {
      let price;
      try {
        if (!row.price) throw new Error('no price');
        price = Number(row.price);
      } catch {
        price = 0;
      }
      return price;
    };

  `;
const STACK = dedent`
  exports.one = function one(row) {
    return { row, at: new Error().stack };
  };

`;
const DELETE = dedent`
  exports.one = function one(row) {
    delete row.password;
    return row;
  };

`;
const MAKE = dedent`
    exports.one = function one(row) {
      const line = { id: row.id };
      if (row.tax) line.tax = row.tax;
      if (row.note) line.note = row.note;
      if (row.text) line.text = row.text;
      return line;
    };

  `;
const CLASS = dedent`
    class Line {
      constructor(row) {
        this.id = row.id;
        if (row.tax) this.tax = row.tax;
        if (row.note) this.note = row.note;
        if (row.text) this.text = row.text;
      }
    }
    exports.one = (row) => new Line(row);

  `;
const ORDER = dedent`
    exports.one = function one(row) {
      if (row.isFlat) return { width: row.a, height: 1 };
      return { height: row.b, width: row.a };
    };

  `;
const PROTOTYPE = dedent`
  exports.one = function one(row) {
    Object.setPrototypeOf(row, Row.prototype);
    return row;
  };
  class Row {}

`;

/** Each is found in `s.js`, where a loop of another file runs it. */
const PLACES: readonly (readonly [name: string, s: string, found: string, isAnother: boolean])[] = [
  ['a parse that may fail', PROBE, 's.js jsonFallback hint', false],
  ['a throw that its own function takes', THROW, 's.js caughtThrow hint', false],
  ['a stack', STACK, 's.js stackRead hint', false],
  ['a deleted field', DELETE, 's.js deletedField hint', true],
  ['fields on some paths', MAKE, 's.js conditionalFields hint', false],
  ['fields that a constructor sets on some paths', CLASS, 's.js conditionalFields hint', false],
  ['orders of keys', ORDER, 's.js keyOrder hint', false],
];

describe('a loop of another file makes it hot', () => {
  for (const [name, s, found] of PLACES) {
    it(`${name}: two files`, () => {
      const all = findings({ 'app.js': app(LOOP), 's.js': s });
      assert.deepEqual(all.map(short), [found]);
      assert.equal(all[0]?.route, 'GET /rows');
      assert.ok(all[0]?.message.what.includes('{{') === false && !JSON.stringify(all[0]?.data).includes('{{'), all[0]?.message.what);
      assert.deepEqual(
        way(all[0] as Finding).filter((place) => place.startsWith('app.js')),
        ['app.js GET /rows is handled here', 'app.js calls `one` in each iteration'],
      );
    });

    it(`${name}: three files`, () => {
      const service = dedent`
        const t = require('./t');
        exports.list = (rows) => rows.map((row) => t.one(row));

      `;
      const all = findings({ 'app.js': app('res.json(s.list(load(req)));'), 's.js': service, 't.js': s });
      assert.deepEqual(all.map(short), [found.replace('s.js', 't.js')]);
      assert.deepEqual(
        way(all[0] as Finding).filter((place) => /^(?:app|s)\.js/.test(place)),
        [
          'app.js GET /rows is handled here',
          'app.js calls `list`',
          's.js passes this function as a callback',
          's.js calls `one` in each iteration',
        ],
      );
    });

    it(`${name}: the loop is in the handler, three files away`, () => {
      const hand = (next: string): string => dedent`
        const t = require('./${next}');
        exports.one = (row) => t.one(row);

      `;
      assert.deepEqual(findings({ 'app.js': app(LOOP), 's.js': hand('t'), 't.js': hand('u'), 'u.js': s }).map(short), [
        found.replace('s.js', 'u.js'),
      ]);
    });

    it(`${name}: handed to map by its name`, () => {
      assert.deepEqual(findings({ 'app.js': app('res.json(load(req).map(s.one));'), 's.js': s }).map(short), [found]);
    });

    it(`${name}: a method of a class that is handed in`, () => {
      const service = dedent`
        const { one } = require('./t');
        class Service { constructor(db) { this.db = db; } run(row) { return one(row); } }
        module.exports = Service;

      `;
      const handler = dedent`
        const app = require('express')();
        const Service = require('./s');
        const service = new Service({});
        app.get('/rows', (req, res) => { for (const row of load(req)) service.run(row); });

      `;
      assert.deepEqual(findings({ 'app.js': handler, 's.js': service, 't.js': s }).map(short), [found.replace('s.js', 't.js')]);
    });
  }
});

describe('nothing hot leads there', () => {
  for (const [name, s, , isAnother] of PLACES) {
    const silent = (what: string, files: Files): void => {
      it(`${name}: ${what}`, () => assert.deepEqual(findings({ ...files, 's.js': s }).map(short), []));
    };
    silent('nobody calls it', { 'app.js': app('res.end();') });
    silent('once per request', { 'app.js': app('res.json(s.one(load(req)));').replace('load(req)', 'req.body') });
    silent('start-up', {
      'app.js': dedent`
          const s = require('./s');
          for (const row of rows) s.one(row);
          function boot() { for (const row of rows) s.one(row); }
          boot();
          require('express')().listen(1, () => { for (const row of rows) s.one(row); });

        `,
    });
    silent('a command', {
      'cli.js': dedent`
          #!/usr/bin/env node
          const s = require('./s');
          function run(rows) { for (const row of rows) s.one(row); }
          run(process.argv);

        `,
    });
    silent('a test', {
      'test/s.test.js': dedent`
          const s = require('../s');
          const app = require('express')();
          app.get('/rows', (req, res) => { for (const row of load(req)) s.one(row); });

        `,
    });
    silent('a loop that waits', {
      'app.js': app('for (const row of load(req)) { s.one(row); await save(row); }').replace('(req, res) =>', 'async (req, res) =>'),
    });
    silent('it is called where each round waits, at all at the same time', {
      'app.js': app('Promise.all(load(req).map((row) => t.run(row)));', './s').replace("require('./s')", "0, t = require('./t')"),
      't.js': dedent`
        const s = require('./s');
        exports.run = async function run(row) { s.one(row); await save(row); };

      `,
    });
    silent('a short list', { 'app.js': app("for (const kind of ['a', 'b']) s.one({ kind });") });
    if (isAnother)
      silent('the same object in each iteration', { 'app.js': app('const all = {}; for (const row of load(req)) s.one(all);') });
  }

  it('records of a few shapes', () => {
    assert.deepEqual(findings({ 'app.js': app(LOOP), 's.js': MAKE.replace('  if (row.text) line.text = row.text;\n', '') }), []);
    assert.deepEqual(findings({ 'app.js': app(LOOP), 's.js': CLASS.replace('    if (row.text) this.text = row.text;\n', '') }), []);
  });

  it('a setting that is the same in each iteration', () => {
    assert.deepEqual(
      findings({
        'app.js': app(LOOP),
        's.js': dedent`
            const config = require('./config');
            exports.one = function one(row) {
              const text = config.get('flags');
              try { return JSON.parse(text); } catch { return text; }
            };

          `,
      }),
      [],
    );
    assert.deepEqual(
      findings({
        'app.js': app(LOOP),
        's.js': dedent`
            exports.one = function one({ text, ...rest }) {
              const value = text.trim();
              try { return JSON.parse(value); } catch { return value; }
            };

          `,
      }).map(short),
      ['s.js jsonFallback hint'],
    );
  });

  it('a field that few records have', () => {
    assert.deepEqual(findings({ 'app.js': app(LOOP), 's.js': DELETE.replace('delete row', 'if (row.password) delete row') }), []);
    assert.deepEqual(
      findings({ 'app.js': app(LOOP), 's.js': DELETE.replace('  delete', '  if (!row) return null;\n  delete') }).map(short),
      ['s.js deletedField hint'],
    );
  });

  it('a function of that name in another file', () => {
    assert.deepEqual(findings({ 'app.js': app(LOOP, './other'), 'other.js': 'exports.one = (row) => row;\n', 's.js': DELETE }), []);
  });

  it('a function that prepares what start-up needs, by its name', () => {
    assert.deepEqual(findings({ 'app.js': app(LOOP.replace('s.one', 's.loadConfig')), 's.js': PROBE.replaceAll('one', 'loadConfig') }), []);
  });
});

describe('a throw in one file, the catch in another', () => {
  const PARSE = dedent`
      exports.parse = function parse(text) {
        const n = Number(text);
        if (Number.isNaN(n)) throw new RangeError('no number');
        return n;
      };

    `;
  const guarded = (body: string): string => app(`let sum = 0; for (const row of load(req)) { ${body} } res.json(sum);`);
  const FALLBACK = 'try { sum += s.parse(row.price); } catch { sum += 0; }';

  it('two files', () => {
    const [one, ...others] = findings({ 'app.js': guarded(FALLBACK), 's.js': PARSE });
    assert.ok(one && others.length === 0);
    assert.equal(short(one), 'app.js swallowedThrow hint');
    assert.equal(
      one.message.what,
      '`parse` throws when it rejects an item, and this catch swallows the error in each iteration of the loop.',
    );
    assert.deepEqual(way(one), ['this call throws', 's.js thrown here', 'this loop repeats it', 'GET /rows is handled here']);
  });

  it('in a loop of an async handler that does not wait', () => {
    assert.deepEqual(
      findings({
        'app.js': guarded(FALLBACK).replace('(req, res) => {', 'async (req, res) => { const user = await find(req);'),
        's.js': PARSE,
      }).map(short),
      ['app.js swallowedThrow hint'],
    );
  });

  it('three files', () => {
    const all = findings({
      'app.js': guarded(FALLBACK),
      's.js': dedent`
        const t = require('./t');
        exports.parse = (text) => t.parse(text);

      `,
      't.js': PARSE,
    });
    assert.deepEqual(all.map(short), ['app.js swallowedThrow hint']);
    assert.deepEqual(way(all[0] as Finding).slice(0, 3), ['this call throws', 's.js calls `parse`', 't.js thrown here']);
  });

  it('the loop in a third file', () => {
    const all = findings({
      'app.js': app(LOOP),
      's.js': dedent`
          const t = require('./t');
          exports.one = function one(row) {
            try { return t.parse(row.price); } catch { return 0; }
          };

        `,
      't.js': PARSE,
    });
    assert.deepEqual(all.map(short), ['s.js swallowedThrow hint']);
    assert.deepEqual(way(all[0] as Finding), [
      'this call throws',
      't.js thrown here',
      'app.js GET /rows is handled here',
      'app.js calls `one` in each iteration',
    ]);
  });

  const silent: readonly (readonly [string, Files])[] = [
    ['once per request', { 'app.js': app('let n; try { n = s.parse(req.query.n); } catch { n = 0; } res.json(n);'), 's.js': PARSE }],
    [
      'the answer to a bad request',
      {
        'app.js': app('for (const row of load(req)) { try { s.parse(row); } catch (error) { return res.status(400).json({ error }); } }'),
        's.js': PARSE,
      },
    ],
    [
      'the error is logged',
      { 'app.js': guarded('try { sum += s.parse(row.price); } catch (error) { console.error(error); }'), 's.js': PARSE },
    ],
    ['the error is kept', { 'app.js': guarded('try { sum += s.parse(row.price); } catch (error) { bad.push(error); }'), 's.js': PARSE }],
    [
      'the error is told to those who sent the row',
      { 'app.js': guarded('try { sum += s.parse(row.price); } catch (error) { bad.push({ row, why: error.message }); }'), 's.js': PARSE },
    ],
    [
      'the error goes on',
      {
        'app.js': guarded("try { sum += s.parse(row.price); } catch (error) { throw new Error('bad', { cause: error }); }"),
        's.js': PARSE,
      },
    ],
    ['the first error ends the loop', { 'app.js': guarded('try { sum += s.parse(row.price); } catch { break; }'), 's.js': PARSE }],
    ['it does not throw', { 'app.js': guarded(FALLBACK), 's.js': 'exports.parse = (text) => Number(text);\n' }],
    [
      'it takes its own throw',
      {
        'app.js': guarded(FALLBACK),
        's.js': `${PARSE.replaceAll('parse', 'strict')}exports.parse = (text) => { try { return exports.strict(text); } catch { return 0; } };\n`,
      },
    ],
    [
      'the work of a round',
      { 'app.js': guarded('try { const n = s.parse(row.price); sum += n; add(row); show(row, n); } catch { sum += 0; }'), 's.js': PARSE },
    ],
    [
      'the branches of a round',
      { 'app.js': guarded('try { if (row.price) sum += s.parse(row.price); } catch { sum += 0; }'), 's.js': PARSE },
    ],
    [
      'it waits',
      {
        'app.js': guarded('try { sum += await s.parse(row.price); } catch { sum += 0; }').replace('(req, res) =>', 'async (req, res) =>'),
        's.js': PARSE.replace('= function', '= async function'),
      },
    ],
    [
      'start-up',
      {
        'app.js': dedent`
          const s = require('./s');
          function boot(rows) { let sum = 0; for (const row of rows) { ${FALLBACK} } return sum; }
          boot([]);

        `,
        's.js': PARSE,
      },
    ],
  ];
  for (const [name, files] of silent)
    it(`not: ${name}`, () =>
      assert.deepEqual(
        findings(files)
          .filter(({ file }) => file === `${ROOT}app.js`)
          .map(short),
        [],
      ));
});

describe('what every request does', () => {
  it('a prototype that is replaced in another file', () => {
    const all = findings({ 'app.js': app('res.json(s.one(req));'), 's.js': PROTOTYPE });
    assert.deepEqual(all.map(short), ['s.js replacedPerRequest hint']);
    assert.deepEqual(way(all[0] as Finding), ['app.js GET /rows is handled here', 'app.js calls `one`']);
    assert.deepEqual(
      findings({
        'app.js': dedent`
      const s = require('./s');
      s.one({});

    `,
        's.js': PROTOTYPE,
      }),
      [],
    );
  });
});

describe('a condition between the loop and what it runs', () => {
  const often = (body: string, s = PROBE): unknown => findings({ 'app.js': app(body), 's.js': s })[0]?.data.often;
  it('is said, wherever it is', () => {
    assert.match(String(often(LOOP)), /in each iteration of a loop in `[^`]+`$/);
    assert.match(String(often('for (const row of load(req)) if (row.isJson) s.one(row); res.end();')), / that reaches this line$/);
    assert.match(String(often(LOOP, PROBE.replace('try', 'if (row.kind === 1) return row.text;\n  try'))), / that reaches this line$/);
  });
});

describe('a check before `new URL`, which parses valid ones twice', () => {
  const code = `exports.one = function one({ link }) {
  let url;
  try {
    url = new URL(link);
  } catch {
    return '';
  }
  return url.host;
};
`;
  it('is no remedy where only another file shows a loop', () => {
    assert.deepEqual(findings({ 'app.js': app(LOOP), 's.js': code }), []);
  });
});
