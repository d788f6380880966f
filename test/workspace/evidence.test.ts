// Evidence cannot act in silence: what it changes is counted in every format, it can be left out, and no writer loses another's.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, lutimesSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { EvidenceFile, KeptProfile } from '../../protocol/kept-evidence.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { FindingPlaces } from '../../analysis/run/evidence.ts';
import { MOST_BYTES } from '../../files/read-text-file.ts';
import { rules } from '../../rules/index.ts';
import { hashOf } from '../../workspace/hash.ts';
import { lock } from '../../workspace/lock.ts';
import { EvidenceStore, type MeasuredFix } from '../../workspace/profile/evidence-store.ts';
import { folderWith, run, type RunResult } from '../cli/support.ts';
import { PROJECT } from '../lsp/texts.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

const CODE = `const app = require('express')();
const fs = require('node:fs');
app.get('/a', (req, res) => res.end(fs.readFileSync('a')));
app.get('/b', (req, res) => res.end(fs.readFileSync('b')));
`;
const WRITER = fileURLToPath(new URL('./evidence-writer.ts', import.meta.url));

/** Says the same of every blocking call, as someone would write it who wants the build to pass. */
function forged(verdict: 'refuted' | 'confirmed'): EvidenceFile {
  const outcome = parse('/p/app.js', CODE);
  assert.ok(outcome.ok);
  const places = new FindingPlaces(new Facts(new ModuleIndex(outcome.ast), new Source('/p/app.js', CODE), PROJECT), hashOf);
  const verdicts = ['a', 'b'].map((name) => {
    const code = `fs.readFileSync('${name}')`;
    const start = CODE.indexOf(code);
    const span = { start, end: start + code.length };
    return { ruleId: 'no-sync-in-handler', messageId: 'blocking', code, hash: places.hashAround(span), verdict, figure: 'forged' };
  });
  return {
    version: 1,
    profiles: [{ file: 'app.js', function: 'f', hash: '', node: '24.0.0', date: '2026-11-23T00:00:00.000Z', verdicts }],
  } as unknown as EvidenceFile;
}

async function lint(verdict: 'refuted' | 'confirmed', ...args: string[]): Promise<RunResult> {
  const folder = folderWith({ 'package.json': '{}', 'app.js': CODE });
  try {
    const plain = await run(['lint', '--format', 'json'], { cwd: folder.path, rules });
    const [finding] = JSON.parse(plain.out) as { messageId: string }[];
    assert.ok(finding);
    mkdirSync(join(folder.path, '.nodometer'));
    const evidence = JSON.stringify(forged(verdict)).replaceAll('"blocking"', JSON.stringify(finding.messageId));
    writeFileSync(join(folder.path, '.nodometer/evidence.json'), evidence);
    return await run(['lint', ...args], { cwd: folder.path, rules });
  } finally {
    folder.dispose();
  }
}

describe('what evidence changes', () => {
  it('is counted in the summary', async () => {
    const { out } = await lint('refuted');
    assert.match(out, /2 hints/);
    assert.match(out, /evidence +2 findings refuted by evidence \(shown as hints\)/);
    assert.match((await lint('refuted', '--quiet')).out, /2 findings refuted by evidence/);
    assert.match((await lint('confirmed')).out, /evidence +2 findings confirmed by evidence/);
  });

  it('raises nothing above what the user set for the rule', async () => {
    assert.match((await lint('confirmed', '--rule', 'no-sync-in-handler=hint')).out, /2 hints/);
    assert.match((await lint('confirmed', '--rule', 'no-sync-in-handler=error', '--exit-zero')).out, /2 errors/);
  });

  it('is told with the formats that hold findings alone', async () => {
    for (const format of ['json', 'sarif', 'github']) {
      const { err } = await lint('refuted', '--format', format);
      assert.match(err, /2 findings refuted by evidence \(shown as hints\)\. To ignore evidence, use `--no-evidence`\./, format);
    }
  });

  it('is left out with --no-evidence', async () => {
    const { out, err } = await lint('refuted', '--no-evidence');
    assert.match(out, /2 warnings/);
    assert.doesNotMatch(out + err, /evidence/);
    assert.equal((await lint('refuted', '--no-evidence', '--max-warnings', '0')).code, 1);
    assert.equal((await lint('refuted', '--max-warnings', '0')).code, 0);
    const both = await lint('refuted', '--no-evidence', '--require-evidence');
    assert.match(both.err, /`--no-evidence` and `--require-evidence` cannot be used together/);
  });
});

describe('the evidence file', () => {
  it('keeps what several writers write at once', async () => {
    const folder = folderWith({ 'package.json': '{}' });
    try {
      const [writers, each] = [4, 20];
      const codes = await Promise.all(
        Array.from(
          { length: writers },
          (_, i) =>
            new Promise((resolve) =>
              spawn(process.execPath, [...TYPESCRIPT_FLAGS, WRITER, folder.path, String(i), String(each)], { stdio: 'inherit' }).on(
                'exit',
                resolve,
              ),
            ),
        ),
      );
      assert.deepEqual(codes, Array(writers).fill(0));
      const { profiles } = JSON.parse(readFileSync(join(folder.path, '.nodometer/evidence.json'), 'utf8')) as EvidenceFile;
      assert.equal(new Set(profiles.map((profile) => profile.function)).size, writers * each);
      assert.ok(!existsSync(join(folder.path, '.nodometer/evidence.json.lock')));
    } finally {
      folder.dispose();
    }
  });

  it('is not locked for good by a writer that has died', () => {
    const folder = folderWith({ lock: '1\n' });
    try {
      const path = join(folder.path, 'lock');
      utimesSync(path, new Date(0), new Date(0));
      const unlock = lock(path);
      assert.equal(readFileSync(path, 'utf8'), `${process.pid}\n`);
      unlock();
      assert.ok(!existsSync(path));
    } finally {
      folder.dispose();
    }
  });

  it('is told and passed over where it is too large', () => {
    const folder = folderWith({ '.nodometer/evidence.json': `{"version":1,"profiles":[${' '.repeat(17 * 1024 * 1024)}]}` });
    try {
      const told: string[] = [];
      assert.equal(new EvidenceStore(folder.path, (message) => told.push(message)).forFile(join(folder.path, 'a.js')), undefined);
      assert.match(told.join(), /evidence\.json is too large \(17\.1 MB, limit 16 MB\) and is ignored\.$/);
    } finally {
      folder.dispose();
    }
  });

  const profileOf = (name: string, date: string, cpu = 'x'): KeptProfile => ({
    file: 'a.js',
    function: name,
    hash: 'h',
    node: '20.20.2',
    v8: '11.3',
    platform: 'linux x64',
    cpu,
    date,
    budgetMs: 5000,
    origin: 'request',
    calls: [],
    verdicts: [],
  });
  const fix: MeasuredFix = {
    file: 'a.js',
    functionName: 'f',
    normalized: 'f',
    ruleId: 'no-sync-in-handler',
    node: '20.20.2',
    date: '2026-01-01T00:00:00.000Z',
    difference: {
      verdict: 'faster',
      per: 'call',
      first: { name: 'now', figures: [2], median: 2 },
      second: { name: 'with the fix', figures: [1], median: 1 },
      ns: -1,
      low: -1,
      high: -1,
      confidence: 0.95,
    },
  };

  it('is not replaced where it cannot be read: it may be in the middle of a merge, or of a later version', () => {
    for (const text of ['<<<<<<< HEAD\n{"version":1,"profiles":[]}\n', '{"version":2,"profiles":[]}', 'null']) {
      const folder = folderWith({ '.nodometer/evidence.json': text });
      try {
        const told: string[] = [];
        new EvidenceStore(folder.path, (message) => told.push(message)).keepFix({ ...fix, file: join(folder.path, 'a.js') });
        assert.equal(readFileSync(join(folder.path, '.nodometer/evidence.json'), 'utf8'), text);
        assert.match(told.at(-1) ?? '', /The verdicts were not saved, to keep .*evidence\.json as it is\. To start again, delete it\./);
      } finally {
        folder.dispose();
      }
    }
  });

  describe('that is a link', { skip: process.platform === 'win32' && 'Windows asks for a privilege before it makes links' }, () => {
    const OWN = JSON.stringify({ version: 1, profiles: [] });
    /** Keeps a fix and clears; what the folders hold then. */
    function used(link: (project: string, outside: string) => void): {
      told: string[];
      cleared: boolean | null;
      inside: string;
      kept: string;
    } {
      const folder = folderWith({ 'p/package.json': '{}', 'outside/evidence.json': OWN });
      const [project, outside] = [join(folder.path, 'p'), join(folder.path, 'outside')];
      try {
        link(project, outside);
        const told: string[] = [];
        const store = new EvidenceStore(project, (message) => told.push(message.replaceAll(folder.path, '')));
        // Twice, as for two files of a program.
        for (let i = 0; i < 2; i++) store.keepFix({ ...fix, file: join(project, 'a.js') });
        const inside = existsSync(join(project, '.nodometer/evidence.json'))
          ? readFileSync(join(project, '.nodometer/evidence.json'), 'utf8')
          : '';
        const cleared = store.clear();
        assert.deepEqual(readdirSync(outside), ['evidence.json']);
        return { told, cleared, inside, kept: readFileSync(join(outside, 'evidence.json'), 'utf8') };
      } finally {
        folder.dispose();
      }
    }

    it('out of the project: nothing is written or removed there, and it is said', () => {
      const folderLink = used((project, outside) => symlinkSync(outside, join(project, '.nodometer')));
      const why = '/p/.nodometer is a link to /outside, outside of /p.';
      assert.deepEqual(folderLink.told, [`The verdicts were not saved: ${why}`, `The evidence was not cleared: ${why}`]);
      assert.deepEqual([folderLink.cleared, folderLink.kept], [null, OWN]);
      const fileLink = used((project, outside) => {
        mkdirSync(join(project, '.nodometer'));
        symlinkSync(join(outside, 'evidence.json'), join(project, '.nodometer/evidence.json'));
      });
      const ofFile = '/p/.nodometer/evidence.json is a link to /outside/evidence.json, outside of /p.';
      assert.deepEqual(fileLink.told, [`The verdicts were not saved: ${ofFile}`, `The evidence was not cleared: ${ofFile}`]);
      assert.deepEqual([fileLink.cleared, fileLink.kept], [null, OWN]);
      const nowhere = used((project, outside) => symlinkSync(join(outside, 'new'), join(project, '.nodometer')));
      assert.equal(nowhere.told[0], 'The verdicts were not saved: /p/.nodometer is a link that leads nowhere.');
    });

    it('within the project: it is written', () => {
      const { told, cleared, inside } = used((project) => {
        mkdirSync(join(project, 'tools'));
        symlinkSync('tools', join(project, '.nodometer'));
      });
      assert.deepEqual([told, cleared], [[], true]);
      assert.match(inside, /"ruleId": "no-sync-in-handler"/);
    });

    it('under the name of its lock: an old one is taken away, and nothing is written where it leads', () => {
      const folder = folderWith({ 'outside.txt': 'x', 'p/a': '' });
      try {
        const path = join(folder.path, 'p/lock');
        for (const target of ['outside.txt', 'nothing']) {
          symlinkSync(join(folder.path, target), path);
          lutimesSync(path, new Date(0), new Date(0));
          const unlock = lock(path);
          assert.ok(lstatSync(path).isFile());
          unlock();
        }
        assert.equal(readFileSync(join(folder.path, 'outside.txt'), 'utf8'), 'x');
        assert.ok(!existsSync(join(folder.path, 'nothing')));
      } finally {
        folder.dispose();
      }
    });
  });

  it('never becomes larger than what is read: the oldest profiles go', () => {
    const large = 'x'.repeat(1024 * 1024);
    const profiles = Array.from({ length: 15 }, (_, i) => profileOf(`f${i}`, `2026-01-${String(i + 10)}T00:00:00.000Z`, large));
    const fileOf = (cpu: string) => {
      const last = profileOf('last', '2026-02-01T00:00:00.000Z', cpu);
      return JSON.stringify({ version: 1, profiles: [...profiles, last] } satisfies EvidenceFile);
    };
    // As much as is read; what is written is indented, and so it is larger.
    const text = fileOf('x'.repeat(MOST_BYTES.evidence - fileOf('').length));
    assert.equal(text.length, MOST_BYTES.evidence);
    const folder = folderWith({ '.nodometer/evidence.json': text });
    try {
      const told: string[] = [];
      const open = () => new EvidenceStore(folder.path, (message) => told.push(message));
      open().keepFix({ ...fix, file: join(folder.path, 'a.js') });
      assert.match(told.join('\n'), /^[^\n]*evidence\.json is full: the 2 oldest profiles were removed\.$/);
      const kept = open()
        .forFile(join(folder.path, 'a.js'))
        ?.profiles.map((profile) => profile.function);
      assert.deepEqual(kept?.sort(), [...profiles.slice(2).map((profile) => profile.function), 'last'].sort());
    } finally {
      folder.dispose();
    }
  });
});
