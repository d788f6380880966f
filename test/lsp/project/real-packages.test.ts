// Ten packages as npm installs them: terminal, whole workspace and single documents find the same.
// They are this project's own dependencies, so the lockfile says which versions they are.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join, relative, sep } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { deploymentKindOf } from '../../../analysis/deployment/deployment-files.ts';
import { ROOT } from '../../../scripts/generate.ts';
import { isScriptPath } from '../../../workspace/discovery/left-out.ts';
import { start, type Session } from '../harness.ts';
import { documentRows, terminalRows, workspaceRows, type Row } from '../rows.ts';
import { filesBelow } from '../samples.ts';

const PACKAGES = [
  '@babel/traverse',
  '@nestjs/core',
  'acorn',
  'express',
  'js-yaml',
  'minimatch',
  'negotiator',
  'picomatch',
  'socket.io',
  'yaml',
];

/** Installed packages are left out of every run; elsewhere they are code like any other. */
const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-packages-')));
after(() => rmSync(work, { recursive: true, force: true }));

function packageOf({ file }: Row): string {
  const [first = '', second = ''] = relative(work, file).split(sep);
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** What an editor would open as JavaScript, TypeScript or a file that says how a program is started. */
function isOfInterest(path: string): boolean {
  if (isScriptPath(path) || deploymentKindOf(path) !== undefined) return true;
  return extname(path) === '' && basename(join(path, '..')) === 'bin' && readFileSync(path, 'utf8').startsWith('#!');
}

describe('ten real packages', () => {
  let session: Session;
  let expected: Row[] = [];
  before(async () => {
    for (const name of PACKAGES) {
      const from = join(ROOT, 'node_modules', name);
      assert.ok(existsSync(join(from, 'package.json')), `${name} is not installed: run npm ci`);
      cpSync(from, join(work, name), { recursive: true, filter: (path) => !relative(from, path).split(sep).includes('node_modules') });
    }
    expected = await terminalRows(work);
    session = await start({ folders: [work] });
  });
  after(() => session.dispose());

  it('have findings, each of them', () => {
    assert.deepEqual([...new Set(expected.map(packageOf))].sort(), PACKAGES);
    assert.ok(expected.length >= 20, `${expected.length} findings`);
  });

  it('have those of the terminal over the whole workspace', async () => {
    assert.deepEqual(await workspaceRows(session), expected);
  });

  for (const name of PACKAGES) {
    it(`${name} has those of the terminal document by document`, async () => {
      const files = filesBelow(join(work, name)).filter(isOfInterest);
      assert.ok(files.length > 0);
      assert.deepEqual(
        await documentRows(session, files),
        expected.filter((row) => packageOf(row) === name),
      );
    });
  }
});
