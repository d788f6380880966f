// The built command on Windows' own Node: it finds what it finds here, whatever separators and line ends the paths and files have.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { LagReport, ProfileReport } from '../../protocol/evidence.ts';
import type { EvidenceFile } from '../../protocol/kept-evidence.ts';
import { builtIn } from '../built.ts';
import { ROOT } from '../../scripts/generate.ts';
import { folderWith } from '../cli/support.ts';
import { findWindowsNode, windowsPath } from './wine.ts';

const windows = await findWindowsNode();
// Said aloud: a machine without Wine proves nothing about Windows.
if (!windows && process.platform !== 'win32') console.error('Not run: the command on Windows, because there is no `wine` on the PATH.');

interface Sarif {
  runs: {
    results: { ruleId: string; level: string; locations: { physicalLocation: { artifactLocation: { uri: string }; region: object } }[] }[];
  }[];
}

/** `express-shop/app.js {"startLine":26,…} no-sync-in-handler warning`. */
function findingsIn(sarif: string): string[] {
  return (JSON.parse(sarif) as Sarif).runs.flatMap(({ results }) =>
    results.map(({ ruleId, level, locations: [first] }) => {
      const { artifactLocation, region } = first?.physicalLocation ?? { artifactLocation: { uri: '' }, region: {} };
      return `${artifactLocation.uri} ${JSON.stringify(region)} ${ruleId} ${level}`;
    }),
  );
}

if (windows)
  describe("the command on Windows' own Node", () => {
    const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-windows-')));
    let command = '';
    before(async () => {
      ({ command } = await builtIn(join(work, 'dist')));
    });
    after(async () => {
      await windows.end();
      rmSync(work, { recursive: true, force: true });
    });
    const here = (args: readonly string[], cwd: string): string =>
      spawnSync(process.execPath, [command, ...args], { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).stdout;

    it('finds the same in the samples', async () => {
      const args = ['lint', '--no-cache', '--format', 'sarif', '.'];
      const cwd = join(ROOT, 'samples');
      const ran = await windows.run([windowsPath(command), ...args], cwd);
      assert.equal(ran.err, '');
      const expected = findingsIn(here(args, cwd));
      assert.ok(expected.length > 20, `${expected.length} findings`);
      assert.deepEqual(findingsIn(ran.out), expected);
      assert.equal(ran.code, 0);
    });

    it('takes paths with either separator, in any case of the drive, and reports them with slashes where machines read', async () => {
      const text = [
        "const fs = require('node:fs');",
        "require('express')().get('/a', (req, res) => {",
        "  res.end(fs.readFileSync('a'));",
        '});',
        '',
      ];
      const folder = folderWith({
        'package.json': '{}',
        'nodometer.config.json': '{ "ignores": ["build/"] }',
        'src/app.js': text.join('\r\n'),
        'build/app.js': text.join('\r\n'),
      });
      try {
        const path = windowsPath(realpathSync(folder.path));
        for (const named of ['.', 'src\\app.js', 'src/app.js', 'src\\*.js', path, `z${path.slice(1)}\\src`]) {
          const { out, err, code } = await windows.run(
            [windowsPath(command), 'lint', '--no-cache', '--format', 'github', named],
            folder.path,
          );
          assert.match(
            out,
            /^::warning file=src\/app\.js,line=3,endLine=3,col=11,endColumn=30,title=nodometer\/no-sync-in-handler::[^\n]*\n$/,
            named,
          );
          assert.deepEqual([err, code], ['', 0], named);
        }
        const nothing = await windows.run([windowsPath(command), 'lint', 'build'], folder.path);
        assert.deepEqual([nothing.code, /Nothing to lint/.test(nothing.err)], [2, true], 'ignored, whatever separator a pattern has');
        const missing = await windows.run([windowsPath(command), 'lint', 'no\\such.js'], folder.path);
        assert.equal(missing.code, 2);
        assert.match(missing.err, /no\\such\.js/);
      } finally {
        folder.dispose();
      }
    });

    it('profiles a function: deoptimizations and types', async () => {
      // Without a warning on it: comparing versions would start dozens of processes.
      const folder = folderWith({ 'package.json': '{}', 'a.js': 'exports.add = function add(a, b) { return a + b; };\n' });
      try {
        const calls = ['--call', 'exports.add(1, 2)', '--call', 'exports.add("", "")'];
        const args = ['profile', 'a.js:add', ...calls, '--yes', '--time', '1', '--format', 'json'];
        const { out, err } = await windows.run([windowsPath(command), ...args], folder.path);
        const { deopts, feedback, problems, machine } = JSON.parse(out) as ProfileReport;
        assert.match(machine.platform, /^win32/);
        assert.deepEqual(
          deopts.filter(({ benign }) => !benign).map(({ place, reason }) => `${place.line}:${place.column} ${reason}`),
          ['1:45 not a Smi'],
          err,
        );
        assert.deepEqual(
          feedback?.filter(({ mixed }) => mixed).map(({ kind, place, seen }) => `${kind} ${place.line}:${place.column} ${seen}`),
          ['operator 1:45 Any'],
        );
        assert.deepEqual(
          problems.filter((problem) => problem.includes('V8')),
          [],
        );
        const kept = JSON.parse(readFileSync(join(folder.path, '.nodometer', 'evidence.json'), 'utf8')) as EvidenceFile;
        assert.deepEqual(
          kept.profiles.map((profile) => [profile.file, profile.function]),
          [['a.js', 'exports.add']],
        );
      } finally {
        folder.dispose();
      }
    });

    it('finds blocks with their calls', async () => {
      const text = [
        "const { pbkdf2Sync } = require('node:crypto');",
        'setTimeout(function late() {',
        "  pbkdf2Sync('a', 'b', 200000, 64, 'sha512');",
        '  setTimeout(() => {}, 500);',
        '}, 500);',
      ];
      const folder = folderWith({ 'package.json': '{}', 'a folder/app.js': text.join('\r\n') });
      try {
        const args = ['lag', 'a folder\\app.js', '--yes', '--threshold', '40', '--format', 'json'];
        const { out, err } = await windows.run([windowsPath(command), ...args], folder.path);
        const { blocks } = JSON.parse(out) as LagReport;
        const found = blocks.find(({ stack }) => stack[0]?.functionName === 'late');
        assert.ok(found, `${JSON.stringify(blocks)} ${err}`);
        assert.match(found.stack[0]?.file ?? '', /^[A-Z]:\\.*\\a folder\\app\.js$/);
        assert.equal(found.stack[0]?.line, 3);
      } finally {
        folder.dispose();
      }
    });
  });
