// What runs the user's code: each request is refused without trust, and runs, is stopped and says what is wrong with it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CancellationTokenSource, type CodeAction, type CodeLens } from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  COMMANDS,
  COMPARE_REQUEST,
  FUNCTIONS_REQUEST,
  LAG_REQUEST,
  LOAD_REQUEST,
  MEASURE_CHANGE_REQUEST,
  MEASURE_FIX_REQUEST,
  PROFILE_PROGRAM_REQUEST,
  PROFILE_REQUEST,
  SCRIPTS_REQUEST,
  type CompareResult,
  type FixTarget,
  type FunctionsResult,
  type LagResult,
  type LoadResult,
  type MeasureChangeResult,
  type MeasureFixResult,
  type ProfileResult,
  type ProgramResult,
  type ScriptsResult,
} from '../../protocol/editor.ts';
import type { EvidenceFile } from '../../protocol/kept-evidence.ts';
import { start, uriOf } from './harness.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const FILES = {
  'package.json': JSON.stringify({ scripts: { start: 'node mark.js', forever: 'node forever.js' } }),
  'mark.js': dedent`
    require('node:fs').writeFileSync(require('node:path').join(__dirname, 'mark'), '');
    function one() { return 1; }

    class A {
      two() { return [1].map((n) => n); }
    }
    one();
    module.exports = A;

  `,
  'forever.js': 'setInterval(() => {}, 1000);\n',
};

describe("runs of the user's code", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-runs-')));
  const uri = (name: string) => uriOf(join(folder, name));
  const mark = join(folder, 'mark');
  before(() => {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const position = { line: 1, character: 20 };
  const node = { nodePath: process.execPath };
  const requests: readonly [method: string, params: object][] = [
    [PROFILE_REQUEST, { textDocument: { uri: uri('mark.js') }, position, budgetMs: 1000, ...node }],
    [COMPARE_REQUEST, { textDocument: { uri: uri('mark.js') }, position, budgetMs: 1000, nodePaths: [process.execPath] }],
    [MEASURE_FIX_REQUEST, { textDocument: { uri: uri('mark.js') }, position }],
    [MEASURE_CHANGE_REQUEST, { textDocument: { uri: uri('mark.js') }, position, base: 'HEAD' }],
    [PROFILE_PROGRAM_REQUEST, { program: { uri: uri('mark.js') }, runMs: 1000, ...node }],
    [PROFILE_PROGRAM_REQUEST, { program: { uri: uri('package.json'), script: 'start' }, runMs: 1000, ...node }],
    [LAG_REQUEST, { program: { uri: uri('mark.js') }, measureMs: 1000, ...node }],
    [LOAD_REQUEST, { program: { uri: uri('mark.js') }, request: 'GET /', connections: 2, measureMs: 500, ...node }],
  ];

  it('are refused without trust, each of them', async () => {
    for (const options of [{ clientCommands: true, trusted: false }, { clientCommands: true }, { trusted: true }]) {
      const session = await start({ folders: [folder], options });
      await session.open(uri('mark.js'), FILES['mark.js']);
      for (const [method, params] of requests) {
        const result = await session.connection.sendRequest<ProfileResult>(method, params);
        assert.ok(!result.ok && /not trusted/.test(result.why), method);
      }
      await session.dispose();
    }
    assert.equal(existsSync(mark), false);
  });

  it('write nothing where they may only read, and start nothing', async () => {
    const inner = join(folder, 'guarded');
    mkdirSync(inner);
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(inner, name), text);
    const session = await start({ folders: [inner], options: { clientCommands: true, trusted: true } });
    await session.open(uri('guarded/mark.js'), FILES['mark.js']);
    const function1 = await session.connection.sendRequest<ProfileResult>(PROFILE_REQUEST, {
      textDocument: { uri: uri('guarded/mark.js') },
      position,
      budgetMs: 500,
      readOnly: true,
      ...node,
    });
    const file = await session.connection.sendRequest<ProgramResult>(PROFILE_PROGRAM_REQUEST, {
      program: { uri: uri('guarded/mark.js') },
      runMs: 1000,
      readOnly: true,
      ...node,
    });
    await session.connection.sendRequest<LagResult>(LAG_REQUEST, {
      program: { uri: uri('guarded/mark.js') },
      measureMs: 500,
      readOnly: true,
      ...node,
    });
    const script = await session.connection.sendRequest<ProgramResult>(PROFILE_PROGRAM_REQUEST, {
      program: { uri: uri('guarded/package.json'), script: 'start' },
      runMs: 1000,
      readOnly: true,
      ...node,
    });
    assert.equal(existsSync(join(inner, 'mark')), false);
    assert.ok(!function1.ok && /ERR_ACCESS_DENIED|Access to this API/.test(function1.why), JSON.stringify(function1));
    assert.ok(
      !file.ok ||
        file.report.problems.some((text) => /ended with exit code 1|ERR_ACCESS_DENIED/.test(text)) ||
        file.report.program?.exitCode === 1,
      JSON.stringify(file),
    );
    assert.ok(!script.ok && /permission model/.test(script.why), JSON.stringify(script));
    await session.dispose();
  });

  it('trace, watch and compare where the user trusts the workspace', async () => {
    const session = await start({ folders: [folder], options: { clientCommands: true, trusted: true } });
    await session.open(uri('mark.js'), FILES['mark.js']);
    const cpuProfiles = join(folder, 'cpu');
    const traced = await session.connection.sendRequest<ProgramResult>(PROFILE_PROGRAM_REQUEST, {
      program: { uri: uri('package.json'), script: 'start' },
      runMs: 1000,
      cpuProfiles,
      ...node,
    });
    assert.ok(traced.ok, traced.ok ? '' : traced.why);
    assert.deepEqual([traced.report.program?.command, traced.report.program?.files], ['npm run start', [join(folder, 'mark.js')]]);
    assert.equal(traced.report.cpuProfile, join(cpuProfiles, 'npm-run-start.cpuprofile'));
    assert.ok(existsSync(traced.report.cpuProfile) && existsSync(mark));
    assert.match(traced.markdown, /^# npm run start on Node [^]*\n## Verdicts\n/);
    writeFileSync(join(folder, 'waits.js'), 'setInterval(() => {}, 10);');
    const lag = await session.connection.sendRequest<LagResult>(LAG_REQUEST, {
      program: { uri: uri('waits.js') },
      measureMs: 500,
      ...node,
    });
    assert.ok(lag.ok, lag.ok ? '' : lag.why);
    assert.match(lag.markdown, /^# node waits\.js on Node [^]*\n## Event loop delay\n/);
    const compared = await session.connection.sendRequest<CompareResult>(COMPARE_REQUEST, {
      textDocument: { uri: uri('mark.js') },
      position,
      budgetMs: 1000,
      nodePaths: [process.execPath, join(folder, 'package.json')],
    });
    assert.ok(compared.ok, compared.ok ? '' : compared.why);
    assert.deepEqual(
      compared.rows.map(({ failure }) => failure === undefined),
      [true, false],
    );
    assert.match(compared.markdown, /\n## Comparison\n\n\| Node \|/);
    await session.dispose();
  });

  it('put a server under load where the user trusts the workspace, and send requests nowhere else', async () => {
    const session = await start({ folders: [folder], options: { clientCommands: true, trusted: true } });
    writeFileSync(
      join(folder, 'serve.js'),
      dedent`
        const { createServer } = require('node:http');
        const { statSync } = require('node:fs');
        createServer((req, res) => {
          statSync(__filename);
          res.end(req.url);
        }).listen(process.env.PORT || 3000);

      `,
    );
    const params = { program: { uri: uri('serve.js') }, request: 'GET /a', connections: 2, measureMs: 500, ...node };
    const result = await session.connection.sendRequest<LoadResult>(LOAD_REQUEST, params);
    assert.ok(result.ok, result.ok ? '' : result.why);
    const { report, markdown } = result;
    assert.deepEqual(report.request, { method: 'GET', path: '/a' });
    assert.ok(
      report.noResult === undefined && report.traffic.answered > 0 && report.traffic.errorShare === 0,
      JSON.stringify(report.traffic),
    );
    assert.deepEqual(
      report.causes?.calls.map(({ name, place }) => [name, place?.line]),
      [['fs.statSync', 4]],
    );
    assert.match(markdown, /^# GET \/a under load on Node /);
    const elsewhere = await session.connection.sendRequest<LoadResult>(LOAD_REQUEST, { ...params, request: 'GET http://example.org/' });
    assert.ok(!elsewhere.ok && /names a host/.test(elsewhere.why), JSON.stringify(elsewhere));
    await session.dispose();
  });

  it('measure a fix without applying it, and tell it above the function that has it', async () => {
    const text = dedent`
      /** @profile strip(1) */
      function strip(id) {
        const row = { id, margin: 0.4, name: 'Tea' };
        delete row.margin;
        return row;
      }
      const all = (ids) => JSON.stringify(ids.map(strip));
      exports.all = all;
      require('node:http').createServer((req, res) => res.end(all(req.url.split(',')))).listen(0);
    `;
    mkdirSync(join(folder, 'fixed'));
    writeFileSync(join(folder, 'fixed/package.json'), '{ "name": "fixed" }');
    writeFileSync(join(folder, 'fixed/rows.js'), text);
    const session = await start({ folders: [join(folder, 'fixed')], options: { clientCommands: true, trusted: true } });
    const textDocument = { uri: uri('fixed/rows.js') };
    await session.open(textDocument.uri, text);
    const actions = await session.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
      textDocument,
      range: { start: { line: 3, character: 4 }, end: { line: 3, character: 4 } },
      context: { diagnostics: [] },
    });
    const action = actions.find(({ title }) => title.startsWith('Apply and measure: '));
    assert.equal(action?.command?.command, COMMANDS.applyAndMeasure, JSON.stringify(actions.map(({ title }) => title)));
    const [target] = action.command.arguments as [FixTarget];
    assert.equal(target.ruleId, 'no-unstable-shape');
    const measured = await session.connection.sendRequest<MeasureFixResult>(MEASURE_FIX_REQUEST, {
      textDocument,
      position: target.position,
      ruleId: target.ruleId,
      ...node,
    });
    assert.ok(measured.ok, measured.ok ? '' : measured.why);
    assert.equal(measured.difference.verdict, 'faster', JSON.stringify(measured.difference));
    assert.deepEqual(
      [measured.title === action.title.slice('Apply and measure: '.length), measured.functionName, measured.version],
      [true, 'strip', 1],
    );
    assert.equal(readFileSync(join(folder, 'fixed/rows.js'), 'utf8'), text);
    const lenses = async () =>
      (await session.connection.sendRequest<CodeLens[]>('textDocument/codeLens', { textDocument })).map(({ command }) => command?.title);
    assert.equal(
      (await lenses()).some((title) => title?.includes('with the fix')),
      false,
      'not before it is applied',
    );
    const edits = measured.edits.map(({ range, newText }) => ({ range, newText }));
    const fixed = TextDocument.applyEdits(TextDocument.create(textDocument.uri, 'javascript', 1, text), edits);
    await session.change(textDocument.uri, { text: fixed });
    assert.match((await lenses()).join('\n'), /✔ Faster with the fix: [\d.]+ ns → [\d.]+ ns per call · Profile again/);
    const nothing = await session.connection.sendRequest<MeasureFixResult>(MEASURE_FIX_REQUEST, {
      textDocument,
      position: { line: 3, character: 4 },
      ...node,
    });
    assert.ok(!nothing.ok && /There is no finding in `strip`/.test(nothing.why), JSON.stringify(nothing));
    await session.dispose();

    const { fixes = [] } = JSON.parse(readFileSync(join(folder, 'fixed/.nodometer/evidence.json'), 'utf8')) as EvidenceFile;
    assert.deepEqual(
      fixes.map((fix) => [fix.file, fix.function, fix.ruleId, fix.result]),
      [['rows.js', 'strip', 'no-unstable-shape', 'faster']],
    );
    const later = await start({ folders: [join(folder, 'fixed')], options: { clientCommands: true, trusted: true } });
    await later.open(textDocument.uri, fixed);
    const again = await later.connection.sendRequest<CodeLens[]>('textDocument/codeLens', { textDocument });
    assert.match(again.map(({ command }) => command?.title).join('\n'), /✔ Faster with the fix/, 'a server that is started later');
    await later.dispose();
  });

  it('measure a change since a commit, of a function as it is typed', async () => {
    const project = join(folder, 'changed');
    const files = {
      'package.json': '{ "name": "changed" }',
      'sizes.js': dedent`
        /** @profile total([1, 2, 3]) */
        function total(sizes) {
          let sum = 0;
          for (let i = 0; i < 2000; i++) sum += sizes.reduce((a, b) => a + b, 0);
          return sum;
        }
        exports.total = total;

      `,
      '.gitignore': '.nodometer\n',
    };
    mkdirSync(project);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: project, encoding: 'utf8' });
    const session = await start({ folders: [project], options: { clientCommands: true, trusted: true } });
    const measure = async (name: string, line: number, base = 'HEAD'): Promise<MeasureChangeResult> =>
      session.connection.sendRequest<MeasureChangeResult>(MEASURE_CHANGE_REQUEST, {
        textDocument: { uri: uri(`changed/${name}`) },
        position: { line, character: 4 },
        base,
        ...node,
      });
    await session.open(uri('changed/sizes.js'), files['sizes.js']);
    const noRepository = await measure('sizes.js', 3);
    assert.match(noRepository.ok ? '' : noRepository.why, /is not in a git repository, so there is no `HEAD`/);
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'before');
    const commit = git('rev-parse', 'HEAD').slice(0, 8);
    const noCommit = await measure('sizes.js', 3, '--output=x');
    assert.match(noCommit.ok ? '' : noCommit.why, /`--output=x` is not a commit/);

    // What is typed and not saved counts.
    await session.change(uri('changed/sizes.js'), { text: files['sizes.js'].replace('2000', '2') });
    const measured = await measure('sizes.js', 3);
    assert.ok(measured.ok, measured.ok ? '' : measured.why);
    assert.deepEqual(
      [measured.functionName, measured.difference.verdict, measured.difference.first.name, measured.difference.per],
      ['total', 'faster', `HEAD (${commit})`, 'call'],
    );
    const lenses = await session.connection.sendRequest<CodeLens[]>('textDocument/codeLens', {
      textDocument: { uri: uri('changed/sizes.js') },
    });
    const titles = lenses.map(({ command }) => command?.title).join('\n');
    assert.ok(titles.includes(`✔ Faster than at HEAD (${commit}): `), titles);

    await session.dispose();
    const { fixes = [] } = JSON.parse(readFileSync(join(project, '.nodometer/evidence.json'), 'utf8')) as EvidenceFile;
    assert.deepEqual(
      fixes.map(({ file, base, ruleId, result }) => [file, base, ruleId, result]),
      [['sizes.js', `HEAD (${commit})`, undefined, 'faster']],
    );
  });

  it("judge what only the project shows: a blocking call that other files' requests lead to", async () => {
    const files = {
      'shop/package.json': '{ "name": "shop" }',
      'shop/texts.js': dedent`
        const fs = require('node:fs');
        exports.read = () => fs.readFileSync(__filename, 'utf8');

      `,
      'shop/server.js': dedent`
          const http = require('node:http');
          const { read } = require('./texts');
          const server = http.createServer((req, res) => res.end(read()));
          server.listen(0, '127.0.0.1', () => http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (answer) => answer.resume().on('end', () => server.close())));

        `,
    };
    mkdirSync(join(folder, 'shop'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const session = await start({ folders: [join(folder, 'shop')], options: { clientCommands: true, trusted: true } });
    const result = await session.connection.sendRequest<ProgramResult>(PROFILE_PROGRAM_REQUEST, {
      program: { uri: uri('shop/server.js') },
      runMs: 4000,
      ...node,
    });
    assert.ok(result.ok, result.ok ? '' : result.why);
    assert.deepEqual(
      result.report.verdicts.map(({ ruleId, place, verdict }) => [ruleId, place.file, place.line, verdict]),
      [['no-sync-in-handler', join(folder, 'shop', 'texts.js'), 2, 'seen']],
    );
    const kept = JSON.parse(readFileSync(join(folder, 'shop/.nodometer/evidence.json'), 'utf8')) as EvidenceFile;
    assert.deepEqual(
      kept.profiles.map(({ file, verdicts }) => [file, verdicts.map(({ verdict }) => verdict)]),
      [['texts.js', ['seen']]],
    );
    await session.dispose();
  });

  it('call a function as other files do, with texts that are not saved', async () => {
    const add = 'exports.add = (a, b) => a + b;\n';
    const use = dedent`
      const { add } = require('./add');
      exports.total = () => add(1, 2);

    `;
    mkdirSync(join(folder, 'sum'));
    for (const [name, text] of Object.entries({ 'package.json': '{ "name": "sum" }', 'add.js': add, 'use.js': use }))
      writeFileSync(join(folder, 'sum', name), text);
    const session = await start({ folders: [join(folder, 'sum')], options: { clientCommands: true, trusted: true } });
    await session.open(uri('sum/add.js'), add);
    await session.open(uri('sum/use.js'), use.replace('2', "'two'"));
    const result = await session.connection.sendRequest<ProfileResult>(PROFILE_REQUEST, {
      textDocument: { uri: uri('sum/add.js') },
      position: { line: 0, character: 15 },
      budgetMs: 500,
      ...node,
    });
    assert.ok(result.ok, result.ok ? '' : result.why);
    assert.deepEqual([result.report.target.origin, result.report.target.calls], ['call-site', ["exports.add(1, 'two')"]]);
    await session.dispose();
  });

  it('are stopped by a cancellation', async () => {
    const session = await start({ folders: [folder], options: { clientCommands: true, trusted: true } });
    const cancel = new CancellationTokenSource();
    const running = session.connection.sendRequest<LagResult>(
      LAG_REQUEST,
      { program: { uri: uri('package.json'), script: 'forever' }, measureMs: 600_000, ...node },
      cancel.token,
    );
    setTimeout(() => cancel.cancel(), 500);
    const result = await running.catch((error: Error) => ({ ok: false as const, why: error.message, remedy: '' }));
    assert.ok(!result.ok && /stopped|cancel/i.test(result.why), JSON.stringify(result));
    await session.dispose();
  });

  it('say what is wrong with what is asked for', async () => {
    const session = await start({ folders: [folder], options: { clientCommands: true, trusted: true } });
    const cases: [params: object, says: RegExp][] = [
      [{ program: { uri: uri('gone.js') } }, /is not a file on disk/],
      [{ program: { uri: uri('package.json'), script: 'strat' } }, /Script `strat` not found.*Did you mean `start`/],
      [{ program: { uri: 'untitled:Untitled-1' } }, /is not a file on disk/],
      [{ program: { uri: uri('mark.js') }, nodePath: join(folder, 'package.json') }, /package\.json/],
    ];
    for (const [params, says] of cases) {
      const result = await session.connection.sendRequest<ProgramResult>(PROFILE_PROGRAM_REQUEST, { runMs: 1000, ...node, ...params });
      assert.ok(!result.ok);
      assert.match(result.why, says);
    }
    const { manifest, scripts } = await session.connection.sendRequest<ScriptsResult>(SCRIPTS_REQUEST, { uri: uri('mark.js') });
    assert.deepEqual([manifest, scripts.map(({ name }) => name)], [uri('package.json'), ['start', 'forever']]);
    await session.dispose();
  });

  it('find the functions that a selection touches, the innermost ones', async () => {
    const session = await start({ folders: [folder], options: { clientCommands: true, trusted: true } });
    await session.open(uri('mark.js'), FILES['mark.js']);
    const touched = async (first: number, last: number, from = 0, to = 0) => {
      const range = { start: { line: first, character: from }, end: { line: last, character: to } };
      return (
        await session.connection.sendRequest<FunctionsResult>(FUNCTIONS_REQUEST, { textDocument: { uri: uri('mark.js') }, range })
      ).functions.map(({ name }) => name);
    };
    assert.deepEqual(await touched(1, 6), ['one', 'A.two']);
    assert.deepEqual(await touched(1, 1, 3, 3), ['one']);
    assert.deepEqual(await touched(0, 0, 0, 10), []);
    assert.deepEqual(await touched(4, 4, 4, 8), ['A.two']);
    await session.dispose();
  });
});
