// What the server says about every sample file, compared with the texts in snapshots/. Written anew with NODOMETER_WRITE_SNAPSHOTS=1.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../scripts/generate.ts';
import { start, uriOf, type Session } from './harness.ts';
import { filesBelow, languageOf, SAMPLES } from './samples.ts';
import { describeDocument } from './snapshot.ts';

const SNAPSHOTS = fileURLToPath(new URL('./snapshots/', import.meta.url));
const isWriting = process.env.NODOMETER_WRITE_SNAPSHOTS === '1';
const samples = groupBySample(filesBelow(SAMPLES));

function groupBySample(files: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const inside = relative(SAMPLES, file).split(sep);
    const name = inside.length > 1 ? (inside[0] ?? '') : 'top';
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return groups;
}

function masked(text: string): string {
  const root = ROOT.endsWith(sep) ? ROOT.slice(0, -1) : ROOT;
  return text.replaceAll(uriOf(root), '<root>').replaceAll(root, '<root>');
}

describe('what the server says about the samples', () => {
  let session: Session;
  before(async () => {
    session = await start({ folders: [SAMPLES] });
  });
  after(() => session.dispose());

  for (const [name, files] of samples) {
    it(name, async () => {
      const parts: string[] = [];
      for (const file of files) {
        const uri = uriOf(file);
        await session.open(uri, readFileSync(file, 'utf8'), { languageId: languageOf(file) });
        // On a busy machine, the first answer may come before the project is known.
        await session.diagnose(uri);
        await session.indexed();
        parts.push(await describeDocument(session, uri, relative(SAMPLES, file).split(sep).join('/')));
        await session.close(uri);
      }
      const said = masked(parts.join('\n'));
      const path = join(SNAPSHOTS, `${name}.snap.txt`);
      if (isWriting) {
        mkdirSync(SNAPSHOTS, { recursive: true });
        writeFileSync(path, said);
      }
      assert.ok(existsSync(path), `${path} is missing: run with NODOMETER_WRITE_SNAPSHOTS=1 and read what it writes`);
      assert.equal(
        said,
        readFileSync(path, 'utf8'),
        `${name} differs: if it should, run with NODOMETER_WRITE_SNAPSHOTS=1 and read the change`,
      );
    });
  }

  it('has no snapshot of a sample that is gone', () => {
    const known = new Set([...samples.keys()].map((name) => `${name}.snap.txt`));
    for (const name of readdirSync(SNAPSHOTS)) {
      if (known.has(name)) continue;
      if (isWriting) rmSync(join(SNAPSHOTS, name));
      else assert.fail(`${name} belongs to no sample`);
    }
  });
});
