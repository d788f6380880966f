// Verdicts are about a finding's own code: what else its function does confirms nothing. Each program holds the finding and the decoy.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ProfileReport } from '../../protocol/evidence.ts';
import { rules } from '../../rules/index.ts';
import { MAJORS, nodesOfMajors } from './nodes.ts';
import { folderWith, run } from '../cli/support.ts';

const BUSY = 'const busy = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };';

async function profile(text: string, name: string, ...more: string[]): Promise<ProfileReport> {
  const folder = folderWith({ 'package.json': '{ "name": "a", "version": "1.0.0" }', 'a.js': text });
  try {
    const { out, err } = await run(['profile', `a.js:${name}`, ...more, '--yes', '--no-save', '--time', '2', '-f', 'json'], {
      cwd: folder.path,
      rules,
    });
    assert.notEqual(out, '', err);
    return JSON.parse(out) as ProfileReport;
  } finally {
    folder.dispose();
  }
}

const told = ({ verdicts }: ProfileReport): string[] =>
  verdicts.map(({ ruleId, place, verdict }) => `${ruleId} ${place.line}: ${verdict}`).sort();

describe('verdicts are about the code of the finding', () => {
  it('a read that never ran is not confirmed by other work of its function', async () => {
    const report = await profile(
      dedent`
        const fs = require('node:fs');
        const http = require('node:http');
        ${BUSY}
        /** @profile GET /work */
        function handle(req, res) {
          if (req.url === '/never') return res.end(fs.readFileSync(__filename));
          busy(60);
          res.end('ok');
        }
        http.createServer(handle).listen(3000);
      `,
      'handle',
    );
    assert.ok(report.blocks.length > 0, 'the decoy blocks');
    assert.deepEqual(told(report), ['no-blocking-loop 3: confirmed', 'no-sync-in-handler 6: not-reached']);
  });

  it('a regular expression above its function is confirmed where it is used', async () => {
    const report = await profile(
      dedent`
        const http = require('node:http');
        const MARKED = /^([0-9]+)+!$/;
        /** @profile GET /marked?text=000000000000000000000000 */
        function handle(req, res) {
          res.end(String(MARKED.test(new URL(req.url, 'http://x').searchParams.get('text'))));
        }
        http.createServer(handle).listen(3000);
      `,
      'handle',
    );
    assert.deepEqual(told(report), ['no-unsafe-regex 2: confirmed']);
  });

  it('the order of keys is what readers meet, not what the literals store', async () => {
    const report = await profile(
      dedent`
        module.exports = { sum };
        /** @profile sum(100) */
        function sum(n) {
          const rows = [];
          for (let i = 0; i < n; i++) rows.push(i % 2 ? { a: i, b: 1 } : { b: 1, a: i });
          let total = 0;
          for (const row of rows) total += row.a + row.b;
          return total;
        }
      `,
      'sum',
    );
    // What it costs is compared with its fix, which a crowded machine may leave open.
    assert.match(told(report).join(), /^no-unstable-shape 5: (?:seen|inconclusive)$/);
    assert.match(report.verdicts[0]?.grounds.join('\n') ?? '', /at 7:/, 'the reader is named');
  });

  it('a probe that never throws is not confirmed by exceptions of elsewhere', async () => {
    const report = await profile(
      dedent`
        let calls = 0;
        function fail() { if (++calls % 50 === 0) throw new Error('no'); return 1; }
        module.exports = { check };
        /** @profile check(['http://a.b', 'http://c.d']) */
        function check(list) {
          let good = 0;
          for (const one of list) {
            try { new URL(one); good++; } catch { good--; }
          }
          try { fail(); } catch { good = 0; }
          return good;
        }
      `,
      'check',
    );
    assert.ok(
      report.exceptions.some(({ thrown }) => thrown > 0),
      'the decoy throws',
    );
    assert.deepEqual(
      told(report).filter((one) => one.startsWith('no-throw-in-hot-path 8')),
      ['no-throw-in-hot-path 8: refuted'],
    );
  });

  it('a delete that never ran is not confirmed by another one', async () => {
    const report = await profile(
      dedent`
        module.exports = { strip };
        /** @profile strip([{ id: 1, secret: 2, name: 'a' }, { id: 2, secret: 3, name: 'b' }], false) */
        function strip(rows, isAll) {
          const other = { p: 1, q: 2, r: 3 };
          delete other['p'];
          for (const row of rows) {
            if (isAll) delete row.secret;
            other.q += row.id;
          }
          return rows;
        }
      `,
      'strip',
    );
    assert.ok(report.mapEvents.length > 0, 'the decoy changes its shape');
    assert.deepEqual(
      told(report).filter((one) => one.includes(' 7:')),
      ['no-unstable-shape 7: not-reached'],
    );
  });

  it('closures of one literal are one function, and building a string is no mix', async () => {
    const report = await profile(
      dedent`
        const make = (n) => () => n;
        const made = Array.from({ length: 10 }, (_, i) => make(i));
        function call(f) { return f(); }
        module.exports = { all };
        /** @profile all(5) */
        function all(n) {
          let text = '';
          for (let i = 0; i < n; i++) text = 'x' + call(made[i]) + ': ' + i;
          return text;
        }
      `,
      'all',
    );
    const calls = report.feedback?.filter(({ place }) => place.line === 3) ?? [];
    assert.deepEqual(
      calls.map(({ seen, mixed }) => [seen, mixed]),
      [['one function', false]],
    );
    const operators = report.feedback?.filter(({ place, kind }) => place.line === 8 && kind === 'operator') ?? [];
    assert.ok(operators.length >= 3, JSON.stringify(operators));
    assert.deepEqual(
      operators.filter(({ mixed }) => mixed),
      [],
    );
  });
});

it('calls of node:sqlite are timed in an ES module, too', async () => {
  const node = (await nodesOfMajors()).find(({ version }) => version.startsWith('24.'));
  assert.ok(node);
  const folder = folderWith({
    'package.json': '{ "name": "a", "version": "1.0.0", "type": "module" }',
    'a.js': dedent`
      import { DatabaseSync } from 'node:sqlite';
      const db = new DatabaseSync(':memory:');
      db.exec('create table t (a)');
      /** @profile rows() */
      export function rows() {
        return db.prepare('select * from t').all();
      }
    `,
  });
  try {
    const argv = ['profile', 'a.js:rows', '--yes', '--no-save', '--time', '1', '--node', node.path, '-f', 'json'];
    const { out, err } = await run(argv, { cwd: folder.path, rules });
    assert.notEqual(out, '', err);
    const { syncCalls } = JSON.parse(out) as ProfileReport;
    assert.deepEqual(
      syncCalls.map(({ name, place }) => [name, place.line]),
      [['sqlite.StatementSync.all', 6]],
    );
  } finally {
    folder.dispose();
  }
});

/** Numbers a million times, then one string: the example of most texts on V8, as a file and as a function of that file. */
const FIRST_EXAMPLE = dedent`
  function add(a, b) { return a + b; }
  for (let i = 0; i < 1000000; i++) add(i, i + 1);
  add('', '');
`;

describe('numbers a million times, then one string', { concurrency: 2 }, () => {
  for (const [index, major] of MAJORS.entries())
    it(`is optimized, and deoptimized where the string comes, on Node ${major}`, async () => {
      const node = (await nodesOfMajors())[index];
      assert.ok(node);
      const folder = folderWith({ 'package.json': '{ "name": "a", "version": "1.0.0" }', 'a.js': FIRST_EXAMPLE });
      try {
        for (const target of ['a.js', 'a.js:add']) {
          const { out, err } = await run(['profile', target, '--yes', '--no-save', '--time', '1', '--node', node.path, '-f', 'json'], {
            cwd: folder.path,
            rules,
          });
          assert.notEqual(out, '', err);
          const { tiers, deopts, verdicts } = JSON.parse(out) as ProfileReport;
          const ofAdd = tiers.filter(({ functionName }) => functionName === 'add').map(({ tier }) => tier);
          assert.ok(ofAdd.includes('turbofan') || ofAdd.includes('maglev'), `${target}: ${ofAdd.join()}`);
          const seen = deopts.filter(({ benign }) => !benign).map(({ place, reason }) => `${place.line}:${place.column} ${reason}`);
          assert.deepEqual(seen, ['1:31 not a Smi'], target);
          const said = verdicts.flatMap(({ grounds }) => grounds).join(' ');
          assert.match(said, target === 'a.js' ? /so it cost less than that|optimized the function again/ : /^.*Compared with/, target);
        }
      } finally {
        folder.dispose();
      }
    });
});
