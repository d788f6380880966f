// The built plugin in ESLint 9 and 10, as their users run it: the same findings as the command, by ESLint's own machinery.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ESLint as ESLint10, type Linter } from 'eslint10';
import { ESLint as ESLint9 } from 'eslint9';
import { dedent } from '../../analysis/testing/dedent.ts';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import { FileFindings } from '../../eslint-plugin/file-findings.ts';
import { IndexClient } from '../../eslint-plugin/index-client.ts';
import { RULES } from '../../eslint-plugin/rule-table.ts';
import { rules } from '../../rules/index.ts';
import { buildPlugin } from '../../scripts/build.ts';
import { builtIn } from '../built.ts';
import { ROOT, ruleIds } from '../../scripts/generate.ts';
import { run } from '../cli/support.ts';

// `ESLint10` has the types of both: what the tests call is the same.
const VERSIONS: readonly [name: string, ESLint: typeof ESLint10][] = [
  ['ESLint 9', ESLint9 as unknown as typeof ESLint10],
  ['ESLint 10', ESLint10],
];
/** More than the pause after which the plugin looks at the disk, in ms. */
const PAUSE_MS = 1_200;

const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-eslint-')));
const samples = join(work, 'samples');
const packages = join(work, 'node_modules');
const command = join(packages, 'nodometer', 'dist', 'nodometer.js');
const cacheHome = process.env.XDG_CACHE_HOME;
let recommended: Linter.Config;

before(async () => {
  // The thread of the plugin takes the environment of this process.
  process.env.XDG_CACHE_HOME = join(work, 'cache');
  await builtIn(dirname(command));
  await buildPlugin(join(packages, 'eslint-plugin-nodometer', 'dist'));
  cpSync(join(ROOT, 'package.json'), join(packages, 'nodometer', 'package.json'));
  cpSync(join(ROOT, 'eslint-plugin', 'package.json'), join(packages, 'eslint-plugin-nodometer', 'package.json'));
  cpSync(join(ROOT, 'samples'), samples, { recursive: true, filter: (path) => !/node_modules|\.nodometer/.test(relative(ROOT, path)) });
  writeFileSync(join(samples, 'package.json'), '{"private":true}');
  const path = join(packages, 'eslint-plugin-nodometer', 'dist', 'plugin.js');
  recommended = ((await import(pathToFileURL(path).href)) as { default: { configs: { recommended: Linter.Config } } }).default.configs
    .recommended;
});
after(() => {
  if (cacheHome === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = cacheHome;
  rmSync(work, { recursive: true, force: true });
});

/** Nothing of the tree is looked at: a parser that leaves it empty stands for those of TypeScript. */
const emptyTree = {
  meta: { name: 'empty', version: '1' },
  parseForESLint: (text: string) => {
    const lines = text.split('\n');
    const loc = { start: { line: 1, column: 0 }, end: { line: lines.length, column: lines.at(-1)?.length ?? 0 } };
    return { ast: { type: 'Program', sourceType: 'module', body: [], tokens: [], comments: [], range: [0, text.length], loc } };
  },
};
const typescript: Linter.Config = { files: ['**/*.ts'], languageOptions: { parser: emptyTree as unknown as Linter.Parser } };

function eslintIn(ESLint: typeof ESLint10, cwd: string, more: Linter.Config[] = [], options: { fix?: boolean } = {}): ESLint10 {
  return new ESLint({ cwd, overrideConfigFile: true, overrideConfig: [recommended, typescript, ...more], ...options });
}

function placesOf(results: readonly { filePath: string; messages: readonly Linter.LintMessage[] }[]): string[] {
  return results
    .flatMap(({ filePath, messages }) =>
      messages.map((one) => `${filePath}:${one.line}:${one.column}-${one.endLine}:${one.endColumn} ${one.ruleId} ${one.message}`),
    )
    .sort();
}

function foundByCommand(cwd: string): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [command, 'lint', '--format', 'json', '--exit-zero'], { cwd, encoding: 'utf8' });
  assert.equal(stderr, '');
  return (
    JSON.parse(stdout) as {
      file: string;
      line: number;
      column: number;
      endLine: number;
      endColumn: number;
      ruleId: string;
      message: string;
    }[]
  )
    .filter(({ file }) => SCRIPT_FILE.test(file))
    .map((one) => `${one.file}:${one.line}:${one.column}-${one.endLine}:${one.endColumn} nodometer/${one.ruleId} ${one.message}`)
    .sort();
}

let folders = 0;
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = join(work, `project-${++folders}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function rulesIn(eslint: ESLint10, text: string, filePath: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(text, { filePath });
  return (result?.messages ?? []).map(({ ruleId, fatal, message }) => (fatal ? message : ruleId));
}

const SYNC = 'nodometer/no-sync-in-handler';
const APP = dedent`
  const app = require('express')();
  const { load } = require('./load.js');
  app.get('/page', (req, res) => {
    res.send(load());
  });
`;
const LOAD = dedent`
  const fs = require('node:fs');
  exports.load = () => fs.readFileSync('page.html', 'utf8');
`;
const PROJECT = { 'package.json': '{"private":true}', 'app.js': APP, 'load.js': LOAD };

describe('the plugin', () => {
  it('has a rule for each rule of Nodometer, with its page', () => {
    const plugin = recommended.plugins?.nodometer;
    assert.deepEqual(Object.keys(plugin?.rules ?? {}).sort(), [...ruleIds(), 'nodometer-disable'].sort());
    assert.deepEqual(Object.keys(recommended.rules ?? {}).sort(), RULES.map(({ id }) => `nodometer/${id}`).sort());
    for (const id of ruleIds()) {
      const url = (plugin?.rules?.[id] as { meta: { docs: { url?: string } } } | undefined)?.meta.docs.url;
      assert.ok(url !== undefined && existsSync(new URL(url)), id);
    }
  });

  for (const [name, ESLint] of VERSIONS) {
    it(`finds what the command finds in the samples (${name})`, async () => {
      const expected = foundByCommand(samples);
      assert.ok(expected.length > 30, 'the samples were not found');
      const results = await eslintIn(ESLint, samples).lintFiles(['.']);
      assert.deepEqual(placesOf(results), expected);
      // ESLint in a folder of one project knows that project alone, as the command does.
      const shop = join(samples, 'express-shop');
      assert.deepEqual(placesOf(await eslintIn(ESLint, shop).lintFiles(['.'])), foundByCommand(shop));
    });

    it(`takes severities, comments, and its settings from ESLint (${name})`, async () => {
      const folder = folderWith(PROJECT);
      const eslint = (...more: Linter.Config[]) => eslintIn(ESLint, folder, more);
      const file = join(folder, 'load.js');
      assert.deepEqual(await rulesIn(eslint(), LOAD, file), [SYNC]);
      const [asError] = await eslint({ rules: { [SYNC]: 'error' } }).lintText(LOAD, { filePath: file });
      assert.equal(asError?.errorCount, 1);
      assert.deepEqual(await rulesIn(eslint({ rules: { [SYNC]: 'off' } }), LOAD, file), []);
      assert.deepEqual(await rulesIn(eslint(), LOAD.replace('exports', `// eslint-disable-next-line ${SYNC} -- small\nexports`), file), []);
      assert.deepEqual(
        await rulesIn(eslint(), LOAD.replace('exports', '// nodometer-disable-next-line no-sync-in-handler\nexports'), file),
        [],
      );
      assert.deepEqual(await rulesIn(eslint(), `// eslint-disable-next-line ${SYNC}\n${LOAD}`, file), [null, SYNC], 'unused comment');
      assert.deepEqual(await rulesIn(eslint(), `// nodometer-disable-next-line no-sync-in-handler\n${LOAD}`, file), [
        'nodometer/nodometer-disable',
        SYNC,
      ]);
      const hint = dedent`
        ${LOAD}const cluster = require('node:cluster');
        const os = require('node:os');
        if (cluster.isPrimary) for (let i = 0; i < os.cpus().length; i++) cluster.fork();

      `;
      const available = 'nodometer/prefer-available-parallelism';
      assert.deepEqual(await rulesIn(eslint(), hint, file), [SYNC, available]);
      assert.deepEqual(await rulesIn(eslint({ settings: { nodometer: { hints: false } } }), hint, file), [SYNC]);
      const [wrong] = await eslint({ settings: { nodometer: { [`limit${name.at(-1)}`]: 3 } } }).lintText(LOAD, { filePath: file });
      assert.match(wrong?.messages[0]?.message ?? '', /`settings\.nodometer\.limit\d` is not used/);
    });

    it(`finds the same on two threads (${name})`, () => {
      const folder = folderWith({ ...PROJECT, 'other.js': LOAD });
      const version = name.replace('ESLint ', 'eslint');
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(join(packages, 'nodometer'), join(folder, 'node_modules', 'nodometer'), 'junction');
      cpSync(join(packages, 'eslint-plugin-nodometer'), join(folder, 'node_modules', 'eslint-plugin-nodometer'), { recursive: true });
      writeFileSync(
        join(folder, 'eslint.config.mjs'),
        dedent`
          import nodometer from 'eslint-plugin-nodometer';
          export default [nodometer.configs.recommended];

        `,
      );
      const eslint = join(ROOT, 'node_modules', version, 'bin', 'eslint.js');
      const { stdout, stderr, status } = spawnSync(process.execPath, [eslint, '--concurrency', '2', '--format', 'json', '.'], {
        cwd: folder,
        encoding: 'utf8',
      });
      // ESLint doubts that threads pay for three files.
      assert.equal(stderr.replace(/^\(node:\d+\) ESLintPoorConcurrencyWarning.*\n(?:\(Use .*\n)?/m, ''), '');
      assert.equal(status, 0);
      assert.deepEqual(placesOf(JSON.parse(stdout) as ESLint10.LintResult[]), foundByCommand(folder));
    });

    it(`leaves alone what it cannot know, without a crash (${name})`, async () => {
      const outside = folderWith({ 'alone.js': `${APP.replace('load()', "require('node:fs').readFileSync('x')")}` });
      const folder = folderWith({
        ...PROJECT,
        'broken.js': 'const = ;',
        'huge.js': `${LOAD}// ${'x'.repeat(1_100_000)}\n`,
        'text.md': 'a block',
        'page.vue': `<script>\n${LOAD}</script>\n`,
        'deep.js': `${'['.repeat(400)}${']'.repeat(400)};\n`,
      });
      const blocks: Linter.Config = {
        files: ['**/*.md'],
        processor: {
          meta: { name: 'blocks', version: '1' },
          preprocess: () => [{ text: APP.replace('load()', "require('node:fs').readFileSync('x')"), filename: '0.js' }],
          postprocess: (messages) => messages.flat(),
        },
      };
      const vue: Linter.Config = { ...typescript, files: ['**/*.vue'] };
      const eslint = eslintIn(ESLint, folder, [blocks, vue, { files: ['**/*.md/*.js'] }]);
      const results = await eslint.lintFiles(['.']);
      const of = (name: string) => results.find(({ filePath }) => filePath.endsWith(name))?.messages.map(({ ruleId }) => ruleId);
      assert.deepEqual(of('load.js'), [SYNC]);
      assert.deepEqual(of('broken.js'), [null], 'ESLint tells of the syntax error itself');
      assert.deepEqual([of('huge.js'), of('text.md'), of('page.vue'), of('deep.js')], [[], [], [], []]);
      // A file of no project stands for itself.
      const alone = join(outside, 'alone.js');
      assert.deepEqual(await rulesIn(eslintIn(ESLint, outside), readFileSync(alone, 'utf8'), alone), [SYNC]);
      // ESLint has read it, and then it is gone.
      rmSync(join(folder, 'load.js'));
      assert.deepEqual(await rulesIn(eslint, LOAD, join(folder, 'load.js')), [SYNC]);
      assert.deepEqual(await rulesIn(eslint, 'ok();\n', join(folder, 'app', 'new.js')), []);
      const [input] = await eslint.lintText(readFileSync(alone, 'utf8'));
      assert.deepEqual(
        input?.messages.map(({ ruleId }) => ruleId),
        [SYNC],
      );
    });
  }

  it('lints the text that an editor gives, and what it leads to in other files', async () => {
    const folder = folderWith(PROJECT);
    const eslint = eslintIn(ESLint10, folder);
    const [app, load] = [join(folder, 'app.js'), join(folder, 'load.js')];
    assert.deepEqual(await rulesIn(eslint, LOAD, load), [SYNC]);
    const [moved] = await eslint.lintText(`\n\n${LOAD}`, { filePath: load });
    assert.deepEqual(
      moved?.messages.map(({ line, column }) => [line, column]),
      [[4, 22]],
    );
    assert.deepEqual(await rulesIn(eslint, APP.replace('load()', "''"), app), []);
    assert.deepEqual(await rulesIn(eslint, LOAD, load), [], 'no request leads to it any more');
    assert.deepEqual(await rulesIn(eslint, APP, app), []);
    assert.deepEqual(await rulesIn(eslint, LOAD, load), [SYNC]);
    assert.deepEqual(await rulesIn(eslint, `\ufeff${LOAD.replaceAll('\n', '\r\n')}`, load), [SYNC]);
    assert.equal(readFileSync(load, 'utf8'), LOAD, 'nothing is written');
  });

  it('sees after a pause what has changed on the disk', async () => {
    const folder = folderWith(PROJECT);
    const eslint = eslintIn(ESLint10, folder);
    const [app, load] = [join(folder, 'app.js'), join(folder, 'load.js')];
    assert.deepEqual(await rulesIn(eslint, LOAD, load), [SYNC]);
    writeFileSync(app, APP.replace('load()', "''"));
    await wait(PAUSE_MS);
    assert.deepEqual(await rulesIn(eslint, LOAD, load), []);
    rmSync(app);
    writeFileSync(join(folder, 'main.js'), APP);
    await wait(PAUSE_MS);
    assert.deepEqual(await rulesIn(eslint, LOAD, load), [SYNC]);
    writeFileSync(join(folder, 'nodometer.config.json'), '{"rules":{"no-sync-in-handler":"off"}}');
    await wait(PAUSE_MS);
    assert.deepEqual(await rulesIn(eslint, LOAD, load), []);
  });

  it('knows the whole monorepo, whichever folder ESLint is started in', async () => {
    const folder = folderWith({
      'package.json': '{"private":true,"workspaces":["packages/*"]}',
      'packages/api/package.json': '{"name":"@x/api"}',
      'packages/api/app.js': APP.replace('./load.js', '@x/lib'),
      'packages/lib/package.json': '{"name":"@x/lib","main":"index.js"}',
      'packages/lib/index.js': LOAD,
    });
    const lib = join(folder, 'packages', 'lib', 'index.js');
    for (const cwd of [folder, dirname(lib)]) assert.deepEqual(await rulesIn(eslintIn(ESLint10, cwd), LOAD, lib), [SYNC], cwd);
  });

  it('tells once that a configuration cannot be used, and goes on when it can', async () => {
    const folder = folderWith({ ...PROJECT, 'nodometer.config.json': '{"rules":{"no-such-rule":"off"}}' });
    const eslint = eslintIn(ESLint10, folder);
    const told = (await eslint.lintFiles(['.'])).flatMap(({ messages }) => messages.map(({ message }) => message));
    assert.equal(told.length, 1, told.join('\n'));
    assert.match(told[0] ?? '', /^Nodometer: .*nodometer\.config\.json.*unknown rule `no-such-rule`/s);
    writeFileSync(join(folder, 'nodometer.config.json'), '{}');
    assert.deepEqual(await rulesIn(eslint, LOAD, join(folder, 'load.js')), [SYNC]);
  });

  it('runs nothing of the project', async () => {
    const mark = join(work, 'was-run');
    const write = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');\n`;
    const folder = folderWith({ ...PROJECT, 'server.js': write, 'ecosystem.config.js': `${write}module.exports = { apps: [] };\n` });
    await eslintIn(ESLint10, folder).lintFiles(['.']);
    assert.equal(existsSync(mark), false);
  });
});

describe("the plugin's fixes", () => {
  it('are those of the command', async () => {
    const copy = join(work, 'fixed');
    cpSync(samples, copy, { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
    const { out } = await run(['lint', '--format', 'agent'], { cwd: copy, rules });
    const rows = [...out.matchAll(/^(\S+):(\d+):(\d+) \w+ (\S+) ([0-9a-f]{12}) .* fix: nodometer fix/gm)];
    const findings = rows.filter(([, file = '']) => SCRIPT_FILE.test(file));
    assert.ok(findings.length >= 10, out);
    const results = await eslintIn(ESLint10, copy).lintFiles(['.']);
    const { findDamage } = await import('../../analysis/fix/verify.ts');
    for (const [, name = '', line, column, ruleId, id = ''] of findings) {
      const file = join(copy, name);
      const before = readFileSync(file, 'utf8');
      const message = results
        .find(({ filePath }) => filePath === file)
        ?.messages.find((one) => one.ruleId === `nodometer/${ruleId}` && one.line === Number(line) && one.column === Number(column));
      const fix = message?.fix ?? message?.suggestions?.[0]?.fix;
      assert.ok(fix, `${name}:${line} has no fix in ESLint`);
      assert.equal((await run(['fix', id], { cwd: copy, rules, fixCheck: findDamage })).code, 0);
      assert.equal(before.slice(0, fix.range[0]) + fix.text + before.slice(fix.range[1]), readFileSync(file, 'utf8'), `${name}:${line}`);
      writeFileSync(file, before);
    }
  });

  it('are made by `--fix` where they are safe, and only then', async () => {
    const copy = join(work, 'safely-fixed');
    cpSync(samples, copy, { recursive: true });
    const fixed = (await eslintIn(ESLint10, copy, [], { fix: true }).lintFiles(['.'])).filter(({ output }) => output !== undefined);
    assert.ok(fixed.length > 0);
    const { code } = await run(['lint', '--fix', '--exit-zero'], { cwd: copy, rules });
    assert.equal(code, 0);
    for (const { filePath, output } of fixed) assert.equal(output, readFileSync(filePath, 'utf8'), filePath);
    const same = fixed.map(({ filePath }) => relative(copy, filePath));
    const all = (await eslintIn(ESLint10, samples).lintFiles(['.'])).map(({ filePath }) => relative(samples, filePath));
    for (const name of all.filter((one) => !same.includes(one)))
      assert.equal(readFileSync(join(copy, name), 'utf8'), readFileSync(join(samples, name), 'utf8'), name);
  });
});

describe('a plugin without an index', () => {
  const asked = { file: join(work, 'a.js'), text: 'ok();', cwd: work, settings: { timeLimit: 0.3 } };

  it('says once that the engine is missing', () => {
    const findings = new FileFindings(new IndexClient(undefined));
    const [problem] = findings.of(asked, 'no-sync-in-handler').problems;
    assert.match(problem?.message ?? '', /The package `nodometer` is missing/);
    assert.deepEqual(findings.of(asked, 'no-quadratic').problems, [], 'another rule');
    assert.deepEqual(findings.of({ ...asked, file: join(work, 'b.js') }, 'no-sync-in-handler').problems, [], 'another file');
    assert.equal(findings.of(asked, 'no-sync-in-handler').problems.length, 1, 'the same file again');
  });

  it('ends a thread that takes too long, and starts no other', async () => {
    const engine = join(work, 'slow-engine');
    mkdirSync(engine);
    const started = join(engine, 'started');
    writeFileSync(join(engine, 'eslint-thread.js'), `require('node:fs').appendFileSync(${JSON.stringify(started)}, 'x');\nfor (;;);\n`);
    const client = new IndexClient(engine);
    const question = { file: asked.file, text: asked.text, cwd: asked.cwd };
    assert.match(client.ask(question, 2_000).problem?.message ?? '', /not analyzed within 2 s.*timeLimit/s);
    const again = new Promise<string | undefined>((resolve) => resolve(client.ask(question, 60_000).problem?.message));
    assert.match((await again) ?? '', /not analyzed within 2 s/);
    assert.equal(readFileSync(started, 'utf8'), 'x');
  });

  it('survives a thread that ends', async () => {
    const engine = join(work, 'dead-engine');
    mkdirSync(engine);
    writeFileSync(join(engine, 'eslint-thread.js'), 'process.exit(3);\n');
    const client = new IndexClient(engine);
    const question = { file: asked.file, text: asked.text, cwd: asked.cwd };
    assert.match(client.ask(question, 300).problem?.message ?? '', /not analyzed within 0\.3 s/);
    await wait(50);
    assert.deepEqual(client.ask(question, 300).found, []);
  });

  it('hears at once that the thread has died, and why', () => {
    const engine = join(work, 'dying-engine');
    mkdirSync(engine);
    const thread = pathToFileURL(join(dirname(command), 'eslint-thread.js')).href;
    writeFileSync(join(engine, 'eslint-thread.js'), `import(${JSON.stringify(thread)}).then(() => { throw new Error('planted'); });\n`);
    const client = new IndexClient(engine);
    // Who waited for the limit would say so.
    const { problem } = client.ask({ file: asked.file, text: asked.text, cwd: asked.cwd }, 60_000);
    assert.equal(problem?.message, 'The analysis ended: planted.');
  });
});

describe('the package of the plugin', () => {
  it('has the license of the project, and says what it needs', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'eslint-plugin', 'package.json'), 'utf8')) as Record<string, unknown>;
    const project = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
    assert.equal(readFileSync(join(ROOT, 'eslint-plugin', 'LICENSE'), 'utf8'), readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
    assert.deepEqual(
      [manifest.license, manifest.version, manifest.dependencies],
      [project.license, project.version, { nodometer: project.version }],
    );
    assert.deepEqual([manifest.peerDependencies, manifest.engines], [{ eslint: '>=9.0.0' }, { node: '>=20.19.0' }]);
    for (const name of ['plugin.js', 'plugin.d.ts'])
      assert.ok(!readFileSync(join(packages, 'eslint-plugin-nodometer', 'dist', name), 'utf8').includes(ROOT), name);
  });
});
